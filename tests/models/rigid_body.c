/* carom/models/rigid_body.h and rotations as unit quaternions: the symmetric top against its closed
 * form, momenta, the sphere that comes to roll, a box thrown on a plane. */
#include <carom/mechanism/rotation.h>
#include <carom/models/rigid_body.h>
#include <carom/models/thrown_sphere.h>
#include <carom/timestepping/galpha/galpha.h>

#include "../support.h"

#include <string.h>

enum { POSITIONS = 7, VELOCITIES = 6 };

static const double UNIT[4] = {1.0, 0.0, 0.0, 0.0};

static double norm3(const double *x) {
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

static carom_stepper_params moreau(double h, double theta) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = h;
    params.theta = theta;
    return params;
}

static carom_model *model_of(const carom_rigid_body_params *params) {
    carom_model *model = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_rigid_body_alloc(params, &model, &report);
    ck_assert_msg(status == CAROM_OK, "%s %s", carom_status_name(status), report.sentence);
    return model;
}

static carom_stepper *started(const carom_model *model, const carom_stepper_params *params) {
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    carom_status status = carom_stepper_alloc(&model->mechanism, params, &stepper, &report);
    if (status == CAROM_OK) {
        status = carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity,
                                     &report);
    }
    ck_assert_msg(status == CAROM_OK, "%s %s", carom_status_name(status), report.sentence);
    return stepper;
}

static const carom_step *advance(carom_stepper *stepper) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_stepper_advance(stepper, &report);
    ck_assert_msg(status == CAROM_OK, "%s at %g, residual %.3g, %d iterations",
                  carom_status_name(status), report.time, report.residual, report.iterations);
    return carom_stepper_result(stepper);
}

static double energy_of(const carom_model *model, const carom_step *step) {
    double work[VELOCITIES * (VELOCITIES + 1)];
    return carom_mechanism_kinetic_energy(&model->mechanism, step->position, step->velocity, work) +
           model->mechanism.potential_energy(step->position, model->mechanism.context);
}

/** A random rotation. */
static void random_rotation(gsl_rng *generator, double *p) {
    double a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = uniform(generator, -2.0, 2.0);
    }
    carom_rotation_advance(UNIT, a, p);
}

static carom_rigid_body_params free_body(void) {
    carom_rigid_body_params params = carom_rigid_body_params_default();
    params.shape = CAROM_RIGID_BODY_FREE;
    params.mass = 2.385;
    params.inertia[0] = 0.31;
    params.inertia[1] = 0.47;
    params.inertia[2] = 0.22;
    memset(params.gravity, 0, sizeof params.gravity);
    params.initial_velocity[0] = 0.4;
    params.initial_velocity[2] = -0.3;
    params.initial_angular_velocity[0] = 1.1;
    params.initial_angular_velocity[1] = -0.7;
    params.initial_angular_velocity[2] = 2.3;
    const double turn[3] = {0.3, -0.9, 1.7};
    carom_rotation_advance(UNIT, turn, params.initial_rotation);
    return params;
}

static carom_rigid_body_params thrown_box(void) {
    carom_rigid_body_params params = carom_rigid_body_params_default();
    params.shape = CAROM_RIGID_BODY_BOX;
    params.mass = 2.385;
    const double edges[3] = {0.31, 0.22, 0.17};
    for (int i = 0; i < 3; i++) {
        const double a = edges[(i + 1) % 3];
        const double b = edges[(i + 2) % 3];
        params.edges[i] = edges[i];
        params.inertia[i] = params.mass * (a * a + b * b) / 12.0;
    }
    params.friction = 0.4;
    params.initial_position[2] = 0.45;
    params.initial_velocity[0] = 1.9;
    params.initial_velocity[1] = -0.6;
    params.initial_velocity[2] = 0.2;
    params.initial_angular_velocity[0] = 4.1;
    params.initial_angular_velocity[1] = -2.7;
    params.initial_angular_velocity[2] = 3.3;
    const double turn[3] = {0.3, -0.9, 0.7};
    carom_rotation_advance(UNIT, turn, params.initial_rotation);
    return params;
}

/* -------------------------------------------------------------------------------------- rotations
 */

