#include <carom/collisionless/curves/critical_region.h>

#include <carom/base/base.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Doubles of a mode's entry in rows and in columns. */
enum { ROW_WIDTH = 3, COLUMN_WIDTH = 2 };

struct carom_reduced_matrix {
    const carom_phase_spectra *spectra; /**< borrowed */
    double frequency_scale;             /**< kappa: kappa2 is the largest |eigenvalue|, 1/s */
    double inertia;                     /**< eta'1 = 1/W_N, 1 */
    double *cauchy;                     /**< kappa2 M [N][N-1], 1 */
    double *mode_factors;               /**< sqrt(W_i) [N]: of the rows */
    double *constrained_factors;        /**< [N]: of the columns, the last for the static force */
    double force_factor;                /**< of the last row */
    double *rows;                       /**< [N][ROW_WIDTH] scratch */
    double *columns;                    /**< [N-1][COLUMN_WIDTH] scratch */
    double *transposed;                 /**< [N][N+1] scratch */
};

/** A time function and its rate, divided by cosh(nu t) for a hyperbolic mode. */
typedef struct time_function {
    double g;
    double g_dot; /**< 1/s */
} time_function;

/** The paper's g of (11). */
static time_function normalised(double lambda, carom_parity parity, double t) {
    const double omega = sqrt(fabs(lambda));
    const bool is_even = parity == CAROM_PARITY_EVEN;
    if (lambda < 0.0) {
        const double ratio = tanh(omega * t);
        return is_even ? (time_function){.g = 1.0, .g_dot = omega * ratio}
                       : (time_function){.g = ratio, .g_dot = omega};
    }
    const double cosine = cos(omega * t);
    const double sine = sin(omega * t);
    return is_even ? (time_function){.g = cosine, .g_dot = -omega * sine}
                   : (time_function){.g = sine, .g_dot = omega * cosine};
}

static time_function unconstrained(const carom_reduced_matrix *reduced, int i, double time) {
    const carom_phase_spectra *spectra = reduced->spectra;
    return normalised(spectra->unconstrained[i], spectra->unconstrained_parity[i], time);
}

/** The impact is at -tau' of the constrained phase. */
static time_function constrained(const carom_reduced_matrix *reduced, int j,
                                 double constrained_time) {
    const carom_phase_spectra *spectra = reduced->spectra;
    return normalised(spectra->constrained[j], spectra->constrained_parity[j], -constrained_time);
}

/** The largest |eigenvalue| of both spectra. */
static double largest_eigenvalue(const carom_phase_spectra *spectra) {
    const int N = spectra->mode_count;
    return fmax(fabs(spectra->unconstrained[0]), fabs(spectra->unconstrained[N - 1]));
}

/** Refuse an eigenvalue that is zero to rounding of the largest. */
static carom_status check_nonzero(const char *name, int count, const double *eigenvalues,
                                  double largest, carom_report *report) {
    for (int i = 0; i < count; i++) {
        if (fabs(eigenvalues[i]) <= DBL_EPSILON * largest) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, name, eigenvalues[i], i);
        }
    }
    return CAROM_OK;
}

static carom_status check(const carom_phase_spectra *spectra, carom_report *report) {
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    const int N = spectra->mode_count;
    const double largest = largest_eigenvalue(spectra);
    CAROM_TRY(check_nonzero("unconstrained spectrum", N, spectra->unconstrained, largest, report));
    return check_nonzero("constrained spectrum", N - 1, spectra->constrained, largest, report);
}

/**
 * Factors that turn the rows and columns of the pole-free B into those of modes of unit kinetic
 * energy: (8) then makes the columns of M and 1/lambda the components of constrained modes and of
 * the static shape in unconstrained ones, of unit length.
 */
static void compute_factors(carom_reduced_matrix *reduced) {
    const carom_phase_spectra *spectra = reduced->spectra;
    const int N = spectra->mode_count;
    const double kappa2 = reduced->frequency_scale * reduced->frequency_scale;
    double *share = reduced->rows;
    carom_cauchy_shares(N, spectra->unconstrained, spectra->constrained, share);
    carom_cauchy_matrix(N, N - 1, spectra->unconstrained, spectra->constrained, reduced->cauchy);
    reduced->inertia = 1.0 / share[N - 1];

    double row_square = 0.0;
    for (int j = 0; j < N; j++) {
        double square = 0.0;
        for (int i = 0; i < N; i++) {
            double entry = kappa2 / spectra->unconstrained[i];
            if (j < N - 1) {
                reduced->cauchy[i * (N - 1) + j] *= kappa2;
                entry = reduced->cauchy[i * (N - 1) + j];
            }
            square += share[i] * entry * entry;
        }
        reduced->constrained_factors[j] = 1.0 / sqrt(square);
        row_square += 1.0 / square;
    }
    for (int i = 0; i < N; i++) {
        reduced->mode_factors[i] = sqrt(share[i]);
    }
    reduced->force_factor = 1.0 / sqrt(row_square);
}

