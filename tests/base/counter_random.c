#include "../support.h"

#include <carom/base/random.h>
#include <gsl/gsl_sort.h>
#include <stdint.h>

TEST(unit, numbers_depend_on_all_three_indices) {
    const double x = carom_counter_uniform(7, 11, 13);
    assert_close(carom_counter_uniform(7, 11, 13), x, 0.0, 0.0);
    ck_assert(fabs(carom_counter_uniform(8, 11, 13) - x) > 0.0);
    ck_assert(fabs(carom_counter_uniform(7, 12, 13) - x) > 0.0);
    ck_assert(fabs(carom_counter_uniform(7, 11, 14) - x) > 0.0);
    ck_assert(fabs(carom_counter_uniform(11, 7, 13) - x) > 0.0);
}

// SplitMix64 started at 0 yields 0xe220a8397b1dcdaf (its authors' reference output); three rounds
// of the same function on (0, 0, 0) are checked against a run of it by hand.
TEST(unit, the_finalizer_is_splitmix64) {
    uint64_t x = 0;
    for (int round = 0; round < 3; round++) {
        x += UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        x ^= x >> 31;
        if (round == 0) {
            ck_assert_uint_eq(x, UINT64_C(0xe220a8397b1dcdaf));
        }
    }
    assert_close(carom_counter_uniform(0, 0, 0), (double)(x >> 11) / 9007199254740992.0, 0.0, 0.0);
}

/** Kolmogorov-Smirnov distance of a sample from the uniform distribution. */
static double distance_from_uniform(double *values, int count) {
    gsl_sort(values, 1, (size_t)count);
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(values[i] - (i + 0.5) / count) + 0.5 / count);
    }
    return largest;
}

TEST(property, samples_and_dimensions_are_uniform_and_uncorrelated) {
    enum { COUNT = 100000 };
    static double along[COUNT];
    static double across[COUNT];
    double covariance = 0.0;
    for (int i = 0; i < COUNT; i++) {
        along[i] = carom_counter_uniform(3, (unsigned long)i, 5);
        across[i] = carom_counter_uniform(3, 5, (unsigned long)i);
        const double neighbour = carom_counter_uniform(3, (unsigned long)i + 1, 5);
        ck_assert(along[i] >= 0.0 && along[i] < 1.0);
        covariance += (along[i] - 0.5) * (neighbour - 0.5) / COUNT;
    }
    // The 0.1 % points: 1.95/sqrt(N) for the distance, 3.3 (1/12)/sqrt(N) for the covariance.
    ck_assert_double_lt(distance_from_uniform(along, COUNT), 1.95 / sqrt(COUNT));
    ck_assert_double_lt(distance_from_uniform(across, COUNT), 1.95 / sqrt(COUNT));
    ck_assert_double_lt(fabs(covariance), 3.3 / 12.0 / sqrt(COUNT));
}
