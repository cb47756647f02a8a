/* Supports that move (g(t,q) = g(q) + s(t), sliding H v + w(t)) against closed forms, the same
 * motion in a frame that moves, and a reference integration. */
#include "../../units.h"
#include "friction_bodies.h"

#include <carom/models/vibrating_table.h>

static const double PI = 3.14159265358979323846;

/* Every scheme of fixed steps; the first three compute friction. */
static const carom_scheme ALL[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_VELOCITY_GALPHA,
                                   CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_SCHEME_MODIFIED_LCP,
                                   CAROM_SCHEME_SMOOTH_GALPHA};
enum { ALL_COUNT = sizeof ALL / sizeof ALL[0] };

/* A body above a plane that shakes upwards, A sin(omega t), and runs along x with a speed; the
 * struct is the context of all functions, as those of the body ask for. */
typedef struct shaken {
    body body;
    double amplitude;
    double frequency;
    double speed; /**< of the belt, along the first tangent */
    double rise;  /**< steady speed of the plane upwards */
} shaken;

static void shaken_offset(double t, double *s, void *context) {
    const shaken *b = context;
    for (int j = 0; j < b->body.mechanism.contact_count; j++) {
        s[j] = -b->amplitude * sin(b->frequency * t) - b->rise * t;
    }
}

static void shaken_velocity(double t, double *w, void *context) {
    const shaken *b = context;
    const int count = b->body.mechanism.contact_count;
    const int tangents = b->body.mechanism.tangent_count;
    for (int j = 0; j < count; j++) {
        w[j] = -b->amplitude * b->frequency * cos(b->frequency * t) - b->rise;
        for (int a = 0; a < tangents; a++) {
            w[count + j * tangents + a] = a == 0 ? -b->speed : 0.0;
        }
    }
}

static void shake(shaken *b) {
    b->body.mechanism.name = "shaken";
    b->body.mechanism.constraint_offset = shaken_offset;
    b->body.mechanism.constraint_velocity = shaken_velocity;
    b->body.mechanism.context = b;
}

static double energy_of(const carom_mechanism *mechanism, const carom_step *step) {
    double work[BODY_COORDINATES * (BODY_COORDINATES + 1)];
    return carom_mechanism_kinetic_energy(mechanism, step->position, step->velocity, work) +
           mechanism->potential_energy(step->position, mechanism->context);
}

/* Friction accelerates by mu g until the box has the speed V of the belt: after V/(mu g). The belt
 * has done m V^2 then, of which the box has one half and friction has dissipated the other. */
TEST(property, a_box_on_a_belt_comes_to_its_speed_after_v_over_mu_g) {
    const double mu = 0.37;
    const double speed = 2.385;
    for (int k = 0; k < SCHEME_COUNT; k++) {
        shaken b = {.speed = speed};
        point_init(&b.body, MASS, mu);
        b.body.force[1] = -MASS * GRAVITY;
        shake(&b);
        enum { STEPS = 200 };
        const double time = speed / (mu * GRAVITY);
        const carom_stepper_params params = scheme_with_step(SCHEMES[k], time / STEPS);
        carom_stepper *stepper = started(&b.body.mechanism, &params, b.body.q, b.body.v);
        double work = 0.0;
        for (int i = 1; i <= 2 * STEPS; i++) {
            assert_ok(carom_stepper_advance(stepper, NULL));
            const carom_step *step = carom_stepper_result(stepper);
            work += step->support_work;
            const double reached = fmin(1.0, (double)i / STEPS);
            assert_close(step->velocity[0], reached * speed, 0.0, 1e-9 * speed);
            assert_close(step->sliding_velocity[0], (reached - 1.0) * speed, 0.0, 1e-9 * speed);
            assert_close(work, reached * MASS * speed * speed, 0.0, 1e-9 * MASS * speed * speed);
            assert_close(work - energy_of(&b.body.mechanism, step),
                         (reached - 0.5 * reached * reached) * MASS * speed * speed, 0.0,
                         1e-9 * MASS * speed * speed);
        }
        carom_stepper_free(stepper);
    }
}

