/* carom/timestepping/plastic/plastic_events.h: landings and releases against closed forms, the
 * energy that impacts take, collisionless hopping, and what is refused. */
#include "../../failing_malloc.h"
#include "../galpha/random_mechanism.h"
#include "plastic_bodies.h"

#include <gsl/gsl_math.h>

/* The bodies leave out derivatives, which this integrator does not read. Many stand at their zeros,
 * where a state has no length of its own. */
static carom_plastic_params default_params(void) {
    carom_plastic_params params = carom_plastic_params_default();
    params.check_derivatives = false;
    params.gap_tolerance = 1e-12;
    params.gap_rate_tolerance = 1e-9;
    params.shortest_flight = 1e-9;
    return params;
}

/* Errors of some hundred steps with tolerances 1e-13, in numbers of order one to ten. */
static const double STEPS_TOLERANCE = 1e-11;

/* A collisionless landing: gap errors of 1e-13 m give (1e-13/c)^(1/3) s, c = 1 m/s^3. */
static const double CUBIC_TIME_TOLERANCE = 1e-4;

static carom_plastic_motion *make_motion(const carom_mechanism *mechanism,
                                         const carom_plastic_params *params) {
    carom_plastic_motion *motion = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_plastic_motion_alloc(mechanism, params, &motion, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", carom_status_name(status),
                  report.quantity == NULL ? "?" : report.quantity);
    return motion;
}

static carom_plastic_motion *make_default_motion(const carom_mechanism *mechanism) {
    const carom_plastic_params params = default_params();
    return make_motion(mechanism, &params);
}

static carom_plastic_event advance(carom_plastic_motion *motion, double until) {
    carom_plastic_event event = {.time = (double)NAN};
    carom_report report = carom_report_empty();
    const carom_status status = carom_plastic_motion_advance(motion, until, &event, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s at %.17g s", carom_status_name(status),
                  report.quantity == NULL ? "?" : report.quantity, report.time);
    assert_close(event.time, carom_plastic_motion_time(motion), 0.0, 0.0);
    assert_close(event.contact_force, carom_plastic_motion_contact_force(motion), 0.0, 0.0);
    ck_assert(event.kind == CAROM_PLASTIC_LANDING || isnan(event.gap_rate_before));
    ck_assert(event.kind == CAROM_PLASTIC_LANDING || !(event.energy_lost > 0.0));
    return event;
}

static double total_energy(const carom_mechanism *mechanism, const carom_plastic_motion *motion) {
    double work[4 * 7 + 4] = {0.0};
    const double *q = carom_plastic_motion_position(motion);
    return carom_mechanism_kinetic_energy(mechanism, q, carom_plastic_motion_velocity(motion),
                                          work) +
           mechanism->potential_energy(q, mechanism->context);
}

/* ----------------------------------------------------------------------------------------- ball */

static ball falling_ball(void) {
    return (ball){.mass = 2.385, .gravity = 9.731};
}

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

/* -------------------------------------------------------------------------------------- hopper */

/* The collisionless hop in closed form: pankov-2024 (23), (24) for n = 2, and the explicit motion
 * that follows of it. Times from the apex. */
typedef struct hop {
    hopper body;
    double alpha;       /* tan y = y */
    double rate;        /* omega_2, rad/s */
    double stance_rate; /* omega'_1, rad/s */
    double tau;         /* s */
    double tau_stance;  /* tau', s */
    double period;      /* s */
    double swing;       /* S: the spring's extension is S cos(omega_2 t), m */
    double weight;      /* N */
} hop;

static hop collisionless_hop(const hopper *body) {
    hop h = {.body = *body};
    double low = M_PI;
    double high = 1.5 * M_PI;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        const bool is_below = sin(middle) - middle * cos(middle) > 0.0;
        low = is_below ? middle : low;
        high = is_below ? high : middle;
    }
    h.alpha = low;
    const double sum = body->upper + body->lower;
    h.rate = sqrt(body->spring * sum / (body->upper * body->lower));
    h.stance_rate = sqrt(body->spring / body->upper);
    h.tau = h.alpha / h.rate;
    h.tau_stance = (M_PI - atan(h.alpha * h.stance_rate / h.rate)) / h.stance_rate;
    h.period = 2.0 * (h.tau + h.tau_stance);
    h.swing = body->gravity * sum / (body->upper * h.rate * h.rate * cos(h.alpha));
    h.weight = body->gravity * sum;
    return h;
}

