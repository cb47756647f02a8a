/** How well a sample covers a set: distances to the nearest point, exactly. */
#ifndef CAROM_IMPACT_COVERING_RADIUS_H
#define CAROM_IMPACT_COVERING_RADIUS_H

#include <carom/base/base.h>

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
 * @param[in]  threads     0: all cores; the result does not depend on them
 * @param[out] distances   [probe_count]; may be NULL
 * @param[out] covering    NaN and -1 on failure
 * @param[out] report      may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_covering_measure(const carom_point_tree *tree, int probe_count,
                                                     const double *probes, int threads,
                                                     double *distances, carom_covering *covering,
                                                     carom_report *report);

#endif
