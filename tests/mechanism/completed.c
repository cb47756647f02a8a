/* Derivatives by differences (carom_mechanism.differences): what is formed is what was supplied, in
 * any units, and motion with it is the same. */
#include <carom/mechanism/completed.h>
#include <carom/models/ball_column.h>
#include <carom/models/bouncing_pendulum.h>
#include <carom/models/rigid_body.h>
#include <carom/models/rocking_block.h>
#include <carom/timestepping/galpha/galpha.h>

#include "../failing_malloc.h"
#include "../units.h"
#include "example.h"

static const double TIME = 0.37;
static const double POSITION[CHAIN_SIZE] = {0.31, -0.72, 1.14, 0.55, -0.28, 0.93};
static const double VELOCITY[CHAIN_SIZE] = {-1.21, 0.48, 0.83, -0.66, 0.27, 1.35};
static const double DIRECTION[CHAIN_SIZE] = {0.7, 1.3, -0.4, 0.9, -1.1, 0.2};
static const double LAMBDA[2] = {1.7, -0.6};

/** The mechanism without its derivatives, some of which differences form. */
static carom_mechanism bare(const carom_mechanism *whole, int differences) {
    carom_mechanism mechanism = *whole;
    mechanism.mass_derivative = NULL;
    mechanism.stiffness = NULL;
    mechanism.damping = NULL;
    if ((differences & CAROM_MECHANISM_CONSTRAINT_JACOBIAN) != 0) {
        mechanism.constraint_jacobian = NULL;
    }
    mechanism.constraint_force_derivative = NULL;
    mechanism.constraint_rate_derivative = NULL;
    mechanism.constraint_velocity = NULL;
    mechanism.tangential_rate_derivative = NULL;
    mechanism.differences = differences;
    return mechanism;
}

static carom_completed *completed_of(const carom_mechanism *mechanism, const double *q,
                                     const double *v) {
    carom_completed *completed = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_completed_alloc(mechanism, &completed));
    const carom_status status = carom_completed_start(completed, TIME, q, v, true, &report);
    ck_assert_msg(status == CAROM_OK, "%s %s", carom_status_name(status), report.sentence);
    return completed;
}

/** Largest difference of two arrays over the largest entry; entries that are NaN are no numbers. */
static double apart(size_t count, const double *a, const double *b) {
    double largest = 0.0;
    double error = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (!isnan(a[i])) {
            largest = fmax(largest, fabs(a[i]));
            error = fmax(error, fabs(a[i] - b[i]));
        }
    }
    return largest > 0.0 ? error / largest : error;
}

/** Whether the formed derivatives are the supplied ones, at a state. */
static void assert_same(const carom_mechanism *whole, const carom_mechanism *formed, double t,
                        const double *q, const double *v, double first, double second) {
    enum { ENTRIES = UNITS_MAX_COORDINATES * UNITS_MAX_COORDINATES };
    double a[ENTRIES];
    double b[ENTRIES];
    const size_t n = (size_t)whole->coordinate_count;
    const size_t m = (size_t)carom_mechanism_constraint_count(whole);
    const size_t slides = (size_t)whole->contact_count * (size_t)whole->tangent_count;
    const size_t entries = carom_layout_entry_count(whole->layout);
    if (whole->mass_derivative != NULL) {
        whole->mass_derivative(q, DIRECTION, a, whole->context);
        formed->mass_derivative(q, DIRECTION, b, formed->context);
        ck_assert_double_lt(apart(entries, a, b), first);
    }
    whole->stiffness(t, q, v, a, whole->context);
    memcpy(b, a, sizeof b); /* corners of a band stay as they are */
    formed->stiffness(t, q, v, b, formed->context);
    ck_assert_double_lt(apart(entries, a, b), first);
    whole->damping(t, q, v, a, whole->context);
    memcpy(b, a, sizeof b);
    formed->damping(t, q, v, b, formed->context);
    ck_assert_double_lt(apart(entries, a, b), first);
    whole->constraint_jacobian(q, a, whole->context);
    formed->constraint_jacobian(q, b, formed->context);
    ck_assert_double_lt(apart(m * n, a, b), first);
    if (whole->constraint_force_derivative != NULL) {
        whole->constraint_force_derivative(q, LAMBDA, a, whole->context);
        formed->constraint_force_derivative(q, LAMBDA, b, formed->context);
        ck_assert_double_lt(apart(entries, a, b), second);
        whole->constraint_rate_derivative(q, DIRECTION, a, whole->context);
        formed->constraint_rate_derivative(q, DIRECTION, b, formed->context);
        ck_assert_double_lt(apart(m * n, a, b), second);
        whole->tangential_rate_derivative(q, DIRECTION, a, whole->context);
        formed->tangential_rate_derivative(q, DIRECTION, b, formed->context);
        ck_assert_double_lt(apart(slides * n, a, b), first);
        whole->constraint_velocity(t, a, whole->context);
        formed->constraint_velocity(t, b, formed->context);
        ck_assert_double_lt(apart(m, a, b), first);
        for (size_t i = m; i < m + slides; i++) {
            assert_close(b[i], 0.0, 0.0, 0.0); /* nothing says how supports slide */
        }
    }
}

