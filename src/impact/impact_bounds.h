/** Proven bounds: how far the outcomes of samples are from those that were not drawn. */
#ifndef CAROM_IMPACT_IMPACT_BOUNDS_H
#define CAROM_IMPACT_IMPACT_BOUNDS_H

#include <carom/base/base.h>
#include <carom/base/workers.h>
#include <carom/impact/impact_problem.h>

/* ------------------------------------------------------------------------------ covering radius */
/* How well a sample covers a set: distances to the nearest point, exactly. */

/** Most coordinates of a point. */
enum { CAROM_COVERING_MOST_DIMENSIONS = 16 };

/** A k-d tree of points; constant after it is made, shared by threads. */
typedef struct carom_point_tree carom_point_tree;

/**
 * @param[in]  count     of points, >= 1
 * @param[in]  dimension d, 1 .. CAROM_COVERING_MOST_DIMENSIONS
 * @param[in]  points    [count][d], copied
 * @param[out] out       belongs to the caller
 * @param[out] report    may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 * Cost: O(d count log count); memory of about two copies of the points.
 */
CAROM_MUST_CHECK carom_status carom_point_tree_alloc(int count, int dimension, const double *points,
                                                     carom_point_tree **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_point_tree_free(carom_point_tree *tree);
CAROM_AUTO_TYPE(carom_point_tree)

/**
 * Distance of a query to the nearest point: sqrt of the least sum (q_0 - p_0)^2 + (q_1 - p_1)^2 +
 * ... in this order of summation, the same number as by comparing with every point.
 *
 * @param[in]  tree    of the points
 * @param[in]  query   [d], finite
 * @param[out] nearest index of the nearest point, of several always the same one; may be NULL
 */
double carom_point_tree_distance(const carom_point_tree *tree, const double *query, int *nearest);

/** Distances of probes from a sample, in the unit of their coordinates. */
typedef struct carom_covering {
    double radius;      /**< the largest: the covering radius actually reached */
    double mean;        /**< of the distances */
    double root_square; /**< root of the mean square */
    int farthest_probe; /**< index of the probe at `radius`, the lowest of several */
    int nearest_sample; /**< index of the sample nearest to it */
} carom_covering;

/**
 * The largest distance of any probe from its nearest sample. With probes from another seed of the
 * same random set, an estimate from below of the radius of which the samples are a net.
 *
 * @param[in]  tree        of the samples
 * @param[in]  probe_count >= 1
 * @param[in]  probes      [probe_count][d], finite
 * @param[in]  workers     who computes; the result does not depend on them
 * @param[out] distances   [probe_count]; may be NULL
 * @param[out] covering    NaN and -1 on failure
 * @param[out] report      may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_covering_measure(const carom_point_tree *tree, int probe_count,
                                                     const double *probes, carom_workers workers,
                                                     double *distances, carom_covering *covering,
                                                     carom_report *report);

/**
 * Lower distances to those of the nearest point of a tree, where they are larger: over the trees of
 * the parts of a sample, from infinity on, they become those of the whole sample, to the last bit.
 *
 * @param[in]     tree        of a part
 * @param[in]     probe_count >= 1
 * @param[in]     probes      [probe_count][d], finite
 * @param[in]     workers     who computes; the result does not depend on them
 * @param[in,out] distances   [probe_count]
 * @param[out]    report      may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_covering_approach(const carom_point_tree *tree, int probe_count,
                                                      const double *probes, carom_workers workers,
                                                      double *distances, carom_report *report);

/**
 * The same for points, in trees that are grown side by side: lower distances to those of the
 * nearest point.
 *
 * @param[in]     count       of points, >= 1
 * @param[in]     dimension   1 .. CAROM_COVERING_MOST_DIMENSIONS
 * @param[in]     points      [count][dimension], finite
 * @param[in]     probe_count >= 1
 * @param[in]     probes      [probe_count][dimension], finite, in units of the points
 * @param[in]     workers     who computes; the result does not depend on them
 * @param[in,out] distances   [probe_count] in the same units
 * @param[out]    report      may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_covering_approach_points(
    int count, int dimension, const double *points, int probe_count, const double *probes,
    carom_workers workers, double *distances, carom_report *report);

/** What the distances [probe_count] of probes are; without the sample nearest to the farthest. */
carom_covering carom_covering_of_distances(int probe_count, const double *distances);

/* --------------------------------------------------------------------------------------- bounds */
/* How many increments the sampling of an impact may need: the bounds of halm-2023, section 5. */

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

/* ---------------------------------------------------------------------------- bounds over a net */
/* How many random samples make a net of an image: a priori, by Lipschitz constants alone. */

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
