/** The formulas of section 5 and appendix D against the matrix B just above the critical limit. */
#include "results.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>

#include <math.h>
#include <stdlib.h>

/** lambda'_{N-1} at which B is evaluated, as a part of the smallest other eigenvalue, and the time
 * in parts of the first critical one: not a root, so that no derivative vanishes. */
static const double CLOSE = 1e-7;
static const double BESIDE_ROOT = 0.83;
/** c_0 of the derivatives in parts of the critical one: (36) to (38) and (57) hold for any. */
static const double BESIDE_SLOPE = 1.3;
/** First-order formulas hold to this at CLOSE; determinants divided by it keep some nine digits. */
static const double FIRST_ORDER = 1e-4;
/** tanh is one to rounding beyond this. */
static const double SATURATED = 20.0;

/** B and G at one pair of times just above the limit. */
typedef struct trial {
    const critical *c;
    carom_phase_spectra *spectra; /**< lambda'_{N-1} is small */
    carom_reduced_matrix *reduced;
    int N;
    double eigenvalue; /**< lambda'_{N-1}, 1/s2 */
    double time;
    double constrained_time;
    double slope; /**< w'_{N-1} at tau', 1/s */
    double *G;    /**< [N][N-1] */
    double *B;    /**< [N+1][N] */
    double *work; /**< [N][N] */
} trial;

static void trial_close(trial *t) {
    carom_reduced_matrix_free(t->reduced);
    carom_phase_spectra_free(t->spectra);
    free(t->G);
}

