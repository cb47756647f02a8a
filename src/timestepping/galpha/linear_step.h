/** Internal: the exact step of a constant linear mechanism, condensed to its contacts. */
#ifndef CAROM_TIMESTEPPING_GALPHA_LINEAR_STEP_H
#define CAROM_TIMESTEPPING_GALPHA_LINEAR_STEP_H

#include <carom/base/base.h>
#include <carom/timestepping/galpha/step_context.h>

/**
 * For constant M, K, G, without damping and joints, a step is one solve with a matrix factored
 * once, and one linear complementarity problem per level with a constant Delassus matrix:
 * bruls-2014 eqs 29-30, or 50, with the motion eliminated. O(n) for tridiagonal systems, nothing
 * iterates.
 */
typedef struct carom_linear_step carom_linear_step;

/** Whether this mechanism and scheme have an exact linear step. */
bool carom_linear_step_applies(const carom_mechanism *mechanism, carom_scheme scheme);

/**
 * Factor and precompute.
 * @return CAROM_OK; SINGULAR if M or S* is; NOT_FINITE; NOT_SYMMETRIC; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_linear_step_alloc(carom_step_context *step,
                                                      carom_linear_step **out);

/** Free; NULL is accepted. */
void carom_linear_step_free(carom_linear_step *linear);
CAROM_AUTO_TYPE(carom_linear_step)

/**
 * Compute the next state from the last, rates included.
 * @param[in,out] linear     the precomputed step
 * @param[out]    iterations 1, plus one for each change of an active set
 * @return CAROM_OK; NOT_FINITE; RAY; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_linear_step_solve(carom_linear_step *linear, int *iterations);

#endif
