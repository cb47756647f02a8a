#include <carom/timestepping/galpha/galpha.h>

#include <carom/base/linear_algebra.h>
#include <carom/mechanism/completed.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/galpha/stepper_internal.h>
#include <carom/timestepping/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Algorithm 1 converges linearly: it gets this many times the iterations of the full Newton method.
 */
enum { SEQUENTIAL_ITERATION_FACTOR = 4 };

static carom_status alloc_context(carom_stepper *s, const carom_mechanism *mechanism,
                                  const carom_stepper_params *params) {
    carom_step_context *step = &s->step;
    step->mechanism = mechanism;
    step->params = *params;
    step->params.tolerance = fmax(params->tolerance, DBL_EPSILON); /* rounding decides below */
    step->galpha = carom_galpha_coefficients_from_radius(params->spectral_radius);
    step->theta = isnan(params->theta) ? 1.0 / (1.0 + params->spectral_radius) : params->theta;
    step->n = mechanism->coordinate_count;
    step->joint_count = mechanism->joint_count;
    step->m = carom_mechanism_constraint_count(mechanism);
    CAROM_TRY(carom_evaluation_init(&step->evaluation, mechanism));
    const int row_count = step->evaluation.row_count;
    const int positions = carom_mechanism_position_count(mechanism);
    CAROM_TRY(carom_step_state_init(&s->states[0], positions, step->n, row_count));
    CAROM_TRY(carom_step_state_init(&s->states[1], positions, step->n, row_count));
    CAROM_TRY(carom_step_scales_init(&step->scales, step->n, row_count));
    const size_t n = (size_t)step->n;
    const size_t m = (size_t)row_count;
    step->activation = calloc(m + 1, sizeof(double));
    step->rests = calloc(m + 1, sizeof *step->rests);
    s->column = calloc(n, sizeof(double));
    const size_t rows = CAROM_GGL_BLOCKS * n + (size_t)step->joint_count + 2 * m;
    s->residual = calloc(2 * rows, sizeof(double));
    if (step->activation == NULL || step->rests == NULL || s->column == NULL ||
        s->residual == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    s->scale = s->residual + rows;
    if (mechanism->update_contacts != NULL) {
        const size_t contacts = (size_t)mechanism->contact_count;
        s->previous = calloc(contacts + 1, sizeof *s->previous);
        s->moved = calloc(contacts * (size_t)(1 + mechanism->tangent_count) + 1, sizeof *s->moved);
        if (s->previous == NULL || s->moved == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
    }
    step->last = &s->states[0];
    step->next = &s->states[0];
    return carom_factor_alloc(mechanism->layout, &s->mass);
}

static carom_status alloc_scheme(carom_stepper *s) {
    carom_step_context *step = &s->step;
    const carom_scheme scheme = step->params.scheme;
    int block_count = 1;
    int multiplier_count = step->evaluation.row_count;
    int level_count = 1;
    if (carom_stepper_is_ggl(scheme)) {
        block_count = CAROM_GGL_BLOCKS;
        multiplier_count = step->joint_count + step->m + step->evaluation.row_count;
        level_count = 2;
        CAROM_TRY(carom_ggl_init(&s->ggl, step, scheme == CAROM_SCHEME_MODIFIED_LCP));
    } else if (scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        carom_smooth_galpha_init(&s->smooth, step);
    } else {
        block_count = CAROM_VELOCITY_LEVEL_BLOCKS;
        CAROM_TRY(carom_velocity_level_init(&s->velocity_level, step));
    }
    if (scheme == CAROM_SCHEME_NONSMOOTH_GALPHA && step->params.newton == CAROM_NEWTON_SEQUENTIAL &&
        step->evaluation.tangent_count == 0) {
        CAROM_TRY(carom_ggl_sequential_alloc(step, &s->sequential));
    }
    return carom_newton_solver_alloc(step->mechanism->layout, block_count, multiplier_count,
                                     level_count, step->m - step->joint_count,
                                     step->evaluation.tangent_count, step->params.max_iterations,
                                     &s->newton);
}

carom_status carom_stepper_alloc(const carom_mechanism *mechanism,
                                 const carom_stepper_params *params, carom_stepper **out,
                                 carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_stepper_params_check(params, report));
    const carom_mechanism_support support = carom_scheme_support(params->scheme);
    CAROM_TRY(carom_mechanism_require(mechanism, &support, report));
    CAROM_AUTO(carom_stepper) s = calloc(1, sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(carom_completed_alloc(mechanism, &s->completed));
    CAROM_TRY(alloc_context(s, carom_completed_mechanism(s->completed), params));
    CAROM_TRY(alloc_scheme(s));
    CAROM_HAND_OVER(s, out);
    return CAROM_OK;
}

void carom_stepper_free(carom_stepper *stepper) {
    if (stepper == NULL) {
        return;
    }
    carom_linear_step_free(stepper->linear);
    carom_newton_solver_free(stepper->newton);
    carom_ggl_sequential_free(stepper->sequential);
    carom_ggl_clear(&stepper->ggl);
    carom_velocity_level_clear(&stepper->velocity_level);
    carom_smooth_galpha_clear(&stepper->smooth);
    carom_factor_free(stepper->mass);
    carom_evaluation_clear(&stepper->step.evaluation);
    carom_step_state_clear(&stepper->states[0]);
    carom_step_state_clear(&stepper->states[1]);
    carom_step_scales_clear(&stepper->step.scales);
    free(stepper->step.activation);
    free(stepper->step.rests);
    free(stepper->column);
    free(stepper->residual);
    free(stepper->previous);
    free(stepper->moved);
    carom_completed_free(stepper->completed);
    free(stepper);
}

/* 1/M_ii of each coordinate, and of massless ones by their inertia in a step, h C + h^2 K; 0 where
 * there is none. */
static void find_mobilities(carom_step_context *step, double *mobility) {
    carom_evaluation *at = &step->evaluation;
    const carom_layout layout = step->mechanism->layout;
    const double h = step->params.step;
    bool is_massless = false;
    for (int i = 0; i < step->n; i++) {
        const double mass = carom_layout_row(layout, at->mass, i)[i];
        mobility[i] = mass > 0.0 ? 1.0 / mass : 0.0;
        is_massless = is_massless || !(mass > 0.0);
    }
    if (!is_massless) {
        return;
    }
    carom_evaluation_tangents(at, step->next->time, step->next->position, step->next->velocity);
    for (int i = 0; i < step->n; i++) {
        const double own = h * (carom_layout_row(layout, at->damping, i)[i] +
                                h * carom_layout_row(layout, at->stiffness, i)[i]);
        mobility[i] = !(mobility[i] > 0.0) && own > 0.0 ? 1.0 / own : mobility[i];
    }
}

/* 1/r_j of a singular M, or of a row by its entries, by these. Any r of that order serves. */
static double diagonal_inverse(const carom_evaluation *at, int j, const double *mobility) {
    const carom_evaluation_entries row = carom_evaluation_entries_of(at, j);
    double inverse = 0.0;
    for (int k = row.first; k < row.end; k++) {
        const int i = row.column != NULL ? row.column[k] : k;
        inverse += row.value[k] * row.value[k] * mobility[i];
    }
    return inverse;
}

void carom_stepper_update_activation(carom_stepper *s) {
    carom_step_context *step = &s->step;
    const carom_evaluation *at = &step->evaluation;
    const bool has_pattern = at->row_start != NULL;
    const bool is_regular = !has_pattern && carom_factor_compute(s->mass, at->mass) == CAROM_OK;
    if (!is_regular) {
        find_mobilities(step, s->column);
    }
    for (int j = step->joint_count; j < at->row_count; j++) {
        double inverse;
        if (is_regular) {
            memcpy(s->column, carom_evaluation_row(at, j), (size_t)step->n * sizeof *s->column);
            carom_factor_solve(s->mass, s->column);
            inverse = carom_evaluation_product(at, j, s->column);
        } else {
            inverse = diagonal_inverse(at, j, s->column);
        }
        const double r = 1.0 / inverse;
        /* a contact that momentarily moves with no coordinate is decided by its multiplier alone */
        step->activation[j] = isfinite(r) ? step->params.activation_scale * r : 0.0;
    }
    /* one r for both tangents, or the disc of friction would be an ellipse */
    for (int j = step->m; at->tangent_count == 2 && j < at->row_count; j += 2) {
        step->activation[j] = fmin(step->activation[j], step->activation[j + 1]);
        step->activation[j + 1] = step->activation[j];
    }
}

/* Exact linear step where it applies and Algorithm 1 is not asked for; a mechanism whose Delassus
 * matrix is unsymmetric keeps Newton. */
static carom_status prepare_linear_step(carom_stepper *s) {
    const carom_step_context *step = &s->step;
    if (s->linear != NULL || !step->params.use_linear_step ||
        step->params.newton == CAROM_NEWTON_SEQUENTIAL ||
        !carom_linear_step_applies(step->mechanism, step->params.scheme)) {
        return CAROM_OK;
    }
    const carom_status status = carom_linear_step_alloc(&s->step, &s->linear);
    return status == CAROM_STATUS_NOT_SYMMETRIC ? CAROM_OK : status;
}

/* Whether contact problems solve the steps: with rows by their entries, and of Moreau-Jean with
 * friction; where M is regular. */
static bool solves_contacts(const carom_stepper *s) {
    const carom_step_context *step = &s->step;
    const bool has_pattern = step->evaluation.row_start != NULL;
    if (step->m == 0 || carom_factor_compute(s->mass, step->evaluation.mass) != CAROM_OK) {
        return false;
    }
    if (step->params.scheme == CAROM_SCHEME_MOREAU_JEAN) {
        return has_pattern || step->evaluation.tangent_count > 0;
    }
    return has_pattern && step->mechanism->constraint_force_derivative == NULL &&
           s->sequential == NULL;
}

static carom_status use_contacts(carom_stepper *s) {
    const carom_scheme scheme = s->step.params.scheme;
    if (carom_stepper_is_ggl(scheme)) {
        return carom_ggl_use_contacts(&s->ggl);
    }
    return scheme == CAROM_SCHEME_SMOOTH_GALPHA
               ? carom_smooth_galpha_use_contacts(&s->smooth)
               : carom_velocity_level_use_contacts(&s->velocity_level);
}

/* What solves the steps: the exact linear step, contact problems, or Newton's matrix. */
static carom_status prepare_step(carom_stepper *s) {
    CAROM_TRY(prepare_linear_step(s));
    if (s->linear != NULL) {
        return CAROM_OK;
    }
    if (solves_contacts(s)) {
        return use_contacts(s);
    }
    if (carom_stepper_is_ggl(s->step.params.scheme)) {
        CAROM_TRY(carom_ggl_use_matrix(&s->ggl));
    }
    return carom_newton_solver_prepare(s->newton);
}

carom_status carom_stepper_start(carom_stepper *stepper, double t, const double *q, const double *v,
                                 carom_report *report) {
    CAROM_ASSERT(stepper != NULL && q != NULL && v != NULL);
    carom_step_context *step = &stepper->step;
    const size_t bytes = (size_t)step->n * sizeof(double);
    double first = t;
    CAROM_TRY(carom_stepper_check_real("initial time", t, -INFINITY, INFINITY, "finite", report));
    CAROM_TRY(carom_time_after(t, step->params.step, 1, &first, report));
    CAROM_TRY(carom_stepper_start_contacts(stepper, t, q, v, report));
    CAROM_TRY(
        carom_completed_start(stepper->completed, t, q, v, step->params.check_derivatives, report));
    stepper->has_started = false;
    stepper->has_last_state = false;
    stepper->current = 0;
    stepper->start_time = t;
    stepper->steps_done = 0;
    stepper->outcome = (carom_newton_result){0};

    /* a clean state at t */
    carom_step_state *state = &stepper->states[0];
    carom_step_state_clear(state);
    const int positions = carom_mechanism_position_count(step->mechanism);
    CAROM_TRY(carom_step_state_init(state, positions, step->n, step->evaluation.row_count));
    state->time = t;
    memcpy(state->position, q, (size_t)positions * sizeof(double));
    memcpy(state->velocity, v, bytes);
    memcpy(state->smooth_velocity, v, bytes);
    step->time = t;
    step->last = state;
    step->next = state;
    const carom_scheme scheme = step->params.scheme;
    const bool has_joint_forces =
        carom_stepper_is_ggl(scheme) || scheme == CAROM_SCHEME_SMOOTH_GALPHA;
    CAROM_TRY(carom_initial_state_solve(step, has_joint_forces, report));
    carom_step_scales_start(step);
    if (step->m > step->joint_count) {
        carom_stepper_update_activation(stepper);
    }
    CAROM_TRY(prepare_step(stepper));
    stepper->has_started = true;
    return CAROM_OK;
}

/* The nonsmooth generalized-alpha step; Algorithm 1 hands over to the full matrix where it does not
 * converge. */
static carom_status solve_ggl(carom_stepper *s) {
    carom_step_context *step = &s->step;
    int spent = 0;
    if (s->sequential != NULL) {
        carom_ggl_predict(&s->ggl);
        const carom_status status = carom_ggl_sequential_solve(
            s->sequential, &s->ggl, step->params.tolerance,
            SEQUENTIAL_ITERATION_FACTOR * step->params.max_iterations, &s->outcome);
        if (status == CAROM_OK) {
            return CAROM_OK;
        }
        spent = s->outcome.iterations;
    }
    const carom_status status =
        carom_newton_solve(s->newton, &s->ggl.problem, step->params.tolerance, &s->outcome);
    s->outcome.iterations += spent;
    return status;
}

static carom_status solve_by_newton(carom_stepper *s) {
    carom_step_context *step = &s->step;
    const double tolerance = step->params.tolerance;
    carom_status status = CAROM_OK;
    carom_evaluation_forget(&step->evaluation);
    carom_step_scales_begin(step);
    switch (step->params.scheme) {
    case CAROM_SCHEME_NONSMOOTH_GALPHA:
    case CAROM_SCHEME_MODIFIED_LCP:
        status = solve_ggl(s);
        break;
    case CAROM_SCHEME_SMOOTH_GALPHA:
        status = carom_newton_solve(s->newton, &s->smooth.problem, tolerance, &s->outcome);
        memcpy(step->next->smooth_velocity, step->next->velocity, (size_t)step->n * sizeof(double));
        break;
    case CAROM_SCHEME_MOREAU_JEAN:
    case CAROM_SCHEME_VELOCITY_GALPHA:
        status = carom_newton_solve(s->newton, &s->velocity_level.problem, tolerance, &s->outcome);
        break;
    case CAROM_SCHEME_COUNT:
        break;
    }
    /* the iteration leaves the evaluation at its last iterate */
    memcpy(step->next->rate, step->evaluation.rate,
           (size_t)step->evaluation.row_count * sizeof(double));
    if (status == CAROM_OK && !step->mechanism->is_linear && step->m > step->joint_count) {
        carom_stepper_update_activation(s);
    }
    return status;
}

/* Where the contact problem of rows at q_n + h v_n is not solved, the one of those in the middle is
 * tried, and of those at the start: neighbours, as good to first order. */
static const double EARLIER[] = {0.5, 0.0};
enum { EARLIER_COUNT = sizeof EARLIER / sizeof *EARLIER };

static carom_status solve_by_rows(carom_stepper *s) {
    carom_status status = solve_by_newton(s);
    for (int k = 0; k < EARLIER_COUNT && s->step.evaluation.holds_rows; k++) {
        if (status != CAROM_STATUS_NOT_CONVERGED && status != CAROM_STATUS_RAY) {
            break;
        }
        const int spent = s->outcome.iterations;
        carom_stepper_take_rows(s, EARLIER[k]);
        status = solve_by_newton(s);
        s->outcome.iterations += spent;
    }
    return status;
}

/* Of an exact step that is not found: the contact that lies deepest beside the terms of its gap. */
static void name_deepest_contact(carom_stepper *s) {
    carom_step_context *step = &s->step;
    s->outcome.residual = 0.0;
    carom_evaluation_constraints(&step->evaluation, step->time, step->next->position);
    for (int j = step->joint_count; j < step->m; j++) {
        const double depth = -step->evaluation.constraint[j] / carom_step_gap_size(step, j);
        if (depth > s->outcome.residual) {
            s->outcome.residual = depth;
            s->outcome.contact = j - step->joint_count;
        }
    }
}

static bool is_finite_state(const carom_step_state *state, int positions, int n) {
    unsigned is_finite = 1; /* gathered without branches: this runs in every step */
    for (int i = 0; i < positions; i++) {
        is_finite &= (unsigned)(fabs(state->position[i]) <= DBL_MAX);
    }
    for (int i = 0; i < n; i++) {
        is_finite &= (unsigned)(fabs(state->velocity[i]) <= DBL_MAX);
    }
    return is_finite != 0;
}

static void finish_step(carom_step_context *step) {
    if (step->params.scheme == CAROM_SCHEME_MOREAU_JEAN) {
        memcpy(step->next->pseudo_acceleration, step->next->smooth_acceleration,
               (size_t)step->n * sizeof(double));
    } else {
        carom_galpha_finish(step);
    }
}

/* The contact problem of the step at its last iterate, to whom it may concern. */
static carom_status tell_contacts(carom_stepper *s, carom_report *report) {
    carom_step_context *step = &s->step;
    const carom_scheme scheme = step->params.scheme;
    if (step->params.contacts.tell == NULL || scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        return CAROM_OK;
    }
    if (s->linear != NULL &&
        !carom_stepper_is_ggl(scheme)) { /* it has its own list of those that are closed */
        carom_velocity_level_closed_contacts(step, s->velocity_level.predicted,
                                             s->velocity_level.closed);
    }
    return carom_step_contacts_tell(step, carom_stepper_problem(s), report);
}

carom_status carom_stepper_advance(carom_stepper *stepper, carom_report *report) {
    CAROM_ASSERT(stepper != NULL && stepper->has_started);
    carom_step_context *step = &stepper->step;
    double time = stepper->start_time;
    CAROM_TRY(carom_time_after(stepper->start_time, step->params.step, stepper->steps_done + 1,
                               &time, report));
    step->last = &stepper->states[stepper->current];
    step->next = &stepper->states[1 - stepper->current];
    step->time = time;
    step->next->time = time;
    CAROM_TRY(carom_stepper_begin_contacts(stepper, report));
    carom_step_scales_size_last(step);
    carom_status status;
    if (stepper->linear != NULL) {
        stepper->outcome = (carom_newton_result){.contact = -1};
        status = carom_linear_step_solve(stepper->linear, &stepper->outcome.iterations);
        if (status != CAROM_OK) {
            name_deepest_contact(stepper);
        }
    } else {
        status = solve_by_rows(stepper);
    }
    if (status == CAROM_OK &&
        !is_finite_state(step->next, carom_mechanism_position_count(step->mechanism), step->n)) {
        status = CAROM_STATUS_NOT_FINITE;
    }
    const carom_status told = status == CAROM_STATUS_NOT_FINITE
                                  ? CAROM_OK
                                  : tell_contacts(stepper, status == CAROM_OK ? report : NULL);
    if (status != CAROM_OK) {
        const double failed_time = step->time;
        stepper->has_last_state = false;
        step->next = &stepper->states[stepper->current];
        step->time = step->next->time;
        carom_stepper_leave_step(stepper);
        const int contact = stepper->outcome.contact;
        status = contact < 0 ? carom_report_fail(report, status, "Newton step", NAN, -1)
                             : carom_report_fail(report, status, "contact", NAN, contact);
        if (report != NULL) {
            report->time = failed_time;
            report->step = step->params.step;
            report->residual = stepper->outcome.residual;
            report->iterations = stepper->outcome.iterations;
        }
        return status;
    }
    finish_step(step);
    stepper->current = 1 - stepper->current;
    stepper->steps_done++;
    stepper->has_last_state = true;
    return told;
}
