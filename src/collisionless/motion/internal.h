/** What collisionless motions share: functions, directions and cells of modes, the matrix of the
 * impact conditions, the inverse problem. */
#ifndef CAROM_COLLISIONLESS_MOTION_INTERNAL_H
#define CAROM_COLLISIONLESS_MOTION_INTERNAL_H

#include <carom/base/base.h>
#include <carom/base/roots.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/motion/two_modes.h>

/* ---------------------------------------------------------------------------------------- times */
/* Internal: a pair of impact times as an argument. */

/**
 * Refuse times that are no durations.
 *
 * @param[in]  time             tau, s
 * @param[in]  constrained_time tau', s
 * @param[out] report           "time" or "constrained time" and its value; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE if not positive
 */
CAROM_MUST_CHECK carom_status carom_phase_times_check(double time, double constrained_time,
                                                      carom_report *report);

/* --------------------------------------------------------------------------- functions of modes */
/* Time functions of one mode, for any sign of its squared frequency, zero included. */

/**
 * A mode h(t) with h'' = -lambda h + (1 if even), scaled so that nothing is singular at lambda = 0
 * and all values multiplied by exp(-log_scale) so that nothing overflows.
 *
 * Odd: h = S(t), h' = C, h'' = -lambda S. Even: h = (1 - C)/lambda, h' = S, h'' = C. With C =
 * cos(sqrt(lambda) t), S = sin(sqrt(lambda) t)/sqrt(lambda), entire functions of lambda. The
 * paper's g (11) is omega h (odd, lambda > 0), nu h (odd, lambda < 0) or 1 - lambda h (even): the
 * even h is measured from the symmetry point, because the distance 1/lambda to the equilibrium has
 * no limit at lambda = 0.
 */
typedef struct carom_modal_function {
    double displacement; /**< h exp(-log_scale), s2 (even) or s (odd) */
    double velocity;     /**< h' exp(-log_scale), s (even) or 1 (odd) */
    double acceleration; /**< h'' exp(-log_scale), 1 (even) or 1/s (odd) */
    double jerk;         /**< h''' exp(-log_scale), 1/s (even) or 1/s2 (odd) */
    double log_scale;    /**< log cosh(nu t) for lambda < 0, else 0 */
} carom_modal_function;

/**
 * Evaluate a mode.
 *
 * @param[in] lambda squared frequency, 1/s2, any sign
 * @param[in] parity about t = 0
 * @param[in] t      s, any sign
 * Source: pankov-2024 (11), safe through lambda = 0 by series for small lambda t2.
 */
carom_modal_function carom_modal_function_evaluate(double lambda, carom_parity parity, double t);

/** The factor that turns an amplitude of h into one of the paper's g: q = factor a; -1/lambda
 * (even), 1/omega or 1/nu (odd); infinite at lambda = 0. */
double carom_modal_function_amplitude_factor(double lambda, carom_parity parity);

/* ---------------------------------------------------------------------------------------- cells */
/* Internal: cells of the plane of impact phases, one root in each, and the equation along a side.
 * */

/**
 * Bounds of the cell of a column and a row: where w_N < 0 and w'_{N-1} > 0.
 *
 * @param[in]  spectra parities of the two oscillating modes, N and N-1
 * @param[in]  column  n >= 1; >= 2 if mode N is even, whose first cell has no root for uniform
 * parities
 * @param[in]  row     r >= 0
 * @param[out] bounds  [4] lower and upper o_N, lower and upper o'_{N-1}, rad; NaN on failure
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_impact_phase_cell_bounds(const carom_phase_spectra *spectra,
                                                             int column, int row, double bounds[4]);

/** A continuous map of the closed side [0, pi/2] of a cell into itself; NaN where it fails. */
typedef double (*carom_impact_phase_cell_map)(double offset, void *context);

/**
 * The offset from the lower bound of a cell that a map leaves where it is, to rounding.
 *
 * @param[in,out] bracket initialised
 * @param[in]     map     the phase that the equation demands, for the times that belong to an
 * offset
 * @param[in]     context handed to map
 * @param[out]    offset  rad; NaN on failure
 * @return CAROM_OK; SINGULAR if the map failed; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_impact_phase_cell_fixed_point(carom_bracket *bracket,
                                                                  carom_impact_phase_cell_map map,
                                                                  void *context, double *offset);

/* ----------------------------------------------------------------------------------- directions */
/* Internal: the direction of velocity and acceleration of a mode, all that the impact equations
 * take from it. */

