/* RAMone of halm-2023 section 5.4.4. Expected values: table 7 and section 3.6 of the specification,
 * and kinematics written out anew. */
#include "impact_scene.h"

#include <carom/models/ramone.h>

#include <gsl/gsl_math.h>

static const double DEGREE = M_PI / 180.0;

static carom_impact_scene *scene_of(const carom_ramone_params *params) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_ramone_alloc(params, &scene, NULL));
    return scene;
}

TEST(unit, derived_state_has_the_digits_of_the_specification) {
    const carom_ramone_params params = carom_ramone_params_default();
    carom_impact_scene *scene = scene_of(&params);
    assert_close(scene->position[2] / DEGREE, 16.0, ROUNDING, 0.0);
    assert_close(scene->position[3] / DEGREE, -70.0, ROUNDING, 0.0);
    assert_close(scene->position[4] / DEGREE, -2.0, ROUNDING, 0.0);
    assert_close(scene->position[5] / DEGREE, 70.0, ROUNDING, 0.0);
    assert_close(scene->position[6] / DEGREE, -92.486456, 0.0, 5.1e-7);
    const double velocity[7] = {-0.41141626, -0.21051823, 1.0, 0.0, 0.0, 0.0, 0.0};
    assert_values(scene->velocity, velocity, 7, 0.0, EIGHT_DECIMALS);
    /* As published, rounded or cut off. */
    assert_close(scene->velocity[0], -0.4114, 0.0, 5.1e-5);
    assert_close(scene->velocity[1], -0.2105, 0.0, 5.1e-5);
    assert_close(scene->position[6] / DEGREE, -92.48, 0.0, 0.01);
    carom_impact_scene_free(scene);
}

