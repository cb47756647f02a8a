/* The block of halm-2023 section 5.4.1 and the closed forms of its impact. Expected values: table 4
 * and section 3.1 of the specification, or the laws of the impact themselves. */
#include "impact_scene.h"

#include <carom/models/internal.h>

enum { RANDOM_CASES = 40 };

static carom_impact_scene *scene_of(const carom_rigid_block_params *params) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_rigid_block_alloc(params, &scene, NULL));
    return scene;
}

static carom_rigid_block_exact exact_of(const carom_rigid_block_params *params) {
    carom_rigid_block_exact exact;
    assert_ok(carom_rigid_block_exact_compute(params, &exact, NULL));
    return exact;
}

static carom_rigid_block_params random_params(gsl_rng *generator) {
    carom_rigid_block_params params = carom_rigid_block_params_default();
    params.width = uniform(generator, 0.2, 3.0);
    params.height = uniform(generator, 0.2, 3.0);
    params.mass = uniform(generator, 0.3, 4.0);
    params.friction = uniform(generator, 0.76, 3.0);
    params.initial_speed = uniform(generator, 0.1, 2.0);
    params.gravity = uniform(generator, 1.0, 20.0);
    return params;
}

TEST(unit, default_block_has_the_matrices_of_the_specification) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double position[3] = {0.0, 1.0, 0.0};
    const double velocity[3] = {0.0, -0.442944692, 0.0};
    const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 5.0 / 12.0};
    const double jacobian[12] = {0, 1, -0.5, 0, 1, 0.5, 1, 0, 1, 1, 0, 1};
    const double delassus[16] = {1.6,  0.4, -1.2, -1.2, 0.4,  1.6, 1.2, 1.2,
                                 -1.2, 1.2, 3.4,  3.4,  -1.2, 1.2, 3.4, 3.4};
    assert_values(scene->position, position, 3, 0.0, ROUNDING);
    assert_values(scene->velocity, velocity, 3, 0.0, 5.1e-10); /* nine decimals */
    assert_values(problem->mass, mass, 9, 0.0, ROUNDING);
    assert_values(problem->contact_jacobian, jacobian, 12, 0.0, ROUNDING);
    assert_values(problem->delassus_matrix, delassus, 16, 0.0, ROUNDING);
    assert_close(problem->friction[0], 1.0, 0.0, 0.0);
    assert_close(problem->friction[1], 1.0, 0.0, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(unit, closed_forms_of_the_default_block_have_their_printed_digits) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    const carom_rigid_block_exact exact = exact_of(&params);
    assert_close(exact.transfer, 0.7, 0.0, ROUNDING);
    assert_close(exact.stick_friction, 6.0 / 17.0, 0.0, ROUNDING);
    assert_close(exact.direct_rate, 20.0 / 17.0, 0.0, ROUNDING);
    assert_close(exact.cross_rate, 14.0 / 17.0, 0.0, ROUNDING);
    assert_close(exact.corner_impulse, 0.221472, 0.0, 5.1e-7);
    assert_close(exact.largest_rebound, 0.0930184, 0.0, 5.1e-8);
    assert_close(exact.shortest_impact, 0.442945, 0.0, 5.1e-7);
    assert_close(exact.longest_impact, 0.489454, 0.0, 5.1e-7);

    /* A, then B. */
    double speeds[2];
    double velocity[3];
    carom_rigid_block_exact_sequence(&exact, 0, 1, speeds);
    assert_close(speeds[0], 0.0, 0.0, 0.0);
    assert_close(speeds[1], -0.3 * params.initial_speed, ROUNDING, 0.0);
    carom_rigid_block_exact_velocity(&exact, speeds, velocity);
    assert_close(velocity[2], -0.3 * params.initial_speed, ROUNDING, 0.0);
    carom_rigid_block_exact_sequence(&exact, 0, 2, speeds);
    const double turning[3] = {0.0930184, 0.0465092, -0.0930184};
    carom_rigid_block_exact_velocity(&exact, speeds, velocity);
    assert_values(velocity, turning, 3, 0.0, 5.1e-8);
    assert_close(speeds[0], 0.0930184, 0.0, 5.1e-8);
    assert_close(speeds[1], 0.0, 0.0, 0.0);
}

