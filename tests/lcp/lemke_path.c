/*
 * carom/lcp/lcp.h: the path from a given covering vector is the lexicographic one of exact
 * arithmetic. The reference pivots on whole numbers without a common divisor being lost (Edmonds'
 * integer pivoting), written for this test.
 */
#include <carom/lcp/lcp.h>
#include <carom/lcp/lemke_internal.h>

#include "../support.h"
#include "hard_problems.h"

static const unsigned long SEED = 20231214;

/** Unknowns, and columns of a reference dictionary: constant, n + 1 nonbasic, n perturbations. */
enum { MOST = 15, COLUMNS = 2 * MOST + 2 };

/** Whole numbers below this, and sums of their products, are exact. */
static const long double EXACT = 2.0L / LDBL_EPSILON;

/** basic = T nonbasic / divisor, every number whole. */
typedef struct reference {
    int n;
    long double T[MOST][COLUMNS];
    long double divisor;
    int basic[MOST];
    int nonbasic[COLUMNS];
    bool is_exact;
    int pivots;
} reference;

static void start(reference *p, int n, const double *M, const double *q, const double *d) {
    *p = (reference){.n = n, .divisor = 1.0L, .is_exact = true};
    for (int i = 0; i < n; i++) {
        p->T[i][0] = (long double)q[i];
        for (int j = 0; j < n; j++) {
            p->T[i][1 + j] = (long double)M[i * n + j];
            p->T[i][n + 2 + j] = i == j ? 1.0L : 0.0L;
        }
        p->T[i][n + 1] = (long double)d[i];
        p->basic[i] = i;
        p->nonbasic[1 + i] = n + i;
    }
    p->nonbasic[n + 1] = 2 * n;
}

/** Exchange: all 2 x 2 minors with the pivot divided by the last divisor, without a rest. */
static void exchange(reference *p, int r, int c) {
    const long double pivot = p->T[r][c];
    const long double sign = pivot < 0.0L ? -1.0L : 1.0L;
    for (int i = 0; i < p->n; i++) {
        for (int j = 0; i != r && j < 2 * p->n + 2; j++) {
            if (j != c) {
                const long double first = pivot * p->T[i][j];
                const long double second = p->T[i][c] * p->T[r][j];
                p->is_exact = p->is_exact && fabsl(first) + fabsl(second) < EXACT;
                p->T[i][j] = sign * (first - second) / p->divisor;
            }
        }
    }
    for (int i = 0; i < p->n; i++) {
        p->T[i][c] *= i == r ? 0.0L : sign;
    }
    for (int j = 0; j < 2 * p->n + 2; j++) {
        p->T[r][j] *= -sign;
    }
    p->T[r][c] = sign * p->divisor;
    p->divisor = fabsl(pivot);
    const int leaving = p->basic[r];
    p->basic[r] = p->nonbasic[c];
    p->nonbasic[c] = leaving;
    p->pivots++;
}

/** Whether row a comes before row b of column c, both divided by |T_ic|; compared crosswise. */
static bool precedes(reference *p, int a, int b, int c) {
    for (int k = 0; k <= p->n; k++) {
        const int j = k == 0 ? 0 : p->n + 1 + k;
        const long double left = p->T[a][j] * fabsl(p->T[b][c]);
        const long double right = p->T[b][j] * fabsl(p->T[a][c]);
        p->is_exact = p->is_exact && fabsl(left) < EXACT && fabsl(right) < EXACT;
        if (left < right || left > right) {
            return left < right;
        }
    }
    return false;
}

/** The row that blocks column c, z_0's if its ratio is smallest; -1: none. */
static int blocking_row(reference *p, int c) {
    int first = -1;
    int covering = -1;
    for (int i = 0; i < p->n; i++) {
        if (p->T[i][c] < 0.0L) {
            first = first < 0 || precedes(p, i, first, c) ? i : first;
            covering = p->basic[i] == 2 * p->n ? i : covering;
        }
    }
    const bool is_tied = covering >= 0 && !(p->T[first][0] * fabsl(p->T[covering][c]) <
                                            p->T[covering][0] * fabsl(p->T[first][c]));
    return is_tied ? covering : first;
}

