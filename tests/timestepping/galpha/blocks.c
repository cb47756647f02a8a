/* Runs that are taken block by block: the rows of the same run in memory, bit for bit; and the rows
 * that are chosen of them. */
#include "runs.h"

#include <carom/timestepping/internal.h>

/* Append a block to the rows of a run, column by column. */
static void gather(carom_trajectory *all, const carom_trajectory *block) {
    ck_assert_int_eq(block->first_row, all->row_count);
    for (int row = 0; row < block->row_count; row++) {
        assert_ok(carom_trajectory_append(all));
        for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
            const carom_trajectory_column *column = &carom_trajectory_columns[c];
            const char *from = carom_trajectory_values(block, column);
            const size_t size = (size_t)carom_trajectory_length(block, column->axis) *
                                (column->is_integer ? sizeof(int) : sizeof(double));
            if (from != NULL) {
                char *to = (char *)carom_trajectory_values(all, column);
                memcpy(to + (size_t)(all->row_count - 1) * size, from + (size_t)row * size, size);
            }
        }
    }
    all->outcome = block->outcome;
    all->failure_time = block->failure_time;
}

static void assert_same_rows(const carom_trajectory *a, const carom_trajectory *b) {
    ck_assert_int_eq(a->row_count, b->row_count);
    ck_assert_int_eq(a->outcome, b->outcome);
    ck_assert_mem_eq(&a->failure_time, &b->failure_time, sizeof a->failure_time);
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        const void *values = carom_trajectory_values(a, column);
        const size_t size = (size_t)carom_trajectory_length(a, column->axis) *
                            (column->is_integer ? sizeof(int) : sizeof(double));
        if (values != NULL) {
            ck_assert_msg(memcmp(values, carom_trajectory_values(b, column),
                                 (size_t)a->row_count * size) == 0,
                          "%s differs", column->name);
        }
    }
}

/* Another run in the place of this one, which goes on from its end. */
static void renew(const carom_model *model, const carom_mechanism *taken,
                  const carom_stepper_params *params, const carom_stepper_run_params *asked,
                  carom_stepper_run **motion) {
    carom_parallel_bytes state = {NULL, 0, 0};
    assert_ok(carom_stepper_run_pack(*motion, &state));
    carom_stepper_run_free(*motion);
    assert_ok(carom_stepper_run_alloc(taken, params, asked, model->initial_position,
                                      model->initial_velocity, motion, NULL));
    const unsigned char *data = state.data;
    size_t left = state.size;
    assert_ok(carom_stepper_run_unpack(*motion, &data, &left, NULL));
    ck_assert_uint_eq(left, 0);
    carom_parallel_bytes_clear(&state);
}

/* The run in blocks of so many rows, each of another run if that is asked for. */
static carom_trajectory *run_blocks(const carom_model *model, const carom_stepper_params *params,
                                    double duration, int block_rows, bool is_renewed) {
    const carom_mechanism taken = taken_by(params->scheme, &model->mechanism);
    const carom_stepper_run_params asked = {
        .duration = duration, .block_rows = block_rows, .to_failure = true};
    carom_stepper_run *motion = NULL;
    carom_trajectory *all = NULL;
    const carom_trajectory *rows = NULL;
    assert_ok(carom_stepper_run_alloc(&taken, params, &asked, model->initial_position,
                                      model->initial_velocity, &motion, NULL));
    do {
        assert_ok(carom_stepper_run_next(motion, &rows, NULL));
        if (all == NULL) {
            assert_ok(carom_trajectory_alloc(&taken, rows->kind, 1, &all));
        }
        ck_assert_int_le(rows->row_count, block_rows);
        ck_assert_int_le(rows->capacity, block_rows);
        gather(all, rows);
        if (is_renewed && all->row_count < rows->total_rows) {
            renew(model, &taken, params, &asked, &motion);
            rows = all;
        }
    } while (rows->row_count > 0);
    ck_assert_int_eq(all->row_count, rows->total_rows);
    carom_stepper_run_free(motion);
    return all;
}

