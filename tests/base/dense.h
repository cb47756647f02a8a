/** Independent answers about dense matrices: GSL's LU and singular values. */
#ifndef CAROM_TESTS_BASE_DENSE_H
#define CAROM_TESTS_BASE_DENSE_H

#include "../support.h"

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <string.h>

enum { DENSE_LARGEST = 48 };

/** Largest absolute entry of x [n]. */
static inline double dense_magnitude(int n, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}

/** Fill x [n] with numbers of [-high, high). */
static inline void dense_random(gsl_rng *generator, int n, double high, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = uniform(generator, -high, high);
    }
}

/** The solution of A x = b, A [n][n] regular, by LU with partial pivoting. */
static inline void dense_solve(int n, const double *A, const double *b, double *x) {
    double LU[DENSE_LARGEST * DENSE_LARGEST];
    ck_assert_int_le(n, DENSE_LARGEST);
    memcpy(LU, A, (size_t)n * (size_t)n * sizeof *A);
    gsl_matrix_view matrix = gsl_matrix_view_array(LU, (size_t)n, (size_t)n);
    const gsl_vector_const_view right = gsl_vector_const_view_array(b, (size_t)n);
    gsl_vector_view solution = gsl_vector_view_array(x, (size_t)n);
    gsl_permutation *pivots = gsl_permutation_alloc((size_t)n);
    ck_assert_ptr_nonnull(pivots);
    int sign = 0;
    ck_assert_int_eq(gsl_linalg_LU_decomp(&matrix.matrix, pivots, &sign), GSL_SUCCESS);
    ck_assert_int_eq(gsl_linalg_LU_solve(&matrix.matrix, pivots, &right.vector, &solution.vector),
                     GSL_SUCCESS);
    gsl_permutation_free(pivots);
}

/** What the singular values of a matrix say about a linear system. */
typedef struct dense_answer {
    double x[DENSE_LARGEST]; /**< least-squares solution of minimum norm */
    double condition;        /**< of the part that is not zero; 1 of no such part */
    double tolerance;        /**< on the entries of any backward stable solution */
} dense_answer;

/**
 * The pseudo-inverse of A [n][n], of which the `rank` largest singular values count, times b [n].
 * The tolerance is Wedin's bound for a perturbation of A of some n roundings.
 */
static inline dense_answer dense_pseudo_solve(int n, int rank, const double *A, const double *b) {
    double U[DENSE_LARGEST * DENSE_LARGEST];
    double V[DENSE_LARGEST * DENSE_LARGEST];
    double s[DENSE_LARGEST];
    double work[DENSE_LARGEST];
    ck_assert_int_le(n, DENSE_LARGEST);
    memcpy(U, A, (size_t)n * (size_t)n * sizeof *A);
    gsl_matrix_view U_view = gsl_matrix_view_array(U, (size_t)n, (size_t)n);
    gsl_matrix_view V_view = gsl_matrix_view_array(V, (size_t)n, (size_t)n);
    gsl_vector_view s_view = gsl_vector_view_array(s, (size_t)n);
    gsl_vector_view work_view = gsl_vector_view_array(work, (size_t)n);
    ck_assert_int_eq(
        gsl_linalg_SV_decomp(&U_view.matrix, &V_view.matrix, &s_view.vector, &work_view.vector),
        GSL_SUCCESS);
    dense_answer answer = {.condition = 1.0, .tolerance = 0.0};
    for (int k = 0; k < rank; k++) {
        double projection = 0.0;
        for (int i = 0; i < n; i++) {
            projection += U[i * n + k] * b[i];
        }
        for (int i = 0; i < n; i++) {
            answer.x[i] += V[i * n + k] * projection / s[k];
        }
    }
    if (rank > 0) {
        answer.condition = s[0] / s[rank - 1];
        answer.tolerance =
            64.0 * n * DBL_EPSILON * answer.condition *
            (dense_magnitude(n, answer.x) + answer.condition * dense_magnitude(n, b) / s[0]);
    }
    return answer;
}

#endif
