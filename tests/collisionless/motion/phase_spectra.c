/* carom/collisionless/motion/spectral_motion.h: what interlaces, what is refused and why. */
#include "../../failing_malloc.h"
#include "../../support.h"

#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>

/** The spectra of the armed biped (pankov-2024 (64)), six digits. */
static const double BIPED[3] = {-5.85028, -0.67319, 1.52348};
static const double BIPED_HELD[2] = {-1.41421, 1.41421};

/** Spectra that must be accepted. */
static carom_phase_spectra *made(int N, const double *unconstrained, const double *constrained,
                                 carom_parity unconstrained_parity,
                                 carom_parity constrained_parity) {
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(N, unconstrained, constrained, unconstrained_parity,
                                       constrained_parity, &spectra, NULL));
    return spectra;
}

TEST(unit, spectra_are_copied_with_their_parities) {
    carom_phase_spectra *spectra = made(3, BIPED, BIPED_HELD, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    ck_assert_int_eq(spectra->mode_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_close(spectra->unconstrained[i], BIPED[i], 0.0, 0.0);
        ck_assert_int_eq(spectra->unconstrained_parity[i], CAROM_PARITY_EVEN);
    }
    for (int j = 0; j < 2; j++) {
        assert_close(spectra->constrained[j], BIPED_HELD[j], 0.0, 0.0);
        ck_assert_int_eq(spectra->constrained_parity[j], CAROM_PARITY_ODD);
    }
    carom_phase_spectra_free(spectra);
    carom_phase_spectra_free(NULL);
}

TEST(unit, new_spectra_are_zeros_with_even_modes) {
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_alloc(4, &spectra));
    for (int i = 0; i < 4; i++) {
        assert_close(spectra->unconstrained[i], 0.0, 0.0, 0.0);
        ck_assert_int_eq(spectra->unconstrained_parity[i], CAROM_PARITY_EVEN);
    }
    for (int j = 0; j < 3; j++) {
        assert_close(spectra->constrained[j], 0.0, 0.0, 0.0);
        ck_assert_int_eq(spectra->constrained_parity[j], CAROM_PARITY_EVEN);
    }
    carom_phase_spectra_free(spectra);
}

TEST(unit, oscillating_modes_are_the_positive_ones) {
    const double hopper[2] = {0.0, 3.7};
    const double hopper_held[1] = {1.3};
    carom_phase_spectra *spectra =
        made(2, hopper, hopper_held, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    // A free mode does not oscillate.
    ck_assert_int_eq(carom_phase_spectra_oscillating_count(spectra), 1);
    ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(spectra), 1);
    carom_phase_spectra_free(spectra);

    const double chain[4] = {-1.1, 0.4, 2.3, 5.9};
    const double chain_held[3] = {-0.2, 1.7, 3.1};
    spectra = made(4, chain, chain_held, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    ck_assert_int_eq(carom_phase_spectra_oscillating_count(spectra), 3);
    ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(spectra), 2);
    ck_assert(!carom_phase_spectra_has_single_oscillations(spectra));
    carom_phase_spectra_free(spectra);
}

