#include <carom/base/vector.h>
#include <carom/timestepping/variational/stepper_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Signs at the end of a step count beyond this many tolerances, as those of the modes do. */
static const double CONSISTENCY_TOLERANCES = 1000.0;

carom_status carom_variational_projection_init(carom_variational_projection *projection,
                                               const carom_variational_newton *newton,
                                               carom_variational_problem *problem) {
    const carom_variational_equations *eq = newton->equations;
    const size_t n = (size_t)eq->n;
    const size_t N = (size_t)newton->row_count;
    *projection = (carom_variational_projection){.newton = newton, .problem = problem};
    projection->memory = calloc(2 * N * n + 2 * N * N + 5 * N + n, sizeof(double));
    projection->mode = calloc((size_t)eq->m + 1, sizeof(carom_variational_contact_mode));
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
    projection->direction = projection->speed + N;
    projection->change = projection->direction + N;
    return CAROM_OK;
}

void carom_variational_projection_clear(carom_variational_projection *projection) {
    carom_minimum_norm_free(projection->solver);
    free(projection->mode);
    free(projection->memory);
    *projection = (carom_variational_projection){0};
}

/* --------------------------------------------------------------------------------- the matrices */

/* Is a contact held with friction? */
static bool has_friction(const carom_variational_equations *eq, int contact) {
    return eq->is_active[eq->b + contact] &&
           carom_variational_equations_friction(eq, contact) > 0.0;
}

/* A row that may have an impulse: joints, held normals, and their tangents with friction. */
static bool is_open_to_impulse(const carom_variational_equations *eq, int row) {
    return row < eq->c ? eq->is_active[row] : has_friction(eq, (row - eq->c) / eq->t);
}

/* G(q_{k+1}); H(q_{k+1}) of contacts that stick, H(q_m) of others. */
static void assemble_rows(carom_variational_projection *projection, const double *q) {
    const carom_variational_equations *eq = projection->newton->equations;
    const carom_mechanism *mechanism = eq->mechanism;
    double *tangential = projection->rows + eq->c * eq->n;
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
        memcpy(response, i < eq->c ? row : eq->tangent + (i - eq->c) * n,
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

/* Impulse of a tangent over kappa where the contact slides at the end, in unit rows; else 0. */
static double slip_share(const carom_variational_projection *projection, int tangent) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int contact = tangent / eq->t;
    if (projection->mode[contact] != CAROM_VARIATIONAL_SLIDE) {
        return 0.0;
    }
    return -carom_variational_equations_friction(eq, contact) * projection->direction[tangent] *
           projection->length[eq->c + tangent] / projection->length[eq->b + contact];
}

/* Is a row an unknown for the end modes? */
static bool is_unknown(const carom_variational_projection *projection, int row) {
    const carom_variational_equations *eq = projection->newton->equations;
    return row < eq->c ? eq->is_active[row]
                       : projection->mode[(row - eq->c) / eq->t] == CAROM_VARIATIONAL_STICK;
}

/* Impulses and speeds of the end modes: of least norm, or nearest to those of the contact problem.
 */
static carom_status solve_end(carom_variational_projection *projection, bool is_near) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int c = eq->c;
    const int N = projection->newton->row_count;
    double *z = projection->impulse;
    memcpy(projection->reduced, projection->compliance, (size_t)N * (size_t)N * sizeof(double));
    for (int row = 0; row < N; row++) {
        double *entry = projection->reduced + row * N;
        const bool is_used = is_unknown(projection, row);
        z[row] = is_used ? -projection->rate[row] : 0.0;
        for (int a = 0; a < N - c; a++) {
            entry[eq->b + a / eq->t] += slip_share(projection, a) * entry[c + a];
        }
        for (int column = 0; column < N; column++) {
            const bool is_kept = is_used && is_unknown(projection, column);
            entry[column] = is_kept ? entry[column] : row == column ? 1.0 : 0.0;
        }
    }
    double *origin = projection->speed;
    for (int row = 0; row < N; row++) {
        const bool is_used = is_near && is_unknown(projection, row);
        origin[row] = is_used ? projection->problem->impulse[row] * projection->length[row] : 0.0;
    }
    for (int row = 0; row < N; row++) {
        z[row] -= carom_vector_dot(N, projection->reduced + row * N, origin);
    }
    CAROM_TRY(carom_minimum_norm_compute(projection->solver, projection->reduced));
    CAROM_TRY(carom_minimum_norm_solve(projection->solver, z));
    for (int row = 0; row < N; row++) {
        z[row] += origin[row];
    }
    for (int a = 0; a < N - c; a++) {
        z[c + a] += slip_share(projection, a) * z[eq->b + a / eq->t];
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
    for (int i = 0; i < eq->m; i++) {
        projection->mode[i] = CAROM_VARIATIONAL_RELEASED;
    }
}

/* The modes of the midpoint. */
static void begin_modes(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int i = 0; i < eq->m; i++) {
        projection->mode[i] = has_friction(eq, i) ? eq->mode[i] : CAROM_VARIATIONAL_RELEASED;
    }
    memcpy(projection->direction, eq->direction, (size_t)(eq->m * eq->t) * sizeof(double));
}