/* The same at once. */
static carom_trajectory *run_whole(const carom_model *model, const carom_stepper_params *params,
                                   double duration) {
    const carom_mechanism taken = taken_by(params->scheme, &model->mechanism);
    carom_trajectory *all = NULL;
    assert_ok(carom_trajectory_run_to_failure(&taken, params, model->initial_position,
                                              model->initial_velocity, duration, NULL, NULL, &all,
                                              NULL));
    return all;
}

static const int BLOCKS[] = {1, 7, 100, 250, 251, 252, 1000};
enum { BLOCK_COUNT = sizeof BLOCKS / sizeof BLOCKS[0] };

static void assert_blocks_are_the_run(const carom_model *model, carom_scheme scheme, double step,
                                      double duration, int block_rows) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = step;
    carom_trajectory *whole = run_whole(model, &params, duration);
    for (int is_renewed = 0; is_renewed < 2; is_renewed++) {
        carom_trajectory *blocks =
            run_blocks(model, &params, duration, block_rows, is_renewed == 1);
        assert_same_rows(blocks, whole);
        carom_trajectory_free(blocks);
    }
    carom_trajectory_free(whole);
}

/* A ball that bounces: every scheme. */
LOOP_TEST(property, blocks_of_any_size_are_the_run_in_memory, BLOCK_COUNT) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        assert_blocks_are_the_run(model, (carom_scheme)scheme, 2e-3, 1.237, BLOCKS[_i]);
    }
    carom_model_free(model);
}

static const double SHAKEN = 0.013; /* m */
static const double RATE = 47.0;    /* rad/s */

static void floor_offset(double t, double *s, void *context) {
    (void)context;
    s[0] = -SHAKEN * sin(RATE * t);
}

static void floor_velocity(double t, double *w, void *context) {
    (void)context;
    w[0] = -SHAKEN * RATE * cos(RATE * t);
}

/* A floor that moves does work in each impact, which is summed over the whole run. */
LOOP_TEST(property, the_work_of_supports_goes_on_from_block_to_block, BLOCK_COUNT) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    model->mechanism.constraint_offset = floor_offset;
    model->mechanism.constraint_velocity = floor_velocity;
    const carom_stepper_params params = scheme_with_step(CAROM_SCHEME_MOREAU_JEAN, 1e-3);
    carom_trajectory *whole = run_whole(model, &params, 1.0);
    ck_assert_double_gt(fabs(whole->support_work[1000]), 0.0);
    carom_trajectory_free(whole);
    assert_blocks_are_the_run(model, CAROM_SCHEME_MOREAU_JEAN, 1e-3, 1.0, BLOCKS[_i]);
    carom_model_free(model);
}

/* What friction and impacts have taken, by the speeds before each step. */
LOOP_TEST(property, losses_go_on_from_block_to_block, BLOCK_COUNT) {
    carom_rocking_block_params block = carom_rocking_block_params_default();
    block.friction = 0.3;
    carom_model *model = NULL;
    assert_ok(carom_rocking_block_alloc(&block, &model, NULL));
    assert_blocks_are_the_run(model, CAROM_SCHEME_MOREAU_JEAN, 1e-3, 0.5, BLOCKS[_i]);
    carom_model_free(model);
}

/* No active set solves the modified step in which the bar meets the wall, row 251 of 301. */
LOOP_TEST(errors, after_a_failure_all_blocks_are_unknown, BLOCK_COUNT) {
    const carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
    assert_blocks_are_the_run(model, CAROM_SCHEME_MODIFIED_LCP, 2e-3, 0.6, BLOCKS[_i]);
    carom_model_free(model);
}

/* --- rows that are chosen --------------------------------------------------------------------- */

/* Another choice in the place of this one, which goes on from its end. */
static carom_trajectory_choice *renew_choice(const carom_mechanism *mechanism,
                                             const carom_trajectory *rows,
                                             carom_recorded_steps steps,
                                             carom_trajectory_choice *choice) {
    carom_parallel_bytes state = {NULL, 0, 0};
    carom_trajectory_choice *other = NULL;
    assert_ok(carom_trajectory_choice_pack(choice, &state));
    carom_trajectory_choice_free(choice);
    assert_ok(carom_trajectory_choice_alloc(mechanism, rows, steps, &other));
    const unsigned char *data = state.data;
    size_t left = state.size;
    assert_ok(carom_trajectory_choice_unpack(other, &data, &left));
    ck_assert_uint_eq(left, 0);
    carom_parallel_bytes_clear(&state);
    return other;
}

