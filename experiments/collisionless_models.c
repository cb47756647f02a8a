/**
 * collisionless_models: motions without collisions of systems with two degrees of freedom: hopper,
 * juggler, extended rimless wheel, coronal rocking (pankov-2024 section 4, figure 1, appendix C).
 *
 *     m x'' + k x = e_2 F_2,   F_2 = 0 or x_2 = x_2^0,   x_2' = x_2'' = 0 at every impact
 *
 * Impact times by the closed forms (24), (26), (28) and by the solver for any number of degrees of
 * freedom; the motion of one root extended over a period, and integrated event by event with
 * perfectly plastic contact. The paper prints no parameters and no matrices for these systems: unit
 * masses, lengths, stiffness and gravity are chosen, and unit half angles, the motion being
 * proportional to them. What the paper says is asked of the record, in
 * data/published/collisionless_models.csv.
 */
#include "collisionless_models/gaits.h"

#include <gsl/gsl_math.h>

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    if (values->root > values->columns) {
        return carom_report_bound(report, "root", values->root,
                                  "up to --columns =", values->columns);
    }
    gaits all = {.values = values, .report = report};
    const carom_status status = collisionless_models_prepare(&all);
    collisionless_models_clear(&all);
    return status;
}

/** One model: its impact times, and one of its motions by two ways. */
static carom_status compute_gait(gaits *all, gait *g) {
    CAROM_TRY(collisionless_models_write_roots(all, g));
    CAROM_TRY(collisionless_models_write_motion(all, g));
    return collisionless_models_simulate(all, g);
}

