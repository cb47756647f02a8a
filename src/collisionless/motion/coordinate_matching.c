#include <carom/base/linear_algebra.h>
#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/coordinate_matching.h>
#include <carom/collisionless/motion/internal.h>

#include <gsl/gsl_cblas.h>
#include <gsl/gsl_linalg.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

/** Condition number beyond which a solution has fewer than four digits. */
static const double LARGEST_CONDITION = 1e12;

/** g, g', g'' of the paper (11), times exp(-log_scale) of the mode. */
typedef struct paper_function {
    double value[3];
    double log_scale;
} paper_function;

static paper_function paper_evaluate(double lambda, carom_parity parity, double t) {
    const carom_modal_function h = carom_modal_function_evaluate(lambda, parity, t);
    const double nu = sqrt(fabs(lambda));
    if (parity == CAROM_PARITY_EVEN) {
        return (paper_function){{h.acceleration, h.jerk, -lambda * h.acceleration}, h.log_scale};
    }
    return (paper_function){{nu * h.displacement, nu * h.velocity, nu * h.acceleration},
                            h.log_scale};
}

static int row_count(const carom_phase_modes *modes) {
    return 2 * modes->coordinate_count + 1;
}

static int column_count(const carom_phase_modes *modes) {
    return 2 * modes->spectra->mode_count;
}

static void fill_nan(int count, double *values) {
    for (int i = 0; i < count; i++) {
        values[i] = (double)NAN;
    }
}

/** The conditions speak of both equilibria. */
static carom_status check(const carom_phase_modes *modes, double time, double constrained_time,
                          carom_report *report) {
    CAROM_TRY(carom_phase_times_check(time, constrained_time, report));
    if (modes->is_stiffness_singular) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR, "stiffness", 0.0, -1);
    }
    const carom_phase_spectra *s = modes->spectra;
    const int N = s->mode_count;
    const double largest = fmax(fabs(s->unconstrained[0]), fabs(s->unconstrained[N - 1]));
    for (int j = 0; j < N - 1; j++) {
        if (fabs(s->constrained[j]) <= N * DBL_EPSILON * largest) {
            return carom_report_fail(report, CAROM_STATUS_SINGULAR, "constrained stiffness",
                                     s->constrained[j], j);
        }
    }
    return CAROM_OK;
}

/** Scale a column to unit length. */
static void normalise_column(int rows, int columns, int column, double *A, double *log_factor) {
    const double length = cblas_dnrm2(rows, A + column, columns);
    cblas_dscal(rows, 1.0 / length, A + column, columns);
    *log_factor += log(length);
}

carom_status carom_coordinate_matching_fill(const carom_phase_modes *modes, double time,
                                            double constrained_time, double *A, double *log_factor,
                                            carom_report *report) {
    CAROM_ASSERT(modes != NULL && A != NULL && log_factor != NULL);
    const int n = modes->coordinate_count;
    const int N = modes->spectra->mode_count;
    const int columns = column_count(modes);
    fill_nan(row_count(modes) * columns, A);
    fill_nan(columns, log_factor);
    CAROM_TRY(check(modes, time, constrained_time, report));
    const carom_phase_spectra *s = modes->spectra;

    /* Columns of q: X.g, X.g', and X_N.g'' for the contact. */
    for (int i = 0; i < N; i++) {
        const paper_function g =
            paper_evaluate(s->unconstrained[i], s->unconstrained_parity[i], time);
        for (int row = 0; row < n; row++) {
            A[row * columns + i] = modes->shape[row * N + i] * g.value[0];
            A[(n + row) * columns + i] = modes->shape[row * N + i] * g.value[1];
        }
        A[2 * n * columns + i] = modes->shape[(n - 1) * N + i] * g.value[2];
        log_factor[i] = g.log_scale;
    }

    /* Columns of q': -X'.g', -X'.g''. */
    for (int j = 0; j < N - 1; j++) {
        const paper_function g =
            paper_evaluate(s->constrained[j], s->constrained_parity[j], -constrained_time);
        for (int row = 0; row < n; row++) {
            const double shape = modes->constrained_shape[row * (N - 1) + j];
            A[row * columns + N + j] = -shape * g.value[0];
            A[(n + row) * columns + N + j] = -shape * g.value[1];
        }
        A[2 * n * columns + N + j] = 0.0;
        log_factor[N + j] = g.log_scale;
    }

    /* Column of F_N^0: -(k^-1)^N. */
    for (int row = 0; row <= 2 * n; row++) {
        A[row * columns + columns - 1] = row < n ? -modes->static_shape[row] : 0.0;
    }
    log_factor[columns - 1] = 0.0;
    for (int column = 0; column < columns; column++) {
        normalise_column(row_count(modes), columns, column, A, log_factor + column);
    }
    return CAROM_OK;
}

/** Matrices of a decomposition A = U diag(values) V'. */
typedef struct decomposition {
    gsl_matrix *U;
    gsl_matrix *V;
    gsl_vector *values;
    gsl_vector *side;     /**< right side, as long as U */
    gsl_vector *solution; /**< as long as a row of U */
    double *log_factor;   /**< [columns of A] */
} decomposition;

