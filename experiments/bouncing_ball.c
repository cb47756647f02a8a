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
 * other predictors; a convergence study. The additional runs may fail without ending the program.
 *
 * Here the program runs and writes; in bouncing_ball/ claims.c and nonsmooth_galpha.c ask the runs
 * what the paper says, in measures (numbers) and claims (0 or 1).
 */
#include "bouncing_ball/results.h"

#include <carom/base/parallel.h>
#include <carom/study/scheme_options.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double SETTLING_STEPS = 50.0; /* after the accumulation: from there rest is required */
static const double WINDOW_STEPS = 50.0;
static const double PLAIN_HEIGHT = 1.0; /* m, the height that the paper avoids */

void bouncing_ball_claim(const results *r, const char *name, bool is_asked, bool holds,
                         const char *statement) {
    if (is_asked) {
        carom_record_claim(r->record, name, holds, statement);
    }
}

/* --- the runs --------------------------------------------------------------------------------- */

/** Runs beside those of the figures, which may fail: the proposed scheme by both Newton iterations
 * instead of the exact linear step, and with another spectral radius; Moreau-Jean with the other
 * predictors that the paper may have used. */
static const struct {
    const char *name;
    carom_scheme scheme;
    int newton;    /**< -1: that of the options */
    int predictor; /**< likewise */
    double radius; /**< likewise */
} VARIANTS[] = {
    {"nonsmooth_galpha_monolithic", CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_NEWTON_MONOLITHIC, -1, -1},
    {"nonsmooth_galpha_sequential", CAROM_SCHEME_NONSMOOTH_GALPHA, CAROM_NEWTON_SEQUENTIAL, -1, -1},
    {"nonsmooth_galpha_radius_0", CAROM_SCHEME_NONSMOOTH_GALPHA, -1, -1, 0.0},
    {"moreau_jean_full_step", CAROM_SCHEME_MOREAU_JEAN, -1, CAROM_PREDICTOR_FULL_STEP, -1},
    {"moreau_jean_current", CAROM_SCHEME_MOREAU_JEAN, -1, CAROM_PREDICTOR_CURRENT, -1},
};

/** One more run of a scheme, if that is selected; NULL otherwise. */
static carom_scheme_run *plan_run(results *r, const char *name, carom_scheme scheme) {
    if (!carom_scheme_options_selects(&r->values->schemes, scheme)) {
        return NULL;
    }
    carom_scheme_run *run = &r->runs[r->run_count++];
    (void)snprintf(run->group, sizeof run->group, "/%s", name);
    run->params = carom_scheme_options_params(&r->values->schemes, scheme);
    return run;
}

/** The selected schemes, and the variants that the comparisons need. */
static void plan_runs(results *r) {
    for (carom_scheme scheme = 0; scheme < CAROM_SCHEME_COUNT; ++scheme) {
        (void)plan_run(r, carom_scheme_name(scheme), scheme);
    }
    for (int i = 0; i < COUNT(VARIANTS); i++) {
        carom_scheme_run *run = plan_run(r, VARIANTS[i].name, VARIANTS[i].scheme);
        if (run == NULL) {
            continue;
        }
        run->may_fail = true;
        if (VARIANTS[i].newton >= 0) {
            run->params.newton = (carom_newton)VARIANTS[i].newton;
            run->params.use_linear_step = false;
        }
        if (VARIANTS[i].predictor >= 0) {
            run->params.predictor = (carom_predictor)VARIANTS[i].predictor;
        }
        if (VARIANTS[i].radius >= 0.0) {
            run->params.spectral_radius = VARIANTS[i].radius;
        }
    }
}

/** Gaps and energies carry the rounding of the height, and what a tie that counts as closed is. */
static void set_tolerances(results *r) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double weight = ball->mass * ball->gravity;
    const double tie = r->runs[0].params.tie_tolerance;
    const double initial_energy = r->runs[0].trajectory->energy[0];
    r->length_tolerance = (ROUNDING + tie) * fabs(ball->initial_height);
    r->energy_tolerance = ROUNDING * (initial_energy + weight * ball->radius) +
                          weight * tie * fabs(ball->initial_height);
}

/* --- the exact motion ------------------------------------------------------------------------- */

