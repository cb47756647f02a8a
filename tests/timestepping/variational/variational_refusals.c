/* carom/timestepping/variational/variational.h: what is refused, steps that fail and leave
 * the state before, and memory. */
#include "../../failing_malloc.h"
#include "variational_stepping.h"

#include <carom/mechanism/planar_tree.h>

#include <gsl/gsl_math.h>

/* ---------------------------------------------------------------------------------------- errors
 */

/* A step that fails leaves everything as it was. */
static void assert_fails_and_stays(carom_variational_stepper *stepper, int n,
                                   carom_status expected) {
    const carom_variational_result before = *carom_variational_stepper_result(stepper);
    double q[PILE_COORDINATES];
    double p[PILE_COORDINATES];
    memcpy(q, before.position, (size_t)n * sizeof(double));
    memcpy(p, before.momentum, (size_t)n * sizeof(double));
    for (int k = 0; k < 2; k++) {
        carom_report report = carom_report_empty();
        const carom_status status = carom_variational_stepper_advance(stepper, &report);
        ck_assert_msg(status == expected, "%s", carom_status_name(status));
        ck_assert_ptr_nonnull(report.quantity);
        ck_assert(report.time >= before.time && report.step > 0.0);
        const carom_variational_result *after = carom_variational_stepper_result(stepper);
        assert_close(after->time, before.time, 0.0, 0.0);
        assert_close(after->kinetic_energy, before.kinetic_energy, 0.0, 0.0);
        ck_assert_int_eq(after->impact_count, before.impact_count);
        for (int i = 0; i < n; i++) {
            assert_close(after->position[i], q[i], 0.0, 0.0);
            assert_close(after->momentum[i], p[i], 0.0, 0.0);
        }
        ck_assert_int_eq(carom_variational_stepper_advance(stepper, NULL), expected);
    }
}

TEST(errors, steps_that_cannot_be_done_leave_the_state_before) {
    const double masses[2] = {1.0, 100.0};
    pile blocks;
    pile_blocks(&blocks, 2, masses);
    const double q[2] = {0.8, 1.7};
    const double v[2] = {0.0, -1.3};
    carom_variational_params params = params_of_step(0.2);
    params.most_hits = 100;
    params.most_events = 3;
    carom_variational_stepper *stepper = start(&blocks.mechanism, &params, 0.5, q, v, NULL);
    for (int k = 0; k < 4; k++) {
        (void)advance(stepper);
    }
    carom_status status = CAROM_OK;
    while (status == CAROM_OK) {
        status = carom_variational_stepper_advance(stepper, NULL);
    }
    assert_fails_and_stays(stepper, 2, CAROM_STATUS_NOT_CONVERGED);
    carom_variational_stepper_free(stepper);

    /* 31 reflections in one impact, 30 allowed */
    const double closed[2] = {0.0, 0.0};
    params.most_reflections = 30;
    stepper = start(&blocks.mechanism, &params, 0.0, closed, v, NULL);
    assert_fails_and_stays(stepper, 2, CAROM_STATUS_NOT_CONVERGED);
    carom_variational_stepper_free(stepper);

    /* walls at angles of 120 degrees, all of them touching */
    pile corner_of_three;
    pile_init(&corner_of_three, 2, 3);
    const double normals[6] = {1.0, 0.0, -0.5, sqrt(0.75), -0.5, -sqrt(0.75)};
    memcpy(corner_of_three.N, normals, sizeof normals);
    params = params_of_step(0.1);
    stepper = start(&corner_of_three.mechanism, &params, 0.0, closed, v, NULL);
    carom_report report = carom_report_empty();
    assert_status(carom_variational_stepper_advance(stepper, &report), CONFLICT);
    ck_assert_str_eq(report.quantity, "contacts that cannot be separated at once");
    assert_close(report.time, 0.0, 0.0, 0.0);
    assert_close(report.step, 0.1, 0.0, 0.0);
    assert_fails_and_stays(stepper, 2, CAROM_STATUS_CONFLICT);
    carom_variational_stepper_free(stepper);
}

/* A gap that does not depend on the position where it closes. */
TEST(errors, a_contact_without_a_normal_is_singular) {
    pile p;
    pile_init(&p, 1, 2);
    p.N[0] = 1.0;
    const double q = 0.01;
    const double v = -1.0;
    const carom_variational_params params = params_of_step(0.1);
    carom_variational_stepper *stepper = start(&p.mechanism, &params, 0.0, &q, &v, NULL);
    carom_report report = carom_report_empty();
    assert_status(carom_variational_stepper_advance(stepper, &report), SINGULAR);
    ck_assert_int_eq(report.index, 1);
    carom_variational_stepper_free(stepper);
}

