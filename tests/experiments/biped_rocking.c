/**
 * Torsos of many links (pankov-2024 section 6): with an arm there is a gait, without one there is
 * none. Expected values: reference tables A.1 and A.2 (tests/collisionless/motion/motion_cases.h),
 * and identities of the chain.
 */
#include "../support.h"

#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/motion/spectral_motion.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/models/armed_biped.h>

#include <string.h>

enum { MOST = 12 };

static const double UNITS[MOST + 1] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0,
                                       1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

/** Modes of a biped of unit links with N coordinates, theta = 1. */
static carom_phase_modes *modes_of(int N, bool has_arm, carom_armed_biped_statics *statics) {
    const carom_armed_biped_params biped = {.torso_count = N - 1 - (has_arm ? 1 : 0),
                                            .has_arm = has_arm,
                                            .lengths = UNITS,
                                            .masses = UNITS,
                                            .gravity = 1.0,
                                            .half_step_angle = 1.0};
    double mass[MOST * MOST];
    double stiffness[MOST * MOST];
    double equilibrium[MOST];
    assert_ok(carom_armed_biped_linear(&biped, mass, stiffness, equilibrium, statics, NULL));
    carom_phase_modes *modes = NULL;
    assert_ok(carom_phase_modes_compute(N, mass, stiffness, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                        &modes, NULL));
    return modes;
}

TEST(property, an_arm_suffices_for_torsos_of_one_to_ten_links) {
    double below[MOST];
    for (int N = 3; N <= MOST; N++) {
        carom_armed_biped_statics statics;
        carom_phase_modes *modes = modes_of(N, true, &statics);
        const carom_phase_spectra *spectra = modes->spectra;
        ck_assert_int_eq(carom_phase_spectra_oscillating_count(spectra), 1);
        ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(spectra), 1);

        // With the leg held, what stands on the hip is the biped of one link less on its foot.
        for (int j = 0; N > 3 && j < N - 1; j++) {
            assert_close(spectra->constrained[j], below[j], 1e-11, 0.0);
        }
        memcpy(below, spectra->unconstrained, (size_t)N * sizeof *below);

        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(spectra, 2, 0, &root, NULL));
        carom_collisionless_motion *motion = NULL;
        assert_ok(carom_collisionless_motion_compute(modes, root.time, root.constrained_time,
                                                     CAROM_MOTION_SCALE_CONTACT_LEVEL,
                                                     statics.contact_level, &motion, NULL));
        ck_assert(carom_motion_bounds_compute(motion->spectral).is_realizable);
        if (N == 3) {
            // Reference tables A.1, A.2.
            assert_close(root.time, 3.079477155345059583920, 1e-14, 0.0);
            assert_close(root.constrained_time, 0.777845030699011117356, 1e-14, 0.0);
            assert_close(motion->energy, 52.481137629, 1e-10, 0.0);
        }
        carom_collisionless_motion_free(motion);
        carom_phase_modes_free(modes);
    }
}

TEST(property, without_an_arm_there_is_no_gait) {
    for (int N = 2; N <= MOST; N++) {
        carom_armed_biped_statics statics;
        carom_phase_modes *modes = modes_of(N, false, &statics);
        ck_assert_int_eq(carom_phase_spectra_constrained_oscillating_count(modes->spectra), 0);
        carom_root_search_params box = carom_root_search_params_default();
        carom_root_list *roots = NULL;
        assert_ok(carom_impact_roots_find(modes->spectra, &box, &roots, NULL));
        ck_assert_int_eq(roots->count, 0);
        ck_assert_int_eq((int)roots->method, (int)CAROM_ROOTS_NONE);
        carom_root_list_free(roots);
        carom_phase_modes_free(modes);
    }
}
