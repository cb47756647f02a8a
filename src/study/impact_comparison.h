/** The same impact sampled with other choices: which solution of an increment, which caps. */
#ifndef CAROM_STUDY_IMPACT_COMPARISON_H
#define CAROM_STUDY_IMPACT_COMPARISON_H

#include <carom/study/impact_study.h>

/** Distance in m/s of the nearest finished sample from speeds c [r]; infinite without any. */
double carom_impact_samples_distance(const carom_impact_samples *samples, const double *c);

/**
 * Sample once more with other parameters, for a comparison, and write a short account of it as a
 * group: mean_increments with its standard_error, fraction_finished, multivalued_fraction (NaN
 * unless solutions are enumerated), mean_kinetic_energy, rescue_count, unsolved_count; the extents
 * normal_velocity_max, tangential_velocity_min, tangential_velocity_max over /contact; and the
 * shares of finished samples in each class of modes, modes/SL and so on.
 *
 * @param[in]  study  planar; its problem and record
 * @param[in]  group  "/selections/lemke"
 * @param[in]  params of this sampling
 * @param[out] report may be NULL
 * @return what carom_impact_sample returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_study_vary(const carom_impact_study *study,
                                                      const char *group,
                                                      const carom_impact_sampling_params *params,
                                                      carom_report *report);

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
