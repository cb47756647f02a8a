/** A rigid pendulum in redundant coordinates against a wall (bruls-2014 section 10.2), with its
 * exact solution. */
#ifndef CAROM_MODELS_BOUNCING_PENDULUM_H
#define CAROM_MODELS_BOUNCING_PENDULUM_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The pendulum, the wall and how it starts. */
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
 * Refuse parameters that are no pendulum in front of a wall: NaN or infinite; mass, inertia, length
 * not positive; gravity negative; restitution outside [0,1]; initial gap negative beyond rounding.
 *
 * @param[in]  params the pendulum
 * @param[out] report the parameter and its value, or "initial gap" in m; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE; PENETRATION
 */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_params_check(
    const carom_bouncing_pendulum_params *params, carom_report *report);

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
 * release in |theta| <= acos(wall/l), 1e-6 l <= wall < l, so that gravity drives the pendulum
 * against the wall at theta_w = -acos(wall/l); the initial rate may have either sign. Impacts that
 * rounding cannot part from the accumulation share its time; with e = 0 all but the first are void.
 *
 * @param[in]  params  the pendulum
 * @param[in]  count   >= 0
 * @param[out] impacts [count]
 * @param[out] report  may be NULL
 * @return CAROM_OK; a status of carom_bouncing_pendulum_params_check; OUT_OF_RANGE if the wall is
 * out of reach or the pendulum swings up to the wall above the pivot; NOT_CONVERGED.
 * On failure the impacts are NaN from the first one not found.
 * Source: energy integral in w = sqrt(sin theta_top - sin theta), which removes the singularity of
 * the turning point; impulses from momentum balance (bruls-2014 eq. 6d).
 */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_exact_impacts(
    const carom_bouncing_pendulum_params *params, int count,
    carom_bouncing_pendulum_impact *impacts, carom_report *report);

/**
 * Accumulation instant of the impacts: the flights by quadrature until the remaining ones are three
 * geometric series to relative 1e-13.
 *
 * @param[in]  params the pendulum
 * @param[out] time   s; infinite for e = 1, the first impact for e = 0; NaN on failure
 * @param[out] report may be NULL
 * @return as carom_bouncing_pendulum_exact_impacts; NOT_CONVERGED also if e < 1 is so close to 1
 * (about 4e-5) that 200000 flights do not suffice
 */
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
 * @return as carom_bouncing_pendulum_exact_accumulation_time; OUT_OF_MEMORY; NOT_FINITE or
 * OUT_OF_RANGE with the index of a time that is not finite, negative or decreasing. On failure NaN
 * from the first one not found. Accuracy about 1e-12.
 */
CAROM_MUST_CHECK carom_status carom_bouncing_pendulum_exact_states(
    const carom_bouncing_pendulum_params *params, int count, const double *times, double *angle,
    double *rate, carom_report *report);

/** Exact smooth joint forces (lambda~1, lambda~2), N, in open contact at angle and rate: [2]. */
void carom_bouncing_pendulum_exact_joint_force(const carom_bouncing_pendulum_params *params,
                                               double angle, double rate, double *force);

CAROM_END_DECLARATIONS

#endif
