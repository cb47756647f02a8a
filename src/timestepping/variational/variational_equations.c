#include <carom/timestepping/variational/step_internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Roundings of each term of a gap. */
static const double ROUNDINGS_OF_GAP = 4.0;

/* Of them, those that the change of a gap has. */
static const double ROUNDINGS_OF_CHANGE = 2.0;

/* Of the normal speed that free forces make in half a step, the part that closes a gap: the normal
 * impulse feels no more than this. */
static const double CLOSING_FRACTION = 1e-3;

/* Numbers of one kind of array, handed out in order. */
static double *take(double **memory, size_t count) {
    double *begin = *memory;
    *memory += count;
    return begin;
}

carom_status carom_variational_equations_init(carom_variational_equations *eq,
                                              const carom_mechanism *mechanism) {
    *eq = (carom_variational_equations){
        .mechanism = mechanism,
        .n = mechanism->coordinate_count,
        .b = mechanism->joint_count,
        .m = mechanism->contact_count,
        .c = carom_mechanism_constraint_count(mechanism),
        .t = mechanism->tangent_count,
    };
    const size_t n = (size_t)eq->n;
    const size_t m = (size_t)eq->m;
    const size_t c = (size_t)eq->c;
    const size_t rows = m * (size_t)eq->t;
    const size_t entries = carom_layout_entry_count(mechanism->layout);
    double *memory =
        calloc(entries + n * n + 9 * n + 3 * c * n + 6 * c + rows * n + 3 * rows, sizeof(double));
    eq->memory = memory;
    eq->flags = calloc(3 * c + 1, sizeof(bool));
    eq->mode = calloc(m + 1, sizeof(carom_variational_contact_mode));
    if (memory == NULL || eq->flags == NULL || eq->mode == NULL ||
        carom_factor_alloc(mechanism->layout, &eq->mass) != CAROM_OK) {
        carom_variational_equations_clear(eq);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    eq->matrix = take(&memory, entries);
    eq->mass_begin = take(&memory, n * n);
    eq->velocity_begin = take(&memory, n);
    eq->velocity = take(&memory, n);
    eq->position_mid = take(&memory, n);
    eq->position_end = take(&memory, n);
    eq->load = take(&memory, n);
    eq->inertia = take(&memory, n);
    eq->inertia_size = take(&memory, n);
    eq->residual = take(&memory, n);
    eq->impulse_size = take(&memory, n);
    eq->normal_begin = take(&memory, c * n);
    eq->normal_mid = take(&memory, c * n);
    eq->normal_end = take(&memory, c * n);
    eq->gap_begin = take(&memory, c);
    eq->gap_end = take(&memory, c);
    eq->gap_rounding = take(&memory, c);
    eq->target = take(&memory, c);
    eq->rate = take(&memory, c);
    eq->normal = take(&memory, c);
    eq->tangent = take(&memory, rows * n);
    eq->friction = take(&memory, rows);
    eq->sliding = take(&memory, rows);
    eq->direction = take(&memory, rows);
    eq->is_gap_used = eq->flags;
    eq->is_active = eq->flags + c;
    eq->candidate = eq->flags + 2 * c;
    return CAROM_OK;
}

void carom_variational_equations_clear(carom_variational_equations *eq) {
    carom_factor_free(eq->mass);
    free(eq->mode);
    free(eq->flags);
    free(eq->memory);
    *eq = (carom_variational_equations){0};
}

double carom_variational_equations_friction(const carom_variational_equations *eq, int contact) {
    const bool has_friction = eq->mechanism->friction != NULL && eq->t > 0;
    return has_friction ? eq->mechanism->friction[contact] : 0.0;
}

int carom_variational_equations_constraint(const carom_variational_equations *eq, int row) {
    return row < eq->c ? row : eq->b + (row - eq->c) / eq->t;
}

bool carom_variational_equations_sticks(const carom_variational_equations *eq, int row) {
    const int contact = row / eq->t;
    return eq->is_active[eq->b + contact] &&
           carom_variational_equations_friction(eq, contact) > 0.0 &&
           eq->mode[contact] == CAROM_VARIATIONAL_STICK;
}

void carom_variational_equations_expand(const carom_variational_equations *eq, double alpha,
                                        const double *A, double *B) {
    const carom_layout layout = eq->mechanism->layout;
    for (int i = 0; i < eq->n; i++) {
        const int end = carom_layout_end_column(layout, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            B[i * eq->n + j] += alpha * A[carom_layout_index(layout, i, j)];
        }
    }
}

carom_status carom_variational_equations_invert(carom_variational_equations *eq, const double *q) {
    eq->mechanism->mass(q, eq->matrix, eq->mechanism->context);
    return carom_factor_compute(eq->mass, eq->matrix);
}

/* q_m and q_{k+1} of v. */
static void place(carom_variational_equations *eq, const double *v) {
    for (int j = 0; j < eq->n; j++) {
        eq->position_mid[j] = eq->position[j] + 0.5 * eq->h * v[j];
        eq->position_end[j] = eq->position[j] + eq->h * v[j];
    }
}

/* |D| |q| of D = d(M a)/dq at a = v. */
static void size_inertia(carom_variational_equations *eq, const double *D) {
    const carom_layout layout = eq->mechanism->layout;
    for (int i = 0; i < eq->n; i++) {
        const int end = carom_layout_end_column(layout, i);
        double size = 0.0;
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            size += fabs(D[carom_layout_index(layout, i, j)] * eq->position_mid[j]);
        }
        eq->inertia_size[i] = size;
    }
}

