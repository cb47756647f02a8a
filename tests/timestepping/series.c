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

TEST(unit, extremes_and_mean_are_those_of_the_rows_asked_for) {
    const carom_series first = {example, EXAMPLE_COLUMNS, 0, 0, EXAMPLE_ROWS};
    assert_close(carom_series_minimum(first), -4.5, 0.0, 0.0);
    assert_close(carom_series_maximum(first), 3.75, 0.0, 0.0);
    // 2.5 - 1.25 + 3.75 - 4.5 + 1.125 + 0.25 = 1.875
    assert_close(carom_series_mean(first), 1.875 / 8.0, 0.0, 0.0);
    const carom_series inner = {example, EXAMPLE_COLUMNS, 1, 1, 6}; // 0, 7.375, -2.25, 1, 3.5
    assert_close(carom_series_minimum(inner), -2.25, 0.0, 0.0);
    assert_close(carom_series_maximum(inner), 7.375, 0.0, 0.0);
    assert_close(carom_series_mean(inner), 9.625 / 5.0, 1e-16, 0.0);
}

TEST(unit, extremes_and_mean_of_no_rows_are_the_documented_ones) {
    for (int row = 0; row <= EXAMPLE_ROWS; row++) {
        const carom_series none = {example, EXAMPLE_COLUMNS, 1, row, row};
        ck_assert_double_nan(carom_series_minimum(none));
        ck_assert_double_nan(carom_series_maximum(none));
        ck_assert_double_nan(carom_series_mean(none));
    }
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
        // a shift rounds every value once: 23 halves of the last digit of 11.75
        assert_close(carom_series_mean(z), carom_series_mean(x) + 8.25, 0.0, 1e-13);
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
