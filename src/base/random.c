#include <carom/base/random.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* -------------------------------------------------------------------------------- counter-based */

/** One step of SplitMix64: the golden-ratio increment and its finalizer, a bijection of 64 bits. */
static uint64_t mix(uint64_t x) {
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

double carom_counter_uniform(unsigned long seed, unsigned long sample, unsigned long dimension) {
    const uint64_t bits = mix(mix(mix((uint64_t)seed) ^ (uint64_t)sample) ^ (uint64_t)dimension);
    // The upper 53 bits, each representable in [0, 1).
    return (double)(bits >> 11) * 0x1.0p-53;
}

/* --------------------------------------------------------------------------------- Sobol points */

/*
 * Which initial direction numbers each dimension after the first takes: the number c of a stream of
 * carom_counter_uniform, from which m_k = 2 floor(2^(k-1) u(c, j, k-1)) + 1, k = 1 .. s.
 *
 * Dimension after dimension, c is the first of 0 .. 4095 for which the sum of 2^t over all earlier
 * dimensions and over the first 2^2, 2^3, ..., 2^16 points is least, t being that of the
 * (t,m,2)-net of the pair: every rectangle of area 2^(t-m) that the digits cut out has its 2^t
 * points. The suite of this file repeats the choice for the first dimensions.
 */
static const unsigned short INITIAL_STREAM[CAROM_SOBOL_MOST_DIMENSIONS - 1] = {
    0,    0,    3,    7,    46,   16,   598,  1374, 923,  1627, 1003, 87,   2005, 1429, 1869, 2158,
    1274, 368,  2479, 1438, 116,  2322, 583,  1819, 1202, 525,  3882, 526,  3859, 3376, 3649, 1551,
    495,  93,   2769, 1964, 439,  3777, 3231, 3559, 3496, 158,  821,  4014, 2,    1900, 2987, 3993,
    1276, 1213, 624,  2366, 1647, 3157, 3260, 343,  3192, 2504, 17,   4033, 3398, 1577, 2188, 3942,
    3960, 4062, 1074, 1896, 2667, 1089, 2770, 140,  1634, 3754, 1017, 194,  1046, 918,  549,  2235,
    3584, 1344, 2129, 1822, 1448, 55,   3203, 3636, 3494, 580,  354,  3129, 723,  905,  159,  2623,
    3071, 4016, 2040, 133,  2312, 3789, 674,  3536, 1942, 391,  777,  1109, 138,  1765, 2138, 3232,
    1861, 3219, 1260, 715,  517,  1481, 2177, 283,  2290, 1372, 4058, 3520, 3875, 792,  2289};

struct carom_sobol {
    int dimensions;
    uint32_t *directions; /* [dimensions][CAROM_SOBOL_DIGITS] */
    uint64_t *shift;      /* [dimensions] 53 digits */
};

/** Degree of a polynomial over GF(2), whose coefficients are the bits of p > 0. */
static int degree_of(uint32_t p) {
    int degree = -1;
    for (; p != 0; p >>= 1) {
        degree++;
    }
    return degree;
}

/** Whether the powers of x modulo p run through all 2^s - 1 polynomials other than zero. */
static bool is_primitive(uint32_t p) {
    const int s = degree_of(p);
    const int period = (1 << s) - 1;
    uint32_t power = 1;
    for (int k = 1; k <= period; k++) {
        power <<= 1;
        if ((power >> s & 1u) != 0) {
            power ^= p;
        }
        if (power == 1) {
            return k == period;
        }
    }
    return false;
}

/** The primitive polynomial after p, p odd. */
static uint32_t next_primitive(uint32_t p) {
    do {
        p += 2;
    } while (!is_primitive(p));
    return p;
}

/** v_k = a_1 v_k-1 + ... + a_s-1 v_k-s+1 + v_k-s + v_k-s / 2^s without carries, from chosen v_1 ..
 * v_s; p = x^s + a_1 x^(s-1) + ... + 1. */
static void fill_directions(int dimension, uint32_t p, uint32_t *v) {
    const int s = degree_of(p);
    const unsigned long stream = INITIAL_STREAM[dimension - 1];
    for (int k = 0; k < s; k++) {
        const double u = carom_counter_uniform(stream, (unsigned long)dimension, (unsigned long)k);
        const uint32_t m = 2 * (uint32_t)ldexp(u, k) + 1;
        v[k] = m << (CAROM_SOBOL_DIGITS - 1 - k);
    }
    for (int k = s; k < CAROM_SOBOL_DIGITS; k++) {
        v[k] = v[k - s] ^ (v[k - s] >> s);
        for (int i = 1; i < s; i++) {
            if ((p >> (s - i) & 1u) != 0) {
                v[k] ^= v[k - i];
            }
        }
    }
}

carom_status carom_sobol_alloc(int dimensions, carom_sobol **out, carom_report *report) {
    CAROM_ASSERT(out != NULL);
    *out = NULL;
    if (dimensions < 1 || dimensions > CAROM_SOBOL_MOST_DIMENSIONS) {
        return carom_report_refuse(report, "dimensions of Sobol points", dimensions, -1,
                                   "from 1 to CAROM_SOBOL_MOST_DIMENSIONS");
    }
    CAROM_AUTO(carom_sobol) sobol = calloc(1, sizeof *sobol);
    if (sobol == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    sobol->dimensions = dimensions;
    sobol->directions = calloc((size_t)dimensions * CAROM_SOBOL_DIGITS, sizeof(uint32_t));
    sobol->shift = calloc((size_t)dimensions, sizeof(uint64_t));
    if (sobol->directions == NULL || sobol->shift == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    // Van der Corput: the digits of the index in reverse.
    for (int k = 0; k < CAROM_SOBOL_DIGITS; k++) {
        sobol->directions[k] = UINT32_C(1) << (CAROM_SOBOL_DIGITS - 1 - k);
    }
    uint32_t p = 1;
    for (int j = 1; j < dimensions; j++) {
        p = next_primitive(p);
        fill_directions(j, p, sobol->directions + j * CAROM_SOBOL_DIGITS);
    }
    CAROM_HAND_OVER(sobol, out);
    return CAROM_OK;
}

void carom_sobol_free(carom_sobol *sobol) {
    if (sobol == NULL) {
        return;
    }
    free(sobol->directions);
    free(sobol->shift);
    free(sobol);
}

void carom_sobol_shift(carom_sobol *sobol, unsigned long seed) {
    CAROM_ASSERT(sobol != NULL);
    for (int j = 0; j < sobol->dimensions; j++) {
        sobol->shift[j] = (uint64_t)ldexp(carom_counter_uniform(seed, 0, (unsigned long)j), 53);
    }
}

/*[sobolPoint]*/
double carom_sobol_coordinate(const carom_sobol *sobol, int index, int dimension) {
    CAROM_ASSERT(sobol != NULL);
    CAROM_ASSERT(index >= 0 && dimension >= 0 && dimension < sobol->dimensions);
    const uint32_t *column = carom_sobol_directions(sobol, dimension);
    // The columns at the digits of the index that are one, chosen without a branch.
    uint32_t digits = 0;
    for (uint32_t rest = (uint32_t)index; rest != 0; rest >>= 1, column++) {
        digits ^= *column & (0u - (rest & 1u));
    }
    // The shift has 53 digits: those after the point's own stay as they are.
    const uint64_t sum = ((uint64_t)digits << (53 - CAROM_SOBOL_DIGITS)) ^ sobol->shift[dimension];
    return (double)sum * 0x1.0p-53;
}
/*[end sobolPoint]*/

const uint32_t *carom_sobol_directions(const carom_sobol *sobol, int dimension) {
    CAROM_ASSERT(sobol != NULL);
    return sobol->directions + dimension * CAROM_SOBOL_DIGITS;
}
