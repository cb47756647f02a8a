/** What the parts of the experiment share: options, the five models with their impact times and
 * motions, and the steps that make the record. */
#ifndef CAROM_EXPERIMENTS_COLLISIONLESS_MODELS_RESULTS_H
#define CAROM_EXPERIMENTS_COLLISIONLESS_MODELS_RESULTS_H

#include <carom/carom.h>

#include <math.h>

/** The models in the order of section 4; the two wheels are realizations of one. */
enum { HOPPER, JUGGLER, REACTION_WHEEL, PENDULUM_WHEEL, ROCKER, MODELS };

/** Coordinates of a model; rows whose realizability is decided; largest --columns and
 * --periods. */
enum { COORDINATES = 2, ROWS = 3, MOST_COLUMNS = 64, MOST_PERIODS = 64 };

/** Longest path inside the record, the closing zero included. */
enum { PATH_SIZE = 96 };

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

/** Claims of sections 4.1 to 4.3 about a kind of motion. */
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

/** How a motion fared as that of a nonsmooth mechanism. */
typedef struct simulation {
    int landings;                         /**< plastic impacts, those of micro-flights included */
    int exchanges;                        /**< of the foot or spoke that stands */
    double hardest_landing;               /**< largest closing rate, m/s or rad/s */
    double energy_lost;                   /**< in all landings, J */
    double lost_share;                    /**< the same over the largest kinetic energy, 1 */
    double energy_change;                 /**< of the total over the largest kinetic energy, 1 */
    double return_distance[MOST_PERIODS]; /**< after each period, 1 */
    double time_error;   /**< largest distance of a landing or release from the motion's, s */
    int decided_periods; /**< after which rounding still leaves the motion what it is */
    double decided_loss; /**< lost share or change of energy after these, the larger */
    double allowed_loss; /**< what rounding may lose in these, likewise */
    double distance;     /**< covered on the ground, m; 0 in place */
    double cost;         /**< energy lost per weight and distance, 1; NaN in place */
} simulation;

/** A model and all that is found of it. */
typedef struct gait {
    const char *group; /**< "/hopper" */
    const motion_kind *kind;
    carom_two_mode_model model;
    double spectrum[COORDINATES]; /**< lambda, 1/s2 */
    double constrained;           /**< lambda'_1, 1/s2 */
    carom_phase_modes *modes;     /**< owned */

    carom_two_modes_impact closed[MOST_COLUMNS]; /**< by the closed form */
    carom_impact_root general[MOST_COLUMNS];     /**< by the general solver */
    double largest_difference;                   /**< relative, of the two */
    double ratio_residual;                       /**< largest of (17) */
    double rate_residual;                        /**< largest of (18) */
    double printed_residual;                     /**< largest of (23), (25) or (27) */
    int realizable[MOST_COLUMNS][ROWS];          /**< 1, 0, or -1 where bounds do not decide */
    bool is_list_complete;                       /**< no other root in the box of the columns */

    carom_collisionless_motion *motion; /**< that is followed; owned */
    double period;                      /**< s */
    double mismatch;                    /**< largest violation of (1), 1 */
    double largest_gap;                 /**< m or rad */
    bool is_motion_realizable;          /**< by bounds */
    double largest[COORDINATES];        /**< distance from the constrained equilibrium */
    double fastest[COORDINATES];        /**< rates in a period */
    double largest_kinetic_energy;      /**< J */
    simulation simulated;
} gait;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    carom_record *record;
    carom_report *report;
    unsigned long seed;
    gait gaits[MODELS];
} results;

/* --- gaits.c ---------------------------------------------------------------------------------- */

/** Path of a dataset in a group. */
const char *collisionless_models_path(const char *group, const char *name, char path[PATH_SIZE]);

/** A number to be written. */
typedef struct scalar_row {
    const char *name;
    double value;
    const char *units;
    const char *long_name;
} scalar_row;

/** Write numbers into a group. */
void collisionless_models_write_scalars(carom_record *record, const char *group, int count,
                                        const scalar_row *rows);

/** A number over an axis to be written. */
typedef struct series_row {
    const char *name;
    const double *values;
    const char *units;
    const char *long_name;
} series_row;

/** Write series over one axis, and over a second one unless NULL, into a group. */
void collisionless_models_write_series(carom_record *record, const char *group,
                                       const char *row_axis, const char *column_axis, int count,
                                       const series_row *rows);

/** Build the models of the options and their modes; report's context names the model refused. */
CAROM_MUST_CHECK carom_status collisionless_models_prepare(results *r);

