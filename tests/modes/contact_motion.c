/*
 * carom/modes/modal_basis.h: closed forms for one mode and for a mode with its third harmonic,
 * and dense sampling with golden sections in extended precision for random flights.
 */
#include <carom/modes/internal.h>

#include "contact_reference.h"

#include "../failing_malloc.h"

#include <float.h>

static const double PI = 3.14159265358979323846;
static const unsigned long SEED = 20170816;

/* Roundings, per mode, of a value of x_c in units of X_0 and of its change in a rounding of t. */
static const double ROUNDINGS = 16.0;

/** What rounding makes of x_c at a time. */
static double rounding_of(const reference *r, double time) {
    return DBL_EPSILON * (ROUNDINGS * r->basis.visible_count * reference_size(r, 0) +
                          time * reference_size(r, 1));
}

/** One mode, x_c = A cos(w t - phase). */
static void single_mode(reference *r, double A, double w, double phase) {
    const double one = 1.0;
    reference_init(r, 1, &w, &one, 1.37, 0.0);
    const double p = A * cos(phase);
    const double q = A * sin(phase);
    reference_set(r, &p, &q);
}

/** x_c = A cos w t + B cos 3 w t + C sin w t. */
static void triple_mode(reference *r, double A, double B, double C, double w) {
    const double frequency[2] = {w, 3.0 * w};
    const double participation[2] = {0.83, 0.47};
    reference_init(r, 2, frequency, participation, 1.37, 0.0);
    const double p[2] = {A, B};
    const double q[2] = {C, 0.0};
    reference_set(r, p, q);
}

/** first_contact of a flight that starts anew. */
static bool ask_contact(const reference *r, double level, double start, double end, double *tau) {
    carom_contact_motion *motion = reference_motion(r);
    const bool exists = carom_contact_motion_first_contact(motion, level, start, end, tau);
    carom_contact_motion_free(motion);
    return exists;
}

/* ------------------------------------------------------------------------------------------ unit
 */

TEST(unit, values_are_those_of_the_rotating_modes) {
    reference r;
    gsl_rng *generator = seeded_generator(SEED);
    reference_random(&r, generator, 7, 0.0);
    carom_contact_motion *motion = reference_motion(&r);
    double x;
    double v;
    double a;
    carom_contact_motion_at(motion, 2.385, &x, &v, &a);
    assert_close(x, reference_value(&r, 0, 2.385), 0.0, rounding_of(&r, 2.385));
    // Each derivative is of the size of the next bound.
    assert_close(v, reference_value(&r, 1, 2.385), 0.0, 1e-14 * reference_size(&r, 2));
    assert_close(a, reference_value(&r, 2, 2.385), 0.0, 1e-14 * reference_size(&r, 3));
    double again;
    carom_contact_motion_at(motion, 2.385, NULL, &again, NULL);
    ck_assert_mem_eq(&again, &v, sizeof v);
    carom_contact_motion_free(motion);
    gsl_rng_free(generator);
}

TEST(unit, one_mode_has_its_maximum_at_its_phase) {
    reference r;
    single_mode(&r, 2.385, 1.7, 2.2);
    const carom_contact_maximum maximum = reference_ask(&r, 3.1);
    ck_assert(maximum.exists);
    assert_close(maximum.displacement, 2.385, 4.0 * DBL_EPSILON, 0.0);
    assert_close(maximum.time, 2.2 / 1.7, 4.0 * DBL_EPSILON, 0.0);
    ck_assert_double_ge(maximum.upper_bound, 2.385);
    // The bound is the value and its rounding: about 100 of them, for the rotations.
    assert_close(maximum.upper_bound, 2.385, 1e-13, 0.0);
}

TEST(unit, a_flight_without_peak_has_no_maximum) {
    reference r;
    single_mode(&r, 2.385, 1.7, -0.3);
    const carom_contact_maximum maximum = reference_ask(&r, 3.4);
    ck_assert(!maximum.exists);
    ck_assert(isnan(maximum.displacement) && isnan(maximum.time));
    ck_assert(isinf(maximum.upper_bound) && maximum.upper_bound < 0.0);
}

