/** A collisionless gait as a table over time: a quarter of the cycle, or all of it. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_TRAJECTORY_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_TRAJECTORY_H

#include <carom/base/attributes.h>
#include <carom/collisionless/gait/nonlinear_gait.h>

CAROM_BEGIN_DECLARATIONS

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

CAROM_END_DECLARATIONS

#endif
