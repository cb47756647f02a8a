/** How many random samples make a net of an image: a priori, by Lipschitz constants alone. */
#ifndef CAROM_IMPACT_NET_BOUNDS_H
#define CAROM_IMPACT_NET_BOUNDS_H

#include <carom/base/base.h>

/** A Lipschitz map of a box, sampled uniformly. Lengths in the box and distances of values may have
 * any units, L the quotient of them. */
typedef struct carom_net_problem {
    int dimension;      /**< n >= 1 of the box [0,h]^n */
    double side;        /**< h > 0 */
    double lipschitz;   /**< L > 0 */
    double net_radius;  /**< epsilon > 0, of the net of values */
    double probability; /**< in (0,1): that the samples may fail to be a net */
} carom_net_problem;

/** Logarithms, since the numbers themselves may exceed any double. */
typedef struct carom_net_bound {
    double log10_cells;   /**< -log10 Omega: cells of the grid in the box */
    double log10_samples; /**< log10 of samples that suffice, >= 0: at least one */
    double samples;       /**< the same as a whole number, infinity if too large */
} carom_net_bound;

/**
 * Samples M = ln(delta Omega)/ln(1 - Omega) that are an epsilon-net of the image but with
 * probability delta, Omega = ceil(h L sqrt(n)/epsilon)^-n.
 *
 * @param[in]  problem all of its fields
 * @param[out] bound   NaN on failure
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 * Source: halm-2023 Lemma 1 (1), solved for the number of samples.
 */
CAROM_MUST_CHECK carom_status carom_net_samples(const carom_net_problem *problem,
                                                carom_net_bound *bound, carom_report *report);

/**
 * Natural logarithm of the bound (1 - Omega)^N/Omega on the probability that N samples are no
 * epsilon-net of the image; -infinity if one cell is enough. Positive: the bound says nothing.
 *
 * @param[in]  problem     `probability` is not used
 * @param[in]  samples     N >= 1, a whole number
 * @param[out] bound_log   NaN on failure
 * @param[out] report      may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 * Source: halm-2023 Lemma 1 (1).
 */
CAROM_MUST_CHECK carom_status carom_net_failure(const carom_net_problem *problem, double samples,
                                                double *bound_log, carom_report *report);

/**
 * The smallest radius h L sqrt(n)/k, k whole, of which N samples are a net of the image but with
 * probability delta: what a sample of this size has proved.
 *
 * @param[in]  problem `net_radius` is not used
 * @param[in]  samples N >= 1, a whole number
 * @param[out] radius  k = 1 at least: one cell is never empty; NaN on failure
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_net_radius(const carom_net_problem *problem, double samples,
                                               double *radius, carom_report *report);

/** What Theorem 9 needs to know of an impact and its sampling. */
typedef struct carom_net_trajectory {
    int contact_count;      /**< m >= 1 */
    int trajectory_length;  /**< N >= 1, of Lemma 10: not constructive, to be assumed */
    double impulse_step;    /**< h > 0, N s */
    double lipschitz;       /**< L >= 1, of one increment in (v, caps) */
    double net_radius;      /**< epsilon > 0, m/s */
    double probability;     /**< delta in (0,1) */
    double separating_band; /**< delta(epsilon/(3 psi), v0) > 0 of Lemma 9, m/s: to be assumed */
    double normal_norm;     /**< largest singular value of J_n, 1: carom_impact_bounds */
} carom_net_trajectory;

/**
 * Samples for which Algorithm 2 returns an epsilon-net of the velocities after an impact but with
 * probability delta: Lemma 1 for the map of N m caps with constant L^N and the radius epsilon'.
 *
 * @param[in]  trajectory as above
 * @param[out] radius     epsilon' = min(epsilon/3, band/(2 |J_n|_2)), m/s (166); may be NULL
 * @param[out] bound      (171); NaN on failure
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 * Source: halm-2023 Theorem 9, (166)-(171). Needs Assumption 6.
 */
CAROM_MUST_CHECK carom_status carom_net_trajectory_samples(const carom_net_trajectory *trajectory,
                                                           double *radius, carom_net_bound *bound,
                                                           carom_report *report);

#endif
