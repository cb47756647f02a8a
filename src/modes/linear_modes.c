#include <carom/modes/internal.h>

#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>

#include <float.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Roundings of the largest eigenvalue, for each row, that separate two eigenvalues. */
static const double RESOLUTION_ROUNDINGS = 8.0;

/** Corrections: each squares the error, one or two are enough unless eigenvalues nearly meet. */
static const int MAX_CORRECTIONS = 6;

/** Work memory of the refinement; matrices [n][n]. */
typedef struct refinement {
    size_t n;
    const double *M;
    const double *K;
    double *lambda;     /**< [n] eigenvalues, owned by the caller */
    double *lambda_low; /**< [n] what is beyond their last digit, for the gaps of close ones */
    double *X;          /**< [n][n] eigenvectors, owned by the caller */
    double *MX;         /**< M X rounded */
    double *residual;   /**< K X - M X Lambda, computed in twice the precision */
    double *E;          /**< correction: X <- X + X E */
    double *product;    /**< X'R, then X E */
    double *row;        /**< [4][n] sums of one row of K X and of M X, in two parts each */
} refinement;

double carom_linear_modes_resolution(int n, const double *eigenvalues) {
    double largest = 0.0;
    for (int l = 0; l < n; l++) {
        largest = fmax(largest, fabs(eigenvalues[l]));
    }
    return RESOLUTION_ROUNDINGS * DBL_EPSILON * (double)n * largest;
}

static gsl_matrix_view square(const refinement *work, double *A) {
    return gsl_matrix_view_array(A, work->n, work->n);
}

/** sum += a x_j for a row x, each sum in two parts high + low (Ogita, Rump, Oishi 2005). */
CAROM_VECTOR_WIDE static void add_scaled_row(size_t n, double a, const double *restrict x,
                                             double *restrict high, double *restrict low) {
#pragma omp simd
    for (size_t j = 0; j < n; j++) {
        const double product = a * x[j];
        const double product_error = fma(a, x[j], -product);
        const double sum = high[j] + product;
        const double part = sum - high[j];
        const double sum_error = (high[j] - (sum - part)) + (product - part);
        high[j] = sum;
        low[j] += product_error + sum_error;
    }
}

/** Row i of A X in two parts; zeros of A cost nothing. */
static void multiply_row(const refinement *work, const double *A_i, double *high, double *low) {
    const size_t n = work->n;
    memset(high, 0, n * sizeof *high);
    memset(low, 0, n * sizeof *low);
    for (size_t k = 0; k < n; k++) {
        if (fabs(A_i[k]) > 0.0) {
            add_scaled_row(n, A_i[k], work->X + k * n, high, low);
        }
    }
}

/** Residuals K x - lambda M x and M X. */
static void compute_residual(refinement *work) {
    const size_t n = work->n;
    double *K_high = work->row;
    double *K_low = work->row + n;
    double *M_high = work->row + 2 * n;
    double *M_low = work->row + 3 * n;
    for (size_t i = 0; i < n; i++) {
        multiply_row(work, work->K + i * n, K_high, K_low);
        multiply_row(work, work->M + i * n, M_high, M_low);
        for (size_t j = 0; j < n; j++) {
            const double lambda = work->lambda[j];
            const double inertia = lambda * M_high[j];
            const double inertia_error = fma(lambda, M_high[j], -inertia);
            work->MX[i * n + j] = M_high[j] + M_low[j];
            work->residual[i * n + j] =
                (K_high[j] - inertia) +
                (K_low[j] - lambda * M_low[j] - inertia_error - work->lambda_low[j] * M_high[j]);
        }
    }
}

/** x_i' M x_j. */
static double gram(const refinement *work, size_t i, size_t j) {
    const size_t n = work->n;
    double high = 0.0;
    double low = 0.0;
    for (size_t k = 0; k < n; k++) {
        add_scaled_row(1, work->X[k * n + i], work->MX + k * n + j, &high, &low);
    }
    return high + low;
}

/** Eigenvectors scaled to x' M x = 1. */
static void normalize(refinement *work) {
    const size_t n = work->n;
    compute_residual(work);
    for (size_t j = 0; j < n; j++) {
        const double scale = 1.0 / sqrt(gram(work, j, j));
        for (size_t i = 0; i < n; i++) {
            work->X[i * n + j] *= scale;
        }
    }
}

/**
 * First-order correction: E_ij = x_i'(K - lambda_j M) x_j / (lambda_j - lambda_i) of distinct
 * eigenvalues; within an eigenspace and on the diagonal X'M X = 1 alone decides. Eigenvalues move
 * by x_j'(K - lambda_j M) x_j. Returns the largest |E_ij|.
 */
static double correct(refinement *work) {
    const size_t n = work->n;
    compute_residual(work);
    gsl_matrix_view X = square(work, work->X);
    gsl_matrix_view residual = square(work, work->residual);
    gsl_matrix_view E = square(work, work->E);
    gsl_matrix_view product = square(work, work->product);
    (void)gsl_blas_dgemm(CblasTrans, CblasNoTrans, 1.0, &X.matrix, &residual.matrix, 0.0,
                         &product.matrix);
    const double resolution = carom_linear_modes_resolution((int)n, work->lambda);
    double largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < n; j++) {
            const double gap =
                work->lambda[j] - work->lambda[i] + (work->lambda_low[j] - work->lambda_low[i]);
            double entry;
            if (fabs(gap) > resolution) {
                entry = work->product[i * n + j] / gap;
            } else {
                entry = 0.5 * ((i == j ? 1.0 : 0.0) - gram(work, i, j));
            }
            work->E[i * n + j] = entry;
            largest = fmax(largest, isnan(entry) ? (double)INFINITY : fabs(entry));
        }
    }
    for (size_t j = 0; j < n; j++) {
        const double change = work->lambda_low[j] + work->product[j * n + j];
        const double sum = work->lambda[j] + change;
        work->lambda_low[j] = (work->lambda[j] - sum) + change;
        work->lambda[j] = sum;
    }
    (void)gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, &X.matrix, &E.matrix, 0.0,
                         &product.matrix);
    for (size_t k = 0; k < n * n; k++) {
        work->X[k] += work->product[k];
    }
    return largest;
}

