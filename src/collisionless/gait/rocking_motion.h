/** One gait of the armed biped with its conditions, and motions that start on a gait, with plastic
 * landings. */
#ifndef CAROM_COLLISIONLESS_GAIT_ROCKING_MOTION_H
#define CAROM_COLLISIONLESS_GAIT_ROCKING_MOTION_H

#include <carom/collisionless/gait/gait.h>
#include <carom/models/linear_contact.h>
#include <carom/timestepping/plastic/plastic.h>

/* ------------------------------------------------------------------------------------- one gait */
/* All that is known of one gait of a family. */

/** A gait with a quarter of its cycle and its conditions. */
typedef struct carom_exact_gait {
    carom_armed_biped_params biped;   /**< at the theta of the gait, its arrays borrowed */
    carom_nonlinear_gait *gait;       /**< owned */
    carom_gait_trajectory *quarter;   /**< from P to P' */
    carom_gait_conditions conditions; /**< whether it is realizable, and by how much */
} carom_exact_gait;

/**
 * @param[in]  biped   with the half step angle of the gait
 * @param[in]  start   the harmonic gait that the family begins with
 * @param[in]  samples of the quarter, about; a quarter of them in double support
 * @param[out] out     to be cleared by carom_exact_gait_clear; empty on failure
 * @param[out] report  may be NULL
 * @return CAROM_OK; as carom_nonlinear_gait_solve, NOT_CONVERGED if the family does not get there;
 * as carom_gait_trajectory_quarter
 */
CAROM_MUST_CHECK carom_status carom_exact_gait_find(const carom_armed_biped_params *biped,
                                                    const carom_gait_start *start, int samples,
                                                    carom_exact_gait *out, carom_report *report);

/** Free what it holds, and empty it. */
void carom_exact_gait_clear(carom_exact_gait *exact);

/**
 * d(tau)/d(theta^2) and d(tau')/d(theta^2) at theta = 0, s/rad2: from gaits at theta and 2 theta,
 * without the terms of fourth order.
 *
 * @param[in]  biped  its half step angle is not used
 * @param[in]  start  the harmonic gait
 * @param[in]  theta  > 0, small, rad
 * @param[out] slopes [2] of tau, of tau'
 * @param[out] report may be NULL
 * @return as carom_nonlinear_gait_solve
 */
CAROM_MUST_CHECK carom_status carom_exact_gait_time_slopes(const carom_armed_biped_params *biped,
                                                           const carom_gait_start *start,
                                                           double theta, double slopes[2],
                                                           carom_report *report);

/* ----------------------------------------------------------------------------------- simulation */
/* A gait as a nonsmooth motion with plastic landings, which knows neither modes nor shooting. */

/**
 * A biped on its way, in coordinates of the foot that it stands on; the other foot is the contact
 * of its mechanism. When the foot that it stands on unloads while the other one is down, the feet
 * change places. It starts at P of its gait, at rest.
 */
typedef struct carom_rocking_motion carom_rocking_motion;

/** The gait that a motion starts on. */
typedef struct carom_rocking_reference {
    double time;          /**< tau, from P to the landing, s */
    double half_period;   /**< from one P to the next, 2 (tau + tau'), s */
    double energy;        /**< as the mechanism counts it, J */
    double excess_energy; /**< of it, above the equilibrium on one foot, J */
} carom_rocking_reference;

/** What happened on the way to a time. */
typedef struct carom_rocking_log {
    int events;           /**< landings, releases and exchanges as they were found */
    int landings;         /**< of a foot that had left the ground by more than rounding */
    int exchanges;        /**< of the feet */
    double release_time;  /**< of the foot in the air, if it had landed before; NaN otherwise, s */
    double first_landing; /**< time of the first landing, s; NaN without one */
    double gap_rate;      /**< largest of a landing foot, m/s (harmonic: rad/s) */
    double energy_lost;   /**< in landings, J */
    bool has_ended;       /**< before the time: the foot it stands on would leave the ground, or
                             events pile up; the state may be NaN */
} carom_rocking_log;

/** How a motion differs from its gait at P. */
typedef struct carom_rocking_state {
    double deviation;     /**< largest angle, rad */
    double energy_change; /**< energy less that of the gait, J */
    double joint_work;    /**< least work to bring it back to rest at P joint by joint, without
                             gaining anything: sum |dV/dq_j dq_j| and the kinetic energy, J */
} carom_rocking_state;

/**
 * The exact biped, to rock by one of its gaits.
 *
 * @param[in]  biped  of the gait, its arrays borrowed; its half step angle is not used
 * @param[in]  gait   a solution
 * @param[out] out    at P at time 0; belongs to the caller, to be freed by
 * carom_rocking_motion_free; NULL on failure
 * @param[out] report may be NULL
 * @return CAROM_OK; as carom_armed_biped_check; CONFLICT ("coordinate count": another biped's
 * gait); as carom_plastic_motion_start; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_rocking_motion_exact(const carom_armed_biped_params *biped,
                                                         const carom_nonlinear_gait *gait,
                                                         carom_rocking_motion **out,
                                                         carom_report *report);

/**
 * The harmonic biped, m x'' + k x = e_N F_N, F_N >= 0, x_N >= x_N^0, from
 * carom_armed_biped_linear.
 *
 * @param[in]  gait      of the size that the statics have
 * @param[in]  mass      m [N][N]
 * @param[in]  stiffness k [N][N], diagonal
 * @param[in]  statics   of the contact
 * @param[out] out       as of carom_rocking_motion_exact; positions are from the equilibrium on one
 * foot
 * @param[out] report    may be NULL
 * @return CAROM_OK; as carom_linear_contact_alloc; as carom_plastic_motion_start; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_rocking_motion_harmonic(
    const carom_collisionless_motion *gait, const double *mass, const double *stiffness,
    const carom_armed_biped_statics *statics, carom_rocking_motion **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_rocking_motion_free(carom_rocking_motion *motion);
CAROM_AUTO_TYPE(carom_rocking_motion)

/** The gait that it started on, borrowed. */
const carom_rocking_reference *carom_rocking_motion_reference(const carom_rocking_motion *motion);

