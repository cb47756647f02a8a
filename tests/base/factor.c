/* carom/base/linear_algebra.h: closed forms, residuals at rounding, GSL's own solvers, and what is
 * refused.
 */
#include <carom/base/linear_algebra.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <gsl/gsl_linalg.h>

#include <float.h>

static const unsigned long SEED = 20140802;
enum { LARGEST = 40 };

/** Factor A and solve for b, both unchanged. */
static carom_status solve_in(bool has_units, carom_layout layout, const double *A, const double *b,
                             double *x) {
    carom_factor *factor;
    assert_ok(carom_factor_alloc(layout, &factor));
    if (has_units) {
        carom_factor_set_units(factor);
    }
    const carom_status status = carom_factor_compute(factor, A);
    if (status == CAROM_OK) {
        for (int i = 0; i < layout.size; i++) {
            x[i] = b[i];
        }
        carom_factor_solve(factor, x);
    }
    carom_factor_free(factor);
    return status;
}

static carom_status solve(carom_layout layout, const double *A, const double *b, double *x) {
    return solve_in(false, layout, A, b, x);
}

/** |A x - b| <= 8 n roundings of |A| |x| + |b|, row by row: what elimination with little growth
 * gives. */
static void assert_solved(carom_layout layout, const double *A, const double *b, const double *x) {
    for (int i = 0; i < layout.size; i++) {
        double rest = -b[i];
        double size = fabs(b[i]);
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            const double term = A[carom_layout_index(layout, i, j)] * x[j];
            rest += term;
            size += fabs(term);
        }
        assert_close(rest, 0.0, 0.0, 8.0 * (double)layout.size * DBL_EPSILON * size);
    }
}

/** Random entries, NaN in the unread corners; symmetric and diagonally dominant on request. */
static void random_matrix(gsl_rng *generator, carom_layout layout, bool is_definite, double *A) {
    for (size_t k = 0; k < carom_layout_entry_count(layout); k++) {
        A[k] = (double)NAN;
    }
    for (int i = 0; i < layout.size; i++) {
        for (int j = carom_layout_first_column(layout, i); j <= i; j++) {
            const double lower = uniform(generator, -1.0, 1.0);
            A[carom_layout_index(layout, i, j)] = lower;
            A[carom_layout_index(layout, j, i)] =
                is_definite || i == j ? lower : uniform(generator, -1.0, 1.0);
        }
    }
    for (int i = 0; is_definite && i < layout.size; i++) {
        double row_sum = 0.1;
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            row_sum += fabs(A[carom_layout_index(layout, i, j)]);
        }
        A[carom_layout_index(layout, i, i)] = row_sum;
    }
}

static void random_vector(gsl_rng *generator, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = uniform(generator, -1.0, 1.0);
    }
}

TEST(unit, a_diagonal_matrix_is_divided_by) {
    const double A[3] = {2.0, -0.5, 8.0};
    const double b[3] = {3.0, 1.25, 1e-20};
    double x[3];
    assert_ok(solve(carom_layout_banded(3, 0), A, b, x));
    assert_close(x[0], 1.5, DBL_EPSILON, 0.0);
    assert_close(x[1], -2.5, DBL_EPSILON, 0.0);
    assert_close(x[2], 1.25e-21, DBL_EPSILON, 0.0);
}

TEST(unit, one_equation_is_solved_in_every_storage) {
    const double b[1] = {4.77};
    const double positive[1] = {2.385};
    const double negative[1] = {-2.385};
    const double band[5] = {(double)NAN, (double)NAN, 2.385, (double)NAN, (double)NAN};
    double x[1];
    assert_ok(solve(carom_layout_full(1), positive, b, x));
    assert_close(x[0], 2.0, DBL_EPSILON, 0.0);
    assert_ok(solve(carom_layout_full(1), negative, b, x));
    assert_close(x[0], -2.0, DBL_EPSILON, 0.0);
    assert_ok(solve(carom_layout_banded(1, 2), band, b, x));
    assert_close(x[0], 2.0, DBL_EPSILON, 0.0);
}

