/* carom/modes: motions with one impact per period, in closed form. */
#include "single_impact_subject.h"

#include <math.h>
#include <string.h>

#define SEED 20170917UL

/** Periods of the specification's tables: 12 decimals are printed; what is asked for is 1e-9. */
static const double PERIOD_TOLERANCE = 1e-11;

TEST(unit, roots_of_the_contact_function_lie_one_in_each_harmonic_interval) {
    // Specification 5.2 [C]
    const double expected[] = {0.653492721951, 0.739458874176, 0.928250637931, 1.295675618606,
                               1.339497835007, 1.495351441282, 1.853114563879, 1.962529174100,
                               2.179519212917, 2.339291364548, 2.623044313161, 2.900372309751,
                               2.990322774351, 3.198389576042, 3.280291592031, 3.739673281480,
                               3.854278008544, 3.930100438948};
    subject s = chain(1.0);
    double lower = 0.0;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const double upper = carom_harmonic_above(s.basis, lower).period;
        double root = NAN;
        assert_ok(carom_single_impact_root(s.basis, lower, upper, &root));
        assert_close(root, expected[i], 0.0, PERIOD_TOLERANCE);
        lower = upper;
    }
    free_subject(&s);
}

TEST(unit, motions_next_to_four_times_the_third_period_are_those_of_the_reference) {
    // Specification 5.2 [C]: T, lambda, contact speed, E, the first at the grazing end, where the
    // 12 digits of T leave 1e-9 of lambda.
    const double expected[][4] = {
        {3.748044460919, 1.210884402902, 2.707619837783, 27.0668995247},
        {3.76, 0.890822488560, 1.991939640306, 5.7931857532},
        {3.78, 0.722064395265, 1.614585071944, 2.8720556693},
        {3.80, 0.594777359460, 1.329962607230, 3.0736596698},
        {3.82, 0.416297918939, 0.930870445638, 5.5527256833},
    };
    subject s = chain(1.0);
    for (int i = 0; i < 5; i++) {
        assert_ok(carom_single_impact_orbit(s.basis, expected[i][0], s.orbit));
        assert_close(s.orbit->lambda[0], expected[i][1], 1e-9, 0.0);
        assert_close(sqrt(5.0) * s.orbit->lambda[0], expected[i][2], 1e-9, 0.0);
        assert_close(s.orbit->energy, expected[i][3], 1e-9, 0.0);
        assert_close(s.orbit->period, expected[i][0], 0.0, 0.0);
        ck_assert(s.orbit->residual < 1e-13);
    }
    // towards the harmonic, the grazing linear mode: lambda -> 0, E -> E_3, at first order with
    // dE/dT = -(g_0/sqrt(G)) lambda'' of some 1e3 J/s
    assert_ok(carom_single_impact_orbit(s.basis, 3.837875738449 - 1e-8, s.orbit));
    assert_close(s.orbit->lambda[0], 0.0, 0.0, 1e-5);
    assert_close(s.orbit->energy, 20.6478469483, 1e-5, 0.0);
    free_subject(&s);
}

TEST(unit, initial_positions_are_those_of_the_reference) {
    // Specification 5.2 [C], printed to 10 decimals; only the last mass has a velocity at 0^+.
    const double periods[] = {3.80, 3.76};
    const double expected[][5] = {
        {0.7532595668, 0.4096457743, 0.1226250716, 0.5066903476, 1.0},
        {1.0078078666, 0.2946803434, 0.3675453221, 1.1469276217, 1.0},
    };
    subject s = chain(1.0);
    for (int i = 0; i < 2; i++) {
        double position[5];
        double velocity[5];
        assert_ok(carom_single_impact_orbit(s.basis, periods[i], s.orbit));
        carom_modal_basis_expand(s.basis, s.orbit->state, position, velocity);
        for (int p = 0; p < 5; p++) {
            assert_close(position[p], expected[i][p], 0.0, 1e-10);
            const double speed = p == 4 ? -sqrt(5.0) * s.orbit->lambda[0] : 0.0;
            assert_close(velocity[p], speed, 0.0, 1e-13);
        }
    }
    free_subject(&s);
}

TEST(unit, one_mass_has_its_closed_form) {
    // phi_c = -cot(w T/2)/w: roots (p - 1/2) T_1, lambda = -g_0 w tan(w T/2), E = (w g_0 / cos)^2
    // / 2.
    const double w = 2.385;
    const double T_1 = 2.0 * acos(-1.0) / w;
    for (int sign = -1; sign <= 1; sign += 2) {
        subject s = one_mass(w, sign * 0.731);
        for (int p = 0; p < 20; p++) {
            double root = NAN;
            assert_ok(carom_single_impact_root(s.basis, p * T_1, (p + 1) * T_1, &root));
            assert_close(root, (p + 0.5) * T_1, 1e-15, 0.0);
            const double T = (p + 0.37) * T_1;
            assert_ok(carom_single_impact_orbit(s.basis, T, s.orbit));
            const double lambda = -sign * 0.731 * w * tan(0.5 * w * T);
            const double amplitude = w * 0.731 / cos(0.5 * w * T);
            // the phase w T/2 is rounded to 1e-16 of up to 60
            assert_close(s.orbit->lambda[0], lambda, 1e-12, 0.0);
            assert_close(s.orbit->energy, 0.5 * amplitude * amplitude, 1e-12, 0.0);
        }
        free_subject(&s);
    }
}

