/*
 * carom/lcp/lcp.h: closed forms, enumeration of all 2^n active sets, problems
 * made from their solution, the published difficult examples, and certificates where there is no
 * solution.
 */
#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke_internal.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_randist.h>

#include <float.h>
#include <stdbool.h>
#include <string.h>

static const unsigned long SEED = 20140803;
enum { LARGEST = 12 };

/** Solve with a workspace of its own. */
static carom_status solve(int n, const double *M, const double *q, double *z,
                          carom_lcp_report *report) {
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(n, &work));
    const carom_status status = carom_lcp_solve_lemke(n, M, q, z, work, report);
    carom_lcp_workspace_free(work);
    return status;
}

/** z >= 0, w >= 0 and min(z, w) = 0, each to rounding of its terms, with room for 1000 of them. */
static void assert_complementary(int n, const double *M, const double *q, const double *z) {
    for (int i = 0; i < n; i++) {
        double w = q[i];
        double size = fabs(q[i]);
        for (int j = 0; j < n; j++) {
            w += M[i * n + j] * z[j];
            size += fabs(M[i * n + j] * z[j]);
        }
        ck_assert_double_ge(z[i], 0.0);
        ck_assert_msg(z[i] <= 0.0 || fabs(w) <= 1e3 * DBL_EPSILON * size, "z_%d = %g, w = %g", i,
                      z[i], w);
        ck_assert_msg(w >= -1e3 * DBL_EPSILON * size, "w_%d = %g", i, w);
    }
}

/** M_aa z_a = -q_a for one of the 2^n sets, by GSL; false if singular or a sign is wrong. */
static bool solve_on_set(int n, const double *M, const double *q, unsigned set, double *z) {
    gsl_matrix *block = gsl_matrix_alloc((size_t)n, (size_t)n);
    gsl_vector *x = gsl_vector_alloc((size_t)n);
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)n);
    gsl_matrix_set_identity(block);
    gsl_vector_set_zero(x);
    for (int i = 0; i < n; i++) {
        for (int j = 0; (set >> i & 1u) != 0 && j < n; j++) {
            if ((set >> j & 1u) != 0) {
                gsl_matrix_set(block, (size_t)i, (size_t)j, M[i * n + j]);
            }
        }
        if ((set >> i & 1u) != 0) {
            gsl_vector_set(x, (size_t)i, -q[i]);
        }
    }
    int sign;
    gsl_linalg_LU_decomp(block, permutation, &sign);
    bool is_solution = fabs(gsl_linalg_LU_det(block, sign)) > 1e-13;
    if (is_solution) {
        gsl_linalg_LU_svx(block, permutation, x);
    }
    for (int i = 0; i < n; i++) {
        z[i] = gsl_vector_get(x, (size_t)i);
        is_solution = is_solution && z[i] >= -1e-12;
    }
    for (int i = 0; is_solution && i < n; i++) {
        double w = q[i];
        for (int j = 0; j < n; j++) {
            w += M[i * n + j] * z[j];
        }
        is_solution = (set >> i & 1u) != 0 || w >= -1e-12;
    }
    gsl_permutation_free(permutation);
    gsl_vector_free(x);
    gsl_matrix_free(block);
    return is_solution;
}

/** How many of the 2^n sets give a solution, and the last of them. */
static int enumerate(int n, const double *M, const double *q, double *z) {
    int count = 0;
    double trial[LARGEST];
    for (unsigned set = 0; set < 1u << n; set++) {
        if (solve_on_set(n, M, q, set, trial)) {
            memcpy(z, trial, (size_t)n * sizeof(double));
            count++;
        }
    }
    return count;
}