TEST(unit, the_hanging_chain_has_the_parabola) {
    // -x_{i-1} + 2 x_i - x_{i+1} = 1 with x_0 = x_{n+1} = 0: x_i = i (n + 1 - i) / 2.
    for (int n = 1; n <= LARGEST; n++) {
        const carom_layout layout = carom_layout_banded(n, 1);
        double A[3 * LARGEST];
        double b[LARGEST];
        double x[LARGEST];
        for (int i = 0; i < n; i++) {
            A[3 * i] = -1.0;
            A[3 * i + 1] = 2.0;
            A[3 * i + 2] = -1.0;
            b[i] = 1.0;
        }
        assert_ok(solve(layout, A, b, x));
        for (int i = 0; i < n; i++) {
            // Condition number below (n + 1)^2 / 2 = 840.
            assert_close(x[i], 0.5 * (i + 1) * (n - i), 1e-12, 0.0);
        }
    }
}

TEST(unit, an_indefinite_matrix_with_zeros_on_the_diagonal_is_solved) {
    // The saddle point of a mass of 2 and one joint: [2 1; 1 0] (x, y) = (5, 3).
    const double A[4] = {2.0, 1.0, 1.0, 0.0};
    const double b[2] = {5.0, 3.0};
    double x[2];
    assert_ok(solve(carom_layout_full(2), A, b, x));
    assert_close(x[0], 3.0, DBL_EPSILON, 0.0);
    assert_close(x[1], -1.0, 2.0 * DBL_EPSILON, 0.0);
    const double band[9] = {(double)NAN, 0.0, 2.0, 2.0, 0.0, 1.0, 4.0, 1.0, (double)NAN};
    // Rows: 2 x_1 = 4; 2 x_0 + x_2 = 7; 4 x_1 + x_2 = 9.
    const double c[3] = {4.0, 7.0, 9.0};
    double y[3];
    assert_ok(solve(carom_layout_banded(3, 1), band, c, y));
    assert_close(y[0], 3.0, 4.0 * DBL_EPSILON, 0.0);
    assert_close(y[1], 2.0, 4.0 * DBL_EPSILON, 0.0);
    assert_close(y[2], 1.0, 4.0 * DBL_EPSILON, 0.0);
}

TEST(unit, an_indefinite_symmetric_chain_is_solved_wherever_the_sign_is_lost) {
    // 2 on the diagonal but for one entry -1, 1 beside it; x = (1, -2, 3, -4, 5).
    const double x_true[5] = {1.0, -2.0, 3.0, -4.0, 5.0};
    for (int odd = 0; odd < 5; odd++) {
        double A[15];
        double b[5] = {0.0};
        double x[5];
        for (int i = 0; i < 5; i++) {
            A[3 * i] = 1.0;
            A[3 * i + 1] = i == odd ? -1.0 : 2.0;
            A[3 * i + 2] = 1.0;
        }
        for (int i = 0; i < 5; i++) {
            b[i] = A[3 * i + 1] * x_true[i] + (i > 0 ? x_true[i - 1] : 0.0) +
                   (i < 4 ? x_true[i + 1] : 0.0);
        }
        assert_ok(solve(carom_layout_banded(5, 1), A, b, x));
        for (int i = 0; i < 5; i++) {
            // Condition number below 20.
            assert_close(x[i], x_true[i], 64.0 * DBL_EPSILON, 0.0);
        }
    }
}

TEST(unit, a_workspace_serves_one_matrix_after_another) {
    const double definite[4] = {3.0, 1.0, 1.0, 2.0};
    const double singular[4] = {1.0, 2.0, 2.0, 4.0};
    const double general[4] = {0.0, 2.0, -1.0, 5.0};
    carom_factor *factor;
    assert_ok(carom_factor_alloc(carom_layout_full(2), &factor));
    assert_ok(carom_factor_compute(factor, general));
    assert_status(carom_factor_compute(factor, singular), SINGULAR);
    assert_ok(carom_factor_compute(factor, definite));
    double x[2] = {5.0, 5.0};
    carom_factor_solve(factor, x);
    assert_close(x[0], 1.0, 4.0 * DBL_EPSILON, 0.0);
    assert_close(x[1], 2.0, 4.0 * DBL_EPSILON, 0.0);
    assert_ok(carom_factor_compute(factor, general));
    double y[2] = {4.0, 9.0};
    carom_factor_solve(factor, y);
    assert_close(y[0], 1.0, 4.0 * DBL_EPSILON, 0.0);
    assert_close(y[1], 2.0, 4.0 * DBL_EPSILON, 0.0);
    carom_factor_free(factor);
    carom_factor_free(NULL);
}

