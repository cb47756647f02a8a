/*
 * carom/impact/impact_inclusion.h: ranges, distributions by Kolmogorov's and binomial bounds, the
 * numbers used of a stream.
 */
#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/random.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

#include <gsl/gsl_sort.h>
#include <stdbool.h>
#include <string.h>

static const carom_cap_distribution ALL[] = {CAROM_CAPS_UNIFORM, CAROM_CAPS_SOBOL,
                                             CAROM_CAPS_SIMPLEX, CAROM_CAPS_CORNERS};
enum { DISTRIBUTIONS = 4 };

static carom_cap_sampler *sampler_of(carom_cap_distribution distribution, int increments,
                                     int contacts, unsigned long seed) {
    carom_cap_sampler *sampler;
    assert_ok(carom_cap_sampler_alloc(distribution, increments, contacts, seed, &sampler, NULL));
    return sampler;
}

TEST(unit, uniform_caps_are_those_of_their_stream) {
    carom_cap_sampler *sampler = sampler_of(CAROM_CAPS_UNIFORM, 7, 3, 41);
    double caps[3];
    carom_cap_sampler_draw(sampler, 1000, 5, caps);
    for (int i = 0; i < 3; i++) {
        // Dimension increment m + contact, so that N m of them are used; 1 - u lies in (0,1].
        const double u = carom_counter_uniform(41, 1000, 5 * 3 + (unsigned long)i);
        assert_close(caps[i], 1.0 - u, 0.0, 0.0);
    }
    carom_cap_sampler_free(sampler);
}

TEST(unit, one_contact_takes_the_whole_simplex) {
    carom_cap_sampler *sampler = sampler_of(CAROM_CAPS_SIMPLEX, 4, 1, 3);
    for (int k = 0; k < 100; k++) {
        double cap;
        carom_cap_sampler_draw(sampler, k, k % 4, &cap);
        assert_close(cap, 1.0, 0.0, 0.0);
    }
    carom_cap_sampler_free(sampler);
}

TEST(property, all_caps_lie_above_zero_and_up_to_one) {
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        carom_cap_sampler *sampler = sampler_of(ALL[d], 10, 5, 12);
        bool is_inside = true;
        for (int k = 0; k < 4000; k++) {
            double caps[5] = {NAN, NAN, NAN, NAN, NAN};
            carom_cap_sampler_draw(sampler, 524287 * k, k % 10, caps);
            for (int i = 0; i < 5; i++) {
                is_inside = is_inside && caps[i] > 0.0 && caps[i] <= 1.0;
            }
        }
        ck_assert_msg(is_inside, "distribution %d", d);
        carom_cap_sampler_free(sampler);
    }
}

TEST(property, caps_depend_on_all_their_indices_and_on_nothing_else) {
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        carom_cap_sampler *sampler = sampler_of(ALL[d], 6, 4, 9);
        carom_cap_sampler *again = sampler_of(ALL[d], 6, 4, 9);
        carom_cap_sampler *other = sampler_of(ALL[d], 6, 4, 10);
        double kept[4];
        double caps[4];
        carom_cap_sampler_draw(sampler, 3001, 2, kept);
        for (int k = 0; k < 10; k++) {
            carom_cap_sampler_draw(again, k, 5 - k / 2, caps);
        }
        carom_cap_sampler_draw(again, 3001, 2, caps);
        ck_assert_mem_eq(caps, kept, sizeof caps);
        carom_cap_sampler_draw(sampler, 3002, 2, caps);
        ck_assert_mem_ne(caps, kept, sizeof caps);
        carom_cap_sampler_draw(sampler, 3001, 3, caps);
        ck_assert_mem_ne(caps, kept, sizeof caps);
        carom_cap_sampler_draw(other, 3001, 2, caps);
        ck_assert_mem_ne(caps, kept, sizeof caps);
        carom_cap_sampler_free(sampler);
        carom_cap_sampler_free(again);
        carom_cap_sampler_free(other);
    }
}

/** Kolmogorov-Smirnov distance of a sample from the distribution function F(x) = x^power, or its
 * mirror image 1 - (1 - x)^power. */
static double distance_from(double *values, int count, double power, bool is_mirrored) {
    gsl_sort(values, 1, (size_t)count);
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        const double F = is_mirrored ? 1.0 - pow(1.0 - values[i], power) : pow(values[i], power);
        largest = fmax(largest, fabs((i + 0.5) / count - F) + 0.5 / count);
    }
    return largest;
}