static const carom_field EXACT_FIELDS[] = {
    CAROM_FIELD("time", exact_row, time, "s", "time"),
    CAROM_FIELD_ARRAY("position", exact_row, position, "coordinate", "m",
                      "exact height of the centre"),
    CAROM_FIELD_ARRAY("velocity", exact_row, velocity, "coordinate", "m s-1", "exact velocity"),
    CAROM_FIELD_ARRAY("gap", exact_row, gap, "contact", "m", "exact gap"),
    CAROM_FIELD("energy", exact_row, energy, "J", "exact energy"),
};

/** The exact motion on the time grid of the first run, and when it ends: /reference. */
static carom_status write_exact_motion(results *r) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const carom_trajectory *grid = r->runs[0].trajectory;
    const carom_mechanism *mechanism = &r->model->mechanism;
    r->exact = calloc((size_t)grid->row_count, sizeof *r->exact);
    if (r->exact == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < grid->row_count; i++) {
        exact_row *row = &r->exact[i];
        double work[2];
        row->time = grid->time[i];
        carom_bouncing_ball_exact_state(ball, row->time, row->position, row->velocity);
        mechanism->constraints(row->position, row->gap, mechanism->context);
        row->energy =
            carom_mechanism_kinetic_energy(mechanism, row->position, row->velocity, work) +
            mechanism->potential_energy(row->position, mechanism->context);
    }
    carom_record group = carom_record_group(r->record, "/reference");
    carom_record_index_axis(&group, "coordinate", 1, "number of the generalized coordinate");
    carom_record_index_axis(&group, "contact", 1, "number of the contact");
    carom_record_rows(&group, "time", r->exact, grid->row_count, sizeof *r->exact, EXACT_FIELDS,
                      COUNT(EXACT_FIELDS));

    const double duration = r->values->schemes.duration;
    const double step = r->values->schemes.step;
    r->accumulation = carom_bouncing_ball_exact_accumulation_time(ball);
    r->window = WINDOW_STEPS * step;
    r->settled = r->accumulation + SETTLING_STEPS * step;
    r->settled = r->settled + r->window <= duration ? r->settled : (double)INFINITY;
    return CAROM_OK;
}

/* The largest height is reached half way to the next impact. */
double bouncing_ball_exact_rebound(const results *r, int k) {
    const carom_bouncing_ball_params *ball = &r->values->ball;
    const double landing = carom_bouncing_ball_exact_impact(ball, k).time;
    const double next = carom_bouncing_ball_exact_impact(ball, k + 1).time;
    double position = ball->radius;
    double velocity = 0.0;
    if (isfinite(next)) {
        carom_bouncing_ball_exact_state(ball, 0.5 * (landing + next), &position, &velocity);
    }
    return position - ball->radius;
}

/** An impact of the exact motion, and the flight that ends with it. */
typedef struct impact_row {
    carom_bouncing_ball_impact impact;
    double rebound;
    double energy;
} impact_row;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", impact_row, impact.time, "s", "times of the exact impacts"),
    CAROM_FIELD("speed", impact_row, impact.speed, "m s-1", "approach speed"),
    CAROM_FIELD("impulse", impact_row, impact.impulse, "N s", "impulse"),
    CAROM_FIELD("rebound", impact_row, rebound, "m", "largest gap after the impact"),
};
static const carom_field FLIGHT_FIELDS[] = {
    CAROM_FIELD("energy_levels", impact_row, energy, "J",
                "energy of the flights that end with the exact impacts"),
};

/** Impacts up to half a step before their accumulation: /exact. */
static void write_impacts(const results *r) {
    enum { MOST_IMPACTS = 40 };
    const double end = r->accumulation - 0.5 * r->values->schemes.step;
    impact_row rows[MOST_IMPACTS];
    int count = 0;
    for (; count < MOST_IMPACTS; count++) {
        impact_row *row = &rows[count];
        row->impact = carom_bouncing_ball_exact_impact(&r->values->ball, count);
        // The first is there even if the ball stays on the floor; without a fall there is none.
        if (!isfinite(row->impact.time) || (count > 0 && !(row->impact.time <= end))) {
            break;
        }
        double work[2];
        row->rebound = bouncing_ball_exact_rebound(r, count);
        row->energy = carom_mechanism_kinetic_energy(
            &r->model->mechanism, r->model->initial_position, &row->impact.speed, work);
    }
    carom_record exact = carom_record_group(r->record, "/exact");
    carom_record impacts = carom_record_group(&exact, "impacts");
    if (count > 0) {
        carom_record_index_axis(&exact, "flight", count, "number of the flight");
    }
    carom_record_rows(&impacts, "time", rows, count, sizeof *rows, IMPACT_FIELDS,
                      COUNT(IMPACT_FIELDS));
    carom_record_rows(&exact, "flight", rows, count, sizeof *rows, FLIGHT_FIELDS,
                      COUNT(FLIGHT_FIELDS));
    if (isfinite(r->accumulation)) {
        carom_record_scalar(&exact, "accumulation_time", r->accumulation, "s",
                            "instant at which the impacts accumulate");
    }
}

