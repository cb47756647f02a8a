/*
 * carom/timestepping/variational_friction.h: closed forms, all choices of modes, and a minimizer
 * without derivatives as the independent methods.
 */
#include <carom/timestepping/variational_friction.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/counter_random.h>

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <string.h>

static const unsigned long SEED = 20140807;
enum { MOST_ROWS = 6 };

/** A problem with W = A A', A [k][k] of which `rank` columns count. */
typedef struct box_case {
    int k;
    double W[MOST_ROWS * MOST_ROWS];
    double v[MOST_ROWS];
    double b[MOST_ROWS];
} box_case;

static double draw(unsigned long sample, unsigned long *number, double low, double high) {
    return low + (high - low) * carom_counter_uniform(SEED, sample, (*number)++);
}

static box_case random_case(unsigned long sample, int k, int rank) {
    box_case x = {.k = k};
    unsigned long number = 0;
    double A[MOST_ROWS * MOST_ROWS] = {0.0};
    for (int i = 0; i < k; i++) {
        for (int c = 0; c < rank; c++) {
            A[i * k + c] = draw(sample, &number, -1.0, 1.0) + (i == c ? 0.7 : 0.0);
        }
        x.b[i] = draw(sample, &number, 0.0, 1.7);
    }
    for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
            for (int c = 0; c < rank; c++) {
                x.W[i * k + j] += A[i * k + c] * A[j * k + c];
            }
        }
        x.v[i] = draw(sample, &number, -2.0, 2.0);
    }
    return x;
}

static double sliding(const box_case *x, const double *f, int i) {
    double u = x->v[i];
    for (int j = 0; j < x->k; j++) {
        u += x->W[i * x->k + j] * f[j];
    }
    return u;
}

/** Coulomb's law in each row, up to rounding of sums of order ten and impulses of order two. */
static void assert_coulomb(const box_case *x, const double *f) {
    double power = 0.0;
    for (int i = 0; i < x->k; i++) {
        const double u = sliding(x, f, i);
        ck_assert_double_le(fabs(f[i]), x->b[i]);
        if (fabs(f[i]) < x->b[i]) {
            assert_close(u, 0.0, 0.0, 2e-14);
        } else {
            ck_assert_double_le(f[i] * u, 1e-12);
        }
        power += f[i] * u;
    }
    ck_assert_double_le(power, 1e-12);
}

/** Solve for the modes that a number codes in base 3: sticks, +b, -b. @return false if they do not
 * fit */
static bool solve_modes(const box_case *x, int code, double *f) {
    const int k = x->k;
    bool sticks[MOST_ROWS] = {false};
    gsl_matrix *A = gsl_matrix_calloc((size_t)k, (size_t)k);
    gsl_vector *right = gsl_vector_calloc((size_t)k);
    gsl_permutation *order = gsl_permutation_alloc((size_t)k);
    for (int i = 0; i < k; i++, code /= 3) {
        sticks[i] = code % 3 == 0;
        for (int j = 0; j < k; j++) {
            const double entry = sticks[i] ? x->W[i * k + j] : (i == j ? 1.0 : 0.0);
            gsl_matrix_set(A, (size_t)i, (size_t)j, entry);
        }
        const double bound = code % 3 == 1 ? x->b[i] : -x->b[i];
        gsl_vector_set(right, (size_t)i, sticks[i] ? -x->v[i] : bound);
    }
    int sign;
    gsl_vector_view answer = gsl_vector_view_array(f, (size_t)k);
    gsl_linalg_LU_decomp(A, order, &sign);
    bool fits = gsl_linalg_LU_solve(A, order, right, &answer.vector) == GSL_SUCCESS;
    for (int i = 0; i < k && fits; i++) {
        fits = sticks[i] ? fabs(f[i]) <= x->b[i] : f[i] * sliding(x, f, i) <= 0.0;
    }
    gsl_permutation_free(order);
    gsl_vector_free(right);
    gsl_matrix_free(A);
    return fits;
}

