/* carom/contact/contact.h: what does not depend on how a problem is put or solved. Many problems,
 * up to 64 contacts and friction 10; units, tangents, order, duplicates; energy; allocations that
 * fail. */
#include "random_problem.h"

#include "../failing_malloc.h"

#include <string.h>

/* Contacts of the k-th problem, as many below as above 8. */
static int contacts_of(int k) {
    return (int)exp2(6.0 * 0.5 * (1.0 + drawn(k, 998, 0)));
}

/* Of the problems that every scheme meets none may stay unsolved.
 */
TEST(property, problems_of_up_to_64_contacts_and_friction_10_are_solved) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < 200; k++) {
        static random_problem p;
        double r[MOST_ROWS] = {0.0};
        draw_problem(k, contacts_of(k), 10.0 * k / 200.0, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
        assert_laws_hold(&p, r, 1e-9);
    }
}

/* Rough contacts stick, and the rounding of a speed times the friction is no error. */
TEST(property, friction_without_bound_is_solved) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < 120; k++) {
        static random_problem p;
        double r[MOST_ROWS] = {0.0};
        draw_problem(k, 1 + k % 9, k % 2 == 0 ? 1e5 : 1e4, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
        assert_laws_hold(&p, r, 1e-9);
    }
}

static bool go_on(const double *r, const double *u, void *context) {
    (void)r;
    (void)u;
    (void)context;
    return true;
}

/* Velocities and certificate belong to the impulses that are returned, whichever method was the
 * last and wherever it was left. */
TEST(property, what_is_returned_belongs_together) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    int solved = 0;
    for (int k = 0; k < 400; k++) {
        static random_problem p;
        draw_problem(k, 1 + k % 9, 0.1 * (k % 11), &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        const carom_contact_params params = {.method = (carom_contact_method)(k % 4),
                                             .tolerance = k % 3 == 0 ? 1e-6 : 1e-17,
                                             .most_sweeps = k % 13,
                                             .most_newton_iterations = k % 17};
        double r[MOST_ROWS];
        double u[MOST_ROWS];
        double velocity[MOST_ROWS];
        carom_contact_report result;
        carom_contact_certificate certificate;
        for (int i = 0; i < p.row_count; i++) {
            r[i] = k % 2 * drawn(k, 1004, i);
        }
        const carom_status status =
            carom_contact_solve(solver, problem, &params, r, u, &result, NULL);
        solved += status == CAROM_OK ? 1 : 0;
        carom_contact_certify(problem, r, velocity, &certificate);
        ck_assert_mem_eq(u, velocity, (size_t)p.row_count * sizeof *u);
        ck_assert_mem_eq(&certificate, &result.certificate, sizeof certificate.residual);
        carom_contact_problem_velocity(problem, r, velocity);
        ck_assert_mem_eq(u, velocity, (size_t)p.row_count * sizeof *u);
    }
    ck_assert_int_gt(solved, 50);
    ck_assert_int_lt(solved, 350);
}

/* The laws have no velocity of their own: where squares would leave the range of numbers the answer
 * is the scaled one, bit by bit, and costs as much. */
