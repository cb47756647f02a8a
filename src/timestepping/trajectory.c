#include <carom/timestepping/trajectory.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A duration that is a whole number of steps up to this fraction of a step is one. */
static const double WHOLE_STEP_TOLERANCE = 1e-6;

static double *column_block(size_t rows, int columns) {
    const size_t count = rows * (size_t)columns;
    return calloc(count > 0 ? count : 1, sizeof(double));
}

static carom_status alloc_trajectory(const carom_mechanism *mechanism, int row_count,
                                     carom_trajectory **out) {
    *out = NULL;
    carom_trajectory *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t rows = (size_t)row_count;
    const int n = mechanism->coordinate_count;
    const int joints = mechanism->joint_count;
    const int contacts = mechanism->contact_count;
    t->row_count = row_count;
    t->coordinate_count = n;
    t->joint_count = joints;
    t->contact_count = contacts;
    t->time = column_block(rows, 1);
    t->position = column_block(rows, n);
    t->velocity = column_block(rows, n);
    t->gap = column_block(rows, contacts);
    t->gap_rate = column_block(rows, contacts);
    t->contact_force = column_block(rows, contacts);
    t->contact_impulse = column_block(rows, contacts);
    t->contact_position_multiplier = column_block(rows, contacts);
    t->joint_residual = column_block(rows, joints);
    t->joint_rate = column_block(rows, joints);
    t->joint_force = column_block(rows, joints);
    t->joint_impulse = column_block(rows, joints);
    t->joint_position_multiplier = column_block(rows, joints);
    t->energy = column_block(rows, 1);
    t->residual = column_block(rows, 1);
    t->newton_iterations = calloc(rows + 1, sizeof(int));
    t->position_active = calloc(rows * (size_t)contacts + 1, sizeof(int));
    t->velocity_active = calloc(rows * (size_t)contacts + 1, sizeof(int));
    if (t->time == NULL || t->position == NULL || t->velocity == NULL || t->gap == NULL ||
        t->gap_rate == NULL || t->contact_force == NULL || t->contact_impulse == NULL ||
        t->contact_position_multiplier == NULL || t->joint_residual == NULL ||
        t->joint_rate == NULL || t->joint_force == NULL || t->joint_impulse == NULL ||
        t->joint_position_multiplier == NULL || t->energy == NULL || t->residual == NULL ||
        t->newton_iterations == NULL || t->position_active == NULL || t->velocity_active == NULL) {
        carom_trajectory_free(t);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *out = t;
    return CAROM_OK;
}

size_t carom_trajectory_row_size(const carom_mechanism *mechanism) {
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t joints = (size_t)mechanism->joint_count;
    const size_t contacts = (size_t)mechanism->contact_count;
    return (3 + 2 * n + 5 * contacts + 5 * joints) * sizeof(double) +
           (1 + 2 * contacts) * sizeof(int);
}

void carom_trajectory_free(carom_trajectory *trajectory) {
    if (trajectory == NULL) {
        return;
    }
    free(trajectory->time);
    free(trajectory->position);
    free(trajectory->velocity);
    free(trajectory->gap);
    free(trajectory->gap_rate);
    free(trajectory->contact_force);
    free(trajectory->contact_impulse);
    free(trajectory->contact_position_multiplier);
    free(trajectory->joint_residual);
    free(trajectory->joint_rate);
    free(trajectory->joint_force);
    free(trajectory->joint_impulse);
    free(trajectory->joint_position_multiplier);
    free(trajectory->energy);
    free(trajectory->residual);
    free(trajectory->newton_iterations);
    free(trajectory->position_active);
    free(trajectory->velocity_active);
    free(trajectory);
}

static void copy_row(double *rows, int row, const double *values, int count) {
    memcpy(rows + (size_t)row * (size_t)count, values, (size_t)count * sizeof *values);
}

static void copy_flags(int *rows, int row, const bool *flags, int count) {
    for (int j = 0; j < count; j++) {
        rows[(size_t)row * (size_t)count + (size_t)j] = flags[j] ? 1 : 0;
    }
}

static carom_status keep_row(carom_trajectory *t, int row, const carom_mechanism *mechanism,
                             const carom_step *step, double *scratch, carom_report *report) {
    const int b = t->joint_count;
    const int u = t->contact_count;
    t->time[row] = step->time;
    copy_row(t->position, row, step->position, t->coordinate_count);
    copy_row(t->velocity, row, step->velocity, t->coordinate_count);
    copy_row(t->gap, row, step->constraint + b, u);
    copy_row(t->gap_rate, row, step->constraint_rate + b, u);
    copy_row(t->contact_force, row, step->force + b, u);
    copy_row(t->contact_impulse, row, step->impulse + b, u);
    copy_row(t->contact_position_multiplier, row, step->position_multiplier + b, u);
    copy_row(t->joint_residual, row, step->constraint, b);
    copy_row(t->joint_rate, row, step->constraint_rate, b);
    copy_row(t->joint_force, row, step->force, b);
    copy_row(t->joint_impulse, row, step->impulse, b);
    copy_row(t->joint_position_multiplier, row, step->position_multiplier, b);
    t->energy[row] =
        carom_mechanism_kinetic_energy(mechanism, step->position, step->velocity, scratch) +
        mechanism->potential_energy(step->position, mechanism->context);
    if (!isfinite(t->energy[row])) {
        const carom_status status =
            carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "energy", t->energy[row], -1);
        if (report != NULL) {
            report->time = step->time;
        }
        return status;
    }
    t->residual[row] =
        fmax(step->smooth_residual, fmax(step->position_residual, step->velocity_residual));
    t->newton_iterations[row] = step->iterations;
    copy_flags(t->position_active, row, step->position_active + b, u);
    copy_flags(t->velocity_active, row, step->velocity_active + b, u);
    return CAROM_OK;
}

