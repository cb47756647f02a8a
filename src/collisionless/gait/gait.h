/** Collisionless gaits of the armed biped with its exact geometry: one gait, its table
 * over time, its conditions at the feet, the family over the step angle; gaits simulated with
 * plastic landings. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/models/armed_biped.h>
#include <carom/models/linear_contact.h>
#include <carom/timestepping/plastic/plastic.h>

CAROM_BEGIN_DECLARATIONS

/* ------------------------------------------------------------------------------------- one gait */
/* A collisionless gait of the armed biped with its exact geometry, continued from small angles. */

/** Where the family begins: a harmonic gait, theta -> 0, even in single and odd in double support.
 */
typedef struct carom_gait_start {
    const double *position;  /**< [N] borrowed: x at P over theta, deviations from the equilibrium
                                on one foot (carom_armed_biped_linear), rad per rad */
    double time;             /**< tau > 0, s, from P to the landing */
    double constrained_time; /**< tau' > 0, s, from the landing to P' */
} carom_gait_start;

/** How the two-point problem is solved. */
typedef struct carom_gait_params {
    int segments;             /**< of single support, shot separately, >= 1; 12 */
    int constrained_segments; /**< of double support, >= 1; 3 */
    double integration_error; /**< of a step, in rad and rad over sqrt(l/g), and relative; 1e-13 */
    double residual;          /**< largest scaled residual of a solution, > 0; 1e-13 */
    int max_iterations;       /**< of Newton's method, >= 1; 10 */
} carom_gait_params;

/** The values above: errors grow at most about twentyfold in a segment up to the end of the unit
 * biped's family. */
carom_gait_params carom_gait_params_default(void);

/**
 * From symmetry point P, where all velocities vanish, in single support to the landing at tau, then
 * in double support to symmetry point P' at tau + tau'. Coordinates as in carom_armed_biped_params.
 * A quarter of the cycle; the rest follows by symmetry
 * (carom/collisionless/gait/gait.h).
 */
typedef struct carom_nonlinear_gait {
    int coordinate_count;          /**< N */
    int segment_count;             /**< m, of equal duration tau/m */
    int constrained_segment_count; /**< m', of equal duration tau'/m' */
    double half_step_angle;        /**< theta, rad */
    double time;                   /**< tau, s */
    double constrained_time;       /**< tau', s */
    double energy;                 /**< kinetic and potential at P', the ground at height 0, J */
    double excess_energy;          /**< of it, above the equilibrium on one foot at this theta, J */
    double residual; /**< largest equation of the shooting: angles in rad, rates over sqrt(g/l),
                        torque of the landing over m_t g l; 1 */
    int iterations;  /**< Newton steps that it took */
    double *states; /**< [m + m' + 1][2N] rad, rad/s: q, v at the ends of the segments, P first, the
                       landing at m, P' last; owned */
} carom_nonlinear_gait;

/**
 * The gait with half step angle `biped->half_step_angle`, the first one of its family where the
 * angle turns round, by continuation from small angles.
 *
 * Unknown are q at P, tau and tau'; the leg lands with f = -theta, f' = 0, f'' = 0, and at P' every
 * other angle equals its mirror image: arm pi, torso 0. Solved by multiple shooting with the
 * variational equations and damped Newton iteration.
 *
 * @param[in]  biped  with an arm: without one there is no gait
 * @param[in]  start  the harmonic gait that the family begins with
 * @param[in]  params NULL: default
 * @param[out] out    belongs to the caller, to be freed by carom_nonlinear_gait_free; NULL on
 * failure
 * @param[out] report may be NULL
 * @return CAROM_OK; as carom_armed_biped_check; OUT_OF_RANGE ("arm", "tau", "constrained tau", a
 * parameter); NOT_FINITE; CONFLICT ("start position"): it is not that of a harmonic gait with these
 * times; NOT_CONVERGED: the family ends before the angle (report: "half step angle",
 * how far it was followed); SINGULAR; OUT_OF_MEMORY
 * Source: pankov-2024 section 6 for the harmonic limit; finite angles are our own.
 * Cost: some ten points of the family, each O((m + m')^3 N^3).
 */
CAROM_MUST_CHECK carom_status carom_nonlinear_gait_solve(const carom_armed_biped_params *biped,
                                                         const carom_gait_start *start,
                                                         const carom_gait_params *params,
                                                         carom_nonlinear_gait **out,
                                                         carom_report *report);

/** Free a gait; NULL is accepted. */
void carom_nonlinear_gait_free(carom_nonlinear_gait *gait);
CAROM_AUTO_TYPE(carom_nonlinear_gait)

/* ------------------------------------------------------------------------------------ over time */
/* A collisionless gait as a table over time: a quarter of the cycle, or all of it. */

