/** Units in which the rows and columns of a complementarity problem compare, inside Lemke's method.
 */
#ifndef CAROM_LCP_LEMKE_SCALING_H
#define CAROM_LCP_LEMKE_SCALING_H

#include <stdint.h>
#include <string.h>

/** Of the IEEE 754 format: bits of the fraction, exponent field of 1 and of the largest number. */
enum {
    CAROM_LCP_FRACTION_BITS = 52,
    CAROM_LCP_EXPONENT_BIAS = 1023,
    CAROM_LCP_LARGEST_EXPONENT = 2046
};

/** Exponent field e of |x| = f 2^(e - bias), 1 <= f < 2. */
static inline int carom_lcp_exponent(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> CAROM_LCP_FRACTION_BITS & 0x7ffu);
}

/** 2^(exponent - bias), 1 <= exponent <= 2046. */
static inline double carom_lcp_power(int exponent) {
    const uint64_t bits = (uint64_t)exponent << CAROM_LCP_FRACTION_BITS;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/** The power of two 2^k with 2^(k-1) <= x < 2^k; for zero, NaN and the largest numbers the nearest
 * that has a reciprocal. */
static inline double carom_lcp_power_above(double x) {
    const int exponent = carom_lcp_exponent(x) + 1;
    return carom_lcp_power(
        exponent < CAROM_LCP_LARGEST_EXPONENT - 1 ? exponent : CAROM_LCP_LARGEST_EXPONENT - 1);
}

/** 1 / x of a power of two that has a reciprocal, without a division. */
static inline double carom_lcp_power_inverse(double x) {
    return carom_lcp_power(2 * CAROM_LCP_EXPONENT_BIAS - carom_lcp_exponent(x));
}

/** 1 / 2^k with 2^(k-1) <= sqrt(|x|) < 2^k. */
static inline double carom_lcp_inverse_root_power(double x) {
    // k = floor((e - bias) / 2) + 1.
    return carom_lcp_power(CAROM_LCP_EXPONENT_BIAS + (CAROM_LCP_EXPONENT_BIAS - 1) / 2 -
                           (carom_lcp_exponent(x) + 1) / 2);
}

/**
 * Powers of two R_i and C_i, with which w' = R w, z' = C^-1 z and M' = R M C has entries of order
 * one: R_i = C_i = M_ii^-1/2. A row without a positive diagonal entry has the R_i and C_i that
 * bring the largest entry of its row and of its column, among those of the rows with one, to one.
 *
 * @param[in]  n      number of unknowns
 * @param[in]  M      [n][n] row-major
 * @param[out] row    [n] R
 * @param[out] column [n] C
 */
void carom_lcp_scale(int n, const double *M, double *row, double *column);

#endif
