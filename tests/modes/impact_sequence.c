/*
 * carom/modes/impact_equations.h: the paper's table 1 and equation (6.7), the table of axes
 * (corollary 6.2, as corrected) for all small k and a, and the group of rotations and reversals,
 * checked against lists of impact instants, which know nothing of indices modulo k.
 */
#include <carom/modes/impact_equations.h>

#include "../support.h"

#include <stdbool.h>
#include <string.h>

static const unsigned long SEED = 16108150;
enum { LARGEST = 12 };

/** Sameness of two motions, as the search uses it. */
static const double TOLERANCE = 1e-7;

/** Sums of up to 12 numbers of size 10: 20 roundings. */
static const double ROUNDING = 20 * 10 * 2.3e-16;

/** A sequence of k impacts. */
typedef struct sequence {
    int k;
    double flight_times[LARGEST];
    double lambda[LARGEST];
} sequence;

/** Flight times and lambda uniform in (0.3, 1.6). */
static sequence random_sequence(gsl_rng *generator, int k) {
    sequence s = {.k = k};
    for (int i = 0; i < k; i++) {
        s.flight_times[i] = uniform(generator, 0.3, 1.6);
        s.lambda[i] = uniform(generator, 0.3, 1.6);
    }
    return s;
}

/** i mod k in 0..k-1, for i >= -4 k. */
static int modulo(int i, int k) {
    return (i + 4 * k) % k;
}

/** A random sequence with sigma_n = sigma_{a-n} and lambda_n = lambda_{a-1-n}. */
static sequence symmetric_sequence(gsl_rng *generator, int k, int a) {
    sequence s = random_sequence(generator, k);
    for (int n = 1; n <= k; n++) {
        // The entry n stands at n - 1; of each pair the second takes the value of the first.
        s.flight_times[modulo(a - n - 1, k)] = s.flight_times[n - 1];
        s.lambda[modulo(a - n - 2, k)] = s.lambda[n - 1];
    }
    return s;
}

static double period_of(const sequence *s) {
    double period = 0.0;
    for (int i = 0; i < s->k; i++) {
        period += s->flight_times[i];
    }
    return period;
}

/** t_i for any i >= -k: t_0 = 0, t_{i+k} = t_i + T. */
static double instant(const sequence *s, int i) {
    double t = i < 0 ? -period_of(s) : 0.0;
    for (int j = 0; j < (i < 0 ? i + s->k : i); j++) {
        t += s->flight_times[j % s->k];
    }
    return t;
}

/** Distance of two instants modulo a period. */
static double distance(double a, double b, double period) {
    return fabs(remainder(a - b, period));
}

/** Whether the impacts of one sequence, taken at sign t + shift, are those of the other. */
static bool has_same_impacts(const sequence *from, double sign, double shift, const sequence *to) {
    const double period = period_of(to);
    for (int i = 1; i <= from->k; i++) {
        bool is_found = false;
        for (int j = 1; j <= to->k; j++) {
            const double d = distance(sign * instant(from, i) + shift, instant(to, j), period);
            const double difference = fabs(from->lambda[i - 1] - to->lambda[j - 1]);
            is_found = is_found || (d <= ROUNDING && difference <= 0.0);
        }
        if (!is_found) {
            return false;
        }
    }
    return fabs(period_of(from) - period) <= ROUNDING;
}

/** One of the 2k forms: reversed or not, then rotated. */
static sequence form_of(sequence s, int form) {
    const int rotation = form % s.k;
    if (rotation != form) {
        carom_sequence_reverse(s.k, s.flight_times, s.lambda);
    }
    carom_sequence_rotate(s.k, rotation, s.flight_times, s.lambda);
    return s;
}

static bool is_same(const sequence *a, const sequence *b) {
    const size_t bytes = (size_t)a->k * sizeof(double);
    return memcmp(a->flight_times, b->flight_times, bytes) == 0 &&
           memcmp(a->lambda, b->lambda, bytes) == 0;
}

