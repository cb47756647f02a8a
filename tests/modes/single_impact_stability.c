/* carom/modes: periods at which motions with one impact are neutrally stable. */
#include <carom/modes/internal.h>

#include "single_impact_subject.h"

#include "../failing_malloc.h"

#include <math.h>

static carom_period_intervals *intervals_of(const subject *s, double max_period) {
    carom_period_intervals *found;
    assert_ok(carom_single_impact_intervals(s->basis, max_period, 200, NULL, NULL, &found, NULL));
    return found;
}

static carom_period_stability *
stability_of(const subject *s, const carom_period_intervals *intervals, int samples, int threads) {
    carom_period_stability *found;
    assert_ok(carom_single_impact_stability(s->basis, intervals, samples, THREADS(threads), &found,
                                            NULL));
    return found;
}

/** Two masses that face an obstacle. */
static subject two_masses(void) {
    const double mass[] = {1.385, 0.731};
    const double stiffness[] = {2.117, 3.643};
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(2, mass, stiffness, 0.893, &system, NULL));
    return complete_subject(system);
}

/** Sum of the two multipliers of two masses that are not trivial: trace of the monodromy matrix
 * less the trivial 1, 1. */
static double multiplier_sum(const subject *s, carom_stability *stability, double period) {
    double Phi[16];
    assert_ok(carom_single_impact_orbit(s->basis, period, s->orbit));
    assert_ok(carom_stability_monodromy(stability, s->orbit, Phi));
    return Phi[0] + Phi[5] + Phi[10] + Phi[15] - 2.0;
}

TEST(property, windows_of_two_masses_are_where_the_trace_says) {
    // Multipliers mu, 1/mu lie on the unit circle where |mu + 1/mu| <= 2.
    subject s = two_masses();
    carom_stability *stability;
    assert_ok(carom_stability_alloc(s.basis, &stability));
    carom_period_intervals *intervals = intervals_of(&s, 25.0);
    carom_period_stability *found = stability_of(&s, intervals, 400, 1);
    ck_assert(found->count > 0);
    ck_assert(found->unstable_part > 0.0 && found->unstable_part < 1.0);
    assert_close(found->smallest_radius, 1.0, 0.0, CAROM_STABILITY_TOLERANCE);
    int inner_ends = 0;
    for (int i = 0; i < found->count; i++) {
        const carom_neutral_window *one = &found->windows[i];
        ck_assert(one->lower < one->upper);
        ck_assert(i == 0 || found->windows[i - 1].upper < one->lower);
        for (int part = 1; part < 50; part++) {
            const double period = one->lower + (one->upper - one->lower) * part / 50.0;
            ck_assert(fabs(multiplier_sum(&s, stability, period)) <= 2.0 + 1e-9);
        }
        for (int end = 0; end < 2; end++) {
            const double period = end == 0 ? one->lower : one->upper;
            bool is_end_of_interval = false;
            for (int j = 0; j < intervals->count; j++) {
                const carom_period_interval *all = &intervals->intervals[j];
                is_end_of_interval |= fabs(period - all->lower) <= 0.0;
                is_end_of_interval |= fabs(period - all->upper) <= 0.0;
            }
            if (!is_end_of_interval) {
                // mu + 1/mu is 2 to the square of the tolerance to which a radius is 1; the trace
                // is a sum of terms that grow with the steepness of the motion.
                assert_close(fabs(multiplier_sum(&s, stability, period)), 2.0, 1e-9, 0.0);
                inner_ends++;
            }
        }
    }
    ck_assert(inner_ends > 0);
    // The unstable part, from the middles of 400 parts of each interval.
    int unstable = 0;
    for (int i = 0; i < 400 * intervals->count; i++) {
        const carom_period_interval *all = &intervals->intervals[i / 400];
        const double part = (i % 400 + 0.5) / 400.0;
        const double period = all->lower + (all->upper - all->lower) * part;
        unstable += fabs(multiplier_sum(&s, stability, period)) > 2.0 + 1e-9 ? 1 : 0;
    }
    assert_close(found->unstable_part, unstable / (400.0 * intervals->count), 1e-15, 0.0);
    carom_period_stability_free(found);
    carom_period_intervals_free(intervals);
    carom_stability_free(stability);
    free_subject(&s);
}

TEST(property, threads_and_more_samples_change_no_end) {
    subject s = two_masses();
    carom_period_intervals *intervals = intervals_of(&s, 12.0);
    carom_period_stability *one = stability_of(&s, intervals, 240, 1);
    carom_period_stability *four = stability_of(&s, intervals, 240, 4);
    carom_period_stability *more = stability_of(&s, intervals, 720, 2);
    ck_assert_int_eq(one->count, four->count);
    ck_assert_int_eq(one->count, more->count);
    for (int i = 0; i < one->count; i++) {
        assert_close(four->windows[i].lower, one->windows[i].lower, 0.0, 0.0);
        assert_close(four->windows[i].upper, one->windows[i].upper, 0.0, 0.0);
        // A radius leaves 1 as the root of the distance: 1e-7 of it is 1e-14 of the period.
        assert_close(more->windows[i].lower, one->windows[i].lower, 1e-12, 0.0);
        assert_close(more->windows[i].upper, one->windows[i].upper, 1e-12, 0.0);
    }
    assert_close(four->unstable_part, one->unstable_part, 0.0, 0.0);
    carom_period_stability_free(one);
    carom_period_stability_free(four);
    carom_period_stability_free(more);
    carom_period_intervals_free(intervals);
    free_subject(&s);
}

TEST(unit, one_mass_has_no_multipliers_to_judge) {
    subject s = one_mass(2.385, 0.731);
    carom_period_intervals *intervals = intervals_of(&s, 8.0);
    carom_period_stability *found = stability_of(&s, intervals, 30, 1);
    ck_assert(intervals->count > 0);
    ck_assert_int_eq(found->count, 0);
    ck_assert(isnan(found->smallest_radius) && isnan(found->unstable_part));
    carom_period_stability_free(found);
    carom_period_intervals_free(intervals);
    free_subject(&s);
}

TEST(errors, samples_are_checked) {
    subject s = two_masses();
    carom_period_intervals *intervals = intervals_of(&s, 4.0);
    carom_report report = carom_report_empty();
    carom_period_stability *found;
    assert_status(carom_single_impact_stability(s.basis, intervals, 0, THREADS(1), &found, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "samples");
    ck_assert_ptr_null(found);
    carom_period_stability_free(NULL);
    carom_period_intervals_free(intervals);
    free_subject(&s);
}

TEST(errors, allocations_that_fail_are_reported) {
    subject s = two_masses();
    carom_period_intervals *intervals = intervals_of(&s, 4.0);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        carom_period_stability *found;
        successes_left = k;
        status = carom_single_impact_stability(s.basis, intervals, 30, THREADS(1), &found, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || found == NULL);
        carom_period_stability_free(found);
    }
    assert_ok(status);
    carom_period_intervals_free(intervals);
    free_subject(&s);
}
