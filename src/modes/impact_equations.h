/** The equations of a k-impact periodic motion, Pi lambda = 0 and Sigma lambda + g j = 0. */
#ifndef CAROM_MODES_IMPACT_EQUATIONS_H
#define CAROM_MODES_IMPACT_EQUATIONS_H

#include <carom/base/base.h>
#include <carom/modes/modal_basis.h>

/** Most modes whose amplitudes are unknowns of their own, near a harmonic. */
#define CAROM_IMPACT_RESONANT_MAX 16

/**
 * Workspace for one structure and one number of impacts. The unknowns are
 *
 *     y = (sigma_1..sigma_k, lambda_1..lambda_k, g, p_1, q_1, .., p_r, q_r)
 *
 * in physical units: flight times in s, lambda in J^1/2, gap at rest g in m, and the amplitudes p +
 * i q (J^1/2), as the contact sees them, of the r resonant modes, those for which sin(w T/2) nearly
 * vanishes. The equations,
 *
 *     (Pi lambda)_i = 0,  (Sigma lambda)_i + g = 0,
 *     sin(w_l T/2) (p_l + i q_l) = rho_l^2 sum_j lambda_j e^{i w_l t_j}   for each resonant l,
 *
 * are 2k + 2r in number, linear and homogeneous in all unknowns but the flight times, free of poles
 * when every mode near a harmonic is resonant. One of them is redundant (lambda'Pi lambda = 0).
 */
typedef struct carom_impact_equations carom_impact_equations;

/** Workspace; borrows the basis. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_impact_equations_alloc(const carom_modal_basis *basis,
                                                           int impact_count,
                                                           carom_impact_equations **out);

/** Free; NULL is accepted. */
void carom_impact_equations_free(carom_impact_equations *equations);
CAROM_AUTO_TYPE(carom_impact_equations)

/**
 * Choose the resonant modes for periods near T: those with |sin(w T/2)| < threshold, at most the
 * CAROM_IMPACT_RESONANT_MAX nearest to their harmonics.
 *
 * @param[in,out] equations keeps the choice until the next call; none after allocation
 * @param[in]     period    T > 0, s
 * @param[in]     threshold 0: none
 * @return r, the number of resonant modes
 */
int carom_impact_equations_choose_resonant(carom_impact_equations *equations, double period,
                                           double threshold);

/**
 * The matrices themselves, all modes eliminated.
 *
 * @param[in,out] equations workspace; the choice of resonant modes is not used
 * @param[in]     flight_times [k] > 0, s
 * @param[out]    Pi        [k][k] row-major, skew-symmetric, 1; (3.1c)
 * @param[out]    Sigma     [k][k] row-major, symmetric, m J^-1/2; (3.1e)
 * @return CAROM_OK; SINGULAR if the period is a harmonic to rounding
 * Source: thorin-2017 (3.1c)-(3.1e), (6.2)-(6.4). Cost: O(m k^2), with O(m k) sines.
 */
CAROM_MUST_CHECK carom_status carom_impact_equations_matrices(carom_impact_equations *equations,
                                                              const double *flight_times,
                                                              double *Pi, double *Sigma);

/**
 * Residual and exact Jacobian of the whole system.
 *
 * @param[in,out] equations workspace with its choice of r resonant modes
 * @param[in]     y         [2k + 1 + 2r] unknowns
 * @param[out]    F         [2k + 2r]: Pi lambda (J^1/2), Sigma lambda + g (m), resonances (J^1/2)
 * @param[out]    J         [2k + 2r][2k + 1 + 2r] row-major; NULL: residual only
 * Source: thorin-2017 theorems 3.1, 3.2. Cost: O(m k^2), with O(m k) sines.
 */
void carom_impact_equations_evaluate(carom_impact_equations *equations, const double *y, double *F,
                                     double *J);

/**
 * Amplitudes p + i q of the resonant modes as they follow from flight times and lambda in y, where
 * the period is not a harmonic: to start from. Infinite at a harmonic.
 */
void carom_impact_equations_guess_resonant(carom_impact_equations *equations, double *y);

/**
 * Modal state just after t = 0 of a solution y: z_1 + i z_2 = -e^{-i w T/2} (p + i q)/rho.
 *
 * @param[in,out] equations workspace with its choice of resonant modes
 * @param[in]     y         [2k + 1 + 2r]
 * @param[out]    state     [m][2] J^1/2
 */
void carom_impact_equations_state(carom_impact_equations *equations, const double *y,
                                  double *state);

/** The resonant modes [r], ascending, as chosen last; borrowed. */
const int *carom_impact_equations_resonant_modes(const carom_impact_equations *equations);

/**
 * By how much a relative error of the phases w t, as rounding makes it, shows in the equations of
 * unit lambda and amplitudes: sum rho^2 w T/sin^2(w T/2) over the other modes and w T over the
 * resonant ones, at the last evaluation.
 */
double carom_impact_equations_phase_sensitivity(const carom_impact_equations *equations);

/**
 * The left null vector of the redundancy, l'F = 0 identically in y: l = (lambda, 0, cos(w
 * T/2)/rho^2 (q, -p) for each resonant mode).
 *
 * @param[in]  equations workspace after carom_impact_equations_evaluate at the same y
 * @param[in]  y         [2k + 1 + 2r]
 * @param[out] l         [2k + 2r]
 */
void carom_impact_equations_redundancy(const carom_impact_equations *equations, const double *y,
                                       double *l);

#endif