/* y_l and its rate. */
static double hop_height(const hop *h, double t) {
    const double phase = h->rate * t;
    return h->body.gravity / (h->rate * h->rate) *
           (0.5 * (h->alpha * h->alpha - phase * phase) + 1.0 - cos(phase) / cos(h->alpha));
}

static double hop_speed(const hop *h, double t) {
    const double phase = h->rate * t;
    return h->body.gravity / h->rate * (sin(phase) / cos(h->alpha) - phase);
}

/* Gap's third derivative at the landing over -6: the spring pulls by kappa (v_u - v_l). */
static double hop_cubic(const hop *h) {
    return h->body.spring * h->body.gravity * h->tau * (h->body.upper + h->body.lower) /
           (6.0 * h->body.lower * h->body.upper);
}

static const hopper UNIT_HOPPER = {.upper = 1.0, .lower = 1.0, .spring = 1.0, .gravity = 1.0};
static const hopper ODD_HOPPER = {.upper = 2.385, .lower = 0.731, .spring = 41.7, .gravity = 9.731};

/* Start at the apex, raised by some height. */
static void start_hop(carom_plastic_motion *motion, const hop *h, double raised) {
    const double lower = hop_height(h, 0.0) + raised;
    const double q[2] = {lower + h->swing, lower};
    const double v[2] = {0.0, 0.0};
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
}

/* Advance through a landing and, where it bounces, its one short flight. */
static carom_plastic_event land(carom_plastic_motion *motion, double until, double *lost) {
    carom_plastic_event event = advance(motion, until);
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
    *lost = event.energy_lost;
    if (event.contact_force < 0.0) {
        const carom_plastic_event opened = advance(motion, until);
        ck_assert_int_eq(opened.kind, CAROM_PLASTIC_RELEASE);
        assert_close(opened.time, event.time, 0.0, 0.0);
        assert_close(opened.contact_force, 0.0, 0.0, 0.0);
        event = advance(motion, until);
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
        *lost += event.energy_lost;
    }
    ck_assert(event.contact_force >= 0.0);
    return event;
}

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

