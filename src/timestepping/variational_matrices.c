#include <carom/timestepping/variational_matrices.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Differences for J, of the speed of a coordinate: errors of 1e-6 in the nonlinear part of J and
 * 1e-10 from rounding only slow the iteration. */
static const double DIFFERENCE = 1e-6;

/* Signs at the end of a step count beyond this many tolerances, as those of the modes do. */
static const double CONSISTENCY_TOLERANCES = 1000.0;

/* End modes tried in order after proposals have failed: all of six rows. */
static const int MOST_END_MODES = 4096;

static double dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int j = 0; j < n; j++) {
        sum += a[j] * b[j];
    }
    return sum;
}

/* Contact of a row of S. */
static int contact_of(const carom_variational_newton *newton, int row) {
    const carom_variational_equations *eq = newton->equations;
    return row < eq->m ? row : (row - eq->m) / eq->t;
}

static bool is_candidate_row(const carom_variational_newton *newton, int row) {
    return newton->equations->candidate[contact_of(newton, row)];
}

/* Gradients of the gap rates, G(q_{k+1}), and of the sliding, H + (h/2) d(H v)/dq. */
static void assemble_rows(carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const carom_mechanism *mechanism = eq->mechanism;
    const size_t normal_count = (size_t)eq->m * (size_t)eq->n;
    const size_t tangent_count = normal_count * (size_t)eq->t;
    double *tangential = newton->rows + normal_count;
    memcpy(newton->rows, eq->normal_end, normal_count * sizeof(double));
    memset(tangential, 0, tangent_count * sizeof(double));
    if (mechanism->tangential_rate_derivative != NULL) {
        mechanism->tangential_rate_derivative(eq->position_mid, eq->velocity, tangential,
                                              mechanism->context);
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
    const size_t normal_count = (size_t)eq->m * (size_t)n;
    memcpy(newton->responses, eq->normal_begin, normal_count * sizeof(double));
    memcpy(newton->responses + normal_count, eq->tangent,
           normal_count * (size_t)eq->t * sizeof(double));
    for (int column = 0; column < N; column++) {
        if (is_candidate_row(newton, column)) {
            carom_factor_solve(newton->factor, newton->responses + column * n);
        }
    }
    for (int row = 0; row < N; row++) {
        for (int column = 0; column < N; column++) {
            const bool is_used = is_candidate_row(newton, row) && is_candidate_row(newton, column);
            newton->compliance[row * N + column] =
                is_used ? dot(n, newton->rows + row * n, newton->responses + column * n) : 0.0;
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
    const double twice_energy = fabs(dot(n, eq->velocity, eq->inertia));
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

/* -------------------------------------------------------------------------- the projection */

carom_status carom_variational_projection_init(carom_variational_projection *projection,
                                               const carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const size_t n = (size_t)eq->n;
    const size_t m = (size_t)eq->m;
    const size_t N = (size_t)newton->row_count;
    *projection = (carom_variational_projection){.newton = newton};
    projection->memory = calloc(2 * N * n + 2 * N * N + 4 * N + 1, sizeof(double));
    projection->mode = calloc(N - m + 1, sizeof(carom_variational_mode));
    if (projection->memory == NULL || projection->mode == NULL ||
        carom_minimum_norm_alloc(newton->row_count, &projection->solver) != CAROM_OK) {
        carom_variational_projection_clear(projection);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    projection->rows = projection->memory;
    projection->responses = projection->rows + N * n;
    projection->compliance = projection->responses + N * n;
    projection->reduced = projection->compliance + N * N;
    projection->length = projection->reduced + N * N;
    projection->rate = projection->length + N;
    projection->impulse = projection->rate + N;
    projection->speed = projection->impulse + N;
    return CAROM_OK;
}

void carom_variational_projection_clear(carom_variational_projection *projection) {
    carom_minimum_norm_free(projection->solver);
    free(projection->mode);
    free(projection->memory);
    *projection = (carom_variational_projection){0};
}

/* A row that may have an impulse: held normals, and tangents that stick at the midpoint. */
static bool is_open_to_impulse(const carom_variational_projection *projection, int row) {
    const carom_variational_equations *eq = projection->newton->equations;
    return row < eq->m ? eq->is_active[row] : carom_variational_equations_sticks(eq, row - eq->m);
}

static bool is_any_sticking(const carom_variational_equations *eq) {
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (carom_variational_equations_sticks(eq, row)) {
            return true;
        }
    }
    return false;
}

void carom_variational_projection_begin(carom_variational_projection *projection, const double *q,
                                        const double *v) {
    const carom_variational_newton *newton = projection->newton;
    const carom_variational_equations *eq = newton->equations;
    const int n = eq->n;
    const int N = newton->row_count;
    projection->tolerance =
        CONSISTENCY_TOLERANCES * newton->params.tolerance * newton->momentum_norm;
    eq->mechanism->constraint_jacobian(q, projection->rows, eq->mechanism->context);
    if (is_any_sticking(eq)) {
        eq->mechanism->tangential_jacobian(q, projection->rows + eq->m * n, eq->mechanism->context);
    }
    memset(projection->compliance, 0, (size_t)N * (size_t)N * sizeof(double));
    for (int i = 0; i < N; i++) {
        if (!is_open_to_impulse(projection, i)) {
            projection->length[i] = 1.0;
            projection->rate[i] = 0.0;
            continue;
        }
        const double *row = projection->rows + i * n;
        double *response = projection->responses + i * n;
        memcpy(response, row, (size_t)n * sizeof(double));
        carom_factor_solve(eq->mass, response);
        const double square = dot(n, row, response);
        projection->length[i] = square > 0.0 ? sqrt(square) : 1.0;
        projection->rate[i] = dot(n, row, v) / projection->length[i];
        for (int k = 0; k <= i; k++) {
            if (is_open_to_impulse(projection, k)) {
                const double product = dot(n, projection->rows + k * n, response);
                const double entry = product / (projection->length[i] * projection->length[k]);
                projection->compliance[i * N + k] = entry;
                projection->compliance[k * N + i] = entry;
            }
        }
    }
}

/* mu in unit rows. */
static double unit_friction(const carom_variational_projection *projection, int row) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int contact = row / eq->t;
    return carom_variational_equations_friction(eq, contact) * projection->length[eq->m + row] /
           projection->length[contact];
}

/* Sign of the sliding of a mode at the end. */
static double direction_of(carom_variational_mode mode) {
    return mode == CAROM_VARIATIONAL_FORWARD    ? 1.0
           : mode == CAROM_VARIATIONAL_BACKWARD ? -1.0
                                                : 0.0;
}

/* Impulse of a row over kappa, in unit rows; 0 where it is not a multiple of it. */
static double slip_share(const carom_variational_projection *projection, int row) {
    return -direction_of(projection->mode[row]) * unit_friction(projection, row);
}

/* Is a row an unknown for the end modes? */
static bool is_unknown(const carom_variational_projection *projection, int row) {
    const int m = projection->newton->equations->m;
    return is_open_to_impulse(projection, row) &&
           (row < m || projection->mode[row - m] == CAROM_VARIATIONAL_STICK);
}

/* Impulses and speeds of the end modes. */
static carom_status solve_end(carom_variational_projection *projection) {
    const int m = projection->newton->equations->m;
    const int t = projection->newton->equations->t;
    const int N = projection->newton->row_count;
    double *z = projection->impulse;
    memcpy(projection->reduced, projection->compliance, (size_t)N * (size_t)N * sizeof(double));
    for (int row = 0; row < N; row++) {
        double *entry = projection->reduced + row * N;
        const bool is_used = is_unknown(projection, row);
        z[row] = is_used ? -projection->rate[row] : 0.0;
        for (int a = 0; a < N - m; a++) {
            entry[a / t] += slip_share(projection, a) * entry[m + a];
        }
        for (int column = 0; column < N; column++) {
            const bool is_kept = is_used && is_unknown(projection, column);
            entry[column] = is_kept ? entry[column] : row == column ? 1.0 : 0.0;
        }
    }
    CAROM_TRY(carom_minimum_norm_compute(projection->solver, projection->reduced));
    CAROM_TRY(carom_minimum_norm_solve(projection->solver, z));
    for (int a = 0; a < N - m; a++) {
        z[m + a] += slip_share(projection, a) * z[a / t];
    }
    for (int row = 0; row < N; row++) {
        projection->speed[row] =
            projection->rate[row] + dot(N, projection->compliance + row * N, z);
    }
    return CAROM_OK;
}

/* ---------------------------------------------------------------------------- the end modes */

/* All rows that stick at the midpoint. */
static void set_modes(carom_variational_projection *projection, carom_variational_mode mode) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int row = 0; row < eq->m * eq->t; row++) {
        const bool is_used = carom_variational_equations_sticks(eq, row);
        projection->mode[row] = is_used ? mode : CAROM_VARIATIONAL_RELEASED;
    }
}

carom_status carom_variational_projection_release(carom_variational_projection *projection) {
    set_modes(projection, CAROM_VARIATIONAL_RELEASED);
    return solve_end(projection);
}

/* The mode that the law of friction proposes for a row; the one it has if it is consistent. */
static carom_variational_mode propose(const carom_variational_projection *projection, int row) {
    const carom_variational_equations *eq = projection->newton->equations;
    const carom_variational_mode mode = projection->mode[row];
    const double kappa = projection->impulse[row / eq->t];
    const double tolerance = projection->tolerance;
    if (!carom_variational_equations_sticks(eq, row)) {
        return mode;
    }
    if (mode == CAROM_VARIATIONAL_RELEASED) {
        return kappa > tolerance ? CAROM_VARIATIONAL_STICK : mode;
    }
    if (kappa < -tolerance) {
        return CAROM_VARIATIONAL_RELEASED;
    }
    if (mode != CAROM_VARIATIONAL_STICK) {
        const double along = direction_of(mode) * projection->speed[eq->m + row];
        return along < -tolerance ? CAROM_VARIATIONAL_STICK : mode;
    }
    const double mu = unit_friction(projection, row);
    const double friction = projection->impulse[eq->m + row];
    if (fabs(friction) <= mu * fmax(kappa, 0.0) + (1.0 + mu) * tolerance) {
        return mode;
    }
    return friction < 0.0 ? CAROM_VARIATIONAL_FORWARD : CAROM_VARIATIONAL_BACKWARD;
}

/* Do the unknown rows rest? Where sliding meets dependent rows the least squares may leave some. */
static bool is_solved(const carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    bool is_any_sliding = false;
    double fastest = 0.0;
    for (int row = 0; row < projection->newton->row_count; row++) {
        is_any_sliding = is_any_sliding ||
                         (row >= eq->m && fabs(direction_of(projection->mode[row - eq->m])) > 0.0);
        if (is_unknown(projection, row)) {
            fastest = fmax(fastest, fabs(projection->speed[row]));
        }
    }
    return !is_any_sliding || fastest <= projection->tolerance;
}

/* Does friction's law hold in all rows? */
static bool is_consistent(const carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (propose(projection, row) != projection->mode[row]) {
            return false;
        }
    }
    return is_solved(projection);
}

