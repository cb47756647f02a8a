/* carom/timestepping/engine/error_reduction.h: joints, friction and moving supports, by sweeps and
 * exactly, against closed forms of the discrete equations. */
#include "../galpha/friction_bodies.h"

#include <carom/timestepping/engine/error_reduction.h>

#include <math.h>

static const carom_error_reduction_solver SOLVERS[] = {CAROM_ERROR_REDUCTION_SWEEPS,
                                                       CAROM_ERROR_REDUCTION_EXACT};
static const double STEP = 1e-3;

static carom_error_reduction_stepper *set_out_by(double step, const carom_mechanism *mechanism,
                                                 int solver, bool is_speculative, const double *q,
                                                 const double *v) {
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.is_speculative = is_speculative;
    params.step = step;
    params.solver = SOLVERS[solver];
    carom_error_reduction_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_error_reduction_stepper_alloc(mechanism, &params, &stepper, &report));
    assert_ok(carom_error_reduction_stepper_start(stepper, 0.0, q, v, &report));
    return stepper;
}

static carom_error_reduction_stepper *set_out(const carom_mechanism *mechanism, int solver,
                                              bool is_speculative, const double *q,
                                              const double *v) {
    return set_out_by(STEP, mechanism, solver, is_speculative, q, v);
}

static const carom_error_reduction_result *go(carom_error_reduction_stepper *stepper) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_error_reduction_stepper_advance(stepper, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", carom_status_name(status), report.sentence);
    return carom_error_reduction_stepper_result(stepper);
}

/* What slides loses mu g of v, and of the sliding u 7/2 of that; then it rolls. The step in which
 * it stops takes what is left. */
LOOP_TEST(property, a_sphere_slides_and_comes_to_roll, 4) {
    const double mu = 0.27;
    const double R = 0.13;
    const double unit = _i < 2 ? 1.0 : 1e3;
    body b;
    sphere_init(&b, MASS * unit, R, mu);
    b.force[2] = -MASS * unit * GRAVITY;
    const double q[6] = {0.0};
    const double v[6] = {1.1, 0.7, 0.0, 4.1, -7.3, 2.0};
    const double u[2] = {v[0] - R * v[4], v[1] + R * v[3]};
    const double rolls = 2.0 * hypot(u[0], u[1]) / (7.0 * mu * GRAVITY);
    carom_error_reduction_stepper *stepper = set_out(&b.mechanism, _i % 2, false, q, v);
    for (int k = 1; k * STEP < rolls + 0.05; k++) {
        const carom_error_reduction_result *now = go(stepper);
        const double part = fmin(now->time / rolls, 1.0);
        for (int i = 0; i < 2; i++) {
            assert_close(now->velocity[i], v[i] - part * 2.0 / 7.0 * u[i], 0.0, 1e-11);
        }
        assert_close(now->impulse[0], MASS * unit * GRAVITY * STEP, 1e-11, 0.0);
        ck_assert_double_le(hypot(now->friction_impulse[0], now->friction_impulse[1]),
                            mu * now->impulse[0] * (1.0 + 1e-14));
        assert_close(now->residual, 0.0, 0.0, 1e-12);
    }
    carom_error_reduction_stepper_free(stepper);
}

/* Two points on a line, x_2 - x_1 = 0 joined: of what it is off a part 0.2 goes in each step, and
 * the force on the first is shared. */
LOOP_TEST(property, a_joint_loses_a_part_of_its_error_in_each_step, 2) {
    body b;
    body_init(&b, 2, 0, 1);
    b.mechanism.joint_count = 1;
    b.mass[0] = 2.0;
    b.mass[1] = 3.0;
    b.force[0] = 1.7;
    b.G[0] = -1.0;
    b.G[1] = 1.0;
    const double q[2] = {0.0, 1e-3};
    const double v[2] = {0.4, 0.4};
    carom_error_reduction_stepper *stepper = set_out(&b.mechanism, _i, false, q, v);
    double before = 0.0;
    for (int k = 1; k <= 20; k++) {
        const carom_error_reduction_result *now = go(stepper);
        assert_close(now->joint[0], 1e-3 * pow(0.8, k), 1e-12, 1e-16);
        assert_close(2.0 * now->velocity[0] + 3.0 * now->velocity[1], 2.0 + 1.7 * now->time, 1e-13,
                     0.0);
        const double change = 3.0 * (now->velocity[1] - (k == 1 ? 0.4 : before));
        assert_close(now->joint_impulse[0], change, 1e-11, 1e-15);
        before = now->velocity[1];
    }
    carom_error_reduction_stepper_free(stepper);
}