/** The symmetric seven-impact motion C of the specification, table 5.5 [C]. */
static const sequence SEVEN_IMPACTS = {
    .k = 7,
    .flight_times = {1.8456565734, 1.1808735229, 1.6337220945, 1.1808735229, 1.8456565734,
                     1.3884604230, 1.3884604230},
    .lambda = {0.64583199, 0.38370513, 0.38370513, 0.64583199, 0.0775218, 0.03531479, 0.0775218},
};

/* ---------------------------------------------------------------------------------------- unit */

TEST(unit, table_one_pattern_has_symmetry_six_and_no_other) {
    const sequence *s = &SEVEN_IMPACTS;
    ck_assert_int_eq(carom_sequence_symmetry(7, s->flight_times, s->lambda, TOLERANCE), 6);
    ck_assert_int_eq(carom_sequence_symmetry(7, s->flight_times, NULL, TOLERANCE), 6);
    // The row of 6 - n printed in table 1: 5 4 3 2 1 7 6.
    const int row[] = {5, 4, 3, 2, 1, 7, 6};
    for (int a = 1; a <= 7; a++) {
        bool is_symmetric = true;
        for (int n = 1; n <= 7; n++) {
            const int other = modulo(a - n - 1, 7);
            is_symmetric =
                is_symmetric && fabs(s->flight_times[n - 1] - s->flight_times[other]) <= 0.0;
            ck_assert(a != 6 || other + 1 == row[n - 1]);
        }
        ck_assert_int_eq(is_symmetric, a == 6);
    }
}

TEST(unit, equation_6_7_and_axes_of_figure_4_hold) {
    const sequence *s = &SEVEN_IMPACTS;
    assert_close(instant(s, 2) + instant(s, 3), instant(s, 5), 0.0, ROUNDING);
    assert_close(instant(s, 4) + instant(s, 1), instant(s, 5), 0.0, ROUNDING);
    double axes[2];
    carom_sequence_axes(7, s->flight_times, 6, axes);
    const double c = s->flight_times[0];
    const double b = s->flight_times[1];
    const double a = s->flight_times[2];
    const double d = s->flight_times[5];
    assert_close(axes[0], c + b + 0.5 * a, 0.0, ROUNDING);
    assert_close(axes[1], c + b + a + b + c + d, 0.0, ROUNDING);
    // [C], ten digits printed; sums of numbers of ten digits.
    assert_close(axes[0], 3.8433911435, 0.0, 3e-10);
    assert_close(axes[1], 9.0752427101, 0.0, 3e-10);
}

TEST(unit, two_impacts_have_axes_in_the_middle_of_both_flights) {
    const double flight_times[] = {0.731, 1.385};
    const double lambda[] = {0.52, 0.52};
    ck_assert_int_eq(carom_sequence_symmetry(2, flight_times, lambda, TOLERANCE), 2);
    double axes[2];
    carom_sequence_axes(2, flight_times, 2, axes);
    assert_close(axes[0], 0.5 * 0.731, 0.0, ROUNDING);
    assert_close(axes[1], 0.731 + 0.5 * 1.385, 0.0, ROUNDING);
}

TEST(unit, one_impact_is_symmetric_about_it_and_half_a_period_later) {
    double flight_time = 2.385;
    double lambda = 0.731;
    ck_assert_int_eq(carom_sequence_symmetry(1, &flight_time, &lambda, TOLERANCE), 1);
    double axes[2];
    carom_sequence_axes(1, &flight_time, 1, axes);
    assert_close(axes[0], 0.0, 0.0, 0.0);
    assert_close(axes[1], 1.1925, 0.0, ROUNDING);
    carom_sequence_reverse(1, &flight_time, &lambda);
    carom_sequence_rotate(1, 0, &flight_time, &lambda);
    carom_sequence_canonicalize(1, &flight_time, &lambda, TOLERANCE);
    ck_assert_int_eq(carom_sequence_primitive(1, &flight_time, &lambda, TOLERANCE), 1);
    assert_close(flight_time, 2.385, 0.0, 0.0);
    assert_close(lambda, 0.731, 0.0, 0.0);
}

