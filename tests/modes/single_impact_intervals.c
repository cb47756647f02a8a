/* carom/modes: all admissible periods of motions with one impact, and the names of ends. */
#include "single_impact_subject.h"

#include "../failing_malloc.h"

#include <math.h>

#define SEED 20170918UL

/** Periods of the specification's tables: 12 decimals are printed; what is asked for is 1e-9. */
static const double PERIOD_TOLERANCE = 1e-11;

static carom_period_intervals *intervals_of(const subject *s, double max_period, int samples) {
    carom_period_intervals *found;
    assert_ok(
        carom_single_impact_intervals(s->basis, max_period, samples, NULL, NULL, &found, NULL));
    return found;
}

/** An expected interval. */
typedef struct expected_interval {
    double lower;
    double upper;
    carom_branch_end lower_end;
    double grazing_fraction; /* of T; NaN if the lower end is none */
} expected_interval;

static void assert_intervals(const carom_period_intervals *found, int count,
                             const expected_interval *expected, carom_branch_end upper_end,
                             double tolerance) {
    ck_assert_int_eq(found->count, count);
    for (int i = 0; i < count; i++) {
        const carom_period_interval *interval = &found->intervals[i];
        assert_close(interval->lower, expected[i].lower, 0.0, tolerance);
        assert_close(interval->upper, expected[i].upper, 0.0, tolerance);
        ck_assert_str_eq(carom_branch_end_name(interval->lower_end),
                         carom_branch_end_name(expected[i].lower_end));
        ck_assert_str_eq(carom_branch_end_name(interval->upper_end),
                         carom_branch_end_name(upper_end));
        ck_assert(isnan(interval->upper_grazing_time));
        if (isnan(expected[i].grazing_fraction)) {
            ck_assert(isnan(interval->lower_grazing_time));
        } else {
            // printed to 7 decimals
            assert_close(interval->lower_grazing_time / interval->lower,
                         expected[i].grazing_fraction, 0.0, 1e-7);
        }
    }
}

/** Specification 5.2 [C], d = 1, all T < 8, by rising period. */
#define INF CAROM_BRANCH_END_INFINITE_SPEED
#define GRAZE CAROM_BRANCH_END_NEW_CONTACT
static const expected_interval CHAIN_INTERVALS[] = {
    {0.653492721951, 0.654844327156, INF, NAN},
    {0.739458874176, 0.746883675607, INF, NAN},
    {0.928250637931, 0.959468934612, INF, NAN},
    {1.295675618606, 1.309688654313, INF, NAN},
    {1.339497835007, 1.493767351213, INF, NAN},
    {1.497449919825, 1.512508000560, GRAZE, 0.1100531},
    {1.853114563879, 1.918937869225, INF, NAN},
    {2.179519212917, 2.240651026820, INF, NAN},
    {2.339291364548, 2.619377308626, INF, NAN},
    {2.623535070284, 2.878406803837, GRAZE, 0.1009461},
    {2.924405445340, 2.987534702426, GRAZE, 0.5},
    {2.994371513977, 3.025016001119, GRAZE, 0.0678993},
    {3.254691243145, 3.274221635782, GRAZE, 0.1970162},
    {3.285100519929, 3.734418378033, GRAZE, 0.1227168},
    {3.748044460919, 3.837875738449, GRAZE, 0.0780829},
    {3.891545039138, 3.929065962939, GRAZE, 0.1079511},
    {3.937830767579, 4.414989598705, GRAZE, 0.0782717},
    {7.198637051673, 7.203287598721, GRAZE, 0.4540596},
    {7.378880570169, 7.468836756066, GRAZE, 0.4011450},
    {7.485408857269, 7.562540002798, GRAZE, 0.4313687},
};
enum { CHAIN_COUNT = sizeof CHAIN_INTERVALS / sizeof CHAIN_INTERVALS[0] };

