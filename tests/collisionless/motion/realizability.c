/* carom/collisionless/motion/spectral_motion.h against the paper's claims, closed
 * forms and dense sampling. */
#include "motion_cases.h"
#include "single_oscillations.h"

#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>

static carom_motion_bounds bounds_of(const carom_phase_spectra *spectra,
                                     const carom_impact_root *root) {
    carom_spectral_motion *motion;
    assert_ok(
        carom_spectral_motion_compute(spectra, root->time, root->constrained_time, &motion, NULL));
    const carom_motion_bounds bounds = carom_motion_bounds_compute(motion);
    carom_spectral_motion_free(motion);
    return bounds;
}

static carom_phase_modes *modes_of(const motion_case *c) {
    carom_phase_modes *modes;
    assert_ok(carom_phase_modes_compute(c->n, c->mass, c->stiffness, c->parity,
                                        c->constrained_parity, &modes, NULL));
    return modes;
}

TEST(unit, only_the_bottom_row_of_the_biped_is_realizable) {
    // Reference table A.3: least F_N/F_N^0 to four decimals; the gap opens in all rows (C15).
    const double least[3][4] = {{0.0, 0.0, 0.0, 0.0},
                                {-0.3918, -0.3964, -0.3965, -0.3965},
                                {-0.3922, -0.3968, -0.3969, -0.3969}};
    carom_phase_modes *modes = modes_of(&BIPED);
    for (int row = 0; row < 3; row++) {
        for (int column = 2; column < 6; column++) {
            carom_impact_root root;
            assert_ok(carom_impact_roots_cell(modes->spectra, column, row, &root, NULL));
            const carom_motion_bounds bounds = bounds_of(modes->spectra, &root);
            assert_close(bounds.minimum_force_ratio, least[row][column - 2], 0.0, 0.51e-4);
            // Antisymmetric about 1.
            assert_close(bounds.maximum_force_ratio, 2.0 - bounds.minimum_force_ratio, 1e-12, 0.0);
            ck_assert(fabs(bounds.minimum_gap) <= 0.0);
            assert_close(bounds.minimum_gap_time, root.time, 0.0, 0.0);
            ck_assert(bounds.is_gap_decided && bounds.is_force_decided);
            ck_assert_int_eq(bounds.is_realizable, row == 0);
            ck_assert_int_eq(bounds.contact_sign, 1);
            ck_assert_int_lt(bounds.intervals, 1000);
        }
    }
    // The largest gap of the circled solution is at P: x_3 = 1.078289034 against -5/3 (A.2), in
    // units of c F_N^0 = 0.099081937236584.
    carom_impact_root root;
    assert_ok(carom_impact_roots_cell(modes->spectra, 2, 0, &root, NULL));
    const carom_motion_bounds bounds = bounds_of(modes->spectra, &root);
    assert_close(bounds.maximum_gap, (1.078289034 + 5.0 / 3.0) / 0.099081937236584, 1e-9, 0.0);
    assert_close(bounds.maximum_gap_time, 0.0, 0.0, 1e-7);
    carom_phase_modes_free(modes);
}

TEST(unit, rows_of_two_modes_have_the_closed_minimum) {
    // Reference table A.8: F/F^0 = 1 - sin(omega' t')/.. or 1 - cos/..: least value 1 - 1/|sin o'|
    // or
    // 1
    // - 1/|cos o'| in rows r >= 1, 0 in row 0; the largest one 1 + the same, or 2 (odd, r = 0).
    const motion_case *cases[] = {&REACTION_WHEEL_1, &PENDULUM_WHEEL, &ROCKER_2, &HOPPER_2,
                                  &JUGGLER};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        carom_phase_modes *modes = modes_of(cases[k]);
        const bool is_even = cases[k]->constrained_parity == CAROM_PARITY_EVEN;
        const double omega = sqrt(modes->spectra->constrained[0]);
        for (int row = 0; row < 4; row++) {
            carom_impact_root root;
            // A further row adds pi to the impact phase o'.
            assert_ok(carom_impact_roots_polish(modes->spectra, cases[k]->time,
                                                cases[k]->constrained_time + row * M_PI / omega,
                                                &root, NULL));
            const double phase = omega * root.constrained_time;
            const double amplitude = 1.0 / fabs(is_even ? cos(phase) : sin(phase));
            const carom_motion_bounds bounds = bounds_of(modes->spectra, &root);
            assert_close(bounds.minimum_force_ratio, row == 0 ? 0.0 : 1.0 - amplitude, 1e-13,
                         1e-14);
            assert_close(bounds.maximum_force_ratio, !is_even && row == 0 ? 2.0 : 1.0 + amplitude,
                         1e-13, 0.0);
            ck_assert_int_eq(bounds.is_realizable, row == 0);
            ck_assert(bounds.is_gap_decided && bounds.is_force_decided);
        }
        carom_phase_modes_free(modes);
    }
}

