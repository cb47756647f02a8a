/*
 * carom/lcp/lemke_internal.h, through carom/lcp/lcp.h: the principal pivots before Lemke's
 * path find what the path of an explicit covering vector of ones finds, for definite problems to
 * rounding, and leave alone what is not theirs.
 */
#include <carom/lcp/lemke_internal.h>

#include "../support.h"
#include "hard_problems.h"

static const unsigned long SEED = 20210330;

typedef struct problem {
    int n;
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
} problem;

/** M = A A' + shift I, A [n][rank]; q uniform. */
static void draw(gsl_rng *generator, int n, int rank, double shift, problem *p) {
    double A[HARD_LARGEST * HARD_LARGEST];
    p->n = n;
    hard_factor(generator, n, rank, 0, A);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->M[i * n + j] = i == j ? shift : 0.0;
            for (int k = 0; k < rank; k++) {
                p->M[i * n + j] += A[i * rank + k] * A[j * rank + k];
            }
        }
        p->q[i] = hard_uniform(generator, -1.0, 1.0);
    }
}

/** Both ways; the path starts from a covering vector of ones. */
static void solve_both(const problem *p, double *z, carom_lcp_report *report, double *along_path,
                       carom_lcp_report *path) {
    double ones[HARD_LARGEST];
    for (int i = 0; i < p->n; i++) {
        ones[i] = 1.0;
    }
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(p->n, &work));
    assert_ok(carom_lcp_solve_lemke(p->n, p->M, p->q, z, work, report));
    assert_ok(carom_lcp_solve_lemke_covering(p->n, p->M, p->q, ones, along_path, work, path));
    carom_lcp_workspace_free(work);
}

/** Equal up to `bound` of the largest entry. */
static void assert_equal(int n, const double *z, const double *expected, double bound, int round) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(expected[i]));
    }
    for (int i = 0; i < n; i++) {
        ck_assert_msg(fabs(z[i] - expected[i]) <= bound * largest,
                      "round %d: z_%d = %.17g, along the path %.17g", round, i, z[i], expected[i]);
    }
}

