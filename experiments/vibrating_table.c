/**
 * vibrating_table: a ball that bounces on a table vibrating as A sin(omega t).
 *
 *     m d2y/dt2 = -m g,   v+ - s' = -e (v- - s'),   s = A sin(omega t)
 *
 * With one impact in each period the motion is stable from Gamma = A omega^2/g = pi (1-e)/(1+e) on
 * and doubles its period where a multiplier of the map from impact to impact is -1, in closed form;
 * then its period doubles again and again. Classical (Holmes 1982, with the table's displacement
 * neglected); here the map is exact. Three ways to the same motions: the map iterated, Newton's
 * method on the map, and a scheme of fixed steps that knows of neither. Parameters are our own.
 */
#include <carom/base/parallel.h>
#include <carom/carom.h>
#include <carom/drawing/models.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double PI = 3.14159265358979323846;

enum {
    KEPT = 64,     /* impacts recorded of each motion, after it has settled */
    FLIPS = 5,     /* doublings sought: of the periods 1, 2, 4, 8, 16 */
    STUDY_RUNS = 6 /* step sizes, halved from one to the next */
};

typedef struct settings {
    carom_vibrating_table_params table;
    double frequency; /**< Hz */
    double lowest;    /**< Gamma */
    double highest;
    int points;
    int settling; /**< impacts before those that are kept */
    int scheme_points;
    int steps; /**< of the scheme, in a period of the table */
    int only;  /**< 0: the map alone */
} settings;

/** A motion at one acceleration, after it has settled. */
typedef struct motion_row {
    double acceleration;
    double phase[KEPT];
} motion_row;

static const carom_field MOTION_FIELDS[] = {
    CAROM_FIELD("acceleration", motion_row, acceleration, "1", "Gamma = A omega^2/g of the table"),
    CAROM_FIELD_ARRAY("phase", motion_row, phase, "impact", "rad",
                      "phase of the table at successive impacts; NaN: none, the ball stays on it"),
};

/** What a task needs. */
typedef struct task {
    const settings *values;
    motion_row *rows;
    int count;                      /**< accelerations, evenly spaced from lowest to highest */
    int steps;                      /**< of the scheme, in a period */
    carom_contact_folder *problems; /**< where those of the scheme's steps go; NULL: nowhere */
} task;

static double turn_of(double phase) {
    return phase - 2.0 * PI * floor(phase / (2.0 * PI));
}

static double acceleration_of(const task *all, int i) {
    const settings *values = all->values;
    return values->lowest + (values->highest - values->lowest) * i / fmax(1.0, all->count - 1);
}

/** By which its velocity is pushed, so that it shows whether it is stable. */
static const double PUSH = 1e-3;

/** The period-one motion at an acceleration, slightly pushed so that it shows whether it is stable.
 */
static carom_status begin(carom_vibrating_table_params *table, double acceleration,
                          carom_vibrating_table_impact *impact, carom_report *report) {
    table->acceleration = acceleration;
    CAROM_TRY(carom_vibrating_table_period_one(table, impact, report));
    impact->velocity *= 1.0 + PUSH;
    return CAROM_OK;
}

/* --- the map ---------------------------------------------------------------------------------- */

/** Iterate; impacts that accumulate end the motion. */
static carom_status follow_map(int i, void *context, carom_report *report) {
    const task *all = context;
    motion_row *row = &all->rows[i];
    carom_vibrating_table_params table = all->values->table;
    carom_vibrating_table_impact impact;
    row->acceleration = acceleration_of(all, i);
    CAROM_TRY(begin(&table, row->acceleration, &impact, report));
    bool bounces = true;
    for (int k = -all->values->settling; k < KEPT; k++) {
        bounces =
            bounces && carom_vibrating_table_next(&table, &impact, &impact, NULL, NULL) == CAROM_OK;
        if (k >= 0) {
            row->phase[k] = bounces ? turn_of(impact.phase) : (double)NAN;
        }
        impact.phase = turn_of(impact.phase);
    }
    return CAROM_OK;
}

/* --- a scheme of fixed steps -------------------------------------------------------------------
 */

