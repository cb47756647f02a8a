/**
 * zeno_block: a block rocks from corner to corner and comes to rest after infinitely many impacts
 * in finite time (halm-2023 section 4.3, figures 7 and 8).
 *
 *     (q, v, t)' in D(q, v, t) (53),   ds = dt + (dL_A + dL_B)/kappa,   v(0) = (-h/2, w/2, 1)
 * dtheta0
 *
 * The solution that the paper constructs, in closed form, and the integrator of the inclusion,
 * which knows no impacts, beside it. Printed in the paper: width, height, mass, friction, dtheta0 =
 * 1 and gravity. From the authors' programs: the rest of 0.5 s that is drawn. Chosen: the step of
 * the integrator.
 *
 * What the paper says of this motion is asked of the record, in data/published/zeno_block.csv; that
 * the construction satisfies (53) is tested in tests/models/zeno_block.c.
 */
#include <carom/carom.h>

#include <carom/drawing/models.h>
#include <carom/study/scenes.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/trajectory.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Contacts A and B, q = (x, y, theta), and the runs of the integrator. */
enum { CORNERS = 2, COORDINATES = 3, ANGLE = 2, RUNS = 4 };

/** Left limits are taken this part of a phase before its end: above the rounding of s* even in the
 * shortest phase drawn. */
static const double BEFORE_END = 1e-9;

/** Everything that options set. */
typedef struct settings {
    carom_zeno_block_params block;
    double step; /**< ds of the finest run */
    double rest; /**< s */
} settings;

/** The block and its exact motion. */
typedef struct rocking {
    const settings *values;
    const carom_impact_scene *scene;
    const carom_zeno_block *exact;
    double length; /**< of s */
} rocking;

/** Length of the run in s: to the accumulation, and the rest after it. */
static double run_length(const settings *values, const carom_zeno_block *exact) {
    return exact->accumulation_s + values->rest / exact->resting_share;
}

/* --- the exact motion ------------------------------------------------------------------------- */

static const carom_field STATE_FIELDS[] = {
    CAROM_FIELD("s", carom_zeno_state, s, "s", "s: time, and normal impulses over kappa"),
    CAROM_FIELD("time", carom_zeno_state, time, "s", "time t(s)"),
    CAROM_FIELD("angle", carom_zeno_state, position[ANGLE], "rad", "angle theta"),
    CAROM_FIELD("rate", carom_zeno_state, velocity[ANGLE], "rad s-1", "rate of turn dtheta/dt"),
    CAROM_FIELD("time_rate", carom_zeno_state, time_rate, "1", "dt/ds"),
    CAROM_FIELD("normal_rate_A", carom_zeno_state, normal_rate[0], "1",
                "rate of the normal impulse at A over s"),
    CAROM_FIELD("normal_rate_B", carom_zeno_state, normal_rate[1], "1",
                "rate of the normal impulse at B over s"),
};

#define CYCLE(name, member, units, long_name) \
    CAROM_FIELD(name, carom_zeno_half_cycle, member, units, long_name)
static const carom_field CYCLE_FIELDS[] = {
    CYCLE("start_rate", rate, "rad s-1", "magnitude of dtheta/dt at the start"),
    CYCLE("apex_angle", apex_angle, "rad", "largest angle from the floor"),
    CYCLE("impact_time", impact_time, "s", "time of the impact at its end"),
    CYCLE("impact_s", impact_s, "s", "s where this impact begins"),
    CYCLE("impulse", impulse, "N s", "normal impulse of this impact"),
};

#define NUMBER(name, units, long_name) CAROM_FIELD(#name, carom_zeno_block, name, units, long_name)
static const carom_field NUMBERS[] = {
    NUMBER(transfer, "1", "factor e of the rate in one impact"),
    NUMBER(half_diagonal, "m", "distance r of corners and mass centre"),
    NUMBER(corner_angle, "rad", "angle a of that line above the floor"),
    NUMBER(accumulation_time, "s", "t* of the accumulation"),
    NUMBER(accumulation_s, "s", "s* of the accumulation"),
    NUMBER(resting_share, "1", "dt/ds at rest"),
    NUMBER(first_swing_bound, "s", "bound (58) on the first swing, with 2 rate/(d2theta/dt2)"),
    NUMBER(time_bound, "s", "bound (70) on t*"),
    NUMBER(s_bound, "s", "bound (69) on s*"),
    NUMBER(smallest_force, "N", "least normal force of the first swing"),
    NUMBER(largest_force, "N", "largest normal force of the first swing"),
    NUMBER(friction_ratio, "1", "largest tangential over normal force of the first swing"),
    NUMBER(stick_friction, "1", "smallest mu for which no corner slides"),
};

