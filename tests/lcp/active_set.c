/*
 * carom/lcp/active_set.h: closed forms, Lemke's method and GSL's minimum-norm solution on the same
 * problems, sequences of problems with contacts coming and going, and a published kind of cycle.
 */
#include <carom/lcp/active_set.h>
#include <carom/lcp/lcp.h>

#include "../support.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>

#include <float.h>
#include <string.h>

/* The library's calls to calloc end here (linker option --wrap). */
void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

/** Allocations that still succeed; negative: all do. */
static int successes_left = -1;
static int allocations = 0;

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    if (successes_left >= 0 && successes_left-- == 0) {
        successes_left = 0;
        return NULL;
    }
    return __real_calloc(count, size);
}

static const unsigned long SEED = 20140804;
enum { LARGEST = 12, COLUMN = 128 };

static carom_lcp_active_set *solver_of(int n, const double *M) {
    carom_lcp_active_set *solver;
    assert_ok(carom_lcp_active_set_alloc(n, M, &solver));
    return solver;
}

/** (M z + q)_i and the size of its terms. */
static double row_value(int n, const double *M, const double *q, const double *z, int i,
                        double *size) {
    double w = q[i];
    *size = fabs(q[i]);
    for (int j = 0; j < n; j++) {
        w += M[i * n + j] * z[j];
        *size += fabs(M[i * n + j] * z[j]);
    }
    return w;
}

/** On eligible rows z, w >= 0 and min(z, w) = 0 to 1000 roundings of their terms; z = 0 elsewhere.
 */
static void assert_complementary(int n, const double *M, const double *q, const bool *eligible,
                                 const double *z) {
    for (int i = 0; i < n; i++) {
        double size;
        const double w = row_value(n, M, q, z, i, &size);
        const double rounding = 1e3 * DBL_EPSILON * size;
        ck_assert_double_ge(z[i], 0.0);
        if (eligible != NULL && !eligible[i]) {
            ck_assert_double_le(z[i], 0.0);
            continue;
        }
        ck_assert_msg(w >= -rounding, "w_%d = %g", i, w);
        ck_assert_msg(z[i] <= 0.0 || w <= rounding, "z_%d = %g, w = %g", i, z[i], w);
    }
}

/** M = G G' + shift I, G [n][rank]. */
static void random_matrix(gsl_rng *generator, int n, int rank, double shift, double *M) {
    double G[LARGEST * LARGEST] = {0.0};
    for (int k = 0; k < n * rank; k++) {
        G[k] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? shift : 0.0;
            for (int k = 0; k < rank; k++) {
                M[i * n + j] += G[i * rank + k] * G[j * rank + k];
            }
        }
    }
}

static void random_vector(gsl_rng *generator, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = uniform(generator, -1.0, 1.0);
    }
}

/** The contacts of a column of n unit balls: M = G G' with G bidiagonal. */
static void column_matrix(int n, double *M) {
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? (i == 0 ? 1.0 : 2.0) : (abs(i - j) == 1 ? -1.0 : 0.0);
        }
    }
}

TEST(unit, one_contact_has_the_closed_form) {
    const double M[1] = {2.385};
    carom_lcp_active_set *solver = solver_of(1, M);
    const double speeds[5] = {-4.77, -2.385, 0.7, 0.0, -1e-300};
    for (int k = 0; k < 5; k++) {
        double z[1];
        carom_lcp_report report;
        assert_ok(carom_lcp_active_set_solve(solver, &speeds[k], NULL, z, &report));
        assert_close(z[0], speeds[k] < 0.0 ? -speeds[k] / 2.385 : 0.0, 2.0 * DBL_EPSILON, 0.0);
        assert_close(report.residual, 0.0, 0.0, 4.0 * DBL_EPSILON * fabs(speeds[k]));
    }
    carom_lcp_active_set_free(solver);
    carom_lcp_active_set_free(NULL);
}

