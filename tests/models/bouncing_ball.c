/* carom/models/bouncing_ball.h against the numbers of bruls-2014 section 10.1, closed forms, and
 * the parabola followed from impact to impact with a root finder. */
#include <carom/mechanism/mechanism.h>
#include <carom/models/bouncing_ball.h>

#include "../support.h"

#include <gsl/gsl_roots.h>
#include <string.h>

/** Total energy of the model at a state. */
static double energy(const carom_model *model, double y, double v) {
    double work[2];
    const carom_mechanism *mechanism = &model->mechanism;
    return carom_mechanism_kinetic_energy(mechanism, &y, &v, work) +
           mechanism->potential_energy(&y, mechanism->context);
}

/** A ball with every parameter of its own; v_0 upwards or downwards. */
static carom_bouncing_ball_params random_ball(gsl_rng *generator) {
    carom_bouncing_ball_params params;
    params.mass = uniform(generator, 0.3, 4.0);
    params.radius = uniform(generator, 0.1, 0.6);
    params.gravity = uniform(generator, 1.0, 20.0);
    params.initial_height = params.radius + uniform(generator, 0.1, 3.0);
    params.initial_velocity = uniform(generator, -5.0, 5.0);
    params.restitution = uniform(generator, 0.2, 0.95);
    return params;
}

TEST(unit, the_default_ball_is_that_of_the_paper) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    assert_close(params.mass, 1.0, 0.0, 0.0);
    assert_close(params.radius, 0.2, 0.0, 0.0);
    assert_close(params.gravity, 10.0, 0.0, 0.0);
    assert_close(params.initial_height, 1.001, 0.0, 0.0);
    assert_close(params.initial_velocity, 0.0, 0.0, 0.0);
    assert_close(params.restitution, 0.8, 0.0, 0.0);
}

TEST(unit, the_mechanism_is_that_of_a_ball_over_a_floor) {
    carom_bouncing_ball_params params = {2.385, 0.37, 9.81, 1.46, -0.52, 0.63};
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    ck_assert_int_eq(mechanism->coordinate_count, 1);
    ck_assert_int_eq(mechanism->joint_count, 0);
    ck_assert_int_eq(mechanism->contact_count, 1);
    ck_assert(mechanism->is_linear && mechanism->layout.is_banded);
    ck_assert_int_eq(mechanism->layout.half_bandwidth, 0);
    assert_close(mechanism->restitution[0], 0.63, 0.0, 0.0);
    assert_close(model->initial_position[0], 1.46, 0.0, 0.0);
    assert_close(model->initial_velocity[0], -0.52, 0.0, 0.0);

    /* The model has its own copy of the parameters. */
    params.mass = (double)NAN;
    const double y = 0.912;
    const double v = 1.7;
    double value = (double)NAN;
    mechanism->mass(&y, &value, mechanism->context);
    assert_close(value, 2.385, 0.0, 0.0);
    mechanism->force(0.3, &y, &v, &value, mechanism->context);
    assert_close(value, -2.385 * 9.81, 1e-15, 0.0);
    mechanism->constraints(&y, &value, mechanism->context);
    assert_close(value, 0.912 - 0.37, 1e-15, 0.0);
    mechanism->constraint_jacobian(&y, &value, mechanism->context);
    assert_close(value, 1.0, 0.0, 0.0);
    assert_close(mechanism->potential_energy(&y, mechanism->context), 2.385 * 9.81 * (0.912 - 0.37),
                 1e-15, 0.0);
    carom_model_free(model);
}