/** When the first impact falls on the time grid, and when it would from the height avoided. */
static void write_synchronisation(const results *r) {
    carom_bouncing_ball_params plain = r->values->ball;
    plain.initial_height = PLAIN_HEIGHT;
    const double h = r->values->schemes.step;
    const bool is_above = plain.radius <= PLAIN_HEIGHT;
    const double steps = carom_bouncing_ball_exact_impact(&r->values->ball, 0).time / h;
    const double plain_steps =
        is_above ? carom_bouncing_ball_exact_impact(&plain, 0).time / h : (double)NAN;
    const carom_measure measures[] = {
        {"first_impact_steps", isfinite(steps) ? steps : (double)NAN, "1",
         "instant of the first impact in steps"},
        {"first_impact_steps_from_one_metre", isfinite(plain_steps) ? plain_steps : (double)NAN,
         "1", "instant of the first impact in steps, dropped from one metre"},
    };
    carom_record_measures(r->record, measures, COUNT(measures));
    bouncing_ball_claim(r, "one_metre_synchronises_the_first_impact", isfinite(plain_steps),
                        fabs(plain_steps - round(plain_steps)) <= ROUNDING * plain_steps,
                        "dropped from one metre, the first impact falls on a time step");
}

/* --- convergence ------------------------------------------------------------------------------ */

static const double LEAST_ORDER = 0.6; /* slopes fitted to irregularly sampled impacts scatter */
static const double MOST_ORDER = 1.2;
static const double LARGEST_STEP = 5.0; /* of the study, over that of the options */
static const double COARSE_END = 0.08;  /* smallest step of the coarse series, likewise */

enum {
    STUDY_STEPS = 49, /* step sizes, eight to the octave */
    COARSE_STEPS = 25 /* over nearly the same range */
};

/** One step size. */
typedef struct study_row {
    double step;
    double error[2]; /**< L1: of the gap, m s; of the velocity, m */
} study_row;

static const carom_field STUDY_FIELDS[] = {
    CAROM_FIELD("step", study_row, step, "s", "step size of a run"),
    CAROM_FIELD("gap_error", study_row, error[0], "m s", "L1 error of the gap"),
    CAROM_FIELD("velocity_error", study_row, error[1], "m", "L1 error of the velocity"),
};

/** A series of runs: a scheme up to a time. */
typedef struct study {
    const char *name;
    carom_scheme scheme;
    int length; /**< in steps of the options */
    int count;  /**< of step sizes */
    const char *claim;
    const results *all;
    double end; /**< s */
    study_row rows[STUDY_STEPS];
} study;

/* Windows with one impact and with many, for the data of the paper: 0.8 s and 4 s. Over many
 * impacts the fitted order depends on the series of steps; a coarse series shows by how much. */
static const study STUDIES[] = {
    {.name = "one_impact",
     .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
     .length = 400,
     .count = STUDY_STEPS,
     .claim = "one_impact_is_first_order"},
    {.name = "many_impacts",
     .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
     .length = 2000,
     .count = STUDY_STEPS,
     .claim = "many_impacts_are_first_order"},
    {.name = "many_impacts_coarse",
     .scheme = CAROM_SCHEME_NONSMOOTH_GALPHA,
     .length = 2000,
     .count = COARSE_STEPS,
     .claim = "many_impacts_are_first_order_in_coarse_series"},
    {.name = "moreau_jean_many_impacts",
     .scheme = CAROM_SCHEME_MOREAU_JEAN,
     .length = 2000,
     .count = STUDY_STEPS,
     .claim = "moreau_jean_many_impacts_are_first_order"},
};

/** L1 errors of gap and velocity for step size i. */
static carom_status run_step_size(int i, void *context, carom_report *report) {
    study *series = context;
    study_row *row = &series->rows[i];
    const results *r = series->all;
    carom_stepper_params params = carom_scheme_options_params(&r->values->schemes, series->scheme);
    params.step = row->step;
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_trajectory_run(&r->model->mechanism, &params, r->model->initial_position,
                                   r->model->initial_velocity, series->end, NULL, NULL, &t,
                                   report));
    for (int k = 1; k < t->row_count; k++) {
        double y = 0.0;
        double v = 0.0;
        carom_bouncing_ball_exact_state(&r->values->ball, t->time[k], &y, &v);
        row->error[0] += params.step * fabs(t->position[k] - y);
        row->error[1] += params.step * fabs(t->velocity[k] - v);
    }
    return CAROM_OK;
}

