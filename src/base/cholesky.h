/** Internal: M = L L', refused by a status. */
#ifndef CAROM_BASE_CHOLESKY_H
#define CAROM_BASE_CHOLESKY_H

#include <carom/base/base.h>

/**
 * Overwrite the lower triangle of M by L; the upper one is not read and stays.
 *
 * @param[in]     n number of rows, >= 1
 * @param[in,out] M [n][n] row-major, finite
 * @return CAROM_OK; SINGULAR if a pivot is not above zero
 * Source: gsl_linalg_cholesky_decomp1, whose order of sums it keeps, and which calls GSL's error
 * handler instead.
 * Cost: n^3/3.
 */
CAROM_MUST_CHECK carom_status carom_cholesky_compute(int n, double *M);

#endif
