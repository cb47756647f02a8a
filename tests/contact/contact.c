/* carom/contact/contact.h: one contact in closed form, solvers against each other and against the
 * laws themselves, problems of bodies, problems without solution, bad input. */
#include <carom/contact/contact.h>

#include "random_problem.h"

#include <float.h>
#include <string.h>

TEST(unit, one_contact_in_the_plane_opens_sticks_or_slides) {
    const double W[4] = {2.0, 0.5, 0.5, 3.0};
    double r[2];
    const double opening[2] = {0.3, -1.7};
    ck_assert(carom_contact_solve_local(1, W, 0.4, opening, r));
    ck_assert(!(fabs(r[0]) > 0.0) && !(fabs(r[1]) > 0.0));
    // u = 0 by r = (2, 0.2), inside the cone of 0.4.
    const double sticking[2] = {-4.1, -1.6};
    ck_assert(carom_contact_solve_local(1, W, 0.4, sticking, r));
    assert_close(r[0], 2.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(r[1], 0.2, 32.0 * DBL_EPSILON, 0.0);
    // r = (2, 0.8) on its border, and u_t = -0.7 against it.
    const double sliding[2] = {-4.4, -0.7 - 0.5 * 2.0 - 3.0 * 0.8};
    ck_assert(carom_contact_solve_local(1, W, 0.4, sliding, r));
    assert_close(r[0], 2.0, 8.0 * DBL_EPSILON, 0.0);
    assert_close(r[1], 0.8, 8.0 * DBL_EPSILON, 0.0);
}

TEST(unit, one_contact_in_space_slides_on_the_round_cone) {
    // r = 2 (1, mu d) with d = (0.6, -0.8), and u_t = -1.3 d; W need not be symmetric.
    const double W[9] = {2.0, 0.5, -0.3, 0.5, 3.0, 0.7, -0.3, 0.9, 1.9};
    const double mu = 0.4;
    const double expected[3] = {2.0, 2.0 * mu * 0.6, -2.0 * mu * 0.8};
    const double u[3] = {0.0, -1.3 * 0.6, 1.3 * 0.8};
    double q[3];
    double r[3];
    for (int i = 0; i < 3; i++) {
        q[i] = u[i];
        for (int j = 0; j < 3; j++) {
            q[i] -= W[3 * i + j] * expected[j];
        }
    }
    ck_assert(carom_contact_solve_local(2, W, mu, q, r));
    for (int i = 0; i < 3; i++) {
        assert_close(r[i], expected[i], 64.0 * DBL_EPSILON, 0.0);
    }
    // The friction that holds it is that of its sticking impulse.
    const double still[3] = {q[0] - u[0], q[1] - u[1], q[2] - u[2]};
    ck_assert(carom_contact_solve_local(2, W, 1.0001 * mu, still, r));
    assert_close(r[1], expected[1], 64.0 * DBL_EPSILON, 0.0);
}

/* One coordinate, then two, move all three rows, or of them more; W = J J' is singular, and u = 0
 * is in reach. */
TEST(property, one_contact_whose_tangents_depend_on_each_other_is_solved) {
    for (int k = 0; k < 3000; k++) {
        random_problem p = {.contact_count = 1, .tangent_count = 1 + k % 2, .row_count = 2 + k % 2};
        double r[3];
        const int n = 1 + k % 3;
        for (int i = 0; i < p.row_count; i++) {
            for (int c = 0; c < n; c++) {
                p.q[i] += drawn(k, i, c) * drawn(k, 1003, c);
                for (int j = 0; j < p.row_count; j++) {
                    p.W[i * p.row_count + j] += drawn(k, i, c) * drawn(k, j, c);
                }
            }
        }
        p.friction[0] = pow(10.0, 1.5 * drawn(k, 1002, 0));
        ck_assert(carom_contact_solve_local(p.tangent_count, p.W, p.friction[0], p.q, r));
        assert_laws_hold(&p, r, 1e-9);
    }
}

/* All three rows are one and the same coordinate's, which friction alone has to stop in two
 * directions: where it can, or not, rounding is no answer. */
TEST(property, what_a_contact_on_one_coordinate_calls_solved_is) {
    int solved = 0;
    for (int k = 0; k < 20000; k++) {
        random_problem p = {.contact_count = 1, .tangent_count = 2, .row_count = 3};
        double r[3];
        for (int i = 0; i < p.row_count; i++) {
            p.q[i] = drawn(k, i, 7);
            for (int j = 0; j < p.row_count; j++) {
                p.W[i * p.row_count + j] = drawn(k, i, 0) * drawn(k, j, 0);
            }
        }
        p.friction[0] = pow(10.0, 3.0 * drawn(k, 1002, 0));
        if (carom_contact_solve_local(p.tangent_count, p.W, p.friction[0], p.q, r)) {
            assert_laws_hold(&p, r, 1e-8);
            solved++;
        }
    }
    ck_assert_int_gt(solved, 10000);
}

/* Each method by itself, on the same data. */
TEST(property, every_method_satisfies_the_laws) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    int solved[4] = {0};
    int asked[4] = {0};
    for (int k = 0; k < 300; k++) {
        random_problem p;
        draw_problem(k, 1 + k % 7, 0.9, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        for (int method = CAROM_CONTACT_AUTOMATIC; method <= CAROM_CONTACT_PIVOTING; method++) {
            if (method == CAROM_CONTACT_PIVOTING && p.tangent_count == 2) {
                continue;
            }
            carom_contact_params params = carom_contact_params_default();
            params.method = (carom_contact_method)method;
            // Fifteen rows on two coordinates are known no better.
            params.tolerance = 1e-11;
            params.most_sweeps = 1000;
            double r[MOST_ROWS] = {0.0};
            double u[MOST_ROWS];
            asked[method]++;
            if (carom_contact_solve(solver, problem, &params, r, u, NULL, NULL) == CAROM_OK) {
                assert_laws_hold(&p, r, 1e-9);
                solved[method]++;
            }
        }
    }
    ck_assert_int_eq(solved[CAROM_CONTACT_AUTOMATIC], asked[CAROM_CONTACT_AUTOMATIC]);
    // Alone, each method may give up, but not as a rule.
    for (int method = CAROM_CONTACT_GAUSS_SEIDEL; method <= CAROM_CONTACT_PIVOTING; method++) {
        ck_assert_int_gt(10 * solved[method], 9 * asked[method]);
    }
}

/* How many of the solutions found are r. */
typedef struct comparison {
    const random_problem *problem;
    const double *r;
    int same;
} comparison;

static bool compare(const double *r, const double *u, void *context) {
    comparison *c = context;
    bool is_same = true;
    (void)u;
    for (int i = 0; i < c->problem->row_count; i++) {
        is_same = is_same && fabs(r[i] - c->r[i]) <= 1e-8 * (1.0 + fabs(r[i]));
    }
    c->same += is_same ? 1 : 0;
    return true;
}

TEST(property, a_solution_is_among_all_of_them) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 1; k < 200; k += 3) {
        random_problem p;
        draw_problem(k, 1 + k % 7, 3.0, &p);
        // Enough coordinates for a solution to be isolated, and few contacts.
        if (p.contact_count > CAROM_CONTACT_MOST_WITH_FRICTION ||
            p.coordinate_count < p.row_count) {
            continue;
        }
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        double r[MOST_ROWS] = {0.0};
        comparison c = {.problem = &p, .r = r};
        int count = 0;
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
        assert_ok(carom_contact_solve_all(problem, compare, &c, &count, NULL));
        ck_assert_int_ge(count, 1);
        ck_assert_int_eq(c.same, 1);
    }
}

