/* carom/timestepping/plastic/plastic.h: what is refused, and failures with their time. */
#include "../../failing_malloc.h"
#include "plastic_motions.h"

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
    const carom_plastic_params params = carom_plastic_params_default();
    carom_plastic_motion *motion = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_plastic_motion_alloc(&slippery, &params, &motion, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "tangent count");
    ck_assert_ptr_null(motion);
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
