#include <carom/collisionless/roots/internal.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Rounding of the factorization, as a part of its size 1, times N. */
static const double ROUNDING = 16.0 * DBL_EPSILON;

struct carom_root_exclusion {
    carom_impact_matrix *matrix; /**< borrowed */
    int rows;                    /**< N */
    int columns;                 /**< N - 1 */
    double *Z;                   /**< [N][N-1], becomes R with reflectors below it */
    double *Z_time;              /**< [N][N-1] */
    double *Z_constrained;       /**< [N][N-1] */
    double *factor;              /**< [N-1] of the reflectors */
    double *basis;               /**< [2][N] last two columns of Q */
    double *null_vector;         /**< v [N-1], columns in their own order */
    double *inverse;             /**< [N-1] a column of R_11^-1 */
    int *order;                  /**< [N-1] column of Z at each place of R */
};

carom_status carom_root_exclusion_alloc(carom_impact_matrix *matrix, carom_root_exclusion **out) {
    *out = NULL;
    CAROM_AUTO(carom_root_exclusion) e = calloc(1, sizeof *e);
    if (e == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    e->matrix = matrix;
    e->rows = carom_impact_matrix_spectra(matrix)->mode_count;
    e->columns = e->rows - 1;
    const size_t n = (size_t)e->columns;
    const size_t entries = (n + 1) * n;
    e->Z = malloc(entries * sizeof *e->Z);
    e->Z_time = malloc(entries * sizeof *e->Z_time);
    e->Z_constrained = malloc(entries * sizeof *e->Z_constrained);
    e->factor = malloc(n * sizeof *e->factor);
    e->basis = malloc(2 * (n + 1) * sizeof *e->basis);
    e->null_vector = malloc(n * sizeof *e->null_vector);
    e->inverse = malloc(n * sizeof *e->inverse);
    e->order = malloc(n * sizeof *e->order);
    if (e->Z == NULL || e->Z_time == NULL || e->Z_constrained == NULL || e->factor == NULL ||
        e->basis == NULL || e->null_vector == NULL || e->inverse == NULL || e->order == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(e, out);
    return CAROM_OK;
}

void carom_root_exclusion_free(carom_root_exclusion *exclusion) {
    if (exclusion == NULL) {
        return;
    }
    free(exclusion->order);
    free(exclusion->inverse);
    free(exclusion->null_vector);
    free(exclusion->basis);
    free(exclusion->factor);
    free(exclusion->Z_constrained);
    free(exclusion->Z_time);
    free(exclusion->Z);
    free(exclusion);
}

/** Sum of squares of column j of Z from row k on. */
static double column_square(const carom_root_exclusion *e, int j, int k) {
    double sum = 0.0;
    for (int i = k; i < e->rows; ++i) {
        const double entry = e->Z[i * e->columns + j];
        sum += entry * entry;
    }
    return sum;
}

/** Bring the largest remaining column to place k. */
static void pivot(carom_root_exclusion *e, int k) {
    int best = k;
    double largest = column_square(e, k, k);
    for (int j = k + 1; j < e->columns; ++j) {
        const double square = column_square(e, j, k);
        if (square > largest) {
            largest = square;
            best = j;
        }
    }
    if (best == k) {
        return;
    }
    for (int i = 0; i < e->rows; ++i) {
        double *row = e->Z + i * e->columns;
        const double kept = row[k];
        row[k] = row[best];
        row[best] = kept;
    }
    const int column = e->order[k];
    e->order[k] = e->order[best];
    e->order[best] = column;
}

/** Reflector k, 1 - factor w w' with w = (1, what stands below the diagonal), on a vector. */
static void reflect(const carom_root_exclusion *e, int k, double *x, int stride) {
    double along = x[k * stride];
    for (int i = k + 1; i < e->rows; ++i) {
        along += e->Z[i * e->columns + k] * x[i * stride];
    }
    along *= e->factor[k];
    x[k * stride] -= along;
    for (int i = k + 1; i < e->rows; ++i) {
        x[i * stride] -= along * e->Z[i * e->columns + k];
    }
}

/** Z P = Q R by Householder reflections. */
static void decompose(carom_root_exclusion *e) {
    for (int j = 0; j < e->columns; ++j) {
        e->order[j] = j;
    }
    for (int k = 0; k < e->columns; ++k) {
        pivot(e, k);
        double *head = e->Z + k * e->columns + k;
        const double length = sqrt(column_square(e, k, k));
        const double diagonal = *head > 0.0 ? -length : length;
        e->factor[k] = 0.0;
        if (length > 0.0) {
            e->factor[k] = 1.0 - *head / diagonal;
            for (int i = k + 1; i < e->rows; ++i) {
                e->Z[i * e->columns + k] /= *head - diagonal;
            }
        }
        *head = diagonal;
        for (int j = k + 1; j < e->columns; ++j) {
            reflect(e, k, e->Z + j, e->columns);
        }
    }
}

/** The last two columns of Q. */
static void form_basis(carom_root_exclusion *e) {
    for (int k = 0; k < 2; ++k) {
        double *q = e->basis + k * e->rows;
        memset(q, 0, (size_t)e->rows * sizeof *q);
        q[e->rows - 2 + k] = 1.0;
        for (int r = e->columns - 1; r >= 0; --r) {
            reflect(e, r, q, 1);
        }
    }
}

/** Solve R_11 x = b for the leading `size` rows, in place; R_11 has no zero on its diagonal. */
static void solve_leading(const carom_root_exclusion *e, int size, double *x) {
    for (int i = size - 1; i >= 0; --i) {
        double sum = x[i];
        for (int j = i + 1; j < size; ++j) {
            sum -= e->Z[i * e->columns + j] * x[j];
        }
        x[i] = sum / e->Z[i * e->columns + i];
    }
}

/** A lower bound of the least singular value of R_11: 1/|R_11^-1| in Frobenius' norm; 1 if empty.
 */
static double leading_strength(carom_root_exclusion *e) {
    const int size = e->columns - 1;
    double square = 0.0;
    for (int k = 0; k < size; ++k) {
        memset(e->inverse, 0, (size_t)size * sizeof *e->inverse);
        e->inverse[k] = 1.0;
        solve_leading(e, k + 1, e->inverse);
        for (int i = 0; i <= k; ++i) {
            square += e->inverse[i] * e->inverse[i];
        }
    }
    return size > 0 ? 1.0 / sqrt(square) : HUGE_VAL;
}

/** v, with entry 1 in the last place of R; returns |v|. */
static double form_null_vector(carom_root_exclusion *e) {
    const int last = e->columns - 1;
    double *x = e->inverse;
    for (int i = 0; i < last; ++i) {
        x[i] = -e->Z[i * e->columns + last];
    }
    solve_leading(e, last, x);
    double square = 1.0;
    for (int i = 0; i < last; ++i) {
        e->null_vector[e->order[i]] = x[i];
        square += x[i] * x[i];
    }
    e->null_vector[e->order[last]] = 1.0;
    return sqrt(square);
}

/** (q_{N-1}, q_N)' D v for a derivative D [N][N-1] of Z. */
static void project(const carom_root_exclusion *e, const double *derivative, double *result) {
    result[0] = 0.0;
    result[1] = 0.0;
    for (int i = 0; i < e->rows; ++i) {
        double sum = 0.0;
        for (int j = 0; j < e->columns; ++j) {
            sum += derivative[i * e->columns + j] * e->null_vector[j];
        }
        result[0] += e->basis[i] * sum;
        result[1] += e->basis[e->rows + i] * sum;
    }
}

/** Distance from the origin to the segment from a to a + s b, s in [-1,1]. */
static double segment_distance(const double *a, const double *b) {
    const double square = b[0] * b[0] + b[1] * b[1];
    const double along = -(a[0] * b[0] + a[1] * b[1]);
    const double s = along >= square ? 1.0 : along <= -square ? -1.0 : along / square;
    return hypot(a[0] + s * b[0], a[1] + s * b[1]);
}

/** Distance from the origin to the parallelogram f + s a + t b, |s|, |t| <= 1. */
static double parallelogram_distance(const double *f, const double *a, const double *b) {
    /* The origin lies inside where both coordinates of -f in the basis (a, b) are at most 1. */
    const double area = a[0] * b[1] - a[1] * b[0];
    const double s = f[0] * b[1] - f[1] * b[0];
    const double t = a[0] * f[1] - a[1] * f[0];
    if (fabs(s) <= fabs(area) && fabs(t) <= fabs(area)) {
        return 0.0;
    }
    double nearest = HUGE_VAL;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double across[2] = {f[0] + sign * a[0], f[1] + sign * a[1]};
        const double along[2] = {f[0] + sign * b[0], f[1] + sign * b[1]};
        nearest = fmin(nearest, segment_distance(across, b));
        nearest = fmin(nearest, segment_distance(along, a));
    }
    return nearest;
}

/** delta with f + J delta = 0 by Cramer's rule; infinite if J is singular. */
static void solve_offset(const double *f, const double *a, const double *b, double *offset) {
    const double area = a[0] * b[1] - a[1] * b[0];
    if (fabs(area) > 0.0) {
        offset[0] = (b[0] * f[1] - b[1] * f[0]) / area;
        offset[1] = (a[1] * f[0] - a[0] * f[1]) / area;
    }
}

bool carom_root_exclusion_holds(carom_root_exclusion *exclusion,
                                const carom_time_rectangle *rectangle,
                                const carom_impact_bounds_of_change *bounds, double offset[2]) {
    carom_root_exclusion *e = exclusion;
    offset[0] = HUGE_VAL;
    offset[1] = HUGE_VAL;
    /*[rootExclusion]*/
    /* Largest change of Z in the rectangle, and its part of second order. */
    const double across = bounds->rates[0] * rectangle->half[0];
    const double up = bounds->rates[1] * rectangle->half[1];
    const double change = across + up;
    const double second_order =
        0.5 * (bounds->curvatures[0] * rectangle->half[0] * rectangle->half[0] + 2.0 * across * up +
               bounds->curvatures[1] * rectangle->half[1] * rectangle->half[1]);
    if (change >= 1.0) {
        return false;
    }
    carom_impact_matrix_evaluate(e->matrix, rectangle->centre[0], rectangle->centre[1], e->Z,
                                 e->Z_time, e->Z_constrained);
    decompose(e);
    const double strength = leading_strength(e);
    if (!(strength > change)) {
        return false;
    }
    /* f + J delta over the rectangle against everything of second order. */
    const double length = form_null_vector(e);
    form_basis(e);
    const double f[2] = {e->Z[e->columns * e->columns - 1], 0.0};
    double by_time[2] = {0.0, 0.0};
    double by_constrained[2] = {0.0, 0.0};
    project(e, e->Z_time, by_time);
    project(e, e->Z_constrained, by_constrained);
    solve_offset(f, by_time, by_constrained, offset);
    for (int k = 0; k < 2; ++k) {
        by_time[k] *= rectangle->half[0];
        by_constrained[k] *= rectangle->half[1];
    }
    const double remainder = length * (second_order + change * change / (strength - change));
    const double rounding = ROUNDING * (double)e->rows * length;
    return parallelogram_distance(f, by_time, by_constrained) > remainder + rounding;
    /*[end rootExclusion]*/
}
