/* carom/base/linear_algebra.h: closed forms, GSL's singular values, and what is refused. */
#include <carom/base/linear_algebra.h>

#include "../failing_malloc.h"
#include "dense.h"

/* GSL's own allocations end here, too. */
gsl_matrix *__real_gsl_matrix_alloc(size_t rows, size_t columns);
gsl_vector *__real_gsl_vector_alloc(size_t size);
gsl_permutation *__real_gsl_permutation_alloc(size_t size);
gsl_matrix *__wrap_gsl_matrix_alloc(size_t rows, size_t columns);
gsl_vector *__wrap_gsl_vector_alloc(size_t size);
gsl_permutation *__wrap_gsl_permutation_alloc(size_t size);

gsl_matrix *__wrap_gsl_matrix_alloc(size_t rows, size_t columns) {
    return may_allocate() ? __real_gsl_matrix_alloc(rows, columns) : NULL;
}

gsl_vector *__wrap_gsl_vector_alloc(size_t size) {
    return may_allocate() ? __real_gsl_vector_alloc(size) : NULL;
}

gsl_permutation *__wrap_gsl_permutation_alloc(size_t size) {
    return may_allocate() ? __real_gsl_permutation_alloc(size) : NULL;
}

static const unsigned long SEED = 20140817;
enum { LARGEST = 12, TRIALS = 20 };

/** Compute and solve in a workspace of its own; b and A unchanged. */
static carom_status solve(int n, const double *A, const double *b, double *x) {
    carom_minimum_norm *solver = NULL;
    assert_ok(carom_minimum_norm_alloc(n, &solver));
    memcpy(x, b, (size_t)n * sizeof *b);
    carom_status status = carom_minimum_norm_compute(solver, A);
    if (status == CAROM_OK) {
        status = carom_minimum_norm_solve(solver, x);
    }
    carom_minimum_norm_free(solver);
    return status;
}

/** The solution is that of the pseudo-inverse of the given rank. */
static void check_against_singular_values(int n, int rank, const double *A, const double *b) {
    double x[LARGEST];
    assert_ok(solve(n, A, b, x));
    const dense_answer expected = dense_pseudo_solve(n, rank, A, b);
    for (int i = 0; i < n; i++) {
        ck_assert_msg(fabs(x[i] - expected.x[i]) <= expected.tolerance,
                      "seed %lu, n = %d, rank %d, condition %.3g: x_%d = %.17g, expected %.17g, "
                      "error %.3g > %.3g",
                      SEED, n, rank, expected.condition, i, x[i], expected.x[i],
                      fabs(x[i] - expected.x[i]), expected.tolerance);
    }
}

TEST(unit, a_number_is_divided_by) {
    double x[1];
    assert_ok(solve(1, (const double[]){-2.385}, (const double[]){1.79}, x));
    assert_close(x[0], 1.79 / -2.385, 1e-15, 0.0);
}

TEST(unit, equal_equations_share_the_unknowns_equally) {
    /* a (x + y) = c twice: the shortest solution is x = y = c / 2a */
    double x[2];
    const double A[] = {1.37, 1.37, 1.37, 1.37};
    assert_ok(solve(2, A, (const double[]){4.81, 4.81}, x));
    assert_close(x[0], 4.81 / (2.0 * 1.37), 1e-14, 0.0);
    assert_close(x[1], 4.81 / (2.0 * 1.37), 1e-14, 0.0);
    /* contradicting right-hand sides: least squares takes their mean */
    assert_ok(solve(2, A, (const double[]){4.81, -1.25}, x));
    assert_close(x[0], 0.5 * (4.81 - 1.25) / (2.0 * 1.37), 1e-14, 0.0);
    assert_close(x[1], 0.5 * (4.81 - 1.25) / (2.0 * 1.37), 1e-14, 0.0);
}

TEST(unit, a_dyad_is_inverted_by_its_vectors) {
    /* (u v')^+ = v u' / (|u|^2 |v|^2) */
    const double u[3] = {1.25, -0.5, 2.75};
    const double v[3] = {-3.5, 0.75, 1.5};
    const double b[3] = {0.91, -1.73, 2.27};
    double A[9];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            A[3 * i + j] = u[i] * v[j];
        }
    }
    const double uu = 1.25 * 1.25 + 0.5 * 0.5 + 2.75 * 2.75;
    const double vv = 3.5 * 3.5 + 0.75 * 0.75 + 1.5 * 1.5;
    const double ub = 1.25 * 0.91 + 0.5 * 1.73 + 2.75 * 2.27;
    double x[3];
    assert_ok(solve(3, A, b, x));
    for (int i = 0; i < 3; i++) {
        assert_close(x[i], v[i] * ub / (uu * vv), 1e-14, 0.0);
    }
}

TEST(unit, the_zero_matrix_gives_the_zero_solution) {
    const double A[16] = {0.0};
    for (int n = 1; n <= 4; n++) {
        double x[4];
        assert_ok(solve(n, A, (const double[]){2.385, -1.7, 0.33, 5.1}, x));
        for (int i = 0; i < n; i++) {
            assert_close(x[i], 0.0, 0.0, 0.0);
        }
    }
}

TEST(unit, no_equations_need_no_solution) {
    carom_minimum_norm *solver = NULL;
    assert_ok(carom_minimum_norm_alloc(0, &solver));
    ck_assert_ptr_nonnull(solver);
    double untouched = 2.385;
    assert_ok(carom_minimum_norm_compute(solver, NULL));
    assert_ok(carom_minimum_norm_solve(solver, &untouched));
    assert_close(untouched, 2.385, 0.0, 0.0);
    carom_minimum_norm_free(solver);
    carom_minimum_norm_free(NULL);
}