/* A point between walls without play, or on a joint that is there twice in two units, across at a
 * slant: what is applied is carried, and what the rounding of their errors differs by makes no
 * preload. */
LOOP_TEST(property, what_is_there_twice_carries_what_is_applied_and_no_preload, 4) {
    const bool is_joined = _i % 2 == 1;
    const double h = is_joined ? 1e-3 : 1e-5;
    for (int k = 0; k < 10; k++) {
        const double angle = 0.3 + 0.61 * k;
        const double G[2] = {cos(angle), sin(angle)};
        const double scale = is_joined ? 3.7 : -1.0;
        const double q[2] = {-4.19 * G[1], 4.19 * G[0]};
        const double v[2] = {-5.0 * G[1], 5.0 * G[0]};
        body b;
        body_init(&b, 2, is_joined ? 0 : 2, 1);
        b.mechanism.joint_count = is_joined ? 2 : 0;
        b.mass[0] = b.mass[1] = MASS;
        b.force[1] = -MASS * GRAVITY;
        memcpy(b.G, (const double[4]){G[0], G[1], scale * G[0], scale * G[1]}, 4 * sizeof *G);
        carom_error_reduction_stepper *stepper = set_out_by(h, &b.mechanism, _i / 2, false, q, v);
        for (int step = 0; step < 100; step++) {
            const carom_error_reduction_result *now = go(stepper);
            const double *carried = is_joined ? now->joint_impulse : now->impulse;
            assert_close(carried[0] + scale * carried[1], MASS * GRAVITY * h * G[1], 1e-7, 0.0);
            assert_close(fabs(carried[0]) + fabs(scale * carried[1]),
                         MASS * GRAVITY * h * fabs(G[1]), 1e-7, 0.0);
        }
        carom_error_reduction_stepper_free(stepper);
    }
}

/* Points of a body with three coordinates that fall on planes of any direction, with more rows than
 * it has coordinates once they rest. */
TEST(property, points_held_by_more_rows_than_coordinates_come_to_rest) {
    for (int k = 0; k < 12; k++) {
        body b;
        body_init(&b, 3, 2, 2);
        for (int i = 0; i < 6; i++) {
            b.G[i] = sin(1.0 + 2.7 * i + 0.9 * k);
        }
        for (int i = 0; i < 12; i++) {
            b.H[i] = sin(2.0 + 3.1 * i + 1.3 * k);
        }
        for (int i = 0; i < 3; i++) {
            b.mass[i] = 1.0 + 0.7 * i;
            b.force[i] = -3.0 * (b.G[i] + b.G[3 + i]);
        }
        b.friction[0] = b.friction[1] = 0.5;
        const double q[3] = {0.02, -0.01, 0.013};
        const double v[3] = {0.0};
        carom_error_reduction_stepper *stepper = set_out_by(1e-2, &b.mechanism, 1, false, q, v);
        for (int step = 0; step < 600; step++) {
            ck_assert_double_le(go(stepper)->residual, 1e-9);
        }
        carom_error_reduction_stepper_free(stepper);
    }
}

/* A belt takes a block along with mu g until it has its speed. */
static void belt_velocity(double t, double *w, void *context) {
    (void)t;
    (void)context;
    w[0] = 0.0;
    w[1] = -0.6;
}

LOOP_TEST(property, a_belt_takes_a_block_along, 2) {
    body b;
    point_init(&b, MASS, 0.4);
    b.force[1] = -MASS * GRAVITY;
    b.mechanism.constraint_velocity = belt_velocity;
    const double q[2] = {0.0};
    const double v[2] = {0.0};
    carom_error_reduction_stepper *stepper = set_out(&b.mechanism, _i, false, q, v);
    for (int k = 1; k <= 300; k++) {
        const carom_error_reduction_result *now = go(stepper);
        assert_close(now->velocity[0], fmin(0.6, 0.4 * GRAVITY * now->time), 1e-12, 1e-14);
    }
    carom_error_reduction_stepper_free(stepper);
}

