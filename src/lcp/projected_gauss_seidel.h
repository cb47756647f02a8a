/** The linear complementarity problem by sweeps over its rows, as many as one can afford. */
#ifndef CAROM_LCP_PROJECTED_GAUSS_SEIDEL_H
#define CAROM_LCP_PROJECTED_GAUSS_SEIDEL_H

#include <carom/lcp/lcp.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Approach a solution of 0 <= z  _|_  w = M z + q >= 0 by projected Gauss-Seidel,
 *
 *     z_i <- max(0, z_i - w_i/M_ii),   i = 0 .. n-1,   up to `sweeps` times,
 *
 * until one changes nothing. For symmetric positive semidefinite M each sweep lowers z' M z/2 + q'
 * z, and z converges to a solution if there is one (Luo, Tseng 1992); where two rows of cosine c
 * are positive, a sweep leaves c^2 of the error. What is left after the last sweep is no failure,
 * but the residual.
 *
 * @param[in]     n      number of rows, >= 0
 * @param[in]     M      [n][n] row-major, M_ii > 0
 * @param[in]     q      [n]
 * @param[in]     sweeps >= 0
 * @param[in,out] z      [n] where to start (zeros, or the last solution: a warm start; entries
 * below zero count as zero), then where the sweeps ended; may not overlap q; NaN on failure
 * @param[out]    report residual max|min(z, w)|, NaN on failure; pivots: sweeps done; may be NULL
 * @return CAROM_OK, whatever the residual; OUT_OF_RANGE: M_ii <= 0; NOT_FINITE: q or M_ii, or z at
 * the start or by overflow
 * Source: Cottle, Pang, Stone 2009, section 5.2 (projected Gauss-Seidel); the sweeps of contact
 * solvers for games, such as the engine of seghete-2014 figure 2.
 * Cost: O(n^2) a sweep; nothing is allocated.
 */
CAROM_MUST_CHECK carom_status carom_lcp_solve_gauss_seidel(int n, const double *M, const double *q,
                                                           int sweeps, double *z,
                                                           carom_lcp_report *report);

CAROM_END_DECLARATIONS

#endif