/** Free what the gaits hold. */
void collisionless_models_clear(results *r);

/* --- roots.c ---------------------------------------------------------------------------------- */

/** Write /MODEL/roots: impact times by the closed form and by the general solver, what is
 * realizable of rows 0, 1, 2, and whether the list is complete. */
CAROM_MUST_CHECK carom_status collisionless_models_write_roots(results *r, gait *g);

/* --- equations.c ------------------------------------------------------------------------------ */

/** The left side of (17), (18), w of (30), with (19) for lambda < 0: sigma tan^sigma(omega t)
 * omega.
 */
double collisionless_models_rate(double lambda, bool is_odd, double t);

/** Put the first `count` roots of the general solver into (17), (18) and into (23), (25) or (27) as
 * printed. */
void collisionless_models_insert_roots(gait *g, int count);

/** The two sides of (53) as printed, and with the sign that follows from (52), at an impact. */
typedef struct sides_of_53 {
    double left;         /**< as printed */
    double derived_left; /**< without sigma_1 */
    double right;        /**< of both */
} sides_of_53;

/** Evaluate (53) at a root of a model with lambda_1 < 0. */
sides_of_53 collisionless_models_evaluate_53(const gait *g, const carom_impact_root *root);

/* --- motion.c --------------------------------------------------------------------------------- */

/** Compute the motion of column n and a row, of the size that the model's static force gives it. */
CAROM_MUST_CHECK carom_status collisionless_models_find_motion(const results *r, gait *g, int n,
                                                               int row);

/** Write /MODEL/motion: the motion of the chosen root over a period, extended by its symmetries.
 */
CAROM_MUST_CHECK carom_status collisionless_models_write_motion(results *r, gait *g);

/* --- simulation.c ----------------------------------------------------------------------------- */

/** Write /MODEL/simulation: the same motion from P on, event-driven with plastic contact. */
CAROM_MUST_CHECK carom_status collisionless_models_simulate(results *r, gait *g);

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: the configurations at P and P' of the four models of figure 1. */
CAROM_MUST_CHECK carom_status collisionless_models_draw(const results *r);

/* --- series.c --------------------------------------------------------------------------------- */

/** Errors of the series for large n, and the orders that they show. */
typedef struct series_orders {
    double alpha;        /**< power of 1/n */
    double alpha_factor; /**< error over that of the first term left out */
    double hop_phase;    /**< power of 1/n */
    double hop_phase_factor;
    double beta;          /**< decay per column over 2 pi rho */
    double gamma;         /**< likewise */
    double wheel_phase;   /**< likewise */
    double rocking_phase; /**< likewise */
} series_orders;

/** Write /series. */
CAROM_MUST_CHECK carom_status collisionless_models_write_series_errors(const results *r,
                                                                       series_orders *orders);

/* --- existence.c ------------------------------------------------------------------------------ */

/** What spectra of all kinds say of the existence condition. */
typedef struct existence {
    int draws;             /**< random spectra, each with all eight parities */
    int without;           /**< cases with lambda'_1 <= 0 */
    int crossings;         /**< of which with a change of sign of (51) */
    int oscillating;       /**< cases with lambda'_1 > 0 */
    int solved;            /**< of which with a root */
    int trivial_alpha;     /**< motions of the hopper in the cell n = 1 */
    int trivial_gamma;     /**< of rocking likewise */
    bool is_complete;      /**< all these searches */
    double alpha_of_gamma; /**< error of gamma_n = (1 - rho^2/3) alpha_n over (rho alpha_n)^2 */
    double wheel_phase;    /**< o'_1 at the smallest lambda'_1, rad */
    double rocking_phase;  /**< likewise */
    double least_growth;   /**< of tau' from one lambda'_1 to the next, a tenth of it */
} existence;

/** Write /existence and /critical. */
CAROM_MUST_CHECK carom_status collisionless_models_write_existence(const results *r,
                                                                   existence *found);

/* --- comparison.c ----------------------------------------------------------------------------- */

/** Largest relative distance of the impact times of the hopper from those of a juggler with its
 * frequencies. */
CAROM_MUST_CHECK carom_status collisionless_models_compare(const results *r, double *difference);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /measures and /claims: what section 4 and appendix C state; `same_frequencies` from
 * collisionless_models_compare. */
void collisionless_models_write_claims(const results *r, const series_orders *orders,
                                       const existence *found, double same_frequencies);

#endif
