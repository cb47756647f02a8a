#include <carom/timestepping/inclusion/internal.h>

#include <carom/base/scales.h>
#include <carom/base/vector.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void carom_inclusion_system_free(carom_inclusion_system *system) {
    if (system == NULL) {
        return;
    }
    carom_factor_free(system->mass_factor);
    free(system->mass);
    free(system->free_acceleration);
    free(system->momentum);
    free(system->gap);
    free(system->jacobian);
    free(system->response);
    free(system->row_norm);
    free(system->speed);
    free(system->acceleration);
    free(system->reach);
    free(system->closed);
    free(system->near_contacts);
    free(system->delassus);
    free(system);
}

/** Roundings of each term of a gap. */
static const double ROUNDINGS_OF_GAP = 8.0;

/** Zeros, at least one. */
static double *zeros(size_t count) {
    return calloc(count > 0 ? count : 1, sizeof(double));
}

double carom_inclusion_system_friction(const carom_inclusion_system *system, int i) {
    return system->tangent_count > 0 ? system->mechanism->friction[i] : 0.0;
}

carom_status carom_inclusion_system_alloc(const carom_mechanism *mechanism, double reference_force,
                                          double closed_gap, carom_inclusion_system **out) {
    *out = NULL;
    CAROM_AUTO(carom_inclusion_system) system = calloc(1, sizeof *system);
    if (system == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t m = (size_t)mechanism->contact_count;
    system->mechanism = mechanism;
    system->reference_force = reference_force;
    system->closed_gap = closed_gap;
    system->coordinate_count = mechanism->coordinate_count;
    system->contact_count = mechanism->contact_count;
    system->tangent_count = mechanism->friction != NULL ? mechanism->tangent_count : 0;
    system->row_count = system->contact_count * (1 + system->tangent_count);
    const size_t r = (size_t)system->row_count;
    system->mass = zeros(carom_layout_entry_count(mechanism->layout));
    system->free_acceleration = zeros(n);
    system->momentum = zeros(n);
    system->gap = zeros(m);
    system->jacobian = zeros(r * n);
    system->response = zeros(r * n);
    system->row_norm = zeros(r);
    system->speed = zeros(r);
    system->acceleration = zeros(r);
    system->reach = zeros(m);
    system->closed = zeros(m);
    system->near_contacts = calloc(m + 1, sizeof(int));
    system->delassus = zeros(r * r);
    const bool has_all =
        system->mass != NULL && system->free_acceleration != NULL && system->momentum != NULL &&
        system->gap != NULL && system->jacobian != NULL && system->response != NULL &&
        system->row_norm != NULL && system->speed != NULL && system->acceleration != NULL &&
        system->reach != NULL && system->closed != NULL && system->near_contacts != NULL &&
        system->delassus != NULL;
    if (!has_all || carom_factor_alloc(mechanism->layout, &system->mass_factor) != CAROM_OK) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(system, out);
    return CAROM_OK;
}

/** Quantity, value and index of a failure at time t. */
static carom_status fail_at(double t, carom_status status, const char *quantity, double value,
                            int index, carom_report *report) {
    (void)carom_report_fail(report, status, quantity, value, index);
    if (report != NULL) {
        report->time = t;
    }
    return status;
}

/** A NaN or an infinity that the mechanism returned. */
static carom_status require_finite(const char *quantity, int count, const double *x, double t,
                                   carom_report *report) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return fail_at(t, CAROM_STATUS_NOT_FINITE, quantity, x[i], i, report);
        }
    }
    return CAROM_OK;
}

/** M, f, g, J from the mechanism; M is factored and M^-1 f formed. */
static carom_status evaluate(carom_inclusion_system *system, double t, const double *q,
                             const double *v, carom_report *report) {
    const carom_mechanism *mechanism = system->mechanism;
    const int n = system->coordinate_count;
    const int m = system->contact_count;
    void *context = mechanism->context;
    mechanism->mass(q, system->mass, context);
    const carom_status status = carom_factor_compute(system->mass_factor, system->mass);
    if (status != CAROM_OK) {
        return fail_at(t, status, "mass", (double)NAN, -1, report);
    }
    mechanism->force(t, q, v, system->free_acceleration, context);
    CAROM_TRY(require_finite("force", n, system->free_acceleration, t, report));
    carom_factor_solve(system->mass_factor, system->free_acceleration);
    if (m > 0) {
        mechanism->constraints(q, system->gap, context);
        carom_mechanism_constraint_jacobian(mechanism, q, system->jacobian);
    }
    if (m > 0 && system->tangent_count > 0) {
        carom_mechanism_tangential_jacobian(mechanism, q, system->jacobian + m * n);
    }
    CAROM_TRY(require_finite("gap", m, system->gap, t, report));
    return require_finite("contact jacobian", system->row_count * n, system->jacobian, t, report);
}