/**
 * The unit vector (sin phi, cos phi) along (kappa h', h'') of a mode h at a time, and dphi/dt.
 *
 * Even modes have (h', h'') = (S, C), odd ones (C, -lambda S), C = cos(sqrt(lambda) t), S =
 * sin(sqrt(lambda) t)/sqrt(lambda). As C2 + lambda S2 = 1, the angle turns at the rate
 * kappa/(kappa2 S2 + C2) (even) or kappa lambda/(kappa2 C2 + lambda2 S2) (odd): steadily for
 * oscillating modes, and ever slower for hyperbolic ones, whose cosh is divided out.
 */
typedef struct carom_modal_direction {
    double sine;   /**< kappa h' / |(kappa h', h'')| */
    double cosine; /**< h'' / |(kappa h', h'')| */
    double rate;   /**< dphi/dt, 1/s */
} carom_modal_direction;

/**
 * The direction at a time of either sign.
 *
 * @param[in] lambda squared frequency, 1/s2
 * @param[in] parity about t = 0
 * @param[in] scale  kappa > 0, 1/s, the same for all modes of a problem
 * @param[in] t      s
 */
carom_modal_direction carom_modal_direction_at(double lambda, carom_parity parity, double scale,
                                               double t);

/**
 * The largest |dphi/dt| in an interval of time.
 *
 * @param[in] lambda squared frequency, 1/s2
 * @param[in] parity about t = 0
 * @param[in] scale  kappa > 0, 1/s
 * @param[in] from   s, >= 0
 * @param[in] to     s, >= from
 */
double carom_modal_direction_largest_rate(double lambda, carom_parity parity, double scale,
                                          double from, double to);

/** A bound of |d2phi/dt2| where |dphi/dt| <= rate: rate |lambda - kappa2|/kappa (2 kappa |S C| <=
 * kappa2 S2 + C2 in the derivative of the rate, and likewise for odd modes), 1/s2. */
double carom_modal_direction_curvature(double lambda, double scale, double rate);

/* -------------------------------------------------------------------------------- impact matrix */
/* The impact equations: a matrix of the two impact times that must lose rank. */

/**
 * Let phi_i(tau) be the angle of (kappa h', h'') of unconstrained mode i at tau and phi'_j that of
 * constrained mode j at -tau' (modal_direction.c). Equal velocities and accelerations of all
 * coordinates at the impact, vanishing ones of the contact, read Z u = 0 with
 *
 *     Z_ij = Q_ij sin(phi_i - phi'_j),   Q_ij = sqrt(W_i V_j) / (lambda_i - lambda'_j),
 *
 * Z [N][N-1]. W_i is the share of mode i in the contact, 1/V_j = sum W_i/(lambda_i - lambda'_j)2:
 * with these factors Q holds the constrained modes in terms of the free ones, and its columns are
 * orthonormal. u_j sqrt(V_j) is the constrained amplitude times the length of its pair (kappa h',
 * h''). Collisionless motions are the (tau, tau') at which Z loses rank.
 *
 * As Z = diag(sin phi) Q diag(cos phi') - diag(cos phi) Q diag(sin phi'), no singular value exceeds
 * 1, and the norm of a change of Z is at most the largest change of a phi plus that of a phi'.
 */
typedef struct carom_impact_matrix carom_impact_matrix;

/**
 * Prepare the impact matrix of two spectra.
 *
 * @param[in]  spectra checked here; borrowed until the matrix is freed
 * @param[out] out     belongs to the caller, to be freed by carom_impact_matrix_free; NULL on
 * failure
 * @param[out] report  as carom_phase_spectra_check; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_matrix_alloc(const carom_phase_spectra *spectra,
                                                        carom_impact_matrix **out,
                                                        carom_report *report);

/** Free a matrix; NULL is accepted. */
void carom_impact_matrix_free(carom_impact_matrix *matrix);
CAROM_AUTO_TYPE(carom_impact_matrix)

/** The spectra of a matrix, borrowed. */
const carom_phase_spectra *carom_impact_matrix_spectra(const carom_impact_matrix *matrix);

/** Frequency unit kappa, 1/s. */
double carom_impact_matrix_frequency_scale(const carom_impact_matrix *matrix);

