/* carom/timestepping/plastic/plastic.h: hopping without collision, against its closed form.
 */
#include "plastic_motions.h"

TEST(unit, closed_form_of_the_hop_has_the_known_numbers) {
    const hop h = collisionless_hop(&UNIT_HOPPER);
    // ten decimals, half a unit of the last
    assert_close(h.tau, 3.1773202983, 0.0, 5e-11);
    assert_close(h.tau_stance, 1.8757120725, 0.0, 5e-11);
    assert_close(h.period, 10.1060647417, 0.0, 5e-11);
    assert_close(hop_height(&h, 0.0), 7.8493515635, 0.0, 5e-11);
    assert_close(1.0 - 1.0 / cos(h.stance_rate * h.tau_stance), 4.3309704709, 0.0, 5e-11);
    assert_close(hop_height(&h, h.tau), 0.0, 0.0, 1e-14);
    // rounding of 1/cos(alpha) and of the phase
    assert_close(hop_speed(&h, h.tau), 0.0, 0.0, 1e-13);
}

static double momentum(double t, const double *q, const double *v, const double *a,
                       double contact_force, void *context) {
    const hopper *h = context;
    (void)t;
    (void)q;
    (void)a;
    (void)contact_force;
    return h->upper * v[0] + h->lower * v[1];
}

/* Three periods: landing without speed and loss, the greatest force at P', release, and the apex,
 * where the momentum has fallen to zero, again. */
static void check_hopping(const hopper *body) {
    const hop h = collisionless_hop(body);
    hopper context = *body;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_params params = default_params();
    params.user_quantity = momentum;
    params.user_context = &context;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    start_hop(motion, &h, 0.0);
    const double apex = carom_plastic_motion_position(motion)[1];
    const double energy = total_energy(&mechanism, motion);
    for (int period = 0; period < 3; period++) {
        const double from = period * h.period;
        double lost = 0.0;
        const carom_plastic_event landing = land(motion, 1e3, &lost);
        assert_close(landing.time, from + h.tau, 0.0, CUBIC_TIME_TOLERANCE);
        // 3 c s^2
        assert_close(landing.gap_rate_before, 0.0, 0.0,
                     9.0 * hop_cubic(&h) * gsl_pow_2(CUBIC_TIME_TOLERANCE));
        ck_assert_msg(lost < 1e-15 * energy, "lost %g", lost);

        const carom_plastic_event middle = advance(motion, from + h.tau + h.tau_stance);
        ck_assert_int_eq(middle.kind, CAROM_PLASTIC_END);
        const double phase = h.stance_rate * h.tau_stance;
        assert_close(middle.contact_force, h.weight * (1.0 - 1.0 / cos(phase)), STEPS_TOLERANCE,
                     0.0);

        const carom_plastic_event release = advance(motion, 1e3);
        ck_assert_int_eq(release.kind, CAROM_PLASTIC_RELEASE);
        assert_close(release.time, from + h.tau + 2.0 * h.tau_stance, STEPS_TOLERANCE, 0.0);
        const carom_plastic_event top = advance(motion, 1e3);
        ck_assert_int_eq(top.kind, CAROM_PLASTIC_USER);
        assert_close(top.time, from + h.period, STEPS_TOLERANCE, 0.0);
        assert_close(carom_plastic_motion_position(motion)[1], apex, 10.0 * STEPS_TOLERANCE, 0.0);
        assert_close(total_energy(&mechanism, motion), energy, STEPS_TOLERANCE, 0.0);
    }
    carom_plastic_motion_free(motion);
}

TEST(unit, collisionless_hopping_lands_without_loss_and_repeats) {
    check_hopping(&UNIT_HOPPER);
    check_hopping(&ODD_HOPPER);
}