/** M = G G' + shift I + a skew part: a P-matrix if shift > 0, semidefinite of rank r if 0. */
static void random_matrix(gsl_rng *generator, int n, int rank, double shift, double skew,
                          double *M) {
    double G[LARGEST * LARGEST] = {0.0};
    for (int k = 0; k < n * rank; k++) {
        G[k] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? shift : 0.0;
            for (int k = 0; k < rank; k++) {
                sum += G[i * rank + k] * G[j * rank + k];
            }
            const double turn = i == j ? 0.0 : uniform(generator, -skew, skew);
            M[i * n + j] = sum + turn;
            M[j * n + i] = sum - turn;
        }
    }
}

static void random_vector(gsl_rng *generator, int n, double *x) {
    for (int i = 0; i < n; i++) {
        x[i] = uniform(generator, -1.0, 1.0);
    }
}

TEST(unit, one_contact_has_the_closed_form) {
    const double M[1] = {2.385};
    const double approaching[1] = {-4.77};
    const double leaving[1] = {0.7};
    double z[1];
    carom_lcp_report report;
    assert_ok(solve(1, M, approaching, z, &report));
    assert_close(z[0], 2.0, 2.0 * DBL_EPSILON, 0.0);
    ck_assert_int_eq(report.pivots, 2);
    assert_close(report.residual, 0.0, 0.0, 4.77 * DBL_EPSILON);
    assert_ok(solve(1, M, leaving, z, NULL));
    assert_close(z[0], 0.0, 0.0, 0.0);
}

TEST(unit, two_coupled_contacts_have_the_solution_of_paper_and_pencil) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double both[2] = {-5.0, -6.0};
    const double one[2] = {-5.0, 3.5};
    double z[2];
    // 2 z_1 + z_2 = 5, z_1 + 2 z_2 = 6.
    assert_ok(solve(2, M, both, z, NULL));
    assert_close(z[0], 4.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 7.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    assert_ok(solve(2, M, one, z, NULL));
    assert_close(z[0], 2.5, 2.0 * DBL_EPSILON, 0.0);
    assert_close(z[1], 0.0, 0.0, 0.0);
}

TEST(unit, nothing_to_solve_takes_no_pivot) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double q[2] = {0.0, 1.75};
    double z[2] = {(double)NAN, (double)NAN};
    carom_lcp_report report = {(double)NAN, -1, -1, (double)NAN};
    assert_ok(solve(2, M, q, z, &report));
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(z[1], 0.0, 0.0, 0.0);
    assert_close(report.residual, 0.0, 0.0, 0.0);
    ck_assert_int_eq(report.pivots, 0);
    ck_assert_int_eq(report.rescues, 0);
    assert_ok(solve(0, M, q, z, &report));
    ck_assert_int_eq(report.pivots, 0);
}

TEST(unit, the_residual_is_that_of_the_natural_map) {
    const double M[4] = {2.0, 1.0, -1.0, 3.0};
    const double q[2] = {-1.0, 0.5};
    // w = (2 0.25 + 0.125 - 1, -0.25 + 3 0.125 + 0.5) = (-0.375, 0.625).
    const double z[2] = {0.25, 0.125};
    assert_close(carom_lcp_residual(2, M, q, z), 0.375, DBL_EPSILON, 0.0);
    const double negative[2] = {-0.5, 0.0};
    // w = (-2, 1): min(-0.5, -2) = -2.
    assert_close(carom_lcp_residual(2, M, q, negative), 2.0, DBL_EPSILON, 0.0);
    assert_close(carom_lcp_residual(0, M, q, z), 0.0, 0.0, 0.0);
    const double nan_first[2] = {(double)NAN, 0.0};
    const double nan_last[2] = {0.0, (double)NAN};
    ck_assert(isnan(carom_lcp_residual(2, M, q, nan_first)));
    ck_assert(isnan(carom_lcp_residual(2, M, nan_last, z)));
}

