/* carom/base/scales.h: sums of magnitudes against paper and pencil, ratios, Cauchy-Schwarz. */
#include <carom/base/scales.h>

#include "../support.h"

TEST(unit, a_product_counts_the_magnitudes_of_its_terms) {
    const double A[] = {2.0, -3.5, 0.0, 1.25, -0.5, 4.0};
    const double x[] = {-1.0, 2.0, 0.75};
    double scale[] = {0.5, 0.0};
    carom_scale_add_product(2, 3, A, x, scale);
    assert_close(scale[0], 0.5 + 2.0 + 7.0, 0.0, 0.0);
    assert_close(scale[1], 1.25 + 1.0 + 3.0, 0.0, 0.0);
    double columns[] = {0.0, 0.0, 1.0};
    const double y[] = {-1.5, 2.0};
    carom_scale_add_transposed(2, 3, A, y, columns);
    assert_close(columns[0], 3.0 + 2.5, 0.0, 0.0);
    assert_close(columns[1], 5.25 + 1.0, 0.0, 0.0);
    assert_close(columns[2], 1.0 + 8.0, 0.0, 0.0);
    carom_scale_add(2, -2.0, y, scale);
    assert_close(scale[0], 12.5, 0.0, 0.0);
    assert_close(scale[1], 9.25, 0.0, 0.0);
}

TEST(unit, a_band_counts_like_the_same_matrix_in_full) {
    const double full[] = {2.0, -1.0, 0.0, -0.5, 3.0, 4.0, 0.0, 1.5, -2.5};
    const carom_layout band = carom_layout_banded(3, 1);
    double banded[9] = {0.0};
    for (int i = 0; i < 3; i++) {
        for (int j = carom_layout_first_column(band, i); j < carom_layout_end_column(band, i);
             j++) {
            banded[carom_layout_index(band, i, j)] = full[3 * i + j];
        }
    }
    const double x[] = {1.5, -2.0, 0.25};
    double of_band[3] = {0.0};
    double of_full[3] = {0.0};
    carom_scale_add_layout(band, -0.5, banded, x, of_band);
    carom_scale_add_layout(carom_layout_full(3), -0.5, full, x, of_full);
    const double expected[] = {0.5 * (3.0 + 2.0), 0.5 * (0.75 + 6.0 + 1.0), 0.5 * (3.0 + 0.625)};
    for (int i = 0; i < 3; i++) {
        assert_close(of_band[i], expected[i], 0.0, 0.0);
        assert_close(of_full[i], expected[i], 0.0, 0.0);
    }
}

TEST(unit, the_largest_ratio_is_that_of_the_worst_row) {
    const double r[] = {1e-12, -3.0, 0.0};
    const double scale[] = {2e-12, 8.0, 0.0};
    assert_close(carom_scale_largest_ratio(3, r, scale), 0.5, 0.0, 0.0);
}

TEST(errors, a_residual_without_a_scale_is_infinitely_wrong) {
    const double r[] = {1e-300};
    const double scale[] = {0.0};
    ck_assert(isinf(carom_scale_largest_ratio(1, r, scale)));
}

TEST(errors, a_ratio_keeps_a_nan_of_either_side) {
    const double r[] = {1.0, (double)NAN, 2.0};
    const double scale[] = {1.0, 1.0, 1.0};
    ck_assert(isnan(carom_scale_largest_ratio(3, r, scale)));
    ck_assert(isnan(carom_scale_largest_ratio(3, scale, r)));
    const double zero[] = {0.0, 0.0, 0.0};
    ck_assert(isnan(carom_scale_largest_ratio(3, zero, r)));
}

/* v maximises J v over v' M v / 2 = T at v = sqrt(2 T / w) M^-1 J'. */
TEST(property, no_velocity_of_that_energy_moves_a_contact_faster) {
    const double M[] = {2.385, 0.71};
    const double J[] = {0.6, -1.3};
    const double energy = 4.19;
    const double w = J[0] * J[0] / M[0] + J[1] * J[1] / M[1];
    const double speed = carom_scale_speed(energy, w);
    gsl_rng *generator = seeded_generator(20140802);
    for (int k = 0; k < 1000; k++) {
        const double angle = uniform(generator, 0.0, 6.2831853);
        const double v[] = {sqrt(2.0 * energy / M[0]) * cos(angle),
                            sqrt(2.0 * energy / M[1]) * sin(angle)};
        ck_assert(fabs(J[0] * v[0] + J[1] * v[1]) <= speed * (1.0 + 1e-15));
    }
    const double impulse = carom_scale_impulse(energy, w);
    const double v[] = {impulse * J[0] / M[0], impulse * J[1] / M[1]};
    assert_close(J[0] * v[0] + J[1] * v[1], speed, 4e-16, 0.0);
    assert_close(0.5 * (M[0] * v[0] * v[0] + M[1] * v[1] * v[1]), energy, 1e-15, 0.0);
    gsl_rng_free(generator);
}

TEST(unit, a_power_of_two_is_the_next_above_in_size) {
    const double values[] = {1.0, 1.999, 2.0, -3.7, 0.3, 0x1p-1060, 0x1.8p1000};
    const double powers[] = {2.0, 2.0, 4.0, 4.0, 0.5, 0x1p-1059, 0x1p1001};
    for (int k = 0; k < 7; k++) {
        assert_close(carom_scale_power_of_two(values[k]), powers[k], 0.0, 0.0);
    }
    assert_close(carom_scale_power_of_two(0.0), 1.0, 0.0, 0.0);
}
