#include <carom/timestepping/variational/variational_trajectory.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Lists that grow with the impacts, and the rows. */
typedef struct variational_run {
    carom_variational_stepper *stepper;
    carom_variational_trajectory *trajectory;
    double step;             /**< h, s */
    int closed_count;        /**< entries of `closed` */
    int reflection_count;    /**< entries of `reflection` */
    int impact_capacity;     /**< that fit */
    int closed_capacity;     /**< likewise */
    int reflection_capacity; /**< likewise */
} variational_run;

void carom_variational_trajectory_free(carom_variational_trajectory *trajectory) {
    if (trajectory == NULL) {
        return;
    }
    free(trajectory->time);
    free(trajectory->position);
    free(trajectory->momentum);
    free(trajectory->velocity);
    free(trajectory->gap);
    free(trajectory->contact_force);
    free(trajectory->holding_force);
    free(trajectory->friction_force);
    free(trajectory->kinetic_energy);
    free(trajectory->potential_energy);
    free(trajectory->friction_work);
    free(trajectory->impact_loss);
    free(trajectory->held);
    free(trajectory->impacts);
    free(trajectory->closed);
    free(trajectory->reflection);
    free(trajectory);
}

/** Zeroed numbers, one at least; counts *missing if there is no memory. */
static double *alloc_rows(int rows, int columns, int *missing) {
    const size_t count = (size_t)rows * (size_t)columns;
    double *values = calloc(count > 0 ? count : 1, sizeof(double));
    *missing += values == NULL;
    return values;
}

