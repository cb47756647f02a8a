/* The contact problems that steps of fixed length tell: their solutions are the steps' own. */
#include "friction_bodies.h"

#include <carom/contact/contact.h>

enum { MOST_ROWS = 12 };

/* What a listener heard of the last step. */
typedef struct heard {
    carom_contact_solver *solver;
    int count; /* problems so far */
    int joint_count;
    int contact_count;
    int tangent_count;
    double time;
    double q[MOST_ROWS];
    double r[MOST_ROWS]; /* solution */
    double u[MOST_ROWS];
    carom_status solved;
    carom_status answer; /* to the stepper */
} heard;

static carom_status hear(double time, const carom_contact_problem *problem, void *context,
                         carom_report *report) {
    heard *h = context;
    h->count++;
    h->time = time;
    h->joint_count = problem->joint_count;
    h->contact_count = problem->contact_count;
    h->tangent_count = problem->tangent_count;
    ck_assert_int_le(problem->row_count, MOST_ROWS);
    memcpy(h->q, problem->free_velocity, (size_t)problem->row_count * sizeof *h->q);
    memset(h->r, 0, sizeof h->r);
    h->solved = carom_contact_solve(h->solver, problem, NULL, h->r, h->u, NULL, NULL);
    return h->answer == CAROM_OK ? CAROM_OK
                                 : carom_report_say(report, h->answer, "the listener is deaf");
}

static void heard_init(heard *h, carom_stepper_params *params) {
    *h = (heard){.answer = CAROM_OK};
    assert_ok(carom_contact_solver_alloc(&h->solver));
    params->contacts = (carom_contact_listener){.tell = hear, .context = h};
}

/* The velocities of the step are those of the problem, J v = u - e J_n v- : they are unique. */
static void assert_is_of_step(const heard *h, const carom_step *step, const carom_mechanism *m,
                              const double *rate_before, double tolerance) {
    const int b = m->joint_count;
    const int t = h->tangent_count;
    assert_ok(h->solved);
    assert_close(h->time, step->time, 0.0, 0.0);
    ck_assert_int_eq(h->joint_count, b);
    for (int j = 0; j < m->contact_count; j++) {
        const double *u = h->u + b + j * (1 + t);
        const double thrown = m->restitution[j] * rate_before[b + j];
        assert_close(u[0] - thrown, step->constraint_rate[b + j], 0.0, tolerance);
        for (int a = 0; a < t; a++) {
            assert_close(u[1 + a], step->sliding_velocity[j * t + a], 0.0, tolerance);
        }
    }
}

/* G v of the speeds before the step, by its own rows where these are predicted. */
static void find_rates_before(const carom_mechanism *m, carom_rows rows, const carom_step *step,
                              const double *v_before, double *rate_before) {
    double G[ARM_CONTACTS * ARM_COORDINATES];
    if (rows == CAROM_ROWS_SOLVED) {
        return;
    }
    carom_mechanism_constraint_jacobian(m, step->row_position, G);
    for (int j = 0; j < ARM_CONTACTS; j++) {
        rate_before[j] = 0.0;
        for (int i = 0; i < ARM_COORDINATES; i++) {
            rate_before[j] += G[j * ARM_COORDINATES + i] * v_before[i];
        }
    }
}

