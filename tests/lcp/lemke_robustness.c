/*
 * carom/lcp/lcp.h: of problems that have a solution none is left unsolved and none is solved
 * wrongly. A sample; the bench counts 20 000 of each size.
 */
#include <carom/lcp/lcp.h>

#include "../support.h"
#include "hard_problems.h"

static const unsigned long SEED = 20210330;

static carom_lcp_workspace *new_workspace(int n) {
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(n, &work));
    return work;
}

TEST(property, no_feasible_semidefinite_problem_is_unsolved_or_wrong) {
    static const int sizes[] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 25, 32};
    enum { SIZES = sizeof sizes / sizeof sizes[0], EACH = 800 };
    gsl_rng *generator = seeded_generator(SEED);
    carom_lcp_workspace *work = new_workspace(HARD_LARGEST);
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double z[HARD_LARGEST];
    int rescued = 0;
    for (int k = 0; k < SIZES; k++) {
        const int n = sizes[k];
        for (int round = 0; round < EACH; round++) {
            hard_semidefinite(generator, n, round % HARD_KINDS, M, q);
            carom_lcp_report report;
            const carom_status status = carom_lcp_solve_lemke(n, M, q, z, work, &report);
            ck_assert_msg(status == CAROM_OK, "n = %d, round %d: %s", n, round,
                          carom_status_name(status));
            ck_assert_msg(hard_is_solved(n, M, q, z), "n = %d, round %d: residual %g", n, round,
                          report.residual);
            rescued += report.rescues > 0;
        }
    }
    // The sample is hard enough to need rescues, and they are rare.
    ck_assert_int_gt(rescued, 10);
    ck_assert_int_lt(rescued, SIZES * EACH / 50);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

/** Conditions of an increment, speeds and impulses being of order 1 to 100. */
static void assert_increment(const hard_increment *p, const double *z, int round) {
    const int m = p->contacts;
    const int n = 5 * m;
    for (int i = 0; i < n; i++) {
        double value = p->w[i];
        double size = 1.0 + fabs(p->w[i]);
        for (int j = 0; j < n; j++) {
            value += p->W[i * n + j] * z[j];
            size += fabs(p->W[i * n + j]) * z[j];
        }
        // Far above rounding, far below what a wrong contact mode would leave.
        ck_assert_msg(fabs(fmin(z[i], value)) <= 1e-8 * size, "m = %d, round %d: row %d, %g", m,
                      round, i, fmin(z[i], value));
    }
}

/** L'(c + c')/2, the change of kinetic energy; `size` gets that of its terms. */
static double energy_change(const hard_increment *p, const double *z, double *size) {
    const int m = p->contacts;
    double L[2 * HARD_CONTACTS] = {0.0};
    for (int i = 0; i < m; i++) {
        L[i] = z[m + i];
        L[m + i] = z[2 * m + 2 * i] - z[2 * m + 2 * i + 1];
    }
    double change = 0.0;
    *size = 1.0;
    for (int a = 0; a < 2 * m; a++) {
        double after = p->c[a];
        for (int b = 0; b < 2 * m; b++) {
            after += p->C[a * 2 * m + b] * L[b];
        }
        change += 0.5 * L[a] * (p->c[a] + after);
        *size += fabs(L[a] * p->c[a]);
    }
    return change;
}

