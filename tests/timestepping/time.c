/** The time of a step: counted from the start, and refused where a step leaves it as it is. */
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/internal.h>
#include <carom/timestepping/variational/variational.h>

#include <carom/models/bouncing_ball.h>

#include "../support.h"

#include <float.h>

/* Numbers between 2^53 and 2^54 are 2 apart, and what lies between goes to the even one of both. */
static const double LATE = 9007199254740992.0;
static const double STEP = 0.625;

TEST(unit, times_are_counted_from_the_start) {
    double time = 0.0;
    assert_ok(carom_time_after(0.3, 0.1, 7, &time, NULL));
    assert_close(time, 0.3 + 7.0 * 0.1, 0.0, 0.0);
    // A step of more than half of what the time is rounded to goes on, if not at its pace.
    assert_ok(carom_time_after(LATE, 1.0625, 1, &time, NULL));
    assert_close(time, LATE + 2.0, 0.0, 0.0);
    assert_ok(carom_time_after(-LATE, STEP, 1, &time, NULL));
    assert_close(time, -LATE + 1.0, 0.0, 0.0);
}

TEST(errors, a_step_that_leaves_the_time_as_it_is_is_refused_with_both) {
    double time = 0.0;
    carom_report report = carom_report_empty();
    assert_status(carom_time_after(LATE, STEP, 1, &time, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "step");
    assert_close(report.value, STEP, 0.0, 0.0);
    assert_close(report.bound, 1.0, 0.0, 0.0);
    assert_close(report.time, LATE, 0.0, 0.0);
    assert_status(carom_time_after(LATE, STEP, 1, &time, NULL), OUT_OF_RANGE);
}

/* A ball in the air. */
static carom_model *ball_of(void) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    return model;
}

/* What a refusal names. */
static void assert_refused(carom_status start, const carom_report *report) {
    ck_assert_int_eq(start, CAROM_STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(report->quantity, "step");
    assert_close(report->value, STEP, 0.0, 0.0);
}

TEST(errors, every_scheme_of_fixed_steps_refuses_it) {
    CAROM_AUTO(carom_model) model = ball_of();
    const double *q = model->initial_position;
    const double *v = model->initial_velocity;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        carom_stepper_params params = carom_stepper_params_default((carom_scheme)scheme);
        carom_report report = carom_report_empty();
        carom_mechanism mechanism = model->mechanism;
        const double no_restitution[] = {0.0};
        mechanism.restitution = no_restitution; /* smooth_galpha has none */
        params.step = STEP;
        CAROM_AUTO(carom_stepper) stepper = NULL;
        assert_ok(carom_stepper_alloc(&mechanism, &params, &stepper, NULL));
        assert_refused(carom_stepper_start(stepper, LATE, q, v, &report), &report);
        // From an odd number there is one step, to the even one above.
        report = carom_report_empty();
        assert_ok(carom_stepper_start(stepper, LATE - 1.0, q, v, NULL));
        assert_ok(carom_stepper_advance(stepper, NULL));
        assert_close(carom_stepper_result(stepper)->time, LATE, 0.0, 0.0);
        const double height = carom_stepper_result(stepper)->position[0];
        assert_refused(carom_stepper_advance(stepper, &report), &report);
        assert_close(carom_stepper_result(stepper)->position[0], height, 0.0, 0.0);
    }
}

TEST(errors, error_reduction_refuses_it) {
    CAROM_AUTO(carom_model) model = ball_of();
    carom_error_reduction_params params = carom_error_reduction_params_default();
    carom_report report = carom_report_empty();
    params.step = STEP;
    CAROM_AUTO(carom_error_reduction_stepper) stepper = NULL;
    assert_ok(carom_error_reduction_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    assert_refused(carom_error_reduction_stepper_start(stepper, LATE, model->initial_position,
                                                       model->initial_velocity, &report),
                   &report);
    report = carom_report_empty();
    assert_ok(carom_error_reduction_stepper_start(stepper, LATE - 1.0, model->initial_position,
                                                  model->initial_velocity, NULL));
    assert_ok(carom_error_reduction_stepper_advance(stepper, NULL));
    assert_close(carom_error_reduction_stepper_result(stepper)->time, LATE, 0.0, 0.0);
    assert_refused(carom_error_reduction_stepper_advance(stepper, &report), &report);
}

TEST(errors, the_variational_stepper_refuses_it) {
    CAROM_AUTO(carom_model) model = ball_of();
    carom_variational_params params = carom_variational_params_default();
    carom_report report = carom_report_empty();
    params.step = STEP;
    CAROM_AUTO(carom_variational_stepper) stepper = NULL;
    assert_ok(carom_variational_stepper_alloc(&model->mechanism, &params, &stepper, NULL));
    assert_refused(carom_variational_stepper_start(stepper, LATE, model->initial_position,
                                                   model->initial_velocity, NULL, &report),
                   &report);
    report = carom_report_empty();
    assert_ok(carom_variational_stepper_start(stepper, LATE - 1.0, model->initial_position,
                                              model->initial_velocity, NULL, NULL));
    assert_ok(carom_variational_stepper_advance(stepper, NULL));
    assert_close(carom_variational_stepper_result(stepper)->time, LATE, 0.0, 0.0);
    assert_refused(carom_variational_stepper_advance(stepper, &report), &report);
}