TEST(unit, reversal_of_seven_impacts_is_the_one_of_the_definition) {
    sequence s = {.k = 7};
    for (int i = 0; i < 7; i++) {
        s.flight_times[i] = 1.0 + i;
        s.lambda[i] = 11.0 + i;
    }
    const double flight_times[] = {7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0};
    const double lambda[] = {16.0, 15.0, 14.0, 13.0, 12.0, 11.0, 17.0};
    carom_sequence_reverse(7, s.flight_times, s.lambda);
    ck_assert_mem_eq(s.flight_times, flight_times, sizeof flight_times);
    ck_assert_mem_eq(s.lambda, lambda, sizeof lambda);
}

TEST(unit, the_canonical_form_begins_with_the_shortest_flight_and_its_shorter_neighbour) {
    double flight_times[] = {0.9, 0.5, 1.3, 1.1};
    double lambda[] = {0.1, 0.2, 0.3, 0.4};
    carom_sequence_canonicalize(4, flight_times, lambda, TOLERANCE);
    // Backwards from the second flight; impacts 1, 4, 3, 2 end its flights.
    const double expected_times[] = {0.5, 0.9, 1.1, 1.3};
    const double expected_lambda[] = {0.1, 0.4, 0.3, 0.2};
    ck_assert_mem_eq(flight_times, expected_times, sizeof flight_times);
    ck_assert_mem_eq(lambda, expected_lambda, sizeof lambda);
}

TEST(unit, lambda_decides_between_equal_flight_times) {
    double flight_times[] = {0.7, 0.7, 0.7};
    double lambda[] = {0.5, 0.3, 0.4};
    carom_sequence_canonicalize(3, flight_times, lambda, TOLERANCE);
    const double expected[] = {0.3, 0.4, 0.5};
    ck_assert_mem_eq(lambda, expected, sizeof lambda);
}

/* ------------------------------------------------------------------------------------ property */

/** The axes of the specification's table in 2.14, from instants of impacts; a = 2b or 2b + 1. */
static void tabulated_axes(const sequence *s, int a, double *axes) {
    const int b = a / 2;
    const int r = (s->k + 1) / 2;
    const bool is_even_a = a % 2 == 0;
    if (s->k % 2 == 1) {
        const int m = is_even_a ? b : b + r;
        axes[0] = 0.5 * (instant(s, m - 1) + instant(s, m));
        axes[1] = instant(s, is_even_a ? b + r - 1 : b);
    } else if (is_even_a) {
        axes[0] = 0.5 * (instant(s, b - 1) + instant(s, b));
        axes[1] = 0.5 * (instant(s, b + r - 1) + instant(s, b + r));
    } else {
        axes[0] = instant(s, b);
        axes[1] = instant(s, b + r);
    }
}

TEST(property, axes_are_those_of_the_corrected_table_for_all_k_and_a) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int k = 1; k <= 8; k++) {
        for (int a = 1; a <= k; a++) {
            const sequence s = symmetric_sequence(generator, k, a);
            const double period = period_of(&s);
            double axes[2];
            double table[2];
            carom_sequence_axes(k, s.flight_times, a, axes);
            tabulated_axes(&s, a, table);
            ck_assert(axes[0] >= 0.0 && axes[0] < axes[1] && axes[1] < period);
            const int swap = distance(axes[0], table[0], period) > ROUNDING;
            for (int i = 0; i < 2; i++) {
                ck_assert_msg(distance(axes[i], table[i ^ swap], period) <= ROUNDING,
                              "k = %d, a = %d: axis %.17g", k, a, axes[i]);
            }
        }
    }
    gsl_rng_free(generator);
}

TEST(property, both_axes_reflect_the_impacts_into_themselves) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int k = 1; k <= 8; k++) {
        for (int a = 1; a <= k; a++) {
            const sequence s = symmetric_sequence(generator, k, a);
            double axes[2];
            carom_sequence_axes(k, s.flight_times, a, axes);
            ck_assert(has_same_impacts(&s, -1.0, 2.0 * axes[0], &s));
            ck_assert(has_same_impacts(&s, -1.0, 2.0 * axes[1], &s));
        }
    }
    gsl_rng_free(generator);
}

