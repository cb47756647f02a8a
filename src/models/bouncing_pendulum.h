/** A rigid pendulum in redundant coordinates against a wall (bruls-2014 section 10.2), with its
 * exact solution. */
#ifndef CAROM_MODELS_BOUNCING_PENDULUM_H
#define CAROM_MODELS_BOUNCING_PENDULUM_H

#include <carom/models/model.h>

typedef struct carom_bouncing_pendulum_params {
    double mass;          /**< m, kg */
    double inertia;       /**< J about the mass centre, kg m2 */
    double length;        /**< l from pivot to mass centre, m */
    double gravity;       /**< a_g, m/s2 */
    double initial_angle; /**< theta_0 above the horizontal, rad */
    double initial_rate;  /**< d theta/dt, rad/s */
    double wall_position; /**< x of the wall: contact gap x - wall_position, m */
    double restitution;   /**< e, 1 */
} carom_bouncing_pendulum_params;

/** 1 kg, 0.1 kg m2, 1 m, 10 m/s2, pi/12, 0, sqrt(2)/2 m, 0.8 (bruls-2014 section 10.2). */
carom_bouncing_pendulum_params carom_bouncing_pendulum_params_default(void);

/**
 * q = (x, y, theta); joints x - l cos theta, y - l sin theta; contact x - wall_position; V = m a_g
 * y.
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; PENETRATION;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_alloc(
    const carom_bouncing_pendulum_params *params, carom_model **out, carom_report *report);

/** One impact of the exact solution. */
typedef struct carom_bouncing_pendulum_impact {
    double time;             /**< s */
    double rate;             /**< d theta/dt just before, rad/s */
    double contact_impulse;  /**< Lambda^3, N s */
    double joint_impulse[2]; /**< Lambda^1, Lambda^2, N s */
    double energy;           /**< total energy just after, J */
} carom_bouncing_pendulum_impact;

/**
 * The first `count` impacts by quadrature of dt = d theta / theta_dot (GSL, relative 1e-12), for a
 * release above the wall angle theta_w = -acos(wall/l) with gravity driving the pendulum against
 * the wall.
 *
 * @param[in]  params  the pendulum
 * @param[in]  count   >= 0
 * @param[out] impacts [count]
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE if the pendulum does not reach the wall or passes the upright
 * position; NOT_CONVERGED; OUT_OF_MEMORY Source: energy integral; impulses from momentum balance
 * (bruls-2014 eq. 6d).
 */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_exact_impacts(
    const carom_bouncing_pendulum_params *params, int count,
    carom_bouncing_pendulum_impact *impacts, carom_report *report);

/** Accumulation instant, s (infinite for e = 1); same errors. */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_exact_accumulation_time(
    const carom_bouncing_pendulum_params *params, double *time, carom_report *report);

/**
 * Exact angle and rate at `count` increasing times (event-driven Runge-Kutta 8 between the impacts
 * of the quadrature; at rest against the wall after the accumulation; right limits).
 *
 * @param[in]  params the pendulum
 * @param[in]  count  number of times
 * @param[in]  times  [count] s, increasing, >= 0
 * @param[out] angle  [count] rad
 * @param[out] rate   [count] rad/s
 * @param[out] report may be NULL
 */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_exact_states(
    const carom_bouncing_pendulum_params *params, int count, const double *times, double *angle,
    double *rate, carom_report *report);

/** Exact smooth joint forces (lambda~1, lambda~2), N, in open contact at angle and rate: [2]. */
void carom_bouncing_pendulum_exact_joint_force(const carom_bouncing_pendulum_params *params,
                                               double angle, double rate, double *force);

#endif
