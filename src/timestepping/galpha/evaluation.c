#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>
#include <carom/timestepping/galpha/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The rows of a pattern behind those that are there; of a matrix without one all entries. */
static void append_rows(carom_evaluation *evaluation, carom_mechanism_pattern pattern, int first,
                        int rows) {
    for (int i = 0; i < rows; i++) {
        const int begin = evaluation->row_start[first + i];
        const int count =
            pattern.start != NULL ? pattern.start[i + 1] - pattern.start[i] : evaluation->n;
        for (int k = 0; k < count; k++) {
            evaluation->row_column[begin + k] =
                pattern.start != NULL ? pattern.column[pattern.start[i] + k] : k;
        }
        evaluation->row_start[first + i + 1] = begin + count;
    }
}

/* One pattern of all rows, if G or H has one. @return CAROM_OK; OUT_OF_MEMORY */
static carom_status make_pattern(carom_evaluation *evaluation, size_t entries) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    const int tangents = evaluation->row_count - evaluation->m;
    if (mechanism->constraint_pattern.start == NULL &&
        (tangents == 0 || mechanism->tangential_pattern.start == NULL)) {
        return CAROM_OK;
    }
    evaluation->row_start =
        calloc((size_t)evaluation->row_count + 1 + entries, sizeof *evaluation->row_start);
    if (evaluation->row_start == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    evaluation->row_column = evaluation->row_start + evaluation->row_count + 1;
    carom_evaluation_take_patterns(evaluation);
    return CAROM_OK;
}

void carom_evaluation_take_patterns(carom_evaluation *evaluation) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    evaluation->has_point = false;
    if (evaluation->row_start != NULL) {
        append_rows(evaluation, mechanism->constraint_pattern, 0, evaluation->m);
        append_rows(evaluation, mechanism->tangential_pattern, evaluation->m,
                    evaluation->row_count - evaluation->m);
    }
}

carom_status carom_evaluation_init(carom_evaluation *evaluation, const carom_mechanism *mechanism) {
    *evaluation = (carom_evaluation){0};
    const size_t n = (size_t)mechanism->coordinate_count;
    const size_t positions = (size_t)carom_mechanism_position_count(mechanism);
    const size_t m = (size_t)carom_mechanism_constraint_count(mechanism);
    const int tangents = carom_mechanism_has_friction(mechanism) ? mechanism->tangent_count : 0;
    const size_t rows = m + (size_t)mechanism->contact_count * (size_t)tangents;
    const size_t velocities =
        m + (size_t)mechanism->contact_count * (size_t)mechanism->tangent_count;
    const size_t entries = carom_layout_entry_count(mechanism->layout);
    const size_t stored = carom_mechanism_constraint_entry_room(mechanism) +
                          (tangents > 0 ? carom_mechanism_tangential_entry_room(mechanism) : 0);
    evaluation->memory =
        calloc(4 * entries + 5 * n + 2 * positions + 3 * m + velocities + rows + 2 * stored,
               sizeof(double));
    if (evaluation->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    evaluation->mechanism = mechanism;
    evaluation->n = (int)n;
    evaluation->position_count = (int)positions;
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
    evaluation->row = evaluation->supports + velocities;
    evaluation->rate_row = evaluation->row + n;
    evaluation->position = evaluation->rate_row + n;
    evaluation->row_position = evaluation->position + positions;
    evaluation->velocity = evaluation->row_position + positions;
    evaluation->rate = evaluation->velocity + n;
    evaluation->jacobian = evaluation->rate + rows;
    evaluation->rates = evaluation->jacobian + stored;
    evaluation->entry_count = stored;
    return make_pattern(evaluation, stored);
}

void carom_evaluation_clear(carom_evaluation *evaluation) {
    free(evaluation->memory);
    free(evaluation->row_start);
    *evaluation = (carom_evaluation){0};
}

/* The rows of the tangents, behind those of the constraints. */
static double *tangents_of(const carom_evaluation *evaluation, double *rows) {
    return rows + carom_mechanism_constraint_entry_count(evaluation->mechanism);
}

void carom_evaluation_forget(carom_evaluation *evaluation) {
    evaluation->has_point = false;
}

void carom_evaluation_constraints(carom_evaluation *evaluation, double t, const double *q) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    evaluation->has_constraints = false;
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

double carom_evaluation_time_rounding(const carom_evaluation *evaluation, int j, double t) {
    return 4.0 * DBL_EPSILON * fabs(t) * fabs(evaluation->supports[j]);
}

/* Whether (q, v, t) is the last point, bit by bit. */
static bool is_last_point(const carom_evaluation *evaluation, double t, const double *q,
                          const double *v) {
    return evaluation->has_point && fabs(evaluation->time - t) <= 0.0 &&
           memcmp(evaluation->position, q, (size_t)evaluation->position_count * sizeof *q) == 0 &&
           memcmp(evaluation->velocity, v, (size_t)evaluation->n * sizeof *v) == 0;
}

static void take_rows(carom_evaluation *evaluation, const double *q) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    if (evaluation->m > 0) {
        mechanism->constraint_jacobian(q, evaluation->jacobian, mechanism->context);
    }
    if (evaluation->tangent_count > 0) {
        mechanism->tangential_jacobian(q, tangents_of(evaluation, evaluation->jacobian),
                                       mechanism->context);
    }
}

void carom_evaluation_hold_rows(carom_evaluation *evaluation, const double *q, const double *a) {
    carom_mechanism_advance(evaluation->mechanism, q, a, evaluation->row_position);
    take_rows(evaluation, evaluation->row_position);
    evaluation->holds_rows = true;
    evaluation->has_point = false;
}

void carom_evaluation_release_rows(carom_evaluation *evaluation) {
    evaluation->holds_rows = false;
    evaluation->has_point = false;
}