/* A free body of equal moments keeps its spin w: steps turn it by exp(h w), 1000 of them by exp(t
 * w).
 */
TEST(property, a_spin_turns_a_unit_quaternion) {
    const int rotations[1] = {3};
    body b;
    body_init(&b, 6, 0, 1);
    b.mechanism.is_linear = false;
    b.mechanism.rotation_count = 1;
    b.mechanism.rotations = rotations;
    for (int i = 0; i < 6; i++) {
        b.mass[i] = i < 3 ? MASS : 0.04;
    }
    const double q[7] = {0.3, 0.2, 0.1, 1.0, 0.0, 0.0, 0.0};
    const double v[6] = {1.0, 2.0, 3.0, 0.6, -0.9, 1.4};
    carom_error_reduction_stepper *stepper = set_out(&b.mechanism, 0, false, q, v);
    const carom_error_reduction_result *now = NULL;
    for (int k = 0; k < 1000; k++) {
        now = go(stepper);
    }
    const double spin = sqrt(0.6 * 0.6 + 0.9 * 0.9 + 1.4 * 1.4);
    assert_close(now->position[1], 0.2 + 2.0, 1e-13, 0.0);
    assert_close(now->position[3], cos(0.5 * spin), 1e-13, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_close(now->position[4 + i], sin(0.5 * spin) * v[3 + i] / spin, 1e-13, 0.0);
    }
    carom_error_reduction_stepper_free(stepper);
}

/* A cube that slides on four corners, more than carry it; speculative, so that corners which
 * rounding lifts stay closed. */
TEST(property, a_cube_slides_alike_by_sweeps_and_exactly) {
    body b;
    cube_init(&b, MASS, 0.4, 0.3);
    b.force[2] = -MASS * GRAVITY;
    const double q[6] = {0.0};
    const double v[6] = {0.9, -0.4, 0.0, 0.0, 0.0, 0.0};
    const double speed = hypot(v[0], v[1]);
    for (int solver = 0; solver < 2; solver++) {
        carom_error_reduction_stepper *stepper = set_out(&b.mechanism, solver, true, q, v);
        for (int k = 1; k <= 200; k++) {
            const carom_error_reduction_result *now = go(stepper);
            const double left = 1.0 - 0.3 * GRAVITY * now->time / speed;
            const double tolerance = solver == 0 ? 2e-2 : 1e-9;
            assert_close(now->velocity[0], left * v[0], 0.0, tolerance);
            assert_close(now->velocity[1], left * v[1], 0.0, tolerance);
        }
        carom_error_reduction_stepper_free(stepper);
    }
}

/* A point that three joints hold in a plane, the first of which turns while the load becomes small:
 * what they carry, also against each other, is that of joints that have never carried more. */
TEST(property, joints_that_are_redundant_keep_nothing_of_a_load) {
    body b;
    body_init(&b, 2, 0, 1);
    b.mechanism.joint_count = 3;
    b.mass[0] = MASS;
    b.mass[1] = 2.0 * MASS;
    b.force[0] = 3.1;
    b.force[1] = -7.3;
    const double rows[6] = {0.6, 0.8, 1.0, 0.0, 0.0, 1.0};
    memcpy(b.G, rows, sizeof rows);
    const double q[2] = {0.0};
    const double v[2] = {0.0};
    carom_error_reduction_stepper *stepper = set_out(&b.mechanism, 1, false, q, v);
    const double *r = go(stepper)->joint_impulse;
    for (int i = 0; i < 2; i++) {
        assert_close(rows[i] * r[0] + r[1 + i], -STEP * b.force[i], 1e-11, 0.0);
    }
    b.force[0] = 0.0031;
    b.force[1] = 0.0073;
    b.G[0] = 0.8;
    b.G[1] = -0.6;
    (void)go(stepper); /* with what it found at its beginning */
    const double *late = go(stepper)->joint_impulse;
    carom_error_reduction_stepper *fresh = set_out(&b.mechanism, 1, false, q, v);
    const double *early = go(fresh)->joint_impulse;
    for (int j = 0; j < 3; j++) {
        assert_close(late[j], early[j], 0.0, 1e-9 * STEP * 0.0073);
    }
    carom_error_reduction_stepper_free(stepper);
    carom_error_reduction_stepper_free(fresh);
}

