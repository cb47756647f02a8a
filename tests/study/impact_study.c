#include "../failing_malloc.h"
#include "recorded_impact.h"

#include <carom/study/internal.h>

/** Largest separating speed of the block's set, e(1-e) v0 with e = 0.7 (specification 3.1). */
static const double block_rise = 0.7 * 0.3 * 0.44294469180700204;

/** Planes of the block: one with limits, one without. */
static const carom_plane planes[] = {
    {"normal_AB", 0, 1, -0.5, 0.15, -0.5, 0.15},
    {"contact_A", 0, 2, NAN, NAN, NAN, NAN},
};

/** A study of a problem into a scene. */
static carom_impact_study make_study(const record_scene *scene, const carom_impact_problem *problem,
                                     const carom_impact_options *options,
                                     const carom_common_options *common) {
    const carom_impact_study study = {
        .target = {scene->record, problem, NULL},
        .options = options,
        .common = common,
        .plane_count = 2,
        .planes = planes,
    };
    return study;
}

TEST(unit, the_block_gets_all_its_groups) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(2000, 10, 0.3);
    const carom_common_options common = {.seed = 3, .workers.threads = 2, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    scene_read(&scene);

    // Anitescu and Potra's law brings the block to rest; rounding of a few operations.
    assert_close(number_at(&scene, "/simultaneous/count"), 1.0, 0.0, 0.0);
    assert_shape(&scene, "/simultaneous/velocity", 1, 3, "m s-1");
    assert_close(number_at(&scene, "/simultaneous/kinetic_energy[0]"), 0.0, 0.0, 1e-15);

    // One corner after the other: the first is at rest, then thrown up while the other sticks.
    assert_close(number_at(&scene, "/sequential/A_first/stage_count"), 2.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/A_first/contact[0]"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/A_first/normal_velocity[0,1]"), -0.3 * block_speed,
                 1e-12, 0.0);
    assert_close(number_at(&scene, "/sequential/A_first/normal_velocity[1,0]"), block_rise, 1e-12,
                 0.0);
    assert_close(number_at(&scene, "/sequential/B_first/normal_velocity[1,1]"), block_rise, 1e-12,
                 0.0);

    // Every sample ends on one of the two segments of the outcome set.
    assert_shape(&scene, "/set/normal_velocity", 2000, 2, "m s-1");
    assert_close(number_at(&scene, "/set/fraction_finished"), 1.0, 0.0, 0.0);
    for (int i = 0; i < results.samples->count; i++) {
        const double *c = results.samples->contact_velocity + 4 * i;
        // Nine digits as the specification asks; the colliding threshold is 1e-8 m/s.
        assert_close(fmin(fabs(c[0]), fabs(c[1])), 0.0, 0.0, 1e-8);
        ck_assert(fmax(c[0], c[1]) <= block_rise + 1e-9);
    }
    // Specification 5.2: mean 2.4701; its histogram has the standard deviation 0.779, so that the
    // standard error of 2000 samples is 0.0174, and that of the share 0.3315 is 0.0105. Four of
    // each.
    assert_close(number_at(&scene, "/set/mean_increments"), 2.4701, 0.0, 4.0 * 0.0174);
    assert_close(number_at(&scene, "/set/mean_increments_standard_error"), 0.0174, 0.1, 0.0);
    assert_close(number_at(&scene, "/set/modes/SS"), 0.3315, 0.0, 4.0 * 0.0105);

    // Specification 5.4, as printed there.
    assert_close(number_at(&scene, "/bounds/psi"), 22.73656, 0.0, 5e-6);
    assert_close(number_at(&scene, "/bounds/theorem_8_count"), 64.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/bounds/unit_free_count"), 18.0, 0.0, 0.0);
    ck_assert(results.has_bounds && results.has_covering);

    assert_shape(&scene, "/simultaneous/distance", 1, 1, "m s-1");
    ck_assert(number_at(&scene, "/sequential/A_first/distance") <= 0.02);
    assert_close(number_at(&scene, "/coverage/probe_count"), 2000.0, 0.0, 0.0);
    carom_impact_study_results_clear(&results);
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

/* What is computed of the samples, with and without them in the record. */
TEST(property, statistics_need_no_samples_in_the_record) {
    static const char *const numbers[] = {"/set/count",
                                          "/set/mean_increments",
                                          "/set/mean_increments_standard_error",
                                          "/set/fraction_finished",
                                          "/set/mean_kinetic_energy",
                                          "/set/increment_histogram[3]",
                                          "/set/normal_velocity_max[1]",
                                          "/set/tangential_velocity_min[0]",
                                          "/set/modes/SS",
                                          "/set/modes/count[1]",
                                          "/set/points/normal_AB/x[5]",
                                          "/coverage/radius",
                                          "/coverage/mean",
                                          "/coverage/root_square",
                                          "/simultaneous/distance[0]",
                                          "/sequential/A_first/distance"};
    enum { NUMBERS = sizeof numbers / sizeof numbers[0] };
    double found[2][NUMBERS];
    for (int keep = 0; keep < 2; keep++) {
        carom_impact_problem *block = make_block();
        record_scene scene = scene_begin();
        const carom_impact_options options = carom_impact_options_default(700, 10, 0.3);
        const carom_common_options common = {
            .seed = 3, .workers.threads = 2, .is_quiet = true, .keep = keep};
        carom_impact_study study = make_study(&scene, block, &options, &common);
        study.part_samples = keep == 1 ? 128 : 0;
        carom_impact_study_results results;
        assert_ok(carom_impact_study_run(&study, &results, NULL));
        carom_impact_study_results_clear(&results);
        scene_read(&scene);
        for (int i = 0; i < NUMBERS; i++) {
            found[keep][i] = number_at(&scene, numbers[i]);
        }
        double sample = 0.0;
        const carom_status status = carom_reader_number(scene.reader, "/set/impulse[0]", &sample);
        ck_assert((status == CAROM_OK) == (keep == 0));
        scene_end(&scene);
        carom_impact_problem_free(block);
    }
    ck_assert_mem_eq(found[0], found[1], sizeof found[0]);
}

/* Increasing. */
static int compare_reals(const void *a, const void *b) {
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

TEST(property, quantiles_are_those_of_sorted_samples) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(900, 10, 0.3);
    const carom_common_options common = {
        .seed = 3, .workers.threads = 2, .is_quiet = true, .keep = 1};
    carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    scene_read(&scene);
    const carom_impact_samples *s = results.samples;
    ck_assert_int_eq(s->count, 900);
    const int ranks[] = {9, 45, 225, 450, 675, 855, 891}; // 0.01 to 0.99 of 900
    double sorted[3][900];                                // energy, normal speed of B, slip of A
    for (int i = 0; i < 900; i++) {
        ck_assert_int_eq(s->is_finished[i], 1);
        sorted[0][i] = s->kinetic_energy[i];
        sorted[1][i] = s->contact_velocity[4 * i + 1];
        sorted[2][i] = s->contact_velocity[4 * i + 2];
    }
    const char *const paths[] = {"kinetic_energy[%d]", "normal_velocity[%d,1]",
                                 "tangential_velocity[%d,0]"};
    const double largest[] = {block->kinetic_energy, block->speed_scale[1], block->speed_scale[2]};
    for (int k = 0; k < 3; k++) {
        qsort(sorted[k], 900, sizeof(double), compare_reals);
        for (int j = 0; j < 7; j++) {
            char path[64] = "/set/quantiles/";
            snprintf(path + strlen(path), sizeof path - strlen(path), paths[k], j);
            // Half of one of 512 cells.
            assert_close(number_at(&scene, path), sorted[k][ranks[j] - 1], 0.0,
                         largest[k] / 1024.0);
        }
    }
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, the_covering_radius_is_that_of_all_pairs) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(300, 10, 0.3);
    const carom_common_options common = {.seed = 11, .workers.threads = 1, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    // Probes are the samples of the next seed: all distances by themselves.
    carom_common_options other = common;
    other.seed = 12;
    const carom_impact_sampling_params params = carom_impact_options_params(&options, &other);
    carom_impact_samples *probes = NULL;
    assert_ok(carom_impact_sample(block, &params, &probes, NULL));
    double radius = 0.0;
    for (int i = 0; i < probes->count; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < results.samples->count; j++) {
            double square = 0.0;
            for (int k = 0; k < 4; k++) {
                square += pow(probes->contact_velocity[4 * i + k] -
                                  results.samples->contact_velocity[4 * j + k],
                              2.0);
            }
            nearest = fmin(nearest, sqrt(square));
        }
        radius = fmax(radius, nearest);
    }
    scene_read(&scene);
    // The same sums in the same order, up to the last digit.
    assert_close(number_at(&scene, "/coverage/radius"), radius, 1e-14, 0.0);
    carom_impact_samples_free(probes);
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, open_planes_hold_the_paths) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(500, 10, 0.3);
    const carom_common_options common = {.seed = 5, .workers.threads = 2, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results = {.simultaneous = NULL};
    assert_ok(carom_impact_record_before(&study.target));
    assert_ok(carom_impact_study_sample(&study, &results, NULL));
    scene_read(&scene);
    // All speeds of A from the fall to the highest outcome, sliding never occurs.
    const double low = number_at(&scene, "/set/paths/contact_A/x_min");
    const double high = number_at(&scene, "/set/paths/contact_A/x_max");
    ck_assert(low < -block_speed && low > -1.2 * block_speed);
    ck_assert(high > number_at(&scene, "/set/normal_velocity_max[0]") && high < 0.3);
    ck_assert(number_at(&scene, "/set/paths/contact_A/y_min") < 0.0);
    ck_assert(number_at(&scene, "/set/paths/contact_A/y_max") > 0.0);
    assert_close(number_at(&scene, "/set/paths/normal_AB/x_max"), 0.15, 0.0, 0.0);
    // The lowest path point of A is the velocity before: in its cell, and no lower.
    assert_close(number_at(&scene, "/set/paths/contact_A/x[0]"), -block_speed, 0.0,
                 (high - low) / CAROM_PLANE_CELLS);
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, a_velocity_that_separates_is_returned_unchanged) {
    carom_impact_problem *block = make_block();
    const double v[] = {0.3, 0.25, 0.0};
    assert_ok(carom_impact_problem_set_velocity(block, v));
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(20, 10, 0.3);
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    scene_read(&scene);
    assert_close(number_at(&scene, "/before/is_colliding"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/mean_increments"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/set/final_velocity[19,0]"), 0.3, 0.0, 0.0);
    assert_close(number_at(&scene, "/simultaneous/velocity[0,1]"), 0.25, 0.0, 0.0);
    assert_close(number_at(&scene, "/sequential/A_first/stage_count"), 0.0, 0.0, 0.0);
    assert_close(number_at(&scene, "/coverage/radius"), 0.0, 0.0, 0.0);
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(unit, spatial_problems_are_studied_too) {
    carom_impact_problem *problem = make_spatial();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(200, 20, 2.0);
    const carom_common_options common = {.workers.threads = 2, .is_quiet = true};
    carom_impact_study study = make_study(&scene, problem, &options, &common);
    study.facets = 6;
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    scene_read(&scene);
    assert_shape(&scene, "/set/tangential_velocity", 200, 4, "m s-1");
    // Each wall stops the normal speed of the point mass, the other's friction aside.
    ck_assert(number_at(&scene, "/simultaneous/normal_velocity[0,0]") >= -1e-9);
    ck_assert(number_at(&scene, "/simultaneous/normal_velocity[0,1]") >= -1e-9);
    assert_close(number_at(&scene, "/bounds/is_available"), 1.0, 0.0, 0.0);
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(problem);
}

TEST(errors, a_jammed_configuration_has_no_bounds_but_a_set) {
    carom_impact_problem *wedged = make_wedged();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(50, 8, 0.5);
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, wedged, &options, &common);
    carom_impact_study_results results;
    carom_report report = carom_report_empty();
    assert_ok(carom_impact_study_run(&study, &results, &report));
    ck_assert(!results.has_bounds);
    ck_assert_ptr_null(report.quantity);
    scene_read(&scene);
    assert_close(number_at(&scene, "/bounds/is_available"), 0.0, 0.0, 0.0);
    assert_absent(&scene, "/bounds/psi");
    assert_shape(&scene, "/set/final_velocity", 50, 2, "m s-1");
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(wedged);
}