TEST(unit, a_workspace_serves_regular_and_deficient_matrices_in_turn) {
    const double regular[4] = {3.1, -1.2, 0.7, 2.9};
    const double deficient[4] = {1.37, 1.37, 1.37, 1.37};
    const double zero[4] = {0.0};
    const double *const matrices[] = {deficient, regular, zero, regular, deficient, zero};
    const int ranks[] = {1, 2, 0, 2, 1, 0};
    const double b[2] = {4.81, -1.25};
    carom_minimum_norm *solver = NULL;
    assert_ok(carom_minimum_norm_alloc(2, &solver));
    for (int k = 0; k < 6; k++) {
        assert_ok(carom_minimum_norm_compute(solver, matrices[k]));
        const dense_answer expected = dense_pseudo_solve(2, ranks[k], matrices[k], b);
        for (int repeat = 0; repeat < 2; repeat++) { /* solving leaves the factors alone */
            double x[2] = {b[0], b[1]};
            assert_ok(carom_minimum_norm_solve(solver, x));
            assert_close(x[0], expected.x[0], 0.0, expected.tolerance);
            assert_close(x[1], expected.x[1], 0.0, expected.tolerance);
        }
    }
    carom_minimum_norm_free(solver);
}

TEST(property, regular_matrices_agree_with_singular_values_and_stay_unchanged) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int n = 1; n <= LARGEST; n++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            double A[LARGEST * LARGEST];
            double kept[LARGEST * LARGEST];
            double b[LARGEST];
            dense_random(generator, n * n, 3.7, A);
            dense_random(generator, n, 2.3, b);
            memcpy(kept, A, sizeof kept);
            check_against_singular_values(n, n, A, b);
            ck_assert_mem_eq(A, kept, (size_t)(n * n) * sizeof *A);
        }
    }
    gsl_rng_free(generator);
}

/** Random rows, of which those after the first `rank` repeat them up to sign and powers of two. */
static void make_repeated(gsl_rng *generator, int n, int rank, double *A) {
    static const double factors[] = {1.0, -1.0, 0.25, -4.0};
    dense_random(generator, n * rank, 3.7, A);
    for (int i = rank; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = factors[i % 4] * A[(i % rank) * n + j];
        }
    }
}

/** A = L R of rank r, L [n][r] and R [r][n] random: dependent up to the rounding of the product. */
static void make_product(gsl_rng *generator, int n, int rank, double *A) {
    double L[LARGEST * LARGEST];
    double R[LARGEST * LARGEST];
    dense_random(generator, n * rank, 3.0, L);
    dense_random(generator, n * rank, 3.0, R);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0.0;
            for (int k = 0; k < rank; k++) {
                A[i * n + j] += L[i * rank + k] * R[k * n + j];
            }
        }
    }
}

typedef void (*deficient_maker)(gsl_rng *generator, int n, int rank, double *A);

static void check_deficient(deficient_maker make, bool is_consistent) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int n = 2; n <= LARGEST; n++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            double A[LARGEST * LARGEST];
            double y[LARGEST];
            double b[LARGEST];
            const int rank = 1 + trial % (n - 1);
            make(generator, n, rank, A);
            dense_random(generator, n, 2.3, y);
            dense_random(generator, n, 2.3, b);
            for (int i = 0; is_consistent && i < n; i++) {
                b[i] = 0.0;
                for (int j = 0; j < n; j++) {
                    b[i] += A[i * n + j] * y[j];
                }
            }
            check_against_singular_values(n, rank, A, b);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, consistent_deficient_systems_have_the_shortest_solution) {
    check_deficient(make_repeated, true);
}

TEST(property, inconsistent_deficient_systems_have_the_shortest_least_squares_solution) {
    check_deficient(make_repeated, false);
}

/** Elimination leaves a pivot of some roundings: far below 1e-11 of the largest entry. */
TEST(property, rows_that_are_dependent_up_to_rounding_count_as_dependent) {
    check_deficient(make_product, true);
    check_deficient(make_product, false);
}

TEST(errors, what_is_not_finite_is_refused_wherever_it_stands) {
    const double bad[] = {(double)NAN, HUGE_VAL, -HUGE_VAL};
    const double regular[9] = {3.1, -1.2, 0.4, 0.7, 2.9, -0.6, 0.3, 1.1, 4.7};
    const double deficient[9] = {1.3, 2.6, -3.9, 1.3, 2.6, -3.9, 1.3, 2.6, -3.9};
    for (int kind = 0; kind < 3; kind++) {
        double x[3];
        for (int k = 0; k < 9; k++) {
            double A[9];
            const double b[3] = {4.81, -1.25, 0.7};
            memcpy(A, kind % 2 == 0 ? regular : deficient, sizeof A);
            A[k] = bad[kind];
            assert_status(solve(3, A, b, x), NOT_FINITE);
        }
        for (int k = 0; k < 3; k++) {
            double b[3] = {4.81, -1.25, 0.7};
            b[k] = bad[kind];
            assert_status(solve(3, regular, b, x), NOT_FINITE);
            assert_status(solve(3, deficient, b, x), NOT_FINITE);
        }
    }
}

TEST(errors, a_workspace_without_memory_is_refused_without_a_leak) {
    for (int n = 0; n <= 5; n += 5) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        int failures = 0;
        for (; status != CAROM_OK; failures++) {
            carom_minimum_norm *solver = NULL;
            successes_left = failures;
            status = carom_minimum_norm_alloc(n, &solver);
            successes_left = -1;
            ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_int_eq(solver != NULL, status == CAROM_OK);
            carom_minimum_norm_free(solver);
        }
        /* the object; and for five unknowns the LU and seven arrays of GSL */
        ck_assert_int_ge(failures, n == 0 ? 2 : 10);
    }
}