/* The same rows from M and J: a random M of two parts, J scaled so that W stays J M^-1 J'. */
TEST(property, bodies_give_the_matrix_of_their_masses_and_rows) {
    for (int k = 0; k < 60; k++) {
        random_problem p;
        draw_problem(k, 1 + k % 7, 0.5, &p);
        const int n = p.coordinate_count;
        double mass[MOST_COORDINATES];
        double inverse[MOST_COORDINATES] = {0.0};
        int start[MOST_ROWS + 1] = {0};
        int column[MOST_ROWS * MOST_COORDINATES];
        double value[MOST_ROWS * MOST_COORDINATES];
        double e[MOST_ROWS];
        int used = 0;
        for (int j = 0; j < n; j++) {
            mass[j] = 1.5 + drawn(k, 1001, j);
            inverse[j] = 1.0 / mass[j];
        }
        for (int i = 0; i < p.row_count; i++) {
            for (int j = i % 2; j < n; j += 2) {
                column[used] = j;
                value[used++] = p.J[i * n + j];
            }
            start[i + 1] = used;
            e[i] = 0.5 * (1.0 + drawn(k, 1000, i));
        }
        const carom_contact_bodies bodies = {.layout = carom_layout_banded(n, 0),
                                             .mass = mass,
                                             .joint_count = p.joint_count,
                                             .contact_count = p.contact_count,
                                             .tangent_count = p.tangent_count,
                                             .row_start = start,
                                             .row_column = column,
                                             .row_value = value,
                                             .free_velocity = p.v,
                                             .previous_velocity = p.v,
                                             .restitution = e,
                                             .friction = p.friction};
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        assert_ok(carom_contact_problem_of_bodies(&bodies, &problem, NULL));
        // u = W r + q for a drawn r, against J (v + M^-1 J' r) and the restitution.
        double r[MOST_ROWS];
        double u[MOST_ROWS];
        double v[MOST_COORDINATES];
        memcpy(v, p.v, sizeof v);
        for (int i = 0; i < p.row_count; i++) {
            r[i] = drawn(k, 999, i);
            for (int c = start[i]; c < start[i + 1]; c++) {
                v[column[c]] += inverse[column[c]] * value[c] * r[i];
            }
        }
        carom_contact_problem_velocity(problem, r, u);
        for (int i = 0; i < p.row_count; i++) {
            const int contact = (i - p.joint_count) / (1 + p.tangent_count);
            const bool is_normal =
                i >= p.joint_count && (i - p.joint_count) % (1 + p.tangent_count) == 0;
            double expected = 0.0;
            for (int c = start[i]; c < start[i + 1]; c++) {
                expected +=
                    value[c] * (v[column[c]] + (is_normal ? e[contact] * p.v[column[c]] : 0.0));
            }
            assert_close(u[i], expected, 0.0, 1e-13 * (1.0 + fabs(expected)));
        }
    }
}

