/* carom/collisionless/motion/collisionless_motion.h: the system made from spectra has them. */
#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/base/random.h>
#include <carom/collisionless/motion/collisionless_motion.h>

#include <float.h>

enum { LARGEST = 12, DRAWS = 60 };

/** A random spectrum of N modes from -4 on, neighbours at least 0.1 apart. */
static carom_phase_spectra *random_spectra(int N, unsigned long draw) {
    double value = -4.0;
    double unconstrained[LARGEST];
    double constrained[LARGEST];
    for (int k = 0; k < 2 * N - 1; k++) {
        value += 0.1 + carom_counter_uniform(20240225, draw, (unsigned long)k);
        if (k % 2 == 0) {
            unconstrained[k / 2] = value;
        } else {
            constrained[k / 2] = value;
        }
    }
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_phase_spectra_make(N, unconstrained, constrained, CAROM_PARITY_ODD,
                                       CAROM_PARITY_EVEN, &spectra, NULL));
    return spectra;
}

TEST(unit, two_modes_give_the_matrices_of_the_closed_form) {
    // W_1 = (l' - l_1)/(l_2 - l_1) = 0.64, so that the last row of H is (0.8, 0.6).
    const double unconstrained[2] = {1.0, 3.5};
    const double constrained[1] = {2.6};
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_phase_spectra_make(2, unconstrained, constrained, CAROM_PARITY_EVEN,
                                       CAROM_PARITY_EVEN, &spectra, NULL));
    double mass[4] = {0.0};
    double stiffness[4] = {0.0};
    carom_phase_modes *modes = NULL;
    assert_ok(carom_phase_modes_realize(spectra, 0.25, mass, stiffness, &modes, NULL));
    const double rounding = 16.0 * DBL_EPSILON;
    assert_close(mass[0], 4.0, 0.0, 0.0);
    assert_close(mass[1], 0.0, 0.0, 0.0);
    assert_close(mass[3], 4.0, 0.0, 0.0);
    // k_22 = 4 (0.64 1 + 0.36 3.5), k_11 = 4 l' as the constrained mode is x_1 alone.
    assert_close(stiffness[3], 7.6, rounding, 0.0);
    assert_close(stiffness[0], 10.4, rounding, 0.0);
    assert_close(fabs(stiffness[1]), 4.0 * 0.48 * 2.5, rounding, 0.0);
    assert_close(stiffness[2], stiffness[1], rounding, 0.0);
    assert_close(modes->normalisation, 0.36 * 0.25, rounding, 0.0);
    assert_close(modes->participation[0], 0.64 / 0.36, rounding, 0.0);
    // (k^-1)_22 = 0.25 (0.64/1 + 0.36/3.5).
    assert_close(modes->compliance, 0.25 * (0.64 + 0.36 / 3.5), rounding, 0.0);
    carom_phase_modes_free(modes);
    carom_phase_spectra_free(spectra);
}