/* Three contacts at the end of a tree whose mass matrix turns, with friction and restitution. */
TEST(property, what_is_told_is_what_the_step_solves) {
    for (int k = 0; k < CAROM_ROWS_COUNT * SCHEME_COUNT; k++) {
        carom_stepper_params params = scheme_with_step(SCHEMES[k % SCHEME_COUNT], 2e-3);
        params.rows = (carom_rows)(k / SCHEME_COUNT);
        if (!carom_scheme_takes_rows(params.scheme, params.rows)) {
            continue;
        }
        carom_planar_tree *tree = box_with_arm(0.4, 0.3);
        const carom_mechanism *m = carom_planar_tree_mechanism(tree);
        heard h;
        heard_init(&h, &params);
        carom_stepper *stepper = started(m, &params, ARM_POSITION, ARM_VELOCITY);
        int compared = 0;
        for (int i = 0; i < 700; i++) {
            double rate_before[ARM_CONTACTS];
            double v_before[ARM_COORDINATES];
            const int count = h.count;
            memcpy(rate_before, carom_stepper_result(stepper)->constraint_rate, sizeof rate_before);
            memcpy(v_before, carom_stepper_result(stepper)->velocity, sizeof v_before);
            assert_ok(carom_stepper_advance(stepper, NULL));
            const carom_step *step = carom_stepper_result(stepper);
            find_rates_before(m, params.rows, step, v_before, rate_before);
            for (int j = 0; j < ARM_CONTACTS; j++) {
                ck_assert(step->impulse[j] <= 0.0 || h.count == count + 1);
            }
            if (h.count > count && h.contact_count == ARM_CONTACTS) {
                /* the tolerance of the step, of speeds of some m/s */
                assert_is_of_step(&h, step, m, rate_before, 1e-8);
                compared++;
            }
        }
        ck_assert_int_ge(compared, 50);
        carom_contact_solver_free(h.solver);
        carom_stepper_free(stepper);
        carom_planar_tree_free(tree);
    }
}

/* A belt that rises and runs. */
static void belt_offset(double t, double *s, void *context) {
    (void)context;
    s[0] = 0.0;
    s[1] = -0.3 * t;
}

static void belt_velocity(double t, double *w, void *context) {
    (void)t;
    (void)context;
    memcpy(w, (const double[3]){0.0, -0.3, 0.7}, 3 * sizeof *w);
}

/* A disc whose turn and way are joined, above a belt. */
static void joined_disc_init(body *b) {
    disc_init(b, MASS, 0.37, 0.15);
    tilt(b, 0.6, 0.0);
    b->mechanism.joint_count = 1;
    b->mechanism.constraint_offset = belt_offset;
    b->mechanism.constraint_velocity = belt_velocity;
    const double rows[6] = {0.6, 0.0, 0.8 * 0.37, 0.0, 1.0, 0.0}; /* joint, then normal */
    memcpy(b->G, rows, sizeof rows);
    b->q[1] = 0.2;
}

/* A sphere in space that spins. */
static void spinning_sphere_init(body *b) {
    sphere_init(b, MASS, 0.37, 0.23);
    tilt(b, 0.1, 0.4);
    b->q[2] = 0.2;
    b->v[0] = 1.7;
    b->v[3] = 2.1;
    b->v[4] = -3.4;
}

/* They fall and bounce: joint, supports and both tangents are part of the problem, and impulses are
 * unique. */
TEST(property, joints_supports_and_tangents_are_part_of_the_problem) {
    for (int k = 0; k < 2 * SCHEME_COUNT; k++) {
        body b;
        if (k < SCHEME_COUNT) {
            joined_disc_init(&b);
        } else {
            spinning_sphere_init(&b);
        }
        b.restitution[0] = 0.45;
        const int joints = b.mechanism.joint_count;
        carom_stepper_params params = scheme_with_step(SCHEMES[k % SCHEME_COUNT], 1e-3);
        heard h;
        heard_init(&h, &params);
        carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
        for (int i = 0; i < 1200; i++) {
            double rate_before[2];
            const int count = h.count;
            memcpy(rate_before, carom_stepper_result(stepper)->constraint_rate, sizeof rate_before);
            assert_ok(carom_stepper_advance(stepper, NULL));
            const carom_step *step = carom_stepper_result(stepper);
            ck_assert(step->impulse[joints] <= 0.0 || h.count == count + 1);
            if (h.count == count) {
                continue;
            }
            assert_is_of_step(&h, step, &b.mechanism, rate_before, 1e-9);
            for (int j = 0; j <= joints; j++) {
                assert_close(h.r[j], step->impulse[j], 0.0, 1e-8);
            }
            for (int a = 0; a < h.tangent_count; a++) {
                assert_close(h.r[joints + 1 + a], step->friction_impulse[a], 0.0, 1e-8);
            }
        }
        ck_assert_int_ge(h.count, 300);  /* it comes to rest on the plane */
        ck_assert_int_le(h.count, 1000); /* nothing is told in flight */
        carom_contact_solver_free(h.solver);
        carom_stepper_free(stepper);
    }
}

/* Without friction the exact linear step solves by complementary pivots, and tells what Newton's
 * method has. */
