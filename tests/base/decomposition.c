/* carom/base/linear_algebra.h, decomposition: GSL's bits where GSL ends, an end everywhere else.
 * GSL keeps its error handler, which ends the program. */
#include <carom/base/linear_algebra.h>

#include <carom/base/vector.h>

#include "dense.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_sort_vector.h>

static const unsigned long SEED = 19750113;

enum { MOST_COLUMNS = 8, MOST_ROWS = 12, CASES = 5000 };

/** Entries of one kind, between 1 and 10^-decades. */
typedef enum grading { BY_ROW, BY_COLUMN, BY_BOTH, BY_ENTRY, SPARSE, SIGNS, GRADINGS } grading;

/** A matrix and its decomposition. */
typedef struct problem {
    gsl_matrix *A;
    gsl_matrix *U;
    gsl_matrix *V;
    gsl_vector *S;
    gsl_vector *work;
} problem;

static problem problem_of(size_t m, size_t n) {
    return (problem){gsl_matrix_alloc(m, n), gsl_matrix_alloc(m, n), gsl_matrix_alloc(n, n),
                     gsl_vector_alloc(n), gsl_vector_alloc(n)};
}

static problem random_problem(gsl_rng *generator) {
    const size_t n = 1 + gsl_rng_uniform_int(generator, MOST_COLUMNS);
    return problem_of(n + gsl_rng_uniform_int(generator, MOST_ROWS - MOST_COLUMNS + 1), n);
}

static void free_problem(problem *p) {
    gsl_matrix_free(p->A);
    gsl_matrix_free(p->U);
    gsl_matrix_free(p->V);
    gsl_vector_free(p->S);
    gsl_vector_free(p->work);
}

static void fill(gsl_rng *generator, grading kind, double decades, gsl_matrix *A) {
    double row[MOST_ROWS];
    double column[MOST_ROWS];
    for (int i = 0; i < MOST_ROWS; i++) {
        row[i] = kind == BY_COLUMN ? 1.0 : pow(10.0, -uniform(generator, 0.0, decades));
        column[i] = kind == BY_ROW ? 1.0 : pow(10.0, -uniform(generator, 0.0, decades));
    }
    for (size_t i = 0; i < A->size1; i++) {
        for (size_t j = 0; j < A->size2; j++) {
            const double x = uniform(generator, -1.0, 1.0);
            const double graded = x * pow(10.0, -uniform(generator, 0.0, decades));
            const double sign = x > 0.33 ? 1.0 : x < -0.33 ? -1.0 : 0.0;
            const double entry = kind == BY_ENTRY ? graded
                                 : kind == SPARSE
                                     ? (gsl_rng_uniform(generator) < 0.5 ? 0.0 : graded)
                                 : kind == SIGNS ? sign * row[i]
                                                 : x * row[i] * column[j];
            gsl_matrix_set(A, i, j, entry);
        }
    }
}

/** Whether U diag(S) V' = A with orthogonal V and descending S, to rounding of the largest. */
static void assert_decomposed(const problem *p, grading kind) {
    const size_t n = p->A->size2;
    const double bound = 200.0 * (double)p->A->size1 * DBL_EPSILON;
    for (size_t i = 0; i < p->A->size1; i++) {
        for (size_t j = 0; j < n; j++) {
            double sum = -gsl_matrix_get(p->A, i, j);
            for (size_t k = 0; k < n; k++) {
                sum += gsl_matrix_get(p->U, i, k) * gsl_vector_get(p->S, k) *
                       gsl_matrix_get(p->V, j, k);
            }
            ck_assert_msg(fabs(sum) <= bound * gsl_vector_get(p->S, 0), "kind %d: %g", kind, sum);
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < n; k++) {
            double product = 0.0;
            const gsl_vector_const_view x = gsl_matrix_const_column(p->V, j);
            const gsl_vector_const_view y = gsl_matrix_const_column(p->V, k);
            gsl_blas_ddot(&x.vector, &y.vector, &product);
            ck_assert_msg(fabs(product - (j == k)) <= bound, "kind %d: %g", kind, product);
        }
        ck_assert(j == 0 || gsl_vector_get(p->S, j) <= gsl_vector_get(p->S, j - 1));
    }
}

