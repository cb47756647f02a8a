/** The impacts of the papers, one table; those of halm-2023 and pankov-2024 are made here. */
#include "results.h"

#include "scenes.h"

#include <gsl/gsl_math.h>

/** The problem of a planar scene, which is freed. */
static carom_status problem_of(carom_impact_scene *scene, carom_impact_problem **out,
                               carom_report *report) {
    const carom_status status = carom_impact_problem_of_scene(scene, out, report);
    carom_impact_scene_free(scene);
    return status;
}

/** A ball falls on the floor and stays (figure 6): without friction. */
static carom_status make_falling_disk(carom_impact_problem **out, carom_report *report) {
    carom_falling_disk_params disk = carom_falling_disk_params_default();
    carom_falling_disk_landing landing;
    CAROM_TRY(carom_falling_disk_exact_landing(&disk, &landing, report));
    disk.initial_gap = 0.0;
    disk.initial_velocity = -landing.speed;
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_falling_disk_alloc(&disk, &scene, report));
    return problem_of(scene, out, report);
}

/** A uniform rod of 1 kg and 2 m strikes the floor at 50 degrees and friction reverses its slip:
 * the example of the tool impact_problem, ours. */
static carom_status make_falling_rod(carom_impact_problem **out, carom_report *report) {
    const double angle = 50.0 * (M_PI / 180.0);
    const double M[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0};
    const double normal[] = {0.0, 1.0, -cos(angle)};
    const double tangential[] = {1.0, 0.0, sin(angle)};
    const double friction = 0.25;
    const double v[] = {0.3, -1.0, 0.0};
    return carom_impact_problem_alloc(3, 1, 1, M, normal, tangential, &friction, v, out, report);
}

/** The block of table 4, flat. */
static carom_status make_flat_block(carom_impact_problem **out, carom_report *report) {
    const carom_rigid_block_params block = carom_rigid_block_params_default();
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    return problem_of(scene, out, report);
}

/** The same block lying on its side: its corners drive each other down (ours). */
static carom_status make_wide_block(carom_impact_problem **out, carom_report *report) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.width = 2.0;
    block.height = 1.0;
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    return problem_of(scene, out, report);
}

/** The same block at 10 degrees: one corner, as fast as the flat one (ours). */
static carom_status make_tilted_block(carom_impact_problem **out, carom_report *report) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.tilt = 10.0 * (M_PI / 180.0);
    block.gravity = 0.0;
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    return problem_of(scene, out, report);
}

carom_status impact_laws_make_swing(double width, double height, double friction, double rate,
                                    carom_impact_problem **out, carom_report *report) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.width = width;
    block.height = height;
    block.friction = friction;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    // Corner A at (-w/2, -h/2) from the centre is at rest, B comes down.
    const double v[] = {0.5 * height * rate, -0.5 * width * rate, -rate};
    CAROM_TRY(carom_impact_problem_of_scene(scene, out, report));
    return carom_impact_problem_set_velocity(*out, v);
}

/** The end of the first swing of the block that comes to rest (section 4.3). */
static carom_status make_zeno_block(carom_impact_problem **out, carom_report *report) {
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    carom_zeno_block *block = NULL;
    CAROM_TRY(carom_zeno_block_alloc(&params, &block, report));
    const double rate = block->half_cycles[0].rate;
    carom_zeno_block_free(block);
    return impact_laws_make_swing(params.width, params.height, params.friction, rate, out, report);
}

static carom_status make_leaning_box(carom_impact_problem **out, carom_report *report) {
    const carom_leaning_box_params box = carom_leaning_box_params_default();
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_leaning_box_alloc(&box, &scene, report));
    return problem_of(scene, out, report);
}

static carom_status make_compass_gait(carom_impact_problem **out, carom_report *report) {
    const carom_compass_gait_params gait = carom_compass_gait_params_default();
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_compass_gait_alloc(&gait, &scene, report));
    return problem_of(scene, out, report);
}

static carom_status make_ramone(carom_impact_problem **out, carom_report *report) {
    const carom_ramone_params robot = carom_ramone_params_default();
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_ramone_alloc(&robot, &scene, report));
    return problem_of(scene, out, report);
}

