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
/** c_0 of the derivatives in parts of the critical one: (37) and (38) hold for any. */
static const double BESIDE_SLOPE = 1.3;
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
    double without_mode;  /**< (37) corrected */
    double without_force; /**< (38) corrected */
    double printed_mode;  /**< (37) as printed */
    double printed_force; /**< (38) as printed */
    double printed_G;     /**< G_N before (60) as printed */
} study_results;

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

/** G_N before (60) at a time that saturates every hyperbolic mode. */
static void compare_saturated(trial *t, double slope, study_results *f) {
    const int N = t->N;
    const double *lambda = t->spectra->unconstrained;
    const double omega = sqrt(lambda[N - 1]);
    // An o_N one radian beyond a multiple of pi: neither a root nor a pole.
    const double turns = ceil(SATURATED / sqrt(-lambda[N - 2]) * omega / M_PI);
    evaluate(t, (turns * M_PI + 1.0) / omega, slope);
    const bool is_odd = t->spectra->unconstrained_parity[N - 1] == CAROM_PARITY_ODD;
    const double w_N = is_odd ? omega * tan(1.0) : -omega / tan(1.0);
    for (int j = 0; j < N - 2; j++) {
        const double printed = w_N * sqrt(-t->spectra->constrained[j]) / lambda[N - 1];
        f->printed_G = fmax(f->printed_G, error_of(t->G[(N - 1) * (N - 1) + j], printed));
    }
}

/** All comparisons. */
static carom_status compare(trial *t, study_results *f) {
    carom_critical_root root;
    CAROM_TRY(carom_critical_region_root(t->c->region, t->c->first_column, 0, &root));
    const double time = BESIDE_ROOT * root.time;
    const double slope = BESIDE_SLOPE * root.slope;
    evaluate(t, time, slope);
    CAROM_TRY(compare_determinants(t, f));
    compare_saturated(t, slope, f);
    return CAROM_OK;
}

static void write_findings(const critical *c, const study_results *f) {
    const carom_measure measures[] = {
        {"derivative_without_mode", f->without_mode, "1", "relative error of (37), corrected"},
        {"derivative_without_force", f->without_force, "1", "relative error of (38), corrected"},
        {"printed_without_mode", f->printed_mode, "1", "relative error of (37) as printed"},
        {"printed_without_force", f->printed_force, "1", "relative error of (38) as printed"},
        {"printed_last_G", f->printed_G, "1", "largest relative error of G_N as printed"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
}

carom_status critical_region_write_equations(const critical *c) {
    trial t;
    study_results f = {.printed_G = 0.0};
    carom_status status = trial_open(c, &t);
    if (status == CAROM_OK) {
        status = compare(&t, &f);
    }
    trial_close(&t);
    CAROM_TRY(status);
    write_findings(c, &f);
    return CAROM_OK;
}
