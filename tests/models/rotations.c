/* Rotations as unit quaternions and free bodies of carom/models/rigid_body.h: the symmetric top
 * against its closed form, energy and spin over long runs. */
#include "rigid_bodies.h"

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
