/** What the parts of the experiment share: options, the impact, and the steps that make the record.
 */
#ifndef CAROM_EXPERIMENTS_BOX_WALL_RESULTS_H
#define CAROM_EXPERIMENTS_BOX_WALL_RESULTS_H

#include <carom/carom.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>

#include <math.h>

/** Contacts A (floor) and B (wall), and q = (x, y, theta). */
enum { CORNERS = 2, COORDINATES = 3 };

/** Rows of contact space; the tangent of A points to the wall, that of B down. */
enum { NORMAL_A, NORMAL_B, TANGENTIAL_A, TANGENTIAL_B, ROWS };

/** Everything that options set; the tilt of `box` is taken from the one in degrees. */
typedef struct settings {
    carom_leaning_box_params box;
    double tilt; /**< deg */
    carom_impact_options sampling;
} settings;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_leaning_box_params *box; /**< with its tilt in rad */
    const carom_impact_scene *scene;
    const carom_impact_study *study;
    carom_report *report;
    carom_impact_study_results study_results;
} results;

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: outline, floor, wall, and velocities of points before the impact and after each
 * law. */
CAROM_MUST_CHECK carom_status box_wall_draw(const results *r);

/* --- measures.c ------------------------------------------------------------------------------- */

/** The sequence that begins with a contact, 0 or 1; NULL if it has no impact. */
const carom_sequential_impact *box_wall_sequence(const results *r, int first);

/** Speeds [ROWS] of contact space after its last impact; NULL without any. */
const double *box_wall_sequence_end(const results *r, int first);

/** Speed that counts as zero, m/s. */
double box_wall_rest_speed(const results *r);

/** Write /measures: numbers drawn from the impact and the set that the paper is about. */
void box_wall_write_measures(const results *r);

/* --- threshold.c ------------------------------------------------------------------------------ */

/** Write the claims about the least friction with which the box comes to rest. */
CAROM_MUST_CHECK carom_status box_wall_write_threshold(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about this impact. */
CAROM_MUST_CHECK carom_status box_wall_write_claims(const results *r);

#endif
