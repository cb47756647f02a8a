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

/* What is asked for, and how far it is. */
struct carom_stepper_run {
    carom_stepper_run_params params;
    const carom_mechanism *mechanism;
    carom_stepper *stepper;  /* owned */
    carom_trajectory *block; /* owned; NULL once it is taken */
    double *start;           /* [n_q + n] owned; q0, v0 */
    double *scratch;         /* owned; of the kinetic energy */
    double support_work;     /* so far, J */
    double friction_work;    /* lost so far, J */
    double impact_loss;      /* lost so far, J */
    double *rates;           /* [n_u + n_u t] owned, with friction; of gaps and sliding, before */
};

/* What impulses take along a row, by the mean of its velocities before, which are then those now.
 */
static double take_loss(int count, const double *impulse, const double *rate, double *before) {
    double lost = 0.0;
    for (int i = 0; i < count; i++) {
        lost -= impulse[i] * 0.5 * (before[i] + rate[i]);
        before[i] = rate[i];
    }
    return lost;
}

/* By theta = 1/2 that is what the contacts of a linear system take off its energy. */
static void keep_losses(carom_stepper_run *run, const carom_step *step, int row) {
    carom_trajectory *t = run->block;
    const int b = t->joint_count;
    const int u = t->contact_count;
    run->impact_loss += take_loss(u, step->impulse + b, step->constraint_rate + b, run->rates);
    run->friction_work += take_loss(u * t->tangent_count, step->friction_impulse,
                                    step->sliding_velocity, run->rates + u);
    t->impact_loss[row] = run->impact_loss;
    t->friction_work[row] = run->friction_work;
}

