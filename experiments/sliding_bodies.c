/**
 * sliding_bodies: motions with friction in closed form, by every scheme that has friction (own).
 *
 * A sphere with spin slides and comes to roll, with 5/7 of its speed where it had no spin; one that
 * is thrown strikes, sticking or sliding, and goes on; a box brakes over v0^2/(2 mu g), rests below
 * the friction angle and slides above, tips where the line of what the plane carries leaves its
 * base, and rocks on with 1 - 3/2 sin^2 alpha of its rate. Errors over steps and over iterations:
 * the steps end half a step behind the event, so that each is met alike. Chosen: all numbers.
 */
#include "sliding_bodies/sliding_bodies.h"

#include <carom/base/parallel.h>
#include <carom/program/memory.h>

/* --- options ---------------------------------------------------------------------------------- */

static const carom_option OPTION_ROWS[] = {
    CAROM_REAL("mass", settings, sphere.mass, "kg", "mass of the sphere", "positive"),
    CAROM_REAL("radius", settings, sphere.radius, "m", "radius of the sphere", "positive"),
    CAROM_REAL("friction", settings, sphere.friction, "1", "friction of the sphere", "positive"),
    CAROM_REAL("gravity", settings, sphere.gravity, "m s-2", "gravity", "positive"),
    CAROM_REAL("speed", settings, sphere.velocity[0], "m s-1", "speed of the sphere", "positive"),
    CAROM_REAL("side-spin", settings, sphere.spin[0], "rad s-1",
               "spin of the sphere about the way that it slides", "any"),
    CAROM_REAL("throw-height", settings, throw_height, "m", "height of the sphere that is thrown",
               "positive"),
    CAROM_REAL("restitution", settings, restitution, "1", "restitution of that sphere", "[0, 1]"),
    CAROM_REAL("box-width", settings, box.width, "m", "width of the box", "positive"),
    CAROM_REAL("box-height", settings, box.height, "m", "height of the box", "positive"),
    CAROM_REAL("box-friction", settings, box.friction, "1", "friction of the box", "positive"),
    CAROM_REAL("box-speed", settings, box.speed, "m s-1", "speed of the box", "positive"),
    CAROM_REAL("incline", settings, incline, "1", "tangent of the slope on which boxes tip",
               "positive"),
    CAROM_REAL("spectral-radius", settings, spectral_radius, "1",
               "spectral radius at infinite frequency of the generalized-alpha schemes", "[0, 1]"),
    CAROM_INTEGER("steps", settings, steps, "1",
                  "coarsest steps to the event, none longer than the box takes to fall",
                  "[1, 10000]"),
    CAROM_INTEGER("halvings", settings, halvings, "1", "halvings of the step", "[1, 12]"),
    CAROM_INTEGER("points", settings, points, "1", "points of an axis of the map and of the curves",
                  "[2, 200]"),
    CAROM_INTEGER("creep-steps", settings, creep_steps, "1", "steps below the friction angle",
                  "[1, 10000000]"),
};

static carom_status check(void *context, carom_report *report) {
    settings *v = context;
    v->box.gravity = v->sphere.gravity;
    if (carom_sliding_box_begins(&v->box) != CAROM_SLIDING_BOX_SLIDES) {
        return carom_report_bound(report, "box friction", v->box.friction,
                                  "that of a box that does not tip, at most",
                                  v->box.width / v->box.height);
    }
    // A run of the finest step, or of creeping, keeps position and velocity of each.
    const double coarsest = sliding_coarsest_steps(v, carom_sliding_box_stop(&v->box));
    const double finest = 2.0 * ldexp(coarsest + 1.0, v->halvings);
    return carom_memory_check(fmax(finest, v->creep_steps), 12.0 * sizeof(double),
                              "time steps of a run", report);
}

/* --- the friction angle ----------------------------------------------------------------------- */

/** On a slope just below and just above the friction angle. */
typedef struct angle_row {
    int scheme;
    double creep;
    double acceleration;
    double exact_acceleration;
} angle_row;

static const carom_field ANGLE_FIELDS[] = {
    CAROM_FIELD("scheme", angle_row, scheme, "1",
                "0: Moreau-Jean, 1: with theta = 1/2, 2: velocity-level, 3: nonsmooth "
                "generalized-alpha, 4: variational"),
    CAROM_FIELD("creep", angle_row, creep, "1", "way of the box below the angle over its width"),
    CAROM_FIELD("acceleration", angle_row, acceleration, "m s-2", "of the box above the angle"),
    CAROM_FIELD("exact_acceleration", angle_row, exact_acceleration, "m s-2",
                "g (sin a - mu cos a)"),
};

/** Slopes beside that of the friction angle. */
static const double BELOW = 0.999;
static const double ABOVE = 1.001;