/* A point on a table that accelerates less than gravity stays on it: the table carries it. At the
 * velocity level the gap drifts by what the theta rule misses of the integral of w, h |theta - 1/2|
 * (w - w_0) <= 2 h |theta - 1/2| A omega, and all schemes may lose h^2 A omega^2 in a step. */
TEST(property, a_table_that_shakes_gently_carries_what_is_on_it) {
    for (int k = 0; k < ALL_COUNT; k++) {
        const double h = 1e-3;
        shaken b = {.amplitude = 0.07, .frequency = 9.0};
        point_init(&b.body, MASS, 0.0);
        b.body.force[1] = -MASS * GRAVITY;
        b.body.v[1] = b.amplitude * b.frequency;
        shake(&b);
        const carom_stepper_params params = scheme_with_step(ALL[k], h);
        const bool is_moreau = ALL[k] == CAROM_SCHEME_MOREAU_JEAN;
        const double theta = is_moreau ? 1.0 / (1.0 + params.spectral_radius) : 0.5;
        const double speed = b.amplitude * b.frequency;
        const double drift = 2.0 * h * (theta - 0.5) * speed + 3.0 * h * h * speed * b.frequency;
        carom_trajectory *t = run_mechanism(&b.body.mechanism, &params, b.body.q, b.body.v, 2.0);
        for (int row = 1; row < t->row_count; row++) {
            const double height = b.amplitude * sin(b.frequency * t->time[row]);
            assert_close(t->gap[row], run_at(t->position, 2, row, 1) - height, 0.0, 1e-15);
            assert_close(t->gap[row], 0.0, 0.0, drift);
            if (ALL[k] == CAROM_SCHEME_NONSMOOTH_GALPHA) {
                assert_close(t->gap[row], 0.0, 0.0, 1e-15);
                assert_close(t->gap_rate[row], 0.0, 0.0, 1e-14);
            }
        }
        carom_trajectory_free(t);
    }
}

/* Constant velocities of the frame, (0.8, -0.31) of x and the normal, change no motion within it:
 * a disc with spin that bounces, slides and rolls. */
TEST(property, motion_in_a_frame_that_moves_steadily_is_the_same) {
    for (int k = 0; k < 4; k++) {
        carom_stepper *steppers[2];
        shaken discs[2] = {{.speed = 0.0}, {.speed = 0.8, .rise = -0.31}};
        const carom_stepper_params params = scheme_with_step(ALL[k], 1e-3);
        for (int i = 0; i < 2; i++) {
            shaken *b = &discs[i];
            disc_init(&b->body, MASS, 0.13, k < 3 ? 0.28 : 0.0);
            b->body.force[1] = -MASS * GRAVITY;
            b->body.restitution[0] = 0.55;
            b->body.q[1] = 0.21;
            b->body.v[0] = 1.1 + b->speed;
            b->body.v[1] = 0.4 + b->rise;
            b->body.v[2] = 23.0;
            if (i == 1) {
                shake(b);
            }
            steppers[i] = started(&b->body.mechanism, &params, b->body.q, b->body.v);
        }
        for (int step = 1; step <= 2000; step++) {
            assert_ok(carom_stepper_advance(steppers[0], NULL));
            assert_ok(carom_stepper_advance(steppers[1], NULL));
            const carom_step *rest = carom_stepper_result(steppers[0]);
            const carom_step *moved = carom_stepper_result(steppers[1]);
            const double c[] = {discs[1].speed, discs[1].rise, 0.0};
            for (int i = 0; i < 3; i++) {
                assert_close(moved->velocity[i] - c[i], rest->velocity[i], 0.0, 1e-10);
                assert_close(moved->position[i] - c[i] * moved->time, rest->position[i], 0.0,
                             1e-10);
            }
            assert_close(moved->constraint[0], rest->constraint[0], 0.0, 1e-10);
            assert_close(moved->constraint_rate[0], rest->constraint_rate[0], 0.0, 1e-10);
            assert_close(moved->impulse[0], rest->impulse[0], 0.0, 1e-10);
        }
        carom_stepper_free(steppers[0]);
        carom_stepper_free(steppers[1]);
    }
}

