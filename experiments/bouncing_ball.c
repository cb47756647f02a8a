/**
 * bouncing_ball: a ball dropped on a rigid floor (bruls-2014 section 10.1, figures 2 to 7).
 *
 *     m dv = -m a_g dt + di,   0 <= g = y - R  _|_  di >= 0,   dy/dt+ = -e dy/dt- at an impact
 *
 * The impacts accumulate at a finite instant, after which the ball rests; the exact solution is
 * elementary. Printed in the paper: m, R, a_g, the initial height h_0, e, the step and the spectral
 * radius. Inferred: h_0 is the height of the centre (only then is the accumulation instant the
 * printed one), and v_0 = 0 ("starts from rest"). Chosen: the duration of 5 s, the zero of the
 * potential energy at the contact, and the predictor of Moreau-Jean.
 *
 * Beyond the schemes of the figures: the nonsmooth generalized-alpha scheme by both Newton
 * iterations instead of the exact linear step, and with spectral radius zero; Moreau-Jean with its
 * other predictors; errors over step sizes. The additional runs may fail without ending the
 * program.
 *
 * What the paper says of these runs is asked of the record, in data/published/bouncing_ball.csv.
 */
#include <carom/carom.h>

#include <carom/base/parallel.h>
#include <carom/drawing/models.h>
#include <carom/study/scheme_options.h>

#include <math.h>
#include <stdlib.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    carom_bouncing_ball_params ball;
    carom_scheme_options schemes;
} settings;

/* --- the runs --------------------------------------------------------------------------------- */

/** Beside the selected schemes: the proposed one solved by both Newton iterations, and with another
 * spectral radius; Moreau-Jean with the other predictors that the paper may have used. */
static void add_variants(carom_scheme_plan *plan) {
    static const carom_scheme proposed = CAROM_SCHEME_NONSMOOTH_GALPHA;
    static const carom_scheme moreau = CAROM_SCHEME_MOREAU_JEAN;
    if (carom_scheme_options_selects(plan->options, proposed)) {
        carom_scheme_run *run =
            carom_scheme_plan_add(plan, proposed, "nonsmooth_galpha_monolithic");
        run->params.newton = CAROM_NEWTON_MONOLITHIC;
        run->params.use_linear_step = false;
        run = carom_scheme_plan_add(plan, proposed, "nonsmooth_galpha_sequential");
        run->params.newton = CAROM_NEWTON_SEQUENTIAL;
        run->params.use_linear_step = false;
        run = carom_scheme_plan_add(plan, proposed, "nonsmooth_galpha_radius_0");
        run->params.spectral_radius = 0.0;
    }
    if (carom_scheme_options_selects(plan->options, moreau)) {
        carom_scheme_run *run = carom_scheme_plan_add(plan, moreau, "moreau_jean_full_step");
        run->params.predictor = CAROM_PREDICTOR_FULL_STEP;
        run = carom_scheme_plan_add(plan, moreau, "moreau_jean_current");
        run->params.predictor = CAROM_PREDICTOR_CURRENT;
    }
}

/* --- the exact motion ------------------------------------------------------------------------- */

/** The exact motion at a time of the runs. */
typedef struct exact_row {
    double time;        /**< s */
    double position[1]; /**< m */
    double velocity[1]; /**< m/s */
    double gap[1];      /**< m */
    double energy;      /**< J */
} exact_row;

static const carom_field EXACT_FIELDS[] = {
    CAROM_FIELD("time", exact_row, time, "s", "time"),
    CAROM_FIELD_ARRAY("position", exact_row, position, "coordinate", "m",
                      "exact height of the centre"),
    CAROM_FIELD_ARRAY("velocity", exact_row, velocity, "coordinate", "m s-1", "exact velocity"),
    CAROM_FIELD_ARRAY("gap", exact_row, gap, "contact", "m", "exact gap"),
    CAROM_FIELD("energy", exact_row, energy, "J", "exact energy"),
};

/** The exact motion on its way into the record. */
typedef struct exact_motion {
    const carom_bouncing_ball_params *ball;
    const carom_mechanism *mechanism;
    carom_record *record;
    carom_recorder rows;
} exact_motion;

static exact_row exact_row_at(const exact_motion *exact, double time) {
    const carom_mechanism *mechanism = exact->mechanism;
    double work[2];
    exact_row row = {.time = time};
    carom_bouncing_ball_exact_state(exact->ball, time, row.position, row.velocity);
    mechanism->constraints(row.position, row.gap, mechanism->context);
    row.energy = carom_mechanism_kinetic_energy(mechanism, row.position, row.velocity, work) +
                 mechanism->potential_energy(row.position, mechanism->context);
    return row;
}

