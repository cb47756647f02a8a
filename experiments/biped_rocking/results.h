/** What the parts of the experiment share: options, the biped and its harmonic gait. */
#ifndef CAROM_EXPERIMENTS_BIPED_ROCKING_RESULTS_H
#define CAROM_EXPERIMENTS_BIPED_ROCKING_RESULTS_H

#include <carom/carom.h>
#include <carom/study/collisionless_record.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    carom_real_list lengths;          /**< leg, torso links from the hip up, arm, m */
    carom_real_list masses;           /**< one foot, hip, tops of the torso links, hand, kg */
    double gravity;                   /**< m/s2 */
    double amplitude;                 /**< theta, rad; NaN: not given */
    int column;                       /**< n of the gait */
    int row;                          /**< r of the gait */
    bool is_nonlinear;                /**< the exact biped as well */
    double max_amplitude;             /**< largest theta of the branch, rad; NaN: not given */
    int samples;                      /**< instants from P to P' */
    carom_impact_phase_window window; /**< of the contours */
} settings;

/** The biped and its harmonic gait. */
typedef struct results {
    const settings *values;
    carom_record *record;
    carom_report *report;
    carom_armed_biped_params biped; /**< half_step_angle is theta */
    int coordinate_count;           /**< N */
    double *mass;                   /**< m [N][N], kg m2; owns the three */
    double *stiffness;              /**< k [N][N], N m */
    double *equilibrium;            /**< [N] rad */
    carom_armed_biped_statics statics;
    carom_phase_modes *modes;
    carom_root_list *roots;           /**< all in the window */
    carom_impact_root root;           /**< that of the gait: column and row of the options */
    carom_collisionless_motion *gait; /**< of that root, with size theta */
} results;

/** A point of a drawing. */
typedef struct point {
    double x; /**< from the stance foot, to the right, m */
    double y; /**< upwards from the ground, m */
} point;

/** Write points as x and y over the axis `point` of a group, of a meaning. */
void biped_rocking_write_points(carom_record group, int count, const point *points,
                                const char *meaning);

/* --- harmonic.c ------------------------------------------------------------------------------- */

/** Write /impact: what happens there, by the sums of each phase and by the matching conditions in
 * all coordinates; and the energy on the way. */
CAROM_MUST_CHECK carom_status biped_rocking_write_impact(const results *r);

/** Write /drawing: the biped of figure 3, and its places at P, impact and P' of the gait. */
CAROM_MUST_CHECK carom_status biped_rocking_write_drawing(const results *r);

/** Write /chain: gaits of bipeds with 3 to 12 links, and that there is none without an arm. */
CAROM_MUST_CHECK carom_status biped_rocking_write_chain(const results *r);

/* --- exact.c ---------------------------------------------------------------------------------- */

/** Write /nonlinear: the branch of exact gaits, or the one at theta if only that was asked for. */
CAROM_MUST_CHECK carom_status biped_rocking_write_exact(const results *r);

/** Write /simulation: harmonic and exact gait as nonsmooth motions with plastic landings. */
CAROM_MUST_CHECK carom_status biped_rocking_write_simulation(const results *r);

#endif