/* With theta = 1/2, M and H constant and a constant force: Delta E = -P'(w_n + w_{n+1})/2 + P'(u_n
 * + u_{n+1})/2, the work of the supports and what contacts dissipate, to rounding. */
TEST(property, the_work_of_supports_and_of_contacts_is_the_change_of_energy) {
    shaken b = {.amplitude = 0.05, .frequency = 17.0, .speed = -0.6};
    disc_init(&b.body, MASS, 0.13, 0.28);
    b.body.force[1] = -MASS * GRAVITY;
    b.body.restitution[0] = 0.55;
    b.body.q[1] = 0.21;
    b.body.v[2] = 23.0;
    shake(&b);
    carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    params.theta = 0.5;
    carom_stepper *stepper = started(&b.body.mechanism, &params, b.body.q, b.body.v);
    const carom_step *step = carom_stepper_result(stepper);
    double energy = energy_of(&b.body.mechanism, step);
    double rate[2] = {step->constraint_rate[0], step->sliding_velocity[0]};
    double lost = 0.0;
    double largest = 0.0;
    for (int i = 0; i < 3000; i++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        step = carom_stepper_result(stepper);
        const double next = energy_of(&b.body.mechanism, step);
        const double contact =
            0.5 * step->impulse[0] * (rate[0] + step->constraint_rate[0]) +
            0.5 * step->friction_impulse[0] * (rate[1] + step->sliding_velocity[0]);
        lost -= contact;
        assert_close(next - energy, step->support_work + contact, 0.0, 1e-12);
        largest = fmax(largest, fabs(step->support_work));
        energy = next;
        rate[0] = step->constraint_rate[0];
        rate[1] = step->sliding_velocity[0];
    }
    ck_assert(largest > 0.1 && lost > 0.1);
    carom_stepper_free(stepper);
}

/* A disc with spin on a shaken belt, in any units. */
TEST(property, units_do_not_matter_to_supports) {
    shaken b = {.amplitude = 0.05, .frequency = 17.0, .speed = -0.6};
    disc_init(&b.body, MASS, 0.13, 0.28);
    b.body.mechanism.position_units = "m, m, rad";
    b.body.force[1] = -MASS * GRAVITY;
    b.body.restitution[0] = 0.55;
    b.body.q[1] = 0.21;
    b.body.v[2] = 23.0;
    shake(&b);
    for (int k = 0; k < SCHEME_COUNT; k++) {
        carom_stepper_params params = scheme_with_step(SCHEMES[k], 1e-3);
        carom_stepper *first = stepped(&b.body.mechanism, &params, b.body.q, b.body.v, 1200);
        const carom_step *here = carom_stepper_result(first);
        for (int change = 0; change < CHANGE_OF_UNITS_COUNT; change++) {
            other_units other;
            double q[3];
            double v[3];
            double inner[3] = {0.0};
            other_units_init(&other, &b.body.mechanism, CHANGES_OF_UNITS[change]);
            units_position(&other, b.body.q, q);
            units_velocity(&other, b.body.v, v);
            params.step = 1e-3 * other.units.time;
            carom_stepper *second = stepped(&other.mechanism, &params, q, v, 1200);
            const carom_step *there = carom_stepper_result(second);
            units_position(&other, here->position, inner);
            for (int i = 0; i < 3; i++) {
                assert_close(there->position[i], inner[i], 1e-9, 1e-9 * other.factor[i]);
            }
            assert_close(there->support_work / units_energy(other.units), here->support_work, 1e-7,
                         1e-10);
            carom_stepper_free(second);
        }
        carom_stepper_free(first);
    }
}

