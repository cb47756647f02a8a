/* The box and the wall of halm-2023 section 5.4.3. Expected values: table 6 and section 3.4 of the
 * specification, and the geometry of a square. */
#include "impact_scene.h"

#include <carom/models/leaning_box.h>

#include <gsl/gsl_math.h>

static carom_impact_scene *scene_of(const carom_leaning_box_params *params) {
    carom_impact_scene *scene = NULL;
    assert_ok(carom_leaning_box_alloc(params, &scene, NULL));
    return scene;
}

TEST(unit, default_box_has_the_corners_and_speeds_of_the_specification) {
    const carom_leaning_box_params params = carom_leaning_box_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double corners[2][2] = {{0.40557979, -0.57922797}, {0.57922797, 0.40557979}};
    for (int i = 0; i < 2; i++) {
        const carom_planar_contact_place at =
            carom_planar_tree_contact_place(scene->tree, scene->position, i);
        assert_close(at.point[0] - scene->position[0], corners[i][0], 0.0, EIGHT_DECIMALS);
        assert_close(at.point[1] - scene->position[1], corners[i][1], 0.0, EIGHT_DECIMALS);
    }
    const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1.0 / 6.0};
    const double speeds[4] = {0.0, -1.0, 1.0, 0.0};
    assert_values(problem->mass, mass, 9, 0.0, ROUNDING);
    assert_values(problem->contact_velocity, speeds, 4, 0.0, ROUNDING);
    assert_close(problem->kinetic_energy, 0.5, ROUNDING, 0.0);
    assert_close(problem->friction[1], 1.0, 0.0, 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(unit, default_box_has_the_delassus_matrix_of_the_specification) {
    const carom_leaning_box_params params = carom_leaning_box_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    const double delassus[16] = {
        1.98696979,  0.98696979,  1.40953893,  -2.40953893, 0.98696979, 1.98696979,
        0.40953893,  -1.40953893, 1.40953893,  0.40953893,  3.01303021, -2.01303021,
        -2.40953893, -1.40953893, -2.01303021, 3.01303021,
    };
    assert_values(problem->delassus_matrix, delassus, 16, 0.0, EIGHT_DECIMALS);

    /* Both normal impulses turn the box counter-clockwise, as the text says. */
    ck_assert(problem->impulse_response[4 * 2 + 0] > 0.0);
    ck_assert(problem->impulse_response[4 * 2 + 1] > 0.0);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(unit, default_box_has_rest_as_its_only_simultaneous_outcome) {
    const carom_leaning_box_params params = carom_leaning_box_params_default();
    carom_impact_scene *scene = scene_of(&params);
    carom_impact_problem *problem = problem_of(scene);
    carom_impact_outcomes *outcomes = outcomes_of(problem);
    const double rest[4] = {0.0, 0.0, 0.0, 0.0};
    ck_assert_int_eq(outcomes->count, 1);
    ck_assert_int_eq(find_outcome(outcomes, rest, 1e-12), 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    carom_impact_scene_free(scene);
}

TEST(property, rest_needs_the_friction_of_the_closed_form) {
    carom_leaning_box_params params = carom_leaning_box_params_default();
    assert_close(carom_leaning_box_rest_friction(params.tilt), 0.700208, 0.0, 5.1e-7);
    for (int degrees = 5; degrees < 45; degrees += 13) {
        params.tilt = degrees * (M_PI / 180.0);
        params.friction = carom_leaning_box_rest_friction(params.tilt) + 1e-7;
        ck_assert_msg(may_rest(scene_of(&params)), "%d deg", degrees);
        params.friction -= 2e-7;
        ck_assert_msg(!may_rest(scene_of(&params)), "%d deg", degrees);
    }
}

/* Any square: the corners named A and B are the lowest and the rightmost, and touch. */
TEST(property, lowest_and_rightmost_corner_touch) {
    carom_leaning_box_params params = carom_leaning_box_params_default();
    params.side = 1.713;
    params.mass = 2.385;
    for (int degrees = 1; degrees < 45; degrees += 4) {
        params.tilt = degrees * (M_PI / 180.0);
        carom_impact_scene *scene = scene_of(&params);
        double corners[4][2];
        double lowest = INFINITY;
        double rightmost = -INFINITY;
        for (int i = 0; i < 4; i++) {
            const double local[2] = {(i % 2 == 0 ? -0.5 : 0.5) * 1.713,
                                     (i / 2 == 0 ? -0.5 : 0.5) * 1.713};
            carom_planar_tree_point(scene->tree, scene->position, NULL, 0, local, corners[i], NULL);
            lowest = fmin(lowest, corners[i][1]);
            rightmost = fmax(rightmost, corners[i][0]);
        }
        assert_close(lowest, 0.0, 0.0, ROUNDING);
        assert_close(rightmost, 0.0, 0.0, ROUNDING);
        const carom_planar_contact_place floor =
            carom_planar_tree_contact_place(scene->tree, scene->position, 0);
        const carom_planar_contact_place wall =
            carom_planar_tree_contact_place(scene->tree, scene->position, 1);
        assert_close(floor.point[1], 0.0, 0.0, ROUNDING);
        assert_close(wall.point[0], 0.0, 0.0, ROUNDING);
        assert_close(wall.normal[0], -1.0, 0.0, ROUNDING);
        assert_close(wall.tangent[1], -1.0, 0.0, ROUNDING);
        carom_impact_scene_free(scene);
    }
}

TEST(property, derivatives_agree_with_finite_differences) {
    carom_leaning_box_params params = carom_leaning_box_params_default();
    params.side = 0.913;
    carom_impact_scene *scene = scene_of(&params);
    assert_sound(scene, 0.3);
    carom_impact_scene_free(scene);
}

static void assert_refused(carom_leaning_box_params params, carom_status expected,
                           const char *quantity) {
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    ck_assert_int_eq(carom_leaning_box_alloc(&params, &scene, &report), expected);
    ck_assert_ptr_null(scene);
    ck_assert_str_eq(report.quantity, quantity);
}

TEST(errors, what_is_no_leaning_box_is_refused) {
    const carom_leaning_box_params good = carom_leaning_box_params_default();
    carom_leaning_box_params bad = good;
    bad.side = -1.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "side");
    bad = good;
    bad.mass = INFINITY;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "mass");
    bad = good;
    bad.tilt = 0.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "tilt");
    bad.tilt = M_PI_4;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "tilt");
    bad = good;
    bad.initial_velocity = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "initial velocity");
    bad = good;
    bad.friction = -1.0;
    assert_refused(bad, CAROM_STATUS_OUT_OF_RANGE, "friction");
    bad = good;
    bad.gravity = NAN;
    assert_refused(bad, CAROM_STATUS_NOT_FINITE, "gravity");
}