TEST(unit, a_resting_column_carries_the_weight_above_each_contact) {
    // Contact i, from the floor up, carries the n - i balls above it.
    static double M[COLUMN * COLUMN];
    double q[COLUMN];
    double z[COLUMN];
    column_matrix(COLUMN, M);
    carom_lcp_active_set *solver = solver_of(COLUMN, M);
    // All fall with -0.00981: only the floor contact approaches, the others follow.
    for (int i = 0; i < COLUMN; i++) {
        q[i] = i == 0 ? -0.00981 : 0.0;
    }
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    for (int i = 0; i < COLUMN; i++) {
        // Condition number below 4 COLUMN^2 = 7e4.
        assert_close(z[i], 0.00981 * (COLUMN - i), 1e-11, 0.0);
        ck_assert(carom_lcp_active_set_members(solver)[i]);
    }
    assert_close(report.residual, 0.0, 0.0, 8.0 * DBL_EPSILON * z[0]);
    ck_assert_int_le(report.pivots, COLUMN);
    carom_lcp_active_set_free(solver);
}

TEST(unit, an_unchanged_set_takes_no_change) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    carom_lcp_active_set *solver = solver_of(2, M);
    const double q[2] = {-5.0, -6.0};
    double z[2];
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    ck_assert_int_eq(report.pivots, 1);
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    ck_assert_int_eq(report.pivots, 0);
    // 2 z_1 + z_2 = 5, z_1 + 2 z_2 = 6.
    assert_close(z[0], 4.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 7.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    carom_lcp_active_set_free(solver);
}

TEST(unit, rows_that_are_not_eligible_have_no_impulse_and_a_free_w) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double q[2] = {-5.0, -6.0};
    const bool first[2] = {true, false};
    const bool none[2] = {false, false};
    carom_lcp_active_set *solver = solver_of(2, M);
    double z[2];
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
    assert_ok(carom_lcp_active_set_solve(solver, q, first, z, &report));
    assert_close(z[0], 2.5, 2.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 0.0, 0.0, 0.0);
    // w_2 = 2.5 - 6 < 0 is not held against the solution.
    assert_close(report.residual, 0.0, 0.0, 5.0 * DBL_EPSILON);
    ck_assert(carom_lcp_active_set_members(solver)[0]);
    ck_assert(!carom_lcp_active_set_members(solver)[1]);
    assert_ok(carom_lcp_active_set_solve(solver, q, none, z, &report));
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(report.residual, 0.0, 0.0, 0.0);
    carom_lcp_active_set_free(solver);
}

TEST(unit, a_tie_leaves_the_set_as_it_is) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double pressed[2] = {-5.0, -6.0};
    const double zero[2] = {0.0, 0.0};
    // z_1 = 2 alone, w_2 = 2 + q_2 = 0.
    const double edge[2] = {-4.0, -2.0};
    double z[2];
    carom_lcp_report report;
    carom_lcp_active_set *solver = solver_of(2, M);
    for (int repeat = 0; repeat < 3; repeat++) {
        assert_ok(carom_lcp_active_set_solve(solver, zero, NULL, z, &report));
        ck_assert_int_eq(report.pivots, 0);
        ck_assert(!carom_lcp_active_set_members(solver)[0]);
    }
    assert_ok(carom_lcp_active_set_solve(solver, pressed, NULL, z, NULL));
    for (int repeat = 0; repeat < 3; repeat++) {
        assert_ok(carom_lcp_active_set_solve(solver, zero, NULL, z, &report));
        ck_assert_int_eq(report.pivots, 0);
        ck_assert(carom_lcp_active_set_members(solver)[0]);
        assert_ok(carom_lcp_active_set_solve(solver, edge, NULL, z, &report));
        ck_assert_int_eq(report.pivots, 0);
        assert_close(z[0], 2.0, 4.0 * DBL_EPSILON, 0.0);
        assert_close(z[1], 0.0, 0.0, 4.0 * DBL_EPSILON);
        ck_assert_double_ge(z[1], 0.0);
    }
    carom_lcp_active_set_free(solver);
}