START_TEST(one_row_sticks_inside_its_bound_and_slides_outside) {
    const double W = 2.385;
    const double v[4] = {0.9, 3.7, -3.7, 2.385 * 0.61 * (1.0 - 1e-8)};
    const double b = 0.61;
    // -v/w inside the bound, however near to it; otherwise -b sign v.
    const double expected[4] = {-0.9 / 2.385, -0.61, 0.61, -0.61 * (1.0 - 1e-8)};
    for (int i = 0; i < 4; i++) {
        double f;
        assert_ok(carom_variational_friction_box(1, &W, &v[i], &b, &f, NULL));
        assert_close(f, expected[i], 2.0 * DBL_EPSILON, 0.0);
        assert_close(carom_variational_friction_objective(1, &W, &v[i], &f),
                     0.5 * W * f * f + v[i] * f, 4.0 * DBL_EPSILON, 0.0);
    }
}
END_TEST

START_TEST(the_printed_maximization_would_leave_half_the_sliding) {
    // max over f of -f v_t(f), v_t = v + w f, is at f = -v/(2w): v_t = v/2 where it could stick.
    const double W = 1.7;
    const double v = 0.8;
    const double b = 10.0;
    const double printed = -v / (2.0 * W);
    double f;
    assert_ok(carom_variational_friction_box(1, &W, &v, &b, &f, NULL));
    assert_close(v + W * f, 0.0, 0.0, DBL_EPSILON);
    assert_close(v + W * printed, 0.5 * v, 2.0 * DBL_EPSILON, 0.0);
    // It removes more power, but leaves more kinetic energy.
    ck_assert_double_gt(-printed * (v + W * printed), -f * (v + W * f));
    assert_close(carom_variational_friction_objective(1, &W, &v, &f), -v * v / (2.0 * W), 1e-15,
                 0.0);
    assert_close(carom_variational_friction_objective(1, &W, &v, &printed),
                 0.75 * -v * v / (2.0 * W), 1e-15, 0.0);
}
END_TEST

START_TEST(rows_without_bound_or_without_compliance_are_decided) {
    // b = 0: no impulse; W_ii = 0 (an immovable row): the bound against the sliding, 0 if none.
    const box_case x = {.k = 4,
                        .W = {2.0, 0.3, 0.0, 0.0, 0.3, 1.1, 0.0, 0.0},
                        .v = {0.7, -0.4, 1.3, 0.0},
                        .b = {0.0, 3.0, 0.8, 0.5}};
    double f[4] = {0.0};
    assert_ok(carom_variational_friction_box(4, x.W, x.v, x.b, f, NULL));
    assert_close(f[0], 0.0, 0.0, 0.0);
    assert_close(f[1], 0.4 / 1.1, 2.0 * DBL_EPSILON, 0.0);
    assert_close(f[2], -0.8, 0.0, 0.0);
    assert_coulomb(&x, f);
}
END_TEST

START_TEST(of_all_modes_the_one_that_fits_is_found) {
    int slides = 0;
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int k = 1 + (int)(sample % 4);
        const box_case x = random_case(sample, k, k);
        double f[MOST_ROWS] = {0.0};
        assert_ok(carom_variational_friction_box(k, x.W, x.v, x.b, f, NULL));
        assert_coulomb(&x, f);
        int codes = 1;
        for (int i = 0; i < k; i++) {
            codes *= 3;
            slides += fabs(f[i]) < x.b[i] ? 0 : 1;
        }
        int fitting = 0;
        for (int code = 0; code < codes; code++) {
            double other[MOST_ROWS] = {0.0};
            if (!solve_modes(&x, code, other)) {
                continue;
            }
            fitting++;
            for (int i = 0; i < k; i++) {
                // W of condition up to 1e4.
                assert_close(f[i], other[i], 0.0, 1e-11);
            }
        }
        ck_assert_int_ge(fitting, 1);
    }
    // Both kinds of row occur.
    ck_assert_int_gt(slides, 150);
    ck_assert_int_lt(slides, 600);
}
END_TEST