TEST(unit, the_exact_series_has_the_numbers_of_the_paper) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    const carom_bouncing_ball_impact first = carom_bouncing_ball_exact_impact(&params, 0);
    /* Half a unit of the last printed digit each. */
    assert_close(first.time, 0.4002499219, 0.0, 5e-11);
    assert_close(first.speed, 4.002499219, 0.0, 5e-10);
    assert_close(first.impulse, 7.2044986, 0.0, 5e-8);
    assert_close(carom_bouncing_ball_exact_impact(&params, 1).impulse, 5.7635989, 0.0, 5e-8);
    assert_close(carom_bouncing_ball_exact_impact(&params, 2).impulse, 4.6108791, 0.0, 5e-8);
    const double accumulation = carom_bouncing_ball_exact_accumulation_time(&params);
    assert_close(accumulation, 3.602, 0.0, 5e-4);
    assert_close(accumulation, 3.602249297, 0.0, 5e-10);
    /* t_acc = t_1 (1 + e)/(1 - e) for a ball dropped from rest. */
    assert_close(accumulation, 0.4002499219 * 1.8 / 0.2, 0.0, 5e-10);
}

TEST(unit, a_ball_dropped_from_one_metre_hits_the_floor_on_the_time_grid_of_the_paper) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.initial_height = 1.0;
    /* The synchronisation that h_0 = 1.001 m avoids: 200 steps of 2e-3 s. */
    assert_close(carom_bouncing_ball_exact_impact(&params, 0).time, 0.4, 1e-15, 0.0);
}

TEST(unit, the_energy_of_the_paper_falls_by_e_squared_at_every_impact) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    double level = 8.01;
    double start = 0.0;
    for (int k = 0; k < 12; k++) {
        const double end = carom_bouncing_ball_exact_impact(&params, k).time;
        for (int i = 0; i < 5; i++) {
            double y;
            double v;
            carom_bouncing_ball_exact_state(&params, start + (end - start) * (0.1 + 0.2 * i), &y,
                                            &v);
            /* Rounding of t times the impact speed, relative to the level left. */
            assert_close(energy(model, y, v), level, 1e-13, 1e-14);
        }
        level *= 0.64;
        start = end;
    }
    carom_model_free(model);
}

TEST(unit, an_impact_instant_gives_the_right_limit) {
    gsl_rng *generator = seeded_generator(7);
    for (int sample = 0; sample < 200; sample++) {
        const carom_bouncing_ball_params params = random_ball(generator);
        for (int k = 0; k < 8; k++) {
            const carom_bouncing_ball_impact impact = carom_bouncing_ball_exact_impact(&params, k);
            double y;
            double v;
            carom_bouncing_ball_exact_state(&params, impact.time, &y, &v);
            assert_close(y, params.radius, 1e-15, 0.0);
            assert_close(v, params.restitution * impact.speed, 1e-14, 0.0);
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, just_before_an_impact_the_ball_still_approaches) {
    gsl_rng *generator = seeded_generator(13);
    for (int sample = 0; sample < 500; sample++) {
        const carom_bouncing_ball_params params = random_ball(generator);
        for (int k = 0; k < 12; k++) {
            const carom_bouncing_ball_impact impact = carom_bouncing_ball_exact_impact(&params, k);
            double y;
            double v;
            carom_bouncing_ball_exact_state(&params, nextafter(impact.time, 0.0), &y, &v);
            /* Some roundings of t, at up to 20 m/s2. */
            assert_close(v, -impact.speed, 0.0, 1e-12);
            assert_close(y, params.radius, 0.0, 1e-12);
        }
    }
    gsl_rng_free(generator);
}

TEST(unit, the_ball_rests_on_the_floor_after_the_accumulation) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    const double end = carom_bouncing_ball_exact_accumulation_time(&params);
    const double times[] = {end, nextafter(end, 0.0), end + 1e-9, 4.0, 1e9};
    for (int i = 0; i < 5; i++) {
        double y;
        double v;
        carom_bouncing_ball_exact_state(&params, times[i], &y, &v);
        /* Just before it, the flights are shorter than the rounding of t. */
        assert_close(y, 0.2, 0.0, 1e-15);
        assert_close(v, 0.0, 0.0, 1e-13);
    }
}

TEST(unit, without_restitution_the_ball_stays_where_it_lands) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.restitution = 0.0;
    const carom_bouncing_ball_impact first = carom_bouncing_ball_exact_impact(&params, 0);
    assert_close(first.impulse, 4.002499219, 0.0, 5e-10);
    assert_close(carom_bouncing_ball_exact_accumulation_time(&params), first.time, 0.0, 0.0);
    assert_close(carom_bouncing_ball_exact_impact(&params, 3).speed, 0.0, 0.0, 0.0);
    assert_close(carom_bouncing_ball_exact_impact(&params, 3).time, first.time, 0.0, 0.0);
    double y;
    double v;
    carom_bouncing_ball_exact_state(&params, first.time + 0.1, &y, &v);
    assert_close(y, 0.2, 0.0, 0.0);
    assert_close(v, 0.0, 0.0, 0.0);
}