TEST(unit, duplicated_contacts_share_the_impulse_evenly) {
    // Three contacts, the last two on the same spot.
    const double M[9] = {2.0, 1.0, 1.0, 1.0, 3.0, 3.0, 1.0, 3.0, 3.0};
    const double q[3] = {-1.0, -2.0, -2.0};
    const bool one_of_them[3] = {true, true, false};
    carom_lcp_active_set *solver = solver_of(3, M);
    double z[3];
    // The pair: 2 z_1 + s = 1, z_1 + 3 s = 2: z_1 = 0.2, s = 0.6.
    for (int repeat = 0; repeat < 2; repeat++) {
        assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
        assert_close(z[0], 0.2, 16.0 * DBL_EPSILON, 0.0);
        assert_close(z[1], 0.3, 16.0 * DBL_EPSILON, 0.0);
        assert_close(z[2], 0.3, 16.0 * DBL_EPSILON, 0.0);
        // One of the pair away: the other carries all; back again: shared again.
        assert_ok(carom_lcp_active_set_solve(solver, q, one_of_them, z, NULL));
        assert_close(z[0], 0.2, 16.0 * DBL_EPSILON, 0.0);
        assert_close(z[1], 0.6, 16.0 * DBL_EPSILON, 0.0);
        assert_close(z[2], 0.0, 0.0, 0.0);
    }
    carom_lcp_active_set_free(solver);
}

TEST(unit, four_feet_close_together_share_the_load_of_a_body) {
    // M_ij = 1 + (h x_i) (h x_j), feet at h x: the load 4 a + 20 h^2 b x_i is met by a + b x_i,
    // which is in the range of M and so of minimum norm. The condition number is 1 / (5 h^2).
    const double x[4] = {-3.0, -1.0, 1.0, 3.0};
    const double h = 1e-3;
    const double a = 1.385;
    const double b = 0.27;
    double M[16];
    double q[4];
    double z[4];
    for (int i = 0; i < 4; i++) {
        q[i] = -(4.0 * a + 20.0 * h * h * b * x[i]);
        for (int j = 0; j < 4; j++) {
            M[i * 4 + j] = 1.0 + h * x[i] * h * x[j];
        }
    }
    carom_lcp_active_set *solver = solver_of(4, M);
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    for (int i = 0; i < 4; i++) {
        // Ten roundings of q times the condition number.
        assert_close(z[i], a + b * x[i], 10.0 * DBL_EPSILON / (5.0 * h * h), 0.0);
    }
    assert_close(report.residual, 0.0, 0.0, 16.0 * DBL_EPSILON * 4.0 * a);
    carom_lcp_active_set_free(solver);
}

TEST(unit, redundant_contacts_of_unequal_speed_leave_the_slower_one_idle) {
    // One body, two contacts on the same spot: only the faster one is stopped, w = (1, 0).
    const double M[4] = {1.0, 1.0, 1.0, 1.0};
    const double q[2] = {-1.0, -2.0};
    carom_lcp_active_set *solver = solver_of(2, M);
    double z[2];
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(z[1], 2.0, 2.0 * DBL_EPSILON, 0.0);
    assert_close(report.residual, 0.0, 0.0, 4.0 * DBL_EPSILON);
    carom_lcp_active_set_free(solver);
}

TEST(unit, a_contact_that_nothing_moves_is_left_alone_while_it_opens) {
    const double M[4] = {0.0, 0.0, 0.0, 2.0};
    const double q[2] = {0.25, -3.0};
    const double stuck[2] = {-0.25, -3.0};
    carom_lcp_active_set *solver = solver_of(2, M);
    double z[2];
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(z[1], 1.5, 2.0 * DBL_EPSILON, 0.0);
    assert_status(carom_lcp_active_set_solve(solver, stuck, NULL, z, NULL), RAY);
    carom_lcp_active_set_free(solver);
}

TEST(unit, no_contact_needs_no_work) {
    carom_lcp_active_set *solver = solver_of(0, NULL);
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, NULL, NULL, NULL, &report));
    assert_close(report.residual, 0.0, 0.0, 0.0);
    ck_assert_int_eq(report.pivots, 0);
    carom_lcp_active_set_free(solver);
}