TEST(unit, the_example_on_which_principal_pivoting_cycles_is_solved) {
    // Kostreva 1979: every row 1, 2 and 0 in turn, q = -1; the solution is 1/3 each.
    const double M[9] = {1.0, 2.0, 0.0, 0.0, 1.0, 2.0, 2.0, 0.0, 1.0};
    const double q[3] = {-1.0, -1.0, -1.0};
    double z[3];
    assert_ok(solve(3, M, q, z, NULL));
    for (int i = 0; i < 3; i++) {
        assert_close(z[i], 1.0 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    }
}

/** Murty 1978: M = 1 on and 2 below the diagonal, q = -1; solution z_1 = 1, all others 0. */
static void murty_example(int n, double *M, double *q) {
    for (int i = 0; i < n; i++) {
        q[i] = -1.0;
        for (int j = 0; j < n; j++) {
            M[i * n + j] = i == j ? 1.0 : (j < i ? 2.0 : 0.0);
        }
    }
}

TEST(unit, the_exponential_example_takes_two_to_the_n_pivots) {
    double M[LARGEST * LARGEST];
    double q[LARGEST];
    double z[LARGEST];
    for (int n = 1; n <= 8; n++) {
        murty_example(n, M, q);
        carom_lcp_report report;
        assert_ok(solve(n, M, q, z, &report));
        ck_assert_int_eq(report.pivots, 1 << n);
        for (int i = 0; i < n; i++) {
            assert_close(z[i], i == 0 ? 1.0 : 0.0, 0.0, 0.0);
        }
    }
}

TEST(unit, an_example_beyond_the_limit_of_pivots_is_rescued) {
    // 2^n pivots would be 1024 and more: the path gives up after 50 n, a rescue finds z = (1,
    // 0...).
    double M[LARGEST * LARGEST];
    double q[LARGEST];
    double z[LARGEST];
    for (int n = 10; n <= LARGEST; n++) {
        murty_example(n, M, q);
        carom_lcp_report report;
        assert_ok(solve(n, M, q, z, &report));
        ck_assert_int_ge(report.pivots, 50 * n);
        ck_assert_int_gt(report.rescues, 0);
        for (int i = 0; i < n; i++) {
            assert_close(z[i], i == 0 ? 1.0 : 0.0, 0.0, 0.0);
        }
    }
}

TEST(unit, the_covering_vector_decides_which_solution_is_found) {
    // Solutions (1, 0), (0, 1) and (1/3, 1/3). With d = (2, 1) the second row needs most of z_0:
    // z_2 takes its place, and at z_2 = 1 it has all of it, w_1 = 1.
    const double M[4] = {1.0, 2.0, 2.0, 1.0};
    const double q[2] = {-1.0, -1.0};
    const double second[2] = {2.0, 1.0};
    const double first[2] = {0.3, 0.7};
    double z[2];
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(2, &work));
    carom_lcp_report report;
    assert_ok(carom_lcp_solve_lemke_covering(2, M, q, second, z, work, &report));
    assert_close(z[0], 0.0, 0.0, 0.0);
    assert_close(z[1], 1.0, 0.0, 0.0);
    ck_assert_int_eq(report.pivots, 2);
    assert_ok(carom_lcp_solve_lemke_covering(2, M, q, first, z, work, &report));
    assert_close(z[0], 1.0, 0.0, 0.0);
    assert_close(z[1], 0.0, 0.0, 0.0);
    // Rows multiplied by 7 and 0.01: 7 and 0.01 times the covering vector find the same.
    const double scaled_M[4] = {7.0, 14.0, 0.02, 0.01};
    const double scaled_q[2] = {-7.0, -0.01};
    const double scaled_second[2] = {14.0, 0.01};
    const double scaled_first[2] = {2.1, 0.007};
    assert_ok(carom_lcp_solve_lemke_covering(2, scaled_M, scaled_q, scaled_second, z, work, NULL));
    assert_close(z[1], 1.0, 0.0, DBL_EPSILON);
    assert_ok(carom_lcp_solve_lemke_covering(2, scaled_M, scaled_q, scaled_first, z, work, NULL));
    assert_close(z[0], 1.0, 0.0, DBL_EPSILON);
    carom_lcp_workspace_free(work);
}

