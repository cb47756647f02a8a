/** The impacts of seghete-2014: balls on a line, the billiard break, TREX. */
#include "results.h"

#include <carom/models/trex/internal.h>

#include "scenes.h"

#include <gsl/gsl_math.h>

/** Tips of TREX this near to the floor touch it, cm: what the digits of its printed stances leave
 * open. */
static const double TREX_TOUCHING = 0.25;

static carom_status make_balls(const carom_ball_chain_params *params, carom_impact_problem **out,
                               carom_report *report) {
    carom_model *chain = NULL;
    CAROM_TRY(carom_ball_chain_alloc(params, &chain, report));
    const carom_status status =
        impact_laws_problem_at(&chain->mechanism, chain->initial_position, chain->initial_velocity,
                               CAROM_IMPACT_CLOSED, out, report);
    carom_model_free(chain);
    return status;
}

/** Example 1: the left one of three equal balls comes with 1 m/s. */
carom_status impact_laws_make_cradle(carom_impact_problem **out, carom_report *report) {
    const carom_ball_chain_params params = carom_ball_chain_params_default();
    return make_balls(&params, out, report);
}

/** Balls of 1, 2 and 4 kg, the outer ones coming with 1 m/s: both contacts close (ours). */
carom_status impact_laws_make_unequal_cradle(carom_impact_problem **out, carom_report *report) {
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
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_billiard_break_alloc(&params, &scene, report));
    const carom_status status =
        impact_laws_problem_at(carom_impact_scene_mechanism(scene), scene->position,
                               scene->velocity, CAROM_IMPACT_CLOSED, out, report);
    carom_impact_scene_free(scene);
    return status;
}

carom_status impact_laws_make_break_45(carom_impact_problem **out, carom_report *report) {
    return make_break(45.0, out, report);
}

carom_status impact_laws_make_break_60(carom_impact_problem **out, carom_report *report) {
    return make_break(60.0, out, report);
}

carom_status impact_laws_make_break_90(carom_impact_problem **out, carom_report *report) {
    return make_break(90.0, out, report);
}

carom_status impact_laws_make_break_120(carom_impact_problem **out, carom_report *report) {
    return make_break(120.0, out, report);
}

/** The robot as it lands in its stance, with right foot and tail tip, after its drop: until then
 * springs and hips are at rest. */
static carom_status make_trex(const carom_trex_params *params, carom_impact_problem **out,
                              carom_report *report) {
    carom_model *robot = NULL;
    CAROM_TRY(carom_trex_alloc(params, &robot, report));
    double v[CAROM_TREX_COORDINATES] = {0.0};
    v[CAROM_TREX_Y] = -sqrt(2.0 * params->gravity * params->drop_height);
    const carom_status status =
        impact_laws_problem_at(&robot->mechanism, params->stance, v, TREX_TOUCHING, out, report);
    carom_model_free(robot);
    return status;
}

/** Table I, optimized. */
carom_status impact_laws_make_trex_optimized(carom_impact_problem **out, carom_report *report) {
    const carom_trex_params params = carom_trex_params_default();
    return make_trex(&params, out, report);
}

/** Table I, hand-picked: before the optimization. */
carom_status impact_laws_make_trex_unoptimized(carom_impact_problem **out, carom_report *report) {
    const carom_trex_params params = carom_trex_params_hand_picked();
    return make_trex(&params, out, report);
}

/** The optimized robot with straight legs (figure 8's initial gait), the right foot ahead. */
carom_status impact_laws_make_trex_initial(carom_impact_problem **out, carom_report *report) {
    carom_trex_params params = carom_trex_params_default();
    double stance[CAROM_TREX_COORDINATES];
    CAROM_TRY(carom_trex_straight_stance(&params, true, stance, report));
    for (int j = 0; j < CAROM_TREX_COORDINATES; j++) {
        params.stance[j] = stance[j];
    }
    return make_trex(&params, out, report);
}
