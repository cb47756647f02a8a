/** A body that rocks from foot to foot, simulated with plastic landings. */
#ifndef CAROM_EXPERIMENTS_BIPED_ROCKING_SIMULATION_H
#define CAROM_EXPERIMENTS_BIPED_ROCKING_SIMULATION_H

#include "nonlinear.h"

/**
 * A body on two feet in coordinates of the foot that it stands on; the other foot is the contact of
 * its mechanism. When the foot that it stands on unloads, the feet change places.
 */
typedef struct rocker {
    carom_model *model;                  /**< owned; starts at P */
    double *reference;                   /**< [2N] owned: q, v at P, where v = 0 */
    double *exchanged;                   /**< [2N] work memory, of the same piece */
    double time;                         /**< tau of its gait, s */
    double half_period;                  /**< from one P to the next, 2 (tau + tau'), s */
    double energy;                       /**< of the gait, as the mechanism counts it, J */
    double excess_energy;                /**< of it, above the equilibrium on one foot, J */
    double scale;                        /**< harmonic one: largest angle at P, rad */
    carom_plastic_quantity stance_force; /**< of the foot that it stands on; context: the rocker */
    void (*mirror)(const struct rocker *self, double *q, double *v); /**< onto the other foot */
    const char *gap_rate_units;
    carom_armed_biped_params biped; /**< exact one */
    double contact_level;           /**< harmonic one: x_N^0 */
    double static_force;            /**< harmonic one: F_N^0 */
} rocker;

/** What happened on the way to a time. */
typedef struct rocking_log {
    int events;           /**< landings, releases and exchanges as they were found */
    int landings;         /**< of a foot that had left the ground by more than rounding */
    int exchanges;        /**< of the feet */
    double release_time;  /**< of the foot in the air, if it had landed before; NaN otherwise, s */
    double first_landing; /**< time of the first landing, s; NaN without one */
    double gap_rate;      /**< largest of a landing foot, m/s (harmonic: rad/s) */
    double energy_lost;   /**< in landings, J */
    bool has_ended;       /**< before the time: the foot it stands on would leave the ground, or
                             events pile up; the state may be NaN */
} rocking_log;

/** How a simulated motion differs from the gait at P. */
typedef struct rocking_state {
    double deviation;     /**< largest angle, rad */
    double energy_change; /**< energy less that of the gait, J */
    double joint_work;    /**< least work to bring it back to rest at P joint by joint, without
                             gaining anything: sum |dV/dq_j dq_j| and the kinetic energy, J */
} rocking_state;

/* --- simulation_bodies.c ---------------------------------------------------------------------- */

/** The exact biped with the gait; to be cleared by biped_rocking_rocker_clear whatever is
 * returned. */
CAROM_MUST_CHECK carom_status biped_rocking_exact_rocker(const exact_gait *exact, rocker *out);

/** The harmonic biped: m x'' + k x = e_N F_N, F_N >= 0, x_N >= x_N^0. */
CAROM_MUST_CHECK carom_status biped_rocking_harmonic_rocker(const results *r, rocker *out);

void biped_rocking_rocker_clear(rocker *self);

/** Length of the path of the mass centre in a quarter of the cycle, m. */
double biped_rocking_quarter_path(const exact_gait *exact);

/* --- simulation_run.c ------------------------------------------------------------------------- */

/** A motion of the body, not yet started. */
CAROM_MUST_CHECK carom_status biped_rocking_motion_alloc(rocker *self,
                                                         carom_plastic_motion **motion,
                                                         carom_report *report);

/** Set a motion to P of the gait at a time. */
CAROM_MUST_CHECK carom_status biped_rocking_motion_reset(const rocker *self,
                                                         carom_plastic_motion *motion, double time,
                                                         carom_report *report);

/** Go on to a time, through all landings and exchanges of feet, which the log counts. */
CAROM_MUST_CHECK carom_status biped_rocking_motion_advance(const rocker *self,
                                                           carom_plastic_motion *motion,
                                                           double until, rocking_log *log,
                                                           carom_report *report);

/** Nothing has happened yet. */
rocking_log biped_rocking_log_empty(void);

/** Kinetic and potential energy of a motion; `work` [N (N + 1)]. */
double biped_rocking_motion_energy(const rocker *self, const carom_plastic_motion *motion,
                                   double *work);

/** A motion beside P of the gait; `work` [N (N + 1)]. */
rocking_state biped_rocking_motion_compare(const rocker *self, const carom_plastic_motion *motion,
                                           double *work);

/* --- simulation_corrected.c ------------------------------------------------------------------- */

/** Sums over half cycles that each begin at P of the gait. */
typedef struct corrected_run {
    int half_cycles; /**< asked for */
    int completed;   /**< up to the first that ends before P */
    int landings;
    double deviation;          /**< largest at the ends, rad */
    double gap_rate;           /**< largest of a landing foot, m/s (harmonic: rad/s) */
    double landing_time_error; /**< largest of the first landing, s */
    double energy_lost;        /**< in all landings, J */
    double correction;         /**< sum of |energy of a correction|, J */
    double joint_work;         /**< the same counted joint by joint, J */
} corrected_run;

/** Run, and write a group with a row for every half cycle. */
CAROM_MUST_CHECK carom_status biped_rocking_write_corrected(const results *r, const char *group,
                                                            rocker *body, int half_cycles,
                                                            corrected_run *run);

/* --- simulation_free.c ------------------------------------------------------------------------ */

/** Run without corrections until the torso has fallen, and write /simulation/free. */
CAROM_MUST_CHECK carom_status biped_rocking_write_free(const results *r, const exact_gait *exact,
                                                       rocker *body);

#endif
