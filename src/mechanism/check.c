#include <carom/mechanism/check.h>

#include <carom/mechanism/check_members.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A difference quotient of F carries rounding of order eps^(2/3) max|F|, about 4e-11 max|F|. Errors
 * are therefore measured against at least this fraction of max|F|: noise then stays below 1e-7. */
static const double VALUE_WEIGHT = 1e-3;

/** The largest deviation within one derivative, and the sizes to measure it by. */
typedef struct error_tally {
    carom_mechanism_mismatch entry;
    double error;         /**< |difference| of that entry */
    double largest_entry; /**< of the derivative, supplied or differenced */
    double largest_value; /**< of the function differenced */
    bool is_finite;
} error_tally;

/* Keeping the worst entry. */

static error_tally tally_start(const char *name) {
    const error_tally start = {
        .entry = {.derivative = name, .row = -1, .column = -1},
        .is_finite = true,
    };
    return start;
}

/** Record that an entry is supplied as one number and found as another. */
static void tally_entry(error_tally *tally, int row, int column, double supplied, double found) {
    if (!tally->is_finite) {
        return;
    }
    const double error = fabs(supplied - found);
    tally->is_finite = isfinite(error);
    tally->largest_entry = fmax(tally->largest_entry, fmax(fabs(supplied), fabs(found)));
    if (tally->entry.row < 0 || error > tally->error || !tally->is_finite) {
        tally->error = error;
        tally->entry.row = row;
        tally->entry.column = column;
        tally->entry.supplied = supplied;
        tally->entry.finite_difference = found;
    }
}

/** Close one derivative: its relative error against the tolerance, the overall worst kept. */
static carom_status tally_close(error_tally *tally, double tolerance,
                                carom_mechanism_mismatch *worst) {
    if (!tally->is_finite) {
        tally->entry.relative_error = (double)NAN;
        *worst = tally->entry;
        return CAROM_STATUS_NOT_FINITE;
    }
    const double scale = fmax(tally->largest_entry, VALUE_WEIGHT * tally->largest_value);
    tally->entry.relative_error = scale > 0.0 ? tally->error / scale : 0.0;
    if (worst->derivative == NULL || tally->entry.relative_error > worst->relative_error) {
        *worst = tally->entry;
    }
    return tally->entry.relative_error <= tolerance ? CAROM_OK : CAROM_STATUS_DERIVATIVE_MISMATCH;
}

/** Number of stored entries. */
static size_t entry_count(const carom_check_state *c, carom_check_rows rows) {
    return rows == CAROM_CHECK_COORDINATES
               ? carom_layout_entry_count(c->mechanism->layout)
               : (size_t)carom_check_row_count(c, rows) * (size_t)c->mechanism->coordinate_count;
}

/** Whether (i,j) is stored: within the band in the layout, always otherwise. */
static bool is_stored(const carom_check_state *c, carom_check_rows rows, int i, int j) {
    const carom_layout layout = c->mechanism->layout;
    return rows != CAROM_CHECK_COORDINATES ||
           (j >= carom_layout_first_column(layout, i) && j < carom_layout_end_column(layout, i));
}

/** Position of a stored entry (i,j). */
static size_t entry_index(const carom_check_state *c, carom_check_rows rows, int i, int j) {
    const carom_layout layout = c->mechanism->layout;
    return rows == CAROM_CHECK_COORDINATES ? carom_layout_index(layout, i, j)
                                           : (size_t)i * (size_t)layout.size + (size_t)j;
}

/** Column j of dF/dx by central differences, entry by entry against the supplied one. */
static void compare_column(carom_check_state *c, const carom_check_member *member, int j,
                           error_tally *tally) {
    const double x_j = c->x[j];
    const double h = cbrt(DBL_EPSILON) * fmax(1.0, fabs(x_j));
    const double x_plus = x_j + h;
    const double x_minus = x_j - h;
    c->x[j] = x_plus;
    member->evaluate(c, c->x, c->F_plus);
    c->x[j] = x_minus;
    member->evaluate(c, c->x, c->F_minus);
    c->x[j] = x_j;

    const int end = carom_check_row_count(c, member->rows);
    for (int i = 0; i < end; i++) {
        const double found = (c->F_plus[i] - c->F_minus[i]) / (x_plus - x_minus);
        tally->largest_value = fmax(tally->largest_value, fabs(c->F_plus[i]));
        /* Outside the band the derivative is supplied as zero. */
        const double supplied = is_stored(c, member->rows, i, j)
                                    ? c->supplied[entry_index(c, member->rows, i, j)]
                                    : 0.0;
        tally_entry(tally, i, j, supplied, found);
    }
}

/** One derivative, all of its columns. */
static carom_status compare_derivative(carom_check_state *c, const carom_check_member *member,
                                       double tolerance, carom_mechanism_mismatch *worst) {
    const int n = c->mechanism->coordinate_count;
    memcpy(c->x, member->is_of_velocity ? c->v : c->q, (size_t)n * sizeof(double));

    /* A member that is left out means zero. */
    if (!member->supply(c, c->supplied)) {
        memset(c->supplied, 0, entry_count(c, member->rows) * sizeof(double));
    }

    error_tally tally = tally_start(member->name);
    for (int j = 0; j < n; j++) {
        compare_column(c, member, j, &tally);
    }
    return tally_close(&tally, tolerance, worst);
}

