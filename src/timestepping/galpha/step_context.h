/** Internal: what every scheme needs to compute one step. */
#ifndef CAROM_TIMESTEPPING_GALPHA_STEP_CONTEXT_H
#define CAROM_TIMESTEPPING_GALPHA_STEP_CONTEXT_H

#include <carom/timestepping/galpha/evaluation.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/galpha/galpha_coefficients.h>
#include <carom/timestepping/galpha/step_scales.h>
#include <carom/timestepping/galpha/step_state.h>

/** The step from `last` (t_n, kept) to `next` (t_{n+1}, computed); m = n_b + n_u constraints. */
struct carom_step_context {
    const carom_mechanism *mechanism;
    carom_stepper_params params;
    carom_galpha_coefficients galpha;
    double theta; /**< of Moreau-Jean, 1 */
    int n;
    int joint_count;
    int m;
    double time; /**< t_{n+1}, s */

    const carom_step_state *last;
    carom_step_state *next;
    carom_evaluation evaluation; /**< at the current iterate */
    double *restitution;         /**< [m] e, zero for joints */
    double *activation;          /**< [m] r of the activation tests, kg; zero for joints */
    carom_step_scales scales;    /**< of the rows at the current iterate */
};

#endif
