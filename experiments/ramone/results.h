/** What the parts of the experiment share: options, the impact, and the steps that make the record.
 */
#ifndef CAROM_EXPERIMENTS_RAMONE_RESULTS_H
#define CAROM_EXPERIMENTS_RAMONE_RESULTS_H

#include <carom/carom.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

#include <math.h>

/** Contacts A (leading foot) and B (trailing foot). */
enum { FEET = 2 };

/** q = (x, y, Phi, alpha_le, beta_le, alpha_tr, beta_tr). */
enum { TRUNK_X, TRUNK_Y, PHI, ALPHA_LE, BETA_LE, ALPHA_TR, BETA_TR, COORDINATES };

/** Rows of contact space. */
enum { NORMAL_A, NORMAL_B, TANGENTIAL_A, TANGENTIAL_B, ROWS };

/** Everything that options set; the angles of `robot` are taken from those in degrees. */
typedef struct settings {
    carom_ramone_params robot;
    double trunk_angle;  /**< deg */
    double leading_hip;  /**< deg */
    double leading_knee; /**< deg */
    double trailing_hip; /**< deg */
    carom_impact_options sampling;
} settings;

/** How well the leading foot sticks on the paths of some samples. */
typedef struct sticking {
    int samples;    /**< whose paths were followed */
    int slipped;    /**< of which A slides somewhere */
    double largest; /**< largest tangential speed of A anywhere, m/s */
} sticking;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_ramone_params *robot; /**< with angles in rad */
    const carom_impact_scene *scene;
    const carom_impact_study *study;
    carom_report *report;
    carom_impact_study_results study_results;
    sticking leading;
} results;

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: links, feet, floor, and velocities of points before the impact. */
CAROM_MUST_CHECK carom_status ramone_draw(const results *r);

/* --- modes.c ---------------------------------------------------------------------------------- */

/** Whether speeds of contact space c [ROWS] are in a class of modes, "SL". */
bool ramone_is_in(const results *r, const double *c, const char *modes);

/** The simultaneous solution of a class of modes; NULL if there is none. `index` may be NULL. */
const double *ramone_solution(const results *r, const char *modes, int *index);

/** Whether both speeds of A count as zero. */
bool ramone_a_sticks(const results *r, const double *c);

/* --- measures.c ------------------------------------------------------------------------------- */

/** Follow the paths of samples: r->leading, and the limits of planes. */
CAROM_MUST_CHECK carom_status ramone_follow(results *r, int plane_count, carom_plane *planes);

/** Where finished samples lie beside the triangle of the three simultaneous solutions in the plane
 * of B's speeds. */
typedef struct ramone_hull {
    bool is_known;   /**< there are three solutions, not in a line */
    int finished;    /**< samples */
    int sticking;    /**< of which A sticks */
    int inside;      /**< of these, B in the triangle, its edges included */
    double farthest; /**< largest distance of B from the triangle, of finished samples, m/s */
} ramone_hull;

/** Compare the samples with the triangle. */
ramone_hull ramone_compare_hull(const results *r);

/** Write /measures: numbers drawn from the impact and the set that the paper is about. */
void ramone_write_measures(const results *r);

/* --- window.c --------------------------------------------------------------------------------- */

/** Write /window: how many simultaneous solutions there are beside the pose of the options, one
 * angle varied at a time, and between which angles there are several. */
CAROM_MUST_CHECK carom_status ramone_write_window(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about this impact. */
void ramone_write_claims(const results *r);

#endif
