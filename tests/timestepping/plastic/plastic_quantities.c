/* carom/timestepping/plastic/plastic.h: the contact force, user events, and dips shorter
 * than a step. */
#include "plastic_motions.h"

/* ---------------------------------------------------------------------------- dips and user event
 */

static double hopper_force_below(double t, const double *q, const double *v, const double *a,
                                 double contact_force, void *context) {
    const hopper *h = context;
    (void)t;
    (void)q;
    (void)v;
    (void)a;
    return 2.1 * h->gravity * (h->upper + h->lower) - contact_force;
}

/* F/weight = 1 - cos(omega' t')/cos(o') passes 2.1. */
TEST(unit, user_event_is_told_the_contact_force) {
    const hop h = collisionless_hop(&ODD_HOPPER);
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    carom_plastic_params params = default_params();
    params.user_quantity = hopper_force_below;
    params.user_context = &context;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    double q[2] = {0.0};
    double v[2] = {0.0};
    hop_contact_state(&h, -1, q, v);
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, true, NULL));
    const carom_plastic_event event = advance(motion, 1e3);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_USER);
    const double phase = acos(-1.1 * cos(h.stance_rate * h.tau_stance));
    assert_close(event.time, h.tau_stance - phase / h.stance_rate, STEPS_TOLERANCE, 0.0);
    assert_close(event.contact_force, 2.1 * h.weight, STEPS_TOLERANCE, 0.0);
    ck_assert(carom_plastic_motion_is_closed(motion));

    // it is told once; the release is not forgotten
    const carom_plastic_event next = advance(motion, 1e3);
    ck_assert_int_eq(next.kind, CAROM_PLASTIC_RELEASE);
    assert_close(next.time, 2.0 * h.tau_stance, STEPS_TOLERANCE, 0.0);
    carom_plastic_motion_free(motion);
}

static double speed_upwards(double t, const double *q, const double *v, const double *a,
                            double contact_force, void *context) {
    (void)t;
    (void)q;
    (void)a;
    (void)contact_force;
    return *(const double *)context * v[0];
}

/* v = 0.0385 m/s is above a level of 0.03, not of 0.05. */
TEST(unit, user_event_must_rise_above_its_level_first) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_params params = default_params();
    double sign = 1.0;
    params.user_quantity = speed_upwards;
    params.user_context = &sign;
    const double height = 0.731;
    const double speed = 0.0385;
    for (int i = 0; i < 2; i++) {
        params.user_level = i == 0 ? 0.03 : 0.05;
        carom_plastic_motion *motion = make_motion(&mechanism, &params);
        assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &speed, false, NULL));
        const carom_plastic_event event = advance(motion, 1e3);
        ck_assert_int_eq(event.kind, i == 0 ? CAROM_PLASTIC_USER : CAROM_PLASTIC_LANDING);
        ck_assert(i == 1 || fabs(event.time - speed / b.gravity) < 1e-14);
        carom_plastic_motion_free(motion);
    }
}

/* -v is stopped by the floor: first the landing, then the user, at one time; a start forgets. */
TEST(unit, impact_may_bring_the_user_quantity_to_zero) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_params params = default_params();
    double sign = -1.0;
    params.user_quantity = speed_upwards;
    params.user_context = &sign;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    const double height = 0.731;
    const double zero = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL));
    const carom_plastic_event landing = advance(motion, 1e3);
    ck_assert_int_eq(landing.kind, CAROM_PLASTIC_LANDING);
    const carom_plastic_event user = advance(motion, 1e3);
    ck_assert_int_eq(user.kind, CAROM_PLASTIC_USER);
    assert_close(user.time, landing.time, 0.0, 0.0);
    assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &sign, false, NULL));
    assert_ok(carom_plastic_motion_start(motion, 0.0, &zero, &zero, true, NULL));
    ck_assert_int_eq(advance(motion, 2.0).kind, CAROM_PLASTIC_END);
    carom_plastic_motion_free(motion);
}

static double height_of_ball(double t, const double *q, const double *v, const double *a,
                             double contact_force, void *context) {
    (void)t;
    (void)v;
    (void)a;
    (void)contact_force;
    (void)context;
    return q[0];
}

TEST(unit, landing_comes_before_a_user_event_at_the_same_time) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_params params = default_params();
    params.user_quantity = height_of_ball;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    const double height = 0.731;
    const double zero = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL));
    const carom_plastic_event landing = advance(motion, 1e3);
    ck_assert_int_eq(landing.kind, CAROM_PLASTIC_LANDING);
    const carom_plastic_event user = advance(motion, 1e3);
    ck_assert_int_eq(user.kind, CAROM_PLASTIC_USER);
    assert_close(user.time, landing.time, 0.0, 0.0);
    ck_assert(carom_plastic_motion_is_closed(motion));
    carom_plastic_motion_free(motion);
}

/* The hopper swings on the floor, upper mass A cos(omega' t) about rest: F = weight - kappa A cos.
 * Where A is just larger than weight/kappa, F is negative for a moment about t = 2 pi/omega'. */
static carom_plastic_motion *start_swing(const carom_mechanism *mechanism,
                                         const carom_plastic_params *params, double excess,
                                         double start_phase) {
    const hopper *h = mechanism->context;
    const double rate = sqrt(h->spring / h->upper);
    const double amplitude = (1.0 + excess) * h->gravity * (h->upper + h->lower) / h->spring;
    const double q[2] = {
        amplitude * cos(start_phase) - h->upper * h->gravity / h->spring,
        0.0,
    };
    const double v[2] = {-amplitude * rate * sin(start_phase), 0.0};
    carom_plastic_motion *motion = make_motion(mechanism, params);
    assert_ok(carom_plastic_motion_start(motion, start_phase / rate, q, v, true, NULL));
    return motion;
}