/** What the rows of J give: J M^-1, its norms, speeds and free accelerations. */
static void derive_rows(carom_inclusion_system *system, const double *v) {
    const int n = system->coordinate_count;
    memcpy(system->response, system->jacobian, (size_t)(system->row_count * n) * sizeof(double));
    for (int a = 0; a < system->row_count; a++) {
        const double *row = system->jacobian + a * n;
        double *response = system->response + a * n;
        carom_factor_solve(system->mass_factor, response);
        system->row_norm[a] = sqrt(fmax(0.0, carom_vector_dot(n, row, response)));
        system->speed[a] = carom_vector_dot(n, row, v);
        system->acceleration[a] = carom_vector_dot(n, row, system->free_acceleration);
    }
}

/** Row of tangent a of contact i. */
static int tangential_row(const carom_inclusion_system *system, int i, int a) {
    return system->contact_count + i * system->tangent_count + a;
}

/** (x' M x)^1/2. */
static double mass_norm(carom_inclusion_system *system, const double *x) {
    const int n = system->coordinate_count;
    memset(system->momentum, 0, (size_t)n * sizeof(double));
    carom_layout_multiply_add(system->mechanism->layout, 1.0, system->mass, x, system->momentum);
    return sqrt(fmax(0.0, carom_vector_dot(n, x, system->momentum)));
}

/** |J'L| in M^-1 of the strongest unit of normal impulse with its friction. */
static double strongest_impulse(const carom_inclusion_system *system) {
    double strongest = 0.0;
    for (int i = 0; i < system->contact_count; i++) {
        double strength = system->row_norm[i];
        for (int a = 0; a < system->tangent_count; a++) {
            strength += carom_inclusion_system_friction(system, i) *
                        system->row_norm[tangential_row(system, i, a)];
        }
        strongest = fmax(strongest, strength);
    }
    return strongest;
}

/** How fast a step ds, however shared, may bring contacts to close. */
static void find_reach(carom_inclusion_system *system, const double *v, double ds) {
    const double strongest = system->reference_force * strongest_impulse(system);
    const double fastest = mass_norm(system, v) + ds * mass_norm(system, system->free_acceleration);
    for (int i = 0; i < system->contact_count; i++) {
        const double norm = system->row_norm[i];
        const double rate = fmax(fabs(system->acceleration[i]), norm * strongest);
        system->reach[i] = fmin(fabs(system->speed[i]) + ds * rate, norm * fastest);
        system->distance = fmax(system->distance, ds * system->reach[i]);
    }
}

/** Gaps that count as closed, and contacts that the step may bring to close. */
static carom_status find_near(carom_inclusion_system *system, const double *q, double t, double ds,
                              bool is_start, carom_report *report) {
    const int n = system->coordinate_count;
    const int m = system->contact_count;
    memset(system->closed, 0, (size_t)m * sizeof(double));
    carom_scale_add_product(m, n, system->jacobian, q, system->closed);
    system->near_count = 0;
    for (int i = 0; i < m; i++) {
        const double rounding = ROUNDINGS_OF_GAP * DBL_EPSILON * system->closed[i];
        system->closed[i] = fmax(system->closed_gap * system->distance, rounding);
        if (system->gap[i] < -system->closed[i]) {
            return fail_at(t, is_start ? CAROM_STATUS_PENETRATION : CAROM_STATUS_NOT_CONVERGED,
                           "gap", system->gap[i], i, report);
        }
        if (system->gap[i] <= system->closed[i] + ds * system->reach[i]) {
            system->near_contacts[system->near_count++] = i;
        }
    }
    return CAROM_OK;
}

/** J M^-1 J' between two near contacts. */
static void fill_delassus_block(carom_inclusion_system *system, int i, int j) {
    const int n = system->coordinate_count;
    const int r = system->row_count;
    for (int a = -1; a < system->tangent_count; a++) {
        const int row = a < 0 ? i : tangential_row(system, i, a);
        for (int b = -1; b < system->tangent_count; b++) {
            const int column = b < 0 ? j : tangential_row(system, j, b);
            const double value =
                carom_vector_dot(n, system->jacobian + row * n, system->response + column * n);
            system->delassus[row * r + column] = value;
            system->delassus[column * r + row] = value;
        }
    }
}

carom_status carom_inclusion_system_load(carom_inclusion_system *system, double t, const double *q,
                                         const double *v, double ds, carom_report *report) {
    CAROM_TRY(evaluate(system, t, q, v, report));
    derive_rows(system, v);
    const bool is_start = !(system->distance > 0.0);
    find_reach(system, v, ds);
    CAROM_TRY(find_near(system, q, t, ds, is_start, report));
    for (int k = 0; k < system->near_count; k++) {
        for (int l = 0; l <= k; l++) {
            fill_delassus_block(system, system->near_contacts[k], system->near_contacts[l]);
        }
    }
    return CAROM_OK;
}

void carom_inclusion_system_velocity(const carom_inclusion_system *system, const double *v,
                                     double dt, const double *L, double *v_post) {
    const int n = system->coordinate_count;
    for (int i = 0; i < n; i++) {
        v_post[i] = v[i] + dt * system->free_acceleration[i];
    }
    for (int a = 0; a < system->row_count; a++) {
        for (int i = 0; i < n && fabs(L[a]) > 0.0; i++) {
            v_post[i] += L[a] * system->response[a * n + i];
        }
    }
}
