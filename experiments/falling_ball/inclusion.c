/** The integrator of the inclusion beside the exact solution: /inclusion and /convergence. */
#include "results.h"

#include <stdlib.h>

/** Rows of the finest run that are recorded at most. */
enum { MOST_ROWS = 4000 };

/** What a run was like beside the exact solution. */
static ball_run measure(const results *r, const carom_trajectory *t, double step) {
    const int last = t->row_count - 1;
    ball_run out = {
        .step = step,
        .energy_rise = -INFINITY,
        .least_gap = carom_trajectory_smallest_gap(t),
        .resting_share = t->time_rate[last],
        .resting_rate = t->normal_rate[last],
    };
    for (int k = 0; k <= last; k++) {
        const carom_falling_disk_state state =
            carom_falling_disk_exact_state(&r->values->ball, &r->landing, t->s[k]);
        const double velocity = t->velocity[(size_t)k * COORDINATES + HEIGHT];
        out.time_error = fmax(out.time_error, fabs(t->time[k] - state.time));
        out.gap_error = fmax(out.gap_error, fabs(t->gap[k] - state.gap));
        out.velocity_error = fmax(out.velocity_error, fabs(velocity - state.velocity));
        if (k > 0) {
            const double rise = t->kinetic_energy[k] + t->potential_energy[k] -
                                t->kinetic_energy[k - 1] - t->potential_energy[k - 1];
            out.energy_rise = fmax(out.energy_rise, rise);
        }
    }
    return out;
}

/** The finest run over its s. Row 0 has no rates. */
static carom_status write_run(const results *r, const carom_trajectory *t) {
    const int stride = 1 + (t->row_count - 1) / MOST_ROWS;
    const int count = 2 + (t->row_count - 2) / stride;
    double *columns[5] = {NULL, NULL, NULL, NULL, NULL};
    CAROM_AUTO_MEMORY double *memory =
        calloc((size_t)count, sizeof columns / sizeof columns[0] * sizeof(double));
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int c = 0; c < 5; c++) {
        columns[c] = memory + (size_t)c * (size_t)count;
    }
    for (int k = 0; k < count; k++) {
        const int row = k == count - 1 ? t->row_count - 1 : k * stride;
        columns[0][k] = t->s[row];
        columns[1][k] = t->time[row];
        columns[2][k] = t->gap[row];
        columns[3][k] = t->velocity[(size_t)row * COORDINATES + HEIGHT];
        columns[4][k] = t->time_rate[row];
    }
    const series_row rows[] = {
        {"/inclusion/time", columns[1], "s", "time t(s)"},
        {"/inclusion/gap", columns[2], "m", "height z"},
        {"/inclusion/velocity", columns[3], "m s-1", "dz/dt"},
        {"/inclusion/time_rate", columns[4], "1", "dt/ds of the step before; NaN at the start"},
    };
    carom_record_axis(r->record, "/inclusion/s", count, columns[0], "s",
                      "s: time, and normal impulse over kappa");
    falling_ball_write_series(r->record, "/inclusion/s", 4, rows);
    return CAROM_OK;
}

/** Errors of all runs over their steps, and numbers of the finest. */
static void write_errors(const results *r) {
    double columns[4][RUNS];
    for (int k = 0; k < RUNS; k++) {
        columns[0][k] = r->runs[k].step;
        columns[1][k] = r->runs[k].time_error;
        columns[2][k] = r->runs[k].gap_error;
        columns[3][k] = r->runs[k].velocity_error;
    }
    const series_row rows[] = {
        {"/convergence/time_error", columns[1], "s", "largest error of t(s)"},
        {"/convergence/gap_error", columns[2], "m", "largest error of z(s)"},
        {"/convergence/velocity_error", columns[3], "m s-1", "largest error of dz/dt(s)"},
    };
    carom_record_axis(r->record, "/convergence/step", RUNS, columns[0], "s", "step ds");
    falling_ball_write_series(r->record, "/convergence/step", 3, rows);
    const ball_run *fine = &r->runs[RUNS - 1];
    carom_record_scalar(r->record, "/inclusion/energy_rise", fine->energy_rise, "J",
                        "largest rise of energy in a step");
    carom_record_scalar(r->record, "/inclusion/least_gap", fine->least_gap, "m", "least gap");
    carom_record_scalar(r->record, "/inclusion/resting_share", fine->resting_share, "1",
                        "dt/ds at the end");
}

carom_status falling_ball_write_runs(results *r) {
    carom_inclusion_params params = carom_inclusion_params_default();
    for (int k = 0; k < RUNS; k++) {
        params.reference_force = r->values->ball.reference_force;
        params.step = ldexp(r->values->step, RUNS - 1 - k);
        carom_trajectory *t = NULL;
        CAROM_TRY(carom_inclusion_run(carom_impact_scene_mechanism(r->scene), &params,
                                      r->scene->position, r->scene->velocity, r->length, INFINITY,
                                      &t, r->report));
        r->runs[k] = measure(r, t, params.step);
        const carom_status status = k == RUNS - 1 ? write_run(r, t) : CAROM_OK;
        carom_trajectory_free(t);
        CAROM_TRY(status);
    }
    write_errors(r);
    return CAROM_OK;
}