/** A set as bits, and the plain rule: active stays while z >= 0, inactive joins with w < 0. */
static unsigned plain_newton(int n, const double *M, const double *q, unsigned set) {
    double block[LARGEST * LARGEST];
    double z[LARGEST];
    gsl_matrix_view A = gsl_matrix_view_array(block, (size_t)n, (size_t)n);
    gsl_vector_view x = gsl_vector_view_array(z, (size_t)n);
    for (int i = 0; i < n; i++) {
        const bool is_active = (set >> i & 1u) != 0;
        z[i] = is_active ? -q[i] : 0.0;
        for (int j = 0; j < n; j++) {
            const bool is_inside = is_active && (set >> j & 1u) != 0;
            block[i * n + j] = is_inside ? M[i * n + j] : (i == j ? 1.0 : 0.0);
        }
    }
    ck_assert_int_eq(gsl_linalg_cholesky_decomp1(&A.matrix), GSL_SUCCESS);
    ck_assert_int_eq(gsl_linalg_cholesky_svx(&A.matrix, &x.vector), GSL_SUCCESS);
    unsigned next = 0;
    for (int i = 0; i < n; i++) {
        double size;
        const double w = row_value(n, M, q, z, i, &size);
        const bool is_active = (set >> i & 1u) != 0;
        if (is_active ? z[i] >= 0.0 : w < -1e-12) {
            next |= 1u << i;
        }
    }
    return next;
}

TEST(unit, where_the_plain_rule_cycles_lemke_takes_over) {
    // Found by searching whole-number matrices; such cycles: Ben Gharbia and Gilbert 2012.
    const double M[25] = {22.0, -11.0, 14.0,  6.0,  -13.0, -11.0, 28.0, 4.0,  -5.0,
                          5.0,  14.0,  4.0,   21.0, -5.0,  -14.0, 6.0,  -5.0, -5.0,
                          17.0, 4.0,   -13.0, 5.0,  -14.0, 4.0,   14.0};
    const double q[5] = {-3.0, -3.0, -1.0, -3.0, 2.0};
    unsigned set = plain_newton(5, M, q, 0);
    const unsigned first = set;
    for (int k = 0; k < 4; k++) {
        set = plain_newton(5, M, q, set);
        ck_assert_int_eq(set == first, k == 3);
    }
    carom_lcp_active_set *solver = solver_of(5, M);
    double z[5];
    carom_lcp_report report;
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    assert_complementary(5, M, q, NULL, z);
    // The repetition is seen after two rounds, before the limit of 20 changes; then some pivots.
    ck_assert_int_gt(report.pivots, 4);
    ck_assert_int_lt(report.pivots, 20);
    // The set found is where the rule stands still, and where the next solution starts.
    unsigned found = 0;
    for (int i = 0; i < 5; i++) {
        found |= carom_lcp_active_set_members(solver)[i] ? 1u << i : 0u;
    }
    ck_assert_uint_eq(plain_newton(5, M, q, found), found);
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
    ck_assert_int_eq(report.pivots, 0);
    carom_lcp_active_set_free(solver);
}

TEST(property, solutions_agree_with_those_of_lemke) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 1000; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double expected[LARGEST];
        random_matrix(generator, n, n, 0.1, M);
        random_vector(generator, n, q);
        carom_lcp_workspace *work;
        assert_ok(carom_lcp_workspace_alloc(n, &work));
        assert_ok(carom_lcp_solve_lemke(n, M, q, expected, work, NULL));
        carom_lcp_active_set *solver = solver_of(n, M);
        carom_lcp_report report;
        assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, &report));
        assert_complementary(n, M, q, NULL, z);
        for (int i = 0; i < n; i++) {
            // Smallest eigenvalue 0.1, largest below 20.
            assert_close(z[i], expected[i], 0.0, 1e-11);
        }
        assert_close(report.residual, carom_lcp_residual(n, M, q, z), 0.0, 1e-12);
        carom_lcp_active_set_free(solver);
        carom_lcp_workspace_free(work);
    }
    gsl_rng_free(generator);
}

TEST(property, a_long_history_leaves_no_trace) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 20; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        double M[LARGEST * LARGEST];
        random_matrix(generator, n, n, 0.1, M);
        carom_lcp_active_set *used = solver_of(n, M);
        for (int step = 0; step < 50; step++) {
            double q[LARGEST];
            bool eligible[LARGEST];
            double z[LARGEST];
            double fresh_z[LARGEST];
            random_vector(generator, n, q);
            for (int i = 0; i < n; i++) {
                eligible[i] = gsl_rng_uniform(generator) < 0.7;
                z[i] = (double)NAN;
                fresh_z[i] = (double)NAN;
            }
            const int allocated = allocations;
            assert_ok(carom_lcp_active_set_solve(used, q, eligible, z, NULL));
            ck_assert_int_eq(allocations, allocated);
            assert_complementary(n, M, q, eligible, z);
            carom_lcp_active_set *fresh = solver_of(n, M);
            assert_ok(carom_lcp_active_set_solve(fresh, q, eligible, fresh_z, NULL));
            // The same set factored row by row in the same order: the same digits.
            ck_assert_mem_eq(z, fresh_z, (size_t)n * sizeof(double));
            carom_lcp_active_set_free(fresh);
        }
        carom_lcp_active_set_free(used);
    }
    gsl_rng_free(generator);
}

