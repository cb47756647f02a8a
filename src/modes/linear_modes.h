/** Linear modes: all eigenpairs of K x = omega^2 M x, refined to the rounding of the answer. */
#ifndef CAROM_MODES_LINEAR_MODES_H
#define CAROM_MODES_LINEAR_MODES_H

#include <carom/base/base.h>

/**
 * Eigenvalues and M-orthonormal eigenvectors of a symmetric definite pencil. The ones of M = V V',
 * V^-1 K V^-T are improved by first-order perturbation with residuals in twice the working
 * precision, until the next correction is below rounding: eigenvalues small against the largest,
 * and eigenvectors of close eigenvalues, keep their digits.
 *
 * @param[in]  n           number of coordinates, >= 1
 * @param[in]  M           [n][n] symmetric positive definite, kg
 * @param[in]  K           [n][n] symmetric, N/m
 * @param[out] eigenvalues [n] omega^2 ascending (to their resolution), rad2/s2; NaN after a failure
 * @param[out] X           [n][n] row-major, eigenvector l in column l, X'M X = 1, kg^-1/2; NaN
 * after a failure
 * @return CAROM_OK; NOT_FINITE if V^-1 K V^-T overflows; NOT_CONVERGED; OUT_OF_MEMORY
 * Source: Ogita, Aishima 2018 (refinement), here with residuals of the pencil.
 * Cost: O(n^3), 5 s for a chain of n = 1000.
 */
CAROM_MUST_CHECK carom_status carom_linear_modes_compute(int n, const double *M, const double *K,
                                                         double *eigenvalues, double *X);

/**
 * Difference up to which two eigenvalues count as equal, and size up to which one counts as zero:
 * the backward error of an eigenvalue computation, 8 n eps times the largest modulus.
 */
double carom_linear_modes_resolution(int n, const double *eigenvalues);

#endif
