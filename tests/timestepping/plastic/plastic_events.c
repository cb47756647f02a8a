/* carom/timestepping/plastic/plastic.h: landings and releases against closed forms, the
 * energy that impacts take, collisionless hopping, and what is refused. */
#include "../galpha/random_mechanism.h"
#include "plastic_motions.h"

/* h + v t - g t^2/2 = 0 */
TEST(unit, thrown_ball_lands_when_and_as_fast_as_it_must) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double height = 1.37;
    const double speed = 2.19;
    const double start = 3.71;
    assert_ok(carom_plastic_motion_start(motion, start, &height, &speed, false, NULL));
    const carom_plastic_event event = advance(motion, 100.0);
    const double impact = sqrt(speed * speed + 2.0 * b.gravity * height);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
    assert_close(event.time, start + (speed + impact) / b.gravity, STEPS_TOLERANCE, 0.0);
    assert_close(event.gap_rate_before, -impact, STEPS_TOLERANCE, 0.0);
    assert_close(event.energy_lost, 0.5 * b.mass * impact * impact, STEPS_TOLERANCE, 0.0);
    assert_close(event.contact_force, b.mass * b.gravity, 1e-15, 0.0);
    ck_assert(carom_plastic_motion_is_closed(motion));
    assert_close(carom_plastic_motion_velocity(motion)[0], 0.0, 0.0, 0.0);
    assert_close(carom_plastic_motion_acceleration(motion)[0], 0.0, 0.0, 1e-15 * b.gravity);

    // then it stays where it is, until exactly the time asked for
    ck_assert_int_eq(advance(motion, 5.0).kind, CAROM_PLASTIC_END);
    assert_close(carom_plastic_motion_position(motion)[0], 0.0, 0.0, 1e-15);
    for (int i = 0; i < 100; i++) {
        const double rest = 0.0;
        assert_ok(carom_plastic_motion_start(motion, 0.0173 * i, &rest, &rest, true, NULL));
        assert_close(advance(motion, 7.31).time, 7.31, 0.0, 0.0);
    }
    carom_plastic_motion_free(motion);
}

/* F = m (g - b t); from t = g/b on q = b (t - g/b)^3/6. */
TEST(unit, ball_is_released_where_its_weight_is_lifted) {
    ball b = falling_ball();
    b.growth = 4.19;
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double zero = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 0.385, &zero, &zero, true, NULL));
    assert_close(carom_plastic_motion_contact_force(motion),
                 b.mass * (b.gravity - 0.385 * b.growth), 1e-15, 0.0);
    assert_close(carom_plastic_motion_time(motion), 0.385, 0.0, 0.0);
    const carom_plastic_event event = advance(motion, 100.0);
    const double release = b.gravity / b.growth;
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_RELEASE);
    assert_close(event.time, release, 4.0 * GSL_DBL_EPSILON, 0.0);
    assert_close(event.contact_force, 0.0, 0.0, 0.0);
    ck_assert(!carom_plastic_motion_is_closed(motion));
    const carom_plastic_event end = advance(motion, release + 1.3);
    ck_assert_int_eq(end.kind, CAROM_PLASTIC_END);
    assert_close(carom_plastic_motion_position(motion)[0], b.growth * gsl_pow_3(1.3) / 6.0,
                 STEPS_TOLERANCE, 0.0);
    assert_close(carom_plastic_motion_acceleration(motion)[0], b.growth * 1.3, STEPS_TOLERANCE,
                 0.0);
    carom_plastic_motion_free(motion);
}

static double sine_of_time(double t, const double *q, const double *v, const double *a,
                           double contact_force, void *context) {
    (void)q;
    (void)v;
    (void)a;
    (void)contact_force;
    return sin(*(const double *)context * t);
}

/* At rest nothing shortens the steps but the bound. */
TEST(unit, what_changes_with_time_alone_is_watched_at_the_largest_step) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_params params = default_params();
    double rate = 7.31;
    params.largest_step = 0.1;
    params.user_quantity = sine_of_time;
    params.user_context = &rate;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    const double zero = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 0.0, &zero, &zero, true, NULL));
    for (int i = 0; i < 10; i++) {
        const carom_plastic_event event = advance(motion, 100.0);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_USER);
        assert_close(event.time, (2 * i + 1) * M_PI / rate, 1e-15, 0.0);
    }
    carom_plastic_motion_free(motion);
}

