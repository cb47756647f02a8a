/** Whole runs against stepping by hand: rows, times, progress, failures that are kept, memory. */
#include <carom/timestepping/internal.h>

#include "../failing_malloc.h"
#include "galpha/runs.h"

enum { MODEL_COUNT = 3 };

/** A model with joints and none, linear and not, full and banded; short runs meet an impact. */
static carom_model *make_model(int which) {
    carom_model *model = NULL;
    if (which == 0) {
        carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
        ball.initial_height = 0.2137;
        assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    } else if (which == 1) {
        carom_bouncing_pendulum_params pendulum = carom_bouncing_pendulum_params_default();
        pendulum.initial_rate = -9.3;
        pendulum.wall_position = 0.93;
        assert_ok(carom_bouncing_pendulum_alloc(&pendulum, &model, NULL));
    } else {
        carom_elastic_bar_params bar = carom_elastic_bar_params_default();
        bar.elements = 7;
        bar.initial_gap = 0.137;
        assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
    }
    return model;
}

/** The columns of a row are numbers of the stepper, bit by bit. */
static void check_columns(const double *rows, int row, const double *values, int count) {
    for (int i = 0; i < count; i++) {
        assert_close(run_at(rows, count, row, i), values[i], 0.0, 0.0);
    }
}

static void check_row(const carom_trajectory *t, int row, const carom_mechanism *mechanism,
                      const carom_step *step) {
    const int b = t->joint_count;
    const int u = t->contact_count;
    check_columns(t->position, row, step->position, t->coordinate_count);
    check_columns(t->velocity, row, step->velocity, t->coordinate_count);
    check_columns(t->joint_residual, row, step->constraint, b);
    check_columns(t->joint_rate, row, step->constraint_rate, b);
    check_columns(t->joint_force, row, step->force, b);
    check_columns(t->joint_impulse, row, step->impulse, b);
    check_columns(t->joint_position_multiplier, row, step->position_multiplier, b);
    check_columns(t->gap, row, step->constraint + b, u);
    check_columns(t->gap_rate, row, step->constraint_rate + b, u);
    check_columns(t->contact_force, row, step->force + b, u);
    check_columns(t->contact_impulse, row, step->impulse + b, u);
    check_columns(t->contact_position_multiplier, row, step->position_multiplier + b, u);
    for (int j = 0; j < u; j++) {
        ck_assert_int_eq(t->position_active[row * u + j], step->position_active[b + j]);
        ck_assert_int_eq(t->velocity_active[row * u + j], step->velocity_active[b + j]);
    }
    ck_assert_int_eq(t->newton_iterations[row], step->iterations);
    const double of_positions = fmax(step->smooth_residual, step->position_residual);
    assert_close(t->residual[row], fmax(of_positions, step->velocity_residual), 0.0, 0.0);
    double scratch[128];
    ck_assert_uint_le(carom_layout_entry_count(mechanism->layout) + (size_t)t->coordinate_count,
                      sizeof scratch / sizeof scratch[0]);
    const double kinetic =
        carom_mechanism_kinetic_energy(mechanism, step->position, step->velocity, scratch);
    const double potential = mechanism->potential_energy(step->position, mechanism->context);
    assert_close(t->energy[row], kinetic + potential, 0.0, 0.0);
}

TEST(property, every_row_is_a_step_taken_by_hand) {
    for (int which = 0; which < MODEL_COUNT; which++) {
        for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
            const carom_stepper_params params = scheme_with_step((carom_scheme)scheme, 1.3e-3);
            run r = run_model(make_model(which), &params, 60 * 1.3e-3);
            const carom_trajectory *t = r.trajectory;
            const carom_mechanism *mechanism = &r.model->mechanism;
            ck_assert_int_eq(t->row_count, 61);
            ck_assert_int_eq(t->coordinate_count, mechanism->coordinate_count);
            ck_assert_int_eq(t->joint_count, mechanism->joint_count);
            ck_assert_int_eq(t->contact_count, mechanism->contact_count);
            ck_assert_int_eq(t->kind, scheme == CAROM_SCHEME_SMOOTH_GALPHA
                                          ? CAROM_TRAJECTORY_SMOOTH
                                          : CAROM_TRAJECTORY_NONSMOOTH);
            ck_assert_int_eq(t->outcome, CAROM_OK);
            ck_assert_double_nan(t->failure_time);
            assert_close(t->step, 1.3e-3, 0.0, 0.0);
            carom_stepper *stepper = NULL;
            const carom_mechanism taken = taken_by(params.scheme, mechanism);
            assert_ok(carom_stepper_alloc(&taken, &params, &stepper, NULL));
            assert_ok(carom_stepper_start(stepper, 0.0, r.model->initial_position,
                                          r.model->initial_velocity, NULL));
            bool was_hit = false;
            for (int row = 0; row < t->row_count; row++) {
                if (row > 0) {
                    assert_ok(carom_stepper_advance(stepper, NULL));
                }
                check_row(t, row, mechanism, carom_stepper_result(stepper));
                was_hit = was_hit || t->contact_impulse[row] > 0.0 || t->contact_force[row] > 0.0;
            }
            ck_assert_msg(was_hit, "model %d, %s: no impact", which,
                          carom_scheme_name((carom_scheme)scheme));
            carom_stepper_free(stepper);
            run_clear(&r);
        }
    }
}

