/** Closed forms for the Cauchy matrix M_ij = 1/(lambda_i - lambda'_j) of interlacing spectra. */
#ifndef CAROM_COLLISIONLESS_CURVES_CAUCHY_H
#define CAROM_COLLISIONLESS_CURVES_CAUCHY_H

#include <carom/base/base.h>

/**
 * M_ij = 1/(a_i - b_j).
 *
 * @param[in]  rows    of M
 * @param[in]  columns of M
 * @param[in]  a       [rows]
 * @param[in]  b       [columns], different from every a
 * @param[out] M       [rows][columns] row-major
 * Source: pankov-2024 (7).
 */
void carom_cauchy_matrix(int rows, int columns, const double *a, const double *b, double *M);

/** Determinant of the square matrix 1/(a_i - b_j), a [n], b [n] (Schechter 1959). Cost: O(n2). */
double carom_cauchy_determinant(int n, const double *a, const double *b);

/** Its inverse [n][n] row-major (Schechter 1959). Cost: O(n2). */
void carom_cauchy_inverse(int n, const double *a, const double *b, double *inverse);

/**
 * Shares W_i of the modes in the contact: W_i = prod_j (lambda'_j - lambda_i) / prod_{k != i}
 * (lambda_k - lambda_i), positive for interlacing spectra, sum 1. eta_i = W_i/W_N, c = W_N
 * (m^-1)_NN.
 *
 * @param[in]  N           modes of the unconstrained phase, >= 2
 * @param[in]  lambda      [N] ascending, 1/s2
 * @param[in]  constrained lambda' [N-1] interlacing, 1/s2
 * @param[out] share       W [N], 1
 * Source: equivalent to pankov-2024 (10), whose second form lacks a reciprocal. Cost: O(N2).
 */
void carom_cauchy_shares(int N, const double *lambda, const double *constrained, double *share);

#endif
