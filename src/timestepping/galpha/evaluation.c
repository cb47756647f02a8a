#include <carom/base/linear_algebra.h>
#include <carom/timestepping/galpha/internal.h>

#include <stdlib.h>
#include <string.h>

carom_status carom_evaluation_init(carom_evaluation *evaluation, const carom_mechanism *mechanism) {
    *evaluation = (carom_evaluation){0};
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t m = (size_t)carom_mechanism_constraint_count(mechanism);
    const int tangents = carom_mechanism_has_friction(mechanism) ? mechanism->tangent_count : 0;
    const size_t rows = m + (size_t)mechanism->contact_count * (size_t)tangents;
    const size_t velocities = m + (size_t)(mechanism->contact_count * mechanism->tangent_count);
    const size_t entries = carom_layout_entry_count(mechanism->layout);
    evaluation->memory =
        calloc(4 * entries + 2 * n + 3 * m + velocities + 2 * rows * n, sizeof(double));
    if (evaluation->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    evaluation->mechanism = mechanism;
    evaluation->n = (int)n;
    evaluation->m = (int)m;
    evaluation->tangent_count = tangents;
    evaluation->row_count = (int)rows;
    evaluation->mass = evaluation->memory;
    evaluation->stiffness = evaluation->mass + entries;
    evaluation->damping = evaluation->stiffness + entries;
    evaluation->derivative = evaluation->damping + entries;
    evaluation->force = evaluation->derivative + entries;
    evaluation->coordinate = evaluation->force + n;
    evaluation->constraint = evaluation->coordinate + n;
    evaluation->multiplier = evaluation->constraint + m;
    evaluation->offset = evaluation->multiplier + m;
    evaluation->supports = evaluation->offset + m;
    evaluation->jacobian = evaluation->supports + velocities;
    evaluation->rates = evaluation->jacobian + rows * n;
    return CAROM_OK;
}

void carom_evaluation_clear(carom_evaluation *evaluation) {
    free(evaluation->memory);
    *evaluation = (carom_evaluation){0};
}

/* The rows of the tangents, behind those of the constraints. */
static double *tangents_of(const carom_evaluation *evaluation, double *rows) {
    return rows + (size_t)evaluation->m * (size_t)evaluation->n;
}

void carom_evaluation_constraints(carom_evaluation *evaluation, double t, const double *q) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    if (evaluation->m > 0) {
        mechanism->constraints(q, evaluation->constraint, mechanism->context);
    }
    if (mechanism->constraint_offset != NULL) {
        mechanism->constraint_offset(t, evaluation->offset, mechanism->context);
        for (int j = 0; j < evaluation->m; j++) {
            evaluation->constraint[j] += evaluation->offset[j];
        }
    }
}

void carom_evaluation_supports(carom_evaluation *evaluation, double t) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    if (mechanism->constraint_velocity != NULL) {
        mechanism->constraint_velocity(t, evaluation->supports, mechanism->context);
    }
}

void carom_evaluation_point(carom_evaluation *evaluation, double t, const double *q,
                            const double *v) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    mechanism->mass(q, evaluation->mass, mechanism->context);
    mechanism->force(t, q, v, evaluation->force, mechanism->context);
    carom_evaluation_constraints(evaluation, t, q);
    carom_evaluation_supports(evaluation, t);
    if (evaluation->m > 0) {
        carom_mechanism_constraint_jacobian(mechanism, q, evaluation->jacobian);
    }
    if (evaluation->tangent_count > 0) {
        carom_mechanism_tangential_jacobian(mechanism, q,
                                            tangents_of(evaluation, evaluation->jacobian));
    }
}

void carom_evaluation_add_inertia_derivative(carom_evaluation *evaluation, const double *q,
                                             const double *a, const double *lambda,
                                             const bool *active, double *matrix) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    if (mechanism->mass_derivative != NULL) {
        mechanism->mass_derivative(q, a, evaluation->derivative, mechanism->context);
        carom_layout_add(mechanism->layout, 1.0, evaluation->derivative, matrix);
    }
    if (mechanism->constraint_force_derivative != NULL) {
        for (int j = 0; j < evaluation->m; j++) {
            evaluation->multiplier[j] = active == NULL || active[j] ? lambda[j] : 0.0;
        }
        mechanism->constraint_force_derivative(q, evaluation->multiplier, evaluation->derivative,
                                               mechanism->context);
        carom_layout_add(mechanism->layout, -1.0, evaluation->derivative, matrix);
    }
}

void carom_evaluation_tangents(carom_evaluation *evaluation, double t, const double *q,
                               const double *v) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    const size_t bytes = carom_layout_entry_count(mechanism->layout) * sizeof(double);
    if (mechanism->stiffness != NULL) {
        mechanism->stiffness(t, q, v, evaluation->stiffness, mechanism->context);
    } else {
        memset(evaluation->stiffness, 0, bytes);
    }
    if (mechanism->damping != NULL) {
        mechanism->damping(t, q, v, evaluation->damping, mechanism->context);
    } else {
        memset(evaluation->damping, 0, bytes);
    }
}

bool carom_evaluation_rate_derivative(carom_evaluation *evaluation, const double *q,
                                      const double *v) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    const bool is_curved = mechanism->constraint_rate_derivative != NULL;
    const bool turns =
        evaluation->tangent_count > 0 && mechanism->tangential_rate_derivative != NULL;
    memset(evaluation->rates, 0,
           (size_t)evaluation->row_count * (size_t)evaluation->n * sizeof(double));
    if (is_curved) {
        carom_mechanism_constraint_rate_derivative(mechanism, q, v, evaluation->rates);
    }
    if (turns) {
        carom_mechanism_tangential_rate_derivative(mechanism, q, v,
                                                   tangents_of(evaluation, evaluation->rates));
    }
    return is_curved || turns;
}

const double *carom_evaluation_row(const carom_evaluation *evaluation, int j) {
    return evaluation->jacobian + (size_t)j * (size_t)evaluation->n;
}

double carom_evaluation_product(const carom_evaluation *evaluation, int j, const double *x) {
    const double *row = carom_evaluation_row(evaluation, j);
    double sum = 0.0;
    for (int i = 0; i < evaluation->n; i++) {
        sum += row[i] * x[i];
    }
    return sum;
}

double carom_evaluation_rate(const carom_evaluation *evaluation, int j, const double *v) {
    return carom_evaluation_product(evaluation, j, v) + evaluation->supports[j];
}