/** Present position [N], rad, borrowed until the motion goes on. */
const double *carom_rocking_motion_position(const carom_rocking_motion *motion);

/** Place it at P of its gait at a time. @return as carom_plastic_motion_start */
CAROM_MUST_CHECK carom_status carom_rocking_motion_reset(carom_rocking_motion *motion, double time,
                                                         carom_report *report);

/** Nothing has happened yet. */
carom_rocking_log carom_rocking_log_empty(void);

/**
 * Go on to a time, through all landings and exchanges of feet.
 *
 * @param[in,out] motion its state
 * @param[in]     until  s, not before the present
 * @param[in,out] log    to which what happens is added; once it has ended nothing more happens
 * @param[out]    report may be NULL
 * @return CAROM_OK, also for a motion that ends on the way; what carom_plastic_motion_advance
 * returns but for NOT_CONVERGED, which ends a motion
 */
CAROM_MUST_CHECK carom_status carom_rocking_motion_advance(carom_rocking_motion *motion,
                                                           double until, carom_rocking_log *log,
                                                           carom_report *report);

/** The present state beside P of the gait; the motion's work memory is used. */
carom_rocking_state carom_rocking_motion_compare(carom_rocking_motion *motion);

/** A motion of the exact biped beside its gait. */
typedef struct carom_rocking_sample {
    double time;          /**< s */
    double deviation;     /**< largest angle from the gait at this time, rad */
    double energy_change; /**< energy less that of the gait, J */
    double energy_lost;   /**< in landings since the last advance, J */
    bool has_fallen;      /**< a link of the torso hangs */
} carom_rocking_sample;

/**
 * Go on from P at time 0 to an instant of the gait, and compare.
 *
 * @param[in,out] motion     of the exact biped
 * @param[in]     quarter    the gait, n samples
 * @param[in]     half_cycle number of half cycles from P to P before, >= 0
 * @param[in]     instant    of the half cycle, 0 at P to 2 (n - 1) at the next P: after P' the gait
 * is its own past, seen from the other foot
 * @param[in,out] log        as of carom_rocking_motion_advance
 * @param[out]    sample     not written if the motion has ended before
 * @param[out]    report     may be NULL
 * @return as carom_rocking_motion_advance
 */
CAROM_MUST_CHECK carom_status carom_rocking_motion_follow(
    carom_rocking_motion *motion, const carom_gait_trajectory *quarter, int half_cycle, int instant,
    carom_rocking_log *log, carom_rocking_sample *sample, carom_report *report);

/** A half cycle that began at P of the gait. */
typedef struct carom_rocking_half_cycle {
    carom_rocking_state state; /**< at its end */
    carom_rocking_log log;     /**< what happened in it */
    double correction;         /**< energy that setting the state to P adds, J */
    double landing_time;       /**< of the first landing, from P, s; NaN: none */
} carom_rocking_half_cycle;

/**
 * Set the motion to P at the begin of a half cycle, and go on to the next P.
 *
 * @param[in,out] motion     of either biped
 * @param[in]     half_cycle number of half cycles before, >= 0
 * @param[out]    out        log.has_ended: nothing else is known
 * @param[out]    report     may be NULL
 * @return as carom_rocking_motion_advance, carom_rocking_motion_reset
 */
CAROM_MUST_CHECK carom_status carom_rocking_motion_half_cycle(carom_rocking_motion *motion,
                                                              int half_cycle,
                                                              carom_rocking_half_cycle *out,
                                                              carom_report *report);

/** An exact biped left alone. */
typedef struct carom_rocking_run {
    int count;                     /**< samples */
    carom_rocking_sample *samples; /**< [count] at the instants of the gait; the last is where it
                                      has fallen, or before it has ended */
    int half_cycles;               /**< ended */
    double *at_P;                  /**< [half_cycles] deviation at their ends, rad */
} carom_rocking_run;

/**
 * Start at P, and go half cycle by half cycle until the motion ends or the torso has fallen.
 *
 * @param[in,out] motion      of the exact biped
 * @param[in]     quarter     of its gait
 * @param[in]     half_cycles most, >= 1
 * @param[out]    out         to be cleared by carom_rocking_run_clear; empty on failure
 * @param[out]    report      may be NULL
 * @return CAROM_OK; as carom_rocking_motion_follow; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_rocking_run_alone(carom_rocking_motion *motion,
                                                      const carom_gait_trajectory *quarter,
                                                      int half_cycles, carom_rocking_run *out,
                                                      carom_report *report);

/** The first sample whose landings have cost more than an energy, J; NULL: none has. */
const carom_rocking_sample *carom_rocking_run_collision(const carom_rocking_run *run,
                                                        double energy);

/** Free what a run holds, and empty it. */
void carom_rocking_run_clear(carom_rocking_run *run);

#endif
