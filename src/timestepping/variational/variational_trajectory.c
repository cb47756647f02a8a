#include <carom/timestepping/internal.h>
#include <carom/timestepping/variational/variational.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Lists that grow with the impacts, and the rows. */
typedef struct variational_run {
    carom_variational_stepper *stepper;
    carom_variational_trajectory *trajectory;
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
    carom_trajectory_free(trajectory->rows);
    free(trajectory->impacts);
    free(trajectory->closed);
    free(trajectory->reflection);
    free(trajectory);
}

/** Length of the lists of the impacts. */
static void count_lists(const carom_variational_trajectory *trajectory, int *closed,
                        int *reflection) {
    *closed = 0;
    *reflection = 0;
    for (int k = 0; k < trajectory->impact_count; k++) {
        *closed += trajectory->impacts[k].closed_count;
        *reflection += trajectory->impacts[k].reflection_count;
    }
}

carom_status carom_variational_trajectory_pack(const carom_variational_trajectory *trajectory,
                                               carom_parallel_bytes *bytes) {
    CAROM_ASSERT(trajectory != NULL && bytes != NULL);
    int closed = 0;
    int reflection = 0;
    count_lists(trajectory, &closed, &reflection);
    CAROM_TRY(carom_trajectory_pack(trajectory->rows, bytes));
    const int counts[] = {trajectory->impact_count, closed, reflection};
    CAROM_TRY(carom_parallel_append(bytes, counts, sizeof counts));
    CAROM_TRY(
        carom_parallel_append(bytes, trajectory->impacts,
                              (size_t)trajectory->impact_count * sizeof *trajectory->impacts));
    CAROM_TRY(carom_parallel_append(bytes, trajectory->closed, (size_t)closed * sizeof(int)));
    return carom_parallel_append(bytes, trajectory->reflection, (size_t)reflection * sizeof(int));
}

/** Take `count` things into memory of their own. */
static carom_status take_list(const unsigned char **data, size_t *left, int count, size_t size,
                              void **list) {
    if (count < 0 || (size_t)count > *left / size) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    *list = malloc((size_t)count * size + 1);
    return *list == NULL ? CAROM_STATUS_OUT_OF_MEMORY
                         : carom_parallel_take(data, left, *list, (size_t)count * size);
}

carom_status carom_variational_trajectory_unpack(const carom_mechanism *mechanism,
                                                 const unsigned char **data, size_t *left,
                                                 carom_variational_trajectory **out) {
    CAROM_ASSERT(mechanism != NULL && data != NULL && left != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_variational_trajectory) taken = calloc(1, sizeof *taken);
    if (taken == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int counts[3];
    void *lists[3] = {NULL, NULL, NULL};
    const size_t sizes[3] = {sizeof *taken->impacts, sizeof(int), sizeof(int)};
    CAROM_TRY(carom_trajectory_unpack(mechanism, data, left, &taken->rows));
    CAROM_TRY(carom_parallel_take(data, left, counts, sizeof counts));
    carom_status status = CAROM_OK;
    for (int k = 0; k < 3 && status == CAROM_OK; k++) {
        status = take_list(data, left, counts[k], sizes[k], &lists[k]);
    }
    taken->impacts = lists[0];
    taken->closed = lists[1];
    taken->reflection = lists[2];
    CAROM_TRY(status);
    taken->impact_count = counts[0];
    CAROM_HAND_OVER(taken, out);
    return CAROM_OK;
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
    carom_trajectory *t = run->trajectory->rows;
    CAROM_TRY(carom_trajectory_append(t));
    const carom_variational_result *result = carom_variational_stepper_result(run->stepper);
    const int row = t->row_count - 1;
    const int n = t->coordinate_count;
    const int m = t->contact_count;
    t->time[row] = result->time;
    copy_row(t->position, row, n, result->position, 1.0);
    copy_row(t->momentum, row, n, result->momentum, 1.0);
    copy_row(t->velocity, row, n, result->velocity, 1.0);
    copy_row(t->gap, row, m, result->gap, 1.0);
    copy_row(t->contact_force, row, m, result->contact_impulse, t->step);
    copy_row(t->holding_force, row, m, result->holding_impulse, t->step);
    copy_row(t->friction_force, row, m * t->tangent_count, result->friction_impulse, t->step);
    t->kinetic_energy[row] = result->kinetic_energy;
    t->potential_energy[row] = result->potential_energy;
    t->energy[row] = result->kinetic_energy + result->potential_energy;
    t->friction_work[row] = result->friction_work + (row == 0 ? 0.0 : t->friction_work[row - 1]);
    t->impact_loss[row] = result->impact_loss + (row == 0 ? 0.0 : t->impact_loss[row - 1]);
    for (int i = 0; i < m; i++) {
        t->held[(size_t)row * (size_t)m + (size_t)i] = result->is_held[i] ? 1 : 0;
    }
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

static carom_status run_rows(variational_run *run, int rows, carom_trajectory_progress progress,
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

carom_status carom_variational_trajectory_run(const carom_mechanism *mechanism,
                                              const carom_variational_params *params, double t0,
                                              const double *q0, const double *v0, double duration,
                                              carom_trajectory_progress progress, void *context,
                                              carom_variational_trajectory **out,
                                              carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_variational_stepper) stepper = NULL;
    CAROM_AUTO(carom_variational_trajectory) trajectory = NULL;
    int rows = 0;
    CAROM_TRY(carom_variational_stepper_alloc(mechanism, params, &stepper, report));
    CAROM_TRY(count_rows(duration, params->step, &rows, report));
    CAROM_TRY(carom_variational_stepper_start(stepper, t0, q0, v0, NULL, report));
    trajectory = calloc(1, sizeof *trajectory);
    if (trajectory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(
        carom_trajectory_alloc(mechanism, CAROM_TRAJECTORY_VARIATIONAL, rows, &trajectory->rows));
    trajectory->rows->step = params->step;
    variational_run run = {.stepper = stepper, .trajectory = trajectory};
    CAROM_TRY(run_rows(&run, rows, progress, context, report));
    CAROM_HAND_OVER(trajectory, out);
    return CAROM_OK;
}
