#include <carom/timestepping/compliant/internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hand out the next piece of the block, or count only. */
static double *take(double *memory, size_t *used, size_t count) {
    double *piece = memory == NULL ? NULL : memory + *used;
    *used += count;
    return piece;
}

/* Lay out the arrays in a block; the number of doubles it takes. */
static size_t lay_out(carom_compliant_system *s, double *memory) {
    const size_t n = (size_t)s->n;
    const size_t m = (size_t)s->m;
    const size_t tangents = m * (size_t)s->t;
    const size_t entries = carom_layout_entry_count(s->mechanism->layout);
    size_t used = 0;
    s->inverse_mass = take(memory, &used, n);
    s->compliance = take(memory, &used, m + tangents);
    s->touching = take(memory, &used, m);
    s->damping = take(memory, &used, m);
    s->sticking_speed = take(memory, &used, m);
    s->slip_direction = take(memory, &used, tangents);
    s->hysteresis = take(memory, &used, m);
    s->start_time = take(memory, &used, m);
    s->position = take(memory, &used, n);
    s->gap = take(memory, &used, m);
    s->normal_rows = take(memory, &used, m * n);
    s->tangential_rows = take(memory, &used, tangents * n);
    s->gap_rate = take(memory, &used, m);
    s->sliding = take(memory, &used, tangents);
    s->normal_law = take(memory, &used, m);
    s->normal_force = take(memory, &used, m);
    s->friction_unit = take(memory, &used, tangents);
    s->tangential_force = take(memory, &used, tangents);
    s->acceleration = take(memory, &used, n);
    s->mass = take(memory, &used, entries);
    s->derivative = take(memory, &used, entries);
    s->force_derivative = take(memory, &used, 2 * n * n);
    s->normal_rate = take(memory, &used, m * n);
    s->tangential_rate = take(memory, &used, tangents * n);
    s->normal_slope = take(memory, &used, 2 * n);
    s->tangential_slopes = take(memory, &used, 2 * n * tangents);
    s->column = take(memory, &used, n);
    s->work = take(memory, &used, entries + n);
    return used;
}

/* The initial mass matrix, and what follows from the initial state. */
static carom_status take_start(carom_compliant_system *s, const double *v, carom_report *report) {
    const carom_mechanism *at = s->mechanism;
    at->mass(s->initial_position, s->mass, at->context);
    const carom_status status = carom_factor_compute(s->factor, s->mass);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "mass", (double)NAN, -1);
    }
    at->constraints(s->initial_position, s->gap, at->context);
    carom_mechanism_constraint_jacobian(at, s->initial_position, s->normal_rows);
    if (s->t > 0) {
        carom_mechanism_tangential_jacobian(at, s->initial_position, s->tangential_rows);
    }
    memcpy(s->position, s->initial_position, (size_t)s->n * sizeof *s->position);
    return carom_compliant_take_scales(s, v, report);
}

carom_status carom_compliant_system_init(carom_compliant_system *s,
                                         const carom_mechanism *mechanism,
                                         const carom_compliant_params *params,
                                         const double *initial_position,
                                         const double *initial_velocity, carom_report *report) {
    memset(s, 0, sizeof *s);
    s->mechanism = mechanism;
    s->resolved = *params;
    s->params = &s->resolved;
    s->initial_position = initial_position;
    s->n = mechanism->coordinate_count;
    s->m = mechanism->contact_count;
    s->t = mechanism->friction == NULL ? 0 : mechanism->tangent_count;
    s->size = 2 * s->n + s->m * (1 + s->t);
    s->has_constant_mass = mechanism->mass_derivative == NULL;
    s->first_contact = -1;
    s->second_contact = -1;
    s->memory = calloc(lay_out(s, NULL), sizeof *s->memory);
    s->mode = calloc((size_t)s->m, sizeof *s->mode);
    s->is_sliding = calloc((size_t)s->m, sizeof *s->is_sliding);
    if (s->memory == NULL || s->mode == NULL || s->is_sliding == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    lay_out(s, s->memory);
    for (int i = 0; i < s->m; i++) {
        s->mode[i] = CAROM_COMPLIANT_OPEN;
        s->start_time[i] = NAN;
    }
    CAROM_TRY(carom_factor_alloc(mechanism->layout, &s->factor));
    return take_start(s, initial_velocity, report);
}

void carom_compliant_system_clear(carom_compliant_system *s) {
    carom_factor_free(s->factor);
    free(s->memory);
    free(s->mode);
    free(s->is_sliding);
    memset(s, 0, sizeof *s);
}

/* b += A x for a row-major A [rows][n]. */
static void multiply_add(int rows, int n, const double *A, const double *x, double *b) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
            b[i] += A[i * n + j] * x[j];
        }
    }
}

