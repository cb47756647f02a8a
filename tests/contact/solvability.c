/* carom/contact/contact.h: data that have no solution, have one only by large impulses, or of which
 * neither is known. */
#include "random_problem.h"

#include <string.h>

static void assert_no_solution(const carom_contact_rows *rows, const char *sentence) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    double r[MOST_ROWS] = {0.0};
    carom_report report = carom_report_empty();
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_problem_alloc(rows, &problem, NULL));
    assert_status(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, &report), RAY);
    ck_assert_str_eq(report.sentence, sentence);
}

TEST(errors, data_without_solution_are_said_to_have_none) {
    // A joint at rest by itself that is to move, and one with a contact that it does not touch.
    const double joint[4] = {0.0, 0.0, 0.0, 1.3};
    const double moving[2] = {-0.7, -0.2};
    assert_no_solution(
        &(carom_contact_rows){
            .joint_count = 1, .contact_count = 1, .entries = joint, .free_velocity = moving},
        "the contact problem has no solution: no impulse stops joint 0, which moves "
        "at 0.7 m/s");
    // One body between two walls that both come nearer; with friction too.
    const double jammed[4] = {1.3, -1.3, -1.3, 1.3};
    const double closing[2] = {-0.7, -0.2};
    const char *none = "the contact problem has no solution within 1e9 times the impulses that "
                       "stop its contacts one by one";
    assert_no_solution(
        &(carom_contact_rows){.contact_count = 2, .entries = jammed, .free_velocity = closing},
        none);
    const double rough[16] = {1.3,  0.0, -1.3, 0.0, 0.0, 0.9, 0.0, 0.9,
                              -1.3, 0.0, 1.3,  0.0, 0.0, 0.9, 0.0, 0.9};
    const double closing_rough[4] = {-0.7, 0.0, -0.2, 0.0};
    const double friction[2] = {0.3, 0.4};
    assert_no_solution(&(carom_contact_rows){.contact_count = 2,
                                             .tangent_count = 1,
                                             .entries = rough,
                                             .free_velocity = closing_rough,
                                             .friction = friction},
                       none);
}

/* One body between two walls that come nearer, by one part in so many: in the plane and in space no
 * impulse is enough, and what friction does along the walls does not matter. */
TEST(errors, walls_that_come_nearer_by_little_leave_no_solution) {
    static const double part[] = {0.4, 2.7e-5, 3e-8};
    const double friction[2] = {0.3, 0.4};
    for (int k = 0; k < 9; k++) {
        const int rows = 1 + k % 3;
        const int n = 2 * rows;
        double W[36] = {0.0};
        double q[6] = {0.0};
        for (int i = 0; i < n; i++) {
            q[i] = i % rows == 0 ? 0.0 : 0.1 * i;
            for (int j = i % rows; j < n; j += rows) {
                W[n * i + j] = i % rows == 0 && i != j ? -1.3 : 1.3;
            }
        }
        q[0] = -0.7;
        q[rows] = 0.7 * (1.0 - part[k / 3]);
        assert_no_solution(
            &(carom_contact_rows){.contact_count = 2,
                                  .tangent_count = rows - 1,
                                  .entries = W,
                                  .free_velocity = q,
                                  .friction = rows == 1 ? NULL : friction},
            "the contact problem has no solution within 1e9 times the impulses that stop its "
            "contacts one by one");
    }
}

/* Balls of 1 kg carry one of 1e4 to 1e8 kg at rest, all stopped by the ground: the impulses are as
 * many times those that stop a ball. */
TEST(property, heavy_balls_on_light_ones_are_carried) {
    enum { BALLS = 6 };
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int decade = 4; decade <= 8; decade += 2) {
        const double heavy = pow(10.0, decade);
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        double W[BALLS * BALLS] = {0.0};
        double q[BALLS] = {-0.7};
        double r[BALLS] = {0.0};
        for (int i = 0; i < BALLS; i++) {
            W[i * BALLS + i] = 1.0 / (i == BALLS - 1 ? heavy : 1.0) + (i > 0 ? 1.0 : 0.0);
            if (i > 0) {
                W[i * BALLS + i - 1] = W[(i - 1) * BALLS + i] = -1.0;
            }
        }
        const carom_contact_rows rows = {.contact_count = BALLS, .entries = W, .free_velocity = q};
        assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
        for (int i = 0; i < BALLS; i++) {
            // The velocities of all rows sum up to r / heavy - 0.7: what is left of them moves r by
            // heavy times as much. Residual 1e-12 leaves |u| <= 1e-12 (w r + sum |W| r), which is
            // 3 r in the first row and the last and 6 r between: 6 (BALLS - 1) r.
            const double expected = 0.7 * (heavy + (BALLS - 1 - i));
            assert_close(r[i], expected, 0.0, 1e-12 * 6.0 * (BALLS - 1) * heavy * expected);
        }
    }
}

