/** A ball on a table that moves up and down as A sin(omega t), with the exact map from impact to
 * impact (Holmes, The dynamics of repeated impacts with a sinusoidally vibrating table, Journal of
 * Sound and Vibration 84, 1982, who neglects the table's displacement; here it is not). */
#ifndef CAROM_MODELS_VIBRATING_TABLE_H
#define CAROM_MODELS_VIBRATING_TABLE_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The ball, the table and how they start. */
typedef struct carom_vibrating_table_params {
    double mass;              /**< m of the ball, kg; the table is heavy */
    double gravity;           /**< g > 0, m/s2 */
    double restitution;       /**< e, 1 */
    double angular_frequency; /**< omega > 0 of the table, rad/s */
    double acceleration;      /**< Gamma = A omega^2/g >= 0, largest of the table over gravity, 1 */
    double initial_phase;     /**< omega t of the table at time 0, rad */
    double initial_gap;       /**< of the ball above the table, m */
    double initial_velocity;  /**< of the ball relative to the table, m/s */
} carom_vibrating_table_params;

/** 1 kg, 9.81 m/s2, e = 0.5, 10 Hz, Gamma = 1.2, just after an impact of the period-one motion. */
carom_vibrating_table_params carom_vibrating_table_params_default(void);

/**
 * The ball in the frame of the table: q = (gap), f = -m (g - A omega^2 sin(omega t + phase)),
 * V = m g q. Restitution acts on the velocity relative to the table, which is q's.
 *
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; PENETRATION;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_vibrating_table_alloc(
    const carom_vibrating_table_params *params, carom_model **out, carom_report *report);

/** The instant after an impact. */
typedef struct carom_vibrating_table_impact {
    double phase;    /**< omega t of the table, rad; grows from impact to impact */
    double velocity; /**< of the ball in space over g/omega, 1 */
} carom_vibrating_table_impact;

/**
 * The next impact: with theta the phase, u the velocity and sigma = omega times the flight,
 *
 *     Gamma sin(theta) + u sigma - sigma^2/2 = Gamma sin(theta + sigma),   its first root > 0,
 *     u+ = -e (u - sigma) + (1 + e) Gamma cos(theta + sigma)
 *
 * @param[in]  params   restitution and acceleration matter, nothing else
 * @param[in]  from     after an impact
 * @param[out] to       after the next one; may be `from`; NaN on failure
 * @param[out] jacobian [2][2] of (phase, velocity) by those before, row-major; may be NULL
 * @param[out] report   may be NULL
 * @return CAROM_OK; OUT_OF_RANGE if the ball leaves no faster than the table; NOT_CONVERGED for a
 * flight that rounding cannot tell from none: the impacts accumulate
 */
CAROM_MUST_CHECK carom_status carom_vibrating_table_next(const carom_vibrating_table_params *params,
                                                         const carom_vibrating_table_impact *from,
                                                         carom_vibrating_table_impact *to,
                                                         double *jacobian, carom_report *report);

/**
 * The motion with one impact in each period of the table that is stable where it begins: u = pi,
 * cos(theta) = pi (1 - e)/((1 + e) Gamma), theta in [0, pi/2].
 *
 * @return CAROM_OK; OUT_OF_RANGE with the smallest Gamma, pi (1 - e)/(1 + e), below which there is
 * none
 */
CAROM_MUST_CHECK carom_status
carom_vibrating_table_period_one(const carom_vibrating_table_params *params,
                                 carom_vibrating_table_impact *impact, carom_report *report);

/** Gamma at which the period-one motion doubles its period, a multiplier being -1:
 * Gamma^2 = pi^2 ((1 - e)/(1 + e))^2 + 4 (1 + e^2)^2/(1 + e)^4. Source: the Jacobian of the map. */
double carom_vibrating_table_flip_acceleration(double restitution);

/**
 * A motion of `period` impacts in as many periods of the table, by Newton's method on the map.
 *
 * @param[in]     params   as carom_vibrating_table_next
 * @param[in]     period   impacts, >= 1
 * @param[in,out] impact   a guess; the motion's impact near it, its phase in [0, 2 pi)
 * @param[out]    jacobian [2][2] of the map over the whole motion: determinant e^(2 period)
 * @param[out]    report   may be NULL
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; as carom_vibrating_table_next
 */
CAROM_MUST_CHECK carom_status carom_vibrating_table_orbit(
    const carom_vibrating_table_params *params, int period, carom_vibrating_table_impact *impact,
    double *jacobian, carom_report *report);

CAROM_END_DECLARATIONS

#endif
