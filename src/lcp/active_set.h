/** Complementarity by active sets: one solution from a guess, and all complementary bases. */
#ifndef CAROM_LCP_ACTIVE_SET_H
#define CAROM_LCP_ACTIVE_SET_H

#include <carom/base/base.h>
#include <carom/lcp/lcp.h>

#include <stdbool.h>

/* --------------------------------------------------------------------------------- active block */
/* The regular or singular system of the active rows, inside the active-set method. */

/**
 * A constant symmetric positive semidefinite M and the factors of its principal submatrix M_AA for
 * one set A of active rows. M_AA is kept as L D L', its rows in the order of those of M, so that
 * the band of M is one of M_AA; rows before the first change of the set stay factored. A singular
 * M_AA = G G', G of full column rank by pivoted Cholesky, has the minimum-norm solution
 * -G (G'G)^-2 G' q of M_AA z = -q. Fields are read, never written, by users.
 */
typedef struct carom_lcp_active_block {
    int size;                 /**< n */
    carom_layout layout;      /**< of M; n = 0 has one row that is not used */
    int bandwidth;            /**< b, half bandwidth of M */
    double *matrix;           /**< [layout] symmetric part of M */
    int active_count;         /**< m */
    int *active;              /**< [m] indices of A, increasing */
    bool is_singular;         /**< M_AA is singular beyond rounding: G G' is valid, not L D L' */
    bool is_safe;             /**< every pivot of L D L' is far above rounding */
    int factored_count;       /**< rows of L D L' that are valid, for the indices `factored` */
    int *factored;            /**< [n] indices that were factored */
    double *lower;            /**< [n][b] L, entry (i,j) at i b + j - i + b */
    double *reciprocals;      /**< [n] 1/D */
    int rank;                 /**< r of M_AA */
    double *root;             /**< [m][r] G, row stride n */
    double *gram_lower;       /**< [r][n-1] L of G'G */
    double *gram_reciprocals; /**< [r] 1/D of G'G */
    double *remaining;        /**< [m] diagonal that pivoted Cholesky has left */
    double *unknowns;         /**< [m] z_A */
    double *coefficients;     /**< [r] in the range of G */
} carom_lcp_active_block;

/**
 * @param[in]  layout of M
 * @param[in]  n      number of rows, its size, or 0
 * @param[in]  M      [layout] symmetric positive semidefinite, copied
 * @param[out] out    belongs to the caller; its set is empty
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_active_block_alloc(carom_layout layout, int n,
                                                           const double *M,
                                                           carom_lcp_active_block **out);

/** Free; NULL is accepted. */
void carom_lcp_active_block_free(carom_lcp_active_block *block);
CAROM_AUTO_TYPE(carom_lcp_active_block)

/**
 * Factor M_AA of a set, members [n], where it differs from the last one. Cost O(m b^2) regular,
 * O(m^3) singular, O(n) unchanged.
 */
void carom_lcp_active_block_factor(carom_lcp_active_block *block, const bool *members);

/**
 * z_A = -M_AA^-1 q_A, or the minimum-norm solution, and z = 0 elsewhere.
 *
 * @param[in,out] block after carom_lcp_active_block_factor
 * @param[in]     q     [n]
 * @param[out]    z     [n]; may not overlap q
 */
void carom_lcp_active_block_solve(carom_lcp_active_block *block, const double *q, double *z);

/** M_ij of the symmetric part, also where it is not stored. */
double carom_lcp_active_block_entry(const carom_lcp_active_block *block, int i, int j);

/** w_i = (M z + q)_i within the band; q and z [n]. */
double carom_lcp_active_block_row(const carom_lcp_active_block *block, int i, const double *q,
                                  const double *z);

/** |q_i| + sum_j |M_ij z_j|, against which the rounding of w_i is measured. */
double carom_lcp_active_block_row_size(const carom_lcp_active_block *block, int i, const double *q,
                                       const double *z);

/* --------------------------------------------------------------------------------- one solution */
/* Warm-started active-set solution of many linear complementarity problems with one matrix. */

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

/**
 * The same for a banded matrix, in O(n b) memory where no contact depends on others. Lemke's
 * method, which needs all of it, takes its memory where a set repeats.
 *
 * @param[in]  layout banded, or full as above
 * @param[in]  M      [layout] symmetric positive semidefinite, copied
 * @param[out] out    belongs to the caller
 * @return as above
 */
CAROM_MUST_CHECK carom_status carom_lcp_active_set_alloc_banded(carom_layout layout,
                                                                const double *M,
                                                                carom_lcp_active_set **out);

/** Let the next solution start from a set [n] in place of the last one. */
void carom_lcp_active_set_guess(carom_lcp_active_set *solver, const bool *members);

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
 * solution. Nothing is allocated, but for a set that repeats with a banded M.
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

/* -------------------------------------------------------------------------- complementary bases */
/* All solutions of a small linear complementarity problem: every complementary basis is tried. */

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
