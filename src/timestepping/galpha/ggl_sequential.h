/** Internal: the nonsmooth generalized-alpha step by three smaller systems in turn. */
#ifndef CAROM_TIMESTEPPING_GALPHA_GGL_SEQUENTIAL_H
#define CAROM_TIMESTEPPING_GALPHA_GGL_SEQUENTIAL_H

#include <carom/base/base.h>
#include <carom/timestepping/galpha/ggl_newton.h>

typedef struct carom_ggl_sequential carom_ggl_sequential;

/** Workspace for the steps of one context. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_ggl_sequential_alloc(const carom_step_context *step,
                                                         carom_ggl_sequential **out);

/** Free; NULL is accepted. */
void carom_ggl_sequential_free(carom_ggl_sequential *work);
CAROM_AUTO_TYPE(carom_ggl_sequential)

/**
 * Algorithm 1 of bruls-2014 with the corrections: scaled left-hand side dU/h in step 2, inactive
 * multipliers cleared. Gives up after max_iterations, or as soon as the residual grows beyond any
 * hope; the caller then turns to the full matrix.
 *
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_ggl_sequential_solve(carom_ggl_sequential *work, carom_ggl *ggl,
                                                         double tolerance, int max_iterations,
                                                         carom_newton_result *result);

#endif