/** A step that a period of the table is no multiple of, so that no motion is locked to the grid. */
static double step_of(const settings *values, int steps) {
    static const double GOLDEN = 0.618033988749895;
    return 2.0 * PI / (values->table.angular_frequency * (steps + GOLDEN));
}

/** The same motion by the nonsmooth generalized-alpha scheme, in the frame of the table. */
static carom_status follow_scheme(int i, void *context, carom_report *report) {
    const task *all = context;
    motion_row *row = &all->rows[i];
    carom_vibrating_table_params table = all->values->table;
    carom_vibrating_table_impact impact;
    row->acceleration = acceleration_of(all, i);
    CAROM_TRY(begin(&table, row->acceleration, &impact, report));
    table.initial_phase = impact.phase;
    table.initial_gap = 0.0;
    table.initial_velocity = (impact.velocity - table.acceleration * cos(impact.phase)) *
                             table.gravity / table.angular_frequency;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_TRY(carom_vibrating_table_alloc(&table, &model, report));
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    params.step = step_of(all->values, all->steps);
    char name[32];
    (void)snprintf(name, sizeof name, "nonsmooth_galpha-%03d", i);
    carom_contact_folder_run dump = {all->problems, name, params.step};
    params.contacts = carom_contact_folder_listener(&dump);
    CAROM_TRY(carom_stepper_alloc(&model->mechanism, &params, &stepper, report));
    CAROM_TRY(carom_stepper_start(stepper, 0.0, model->initial_position, model->initial_velocity,
                                  report));

    // An impact is a step with an impulse after one without; a period has about one.
    const long last = (long)all->steps * (all->values->settling + KEPT);
    int found = 0;
    bool was_pressed = true;
    for (long step = 1; step <= last + all->steps && found < KEPT; step++) {
        CAROM_TRY(carom_stepper_advance(stepper, report));
        const carom_step *now = carom_stepper_result(stepper);
        const bool is_pressed = now->impulse[0] > 0.0;
        if (is_pressed && !was_pressed && step > (long)all->steps * all->values->settling) {
            row->phase[found++] =
                turn_of(table.angular_frequency * now->time + table.initial_phase);
        }
        was_pressed = is_pressed;
    }
    while (found < KEPT) {
        row->phase[found++] = (double)NAN;
    }
    return CAROM_OK;
}

