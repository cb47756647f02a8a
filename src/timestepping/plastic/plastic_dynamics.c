#include <carom/timestepping/plastic/internal.h>

#include <carom/base/scales.h>
#include <carom/base/vector.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Roundings of each product of G v. */
static const double ROUNDINGS_OF_RATE = 4.0;

/* The normal acceleration is a difference of forces that nearly balance. Its rounding is this part
 * of what they would give if all had one direction: 1e-15 times a condition number of M of 1e5. */
static const double ROUNDING_OF_ACCELERATION = 1e-10;

carom_status carom_plastic_dynamics_init(carom_plastic_dynamics *d,
                                         const carom_mechanism *mechanism) {
    *d = (carom_plastic_dynamics){.mechanism = mechanism, .n = mechanism->coordinate_count};
    const size_t n = (size_t)d->n;
    const size_t entries = carom_layout_entry_count(mechanism->layout);
    d->memory = calloc(entries + 7 * n, sizeof(double));
    if (d->memory == NULL || carom_factor_alloc(mechanism->layout, &d->factor) != CAROM_OK) {
        carom_plastic_dynamics_clear(d);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    d->mass = d->memory;
    d->force = d->mass + entries;
    d->acceleration = d->force + n;
    d->jacobian = d->acceleration + n;
    d->rates = d->jacobian + n;
    d->response = d->rates + n;
    d->inverse_mass = d->response + n;
    d->column = d->inverse_mass + n;
    return CAROM_OK;
}

void carom_plastic_dynamics_clear(carom_plastic_dynamics *d) {
    carom_factor_free(d->factor);
    free(d->memory);
    *d = (carom_plastic_dynamics){0};
}

/* Sum of the sizes of the terms of a product. */
static double dot_of_sizes(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += fabs(a[i] * b[i]);
    }
    return sum;
}

static carom_status factor_mass(carom_plastic_dynamics *d, const double *q, carom_report *report) {
    d->mechanism->mass(q, d->mass, d->mechanism->context);
    const carom_status status = carom_factor_compute(d->factor, d->mass);
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "mass", (double)NAN, -1);
    }
    return CAROM_OK;
}

/* a = M^-1 f */
static carom_status accelerate_freely(carom_plastic_dynamics *d, double t, const double *q,
                                      const double *v, carom_report *report) {
    CAROM_TRY(factor_mass(d, q, report));
    d->mechanism->force(t, q, v, d->force, d->mechanism->context);
    memcpy(d->acceleration, d->force, (size_t)d->n * sizeof(double));
    carom_factor_solve(d->factor, d->acceleration);
    return carom_report_require_finite(report, "acceleration", d->n, d->acceleration);
}

/* G, M^-1 G' and G M^-1 G' with the last factor. */
static void evaluate_normal(carom_plastic_dynamics *d, const double *q) {
    carom_mechanism_constraint_jacobian(d->mechanism, q, d->jacobian);
    memcpy(d->response, d->jacobian, (size_t)d->n * sizeof(double));
    carom_factor_solve(d->factor, d->response);
    d->normal_compliance = carom_vector_dot(d->n, d->jacobian, d->response);
}

static carom_status require_compliance(const carom_plastic_dynamics *d, carom_report *report) {
    const double value = d->normal_compliance;
    if (isfinite(value) && value > 0.0) {
        return CAROM_OK;
    }
    const carom_status status = isfinite(value) ? CAROM_STATUS_SINGULAR : CAROM_STATUS_NOT_FINITE;
    return carom_report_fail(report, status, "constraint jacobian", value, 0);
}

/* d(G v)/dq, zero where the gap is affine. */
static void evaluate_rates(carom_plastic_dynamics *d, const double *q, const double *v) {
    if (d->mechanism->constraint_rate_derivative != NULL) {
        carom_mechanism_constraint_rate_derivative(d->mechanism, q, v, d->rates);
    }
}

/* F = -(G M^-1 f + (d(G v)/dq) v) / (G M^-1 G'), added to a. */
static carom_status hold_contact(carom_plastic_dynamics *d, const double *v, carom_report *report) {
    CAROM_TRY(require_compliance(d, report));
    const double normal =
        carom_vector_dot(d->n, d->jacobian, d->acceleration) + carom_vector_dot(d->n, d->rates, v);
    if (!isfinite(normal)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "normal acceleration", normal, 0);
    }
    d->contact_force = -normal / d->normal_compliance;
    for (int i = 0; i < d->n; i++) {
        d->acceleration[i] += d->response[i] * d->contact_force;
    }
    return CAROM_OK;
}

