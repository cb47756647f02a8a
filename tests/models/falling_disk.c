/* The ball of halm-2023 figure 6 and its exact solution. Expected values: section 3.8 of the
 * specification and the inclusion (53). */
#include "impact_scene.h"

#include <carom/models/falling_disk.h>

static carom_falling_disk_params uneven_params(void) {
    const carom_falling_disk_params params = {
        .radius = 0.713,
        .mass = 2.385,
        .gravity = 9.731,
        .initial_gap = 0.437,
        .initial_velocity = -1.19,
        .friction = 0.31,
        .reference_force = 1.0,
    };
    return params;
}

TEST(unit, default_ball_lands_as_in_the_figure) {
    const carom_falling_disk_params params = carom_falling_disk_params_default();
    carom_falling_disk_landing landing;
    assert_ok(carom_falling_disk_exact_landing(&params, &landing, NULL));
    assert_close(landing.time, 2.0, ROUNDING, 0.0);
    assert_close(landing.speed, 4.0 / 3.0, ROUNDING, 0.0);
    assert_close(landing.impulse, 4.0 / 3.0, ROUNDING, 0.0);
    assert_close(landing.resting_share, 0.5, ROUNDING, 0.0);
}

TEST(unit, scene_is_a_disc_above_the_floor) {
    const carom_falling_disk_params params = uneven_params();
    carom_impact_scene *scene = NULL;
    assert_ok(carom_falling_disk_alloc(&params, &scene, NULL));
    const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
    double gap;
    double row[3];
    double force[3];
    double M[9];
    mechanism->constraints(scene->position, &gap, mechanism->context);
    mechanism->constraint_jacobian(scene->position, row, mechanism->context);
    mechanism->force(0.0, scene->position, scene->velocity, force, mechanism->context);
    mechanism->mass(scene->position, M, mechanism->context);
    assert_close(gap, 0.437, 0.0, ROUNDING);
    assert_close(row[0] * scene->velocity[0] + row[1] * scene->velocity[1] +
                     row[2] * scene->velocity[2],
                 -1.19, ROUNDING, 0.0);
    assert_close(force[1], -2.385 * 9.731, ROUNDING, 0.0);
    assert_close(M[8], 0.5 * 2.385 * 0.713 * 0.713, ROUNDING, 0.0);
    assert_close(mechanism->friction[0], 0.31, 0.0, 0.0);
    assert_sound(scene, 0.2);
    carom_impact_scene_free(scene);
}

/* Balances over any interval: momentum m dv = dL_n - m g dt, and ds = dt + dL_n, where the impulse
 * is summed from its rates phase by phase. */
TEST(property, solution_satisfies_the_inclusion) {
    const carom_falling_disk_params cases[2] = {carom_falling_disk_params_default(),
                                                uneven_params()};
    for (int k = 0; k < 2; k++) {
        const carom_falling_disk_params *params = &cases[k];
        carom_falling_disk_landing landing;
        assert_ok(carom_falling_disk_exact_landing(params, &landing, NULL));
        const double end = 2.0 * (landing.time + landing.impulse);
        for (int i = 0; i <= 200; i++) {
            const double s = end * i / 200.0;
            const carom_falling_disk_state at = carom_falling_disk_exact_state(params, &landing, s);
            const double impulse = s - at.time;
            const double m = params->mass;
            assert_close(at.time_rate + at.impulse_rate, 1.0, ROUNDING, 0.0);
            assert_close(m * (at.velocity - params->initial_velocity),
                         impulse - m * params->gravity * at.time, 0.0, 1e-12);
            ck_assert(at.gap >= 0.0);
            if (at.phase == CAROM_FALLING_DISK_FLIGHT) {
                assert_close(impulse, 0.0, 0.0, 0.0);
                /* Energy of the free flight. */
                assert_close(0.5 * at.velocity * at.velocity + params->gravity * at.gap,
                             0.5 * landing.speed * landing.speed, 1e-12, 0.0);
            } else {
                assert_close(at.gap, 0.0, 0.0, 0.0);
                ck_assert(at.velocity <= 0.0);
            }
            if (at.phase == CAROM_FALLING_DISK_REST) {
                assert_close(at.velocity, 0.0, 0.0, 0.0);
                assert_close(at.impulse_rate / at.time_rate, m * params->gravity, ROUNDING, 0.0);
            }
        }
    }
}

TEST(property, phases_follow_one_another_without_a_jump) {
    const carom_falling_disk_params params = uneven_params();
    carom_falling_disk_landing landing;
    assert_ok(carom_falling_disk_exact_landing(&params, &landing, NULL));
    const double places[2] = {landing.time, landing.time + landing.impulse};
    const carom_falling_disk_phase phases[3] = {CAROM_FALLING_DISK_FLIGHT,
                                                CAROM_FALLING_DISK_IMPACT, CAROM_FALLING_DISK_REST};
    for (int i = 0; i < 2; i++) {
        const double step = 1e-9;
        const carom_falling_disk_state before =
            carom_falling_disk_exact_state(&params, &landing, places[i] - step);
        const carom_falling_disk_state after =
            carom_falling_disk_exact_state(&params, &landing, places[i] + step);
        ck_assert_int_eq(before.phase, phases[i]);
        ck_assert_int_eq(after.phase, phases[i + 1]);
        /* Slopes are below twenty. */
        assert_close(before.velocity, after.velocity, 0.0, 40.0 * step);
        assert_close(before.gap, after.gap, 0.0, 40.0 * step);
        assert_close(before.time, after.time, 0.0, 40.0 * step);
    }
}