/* Append the last step as a row. */
static carom_status keep_row(carom_stepper_run *run, carom_report *report) {
    carom_trajectory *t = run->block;
    const carom_mechanism *mechanism = run->mechanism;
    const carom_step *step = carom_stepper_result(run->stepper);
    CAROM_TRY(carom_trajectory_append(t));
    const int row = t->row_count - 1;
    const int b = t->joint_count;
    const int u = t->contact_count;
    t->time[row] = step->time;
    copy_row(t->position, row, step->position, t->position_count);
    copy_row(t->velocity, row, step->velocity, t->coordinate_count);
    if (t->has_moving_supports) {
        run->support_work += step->support_work;
        t->support_work[row] = run->support_work;
    }
    copy_row(t->gap, row, step->constraint + b, u);
    copy_row(t->gap_rate, row, step->constraint_rate + b, u);
    copy_row(t->contact_force, row, step->force + b, u);
    copy_row(t->contact_impulse, row, step->impulse + b, u);
    if (step->friction_impulse != NULL) {
        copy_row(t->friction_impulse, row, step->friction_impulse, u * t->tangent_count);
        keep_losses(run, step, row);
    }
    copy_row(t->contact_position_multiplier, row, step->position_multiplier + b, u);
    copy_row(t->joint_residual, row, step->constraint, b);
    copy_row(t->joint_rate, row, step->constraint_rate, b);
    copy_row(t->joint_force, row, step->force, b);
    copy_row(t->joint_impulse, row, step->impulse, b);
    copy_row(t->joint_position_multiplier, row, step->position_multiplier, b);
    t->energy[row] =
        carom_mechanism_kinetic_energy(mechanism, step->position, step->velocity, run->scratch) +
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

/* Row number in the run of the row that comes next. */
static int next_row(const carom_trajectory *t) {
    return t->first_row + t->row_count;
}

/* Nothing after a failure is computed. */
static carom_status leave_rest_unknown(carom_trajectory *t, int count) {
    while (t->row_count < count) {
        const double time = (double)next_row(t) * t->step;
        CAROM_TRY(carom_trajectory_append(t));
        carom_trajectory_leave_unknown(t, time);
    }
    return CAROM_OK;
}

/* Whether a step could not be computed; what lacks memory or cannot be written is no result. */
static bool is_numerical(carom_status status) {
    return status != CAROM_OK && status != CAROM_STATUS_OUT_OF_MEMORY && status != CAROM_STATUS_IO;
}

/* Compute the row that comes next. */
static carom_status take_step(carom_stepper_run *run, carom_report *report) {
    if (next_row(run->block) > 0) {
        CAROM_TRY(carom_stepper_advance(run->stepper, report));
    }
    return keep_row(run, report);
}

static carom_status start(carom_stepper_run *run, carom_report *report) {
    const double *q0 = run->start;
    return carom_stepper_start(run->stepper, 0.0, q0, q0 + run->block->position_count, report);
}

carom_status carom_stepper_run_next(carom_stepper_run *run, const carom_trajectory **rows,
                                    carom_report *report) {
    return carom_stepper_run_next_rows(run, INT_MAX, rows, report);
}

carom_status carom_stepper_run_next_rows(carom_stepper_run *run, int most,
                                         const carom_trajectory **rows, carom_report *report) {
    CAROM_ASSERT(run != NULL && run->block != NULL && most >= 1 && rows != NULL);
    carom_trajectory *t = run->block;
    *rows = t;
    carom_trajectory_continue(t);
    if (next_row(t) == 0) {
        CAROM_TRY(start(run, report));
    }
    const int left = t->total_rows - t->first_row;
    const int room = most < t->capacity ? most : t->capacity;
    const int count = left < room ? left : room;
    while (t->outcome == CAROM_OK && t->row_count < count) {
        const int row = t->row_count;
        const carom_status status = take_step(run, report);
        if (run->params.to_failure && is_numerical(status)) {
            t->row_count = row;
            t->outcome = status;
            t->failure_time = (double)next_row(t) * t->step;
            break;
        }
        CAROM_TRY(status);
        if (run->params.progress != NULL) {
            run->params.progress(next_row(t), t->total_rows, run->params.context);
        }
    }
    return leave_rest_unknown(t, count);
}

/* Numbers of the losses' rates. */
static size_t count_rates(const carom_trajectory *t) {
    return (size_t)t->contact_count * (1 + (size_t)t->tangent_count);
}

/* Where a run is, besides its stepper. */
typedef struct run_head {
    int rows_done;
    int outcome;
    double failure_time;
    double support_work;
    double friction_work;
    double impact_loss;
} run_head;

carom_status carom_stepper_run_pack(carom_stepper_run *run, carom_parallel_bytes *bytes) {
    CAROM_ASSERT(run != NULL && run->block != NULL && bytes != NULL);
    const carom_trajectory *t = run->block;
    const run_head head = {.rows_done = next_row(t),
                           .outcome = (int)t->outcome,
                           .failure_time = t->failure_time,
                           .support_work = run->support_work,
                           .friction_work = run->friction_work,
                           .impact_loss = run->impact_loss};
    CAROM_TRY(carom_parallel_append(bytes, &head, sizeof head));
    CAROM_TRY(carom_parallel_append(bytes, run->rates, count_rates(t) * sizeof *run->rates));
    return t->outcome == CAROM_OK ? carom_stepper_pack(run->stepper, bytes) : CAROM_OK;
}

carom_status carom_stepper_run_unpack(carom_stepper_run *run, const unsigned char **data,
                                      size_t *left, carom_report *report) {
    CAROM_ASSERT(run != NULL && run->block != NULL && data != NULL && left != NULL);
    carom_trajectory *t = run->block;
    run_head head;
    CAROM_TRY(carom_parallel_take(data, left, &head, sizeof head));
    CAROM_TRY(carom_parallel_take(data, left, run->rates, count_rates(t) * sizeof *run->rates));
    if (head.rows_done < 1 || head.rows_done > t->total_rows) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    t->first_row = head.rows_done;
    t->row_count = 0;
    t->outcome = (carom_status)head.outcome;
    t->failure_time = head.failure_time;
    run->support_work = head.support_work;
    run->friction_work = head.friction_work;
    run->impact_loss = head.impact_loss;
    if (t->outcome != CAROM_OK) {
        return CAROM_OK; // there are no more steps
    }
    CAROM_TRY(start(run, report));
    return carom_stepper_unpack(run->stepper, data, left, report);
}

carom_trajectory *carom_stepper_run_take(carom_stepper_run *run) {
    CAROM_ASSERT(run != NULL);
    carom_trajectory *taken = run->block;
    run->block = NULL;
    return taken;
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

/* Memory of a run and its block. */
static carom_status reserve(carom_stepper_run *run, const carom_stepper_params *params,
                            int total_rows) {
    const carom_mechanism *mechanism = run->mechanism;
    const size_t n = (size_t)mechanism->coordinate_count;
    const int asked = run->params.block_rows;
    CAROM_TRY(carom_trajectory_alloc(
        mechanism,
        params->scheme == CAROM_SCHEME_SMOOTH_GALPHA ? CAROM_TRAJECTORY_SMOOTH
                                                     : CAROM_TRAJECTORY_NONSMOOTH,
        asked > 0 && asked < total_rows ? asked : total_rows, &run->block));
    run->block->step = params->step;
    run->block->total_rows = total_rows;
    run->start = calloc((size_t)run->block->position_count + n, sizeof *run->start);
    run->scratch = calloc(carom_layout_entry_count(mechanism->layout) + n, sizeof *run->scratch);
    run->rates = calloc(count_rates(run->block) + 1, sizeof *run->rates);
    return run->start != NULL && run->scratch != NULL && run->rates != NULL
               ? CAROM_OK
               : CAROM_STATUS_OUT_OF_MEMORY;
}

carom_status carom_stepper_run_alloc(const carom_mechanism *mechanism,
                                     const carom_stepper_params *params,
                                     const carom_stepper_run_params *asked, const double *q0,
                                     const double *v0, carom_stepper_run **out,
                                     carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && asked != NULL && out != NULL);
    CAROM_ASSERT(q0 != NULL && v0 != NULL && asked->block_rows >= 0);
    *out = NULL;
    CAROM_AUTO(carom_stepper_run) run = calloc(1, sizeof *run);
    if (run == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    run->params = *asked;
    run->mechanism = mechanism;
    int total_rows = 0;
    CAROM_TRY(carom_stepper_alloc(mechanism, params, &run->stepper, report));
    CAROM_TRY(count_rows(asked->duration, params->step, &total_rows, report));
    CAROM_TRY(reserve(run, params, total_rows));
    const size_t n_q = (size_t)run->block->position_count;
    memcpy(run->start, q0, n_q * sizeof *q0);
    memcpy(run->start + n_q, v0, (size_t)mechanism->coordinate_count * sizeof *v0);
    CAROM_HAND_OVER(run, out);
    return CAROM_OK;
}

void carom_stepper_run_free(carom_stepper_run *run) {
    if (run != NULL) {
        carom_stepper_free(run->stepper);
        carom_trajectory_free(run->block);
        free(run->start);
        free(run->scratch);
        free(run->rates);
        free(run);
    }
}

/* All rows in one block. */
static carom_status run_whole(const carom_mechanism *mechanism, const carom_stepper_params *params,
                              const carom_stepper_run_params *asked, const double *q0,
                              const double *v0, carom_trajectory **out, carom_report *report) {
    *out = NULL;
    CAROM_AUTO(carom_stepper_run) run = NULL;
    const carom_trajectory *rows = NULL;
    CAROM_TRY(carom_stepper_run_alloc(mechanism, params, asked, q0, v0, &run, report));
    CAROM_TRY(carom_stepper_run_next(run, &rows, report));
    *out = carom_stepper_run_take(run);
    return CAROM_OK;
}

carom_status carom_trajectory_run(const carom_mechanism *mechanism,
                                  const carom_stepper_params *params, const double *q0,
                                  const double *v0, double duration,
                                  carom_trajectory_progress progress, void *context,
                                  carom_trajectory **out, carom_report *report) {
    CAROM_ASSERT(out != NULL);
    const carom_stepper_run_params run = {
        .duration = duration, .progress = progress, .context = context};
    return run_whole(mechanism, params, &run, q0, v0, out, report);
}

carom_status carom_trajectory_run_to_failure(const carom_mechanism *mechanism,
                                             const carom_stepper_params *params, const double *q0,
                                             const double *v0, double duration,
                                             carom_trajectory_progress progress, void *context,
                                             carom_trajectory **out, carom_report *report) {
    CAROM_ASSERT(out != NULL);
    const carom_stepper_run_params run = {
        .duration = duration, .to_failure = true, .progress = progress, .context = context};
    return run_whole(mechanism, params, &run, q0, v0, out, report);
}