TEST(unit, a_row_is_exchanged_once_for_each_positive_entry) {
    // Two coupled contacts: 2 z_1 + z_2 = 5, z_1 + 2 z_2 = 6.
    const problem p = {.n = 2, .M = {2.0, 1.0, 1.0, 2.0}, .q = {-5.0, -6.0}};
    double z[2];
    double along_path[2];
    carom_lcp_report report;
    carom_lcp_report path;
    solve_both(&p, z, &report, along_path, &path);
    assert_close(z[0], 4.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 7.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    ck_assert_int_eq(report.pivots, 2);
    ck_assert_int_eq(report.rescues, 0);
    // z_0 enters and leaves as well.
    ck_assert_int_eq(path.pivots, 3);
}

TEST(unit, a_row_exchanged_too_early_is_exchanged_back) {
    // First z_1 = 1 / 0.99, w_2 = -0.8 + 0.45 / 0.99 < 0; with both, z_1 = (0.25 - 0.36) / 0.045 <
    // 0; with z_2 = 0.8 / 0.25 alone, w_1 = -1 + 1.44.
    const problem p = {.n = 2, .M = {0.99, 0.45, 0.45, 0.25}, .q = {-1.0, -0.8}};
    double z[2];
    double along_path[2];
    carom_lcp_report report;
    carom_lcp_report path;
    solve_both(&p, z, &report, along_path, &path);
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(z[1], 3.2, 64.0 * DBL_EPSILON, 0.0);
    ck_assert_int_eq(report.pivots, 3);
    ck_assert_int_eq(report.rescues, 0);
}

TEST(unit, contacts_almost_in_line_are_left_to_the_path) {
    // The second pivot is 1 - c^2 of its diagonal entry, 2e-5: below 1e-4.
    const double c = 1.0 - 1e-5;
    const problem p = {.n = 2, .M = {1.0, c, c, 1.0}, .q = {-1.0, -1.0}};
    double z[2];
    double along_path[2];
    carom_lcp_report report;
    carom_lcp_report path;
    solve_both(&p, z, &report, along_path, &path);
    ck_assert_mem_eq(z, along_path, sizeof z);
    ck_assert_int_eq(report.pivots, path.pivots);
    // 1 / (1 + c), with the condition number 2e5.
    assert_close(z[0], 1.0 / (1.0 + c), 2e5 * DBL_EPSILON, 0.0);
    assert_close(z[1], 1.0 / (1.0 + c), 2e5 * DBL_EPSILON, 0.0);
}

TEST(unit, an_indefinite_problem_gets_one_of_its_solutions) {
    // (1, 0), (0, 1) and (1/3, 1/3).
    const problem p = {.n = 2, .M = {1.0, 2.0, 2.0, 1.0}, .q = {-1.0, -1.0}};
    double z[2];
    double along_path[2];
    carom_lcp_report report;
    carom_lcp_report path;
    solve_both(&p, z, &report, along_path, &path);
    assert_close(carom_lcp_residual(2, p.M, p.q, z), 0.0, 0.0, 8.0 * DBL_EPSILON);
    assert_close(report.residual, 0.0, 0.0, 8.0 * DBL_EPSILON);
}

TEST(property, definite_problems_have_the_solution_of_the_path) {
    gsl_rng *generator = seeded_generator(SEED);
    int fewer = 0;
    for (int round = 0; round < 2000; round++) {
        problem p;
        const int n = 2 + (int)gsl_rng_uniform_int(generator, HARD_LARGEST - 1);
        draw(generator, n, n, 0.1, &p);
        double z[HARD_LARGEST];
        double along_path[HARD_LARGEST];
        carom_lcp_report report;
        carom_lcp_report path;
        solve_both(&p, z, &report, along_path, &path);
        // Eigenvalues from 0.1 to n^2/3: condition below 4e3, times n roundings.
        assert_equal(n, z, along_path, 4e3 * n * DBL_EPSILON, round);
        ck_assert_int_eq(report.rescues, 0);
        fewer += report.pivots < path.pivots;
    }
    // The start did the work: z_0 costs the path two pivots. A wrong sign after a row has come back
    // would leave a hundred problems to the path.
    ck_assert_int_gt(fewer, 1900);
    gsl_rng_free(generator);
}

TEST(property, zeros_on_both_sides_do_not_matter) {
    // q = w - M z with a third of the pairs zero in both: signs of what is left are rounding.
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 1000; round++) {
        problem p;
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 15);
        draw(generator, n, n, 0.1, &p);
        double expected[HARD_LARGEST];
        double z[HARD_LARGEST];
        double along_path[HARD_LARGEST];
        carom_lcp_report report;
        carom_lcp_report path;
        for (int i = 0; i < n; i++) {
            const int choice = (int)gsl_rng_uniform_int(generator, 3);
            expected[i] = choice == 0 ? hard_uniform(generator, 0.1, 2.0) : 0.0;
            p.q[i] = choice == 1 ? hard_uniform(generator, 0.1, 2.0) : 0.0;
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                p.q[i] -= p.M[i * n + j] * expected[j];
            }
        }
        solve_both(&p, z, &report, along_path, &path);
        // Condition below 1e3 for n <= 16; 16 n roundings of q are zero, |q| up to n.
        for (int i = 0; i < n; i++) {
            const double bound = 1e3 * 16.0 * n * n * DBL_EPSILON;
            assert_close(z[i], expected[i], 0.0, bound);
            assert_close(z[i], along_path[i], 0.0, 2.0 * bound);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, rows_in_units_from_1e_minus_8_to_1e8_are_solved) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 1000; round++) {
        problem p;
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 15);
        draw(generator, n, n, 0.1, &p);
        problem scaled = p;
        double units[HARD_LARGEST] = {0.0};
        double z[HARD_LARGEST];
        double scaled_z[HARD_LARGEST];
        double along_path[HARD_LARGEST];
        carom_lcp_report report;
        carom_lcp_report path;
        for (int i = 0; i < n; i++) {
            units[i] = pow(10.0, hard_uniform(generator, -8.0, 8.0));
            scaled.q[i] = units[i] * p.q[i];
        }
        for (int k = 0; k < n * n; k++) {
            scaled.M[k] = p.M[k] * (units[k / n] * units[k % n]);
        }
        solve_both(&p, z, &report, along_path, &path);
        solve_both(&scaled, scaled_z, &report, along_path, &path);
        for (int i = 0; i < n; i++) {
            scaled_z[i] *= units[i];
        }
        // As above, condition below 1e3.
        assert_equal(n, scaled_z, z, 4e3 * n * DBL_EPSILON, round);
        ck_assert_int_eq(report.rescues, 0);
    }
    gsl_rng_free(generator);
}

