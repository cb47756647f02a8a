/** Runs as what an item of a map leaves: all of it comes back, and what is cut is refused. */
#include <carom/timestepping/internal.h>

#include "galpha/runs.h"

#include <string.h>

/** A short run that meets an impact, of one scheme. */
static carom_trajectory *make_run(const carom_model *model, carom_scheme scheme) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = 0.0137;
    carom_trajectory *whole = NULL;
    assert_ok(carom_trajectory_run_to_failure(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, 0.4, NULL, NULL, &whole,
                                              NULL));
    return whole;
}

static carom_model *make_pendulum(void) {
    carom_model *model = NULL;
    carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
    pendulum.initial_rate = -9.3;
    pendulum.wall_position = 0.93;
    pendulum.restitution = 0.0; // smooth_galpha knows no impact law
    assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    return model;
}

LOOP_TEST(property, rows_come_back_to_the_last_bit, CAROM_SCHEME_COUNT) {
    carom_model *model = make_pendulum();
    carom_trajectory *whole = make_run(model, (carom_scheme)_i);
    whole->first_row = 17;
    whole->outcome = CAROM_STATUS_RAY;
    whole->failure_time = 0.3217;
    carom_parallel_bytes bytes = {NULL, 0, 0};
    assert_ok(carom_parallel_append(&bytes, "x", 1)); // what comes before
    assert_ok(carom_trajectory_pack(whole, &bytes));
    assert_ok(carom_parallel_append(&bytes, "yz", 2)); // and after
    const unsigned char *data = bytes.data + 1;
    size_t left = bytes.size - 1;
    carom_trajectory *taken = NULL;
    assert_ok(carom_trajectory_unpack(&model->mechanism, &data, &left, &taken));
    ck_assert_uint_eq(left, 2);
    ck_assert_int_eq(*data, 'y');
    ck_assert_int_eq(taken->row_count, whole->row_count);
    ck_assert_int_eq(taken->first_row, 17);
    ck_assert_int_eq(taken->total_rows, whole->total_rows);
    ck_assert_int_eq(taken->outcome, CAROM_STATUS_RAY);
    assert_close(taken->failure_time, 0.3217, 0.0, 0.0);
    assert_close(taken->step, 0.0137, 0.0, 0.0);
    int columns = 0;
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        const void *before = carom_trajectory_values(whole, column);
        const void *after = carom_trajectory_values(taken, column);
        ck_assert_msg((before == NULL) == (after == NULL), "%s", column->name);
        const size_t length = (size_t)carom_trajectory_length(whole, column->axis);
        const size_t entry = column->is_integer ? sizeof(int) : sizeof(double);
        if (before != NULL && length > 0) {
            ck_assert_msg(memcmp(before, after, (size_t)whole->row_count * length * entry) == 0,
                          "%s", column->name);
            columns++;
        }
    }
    ck_assert_int_gt(columns, 10);
    carom_parallel_bytes_clear(&bytes);
    carom_trajectory_free(taken);
    carom_trajectory_free(whole);
    carom_model_free(model);
}

TEST(errors, rows_that_are_cut_are_refused) {
    carom_model *model = make_pendulum();
    carom_trajectory *whole = make_run(model, CAROM_SCHEME_MOREAU_JEAN);
    carom_parallel_bytes bytes = {NULL, 0, 0};
    assert_ok(carom_trajectory_pack(whole, &bytes));
    for (size_t size = 0; size < bytes.size; size += size < 64 ? 1 : 97) {
        const unsigned char *data = bytes.data;
        size_t left = size;
        carom_trajectory *taken = whole;
        assert_status(carom_trajectory_unpack(&model->mechanism, &data, &left, &taken), BAD_FORMAT);
        ck_assert_ptr_null(taken);
    }
    carom_parallel_bytes_clear(&bytes);
    carom_trajectory_free(whole);
    carom_model_free(model);
}