/** Half cycles that are drawn: those whose impacts are longer than a millionth of s*. */
static int drawn_half_cycles(const carom_zeno_block *exact) {
    int count = 1;
    while (count < exact->half_cycle_count &&
           exact->half_cycles[count].impact_length > 1e-6 * exact->accumulation_s) {
        count++;
    }
    return count;
}

/** The solution along s: 33 points a swing, its end included, the two ends of an impact, which is
 * linear, and those of the rest. */
static carom_status write_path(const rocking *r, carom_record *group) {
    enum { SWING_POINTS = 33, CYCLE_POINTS = SWING_POINTS + 2, REST_POINTS = 2 };
    const carom_zeno_block *exact = r->exact;
    const int cycles = drawn_half_cycles(exact);
    const int count = cycles * CYCLE_POINTS + REST_POINTS;
    CAROM_AUTO_MEMORY carom_zeno_state *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < cycles; i++) {
        const carom_zeno_half_cycle *cycle = &exact->half_cycles[i];
        const double swing = cycle->impact_s - cycle->start_s;
        carom_zeno_state *row = rows + (size_t)i * CYCLE_POINTS;
        for (int j = 0; j < SWING_POINTS - 1; j++) {
            const double s = cycle->start_s + swing * j / (SWING_POINTS - 1);
            *row++ = carom_zeno_block_state(exact, s);
        }
        *row++ = carom_zeno_block_state(exact, cycle->impact_s - BEFORE_END * swing);
        *row++ = carom_zeno_block_state(exact, cycle->impact_s);
        *row = carom_zeno_block_state(exact,
                                      cycle->impact_s + (1.0 - BEFORE_END) * cycle->impact_length);
    }
    rows[count - 2] = carom_zeno_block_state(exact, exact->accumulation_s);
    rows[count - 1] = carom_zeno_block_state(exact, r->length);
    carom_record_rows(group, "s", rows, count, sizeof *rows, STATE_FIELDS, COUNT(STATE_FIELDS));
    return CAROM_OK;
}

/** The least time that passes in windows of s as long as two first impacts, as Theorem 5 is about.
 */
static double find_slowest_time(const rocking *r) {
    enum { WINDOWS = 1000 };
    const double window = fmin(2.0 * r->exact->half_cycles[0].impact_length, 0.5 * r->length);
    double slowest = INFINITY;
    for (int k = 0; k <= WINDOWS; k++) {
        const double s = (r->length - window) * k / WINDOWS;
        slowest = fmin(slowest, carom_zeno_block_state(r->exact, s + window).time -
                                    carom_zeno_block_state(r->exact, s).time);
    }
    return slowest;
}

/** (57) with the sign that is printed. */
static double printed_apex(const rocking *r) {
    const carom_zeno_block *exact = r->exact;
    const double rate = r->values->block.initial_rate;
    const double rise = 0.5 * rate * rate / exact->pendulum_share;
    return asin(rise - sin(exact->corner_angle)) - exact->corner_angle;
}

/** Half cycles, accumulation, the solution along s: /exact; and two /measures. */
static carom_status write_exact(const rocking *r, carom_record *record) {
    const carom_zeno_block *exact = r->exact;
    carom_record group = carom_record_group(record, "/exact");
    carom_record_rows(&group, NULL, exact, 1, sizeof *exact, NUMBERS, COUNT(NUMBERS));
    carom_record_index_axis(&group, "half_cycle", exact->half_cycle_count, "half cycle");
    carom_record_rows(&group, "half_cycle", exact->half_cycles, exact->half_cycle_count,
                      sizeof *exact->half_cycles, CYCLE_FIELDS, COUNT(CYCLE_FIELDS));
    carom_record_measure(record, "apex_angle_as_printed", printed_apex(r), "rad",
                         "theta* by (57) with its printed sign");
    carom_record_measure(record, "slowest_time", find_slowest_time(r), "s",
                         "least time that passes in an s as long as two first impacts");
    return write_path(r, &group);
}

