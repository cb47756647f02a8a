/* carom/models/ball_column.h against its formulas and the statics of a stack. */
#include <carom/mechanism/mechanism.h>
#include <carom/models/ball_column.h>

#include "../support.h"

enum { LARGEST = 12 };

TEST(unit, the_default_column_has_ten_balls) {
    const carom_ball_column_params params = carom_ball_column_params_default();
    ck_assert_int_eq(params.balls, 10);
    assert_close(params.mass, 1.0, 0.0, 0.0);
    assert_close(params.radius, 0.2, 0.0, 0.0);
    assert_close(params.gravity, 10.0, 0.0, 0.0);
    assert_close(params.restitution, 0.8, 0.0, 0.0);
}

TEST(unit, the_mechanism_is_that_of_balls_on_each_other) {
    const carom_ball_column_params params = {3, 2.385, 0.17, 9.81, 0.63};
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    ck_assert_int_eq(mechanism->coordinate_count, 3);
    ck_assert_int_eq(mechanism->joint_count, 0);
    ck_assert_int_eq(mechanism->contact_count, 3);
    ck_assert(mechanism->is_linear && mechanism->layout.is_banded);
    ck_assert_int_eq(mechanism->layout.half_bandwidth, 0);

    const double q[3] = {0.11, 0.35, 0.29};
    const double v[3] = {1.1, -0.4, 0.7};
    double M[3];
    double f[3];
    double g[3];
    double G[9] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN, (double)NAN,
                   (double)NAN, (double)NAN, (double)NAN, (double)NAN};
    mechanism->mass(q, M, mechanism->context);
    mechanism->force(0.2, q, v, f, mechanism->context);
    mechanism->constraints(q, g, mechanism->context);
    carom_mechanism_constraint_jacobian(mechanism, q, G);
    const double gaps[3] = {0.11, 0.24, -0.06};
    const double jacobian[9] = {1.0, 0.0, 0.0, -1.0, 1.0, 0.0, 0.0, -1.0, 1.0};
    for (int i = 0; i < 3; i++) {
        assert_close(mechanism->restitution[i], 0.63, 0.0, 0.0);
        assert_close(M[i], 2.385, 0.0, 0.0);
        assert_close(f[i], -2.385 * 9.81, 1e-15, 0.0);
        assert_close(g[i], gaps[i], 0.0, 1e-16);
        assert_close(model->initial_position[i], 0.0, 0.0, 0.0);
        assert_close(model->initial_velocity[i], 0.0, 0.0, 0.0);
    }
    for (int i = 0; i < 9; i++) {
        assert_close(G[i], jacobian[i], 0.0, 0.0);
    }
    assert_close(mechanism->potential_energy(q, mechanism->context), 2.385 * 9.81 * 0.75, 1e-15,
                 0.0);
    carom_model_free(model);
}

TEST(unit, each_contact_at_rest_carries_the_balls_above_it) {
    const carom_ball_column_params params = carom_ball_column_params_default();
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    double f[10];
    double G[100];
    double g[10];
    mechanism->force(0.0, model->initial_position, model->initial_velocity, f, mechanism->context);
    carom_mechanism_constraint_jacobian(mechanism, model->initial_position, G);
    mechanism->constraints(model->initial_position, g, mechanism->context);
    for (int i = 0; i < 10; i++) {
        /* f + G' lambda = 0 with lambda_j = (N - j) m a_g. */
        double sum = f[i];
        for (int j = 0; j < 10; j++) {
            sum += G[10 * j + i] * (10 - j) * 10.0;
        }
        assert_close(sum, 0.0, 0.0, 0.0);
        assert_close(g[i], 0.0, 0.0, 0.0);
    }
    carom_model_free(model);
}

TEST(property, columns_of_any_height_pass_the_check) {
    for (int n = 1; n <= LARGEST; n++) {
        gsl_rng *generator = seeded_generator((unsigned long)n);
        const carom_ball_column_params params = {
            .balls = n,
            .mass = uniform(generator, 0.1, 5.0),
            .radius = uniform(generator, 0.05, 0.5),
            .gravity = uniform(generator, 0.0, 20.0),
            .restitution = uniform(generator, 0.0, 1.0),
        };
        double q[LARGEST];
        double v[LARGEST];
        for (int i = 0; i < n; i++) {
            q[i] = uniform(generator, -1.0, 1.0);
            v[i] = uniform(generator, -1.0, 1.0);
        }
        gsl_rng_free(generator);
        carom_model *model = NULL;
        assert_ok(carom_ball_column_alloc(&params, &model, NULL));
        const carom_mechanism *mechanism = &model->mechanism;
        assert_ok(carom_mechanism_validate(mechanism, 0.0, model->initial_position,
                                           model->initial_velocity, NULL));
        assert_ok(carom_mechanism_check(mechanism, 0.3, q, v, 1e-8, 5, NULL));

        /* f = -dV/dq: nothing dissipates, and V is linear. */
        double f[LARGEST];
        mechanism->force(0.0, q, v, f, mechanism->context);
        for (int i = 0; i < n; i++) {
            const double before = mechanism->potential_energy(q, mechanism->context);
            q[i] += 1.0;
            const double after = mechanism->potential_energy(q, mechanism->context);
            q[i] -= 1.0;
            assert_close(before - after, f[i], 1e-12, 1e-12);
        }
        carom_model_free(model);
    }
}

/** Refused with this code and quantity. */
static void assert_refused(carom_ball_column_params params, carom_status code,
                           const char *quantity) {
    carom_model *model = NULL;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_ball_column_alloc(&params, &model, &report), code);
    ck_assert_ptr_null(model);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, parameters_that_are_no_column_are_refused) {
    const carom_ball_column_params good = carom_ball_column_params_default();
    carom_ball_column_params params = good;
    params.balls = 0;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "balls");
    params = good;
    params.mass = 0.0;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "mass");
    params = good;
    params.radius = -0.2;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "radius");
    params = good;
    params.gravity = -1.0;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "gravity");
    params = good;
    params.restitution = 1.5;
    assert_refused(params, CAROM_STATUS_OUT_OF_RANGE, "restitution");
}

TEST(errors, parameters_that_are_not_finite_are_refused) {
    const carom_ball_column_params good = carom_ball_column_params_default();
    carom_ball_column_params params = good;
    params.mass = (double)NAN;
    assert_refused(params, CAROM_STATUS_NOT_FINITE, "mass");
    params = good;
    params.radius = (double)INFINITY;
    assert_refused(params, CAROM_STATUS_NOT_FINITE, "radius");
    params = good;
    params.gravity = (double)INFINITY;
    assert_refused(params, CAROM_STATUS_NOT_FINITE, "gravity");
    params = good;
    params.restitution = (double)NAN;
    assert_refused(params, CAROM_STATUS_NOT_FINITE, "restitution");
}
