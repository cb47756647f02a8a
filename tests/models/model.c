/* carom/models/model.h: allocation, also when it fails, and the refusal of parameters. */
#include <carom/models/ball_column.h>
#include <carom/models/bouncing_ball.h>
#include <carom/models/elastic_bar.h>

#include "../failing_malloc.h"
#include "../support.h"

TEST(unit, a_model_starts_zeroed_with_its_parameters_as_context) {
    carom_model *model = NULL;
    assert_ok(carom_model_alloc(5, 24, &model));
    ck_assert_int_eq(model->mechanism.coordinate_count, 5);
    ck_assert_int_eq(model->mechanism.layout.size, 5);
    ck_assert(!model->mechanism.layout.is_banded);
    ck_assert_ptr_eq(model->mechanism.context, model->parameters);
    ck_assert_int_eq(model->mechanism.joint_count, 0);
    ck_assert_int_eq(model->mechanism.contact_count, 0);
    ck_assert(model->mechanism.mass == NULL);
    for (int i = 0; i < 5; i++) {
        assert_close(model->initial_position[i], 0.0, 0.0, 0.0);
        assert_close(model->initial_velocity[i], 0.0, 0.0, 0.0);
    }
    const unsigned char *bytes = model->parameters;
    for (int i = 0; i < 24; i++) {
        ck_assert_uint_eq(bytes[i], 0);
    }
    carom_model_free(model);
}

TEST(unit, a_model_may_have_no_parameters) {
    carom_model *model = NULL;
    assert_ok(carom_model_alloc(1, 0, &model));
    ck_assert_ptr_null(model->parameters);
    carom_model_free(model);
}

TEST(unit, freeing_nothing_is_accepted) {
    carom_model_free(NULL);
}

TEST(unit, a_parameter_within_its_bounds_is_accepted) {
    carom_report report = carom_report_empty();
    assert_ok(carom_model_require_within("angle", -0.7, -0.7, 1.3, &report));
    assert_ok(carom_model_require_within("angle", 1.3, -0.7, 1.3, &report));
    assert_ok(carom_model_require_within("angle", 1e300, 0.0, (double)INFINITY, NULL));
    assert_ok(carom_model_require_finite("angle", -1e300, NULL));
    assert_ok(carom_model_require_positive("mass", 1e-300, NULL));
    ck_assert_ptr_null(report.quantity);
}

TEST(errors, a_parameter_outside_its_bounds_is_refused_by_name_and_value) {
    carom_report report = carom_report_empty();
    assert_status(carom_model_require_within("angle", 1.31, -0.7, 1.3, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "angle");
    assert_close(report.value, 1.31, 0.0, 0.0);
    ck_assert_int_eq(report.index, -1);
    assert_status(carom_model_require_within("angle", -0.71, -0.7, 1.3, NULL), OUT_OF_RANGE);
    assert_status(carom_model_require_positive("mass", 0.0, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "mass");
    ck_assert_str_eq(report.accepted, "> 0");
    assert_status(carom_model_require_positive("mass", -2.5, &report), OUT_OF_RANGE);
    assert_close(report.value, -2.5, 0.0, 0.0);
    assert_status(carom_model_require_within("restitution", 1.19, 0.0, 1.0, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.accepted, "at most");
    assert_close(report.bound, 1.0, 0.0, 0.0);
    assert_status(carom_model_require_within("friction", -0.3, 0.0, (double)INFINITY, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.accepted, "at least");
    assert_close(report.bound, 0.0, 0.0, 0.0);
}

TEST(errors, a_parameter_that_is_not_finite_is_refused) {
    const double values[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (int i = 0; i < 3; i++) {
        carom_report report = carom_report_empty();
        assert_status(carom_model_require_finite("length", values[i], &report), NOT_FINITE);
        ck_assert_str_eq(report.quantity, "length");
        assert_status(carom_model_require_positive("length", values[i], NULL), NOT_FINITE);
        assert_status(carom_model_require_within("length", values[i], -(double)INFINITY,
                                                 (double)INFINITY, NULL),
                      NOT_FINITE);
    }
}

/** One of the constructors with its default parameters. */
static carom_status construct(int which, carom_model **model) {
    if (which == 0) {
        return carom_model_alloc(7, 11, model);
    }
    if (which == 1) {
        const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
        return carom_bouncing_ball_alloc(&params, model, NULL);
    }
    if (which == 2) {
        const carom_ball_column_params params = carom_ball_column_params_default();
        return carom_ball_column_alloc(&params, model, NULL);
    }
    const carom_elastic_bar_params params = carom_elastic_bar_params_default();
    return carom_elastic_bar_alloc(&params, model, NULL);
}

TEST(errors, whichever_allocation_fails_no_model_is_made_and_nothing_leaks) {
    for (int which = 0; which < 4; which++) {
        int granted = 0;
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        for (; status != CAROM_OK; granted++) {
            carom_model *model = NULL;
            successes_left = granted;
            status = construct(which, &model);
            successes_left = -1;
            ck_assert_int_eq(model != NULL, status == CAROM_OK);
            if (status != CAROM_OK) {
                ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            }
            carom_model_free(model);
        }
        /* The model, its two states and its parameters, then success. */
        ck_assert_int_eq(granted, 5);
    }
}