/* Rodrigues' formula, exp([a]) = 1 + sin|a| [e] + (1 - cos|a|) [e]^2. */
TEST(unit, a_turn_about_an_axis_is_that_of_rodrigues) {
    gsl_rng *generator = seeded_generator(7);
    for (int k = 0; k < 200; k++) {
        double a[3];
        double p[4];
        double R[9];
        for (int i = 0; i < 3; i++) {
            a[i] = uniform(generator, -3.0, 3.0) * (k < 100 ? 1.0 : 1e-9);
        }
        carom_rotation_advance(UNIT, a, p);
        carom_rotation_matrix(p, R);
        const double angle = norm3(a);
        const double e[3] = {a[0] / angle, a[1] / angle, a[2] / angle};
        const double x[3] = {uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 1.0), 0.7};
        const double along = e[0] * x[0] + e[1] * x[1] + e[2] * x[2];
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3;
            const int l = (i + 2) % 3;
            const double expected = cos(angle) * x[i] + sin(angle) * (e[j] * x[l] - e[l] * x[j]) +
                                    (1.0 - cos(angle)) * along * e[i];
            assert_close(R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2], expected, 0.0,
                         1e-14);
        }
    }
    gsl_rng_free(generator);
}

/* p exp(a) exp(b) turns first by a, then by b about axes that a has turned. */
TEST(unit, turns_are_about_axes_of_the_body) {
    const double a[3] = {0.3, -0.9, 1.7};
    const double b[3] = {-1.1, 0.4, 0.2};
    double p[4];
    double both[4];
    double A[9];
    double B[9];
    double AB[9];
    carom_rotation_advance(UNIT, a, p);
    carom_rotation_matrix(p, A);
    carom_rotation_advance(p, b, both);
    carom_rotation_matrix(both, AB);
    carom_rotation_advance(UNIT, b, p);
    carom_rotation_matrix(p, B);
    for (int i = 0; i < 9; i++) {
        const int row = 3 * (i / 3);
        const int column = i % 3;
        assert_close(AB[i],
                     A[row] * B[column] + A[row + 1] * B[3 + column] + A[row + 2] * B[6 + column],
                     0.0, 1e-14);
    }
}

TEST(property, a_quaternion_keeps_its_length_over_a_million_turns) {
    double p[4] = {1.0, 0.0, 0.0, 0.0};
    const double a[3] = {1e-3, -2.3e-3, 0.7e-3};
    for (int k = 0; k < 1000000; k++) {
        carom_rotation_advance(p, a, p);
        if (k % 1000 == 0) {
            assert_close(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1.0, 0.0,
                         4.0 * DBL_EPSILON);
        }
    }
    /* and the angle is what it adds up to */
    double expected[4];
    const double whole[3] = {1e3, -2.3e3, 0.7e3};
    carom_rotation_advance(UNIT, whole, expected);
    for (int i = 0; i < 4; i++) {
        assert_close(p[i], expected[i], 0.0, 1e-9);
    }
}