TEST(property, residuals_are_rounding_in_every_storage) {
    gsl_rng *generator = seeded_generator(SEED);
    static double A[LARGEST * (2 * LARGEST + 5)];
    for (int round = 0; round < 600; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 12);
        const int b = (int)gsl_rng_uniform_int(generator, 6);
        const carom_layout layout =
            round % 3 == 0 ? carom_layout_full(n) : carom_layout_banded(n, b);
        random_matrix(generator, layout, round % 2 == 0, A);
        double right_side[LARGEST];
        double x[LARGEST];
        random_vector(generator, n, right_side);
        assert_ok(solve(layout, A, right_side, x));
        assert_solved(layout, A, right_side, x);
    }
    gsl_rng_free(generator);
}

TEST(property, bands_agree_with_gsl_on_the_full_matrix) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    const int n = LARGEST;
    static double A[LARGEST * (2 * LARGEST + 1)];
    gsl_matrix *full = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)n);
    gsl_vector *expected = gsl_vector_alloc((size_t)n);
    for (int b = 0; b < n; b++) {
        const carom_layout layout = carom_layout_banded(n, b);
        double right_side[LARGEST];
        double x[LARGEST];
        random_matrix(generator, layout, true, A);
        // Break the symmetry of every other one; it stays diagonally dominant.
        if (b % 2 == 1) {
            A[carom_layout_index(layout, 3, 4)] += 0.05;
        }
        random_vector(generator, n, right_side);
        gsl_matrix_set_zero(full);
        for (int i = 0; i < n; i++) {
            for (int j = carom_layout_first_column(layout, i);
                 j < carom_layout_end_column(layout, i); j++) {
                gsl_matrix_set(full, (size_t)i, (size_t)j, A[carom_layout_index(layout, i, j)]);
            }
            gsl_vector_set(expected, (size_t)i, right_side[i]);
        }
        int sign;
        ck_assert_int_eq(gsl_linalg_LU_decomp(full, permutation, &sign), GSL_SUCCESS);
        ck_assert_int_eq(gsl_linalg_LU_svx(full, permutation, expected), GSL_SUCCESS);
        assert_ok(solve(layout, A, right_side, x));
        for (int i = 0; i < n; i++) {
            // Diagonally dominant by 0.1 of at most 40: condition number below 1000.
            assert_close(x[i], gsl_vector_get(expected, (size_t)i), 0.0, 1e-12);
        }
    }
    gsl_vector_free(expected);
    gsl_permutation_free(permutation);
    gsl_matrix_free(full);
    gsl_rng_free(generator);
}

TEST(property, units_of_the_unknowns_do_not_decide_what_is_singular) {
    // U A U with U from 1e-9 to 1e9 has the solution U^-1 x.
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 100; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 6);
        const carom_layout layout = carom_layout_full(n);
        double A[49];
        double b[7];
        double x[7];
        double scaled[49];
        double scaled_b[7];
        double scaled_x[7];
        double U[7];
        random_matrix(generator, layout, true, A);
        if (round % 2 == 1) {
            A[1] += 0.05;
        }
        random_vector(generator, n, b);
        for (int i = 0; i < n; i++) {
            U[i] = pow(10.0, uniform(generator, -9.0, 9.0));
        }
        for (int i = 0; i < n; i++) {
            scaled_b[i] = U[i] * b[i];
            for (int j = 0; j < n; j++) {
                scaled[i * n + j] = U[i] * A[i * n + j] * U[j];
            }
        }
        assert_ok(solve(layout, A, b, x));
        assert_ok(solve(layout, scaled, scaled_b, scaled_x));
        for (int i = 0; i < n; i++) {
            // Condition number below 100; the pivots of the two need not be the same.
            assert_close(U[i] * scaled_x[i], x[i], 0.0, 1e-12);
        }
    }
    gsl_rng_free(generator);
}

/** U A U of powers of two has the bits of U^-1 x: what is small in a row for its unit alone is no
 * better a pivot for it, and leaves the other rows no more rounding. */
