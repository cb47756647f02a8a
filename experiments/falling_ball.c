/**
 * falling_ball: a ball falls onto the ground and stays (halm-2023 figure 6), and a rod that slides
 * on it is stopped by an impact without collision (section 4.3).
 *
 *     (z, z', t)' in D(z, z', t) (53)
 *
 * The field of the inclusion in the plane (z, dz/dt), the exact solution, and the integrator, which
 * knows neither impacts nor rest, beside it; the same integrator beside Routh's path for the rod.
 * The paper prints no numbers: radius, gravity and start are those of the authors' programs.
 * Chosen: the mass, the time of rest, the rod and its speed, the steps.
 */
#include "falling_ball/results.h"

/** Length of the run in s: flight, impact and rest. */
static double run_length(const settings *values, const carom_falling_disk_landing *landing) {
    return landing->time + landing->impact_length + values->rest / landing->resting_share;
}

/** What is not set: kappa, which grows with the weights of ball and rod. */
static void fill_in(settings *values) {
    carom_falling_disk_params rod = values->ball;
    rod.mass = values->rod.mass;
    values->rod.reference_force = carom_falling_disk_reference_force(&rod);
    values->ball.reference_force = carom_falling_disk_reference_force(&values->ball);
}

/** Fill in what is not set, and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    fill_in(values);
    carom_falling_disk_landing landing;
    CAROM_TRY(carom_falling_disk_exact_landing(&values->ball, &landing, report));
    const double length = run_length(values, &landing);
    // The coarsest run takes one step at least.
    return carom_model_require_within("step", values->step, length / FALLING_BALL_MOST_STEPS,
                                      ldexp(length, 1 - RUNS), report);
}

/** Solve, integrate, compare, and write everything. */
static carom_status compute(results *r) {
    CAROM_TRY(falling_ball_write_exact(r));
    CAROM_TRY(falling_ball_write_portrait(r));
    CAROM_TRY(falling_ball_write_runs(r));
    CAROM_TRY(falling_ball_write_rod(r));
    falling_ball_write_claims(r);
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    const settings *values = context;
    results r = {.values = values, .record = record, .report = report};
    CAROM_TRY(carom_falling_disk_exact_landing(&values->ball, &r.landing, report));
    r.length = run_length(values, &r.landing);
    carom_impact_scene *scene = NULL;
    CAROM_TRY(carom_falling_disk_alloc(&values->ball, &scene, report));
    r.scene = scene;
    const carom_status status = compute(&r);
    carom_impact_scene_free(scene);
    return status;
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("radius", settings, ball.radius, "m", "radius R", "positive"),
    CAROM_REAL("mass", settings, ball.mass, "kg", "mass m of the ball", "positive"),
    CAROM_REAL("gravity", settings, ball.gravity, "m s-2", "gravitational acceleration g",
               "positive"),
    CAROM_REAL("initial-height", settings, ball.initial_gap, "m",
               "height z of the lowest point at the start", "not negative"),
    CAROM_REAL("initial-velocity", settings, ball.initial_velocity, "m s-1",
               "upward velocity at the start", "any"),
    CAROM_REAL("rest", settings, rest, "s", "time that is followed after the impact", "positive"),
    CAROM_REAL("reference-force", settings, ball.reference_force, "N",
               "force kappa that makes impulses lengths of s, s = t + impulse/kappa; not given, m "
               "g over 1, of ball and rod each its own: 1 N for the published ball",
               "positive"),
    CAROM_REAL("step", settings, step, "s",
               "smallest step ds of the integrator; four are run, each twice the next", "positive"),
    CAROM_REAL("rod-mass", settings, rod.mass, "kg", "mass of the uniform rod", "positive"),
    CAROM_REAL("rod-length", settings, rod.length, "m", "length of the rod", "positive"),
    CAROM_REAL("rod-angle", settings, rod.angle, "deg",
               "inclination of the rod above the ground, below 90", "(0, 90)"),
    CAROM_REAL("rod-friction", settings, rod.friction, "1",
               "coefficient of friction of the rod's end", "not negative"),
    CAROM_REAL("rod-velocity", settings, rod.velocity, "m s-1",
               "velocity of the rod along the ground; it rises to the right", "any"),
};

static const carom_table_column columns[] = {
    {.head = "step", .expression = "step"},
    {.head = "gap error", .expression = "gap_error"},
    {.head = "velocity error", .expression = "velocity_error"},
    {.head = "time error", .expression = "time_error"},
};

static const carom_table tables[] = {
    {.groups = "/convergence", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {
        .ball = carom_falling_disk_params_default(),
        .rod = {.mass = 1.0, .length = 2.0, .angle = 65.0, .friction = 2.0, .velocity = -0.731},
        .step = 1e-3,
        .rest = 0.5,
    };
    const carom_program program = {
        .name = "falling_ball",
        .title = "A ball that falls and stays, and a rod that is stopped without collision",
        .source = "halm-2023",
        .schema = "falling_ball 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
