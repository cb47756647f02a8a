/** Linear systems of a Newton step: kinematic unknowns in blocks, bordered by multipliers. */
#ifndef CAROM_BASE_SADDLE_H
#define CAROM_BASE_SADDLE_H

#include <carom/base/base.h>
#include <carom/base/factor.h>

/**
 * The matrix [ J  C ; R  D ] with J made of block_count x block_count blocks of one layout (n x n
 * each), C and R the p columns and rows of multipliers, D the p x p corner. Vectors are ordered
 * block by block, then the multipliers: N = block_count n + p entries. Full blocks are solved as
 * one matrix; banded ones through the interleaved band of J and the Schur complement of D, in O(n).
 */
typedef struct carom_saddle carom_saddle;

/**
 * @param[in]  layout           storage of the blocks
 * @param[in]  block_count      >= 1
 * @param[in]  multiplier_count p >= 0
 * @param[out] out              belongs to the caller, to be freed by carom_saddle_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_saddle_alloc(carom_layout layout, int block_count,
                                                 int multiplier_count, carom_saddle **out);

/** Free; NULL is accepted. */
void carom_saddle_free(carom_saddle *saddle);
CAROM_AUTO_TYPE(carom_saddle)

/** N = block_count n + p. */
int carom_saddle_size(const carom_saddle *saddle);

/** Set every entry to zero. */
void carom_saddle_clear(carom_saddle *saddle);

/** Add alpha A, A in the layout, to block (row, column) of J. */
void carom_saddle_add_block(carom_saddle *saddle, int row, int column, double alpha,
                            const double *A);

/** Add alpha x, x [n], to the column of a multiplier, in block row `row`. */
void carom_saddle_add_column(carom_saddle *saddle, int row, int multiplier, double alpha,
                             const double *x);

/** Add alpha x, x [n], to the row of a multiplier, in block column `column`. */
void carom_saddle_add_row(carom_saddle *saddle, int multiplier, int column, double alpha,
                          const double *x);

/** Add alpha to entry (i, j) of the corner D. */
void carom_saddle_add_corner(carom_saddle *saddle, int i, int j, double alpha);

/** Entry (i, j) in the order of the vectors. */
double carom_saddle_entry(const carom_saddle *saddle, int i, int j);

/** Copy the column of a multiplier, or its row, [N]. */
void carom_saddle_get_column(const carom_saddle *saddle, int multiplier, double *column);
void carom_saddle_get_row(const carom_saddle *saddle, int multiplier, double *row);

/** Make row and column of a multiplier those of the identity: the multiplier is out of the system.
 */
void carom_saddle_release(carom_saddle *saddle, int multiplier);

/**
 * Factor the matrix, with speeds in units of 1/sqrt(J_ii) and multipliers in units of what they do
 * to them, so that the units of mass and length decide nothing. A rank-deficient one (redundant
 * constraints) is factored by a complete orthogonal decomposition, in which rows below 1e-11 of the
 * largest entry count as dependent.
 *
 * @return CAROM_OK; SINGULAR if a banded J is singular; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_saddle_factor(carom_saddle *saddle);

/**
 * Overwrite b [N] by the solution; that of minimum norm in these units if the matrix is
 * rank-deficient (banded: of minimum norm in the multipliers). Valid after carom_saddle_factor.
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_saddle_solve(carom_saddle *saddle, double *b);

#endif
