/** Small linear algebra: factors of full and banded matrices, saddle-point systems, minimum-norm
 * solutions, the point of a cone that is nearest, singular values and eigenvalues. */
#ifndef CAROM_BASE_LINEAR_ALGEBRA_H
#define CAROM_BASE_LINEAR_ALGEBRA_H

#include <carom/base/base.h>

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_matrix.h>

/* GSL's own, freed by themselves. */
CAROM_AUTO_TYPE(gsl_matrix)
CAROM_AUTO_TYPE(gsl_vector)

/* --------------------------------------------------------------------------------------- factor */
/* Factor once, solve often: A x = b for a full or banded matrix. */

typedef struct carom_factor carom_factor;

/**
 * Workspace for the factorization of matrices of one layout.
 *
 * @param[in]  layout storage of the matrices to come
 * @param[out] out    belongs to the caller, to be freed by carom_factor_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_factor_alloc(carom_layout layout, carom_factor **out);

/** Free a workspace; NULL is accepted. */
void carom_factor_free(carom_factor *factor);
CAROM_AUTO_TYPE(carom_factor)

/**
 * The unknowns have units of their own, places and angles, and the diagonal tells their sizes: of a
 * matrix that is not symmetric but has a positive diagonal pivots compare beside its roots, U A U
 * of powers of two has the bits of U^-1 x, and no row gets the rounding of another's unit.
 */
void carom_factor_set_units(carom_factor *factor);

/**
 * Count a matrix as singular already where elimination reduces a pivot below this fraction of the
 * entry it started from; rounding, the default, is the least.
 *
 * @param[in,out] factor   for the matrices to come
 * @param[in]     fraction 1, in [0,1)
 */
void carom_factor_set_least_pivot(carom_factor *factor, double fraction);

/**
 * Factor A: banded and full symmetric positive definite as L D L', tridiagonal ones by elimination
 * from both ends; what is not exactly symmetric or not positive definite as (banded) LU with
 * partial pivoting and rows scaled to one size. Nothing is allocated.
 *
 * @param[in,out] factor overwritten
 * @param[in]     A      matrix in the layout of the workspace, unchanged
 * @return CAROM_OK; SINGULAR if a pivot is below 4 n roundings of what it was before elimination
 * (in its column of the scaled A); NOT_FINITE if A has a NaN or infinity
 * Cost: O(n b^2) banded, O(n^3) full.
 */
CAROM_MUST_CHECK carom_status carom_factor_compute(carom_factor *factor, const double *A);

/**
 * Overwrite b by A^-1 b. Cost O(n) diagonal and tridiagonal, O(n b) banded, O(n^2) full.
 *
 * @param[in]     factor after carom_factor_compute returned CAROM_OK
 * @param[in,out] b      [n]
 */
void carom_factor_solve(const carom_factor *factor, double *b);

/* ------------------------------------------------------------------------------------- cholesky */
/* Internal: M = L L', refused by a status. */

/**
 * Overwrite the lower triangle of M by L; the upper one is not read and stays.
 *
 * @param[in]     n number of rows, >= 1
 * @param[in,out] M [n][n] row-major, finite
 * @return CAROM_OK; SINGULAR if a pivot is not above zero
 * Source: gsl_linalg_cholesky_decomp1, whose order of sums it keeps, and which calls GSL's error
 * handler instead.
 * Cost: n^3/3.
 */
CAROM_MUST_CHECK carom_status carom_cholesky_compute(int n, double *M);

/* --------------------------------------------------------------------------------- gauss jordan */

/**
 * Bring the first k columns of k rows to the identity by elimination with full pivoting, as far as
 * pivots go.
 *
 * @param[in]     k         unknowns and equations, >= 0
 * @param[in]     width     of a row, >= k
 * @param[in]     tolerance a pivot below this part of the largest is zero, 1
 * @param[in,out] A         [k][width], the right-hand sides from column k on
 * @param[out]    columns   [k] unknown that each of the first k columns now stands for
 * @return the rank, rows from which on the first k columns are zero but for rounding
 */
