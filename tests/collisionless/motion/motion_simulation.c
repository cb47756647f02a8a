/* carom/collisionless/motion/collisionless_motion.h, motions followed by events with plastic
 * contact: against their closed form, which is extended by symmetry. */
#include "../../failing_malloc.h"
#include "motion_cases.h"

#include <carom/collisionless/motion/internal.h>

enum { INTERVALS = 24 };

/** Realizable motions of all four pairs of parities; growth of the unstable mode in a step: a part
 * in 1e15 is some 1e-9 at its end for the biped, 1e-13 where nothing grows.
 */
static const struct {
    const motion_case *system;
    double growth;
} CASES[] = {
    {&HOPPER_2, 1.0},       {&JUGGLER, 1.0},       {&REACTION_WHEEL_1, 1e2},
    {&PENDULUM_WHEEL, 1e4}, {&ROCKER_2, 1e5},      {&HANGING_CHAIN, 1.0},
    {&BIPED, 1e8},          {&BETWEEN_WALLS, 1.0},
};

/** Gap and force of the closed form at a time since P. */
static void closed_form(const carom_collisionless_motion *motion, double time, double *gap,
                        double *force) {
    carom_motion_place place;
    double derivatives[4];
    assert_ok(carom_symmetry_extension_place(motion->spectral->spectra, motion->spectral->time,
                                             motion->spectral->constrained_time, time, &place,
                                             NULL));
    *gap = 0.0;
    *force = 0.0;
    if (place.phase == CAROM_MOTION_UNCONSTRAINED) {
        carom_spectral_motion_gap(motion->spectral, place.local_time, derivatives);
        *gap = motion->contact_sign * motion->scale * derivatives[0];
    } else {
        *force = motion->contact_sign * carom_collisionless_motion_force(motion, place.local_time);
    }
}

TEST(property, a_motion_followed_by_events_is_that_of_the_closed_form) {
    for (size_t c = 0; c < sizeof CASES / sizeof CASES[0]; c++) {
        held_motion held = hold_motion(CASES[c].system, CAROM_MOTION_SCALE_AMPLITUDE, 2.385);
        const carom_collisionless_motion *motion = held.motion;
        carom_motion_simulation *s = NULL;
        assert_ok(carom_collisionless_motion_simulate(
            motion, CASES[c].system->mass, CASES[c].system->stiffness, INTERVALS, &s, NULL));
        // Rounding may split a landing: none before and none after costs anything.
        ck_assert_int_ge(s->landings, 1);
        ck_assert_int_ge(s->releases, 1);
        ck_assert_msg(s->energy_lost < 1e-13, "case %zu: lost %g", c, s->energy_lost);
        ck_assert_msg(s->return_distance < 1e-12 * CASES[c].growth, "case %zu: back at %g", c,
                      s->return_distance);
        ck_assert_int_eq(s->count, INTERVALS + 1);
        double largest_gap = 0.0;
        double largest_force = 0.0;
        for (int k = 0; k <= INTERVALS; k++) {
            double gap = 0.0;
            double force = 0.0;
            assert_close(s->time[k],
                         2.0 * (held.root.time + held.root.constrained_time) * k / INTERVALS, 1e-15,
                         0.0);
            closed_form(motion, s->time[k], &gap, &force);
            largest_gap = fmax(largest_gap, gap);
            largest_force = fmax(largest_force, force);
            // Beyond P' an odd phase goes on as the other foot's, which the law of symmetry has.
            if (s->time[k] < held.root.time + held.root.constrained_time) {
                assert_close(s->gap[k], gap, 0.0, 1e-9 * largest_gap);
                assert_close(s->force[k], force, 0.0, 1e-6 * (largest_force + 1.0));
            }
        }
        ck_assert_double_gt(largest_gap, 0.0);
        ck_assert_double_gt(largest_force, 0.0);
        carom_motion_simulation_free(s);
        release_motion(&held);
    }
}

/** A motion followed in a body whose stiffness is larger by a twentieth, so that it lands with a
 * rate; in other units of mass, of length and of time. */
static void follow_elsewhere(const motion_case *system, double kilogram, double metre,
                             double second, int intervals, carom_motion_simulation **out) {
    motion_case scaled = *system;
    scaled.time *= second;
    scaled.constrained_time *= second;
    for (int i = 0; i < scaled.n * scaled.n; i++) {
        scaled.mass[i] *= kilogram;
        scaled.stiffness[i] *= kilogram / (second * second);
    }
    // The unit of an amplitude is that of an acceleration.
    held_motion held =
        hold_motion(&scaled, CAROM_MOTION_SCALE_AMPLITUDE, metre / (second * second));
    for (int i = 0; i < scaled.n * scaled.n; i++) {
        scaled.stiffness[i] *= 1.05;
    }
    assert_ok(carom_collisionless_motion_simulate(held.motion, scaled.mass, scaled.stiffness,
                                                  intervals, out, NULL));
    release_motion(&held);
}

TEST(property, what_is_lost_and_how_far_it_ends_does_not_depend_on_units) {
    const motion_case *const cases[] = {&HOPPER_2, &JUGGLER, &HANGING_CHAIN, &BETWEEN_WALLS};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        carom_motion_simulation *one = NULL;
        carom_motion_simulation *other = NULL;
        follow_elsewhere(cases[c], 1.0, 1.0, 1.0, 8, &one);
        follow_elsewhere(cases[c], 7.31, 23.85, 0.617, 8, &other);
        ck_assert_msg(one->energy_lost > 1e-6, "case %zu: lost %g", c, one->energy_lost);
        ck_assert_double_gt(one->return_distance, 1e-4);
        assert_close(other->energy_lost, one->energy_lost, 1e-9, 0.0);
        assert_close(other->return_distance, one->return_distance, 1e-9, 0.0);
        for (int k = 0; k <= 8; k++) {
            assert_close(other->gap[k], 23.85 * one->gap[k], 1e-9, 1e-9);
        }
        carom_motion_simulation_free(one);
        carom_motion_simulation_free(other);
    }
}