START_TEST(dependent_rows_have_one_sliding_and_least_energy) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int k = 2 + (int)(sample % 5);
        const box_case x = random_case(1000 + sample, k, 1 + k / 2);
        double f[MOST_ROWS] = {0.0};
        assert_ok(carom_variational_friction_box(k, x.W, x.v, x.b, f, NULL));
        assert_coulomb(&x, f);
        // Convexity: no random point of the box is lower.
        const double least = carom_variational_friction_objective(k, x.W, x.v, f);
        unsigned long number = 500;
        for (int trial = 0; trial < 50; trial++) {
            double g[MOST_ROWS] = {0.0};
            for (int i = 0; i < k; i++) {
                g[i] = draw(sample, &number, -x.b[i], x.b[i]);
            }
            const double value = carom_variational_friction_objective(k, x.W, x.v, g);
            ck_assert_double_ge(value, least - 1e-12);
        }
    }
}
END_TEST

/** Objective of the clamped point, and an exact penalty for leaving the box. */
static double penalized(const gsl_vector *at, void *context) {
    const box_case *x = context;
    double f[MOST_ROWS] = {0.0};
    double outside = 0.0;
    for (int i = 0; i < x->k; i++) {
        const double value = gsl_vector_get(at, (size_t)i);
        f[i] = fmax(-x->b[i], fmin(x->b[i], value));
        outside += fabs(value - f[i]);
    }
    return carom_variational_friction_objective(x->k, x->W, x->v, f) + 10.0 * outside;
}

/** The simplex method, begun again from the clamped point it ends at. */
static double minimize_by_simplex(box_case *x) {
    const size_t k = (size_t)x->k;
    gsl_multimin_function function = {.f = penalized, .n = k, .params = x};
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, k);
    gsl_vector *place = gsl_vector_calloc(k);
    gsl_vector *size = gsl_vector_alloc(k);
    double least = HUGE_VAL;
    for (int begin = 0; begin < 24; begin++) {
        gsl_vector_set_all(size, 0.3 * pow(0.1, begin % 4));
        gsl_multimin_fminimizer_set(simplex, &function, place, size);
        for (int step = 0; step < 600 && gsl_multimin_fminimizer_size(simplex) > 1e-13; step++) {
            if (gsl_multimin_fminimizer_iterate(simplex) != GSL_SUCCESS) {
                break;
            }
        }
        for (size_t i = 0; i < k; i++) {
            const double value = gsl_vector_get(gsl_multimin_fminimizer_x(simplex), i);
            gsl_vector_set(place, i, fmax(-x->b[i], fmin(x->b[i], value)));
        }
        least = fmin(least, gsl_multimin_fminimizer_minimum(simplex));
    }
    gsl_vector_free(size);
    gsl_vector_free(place);
    gsl_multimin_fminimizer_free(simplex);
    return least;
}

START_TEST(the_minimizer_without_derivatives_agrees_in_the_objective) {
    for (unsigned long sample = 0; sample < 30; sample++) {
        const int k = 1 + (int)(sample % 3);
        box_case x = random_case(2000 + sample, k, k);
        double f[MOST_ROWS] = {0.0};
        assert_ok(carom_variational_friction_box(k, x.W, x.v, x.b, f, NULL));
        // Impulses within 1e-6 or better make objectives within 1e-12 of each other.
        assert_close(minimize_by_simplex(&x), carom_variational_friction_objective(k, x.W, x.v, f),
                     1e-12, 0.0);
    }
}
END_TEST