TEST(unit, rows_left_on_the_wrong_side_are_exchanged) {
    const double M[9] = {2.0, 1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 1.0, 2.0};
    // z = (2, 0, 0.5): w = (0, 2 + q_2 + 0.5, 0).
    const double q[3] = {-4.0, -2.0, -1.0};
    carom_lcp_refinement *work;
    assert_ok(carom_lcp_refinement_alloc(5, &work));
    for (unsigned start = 0; start < 8; start++) {
        bool is_set[3] = {(start & 1u) != 0, (start & 2u) != 0, (start & 4u) != 0};
        double z[3] = {0.0, 0.0, 0.0};
        const double residual = carom_lcp_refine(3, M, q, is_set, z, work);
        assert_close(residual, 0.0, 0.0, carom_lcp_rounding(3, M, q, z));
        assert_close(z[0], 2.0, 4.0 * DBL_EPSILON, 0.0);
        assert_close(z[1], 0.0, 0.0, 0.0);
        assert_close(z[2], 0.5, 4.0 * DBL_EPSILON, 0.0);
    }
    carom_lcp_refinement_free(work);
    carom_lcp_refinement_free(NULL);
}

TEST(unit, a_singular_set_leaves_the_point_as_it_is) {
    const double M[4] = {1.0, 1.0, 1.0, 1.0};
    const double q[2] = {-1.0, -2.0};
    bool is_set[2] = {true, true};
    double z[2] = {0.5, 1.25};
    carom_lcp_refinement *work;
    assert_ok(carom_lcp_refinement_alloc(2, &work));
    // w = (0.75, -0.25): min(0.5, 0.75) is the larger part of the residual.
    assert_close(carom_lcp_refine(2, M, q, is_set, z, work), 0.5, 0.0, 0.0);
    assert_close(z[0], 0.5, 0.0, 0.0);
    assert_close(z[1], 1.25, 0.0, 0.0);
    // 16 n roundings of 2 + 0.5 + 1.25.
    assert_close(carom_lcp_rounding(2, M, q, z), 32.0 * DBL_EPSILON * 3.75, DBL_EPSILON, 0.0);
    carom_lcp_refinement_free(work);
}

TEST(property, the_only_active_set_of_a_p_matrix_is_found) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 8);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double expected[LARGEST];
        random_matrix(generator, n, n, 0.1, round % 2 == 0 ? 0.0 : 0.7, M);
        random_vector(generator, n, q);
        ck_assert_int_eq(enumerate(n, M, q, expected), 1);
        assert_ok(solve(n, M, q, z, NULL));
        assert_complementary(n, M, q, z);
        for (int i = 0; i < n; i++) {
            // Smallest eigenvalue of the symmetric part 0.1, largest below 20.
            assert_close(z[i], expected[i], 0.0, 1e-11);
        }
    }
    gsl_rng_free(generator);
}

/** z >= 0, z != 0, M' z <= 0 and q' z < 0: no z has M z + q >= 0 (Farkas). */
static void assert_certificate(int n, const double *M, const double *q, const double *z) {
    double work = 0.0;
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        double column = 0.0;
        for (int i = 0; i < n; i++) {
            column += M[i * n + j] * z[i];
        }
        ck_assert_double_ge(z[j], 0.0);
        ck_assert_double_le(column, 1e-10);
        work += q[j] * z[j];
        largest = fmax(largest, z[j]);
    }
    ck_assert_double_gt(largest, 0.0);
    ck_assert_double_lt(work, 0.0);
}

