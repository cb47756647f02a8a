/** Warm-started active-set solution of many linear complementarity problems with one matrix. */
#ifndef CAROM_LCP_ACTIVE_SET_H
#define CAROM_LCP_ACTIVE_SET_H

#include <carom/base/base.h>
#include <carom/lcp/lcp.h>

#include <stdbool.h>

/**
 * A constant symmetric positive semidefinite matrix (a Delassus matrix), the last active set and
 * the factorization that belongs to it: as long as the set stays the same, a solution is two
 * triangular solves.
 */
typedef struct carom_lcp_active_set carom_lcp_active_set;

/**
 * @param[in]  n   number of unknowns, >= 0
 * @param[in]  M   [n][n] row-major, symmetric positive semidefinite, copied
 * @param[out] out belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY; NOT_FINITE; NOT_SYMMETRIC (beyond rounding); OUT_OF_RANGE (a
 * negative diagonal entry)
 */
CAROM_MUST_CHECK carom_status carom_lcp_active_set_alloc(int n, const double *M,
                                                         carom_lcp_active_set **out);

/** Free; NULL is accepted. */
void carom_lcp_active_set_free(carom_lcp_active_set *solver);
CAROM_AUTO_TYPE(carom_lcp_active_set)

/**
 * Solve 0 <= z  _|_  w = M z + q >= 0 on the rows of `eligible`; z = 0 on the others, whose w is
 * free. Starts from the last active set (empty at first) and updates it by the semi-smooth Newton
 * rule: active where z_i - r_i w_i > 0, inactive where it is < 0, r_i = 1/M_ii; a tie, up to
 * rounding of the terms of w_i, leaves the row as it is. A repeated set hands over to Lemke's
 * method on the eligible rows.
 *
 * If M is singular (redundant contacts), w is unique but z need not be: it is then the solution of
 * minimum norm whenever all its entries are >= 0, whatever set was the last; otherwise some
 * solution. Nothing is allocated.
 *
 * @param[in,out] solver   active set and factorization are updated; empty set on failure
 * @param[in]     q        [n]
 * @param[in]     eligible [n], NULL for all
 * @param[out]    z        [n]; may not overlap q; NaN on failure
 * @param[out]    report   residual over the eligible rows, NaN on failure; set changes and pivots;
 *                         may be NULL
 * @return CAROM_OK, each w_i and M_ii z_i then having its sign up to 16 n roundings of |q_i| +
 * sum_j |M_ij| z_j, or, after Lemke's method, within its bound; RAY, NOT_CONVERGED or NOT_FINITE
 * Source: Hintermueller, Ito, Kunisch 2003 (primal-dual active set as semi-smooth Newton); cycles:
 * Ben Gharbia, Gilbert 2012.
 * Cost: set unchanged and m active of n rows, half bandwidth b of M (found at the start): O(m b)
 * and O((n - m) b); set changed: O(m b^2) from the first changed row on.
 */
CAROM_MUST_CHECK carom_status carom_lcp_active_set_solve(carom_lcp_active_set *solver,
                                                         const double *q, const bool *eligible,
                                                         double *z, carom_lcp_report *report);

/** The active set of the last solution, [n], borrowed until the next call: where z > 0, and ties.
 */
const bool *carom_lcp_active_set_members(const carom_lcp_active_set *solver);

#endif