void carom_evaluation_motion(carom_evaluation *evaluation, double t, const double *q,
                             const double *v) {
    const carom_mechanism *mechanism = evaluation->mechanism;
    carom_evaluation_supports(evaluation, t);
    if (is_last_point(evaluation, t, q, v)) {
        return;
    }
    evaluation->has_point = true;
    evaluation->has_constraints = false;
    evaluation->time = t;
    memcpy(evaluation->position, q, (size_t)evaluation->position_count * sizeof *q);
    memcpy(evaluation->velocity, v, (size_t)evaluation->n * sizeof *v);
    mechanism->mass(q, evaluation->mass, mechanism->context);
    mechanism->force(t, q, v, evaluation->force, mechanism->context);
    if (!evaluation->holds_rows) {
        take_rows(evaluation, q);
    }
    for (int j = 0; j < evaluation->row_count; j++) {
        evaluation->rate[j] = carom_evaluation_rate(evaluation, j, v);
    }
}

void carom_evaluation_point(carom_evaluation *evaluation, double t, const double *q,
                            const double *v) {
    carom_evaluation_motion(evaluation, t, q, v);
    if (!evaluation->has_constraints) {
        carom_evaluation_constraints(evaluation, t, q);
        evaluation->has_constraints = true;
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
    if (mechanism->constraint_force_derivative != NULL && !evaluation->holds_rows) {
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
    const bool may_turn = !evaluation->holds_rows;
    const bool is_curved = may_turn && mechanism->constraint_rate_derivative != NULL;
    const bool turns =
        may_turn && evaluation->tangent_count > 0 && mechanism->tangential_rate_derivative != NULL;
    memset(evaluation->rates, 0, evaluation->entry_count * sizeof(double));
    if (is_curved) {
        mechanism->constraint_rate_derivative(q, v, evaluation->rates, mechanism->context);
    }
    if (turns) {
        mechanism->tangential_rate_derivative(q, v, tangents_of(evaluation, evaluation->rates),
                                              mechanism->context);
    }
    return is_curved || turns;
}

/* Row j of matrix A, in `full` if A is stored by a pattern. */
static const double *full_row(const carom_evaluation *evaluation, const double *A, int j,
                              double *full) {
    if (evaluation->row_start == NULL) {
        return A + (size_t)j * (size_t)evaluation->n;
    }
    memset(full, 0, (size_t)evaluation->n * sizeof *full);
    for (int k = evaluation->row_start[j]; k < evaluation->row_start[j + 1]; k++) {
        full[evaluation->row_column[k]] = A[k];
    }
    return full;
}

const double *carom_evaluation_row(const carom_evaluation *evaluation, int j) {
    return full_row(evaluation, evaluation->jacobian, j, evaluation->row);
}

const double *carom_evaluation_rate_row(const carom_evaluation *evaluation, int j) {
    return full_row(evaluation, evaluation->rates, j, evaluation->rate_row);
}

double carom_evaluation_product(const carom_evaluation *evaluation, int j, const double *x) {
    const carom_evaluation_entries row = carom_evaluation_entries_of(evaluation, j);
    double sum = 0.0;
    if (row.column == NULL) {
        for (int i = 0; i < row.end; i++) {
            sum += row.value[i] * x[i];
        }
        return sum;
    }
    for (int k = row.first; k < row.end; k++) {
        sum += row.value[k] * x[row.column[k]];
    }
    return sum;
}

double carom_evaluation_rate_product(const carom_evaluation *evaluation, int j, const double *x) {
    const carom_evaluation_entries row = carom_evaluation_entries_of(evaluation, j);
    const double *rates = evaluation->rates + (row.value - evaluation->jacobian);
    double sum = 0.0;
    for (int k = row.first; k < row.end; k++) {
        sum += rates[k] * x[row.column != NULL ? row.column[k] : k];
    }
    return sum;
}

double carom_evaluation_rate(const carom_evaluation *evaluation, int j, const double *v) {
    return carom_evaluation_product(evaluation, j, v) + evaluation->supports[j];
}

void carom_evaluation_add_row(const carom_evaluation *evaluation, int j, double alpha, double *y) {
    const carom_evaluation_entries row = carom_evaluation_entries_of(evaluation, j);
    if (row.column == NULL) {
        for (int i = 0; i < row.end; i++) {
            y[i] += alpha * row.value[i];
        }
        return;
    }
    for (int k = row.first; k < row.end; k++) {
        y[row.column[k]] += alpha * row.value[k];
    }
}

void carom_evaluation_add_sizes(const carom_evaluation *evaluation, int rows, const double *x,
                                double *y) {
    if (evaluation->row_start == NULL) {
        carom_scale_add_product(rows, evaluation->n, evaluation->jacobian, x, y);
        return;
    }
    const double *value = evaluation->jacobian;
    const int *column = evaluation->row_column;
    for (int j = 0; j < rows; j++) {
        double sum = y[j];
        for (int k = evaluation->row_start[j]; k < evaluation->row_start[j + 1]; k++) {
            sum += fabs(value[k] * x[column[k]]);
        }
        y[j] = sum;
    }
}

void carom_evaluation_add_transposed_sizes(const carom_evaluation *evaluation, const double *x,
                                           double *y) {
    if (evaluation->row_start == NULL) {
        carom_scale_add_transposed(evaluation->row_count, evaluation->n, evaluation->jacobian, x,
                                   y);
        return;
    }
    const double *value = evaluation->jacobian;
    const int *column = evaluation->row_column;
    for (int j = 0; j < evaluation->row_count; j++) {
        const int end = evaluation->row_start[j + 1];
        for (int k = evaluation->row_start[j]; k < end; k++) {
            y[column[k]] += fabs(value[k] * x[j]);
        }
    }
}
