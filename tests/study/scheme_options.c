#include "../program/capture.h"

#include <carom/models/bouncing_ball.h>
#include <carom/models/elastic_bar.h>
#include <carom/program/internal.h>
#include <carom/record/reader.h>
#include <carom/study/scheme_options.h>

/** Parse arguments over the scheme options. */
static carom_parse_result parse(carom_scheme_options *values, int count, char **arguments,
                                carom_common_options *common, capture *printed) {
    const carom_program program = {.name = "falling_ball",
                                   .title = "A falling ball",
                                   .source = "key-2014",
                                   .schema = "falling_ball 1",
                                   .options = carom_scheme_options_table};
    capture_begin(printed);
    const carom_parse_result result =
        carom_options_parse(&program, count, arguments, values, common);
    capture_end(printed);
    return result;
}

TEST(unit, defaults_are_those_of_the_steppers) {
    const carom_scheme_options values = carom_scheme_options_default(0.0025, 3.75);
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const carom_stepper_params params =
            carom_scheme_options_params(&values, (carom_scheme)scheme);
        const carom_stepper_params expected = carom_stepper_params_default((carom_scheme)scheme);
        ck_assert_int_eq(params.scheme, scheme);
        assert_close(params.step, 0.0025, 0.0, 0.0);
        assert_close(params.spectral_radius, expected.spectral_radius, 0.0, 0.0);
        ck_assert(isnan(params.theta) && isnan(expected.theta));
        ck_assert_int_eq(params.predictor, expected.predictor);
        ck_assert_int_eq(params.newton, expected.newton);
        assert_close(params.tolerance, expected.tolerance, 0.0, 0.0);
        ck_assert(carom_scheme_options_selects(&values, (carom_scheme)scheme));
    }
    assert_close(values.duration, 3.75, 0.0, 0.0);
}

TEST(unit, every_option_reaches_the_stepper) {
    carom_scheme_options values = carom_scheme_options_default(0.0025, 3.75);
    char *arguments[] = {"falling_ball",        "--scheme=velocity-galpha", "--step=0.0125",
                         "--duration=2.5",      "--spectral-radius=0",      "--theta=0.5",
                         "--predictor=current", "--tolerance=3e-9",         "--newton=sequential"};
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 9, arguments, &common, &printed), CAROM_PARSE_RUN);
    const carom_stepper_params params =
        carom_scheme_options_params(&values, CAROM_SCHEME_VELOCITY_GALPHA);
    assert_close(params.step, 0.0125, 0.0, 0.0);
    assert_close(values.duration, 2.5, 0.0, 0.0);
    assert_close(params.spectral_radius, 0.0, 0.0, 0.0);
    assert_close(params.theta, 0.5, 0.0, 0.0);
    ck_assert_int_eq(params.predictor, CAROM_PREDICTOR_CURRENT);
    assert_close(params.tolerance, 3e-9, 0.0, 0.0);
    ck_assert_int_eq(params.newton, CAROM_NEWTON_SEQUENTIAL);
    carom_options_clear(&common);
}

/** Name of a scheme as the command line writes it. */
static void dashed_name(carom_scheme scheme, char name[64]) {
    snprintf(name, 64, "%s", carom_scheme_name(scheme));
    for (char *letter = name; *letter != '\0'; letter++) {
        *letter = *letter == '_' ? '-' : *letter;
    }
}

TEST(unit, every_scheme_is_selected_by_its_name) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        char name[64];
        dashed_name((carom_scheme)scheme, name);
        carom_scheme_options values = carom_scheme_options_default(0.0025, 3.75);
        char *arguments[] = {"falling_ball", "--scheme", name};
        carom_common_options common;
        capture printed;
        ck_assert_int_eq(parse(&values, 3, arguments, &common, &printed), CAROM_PARSE_RUN);
        for (int other = 0; other < CAROM_SCHEME_COUNT; other++) {
            ck_assert_int_eq(carom_scheme_options_selects(&values, (carom_scheme)other),
                             other == scheme);
        }
        carom_options_clear(&common);
    }
}

TEST(unit, all_selects_every_scheme_again) {
    carom_scheme_options values = carom_scheme_options_default(0.0025, 3.75);
    char *arguments[] = {"falling_ball", "--scheme=moreau-jean", "--scheme=all"};
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 3, arguments, &common, &printed), CAROM_PARSE_RUN);
    ck_assert_int_eq(values.scheme, CAROM_SCHEME_COUNT);
    carom_options_clear(&common);
}

