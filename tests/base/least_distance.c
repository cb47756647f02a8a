/*
 * carom/base/linear_algebra.h: closed forms, coordinate ascent on the dual, combinations of rows
 * that cancel, narrow openings.
 */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/linear_algebra.h>

#include <stdbool.h>

static const unsigned long SEED = 19740607;

enum { MOST_ROWS = 24, MOST_UNKNOWNS = 8 };

static double norm_of(int n, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

// x = a/|a|^2, y = 1/|a|^2.
TEST(unit, one_half_space_is_met_at_its_foot) {
    const double a[3] = {0.6, -2.4, 1.3};
    const double square = 0.36 + 5.76 + 1.69;
    double x[3];
    double y;
    double gap;
    assert_ok(carom_least_distance_solve(3, 1, a, x, &y, &gap));
    for (int i = 0; i < 3; i++) {
        assert_close(x[i], a[i] / square, 1e-15, 0.0);
    }
    assert_close(y, 1.0 / square, 1e-15, 0.0);
    assert_close(gap, 0.0, 0.0, 1e-15);
}

// Two rows at +-b from the vertical, lengths 3: x is vertical with 3 |x| cos b = 1; the row inside
// them and a second copy of the first change nothing.
TEST(unit, rows_that_follow_from_others_do_not_matter) {
    const double b = 0.83;
    const double A[8] = {3.0 * sin(b), 3.0 * cos(b), 0.4,           9.0,
                         3.0 * sin(b), 3.0 * cos(b), -3.0 * sin(b), 3.0 * cos(b)};
    double x[2];
    double y[4];
    assert_ok(carom_least_distance_solve(2, 4, A, x, y, NULL));
    assert_close(x[0], 0.0, 0.0, 1e-15);
    assert_close(x[1], 1.0 / (3.0 * cos(b)), 1e-14, 0.0);
    assert_close(y[1], 0.0, 0.0, 0.0);
    assert_close(y[0] + y[2], y[3], 1e-13, 0.0);
    assert_close(y[0] + y[2] + y[3], x[1] * x[1], 1e-13, 0.0);
}

// Rows at 90 degrees - a from the vertical, of very different lengths L, l: x = vertical part from
// both, horizontal part zero only for equal ones; solved by hand from the two equations.
TEST(unit, narrow_openings_keep_their_digits) {
    double a = 0.3;
    for (int decade = 0; decade < 9; decade++) {
        const double L = 40.0;
        const double l = 0.7;
        const double A[4] = {L * cos(a), L * sin(a), -l * cos(a), l * sin(a)};
        double x[2];
        double y[2];
        double gap;
        assert_ok(carom_least_distance_solve(2, 2, A, x, y, &gap));
        const double sine = 0.5 * (1.0 / L + 1.0 / l);
        const double cosine = 0.5 * (1.0 / L - 1.0 / l);
        // Ten roundings in an opening of a.
        assert_close(x[0], cosine / cos(a), 1e-15 / a, 0.0);
        assert_close(x[1], sine / sin(a), 1e-15 / a, 0.0);
        ck_assert_double_le(fabs(gap), 1e-15 / a);
        a *= 0.1;
    }
}

/** max over y >= 0 of 1 . y - |A' y|^2/2 one coordinate after the other (Hildreth's method), an
 * independent way to |x| = |A' y|. */
static double ascend(int n, int g, const double *A, int sweeps) {
    double y[MOST_ROWS] = {0.0};
    double x[MOST_UNKNOWNS] = {0.0};
    for (int sweep = 0; sweep < sweeps; sweep++) {
        for (int j = 0; j < g; j++) {
            double slack = 1.0;
            double square = 0.0;
            for (int i = 0; i < n; i++) {
                slack -= A[j * n + i] * x[i];
                square += A[j * n + i] * A[j * n + i];
            }
            const double step = fmax(slack / square, -y[j]);
            y[j] += step;
            for (int i = 0; i < n; i++) {
                x[i] += step * A[j * n + i];
            }
        }
    }
    return norm_of(n, x);
}

/** Rows that lean to the first axis, of lengths over three decades. */
static void set_random(gsl_rng *generator, int n, int g, double lean, double *A) {
    for (int j = 0; j < g; j++) {
        const double length = pow(10.0, uniform(generator, -1.5, 1.5));
        for (int i = 0; i < n; i++) {
            A[j * n + i] = length * (uniform(generator, -1.0, 1.0) + (i == 0 ? lean : 0.0));
        }
    }
}

static double longest_row(int n, int g, const double *A) {
    double longest = 0.0;
    for (int j = 0; j < g; j++) {
        longest = fmax(longest, norm_of(n, A + j * n));
    }
    return longest;
}

/** x = A' y, A x >= 1 and y (A x - 1) = 0, y >= 0: the conditions that make x the shortest. */
static void assert_shortest(int n, int g, const double *A, const double *x, const double *y) {
    double combination[MOST_UNKNOWNS] = {0.0};
    double terms = 0.0;
    // x has the rounding of the narrowest opening, 1/(|x| |a|).
    const double size = longest_row(n, g, A) * norm_of(n, x);
    for (int j = 0; j < g; j++) {
        double product = 0.0;
        for (int i = 0; i < n; i++) {
            product += A[j * n + i] * x[i];
            combination[i] += A[j * n + i] * y[j];
        }
        ck_assert_double_ge(y[j], 0.0);
        ck_assert_double_ge(product, 1.0 - 1e-15 * n * size);
        ck_assert(y[j] <= 0.0 || product <= 1.0 + 1e-14 * n * size);
        terms += y[j] * norm_of(n, A + j * n);
    }
    for (int i = 0; i < n; i++) {
        assert_close(combination[i], x[i], 0.0, 1e-15 * n * (terms + size * norm_of(n, x)));
    }
}

TEST(property, random_problems_meet_the_conditions_of_the_shortest) {
    gsl_rng *generator = seeded_generator(SEED);
    int solved = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const int n = 1 + trial % MOST_UNKNOWNS;
        const int g = 1 + trial % MOST_ROWS;
        double A[MOST_ROWS * MOST_UNKNOWNS];
        double x[MOST_UNKNOWNS];
        double y[MOST_ROWS];
        set_random(generator, n, g, 0.8, A);
        const carom_status status = carom_least_distance_solve(n, g, A, x, y, NULL);
        ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_RAY, "trial %d of seed %lu: %s",
                      trial, SEED, carom_status_name(status));
        if (status == CAROM_OK) {
            assert_shortest(n, g, A, x, y);
            solved++;
        }
    }
    ck_assert(solved > 500 && solved < 950);
    gsl_rng_free(generator);
}