/* F = m (g - s sin(rate t)) */
TEST(unit, shaken_ball_is_released_where_its_weight_is_lifted) {
    ball b = falling_ball();
    b.shaking = 12.3;
    b.rate = 3.1;
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_params params = default_params();
    params.largest_step = 0.1;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    const double zero = 0.0;
    const double start = 2.0 * M_PI / b.rate;
    assert_ok(carom_plastic_motion_start(motion, start, &zero, &zero, true, NULL));
    const carom_plastic_event event = advance(motion, 100.0);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_RELEASE);
    assert_close(event.time, start + asin(b.gravity / b.shaking) / b.rate, 1e-14, 0.0);
    carom_plastic_motion_free(motion);
}

TEST(unit, resting_ball_started_open_lands_at_once_without_loss) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double heights[3] = {0.0, -1e-13, 1e-16};
    for (int i = 0; i < 3; i++) {
        const double zero = 0.0;
        assert_ok(carom_plastic_motion_start(motion, 2.19, &heights[i], &zero, false, NULL));
        const carom_plastic_event event = advance(motion, 100.0);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
        // sqrt(2 1e-16/g) = 5e-9 s at most
        assert_close(event.time, 2.19, 0.0, 1e-8);
        assert_close(event.energy_lost, 0.0, 0.0, b.mass * b.gravity * 1.01e-16);
        assert_close(carom_plastic_motion_position(motion)[0], 0.0, 0.0, 1e-30);
        ck_assert_int_eq(advance(motion, 4.0).kind, CAROM_PLASTIC_END);
    }
    carom_plastic_motion_free(motion);
}

TEST(unit, ball_started_on_the_floor_going_down_lands_there) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double zero = 0.0;
    const double speed = -0.731;
    assert_ok(carom_plastic_motion_start(motion, 2.19, &zero, &speed, false, NULL));
    const carom_plastic_event event = advance(motion, 2.19);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
    assert_close(event.time, 2.19, 0.0, 0.0);
    assert_close(event.gap_rate_before, speed, 0.0, 0.0);
    carom_plastic_motion_free(motion);
}

/* Nothing presses: it neither leaves nor lands, and friction without a coefficient is none. */
TEST(unit, weightless_ball_stays_in_contact) {
    ball b = {.mass = 2.385};
    carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double zero = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 0.0, &zero, &zero, true, NULL));
    ck_assert_int_eq(advance(motion, 7.0).kind, CAROM_PLASTIC_END);
    assert_ok(carom_plastic_motion_start(motion, 0.0, &zero, &zero, false, NULL));
    ck_assert_int_eq(advance(motion, 7.0).kind, CAROM_PLASTIC_END);
    carom_plastic_motion_free(motion);
}

/* ---------------------------------------------------------------------------- hill and pendulum */

/* A bead at speed u on top of a round hill leaves it at cos(angle) = (2 + u^2/(g R))/3: energy, and
 * g cos(angle) = speed^2/R. */
static void check_hill(bool is_polar) {
    bead b = {.mass = 2.385, .radius = 1.37, .gravity = 9.731};
    const carom_mechanism mechanism = is_polar ? polar_bead_mechanism(&b) : bead_mechanism(&b);
    const double u = 0.917;
    const double q[2] = {is_polar ? b.radius : 0.0, is_polar ? 0.0 : b.radius};
    const double v[2] = {is_polar ? 0.0 : u, is_polar ? u / b.radius : 0.0};
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, true, NULL));
    assert_close(carom_plastic_motion_contact_force(motion),
                 b.mass * (b.gravity - u * u / b.radius), 1e-14, 0.0);
    const double energy = total_energy(&mechanism, motion);
    const carom_plastic_event event = advance(motion, 100.0);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_RELEASE);
    assert_close(event.contact_force, 0.0, 0.0, 0.0);
    const double *at = carom_plastic_motion_position(motion);
    const double cosine = (2.0 + u * u / (b.gravity * b.radius)) / 3.0;
    assert_close(is_polar ? cos(at[1]) : at[1] / b.radius, cosine, STEPS_TOLERANCE, 0.0);
    // the drift of the stance is taken away
    double gap = 0.0;
    mechanism.constraints(at, &gap, &b);
    assert_close(gap, 0.0, 0.0, 1e-15);
    assert_close(total_energy(&mechanism, motion), energy, STEPS_TOLERANCE, 0.0);
    ck_assert_int_eq(advance(motion, event.time + 0.2).kind, CAROM_PLASTIC_END);
    assert_close(total_energy(&mechanism, motion), energy, STEPS_TOLERANCE, 0.0);
    carom_plastic_motion_free(motion);
}