TEST(unit, extremes_of_the_hopper_are_those_of_the_table) {
    // Reference table A.8: c = 1/2 (unit masses), c F_N^0 = 1 at unit gravity; the largest force
    // over the weight, the gap at P and its maximum, which is not at P for n = 3.
    carom_phase_modes *modes = modes_of(&HOPPER_2);
    carom_impact_root root;
    assert_ok(carom_impact_roots_polish(modes->spectra, HOPPER_2.time, HOPPER_2.constrained_time,
                                        &root, NULL));
    carom_motion_bounds bounds = bounds_of(modes->spectra, &root);
    assert_close(modes->normalisation, 0.5, 1e-14, 0.0);
    assert_close(bounds.maximum_gap, 7.8493515635, 0.0, 0.6e-10);
    assert_close(bounds.maximum_force_ratio, 4.3309704709, 0.0, 0.6e-10);
    assert_ok(carom_impact_roots_polish(modes->spectra, HOPPER_3.time, HOPPER_3.constrained_time,
                                        &root, NULL));
    bounds = bounds_of(modes->spectra, &root);
    // Its gap (2.11) is largest at omega_2 t cos(alpha) = sin(omega_2 t); 17.130787.. in the table.
    const double alpha = 7.725251836938;
    double phase = 2.777;
    for (int step = 0; step < 5; step++) {
        phase -= (sin(phase) / cos(alpha) - phase) / (cos(phase) / cos(alpha) - 1.0);
    }
    const double largest_gap =
        0.5 * (0.5 * (alpha * alpha - phase * phase) + 1.0 - cos(phase) / cos(alpha));
    assert_close(largest_gap, 17.130787, 0.0, 1e-6);
    assert_close(bounds.maximum_gap, largest_gap, 1e-11, 0.0);
    assert_close(fabs(bounds.maximum_gap_time), phase / M_SQRT2, 1e-8, 0.0);
    assert_close(bounds.maximum_force_ratio, 6.5533555597, 0.0, 0.6e-10);
    ck_assert(bounds.is_realizable);
    carom_phase_modes_free(modes);
}

TEST(unit, an_attractive_static_force_changes_the_sign) {
    // Reference: F_N^0 = -0.5, force between 0 and 3.6754 at P'.
    held_motion held = hold_motion(&HANGING_CHAIN, CAROM_MOTION_SCALE_CONTACT_LEVEL, -1.0);
    const carom_motion_bounds bounds = carom_motion_bounds_compute(held.motion->spectral);
    ck_assert(bounds.is_realizable);
    ck_assert_int_eq(bounds.contact_sign, -1);
    assert_close(bounds.minimum_force_ratio, 0.0, 0.0, 0.0);
    assert_close(0.5 * bounds.maximum_force_ratio, 3.6754, 0.0, 0.51e-4);
    assert_close(bounds.maximum_force_time, 0.0, 0.0, 1e-7);
    release_motion(&held);

    // Without static force: between walls, a velocity 1 + cos >= 0.
    held_motion walls = hold_motion(&BETWEEN_WALLS, CAROM_MOTION_SCALE_CONTACT_LEVEL, 1.0);
    ck_assert(carom_motion_bounds_compute(walls.motion->spectral).is_realizable);
    release_motion(&walls);
}

