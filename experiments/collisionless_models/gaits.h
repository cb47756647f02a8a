/** What the parts of the experiment share: options, the five models with their impact times and
 * motions, and the steps that make the record. */
#ifndef CAROM_EXPERIMENTS_COLLISIONLESS_MODELS_GAITS_H
#define CAROM_EXPERIMENTS_COLLISIONLESS_MODELS_GAITS_H

#include <carom/carom.h>

#include <math.h>

/** The models in the order of section 4; the two wheels are realizations of one. */
enum { HOPPER, JUGGLER, REACTION_WHEEL, PENDULUM_WHEEL, ROCKER, MODELS };

/** Degrees of freedom, rows of roots that are judged, and the bounds of --columns and --periods. */
enum { COORDINATES = 2, ROWS = 3, MOST_COLUMNS = 64, MOST_PERIODS = 64 };

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    carom_hopper_params hopper;
    carom_juggler_params juggler;
    carom_reaction_wheel_params reaction_wheel;
    carom_pendulum_wheel_params pendulum_wheel;
    carom_coronal_rocker_params rocker;
    double gravity;        /**< of all, m/s2 */
    int columns;           /**< of each model */
    int root;              /**< the motion that is followed, counted from 1 */
    int row;               /**< r of the impact times */
    int samples;           /**< instants of a period */
    int periods;           /**< that are integrated */
    double drawn_angle;    /**< half angle of spokes and legs in figure 1, rad */
    double drawn_pendulum; /**< length of pendulums there, m */
} settings;

/** A kind of motion: hopping and juggling, rolling, rocking (sections 4.1 to 4.3). */
typedef struct motion_kind {
    carom_two_modes_root_kind sequence; /**< alpha, beta or gamma */
    int first_column;                   /**< least n that is no trivial root */
    /** (24), (26) or (28). */
    carom_status (*solve)(const double *lambda, double lambda_constrained, int n, int row,
                          carom_two_modes_impact *impact, carom_report *report);
} motion_kind;

extern const motion_kind COLLISIONLESS_HOP;
extern const motion_kind COLLISIONLESS_ROLL;
extern const motion_kind COLLISIONLESS_ROCK;

/** A model, its modes, and the motion of one of its roots. */
typedef struct gait {
    const char *name; /**< its group of the record */
    const motion_kind *kind;
    carom_two_mode_model model;
    double spectrum[COORDINATES];       /**< lambda, 1/s2 */
    double constrained;                 /**< lambda'_1, 1/s2 */
    carom_phase_modes *modes;           /**< owned */
    carom_collisionless_motion *motion; /**< that is followed; owned */
    double period;                      /**< s */
    double largest[COORDINATES];        /**< distance from the constrained equilibrium */
    double fastest[COORDINATES];        /**< rates in a period */
    double largest_kinetic_energy;      /**< J */
} gait;

/** What the record is made of. */
typedef struct gaits {
    const settings *values;
    carom_record *record;
    carom_report *report;
    gait models[MODELS];
} gaits;

/* --- gaits.c ---------------------------------------------------------------------------------- */

/** Build the models of the options and their modes; report's context names the model refused. */
CAROM_MUST_CHECK carom_status collisionless_models_prepare(gaits *all);

/** Free what the gaits hold. */
void collisionless_models_clear(gaits *all);

/** Write /MODEL/roots: impact times by the closed form and by the general solver, and what is
 * realizable of rows 0, 1, 2. */
CAROM_MUST_CHECK carom_status collisionless_models_write_roots(gaits *all, const gait *g);

/** Write /MODEL/motion: the motion of the chosen root over a period, extended by its symmetries.
 */
CAROM_MUST_CHECK carom_status collisionless_models_write_motion(gaits *all, gait *g);

/** Write /drawing: the configurations at P and P' of the four models of figure 1. */
CAROM_MUST_CHECK carom_status collisionless_models_draw(gaits *all);

/** x [2] at rest in contact. */
void collisionless_models_rest(const carom_two_mode_model *model, double *x);

/** x [2] less its value at rest in contact, extended by its symmetries to any time. */
CAROM_MUST_CHECK carom_status collisionless_models_state(const gait *g, double time, double *x,
                                                         carom_report *report);

/* --- gait_steps.c ----------------------------------------------------------------------------- */

/** Write /MODEL/drawn: steps of a wheel or of the biped, of the motion of `g`, for `animate`. */
CAROM_MUST_CHECK carom_status collisionless_models_write_steps(const gaits *all,
                                                               const settings *values,
                                                               const gait *g);

/* --- simulation.c ----------------------------------------------------------------------------- */

/** Write /MODEL/simulation: the same motion from P on, event-driven with plastic contact. */
CAROM_MUST_CHECK carom_status collisionless_models_simulate(gaits *all, const gait *g);

#endif