/* A column of free balls: what rests on the ground carries what is above it. */
TEST(property, a_column_of_balls_carries_its_weight) {
    enum { BALLS = 200 };
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    double mass[BALLS];
    double fall[BALLS];
    int start[BALLS + 1] = {0};
    int column[2 * BALLS];
    double value[2 * BALLS];
    int used = 0;
    for (int i = 0; i < BALLS; i++) {
        mass[i] = 2.385;
        fall[i] = -9.81e-3;
        if (i > 0) {
            column[used] = i - 1;
            value[used++] = -1.0;
        }
        column[used] = i;
        value[used++] = 1.0;
        start[i + 1] = used;
    }
    const carom_contact_bodies bodies = {.layout = carom_layout_banded(BALLS, 0),
                                         .mass = mass,
                                         .contact_count = BALLS,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = value,
                                         .free_velocity = fall};
    double r[BALLS] = {0.0};
    carom_contact_report result;
    assert_ok(carom_contact_problem_of_bodies(&bodies, &problem, NULL));
    // Three blocks a row, of two at the ends: storage is linear.
    ck_assert_int_eq(problem->start[BALLS], 3 * BALLS - 2);
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, &result, NULL));
    for (int i = 0; i < BALLS; i++) {
        assert_close(r[i], (BALLS - i) * 2.385 * 9.81e-3, 1e-9, 0.0);
    }
    // From its own solution nothing is left to do.
    assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, &result, NULL));
    ck_assert_int_eq(result.sweeps + result.newton_iterations, 0);
}

/* Painleve: W_nn < mu |W_nt|. With q_n > 0 open and q_n < 0 nothing, or three and one solutions. */
TEST(unit, painleve_has_none_one_or_more_solutions) {
    const double W[4] = {1.0, 1.4, 1.4, 2.5};
    const double mu = 1.0;
    const double expected_normal[2] = {0.35, -0.35};
    const int expected_count[2] = {3, 1};
    for (int k = 0; k < 2; k++) {
        const double q[2] = {expected_normal[k], 2.0};
        const carom_contact_rows blocks = {.contact_count = 1,
                                           .tangent_count = 1,
                                           .entries = W,
                                           .free_velocity = q,
                                           .friction = &mu};
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        random_problem p = {.contact_count = 1, .tangent_count = 1, .row_count = 2};
        int count = 0;
        memcpy(p.W, W, sizeof W);
        memcpy(p.q, q, sizeof q);
        p.friction[0] = mu;
        double zero[2] = {0.0};
        comparison c = {.problem = &p, .r = zero};
        assert_ok(carom_contact_problem_alloc(&blocks, &problem, NULL));
        assert_ok(carom_contact_solve_all(problem, compare, &c, &count, NULL));
        ck_assert_int_eq(count, expected_count[k]);
        ck_assert_int_eq(c.same, k == 0 ? 1 : 0);
    }
}

