/** Square systems that may be rank-deficient: the solution of minimum norm. */
#ifndef CAROM_BASE_MINIMUM_NORM_H
#define CAROM_BASE_MINIMUM_NORM_H

#include <carom/base/base.h>

/** A full matrix factored by LU, or by a complete orthogonal decomposition where LU meets no pivot.
 */
typedef struct carom_minimum_norm carom_minimum_norm;

/** Workspace for n x n systems, n >= 0. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_minimum_norm_alloc(int n, carom_minimum_norm **out);

/** Free; NULL is accepted. */
void carom_minimum_norm_free(carom_minimum_norm *solver);
CAROM_AUTO_TYPE(carom_minimum_norm)

/**
 * Factor A [n][n] row-major, unchanged. Rows below 1e-11 of the largest entry count as dependent.
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_minimum_norm_compute(carom_minimum_norm *solver,
                                                         const double *A);

/** The same by LU alone. @return CAROM_OK; SINGULAR if it meets no pivot; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_minimum_norm_compute_regular(carom_minimum_norm *solver,
                                                                 const double *A);

/** Overwrite b [n] by the least-squares solution of minimum norm. @return CAROM_OK; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_minimum_norm_solve(carom_minimum_norm *solver, double *b);

#endif