TEST(property, what_differences_form_is_what_was_supplied) {
    static const int all = CAROM_MECHANISM_DERIVATIVES;
    static const int but_jacobian = all & ~CAROM_MECHANISM_CONSTRAINT_JACOBIAN;
    for (int k = 0; k < 4; k++) {
        example subject;
        k < 2 ? curved_make(&subject) : chain_make(&subject);
        const carom_mechanism mechanism = bare(&subject.mechanism, k % 2 == 0 ? all : but_jacobian);
        carom_completed *completed = completed_of(&mechanism, POSITION, VELOCITY);
        const double second = k % 2 == 0 ? 1e-8 : 1e-10;
        assert_same(&subject.mechanism, carom_completed_mechanism(completed), TIME, POSITION,
                    VELOCITY, 1e-10, second);
        /* and at another state, with the same steps */
        assert_same(&subject.mechanism, carom_completed_mechanism(completed), 2.0 * TIME, VELOCITY,
                    POSITION, 1e-10, second);
        carom_completed_free(completed);
    }
}

/* A Jacobian by its entries: of a column of balls, q_i - q_(i-1). */
TEST(unit, a_jacobian_is_formed_by_the_entries_of_its_pattern) {
    const carom_ball_column_params params = carom_ball_column_params_default();
    carom_model *model = NULL;
    assert_ok(carom_ball_column_alloc(&params, &model, NULL));
    const carom_mechanism mechanism = bare(&model->mechanism, CAROM_MECHANISM_CONSTRAINT_JACOBIAN);
    const size_t entries = carom_mechanism_constraint_entry_count(&mechanism);
    ck_assert_uint_eq(entries, 19);
    carom_completed *completed =
        completed_of(&mechanism, model->initial_position, model->initial_velocity);
    const carom_mechanism *formed = carom_completed_mechanism(completed);
    double a[19];
    double b[19];
    model->mechanism.constraint_jacobian(model->initial_position, a, model->mechanism.context);
    formed->constraint_jacobian(model->initial_position, b, formed->context);
    ck_assert_double_lt(apart(entries, a, b), 1e-12);
    carom_completed_free(completed);
    carom_model_free(model);
}

TEST(property, units_do_not_matter_to_differences) {
    for (int k = 0; k < CHANGE_OF_UNITS_COUNT; k++) {
        example subject;
        curved_make(&subject);
        other_units other;
        other_units_init(&other, &subject.mechanism, CHANGES_OF_UNITS[k]);
        double q[CHAIN_SIZE];
        double v[CHAIN_SIZE];
        units_position(&other, POSITION, q);
        units_velocity(&other, VELOCITY, v);
        const carom_mechanism mechanism = bare(&other.mechanism, CAROM_MECHANISM_DERIVATIVES);
        carom_completed *completed = NULL;
        assert_ok(carom_completed_alloc(&mechanism, &completed));
        const double t = TIME * other.units.time;
        assert_ok(carom_completed_start(completed, t, q, v, true, NULL));
        assert_same(&other.mechanism, carom_completed_mechanism(completed), t, q, v, 1e-10, 1e-8);
        carom_completed_free(completed);
    }
}

TEST(unit, nothing_is_formed_that_is_there_or_not_asked_for) {
    example subject;
    carom_completed *completed = NULL;
    char text[256];
    curved_make(&subject);
    /* all there */
    subject.mechanism.differences = CAROM_MECHANISM_DERIVATIVES;
    ck_assert_int_eq(carom_mechanism_differences(&subject.mechanism), 0);
    assert_ok(carom_completed_alloc(&subject.mechanism, &completed));
    ck_assert_ptr_eq(carom_completed_mechanism(completed), &subject.mechanism);
    carom_completed_free(completed);
    carom_mechanism_list_differences(&subject.mechanism, sizeof text, text);
    ck_assert_str_eq(text, "");
    /* two of three */
    subject.mechanism.stiffness = NULL;
    subject.mechanism.damping = NULL;
    subject.mechanism.mass_derivative = NULL;
    subject.mechanism.differences = CAROM_MECHANISM_STIFFNESS | CAROM_MECHANISM_MASS_DERIVATIVE;
    assert_ok(carom_completed_alloc(&subject.mechanism, &completed));
    const carom_mechanism *formed = carom_completed_mechanism(completed);
    ck_assert(formed->damping == NULL);
    ck_assert_msg(formed->stiffness != NULL && formed->mass_derivative != NULL, "not formed");
    carom_completed_free(completed);
    carom_mechanism_list_differences(&subject.mechanism, sizeof text, text);
    ck_assert_str_eq(text, "mass_derivative, stiffness");
    carom_mechanism_list_differences(&subject.mechanism, 18, text);
    ck_assert_str_eq(text, "mass_derivative, ");
    /* what is linear has no other */
    chain_make(&subject);
    const carom_mechanism linear = bare(&subject.mechanism, CAROM_MECHANISM_DERIVATIVES);
    carom_mechanism_list_differences(&linear, sizeof text, text);
    ck_assert_str_eq(text, "stiffness, damping, constraint_jacobian");
}

