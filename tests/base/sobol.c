/*
 * carom/base/random.h: van der Corput's sequence, the published second dimension, nets counted
 * point by point, primitivity by factors of 2^s - 1, integrals with a known value.
 */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/random.h>

#include <gsl/gsl_qrng.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { ALL = CAROM_SOBOL_MOST_DIMENSIONS, DIGITS = CAROM_SOBOL_DIGITS };

static carom_sobol *sequence(int dimensions) {
    carom_sobol *sobol;
    assert_ok(carom_sobol_alloc(dimensions, &sobol, NULL));
    return sobol;
}

/** Digits of the index after the point, in reverse, summed as numbers. */
static double van_der_corput(int index) {
    double x = 0.0;
    double weight = 0.5;
    for (; index > 0; index /= 2) {
        x += weight * (index % 2);
        weight *= 0.5;
    }
    return x;
}

TEST(unit, first_dimension_is_van_der_corput) {
    carom_sobol *sobol = sequence(3);
    for (int i = 0; i < 5000; i++) {
        assert_close(carom_sobol_coordinate(sobol, i, 0), van_der_corput(i), 0.0, 0.0);
    }
    const int large[] = {1 << 30, 0x7fffffff, 0x5a5a5a5a};
    for (int k = 0; k < 3; k++) {
        assert_close(carom_sobol_coordinate(sobol, large[k], 0), van_der_corput(large[k]), 0.0,
                     0.0);
    }
    carom_sobol_free(sobol);
}

// Bratley and Fox 1988, table 1 and section 2: x + 1 gives 1, 3, 5, 15, 17, 51, 85, 255, ...
TEST(unit, second_dimension_has_the_published_direction_numbers) {
    carom_sobol *sobol = sequence(2);
    const uint32_t m[] = {1, 3, 5, 15, 17, 51, 85, 255};
    for (int k = 0; k < 8; k++) {
        ck_assert_uint_eq(carom_sobol_directions(sobol, 1)[k], m[k] << (DIGITS - 1 - k));
    }
    carom_sobol_free(sobol);
}

TEST(unit, first_points_of_two_dimensions) {
    carom_sobol *sobol = sequence(2);
    // Columns 1/2, 3/4, 5/8 of the second dimension added without carry.
    const double expected[] = {0.0, 0.5, 0.75, 0.25, 0.625, 0.125, 0.375, 0.875};
    for (int i = 0; i < 8; i++) {
        assert_close(carom_sobol_coordinate(sobol, i, 1), expected[i], 0.0, 0.0);
    }
    carom_sobol_free(sobol);
}

static int degree_of(uint64_t p) {
    int degree = -1;
    for (; p != 0; p >>= 1) {
        degree++;
    }
    return degree;
}

/** a b modulo p over GF(2). */
static uint64_t multiply(uint64_t a, uint64_t b, uint64_t p) {
    const int s = degree_of(p);
    uint64_t product = 0;
    for (; b != 0; b >>= 1) {
        product ^= (b & 1u) != 0 ? a : 0;
        a <<= 1;
        a ^= (a >> s & 1u) != 0 ? p : 0;
    }
    return product;
}

static uint64_t power(uint64_t exponent, uint64_t p) {
    uint64_t result = degree_of(p) > 0 ? 1 : 0;
    uint64_t square = degree_of(p) > 1 ? 2 : 1;
    for (; exponent != 0; exponent >>= 1) {
        result = (exponent & 1u) != 0 ? multiply(result, square, p) : result;
        square = multiply(square, square, p);
    }
    return result;
}

/** x^(2^s - 1) = 1 and no x^((2^s - 1)/prime) = 1. */
static bool has_full_order(uint64_t p) {
    const uint64_t order = (UINT64_C(1) << degree_of(p)) - 1;
    if ((p & 1u) == 0 || power(order, p) != 1) {
        return false;
    }
    uint64_t rest = order;
    for (uint64_t prime = 2; rest > 1; prime++) {
        if (rest % prime == 0) {
            if (power(order / prime, p) == 1) {
                return false;
            }
            while (rest % prime == 0) {
                rest /= prime;
            }
        }
    }
    return true;
}

