/*
 * carom/impact/contact_modes.h: regular polygons, symmetric to the last digit.
 */
#include <carom/impact/contact_modes.h>

#include "../support.h"

#include <float.h>

enum { MOST_FACETS = 130 };

TEST(unit, four_facets_are_the_axes) {
    const double expected[8] = {1.0, 0.0, 0.0, 1.0, -1.0, 0.0, 0.0, -1.0};
    double d[8];
    assert_ok(carom_friction_facets(4, d));
    for (int i = 0; i < 8; i++) {
        assert_close(d[i], expected[i], 0.0, 0.0);
    }
}

TEST(unit, six_facets_are_those_of_a_hexagon) {
    const double half = 0.5;
    const double height = 0.5 * sqrt(3.0);
    const double expected[12] = {1.0,  0.0, half,  height,  -half, height,
                                 -1.0, 0.0, -half, -height, half,  -height};
    double d[12];
    assert_ok(carom_friction_facets(6, d));
    for (int i = 0; i < 12; i++) {
        // cos and sin of a rounded angle of at most pi.
        assert_close(d[i], expected[i], 0.0, 4.0 * DBL_EPSILON);
    }
}

TEST(property, the_second_half_is_minus_the_first_to_the_last_digit) {
    double d[2 * MOST_FACETS];
    for (int k = 4; k <= MOST_FACETS; k += 2) {
        assert_ok(carom_friction_facets(k, d));
        for (int i = 0; i < k; i++) {
            assert_close(d[k + i], -d[i], 0.0, 0.0);
        }
    }
}

TEST(property, directions_are_unit_and_turn_by_equal_angles) {
    double d[2 * MOST_FACETS];
    for (int k = 4; k <= MOST_FACETS; k += 2) {
        assert_ok(carom_friction_facets(k, d));
        const double angle = 8.0 * atan(1.0) / k;
        for (int j = 0; j < k; j++) {
            const double *a = d + 2 * j;
            const double *b = d + 2 * ((j + 1) % k);
            // Each coordinate has an error of about one rounding of an angle of at most pi.
            assert_close(a[0] * a[0] + a[1] * a[1], 1.0, 0.0, 8.0 * DBL_EPSILON);
            assert_close(a[0] * b[1] - a[1] * b[0], sin(angle), 0.0, 16.0 * DBL_EPSILON);
            assert_close(a[0] * b[0] + a[1] * b[1], cos(angle), 0.0, 16.0 * DBL_EPSILON);
        }
    }
}

TEST(errors, odd_or_too_few_facets_are_refused) {
    const int refused[] = {-4, 0, 1, 2, 3, 5, 7};
    for (int i = 0; i < (int)(sizeof refused / sizeof *refused); i++) {
        double d[16] = {7.5};
        assert_status(carom_friction_facets(refused[i], d), OUT_OF_RANGE);
        assert_close(d[0], 7.5, 0.0, 0.0);
    }
}