/** The worse of two statuses: a value that is not finite outweighs a mismatch. */
static carom_status worse_status(carom_status first, carom_status second) {
    if (first == CAROM_STATUS_NOT_FINITE || second == CAROM_OK) {
        return first;
    }
    return second;
}

/** Every derivative, also after a mismatch, so that the worst is found. */
static carom_status compare_derivatives(carom_check_state *c, double tolerance,
                                        carom_mechanism_mismatch *worst) {
    const carom_check_member *list = NULL;
    const int count = carom_check_list_members(c, &list);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status != CAROM_STATUS_NOT_FINITE; i++) {
        status = worse_status(status, compare_derivative(c, &list[i], tolerance, worst));
    }
    return status;
}

/* Constancy of a linear mechanism. */

/** `supplied` (here) against `other` (at the second state). */
static carom_status compare_matrices(const carom_check_state *c, const char *name,
                                     carom_check_rows rows, double tolerance,
                                     carom_mechanism_mismatch *worst) {
    const carom_layout layout = c->mechanism->layout;
    const int row_end = carom_check_row_count(c, rows);
    error_tally tally = tally_start(name);
    for (int i = 0; i < row_end; i++) {
        const int first =
            rows == CAROM_CHECK_COORDINATES ? carom_layout_first_column(layout, i) : 0;
        const int end =
            rows == CAROM_CHECK_COORDINATES ? carom_layout_end_column(layout, i) : layout.size;
        for (int j = first; j < end; j++) {
            const size_t k = entry_index(c, rows, i, j);
            tally_entry(&tally, i, j, c->supplied[k], c->other[k]);
        }
    }
    return tally_close(&tally, tolerance, worst);
}

/** M, K, C, G and H at two states and two times. */
static carom_status check_constant(carom_check_state *c, double tolerance,
                                   carom_mechanism_mismatch *worst) {
    const carom_mechanism *mechanism = c->mechanism;
    void *context = mechanism->context;
    const double other_t = c->t + c->a[0];
    mechanism->mass(c->q, c->supplied, context);
    mechanism->mass(c->other_q, c->other, context);
    carom_status status = compare_matrices(c, "mass", CAROM_CHECK_COORDINATES, tolerance, worst);
    if (mechanism->stiffness != NULL) {
        mechanism->stiffness(c->t, c->q, c->v, c->supplied, context);
        mechanism->stiffness(other_t, c->other_q, c->other_v, c->other, context);
        status = worse_status(
            status, compare_matrices(c, "stiffness", CAROM_CHECK_COORDINATES, tolerance, worst));
    }
    if (mechanism->damping != NULL) {
        mechanism->damping(c->t, c->q, c->v, c->supplied, context);
        mechanism->damping(other_t, c->other_q, c->other_v, c->other, context);
        status = worse_status(
            status, compare_matrices(c, "damping", CAROM_CHECK_COORDINATES, tolerance, worst));
    }
    if (carom_mechanism_constraint_count(mechanism) > 0) {
        mechanism->constraint_jacobian(c->q, c->supplied, context);
        mechanism->constraint_jacobian(c->other_q, c->other, context);
        status = worse_status(status, compare_matrices(c, "constraint_jacobian",
                                                       CAROM_CHECK_CONSTRAINTS, tolerance, worst));
    }
    if (carom_check_row_count(c, CAROM_CHECK_TANGENTS) > 0) {
        mechanism->tangential_jacobian(c->q, c->supplied, context);
        mechanism->tangential_jacobian(c->other_q, c->other, context);
        status = worse_status(status, compare_matrices(c, "tangential_jacobian",
                                                       CAROM_CHECK_TANGENTS, tolerance, worst));
    }
    return status;
}

/** An affine function takes midway between two points the mean of its values there. */
static carom_status compare_with_mean(const carom_check_state *c, const char *name, int rows,
                                      double tolerance, carom_mechanism_mismatch *worst) {
    error_tally tally = tally_start(name);
    for (int i = 0; i < rows; i++) {
        tally.largest_entry = fmax(tally.largest_entry, fabs(c->F_plus[i]));
        tally.largest_entry = fmax(tally.largest_entry, fabs(c->F_minus[i]));
        tally_entry(&tally, i, -1, c->F_middle[i], 0.5 * (c->F_plus[i] + c->F_minus[i]));
    }
    return tally_close(&tally, tolerance, worst);
}

