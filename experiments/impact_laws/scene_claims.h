/** Claims about scenes: the conditions that decide them, and how they are written. */
#ifndef CAROM_EXPERIMENTS_IMPACT_LAWS_SCENE_CLAIMS_H
#define CAROM_EXPERIMENTS_IMPACT_LAWS_SCENE_CLAIMS_H

#include "results.h"

/** The scenes or laws that a claim is about were not computed, or have no outcomes. */
enum { UNDECIDED = -1 };

/** A claim with what decides it. */
typedef struct scene_claim {
    const char *name;
    const char *text;
    int (*decide)(const results *r); /**< 1, 0 or UNDECIDED */
} scene_claim;

/** Write the claims that are decided. */
void scene_claims_write(const results *r, int count, const scene_claim *claims);

/** The scene of a name; NULL if it was not asked for. */
const scene_result *scene_find(const results *r, const char *name);

/** The outcomes of a law; NULL without any, or without the scene. */
const law_outcomes *scene_outcomes(const scene_result *s, impact_setting setting,
                                   carom_impact_law_id law);

/** Whether all outcomes of a law are within a distance of those of another. */
int scene_is_within(const scene_result *s, impact_setting setting, carom_impact_law_id from,
                    carom_impact_law_id to, double distance);

/** Whether a condition holds for the outcomes of a law in a setting, in every scene where it has
 * some. */
int scenes_all(const results *r, impact_setting setting, carom_impact_law_id law,
               bool (*condition)(const scene_result *s, const law_outcomes *a));

/** Number of laws with outcomes in a setting of a scene. */
int scene_law_count(const scene_result *s, impact_setting setting);

/** Largest distance of the outcomes of a law from those of another, over all pairs in a setting;
 * NaN if there are none. */
double scene_largest_distance(const scene_result *s, impact_setting setting);

/** Whether both hold, if both are decided. */
int holds_both(int one, int other);

/** Condition: no outcome has more energy than there was before, up to rounding. */
bool outcomes_gain_nothing(const scene_result *s, const law_outcomes *a);

/** Largest distance of two outcomes of one law, in the kinetic metric over the velocity before.
 */
double outcomes_spread(const carom_impact_problem *problem, const law_outcomes *a);

/** Largest distance of an outcome of `from` from the nearest one of both others. */
double outcomes_beyond(const carom_impact_problem *problem, const law_outcomes *from,
                       const law_outcomes *a, const law_outcomes *b);

#endif
