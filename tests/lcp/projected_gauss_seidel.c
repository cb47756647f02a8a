/* carom/lcp/lcp.h: sweeps by hand, the rate of two rows, Lemke's method and the
 * energy that sweeps lower. */
#include <carom/lcp/lcp.h>

#include "../support.h"

#include <carom/base/random.h>

#include <float.h>
#include <string.h>

enum { LARGEST = 12 };

static const unsigned long SEED = 20140908;

/* A number of [-1, 1) by three indices. */
static double drawn(int problem, int row, int column) {
    return 2.0 * carom_counter_uniform(SEED, (unsigned long)problem,
                                       64 * (unsigned long)row + (unsigned long)column) -
           1.0;
}

/* M = G G' + shift I with G [n][n] and q, by the number of the problem. */
static void random_problem(int problem, int n, double shift, double *M, double *q) {
    for (int i = 0; i < n; i++) {
        q[i] = drawn(problem, i, 63);
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? shift : 0.0;
            for (int k = 0; k < n; k++) {
                M[i * n + j] += drawn(problem, i, k) * drawn(problem, j, k);
            }
        }
    }
}

/* z' M z/2 + q' z. */
static double potential(int n, const double *M, const double *q, const double *z) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        double row = 0.0;
        for (int j = 0; j < n; j++) {
            row += M[i * n + j] * z[j];
        }
        sum += z[i] * (0.5 * row + q[i]);
    }
    return sum;
}

TEST(unit, one_row_is_solved_by_one_sweep) {
    const double M = 2.385;
    const double speeds[3] = {-4.77, 0.71, 0.0};
    for (int k = 0; k < 3; k++) {
        double z = 0.0;
        carom_lcp_report report = {.rescues = 7};
        assert_ok(carom_lcp_solve_gauss_seidel(1, &M, &speeds[k], 1, &z, &report));
        assert_close(z, k == 0 ? 2.0 : 0.0, 2.0 * DBL_EPSILON, 0.0);
        assert_close(report.residual, 0.0, 0.0, 4.0 * DBL_EPSILON * fabs(speeds[k]));
        ck_assert_int_eq(report.pivots, 1);
        ck_assert_int_eq(report.rescues, 0);
    }
}

/* By hand: z_0 = 1.6/2; then z_1 = (0.3 + 0.8 . 1.1)/1.5, beginning with the new z_0. */
TEST(unit, rows_use_what_the_rows_before_have_found) {
    const double M[4] = {2.0, -1.1, -1.1, 1.5};
    const double q[2] = {-1.6, -0.3};
    double z[2] = {0.0, 0.0};
    carom_lcp_report report;
    assert_ok(carom_lcp_solve_gauss_seidel(2, M, q, 1, z, &report));
    const double second = (0.3 + 1.1 * 0.8) / 1.5;
    assert_close(z[0], 0.8, 4.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], second, 4.0 * DBL_EPSILON, 0.0);
    // w_0 = 2 . 0.8 - 1.1 z_1 - 1.6, w_1 = 0.
    assert_close(report.residual, 1.1 * second, 8.0 * DBL_EPSILON, 0.0);
}

/* Contacts of Newton's cradle, M = [2 -1; -1 2], q = (-1, 0): z = (2/3, 1/3), error 4^-k/3 of z_1
 * and twice that of z_0 after k sweeps from zero. */
TEST(unit, two_rows_gain_their_squared_cosine_in_a_sweep) {
    const double M[4] = {2.0, -1.0, -1.0, 2.0};
    const double q[2] = {-1.0, 0.0};
    for (int k = 1; k <= 20; k++) {
        double z[2] = {0.0, 0.0};
        const double error = pow(0.25, k) / 3.0;
        assert_ok(carom_lcp_solve_gauss_seidel(2, M, q, k, z, NULL));
        assert_close(z[0], 2.0 / 3.0 - 2.0 * error, 0.0, 4.0 * DBL_EPSILON);
        assert_close(z[1], 1.0 / 3.0 - error, 0.0, 4.0 * DBL_EPSILON);
    }
}

TEST(unit, no_sweep_leaves_the_start_but_for_negative_entries) {
    const double M[4] = {2.0, -1.0, -1.0, 2.0};
    const double q[2] = {-1.0, 0.7};
    double z[2] = {-0.4, 0.25};
    carom_lcp_report report;
    assert_ok(carom_lcp_solve_gauss_seidel(2, M, q, 0, z, &report));
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(z[1], 0.25, 0.0, 0.0);
    ck_assert_int_eq(report.pivots, 0);
    // w = (-1 - 0.25, 0.7 + 0.5): min(z, w) = (-1.25, 0.25).
    assert_close(report.residual, 1.25, 2.0 * DBL_EPSILON, 0.0);
    assert_ok(carom_lcp_solve_gauss_seidel(0, M, q, 3, z, &report));
    assert_close(report.residual, 0.0, 0.0, 0.0);
}