TEST(unit, all_admissible_periods_of_the_paper_s_chain_are_found) {
    subject s = chain(1.0);
    carom_period_intervals *found = intervals_of(&s, 8.0, 400);
    assert_intervals(found, CHAIN_COUNT, CHAIN_INTERVALS, CAROM_BRANCH_END_HARMONIC,
                     PERIOD_TOLERANCE);
    carom_period_intervals_free(found);
    free_subject(&s);
}

TEST(unit, all_admissible_periods_of_the_prestressed_chain_are_found) {
    // Specification 5.2 [C], d = -1: 10 decimals for the grazes, 9 for the roots; no fractions.
    const double lower[] = {0.0,          0.6599250582, 0.7723814518, 1.0481472492,
                            1.3137385524, 1.8356471383, 2.0425817172, 2.2713165195};
    const double upper[] = {0.653492722, 0.739458874, 0.928250638, 1.295675619,
                            1.339497835, 1.853114564, 2.179519213, 2.339291365};
    subject s = chain(-1.0);
    carom_period_intervals *found = intervals_of(&s, 8.0, 400);
    ck_assert_int_eq(found->count, 8);
    for (int i = 0; i < 8; i++) {
        const carom_period_interval *interval = &found->intervals[i];
        assert_close(interval->lower, lower[i], 0.0, 1e-10);
        assert_close(interval->upper, upper[i], 0.0, 1e-9);
        ck_assert_int_eq(interval->lower_end, i == 0 ? CAROM_BRANCH_END_SHORT_PERIOD : GRAZE);
        ck_assert_int_eq(interval->upper_end, INF);
    }
    carom_period_intervals_free(found);
    free_subject(&s);
}

TEST(unit, admissible_periods_get_rare_as_the_period_grows) {
    // Specification 5.2 [C]: total length in windows of length T_1, two decimals. (S11)
    const double expected[] = {2.05, 0.35, 0.12, 0.05, 0.26, 0.13};
    const double window = 4.414989598705;
    subject s = chain(1.0);
    carom_period_intervals *found = intervals_of(&s, 6.0 * window, 40);
    for (int j = 0; j < 6; j++) {
        double length = 0.0;
        for (int i = 0; i < found->count; i++) {
            const double lower = fmax(found->intervals[i].lower, j * window);
            const double upper = fmin(found->intervals[i].upper, (j + 1) * window);
            length += fmax(0.0, upper - lower);
        }
        assert_close(length, expected[j], 0.0, 0.005);
    }
    carom_period_intervals_free(found);
    free_subject(&s);
}

TEST(unit, windows_narrower_than_the_spacing_of_samples_are_found) {
    subject s = chain(1.0);
    carom_period_intervals *found = intervals_of(&s, 8.0, 8);
    assert_intervals(found, CHAIN_COUNT, CHAIN_INTERVALS, CAROM_BRANCH_END_HARMONIC,
                     PERIOD_TOLERANCE);
    // One window at least is so narrow that eight even samples would miss it.
    double narrowest = 1.0;
    double lower = 0.0;
    for (int i = 0; i < found->count;) {
        const double upper = carom_harmonic_above(s.basis, lower).period;
        const carom_period_interval *interval = &found->intervals[i];
        if (interval->upper <= upper) {
            double root = NAN;
            assert_ok(carom_single_impact_root(s.basis, lower, upper, &root));
            narrowest = fmin(narrowest, (interval->upper - interval->lower) / (upper - root));
            i++;
        }
        lower = upper;
    }
    ck_assert_msg(narrowest < 1.0 / 9.0, "the narrowest window takes %.3g", narrowest);
    carom_period_intervals_free(found);
    free_subject(&s);
}