TEST(unit, upper_rows_of_the_stand_in_pull_slightly) {
    // Reference table A.4, n = 3: -0.0045 in rows 1 and 2.
    const double lambda[4] = {-3.1, -1.7, -0.8, 1.3};
    const double constrained[3] = {-2.4, -1.2, 0.01};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    for (int row = 0; row < 3; row++) {
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(spectra, 3, row, &root, NULL));
        const carom_motion_bounds bounds = bounds_of(spectra, &root);
        assert_close(bounds.minimum_force_ratio, row == 0 ? 0.0 : -0.0045, 0.0, 0.51e-4);
        ck_assert_int_eq(bounds.is_realizable, row == 0);
    }
    carom_phase_spectra_free(spectra);
}

TEST(unit, long_phases_are_decided) {
    // nu_1 tau = 1.9e3 and nu'_1 tau' = 2.4e3 (critical stand-in).
    const double lambda[4] = {-3.1, -1.7, -0.8, 1.3};
    const double constrained[3] = {-2.4, -1.2, 1e-6};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    carom_impact_root root;
    assert_ok(carom_impact_roots_cell(spectra, 400, 0, &root, NULL));
    const carom_motion_bounds bounds = bounds_of(spectra, &root);
    ck_assert(bounds.is_realizable);
    assert_close(bounds.maximum_force_ratio, 2.0, 1e-12, 0.0);
    carom_phase_spectra_free(spectra);
}

/** Product of polynomials p and q of the given degrees. */
static void multiply_polynomials(int p_degree, const double *p, int q_degree, const double *q,
                                 double *product) {
    for (int k = 0; k <= p_degree + q_degree; k++) {
        product[k] = 0.0;
    }
    for (int i = 0; i <= p_degree; i++) {
        for (int j = 0; j <= q_degree; j++) {
            product[i + j] += p[i] * q[j];
        }
    }
}

/**
 * A motion whose gap is (cos t - cos tau)^3 ((cos t - c)^2 + e), of even modes of frequency 1 to 5:
 * cos kt = 1 - k^2 h_k. Its force is that of a rocker, 1 - sin/sin.
 */
static void set_polynomial_gap(carom_spectral_motion *motion, double c, double e) {
    const double C = cos(motion->time);
    const double triple[4] = {-C * C * C, 3.0 * C * C, -3.0 * C, 1.0};
    const double twice[3] = {c * c + e, -2.0 * c, 1.0};
    double p[6];
    multiply_polynomials(3, triple, 2, twice, p);
    // Powers of cos t in cos kt.
    const double cosines[6] = {p[0] + p[2] / 2.0 + p[4] * 3.0 / 8.0,
                               p[1] + p[3] * 3.0 / 4.0 + p[5] * 10.0 / 16.0,
                               p[2] / 2.0 + p[4] / 2.0,
                               p[3] / 4.0 + p[5] * 5.0 / 16.0,
                               p[4] / 8.0,
                               p[5] / 16.0};
    for (int k = 1; k <= 5; k++) {
        motion->gap_amplitude[k - 1] = -k * k * cosines[k];
    }
    carom_modal_sum sum = carom_spectral_motion_gap_sum(motion);
    carom_modal_sum_anchor(&sum);
    motion->gap_offset = sum.offset;
}

