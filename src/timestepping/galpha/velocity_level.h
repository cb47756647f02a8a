/** Internal: schemes that impose every constraint at velocity level (Moreau-Jean, velocity_galpha).
 */
#ifndef CAROM_TIMESTEPPING_GALPHA_VELOCITY_LEVEL_H
#define CAROM_TIMESTEPPING_GALPHA_VELOCITY_LEVEL_H

#include <carom/timestepping/galpha/newton.h>

enum { CAROM_VELOCITY_LEVEL_BLOCKS = 2 }; /* increments of v~ and W */

/**
 * M v~' = f, M W = G' Lambda, v = v~ + W with increments  dv~' = (c/h) dv~,  dq = h b dv~ + h w dW:
 * Moreau-Jean has c = 1/theta, b = w = theta (bruls-2014 eq. 50); the predecessor of the paper's
 * scheme c = c_M, b = beta/gamma, w = 1/2.
 */
typedef struct carom_velocity_level {
    carom_step_context *step;
    double acceleration_factor; /**< c, 1 */
    double smooth_factor;       /**< b, 1 */
    double jump_factor;         /**< w, 1 */
    bool *closed;               /**< [m] closed at the predicted position, frozen during the step */
    double *predicted;          /**< [n] q* */
    carom_newton_problem problem;
} carom_velocity_level;

/** Bind to a step context. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_velocity_level_init(carom_velocity_level *scheme,
                                                        carom_step_context *step);

/** Free; a zeroed object is accepted. */
void carom_velocity_level_clear(carom_velocity_level *scheme);

/**
 * Contacts closed at the predicted position q* = q_n + kappa h v_n, kappa of params.predictor;
 * joints are.
 *
 * @param[in,out] step      evaluates the constraints
 * @param[out]    predicted [n] q*, m
 * @param[out]    closed    [m]
 */
void carom_velocity_level_closed_contacts(carom_step_context *step, double *predicted,
                                          bool *closed);

/** Moreau-Jean's start (50e,f) with v~' = 0, into smooth velocity, velocity and position of the
 * next state. */
void carom_moreau_jean_predict(carom_step_context *step);

/** Coefficients c, b, w of the increments for the scheme of a step context, 1. */
void carom_velocity_level_factors(const carom_step_context *step, double *acceleration_factor,
                                  double *smooth_factor, double *jump_factor);

/** Start values: closed contacts, smooth motion with v~' = 0, zero multipliers. */
void carom_velocity_level_predict(void *scheme);

/** Residual: h (M v~' - f);  M W - G_B' Lambda;  G_B v + E G_n v_n or -Lambda: [2n + m]. */
void carom_velocity_level_residual(void *scheme, double *r);

#endif