static carom_status alloc_trajectory(const carom_mechanism *mechanism, int rows,
                                     carom_variational_trajectory **out) {
    carom_variational_trajectory *trajectory = calloc(1, sizeof *trajectory);
    *out = trajectory;
    if (trajectory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int n = mechanism->coordinate_count;
    const int m = mechanism->contact_count;
    const int t = mechanism->tangent_count;
    trajectory->coordinate_count = n;
    trajectory->contact_count = m;
    trajectory->tangent_count = t;
    int missing = 0;
    trajectory->time = alloc_rows(rows, 1, &missing);
    trajectory->position = alloc_rows(rows, n, &missing);
    trajectory->momentum = alloc_rows(rows, n, &missing);
    trajectory->velocity = alloc_rows(rows, n, &missing);
    trajectory->gap = alloc_rows(rows, m, &missing);
    trajectory->contact_force = alloc_rows(rows, m, &missing);
    trajectory->holding_force = alloc_rows(rows, m, &missing);
    trajectory->friction_force = alloc_rows(rows, m * t, &missing);
    trajectory->kinetic_energy = alloc_rows(rows, 1, &missing);
    trajectory->potential_energy = alloc_rows(rows, 1, &missing);
    trajectory->friction_work = alloc_rows(rows, 1, &missing);
    trajectory->impact_loss = alloc_rows(rows, 1, &missing);
    trajectory->held = calloc((size_t)rows * (size_t)m + 1, sizeof(int));
    return missing == 0 && trajectory->held != NULL ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/** Room for `more` things after `count`, at least twice as many as there was. */
static carom_status make_room(void **things, size_t size, int count, int more, int *capacity) {
    if (more <= *capacity - count) {
        return CAROM_OK;
    }
    if (more > INT_MAX / 2 - count) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int wanted = 2 * (count + more);
    void *moved = realloc(*things, (size_t)wanted * size);
    if (moved == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *things = moved;
    *capacity = wanted;
    return CAROM_OK;
}

/** Append contacts to a list. */
static carom_status append(int **list, int *count, int *capacity, const int *more, int more_count) {
    void *entries = *list;
    const carom_status status = make_room(&entries, sizeof(int), *count, more_count, capacity);
    *list = entries;
    if (status == CAROM_OK && more_count > 0) {
        memcpy(*list + *count, more, (size_t)more_count * sizeof(int));
        *count += more_count;
    }
    return status;
}

/** The impacts of a step, their contacts counted in the lists of the run. */
static carom_status record_impacts(variational_run *run, const carom_variational_result *result) {
    carom_variational_trajectory *trajectory = run->trajectory;
    void *impacts = trajectory->impacts;
    const carom_status status =
        make_room(&impacts, sizeof(carom_variational_impact), trajectory->impact_count,
                  result->impact_count, &run->impact_capacity);
    trajectory->impacts = impacts;
    CAROM_TRY(status);
    for (int k = 0; k < result->impact_count; k++) {
        carom_variational_impact impact = result->impacts[k];
        const int *closed = result->closed + impact.first_closed;
        const int *reflection =
            impact.reflection_count > 0 ? result->reflection + impact.first_reflection : NULL;
        impact.first_closed = run->closed_count;
        impact.first_reflection = run->reflection_count;
        CAROM_TRY(append(&trajectory->closed, &run->closed_count, &run->closed_capacity, closed,
                         impact.closed_count));
        CAROM_TRY(append(&trajectory->reflection, &run->reflection_count, &run->reflection_capacity,
                         reflection, impact.reflection_count));
        trajectory->impacts[trajectory->impact_count++] = impact;
    }
    return CAROM_OK;
}

static void copy_row(double *values, int row, int columns, const double *from, double divisor) {
    for (int i = 0; i < columns; i++) {
        values[(size_t)row * (size_t)columns + (size_t)i] = from[i] / divisor;
    }
}

/** Append the last step as a row. */
static carom_status record_row(variational_run *run) {
    carom_variational_trajectory *trajectory = run->trajectory;
    const carom_variational_result *result = carom_variational_stepper_result(run->stepper);
    const int row = trajectory->row_count;
    const int n = trajectory->coordinate_count;
    const int m = trajectory->contact_count;
    const int tangents = m * trajectory->tangent_count;
    trajectory->time[row] = result->time;
    copy_row(trajectory->position, row, n, result->position, 1.0);
    copy_row(trajectory->momentum, row, n, result->momentum, 1.0);
    copy_row(trajectory->velocity, row, n, result->velocity, 1.0);
    copy_row(trajectory->gap, row, m, result->gap, 1.0);
    copy_row(trajectory->contact_force, row, m, result->contact_impulse, run->step);
    copy_row(trajectory->holding_force, row, m, result->holding_impulse, run->step);
    copy_row(trajectory->friction_force, row, tangents, result->friction_impulse, run->step);
    trajectory->kinetic_energy[row] = result->kinetic_energy;
    trajectory->potential_energy[row] = result->potential_energy;
    const bool is_first = row == 0;
    trajectory->friction_work[row] =
        result->friction_work + (is_first ? 0.0 : trajectory->friction_work[row - 1]);
    trajectory->impact_loss[row] =
        result->impact_loss + (is_first ? 0.0 : trajectory->impact_loss[row - 1]);
    for (int i = 0; i < m; i++) {
        trajectory->held[(size_t)row * (size_t)m + (size_t)i] = result->is_held[i] ? 1 : 0;
    }
    trajectory->row_count++;
    return record_impacts(run, result);
}

static carom_status count_rows(double duration, double step, int *rows, carom_report *report) {
    const double steps = round(duration / step);
    if (!isfinite(duration)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "duration", duration, -1);
    }
    if (!(steps >= 1.0 && steps < (double)INT_MAX)) {
        return carom_report_bound(report, "duration", duration,
                                  "from half a step to 2147483646 steps of", step);
    }
    *rows = (int)steps + 1;
    return CAROM_OK;
}

static carom_status run_rows(variational_run *run, int rows,
                             void (*progress)(int rows_done, int row_count, void *context),
                             void *context, carom_report *report) {
    CAROM_TRY(record_row(run));
    for (int row = 1; row < rows; row++) {
        CAROM_TRY(carom_variational_stepper_advance(run->stepper, report));
        CAROM_TRY(record_row(run));
        if (progress != NULL) {
            progress(row + 1, rows, context);
        }
    }
    return CAROM_OK;
}

carom_status carom_variational_trajectory_run(
    const carom_mechanism *mechanism, const carom_variational_params *params, double t0,
    const double *q0, const double *v0, double duration,
    void (*progress)(int rows_done, int row_count, void *context), void *context,
    carom_variational_trajectory **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    *out = NULL;
    variational_run run = {.step = params->step};
    CAROM_TRY(carom_variational_stepper_alloc(mechanism, params, &run.stepper, report));
    int rows = 0;
    carom_status status = count_rows(duration, params->step, &rows, report);
    if (status == CAROM_OK) {
        status = carom_variational_stepper_start(run.stepper, t0, q0, v0, NULL, report);
    }
    if (status == CAROM_OK) {
        status = alloc_trajectory(mechanism, rows, &run.trajectory);
    }
    if (status == CAROM_OK) {
        status = run_rows(&run, rows, progress, context, report);
    }
    carom_variational_stepper_free(run.stepper);
    if (status != CAROM_OK) {
        carom_variational_trajectory_free(run.trajectory);
        return status;
    }
    *out = run.trajectory;
    return CAROM_OK;
}