/* F = f + (d(M a)/dq at a = v) v and M v at the midpoint. */
static void evaluate_motion(carom_variational_equations *eq, const double *v) {
    const carom_mechanism *mechanism = eq->mechanism;
    const double *q = eq->position_mid;
    memset(eq->inertia, 0, (size_t)eq->n * sizeof(double));
    mechanism->mass(q, eq->matrix, mechanism->context);
    carom_layout_multiply_add(mechanism->layout, 1.0, eq->matrix, v, eq->inertia);
    mechanism->force(eq->time + 0.5 * eq->h, q, v, eq->load, mechanism->context);
    if (mechanism->mass_derivative != NULL) {
        mechanism->mass_derivative(q, v, eq->matrix, mechanism->context);
        carom_layout_multiply_add(mechanism->layout, 1.0, eq->matrix, v, eq->load);
        size_inertia(eq, eq->matrix);
    }
}

/* Add an impulse along a row, and its sizes. */
static void add_impulse(carom_variational_equations *eq, double impulse, const double *row,
                        double *residual) {
    for (int j = 0; j < eq->n; j++) {
        const double term = impulse * row[j];
        residual[j] += term;
        eq->impulse_size[j] += fabs(term);
    }
}

static void add_contact_impulses(carom_variational_equations *eq, double *residual) {
    memset(eq->impulse_size, 0, (size_t)eq->n * sizeof(double));
    for (int i = 0; i < eq->c; i++) {
        if (!eq->is_active[i]) {
            continue;
        }
        add_impulse(eq, eq->normal[i], eq->normal_begin + i * eq->n, residual);
        for (int row = (i - eq->b) * eq->t; i >= eq->b && row < (i - eq->b + 1) * eq->t; row++) {
            add_impulse(eq, eq->friction[row], eq->tangent + row * eq->n, residual);
        }
    }
}

/* H(q_m) and H v, for contacts that may be held. */
static void evaluate_sliding(carom_variational_equations *eq, const double *v) {
    if (!eq->has_candidates || eq->t == 0) {
        return;
    }
    carom_mechanism_tangential_jacobian(eq->mechanism, eq->position_mid, eq->tangent);
    for (int row = 0; row < eq->m * eq->t; row++) {
        double sum = 0.0;
        for (int j = 0; j < eq->n; j++) {
            sum += eq->tangent[row * eq->n + j] * v[j];
        }
        eq->sliding[row] = sum;
    }
}

