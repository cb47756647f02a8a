#include <carom/base/vector.h>
#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Signs at the end of a step count beyond this many tolerances, as those of the modes do. */
static const double CONSISTENCY_TOLERANCES = 1000.0;

/* End modes tried in order after proposals have failed: all of six rows. */
static const int MOST_END_MODES = 4096;

carom_status carom_variational_projection_init(carom_variational_projection *projection,
                                               const carom_variational_newton *newton) {
    const carom_variational_equations *eq = newton->equations;
    const size_t n = (size_t)eq->n;
    const size_t m = (size_t)eq->m;
    const size_t N = (size_t)newton->row_count;
    *projection = (carom_variational_projection){.newton = newton};
    projection->memory = calloc(2 * N * n + 2 * N * N + 4 * N + n, sizeof(double));
    projection->mode = calloc(N - m + 1, sizeof(carom_variational_contact_mode));
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
    projection->change = projection->speed + N;
    return CAROM_OK;
}

void carom_variational_projection_clear(carom_variational_projection *projection) {
    carom_minimum_norm_free(projection->solver);
    free(projection->mode);
    free(projection->memory);
    *projection = (carom_variational_projection){0};
}

/* --------------------------------------------------------------------------------- the matrices */

/* A row of a held contact with friction. */
static bool has_friction(const carom_variational_equations *eq, int row) {
    const int contact = row / eq->t;
    return eq->is_active[contact] && carom_variational_equations_friction(eq, contact) > 0.0;
}

/* A row that may have an impulse: held normals, and their tangents with friction. */
static bool is_open_to_impulse(const carom_variational_equations *eq, int row) {
    return row < eq->m ? eq->is_active[row] : has_friction(eq, row - eq->m);
}

/* G(q_{k+1}); H(q_{k+1}) of rows that stick, H(q_m) of others. */
static void assemble_rows(carom_variational_projection *projection, const double *q) {
    const carom_variational_equations *eq = projection->newton->equations;
    const carom_mechanism *mechanism = eq->mechanism;
    double *tangential = projection->rows + eq->m * eq->n;
    const int rows = eq->m * eq->t;
    int sticking = 0;
    for (int row = 0; row < rows; row++) {
        sticking += carom_variational_equations_sticks(eq, row) ? 1 : 0;
    }
    carom_mechanism_constraint_jacobian(mechanism, q, projection->rows);
    if (sticking > 0) {
        carom_mechanism_tangential_jacobian(mechanism, q, tangential);
    }
    for (int row = 0; row < rows && sticking < rows; row++) {
        if (!carom_variational_equations_sticks(eq, row)) {
            memcpy(tangential + row * eq->n, eq->tangent + row * eq->n,
                   (size_t)eq->n * sizeof(double));
        }
    }
}