// Each cap of a simplex of m is the smallest of m - 1 uniform numbers: F = 1 - (1 - x)^(m-1).
TEST(property, caps_of_a_simplex_are_uniform_on_it) {
    enum { COUNT = 20000 };
    static double values[COUNT];
    for (int m = 2; m <= 5; m++) {
        carom_cap_sampler *sampler = sampler_of(CAROM_CAPS_SIMPLEX, 3, m, 5);
        for (int contact = 0; contact < m; contact++) {
            for (int k = 0; k < COUNT; k++) {
                double caps[5];
                carom_cap_sampler_draw(sampler, k, 1, caps);
                double sum = 0.0;
                for (int i = 0; i < m; i++) {
                    sum += caps[i];
                }
                if (fabs(sum - 1.0) > 1e-15 * m) {
                    ck_abort_msg("sum %.17g", sum);
                }
                values[k] = caps[contact];
            }
            // The 0.1 % point, 1.95/sqrt(N).
            ck_assert_double_lt(distance_from(values, COUNT, m - 1.0, true), 1.95 / sqrt(COUNT));
        }
        carom_cap_sampler_free(sampler);
    }
}

TEST(property, corners_take_a_third_each) {
    enum { COUNT = 30000 };
    static double inside[COUNT];
    carom_cap_sampler *sampler = sampler_of(CAROM_CAPS_CORNERS, 2, 2, 8);
    int low = 0;
    int high = 0;
    int between = 0;
    int both_low = 0;
    for (int k = 0; k < COUNT; k++) {
        double caps[2];
        carom_cap_sampler_draw(sampler, k, 1, caps);
        // 0+ is below what tells colliding from resting contacts, 1e-8 m/s.
        if (caps[0] < 1e-8) {
            low++;
            both_low += caps[1] < 1e-8;
        } else if (caps[0] >= 1.0) {
            high++;
        } else {
            inside[between++] = caps[0];
        }
    }
    // Four standard deviations of a binomial number: 4 sqrt(N (1/3) (2/3)), 4 sqrt(N (1/9) (8/9)).
    assert_close(low, COUNT / 3.0, 0.0, 4.0 * sqrt(COUNT * 2.0 / 9.0));
    assert_close(high, COUNT / 3.0, 0.0, 4.0 * sqrt(COUNT * 2.0 / 9.0));
    assert_close(both_low, COUNT / 9.0, 0.0, 4.0 * sqrt(COUNT * 8.0 / 81.0));
    ck_assert_double_lt(distance_from(inside, between, 1.0, false), 1.95 / sqrt(between));
    carom_cap_sampler_free(sampler);
}

// In every coordinate the first 2^k points lie one in each of 2^k intervals, open below.
TEST(property, sobol_caps_are_even_in_every_coordinate) {
    carom_cap_sampler *sampler = sampler_of(CAROM_CAPS_SOBOL, 10, 5, 123);
    for (int dimension = 0; dimension < 50; dimension++) {
        unsigned char filled[1024] = {0};
        int doubles = 0;
        for (int k = 0; k < 1024; k++) {
            double caps[5];
            carom_cap_sampler_draw(sampler, k, dimension / 5, caps);
            doubles += filled[(int)ceil(1024.0 * caps[dimension % 5]) - 1]++;
        }
        ck_assert_int_eq(doubles, 0);
    }
    carom_cap_sampler_free(sampler);
}

TEST(errors, sobol_points_have_a_limit_others_have_not) {
    carom_cap_sampler *sampler;
    carom_report report = carom_report_empty();
    assert_status(carom_cap_sampler_alloc(CAROM_CAPS_SOBOL, 43, 3, 1, &sampler, &report),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(sampler);
    assert_close(report.value, 129.0, 0.0, 0.0);
    assert_status(carom_cap_sampler_alloc(CAROM_CAPS_SOBOL, 65536, 65536, 1, &sampler, NULL),
                  OUT_OF_RANGE);
    carom_cap_sampler_free(sampler_of(CAROM_CAPS_SOBOL, 32, 4, 1));
    static double caps[3000];
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        if (ALL[d] != CAROM_CAPS_SOBOL) {
            sampler = sampler_of(ALL[d], 1000, 3000, 1);
            memset(caps, 0, sizeof caps);
            carom_cap_sampler_draw(sampler, 5, 999, caps);
            ck_assert_double_gt(caps[2999], 0.0);
            carom_cap_sampler_free(sampler);
        }
    }
    carom_cap_sampler_free(NULL);
}

TEST(errors, no_memory_is_told_and_nothing_is_lost) {
    for (int d = 0; d < DISTRIBUTIONS; d++) {
        carom_cap_sampler *sampler = NULL;
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
            successes_left = k;
            status = carom_cap_sampler_alloc(ALL[d], 4, 3, 1, &sampler, NULL);
            successes_left = -1;
            ck_assert((sampler != NULL) == (status == CAROM_OK));
            ck_assert(k > 0 || status == CAROM_STATUS_OUT_OF_MEMORY);
        }
        assert_ok(status);
        carom_cap_sampler_free(sampler);
    }
}