TEST(errors, a_contact_that_no_impulse_opens_is_named) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    // Closing at 0.7 between supports: the impulse of the other contact only closes it further.
    const double W[4] = {1.3, -0.4, 0.0, 0.0};
    const double q[2] = {-0.2, -0.7};
    const carom_contact_rows blocks = {.contact_count = 2, .entries = W, .free_velocity = q};
    double r[2] = {0.0};
    carom_report report = carom_report_empty();
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_problem_alloc(&blocks, &problem, NULL));
    assert_status(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, &report), RAY);
    ck_assert_str_eq(report.sentence, "the contact problem has no solution: no impulse opens "
                                      "contact 1, which closes at 0.7 m/s");
}

static void assert_refused(const carom_contact_rows *blocks, carom_status status,
                           const char *quantity) {
    carom_contact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_contact_problem_alloc(blocks, &problem, &report), status);
    ck_assert(problem == NULL);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, what_is_no_problem_is_refused) {
    const double W[4] = {1.0, 0.0, 0.0, 1.0};
    const double q[2] = {-1.0, 0.3};
    const double bad_q[2] = {-1.0, (double)NAN};
    const double bad_W[4] = {1.0, 0.0, HUGE_VAL, 1.0};
    const double negative[2] = {0.2, -0.1};
    const double endless[2] = {0.2, HUGE_VAL};
    const int start[3] = {0, 1, 2};
    const int column[2] = {0, 2};
    carom_contact_rows b = {.contact_count = 1,
                            .tangent_count = 1,
                            .entries = W,
                            .free_velocity = q,
                            .friction = negative + 1};
    assert_refused(&b, CAROM_STATUS_OUT_OF_RANGE, "friction");
    b.friction = endless + 1;
    assert_refused(&b, CAROM_STATUS_NOT_FINITE, "friction");
    b.friction = NULL;
    b.free_velocity = bad_q;
    assert_refused(&b, CAROM_STATUS_NOT_FINITE, "free_velocity");
    b.free_velocity = q;
    b.entries = bad_W;
    assert_refused(&b, CAROM_STATUS_NOT_FINITE, "delassus");
    b.entries = W;
    b.tangent_count = 3;
    assert_refused(&b, CAROM_STATUS_OUT_OF_RANGE, "tangent_count");
    b.tangent_count = 0;
    b.contact_count = -1;
    assert_refused(&b, CAROM_STATUS_OUT_OF_RANGE, "contact_count");
    b.contact_count = 2;
    b.friction = endless;
    assert_refused(&b, CAROM_STATUS_OUT_OF_RANGE, "friction");
    b.friction = NULL;
    b.start = start;
    b.column = column;
    assert_refused(&b, CAROM_STATUS_OUT_OF_RANGE, "column");
}

/* One joint holds what the contact touches: after its elimination nothing is left but rounding. */
TEST(property, pivoting_leaves_to_a_joint_what_it_holds) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    carom_contact_params params = carom_contact_params_default();
    params.method = CAROM_CONTACT_PIVOTING;
    params.tolerance = 1e-11;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < 300; k++) {
        // J = (a, b, c) v of a joint and two contacts on one coordinate.
        const double J[3] = {drawn(k, 1, 0), drawn(k, 1, 1), drawn(k, 1, 2)};
        double W[9];
        double q[3];
        double r[3] = {0.0};
        for (int i = 0; i < 3; i++) {
            q[i] = J[i] * drawn(k, 1, 3);
            for (int j = 0; j < 3; j++) {
                W[3 * i + j] = J[i] * J[j];
            }
        }
        const carom_contact_rows rows = {
            .joint_count = 1, .contact_count = 2, .entries = W, .free_velocity = q};
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
        assert_ok(carom_contact_solve(solver, problem, &params, r, NULL, NULL, NULL));
        assert_close(r[0], -q[0] / W[0], 1e-12, 0.0);
    }
}