/* --- figure 7 --------------------------------------------------------------------------------- */

/** Outline, velocities of the corners and mass centre at a state. */
static carom_status draw_state(const rocking *r, const char *group, const carom_zeno_state *state,
                               carom_record *record) {
    enum { POINTS = 4 };
    const carom_zeno_block_params *block = &r->values->block;
    const carom_planar_tree *tree = r->scene->tree;
    const double w = 0.5 * block->width;
    const double h = 0.5 * block->height;
    const double points[2 * POINTS] = {-w, -h, w, -h, w, h, -w, h};
    const double middle[2] = {0.0, 0.0};
    double rectangle[10];
    carom_scene_rectangle(block->width, block->height, rectangle);
    const carom_scene_line outline = {"block", 0, 5, rectangle};
    const carom_scene_line corners = {"corners", 0, POINTS, points};
    const carom_scene_line center = {"center", 0, 1, middle};
    CAROM_TRY(carom_scene_record_line(record, group, tree, state->position, &outline));
    CAROM_TRY(carom_scene_record_line(record, group, tree, state->position, &center));
    return carom_scene_record_velocities(record, group, tree, state->position, state->velocity,
                                         &corners);
}

/** The block at four instants of its first half cycle, and the floor: /drawing. */
static carom_status draw(const rocking *r, carom_record *record) {
    const carom_zeno_block *exact = r->exact;
    const carom_zeno_half_cycle *first = &exact->half_cycles[0];
    const double landing = first->impact_s - BEFORE_END * (first->impact_s - first->start_s);
    const double after =
        exact->half_cycle_count > 1 ? exact->half_cycles[1].start_s : exact->accumulation_s;
    const struct {
        const char *group;
        carom_zeno_state state;
    } scenes[] = {
        {"/drawing/start", carom_zeno_block_state(exact, 0.0)},
        {"/drawing/apex", carom_zeno_block_state_at_time(exact, 0.5 * first->impact_time)},
        {"/drawing/before_impact", carom_zeno_block_state(exact, landing)},
        {"/drawing/after_impact", carom_zeno_block_state(exact, after)},
    };
    for (int i = 0; i < COUNT(scenes); i++) {
        CAROM_TRY(draw_state(r, scenes[i].group, &scenes[i].state, record));
    }
    // Beyond the block on both sides.
    const double half = 1.1 * r->values->block.width;
    const double ends[] = {-half, 0.0, half, 0.0};
    const carom_scene_line floor_line = {"floor", -1, 2, ends};
    return carom_scene_record_line(record, "/drawing", r->scene->tree, r->scene->position,
                                   &floor_line);
}

/* --- the integrator --------------------------------------------------------------------------- */

/** A step of the integrator. */
typedef struct run_row {
    double s;
    double time;
    double x;
    double angle;
    double rate;
    double time_rate;
    double normal_rate;
} run_row;

static const carom_field RUN_FIELDS[] = {
    CAROM_FIELD("s", run_row, s, "s", "s: time, and normal impulses over kappa"),
    CAROM_FIELD("time", run_row, time, "s", "time t(s)"),
    CAROM_FIELD("x", run_row, x, "m", "horizontal position"),
    CAROM_FIELD("angle", run_row, angle, "rad", "angle theta"),
    CAROM_FIELD("rate", run_row, rate, "rad s-1", "rate of turn"),
    CAROM_FIELD("time_rate", run_row, time_rate, "1", "dt/ds of the step before; NaN at the start"),
    CAROM_FIELD("normal_rate_A", run_row, normal_rate, "1",
                "normal impulse at A over ds of the step before; NaN at the start"),
};

/** A run beside the exact solution at the same s. */
typedef struct error_row {
    double step;
    double impact_time_error;
    double later_impact_time_error;
    double time_error;
    double angle_error;
    double rate_error;
    double rest_time;
} error_row;