/* State at the landing (side = -1) or at the release (side = 1). */
static void hop_contact_state(const hop *h, int side, double *q, double *v) {
    q[0] = h->body.lower * h->body.gravity / h->body.spring;
    q[1] = 0.0;
    v[0] = side * h->body.gravity * h->tau * (h->body.upper + h->body.lower) / h->body.upper;
    v[1] = 0.0;
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

/* -------------------------------------------------------------------------------------- errors */

static void expect_refusal(const carom_mechanism *mechanism, const carom_plastic_params *params,
                           carom_status expected, const char *quantity) {
    carom_plastic_motion *motion = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_plastic_motion_alloc(mechanism, params, &motion, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(motion);
    ck_assert(carom_plastic_motion_alloc(mechanism, params, &motion, NULL) == expected);
}

TEST(errors, parameters_out_of_range_are_refused) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    const carom_plastic_params good = default_params();
    enum { CASES = 9 };
    struct {
        const char *quantity;
        carom_plastic_params params;
    } cases[CASES] = {
        {"relative tolerance", good}, {"absolute tolerance", good}, {"largest step", good},
        {"most steps", good},         {"gap tolerance", good},      {"gap rate tolerance", good},
        {"shortest flight", good},    {"most micro-flights", good}, {"user level", good},
    };
    cases[0].params.relative_tolerance = 0.0;
    cases[1].params.absolute_tolerance = -1e-13;
    cases[2].params.largest_step = 0.0;
    cases[3].params.most_steps = 0;
    cases[4].params.gap_tolerance = -1e-12;
    cases[5].params.gap_rate_tolerance = -1e-9;
    cases[6].params.shortest_flight = -1e-9;
    cases[7].params.most_micro_flights = -1;
    cases[8].params.user_level = -1e-9;
    for (int i = 0; i < CASES; i++) {
        expect_refusal(&mechanism, &cases[i].params, CAROM_STATUS_OUT_OF_RANGE, cases[i].quantity);
    }
    carom_plastic_params unknown = good;
    unknown.largest_step = (double)NAN;
    expect_refusal(&mechanism, &unknown, CAROM_STATUS_NOT_FINITE, "largest step");
    unknown = good;
    unknown.relative_tolerance = HUGE_VAL;
    expect_refusal(&mechanism, &unknown, CAROM_STATUS_NOT_FINITE, "relative tolerance");
}

TEST(errors, mechanisms_of_another_kind_are_refused) {
    ball b = falling_ball();
    const carom_mechanism good = ball_mechanism(&b);
    const carom_plastic_params params = default_params();
    const double elastic = 0.385;
    const double unknown = (double)NAN;
    enum { CASES = 6 };
    struct {
        const char *quantity;
        carom_status status;
        carom_mechanism mechanism;
    } cases[CASES] = {
        {"coordinate count", CAROM_STATUS_OUT_OF_RANGE, good},
        {"contact count", CAROM_STATUS_OUT_OF_RANGE, good},
        {"contact count", CAROM_STATUS_OUT_OF_RANGE, good},
        {"layout size", CAROM_STATUS_OUT_OF_RANGE, good},
        {"restitution", CAROM_STATUS_NOT_FINITE, good},
        {"friction", CAROM_STATUS_NOT_FINITE, good},
    };
    cases[0].mechanism.coordinate_count = 0;
    cases[1].mechanism.contact_count = 2;
    cases[2].mechanism.contact_count = 0;
    cases[3].mechanism.layout = carom_layout_full(2);
    cases[4].mechanism.restitution = NULL;
    cases[5].mechanism.friction = &unknown;
    for (int i = 0; i < CASES; i++) {
        expect_refusal(&cases[i].mechanism, &params, cases[i].status, cases[i].quantity);
    }
    carom_mechanism more[3] = {good, good, good};
    more[0].joint_count = 1;
    more[1].restitution = &elastic;
    more[2].friction = &elastic;
    const char *sentences[3] = {
        "plastic_events computes motion without joints; mechanism 'plastic_body' has joints (1)",
        "plastic_events computes motion without restitution; mechanism 'plastic_body' has "
        "restitution 0.385",
        "plastic_events computes motion without friction; mechanism 'plastic_body' has friction "
        "0.385",
    };
    for (int i = 0; i < 3; i++) {
        carom_plastic_motion *motion = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_plastic_motion_alloc(&more[i], &params, &motion, &report), UNSUPPORTED);
        ck_assert_str_eq(report.sentence, sentences[i]);
        ck_assert_ptr_null(motion);
    }
}