/* The exact linear step and Newton's solve the same equations. */
TEST(property, the_exact_linear_step_and_newton_agree_on_a_shaken_table) {
    for (int k = 0; k < 3; k++) {
        shaken b = {.amplitude = 0.05, .frequency = 17.0};
        point_init(&b.body, MASS, 0.0);
        b.body.force[1] = -MASS * GRAVITY;
        b.body.restitution[0] = 0.4;
        b.body.q[1] = 0.02;
        shake(&b);
        carom_stepper_params params = scheme_with_step(ALL[k], 1e-3);
        carom_trajectory *linear =
            run_mechanism(&b.body.mechanism, &params, b.body.q, b.body.v, 2.0);
        params.use_linear_step = false;
        carom_trajectory *newton =
            run_mechanism(&b.body.mechanism, &params, b.body.q, b.body.v, 2.0);
        for (int row = 0; row < linear->row_count; row++) {
            assert_close(run_at(linear->position, 2, row, 1), run_at(newton->position, 2, row, 1),
                         0.0, 1e-9);
            assert_close(linear->gap_rate[row], newton->gap_rate[row], 0.0, 1e-8);
            assert_close(linear->support_work[row], newton->support_work[row], 0.0, 1e-7);
        }
        carom_trajectory_free(linear);
        carom_trajectory_free(newton);
    }
}

/* A ball above a table that shakes with more than gravity, by the frame of the table (the model)
 * and by supports that move: the same gaps between the same impacts, up to the order of the
 * schemes. */
TEST(property, a_table_that_shakes_is_the_model_of_one_in_the_frame_of_the_table) {
    carom_vibrating_table_params table = carom_vibrating_table_params_default();
    carom_model *model = NULL;
    assert_ok(carom_vibrating_table_alloc(&table, &model, NULL));
    for (int k = 0; k < 3; k++) {
        double error[2];
        for (int i = 0; i < 2; i++) {
            const double omega = table.angular_frequency;
            const carom_stepper_params params = scheme_with_step(ALL[k], i == 0 ? 1e-4 : 5e-5);
            shaken b = {.amplitude = table.acceleration * table.gravity / (omega * omega),
                        .frequency = omega};
            point_init(&b.body, table.mass, 0.0);
            b.body.force[1] = -table.mass * table.gravity;
            b.body.restitution[0] = table.restitution;
            b.body.q[1] = 0.03;
            b.body.v[1] = 0.2;
            shake(&b);
            table.initial_phase = 0.0;
            table.initial_gap = b.body.q[1];
            table.initial_velocity = b.body.v[1] - b.amplitude * omega;
            carom_model_free(model);
            assert_ok(carom_vibrating_table_alloc(&table, &model, NULL));
            run relative = run_model(model, &params, 0.5);
            model = NULL;
            carom_trajectory *t =
                run_mechanism(&b.body.mechanism, &params, b.body.q, b.body.v, 0.5);
            error[i] = 0.0;
            for (int row = 0; row < t->row_count; row++) {
                error[i] = fmax(error[i], fabs(t->gap[row] - relative.trajectory->gap[row]));
            }
            run_clear(&relative);
            carom_trajectory_free(t);
        }
        /* of flights of some centimetres */
        ck_assert_msg(error[1] < 1e-4 && error[1] < 0.5 * error[0], "%s: %.3g, then %.3g",
                      carom_scheme_name(ALL[k]), error[0], error[1]);
    }
}

/* A rigid pendulum q = (x, y, turn) whose pivot moves, p(t) = (A (sin(omega t + phase) -
 * sin(phase))
 * + c t, 0). */
typedef struct pendulum {
    carom_mechanism mechanism;
    double mass;
    double inertia;
    double length;
    double amplitude;
    double frequency;
    double phase;
    double speed;
} pendulum;

static void pendulum_mass(const double *q, double *M, void *context) {
    (void)q;
    const pendulum *p = context;
    const double matrix[9] = {p->mass, 0.0, 0.0, 0.0, p->mass, 0.0, 0.0, 0.0, p->inertia};
    memcpy(M, matrix, sizeof matrix);
}

static void pendulum_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const pendulum *p = context;
    f[0] = f[2] = 0.0;
    f[1] = -p->mass * GRAVITY;
}

