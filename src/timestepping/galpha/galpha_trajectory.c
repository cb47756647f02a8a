#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/internal.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A duration that is a whole number of steps up to this fraction of a step is one. */
static const double WHOLE_STEP_TOLERANCE = 1e-6;

static void copy_row(double *rows, int row, const double *values, int count) {
    memcpy(rows + (size_t)row * (size_t)count, values, (size_t)count * sizeof *values);
}

static void copy_flags(int *rows, int row, const bool *flags, int count) {
    for (int j = 0; j < count; j++) {
        rows[(size_t)row * (size_t)count + (size_t)j] = flags[j] ? 1 : 0;
    }
}

static carom_status keep_row(carom_trajectory *t, const carom_mechanism *mechanism,
                             const carom_step *step, double *scratch, carom_report *report) {
    CAROM_TRY(carom_trajectory_append(t));
    const int row = t->row_count - 1;
    const int b = t->joint_count;
    const int u = t->contact_count;
    t->time[row] = step->time;
    copy_row(t->position, row, step->position, t->position_count);
    copy_row(t->velocity, row, step->velocity, t->coordinate_count);
    if (t->has_moving_supports) {
        t->support_work[row] = (row > 0 ? t->support_work[row - 1] : 0.0) + step->support_work;
    }
    copy_row(t->gap, row, step->constraint + b, u);
    copy_row(t->gap_rate, row, step->constraint_rate + b, u);
    copy_row(t->contact_force, row, step->force + b, u);
    copy_row(t->contact_impulse, row, step->impulse + b, u);
    if (step->friction_impulse != NULL) {
        copy_row(t->friction_impulse, row, step->friction_impulse, u * t->tangent_count);
    }
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

/* The run ends before `row`: nothing after it was computed. */
static carom_status give_up(carom_trajectory *t, int row, int row_count, carom_status outcome) {
    t->outcome = outcome;
    t->failure_time = (double)row * t->step;
    t->row_count = row;
    for (int k = row; k < row_count; k++) {
        CAROM_TRY(carom_trajectory_append(t));
        carom_trajectory_leave_unknown(t, (double)k * t->step);
    }
    return CAROM_OK;
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

/* Whether a step could not be computed; what lacks memory or cannot be written is no result. */
static bool is_numerical(carom_status status) {
    return status != CAROM_OK && status != CAROM_STATUS_OUT_OF_MEMORY && status != CAROM_STATUS_IO;
}

static carom_status fill(const request *run, carom_stepper *stepper, int row_count,
                         carom_trajectory *t, double *scratch, carom_report *report) {
    CAROM_TRY(carom_stepper_start(stepper, 0.0, run->q0, run->v0, report));
    for (int row = 0; row < row_count; row++) {
        carom_status status = row == 0 ? CAROM_OK : carom_stepper_advance(stepper, report);
        if (status == CAROM_OK) {
            status = keep_row(t, run->mechanism, carom_stepper_result(stepper), scratch, report);
        }
        if (run->to_failure && is_numerical(status)) {
            return give_up(t, row, row_count, status);
        }
        CAROM_TRY(status);
        if (run->progress != NULL) {
            run->progress(row + 1, row_count, run->context);
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
    const carom_mechanism *mechanism = run->mechanism;
    *out = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    CAROM_AUTO(carom_trajectory) t = NULL;
    int row_count = 0;
    CAROM_TRY(carom_stepper_alloc(mechanism, run->params, &stepper, report));
    CAROM_TRY(count_rows(run->duration, run->params->step, &row_count, report));
    CAROM_TRY(carom_trajectory_alloc(mechanism,
                                     run->params->scheme == CAROM_SCHEME_SMOOTH_GALPHA
                                         ? CAROM_TRAJECTORY_SMOOTH
                                         : CAROM_TRAJECTORY_NONSMOOTH,
                                     row_count, &t));
    CAROM_AUTO_MEMORY double *scratch =
        calloc(carom_layout_entry_count(mechanism->layout) + (size_t)mechanism->coordinate_count,
               sizeof *scratch);
    if (scratch == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    t->step = run->params->step;
    CAROM_TRY(fill(run, stepper, row_count, t, scratch, report));
    CAROM_HAND_OVER(t, out);
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
