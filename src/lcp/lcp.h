/** Linear complementarity, 0 <= z _|_ w = M z + q >= 0: Lemke's method. */
#ifndef CAROM_LCP_LCP_H
#define CAROM_LCP_LCP_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/* -------------------------------------------------------------------------- residual and report */
/* The linear complementarity problem 0 <= z _|_ w = M z + q >= 0: residual and report. */

/** What a solver tells about its answer, computed afterwards from the defining equations. */
typedef struct carom_lcp_report {
    double residual; /**< max_i |min(z_i, w_i)| */
    int pivots;      /**< pivots or active-set changes spent, those of rescues included */
    int rescues;     /**< further attempts after the first failed: 0 as a rule */
    double relative; /**< of Lemke's method: max_i |min(z_i / C_i, R_i w_i)| in the scaling of
                          carom_lcp_solve_lemke, beside the largest -R_i q_i: whatever the units of
                          the rows; NaN of other methods */
} carom_lcp_report;

/**
 * max_i |min(z_i, (M z + q)_i)|, zero exactly for a solution (z and w in compatible scaling).
 *
 * @param[in] n number of unknowns, >= 0
 * @param[in] M [n][n] row-major
 * @param[in] q [n]
 * @param[in] z [n]
 * @return the residual; NaN if any entry is NaN
 * Source: the natural map, Cottle, Pang, Stone 2009, section 1.5.
 */
double carom_lcp_residual(int n, const double *M, const double *q, const double *z);

/* ------------------------------------------------------------------------------- Lemke's method */
/* Lemke's complementary pivoting for the linear complementarity problem. */

/** Work memory of Lemke's method. */
typedef struct carom_lcp_workspace carom_lcp_workspace;

/**
 * Work memory for problems of up to n unknowns.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_workspace_alloc(int n, carom_lcp_workspace **out);

/** Free a workspace; NULL is accepted. */
void carom_lcp_workspace_free(carom_lcp_workspace *work);
CAROM_AUTO_TYPE(carom_lcp_workspace)

/**
 * Solve 0 <= z  _|_  w = M z + q >= 0 by Lemke's method, in rows and columns scaled by powers of
 * two near R_i = C_i = M_ii^-1/2, w' = R w, z' = C^-1 z, where the covering vector is one. If M is
 * symmetric to the last bit and n > 1, principal pivots are tried first. If there are several
 * solutions, the one found is not always that of Lemke's path: give a covering vector where that
 * matters. A solution is returned only if the data confirm it; if the first path fails there are
 * further attempts, each counted as a rescue (see the document, "Solving it").
 *
 * @param[in]     n      number of unknowns, 0 <= n <= size of the workspace
 * @param[in]     M      [n][n] row-major, any: not symmetric, zero diagonal entries
 * @param[in]     q      [n]
 * @param[out]    z      [n]; may not overlap q. On RAY a direction, largest entry of z_i / C_i one,
 *                       that proves that there is no solution: M' z <= 0 and q' z < 0, so far
 * beyond rounding that R (M x + q) >= -1e-10 max -R q has no x >= 0 with |C^-1 x|_1
 *                       <= 1e9 max -R q. NaN on any other failure
 * @param[in,out] work   from carom_lcp_workspace_alloc
 * @param[out]    report residuals (NaN on failure), pivots, 0 for q >= 0, of the principal pivots
 *                       the rows exchanged, and rescues; may be NULL
 * @return CAROM_OK, each row min(z_i / C_i, R_i w_i), computed from M, q and z, then being 0 up to
 * 16 n roundings of the largest row of R (|q| + |M| z) and 1e-8 of the largest -R_i q_i, or, where
 * rounding cannot be reached (redundant contacts with a q that is not quite in the range of M), up
 * to 1e-10 of the largest -R_i q_i; RAY with a certificate as above, for M positive semidefinite
 * the only other outcome; NOT_CONVERGED if no attempt has found an answer, or it overflows;
 * NOT_FINITE
 * Source: Cottle, Pang, Stone 2009, section 4.4; lexicographic ratio test, section 4.9; principal
 * pivots, section 4.2.
 * Cost: n k^2 / 2 products for k pivots, k rarely above n; nothing is allocated. Ties are broken
 * lexicographically; ratios tie up to 1e-10 of a basic variable and 16 n roundings of q; z_0 leaves
 * whenever it is among those that come to zero.
 */
CAROM_MUST_CHECK carom_status carom_lcp_solve_lemke(int n, const double *M, const double *q,
                                                    double *z, carom_lcp_workspace *work,
                                                    carom_lcp_report *report);

/**
 * The same, without the principal pivots, along the path of a given covering vector d: w = M z + q
 * + d z_0, which of several solutions decides the one that is found. Scaling a row of M and q by s
 * is the same as dividing its d by s. The pivots are those of exact arithmetic with the
 * lexicographic rule as long as `rescues` is 0; an answer after rescues may be another solution.
 *
 * @param[in]     n        number of unknowns, 0 <= n <= size of the workspace
 * @param[in]     M        [n][n] row-major, any
 * @param[in]     q        [n]
 * @param[in]     covering [n] d > 0 in the units of the rows of M z + q; NULL: as above
 * @param[out]    z        [n] as above
 * @param[in,out] work     from carom_lcp_workspace_alloc
 * @param[out]    report   as above; may be NULL
 * @return as above; OUT_OF_RANGE for a d that is not positive
 */
CAROM_MUST_CHECK carom_status carom_lcp_solve_lemke_covering(int n, const double *M,
                                                             const double *q,
                                                             const double *covering, double *z,
                                                             carom_lcp_workspace *work,
                                                             carom_lcp_report *report);

CAROM_END_DECLARATIONS

#endif
