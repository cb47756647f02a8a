/* carom/models/vibrating_table.h against closed forms, differences, and landings found by looking
 * at every instant. */
#include <carom/models/vibrating_table.h>

#include <string.h>

#include "../support.h"

static const double PI = 3.14159265358979323846;

static carom_vibrating_table_params random_table(gsl_rng *generator) {
    carom_vibrating_table_params params = carom_vibrating_table_params_default();
    params.restitution = uniform(generator, 0.1, 0.95);
    params.acceleration = uniform(generator, 0.2, 6.0);
    return params;
}

/* An impact after which the ball leaves the table. */
static carom_vibrating_table_impact random_impact(gsl_rng *generator,
                                                  const carom_vibrating_table_params *params) {
    const double phase = uniform(generator, 0.0, 2.0 * PI);
    return (carom_vibrating_table_impact){phase, params->acceleration * cos(phase) +
                                                     uniform(generator, 0.01, 5.0)};
}

/* Height over the table after sigma, over g/omega^2. */
static double height(double gamma, carom_vibrating_table_impact impact, double sigma) {
    return gamma * (sin(impact.phase) - sin(impact.phase + sigma)) +
           (impact.velocity - 0.5 * sigma) * sigma;
}

TEST(unit, the_mechanism_is_that_of_a_ball_in_the_frame_of_the_table) {
    carom_vibrating_table_params params = carom_vibrating_table_params_default();
    params.mass = 2.385;
    params.initial_gap = 0.37;
    params.initial_velocity = -0.52;
    params.initial_phase = 0.81;
    carom_model *model = NULL;
    assert_ok(carom_vibrating_table_alloc(&params, &model, NULL));
    assert_close(model->initial_position[0], 0.37, 0.0, 0.0);
    assert_close(model->initial_velocity[0], -0.52, 0.0, 0.0);
    assert_close(model->mechanism.restitution[0], 0.5, 0.0, 0.0);
    const double t = 0.0173;
    const double q = 0.2;
    double f = 0.0;
    model->mechanism.force(t, &q, &q, &f, model->mechanism.context);
    const double phase = params.angular_frequency * t + 0.81;
    const double amplitude =
        params.acceleration * 9.81 / (params.angular_frequency * params.angular_frequency);
    // -m (g + s''), s = A sin
    const double s_dd =
        -amplitude * params.angular_frequency * params.angular_frequency * sin(phase);
    assert_close(f, -2.385 * (9.81 + s_dd), 1e-14, 0.0);
    carom_model_free(model);
}

TEST(property, the_period_one_motion_repeats_and_its_determinant_is_known) {
    for (int k = 0; k < 5; k++) {
        const double e = 0.1 + 0.17 * k;
        carom_vibrating_table_params params = carom_vibrating_table_params_default();
        params.restitution = e;
        params.acceleration = PI * (1.0 - e) / (1.0 + e) + 0.31;
        carom_vibrating_table_impact impact;
        carom_vibrating_table_impact next;
        double J[4];
        assert_ok(carom_vibrating_table_period_one(&params, &impact, NULL));
        assert_ok(carom_vibrating_table_next(&params, &impact, &next, J, NULL));
        assert_close(next.phase - impact.phase, 2.0 * PI, 1e-13, 0.0);
        assert_close(next.velocity, PI, 1e-13, 0.0);
        assert_close(J[0] * J[3] - J[1] * J[2], e * e, 1e-12, 1e-13);
        const double trace =
            1.0 + e * e - (1.0 + e) * (1.0 + e) * params.acceleration * sin(impact.phase);
        assert_close(J[0] + J[3], trace, 1e-12, 1e-13);
    }
}

TEST(property, a_multiplier_is_minus_one_where_the_motion_doubles) {
    for (int k = 0; k < 5; k++) {
        const double e = 0.1 + 0.17 * k;
        carom_vibrating_table_params params = carom_vibrating_table_params_default();
        params.restitution = e;
        params.acceleration = carom_vibrating_table_flip_acceleration(e);
        carom_vibrating_table_impact impact;
        double J[4];
        assert_ok(carom_vibrating_table_period_one(&params, &impact, NULL));
        assert_ok(carom_vibrating_table_orbit(&params, 1, &impact, J, NULL));
        assert_close(1.0 + J[0] + J[3] + e * e, 0.0, 0.0, 1e-12);
    }
}

TEST(property, a_flight_ends_at_its_first_landing) {
    enum { INSTANTS = 2000 };
    gsl_rng *generator = seeded_generator(20261);
    for (int run = 0; run < 500; run++) {
        const carom_vibrating_table_params params = random_table(generator);
        const double gamma = params.acceleration;
        const carom_vibrating_table_impact from = random_impact(generator, &params);
        carom_vibrating_table_impact to;
        assert_ok(carom_vibrating_table_next(&params, &from, &to, NULL, NULL));
        const double sigma = to.phase - from.phase;
        const double size = gamma + (fabs(from.velocity) + sigma) * sigma;
        ck_assert(fabs(height(gamma, from, sigma)) <= 1e-13 * size);
        double lowest = (double)INFINITY;
        for (int i = 1; i < INSTANTS; i++) {
            lowest = fmin(lowest, height(gamma, from, sigma * i / INSTANTS));
        }
        ck_assert(lowest > -1e-13 * size);
        // Newton's law against the table's velocity.
        const double table = gamma * cos(to.phase);
        assert_close(to.velocity - table, -params.restitution * (from.velocity - sigma - table),
                     1e-12, 1e-12);
    }
    gsl_rng_free(generator);
}