TEST(unit, a_gap_that_touches_the_ground_is_left_undecided) {
    double lambda[5] = {1.0, 4.0, 9.0, 16.0, 25.0};
    double constrained[4] = {2.0, 6.0, 12.0, 20.0};
    carom_parity even[5] = {CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN,
                            CAROM_PARITY_EVEN, CAROM_PARITY_EVEN};
    carom_parity odd[4] = {CAROM_PARITY_ODD, CAROM_PARITY_ODD, CAROM_PARITY_ODD, CAROM_PARITY_ODD};
    double rest[4] = {0.0};
    carom_phase_spectra spectra = {5, lambda, constrained, rest, even, odd};
    double gap_amplitude[5];
    double zeros[5] = {0.0};
    double force[4] = {1.0, 0.0, 0.0, 0.0};
    carom_spectral_motion motion = {.spectra = &spectra,
                                    .time = 2.3,
                                    .constrained_time = 0.8,
                                    .gap_amplitude = gap_amplitude,
                                    .log_scale = zeros,
                                    .constrained_amplitude = force,
                                    .constrained_log_scale = zeros,
                                    .contact_sign = 1};
    carom_modal_sum sum = carom_spectral_motion_force_sum(&motion);
    carom_modal_sum_anchor(&sum);
    motion.force_offset = sum.offset;
    const double c = cos(1.1);
    const double cube = gsl_pow_3(c - cos(2.3));

    set_polynomial_gap(&motion, c, 0.0);
    carom_motion_bounds bounds = carom_motion_bounds_compute(&motion);
    ck_assert(!bounds.is_gap_decided && !bounds.is_realizable && bounds.is_force_decided);
    ck_assert_int_eq(carom_motion_bounds_realizability(&bounds), -1);
    assert_close(bounds.minimum_gap, 0.0, 0.0, 1e-13);

    // Clear of the ground, or below it, by 1e-9 of the size: decided.
    set_polynomial_gap(&motion, c, 1e-9);
    bounds = carom_motion_bounds_compute(&motion);
    ck_assert(bounds.is_gap_decided && bounds.is_realizable);
    ck_assert_int_eq(carom_motion_bounds_realizability(&bounds), 1);
    ck_assert(fabs(bounds.minimum_gap) <= 0.0);
    set_polynomial_gap(&motion, c, -1e-9);
    bounds = carom_motion_bounds_compute(&motion);
    ck_assert(bounds.is_gap_decided && !bounds.is_realizable);
    ck_assert_int_eq(carom_motion_bounds_realizability(&bounds), 0);
    // To first order in e; rounding of amplitudes up to 30.
    assert_close(bounds.minimum_gap, -1e-9 * cube, 1e-3, 2e-14);
    assert_close(bounds.minimum_gap_time, 1.1, 0.0, 1e-4);

    // Deep: the closed minimum by differentiation, (x - C)^3 ((x - c)^2 + e), x = cos t.
    set_polynomial_gap(&motion, c, -0.04);
    bounds = carom_motion_bounds_compute(&motion);
    const double C = cos(2.3);
    // 3 ((x-c)^2 + e) + 2 (x - C)(x - c) = 0: 5 y^2 + 2 D y + 3 e = 0 for y = x - c, D = c - C.
    const double D = c - C;
    const double y = (-D + sqrt(D * D + 15.0 * 0.04)) / 5.0;
    const double inner = (-D - sqrt(D * D + 15.0 * 0.04)) / 5.0;
    const double value = gsl_pow_3(D + y) * (y * y - 0.04);
    ck_assert(value < gsl_pow_3(D + inner) * (inner * inner - 0.04));
    assert_close(bounds.minimum_gap, value, 1e-12, 0.0);
    assert_close(bounds.minimum_gap_time, acos(c + y), 0.0, 1e-9);

    // Nothing is decided about a motion that does not know its side.
    motion.contact_sign = 0;
    set_polynomial_gap(&motion, c, 0.5);
    bounds = carom_motion_bounds_compute(&motion);
    ck_assert(!bounds.is_gap_decided && !bounds.is_force_decided && !bounds.is_realizable);
}

TEST(property, the_bottom_row_is_realizable_and_no_other) {
    // Claim 5: one oscillating mode in each phase, uniform parities.
    const unsigned long seed = 8201;
    for (unsigned long sample = 0; sample < 120; sample++) {
        const int N = 2 + (int)(sample % 5);
        carom_phase_spectra *spectra = random_spectra(seed, sample, N, false);
        const int first = spectra->unconstrained_parity[0] == CAROM_PARITY_EVEN ? 2 : 1;
        for (int row = 0; row < 3; row++) {
            carom_impact_root root;
            assert_ok(
                carom_impact_roots_cell(spectra, first + (int)(sample % 3), row, &root, NULL));
            const carom_motion_bounds bounds = bounds_of(spectra, &root);
            ck_assert_msg(bounds.is_realizable == (row == 0), "sample %lu row %d, seed %lu", sample,
                          row, seed);
            ck_assert(bounds.is_gap_decided && bounds.is_force_decided);
            ck_assert(fabs(bounds.minimum_gap) <= 0.0);
            ck_assert_int_eq(bounds.contact_sign, 1);
            ck_assert(row == 0 || bounds.minimum_force_ratio < 0.0);
        }
        carom_phase_spectra_free(spectra);
    }
}