TEST(unit, a_warm_start_at_the_solution_stays) {
    double M[LARGEST * LARGEST];
    double q[LARGEST];
    double z[LARGEST] = {0.0};
    random_problem(1, 7, 1.0, M, q);
    assert_ok(carom_lcp_solve_gauss_seidel(7, M, q, 4000, z, NULL));
    double again[LARGEST];
    memcpy(again, z, sizeof again);
    assert_ok(carom_lcp_solve_gauss_seidel(7, M, q, 1, again, NULL));
    for (int i = 0; i < 7; i++) {
        // One row's rounding: some roundings of the sum of its terms, below 20.
        assert_close(again[i], z[i], 0.0, 100.0 * DBL_EPSILON);
    }
}

/* ------------------------------------------------------------------------------------ property */

TEST(property, sweeps_approach_the_solution_of_lemke) {
    carom_lcp_workspace *work = NULL;
    assert_ok(carom_lcp_workspace_alloc(LARGEST, &work));
    for (int k = 0; k < 200; k++) {
        const int n = 1 + k % LARGEST;
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double exact[LARGEST];
        double z[LARGEST];
        carom_lcp_report report;
        random_problem(100 + k, n, 0.5, M, q);
        assert_ok(carom_lcp_solve_lemke(n, M, q, exact, work, NULL));
        for (int i = 0; i < n; i++) {
            z[i] = 3.0 * drawn(k, i, 62);
        }
        // Condition numbers are below 100: each sweep leaves 0.99 or less of the error.
        assert_ok(carom_lcp_solve_gauss_seidel(n, M, q, 4000, z, &report));
        for (int i = 0; i < n; i++) {
            assert_close(z[i], exact[i], 0.0, 1e-12);
        }
        assert_close(report.residual, carom_lcp_residual(n, M, q, z), 0.0, 0.0);
        ck_assert_double_le(report.residual, 1e-12);
    }
    carom_lcp_workspace_free(work);
}

TEST(property, every_sweep_lowers_the_potential_and_keeps_signs) {
    for (int k = 0; k < 100; k++) {
        const int n = 2 + k % (LARGEST - 1);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST] = {0.0};
        random_problem(400 + k, n, 0.01, M, q);
        double last = 0.0;
        for (int sweep = 0; sweep < 30; sweep++) {
            assert_ok(carom_lcp_solve_gauss_seidel(n, M, q, 1, z, NULL));
            const double now = potential(n, M, q, z);
            // Rounding of n^2 terms of order one.
            ck_assert_double_le(now, last + 1e-13 * (1.0 + fabs(now)));
            last = now;
            for (int i = 0; i < n; i++) {
                ck_assert_double_ge(z[i], 0.0);
            }
        }
    }
}

/* Redundant contacts: three rows of one normal share an impulse of 2.385 in all. */
TEST(property, redundant_rows_are_no_trouble) {
    const double M[9] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    const double q[3] = {-2.385, -2.385, -2.385};
    double z[3] = {0.0, 0.31, 0.47};
    carom_lcp_report report;
    assert_ok(carom_lcp_solve_gauss_seidel(3, M, q, 2, z, &report));
    assert_close(z[0] + z[1] + z[2], 2.385, 4.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 0.31, 4.0 * DBL_EPSILON, 0.0);
    assert_close(report.residual, 0.0, 0.0, 8.0 * DBL_EPSILON);
}

/* -------------------------------------------------------------------------------------- errors */

/* Refused with a status; z and the residual are NaN. */
static void assert_refused(const double *M, const double *q, double start, int sweeps,
                           carom_status expected) {
    double z[2] = {0.5, start};
    carom_lcp_report report = {.residual = 0.0, .pivots = 3};
    ck_assert_int_eq(carom_lcp_solve_gauss_seidel(2, M, q, sweeps, z, &report), expected);
    ck_assert(isnan(z[0]) && isnan(z[1]) && isnan(report.residual));
    ck_assert_int_eq(report.pivots, 0);
}

TEST(errors, what_is_no_problem_is_refused) {
    const double nan = (double)NAN;
    const double good[4] = {2.0, -1.0, -1.0, 2.0};
    const double q[2] = {-1.0, 0.7};
    const double bad_q[2] = {-1.0, HUGE_VAL};
    const double zero[4] = {2.0, 0.0, 0.0, 0.0};
    const double negative[4] = {2.0, 0.0, 0.0, -1.0};
    const double no_diagonal[4] = {2.0, 0.0, 0.0, nan};
    const double no_coupling[4] = {2.0, nan, nan, 2.0};
    assert_refused(good, bad_q, 0.0, 2, CAROM_STATUS_NOT_FINITE);
    assert_refused(good, q, nan, 2, CAROM_STATUS_NOT_FINITE);
    assert_refused(zero, q, 0.0, 2, CAROM_STATUS_OUT_OF_RANGE);
    assert_refused(negative, q, 0.0, 2, CAROM_STATUS_OUT_OF_RANGE);
    assert_refused(no_diagonal, q, 0.0, 2, CAROM_STATUS_NOT_FINITE);
    assert_refused(no_coupling, q, 0.0, 2, CAROM_STATUS_NOT_FINITE);
}

TEST(errors, overflow_is_reported) {
    const double M[4] = {1e-200, -1.0, -1.0, 1e-200};
    const double q[2] = {-1e200, -1e200};
    assert_refused(M, q, 0.0, 5, CAROM_STATUS_NOT_FINITE);
}