carom_status carom_plastic_dynamics_accelerate(carom_plastic_dynamics *d, double t, const double *q,
                                               const double *v, bool is_closed,
                                               carom_report *report) {
    d->contact_force = 0.0;
    CAROM_TRY(accelerate_freely(d, t, q, v, report));
    if (!is_closed) {
        return CAROM_OK;
    }
    evaluate_normal(d, q);
    evaluate_rates(d, q, v);
    return hold_contact(d, v, report);
}

carom_status carom_plastic_dynamics_observe(carom_plastic_dynamics *d, double t, const double *q,
                                            const double *v, bool is_closed, carom_report *report) {
    d->contact_force = 0.0;
    CAROM_TRY(accelerate_freely(d, t, q, v, report));
    evaluate_normal(d, q);
    evaluate_rates(d, q, v);

    d->mechanism->constraints(q, &d->gap, d->mechanism->context);
    d->gap_rate = carom_vector_dot(d->n, d->jacobian, v);
    d->gap_rate_rounding =
        ROUNDINGS_OF_RATE * DBL_EPSILON * d->n * dot_of_sizes(d->n, d->jacobian, v);

    /* |G M^-1 f| <= sqrt(G M^-1 G' f' M^-1 f), by Cauchy and Schwarz */
    d->force_square = fmax(0.0, carom_vector_dot(d->n, d->force, d->acceleration));
    const double largest = sqrt(d->normal_compliance) * sqrt(d->force_square);
    d->normal_rounding = ROUNDING_OF_ACCELERATION * (largest + dot_of_sizes(d->n, d->rates, v));
    if (!isfinite(d->gap)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "gap", d->gap, 0);
    }
    if (!isfinite(d->gap_rate)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "gap rate", d->gap_rate, 0);
    }
    return is_closed ? hold_contact(d, v, report) : CAROM_OK;
}

/* x' M x with the last M. */
static double square_in_mass(carom_plastic_dynamics *d, const double *x) {
    memset(d->column, 0, (size_t)d->n * sizeof(double));
    carom_layout_multiply_add(d->mechanism->layout, 1.0, d->mass, x, d->column);
    return carom_vector_dot(d->n, x, d->column);
}

double carom_plastic_dynamics_kinetic_energy(carom_plastic_dynamics *d, const double *v) {
    return 0.5 * square_in_mass(d, v);
}

carom_status carom_plastic_dynamics_measure(carom_plastic_dynamics *d, const double *q,
                                            const double *v, carom_report *report) {
    /* |f' q| <= sqrt(f' M^-1 f) sqrt(q' M q), by Cauchy and Schwarz */
    const double place = sqrt(fmax(0.0, square_in_mass(d, q)));
    d->energy = carom_plastic_dynamics_kinetic_energy(d, v) + sqrt(d->force_square) * place;
    d->length = sqrt(fmax(0.0, d->normal_compliance)) * place;
    d->speed = carom_scale_speed(d->energy, fmax(0.0, d->normal_compliance));
    for (int i = 0; i < d->n; i++) {
        memset(d->column, 0, (size_t)d->n * sizeof(double));
        d->column[i] = 1.0;
        carom_factor_solve(d->factor, d->column);
        d->inverse_mass[i] = d->column[i];
        if (!(d->inverse_mass[i] > 0.0)) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "mass", (double)NAN, i);
        }
    }
    return CAROM_OK;
}

/* M, G and what follows of them, for a contact that is to be held. */
static carom_status prepare_projection(carom_plastic_dynamics *d, const double *q,
                                       carom_report *report) {
    CAROM_TRY(factor_mass(d, q, report));
    evaluate_normal(d, q);
    return require_compliance(d, report);
}

carom_status carom_plastic_dynamics_project(carom_plastic_dynamics *d, double *q, double *v,
                                            carom_report *report) {
    /* q - M^-1 G' (G M^-1 G')^-1 g */
    CAROM_TRY(prepare_projection(d, q, report));
    d->mechanism->constraints(q, &d->gap, d->mechanism->context);
    for (int i = 0; i < d->n; i++) {
        q[i] -= d->response[i] * (d->gap / d->normal_compliance);
    }

    /* v - M^-1 G' (G M^-1 G')^-1 G v */
    CAROM_TRY(prepare_projection(d, q, report));
    d->gap_rate = carom_vector_dot(d->n, d->jacobian, v);
    for (int i = 0; i < d->n; i++) {
        v[i] -= d->response[i] * (d->gap_rate / d->normal_compliance);
    }
    return CAROM_OK;
}