TEST(property, short_dip_of_the_force_is_seen) {
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    const carom_plastic_params params = default_params();
    const double rate = sqrt(context.spring / context.upper);
    for (int i = 0; i < 20; i++) {
        // other starts give other steps about the dip
        const double excess = 1e-6;
        carom_plastic_motion *motion = start_swing(&mechanism, &params, excess, 1.0 + 0.05 * i);
        const carom_plastic_event event = advance(motion, 1e3);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_RELEASE);
        const double phase = 2.0 * M_PI - acos(1.0 / (1.0 + excess));
        // the force crosses zero with a slope of 1.4e-3 of its size
        assert_close(event.time, phase / rate, 1e3 * STEPS_TOLERANCE, 0.0);
        carom_plastic_motion_free(motion);
    }
}

/* The search for events within a step leaves force and acceleration of its end. */
TEST(property, force_and_acceleration_are_those_of_the_present_state) {
    hopper context = ODD_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    const carom_plastic_params params = default_params();
    const double rate = sqrt(context.spring / context.upper);
    const double weight = context.gravity * (context.upper + context.lower);
    for (int i = 0; i < 20; i++) {
        // the least force is passed within the last part of the last step, or shortly before
        const double phase = 2.0 * M_PI + 0.01;
        carom_plastic_motion *motion = start_swing(&mechanism, &params, -0.5, 6.0 + 0.01 * i);
        const carom_plastic_event event = advance(motion, phase / rate);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_END);
        assert_close(event.contact_force, weight * (1.0 - 0.5 * cos(phase)), STEPS_TOLERANCE, 0.0);
        const double *a = carom_plastic_motion_acceleration(motion);
        assert_close(a[0], -0.5 * weight / context.upper * cos(phase), STEPS_TOLERANCE, 0.0);
        assert_close(a[1], 0.0, 0.0, STEPS_TOLERANCE);
        carom_plastic_motion_free(motion);
    }
}

/* On a spring, q = d (1 + (1 + excess) cos(rate t)): below the floor for a moment. */
static void spring_force(double t, const double *q, const double *v, double *f, void *context) {
    const ball *b = context;
    (void)t;
    (void)v;
    f[0] = b->mass * b->rate * b->rate * (0.471 - q[0]);
}

/* In flight, q = d (1 + cos(rate t)/2) falls by 1e-6 of the swing below what is taken off. */
static double height_above_a_level(double t, const double *q, const double *v, const double *a,
                                   double contact_force, void *context) {
    (void)t;
    (void)v;
    (void)a;
    (void)contact_force;
    (void)context;
    return q[0] - 0.471 * (0.5 + 0.5e-6);
}

TEST(property, short_dip_of_the_user_quantity_is_seen) {
    ball b = {.mass = 2.385, .rate = 3.1};
    carom_mechanism mechanism = ball_mechanism(&b);
    mechanism.force = spring_force;
    carom_plastic_params params = default_params();
    params.user_quantity = height_above_a_level;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    for (int i = 0; i < 20; i++) {
        // other starts give other steps about the dip
        const double start = 1.0 + 0.05 * i;
        const double q = 0.471 * (1.0 + 0.5 * cos(start));
        const double v = -0.471 * 0.5 * b.rate * sin(start);
        assert_ok(carom_plastic_motion_start(motion, start / b.rate, &q, &v, false, NULL));
        const carom_plastic_event event = advance(motion, 1e3);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_USER);
        // zero is crossed with a slope of 1.4e-3
        const double phase = M_PI - acos(1.0 - 1e-6);
        assert_close(event.time, phase / b.rate, 0.0, 1e3 * STEPS_TOLERANCE);
        // risen again, it is armed again: once each swing
        const carom_plastic_event next = advance(motion, 1e3);
        ck_assert_int_eq(next.kind, CAROM_PLASTIC_USER);
        assert_close(next.time - event.time, 2.0 * M_PI / b.rate, 0.0, 1e3 * STEPS_TOLERANCE);
    }
    carom_plastic_motion_free(motion);
}

TEST(property, short_dip_of_the_gap_is_a_landing_unless_within_the_tolerance) {
    ball b = {.mass = 2.385, .rate = 3.1};
    carom_mechanism mechanism = ball_mechanism(&b);
    mechanism.force = spring_force;
    carom_plastic_params params = default_params();
    params.gap_tolerance = 1e-9;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    for (int i = 0; i < 20; i++) {
        const double excess = 1e-7;
        const double phase = 0.03 * i;
        const double q = 0.471 * (1.0 + (1.0 + excess) * cos(phase));
        const double v = -0.471 * (1.0 + excess) * b.rate * sin(phase);
        assert_ok(carom_plastic_motion_start(motion, phase / b.rate, &q, &v, false, NULL));
        const carom_plastic_event event = advance(motion, 1.5);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
        // errors of 1e-13 m over the slope sqrt(2 excess)
        assert_close(event.time, acos(-1.0 / (1.0 + excess)) / b.rate, 0.0, 1e-9);
        assert_close(event.gap_rate_before, -0.471 * b.rate * sqrt(2.0 * excess), 1e-5, 0.0);
        // nothing holds it there
        ck_assert_int_eq(advance(motion, 1.5).kind, CAROM_PLASTIC_RELEASE);
    }
    // a graze of 0.3e-9 m is none, unless a reading happens to fall into it
    const double q = 0.471 * (2.0 + 0.6e-9);
    const double v = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 0.0, &q, &v, false, NULL));
    ck_assert_int_eq(advance(motion, 1.5).kind, CAROM_PLASTIC_END);
    carom_plastic_motion_free(motion);
}
