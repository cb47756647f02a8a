/** The least-distance problem: the shortest vector in the intersection of half-spaces. */
#ifndef CAROM_BASE_LEAST_DISTANCE_H
#define CAROM_BASE_LEAST_DISTANCE_H

#include <carom/base/base.h>

/**
 * min |x|_2 subject to a_j . x >= 1, j = 1 .. g: unique if there is any such x. Starting from x =
 * 0, the half-space violated most is made active, others leave as soon as their multipliers y
 * vanish; x = A' y all the time and |x| rises. Only the active rows are factored, never their
 * products, so that half-spaces that leave a narrow opening of angle a are solved to about 1e-16/a.
 *
 * @param[in]  n   number of unknowns, >= 1
 * @param[in]  g   number of half-spaces, >= 1
 * @param[in]  A   [g][n] row-major, finite
 * @param[out] x   [n], A x >= 1 up to the rounding of one sum; NaN on failure
 * @param[out] y   [g] >= 0. On RAY the certificate, sum 1: A' y = 0 up to 1e-11 of its terms, so
 *                 that no x has A x > 0. NaN on any other failure
 * @param[out] gap 1 - (lower bound of |x| that y proves)/|x|, at most 1e-6; NaN on failure; may be
 *                 NULL
 * @return CAROM_OK; RAY: there is no x; NOT_CONVERGED: the digits do not tell; OUT_OF_MEMORY
 * Source: Goldfarb and Idnani 1983, section 3, with the identity as Hessian.
 * Cost: O(n q^2) for each change of q active rows.
 */
CAROM_MUST_CHECK carom_status carom_least_distance_solve(int n, int g, const double *A, double *x,
                                                         double *y, double *gap);

#endif