TEST(unit, simultaneous_model_brings_the_default_block_to_rest) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    carom_impact_outcomes *outcomes = outcomes_of(problem);
    ck_assert_int_eq(outcomes->count, 1);
    const carom_rigid_block_exact exact = exact_of(&params);
    for (int i = 0; i < 4; i++) {
        assert_close(outcomes->contact_velocity[i], 0.0, 0.0, ROUNDING);
    }
    assert_close(outcomes->impulse[0], exact.corner_impulse, ROUNDING, 0.0);
    assert_close(outcomes->impulse[1], exact.corner_impulse, ROUNDING, 0.0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

/* Independent: gaps of the corners from the geometry, energy of the fall. */
TEST(unit, tilted_block_touches_with_its_lower_corner_and_has_fallen_less) {
    carom_rigid_block_params params = carom_rigid_block_params_default();
    params.width = 1.17;
    params.height = 1.93;
    params.gravity = 9.73;
    for (int sign = -1; sign <= 1; sign += 2) {
        params.tilt = sign * 0.0113;
        carom_impact_scene *scene = scene_of(&params);
        const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
        double gaps[2];
        mechanism->constraints(scene->position, gaps, mechanism->context);
        const int lower = sign > 0 ? 0 : 1;
        assert_close(gaps[lower], 0.0, 0.0, ROUNDING);
        assert_close(gaps[1 - lower], 1.17 * sin(0.0113), 0.0, ROUNDING);
        assert_close(scene->position[2], params.tilt, 0.0, 0.0);
        const double rise = scene->position[1] - 0.5 * 1.93;
        const double v = scene->velocity[1];
        ck_assert(v < 0.0);
        assert_close(0.5 * v * v + 9.73 * rise, 0.5 * params.initial_speed * params.initial_speed,
                     ROUNDING, 0.0);
        carom_impact_scene_free(scene);
    }
}

/* Corners: M (v+ - v-) = J' L with L the sticking impulse of one corner, solved with the Delassus
 * matrix of the scene. */
TEST(property, sequence_is_that_of_single_sticking_corners) {
    const unsigned long seed = 20231;
    gsl_rng *generator = seeded_generator(seed);
    int narrow = 0;
    for (int k = 0; k < RANDOM_CASES; k++) {
        const carom_rigid_block_params params = random_params(generator);
        carom_impact_scene *scene = scene_of(&params);
        carom_impact_problem *problem = problem_of(scene);
        const carom_rigid_block_exact exact = exact_of(&params);
        const double *C = problem->delassus_matrix;
        narrow += exact.transfer > 0.0 ? 1 : 0;
        assert_close(exact.stick_friction, fabs(C[2]) / C[10], 1e-12, 0.0);
        for (int first = 0; first < 2; first++) {
            double c[4];
            memcpy(c, problem->contact_velocity, sizeof(c));
            for (int stage = 1; stage <= 5; stage++) {
                const int hit = (first + stage - 1) % 2;
                if (c[hit] < 0.0) {
                    const double share = -C[4 * (2 + hit) + hit] / C[4 * (2 + hit) + 2 + hit];
                    double L[4] = {0.0, 0.0, 0.0, 0.0};
                    L[hit] = -c[hit] / (C[5 * hit] + share * C[4 * hit + 2 + hit]);
                    L[2 + hit] = share * L[hit];
                    carom_impact_add_impulse(problem, L, c, c);
                }
                double speeds[2];
                double v[3];
                double speeds_of_v[2];
                carom_rigid_block_exact_sequence(&exact, first, stage, speeds);
                carom_rigid_block_exact_velocity(&exact, speeds, v);
                for (int i = 0; i < 2; i++) {
                    const double *row = &problem->contact_jacobian[3 * i];
                    speeds_of_v[i] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
                    ck_assert_msg(fabs(speeds[i] - c[i]) < 1e-12,
                                  "seed %lu case %d stage %d: %g %g", seed, k, stage, speeds[i],
                                  c[i]);
                    assert_close(speeds_of_v[i], speeds[i], 0.0, 1e-12);
                    assert_close(v[0] + 0.5 * params.height * v[2], 0.0, 0.0, 1e-12);
                    assert_close(c[2 + i], 0.0, 0.0, 1e-12);
                }
            }
        }
        carom_impact_problem_free(problem);
        carom_impact_scene_free(scene);
    }
    ck_assert(narrow > 5 && narrow < RANDOM_CASES - 5);
    gsl_rng_free(generator);
}

/* Any path with normal rates (p, 1 - p), p in [0, 1] drawn anew at each step while both corners
 * collide. A corner that does not gets nothing, or, where the other one drives it down (e < 0),
 * what holds it. */
TEST(property, paths_of_the_inclusion_end_in_the_outcome_set_with_its_length) {
    const unsigned long seed = 55;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < RANDOM_CASES; k++) {
        const carom_rigid_block_params params = random_params(generator);
        const carom_rigid_block_exact exact = exact_of(&params);
        double c[2] = {-params.initial_speed, -params.initial_speed};
        double length = 0.0;
        for (int step = 0; step < 10000 && fmin(c[0], c[1]) < -1e-14; step++) {
            double p = gsl_rng_uniform(generator) < 0.3 ? floor(uniform(generator, 0.0, 2.0))
                                                        : gsl_rng_uniform(generator);
            const double held = fmax(0.0, -exact.transfer) / (1.0 - exact.transfer);
            p = c[0] > -1e-15 ? held : c[1] > -1e-15 ? 1.0 - held : p;
            const double rate[2] = {exact.direct_rate * p + exact.cross_rate * (1.0 - p),
                                    exact.cross_rate * p + exact.direct_rate * (1.0 - p)};
            /* Up to a random part of the way to the first sign change. */
            double step_length = INFINITY;
            for (int i = 0; i < 2; i++) {
                step_length =
                    c[i] * rate[i] < 0.0 ? fmin(step_length, -c[i] / rate[i]) : step_length;
            }
            step_length *= step % 4 == 3 ? 1.0 : gsl_rng_uniform(generator);
            c[0] += step_length * rate[0];
            c[1] += step_length * rate[1];
            length += step_length;
        }
        ck_assert_msg(fmin(c[0], c[1]) >= -1e-14, "seed %lu case %d", seed, k);
        assert_close(carom_rigid_block_exact_distance(&exact, c), 0.0, 0.0, 1e-12);
        assert_close(carom_rigid_block_exact_length(&exact, fmax(c[0], c[1])), length, 1e-11, 0.0);
    }
    gsl_rng_free(generator);
}