/** The minimum-norm solution of M_aa z_a = -q_a by GSL's singular values; set as flags. */
static void minimum_norm(int n, const double *M, const double *q, const bool *set, double *z) {
    gsl_matrix *U = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_matrix *V = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_vector *s = gsl_vector_alloc((size_t)n);
    gsl_vector *x = gsl_vector_alloc((size_t)n);
    gsl_vector *b = gsl_vector_alloc((size_t)n);
    for (int i = 0; i < n; i++) {
        gsl_vector_set(b, (size_t)i, set[i] ? -q[i] : 0.0);
        for (int j = 0; j < n; j++) {
            gsl_matrix_set(U, (size_t)i, (size_t)j, set[i] && set[j] ? M[i * n + j] : 0.0);
        }
    }
    ck_assert_int_eq(gsl_linalg_SV_decomp_jacobi(U, V, s), GSL_SUCCESS);
    for (int i = 0; i < n; i++) {
        if (gsl_vector_get(s, (size_t)i) < 1e-10 * gsl_vector_get(s, 0)) {
            gsl_vector_set(s, (size_t)i, 0.0);
        }
    }
    ck_assert_int_eq(gsl_linalg_SV_solve(U, V, s, b, x), GSL_SUCCESS);
    for (int i = 0; i < n; i++) {
        z[i] = gsl_vector_get(x, (size_t)i);
    }
    gsl_vector_free(b);
    gsl_vector_free(x);
    gsl_vector_free(s);
    gsl_matrix_free(V);
    gsl_matrix_free(U);
}

TEST(property, redundant_contacts_have_the_solution_of_minimum_norm) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    int shared = 0;
    for (int round = 0; round < 1000; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, LARGEST - 1);
        const int rank = 1 + (int)gsl_rng_uniform_int(generator, (unsigned long)n - 1);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double z_true[LARGEST];
        double w_true[LARGEST];
        double expected[LARGEST];
        bool closed[LARGEST];
        random_matrix(generator, n, rank, 0.0, M);
        for (int i = 0; i < n; i++) {
            closed[i] = gsl_rng_uniform(generator) < 0.8;
            z_true[i] = closed[i] ? uniform(generator, 1.0, 1.3) : 0.0;
            w_true[i] = closed[i] ? 0.0 : uniform(generator, 0.1, 1.0);
        }
        for (int i = 0; i < n; i++) {
            q[i] = w_true[i];
            for (int j = 0; j < n; j++) {
                q[i] -= M[i * n + j] * z_true[j];
            }
        }
        carom_lcp_active_set *solver = solver_of(n, M);
        assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
        assert_complementary(n, M, q, NULL, z);
        minimum_norm(n, M, q, closed, expected);
        bool is_compressive = true;
        for (int i = 0; i < n; i++) {
            double size;
            // w is unique, z not; the smallest nonzero eigenvalue may be some 1e-5.
            assert_close(row_value(n, M, q, z, i, &size), w_true[i], 0.0, 1e-8);
            is_compressive = is_compressive && expected[i] >= -1e-9;
        }
        for (int i = 0; is_compressive && i < n; i++) {
            assert_close(z[i], expected[i], 0.0, 1e-6);
        }
        shared += is_compressive;
        carom_lcp_active_set_free(solver);
    }
    ck_assert_int_gt(shared, 300);
    gsl_rng_free(generator);
}

