/** A ball falling on a rigid floor (bruls-2014 section 10.1), with its exact solution. */
#ifndef CAROM_MODELS_BOUNCING_BALL_H
#define CAROM_MODELS_BOUNCING_BALL_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The ball and how it starts. */
typedef struct carom_bouncing_ball_params {
    double mass;             /**< m, kg */
    double radius;           /**< R, m */
    double gravity;          /**< a_g, m/s2 */
    double initial_height;   /**< h_0, height of the centre, m */
    double initial_velocity; /**< v_0, upwards, m/s */
    double restitution;      /**< e, 1 */
} carom_bouncing_ball_params;

/** The paper's values: 1 kg, 0.2 m, 10 m/s2, 1.001 m, 0 m/s, 0.8 (bruls-2014 section 10.1). */
carom_bouncing_ball_params carom_bouncing_ball_params_default(void);

/**
 * q = (y): height of the centre; gap y - R; V = m a_g (y - R).
 *
 * @return CAROM_OK; OUT_OF_RANGE or NOT_FINITE with the parameter in the report; PENETRATION;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_bouncing_ball_alloc(const carom_bouncing_ball_params *params,
                                                        carom_model **out, carom_report *report);

/** One impact of an exact solution. */
typedef struct carom_bouncing_ball_impact {
    double time;    /**< s */
    double speed;   /**< approach speed, m/s */
    double impulse; /**< N s */
} carom_bouncing_ball_impact;

/**
 * The k-th impact (k = 0 the first) of the exact solution: speeds in geometric progression of ratio
 * e, the impulse m (1+e) times the speed; at an infinite time if the ball does not come down again.
 * Source: closed form.
 */
carom_bouncing_ball_impact
carom_bouncing_ball_exact_impact(const carom_bouncing_ball_params *params, int k);

/** Accumulation instant of the impacts, s: the first impact for e = 0, infinite for e = 1. Source:
 * bruls-2014 section 10.1 (3.602 s). */
double carom_bouncing_ball_exact_accumulation_time(const carom_bouncing_ball_params *params);

/**
 * Exact state at time t, right limit at impacts; at rest after the accumulation.
 *
 * @param[in]  params   the ball
 * @param[in]  t        s, >= 0
 * @param[out] position height of the centre, m
 * @param[out] velocity m/s
 */
void carom_bouncing_ball_exact_state(const carom_bouncing_ball_params *params, double t,
                                     double *position, double *velocity);

CAROM_END_DECLARATIONS

#endif
