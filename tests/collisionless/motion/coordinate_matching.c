/* carom/collisionless/motion/collisionless_motion.h: the paper's equations in all coordinates
 * confirm roots and amplitudes, and (46) fails where the mass does not couple the contact. */
#include "../../failing_malloc.h"
#include "motion_cases.h"

#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/coordinate_matching.h>

#include <gsl/gsl_matrix.h>

/* Decompositions of the library end here (linker option --wrap) and fail on request. */
carom_status __real_carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S);
carom_status __wrap_carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S);

static bool is_decomposition_failing = false;

carom_status __wrap_carom_singular_values_rotate(gsl_matrix *A, gsl_matrix *V, gsl_vector *S) {
    return is_decomposition_failing ? CAROM_STATUS_NOT_CONVERGED
                                    : __real_carom_singular_values_rotate(A, V, S);
}

static const carom_coordinate_matching_rows ALL = CAROM_COORDINATE_MATCHING_ALL;
static const carom_coordinate_matching_rows TRUNCATED = CAROM_COORDINATE_MATCHING_TRUNCATED;

TEST(unit, the_matrix_of_the_biped_loses_one_rank_at_the_root) {
    // C21.
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    double values[6];
    assert_ok(carom_coordinate_matching_rank(held.modes, held.root.time, held.root.constrained_time,
                                             values, NULL));
    double squares = 0.0;
    for (int i = 0; i < 6; i++) {
        squares += values[i] * values[i];
    }
    assert_close(squares, 6.0, 1e-14, 0.0);
    ck_assert(values[4] > 0.1 * values[0]);
    ck_assert(values[5] < 1e-14);
    assert_ok(carom_coordinate_matching_rank(held.modes, held.root.time + 0.01,
                                             held.root.constrained_time, values, NULL));
    ck_assert(values[5] > 1e-4);
    release_motion(&held);
}

TEST(unit, the_amplitudes_of_the_biped_solve_the_truncated_equations) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    // (68): N12, N13.
    const double expected[5] = {-3.126481793380e-5, -3.442267593165e-2, 1.168676402287,
                                -8.746238111811e-3, 0.135702694856};
    for (int k = 0; k < 2; k++) {
        double amplitude[5];
        double condition;
        assert_ok(carom_coordinate_matching_solve(
            held.modes, held.root.time, held.root.constrained_time, 5.0, k == 0 ? ALL : TRUNCATED,
            amplitude, &condition, NULL));
        for (int i = 0; i < 5; i++) {
            assert_close(amplitude[i], expected[i], 3e-12, 0.0);
        }
        // Reference: 40 with columns scaled.
        ck_assert(condition < 50.0 && (k == 0 || condition > 30.0));
    }
    release_motion(&held);
}

TEST(unit, the_truncated_equations_are_singular_for_the_reaction_wheel) {
    // Reference table A.8.
    held_motion held = hold_motion(&REACTION_WHEEL_1, CAROM_MOTION_SCALE_CONTACT_LEVEL, 1.0);
    double amplitude[3];
    double condition;
    carom_report report = carom_report_empty();
    assert_status(carom_coordinate_matching_solve(
                      held.modes, held.root.time, held.root.constrained_time,
                      held.motion->static_force, TRUNCATED, amplitude, &condition, &report),
                  SINGULAR);
    ck_assert(condition > 1e14 && isnan(amplitude[0]) && isnan(amplitude[2]));
    ck_assert_str_eq(report.quantity, "condition");
    // A shape off by 1e-13, as an eigensolver may leave it, makes the condition finite and no
    // digit.
    held.modes->shape[0] *= 1.0 + 1e-13;
    assert_status(carom_coordinate_matching_solve(
                      held.modes, held.root.time, held.root.constrained_time,
                      held.motion->static_force, TRUNCATED, amplitude, &condition, &report),
                  SINGULAR);
    ck_assert(condition > 1e13 && condition < 1e16 && isnan(amplitude[0]));
    held.modes->shape[0] /= 1.0 + 1e-13;
    assert_ok(carom_coordinate_matching_solve(held.modes, held.root.time,
                                              held.root.constrained_time, held.motion->static_force,
                                              ALL, amplitude, &condition, NULL));
    ck_assert(condition < 100.0);
    assert_close(amplitude[0], 0.213514272097, 0.0, 0.51e-12);
    assert_close(amplitude[1], 0.506866066919, 0.0, 0.51e-12);
    assert_close(amplitude[2], -0.223628962230, 0.0, 0.51e-12);
    release_motion(&held);
}