/** What a law writes, and a data set of it. */
typedef struct written {
    carom_impact_law_id law;
    const char *path;
} written;

TEST(unit, every_law_is_written_as_its_group) {
    const written expected[] = {
        {CAROM_IMPACT_LAW_NEWTON_MOREAU, "/newton_moreau/kinetic_energy"},
        {CAROM_IMPACT_LAW_ANITESCU_POTRA, "/simultaneous/kinetic_energy"},
        {CAROM_IMPACT_LAW_SEQUENTIAL, "/sequential/A_first/kinetic_energy"},
        {CAROM_IMPACT_LAW_PROPAGATIVE, "/propagative/outcome_00/kinetic_energy"},
        {CAROM_IMPACT_LAW_COMPLIANT, "/compliant/kinetic_energy"},
        {CAROM_IMPACT_LAW_ROUTH, "/routh/B/kinetic_energy"},
        {CAROM_IMPACT_LAW_INCLUSION, "/inclusion/equal/kinetic_energy"},
    };
    carom_impact_problem *block = make_block();
    block->friction[0] = 0.0;
    block->friction[1] = 0.0;
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(20, 10, 0.3);
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results = {.simultaneous = NULL};
    carom_impact_law_params params = carom_impact_study_params(&study);
    assert_ok(carom_impact_record_before(&study.target));
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_ok(carom_impact_study_apply(&study, expected[i].law, NULL, &results, NULL));
        ck_assert_ptr_nonnull(results.results[expected[i].law]);
    }
    params.orders = CAROM_SEQUENTIAL_PERMUTATIONS;
    assert_ok(
        carom_impact_study_apply(&study, CAROM_IMPACT_LAW_SEQUENTIAL, &params, &results, NULL));
    scene_read(&scene);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s[0]", expected[i].path);
        const bool is_scalar = expected[i].law == CAROM_IMPACT_LAW_PROPAGATIVE;
        ck_assert(number_at(&scene, is_scalar ? expected[i].path : path) >= 0.0);
    }
    ck_assert(number_at(&scene, "/sequential/A_B/finished") >= 0.0);
    carom_impact_study_results_clear(&results);
    scene_end(&scene);
    carom_impact_problem_free(block);
}