TEST(property, redundant_contacts_that_come_and_go_keep_the_same_answer) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    const int n = 8;
    double M[64];
    double q[8];
    double expected[8];
    // One body of three coordinates on eight contacts: M = G G' with G > 0, so that z = M 1 > 0; in
    // the range of M, it is the solution of minimum norm for q = -M z.
    for (int i = 0; i < n; i++) {
        q[i] = 0.0;
        expected[i] = 0.0;
    }
    double G[8][3];
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            G[i][k] = uniform(generator, 0.1, 1.0);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = G[i][0] * G[j][0] + G[i][1] * G[j][1] + G[i][2] * G[j][2];
            expected[i] += M[i * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            q[i] -= M[i * n + j] * expected[j];
        }
    }
    double z[8];
    carom_lcp_active_set *solver = solver_of(n, M);
    for (int round = 0; round < 100; round++) {
        bool eligible[8];
        for (int i = 0; i < n; i++) {
            eligible[i] = gsl_rng_uniform(generator) < 0.5;
        }
        const carom_status status = carom_lcp_active_set_solve(solver, q, eligible, z, NULL);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_RAY);
        if (status == CAROM_OK) {
            assert_complementary(n, M, q, eligible, z);
        }
        assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
        for (int i = 0; i < n; i++) {
            // Condition number on the range below 1e4.
            assert_close(z[i], expected[i], 1e-10, 0.0);
        }
    }
    carom_lcp_active_set_free(solver);
    gsl_rng_free(generator);
}

TEST(property, a_band_is_solved_like_the_full_matrix) {
    // The same contacts in another order have no band.
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int round = 0; round < 300; round++) {
        const int n = LARGEST;
        const int b = (int)gsl_rng_uniform_int(generator, 4);
        double M[LARGEST * LARGEST] = {0.0};
        double permuted_M[LARGEST * LARGEST];
        double q[LARGEST];
        double permuted_q[LARGEST];
        double z[LARGEST];
        double permuted_z[LARGEST];
        bool eligible[LARGEST];
        bool permuted_eligible[LARGEST];
        int order[LARGEST];
        for (int i = 0; i < n; i++) {
            M[i * n + i] = 2.0 * b + 0.1;
            for (int j = i > b ? i - b : 0; j < i; j++) {
                M[i * n + j] = uniform(generator, -1.0, 1.0);
                M[j * n + i] = M[i * n + j];
            }
            order[i] = i;
            eligible[i] = gsl_rng_uniform(generator) < 0.8;
        }
        random_vector(generator, n, q);
        gsl_ran_shuffle(generator, order, (size_t)n, sizeof order[0]);
        for (int i = 0; i < n; i++) {
            permuted_q[i] = q[order[i]];
            permuted_eligible[i] = eligible[order[i]];
            for (int j = 0; j < n; j++) {
                permuted_M[i * n + j] = M[order[i] * n + order[j]];
            }
        }
        carom_lcp_active_set *solver = solver_of(n, M);
        carom_lcp_active_set *permuted = solver_of(n, permuted_M);
        assert_ok(carom_lcp_active_set_solve(solver, q, eligible, z, NULL));
        assert_ok(
            carom_lcp_active_set_solve(permuted, permuted_q, permuted_eligible, permuted_z, NULL));
        assert_complementary(n, M, q, eligible, z);
        for (int i = 0; i < n; i++) {
            // Diagonally dominant by 0.1 of at most 12: condition number below 130.
            assert_close(permuted_z[i], z[order[i]], 0.0, 1e-12);
        }
        carom_lcp_active_set_free(permuted);
        carom_lcp_active_set_free(solver);
    }
    gsl_rng_free(generator);
}

