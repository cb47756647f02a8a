#include <carom/base/vector.h>
#include <carom/timestepping/variational/step_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Differences for J, of the speed of a coordinate: errors of 1e-6 in the nonlinear part of J and
 * 1e-10 from rounding only slow the iteration. */
static const double DIFFERENCE = 1e-6;

static bool is_candidate_row(const carom_variational_newton *newton, int row) {
    return newton->equations
        ->candidate[carom_variational_equations_constraint(newton->equations, row)];
}

/* Gradients of the gap rates, G(q_{k+1}), and of the sliding, H + (h/2) d(H v)/dq, and the size
 * that rounding of q has in it. */
static void assemble_rows(carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const carom_mechanism *mechanism = eq->mechanism;
    const size_t normal_count = (size_t)eq->c * (size_t)eq->n;
    const size_t tangent_count = (size_t)(eq->m * eq->t) * (size_t)eq->n;
    double *tangential = newton->rows + normal_count;
    memcpy(newton->rows, eq->normal_end, normal_count * sizeof(double));
    memset(tangential, 0, tangent_count * sizeof(double));
    if (mechanism->tangential_rate_derivative != NULL) {
        carom_mechanism_tangential_rate_derivative(mechanism, eq->position_mid, eq->velocity,
                                                   tangential);
    }
    for (int row = 0; row < eq->m * eq->t; row++) {
        double size = 0.0;
        for (int j = 0; j < eq->n; j++) {
            size += fabs(tangential[row * eq->n + j] * eq->position_mid[j]);
        }
        newton->sliding_size[row] = size;
    }
    for (size_t k = 0; k < tangent_count; k++) {
        tangential[k] = eq->tangent[k] + 0.5 * eq->h * tangential[k];
    }
}

/* J^-1 G(q_k)', J^-1 H', and S. */
static void assemble_compliance(carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const int n = eq->n;
    const int N = newton->row_count;
    const size_t normal_count = (size_t)eq->c * (size_t)n;
    memcpy(newton->responses, eq->normal_begin, normal_count * sizeof(double));
    memcpy(newton->responses + normal_count, eq->tangent,
           (size_t)(eq->m * eq->t) * (size_t)n * sizeof(double));
    for (int column = 0; column < N; column++) {
        if (is_candidate_row(newton, column)) {
            carom_factor_solve(newton->factor, newton->responses + column * n);
        }
    }
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            const bool is_used = is_candidate_row(newton, row) && is_candidate_row(newton, column);
            newton->compliance[row * N + column] =
                is_used
                    ? carom_vector_dot(n, newton->rows + row * n, newton->responses + column * n)
                    : 0.0;
        }
    }
}

static carom_status factor_matrices(carom_variational_newton *newton) {
    CAROM_TRY(carom_factor_compute(newton->factor, newton->jacobian));
    if (newton->equations->has_candidates) {
        assemble_compliance(newton);
    }
    return CAROM_OK;
}

/* J of the closed form, and the size that rounding of q has in the load. */
static void assemble_jacobian(carom_variational_newton *newton) {
    carom_variational_equations *eq = newton->equations;
    const carom_mechanism *mechanism = eq->mechanism;
    const int n = eq->n;
    const double half = 0.5 * eq->h;
    const double t_mid = eq->time + half;
    memcpy(newton->jacobian, eq->mass_begin, (size_t)n * (size_t)n * sizeof(double));
    memset(newton->position_size, 0, (size_t)n * sizeof(double));
    if (mechanism->damping != NULL) {
        mechanism->damping(t_mid, eq->position_mid, eq->velocity, eq->matrix, mechanism->context);
        carom_variational_equations_expand(eq, half, eq->matrix, newton->jacobian);
    }
    if (mechanism->stiffness == NULL) {
        return;
    }
    mechanism->stiffness(t_mid, eq->position_mid, eq->velocity, eq->matrix, mechanism->context);
    carom_variational_equations_expand(eq, half * half, eq->matrix, newton->jacobian);
    const carom_layout layout = mechanism->layout;
    for (int i = 0; i < n; i++) {
        const int end = carom_layout_end_column(layout, i);
        for (int j = carom_layout_first_column(layout, i); j < end; j++) {
            newton->position_size[i] +=
                half * fabs(eq->matrix[carom_layout_index(layout, i, j)] * eq->position_mid[j]);
        }
    }
}

carom_status carom_variational_matrices_assemble(carom_variational_newton *newton) {
    assemble_jacobian(newton);
    if (newton->equations->has_candidates) {
        assemble_rows(newton);
    }
    return factor_matrices(newton);
}

carom_status carom_variational_matrices_differentiate(carom_variational_newton *newton) {
    carom_variational_equations *eq = newton->equations;
    const int n = eq->n;
    const double twice_energy = fabs(carom_vector_dot(n, eq->velocity, eq->inertia));
    if (!(twice_energy > 0.0)) {
        return CAROM_OK; /* nothing moves: no size for the differences */
    }
    if (eq->has_candidates) {
        assemble_rows(newton);
    }
    for (int j = 0; j < n; j++) {
        const double kept = eq->velocity[j];
        const double speed = sqrt(twice_energy / fabs(eq->mass_begin[j * n + j]));
        eq->velocity[j] = kept + DIFFERENCE * fmax(speed, fabs(kept));
        const double difference = eq->velocity[j] - kept;
        carom_variational_equations_probe(eq, eq->velocity, newton->probe);
        eq->velocity[j] = kept;
        for (int i = 0; i < n; i++) {
            newton->jacobian[i * n + j] = -(newton->probe[i] - eq->residual[i]) / difference;
        }
    }
    /* the tangents at the iterate again */
    carom_variational_equations_probe(eq, eq->velocity, newton->probe);
    return factor_matrices(newton);
}