TEST(property, the_modes_of_the_matrices_are_those_of_the_realization) {
    for (unsigned long draw = 0; draw < DRAWS; draw++) {
        const int N = 2 + (int)(draw % (LARGEST - 1));
        const double inverse_mass = 0.1 + 3.0 * carom_counter_uniform(7, draw, 0);
        carom_phase_spectra *spectra = random_spectra(N, draw);
        double mass[LARGEST * LARGEST];
        double stiffness[LARGEST * LARGEST];
        carom_phase_modes *made = NULL;
        carom_phase_modes *found = NULL;
        assert_ok(carom_phase_modes_realize(spectra, inverse_mass, mass, stiffness, &made, NULL));
        for (int a = 0; a < N; a++) {
            for (int b = 0; b < a; b++) {
                // Equal up to the order of a sum.
                const double mean = 0.5 * (stiffness[a * N + b] + stiffness[b * N + a]);
                stiffness[a * N + b] = mean;
                stiffness[b * N + a] = mean;
            }
        }
        assert_ok(carom_phase_modes_compute(N, mass, stiffness, CAROM_PARITY_ODD, CAROM_PARITY_EVEN,
                                            &found, NULL));
        ck_assert_int_eq(found->spectra->mode_count, N);
        ck_assert_int_eq(made->decoupled_count, 0);
        // Rounding of k, of size 12 at most, over distances of 0.1 at least.
        const double error = 1e-11;
        for (int i = 0; i < N; i++) {
            assert_close(found->spectra->unconstrained[i], spectra->unconstrained[i], 0.0, error);
            assert_close(found->participation[i], made->participation[i], error, 0.0);
            ck_assert_int_eq(made->spectra->unconstrained_parity[i], CAROM_PARITY_ODD);
            for (int a = 0; a < N; a++) {
                assert_close(found->shape[a * N + i], made->shape[a * N + i], 0.0,
                             error * sqrt(1.0 / (made->normalisation / inverse_mass)));
            }
        }
        for (int j = 0; j < N - 1; j++) {
            assert_close(found->spectra->constrained[j], spectra->constrained[j], 0.0, error);
            ck_assert_int_eq(made->spectra->constrained_parity[j], CAROM_PARITY_EVEN);
            for (int a = 0; a < N; a++) {
                const double entry = made->constrained_shape[a * (N - 1) + j];
                // A term is |X_a X_N| <= 1/W_N over a distance of 0.1 at least.
                assert_close(found->constrained_shape[a * (N - 1) + j], entry, 0.0,
                             error * 10.0 * inverse_mass / made->normalisation);
            }
        }
        assert_close(found->normalisation, made->normalisation, error, 0.0);
        assert_close(made->inverse_mass, inverse_mass, 0.0, 0.0);
        assert_close(found->inverse_mass, inverse_mass, error, 0.0);
        carom_phase_modes_free(found);
        carom_phase_modes_free(made);
        carom_phase_spectra_free(spectra);
    }
}

TEST(unit, a_free_mode_leaves_no_static_equilibrium) {
    const double unconstrained[2] = {0.0, 2.0};
    const double constrained[1] = {1.0};
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_phase_spectra_make(2, unconstrained, constrained, CAROM_PARITY_EVEN,
                                       CAROM_PARITY_EVEN, &spectra, NULL));
    carom_phase_modes *modes = NULL;
    assert_ok(carom_phase_modes_realize(spectra, 1.0, NULL, NULL, &modes, NULL));
    ck_assert(modes->is_stiffness_singular);
    ck_assert(isnan(modes->compliance));
    ck_assert(isnan(modes->static_shape[0]));
    carom_phase_modes_free(modes);
    carom_phase_spectra_free(spectra);
}

TEST(errors, what_is_no_mass_or_no_spectrum_is_refused) {
    carom_phase_spectra *spectra = random_spectra(3, 1);
    const double masses[] = {0.0, -1.0, (double)NAN, HUGE_VAL};
    for (int k = 0; k < 4; k++) {
        carom_phase_modes *modes = NULL;
        carom_report report = carom_report_empty();
        const carom_status status =
            carom_phase_modes_realize(spectra, masses[k], NULL, NULL, &modes, &report);
        ck_assert_int_eq(status, k < 2 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE);
        ck_assert_str_eq(report.quantity, "inverse mass");
        ck_assert_ptr_null(modes);
    }
    spectra->constrained[0] = 100.0;
    carom_phase_modes *modes = NULL;
    assert_status(carom_phase_modes_realize(spectra, 1.0, NULL, NULL, &modes, NULL), CONFLICT);
    carom_phase_spectra_free(spectra);
}

TEST(errors, failing_allocations_are_reported_one_by_one) {
    carom_phase_spectra *spectra = random_spectra(4, 2);
    for (int k = 0;; k++) {
        carom_phase_modes *modes = NULL;
        successes_left = k;
        const carom_status status =
            carom_phase_modes_realize(spectra, 1.0, NULL, NULL, &modes, NULL);
        successes_left = -1;
        if (status == CAROM_OK) {
            ck_assert_int_ge(k, 8);
            carom_phase_modes_free(modes);
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_ptr_null(modes);
    }
    carom_phase_spectra_free(spectra);
}
