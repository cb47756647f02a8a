/** Symmetric positive definite tridiagonal matrices: elimination from both ends towards row n / 2,
 * two chains of dependent operations of half the length, in the solution as well. */
#ifndef CAROM_BASE_TRIDIAGONAL_H
#define CAROM_BASE_TRIDIAGONAL_H

#include <carom/base/linear_algebra.h>

/**
 * @param[in]  layout      of A, banded or full
 * @param[in]  A           [layout], symmetric
 * @param[in]  threshold   of its diagonal entry a pivot must be above this part
 * @param[out] coupling    [n-1] entries beside the diagonal over their pivots
 * @param[out] reciprocals [n] of the pivots
 * @return whether all pivots are
 */
bool carom_tridiagonal_factor(carom_layout layout, const double *A, double threshold,
                              double *coupling, double *reciprocals);

/**
 * A^-1 x, substitution from both ends to the meeting row and back, the two chains side by side.
 *
 * @param[in]     n           size, >= 2
 * @param[in]     coupling    of the factor
 * @param[in]     reciprocals of the factor
 * @param[in,out] x           [n]
 */
void carom_tridiagonal_solve(int n, const double *coupling, const double *reciprocals, double *x);

#endif