TEST(unit, default_robot_has_the_matrices_of_the_specification) {
    const carom_ramone_params params = carom_ramone_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double delassus[16] = {
        1.97214616,  0.00010564,  -1.47452982, -0.00927976, 0.00010564, 1.75852804,
        0.00017499,  -0.14626231, -1.47452982, 0.00017499,  1.43669644, -0.01393510,
        -0.00927976, -0.14626231, -0.01393510, 3.46399009,
    };
    const double speeds[4] = {-0.53209872, 0.0, 0.0, 0.0};
    assert_values(problem->delassus_matrix, delassus, 16, 0.0, EIGHT_DECIMALS);
    assert_values(problem->contact_velocity, speeds, 4, 0.0, EIGHT_DECIMALS);
    assert_close(problem->kinetic_energy, 1.03504881, 0.0, EIGHT_DECIMALS);
    assert_close(problem->friction[0], 1e5, 0.0, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(unit, default_robot_has_three_simultaneous_outcomes) {
    const carom_ramone_params params = carom_ramone_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    carom_impact_outcomes *outcomes = outcomes_of(problem);
    ck_assert_int_eq(outcomes->count, 3);
    /* (v_nA, v_nB, v_tA, v_tB): B lifts off, slides, rests. */
    const double speeds[3][4] = {
        {0.0, 0.00033082, 0.0, -0.02735009}, {0.0, 0.0, 0.0, -0.01951630}, {0.0, 0.0, 0.0, 0.0}};
    const double energies[3] = {0.72648596, 0.72643295, 0.72637775};
    const double impulses[3][4] = {{1.159796, 0.0, 1.190337, 0.0},
                                   {1.159912, 2.26e-8, 1.190478, 0.002262},
                                   {1.160202, 0.000470, 1.190831, 0.007918}};
    for (int k = 0; k < 3; k++) {
        const int found = find_outcome(outcomes, speeds[k], EIGHT_DECIMALS);
        ck_assert_msg(found >= 0, "no outcome %d", k);
        assert_close(outcomes->kinetic_energy[found], energies[k], 0.0, EIGHT_DECIMALS);
        assert_values(&outcomes->impulse[4 * found], impulses[k], 4, 0.0, 5.1e-7);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

static int outcome_count(const carom_ramone_params *params) {
    carom_impact_scene *scene = scene_of(params);
    carom_impact_problem *problem = problem_of(scene);
    carom_impact_outcomes *outcomes = outcomes_of(problem);
    const int count = outcomes->count;
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
    return count;
}

/* Either side of each end of the windows, and the shank's other centre of mass. */
TEST(unit, three_outcomes_exist_only_in_the_window_of_the_specification) {
    const double windows[4][2] = {
        {15.9734, 16.0091}, {-70.0386, -69.9865}, {-2.0706, -1.9754}, {69.9143, 70.0286}};
    for (int angle = 0; angle < 4; angle++) {
        for (int end = 0; end < 2; end++) {
            for (int side = -1; side <= 1; side += 2) {
                carom_ramone_params params = carom_ramone_params_default();
                double *angles[4] = {&params.trunk_angle, &params.leading_hip, &params.leading_knee,
                                     &params.trailing_hip};
                *angles[angle] = (windows[angle][end] + side * 1.5e-4) * DEGREE;
                const bool is_inside = (end == 0) == (side > 0);
                ck_assert_msg(outcome_count(&params) == (is_inside ? 3 : 1),
                              "angle %d end %d side %d: %d outcomes", angle, end, side,
                              outcome_count(&params));
            }
        }
    }
    carom_ramone_params params = carom_ramone_params_default();
    params.knee_to_shank = 0.073265;
    ck_assert_int_eq(outcome_count(&params), 1);
}

/* Foot centres and their speeds link by link: a link at psi hangs along (sin psi, -cos psi). */
TEST(unit, feet_follow_from_the_links) {
    carom_ramone_params params = carom_ramone_params_default();
    params.trunk_to_hip = 0.1713;
    params.foot_radius = 0.0371;
    params.leading_knee = -0.21;
    params.trunk_rate = 0.713;
    params.leading_hip_rate = -0.37;
    params.leading_knee_rate = 0.91;
    params.trailing_hip_rate = 0.53;
    params.trailing_knee_rate = -1.21;
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double *q = scene->position;
    const double *v = scene->velocity;
    for (int foot = 0; foot < 2; foot++) {
        const double psi[3] = {q[2], q[2] + q[3 + 2 * foot],
                               q[2] + q[3 + 2 * foot] + q[4 + 2 * foot]};
        const double rate[3] = {v[2], v[2] + v[3 + 2 * foot],
                                v[2] + v[3 + 2 * foot] + v[4 + 2 * foot]};
        const double length[3] = {0.1713, 0.2, 0.2385};
        double height = q[1] - 0.0371;
        double speed[2] = {v[0] + 0.0371 * rate[2], v[1]};
        for (int i = 0; i < 3; i++) {
            height -= length[i] * cos(psi[i]);
            speed[0] += length[i] * rate[i] * cos(psi[i]);
            speed[1] += length[i] * rate[i] * sin(psi[i]);
        }
        assert_close(height, 0.0, 0.0, ROUNDING);
        assert_close(problem->contact_velocity[foot], speed[1], 0.0, ROUNDING);
        assert_close(problem->contact_velocity[2 + foot], speed[0], 0.0, ROUNDING);
        if (foot == 1) {
            assert_close(speed[0], 0.0, 0.0, ROUNDING);
            assert_close(speed[1], 0.0, 0.0, ROUNDING);
        }
    }
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(property, derivatives_agree_with_finite_differences) {
    const carom_ramone_params params = carom_ramone_params_default();
    carom_impact_scene *scene = scene_of(&params);
    assert_sound(scene, 0.4);
    carom_impact_scene_free(scene);
}

static void assert_refused(carom_ramone_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_ramone_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
}

/* Every parameter is refused by its name when it is NaN; positive ones when they are zero. */
TEST(errors, what_is_no_robot_is_refused) {
    carom_ramone_params bad = carom_ramone_params_default();
    double *values[] = {
        &bad.trunk_mass,         &bad.trunk_inertia,     &bad.thigh_mass,
        &bad.thigh_inertia,      &bad.shank_mass,        &bad.shank_inertia,
        &bad.thigh_length,       &bad.shank_length,      &bad.foot_radius,
        &bad.trunk_to_hip,       &bad.hip_to_thigh,      &bad.knee_to_shank,
        &bad.friction,           &bad.trunk_angle,       &bad.leading_hip,
        &bad.leading_knee,       &bad.trailing_hip,      &bad.trunk_rate,
        &bad.leading_hip_rate,   &bad.leading_knee_rate, &bad.trailing_hip_rate,
        &bad.trailing_knee_rate, &bad.gravity,
    };
    const char *names[] = {
        "trunk mass",        "trunk inertia",      "thigh mass",       "thigh inertia",
        "shank mass",        "shank inertia",      "thigh length",     "shank length",
        "foot radius",       "trunk to hip",       "hip to thigh",     "knee to shank",
        "friction",          "trunk angle",        "leading hip",      "leading knee",
        "trailing hip",      "trunk rate",         "leading hip rate", "leading knee rate",
        "trailing hip rate", "trailing knee rate", "gravity",
    };
    enum { POSITIVE = 9, NOT_NEGATIVE = 13, ALL = 23 };
    for (int i = 0; i < ALL; i++) {
        bad = carom_ramone_params_default();
        *values[i] = NAN;
        assert_refused(bad, CAROM_STATUS_NOT_FINITE, names[i]);
        if (i < NOT_NEGATIVE) {
            *values[i] = i < POSITIVE ? 0.0 : -0.1;
            assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, names[i]);
        }
    }
}

TEST(errors, feet_that_cannot_be_level_are_refused) {
    carom_ramone_params bad = carom_ramone_params_default();
    /* The leading leg is stretched straight down, the trailing thigh points up. */
    bad.trunk_angle = 0.0;
    bad.leading_hip = 0.0;
    bad.leading_knee = 0.0;
    bad.trailing_hip = 170.0 * DEGREE;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "trailing hip");
    /* Both legs above the trunk. */
    bad.leading_hip = 180.0 * DEGREE;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "height of the trunk");
}