TEST(unit, without_a_gap_the_structure_is_at_rest) {
    subject s = chain(0.0);
    assert_ok(carom_single_impact_orbit(s.basis, 3.37, s.orbit));
    ck_assert(!signbit(s.orbit->lambda[0]));
    assert_close(s.orbit->lambda[0], 0.0, 0.0, 0.0);
    assert_close(s.orbit->energy, 0.0, 0.0, 0.0);
    assert_close(s.orbit->residual, 0.0, 0.0, 0.0);
    free_subject(&s);
}

/** A period between two neighbouring harmonics, away from both by a tenth. */
static double inner_period(gsl_rng *generator, const subject *s) {
    const double lower = carom_harmonic_above(s->basis, uniform(generator, 0.0, 20.0)).period;
    const double upper = carom_harmonic_above(s->basis, lower).period;
    return lower + uniform(generator, 0.1, 0.9) * (upper - lower);
}

TEST(property, the_contact_function_rises_between_harmonics_through_one_root) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, 1.3);
        double lower = 0.0;
        for (int j = 0; j < 12; j++) {
            const double upper = carom_harmonic_above(s.basis, lower).period;
            double root = NAN;
            assert_ok(carom_single_impact_root(s.basis, lower, upper, &root));
            double last = -INFINITY;
            for (int i = 1; i < 49; i++) {
                const double T = lower + i / 49.0 * (upper - lower);
                const double phi = -carom_kernels_evaluate(s.basis, T, T).gap;
                ck_assert(phi > last);
                ck_assert_msg((phi > 0.0) == (T > root), "seed %lu: phi(%.17g) = %g, root %.17g",
                              SEED, T, phi, root);
                last = phi;
            }
            lower = upper;
        }
        free_subject(&s);
    }
    gsl_rng_free(generator);
}

TEST(property, lambda_is_positive_for_one_sign_of_the_gap_and_scales_with_it) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, 1.3);
        const double T = inner_period(generator, &s);
        assert_ok(carom_single_impact_orbit(s.basis, T, s.orbit));
        const double lambda = s.orbit->lambda[0];
        const double energy = s.orbit->energy;
        ck_assert(energy > 0.0);
        const double phi = -carom_kernels_evaluate(s.basis, T, T).gap;
        ck_assert((lambda > 0.0) == (phi > 0.0));
        s.basis->gap_at_rest *= -2.3;
        assert_ok(carom_single_impact_orbit(s.basis, T, s.orbit));
        assert_close(s.orbit->lambda[0], -2.3 * lambda, 1e-14, 0.0);
        assert_close(s.orbit->energy, 2.3 * 2.3 * energy, 1e-13, 0.0);
        free_subject(&s);
    }
    gsl_rng_free(generator);
}

TEST(property, motions_close_when_propagated_in_physical_coordinates) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 30; round++) {
        subject s = random_subject(generator, round, round % 2 == 0 ? 1.3 : -0.6);
        physical *structure = physical_alloc(s.system);
        const double T = inner_period(generator, &s);
        assert_ok(carom_single_impact_orbit(s.basis, T, s.orbit));
        ck_assert(s.orbit->residual < 1e-12);
        // 1e-13 of the matrix exponential, over the smallest sine and the distance from the root
        const double length = fmax(fabs(s.system->gap_at_rest), fabs(s.orbit->lambda[0]));
        assert_physical_orbit(structure, s.basis, s.orbit, length, 1e-9);
        physical_free(structure);
        free_subject(&s);
    }
    gsl_rng_free(generator);
}

TEST(property, all_rests_at_half_period_and_only_the_struck_mass_jumps) {
    // Remark 7.1, for the chain
    gsl_rng *generator = seeded_generator(SEED + 3);
    subject s = chain(1.0);
    for (int round = 0; round < 50; round++) {
        assert_ok(carom_single_impact_orbit(s.basis, inner_period(generator, &s), s.orbit));
        const double T = s.orbit->period;
        const double size = sqrt(2.0 * s.orbit->energy);
        double v[5];
        double v_post[5];
        // rounding of |z| in phases of up to 100, masses 1/5 kg
        carom_orbit_motion(s.basis, s.orbit, 0.5 * T, NULL, v, s.state);
        for (int p = 0; p < 5; p++) {
            assert_close(v[p], 0.0, 0.0, 1e-12 * size);
        }
        memcpy(s.state, s.orbit->state, 10 * sizeof *s.state);
        carom_modal_basis_expand(s.basis, s.state, NULL, v_post);
        carom_modal_basis_rotate(s.basis, T, s.state);
        carom_modal_basis_expand(s.basis, s.state, NULL, v);
        for (int p = 0; p < 4; p++) {
            assert_close(v[p], v_post[p], 0.0, 1e-12 * size);
        }
        assert_close(v[4], -v_post[4], 0.0, 1e-12 * size);
    }
    free_subject(&s);
    gsl_rng_free(generator);
}