/* A failed start leaves nothing to read, and no harm: a good one follows. */
static void expect_start_failure(const carom_mechanism *mechanism, double time, double q, double v,
                                 bool is_closed, carom_status expected, const char *quantity) {
    carom_plastic_motion *motion = make_default_motion(mechanism);
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_plastic_motion_start(motion, time, &q, &v, is_closed, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert(isnan(carom_plastic_motion_time(motion)));
    ck_assert(isnan(carom_plastic_motion_position(motion)[0]));
    ck_assert(isnan(carom_plastic_motion_velocity(motion)[0]));
    ck_assert(isnan(carom_plastic_motion_acceleration(motion)[0]));
    ck_assert(isnan(carom_plastic_motion_contact_force(motion)));
    carom_plastic_motion_free(motion);
}

static void no_normal(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 0.0;
}

TEST(errors, states_that_contradict_the_contact_are_refused) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    const double nan = (double)NAN;
    expect_start_failure(&mechanism, nan, 1.0, 0.0, false, CAROM_STATUS_NOT_FINITE, "time");
    expect_start_failure(&mechanism, 0.0, -1.1e-12, 0.0, false, CAROM_STATUS_PENETRATION, "gap");
    expect_start_failure(&mechanism, 0.0, 1.1e-12, 0.0, true, CAROM_STATUS_CONFLICT, "gap");
    expect_start_failure(&mechanism, 0.0, -1.1e-12, 0.0, true, CAROM_STATUS_CONFLICT, "gap");
    expect_start_failure(&mechanism, 0.0, 0.0, 1.1e-9, true, CAROM_STATUS_CONFLICT, "gap rate");
    expect_start_failure(&mechanism, 0.0, 0.0, -1.1e-9, true, CAROM_STATUS_CONFLICT, "gap rate");
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double q = 1.0;
    assert_status(carom_plastic_motion_start(motion, 0.0, &nan, &q, false, NULL), NOT_FINITE);
    assert_status(carom_plastic_motion_start(motion, 0.0, &q, &nan, false, NULL), NOT_FINITE);

    // what the tolerances allow of gap and gap rate is taken away
    const double gap = 0.9e-12;
    const double gap_rate = -0.9e-9;
    assert_ok(carom_plastic_motion_start(motion, 0.0, &gap, &gap_rate, true, NULL));
    assert_close(carom_plastic_motion_position(motion)[0], 0.0, 0.0, 1e-28);
    assert_close(carom_plastic_motion_velocity(motion)[0], 0.0, 0.0, 1e-24);
    carom_plastic_motion_free(motion);
}

TEST(errors, singular_mass_and_normal_are_refused_at_the_start) {
    ball massless = {.mass = 0.0, .gravity = 9.731};
    const carom_mechanism none = ball_mechanism(&massless);
    expect_start_failure(&none, 0.0, 1.0, 0.0, false, CAROM_STATUS_SINGULAR, "mass");
    ball b = falling_ball();
    carom_mechanism blind = ball_mechanism(&b);
    blind.constraint_jacobian = no_normal;
    expect_start_failure(&blind, 0.0, 0.0, 0.0, true, CAROM_STATUS_SINGULAR, "constraint jacobian");
    carom_mechanism slippery = ball_mechanism(&b);
    slippery.tangent_count = 3;
    expect_start_failure(&slippery, 0.0, 1.0, 0.0, false, CAROM_STATUS_OUT_OF_RANGE,
                         "tangent count");
}

/* Below half a metre something breaks. */
static void breaking_force(double t, const double *q, const double *v, double *f, void *context) {
    ball_force(t, q, v, f, context);
    f[0] = q[0] < 0.5 ? (double)NAN : f[0];
}

static void breaking_mass(const double *q, double *M, void *context) {
    ball_mass(q, M, context);
    M[0] = q[0] < 0.5 ? 0.0 : M[0];
}

static void breaking_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0] < 0.5 ? (double)NAN : q[0];
}

static void breaking_normal(const double *q, double *G, void *context) {
    (void)context;
    G[0] = q[0] < 0.5 ? (double)NAN : 1.0;
}

static void fading_normal(const double *q, double *G, void *context) {
    (void)context;
    G[0] = q[0] < 0.5 ? 0.0 : 1.0;
}

static double breaking_quantity(double t, const double *q, const double *v, const double *a,
                                double contact_force, void *context) {
    (void)t;
    (void)v;
    (void)a;
    (void)contact_force;
    (void)context;
    return q[0] < 0.5 ? (double)NAN : 1.0;
}

