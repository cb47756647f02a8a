#include <carom/base/linear_algebra.h>
#include <carom/base/vector.h>

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/** Part of a row outside the active ones, relative to the row, that counts as none: what rounding
 * of data, 1e-16, leaves after the sums of a mass matrix of condition 1e4. */
static const double DEPENDENT = 1e-12;

/** The same for a combination of up to n such rows. */
static const double CANCELLED = 1e-11;

/** Violation of a half-space, relative to |a| |x| + 1, that rounding explains. */
static const double ROUNDING = 1e-14;

/** Largest difference of the length found from its proven lower bound, relative: enough for
 * openings down to about 1e-10. */
static const double PROVED_GAP = 1e-6;

/** Changes of the active rows for each row: a few as a rule. */
enum { MOST_CHANGES = 20 };

/** The state of the method. */
typedef struct least_distance {
    int n;
    int g;
    const double *A; /* [g][n] */
    double *norms;   /* [g] |a_j| */
    double *x;       /* [n] */
    double *y;       /* [g] */

    int active_count;    /* q */
    int *active;         /* [n] rows in the order of the columns */
    gsl_matrix *columns; /* [n][n], Q R of the active rows as columns, packed */
    gsl_vector *tau;     /* [n] */
    gsl_vector *d;       /* [n] Q' a of the entering row */
    double *r;           /* [n] its combination of active rows */
} least_distance;

static void clear(least_distance *self) {
    free(self->norms);
    free(self->active);
    gsl_matrix_free(self->columns);
    gsl_vector_free(self->tau);
    gsl_vector_free(self->d);
    free(self->r);
}

/** Row j of A. */
static const double *row(const least_distance *self, int j) {
    return self->A + (ptrdiff_t)j * self->n;
}

static carom_status init(least_distance *self) {
    const size_t n = (size_t)self->n;
    self->norms = calloc((size_t)self->g, sizeof(double));
    self->active = calloc(n, sizeof(int));
    self->columns = gsl_matrix_calloc(n, n);
    self->tau = gsl_vector_calloc(n);
    self->d = gsl_vector_calloc(n);
    self->r = calloc(n, sizeof(double));
    if (self->norms == NULL || self->active == NULL || self->columns == NULL || self->tau == NULL ||
        self->d == NULL || self->r == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < self->n; i++) {
        self->x[i] = 0.0;
    }
    for (int j = 0; j < self->g; j++) {
        self->norms[j] = sqrt(carom_vector_dot(self->n, row(self, j), row(self, j)));
        self->y[j] = 0.0;
    }
    return CAROM_OK;
}

/** Q R = (a_1, a_2, ...) of the active rows; the views of its q columns. */
static carom_status factor(least_distance *self) {
    const size_t n = (size_t)self->n;
    const size_t q = (size_t)self->active_count;
    if (q == 0) {
        return CAROM_OK;
    }
    gsl_matrix_view QR = gsl_matrix_submatrix(self->columns, 0, 0, n, q);
    gsl_vector_view tau = gsl_vector_subvector(self->tau, 0, q);
    for (size_t k = 0; k < q; k++) {
        for (size_t i = 0; i < n; i++) {
            gsl_matrix_set(&QR.matrix, i, k, row(self, self->active[k])[i]);
        }
    }
    return gsl_linalg_QR_decomp(&QR.matrix, &tau.vector) == GSL_SUCCESS
               ? CAROM_OK
               : CAROM_STATUS_NOT_CONVERGED;
}

/** v <- Q' v or Q v; nothing without active rows. */
static void turn(least_distance *self, gsl_vector *v, bool is_transposed) {
    const size_t q = (size_t)self->active_count;
    if (q == 0) {
        return;
    }
    gsl_matrix_view QR = gsl_matrix_submatrix(self->columns, 0, 0, (size_t)self->n, q);
    gsl_vector_view tau = gsl_vector_subvector(self->tau, 0, q);
    // Sizes fit: no error is possible.
    if (is_transposed) {
        (void)gsl_linalg_QR_QTvec(&QR.matrix, &tau.vector, v);
    } else {
        (void)gsl_linalg_QR_Qvec(&QR.matrix, &tau.vector, v);
    }
}