TEST(property, rotations_are_those_of_gsl_to_the_bit) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int i = 0; i < 2000; i++) {
        problem p = random_problem(generator);
        fill(generator, BY_ROW, 0.1 * (i % 50), p.U);
        if (i % 3 == 0 && p.U->size2 > 1) { // rank deficient
            const gsl_vector_const_view first = gsl_matrix_const_column(p.U, 0);
            gsl_vector_view second = gsl_matrix_column(p.U, 1);
            gsl_vector_memcpy(&second.vector, &first.vector);
        }
        problem theirs = problem_of(p.U->size1, p.U->size2);
        gsl_matrix_memcpy(theirs.U, p.U);
        ck_assert_int_eq(gsl_linalg_SV_decomp_jacobi(theirs.U, theirs.V, theirs.S), GSL_SUCCESS);
        assert_ok(carom_singular_values_rotate(p.U, p.V, p.S));
        ck_assert(gsl_matrix_equal(p.U, theirs.U) && gsl_matrix_equal(p.V, theirs.V) &&
                  gsl_vector_equal(p.S, theirs.S));
        free_problem(&p);
        free_problem(&theirs);
    }
    gsl_rng_free(generator);
}

LOOP_TEST(property, graded_matrices_are_decomposed_or_refused, GRADINGS) {
    gsl_rng *generator = seeded_generator(SEED + (unsigned long)_i);
    int refused = 0;
    for (int i = 0; i < CASES; i++) {
        problem p = random_problem(generator);
        fill(generator, (grading)_i, 120.0 * i / CASES, p.A);
        const bool is_moderate = carom_vector_is_moderate((int)(p.A->size1 * p.A->size2), p.A->data,
                                                          CAROM_VECTOR_LARGEST_FOURTH);
        const bool is_rotated = i % 2 == 0;
        gsl_matrix_memcpy(p.U, p.A);
        const carom_status status = is_rotated
                                        ? carom_singular_values_rotate(p.U, p.V, p.S)
                                        : carom_singular_values_compute(p.U, p.V, p.S, p.work);
        if (status == CAROM_OK) {
            assert_decomposed(&p, (grading)_i);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_NOT_CONVERGED);
            refused += is_moderate;
        }
        free_problem(&p);
    }
    ck_assert_msg(refused == 0, "%d of %d refused", refused, (int)CASES);
    gsl_rng_free(generator);
}

/** GSL's iterations end in its error handler on these. Two long columns of the first are almost
 * parallel and of one length; its singular values are what is new in each row, from the last up. */
TEST(unit, matrices_on_which_gsl_does_not_end) {
    const double rows[9] = {0.0, -1e-7, 1e-7, 1e-3, -1e-3, 1e-3, 1.0, 1.0, 0.0};
    problem p = problem_of(3, 3);
    memcpy(p.A->data, rows, sizeof rows);
    gsl_matrix_memcpy(p.U, p.A);
    assert_ok(carom_singular_values_rotate(p.U, p.V, p.S));
    assert_decomposed(&p, SIGNS);
    assert_close(gsl_vector_get(p.S, 0), sqrt(2.0), 1e-6, 0.0);
    assert_close(gsl_vector_get(p.S, 1), sqrt(3.0) * 1e-3, 1e-6, 0.0);
    assert_close(gsl_vector_get(p.S, 2), 1e-7 / sqrt(6.0), 1e-6, 0.0);
    // Graded over more than 40 decades: 8e-12, and less than its rounding.
    const double graded[9] = {0.0, 0.0, 8e-12, 9e-92, 2e-105, -8e-104, 0.0, 0.0, 6e-70};
    memcpy(p.A->data, graded, sizeof graded);
    gsl_matrix_memcpy(p.U, p.A);
    assert_ok(carom_singular_values_compute(p.U, p.V, p.S, p.work));
    assert_decomposed(&p, SPARSE);
    assert_close(gsl_vector_get(p.S, 0), 8e-12, DBL_EPSILON, 0.0);
    // 0.09 and two with the product -3e-124
    const double entries[9] = {0.09, 0.0, 2e-85, -1e-92, 0.0, -7e-29, 0.0, -5e-96, 0.0};
    memcpy(p.A->data, entries, sizeof entries);
    gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(3);
    gsl_vector_complex *values = gsl_vector_complex_alloc(3);
    assert_ok(carom_eigenvalues_compute(p.A, values, work));
    gsl_vector_view real = gsl_vector_complex_real(values);
    assert_close(gsl_vector_max(&real.vector), 0.09, 0.0, DBL_EPSILON);
    assert_close(gsl_vector_min(&real.vector), 0.0, 0.0, DBL_EPSILON);
    gsl_eigen_nonsymm_free(work);
    gsl_vector_complex_free(values);
    free_problem(&p);
}

