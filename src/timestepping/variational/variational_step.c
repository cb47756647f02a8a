#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/variational.h>

#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** The parts of a step, and the memory of its result. */
typedef struct carom_variational_work {
    carom_variational_step_params params;
    carom_variational_equations equations;
    carom_variational_newton newton;
    carom_variational_contact_modes modes;

    carom_variational_projection projection;
    double *memory; /**< owns the numbers, those of the result included */
} work_memory;

const carom_mechanism_support carom_variational_support = {
    .method = "variational",
    .subject = "motion",
    .joints = true,
    .friction = true,
    .restitution = true,
    .nonlinear_mass = true,
    .space = true,
};

carom_variational_step_params carom_variational_step_params_default(void) {
    const carom_variational_step_params params = {
        .tolerance = 1e-14,
        .most_iterations = 50,
    };
    return params;
}

static carom_status refuse(const carom_mechanism *mechanism,
                           const carom_variational_step_params *params, carom_report *report) {
    CAROM_TRY(carom_mechanism_require(mechanism, &carom_variational_support, report));
    if (!(params->tolerance > 0.0 && params->tolerance < 1.0)) {
        return carom_report_refuse(report, "tolerance", params->tolerance, -1, "in (0,1)");
    }
    if (params->most_iterations < 1) {
        return carom_report_refuse(report, "most iterations", params->most_iterations, -1, ">= 1");
    }
    return CAROM_OK;
}

static void work_free(work_memory *work) {
    if (work == NULL) {
        return;
    }
    carom_variational_projection_clear(&work->projection);
    carom_variational_contact_modes_clear(&work->modes);
    carom_variational_newton_clear(&work->newton);
    carom_variational_equations_clear(&work->equations);
    free(work->memory);
    free(work);
}

void carom_variational_step_free(carom_variational_step *step) {
    if (step == NULL) {
        return;
    }
    work_free(step->work);
    free(step->is_held);
    free(step->mode);
    free(step);
}

/** The numbers of the result in one array. */
static carom_status alloc_numbers(carom_variational_step *step) {
    work_memory *work = step->work;
    const size_t n = (size_t)step->mechanism->coordinate_count;
    const size_t m = (size_t)step->mechanism->contact_count;
    const size_t b = (size_t)step->mechanism->joint_count;
    const size_t rows = m * (size_t)step->mechanism->tangent_count;
    double *memory = calloc(3 * n + b + 4 * m + 4 * rows + 1, sizeof(double));
    work->memory = memory;
    step->is_held = calloc(m + 1, sizeof(bool));
    step->mode = calloc(m + 1, sizeof(carom_variational_contact_mode));
    if (memory == NULL || step->is_held == NULL || step->mode == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    step->position = memory;
    step->momentum = step->position + n;
    step->velocity = step->momentum + n;
    step->joint = step->velocity + n;
    step->gap = step->joint + b;
    step->first_impulse = step->gap + m;
    step->last_impulse = step->first_impulse + m;
    step->normal_impulse = step->last_impulse + m;
    step->first_friction = step->normal_impulse + m;
    step->last_friction = step->first_friction + rows;
    step->friction_impulse = step->last_friction + rows;
    step->sliding = step->friction_impulse + rows;
    return CAROM_OK;
}

static carom_status alloc_solvers(carom_variational_step *step,
                                  const carom_variational_step_params *params) {
    work_memory *work = step->work;
    work->params = *params;
    CAROM_TRY(carom_variational_equations_init(&work->equations, step->mechanism));
    CAROM_TRY(carom_variational_newton_init(&work->newton, &work->equations, params));
    CAROM_TRY(carom_variational_contact_modes_init(&work->modes, &work->newton));
    return carom_variational_projection_init(&work->projection, &work->newton,
                                             &work->modes.problem);
}

/** No result. */
static void clear(carom_variational_step *step) {
    const carom_mechanism *mechanism = step->mechanism;
    const int m = mechanism->contact_count;
    const int rows = m * mechanism->tangent_count;
    step->time = (double)NAN;
    step->dissipation = (double)NAN;
    const int count = 3 * mechanism->coordinate_count + mechanism->joint_count + 4 * (m + rows);
    for (int k = 0; k < count; k++) {
        step->position[k] = (double)NAN;
    }
    for (int i = 0; i < m; i++) {
        step->is_held[i] = false;
        step->mode[i] = CAROM_VARIATIONAL_RELEASED;
    }
}

carom_status carom_variational_step_alloc(const carom_mechanism *mechanism,
                                          const carom_variational_step_params *params,
                                          carom_variational_step **out, carom_report *report) {
    CAROM_ASSERT(mechanism != NULL && params != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(refuse(mechanism, params, report));
    CAROM_AUTO(carom_variational_step) step = calloc(1, sizeof *step);
    if (step == NULL) {
        return carom_report_fail(report, CAROM_STATUS_OUT_OF_MEMORY, "step", (double)NAN, -1);
    }
    step->mechanism = mechanism;
    step->work = calloc(1, sizeof *step->work);
    carom_status status = step->work == NULL ? CAROM_STATUS_OUT_OF_MEMORY : alloc_numbers(step);
    if (status == CAROM_OK) {
        status = alloc_solvers(step, params);
    }
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "step", (double)NAN, -1);
    }
    clear(step);
    CAROM_HAND_OVER(step, out);
    return CAROM_OK;
}

