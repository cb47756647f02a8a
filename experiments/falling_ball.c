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
#include "falling_ball/falling_ball.h"

#include <carom/base/linear_algebra.h>
#include <carom/drawing/models.h>

#include <stdlib.h>

/** The coordinate that is the height, and the runs of the integrator. */
enum { HEIGHT = 1, RUNS = 4 };

/** The ball and its exact motion. */
typedef struct fall {
    const settings *values;
    const carom_impact_scene *scene;
    carom_falling_disk_landing landing;
    double length; /**< of s */
} fall;

/* --- the exact motion ------------------------------------------------------------------------- */

/** The ball at s, by the exact solution or by a run. */
typedef struct state_row {
    double s;
    double time;
    double gap;
    double velocity;
    double position[COORDINATES]; /**< of a run */
} state_row;

static const carom_field STATE_FIELDS[] = {
    CAROM_FIELD("s", state_row, s, "s", "s: time, and normal impulse over kappa"),
    CAROM_FIELD("time", state_row, time, "s", "time t(s)"),
    CAROM_FIELD("gap", state_row, gap, "m", "height z"),
    CAROM_FIELD("velocity", state_row, velocity, "m s-1", "dz/dt"),
    CAROM_FIELD_ARRAY("position", state_row, position, "coordinate", "m, rad", "q of the ball"),
};

/** Of them, without coordinates. */
enum { EXACT_FIELDS = 4 };

static state_row exact_state(const fall *f, double s) {
    const carom_falling_disk_state state =
        carom_falling_disk_exact_state(&f->values->ball, &f->landing, s);
    return (state_row){.s = s, .time = state.time, .gap = state.gap, .velocity = state.velocity};
}

/** Flight, and the ends of impact and rest, which are straight: /exact. */
static void write_exact(const fall *f, carom_record *record) {
    enum { FLIGHT_POINTS = 201, POINTS = FLIGHT_POINTS + 2 };
    const carom_falling_disk_landing *landing = &f->landing;
    carom_record group = carom_record_group(record, "/exact");
    state_row rows[POINTS];
    for (int k = 0; k < FLIGHT_POINTS; k++) {
        rows[k] = exact_state(f, (double)k / (FLIGHT_POINTS - 1) * landing->time);
    }
    rows[FLIGHT_POINTS] = exact_state(f, landing->time + landing->impact_length);
    rows[FLIGHT_POINTS + 1] = exact_state(f, f->length);
    carom_record_rows(&group, "s", rows, POINTS, sizeof *rows, STATE_FIELDS, EXACT_FIELDS);
    carom_record_scalar(&group, "landing_time", landing->time, "s",
                        "time of the landing, also s there");
    carom_record_scalar(&group, "landing_speed", landing->speed, "m s-1",
                        "downward speed just before the impact");
    carom_record_scalar(&group, "impulse", landing->impulse, "N s",
                        "normal impulse of the impact; over kappa, its length in s");
    carom_record_scalar(&group, "resting_share", landing->resting_share, "1", "dt/ds at rest");
}

/** The ball at its start and the ground: /drawing. */
static carom_status draw_ball(const fall *f, carom_record *record) {
    const double radius = f->values->ball.radius;
    double circle[2 * CAROM_SCENE_CIRCLE_POINTS];
    carom_scene_circle(0.0, 0.0, radius, circle);
    const double ground[] = {-2.0 * radius, 0.0, 2.0 * radius, 0.0};
    const double middle[] = {0.0, 0.0};
    const carom_scene_line ball = {"ball", 0, CAROM_SCENE_CIRCLE_POINTS, circle};
    const carom_scene_line floor = {"ground", -1, 2, ground};
    const carom_scene_line center = {"center", 0, 1, middle};
    const carom_planar_tree *tree = f->scene->tree;
    const double *q = f->scene->position;
    CAROM_TRY(carom_scene_record_line(record, "/drawing", tree, q, &ball));
    CAROM_TRY(carom_scene_record_line(record, "/drawing", tree, q, &floor));
    return carom_scene_record_velocities(record, "/drawing", tree, q, f->scene->velocity, &center);
}

/* --- the field -------------------------------------------------------------------------------- */

/** Regions of (53) off its boundaries. */
enum { FLIGHT, IMPACT };

/** A point of the plane, and where the inclusion leads from there. */
typedef struct field_row {
    double gap;
    double velocity;
    double gap_rate;
    double velocity_rate;
    double region;
} field_row;