TEST(unit, row_k_is_at_k_steps) {
    for (int which = 0; which < MODEL_COUNT; which++) {
        const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 0.7e-3);
        run r = run_model(make_model(which), &params, 0.5);
        for (int row = 0; row < r.trajectory->row_count; row++) {
            // products, not sums, of steps: no drift
            assert_close(r.trajectory->time[row], row * 0.7e-3, 2.3e-16, 0.0);
        }
        run_clear(&r);
    }
}

static void check_row_count(double step, double duration, int expected) {
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, step);
    run r = run_model(make_model(0), &params, duration);
    ck_assert_msg(r.trajectory->row_count == expected, "%d rows of %g s in %.17g s, not %d",
                  r.trajectory->row_count, step, duration, expected);
    run_clear(&r);
}

TEST(unit, rows_are_one_more_than_the_steps_begun_within_the_duration) {
    check_row_count(1e-3, 1e-3, 2);
    check_row_count(1e-3, 1.5e-3, 3);
    check_row_count(1e-3, 0.3, 301);
    check_row_count(0.1, 0.1 + 0.2, 4); // 0.30000000000000004
    check_row_count(0.1, 1.0 - 0.9, 2); // 0.09999999999999998
    check_row_count(0.02, 0.5, 26);
    check_row_count(0.03, 0.5, 18);       // 16.7 steps
    check_row_count(0.03, 0.5099999, 18); // 16.999997 steps
    check_row_count(0.03, 0.51, 18);
    check_row_count(0.03, 0.5100001, 19); // 17.000003 steps
}

/** What progress was told. */
typedef struct told {
    int calls;
    int row_count;
    bool is_in_order;
} told;

static void tell(int rows_done, int row_count, void *context) {
    told *heard = context;
    heard->calls++;
    heard->row_count = row_count;
    heard->is_in_order = heard->is_in_order && rows_done == heard->calls;
}

TEST(unit, progress_is_told_after_every_row) {
    carom_model *model = make_model(1);
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    told heard = {.is_in_order = true};
    carom_trajectory *t = NULL;
    assert_ok(carom_trajectory_run(&model->mechanism, &params, model->initial_position,
                                   model->initial_velocity, 0.0421, tell, &heard, &t, NULL));
    ck_assert_int_eq(t->row_count, 44);
    ck_assert_int_eq(heard.calls, 44);
    ck_assert_int_eq(heard.row_count, 44);
    ck_assert(heard.is_in_order);
    carom_trajectory_free(t);
    carom_trajectory_free(NULL);
    carom_model_free(model);
}

/** Arrays of a trajectory by their columns. */
enum { ARRAY_COUNT = 14 };

typedef struct column_array {
    const double *values; // [row][columns]
    int columns;
} column_array;

/** All arrays that hold numbers of steps; time is not one of them. */
static void list_arrays(const carom_trajectory *t, column_array arrays[ARRAY_COUNT]) {
    const int n = t->coordinate_count;
    const int b = t->joint_count;
    const int u = t->contact_count;
    const column_array listed[ARRAY_COUNT] = {{t->position, n},
                                              {t->velocity, n},
                                              {t->energy, 1},
                                              {t->residual, 1},
                                              {t->gap, u},
                                              {t->gap_rate, u},
                                              {t->contact_force, u},
                                              {t->contact_impulse, u},
                                              {t->contact_position_multiplier, u},
                                              {t->joint_residual, b},
                                              {t->joint_rate, b},
                                              {t->joint_force, b},
                                              {t->joint_impulse, b},
                                              {t->joint_position_multiplier, b}};
    memcpy(arrays, listed, sizeof listed);
}

