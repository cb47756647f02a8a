/* carom/models: a linear system whose last coordinate meets an obstacle without rebound. */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/models/linear_contact.h>
#include <carom/timestepping/plastic/plastic.h>

#include <gsl/gsl_math.h>

enum { N = 3 };

static const double MASS[N * N] = {2.3, 0.4, -0.3, 0.4, 1.7, 0.2, -0.3, 0.2, 0.9};
static const double STIFFNESS[N * N] = {3.1, -1.2, 0.3, -1.2, -0.8, 0.6, 0.3, 0.6, 2.7};
static const double LOAD[N] = {0.7, -1.3, 2.1};

static carom_linear_contact_params params_of(int sign) {
    return (carom_linear_contact_params){
        .coordinate_count = N,
        .mass = MASS,
        .stiffness = STIFFNESS,
        .load = LOAD,
        .contact_level = 0.37,
        .contact_sign = sign,
    };
}

TEST(property, the_mechanism_is_the_one_of_its_matrices) {
    gsl_rng *generator = seeded_generator(51);
    for (int sample = 0; sample < 20; sample++) {
        const int sign = sample % 2 == 0 ? 1 : -1;
        carom_linear_contact_params params = params_of(sign);
        params.is_angle = sample % 4 < 2;
        carom_model *model = NULL;
        assert_ok(carom_linear_contact_alloc(&params, &model, NULL));
        const carom_mechanism *mechanism = &model->mechanism;
        double q[N];
        double v[N];
        for (int i = 0; i < N; i++) {
            q[i] = uniform(generator, -2.0, 2.0);
            v[i] = uniform(generator, -2.0, 2.0);
        }
        assert_ok(carom_mechanism_validate(mechanism, 0.0, q, v, NULL));
        assert_ok(carom_mechanism_check(mechanism, 0.3, q, v, 1e-7, 5, NULL));
        assert_close(mechanism->restitution[0], 0.0, 0.0, 0.0);
        ck_assert_str_eq(mechanism->position_units, params.is_angle ? "rad" : "m");

        // The gap opens with the sign; V falls by the work of f along a line.
        double gap;
        double f[N];
        q[N - 1] = 0.37 + 0.8 * sign;
        mechanism->constraints(q, &gap, mechanism->context);
        assert_close(gap, 0.8, 1e-14, 0.0);
        mechanism->force(0.0, q, v, f, mechanism->context);
        double work = 0.0;
        double ahead[N];
        double behind[N];
        for (int i = 0; i < N; i++) {
            double expected = LOAD[i];
            for (int j = 0; j < N; j++) {
                expected -= STIFFNESS[i * N + j] * q[j];
            }
            assert_close(f[i], expected, 1e-13, 1e-14);
            work += f[i] * v[i];
            ahead[i] = q[i] + 0.5 * v[i];
            behind[i] = q[i] - 0.5 * v[i];
        }
        const double fall = mechanism->potential_energy(behind, mechanism->context) -
                            mechanism->potential_energy(ahead, mechanism->context);
        assert_close(fall, work, 1e-12, 1e-12);
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_mass_falls_on_the_obstacle_and_stays) {
    // x'' = -g, without stiffness: it lands after sqrt(2 (h - x_0)/g) and loses m g (h - x_0).
    const double mass = 1.9;
    const double none = 0.0;
    const double weight = -1.9 * 3.7;
    const carom_linear_contact_params params = {
        .coordinate_count = 1,
        .mass = &mass,
        .stiffness = &none,
        .load = &weight,
        .contact_level = 0.4,
        .contact_sign = 1,
    };
    const double height = 1.3;
    carom_model *model = NULL;
    carom_plastic_motion *motion = NULL;
    const carom_plastic_params plastic = carom_plastic_params_default();
    carom_plastic_event event;
    assert_ok(carom_linear_contact_alloc(&params, &model, NULL));
    assert_ok(carom_plastic_motion_alloc(&model->mechanism, &plastic, &motion, NULL));
    assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &none, false, NULL));
    assert_ok(carom_plastic_motion_advance(motion, 5.0, &event, NULL));
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
    assert_close(event.time, sqrt(2.0 * 0.9 / 3.7), 1e-12, 0.0);
    assert_close(event.energy_lost, 1.9 * 3.7 * 0.9, 1e-11, 0.0);
    assert_ok(carom_plastic_motion_advance(motion, 5.0, &event, NULL));
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_END);
    assert_close(carom_plastic_motion_contact_force(motion), 1.9 * 3.7, 1e-12, 0.0);
    carom_plastic_motion_free(motion);
    carom_model_free(model);
}

TEST(errors, what_is_no_system_is_refused_by_name) {
    carom_model *model = NULL;
    carom_report report = carom_report_empty();
    double broken[N * N];
    memcpy(broken, MASS, sizeof broken);
    broken[4] = NAN;
    carom_linear_contact_params params = params_of(0);
    ck_assert_int_eq(carom_linear_contact_alloc(&params, &model, &report),
                     CAROM_STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "contact sign");
    params = params_of(1);
    params.coordinate_count = 0;
    ck_assert_int_eq(carom_linear_contact_alloc(&params, &model, &report),
                     CAROM_STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "number of coordinates");
    params = params_of(1);
    params.mass = broken;
    ck_assert_int_eq(carom_linear_contact_alloc(&params, &model, &report), CAROM_STATUS_NOT_FINITE);
    ck_assert_str_eq(report.quantity, "mass");
    params = params_of(-1);
    params.contact_level = INFINITY;
    ck_assert_int_eq(carom_linear_contact_alloc(&params, &model, &report), CAROM_STATUS_NOT_FINITE);
    ck_assert_str_eq(report.quantity, "contact level");
    ck_assert_ptr_null(model);
}

TEST(errors, memory_that_runs_out_is_reported) {
    const carom_linear_contact_params params = params_of(1);
    for (int successes = 0;; successes++) {
        carom_model *model = NULL;
        successes_left = successes;
        const carom_status status = carom_linear_contact_alloc(&params, &model, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            ck_assert_int_ge(successes, 2);
            carom_model_free(model);
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_ptr_null(model);
    }
}
