#include <carom/collisionless/motion/internal.h>

#include <carom/base/linear_algebra.h>

#include <gsl/gsl_blas.h>
#include <math.h>
#include <stdlib.h>
struct carom_impact_matrix {
    const carom_phase_spectra *spectra;
    double scale;        /**< kappa, 1/s */
    double *overlap;     /**< Q [N][N-1] */
    double *weight;      /**< V [N-1] */
    gsl_matrix *left;    /**< Z, then its left singular vectors, N x N-1 */
    gsl_matrix *right;   /**< right singular vectors, N-1 x N-1 */
    gsl_vector *values;  /**< N-1 */
    gsl_vector *scratch; /**< N-1 */
    carom_modal_direction
        *direction;          /**< [2N-1] of the unconstrained, then the constrained modes */
    double time;             /**< tau of the unconstrained directions; NaN: not computed */
    double constrained_time; /**< tau' of the constrained ones */
};

/** kappa: the highest frequency, or growth rate where nothing oscillates. */
static double frequency_scale(const carom_phase_spectra *spectra) {
    const int N = spectra->mode_count;
    const double highest = spectra->unconstrained[N - 1];
    return sqrt(highest > 0.0 ? highest : -spectra->unconstrained[0]);
}

/** Q and V from the spectra. */
static carom_status fill_overlap(carom_impact_matrix *matrix) {
    const carom_phase_spectra *s = matrix->spectra;
    const int N = s->mode_count;
    CAROM_AUTO_MEMORY double *share = malloc((size_t)N * sizeof *share);
    if (share == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    carom_phase_spectra_shares(s, share);
    for (int j = 0; j < N - 1; ++j) {
        double square = 0.0;
        for (int i = 0; i < N; ++i) {
            const double entry = sqrt(share[i]) / carom_phase_spectra_difference(s, i, j);
            matrix->overlap[i * (N - 1) + j] = entry;
            square += entry * entry;
        }
        matrix->weight[j] = 1.0 / square;
        for (int i = 0; i < N; ++i) {
            matrix->overlap[i * (N - 1) + j] *= sqrt(matrix->weight[j]);
        }
    }
    return CAROM_OK;
}

carom_status carom_impact_matrix_alloc(const carom_phase_spectra *spectra,
                                       carom_impact_matrix **out, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_phase_spectra_check(spectra, report));
    const size_t N = (size_t)spectra->mode_count;
    CAROM_AUTO(carom_impact_matrix) matrix = calloc(1, sizeof *matrix);
    if (matrix == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    matrix->spectra = spectra;
    matrix->time = (double)NAN;
    matrix->constrained_time = (double)NAN;
    matrix->scale = frequency_scale(spectra);
    matrix->overlap = malloc(N * (N - 1) * sizeof *matrix->overlap);
    matrix->weight = malloc((N - 1) * sizeof *matrix->weight);
    matrix->direction = malloc((2 * N - 1) * sizeof *matrix->direction);
    matrix->left = gsl_matrix_alloc(N, N - 1);
    matrix->right = gsl_matrix_alloc(N - 1, N - 1);
    matrix->values = gsl_vector_alloc(N - 1);
    matrix->scratch = gsl_vector_alloc(N - 1);
    if (matrix->overlap == NULL || matrix->weight == NULL || matrix->direction == NULL ||
        matrix->left == NULL || matrix->right == NULL || matrix->values == NULL ||
        matrix->scratch == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(fill_overlap(matrix));
    CAROM_HAND_OVER(matrix, out);
    return CAROM_OK;
}

void carom_impact_matrix_free(carom_impact_matrix *matrix) {
    if (matrix == NULL) {
        return;
    }
    gsl_vector_free(matrix->scratch);
    gsl_vector_free(matrix->values);
    gsl_matrix_free(matrix->right);
    gsl_matrix_free(matrix->left);
    free(matrix->direction);
    free(matrix->weight);
    free(matrix->overlap);
    free(matrix);
}

const carom_phase_spectra *carom_impact_matrix_spectra(const carom_impact_matrix *matrix) {
    return matrix->spectra;
}

double carom_impact_matrix_frequency_scale(const carom_impact_matrix *matrix) {
    return matrix->scale;
}

const double *carom_impact_matrix_constrained_weights(const carom_impact_matrix *matrix) {
    return matrix->weight;
}

/** Directions of all modes at the two times; those of a time that has not changed are kept. */
static void update_directions(carom_impact_matrix *matrix, double time, double constrained_time) {
    const carom_phase_spectra *s = matrix->spectra;
    const int N = s->mode_count;
    if (!(matrix->time >= time && matrix->time <= time)) {
        for (int i = 0; i < N; ++i) {
            matrix->direction[i] = carom_modal_direction_at(
                s->unconstrained[i], s->unconstrained_parity[i], matrix->scale, time);
        }
        matrix->time = time;
    }
    if (!(matrix->constrained_time >= constrained_time &&
          matrix->constrained_time <= constrained_time)) {
        for (int j = 0; j < N - 1; ++j) {
            matrix->direction[N + j] = carom_modal_direction_at(
                s->constrained[j], s->constrained_parity[j], matrix->scale, -constrained_time);
        }
        matrix->constrained_time = constrained_time;
    }
}

void carom_impact_matrix_evaluate(carom_impact_matrix *matrix, double time, double constrained_time,
                                  double *Z, double *Z_time, double *Z_constrained) {
    update_directions(matrix, time, constrained_time);
    const int N = matrix->spectra->mode_count;
    const carom_modal_direction *free_mode = matrix->direction;
    const carom_modal_direction *held_mode = matrix->direction + N;
    /*[impactMatrix]*/
    /* Z_ij = Q_ij sin(phi_i - phi'_j); the constrained angles are taken at -tau'. */
    for (int i = 0; i < N; ++i) {
        const carom_modal_direction p = free_mode[i];
        for (int j = 0; j < N - 1; ++j) {
            const carom_modal_direction c = held_mode[j];
            const int ij = i * (N - 1) + j;
            const double overlap = matrix->overlap[ij];
            Z[ij] = overlap * (p.sine * c.cosine - p.cosine * c.sine);
            const double slope = overlap * (p.cosine * c.cosine + p.sine * c.sine);
            if (Z_time != NULL) {
                Z_time[ij] = slope * p.rate;
            }
            if (Z_constrained != NULL) {
                Z_constrained[ij] = slope * c.rate;
            }
        }
    }
    /*[end impactMatrix]*/
}

carom_status carom_impact_matrix_rank(carom_impact_matrix *matrix, double time,
                                      double constrained_time, carom_impact_rank *rank,
                                      double *null_vector) {
    CAROM_ASSERT(matrix != NULL && rank != NULL);
    const size_t columns = matrix->values->size;
    carom_impact_matrix_evaluate(matrix, time, constrained_time, matrix->left->data, NULL, NULL);
    const gsl_vector_const_view entries =
        gsl_vector_const_view_array(matrix->left->data, matrix->left->size1 * columns);
    const double norm = gsl_blas_dnrm2(&entries.vector);
    /* One-sided Jacobi rotations resolve small singular values to the rounding of the matrix. */
    CAROM_TRY(carom_singular_values_rotate(matrix->left, matrix->right, matrix->values));
    rank->smallest = gsl_vector_get(matrix->values, columns - 1);
    rank->second = columns > 1 ? gsl_vector_get(matrix->values, columns - 2) : 1.0;
    /* Rotations keep the sum of squares: |S| = |Z|_F. */
    rank->norm_error = gsl_blas_dnrm2(matrix->values) - norm;
    for (size_t j = 0; null_vector != NULL && j < columns; ++j) {
        null_vector[j] = gsl_matrix_get(matrix->right, j, columns - 1);
    }
    return isfinite(rank->smallest) ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
}

void carom_impact_matrix_bounds(const carom_impact_matrix *matrix, const double time[2],
                                const double constrained[2], double *rates, double *curvatures) {
    const carom_phase_spectra *s = matrix->spectra;
    const int N = s->mode_count;
    const double kappa = matrix->scale;
    double curvature[2] = {0.0, 0.0};
    rates[0] = 0.0;
    rates[1] = 0.0;
    for (int i = 0; i < 2 * N - 1; ++i) {
        const int phase = i < N ? 0 : 1;
        const double lambda = phase == 0 ? s->unconstrained[i] : s->constrained[i - N];
        const carom_parity parity =
            phase == 0 ? s->unconstrained_parity[i] : s->constrained_parity[i - N];
        const double *interval = phase == 0 ? time : constrained;
        const double rate =
            carom_modal_direction_largest_rate(lambda, parity, kappa, interval[0], interval[1]);
        rates[phase] = fmax(rates[phase], rate);
        curvature[phase] =
            fmax(curvature[phase], carom_modal_direction_curvature(lambda, kappa, rate));
    }
    for (int phase = 0; curvatures != NULL && phase < 2; ++phase) {
        /* d2Z = diag(phi'') Q o cos - diag(phi'2) Q o sin, and both products have norm <= 1. */
        curvatures[phase] = curvature[phase] + rates[phase] * rates[phase];
    }
}
