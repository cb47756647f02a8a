/* carom/collisionless/motion/collisionless_motion.h: periods, continuity over the seams and the
 * symmetry of every combination of parities. */
#include "motion_cases.h"

#include <carom/collisionless/motion/collisionless_motion.h>
#include <carom/collisionless/motion/internal.h>

static full_state extend(const held_motion *held, double elapsed, carom_motion_origin origin,
                         carom_motion_place *place) {
    full_state s = {.x = {0.0}};
    const carom_motion_state out = {s.x, s.v, s.a, s.jerk};
    assert_ok(carom_symmetry_extension_state(held->motion, elapsed, origin, place, &out, NULL));
    return s;
}

TEST(unit, periods_are_those_of_the_table) {
    // Reference table A.2 and A.8, and 2.10: one step of the wheel lasts 2 (tau + tau').
    const struct {
        const motion_case *c;
        double period;
    } rows[] = {{&BIPED, 15.429288744},
                {&HOPPER_2, 10.1060647417},
                {&HOPPER_3, 14.4288664619},
                {&REACTION_WHEEL_1, 2.0 * (2.3199872833 + 0.4921138220)},
                {&BETWEEN_WALLS, 4.0 * (M_PI / M_SQRT2 + M_PI_2)}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        held_motion held = hold_motion(rows[k].c, CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
        double period;
        assert_ok(carom_symmetry_extension_period(held.modes->spectra, held.root.time,
                                                  held.root.constrained_time, &period, NULL));
        assert_close(period, rows[k].period, 0.0, 0.6e-9);
        release_motion(&held);
    }
}

TEST(unit, the_biped_changes_feet_every_step) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    const double tau = held.root.time;
    const double tau_c = held.root.constrained_time;
    const double step = 2.0 * (tau + tau_c);
    const struct {
        double elapsed;
        carom_motion_phase phase;
        double local_time;
        long step;
        bool is_mirrored;
    } rows[] = {
        {0.5, CAROM_MOTION_UNCONSTRAINED, 0.5, 0, false},
        {tau + 0.1, CAROM_MOTION_CONSTRAINED, 0.1 - tau_c, 0, false},
        {tau + 2.0 * tau_c - 0.1, CAROM_MOTION_CONSTRAINED, tau_c - 0.1, 0, false},
        {tau + 2.0 * tau_c + 0.1, CAROM_MOTION_UNCONSTRAINED, 0.1 - tau, 1, true},
        {step + 0.25, CAROM_MOTION_UNCONSTRAINED, 0.25, 1, true},
        {2.0 * step - 0.25, CAROM_MOTION_UNCONSTRAINED, -0.25, 2, false},
        {-0.25, CAROM_MOTION_UNCONSTRAINED, -0.25, 0, false},
        {-tau - 0.25, CAROM_MOTION_CONSTRAINED, tau_c - 0.25, -1, true},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        carom_motion_place place;
        assert_ok(carom_symmetry_extension_place(held.modes->spectra, tau, tau_c, rows[k].elapsed,
                                                 &place, NULL));
        ck_assert_int_eq(place.phase, rows[k].phase);
        assert_close(place.local_time, rows[k].local_time, 0.0, 1e-14);
        ck_assert_int_eq((int)place.step, (int)rows[k].step);
        ck_assert_int_eq(place.is_mirrored, rows[k].is_mirrored);
    }

    // In the second step the arm and the torso are reflected, the leg stands at 2 x_N^0 - x_N: the
    // other foot is down. A.2 at t = 1 and at P.
    const full_state s = extend(&held, step + 1.0, CAROM_MOTION_FROM_EQUILIBRIUM, NULL);
    assert_close(s.x[0], -3.557056641, 0.0, 0.51e-9);
    assert_close(s.x[1], -0.732155353, 0.0, 0.51e-9);
    assert_close(s.x[2], -10.0 / 3.0 - 0.262449627, 0.0, 0.51e-9);
    assert_close(s.v[2], 1.432090290, 0.0, 0.51e-9);
    assert_close(s.a[0], 5.649802577, 0.0, 0.51e-9);
    release_motion(&held);
}

