/** Motions with plastic impacts: what their suites share. */
#ifndef CAROM_TESTS_TIMESTEPPING_PLASTIC_MOTIONS_H
#define CAROM_TESTS_TIMESTEPPING_PLASTIC_MOTIONS_H

#include "plastic_bodies.h"

#include <gsl/gsl_math.h>

/** The bodies leave out derivatives, which this integrator does not read. Many stand at their
 * zeros, where a state has no length of its own. */
static inline carom_plastic_params default_params(void) {
    carom_plastic_params params = carom_plastic_params_default();
    params.check_derivatives = false;
    params.gap_tolerance = 1e-12;
    params.gap_rate_tolerance = 1e-9;
    params.shortest_flight = 1e-9;
    return params;
}

/** Errors of some hundred steps with tolerances 1e-13, in numbers of order one to ten. */
static const double STEPS_TOLERANCE = 1e-11;

/** A collisionless landing: gap errors of 1e-13 m give (1e-13/c)^(1/3) s, c = 1 m/s^3. */
static const double CUBIC_TIME_TOLERANCE = 1e-4;

static inline carom_plastic_motion *make_motion(const carom_mechanism *mechanism,
                                                const carom_plastic_params *params) {
    carom_plastic_motion *motion = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_plastic_motion_alloc(mechanism, params, &motion, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", carom_status_name(status),
                  report.quantity == NULL ? "?" : report.quantity);
    return motion;
}

static inline carom_plastic_motion *make_default_motion(const carom_mechanism *mechanism) {
    const carom_plastic_params params = default_params();
    return make_motion(mechanism, &params);
}

static inline carom_plastic_event advance(carom_plastic_motion *motion, double until) {
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

static inline double total_energy(const carom_mechanism *mechanism,
                                  const carom_plastic_motion *motion) {
    double work[4 * 7 + 4] = {0.0};
    const double *q = carom_plastic_motion_position(motion);
    return carom_mechanism_kinetic_energy(mechanism, q, carom_plastic_motion_velocity(motion),
                                          work) +
           mechanism->potential_energy(q, mechanism->context);
}

static inline ball falling_ball(void) {
    return (ball){.mass = 2.385, .gravity = 9.731};
}

/** The collisionless hop in closed form: pankov-2024 (23), (24) for n = 2, and the explicit motion
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

static inline hop collisionless_hop(const hopper *body) {
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

/** y_l and its rate. */
static inline double hop_height(const hop *h, double t) {
    const double phase = h->rate * t;
    return h->body.gravity / (h->rate * h->rate) *
           (0.5 * (h->alpha * h->alpha - phase * phase) + 1.0 - cos(phase) / cos(h->alpha));
}

static inline double hop_speed(const hop *h, double t) {
    const double phase = h->rate * t;
    return h->body.gravity / h->rate * (sin(phase) / cos(h->alpha) - phase);
}

/** Gap's third derivative at the landing over -6: the spring pulls by kappa (v_u - v_l). */
static inline double hop_cubic(const hop *h) {
    return h->body.spring * h->body.gravity * h->tau * (h->body.upper + h->body.lower) /
           (6.0 * h->body.lower * h->body.upper);
}

static const hopper UNIT_HOPPER = {.upper = 1.0, .lower = 1.0, .spring = 1.0, .gravity = 1.0};
static const hopper ODD_HOPPER = {.upper = 2.385, .lower = 0.731, .spring = 41.7, .gravity = 9.731};

/** Start at the apex, raised by some height. */
static inline void start_hop(carom_plastic_motion *motion, const hop *h, double raised) {
    const double lower = hop_height(h, 0.0) + raised;
    const double q[2] = {lower + h->swing, lower};
    const double v[2] = {0.0, 0.0};
    assert_ok(carom_plastic_motion_start(motion, 0.0, q, v, false, NULL));
}

/** Advance through a landing and, where it bounces, its one short flight. */
static inline carom_plastic_event land(carom_plastic_motion *motion, double until, double *lost) {
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

/** State at the landing (side = -1) or at the release (side = 1). */
static inline void hop_contact_state(const hop *h, int side, double *q, double *v) {
    q[0] = h->body.lower * h->body.gravity / h->body.spring;
    q[1] = 0.0;
    v[0] = side * h->body.gravity * h->tau * (h->body.upper + h->body.lower) / h->body.upper;
    v[1] = 0.0;
}

#endif