TEST(unit, a_structure_at_rest_has_neither_maximum_nor_contact) {
    reference r;
    single_mode(&r, 0.0, 1.7, 0.4);
    ck_assert(!reference_ask(&r, 11.3).exists);
    double tau;
    ck_assert(!ask_contact(&r, 0.0, 0.0, 11.3, &tau));
    ck_assert(isnan(tau));
}

TEST(unit, maxima_at_the_ends_are_not_inside) {
    reference r;
    single_mode(&r, 0.93, 1.7, 0.0);
    carom_contact_motion *motion = reference_motion(&r);
    const double period = 2.0 * PI / 1.7;
    ck_assert(!carom_contact_motion_largest_maximum(motion, period, 0.0, 0.0).exists);
    const carom_contact_maximum middle =
        carom_contact_motion_largest_maximum(motion, 2.0 * period, 0.0, 0.0);
    ck_assert(middle.exists);
    assert_close(middle.time, period, 4.0 * DBL_EPSILON, 0.0);
    carom_contact_motion_free(motion);
}

TEST(unit, given_velocities_decide_the_side_of_a_maximum_at_the_ends) {
    reference r;
    single_mode(&r, 0.93, 1.7, 0.0);
    carom_contact_motion *motion = reference_motion(&r);
    const double period = 2.0 * PI / 1.7;
    // A rounding of velocity towards the obstacle puts the peak just inside.
    const carom_contact_maximum after =
        carom_contact_motion_largest_maximum(motion, 0.5 * period, 1e-17, 0.0);
    ck_assert(after.exists);
    assert_close(after.displacement, 0.93, 4.0 * DBL_EPSILON, 0.0);
    ck_assert(!carom_contact_motion_largest_maximum(motion, 0.5 * period, -1e-17, 0.0).exists);
    ck_assert(carom_contact_motion_largest_maximum(motion, period, -1e-17, -1e-17).exists);
    ck_assert(!carom_contact_motion_largest_maximum(motion, period, -1e-17, 1e-17).exists);
    carom_contact_motion_free(motion);
}

TEST(unit, third_harmonic_puts_the_maxima_where_chebyshev_says) {
    // A c + B (4 c^3 - 3 c), c = cos w t: maxima with sin w t != 0 at c^2 = (3 B - A) / (12 B).
    const double A = 1.3;
    const double B = -0.7;
    const double w = 0.9;
    reference r;
    triple_mode(&r, A, B, 0.0, w);
    const double c = sqrt((3.0 * B - A) / (12.0 * B));
    const carom_contact_maximum maximum = reference_ask(&r, PI / w);
    ck_assert(maximum.exists);
    assert_close(maximum.displacement, A * c + B * (4.0 * c * c * c - 3.0 * c), 1e-15, 0.0);
    assert_close(maximum.time, acos(c) / w, 1e-15, 0.0);
}

TEST(unit, one_mode_reaches_a_level_at_the_arccosine) {
    reference r;
    single_mode(&r, 1.41, 2.3, 4.0);
    double tau;
    // Before the first peak, then, begun after it, before the second.
    const double first = (4.0 - acos(0.6 / 1.41)) / 2.3;
    ck_assert(ask_contact(&r, 0.6, 0.0, 9.0, &tau));
    assert_close(tau, first, 1e-15, 0.0);
    ck_assert(ask_contact(&r, 0.6, 2.3, 9.0, &tau));
    assert_close(tau, first + 2.0 * PI / 2.3, 1e-15, 0.0);
    // Not within the window, and not at all.
    ck_assert(!ask_contact(&r, 0.6, 0.0, first - 1e-9, &tau));
    ck_assert(isnan(tau));
    ck_assert(ask_contact(&r, 0.6, 0.0, first + 1e-9, &tau));
    ck_assert(!ask_contact(&r, 1.42, 0.0, 90.0, &tau));
    ck_assert(!ask_contact(&r, 0.6, 5.0, 5.0, &tau));
}