static void decomposition_clear(decomposition *work) {
    gsl_matrix_free(work->U);
    gsl_matrix_free(work->V);
    gsl_vector_free(work->values);
    gsl_vector_free(work->side);
    gsl_vector_free(work->solution);
    free(work->log_factor);
}

/** On failure the caller frees what there is. */
static carom_status decomposition_init(int rows, int columns, int factors, decomposition *work) {
    const size_t m = (size_t)rows;
    const size_t n = (size_t)columns;
    work->U = gsl_matrix_alloc(m, n);
    work->V = gsl_matrix_alloc(n, n);
    work->values = gsl_vector_alloc(n);
    work->side = gsl_vector_alloc(m);
    work->solution = gsl_vector_alloc(n);
    work->log_factor = malloc((size_t)factors * sizeof(double));
    const bool has_memory = work->U != NULL && work->V != NULL && work->values != NULL &&
                            work->side != NULL && work->solution != NULL &&
                            work->log_factor != NULL;
    return has_memory ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/** U becomes that of U diag(values) V'. */
static carom_status decompose(decomposition *work, carom_report *report) {
    if (carom_singular_values_rotate(work->U, work->V, work->values) != CAROM_OK) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "singular values", (double)NAN,
                                 -1);
    }
    return CAROM_OK;
}

carom_status carom_coordinate_matching_rank(const carom_phase_modes *modes, double time,
                                            double constrained_time, double *singular_values,
                                            carom_report *report) {
    CAROM_ASSERT(modes != NULL && singular_values != NULL);
    const int columns = column_count(modes);
    fill_nan(columns, singular_values);
    CAROM_AUTO_VALUE(decomposition) work = {.U = NULL};
    CAROM_TRY(decomposition_init(row_count(modes), columns, columns, &work));
    CAROM_TRY(carom_coordinate_matching_fill(modes, time, constrained_time, work.U->data,
                                             work.log_factor, report));
    CAROM_TRY(decompose(&work, report));
    for (int i = 0; i < columns; i++) {
        singular_values[i] = gsl_vector_get(work.values, (size_t)i);
    }
    return CAROM_OK;
}

/** Rows of A that are used: all, or all but the contact's velocity and acceleration. */
static int used_rows(const carom_phase_modes *modes, carom_coordinate_matching_rows rows) {
    return rows == CAROM_COORDINATE_MATCHING_ALL ? row_count(modes) : row_count(modes) - 2;
}

/** The modes' columns of A, and F_N^0 times the last one on the right side. */
static void fill_system(const double *A, double force, decomposition *work) {
    const size_t unknowns = work->U->size2;
    for (size_t i = 0; i < work->U->size1; i++) {
        for (size_t j = 0; j < unknowns; j++) {
            gsl_matrix_set(work->U, i, j, A[i * (unknowns + 1) + j]);
        }
        gsl_vector_set(work->side, i, -force * A[i * (unknowns + 1) + unknowns]);
    }
}

/** Solve the system of the filled decomposition. */
static carom_status solve(decomposition *work, double *amplitude, double *condition,
                          carom_report *report) {
    const size_t unknowns = work->U->size2;
    CAROM_TRY(decompose(work, report));
    *condition = gsl_vector_get(work->values, 0) / gsl_vector_get(work->values, unknowns - 1);
    if (!(*condition <= LARGEST_CONDITION)) {
        return carom_report_fail(report, CAROM_STATUS_SINGULAR, "condition", *condition, -1);
    }
    (void)gsl_linalg_SV_solve(work->U, work->V, work->values, work->side, work->solution);
    for (size_t j = 0; j < unknowns; j++) {
        amplitude[j] = gsl_vector_get(work->solution, j) * exp(-work->log_factor[j]);
    }
    return CAROM_OK;
}

carom_status carom_coordinate_matching_solve(const carom_phase_modes *modes, double time,
                                             double constrained_time, double static_force,
                                             carom_coordinate_matching_rows rows, double *amplitude,
                                             double *condition, carom_report *report) {
    CAROM_ASSERT(modes != NULL && amplitude != NULL && condition != NULL);
    const int columns = column_count(modes);
    fill_nan(columns - 1, amplitude);
    *condition = (double)NAN;
    if (!isfinite(static_force)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, "static force", static_force, -1);
    }
    if (rows == CAROM_COORDINATE_MATCHING_TRUNCATED && modes->decoupled_count > 0) {
        return carom_report_fail(report, CAROM_STATUS_CONFLICT, "decoupled modes",
                                 (double)modes->decoupled_count, -1);
    }
    CAROM_AUTO_MEMORY double *A = malloc((size_t)row_count(modes) * (size_t)columns * sizeof *A);
    if (A == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_AUTO_VALUE(decomposition) work = {.U = NULL};
    CAROM_TRY(decomposition_init(used_rows(modes, rows), columns - 1, columns, &work));
    CAROM_TRY(
        carom_coordinate_matching_fill(modes, time, constrained_time, A, work.log_factor, report));
    fill_system(A, static_force * exp(work.log_factor[columns - 1]), &work);
    return solve(&work, amplitude, condition, report);
}
