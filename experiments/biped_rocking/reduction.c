/** From the matching conditions A to the matrix B of the spectra alone, as the paper reduces it. */
#include "results.h"

#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/motion/coordinate_matching.h>

#include <gsl/gsl_linalg.h>

#include <math.h>
#include <stdlib.h>

/** Both sides of an identity are the same, over their largest entry: the factors that the reduction
 * divides by spread over three orders. */
static const double SAME = 1e-10;
/** Zero at the root, in units in which other times give values of order one. */
static const double VANISHES = 1e-9;
/** Impact times other than those of a root, over those of the gait: the reduction holds at any
 * times. */
static const double BESIDE = 0.8;

/** The matrices of one pair of times; N modes, N coordinates. */
typedef struct reduction {
    int N;
    double time;
    double constrained_time;
    double *A;          /**< [2N+1][2N], then S_L A S_R */
    double *log_factor; /**< [2N] */
    double *inverse;    /**< X^-1 [N][N] */
    double *B;          /**< [N+1][N] of (13) */
    double *row;        /**< [2N] */
} reduction;

static bool reduction_alloc(int N, reduction *m) {
    const size_t n = (size_t)N;
    m->N = N;
    m->A = calloc((2 * n + 1) * 2 * n + 2 * n + n * n + (n + 1) * n + 2 * n, sizeof *m->A);
    if (m->A == NULL) {
        return false;
    }
    m->log_factor = m->A + (2 * N + 1) * 2 * N;
    m->inverse = m->log_factor + 2 * N;
    m->B = m->inverse + N * N;
    m->row = m->B + (N + 1) * N;
    return true;
}

/** A of (12) with its own columns, X^-1 = c X'm, and B of (13). */
static carom_status fill(const results *r, reduction *m) {
    const int N = m->N;
    CAROM_TRY(carom_coordinate_matching_fill(r->modes, m->time, m->constrained_time, m->A,
                                             m->log_factor, r->report));
    for (int k = 0; k < (2 * N + 1) * 2 * N; k++) {
        m->A[k] *= exp(m->log_factor[k % (2 * N)]);
    }
    for (int ia = 0; ia < N * N; ia++) {
        double sum = 0.0;
        for (int b = 0; b < N; b++) {
            sum += r->modes->shape[b * N + ia / N] * r->mass[b * N + ia % N];
        }
        m->inverse[ia] = r->modes->normalisation * sum;
    }
    carom_reduced_matrix *reduced = NULL;
    CAROM_TRY(carom_reduced_matrix_alloc(r->modes->spectra, &reduced, r->report));
    carom_reduced_matrix_printed(reduced, m->time, m->constrained_time, NULL, m->B);
    carom_reduced_matrix_free(reduced);
    return CAROM_OK;
}

/** Multiply N rows of A by X^-1, row i of the product by factor[i]. */
static void multiply_block(reduction *m, int first, const double *factor) {
    const int N = m->N;
    for (int column = 0; column < 2 * N; column++) {
        for (int i = 0; i < N; i++) {
            m->row[i] = 0.0;
            for (int a = 0; a < N; a++) {
                m->row[i] += m->inverse[i * N + a] * m->A[(first + a) * 2 * N + column];
            }
        }
        for (int i = 0; i < N; i++) {
            m->A[(first + i) * 2 * N + column] = factor[i] * m->row[i];
        }
    }
}

/** S_L of (48): positions and velocities in modes, then the first rows into the others. */
static void multiply_left(const results *r, reduction *m) {
    const int N = m->N;
    const carom_phase_modes *modes = r->modes;
    const carom_phase_spectra *s = modes->spectra;
    double *factor = m->row + N;
    for (int i = 0; i < N; i++) {
        factor[i] = 1.0 / modes->shape[(N - 1) * N + i];
    }
    multiply_block(m, 0, factor);
    for (int i = 0; i < N; i++) {
        double g[4];
        biped_rocking_time_function(s->unconstrained[i], s->unconstrained_parity[i], m->time, g);
        factor[i] *= -g[0] / g[1];
    }
    multiply_block(m, N, factor);
    for (int k = 0; k < N * 2 * N; k++) {
        const int i = k / (2 * N);
        m->A[N * 2 * N + k] += m->A[k];
        m->A[2 * N * 2 * N + k % (2 * N)] +=
            modes->participation[i] * s->unconstrained[i] * m->A[k];
    }
}