TEST(unit, a_peak_counts_if_it_touches_to_rounding) {
    reference r;
    single_mode(&r, 1.41, 2.3, 1.1);
    double tau;
    ck_assert(ask_contact(&r, 1.41, 0.0, 2.0, &tau));
    // The time of a touch is that of x_c' = 0.
    assert_close(tau, 1.1 / 2.3, 1e-15, 0.0);
    ck_assert(ask_contact(&r, 1.41 * (1.0 + 2.0 * DBL_EPSILON), 0.0, 2.0, &tau));
    ck_assert(ask_contact(&r, 1.41 * (1.0 - 2.0 * DBL_EPSILON), 0.0, 2.0, &tau));
    assert_close(tau, 1.1 / 2.3, 1e-15, 0.0);
    ck_assert(!ask_contact(&r, 1.41 * (1.0 + 1e-9), 0.0, 2.0, &tau));
    ck_assert(!ask_contact(&r, 1.41 * (1.0 + 1e-13), 0.0, 2.0, &tau));
    // From below the level by 1e-9 it is a crossing: cos(angle) = 1 - 1e-9, of which 1e-16 is
    // known, so that the angle of 4.5e-5 is known to 1e-16 / 4.5e-5.
    ck_assert(ask_contact(&r, 1.41 * (1.0 - 1e-9), 0.0, 2.0, &tau));
    const double angle = 2.0 * asin(sqrt(0.5e-9));
    assert_close(tau, (1.1 - angle) / 2.3, 0.0, 2e-11);
}

TEST(unit, a_flight_that_leaves_the_contact_returns_after_its_hop) {
    // x_c = -A cos w (t - delta) leaves its level at t = 0 and is there again at 2 delta.
    const double deltas[] = {0.4, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12};
    for (size_t i = 0; i < sizeof deltas / sizeof deltas[0]; i++) {
        const double angle = 2.3 * deltas[i];
        reference r;
        single_mode(&r, 1.41, 2.3, 0.0);
        const double p = -1.41 * cos(angle);
        const double q = -1.41 * sin(angle);
        reference_set(&r, &p, &q);
        double tau;
        ck_assert(ask_contact(&r, p, 0.0, 3.0, &tau));
        // The root is as exact as z_2, even where the hop is far below rounding of x_c.
        assert_close(tau, 2.0 * deltas[i], 1e-14, 0.0);
        // The level a rounding off on either side changes nothing of importance.
        ck_assert(ask_contact(&r, p * (1.0 - DBL_EPSILON), 0.0, 3.0, &tau));
        ck_assert_double_gt(tau, 0.0);
    }
}

TEST(unit, at_rest_in_contact_the_acceleration_decides) {
    reference r;
    single_mode(&r, 1.41, 2.3, 0.0);
    double tau;
    // At the peak: away, and back after a period.
    ck_assert(!ask_contact(&r, 1.41, 0.0, 2.7, &tau));
    ck_assert(ask_contact(&r, 1.41, 0.0, 2.8, &tau));
    assert_close(tau, 2.0 * PI / 2.3, 1e-15, 0.0);
    // The crossing at the start is not counted, whichever way it goes.
    single_mode(&r, 1.41, 2.3, 1.1);
    ck_assert(!ask_contact(&r, 1.41 * cos(1.1), 0.0, 2.0, &tau));
    ck_assert(ask_contact(&r, 1.41 * cos(1.1), 0.0, 3.0, &tau));
    assert_close(tau, 2.0 * PI / 2.3, 1e-14, 0.0);
}