/** Lemke's method; false on a ray. */
static bool follow(reference *p) {
    const int n = p->n;
    int row = 0;
    for (int i = 1; i < n; i++) {
        row = precedes(p, i, row, n + 1) ? i : row;
    }
    for (int column = n + 1; row >= 0 && p->is_exact;) {
        const int leaving = p->basic[row];
        exchange(p, row, column);
        if (leaving == 2 * n) {
            return true;
        }
        const int entering = leaving < n ? leaving + n : leaving - n;
        for (int j = 1; j <= n + 1; j++) {
            column = p->nonbasic[j] == entering ? j : column;
        }
        row = blocking_row(p, column);
    }
    return false;
}

static carom_lcp_workspace *new_workspace(int n) {
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(n, &work));
    return work;
}

/** Compare; whether the reference was exact and the path more than a pivot long. */
static bool compare(int n, const double *M, const double *q, const double *d,
                    carom_lcp_workspace *work, int round) {
    double z[MOST];
    reference p;
    carom_lcp_report report;
    start(&p, n, M, q, d);
    bool is_trivial = true;
    for (int i = 0; i < n; i++) {
        is_trivial = is_trivial && q[i] >= 0.0;
    }
    const bool is_solved = !is_trivial && follow(&p);
    if (is_trivial || !p.is_exact) {
        return false;
    }
    const carom_status status = carom_lcp_solve_lemke_covering(n, M, q, d, z, work, &report);
    ck_assert_msg(status == (is_solved ? CAROM_OK : CAROM_STATUS_RAY), "round %d: %s", round,
                  carom_status_name(status));
    // At most the correction of the last digits, which keeps to the basis.
    ck_assert_int_le(report.rescues, 1);
    for (int i = 0; is_solved && i < n; i++) {
        double expected = 0.0;
        for (int r = 0; r < n; r++) {
            expected = p.basic[r] == n + i ? (double)(p.T[r][0] / p.divisor) : expected;
        }
        // Rounding times the condition of bases of small whole numbers, below 1e5.
        ck_assert_msg(fabs(z[i] - expected) <= 1e-10 * (1.0 + expected),
                      "round %d: z_%d = %.17g, exactly %.17g", round, i, z[i], expected);
    }
    ck_assert_int_eq(report.pivots, p.pivots);
    return p.pivots > 1;
}

static double whole(gsl_rng *generator, int low, int high) {
    return low + (double)gsl_rng_uniform_int(generator, (unsigned long)(high - low) + 1);
}