TEST(property, velocities_of_1e200_and_1e_minus_200_are_scaled) {
    static const int EXPONENTS[] = {-664, 664, -70, 70};
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < 120; k++) {
        static random_problem p;
        draw_problem(k, 1 + k % 9, 0.5, &p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        carom_contact_params params = carom_contact_params_default();
        params.method = (carom_contact_method)(k % 4);
        double r[MOST_ROWS];
        double u[MOST_ROWS];
        carom_contact_report cost;
        for (int i = 0; i < p.row_count; i++) {
            r[i] = drawn(k, 1004, i);
        }
        const carom_status status =
            carom_contact_solve(solver, problem, &params, r, u, &cost, NULL);
        for (size_t e = 0; e < sizeof EXPONENTS / sizeof *EXPONENTS; e++) {
            double scaled_r[MOST_ROWS];
            double scaled_u[MOST_ROWS];
            carom_contact_report scaled;
            for (int i = 0; i < p.row_count; i++) {
                problem->free_velocity[i] = ldexp(p.q[i], EXPONENTS[e]);
                scaled_r[i] = ldexp(drawn(k, 1004, i), EXPONENTS[e]);
            }
            ck_assert_int_eq(status, carom_contact_solve(solver, problem, &params, scaled_r,
                                                         scaled_u, &scaled, NULL));
            ck_assert_int_eq(cost.sweeps, scaled.sweeps);
            ck_assert_int_eq(cost.newton_iterations, scaled.newton_iterations);
            for (int i = 0; i < p.row_count; i++) {
                scaled_r[i] = ldexp(scaled_r[i], -EXPONENTS[e]);
                scaled_u[i] = ldexp(scaled_u[i], -EXPONENTS[e]);
            }
            ck_assert_mem_eq(r, scaled_r, (size_t)p.row_count * sizeof *r);
            ck_assert_mem_eq(u, scaled_u, (size_t)p.row_count * sizeof *u);
        }
    }
}

/* What is far too large to start from is no start, and no failure. */
TEST(property, large_impulses_before_velocities_of_1e_minus_200_are_forgotten) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    static random_problem p;
    draw_problem(4, 5, 0.5, &p);
    for (int i = 0; i < p.row_count; i++) {
        p.q[i] = ldexp(p.q[i], -664);
    }
    CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
    double r[MOST_ROWS] = {0.0};
    double warm[MOST_ROWS];
    for (int i = 0; i < p.row_count; i++) {
        warm[i] = 1e200;
    }
    assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
    assert_ok(carom_contact_solve(solver, problem, NULL, warm, NULL, NULL, NULL));
    ck_assert_mem_eq(r, warm, (size_t)p.row_count * sizeof *r);
}

/* With as many coordinates as rows and little friction there is one solution. */
static void draw_unique(int k, random_problem *p) {
    draw_problem(2 * k + 1, 1 + k % 9, 0.1, p);
}

/* The answer of a method from no impulses. */
static void solve_by(carom_contact_method method, const random_problem *p, double *r, double *u) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = problem_of(p);
    carom_contact_params params = carom_contact_params_default();
    params.method = method;
    memset(r, 0, (size_t)p->row_count * sizeof *r);
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, &params, r, u, NULL, NULL));
}

static void assert_same(int count, const double *x, const double *y) {
    double size = 1.0; // as q and W
    for (int i = 0; i < count; i++) {
        size = fmax(size, fabs(x[i]));
    }
    for (int i = 0; i < count; i++) {
        // Conditions of the matrices are below 1e4, residuals below 1e-12.
        assert_close(x[i], y[i], 0.0, 1e-8 * size);
    }
}

TEST(property, methods_agree_where_there_is_one_solution) {
    for (int k = 0; k < 60; k++) {
        static random_problem p;
        double r[MOST_ROWS];
        double other[MOST_ROWS];
        draw_unique(k, &p);
        solve_by(CAROM_CONTACT_GAUSS_SEIDEL, &p, r, NULL);
        solve_by(CAROM_CONTACT_NEWTON, &p, other, NULL);
        assert_same(p.row_count, r, other);
        if (p.tangent_count < 2) {
            solve_by(CAROM_CONTACT_PIVOTING, &p, other, NULL);
            assert_same(p.row_count, r, other);
        }
    }
}

/* Units of mass and of length, powers of two: W and q change, no digit does. */
TEST(property, units_change_no_digit) {
    for (int k = 0; k < 60; k++) {
        for (int method = CAROM_CONTACT_AUTOMATIC; method <= CAROM_CONTACT_NEWTON; method++) {
            static random_problem p;
            double r[MOST_ROWS];
            double other[MOST_ROWS];
            draw_unique(k, &p);
            solve_by((carom_contact_method)method, &p, r, NULL);
            for (int i = 0; i < p.row_count; i++) {
                p.q[i] *= 0.125;
                for (int j = 0; j < p.row_count; j++) {
                    p.W[i * p.row_count + j] *= 32.0;
                }
            }
            solve_by((carom_contact_method)method, &p, other, NULL);
            for (int i = 0; i < p.row_count; i++) {
                ck_assert(!(fabs(other[i] * 256.0 - r[i]) > 0.0));
            }
        }
    }
}