TEST(unit, of_two_nearly_equal_maxima_the_larger_is_found) {
    const double tilts[] = {1e-3, -1e-3, 1e-9, -1e-9, 1e-12, -1e-12};
    for (size_t i = 0; i < sizeof tilts / sizeof tilts[0]; i++) {
        // Even in t without tilt: the maxima at 2 pi -+ t_1 differ by 2 C sin w t_1.
        reference r;
        triple_mode(&r, 1.3, -0.7, tilts[i], 0.9);
        const carom_contact_maximum maximum = reference_ask(&r, 2.0 * PI / 0.9);
        double time;
        const double expected = reference_largest_maximum(&r, 2.0 * PI / 0.9, &time);
        ck_assert(maximum.exists);
        assert_close(maximum.displacement, expected, 0.0, rounding_of(&r, time));
        ck_assert_double_ge(maximum.upper_bound, expected);
        // C > 0 lifts the first half of the period.
        ck_assert_int_eq(maximum.time<PI / 0.9, tilts[i]> 0.0);
    }
}

/** x_c(0), x_c'(0), x_c''(0), x_c'''(0) made of two modes. */
static void two_mode_start(reference *r, const double *derivatives) {
    const double frequency[2] = {1.3, 4.1};
    const double participation[2] = {0.8, 0.6};
    reference_init(r, 2, frequency, participation, 1.37, 0.0);
    const double square_0 = frequency[0] * frequency[0];
    const double square_1 = frequency[1] * frequency[1];
    const double gap = square_1 - square_0;
    const double p[2] = {(square_1 * derivatives[0] + derivatives[2]) / gap,
                         -(square_0 * derivatives[0] + derivatives[2]) / gap};
    const double q[2] = {(square_1 * derivatives[1] + derivatives[3]) / (gap * frequency[0]),
                         -(square_0 * derivatives[1] + derivatives[3]) / (gap * frequency[1])};
    reference_set(r, p, q);
}

TEST(unit, a_shallow_maximum_right_after_a_weak_impact_is_found) {
    // x_c' = -e + a t - b t^2/2 + ... with a^2 > 2 e b: a minimum, then a maximum at
    // (a + sqrt(a^2 - 2 e b))/b up to the fourth derivative, about 1 against b = 10.
    const double speeds[] = {1e-4, 1e-6, 1e-8};
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++) {
        const double e = speeds[i];
        const double a = 5.0 * sqrt(e);
        const double derivatives[4] = {1.0, -e, a, -10.0};
        reference r;
        two_mode_start(&r, derivatives);
        const double expected_time = (a + sqrt(a * a - 20.0 * e)) / 10.0;
        const double end = 40.0 * expected_time;
        carom_contact_motion *motion = reference_motion(&r);
        const carom_contact_maximum maximum =
            carom_contact_motion_largest_maximum(motion, end, -e, reference_value(&r, 1, end));
        ck_assert(maximum.exists);
        assert_close(maximum.time, expected_time, 10.0 * expected_time, 0.0);
        const double top = reference_golden(&r, 0.5 * expected_time, 1.5 * expected_time);
        assert_close(maximum.displacement, reference_value(&r, 0, top), 0.0, rounding_of(&r, 0.1));
        carom_contact_motion_free(motion);
    }
}

TEST(unit, a_horizontal_inflection_ends_with_a_proven_bound) {
    // x_c' = x_c'' = 0 at the start, then falling or rising: no sign can be proven next to it.
    for (int sign = -1; sign <= 1; sign += 2) {
        const double derivatives[4] = {0.7, 0.0, 0.0, sign * 3.0};
        reference r;
        two_mode_start(&r, derivatives);
        const carom_contact_maximum maximum = reference_ask(&r, 0.1);
        // Flat to rounding counts as a maximum of that height at most.
        if (maximum.exists) {
            ck_assert_double_le(maximum.displacement, 0.7 + 1e-12);
        }
        double tau;
        ck_assert(!ask_contact(&r, 0.7, 0.0, 0.1, &tau));
    }
}

/* -------------------------------------------------------------------------------------- property
 */