TEST(unit, a_step_as_long_as_the_duration_is_admitted) {
    const carom_scheme_options values = carom_scheme_options_default(0.25, 0.25);
    carom_report report = carom_report_empty();
    assert_ok(carom_scheme_options_check(&values, &report));
}

#define RUN_COUNT 5

/** A ball that falls from 1.001 m and has bounced once after half a second (paper's data). */
static carom_model *ball_make(void) {
    const carom_bouncing_ball_params params = carom_bouncing_ball_params_default();
    carom_model *model = NULL;
    assert_ok(carom_bouncing_ball_alloc(&params, &model, NULL));
    return model;
}

/** One run for every scheme, in groups of their names. */
static void runs_init(carom_scheme_run runs[RUN_COUNT], double step) {
    for (int i = 0; i < RUN_COUNT; i++) {
        runs[i] = (carom_scheme_run){.is_kept = true};
        snprintf(runs[i].group, sizeof runs[i].group, "%s", carom_scheme_name((carom_scheme)i));
        runs[i].params = carom_stepper_params_default((carom_scheme)i);
        runs[i].params.step = step;
    }
}

static void runs_clear(carom_scheme_run runs[RUN_COUNT]) {
    for (int i = 0; i < RUN_COUNT; i++) {
        carom_trajectory_free(runs[i].trajectory);
    }
}

/** Start a record at a path. */
static carom_record *record_make(const char *path) {
    const carom_record_header header = {"title", "key", "schema 1", "digest", "cc", "-O2", 3};
    carom_record *record = NULL;
    assert_ok(carom_record_create(path, &header, &record));
    return record;
}

TEST(unit, every_run_becomes_a_group_of_the_record) {
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = ball_make();
    carom_scheme_run runs[RUN_COUNT];
    runs_init(runs, 0.0625);
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.workers.threads = 2, .is_quiet = true};
    assert_ok(carom_scheme_runs(model, 0.25, runs, RUN_COUNT, &common, record, NULL));
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(path, &reader));
    for (int i = 0; i < RUN_COUNT; i++) {
        ck_assert_ptr_nonnull(runs[i].trajectory);
        ck_assert_int_eq(runs[i].trajectory->kind, i == CAROM_SCHEME_SMOOTH_GALPHA
                                                       ? CAROM_TRAJECTORY_SMOOTH
                                                       : CAROM_TRAJECTORY_NONSMOOTH);
        char item[128];
        carom_dataset position;
        snprintf(item, sizeof item, "/%.47s/position", runs[i].group);
        assert_ok(carom_reader_dataset(reader, item, &position));
        // Four steps of 1/16 s and the initial state; free flight is y = h0 - g t^2 / 2, and a
        // dissipative scheme of order h differs from it by at most g h t / 2.
        ck_assert_int_eq(position.rows, 5);
        assert_close(position.values[0], 1.001, 1e-15, 0.0);
        assert_close(position.values[4], 1.001 - 5.0 * 0.0625, 0.0, 5.0 * 0.0625 * 0.25);
        carom_dataset_clear(&position);
    }
    carom_reader_close(reader);
    runs_clear(runs);
    carom_model_free(model);
    scratch_remove(&folder, "r.h5");
}

TEST(errors, a_run_that_may_fail_is_recorded_up_to_its_failure) {
    // No active set solves the modified step in which this bar meets the wall, at t = 0.502 s.
    const carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = NULL;
    assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
    carom_scheme_run run = {.group = "modified_lcp", .may_fail = true};
    run.params = carom_stepper_params_default(CAROM_SCHEME_MODIFIED_LCP);
    run.params.step = 2e-3;
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    assert_ok(carom_scheme_runs(model, 0.6, &run, 1, &common, record, NULL));
    ck_assert_int_eq(run.outcome, CAROM_STATUS_RAY);
    assert_close(run.failure_time, 0.502, 1e-14, 0.0);
    ck_assert_ptr_null(run.trajectory);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = NULL;
    double number = 0.0;
    char sentence[128];
    assert_ok(carom_reader_open(path, &reader));
    assert_ok(carom_reader_number(reader, "/modified_lcp/failure_time", &number));
    assert_close(number, 0.502, 1e-14, 0.0);
    assert_ok(carom_reader_number(reader, "/modified_lcp/gap[250,0]", &number));
    assert_close(number, 5.005 - 10.0 * 0.5, 0.0, 1e-11);
    assert_status(carom_reader_number(reader, "/modified_lcp/gap[251,0]", &number), NOT_FINITE);
    ck_assert(isnan(number));
    assert_ok(carom_reader_text(reader, "/modified_lcp@failure", sizeof sentence, sentence));
    ck_assert_str_eq(sentence, carom_status_sentence(CAROM_STATUS_RAY));
    carom_reader_close(reader);
    carom_model_free(model);
    scratch_remove(&folder, "r.h5");
}