TEST(errors, numerical_failures_are_reported_with_their_time) {
    ball b = falling_ball();
    enum { CASES = 5 };
    struct {
        const char *quantity;
        carom_status status;
        carom_mechanism mechanism;
        carom_plastic_params params;
    } cases[CASES] = {
        {"acceleration", CAROM_STATUS_NOT_FINITE, ball_mechanism(&b), default_params()},
        {"mass", CAROM_STATUS_SINGULAR, ball_mechanism(&b), default_params()},
        {"gap", CAROM_STATUS_NOT_FINITE, ball_mechanism(&b), default_params()},
        {"gap rate", CAROM_STATUS_NOT_FINITE, ball_mechanism(&b), default_params()},
        {"user quantity", CAROM_STATUS_NOT_FINITE, ball_mechanism(&b), default_params()},
    };
    for (int i = 0; i < CASES; i++) {
        cases[i].mechanism.is_linear = false;
    }
    cases[0].mechanism.force = breaking_force;
    cases[1].mechanism.mass = breaking_mass;
    cases[2].mechanism.constraints = breaking_gap;
    cases[3].mechanism.constraint_jacobian = breaking_normal;
    cases[4].params.user_quantity = breaking_quantity;
    const double height = 1.37;
    const double zero = 0.0;
    for (int i = 0; i < CASES; i++) {
        carom_plastic_motion *motion = make_motion(&cases[i].mechanism, &cases[i].params);
        assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL));
        carom_report report = carom_report_empty();
        carom_plastic_event event = {.time = 0.0};
        const carom_status status = carom_plastic_motion_advance(motion, 1e3, &event, &report);
        ck_assert_msg(status == cases[i].status, "%s: %s", cases[i].quantity,
                      carom_status_name(status));
        ck_assert_str_eq(report.quantity, cases[i].quantity);
        // where the ball has fallen to half a metre, or within the step that goes there
        ck_assert(report.time > 0.0 && report.time < 2.0 && report.iterations > 0);
        ck_assert(isnan(event.time) && isnan(event.energy_lost) && isnan(event.contact_force));
        ck_assert_int_eq(event.kind, CAROM_PLASTIC_END);
        ck_assert(isnan(carom_plastic_motion_time(motion)));
        ck_assert(isnan(carom_plastic_motion_position(motion)[0]));

        // started anew, it is as good as ever
        assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL));
        assert_ok(carom_plastic_motion_advance(motion, 0.1, &event, NULL));
        carom_plastic_motion_free(motion);
    }
}

/* A gap without a normal where it closes; rates of G that are no numbers. */
static void unknown_rates(const double *q, const double *v, double *D, void *context) {
    (void)q;
    (void)v;
    (void)context;
    D[0] = (double)NAN;
}

static void rising_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0] - 0.5;
}

TEST(errors, contact_that_cannot_be_held_is_reported) {
    ball b = falling_ball();
    carom_mechanism mechanism = ball_mechanism(&b);
    mechanism.is_linear = false;
    mechanism.constraints = rising_gap;
    mechanism.constraint_rate_derivative = unknown_rates;
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double height = 1.37;
    const double zero = 0.0;
    carom_report report = carom_report_empty();
    carom_plastic_event event = {.time = 0.0};
    assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL));
    assert_status(carom_plastic_motion_advance(motion, 1e3, &event, &report), NOT_FINITE);
    ck_assert_str_eq(report.quantity, "normal acceleration");
    carom_plastic_motion_free(motion);

    // a normal that vanishes at the floor: without a gap rate there is no landing
    mechanism.constraint_rate_derivative = NULL;
    mechanism.constraint_jacobian = fading_normal;
    motion = make_default_motion(&mechanism);
    assert_ok(carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL));
    assert_ok(carom_plastic_motion_advance(motion, 2.0, &event, &report));
    ck_assert_int_eq(event.kind, CAROM_PLASTIC_END);
    carom_plastic_motion_free(motion);
}

TEST(errors, times_before_the_present_are_refused_without_harm) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_motion *motion = make_default_motion(&mechanism);
    const double height = 1.37;
    const double zero = 0.0;
    assert_ok(carom_plastic_motion_start(motion, 2.19, &height, &zero, false, NULL));
    carom_plastic_event event = {.time = 0.0};
    carom_report report = carom_report_empty();
    assert_status(carom_plastic_motion_advance(motion, 2.1, &event, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "end time");
    ck_assert(isnan(event.time) && isnan(event.energy_lost));
    assert_status(carom_plastic_motion_advance(motion, HUGE_VAL, &event, &report), NOT_FINITE);
    assert_ok(carom_plastic_motion_advance(motion, 2.19, &event, &report));
    assert_close(event.time, 2.19, 0.0, 0.0);
    assert_close(carom_plastic_motion_position(motion)[0], height, 0.0, 0.0);
    carom_plastic_motion_free(motion);
}

