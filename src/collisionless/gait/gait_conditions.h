/** Whether the feet of a gait can do what it asks of them. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_CONDITIONS_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_CONDITIONS_H

#include <carom/collisionless/gait/gait_trajectory.h>

CAROM_BEGIN_DECLARATIONS

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

CAROM_END_DECLARATIONS

#endif