START_TEST(units_do_not_matter) {
    for (unsigned long sample = 0; sample < 50; sample++) {
        const box_case x = random_case(3000 + sample, 3, 3);
        box_case y = x;
        // Impulses in units of 1e-6, speeds in units of 1e3.
        for (int i = 0; i < 9; i++) {
            y.W[i] *= 1e-9;
        }
        for (int i = 0; i < 3; i++) {
            y.v[i] *= 1e-3;
            y.b[i] *= 1e6;
        }
        double f[3] = {0.0};
        double g[3] = {0.0};
        assert_ok(carom_variational_friction_box(3, x.W, x.v, x.b, f, NULL));
        assert_ok(carom_variational_friction_box(3, y.W, y.v, y.b, g, NULL));
        for (int i = 0; i < 3; i++) {
            assert_close(1e-6 * g[i], f[i], 1e-11, 1e-13);
        }
    }
}
END_TEST

/** Refused with NaN for an answer. */
static void assert_refused(const box_case *x, carom_status expected, const char *quantity,
                           int index) {
    double f[MOST_ROWS] = {0.0};
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_variational_friction_box(x->k, x->W, x->v, x->b, f, &report), expected);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(report.index, index);
    for (int i = 0; i < x->k; i++) {
        ck_assert_double_nan(f[i]);
    }
}

START_TEST(malformed_problems_are_refused) {
    const box_case x = random_case(1, 3, 3);
    const double bad[2] = {(double)NAN, HUGE_VAL};
    for (int k = 0; k < 2; k++) {
        box_case y = x;
        y.W[5] = bad[k];
        assert_refused(&y, CAROM_STATUS_NOT_FINITE, "delassus matrix", 1);
        y = x;
        y.v[2] = bad[k];
        assert_refused(&y, CAROM_STATUS_NOT_FINITE, "sliding speed", 2);
        y = x;
        y.b[0] = bad[k];
        assert_refused(&y, CAROM_STATUS_NOT_FINITE, "bound", 0);
    }
    box_case y = x;
    y.W[4] = -1e-3;
    assert_refused(&y, CAROM_STATUS_OUT_OF_RANGE, "delassus matrix", 1);
    y = x;
    y.b[1] = -1e-3;
    assert_refused(&y, CAROM_STATUS_OUT_OF_RANGE, "bound", 1);
}
END_TEST

START_TEST(what_overflows_is_not_finite) {
    const double W = 2.0;
    const double v = 0.5;
    const double b = 1e308;
    double f;
    carom_report report = carom_report_empty();
    assert_status(carom_variational_friction_box(1, &W, &v, &b, &f, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "friction impulse");
    ck_assert_double_nan(f);
}
END_TEST

START_TEST(without_memory_nothing_is_returned_and_nothing_is_lost) {
    const box_case x = random_case(7, 3, 3);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        double f[3] = {0.0};
        successes_left = failures;
        status = carom_variational_friction_box(3, x.W, x.v, x.b, f, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && isnan(f[0])));
    }
    ck_assert_int_gt(failures, 5);
}
END_TEST

static Suite *variational_friction_suite(void) {
    Suite *suite = suite_create("variational_friction");
    TCase *unit = tcase_create("unit");
    tcase_add_test(unit, one_row_sticks_inside_its_bound_and_slides_outside);
    tcase_add_test(unit, the_printed_maximization_would_leave_half_the_sliding);
    tcase_add_test(unit, rows_without_bound_or_without_compliance_are_decided);
    suite_add_tcase(suite, unit);
    TCase *property = tcase_create("property");
    tcase_add_test(property, of_all_modes_the_one_that_fits_is_found);
    tcase_add_test(property, dependent_rows_have_one_sliding_and_least_energy);
    tcase_add_test(property, the_minimizer_without_derivatives_agrees_in_the_objective);
    tcase_add_test(property, units_do_not_matter);
    suite_add_tcase(suite, property);
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, malformed_problems_are_refused);
    tcase_add_test(errors, what_overflows_is_not_finite);
    tcase_add_test(errors, without_memory_nothing_is_returned_and_nothing_is_lost);
    suite_add_tcase(suite, errors);
    return suite;
}

int main(void) {
    return run_suite(variational_friction_suite());
}