static const carom_field ERROR_FIELDS[] = {
    CAROM_FIELD("step", error_row, step, "s", "step ds"),
    CAROM_FIELD("impact_time_error", error_row, impact_time_error, "s",
                "error of t where the first impact begins"),
    CAROM_FIELD("later_impact_time_error", error_row, later_impact_time_error, "s",
                "error of t where the fifth impact begins, or the last one of fewer"),
    CAROM_FIELD("time_error", error_row, time_error, "s", "largest error of t(s)"),
    CAROM_FIELD("angle_error", error_row, angle_error, "rad", "largest error of theta(s)"),
    CAROM_FIELD("rate_error", error_row, rate_error, "rad s-1", "largest error of dtheta/dt(s)"),
    CAROM_FIELD("rest_time", error_row, rest_time, "s", "t of the last step that turns"),
};

static run_row row_of(const carom_trajectory *t, int row) {
    const size_t q = (size_t)row * COORDINATES;
    return (run_row){
        .s = t->s[row],
        .time = t->time[row],
        .x = t->position[q],
        .angle = t->position[q + ANGLE],
        .rate = t->velocity[q + ANGLE],
        .time_rate = t->time_rate[row],
        .normal_rate = t->normal_rate[(size_t)row * CORNERS],
    };
}

/** Error of t where the impact of a half cycle begins. */
static double impact_time_error(const carom_trajectory *t, const carom_zeno_half_cycle *cycle) {
    return fabs(carom_inclusion_trajectory_time(t, cycle->impact_s) - cycle->impact_time);
}

static error_row errors_of(const rocking *r, const carom_trajectory *t, double step) {
    enum { FIFTH = 4 };
    const int later = r->exact->half_cycle_count > FIFTH ? FIFTH : r->exact->half_cycle_count - 1;
    // Far above the rounding of the rates at rest.
    const double resting = 1e-9 * r->values->block.initial_rate;
    error_row out = {
        .step = step,
        .impact_time_error = impact_time_error(t, &r->exact->half_cycles[0]),
        .later_impact_time_error = impact_time_error(t, &r->exact->half_cycles[later]),
    };
    for (int k = 0; k < t->row_count; k++) {
        const carom_zeno_state exact = carom_zeno_block_state(r->exact, t->s[k]);
        const run_row ours = row_of(t, k);
        out.time_error = fmax(out.time_error, fabs(ours.time - exact.time));
        out.angle_error = fmax(out.angle_error, fabs(ours.angle - exact.position[ANGLE]));
        out.rate_error = fmax(out.rate_error, fabs(ours.rate - exact.velocity[ANGLE]));
        if (fabs(ours.rate) > resting) {
            out.rest_time = ours.time;
        }
    }
    return out;
}

/** A run over its s, some thousand rows at most, and what it took: /inclusion. */
static carom_status write_run(const carom_trajectory *t, carom_record *record) {
    enum { MOST_ROWS = 6000 };
    const int last = t->row_count - 1;
    const int stride = 1 + last / MOST_ROWS;
    const int count = 2 + (last - 1) / stride;
    CAROM_AUTO_MEMORY run_row *rows = calloc((size_t)count, sizeof *rows);
    CAROM_AUTO_MEMORY double *places = calloc((size_t)count, COORDINATES * sizeof *places);
    if (rows == NULL || places == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        const int row = k == count - 1 ? last : k * stride;
        rows[k] = row_of(t, row);
        memcpy(places + (size_t)COORDINATES * (size_t)k,
               t->position + (size_t)COORDINATES * (size_t)row, COORDINATES * sizeof *places);
    }
    carom_record group = carom_record_group(record, "/inclusion");
    carom_record_rows(&group, "s", rows, count, sizeof *rows, RUN_FIELDS, COUNT(RUN_FIELDS));
    carom_record_index_axis(&group, "coordinate", COORDINATES, "x, y, theta");
    carom_record_series(&group, "position", places, "s", "coordinate", "m, rad", "coordinates");
    carom_record_integer(&group, "step_count", last, "1", "steps taken");
    carom_record_integer(&group, "shortened_count", (int)carom_trajectory_total(t, t->shortened),
                         "1", "steps that were shortened");
    return CAROM_OK;
}

