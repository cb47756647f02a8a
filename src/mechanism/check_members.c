#include <carom/base/random.h>
#include <carom/mechanism/check_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- states */

/* Streams of random numbers of one seed. */
enum { STREAM_A, STREAM_LAMBDA, STREAM_Q, STREAM_V };

/** Number of stored entries of a matrix with such rows. */
static size_t check_entry_count(const carom_check_state *c, carom_check_rows rows) {
    switch (rows) {
    case CAROM_CHECK_COORDINATES:
        break;
    case CAROM_CHECK_CONSTRAINTS:
        return carom_mechanism_constraint_entry_count(c->mechanism);
    case CAROM_CHECK_TANGENTS:
        return carom_mechanism_tangential_entry_count(c->mechanism);
    }
    return carom_layout_entry_count(c->mechanism->layout);
}

carom_check_entries carom_check_entries_of(const carom_check_state *c, carom_check_rows rows,
                                           int i) {
    const carom_mechanism *mechanism = c->mechanism;
    const carom_layout layout = mechanism->layout;
    if (rows == CAROM_CHECK_COORDINATES) {
        const int first = carom_layout_first_column(layout, i);
        const size_t begin = carom_layout_index(layout, i, first);
        return (carom_check_entries){.first = begin,
                                     .end = begin +
                                            (size_t)(carom_layout_end_column(layout, i) - first),
                                     .first_column = first};
    }
    const carom_mechanism_pattern pattern = rows == CAROM_CHECK_CONSTRAINTS
                                                ? mechanism->constraint_pattern
                                                : mechanism->tangential_pattern;
    const size_t n = (size_t)layout.size;
    if (pattern.start == NULL) {
        return (carom_check_entries){.first = (size_t)i * n, .end = (size_t)(i + 1) * n};
    }
    return (carom_check_entries){.first = (size_t)pattern.start[i],
                                 .end = (size_t)pattern.start[i + 1],
                                 .column = pattern.column};
}

/** The entry of (i,j); the end of the row if it is not stored. */
static size_t find_entry(const carom_check_state *c, carom_check_rows rows, int i, int j) {
    const carom_check_entries row = carom_check_entries_of(c, rows, i);
    size_t k = row.first;
    if (row.column == NULL) {
        return j >= row.first_column && (size_t)(j - row.first_column) < row.end - row.first
                   ? row.first + (size_t)(j - row.first_column)
                   : row.end;
    }
    while (k < row.end && row.column[k] < j) {
        k++;
    }
    return k < row.end && row.column[k] == j ? k : row.end;
}

bool carom_check_is_stored(const carom_check_state *c, carom_check_rows rows, int i, int j) {
    return find_entry(c, rows, i, j) < carom_check_entries_of(c, rows, i).end;
}

size_t carom_check_entry_index(const carom_check_state *c, carom_check_rows rows, int i, int j) {
    return find_entry(c, rows, i, j);
}

double carom_check_row_weight(const carom_check_state *c, carom_check_rows rows, int i) {
    return rows == CAROM_CHECK_COORDINATES ? c->q_scale[i] : 1.0 / c->g_scale;
}

