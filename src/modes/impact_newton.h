/** Scaled Newton systems for the impact equations, shared by solver and continuation. */
#ifndef CAROM_MODES_IMPACT_NEWTON_H
#define CAROM_MODES_IMPACT_NEWTON_H

#include <carom/base/base.h>
#include <carom/modes/impact_equations.h>

#include <stdbool.h>

/** Most conditions besides the equations themselves: gap, norm, period, grazing. */
#define CAROM_IMPACT_CONDITIONS_MAX 4

/** Sines of half angles below this make a mode resonant: beyond it the kernels lose two digits. */
#define CAROM_IMPACT_RESONANCE 1e-2

/**
 * The equations in scaled unknowns Y: flight times in units of time_scale, lambda and amplitudes in
 * units of lambda_scale, gap in units of gap_scale; rows in the units of their own quantity.
 */
typedef struct carom_impact_newton carom_impact_newton;

/** Workspace; borrows the basis. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_impact_newton_alloc(const carom_modal_basis *basis,
                                                        int impact_count,
                                                        carom_impact_newton **out);

/** Free; NULL is accepted. */
void carom_impact_newton_free(carom_impact_newton *newton);
CAROM_AUTO_TYPE(carom_impact_newton)

/** Most unknowns, 2k + 1 + 2 CAROM_IMPACT_RESONANT_MAX. */
int carom_impact_newton_capacity(const carom_impact_newton *newton);

/** Units of time (s), lambda (J^1/2) and gap (m), all > 0. */
void carom_impact_newton_set_scales(carom_impact_newton *newton, double time, double lambda,
                                    double gap);

/** Singular values below this fraction of the largest count as zero; 1e-11 after allocation. */
void carom_impact_newton_set_rank_threshold(carom_impact_newton *newton, double fraction);

/** Number of unknowns with the present choice of resonant modes, 2k + 1 + 2r. */
int carom_impact_newton_size(const carom_impact_newton *newton);

/**
 * Choose the resonant modes for the period of Y; amplitudes of newly resonant modes are written to
 * Y from what its flight times and lambda say, those of modes that stay resonant are kept.
 *
 * @param[in,out] newton workspace
 * @param[in,out] Y      [capacity] scaled
 */
void carom_impact_newton_choose_resonant(carom_impact_newton *newton, double *Y);

/**
 * Set the linear unknowns of Y so that they meet the equations best at its flight times: lambda and
 * the amplitudes for the gap in Y (for a gap of zero the unit vector that comes nearest), or the
 * amplitudes alone. Overwrites the Newton system.
 *
 * @param[in,out] newton      workspace
 * @param[in,out] Y           [capacity] scaled; flight times and gap, and lambda if it is kept
 * @param[in]     keep_lambda whether only the amplitudes are set
 * @param[in]     grazing_impact impact 1..k whose lambda is to be near zero; 0: none
 * @return CAROM_OK; NOT_FINITE; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_impact_newton_fit(carom_impact_newton *newton, double *Y,
                                                      bool keep_lambda, int grazing_impact);

/**
 * Evaluate residual and Jacobian at Y and begin the Newton system with them.
 *
 * @param[in,out] newton       workspace
 * @param[in]     Y            [capacity] scaled
 * @param[in]     is_projected whether the Jacobian's rows (the residual has no such part) are
 * projected orthogonally to the redundancy: the Jacobian then has rank <= 2k + 2r - 1 everywhere,
 * not only at solutions, and steps of minimum norm do not drift along the solutions
 * @return the largest scaled residual
 */
double carom_impact_newton_begin(carom_impact_newton *newton, const double *Y, bool is_projected);

/** Residual alone, without touching the system: its norm in *norm, the largest entry returned. */
double carom_impact_newton_residual(carom_impact_newton *newton, const double *Y, double *norm);

/** What rounding makes of the largest entry of the residual, at the last evaluation, at Y. */
double carom_impact_newton_rounding(const carom_impact_newton *newton, const double *Y);

/** A new condition row of zeros [capacity], to be filled, with its residual. */
double *carom_impact_newton_add_row(carom_impact_newton *newton, double residual);

/**
 * Singular-value decomposition of the rows so far.
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_impact_newton_decompose(carom_impact_newton *newton);

/**
 * The damped least-squares step of minimum norm, sum s/(s^2 + mu^2) (u'(-F)) v over the singular
 * values above the rank threshold.
 *
 * @param[in]  newton decomposed
 * @param[in]  damping mu relative to the largest singular value
 * @param[out] step    [capacity]
 */
void carom_impact_newton_step(const carom_impact_newton *newton, double damping, double *step);

/** Singular value number i from the smallest (0), relative to the largest. */
double carom_impact_newton_singular_value(const carom_impact_newton *newton, int i);

/** Right singular vector number i from the smallest, [capacity], signs as they come. */
void carom_impact_newton_null_vector(const carom_impact_newton *newton, int i, double *vector);

/**
 * Sign of det [[J, l], [t', 0]] for a system with one condition: J its rows, of which one is
 * redundant, l the redundancy, t a tangent. It changes at simple branch points.
 *
 * @param[in,out] newton  after begin and one row, decomposed or not; they stay valid
 * @param[in]     tangent [capacity]
 * @return -1, 0 or 1
 */
int carom_impact_newton_orientation(carom_impact_newton *newton, const double *tangent);

/** Modal state [m][2] J^1/2 just after t = 0 of a solution Y. */
void carom_impact_newton_state(carom_impact_newton *newton, const double *Y, double *state);

#endif
