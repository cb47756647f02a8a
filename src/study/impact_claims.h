/** What holds of every sampled impact, and questions to samples that several experiments ask. */
#ifndef CAROM_STUDY_IMPACT_CLAIMS_H
#define CAROM_STUDY_IMPACT_CLAIMS_H

#include <carom/study/impact_study.h>

/**
 * Write what the theorems say of a sampling as /claims: every_increment_has_a_solution (Theorem 6),
 * energy_never_rises (Theorem 7), a_handful_of_increments, and, with bounds,
 * increments_within_theorem_8 and increments_within_unit_free_bound: finished samples took no more
 * increments than those after which the bounds begin to fall.
 *
 * @param[in] study    with its record
 * @param[in] results with samples
 */
void carom_impact_claims_theorems(const carom_impact_study *study,
                                  const carom_impact_study_results *results);

/** Distance in m/s of the nearest finished sample from speeds c [r]; infinite without any. */
double carom_impact_samples_distance(const carom_impact_samples *samples, const double *c);

/** Largest number of increments of a sample. */
int carom_impact_samples_most_increments(const carom_impact_samples *samples);

/**
 * How many finished samples fulfil a condition on their speeds.
 *
 * @param[in] samples   of any sampling
 * @param[in] condition of speeds c [r]
 * @param[in] context   handed to condition
 */
int carom_impact_samples_count(const carom_impact_samples *samples,
                               bool (*condition)(const double *c, void *context), void *context);

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

#endif