TEST(property, large_values_do_not_pass_for_solutions) {
    // Bases that are singular but for rounding give z of 1e10 and more, beside whose M z a residual
    // of 1e-3 of q would look like rounding.
    gsl_rng *generator = seeded_generator(SEED + 5);
    carom_lcp_workspace *work = new_workspace(HARD_LARGEST);
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double z[HARD_LARGEST];
    for (int round = 0; round < 30000; round++) {
        const int n = 8 + round % 5;
        hard_semidefinite(generator, n, HARD_LEVERS | HARD_RANGE | round % 4, M, q);
        assert_ok(carom_lcp_solve_lemke(n, M, q, z, work, NULL));
        ck_assert_msg(hard_is_solved(n, M, q, z), "round %d", round);
    }
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, answers_are_as_exact_as_rounding_allows) {
    // Ties everywhere, eigenvalues down to 1e-6 and zero: the point from which q was made shows
    // that rounding can be reached.
    gsl_rng *generator = seeded_generator(SEED + 4);
    carom_lcp_workspace *work = new_workspace(HARD_LARGEST);
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double z[HARD_LARGEST];
    int loose = 0;
    for (int round = 0; round < 4000; round++) {
        const int n = 10 + round % 5;
        hard_semidefinite(generator, n, HARD_LEVERS + round % 8, M, q);
        assert_ok(carom_lcp_solve_lemke(n, M, q, z, work, NULL));
        double largest = 0.0;
        double residual = 0.0;
        for (int i = 0; i < n; i++) {
            const double D = M[i * n + i] > 0.0 ? 1.0 / sqrt(M[i * n + i]) : 1.0;
            double w = q[i];
            double size = fabs(q[i]);
            for (int j = 0; j < n; j++) {
                w += M[i * n + j] * z[j];
                size += fabs(M[i * n + j]) * z[j];
            }
            largest = fmax(largest, size * D);
            residual = fmax(residual, fabs(fmin(z[i] / D, w * D)));
        }
        // Four times what the solver aims at: its scales are powers of two.
        loose += residual > 64.0 * n * DBL_EPSILON * largest;
    }
    ck_assert_int_le(loose, 2);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, every_increment_of_an_impact_is_solved_and_dissipates) {
    // Theorems 6 and 7 of halm-2023: always solvable; kinetic energy does not rise.
    gsl_rng *generator = seeded_generator(SEED + 1);
    carom_lcp_workspace *work = new_workspace(HARD_INCREMENT);
    for (int m = 1; m <= HARD_CONTACTS; m++) {
        for (int round = 0; round < 1200; round++) {
            hard_increment p;
            double d[HARD_INCREMENT];
            double z[HARD_INCREMENT];
            hard_increment_draw(generator, m, round % 3 == 0, &p);
            // Covering vectors: of the scaling, one, friction on the cones, wild.
            for (int i = 0; i < 5 * m; i++) {
                d[i] = round % 4 == 3 ? pow(10.0, hard_uniform(generator, -3.0, 3.0)) : 1.0;
                if (round % 4 == 2 && i >= 4 * m) {
                    d[i] = fmax(1.0, p.mu[i - 4 * m]);
                }
            }
            const double *covering = round % 4 == 0 ? NULL : d;
            const carom_status status =
                carom_lcp_solve_lemke_covering(5 * m, p.W, p.w, covering, z, work, NULL);
            ck_assert_msg(status == CAROM_OK, "m = %d, round %d: %s", m, round,
                          carom_status_name(status));
            assert_increment(&p, z, round);
            double size;
            const double change = energy_change(&p, z, &size);
            // Rounding of the terms and of z, whose residual is at most 1e-10.
            ck_assert_msg(change <= 1e-9 * size, "m = %d, round %d: %g", m, round, change);
        }
    }
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

/* A further row without coupling, whose q is a slack of any size: the others must not notice. Their
 * residual, against what they lack, is what the solver promises, 1e-8, times the scales of rows
 * (entries of A are below 1). */
TEST(property, a_slack_however_large_blurs_nothing) {
    const double known[3] = {1.0 / 30.0, 14.0 / 15.0, 0.0};
    gsl_rng *generator = seeded_generator(SEED + 7);
    carom_lcp_workspace *work = new_workspace(HARD_LARGEST);
    double M[HARD_LARGEST * HARD_LARGEST];
    double wide[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double z[HARD_LARGEST];
    for (int round = 0; round < 4000; round++) {
        const double slack = pow(10.0, hard_uniform(generator, 0.0, 18.0));
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 11);
        hard_semidefinite(generator, n, HARD_DUPLICATES, M, q);
        memset(wide, 0, sizeof wide);
        double lack = 0.0;
        for (int i = 0; i < n; i++) {
            memcpy(wide + i * (n + 1), M + i * n, (size_t)n * sizeof(double));
            lack = fmax(lack, -q[i]);
        }
        wide[n * (n + 1) + n] = 1.0;
        q[n] = slack;
        ck_assert_int_eq(carom_lcp_solve_lemke_covering(n + 1, wide, q, NULL, z, work, NULL),
                         CAROM_OK);
        const double residual = carom_lcp_residual(n, M, q, z);
        ck_assert_msg(residual <= 1e-8 * lack, "round %d, n = %d, slack %g: %g of %g", round, n,
                      slack, residual, lack);
        const double small[9] = {2, 1, 0, 1, 2, 0, 0, 0, 1};
        const double of_small[3] = {-1.0, -1.9, slack};
        ck_assert_int_eq(carom_lcp_solve_lemke(3, small, of_small, z, work, NULL), CAROM_OK);
        for (int i = 0; i < 3; i++) {
            assert_close(z[i], known[i], 0.0, 1e-14);
        }
    }
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, an_infeasible_problem_is_never_called_solved) {
    // M = A A' with A' u = 0 for a u > 0, and q' u < 0: u'(M z + q) < 0 for every z.
    gsl_rng *generator = seeded_generator(SEED + 2);
    carom_lcp_workspace *work = new_workspace(HARD_LARGEST);
    double A[HARD_LARGEST * HARD_LARGEST];
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double u[HARD_LARGEST];
    double z[HARD_LARGEST];
    int rays = 0;
    for (int round = 0; round < 2000; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 15);
        const int r = 1 + (int)gsl_rng_uniform_int(generator, (unsigned long)n - 1);
        double gain = 0.0;
        double size = 0.0;
        for (int i = 0; i < n; i++) {
            u[i] = hard_uniform(generator, 0.1, 1.0);
            q[i] = hard_uniform(generator, -1.0, 1.0);
            gain += u[i] * q[i];
            size += u[i] * u[i];
        }
        // q moved to a gain of -1e-6, -1e-4, ... so that it fails by little or by much.
        const double wanted = -pow(10.0, -2.0 * (double)(round % 4));
        for (int i = 0; i < n; i++) {
            q[i] += (wanted - gain) / size * u[i];
        }
        for (int k = 0; k < r; k++) {
            double along = 0.0;
            for (int i = 0; i < n; i++) {
                A[i * r + k] = hard_uniform(generator, -1.0, 1.0);
                along += A[i * r + k] * u[i];
            }
            for (int i = 0; i < n; i++) {
                A[i * r + k] -= along / size * u[i];
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 0.0;
                for (int k = 0; k < r; k++) {
                    M[i * n + j] += A[i * r + k] * A[j * r + k];
                }
            }
        }
        const carom_status status = carom_lcp_solve_lemke(n, M, q, z, work, NULL);
        ck_assert_msg(status == CAROM_STATUS_RAY, "round %d: %s", round, carom_status_name(status));
        // The certificate: M z = 0 up to rounding, q'z < 0.
        gain = 0.0;
        for (int i = 0; i < n; i++) {
            double w = 0.0;
            for (int j = 0; j < n; j++) {
                w += M[i * n + j] * z[j];
            }
            // Where w < 0 the certificate only gains; by rank and sign it is 0 but for rounding.
            ck_assert_double_le(w, 1e-10);
            ck_assert_double_ge(z[i], 0.0);
            gain += q[i] * z[i];
        }
        ck_assert_double_lt(gain, 0.0);
        rays++;
    }
    ck_assert_int_eq(rays, 2000);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

/* Whole numbers with a known solution whose matrix has no property that makes a path end there: the
 * seeds are those that the rescue solves with its further covering vector 2, 3, ..., 7 and with
 * none before. */
TEST(property, what_one_covering_vector_leaves_another_solves) {
    enum { SIZE = 11 };
    static const unsigned long seeds[] = {15, 17, 23, 25, 2276, 1754};
    carom_lcp_workspace *work = new_workspace(SIZE);
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++) {
        gsl_rng *generator = seeded_generator(seeds[k]);
        double M[SIZE * SIZE];
        double q[SIZE];
        double z[SIZE];
        for (int i = 0; i < SIZE * SIZE; i++) {
            M[i] = (double)gsl_rng_uniform_int(generator, 5) - 2.0;
        }
        for (int i = 0; i < SIZE; i++) {
            const double drawn = (double)gsl_rng_uniform_int(generator, 3);
            z[i] = i % 2 == 1 ? 1.0 + drawn : 0.0;
            q[i] = i % 2 == 0 ? drawn : 0.0;
        }
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                q[i] -= M[i * SIZE + j] * z[j];
            }
        }
        const carom_status status = carom_lcp_solve_lemke(SIZE, M, q, z, work, NULL);
        ck_assert_msg(status == CAROM_OK, "seed %lu: %s", seeds[k], carom_status_name(status));
        // What the solver promises of numbers no smaller than 1.
        ck_assert_double_le(carom_lcp_residual(SIZE, M, q, z), 1e-8);
        gsl_rng_free(generator);
    }
    carom_lcp_workspace_free(work);
}

TEST(property, an_answer_depends_on_nothing_but_the_problem) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    carom_lcp_workspace *large = new_workspace(HARD_LARGEST);
    double M[HARD_LARGEST * HARD_LARGEST];
    double q[HARD_LARGEST];
    double first[HARD_LARGEST];
    double again[HARD_LARGEST];
    int rescued = 0;
    for (int round = 0; round < 600; round++) {
        // Mostly problems that need rescues, whose work memory is the larger part.
        const int n = 8 + (int)gsl_rng_uniform_int(generator, 5);
        hard_semidefinite(generator, n, HARD_LEVERS + round % 8, M, q);
        carom_lcp_workspace *fresh = new_workspace(n);
        carom_lcp_report report;
        assert_ok(carom_lcp_solve_lemke(n, M, q, first, fresh, &report));
        assert_ok(carom_lcp_solve_lemke(n, M, q, again, large, NULL));
        ck_assert_mem_eq(first, again, (size_t)n * sizeof(double));
        rescued += report.rescues > 0;
        carom_lcp_workspace_free(fresh);
    }
    ck_assert_int_gt(rescued, 5);
    carom_lcp_workspace_free(large);
    gsl_rng_free(generator);
}