/** Take the memory and lay the arrays out in it. */
static carom_status take_memory(carom_check_state *c) {
    const size_t n = (size_t)carom_mechanism_position_count(c->mechanism);
    const size_t m = (size_t)carom_mechanism_constraint_count(c->mechanism);
    size_t rows = 0;
    size_t matrix = 0;
    for (carom_check_rows kind = CAROM_CHECK_COORDINATES; kind <= CAROM_CHECK_TANGENTS; kind++) {
        const size_t height = (size_t)carom_check_row_count(c, kind);
        const size_t entries = check_entry_count(c, kind);
        rows = height > rows ? height : rows;
        matrix = entries > matrix ? entries : matrix;
    }
    const size_t velocities = m + (size_t)carom_check_row_count(c, CAROM_CHECK_TANGENTS);
    matrix = velocities > matrix ? velocities : matrix;
    double **const of_coordinates[] = {&c->q_own, &c->v_own,   &c->q_scale, &c->v_scale,
                                       &c->x,     &c->other_q, &c->other_v, &c->middle_v,
                                       &c->a,     &c->way};
    const size_t count = sizeof of_coordinates / sizeof *of_coordinates;
    double **const of_rows[] = {&c->F_plus, &c->F_minus, &c->F_middle};
    double **const of_matrices[] = {&c->supplied, &c->other};
    c->memory = calloc(count * n + m + 3 * rows + 2 * matrix, sizeof(double));
    if (c->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *next = c->memory;
    for (size_t i = 0; i < count; i++, next += n) {
        *of_coordinates[i] = next;
    }
    c->lambda = next;
    next += m;
    for (size_t i = 0; i < 3; i++, next += rows) {
        *of_rows[i] = next;
    }
    for (size_t i = 0; i < 2; i++, next += matrix) {
        *of_matrices[i] = next;
    }
    return CAROM_OK;
}

/** Reach [n] of each coordinate from the nearest gap that it closes by itself; 0 if there is none.
 */
static void gap_reaches(const carom_check_state *c, const double *G, const double *g,
                        double *reach) {
    for (int j = 0; j < c->mechanism->coordinate_count; j++) {
        reach[j] = (double)INFINITY;
    }
    for (int i = 0; i < carom_mechanism_constraint_count(c->mechanism); i++) {
        const carom_check_entries row = carom_check_entries_of(c, CAROM_CHECK_CONSTRAINTS, i);
        for (size_t k = row.first; k < row.end; k++) {
            const double nearest = fabs(g[i]) / fabs(G[k]);
            const int j = carom_check_column(&row, k);
            if (nearest > 0.0) { /* neither NaN nor a gap of zero */
                reach[j] = fmin(reach[j], nearest);
            }
        }
    }
    for (int j = 0; j < c->mechanism->coordinate_count; j++) {
        reach[j] = isfinite(reach[j]) ? reach[j] : 0.0;
    }
}

/** The square root of the mass of coordinate j, 0 where it has none. */
static double root_mass(const carom_check_state *c, const double *M, int j) {
    return sqrt(fmax(0.0, M[carom_layout_index(c->mechanism->layout, j, j)]));
}

/* A coordinate with a place of its own reaches no farther, also with next to no inertia. */
static const double FARTHEST = 1e14;

/** scale_j = max(own_j, size / sqrt(M_jj)); a coordinate without mass takes the largest of own. */
static void spread_scale(const carom_check_state *c, const double *M, double size, double *own,
                         double *scale) {
    const int n = c->mechanism->coordinate_count;
    double largest = 0.0;
    for (int j = 0; j < n; j++) {
        largest = fmax(largest, own[j]);
    }
    for (int j = 0; j < n; j++) {
        const double mass = root_mass(c, M, j);
        scale[j] = fmax(own[j], mass > 0.0 ? size / mass : largest);
        scale[j] = own[j] > 0.0 ? fmin(scale[j], FARTHEST * own[j]) : scale[j];
        if (!(scale[j] > 0.0 && isfinite(scale[j]))) {
            scale[j] = 1.0;
        }
        own[j] = own[j] > 0.0 ? own[j] : scale[j];
    }
}

/** Largest own_j sqrt(M_jj). */
static double metric_size(const carom_check_state *c, const double *M, const double *own) {
    double size = 0.0;
    for (int j = 0; j < c->mechanism->coordinate_count; j++) {
        size = fmax(size, own[j] * root_mass(c, M, j));
    }
    return size;
}

/** A time in which something happens: the longest that a velocity needs for its coordinate. */
static double time_scale(const carom_check_state *c) {
    double longest = 0.0;
    for (int j = 0; j < c->mechanism->coordinate_count; j++) {
        longest = fmax(longest, c->q_scale[j] / c->v_scale[j]);
    }
    return isfinite(longest) ? longest : 1.0;
}

/** Scales of positions, velocities and the time. */
static void find_scales(carom_check_state *c) {
    const carom_mechanism *mechanism = c->mechanism;
    const int n = mechanism->coordinate_count;
    const int m = carom_mechanism_constraint_count(mechanism);
    double *M = c->other;
    double *G = c->supplied;
    double *g = c->F_plus;
    double *f = c->F_minus;

    /* The size of each coordinate of the state by itself. */
    if (m > 0) {
        mechanism->constraints(c->q, g, mechanism->context);
    }
    if (m > 0 && mechanism->constraint_jacobian != NULL) { /* it is not while G is formed */
        mechanism->constraint_jacobian(c->q, G, mechanism->context);
    }
    mechanism->mass(c->q, M, mechanism->context);
    mechanism->force(c->t, c->q, c->v, f, mechanism->context);
    carom_mechanism_position_sizes(mechanism, c->q, c->q_own);
    gap_reaches(c, G, g, c->x);
    for (int j = 0; j < n; j++) {
        c->q_own[j] = c->q_own[j] > 0.0 ? c->q_own[j] : c->x[j];
        c->v_own[j] = fabs(c->v[j]);
    }

    /* If all positions are zero: the displacement over which the forces would give the velocities.
     */
    double q_size = metric_size(c, M, c->q_own);
    const double v_size = metric_size(c, M, c->v_own);
    for (int j = 0; j < n && !(q_size > 0.0); j++) {
        const double force = fabs(f[j]) / root_mass(c, M, j);
        q_size = force > 0.0 && isfinite(force) ? v_size * v_size / force : 0.0;
    }
    c->has_scale = q_size > 0.0;
    spread_scale(c, M, q_size, c->q_own, c->q_scale);

    /* The speeds that the forces bring about on that way. */
    double speed = v_size;
    for (int j = 0; j < n; j++) {
        speed = fmax(speed, sqrt(fabs(f[j]) * c->q_scale[j]));
    }
    c->has_scale = c->has_scale && speed > 0.0;
    spread_scale(c, M, speed, c->v_own, c->v_scale);
    c->t_scale = fmax(fabs(c->t), time_scale(c));

    c->g_scale = 0.0;
    for (int i = 0; i < m; i++) {
        const carom_check_entries row = carom_check_entries_of(c, CAROM_CHECK_CONSTRAINTS, i);
        double size = 0.0;
        for (size_t k = row.first; k < row.end; k++) {
            size += fabs(G[k]) * c->q_scale[carom_check_column(&row, k)];
        }
        c->g_scale = fmax(c->g_scale, fmax(size, fabs(g[i])));
    }
    if (!(c->g_scale > 0.0 && isfinite(c->g_scale))) {
        c->g_scale = 1.0;
    }
}

/** The k-th number of a stream, uniform in [-1,1). */
static double spread(unsigned long seed, unsigned long stream, int k) {
    return 2.0 * carom_counter_uniform(seed, stream, (unsigned long)k) - 1.0;
}

carom_status carom_check_state_init(carom_check_state *c, unsigned long seed) {
    CAROM_TRY(take_memory(c));
    find_scales(c);
    for (int j = 0; j < c->mechanism->coordinate_count; j++) {
        c->a[j] = c->q_scale[j] * spread(seed, STREAM_A, j);
        c->way[j] = c->q_scale[j] * spread(seed, STREAM_Q, j);
        c->other_v[j] = c->v[j] + c->v_scale[j] * spread(seed, STREAM_V, j);
    }
    carom_mechanism_advance(c->mechanism, c->q, c->way, c->other_q);
    for (int i = 0; i < carom_mechanism_constraint_count(c->mechanism); i++) {
        c->lambda[i] = spread(seed, STREAM_LAMBDA, i) / c->g_scale;
    }
    return CAROM_OK;
}

void carom_check_state_clear(carom_check_state *c) {
    free(c->memory);
}

/* -------------------------------------------------------------------------------------- members */

/* The eight pairs of function and derivative. */

static void evaluate_momentum(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->mass(x, c->other, mechanism->context);
    memset(F, 0, (size_t)mechanism->coordinate_count * sizeof(double));
    carom_layout_multiply_add(mechanism->layout, 1.0, c->other, c->a, F);
}

static bool supply_mass_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->mass_derivative == NULL) {
        return false;
    }
    mechanism->mass_derivative(c->q, c->a, D, mechanism->context);
    return true;
}

