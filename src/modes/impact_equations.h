/** The equations of periodic motions with k impacts: sequences of impacts, residuals with
 * derivatives, Gauss-Newton steps. */
#ifndef CAROM_MODES_IMPACT_EQUATIONS_H
#define CAROM_MODES_IMPACT_EQUATIONS_H

#include <carom/base/base.h>
#include <carom/modes/modal_basis.h>

#include <stdbool.h>

/* ------------------------------------------------------------------------------------ sequences */
/* Sequences of impacts: symmetry, reversal, rotation, primitive period, canonical form. */

/**
 * A sequence is a pair of k-periodic lists: flight times sigma_1..sigma_k and lambda_1..lambda_k,
 * lambda_j at the end of flight j. Rotation by r starts it at another impact, sigma'_i =
 * sigma_{i+r}, lambda'_i = lambda_{i+r}; reversal runs it backwards, sigma'_i = sigma_{k+1-i},
 * lambda'_i = lambda_{k-i} (index 0 = k).
 */

/**
 * Find a with sigma_n = sigma_{a-n} and lambda_{a-1-n} = lambda_n for all n (mod k), to a tolerance
 * relative to the period and to the largest lambda (thorin-2017 section 6).
 *
 * @param[in] k            >= 1
 * @param[in] flight_times [k] s
 * @param[in] lambda       [k]; NULL: only the times are compared
 * @param[in] tolerance    1
 * @return the smallest a in 1..k; 0 if the sequence is not symmetric. For a primitive sequence it
 * is the only one (proposition 6.1).
 */
int carom_sequence_symmetry(int k, const double *flight_times, const double *lambda,
                            double tolerance);

/** Largest |sigma_n - sigma_{a-n}| of flight times [k], 1 <= a <= k. */
double carom_sequence_asymmetry(int k, const double *flight_times, int a);

/** Replace flight times [k] by the means of sigma_n and sigma_{a-n}: the nearest ones of that
 * symmetry; out may not overlap. */
void carom_sequence_symmetrize(int k, const double *flight_times, int a, double *out);

/**
 * The most symmetric of several sequences, symmetrized.
 *
 * @param[in]  k            >= 1
 * @param[in]  count        >= 1
 * @param[in]  flight_times [count][k] s
 * @param[out] out          [k] s
 * @return its a
 */
int carom_sequence_most_symmetric(int k, int count, const double *flight_times, double *out);

/**
 * The two symmetry axes of a symmetric sequence, t = t_{a-1}/2 and that plus T/2 (mod T), in [0,
 * T), ascending (corollary 6.2).
 *
 * @param[in]  k            >= 1
 * @param[in]  flight_times [k] s
 * @param[in]  a            from carom_sequence_symmetry, 1..k
 * @param[out] axes         [2] s
 */
void carom_sequence_axes(int k, const double *flight_times, int a, double *axes);

/** Start at another impact: rotate both lists [k] in place by r in 0..k-1. */
void carom_sequence_rotate(int k, int r, double *flight_times, double *lambda);

/** Run both lists [k] backwards, in place. */
void carom_sequence_reverse(int k, double *flight_times, double *lambda);

/**
 * The number of impacts in the shortest period: the smallest divisor d of k for which both lists
 * repeat after d, to a tolerance relative to the mean flight time and to the largest lambda.
 */
int carom_sequence_primitive(int k, const double *flight_times, const double *lambda,
                             double tolerance);

/**
 * Bring a sequence to its canonical form: of all rotations and reversals the one whose flight
 * times, compared to the tolerance times the period, come first lexicographically, ties broken by
 * lambda. Equal motions get the same form. In place.
 */
void carom_sequence_canonicalize(int k, double *flight_times, double *lambda, double tolerance);

/**
 * Whether two sequences of k impacts are the same motion, started or run differently: some rotation
 * or reversal brings all flight times together to the tolerance times the period and all lambda to
 * the tolerance times the largest.
 */
bool carom_sequence_equal(int k, const double *flight_times, const double *lambda,
                          const double *other_flight_times, const double *other_lambda,
                          double tolerance);

/* ------------------------------------------------------------------------------------ equations */
/* The equations of a k-impact periodic motion, Pi lambda = 0 and Sigma lambda + g j = 0. */

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

/* --------------------------------------------------------------------------------------- Newton */
/* Scaled Newton systems for the impact equations, shared by solver and continuation. */

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