TEST(errors, what_is_supplied_beside_is_still_compared) {
    example subject;
    carom_report report = carom_report_empty();
    curved_make(&subject);
    subject.mechanism.stiffness = NULL;
    subject.mechanism.differences = CAROM_MECHANISM_DERIVATIVES;
    subject.wrong_member = "damping";
    subject.wrong_row = 1;
    subject.wrong_column = 1;
    subject.wrong_by = 0.01;
    assert_status(
        carom_mechanism_check_directions(&subject.mechanism, TIME, POSITION, VELOCITY, 1, &report),
        DERIVATIVE_MISMATCH);
    ck_assert_int_eq(report.index, 1);
    carom_mechanism_mismatch worst;
    assert_status(
        carom_mechanism_check(&subject.mechanism, TIME, POSITION, VELOCITY, 1e-7, 1, &worst),
        DERIVATIVE_MISMATCH);
    ck_assert_str_eq(worst.derivative, "damping");
    subject.wrong_member = NULL;
    assert_ok(carom_mechanism_check(&subject.mechanism, TIME, POSITION, VELOCITY, 1e-7, 1, NULL));
    /* without being asked for, NULL is zero */
    subject.mechanism.differences = CAROM_MECHANISM_DAMPING;
    assert_status(
        carom_mechanism_check(&subject.mechanism, TIME, POSITION, VELOCITY, 1e-7, 1, &worst),
        DERIVATIVE_MISMATCH);
    ck_assert_str_eq(worst.derivative, "stiffness");
}

TEST(errors, what_is_no_derivative_is_refused) {
    example subject;
    carom_report report = carom_report_empty();
    curved_make(&subject);
    for (int k = 0; k < 2; k++) {
        subject.mechanism.differences = k == 0 ? 256 : -1;
        assert_status(
            carom_mechanism_validate(&subject.mechanism, TIME, POSITION, VELOCITY, &report),
            OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "differences");
    }
}

TEST(errors, completion_reports_every_failed_allocation) {
    example subject;
    curved_make(&subject);
    const carom_mechanism mechanism = bare(&subject.mechanism, CAROM_MECHANISM_DERIVATIVES);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_completed *completed = NULL;
        successes_left = granted;
        status = carom_completed_alloc(&mechanism, &completed);
        if (status == CAROM_OK) {
            status = carom_completed_choose(completed, TIME, POSITION, VELOCITY);
        }
        successes_left = -1;
        carom_completed_free(completed);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
    }
    ck_assert_int_ge(granted, 5);
}

/* ------------------------------------------------------------------------------------- the motion
 */

/** Largest difference of the positions of a model with its derivatives and without them. */
static double motion_apart(carom_model *model, carom_scheme scheme, double duration) {
    carom_trajectory *runs[2];
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = 2e-3;
    const carom_mechanism mechanism = bare(&model->mechanism, CAROM_MECHANISM_DERIVATIVES);
    for (int k = 0; k < 2; k++) {
        carom_report report = carom_report_empty();
        const carom_status status = carom_trajectory_run(
            k == 0 ? &model->mechanism : &mechanism, &params, model->initial_position,
            model->initial_velocity, duration, NULL, NULL, &runs[k], &report);
        ck_assert_msg(status == CAROM_OK, "%s, %s: %s %s", model->mechanism.name,
                      carom_scheme_name(scheme), carom_status_name(status), report.sentence);
    }
    double largest = 0.0;
    const int count = runs[0]->row_count * runs[0]->position_count;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(runs[0]->position[i] - runs[1]->position[i]));
    }
    carom_trajectory_free(runs[0]);
    carom_trajectory_free(runs[1]);
    carom_model_free(model);
    return largest;
}

/* Jacobians by differences have ten digits, and impacts keep what they are given. */
TEST(property, motion_by_differences_is_the_same) {
    for (int k = 0; k < CAROM_SCHEME_COUNT; k++) {
        if (k == CAROM_SCHEME_SMOOTH_GALPHA) { /* which knows no restitution */
            continue;
        }
        carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
        carom_model *model = NULL;
        assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
        ck_assert_double_lt(motion_apart(model, (carom_scheme)k, 1.0), 1e-9);
        const carom_rocking_block_params block = carom_rocking_block_params_default();
        assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
        ck_assert_double_lt(motion_apart(model, (carom_scheme)k, 1.0), 1e-9);
    }
    carom_rigid_body_params body = carom_rigid_body_params_default();
    body.shape = CAROM_RIGID_BODY_BOX;
    body.inertia[1] = 0.006;
    body.initial_position[2] = 0.4;
    body.initial_velocity[0] = 0.7;
    body.initial_angular_velocity[0] = 3.0;
    body.initial_angular_velocity[1] = 1.0;
    carom_model *model = NULL;
    assert_ok(carom_rigid_body_alloc(&body, &model, NULL));
    ck_assert_double_lt(motion_apart(model, CAROM_SCHEME_MOREAU_JEAN, 0.5), 1e-9);
}
