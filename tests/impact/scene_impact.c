#include "../support.h"

#include <carom/impact/impact_problem.h>
#include <carom/models/rigid_block.h>

TEST(unit, the_contacts_that_touch_and_the_velocity_make_the_problem) {
    const carom_rigid_block_params params = carom_rigid_block_params_default();
    carom_impact_scene *scene = NULL;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_rigid_block_alloc(&params, &scene, NULL));
    assert_ok(carom_impact_problem_of_scene(scene, &problem, NULL));
    ck_assert_int_eq(problem->contact_count, 2);
    // Both corners close with the printed speed of the fall.
    assert_close(problem->contact_velocity[0], -0.4429, 0.0, 5e-5);
    assert_close(problem->contact_velocity[1], -0.4429, 0.0, 5e-5);
    carom_impact_problem_free(problem);

    // One corner a millionth of a metre above the floor does not touch.
    scene->position[2] = 1e-6;
    scene->position[1] += 0.5e-6;
    assert_ok(carom_impact_problem_of_scene(scene, &problem, NULL));
    ck_assert_int_eq(problem->contact_count, 1);
    carom_impact_problem_free(problem);

    scene->position[1] += 1.0;
    assert_status(carom_impact_problem_of_scene(scene, &problem, NULL), OUT_OF_RANGE);
    carom_impact_scene_free(scene);
}
