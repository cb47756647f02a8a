/*
 * carom/modes/orbit.h on motions of the paper's chain: the [C] values of the specification
 * 5.2, 5.4-5.6 and dense sampling of the positions.
 */
#include <carom/modes/orbit.h>

#include "reference_orbits.h"

#include <string.h>

static carom_admissibility certify(const chain *c, const carom_orbit *orbit) {
    double state[2 * 20];
    for (int i = 0; i < 2 * 20; i++) {
        state[i] = (double)NAN;
    }
    return carom_orbit_certify(c->basis, c->motion, orbit, state, CAROM_ADMISSIBILITY_TOLERANCE);
}

/** Largest x_c - g_0 of local maxima among dense samples inside the flights; NaN if none. */
static double sampled_violation(const chain *c, const carom_orbit *orbit) {
    enum { SAMPLES = 4000 };
    double state[2 * 20] = {0.0};
    double best = (double)NAN;
    for (int i = 0; i < orbit->impact_count; i++) {
        double x[3] = {0.0, 0.0, 0.0};
        double sample[2 * 20];
        carom_orbit_state_after(c->basis, orbit, i, state);
        for (int s = 0; s <= SAMPLES; s++) {
            memcpy(sample, state, sizeof sample);
            carom_modal_basis_rotate(c->basis, orbit->flight_times[i] * s / SAMPLES, sample);
            x[0] = x[1];
            x[1] = x[2];
            x[2] = carom_modal_basis_contact_displacement(c->basis, sample);
            if (s >= 2 && x[1] >= x[0] && x[1] > x[2]) {
                best = fmax(best, x[1] - c->basis->gap_at_rest);
            }
        }
    }
    return best;
}

/* ------------------------------------------------------------------------------------------ unit
 */

TEST(unit, orbits_next_to_the_fourth_harmonic_are_admissible) {
    // Specification 5.2, [C]: T, lambda, E.
    const double rows[4][3] = {{3.76, 0.890822488560, 5.7931857532},
                               {3.78, 0.722064395265, 2.8720556693},
                               {3.80, 0.594777359460, 3.0736596698},
                               {3.82, 0.416297918939, 5.5527256833}};
    chain c = chain_alloc(5, 1.0);
    for (int i = 0; i < 4; i++) {
        carom_orbit *orbit = single_impact_of(&c, rows[i][0]);
        assert_close(orbit->lambda[0], rows[i][1], 0.0, 1e-12);
        assert_close(orbit->energy, rows[i][2], 0.0, 1e-10);
        const carom_admissibility verdict = certify(&c, orbit);
        ck_assert(verdict.is_admissible);
        // Samples miss a maximum by X_2 h^2/8, h = T/4000, X_2 of the order of 100.
        assert_close(verdict.largest_gap_violation, sampled_violation(&c, orbit), 0.0, 2e-5);
        ck_assert_double_ge(verdict.violation_bound, verdict.largest_gap_violation);
        assert_close(verdict.violation_bound, verdict.largest_gap_violation, 0.0, 1e-12);
        assert_close(verdict.smallest_lambda, orbit->lambda[0], 0.0, 0.0);
        carom_orbit_free(orbit);
    }
    chain_free(&c);
}

TEST(unit, the_end_of_the_family_grazes_where_the_specification_says) {
    const double end = 3.748044460919;
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit = single_impact_of(&c, end);
    const carom_admissibility verdict = certify(&c, orbit);
    // Twelve digits of T; the violation changes by -3.3 m for a second of T.
    assert_close(verdict.largest_gap_violation, 0.0, 0.0, 5e-12);
    ck_assert(verdict.is_admissible);
    // The grazing instant 0.0780829 T and its mirror image are equally high.
    const double fraction = fmin(verdict.time / end, 1.0 - verdict.time / end);
    assert_close(fraction, 0.0780829, 0.0, 1e-7);
    carom_orbit_free(orbit);
    // Below the end it penetrates, and not by a tolerance only.
    const double depths[] = {1e-10, 1e-8, 1e-6, 1e-3};
    for (int i = 0; i < 4; i++) {
        carom_orbit *below = single_impact_of(&c, end - depths[i]);
        carom_orbit *above = single_impact_of(&c, end + depths[i]);
        ck_assert(!certify(&c, below).is_admissible);
        ck_assert(certify(&c, above).is_admissible);
        ck_assert_double_gt(certify(&c, below).largest_gap_violation, 0.0);
        ck_assert_double_lt(certify(&c, above).largest_gap_violation, 0.0);
        carom_orbit_free(below);
        carom_orbit_free(above);
    }
    chain_free(&c);
}