/* Row i of the new problem is row from[i] of the old one, its tangents in space turned by turn[i].
 */
static void map_rows(const random_problem *p, const int *from, const double *turn,
                     random_problem *to) {
    const int n = p->coordinate_count;
    for (int i = 0; i < to->row_count; i++) {
        const int row = from[i];
        const int contact_row = row - p->joint_count;
        const int axis = contact_row < 0 ? 0 : contact_row % (1 + p->tangent_count);
        const double angle = turn == NULL || axis == 0 ? 0.0 : turn[i];
        for (int c = 0; c < n; c++) {
            const double beside = axis == 0   ? 0.0
                                  : axis == 1 ? p->J[(row + 1) * n + c]
                                              : -p->J[(row - 1) * n + c];
            to->J[i * n + c] =
                cos(angle) * p->J[row * n + c] + (turn == NULL ? 0.0 : sin(angle) * beside);
        }
    }
    fill_delassus(to);
}

TEST(property, turned_tangents_turn_the_impulses) {
    for (int k = 2; k < 180; k += 3) {
        static random_problem p;
        static random_problem turned;
        double r[MOST_ROWS];
        double other[MOST_ROWS];
        int from[MOST_ROWS] = {0};
        double turn[MOST_ROWS];
        draw_problem(k, 1 + k % 9, 0.1, &p);
        if (p.coordinate_count < p.row_count) {
            continue;
        }
        for (int i = 0; i < p.row_count; i++) {
            from[i] = i;
            turn[i] = 3.0 * drawn(k, 997, i < p.joint_count ? 0 : (i - p.joint_count) / 3);
        }
        turned = p;
        map_rows(&p, from, turn, &turned);
        solve_by(CAROM_CONTACT_AUTOMATIC, &p, r, NULL);
        solve_by(CAROM_CONTACT_AUTOMATIC, &turned, other, NULL);
        for (int i = p.joint_count; i < p.row_count; i += 3) {
            const double c = cos(turn[i]);
            const double s = sin(turn[i]);
            const double back[2] = {c * other[i + 1] - s * other[i + 2],
                                    s * other[i + 1] + c * other[i + 2]};
            memcpy(other + i + 1, back, sizeof back);
        }
        assert_same(p.row_count, r, other);
    }
}

TEST(property, order_and_duplicates_of_contacts_do_not_matter) {
    for (int k = 0; k < 60; k++) {
        static random_problem p;
        static random_problem other;
        double r[MOST_ROWS];
        double u[MOST_ROWS];
        double other_r[MOST_ROWS];
        double other_u[MOST_ROWS];
        int from[MOST_ROWS] = {0};
        draw_unique(k, &p);
        // Backwards, then each a second time.
        other = p;
        other.contact_count *= 2;
        other.row_count += p.row_count - p.joint_count;
        const int rows = 1 + p.tangent_count;
        for (int i = 0; i < other.row_count; i++) {
            const int contact = (i - p.joint_count) / rows;
            const int old = contact < p.contact_count ? p.contact_count - 1 - contact
                                                      : contact - p.contact_count;
            from[i] =
                i < p.joint_count ? i : p.joint_count + old * rows + (i - p.joint_count) % rows;
            if (i >= p.joint_count) {
                other.friction[contact] = p.friction[old];
            }
        }
        map_rows(&p, from, NULL, &other);
        solve_by(CAROM_CONTACT_AUTOMATIC, &p, r, u);
        solve_by(CAROM_CONTACT_AUTOMATIC, &other, other_r, other_u);
        double expected_u[MOST_ROWS];
        double sum[MOST_ROWS] = {0.0};
        for (int i = 0; i < other.row_count; i++) {
            expected_u[i] = u[from[i]];
            sum[from[i]] += other_r[i];
        }
        assert_same(other.row_count, expected_u, other_u);
        assert_same(p.row_count, r, sum);
    }
}

