/** What the parts of the experiment share: options, the impact, and the steps that make the record.
 */
#ifndef CAROM_EXPERIMENTS_COMPASS_GAIT_RESULTS_H
#define CAROM_EXPERIMENTS_COMPASS_GAIT_RESULTS_H

#include <carom/carom.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>

#include <math.h>

/** Contacts A (leading foot) and B (trailing foot), and q = (x, y, phi_le, phi_tr). */
enum { FEET = 2, COORDINATES = 4 };

/** Rows of contact space. */
enum { NORMAL_A, NORMAL_B, TANGENTIAL_A, TANGENTIAL_B, ROWS };

/** Everything that options set; the pitches of `gait` are taken from the angles in degrees. */
typedef struct settings {
    carom_compass_gait_params gait;
    double trailing_pitch; /**< deg */
    double leading_pitch;  /**< deg */
    carom_impact_options sampling;
} settings;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_compass_gait_params *gait; /**< with angles in rad */
    const carom_impact_scene *scene;
    const carom_impact_study *study;
    carom_report *report;
    carom_impact_study_results study_results;
} results;

/** Write /measures and /claims: numbers drawn from the impact and the set that the paper is about,
 * and its statements. */
CAROM_MUST_CHECK carom_status compass_gait_judge(const results *r);

#endif