TEST(unit, with_full_restitution_the_motion_is_periodic) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.restitution = 1.0;
    ck_assert(isinf(carom_bouncing_ball_exact_accumulation_time(&params)));
    const double period = 2.0 * carom_bouncing_ball_exact_impact(&params, 0).time;
    for (int i = 0; i < 40; i++) {
        const double t = 0.0193 + 0.0197 * i;
        double y[2];
        double v[2];
        carom_bouncing_ball_exact_state(&params, t, &y[0], &v[0]);
        carom_bouncing_ball_exact_state(&params, t + 1000.0 * period, &y[1], &v[1]);
        /* t is 800 s, known to 1e-13 s, at speeds up to 4 m/s and 10 m/s2. */
        assert_close(y[1], y[0], 0.0, 1e-11);
        assert_close(v[1], v[0], 0.0, 1e-11);
    }
}

TEST(unit, a_restitution_close_to_one_keeps_its_digits) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.restitution = 1.0 - 0x1p-40;
    const double t_1 = carom_bouncing_ball_exact_impact(&params, 0).time;
    /* Expanded: e + ... + e^k = k - (1-e) k(k+1)/2 + O((1-e)^2). */
    const double k = 1000.0;
    const double sum = k - 0x1p-40 * k * (k + 1.0) / 2.0;
    assert_close(carom_bouncing_ball_exact_impact(&params, 1000).time, t_1 + 2.0 * t_1 * sum, 1e-15,
                 0.0);
}

TEST(unit, a_ball_laid_on_the_floor_rests) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.initial_height = params.radius;
    const double restitutions[] = {0.0, 0.8, 1.0};
    for (int i = 0; i < 3; i++) {
        params.restitution = restitutions[i];
        double y;
        double v;
        carom_bouncing_ball_exact_state(&params, 0.7, &y, &v);
        assert_close(y, 0.2, 0.0, 0.0);
        assert_close(v, 0.0, 0.0, 0.0);
        assert_close(carom_bouncing_ball_exact_accumulation_time(&params), 0.0, 0.0, 0.0);
    }
}

TEST(unit, a_ball_thrown_down_from_the_floor_leaves_at_once) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.initial_height = params.radius;
    params.initial_velocity = -3.0;
    const carom_bouncing_ball_impact first = carom_bouncing_ball_exact_impact(&params, 0);
    assert_close(first.time, 0.0, 0.0, 0.0);
    assert_close(first.speed, 3.0, 1e-15, 0.0);
    double y;
    double v;
    carom_bouncing_ball_exact_state(&params, 0.1, &y, &v);
    assert_close(y, 0.2 + 2.4 * 0.1 - 0.05, 1e-15, 0.0);
    assert_close(v, 2.4 - 1.0, 1e-15, 0.0);
}

TEST(unit, without_gravity_there_is_at_most_one_impact) {
    carom_bouncing_ball_params params = {1.3, 0.2, 0.0, 1.4, -2.0, 0.5};
    assert_close(carom_bouncing_ball_exact_impact(&params, 0).time, 0.6, 1e-15, 0.0);
    ck_assert(isinf(carom_bouncing_ball_exact_impact(&params, 1).time));
    ck_assert(isinf(carom_bouncing_ball_exact_accumulation_time(&params)));
    double y;
    double v;
    carom_bouncing_ball_exact_state(&params, 1.6, &y, &v);
    assert_close(y, 1.2, 1e-15, 0.0);
    assert_close(v, 1.0, 1e-15, 0.0);

    params.initial_velocity = 2.0;
    ck_assert(isinf(carom_bouncing_ball_exact_impact(&params, 0).time));
    carom_bouncing_ball_exact_state(&params, 1.5, &y, &v);
    assert_close(y, 4.4, 1e-15, 0.0);
    assert_close(v, 2.0, 0.0, 0.0);
}