TEST(unit, one_oscillation_in_each_phase_is_recognised) {
    carom_phase_spectra *spectra = made(3, BIPED, BIPED_HELD, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    ck_assert(carom_phase_spectra_has_single_oscillations(spectra));
    // The condition is one on signs, whatever the parity of lambda_2 < 0.
    spectra->unconstrained_parity[1] = CAROM_PARITY_ODD;
    ck_assert(carom_phase_spectra_has_single_oscillations(spectra));
    // A free mode passes for a hyperbolic one only if it is even.
    spectra->unconstrained[1] = 0.0;
    ck_assert(!carom_phase_spectra_has_single_oscillations(spectra));
    spectra->unconstrained_parity[1] = CAROM_PARITY_EVEN;
    ck_assert(carom_phase_spectra_has_single_oscillations(spectra));
    // Two oscillating modes; then none when the contact is held, or a free one.
    spectra->unconstrained[1] = 0.1;
    ck_assert(!carom_phase_spectra_has_single_oscillations(spectra));
    spectra->unconstrained[1] = -0.67319;
    spectra->constrained[1] = -0.1;
    ck_assert(!carom_phase_spectra_has_single_oscillations(spectra));
    spectra->constrained[1] = 0.0;
    ck_assert(!carom_phase_spectra_has_single_oscillations(spectra));
    // Nothing oscillates.
    spectra->constrained[1] = -0.1;
    spectra->unconstrained[2] = -0.05;
    ck_assert(!carom_phase_spectra_has_single_oscillations(spectra));
    carom_phase_spectra_free(spectra);
}

TEST(unit, parities_are_uniform_within_each_phase) {
    carom_phase_spectra *spectra = made(3, BIPED, BIPED_HELD, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    ck_assert(carom_phase_spectra_has_uniform_parity(spectra));
    spectra->constrained_parity[1] = CAROM_PARITY_EVEN;
    ck_assert(!carom_phase_spectra_has_uniform_parity(spectra));
    spectra->constrained_parity[0] = CAROM_PARITY_EVEN;
    ck_assert(carom_phase_spectra_has_uniform_parity(spectra));
    spectra->unconstrained_parity[2] = CAROM_PARITY_ODD;
    ck_assert(!carom_phase_spectra_has_uniform_parity(spectra));
    carom_phase_spectra_free(spectra);
}

/** The armed biped with one value changed is refused, and the report names that value. */
static void assert_refused(carom_phase_spectra *spectra, double *entry, double value,
                           carom_status expected, const char *quantity, int index) {
    const double before = *entry;
    *entry = value;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_phase_spectra_check(spectra, &report), expected);
    ck_assert_int_eq(carom_phase_spectra_check(spectra, NULL), expected);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(report.index, index);
    const double *named = quantity[0] == 'u' ? spectra->unconstrained : spectra->constrained;
    if (isfinite(value)) {
        assert_close(report.value, named[index], 0.0, 0.0);
    } else {
        ck_assert(!isfinite(report.value));
    }

    /* The same from arrays. */
    carom_phase_spectra *copy;
    ck_assert_int_eq(carom_phase_spectra_make(3, spectra->unconstrained, spectra->constrained,
                                              CAROM_PARITY_EVEN, CAROM_PARITY_EVEN, &copy, NULL),
                     expected);
    ck_assert_ptr_null(copy);
    *entry = before;
    assert_ok(carom_phase_spectra_check(spectra, NULL));
}

TEST(errors, spectra_that_do_not_interlace_are_refused_with_the_first_value_out_of_place) {
    carom_phase_spectra *spectra = made(3, BIPED, BIPED_HELD, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    double *lambda = spectra->unconstrained;
    double *held = spectra->constrained;
    const carom_status conflict = CAROM_STATUS_CONFLICT;
    // Too large, too small, equal to its neighbours.
    assert_refused(spectra, lambda + 0, -1.0, conflict, "constrained spectrum", 0);
    assert_refused(spectra, lambda + 1, 1.5, conflict, "constrained spectrum", 1);
    assert_refused(spectra, lambda + 2, 1.0, conflict, "unconstrained spectrum", 2);
    assert_refused(spectra, held + 0, -6.0, conflict, "constrained spectrum", 0);
    assert_refused(spectra, held + 0, -0.5, conflict, "unconstrained spectrum", 1);
    assert_refused(spectra, held + 1, 1.6, conflict, "unconstrained spectrum", 2);
    assert_refused(spectra, held + 0, lambda[0], conflict, "constrained spectrum", 0);
    assert_refused(spectra, held + 1, lambda[2], conflict, "unconstrained spectrum", 2);
    carom_phase_spectra_free(spectra);
}

TEST(errors, values_that_are_not_finite_are_refused) {
    carom_phase_spectra *spectra = made(3, BIPED, BIPED_HELD, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    const carom_status not_finite = CAROM_STATUS_NOT_FINITE;
    assert_refused(spectra, spectra->unconstrained + 2, (double)INFINITY, not_finite,
                   "unconstrained spectrum", 2);
    assert_refused(spectra, spectra->unconstrained + 0, -(double)INFINITY, not_finite,
                   "unconstrained spectrum", 0);
    assert_refused(spectra, spectra->constrained + 1, (double)NAN, not_finite,
                   "constrained spectrum", 1);
    carom_phase_spectra_free(spectra);
}

TEST(errors, less_than_two_modes_are_refused) {
    carom_phase_spectra *spectra;
    assert_status(carom_phase_spectra_alloc(1, &spectra), OUT_OF_RANGE);
    ck_assert_ptr_null(spectra);
    carom_report report = carom_report_empty();
    assert_status(carom_phase_spectra_make(1, BIPED, BIPED_HELD, CAROM_PARITY_EVEN,
                                           CAROM_PARITY_EVEN, &spectra, &report),
                  OUT_OF_RANGE);
    ck_assert_ptr_null(spectra);
    ck_assert_str_eq(report.quantity, "mode count");
    assert_close(report.value, 1.0, 0.0, 0.0);
    assert_ok(carom_phase_spectra_alloc(2, &spectra));
    spectra->mode_count = 1;
    assert_status(carom_phase_spectra_check(spectra, NULL), OUT_OF_RANGE);
    carom_phase_spectra_free(spectra);
}

TEST(errors, every_allocation_that_fails_is_reported_without_a_leak) {
    carom_phase_spectra *spectra = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int granted = 0;
    for (; status != CAROM_OK; granted++) {
        successes_left = granted;
        status = carom_phase_spectra_make(3, BIPED, BIPED_HELD, CAROM_PARITY_EVEN,
                                          CAROM_PARITY_EVEN, &spectra, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(spectra);
        }
    }
    // The structure and its four arrays, then success.
    ck_assert_int_eq(granted, 7);
    carom_phase_spectra_free(spectra);
}
