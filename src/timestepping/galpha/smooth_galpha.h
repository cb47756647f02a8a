/** Internal: the smooth generalized-alpha scheme with constraints at position level (index 3). */
#ifndef CAROM_TIMESTEPPING_GALPHA_SMOOTH_GALPHA_H
#define CAROM_TIMESTEPPING_GALPHA_SMOOTH_GALPHA_H

#include <carom/timestepping/galpha/newton.h>

/** Unknowns (dq/h, -h dlambda): no velocity jump, no impact law (bruls-2014 eqs 51-52). */
typedef struct carom_smooth_galpha {
    carom_step_context *step;
    carom_newton_problem problem;
} carom_smooth_galpha;

/** Bind to a step context. */
void carom_smooth_galpha_init(carom_smooth_galpha *scheme, carom_step_context *step);

/** Prediction (40) and zero multipliers. */
void carom_smooth_galpha_predict(void *scheme);

/** Residual: h (M v' - G_A' lambda - f);  g_A/h or -h lambda: [n + m]. */
void carom_smooth_galpha_residual(void *scheme, double *r);

#endif
