/** What the parts of the experiment share: options, the gaits and their first impact, the runs. */
#ifndef CAROM_EXPERIMENTS_TREX_RESULTS_H
#define CAROM_EXPERIMENTS_TREX_RESULTS_H

#include <carom/carom.h>
#include <carom/impact/propagative_pair.h>
#include <carom/models/trex/internal.h>
#include <carom/timestepping/variational/variational.h>

#include <math.h>

/** Sizes of the robot, its tips that touch in a stance; longest names in a record. */
enum {
    COORDINATES = CAROM_TREX_COORDINATES,
    CONTACTS = CAROM_TREX_CONTACTS,
    VARIABLES = CAROM_TREX_DESIGN_VARIABLES,
    CONDITIONS = CAROM_TREX_DESIGN_CONDITIONS,
    TIPS = 2,
    GROUP_SIZE = 64,
    PATH_SIZE = 128
};

/** Robots and the stances they are dropped in, all of the optimized design but for the last. */
enum {
    GAIT_OPTIMIZED,
    GAIT_INITIAL,       /**< straight knees, the foot on the -x side of the hips */
    GAIT_INITIAL_AHEAD, /**< straight knees, the foot on the +x side */
    GAIT_RESIDUAL,      /**< optimized up to the cosine that table I leaves */
    GAITS
};

/** Which contact reflects first: the paper's argmin and argmax. */
enum { ORDER_MOST, ORDER_LEAST, ORDERS };

/** Values of --gait and --order. */
enum { CHOICE_FIRST, CHOICE_SECOND, CHOICE_BOTH };

/** Steps of the longest run: some hundred bytes each. */
#define TREX_MOST_STEPS 1e6

/** Everything that options set. */
typedef struct settings {
    carom_trex_params start; /**< hand-picked robot, where the optimization starts; its friction and
                                drop are those of all gaits */
    int tail;                /**< carom_trex_tail of all robots but the rows of table I */
    int scope;               /**< carom_trex_design_scope */
    int gait;                /**< CHOICE_ */
    int order;               /**< CHOICE_ */
    double hip_rate;         /**< Omega of both hips, rad/s */
    double residual;         /**< cosine of GAIT_RESIDUAL, 1 */
    double step;             /**< h, s */
    double duration;         /**< s */
    int most_hits;           /**< N_c */
} settings;

/** The impact of right foot and tail tip at a stance, without any time stepping. In arrays the foot
 * is first. */
typedef struct double_impact {
    carom_propagative_pair pair;
    double length[TIPS];     /**< |u|, |v|, kg^-1/2 */
    double approach[TIPS];   /**< (p,u), (p,v) of unit normals over |p| before, 1 */
    double momentum;         /**< |p| before, kg^1/2 cm/s */
    int reflections[TIPS];   /**< with foot or tail tip first */
    double indeterminacy;    /**< |p_1 - p_2|/|p_1| of the two orders, 1 */
    double energy_ratio;     /**< |p_1 - p_2| over the kinetic energy, s/(kg^1/2 cm) */
    double closed_form;      /**< 4 |c| sqrt(a^2 + b^2 - 2 a b c)/|p| and its like, 1 */
    double energy_error;     /**< relative change of energy, larger one of the orders */
    double least_separation; /**< least (p,w)/|p| after, of both orders */
} double_impact;

/** A robot in a stance. */
typedef struct trex_gait {
    const char *name;
    carom_trex_params robot;
    double_impact first; /**< after the drop */
} trex_gait;

/** What is drawn from the two runs of a gait. */
typedef struct pair_measures {
    bool is_known;               /**< the runs were made */
    double impact_time;          /**< of the first impact, s */
    int first_closed;            /**< contacts that take part in it */
    double fall_error;           /**< largest change of x, of an angle before it, cm and rad */
    double first_indeterminacy;  /**< xi at the first row after it */
    double median_indeterminacy; /**< over the rows from there on */
    double peak_indeterminacy;
    double energy_error;    /**< largest relative change in an elastic impact; NaN: none */
    double held_gap;        /**< largest |gap| of a held contact, cm */
    double least_gap;       /**< of any contact at the end of a step, cm */
    double least_clearance; /**< of the bodies above the floor, which does not hold them, cm */
    double strike_time;     /**< when a body is first below it, s; NaN: never */
    double flight_error;    /**< largest change of p_x, p_y + m g t in a step of flight, of |p|;
                               NaN: none */
    double balance_error;   /**< of p_x and p_y with all forces in a step, of |p| */
    double push;        /**< largest friction along the sliding, of the weight; NaN: none slides */
    double cone_excess; /**< largest friction less mu times the normal force, likewise */
    int sliding_rows;   /**< contacts that slide in a step without impact, steps together */
    double distance[ORDERS]; /**< of the hips along x, cm */
    int impacts[ORDERS];     /**< of the run */
    int parted; /**< impacts after the first that one order alone has, or in which other
                   contacts reflect */
    int double_impacts[ORDERS]; /**< with several closed contacts */
    int plastic[ORDERS];        /**< by chatter */
    int held_steps[ORDERS];     /**< steps that end with a held contact */
    int releases[ORDERS];       /**< contacts that were held and are open one step later */
} pair_measures;