/** The exact motion at the times of a run: /reference. */
static carom_status write_exact_motion(const carom_trajectory *grid, void *context,
                                       carom_report *report) {
    (void)report;
    exact_motion *exact = context;
    CAROM_AUTO_MEMORY exact_row *rows = calloc((size_t)grid->row_count + 1, sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < grid->row_count; i++) {
        rows[i] = exact_row_at(exact, grid->time[i]);
    }
    if (grid->first_row == 0) {
        carom_record group = carom_record_group(exact->record, "/reference");
        carom_record_index_axis(&group, "coordinate", 1, "number of the generalized coordinate");
        carom_record_index_axis(&group, "contact", 1, "number of the contact");
        exact->rows = carom_recorder_begin(&group, "time", grid->total_rows);
    }
    carom_recorder_append_rows(&exact->rows, rows, grid->row_count, sizeof *rows, EXACT_FIELDS,
                               COUNT(EXACT_FIELDS));
    return CAROM_OK;
}

/** An impact of the exact motion, and the flight that follows. */
typedef struct impact_row {
    carom_bouncing_ball_impact impact;
    double rebound;
} impact_row;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", impact_row, impact.time, "s", "times of the exact impacts"),
    CAROM_FIELD("speed", impact_row, impact.speed, "m s-1", "approach speed"),
    CAROM_FIELD("impulse", impact_row, impact.impulse, "N s", "impulse"),
    CAROM_FIELD("rebound", impact_row, rebound, "m", "largest gap after the impact"),
};

/** Largest gap after the k-th impact, half way to the next, m. */
static double exact_rebound(const carom_bouncing_ball_params *ball, int k) {
    const double landing = carom_bouncing_ball_exact_impact(ball, k).time;
    const double next = carom_bouncing_ball_exact_impact(ball, k + 1).time;
    double position = ball->radius;
    double velocity = 0.0;
    if (isfinite(next)) {
        carom_bouncing_ball_exact_state(ball, 0.5 * (landing + next), &position, &velocity);
    }
    return position - ball->radius;
}

/** Impacts up to half a step before their accumulation: /exact. */
static void write_impacts(const settings *values, carom_record *record) {
    enum { MOST_IMPACTS = 40 };
    const carom_bouncing_ball_params *ball = &values->ball;
    const double accumulation = carom_bouncing_ball_exact_accumulation_time(ball);
    const double end = accumulation - 0.5 * values->schemes.step;
    impact_row rows[MOST_IMPACTS];
    int count = 0;
    for (; count < MOST_IMPACTS; count++) {
        rows[count].impact = carom_bouncing_ball_exact_impact(ball, count);
        // The first is there even if the ball stays on the floor; without a fall there is none.
        const double time = rows[count].impact.time;
        if (!isfinite(time) || (count > 0 && !(time <= end))) {
            break;
        }
        rows[count].rebound = exact_rebound(ball, count);
    }
    carom_record exact = carom_record_group(record, "/exact");
    carom_record impacts = carom_record_group(&exact, "impacts");
    carom_record_rows(&impacts, "time", rows, count, sizeof *rows, IMPACT_FIELDS,
                      COUNT(IMPACT_FIELDS));
    if (isfinite(accumulation)) {
        carom_record_scalar(&exact, "accumulation_time", accumulation, "s",
                            "instant at which the impacts accumulate");
    }
}

/* --- errors over step sizes ------------------------------------------------------------------- */

enum { STUDY_STEPS = 49 }; /* at most */

/** One step size. */
typedef struct study_row {
    double step;
    double gap_error;
    double velocity_error;
} study_row;

static const carom_field STUDY_FIELDS[] = {
    CAROM_FIELD("step", study_row, step, "s", "step size of a run"),
    CAROM_FIELD("gap_error", study_row, gap_error, "m s", "L1 error of the gap"),
    CAROM_FIELD("velocity_error", study_row, velocity_error, "m", "L1 error of the velocity"),
};

/** A series of runs: a scheme up to a time, with step sizes that fall from five times that of the
 * options, by a ratio in so many of them. */
typedef struct study_plan {
    const char *name;
    carom_scheme scheme;
    int length; /**< in steps of the options */
    int count;  /**< of step sizes */
    double ratio;
    double intervals;
} study_plan;

/* Windows with one impact and with many, for the data of the paper: 0.8 s and 4 s. Eight step sizes
 * to the octave; over many impacts a coarser series shows how much the fitted order depends on it.
 */
static const study_plan STUDIES[] = {
    {"one_impact", CAROM_SCHEME_NONSMOOTH_GALPHA, 400, 49, 0.5, 8.0},
    {"many_impacts", CAROM_SCHEME_NONSMOOTH_GALPHA, 2000, 49, 0.5, 8.0},
    {"many_impacts_coarse", CAROM_SCHEME_NONSMOOTH_GALPHA, 2000, 25, 0.08 / 5.0, 24.0},
    {"moreau_jean_many_impacts", CAROM_SCHEME_MOREAU_JEAN, 2000, 49, 0.5, 8.0},
};

/** One of them under way. */
typedef struct study {
    const study_plan *plan;
    const settings *values;
    const carom_model *model;
    double end; /**< s */
    study_row rows[STUDY_STEPS];
} study;

