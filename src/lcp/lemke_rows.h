/** Inner products and sums of rows, in one order everywhere: the same digits wherever they occur.
 */
#ifndef CAROM_LCP_LEMKE_ROWS_H
#define CAROM_LCP_LEMKE_ROWS_H

#include <math.h>

/** sum_j a_j x_j of two vectors [n], in four interleaved sums that do not wait for each other. */
static inline double carom_lcp_inner_product(int n, const double *a, const double *x) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    int j = 0;
    for (; j + 4 <= n; j += 4) {
        sums[0] += a[j] * x[j];
        sums[1] += a[j + 1] * x[j + 1];
        sums[2] += a[j + 2] * x[j + 2];
        sums[3] += a[j + 3] * x[j + 3];
    }
    for (; j < n; j++) {
        sums[0] += a[j] * x[j];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/** x += t y, both [count]. */
static inline void carom_lcp_add_multiple(int count, double t, const double *restrict y,
                                          double *restrict x) {
    for (int i = 0; i < count; i++) {
        x[i] += t * y[i];
    }
}

/** Shortest vectors that are worth the instructions for two numbers at a time. */
enum { CAROM_LCP_LEAST_PAIRED = 40 };

/** x += t_0 y_0 + t_1 y_1 + t_2 y_2 + t_3 y_3, added in this order; all [count]. */
static inline void carom_lcp_add_four_multiples(int count, const double *t, const double *const *y,
                                                double *restrict x) {
    const double *restrict y_0 = y[0];
    const double *restrict y_1 = y[1];
    const double *restrict y_2 = y[2];
    const double *restrict y_3 = y[3];
    const double t_0 = t[0];
    const double t_1 = t[1];
    const double t_2 = t[2];
    const double t_3 = t[3];
    // In pairs where that pays: a vector cannot be loaded soon after one of its entries was stored.
    const int paired = count >= CAROM_LCP_LEAST_PAIRED ? count / 2 * 2 : 0;
    for (int i = 0; i < paired; i += 2) {
        x[i] = x[i] + t_0 * y_0[i] + t_1 * y_1[i] + t_2 * y_2[i] + t_3 * y_3[i];
        x[i + 1] =
            x[i + 1] + t_0 * y_0[i + 1] + t_1 * y_1[i + 1] + t_2 * y_2[i + 1] + t_3 * y_3[i + 1];
    }
    for (int i = paired; i < count; i++) {
        x[i] = x[i] + t_0 * y_0[i] + t_1 * y_1[i] + t_2 * y_2[i] + t_3 * y_3[i];
    }
}

/** Largest |x_i| of x [count], count even, in two interleaved searches. */
static inline double carom_lcp_largest_entry(int count, const double *x) {
    double first = 0.0;
    double second = 0.0;
    for (int i = 0; i < count; i += 2) {
        const double even = fabs(x[i]);
        const double odd = fabs(x[i + 1]);
        first = even > first ? even : first;
        second = odd > second ? odd : second;
    }
    return first > second ? first : second;
}

#endif