TEST(unit, a_largest_period_cuts_the_last_interval) {
    subject s = chain(1.0);
    carom_period_intervals *found = intervals_of(&s, 4.0, 20);
    const carom_period_interval *last = &found->intervals[found->count - 1];
    assert_close(last->lower, 3.937830767579, 0.0, PERIOD_TOLERANCE);
    assert_close(last->upper, 4.0, 0.0, 0.0);
    ck_assert_int_eq(last->upper_end, CAROM_BRANCH_END_LIMIT);
    ck_assert_int_eq(found->count, 17);
    carom_period_intervals_free(found);
    // within a half interval, but below its admissible part; and below all
    found = intervals_of(&s, 3.936, 20);
    ck_assert_int_eq(found->count, 16);
    ck_assert_int_eq(found->intervals[15].upper_end, CAROM_BRANCH_END_HARMONIC);
    carom_period_intervals_free(found);
    found = intervals_of(&s, 0.6, 20);
    ck_assert_int_eq(found->count, 0);
    carom_period_intervals_free(found);
    free_subject(&s);
}

TEST(unit, one_mass_bounces_between_half_and_full_period) {
    // Roots (p - 1/2) T_1; from the second harmonic on the mass would pass through the obstacle,
    // for it turns at the amplitude g_0/|cos(w T/2)|.
    const double w = 2.385;
    const double T_1 = 2.0 * acos(-1.0) / w;
    for (int sign = -1; sign <= 1; sign += 2) {
        subject s = one_mass(w, sign * 0.731);
        const expected_interval above = {0.5 * T_1, T_1, INF, NAN};
        const expected_interval below = {0.0, 0.5 * T_1, CAROM_BRANCH_END_SHORT_PERIOD, NAN};
        carom_period_intervals *found = intervals_of(&s, 7.3 * T_1, 50);
        if (sign > 0) {
            assert_intervals(found, 1, &above, CAROM_BRANCH_END_HARMONIC, 1e-14);
        } else {
            assert_intervals(found, 1, &below, INF, 1e-14);
        }
        carom_period_intervals_free(found);
        free_subject(&s);
    }
}

TEST(unit, every_end_has_a_name_and_a_sentence) {
    ck_assert_str_eq(carom_branch_end_name(CAROM_BRANCH_END_NEW_CONTACT), "new_contact");
    ck_assert_str_eq(carom_branch_end_name(CAROM_BRANCH_END_HARMONIC), "harmonic");
    for (int end = CAROM_BRANCH_END_HARMONIC; end <= CAROM_BRANCH_END_FAILED; end++) {
        const char *name = carom_branch_end_name((carom_branch_end)end);
        ck_assert_str_ne(name, "unknown");
        ck_assert_str_ne(carom_branch_end_sentence((carom_branch_end)end), "unknown end");
        for (int other = 0; other < end; other++) {
            ck_assert_str_ne(name, carom_branch_end_name((carom_branch_end)other));
        }
    }
    const carom_branch_end outside = (carom_branch_end)(CAROM_BRANCH_END_FAILED + 1);
    ck_assert_str_eq(carom_branch_end_name(outside), "unknown");
    ck_assert_str_eq(carom_branch_end_sentence(outside), "unknown end");
}

TEST(property, the_distance_from_the_obstacle_grows_with_the_period) {
    // Why a half interval holds one interval: Gamma_T(s) - Gamma_T(T) rises at fixed s.
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, 1.3);
        const double lower = carom_harmonic_above(s.basis, uniform(generator, 0.0, 20.0)).period;
        const double upper = carom_harmonic_above(s.basis, lower).period;
        const double argument = uniform(generator, -lower, lower);
        double last = -INFINITY;
        for (int i = 1; i < 40; i++) {
            const double T = lower + i / 40.0 * (upper - lower);
            const double distance = carom_kernels_evaluate(s.basis, T, argument).gap -
                                    carom_kernels_evaluate(s.basis, T, T).gap;
            ck_assert(distance > last);
            last = distance;
        }
        free_subject(&s);
    }
    gsl_rng_free(generator);
}