void carom_variational_momentum(carom_variational_step *step, const double *q, const double *v,
                                double *p) {
    CAROM_ASSERT(step != NULL && q != NULL && v != NULL && p != NULL);
    const carom_mechanism *mechanism = step->mechanism;
    double *M = step->work->equations.matrix;
    mechanism->mass(q, M, mechanism->context);
    memset(p, 0, (size_t)mechanism->coordinate_count * sizeof(double));
    carom_layout_multiply_add(mechanism->layout, 1.0, M, v, p);
}

carom_status carom_variational_velocity(carom_variational_step *step, const double *q,
                                        const double *p, double *v) {
    CAROM_ASSERT(step != NULL && q != NULL && p != NULL && v != NULL);
    const int n = step->mechanism->coordinate_count;
    carom_variational_equations *eq = &step->work->equations;
    carom_status status = carom_variational_equations_invert(eq, q);
    memmove(v, p, (size_t)n * sizeof(double));
    if (status == CAROM_OK) {
        carom_factor_solve(eq->mass, v);
    }
    for (int j = 0; j < n && status == CAROM_OK; j++) {
        status = isfinite(v[j]) ? CAROM_OK : CAROM_STATUS_NOT_FINITE;
    }
    for (int j = 0; j < n && status != CAROM_OK; j++) {
        v[j] = (double)NAN;
    }
    return status;
}

/** p_k + h F + lambda G(q_k) + f H(q_m): the momentum before the projection. Taken from the sum
 * rather than from M v_m, it keeps momenta of symmetries whatever the residual left over. */
static void collect_momentum(const carom_variational_equations *eq, double *p) {
    for (int j = 0; j < eq->n; j++) {
        double impulse = 0.0;
        for (int i = 0; i < eq->c; i++) {
            impulse += eq->is_active[i] ? eq->normal[i] * eq->normal_begin[i * eq->n + j] : 0.0;
        }
        for (int row = 0; row < eq->m * eq->t; row++) {
            const bool is_used = eq->is_active[eq->b + row / eq->t];
            impulse += is_used ? eq->friction[row] * eq->tangent[row * eq->n + j] : 0.0;
        }
        p[j] = eq->momentum[j] + (eq->h * eq->load[j] + impulse);
    }
}

/** kappa and g, added to momentum and velocity. */
static carom_status project(carom_variational_step *step) {
    const carom_variational_equations *eq = &step->work->equations;
    carom_variational_projection *projection = &step->work->projection;
    const int n = eq->n;
    bool is_any_sticking = false;
    carom_variational_projection_begin(projection, step->position, step->velocity);
    CAROM_TRY(carom_variational_projection_find(projection));
    for (int row = 0; row < step->work->newton.row_count; row++) {
        const double impulse = projection->impulse[row] / projection->length[row];
        const double *direction =
            row < eq->c ? projection->rows + row * n : eq->tangent + (row - eq->c) * n;
        if (row >= eq->b) {
            *(row < eq->c ? &step->last_impulse[row - eq->b] : &step->last_friction[row - eq->c]) =
                impulse;
        }
        is_any_sticking = is_any_sticking ||
                          (row >= eq->c && carom_variational_equations_sticks(eq, row - eq->c));
        for (int j = 0; j < n && fabs(impulse) > 0.0; j++) {
            step->momentum[j] += impulse * direction[j];
            step->velocity[j] += impulse * projection->responses[row * n + j];
        }
    }
    if (is_any_sticking) {
        double energy;
        CAROM_TRY(carom_variational_projection_compare(projection, step->velocity,
                                                       step->last_friction, &energy));
        step->dissipation = fmax(0.0, energy);
    }
    return CAROM_OK;
}