TEST(property, lengths_are_those_of_coordinate_ascent) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    int compared = 0;
    for (int trial = 0; trial < 200; trial++) {
        const int n = 2 + trial % 5;
        const int g = 1 + trial % 9;
        double A[MOST_ROWS * MOST_UNKNOWNS];
        double x[MOST_UNKNOWNS];
        double y[MOST_ROWS];
        set_random(generator, n, g, 0.6, A);
        const carom_status status = carom_least_distance_solve(n, g, A, x, y, NULL);
        // A linear rate that depends on the opening 1/(|x| |a|): narrow ones are left out.
        if (status == CAROM_OK && norm_of(n, x) * longest_row(n, g, A) < 30.0) {
            assert_close(ascend(n, g, A, 3000), norm_of(n, x), 1e-6, 0.0);
            compared++;
        }
    }
    ck_assert_int_gt(compared, 50);
    gsl_rng_free(generator);
}

TEST(property, lengths_and_order_of_rows_do_not_matter_to_the_verdict) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int trial = 0; trial < 300; trial++) {
        const int n = 1 + trial % MOST_UNKNOWNS;
        const int g = 1 + trial % MOST_ROWS;
        double A[MOST_ROWS * MOST_UNKNOWNS];
        double B[MOST_ROWS * MOST_UNKNOWNS];
        double x[MOST_UNKNOWNS];
        double y[MOST_ROWS];
        set_random(generator, n, g, 0.6, A);
        const double factor = pow(10.0, uniform(generator, -8.0, 8.0));
        for (int j = 0; j < g; j++) {
            for (int i = 0; i < n; i++) {
                B[(g - 1 - j) * n + i] = factor * A[j * n + i];
            }
        }
        const carom_status status = carom_least_distance_solve(n, g, A, x, y, NULL);
        const double length = norm_of(n, x);
        ck_assert_int_eq(carom_least_distance_solve(n, g, B, x, y, NULL), status);
        if (status == CAROM_OK) {
            // The rounding of the narrowest opening, 1/(|x| |a|).
            const double opening = 1.0 / (length * longest_row(n, g, A));
            assert_close(factor * norm_of(n, x), length, 1e-14 * n / opening, 0.0);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, certificate_cancels_the_rows) {
    // a_1 + 2 a_2 + 3 a_3 = 0, a_4 elsewhere.
    const double A[12] = {1.0, -2.0, 0.5, 0.25, 0.7, -1.0, -0.5, 0.2, 0.5, 0.3, 0.4, 0.9};
    double x[3];
    double y[4];
    double gap = 0.0;
    assert_status(carom_least_distance_solve(3, 4, A, x, y, &gap), RAY);
    assert_close(y[0], 1.0 / 6.0, 1e-12, 0.0);
    assert_close(y[1], 2.0 / 6.0, 1e-12, 0.0);
    assert_close(y[2], 3.0 / 6.0, 1e-12, 0.0);
    assert_close(y[3], 0.0, 0.0, 1e-12);
    ck_assert(isnan(x[0]) && isnan(x[2]) && isnan(gap));
}

// The last row is a combination of others that leaves no room, up to its rounding.
TEST(errors, random_rows_that_cancel_are_told) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int trial = 0; trial < 500; trial++) {
        const int n = 2 + trial % (MOST_UNKNOWNS - 1);
        const int g = 2 + trial % (MOST_ROWS - 1);
        double A[MOST_ROWS * MOST_UNKNOWNS];
        double x[MOST_UNKNOWNS];
        double y[MOST_ROWS];
        set_random(generator, n, g, 1.5, A);
        for (int i = 0; i < n; i++) {
            A[(g - 1) * n + i] = 0.0;
        }
        for (int j = 0; j < g - 1 && j < 4; j++) {
            const double share = uniform(generator, 0.1, 1.0);
            for (int i = 0; i < n; i++) {
                A[(g - 1) * n + i] -= share * A[j * n + i];
            }
        }
        const carom_status status = carom_least_distance_solve(n, g, A, x, y, NULL);
        ck_assert_msg(status == CAROM_STATUS_RAY, "trial %d of seed %lu: %s", trial, SEED + 3,
                      carom_status_name(status));
        double sum = 0.0;
        for (int j = 0; j < g; j++) {
            ck_assert_double_ge(y[j], 0.0);
            sum += y[j];
        }
        assert_close(sum, 1.0, 1e-14, 0.0);
    }
    gsl_rng_free(generator);
}

TEST(errors, a_row_of_zeros_has_no_solution) {
    const double A[4] = {1.0, 0.4, 0.0, 0.0};
    double x[2];
    double y[2];
    assert_status(carom_least_distance_solve(2, 2, A, x, y, NULL), RAY);
    assert_close(y[0], 0.0, 0.0, 0.0);
    assert_close(y[1], 1.0, 0.0, 0.0);
    ck_assert(isnan(x[0]) && isnan(x[1]));
}

TEST(errors, no_memory_is_told_and_nothing_is_lost) {
    const double A[4] = {1.0, 0.4, 0.2, 1.7};
    double x[2];
    double y[2];
    double gap;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int refusals = 0;
    for (; status == CAROM_STATUS_OUT_OF_MEMORY; refusals++) {
        successes_left = refusals;
        status = carom_least_distance_solve(2, 2, A, x, y, &gap);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (isnan(x[0]) && isnan(y[1]) && isnan(gap)));
    }
    assert_ok(status);
    // Allocations of GSL itself do not fail here.
    ck_assert_int_gt(refusals, 3);
}
