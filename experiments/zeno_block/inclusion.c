/** The integrator of the inclusion beside the exact solution: /inclusion and /convergence. */
#include "results.h"

#include <stdlib.h>

/** Rows of the finest run that are recorded at most. */
enum { MOST_ROWS = 6000 };

/** Parts of the first rate below which the block rests: far above the rounding of its speeds. */
static const double RESTING = 1e-9;

/** Largest deviations from the exact solution at the same s. */
static void find_errors(const results *r, const carom_trajectory *t, run_measures *out) {
    for (int k = 0; k < t->row_count; k++) {
        const carom_zeno_state state = carom_zeno_block_state(r->exact, t->s[k]);
        const double *q = t->position + (size_t)k * COORDINATES;
        const double *v = t->velocity + (size_t)k * COORDINATES;
        out->time_error = fmax(out->time_error, fabs(t->time[k] - state.time));
        out->angle_error = fmax(out->angle_error, fabs(q[ANGLE] - state.position[ANGLE]));
        out->rate_error = fmax(out->rate_error, fabs(v[ANGLE] - state.velocity[ANGLE]));
        if (fabs(v[ANGLE]) > RESTING * r->values->block.initial_rate) {
            out->rest_time = t->time[k];
            out->rest_s = t->s[k];
        }
        if (k > 0) {
            const double rise = t->kinetic_energy[k] + t->potential_energy[k] -
                                t->kinetic_energy[k - 1] - t->potential_energy[k - 1];
            out->energy_rise = fmax(out->energy_rise, rise);
        }
    }
}

/** What a run was like. */
static run_measures measure(const results *r, const carom_trajectory *t, double step) {
    const carom_zeno_half_cycle *first = &r->exact->half_cycles[0];
    const int last = t->row_count - 1;
    run_measures out = {
        .step = step,
        .impact_time_error =
            fabs(carom_inclusion_trajectory_time(t, first->impact_s) - first->impact_time),
        .final_time_error = fabs(t->time[last] - carom_zeno_block_state(r->exact, t->s[last]).time),
        .energy_rise = -INFINITY,
        .least_gap = carom_trajectory_smallest_gap(t),
        .residual = carom_series_maximum(carom_series_whole(t, t->residual, 1, 0)),
        .resting_share = t->time_rate[last],
        .problem_count = carom_trajectory_total(t, t->problems),
        .step_count = last,
        .shortened_count = (int)carom_trajectory_total(t, t->shortened),
    };
    for (int c = 0; c < CORNERS; c++) {
        out.resting_rate[c] = t->normal_rate[last * CORNERS + c];
    }
    find_errors(r, t, &out);
    return out;
}

/** Every `stride`-th row of an array of columns, and the last one. */
static void pick(const carom_trajectory *t, const double *values, int columns, int column,
                 int stride, int count, double *out) {
    for (int k = 0; k < count; k++) {
        const int row = k == count - 1 ? t->row_count - 1 : k * stride;
        out[k] = values[(size_t)row * (size_t)columns + (size_t)column];
    }
}

/** The finest run over its s. Row 0 has no rates. */
static carom_status write_run(const results *r, const carom_trajectory *t) {
    const struct {
        const char *path;
        const double *values;
        int columns;
        int column;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"/inclusion/time", t->time, 1, 0, "s", "time t(s)"},
        {"/inclusion/x", t->position, COORDINATES, 0, "m", "horizontal position"},
        {"/inclusion/y", t->position, COORDINATES, 1, "m", "height of the mass centre"},
        {"/inclusion/angle", t->position, COORDINATES, ANGLE, "rad", "angle theta"},
        {"/inclusion/rate", t->velocity, COORDINATES, ANGLE, "rad s-1", "rate of turn"},
        {"/inclusion/time_rate", t->time_rate, 1, 0, "1",
         "dt/ds of the step before; NaN at the start"},
        {"/inclusion/normal_rate_A", t->normal_rate, CORNERS, 0, "1",
         "normal impulse at A over ds of the step before; NaN at the start"},
        {"/inclusion/normal_rate_B", t->normal_rate, CORNERS, 1, "1",
         "normal impulse at B over ds of the step before; NaN at the start"},
        {"/inclusion/tangential_rate_A", t->tangential_rate, CORNERS, 0, "1",
         "tangential impulse at A over ds of the step before; NaN at the start"},
        {"/inclusion/tangential_rate_B", t->tangential_rate, CORNERS, 1, "1",
         "tangential impulse at B over ds of the step before; NaN at the start"},
    };
    const int stride = 1 + (t->row_count - 1) / MOST_ROWS;
    const int count = 2 + (t->row_count - 2) / stride;
    double *work = calloc((size_t)count, sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    pick(t, t->s, 1, 0, stride, count, work);
    carom_record_axis(r->record, "/inclusion/s", count, work, "s",
                      "s: time, and normal impulses over kappa");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pick(t, rows[i].values, rows[i].columns, rows[i].column, stride, count, work);
        carom_record_series(r->record, rows[i].path, work, "/inclusion/s", NULL, rows[i].units,
                            rows[i].long_name);
    }
    free(work);
    return CAROM_OK;
}