TEST(property, units_of_powers_of_two_leave_the_bits_of_a_positive_diagonal) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 200; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 10);
        const carom_layout layout =
            round % 2 == 0 ? carom_layout_full(n) : carom_layout_banded(n, 2);
        double A[LARGEST * LARGEST];
        double b[LARGEST];
        double x[LARGEST];
        double scaled[LARGEST * LARGEST];
        double scaled_x[LARGEST];
        double U[LARGEST];
        random_matrix(generator, layout, false, A);
        random_vector(generator, n, b);
        double scaled_b[LARGEST];
        for (int i = 0; i < n; i++) {
            U[i] = ldexp(1.0, (int)gsl_rng_uniform_int(generator, 61) - 30);
            scaled_b[i] = U[i] * b[i];
        }
        for (int i = 0; i < n; i++) {
            double *diagonal = &A[carom_layout_index(layout, i, i)];
            *diagonal = 0.1 + fabs(*diagonal);
            for (int j = carom_layout_first_column(layout, i);
                 j < carom_layout_end_column(layout, i); j++) {
                const size_t at = carom_layout_index(layout, i, j);
                scaled[at] = U[i] * A[at] * U[j];
            }
        }
        assert_ok(solve_in(true, layout, A, b, x));
        assert_ok(solve_in(true, layout, scaled, scaled_b, scaled_x));
        for (int i = 0; i < n; i++) {
            assert_close(U[i] * scaled_x[i], x[i], 0.0, 0.0);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, a_singular_matrix_is_refused_in_every_storage) {
    double x[4];
    const double b[4] = {1.0, 1.0, 1.0, 1.0};
    const double zero_diagonal[3] = {1.0, 0.0, 2.0};
    assert_status(solve(carom_layout_banded(3, 0), zero_diagonal, b, x), SINGULAR);
    const double zero[1] = {0.0};
    assert_status(solve(carom_layout_full(1), zero, b, x), SINGULAR);
    // A free chain: no support.
    const double chain[12] = {0.0, 1.0, -1.0, -1.0, 2.0, -1.0, -1.0, 2.0, -1.0, -1.0, 1.0, 0.0};
    assert_status(solve(carom_layout_banded(4, 1), chain, b, x), SINGULAR);
    const double zero_row[9] = {1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 4.0, 5.0, 7.0};
    assert_status(solve(carom_layout_full(3), zero_row, b, x), SINGULAR);
    const double zero_column[9] = {1.0, 0.0, 3.0, 2.0, 0.0, 1.0, 4.0, 0.0, 7.0};
    assert_status(solve(carom_layout_full(3), zero_column, b, x), SINGULAR);
}

TEST(errors, a_matrix_singular_but_for_rounding_is_refused) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 200; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 7);
        double A[64];
        double b[8];
        double x[8];
        double weights[8];
        random_matrix(generator, carom_layout_full(n), false, A);
        random_vector(generator, n, b);
        random_vector(generator, n, weights);
        // The last row is a sum of the others; every other matrix is made symmetric, A A'.
        for (int j = 0; j < n; j++) {
            A[(n - 1) * n + j] = 0.0;
            for (int i = 0; i < n - 1; i++) {
                A[(n - 1) * n + j] += weights[i] * A[i * n + j];
            }
        }
        if (round % 2 == 0) {
            double rows[64] = {0.0};
            for (int k = 0; k < n * n; k++) {
                rows[k] = A[k];
            }
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    A[i * n + j] = 0.0;
                    for (int k = 0; k < n; k++) {
                        A[i * n + j] += rows[i * n + k] * rows[j * n + k];
                    }
                }
            }
        }
        const carom_status status = solve(carom_layout_full(n), A, b, x);
        // Rounding of the sums may exceed the threshold where the other rows are nearly dependent.
        if (status == CAROM_OK) {
            double largest = 0.0;
            for (int i = 0; i < n; i++) {
                largest = fmax(largest, fabs(x[i]));
            }
            ck_assert_double_gt(largest, 1e11);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_SINGULAR);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, nan_and_infinity_are_refused_wherever_they_stand) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    const double bad[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    double A[64];
    double x[8];
    const double b[8] = {0.0};
    for (int half_bandwidth = -1; half_bandwidth < 4; half_bandwidth++) {
        const carom_layout layout =
            half_bandwidth < 0 ? carom_layout_full(6) : carom_layout_banded(6, half_bandwidth);
        random_matrix(generator, layout, true, A);
        for (int i = 0; i < 6; i++) {
            for (int j = carom_layout_first_column(layout, i);
                 j < carom_layout_end_column(layout, i); j++) {
                const double kept = A[carom_layout_index(layout, i, j)];
                A[carom_layout_index(layout, i, j)] = bad[(i + j) % 3];
                assert_status(solve(layout, A, b, x), NOT_FINITE);
                A[carom_layout_index(layout, i, j)] = kept;
            }
        }
        assert_ok(solve(layout, A, b, x));
    }
    gsl_rng_free(generator);
}

TEST(errors, a_workspace_without_memory_is_refused_without_a_leak) {
    carom_factor *factor = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_factor_alloc(carom_layout_banded(5, 1), &factor);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(factor);
        }
    }
    ck_assert_int_gt(failures, 4);
    carom_factor_free(factor);
}