/** Follow motions over the accelerations and write them into a group. */
static carom_status write_motions(const settings *values, const carom_common_options *common,
                                  carom_parallel_body follow, carom_record group, int count,
                                  carom_report *report) {
    task all = {values, calloc((size_t)count, sizeof *all.rows), count, values->steps,
                common->problems};
    if (all.rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status = carom_parallel_map(common->workers, count, follow, &all,
                                                   CAROM_PARALLEL_ROWS(all.rows, count), report);
    if (status == CAROM_OK) {
        carom_record_index_axis(&group, "impact", KEPT, "number of the impact, after settling");
        carom_record_rows(&group, "acceleration", all.rows, count, sizeof *all.rows, MOTION_FIELDS,
                          2);
    }
    free(all.rows);
    return status;
}

/** Error of the scheme's impact phase over the step, for the motion of the default table. */
static carom_status write_convergence(const settings *values, carom_record *record,
                                      carom_report *report) {
    struct study_row {
        double step;
        double phase_error;
    } rows[STUDY_RUNS];
    static const carom_field fields[] = {
        CAROM_FIELD("step", struct study_row, step, "s", "step of the scheme"),
        CAROM_FIELD(
            "phase_error", struct study_row, phase_error, "rad",
            "mean distance of its impacts from the phase of the period-one motion; NaN: it has "
            "come to rest on the table"),
    };
    settings one = *values;
    one.lowest = one.highest = values->table.acceleration;
    carom_vibrating_table_impact exact;
    CAROM_TRY(carom_vibrating_table_period_one(&values->table, &exact, report));
    for (int k = 0; k < STUDY_RUNS; k++) {
        motion_row row;
        task all = {&one, &row, 1, (values->steps / 2) << k, NULL};
        CAROM_TRY(follow_scheme(0, &all, report));
        rows[k].step = step_of(values, all.steps);
        rows[k].phase_error = 0.0;
        for (int i = 0; i < KEPT; i++) {
            rows[k].phase_error += fabs(row.phase[i] - exact.phase) / KEPT;
        }
    }
    carom_record group = carom_record_group(record, "/convergence");
    carom_record_rows(&group, "step", rows, STUDY_RUNS, sizeof *rows, fields, 2);
    return CAROM_OK;
}

/* --- Newton's method: periodic motions and their doublings ---------------------------------------
 */

/** Trace of the map over a motion of `period` impacts plus 1 + its determinant, e^(2 period): zero
 * where a multiplier is -1. */
static carom_status flip_condition(carom_vibrating_table_params *table, int period, double gamma,
                                   carom_vibrating_table_impact *impact, double *condition,
                                   carom_report *report) {
    double J[4];
    table->acceleration = gamma;
    CAROM_TRY(carom_vibrating_table_orbit(table, period, impact, J, report));
    *condition = J[0] + J[3] + 1.0 + pow(table->restitution, 2.0 * period);
    return CAROM_OK;
}

/** Let a motion settle on the map. */
static carom_status settle(const carom_vibrating_table_params *table, int impacts,
                           carom_vibrating_table_impact *impact, carom_report *report) {
    for (int k = 0; k < impacts; k++) {
        CAROM_TRY(carom_vibrating_table_next(table, impact, impact, NULL, report));
        impact->phase = turn_of(impact->phase);
    }
    return CAROM_OK;
}

/** Where the motion of `period` impacts doubles: from `low`, where it is stable, upwards in steps,
 * then halved to rounding. */
static carom_status find_flip(carom_vibrating_table_params *table, int period, double low,
                              double step, carom_vibrating_table_impact *impact, double *flip,
                              carom_report *report) {
    enum { MOST_STEPS = 1000 };
    double condition = 0.0;
    double high = low;
    carom_vibrating_table_impact there = *impact;
    for (int k = 0; k < MOST_STEPS && condition >= 0.0; k++) {
        *impact = there;
        low = high;
        high = low + step;
        CAROM_TRY(flip_condition(table, period, high, &there, &condition, report));
    }
    while (high - low > 4e-16 * high) {
        const double middle = 0.5 * (low + high);
        carom_vibrating_table_impact here = *impact;
        CAROM_TRY(flip_condition(table, period, middle, &here, &condition, report));
        low = condition >= 0.0 ? middle : low;
        high = condition >= 0.0 ? high : middle;
        *impact = condition >= 0.0 ? here : *impact;
        if (!(middle > low) && !(middle < high)) {
            break;
        }
    }
    *flip = low;
    return CAROM_OK;
}

typedef struct flip_row {
    double acceleration;
    int period;
    double ratio;
} flip_row;

static const carom_field FLIP_FIELDS[] = {
    CAROM_FIELD("period", flip_row, period, "1", "impacts of the motion that doubles"),
    CAROM_FIELD("acceleration", flip_row, acceleration, "1", "Gamma at which it does"),
    CAROM_FIELD("ratio", flip_row, ratio, "1",
                "interval before this doubling over the one after it; NaN: one of them is unknown"),
};

/** The cascade of doublings. */
static carom_status write_flips(const settings *values, carom_record *record,
                                carom_report *report) {
    enum { SETTLING = 20000 };
    static const double FEIGENBAUM = 4.669; // only to look ahead by a fitting step
    carom_vibrating_table_params table = values->table;
    flip_row rows[FLIPS];
    carom_vibrating_table_impact impact;
    double step = 0.02;
    table.acceleration = PI * (1.0 - table.restitution) / (1.0 + table.restitution) + step;
    for (int k = 0; k < FLIPS; k++) {
        if (k == 0) {
            CAROM_TRY(carom_vibrating_table_period_one(&table, &impact, report));
        } else {
            // Beyond the doubling the new motion is the one that the map settles on.
            table.acceleration = rows[k - 1].acceleration + step;
            impact.velocity *= 1.0 + 1e-4;
            CAROM_TRY(settle(&table, SETTLING, &impact, report));
        }
        rows[k] = (flip_row){.period = 1 << k, .ratio = (double)NAN};
        CAROM_TRY(find_flip(&table, rows[k].period, table.acceleration, step, &impact,
                            &rows[k].acceleration, report));
        step /= k == 0 ? 1.0 : FEIGENBAUM;
    }
    for (int k = 1; k + 1 < FLIPS; k++) {
        rows[k].ratio = (rows[k].acceleration - rows[k - 1].acceleration) /
                        (rows[k + 1].acceleration - rows[k].acceleration);
    }
    carom_record group = carom_record_group(record, "/flips");
    carom_record_index_axis(&group, "flip", FLIPS, "number of the doubling");
    carom_record_rows(&group, "flip", rows, FLIPS, sizeof *rows, FLIP_FIELDS, 3);
    return CAROM_OK;
}

/* --- a motion to look at -----------------------------------------------------------------------
 */

/** An instant of the ball and the table. */
typedef struct look_row {
    double time;
    double position[2];
} look_row;

static const carom_field LOOK_FIELDS[] = {
    CAROM_FIELD("time", look_row, time, "s", "time"),
    CAROM_FIELD_ARRAY("position", look_row, position, "coordinate", "m",
                      "height of the table and of the ball's lowest point"),
};

enum { LOOK_FLIGHTS = 8, LOOK_INSTANTS = 24, LOOK_ROWS = LOOK_FLIGHTS * LOOK_INSTANTS };

/** Flights of the settled motion at --acceleration, from impact to impact: /motion; none where it
 * comes to rest on the table. */
static carom_status write_look(const settings *values, carom_record *record, carom_report *report) {
    const carom_vibrating_table_params *table = &values->table;
    const double omega = table->angular_frequency;
    const double length = table->gravity / (omega * omega);
    carom_vibrating_table_impact impact;
    CAROM_TRY(carom_vibrating_table_period_one(table, &impact, report));
    impact.velocity *= 1.0 + PUSH;
    if (settle(table, values->settling, &impact, NULL) != CAROM_OK) {
        return CAROM_OK;
    }
    const double start = impact.phase;
    double times[LOOK_FLIGHTS];
    double heights[LOOK_FLIGHTS];
    double places[LOOK_FLIGHTS];
    look_row rows[LOOK_ROWS];
    for (int k = 0; k < LOOK_FLIGHTS; k++) {
        const carom_vibrating_table_impact from = impact;
        if (carom_vibrating_table_next(table, &from, &impact, NULL, NULL) != CAROM_OK) {
            return CAROM_OK;
        }
        const double flight = impact.phase - from.phase;
        for (int i = 0; i < LOOK_INSTANTS; i++) {
            const double sigma = flight * i / LOOK_INSTANTS;
            const double rise = from.velocity * sigma - 0.5 * sigma * sigma;
            rows[k * LOOK_INSTANTS + i] =
                (look_row){(from.phase + sigma - start) / omega,
                           {length * table->acceleration * sin(from.phase + sigma),
                            length * (table->acceleration * sin(from.phase) + rise)}};
        }
        times[k] = (from.phase - start) / omega;
        heights[k] = length * table->acceleration * sin(from.phase);
        places[k] = 0.0;
    }
    carom_record group = carom_record_group(record, "/motion");
    carom_record_attribute(&group, ".", "long_name", "flights of the ball, to be looked at");
    carom_record_index_axis(&group, "coordinate", 2, "table, ball");
    carom_record_rows(&group, "time", rows, LOOK_ROWS, sizeof *rows, LOOK_FIELDS, 2);
    const carom_column columns[] = {{"x", places, "m", "place"}, {"y", heights, "m", "place"}};
    carom_record impacts = carom_record_group(&group, "impacts");
    carom_record_axis(&impacts, "time", LOOK_FLIGHTS, times, "s", "time");
    carom_record_columns(&impacts, "time", NULL, columns, 2);
    return carom_geometry_record_vibrating_table(record, table);
}

/* --- the program -------------------------------------------------------------------------------
 */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    carom_vibrating_table_impact exact;
    CAROM_TRY(carom_vibrating_table_period_one(&values->table, &exact, report));
    carom_record_scalar(record, "/period_one/phase", exact.phase, "rad",
                        "phase of its impacts at --acceleration, closed form");
    carom_record_scalar(record, "/period_one/onset_acceleration",
                        values->table.acceleration * cos(exact.phase), "1",
                        "Gamma from which on there is one, closed form");
    carom_record_scalar(record, "/period_one/flip_acceleration",
                        carom_vibrating_table_flip_acceleration(values->table.restitution), "1",
                        "Gamma at which it doubles, closed form");
    CAROM_TRY(write_look(values, record, report));
    if (values->only != 0) {
        CAROM_TRY(write_flips(values, record, report));
    }
    CAROM_TRY(write_motions(values, common, follow_map, carom_record_group(record, "/map"),
                            values->points, report));
    if (values->only == 0) {
        return CAROM_OK;
    }
    CAROM_TRY(write_motions(values, common, follow_scheme,
                            carom_record_group(record, "/nonsmooth_galpha"), values->scheme_points,
                            report));
    return write_convergence(values, record, report);
}