TEST(property, the_symmetry_of_a_primitive_sequence_is_found_and_unique) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int k = 1; k <= 8; k++) {
        for (int a = 1; a <= k; a++) {
            const sequence s = symmetric_sequence(generator, k, a);
            // Two impacts of equal lambda and flights, at k = 2 and a = 1, repeat one impact.
            const int d = carom_sequence_primitive(k, s.flight_times, s.lambda, TOLERANCE);
            if (d == k) {
                ck_assert_int_eq(carom_sequence_symmetry(k, s.flight_times, s.lambda, TOLERANCE),
                                 a);
            }
            // Proposition 6.2: the number of indices that i -> a - i leaves where they are.
            int fixed = 0;
            for (int i = 1; i <= k; i++) {
                fixed += modulo(a - 2 * i, k) == 0;
            }
            ck_assert_int_eq(fixed, k % 2 == 1 ? 1 : (a % 2 == 0 ? 2 : 0));
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, symmetric_times_with_other_impacts_are_not_symmetric) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int k = 3; k <= 8; k++) {
        for (int a = 1; a <= k; a++) {
            sequence s = symmetric_sequence(generator, k, a);
            ck_assert_int_eq(carom_sequence_symmetry(k, s.flight_times, NULL, TOLERANCE), a);
            // Of the impacts that are not on an axis, one is made stronger.
            int n = 1;
            while (modulo(a - 1 - 2 * n, k) == 0) {
                n++;
            }
            s.lambda[n - 1] += 3.0 * TOLERANCE * 1.6;
            ck_assert_int_eq(carom_sequence_symmetry(k, s.flight_times, s.lambda, TOLERANCE), 0);
            ck_assert_int_eq(carom_sequence_symmetry(k, s.flight_times, s.lambda, 1e-5), a);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, a_random_sequence_has_no_symmetry) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int k = 3; k <= LARGEST; k++) {
        const sequence s = random_sequence(generator, k);
        ck_assert_int_eq(carom_sequence_symmetry(k, s.flight_times, s.lambda, TOLERANCE), 0);
        ck_assert_int_eq(carom_sequence_symmetry(k, s.flight_times, NULL, TOLERANCE), 0);
    }
    gsl_rng_free(generator);
}

TEST(property, rotation_shifts_and_reversal_mirrors_the_instants_of_impacts) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int k = 1; k <= LARGEST; k++) {
        const sequence s = random_sequence(generator, k);
        for (int r = 0; r < k; r++) {
            const sequence rotated = form_of(s, r);
            ck_assert(has_same_impacts(&s, 1.0, -instant(&s, r), &rotated));
        }
        sequence reversed = s;
        carom_sequence_reverse(k, reversed.flight_times, reversed.lambda);
        ck_assert(has_same_impacts(&s, -1.0, 0.0, &reversed));
    }
    gsl_rng_free(generator);
}

TEST(property, rotations_and_reversals_form_the_dihedral_group) {
    gsl_rng *generator = seeded_generator(SEED + 6);
    for (int k = 1; k <= LARGEST; k++) {
        const sequence s = random_sequence(generator, k);
        for (int form = 0; form < 2 * k; form++) {
            const sequence once = form_of(s, form);
            for (int next = 0; next < 2 * k; next++) {
                // Reversal undoes a rotation that came before: R^r S R^q = R^{r-q} S.
                const bool is_reversal = next >= k;
                const int sum = is_reversal ? next - form : next + form;
                const bool both = (form >= k) != is_reversal;
                const sequence twice = form_of(once, next);
                const sequence expected = form_of(s, modulo(sum, k) + (both ? k : 0));
                ck_assert(is_same(&twice, &expected));
            }
        }
    }
    gsl_rng_free(generator);
}