static void force_that_is_not_finite(double t, const double *q, const double *v, double *f,
                                     void *context) {
    (void)q;
    (void)v;
    (void)context;
    f[0] = t > 0.3 ? (double)NAN : 0.0;
}

TEST(errors, forces_that_are_not_finite_are_reported) {
    pile ball;
    pile_ball(&ball, 1.0, 0.0);
    ball.mechanism.force = force_that_is_not_finite;
    const double q = 10.0;
    const double v = -1.0;
    const carom_variational_params params = params_of_step(0.25);
    carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &q, &v, NULL);
    (void)advance(stepper);
    carom_report report = carom_report_empty();
    assert_status(carom_variational_stepper_advance(stepper, &report), NOT_FINITE);
    assert_close(report.time, 0.25, 0.0, 0.0);
    assert_close(carom_variational_stepper_result(stepper)->position[0], 9.75, 1e-15, 0.0);
    carom_variational_stepper_free(stepper);
}

static void assert_refused(const carom_mechanism *mechanism, const carom_variational_params *params,
                           carom_status expected, const char *quantity) {
    carom_variational_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_variational_stepper_alloc(mechanism, params, &stepper, &report);
    ck_assert_msg(status == expected, "%s: %s", quantity, carom_status_name(status));
    ck_assert_ptr_null(stepper);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(carom_variational_stepper_alloc(mechanism, params, &stepper, NULL), expected);
}

#define assert_parameter_refused(member, value, code, quantity)               \
    do {                                                                      \
        carom_variational_params bad = carom_variational_params_default();    \
        bad.member = (value);                                                 \
        assert_refused(&ball.mechanism, &bad, CAROM_STATUS_##code, quantity); \
    } while (0)

TEST(errors, malformed_parameters_are_refused) {
    pile ball;
    pile_ball(&ball, 1.0, 1.0);
    assert_parameter_refused(step, 0.0, OUT_OF_RANGE, "step");
    assert_parameter_refused(step, -1e-3, OUT_OF_RANGE, "step");
    assert_parameter_refused(step, (double)NAN, OUT_OF_RANGE, "step");
    assert_parameter_refused(step, HUGE_VAL, OUT_OF_RANGE, "step");
    assert_parameter_refused(rule, (carom_propagative_rule)9, OUT_OF_RANGE, "rule");
    assert_parameter_refused(impact_tolerance, 0.0, OUT_OF_RANGE, "impact tolerance");
    assert_parameter_refused(impact_tolerance, 1.0, OUT_OF_RANGE, "impact tolerance");
    assert_parameter_refused(plastic_law, (carom_propagative_plastic_law)7, OUT_OF_RANGE,
                             "plastic law");
    assert_parameter_refused(most_hits, -1, OUT_OF_RANGE, "hits of a contact");
    assert_parameter_refused(most_reflections, 0, OUT_OF_RANGE, "reflections");
    assert_parameter_refused(most_events, 0, OUT_OF_RANGE, "events");
    assert_parameter_refused(gap_tolerance, 0.0, OUT_OF_RANGE, "gap tolerance");
    assert_parameter_refused(gap_tolerance, 1.0, OUT_OF_RANGE, "gap tolerance");
    assert_parameter_refused(gap_tolerance, (double)NAN, OUT_OF_RANGE, "gap tolerance");
    assert_parameter_refused(simultaneity, 0.5e-11, OUT_OF_RANGE, "simultaneity");
    assert_parameter_refused(simultaneity, 1.0, OUT_OF_RANGE, "simultaneity");
    for (int first = -1; first < 2; first += 2) {
        carom_variational_params bad = carom_variational_params_default();
        bad.rule = CAROM_PROPAGATIVE_CYCLIC;
        bad.first = first;
        assert_refused(&ball.mechanism, &bad, CAROM_STATUS_OUT_OF_RANGE, "first contact");
    }
    const carom_variational_params defaults = carom_variational_params_default();
    assert_close(defaults.step, 1e-3, 0.0, 0.0);
    ck_assert_int_eq(defaults.most_hits, 2);
    ck_assert_int_eq(defaults.most_events, 100);
    ck_assert_int_eq(defaults.most_reflections, 1000);
    assert_close(defaults.gap_tolerance, 1e-11, 0.0, 0.0);
    assert_close(defaults.simultaneity, 1e-8, 0.0, 0.0);
    ck_assert(!defaults.impacts_without_friction);
    carom_variational_stepper_free(NULL);
}

TEST(errors, malformed_starts_are_refused_and_the_state_stays) {
    pile ball;
    pile_ball(&ball, 1.0, 1.0);
    const carom_variational_params params = params_of_step(0.1);
    const double height = 0.5;
    const double zero = 0.0;
    carom_variational_stepper *stepper = start(&ball.mechanism, &params, 2.0, &height, &zero, NULL);
    const bool held[1] = {true};
    carom_report report = carom_report_empty();
    /* D = 0.01 m, D/h = 0.1 m/s */
    const double below = -1.1e-13;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &below, &zero, NULL, &report),
                  PENETRATION);
    assert_close(report.value, below, 0.0, 0.0);
    ck_assert_int_eq(report.index, 0);
    const double far_below = -1.1e-8;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &far_below, &zero, held, NULL),
                  PENETRATION);
    const double open = 1.1e-8;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &open, &zero, held, &report),
                  CONFLICT);
    ck_assert_str_eq(report.quantity, "gap of a held contact");
    const double departure = 1.1e-7;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &zero, &departure, held, &report),
                  CONFLICT);
    ck_assert_str_eq(report.quantity, "speed of a held contact");
    const double approach = -1.1e-7;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &zero, &approach, held, NULL),
                  CONFLICT);
    const double bad = (double)NAN;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &bad, &zero, NULL, NULL),
                  NOT_FINITE);
    assert_status(carom_variational_stepper_start(stepper, 0.0, &zero, &bad, NULL, NULL),
                  NOT_FINITE);
    ball.M[0] = 0.0;
    assert_status(carom_variational_stepper_start(stepper, 0.0, &zero, &zero, NULL, NULL),
                  SINGULAR);
    ball.M[0] = 1.0;
    const carom_variational_result *now = carom_variational_stepper_result(stepper);
    assert_close(now->time, 2.0, 0.0, 0.0);
    assert_close(now->position[0], 0.5, 0.0, 0.0);
    now = advance(stepper);
    assert_close(now->position[0], 0.5 - 0.5 * 0.01, 1e-15, 0.0);

    /* what the tolerance allows of the speed is taken away, and of the gap in the first step */
    const double little = 0.9e-8;
    assert_ok(carom_variational_stepper_start(stepper, 0.0, &little, &little, held, NULL));
    assert_close(carom_variational_stepper_result(stepper)->velocity[0], 0.0, 0.0, 1e-24);
    now = advance(stepper);
    assert_close(now->gap[0], 0.0, 0.0, 1e-12);
    ck_assert(now->is_held[0]);
    carom_variational_stepper_free(stepper);
}