/* b += A' x for a row-major A [rows][n]. */
static void multiply_transposed_add(int rows, int n, const double *A, const double *x, double *b) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < n; j++) {
            b[j] += A[i * n + j] * x[i];
        }
    }
}

void carom_compliant_kinematics(carom_compliant_system *s, const double *y) {
    const carom_mechanism *at = s->mechanism;
    const double *v = y + s->n;
    for (int j = 0; j < s->n; j++) {
        s->position[j] = s->initial_position[j] + y[j];
    }
    at->constraints(s->position, s->gap, at->context);
    carom_mechanism_constraint_jacobian(at, s->position, s->normal_rows);
    memset(s->gap_rate, 0, (size_t)s->m * sizeof *s->gap_rate);
    multiply_add(s->m, s->n, s->normal_rows, v, s->gap_rate);
    if (s->t > 0) {
        carom_mechanism_tangential_jacobian(at, s->position, s->tangential_rows);
        memset(s->sliding, 0, (size_t)(s->m * s->t) * sizeof *s->sliding);
        multiply_add(s->m * s->t, s->n, s->tangential_rows, v, s->sliding);
    }
    for (int i = 0; i < s->m; i++) {
        s->normal_law[i] = -s->params->stiffness[i] * s->gap[i] - s->damping[i] * s->gap_rate[i];
    }
}

/* Sliding speed along the direction where sliding began. */
static double speed_along(const carom_compliant_system *s, int i) {
    double speed = 0.0;
    for (int k = 0; k < s->t; k++) {
        speed += s->slip_direction[i * s->t + k] * s->sliding[i * s->t + k];
    }
    return speed;
}

/*[compliantFriction]*/
/* w = -lambda_t/(mu lambda_n): r/epsilon when sticking, r/|r| when sliding. There the part of r
 * along the first direction of sliding is kept at epsilon at least, so that a step that tries to go
 * beyond the reversal meets a smooth law. Returns the length by which r was divided. */
static double friction_unit(const carom_compliant_system *s, int i, double *w) {
    const double epsilon = s->params->regularisation_speed;
    const double lift = s->is_sliding[i] ? fmax(0.0, epsilon - speed_along(s, i)) : 0.0;
    double square = 0.0;
    for (int k = i * s->t; k < (i + 1) * s->t; k++) {
        w[k - i * s->t] = s->sliding[k] + lift * s->slip_direction[k];
        square += w[k - i * s->t] * w[k - i * s->t];
    }
    const double length = s->is_sliding[i] ? sqrt(square) : epsilon;
    for (int k = 0; k < s->t; k++) {
        w[k] /= length;
    }
    return length;
}
/*[end compliantFriction]*/

void carom_compliant_forces(carom_compliant_system *s) {
    for (int i = 0; i < s->m; i++) {
        const bool is_pressing = s->mode[i] == CAROM_COMPLIANT_PRESSING;
        s->normal_force[i] = is_pressing ? s->normal_law[i] : 0.0;
        if (s->t == 0) {
            continue;
        }
        double *w = &s->friction_unit[i * s->t];
        friction_unit(s, i, w);
        for (int k = 0; k < s->t; k++) {
            s->tangential_force[i * s->t + k] =
                -s->mechanism->friction[i] * s->normal_force[i] * w[k];
        }
    }
}

/* M(q), factored. */
static carom_status factor_mass(carom_compliant_system *s) {
    if (s->has_constant_mass) {
        return CAROM_OK;
    }
    s->mechanism->mass(s->position, s->mass, s->mechanism->context);
    return carom_factor_compute(s->factor, s->mass);
}

