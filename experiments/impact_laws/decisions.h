/** Statements that scenes decide: how they are looked up, and how they are written. */
#ifndef CAROM_EXPERIMENTS_IMPACT_LAWS_DECISIONS_H
#define CAROM_EXPERIMENTS_IMPACT_LAWS_DECISIONS_H

#include "results.h"

/** The scenes or laws that a statement is about were not asked for, or have no answer. */
enum { UNDECIDED = -1 };

/** A statement with what decides it. */
typedef struct decision {
    const char *name;
    const char *text;
    int (*decide)(const results *r); /**< 1, 0 or UNDECIDED */
} decision;

/** Write the statements that are decided. */
void decisions_write(const results *r, int count, const decision *statements);

/** The scene of a name; NULL if it was not asked for. */
const scene_result *decisions_scene(const results *r, const char *name);

/** What a law answers; NULL without outcomes, or without the scene. */
const answer *decisions_answer(const scene_result *s, impact_setting setting,
                               carom_impact_law_id law);

/** Whether all outcomes of a law are within a distance of those of another. */
int decisions_within(const scene_result *s, impact_setting setting, carom_impact_law_id from,
                     carom_impact_law_id to, double distance);

/** Whether a condition holds for every answer that a law gives in a setting. */
int decisions_all(const results *r, impact_setting setting, carom_impact_law_id law,
                  bool (*condition)(const scene_result *s, const answer *a));

/** Number of laws that answer in a setting of a scene. */
int decisions_answering(const scene_result *s, impact_setting setting);

/** Largest distance of the outcomes of a law from those of another, over all pairs that answer in a
 * setting; NaN if there are none. */
double decisions_largest_distance(const scene_result *s, impact_setting setting);

/** Both of two verdicts, if they are decided. */
int decisions_both(int one, int other);

/** Condition: no outcome has more energy than there was before, up to rounding. */
bool decisions_gain_nothing(const scene_result *s, const answer *a);

/** Largest distance of two outcomes of an answer, in the kinetic metric over the velocity before.
 */
double decisions_spread(const carom_impact_problem *problem, const answer *a);

/** Largest distance of an outcome of `from` from the nearest one of both others. */
double decisions_beyond(const carom_impact_problem *problem, const answer *from, const answer *a,
                        const answer *b);

#endif
