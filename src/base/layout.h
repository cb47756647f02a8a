/** Square matrices in one of two storages, full or banded, behind one set of operations. */
#ifndef CAROM_BASE_LAYOUT_H
#define CAROM_BASE_LAYOUT_H

#include <carom/base/status.h>

#include <stdbool.h>
#include <stddef.h>

CAROM_BEGIN_DECLARATIONS

/**
 * How an n x n matrix is stored, row-major. Full: [n][n], entry (i,j) at i n + j. Banded with half
 * bandwidth b: [n][2b+1], entry (i,j), |i-j| <= b, at i (2b+1) + (j-i+b); entries of the first and
 * last rows that fall outside the matrix are stored but never read. b = 0 is diagonal, 1
 * tridiagonal.
 */
typedef struct carom_layout {
    int size;           /**< n >= 1 */
    bool is_banded;     /**< false: full */
    int half_bandwidth; /**< b >= 0; ignored when full */
} carom_layout;

/** Full storage of an n x n matrix. */
carom_layout carom_layout_full(int size);

/** Banded storage of an n x n matrix with half bandwidth b. */
carom_layout carom_layout_banded(int size, int half_bandwidth);

/** Number of doubles that a matrix of this layout takes. */
size_t carom_layout_entry_count(carom_layout layout);

/** First column stored in row i. */
int carom_layout_first_column(carom_layout layout, int row);

/** One past the last column stored in row i. */
int carom_layout_end_column(carom_layout layout, int row);

/** Position of entry (i,j) in the storage; (i,j) must be stored. */
size_t carom_layout_index(carom_layout layout, int row, int column);

/**
 * y += alpha A x.
 *
 * @param[in]     layout storage of A
 * @param[in]     alpha  factor
 * @param[in]     A      matrix in that storage
 * @param[in]     x      [n]
 * @param[in,out] y      [n], may not overlap x
 */
void carom_layout_multiply_add(carom_layout layout, double alpha, const double *A, const double *x,
                               double *y);

/** B += alpha A for two matrices of the same layout. */
void carom_layout_add(carom_layout layout, double alpha, const double *A, double *B);

/** max |A_ij - A_ji| over the stored entries, in the unit of A. */
double carom_layout_asymmetry(carom_layout layout, const double *A);

CAROM_END_DECLARATIONS

#endif