/* Rows of an array that were never computed. */
static void fill_nan(double *rows, int first, int end, int columns) {
    for (size_t k = (size_t)first * (size_t)columns; k < (size_t)end * (size_t)columns; k++) {
        rows[k] = (double)NAN;
    }
}

/* The run ends before `row`: nothing after it was computed. */
static void give_up(carom_trajectory *t, int row, carom_status outcome) {
    const int end = t->row_count;
    t->outcome = outcome;
    t->failure_time = (double)row * t->step;
    for (int k = row; k < end; k++) {
        t->time[k] = (double)k * t->step;
    }
    fill_nan(t->position, row, end, t->coordinate_count);
    fill_nan(t->velocity, row, end, t->coordinate_count);
    fill_nan(t->energy, row, end, 1);
    fill_nan(t->residual, row, end, 1);
    double *const of_contacts[] = {t->gap, t->gap_rate, t->contact_force, t->contact_impulse,
                                   t->contact_position_multiplier};
    for (size_t k = 0; k < sizeof of_contacts / sizeof of_contacts[0]; k++) {
        fill_nan(of_contacts[k], row, end, t->contact_count);
    }
    double *const of_joints[] = {t->joint_residual, t->joint_rate, t->joint_force, t->joint_impulse,
                                 t->joint_position_multiplier};
    for (size_t k = 0; k < sizeof of_joints / sizeof of_joints[0]; k++) {
        fill_nan(of_joints[k], row, end, t->joint_count);
    }
}

/* What a run is asked for. */
typedef struct request {
    const carom_mechanism *mechanism;
    const carom_stepper_params *params;
    const double *q0;
    const double *v0;
    double duration;
    bool to_failure; /* a numerical failure is kept */
    carom_trajectory_progress progress;
    void *context;
} request;

static carom_status fill(const request *run, carom_stepper *stepper, carom_trajectory *t,
                         double *scratch, carom_report *report) {
    CAROM_TRY(carom_stepper_start(stepper, 0.0, run->q0, run->v0, report));
    for (int row = 0; row < t->row_count; row++) {
        carom_status status = row == 0 ? CAROM_OK : carom_stepper_advance(stepper, report);
        if (status == CAROM_OK) {
            status =
                keep_row(t, row, run->mechanism, carom_stepper_result(stepper), scratch, report);
        }
        if (status != CAROM_OK && run->to_failure) {
            give_up(t, row, status);
            return CAROM_OK;
        }
        CAROM_TRY(status);
        if (run->progress != NULL) {
            run->progress(row + 1, t->row_count, run->context);
        }
    }
    return CAROM_OK;
}

/* Number of rows that cover the duration. */
static carom_status count_rows(double duration, double step, int *row_count, carom_report *report) {
    if (!isfinite(duration)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "duration", duration, -1);
    }
    const double steps = ceil(duration / step - WHOLE_STEP_TOLERANCE);
    if (!(duration / step >= 1.0 - WHOLE_STEP_TOLERANCE) || steps > (double)(INT_MAX - 1)) {
        return carom_report_bound(report, "duration", duration,
                                  "from one step to 2147483646 steps of", step);
    }
    *row_count = (int)steps + 1;
    return CAROM_OK;
}

static carom_status run_request(const request *run, carom_trajectory **out, carom_report *report) {
    CAROM_ASSERT(run->mechanism != NULL && run->params != NULL && run->q0 != NULL &&
                 run->v0 != NULL && out != NULL);
    *out = NULL;
    carom_stepper *stepper = NULL;
    carom_trajectory *trajectory = NULL;
    double *scratch = NULL;
    int row_count = 0;
    carom_status status = carom_stepper_alloc(run->mechanism, run->params, &stepper, report);
    if (status == CAROM_OK) {
        status = count_rows(run->duration, run->params->step, &row_count, report);
    }
    if (status == CAROM_OK) {
        status = alloc_trajectory(run->mechanism, row_count, &trajectory);
    }
    if (status == CAROM_OK) {
        scratch = calloc(carom_layout_entry_count(run->mechanism->layout) +
                             (size_t)run->mechanism->coordinate_count,
                         sizeof(double));
        status = scratch == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    }
    if (status == CAROM_OK) {
        trajectory->scheme = run->params->scheme;
        trajectory->step = run->params->step;
        trajectory->failure_time = (double)NAN;
        status = fill(run, stepper, trajectory, scratch, report);
    }
    free(scratch);
    carom_stepper_free(stepper);
    if (status != CAROM_OK) {
        carom_trajectory_free(trajectory);
        return status;
    }
    *out = trajectory;
    return CAROM_OK;
}

carom_status carom_trajectory_run(const carom_mechanism *mechanism,
                                  const carom_stepper_params *params, const double *q0,
                                  const double *v0, double duration,
                                  carom_trajectory_progress progress, void *context,
                                  carom_trajectory **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    const request run = {mechanism, params, q0, v0, duration, false, progress, context};
    return run_request(&run, out, report);
}

carom_status carom_trajectory_run_to_failure(const carom_mechanism *mechanism,
                                             const carom_stepper_params *params, const double *q0,
                                             const double *v0, double duration,
                                             carom_trajectory_progress progress, void *context,
                                             carom_trajectory **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    const request run = {mechanism, params, q0, v0, duration, true, progress, context};
    return run_request(&run, out, report);
}