/** Runs with one friction and step. */
typedef struct run_set {
    const char *group; /**< "/trex" */
    double friction;
    double step;
    double stiffening; /**< factor of the springs */
    bool is_asked_for; /**< also with one gait or order; its motions are recorded */
    pair_measures measures[GAITS];
} run_set;

/** Sets of runs: as asked for; without friction; with half the step; with stiffer springs, which
 * keep the bodies off the floor. */
enum { SET_TREX, SET_FRICTIONLESS, SET_HALF_STEP, SET_STIFF, SETS };

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    carom_trex_design_result design;
    trex_gait gaits[GAITS];
    run_set sets[SETS];
} results;

/** Both gaits in both orders were asked for. */
bool trex_is_whole(const settings *values);

/* --- design.c --------------------------------------------------------------------------------- */

/** The start with the drop of the options: hips begin to turn at the impact. */
carom_trex_params trex_start(const settings *values);

/** Optimize the design and set the gaits. */
CAROM_MUST_CHECK carom_status trex_design(results *r);

/** Write /design: before, after, iterations. */
CAROM_MUST_CHECK carom_status trex_write_design(const results *r);

/** Write GROUP/{height, pitch, ..}: variables, conditions and masses of a robot in its stance. */
CAROM_MUST_CHECK carom_status trex_write_robot(const results *r, const char *group,
                                               const carom_trex_params *robot);

/* --- first_impact.c --------------------------------------------------------------------------- */

/** Solve the impact of right foot and tail tip in both orders, after the drop and without time
 * stepping; tips up to `touching` cm above the floor count as on it. */
CAROM_MUST_CHECK carom_status trex_strike(const carom_trex_params *robot, double touching,
                                          double_impact *out, carom_report *report);

/** Write /first_impact/NAME for all gaits and the hand-picked row of table I. */
CAROM_MUST_CHECK carom_status trex_write_first_impacts(const results *r);

/* --- table.c ---------------------------------------------------------------------------------- */

/** Write /table: both rows of table I, the gaps that they leave at the floor, and claims about
 * them. */
CAROM_MUST_CHECK carom_status trex_write_table(const results *r);

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write GROUP/{left_leg, right_leg, anterior, posterior, tail}/{x, y}: a robot at q, in cm. */
void trex_draw_pose(const results *r, const char *group, const carom_trex_params *robot,
                    const double *q);

/** Points [count][2] as GROUP/{x, y} over GROUP/point, cm. */
void trex_draw_line(const results *r, const char *group, int count, const double *points);

/** Write /drawing: both rows of table I, and all gaits. */
void trex_write_drawings(const results *r);

/* --- schematic.c ------------------------------------------------------------------------------ */

/** Write /schematic: the robot of figures 1 and 6 with the marks of its coordinates. */
void trex_write_schematic(const results *r);

/* --- runs.c ----------------------------------------------------------------------------------- */

/** Run all gaits of a set, write their series as far as they are selected, and measure them. */
CAROM_MUST_CHECK carom_status trex_run_set(results *r, int set);

/* --- series.c --------------------------------------------------------------------------------- */

/** Write GROUP/{time, position, ..} of a run. */
CAROM_MUST_CHECK carom_status trex_write_run(const results *r, const char *group,
                                             const carom_variational_trajectory *run);

/** Write /strip: the robot at some instants of a run. */
void trex_write_strip(const results *r, const carom_trex_params *robot,
                      const carom_trajectory *run);

/* --- indeterminacy.c -------------------------------------------------------------------------- */

/** xi of two runs in the metric of the first, [row] each: |p_1 - p_2|/|p_1|, and over the kinetic
 * energy. */
CAROM_MUST_CHECK carom_status trex_compare_runs(const carom_mechanism *mechanism,
                                                const carom_trajectory *one,
                                                const carom_trajectory *other, double *by_norm,
                                                double *by_energy, carom_report *report);

/* --- friction.c ------------------------------------------------------------------------------- */

/** Raise what a run leaves of the balance of momentum and of Coulomb's law. */
void trex_watch_friction(const carom_trex_params *robot, const carom_mechanism *mechanism,
                         const carom_trajectory *run, pair_measures *out);

/* --- measures.c ------------------------------------------------------------------------------- */

/** What the claims need of the runs of a gait; xi is [row]. */
CAROM_MUST_CHECK carom_status trex_measure(const carom_trex_params *robot,
                                           const carom_mechanism *mechanism,
                                           carom_variational_trajectory *const runs[ORDERS],
                                           const double *xi, pair_measures *out);

/** Write GROUP/{impact_time, ..}. */
void trex_write_measures(const results *r, const char *group, const pair_measures *of);

/* --- claims_stepping.c ------------------------------------------------------------------------ */

/** Write /claims about the time stepping of all runs. */
void trex_write_stepping(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /measures and /claims about gaits and runs. */
CAROM_MUST_CHECK carom_status trex_write_claims(const results *r);

#endif