TEST(unit, entries_are_those_of_the_paper) {
    // (12) for the coronal rocker: X, X' by (8), (k^-1)^N = (0, -1/2), columns scaled.
    held_motion held = hold_motion(&ROCKER_2, CAROM_MOTION_SCALE_CONTACT_LEVEL, -2.0);
    const double tau = 1.3;
    const double tau_c = 0.7;
    double A[20];
    double log_factor[4];
    assert_ok(carom_coordinate_matching_fill(held.modes, tau, tau_c, A, log_factor, NULL));
    const double *X = held.modes->shape;
    const double *lambda = held.modes->spectra->unconstrained;
    const double nu = sqrt(-lambda[0]);
    const double omega = sqrt(lambda[1]);
    const double omega_c = sqrt(held.modes->spectra->constrained[0]);
    const double X_c = held.modes->constrained_shape[0];
    const double expected[20] = {X[0] * cosh(nu * tau),
                                 X[1] * cos(omega * tau),
                                 X_c * sin(omega_c * tau_c),
                                 0.0,
                                 X[2] * cosh(nu * tau),
                                 X[3] * cos(omega * tau),
                                 0.0,
                                 0.5,
                                 X[0] * nu * sinh(nu * tau),
                                 -X[1] * omega * sin(omega * tau),
                                 -X_c * omega_c * cos(omega_c * tau_c),
                                 0.0,
                                 X[2] * nu * sinh(nu * tau),
                                 -X[3] * omega * sin(omega * tau),
                                 0.0,
                                 0.0,
                                 -X[2] * lambda[0] * cosh(nu * tau),
                                 -X[3] * lambda[1] * cos(omega * tau),
                                 0.0,
                                 0.0};
    for (int i = 0; i < 20; i++) {
        assert_close(A[i] * exp(log_factor[i % 4]), expected[i], 0.0, 1e-13);
    }
    for (int j = 0; j < 4; j++) {
        double square = 0.0;
        for (int i = 0; i < 5; i++) {
            square += A[4 * i + j] * A[4 * i + j];
        }
        assert_close(square, 1.0, 1e-14, 0.0);
    }
    release_motion(&held);
}

