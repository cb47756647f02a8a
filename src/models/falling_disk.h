/** A ball that falls on the ground and stays (halm-2023 figure 6), and its exact solution of the
 * continuous-time inclusion. */
#ifndef CAROM_MODELS_FALLING_DISK_H
#define CAROM_MODELS_FALLING_DISK_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The disc and how it falls. */
typedef struct carom_falling_disk_params {
    double radius;           /**< R, m */
    double mass;             /**< m, kg */
    double gravity;          /**< g, m/s2 */
    double initial_gap;      /**< z = phi, height of the lowest point, m */
    double initial_velocity; /**< dz/dt, upward, m/s */
    double friction;         /**< mu, 1 */
    double reference_force;  /**< kappa, N: s = t + (normal impulse)/kappa; NaN: the weight */
} carom_falling_disk_params;

/** 1 m, 1 kg, 1 m/s2, from z = 2/3 m with 2/3 m/s, 0, NaN: 1 N (the authors' programs: the text
 * names no numbers). */
carom_falling_disk_params carom_falling_disk_params_default(void);

/** kappa, N: as given, or the weight. */
double carom_falling_disk_reference_force(const carom_falling_disk_params *params);

/**
 * A disc above the floor y = 0: q = (x, y, theta), y = z + R; one contact.
 *
 * @param[in]  params the ball
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: radius, mass, gravity or reference force not positive, a radius
 * whose rounding is seen in the fall, friction negative; PENETRATION: "initial gap" negative;
 * NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_falling_disk_alloc(const carom_falling_disk_params *params,
                                                       carom_impact_scene **out,
                                                       carom_report *report);

/** The three phases of the exact solution. */
typedef enum carom_falling_disk_phase {
    CAROM_FALLING_DISK_FLIGHT, /**< ds = dt */
    CAROM_FALLING_DISK_IMPACT, /**< ds = dL_n/kappa, time stands still */
    CAROM_FALLING_DISK_REST    /**< ds = (1 + m g/kappa) dt */
} carom_falling_disk_phase;

/** When it lands, in the solution's variable s as well. */
typedef struct carom_falling_disk_landing {
    double time;          /**< of the landing, s; also s at the start of the impact */
    double speed;         /**< downward, just before, m/s */
    double impulse;       /**< m times this speed, N s */
    double impact_length; /**< of the impact in s, impulse/kappa, s */
    double resting_share; /**< dt/ds at rest, 1/(1 + m g/kappa) */
} carom_falling_disk_landing;

/** A point of the solution; where s is at the change of two phases, the later one. */
typedef struct carom_falling_disk_state {
    carom_falling_disk_phase phase; /**< at s and just after */
    double time;                    /**< t(s), s */
    double gap;                     /**< z, m */
    double velocity;                /**< dz/dt, m/s */
    double time_rate;               /**< dt/ds just after s */
    double impulse_rate;            /**< dL_n/ds over kappa just after s */
} carom_falling_disk_state;

/**
 * z0 + dz0 t - g t^2/2 = 0, v = -sqrt(dz0^2 + 2 g z0).
 *
 * @param[in]  params  the ball
 * @param[out] landing NaN on failure
 * @param[out] report  may be NULL
 * @return CAROM_OK; as carom_falling_disk_alloc
 */
CAROM_MUST_CHECK carom_status
carom_falling_disk_exact_landing(const carom_falling_disk_params *params,
                                 carom_falling_disk_landing *landing, carom_report *report);

/**
 * The solution of (53) at s: flight, impact, rest.
 *
 * @param[in] params  admitted by carom_falling_disk_exact_landing
 * @param[in] landing from there
 * @param[in] s       >= 0; the state of any other s is NaN
 */
carom_falling_disk_state carom_falling_disk_exact_state(const carom_falling_disk_params *params,
                                                        const carom_falling_disk_landing *landing,
                                                        double s);

CAROM_END_DECLARATIONS

#endif
