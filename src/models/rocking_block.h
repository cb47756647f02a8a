/** A rigid block rocking on a floor with two corner contacts (bruls-2014 section 10.4), with an
 * event-driven reference. */
#ifndef CAROM_MODELS_ROCKING_BLOCK_H
#define CAROM_MODELS_ROCKING_BLOCK_H

#include <carom/models/model.h>

typedef struct carom_rocking_block_params {
    double mass;               /**< m, kg */
    double width;              /**< L, m */
    double height;             /**< l, m */
    double gravity;            /**< a_g, m/s2 */
    double restitution;        /**< e at both corners, 1 */
    double initial_x;          /**< m */
    double initial_y;          /**< m */
    double initial_angle;      /**< rad */
    double initial_x_velocity; /**< m/s */
    double initial_y_velocity; /**< m/s */
    double initial_rate;       /**< rad/s */
} carom_rocking_block_params;

/** 1 kg, 1 m, 1.5 m, 9.81 m/s2, 0.5, (0 m, 1 m, 0.2 rad), at rest (bruls-2014 section 10.4). */
carom_rocking_block_params carom_rocking_block_params_default(void);

/**
 * q = (x, y, theta); gaps y - (l/2) cos theta +- (L/2) sin theta (53); J = m (L^2 + l^2)/12; V = m
 * a_g y.
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; PENETRATION;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_rocking_block_alloc(const carom_rocking_block_params *params,
                                                        carom_model **out, carom_report *report);

/** One impact of the event-driven reference. */
typedef struct carom_rocking_block_impact {
    double time;     /**< s */
    int corner;      /**< 0 for g^1, 1 for g^2 */
    double gap_rate; /**< just before, m/s, < 0 */
    double impulse;  /**< N s */
    double energy;   /**< total energy just after, J */
} carom_rocking_block_impact;

/**
 * The impacts of the event-driven solution up to `capacity`, stopping before the first accumulation
 * (when the time between impacts of one corner falls below `resolution`) or when nothing falls any
 * more.
 *
 * @param[in]  params     the block
 * @param[in]  resolution shortest time between impacts that is still resolved, s
 * @param[in]  capacity   length of impacts
 * @param[out] impacts    [capacity]
 * @param[out] count      number found
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_CONVERGED
 * Free flight is ballistic in closed form; the first root of each gap is bracketed with a bound on
 * its second derivative, so that none is missed.
 */
CAROM_MUST_CHECK carom_status carom_rocking_block_exact_impacts(
    const carom_rocking_block_params *params, double resolution, int capacity,
    carom_rocking_block_impact *impacts, int *count, carom_report *report);

/**
 * State (x, y, theta) and velocity of the event-driven solution at a time before the last of the
 * impacts found.
 *
 * @param[in]  params   the block
 * @param[in]  count    number of impacts
 * @param[in]  impacts  [count] from carom_rocking_block_exact_impacts
 * @param[in]  t        s
 * @param[out] position [3]
 * @param[out] velocity [3], right limit
 */
void carom_rocking_block_exact_state(const carom_rocking_block_params *params, int count,
                                     const carom_rocking_block_impact *impacts, double t,
                                     double *position, double *velocity);

#endif
