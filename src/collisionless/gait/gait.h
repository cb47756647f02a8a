/** Collisionless gaits of the armed biped with its exact geometry: one gait, its table
 * over time, its conditions at the feet, the family over the step angle. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/models/armed_biped.h>

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

CAROM_END_DECLARATIONS

#endif