TEST(errors, without_memory_nothing_is_lost) {
    const double masses[2] = {1.0, 100.0};
    const double q[2] = {0.0, 0.0};
    const double v[2] = {0.0, -1.3};
    pile blocks;
    pile_blocks(&blocks, 2, masses);
    const carom_variational_params params = params_of_step(0.37);
    int failures = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status != CAROM_OK; k++) {
        carom_variational_stepper *stepper = NULL;
        successes_left = k;
        status = carom_variational_stepper_alloc(&blocks.mechanism, &params, &stepper, NULL);
        if (status == CAROM_OK) {
            status = carom_variational_stepper_start(stepper, 0.0, q, v, NULL, NULL);
        }
        if (status == CAROM_OK) {
            status = carom_variational_stepper_advance(stepper, NULL);
        }
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        failures += status != CAROM_OK;
        carom_variational_stepper_free(stepper);
    }
    ck_assert_int_gt(failures, 30);
}

TEST(errors, flights_and_later_impacts_ask_for_no_memory) {
    pile ball;
    pile_ball(&ball, 1.0, 9.81);
    const double q = 0.3;
    const double v = 0.0;
    const carom_variational_params params = params_of_step(0.01);
    carom_variational_stepper *stepper = start(&ball.mechanism, &params, 0.0, &q, &v, NULL);
    for (int i = 0; i < 200; i++) {
        (void)advance(stepper);
    }
    /* Check's own macros ask for memory too */
    int failures = 0;
    int impacts = 0;
    allocations = 0;
    for (int i = 0; i < 200; i++) {
        failures += carom_variational_stepper_advance(stepper, NULL) != CAROM_OK;
        impacts += carom_variational_stepper_result(stepper)->impact_count;
    }
    const int asked = allocations;
    ck_assert_int_eq(failures, 0);
    ck_assert_int_ge(impacts, 3);
    ck_assert_int_eq(asked, 0);
    carom_variational_stepper_free(stepper);
}
