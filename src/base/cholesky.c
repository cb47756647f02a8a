#include <carom/base/linear_algebra.h>

#include <gsl/gsl_blas.h>
#include <gsl/gsl_matrix.h>
#include <math.h>

/** Up to so many rows column by column, above in two halves. */
static const size_t MOST_ROWS = 24;

/** Column by column, each less its products with those on its left. */
static carom_status compute_columns(gsl_matrix *A) {
    for (size_t j = 0; j < A->size1; j++) {
        const size_t rows = A->size1 - j;
        gsl_vector_view column = gsl_matrix_subcolumn(A, j, j, rows);
        if (j > 0) {
            const gsl_vector_const_view left = gsl_matrix_const_subrow(A, j, 0, j);
            const gsl_matrix_const_view block = gsl_matrix_const_submatrix(A, j, 0, rows, j);
            (void)gsl_blas_dgemv(CblasNoTrans, -1.0, &block.matrix, &left.vector, 1.0,
                                 &column.vector);
        }
        const double pivot = gsl_matrix_get(A, j, j);
        if (!(pivot > 0.0)) {
            return CAROM_STATUS_SINGULAR;
        }
        gsl_vector_scale(&column.vector, 1.0 / sqrt(pivot));
    }
    return CAROM_OK;
}

/** [A11 .; A21 A22]: A11 = L11 L11', L21 = A21 L11^-T, then A22 - L21 L21'. */
static carom_status compute(gsl_matrix *A) {
    const size_t n = A->size1;
    if (n <= MOST_ROWS) {
        return compute_columns(A);
    }
    const size_t first = (n + 8) / 16 * 8;
    const size_t second = n - first;
    gsl_matrix_view A11 = gsl_matrix_submatrix(A, 0, 0, first, first);
    gsl_matrix_view A21 = gsl_matrix_submatrix(A, first, 0, second, first);
    gsl_matrix_view A22 = gsl_matrix_submatrix(A, first, first, second, second);
    CAROM_TRY(compute(&A11.matrix));
    (void)gsl_blas_dtrsm(CblasRight, CblasLower, CblasTrans, CblasNonUnit, 1.0, &A11.matrix,
                         &A21.matrix);
    (void)gsl_blas_dsyrk(CblasLower, CblasNoTrans, -1.0, &A21.matrix, 1.0, &A22.matrix);
    return compute(&A22.matrix);
}

carom_status carom_cholesky_compute(int n, double *M) {
    gsl_matrix_view A = gsl_matrix_view_array(M, (size_t)n, (size_t)n);
    return compute(&A.matrix);
}