TEST(unit, the_wheel_goes_on_by_one_spoke_every_step) {
    held_motion held = hold_motion(&PENDULUM_WHEEL, CAROM_MOTION_SCALE_CONTACT_LEVEL, 1.0);
    double period;
    assert_ok(carom_symmetry_extension_period(held.modes->spectra, held.root.time,
                                              held.root.constrained_time, &period, NULL));
    for (int k = 0; k < 10; k++) {
        const double t = 0.13 * k * period;
        const full_state here = extend(&held, t, CAROM_MOTION_FROM_EQUILIBRIUM, NULL);
        carom_motion_place place;
        const full_state next =
            extend(&held, t + 3.0 * period, CAROM_MOTION_FROM_EQUILIBRIUM, &place);
        ck_assert(!place.is_mirrored);
        for (int i = 0; i < 2; i++) {
            assert_close(next.x[i], here.x[i] + 6.0 * held.motion->static_position[i], 0.0, 1e-13);
            assert_close(next.v[i], here.v[i], 0.0, 1e-13);
        }
    }
    assert_close(held.motion->static_position[1], 1.0, 1e-14, 0.0);
    release_motion(&held);
}

TEST(property, motions_go_on_smoothly_over_every_seam) {
    // All combinations of parities: x, x', x'' continuous at the times of impact and release and at
    // all P and P' (there with the jerk), whatever the origin; positions integrate velocities.
    const motion_case *cases[] = {&BIPED, &HOPPER_2, &PENDULUM_WHEEL, &BETWEEN_WALLS};
    const carom_motion_origin origins[] = {CAROM_MOTION_FROM_IMPACT,
                                           CAROM_MOTION_FROM_CONSTRAINED_EQUILIBRIUM,
                                           CAROM_MOTION_FROM_EQUILIBRIUM};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        held_motion held = hold_motion(cases[c], CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
        const int n = cases[c]->n;
        const double tau = held.root.time;
        const double tau_c = held.root.constrained_time;
        const double step = 2.0 * (tau + tau_c);
        const double seams[4] = {0.0, tau, tau + tau_c, tau + 2.0 * tau_c};
        // The hopper has no unconstrained equilibrium.
        const int origin_count = cases[c] == &HOPPER_2 ? 2 : 3;
        for (int k = -8; k < 12; k++) {
            const double t = floor(k / 4.0) * step + seams[(k + 8) % 4];
            const double h = 1e-6;
            for (int o = 0; o < origin_count; o++) {
                const full_state low = extend(&held, t - h, origins[o], NULL);
                const full_state high = extend(&held, t + h, origins[o], NULL);
                for (int i = 0; i < n; i++) {
                    // Trapezoidal and Taylor remainders h^3 times jerks up to 20, over rounding.
                    assert_close(high.x[i] - low.x[i], h * (high.v[i] + low.v[i]), 0.0, 1e-14 * 40);
                    assert_close(high.v[i] - low.v[i], h * (high.a[i] + low.a[i]), 0.0, 1e-10);
                    assert_close(high.a[i] - low.a[i], h * (high.jerk[i] + low.jerk[i]), 0.0, 1e-9);
                    if ((k + 8) % 2 == 0) {
                        // 2 h times a fourth derivative below 500.
                        assert_close(high.jerk[i], low.jerk[i], 0.0, 1e-3);
                    }
                }
            }
        }
        release_motion(&held);
    }
}

TEST(property, motions_repeat_after_their_period) {
    const motion_case *cases[] = {&BIPED, &HOPPER_2, &BETWEEN_WALLS};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        held_motion held = hold_motion(cases[c], CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
        double period;
        assert_ok(carom_symmetry_extension_period(held.modes->spectra, held.root.time,
                                                  held.root.constrained_time, &period, NULL));
        for (int k = -7; k < 7; k++) {
            const full_state a = extend(&held, 0.137 * k * period, CAROM_MOTION_FROM_IMPACT, NULL);
            const full_state b =
                extend(&held, (0.137 * k + 1.0) * period, CAROM_MOTION_FROM_IMPACT, NULL);
            for (int i = 0; i < cases[c]->n; i++) {
                assert_close(b.x[i], a.x[i], 0.0, 1e-12);
                assert_close(b.v[i], a.v[i], 0.0, 1e-12);
            }
        }
        release_motion(&held);
    }
}

