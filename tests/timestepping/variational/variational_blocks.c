/* carom/timestepping/variational/variational.h: blocks on a floor that rest, slide, stick,
 * stop and are pulled off, each against its closed form. */
#include <carom/timestepping/variational/step_internal.h>

#include "variational_bodies.h"
#include "variational_ways.h"

TEST(unit, a_block_at_rest_is_carried_by_equal_halves) {
    // lambda = kappa = h m g/2, whatever the unit of the gap.
    for (int k = 0; k < 2; k++) {
        slider s = slider_of(0.0);
        s.scale = k == 0 ? 1.0 : 1e3;
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double h = 0.013;
        double t = 0.0;
        double q[2] = {0.4, 0.0};
        double p[2] = {0.0, 0.0};
        bool held[1] = {true};
        for (int j = 0; j < 20; j++) {
            advance(step, &t, q, p, h, held);
            const double half = 0.5 * h * s.mass * GRAVITY / s.scale;
            assert_close(step->first_impulse[0], half, 1e-14, 0.0);
            assert_close(step->last_impulse[0], half, 1e-14, 0.0);
            assert_close(step->normal_impulse[0], 2.0 * half, 1e-14, 0.0);
            ck_assert_int_eq(way_of(step, 0), WAY_STICK);
            ck_assert_int_eq(step->combinations, 1);
            assert_close(p[1], 0.0, 0.0, 1e-16);
            assert_close(q[0], 0.4, 0.0, 0.0);
            assert_close(step->dissipation, 0.0, 0.0, 0.0);
        }
        carom_variational_step_free(step);
    }
}