TEST(property, singular_problems_have_the_w_of_the_path) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 2000; round++) {
        static const int kinds[] = {0, HARD_DUPLICATES, HARD_RANGE, HARD_RANGE | HARD_DUPLICATES};
        problem p = {.n = 2 + (int)gsl_rng_uniform_int(generator, 11)};
        const int n = p.n;
        hard_semidefinite(generator, n, kinds[round % 4], p.M, p.q);
        double z[HARD_LARGEST];
        double along_path[HARD_LARGEST];
        carom_lcp_report report;
        carom_lcp_report path;
        solve_both(&p, z, &report, along_path, &path);
        ck_assert_msg(hard_is_solved(n, p.M, p.q, z), "round %d", round);
        double size = 0.0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                size = fmax(size, fabs(p.M[i * n + j]) * fmax(z[j], along_path[j]));
            }
        }
        for (int i = 0; i < n; i++) {
            double difference = 0.0;
            for (int j = 0; j < n; j++) {
                difference += p.M[i * n + j] * (z[j] - along_path[j]);
            }
            // d'M d is at most the residuals, rounding of w, times z: M d the root of that.
            ck_assert_double_le(fabs(difference), 1e-6 * size);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, a_matrix_that_is_not_symmetric_follows_the_path) {
    // Off by the last digit, in one place. The covering vector of the scaling is 1 / R.
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int round = 0; round < 500; round++) {
        problem p;
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 15);
        draw(generator, n, n, 0.1, &p);
        const int i = (int)gsl_rng_uniform_int(generator, (unsigned long)n);
        const int j = (i + 1 + (int)gsl_rng_uniform_int(generator, (unsigned long)n - 1)) % n;
        p.M[i * n + j] = nextafter(p.M[i * n + j], 100.0);
        double rows[HARD_LARGEST];
        double columns[HARD_LARGEST];
        double d[HARD_LARGEST];
        double z[HARD_LARGEST];
        double along_path[HARD_LARGEST];
        carom_lcp_scale(n, p.M, rows, columns);
        for (int k = 0; k < n; k++) {
            d[k] = 1.0 / rows[k];
        }
        carom_lcp_workspace *work;
        carom_lcp_report report;
        carom_lcp_report path;
        assert_ok(carom_lcp_workspace_alloc(n, &work));
        assert_ok(carom_lcp_solve_lemke(n, p.M, p.q, z, work, &report));
        assert_ok(carom_lcp_solve_lemke_covering(n, p.M, p.q, d, along_path, work, &path));
        ck_assert_mem_eq(z, along_path, (size_t)n * sizeof(double));
        ck_assert_int_eq(report.pivots, path.pivots);
        carom_lcp_workspace_free(work);
    }
    gsl_rng_free(generator);
}

static void fill_with_nan(int n, carom_lcp_workspace *work) {
    double *const vectors[] = {work->last, work->solution, work->trial, work->dictionary.value,
                               work->dictionary.pivot_reciprocals};
    for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++) {
        for (int i = 0; i < n; i++) {
            vectors[k][i] = (double)NAN;
        }
    }
    for (int i = 0; i < (n + n / 2 + 9) * n; i++) {
        work->dictionary.pivot_columns[i] = (double)NAN;
    }
}

TEST(property, work_memory_does_not_matter) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int round = 0; round < 500; round++) {
        problem p;
        const int n = 2 + (int)gsl_rng_uniform_int(generator, HARD_LARGEST - 1);
        draw(generator, n, n, 0.1, &p);
        double first[HARD_LARGEST];
        double again[HARD_LARGEST];
        carom_lcp_workspace *work;
        assert_ok(carom_lcp_workspace_alloc(n, &work));
        assert_ok(carom_lcp_solve_lemke(n, p.M, p.q, first, work, NULL));
        fill_with_nan(n, work);
        assert_ok(carom_lcp_solve_lemke(n, p.M, p.q, again, work, NULL));
        ck_assert_mem_eq(first, again, (size_t)n * sizeof(double));
        carom_lcp_workspace_free(work);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_not_finite_is_refused) {
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(3, &work));
    for (int place = 0; place < 12; place++) {
        for (int kind = 0; kind < 3; kind++) {
            const double bad = kind == 0 ? (double)NAN : (kind == 1 ? HUGE_VAL : -HUGE_VAL);
            problem p = {.n = 3,
                         .M = {2.0, 0.5, 0.25, 0.5, 2.0, 0.125, 0.25, 0.125, 2.0},
                         .q = {-1.0, -0.5, 3.5}};
            double z[3];
            carom_lcp_report report;
            if (place < 9) {
                p.M[place] = bad;
                p.M[place % 3 * 3 + place / 3] = bad;
            } else {
                p.q[place - 9] = bad;
            }
            assert_status(carom_lcp_solve_lemke(3, p.M, p.q, z, work, &report), NOT_FINITE);
            ck_assert_int_eq(report.pivots, 0);
            ck_assert(isnan(report.residual) && isnan(z[0]) && isnan(z[1]) && isnan(z[2]));
        }
    }
    carom_lcp_workspace_free(work);
}