/** Solve, follow, compare, and write everything. */
static carom_status compute(gaits *all, bool is_quiet) {
    CAROM_TRY(collisionless_models_prepare(all));
    carom_progress *progress = carom_progress_start("models", MODELS, "models", is_quiet);
    carom_status status = CAROM_OK;
    for (int i = 0; i < MODELS && status == CAROM_OK; i++) {
        gait *g = &all->models[i];
        status = compute_gait(all, g);
        if (status != CAROM_OK) {
            carom_report_set_context(all->report, g->name);
        }
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    CAROM_TRY(status);
    CAROM_TRY(collisionless_models_draw(all));
    CAROM_TRY(collisionless_models_write_series(all));
    CAROM_TRY(collisionless_models_write_edge(all));
    return collisionless_models_write_subdivision(all);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    gaits all = {.values = context, .record = record, .report = report};
    const carom_status status = compute(&all, common->is_quiet);
    collisionless_models_clear(&all);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("gravity", settings, gravity, "m s-2", "gravitational acceleration g", "positive"),
    CAROM_INTEGER("columns", settings, columns, "1",
                  "roots of each model, from its first that is no trivial one, at most 64",
                  "[1, 64]"),
    CAROM_INTEGER("root", settings, root, "1", "which of them is followed over a period, from 1",
                  "positive"),
    CAROM_INTEGER("row", settings, row, "1",
                  "r, further half oscillations of the constrained phase; only 0 is realizable",
                  "[0, 64]"),
    CAROM_INTEGER("samples", settings, samples, "1", "instants of a period", "[2, 100000]"),
    CAROM_INTEGER("periods", settings, periods, "1",
                  "periods that are integrated event by event, at most 64", "[1, 64]"),
    CAROM_REAL(
        "drawn-angle", settings, drawn_angle, "rad",
        "half angle of spokes and legs in figure 1, below 1; the wheel has pi over it spokes",
        "(0, 1)"),
    CAROM_REAL("drawn-pendulum-length", settings, drawn_pendulum, "m",
               "length of pendulums in figure 1", "positive"),
    CAROM_REAL("hopper-upper-mass", settings, hopper.upper_mass, "kg", "upper mass m_u",
               "positive"),
    CAROM_REAL("hopper-lower-mass", settings, hopper.lower_mass, "kg",
               "mass m_l that meets the ground", "positive"),
    CAROM_REAL("hopper-spring-stiffness", settings, hopper.spring_stiffness, "N m-1",
               "stiffness kappa of the spring between the masses", "positive"),
    CAROM_REAL("hopper-spring-length", settings, hopper.spring_length, "m",
               "natural length of that spring, for the drawing", "positive"),
    CAROM_REAL("juggler-paddle-mass", settings, juggler.paddle_mass, "kg", "mass m_1 of the paddle",
               "positive"),
    CAROM_REAL("juggler-ball-mass", settings, juggler.ball_mass, "kg", "mass m_2 of the ball",
               "positive"),
    CAROM_REAL("juggler-spring-stiffness", settings, juggler.spring_stiffness, "N m-1",
               "stiffness kappa of the spring under the paddle", "positive"),
    CAROM_REAL("juggler-spring-length", settings, juggler.spring_length, "m",
               "natural length of that spring, for the drawing", "positive"),
    CAROM_REAL("reaction-wheel-reaction-inertia", settings, reaction_wheel.reaction_inertia,
               "kg m2", "J_r of the reaction wheel about the hub", "positive"),
    CAROM_REAL("reaction-wheel-wheel-inertia", settings, reaction_wheel.wheel_inertia, "kg m2",
               "J_w of the rest about the contact, at least M l2", "positive"),
    CAROM_REAL("reaction-wheel-spring-stiffness", settings, reaction_wheel.spring_stiffness,
               "N m rad-1", "stiffness kappa of the torsional spring", "positive"),
    CAROM_REAL("reaction-wheel-mass", settings, reaction_wheel.mass, "kg", "mass M of everything",
               "positive"),
    CAROM_REAL("reaction-wheel-spoke-length", settings, reaction_wheel.spoke_length, "m",
               "length l of a spoke", "positive"),
    CAROM_REAL("reaction-wheel-half-angle", settings, reaction_wheel.half_spoke_angle, "rad",
               "half the angle eps between spokes: the unit of the harmonic motion", "positive"),
    CAROM_REAL("pendulum-wheel-hub-mass", settings, pendulum_wheel.hub_mass, "kg",
               "mass M at the hub", "positive"),
    CAROM_REAL("pendulum-wheel-pendulum-mass", settings, pendulum_wheel.pendulum_mass, "kg",
               "mass m_p of the pendulum", "positive"),
    CAROM_REAL("pendulum-wheel-spoke-length", settings, pendulum_wheel.spoke_length, "m",
               "length l of a spoke", "positive"),
    CAROM_REAL("pendulum-wheel-pendulum-length", settings, pendulum_wheel.pendulum_length, "m",
               "length a of the pendulum", "positive"),
    CAROM_REAL("pendulum-wheel-half-angle", settings, pendulum_wheel.half_spoke_angle, "rad",
               "half the angle eps between spokes: the unit of the harmonic motion", "positive"),
    CAROM_REAL("rocking-foot-mass", settings, rocker.foot_mass, "kg", "mass m_0 of each foot",
               "not negative"),
    CAROM_REAL("rocking-pendulum-mass", settings, rocker.pendulum_mass, "kg",
               "mass m_1 of the pendulum", "positive"),
    CAROM_REAL("rocking-hip-mass", settings, rocker.hip_mass, "kg", "mass m_2 of the hip",
               "positive"),
    CAROM_REAL("rocking-leg-length", settings, rocker.leg_length, "m", "length l of a leg",
               "positive"),
    CAROM_REAL("rocking-pendulum-length", settings, rocker.pendulum_length, "m",
               "length a of the pendulum", "positive"),
    CAROM_REAL("rocking-half-angle", settings, rocker.half_leg_angle, "rad",
               "half the angle theta between the legs: the unit of the harmonic motion",
               "positive"),
};

static const carom_table_column columns[] = {
    {.head = "tau", .expression = "time"},
    {.head = "tau'", .expression = "constrained_time"},
    {.head = "least gap", .expression = "least_gap"},
    {.head = "largest force", .expression = "largest_force_ratio"},
};

static const carom_table tables[] = {
    {.groups = "/*/roots", .group_head = "roots", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {
        .hopper = carom_hopper_params_default(),
        .juggler = carom_juggler_params_default(),
        .reaction_wheel = carom_reaction_wheel_params_default(),
        .pendulum_wheel = carom_pendulum_wheel_params_default(),
        .rocker = carom_coronal_rocker_params_default(),
        .gravity = 1.0,
        .columns = 8,
        .root = 1,
        .row = 0,
        .samples = 401,
        .periods = 10,
        .drawn_angle = M_PI / 16.0,
        .drawn_pendulum = 0.5,
    };
    const carom_program program = {
        .name = "collisionless_models",
        .title = "Motion without collisions with two degrees of freedom",
        .source = "pankov-2024",
        .schema = "collisionless_models 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