/** Complete the table, and refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    settings *values = context;
    values->table.angular_frequency = 2.0 * PI * values->frequency;
    if (!(values->lowest <= values->highest)) {
        return carom_report_bound(report, "--lowest", values->lowest, "at most", values->highest);
    }
    carom_vibrating_table_params table = values->table;
    table.acceleration = fmin(values->lowest, table.acceleration);
    carom_vibrating_table_impact impact;
    return carom_vibrating_table_period_one(&table, &impact, report);
}

static const carom_table_column FLIP_COLUMNS[] = {
    {.head = "doubling of period", .expression = "period"},
    {.head = "acceleration over g", .expression = "acceleration", .digits = 10},
    {.head = "ratio of intervals", .expression = "ratio", .digits = 5},
};
static const carom_table TABLES[] = {
    {.groups = "/flips", CAROM_COLUMNS(FLIP_COLUMNS)},
};

static const carom_option options[] = {
    CAROM_REAL("mass", settings, table.mass, "kg", "mass m of the ball", "positive"),
    CAROM_REAL("gravity", settings, table.gravity, "m s-2", "gravitational acceleration g",
               "positive"),
    CAROM_REAL("restitution", settings, table.restitution, "1", "coefficient e of the impacts",
               "(0, 1)"),
    CAROM_REAL("frequency", settings, frequency, "Hz", "frequency of the table", "positive"),
    CAROM_REAL("acceleration", settings, table.acceleration, "1",
               "largest acceleration of the table over g, of the convergence study; beyond 1e8 "
               "rounding decides the phases",
               "(0, 1e8]"),
    CAROM_REAL("lowest", settings, lowest, "1", "smallest acceleration over g of the diagram",
               "(0, 1e8]"),
    CAROM_REAL("highest", settings, highest, "1", "largest acceleration over g of the diagram",
               "(0, 1e8]"),
    CAROM_INTEGER("points", settings, points, "1", "accelerations of the diagram by the map",
                  "[1, 100000]"),
    CAROM_INTEGER("settling", settings, settling, "1", "impacts before those that are recorded",
                  "[0, 1000000]"),
    CAROM_INTEGER("scheme-points", settings, scheme_points, "1",
                  "accelerations of the diagram by the scheme", "[1, 1000]"),
    CAROM_INTEGER("steps", settings, steps, "1", "steps of the scheme in a period of the table",
                  "[10, 100000]"),
    CAROM_CHOICE("only", settings, only,
                 "the diagram by the map alone, without doublings and scheme", "map"),
};

int main(int argc, char **argv) {
    settings values = {
        .table = carom_vibrating_table_params_default(),
        .frequency = 10.0,
        .lowest = 1.06,
        .highest = 1.76,
        .points = 700,
        .settling = 400,
        .scheme_points = 36,
        .steps = 200,
        .only = -1,
    };
    const carom_program program = {
        .name = "vibrating_table",
        .title = "A ball on a vibrating table: its period doubles again and again",
        .source = "own",
        .schema = "vibrating_table 1",
        .options = CAROM_OPTIONS(options),
        .has_contact_steps = true,
        CAROM_TABLES(TABLES),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
