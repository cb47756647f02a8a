/** The impacts of the papers, one table. */
#include "results.h"

#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <stdlib.h>

/* --- problems --------------------------------------------------------------------------------- */

carom_status impact_laws_with_friction(const carom_impact_problem *problem, double mu,
                                       carom_impact_problem **out, carom_report *report) {
    const int m = problem->contact_count;
    const double *J = problem->contact_jacobian;
    CAROM_AUTO_MEMORY double *friction = calloc((size_t)m, sizeof *friction);
    if (friction == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < m; i++) {
        friction[i] = mu;
    }
    return carom_impact_problem_alloc(problem->coordinate_count, m, problem->tangent_count,
                                      problem->mass, J,
                                      J + (size_t)m * (size_t)problem->coordinate_count, friction,
                                      problem->velocity, out, report);
}

bool impact_laws_can_slide(const carom_impact_problem *problem) {
    const int r = problem->row_count;
    for (int i = problem->contact_count; i < r; i++) {
        if (problem->delassus_matrix[i * r + i] > 0.0) {
            return true;
        }
    }
    return false;
}

/* --- bruls-2014 and thorin-2017: one contact but for the rocking block, without friction -------
 */

/** A block flat on the floor that has turned about its left corner with `rate` > 0: the right one
 * lands. */
static carom_status make_swing(double width, double height, double friction, double rate,
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

/** Shortest time between impacts of a corner that the event-driven solution resolves, s; the first
 * impact does not depend on it. */
static const double RESOLUTION = 1e-3;

/** The ball at its first impact (section 10.1). */
static carom_status make_ball(carom_impact_problem **out, carom_report *report) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    CAROM_AUTO(carom_model) ball = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&params, &ball, report));
    const double v = -carom_bouncing_ball_exact_impact(&params, 0).speed;
    return carom_impact_problem_of_mechanism(&ball->mechanism, &params.radius, &v,
                                             CAROM_IMPACT_CLOSED, NULL, out, report);
}

/** The pendulum at its first impact (section 10.2): impact laws know no joints, so that it is
 * reduced to its angle, x = l cos(theta) and M = J + m l^2. */
static carom_status make_pendulum(carom_impact_problem **out, carom_report *report) {
    const carom_bouncing_pendulum_params p = carom_bouncing_pendulum_params_default();
    carom_bouncing_pendulum_impact impact;
    CAROM_TRY(carom_bouncing_pendulum_exact_impacts(&p, 1, &impact, report));
    const double angle = -acos(p.wall_position / p.length);
    const double M = p.inertia + p.mass * p.length * p.length;
    const double normal = -p.length * sin(angle);
    const double tangent = 0.0;
    const double frictionless = 0.0;
    return carom_impact_problem_alloc(1, 1, 1, &M, &normal, &tangent, &frictionless, &impact.rate,
                                      out, report);
}

/** The bar as it reaches the wall, undeformed (section 10.3). */
static carom_status make_bar(carom_impact_problem **out, carom_report *report) {
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    CAROM_AUTO(carom_model) bar = NULL;
    CAROM_TRY(carom_elastic_bar_alloc(&params, &bar, report));
    for (int i = 0; i < bar->mechanism.coordinate_count; i++) {
        bar->initial_position[i] = -params.initial_gap;
    }
    return carom_impact_problem_of_mechanism(&bar->mechanism, bar->initial_position,
                                             bar->initial_velocity, CAROM_IMPACT_CLOSED, NULL, out,
                                             report);
}

/** The falling block at the first impact of a corner (section 10.4). */
static carom_status make_corner(carom_impact_problem **out, carom_report *report) {
    const carom_rocking_block_params params = carom_rocking_block_params_default();
    carom_rocking_block_impact impact;
    int count = 0;
    CAROM_TRY(carom_rocking_block_exact_impacts(&params, RESOLUTION, 1, &impact, &count, report));
    CAROM_AUTO(carom_model) block = NULL;
    CAROM_TRY(carom_rocking_block_alloc(&params, &block, report));
    double q[3];
    double v[3];
    carom_rocking_block_exact_state(&params, 0, NULL, impact.time, q, v);
    return carom_impact_problem_of_mechanism(&block->mechanism, q, v, CAROM_IMPACT_CLOSED, NULL,
                                             out, report);
}