/** Compare the largest maximum of a flight with dense samples. */
static void check_maximum(const reference *r, double duration) {
    const carom_contact_maximum maximum = reference_ask(r, duration);
    double time;
    const double expected = reference_largest_maximum(r, duration, &time);
    const double rounding = rounding_of(r, duration);
    ck_assert_msg(maximum.upper_bound >= expected, "m = %d, duration %.17g: bound %.17g < %.17g",
                  r->basis.visible_count, duration, maximum.upper_bound, expected);
    if (!maximum.exists) {
        return;
    }
    // The bound is sharp: a hundred roundings of the walk, per mode and in its phases.
    ck_assert_double_le(maximum.upper_bound - maximum.displacement, 40.0 * rounding);
    if (fabs(maximum.displacement - expected) <= rounding) {
        return;
    }
    // Otherwise a maximum that lies between the samples: x_c' = 0, x_c'' < 0.
    ck_assert_double_gt(maximum.displacement, expected);
    assert_close(reference_value(r, 0, maximum.time), maximum.displacement, 0.0, rounding);
    assert_close(reference_value(r, 1, maximum.time), 0.0, 0.0, 1e-13 * reference_size(r, 2));
    ck_assert_double_lt(reference_value(r, 2, maximum.time), 0.0);
}

TEST(property, largest_maximum_agrees_with_dense_samples) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int trial = 0; trial < 2000; trial++) {
        reference r;
        reference_random(&r, generator, 1 + trial % 10, 0.0);
        check_maximum(&r, exp(uniform(generator, log(0.05), log(12.0))));
    }
    gsl_rng_free(generator);
}

TEST(property, ripples_of_high_frequency_are_not_lost) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int trial = 0; trial < 60; trial++) {
        const double frequency[3] = {1.1, 2.7, uniform(generator, 100.0, 400.0)};
        const double participation[3] = {0.7, 0.6, 0.2};
        reference r;
        reference_init(&r, 3, frequency, participation, 1.37, 0.0);
        const double ripple = exp(uniform(generator, log(1e-9), log(1e-2)));
        double p[3] = {uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 1.0), ripple};
        double q[3] = {uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 1.0), 0.3 * ripple};
        reference_set(&r, p, q);
        check_maximum(&r, 6.0);
    }
    gsl_rng_free(generator);
}

/** Compare the first contact of a flight with dense samples; whether there is one. */
static bool check_contact(const reference *r, double level, double start, double end) {
    double tau;
    const bool exists = ask_contact(r, level, start, end, &tau);
    const double expected = reference_first_contact(r, level, start, end);
    const double rounding = rounding_of(r, end);
    if (!exists) {
        ck_assert_msg(isnan(expected), "level %.17g: contact at %.17g missed", level, expected);
        return false;
    }
    ck_assert(tau > start && tau <= end);
    assert_close(reference_value(r, 0, tau), level, 0.0, rounding);
    ck_assert_double_ge(reference_value(r, 1, tau), -1e-13 * reference_size(r, 2));
    // The speed says how well the instant is known; earlier, it was between the samples.
    const double speed = fabs(reference_value(r, 1, tau));
    ck_assert_msg(isnan(expected) || (tau - expected) * speed <= 2.0 * rounding,
                  "level %.17g: %.17g after %.17g", level, tau, expected);
    return true;
}

TEST(property, first_contact_agrees_with_dense_samples) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    int contacts = 0;
    for (int trial = 0; trial < 2000; trial++) {
        reference r;
        reference_random(&r, generator, 1 + trial % 10, 0.0);
        const double start = uniform(generator, 0.0, 3.0);
        const double level =
            reference_value(&r, 0, start) + reference_size(&r, 0) * uniform(generator, 1e-6, 1.5);
        contacts += check_contact(&r, level, start, start + uniform(generator, 0.1, 12.0));
    }
    // Both outcomes are common.
    ck_assert_int_gt(contacts, 500);
    ck_assert_int_lt(contacts, 1900);
    gsl_rng_free(generator);
}