TEST(property, energy_is_the_derivative_of_lambda) {
    // E dT = -(g_0/sqrt(G)) d lambda along the family (specification 2.8 [D]); central differences
    // of step 1e-6 of the distance from the pole: 1e-12 truncated, 1e-10 rounded.
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int round = 0; round < 60; round++) {
        subject s = random_subject(generator, round, round % 2 == 0 ? 1.3 : -0.6);
        const double lower = carom_harmonic_above(s.basis, uniform(generator, 0.0, 20.0)).period;
        const double upper = carom_harmonic_above(s.basis, lower).period;
        double root = NAN;
        assert_ok(carom_single_impact_root(s.basis, lower, upper, &root));
        const double T = root + 0.4 * (upper - root);
        const double h = 1e-5 * (upper - root);
        assert_ok(carom_single_impact_orbit(s.basis, T - h, s.orbit));
        const double before = s.orbit->lambda[0];
        assert_ok(carom_single_impact_orbit(s.basis, T + h, s.orbit));
        const double after = s.orbit->lambda[0];
        assert_ok(carom_single_impact_orbit(s.basis, T, s.orbit));
        const double slope = (after - before) / (2.0 * h);
        const double energy = -s.basis->gap_at_rest / s.basis->root_inverse_mass * slope;
        assert_close(s.orbit->energy, energy, 1e-6, 0.0);
        free_subject(&s);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_no_motion_is_refused) {
    subject s = chain(1.0);
    const double refused[] = {0.0, -1.7, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_status(carom_single_impact_orbit(s.basis, refused[i], s.orbit), OUT_OF_RANGE);
        ck_assert(isnan(s.orbit->lambda[0]) && isnan(s.orbit->energy) && isnan(s.orbit->period));
        ck_assert(isnan(s.orbit->state[9]) && isnan(s.orbit->flight_times[0]));
    }
    // at every harmonic and every root
    double lower = 0.0;
    for (int i = 0; i < 60; i++) {
        const double upper = carom_harmonic_above(s.basis, lower).period;
        double root = NAN;
        assert_ok(carom_single_impact_root(s.basis, lower, upper, &root));
        assert_status(carom_single_impact_orbit(s.basis, upper, s.orbit), SINGULAR);
        assert_status(carom_single_impact_orbit(s.basis, root, s.orbit), SINGULAR);
        ck_assert(isnan(s.orbit->lambda[0]) && isnan(s.orbit->state[0]));
        lower = upper;
    }
    free_subject(&s);
}

TEST(errors, bounds_of_a_root_out_of_order_are_refused) {
    subject s = chain(1.0);
    double root = 0.0;
    assert_status(carom_single_impact_root(s.basis, 2.0, 1.0, &root), OUT_OF_RANGE);
    ck_assert(isnan(root));
    assert_status(carom_single_impact_root(s.basis, 2.0, 2.0, &root), OUT_OF_RANGE);
    assert_status(carom_single_impact_root(s.basis, -0.1, 2.0, &root), OUT_OF_RANGE);
    assert_status(carom_single_impact_root(s.basis, NAN, 2.0, &root), OUT_OF_RANGE);
    assert_status(carom_single_impact_root(s.basis, 1.0, INFINITY, &root), OUT_OF_RANGE);
    // between a root and the next harmonic the function has no zero
    assert_status(carom_single_impact_root(s.basis, 3.9379, 4.4149, &root), NOT_CONVERGED);
    ck_assert(isnan(root));
    free_subject(&s);
}

TEST(unit, the_scan_of_one_mass_meets_its_root_and_the_slope_of_its_middle) {
    // phi = -cot(w T/2)/w has the slope 1/(2 sin^2(w T/2)) >= 1/2, at the root in the middle; the
    // nearest of 64 periods is a fortieth of the interval away.
    const double w = 2.385;
    const double T_1 = 2.0 * acos(-1.0) / w;
    subject s = one_mass(w, 0.731);
    for (int p = 0; p < 5; p++) {
        double slope = INFINITY;
        ck_assert_int_eq(carom_single_impact_scan(s.basis, p * T_1, (p + 1) * T_1, &slope), 1);
        ck_assert_double_ge(slope, 0.5);
        ck_assert_double_le(slope, 0.5 / pow(cos(acos(-1.0) / 40.0), 2.0));
    }
    double slope = 0.25;
    ck_assert_int_eq(carom_single_impact_scan(s.basis, 0.6 * T_1, 0.9 * T_1, &slope), 0);
    assert_close(slope, 0.25, 0.0, 0.0);
    free_subject(&s);
}
