#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/internal.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** What is left of the length below this part of a step is rounding. */
static const double NO_LENGTH = 1e-9;

/** A run on its way. */
typedef struct inclusion_run {
    const carom_mechanism *mechanism;
    carom_inclusion_stepper *stepper;
    carom_trajectory *trajectory;
    double reference_force; /**< kappa, N */
    double t;
    double *q;    /**< [n] */
    double *v;    /**< [n] */
    double *work; /**< of the kinetic energy */
} inclusion_run;

static void inclusion_run_clear(inclusion_run *run) {
    carom_inclusion_stepper_free(run->stepper);
    carom_trajectory_free(run->trajectory);
    free(run->q);
    free(run->v);
    free(run->work);
}

/** What a step did to the last row. */
static void record_step(carom_trajectory *t, double reference_force,
                        const carom_inclusion_step *step) {
    const size_t row = (size_t)t->row_count - 1;
    const size_t m = (size_t)t->contact_count;
    const size_t tangents = m * (size_t)t->tangent_count;
    const double impulse = reference_force * step->length;
    t->time_rate[row] = step->time / step->length;
    for (size_t i = 0; i < m; i++) {
        t->normal_rate[row * m + i] = step->normal_impulse[i] / impulse;
    }
    for (size_t i = 0; i < tangents; i++) {
        t->tangential_rate[row * tangents + i] = step->tangential_impulse[i] / impulse;
    }
    t->residual[row] = step->residual;
    t->problems[row] = step->problems;
    t->shortened[row] = step->is_shortened;
}

/** Append the present state as a row; nothing is known of a step that was not taken. */
static carom_status record(inclusion_run *run, double s, const carom_inclusion_step *step) {
    carom_trajectory *t = run->trajectory;
    CAROM_TRY(carom_trajectory_append(t));
    const size_t row = (size_t)t->row_count - 1;
    const size_t n = (size_t)t->coordinate_count;
    const size_t m = (size_t)t->contact_count;
    if (step == NULL) {
        carom_trajectory_leave_unknown(t, run->t);
    } else {
        record_step(t, run->reference_force, step);
    }
    t->s[row] = s;
    t->time[row] = run->t;
    memcpy(t->position + row * n, run->q, n * sizeof(double));
    memcpy(t->velocity + row * n, run->v, n * sizeof(double));
    if (m > 0) {
        run->mechanism->constraints(run->q, t->gap + row * m, run->mechanism->context);
    }
    t->kinetic_energy[row] =
        carom_mechanism_kinetic_energy(run->mechanism, run->q, run->v, run->work);
    t->potential_energy[row] = run->mechanism->potential_energy(run->q, run->mechanism->context);
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

static carom_status inclusion_run_init(const carom_mechanism *mechanism,
                                       const carom_inclusion_params *params, const double *q0,
                                       const double *v0, double length, inclusion_run *run,
                                       carom_report *report) {
    const size_t n = (size_t)mechanism->coordinate_count;
    CAROM_TRY(carom_inclusion_stepper_alloc(mechanism, params, &run->stepper, report));
    run->mechanism = mechanism;
    run->reference_force = params->reference_force;
    run->q = calloc(n, sizeof(double));
    run->v = calloc(n, sizeof(double));
    run->work = calloc(carom_layout_entry_count(mechanism->layout) + n, sizeof(double));
    if (run->q == NULL || run->v == NULL || run->work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(run->q, q0, n * sizeof(double));
    memcpy(run->v, v0, n * sizeof(double));
    const double rows = length / params->step + 2.0;
    if (!(rows < (double)INT_MAX)) {
        return carom_report_refuse(report, "number of steps", rows, -1, "less than 2^31");
    }
    return carom_trajectory_alloc(mechanism, CAROM_TRAJECTORY_INCLUSION, (int)rows,
                                  &run->trajectory);
}

carom_status carom_inclusion_run(const carom_mechanism *mechanism,
                                 const carom_inclusion_params *params, const double *q0,
                                 const double *v0, double length, double duration,
                                 carom_trajectory **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && q0 != NULL && v0 != NULL && out != NULL);
    *out = NULL;
    if (!(length > 0.0) || !isfinite(length)) {
        return carom_report_refuse(report, "length", length, -1, "> 0, finite");
    }
    if (!(duration > 0.0)) {
        return carom_report_refuse(report, "duration", duration, -1, "> 0");
    }
    CAROM_AUTO_VALUE(inclusion_run) run = {0};
    CAROM_TRY(inclusion_run_init(mechanism, params, q0, v0, length, &run, report));
    CAROM_TRY(take_steps(&run, params->step, length, duration, report));
    CAROM_HAND_OVER(run.trajectory, out);
    return CAROM_OK;
}

double carom_inclusion_trajectory_time(const carom_trajectory *trajectory, double s) {
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