TEST(property, a_verdict_on_any_matrix_agrees_with_enumeration) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    int rays = 0;
    int unsolvable = 0;
    int rescued = 0;
    for (int round = 0; round < 400; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 6);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double expected[LARGEST];
        random_vector(generator, n * n, M);
        random_vector(generator, n, q);
        carom_lcp_report report;
        const carom_status status = solve(n, M, q, z, &report);
        const bool has_solution = enumerate(n, M, q, expected) > 0;
        if (status == CAROM_OK) {
            assert_complementary(n, M, q, z);
            ck_assert(has_solution);
            rescued += report.rescues > 0;
        } else {
            // Lemke's method alone ends on rays without meaning: all attempts together do not.
            ck_assert(!has_solution);
            ck_assert(status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED);
            unsolvable += status == CAROM_STATUS_NOT_CONVERGED;
        }
        if (status == CAROM_STATUS_RAY) {
            assert_certificate(n, M, q, z);
            rays++;
        }
    }
    ck_assert_int_gt(rays, 5);
    ck_assert_int_gt(unsolvable, 5);
    ck_assert_int_gt(rescued, 20);
    gsl_rng_free(generator);
}

/** q = w - M z from a complementary pair with zeros in both: degenerate and feasible. */
static void problem_from_solution(gsl_rng *generator, int n, const double *M, double *q,
                                  double *z_true, double *w_true) {
    for (int i = 0; i < n; i++) {
        const double choice = gsl_rng_uniform(generator);
        z_true[i] = choice < 0.5 ? uniform(generator, 0.1, 2.0) : 0.0;
        w_true[i] = choice > 0.75 ? uniform(generator, 0.1, 2.0) : 0.0;
    }
    for (int i = 0; i < n; i++) {
        q[i] = w_true[i];
        for (int j = 0; j < n; j++) {
            q[i] -= M[i * n + j] * z_true[j];
        }
    }
}

TEST(property, redundant_contacts_with_degenerate_data_are_solved) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 500; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, LARGEST - 1);
        const int rank = 1 + (int)gsl_rng_uniform_int(generator, (unsigned long)n - 1);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double z_true[LARGEST];
        double w_true[LARGEST];
        random_matrix(generator, n, rank, 0.0, 0.0, M);
        problem_from_solution(generator, n, M, q, z_true, w_true);
        assert_ok(solve(n, M, q, z, NULL));
        assert_complementary(n, M, q, z);
        // M is symmetric: w is the same for all solutions.
        for (int i = 0; i < n; i++) {
            double w = q[i];
            for (int j = 0; j < n; j++) {
                w += M[i * n + j] * z[j];
            }
            assert_close(w, w_true[i], 0.0, 1e-7);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, whole_numbers_with_many_ties_are_solved) {
    // Duplicated contacts, equal speeds and zeros: every ratio test is tied.
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 500; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, LARGEST - 1);
        const int rank = 1 + (int)gsl_rng_uniform_int(generator, 3);
        double G[LARGEST * LARGEST] = {0.0};
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        for (int k = 0; k < n * rank; k++) {
            G[k] = (double)gsl_rng_uniform_int(generator, 3) - 1.0;
        }
        // q = G v in the range of G plus nonnegative rests: feasible.
        for (int i = 0; i < n; i++) {
            q[i] = (double)gsl_rng_uniform_int(generator, 2);
            for (int k = 0; k < rank; k++) {
                q[i] += G[i * rank + k] * (k % 2 == 0 ? -2.0 : 1.0);
            }
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 0.0;
                for (int k = 0; k < rank; k++) {
                    M[i * n + j] += G[i * rank + k] * G[j * rank + k];
                }
            }
        }
        assert_ok(solve(n, M, q, z, NULL));
        assert_complementary(n, M, q, z);
    }
    gsl_rng_free(generator);
}