TEST(unit, bead_leaves_a_round_hill_at_the_known_height) {
    check_hill(false);
}

TEST(unit, bead_in_polar_coordinates_leaves_the_hill_at_the_same_height) {
    check_hill(true);
}

/* A bead thrown onto a slope loses the kinetic energy of the normal velocity. */
TEST(unit, impact_on_a_slope_takes_the_normal_velocity_only) {
    bead b = {.mass = 2.385, .radius = 1.37, .gravity = 9.731};
    const carom_mechanism mechanism = bead_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double angle = 0.83;
    const double q[2] = {b.radius * sin(angle), b.radius * cos(angle) + 0.37};
    const double v[2] = {0.0, -1.19};
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
    const carom_plastic_event event = advance(motion, 10.0);
    const double fall = -sqrt(1.19 * 1.19 + 2.0 * b.gravity * 0.37);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
    assert_close(event.gap_rate_before, fall * cos(angle), STEPS_TOLERANCE, 0.0);
    assert_close(event.energy_lost, 0.5 * b.mass * gsl_pow_2(fall * cos(angle)), STEPS_TOLERANCE,
                 0.0);
    const double *after = carom_plastic_motion_velocity(motion);
    const double along = -fall * sin(angle);
    assert_close(after[0], along * cos(angle), STEPS_TOLERANCE, 0.0);
    assert_close(after[1], -along * sin(angle), STEPS_TOLERANCE, 0.0);
    carom_plastic_motion_free(motion);
}

/* So close above the slope that it lands at 1e-7 of its speed along it: gap h - a t^2/2. */
TEST(unit, slow_landing_of_a_fast_bead_is_not_late) {
    bead b = {.mass = 2.385, .radius = 1.37, .gravity = 9.731};
    const carom_mechanism mechanism = bead_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double angle = 0.43;
    const double speed = 1.19;
    const double height = 2e-14;
    const double r = b.radius + height;
    const double q[2] = {r * sin(angle), r * cos(angle)};
    const double v[2] = {speed * cos(angle), -speed * sin(angle)};
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
    const carom_plastic_event event = advance(motion, 10.0);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
    const double fall = b.gravity * cos(angle) - speed * speed / b.radius;
    // the height has an error of 3e-16 m
    assert_close(event.time, sqrt(2.0 * height / fall), 0.02, 0.0);
    assert_close(event.gap_rate_before, -sqrt(2.0 * height * fall), 0.02, 0.0);
    carom_plastic_motion_free(motion);
}

static const double_pendulum PENDULUM = {
    .mass = {1.31, 2.385},
    .length = {0.917, 1.173},
    .gravity = 9.731,
    .distance = 0.071,
};

/* What a motion must satisfy at all times: its energy is what impacts have left, and the contact is
 * where it belongs. */
typedef struct balance {
    const carom_mechanism *mechanism;
    double energy;    /* J, that must be there */
    double scale;     /* J, of kinetic and potential energy */
    int landings;     /* so far */
    int releases;     /* so far */
    double greatest;  /* energy lost in one landing, J */
    double last_time; /* s */
} balance;

static void check_balance(balance *b, const carom_plastic_motion *motion,
                          const carom_plastic_event *event) {
    const bool is_closed = carom_plastic_motion_is_closed(motion);
    b->energy -= event->energy_lost;
    b->greatest = fmax(b->greatest, event->energy_lost);
    b->landings += event->kind == CAROM_PLASTIC_LANDING;
    b->releases += event->kind == CAROM_PLASTIC_RELEASE;
    assert_close(total_energy(b->mechanism, motion), b->energy, 0.0, b->scale * STEPS_TOLERANCE);
    double gap = 0.0;
    b->mechanism->constraints(carom_plastic_motion_position(motion), &gap, b->mechanism->context);
    ck_assert_msg(gap >= -STEPS_TOLERANCE, "gap %g", gap);
    ck_assert(!is_closed || gap <= STEPS_TOLERANCE);
    ck_assert(is_closed == (event->kind == CAROM_PLASTIC_LANDING) ||
              event->kind == CAROM_PLASTIC_END);
    ck_assert(event->time >= b->last_time);
    b->last_time = event->time;
}