/**
 * Samples of a gait. In the first quarter of the cycle the biped stands on foot A and lands foot B;
 * then foot A lifts. Angles are those of carom_armed_biped_params as seen from the stance foot; if
 * that is foot B, the last coordinate is the angle of leg B, which is that of leg A plus 2 theta,
 * and foot A is where a leg turned by -2 theta ends.
 */
typedef struct carom_gait_trajectory {
    int coordinate_count;      /**< N */
    int count;                 /**< n samples */
    int landing;               /**< index of the first landing */
    double landing_jerk;       /**< f''' of the leg just before the landing, rad/s3 */
    double landing_force_rate; /**< of the force on the landing foot just after it, N/s: in
                                  generalised coordinates -f'''/(M^-1)_NN */
    double *time;              /**< [n] s, from P */
    double *position;          /**< [n][N] rad */
    double *velocity;          /**< [n][N] rad/s */
    double *acceleration;      /**< [n][N] rad/s2 */
    double *gap;               /**< [n] height of the lifted foot, m; 0 in double support */
    double *landing_force; /**< [n] vertical force on the foot that is not the stance foot, N; 0 in
                               the air */
    double *stance_force;  /**< [n] vertical force on the stance foot, N */
    double *horizontal_force; /**< [n] of both feet, N */
    double *energy;           /**< [n] kinetic and potential, J */
    int *is_double_support;   /**< [n] 0 or 1; 1 from the landing on */
    int *stance_foot;         /**< [n] 0: A, 1: B; A until the first P', then B for half a cycle */
} carom_gait_trajectory;

/**
 * The first quarter, from P over the landing to P', with n = intervals + constrained_intervals + 1
 * samples, equally spaced in each phase.
 *
 * @param[in]  biped                 of the gait; its half step angle is not used
 * @param[in]  gait                  a solution
 * @param[in]  intervals             between P and the landing, >= 1
 * @param[in]  constrained_intervals between the landing and P', >= 1
 * @param[out] out                   belongs to the caller, to be freed by
 * carom_gait_trajectory_free; NULL on failure
 * @param[out] report                may be NULL
 * @return CAROM_OK; as carom_armed_biped_check; OUT_OF_RANGE (intervals); CONFLICT ("coordinate
 * count": another biped's gait); SINGULAR, NOT_CONVERGED (integration); OUT_OF_MEMORY
 * Source: pankov-2024 section 6; jerk and slope at the landing from M (jump of jerk) = e_N dF_N/dt.
 * Cost: one integration of the quarter.
 */
CAROM_MUST_CHECK carom_status carom_gait_trajectory_quarter(
    const carom_armed_biped_params *biped, const carom_nonlinear_gait *gait, int intervals,
    int constrained_intervals, carom_gait_trajectory **out, carom_report *report);

/**
 * The whole cycle of period 4 (tau + tau') from its first quarter, n = 4 (quarter's n - 1) + 1
 * samples: mirrored left and right and backwards after P', backwards about the next P.
 *
 * @param[in]  biped   of the gait; its half step angle is not used
 * @param[in]  quarter from carom_gait_trajectory_quarter
 * @param[out] out     belongs to the caller, to be freed by carom_gait_trajectory_free; NULL on
 * failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_gait_trajectory_extend(const carom_armed_biped_params *biped,
                                                           const carom_gait_trajectory *quarter,
                                                           carom_gait_trajectory **out);

/** Free; NULL is accepted. */
void carom_gait_trajectory_free(carom_gait_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_gait_trajectory)

/**
 * Length of the path of the mass centre along a table over time, by Simpson's rule over each phase.
 *
 * @param[in] biped      of the gait, as checked
 * @param[in] trajectory a quarter with even numbers of intervals before and after its landing
 * @return m; NaN for odd ones
 */
double carom_gait_trajectory_path(const carom_armed_biped_params *biped,
                                  const carom_gait_trajectory *trajectory);

/* ----------------------------------------------------------------------------------- conditions */
/* Whether the feet of a gait can do what it asks of them. */

/**
 * Extremes over the first quarter of the cycle, which stands for all of it: of samples, and where
 * an inner sample is extreme, of the parabola through it and its neighbours. Forces over the weight
 * of the biped.
 */
typedef struct carom_gait_conditions {
    double clearance; /**< least gap/(tau - t)^3 before the landing, m/s3; its limit there included:
                         > 0 if the lifted foot stays clear of the ground */
    double peak_gap;  /**< largest height of the lifted foot, m */
    double landing_force_slope; /**< least force/(t - tau) on the landing foot after the landing,
                                   1/s, its limit there included: > 0 if it is only pushed */
    double max_landing_force;   /**< largest vertical force on the landing foot, 1 */
    double min_single_support;  /**< least vertical force in single support, 1 */
    double min_double_support;  /**< least vertical force on the stance foot in double support, 1 */
    double friction_demand;     /**< largest |horizontal|/vertical in single support, 1 */
    double double_friction_demand; /**< the same of both feet together in double support, 1 */
    double energy_spread;          /**< largest less least energy, over m_t g l of the leg; 1 */
    bool is_clear;                 /**< clearance > 0 */
    bool is_pushed;                /**< no foot is pulled: all least forces > 0 */
    bool is_realizable;            /**< both */
} carom_gait_conditions;