/**
 * Z and, where asked for, its derivatives by the two impact times.
 *
 * @param[in,out] matrix        its scratch memory is used: one thread at a time
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[out] Z                [N][N-1] row-major
 * @param[out] Z_time           [N][N-1] dZ/dtau, 1/s; may be NULL
 * @param[out] Z_constrained    [N][N-1] dZ/dtau', 1/s; may be NULL
 * Source: pankov-2024 (1), equivalent to rank B < N of (13) where no eigenvalue is zero. Cost:
 * O(N2).
 */
void carom_impact_matrix_evaluate(carom_impact_matrix *matrix, double time, double constrained_time,
                                  double *Z, double *Z_time, double *Z_constrained);

/** How close to losing rank a point is. */
typedef struct carom_impact_rank {
    double smallest;   /**< smallest singular value of Z, 1 */
    double second;     /**< second smallest; 1, the bound of all, for N = 2 */
    double norm_error; /**< length of all singular values less that of the entries of Z, 1 */
} carom_impact_rank;

/**
 * Smallest singular values of Z and its null vector.
 *
 * @param[in,out] matrix           its scratch memory is used: one thread at a time
 * @param[in]     time             tau, s
 * @param[in]     constrained_time tau', s
 * @param[out]    rank             singular values
 * @param[out]    null_vector      [N-1] right singular vector u of the smallest, of unit length;
 * may be NULL
 * @return CAROM_OK; NOT_CONVERGED. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_impact_matrix_rank(carom_impact_matrix *matrix, double time,
                                                       double constrained_time,
                                                       carom_impact_rank *rank,
                                                       double *null_vector);

/** V [N-1], borrowed: a null vector u belongs to constrained amplitudes u_j sqrt(V_j) over the
 * length of the pair. */
const double *carom_impact_matrix_constrained_weights(const carom_impact_matrix *matrix);

/**
 * How fast Z can change within intervals of the two times: |dZ| <= rates[0] |dtau| + rates[1]
 * |dtau'|.
 *
 * @param[in]  matrix      the problem
 * @param[in]  time        [2] least and largest tau, s, >= 0
 * @param[in]  constrained [2] least and largest tau', s, >= 0
 * @param[out] rates       [2] largest |dphi/dtau| and |dphi'/dtau'|, 1/s
 * @param[out] curvatures  [2] bounds of |d2Z/dtau2| and |d2Z/dtau'2|, 1/s2; the mixed derivative is
 * bounded by the product of the rates; may be NULL
 */
void carom_impact_matrix_bounds(const carom_impact_matrix *matrix, const double time[2],
                                const double constrained[2], double *rates, double *curvatures);

/* ------------------------------------------------------------------------------ memory of modes */
/* Internal: room for the modes of both phases, for those who fill them. */

/**
 * Modes with their counts set, spectra of zeros, and arrays to be filled.
 *
 * @param[in]  n   coordinates
 * @param[in]  N   coupled modes, 2 <= N <= n
 * @param[out] out to be freed by carom_phase_modes_free; NULL on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_phase_modes_alloc(int n, int N, carom_phase_modes **out);

/* ----------------------------------------------------------------------------- secular equation */
/* The secular equation sum_i w_i/(lambda_i - s) = 0, whose roots are the constrained spectrum. */

/** A root s = lambda_pole + offset, kept as the offset: it may be tiny against lambda. */
typedef struct carom_secular_root {
    int pole;      /**< index of the nearer pole, from 0; -1 after a failure */
    double offset; /**< not zero, 1/s2; NaN after a failure */
} carom_secular_root;

/**
 * The roots of sum_i w_i/(lambda_i - s) = 0, one between each two poles, where the sum rises from
 * -infinity to infinity. The response of a coordinate to a force on itself vanishes there: it can
 * be held by no force.
 *
 * @param[in]  N      poles, >= 2
 * @param[in]  lambda [N] strictly ascending, 1/s2
 * @param[in]  weight w [N] > 0, their sum about 1; unit arbitrary
 * @param[out] roots  [N-1] ascending; each offset to a few roundings of itself, unless the other
 * poles balance at its own
 * @return CAROM_OK; NOT_CONVERGED (a weight or pole that is none); OUT_OF_MEMORY
 * Source: pankov-2024 (9), eta'M = 0; Brent's method for the sum times the offset, which is smooth
 * up to the farther pole. Cost: O(N) an iteration, about ten for each root.
 */
