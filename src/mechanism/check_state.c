#include <carom/base/random.h>
#include <carom/mechanism/check_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams of random numbers of one seed. */
enum { STREAM_A, STREAM_LAMBDA, STREAM_Q, STREAM_V };

size_t carom_check_entry_count(const carom_check_state *c, carom_check_rows rows) {
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
        const size_t entries = carom_check_entry_count(c, kind);
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

/* After so many of the state's own times the steps of the check, parts of the time that are above
 * its rounding, are not small beside an oscillation of some turns in each of them. */
static const double LATE = 1e4;

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
    const double own = time_scale(c);
    c->t_scale = fmax(fabs(c->t), own);
    const bool is_late = c->t_scale > LATE * own;
    c->t_own = is_late ? own : c->t_scale;
    c->t_early = is_late ? copysign(own, c->t) : c->t;

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