/** R s = v in place, from the last row up. */
static void solve_upper(const least_distance *self, double *v) {
    for (int k = self->active_count - 1; k >= 0; k--) {
        for (int l = k + 1; l < self->active_count; l++) {
            v[k] -= gsl_matrix_get(self->columns, (size_t)k, (size_t)l) * v[l];
        }
        v[k] /= gsl_matrix_get(self->columns, (size_t)k, (size_t)k);
    }
}

/** The row violated most, by distance from its half-space; -1 if none is. */
static int find_violated(const least_distance *self) {
    const double size = sqrt(carom_vector_dot(self->n, self->x, self->x));
    int worst = -1;
    double largest = 0.0;
    for (int j = 0; j < self->g; j++) {
        const double violation = 1.0 - carom_vector_dot(self->n, row(self, j), self->x);
        if (violation <= ROUNDING * (1.0 + self->norms[j] * size)) {
            continue;
        }
        // A row of zeros is farther than all others.
        const double distance =
            self->norms[j] > 0.0 ? violation / self->norms[j] : (double)INFINITY;
        if (distance > largest) {
            largest = distance;
            worst = j;
        }
    }
    return worst;
}

/** d = Q' a and r = R^-1 d of a row; the part of the row outside the active ones, 0 for none. */
static double split_row(least_distance *self, int entering) {
    for (int i = 0; i < self->n; i++) {
        gsl_vector_set(self->d, (size_t)i, row(self, entering)[i]);
    }
    turn(self, self->d, true);
    double square = 0.0;
    for (int i = 0; i < self->n; i++) {
        const double d = gsl_vector_get(self->d, (size_t)i);
        if (i < self->active_count) {
            self->r[i] = d;
        } else {
            square += d * d;
        }
    }
    solve_upper(self, self->r);
    return sqrt(square) > DEPENDENT * self->norms[entering] ? sqrt(square) : 0.0;
}

/** The active row whose multiplier vanishes first along -r, with the length of the step; -1: none.
 */
static int find_leaving(const least_distance *self, int entering, double *step) {
    int leaving = -1;
    *step = INFINITY;
    for (int k = 0; k < self->active_count; k++) {
        const int j = self->active[k];
        if (self->r[k] * self->norms[j] > DEPENDENT * self->norms[entering] &&
            self->y[j] < *step * self->r[k]) {
            *step = self->y[j] / self->r[k];
            leaving = k;
        }
    }
    return leaving;
}

/** x <- x + step z, z the part of the entering row outside the active ones. */
static void move(least_distance *self, double step) {
    for (int k = 0; k < self->active_count; k++) {
        gsl_vector_set(self->d, (size_t)k, 0.0);
    }
    turn(self, self->d, false);
    for (int i = 0; i < self->n; i++) {
        self->x[i] += step * gsl_vector_get(self->d, (size_t)i);
    }
}

/** y <- the combination of rows that is zero: the entering row minus those it depends on. */
static carom_status certify(least_distance *self, int entering) {
    for (int j = 0; j < self->g; j++) {
        self->y[j] = 0.0;
    }
    self->y[entering] = 1.0;
    for (int k = 0; k < self->active_count; k++) {
        self->y[self->active[k]] = fmax(-self->r[k], 0.0);
    }
    double square = 0.0;
    double sum = 0.0;
    double terms = 0.0;
    for (int i = 0; i < self->n; i++) {
        double entry = 0.0;
        for (int j = 0; j < self->g; j++) {
            entry += self->y[j] * row(self, j)[i];
        }
        square += entry * entry;
    }
    for (int j = 0; j < self->g; j++) {
        sum += self->y[j];
        terms += self->y[j] * self->norms[j];
    }
    for (int j = 0; j < self->g; j++) {
        self->y[j] /= sum;
    }
    return sqrt(square) <= CANCELLED * terms ? CAROM_STATUS_RAY : CAROM_STATUS_NOT_CONVERGED;
}