/* M v' = f + J_n' lambda_n + J_t' lambda_t */
static carom_status accelerate(carom_compliant_system *s, double t, const double *y) {
    const carom_mechanism *at = s->mechanism;
    carom_compliant_kinematics(s, y);
    carom_compliant_forces(s);
    CAROM_TRY(factor_mass(s));
    at->force(t, s->position, y + s->n, s->acceleration, at->context);
    multiply_transposed_add(s->m, s->n, s->normal_rows, s->normal_force, s->acceleration);
    multiply_transposed_add(s->m * s->t, s->n, s->tangential_rows, s->tangential_force,
                            s->acceleration);
    carom_factor_solve(s->factor, s->acceleration);
    for (int j = 0; j < s->n; j++) {
        if (!isfinite(s->acceleration[j])) {
            return CAROM_STATUS_NOT_FINITE;
        }
    }
    return CAROM_OK;
}

/* y' from the last acceleration and forces. */
static void collect_rate(const carom_compliant_system *s, const double *y, double *y_dot) {
    const size_t n = (size_t)s->n;
    const size_t m = (size_t)s->m;
    memcpy(y_dot, y + n, n * sizeof *y_dot);
    memcpy(y_dot + n, s->acceleration, n * sizeof *y_dot);
    memcpy(y_dot + 2 * n, s->normal_force, m * sizeof *y_dot);
    memcpy(y_dot + 2 * n + m, s->tangential_force, m * (size_t)s->t * sizeof *y_dot);
}

carom_status carom_compliant_rate(carom_compliant_system *s, double t, const double *y,
                                  double *y_dot) {
    CAROM_TRY(accelerate(s, t, y));
    collect_rate(s, y, y_dot);
    return CAROM_OK;
}

/* Add a matrix in the layout of the mechanism to the half of the force derivative that starts at
 * column `offset`. */
static void add_layout(carom_compliant_system *s, double factor, int offset) {
    const carom_layout layout = s->mechanism->layout;
    for (int i = 0; i < s->n; i++) {
        const int end = carom_layout_end_column(layout, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            s->force_derivative[i * 2 * s->n + offset + j] +=
                factor * s->derivative[carom_layout_index(layout, i, j)];
        }
    }
}

/* -K, -C, d(J_n' lambda_n)/dq at constant lambda_n, -d(M v')/dq at constant v'. */
static void add_smooth_derivatives(carom_compliant_system *s, double t, const double *v) {
    const carom_mechanism *at = s->mechanism;
    if (at->stiffness != NULL) {
        at->stiffness(t, s->position, v, s->derivative, at->context);
        add_layout(s, -1.0, 0);
    }
    if (at->damping != NULL) {
        at->damping(t, s->position, v, s->derivative, at->context);
        add_layout(s, -1.0, s->n);
    }
    if (at->constraint_force_derivative != NULL) {
        at->constraint_force_derivative(s->position, s->normal_force, s->derivative, at->context);
        add_layout(s, 1.0, 0);
    }
    if (at->mass_derivative != NULL) {
        at->mass_derivative(s->position, s->acceleration, s->derivative, at->context);
        add_layout(s, -1.0, 0);
    }
}

/* d(J_t' lambda_t)/dq at constant lambda_t: row k is that of J_t v for the unit velocity k. */
static void add_turning_friction(carom_compliant_system *s) {
    const carom_mechanism *at = s->mechanism;
    if (s->t == 0 || at->tangential_rate_derivative == NULL) {
        return;
    }
    for (int k = 0; k < s->n; k++) {
        memset(s->column, 0, (size_t)s->n * sizeof(double));
        s->column[k] = 1.0;
        carom_mechanism_tangential_rate_derivative(at, s->position, s->column, s->tangential_rate);
        multiply_transposed_add(s->m * s->t, s->n, s->tangential_rate, s->tangential_force,
                                &s->force_derivative[k * 2 * s->n]);
    }
}

