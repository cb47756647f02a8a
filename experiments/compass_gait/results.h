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

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: legs, masses, floor, and velocities of points before the impact and after each
 * solution of the simultaneous law. */
CAROM_MUST_CHECK carom_status compass_gait_draw(const results *r);

/* --- modes.c ---------------------------------------------------------------------------------- */

/** Whether speeds of contact space c [ROWS] are in a class of modes, "SL". */
bool compass_gait_is_in(const results *r, const double *c, const char *modes);

/** The simultaneous solution of a class of modes; NULL if there is none. `index` may be NULL. */
const double *compass_gait_solution(const results *r, const char *modes, int *index);

/* --- measures.c ------------------------------------------------------------------------------- */

/** Where samples with A sticking lie beside the triangle of the three simultaneous solutions in the
 * plane of B's speeds. */
typedef struct compass_gait_hull {
    bool is_known; /**< there are three solutions, not in a line */
    int sticking;  /**< finished samples with A sticking */
    int inside;    /**< of which in the triangle, its edges included */
    int interior;  /**< of which away from all edges */
} compass_gait_hull;

/** Compare the samples with the triangle. */
compass_gait_hull compass_gait_compare_hull(const results *r);

/** Friction below which the simultaneous law cannot bring both feet to rest: the largest ratio of
 * impulses at rest, which do not depend on friction. NaN without that solution. */
double compass_gait_rest_friction(const results *r);

/** Write /measures: numbers drawn from the impact and the set that the paper is about. */
void compass_gait_write_measures(const results *r);

/* --- alternation.c ---------------------------------------------------------------------------- */

/** Samples that end with A lifting off or sliding and B in contact. */
typedef struct compass_gait_alternation {
    int moving;      /**< such samples, of up to 2^16 */
    int alternating; /**< of which B was closing in between: an impulse at A drove it down, and one
                        at B followed */
} compass_gait_alternation;

/** Look at the paths of samples. */
CAROM_MUST_CHECK carom_status compass_gait_count_alternation(const results *r,
                                                             compass_gait_alternation *out);

/* --- variants.c ------------------------------------------------------------------------------- */

/** Write /selections/NAME and /distributions/NAME: the same sampling with other selections among
 * the solutions of an increment, and other distributions of its caps; /steps/NAME: a smaller step.
 */
CAROM_MUST_CHECK carom_status compass_gait_write_variants(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about this impact. */
CAROM_MUST_CHECK carom_status compass_gait_write_claims(const results *r);

#endif