/** Where a period lies; so close to an end that rounding decides, either verdict is right. */
typedef enum membership { OUTSIDE, INSIDE, AT_AN_END } membership;

static membership membership_of(const carom_period_intervals *found, double period) {
    for (int i = 0; i < found->count; i++) {
        const carom_period_interval *interval = &found->intervals[i];
        if (fabs(period - interval->lower) < 1e-8 || fabs(period - interval->upper) < 1e-8) {
            return AT_AN_END;
        }
        if (period > interval->lower && period < interval->upper) {
            return INSIDE;
        }
    }
    return OUTSIDE;
}

/** Every period drawn, in all half intervals: certified if and only if it is inside. */
static int compare_with_certificates(gsl_rng *generator, subject *s, double max_period,
                                     int per_interval) {
    carom_period_intervals *found = intervals_of(s, max_period, 16);
    int inside_count = 0;
    double lower = 0.0;
    while (lower < max_period) {
        const double upper = carom_harmonic_above(s->basis, lower).period;
        for (int i = 0; i < per_interval; i++) {
            const double T = uniform(generator, lower, upper);
            const membership expected = membership_of(found, T);
            if (T >= max_period || expected == AT_AN_END ||
                carom_single_impact_orbit(s->basis, T, s->orbit) != CAROM_OK) {
                continue;
            }
            const carom_admissibility verdict = carom_orbit_certify(
                s->basis, s->motion, s->orbit, s->state, CAROM_ADMISSIBILITY_TOLERANCE);
            ck_assert_msg(verdict.is_admissible == (expected == INSIDE),
                          "T = %.17g, penetration %.3g, lambda %.3g, inside %d", T,
                          verdict.largest_gap_violation, verdict.smallest_lambda,
                          expected == INSIDE);
            inside_count += expected == INSIDE;
        }
        lower = upper;
    }
    carom_period_intervals_free(found);
    return inside_count;
}

TEST(property, periods_are_certified_inside_the_intervals_and_nowhere_else) {
    gsl_rng *generator = seeded_generator(SEED + 6);
    for (int sign = -1; sign <= 1; sign += 2) {
        subject s = chain(sign);
        ck_assert_int_gt(compare_with_certificates(generator, &s, 20.0, 30), 100);
        free_subject(&s);
    }
    int inside_count = 0;
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, round % 2 == 0 ? 1.3 : -0.6);
        inside_count += compare_with_certificates(generator, &s, 25.0, 10);
        free_subject(&s);
    }
    ck_assert_int_gt(inside_count, 500);
    gsl_rng_free(generator);
}

TEST(property, grazing_ends_touch_with_zero_velocity) {
    // Gamma_T(2 tau - T) = Gamma_T(T), Upsilon_T(2 tau - T) = 0, and tau in (0, T/2]
    gsl_rng *generator = seeded_generator(SEED + 7);
    int graze_count = 0;
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, round % 2 == 0 ? 1.3 : -0.6);
        carom_period_intervals *found = intervals_of(&s, 25.0, 16);
        for (int i = 0; i < found->count; i++) {
            const carom_period_interval *interval = &found->intervals[i];
            if (interval->lower_end != GRAZE) {
                continue;
            }
            const double T = interval->lower;
            const double tau = interval->lower_grazing_time;
            ck_assert(tau > 0.0 && tau <= 0.5 * T);
            const carom_kernels touch = carom_kernels_evaluate(s.basis, T, 2.0 * tau - T);
            const carom_kernels impact = carom_kernels_evaluate(s.basis, T, T);
            // in the unit that rounding of T and tau has, through the derivatives
            const double unit = 1e-14 * T;
            assert_close(
                touch.velocity, 0.0, 0.0,
                unit * (fabs(touch.velocity_by_argument) + fabs(touch.velocity_by_period) + 10.0));
            assert_close(touch.gap, impact.gap, 0.0,
                         unit * (fabs(touch.gap_by_period) + fabs(impact.gap_by_period) + 10.0));
            // a maximum: x_c'' < 0 is d Upsilon/d s < 0
            ck_assert(touch.velocity_by_argument < 0.0);
            graze_count++;
        }
        carom_period_intervals_free(found);
        free_subject(&s);
    }
    ck_assert_int_gt(graze_count, 30);
    gsl_rng_free(generator);
}