int carom_gauss_jordan_reduce(int k, int width, double tolerance, double *A, int *columns);

/* --------------------------------------------------------------------------------- minimum norm */
/* Square systems that may be rank-deficient: the solution of minimum norm. */

/** A full matrix factored by LU, or by a complete orthogonal decomposition where LU meets no pivot.
 */
typedef struct carom_minimum_norm carom_minimum_norm;

/** Workspace for n x n systems, n >= 0. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_minimum_norm_alloc(int n, carom_minimum_norm **out);

/** Free; NULL is accepted. */
void carom_minimum_norm_free(carom_minimum_norm *solver);
CAROM_AUTO_TYPE(carom_minimum_norm)

/**
 * Factor A [n][n] row-major, unchanged. Rows below 1e-11 of the largest entry count as dependent.
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_minimum_norm_compute(carom_minimum_norm *solver,
                                                         const double *A);

/** The same by LU alone. @return CAROM_OK; SINGULAR if it meets no pivot; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_minimum_norm_compute_regular(carom_minimum_norm *solver,
                                                                 const double *A);

/** Overwrite b [n] by the least-squares solution of minimum norm. @return CAROM_OK; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_minimum_norm_solve(carom_minimum_norm *solver, double *b);

/* --------------------------------------------------------------------------------------- saddle */
/* Linear systems of a Newton step: kinematic unknowns in blocks, bordered by multipliers. */

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

/* ------------------------------------------------------------------------------- least distance */
/* The least-distance problem: the shortest vector in the intersection of half-spaces. */

/**
 * min |x|_2 subject to a_j . x >= 1, j = 1 .. g: unique if there is any such x. Starting from x =
 * 0, the half-space violated most is made active, others leave as soon as their multipliers y
 * vanish; x = A' y all the time and |x| rises. Only the active rows are factored, never their
 * products, so that half-spaces that leave a narrow opening of angle a are solved to about 1e-16/a.
 *
 * @param[in]  n   number of unknowns, >= 1
 * @param[in]  g   number of half-spaces, >= 1
 * @param[in]  A   [g][n] row-major, finite
 * @param[out] x   [n], A x >= 1 up to the rounding of one sum; NaN on failure
 * @param[out] y   [g] >= 0. On RAY the certificate, sum 1: A' y = 0 up to 1e-11 of its terms, so
 *                 that no x has A x > 0. NaN on any other failure
 * @param[out] gap 1 - (lower bound of |x| that y proves)/|x|, at most 1e-6; NaN on failure; may be
 *                 NULL
 * @return CAROM_OK; RAY: there is no x; NOT_CONVERGED: the digits do not tell; OUT_OF_MEMORY
 * Source: Goldfarb and Idnani 1983, section 3, with the identity as Hessian.
 * Cost: O(n q^2) for each change of q active rows.
 */
CAROM_MUST_CHECK carom_status carom_least_distance_solve(int n, int g, const double *A, double *x,
                                                         double *y, double *gap);

/* -------------------------------------------------------------------------------- decomposition */
/* Internal: singular values and eigenvalues. Where GSL's iterations may not end, as on matrices
 * graded over many decades, they end the program through its error handler; these end in a status.
 */

/**
 * A = U diag(S) V' by one-sided rotations, which resolve small singular values to the rounding of
 * their columns; the bits are those of gsl_linalg_SV_decomp_jacobi
 * where that ends.
 *
 * @param[in,out] A [m][n], m >= n; becomes U, with zero columns where S is 0
 * @param[out]    V [n][n]
 * @param[out]    S [n], descending
 * @return CAROM_OK; NOT_CONVERGED if A is not moderate (carom_vector_is_moderate, fourth powers),
 * or if its columns are not orthogonal after 10 n sweeps
 * Source: Nash 1975, One-sided transformation method for the singular value decomposition.
 */
