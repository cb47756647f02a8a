/* Sets in parts, and first samples that tell the limits of planes: the record is that of a set at
 * once. */
#include "../failing_malloc.h"
#include "recorded_impact.h"

#include <carom/study/internal.h>

enum { SAMPLES = 1237 };

/** How a set is sampled. */
typedef struct way {
    int parts;   /**< samples of a part; 0: at once */
    int pilot;   /**< samples that tell limits; 0: few, of other caps */
    int longest; /**< increments of a sample */
    int threads;
    int facets; /**< of a point mass between walls in space; 0: the block in the plane */
} way;

/** Planes of the block: one with limits, one without. */
static const carom_plane planes[] = {
    {"normal_AB", 0, 1, -0.5, 0.15, -0.5, 0.15},
    {"contact_A", 0, 2, NAN, NAN, NAN, NAN},
};

/* Samples of a part that were told. */
static carom_status count_samples(const carom_impact_samples *part, void *context,
                                  carom_report *report) {
    (void)report;
    int *told = context;
    // Samples are numbered through all parts.
    ck_assert_int_eq(part->sample[0], *told);
    *told += part->count;
    return CAROM_OK;
}

/* The record of a whole study; bytes [size]. */
static size_t record_study(const way *how, char *bytes, size_t size) {
    carom_impact_problem *problem = how->facets > 0 ? make_spatial() : make_block();
    record_scene scene = scene_begin();
    const carom_impact_options options = carom_impact_options_default(SAMPLES, how->longest, 0.3);
    const carom_common_options common = {
        .seed = 3, .workers.threads = how->threads, .is_quiet = true};
    int told = 0;
    const carom_impact_study study = {
        .target = {scene.record, problem, NULL},
        .options = &options,
        .common = &common,
        .facets = how->facets,
        .plane_count = 2,
        .planes = planes,
        .pilot_samples = how->pilot,
        .part_samples = how->parts,
        .watch = {.tell = count_samples, .context = &told, .has_maps = how->parts % 2 == 0},
    };
    carom_impact_study_results results;
    assert_ok(carom_impact_study_run(&study, &results, NULL));
    ck_assert_int_eq(told, SAMPLES);
    ck_assert((results.samples == NULL) == (how->parts > 0));
    carom_impact_study_results_clear(&results);
    const size_t length = scene_end_with_bytes(&scene, bytes, size);
    carom_impact_problem_free(problem);
    return length;
}

/* Whether both ways write the same. */
static void check_same(const way *at_once, const way *in_parts) {
    static char whole[1 << 20];
    static char parts[1 << 20];
    const size_t length = record_study(at_once, whole, sizeof whole);
    ck_assert(length > 0 && length < sizeof whole);
    ck_assert_uint_eq(record_study(in_parts, parts, sizeof parts), length);
    for (size_t i = 0; i < length; i++) {
        ck_assert_msg(parts[i] == whole[i], "parts of %d after %d differ from byte %zu on",
                      in_parts->parts, in_parts->pilot, i);
    }
}

static const int PARTS[] = {1, 61, 100, 256, 1236, SAMPLES, 5000};

LOOP_TEST(property, a_set_in_parts_is_the_set_at_once_to_the_last_bit, 7) {
    const way at_once = {.longest = 10, .threads = 2};
    way in_parts = at_once;
    in_parts.parts = PARTS[_i];
    check_same(&at_once, &in_parts);
}

/** At once they are sampled by themselves, on one thread, and in parts they are the first of the
 * set. */
LOOP_TEST(property, first_samples_that_tell_limits_are_those_of_the_set, 6) {
    static const way ways[] = {
        {.parts = 100, .pilot = 300, .longest = 10, .threads = 1},
        {.parts = 100, .pilot = 300, .longest = 10, .threads = 2},
        {.parts = 500, .pilot = 61, .longest = 10, .threads = 2},
        {.parts = 100, .pilot = SAMPLES, .longest = 10, .threads = 2},
        {.parts = 100, .pilot = 5000, .longest = 10, .threads = 4},
        {.parts = 100, .pilot = 300, .longest = 60, .threads = 2, .facets = 4},
    };
    way at_once = ways[_i];
    at_once.parts = 0;
    check_same(&at_once, &ways[_i]);
}

/** Paths so long that there might be no room for them. */
TEST(property, first_samples_without_room_for_their_paths_are_sampled_again) {
    const way in_parts = {.parts = 100, .pilot = SAMPLES, .longest = 3500, .threads = 2};
    way at_once = in_parts;
    at_once.parts = 0;
    check_same(&at_once, &in_parts);
}

TEST(errors, every_failing_allocation_ends_the_sampling) {
    carom_impact_problem *block = make_block();
    const carom_impact_options options = carom_impact_options_default(4, 10, 0.3);
    const carom_common_options common = {.workers.threads = 1, .is_quiet = true};
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    // Until all that is not HDF5 is there.
    for (int k = 0; status != CAROM_OK && k < 100000; k += k < 150 ? 1 : 97) {
        record_scene scene = scene_begin();
        const carom_impact_study study = {.target = {scene.record, block, NULL},
                                          .options = &options,
                                          .common = &common,
                                          .plane_count = 2,
                                          .planes = planes,
                                          .pilot_samples = 2,
                                          .part_samples = 1};
        carom_impact_study_results results = {.simultaneous = NULL};
        assert_ok(carom_impact_record_before(&study.target));
        successes_left = k;
        status = carom_impact_study_sample(&study, &results, NULL);
        successes_left = -1;
        status = status == CAROM_OK ? carom_record_status(scene.record) : status;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY ||
                  status == CAROM_STATUS_IO);
        carom_impact_study_results_clear(&results);
        carom_record_discard(scene.record);
        scene.record = NULL;
        scene_end(&scene);
    }
    ck_assert_int_eq(status, CAROM_OK);
    carom_impact_problem_free(block);
}