/** Corrections until the next one, about n E^2, is below rounding. */
static carom_status refine(refinement *work) {
    memset(work->lambda_low, 0, work->n * sizeof(double));
    normalize(work);
    const double enough = sqrt(DBL_EPSILON / (double)work->n);
    for (int round = 0; round < MAX_CORRECTIONS; round++) {
        if (correct(work) <= enough) {
            return CAROM_OK;
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}

/** Entries below this part of the largest are zero: the eigenvalue solver's own test for zero needs
 * roundings of them to be numbers. */
static const double LEAST_ENTRY = DBL_MIN / DBL_EPSILON / DBL_EPSILON;

/**
 * The lower triangle of A over a power of two that leaves its largest entry near one; returns that
 * power. NaN if an entry is not finite, 1 if all are zero.
 */
static double scale_down(gsl_matrix *A) {
    double largest = 0.0;
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            const double entry = fabs(gsl_matrix_get(A, i, j));
            if (!isfinite(entry)) {
                return (double)NAN;
            }
            largest = fmax(largest, entry);
        }
    }
    const double power = largest > 0.0 ? exp2(ilogb(largest)) : 1.0;
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j <= i; j++) {
            const double entry = gsl_matrix_get(A, i, j) / power;
            gsl_matrix_set(A, i, j, fabs(entry) < LEAST_ENTRY ? 0.0 : entry);
        }
    }
    return power;
}

/** A = Q Lambda Q' with ascending eigenvalues and Q in X; A is overwritten. */
static carom_status diagonalize(gsl_matrix *A, gsl_vector *lambda, gsl_matrix *X,
                                gsl_eigen_symmv_workspace *eigen) {
    if (A->size1 >= CAROM_LAPACK_LEAST) {
        CAROM_TRY(carom_lapack_eigenvectors((int)A->size1, A->data, lambda->data));
        return gsl_matrix_transpose_memcpy(X, A) == GSL_SUCCESS ? CAROM_OK
                                                                : CAROM_STATUS_NOT_CONVERGED;
    }
    return gsl_eigen_symmv(A, lambda, X, eigen) == GSL_SUCCESS &&
                   gsl_eigen_symmv_sort(lambda, X, GSL_EIGEN_SORT_VAL_ASC) == GSL_SUCCESS
               ? CAROM_OK
               : CAROM_STATUS_NOT_CONVERGED;
}

/** Unrefined eigenpairs, ascending; the refinement's matrices serve as scratch. */
static carom_status start(refinement *work, gsl_eigen_symmv_workspace *eigen) {
    const size_t n = work->n;
    gsl_matrix_view A = square(work, work->product);
    gsl_matrix_view V = square(work, work->MX);
    gsl_matrix_view X = square(work, work->X);
    gsl_vector_view lambda = gsl_vector_view_array(work->lambda, n);
    memcpy(A.matrix.data, work->K, n * n * sizeof(double));
    memcpy(V.matrix.data, work->M, n * n * sizeof(double));

    /* M = V V', A = V^-1 K V^-T. */
    if (carom_cholesky_compute((int)n, V.matrix.data) != CAROM_OK ||
        gsl_eigen_gensymm_standardize(&A.matrix, &V.matrix) != GSL_SUCCESS) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    const double power = scale_down(&A.matrix);
    if (isnan(power)) {
        return CAROM_STATUS_NOT_FINITE;
    }

    /* A = Q Lambda Q', X = V^-T Q. */
    CAROM_TRY(diagonalize(&A.matrix, &lambda.vector, &X.matrix, eigen));
    if (gsl_blas_dtrsm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, 1.0, &V.matrix,
                       &X.matrix) != GSL_SUCCESS) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    for (size_t l = 0; l < n; l++) {
        work->lambda[l] *= power;
    }
    return CAROM_OK;
}

carom_status carom_linear_modes_compute(int n, const double *M, const double *K,
                                        double *eigenvalues, double *X) {
    CAROM_ASSERT(n >= 1 && M != NULL && K != NULL && eigenvalues != NULL && X != NULL);
    const size_t size = (size_t)n;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    CAROM_AUTO_MEMORY double *memory = calloc(4 * size + 5, size * sizeof *memory);
    gsl_eigen_symmv_workspace *eigen = memory == NULL ? NULL : gsl_eigen_symmv_alloc(size);
    if (eigen != NULL) {
        refinement work = {
            .n = size,
            .M = M,
            .K = K,
            .lambda = eigenvalues,
            .X = X,
            .MX = memory,
            .residual = memory + size * size,
            .E = memory + 2 * size * size,
            .product = memory + 3 * size * size,
            .row = memory + 4 * size * size,
            .lambda_low = memory + (4 * size + 4) * size,
        };
        status = start(&work, eigen);
        if (status == CAROM_OK) {
            status = refine(&work);
        }
    }
    gsl_eigen_symmv_free(eigen);
    if (status != CAROM_OK) {
        for (size_t k = 0; k < size * size; k++) {
            X[k] = (double)NAN;
        }
        for (size_t l = 0; l < size; l++) {
            eigenvalues[l] = (double)NAN;
        }
    }
    return status;
}
