/** Internal: the nonsmooth generalized-alpha step at position and velocity level, full Newton
 * matrix. */
#ifndef CAROM_TIMESTEPPING_GALPHA_GGL_NEWTON_H
#define CAROM_TIMESTEPPING_GALPHA_GGL_NEWTON_H

#include <carom/timestepping/galpha/newton.h>

enum { CAROM_GGL_BLOCKS = 3 }; /* increments of v~, U/h, W */

/**
 * The scheme as a Newton problem on a step context: unknowns (dv~, dU/h, dW, -h dlambda~, -dnu/h,
 * -dLambda), the order of bruls-2014 eq. 42 with the multipliers gathered behind the kinematic
 * blocks.
 */
typedef struct carom_ggl {
    carom_step_context *step;
    bool is_modified; /**< eqs 25 and 27 in place of 28: nu/h - Lambda complements the gap */
    double *free_q;   /**< [n] q~ of the current iterate */
    double *velocity; /**< [n] scratch */
    double *memory;   /**< owns both */
    carom_newton_problem problem;
} carom_ggl;

/** Bind to a step context. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_init(carom_ggl *ggl, carom_step_context *step,
                                             bool is_modified);

/** Free; a zeroed object is accepted. */
void carom_ggl_clear(carom_ggl *ggl);

/** Prediction (40): every multiplier, U and W zero. */
void carom_ggl_predict(void *ggl);

/** Active sets (38) at the current iterate. */
void carom_ggl_activate(void *ggl);

/** Residual (39), inactive rows with the sign of (42): [3n + n_b + 2m]. */
void carom_ggl_residual(void *ggl, double *r);

/** Scales of its rows. */
void carom_ggl_scale(void *ggl, double *scale);

/** Newton matrix (44)-(45) at the iterate of the last residual. */
void carom_ggl_assemble(void *ggl, carom_saddle *saddle);

/**
 * Add S* (45) to block (0,0), leaving K_t and C_t in the evaluation's stiffness and damping.
 */
void carom_ggl_assemble_smooth(carom_ggl *ggl, carom_saddle *saddle);

/**
 * d(M(q) x - G' lambda)/dq at the current iterate (45), lambda masked by `active` (NULL: none),
 * [layout], borrowed from the evaluation until its next use.
 */
const double *carom_ggl_inertia_derivative(carom_ggl *ggl, const double *x, const double *lambda,
                                           const bool *active);

/** Increment relations (41). */
void carom_ggl_update(void *ggl, const double *dx);

/** Largest rows of the three parts of the residual (39), each row in its own scale. */
void carom_ggl_residual_norms(const carom_ggl *ggl, const double *r, const double *scale,
                              double *smooth, double *position, double *velocity);

#endif