static double pendulum_energy(const double *q, void *context) {
    const pendulum *p = context;
    return p->mass * GRAVITY * q[1];
}

static void pendulum_joint(const double *q, double *g, void *context) {
    const pendulum *p = context;
    g[0] = q[0] - p->length * sin(q[2]);
    g[1] = q[1] + p->length * cos(q[2]);
}

static void pendulum_jacobian(const double *q, double *G, void *context) {
    const pendulum *p = context;
    const double matrix[6] = {1.0, 0.0, -p->length * cos(q[2]), 0.0, 1.0, -p->length * sin(q[2])};
    memcpy(G, matrix, sizeof matrix);
}

static void pendulum_force_derivative(const double *q, const double *lambda, double *D,
                                      void *context) {
    const pendulum *p = context;
    memset(D, 0, 9 * sizeof *D);
    D[8] = p->length * (lambda[0] * sin(q[2]) - lambda[1] * cos(q[2]));
}

static void pendulum_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const pendulum *p = context;
    memset(D, 0, 6 * sizeof *D);
    D[2] = p->length * sin(q[2]) * v[2];
    D[5] = -p->length * cos(q[2]) * v[2];
}

static void pendulum_offset(double t, double *s, void *context) {
    const pendulum *p = context;
    s[0] = p->amplitude * (sin(p->phase) - sin(p->frequency * t + p->phase)) - p->speed * t;
    s[1] = 0.0;
}

static void pendulum_velocity(double t, double *w, void *context) {
    const pendulum *p = context;
    w[0] = -p->amplitude * p->frequency * cos(p->frequency * t + p->phase) - p->speed;
    w[1] = 0.0;
}

static void pendulum_init(pendulum *p) {
    *p = (pendulum){.mass = MASS, .inertia = 0.17, .length = 0.63};
    p->mechanism = (carom_mechanism){.name = "pendulum",
                                     .coordinate_count = 3,
                                     .joint_count = 2,
                                     .layout = carom_layout_full(3),
                                     .position_units = "m, m, rad",
                                     .velocity_units = "m s-1, m s-1, rad s-1",
                                     .mass = pendulum_mass,
                                     .force = pendulum_force,
                                     .potential_energy = pendulum_energy,
                                     .constraints = pendulum_joint,
                                     .constraint_jacobian = pendulum_jacobian,
                                     .constraint_force_derivative = pendulum_force_derivative,
                                     .constraint_rate_derivative = pendulum_rate_derivative,
                                     .context = p};
}

static void move_pivot(pendulum *p) {
    p->mechanism.constraint_offset = pendulum_offset;
    p->mechanism.constraint_velocity = pendulum_velocity;
}

/** The state of an angle and a rate about the pivot at time 0. */
static void pendulum_state(const pendulum *p, double angle, double rate, double *q, double *v) {
    q[0] = p->length * sin(angle);
    q[1] = -p->length * cos(angle);
    q[2] = angle;
    v[0] = p->length * cos(angle) * rate + p->amplitude * p->frequency * cos(p->phase) + p->speed;
    v[1] = p->length * sin(angle) * rate;
    v[2] = rate;
}

/* One whose pivot shakes with 1 Hz. */
static void shaken_pendulum(pendulum *p, double *q, double *v) {
    pendulum_init(p);
    p->amplitude = 0.11;
    p->frequency = 2.0 * PI;
    p->phase = 0.7;
    move_pivot(p);
    pendulum_state(p, 0.9, -1.3, q, v);
}

