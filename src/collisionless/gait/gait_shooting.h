/** Internal: the two-point problem of a collisionless gait as equations, and their solution. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_SHOOTING_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_SHOOTING_H

#include <carom/base/base.h>
#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/gait/gait_flow.h>

/**
 * Multiple shooting with m segments in single and m' in double support. Unknowns u [U], U =
 * 2N m + (2N - 2) m' - N + 3: q at P, where v = 0; q, v at the beginnings of the following segments
 * of single support; without the leg, which has q_N = -theta, v_N = 0, at the landing and at the
 * beginnings of the other segments of double support; tau, tau', theta. Equations [U - 1]: every
 * segment ends where the next one begins; F_N = 0 at the landing; the angles at P' are their own
 * mirror images.
 */
typedef struct carom_gait_shooting {
    carom_gait_dynamics *dynamics; /**< owned */
    carom_gait_flow *flow;         /**< owned */
    carom_gait_params params;
    int count;            /**< U */
    double *weight;       /**< [U] squares of the metric of arclength, owned with what follows */
    double *residual;     /**< [U] of the last evaluation, scaled; last entry 0 */
    double *matrix;       /**< [U][U] its derivative; the last row is for a condition on the step */
    double *step;         /**< [U] */
    double *trial;        /**< [U] */
    double *sensitivity;  /**< [2N + 1][2N] */
    double *state;        /**< [2N] */
    double *next;         /**< [2N] */
    double *rate;         /**< [2N] */
    carom_factor *factor; /**< of the matrix, owned */
    double norm;          /**< of the last residual, Euclidean */
    double largest;       /**< of the last residual, maximum */
    int iterations;       /**< of the last solution */
} carom_gait_shooting;

/** @return CAROM_OK; as carom_armed_biped_check; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_shooting_alloc(const carom_armed_biped_params *biped,
                                                        const carom_gait_params *params,
                                                        carom_gait_shooting **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_gait_shooting_free(carom_gait_shooting *shooting);
CAROM_AUTO_TYPE(carom_gait_shooting)

/**
 * Unknowns of a gait of small half step angle: the linear equations about the upright equilibrium,
 * solved at all segments together, so that growth along the motion does no harm.
 *
 * @param[in]  start  of the family
 * @param[in]  theta  half step angle, rad
 * @param[out] u      [U]
 * @param[out] report of a conflict; may be NULL
 * @return CAROM_OK; CONFLICT ("start position", the relative difference) if the harmonic motion
 * with these times is another one; SINGULAR, NOT_FINITE, NOT_CONVERGED (integration)
 */
CAROM_MUST_CHECK carom_status carom_gait_shooting_guess(carom_gait_shooting *shooting,
                                                        const carom_gait_start *start, double theta,
                                                        double *u, carom_report *report);

/**
 * Residual and its derivative at u.
 * @return CAROM_OK; OUT_OF_RANGE (tau or tau' not positive, theta negative); SINGULAR, NOT_FINITE,
 * NOT_CONVERGED (integration)
 */
CAROM_MUST_CHECK carom_status carom_gait_shooting_evaluate(carom_gait_shooting *shooting,
                                                           const double *u);

/** State [2N] at the beginning of segment k = 0 .. m + m' - 1. */
void carom_gait_shooting_state(const carom_gait_shooting *shooting, const double *u, int k,
                               double *state);

#endif