static void negate(int count, double *F) {
    for (int i = 0; i < count; i++) {
        F[i] = -F[i];
    }
}

static void evaluate_resistance_of_position(const carom_check_state *c, const double *x,
                                            double *F) {
    c->mechanism->force(c->t, x, c->v, F, c->mechanism->context);
    negate(c->mechanism->coordinate_count, F);
}

static void evaluate_resistance_of_velocity(const carom_check_state *c, const double *x,
                                            double *F) {
    c->mechanism->force(c->t, c->q, x, F, c->mechanism->context);
    negate(c->mechanism->coordinate_count, F);
}

static bool supply_stiffness(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->stiffness == NULL) {
        return false;
    }
    mechanism->stiffness(c->t, c->q, c->v, D, mechanism->context);
    return true;
}

static bool supply_damping(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->damping == NULL) {
        return false;
    }
    mechanism->damping(c->t, c->q, c->v, D, mechanism->context);
    return true;
}

static void evaluate_constraints(const carom_check_state *c, const double *x, double *F) {
    c->mechanism->constraints(x, F, c->mechanism->context);
}

static bool supply_jacobian(const carom_check_state *c, double *D) {
    c->mechanism->constraint_jacobian(c->q, D, c->mechanism->context);
    return true;
}

static void evaluate_constraint_force(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->constraint_jacobian(x, c->other, mechanism->context);
    memset(F, 0, (size_t)mechanism->coordinate_count * sizeof(double));
    for (int j = 0; j < carom_mechanism_constraint_count(mechanism); j++) {
        const carom_check_entries row = carom_check_entries_of(c, CAROM_CHECK_CONSTRAINTS, j);
        for (size_t k = row.first; k < row.end; k++) {
            F[carom_check_column(&row, k)] += c->other[k] * c->lambda[j];
        }
    }
}

