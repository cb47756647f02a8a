/** What the parts of the experiment share: options, the exact solution, the runs of the integrator.
 */
#ifndef CAROM_EXPERIMENTS_FALLING_BALL_RESULTS_H
#define CAROM_EXPERIMENTS_FALLING_BALL_RESULTS_H

#include <carom/carom.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/trajectory.h>

#include <math.h>

/** Coordinates (x, y, theta) of ball and rod, and the runs of the integrator. */
enum { COORDINATES = 3, HEIGHT = 1, RUNS = 4 };

/** Steps of the longest run: some hundred bytes each, and some microseconds. */
#define FALLING_BALL_MOST_STEPS 4e6

/** A uniform rod that stands on one end. */
typedef struct rod_params {
    double mass;            /**< kg */
    double length;          /**< m */
    double angle;           /**< above the ground, deg */
    double friction;        /**< 1 */
    double velocity;        /**< of all its points along the ground, m/s */
    double reference_force; /**< kappa, N */
} rod_params;

/** Everything that options set. */
typedef struct settings {
    carom_falling_disk_params ball;
    rod_params rod;
    double step; /**< ds of the finest run, s */
    double rest; /**< s */
} settings;

/** A run of the integrator beside the exact solution at the same s. */
typedef struct ball_run {
    double step;
    double time_error;     /**< largest over s, s */
    double gap_error;      /**< m */
    double velocity_error; /**< m/s */
    double energy_rise;    /**< largest of a step, J */
    double least_gap;      /**< m */
    double resting_share;  /**< dt/ds of the last step */
    double resting_rate;   /**< normal impulse over ds of the last step */
} ball_run;

/** What the field of (53) is like in the plane (z, dz/dt). */
typedef struct field_measures {
    int points[2];               /**< where the ball flies, where it strikes */
    double least_rise;           /**< least dz/ds where dz/dt > 0, 1 per s: m/s */
    double largest_drift;        /**< largest |dz/ds| where it strikes, m/s */
    double least_push;           /**< least change of dz/dt where it strikes, over s, m/s2 */
    double largest_acceleration; /**< largest deviation from -g where it flies, m/s2 */
} field_measures;

/** The rod by Routh's path and by the integrator. */
typedef struct rod_measures {
    bool is_without_collision; /**< only then the rest is known */
    double impulse;            /**< Routh's s at the end, N s */
    bool is_sticking;          /**< so it ends */
    double speed;              /**< the larger speed of its path, m/s */
    double step;               /**< ds of the run, s */
    double speed_error;        /**< largest of the speeds of the end over s, m/s */
    double duration_error;     /**< of the normal impulse, N s */
    double largest_time;       /**< t that passes until Routh's impact ends, s */
    double least_gap;          /**< m */
} rod_measures;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    carom_record *record;
    carom_report *report;
    const carom_impact_scene *scene;
    carom_falling_disk_landing landing;
    double length; /**< of s */

    double exact_least_gap; /**< m */
    field_measures field;
    ball_run runs[RUNS]; /**< coarsest first */
    rod_measures rod;
} results;

/** A row of a record's table of columns. */
typedef struct series_row {
    const char *path;
    const double *values;
    const char *units;
    const char *long_name;
} series_row;

/* --- exact.c ---------------------------------------------------------------------------------- */

/** Write series over an axis. */
void falling_ball_write_series(carom_record *record, const char *axis, int count,
                               const series_row *rows);

/** Write /exact, and /drawing, the ball above the ground. */
CAROM_MUST_CHECK carom_status falling_ball_write_exact(results *r);

/* --- portrait.c ------------------------------------------------------------------------------- */

/** Write /portrait: the field of (53) at points of the plane (z, dz/dt). */
CAROM_MUST_CHECK carom_status falling_ball_write_portrait(results *r);

/* --- inclusion.c ------------------------------------------------------------------------------ */

/** Run the integrator with four steps; write the finest as /inclusion, errors as /convergence. */
CAROM_MUST_CHECK carom_status falling_ball_write_runs(results *r);

/* --- rod.c ------------------------------------------------------------------------------------ */

/** Write /rod: Routh's path and the integrator's, if there is an impact without collision. */
CAROM_MUST_CHECK carom_status falling_ball_write_rod(results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /measures and /claims. */
void falling_ball_write_claims(const results *r);

#endif