static void follow(balance *b, carom_plastic_motion *motion, double span) {
    const double end = carom_plastic_motion_time(motion) + span;
    carom_plastic_event event = {.kind = CAROM_PLASTIC_USER};
    for (int i = 0; i < 1000 && event.kind != CAROM_PLASTIC_END; i++) {
        event = advance(motion, end);
        check_balance(b, motion, &event);
    }
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_END);
}

TEST(property, double_pendulum_against_a_wall_keeps_what_impacts_leave) {
    double_pendulum p = PENDULUM;
    const carom_mechanism mechanism = pendulum_mechanism(&p);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double q[2] = {2.19, 1.731};
    const double v[2] = {-0.385, 0.217};
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
    balance b = {.mechanism = &mechanism, .scale = 80.0};
    b.energy = total_energy(&mechanism, motion);
    follow(&b, motion, 12.0);
    ck_assert_int_ge(b.landings, 4);
    ck_assert_int_ge(b.releases, 4);
    ck_assert(b.greatest > 0.1);
    carom_plastic_motion_free(motion);
}

/* The same events with tolerances a thousand times larger, to their accuracy: 1e-10 times what two
 * swings amplify. */
TEST(property, events_do_not_depend_on_the_tolerances) {
    double_pendulum p = PENDULUM;
    const carom_mechanism mechanism = pendulum_mechanism(&p);
    carom_plastic_params params = default_params();
    carom_plastic_motion *fine = make_motion(&mechanism, &params);
    params.relative_tolerance = 1e-10;
    params.absolute_tolerance = 1e-10;
    carom_plastic_motion *coarse = make_motion(&mechanism, &params);
    const double q[2] = {2.19, 1.731};
    const double v[2] = {-0.385, 0.217};
    assert_ok(carom_plastic_motion_start(fine, 0.0, q, v, false, NULL));
    assert_ok(carom_plastic_motion_start(coarse, 0.0, q, v, false, NULL));
    for (int i = 0; i < 5; i++) {
        const carom_plastic_event one = advance(fine, 100.0);
        const carom_plastic_event other = advance(coarse, 100.0);
        ck_assert_int_eq(one.kind, other.kind);
        assert_close(one.time, other.time, 0.0, 1e-7);
        assert_close(one.energy_lost, other.energy_lost, 0.0, 1e-7);
        // another way indeed
        ck_assert(fabs(one.time - other.time) > 0.0);
    }
    carom_plastic_motion_free(fine);
    carom_plastic_motion_free(coarse);
}

/* Linear elasticity and a curved gap: M v' = f0 - K q + G' F. */
TEST(property, random_mechanisms_lose_what_their_impacts_take) {
    int landings = 0;
    int releases = 0;
    for (unsigned long seed = 1; seed <= 24; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const random_shape shape = {
            .coordinates = 1 + (int)(seed % 4),
            .contacts = 1,
            .is_banded = seed % 3 == 0,
            .closed_share = 0.0,
            .largest_gap = 0.5,
        };
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        r.restitution[0] = 0.0;
        r.mass_wave = 0.0;
        r.s = 0.0;
        memset(r.f1, 0, sizeof r.f1);
        carom_plastic_motion *motion = make_default_motion(&r.mechanism);
        assert_ok(carom_plastic_motion_start(motion, 0.385, r.q0, r.v0, false, NULL));
        balance b = {.mechanism = &r.mechanism};
        b.energy = total_energy(&r.mechanism, motion);
        b.scale = 10.0 + fabs(b.energy);
        follow(&b, motion, 4.0);
        landings += b.landings;
        releases += b.releases;
        carom_plastic_motion_free(motion);
        gsl_rng_free(generator);
    }
    ck_assert_msg(landings >= 24 && releases >= 12, "%d landings, %d releases", landings, releases);
}