TEST(unit, ends_of_the_admissible_intervals_are_ends) {
    // Specification 5.2, [C]: lower ends of type P and the instants as fractions of T.
    const double rows[][2] = {
        {1.497449919825, 0.1100531}, {2.623535070284, 0.1009461}, {2.924405445340, 0.5},
        {2.994371513977, 0.0678993}, {3.254691243145, 0.1970162}, {3.285100519929, 0.1227168},
        {3.891545039138, 0.1079511}, {3.937830767579, 0.0782717}, {7.198637051673, 0.4540596},
        {7.378880570169, 0.4011450}, {7.485408857269, 0.4313687}};
    chain c = chain_alloc(5, 1.0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        carom_orbit *below = single_impact_of(&c, rows[i][0] - 1e-9);
        carom_orbit *above = single_impact_of(&c, rows[i][0] + 1e-9);
        ck_assert(certify(&c, above).is_admissible);
        ck_assert(!certify(&c, below).is_admissible);
        // Seven printed digits.
        carom_orbit *end = single_impact_of(&c, rows[i][0]);
        const double fraction = certify(&c, end).time / end->period;
        assert_close(fmin(fraction, 1.0 - fraction), rows[i][1], 0.0, 0.6e-7);
        carom_orbit_free(end);
        carom_orbit_free(below);
        carom_orbit_free(above);
    }
    chain_free(&c);
}

TEST(unit, an_orbit_without_interior_maximum_has_nothing_to_report) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit = single_impact_of(&c, 4.30);
    const carom_admissibility verdict = certify(&c, orbit);
    ck_assert(isnan(sampled_violation(&c, orbit)));
    ck_assert(verdict.is_admissible);
    ck_assert(isnan(verdict.largest_gap_violation) && isnan(verdict.time));
    ck_assert(isinf(verdict.violation_bound) && verdict.violation_bound < 0.0);
    ck_assert_int_eq(verdict.flight, 0);
    carom_orbit_free(orbit);
    chain_free(&c);
}

TEST(unit, orbits_with_two_and_three_impacts_are_admissible) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *two = orbit_of(&c, 2, TWO_SIGMA, TWO_LAMBDA);
    carom_orbit *three = orbit_of(&c, 3, THREE_SIGMA, THREE_LAMBDA);
    assert_close(two->energy, 1.297798381204, 0.0, 1e-10);
    assert_close(three->energy, 1.932645770496, 0.0, 1e-10);
    ck_assert(certify(&c, two).is_admissible);
    const carom_admissibility verdict = certify(&c, three);
    ck_assert(verdict.is_admissible);
    assert_close(verdict.smallest_lambda, 0.287507622260, 0.0, 0.0);
    const double sampled = sampled_violation(&c, three);
    ck_assert_int_eq(isnan(sampled), verdict.flight == 0);
    if (verdict.flight > 0) {
        assert_close(verdict.largest_gap_violation, sampled, 0.0, 2e-5);
    }
    carom_orbit_free(two);
    carom_orbit_free(three);
    chain_free(&c);
}

