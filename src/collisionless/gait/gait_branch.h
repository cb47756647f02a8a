/** The family of collisionless gaits of a biped over its step angle. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_BRANCH_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_BRANCH_H

#include <carom/base/attributes.h>
#include <carom/collisionless/gait/gait_conditions.h>

CAROM_BEGIN_DECLARATIONS

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

typedef struct carom_gait_branch_params {
    carom_gait_params gait;
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

carom_gait_branch_params carom_gait_branch_params_default(void);

/** Gaits in the order of the continuation. */
typedef struct carom_gait_branch {
    int count; /**< >= 1 */
    carom_gait_end end;
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