void carom_variational_projection_begin(carom_variational_projection *projection, const double *q,
                                        const double *v) {
    const carom_variational_newton *newton = projection->newton;
    const carom_variational_equations *eq = newton->equations;
    const int n = eq->n;
    const int N = newton->row_count;
    projection->tolerance =
        CONSISTENCY_TOLERANCES * newton->params.tolerance * newton->momentum_norm;
    assemble_rows(projection, q);

    /* responses, lengths and rates */
    for (int i = 0; i < N; i++) {
        projection->length[i] = 1.0;
        projection->rate[i] = 0.0;
        if (!is_open_to_impulse(eq, i)) {
            continue;
        }
        const double *row = projection->rows + i * n;
        double *response = projection->responses + i * n;
        memcpy(response, i < eq->m ? row : eq->tangent + (i - eq->m) * n,
               (size_t)n * sizeof(double));
        carom_factor_solve(eq->mass, response);
        const double square = carom_vector_dot(n, row, response);
        projection->length[i] = square > 0.0 ? sqrt(square) : 1.0;
        projection->rate[i] = carom_vector_dot(n, row, v) / projection->length[i];
    }

    /* rows times responses */
    for (int i = 0; i < N; i++) {
        for (int k = 0; k < N; k++) {
            const bool is_used = is_open_to_impulse(eq, i) && is_open_to_impulse(eq, k);
            const double size = projection->length[i] * projection->length[k];
            projection->compliance[i * N + k] =
                is_used
                    ? carom_vector_dot(n, projection->rows + i * n, projection->responses + k * n) /
                          size
                    : 0.0;
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
static double direction_of(carom_variational_contact_mode mode) {
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
    const carom_variational_equations *eq = projection->newton->equations;
    return row < eq->m ? eq->is_active[row]
                       : projection->mode[row - eq->m] == CAROM_VARIATIONAL_STICK;
}

/* Impulses of the first half in unit rows, of the unknown rows; zeros where they are not wanted. */
static void set_origin(const carom_variational_projection *projection, double *origin) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int row = 0; row < projection->newton->row_count; row++) {
        const double impulse = row < eq->m ? eq->normal[row] : eq->friction[row - eq->m];
        const bool is_used = projection->is_near_first && is_unknown(projection, row);
        origin[row] = is_used ? impulse * projection->length[row] : 0.0;
    }
}

/* Impulses and speeds of the end modes; where rows are dependent, those of least norm or those
 * nearest to the first half. */
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
    double *origin = projection->speed;
    set_origin(projection, origin);
    for (int row = 0; row < N; row++) {
        z[row] -= carom_vector_dot(N, projection->reduced + row * N, origin);
    }
    CAROM_TRY(carom_minimum_norm_compute(projection->solver, projection->reduced));
    CAROM_TRY(carom_minimum_norm_solve(projection->solver, z));
    for (int row = 0; row < N; row++) {
        z[row] += origin[row];
    }
    for (int a = 0; a < N - m; a++) {
        z[m + a] += slip_share(projection, a) * z[a / t];
    }
    for (int row = 0; row < N; row++) {
        projection->speed[row] =
            projection->rate[row] + carom_vector_dot(N, projection->compliance + row * N, z);
    }
    return CAROM_OK;
}

/* -------------------------------------------------------------------------------- the end modes */

static void release(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int row = 0; row < eq->m * eq->t; row++) {
        projection->mode[row] = CAROM_VARIATIONAL_RELEASED;
    }
}

/* The mode that the law of friction proposes for a row; the one it has if it is consistent. Bounds
 * are strict, so that rounding makes a row slide, which then may slide backwards by the tolerance.
 * */
static carom_variational_contact_mode propose(const carom_variational_projection *projection,
                                              int row) {
    const carom_variational_equations *eq = projection->newton->equations;
    const carom_variational_contact_mode mode = projection->mode[row];
    const double kappa = projection->impulse[row / eq->t];
    if (!has_friction(eq, row)) {
        return mode;
    }
    if (mode == CAROM_VARIATIONAL_RELEASED) {
        return kappa > projection->tolerance ? eq->mode[row] : mode;
    }
    if (kappa < 0.0) {
        return CAROM_VARIATIONAL_RELEASED;
    }
    if (!carom_variational_equations_sticks(eq, row)) {
        return mode;
    }
    if (mode != CAROM_VARIATIONAL_STICK) {
        const double along = direction_of(mode) * projection->speed[eq->m + row];
        return along < -projection->tolerance ? CAROM_VARIATIONAL_STICK : mode;
    }
    const double friction = projection->impulse[eq->m + row];
    if (fabs(friction) <= unit_friction(projection, row) * kappa) {
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

/* Modes that a row may have at the end: all, or that of the midpoint and RELEASED. */
static int mode_count(const carom_variational_equations *eq, int row) {
    return carom_variational_equations_sticks(eq, row) ? 4 : has_friction(eq, row) ? 2 : 1;
}

/* The one after this, RELEASED after the last. */
static carom_variational_contact_mode next_mode(const carom_variational_equations *eq, int row,
                                                carom_variational_contact_mode mode) {
    if (!carom_variational_equations_sticks(eq, row)) {
        return mode == CAROM_VARIATIONAL_RELEASED ? eq->mode[row] : CAROM_VARIATIONAL_RELEASED;
    }
    return mode == CAROM_VARIATIONAL_BACKWARD ? CAROM_VARIATIONAL_RELEASED
                                              : (carom_variational_contact_mode)(mode + 1);
}

/* The combination after this one, all RELEASED after the last. */
static void go_on(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (has_friction(eq, row)) {
            projection->mode[row] = next_mode(eq, row, projection->mode[row]);
            if (projection->mode[row] != CAROM_VARIATIONAL_RELEASED) {
                return;
            }
        }
    }
}

/* The modes of the midpoint. @return combinations that are possible at the end, as far as tried */
static int begin_modes(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    int combinations = 1;
    for (int row = 0; row < eq->m * eq->t; row++) {
        const bool is_used = has_friction(eq, row);
        projection->mode[row] = is_used ? eq->mode[row] : CAROM_VARIATIONAL_RELEASED;
        combinations *= combinations < MOST_END_MODES ? mode_count(eq, row) : 1;
    }
    return combinations;
}

/* Search for end modes that are consistent, from those of the midpoint on; without friction if
 * there are none. */
static carom_status search_modes(carom_variational_projection *projection, bool *is_found) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int proposals = 2 * eq->m * eq->t + 2;
    const int combinations = begin_modes(projection);
    *is_found = true;
    for (int k = 0; k < proposals + combinations; k++) {
        CAROM_TRY(solve_end(projection));
        if (is_consistent(projection)) {
            return CAROM_OK;
        }
        for (int row = 0; row < eq->m * eq->t && k < proposals; row++) {
            projection->mode[row] = propose(projection, row);
        }
        if (k == proposals - 1) {
            release(projection);
        } else if (k >= proposals) {
            go_on(projection);
        }
    }
    *is_found = false;
    release(projection);
    return solve_end(projection);
}