void carom_variational_equations_probe(carom_variational_equations *eq, const double *v,
                                       double *residual) {
    place(eq, v);
    evaluate_motion(eq, v);
    evaluate_sliding(eq, v);
    for (int j = 0; j < eq->n; j++) {
        residual[j] = eq->momentum[j] + 0.5 * eq->h * eq->load[j] - eq->inertia[j];
    }
    add_contact_impulses(eq, residual);
}

/* Integral of G v over the step by Simpson's rule, over h: exact up to h^4. */
static double mean_rate(const carom_variational_equations *eq, int constraint) {
    const int first = constraint * eq->n;
    double sum = 0.0;
    for (int j = 0; j < eq->n; j++) {
        const double slope = eq->normal_begin[first + j] + 4.0 * eq->normal_mid[first + j] +
                             eq->normal_end[first + j];
        sum += slope * eq->velocity[j];
    }
    return sum / 6.0;
}

static double rate_of(const carom_variational_equations *eq, int i) {
    return eq->is_gap_used[i] ? (eq->gap_end[i] - eq->target[i]) / eq->h
                              : mean_rate(eq, i) - (eq->target[i] - eq->gap_begin[i]) / eq->h;
}

/* Gaps and normals where they are used. */
static void evaluate_gaps(carom_variational_equations *eq, bool is_deciding) {
    const carom_mechanism *mechanism = eq->mechanism;
    bool needs_gap = is_deciding;
    bool needs_normal = is_deciding;
    for (int i = 0; i < eq->c; i++) {
        needs_gap = needs_gap || (eq->candidate[i] && eq->is_gap_used[i]);
        needs_normal = needs_normal || (eq->candidate[i] && !eq->is_gap_used[i]);
    }
    if (needs_gap) {
        mechanism->constraints(eq->position_end, eq->gap_end, mechanism->context);
    }
    if (needs_normal) {
        carom_mechanism_constraint_jacobian(mechanism, eq->position_mid, eq->normal_mid);
    }
    carom_mechanism_constraint_jacobian(mechanism, eq->position_end, eq->normal_end);
}

void carom_variational_equations_evaluate(carom_variational_equations *eq) {
    carom_variational_equations_probe(eq, eq->velocity, eq->residual);
    if (!eq->has_candidates) {
        return;
    }
    evaluate_gaps(eq, false);
    for (int i = 0; i < eq->c; i++) {
        eq->rate[i] = eq->candidate[i] ? rate_of(eq, i) : 0.0;
    }
}

/* The change of a gap divided by a short h is all rounding, while G v keeps its digits: do both
 * agree up to rounding? */
static bool agree(const carom_variational_equations *eq, int constraint) {
    const double change = eq->gap_end[constraint] - eq->gap_begin[constraint];
    const double error = fabs(change - eq->h * mean_rate(eq, constraint));
    return error <= ROUNDINGS_OF_CHANGE * eq->gap_rounding[constraint];
}

/* Where both agree, G v is used. */
static void decide_rates(carom_variational_equations *eq) {
    evaluate_gaps(eq, true);
    for (int i = 0; i < eq->c; i++) {
        eq->is_gap_used[i] = !agree(eq, i);
        eq->target[i] = eq->gap_begin[i];
        eq->rate[i] = eq->candidate[i] ? rate_of(eq, i) : 0.0;
    }
}

bool carom_variational_equations_reconsider(carom_variational_equations *eq) {
    bool is_any_uncertain = false;
    bool is_any_changed = false;
    for (int i = 0; eq->has_candidates && i < eq->c; i++) {
        is_any_uncertain = is_any_uncertain || (eq->candidate[i] && !eq->is_gap_used[i]);
    }
    if (is_any_uncertain) {
        eq->mechanism->constraints(eq->position_end, eq->gap_end, eq->mechanism->context);
    }
    for (int i = 0; is_any_uncertain && i < eq->c; i++) {
        if (eq->candidate[i] && !eq->is_gap_used[i] && !agree(eq, i)) {
            eq->is_gap_used[i] = true;
            is_any_changed = true;
        }
    }
    return is_any_changed;
}

