/*
 * carom/lcp/active_set.h: closed forms, the degree of a matrix (the sum of indices does
 * not depend on q), planes of solutions, agreement with Lemke's method, refusals.
 */
#include <carom/lcp/active_set.h>
#include <carom/lcp/lcp.h>

#include "../failing_malloc.h"
#include "../support.h"
#include "hard_problems.h"

static const unsigned long SEED = 20090601;

/** Accepted residual relative to q. */
static const double TOLERANCE = 1e-10;

enum { MOST = 10, SOLUTIONS = 1024 };

/** What has been visited. */
typedef struct visits {
    int n;
    int count;
    int limit; /**< of visits; stop there */
    unsigned set[SOLUTIONS];
    int index[SOLUTIONS];
    double residual[SOLUTIONS];
    double z[SOLUTIONS][MOST];
} visits;

static bool note(const carom_lcp_basis *basis, void *context) {
    visits *all = context;
    const int k = all->count++;
    all->set[k] = basis->set;
    all->index[k] = basis->index;
    all->residual[k] = basis->residual;
    memcpy(all->z[k], basis->z, (size_t)all->n * sizeof(double));
    return all->count < all->limit;
}

static void enumerate(int n, const double *M, const double *q, visits *all) {
    carom_lcp_bases_workspace *work;
    int count = -1;
    all->n = n;
    all->count = 0;
    all->limit = SOLUTIONS;
    assert_ok(carom_lcp_bases_workspace_alloc(n > 0 ? n : 1, &work));
    assert_ok(carom_lcp_enumerate_bases(n, M, q, TOLERANCE, note, all, work, &count));
    ck_assert_int_eq(count, all->count);
    carom_lcp_bases_workspace_free(work);
}

static void assert_visit(const visits *all, int k, unsigned set, int index, double z_0,
                         double z_1) {
    ck_assert_uint_eq(all->set[k], set);
    ck_assert_int_eq(all->index[k], index);
    assert_close(all->z[k][0], z_0, 0.0, 4.0 * DBL_EPSILON);
    assert_close(all->z[k][1], z_1, 0.0, 4.0 * DBL_EPSILON);
}

TEST(unit, three_solutions_have_the_indices_of_paper_and_pencil) {
    static visits all;
    // (1, 0), (0, 1) with M_aa = 1, and (1/3, 1/3) with det M = -3.
    const double M[4] = {1.0, 2.0, 2.0, 1.0};
    const double q[2] = {-1.0, -1.0};
    enumerate(2, M, q, &all);
    ck_assert_int_eq(all.count, 3);
    assert_visit(&all, 0, 1, 1, 1.0, 0.0);
    assert_visit(&all, 1, 2, 1, 0.0, 1.0);
    assert_visit(&all, 2, 3, -1, 1.0 / 3.0, 1.0 / 3.0);
    // Row and column exchanges of complete pivoting: det [[1, 5], [3, 1]] = -14, z = (4, 2) / 14.
    const double skewed[4] = {1.0, 5.0, 3.0, 1.0};
    enumerate(2, skewed, q, &all);
    ck_assert_int_eq(all.count, 3);
    assert_visit(&all, 2, 3, -1, 2.0 / 7.0, 1.0 / 7.0);
    // Nothing to do is a solution with the empty set, whose determinant is 1.
    const double leaving[2] = {0.25, 0.5};
    enumerate(2, M, leaving, &all);
    ck_assert_int_eq(all.count, 1);
    assert_visit(&all, 0, 0, 1, 0.0, 0.0);
}

TEST(unit, a_plane_of_solutions_is_met_on_every_piece) {
    static visits all;
    // z_1 + z_2 = 1: its ends are regular, the piece between them is singular.
    const double M[4] = {1.0, 1.0, 1.0, 1.0};
    const double q[2] = {-1.0, -1.0};
    enumerate(2, M, q, &all);
    ck_assert_int_eq(all.count, 3);
    assert_visit(&all, 0, 1, 1, 1.0, 0.0);
    assert_visit(&all, 1, 2, 1, 0.0, 1.0);
    ck_assert_int_eq(all.index[2], 0);
    assert_close(all.z[2][0] + all.z[2][1], 1.0, 4.0 * DBL_EPSILON, 0.0);
    ck_assert(all.z[2][0] >= 0.0 && all.z[2][1] >= 0.0);
    // A row and column of zeros: z_1 is free, w_1 = 0.
    const double zeros[4] = {0.0, 0.0, 0.0, 1.0};
    const double free_first[2] = {0.0, -3.0};
    enumerate(2, zeros, free_first, &all);
    ck_assert_int_eq(all.count, 2);
    ck_assert_uint_eq(all.set[0], 2);
    ck_assert_int_eq(all.index[0], 1);
    ck_assert_int_eq(all.index[1], 0);
    assert_close(all.z[1][1], 3.0, 4.0 * DBL_EPSILON, 0.0);
    // The plane beside a row with w_3 = 2 - z_1 - z_2 = 1, which belongs to the singular piece too.
    const double beside[9] = {1.0, 1.0, 0.0, 1.0, 1.0, 0.0, -1.0, -1.0, 1.0};
    const double separating[3] = {-1.0, -1.0, 2.0};
    enumerate(3, beside, separating, &all);
    ck_assert_int_eq(all.count, 3);
    ck_assert_uint_eq(all.set[2], 3);
    ck_assert_int_eq(all.index[2], 0);
    assert_close(all.z[2][0] + all.z[2][1], 1.0, 4.0 * DBL_EPSILON, 0.0);
    assert_close(all.z[2][2], 0.0, 0.0, 0.0);
    // Out of the range: none.
    const double apart[2] = {-1.0, -2.0};
    const double wedge[4] = {1.0, -1.0, -1.0, 1.0};
    enumerate(2, wedge, apart, &all);
    ck_assert_int_eq(all.count, 0);
}