/** S_R of (48): a factor for every column. */
static void multiply_right(const results *r, reduction *m) {
    const int N = m->N;
    const carom_phase_spectra *s = r->modes->spectra;
    for (int column = 0; column < 2 * N; column++) {
        double g[4];
        double factor = -1.0 / r->modes->normalisation;
        if (column < N) {
            biped_rocking_time_function(s->unconstrained[column], s->unconstrained_parity[column],
                                        m->time, g);
            factor = r->modes->shape[(N - 1) * N + column] / g[0];
        } else if (column < 2 * N - 1) {
            const int j = column - N;
            biped_rocking_time_function(s->constrained[j], s->constrained_parity[j],
                                        -m->constrained_time, g);
            factor = -1.0 / g[0];
        }
        for (int k = 0; k <= 2 * N; k++) {
            m->A[k * 2 * N + column] *= factor;
        }
    }
}

/** An entry of [I, [M, 1/lambda]; 0, B]. */
static double reduced_entry(const results *r, const reduction *m, int row, int column) {
    const int N = m->N;
    const carom_phase_spectra *s = r->modes->spectra;
    if (column < N) {
        return row == column ? 1.0 : 0.0;
    }
    if (row >= N) {
        return m->B[(row - N) * N + column - N];
    }
    const double pole = column < 2 * N - 1 ? s->constrained[column - N] : 0.0;
    return 1.0 / (s->unconstrained[row] - pole);
}

/** What makes an entry dimensionless: the block of the spectra is in s2, the last row in 1/s2. */
static double weight(const results *r, const reduction *m, int row, int column) {
    const double *lambda = r->modes->spectra->unconstrained;
    const double largest = fmax(fabs(lambda[0]), fabs(lambda[m->N - 1]));
    return (column < m->N ? 1.0 : largest) / (row < 2 * m->N ? 1.0 : largest);
}

/** S_L A S_R against that, over its largest entry. */
static double difference(const results *r, const reduction *m) {
    double error = 0.0;
    double largest = 0.0;
    for (int row = 0; row <= 2 * m->N; row++) {
        for (int column = 0; column < 2 * m->N; column++) {
            const double unit = weight(r, m, row, column);
            const double expected = reduced_entry(r, m, row, column);
            largest = fmax(largest, unit * fabs(expected));
            error = fmax(error, unit * fabs(m->A[row * 2 * m->N + column] - expected));
        }
    }
    return error / largest;
}

/** Reduce at times that are a multiple of the gait's. */
static carom_status reduce(const results *r, double factor, reduction *m, double *error) {
    m->time = factor * r->root.time;
    m->constrained_time = r->root.constrained_time / factor;
    CAROM_TRY(fill(r, m));
    multiply_left(r, m);
    multiply_right(r, m);
    *error = difference(r, m);
    return CAROM_OK;
}

