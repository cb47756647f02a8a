/** Factor once, solve often: A x = b for a full or banded matrix. */
#ifndef CAROM_BASE_FACTOR_H
#define CAROM_BASE_FACTOR_H

#include <carom/base/base.h>

typedef struct carom_factor carom_factor;

/**
 * Workspace for the factorization of matrices of one layout.
 *
 * @param[in]  layout storage of the matrices to come
 * @param[out] out    belongs to the caller, to be freed by carom_factor_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_factor_alloc(carom_layout layout, carom_factor **out);

/** Free a workspace; NULL is accepted. */
void carom_factor_free(carom_factor *factor);
CAROM_AUTO_TYPE(carom_factor)

/**
 * Count a matrix as singular already where elimination reduces a pivot below this fraction of the
 * entry it started from; rounding, the default, is the least.
 *
 * @param[in,out] factor   for the matrices to come
 * @param[in]     fraction 1, in [0,1)
 */
void carom_factor_set_least_pivot(carom_factor *factor, double fraction);

/**
 * Factor A: banded and full symmetric positive definite as L D L', tridiagonal ones by elimination
 * from both ends; what is not exactly symmetric or not positive definite as (banded) LU with
 * partial pivoting and rows scaled to one size. Nothing is allocated.
 *
 * @param[in,out] factor overwritten
 * @param[in]     A      matrix in the layout of the workspace, unchanged
 * @return CAROM_OK; SINGULAR if a pivot is below 4 n roundings of what it was before elimination
 * (in its column of the scaled A); NOT_FINITE if A has a NaN or infinity
 * Cost: O(n b^2) banded, O(n^3) full.
 */
CAROM_MUST_CHECK carom_status carom_factor_compute(carom_factor *factor, const double *A);

/**
 * Overwrite b by A^-1 b. Cost O(n) diagonal and tridiagonal, O(n b) banded, O(n^2) full.
 *
 * @param[in]     factor after carom_factor_compute returned CAROM_OK
 * @param[in,out] b      [n]
 */
void carom_factor_solve(const carom_factor *factor, double *b);

#endif