TEST(property, powers_of_four_as_units_change_no_decision) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int round = 0; round < 300; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        const int rank = round % 2 == 0 ? n : 1 + n / 2;
        double M[LARGEST * LARGEST];
        double q[LARGEST] = {0.0};
        double z[LARGEST];
        double scaled_M[LARGEST * LARGEST];
        double scaled_q[LARGEST];
        double scaled_z[LARGEST];
        random_matrix(generator, n, rank, round % 2 == 0 ? 0.1 : 0.0, M);
        for (int i = 0; i < n; i++) {
            const double z_i = uniform(generator, -0.2, 1.0);
            for (int j = 0; j < n; j++) {
                q[j] -= M[j * n + i] * z_i;
            }
        }
        // Impulses in another unit: M by 2^20 and q by 2^-14, z by 2^-34.
        for (int i = 0; i < n; i++) {
            scaled_q[i] = ldexp(q[i], -14);
            for (int j = 0; j < n; j++) {
                scaled_M[i * n + j] = ldexp(M[i * n + j], 20);
            }
        }
        carom_lcp_active_set *solver = solver_of(n, M);
        carom_lcp_active_set *scaled = solver_of(n, scaled_M);
        const carom_status status = carom_lcp_active_set_solve(solver, q, NULL, z, NULL);
        ck_assert_int_eq(status,
                         carom_lcp_active_set_solve(scaled, scaled_q, NULL, scaled_z, NULL));
        for (int i = 0; status == CAROM_OK && i < n; i++) {
            assert_close(ldexp(scaled_z[i], 34), z[i], 0.0, 0.0);
        }
        carom_lcp_active_set_free(scaled);
        carom_lcp_active_set_free(solver);
    }
    gsl_rng_free(generator);
}

TEST(property, ill_conditioned_contacts_are_solved_to_rounding_of_their_rows) {
    // Hilbert matrices: positive definite, condition number 1e16 at n = 12.
    gsl_rng *generator = seeded_generator(SEED + 6);
    for (int n = 2; n <= LARGEST; n++) {
        double M[LARGEST * LARGEST];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 1.0 / (double)(i + j + 1);
            }
        }
        carom_lcp_active_set *solver = solver_of(n, M);
        for (int round = 0; round < 50; round++) {
            double q[LARGEST];
            double z[LARGEST];
            random_vector(generator, n, q);
            assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
            assert_complementary(n, M, q, NULL, z);
        }
        carom_lcp_active_set_free(solver);
    }
    gsl_rng_free(generator);
}

TEST(errors, contacts_jammed_between_walls_end_on_a_ray) {
    // One body between two walls that both approach.
    const double M[4] = {2.385, -2.385, -2.385, 2.385};
    const double jammed[2] = {-1.0, -0.25};
    const double free_way[2] = {-1.0, 1.5};
    carom_lcp_active_set *solver = solver_of(2, M);
    double z[2];
    carom_lcp_report report;
    assert_status(carom_lcp_active_set_solve(solver, jammed, NULL, z, &report), RAY);
    ck_assert(isnan(z[0]) && isnan(z[1]) && isnan(report.residual));
    ck_assert(!carom_lcp_active_set_members(solver)[0]);
    // The solver goes on afterwards.
    assert_ok(carom_lcp_active_set_solve(solver, free_way, NULL, z, NULL));
    assert_close(z[0], 1.0 / 2.385, 2.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 0.0, 0.0, 0.0);
    carom_lcp_active_set_free(solver);
}

TEST(errors, an_impulse_beyond_the_range_of_doubles_is_no_answer) {
    const double M[1] = {1e-200};
    const double q[1] = {-1e200};
    carom_lcp_active_set *solver = solver_of(1, M);
    double z[1];
    carom_lcp_report report;
    assert_status(carom_lcp_active_set_solve(solver, q, NULL, z, &report), NOT_CONVERGED);
    ck_assert(isnan(z[0]) && isnan(report.residual));
    carom_lcp_active_set_free(solver);
}

TEST(errors, a_speed_that_is_not_finite_is_refused) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double bad[2] = {-1.0, (double)NAN};
    const double infinite[2] = {(double)INFINITY, 0.0};
    const double q[2] = {-5.0, -6.0};
    carom_lcp_active_set *solver = solver_of(2, M);
    double z[2];
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
    assert_status(carom_lcp_active_set_solve(solver, bad, NULL, z, NULL), NOT_FINITE);
    ck_assert(isnan(z[0]) && isnan(z[1]));
    assert_status(carom_lcp_active_set_solve(solver, infinite, NULL, z, NULL), NOT_FINITE);
    assert_ok(carom_lcp_active_set_solve(solver, q, NULL, z, NULL));
    assert_close(z[0], 4.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    carom_lcp_active_set_free(solver);
}

