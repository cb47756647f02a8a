/* The compass gait of halm-2023 section 5.4.2. Expected values: table 5 and section 3.3 of the
 * specification. */
#include "impact_scene.h"

#include <carom/models/compass_gait.h>

#include <gsl/gsl_math.h>

static carom_impact_scene *scene_of(const carom_compass_gait_params *params) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_compass_gait_alloc(params, &scene, NULL));
    return scene;
}

TEST(unit, default_walker_has_the_state_of_the_specification) {
    const carom_compass_gait_params params = carom_compass_gait_params_default();
    carom_impact_scene *scene = scene_of(&params);
    const double degree = M_PI / 180.0;
    const double position[4] = {0.0, cos(78.0 * degree), -78.0 * degree, 78.0 * degree};
    const double velocity[4] = {-0.0519779, -0.2445369, 0.25, 0.25};
    assert_values(scene->position, position, 4, 0.0, ROUNDING);
    assert_values(scene->velocity, velocity, 4, 0.0, 5.1e-8); /* seven decimals */
    /* 156 deg between the legs, as the paper says. */
    assert_close((scene->position[3] - scene->position[2]) / degree, 156.0, ROUNDING, 0.0);
    carom_impact_scene_free(scene);
}

TEST(unit, default_walker_has_the_matrices_of_the_specification) {
    const carom_compass_gait_params params = carom_compass_gait_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double delassus[16] = {
        13.56677223, 9.56677223, -4.91718667, 4.49207355,  9.56677223, 13.56677223,
        -4.49207355, 4.91718667, -4.91718667, -4.49207355, 2.52259015, -1.47740985,
        4.49207355,  4.91718667, -1.47740985, 2.52259015,
    };
    const double speeds[4] = {-0.4890738, 0.0, 0.0, 0.0};
    assert_values(problem->delassus_matrix, delassus, 16, 0.0, EIGHT_DECIMALS);
    assert_values(problem->contact_velocity, speeds, 4, 0.0, 5.1e-8);
    assert_close(problem->kinetic_energy, 0.0754233, 0.0, 5.1e-8);
    assert_close(problem->friction[0], 5.0, 0.0, 0.0);

    /* Both contacts are in the Painleve regime, to two decimals. */
    const double *C = problem->delassus_matrix;
    assert_close(C[0] - 5.0 * fabs(C[2]), -11.02, 0.0, 0.0051);
    assert_close(C[5] - 5.0 * fabs(C[7]), -11.02, 0.0, 0.0051);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(unit, default_walker_has_three_simultaneous_outcomes) {
    const carom_compass_gait_params params = carom_compass_gait_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    carom_impact_outcomes *outcomes = outcomes_of(problem);
    ck_assert_int_eq(outcomes->count, 3);
    /* (v_nA, v_nB, v_tA, v_tB): B lifts off, slides, rests. */
    const double speeds[3][4] = {
        {0.0, 0.09955518, 0.0, 0.19801960}, {0.0, 0.0, 0.0, 0.12849043}, {0.0, 0.0, 0.0, 0.0}};
    const double energies[3] = {0.04538818, 0.02799807, 0.0};
    const double impulses[3][4] = {{0.122824, 0.0, 0.239417, 0.0},
                                   {0.164136, 0.022688, 0.293907, -0.113439},
                                   {0.308433, 0.180641, 0.601217, -0.549239}};
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

TEST(unit, rest_needs_the_friction_of_the_specification) {
    carom_compass_gait_params params = carom_compass_gait_params_default();
    params.friction = 3.04051 + 1e-5;
    ck_assert(may_rest(scene_of(&params)));
    params.friction = 3.04051 - 1e-5;
    ck_assert(!may_rest(scene_of(&params)));
}

/* A gap and the trailing foot's speeds from the geometry of a walker unlike the default one. */
TEST(unit, trailing_foot_is_at_rest_on_the_floor_and_the_leading_one_lands) {
    carom_compass_gait_params params = carom_compass_gait_params_default();
    params.leg_length = 0.837;
    params.mass_offset = 0.311;
    params.leg_mass = 2.385;
    params.trailing_pitch = 0.43;
    params.leading_pitch = -0.43;
    params.trailing_rate = 0.91;
    params.leading_rate = -0.37;
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double *c = problem->contact_velocity;
    assert_close(c[1], 0.0, 0.0, ROUNDING);
    assert_close(c[3], 0.0, 0.0, ROUNDING);
    /* Velocity of the hip plus that of the foot about it. */
    const double hip[2] = {-0.837 * 0.91 * cos(0.43), -0.837 * 0.91 * sin(0.43)};
    assert_close(c[0], hip[1] + 0.837 * -0.37 * sin(-0.43), ROUNDING, 0.0);
    assert_close(c[2], hip[0] + 0.837 * -0.37 * cos(0.43), ROUNDING, 0.0);
    /* Two point masses. */
    double energy = 0.0;
    for (int leg = 0; leg < 2; leg++) {
        const double pitch = leg == 0 ? -0.43 : 0.43;
        const double speed = 0.311 * (leg == 0 ? -0.37 : 0.91);
        energy += 0.5 * 2.385 *
                  (gsl_pow_2(hip[0] + speed * cos(pitch)) + gsl_pow_2(hip[1] + speed * sin(pitch)));
    }
    assert_close(problem->kinetic_energy, energy, ROUNDING, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(property, derivatives_agree_with_finite_differences) {
    carom_compass_gait_params params = carom_compass_gait_params_default();
    params.mass_offset = 0.371;
    carom_impact_scene *scene = scene_of(&params);
    assert_sound(scene, 0.4);
    carom_impact_scene_free(scene);
}

static void assert_refused(carom_compass_gait_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_compass_gait_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, what_is_no_walker_is_refused) {
    const carom_compass_gait_params good = carom_compass_gait_params_default();
    carom_compass_gait_params bad = good;
    bad.leg_length = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "leg length");
    bad = good;
    bad.mass_offset = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "mass offset");
    bad.mass_offset = 1.01;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "mass offset");
    bad = good;
    bad.leg_mass = -1.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "leg mass");
    bad = good;
    bad.trailing_pitch = M_PI_2;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "trailing pitch");
    bad = good;
    bad.leading_pitch = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "leading pitch");
    bad = good;
    bad.leading_rate = INFINITY;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "leading rate");
    bad = good;
    bad.friction = -5.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "friction");
    bad = good;
    bad.gravity = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "gravity");
}

TEST(errors, feet_that_are_not_level_or_coincide_are_refused_with_the_pitches) {
    carom_compass_gait_params params = carom_compass_gait_params_default();
    params.leading_pitch = -77.0 * (M_PI / 180.0);
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = NULL;
    assert_status(carom_compass_gait_alloc(&params, &scene, &report), CONFLICT);
    ck_assert_ptr_nonnull(strstr(report.sentence, "leading pitch -77 deg, -78 expected"));
    params.leading_pitch = params.trailing_pitch;
    assert_status(carom_compass_gait_alloc(&params, &scene, &report), CONFLICT);
    ck_assert_ptr_nonnull(strstr(report.sentence, "leading pitch 78 deg, -78 expected"));
}