/** Rows of two trajectories are the same bits. */
static void check_same_rows(const carom_trajectory *t, const carom_trajectory *other, int count) {
    column_array arrays[ARRAY_COUNT];
    column_array others[ARRAY_COUNT];
    list_arrays(t, arrays);
    list_arrays(other, others);
    for (int k = 0; k < ARRAY_COUNT; k++) {
        ck_assert_int_eq(arrays[k].columns, others[k].columns);
        for (int i = 0; i < count * arrays[k].columns; i++) {
            assert_close(arrays[k].values[i], others[k].values[i], 0.0, 0.0);
        }
    }
    const size_t flags = (size_t)count * (size_t)t->contact_count;
    for (size_t i = 0; i < flags; i++) {
        ck_assert_int_eq(t->position_active[i], other->position_active[i]);
        ck_assert_int_eq(t->velocity_active[i], other->velocity_active[i]);
    }
    for (int row = 0; row < count; row++) {
        assert_close(t->time[row], other->time[row], 0.0, 0.0);
        ck_assert_int_eq(t->newton_iterations[row], other->newton_iterations[row]);
    }
}

/** From a row on nothing was computed but the times. */
static void check_missing_rows(const carom_trajectory *t, int first) {
    column_array arrays[ARRAY_COUNT];
    list_arrays(t, arrays);
    for (int k = 0; k < ARRAY_COUNT; k++) {
        for (int i = first * arrays[k].columns; i < t->row_count * arrays[k].columns; i++) {
            ck_assert_msg(isnan(arrays[k].values[i]), "array %d, entry %d: %g", k, i,
                          arrays[k].values[i]);
        }
    }
    for (int row = first; row < t->row_count; row++) {
        assert_close(t->time[row], row * t->step, 2.3e-16, 0.0);
        ck_assert_int_eq(t->newton_iterations[row], 0);
        for (int j = 0; j < t->contact_count; j++) {
            ck_assert_int_eq(t->position_active[row * t->contact_count + j], 0);
            ck_assert_int_eq(t->velocity_active[row * t->contact_count + j], 0);
        }
    }
}

/**
 * The modified step of the paper's bar (h = 2 ms, consistent mass) in which the contact is to close
 * has no solution: 0.5005 s is the exact impact, 0.502 s the end of its step.
 */
TEST(unit, a_run_to_failure_of_the_modified_bar_keeps_what_came_before) {
    enum { FAILED_ROW = 251 };
    const carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MODIFIED_LCP, 2e-3);
    run earlier = run_bar(&bar, &params, 0.5);
    ck_assert_int_eq(earlier.trajectory->row_count, FAILED_ROW);
    const carom_model *model = earlier.model;
    told heard = {.is_in_order = true};
    carom_trajectory *t = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_trajectory_run_to_failure(&model->mechanism, &params, model->initial_position,
                                              model->initial_velocity, 0.6, tell, &heard, &t,
                                              &report));
    ck_assert_int_eq(t->row_count, 301);
    ck_assert_int_ne(t->outcome, CAROM_OK);
    assert_close(t->failure_time, 0.502, 1e-15, 0.0);
    assert_close(report.step, 2e-3, 0.0, 0.0);
    ck_assert_double_ge(report.time, 0.5 - 1e-12);
    ck_assert_double_le(report.time, 0.502 + 1e-12);
    ck_assert_int_eq(heard.calls, FAILED_ROW);
    ck_assert_int_eq(heard.row_count, 301);
    check_same_rows(t, earlier.trajectory, FAILED_ROW);
    check_missing_rows(t, FAILED_ROW);
    // the same failure is an error where it is not asked for, with the same reason
    carom_trajectory *none = NULL;
    carom_report again = carom_report_empty();
    ck_assert_int_eq(carom_trajectory_run(&model->mechanism, &params, model->initial_position,
                                          model->initial_velocity, 0.6, NULL, NULL, &none, &again),
                     t->outcome);
    ck_assert_ptr_null(none);
    assert_close(again.time, report.time, 0.0, 0.0);
    ck_assert_int_eq(again.iterations, report.iterations);
    carom_trajectory_free(t);
    run_clear(&earlier);
}

