#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>
#include <carom/timestepping/galpha/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- memory */

enum { COORDINATE_ARRAYS = 6, CONSTRAINT_ARRAYS = 5 };

carom_status carom_step_state_init(carom_step_state *state, int position_count, int n,
                                   int row_count) {
    const size_t positions = (size_t)position_count;
    const size_t rows = (size_t)n;
    const size_t constraints = (size_t)row_count;
    state->memory = calloc(positions + COORDINATE_ARRAYS * rows + CONSTRAINT_ARRAYS * constraints,
                           sizeof(double));
    state->flags = calloc(2 * constraints + 1, sizeof(bool));
    if (state->memory == NULL || state->flags == NULL) {
        carom_step_state_clear(state);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    state->position = state->memory;
    double *next = state->memory + positions;
    double **coordinates[COORDINATE_ARRAYS] = {
        &state->velocity,        &state->smooth_acceleration, &state->pseudo_acceleration,
        &state->smooth_velocity, &state->velocity_jump,       &state->position_correction};
    for (int k = 0; k < COORDINATE_ARRAYS; k++) {
        *coordinates[k] = next;
        next += rows;
    }
    double **per_constraint[CONSTRAINT_ARRAYS] = {&state->rate, &state->rate_before, &state->force,
                                                  &state->impulse, &state->position_multiplier};
    for (int k = 0; k < CONSTRAINT_ARRAYS; k++) {
        *per_constraint[k] = next;
        next += constraints;
    }
    state->position_active = state->flags;
    state->velocity_active = state->flags + constraints;
    return CAROM_OK;
}

void carom_step_state_clear(carom_step_state *state) {
    free(state->memory);
    free(state->flags);
    *state = (carom_step_state){0};
}

/* ------------------------------------------------------------------------------------ the start */

/* Gaps, joint residuals and joint rates of a typed initial state are closed up to this part of
 * their terms: nine digits. */
static const double TYPED_DIGITS = 1e-9;

/* Sizes of the terms of g, |G| (|q| + h |v| + h^2 |v'|) + |s|, and of u, |G| (|v| + h |v'|) + |w|:
 * the step h gives a state of zeros its length. */
static void size_constraints(carom_step_context *step) {
    carom_step_scales *s = &step->scales;
    const carom_step_state *state = step->next;
    const double h = step->params.step;
    for (int j = 0; j < step->m; j++) {
        s->gap[j] = fabs(step->evaluation.offset[j]);
        s->rate[j] = fabs(step->evaluation.supports[j]);
    }
    for (int i = 0; i < step->n; i++) {
        s->change[i] = fabs(state->velocity[i]) + h * fabs(state->smooth_acceleration[i]);
    }
    carom_evaluation_add_sizes(&step->evaluation, step->m, s->change, s->rate);
    carom_mechanism_position_sizes(step->mechanism, state->position, s->size);
    for (int i = 0; i < step->n; i++) {
        s->change[i] = s->size[i] + h * s->change[i];
    }
    carom_evaluation_add_sizes(&step->evaluation, step->m, s->change, s->gap);
}

static carom_status check_constraints(carom_step_context *step, carom_report *report) {
    const carom_evaluation *at = &step->evaluation;
    size_constraints(step);
    const double *gap = step->scales.gap;
    for (int j = 0; j < step->joint_count; j++) {
        if (!(fabs(at->constraint[j]) <= TYPED_DIGITS * gap[j])) {
            return carom_report_fail(report, CAROM_STATUS_INCONSISTENT, "joint residual",
                                     at->constraint[j], j);
        }
        if (!(fabs(step->next->rate[j]) <= TYPED_DIGITS * step->scales.rate[j])) {
            return carom_report_fail(report, CAROM_STATUS_INCONSISTENT, "joint rate",
                                     step->next->rate[j], j);
        }
    }
    for (int j = step->joint_count; j < step->m; j++) {
        if (!(at->constraint[j] >= -TYPED_DIGITS * gap[j])) {
            return carom_report_fail(report, CAROM_STATUS_PENETRATION, "initial gap",
                                     at->constraint[j], j - step->joint_count);
        }
    }
    return CAROM_OK;
}

/* An acceleration that leaves this fraction of the largest term unbalanced does not solve the
 * equations. */
static const double BALANCE_TOLERANCE = 1e-8;

/* Whether M v~' - G' lambda~ = f holds in the metric of the mass, a massless row by itself: a
 * rank-deficient system may have no solution. */
static bool is_balanced(const carom_step_context *step, int joints, const double *x,
                        double *inertia) {
    const carom_evaluation *at = &step->evaluation;
    const carom_layout layout = step->mechanism->layout;
    double largest_term = 0.0;
    double largest_error = 0.0;
    memset(inertia, 0, (size_t)step->n * sizeof *inertia);
    carom_layout_multiply_add(layout, 1.0, at->mass, x, inertia);
    for (int i = 0; i < step->n; i++) {
        double error = inertia[i] - at->force[i];
        double terms = fabs(inertia[i]) + fabs(at->force[i]);
        for (int j = 0; j < joints; j++) {
            const double reaction = carom_evaluation_row(at, j)[i] * x[step->n + j];
            error += reaction;
            terms += fabs(reaction);
        }
        const double mass = at->mass[carom_layout_index(layout, i, i)];
        if (mass > 0.0) {
            largest_term = fmax(largest_term, terms / sqrt(mass));
            largest_error = fmax(largest_error, fabs(error) / sqrt(mass));
        } else if (!(fabs(error) <= BALANCE_TOLERANCE * terms)) {
            return false;
        }
    }
    return largest_error <= BALANCE_TOLERANCE * largest_term;
}

/* x [joints] -= dw/dt, by differences over the first step, of its second order; leaves the supports
 * as they are now. */
static void subtract_support_acceleration(carom_step_context *step, int joints, double *x) {
    carom_evaluation *at = &step->evaluation;
    const double h = step->params.step;
    const double weights[] = {-1.0, 4.0, -3.0}; /* of w at the end, in the middle, now */
    for (int k = 0; k < 3; k++) {
        carom_evaluation_supports(at, step->time + 0.5 * h * (2 - k));
        for (int j = 0; j < joints; j++) {
            x[j] -= weights[k] * at->supports[j] / h;
        }
    }
}

/* Solve for x = (v~', -lambda~) [n + joints]. */
static carom_status solve_acceleration(carom_step_context *step, int joints, double *x) {
    carom_evaluation *at = &step->evaluation;
    CAROM_AUTO(carom_saddle) saddle = NULL;
    CAROM_TRY(carom_saddle_alloc(step->mechanism->layout, 1, joints, &saddle));
    carom_saddle_add_block(saddle, 0, 0, 1.0, at->mass);
    const bool is_curved = joints > 0 && carom_evaluation_rate_derivative(at, step->next->position,
                                                                          step->next->velocity);
    memcpy(x, at->force, (size_t)step->n * sizeof *x);
    for (int j = 0; j < joints; j++) {
        carom_saddle_add_column(saddle, 0, j, 1.0, carom_evaluation_row(at, j));
        carom_saddle_add_row(saddle, j, 0, 1.0, carom_evaluation_row(at, j));
        const double *rates = carom_evaluation_rate_row(at, j);
        double curvature = 0.0;
        for (int i = 0; i < step->n && is_curved; i++) {
            curvature += rates[i] * step->next->velocity[i];
        }
        x[step->n + j] = -curvature;
    }
    if (step->mechanism->constraint_velocity != NULL) {
        subtract_support_acceleration(step, joints, x + step->n);
    }
    CAROM_TRY(carom_saddle_factor(saddle));
    CAROM_TRY(carom_saddle_solve(saddle, x));
    return is_balanced(step, joints, x, at->coordinate) ? CAROM_OK : CAROM_STATUS_SINGULAR;
}

carom_status carom_initial_state_solve(carom_step_context *step, bool has_joint_forces,
                                       carom_report *report) {
    carom_step_state *state = step->next;
    carom_evaluation *at = &step->evaluation;
    const int joints = has_joint_forces ? step->joint_count : 0;
    carom_evaluation_forget(at);
    carom_evaluation_point(at, step->time, state->position, state->velocity);
    memcpy(state->rate, at->rate, (size_t)at->row_count * sizeof *state->rate);
    CAROM_AUTO_MEMORY double *x = calloc((size_t)step->n + (size_t)joints, sizeof *x);
    if (x == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status = solve_acceleration(step, joints, x);
    if (status == CAROM_OK) {
        CAROM_TRY(carom_report_require_finite(report, "initial acceleration", step->n, x));
        memcpy(state->smooth_acceleration, x, (size_t)step->n * sizeof *x);
        memcpy(state->pseudo_acceleration, x, (size_t)step->n * sizeof *x);
        for (int j = 0; j < joints; j++) {
            state->force[j] = -x[step->n + j];
        }
    }
    CAROM_TRY(check_constraints(step, report));
    return status == CAROM_OK ? CAROM_OK
                              : carom_report_fail(report, status, "initial acceleration", NAN, -1);
}