TEST(errors, too_many_steps_are_reported) {
    hopper context = UNIT_HOPPER;
    const carom_mechanism mechanism = hopper_mechanism(&context);
    const hop h = collisionless_hop(&UNIT_HOPPER);
    carom_plastic_params params = default_params();
    params.most_steps = 4;
    carom_plastic_motion *motion = make_motion(&mechanism, &params);
    start_hop(motion, &h, 0.0);
    carom_plastic_event event = {.time = 0.0};
    carom_report report = carom_report_empty();
    assert_status(carom_plastic_motion_advance(motion, 1e3, &event, &report), NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "number of steps");
    ck_assert_int_eq(report.iterations, 4);
    ck_assert(report.time > 0.0 && report.time < h.tau && report.step > 0.0);
    carom_plastic_motion_free(motion);
}

/* Shaken, the ball is released and lands once each round of the force: flights of a tenth of a
 * second are too short where a second is asked for. */
TEST(errors, micro_flights_without_end_are_reported) {
    ball b = falling_ball();
    b.shaking = 19.7;
    b.rate = 31.0;
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_plastic_params params = default_params();
    params.largest_step = 0.01;
    params.shortest_flight = 1.0;
    params.most_micro_flights = 3;
    const double zero = 0.0;
    for (int is_enough = 0; is_enough < 2; is_enough++) {
        carom_plastic_motion *motion = make_motion(&mechanism, &params);
        assert_ok(carom_plastic_motion_start(motion, 0.0, &zero, &zero, true, NULL));
        carom_status status = CAROM_OK;
        carom_report report = carom_report_empty();
        int landings = 0;
        for (int i = 0; i < 20 && status == CAROM_OK; i++) {
            carom_plastic_event event = {.time = 0.0};
            status = carom_plastic_motion_advance(motion, 1e3, &event, &report);
            landings += event.kind == CAROM_PLASTIC_LANDING;
        }
        if (is_enough == 0) {
            ck_assert_int_eq(status, CAROM_STATUS_NOT_CONVERGED);
            ck_assert_str_eq(report.quantity, "micro-flights");
            ck_assert(report.value > 0.0 && report.value < 0.5);
            ck_assert_int_eq(landings, 3);
        } else {
            ck_assert_int_eq(status, CAROM_OK);
            ck_assert_int_eq(landings, 10);
        }
        carom_plastic_motion_free(motion);
        params.shortest_flight = 1e-9;
    }
}

TEST(errors, every_failed_allocation_is_reported) {
    ball b = falling_ball();
    const carom_mechanism mechanism = ball_mechanism(&b);
    const carom_plastic_params params = default_params();
    const double height = 1.37;
    const double zero = 0.0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    for (; status != CAROM_OK && k < 100; k++) {
        carom_plastic_motion *motion = NULL;
        successes_left = k;
        status = carom_plastic_motion_alloc(&mechanism, &params, &motion, NULL);
        const bool is_made = status == CAROM_OK;
        if (is_made) {
            status = carom_plastic_motion_start(motion, 0.0, &height, &zero, false, NULL);
        }
        successes_left = -1;
        ck_assert(is_made == (motion != NULL));
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        if (status == CAROM_OK) {
            // nothing is allocated under way
            carom_plastic_event event = {.time = 0.0};
            allocations = 0;
            status = carom_plastic_motion_advance(motion, 9.0, &event, NULL);
            const int asked_for = allocations;
            ck_assert_int_eq(status, CAROM_OK);
            ck_assert_int_eq(event.kind, CAROM_PLASTIC_LANDING);
            ck_assert_int_eq(asked_for, 0);
        }
        carom_plastic_motion_free(motion);
    }
    ck_assert_int_ge(k, 5);
    ck_assert_int_eq(status, CAROM_OK);
}