TEST(errors, mixed_parities_and_odd_times_are_refused) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_STATIC_FORCE, 5.0);
    carom_phase_spectra *spectra = held.modes->spectra;
    carom_report report = carom_report_empty();
    carom_motion_place place;
    double period = 0.0;
    spectra->unconstrained_parity[1] = CAROM_PARITY_ODD;
    assert_status(carom_symmetry_extension_period(spectra, 1.0, 1.0, &period, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "parity");
    ck_assert_int_eq(report.index, 1);
    ck_assert(isnan(period));
    spectra->unconstrained_parity[1] = CAROM_PARITY_EVEN;
    spectra->constrained_parity[1] = CAROM_PARITY_EVEN;
    assert_status(carom_symmetry_extension_place(spectra, 1.0, 1.0, 0.0, &place, &report),
                  CONFLICT);
    ck_assert_str_eq(report.quantity, "constrained parity");
    ck_assert(isnan(place.local_time));
    spectra->constrained_parity[1] = CAROM_PARITY_ODD;
    assert_status(carom_symmetry_extension_period(spectra, 0.0, 1.0, &period, NULL), OUT_OF_RANGE);
    assert_status(carom_symmetry_extension_period(spectra, 1.0, HUGE_VAL, &period, NULL),
                  NOT_FINITE);
    assert_status(carom_symmetry_extension_place(spectra, 1.0, 1.0, (double)NAN, &place, NULL),
                  NOT_FINITE);
    assert_status(carom_symmetry_extension_place(spectra, 1.0, 1.0, -1e10, &place, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "elapsed time");

    double x[3] = {0.0};
    const carom_motion_state out = {.position = x};
    assert_status(carom_symmetry_extension_state(held.motion, (double)NAN,
                                                 CAROM_MOTION_FROM_EQUILIBRIUM, NULL, &out, NULL),
                  NOT_FINITE);
    ck_assert(isnan(x[0]) && isnan(x[2]));
    release_motion(&held);
}

TEST(unit, a_copy_mirrored_about_the_equilibrium_has_a_place_without_a_constrained_one) {
    /* Odd in the air, even at the walls, one of which is a free mode there: the mirror image is
     * that about the unconstrained equilibrium. */
    const double unconstrained[3] = {-1.0, 0.5, 2.0};
    const double constrained[2] = {0.0, 1.2};
    carom_phase_spectra *spectra = NULL;
    carom_phase_modes *modes = NULL;
    carom_collisionless_motion *motion = NULL;
    assert_ok(carom_phase_spectra_make(3, unconstrained, constrained, CAROM_PARITY_ODD,
                                       CAROM_PARITY_EVEN, &spectra, NULL));
    assert_ok(carom_phase_modes_realize(spectra, 1.0, NULL, NULL, &modes, NULL));
    assert_ok(carom_collisionless_motion_compute(modes, 4.2649460300674047, 1.6665572012846879,
                                                 CAROM_MOTION_SCALE_AMPLITUDE, 1.0, &motion, NULL));
    const double step = 2.0 * (4.2649460300674047 + 1.6665572012846879);
    double here[3] = {0.0};
    double mirrored[3] = {0.0};
    const carom_motion_state state = {.position = here};
    const carom_motion_state image = {.position = mirrored};
    carom_motion_place place;
    for (int origin = 0; origin < 3; origin += 2) {
        carom_collisionless_motion_state(motion, CAROM_MOTION_UNCONSTRAINED, 0.1,
                                         (carom_motion_origin)origin, &state);
        assert_ok(carom_symmetry_extension_state(motion, step + 0.1, (carom_motion_origin)origin,
                                                 &place, &image, NULL));
        ck_assert(place.is_mirrored);
        for (int i = 0; i < 3; i++) {
            const double centre =
                origin == CAROM_MOTION_FROM_IMPACT ? -motion->impact_position[i] : 0.0;
            // Times typed with 16 digits.
            assert_close(mirrored[i], 2.0 * centre - here[i], 1e-12, 1e-12);
        }
    }
    carom_collisionless_motion_free(motion);
    carom_phase_modes_free(modes);
    carom_phase_spectra_free(spectra);
}