carom_status carom_reduced_matrix_alloc(const carom_phase_spectra *spectra,
                                        carom_reduced_matrix **out, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(check(spectra, report));
    CAROM_ASSERT(spectra->mode_count >= 2);
    const size_t N = (size_t)spectra->mode_count;
    CAROM_AUTO(carom_reduced_matrix) reduced = calloc(1, sizeof *reduced);
    if (reduced == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    reduced->spectra = spectra;
    reduced->frequency_scale = sqrt(largest_eigenvalue(spectra));
    reduced->cauchy = calloc(N * (N - 1), sizeof(double));
    reduced->mode_factors = calloc(N, sizeof(double));
    reduced->constrained_factors = calloc(N, sizeof(double));
    reduced->rows = calloc(N * ROW_WIDTH, sizeof(double));
    reduced->columns = calloc((N - 1) * COLUMN_WIDTH, sizeof(double));
    reduced->transposed = calloc(N * (N + 1), sizeof(double));
    if (reduced->cauchy == NULL || reduced->mode_factors == NULL ||
        reduced->constrained_factors == NULL || reduced->rows == NULL || reduced->columns == NULL ||
        reduced->transposed == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    compute_factors(reduced);
    CAROM_HAND_OVER(reduced, out);
    return CAROM_OK;
}

void carom_reduced_matrix_free(carom_reduced_matrix *reduced) {
    if (reduced == NULL) {
        return;
    }
    free(reduced->cauchy);
    free(reduced->mode_factors);
    free(reduced->constrained_factors);
    free(reduced->rows);
    free(reduced->columns);
    free(reduced->transposed);
    free(reduced);
}

const carom_phase_spectra *carom_reduced_matrix_spectra(const carom_reduced_matrix *reduced) {
    CAROM_ASSERT(reduced != NULL);
    return reduced->spectra;
}

double carom_reduced_matrix_time(const carom_reduced_matrix *reduced, double phase) {
    CAROM_ASSERT(reduced != NULL);
    const int N = reduced->spectra->mode_count;
    return phase / sqrt(fabs(reduced->spectra->unconstrained[N - 1]));
}

double carom_reduced_matrix_constrained_time(const carom_reduced_matrix *reduced, double phase) {
    CAROM_ASSERT(reduced != NULL);
    const int N = reduced->spectra->mode_count;
    return phase / sqrt(fabs(reduced->spectra->constrained[N - 2]));
}

void carom_reduced_matrix_printed(const carom_reduced_matrix *reduced, double time,
                                  double constrained_time, double *G, double *B) {
    CAROM_ASSERT(reduced != NULL && time > 0.0 && constrained_time > 0.0);
    const int N = reduced->spectra->mode_count;
    const double *lambda = reduced->spectra->unconstrained;
    const double *lambda_prime = reduced->spectra->constrained;
    for (int i = 0; i < N; i++) {
        const time_function row = unconstrained(reduced, i, time);
        for (int j = 0; j < N - 1; j++) {
            const time_function column = constrained(reduced, j, constrained_time);
            // (16): the coshes of numerator and denominator cancel
            const double ratio = row.g / row.g_dot * (column.g_dot / column.g);
            if (G != NULL) {
                G[i * (N - 1) + j] = ratio;
            }
            if (B != NULL) {
                const double M = 1.0 / (lambda[i] - lambda_prime[j]);
                B[i * N + j] = M - ratio * M;
            }
        }
        if (B != NULL) {
            B[i * N + N - 1] = 1.0 / lambda[i];
        }
    }
    for (int j = 0; B != NULL && j < N; j++) {
        B[N * N + j] = reduced->inertia;
    }
}

void carom_reduced_matrix_pole_free(const carom_reduced_matrix *reduced, double time,
                                    double constrained_time, double *B_check) {
    CAROM_ASSERT(reduced != NULL && B_check != NULL && time > 0.0 && constrained_time > 0.0);
    const int N = reduced->spectra->mode_count;
    const double *lambda = reduced->spectra->unconstrained;
    const double *lambda_prime = reduced->spectra->constrained;
    for (int i = 0; i < N; i++) {
        const time_function row = unconstrained(reduced, i, time);
        for (int j = 0; j < N - 1; j++) {
            const time_function column = constrained(reduced, j, constrained_time);
            B_check[i * N + j] =
                (row.g_dot * column.g - row.g * column.g_dot) / (lambda[i] - lambda_prime[j]);
        }
        B_check[i * N + N - 1] = row.g_dot / lambda[i];
    }
    for (int j = 0; j < N - 1; j++) {
        B_check[N * N + j] = reduced->inertia * constrained(reduced, j, constrained_time).g;
    }
    B_check[N * N + N - 1] = reduced->inertia;
}

int carom_reduced_matrix_rows_size(const carom_reduced_matrix *reduced) {
    CAROM_ASSERT(reduced != NULL);
    return ROW_WIDTH * reduced->spectra->mode_count;
}

int carom_reduced_matrix_columns_size(const carom_reduced_matrix *reduced) {
    CAROM_ASSERT(reduced != NULL);
    return COLUMN_WIDTH * (reduced->spectra->mode_count - 1);
}

void carom_reduced_matrix_rows(const carom_reduced_matrix *reduced, double time, double *rows) {
    CAROM_ASSERT(reduced != NULL && rows != NULL && time > 0.0);
    const int N = reduced->spectra->mode_count;
    const double kappa = reduced->frequency_scale;
    for (int i = 0; i < N; i++) {
        const time_function row = unconstrained(reduced, i, time);
        double *entry = &rows[ROW_WIDTH * i];
        entry[0] = reduced->mode_factors[i] * row.g;
        entry[1] = reduced->mode_factors[i] * row.g_dot / kappa;
        entry[2] = entry[1] * reduced->constrained_factors[N - 1] *
                   (kappa * kappa / reduced->spectra->unconstrained[i]);
    }
}

void carom_reduced_matrix_columns(const carom_reduced_matrix *reduced, double constrained_time,
                                  double *columns) {
    CAROM_ASSERT(reduced != NULL && columns != NULL && constrained_time > 0.0);
    const int N = reduced->spectra->mode_count;
    for (int j = 0; j < N - 1; j++) {
        const time_function column = constrained(reduced, j, constrained_time);
        double *entry = &columns[COLUMN_WIDTH * j];
        entry[0] = reduced->constrained_factors[j] * column.g;
        entry[1] = reduced->constrained_factors[j] * column.g_dot / reduced->frequency_scale;
    }
}

/** The transposed pole-free B: the N-1 shared rows as columns, then row N+1, then row N. */
static void fill_transposed(carom_reduced_matrix *reduced, const double *rows,
                            const double *columns) {
    const int N = reduced->spectra->mode_count;
    const int width = N + 1;
    for (int j = 0; j < N; j++) {
        double *line = &reduced->transposed[j * width];
        for (int i = 0; i < N; i++) {
            const double *row = &rows[ROW_WIDTH * i];
            double value = row[2];
            if (j < N - 1) {
                const double *column = &columns[COLUMN_WIDTH * j];
                value =
                    (row[1] * column[0] - row[0] * column[1]) * reduced->cauchy[i * (N - 1) + j];
            }
            line[i < N - 1 ? i : N] = value;
        }
        line[N - 1] = reduced->force_factor *
                      (j < N - 1 ? columns[COLUMN_WIDTH * j] : reduced->constrained_factors[N - 1]);
    }
}

/** Swap the row of the largest entry of a column to the diagonal; whether rows were swapped. */
static bool pivot(double *a, int N, int column) {
    const int width = N + 1;
    int largest = column;
    for (int j = column + 1; j < N; j++) {
        if (fabs(a[j * width + column]) > fabs(a[largest * width + column])) {
            largest = j;
        }
    }
    if (largest == column) {
        return false;
    }
    for (int i = column; i < width; i++) {
        const double kept = a[column * width + i];
        a[column * width + i] = a[largest * width + i];
        a[largest * width + i] = kept;
    }
    return true;
}

void carom_reduced_matrix_eliminate(carom_reduced_matrix *reduced, const double *rows,
                                    const double *columns, double *determinants) {
    CAROM_ASSERT(reduced != NULL && rows != NULL && columns != NULL && determinants != NULL);
    const int N = reduced->spectra->mode_count;
    const int width = N + 1;
    double *a = reduced->transposed;
    fill_transposed(reduced, rows, columns);
    determinants[CAROM_DETERMINANT_WITHOUT_MODE] = 0.0;
    determinants[CAROM_DETERMINANT_WITHOUT_FORCE] = 0.0;

    // the shared rows are eliminated once, the two others carried along as right sides
    double product = 1.0;
    for (int k = 0; k < N - 1; k++) {
        product = pivot(a, N, k) ? -product : product;
        const double diagonal = a[k * width + k];
        if (!(fabs(diagonal) > 0.0)) {
            return;
        }
        product *= diagonal;
        for (int j = k + 1; j < N; j++) {
            const double multiplier = a[j * width + k] / diagonal;
            for (int i = k + 1; i < width; i++) {
                a[j * width + i] -= multiplier * a[k * width + i];
            }
        }
    }
    determinants[CAROM_DETERMINANT_WITHOUT_MODE] = product * a[(N - 1) * width + N - 1];
    determinants[CAROM_DETERMINANT_WITHOUT_FORCE] = product * a[(N - 1) * width + N];
}

void carom_reduced_matrix_determinants(carom_reduced_matrix *reduced, double time,
                                       double constrained_time, double *determinants) {
    CAROM_ASSERT(reduced != NULL && determinants != NULL);
    carom_reduced_matrix_rows(reduced, time, reduced->rows);
    carom_reduced_matrix_columns(reduced, constrained_time, reduced->columns);
    carom_reduced_matrix_eliminate(reduced, reduced->rows, reduced->columns, determinants);
}