static bool supply_constraint_force_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_force_derivative == NULL) {
        return false;
    }
    mechanism->constraint_force_derivative(c->q, c->lambda, D, mechanism->context);
    return true;
}

/** F = A a. */
static void multiply_rows(const carom_check_state *c, carom_check_rows rows, const double *A,
                          double *F) {
    for (int j = 0; j < carom_check_row_count(c, rows); j++) {
        const carom_check_entries row = carom_check_entries_of(c, rows, j);
        F[j] = 0.0;
        for (size_t k = row.first; k < row.end; k++) {
            F[j] += A[k] * c->a[carom_check_column(&row, k)];
        }
    }
}

static void evaluate_constraint_rate(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->constraint_jacobian(x, c->other, mechanism->context);
    multiply_rows(c, CAROM_CHECK_CONSTRAINTS, c->other, F);
}

static bool supply_constraint_rate_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_rate_derivative == NULL) {
        return false;
    }
    mechanism->constraint_rate_derivative(c->q, c->a, D, mechanism->context);
    return true;
}

static void evaluate_offset(const carom_check_state *c, const double *t, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_offset != NULL) {
        mechanism->constraint_offset(*t, F, mechanism->context);
    } else {
        memset(F, 0, (size_t)carom_mechanism_constraint_count(mechanism) * sizeof(double));
    }
}

/** Its entries of sliding, behind those of the constraints, are nothing's derivative. */
static bool supply_constraint_velocity(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->constraint_velocity == NULL) {
        return false;
    }
    mechanism->constraint_velocity(c->t, D, mechanism->context);
    return true;
}

/** Number of sliding speeds. */
static int tangential_row_count(const carom_mechanism *mechanism) {
    return mechanism->contact_count * mechanism->tangent_count;
}

static void evaluate_sliding(const carom_check_state *c, const double *x, double *F) {
    const carom_mechanism *mechanism = c->mechanism;
    mechanism->tangential_jacobian(x, c->other, mechanism->context);
    multiply_rows(c, CAROM_CHECK_TANGENTS, c->other, F);
}

static bool supply_tangential_rate_derivative(const carom_check_state *c, double *D) {
    const carom_mechanism *mechanism = c->mechanism;
    if (mechanism->tangential_rate_derivative == NULL) {
        return false;
    }
    mechanism->tangential_rate_derivative(c->q, c->a, D, mechanism->context);
    return true;
}