TEST(unit, an_impact_that_vanishes_is_no_interior_maximum) {
    // Specification 5.4: the family (t_1, T), lambda_1 + lambda_2; its ends graze at t_1 or T.
    const double sigma[2] = {0.292658294206, 3.748044460919 - 0.292658294206};
    const double sum = 1.210884402901;
    chain c = chain_alloc(5, 1.0);
    const double shares[] = {0.0, 0.3, 0.5, 0.7, 1.0};
    for (int i = 0; i < 5; i++) {
        const double lambda[2] = {shares[i] * sum, (1.0 - shares[i]) * sum};
        carom_orbit *orbit = orbit_of(&c, 2, sigma, lambda);
        const carom_admissibility verdict = certify(&c, orbit);
        ck_assert_msg(verdict.is_admissible, "share %g: violation %.3g", shares[i],
                      verdict.largest_gap_violation);
        carom_orbit_free(orbit);
    }
    // E(lambda_1 = 0) of the same table; beyond the ends an impact would pull.
    const double end[2] = {0.0, sum};
    carom_orbit *orbit = orbit_of(&c, 2, sigma, end);
    assert_close(orbit->energy, 27.0668995, 0.0, 1e-7);
    carom_orbit_free(orbit);
    const double beyond[2] = {-1e-6, sum + 1e-6};
    orbit = orbit_of(&c, 2, sigma, beyond);
    const carom_admissibility verdict = certify(&c, orbit);
    ck_assert(!verdict.is_admissible);
    assert_close(verdict.smallest_lambda, -1e-6, 0.0, 0.0);
    carom_orbit_free(orbit);
    chain_free(&c);
}

TEST(unit, partial_families_are_admissible_in_their_middle_only) {
    // Specification 5.4: (t_1, T), with lambda_1 + lambda_2 = lambda of one impact at T.
    const double rows[3][2] = {{0.384967047863, 2.907238750173},
                               {1.246438794263, 2.992649843146},
                               {1.075426300121, 3.742799755749}};
    chain c = chain_alloc(5, 1.0);
    for (int i = 0; i < 3; i++) {
        carom_orbit *end = single_impact_of(&c, rows[i][1]);
        ck_assert(!certify(&c, end).is_admissible);
        const double sigma[2] = {rows[i][0], rows[i][1] - rows[i][0]};
        const double half[2] = {0.5 * end->lambda[0], 0.5 * end->lambda[0]};
        carom_orbit *middle = orbit_of(&c, 2, sigma, half);
        ck_assert(certify(&c, middle).is_admissible);
        carom_orbit_free(middle);
        // One impact and a graze: penetrating as the orbit with one impact does.
        const double graze[2] = {0.0, end->lambda[0]};
        carom_orbit *edge = orbit_of(&c, 2, sigma, graze);
        ck_assert(!certify(&c, edge).is_admissible);
        assert_close(certify(&c, edge).largest_gap_violation,
                     certify(&c, end).largest_gap_violation, 1e-9, 0.0);
        carom_orbit_free(edge);
        carom_orbit_free(end);
    }
    chain_free(&c);
}

TEST(unit, an_impact_of_zero_in_mid_flight_changes_no_maximum) {
    // The second flight starts below the gap, as the first goes on.
    chain c = chain_alloc(5, 1.0);
    carom_orbit *whole = single_impact_of(&c, 3.80);
    const double sigma[2] = {1.1, 2.7};
    const double lambda[2] = {0.0, whole->lambda[0]};
    carom_orbit *cut = orbit_of(&c, 2, sigma, lambda);
    assert_close(certify(&c, cut).largest_gap_violation, certify(&c, whole).largest_gap_violation,
                 0.0, 1e-13);
    carom_orbit_free(cut);
    carom_orbit_free(whole);
    chain_free(&c);
}

/* -------------------------------------------------------------------------------------- property
 */

