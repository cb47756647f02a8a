/*
 * Own code rather than LAPACK or GSL, for digits that do not depend on the BLAS installed, because
 * gsl_linalg_LU_decomp allocates, and because these matrices are small or narrow: a call then costs
 * more than its arithmetic.
 */
#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>
#include <carom/base/tridiagonal.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/** How the factors of the last matrix are stored. */
typedef enum factor_kind {
    FACTOR_NONE,        /**< nothing factored yet, or the last matrix failed */
    FACTOR_DIAGONAL,    /**< D */
    FACTOR_TRIDIAGONAL, /**< symmetric positive definite, eliminated from both ends */
    FACTOR_SYMMETRIC,   /**< symmetric positive definite, L D L' */
    FACTOR_GENERAL,     /**< P S A = L U, S scaling the rows */
} factor_kind;

struct carom_factor {
    carom_layout layout;
    int size;             /**< n */
    int bandwidth;        /**< b, at most n - 1; n - 1 for a full matrix */
    bool has_units;       /**< pivots compare beside the roots of the diagonal */
    double least_pivot;   /**< fraction below which a pivot counts as zero, if above rounding */
    factor_kind kind;     /**< which of the following is valid */
    double *reciprocals;  /**< [n] 1/D, 1/diag(U) */
    double *lower;        /**< L, entry (i,j) at i lower_stride + j + b; tridiagonal: couplings */
    int lower_stride;     /**< b - 1, at least 0 */
    double *general;      /**< LU, entry (i,j) at i general_stride + j + general_offset */
    int general_stride;   /**< n when stored full, 3 b when banded */
    int general_offset;   /**< 0 when stored full, b when banded */
    double *row_scales;   /**< [n] S, powers of two */
    double *column_sizes; /**< [n] largest |S A| of each column */
    int *pivot_rows;      /**< [n] row exchanged with row k at elimination step k */
};

/**
 * A pivot counts as zero if elimination has reduced the entry it started from to less than this
 * many roundings for each row: it then consists of rounding errors.
 */
static const double PIVOT_ROUNDINGS_PER_ROW = 4.0;

/** Of a double in the format of IEEE 754: all but the sign, and those of infinity. */
static const uint64_t SIZE_BITS = UINT64_MAX >> 1;
static const uint64_t INFINITE_BITS = UINT64_C(0x7ff) << 52;

static double pivot_threshold(const carom_factor *factor) {
    return fmax(factor->least_pivot, PIVOT_ROUNDINGS_PER_ROW * DBL_EPSILON * (double)factor->size);
}

void carom_factor_set_least_pivot(carom_factor *factor, double fraction) {
    CAROM_ASSERT(fraction >= 0.0 && fraction < 1.0);
    factor->least_pivot = fraction;
}

void carom_factor_set_units(carom_factor *factor) {
    factor->has_units = true;
}

/** First column and row of the band in row and column k; one past the last. */
static int band_first(const carom_factor *factor, int k) {
    return k > factor->bandwidth ? k - factor->bandwidth : 0;
}

static int band_end(const carom_factor *factor, int k) {
    return factor->bandwidth < factor->size - 1 - k ? k + factor->bandwidth + 1 : factor->size;
}

/** One past the last column that row i of U can reach: row exchanges double the upper band. */
static int upper_end(const carom_factor *factor, int row) {
    const int b = factor->bandwidth;
    return 2 * b < factor->size - 1 - row ? row + 2 * b + 1 : factor->size;
}

