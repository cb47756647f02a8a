/**
 * painleve_rod: a rod that slides on its leading end, over its angle and the friction
 * (painleve-1895, genot-1999).
 *
 *     u = W r + q,   W_nn = 1 + 3 cos^2,  W_tt = 1 + 3 sin^2,  W_nt = 3 sin cos   over the mass
 *
 * of a slender rod at an angle to the floor. One step of Moreau and Jean's scheme from sliding says
 * what becomes of it: it slides on with a force, or no force is a solution and it stops at once, by
 * an impact without a collision. Of a rod that also turns, over its angle and rate, all solutions
 * are counted: forces and impulses without a collision. One motion beyond the limit is followed on.
 * Length, mass, speed and gravity are our own and cancel.
 */
#include <carom/carom.h>
#include <carom/drawing/geometry.h>
#include <carom/impact/contact_modes.h>
#include <carom/mechanism/bodies/bodies.h>
#include <carom/program/memory.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The options of the command line. */
typedef struct settings {
    int angles;              /**< of the map */
    int frictions;           /**< of the map */
    double largest_friction; /**< 1 */
    double speed;            /**< m/s */
    double step;             /**< s */
    double turning_friction; /**< of the rod that turns */
    double turning_part;     /**< what gravity gives its end in the while that is looked at, of the
                                speed */
    double falling_angle;    /**< of the rod whose motion is followed, rad */
    double falling_step;     /**< s */
    double falling_time;     /**< s */
} settings;

static const double MASS = 1.0;
static const double HALF = 0.5; /* of the length, m */
static const double GRAVITY = 9.81;

/** What one step did. */
typedef struct outcome {
    double impulse; /* N s */
    double sliding; /* speed of the end after it, m/s */
} outcome;

/** The rod, which the caller frees, at an angle: q and v [3]; the right end is the lower one, and
 * leads. */
static carom_status place_rod(const settings *values, double angle, double friction,
                              carom_bodies **out, double *state, carom_report *report) {
    static const double up[] = {0.0, 0.0, 0.0, 1.0};
    const double ends[] = {-HALF, 0.0, HALF, 0.0};
    const carom_planar_shape rod = {MASS, MASS * HALF * HALF / 3.0, {0.0, 0.0}};
    const carom_bodies_shape shapes[] = {
        {.body = 0, .point_count = 2, .points = ends, .friction = friction},
        {.body = CAROM_BODIES_GROUND,
         .is_half_plane = true,
         .point_count = 2,
         .points = up,
         .friction = friction}};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = 1;
    spec.bodies = &rod;
    spec.shape_count = 2;
    spec.shapes = shapes;
    spec.gravity[1] = -GRAVITY;
    spec.most_contacts = 2;
    memcpy(state, (double[6]){0.0, HALF * sin(angle), -angle, values->speed, 0.0, 0.0},
           6 * sizeof *state);
    return carom_bodies_alloc(&spec, out, report);
}

/** Moreau and Jean's scheme at the start of such a rod. */
static carom_status start(const carom_bodies *bodies, double step, const double *state,
                          carom_stepper **out, carom_report *report) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = step;
    params.theta = 0.5;
    CAROM_TRY(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, out, report));
    return carom_stepper_start(*out, 0.0, state, state + 3, report);
}

/*[painleveRodStep]*/
static carom_status slide(const settings *values, double angle, double friction, outcome *out,
                          carom_report *report) {
    double state[6];
    CAROM_AUTO(carom_bodies) bodies = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(place_rod(values, angle, friction, &bodies, state, report));
    CAROM_TRY(start(bodies, values->step, state, &stepper, report));
    CAROM_TRY(carom_stepper_advance(stepper, report));
    const carom_step *step = carom_stepper_result(stepper);
    *out = (outcome){step->impulse[0], fabs(step->sliding_velocity[0])};
    return CAROM_OK;
}
/*[end painleveRodStep]*/

/** Friction beyond which no force lets the end slide: W_nn / W_nt. */
static double limit_at(double angle) {
    return (1.0 + 3.0 * cos(angle) * cos(angle)) / (3.0 * sin(angle) * cos(angle));
}

/** One pair of the map. */
typedef struct cell_row {
    int cell;
    double angle;
    double friction;
    double limit;
    double impulse;
    double sliding;
} cell_row;

static const carom_field CELL_FIELDS[] = {
    CAROM_FIELD("cell", cell_row, cell, "1", "pair of an angle and a friction"),
    CAROM_FIELD("angle", cell_row, angle, "rad", "of the rod from the floor"),
    CAROM_FIELD("friction", cell_row, friction, "1", "coefficient"),
    CAROM_FIELD("limit", cell_row, limit, "1", "friction beyond which no force is a solution"),
    CAROM_FIELD("impulse", cell_row, impulse, "1",
                "normal impulse of the step over mass and speed"),
    CAROM_FIELD("sliding", cell_row, sliding, "1",
                "speed of the end after the step, over that before"),
};