static const carom_field FIELD_FIELDS[] = {
    CAROM_FIELD("gap", field_row, gap, "m", "height z"),
    CAROM_FIELD("velocity", field_row, velocity, "m s-1", "dz/dt"),
    CAROM_FIELD("gap_rate", field_row, gap_rate, "m s-1", "dz/ds"),
    CAROM_FIELD("velocity_rate", field_row, velocity_rate, "m s-2", "d(dz/dt)/ds"),
    CAROM_FIELD("region", field_row, region, "1", "0: flight, 1: impact"),
};

/** D_S = (v, M^-1 f, 1) where the contact is open or separates, D_C = (0, M^-1 J_n' kappa, 0) where
 * it is closed and closes further: without friction one element each. The mass matrix of a free
 * body is constant: `mass` is factored. */
static void evaluate(const fall *f, const carom_factor *mass, field_row *row) {
    const carom_mechanism *ball = carom_impact_scene_mechanism(f->scene);
    const double q[COORDINATES] = {0.0, row->gap + f->values->ball.radius, 0.0};
    const double v[COORDINATES] = {0.0, row->velocity, 0.0};
    double normal[COORDINATES];
    double rate[COORDINATES];
    double gap;
    ball->constraints(q, &gap, ball->context);
    ball->constraint_jacobian(q, normal, ball->context);
    /*[fallingBallField]*/
    const double speed = carom_vector_dot(COORDINATES, normal, v);
    const int region = gap > 0.0 || speed > 0.0 ? FLIGHT : IMPACT;
    if (region == FLIGHT) {
        ball->force(0.0, q, v, rate, ball->context);
    } else {
        for (int i = 0; i < COORDINATES; i++) {
            rate[i] = f->values->ball.reference_force * normal[i];
        }
    }
    carom_factor_solve(mass, rate);
    row->gap_rate = region == FLIGHT ? speed : 0.0;
    row->velocity_rate = rate[HEIGHT];
    /*[end fallingBallField]*/
    row->region = region;
}

/** The plane reaches so far: with the published start +-2, as in the figure. The highest point is
 * v^2/2g above the ground, v the speed of a landing; a ball that lies there has the scales of its
 * radius. */
static void plane_limits(const fall *f, double *gap, double *velocity) {
    const carom_falling_disk_params *ball = &f->values->ball;
    const double speed = f->landing.speed;
    const double highest = 0.5 * speed * speed / ball->gravity;
    *gap = highest > 0.0 ? 2.25 * highest : ball->radius;
    *velocity = speed > 0.0 ? 1.5 * speed : sqrt(ball->gravity * ball->radius);
}

/** Figure 6(b): the field over a grid, no point of which lies on an axis of the plane: /portrait.
 */
static carom_status write_portrait(const fall *f, carom_record *record, carom_report *report) {
    enum { SIDE = 16, POINTS = SIDE * SIDE };
    const carom_mechanism *ball = carom_impact_scene_mechanism(f->scene);
    CAROM_AUTO(carom_factor) mass = NULL;
    double M[COORDINATES * COORDINATES];
    ball->mass(f->scene->position, M, ball->context);
    CAROM_TRY(carom_factor_alloc(ball->layout, &mass));
    const carom_status status = carom_factor_compute(mass, M);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "mass matrix of the ball", (double)NAN, -1);
    }
    double limits[2];
    plane_limits(f, &limits[0], &limits[1]);
    field_row rows[POINTS];
    for (int k = 0; k < POINTS; k++) {
        const int column = k % SIDE;
        const int line = k / SIDE;
        rows[k].gap = limits[0] * (2.0 * (column + 0.5) / SIDE - 1.0);
        rows[k].velocity = limits[1] * (2.0 * (line + 0.5) / SIDE - 1.0);
        evaluate(f, mass, &rows[k]);
    }
    carom_record group = carom_record_group(record, "/portrait");
    carom_record_scalar(&group, "gap_limit", limits[0], "m", "the plane reaches so far in z");
    carom_record_scalar(&group, "velocity_limit", limits[1], "m s-1",
                        "the plane reaches so far in dz/dt");
    carom_record_index_axis(&group, "point", POINTS, "point of the plane");
    carom_record_rows(&group, "point", rows, POINTS, sizeof *rows, FIELD_FIELDS,
                      COUNT(FIELD_FIELDS));
    return CAROM_OK;
}

/* --- the integrator --------------------------------------------------------------------------- */

/** A run beside the exact solution at the same s: largest errors. */
typedef struct error_row {
    double step;
    double time_error;
    double gap_error;
    double velocity_error;
} error_row;