TEST(unit, units_do_not_matter) {
    static visits all;
    // The first example in rows and columns of 1e-12, 1e12.
    const double M[4] = {1e-12, 2.0, 2.0, 1e12};
    const double q[2] = {-1e-6, -1e6};
    enumerate(2, M, q, &all);
    ck_assert_int_eq(all.count, 3);
    ck_assert_int_eq(all.index[2], -1);
    assert_close(all.z[2][0], 1e6 / 3.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(all.z[2][1], 1e-6 / 3.0, 8.0 * DBL_EPSILON, 0.0);
}

TEST(unit, the_visitor_can_stop) {
    static visits all;
    const double M[4] = {1.0, 2.0, 2.0, 1.0};
    const double q[2] = {-1.0, -1.0};
    carom_lcp_bases_workspace *work;
    int count;
    assert_ok(carom_lcp_bases_workspace_alloc(5, &work));
    all.n = 2;
    all.count = 0;
    all.limit = 2;
    assert_ok(carom_lcp_enumerate_bases(2, M, q, TOLERANCE, note, &all, work, &count));
    ck_assert_int_eq(count, 2);
    ck_assert_int_eq(all.count, 2);
    carom_lcp_bases_workspace_free(work);
    carom_lcp_bases_workspace_free(NULL);
}

TEST(property, the_sum_of_indices_does_not_depend_on_q) {
    // The degree of the complementary map (Cottle, Pang, Stone, section 6.1): for a random M zero
    // is the only solution of q = 0, and random q have isolated solutions.
    static visits all;
    gsl_rng *generator = seeded_generator(SEED);
    int varied = 0;
    for (int round = 0; round < 40; round++) {
        const int n = 1 + (int)gsl_rng_uniform_int(generator, 5);
        double M[MOST * MOST];
        int degree = 0;
        int fewest = SOLUTIONS;
        int most = 0;
        for (int k = 0; k < n * n; k++) {
            M[k] = uniform(generator, -1.0, 1.0);
        }
        for (int trial = 0; trial < 20; trial++) {
            double q[MOST];
            for (int i = 0; i < n; i++) {
                q[i] = uniform(generator, -1.0, 1.0);
            }
            enumerate(n, M, q, &all);
            int sum = 0;
            for (int k = 0; k < all.count; k++) {
                sum += all.index[k];
                // Random matrices of up to five rows have conditions below 1e5.
                ck_assert_double_le(all.residual[k], 1e-10);
            }
            degree = trial == 0 ? sum : degree;
            ck_assert_msg(sum == degree, "round %d: %d, %d", round, sum, degree);
            fewest = all.count < fewest ? all.count : fewest;
            most = all.count > most ? all.count : most;
        }
        varied += most > fewest;
    }
    ck_assert_int_gt(varied, 10);
    gsl_rng_free(generator);
}

TEST(property, the_solution_of_lemkes_method_is_among_all_with_index_one_or_singular) {
    // Its path ends at a basis with det M_aa > 0 (specification of halm-2023, 2.8.3).
    static visits all;
    gsl_rng *generator = seeded_generator(SEED + 1);
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(MOST, &work));
    int multiple = 0;
    for (int round = 0; round < 60; round++) {
        hard_increment p;
        double z[MOST];
        double d[MOST];
        const int m = round < 50 ? 1 : 2;
        const int n = 5 * m;
        hard_increment_draw(generator, m, false, &p);
        for (int i = 0; i < m; i++) {
            p.mu[i] = uniform(generator, 0.1, 3.0);
            p.caps[i] = uniform(generator, 0.05, 0.5);
        }
        hard_increment_assemble(&p);
        for (int i = 0; i < n; i++) {
            d[i] = uniform(generator, 0.5, 2.0);
        }
        assert_ok(carom_lcp_solve_lemke_covering(n, p.W, p.w, d, z, work, NULL));
        enumerate(n, p.W, p.w, &all);
        bool is_found = false;
        for (int k = 0; k < all.count; k++) {
            double distance = 0.0;
            for (int i = 0; i < n; i++) {
                distance = fmax(distance, fabs(all.z[k][i] - z[i]));
            }
            // Rounding times the condition of the bases.
            is_found = is_found || (distance < 1e-7 && all.index[k] >= 0);
        }
        ck_assert_msg(is_found, "round %d, %d solutions", round, all.count);
        multiple += all.count > 1;
    }
    ck_assert_int_gt(multiple, 5);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, a_singular_set_with_a_solution_is_met) {
    // M = A A' of rank r, z > 0 on a set of more than r rows, w > 0 on the others: M_aa is singular
    // and has nonnegative solutions, of which the chosen one is one.
    static visits all;
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 400; round++) {
        const int n = 3 + round % 4;
        const int r = 1 + round % (n - 1);
        double A[MOST * MOST] = {0.0};
        double M[MOST * MOST] = {0.0};
        double q[MOST];
        double z[MOST];
        unsigned set = 0;
        for (int i = 0; i < n * r; i++) {
            A[i] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            const bool is_member = i <= r || uniform(generator, 0.0, 1.0) < 0.5;
            set |= is_member ? 1u << i : 0u;
            z[i] = is_member ? uniform(generator, 0.1, 1.0) : 0.0;
        }
        for (int i = 0; i < n; i++) {
            q[i] = z[i] > 0.0 ? 0.0 : uniform(generator, 0.1, 1.0);
            for (int j = 0; j < n; j++) {
                for (int l = 0; l < r; l++) {
                    M[i * n + j] += A[i * r + l] * A[j * r + l];
                }
                q[i] -= M[i * n + j] * z[j];
            }
        }
        enumerate(n, M, q, &all);
        bool is_met = false;
        for (int k = 0; k < all.count; k++) {
            is_met = is_met || all.set[k] == set;
        }
        ck_assert_msg(is_met, "round %d: set %u of %d rows, rank %d", round, set, n, r);
    }
    gsl_rng_free(generator);
}