TEST(unit, a_sliding_block_is_slowed_by_mu_g_and_stops) {
    for (int direction = -1; direction <= 1; direction += 2) {
        slider s = slider_of(0.0);
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double h = 1e-3;
        const double slowing = s.friction[0] * GRAVITY;
        const double v0 = 0.0777 * direction;
        double t = 0.0;
        double q[2] = {0.4, 0.0};
        double p[2] = {s.mass * v0, 0.0};
        bool held[1] = {true};
        double lost = 0.0;
        int steps = 0;
        for (; steps < 40; steps++) {
            const double before = p[0] / s.mass;
            advance(step, &t, q, p, h, held);
            ck_assert(held[0]);
            lost += step->dissipation;
            // What friction takes is what is missing, step by step, also where it stops.
            const double change = 0.5 * (p[0] * p[0] / s.mass - s.mass * before * before);
            assert_close(step->dissipation, -change, 1e-12, 1e-18);
            ck_assert_double_le(fabs(step->friction_impulse[0]),
                                0.37 * step->normal_impulse[0] * (1.0 + 1e-14));
            if (way_of(step, 0) == WAY_STICK) {
                break;
            }
            ck_assert_int_eq(way_of(step, 0), direction > 0 ? WAY_FORWARD : WAY_BACKWARD);
            // mu g, neither half nor twice of it.
            assert_close((p[0] / s.mass - before) / h, -slowing * direction, 1e-12, 0.0);
            assert_close(step->friction_impulse[0], -0.37 * h * s.mass * GRAVITY * direction, 1e-14,
                         0.0);
            assert_close(step->sliding[0], 0.5 * (before + p[0] / s.mass), 1e-14, 0.0);
            assert_close(step->dissipation, -step->friction_impulse[0] * step->sliding[0], 1e-15,
                         0.0);
        }
        // It stops in the step in which v - mu g h/2 changes its sign.
        ck_assert_int_eq(steps, (int)ceil(fabs(v0) / (slowing * h) - 0.5));
        // Where it sticks it stays, without momentum from the end of this step on.
        const double place = q[0];
        ck_assert_double_ne(step->first_friction[0], 0.0);
        for (int k = 0; k < 20; k++) {
            assert_close(p[0], 0.0, 0.0, 1e-16 * s.mass * fabs(v0));
            advance(step, &t, q, p, h, held);
            ck_assert_int_eq(way_of(step, 0), WAY_STICK);
            ck_assert_int_eq(step->combinations, 1); // that of the last step
            assert_close(q[0], place, 1e-15, 0.0);
            assert_close(step->friction_impulse[0], 0.0, 0.0, 1e-16 * s.mass * fabs(v0));
            assert_close(step->dissipation, 0.0, 0.0, 1e-30);
        }
        // All went into friction.
        assert_close(lost, 0.5 * s.mass * v0 * v0, 1e-12, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_pulled_block_sticks_inside_the_cone_and_slides_outside) {
    const double cone = 0.37 * 2.385 * GRAVITY;
    const double pulls[4] = {0.999 * cone, -0.999 * cone, 1.1 * cone, -1.1 * cone};
    for (int k = 0; k < 4; k++) {
        slider s = slider_of(pulls[k]);
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double h = 2e-3;
        double t = 0.0;
        double q[2] = {0.0, 0.0};
        double p[2] = {0.0, 0.0};
        bool held[1] = {true};
        for (int j = 0; j < 10; j++) {
            advance(step, &t, q, p, h, held);
            if (k < 2) {
                assert_close(step->friction_impulse[0], -h * pulls[k], 1e-13, 0.0);
                assert_close(p[0], 0.0, 0.0, 1e-15);
                assert_close(step->sliding[0], 0.0, 0.0, 0.0);
            } else {
                // From sticking to sliding at once in the right direction.
                ck_assert_int_eq(step->combinations, j == 0 ? 2 : 1);
                assert_close(p[0], (pulls[k] / 11.0) * t, 1e-12, 0.0);
            }
        }
        carom_variational_step_free(step);
    }
}

TEST(unit, a_block_that_sticks_at_the_midpoint_may_slide_at_the_end) {
    // It comes against a pull of 1.005 of the cone: f stops it within its bound, g cannot hold it.
    const double cone = 0.37 * 2.385 * GRAVITY;
    const double h = 2e-3;
    for (int sign = -1; sign <= 1; sign += 2) {
        slider s = slider_of(1.005 * cone * sign);
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double q[2] = {0.0, 0.0};
        const double p[2] = {-0.25 * h * s.force[0], 0.0};
        const bool held[1] = {true};
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
        ck_assert_int_eq(way_of(step, 0), WAY_STICK);
        assert_close(step->first_friction[0], -0.25 * h * s.force[0], 1e-13, 0.0);
        assert_close(step->last_friction[0], -0.5 * h * cone * sign, 1e-13, 0.0);
        assert_close(step->momentum[0], 0.5 * h * 0.005 * cone * sign, 1e-10, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, impulses_keep_their_bounds_also_where_the_modes_are_within_rounding) {
    const double cone = 0.37 * 2.385 * GRAVITY;
    for (int k = 0; k < 10; k++) {
        slider s = slider_of(cone * (1.0 + 1e-13 * (1 << k)));
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double q[2] = {0.0, 0.0};
        const double rest[2] = {0.0, 0.0};
        const double p[2] = {0.7, 0.0};
        const bool held[1] = {true};
        assert_ok(carom_variational_step_solve(step, 0.0, q, rest, 0.01, held, NULL));
        ck_assert_double_le(fabs(step->first_friction[0]), 0.37 * step->first_impulse[0]);
        ck_assert_double_le(fabs(step->last_friction[0]),
                            0.37 * step->last_impulse[0] * (1.0 + 1e-15));
        // Lifted by what is rounding beside the momentum: held still, and without an impulse.
        s.force[0] = 0.0;
        s.force[1] = 1e-13 * (1 << k);
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.01, held, NULL));
        ck_assert(step->is_held[0]);
        assert_close(step->first_impulse[0], 0.0, 0.0, 0.0);
        assert_close(step->friction_impulse[0], 0.0, 0.0, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_block_that_stops_on_a_slope_is_held_there_by_half_its_pull_twice) {
    // Coordinates along and across a slope of 0.3 < atan 0.37 rad; it is pushed upwards.
    const double slope = 0.3;
    const double weight = 2.385 * GRAVITY;
    slider s = slider_of(-weight * sin(slope));
    s.force[1] = -weight * cos(slope);
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 1e-3;
    double t = 0.0;
    double q[2] = {0.0, 0.0};
    double p[2] = {s.mass * 0.0513, 0.0};
    bool held[1] = {true};
    double energy = 0.5 * p[0] * p[0] / s.mass;
    int resting = 0;
    for (int k = 0; k < 40; k++) {
        advance(step, &t, q, p, h, held);
        const double now = 0.5 * (p[0] * p[0] + p[1] * p[1]) / s.mass + slider_energy(q, &s);
        assert_close(energy - now, step->dissipation, 1e-12, 1e-17);
        ck_assert_double_le(now, energy + 1e-17);
        energy = now;
        ck_assert_double_le(fabs(step->friction_impulse[0]),
                            0.37 * step->normal_impulse[0] * (1.0 + 1e-14));
        if (way_of(step, 0) == WAY_STICK) {
            assert_close(p[0], 0.0, 0.0, 1e-16);
            assert_close(step->last_friction[0], 0.5 * h * weight * sin(slope), 1e-13, 0.0);
            if (resting > 0) {
                assert_close(step->friction_impulse[0], h * weight * sin(slope), 1e-13, 0.0);
                assert_close(step->dissipation, 0.0, 0.0, 1e-18);
            }
            resting++;
        }
    }
    // It slows by g (sin + mu cos) = 6.37 m/s2 and needs 8 ms to stop.
    ck_assert_int_ge(resting, 31);
    ck_assert_int_le(resting, 33);
    carom_variational_step_free(step);
}

TEST(unit, without_friction_a_point_in_space_slides_on) {
    slider s = {
        .tangents = 2, .copies = 1, .mass = 1.3, .force = {0.0, 0.0, -1.3 * GRAVITY}, .scale = 1.0};
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    double t = 0.0;
    double q[3] = {0.0, 0.0, 0.0};
    double p[3] = {1.3 * 0.3, -1.3 * 0.1, 0.0};
    bool held[1] = {true};
    advance(step, &t, q, p, 1e-3, held);
    assert_close(p[0], 1.3 * 0.3, 1e-15, 0.0);
    assert_close(p[1], -1.3 * 0.1, 1e-15, 0.0);
    ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_SLIDE);
    assert_close(step->sliding[0], 0.3, 1e-14, 0.0);
    assert_close(step->sliding[1], -0.1, 1e-14, 0.0);
    carom_variational_step_free(step);
}

TEST(unit, without_friction_modes_tell_the_direction) {
    for (int k = 0; k < 2; k++) {
        slider s = slider_of(0.0);
        s.friction[0] = 0.0;
        carom_mechanism mechanism = slider_mechanism(&s);
        mechanism.friction = k == 0 ? s.friction : NULL;
        carom_variational_step *step = step_of(&mechanism);
        double t = 0.0;
        double q[2] = {0.0, 0.0};
        double p[2] = {-0.7, 0.0};
        bool held[1] = {true};
        advance(step, &t, q, p, 0.01, held);
        ck_assert_int_eq(way_of(step, 0), WAY_BACKWARD);
        ck_assert_int_eq(step->combinations, 1);
        assert_close(step->sliding[0], -0.7 / s.mass, 1e-15, 0.0);
        assert_close(step->friction_impulse[0], 0.0, 0.0, 0.0);
        assert_close(step->dissipation, 0.0, 0.0, 0.0);
        assert_close(p[0], -0.7, 1e-15, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_contact_that_would_pull_is_released_in_that_step) {
    // The force at the midpoint, m (-g + a t_m), turns upwards at t_m = g/a.
    ball b = {.mass = 1.3, .gravity = 9.7, .growth = 100.0};
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 1e-3;
    double t = 0.0;
    double q = 0.0;
    double p = 0.0;
    bool held[1] = {true};
    for (int k = 0; k < 120; k++) {
        const double F = 1.3 * (-9.7 + 100.0 * (t + 0.5 * h));
        advance(step, &t, &q, &p, h, held);
        ck_assert_int_eq(held[0], F < 0.0);
        ck_assert_int_eq(step->combinations, k == 97 ? 2 : 1);
        assert_close(step->normal_impulse[0], F < 0.0 ? -h * F : 0.0, 1e-12, 0.0);
    }
    ck_assert_double_gt(q, 0.0);
    carom_variational_step_free(step);
}

TEST(unit, a_contact_given_twice_shares_its_impulses) {
    const double pulls[2] = {3.0, 50.0};
    for (int k = 0; k < 2; k++) {
        slider once = slider_of(pulls[k]);
        slider twice = once;
        twice.copies = 2;
        const carom_mechanism single = slider_mechanism(&once);
        const carom_mechanism copied = slider_mechanism(&twice);
        carom_variational_step *one = step_of(&single);
        carom_variational_step *two = step_of(&copied);
        const bool held[2] = {true, true};
        const double q[2] = {0.0, 0.0};
        const double p[2] = {0.2, 0.0};
        assert_ok(carom_variational_step_solve(one, 0.0, q, p, 0.01, held, NULL));
        assert_ok(carom_variational_step_solve(two, 0.0, q, p, 0.01, held, NULL));
        for (int i = 0; i < 2; i++) {
            assert_close(two->position[i], one->position[i], 1e-14, 1e-17);
            assert_close(two->momentum[i], one->momentum[i], 1e-14, 1e-16);
            assert_close(two->first_impulse[i], 0.5 * one->first_impulse[0], 1e-13, 0.0);
            assert_close(two->last_impulse[i], 0.5 * one->last_impulse[0], 1e-13, 0.0);
            assert_close(two->first_impulse[i], two->last_impulse[i], 1e-13, 0.0);
        }
        assert_close(two->dissipation, one->dissipation, 1e-12, 1e-18);
        assert_close(two->friction_impulse[0] + two->friction_impulse[1], one->friction_impulse[0],
                     1e-12, 1e-14);
        carom_variational_step_free(one);
        carom_variational_step_free(two);
    }
}

TEST(unit, a_contact_given_twice_sticks_and_stops) {
    // Half of each impulse along both of the dependent rows; stopped within the first step.
    slider s = slider_of(3.0);
    s.copies = 2;
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 0.01;
    double t = 0.0;
    double q[2] = {0.0, 0.0};
    double p[2] = {0.02, 0.0};
    bool held[2] = {true, true};
    for (int k = 0; k < 3; k++) {
        advance(step, &t, q, p, h, held);
        assert_close(p[0], 0.0, 0.0, 1e-16);
        // In the first step one of the rows begins with friction at its bound.
        assert_close(step->first_friction[0] + step->first_friction[1],
                     -0.5 * h * 3.0 - (k == 0 ? 0.02 : 0.0), 1e-12, 0.0);
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(way_of(step, i), WAY_STICK);
            ck_assert_double_le(fabs(step->first_friction[i]), 0.37 * step->first_impulse[i]);
            if (k > 0) {
                assert_close(step->first_friction[i], -0.25 * h * 3.0, 1e-12, 0.0);
            }
            assert_close(step->last_friction[i], -0.25 * h * 3.0, 1e-12, 0.0);
        }
        assert_close(step->dissipation, k == 0 ? 0.5 * 0.02 * 0.02 / s.mass : 0.0, 1e-12, 1e-18);
    }
    carom_variational_step_free(step);
}
