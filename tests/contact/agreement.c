/*
 * carom/contact/contact.h: the solvers against each other, against all solutions where they are
 * few, and against the laws term by term, on problems drawn by index: plane and space, up to 64
 * contacts, joints, redundant rows, friction from 0 to 10. `make check-contact` takes 1e5 of them,
 * CAROM_CONTACT_PROBLEMS in the environment any number.
 */
#include "random_problem.h"

#include <stdlib.h>
#include <string.h>

/* Alone a method may give up, not as a rule; the automatic one on less than one of 1e4. */
enum { METHODS = CAROM_CONTACT_PIVOTING + 1, FEW = 600, MOST_SWEEPS = 2000, UNSYMMETRIC = 20 };
static const double MOST_UNSOLVED = 1e-4;

/* Of a method alone. */
static const double RESIDUAL = 1e-11;

/* Residuals are below 1e-12 of sums of some hundred terms. */
static const double LAW = 1e-9;

/* Solutions of regular problems follow their data by conditions up to 1e5. */
static const double SAME = 1e-7;

static int problem_count(void) {
    const char *text = getenv("CAROM_CONTACT_PROBLEMS");
    return text == NULL ? FEW : (int)strtol(text, NULL, 10);
}

/* The k-th problem: as many below as above 8 contacts. */
static void draw(int k, random_problem *p) {
    const int contacts = (int)exp2(6.0 * 0.5 * (1.0 + drawn(k, 998, 0)));
    draw_problem(k, contacts, 5.0 * (1.0 + drawn(k, 997, 1)), p);
}

/* Whether x and y are the same beside the largest of them. */
static bool is_same(int count, const double *x, const double *y) {
    double size = 1.0; // as q and W
    double difference = 0.0;
    for (int i = 0; i < count; i++) {
        size = fmax(size, fmax(fabs(x[i]), fabs(y[i])));
        difference = fmax(difference, fabs(x[i] - y[i]));
    }
    return difference <= SAME * size;
}

typedef struct search {
    int row_count;
    const double *r;
    int found;
} search;

static bool compare(const double *r, const double *u, void *context) {
    search *s = context;
    (void)u;
    s->found += is_same(s->row_count, r, s->r) ? 1 : 0;
    return true;
}

/* A regular problem has few solutions, and the one found is one of them. */
static void assert_among_all(int k, const random_problem *p, const carom_contact_problem *problem,
                             const double *r) {
    search s = {.row_count = p->row_count, .r = r};
    if (p->tangent_count == 2 || p->contact_count > 3 || p->coordinate_count < p->row_count) {
        return;
    }
    assert_ok(carom_contact_solve_all(problem, compare, &s, NULL, NULL));
    ck_assert_msg(s.found > 0, "the solution of problem %d is not among all of them", k);
}

/*
 * Without friction the velocities are the only ones. Those of two answers with residuals below e
 * differ by d with d'M d = (r - r*)'(u - u*) <= e sum |r| |W| |r|: by e^1/2 of what acts in a row.
 */
static void assert_velocity(int k, int method, const random_problem *p, const double *r,
                            const double *u, const double *other) {
    double most = 0.0;
    double difference = 0.0;
    for (int i = 0; i < p->row_count; i++) {
        double terms = fabs(p->q[i]);
        for (int j = 0; j < p->row_count; j++) {
            terms += fabs(p->W[i * p->row_count + j] * r[j]);
        }
        most = fmax(most, terms);
        difference = fmax(difference, fabs(u[i] - other[i]));
    }
    ck_assert_msg(p->tangent_count > 0 || difference <= sqrt(p->row_count * RESIDUAL) * most,
                  "method %d finds other velocities of problem %d", method, k);
}