CAROM_MUST_CHECK carom_status carom_secular_equation_solve(int N, const double *lambda,
                                                           const double *weight,
                                                           carom_secular_root *roots);

/* -------------------------------------------------------------------------------------- spectra */

/** Number of oscillating modes of the unconstrained phase, lambda > 0. */
int carom_phase_spectra_oscillating_count(const carom_phase_spectra *spectra);

/** Number of oscillating modes of the constrained phase, lambda' > 0; without one there is no
 * collisionless motion (pankov-2024 (29)). */
int carom_phase_spectra_constrained_oscillating_count(const carom_phase_spectra *spectra);

/** Copy spectra, to be freed by carom_phase_spectra_free. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_phase_spectra_copy(const carom_phase_spectra *spectra,
                                                       carom_phase_spectra **out);

/** lambda_i - lambda'_j, 1/s2, with all digits that the spectra have: a mode that is weakly coupled
 * to the contact has a constrained one next to it. */
double carom_phase_spectra_difference(const carom_phase_spectra *spectra, int i, int j);

/** The shares W [N] of the modes in the contact (carom_cauchy_shares), from such differences. */
void carom_phase_spectra_shares(const carom_phase_spectra *spectra, double *share);

/**
 * Whether each phase has exactly one oscillating mode: lambda_{N-1} < 0 < lambda'_{N-1} and
 * lambda'_{N-2} < 0; lambda_{N-1} = 0 counts if that mode is even. Then every cell of the plane of
 * impact phases has exactly one root (claim 4 of the document's chapter).
 */
bool carom_phase_spectra_has_single_oscillations(const carom_phase_spectra *spectra);

/* ----------------------------------------------------------------------------------- modal sums */

/**
 * f(t) = sum_i w_i (h_i(t) - h_i(T)) exp(-L_i) with the modes h_i of carom_modal_function, the
 * impact time T = +-duration and L_i the log scale of mode i at T: no term overflows while
 * |t| <= |T|, however fast a hyperbolic mode grows. The arrays are borrowed.
 */
typedef struct carom_modal_sum {
    int count;                  /**< of modes */
    const double *lambda;       /**< [count] squared frequencies, 1/s2 */
    const carom_parity *parity; /**< [count] */
    const double *weight;       /**< w [count] */
    const double *log_scale;    /**< L [count], 1 */
    double impact_time;         /**< T, s: tau for the gap, -tau' for the force */
    double offset;              /**< sum_i w_i h_i(T) exp(-L_i) */
} carom_modal_sum;

/** Set the offset so that the sum vanishes at its impact time. Cost: O(count). */
void carom_modal_sum_anchor(carom_modal_sum *sum);

/**
 * The sum and its first three derivatives.
 *
 * @param[in]  sum        anchored
 * @param[in]  t          s, usually |t| <= |T|
 * @param[out] derivative [4] f, f', f'', f'''
 */
void carom_modal_sum_evaluate(const carom_modal_sum *sum, double t, double *derivative);

/**
 * A bound of a derivative on an interval: sum_i |w_i| max |h_i^(order)| exp(-L_i), with |cos| <= 1
 * and |sin| <= min(1, angle) for oscillating modes and exact maxima for the others. For order 0 the
 * bound is that of sum |w_i h_i|, without the offset.
 *
 * @param[in] sum   anchored
 * @param[in] order 0 to 4
 * @param[in] t     largest |time| of the interval, s, >= 0
 */
double carom_modal_sum_bound(const carom_modal_sum *sum, int order, double t);

/**
 * A bound of the rounding errors of f(t) + f'(t) x + f''(t) x2/2 as evaluated, |x| <= radius.
 *
 * @param[in] sum    anchored
 * @param[in] t      largest |time| of the interval, s, >= 0
 * @param[in] radius s
 */
double carom_modal_sum_rounding(const carom_modal_sum *sum, double t, double radius);

/** The gap x_N - x_N^0 as a sum of modes; borrows from the motion. */
carom_modal_sum carom_spectral_motion_gap_sum(const carom_spectral_motion *motion);

/** The force c F_N as a sum of modes; borrows from the motion. */
carom_modal_sum carom_spectral_motion_force_sum(const carom_spectral_motion *motion);