// phi(2^s - 1)/s of each degree: 1, 1, 2, 2, 6, 6, 18, 16, 48, then 27 of 60.
TEST(unit, dimensions_follow_the_primitive_polynomials_in_their_order) {
    carom_sobol *sobol = sequence(ALL);
    const int count[] = {0, 1, 1, 2, 2, 6, 6, 18, 16, 48, 27};
    int seen[11] = {0};
    uint64_t p = 1;
    for (int j = 1; j < ALL; j++) {
        do {
            p++;
        } while (!has_full_order(p));
        const int s = degree_of(p);
        seen[s]++;
        const uint32_t *v = carom_sobol_directions(sobol, j);
        for (int k = s; k < DIGITS; k++) {
            // v_k + sum of a_i v_k-i = v_k-s / 2^s, the sum over all coefficients of p but x^s.
            uint32_t sum = 0;
            for (int i = 0; i <= s; i++) {
                sum ^= (p >> (s - i) & 1u) != 0 ? v[k - i] : 0;
            }
            ck_assert_uint_eq(sum, v[k - s] >> s);
        }
    }
    for (int s = 1; s <= 10; s++) {
        ck_assert_int_eq(seen[s], count[s]);
    }
    carom_sobol_free(sobol);
}

TEST(unit, shift_adds_the_same_digits_to_all_points) {
    carom_sobol *plain = sequence(5);
    carom_sobol *shifted = sequence(5);
    carom_sobol_shift(shifted, 1234);
    for (int j = 0; j < 5; j++) {
        const double shift = carom_counter_uniform(1234, 0, (unsigned long)j);
        assert_close(carom_sobol_coordinate(shifted, 0, j), shift, 0.0, 0.0);
        const uint64_t digits = (uint64_t)ldexp(shift, 53);
        for (int i = 0; i < 300; i++) {
            const uint64_t x = (uint64_t)ldexp(carom_sobol_coordinate(plain, 7919 * i, j), 53);
            const double expected = ldexp((double)(x ^ digits), -53);
            assert_close(carom_sobol_coordinate(shifted, 7919 * i, j), expected, 0.0, 0.0);
        }
    }
    carom_sobol_free(plain);
    carom_sobol_free(shifted);
}

/** Whether the first 2^k points of a dimension lie in [0, 1), one in each interval of 2^-k. */
static bool fills_intervals(const carom_sobol *sobol, int dimension, int k) {
    unsigned char filled[1 << 11] = {0};
    for (int i = 0; i < 1 << k; i++) {
        const double x = carom_sobol_coordinate(sobol, i, dimension);
        if (x < 0.0 || x >= 1.0 || filled[(int)ldexp(x, k)]++ != 0) {
            return false;
        }
    }
    return true;
}

TEST(property, every_projection_has_one_point_in_each_dyadic_interval) {
    carom_sobol *sobol = sequence(ALL);
    for (int is_shifted = 0; is_shifted < 2; is_shifted++) {
        for (int k = 1; k <= 11; k++) {
            for (int j = 0; j < ALL; j++) {
                ck_assert_msg(fills_intervals(sobol, j, k), "dimension %d, 2^%d points", j, k);
            }
        }
        carom_sobol_shift(sobol, 77);
    }
    carom_sobol_free(sobol);
}

/** Least t such that the first 2^m points of dimensions i and j put 2^t into each rectangle 2^-a x
 * 2^-b, a + b = m - t: counted. */
static int count_t(const carom_sobol *sobol, int i, int j, int m) {
    static int inside[1 << 12];
    for (int t = 0; t <= m; t++) {
        bool is_net = true;
        for (int a = 0; a <= m - t && is_net; a++) {
            const int b = m - t - a;
            memset(inside, 0, sizeof inside);
            for (int k = 0; k < 1 << m; k++) {
                const int x = (int)ldexp(carom_sobol_coordinate(sobol, k, i), a);
                const int y = (int)ldexp(carom_sobol_coordinate(sobol, k, j), b);
                inside[(x << b) + y]++;
            }
            for (int cell = 0; cell < 1 << (m - t); cell++) {
                is_net = is_net && inside[cell] == 1 << t;
            }
        }
        if (is_net) {
            return t;
        }
    }
    return -1;
}

TEST(property, first_two_dimensions_are_zero_nets) {
    carom_sobol *sobol = sequence(2);
    for (int m = 1; m <= 12; m++) {
        ck_assert_int_eq(count_t(sobol, 0, 1, m), 0);
    }
    carom_sobol_shift(sobol, 5);
    ck_assert_int_eq(count_t(sobol, 0, 1, 12), 0);
    carom_sobol_free(sobol);
}

