#include <carom/base/linear_algebra.h>
#include <carom/base/scales.h>

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Of a double in the format of IEEE 754. */
static const uint64_t EXPONENT_BITS = UINT64_C(0x7ff) << 52;

void carom_scale_add(int n, double factor, const double *x, double *scale) {
    for (int i = 0; i < n; i++) {
        scale[i] += fabs(factor * x[i]);
    }
}

void carom_scale_add_product(int rows, int columns, const double *A, const double *x,
                             double *scale) {
    for (int i = 0; i < rows; i++) {
        const double *row = &A[(size_t)i * (size_t)columns];
        double sum = scale[i];
        for (int j = 0; j < columns; j++) {
            sum += fabs(row[j] * x[j]);
        }
        scale[i] = sum;
    }
}

void carom_scale_add_transposed(int rows, int columns, const double *A, const double *x,
                                double *scale) {
    for (int i = 0; i < rows; i++) {
        const double *row = &A[(size_t)i * (size_t)columns];
        for (int j = 0; j < columns; j++) {
            scale[j] += fabs(row[j] * x[i]);
        }
    }
}

void carom_scale_add_layout(carom_layout layout, double factor, const double *A, const double *x,
                            double *scale) {
    for (int i = 0; i < layout.size; i++) {
        const int first = carom_layout_first_column(layout, i);
        const int end = carom_layout_end_column(layout, i);
        const double *row = carom_layout_row(layout, A, i);
        double sum = scale[i];
        for (int j = first; j < end; j++) {
            sum += fabs(factor * row[j] * x[j]);
        }
        scale[i] = sum;
    }
}

double carom_scale_largest_ratio(int n, const double *r, const double *scale) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        const double size = fabs(r[i]);
        const double ratio = size > 0.0 || isnan(size) ? size / scale[i] : 0.0 * scale[i];
        if (isnan(ratio)) {
            return ratio;
        }
        largest = ratio > largest ? ratio : largest;
    }
    return largest;
}

/* Root by root: neither the product nor the quotient need be representable. */
double carom_scale_speed(double energy, double inverse_mass) {
    return sqrt(2.0) * sqrt(energy) * sqrt(inverse_mass);
}

double carom_scale_impulse(double energy, double inverse_mass) {
    return sqrt(2.0) * sqrt(energy) / sqrt(inverse_mass);
}

double carom_scale_power_of_two(double x) {
    const double size = fabs(x);
    if (size >= DBL_MIN && size <= DBL_MAX) {
        uint64_t bits;
        memcpy(&bits, &size, sizeof bits);
        bits &= EXPONENT_BITS;
        double power;
        memcpy(&power, &bits, sizeof power);
        return 2.0 * power;
    }
    int exponent = 0;
    return fabs(frexp(x, &exponent)) > 0.0 ? ldexp(1.0, exponent) : 1.0;
}
