/** Sampled outcomes of a block that falls flat, beside the exact set of outcomes (halm-2023,
 * section 5.4.1). */
#ifndef CAROM_STUDY_BLOCK_SAMPLES_H
#define CAROM_STUDY_BLOCK_SAMPLES_H

#include <carom/base/workers.h>
#include <carom/impact/impact_bounds.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/models/internal.h>

/** What samples are like. NaN: the exact set is not known, or no sample is finished. */
typedef struct carom_block_comparison {
    int finished;             /**< samples that ended; all others are left out */
    double mean_increments;   /**< of all samples */
    double fraction_finished; /**< of all samples */
    double largest_rebound;   /**< largest normal speed of an outcome, m/s */
    double mean_rebound;      /**< mean of the larger normal speed of an outcome, m/s */
    double slip;              /**< largest tangential speed of an outcome, m/s */
    double set_distance;      /**< largest distance of an outcome from the exact set, m/s */
    double length_error;      /**< largest deviation from the exact length in s, N s */
    double coverage;          /**< largest distance of the exact set from an outcome, m/s */
} carom_block_comparison;

/**
 * Compare samples with the exact set.
 *
 * @param[in]  exact      of the block; NULL where no closed form holds
 * @param[in]  samples    rows normal A, normal B, tangential A, tangential B
 * @param[in]  workers    who computes; the result does not depend on them
 * @param[out] comparison see there
 * @param[out] report     may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_block_compare(const carom_rigid_block_exact *exact,
                                                  const carom_impact_samples *samples,
                                                  carom_workers workers,
                                                  carom_block_comparison *comparison,
                                                  carom_report *report);

/** The same of samples that come part by part. */
typedef struct carom_block_set carom_block_set;

/** Begin with an exact set, copied, or NULL. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_block_set_alloc(const carom_rigid_block_exact *exact,
                                                    carom_block_set **out);

/** Take the next samples. @return as carom_block_compare */
CAROM_MUST_CHECK carom_status carom_block_set_add(carom_block_set *set,
                                                  const carom_impact_samples *samples,
                                                  carom_workers workers, carom_report *report);

/** What all parts together are like: to the last bit what carom_block_compare tells of them. */
carom_block_comparison carom_block_set_compare(const carom_block_set *set);

/** Impulse of the longest finished impact so far, N s; 0: none has ended. */
double carom_block_set_longest(const carom_block_set *set);

/** Free; NULL is accepted. */
void carom_block_set_free(carom_block_set *set);
CAROM_AUTO_TYPE(carom_block_set)

/* ----------------------------------------------------------------------------------------- nets */
/* Lemma 1 on one increment, whose Lipschitz constant is known: that of a trajectory is not. */

/** The lemma's problem: the box [0,h]^2 of caps, and the normal speeds after one increment. While
 * no corner slides they are a continuous function of the caps, linear in pieces, and steepest where
 * both caps are used up: the matrix there is 2/(m (1 + e)) [1 e; e 1]. Its radius is that of a grid
 * of six cells along each side. */
carom_net_problem carom_block_net(const carom_rigid_block_exact *exact, double h);

/**
 * Draw random sets of increments and look which are no net: whether the image of some cap, of a
 * grid with four points along each side of a cell, is farther from them than the radius. Fewer
 * images than all can only make failures rarer.
 *
 * @param[in]  problem  of the block
 * @param[in]  net      as above
 * @param[in]  params   with the increments of a set as `samples`, and the seed of the first set;
 *                      the next ones take those that follow
 * @param[in]  trial_count of sets, >= 1
 * @param[out] observed share of them that are no net; NaN on failure
 * @param[out] report   may be NULL
 * @return CAROM_OK; what carom_impact_sample returns; OUT_OF_MEMORY
 * Source: halm-2023 Lemma 1, theorem 9.
 */
CAROM_MUST_CHECK carom_status carom_block_try_nets(const carom_impact_problem *problem,
                                                   const carom_net_problem *net,
                                                   const carom_impact_sampling_params *params,
                                                   int trial_count, double *observed,
                                                   carom_report *report);

#endif