static carom_status trial_open(const critical *c, trial *t) {
    const int N = c->spectra->mode_count;
    *t = (trial){.c = c, .N = N};
    CAROM_TRY(carom_phase_spectra_make(
        N, c->spectra->unconstrained, c->spectra->constrained, (carom_parity)c->values->parity,
        (carom_parity)c->values->constrained_parity, &t->spectra, c->report));
    const double *lambda = t->spectra->unconstrained;
    t->eigenvalue = CLOSE * fmin(lambda[N - 1], -lambda[N - 2]);
    t->spectra->constrained[N - 2] = t->eigenvalue;
    CAROM_TRY(carom_reduced_matrix_alloc(t->spectra, &t->reduced, c->report));
    const size_t n = (size_t)N;
    t->G = calloc(3 * n * n + n, sizeof *t->G);
    if (t->G == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    t->B = t->G + n * n;
    t->work = t->B + (n + 1) * n;
    return CAROM_OK;
}

/** Choose tau' such that w'_{N-1} is a given number, and evaluate B there. */
static void evaluate(trial *t, double time, double slope) {
    const double omega = sqrt(t->eigenvalue);
    const bool is_odd = t->spectra->constrained_parity[t->N - 2] == CAROM_PARITY_ODD;
    const double phase = is_odd ? atan(slope / omega) : M_PI - atan(omega / slope);
    t->time = time;
    t->slope = slope;
    t->constrained_time = phase / omega;
    carom_reduced_matrix_printed(t->reduced, time, t->constrained_time, t->G, t->B);
}

/** Determinant of the first `size` columns of given rows of B. */
static double determinant(trial *t, int size, int left_out) {
    const int N = t->N;
    int row = 0;
    for (int i = 0; row < size; i++) {
        if (i == left_out) {
            continue;
        }
        for (int j = 0; j < size; j++) {
            t->work[row * size + j] = t->B[i * N + j];
        }
        row++;
    }
    gsl_matrix_view A = gsl_matrix_view_array(t->work, (size_t)size, (size_t)size);
    gsl_permutation *order = gsl_permutation_alloc((size_t)size);
    int sign = 1;
    if (order == NULL) {
        return (double)NAN;
    }
    gsl_linalg_LU_decomp(&A.matrix, order, &sign);
    gsl_permutation_free(order);
    return gsl_linalg_LU_det(&A.matrix, sign);
}

/** Relative difference. */
static double error_of(double value, double expected) {
    return fabs(value / expected - 1.0);
}

/** What is found. */
typedef struct study_results {
    double column;           /**< (57) */
    double without_mode;     /**< (37) corrected */
    double without_force;    /**< (38) corrected */
    double printed_mode;     /**< (37) as printed */
    double printed_force;    /**< (38) as printed */
    double slope;            /**< c_0 of (40): 1/c_0 at which det B_(N) has no first order */
    double singular_value;   /**< smallest one of B over its largest */
    double saturated_matrix; /**< (59) */
    double last_row;         /**< U_N before (60) */
    double last_G;           /**< G_N with a minus */
    double printed_G;        /**< G_N before (60) as printed */
} study_results;

/** (57): derivative of column N-1 of U. */
static void compare_column(const trial *t, study_results *f) {
    const int N = t->N;
    double *derivative = t->work;
    carom_critical_region_column_derivative(t->c->region, t->time, t->slope, derivative);
    for (int i = 0; i < N; i++) {
        const double lambda = t->spectra->unconstrained[i];
        const double difference = (t->B[i * N + N - 2] - 1.0 / lambda) / t->eigenvalue;
        f->column = fmax(f->column, error_of(difference, derivative[i]));
    }
}

/*[criticalDerivatives]*/
/** (37) and (38) over det Ubar, with either sign, against det B over lambda'_{N-1}. */
static carom_status compare_determinants(trial *t, study_results *f) {
    const int N = t->N;
    carom_critical_matrices m;
    CAROM_TRY(carom_critical_region_matrices(t->c->region, t->time, &m));
    const double u[2] = {1.0, 1.0 / t->slope};
    const double first = m.K[0][0] * u[0] + m.K[0][1] * u[1];
    const double second = m.K[1][0] * u[0] + m.K[1][1] * u[1];
    const double constant = m.K_tilde[0] * u[0] + m.K_tilde[1] * u[1];
    const double scale = t->eigenvalue * determinant(t, N - 1, -1);
    const double without_mode = determinant(t, N, N - 1) / scale;
    const double without_force = determinant(t, N, N) / scale;
    f->without_mode = error_of(without_mode, second);
    f->without_force = error_of(without_force, first - constant);
    f->printed_mode = error_of(without_mode, -second);
    f->printed_force = error_of(without_force, -first - constant);
    return CAROM_OK;
}
/*[end criticalDerivatives]*/

/** Where det B_(N) over lambda'_{N-1} vanishes as a function of 1/w'_{N-1}: c_0 of (40). */
static carom_status compare_slope(trial *t, double time, double slope, study_results *f) {
    carom_critical_matrices m;
    CAROM_TRY(carom_critical_region_matrices(t->c->region, time, &m));
    double value[2];
    const double inverse[2] = {1.0 / slope, 0.5 / slope};
    for (int k = 0; k < 2; k++) {
        evaluate(t, time, 1.0 / inverse[k]);
        value[k] = determinant(t, t->N, t->N - 1) / determinant(t, t->N - 1, -1);
    }
    const double root = inverse[0] - value[0] * (inverse[1] - inverse[0]) / (value[1] - value[0]);
    f->slope = error_of(1.0 / root, carom_critical_matrices_slope(&m));
    return CAROM_OK;
}

/** Smallest singular value of B over its largest. */
static double smallest_singular_value(const trial *t) {
    const size_t N = (size_t)t->N;
    gsl_matrix *A = gsl_matrix_alloc(N + 1, N);
    gsl_matrix *V = gsl_matrix_alloc(N, N);
    gsl_vector *S = gsl_vector_alloc(N);
    gsl_vector *work = gsl_vector_alloc(N);
    double ratio = (double)NAN;
    if (A != NULL && V != NULL && S != NULL && work != NULL) {
        for (size_t i = 0; i < (N + 1) * N; i++) {
            A->data[i] = t->B[i];
        }
        gsl_linalg_SV_decomp(A, V, S, work);
        ratio = gsl_vector_get(S, N - 1) / gsl_vector_get(S, 0);
    }
    gsl_matrix_free(A);
    gsl_matrix_free(V);
    gsl_vector_free(S);
    gsl_vector_free(work);
    return ratio;
}

/** (59), and what is said of G_N and U_N, at times that saturate every hyperbolic mode. */
static void compare_saturated(trial *t, double slope, study_results *f) {
    const int N = t->N;
    const double *lambda = t->spectra->unconstrained;
    const double *constrained = t->spectra->constrained;
    const double omega = sqrt(lambda[N - 1]);
    // An o_N one radian beyond a multiple of pi: neither a root nor a pole.
    const double turns = ceil(SATURATED / sqrt(-lambda[N - 2]) * omega / M_PI);
    evaluate(t, (turns * M_PI + 1.0) / omega, slope);
    const bool is_odd = t->spectra->unconstrained_parity[N - 1] == CAROM_PARITY_ODD;
    const double w_N = is_odd ? omega * tan(1.0) : -omega / tan(1.0);
    for (int j = 0; j < N - 1; j++) {
        // lambda'_{N-1} is zero in the limit, and so is G^{N-1}.
        const double nu = j < N - 2 ? sqrt(-constrained[j]) : 0.0;
        for (int i = 0; i < N - 1; i++) {
            const double expected = (1.0 + nu / sqrt(-lambda[i])) / (lambda[i] + nu * nu);
            f->saturated_matrix = fmax(f->saturated_matrix, error_of(t->B[i * N + j], expected));
        }
        const double M_Nj = 1.0 / (lambda[N - 1] + nu * nu);
        const double U_Nj = M_Nj + w_N * M_Nj * nu / lambda[N - 1];
        f->last_row = fmax(f->last_row, error_of(t->B[(N - 1) * N + j], U_Nj));
        if (j < N - 2) {
            const double printed = w_N * nu / lambda[N - 1];
            const double G_Nj = t->G[(N - 1) * (N - 1) + j];
            f->last_G = fmax(f->last_G, error_of(G_Nj, -printed));
            f->printed_G = fmax(f->printed_G, error_of(G_Nj, printed));
        }
    }
}

/** All comparisons. */
static carom_status compare(trial *t, study_results *f) {
    carom_critical_root root;
    CAROM_TRY(carom_critical_region_root(t->c->region, t->c->first_column, 0, &root));
    const double time = BESIDE_ROOT * root.time;
    const double slope = BESIDE_SLOPE * root.slope;
    evaluate(t, time, slope);
    compare_column(t, f);
    CAROM_TRY(compare_determinants(t, f));
    f->singular_value = smallest_singular_value(t);
    compare_saturated(t, slope, f);
    CAROM_TRY(compare_slope(t, time, slope, f));
    return CAROM_OK;
}

static void write_findings(const critical *c, const study_results *f) {
    const bool has_G = c->spectra->mode_count > 2;
    const carom_measure measures[] = {
        {"derivative_column", f->column, "1", "largest relative error of (57)"},
        {"derivative_without_mode", f->without_mode, "1", "relative error of (37), corrected"},
        {"derivative_without_force", f->without_force, "1", "relative error of (38), corrected"},
        {"printed_without_mode", f->printed_mode, "1", "relative error of (37) as printed"},
        {"printed_without_force", f->printed_force, "1", "relative error of (38) as printed"},
        {"critical_slope", f->slope, "1", "relative error of c_0 = -K_22/K_21"},
        {"critical_rank", f->singular_value, "1",
         "smallest singular value of B over its largest just above the limit"},
        {"saturated_matrix", f->saturated_matrix, "1", "largest relative error of (59)"},
        {"saturated_last_row", f->last_row, "1", "largest relative error of U_N before (60)"},
        {"saturated_last_G", f->last_G, "1", "largest relative error of G_N with a minus"},
        {"printed_last_G", f->printed_G, "1", "largest relative error of G_N as printed"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    const carom_claim claims[] = {
        {"rank_drops_in_limit", f->singular_value < FIRST_ORDER,
         "B loses rank at lambda'_{N-1} = 0 and G^{N-1} = 0, whatever tau is"},
        {"column_derivative", f->column < FIRST_ORDER, "(57)"},
        {"determinant_derivatives", f->without_mode < FIRST_ORDER && f->without_force < FIRST_ORDER,
         "(37) and (38) with a plus before the adjugate"},
        {"printed_without_mode", f->printed_mode < FIRST_ORDER, "(37) as printed"},
        {"printed_without_force", f->printed_force < FIRST_ORDER, "(38) as printed"},
        {"critical_slope", f->slope < FIRST_ORDER, "c_0 = -K_22/K_21, the second line of (40)"},
        {"saturated_matrix", f->saturated_matrix < FIRST_ORDER, "(59)"},
        {"saturated_last_row", f->last_row < FIRST_ORDER, "U_N before (60)"},
        {"printed_last_G", has_G && f->printed_G < FIRST_ORDER, "G_N before (60) as printed"},
    };
    carom_record_claims(c->record, claims, COUNT(claims));
}

carom_status critical_region_write_equations(const critical *c) {
    trial t;
    study_results f = {.column = 0.0};
    carom_status status = trial_open(c, &t);
    if (status == CAROM_OK) {
        status = compare(&t, &f);
    }
    trial_close(&t);
    CAROM_TRY(status);
    write_findings(c, &f);
    return CAROM_OK;
}