TEST(property, a_solvable_problem_is_not_called_unsolvable_because_of_rounding) {
    // Redundant contacts on lever arms from 1 down to 1e-3, q from a solution: an impulse that
    // should come to zero together with z_0 comes to a rounding before it.
    gsl_rng *generator = seeded_generator(SEED + 9);
    int rescued = 0;
    for (int round = 0; round < 3000; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, LARGEST - 1);
        const int rank = 1 + (int)gsl_rng_uniform_int(generator, n < 6 ? (unsigned long)n - 1 : 5);
        double G[LARGEST * LARGEST] = {0.0};
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double z_true[LARGEST];
        double w_true[LARGEST];
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < rank; k++) {
                const double arm = pow(10.0, -0.7 * k);
                G[i * rank + k] = arm * ((double)gsl_rng_uniform_int(generator, 3) - 1.0);
            }
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 0.0;
                for (int k = 0; k < rank; k++) {
                    M[i * n + j] += G[i * rank + k] * G[j * rank + k];
                }
            }
        }
        problem_from_solution(generator, n, M, q, z_true, w_true);
        carom_lcp_report report;
        assert_ok(solve(n, M, q, z, &report));
        double largest = 0.0;
        for (int i = 0; i < n; i++) {
            largest = fmax(largest, fabs(q[i]));
        }
        // 1e-10 in the scaling by M_ii^-1/2, which spans 1e-3 to 1.
        ck_assert_double_le(report.residual, 1e-7 * largest);
        rescued += report.rescues > 0;
    }
    ck_assert_int_gt(rescued, 10);
    gsl_rng_free(generator);
}

TEST(property, the_order_of_the_contacts_does_not_matter) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int round = 0; round < 200; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, LARGEST - 1);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double permuted_M[LARGEST * LARGEST];
        double permuted_q[LARGEST];
        double permuted_z[LARGEST];
        int order[LARGEST];
        random_matrix(generator, n, n, 0.1, 0.5, M);
        random_vector(generator, n, q);
        for (int i = 0; i < n; i++) {
            order[i] = i;
        }
        gsl_ran_shuffle(generator, order, (size_t)n, sizeof order[0]);
        for (int i = 0; i < n; i++) {
            permuted_q[i] = q[order[i]];
            for (int j = 0; j < n; j++) {
                permuted_M[i * n + j] = M[order[i] * n + order[j]];
            }
        }
        assert_ok(solve(n, M, q, z, NULL));
        assert_ok(solve(n, permuted_M, permuted_q, permuted_z, NULL));
        for (int i = 0; i < n; i++) {
            assert_close(permuted_z[i], z[order[i]], 0.0, 1e-11);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, powers_of_two_as_units_change_no_digit) {
    // z = U z', w = w' / U and q in a unit of its own: the scaled problem is the same.
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double scaled_M[LARGEST * LARGEST];
        double scaled_q[LARGEST];
        double scaled_z[LARGEST];
        double U[LARGEST];
        random_matrix(generator, n, n, 0.1, 0.5, M);
        random_vector(generator, n, q);
        const double speed = ldexp(1.0, -40);
        for (int i = 0; i < n; i++) {
            U[i] = ldexp(1.0, (int)gsl_rng_uniform_int(generator, 61) - 30);
        }
        for (int i = 0; i < n; i++) {
            scaled_q[i] = speed * q[i] / U[i];
            for (int j = 0; j < n; j++) {
                scaled_M[i * n + j] = M[i * n + j] / U[i] / U[j];
            }
        }
        carom_lcp_report report;
        carom_lcp_report scaled_report;
        assert_ok(solve(n, M, q, z, &report));
        assert_ok(solve(n, scaled_M, scaled_q, scaled_z, &scaled_report));
        ck_assert_int_eq(report.pivots, scaled_report.pivots);
        for (int i = 0; i < n; i++) {
            assert_close(scaled_z[i] / U[i] / speed, z[i], 0.0, 0.0);
        }
    }
    gsl_rng_free(generator);
}

/** Whether a workspace that keeps M solves what begins like an earlier problem, and what has
 * another covering vector, as one that has seen nothing. */