/* In space with W that is not symmetric no proof is known: the block is named. */
TEST(errors, what_is_not_found_is_not_called_solved) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    double W[36] = {0.0};
    const double q[6] = {-0.7, 0.0, 0.0, -0.2, 0.0, 0.0};
    const double friction[2] = {0.3, 0.4};
    double r[6] = {0.0};
    carom_contact_report result;
    carom_report report = carom_report_empty();
    for (int i = 0; i < 6; i++) {
        for (int j = i % 3; j < 6; j += 3) {
            W[6 * i + j] = i % 3 == 0 && i != j ? -1.3 - 0.01 * i : 1.3;
        }
    }
    const carom_contact_rows rows = {.contact_count = 2,
                                     .tangent_count = 2,
                                     .entries = W,
                                     .free_velocity = q,
                                     .friction = friction};
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    assert_status(carom_contact_solve(solver, problem, NULL, r, NULL, &result, &report),
                  NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "contact");
    ck_assert_int_eq(report.index, result.certificate.worst);
    ck_assert(report.residual > 1e-12 && report.iterations > 0);
    // Two joints that contradict each other are named as such.
    const double joints[4] = {1.0, 1.0, 1.0, 1.0};
    const double apart[2] = {0.7, -0.2};
    const carom_contact_rows contradiction = {
        .joint_count = 2, .entries = joints, .free_velocity = apart};
    carom_contact_problem_free(problem);
    assert_ok(carom_contact_problem_alloc(&contradiction, &problem, NULL));
    r[0] = r[1] = 0.0;
    assert_status(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, &report),
                  NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "joint");
    ck_assert(report.index == 0 || report.index == 1);
}

/* A symmetric W that no mass matrix has: the normals alone have no solution, friction opens the
 * first contact. q is that of impulses by which the second sticks. */
TEST(errors, an_indefinite_matrix_with_a_solution_is_not_said_to_have_none) {
    static const double plane[4][4] = {{1.1, 0.58, -1.43, 0.04},
                                       {0.58, 1.25, 0.64, -1.4},
                                       {-1.43, 0.64, 1.46, -0.02},
                                       {0.04, -1.4, -0.02, 1.36}};
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    const double friction[2] = {1e5, 1e5};
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int t = 1; t <= 2; t++) {
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_contact_certificate certificate;
        const int m = 1 + t;
        const int rows = 2 * m;
        double W[36] = {0.0};
        double q[6] = {0.0};
        double r[6] = {0.0};
        double u[6] = {[0] = 0.47, [1] = -0.22};
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                W[(i / 2 * m + i % 2) * rows + j / 2 * m + j % 2] = plane[i][j];
            }
        }
        for (int i = 2; t == 2 && i < 6; i += 3) {
            W[i * rows + i] = 1.2;
            W[i * rows + 7 - i] = 0.1;
        }
        r[m] = 0.2;
        r[m + 1] = 2e4;
        u[m + 1] = -0.08;
        for (int i = 0; i < rows; i++) {
            q[i] = u[i];
            for (int j = 0; j < rows; j++) {
                q[i] -= W[i * rows + j] * r[j];
            }
        }
        const carom_contact_rows data = {.contact_count = 2,
                                         .tangent_count = t,
                                         .entries = W,
                                         .free_velocity = q,
                                         .friction = friction};
        assert_ok(carom_contact_problem_alloc(&data, &problem, NULL));
        carom_contact_certify(problem, r, u, &certificate);
        ck_assert(certificate.residual <= 1e-15);
        memset(r, 0, sizeof r);
        const carom_status status = carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_NOT_CONVERGED);
    }
}