/** The eigenvalues of a symmetric matrix, by another iteration; they are well conditioned. */
LOOP_TEST(property, eigenvalues_of_graded_symmetric_matrices_are_found, GRADINGS) {
    gsl_rng *generator = seeded_generator(SEED + (unsigned long)_i);
    for (int i = 0; i < CASES / 10; i++) {
        const size_t n = 2 + gsl_rng_uniform_int(generator, MOST_COLUMNS - 1);
        problem p = problem_of(n, n);
        fill(generator, (grading)_i, 140.0 * i * 10 / CASES, p.A);
        for (size_t j = 0; j < n; j++) {
            for (size_t k = 0; k < j; k++) {
                gsl_matrix_set(p.A, j, k, gsl_matrix_get(p.A, k, j));
            }
        }
        gsl_matrix_memcpy(p.U, p.A);
        gsl_eigen_symm_workspace *symmetric = gsl_eigen_symm_alloc(n);
        gsl_eigen_nonsymm_workspace *general = gsl_eigen_nonsymm_alloc(n);
        gsl_vector_complex *values = gsl_vector_complex_alloc(n);
        const double largest = dense_magnitude((int)(n * n), p.A->data);
        const bool is_moderate =
            carom_vector_is_moderate((int)(n * n), p.A->data, CAROM_VECTOR_LARGEST_SQUARED);
        const carom_status status = carom_eigenvalues_compute(p.U, values, general);
        ck_assert_int_eq(status, is_moderate ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED);
        if (is_moderate) {
            ck_assert_int_eq(gsl_eigen_symm(p.A, p.S, symmetric), GSL_SUCCESS);
            gsl_vector_view real = gsl_vector_complex_real(values);
            gsl_vector_memcpy(p.work, &real.vector);
            gsl_sort_vector(p.S);
            gsl_sort_vector(p.work);
            for (size_t j = 0; j < n; j++) {
                assert_close(gsl_vector_get(p.work, j), gsl_vector_get(p.S, j), 0.0,
                             100.0 * (double)n * DBL_EPSILON * largest);
            }
        }
        gsl_eigen_symm_free(symmetric);
        gsl_eigen_nonsymm_free(general);
        gsl_vector_complex_free(values);
        free_problem(&p);
    }
    gsl_rng_free(generator);
}

/** Their sum is the trace. */
LOOP_TEST(property, eigenvalues_of_graded_matrices_are_found, GRADINGS) {
    gsl_rng *generator = seeded_generator(SEED + (unsigned long)_i);
    for (int i = 0; i < CASES; i++) {
        const size_t n = 2 + gsl_rng_uniform_int(generator, MOST_COLUMNS - 1);
        problem p = problem_of(n, n);
        gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(n);
        gsl_vector_complex *values = gsl_vector_complex_alloc(n);
        fill(generator, (grading)_i, (_i == BY_BOTH ? 70.0 : 140.0) * i / CASES, p.A);
        const double largest = dense_magnitude((int)(n * n), p.A->data);
        double trace = 0.0;
        for (size_t j = 0; j < n; j++) {
            trace += gsl_matrix_get(p.A, j, j);
        }
        assert_ok(carom_eigenvalues_compute(p.A, values, work));
        for (size_t j = 0; j < n; j++) {
            trace -= GSL_REAL(gsl_vector_complex_get(values, j));
        }
        ck_assert_msg(fabs(trace) <= 100.0 * (double)(n * n) * DBL_EPSILON * largest, "%g of %g",
                      trace, largest);
        gsl_eigen_nonsymm_free(work);
        gsl_vector_complex_free(values);
        free_problem(&p);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_no_number_or_has_no_squares_is_refused) {
    const double bad[] = {(double)NAN, (double)INFINITY, 1e200, 1e-200};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        problem p = problem_of(2, 2);
        gsl_eigen_nonsymm_workspace *work = gsl_eigen_nonsymm_alloc(2);
        gsl_vector_complex *values = gsl_vector_complex_alloc(2);
        gsl_matrix_set_all(p.A, isnan(bad[i]) ? 1.0 : 0.0);
        gsl_matrix_set(p.A, 0, 1, bad[i]);
        assert_status(carom_singular_values_rotate(p.A, p.V, p.S), NOT_CONVERGED);
        assert_status(carom_singular_values_compute(p.A, p.V, p.S, p.work), NOT_CONVERGED);
        assert_status(carom_eigenvalues_compute(p.A, values, work), NOT_CONVERGED);
        gsl_eigen_nonsymm_free(work);
        gsl_vector_complex_free(values);
        free_problem(&p);
    }
}