/** One flight: gap, velocity and gravity. */
typedef struct flight {
    double gap;
    double velocity;
    double gravity;
} flight;

static double flight_gap(double t, void *context) {
    const flight *self = context;
    return self->gap + t * (self->velocity - 0.5 * self->gravity * t);
}

/** Time of landing by bracketing and Brent's method. */
static double land(const flight *start) {
    double low = fmax(0.0, start->velocity / start->gravity);
    double high = low + 0.1;
    while (flight_gap(high, (void *)start) > 0.0) {
        high *= 2.0;
    }
    gsl_function function;
    function.function = flight_gap;
    function.params = (void *)start;
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    ck_assert_int_eq(gsl_root_fsolver_set(solver, &function, low, high), GSL_SUCCESS);
    for (int i = 0; i < 200 && high - low > 1e-15 * high; i++) {
        ck_assert_int_eq(gsl_root_fsolver_iterate(solver), GSL_SUCCESS);
        low = gsl_root_fsolver_x_lower(solver);
        high = gsl_root_fsolver_x_upper(solver);
    }
    const double root = gsl_root_fsolver_root(solver);
    gsl_root_fsolver_free(solver);
    return root;
}

TEST(property, the_series_agrees_with_the_parabola_followed_from_impact_to_impact) {
    for (unsigned long seed = 1; seed <= 100; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        carom_bouncing_ball_params params = random_ball(generator);
        params.restitution = seed % 10 == 0 ? 1.0 : params.restitution;
        gsl_rng_free(generator);
        flight now = {params.initial_height - params.radius, params.initial_velocity,
                      params.gravity};
        double time = 0.0;
        for (int k = 0; k < 8; k++) {
            const double duration = land(&now);
            const double speed = params.gravity * duration - now.velocity;

            /* Halfway the state is on the parabola. */
            double y;
            double v;
            carom_bouncing_ball_exact_state(&params, time + 0.5 * duration, &y, &v);
            assert_close(y - params.radius, flight_gap(0.5 * duration, &now), 1e-11, 1e-13);
            assert_close(v, now.velocity - 0.5 * params.gravity * duration, 1e-11, 1e-12);

            time += duration;
            const carom_bouncing_ball_impact impact = carom_bouncing_ball_exact_impact(&params, k);
            /* The root is found to 1e-15; shallow flights divide that by their speed. */
            assert_close(impact.time, time, 1e-12, 0.0);
            assert_close(impact.speed, speed, 1e-11, 0.0);
            assert_close(impact.impulse, params.mass * (1.0 + params.restitution) * speed, 1e-11,
                         0.0);
            now.gap = 0.0;
            now.velocity = params.restitution * speed;
        }
    }
}

TEST(property, the_ball_never_penetrates_and_its_velocity_is_that_of_its_position) {
    gsl_rng *generator = seeded_generator(11);
    for (int sample = 0; sample < 50; sample++) {
        const carom_bouncing_ball_params params = random_ball(generator);
        const double end = 1.2 * carom_bouncing_ball_exact_accumulation_time(&params);
        int kinks = 0;
        for (int i = 0; i < 400; i++) {
            const double t = end * (i + 0.5) / 400.0;
            const double h = 1e-6;
            double y[3];
            double v[3];
            for (int k = 0; k < 3; k++) {
                carom_bouncing_ball_exact_state(&params, t + h * (k - 1), &y[k], &v[k]);
                ck_assert(y[k] >= params.radius);
            }
            /* An impact within 2 h is rare; elsewhere differences of y are exact up to rounding. */
            const bool is_kink = fabs(v[2] - v[0] + 2.0 * params.gravity * h) > 1e-9 &&
                                 fabs(v[2]) + fabs(v[0]) > 0.0;
            kinks += is_kink;
            if (!is_kink) {
                assert_close((y[2] - y[0]) / (2.0 * h), v[1], 0.0, 1e-8);
            }
        }
        /* One in 400 samples unless the ball is near its accumulation. */
        ck_assert_int_le(kinks, 8);
    }
    gsl_rng_free(generator);
}