TEST(property, the_jacobian_is_that_of_the_map) {
    gsl_rng *generator = seeded_generator(20262);
    for (int run = 0; run < 300; run++) {
        const carom_vibrating_table_params params = random_table(generator);
        const carom_vibrating_table_impact from = random_impact(generator, &params);
        carom_vibrating_table_impact to;
        double J[4];
        assert_ok(carom_vibrating_table_next(&params, &from, &to, J, NULL));
        const double sigma = to.phase - from.phase;
        const double approach = params.acceleration * cos(to.phase) - (from.velocity - sigma);
        if (approach < 0.3) {
            continue; // near a graze differences say nothing
        }
        const double h = 1e-6;
        for (int by = 0; by < 2; by++) {
            carom_vibrating_table_impact low = from;
            carom_vibrating_table_impact high = from;
            *(by == 0 ? &low.phase : &low.velocity) -= h;
            *(by == 0 ? &high.phase : &high.velocity) += h;
            assert_ok(carom_vibrating_table_next(&params, &low, &low, NULL, NULL));
            assert_ok(carom_vibrating_table_next(&params, &high, &high, NULL, NULL));
            const double scale = 1.0 + fabs(J[by]) + fabs(J[2 + by]);
            assert_close(J[by], (high.phase - low.phase) / (2.0 * h), 0.0, 1e-6 * scale);
            assert_close(J[2 + by], (high.velocity - low.velocity) / (2.0 * h), 0.0, 1e-6 * scale);
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, a_motion_of_two_impacts_is_found_beyond_the_doubling) {
    carom_vibrating_table_params params = carom_vibrating_table_params_default();
    params.acceleration = 1.6;
    carom_vibrating_table_impact impact;
    assert_ok(carom_vibrating_table_period_one(&params, &impact, NULL));
    impact.velocity *= 1.01;
    for (int k = 0; k < 40; k++) {
        assert_ok(carom_vibrating_table_next(&params, &impact, &impact, NULL, NULL));
    }
    double J[4];
    assert_ok(carom_vibrating_table_orbit(&params, 2, &impact, J, NULL));
    ck_assert(impact.phase >= 0.0 && impact.phase < 2.0 * PI);
    assert_close(J[0] * J[3] - J[1] * J[2], pow(0.5, 4.0), 1e-10, 0.0);
    carom_vibrating_table_impact next = impact;
    assert_ok(carom_vibrating_table_next(&params, &next, &next, NULL, NULL));
    ck_assert(fabs(next.velocity - impact.velocity) > 0.1);
    assert_ok(carom_vibrating_table_next(&params, &next, &next, NULL, NULL));
    assert_close(next.velocity, impact.velocity, 1e-12, 0.0);
    assert_close(next.phase, impact.phase + 4.0 * PI, 1e-12, 0.0);
}

TEST(errors, a_ball_that_does_not_leave_is_refused) {
    carom_vibrating_table_params params = carom_vibrating_table_params_default();
    carom_report report = carom_report_empty();
    carom_vibrating_table_impact impact = {0.0, params.acceleration - 0.1};
    assert_status(carom_vibrating_table_next(&params, &impact, &impact, NULL, &report),
                  OUT_OF_RANGE);
    ck_assert(isnan(impact.phase) && isnan(impact.velocity));

    // A table too slow to throw it: impacts accumulate.
    params.acceleration = 0.5;
    impact = (carom_vibrating_table_impact){0.3, 2.0};
    carom_status status = CAROM_OK;
    for (int k = 0; k < 500 && status == CAROM_OK; k++) {
        status = carom_vibrating_table_next(&params, &impact, &impact, NULL, NULL);
    }
    assert_status(status, NOT_CONVERGED);

    assert_status(carom_vibrating_table_period_one(&params, &impact, &report), OUT_OF_RANGE);
    assert_close(report.value, 0.5, 0.0, 0.0);
}

TEST(errors, what_is_no_table_is_refused) {
    static const struct {
        size_t offset;
        double value;
    } cases[] = {{offsetof(carom_vibrating_table_params, mass), 0.0},
                 {offsetof(carom_vibrating_table_params, gravity), -1.0},
                 {offsetof(carom_vibrating_table_params, restitution), 1.5},
                 {offsetof(carom_vibrating_table_params, angular_frequency), 0.0},
                 {offsetof(carom_vibrating_table_params, acceleration), -0.1},
                 {offsetof(carom_vibrating_table_params, initial_gap), -1e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_vibrating_table_params params = carom_vibrating_table_params_default();
        memcpy((char *)&params + cases[i].offset, &cases[i].value, sizeof(double));
        carom_model *model = NULL;
        ck_assert_int_ne(carom_vibrating_table_alloc(&params, &model, NULL), CAROM_OK);
        ck_assert_ptr_null(model);
        memcpy((char *)&params + cases[i].offset, &(double){(double)NAN}, sizeof(double));
        ck_assert_int_ne(carom_vibrating_table_alloc(&params, &model, NULL), CAROM_OK);
        ck_assert_ptr_null(model);
    }
}