/*[activateRow]*/
/** Make a violated row active; rows leave before their multipliers change sign. */
static carom_status activate(least_distance *self, int entering, int *changes) {
    for (; *changes > 0; (*changes)--) {
        CAROM_TRY(factor(self));
        const double outside = split_row(self, entering);
        double step;
        const int leaving = find_leaving(self, entering, &step);
        if (outside <= 0.0 && leaving < 0) {
            return certify(self, entering);
        }
        // As far as the entering half-space, or until a multiplier vanishes.
        const double violation = 1.0 - carom_vector_dot(self->n, row(self, entering), self->x);
        const bool is_full = outside > 0.0 && violation / (outside * outside) <= step;
        step = is_full ? violation / (outside * outside) : step;
        if (outside > 0.0) {
            move(self, step);
        }
        self->y[entering] += step;
        for (int k = 0; k < self->active_count; k++) {
            self->y[self->active[k]] = fmax(self->y[self->active[k]] - step * self->r[k], 0.0);
        }
        if (is_full) {
            self->active[self->active_count++] = entering;
            return CAROM_OK;
        }
        self->y[self->active[leaving]] = 0.0;
        self->active_count--;
        for (int k = leaving; k < self->active_count; k++) {
            self->active[k] = self->active[k + 1];
        }
    }
    return CAROM_STATUS_NOT_CONVERGED;
}
/*[end activateRow]*/

/** x once more, without the errors of the steps: R' z = 1, x = Q z, R y = z. */
static carom_status refine(least_distance *self) {
    CAROM_TRY(factor(self));
    gsl_vector_set_zero(self->d);
    for (int k = 0; k < self->active_count; k++) {
        double rest = 1.0;
        for (int l = 0; l < k; l++) {
            rest -= gsl_matrix_get(self->columns, (size_t)l, (size_t)k) * self->r[l];
        }
        self->r[k] = rest / gsl_matrix_get(self->columns, (size_t)k, (size_t)k);
        gsl_vector_set(self->d, (size_t)k, self->r[k]);
    }
    turn(self, self->d, false);
    solve_upper(self, self->r);
    for (int i = 0; i < self->n; i++) {
        self->x[i] = gsl_vector_get(self->d, (size_t)i);
    }
    for (int k = 0; k < self->active_count; k++) {
        self->y[self->active[k]] = fmax(self->r[k], 0.0);
    }
    return CAROM_OK;
}

/**
 * Make x admissible and prove its length: any y >= 0 has 1 . y <= (A x) . y <= |x| |A' y| for all
 * admissible x.
 */
static carom_status prove(least_distance *self, double *gap) {
    double least = INFINITY;
    double sum = 0.0;
    for (int j = 0; j < self->g; j++) {
        least = fmin(least, carom_vector_dot(self->n, row(self, j), self->x));
        sum += self->y[j];
    }
    if (!(least > 0.0)) {
        return CAROM_STATUS_NOT_CONVERGED;
    }
    double square = 0.0;
    for (int i = 0; i < self->n; i++) {
        self->x[i] /= least;
        double entry = 0.0;
        for (int j = 0; j < self->g; j++) {
            entry += self->y[j] * row(self, j)[i];
        }
        square += entry * entry;
    }
    *gap = 1.0 - sum / sqrt(square * carom_vector_dot(self->n, self->x, self->x));
    return *gap <= PROVED_GAP ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

static carom_status solve(least_distance *self, double *gap) {
    CAROM_TRY(init(self));
    int changes = MOST_CHANGES * (self->n + self->g);
    for (int entering = find_violated(self); entering >= 0; entering = find_violated(self)) {
        CAROM_TRY(activate(self, entering, &changes));
    }
    CAROM_TRY(refine(self));
    return prove(self, gap);
}

carom_status carom_least_distance_solve(int n, int g, const double *A, double *x, double *y,
                                        double *gap) {
    CAROM_ASSERT(n >= 1 && g >= 1 && A != NULL && x != NULL && y != NULL);
    least_distance self = {.n = n, .g = g, .A = A, .x = x, .y = y};
    double found_gap = (double)NAN;
    const carom_status status = solve(&self, &found_gap);
    clear(&self);
    for (int i = 0; status != CAROM_OK && i < n; i++) {
        x[i] = (double)NAN;
    }
    for (int j = 0; status != CAROM_OK && status != CAROM_STATUS_RAY && j < g; j++) {
        y[j] = (double)NAN;
    }
    if (gap != NULL) {
        *gap = status == CAROM_OK ? found_gap : (double)NAN;
    }
    return status;
}