/** One run with some of its rows, and how many these are. */
static int rows_recorded(carom_recorded_steps steps, char *words, int size) {
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = ball_make();
    carom_scheme_run run = {.group = "moreau_jean"};
    run.params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    run.params.step = 2e-3;
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true, .steps = steps};
    assert_ok(carom_scheme_runs(model, 0.5, &run, 1, &common, record, NULL));
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = NULL;
    carom_dataset gap;
    double end = 0.0;
    assert_ok(carom_reader_open(path, &reader));
    assert_ok(carom_reader_dataset(reader, "/moreau_jean/gap", &gap));
    assert_ok(carom_reader_number(reader, "/moreau_jean/time[-1]", &end));
    assert_close(end, 0.5, 1e-13, 0.0);
    if (carom_reader_text(reader, "/moreau_jean@recorded_rows", size, words) != CAROM_OK) {
        words[0] = '\0';
    }
    const int rows = gap.rows;
    carom_dataset_clear(&gap);
    carom_reader_close(reader);
    carom_model_free(model);
    scratch_remove(&folder, "r.h5");
    return rows;
}

/* 250 steps with one impact, of two events. */
TEST(unit, the_record_says_which_steps_it_holds) {
    char words[128];
    ck_assert_int_eq(rows_recorded((carom_recorded_steps){.every = 1}, words, 128), 251);
    ck_assert_str_eq(words, "");
    ck_assert_int_eq(rows_recorded((carom_recorded_steps){.every = 60}, words, 128), 6);
    ck_assert_str_eq(words, "each 60-th step and the last state");
    ck_assert_int_eq(rows_recorded((carom_recorded_steps){.are_events = true}, words, 128), 4);
    ck_assert_str_eq(words, "the first and the last state, and steps in which a contact begins or "
                            "ends to press");
}

/** What a listener has been told. */
typedef struct heard {
    int rows;
    int calls;
} heard;

static carom_status hear(const carom_trajectory *rows, void *context, carom_report *report) {
    (void)report;
    heard *all = context;
    ck_assert_int_eq(rows->first_row, all->rows);
    all->rows += rows->row_count;
    all->calls++;
    return CAROM_OK;
}

TEST(unit, all_rows_are_watched_and_those_beside_are_the_recorded_ones) {
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = ball_make();
    heard watched = {.rows = 0};
    heard beside = {.rows = 0};
    carom_scheme_run run = {.group = "moreau_jean",
                            .watch = {hear, &watched},
                            .beside = {hear, &beside},
                            .watched = &watched,
                            .watched_size = sizeof watched};
    run.params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    run.params.step = 2e-3;
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.is_quiet = true, .steps = {.every = 60}};
    assert_ok(carom_scheme_runs(model, 0.5, &run, 1, &common, record, NULL));
    carom_record_discard(record);
    ck_assert_int_eq(watched.rows, 251);
    ck_assert_int_eq(beside.rows, 6);
    ck_assert_int_ge(watched.calls, beside.calls);
    carom_model_free(model);
    scratch_remove(&folder, "");
}

/** Run all schemes over an impact and read the record's bytes. */
static size_t bytes_of_runs(int threads, char *bytes, size_t size) {
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = ball_make();
    carom_scheme_run runs[RUN_COUNT];
    runs_init(runs, 0.005);
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.workers.threads = threads};
    assert_ok(carom_scheme_runs(model, 0.6, runs, RUN_COUNT, &common, record, NULL));
    assert_ok(carom_record_commit(record, NULL));
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t length = fread(bytes, 1, size, file);
    fclose(file);
    runs_clear(runs);
    carom_model_free(model);
    scratch_remove(&folder, "r.h5");
    return length;
}