static const carom_field ERROR_FIELDS[] = {
    CAROM_FIELD("step", error_row, step, "s", "step ds"),
    CAROM_FIELD("time_error", error_row, time_error, "s", "largest error of t(s)"),
    CAROM_FIELD("gap_error", error_row, gap_error, "m", "largest error of z(s)"),
    CAROM_FIELD("velocity_error", error_row, velocity_error, "m s-1", "largest error of dz/dt(s)"),
};

static state_row state_of(const carom_trajectory *t, int row) {
    const double *q = t->position + (size_t)row * COORDINATES;
    return (state_row){.s = t->s[row],
                       .time = t->time[row],
                       .gap = t->gap[row],
                       .velocity = t->velocity[(size_t)row * COORDINATES + HEIGHT],
                       .position = {q[0], q[1], q[2]}};
}

static error_row errors_of(const fall *f, const carom_trajectory *t, double step) {
    error_row out = {.step = step};
    for (int k = 0; k < t->row_count; k++) {
        const state_row exact = exact_state(f, t->s[k]);
        const state_row ours = state_of(t, k);
        out.time_error = fmax(out.time_error, fabs(ours.time - exact.time));
        out.gap_error = fmax(out.gap_error, fabs(ours.gap - exact.gap));
        out.velocity_error = fmax(out.velocity_error, fabs(ours.velocity - exact.velocity));
    }
    return out;
}

/** A run over its s, some thousand rows at most: /inclusion. */
static carom_status write_run(const fall *f, const carom_trajectory *t, carom_record *record) {
    enum { MOST_ROWS = 4000 };
    const int stride = 1 + (t->row_count - 1) / MOST_ROWS;
    const int count = 2 + (t->row_count - 2) / stride;
    CAROM_AUTO_MEMORY state_row *rows = calloc((size_t)count, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        rows[k] = state_of(t, k == count - 1 ? t->row_count - 1 : k * stride);
    }
    carom_record group = carom_record_group(record, "/inclusion");
    carom_record_index_axis(&group, "coordinate", COORDINATES, "coordinate");
    carom_record_rows(&group, "s", rows, count, sizeof *rows, STATE_FIELDS, COUNT(STATE_FIELDS));
    return carom_geometry_record_falling_disk(record, &f->values->ball);
}

/** Four steps, each half the one before: /convergence. */
static carom_status run_ball(const fall *f, carom_record *record, carom_report *report) {
    carom_inclusion_params params = carom_inclusion_params_default();
    params.reference_force = f->values->ball.reference_force;
    error_row rows[RUNS];
    for (int k = 0; k < RUNS; k++) {
        CAROM_AUTO(carom_trajectory) t = NULL;
        params.step = ldexp(f->values->step, RUNS - 1 - k);
        CAROM_TRY(carom_inclusion_run(carom_impact_scene_mechanism(f->scene), &params,
                                      f->scene->position, f->scene->velocity, f->length, INFINITY,
                                      &t, report));
        rows[k] = errors_of(f, t, params.step);
        if (k == RUNS - 1) {
            CAROM_TRY(write_run(f, t, record));
        }
    }
    carom_record group = carom_record_group(record, "/convergence");
    carom_record_rows(&group, "step", rows, RUNS, sizeof *rows, ERROR_FIELDS, COUNT(ERROR_FIELDS));
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** The exact motion up to the end of the run: flight, impact and rest. */
static carom_status begin(const settings *values, fall *f, carom_report *report) {
    *f = (fall){.values = values};
    CAROM_TRY(carom_falling_disk_exact_landing(&values->ball, &f->landing, report));
    f->length =
        f->landing.time + f->landing.impact_length + values->rest / f->landing.resting_share;
    return CAROM_OK;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    (void)common;
    const settings *values = context;
    fall f;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    CAROM_TRY(begin(values, &f, report));
    CAROM_TRY(carom_falling_disk_alloc(&values->ball, &scene, report));
    f.scene = scene;
    write_exact(&f, record);
    CAROM_TRY(draw_ball(&f, record));
    CAROM_TRY(write_portrait(&f, record, report));
    CAROM_TRY(run_ball(&f, record, report));
    return falling_ball_study_rod(values, record, report);
}

/** Fill in kappa, which grows with the weights of ball and rod, and refuse options that do not fit
 * together. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    carom_falling_disk_params rod = values->ball;
    rod.mass = values->rod.mass;
    values->rod.reference_force = carom_falling_disk_reference_force(&rod);
    values->ball.reference_force = carom_falling_disk_reference_force(&values->ball);
    fall f;
    CAROM_TRY(begin(values, &f, report));
    // A step takes some microseconds and some hundred bytes; the coarsest run takes one at least.
    return carom_model_require_within("step", values->step, f.length / 4e6,
                                      ldexp(f.length, 1 - RUNS), report);
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