TEST(property, derivatives_along_velocities_are_those_of_differences) {
    gsl_rng *generator = seeded_generator(17);
    for (int k = 0; k < 60; k++) {
        carom_rigid_body_params params = k % 3 == 0 ? free_body() : thrown_box();
        if (k % 3 == 1) {
            params.shape = CAROM_RIGID_BODY_SPHERE;
        }
        random_rotation(generator, params.initial_rotation);
        for (int i = 0; i < 3; i++) {
            params.initial_position[i] = uniform(generator, -1.0, 1.0);
            params.initial_velocity[i] = uniform(generator, -1.0, 1.0);
            params.initial_angular_velocity[i] = uniform(generator, -5.0, 5.0);
        }
        carom_model *model = model_of(&params);
        const double *q = model->initial_position;
        const double *v = model->initial_velocity;
        carom_mechanism_mismatch worst;
        carom_status status =
            carom_mechanism_check(&model->mechanism, 0.0, q, v, 1e-7, (unsigned long)k, &worst);
        ck_assert_msg(status == CAROM_OK, "case %d: %s (%d,%d) off by %.3g", k, worst.derivative,
                      worst.row, worst.column, worst.relative_error);
        carom_report report = carom_report_empty();
        status = carom_mechanism_check_directions(&model->mechanism, 0.0, q, v, (unsigned long)k,
                                                  &report);
        ck_assert_msg(status == CAROM_OK, "case %d: %s", k, report.sentence);
        model->mechanism.damping = NULL;
        assert_status(carom_mechanism_check(&model->mechanism, 0.0, q, v, 1e-7, 1, &worst),
                      DERIVATIVE_MISMATCH);
        ck_assert_str_eq(worst.derivative, "damping");
        if (params.shape == CAROM_RIGID_BODY_BOX) {
            model->mechanism.constraint_rate_derivative = NULL;
            assert_status(carom_mechanism_check_directions(&model->mechanism, 0.0, q, v, 1, NULL),
                          DERIVATIVE_MISMATCH);
        }
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

/* ------------------------------------------------------------------------------------ free motion
 */

/* I_1 = I_2: with L/I_1 = (w_1, w_2, I_3 w_3/I_1) about the principal axes and kappa = (I_3 - I_1)
 * w_3/I_1, the rotation is R_0 exp(t L/I_1) exp(-kappa t e_3). */
static void top_rotation(const carom_rigid_body_params *top, double t, double *p) {
    const double *w = top->initial_angular_velocity;
    const double ratio = top->inertia[2] / top->inertia[0];
    const double precession[3] = {t * w[0], t * w[1], t * ratio * w[2]};
    const double spin[3] = {0.0, 0.0, -t * (ratio - 1.0) * w[2]};
    carom_rotation_advance(top->initial_rotation, precession, p);
    carom_rotation_advance(p, spin, p);
}

/** After 2 s: the error of the rotation of a symmetric top, what is missing of the spin in space of
 * a body, and of its energy, both relative. */
static void errors_of(carom_rigid_body_params *body, double h, double theta, double *error) {
    carom_model *model = model_of(body);
    const carom_stepper_params params = moreau(h, theta);
    carom_stepper *stepper = started(model, &params);
    const carom_step *step = carom_stepper_result(stepper);
    double momentum[2][6];
    carom_rigid_body_momentum(body, step->position, step->velocity, momentum[0]);
    const double energy = energy_of(model, step);
    while (step->time < 2.0 - 0.5 * h) {
        step = advance(stepper);
    }
    double p[4];
    top_rotation(body, step->time, p);
    error[0] = 0.0;
    for (int i = 0; i < 4; i++) {
        error[0] = fmax(error[0], fabs(step->position[3 + i] - p[i]));
    }
    /* momentum itself is kept to rounding, and the orbit is a line */
    carom_rigid_body_momentum(body, step->position, step->velocity, momentum[1]);
    double change[6];
    for (int i = 0; i < 6; i++) {
        change[i] = momentum[1][i] - momentum[0][i];
    }
    assert_close(norm3(change), 0.0, 0.0, 1e-13);
    error[1] = norm3(change + 3) / norm3(momentum[0] + 3);
    error[2] = fabs(energy_of(model, step) / energy - 1.0);
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/** Least order of some of the errors between three steps. */
static double order_of(carom_rigid_body_params *body, double theta, int first, int end) {
    double error[3][3];
    double least = (double)INFINITY;
    for (int i = 0; i < 3; i++) {
        errors_of(body, 8e-3 / (1 << i), theta, error[i]);
    }
    for (int what = first; what < end; what++) {
        least = fmin(least, log2(error[0][what] / error[1][what]));
        least = fmin(least, log2(error[1][what] / error[2][what]));
    }
    return least;
}

/* Two for theta = 1/2, where the energy of a top is kept to rounding; else one. */
TEST(property, a_symmetric_top_precesses_as_in_closed_form_to_the_order_of_theta) {
    carom_rigid_body_params top = free_body();
    top.inertia[1] = top.inertia[0];
    ck_assert_double_gt(order_of(&top, 0.5, 0, 2), 1.9);
    const double first = order_of(&top, 1.0 / 1.8, 0, 3);
    ck_assert_msg(first > 0.9 && first < 1.2, "%.3f", first);
    double error[3];
    errors_of(&top, 8e-3, 0.5, error);
    assert_close(error[2], 0.0, 0.0, 1e-11);
    ck_assert_double_lt(error[0], 2e-4);
}

TEST(property, spin_and_energy_of_any_free_body_are_kept_to_the_order_of_theta) {
    carom_rigid_body_params body = free_body();
    ck_assert_double_gt(order_of(&body, 0.5, 1, 3), 1.9);
    const double first = order_of(&body, 1.0 / 1.8, 1, 3);
    ck_assert_msg(first > 0.9 && first < 1.2, "%.3f", first);
}

/* By theta = 1/2 a step backwards returns, and the motion of a free body is integrable: what is
 * missing of energy and of spin in space swings, of the order h^2, and does not grow. One that grew
 * with time would be four times as large in the whole as in the first quarter. */
TEST(property, energy_and_spin_of_a_free_body_do_not_drift_in_forty_thousand_steps) {
    enum { QUARTER = 10000 };
    const carom_rigid_body_params params = free_body();
    carom_model *model = model_of(&params);
    const carom_stepper_params scheme = moreau(1e-2, 0.5);
    carom_stepper *stepper = started(model, &scheme);
    const carom_step *step = carom_stepper_result(stepper);
    const double energy = energy_of(model, step);
    double momentum[2][6];
    double worst[2][2] = {{0.0}};
    carom_rigid_body_momentum(&params, step->position, step->velocity, momentum[0]);
    for (int k = 0; k < 4 * QUARTER; k++) {
        double *error = worst[k < QUARTER ? 0 : 1];
        double change[3];
        step = advance(stepper);
        const double *p = step->position + 3;
        assert_close(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3], 1.0, 0.0,
                     4.0 * DBL_EPSILON);
        carom_rigid_body_momentum(&params, step->position, step->velocity, momentum[1]);
        for (int i = 0; i < 3; i++) {
            change[i] = momentum[1][3 + i] - momentum[0][3 + i];
        }
        error[0] = fmax(error[0], fabs(energy_of(model, step) / energy - 1.0));
        error[1] = fmax(error[1], norm3(change) / norm3(momentum[0] + 3));
    }
    for (int what = 0; what < 2; what++) {
        ck_assert_msg(worst[1][what] < 1.1 * worst[0][what] && worst[0][what] < 1e-4,
                      "%d: %.3g, then %.3g", what, worst[0][what], worst[1][what]);
    }
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/* --------------------------------------------------------------------------------------- contacts
 */

/* A sphere that slides with v_0 and no spin rolls after 2 v_0/(7 mu g), with 5/7 of v_0; the
 * friction has taken m v_0^2/7. */
TEST(property, a_sphere_comes_to_roll_with_five_sevenths_of_its_speed) {
    carom_rigid_body_params params = carom_rigid_body_params_default();
    const double speed = 1.37;
    const double way = 0.7; /* from x */
    params.inertia[0] = params.inertia[1] = params.inertia[2] =
        0.4 * params.mass * params.radius * params.radius;
    params.initial_velocity[0] = speed * cos(way);
    params.initial_velocity[1] = speed * sin(way);
    const double turn[3] = {0.3, -0.9, 1.7};
    carom_rotation_advance(UNIT, turn, params.initial_rotation);
    carom_model *model = model_of(&params);
    const double roll = 2.0 * speed / (7.0 * params.friction * 9.81);
    enum { STEPS = 400 };
    const carom_stepper_params scheme = moreau(roll / STEPS, 1.0 / 1.8);
    carom_stepper *stepper = started(model, &scheme);
    const double energy = energy_of(model, carom_stepper_result(stepper));
    const carom_step *step = NULL;
    for (int k = 1; k <= 3 * STEPS; k++) {
        step = advance(stepper);
        const double expected = speed - fmin((double)k / STEPS, 1.0) * speed * 2.0 / 7.0;
        assert_close(step->velocity[0], expected * cos(way), 0.0, 1e-9 * speed);
        assert_close(step->velocity[1], expected * sin(way), 0.0, 1e-9 * speed);
    }
    assert_close(hypot(step->sliding_velocity[0], step->sliding_velocity[1]), 0.0, 0.0,
                 1e-9 * speed);
    assert_close(energy - energy_of(model, step), params.mass * speed * speed / 7.0, 1e-8, 0.0);
    carom_stepper_free(stepper);
    carom_model_free(model);
}

/* Against the exact motion of a sphere as a body without rotations (carom/models/thrown_sphere.h):
 * it flies, bounces, slides with spin about every axis and rolls. The scheme meets impacts up to a
 * step too late. */
TEST(property, a_thrown_sphere_with_spin_moves_as_in_closed_form) {
    carom_thrown_sphere_params exact = carom_thrown_sphere_params_default();
    exact.friction = 0.31;
    exact.restitution = 0.4;
    exact.height = 0.2;
    const double velocity[3] = {1.3, -0.4, 0.5};
    const double spin[3] = {9.0, -14.0, 5.0};
    memcpy(exact.velocity, velocity, sizeof velocity);
    memcpy(exact.spin, spin, sizeof spin);
    carom_rigid_body_params params = carom_rigid_body_params_default();
    params.mass = exact.mass;
    params.radius = exact.radius;
    params.inertia[0] = params.inertia[1] = params.inertia[2] =
        0.4 * exact.mass * exact.radius * exact.radius;
    params.friction = exact.friction;
    params.restitution = exact.restitution;
    params.initial_position[2] = exact.height + exact.radius;
    memcpy(params.initial_velocity, velocity, sizeof velocity);
    const double turn[3] = {0.3, -0.9, 1.7};
    double R[9];
    carom_rotation_advance(UNIT, turn, params.initial_rotation);
    carom_rotation_matrix(params.initial_rotation, R);
    for (int i = 0; i < 3; i++) { /* w = R' spin */
        params.initial_angular_velocity[i] =
            R[i] * spin[0] + R[3 + i] * spin[1] + R[6 + i] * spin[2];
    }
    double error[2] = {0.0, 0.0};
    for (int k = 0; k < 2; k++) {
        carom_model *model = model_of(&params);
        const double h = k == 0 ? 1e-3 : 2.5e-4;
        const carom_stepper_params scheme = moreau(h, 0.5);
        carom_stepper *stepper = started(model, &scheme);
        const carom_step *step = carom_stepper_result(stepper);
        carom_thrown_sphere_state state;
        while (step->time < 2.0 - 0.5 * h) {
            step = advance(stepper);
        }
        carom_thrown_sphere_exact(&exact, step->time, &state);
        ck_assert(state.impacts > 3 && state.rolls_since < 2.0);
        carom_rotation_matrix(step->position + 3, R);
        for (int i = 0; i < 3; i++) {
            const double *w = step->velocity + 3;
            const double turned = R[3 * i] * w[0] + R[3 * i + 1] * w[1] + R[3 * i + 2] * w[2];
            error[k] = fmax(error[k], fabs(step->velocity[i] - state.velocity[i]));
            error[k] = fmax(error[k], exact.radius * fabs(turned - state.spin[i]));
        }
        carom_stepper_free(stepper);
        carom_model_free(model);
    }
    ck_assert_msg(error[1] < 2e-3 && error[1] < 0.3 * error[0], "%.3g, then %.3g", error[0],
                  error[1]);
}

/* theta = 1 takes energy wherever it errs; the box comes to rest flat, on its lowest side. */
TEST(property, a_box_thrown_on_a_plane_with_friction_gains_no_energy_and_comes_to_rest) {
    for (int k = 0; k < 3; k++) {
        carom_rigid_body_params params = thrown_box();
        params.initial_angular_velocity[1] += 3.0 * k;
        carom_model *model = model_of(&params);
        const carom_stepper_params scheme = moreau(1e-3, 1.0);
        carom_stepper *stepper = started(model, &scheme);
        const carom_step *step = carom_stepper_result(stepper);
        const double start = energy_of(model, step);
        double energy = start;
        for (int i = 0; i < 4000; i++) {
            step = advance(stepper);
            const double next = energy_of(model, step);
            assert_close(fmax(next, energy), energy, 0.0, 1e-13 * start);
            energy = next;
        }
        assert_close(norm3(step->velocity), 0.0, 0.0, 1e-14);
        assert_close(norm3(step->velocity + 3), 0.0, 0.0, 1e-13);
        /* up to what impacts penetrate: h times their speed */
        assert_close(step->position[2], 0.5 * 0.17, 0.0, 3e-3);
        carom_stepper_free(stepper);
        carom_model_free(model);
    }
}

/* Turned about the normal by an angle, a throw is the same throw, turned. */
TEST(property, a_throw_turned_about_the_normal_is_the_same_throw) {
    const double angle = 1.234;
    const double c = cos(angle);
    const double s = sin(angle);
    carom_rigid_body_params params[2] = {thrown_box(), thrown_box()};
    carom_rigid_body_params *turned = &params[1];
    params[0].restitution = turned->restitution = 0.3;
    const double v[2] = {params[0].initial_velocity[0], params[0].initial_velocity[1]};
    turned->initial_velocity[0] = c * v[0] - s * v[1];
    turned->initial_velocity[1] = s * v[0] + c * v[1];
    /* exp(angle e_z) p: p exp(a) with a = angle R' e_z */
    double R[9];
    carom_rotation_matrix(params[0].initial_rotation, R);
    const double a[3] = {angle * R[6], angle * R[7], angle * R[8]};
    carom_rotation_advance(params[0].initial_rotation, a, turned->initial_rotation);
    carom_model *models[2];
    carom_stepper *steppers[2];
    const carom_stepper_params scheme = moreau(1e-3, 1.0 / 1.8);
    for (int k = 0; k < 2; k++) {
        models[k] = model_of(&params[k]);
        steppers[k] = started(models[k], &scheme);
    }
    double largest = 0.0;
    for (int i = 0; i < 800; i++) {
        const carom_step *first = advance(steppers[0]);
        const carom_step *second = advance(steppers[1]);
        const double *x = first->position;
        const double *y = second->position;
        largest = fmax(largest, fabs(y[0] - (c * x[0] - s * x[1])));
        largest = fmax(largest, fabs(y[1] - (s * x[0] + c * x[1])));
        largest = fmax(largest, fabs(y[2] - x[2]));
        for (int j = 3; j < 6; j++) {
            largest = fmax(largest, 0.1 * fabs(second->velocity[j] - first->velocity[j]));
        }
    }
    ck_assert_double_lt(largest, 1e-10);
    for (int k = 0; k < 2; k++) {
        carom_stepper_free(steppers[k]);
        carom_model_free(models[k]);
    }
}

/* In grams and millimetres, and in tonnes. */
TEST(property, units_do_not_matter_to_a_thrown_box) {
    static const struct {
        double mass;
        double length;
    } units[] = {{1e3, 1e3}, {1e-3, 1.0}, {1.0, 1e3}};
    for (int k = 0; k < 3; k++) {
        const double l = units[k].length;
        carom_rigid_body_params params[2] = {thrown_box(), thrown_box()};
        carom_rigid_body_params *other = &params[1];
        other->mass *= units[k].mass;
        for (int i = 0; i < 3; i++) {
            other->inertia[i] *= units[k].mass * l * l;
            other->gravity[i] *= l;
            other->edges[i] *= l;
            other->initial_position[i] *= l;
            other->initial_velocity[i] *= l;
        }
        carom_model *models[2];
        carom_stepper *steppers[2];
        const carom_stepper_params scheme = moreau(1e-3, 1.0 / 1.8);
        for (int i = 0; i < 2; i++) {
            models[i] = model_of(&params[i]);
            steppers[i] = started(models[i], &scheme);
        }
        for (int i = 0; i < 800; i++) {
            const double *x = advance(steppers[0])->position;
            const double *y = advance(steppers[1])->position;
            for (int j = 0; j < POSITIONS; j++) {
                assert_close(y[j] / (j < 3 ? l : 1.0), x[j], 0.0, 1e-9);
            }
        }
        for (int i = 0; i < 2; i++) {
            carom_stepper_free(steppers[i]);
            carom_model_free(models[i]);
        }
    }
}

TEST(errors, what_cannot_be_a_body_is_refused) {
    const double wrong[] = {-1.0, 0.0, (double)NAN};
    for (int k = 0; k < 3; k++) {
        carom_rigid_body_params params = free_body();
        carom_model *model = NULL;
        carom_report report = carom_report_empty();
        params.mass = wrong[k];
        ck_assert_int_ne(carom_rigid_body_alloc(&params, &model, &report), CAROM_OK);
        ck_assert_str_eq(report.quantity, "mass");
        params = free_body();
        params.inertia[1] = k == 1 ? 0.54 : wrong[k]; /* more than the others together */
        ck_assert_int_ne(carom_rigid_body_alloc(&params, &model, &report), CAROM_OK);
        ck_assert_str_eq(report.quantity, "inertia");
        ck_assert_ptr_null(model);
    }
    carom_rigid_body_params params = thrown_box();
    carom_model *model = NULL;
    params.edges[2] = 0.0;
    assert_status(carom_rigid_body_alloc(&params, &model, NULL), OUT_OF_RANGE);
}

TEST(errors, a_quaternion_that_is_not_of_unit_length_is_refused_where_motion_starts) {
    carom_rigid_body_params params = free_body();
    params.initial_rotation[0] *= 1.001;
    carom_model *model = model_of(&params);
    const carom_stepper_params scheme = moreau(1e-3, 0.5);
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_stepper_alloc(&model->mechanism, &scheme, &stepper, NULL));
    assert_status(carom_stepper_start(stepper, 0.0, model->initial_position,
                                      model->initial_velocity, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "length of a quaternion");
    carom_stepper_free(stepper);
    carom_model_free(model);
}