/** Numbers of the finest run. */
static void write_finest(const results *r) {
    const run_measures *run = &r->runs[RUNS - 1];
    const struct {
        const char *path;
        double value;
        const char *units;
        const char *long_name;
    } rows[] = {
        {"/inclusion/step", run->step, "s", "step ds"},
        {"/inclusion/time_error", run->time_error, "s", "largest error of t(s)"},
        {"/inclusion/angle_error", run->angle_error, "rad", "largest error of theta(s)"},
        {"/inclusion/rate_error", run->rate_error, "rad s-1", "largest error of dtheta/dt(s)"},
        {"/inclusion/rest_time", run->rest_time, "s", "t of the last step that turns"},
        {"/inclusion/rest_s", run->rest_s, "s", "s of the last step that turns"},
        {"/inclusion/final_time_error", run->final_time_error, "s", "error of t at the end"},
        {"/inclusion/energy_rise", run->energy_rise, "J", "largest rise of energy in a step"},
        {"/inclusion/least_gap", run->least_gap, "m", "least gap"},
        {"/inclusion/residual", run->residual, "1", "largest residual of a step's problem"},
        {"/inclusion/resting_share", run->resting_share, "1", "dt/ds at the end"},
        {"/inclusion/problem_count", (double)run->problem_count, "1",
         "complementarity problems solved"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_record_scalar(r->record, rows[i].path, rows[i].value, rows[i].units,
                            rows[i].long_name);
    }
    carom_record_integer(r->record, "/inclusion/step_count", run->step_count, "1", "steps taken");
    carom_record_integer(r->record, "/inclusion/shortened_count", run->shortened_count, "1",
                         "steps that were shortened");
}

/** Errors of all runs over their steps. */
static void write_errors(const results *r) {
    double columns[6][RUNS];
    for (int k = 0; k < RUNS; k++) {
        const run_measures *run = &r->runs[k];
        const double row[6] = {run->step,        run->impact_time_error, run->time_error,
                               run->angle_error, run->rate_error,        run->rest_time};
        for (int c = 0; c < 6; c++) {
            columns[c][k] = row[c];
        }
    }
    static const char *const names[][3] = {
        {"/convergence/impact_time_error", "s", "error of t where the first impact begins"},
        {"/convergence/time_error", "s", "largest error of t(s)"},
        {"/convergence/angle_error", "rad", "largest error of theta(s)"},
        {"/convergence/rate_error", "rad s-1", "largest error of dtheta/dt(s)"},
        {"/convergence/rest_time", "s", "t of the last step that turns"},
    };
    carom_record_axis(r->record, "/convergence/step", RUNS, columns[0], "s", "step ds");
    for (int c = 1; c < 6; c++) {
        carom_record_series(r->record, names[c - 1][0], columns[c], "/convergence/step", NULL,
                            names[c - 1][1], names[c - 1][2]);
    }
}

carom_status zeno_block_write_runs(results *r) {
    carom_inclusion_params params = carom_inclusion_params_default();
    for (int k = 0; k < RUNS; k++) {
        params.reference_force = r->exact->params.reference_force;
        params.step = ldexp(r->values->step, RUNS - 1 - k);
        carom_trajectory *t = NULL;
        CAROM_TRY(carom_inclusion_run(carom_impact_scene_mechanism(r->scene), &params,
                                      r->scene->position, r->scene->velocity, r->length, INFINITY,
                                      &t, r->report));
        r->runs[k] = measure(r, t, params.step);
        carom_status status = k == RUNS - 1 ? write_run(r, t) : CAROM_OK;
        carom_trajectory_free(t);
        CAROM_TRY(status);
    }
    write_finest(r);
    write_errors(r);
    return CAROM_OK;
}