TEST(property, a_pendulum_whose_pivot_moves_steadily_swings_as_at_rest) {
    for (int k = 0; k < ALL_COUNT; k++) {
        pendulum rest;
        pendulum moved;
        double q[2][3];
        double v[2][3];
        pendulum_init(&rest);
        pendulum_init(&moved);
        moved.speed = 1.7;
        move_pivot(&moved);
        pendulum_state(&rest, 0.9, -1.3, q[0], v[0]);
        pendulum_state(&moved, 0.9, -1.3, q[1], v[1]);
        const carom_stepper_params params = scheme_with_step(ALL[k], 2e-3);
        carom_trajectory *a = run_mechanism(&rest.mechanism, &params, q[0], v[0], 2.0);
        carom_trajectory *b = run_mechanism(&moved.mechanism, &params, q[1], v[1], 2.0);
        for (int row = 0; row < a->row_count; row++) {
            assert_close(run_at(b->position, 3, row, 0) - moved.speed * b->time[row],
                         run_at(a->position, 3, row, 0), 0.0, 1e-9);
            for (int i = 1; i < 3; i++) {
                assert_close(run_at(b->position, 3, row, i), run_at(a->position, 3, row, i), 0.0,
                             1e-9);
                assert_close(run_at(b->velocity, 3, row, i), run_at(a->velocity, 3, row, i), 0.0,
                             1e-8);
            }
        }
        carom_trajectory_free(a);
        carom_trajectory_free(b);
    }
}

/* (I + m l^2) turn'' = -m l (g sin(turn) + p'' cos(turn)) by Runge-Kutta 4. */
static double reference_angle(const pendulum *p, double duration) {
    const double k = p->mass * p->length / (p->inertia + p->mass * p->length * p->length);
    enum { STEPS = 20000 };
    const double h = duration / STEPS;
    double x[2] = {0.9, -1.3};
    for (int i = 0; i < STEPS; i++) {
        const double at[] = {0.0, 0.5, 0.5, 1.0};
        const double weight[] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
        double slope[2] = {0.0, 0.0};
        double sum[2] = {0.0, 0.0};
        for (int stage = 0; stage < 4; stage++) {
            const double t = (i + at[stage]) * h;
            const double angle = x[0] + at[stage] * h * slope[0];
            const double rate = x[1] + at[stage] * h * slope[1];
            const double pull =
                -p->amplitude * p->frequency * p->frequency * sin(p->frequency * t + p->phase);
            slope[0] = rate;
            slope[1] = -k * (GRAVITY * sin(angle) + pull * cos(angle));
            for (int j = 0; j < 2; j++) {
                sum[j] += weight[stage] * slope[j];
            }
        }
        x[0] += h * sum[0];
        x[1] += h * sum[1];
    }
    return x[0];
}

/* The orders are those with supports at rest (orders.c). */
TEST(property, orders_of_convergence_with_a_shaken_pivot_are_those_at_rest) {
    for (int k = 0; k < ALL_COUNT; k++) {
        const double h[] = {8e-3, 4e-3, 2e-3, 1e-3};
        double error[4];
        for (int i = 0; i < 4; i++) {
            pendulum p;
            double q[3];
            double v[3];
            shaken_pendulum(&p, q, v);
            const carom_stepper_params params = scheme_with_step(ALL[k], h[i]);
            carom_trajectory *t = run_mechanism(&p.mechanism, &params, q, v, 2.0);
            const int last = t->row_count - 1;
            error[i] = fabs(run_at(t->position, 3, last, 2) - reference_angle(&p, t->time[last]));
            carom_trajectory_free(t);
        }
        const double slope = fitted_slope(4, h, error);
        const bool is_first =
            ALL[k] == CAROM_SCHEME_MOREAU_JEAN || ALL[k] == CAROM_SCHEME_VELOCITY_GALPHA;
        ck_assert_msg(fabs(slope - (is_first ? 1.0 : 2.0)) < 0.15, "%s: slope %.3f",
                      carom_scheme_name(ALL[k]), slope);
    }
}