TEST(property, solvers_agree_with_each_other_and_with_the_laws) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    const int count = problem_count();
    int asked[METHODS] = {0};
    int solved[METHODS] = {0};
    ck_assert_int_gt(count, 0);
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < count; k++) {
        static random_problem p;
        double u[METHODS][MOST_ROWS];
        bool has_answer = false;
        draw(k, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        for (int method = 0; method < METHODS; method++) {
            carom_contact_params params = carom_contact_params_default();
            double r[MOST_ROWS] = {0.0};
            if (method == CAROM_CONTACT_PIVOTING &&
                (p.tangent_count == 2 || p.contact_count > 16)) {
                continue;
            }
            params.method = (carom_contact_method)method;
            params.most_sweeps =
                method == CAROM_CONTACT_AUTOMATIC ? params.most_sweeps : MOST_SWEEPS;
            params.tolerance = method == CAROM_CONTACT_AUTOMATIC ? params.tolerance : RESIDUAL;
            asked[method]++;
            if (carom_contact_solve(solver, problem, &params, r, u[method], NULL, NULL) !=
                CAROM_OK) {
                if (method == CAROM_CONTACT_AUTOMATIC) {
                    printf("problem %d is not solved\n", k);
                }
                continue;
            }
            solved[method]++;
            assert_laws_hold(&p, r, LAW);
            if (method == CAROM_CONTACT_AUTOMATIC) {
                has_answer = true;
                assert_among_all(k, &p, problem, r);
            } else if (has_answer) {
                assert_velocity(k, method, &p, r, u[0], u[method]);
            }
        }
    }
    ck_assert(asked[0] - solved[0] <= MOST_UNSOLVED * count);
    for (int method = CAROM_CONTACT_GAUSS_SEIDEL; method < METHODS; method++) {
        ck_assert_int_gt(10 * solved[method], 7 * asked[method]);
    }
    printf("%d problems: %d without an answer; alone sweeps solve %.1f %%, Newton's method %.1f "
           "%%, Lemke's %.1f %%\n",
           count, asked[0] - solved[0], 100.0 * solved[CAROM_CONTACT_GAUSS_SEIDEL] / count,
           100.0 * solved[CAROM_CONTACT_NEWTON] / count,
           100.0 * solved[CAROM_CONTACT_PIVOTING] / fmax(1.0, asked[CAROM_CONTACT_PIVOTING]));
}

/* A skew part of W, up to half as large as the diagonal: x'W x is as before. */
static void add_skew_part(int k, random_problem *p) {
    const int n = p->row_count;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            const double part =
                0.5 * drawn(k, 1004 + i, j) * sqrt(p->W[i * n + i] * p->W[j * n + j]);
            p->W[i * n + j] += part;
            p->W[j * n + i] -= part;
        }
    }
}

/* As of tangent matrices of implicit steps. In the plane paths do not end on some of them, Lemke's
 * method does. */
TEST(property, in_the_plane_matrices_need_not_be_symmetric) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 1; k < 3 * UNSYMMETRIC; k += 3) {
        static random_problem p;
        double r[MOST_ROWS] = {0.0};
        draw_problem(k, 60, 5.0, &p);
        add_skew_part(k, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        ck_assert_int_eq(p.tangent_count, 1);
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
        assert_laws_hold(&p, r, LAW);
    }
}

/* One contact in the plane: each of the four outcomes by hand. */
static int count_by_hand(const double *W, double mu, const double *q) {
    const double A = W[3] - W[2] * W[1] / W[0];
    const double r_0 = -q[0] / W[0];
    const double t = -(q[1] + W[2] * r_0) / A;
    const double n = r_0 - W[1] / W[0] * t;
    int count = q[0] >= 0.0 ? 1 : 0;
    count += n > 0.0 && fabs(t) <= mu * n ? 1 : 0;
    for (int way = -1; way <= 1; way += 2) {
        const double normal = -q[0] / (W[0] - way * mu * W[1]);
        const double speed = q[1] + (W[2] - way * mu * W[3]) * normal;
        count += normal > 0.0 && way * speed > 0.0 ? 1 : 0;
    }
    return count;
}

TEST(property, one_contact_has_as_many_solutions_as_cases_hold) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    int seen[4] = {0};
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < 2000; k++) {
        // Any W_nt below the root of the product: also beyond W_nn/mu, as of Painleve's rod.
        double W[4] = {1.0 + 0.5 * drawn(k, 1, 0), 0.0, 0.0, 2.0 + drawn(k, 1, 1)};
        const double mu = 2.0 * (1.0 + drawn(k, 1, 2));
        const double q[2] = {drawn(k, 1, 3), drawn(k, 1, 4)};
        double r[2] = {0.0};
        int count = 0;
        search s = {.row_count = 2, .r = r};
        W[1] = W[2] = 0.95 * drawn(k, 1, 5) * sqrt(W[0] * W[3]);
        const carom_contact_rows rows = {.contact_count = 1,
                                         .tangent_count = 1,
                                         .entries = W,
                                         .free_velocity = q,
                                         .friction = &mu};
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
        assert_ok(carom_contact_solve_all(problem, compare, &s, &count, NULL));
        ck_assert_int_eq(count, count_by_hand(W, mu, q));
        ck_assert_int_eq(s.found, 1);
        ck_assert_int_le(count, 3);
        seen[count]++;
    }
    // With W positive definite there is always one; three where friction wedges.
    ck_assert_int_eq(seen[0], 0);
    ck_assert(seen[1] > 0 && seen[3] > 0);
}
