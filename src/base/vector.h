/** Sums and sizes of plain arrays, each in the order of the entries. */
#ifndef CAROM_BASE_VECTOR_H
#define CAROM_BASE_VECTOR_H

#include <math.h>
#include <stdbool.h>

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
        largest = fmax(largest, fabs(x[i]));
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
