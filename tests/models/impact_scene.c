/* carom/models: whichever allocation of a scene fails, the status says so and nothing leaks. */
#include <carom/models/compass_gait.h>
#include <carom/models/disk_stack.h>
#include <carom/models/falling_disk.h>
#include <carom/models/leaning_box.h>
#include <carom/models/ramone.h>
#include <carom/models/rigid_block.h>
#include <carom/models/zeno_block.h>

#include "../failing_malloc.h"
#include "../support.h"

enum { MODELS = 7 };

/* A scene of each model, with default parameters. */
static carom_status build(int model, carom_impact_scene **out) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    const carom_compass_gait_params gait = carom_compass_gait_params_default();
    const carom_leaning_box_params box = carom_leaning_box_params_default();
    const carom_ramone_params robot = carom_ramone_params_default();
    const carom_disk_stack_params stack = carom_disk_stack_params_default();
    const carom_falling_disk_params ball = carom_falling_disk_params_default();
    const carom_zeno_block_params rocking = carom_zeno_block_params_default();
    switch (model) {
    case 0:
        return carom_rigid_block_alloc(&block, out, NULL);
    case 1:
        return carom_compass_gait_alloc(&gait, out, NULL);
    case 2:
        return carom_leaning_box_alloc(&box, out, NULL);
    case 3:
        return carom_ramone_alloc(&robot, out, NULL);
    case 4:
        return carom_disk_stack_alloc(&stack, out, NULL);
    case 5:
        return carom_falling_disk_alloc(&ball, out, NULL);
    default:
        return carom_zeno_block_scene(&rocking, out, NULL);
    }
}

TEST(unit, every_scene_names_its_mechanism) {
    const char *names[MODELS] = {"rigid_block", "compass_gait", "leaning_box", "ramone",
                                 "disk_stack",  "falling_disk", "rigid_block"};
    const int coordinates[MODELS] = {3, 4, 3, 7, 9, 3, 3};
    for (int model = 0; model < MODELS; model++) {
        carom_impact_scene *scene = NULL;
        assert_ok(build(model, &scene));
        const carom_mechanism *mechanism = carom_impact_scene_mechanism(scene);
        ck_assert_str_eq(mechanism->name, names[model]);
        ck_assert_int_eq(mechanism->coordinate_count, coordinates[model]);
        ck_assert_int_eq(mechanism->joint_count, 0);
        ck_assert_ptr_eq(mechanism, carom_planar_tree_mechanism(scene->tree));
        carom_impact_scene_free(scene);
    }
    carom_impact_scene_free(NULL);
}

TEST(unit, own_scene_starts_with_zeros) {
    const carom_planar_body body = carom_planar_floating(carom_planar_disc(2.385, 0.31));
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &body;
    carom_impact_scene *scene = NULL;
    assert_ok(carom_impact_scene_alloc(&spec, &scene, NULL));
    for (int i = 0; i < 3; i++) {
        assert_close(scene->position[i], 0.0, 0.0, 0.0);
        assert_close(scene->velocity[i], 0.0, 0.0, 0.0);
    }
    carom_impact_scene_free(scene);
}

TEST(errors, tree_that_is_refused_makes_no_scene) {
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    carom_report report = carom_report_empty();
    carom_impact_scene *scene = (carom_impact_scene *)&report;
    assert_status(carom_impact_scene_alloc(&spec, &scene, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(scene);
    ck_assert_ptr_nonnull(report.quantity);
}

TEST(errors, every_failed_allocation_of_a_scene_is_reported) {
    for (int model = 0; model < MODELS; model++) {
        int granted = 0;
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        for (; status != CAROM_OK; granted++) {
            carom_impact_scene *scene = (carom_impact_scene *)&granted;
            successes_left = granted;
            status = build(model, &scene);
            successes_left = -1;
            if (status != CAROM_OK) {
                ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
                ck_assert_ptr_null(scene);
            } else {
                carom_impact_scene_free(scene);
            }
        }
        ck_assert_int_ge(granted, 4);
    }
}

TEST(errors, every_failed_allocation_of_the_rocking_block_is_reported) {
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_zeno_block *block = (carom_zeno_block *)&granted;
        successes_left = granted;
        status = carom_zeno_block_alloc(&params, &block, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(block);
        } else {
            carom_zeno_block_free(block);
        }
    }
    ck_assert_int_eq(granted, 3);
    carom_zeno_block_free(NULL);
}

/* Nothing is allocated once a solution is made. */
TEST(property, states_of_the_rocking_block_need_no_memory) {
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    carom_zeno_block *block = NULL;
    assert_ok(carom_zeno_block_alloc(&params, &block, NULL));
    allocations = 0;
    for (int i = 0; i < 100; i++) {
        const carom_zeno_state at = carom_zeno_block_state(block, 0.3 * i);
        (void)carom_zeno_block_state_at_time(block, at.time);
    }
    ck_assert_int_eq(allocations, 0);
    carom_zeno_block_free(block);
}
