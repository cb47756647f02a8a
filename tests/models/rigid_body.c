/* carom/models/rigid_body.h on a plane: the sphere that comes to roll, one that is thrown with
 * spin, a box. */
#include "rigid_bodies.h"

#include <carom/models/thrown_sphere.h>

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