/* Length of the tangential part [t] of a contact, in N s or m/s times what its unit rows are. */
static double length_of(const carom_variational_projection *projection, const double *values,
                        int contact, int power) {
    const carom_variational_equations *eq = projection->newton->equations;
    double length = 0.0;
    for (int row = eq->c + contact * eq->t; row < eq->c + (contact + 1) * eq->t; row++) {
        const double unit = projection->length[row];
        length = hypot(length, power > 0 ? values[row] * unit : values[row] / unit);
    }
    return length;
}

/* The law of a held contact that is not known to pull: kappa >= 0, and that of its mode; what rows
 * left outside of the cone by rounding is put back. */
static bool obeys(carom_variational_projection *projection, int contact) {
    const carom_variational_equations *eq = projection->newton->equations;
    const int normal = eq->b + contact;
    const int first = eq->c + contact * eq->t;
    const double kappa = projection->impulse[normal];
    if (kappa < (has_friction(eq, contact) ? 0.0 : -projection->tolerance)) {
        return false;
    }
    if (!has_friction(eq, contact) || eq->mode[contact] == CAROM_VARIATIONAL_SLIDE) {
        return true;
    }
    if (projection->mode[contact] == CAROM_VARIATIONAL_SLIDE) {
        double along = 0.0;
        for (int a = 0; a < eq->t; a++) {
            along += projection->direction[contact * eq->t + a] * projection->speed[first + a] *
                     projection->length[first + a];
        }
        return along >= -projection->tolerance * projection->length[first];
    }
    const double bound =
        carom_variational_equations_friction(eq, contact) * kappa / projection->length[normal];
    const double friction = length_of(projection, projection->impulse, contact, -1);
    for (int a = 0; a < eq->t && friction > bound; a++) {
        projection->impulse[first + a] *= bound / friction;
    }
    return friction <= bound + projection->tolerance / projection->length[first];
}

/* Do the unknown rows rest? Where sliding meets dependent rows the least squares may leave some. */
static bool is_solved(const carom_variational_projection *projection) {
    double fastest = 0.0;
    for (int row = 0; row < projection->newton->row_count; row++) {
        if (is_unknown(projection, row)) {
            fastest = fmax(fastest, fabs(projection->speed[row]));
        }
    }
    return fastest <= projection->tolerance;
}

/* Solve for the end modes; what cones have left over by rounding is put back. */
static carom_status try_modes(carom_variational_projection *projection, bool is_near,
                              bool *is_found) {
    const carom_variational_equations *eq = projection->newton->equations;
    CAROM_TRY(solve_end(projection, is_near));
    *is_found = is_solved(projection);
    for (int i = 0; i < eq->m; i++) {
        const bool is_judged =
            eq->is_active[eq->b + i] && !projection->problem->is_bilateral[eq->b + i];
        *is_found = (!is_judged || obeys(projection, i)) && *is_found;
    }
    return CAROM_OK;
}

/* The laws for kappa >= 0, in N s and m/s: a contact that slides at the midpoint has the normal
 * G - mu s H and no friction. */