/** The same block at the end of a swing about one corner, with 1 rad/s (the rate is ours): without
 * friction. */
static carom_status make_rocking_swing(carom_impact_problem **out, carom_report *report) {
    const carom_rocking_block_params block = carom_rocking_block_params_default();
    return make_swing(block.width, block.height, 0.0, 1.0, out, report);
}

/** A structure whose end reaches the obstacle, velocities growing along it to 1 m/s (ours: of the
 * velocities an impact law sees but that of the end). */
static carom_status strike(const carom_linear_system *system, carom_impact_problem **out,
                           carom_report *report) {
    const int n = system->coordinate_count;
    const double frictionless = 0.0;
    CAROM_AUTO_MEMORY double *v = calloc((size_t)n, sizeof *v);
    CAROM_AUTO_MEMORY double *tangent = calloc((size_t)n, sizeof *tangent);
    if (v == NULL || tangent == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < n; k++) {
        v[k] = (k + 1.0) / n;
    }
    return carom_impact_problem_alloc(n, 1, 1, system->mass, system->contact_normal, tangent,
                                      &frictionless, v, out, report);
}

/** The chain of section 7.1. */
static carom_status make_chain(carom_impact_problem **out, carom_report *report) {
    CAROM_AUTO(carom_linear_system) chain = NULL;
    CAROM_TRY(carom_serial_chain_uniform_alloc(5, 1.0, &chain, report));
    return strike(chain, out, report);
}

/** The bar of ten elements. */
static carom_status make_clamped_bar(carom_impact_problem **out, carom_report *report) {
    const carom_clamped_bar_params params = carom_clamped_bar_params_default();
    CAROM_AUTO(carom_linear_system) bar = NULL;
    CAROM_TRY(carom_clamped_bar_alloc(&params, &bar, report));
    return strike(bar, out, report);
}

/* --- halm-2023 and pankov-2024 ---------------------------------------------------------------- */

/* make_NAME: the scene of a model with its default parameters: tables 4 to 8. */
#define MAKE_DEFAULT(NAME)                                                              \
    static carom_status make_##NAME(carom_impact_problem **out, carom_report *report) { \
        const carom_##NAME##_params params = carom_##NAME##_params_default();           \
        CAROM_AUTO(carom_impact_scene) scene = NULL;                                    \
        CAROM_TRY(carom_##NAME##_alloc(&params, &scene, report));                       \
        return carom_impact_problem_of_scene(scene, out, report);                       \
    }
MAKE_DEFAULT(rigid_block)
MAKE_DEFAULT(leaning_box)
MAKE_DEFAULT(compass_gait)
MAKE_DEFAULT(ramone)
MAKE_DEFAULT(disk_stack)

/** A ball falls on the floor and stays (figure 6): without friction. */
static carom_status make_falling_disk(carom_impact_problem **out, carom_report *report) {
    carom_falling_disk_params disk = carom_falling_disk_params_default();
    carom_falling_disk_landing landing;
    CAROM_TRY(carom_falling_disk_exact_landing(&disk, &landing, report));
    disk.initial_gap = 0.0;
    disk.initial_velocity = -landing.speed;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_falling_disk_alloc(&disk, &scene, report));
    return carom_impact_problem_of_scene(scene, out, report);
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

/** The same block lying on its side: its corners drive each other down (ours). */
static carom_status make_wide_block(carom_impact_problem **out, carom_report *report) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.width = 2.0;
    block.height = 1.0;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    return carom_impact_problem_of_scene(scene, out, report);
}

/** The same block at 10 degrees: one corner, as fast as the flat one (ours). */
static carom_status make_tilted_block(carom_impact_problem **out, carom_report *report) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.tilt = 10.0 * (M_PI / 180.0);
    block.gravity = 0.0;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_rigid_block_alloc(&block, &scene, report));
    return carom_impact_problem_of_scene(scene, out, report);
}

/** The end of the first swing of the block that comes to rest (section 4.3). */
static carom_status make_zeno_block(carom_impact_problem **out, carom_report *report) {
    const carom_zeno_block_params params = carom_zeno_block_params_default();
    CAROM_AUTO(carom_zeno_block) block = NULL;
    CAROM_TRY(carom_zeno_block_alloc(&params, &block, report));
    const double rate = block->half_cycles[0].rate;
    return make_swing(params.width, params.height, params.friction, rate, out, report);
}

