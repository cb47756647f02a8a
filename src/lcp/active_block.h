/** The regular or singular system of the active rows, inside the active-set method. */
#ifndef CAROM_LCP_ACTIVE_BLOCK_H
#define CAROM_LCP_ACTIVE_BLOCK_H

#include <carom/base/base.h>

#include <stdbool.h>

/**
 * A constant symmetric positive semidefinite M and the factors of its principal submatrix M_AA for
 * one set A of active rows. M_AA is kept as L D L', its rows in the order of those of M, so that
 * the band of M is one of M_AA; rows before the first change of the set stay factored. A singular
 * M_AA = G G', G of full column rank by pivoted Cholesky, has the minimum-norm solution
 * -G (G'G)^-2 G' q of M_AA z = -q. Fields are read, never written, by users.
 */
typedef struct carom_lcp_active_block {
    int size;                 /**< n */
    int bandwidth;            /**< b, half bandwidth of M */
    double *matrix;           /**< [n][n] symmetric part of M */
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
 * @param[in]  n   number of rows, >= 0
 * @param[in]  M   [n][n] row-major, symmetric positive semidefinite, copied
 * @param[out] out belongs to the caller; its set is empty
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_active_block_alloc(int n, const double *M,
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

/** w_i = (M z + q)_i within the band; q and z [n]. */
double carom_lcp_active_block_row(const carom_lcp_active_block *block, int i, const double *q,
                                  const double *z);

/** |q_i| + sum_j |M_ij z_j|, against which the rounding of w_i is measured. */
double carom_lcp_active_block_row_size(const carom_lcp_active_block *block, int i, const double *q,
                                       const double *z);

#endif