TEST(property, every_way_to_solve_a_step_tells_the_same) {
    const carom_scheme schemes[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_VELOCITY_GALPHA,
                                    CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_SCHEME_MODIFIED_LCP,
                                    CAROM_SCHEME_SMOOTH_GALPHA};
    for (int k = 0; k < 5; k++) {
        heard by[2];
        double impulse[2] = {0.0, 0.0};
        for (int way = 0; way < 2; way++) {
            body b;
            point_init(&b, MASS, 0.0);
            b.mechanism.friction = NULL;
            b.mechanism.tangent_count = 0;
            b.mechanism.tangential_jacobian = NULL;
            b.force[1] = -MASS * GRAVITY;
            b.restitution[0] = schemes[k] == CAROM_SCHEME_SMOOTH_GALPHA ? 0.0 : 0.8;
            b.q[1] = 0.05;
            carom_stepper_params params = scheme_with_step(schemes[k], 1e-3);
            params.use_linear_step = way == 0;
            heard_init(&by[way], &params);
            carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
            for (int i = 0; i < 150 && by[way].count == 0; i++) {
                assert_ok(carom_stepper_advance(stepper, NULL));
            }
            impulse[way] = carom_stepper_result(stepper)->impulse[0];
            carom_contact_solver_free(by[way].solver);
            carom_stepper_free(stepper);
        }
        if (schemes[k] == CAROM_SCHEME_SMOOTH_GALPHA) {
            ck_assert_int_eq(by[0].count + by[1].count, 0); /* it has no such problem */
            continue;
        }
        assert_close(by[0].time, by[1].time, 0.0, 0.0);
        assert_close(by[0].q[0], by[1].q[0], 1e-10, 0.0);
        for (int way = 0; way < 2; way++) {
            ck_assert(impulse[way] > 0.0);
            assert_close(by[way].r[0], impulse[way], 1e-9, 0.0);
        }
    }
}

/* Two planes without room between them, of which one throws back: the problem is told that has no
 * solution. */
TEST(errors, the_problem_of_a_failed_step_is_told) {
    body b;
    body_init(&b, 2, 2, 1);
    b.mass[0] = b.mass[1] = MASS;
    b.G[1] = 1.0;
    b.G[3] = -1.0;
    b.H[0] = b.H[2] = 1.0;
    b.friction[0] = b.friction[1] = 0.4;
    b.restitution[0] = 1.0;
    b.v[0] = 0.7;
    b.v[1] = -1.3;
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    params.predictor = CAROM_PREDICTOR_CURRENT;
    heard h;
    heard_init(&h, &params);
    h.answer = CAROM_STATUS_IO; /* the step's own failure comes first */
    carom_stepper *stepper = started(&b.mechanism, &params, b.q, b.v);
    carom_report report = carom_report_empty();
    const carom_status status = carom_stepper_advance(stepper, &report);
    ck_assert(status == CAROM_STATUS_RAY || status == CAROM_STATUS_NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "contact");
    ck_assert_int_eq(h.count, 1);
    ck_assert_int_eq(h.contact_count, 2);
    ck_assert(h.solved == CAROM_STATUS_RAY || h.solved == CAROM_STATUS_NOT_CONVERGED);
    carom_contact_solver_free(h.solver);
    carom_stepper_free(stepper);
}

TEST(errors, what_a_listener_returns_ends_the_run) {
    body b;
    disc_init(&b, MASS, 0.37, 0.15);
    tilt(&b, 0.1, 0.0);
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    heard h;
    heard_init(&h, &params);
    h.answer = CAROM_STATUS_IO;
    for (int k = 0; k < 2; k++) { /* it is no result of a run to failure either */
        carom_trajectory *trajectory = NULL;
        carom_report report = carom_report_empty();
        const carom_status status =
            (k == 0 ? carom_trajectory_run : carom_trajectory_run_to_failure)(
                &b.mechanism, &params, b.q, b.v, 0.1, NULL, NULL, &trajectory, &report);
        ck_assert_int_eq(status, CAROM_STATUS_IO);
        ck_assert(trajectory == NULL);
        ck_assert_str_eq(report.sentence, "the listener is deaf");
        ck_assert_int_eq(h.count, k + 1);
    }
    carom_contact_solver_free(h.solver);
}