TEST(unit, distance_from_the_set_is_that_from_two_segments) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    const carom_rigid_block_exact exact = exact_of(&params);
    const double a = exact.largest_rebound;
    const double inside[2] = {0.0, 0.6 * a};
    const double corner[2] = {0.03, 0.04};
    const double beyond[2] = {a + 0.3, -0.4};
    const double below[2] = {-0.3, -0.4};
    assert_close(carom_rigid_block_exact_distance(&exact, inside), 0.0, 0.0, ROUNDING);
    assert_close(carom_rigid_block_exact_distance(&exact, corner), 0.03, 0.0, ROUNDING);
    assert_close(carom_rigid_block_exact_distance(&exact, beyond), 0.5, 0.0, ROUNDING);
    assert_close(carom_rigid_block_exact_distance(&exact, below), 0.5, 0.0, ROUNDING);
    assert_close(carom_rigid_block_exact_length(&exact, a), exact.longest_impact, ROUNDING, 0.0);
    assert_close(carom_rigid_block_exact_length(&exact, 0.0), exact.shortest_impact, ROUNDING, 0.0);
}

TEST(property, derivatives_agree_with_finite_differences) {
    carom_rigid_block_params params = carom_rigid_block_params_default();
    params.width = 0.871;
    params.tilt = 0.002;
    carom_impact_scene *scene = scene_of(&params);
    assert_sound(scene, 0.3);
    carom_impact_scene_free(scene);
}

static void assert_refused(carom_rigid_block_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_rigid_block_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, what_is_no_block_is_refused) {
    const carom_rigid_block_params good = carom_rigid_block_params_default();
    carom_rigid_block_params bad = good;
    bad.width = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "width");
    bad = good;
    bad.height = -2.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "height");
    bad = good;
    bad.mass = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "mass");
    bad = good;
    bad.friction = -0.1;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "friction");
    bad = good;
    bad.gravity = -9.81;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "gravity");
    bad = good;
    bad.initial_speed = INFINITY;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "initial speed");
    bad = good;
    bad.tilt = atan2(1.0, 2.0);
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "tilt");

    /* A fall of 1 cm ends before the block turned by 0.03 rad, 1.5 cm higher, could start. */
    bad = good;
    bad.tilt = -0.03;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "initial speed");
    bad.tilt = 0.001;
    bad.initial_speed = -0.5;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "initial speed");
}

TEST(errors, closed_forms_are_refused_where_they_do_not_hold) {
    const carom_rigid_block_params good = carom_rigid_block_params_default();
    carom_report report = carom_report_empty();
    carom_rigid_block_exact exact;
    carom_rigid_block_params bad = good;
    bad.friction = 0.3529;
    assert_status(carom_rigid_block_exact_compute(&bad, &exact, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "friction");
    ck_assert(isnan(exact.transfer) && isnan(exact.longest_impact));
    bad.friction = 0.353;
    assert_ok(carom_rigid_block_exact_compute(&bad, &exact, NULL));
    bad.tilt = 1e-4;
    assert_status(carom_rigid_block_exact_compute(&bad, &exact, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "tilt");
    bad = good;
    bad.initial_speed = -0.1;
    assert_status(carom_rigid_block_exact_compute(&bad, &exact, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "initial speed");
    bad = good;
    bad.mass = 0.0;
    assert_status(carom_rigid_block_exact_compute(&bad, &exact, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "mass");
}

/* A wide block: corners drive each other down, (4/3) w^2 = h^2 + w^2 gives e = -1/8. */
TEST(unit, wide_block_has_rest_as_its_only_outcome) {
    carom_rigid_block_params params = carom_rigid_block_params_default();
    params.width = sqrt(3.0);
    params.height = 1.0;
    const carom_rigid_block_exact exact = exact_of(&params);
    assert_close(exact.transfer, -0.125, 0.0, ROUNDING);
    assert_close(exact.largest_rebound, 0.0, 0.0, 0.0);
    double speeds[2];
    carom_rigid_block_exact_sequence(&exact, 1, 40, speeds);
    assert_close(speeds[0], 0.0, 0.0, 0.0);
    assert_close(speeds[1], 0.0, 0.0, 1e-30);
    ck_assert(speeds[1] < 0.0);
}
