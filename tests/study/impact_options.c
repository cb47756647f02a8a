#include "../program/capture.h"

#include <carom/models/rigid_block.h>
#include <carom/program/internal.h>
#include <carom/study/impacts.h>

/** Parse arguments over the shared rows. */
static carom_parse_result parse(carom_impact_options *values, int count, char **arguments,
                                carom_common_options *common, capture *printed) {
    const carom_program program = {.name = "falling_box",
                                   .title = "A falling box",
                                   .source = "key-2023",
                                   .schema = "falling_box 1",
                                   .options = carom_impact_options_table};
    capture_begin(printed);
    const carom_parse_result result =
        carom_options_parse(&program, count, arguments, values, common);
    capture_end(printed);
    return result;
}

TEST(unit, defaults_are_those_of_the_sampling) {
    const carom_impact_options values = carom_impact_options_default(12345, 7, 0.2385);
    const carom_common_options common = {.seed = 17, .workers.threads = 3};
    const carom_impact_sampling_params params = carom_impact_options_params(&values, &common);
    const carom_impact_sampling_params expected = carom_impact_sampling_params_default();
    ck_assert_int_eq(params.samples, 12345);
    ck_assert_int_eq(params.trajectory_length, 7);
    assert_close(params.impulse_step, 0.2385, 0.0, 0.0);
    ck_assert_int_eq(params.distribution, expected.distribution);
    ck_assert_int_eq(params.selection, expected.selection);
    assert_close(params.final_step, expected.final_step, 0.0, 0.0);
    ck_assert_int_eq(params.most_branches, expected.most_branches);
    ck_assert_int_eq(params.facets, expected.facets);
    ck_assert_uint_eq(params.seed, 17);
    ck_assert_int_eq(params.workers.threads, 3);
    ck_assert(params.observer == NULL);
}

/** The options of a block so many times as heavy and as fast as the published one. */
static carom_impact_options scaled(double step, double mass, double speed) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    carom_impact_options values = carom_impact_options_default(1, 1, step);
    carom_impact_scene *published = NULL;
    carom_impact_scene *scene = NULL;
    assert_ok(carom_rigid_block_alloc(&block, &published, NULL));
    block.mass *= mass;
    block.initial_speed *= speed;
    assert_ok(carom_rigid_block_alloc(&block, &scene, NULL));
    assert_ok(carom_impact_options_scale(&values, scene, published, 0.3, NULL));
    carom_impact_scene_free(published);
    carom_impact_scene_free(scene);
    return values;
}

TEST(unit, a_step_that_is_not_given_grows_with_mass_and_speed) {
    // The published numbers themselves to the last digit.
    assert_close(scaled((double)NAN, 1.0, 1.0).impulse_step, 0.3, 0.0, 0.0);
    assert_close(scaled((double)NAN, 1.0, 1.0).covering_mass, 1.0, 0.0, 0.0);
    assert_close(scaled((double)NAN, 100.0, 1.0).impulse_step, 30.0, 1e-14, 0.0);
    assert_close(scaled((double)NAN, 1e-9, 7.0).impulse_step, 2.1e-9, 1e-14, 0.0);
    assert_close(scaled((double)NAN, 1e-9, 7.0).covering_mass, 1e-9, 1e-14, 0.0);
    assert_close(scaled(0.7, 100.0, 1.0).impulse_step, 0.7, 0.0, 0.0);
    // A block that rises strikes nothing, and still has a step.
    ck_assert(scaled((double)NAN, 1.0, -1.0).impulse_step > 0.0);
    // The sampling takes its own where there is none.
    const carom_impact_options none = carom_impact_options_default(1, 1, (double)NAN);
    const carom_common_options common = {.seed = 1};
    assert_close(carom_impact_options_params(&none, &common).impulse_step, 0.0, 0.0, 0.0);
}

TEST(unit, every_option_reaches_the_sampling) {
    carom_impact_options values = carom_impact_options_default(1, 1, 1.0);
    char *arguments[] = {"falling_box",         "--samples=4096",     "--trajectory-length=6",
                         "--impulse-step=0.25", "--sampling=simplex", "--selection=random",
                         "--final-step=3e-5",   "--branches=9",       "--seed=5",
                         "--threads=2"};
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 10, arguments, &common, &printed), CAROM_PARSE_RUN);
    const carom_impact_sampling_params params = carom_impact_options_params(&values, &common);
    ck_assert_int_eq(params.samples, 4096);
    ck_assert_int_eq(params.trajectory_length, 6);
    assert_close(params.impulse_step, 0.25, 0.0, 0.0);
    ck_assert_int_eq(params.distribution, CAROM_CAPS_SIMPLEX);
    ck_assert_int_eq(params.selection, CAROM_SELECTION_RANDOM);
    assert_close(params.final_step, 3e-5, 0.0, 0.0);
    ck_assert_int_eq(params.most_branches, 9);
    ck_assert_uint_eq(params.seed, 5);
    ck_assert_int_eq(params.workers.threads, 2);
    carom_options_clear(&common);
}

TEST(unit, the_tables_around_the_step_leave_out_the_step_alone) {
    const carom_option_table *all = &carom_impact_options_table;
    const carom_option_table *before = &carom_impact_options_before_step;
    const carom_option_table *after = &carom_impact_options_after_step;
    ck_assert_int_eq(before->count + 1 + after->count, all->count);
    ck_assert_ptr_eq(before->rows, all->rows);
    ck_assert_ptr_eq(after->rows, all->rows + before->count + 1);
    ck_assert_str_eq(all->rows[before->count].name, "impulse-step");
}