/** The other foot of the rocking biped lands while the leg turns with 1 rad/s under a torso and an
 * arm at rest (figure 6; the rates are ours). */
static carom_status make_armed_biped(carom_impact_problem **out, carom_report *report) {
    const carom_armed_biped_params params = carom_armed_biped_params_default();
    CAROM_AUTO(carom_model) biped = NULL;
    CAROM_TRY(carom_armed_biped_alloc(&params, &biped, report));
    const carom_mechanism *mechanism = &biped->mechanism;
    biped->initial_velocity[mechanism->coordinate_count - 1] = -1.0;
    return carom_impact_problem_of_mechanism(mechanism, biped->initial_position,
                                             biped->initial_velocity, CAROM_IMPACT_CLOSED, NULL,
                                             out, report);
}

/* --- seghete-2014 ----------------------------------------------------------------------------- */

/** Tips of TREX this near to the floor touch it, cm: what the digits of its printed stances leave
 * open. */
static const double TREX_TOUCHING = 0.25;

static carom_status make_balls(const carom_ball_chain_params *params, carom_impact_problem **out,
                               carom_report *report) {
    CAROM_AUTO(carom_model) chain = NULL;
    CAROM_TRY(carom_ball_chain_alloc(params, &chain, report));
    return carom_impact_problem_of_mechanism(&chain->mechanism, chain->initial_position,
                                             chain->initial_velocity, CAROM_IMPACT_CLOSED, NULL,
                                             out, report);
}

/** Example 1: the left one of three equal balls comes with 1 m/s. */
static carom_status make_cradle(carom_impact_problem **out, carom_report *report) {
    const carom_ball_chain_params params = carom_ball_chain_params_default();
    return make_balls(&params, out, report);
}

/** Balls of 1, 2 and 4 kg, the outer ones coming with 1 m/s: both contacts close (ours). */
static carom_status make_unequal_cradle(carom_impact_problem **out, carom_report *report) {
    static const double masses[] = {1.0, 2.0, 4.0};
    static const double velocities[] = {1.0, 0.0, -1.0};
    carom_ball_chain_params params = carom_ball_chain_params_default();
    params.masses = masses;
    params.velocities = velocities;
    return make_balls(&params, out, report);
}

/** The break of section VII-A at an angle in degrees. */
static carom_status make_break(double degrees, carom_impact_problem **out, carom_report *report) {
    carom_billiard_break_params params = carom_billiard_break_params_default();
    params.angle = degrees * (M_PI / 180.0);
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(&params, &scene, report));
    return carom_impact_problem_of_mechanism(carom_impact_scene_mechanism(scene), scene->position,
                                             scene->velocity, CAROM_IMPACT_CLOSED, NULL, out,
                                             report);
}

static carom_status make_break_45(carom_impact_problem **out, carom_report *report) {
    return make_break(45.0, out, report);
}

static carom_status make_break_60(carom_impact_problem **out, carom_report *report) {
    return make_break(60.0, out, report);
}

static carom_status make_break_90(carom_impact_problem **out, carom_report *report) {
    return make_break(90.0, out, report);
}

static carom_status make_break_120(carom_impact_problem **out, carom_report *report) {
    return make_break(120.0, out, report);
}

/** The robot as it lands in its stance, with right foot and tail tip, after its drop: until then
 * springs and hips are at rest. */
static carom_status make_trex(const carom_trex_params *params, carom_impact_problem **out,
                              carom_report *report) {
    CAROM_AUTO(carom_model) robot = NULL;
    CAROM_TRY(carom_trex_alloc(params, &robot, report));
    double v[CAROM_TREX_COORDINATES] = {0.0};
    v[CAROM_TREX_Y] = -sqrt(2.0 * params->gravity * params->drop_height);
    return carom_impact_problem_of_mechanism(&robot->mechanism, params->stance, v, TREX_TOUCHING,
                                             NULL, out, report);
}

/** The row of table I that the paper prints as optimized. */
static carom_status make_trex_table_1(carom_impact_problem **out, carom_report *report) {
    const carom_trex_params params = carom_trex_params_default();
    return make_trex(&params, out, report);
}

