/** Every model of src/models that moves, as published. */
#ifndef CAROM_TESTS_MODELS_EVERY_MODEL_H
#define CAROM_TESTS_MODELS_EVERY_MODEL_H

#include <carom/models/armed_biped.h>
#include <carom/models/ball_chain.h>
#include <carom/models/ball_column.h>
#include <carom/models/billiard_break.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/box_tower.h>
#include <carom/models/compass_gait.h>
#include <carom/models/disk_stack.h>
#include <carom/models/elastic_bar.h>
#include <carom/models/falling_disk.h>
#include <carom/models/leaning_box.h>
#include <carom/models/ramone.h>
#include <carom/models/rigid_block.h>
#include <carom/models/rocking_block.h>
#include <carom/models/sliding_box.h>
#include <carom/models/thrown_sphere.h>
#include <carom/models/trex/trex.h>
#include <carom/models/two_mode_models.h>
#include <carom/models/vibrating_table.h>

#include "../support.h"

/** A model or a scene with its mechanism and initial state; every_model_free. */
typedef struct any_model {
    const carom_mechanism *mechanism;
    const double *q;
    const double *v;
    carom_model *model;
    carom_impact_scene *scene;
} any_model;

/* make_NAME(any_model *) from the default parameters, for models and for scenes. */
#define EVERY_MODEL_MAKE(NAME)                                                \
    static inline void make_##NAME(any_model *any) {                          \
        const carom_##NAME##_params params = carom_##NAME##_params_default(); \
        assert_ok(carom_##NAME##_alloc(&params, &any->model, NULL));          \
    }
#define EVERY_MODEL_MAKE_SCENE(NAME)                                          \
    static inline void make_##NAME(any_model *any) {                          \
        const carom_##NAME##_params params = carom_##NAME##_params_default(); \
        assert_ok(carom_##NAME##_alloc(&params, &any->scene, NULL));          \
    }
EVERY_MODEL_MAKE(armed_biped)
EVERY_MODEL_MAKE(ball_chain)
EVERY_MODEL_MAKE(ball_column)
EVERY_MODEL_MAKE(bouncing_ball)
EVERY_MODEL_MAKE(bouncing_pendulum)
EVERY_MODEL_MAKE(rocking_block)
EVERY_MODEL_MAKE(thrown_sphere)
EVERY_MODEL_MAKE(trex)
EVERY_MODEL_MAKE(vibrating_table)
EVERY_MODEL_MAKE_SCENE(billiard_break)
EVERY_MODEL_MAKE_SCENE(compass_gait)
EVERY_MODEL_MAKE_SCENE(disk_stack)
EVERY_MODEL_MAKE_SCENE(falling_disk)
EVERY_MODEL_MAKE_SCENE(leaning_box)
EVERY_MODEL_MAKE_SCENE(ramone)
EVERY_MODEL_MAKE_SCENE(rigid_block)
EVERY_MODEL_MAKE_SCENE(sliding_box)

/* Three boxes say what ten do. */
static inline void make_box_tower(any_model *any) {
    carom_box_tower_params params = carom_box_tower_params_default();
    params.boxes = 3;
    assert_ok(carom_box_tower_alloc(&params, &any->model, NULL));
}

/* The paper's bar has 200 elements of one kind; a few of them say the same. */
static inline void make_elastic_bar(any_model *any) {
    carom_elastic_bar_params params = carom_elastic_bar_params_default();
    params.elements = 12;
    assert_ok(carom_elastic_bar_alloc(&params, &any->model, NULL));
}

static inline void make_hopper(any_model *any) {
    const carom_hopper_params params = carom_hopper_params_default();
    carom_two_mode_model model;
    assert_ok(carom_hopper_model(&params, &model, NULL));
    assert_ok(carom_two_mode_model_mechanism(&model, &any->model));
}

static const struct {
    const char *name;
    void (*make)(any_model *any);
} EVERY_MODEL[] = {
    {"armed_biped", make_armed_biped},
    {"ball_chain", make_ball_chain},
    {"ball_column", make_ball_column},
    {"billiard_break", make_billiard_break},
    {"bouncing_ball", make_bouncing_ball},
    {"bouncing_pendulum", make_bouncing_pendulum},
    {"box_tower", make_box_tower},
    {"compass_gait", make_compass_gait},
    {"disk_stack", make_disk_stack},
    {"elastic_bar", make_elastic_bar},
    {"falling_disk", make_falling_disk},
    {"hopper", make_hopper},
    {"leaning_box", make_leaning_box},
    {"ramone", make_ramone},
    {"rigid_block", make_rigid_block},
    {"rocking_block", make_rocking_block},
    {"sliding_box", make_sliding_box},
    {"thrown_sphere", make_thrown_sphere},
    {"trex", make_trex},
    {"vibrating_table", make_vibrating_table},
};
enum { EVERY_MODEL_COUNT = sizeof EVERY_MODEL / sizeof EVERY_MODEL[0] };

/** Model k of the list. */
static inline any_model every_model_make(int k) {
    any_model any = {.model = NULL};
    EVERY_MODEL[k].make(&any);
    any.mechanism =
        any.model != NULL ? &any.model->mechanism : carom_impact_scene_mechanism(any.scene);
    any.q = any.model != NULL ? any.model->initial_position : any.scene->position;
    any.v = any.model != NULL ? any.model->initial_velocity : any.scene->velocity;
    return any;
}

static inline void every_model_free(any_model *any) {
    carom_model_free(any->model);
    carom_impact_scene_free(any->scene);
}

#endif
