/** How many increments the sampling of an impact may need: the bounds of halm-2023, section 5. */
#ifndef CAROM_IMPACT_IMPACT_BOUNDS_H
#define CAROM_IMPACT_IMPACT_BOUNDS_H

#include <carom/impact/impact_problem.h>

/**
 * Units are those of translational coordinates. What the paper prints takes Euclidean lengths:
 * where coordinates are lengths and angles it depends on the unit of length, the count of (79) and
 * psi depend on units in any case. In the metric of M, in which the proof of Theorem 8 needs no
 * sigma, lengths have one unit.
 */
typedef struct carom_impact_bounds {
    int contact_count;   /**< m */
    double impulse_step; /**< h, N s */

    /** |r|_2 of Lemma 6, kg: the smallest possible. It, sigma and what is made of them are NaN
     * where the digits do not tell, as with angles beside lengths in a unit far too large. */
    double r_norm;
    double r_gap;     /**< 1 - (proved lower bound of |r|)/|r|: 0 up to rounding */
    double sigma;     /**< smallest eigenvalue of M, kg */
    double kinetic_r; /**< |r| in M^-1, the smallest possible, kg^1/2: at most r_norm/sigma^1/2 */
    double velocity_norm; /**< |v-|_M = sqrt(v-' M v-), kg^1/2 m/s */

    double c_p;              /**< expected smallest cap h/(m + 1), N s (149) */
    double c_z;              /**< 2 |r|/sqrt(sigma), kg^1/2 (156) */
    double theorem_8_c;      /**< c of (78), a whole number */
    double theorem_8_count;  /**< c ceil(|v-|_M) of (79): depends on the unit of speed */
    double unit_free_count;  /**< 2 ceil(2 kinetic_r |v-|_M/c_p): what the proof of Theorem 8 gives
                                in the metric of M, with one ceiling */
    double theorem_8_length; /**< 1/rate of (79): (m + 1)^2 */

    double response_norm; /**< largest singular value of M^-1 [J_n; J_D]', 1/kg */
    double psi;           /**< of Algorithm 2: response_norm m (1 + max mu) + 1, the number of the
                             response in the units of the problem: let these be its own */
    double normal_norm;   /**< largest singular value of J_n, 1 (166) */
} carom_impact_bounds;

/**
 * The bounds of a problem and a step. r is the shortest vector with r . M^-1 (J_n,i' + mu_i J_t,i'
 * d_j) >= 1 for all contacts i and facets d_j: every impulse in the cones moves v along r by its
 * normal part at least.
 *
 * @param[in]  problem the problem
 * @param[in]  facets  directions of a spatial cone, even, >= 4; ignored in the plane (2)
 * @param[in]  h       > 0, largest cap, N s
 * @param[out] r       [n] kg; may be NULL; NaN on failure, or like r_norm
 * @param[out] bounds  NaN on failure
 * @param[out] report  may be NULL; on RAY the contact with the largest share in the certificate
 * @return CAROM_OK; OUT_OF_RANGE (facets, h); NOT_FINITE; RAY: a jammed configuration, the friction
 * cone is not pointed (Assumption 2 fails): impulses of its generators cancel, there is no r and no
 * bound; NOT_CONVERGED: between the two, as far as digits tell; OUT_OF_MEMORY
 * Source: halm-2023 Lemma 6, Theorem 8, Algorithm 2; (148)-(164).
 */
CAROM_MUST_CHECK carom_status carom_impact_bounds_compute(const carom_impact_problem *problem,
                                                          int facets, double h, double *r,
                                                          carom_impact_bounds *bounds,
                                                          carom_report *report);

/**
 * Bound (79) on the probability that a sample needs more than `increments` of them, counted from
 * unit_free_count, which is never the larger one: exp(-k/(m + 1)^2), k whole, 1 for k <= 0.
 */
double carom_impact_bounds_exceedance(const carom_impact_bounds *bounds, double increments);

/**
 * The fewest increments that a sample exceeds with a probability of at most `probability`, in
 * (0, 1], by that bound; infinity for 0.
 */
double carom_impact_bounds_increments(const carom_impact_bounds *bounds, double probability);

#endif