/** Digits d of the directions as rows over the first m columns. */
static void set_rows(const uint32_t *v, int m, uint32_t *rows) {
    for (int d = 0; d < m; d++) {
        rows[d] = 0;
        for (int k = 0; k < m; k++) {
            rows[d] |= (v[k] >> (DIGITS - 1 - d) & 1u) << k;
        }
    }
}

/** Add a row to an echelon basis; false if it depends on it. */
static bool extend(uint32_t *basis, uint32_t row) {
    while (row != 0) {
        const int pivot = degree_of(row);
        if (basis[pivot] == 0) {
            basis[pivot] = row;
            return true;
        }
        row ^= basis[pivot];
    }
    return false;
}

/** The same t by ranks: all a rows of one and b of the other, a + b = m - t, are independent. */
static int rank_t(const uint32_t *v, const uint32_t *w, int m) {
    uint32_t first[DIGITS];
    uint32_t second[DIGITS];
    uint32_t basis[DIGITS] = {0};
    set_rows(v, m, first);
    set_rows(w, m, second);
    int least = m;
    for (int a = 0; a <= m; a++) {
        uint32_t both[DIGITS];
        memcpy(both, basis, sizeof both);
        int b = 0;
        while (a + b < m && extend(both, second[b])) {
            b++;
        }
        least = a + b < least ? a + b : least;
        if (a < m && !extend(basis, first[a])) {
            ck_abort_msg("one dimension alone is no net");
        }
    }
    return m - least;
}

TEST(property, counted_nets_are_those_of_the_ranks) {
    carom_sobol *sobol = sequence(40);
    for (int i = 0; i < 40; i += 3) {
        for (int j = i + 1; j < 40; j += 13) {
            ck_assert_int_eq(count_t(sobol, i, j, 9), rank_t(carom_sobol_directions(sobol, i),
                                                             carom_sobol_directions(sobol, j), 9));
        }
    }
    carom_sobol_free(sobol);
}

/** Directions of dimension j = 1, 2, ... with polynomial p and initial numbers from a stream. */
static void set_candidate(int j, uint64_t p, unsigned long stream, uint32_t *v) {
    const int s = degree_of(p);
    for (int k = 0; k < DIGITS; k++) {
        if (k < s) {
            const double u = carom_counter_uniform(stream, (unsigned long)j, (unsigned long)k);
            v[k] = (2 * (uint32_t)floor(ldexp(u, k)) + 1) << (DIGITS - 1 - k);
            continue;
        }
        v[k] = v[k - s] >> s;
        for (int i = 1; i <= s; i++) {
            v[k] ^= (p >> (s - i) & 1u) != 0 ? v[k - i] : 0;
        }
    }
}

/** The sum that decides: 2^t over all earlier dimensions and 2^2 .. 2^16 points, or `most`. */
static double defect(const carom_sobol *sobol, int j, const uint32_t *v, double most) {
    double sum = 0.0;
    for (int i = j - 1; i >= 0 && sum < most; i--) {
        for (int m = 2; m <= 16; m++) {
            sum += ldexp(1.0, rank_t(carom_sobol_directions(sobol, i), v, m));
        }
    }
    return sum;
}

/** Whether these initial numbers of degree s <= 4 come for the first time. */
static bool is_new(const uint32_t *v, int s, bool *seen) {
    int code = 0;
    for (int k = 1; k < s; k++) {
        code = (code << k) | (int)(v[k] >> (DIGITS - k) & ((1u << k) - 1));
    }
    const bool is_first = !seen[code];
    seen[code] = true;
    return is_first;
}

TEST(property, initial_numbers_are_the_best_of_4096) {
    carom_sobol *sobol = sequence(7);
    const uint64_t polynomials[] = {1, 3, 7, 11, 13, 19, 25};
    for (int j = 1; j < 7; j++) {
        double least = INFINITY;
        uint32_t best[DIGITS] = {0};
        bool seen[64] = {false};
        for (unsigned long stream = 0; stream < 4096; stream++) {
            uint32_t v[DIGITS] = {0};
            set_candidate(j, polynomials[j], stream, v);
            if (!is_new(v, degree_of(polynomials[j]), seen)) {
                continue;
            }
            const double sum = defect(sobol, j, v, least);
            if (sum < least) {
                least = sum;
                memcpy(best, v, sizeof best);
            }
        }
        ck_assert_mem_eq(best, carom_sobol_directions(sobol, j), sizeof best);
    }
    carom_sobol_free(sobol);
}