TEST(property, degenerate_semidefinite_problems_take_the_path_of_exact_arithmetic) {
    gsl_rng *generator = seeded_generator(SEED);
    carom_lcp_workspace *work = new_workspace(MOST);
    int compared = 0;
    for (int round = 0; round < 600; round++) {
        const int n = 2 + (int)gsl_rng_uniform_int(generator, 6);
        const int r = 1 + (int)gsl_rng_uniform_int(generator, 3);
        double A[MOST * MOST] = {0.0};
        double M[MOST * MOST];
        double q[MOST];
        double d[MOST];
        for (int k = 0; k < n * r; k++) {
            A[k] = whole(generator, -2, 2);
        }
        // A A' and a skew part: positive semidefinite, zero rows and equal ones.
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = 0.0;
                for (int k = 0; k < r; k++) {
                    sum += A[i * r + k] * A[j * r + k];
                }
                const double skew = i == j || round % 2 == 0 ? 0.0 : whole(generator, -1, 1);
                M[i * n + j] = sum + skew;
                M[j * n + i] = sum - skew;
            }
            q[i] = whole(generator, -2, 1);
            d[i] = whole(generator, 1, 3);
        }
        compared += compare(n, M, q, d, work, round);
    }
    ck_assert_int_gt(compared, 300);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, increments_take_the_path_of_exact_arithmetic) {
    // Several solutions each, many ties: rows of zeros in w, equal contacts, equal caps.
    gsl_rng *generator = seeded_generator(SEED + 1);
    carom_lcp_workspace *work = new_workspace(MOST);
    int compared = 0;
    for (int round = 0; round < 600; round++) {
        hard_increment p;
        const int m = 1 + round % 2;
        const int n = 5 * m;
        double d[MOST];
        hard_increment_draw(generator, m, true, &p);
        for (int i = 0; i < m; i++) {
            p.mu[i] = whole(generator, 0, 3);
            p.caps[i] = whole(generator, 0, 2);
        }
        hard_increment_assemble(&p);
        for (int i = 0; i < n; i++) {
            d[i] = round % 3 == 0 ? 1.0 : whole(generator, 1, 7);
        }
        compared += compare(n, p.W, p.w, d, work, round);
    }
    ck_assert_int_gt(compared, 300);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, a_friction_coefficient_of_1e5_does_not_lead_off_the_path) {
    // Pivots of 1e-5 and 1e5 among those of 1: ties survive only if lost digits are recovered.
    gsl_rng *generator = seeded_generator(SEED + 2);
    carom_lcp_workspace *work = new_workspace(MOST);
    int compared = 0;
    for (int round = 0; round < 2000; round++) {
        hard_increment p;
        double d[MOST];
        const int m = 1 + round % 3;
        hard_increment_draw(generator, m, true, &p);
        for (int i = 0; i < m; i++) {
            p.mu[i] = i == 0 ? 1e5 : whole(generator, 0, 1);
            p.caps[i] = whole(generator, 1, 2);
        }
        hard_increment_assemble(&p);
        for (int i = 0; i < 5 * m; i++) {
            d[i] = round % 4 < 2 ? 1.0 : whole(generator, 1, 100);
        }
        compared += compare(5 * m, p.W, p.w, d, work, round);
    }
    ck_assert_int_gt(compared, 100);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, scaling_a_row_is_the_same_as_scaling_its_covering_entry) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    carom_lcp_workspace *work = new_workspace(MOST);
    for (int round = 0; round < 300; round++) {
        hard_increment p;
        const int m = 1 + round % 2;
        const int n = 5 * m;
        double d[MOST];
        double scaled_d[MOST];
        double z[MOST];
        double scaled_z[MOST];
        hard_increment_draw(generator, m, false, &p);
        for (int i = 0; i < m; i++) {
            p.mu[i] = hard_uniform(generator, 0.1, 2.0);
        }
        hard_increment_assemble(&p);
        for (int i = 0; i < n; i++) {
            d[i] = hard_uniform(generator, 0.5, 2.0);
        }
        const carom_status status = carom_lcp_solve_lemke_covering(n, p.W, p.w, d, z, work, NULL);
        ck_assert_int_eq(status, CAROM_OK);
        for (int i = 0; i < n; i++) {
            const double scale = pow(10.0, hard_uniform(generator, -2.0, 2.0));
            scaled_d[i] = scale * d[i];
            p.w[i] *= scale;
            for (int j = 0; j < n; j++) {
                p.W[i * n + j] *= scale;
            }
        }
        assert_ok(carom_lcp_solve_lemke_covering(n, p.W, p.w, scaled_d, scaled_z, work, NULL));
        for (int i = 0; i < n; i++) {
            // Rounding of the scaled rows times the condition of random bases.
            assert_close(scaled_z[i], z[i], 1e-8, 1e-8);
        }
    }
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(property, paths_that_are_kept_and_forgotten_leave_no_trace) {
    // Of paths of n + 1 pivots on average, whose columns are twice what a workspace keeps.
    enum { PROBLEMS = 2000 };
    gsl_rng *generator = seeded_generator(SEED + 4);
    carom_lcp_workspace *keeping;
    carom_lcp_workspace *work;
    assert_ok(carom_lcp_workspace_alloc(MOST, &keeping));
    assert_ok(carom_lcp_workspace_alloc(MOST, &work));
    double M[MOST * MOST];
    double d[MOST];
    double q[MOST];
    for (int k = 0; k < MOST * MOST; k++) {
        M[k] = hard_uniform(generator, -0.5, 0.5) + (k % (MOST + 1) == 0 ? 4.0 : 0.0);
    }
    for (int i = 0; i < MOST; i++) {
        d[i] = hard_uniform(generator, 0.5, 2.0);
    }
    assert_ok(carom_lcp_keep_matrix(MOST, M, keeping));
    int pivots = 0;
    for (int round = 0; round < PROBLEMS; round++) {
        double kept[MOST];
        double fresh[MOST];
        carom_lcp_report report;
        for (int i = 0; i < MOST; i++) {
            q[i] = hard_uniform(generator, -1.0, 1.0);
        }
        assert_ok(carom_lcp_solve_lemke_covering(MOST, M, q, d, fresh, work, NULL));
        assert_ok(carom_lcp_solve_lemke_covering(MOST, M, q, d, kept, keeping, &report));
        ck_assert_mem_eq(fresh, kept, sizeof fresh);
        pivots += report.pivots;
    }
    ck_assert_int_gt(pivots, 2 * 4096);
    carom_lcp_workspace_free(keeping);
    carom_lcp_workspace_free(work);
    gsl_rng_free(generator);
}