TEST(property, a_run_to_failure_without_failure_is_the_run) {
    for (int which = 0; which < MODEL_COUNT; which++) {
        const carom_stepper_params params =
            carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
        run r = run_model(make_model(which), &params, 0.0605);
        carom_trajectory *t = NULL;
        assert_ok(carom_trajectory_run_to_failure(
            &r.model->mechanism, &params, r.model->initial_position, r.model->initial_velocity,
            0.0605, NULL, NULL, &t, NULL));
        ck_assert_int_eq(t->row_count, 62);
        ck_assert_int_eq(t->outcome, CAROM_OK);
        ck_assert_double_nan(t->failure_time);
        check_same_rows(t, r.trajectory, 62);
        carom_trajectory_free(t);
        run_clear(&r);
    }
}

/** What stands in a row and a place of a column, unlike what stands elsewhere. */
static double mark(int column, int row, int place) {
    return 1e6 * column + 1e3 * row + place + 1.0;
}

/** Put the marks of a row into all columns of a trajectory, or compare with them. */
static void visit_row(carom_trajectory *t, int row, bool is_put) {
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        void *values = (void *)carom_trajectory_values(t, column);
        const int length = carom_trajectory_length(t, column->axis);
        for (int i = 0; values != NULL && i < length; i++) {
            const int k = row * length + i;
            if (is_put && column->is_integer) {
                ((int *)values)[k] = (int)mark(c, row, i);
            } else if (is_put) {
                ((double *)values)[k] = mark(c, row, i);
            } else if (column->is_integer) {
                ck_assert_int_eq(((int *)values)[k], (int)mark(c, row, i));
            } else {
                assert_close(((double *)values)[k], mark(c, row, i), 0.0, 0.0);
            }
        }
    }
}

/** Rows of 3 coordinates, 2 joints and 2 contacts without friction; 3 tangents with it. */
static carom_mechanism make_mechanism(const double *friction) {
    return (carom_mechanism){.coordinate_count = 3,
                             .joint_count = 2,
                             .contact_count = 2,
                             .tangent_count = 3,
                             .friction = friction};
}

static const carom_trajectory_kind kinds[] = {
    CAROM_TRAJECTORY_SMOOTH, CAROM_TRAJECTORY_NONSMOOTH, CAROM_TRAJECTORY_INCLUSION,
    CAROM_TRAJECTORY_VARIATIONAL, CAROM_TRAJECTORY_MOTION};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

TEST(unit, rows_grow_and_keep_what_they_hold) {
    const double friction[2] = {0.3, 0.7};
    for (int k = 0; k < 2 * KINDS; k++) {
        const carom_mechanism mechanism = make_mechanism(k < KINDS ? friction : NULL);
        carom_trajectory *t = NULL;
        assert_ok(carom_trajectory_alloc(&mechanism, kinds[k % KINDS], 1, &t));
        ck_assert_int_eq(t->tangent_count, k < KINDS ? 3 : 0);
        for (int row = 0; row < 37; row++) {
            assert_ok(carom_trajectory_append(t));
            ck_assert_int_eq(t->row_count, row + 1);
            visit_row(t, row, true);
        }
        for (int row = 0; row < 37; row++) {
            visit_row(t, row, false);
        }
        ck_assert_int_eq(t->capacity, 64);
        carom_trajectory_free(t);
    }
}

TEST(unit, an_unknown_row_changes_no_other) {
    const carom_mechanism mechanism = make_mechanism(NULL);
    carom_trajectory *t = NULL;
    assert_ok(carom_trajectory_alloc(&mechanism, CAROM_TRAJECTORY_NONSMOOTH, 3, &t));
    for (int row = 0; row < 2; row++) {
        assert_ok(carom_trajectory_append(t));
        visit_row(t, row, true);
    }
    carom_trajectory_leave_unknown(t, 2.385);
    visit_row(t, 0, false);
    assert_close(t->time[1], 2.385, 0.0, 0.0);
    ck_assert_double_nan(t->position[3]);
    ck_assert_double_nan(t->joint_position_multiplier[3]);
    ck_assert_int_eq(t->velocity_active[3], 0);
    carom_trajectory_free(t);
}

TEST(errors, rows_that_find_no_memory_are_as_they_were) {
    const carom_mechanism mechanism = make_mechanism(NULL);
    for (int k = 0; k < KINDS; k++) {
        carom_trajectory *t = NULL;
        for (int left = 0; left < 2; left++) {
            successes_left = left;
            assert_status(carom_trajectory_alloc(&mechanism, kinds[k], 1, &t), OUT_OF_MEMORY);
            ck_assert_ptr_null(t);
        }
        successes_left = -1;
        assert_ok(carom_trajectory_alloc(&mechanism, kinds[k], 1, &t));
        assert_ok(carom_trajectory_append(t));
        visit_row(t, 0, true);
        successes_left = 0;
        assert_status(carom_trajectory_append(t), OUT_OF_MEMORY);
        successes_left = -1;
        ck_assert_int_eq(t->row_count, 1);
        visit_row(t, 0, false);
        carom_trajectory_free(t);
    }
}