TEST(property, a_return_to_the_contact_agrees_with_dense_samples) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int trial = 0; trial < 1000; trial++) {
        reference r;
        reference_random(&r, generator, 1 + trial % 10, 0.0);
        // As after an impact: in contact, the velocity away from it.
        if (reference_value(&r, 1, 0.0) > 0.0) {
            for (int l = 0; l < r.basis.visible_count; l++) {
                r.state[2 * l + 1] = -r.state[2 * l + 1];
            }
        }
        check_contact(&r, reference_value(&r, 0, 0.0), 0.0, uniform(generator, 0.1, 8.0));
    }
    gsl_rng_free(generator);
}

TEST(property, a_level_next_to_a_maximum_is_met_or_missed_as_it_should) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int trial = 0; trial < 300; trial++) {
        reference r;
        reference_random(&r, generator, 2 + trial % 9, 0.0);
        double time;
        const double top = reference_largest_maximum(&r, 8.0, &time);
        if (isinf(top) || top < reference_value(&r, 0, 8.0) || top < reference_value(&r, 0, 0.0)) {
            continue;
        }
        const double X_0 = reference_size(&r, 0);
        double tau;
        ck_assert(!ask_contact(&r, top + 1e-9 * X_0, 0.0, 8.0, &tau));
        ck_assert(ask_contact(&r, top - 1e-9 * X_0, 0.0, 8.0, &tau));
        assert_close(reference_value(&r, 0, tau), top, 0.0, 1.1e-9 * X_0);
        ck_assert(ask_contact(&r, top, 0.0, 8.0, &tau));
        // Touching is decided within 16 roundings per mode; the last digit of `top` is one.
        ck_assert(!ask_contact(&r, top + 1e-13 * X_0, 0.0, 8.0, &tau));
    }
    gsl_rng_free(generator);
}

/** What is proven of a cell holds at samples of it; returns what that is. */
static carom_contact_shape check_cell(const reference *r, const carom_contact_motion *motion,
                                      const carom_contact_cell *cell) {
    const carom_contact_shape shape = carom_contact_cell_shape(motion, cell);
    const double bound = carom_contact_cell_upper_bound(motion, cell);
    for (int i = 1; i < 40; i++) {
        const double t = cell->left.time + (cell->right.time - cell->left.time) * i / 40.0;
        ck_assert_double_le(reference_value(r, 0, t), bound);
        const double velocity = reference_value(r, 1, t);
        const double acceleration = reference_value(r, 2, t);
        ck_assert(shape != CAROM_CONTACT_SHAPE_RISING || velocity > 0.0);
        ck_assert(shape != CAROM_CONTACT_SHAPE_FALLING || velocity < 0.0);
        ck_assert(shape != CAROM_CONTACT_SHAPE_CONVEX || acceleration > 0.0);
        ck_assert(shape != CAROM_CONTACT_SHAPE_CONCAVE || acceleration < 0.0);
    }
    return shape;
}

TEST(property, what_is_proven_of_a_cell_holds_inside_it) {
    // Cells much wider than those of the grid, up to a period of the fastest mode, where the error
    // of the interpolation decides.
    gsl_rng *generator = seeded_generator(SEED + 8);
    int count[CAROM_CONTACT_SHAPE_UNDECIDED + 1] = {0};
    for (int trial = 0; trial < 1200; trial++) {
        reference r;
        reference_random(&r, generator, 1 + trial % 3, 0.0);
        double fastest = 0.0;
        for (int l = 0; l < r.basis.visible_count; l++) {
            fastest = fmax(fastest, r.frequency[l]);
        }
        const double left = uniform(generator, 0.0, 3.0);
        const double right = left + uniform(generator, 0.3, 6.0) / fastest;
        carom_contact_motion *motion = reference_motion(&r);
        carom_contact_cells_begin(motion, 0.0, 20.0, (double)NAN, (double)NAN);
        const carom_contact_cell cell = {carom_contact_node_at(motion, left),
                                         carom_contact_node_at(motion, right)};
        count[check_cell(&r, motion, &cell)]++;
        carom_contact_motion_free(motion);
    }
    for (int shape = 0; shape <= CAROM_CONTACT_SHAPE_UNDECIDED; shape++) {
        ck_assert_int_gt(count[shape], 50);
    }
    gsl_rng_free(generator);
}