/** Momentum, velocity and gaps at q_{k+1}. */
static carom_status finish_state(carom_variational_step *step, carom_report *report) {
    const carom_variational_equations *eq = &step->work->equations;
    const carom_mechanism *mechanism = step->mechanism;
    step->time = eq->time + eq->h;
    memcpy(step->position, eq->position_end, (size_t)eq->n * sizeof(double));
    collect_momentum(eq, step->momentum);
    carom_status status =
        carom_variational_velocity(step, step->position, step->momentum, step->velocity);
    step->dissipation = 0.0;
    if (status == CAROM_OK && eq->has_candidates) {
        status = project(step);
    }
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "mass at the end", (double)NAN, -1);
    }
    if (eq->c > 0) {
        mechanism->constraints(step->position, step->joint, mechanism->context);
    }
    for (int i = 0; i < eq->c; i++) {
        const double value = step->joint[i]; // joints, then gaps
        const char *quantity = i < eq->b ? "joint" : "gap";
        const int index = i < eq->b ? i : i - eq->b;
        const double error = eq->is_active[i] ? fabs(value - eq->target[i]) : 0.0;
        const double floor = carom_variational_newton_gap_floor(&step->work->newton, i);
        if (!isfinite(value)) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, value, index);
        }
        if (eq->is_active[i] && !(error <= floor + 2.0 * eq->gap_rounding[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, quantity, value, index);
        }
    }
    return CAROM_OK;
}

/** A held contact: its sliding, none where it sticks, and what friction takes where it slides. */
static void finish_contact(carom_variational_step *step, int i) {
    const carom_variational_equations *eq = &step->work->equations;
    const bool has_friction = carom_variational_equations_friction(eq, i) > 0.0;
    const bool sticks = has_friction && eq->mode[i] == CAROM_VARIATIONAL_STICK;
    double work = 0.0;
    double speed = 0.0;
    for (int row = i * eq->t; row < (i + 1) * eq->t; row++) {
        step->first_friction[row] = eq->friction[row];
        step->friction_impulse[row] = step->first_friction[row] + step->last_friction[row];
        step->sliding[row] = sticks ? 0.0 : eq->sliding[row];
        work -= step->friction_impulse[row] * step->sliding[row];
        speed = fmax(speed, fabs(step->sliding[row]));
    }
    step->mode[i] = sticks || !(speed > 0.0) ? CAROM_VARIATIONAL_STICK : CAROM_VARIATIONAL_SLIDE;
    step->dissipation += has_friction ? fmax(0.0, work) : 0.0;
}

static void finish_impulses(carom_variational_step *step) {
    const carom_variational_equations *eq = &step->work->equations;
    for (int i = 0; i < eq->m; i++) {
        const bool is_active = eq->is_active[eq->b + i];
        step->is_held[i] = is_active;
        step->first_impulse[i] = is_active ? eq->normal[eq->b + i] : 0.0;
        step->last_impulse[i] = is_active ? step->last_impulse[i] : 0.0;
        step->normal_impulse[i] = step->first_impulse[i] + step->last_impulse[i];
        step->mode[i] = CAROM_VARIATIONAL_RELEASED;
        for (int row = i * eq->t; row < (i + 1) * eq->t; row++) {
            step->first_friction[row] = 0.0;
            step->last_friction[row] = is_active ? step->last_friction[row] : 0.0;
            step->friction_impulse[row] = 0.0;
            step->sliding[row] = 0.0;
        }
        if (is_active) {
            finish_contact(step, i);
        }
    }
}

/** No combination: none is consistent, or Newton's method failed in one. */
static carom_status report_failure(const carom_variational_contact_modes *modes,
                                   carom_status status, carom_report *report) {
    const bool is_conflict = status == CAROM_STATUS_CONFLICT;
    const bool is_singular = status == CAROM_STATUS_SINGULAR;
    const char *quantity = is_conflict   ? "contact modes"
                           : is_singular ? "newton matrix"
                                         : "momentum residual";
    const double value = is_conflict   ? modes->combinations
                         : is_singular ? (double)NAN
                                       : modes->residual;
    (void)carom_report_fail(report, status, quantity, value, -1);
    if (report != NULL) {
        report->residual = modes->residual;
    }
    return status;
}

/** From the beginning of the step to its end. */
static carom_status solve(carom_variational_step *step, double t, const double *q, const double *p,
                          double h, const bool *held, carom_report *report) {
    work_memory *work = step->work;
    CAROM_TRY(carom_variational_equations_begin(&work->equations, t, q, p, h, held, report));
    CAROM_TRY(carom_variational_newton_begin(&work->newton, report));
    const carom_status status = carom_variational_contact_modes_find(&work->modes);
    if (status != CAROM_OK) {
        return report_failure(&work->modes, status, report);
    }
    CAROM_TRY(finish_state(step, report));
    finish_impulses(step);
    return CAROM_OK;
}

carom_status carom_variational_step_solve(carom_variational_step *step, double t, const double *q,
                                          const double *p, double h, const bool *held,
                                          carom_report *report) {
    CAROM_ASSERT(step != NULL && q != NULL && p != NULL && !(h <= 0.0));
    work_memory *work = step->work;
    work->newton.iterations = 0;
    work->modes.combinations = 0;
    const carom_status status = solve(step, t, q, p, h, held, report);
    step->iterations = work->newton.iterations;
    step->combinations = work->modes.combinations;
    if (status != CAROM_OK) {
        clear(step);
        if (report != NULL) {
            report->time = t;
            report->step = h;
            report->iterations = step->iterations;
        }
    }
    return status;
}