/** L1 errors of gap and velocity for step size i. */
static carom_status run_step_size(int i, void *context, carom_report *report) {
    enum { BLOCK_ROWS = 4096 };
    study *series = context;
    study_row *row = &series->rows[i];
    const carom_model *model = series->model;
    carom_stepper_params params =
        carom_scheme_options_params(&series->values->schemes, series->plan->scheme);
    params.step = row->step;
    const carom_stepper_run_params asked = {.duration = series->end, .block_rows = BLOCK_ROWS};
    CAROM_AUTO(carom_stepper_run) run = NULL;
    const carom_trajectory *t = NULL;
    CAROM_TRY(carom_stepper_run_alloc(&model->mechanism, &params, &asked, model->initial_position,
                                      model->initial_velocity, &run, report));
    do {
        CAROM_TRY(carom_stepper_run_next(run, &t, report));
        for (int k = t->first_row == 0 ? 1 : 0; k < t->row_count; k++) {
            double y = 0.0;
            double v = 0.0;
            carom_bouncing_ball_exact_state(&series->values->ball, t->time[k], &y, &v);
            row->gap_error += params.step * fabs(t->position[k] - y);
            row->velocity_error += params.step * fabs(t->velocity[k] - v);
        }
    } while (t->row_count > 0);
    return CAROM_OK;
}

/** Run and record the errors over step sizes of the selected schemes: /convergence. */
static carom_status study_convergence(const settings *values, const carom_model *model,
                                      carom_workers workers, carom_record *record,
                                      carom_report *report) {
    const carom_scheme_options *schemes = &values->schemes;
    for (int k = 0; k < COUNT(STUDIES); k++) {
        const study_plan *plan = &STUDIES[k];
        study series = {.plan = plan, .values = values, .model = model};
        series.end = plan->length * schemes->step;
        if (!carom_scheme_options_selects(schemes, plan->scheme) ||
            series.end > schemes->duration) {
            continue;
        }
        for (int i = 0; i < plan->count; i++) {
            series.rows[i].step =
                5.0 * schemes->step * pow(plan->ratio, (double)i / plan->intervals);
        }
        CAROM_TRY(carom_parallel_map(workers, plan->count, run_step_size, &series,
                                     CAROM_PARALLEL_ROWS(series.rows, plan->count), report));
        carom_record group = carom_record_group(record, "/convergence/%s", plan->name);
        carom_record_rows(&group, "step", series.rows, plan->count, sizeof *series.rows,
                          STUDY_FIELDS, COUNT(STUDY_FIELDS));
        carom_record_scalar(&group, "end", series.end, "s", "length of the runs");
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&values->ball, &model, report));
    CAROM_TRY(carom_scheme_plan_alloc(&values->schemes, &model->mechanism, &plan));
    add_variants(plan);
    exact_motion exact = {.ball = &values->ball, .mechanism = &model->mechanism, .record = record};
    plan->runs[0].beside = (carom_trajectory_listener){write_exact_motion, &exact};
    CAROM_TRY(carom_scheme_runs(model, values->schemes.duration, plan->runs, plan->count, common,
                                record, report));
    carom_recorder_end(&exact.rows);
    CAROM_TRY(carom_geometry_record_bouncing_ball(record, &values->ball));

    write_impacts(values, record);
    return study_convergence(values, model, common->workers, record, report);
}

/** Refuse what the options cannot see one by one. */
static carom_status check(void *context, carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_scheme_options_check(&values->schemes, report));
    return carom_bouncing_ball_alloc(&values->ball, &model, report);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL("mass", settings, ball.mass, "kg", "mass m", "positive"),
    CAROM_REAL("radius", settings, ball.radius, "m", "radius R", "positive"),
    CAROM_REAL("gravity", settings, ball.gravity, "m s-2", "gravitational acceleration a_g",
               "not negative"),
    CAROM_REAL("initial-height", settings, ball.initial_height, "m",
               "initial height h_0 of the centre, at least the radius", "any"),
    CAROM_REAL("initial-velocity", settings, ball.initial_velocity, "m s-1",
               "initial velocity v_0, upwards", "any"),
    CAROM_REAL("restitution", settings, ball.restitution, "1", "coefficient e of the impacts",
               "[0, 1]"),
    CAROM_OPTIONS_OF(settings, schemes, carom_scheme_options_table),
};

int main(int argc, char **argv) {
    settings values = {
        .ball = carom_bouncing_ball_params_default(),
        .schemes = carom_scheme_options_default(2e-3, 5.0),
    };
    const carom_program program = {
        .name = "bouncing_ball",
        .title = "A ball bouncing on a rigid floor, with an accumulation of impacts",
        .source = "bruls-2014",
        .schema = "bouncing_ball 1",
        .options = CAROM_OPTIONS(options),
        .has_contact_steps = true,
        .has_recorded_steps = true,
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