typedef carom_status (*run_function)(const carom_mechanism *, const carom_stepper_params *,
                                     const double *, const double *, double,
                                     carom_trajectory_progress, void *, carom_trajectory **,
                                     carom_report *);

static const run_function functions[] = {carom_trajectory_run, carom_trajectory_run_to_failure};

TEST(errors, durations_without_a_step_are_refused_by_name) {
    carom_model *model = make_model(0);
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    const struct {
        double duration;
        carom_status status;
    } refused[] = {
        {0.9e-3, CAROM_STATUS_OUT_OF_RANGE}, {0.0, CAROM_STATUS_OUT_OF_RANGE},
        {-2.385, CAROM_STATUS_OUT_OF_RANGE}, {1e9, CAROM_STATUS_OUT_OF_RANGE}, // 1e12 rows
        {HUGE_VAL, CAROM_STATUS_NOT_FINITE}, {-HUGE_VAL, CAROM_STATUS_NOT_FINITE},
    };
    for (size_t k = 0; k < 2 * (sizeof refused / sizeof refused[0]); k++) {
        const double duration = refused[k / 2].duration;
        told heard = {.is_in_order = true};
        carom_trajectory *t = NULL;
        carom_report report = carom_report_empty();
        ck_assert_int_eq(functions[k % 2](&model->mechanism, &params, model->initial_position,
                                          model->initial_velocity, duration, tell, &heard, &t,
                                          &report),
                         refused[k / 2].status);
        ck_assert_ptr_null(t);
        ck_assert_str_eq(report.quantity, "duration");
        ck_assert(report.value <= duration && report.value >= duration);
        ck_assert_int_eq(heard.calls, 0);
        t = NULL;
        assert_status(functions[k % 2](&model->mechanism, &params, model->initial_position,
                                       model->initial_velocity, (double)NAN, NULL, NULL, &t, NULL),
                      NOT_FINITE);
        ck_assert_ptr_null(t);
    }
    carom_model_free(model);
}

TEST(errors, what_cannot_start_is_an_error_of_both_runs) {
    carom_model *model = make_model(0);
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    const double inside = 0.2 - 0.0137; // of the floor, by the radius
    for (int k = 0; k < 2; k++) {
        carom_trajectory *t = NULL;
        carom_report report = carom_report_empty();
        assert_status(functions[k](&model->mechanism, &params, &inside, model->initial_velocity,
                                   0.1, NULL, NULL, &t, &report),
                      PENETRATION);
        ck_assert_ptr_null(t);
        assert_close(report.value, -0.0137, 1e-12, 0.0);
        const double unknown = (double)NAN;
        assert_status(functions[k](&model->mechanism, &params, model->initial_position, &unknown,
                                   0.1, NULL, NULL, &t, NULL),
                      NOT_FINITE);
        ck_assert_ptr_null(t);
        params.step = 0.0;
        assert_status(functions[k](&model->mechanism, &params, model->initial_position,
                                   model->initial_velocity, 0.1, NULL, NULL, &t, &report),
                      OUT_OF_RANGE);
        ck_assert_ptr_null(t);
        params.step = 1e-3;
    }
    carom_model_free(model);
}

/** Neither run takes missing memory for a failure of the step. */
TEST(errors, missing_memory_is_an_error_of_both_runs_without_a_leak) {
    for (int which = 0; which < MODEL_COUNT; which++) {
        carom_model *model = make_model(which);
        for (int k = 0; k < 2; k++) {
            const carom_stepper_params params =
                carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
            carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
            int failures = 0;
            for (; status != CAROM_OK; failures++) {
                carom_trajectory *t = NULL;
                successes_left = failures;
                status = functions[k](&model->mechanism, &params, model->initial_position,
                                      model->initial_velocity, 3e-3, NULL, NULL, &t, NULL);
                successes_left = -1;
                ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY,
                              "allocation %d: %s", failures, carom_status_name(status));
                ck_assert_int_eq(t != NULL, status == CAROM_OK);
                carom_trajectory_free(t);
            }
            // the rows, their object and the scratch, besides the stepper's
            ck_assert_int_gt(failures, 3);
        }
        carom_model_free(model);
    }
}