TEST(property, random_roots_are_roots_of_the_full_equations) {
    const unsigned long seed = 8301;
    int motions = 0;
    for (unsigned long sample = 0; sample < 120; sample++) {
        const int N = 2 + (int)(sample % 4);
        carom_phase_spectra *spectra = draw_spectra(seed, sample, N, sample % 2 == 0);
        double mass[MOST * MOST];
        double stiffness[MOST * MOST];
        realise_spectra(seed, sample, spectra, 1.3, mass, stiffness);
        held_motion held = {.modes = realised_modes(spectra, mass, stiffness)};
        if (draw_root(seed, sample, held.modes->spectra, &held.root)) {
            motions++;
            assert_ok(carom_collisionless_motion_compute(
                held.modes, held.root.time, held.root.constrained_time,
                CAROM_MOTION_SCALE_STATIC_FORCE, -0.83, &held.motion, NULL));
            double values[2 * MOST];
            double amplitude[2 * MOST];
            double condition;
            assert_ok(carom_coordinate_matching_rank(held.modes, held.root.time,
                                                     held.root.constrained_time, values, NULL));
            assert_ok(carom_coordinate_matching_solve(held.modes, held.root.time,
                                                      held.root.constrained_time, -0.83, ALL,
                                                      amplitude, &condition, NULL));
            ck_assert(values[2 * N - 1] < 1e-12 && values[2 * N - 2] > 1e-9);
            double size = 0.0;
            for (int i = 0; i < 2 * N - 1; i++) {
                size = fmax(size, fabs(amplitude[i]));
            }
            for (int i = 0; i < 2 * N - 1; i++) {
                const double expected =
                    i < N ? held.motion->amplitude[i] : held.motion->constrained_amplitude[i - N];
                assert_close(amplitude[i], expected, 0.0, 1e-13 * condition * size + 1e-10 * size);
            }
            carom_collisionless_motion_free(held.motion);
        }
        carom_phase_modes_free(held.modes);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_msg(motions > 60, "only %d motions, seed %lu", motions, seed);
}

TEST(errors, systems_without_equilibria_are_refused) {
    held_motion hopper = hold_motion(&HOPPER_2, CAROM_MOTION_SCALE_STATIC_FORCE, 2.0);
    double values[4];
    double amplitude[3];
    double condition = 0.0;
    carom_report report = carom_report_empty();
    assert_status(carom_coordinate_matching_rank(hopper.modes, 1.0, 1.0, values, &report),
                  SINGULAR);
    ck_assert_str_eq(report.quantity, "stiffness");
    ck_assert(isnan(values[0]) && isnan(values[3]));
    assert_status(carom_coordinate_matching_solve(hopper.modes, 1.0, 1.0, 1.0, ALL, amplitude,
                                                  &condition, NULL),
                  SINGULAR);
    ck_assert(isnan(amplitude[0]) && isnan(condition));
    release_motion(&hopper);

    held_motion rocker = hold_motion(&ROCKER_2, CAROM_MOTION_SCALE_CONTACT_LEVEL, -2.0);
    assert_status(carom_coordinate_matching_rank(rocker.modes, -1.0, 1.0, values, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "time");
    assert_status(carom_coordinate_matching_rank(rocker.modes, 1.0, (double)NAN, values, &report),
                  NOT_FINITE);
    ck_assert_str_eq(report.quantity, "constrained time");
    assert_status(carom_coordinate_matching_solve(rocker.modes, 1.0, 1.0, (double)NAN, ALL,
                                                  amplitude, &condition, NULL),
                  NOT_FINITE);
    rocker.modes->spectra->constrained[0] = 0.0;
    assert_status(carom_coordinate_matching_rank(rocker.modes, 1.0, 1.0, values, &report),
                  SINGULAR);
    ck_assert_str_eq(report.quantity, "constrained stiffness");
    release_motion(&rocker);

    // A soft constrained mode is none of rounding: 1e-8 of the largest eigenvalue has its
    // equilibrium.
    const double unit[4] = {1, 0, 0, 1};
    const double soft[4] = {1e-8, -0.7, -0.7, 1.3};
    carom_phase_modes *soft_modes;
    assert_ok(carom_phase_modes_compute(2, unit, soft, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &soft_modes, NULL));
    assert_ok(carom_coordinate_matching_rank(soft_modes, 1.0, 1.0, values, NULL));
    carom_phase_modes_free(soft_modes);

    // A decoupled mode: more coordinates than modes.
    const double mass[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double stiffness[9] = {1, 0, -1, 0, 1, -1, -1, -1, 1};
    carom_phase_modes *modes;
    assert_ok(carom_phase_modes_compute(3, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &modes, NULL));
    assert_status(carom_coordinate_matching_solve(modes, 1.0, 1.0, 1.0, TRUNCATED, amplitude,
                                                  &condition, &report),
                  CONFLICT);
    ck_assert_str_eq(report.quantity, "decoupled modes");
    carom_phase_modes_free(modes);
}

TEST(errors, a_failing_decomposition_is_reported) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    double values[6];
    double condition = 0.0;
    is_decomposition_failing = true;
    assert_status(carom_coordinate_matching_rank(held.modes, held.root.time,
                                                 held.root.constrained_time, values, NULL),
                  NOT_CONVERGED);
    ck_assert(isnan(values[5]));
    assert_status(carom_coordinate_matching_solve(held.modes, held.root.time,
                                                  held.root.constrained_time, 5.0, ALL, values,
                                                  &condition, NULL),
                  NOT_CONVERGED);
    ck_assert(isnan(values[4]) && isnan(condition));
    is_decomposition_failing = false;
    release_motion(&held);
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    for (int which = 0; which < 2; which++) {
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        int failures = -1;
        double values[6];
        double condition;
        for (int k = 0; status != CAROM_OK; k++) {
            successes_left = k;
            status = which == 0
                         ? carom_coordinate_matching_rank(held.modes, held.root.time,
                                                          held.root.constrained_time, values, NULL)
                         : carom_coordinate_matching_solve(held.modes, held.root.time,
                                                           held.root.constrained_time, 5.0, ALL,
                                                           values, &condition, NULL);
            successes_left = -1;
            failures++;
            ck_assert(status == CAROM_OK ||
                      (status == CAROM_STATUS_OUT_OF_MEMORY && isnan(values[0])));
        }
        ck_assert_int_gt(failures, which);
    }
    release_motion(&held);
}