/** Least value of s times a sum on 2000 equal steps. */
static double sampled_minimum(const carom_modal_sum *sum, double s) {
    double least = 0.0;
    for (int k = 0; k <= 2000; k++) {
        double value[4];
        carom_modal_sum_evaluate(sum, sum->impact_time * (k / 1000.0 - 1.0), value);
        least = fmin(least, s * value[0]);
    }
    return least;
}

TEST(property, bounds_agree_with_dense_sampling) {
    // Any number of oscillating modes, any parities: both verdicts occur for gap and force.
    const unsigned long seed = 8202;
    int verdicts[2][2] = {{0, 0}, {0, 0}};
    for (unsigned long sample = 0; sample < 150; sample++) {
        const int N = 2 + (int)(sample % 5);
        carom_phase_spectra *spectra = draw_spectra(seed, sample, N, sample % 2 == 0);
        carom_impact_root root;
        if (draw_root(seed, sample, spectra, &root)) {
            carom_spectral_motion *motion;
            assert_ok(carom_spectral_motion_compute(spectra, root.time, root.constrained_time,
                                                    &motion, NULL));
            const carom_motion_bounds bounds = carom_motion_bounds_compute(motion);
            const carom_modal_sum sums[2] = {carom_spectral_motion_gap_sum(motion),
                                             carom_spectral_motion_force_sum(motion)};
            const double least[2] = {bounds.minimum_gap, bounds.minimum_force_ratio};
            const double least_time[2] = {bounds.minimum_gap_time, bounds.minimum_force_time};
            const double most[2] = {bounds.maximum_gap, bounds.maximum_force_ratio};
            const double most_time[2] = {bounds.maximum_gap_time, bounds.maximum_force_time};
            ck_assert(bounds.is_gap_decided && bounds.is_force_decided);
            ck_assert_int_eq(bounds.is_realizable, !(least[0] < 0.0) && !(least[1] < 0.0));
            for (int k = 0; k < 2; k++) {
                const double s = (double)motion->contact_sign;
                const double size = carom_modal_sum_bound(&sums[k], 0, fabs(sums[k].impact_time));
                const double bend = carom_modal_sum_bound(&sums[k], 2, fabs(sums[k].impact_time));
                const double step = 1e-3 * fabs(sums[k].impact_time);
                const double sampled = sampled_minimum(&sums[k], s);
                // Samples miss an inner minimum by step^2/8 of the second derivative.
                ck_assert(least[k] <= sampled + 1e-11 * size);
                ck_assert(least[k] >= sampled - step * step * bend - 1e-11 * size);
                const double sampled_most = -sampled_minimum(&sums[k], -s);
                ck_assert(most[k] >= sampled_most - 1e-11 * size);
                ck_assert(most[k] <= sampled_most + step * step * bend + 1e-11 * size);
                double value[4];
                carom_modal_sum_evaluate(&sums[k], least_time[k], value);
                assert_close(s * value[0], least[k], 0.0, 1e-14 * size);
                carom_modal_sum_evaluate(&sums[k], most_time[k], value);
                assert_close(s * value[0], most[k], 0.0, 1e-14 * size);
                verdicts[k][least[k] < 0.0]++;
            }
            carom_spectral_motion_free(motion);
        }
        carom_phase_spectra_free(spectra);
    }
    for (int k = 0; k < 2; k++) {
        ck_assert_msg(verdicts[k][0] > 10 && verdicts[k][1] > 10, "%d open, %d closed, seed %lu",
                      verdicts[k][0], verdicts[k][1], seed);
    }
}