/** Rest on a slope and slide down one, by one scheme. */
static carom_status slope(int i, void *context, carom_report *report) {
    const settings *v = ((void **)context)[0];
    angle_row *row = (angle_row *)((void **)context)[1] + i;
    carom_sliding_box_params box = v->box;
    box.speed = 0.0;
    // A step in which the box would fall over a hundredth of its width.
    const double step = sqrt(0.02 * box.width / box.gravity);
    row->scheme = i;
    for (int side = 0; side < 2; side++) {
        CAROM_AUTO(carom_impact_scene) scene = NULL;
        sliding_run run;
        box.slope = atan(box.friction * (side == 0 ? BELOW : ABOVE));
        CAROM_TRY(carom_sliding_box_alloc(&box, &scene, report));
        const int steps = side == 0 ? v->creep_steps : v->steps;
        const carom_status status =
            sliding_run_scheme(v, (sliding_scheme)i, carom_impact_scene_mechanism(scene),
                               scene->position, scene->velocity, step, steps, NULL, &run, report);
        if (status != CAROM_OK) {
            sliding_run_clear(&run);
            return status;
        }
        if (side == 0) {
            row->creep = fabs(run.position[3 * (size_t)steps]) / box.width;
        } else {
            row->acceleration = run.velocity[3 * (size_t)steps] / (steps * step);
        }
        sliding_run_clear(&run);
    }
    double way;
    carom_sliding_box_exact(&box, 1.0, &way, &row->exact_acceleration);
    return CAROM_OK;
}

/* --- a motion to look at -----------------------------------------------------------------------
 */

/** The sphere that comes to roll: exactly, and in the steps of a scheme. */
typedef struct rolling_row {
    double time;
    double speed;
    double rim_speed;
    double sliding;
} rolling_row;

static const carom_field ROLLING_FIELDS[] = {
    CAROM_FIELD("time", rolling_row, time, "s", "time"),
    CAROM_FIELD("speed", rolling_row, speed, "m s-1", "of the centre, along the first direction"),
    CAROM_FIELD("rim_speed", rolling_row, rim_speed, "m s-1", "radius times spin"),
    CAROM_FIELD("sliding", rolling_row, sliding, "m s-1", "speed of the lowest point"),
};

enum { ROLLING_ROWS = 201 };

static void write_rolling(const settings *v, carom_record *record) {
    rolling_row rows[ROLLING_ROWS];
    const double event = carom_thrown_sphere_sliding_time(&v->sphere);
    for (int k = 0; k < ROLLING_ROWS; k++) {
        carom_thrown_sphere_state state;
        rows[k].time = 2.0 * event * k / (ROLLING_ROWS - 1);
        carom_thrown_sphere_exact(&v->sphere, rows[k].time, &state);
        rows[k].speed = state.velocity[0];
        rows[k].rim_speed = v->sphere.radius * state.spin[1];
        rows[k].sliding = hypot(state.sliding[0], state.sliding[1]);
    }
    carom_record group = carom_record_group(record, "/rolling/exact");
    carom_record_attribute(&group, ".", "long_name",
                           "the sphere that comes to roll, in closed form");
    carom_record_rows(&group, "time", rows, ROLLING_ROWS, sizeof *rows, ROLLING_FIELDS,
                      COUNT(ROLLING_FIELDS));
    carom_record_measure(record, "sliding_time", event, "s", "until the sphere rolls");
    carom_record_measure(record, "braking_time", carom_sliding_box_stop(&v->box), "s",
                         "until the box stops");
}

static carom_status run(carom_record *record, const carom_common_options *common, void *context,
                        carom_report *report) {
    const settings *v = context;
    angle_row rows[SLIDING_SCHEMES];
    void *shared[2] = {context, rows};
    write_rolling(v, record);
    CAROM_TRY(sliding_write_convergence(v, common, record, report));
    CAROM_TRY(carom_parallel_map(common->workers, SLIDING_SCHEMES, slope, shared,
                                 CAROM_PARALLEL_ROWS(rows, SLIDING_SCHEMES), report));
    carom_record group = carom_record_group(record, "/friction_angle");
    carom_record_attribute(&group, ".", "long_name",
                           "a box on slopes just below and above the friction angle");
    carom_record_rows(&group, "scheme", rows, SLIDING_SCHEMES, sizeof *rows, ANGLE_FIELDS,
                      COUNT(ANGLE_FIELDS));
    return sliding_write_instants(v, common, record, report);
}

static const carom_table_column COLUMNS[] = {
    {.head = "steps", .expression = "steps[-1]"},
    {.head = "error", .expression = "error[-1]", .digits = 2},
    {.head = "order", .expression = "slope(step, error)", .digits = 3},
    {.head = "speed error", .expression = "speed_error[-1]", .digits = 2},
    {.head = "iterations", .expression = "iterations[-1]"},
};
static const carom_table TABLES[] = {
    {.groups = "/rolling/* /thrown/* /braking/*", .group_head = "run", CAROM_COLUMNS(COLUMNS)}};

int main(int argc, char **argv) {
    settings values = {.sphere = carom_thrown_sphere_params_default(),
                       .throw_height = 0.1,
                       .restitution = 0.5,
                       .box = carom_sliding_box_params_default(),
                       .incline = 0.5,
                       .spectral_radius = 0.8,
                       .steps = 16,
                       .halvings = 6,
                       .points = 25,
                       .creep_steps = 10000};
    values.sphere.velocity[0] = 2.0;
    values.sphere.spin[0] = 12.0;
    const carom_program program = {
        .name = "sliding_bodies",
        .title = "Spheres that come to roll, boxes that brake, tip and rock: friction in every "
                 "scheme",
        .source = "own",
        .schema = "sliding_bodies 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
        .has_contact_steps = true,
        CAROM_TABLES(TABLES),
    };
    return carom_experiment_main(&program, argc, argv, check, run, &values);
}