TEST(property, bounds_are_as_tight_as_interpolation_allows) {
    // x_c = A cos w t on a cell of width h about the trough: the sixth derivative is A w^6 there,
    // so that the error h^6/46080 of the quintic is reached; the bound is the ends', A cos(w h/2).
    reference r;
    single_mode(&r, 1.41, 2.3, PI + 1.0);
    carom_contact_motion *motion = reference_motion(&r);
    carom_contact_cells_begin(motion, 0.0, 5.0, (double)NAN, (double)NAN);
    const double widths[] = {0.1, 0.4, 0.8};
    for (int i = 0; i < 3; i++) {
        const carom_contact_cell cell = {
            carom_contact_node_at(motion, 1.0 / 2.3 - 0.5 * widths[i]),
            carom_contact_node_at(motion, 1.0 / 2.3 + 0.5 * widths[i])};
        const double angle = 2.3 * widths[i];
        assert_close(carom_contact_cell_upper_bound(motion, &cell),
                     -1.41 * cos(0.5 * angle) + 1.41 * pow(angle, 6.0) / 46080.0, 0.0, 1e-12);
        // x_c' = 0 at the middle, x_c'' at least A w^2 cos(angle/2).
        ck_assert_int_eq(carom_contact_cell_shape(motion, &cell), CAROM_CONTACT_SHAPE_CONVEX);
    }
    carom_contact_motion_free(motion);
}

TEST(property, bounds_of_a_crest_are_those_of_its_control_points) {
    // x_c = A cos w t about its crest: the middle control points of the quintic are the highest,
    // x + 2 h x'/5 + h^2 x''/20 at the left end, and by symmetry the same from the right.
    reference r;
    single_mode(&r, 1.41, 2.3, 1.0);
    carom_contact_motion *motion = reference_motion(&r);
    carom_contact_cells_begin(motion, 0.0, 5.0, (double)NAN, (double)NAN);
    const double widths[] = {0.1, 0.4, 0.8};
    for (int i = 0; i < 3; i++) {
        const carom_contact_cell cell = {
            carom_contact_node_at(motion, 1.0 / 2.3 - 0.5 * widths[i]),
            carom_contact_node_at(motion, 1.0 / 2.3 + 0.5 * widths[i])};
        const double angle = 2.3 * widths[i];
        const double point = cos(0.5 * angle) + 0.4 * angle * sin(0.5 * angle) -
                             0.05 * angle * angle * cos(0.5 * angle);
        assert_close(carom_contact_cell_upper_bound(motion, &cell),
                     1.41 * (point + pow(angle, 6.0) / 46080.0), 0.0, 1e-12);
    }
    carom_contact_motion_free(motion);
}