/**
 * Evaluate the conditions along a gait.
 *
 * @param[in] biped   of the gait; its half step angle is not used
 * @param[in] gait    a solution
 * @param[in] quarter its samples, at least 2 intervals in each phase, carom_gait_trajectory_quarter
 * @return the conditions
 * Source: pankov-2024 section 6 (gap and force of the harmonic gait); friction, the stance foot and
 * finite angles are our own. Cost: O(n).
 */
carom_gait_conditions carom_gait_conditions_evaluate(const carom_armed_biped_params *biped,
                                                     const carom_nonlinear_gait *gait,
                                                     const carom_gait_trajectory *quarter);

/* ----------------------------------------------------------------------------------- the family */
/* The family of collisionless gaits of a biped over its step angle. */

/** What ended a family. */
typedef enum carom_gait_end {
    CAROM_GAIT_END_MAX_ANGLE,    /**< largest half step angle reached; the last point is there */
    CAROM_GAIT_END_ARM_INVERTED, /**< at P the arm is within reach of its upper equilibrium */
    CAROM_GAIT_END_MAX_TIME,     /**< tau beyond its bound */
    CAROM_GAIT_END_PENETRATION,  /**< the lifted foot meets the ground before the landing */
    CAROM_GAIT_END_TENSILE_FOOT, /**< a foot would have to be pulled */
    CAROM_GAIT_END_STEP, /**< no step above the least one leads to a solution; more segments may */
    CAROM_GAIT_END_MAX_POINTS
} carom_gait_end;

/** The name of an end in lower case ("arm inverted"), a static string. */
const char *carom_gait_end_name(carom_gait_end end);

/** How a branch of gaits is followed, and to where. */
typedef struct carom_gait_branch_params {
    carom_gait_params gait; /**< of every gait of the branch */
    double first_angle;     /**< theta of the first point, > 0, rad; 1e-3 */
    double max_angle;       /**< rad; 0.5 */
    double first_step;      /**< of arclength, 1; 0.05 */
    double min_step;        /**< 1; 1e-4 */
    double max_step;        /**< 1; 0.2 */
    double max_time;        /**< of tau, s; 16 */
    double arm_reach;       /**< least angle of the arm to the upper vertical at P, rad; 0.05 */
    int max_points;         /**< >= 2; 400 */
    int intervals;          /**< samples for the conditions in each phase, >= 8; 64 */
    bool stop_unrealizable; /**< end where a condition fails, with that point; true */
} carom_gait_branch_params;

/** The numbers that stand at the fields. */
carom_gait_branch_params carom_gait_branch_params_default(void);

/** Gaits in the order of the continuation. */
typedef struct carom_gait_branch {
    int count;                         /**< >= 1 */
    carom_gait_end end;                /**< what ended the continuation */
    int fold_count;                    /**< how often theta turned round */
    double *arclength;                 /**< [count] from the first point, in the metric below */
    carom_nonlinear_gait *gaits;       /**< [count] their states are the branch's */
    carom_gait_conditions *conditions; /**< [count] */
    double *states;                    /**< where the gaits keep theirs */
} carom_gait_branch;

/**
 * Follow the family from a harmonic gait by pseudo-arclength, so that theta may turn round.
 *
 * Arclength is measured in angles and rates over sqrt(g/l) at the ends of the segments (root mean
 * square), in theta, and in tau and tau' over 4 sqrt(l/g). Steps follow a parabola through the last
 * two tangents, since tau and tau' start with theta^2, and are chosen from the number of Newton
 * steps.
 *
 * @param[in]  biped  its half step angle is not used
 * @param[in]  start  the harmonic gait
 * @param[in]  params NULL: default
 * @param[out] out    belongs to the caller, to be freed by carom_gait_branch_free; NULL on failure.
 * That a family ends is no failure
 * @param[out] report may be NULL
 * @return CAROM_OK; as carom_nonlinear_gait_solve, NOT_CONVERGED for the first point only
 * Source: our own, from pankov-2024 section 6. Cost: one to ten ms a point for N = 3.
 */
CAROM_MUST_CHECK carom_status carom_gait_branch_trace(const carom_armed_biped_params *biped,
                                                      const carom_gait_start *start,
                                                      const carom_gait_branch_params *params,
                                                      carom_gait_branch **out,
                                                      carom_report *report);

/** Free; NULL is accepted. */
void carom_gait_branch_free(carom_gait_branch *branch);
CAROM_AUTO_TYPE(carom_gait_branch)

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

CAROM_END_DECLARATIONS

#endif
