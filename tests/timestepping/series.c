/** Questions to recorded series, against columns whose answers are known by construction. */
#include "../support.h"

#include <carom/timestepping/series.h>

START_TEST(largest_difference_pairs_rows_from_the_first_ones) {
    const double values[4 * 2] = {9.125, 9.25, 1.5, -2.375, 0.25, 4.125, -3.0, 7.75};
    const double other_values[3] = {1.75, 0.125, -5.375};
    const carom_series series = {values, 2, 0, 1, 4};
    const carom_series other = {other_values, 1, 0, 0, 3};
    // |1.5 - 1.75|, |0.25 - 0.125|, |-3 + 5.375|: exact in binary
    assert_close(carom_series_largest_difference(series, other), 2.375, 0.0, 0.0);
    const carom_series second = {values, 2, 1, 1, 4};
    // |-2.375 - 1.75|, |4.125 - 0.125|, |7.75 + 5.375|
    assert_close(carom_series_largest_difference(second, other), 13.125, 0.0, 0.0);
}
END_TEST

START_TEST(largest_difference_of_no_rows_is_zero_and_nan_does_not_count) {
    const double values[3] = {2.385, (double)NAN, -1.25};
    const double other_values[3] = {2.635, 4.0, -1.375};
    const carom_series series = {values, 1, 0, 0, 3};
    const carom_series other = {other_values, 1, 0, 0, 3};
    // two subtractions of three-digit decimals round by less than 1e-15
    assert_close(carom_series_largest_difference(series, other), 0.25, 0.0, 1e-15);
    const carom_series none = {values, 1, 0, 2, 2};
    const carom_series other_none = {other_values, 1, 0, 1, 1};
    assert_close(carom_series_largest_difference(none, other_none), 0.0, 0.0, 0.0);
}
END_TEST

START_TEST(largest_difference_is_the_magnitude_of_the_difference) {
    enum { ROWS = 37, COLUMNS = 3 };
    const unsigned long seed = 2014;
    gsl_rng *generator = seeded_generator(seed);
    for (int trial = 0; trial < 50; trial++) {
        double a[ROWS * COLUMNS];
        double b[ROWS * COLUMNS];
        double difference[ROWS * COLUMNS];
        for (int k = 0; k < ROWS * COLUMNS; k++) {
            a[k] = uniform(generator, -2.5, 3.5);
            b[k] = uniform(generator, -2.5, 3.5);
            difference[k] = a[k] - b[k];
        }
        const int column = trial % COLUMNS;
        const carom_series first = {a, COLUMNS, column, 0, ROWS};
        const carom_series second = {b, COLUMNS, column, 0, ROWS};
        const carom_series both = {difference, COLUMNS, column, 0, ROWS};
        // the same subtractions, so the same bits; and it is a distance
        const double distance = carom_series_largest_difference(first, second);
        assert_close(distance, carom_series_magnitude(both), 0.0, 0.0);
        assert_close(distance, carom_series_largest_difference(second, first), 0.0, 0.0);
        assert_close(carom_series_largest_difference(first, first), 0.0, 0.0, 0.0);
    }
    gsl_rng_free(generator);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("timestepping/series");
    TCase *unit = tcase_create("unit");
    tcase_add_test(unit, largest_difference_pairs_rows_from_the_first_ones);
    tcase_add_test(unit, largest_difference_of_no_rows_is_zero_and_nan_does_not_count);
    suite_add_tcase(suite, unit);
    TCase *property = tcase_create("property");
    tcase_add_test(property, largest_difference_is_the_magnitude_of_the_difference);
    suite_add_tcase(suite, property);
    return run_suite(suite);
}