/* --- the rod that turns ------------------------------------------------------------------------
 */

/** A rod that slides and turns, at an angle and a rate. */
typedef struct state_row {
    int cell;
    double angle;
    double rate;
    int solutions;
    bool lifts;
    bool slides;
    bool sticks;
} state_row;

static const carom_field STATE_FIELDS[] = {
    CAROM_FIELD("cell", state_row, cell, "1", "pair of an angle and a rate"),
    CAROM_FIELD("angle", state_row, angle, "rad", "of the rod from the floor"),
    CAROM_FIELD("rate", state_row, rate, "1", "of the rod, over sqrt(g/l), l half its length"),
    CAROM_FIELD("solutions", state_row, solutions, "1", "that were found"),
    CAROM_FIELD("lifts", state_row, lifts, "1", "1: one is that the end lifts"),
    CAROM_FIELD("slides", state_row, slides, "1", "1: one is that it slides on, on the floor"),
    CAROM_FIELD("sticks", state_row, sticks, "1", "1: one is that it stops at once"),
};

/** Rates up to this are looked at. */
static const double MOST_RATE = 2.0;

/** All solutions of the law of contact for a short while: the end accelerates away from the floor
 * by what the rate does, towards the middle of the rod, less gravity. */
static carom_status count_solutions(const settings *values, state_row *row, carom_report *report) {
    const double reach[] = {HALF * cos(row->angle), -HALF * sin(row->angle)};
    const double M[] = {MASS, 0.0, 0.0, 0.0, MASS, 0.0, 0.0, 0.0, MASS * HALF * HALF / 3.0};
    const double normal[] = {0.0, 1.0, reach[0]};
    const double tangent[] = {1.0, 0.0, -reach[1]};
    const double away = row->rate * row->rate * sin(row->angle) - 1.0; // over gravity
    const double v[] = {values->speed, away * values->turning_part * values->speed, 0.0};
    CAROM_AUTO(carom_impact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_modes) modes = NULL;
    CAROM_AUTO(carom_contact_mode_solutions) found = NULL;
    CAROM_TRY(carom_impact_problem_alloc(3, 1, 1, M, normal, tangent, &values->turning_friction, v,
                                         &problem, report));
    CAROM_TRY(carom_contact_modes_alloc(problem, CAROM_CONTACT_MODES_UNCAPPED, &modes, report));
    CAROM_TRY(carom_contact_mode_solutions_alloc(modes, &found));
    CAROM_TRY(carom_contact_modes_solve(modes, problem->contact_velocity, NULL, found));
    row->solutions = found->count;
    for (int k = 0; k < found->count; k++) {
        const bool presses = found->impulse[2 * k] > 0.0;
        const bool slides = found->velocity[2 * k + 1] > 0.5 * values->speed;
        row->lifts = row->lifts || !presses;
        row->slides = row->slides || (presses && slides);
        row->sticks = row->sticks || (presses && !slides);
    }
    return CAROM_OK;
}

static carom_status write_turning(const settings *values, carom_record *record,
                                  carom_report *report) {
    const int count = values->angles * values->angles;
    CAROM_AUTO_MEMORY state_row *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const int line = k / values->angles;
        rows[k].cell = k;
        rows[k].angle = M_PI_2 * (line + 0.5) / values->angles;
        rows[k].rate = MOST_RATE * (k % values->angles + 0.5) / values->angles;
        CAROM_TRY(count_solutions(values, &rows[k], report));
    }
    carom_record group = carom_record_group(record, "/turning");
    carom_record_attribute(&group, ".", "long_name", "solutions for a rod that slides and turns");
    carom_record_rows(&group, "cell", rows, count, sizeof *rows, STATE_FIELDS,
                      (int)(sizeof STATE_FIELDS / sizeof *STATE_FIELDS));
    return CAROM_OK;
}

/* --- a motion ----------------------------------------------------------------------------------
 */

/** A row of the motion. */
typedef struct motion_row {
    double time;
    double position[3];
} motion_row;

static const carom_field MOTION_FIELDS[] = {
    CAROM_FIELD("time", motion_row, time, "s", "time"),
    CAROM_FIELD_ARRAY("position", motion_row, position, "coordinate", "m, rad",
                      "x, y, angle of the middle of the rod"),
};