/** Directions of GSL's generator (Bratley and Fox 1988), 2^16 points: neighbours in its order, that
 * of the Gray code, differ by one of them. [dimensions][DIGITS] */
static void set_published(int dimensions, uint32_t *directions) {
    gsl_qrng *generator = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dimensions);
    uint32_t before[40] = {0};
    for (int n = 1; n <= 1 << 15; n++) {
        double x[40];
        gsl_qrng_get(generator, x);
        for (int j = 0; j < dimensions; j++) {
            const uint32_t digits = (uint32_t)ldexp(x[j], DIGITS);
            if ((n & (n - 1)) == 0) {
                directions[j * DIGITS + degree_of((uint64_t)n)] = digits ^ before[j];
            }
            before[j] = digits;
        }
    }
    gsl_qrng_free(generator);
}

TEST(property, pairs_of_40_dimensions_are_better_than_the_published_ones) {
    enum { COUNT = 40 };
    static uint32_t published[COUNT * DIGITS];
    set_published(COUNT, published);
    carom_sobol *sobol = sequence(COUNT);
    double ours = 0.0;
    double theirs = 0.0;
    for (int j = 1; j < COUNT; j++) {
        for (int i = 0; i < j; i++) {
            for (int m = 4; m <= 16; m += 4) {
                ours += ldexp(1.0, rank_t(carom_sobol_directions(sobol, i),
                                          carom_sobol_directions(sobol, j), m));
                theirs += ldexp(1.0, rank_t(published + i * DIGITS, published + j * DIGITS, m));
            }
        }
    }
    ck_assert_msg(ours < theirs, "%g, %g", ours, theirs);
    carom_sobol_free(sobol);
}

/** prod (1 + c_j (x_j - 1/2)) with c_j = 1/(1 + j): integral 1, variance prod (1 + c_j^2/12) - 1.
 */
static double product_function(const carom_sobol *sobol, int index, int dimensions) {
    double product = 1.0;
    for (int j = 0; j < dimensions; j++) {
        product *= 1.0 + (carom_sobol_coordinate(sobol, index, j) - 0.5) / (1.0 + j);
    }
    return product;
}

/** Root of the mean square error of 2^12 points over 16 shifts, in standard errors of as many
 * random points. */
static double relative_error(int dimensions) {
    enum { COUNT = 1 << 12, SHIFTS = 16 };
    carom_sobol *sobol = sequence(dimensions);
    double variance = 1.0;
    for (int j = 0; j < dimensions; j++) {
        variance *= 1.0 + 1.0 / (12.0 * (1.0 + j) * (1.0 + j));
    }
    double square = 0.0;
    for (unsigned long seed = 0; seed < SHIFTS; seed++) {
        carom_sobol_shift(sobol, seed);
        double sum = 0.0;
        for (int i = 0; i < COUNT; i++) {
            sum += product_function(sobol, i, dimensions);
        }
        square += pow(sum / COUNT - 1.0, 2) / SHIFTS;
    }
    carom_sobol_free(sobol);
    return sqrt(square * COUNT / (variance - 1.0));
}

// The error in one dimension is 1/N, in many it lies between that and 1/sqrt(N): a twentieth of
// the latter is what 400 times as many random points give.
TEST(property, integrals_in_20_and_50_dimensions_are_better_than_random) {
    const double in_20 = relative_error(20);
    const double in_50 = relative_error(50);
    ck_assert_msg(in_20 < 0.05 && in_50 < 0.05, "%g, %g", in_20, in_50);
}

TEST(errors, sizes_are_refused) {
    carom_sobol *sobol;
    carom_report report = carom_report_empty();
    assert_status(carom_sobol_alloc(0, &sobol, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(sobol);
    assert_close(report.value, 0.0, 0.0, 0.0);
    assert_status(carom_sobol_alloc(ALL + 1, &sobol, &report), OUT_OF_RANGE);
    assert_close(report.value, ALL + 1.0, 0.0, 0.0);
    assert_status(carom_sobol_alloc(-3, &sobol, NULL), OUT_OF_RANGE);
    carom_sobol_free(NULL);
}

TEST(errors, no_memory_is_told_and_nothing_is_lost) {
    carom_sobol *sobol;
    for (int k = 0; k < 3; k++) {
        successes_left = k;
        const carom_status status = carom_sobol_alloc(7, &sobol, NULL);
        successes_left = -1;
        assert_status(status, OUT_OF_MEMORY);
        ck_assert_ptr_null(sobol);
    }
    carom_sobol_free(sequence(7));
}