static void pose(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    carom_variational_problem *problem = projection->problem;
    const int N = projection->newton->row_count;
    const double *length = projection->length;
    begin_modes(projection);
    for (int row = 0; row < N; row++) {
        double *to = problem->matrix + row * N;
        problem->offset[row] = projection->rate[row] * length[row];
        for (int column = 0; column < N; column++) {
            to[column] = projection->compliance[row * N + column];
        }
        for (int a = 0; a < N - eq->c; a++) {
            to[eq->b + a / eq->t] += slip_share(projection, a) * to[eq->c + a];
        }
        for (int column = 0; column < N; column++) {
            to[column] *= length[row] * length[column];
        }
        problem->impulse[row] = row < eq->c ? eq->normal[row] : eq->friction[row - eq->c];
    }
    for (int i = 0; i < eq->m; i++) {
        const bool slides = eq->mode[i] == CAROM_VARIATIONAL_SLIDE;
        problem->friction[i] = slides ? 0.0 : carom_variational_equations_friction(eq, i);
    }
}

/* Contacts that open where kappa >= 0 would have to pull: they are held without friction. @return
 * whether there are new ones */
static bool hold_pulling(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    carom_variational_problem *problem = projection->problem;
    const int N = projection->newton->row_count;
    bool is_any = false;
    for (int i = eq->b; i < eq->c; i++) {
        if (!eq->is_active[i] || problem->is_bilateral[i] ||
            !(problem->velocity[i] > projection->tolerance * projection->length[i])) {
            continue;
        }
        problem->is_bilateral[i] = true;
        projection->mode[i - eq->b] = CAROM_VARIATIONAL_RELEASED;
        is_any = true;
        for (int row = 0; row < N; row++) { // the normal alone again
            problem->matrix[row * N + i] = projection->compliance[row * N + i] *
                                           projection->length[row] * projection->length[i];
        }
    }
    return is_any;
}

/* Modes of the contacts that stick at the midpoint, by the solution of the contact problem. */
static void read_modes(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int i = 0; i < eq->m; i++) {
        if (projection->mode[i] == CAROM_VARIATIONAL_RELEASED ||
            eq->mode[i] != CAROM_VARIATIONAL_STICK) {
            continue;
        }
        const double tolerance = projection->tolerance * projection->length[eq->b + i];
        projection->mode[i] = carom_variational_problem_mode(projection->problem, i, tolerance,
                                                             projection->direction + i * eq->t);
    }
}

/* What rounding has left of contacts that bear nothing is no pull, and rubs nothing. */
static void cut_pulling(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    for (int i = 0; i < eq->m; i++) {
        double *kappa = &projection->impulse[eq->b + i];
        if (projection->problem->is_bilateral[eq->b + i] || *kappa > 0.0) {
            continue;
        }
        *kappa = 0.0;
        for (int a = 0; a < eq->t; a++) {
            projection->impulse[eq->c + i * eq->t + a] = 0.0;
        }
    }
}

carom_status carom_variational_projection_find(carom_variational_projection *projection) {
    const carom_variational_equations *eq = projection->newton->equations;
    carom_variational_problem *problem = projection->problem;
    memcpy(problem->is_used, eq->is_active, (size_t)eq->c * sizeof(bool));
    for (int i = 0; i < eq->c; i++) {
        problem->is_bilateral[i] = i < eq->b;
    }
    bool is_found = false;
    begin_modes(projection);
    CAROM_TRY(try_modes(projection, false, &is_found));
    if (is_found) {
        return CAROM_OK;
    }
    pose(projection);
    do {
        const carom_status status = carom_variational_problem_solve(problem);
        if (status != CAROM_OK) {
            release(projection);
            return solve_end(projection, false);
        }
    } while (hold_pulling(projection));
    read_modes(projection);
    CAROM_TRY(try_modes(projection, false, &is_found));
    if (!is_found) {
        CAROM_TRY(try_modes(projection, true, &is_found));
        cut_pulling(projection);
    }
    return CAROM_OK;
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
    *energy = 0.0;

    /* the change of velocity by f - g ... */
    memset(change, 0, (size_t)n * sizeof(double));
    for (int row = 0; row < eq->m * eq->t; row++) {
        if (carom_variational_equations_sticks(eq, row)) {
            add_response(projection, eq->c + row, eq->friction[row] - g[row], change);
        }
    }

    /* ... and by the normal impulses that it asks for */
    for (int i = 0; i < eq->c; i++) {
        projection->rate[i] =
            eq->is_active[i]
                ? carom_vector_dot(n, projection->rows + i * n, change) / projection->length[i]
                : 0.0;
    }
    release(projection);
    CAROM_TRY(solve_end(projection, false));
    for (int i = 0; i < eq->c; i++) {
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