/** The rod and the floor. */
static carom_status write_geometry(carom_record *record) {
    const carom_planar_wall floor = carom_planar_floor(0.0);
    CAROM_AUTO_VALUE(carom_geometry) geometry = {0};
    const int rod = carom_geometry_add_free_body(&geometry, "rod", 0, 1.0);
    carom_geometry_add_line(&geometry, rod, (double[2]){-HALF, 0.0}, (double[2]){HALF, 0.0});
    carom_geometry_add_half_plane(&geometry, &floor);
    return carom_geometry_record(record, &geometry);
}

/** The rod of the largest friction stops, and falls: /motion. */
static carom_status write_motion(const settings *values, carom_record *record,
                                 carom_report *report) {
    const int steps = (int)lround(ceil(values->falling_time / values->falling_step));
    double state[6];
    CAROM_AUTO(carom_bodies) bodies = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_AUTO_MEMORY motion_row *rows = calloc((size_t)steps + 1, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(
        place_rod(values, values->falling_angle, values->largest_friction, &bodies, state, report));
    CAROM_TRY(start(bodies, values->falling_step, state, &stepper, report));
    for (int k = 0; k <= steps; k++) {
        const carom_step *now = carom_stepper_result(stepper);
        rows[k].time = now->time;
        memcpy(rows[k].position, now->position, sizeof rows[k].position);
        if (k < steps) {
            CAROM_TRY(carom_stepper_advance(stepper, report));
        }
    }
    carom_record group = carom_record_group(record, "/motion");
    carom_record_attribute(&group, ".", "long_name", "a rod that stops, and falls");
    carom_record_index_axis(&group, "coordinate", 3, "coordinate");
    carom_record_rows(&group, "time", rows, steps + 1, sizeof *rows, MOTION_FIELDS, 2);
    return write_geometry(record);
}

/* --- the program -------------------------------------------------------------------------------
 */

static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    if (values->falling_step > values->falling_time) {
        return carom_report_bound(report, "falling step", values->falling_step,
                                  "at most the falling time", values->falling_time);
    }
    return carom_memory_check(values->falling_time / values->falling_step, sizeof(motion_row),
                              "time steps of the motion", report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    const settings *values = context;
    const int count = values->angles * values->frictions;
    CAROM_AUTO_MEMORY cell_row *cells = calloc((size_t)count, sizeof *cells);
    if (cells == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const int row = k / values->frictions;
        const double angle = M_PI_2 * (row + 0.5) / values->angles;
        const double friction =
            values->largest_friction * (k % values->frictions + 0.5) / values->frictions;
        outcome out;
        CAROM_TRY(slide(values, angle, friction, &out, report));
        cells[k] = (cell_row){k,
                              angle,
                              friction,
                              limit_at(angle),
                              out.impulse / (MASS * values->speed),
                              out.sliding / values->speed};
    }
    carom_record map = carom_record_group(record, "/map");
    carom_record_rows(&map, "cell", cells, count, sizeof *cells, CELL_FIELDS,
                      (int)(sizeof CELL_FIELDS / sizeof *CELL_FIELDS));
    CAROM_TRY(write_turning(values, record, report));
    return write_motion(values, record, report);
}

static const carom_option OPTION_ROWS[] = {
    CAROM_INTEGER("angles", settings, angles, "1", "of the map", "[1, 10000]"),
    CAROM_INTEGER("frictions", settings, frictions, "1", "of the map", "[1, 10000]"),
    CAROM_REAL("largest-friction", settings, largest_friction, "1", "of the map", "positive"),
    CAROM_REAL("speed", settings, speed, "m s-1", "of the rod", "positive"),
    CAROM_REAL("step", settings, step, "s", "the one step of Moreau and Jean's scheme", "positive"),
    CAROM_REAL("turning-friction", settings, turning_friction, "1", "of the rod that turns",
               "positive"),
    CAROM_REAL("turning-part", settings, turning_part, "1",
               "what gravity gives its end in the while for which solutions are counted, over its "
               "speed",
               "[1e-6, 1e-2]"),
    CAROM_REAL("falling-angle", settings, falling_angle, "rad",
               "at which the rod starts whose motion is followed", "(0, 1.57]"),
    CAROM_REAL("falling-step", settings, falling_step, "s", "step of that motion", "positive"),
    CAROM_REAL("falling-time", settings, falling_time, "s", "for which it is followed", "positive"),
};

int main(int argc, char **argv) {
    settings values = {.angles = 60,
                       .frictions = 60,
                       .largest_friction = 3.0,
                       .speed = 1.0,
                       .step = 1e-6,
                       .turning_friction = 1.6,
                       .turning_part = 1e-4,
                       .falling_angle = 1.0,
                       .falling_step = 1e-3,
                       .falling_time = 0.6};
    const carom_program program = {
        .name = "painleve_rod",
        .title = "Painleve's rod: where no force lets it slide",
        .source = "own",
        .schema = "painleve_rod 1",
        .options = CAROM_OPTIONS(OPTION_ROWS),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