/* d(J_n v)/dq and d(J_t v)/dq. */
static void differentiate_rows(carom_compliant_system *s, const double *v) {
    const carom_mechanism *at = s->mechanism;
    memset(s->normal_rate, 0, (size_t)(s->m * s->n) * sizeof(double));
    memset(s->tangential_rate, 0, (size_t)(s->m * s->t * s->n) * sizeof(double));
    if (at->constraint_rate_derivative != NULL) {
        carom_mechanism_constraint_rate_derivative(at, s->position, v, s->normal_rate);
    }
    if (s->t > 0 && at->tangential_rate_derivative != NULL) {
        carom_mechanism_tangential_rate_derivative(at, s->position, v, s->tangential_rate);
    }
}

/* d(lambda_t)/d(q,v) of contact i: -mu (w d(lambda_n) + lambda_n dw/dr dr), where dw/dr is
 * 1/epsilon when sticking and (1 - w w')/|r| when sliding. */
static void differentiate_friction(carom_compliant_system *s, int i) {
    const int t = s->t;
    const int n = s->n;
    const double mu = s->mechanism->friction[i];
    double *w = &s->friction_unit[i * t];
    const double length = friction_unit(s, i, w);
    for (int k = 0; k < t; k++) {
        double *slope = &s->tangential_slopes[(i * t + k) * 2 * n];
        for (int j = 0; j < 2 * n; j++) {
            slope[j] = -mu * w[k] * s->normal_slope[j];
        }
        for (int l = 0; l < t; l++) {
            const double same = k == l ? 1.0 : 0.0;
            const double turning = s->is_sliding[i] ? same - w[k] * w[l] : same;
            const double factor = -mu * s->normal_force[i] * turning / length;
            for (int j = 0; j < n; j++) {
                slope[j] += factor * s->tangential_rate[(i * t + l) * n + j];
                slope[n + j] += factor * s->tangential_rows[(i * t + l) * n + j];
            }
        }
    }
}

/* The forces of a pressing contact by (q, v), added to those of all, and to the rates of its
 * impulses. */
static void add_contact(carom_compliant_system *s, int i, double *slopes) {
    const int n = s->n;
    const int t = s->t;
    const double *row = &s->normal_rows[i * n];
    double *normal = &slopes[(n + i) * 2 * n];
    double *tangential = &slopes[(n + s->m) * 2 * n];
    for (int j = 0; j < n; j++) {
        s->normal_slope[j] =
            -s->params->stiffness[i] * row[j] - s->damping[i] * s->normal_rate[i * n + j];
        s->normal_slope[n + j] = -s->damping[i] * row[j];
    }
    if (t > 0) {
        differentiate_friction(s, i);
    }
    for (int j = 0; j < 2 * n; j++) {
        normal[j] = s->normal_slope[j];
        for (int k = 0; k < n; k++) {
            s->force_derivative[k * 2 * n + j] += row[k] * s->normal_slope[j];
        }
        for (int l = i * t; l < (i + 1) * t; l++) {
            const double slope = s->tangential_slopes[l * 2 * n + j];
            tangential[l * 2 * n + j] = slope;
            for (int k = 0; k < n; k++) {
                s->force_derivative[k * 2 * n + j] += s->tangential_rows[l * n + k] * slope;
            }
        }
    }
}

carom_status carom_compliant_rate_derivative(carom_compliant_system *s, double t, const double *y,
                                             double *y_dot, double *slopes) {
    const int n = s->n;
    CAROM_TRY(accelerate(s, t, y));
    collect_rate(s, y, y_dot);
    memset(slopes, 0, (size_t)((s->size - n) * 2 * n) * sizeof *slopes);
    memset(s->force_derivative, 0, (size_t)(2 * n * n) * sizeof(double));
    add_smooth_derivatives(s, t, y + n);
    add_turning_friction(s);
    differentiate_rows(s, y + n);
    for (int i = 0; i < s->m; i++) {
        if (s->mode[i] == CAROM_COMPLIANT_PRESSING) {
            add_contact(s, i, slopes);
        }
    }
    /* v' = M^-1 of the sum */
    for (int j = 0; j < 2 * n; j++) {
        for (int k = 0; k < n; k++) {
            s->column[k] = s->force_derivative[k * 2 * n + j];
        }
        carom_factor_solve(s->factor, s->column);
        for (int k = 0; k < n; k++) {
            slopes[k * 2 * n + j] = s->column[k];
        }
    }
    return CAROM_OK;
}