/** (15) at the root: what the two sums lack to one; B is that of the gait. */
static carom_status solve_printed(const results *r, const reduction *m, double *residual) {
    const int N = m->N;
    const size_t size = (size_t)N - 1;
    const double *lambda = r->modes->spectra->unconstrained;
    gsl_matrix *U = gsl_matrix_alloc(size, size);
    gsl_vector *y = gsl_vector_alloc(size);
    gsl_permutation *order = gsl_permutation_alloc(size);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    if (U != NULL && y != NULL && order != NULL) {
        int sign = 0;
        for (int k = 0; k < (N - 1) * (N - 1); k++) {
            U->data[k] = m->B[k / (N - 1) * N + k % (N - 1)];
        }
        for (size_t i = 0; i < size; i++) {
            gsl_vector_set(y, i, 1.0 / lambda[i]);
        }
        gsl_linalg_LU_decomp(U, order, &sign);
        status = gsl_linalg_LU_svx(U, order, y) == 0 ? CAROM_OK : CAROM_STATUS_SINGULAR;
        double sums[] = {0.0, 0.0};
        for (int j = 0; j < N - 1; j++) {
            sums[0] += lambda[N - 1] * m->B[(N - 1) * N + j] * gsl_vector_get(y, (size_t)j);
            sums[1] += gsl_vector_get(y, (size_t)j);
        }
        *residual = fmax(fabs(sums[0] - 1.0), fabs(sums[1] - 1.0));
    }
    gsl_matrix_free(U);
    gsl_vector_free(y);
    gsl_permutation_free(order);
    return status;
}

/** The two determinants of (43) at the root. */
static carom_status write_determinants(const results *r) {
    double determinants[CAROM_DETERMINANT_FAMILY_COUNT];
    carom_reduced_matrix *reduced = NULL;
    CAROM_TRY(carom_reduced_matrix_alloc(r->modes->spectra, &reduced, r->report));
    carom_reduced_matrix_determinants(reduced, r->root.time, r->root.constrained_time,
                                      determinants);
    carom_reduced_matrix_free(reduced);
    const double largest = fmax(fabs(determinants[0]), fabs(determinants[1]));
    carom_record_measure(r->record, "largest_determinant", largest, "1",
                         "of the two determinants of (43) at the root");
    carom_record_claim(r->record, "determinants_vanish", largest <= VANISHES,
                       "both determinants of (43) vanish at the root");
    return CAROM_OK;
}

/** (50): (eta.lambda)'M = eta'1 in every column; the largest error over eta'1. */
static double weighted_sum_error(const carom_phase_modes *modes) {
    const carom_phase_spectra *s = modes->spectra;
    double error = 0.0;
    for (int j = 0; j < s->mode_count - 1; j++) {
        double sum = 0.0;
        double total = 0.0;
        for (int i = 0; i < s->mode_count; i++) {
            const double eta = modes->participation[i];
            sum += eta * s->unconstrained[i] / (s->unconstrained[i] - s->constrained[j]);
            total += eta;
        }
        error = fmax(error, fabs(sum / total - 1.0));
    }
    return error;
}

static carom_status write_reduced(const results *r, reduction *m) {
    double beside = 0.0;
    double at_root = 0.0;
    double residual = 0.0;
    CAROM_TRY(reduce(r, BESIDE, m, &beside));
    CAROM_TRY(reduce(r, 1.0, m, &at_root));
    const carom_status status = solve_printed(r, m, &residual);
    if (status == CAROM_STATUS_OUT_OF_MEMORY) {
        return status;
    }
    carom_record_measure(r->record, "reduction_error", fmax(beside, at_root), "1",
                         "S_L A S_R of (48) against (49), over the largest entry");
    carom_record_measure(r->record, "impact_equation_residual", residual, "1",
                         "what the two lines of (15) lack to one at the root");
    carom_record_claim(r->record, "conditions_reduce_to_spectra", beside <= SAME && at_root <= SAME,
                       "(49): the matching conditions reduce to B, at the root and "
                       "beside it");
    carom_record_claim(r->record, "weighted_sum_of_cauchy", weighted_sum_error(r->modes) <= SAME,
                       "(50)");
    carom_record_claim(r->record, "impact_equations_hold",
                       status == CAROM_OK && residual <= VANISHES,
                       "(15): the gait solves the impact equations");
    return CAROM_OK;
}

carom_status biped_rocking_write_reduction(const results *r) {
    CAROM_TRY(write_determinants(r));
    const int N = r->modes->spectra->mode_count;
    if (N != r->coordinate_count) {
        return CAROM_OK;
    }
    reduction m;
    if (!reduction_alloc(N, &m)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const carom_status status = write_reduced(r, &m);
    free(m.A);
    return status;
}