int carom_check_row_count(const carom_check_state *c, carom_check_rows rows) {
    switch (rows) {
    case CAROM_CHECK_COORDINATES:
        break;
    case CAROM_CHECK_CONSTRAINTS:
        return carom_mechanism_constraint_count(c->mechanism);
    case CAROM_CHECK_TANGENTS:
        return tangential_row_count(c->mechanism);
    }
    return c->mechanism->coordinate_count;
}

/* What every mechanism has, then what only one with constraints and with tangents has. */
enum { UNCONSTRAINED = 3, CONSTRAINED = 7, WITH_TANGENTS = 8 };
static const carom_check_member MEMBERS[WITH_TANGENTS] = {
    {"mass_derivative", "the mass matrix", CAROM_CHECK_POSITION, false, CAROM_CHECK_COORDINATES,
     evaluate_momentum, supply_mass_derivative},
    {"stiffness", "the force", CAROM_CHECK_POSITION, false, CAROM_CHECK_COORDINATES,
     evaluate_resistance_of_position, supply_stiffness},
    {"damping", "the force", CAROM_CHECK_VELOCITY, false, CAROM_CHECK_COORDINATES,
     evaluate_resistance_of_velocity, supply_damping},
    {"constraint_jacobian", "the constraint function", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_CONSTRAINTS, evaluate_constraints, supply_jacobian},
    {"constraint_force_derivative", "the constraint Jacobian", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_COORDINATES, evaluate_constraint_force, supply_constraint_force_derivative},
    {"constraint_rate_derivative", "the constraint Jacobian", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_CONSTRAINTS, evaluate_constraint_rate, supply_constraint_rate_derivative},
    {"constraint_velocity", "the constraint offset", CAROM_CHECK_TIME, true,
     CAROM_CHECK_CONSTRAINTS, evaluate_offset, supply_constraint_velocity},
    {"tangential_rate_derivative", "the tangential Jacobian", CAROM_CHECK_POSITION, true,
     CAROM_CHECK_TANGENTS, evaluate_sliding, supply_tangential_rate_derivative},
};

int carom_check_column_count(const carom_check_state *c, const carom_check_member *member) {
    return member->variable == CAROM_CHECK_TIME ? 1 : c->mechanism->coordinate_count;
}

const double *carom_check_place(const carom_check_state *c, const carom_check_member *member) {
    const double *const places[] = {c->q, c->v, &c->t};
    return places[member->variable];
}

const double *carom_check_reach(const carom_check_state *c, const carom_check_member *member) {
    const double *const reaches[] = {c->q_scale, c->v_scale, &c->t_scale};
    return reaches[member->variable];
}

void carom_check_go(const carom_check_state *c, const carom_check_member *member,
                    const double *base, const double *way, double *x, double *gone) {
    const carom_mechanism *mechanism = c->mechanism;
    if (member->variable == CAROM_CHECK_POSITION && mechanism->rotation_count > 0) {
        carom_mechanism_advance(mechanism, base, way, x);
        if (gone != NULL && gone != way) {
            memcpy(gone, way, (size_t)mechanism->coordinate_count * sizeof *gone);
        }
        return;
    }
    for (int j = 0; j < carom_check_column_count(c, member); j++) {
        x[j] = base[j] + way[j];
        if (gone != NULL) {
            gone[j] = x[j] - base[j];
        }
    }
}

void carom_check_move(carom_check_state *c, const carom_check_member *member, const double *x) {
    switch (member->variable) {
    case CAROM_CHECK_POSITION:
        c->q = x;
        break;
    case CAROM_CHECK_VELOCITY:
        c->v = x;
        break;
    case CAROM_CHECK_TIME:
        c->t = *x;
        break;
    }
}

int carom_check_list_members(const carom_check_state *c, const carom_check_member **list) {
    *list = MEMBERS;
    if (carom_check_row_count(c, CAROM_CHECK_TANGENTS) > 0) {
        return WITH_TANGENTS;
    }
    return carom_check_row_count(c, CAROM_CHECK_CONSTRAINTS) > 0 ? CONSTRAINED : UNCONSTRAINED;
}

bool carom_check_supply(carom_check_state *c, const carom_check_member *member) {
    const bool is_supplied = member->supply(c, c->supplied);
    if (!is_supplied) {
        memset(c->supplied, 0, check_entry_count(c, member->rows) * sizeof(double));
    }
    return is_supplied;
}