/* Does a contact pull? */
static bool is_pulling(const carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int i = 0; i < eq->m; i++) {
        if (eq->is_active[i] && projection->impulse[i] < -projection->tolerance) {
            return true;
        }
    }
    return false;
}

carom_status carom_variational_projection_find(carom_variational_projection *projection) {
    bool is_found = false;
    projection->is_near_first = false;
    CAROM_TRY(search_modes(projection, &is_found));
    if (is_found && !is_pulling(projection)) {
        return CAROM_OK;
    }
    // Dependent contacts that share their load otherwise may all push, as in the first half.
    projection->is_near_first = true;
    CAROM_TRY(search_modes(projection, &is_found));
    if (is_found && !is_pulling(projection)) {
        return CAROM_OK;
    }
    projection->is_near_first = false;
    return search_modes(projection, &is_found);
}

/* ---------------------------------------------------------------------------------- dissipation */

/* Add an impulse along a row to a velocity. */
static void add_response(const carom_variational_projection *projection, int row, double impulse,
                         double *velocity) {
    const int n = projection->newton->equations->n;
    for (int j = 0; j < n; j++) {
        velocity[j] += impulse * projection->responses[row * n + j];
    }
}

carom_status carom_variational_projection_compare(carom_variational_projection *projection,
                                                  const double *v, const double *g,
                                                  double *energy) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int n = eq->n;
    double *change = projection->change;
    projection->is_near_first = false;
    *energy = 0.0;

    /* the change of velocity by f - g ... */
    memset(change, 0, (size_t)n * sizeof(double));
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (carom_variational_equations_sticks(eq, row)) {
            add_response(projection, eq->m + row, eq->friction[row] - g[row], change);
        }
    }

    /* ... and by the normal impulses that it asks for */
    for (int i = 0; i < eq->m; i++) {
        projection->rate[i] =
            eq->is_active[i]
                ? carom_vector_dot(n, projection->rows + i * n, change) / projection->length[i]
                : 0.0;
    }
    release(projection);
    CAROM_TRY(solve_end(projection));
    for (int i = 0; i < eq->m; i++) {
        if (eq->is_active[i]) {
            add_response(projection, i, projection->impulse[i] / projection->length[i], change);
        }
    }
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (carom_variational_equations_sticks(eq, row)) {
            const double *tangent = eq->tangent + row * n;
            *energy += (eq->friction[row] - g[row]) * (carom_vector_dot(n, tangent, v) +
                                                       0.5 * carom_vector_dot(n, tangent, change));
        }
    }
    return CAROM_OK;
}