TEST(property, verdicts_of_many_periods_agree_with_dense_samples) {
    gsl_rng *generator = seeded_generator(20170827);
    int admissible = 0;
    for (int trial = 0; trial < 150; trial++) {
        const double gap = trial % 3 == 0 ? -1.0 : 1.0;
        chain c = chain_alloc(1 + trial % 7, gap);
        carom_orbit *orbit = single_impact_of(&c, uniform(generator, 0.3, 5.0));
        const carom_admissibility verdict = certify(&c, orbit);
        const double sampled = sampled_violation(&c, orbit);
        if (verdict.flight == 0) {
            ck_assert(isnan(sampled));
        } else {
            // X_2 T^2/(8 4000^2), X_2 <= sqrt(2 E G) w_max.
            const double X_2 = sqrt(2.0 * orbit->energy) * c.basis->root_inverse_mass *
                               c.basis->frequency[c.basis->visible_count - 1];
            const double h = orbit->period / 4000.0;
            ck_assert(isnan(sampled) || verdict.violation_bound >= sampled);
            assert_close(verdict.largest_gap_violation, isnan(sampled) ? 0.0 : sampled, 0.0,
                         X_2 * h * h);
        }
        const bool expected = orbit->lambda[0] >= 0.0 && !(sampled > 1e-10);
        ck_assert_msg(verdict.is_admissible == expected, "trial %d, T = %.17g", trial,
                      orbit->period);
        admissible += verdict.is_admissible;
        carom_orbit_free(orbit);
        chain_free(&c);
    }
    // Both verdicts are common.
    ck_assert_int_gt(admissible, 30);
    ck_assert_int_lt(admissible, 120);
    gsl_rng_free(generator);
}

TEST(property, the_verdict_does_not_depend_on_the_impact_that_comes_first) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit = orbit_of(&c, 3, THREE_SIGMA, THREE_LAMBDA);
    const carom_admissibility first = certify(&c, orbit);
    carom_orbit_free(orbit);
    for (int r = 1; r < 3; r++) {
        double sigma[3];
        double lambda[3];
        for (int j = 0; j < 3; j++) {
            sigma[j] = THREE_SIGMA[(j + r) % 3];
            lambda[j] = THREE_LAMBDA[(j + r) % 3];
        }
        orbit = orbit_of(&c, 3, sigma, lambda);
        const carom_admissibility verdict = certify(&c, orbit);
        ck_assert_int_eq(verdict.is_admissible, first.is_admissible);
        ck_assert_int_eq(verdict.flight == 0, first.flight == 0);
        if (first.flight > 0) {
            assert_close(verdict.largest_gap_violation, first.largest_gap_violation, 0.0, 1e-12);
        }
        carom_orbit_free(orbit);
    }
    chain_free(&c);
}

TEST(property, violations_scale_with_the_gap) {
    chain unit = chain_alloc(5, 1.0);
    chain large = chain_alloc(5, 4096.0);
    carom_orbit *a = single_impact_of(&unit, 3.80);
    carom_orbit *b = single_impact_of(&large, 3.80);
    const carom_admissibility verdict_a = certify(&unit, a);
    const carom_admissibility verdict_b = certify(&large, b);
    ck_assert(verdict_a.is_admissible && verdict_b.is_admissible);
    // Powers of two change no rounding.
    assert_close(verdict_b.largest_gap_violation, 4096.0 * verdict_a.largest_gap_violation, 0.0,
                 0.0);
    assert_close(verdict_b.violation_bound, 4096.0 * verdict_a.violation_bound, 0.0, 0.0);
    carom_orbit_free(a);
    carom_orbit_free(b);
    chain_free(&unit);
    chain_free(&large);
}

/* ---------------------------------------------------------------------------------------- errors
 */

TEST(errors, an_orbit_that_is_not_complete_is_not_admissible) {
    chain c = chain_alloc(5, 1.0);
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(c.basis, 2, &orbit));
    carom_admissibility verdict = certify(&c, orbit);
    ck_assert(!verdict.is_admissible);
    ck_assert(isnan(verdict.violation_bound) && isnan(verdict.smallest_lambda));
    carom_orbit_free(orbit);
    orbit = single_impact_of(&c, 3.80);
    orbit->flight_times[0] = 0.0;
    ck_assert(!certify(&c, orbit).is_admissible);
    orbit->flight_times[0] = 3.80;
    orbit->lambda[0] = (double)NAN;
    ck_assert(!certify(&c, orbit).is_admissible);
    carom_orbit_free(orbit);
    orbit = single_impact_of(&c, 3.80);
    orbit->state[3] = (double)INFINITY;
    ck_assert(!certify(&c, orbit).is_admissible);
    carom_orbit_free(orbit);
    chain_free(&c);
}