TEST(errors, a_joint_that_nothing_moves_is_refused) {
    body b;
    body_init(&b, 2, 0, 1);
    b.mechanism.joint_count = 1;
    b.mass[0] = b.mass[1] = 1.0;
    const double q[2] = {0.0};
    const double v[2] = {0.0};
    carom_error_reduction_stepper *stepper = set_out(&b.mechanism, 0, false, q, v);
    carom_report report = carom_report_empty();
    assert_status(carom_error_reduction_stepper_advance(stepper, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "response of a joint to its impulse");
    ck_assert_int_eq(report.index, 0);
    carom_error_reduction_stepper_free(stepper);
}

/* What a listener heard. */
typedef struct heard {
    carom_contact_solver *solver;
    int count;
    double time;
    double impulse[3]; /* of the first contact, by the solution of the problem told */
    carom_status answer;
} heard;

static carom_status hear(double time, const carom_contact_problem *problem, void *context,
                         carom_report *report) {
    heard *h = context;
    double r[12] = {0.0};
    ck_assert_int_le(problem->row_count, 12);
    CAROM_TRY(carom_contact_solve(h->solver, problem, NULL, r, NULL, NULL, report));
    h->time = time;
    h->count++;
    memcpy(h->impulse, r, sizeof h->impulse);
    return h->answer;
}

/* A sphere that falls, bounces and slides: its impulses are those of what is told, in the steps in
 * which it touches alone. */
LOOP_TEST(property, what_is_told_is_what_the_step_solves, 2) {
    body b;
    heard h = {.answer = CAROM_OK};
    sphere_init(&b, MASS, 0.1, 0.3);
    b.force[2] = -MASS * GRAVITY;
    b.restitution[0] = 0.5;
    const double q[6] = {0.0, 0.0, 0.01};
    const double v[6] = {1.3, -0.4, -0.2, 2.0, 1.0, -3.0};
    carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_error_reduction_stepper *stepper = NULL;
    params.step = STEP;
    params.solver = SOLVERS[_i];
    params.contacts = (carom_contact_listener){.tell = hear, .context = &h};
    assert_ok(carom_contact_solver_alloc(&h.solver));
    assert_ok(carom_error_reduction_stepper_alloc(&b.mechanism, &params, &stepper, NULL));
    assert_ok(carom_error_reduction_stepper_start(stepper, 2.0, q, v, NULL));
    int told = 0;
    for (int k = 1; k <= 200; k++) {
        const carom_error_reduction_result *now = go(stepper);
        told += now->contact_count;
        ck_assert_int_eq(h.count, told);
        if (now->contact_count > 0) {
            assert_close(h.time, 2.0 + k * STEP, 1e-15, 0.0);
            assert_close(now->impulse[0], h.impulse[0], 1e-12, 1e-12);
            for (int a = 0; a < 2; a++) {
                assert_close(now->friction_impulse[a], h.impulse[1 + a], 1e-11, 1e-12);
            }
        }
    }
    ck_assert(told > 5 && told < 200);
    // What the listener says ends the step, and leaves the state.
    h.answer = CAROM_STATUS_IO;
    carom_status status = CAROM_OK;
    double time = 0.0;
    for (int k = 0; k < 200 && status == CAROM_OK; k++) {
        time = carom_error_reduction_stepper_result(stepper)->time;
        status = carom_error_reduction_stepper_advance(stepper, NULL);
    }
    ck_assert_int_eq(status, CAROM_STATUS_IO);
    assert_close(carom_error_reduction_stepper_result(stepper)->time, time, 0.0, 0.0);
    carom_error_reduction_stepper_free(stepper);
    carom_contact_solver_free(h.solver);
}
