/** A rigid block rocking on a floor with two corner contacts (bruls-2014 section 10.4), with an
 * event-driven reference. */
#ifndef CAROM_MODELS_ROCKING_BLOCK_H
#define CAROM_MODELS_ROCKING_BLOCK_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The block and how it starts. */
typedef struct carom_rocking_block_params {
    double mass;               /**< m, kg */
    double width;              /**< L, m */
    double height;             /**< l, m */
    double gravity;            /**< a_g, m/s2 */
    double restitution;        /**< e at both corners, 1 */
    double friction;           /**< mu at both corners, 1; bruls-2014 has none */
    double initial_x;          /**< m */
    double initial_y;          /**< m */
    double initial_angle;      /**< rad */
    double initial_x_velocity; /**< m/s */
    double initial_y_velocity; /**< m/s */
    double initial_rate;       /**< rad/s */
} carom_rocking_block_params;

/** 1 kg, 1 m, 1.5 m, 9.81 m/s2, 0.5, no friction, (0 m, 1 m, 0.2 rad), at rest (bruls-2014
 * section 10.4). */
carom_rocking_block_params carom_rocking_block_params_default(void);

/**
 * Refuse parameters that do not describe a block above a floor: NaN or infinite; mass, width,
 * height not positive; gravity or friction negative; restitution outside [0,1]; an initial gap
 * negative beyond rounding.
 *
 * @param[in]  params the block
 * @param[out] report the parameter and its value, or "initial gap" in m with the contact; may be
 * NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE; PENETRATION
 */
CAROM_MUST_CHECK carom_status
carom_rocking_block_params_check(const carom_rocking_block_params *params, carom_report *report);

/**
 * q = (x, y, theta); gaps y - (l/2) cos theta +- (L/2) sin theta (53), sliding along x; J = m (L^2
 * + l^2)/12; V = m a_g y.
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
 * (when the time between impacts of one corner falls below `resolution`) or when a corner stays on
 * the floor (after the first impact if e = 0; at once if released at rest on a corner).
 *
 * @param[in]  params     the block, with gravity > 0
 * @param[in]  resolution shortest time between impacts of one corner that is still resolved, s, > 0
 * @param[in]  capacity   length of impacts, >= 0
 * @param[out] impacts    [capacity]
 * @param[out] count      number found; also on failure, where these are valid
 * @param[out] report     time and corner of a failure; may be NULL
 * @return CAROM_OK; a status of carom_rocking_block_params_check; OUT_OF_RANGE or NOT_FINITE for
 * gravity, friction, which it has not, and resolution; NOT_CONVERGED if both corners land at once
 * (a flat fall: Newton's law of a single contact does not decide), or if a flight turns too often
 * to be followed.
 *
 * Free flight is ballistic in closed form; each gap is followed by a bound on its second derivative
 * up to its first root, so that none is missed; the law at a corner is Newton's. Cost: about five
 * evaluations of the gap per impact and corner.
 */
CAROM_MUST_CHECK carom_status carom_rocking_block_exact_impacts(
    const carom_rocking_block_params *params, double resolution, int capacity,
    carom_rocking_block_impact *impacts, int *count, carom_report *report);

/**
 * State (x, y, theta) and velocity of the event-driven solution at a time before the impact that
 * follows the last one given.
 *
 * @param[in]  params   the block
 * @param[in]  count    number of impacts
 * @param[in]  impacts  [count] from carom_rocking_block_exact_impacts
 * @param[in]  t        s, >= 0
 * @param[out] position [3] m, m, rad
 * @param[out] velocity [3] m/s, m/s, rad/s, right limit
 */
void carom_rocking_block_exact_state(const carom_rocking_block_params *params, int count,
                                     const carom_rocking_block_impact *impacts, double t,
                                     double *position, double *velocity);

CAROM_END_DECLARATIONS

#endif
