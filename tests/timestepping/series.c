/** Questions to recorded series, against columns whose answers are known by construction. */
#include "../support.h"

#include <carom/timestepping/trajectory.h>

TEST(unit, whole_series_has_every_row_of_its_column_only) {
    double values[3 * 2] = {2.385, -7.5, 0.625, 8.25, -1.75, 9.125};
    const carom_trajectory trajectory = {.row_count = 3, .velocity = values};
    const carom_series first = carom_series_whole(&trajectory, trajectory.velocity, 2, 0);
    const carom_series second = carom_series_whole(&trajectory, trajectory.velocity, 2, 1);
    // each extreme stands in the first or the last row: none may be missing, none of the other
    // column may count
    assert_close(carom_series_maximum(first), 2.385, 0.0, 0.0);
    assert_close(carom_series_minimum(first), -1.75, 0.0, 0.0);
    assert_close(carom_series_maximum(second), 9.125, 0.0, 0.0);
    assert_close(carom_series_minimum(second), -7.5, 0.0, 0.0);
}

TEST(unit, largest_difference_pairs_rows_from_the_first_ones) {
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

TEST(unit, largest_difference_of_no_rows_is_zero_and_nan_does_not_count) {
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

TEST(property, largest_difference_is_the_magnitude_of_the_difference) {
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

/** Two contacts over six rows. */
static carom_trajectory pressed_run(double impulse[12], double force[12]) {
    return (carom_trajectory){
        .row_count = 6, .contact_count = 2, .contact_impulse = impulse, .contact_force = force};
}

TEST(unit, contact_is_pressed_by_impulse_or_force_of_its_own) {
    double impulse[12] = {0.0, 0.0, 2.385, 0.0, 0.0, 0.0, 1e-300, 0.0, 0.0, 0.75, 0.0, 0.0};
    double force[12] = {0.0, 0.0, 0.0, 0.0, 0.0, 4.125, 3.5, 0.0, -1.0, 0.0, 0.0, (double)NAN};
    const carom_trajectory run = pressed_run(impulse, force);
    static const bool expected[12] = {false, false, true,  false, false, true,
                                      true,  false, false, true,  false, false};
    for (int k = 0; k < 12; k++) {
        ck_assert_int_eq(carom_trajectory_is_pressed(&run, k % 2, k / 2), expected[k]);
    }
}

TEST(unit, impacts_are_the_first_rows_of_spells_of_pressing) {
    double impulse[12] = {0.0, 0.0, 2.385, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.75, 0.5, 0.0};
    double force[12] = {0.0, 0.0, 0.0, 0.0, 0.0, 4.125, 3.5, 0.0, 0.0, 0.0, 0.0, 1.5};
    const carom_trajectory run = pressed_run(impulse, force);
    int rows[3];
    // contact 0 presses in rows 1, 2, 3 and 5; contact 1 in rows 2, 4 and 5
    ck_assert_int_eq(carom_trajectory_impacts(&run, 0, 3, rows), 2);
    ck_assert_int_eq(rows[0], 1);
    ck_assert_int_eq(rows[1], 5);
    ck_assert_int_eq(carom_trajectory_impacts(&run, 1, 3, rows), 2);
    ck_assert_int_eq(rows[0], 2);
    ck_assert_int_eq(rows[1], 4);
    ck_assert_int_eq(carom_trajectory_impacts(&run, 0, 1, rows), 1);
}

enum { EXAMPLE_ROWS = 8, EXAMPLE_COLUMNS = 2 };

/** Quarters and eighths, so that sums and differences are exact. */
static const double example[EXAMPLE_ROWS * EXAMPLE_COLUMNS] = {
    2.5, -0.125, -1.25, 0.0, 0.0, 7.375, 3.75, -2.25, -4.5, 1.0, 0.0, 3.5, 1.125, -6.5, 0.25, 0.5};

/** A run of eight rows, h = 0.03 s, from t = 0.6 s. */
static carom_trajectory timed_run(double time[EXAMPLE_ROWS]) {
    for (int row = 0; row < EXAMPLE_ROWS; row++) {
        time[row] = 0.6 + 0.03 * row;
    }
    return (carom_trajectory){.row_count = EXAMPLE_ROWS, .step = 0.03, .time = time};
}

static void check_window(double from, double to, int first, int end) {
    double time[EXAMPLE_ROWS];
    const carom_trajectory run = timed_run(time);
    const carom_series series = carom_series_window(&run, example, EXAMPLE_COLUMNS, 1, from, to);
    ck_assert_ptr_eq(series.values, example);
    ck_assert_int_eq(series.columns, EXAMPLE_COLUMNS);
    ck_assert_int_eq(series.column, 1);
    if (first == end) {
        ck_assert_int_eq(series.first, series.end);
        return;
    }
    ck_assert_msg(series.first == first && series.end == end,
                  "from %g s to %g s: rows %d to %d, not %d to %d", from, to, series.first,
                  series.end - 1, first, end - 1);
}

TEST(unit, windows_hold_both_ends) {
    check_window(0.6, 0.81, 0, 8);
    check_window(0.63, 0.72, 1, 5);
    check_window(0.64, 0.71, 2, 4);
    check_window(0.66, 0.66, 2, 3);
    // up to a thousandth of a step, 3e-5 s
    check_window(0.63 + 2.9e-5, 0.72 - 2.9e-5, 1, 5);
    check_window(0.63 + 3.1e-5, 0.72 - 3.1e-5, 2, 4);
}

TEST(unit, windows_end_with_the_run_and_may_be_empty) {
    check_window(-3.0, 77.0, 0, 8);
    check_window(-HUGE_VAL, HUGE_VAL, 0, 8);
    check_window(0.75, 9.0, 5, 8);
    check_window(0.0, 0.61, 0, 1);
    check_window(0.64, 0.65, 0, 0);
    check_window(0.9, 1.0, 0, 0);
    check_window(0.1, 0.2, 0, 0);
    check_window(0.72, 0.63, 0, 0);
}

TEST(unit, the_row_of_a_time_is_the_nearest_one_of_the_run) {
    double time[EXAMPLE_ROWS];
    const carom_trajectory run = timed_run(time);
    for (int row = 0; row < EXAMPLE_ROWS; row++) {
        ck_assert_int_eq(carom_trajectory_row(&run, time[row]), row);
        ck_assert_int_eq(carom_trajectory_row(&run, time[row] + 0.0149), row);
        ck_assert_int_eq(carom_trajectory_row(&run, time[row] - 0.0149), row);
    }
    ck_assert_int_eq(carom_trajectory_row(&run, 0.0), 0);
    ck_assert_int_eq(carom_trajectory_row(&run, -HUGE_VAL), 0);
    ck_assert_int_eq(carom_trajectory_row(&run, 0.85), EXAMPLE_ROWS - 1);
    ck_assert_int_eq(carom_trajectory_row(&run, 1e300), EXAMPLE_ROWS - 1);
    ck_assert_int_eq(carom_trajectory_row(&run, HUGE_VAL), EXAMPLE_ROWS - 1);
}

TEST(unit, values_are_read_at_absolute_rows) {
    const carom_series series = {example, EXAMPLE_COLUMNS, 1, 3, 6};
    assert_close(carom_series_at(series, 0), -0.125, 0.0, 0.0);
    assert_close(carom_series_at(series, 3), -2.25, 0.0, 0.0);
    assert_close(carom_series_at(series, 7), 0.5, 0.0, 0.0);
}

TEST(unit, extremes_and_mean_are_those_of_the_rows_asked_for) {
    const carom_series first = {example, EXAMPLE_COLUMNS, 0, 0, EXAMPLE_ROWS};
    assert_close(carom_series_minimum(first), -4.5, 0.0, 0.0);
    assert_close(carom_series_maximum(first), 3.75, 0.0, 0.0);
    assert_close(carom_series_magnitude(first), 4.5, 0.0, 0.0);
    // 2.5 - 1.25 + 3.75 - 4.5 + 1.125 + 0.25 = 1.875
    assert_close(carom_series_mean(first), 1.875 / 8.0, 0.0, 0.0);
    const carom_series inner = {example, EXAMPLE_COLUMNS, 1, 1, 6}; // 0, 7.375, -2.25, 1, 3.5
    assert_close(carom_series_minimum(inner), -2.25, 0.0, 0.0);
    assert_close(carom_series_maximum(inner), 7.375, 0.0, 0.0);
    assert_close(carom_series_magnitude(inner), 7.375, 0.0, 0.0);
    assert_close(carom_series_mean(inner), 9.625 / 5.0, 1e-16, 0.0);
}

TEST(unit, extremes_and_mean_of_no_rows_are_the_documented_ones) {
    for (int row = 0; row <= EXAMPLE_ROWS; row++) {
        const carom_series none = {example, EXAMPLE_COLUMNS, 1, row, row};
        ck_assert_double_nan(carom_series_minimum(none));
        ck_assert_double_nan(carom_series_maximum(none));
        assert_close(carom_series_magnitude(none), 0.0, 0.0, 0.0);
        ck_assert_double_nan(carom_series_mean(none));
        ck_assert_int_eq(carom_series_sign_changes(none), 0);
    }
}

TEST(unit, the_largest_increase_is_between_neighbours_and_may_be_negative) {
    const carom_series series = {example, EXAMPLE_COLUMNS, 1, 0, EXAMPLE_ROWS};
    assert_close(carom_series_largest_increase(series), 7.375, 0.0, 0.0);
    const carom_series later = {example, EXAMPLE_COLUMNS, 1, 2, 6}; // 7.375, -2.25, 1, 3.5
    assert_close(carom_series_largest_increase(later), 3.25, 0.0, 0.0);
    const carom_series falling = {example, EXAMPLE_COLUMNS, 0, 3, 5}; // 3.75, -4.5
    assert_close(carom_series_largest_increase(falling), -8.25, 0.0, 0.0);
    for (int rows = 0; rows < 2; rows++) {
        const carom_series few = {example, EXAMPLE_COLUMNS, 1, 2, 2 + rows};
        ck_assert_double_nan(carom_series_largest_increase(few));
    }
}

TEST(unit, signs_change_across_zeros_but_not_at_them) {
    const carom_series first = {example, EXAMPLE_COLUMNS, 0, 0, EXAMPLE_ROWS};
    ck_assert_int_eq(carom_series_sign_changes(first), 4); // + - 0 + - 0 + +
    const carom_series second = {example, EXAMPLE_COLUMNS, 1, 0, EXAMPLE_ROWS};
    ck_assert_int_eq(carom_series_sign_changes(second), 5); // - 0 + - + + - +
    const double touching[6] = {0.0, 1.5, 0.0, -0.0, 2.385, 0.0};
    const carom_series never = {touching, 1, 0, 0, 6};
    ck_assert_int_eq(carom_series_sign_changes(never), 0);
}

TEST(unit, the_last_row_above_a_threshold_gives_its_time) {
    double time[EXAMPLE_ROWS];
    const carom_trajectory run = timed_run(time);
    const carom_series series = {example, EXAMPLE_COLUMNS, 0, 0, EXAMPLE_ROWS};
    assert_close(carom_series_last_above(series, &run, 3.8), time[4], 0.0, 0.0); // -4.5
    assert_close(carom_series_last_above(series, &run, 1.0), time[6], 0.0, 0.0);
    assert_close(carom_series_last_above(series, &run, 0.0), time[7], 0.0, 0.0);
    // exceeds, not reaches; and only rows of the series count
    assert_close(carom_series_last_above(series, &run, 1.125), time[4], 0.0, 0.0);
    const carom_series early = {example, EXAMPLE_COLUMNS, 0, 1, 4};
    assert_close(carom_series_last_above(early, &run, 1.0), time[3], 0.0, 0.0);
    ck_assert_double_nan(carom_series_last_above(series, &run, 4.5));
    const carom_series none = {example, EXAMPLE_COLUMNS, 0, 4, 4};
    ck_assert_double_nan(carom_series_last_above(none, &run, 0.0));
}

TEST(unit, impacts_beyond_the_capacity_are_not_stored) {
    double impulse[12] = {0.0, 0.0, 2.385, 0.0, 0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.5, 0.0};
    double force[12] = {0.0};
    const carom_trajectory run = pressed_run(impulse, force);
    int rows[3] = {-7, -7, -7};
    ck_assert_int_eq(carom_trajectory_impacts(&run, 0, 0, rows), 0);
    ck_assert_int_eq(rows[0], -7);
    ck_assert_int_eq(carom_trajectory_impacts(&run, 0, 2, rows), 2);
    ck_assert_int_eq(rows[0], 1);
    ck_assert_int_eq(rows[1], 3);
    ck_assert_int_eq(rows[2], -7);
    ck_assert_int_eq(carom_trajectory_impacts(&run, 1, 3, rows), 0);
}

TEST(unit, the_smallest_gap_is_over_all_contacts_and_rows) {
    double gap[6 * 3] = {1.25,  0.75,  3.5,   2.385, (double)NAN, 0.5,  0.25, 0.125, 7.5,
                         -1e-9, 0.375, -2e-9, 1.125, 4.25,        0.25, 3.0,  1e-3,  2.0};
    carom_trajectory run = {.row_count = 6, .contact_count = 3, .gap = gap};
    assert_close(carom_trajectory_smallest_gap(&run), -2e-9, 0.0, 0.0);
    run.row_count = 3;
    assert_close(carom_trajectory_smallest_gap(&run), 0.125, 0.0, 0.0);
    run.contact_count = 0;
    ck_assert_double_nan(carom_trajectory_smallest_gap(&run));
}

TEST(unit, the_most_iterations_are_over_all_rows) {
    int iterations[6] = {0, 3, 17, 2, 23, 5};
    carom_trajectory run = {.row_count = 6, .newton_iterations = iterations};
    ck_assert_int_eq(carom_trajectory_most_iterations(&run), 23);
    run.row_count = 4;
    ck_assert_int_eq(carom_trajectory_most_iterations(&run), 17);
    run.row_count = 1;
    ck_assert_int_eq(carom_trajectory_most_iterations(&run), 0);
}

TEST(property, minimum_and_maximum_change_places_with_the_sign) {
    enum { ROWS = 23 };
    const unsigned long seed = 20143;
    gsl_rng *generator = seeded_generator(seed);
    for (int trial = 0; trial < 50; trial++) {
        double a[ROWS];
        double mirrored[ROWS];
        double shifted[ROWS];
        for (int k = 0; k < ROWS; k++) {
            a[k] = uniform(generator, -2.5, 3.5);
            mirrored[k] = -a[k];
            shifted[k] = a[k] + 8.25;
        }
        const int end = 2 + trial % (ROWS - 1);
        const carom_series x = {a, 1, 0, 0, end};
        const carom_series y = {mirrored, 1, 0, 0, end};
        const carom_series z = {shifted, 1, 0, 0, end};
        assert_close(carom_series_minimum(x), -carom_series_maximum(y), 0.0, 0.0);
        assert_close(carom_series_magnitude(x), carom_series_magnitude(y), 0.0, 0.0);
        assert_close(carom_series_magnitude(x),
                     fmax(carom_series_maximum(x), carom_series_maximum(y)), 0.0, 0.0);
        ck_assert_int_eq(carom_series_sign_changes(x), carom_series_sign_changes(y));
        ck_assert_int_eq(carom_series_sign_changes(z), 0); // all above zero
        // a shift rounds every value once: 23 halves of the last digit of 11.75
        assert_close(carom_series_mean(z), carom_series_mean(x) + 8.25, 0.0, 1e-13);
        assert_close(carom_series_largest_increase(z), carom_series_largest_increase(x), 0.0,
                     1e-14);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_total_is_over_all_rows) {
    int solved[4] = {3, 0, 2147483647, 5};
    const carom_trajectory run = {.row_count = 4, .problems = solved};
    ck_assert_int_eq(carom_trajectory_total(&run, run.problems), 2147483655L);
}

TEST(unit, contacts_are_pressed_by_what_the_run_has) {
    double pressure[4] = {0.0, 2.385, (double)NAN, -0.75};
    const carom_trajectory runs[] = {
        {.row_count = 4, .contact_count = 1, .contact_force = pressure},
        {.row_count = 4, .contact_count = 1, .normal_rate = pressure}};
    for (int k = 0; k < 8; k++) {
        ck_assert_int_eq(carom_trajectory_is_pressed(&runs[k / 4], 0, k % 4), k % 4 == 1);
    }
}
