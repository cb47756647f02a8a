/** Sums and sizes of plain arrays, each in the order of the entries. */
#ifndef CAROM_BASE_VECTOR_H
#define CAROM_BASE_VECTOR_H

#include <math.h>

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

#endif
