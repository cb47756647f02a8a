/** The same impact sampled with other choices: which solution of an increment, which caps. */
#ifndef CAROM_STUDY_IMPACT_COMPARISON_H
#define CAROM_STUDY_IMPACT_COMPARISON_H

#include <carom/study/impact_study.h>

/**
 * Sample a planar impact with every selection and with every distribution of the caps, the rest as
 * chosen, and write a short account of each (carom_impact_study_vary) as /selections/{lemke,
 * lemke_scaled, lemke_random_cover, random, first, all} and /distributions/{uniform, simplex,
 * corners, sobol}: enough samples for shares of modes to 0.2 percent, fewer where all branches are
 * followed. Sobol points are left out where they have too few dimensions.
 *
 * @param[in]  study  with its record; up to CAROM_CONTACT_MODES_MOST_CAPPED contacts
 * @param[out] report may be NULL
 * @return what carom_impact_study_vary returns
 */
CAROM_MUST_CHECK carom_status carom_impact_study_compare(const carom_impact_study *study,
                                                         carom_report *report);

#endif