TEST(property, the_mechanism_passes_the_check_at_random_states) {
    for (unsigned long seed = 1; seed <= 50; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const carom_bouncing_ball_params params = random_ball(generator);
        const double y = uniform(generator, -3.0, 3.0);
        const double v = uniform(generator, -9.0, 9.0);
        gsl_rng_free(generator);
        carom_model *model = NULL;
        assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
        assert_ok(carom_mechanism_validate(&model->mechanism, 0.0, model->initial_position,
                                           model->initial_velocity, NULL));
        assert_ok(carom_mechanism_check(&model->mechanism, 0.4, &y, &v, 1e-8, seed, NULL));

        /* f = -dV/dy: nothing dissipates. */
        const double above = y + 0.5;
        const double below = y - 0.5;
        double f;
        model->mechanism.force(0.0, &y, &v, &f, model->mechanism.context);
        assert_close(energy(model, below, v) - energy(model, above, v), f, 1e-13, 1e-13);
        carom_model_free(model);
    }
}

/** Refused with this code, quantity and value. */
#define assert_refused(params, code, expected_quantity, expected_value)                     \
    do {                                                                                    \
        carom_model *refused = NULL;                                                        \
        carom_report refusal = carom_report_empty();                                        \
        assert_status(carom_bouncing_ball_alloc(&(params), &refused, &refusal), code);      \
        ck_assert_ptr_null(refused);                                                        \
        ck_assert_str_eq(refusal.quantity, expected_quantity);                              \
        ck_assert(isnan(expected_value) ? isnan(refusal.value)                              \
                                        : fabs(refusal.value - (expected_value)) <= 1e-15); \
    } while (0)

TEST(errors, parameters_that_are_no_ball_are_refused) {
    const struct {
        const char *quantity;
        size_t offset;
        double value;
    } cases[] = {
        {"mass", offsetof(carom_bouncing_ball_params, mass), 0.0},
        {"mass", offsetof(carom_bouncing_ball_params, mass), -1.0},
        {"radius", offsetof(carom_bouncing_ball_params, radius), 0.0},
        {"gravity", offsetof(carom_bouncing_ball_params, gravity), -9.81},
        {"restitution", offsetof(carom_bouncing_ball_params, restitution), -0.1},
        {"restitution", offsetof(carom_bouncing_ball_params, restitution), 1.1},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
        memcpy((char *)&params + cases[i].offset, &cases[i].value, sizeof(double));
        assert_refused(params, OUT_OF_RANGE, cases[i].quantity, cases[i].value);
    }
}

TEST(errors, parameters_that_are_not_finite_are_refused) {
    const char *const names[] = {"mass",           "radius",           "gravity",
                                 "initial height", "initial velocity", "restitution"};
    for (int i = 0; i < 6; i++) {
        double values[6] = {1.0, 0.2, 10.0, 1.001, 0.0, 0.8};
        values[i] = (double)NAN;
        const carom_bouncing_ball_params params = {values[0], values[1], values[2],
                                                   values[3], values[4], values[5]};
        assert_refused(params, NOT_FINITE, names[i], (double)NAN);
    }
}

TEST(errors, a_ball_inside_the_floor_is_refused_with_its_gap) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.initial_height = 0.15;
    assert_refused(params, PENETRATION, "initial gap", -0.05);
    carom_model *model = NULL;
    assert_status(carom_bouncing_ball_alloc(&params, &model, NULL), PENETRATION);
}

TEST(errors, a_ball_that_touches_the_floor_without_gravity_is_accepted) {
    carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    params.initial_height = params.radius;
    params.gravity = 0.0;
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    carom_model_free(model);
}