TEST(property, bounds_of_derivatives_hold) {
    const unsigned long seed = 8203;
    for (unsigned long sample = 0; sample < 60; sample++) {
        double lambda[4];
        double weight[4];
        carom_parity parity[4];
        double log_scale[4];
        const double T = draw(seed, sample, 0, 0.5, 4.0);
        for (unsigned long i = 0; i < 4; i++) {
            lambda[i] = i == 3 && sample % 4 == 0 ? 0.0 : draw(seed, sample, 10 + i, -4.0, 4.0);
            weight[i] = draw(seed, sample, 20 + i, -1.0, 1.0);
            parity[i] = carom_counter_uniform(seed, sample, 30 + i) < 0.5 ? CAROM_PARITY_EVEN
                                                                          : CAROM_PARITY_ODD;
            log_scale[i] = lambda[i] < 0.0 ? log(cosh(sqrt(-lambda[i]) * T)) : 0.0;
        }
        carom_modal_sum sum = {.count = 4,
                               .lambda = lambda,
                               .parity = parity,
                               .weight = weight,
                               .log_scale = log_scale,
                               .impact_time = sample % 2 == 0 ? T : -T};
        carom_modal_sum_anchor(&sum);
        for (int k = 0; k <= 40; k++) {
            const double end = draw(seed, sample, 100 + (unsigned long)k, 0.0, T);
            const double t = end * draw(seed, sample, 200 + (unsigned long)k, -1.0, 1.0);
            double value[4];
            carom_modal_sum_evaluate(&sum, t, value);
            value[0] += sum.offset;
            for (int order = 0; order < 4; order++) {
                const double bound = carom_modal_sum_bound(&sum, order, end);
                ck_assert(fabs(value[order]) <= bound * (1.0 + 1e-14));
            }
            // The fourth derivative by a difference of the third, within its curvature.
            double high[4];
            double low[4];
            carom_modal_sum_evaluate(&sum, 0.9 * end, high);
            carom_modal_sum_evaluate(&sum, 0.9 * end - 1e-4, low);
            ck_assert(fabs(high[3] - low[3]) <=
                      1e-4 * carom_modal_sum_bound(&sum, 4, end + 1e-4) + 1e-13);
            // One mode alone: with lambda <= 0 its bound is its value.
            carom_modal_sum one = sum;
            one.count = 1;
            carom_modal_sum_anchor(&one);
            carom_modal_sum_evaluate(&one, end, value);
            if (lambda[0] < 0.0) {
                assert_close(carom_modal_sum_bound(&one, 1, end), fabs(value[1]), 1e-13, 0.0);
                assert_close(carom_modal_sum_bound(&one, 2, end), fabs(value[2]), 1e-13, 0.0);
                assert_close(carom_modal_sum_bound(&one, 3, end), fabs(value[3]), 1e-13, 0.0);
                assert_close(carom_modal_sum_bound(&one, 4, end), fabs(lambda[0] * value[2]), 1e-13,
                             0.0);
            }
        }
    }
}

TEST(property, evaluated_sums_stay_within_their_rounding) {
    // Two oscillations and a hyperbola in long double.
    const double lambda[3] = {-2.3, 1.7, 5.9};
    const double weight[3] = {0.83, -1.9, 0.41};
    const carom_parity parity[3] = {CAROM_PARITY_EVEN, CAROM_PARITY_ODD, CAROM_PARITY_EVEN};
    const double T = 3.7;
    const double log_scale[3] = {log(cosh(sqrt(2.3) * T)), 0.0, 0.0};
    carom_modal_sum sum = {3, lambda, parity, weight, log_scale, T, 0.0};
    carom_modal_sum_anchor(&sum);
    for (int k = 0; k < 200; k++) {
        const double t = T * (k / 200.0);
        long double exact = 0.0L;
        for (int sign = -1; sign <= 1; sign += 2) {
            const long double at = sign > 0 ? (long double)t : (long double)T;
            const long double nu = sqrtl((long double)lambda[0] * -1.0L);
            const long double h_0 =
                (coshl(nu * at) - 1.0L) / (nu * nu) / expl((long double)log_scale[0]);
            const long double h_1 =
                sinl(sqrtl((long double)lambda[1]) * at) / sqrtl((long double)lambda[1]);
            const long double h_2 =
                (1.0L - cosl(sqrtl((long double)lambda[2]) * at)) / (long double)lambda[2];
            exact +=
                (long double)sign * ((long double)weight[0] * h_0 + (long double)weight[1] * h_1 +
                                     (long double)weight[2] * h_2);
        }
        double value[4];
        carom_modal_sum_evaluate(&sum, t, value);
        const double rounding = carom_modal_sum_rounding(&sum, t, 0.0);
        assert_close(value[0], (double)exact, 0.0, rounding);
        // And the bound is no excuse: some hundred roundings of terms of size 1.
        ck_assert(rounding < 5e-13);
    }
}