TEST(property, all_forms_of_a_sequence_have_one_canonical_form_bit_by_bit) {
    gsl_rng *generator = seeded_generator(SEED + 7);
    for (int k = 1; k <= LARGEST; k++) {
        // Symmetric ones with rounding errors have ties that only the values themselves decide.
        for (int a = 0; a <= k; a++) {
            sequence s =
                a == 0 ? random_sequence(generator, k) : symmetric_sequence(generator, k, a);
            for (int i = 0; i < k; i++) {
                s.flight_times[i] += uniform(generator, -1e-13, 1e-13);
                s.lambda[i] += uniform(generator, -1e-13, 1e-13);
            }
            sequence canonical = s;
            carom_sequence_canonicalize(k, canonical.flight_times, canonical.lambda, TOLERANCE);
            bool is_one_of_the_forms = false;
            for (int form = 0; form < 2 * k; form++) {
                sequence other = form_of(s, form);
                is_one_of_the_forms = is_one_of_the_forms || is_same(&other, &canonical);
                carom_sequence_canonicalize(k, other.flight_times, other.lambda, TOLERANCE);
                ck_assert_msg(is_same(&other, &canonical), "k = %d, a = %d, form %d", k, a, form);
            }
            ck_assert(is_one_of_the_forms);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, motions_equal_to_rounding_have_equal_canonical_forms_on_any_grid) {
    gsl_rng *generator = seeded_generator(SEED + 8);
    const int k = 6;
    for (int trial = 0; trial < 500; trial++) {
        // All times are half integers in the unit of the tolerance: the boundary of a rounding.
        const double period = 6.0;
        sequence s = {.k = k, .flight_times = {0.0}, .lambda = {0.0}};
        for (int i = 0; i < k; i++) {
            const double steps = floor(uniform(generator, 8.0, 12.0)) * 1e6 + 0.5;
            s.flight_times[i] = steps * TOLERANCE * period / k;
            s.lambda[i] = (floor(uniform(generator, 1.0, 4.0)) * 1e6 + 0.5) * TOLERANCE;
        }
        sequence other = form_of(s, trial % (2 * k));
        for (int i = 0; i < k; i++) {
            other.flight_times[i] += uniform(generator, -1e-12, 1e-12);
            other.lambda[i] += uniform(generator, -1e-12, 1e-12);
        }
        ck_assert(carom_sequence_equal(k, s.flight_times, s.lambda, other.flight_times,
                                       other.lambda, TOLERANCE));
        carom_sequence_canonicalize(k, s.flight_times, s.lambda, TOLERANCE);
        carom_sequence_canonicalize(k, other.flight_times, other.lambda, TOLERANCE);
        for (int i = 0; i < k; i++) {
            // The differences put in.
            assert_close(other.flight_times[i], s.flight_times[i], 0.0, 2.1e-12);
            assert_close(other.lambda[i], s.lambda[i], 0.0, 2.1e-12);
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, all_forms_are_equal_and_a_change_beyond_the_tolerance_is_not) {
    gsl_rng *generator = seeded_generator(SEED + 9);
    for (int k = 1; k <= LARGEST; k++) {
        const sequence s = random_sequence(generator, k);
        for (int form = 0; form < 2 * k; form++) {
            sequence other = form_of(s, form);
            ck_assert(carom_sequence_equal(k, s.flight_times, s.lambda, other.flight_times,
                                           other.lambda, TOLERANCE));
            const double kept = other.flight_times[form % k];
            other.flight_times[form % k] += 0.9 * TOLERANCE * period_of(&s);
            ck_assert(carom_sequence_equal(k, s.flight_times, s.lambda, other.flight_times,
                                           other.lambda, TOLERANCE));
            other.flight_times[form % k] += 0.2 * TOLERANCE * period_of(&s);
            ck_assert(!carom_sequence_equal(k, s.flight_times, s.lambda, other.flight_times,
                                            other.lambda, TOLERANCE));
            other.flight_times[form % k] = kept;
            other.lambda[form % k] -= 1.1 * TOLERANCE * 1.6;
            ck_assert(!carom_sequence_equal(k, s.flight_times, s.lambda, other.flight_times,
                                            other.lambda, TOLERANCE));
        }
    }
    gsl_rng_free(generator);
}

TEST(errors, impacts_must_keep_their_places_among_the_flights) {
    // The same two lists, but lambda one place further: another motion.
    const double flight_times[] = {0.7, 0.9, 1.2, 1.5};
    const double lambda[] = {0.3, 0.5, 0.8, 0.6};
    const double shifted[] = {0.5, 0.8, 0.6, 0.3};
    ck_assert(!carom_sequence_equal(4, flight_times, lambda, flight_times, shifted, TOLERANCE));
}

TEST(property, the_primitive_period_is_the_smallest_divisor_that_repeats) {
    gsl_rng *generator = seeded_generator(SEED + 10);
    for (int k = 1; k <= LARGEST; k++) {
        for (int d = 1; d <= k; d++) {
            if (k % d != 0) {
                continue;
            }
            sequence s = random_sequence(generator, k);
            for (int i = d; i < k; i++) {
                s.flight_times[i] = s.flight_times[i - d] + uniform(generator, -1e-12, 1e-12);
                s.lambda[i] = s.lambda[i - d] + uniform(generator, -1e-12, 1e-12);
            }
            ck_assert_int_eq(carom_sequence_primitive(k, s.flight_times, s.lambda, TOLERANCE), d);
            // A change of one flight, or of one impact, leaves no shorter period.
            sequence other = s;
            other.flight_times[k - 1] += 1.1 * TOLERANCE * period_of(&s) / k;
            ck_assert_int_eq(
                carom_sequence_primitive(k, other.flight_times, other.lambda, TOLERANCE), k);
            other = s;
            other.lambda[k / 2] += 1.1 * TOLERANCE * 1.6;
            ck_assert_int_eq(
                carom_sequence_primitive(k, other.flight_times, other.lambda, TOLERANCE), k);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, a_symmetrized_sequence_is_the_nearest_of_its_symmetry) {
    gsl_rng *generator = seeded_generator(SEED + 7);
    for (int round = 0; round < 200; round++) {
        const int k = 1 + round % LARGEST;
        const int a = 1 + (int)gsl_rng_uniform_int(generator, (unsigned)k);
        const sequence s = random_sequence(generator, k);
        double nearest[LARGEST];
        double again[LARGEST];
        carom_sequence_symmetrize(k, s.flight_times, a, nearest);
        assert_close(carom_sequence_asymmetry(k, nearest, a), 0.0, 0.0, 0.0);
        ck_assert_int_gt(carom_sequence_symmetry(k, nearest, NULL, ROUNDING), 0);
        carom_sequence_symmetrize(k, nearest, a, again);
        double before = 0.0;
        double after = 0.0;
        double largest = 0.0;
        for (int i = 0; i < k; i++) {
            before += s.flight_times[i];
            after += nearest[i];
            largest = fmax(largest, fabs(nearest[i] - s.flight_times[i]));
            assert_close(again[i], nearest[i], 0.0, 0.0);
        }
        // The period stays, and each flight moves by half its distance from its image.
        assert_close(after, before, 0.0, ROUNDING);
        assert_close(2.0 * largest, carom_sequence_asymmetry(k, s.flight_times, a), 0.0, ROUNDING);
    }
    gsl_rng_free(generator);
}

TEST(property, the_most_symmetric_sequence_is_found_and_symmetrized) {
    enum { COUNT = 5 };
    gsl_rng *generator = seeded_generator(SEED + 8);
    for (int round = 0; round < 200; round++) {
        const int k = 3 + round % (LARGEST - 2);
        const int a = 1 + (int)gsl_rng_uniform_int(generator, (unsigned)k);
        const int place = (int)gsl_rng_uniform_int(generator, COUNT);
        double flight_times[COUNT * LARGEST];
        double expected[LARGEST];
        double found[LARGEST];
        for (int i = 0; i < COUNT; i++) {
            const sequence s = random_sequence(generator, k);
            memcpy(flight_times + i * k, s.flight_times, (size_t)k * sizeof(double));
        }
        // One of them is nearly symmetric.
        carom_sequence_symmetrize(k, flight_times + place * k, a, expected);
        memcpy(flight_times + place * k, expected, (size_t)k * sizeof(double));
        flight_times[place * k] *= 1.0 + 1e-9;
        const int found_a = carom_sequence_most_symmetric(k, COUNT, flight_times, found);
        assert_close(carom_sequence_asymmetry(k, found, found_a), 0.0, 0.0, 0.0);
        assert_close(carom_sequence_asymmetry(k, expected, found_a), 0.0, 0.0, 1e-8);
        for (int i = 0; i < k; i++) {
            assert_close(found[i], expected[i], 1e-8, 0.0);
        }
    }
    gsl_rng_free(generator);
}