/* Chosen rows of a bouncing ball in blocks of so many steps. */
static carom_trajectory *choose(carom_recorded_steps steps, double duration, int block_rows) {
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_NONSMOOTH_GALPHA);
    params.step = 2e-3;
    const carom_stepper_run_params asked = {.duration = duration, .block_rows = block_rows};
    carom_model *model = NULL;
    carom_stepper_run *motion = NULL;
    carom_trajectory_choice *choice = NULL;
    carom_trajectory *all = NULL;
    const carom_trajectory *rows = NULL;
    const carom_trajectory *chosen = NULL;
    assert_ok(carom_bouncing_ball_alloc(&ball, &model, NULL));
    assert_ok(carom_stepper_run_alloc(&model->mechanism, &params, &asked, model->initial_position,
                                      model->initial_velocity, &motion, NULL));
    do {
        assert_ok(carom_stepper_run_next(motion, &rows, NULL));
        if (all == NULL) {
            assert_ok(carom_trajectory_alloc(&model->mechanism, rows->kind, 1, &all));
            assert_ok(carom_trajectory_choice_alloc(&model->mechanism, rows, steps, &choice));
        }
        assert_ok(carom_trajectory_choice_next(choice, rows, &chosen));
        gather(all, chosen);
        choice = renew_choice(&model->mechanism, rows, steps, choice);
    } while (rows->row_count > 0);
    const int known = carom_recorded_steps_count(steps, rows->total_rows);
    ck_assert_int_eq(known, steps.are_events ? 0 : all->row_count);
    carom_trajectory_choice_free(choice);
    carom_stepper_run_free(motion);
    carom_model_free(model);
    return all;
}

/* 619 steps, so that 13 neither divides them nor the blocks. */
LOOP_TEST(property, each_nth_row_and_the_last_are_chosen, BLOCK_COUNT) {
    const int every[] = {1, 2, 13, 619, 1000};
    for (int i = 0; i < 5; i++) {
        carom_trajectory *all = choose((carom_recorded_steps){.every = 1}, 1.238, 1000);
        carom_trajectory *some =
            choose((carom_recorded_steps){.every = every[i]}, 1.238, BLOCKS[_i]);
        ck_assert_int_eq(all->row_count, 620);
        int row = 0;
        for (int k = 0; k < all->row_count; k++) {
            if (k % every[i] == 0 || k == all->row_count - 1) {
                ck_assert_int_lt(row, some->row_count);
                ck_assert_mem_eq(&some->time[row], &all->time[k], sizeof(double));
                ck_assert_mem_eq(&some->position[row], &all->position[k], sizeof(double));
                ck_assert_mem_eq(&some->energy[row], &all->energy[k], sizeof(double));
                row++;
            }
        }
        ck_assert_int_eq(some->row_count, row);
        carom_trajectory_free(all);
        carom_trajectory_free(some);
    }
}

/* The ball meets the floor in the steps that hold the
 * exact impacts, each of which begins and ends a contact. */
LOOP_TEST(property, events_are_the_exact_impacts, BLOCK_COUNT) {
    enum { IMPACTS = 5 };
    const carom_bouncing_ball_params ball = carom_bouncing_ball_params_default();
    carom_trajectory *events = choose((carom_recorded_steps){.are_events = true}, 2.1, BLOCKS[_i]);
    int impacts = 0;
    for (int row = 1; row < events->row_count; row++) {
        if (events->contact_impulse[row] > 0.0) {
            const double time = carom_bouncing_ball_exact_impact(&ball, impacts++).time;
            assert_close(events->time[row], time, 0.0, 5e-3);
        }
    }
    while (carom_bouncing_ball_exact_impact(&ball, impacts).time < 2.1 - 5e-3) {
        ck_abort_msg("impact %d is missing", impacts);
    }
    /* Two rows each, the start and the end. */
    ck_assert_int_eq(events->row_count, 2 * impacts + 2);
    assert_close(events->time[events->row_count - 1], 2.1, 1e-12, 0.0);
    carom_trajectory_free(events);
}