/* Raised or lowered by a height, the lower mass lands with speed, as y_l tells. */
TEST(unit, detuned_hop_loses_the_energy_of_its_lower_mass) {
    const hop h = collisionless_hop(&ODD_HOPPER);
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double raised[4] = {0.03, 1e-3, -1e-3, -0.03};
    for (int i = 0; i < 4; i++) {
        double low = raised[i] > 0.0 ? h.tau : 0.0;
        double high = raised[i] > 0.0 ? 2.0 * h.tau : h.tau;
        for (int k = 0; k < 60; k++) {
            const double middle = 0.5 * (low + high);
            const bool is_above = hop_height(&h, middle) + raised[i] > 0.0;
            low = is_above ? middle : low;
            high = is_above ? high : middle;
        }
        start_hop(motion, &h, raised[i]);
        const double energy = total_energy(&mechanism, motion);
        const carom_plastic_event event = advance(motion, 1e3);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
        // the crossing of 1e-3 m has a slope of some 0.03 m/s
        assert_close(event.time, low, 100.0 * STEPS_TOLERANCE, 0.0);
        assert_close(event.gap_rate_before, hop_speed(&h, low), 1e-8, 0.0);
        assert_close(event.energy_lost, 0.5 * context.lower * gsl_pow_2(hop_speed(&h, low)), 1e-8,
                     0.0);
        assert_close(total_energy(&mechanism, motion), energy - event.energy_lost, STEPS_TOLERANCE,
                     0.0);
        // too late: the floor pushes; too early: it would have to pull
        ck_assert((event.contact_force > 0.0) == (raised[i] > 0.0));
    }
    carom_plastic_motion_free(motion);
}

/* Lowered by d: landing s = (d/c)^(1/3) too early at -3 c s^2, release, and the second landing at
 * tau + 2 s and -9 c s^2; relative corrections are of order s. */
TEST(unit, landing_too_early_is_followed_by_one_short_flight) {
    const hop h = collisionless_hop(&UNIT_HOPPER);
    hopper context = UNIT_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double c = hop_cubic(&h);
    const double lowered = 1e-9;
    const double s = cbrt(lowered / c);
    start_hop(motion, &h, -lowered);
    const carom_plastic_event early = advance(motion, 1e3);
    const carom_plastic_event opened = advance(motion, 1e3);
    const carom_plastic_event late = advance(motion, 1e3);
    ck_assert_int_eq(early.kind, CAROM_PLASTIC_LANDING);
    assert_close(early.time, h.tau - s, 0.0, 0.01 * s);
    assert_close(early.gap_rate_before, -3.0 * c * s * s, 0.01, 0.0);
    assert_close(early.contact_force, -6.0 * c * s * context.lower, 0.01, 0.0);
    ck_assert_int_eq(opened.kind, CAROM_PLASTIC_RELEASE);
    assert_close(opened.time, early.time, 0.0, 0.0);
    ck_assert_int_eq(late.kind, CAROM_PLASTIC_LANDING);
    assert_close(late.time, h.tau + 2.0 * s, 0.0, 0.01 * s);
    assert_close(late.gap_rate_before, -9.0 * c * s * s, 0.01, 0.0);
    assert_close(late.contact_force, 12.0 * c * s * context.lower, 0.01, 0.0);
    const carom_plastic_event release = advance(motion, 1e3);
    ck_assert_int_eq(release.kind, CAROM_PLASTIC_RELEASE);
    assert_close(release.time, h.tau + 2.0 * h.tau_stance, 0.0, 1e-8);
    carom_plastic_motion_free(motion);
}

/* However little it is detuned, `land` sees one short flight at most, and a stance follows. */
TEST(property, no_landing_bounces_twice) {
    const hop h = collisionless_hop(&ODD_HOPPER);
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    for (int i = 0; i < 40; i++) {
        const double detuned = pow(10.0, -16.0 + 0.35 * i);
        for (int side = -1; side <= 1; side += 2) {
            start_hop(motion, &h, side * detuned);
            double lost = 0.0;
            const carom_plastic_event landing = land(motion, 1e3, &lost);
            const carom_plastic_event release = advance(motion, 1e3);
            ck_assert_int_eq(release.kind, CAROM_PLASTIC_RELEASE);
            ck_assert_msg(release.time - landing.time > h.tau_stance, "detuned by %g: %g s",
                          side * detuned, release.time - landing.time);
        }
    }
    carom_plastic_motion_free(motion);
}

