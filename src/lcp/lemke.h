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
 * Solve 0 <= z  _|_  w = M z + q >= 0 by Lemke's method.
 *
 * @param[in]     n      number of unknowns, 0 <= n <= size of the workspace
 * @param[in]     M      [n][n] row-major
 * @param[in]     q      [n]
 * @param[out]    z      [n]; may not overlap q; NaN on failure other than RAY
 * @param[in,out] work   from carom_lcp_workspace_alloc
 * @param[out]    report residual and pivots; may be NULL
 * @return CAROM_OK, the residual then being at rounding of the data; RAY if the method ends on a
 * secondary ray; NOT_CONVERGED if the answer does not satisfy the equations to rounding or pivots
 * run out; NOT_FINITE Source: Cottle, Pang, Stone 2009, section 4.4; lexicographic ratio test,
 * section 4.9. Cost: O(n^2) per pivot.
 */
CAROM_MUST_CHECK carom_status carom_lcp_solve_lemke(int n, const double *M, const double *q,
                                                    double *z, carom_lcp_workspace *work,
                                                    carom_lcp_report *report);

#endif