/* Squares of these numbers underflow; zero impulses do not hold a contact that closes. */
TEST(unit, the_certificate_sees_the_smallest_numbers) {
    const double W[4] = {1e300, 0.0, 0.0, 3e300};
    const double q[2] = {-0.01, 0.004};
    const double mu = 0.3;
    const double r[2] = {0.0, 0.0};
    double u[2];
    const carom_contact_rows rows = {
        .contact_count = 1, .tangent_count = 1, .entries = W, .free_velocity = q, .friction = &mu};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    carom_contact_certificate certificate;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    carom_contact_certify(problem, r, u, &certificate);
    ck_assert(certificate.residual > 0.1);
}

/* Impulses whose terms overflow solve nothing, and are a start like others. */
TEST(unit, impulses_beyond_numbers_are_no_solution) {
    const double W[4] = {1.0, 0.0, 0.0, 1.0};
    const double q[2] = {-1.7, 0.1};
    const double mu = 0.5;
    double r[2] = {1.1e308, 0.9e308};
    double u[2];
    const carom_contact_rows rows = {
        .contact_count = 1, .tangent_count = 1, .entries = W, .free_velocity = q, .friction = &mu};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    carom_contact_certificate certificate;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    carom_contact_certify(problem, r, u, &certificate);
    ck_assert_double_nan(certificate.residual);
    assert_ok(carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL));
    assert_close(r[0], 1.7, 1e-12, 0.0);
    assert_close(r[1], -0.1, 1e-12, 0.0);
}

/* The second contact has a tangential impulse of rounding size in one basis, none in another. */
TEST(unit, one_solution_in_two_bases_is_told_once) {
    const double W[16] = {2.0, 0.0, 2.0, 1.0, 0.0, 4.0, 2.0, 0.0,
                          2.0, 2.0, 5.0, 3.0, 1.0, 0.0, 3.0, 3.0};
    const double q[4] = {0.0, -5.0, 0.0, 1.0};
    const double mu[2] = {2.6388, 0.13579};
    const carom_contact_rows rows = {
        .contact_count = 2, .tangent_count = 1, .entries = W, .free_velocity = q, .friction = mu};
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    random_problem p = {.contact_count = 2, .tangent_count = 1, .row_count = 4};
    const double none[4] = {(double)NAN, 0.0, 0.0, 0.0};
    comparison c = {.problem = &p, .r = none};
    int count = 0;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    assert_ok(carom_contact_solve_all(problem, compare, &c, &count, NULL));
    ck_assert_int_eq(count, 1);
}

/* The third impulse moves none of the others, which move it. */
TEST(unit, a_block_is_stored_with_its_mirror) {
    const double W[9] = {2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.5, 0.0, 2.0};
    const double q[3] = {-1.0, -1.0, -1.0};
    const int column[5] = {0, 2, 1, 0, 2};
    const carom_contact_rows rows = {.contact_count = 3, .entries = W, .free_velocity = q};
    carom_contact_params how = carom_contact_params_default();
    double r[3] = {0.0};
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    ck_assert_int_eq(problem->start[3], 5);
    ck_assert(memcmp(problem->column, column, sizeof column) == 0);
    how.method = CAROM_CONTACT_NEWTON;
    assert_ok(carom_contact_solve(solver, problem, &how, r, NULL, NULL, NULL));
    assert_close(r[0], 0.5, 1e-12, 0.0);
    assert_close(r[1], 0.5, 1e-12, 0.0);
    assert_close(r[2], 0.375, 1e-12, 0.0);
}

TEST(errors, problems_beyond_an_int_are_refused) {
    const int start[1] = {0};
    carom_contact_rows rows = {.contact_count = 1431655766, .tangent_count = 2, .start = start};
    assert_refused(&rows, CAROM_STATUS_OUT_OF_RANGE, "rows");
    rows.start = NULL;
    rows.contact_count = 40000;
    rows.tangent_count = 0;
    assert_refused(&rows, CAROM_STATUS_OUT_OF_RANGE, "rows");
}