/* The combination after this one, all RELEASED after the last. */
static void go_on(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (carom_variational_equations_sticks(eq, row)) {
            const bool is_last = projection->mode[row] == CAROM_VARIATIONAL_BACKWARD;
            projection->mode[row] = is_last ? CAROM_VARIATIONAL_RELEASED
                                            : (carom_variational_mode)(projection->mode[row] + 1);
            if (!is_last) {
                return;
            }
        }
    }
}

carom_status carom_variational_projection_find(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int proposals = 2 * eq->m * eq->t + 2;
    int combinations = 1;
    set_modes(projection, CAROM_VARIATIONAL_STICK);
    for (int row = 0; row < eq->m * eq->t && combinations < MOST_END_MODES; row++) {
        combinations *= carom_variational_equations_sticks(eq, row) ? 4 : 1;
    }
    for (int k = 0; k < proposals + combinations; k++) {
        CAROM_TRY(solve_end(projection));
        if (is_consistent(projection)) {
            return CAROM_OK;
        }
        for (int row = 0; row < eq->m * eq->t && k < proposals; row++) {
            projection->mode[row] = propose(projection, row);
        }
        if (k == proposals - 1) {
            set_modes(projection, CAROM_VARIATIONAL_RELEASED);
        } else if (k >= proposals) {
            go_on(projection);
        }
    }
    return carom_variational_projection_release(projection);
}
