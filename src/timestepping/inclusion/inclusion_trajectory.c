#include <carom/timestepping/inclusion/inclusion_trajectory.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** What is left of the length below this part of a step is rounding. */
static const double NO_LENGTH = 1e-9;

void carom_inclusion_trajectory_free(carom_inclusion_trajectory *trajectory) {
    if (trajectory == NULL) {
        return;
    }
    free(trajectory->s);
    free(trajectory->time);
    free(trajectory->position);
    free(trajectory->velocity);
    free(trajectory->gap);
    free(trajectory->time_rate);
    free(trajectory->normal_rate);
    free(trajectory->tangential_rate);
    free(trajectory->kinetic_energy);
    free(trajectory->potential_energy);
    free(trajectory);
}

/** Room for rows of an array, what is there being kept. */
static carom_status resize(double **values, size_t rows, int columns) {
    const size_t count = rows * (size_t)columns;
    double *resized = realloc(*values, (count > 0 ? count : 1) * sizeof(double));
    if (resized == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *values = resized;
    return CAROM_OK;
}

/** Room for rows of all arrays. */
static carom_status reserve(carom_inclusion_trajectory *trajectory, size_t rows) {
    const int n = trajectory->coordinate_count;
    const int m = trajectory->contact_count;
    CAROM_TRY(resize(&trajectory->s, rows, 1));
    CAROM_TRY(resize(&trajectory->time, rows, 1));
    CAROM_TRY(resize(&trajectory->position, rows, n));
    CAROM_TRY(resize(&trajectory->velocity, rows, n));
    CAROM_TRY(resize(&trajectory->gap, rows, m));
    CAROM_TRY(resize(&trajectory->time_rate, rows, 1));
    CAROM_TRY(resize(&trajectory->normal_rate, rows, m));
    CAROM_TRY(resize(&trajectory->tangential_rate, rows, m * trajectory->tangent_count));
    CAROM_TRY(resize(&trajectory->kinetic_energy, rows, 1));
    return resize(&trajectory->potential_energy, rows, 1);
}

/** A run on its way. */
typedef struct inclusion_run {
    const carom_mechanism *mechanism;
    carom_inclusion_stepper *stepper;
    carom_inclusion_trajectory *trajectory;
    double reference_force; /**< kappa, N */
    size_t capacity;        /**< rows that fit */
    double t;
    double *q;    /**< [n] */
    double *v;    /**< [n] */
    double *work; /**< of the kinetic energy */
} inclusion_run;

/** Rates of the step to a row; NaN without one. */
static void record_rates(carom_inclusion_trajectory *trajectory, size_t row, double force,
                         const carom_inclusion_step *step) {
    const int m = trajectory->contact_count;
    const int tangents = m * trajectory->tangent_count;
    double *normal = trajectory->normal_rate + row * (size_t)m;
    double *tangential = trajectory->tangential_rate + row * (size_t)tangents;
    const double impulse = step == NULL ? (double)NAN : force * step->length;
    trajectory->time_rate[row] = step == NULL ? (double)NAN : step->time / step->length;
    for (int i = 0; i < m; i++) {
        normal[i] = step == NULL ? (double)NAN : step->normal_impulse[i] / impulse;
    }
    for (int i = 0; i < tangents; i++) {
        tangential[i] = step == NULL ? (double)NAN : step->tangential_impulse[i] / impulse;
    }
    if (step != NULL) {
        trajectory->shortened_count += step->is_shortened;
        trajectory->problem_count += step->problems;
        trajectory->largest_residual = fmax(trajectory->largest_residual, step->residual);
    }
}

/** Append the present state as a row. */
static carom_status record(inclusion_run *run, double s, const carom_inclusion_step *step) {
    carom_inclusion_trajectory *trajectory = run->trajectory;
    const size_t row = (size_t)trajectory->row_count;
    const size_t n = (size_t)trajectory->coordinate_count;
    const size_t m = (size_t)trajectory->contact_count;
    if (trajectory->row_count == INT_MAX) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (row == run->capacity) {
        CAROM_TRY(reserve(trajectory, 2 * run->capacity));
        run->capacity *= 2;
    }
    CAROM_ASSERT(trajectory->s != NULL);
    trajectory->s[row] = s;
    trajectory->time[row] = run->t;
    memcpy(trajectory->position + row * n, run->q, n * sizeof(double));
    memcpy(trajectory->velocity + row * n, run->v, n * sizeof(double));
    if (m > 0) {
        run->mechanism->constraints(run->q, trajectory->gap + row * m, run->mechanism->context);
    }
    for (size_t i = 0; i < m; i++) {
        trajectory->smallest_gap = fmin(trajectory->smallest_gap, trajectory->gap[row * m + i]);
    }
    record_rates(trajectory, row, run->reference_force, step);
    trajectory->kinetic_energy[row] =
        carom_mechanism_kinetic_energy(run->mechanism, run->q, run->v, run->work);
    trajectory->potential_energy[row] =
        run->mechanism->potential_energy(run->q, run->mechanism->context);
    trajectory->row_count++;
    return CAROM_OK;
}

/** Steps until the length or the duration is reached. */
static carom_status take_steps(inclusion_run *run, double ds, double length, double duration,
                               carom_report *report) {
    CAROM_TRY(carom_inclusion_stepper_start(run->stepper, run->t, run->q, run->v, report));
    CAROM_TRY(record(run, 0.0, NULL));
    double s = 0.0;
    while (length - s > NO_LENGTH * fmin(ds, length) && run->t < duration) {
        carom_inclusion_step step;
        CAROM_TRY(carom_inclusion_stepper_advance(run->stepper, fmin(ds, length - s), &run->t,
                                                  run->q, run->v, &step, report));
        s += step.length;
        CAROM_TRY(record(run, s, &step));
    }
    return CAROM_OK;
}

static carom_status alloc_run(const carom_mechanism *mechanism,
                              const carom_inclusion_params *params, const double *q0,
                              const double *v0, double length, inclusion_run *run,
                              carom_report *report) {
    const size_t n = (size_t)mechanism->coordinate_count;
    CAROM_TRY(carom_inclusion_stepper_alloc(mechanism, params, &run->stepper, report));
    run->mechanism = mechanism;
    run->reference_force = params->reference_force;
    run->trajectory = calloc(1, sizeof *run->trajectory);
    run->q = calloc(n, sizeof(double));
    run->v = calloc(n, sizeof(double));
    run->work = calloc(carom_layout_entry_count(mechanism->layout) + n, sizeof(double));
    if (run->trajectory == NULL || run->q == NULL || run->v == NULL || run->work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(run->q, q0, n * sizeof(double));
    memcpy(run->v, v0, n * sizeof(double));
    run->trajectory->coordinate_count = mechanism->coordinate_count;
    run->trajectory->contact_count = mechanism->contact_count;
    run->trajectory->tangent_count = mechanism->friction != NULL ? mechanism->tangent_count : 0;
    run->trajectory->smallest_gap = INFINITY;
    const double rows = length / params->step + 2.0;
    if (!(rows < (double)INT_MAX)) {
        return carom_report_refuse(report, "number of steps", rows, -1, "less than 2^31");
    }
    run->capacity = (size_t)rows;
    return reserve(run->trajectory, run->capacity);
}

carom_status carom_inclusion_run(const carom_mechanism *mechanism,
                                 const carom_inclusion_params *params, const double *q0,
                                 const double *v0, double length, double duration,
                                 carom_inclusion_trajectory **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    *out = NULL;
    if (!(length > 0.0) || !isfinite(length)) {
        return carom_report_refuse(report, "length", length, -1, "> 0, finite");
    }
    if (!(duration > 0.0)) {
        return carom_report_refuse(report, "duration", duration, -1, "> 0");
    }
    inclusion_run run = {0};
    carom_status status = alloc_run(mechanism, params, q0, v0, length, &run, report);
    if (status == CAROM_OK) {
        status = take_steps(&run, params->step, length, duration, report);
    }
    carom_inclusion_stepper_free(run.stepper);
    free(run.q);
    free(run.v);
    free(run.work);
    if (status != CAROM_OK) {
        carom_inclusion_trajectory_free(run.trajectory);
        return status;
    }
    *out = run.trajectory;
    return CAROM_OK;
}

double carom_inclusion_trajectory_time(const carom_inclusion_trajectory *trajectory, double s) {
    CAROM_ASSERT(trajectory != NULL);
    int low = 0;
    int high = trajectory->row_count - 1;
    if (s <= trajectory->s[low]) {
        return trajectory->time[low];
    }
    if (s >= trajectory->s[high]) {
        return trajectory->time[high];
    }
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        *(trajectory->s[middle] <= s ? &low : &high) = middle;
    }
    const double part = (s - trajectory->s[low]) / (trajectory->s[high] - trajectory->s[low]);
    return trajectory->time[low] + part * (trajectory->time[high] - trajectory->time[low]);
}