/** Least-squares slope of the logarithm of an error over log(step); NaN if an error is zero. */
static double fitted_order(const study *series, int which) {
    const int count = series->count;
    double mean_x = 0.0;
    double mean_y = 0.0;
    for (int i = 0; i < count; i++) {
        mean_x += log(series->rows[i].step) / count;
        mean_y += log(series->rows[i].error[which]) / count;
    }
    double xy = 0.0;
    double xx = 0.0;
    for (int i = 0; i < count; i++) {
        const double x = log(series->rows[i].step) - mean_x;
        xy += x * (log(series->rows[i].error[which]) - mean_y);
        xx += x * x;
    }
    return xy / xx;
}

/** Step sizes and errors, the orders of convergence, and whether they are what the paper says. */
static void write_study(const study *series) {
    const results *r = series->all;
    carom_record group = carom_record_group(r->record, "/convergence/%s", series->name);
    carom_record_rows(&group, "step", series->rows, series->count, sizeof *series->rows,
                      STUDY_FIELDS, COUNT(STUDY_FIELDS));
    carom_record_scalar(&group, "end", series->end, "s", "length of the runs");

    static const char *const QUANTITIES[] = {"gap", "velocity"};
    bool is_known = true;
    bool is_first_order = true;
    for (int k = 0; k < 2; k++) {
        char name[64];
        char long_name[64];
        const double order = fitted_order(series, k);
        (void)snprintf(name, sizeof name, "%s_%s_order", series->name, QUANTITIES[k]);
        (void)snprintf(long_name, sizeof long_name, "fitted order of convergence of the %s in L1",
                       QUANTITIES[k]);
        const carom_measure measure = {name, order, "1", long_name};
        carom_record_measures(r->record, &measure, 1);
        is_known = is_known && isfinite(order);
        is_first_order = is_first_order && order >= LEAST_ORDER && order <= MOST_ORDER;
    }
    bouncing_ball_claim(r, series->claim, is_known, is_first_order,
                        "gap and velocity converge to first order in L1");
}

/** Run, fit and record the errors over step sizes of the selected schemes. */
static carom_status study_convergence(const results *r, carom_report *report) {
    for (int k = 0; k < COUNT(STUDIES); k++) {
        study series = STUDIES[k];
        series.end = series.length * r->values->schemes.step;
        if (!carom_scheme_options_selects(&r->values->schemes, series.scheme) ||
            series.end > r->values->schemes.duration) {
            continue;
        }
        series.all = r;
        const double ratio = series.count == COARSE_STEPS ? COARSE_END / LARGEST_STEP : 0.5;
        const double part = series.count == COARSE_STEPS ? COARSE_STEPS - 1 : 8.0;
        for (int i = 0; i < series.count; i++) {
            series.rows[i].step =
                LARGEST_STEP * r->values->schemes.step * pow(ratio, (double)i / part);
        }
        CAROM_TRY(
            carom_parallel_map(series.count, r->common->threads, run_step_size, &series, report));
        write_study(&series);
    }
    return CAROM_OK;
}

/* --- the program ------------------------------------------------------------------------------ */

/** Run, then ask. */
static carom_status compute(results *r, carom_report *report) {
    plan_runs(r);
    CAROM_TRY(carom_scheme_runs(r->model, r->values->schemes.duration, r->runs, r->run_count,
                                r->common, r->record, report));
    set_tolerances(r);
    CAROM_TRY(write_exact_motion(r));
    write_impacts(r);
    write_synchronisation(r);
    CAROM_TRY(bouncing_ball_judge(r, report));
    return study_convergence(r, report);
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    const settings *values = context;
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_TRY(carom_bouncing_ball_alloc(&values->ball, &model, report));
    results r = {.values = values, .common = common, .model = model, .record = record};
    const carom_status status = compute(&r, report);
    for (int i = 0; i < r.run_count; i++) {
        carom_trajectory_free(r.runs[i].trajectory);
    }
    free(r.exact);
    return status;
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
        CAROM_TABLES(carom_scheme_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &values);
}
