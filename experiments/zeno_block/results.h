/** What the parts of the experiment share: options, the exact solution, the runs of the integrator.
 */
#ifndef CAROM_EXPERIMENTS_ZENO_BLOCK_RESULTS_H
#define CAROM_EXPERIMENTS_ZENO_BLOCK_RESULTS_H

#include <carom/carom.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/trajectory.h>

#include <math.h>

/** Contacts A and B, q = (x, y, theta), and the runs of the integrator. */
enum { CORNERS = 2, COORDINATES = 3, ANGLE = 2, RUNS = 4 };

/** Steps of the longest run: some hundred bytes each, and some microseconds. */
#define ZENO_BLOCK_MOST_STEPS 4e6

/** Everything that options set. */
typedef struct settings {
    carom_zeno_block_params block;
    double step; /**< ds of the finest run */
    double rest; /**< s */
} settings;

/** How far the constructed solution is from (53): largest violation of each of its conditions over
 * samples along s. */
typedef struct membership {
    int sample_count;
    double balance; /**< |M v' - t' f - J' lambda| over kappa, moments over the half diagonal, 1 */
    double kinematics;      /**< |q' - t' v|, angles times the half diagonal, m/s */
    double share;           /**< |t' + sum lambda_n - 1| */
    double least_time_rate; /**< of t' */
    double most_time_rate;  /**< of t' */
    double least_force;     /**< smallest normal rate */
    double cone_excess;     /**< largest |lambda_t| - mu lambda_n */
    double slip;            /**< largest sliding speed of a corner that is pressed, m/s */
    double pressed_gap;     /**< largest gap of a corner that is pressed, m */
    double pressed_speed;   /**< largest separating speed of a corner that is pressed, m/s */
    double moving_approach; /**< largest closing speed of a closed corner while time passes, m/s */
    double least_gap;       /**< m */
} membership;

/** A run of the integrator beside the exact solution at the same s. */
typedef struct run_measures {
    double step;
    double impact_time_error; /**< of t where the first impact begins, s */
    double time_error;        /**< largest over s, s */
    double angle_error;       /**< rad */
    double rate_error;        /**< rad/s */
    double rest_time;         /**< t of the last step that turned, s */
    double rest_s;            /**< its s */
    double final_time_error;  /**< of t at the end, s */
    double energy_rise;       /**< largest of a step, J */
    double least_gap;         /**< m */
    double residual;          /**< of the complementarity problems */
    double resting_share;     /**< dt/ds of the last step */
    double resting_rate[CORNERS];
    long problem_count;
    int step_count;
    int shortened_count;
} run_measures;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    carom_record *record;
    carom_report *report;
    const carom_impact_scene *scene;
    const carom_zeno_block *exact;
    double length; /**< of s */

    double largest_jump; /**< of q and v at the beginning and end of impacts, m/s */
    double energy_rise;  /**< largest between samples of the exact solution, J */
    double slowest_time; /**< least time that passes in a window of s */
    membership member;
    run_measures runs[RUNS]; /**< coarsest first */
} results;

/** Half the diagonal times the first rate: the speed that others are compared with, m/s. */
double zeno_block_speed(const results *r);

/** Kinetic energy at the start, J. */
double zeno_block_energy(const results *r);

/* --- exact.c ---------------------------------------------------------------------------------- */

/** Half cycles so long that their phases are resolved beside s*: a part of them all. */
int zeno_block_resolved(const results *r, double part);

/** Write /exact: half cycles, accumulation, the solution along s; find its jumps and energy rises.
 */
CAROM_MUST_CHECK carom_status zeno_block_write_exact(results *r);

/* --- membership.c ----------------------------------------------------------------------------- */

/** Put the constructed solution into (53) at many s, and write /membership. */
CAROM_MUST_CHECK carom_status zeno_block_check_membership(results *r);

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: the block at four instants of the first half cycle. */
CAROM_MUST_CHECK carom_status zeno_block_draw(const results *r);

/* --- inclusion.c ------------------------------------------------------------------------------ */

/** Run the integrator with four steps; write the finest as /inclusion, errors as /convergence. */
CAROM_MUST_CHECK carom_status zeno_block_write_runs(results *r);

/* --- measures.c ------------------------------------------------------------------------------- */

/** The order of an error from the coarsest to the finest run. */
double zeno_block_order(double coarse, double fine);

/** Whether the first swing of a block ends within L times its rate, L of (58) as printed. */
CAROM_MUST_CHECK carom_status zeno_block_printed_bound_holds(const results *r, double rate,
                                                             bool *holds);

/** Write /measures: numbers that the paper prints or that the claims are about. */
void zeno_block_write_measures(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about this motion. */
CAROM_MUST_CHECK carom_status zeno_block_write_claims(const results *r);

#endif