/* Unit masses: v+ = v + J' r. What is lost without restitution, by the velocities themselves, is
 * r'(q + u)/2 = -r'W r/2 - sum mu r_n |u_t|. */
TEST(property, contacts_take_the_energy_that_impulses_and_friction_say) {
    for (int k = 0; k < 120; k++) {
        static random_problem p;
        double r[MOST_ROWS];
        double u[MOST_ROWS];
        double gained = 0.0;
        double square = 0.0;
        double before = 0.0;
        draw_problem(k, 1 + k % 9, 1.0, &p);
        solve_by(CAROM_CONTACT_AUTOMATIC, &p, r, u);
        for (int c = 0; c < p.coordinate_count; c++) {
            double jump = 0.0;
            for (int i = 0; i < p.row_count; i++) {
                jump += p.J[i * p.coordinate_count + c] * r[i];
            }
            gained += jump * (p.v[c] + 0.5 * jump);
            square += jump * jump;
            before += 0.5 * p.v[c] * p.v[c];
        }
        double rubbed = 0.0;
        for (int i = 0; i < p.contact_count && p.tangent_count > 0; i++) {
            const int row = p.joint_count + i * (1 + p.tangent_count);
            rubbed += p.friction[i] * r[row] *
                      (p.tangent_count == 1 ? fabs(u[row + 1]) : hypot(u[row + 1], u[row + 2]));
        }
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        assert_close(gained, carom_contact_energy(problem, r, u), 0.0, 1e-10 * before);
        assert_close(gained, -0.5 * square - rubbed, 0.0, 1e-10 * before);
        ck_assert(gained <= 0.0);
    }
}

/*
 * A rod of length 2 and mass 1 at the angle a, its lower end sliding on the ground: of its normal
 * acceleration w r_n + b, w = 1 + 3 cos^2 a - 3 mu sin a cos a and b = sin a omega^2 - g (Painleve
 * 1895, Genot and Brogliato 1999): one motion where w > 0, two or none where w < 0, by b.
 */
TEST(unit, painleves_rod_has_one_two_or_no_motions) {
    static const double mu = 2.2;
    static const double spin[2] = {0.7, 4.2};
    static const double angle[2] = {1.45, 0.8};
    static const int expected[2][2] = {{1, 1}, {0, 2}};
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            const double c = cos(angle[i]);
            const double s = sin(angle[i]);
            const double w = 1.0 + 3.0 * c * (c - mu * s);
            const double b = s * spin[j] * spin[j] - 9.81;
            const carom_contact_rows rows = {
                .contact_count = 1, .entries = &w, .free_velocity = &b};
            CAROM_AUTO(carom_contact_problem) problem = NULL;
            int count = 0;
            double r[1] = {0.0};
            carom_report report = carom_report_empty();
            assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
            assert_ok(carom_contact_solve_all(problem, go_on, NULL, &count, NULL));
            ck_assert_int_eq(count, expected[i][j]);
            const carom_status status =
                carom_contact_solve(solver, problem, NULL, r, NULL, NULL, &report);
            ck_assert_int_eq(status, count > 0 ? CAROM_OK : CAROM_STATUS_RAY);
            ck_assert_int_eq(strlen(report.sentence) > 0, count == 0);
        }
    }
}

/* One coordinate, moved by 27 contacts with friction 9 and less: tangential matrices that are
 * rounding. */
TEST(property, contacts_that_move_one_coordinate_are_solved_by_sweeps) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    assert_ok(carom_contact_solver_alloc(&solver));
    for (int k = 0; k < 400; k++) {
        static random_problem p;
        double r[MOST_ROWS] = {0.0};
        carom_contact_params params = carom_contact_params_default();
        draw_problem(3 * k + 2, 27, 9.0, &p);
        p.coordinate_count = 1;
        fill_delassus(&p);
        CAROM_AUTO(carom_contact_problem) problem = problem_of(&p);
        params.method = CAROM_CONTACT_GAUSS_SEIDEL;
        assert_ok(carom_contact_solve(solver, problem, &params, r, NULL, NULL, NULL));
        assert_ok(carom_contact_solve(solver, problem, NULL, r, NULL, NULL, NULL));
    }
}