static void assert_paths_are_kept(gsl_rng *generator, int n, const double *M, const double *kept,
                                  carom_lcp_workspace *work) {
    for (int k = 0; k < 8; k++) {
        double q[LARGEST];
        double covering[LARGEST];
        double fresh[LARGEST];
        double used[LARGEST];
        carom_lcp_report fresh_report;
        carom_lcp_report used_report;
        carom_lcp_workspace *own;
        random_vector(generator, n, q);
        for (int i = 0; i < n; i++) {
            covering[i] = k % 4 == 3 ? 0.5 + gsl_rng_uniform(generator) : 1.0;
        }
        assert_ok(carom_lcp_workspace_alloc(n, &own));
        const carom_status expected =
            carom_lcp_solve_lemke_covering(n, M, q, covering, fresh, own, &fresh_report);
        ck_assert_int_eq(
            carom_lcp_solve_lemke_covering(n, kept, q, covering, used, work, &used_report),
            expected);
        ck_assert_mem_eq(fresh, used, (size_t)n * sizeof(double));
        ck_assert_int_eq(fresh_report.pivots, used_report.pivots);
        carom_lcp_workspace_free(own);
    }
}

TEST(property, what_a_workspace_held_before_does_not_matter) {
    gsl_rng *generator = seeded_generator(SEED + 6);
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(LARGEST, &work));
    for (int round = 0; round < 200; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, LARGEST);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double fresh[LARGEST];
        double used[LARGEST];
        carom_lcp_report fresh_report;
        carom_lcp_report used_report;
        random_matrix(generator, n, n, 0.1, 0.5, M);
        random_vector(generator, n, q);
        assert_ok(solve(n, M, q, fresh, &fresh_report));
        assert_ok(carom_lcp_solve_lemke(n, M, q, used, work, &used_report));
        ck_assert_mem_eq(fresh, used, (size_t)n * sizeof(double));
        ck_assert_int_eq(fresh_report.pivots, used_report.pivots);
        // Nor does whether scales were kept: of this matrix, which the next problem replaces.
        double kept[LARGEST * LARGEST];
        memcpy(kept, M, sizeof kept);
        assert_ok(carom_lcp_keep_matrix(n, kept, work));
        for (int again = 0; again < 2; again++) {
            assert_ok(carom_lcp_solve_lemke(n, kept, q, used, work, NULL));
            ck_assert_mem_eq(fresh, used, (size_t)n * sizeof(double));
        }
        assert_paths_are_kept(generator, n, M, kept, work);
    }
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, ill_conditioned_matrices_are_solved_to_rounding_of_their_rows) {
    // Hilbert matrices: positive definite, condition number 1e13 at n = 10.
    gsl_rng *generator = seeded_generator(SEED + 7);
    for (int round = 0; round < 100; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, LARGEST - 1);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        double z_true[LARGEST];
        double w_true[LARGEST];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                M[i * n + j] = 1.0 / (double)(i + j + 1);
            }
        }
        problem_from_solution(generator, n, M, q, z_true, w_true);
        assert_ok(solve(n, M, q, z, NULL));
        assert_complementary(n, M, q, z);
    }
    gsl_rng_free(generator);
}

TEST(errors, a_problem_without_solution_ends_on_a_ray_that_proves_it) {
    // w_1 = -z_2 - 1 < 0 whatever z.
    const double skew[4] = {0.0, -1.0, 1.0, 0.0};
    const double q[2] = {-1.0, -1.0};
    double z[2];
    carom_lcp_report report;
    assert_status(solve(2, skew, q, z, &report), RAY);
    assert_certificate(2, skew, q, z);
    ck_assert(isnan(report.residual));
    ck_assert_int_gt(report.pivots, 0);
    // Two contacts on opposite sides of one body, driven apart.
    const double wedge[4] = {2.385, -2.385, -2.385, 2.385};
    const double jammed[2] = {-1.0, -0.25};
    assert_status(solve(2, wedge, jammed, z, NULL), RAY);
    assert_certificate(2, wedge, jammed, z);
    // A contact that nothing moves.
    const double nothing[1] = {0.0};
    assert_status(solve(1, nothing, q, z, NULL), RAY);
    assert_certificate(1, nothing, q, z);
}