/** Table I, hand-picked: before the optimization. */
static carom_status make_trex_unoptimized(carom_impact_problem **out, carom_report *report) {
    const carom_trex_params params = carom_trex_params_hand_picked();
    return make_trex(&params, out, report);
}

/** The root to which the optimization leads from the hand-picked row: orthogonal normals. */
static carom_status make_trex_root(carom_impact_problem **out, carom_report *report) {
    carom_trex_params params = carom_trex_params_hand_picked();
    const carom_trex_design_params search = carom_trex_design_params_default();
    CAROM_TRY(carom_trex_design_optimize(&params, &search, NULL, report));
    return make_trex(&params, out, report);
}

/** The robot of table I with straight legs (figure 8's initial gait), the right foot ahead. */
static carom_status make_trex_initial(carom_impact_problem **out, carom_report *report) {
    carom_trex_params params = carom_trex_params_default();
    double stance[CAROM_TREX_COORDINATES];
    CAROM_TRY(carom_trex_straight_stance(&params, true, stance, report));
    for (int j = 0; j < CAROM_TREX_COORDINATES; j++) {
        params.stance[j] = stance[j];
    }
    return make_trex(&params, out, report);
}

/* --- the table -------------------------------------------------------------------------------- */

/** One line a scene: the restitution is that which the paper uses with it. */
static const scene_entry scenes[] = {
    {"bouncing_ball", "bruls-2014", "ball on the floor", 0.8, make_ball},
    {"bouncing_pendulum", "bruls-2014", "pendulum against a wall", 0.8, make_pendulum},
    {"elastic_bar", "bruls-2014", "end of an elastic bar against a wall", 0.0, make_bar},
    {"rocking_corner", "bruls-2014", "first corner of a falling block", 0.5, make_corner},
    {"rocking_swing", "bruls-2014", "other corner of the rocking block", 0.5, make_rocking_swing},
    {"serial_chain", "thorin-2017", "end of a chain of five masses", 1.0, make_chain},
    {"clamped_bar", "thorin-2017", "end of a clamped bar", 1.0, make_clamped_bar},
    {"falling_disk", "halm-2023", "ball that stays on the floor", 0.0, make_falling_disk},
    {"falling_rod", "halm-2023", "end of a rod, its slip reversed", 0.0, make_falling_rod},
    {"tilted_block", "halm-2023", "one corner of a block", 0.0, make_tilted_block},
    {"flat_block", "halm-2023", "both corners of a high block", 0.0, make_rigid_block},
    {"wide_block", "halm-2023", "both corners of a wide block", 0.0, make_wide_block},
    {"zeno_block", "halm-2023", "other corner of a rocking block", 0.0, make_zeno_block},
    {"leaning_box", "halm-2023", "box between floor and wall", 0.0, make_leaning_box},
    {"compass_gait", "halm-2023", "compass gait, a wide step", 0.0, make_compass_gait},
    {"ramone", "halm-2023", "RAMone, both feet", 0.0, make_ramone},
    {"disk_stack", "halm-2023", "disc on two discs", 0.0, make_disk_stack},
    {"armed_biped", "pankov-2024", "foot of a biped with an arm", 0.0, make_armed_biped},
    {"cradle", "seghete-2014", "Newton's cradle, one ball comes", 1.0, make_cradle},
    {"cradle_unequal", "seghete-2014", "unequal balls from both sides", 1.0, make_unequal_cradle},
    {"break_45", "seghete-2014", "billiard break, 45 degrees", 1.0, make_break_45},
    {"break_60", "seghete-2014", "billiard break, 60 degrees", 1.0, make_break_60},
    {"break_90", "seghete-2014", "billiard break, 90 degrees", 1.0, make_break_90},
    {"break_120", "seghete-2014", "billiard break, 120 degrees", 1.0, make_break_120},
    {"trex_table_1", "seghete-2014", "TREX, table I", 1.0, make_trex_table_1},
    {"trex_unoptimized", "seghete-2014", "TREX, before optimization", 1.0, make_trex_unoptimized},
    {"trex_root", "seghete-2014", "TREX, orthogonal normals", 1.0, make_trex_root},
    {"trex_initial", "seghete-2014", "TREX, straight legs", 1.0, make_trex_initial},
};

const scene_entry *impact_laws_scenes(int *count) {
    *count = (int)(sizeof scenes / sizeof scenes[0]);
    return scenes;
}