TEST(errors, a_matrix_that_cannot_belong_to_contacts_is_refused) {
    carom_lcp_active_set *solver = NULL;
    const double bad[4] = {2.0, 1.0, 1.0, (double)NAN};
    assert_status(carom_lcp_active_set_alloc(2, bad, &solver), NOT_FINITE);
    const double skew[4] = {2.0, 1.0, 1.0 + 1e-8, 2.0};
    assert_status(carom_lcp_active_set_alloc(2, skew, &solver), NOT_SYMMETRIC);
    const double negative[4] = {2.0, 1.0, 1.0, -2.0};
    assert_status(carom_lcp_active_set_alloc(2, negative, &solver), OUT_OF_RANGE);
    ck_assert_ptr_null(solver);
    const double rounded[4] = {2.0, 1.0, 1.0 + 1e-14, 2.0};
    assert_ok(carom_lcp_active_set_alloc(2, rounded, &solver));
    carom_lcp_active_set_free(solver);
}

TEST(errors, a_solver_without_memory_is_refused_without_a_leak) {
    const double M[9] = {2.0, 1.0, 1.0, 1.0, 3.0, 3.0, 1.0, 3.0, 3.0};
    carom_lcp_active_set *solver = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_lcp_active_set_alloc(3, M, &solver);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(solver);
        }
    }
    ck_assert_int_gt(failures, 20);
    carom_lcp_active_set_free(solver);
}

/* A chain whose rows reach b neighbours, with redundant rows for some seeds: B B' of a band B. */
static int draw_band(gsl_rng *generator, int n, int reach, double *M) {
    double *B = calloc((size_t)n * (size_t)n, sizeof *B);
    for (int i = 0; i < n; i++) {
        for (int j = i; j <= i + reach && j < n; j++) {
            B[i * n + j] = uniform(generator, -1.0, 1.0) + (i == j ? 2.0 : 0.0);
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            M[i * n + j] = 0.0;
            for (int k = 0; k < n; k++) {
                M[i * n + j] += B[i * n + k] * B[j * n + k];
            }
        }
    }
    free(B);
    return reach;
}

TEST(property, a_banded_matrix_gives_the_bits_of_the_full_one) {
    for (unsigned long seed = 0; seed < 60; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        enum { MOST = 25 };
        const int n = 3 + (int)(seed % (MOST - 3));
        double M[MOST * MOST];
        double band[MOST * MOST];
        const int b = draw_band(generator, n, (int)(seed % 4), M);
        const carom_layout layout = carom_layout_banded(n, b);
        for (int i = 0; i < n; i++) {
            for (int j = carom_layout_first_column(layout, i);
                 j < carom_layout_end_column(layout, i); j++) {
                band[carom_layout_index(layout, i, j)] = M[i * n + j];
            }
        }
        carom_lcp_active_set *full = NULL;
        carom_lcp_active_set *banded = NULL;
        carom_lcp_active_set *guessed = NULL;
        assert_ok(carom_lcp_active_set_alloc(n, M, &full));
        assert_ok(carom_lcp_active_set_alloc_banded(layout, band, &banded));
        assert_ok(carom_lcp_active_set_alloc_banded(layout, band, &guessed));
        for (int k = 0; k < 20; k++) {
            double q[MOST];
            double z[3][MOST];
            bool eligible[MOST];
            carom_lcp_report report;
            for (int i = 0; i < n; i++) {
                q[i] = uniform(generator, -1.0, 1.0);
                eligible[i] = uniform(generator, 0.0, 1.0) < 0.8;
            }
            assert_ok(carom_lcp_active_set_solve(full, q, eligible, z[0], NULL));
            assert_ok(carom_lcp_active_set_solve(banded, q, eligible, z[1], NULL));
            /* the set of the solution is at once the last one */
            carom_lcp_active_set_guess(guessed, carom_lcp_active_set_members(full));
            assert_ok(carom_lcp_active_set_solve(guessed, q, eligible, z[2], &report));
            ck_assert_int_eq(report.pivots, 0);
            for (int i = 0; i < n; i++) {
                assert_close(z[1][i], z[0][i], 0.0, 0.0);
                assert_close(z[2][i], z[0][i], 1e-12, 0.0);
            }
        }
        carom_lcp_active_set_free(full);
        carom_lcp_active_set_free(banded);
        carom_lcp_active_set_free(guessed);
        gsl_rng_free(generator);
    }
}