/** The bytes of a study. */
static size_t bytes_of_study(int threads, char *bytes, size_t size) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    carom_impact_options options = carom_impact_options_default(3000, 10, 0.3);
    options.selection = CAROM_SELECTION_LEMKE_RANDOM_COVER;
    const carom_common_options common = {.seed = 9, .workers.threads = threads, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    carom_impact_study_results_clear(&results);
    const size_t length = scene_end_with_bytes(&scene, bytes, size);
    carom_impact_problem_free(block);
    return length;
}

TEST(property, the_record_is_the_same_for_one_two_and_four_threads) {
    static char serial[1 << 20];
    static char parallel[1 << 20];
    const size_t length = bytes_of_study(1, serial, sizeof serial);
    ck_assert(length > 0 && length < sizeof serial);
    for (int threads = 2; threads <= 4; threads += 2) {
        ck_assert_uint_eq(bytes_of_study(threads, parallel, sizeof parallel), length);
        ck_assert_mem_eq(parallel, serial, length);
    }
}

TEST(errors, refused_parameters_say_where) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    carom_impact_options options = carom_impact_options_default(10, 10, 0.3);
    options.samples = 0;
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results = {.simultaneous = NULL};
    carom_report report = carom_report_empty();
    assert_status(carom_impact_study_sample(&study, &results, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.context, "sampling");
    carom_impact_study_results_clear(&results);
    options.impulse_step = -1.0;
    assert_status(carom_impact_study_bounds(&study, &results, &report), OUT_OF_RANGE);
    carom_record_discard(scene.record);
    scene.record = NULL;
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(errors, a_set_without_a_finished_sample_is_none) {
    carom_impact_problem *block = make_block();
    record_scene scene = scene_begin();
    // One increment of a thousandth of what the impact takes.
    const carom_impact_options options = carom_impact_options_default(50, 1, 3e-4);
    const carom_common_options common = {
        .workers.threads = 1, .is_quiet = true, .program = "study"};
    const carom_impact_study study = make_study(&scene, block, &options, &common);
    carom_impact_study_results results = {.simultaneous = NULL};
    carom_report report = carom_report_empty();
    assert_ok(carom_impact_record_before(&study.target));
    assert_status(carom_impact_study_sample(&study, &results, &report), NOT_CONVERGED);
    ck_assert_ptr_nonnull(strstr(report.sentence, "none of 50 samples finished"));
    carom_impact_study_results_clear(&results);
    carom_record_discard(scene.record);
    scene.record = NULL;
    scene_end(&scene);
    carom_impact_problem_free(block);
}

TEST(errors, every_failing_allocation_ends_the_study) {
    carom_impact_problem *block = make_block();
    const carom_impact_options options = carom_impact_options_default(4, 10, 0.3);
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int k = 0;
    // All of the first, then one in 97, so that the suite stays quick: HDF5 allocates often.
    for (; status != CAROM_OK && k < 100000; k += k < 150 ? 1 : 97) {
        record_scene scene = scene_begin();
        const carom_impact_study study = make_study(&scene, block, &options, &common);
        carom_impact_study_results results = {.simultaneous = NULL};
        carom_report report = carom_report_empty();
        assert_ok(carom_impact_record_before(&study.target));
        successes_left = k;
        status = carom_impact_study_sample(&study, &results, &report);
        if (status == CAROM_OK) {
            status = carom_impact_study_coverage(&study, &results, &report);
        }
        successes_left = -1;
        status = status == CAROM_OK ? carom_record_status(scene.record) : status;
        ck_assert_msg(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY ||
                          status == CAROM_STATUS_IO,
                      "%s after %d allocations", carom_status_name(status), k);
        carom_impact_study_results_clear(&results);
        carom_record_discard(scene.record);
        scene.record = NULL;
        scene_end(&scene);
    }
    ck_assert_int_eq(status, CAROM_OK);
    carom_impact_problem_free(block);
}
