/** All solutions of a small linear complementarity problem: every complementary basis is tried. */
#ifndef CAROM_LCP_COMPLEMENTARY_BASES_H
#define CAROM_LCP_COMPLEMENTARY_BASES_H

#include <carom/base/base.h>
#include <carom/lcp/lcp.h>

#include <stdbool.h>

/** Largest n: 2^n bases are tried. */
#define CAROM_LCP_BASES_MOST 16

/** One complementary basis that gives a solution. */
typedef struct carom_lcp_basis {
    unsigned set;    /**< bit i: z_i is basic; else w_i is */
    int index;       /**< sign of det M_aa of the set a; 0: M_aa is singular */
    double residual; /**< max |min(z_i, w_i)| of z */
    const double *z; /**< [n] borrowed until the callback returns */
} carom_lcp_basis;

/** Called for each basis found, in increasing order of `set`. @return whether to go on */
typedef bool (*carom_lcp_basis_visitor)(const carom_lcp_basis *basis, void *context);

/** Work memory. */
typedef struct carom_lcp_bases_workspace carom_lcp_bases_workspace;

/** Work memory for problems of up to n >= 1 unknowns, n <= CAROM_LCP_BASES_MOST. @return CAROM_OK;
 * OUT_OF_MEMORY; OUT_OF_RANGE for a larger n */
CAROM_MUST_CHECK carom_status carom_lcp_bases_workspace_alloc(int n,
                                                              carom_lcp_bases_workspace **out);

/** Free; NULL is accepted. */
void carom_lcp_bases_workspace_free(carom_lcp_bases_workspace *work);
CAROM_AUTO_TYPE(carom_lcp_bases_workspace)

/**
 * For each of the 2^n sets a solve M_aa z_a = -q_a, z = 0 elsewhere, and visit those with z >= 0
 * and w = M z + q >= 0. A solution with rows where z_i and w_i are both zero appears once for each
 * of its bases.
 *
 * A singular M_aa (a pivot below 1e-11 in scaled units) admits a plane of z, or none: whether it
 * holds a point with z >= 0 and w >= 0 is the nonnegative least-squares problem z_a, w_b >= 0, M z
 * - w = -q, b the other rows, of which the point that its method ends at is visited, with index 0.
 * So every piece of the solution set is met: of regular bases the one point, of singular ones one
 * point of possibly many.
 *
 * @param[in]     n         number of unknowns, 0 <= n <= size of the workspace
 * @param[in]     M         [n][n] row-major, any
 * @param[in]     q         [n]
 * @param[in]     tolerance accepted -z_i / C_i, R_i |w_i| for i in a, -R_i w_i for others, relative
 *                          to the largest R_i |q_i|, R = C = M_ii^-1/2 where M_ii > 0; 1e-10 as a
 *                          rule
 * @param[in]     visit     called for each basis found
 * @param[in,out] context   handed to visit
 * @param[in,out] work      from carom_lcp_bases_workspace_alloc
 * @param[out]    count     bases found; may be NULL
 * @return CAROM_OK, also if none is found or the visitor has stopped; NOT_FINITE
 * Source: complementary cones and index, Cottle, Pang, Stone 2009, sections 1.3 and 6.1; Lawson,
 * Hanson 1974, chapter 23.
 * Cost: O(2^n n^3).
 */
CAROM_MUST_CHECK carom_status carom_lcp_enumerate_bases(
    int n, const double *M, const double *q, double tolerance, carom_lcp_basis_visitor visit,
    void *context, carom_lcp_bases_workspace *work, int *count);

#endif