TEST(property, work_memory_does_not_matter) {
    static visits fresh;
    static visits used;
    gsl_rng *generator = seeded_generator(SEED + 2);
    carom_lcp_bases_workspace *work;
    assert_ok(carom_lcp_bases_workspace_alloc(MOST, &work));
    for (int round = 0; round < 100; round++) {
        double M[HARD_LARGEST * HARD_LARGEST];
        double q[HARD_LARGEST];
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 4);
        hard_semidefinite(generator, n, round % HARD_KINDS, M, q);
        enumerate(n, M, q, &fresh);
        ck_assert_int_gt(fresh.count, 0);
        used.n = n;
        used.count = 0;
        used.limit = SOLUTIONS;
        assert_ok(carom_lcp_enumerate_bases(n, M, q, TOLERANCE, note, &used, work, NULL));
        ck_assert_int_eq(used.count, fresh.count);
        for (int k = 0; k < fresh.count; k++) {
            ck_assert_uint_eq(used.set[k], fresh.set[k]);
            ck_assert_mem_eq(used.z[k], fresh.z[k], (size_t)n * sizeof(double));
        }
    }
    carom_lcp_bases_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(errors, nan_infinity_and_large_sizes_are_refused) {
    static visits all;
    const double M[1] = {1.0};
    const double q[1] = {-1.0};
    const double bad_M[1] = {(double)NAN};
    const double bad_q[1] = {(double)INFINITY};
    carom_lcp_bases_workspace *work;
    int count = -1;
    assert_status(carom_lcp_bases_workspace_alloc(CAROM_LCP_BASES_MOST + 1, &work), OUT_OF_RANGE);
    ck_assert_ptr_null(work);
    assert_ok(carom_lcp_bases_workspace_alloc(1, &work));
    all.n = 1;
    all.count = 0;
    all.limit = SOLUTIONS;
    assert_status(carom_lcp_enumerate_bases(1, bad_M, q, TOLERANCE, note, &all, work, &count),
                  NOT_FINITE);
    assert_status(carom_lcp_enumerate_bases(1, M, bad_q, TOLERANCE, note, &all, work, &count),
                  NOT_FINITE);
    ck_assert_int_eq(count, 0);
    ck_assert_int_eq(all.count, 0);
    carom_lcp_bases_workspace_free(work);
}

TEST(errors, a_workspace_without_memory_is_refused_without_a_leak) {
    carom_lcp_bases_workspace *work = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_lcp_bases_workspace_alloc(4, &work);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(work);
        }
    }
    ck_assert_int_gt(failures, 10);
    carom_lcp_bases_workspace_free(work);
}