TEST(property, bounds_hold_late_in_a_flight) {
    // After 1e8 s the phase w t is known to some 1e-8: rounding that the bound has to allow for.
    gsl_rng *generator = seeded_generator(SEED + 10);
    int needed = 0;
    for (int trial = 0; trial < 100; trial++) {
        const double w = uniform(generator, 1.0, 3.0);
        const double phase = uniform(generator, 0.0, 6.0);
        reference r;
        single_mode(&r, 1.41, w, phase);
        carom_contact_motion *motion = reference_motion(&r);
        const double start = 1e8 + uniform(generator, 0.0, 10.0);
        carom_contact_cells_begin(motion, start, start + 1.0, (double)NAN, (double)NAN);
        carom_contact_cell cell;
        ck_assert(carom_contact_cells_next(motion, &cell));
        // The motion as its modal coordinates say it, the angle w t as an unrounded sum.
        const double high = w * start;
        const double low = fma(w, start, -high) + w * cell.left.time;
        const double cosine = cos(high) * cos(low) - sin(high) * sin(low);
        const double sine = sin(high) * cos(low) + cos(high) * sin(low);
        const double exact = motion->p[0] * cosine + motion->q[0] * sine;
        const double bound = carom_contact_cell_upper_bound(motion, &cell);
        ck_assert_double_le(exact, bound);
        ck_assert(fabs(cell.left.displacement - exact) <= motion->rounding[0]);
        needed += fabs(cell.left.displacement - exact) > 1e-10;
        carom_contact_motion_free(motion);
    }
    ck_assert_int_gt(needed, 20);
    gsl_rng_free(generator);
}

TEST(property, a_wrong_velocity_at_the_start_widens_the_bound_of_its_cell) {
    gsl_rng *generator = seeded_generator(SEED + 9);
    for (int trial = 0; trial < 60; trial++) {
        reference r;
        reference_random(&r, generator, 1 + trial % 4, 0.0);
        carom_contact_motion *motion = reference_motion(&r);
        const double error = uniform(generator, 0.0, 1.0) * reference_size(&r, 1);
        carom_contact_cells_begin(motion, 0.0, 2.0, reference_value(&r, 1, 0.0) - error,
                                  reference_value(&r, 1, 2.0) + error);
        carom_contact_cell cell;
        while (carom_contact_cells_next(motion, &cell)) {
            check_cell(&r, motion, &cell);
        }
        carom_contact_motion_free(motion);
    }
    gsl_rng_free(generator);
}

TEST(property, a_change_of_units_changes_units_only) {
    gsl_rng *generator = seeded_generator(SEED + 6);
    for (int trial = 0; trial < 100; trial++) {
        reference r;
        reference_random(&r, generator, 1 + trial % 10, 0.0);
        const carom_contact_maximum before = reference_ask(&r, 4.0);
        // Lengths by 2^-30, times by 2^7: exact.
        for (int l = 0; l < r.basis.visible_count; l++) {
            r.frequency[l] /= 128.0;
            r.state[2 * l] /= 1073741824.0 * 128.0;
            r.state[2 * l + 1] /= 1073741824.0 * 128.0;
        }
        const carom_contact_maximum after = reference_ask(&r, 512.0);
        ck_assert_int_eq(after.exists, before.exists);
        if (before.exists) {
            assert_close(after.displacement * 1073741824.0, before.displacement, 1e-15, 0.0);
            assert_close(after.time, 128.0 * before.time, 1e-15, 0.0);
        }
    }
    gsl_rng_free(generator);
}

/* ---------------------------------------------------------------------------------------- errors
 */

TEST(errors, every_failing_allocation_is_reported) {
    reference r;
    single_mode(&r, 1.0, 2.0, 0.3);
    int tries = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    while (status != CAROM_OK) {
        carom_contact_motion *motion = (carom_contact_motion *)&r;
        successes_left = tries;
        status = carom_contact_motion_alloc(&r.basis, &motion);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(motion);
        }
        carom_contact_motion_free(motion);
        tries++;
    }
    ck_assert_int_eq(tries, 3);
}

TEST(errors, questions_allocate_nothing) {
    reference r;
    gsl_rng *generator = seeded_generator(SEED + 7);
    reference_random(&r, generator, 10, 0.0);
    carom_contact_motion *motion = reference_motion(&r);
    allocations = 0;
    double tau;
    carom_contact_motion_start(motion, r.state);
    (void)carom_contact_motion_largest_maximum(motion, 9.0, -1.0, 1.0);
    (void)carom_contact_motion_first_contact(motion, 0.3, 0.0, 9.0, &tau);
    ck_assert_int_eq(allocations, 0);
    carom_contact_motion_free(motion);
    gsl_rng_free(generator);
}