TEST(property, the_record_is_the_same_for_one_two_and_four_threads) {
    static char serial[1 << 20];
    static char parallel[1 << 20];
    const size_t length = bytes_of_runs(1, serial, sizeof serial);
    ck_assert(length > 0 && length < sizeof serial);
    const int threads[] = {0, 2, 4};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        ck_assert_uint_eq(bytes_of_runs(threads[i], parallel, sizeof parallel), length);
        ck_assert_mem_eq(parallel, serial, length);
    }
}

TEST(errors, a_step_longer_than_the_duration_is_refused) {
    const carom_scheme_options values = carom_scheme_options_default(0.25, 0.125);
    carom_report report = carom_report_empty();
    assert_status(carom_scheme_options_check(&values, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "step");
    assert_close(report.value, 0.25, 0.0, 0.0);
    assert_close(report.bound, 0.125, 0.0, 0.0);
    assert_status(carom_scheme_options_check(&values, NULL), OUT_OF_RANGE);
}

TEST(errors, values_out_of_range_are_refused_by_name) {
    const char *cases[][2] = {
        {"--scheme=euler", "--scheme must be one of nonsmooth-galpha|moreau-jean|smooth-galpha|"
                           "modified-lcp|velocity-galpha|all, got \"euler\""},
        {"--step=0", "--step must be positive, got 0"},
        {"--duration=-1", "--duration must be positive, got -1"},
        {"--spectral-radius=1.01", "--spectral-radius must lie in [0, 1], got 1.01"},
        {"--theta=0.25", "--theta must lie in [1/2, 1], got 0.25"},
        {"--theta=nan", "--theta must be finite, got nan"},
        {"--tolerance=0", "--tolerance must lie in (0, 1), got 0"},
        {"--predictor=none",
         "--predictor must be one of half-step|full-step|current|next-step, got "
         "\"none\""},
        {"--newton=quasi", "--newton must be one of monolithic|sequential, got \"quasi\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_scheme_options values = carom_scheme_options_default(0.0025, 3.75);
        char argument[64];
        char line[256];
        snprintf(argument, sizeof argument, "%s", cases[i][0]);
        snprintf(line, sizeof line, "falling_ball: %s\n", cases[i][1]);
        char *arguments[] = {"falling_ball", argument};
        carom_common_options common;
        capture printed;
        ck_assert_int_eq(parse(&values, 2, arguments, &common, &printed), CAROM_PARSE_REFUSED);
        ck_assert_str_eq(CAPTURED_ERR(&printed), line);
        carom_options_clear(&common);
    }
}

TEST(errors, the_report_names_the_lowest_run_that_failed) {
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = ball_make();
    carom_scheme_run runs[RUN_COUNT];
    runs_init(runs, 0.0625);
    runs[2].params.spectral_radius = 1.5;
    runs[4].params.step = -1.0;
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.workers.threads = 4};
    carom_report report = carom_report_empty();
    assert_status(carom_scheme_runs(model, 0.25, runs, RUN_COUNT, &common, record, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.context, "smooth_galpha");
    assert_close(report.value, 1.5, 0.0, 0.0);
    for (int i = 0; i < RUN_COUNT; i++) {
        ck_assert_ptr_null(runs[i].trajectory);
    }
    carom_record_discard(record);
    runs_clear(runs);
    carom_model_free(model);
    scratch_remove(&folder, "r.h5");
}

TEST(errors, a_group_that_cannot_be_written_is_named) {
    const scratch folder = scratch_make();
    char path[256];
    carom_model *model = ball_make();
    carom_scheme_run runs[RUN_COUNT];
    runs_init(runs, 0.0625);
    // A dataset stands where the group of the second run is to be made.
    snprintf(runs[1].group, sizeof runs[1].group, "moreau_jean/deep");
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    carom_record_scalar(record, "/moreau_jean", 2.5, "1", "in the way");
    const carom_common_options common = {.workers.threads = 1};
    carom_report report = carom_report_empty();
    assert_ok(carom_scheme_runs(model, 0.25, runs, RUN_COUNT, &common, record, &report));
    assert_status(carom_record_status(record), IO);
    ck_assert_str_eq(carom_record_failure(record),
                     "/moreau_jean/deep/coordinate: message type not found");
    carom_record_discard(record);
    runs_clear(runs);
    carom_model_free(model);
    scratch_remove(&folder, "r.h5");
}

/* --- plans ------------------------------------------------------------------------------------ */

TEST(unit, a_plan_has_the_selected_schemes_and_what_is_added) {
    carom_scheme_options values = carom_scheme_options_default(0.0625, 0.25);
    const carom_mechanism smooth = {.contact_count = 1};
    CAROM_AUTO(carom_scheme_plan) all = NULL;
    assert_ok(carom_scheme_plan_alloc(&values, &smooth, &all));
    ck_assert_int_eq(all->count, CAROM_SCHEME_COUNT);
    ck_assert_str_eq(all->runs[1].group, "moreau_jean");
    values.scheme = CAROM_SCHEME_MODIFIED_LCP;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    assert_ok(carom_scheme_plan_alloc(&values, &smooth, &plan));
    carom_scheme_run *run = carom_scheme_plan_add(plan, CAROM_SCHEME_MOREAU_JEAN, "coarse");
    run->params.step = 0.125;
    ck_assert_int_eq(plan->count, 2);
    ck_assert_int_eq(plan->runs[0].params.scheme, CAROM_SCHEME_MODIFIED_LCP);
    ck_assert(!plan->runs[0].may_fail && plan->runs[1].may_fail);
    ck_assert_int_eq(plan->runs[1].params.scheme, CAROM_SCHEME_MOREAU_JEAN);
    ck_assert_ptr_null(carom_scheme_plan_find(plan, "coarse"));
    carom_scheme_plan_free(NULL);
}

/* Of all schemes those that compute friction; one that was asked for by name refuses it itself. */
TEST(unit, a_plan_leaves_out_what_has_no_friction) {
    carom_scheme_options values = carom_scheme_options_default(0.0625, 0.25);
    const double mu = 0.4;
    const carom_mechanism rough = {.contact_count = 1, .tangent_count = 1, .friction = &mu};
    CAROM_AUTO(carom_scheme_plan) all = NULL;
    assert_ok(carom_scheme_plan_alloc(&values, &rough, &all));
    ck_assert_int_eq(all->count, 3);
    for (int i = 0; i < all->count; i++) {
        ck_assert(all->runs[i].params.scheme != CAROM_SCHEME_SMOOTH_GALPHA);
        ck_assert(all->runs[i].params.scheme != CAROM_SCHEME_MODIFIED_LCP);
    }
    values.scheme = CAROM_SCHEME_MODIFIED_LCP;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    assert_ok(carom_scheme_plan_alloc(&values, &rough, &plan));
    ck_assert_int_eq(plan->count, 1);
}

TEST(unit, a_plan_finds_the_runs_that_were_completed) {
    const carom_scheme_options values = carom_scheme_options_default(2e-3, 0.6);
    const carom_elastic_bar_params bar = carom_elastic_bar_params_default();
    const scratch folder = scratch_make();
    char path[256];
    CAROM_AUTO(carom_model) model = NULL;
    CAROM_AUTO(carom_scheme_plan) plan = NULL;
    assert_ok(carom_elastic_bar_alloc(&bar, &model, NULL));
    assert_ok(carom_scheme_plan_alloc(&values, &model->mechanism, &plan));
    plan->runs[CAROM_SCHEME_MODIFIED_LCP].may_fail = true; // as its step at 0.502 s does
    carom_record *record = record_make(scratch_path(&folder, "r.h5", path));
    const carom_common_options common = {.workers.threads = 2, .is_quiet = true};
    assert_ok(carom_scheme_runs(model, 0.6, plan->runs, plan->count, &common, record, NULL));
    carom_record_discard(record);
    ck_assert_ptr_eq(carom_scheme_plan_find(plan, "moreau_jean"),
                     plan->runs[CAROM_SCHEME_MOREAU_JEAN].trajectory);
    ck_assert_ptr_null(carom_scheme_plan_find(plan, "modified_lcp"));
    ck_assert_ptr_null(carom_scheme_plan_find(plan, "moreau"));
    scratch_remove(&folder, "r.h5");
}