CAROM_MUST_CHECK carom_status carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V,
                                                           gsl_vector *S);

/**
 * The same by Golub and Reinsch, faster and to the rounding of the largest singular value; by
 * rotations where the entries of A are graded over more than 40 decades.
 *
 * @param[in,out] A    [m][n], m >= n; becomes U
 * @param[out]    V    [n][n]
 * @param[out]    S    [n], descending
 * @param[out]    work [n]
 * @return CAROM_OK; NOT_CONVERGED as from the rotations
 */
CAROM_MUST_CHECK carom_status carom_singular_values_compute(gsl_matrix *A, gsl_matrix *V,
                                                            gsl_vector *S, gsl_vector *work);

/**
 * Eigenvalues of a square A by Francis, from CAROM_LAPACK_LEAST rows on by LAPACK. Where its
 * entries are graded over more than 20 decades, those of A + s 1, less s, without what is nothing
 * beside the largest entry.
 *
 * @param[in,out] A      [n][n], overwritten
 * @param[out]    values [n]
 * @param[in,out] work   from gsl_eigen_nonsymm_alloc(n)
 * @return CAROM_OK; NOT_CONVERGED if A is not moderate (carom_vector_is_moderate, squares);
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_eigenvalues_compute(gsl_matrix *A, gsl_vector_complex *values,
                                                        gsl_eigen_nonsymm_workspace *work);

/* --------------------------------------------------------------------------------------- lapack */
/* Internal: eigenvalues by the reference LAPACK. Its digits differ from GSL's by rounding. */

/** Rows from which on it takes the place of GSL, in two thirds of the time: far more than any
 * matrix of the papers has. */
enum { CAROM_LAPACK_LEAST = 500 };

/**
 * Eigenvalues and eigenvectors of a symmetric matrix by division (dsyevd).
 *
 * @param[in]     n      number of rows, >= 1
 * @param[in,out] A      [n][n] row-major, finite, of which the lower triangle is read; becomes the
 *                       orthonormal eigenvectors, one a row
 * @param[out]    values [n], ascending
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_MEMORY, always of more than 32000 rows
 * Source: Tisseur and Dongarra 1999; LAPACK 3.11.
 * Cost: O(n^3), memory for 2 n^2 numbers.
 */
CAROM_MUST_CHECK carom_status carom_lapack_eigenvectors(int n, double *A, double *values);

/**
 * Eigenvalues of a square matrix by Francis with two shifts (dgehd2, dlahqr). The blocks and many
 * shifts of dgehrd and dhseqr are products of matrices, which the reference BLAS is no faster in.
 *
 * @param[in]     n      number of rows, >= 1
 * @param[in,out] A      [n][n], finite, overwritten
 * @param[out]    values [n][2] real and imaginary parts, pairs with the positive one first
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_MEMORY, always of more than 32000 rows
 * Source: Francis 1961; LAPACK 3.11.
 * Cost: O(n^3).
 */
CAROM_MUST_CHECK carom_status carom_lapack_eigenvalues(int n, double *A, double *values);

/* ----------------------------------------------------------------------------- rows of matrices */

/** Row i of A in its layout: entry (i,j) at index j, first column <= j < end column. */
static inline const double *carom_layout_row(carom_layout layout, const double *A, int i) {
    const size_t b = layout.is_banded ? (size_t)layout.half_bandwidth : 0;
    return A + (size_t)i * (layout.is_banded ? 2 * b : (size_t)layout.size) + b;
}

/* ----------------------------------------------------------------------------- sums of matrices */

/** B += alpha A for two matrices of the same layout. */
void carom_layout_add(carom_layout layout, double alpha, const double *A, double *B);

/** max |A_ij - A_ji| over the stored entries, in the unit of A. */
double carom_layout_asymmetry(carom_layout layout, const double *A);

#endif