/** f affine in (q, v) and g affine in q. */
static carom_status check_affine(carom_check_state *c, double tolerance,
                                 carom_mechanism_mismatch *worst) {
    const carom_mechanism *mechanism = c->mechanism;
    const int n = mechanism->coordinate_count;
    const int m = carom_mechanism_constraint_count(mechanism);
    void *context = mechanism->context;
    for (int i = 0; i < n; i++) {
        c->x[i] = 0.5 * (c->q[i] + c->other_q[i]);
        c->middle_v[i] = 0.5 * (c->v[i] + c->other_v[i]);
    }
    mechanism->force(c->t, c->q, c->v, c->F_minus, context);
    mechanism->force(c->t, c->x, c->middle_v, c->F_middle, context);
    mechanism->force(c->t, c->other_q, c->other_v, c->F_plus, context);
    carom_status status = compare_with_mean(c, "force", n, tolerance, worst);
    if (m > 0) {
        mechanism->constraints(c->q, c->F_minus, context);
        mechanism->constraints(c->x, c->F_middle, context);
        mechanism->constraints(c->other_q, c->F_plus, context);
        status = worse_status(status, compare_with_mean(c, "constraints", m, tolerance, worst));
    }
    return status;
}

/** All that `is_linear` promises. */
static carom_status check_linearity(carom_check_state *c, double tolerance,
                                    carom_mechanism_mismatch *worst) {
    const carom_status status = check_constant(c, tolerance, worst);
    return status == CAROM_STATUS_NOT_FINITE
               ? status
               : worse_status(status, check_affine(c, tolerance, worst));
}

/* The whole check. */

/** Take all memory at once; no n x n array beside what the mechanism itself stores. */
static carom_status check_alloc(carom_check_state *c) {
    const size_t n = (size_t)c->mechanism->coordinate_count;
    const size_t m = (size_t)carom_mechanism_constraint_count(c->mechanism);
    size_t rows = 0;
    size_t matrix = 0;
    for (carom_check_rows kind = CAROM_CHECK_COORDINATES; kind <= CAROM_CHECK_TANGENTS; kind++) {
        const size_t height = (size_t)carom_check_row_count(c, kind);
        rows = height > rows ? height : rows;
        matrix = entry_count(c, kind) > matrix ? entry_count(c, kind) : matrix;
    }
    c->memory = calloc(5 * n + m + 3 * rows + 2 * matrix, sizeof(double));
    if (c->memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    c->x = c->memory;
    c->other_q = c->x + n;
    c->other_v = c->other_q + n;
    c->middle_v = c->other_v + n;
    c->a = c->middle_v + n;
    c->lambda = c->a + n;
    c->F_plus = c->lambda + m;
    c->F_minus = c->F_plus + rows;
    c->F_middle = c->F_minus + rows;
    c->supplied = c->F_middle + rows;
    c->other = c->supplied + matrix;
    return CAROM_OK;
}

/** The k-th number of a seed in [-1,1): multiples of the golden ratio, which fill it evenly. */
static double spread(unsigned long seed, size_t k) {
    const double golden_ratio = 0.5 * (1.0 + sqrt(5.0));
    const unsigned long prime = 1000003; /* keeps the product far from the end of the mantissa */
    const double x = (double)(seed % prime) * sqrt(2.0) + (double)(k + 1) * golden_ratio;
    return 2.0 * (x - floor(x)) - 1.0;
}

/** Directions a, lambda, and a second state at most as far from the first as that is large. */
static void draw_directions(carom_check_state *c, unsigned long seed) {
    const size_t n = (size_t)c->mechanism->coordinate_count;
    const size_t m = (size_t)carom_mechanism_constraint_count(c->mechanism);
    for (size_t i = 0; i < n; i++) {
        c->a[i] = spread(seed, i);
        c->other_q[i] = c->q[i] + fmax(1.0, fabs(c->q[i])) * spread(seed, n + i);
        c->other_v[i] = c->v[i] + fmax(1.0, fabs(c->v[i])) * spread(seed, 2 * n + i);
    }
    for (size_t j = 0; j < m; j++) {
        c->lambda[j] = spread(seed, 3 * n + j);
    }
}

/** Linearity first: what breaks it would show again, less plainly, in the derivatives. */
static carom_status run_check(carom_check_state *c, double tolerance,
                              carom_mechanism_mismatch *worst) {
    if (c->mechanism->is_linear) {
        CAROM_TRY(check_linearity(c, tolerance, worst));
    }
    return compare_derivatives(c, tolerance, worst);
}

carom_status carom_mechanism_check(const carom_mechanism *mechanism, double t, const double *q,
                                   const double *v, double tolerance, unsigned long seed,
                                   carom_mechanism_mismatch *worst) {
    CAROM_ASSERT(mechanism != NULL && q != NULL && v != NULL && tolerance > 0.0);
    carom_check_state c = {.mechanism = mechanism, .t = t, .q = q, .v = v};
    carom_mechanism_mismatch found = tally_start(NULL).entry;
    carom_status status = check_alloc(&c);
    if (status == CAROM_OK) {
        draw_directions(&c, seed);
        status = run_check(&c, tolerance, &found);
    }
    free(c.memory);
    if (worst != NULL) {
        *worst = found;
    }
    return status;
}