/* ------------------------------------------------------------------------------------ two modes */
/* The equations that the closed forms of two_modes.h solve, their contact force, and their limits.
 */

/**
 * Residuals of the impact equations w_i(tau) = -w'_1(tau') (18) for any spectra and parities, free
 * of poles and valid through eigenvalues of zero: each mode's velocity and acceleration at the
 * impact, with time in units of 1/sqrt(max |lambda|), make a vector in the plane, and a residual is
 * the sine of the angle between that of unconstrained mode i and that of the constrained one.
 *
 * @param[in]  lambda             [2] unconstrained eigenvalues, 1/s2, not all three zero
 * @param[in]  lambda_constrained 1/s2
 * @param[in]  is_odd             [2] parity of each unconstrained mode about P
 * @param[in]  is_constrained_odd parity of the constrained mode about P'
 * @param[in]  time               tau, s
 * @param[in]  constrained_time   tau', s
 * @param[out] residual           [2] in [-1, 1], both zero at a solution; NaN where an input is
 * Source: pankov-2024 (18), (19) in the form gd_i gdd'_1 - gdd_i gd'_1 = 0.
 */
void carom_two_modes_residual(const double *lambda, double lambda_constrained, const bool *is_odd,
                              bool is_constrained_odd, double time, double constrained_time,
                              double *residual);

/**
 * Contact force over its static part during the constrained phase, F_N/F_N^0 = 1 - g'(t')/g'(-tau')
 * with g' the sine or the cosine of omega'_1 t': zero at the impact. Its least value is 1 - 1/|sin
 * o'_1| or 1 - 1/|cos o'_1| < 0 in every row r >= 1.
 *
 * @param[in] is_constrained_odd parity about P'
 * @param[in] constrained_phase  o'_1, rad
 * @param[in] phase              omega'_1 t' in [-o'_1, o'_1], rad
 */
double carom_two_modes_force_ratio(bool is_constrained_odd, double constrained_phase, double phase);

/**
 * The roots for large n (section 4): alpha_n = (n-1/2) pi - 1/(n pi) + O(n^-2), beta_n = n pi -
 * arctan rho + O(exp(-2 pi n rho)), gamma_n = (n-1) pi + arctan(1/rho) + O(exp(-2 pi n rho)). The
 * first terms left out are -1/(2 pi n^2), +2 rho/(1 + rho^2) exp(-2 rho beta_n) and the same with
 * minus and gamma_n.
 *
 * @param[in] kind which sequence
 * @param[in] n    >= 1
 * @param[in] rho  > 0; not read for alpha
 */
double carom_two_modes_root_series(carom_two_modes_root_kind kind, int n, double rho);

/**
 * o'_1 of hopping in row 0 for large n: pi/2 + r/[(n-1/2) pi - 1/(n pi)] - r^3/[3 (n pi)^3] +
 * O(n^-4), r = omega_2/omega'_1. The first term left out is (r - r^3)/(2 pi^3 n^4).
 */
double carom_two_modes_hop_phase_series(double frequency_ratio, int n);

/**
 * o'_1 of the wheel and of rocking in row 0 for large n: arctan(nu_1/omega'_1) + O(exp(-2 pi n
 * nu_1/omega_2)). With s = nu_1/omega'_1 the first term left out is -2 s/(1 + s^2) exp(-2 o_1) for
 * the wheel and the same with plus for rocking.
 */
double carom_two_modes_phase_limit(double lambda_1, double lambda_constrained);

/* ------------------------------------------------------------------------------------- symmetry */
/* A quarter or half of a periodic motion extended by its symmetries. */

/**
 * Where a motion is at any time, for carom_symmetry_extension_state.
 *
 * @param[in]  spectra          parities
 * @param[in]  time             tau > 0, s
 * @param[in]  constrained_time tau' > 0, s
 * @param[in]  elapsed          s since a P, any sign, less than 1e9 steps
 * @param[out] place            where
 * @param[out] report           as carom_symmetry_extension_period, or "elapsed time"; may be NULL
 * @return CAROM_OK; as carom_symmetry_extension_period; NOT_FINITE, OUT_OF_RANGE for the elapsed
 * time
 */
CAROM_MUST_CHECK carom_status carom_symmetry_extension_place(const carom_phase_spectra *spectra,
                                                             double time, double constrained_time,
                                                             double elapsed,
                                                             carom_motion_place *place,
                                                             carom_report *report);

#endif