/* The pivot pulls with m x'' where x = p + l sin(turn), from the first instant on. */
TEST(property, the_force_at_a_shaken_pivot_is_known_at_the_start) {
    double error[2];
    for (int i = 0; i < 2; i++) {
        pendulum p;
        double q[3];
        double v[3];
        shaken_pendulum(&p, q, v);
        const carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, i == 0 ? 4e-3 : 2e-3);
        carom_stepper *stepper = started(&p.mechanism, &params, q, v);
        const double pull = -p.amplitude * p.frequency * p.frequency * sin(p.phase);
        const double turn = -p.mass * p.length * (GRAVITY * sin(0.9) + pull * cos(0.9)) /
                            (p.inertia + p.mass * p.length * p.length);
        const double x = pull + p.length * (cos(0.9) * turn - sin(0.9) * 1.3 * 1.3);
        error[i] = fabs(carom_stepper_result(stepper)->force[0] - p.mass * x);
        assert_close(carom_stepper_result(stepper)->force[0], p.mass * x, 1e-3, 0.0);
        carom_stepper_free(stepper);
    }
    /* of second order */
    assert_close(error[0] / error[1], 4.0, 0.05, 0.0);
}

/* Nothing dissipates but the scheme: what the pivot does is the change of energy, to second order.
 */
TEST(property, a_shaken_pivot_does_the_work_that_the_pendulum_gains) {
    double error[2];
    for (int i = 0; i < 2; i++) {
        pendulum p;
        double q[3];
        double v[3];
        shaken_pendulum(&p, q, v);
        const carom_stepper_params params =
            scheme_with_step(CAROM_SCHEME_NONSMOOTH_GALPHA, i == 0 ? 4e-3 : 2e-3);
        carom_trajectory *t = run_mechanism(&p.mechanism, &params, q, v, 2.0);
        double largest = 0.0;
        error[i] = 0.0;
        for (int row = 0; row < t->row_count; row++) {
            error[i] = fmax(error[i], fabs(t->energy[row] - t->energy[0] - t->support_work[row]));
            largest = fmax(largest, fabs(t->support_work[row]));
        }
        ck_assert_msg(error[i] < 1e-2 * largest, "%.3g of %.3g", error[i], largest);
        carom_trajectory_free(t);
    }
    assert_close(error[0] / error[1], 4.0, 0.1, 0.0);
}

/* Tangents without friction have their place in w, and nobody reads it. */
TEST(unit, a_belt_without_friction_pulls_at_nothing) {
    shaken b = {.speed = 2.385};
    point_init(&b.body, MASS, 0.0);
    b.body.force[1] = -MASS * GRAVITY;
    shake(&b);
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-2);
    carom_stepper *stepper = stepped(&b.body.mechanism, &params, b.body.q, b.body.v, 10);
    const carom_step *step = carom_stepper_result(stepper);
    assert_close(step->velocity[0], 0.0, 0.0, 0.0);
    assert_close(step->support_work, 0.0, 0.0, 0.0);
    carom_stepper_free(stepper);
}

TEST(errors, a_start_that_does_not_fit_the_supports_is_refused) {
    pendulum p;
    double q[3];
    double v[3];
    pendulum_init(&p);
    p.speed = 1.7;
    move_pivot(&p);
    pendulum_state(&p, 0.9, -1.3, q, v);
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_stepper_alloc(&p.mechanism, &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
    /* one second later the pivot is somewhere else */
    assert_status(carom_stepper_start(stepper, 1.0, q, v, &report), INCONSISTENT);
    ck_assert_str_eq(report.quantity, "joint residual");
    v[0] -= 0.1;
    assert_status(carom_stepper_start(stepper, 0.0, q, v, &report), INCONSISTENT);
    ck_assert_str_eq(report.quantity, "joint rate");
    assert_close(report.value, -0.1, 1e-12, 0.0);
    carom_stepper_free(stepper);

    shaken b = {.amplitude = 0.05, .frequency = 17.0};
    point_init(&b.body, MASS, 0.0);
    shake(&b);
    b.body.q[1] = 0.02;
    assert_ok(carom_stepper_alloc(&b.body.mechanism, &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, b.body.q, b.body.v, NULL));
    /* the table has risen above the point */
    assert_status(carom_stepper_start(stepper, 0.5 * PI / 17.0, b.body.q, b.body.v, &report),
                  PENETRATION);
    assert_close(report.value, -0.03, 1e-12, 0.0);
    carom_stepper_free(stepper);
}
