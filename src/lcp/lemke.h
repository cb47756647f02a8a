/** Lemke's complementary pivoting for the linear complementarity problem. */
#ifndef CAROM_LCP_LEMKE_H
#define CAROM_LCP_LEMKE_H

#include <carom/lcp/lcp.h>

typedef struct carom_lcp_workspace carom_lcp_workspace;

/**
 * Work memory for problems of up to n unknowns.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_workspace_alloc(int n, carom_lcp_workspace **out);

/** Free a workspace; NULL is accepted. */
void carom_lcp_workspace_free(carom_lcp_workspace *work);

/**
 * Solve 0 <= z  _|_  w = M z + q >= 0 by Lemke's method. The covering vector is one in the scaling
 * z_i / D_i, D_i w_i with D_i = M_ii^-1/2 to a power of two, so that units do not matter.
 *
 * @param[in]     n      number of unknowns, 0 <= n <= size of the workspace
 * @param[in]     M      [n][n] row-major
 * @param[in]     q      [n]
 * @param[out]    z      [n]; may not overlap q. On RAY the direction of the ray, largest entry of
 *                       z_i / D_i one: if M is positive semidefinite, M' z <= 0 and q' z < 0 up to
 *                       rounding, so that no z >= 0 has M z + q >= 0. NaN on any other failure
 * @param[in,out] work   from carom_lcp_workspace_alloc
 * @param[out]    report residual (NaN on failure) and pivots, 0 for q >= 0; may be NULL
 * @return CAROM_OK, each row min(z_i / D_i, D_i w_i), checked on the data, then being 0 up to 16 n
 * roundings of the largest row of D (|q| + |M| z), or, where that cannot be reached (redundant
 * contacts with a q that is not quite in the range of M), up to 1e-10 of the largest D_i |q_i|; RAY
 * if the method ends on a secondary ray; NOT_CONVERGED if the answer fails that check or overflows,
 * or 50 n pivots have not found one; NOT_FINITE
 * Source: Cottle, Pang, Stone 2009, section 4.4; lexicographic ratio test, section 4.9.
 * Cost: O(n^2) per pivot. Ties in the ratios are broken lexicographically as far as their
 * digits are equal; z_0 leaves whenever it is among those that come to zero, up to rounding.
 */
CAROM_MUST_CHECK carom_status carom_lcp_solve_lemke(int n, const double *M, const double *q,
                                                    double *z, carom_lcp_workspace *work,
                                                    carom_lcp_report *report);

#endif