TEST(unit, a_landing_loses_the_energy_of_the_foot_that_stops) {
    // The lower mass of the hopper stops: m v^2/2, beside the largest kinetic energy of the motion.
    enum { FINE = 20000 };
    const double *m = HOPPER_2.mass;
    held_motion held = hold_motion(&HOPPER_2, CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
    double largest = 0.0;
    for (int i = -2000; i <= 2000; i++) {
        for (int phase = 0; phase < 2; phase++) {
            const double duration = phase == 0 ? held.root.time : held.root.constrained_time;
            double v[2] = {0.0};
            const carom_motion_state state = {.velocity = v};
            carom_collisionless_motion_state(
                held.motion, phase == 0 ? CAROM_MOTION_UNCONSTRAINED : CAROM_MOTION_CONSTRAINED,
                duration * i / 2000.0, CAROM_MOTION_FROM_IMPACT, &state);
            largest = fmax(largest, 0.5 * (m[0] * v[0] * v[0] + m[3] * v[1] * v[1]));
        }
    }
    release_motion(&held);
    carom_motion_simulation *s = NULL;
    follow_elsewhere(&HOPPER_2, 1.0, 1.0, 1.0, FINE, &s);
    double energy = 0.0;
    for (int k = 1; k < FINE; k++) {
        if (s->gap[k] > 0.0 && !(s->gap[k + 1] > 0.0)) {
            const double v = (s->gap[k] - s->gap[k - 1]) / (s->time[k] - s->time[k - 1]);
            energy += 0.5 * m[3] * v * v;
        }
    }
    // Of first order in an interval, and 64 parts of a phase for the largest.
    assert_close(s->energy_lost, energy / largest, 5e-3, 0.0);
    carom_motion_simulation_free(s);
}

TEST(unit, a_motion_twice_as_large_does_the_same) {
    held_motion once = hold_motion(&HANGING_CHAIN, CAROM_MOTION_SCALE_CONTACT_LEVEL, -1.0);
    held_motion twice = hold_motion(&HANGING_CHAIN, CAROM_MOTION_SCALE_CONTACT_LEVEL, -2.0);
    carom_motion_simulation *small = NULL;
    carom_motion_simulation *large = NULL;
    assert_ok(carom_collisionless_motion_simulate(once.motion, HANGING_CHAIN.mass,
                                                  HANGING_CHAIN.stiffness, 8, &small, NULL));
    assert_ok(carom_collisionless_motion_simulate(twice.motion, HANGING_CHAIN.mass,
                                                  HANGING_CHAIN.stiffness, 8, &large, NULL));
    for (int k = 0; k <= 8; k++) {
        assert_close(large->gap[k], 2.0 * small->gap[k], 1e-13, 1e-15);
        assert_close(large->force[k], 2.0 * small->force[k], 1e-13, 1e-15);
    }
    assert_close(large->energy_lost, small->energy_lost, 0.0, 1e-15);
    // Reference: the force at P' is 3.6754 N, in the middle of the step.
    assert_close(small->force[4], 3.6754, 0.0, 5e-5);
    carom_motion_simulation_free(small);
    carom_motion_simulation_free(large);
    release_motion(&once);
    release_motion(&twice);
}

TEST(errors, a_motion_that_is_none_of_a_body_comes_back_elsewhere_or_ends) {
    // The second row of the chain: the floor would have to pull.
    motion_case second = HANGING_CHAIN;
    second.constrained_time += M_PI / M_SQRT2;
    held_motion held = hold_motion(&second, CAROM_MOTION_SCALE_CONTACT_LEVEL, -1.0);
    carom_motion_simulation *s = NULL;
    const carom_status status = carom_collisionless_motion_simulate(held.motion, second.mass,
                                                                    second.stiffness, 8, &s, NULL);
    if (status == CAROM_OK) {
        ck_assert_double_gt(s->return_distance, 1e-3);
    } else {
        ck_assert_str_eq(carom_status_name(status), "NOT_CONVERGED");
        ck_assert_ptr_null(s);
    }
    carom_motion_simulation_free(s);
    release_motion(&held);
}

TEST(errors, mixed_parities_are_refused) {
    held_motion held = hold_motion(&BIPED, CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
    held.motion->spectral->spectra->constrained_parity[0] = CAROM_PARITY_EVEN;
    carom_motion_simulation *s = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_collisionless_motion_simulate(held.motion, BIPED.mass, BIPED.stiffness, 8,
                                                      &s, &report),
                  CONFLICT);
    ck_assert_str_eq(report.quantity, "parity");
    ck_assert_ptr_null(s);
    carom_motion_simulation_free(NULL);
    release_motion(&held);
}

TEST(errors, every_failing_allocation_is_reported) {
    held_motion held = hold_motion(&HOPPER_2, CAROM_MOTION_SCALE_AMPLITUDE, 1.0);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int tries = 0;
    for (; status != CAROM_OK; tries++) {
        carom_motion_simulation *s = NULL;
        ck_assert_int_lt(tries, 400);
        successes_left = tries;
        status = carom_collisionless_motion_simulate(held.motion, HOPPER_2.mass, HOPPER_2.stiffness,
                                                     8, &s, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_str_eq(carom_status_name(status), "OUT_OF_MEMORY");
            ck_assert_ptr_null(s);
        }
        carom_motion_simulation_free(s);
    }
    ck_assert_int_gt(tries, 5);
    release_motion(&held);
}
