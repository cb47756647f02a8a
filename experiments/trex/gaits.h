/** What the parts of the experiment share: options, the gaits and their first impact, the runs. */
#ifndef CAROM_EXPERIMENTS_TREX_GAITS_H
#define CAROM_EXPERIMENTS_TREX_GAITS_H

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
    GROUP_SIZE = 64
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
    double least_separation; /**< least (p,w)/|p| after, of both orders */
} double_impact;

/** A robot in a stance. */
typedef struct trex_gait {
    const char *name;
    carom_trex_params robot;
    double_impact first; /**< after the drop */
} trex_gait;

/** Runs with one friction and step. */
typedef struct run_set {
    const char *group; /**< "/trex" */
    double friction;
    double step;
    double stiffening; /**< factor of the springs */
    bool is_asked_for; /**< also with one gait or order; its motions are recorded */
} run_set;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    carom_trex_design_result design;
    trex_gait gaits[GAITS];
} results;

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* --- stances.c -------------------------------------------------------------------------------- */

/** The start with the drop of the options: hips begin to turn at the impact. */
carom_trex_params trex_start(const settings *values);

/** Optimize the design, set the gaits, and write what they are and their first impact: /design,
 * /stance, /first_impact, /table. */
CAROM_MUST_CHECK carom_status trex_write_stances(results *r);

/* --- trex.c ----------------------------------------------------------------------------------- */

/** Write GROUP/{left_leg, right_leg, anterior, posterior, tail}/{x, y}: a robot at q, in cm. */
void trex_draw_pose(const results *r, const char *group, const carom_trex_params *robot,
                    const double *q);

/* --- runs.c ----------------------------------------------------------------------------------- */

/** Run all gaits of a set, write their series as far as they are selected, and measure them. */
CAROM_MUST_CHECK carom_status trex_run_set(const results *r, const run_set *set);

#endif