carom_status carom_factor_alloc(carom_layout layout, carom_factor **out) {
    CAROM_ASSERT(out != NULL && layout.size >= 1);
    *out = NULL;
    CAROM_AUTO(carom_factor) factor = calloc(1, sizeof *factor);
    if (factor == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int n = layout.size;
    const bool is_narrow = layout.is_banded && layout.half_bandwidth < n - 1;
    const int b = is_narrow ? layout.half_bandwidth : n - 1;
    factor->layout = layout;
    factor->size = n;
    factor->bandwidth = b;
    factor->kind = FACTOR_NONE;

    factor->lower_stride = b > 1 ? b - 1 : 0;
    // Row exchanges widen the upper band from b to 2 b; beyond the full width store it full.
    const bool is_general_full = b > (n - 1) / 3;
    factor->general_stride = is_general_full ? n : 3 * b;
    factor->general_offset = is_general_full ? 0 : b;
    const size_t rows = (size_t)n;
    const size_t general_count =
        rows * (size_t)(is_general_full ? n : 3 * b + 1) + (size_t)factor->general_offset;

    factor->reciprocals = calloc(rows, sizeof(double));
    factor->lower = calloc(rows * (size_t)b + 1, sizeof(double));
    factor->general = calloc(general_count, sizeof(double));
    factor->row_scales = calloc(rows, sizeof(double));
    factor->column_sizes = calloc(rows, sizeof(double));
    factor->pivot_rows = calloc(rows, sizeof(int));
    if (factor->reciprocals == NULL || factor->lower == NULL || factor->general == NULL ||
        factor->row_scales == NULL || factor->column_sizes == NULL || factor->pivot_rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_HAND_OVER(factor, out);
    return CAROM_OK;
}

void carom_factor_free(carom_factor *factor) {
    if (factor == NULL) {
        return;
    }
    free(factor->reciprocals);
    free(factor->lower);
    free(factor->general);
    free(factor->row_scales);
    free(factor->column_sizes);
    free(factor->pivot_rows);
    free(factor);
}

/**
 * The largest entry of each row, into row_scales. @return whether all are finite: sizes compare as
 * their bits do, with what is not finite above all others
 */
static bool measure_rows(carom_factor *factor, const double *A) {
    uint64_t above = 0;
    for (int i = 0; i < factor->size; i++) {
        const double *row = carom_layout_row(factor->layout, A, i);
        const int end = band_end(factor, i);
        uint64_t largest = 0;
        for (int j = band_first(factor, i); j < end; j++) {
            uint64_t bits;
            memcpy(&bits, row + j, sizeof bits);
            bits &= SIZE_BITS;
            largest = bits > largest ? bits : largest;
        }
        memcpy(factor->row_scales + i, &largest, sizeof largest);
        above = largest > above ? largest : above;
    }
    return above < INFINITE_BITS;
}

/**
 * Symmetric, with a positive diagonal. Only exact symmetry counts: a matrix that is symmetric but
 * for rounding is safe with LU.
 */
static bool may_be_definite(const carom_factor *factor, const double *A) {
    for (int i = factor->size - 1; i >= 0; i--) {
        const double *row = carom_layout_row(factor->layout, A, i);
        if (!(row[i] > 0.0)) {
            return false;
        }
        for (int j = band_first(factor, i); j < i; j++) {
            if (fabs(row[j] - carom_layout_row(factor->layout, A, j)[i]) > 0.0) {
                return false;
            }
        }
    }
    return true;
}

/** D^-1; false if an entry has no finite reciprocal. */
static bool factor_diagonal(carom_factor *factor, const double *A) {
    for (int i = 0; i < factor->size; i++) {
        factor->reciprocals[i] = 1.0 / A[i];
        if (!isfinite(factor->reciprocals[i])) {
            return false;
        }
    }
    return true;
}

static bool factor_tridiagonal(carom_factor *factor, const double *A) {
    return carom_tridiagonal_factor(factor->layout, A, pivot_threshold(factor), factor->lower,
                                    factor->reciprocals);
}

/** Row i of L, entry (i,j) at index j. */
static double *lower_row(const carom_factor *factor, int row) {
    return factor->lower + (size_t)row * (size_t)factor->lower_stride + (size_t)factor->bandwidth;
}

/** L D L' of a symmetric band, row by row; false if a pivot is not positive beyond rounding. */
static bool factor_symmetric(carom_factor *factor, const double *A) {
    const double threshold = pivot_threshold(factor);
    for (int i = 0; i < factor->size; i++) {
        const int first = band_first(factor, i);
        const double *a = carom_layout_row(factor->layout, A, i);
        double *row = lower_row(factor, i);
        // v_j = L_ij d_j from the rows above, then L_ij = v_j / d_j and d_i = a_ii - sum L_ij v_j.
        for (int j = first; j < i; j++) {
            const double *above = lower_row(factor, j);
            const int first_above = band_first(factor, j);
            double v = a[j];
            for (int s = first_above > first ? first_above : first; s < j; s++) {
                v -= above[s] * row[s];
            }
            row[j] = v;
        }
        double pivot = a[i];
        for (int j = first; j < i; j++) {
            const double v = row[j];
            row[j] = v * factor->reciprocals[j];
            pivot -= row[j] * v;
        }
        if (!(pivot > threshold * a[i])) {
            return false;
        }
        factor->reciprocals[i] = 1.0 / pivot;
    }
    return true;
}

/** Row i of L U, entry (i,j) at index j. */
static double *general_row(const carom_factor *factor, int row) {
    return factor->general + (size_t)row * (size_t)factor->general_stride +
           (size_t)factor->general_offset;
}

/**
 * Of a matrix with a positive diagonal, a mass with what forces add, the largest entry of each row
 * beside the roots of the diagonal, into row_scales: where lengths are small beside the unit, an
 * angle is large beside them, and a pivot that is the largest in its row but for that leaves the
 * others as rounding.
 */
static void measure_rows_by_diagonal(carom_factor *factor, const double *A) {
    const int n = factor->size;
    double *restrict roots = factor->column_sizes;
    for (int i = 0; i < n; i++) {
        const double a = carom_layout_row(factor->layout, A, i)[i];
        if (!(a > 0.0)) {
            return;
        }
        roots[i] = 1.0 / sqrt(a);
    }
    for (int i = 0; i < n; i++) {
        const double *a = carom_layout_row(factor->layout, A, i);
        const int end = band_end(factor, i);
        double largest = 0.0;
        for (int j = band_first(factor, i); j < end; j++) {
            largest = fmax(largest, fabs(a[j]) * roots[j]);
        }
        factor->row_scales[i] = largest;
    }
}

/**
 * Copy A with every row scaled by a power of two to a largest entry in [1/2, 1), or about that
 * beside the diagonal, so that pivots of different units compare; false if a row is zero.
 */
static bool load_general(carom_factor *factor, const double *A) {
    const int n = factor->size;
    double *restrict sizes = factor->column_sizes;
    if (factor->has_units) {
        measure_rows_by_diagonal(factor, A);
    }
    memset(sizes, 0, (size_t)n * sizeof *sizes);
    for (int i = 0; i < n; i++) {
        const int first = band_first(factor, i);
        const int end = band_end(factor, i);
        const double *a = carom_layout_row(factor->layout, A, i);
        if (!(factor->row_scales[i] > 0.0)) {
            return false;
        }
        const double scale = 1.0 / carom_scale_power_of_two(factor->row_scales[i]);
        factor->row_scales[i] = scale;
        double *restrict row = general_row(factor, i);
        for (int j = first; j < end; j++) {
            const double entry = a[j] * scale;
            const double size = fabs(entry);
            row[j] = entry;
            sizes[j] = size > sizes[j] ? size : sizes[j];
        }
        const int last = upper_end(factor, i);
        for (int j = end; j < last; j++) {
            row[j] = 0.0;
        }
    }
    return true;
}

/** Exchange rows k and p from column k on. */
static void exchange_rows(carom_factor *factor, int k, int p) {
    double *upper = general_row(factor, k);
    double *lower = general_row(factor, p);
    const int end = upper_end(factor, k);
    for (int j = k; j < end; j++) {
        const double kept = upper[j];
        upper[j] = lower[j];
        lower[j] = kept;
    }
}

/** P S A = L U with partial pivoting in the band; false if a pivot is not above rounding. */
static bool factor_general(carom_factor *factor, const double *A) {
    if (!load_general(factor, A)) {
        return false;
    }
    const double threshold = pivot_threshold(factor);
    const size_t stride = (size_t)factor->general_stride;
    for (int k = 0; k < factor->size; k++) {
        // The largest entry of column k becomes the pivot.
        const int end_row = band_end(factor, k);
        const double *below = general_row(factor, k) + k;
        double largest = fabs(*below);
        int p = k;
        for (int i = k + 1; i < end_row; i++) {
            below += stride;
            if (fabs(*below) > largest) {
                largest = fabs(*below);
                p = i;
            }
        }
        const double pivot = general_row(factor, p)[k];
        if (!(fabs(pivot) > threshold * factor->column_sizes[k])) {
            return false;
        }
        factor->pivot_rows[k] = p;
        if (p != k) {
            exchange_rows(factor, k, p);
        }
        factor->reciprocals[k] = 1.0 / pivot;
        // Multipliers stay where the eliminated entries were.
        const double *pivot_row = general_row(factor, k);
        const double reciprocal = factor->reciprocals[k];
        const int end_column = upper_end(factor, k);
        double *row = general_row(factor, k);
        for (int i = k + 1; i < end_row; i++) {
            row += stride;
            if (fabs(row[k]) <= 0.0) {
                continue; /* exactly zero: nothing to eliminate */
            }
            const double multiplier = row[k] * reciprocal;
            row[k] = multiplier;
            for (int j = k + 1; j < end_column; j++) {
                row[j] -= multiplier * pivot_row[j];
            }
        }
    }
    return true;
}

carom_status carom_factor_compute(carom_factor *factor, const double *A) {
    CAROM_ASSERT(factor != NULL && A != NULL);
    factor->kind = FACTOR_NONE;
    if (!measure_rows(factor, A)) {
        return CAROM_STATUS_NOT_FINITE;
    }
    if (factor->layout.is_banded && factor->layout.half_bandwidth == 0) {
        if (!factor_diagonal(factor, A)) {
            return CAROM_STATUS_SINGULAR;
        }
        factor->kind = FACTOR_DIAGONAL;
        return CAROM_OK;
    }
    if (may_be_definite(factor, A)) {
        const bool is_tridiagonal = factor->bandwidth == 1;
        if (is_tridiagonal ? factor_tridiagonal(factor, A) : factor_symmetric(factor, A)) {
            factor->kind = is_tridiagonal ? FACTOR_TRIDIAGONAL : FACTOR_SYMMETRIC;
            return CAROM_OK;
        }
    }
    if (!factor_general(factor, A)) {
        return CAROM_STATUS_SINGULAR;
    }
    factor->kind = FACTOR_GENERAL;
    return CAROM_OK;
}

/** L y = b by rows, then L' x = D^-1 y by columns. */
static void solve_symmetric(const carom_factor *factor, double *x) {
    const int n = factor->size;
    for (int i = 1; i < n; i++) {
        const double *row = lower_row(factor, i);
        double y = x[i];
        for (int j = band_first(factor, i); j < i; j++) {
            y -= row[j] * x[j];
        }
        x[i] = y;
    }
    for (int i = 0; i < n; i++) {
        x[i] *= factor->reciprocals[i];
    }
    for (int i = n - 1; i > 0; i--) {
        const double *row = lower_row(factor, i);
        const double x_i = x[i];
        for (int j = band_first(factor, i); j < i; j++) {
            x[j] -= row[j] * x_i;
        }
    }
}

/** U x = L^-1 P S b. */
static void solve_general(const carom_factor *factor, double *x) {
    const int n = factor->size;
    for (int i = 0; i < n; i++) {
        x[i] *= factor->row_scales[i];
    }
    for (int k = 0; k < n; k++) {
        const double y = x[factor->pivot_rows[k]];
        x[factor->pivot_rows[k]] = x[k];
        x[k] = y;
        const int end = band_end(factor, k);
        const double *below = general_row(factor, k) + k;
        for (int i = k + 1; i < end; i++) {
            below += factor->general_stride;
            x[i] -= *below * y;
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = general_row(factor, i);
        const int end = upper_end(factor, i);
        double sum = x[i];
        for (int j = i + 1; j < end; j++) {
            sum -= row[j] * x[j];
        }
        x[i] = sum * factor->reciprocals[i];
    }
}

void carom_factor_solve(const carom_factor *factor, double *b) {
    CAROM_ASSERT(factor != NULL && b != NULL && factor->kind != FACTOR_NONE);
    switch (factor->kind) {
    case FACTOR_NONE: // excluded above
    case FACTOR_DIAGONAL:
        for (int i = 0; i < factor->size; i++) {
            b[i] *= factor->reciprocals[i];
        }
        break;
    case FACTOR_TRIDIAGONAL:
        carom_tridiagonal_solve(factor->size, factor->lower, factor->reciprocals, b);
        break;
    case FACTOR_SYMMETRIC:
        solve_symmetric(factor, b);
        break;
    case FACTOR_GENERAL:
        solve_general(factor, b);
        break;
    }
}
