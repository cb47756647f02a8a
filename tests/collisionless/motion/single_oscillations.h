/** Random spectra with one oscillating mode in each phase, and their impact equations by
 * determinants, for the suites of closed forms and limits. */
#ifndef CAROM_TESTS_COLLISIONLESS_SINGLE_OSCILLATIONS_H
#define CAROM_TESTS_COLLISIONLESS_SINGLE_OSCILLATIONS_H

#include <carom/base/random.h>
#include <carom/collisionless/motion/spectral_motion.h>

#include "../../support.h"

#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>
#include <string.h>

/** Most modes of a random system. */
enum { MAX_N = 8 };

/** A parity from a random number, or one for all modes of a phase. */
static inline carom_parity random_parity(unsigned long seed, unsigned long sample,
                                         unsigned long dimension) {
    return carom_counter_uniform(seed, sample, dimension) < 0.5 ? CAROM_PARITY_EVEN
                                                                : CAROM_PARITY_ODD;
}

/**
 * Hyperbolic eigenvalues at least 0.02 apart and below -0.1, lambda_N in (1, 3), lambda'_{N-1} in
 * (0.05, 0.9), parities uniform in each phase or drawn mode by mode.
 */
static inline carom_phase_spectra *random_spectra(unsigned long seed, unsigned long sample, int N,
                                                  bool is_mixed) {
    double lambda[MAX_N];
    double constrained[MAX_N - 1];
    double value = -0.1 - carom_counter_uniform(seed, sample, 0);
    for (int k = 2 * N - 4; k >= 0; k--) {
        *(k % 2 == 0 ? &lambda[k / 2] : &constrained[k / 2]) = value;
        value -= 0.02 + 0.7 * carom_counter_uniform(seed, sample, 100 + (unsigned long)k);
    }
    lambda[N - 1] = 1.0 + 2.0 * carom_counter_uniform(seed, sample, 1);
    constrained[N - 2] = 0.05 + 0.85 * carom_counter_uniform(seed, sample, 2);
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(N, lambda, constrained, random_parity(seed, sample, 3),
                                       random_parity(seed, sample, 4), &spectra, NULL));
    for (int i = 0; is_mixed && i < N; i++) {
        spectra->unconstrained_parity[i] = random_parity(seed, sample, 200 + (unsigned long)i);
    }
    for (int j = 0; is_mixed && j < N - 1; j++) {
        spectra->constrained_parity[j] = random_parity(seed, sample, 300 + (unsigned long)j);
    }
    return spectra;
}

/** w = sigma tan^sigma(omega t) omega (30), by the formulas of the paper for each sign and parity.
 */
static inline double ratio_of_mode(double lambda, carom_parity parity, double t) {
    const bool is_even = parity == CAROM_PARITY_EVEN;
    const double rate = sqrt(fabs(lambda));
    if (lambda < 0.0) {
        return is_even ? -rate / tanh(rate * t) : -rate * tanh(rate * t);
    }
    return is_even ? -rate / tan(rate * t) : rate * tan(rate * t);
}

/** Determinant of A [n][n], n < MAX_N, by elimination. */
static inline double determinant(int n, const double *A) {
    double copy[MAX_N * MAX_N];
    memcpy(copy, A, (size_t)n * (size_t)n * sizeof *copy);
    gsl_matrix_view view = gsl_matrix_view_array(copy, (size_t)n, (size_t)n);
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)n);
    int sign = 1;
    ck_assert_int_eq(gsl_linalg_LU_decomp(&view.matrix, permutation, &sign), GSL_SUCCESS);
    gsl_permutation_free(permutation);
    return gsl_linalg_LU_det(&view.matrix, sign);
}

/** det[ V | b ] with V = ((w_i + w'_j)/(lambda_i - lambda'_j)), i < N, j < N-1, b [N-1]. */
static inline double bordered_determinant(const carom_phase_spectra *spectra, const double *w,
                                          const double *w_constrained, const double *b) {
    const int n = spectra->mode_count - 1;
    double A[MAX_N * MAX_N] = {0.0};
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n - 1; j++) {
            A[i * n + j] =
                (w[i] + w_constrained[j]) / (spectra->unconstrained[i] - spectra->constrained[j]);
        }
        A[i * n + n - 1] = b[i];
    }
    return determinant(n, A);
}

/**
 * The value at s of the rational function through the hyperbolic points (lambda_i, w_i) and
 * (lambda'_j, -w'_j): the impact equations are w_N = f(lambda_N), w'_{N-1} = -f(lambda'_{N-1}).
 */
static inline double hyperbolic_function(const carom_phase_spectra *spectra, const double *w,
                                         const double *w_constrained, double s) {
    double numerator[MAX_N];
    double denominator[MAX_N];
    for (int i = 0; i < spectra->mode_count - 1; i++) {
        denominator[i] = 1.0 / (spectra->unconstrained[i] - s);
        numerator[i] = w[i] * denominator[i];
    }
    return bordered_determinant(spectra, w, w_constrained, numerator) /
           bordered_determinant(spectra, w, w_constrained, denominator);
}

/** w_i (i < N) at tau and w'_j (j < N-1) at tau', -nu and -nu' for times HUGE_VAL. */
static inline void hyperbolic_ratios(const carom_phase_spectra *spectra, double time,
                                     double constrained_time, double *w, double *w_constrained) {
    const int N = spectra->mode_count;
    for (int i = 0; i < N - 1; i++) {
        w[i] = ratio_of_mode(spectra->unconstrained[i], spectra->unconstrained_parity[i], time);
    }
    for (int j = 0; j < N - 2; j++) {
        w_constrained[j] = ratio_of_mode(spectra->constrained[j], spectra->constrained_parity[j],
                                         constrained_time);
    }
}

#endif