TEST(unit, every_choice_has_its_name) {
    const char *const samplings[] = {"uniform", "sobol", "simplex", "corners"};
    const int distributions[] = {CAROM_CAPS_UNIFORM, CAROM_CAPS_SOBOL, CAROM_CAPS_SIMPLEX,
                                 CAROM_CAPS_CORNERS};
    const char *const names[] = {"lemke",  "lemke-scaled", "lemke-random-cover",
                                 "random", "first",        "all"};
    const int selections[] = {
        CAROM_SELECTION_LEMKE,  CAROM_SELECTION_LEMKE_SCALED, CAROM_SELECTION_LEMKE_RANDOM_COVER,
        CAROM_SELECTION_RANDOM, CAROM_SELECTION_FIRST,        CAROM_SELECTION_ALL};
    for (int i = 0; i < 6; i++) {
        char sampling[64];
        char selection[64];
        snprintf(sampling, sizeof sampling, "--sampling=%s", samplings[i % 4]);
        snprintf(selection, sizeof selection, "--selection=%s", names[i]);
        carom_impact_options values = carom_impact_options_default(1, 1, 1.0);
        char *arguments[] = {"falling_box", sampling, selection};
        carom_common_options common;
        capture printed;
        ck_assert_int_eq(parse(&values, 3, arguments, &common, &printed), CAROM_PARSE_RUN);
        ck_assert_int_eq(values.sampling, distributions[i % 4]);
        ck_assert_int_eq(values.selection, selections[i]);
        carom_options_clear(&common);
    }
}

TEST(unit, the_help_tells_units) {
    carom_impact_options values = carom_impact_options_default(4096, 6, 0.25);
    char *arguments[] = {"falling_box", "--help"};
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 2, arguments, &common, &printed), CAROM_PARSE_DONE);
    assert_contains(CAPTURED_OUT(&printed), "--impulse-step");
    assert_contains(CAPTURED_OUT(&printed), "N s");
    assert_contains(CAPTURED_OUT(&printed),
                    "lemke|lemke-scaled|lemke-random-cover|random|first|all");
    carom_options_clear(&common);
}

TEST(errors, values_out_of_range_are_refused_by_name) {
    const char *const cases[][2] = {
        {"--samples=0", "--samples must lie in [1, 134217728], got 0"},
        {"--samples=1e3", "--samples must be a whole number, got \"1e3\""},
        {"--trajectory-length=-3", "--trajectory-length must lie in [1, 100000], got -3"},
        {"--impulse-step=0", "--impulse-step must be positive, got 0"},
        {"--impulse-step=inf", "--impulse-step must be finite, got inf"},
        {"--sampling=halton",
         "--sampling must be one of uniform|sobol|simplex|corners, got \"halton\""},
        {"--selection=best", "--selection must be one of lemke|lemke-scaled|lemke-random-cover|"
                             "random|first|all, got \"best\""},
        {"--final-step=-1e-3", "--final-step must not be negative, got -1e-3"},
        {"--branches=0", "--branches must be positive, got 0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_impact_options values = carom_impact_options_default(4096, 6, 0.25);
        char argument[64];
        char line[256];
        snprintf(argument, sizeof argument, "%s", cases[i][0]);
        snprintf(line, sizeof line, "falling_box: %s\n", cases[i][1]);
        char *arguments[] = {"falling_box", argument};
        carom_common_options common;
        capture printed;
        ck_assert_int_eq(parse(&values, 2, arguments, &common, &printed), CAROM_PARSE_REFUSED);
        ck_assert_str_eq(CAPTURED_ERR(&printed), line);
        carom_options_clear(&common);
    }
}

TEST(errors, combinations_without_a_meaning_are_refused) {
    carom_report report = carom_report_empty();
    carom_impact_options values = carom_impact_options_default(4096, 25, 0.25);
    assert_ok(carom_impact_options_check(&values, 64, 2, &report));
    values.selection = CAROM_SELECTION_RANDOM;
    assert_ok(carom_impact_options_check(&values, 5, 1, &report));
    assert_status(carom_impact_options_check(&values, 6, 1, &report), OUT_OF_RANGE);
    assert_close(report.value, 6.0, 0.0, 0.0);
    assert_contains(report.quantity, "--selection");
    assert_status(carom_impact_options_check(&values, 1, 2, &report), CONFLICT);
    assert_contains(report.sentence, "space");
    values.selection = CAROM_SELECTION_LEMKE;
    values.sampling = CAROM_CAPS_SOBOL;
    // 128 dimensions: 25 increments of 5 contacts fit, of 6 do not.
    assert_ok(carom_impact_options_check(&values, 5, 2, &report));
    assert_status(carom_impact_options_check(&values, 6, 2, &report), OUT_OF_RANGE);
    assert_close(report.value, 150.0, 0.0, 0.0);
    assert_contains(report.quantity, "sobol");
}

TEST(unit, laws_are_listed_with_hyphens_and_cut_to_fit) {
    char choices[64];
    carom_impact_options_list_laws(3, "all", sizeof choices, choices);
    ck_assert_str_eq(choices, "newton-moreau|anitescu-potra|sequential|all");
    carom_impact_options_list_laws(CAROM_IMPACT_LAW_COUNT, "all", 20, choices);
    ck_assert_str_eq(choices, "newton-moreau|anite");
}