TEST(unit, motions_may_start_at_a_landing_or_a_release) {
    const hop h = collisionless_hop(&ODD_HOPPER);
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    double q[2] = {0.0};
    double v[2] = {0.0};
    double lost = 0.0;

    // landing: closed, it stands; open, it lands
    hop_contact_state(&h, -1, q, v);
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, true, NULL));
    carom_plastic_event event = advance(motion, 1e3);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_RELEASE);
    assert_close(event.time, 2.0 * h.tau_stance, STEPS_TOLERANCE, 0.0);
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
    event = land(motion, 1e3, &lost);
    assert_close(event.time, 0.0, 0.0, CUBIC_TIME_TOLERANCE);
    ck_assert(lost < 1e-20);

    // release: open, it flies; closed, it is released where the force exceeds its rounding
    hop_contact_state(&h, 1, q, v);
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
    event = land(motion, 1e3, &lost);
    assert_close(event.time, 2.0 * h.tau, 0.0, CUBIC_TIME_TOLERANCE);
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, true, NULL));
    event = advance(motion, 1e3);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_RELEASE);
    assert_close(event.time, 0.0, 0.0, 1e-9);
    event = land(motion, 1e3, &lost);
    assert_close(event.time, 2.0 * h.tau, 0.0, CUBIC_TIME_TOLERANCE);
    carom_plastic_motion_free(motion);
}

/* The spring lifts the lower mass by a little more than its weight, for a moment: the upper one
 * falls at once. */
TEST(unit, pull_within_rounding_is_held) {
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double excess[2] = {1e-12, 2e-9};
    for (int i = 0; i < 2; i++) {
        // a stance before, which must be forgotten
        const double rest[2] = {-context.upper * context.gravity / context.spring, 0.0};
        const double zero[2] = {0.0, 0.0};
        assert_ok(carom_plastic_motion_start(motion, 0.0, rest, zero, true, NULL));
        ck_assert_int_eq(advance(motion, 1.0).kind, CAROM_PLASTIC_END);

        const double extension = context.lower * context.gravity / context.spring;
        const double q[2] = {extension * (1.0 + excess[i]), 0.0};
        assert_ok(carom_plastic_motion_start(motion, 1.0, q, zero, true, NULL));
        ck_assert(carom_plastic_motion_contact_force(motion) < 0.0);
        const carom_plastic_event event = advance(motion, 1.5);
        ck_assert_int_eq(event.kind, i == 0 ? CAROM_PLASTIC_END : CAROM_PLASTIC_RELEASE);
        assert_close(event.time, i == 0 ? 1.5 : 1.0, 0.0, 0.0);
    }
    carom_plastic_motion_free(motion);
}

/* Each landing too early makes one flight that counts as short; a long one lies between. */
TEST(unit, short_flights_count_only_in_a_row) {
    const hop h = collisionless_hop(&ODD_HOPPER);
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_params params = default_params();
    params.shortest_flight = 0.1 * h.tau;
    params.most_micro_flights = 1;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    start_hop(motion, &h, -1e-7);
    int short_flights = 0;
    double release = (double)NAN;
    for (int i = 0; i < 40; i++) {
        const carom_plastic_event event = advance(motion, 1e3);
        release = event.kind == CAROM_PLASTIC_RELEASE ? event.time : release;
        short_flights +=
            event.kind == CAROM_PLASTIC_LANDING && event.time - release < params.shortest_flight;
    }
    ck_assert_int_ge(short_flights, 2);
    carom_plastic_motion_free(motion);
}