TEST(unit, rows_without_diagonal_are_scaled_to_entries_of_one) {
    // The unknowns of one increment: beta, a normal of 1/4 kg, friction 1000 without tangent,
    // gamma.
    const double M[9] = {0.0, -1.0, 0.0, 1.0, 4.0, 3.0, 0.0, 1000.0, 0.0};
    double row[3];
    double column[3];
    carom_lcp_scale(3, M, row, column);
    // 1 / 2^k, 2^(k-1) <= sqrt(4) < 2^k: 1/4, by which the first row and column are 1/4 and 1/4,
    // just below 1/2; the third row is 250 < 2^8, its column 3/4 < 1.
    assert_close(row[1], 0.25, 0.0, 0.0);
    assert_close(column[1], 0.25, 0.0, 0.0);
    assert_close(row[0], 2.0, 0.0, 0.0);
    assert_close(column[0], 2.0, 0.0, 0.0);
    assert_close(row[2], 1.0 / 256.0, 0.0, 0.0);
    assert_close(column[2], 1.0, 0.0, 0.0);
    // Nothing but zeros next to the diagonal entries: R = C, from the largest entry of the row.
    const double skew[4] = {0.0, -64.0, 64.0, 0.0};
    carom_lcp_scale(2, skew, row, column);
    for (int i = 0; i < 2; i++) {
        assert_close(row[i], 1.0 / 16.0, 0.0, 0.0);
        assert_close(column[i], 1.0 / 16.0, 0.0, 0.0);
    }
}

TEST(unit, powers_of_two_are_found_without_arithmetic) {
    assert_close(carom_lcp_power_above(1.0), 2.0, 0.0, 0.0);
    assert_close(carom_lcp_power_above(0.75), 1.0, 0.0, 0.0);
    assert_close(carom_lcp_power_above(6.5e-3), 1.0 / 128.0, 0.0, 0.0);
    assert_close(carom_lcp_power_inverse(1.0 / 128.0), 128.0, 0.0, 0.0);
    assert_close(carom_lcp_inverse_root_power(0.25), 1.0, 0.0, 0.0);
    assert_close(carom_lcp_inverse_root_power(0.24), 2.0, 0.0, 0.0);
    assert_close(carom_lcp_inverse_root_power(8.0), 0.25, 0.0, 0.0);
    // At the ends of the range the reciprocal is still a number, and finite.
    const double ends[] = {0.0, DBL_TRUE_MIN, DBL_MAX, (double)INFINITY, (double)NAN};
    for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++) {
        const double power = carom_lcp_power_above(ends[k]);
        assert_close(power * carom_lcp_power_inverse(power), 1.0, 0.0, 0.0);
        ck_assert(isnormal(carom_lcp_inverse_root_power(ends[k])));
    }
}
