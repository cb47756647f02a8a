/* carom/base/base.h: both storages against the same matrix written out in full by hand. */
#include <carom/base/base.h>
#include <carom/base/linear_algebra.h>

#include "../support.h"

static const unsigned long SEED = 20140801;

/** Every stored place of a matrix, the corners outside a band included, holds NaN. */
static double *storage_of_nan(carom_layout layout) {
    const size_t count = carom_layout_entry_count(layout);
    double *A = malloc(count * sizeof(double));
    ck_assert_ptr_nonnull(A);
    for (size_t k = 0; k < count; k++) {
        A[k] = (double)NAN;
    }
    return A;
}

/** Random entries inside the matrix, NaN outside; the same in full, zero outside the band. */
static void random_matrix(gsl_rng *generator, carom_layout layout, double *A, double *full) {
    for (int i = 0; i < layout.size; i++) {
        for (int j = 0; j < layout.size; j++) {
            full[i * layout.size + j] = 0.0;
        }
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            const double value = uniform(generator, -2.0, 2.0);
            A[carom_layout_index(layout, i, j)] = value;
            full[i * layout.size + j] = value;
        }
    }
}

TEST(unit, a_full_matrix_is_stored_row_by_row) {
    const carom_layout layout = carom_layout_full(4);
    ck_assert_int_eq(layout.size, 4);
    ck_assert(!layout.is_banded);
    ck_assert_uint_eq(carom_layout_entry_count(layout), 16);
    ck_assert_int_eq(carom_layout_first_column(layout, 2), 0);
    ck_assert_int_eq(carom_layout_end_column(layout, 2), 4);
    ck_assert_uint_eq(carom_layout_index(layout, 2, 3), 11);
}

TEST(unit, a_band_is_stored_by_rows_of_two_b_plus_one) {
    const carom_layout layout = carom_layout_banded(6, 2);
    ck_assert(layout.is_banded);
    ck_assert_uint_eq(carom_layout_entry_count(layout), 30);
    const int first[6] = {0, 0, 0, 1, 2, 3};
    const int end[6] = {3, 4, 5, 6, 6, 6};
    for (int i = 0; i < 6; i++) {
        ck_assert_int_eq(carom_layout_first_column(layout, i), first[i]);
        ck_assert_int_eq(carom_layout_end_column(layout, i), end[i]);
    }
    ck_assert_uint_eq(carom_layout_index(layout, 0, 0), 2);
    ck_assert_uint_eq(carom_layout_index(layout, 3, 1), 15);
    ck_assert_uint_eq(carom_layout_index(layout, 3, 5), 19);
}

TEST(unit, a_band_wider_than_the_matrix_ends_at_its_last_column) {
    const carom_layout layout = carom_layout_banded(3, 5);
    ck_assert_int_eq(carom_layout_first_column(layout, 2), 0);
    ck_assert_int_eq(carom_layout_end_column(layout, 0), 3);
    ck_assert_uint_eq(carom_layout_index(layout, 2, 0), 2 * 11 + 3);
}

TEST(unit, a_two_by_two_product_is_that_of_paper_and_pencil) {
    const double A[4] = {1.5, -2.0, 0.25, 3.0};
    const double x[2] = {2.0, -1.0};
    double y[2] = {10.0, 20.0};
    // A x = (5, -2.5).
    carom_layout_multiply_add(carom_layout_full(2), -2.0, A, x, y);
    assert_close(y[0], 0.0, 0.0, 0.0);
    assert_close(y[1], 25.0, 0.0, 0.0);
}

TEST(unit, asymmetry_is_the_largest_difference_over_the_diagonal) {
    const double A[9] = {1.0, 2.0, -3.0, 2.5, 4.0, 7.0, -3.125, 6.5, 9.0};
    assert_close(carom_layout_asymmetry(carom_layout_full(3), A), 0.5, 0.0, 0.0);
    const double band[9] = {(double)NAN, 1.0, 2.0, 2.385, 1.0, 0.5, 0.5, 1.0, (double)NAN};
    assert_close(carom_layout_asymmetry(carom_layout_banded(3, 1), band), 0.385, 1e-15, 0.0);
    const double one[1] = {3.0};
    assert_close(carom_layout_asymmetry(carom_layout_full(1), one), 0.0, 0.0, 0.0);
}

TEST(errors, asymmetry_keeps_a_nan) {
    const double A[9] = {1.0, (double)NAN, 3.0, 2.0, 1.0, 0.0, 7.0, 0.0, 1.0};
    ck_assert(isnan(carom_layout_asymmetry(carom_layout_full(3), A)));
}

TEST(property, products_and_sums_agree_with_the_matrix_written_out) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 9);
        const int b = (int)gsl_rng_uniform_int(generator, 11);
        const carom_layout layout =
            round % 2 == 0 ? carom_layout_full(n) : carom_layout_banded(n, b);
        double full_A[81];
        double full_B[81];
        double x[9];
        double y[9];
        double expected[9];
        double *A = storage_of_nan(layout);
        double *B = storage_of_nan(layout);
        random_matrix(generator, layout, A, full_A);
        random_matrix(generator, layout, B, full_B);
        const double alpha = uniform(generator, -3.0, 3.0);
        for (int i = 0; i < n; i++) {
            x[i] = uniform(generator, -1.0, 1.0);
            y[i] = uniform(generator, -1.0, 1.0);
            expected[i] = y[i];
        }
        // y + alpha (B + alpha A) x, nine terms of size one to twenty: rounding below 1e-13.
        carom_layout_add(layout, alpha, A, B);
        carom_layout_multiply_add(layout, alpha, B, x, y);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                expected[i] += alpha * (full_B[i * n + j] + alpha * full_A[i * n + j]) * x[j];
            }
            assert_close(y[i], expected[i], 0.0, 1e-13);
        }
        free(A);
        free(B);
    }
    gsl_rng_free(generator);
}

TEST(property, a_matrix_plus_its_transpose_has_no_asymmetry) {
    gsl_rng *generator = seeded_generator(SEED);
    const carom_layout layout = carom_layout_banded(7, 3);
    double full[49];
    double *A = storage_of_nan(layout);
    random_matrix(generator, layout, A, full);
    ck_assert(carom_layout_asymmetry(layout, A) > 0.1);
    for (int i = 0; i < 7; i++) {
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            A[carom_layout_index(layout, i, j)] = full[i * 7 + j] + full[j * 7 + i];
        }
    }
    assert_close(carom_layout_asymmetry(layout, A), 0.0, 0.0, 0.0);
    free(A);
    gsl_rng_free(generator);
}
