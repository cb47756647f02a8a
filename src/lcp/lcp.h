/** The linear complementarity problem 0 <= z  _|_  w = M z + q >= 0: residual and report. */
#ifndef CAROM_LCP_LCP_H
#define CAROM_LCP_LCP_H

#include <carom/base/status.h>

CAROM_BEGIN_DECLARATIONS

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

CAROM_END_DECLARATIONS

#endif