/** Four steps, each half the one before: /convergence. */
static carom_status run_block(const rocking *r, carom_record *record, carom_report *report) {
    carom_inclusion_params params = carom_inclusion_params_default();
    params.reference_force = r->exact->params.reference_force;
    error_row rows[RUNS];
    for (int k = 0; k < RUNS; k++) {
        CAROM_AUTO(carom_trajectory) t = NULL;
        params.step = ldexp(r->values->step, RUNS - 1 - k);
        CAROM_TRY(carom_inclusion_run(carom_impact_scene_mechanism(r->scene), &params,
                                      r->scene->position, r->scene->velocity, r->length, INFINITY,
                                      &t, report));
        rows[k] = errors_of(r, t, params.step);
        if (k == RUNS - 1) {
            CAROM_TRY(write_run(t, record));
            CAROM_TRY(carom_geometry_record_block(record, r->values->block.width,
                                                  r->values->block.height));
        }
    }
    carom_record group = carom_record_group(record, "/convergence");
    carom_record_rows(&group, "step", rows, RUNS, sizeof *rows, ERROR_FIELDS, COUNT(ERROR_FIELDS));
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    const settings *values = context;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_AUTO(carom_zeno_block) exact = NULL;
    CAROM_TRY(carom_zeno_block_scene(&values->block, &scene, report));
    CAROM_TRY(carom_zeno_block_alloc(&values->block, &exact, report));
    const rocking r = {
        .values = values, .scene = scene, .exact = exact, .length = run_length(values, exact)};
    CAROM_TRY(write_exact(&r, record));
    CAROM_TRY(draw(&r, record));
    return run_block(&r, record, report);
}

/** Fill in what is not set, and refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->block.reference_force = carom_zeno_block_reference_force(&values->block);
    CAROM_AUTO(carom_zeno_block) exact = NULL;
    CAROM_TRY(carom_zeno_block_alloc(&values->block, &exact, report));
    const double length = run_length(values, exact);
    // A step takes some microseconds and some hundred bytes; the coarsest run takes one at least.
    return carom_model_require_within("step", values->step, length / 4e6, ldexp(length, 1 - RUNS),
                                      report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("width", settings, block.width, "m", "width w, below sqrt(2) h", "positive"),
    CAROM_REAL("height", settings, block.height, "m", "height h", "positive"),
    CAROM_REAL("mass", settings, block.mass, "kg", "mass m", "positive"),
    CAROM_REAL("friction", settings, block.friction, "1",
               "coefficient of friction mu of both corners", "not negative"),
    CAROM_REAL("initial-rate", settings, block.initial_rate, "rad s-1",
               "rate of turn about A at the start", "positive"),
    CAROM_REAL("gravity", settings, block.gravity, "m s-2", "gravitational acceleration g",
               "positive"),
    CAROM_REAL("reference-force", settings, block.reference_force, "N",
               "force kappa that makes impulses lengths of s, s = t + impulses/kappa; not given, m "
               "g over 9.81: 1 N for the published block",
               "positive"),
    CAROM_REAL("step", settings, step, "s",
               "smallest step ds of the integrator; four are run, each twice the next", "positive"),
    CAROM_REAL("rest", settings, rest, "s",
               "time that is followed after the block has come to rest", "positive"),
};

static const carom_table_column columns[] = {
    {.head = "step", .expression = "step"},
    {.head = "angle error", .expression = "angle_error"},
    {.head = "rate error", .expression = "rate_error"},
    {.head = "impact time error", .expression = "impact_time_error"},
    {.head = "time error", .expression = "time_error"},
};

static const carom_table tables[] = {
    {.groups = "/convergence", CAROM_COLUMNS(columns)},
};

int main(int argc, char **argv) {
    settings v = {
        .block = carom_zeno_block_params_default(),
        .step = 5e-4,
        .rest = 0.5,
    };
    const carom_program program = {
        .name = "zeno_block",
        .title = "A block that comes to rest after infinitely many impacts",
        .source = "halm-2023",
        .schema = "zeno_block 1",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