/* Two joints that move each other more than themselves: a sweep makes their impulses 2.3^2 times as
 * large until numbers end, and what it leaves is finite. */
TEST(errors, sweeps_that_run_away_leave_finite_impulses) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    const double W[] = {1.0, 2.3, 2.3, 1.0};
    const double q[] = {0.7, -1.9};
    const carom_contact_rows rows = {.joint_count = 2, .entries = W, .free_velocity = q};
    double r[2] = {0.0, 0.0};
    carom_contact_params params = carom_contact_params_default();
    params.method = CAROM_CONTACT_GAUSS_SEIDEL;
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    ck_assert_int_eq(carom_contact_solve(solver, problem, &params, r, NULL, NULL, NULL),
                     CAROM_STATUS_NOT_CONVERGED);
    ck_assert(isfinite(r[0]) && isfinite(r[1]));
}

/* Everything that allocates, on one problem: all or OUT_OF_MEMORY. */
static carom_status use_everything(const random_problem *p) {
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_problem) again = NULL;
    double r[MOST_ROWS] = {0.0};
    int start[MOST_ROWS + 1] = {0};
    int column[64] = {0};
    double mass[MOST_COORDINATES];
    int count = 0;
    for (int i = 0; i <= p->row_count; i++) {
        start[i] = i * p->coordinate_count;
    }
    for (int c = 0; c < start[p->row_count]; c++) {
        column[c] = c % p->coordinate_count;
        mass[c % p->coordinate_count] = 1.0;
    }
    const carom_contact_rows rows = {.joint_count = p->joint_count,
                                     .contact_count = p->contact_count,
                                     .tangent_count = p->tangent_count,
                                     .entries = p->W,
                                     .free_velocity = p->q,
                                     .friction = p->friction};
    const carom_contact_bodies bodies = {.layout = carom_layout_banded(p->coordinate_count, 0),
                                         .mass = mass,
                                         .joint_count = p->joint_count,
                                         .contact_count = p->contact_count,
                                         .tangent_count = p->tangent_count,
                                         .row_start = start,
                                         .row_column = column,
                                         .row_value = p->J,
                                         .free_velocity = p->v,
                                         .friction = p->friction};
    CAROM_TRY(carom_contact_problem_alloc(&rows, &problem, NULL));
    CAROM_TRY(carom_contact_problem_of_bodies(&bodies, &again, NULL));
    CAROM_TRY(carom_contact_solver_alloc(&solver));
    for (int method = CAROM_CONTACT_AUTOMATIC; method <= CAROM_CONTACT_PIVOTING; method++) {
        carom_contact_params params = carom_contact_params_default();
        params.method = (carom_contact_method)method;
        memset(r, 0, sizeof r);
        CAROM_TRY(carom_contact_solve(solver, problem, &params, r, NULL, NULL, NULL));
    }
    CAROM_TRY(carom_contact_solve_all(problem, go_on, NULL, &count, NULL));
    return count > 0 ? CAROM_OK : CAROM_STATUS_NOT_FOUND;
}

TEST(errors, allocations_that_fail_leave_nothing_behind) {
    static random_problem p;
    // One joint and one contact in the plane, whose solution is not zero.
    draw_problem(25, 1, 0.4, &p);
    ck_assert(p.tangent_count == 1 && p.joint_count > 0 && p.row_count * p.coordinate_count <= 64);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status == CAROM_STATUS_OUT_OF_MEMORY && failures < 1000; failures++) {
        successes_left = failures;
        status = use_everything(&p);
        successes_left = -1;
    }
    assert_ok(status);
    ck_assert_int_gt(failures, 20);
}