TEST(errors, infeasible_semidefinite_problems_carry_certificates) {
    gsl_rng *generator = seeded_generator(SEED + 8);
    for (int round = 0; round < 300; round++) {
        const int n = 3 + (int)gsl_rng_uniform_int(generator, LARGEST - 2);
        double M[LARGEST * LARGEST];
        double q[LARGEST];
        double z[LARGEST];
        // Rank one, with both signs: most q are out of reach.
        random_matrix(generator, n, 1, 0.0, 0.0, M);
        random_vector(generator, n, q);
        q[0] = -1.0;
        const carom_status status = solve(n, M, q, z, NULL);
        if (status == CAROM_OK) {
            assert_complementary(n, M, q, z);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_RAY);
            assert_certificate(n, M, q, z);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, a_feasible_problem_without_complementary_solution_is_not_converged) {
    // z = (0, 1) has w = (0, 1), but none of the four sets has a solution: w = -1; z_1 = -1/2; z_2
    // = 1/2 with w_1 = -1/2; z = (-1, 1) / 3.
    const double M[4] = {-2.0, 1.0, -1.0, 2.0};
    const double q[2] = {-1.0, -1.0};
    double z[2];
    carom_lcp_report report;
    assert_status(solve(2, M, q, z, &report), NOT_CONVERGED);
    ck_assert(isnan(report.residual));
    ck_assert_int_gt(report.rescues, 0);
    ck_assert(isnan(z[0]) && isnan(z[1]));
}

TEST(errors, an_answer_beyond_the_range_of_doubles_is_no_answer) {
    const double M[1] = {1e-200};
    const double q[1] = {-1e200};
    double z[1];
    assert_status(solve(1, M, q, z, NULL), NOT_CONVERGED);
    ck_assert(isnan(z[0]));
}

TEST(errors, nan_and_infinity_are_refused) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double q[2] = {-1.0, -2.0};
    const double bad_M[4] = {2.0, 1.0, (double)INFINITY, 2.0};
    const double bad_q[2] = {1.0, (double)NAN};
    double z[2] = {7.0, 7.0};
    carom_lcp_report report = {0.0, -1, -1, 0.0};
    assert_status(solve(2, bad_M, q, z, &report), NOT_FINITE);
    ck_assert(isnan(z[0]) && isnan(z[1]) && isnan(report.residual));
    ck_assert_int_eq(report.pivots, 0);
    assert_status(solve(2, M, bad_q, z, NULL), NOT_FINITE);
}

TEST(errors, a_covering_vector_that_does_not_cover_is_refused) {
    const double M[4] = {2.0, 1.0, 1.0, 2.0};
    const double q[2] = {-1.0, -2.0};
    const double refused[4][2] = {
        {1.0, 0.0}, {-1.0, 1.0}, {1.0, (double)INFINITY}, {(double)NAN, 1.0}};
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(2, &work));
    for (int k = 0; k < 4; k++) {
        double z[2] = {7.0, 7.0};
        carom_lcp_report report;
        const carom_status status =
            carom_lcp_solve_lemke_covering(2, M, q, refused[k], z, work, &report);
        ck_assert_int_eq(status, k < 2 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE);
        ck_assert(isnan(z[0]) && isnan(z[1]) && isnan(report.residual));
        ck_assert_int_eq(report.pivots, 0);
    }
    carom_lcp_workspace_free(work);
}

TEST(errors, a_workspace_without_memory_is_refused_without_a_leak) {
    carom_lcp_workspace *work = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_lcp_workspace_alloc(3, &work);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(work);
        }
    }
    ck_assert_int_gt(failures, 10);
    carom_lcp_workspace_free(work);
    carom_lcp_workspace_free(NULL);
}