static carom_status make_disk_stack(carom_impact_problem **out, carom_report *report) {
    const carom_disk_stack_params stack = carom_disk_stack_params_default();
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_disk_stack_alloc(&stack, &scene, report));
    return problem_of(scene, out, report);
}

/** The other foot of the rocking biped lands while the leg turns with 1 rad/s under a torso and an
 * arm at rest (figure 6; the rates are ours). */
static carom_status make_armed_biped(carom_impact_problem **out, carom_report *report) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    carom_model *biped = NULL;
    CAROM_TRY(carom_armed_biped_alloc(&params, &biped, report));
    const carom_mechanism *mechanism = &biped->mechanism;
    biped->initial_velocity[mechanism->coordinate_count - 1] = -1.0;
    const carom_status status =
        impact_laws_problem_at(mechanism, biped->initial_position, biped->initial_velocity,
                               CAROM_IMPACT_CLOSED, out, report);
    carom_model_free(biped);
    return status;
}

/** One line a scene: the restitution is that which the paper uses with it. */
static const scene_entry scenes[] = {
    {"bouncing_ball", "bruls-2014", "ball on the floor", 0.8, impact_laws_make_ball},
    {"bouncing_pendulum", "bruls-2014", "pendulum against a wall", 0.8, impact_laws_make_pendulum},
    {"elastic_bar", "bruls-2014", "end of an elastic bar against a wall", 0.0,
     impact_laws_make_bar},
    {"rocking_corner", "bruls-2014", "first corner of a falling block", 0.5,
     impact_laws_make_corner},
    {"rocking_swing", "bruls-2014", "other corner of the rocking block", 0.5,
     impact_laws_make_rocking_swing},
    {"serial_chain", "thorin-2017", "end of a chain of five masses", 1.0, impact_laws_make_chain},
    {"clamped_bar", "thorin-2017", "end of a clamped bar", 1.0, impact_laws_make_clamped_bar},
    {"falling_disk", "halm-2023", "ball that stays on the floor", 0.0, make_falling_disk},
    {"falling_rod", "halm-2023", "end of a rod, its slip reversed", 0.0, make_falling_rod},
    {"tilted_block", "halm-2023", "one corner of a block", 0.0, make_tilted_block},
    {"flat_block", "halm-2023", "both corners of a high block", 0.0, make_flat_block},
    {"wide_block", "halm-2023", "both corners of a wide block", 0.0, make_wide_block},
    {"zeno_block", "halm-2023", "other corner of a rocking block", 0.0, make_zeno_block},
    {"leaning_box", "halm-2023", "box between floor and wall", 0.0, make_leaning_box},
    {"compass_gait", "halm-2023", "compass gait, a wide step", 0.0, make_compass_gait},
    {"ramone", "halm-2023", "RAMone, both feet", 0.0, make_ramone},
    {"disk_stack", "halm-2023", "disc on two discs", 0.0, make_disk_stack},
    {"armed_biped", "pankov-2024", "foot of a biped with an arm", 0.0, make_armed_biped},
    {"cradle", "seghete-2014", "Newton's cradle, one ball comes", 1.0, impact_laws_make_cradle},
    {"cradle_unequal", "seghete-2014", "unequal balls from both sides", 1.0,
     impact_laws_make_unequal_cradle},
    {"break_45", "seghete-2014", "billiard break, 45 degrees", 1.0, impact_laws_make_break_45},
    {"break_60", "seghete-2014", "billiard break, 60 degrees", 1.0, impact_laws_make_break_60},
    {"break_90", "seghete-2014", "billiard break, 90 degrees", 1.0, impact_laws_make_break_90},
    {"break_120", "seghete-2014", "billiard break, 120 degrees", 1.0, impact_laws_make_break_120},
    {"trex_optimized", "seghete-2014", "TREX, printed stance of table I", 1.0,
     impact_laws_make_trex_optimized},
    {"trex_unoptimized", "seghete-2014", "TREX, before optimization", 1.0,
     impact_laws_make_trex_unoptimized},
    {"trex_initial", "seghete-2014", "TREX, straight legs", 1.0, impact_laws_make_trex_initial},
};

const scene_entry *impact_laws_scenes(int *count) {
    *count = (int)(sizeof scenes / sizeof scenes[0]);
    return scenes;
}
