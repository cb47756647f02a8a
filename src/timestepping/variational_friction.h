/** Coulomb friction by maximum dissipation: a convex problem in a box. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_FRICTION_H
#define CAROM_TIMESTEPPING_VARIATIONAL_FRICTION_H

#include <carom/base/status.h>

CAROM_BEGIN_DECLARATIONS

/**
 * f = arg min over |f_i| <= b_i of f' W f/2 + f' v: the impulses along k tangents that leave the
 * least kinetic energy. Its conditions are those of Coulomb: with u = v + W f, a row sticks (u_i =
 * 0) or slides (f_i = -b_i sign u_i); f'u <= 0. f is unique if W is positive definite, u always.
 *
 * @param[in]  k     rows, >= 1
 * @param[in]  W     [k][k] tangential Delassus matrix, symmetric positive semidefinite, 1/kg
 * @param[in]  v     [k] sliding speeds without friction, m/s
 * @param[in]  b     [k] bounds mu lambda >= 0, N s
 * @param[out] f     [k] N s; NaN on failure
 * @param[out] report may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a bound negative, a diagonal entry negative; NOT_FINITE, also by
 * overflow; NOT_CONVERGED; OUT_OF_MEMORY
 * Source: seghete-2014 section VII-B names the principle; the paper's maximization over f of -f
 * v_t(f) would remove half the sliding speed where a contact sticks. Ours: v_t fixed at the
 * solution.
 */
CAROM_MUST_CHECK carom_status carom_variational_friction_box(int k, const double *W,
                                                             const double *v, const double *b,
                                                             double *f, carom_report *report);

/** The objective f' W f/2 + f' v, J. */
double carom_variational_friction_objective(int k, const double *W, const double *v,
                                            const double *f);

CAROM_END_DECLARATIONS

#endif
