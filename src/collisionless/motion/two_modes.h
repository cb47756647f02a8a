/** Collisionless motion with two degrees of freedom: impact times in closed form (pankov-2024
 * section 4). */
#ifndef CAROM_COLLISIONLESS_MOTION_TWO_MODES_H
#define CAROM_COLLISIONLESS_MOTION_TWO_MODES_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/** Which sequence of positive roots of tan y = a tanh(b y), y_n in [(n-1) pi, n pi) (22). */
typedef enum carom_two_modes_root_kind {
    CAROM_TWO_MODES_ALPHA, /**< tan y = y, the limit of gamma for rho -> 0: hopping, juggling */
    CAROM_TWO_MODES_BETA,  /**< a = -rho, b = rho: rimless wheel */
    CAROM_TWO_MODES_GAMMA  /**< a = 1/rho, b = rho: coronal rocking */
} carom_two_modes_root_kind;

/**
 * The n-th root alpha_n, beta_n(rho) or gamma_n(rho) of (22).
 *
 * It is sought as its distance from a multiple of pi, the arctangent of the right side, so that
 * neither the poles of the tangent nor n and rho, however large, matter: alpha_n and gamma_n lie in
 * ((n-1) pi, (n-1/2) pi), beta_n in ((n-1/2) pi, n pi).
 *
 * @param[in]  kind which sequence
 * @param[in]  n    >= 1 for beta, >= 2 for alpha and gamma, whose root n = 1 is the trivial y = 0
 * @param[in]  rho  nu_1/omega_2 > 0, 1; not read for alpha
 * @param[out] root rad, to two roundings; NaN on failure
 * @return CAROM_OK; OUT_OF_RANGE: n or rho; NOT_FINITE: rho; OUT_OF_MEMORY; NOT_CONVERGED
 * Source: pankov-2024 (22). Cost: Brent's method, a dozen evaluations.
 */
CAROM_MUST_CHECK carom_status carom_two_modes_root(carom_two_modes_root_kind kind, int n,
                                                   double rho, double *root);

/** The impact between the symmetry points P and P' of a collisionless motion. */
typedef struct carom_two_modes_impact {
    double slow_phase;        /**< o_1 = sqrt|lambda_1| tau, rad; 0 for a free mode */
    double fast_phase;        /**< o_2 = sqrt(lambda_2) tau, rad */
    double constrained_phase; /**< o'_1 = sqrt(lambda'_1) tau', rad */
    double time;              /**< tau > 0 from P to the impact, s */
    double constrained_time;  /**< tau' > 0 from the impact to P', s */
} carom_two_modes_impact;

/**
 * Hopping and juggling, all motions even: o_2 = alpha_n, o'_1 = pi - arctan(alpha_n omega'_1 /
 * omega_2) + r pi (24), which solve o_2 cot o_2 = 1, mu o'_1 cot o'_1 = -1 (23), mu = tau/tau'.
 *
 * @param[in]  lambda             [2] unconstrained eigenvalues in 1/s2, lambda_1 = 0 up to rounding
 * of lambda_2: the centre of mass, or the ball, falls freely
 * @param[in]  lambda_constrained lambda'_1 in 1/s2, between them
 * @param[in]  n                  column >= 2: fast_phase in ((n-1) pi, n pi)
 * @param[in]  row                r >= 0; only r = 0 is physically realizable
 * @param[out] impact             NaN on failure
 * @param[out] report             "first unconstrained eigenvalue" and so on, "column", "row" and
 * the value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; a status of carom_two_modes_root
 * Source: pankov-2024 (24). Cost: one root.
 */
CAROM_MUST_CHECK carom_status carom_two_modes_hop(const double *lambda, double lambda_constrained,
                                                  int n, int row, carom_two_modes_impact *impact,
                                                  carom_report *report);

/**
 * The extended rimless wheel, all motions odd: o_2 = beta_n(rho), rho = nu_1/omega_2, o'_1 =
 * -arctan[(omega_2/omega'_1) tan beta_n] + r pi (26), which solve o_2 tan o_2 = -o_1 tanh o_1, mu
 * o'_1 tan o'_1 = o_1 tanh o_1 (25).
 *
 * As carom_two_modes_hop, but lambda_1 < 0 < lambda'_1 < lambda_2 and n >= 1.
 */
CAROM_MUST_CHECK carom_status carom_two_modes_wheel(const double *lambda, double lambda_constrained,
                                                    int n, int row, carom_two_modes_impact *impact,
                                                    carom_report *report);

/**
 * Coronal rocking, even in flight and odd in contact: o_2 = gamma_n(rho), o'_1 =
 * arctan[(omega_2/omega'_1) cot gamma_n] + r pi (28), which solve o_2 cot o_2 = o_1 coth o_1, mu
 * o'_1 tan o'_1 = o_1 coth o_1 (27).
 *
 * As carom_two_modes_hop, but lambda_1 < 0 < lambda'_1 < lambda_2.
 */
CAROM_MUST_CHECK carom_status carom_two_modes_rock(const double *lambda, double lambda_constrained,
                                                   int n, int row, carom_two_modes_impact *impact,
                                                   carom_report *report);

CAROM_END_DECLARATIONS

#endif