/* Gaps and normals at q_k, and what rounding makes of a gap. */
static void evaluate_begin(carom_variational_equations *eq) {
    const carom_mechanism *mechanism = eq->mechanism;
    mechanism->constraints(eq->position, eq->gap_begin, mechanism->context);
    carom_mechanism_constraint_jacobian(mechanism, eq->position, eq->normal_begin);
    for (int i = 0; i < eq->c; i++) {
        double size = 0.0;
        for (int j = 0; j < eq->n; j++) {
            size += fabs(eq->normal_begin[i * eq->n + j] * eq->position[j]);
        }
        eq->gap_rounding[i] = ROUNDINGS_OF_GAP * DBL_EPSILON * size;
    }
}

void carom_variational_equations_restart(carom_variational_equations *eq) {
    memcpy(eq->velocity, eq->velocity_begin, (size_t)eq->n * sizeof(double));
    memset(eq->normal, 0, (size_t)eq->c * sizeof(double));
    memset(eq->friction, 0, (size_t)(eq->m * eq->t) * sizeof(double));
}

/* Joints, and contacts that are asked to be held. */
static void choose_candidates(carom_variational_equations *eq, const bool *held) {
    eq->has_candidates = eq->b > 0;
    for (int i = 0; i < eq->c; i++) {
        eq->is_active[i] = i < eq->b;
        eq->candidate[i] = i < eq->b || (held != NULL && held[i - eq->b]);
        eq->has_candidates = eq->has_candidates || eq->candidate[i];
    }
}

carom_status carom_variational_equations_begin(carom_variational_equations *eq, double t,
                                               const double *q, const double *p, double h,
                                               const bool *held, carom_report *report) {
    eq->time = t;
    eq->h = h;
    eq->position = q;
    eq->momentum = p;
    choose_candidates(eq, held);
    CAROM_TRY(carom_report_require_finite(report, "time", 1, &t));
    CAROM_TRY(carom_report_require_finite(report, "step", 1, &h));
    CAROM_TRY(carom_report_require_finite(report, "position", eq->n, q));
    CAROM_TRY(carom_report_require_finite(report, "momentum", eq->n, p));

    /* v_k = M(q_k)^-1 p_k */
    const carom_status status = carom_variational_equations_invert(eq, q);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "mass", (double)NAN, -1);
    }
    memset(eq->mass_begin, 0, (size_t)eq->n * (size_t)eq->n * sizeof(double));
    carom_variational_equations_expand(eq, 1.0, eq->matrix, eq->mass_begin);
    memcpy(eq->velocity_begin, p, (size_t)eq->n * sizeof(double));
    carom_factor_solve(eq->mass, eq->velocity_begin);

    carom_variational_equations_restart(eq);
    carom_variational_equations_probe(eq, eq->velocity, eq->residual);
    CAROM_TRY(carom_report_require_finite(report, "force", eq->n, eq->load));
    CAROM_TRY(carom_report_require_finite(report, "momentum residual", eq->n, eq->residual));
    if (eq->has_candidates) {
        evaluate_begin(eq);
        decide_rates(eq);
        CAROM_TRY(carom_report_require_finite(report, "gap", eq->c, eq->gap_begin));
        CAROM_TRY(carom_report_require_finite(report, "gap rate", eq->c, eq->rate));
    }
    return CAROM_OK;
}

void carom_variational_equations_aim(carom_variational_equations *eq, const double *speed) {
    for (int i = 0; i < eq->c; i++) {
        const double gap = eq->gap_begin[i];
        const double most = CLOSING_FRACTION * eq->h * speed[i];
        // A gap within its rounding is closed: there is nothing to close.
        const bool is_closed = fabs(gap) <= eq->gap_rounding[i];
        eq->target[i] = is_closed ? gap : gap - fmax(-most, fmin(most, gap));
        eq->rate[i] = eq->candidate[i] ? rate_of(eq, i) : 0.0;
    }
}