TEST(property, where_prestress_bounces_all_periods_up_to_the_harmonic_are_open_without) {
    // Both signs of the gap share the unit motion: where it is admissible below a root, with a gap
    // < 0, it is so up to the next harmonic, with a gap > 0.
    gsl_rng *generator = seeded_generator(SEED + 8);
    int pair_count = 0;
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, -1.3);
        carom_period_intervals *below = intervals_of(&s, 25.0, 16);
        s.basis->gap_at_rest = 0.8;
        carom_period_intervals *above = intervals_of(&s, 25.0, 16);
        int matched = 0;
        for (int i = 0; i < below->count; i++) {
            const carom_period_interval *interval = &below->intervals[i];
            for (int j = 0; j < above->count && interval->upper_end == INF; j++) {
                // the same root, from the same computation
                matched += above->intervals[j].lower_end == INF &&
                           fabs(above->intervals[j].lower - interval->upper) < 1e-14;
            }
            pair_count += interval->upper_end == INF;
        }
        int unlimited = 0;
        for (int j = 0; j < above->count; j++) {
            unlimited += above->intervals[j].lower_end == INF;
        }
        ck_assert_int_eq(matched, unlimited);
        carom_period_intervals_free(above);
        carom_period_intervals_free(below);
        free_subject(&s);
    }
    ck_assert_int_gt(pair_count, 60);
    gsl_rng_free(generator);
}

TEST(errors, a_search_that_makes_no_sense_is_refused) {
    subject s = chain(1.0);
    carom_period_intervals *found = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_single_impact_intervals(s.basis, -8.0, 40, NULL, NULL, &found, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "period");
    assert_close(report.value, -8.0, 0.0, 0.0);
    ck_assert_ptr_null(found);
    assert_status(carom_single_impact_intervals(s.basis, NAN, 40, NULL, NULL, &found, NULL),
                  OUT_OF_RANGE);
    assert_status(carom_single_impact_intervals(s.basis, 8.0, 7, NULL, NULL, &found, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "samples");
    s.basis->gap_at_rest = 0.0;
    assert_status(carom_single_impact_intervals(s.basis, 8.0, 40, NULL, NULL, &found, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "gap at rest");
    carom_period_intervals_free(NULL);
    free_subject(&s);
}

TEST(errors, whichever_allocation_fails_the_status_says_so) {
    subject s = chain(1.0);
    carom_period_intervals *found = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_single_impact_intervals(s.basis, 8.0, 8, NULL, NULL, &found, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(found);
        }
    }
    // workspace, state, list and its entries
    ck_assert_int_ge(granted, 4);
    ck_assert_int_eq(found->count, CHAIN_COUNT);
    carom_period_intervals_free(found);
    free_subject(&s);
}

TEST(unit, parts_of_a_window_are_those_of_its_intervals) {
    carom_period_interval list[] = {{.lower = 1.0, .upper = 2.0}, {.lower = 3.0, .upper = 5.0}};
    const carom_period_intervals all = {2, list};
    assert_close(carom_period_intervals_part(&all, 0.0, 4.0), 0.5, 0.0, 0.0);
    assert_close(carom_period_intervals_part(&all, 1.5, 1.75), 1.0, 0.0, 0.0);
    assert_close(carom_period_intervals_part(&all, 2.25, 2.75), 0.0, 0.0, 0.0);
    assert_close(carom_period_intervals_part(&all, 0.0, 8.0), 0.375, 0.0, 0.0);
}
