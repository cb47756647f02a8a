/** Sums and sizes of plain arrays, each in the order of the entries; loops over several entries at
 * once. */
#ifndef CAROM_BASE_VECTOR_H
#define CAROM_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>

/**
 * Before the definition of a function whose time goes into loops over independent entries (`#pragma
 * omp simd`): it is compiled for any processor and for those with registers of four numbers and an
 * instruction for fma (x86-64-v3), and the loader takes what the machine has. Without contraction
 * of products and sums (-ffp-contract=off) both give the same bytes; tests/project/vector_width.sh
 * sets the macro itself. Not under the address sanitizer, whose memory is not there yet when the
 * loader asks.
 */
#ifndef CAROM_VECTOR_WIDE
#if defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__x86_64__) && \
    defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#define CAROM_VECTOR_WIDE __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define CAROM_VECTOR_WIDE
#endif
#endif

/** fmin(a, b), also of NaN, without the call. */
static inline double carom_vector_smaller(double a, double b) {
    return a < b || isnan(b) ? a : b;
}

/** fmax(a, b), also of NaN, without the call. */
static inline double carom_vector_larger(double a, double b) {
    return a > b || isnan(b) ? a : b;
}

/** x . y of two vectors [n]; 0 if n = 0. */
static inline double carom_vector_dot(int n, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * y[i];
    }
    return sum;
}

/** max |x_i| of a vector [n]; 0 if n = 0; a NaN counts as nothing. */
static inline double carom_vector_largest(int n, const double *x) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    }
    return largest;
}

/** Largest entry for carom_vector_is_moderate: of matrices for eigenvalues and of impacts, and of
 * matrices for singular values. */
#define CAROM_VECTOR_LARGEST_SQUARED 0x1p500
#define CAROM_VECTOR_LARGEST_FOURTH 0x1p250

/**
 * Whether all x_i are finite, and the largest in [1/bound, bound] or zero. GSL's iterations for
 * eigenvalues and singular values form squares or fourth powers: where those are no numbers they
 * end in its error handler, which ends the program, or not at all.
 */
static inline bool carom_vector_is_moderate(int n, const double *x, double bound) {
    bool is_finite = true;
    for (int i = 0; i < n; i++) {
        is_finite = is_finite && isfinite(x[i]);
    }
    const double largest = carom_vector_largest(n, x);
    return is_finite && (!(largest > 0.0) || (largest >= 1.0 / bound && largest <= bound));
}

#endif
