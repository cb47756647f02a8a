/** How contact speeds change during a planar impact for prescribed rates of the normal impulses. */
#ifndef CAROM_IMPACT_FRICTION_RATES_H
#define CAROM_IMPACT_FRICTION_RATES_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

/** Work memory of one thread. */
typedef struct carom_friction_rates carom_friction_rates;

/**
 * @param[in]  problem planar; borrowed until the work memory is freed
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (not planar); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_friction_rates_alloc(const carom_impact_problem *problem,
                                                         carom_friction_rates **out,
                                                         carom_report *report);

/** Free; NULL is accepted. */
void carom_friction_rates_free(carom_friction_rates *work);
CAROM_AUTO_TYPE(carom_friction_rates)

/**
 * Rates in s = sum of the normal impulses at the speeds c: one element of (39),
 *
 *     c' = C L',  L' = (p, l),  p >= 0,  sum p = 1,  p_i c_n,i <= 0,  l_i in -mu_i p_i Unit(c_t,i).
 *
 * Zeros of c are exact. A contact with c_n < 0 has the share w_i of the impulse, one with c_n > 0
 * none. One with c_n = 0 has its share if it does not separate by it, else what keeps its speed
 * zero or nothing: p_i = w_i and c_n' <= 0, or 0 < p_i < w_i and c_n' = 0, or p_i = 0 and c_n' >=
 * 0. The p are then divided by their sum. If nothing would be pressed, all contacts with c_n < 0
 * get equal shares.
 *
 * Of given p the friction is the only velocity change that slides against friction: l_i = -mu_i p_i
 * sign(c_t,i) where a contact slides; the others minimize |J'(p, l)|^2 in M^-1 over |l_i| <= mu_i
 * p_i. The l need not be unique, c' is.
 *
 * These conditions are 0 <= z _|_ W z + w >= 0 in z = (beta, p, l+, l-, gamma) of the contacts with
 * c_n = 0 and c_t = 0 only, with caps w_i as in (73), (74). Lemke's method cannot end on a ray,
 * whatever C is: on a ray with z_0 constant p and l stand still by the rows of caps and cones,
 * so that beta > 0 or gamma > 0 would need p < 0 or l < 0; a ray with z_0 growing would solve the
 * problem for w = d, which the covering vector d, large enough in the rows of speeds, leaves only
 * z = 0.
 *
 * @param[in]     work    as above
 * @param[in]     weights [m] w >= 0, finite, not all zero; only their ratios matter
 * @param[in]     c       [r] speeds, m/s, some contact with c_n <= 0
 * @param[out]    rate    [r] L', 1; all zero if no contact can press
 * @param[out]    speed_rate [r] c', 1/kg; exactly zero where it vanishes up to rounding
 * @param[out]    residual   of the complementarity problem, 0 without one; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: weights; RAY, NOT_CONVERGED, NOT_FINITE of the complementarity
 * problem
 * Source: halm-2023 (37)-(40), (73)-(74). Cost: O(m^2) and, with k contacts in question, some
 * O(k^3).
 */
CAROM_MUST_CHECK carom_status carom_friction_rates_compute(carom_friction_rates *work,
                                                           const double *weights, const double *c,
                                                           double *rate, double *speed_rate,
                                                           double *residual);

/**
 * The same for contacts that do not collide (all c_n >= 0), each with c_n = 0 pressed with its
 * share whatever follows: the way into an impact without collision. It is one if some speed_rate of
 * a pressed contact's normal is negative.
 */
CAROM_MUST_CHECK carom_status carom_friction_rates_compute_pressed(carom_friction_rates *work,
                                                                   const double *weights,
                                                                   const double *c, double *rate,
                                                                   double *speed_rate,
                                                                   double *residual);

#endif
