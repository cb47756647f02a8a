/** The same impact sampled with other choices: which solution of an increment, which caps. */
#ifndef CAROM_STUDY_IMPACT_COMPARISON_H
#define CAROM_STUDY_IMPACT_COMPARISON_H

#include <carom/study/impact_study.h>

/** How many samples of a comparison there are at most. */
typedef struct carom_impact_comparison_sizes {
    int samples;    /**< by Lemke's method */
    int enumerated; /**< with all solutions of an increment enumerated; 0: such are left out */
    int branched;   /**< whose branches are all followed; 0: so is "first" */
} carom_impact_comparison_sizes;

/** 2^16, for shares of modes to 0.2 percent, and 2^12: each has up to 3^N branches. */
carom_impact_comparison_sizes carom_impact_comparison_sizes_default(void);

/**
 * Sample a planar impact with every selection, the rest as chosen, and write a short account of
 * each (carom_impact_study_vary) as /selections/{lemke, lemke_scaled, lemke_random_cover, random,
 * first, all}.
 *
 * @param[in]  study  with its record
 * @param[in]  sizes  as above
 * @param[out] report may be NULL
 * @return what carom_impact_study_vary returns
 */
CAROM_MUST_CHECK carom_status carom_impact_study_compare_selections(
    const carom_impact_study *study, carom_impact_comparison_sizes sizes, carom_report *report);

/** The same with every distribution of the caps: /distributions/{uniform, simplex, corners,
 * sobol}; Sobol points are left out where they have too few dimensions. */
CAROM_MUST_CHECK carom_status carom_impact_study_compare_distributions(
    const carom_impact_study *study, carom_impact_comparison_sizes sizes, carom_report *report);

#endif