TEST(unit, ball_released_on_the_floor_rests_at_once) {
    carom_falling_disk_params params = carom_falling_disk_params_default();
    params.initial_gap = 0.0;
    params.initial_velocity = 0.0;
    carom_falling_disk_landing landing;
    assert_ok(carom_falling_disk_exact_landing(&params, &landing, NULL));
    const carom_falling_disk_state at = carom_falling_disk_exact_state(&params, &landing, 0.0);
    ck_assert_int_eq(at.phase, CAROM_FALLING_DISK_REST);
    params.initial_velocity = -0.7;
    assert_ok(carom_falling_disk_exact_landing(&params, &landing, NULL));
    assert_close(landing.time, 0.0, 0.0, 0.0);
    assert_close(landing.speed, 0.7, ROUNDING, 0.0);
}

static void assert_refused(carom_falling_disk_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    carom_falling_disk_landing landing;
    ck_assert_int_eq(carom_falling_disk_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(carom_falling_disk_exact_landing(&params, &landing, NULL), expected);
    ck_assert(isnan(landing.time) && isnan(landing.impulse));
}

/* Masses and kappa in other units. */
TEST(property, solution_depends_on_the_mass_over_the_reference_force) {
    const carom_falling_disk_params params = uneven_params();
    carom_falling_disk_params light = params;
    light.mass *= 1e-9;
    light.reference_force *= 1e-9;
    carom_falling_disk_landing landing[2];
    assert_ok(carom_falling_disk_exact_landing(&params, &landing[0], NULL));
    assert_ok(carom_falling_disk_exact_landing(&light, &landing[1], NULL));
    assert_close(landing[1].impulse, 1e-9 * landing[0].impulse, ROUNDING, 0.0);
    const double end = 2.0 * (landing[0].time + landing[0].impact_length);
    for (int i = 0; i <= 200; i++) {
        const double s = end * i / 200.0;
        const carom_falling_disk_state a = carom_falling_disk_exact_state(&params, &landing[0], s);
        const carom_falling_disk_state b = carom_falling_disk_exact_state(&light, &landing[1], s);
        ck_assert_int_eq(a.phase, b.phase);
        assert_close(b.time, a.time, 0.0, 1e-12);
        assert_close(b.velocity, a.velocity, 0.0, 1e-12);
        assert_close(b.impulse_rate, a.impulse_rate, 0.0, 1e-12);
    }
}

/* A ball of 1 mg, its kappa not given. */
TEST(property, reference_force_that_is_not_given_is_the_weight) {
    const carom_falling_disk_params published = carom_falling_disk_params_default();
    carom_falling_disk_params light = published;
    light.mass = 1e-6;
    carom_falling_disk_landing landing[2];
    assert_ok(carom_falling_disk_exact_landing(&published, &landing[0], NULL));
    assert_ok(carom_falling_disk_exact_landing(&light, &landing[1], NULL));
    assert_close(carom_falling_disk_reference_force(&published), 1.0, 0.0, 0.0);
    assert_close(landing[1].impact_length, landing[0].impact_length, ROUNDING, 0.0);
    assert_close(landing[1].resting_share, 0.5, ROUNDING, 0.0);
}

TEST(errors, what_is_no_falling_ball_is_refused) {
    const carom_falling_disk_params good = carom_falling_disk_params_default();
    carom_falling_disk_params bad = good;
    bad.radius = -1.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "radius");
    bad = good;
    bad.mass = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "mass");
    bad = good;
    bad.gravity = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "gravity");
    bad = good;
    bad.reference_force = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "reference force");
    bad = good;
    bad.initial_gap = -1e-3;
    assert_refused(bad, CAROM_STATUS_PENETRATION, "initial gap");
    bad.initial_gap = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "initial gap");
    bad = good;
    bad.initial_velocity = INFINITY;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "initial velocity");
    bad = good;
    bad.friction = -0.5;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "friction");
}

TEST(errors, a_ball_whose_rounding_is_seen_in_its_fall_is_refused) {
    // It falls by 2/3 m + (2/3 m/s)^2/(2 m/s2) = 8/9 m.
    carom_falling_disk_params ball = carom_falling_disk_params_default();
    carom_impact_scene *scene = NULL;
    carom_report report = carom_report_empty();
    ball.radius = 4.1e9;
    assert_status(carom_falling_disk_alloc(&ball, &scene, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "radius");
    assert_close(report.bound, 8e-6 / 9.0 / DBL_EPSILON, 1e-14, 0.0);
    ball.radius = 3.9e9;
    assert_ok(carom_falling_disk_alloc(&ball, &scene, NULL));
    carom_impact_scene_free(scene);
}
