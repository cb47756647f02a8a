/* Rows that come in blocks: the same record as rows that are written at once. */
#include <carom/record/internal.h>

#include "../failing_malloc.h"
#include "scratch.h"

#include <carom/timestepping/internal.h>
#include <hdf5_hl.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { CHUNK = CAROM_RECORD_CHUNK_ROWS, ROWS = 3 * CHUNK + 417, UNKNOWN = 0 };

static const carom_mechanism mechanism = {.name = "pendulum",
                                          .coordinate_count = 2,
                                          .joint_count = 1,
                                          .contact_count = 3,
                                          .position_units = "m, rad",
                                          .velocity_units = "m s-1, rad s-1"};

/* A trajectory from row `first` of the run on: every entry has a number of its own. */
static void fill(carom_trajectory *t, int first, int count) {
    t->row_count = count;
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; ++c) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        void *values = (void *)carom_trajectory_values(t, column);
        const int length = carom_trajectory_length(t, column->axis);
        for (int i = 0; values != NULL && i < count * length; ++i) {
            const int number = 1000000 * c + first * length + i;
            if (column->is_integer) {
                ((int *)values)[i] = number;
            } else {
                ((double *)values)[i] = 0.137 * number;
            }
        }
    }
}

static carom_trajectory *make_trajectory(int capacity) {
    carom_trajectory *made = NULL;
    assert_ok(carom_trajectory_alloc(&mechanism, CAROM_TRAJECTORY_NONSMOOTH, capacity, &made));
    return made;
}

/* One impact. */
typedef struct impact {
    double time;
    int contact;
    double speed[3];
    bool is_plastic;
} impact;

static const carom_field fields[] = {
    CAROM_FIELD("time", impact, time, "s", "time of the impact"),
    CAROM_FIELD("contact", impact, contact, "1", "contact that closes"),
    CAROM_FIELD_ARRAY("speed", impact, speed, "component", "m s-1", "speed; NaN: not known"),
    CAROM_FIELD("plastic", impact, is_plastic, "1", "1: plastic"),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static void fill_impacts(impact *impacts, int first, int count) {
    for (int i = 0; i < count; ++i) {
        const int k = first + i;
        impacts[i] = (impact){0.291 * k, k % 7, {k + 0.25, 2.385 * k, (double)NAN}, k % 3 == 0};
    }
}

/* Sizes of blocks: all of one size, or random ones, which get shorter, at last of one row. */
typedef struct cuts {
    int most;
    gsl_rng *generator; /* NULL: of one size */
} cuts;

static int next_cut(const cuts *blocks, int left) {
    const int size =
        blocks->generator == NULL ? blocks->most : 1 + (int)uniform(blocks->generator, 0.0, left);
    return size < left ? size : left;
}

/* A run and its impacts in blocks, into a record of this name. */
static void write_blocks(const char *name, int total, const cuts *blocks, carom_status outcome) {
    carom_record *record = scratch_record(name);
    carom_trajectory *block = make_trajectory(blocks->most);
    impact *impacts = calloc((size_t)blocks->most, sizeof *impacts);
    carom_record run = carom_record_group(record, "/case/run");
    carom_record hits = carom_record_group(&run, "impacts");
    carom_recorder rows = carom_recorder_begin(&run, "time", total);
    for (int first = 0, count = 0; first < ROWS; first += count) {
        count = next_cut(blocks, ROWS - first);
        fill(block, first, count);
        block->outcome = first + count == ROWS ? outcome : CAROM_OK;
        carom_recorder_append_trajectory(&rows, &mechanism, block);
        ck_assert_int_eq(rows.row_count, first + count);
    }
    carom_recorder_end(&rows);
    carom_record_index_axis(&hits, "component", 3, "component");
    rows = carom_recorder_begin(&hits, "time", total);
    for (int first = 0, count = 0; first < ROWS; first += count) {
        count = next_cut(blocks, ROWS - first);
        fill_impacts(impacts, first, count);
        carom_recorder_append_rows(&rows, impacts, count, sizeof *impacts, fields, FIELDS);
    }
    carom_recorder_end(&rows);
    free(impacts);
    carom_trajectory_free(block);
    assert_ok(carom_record_commit(record, NULL));
}

/* The same from memory, by the calls for whole arrays. */
static void write_whole(const char *name, carom_status outcome) {
    carom_record *record = scratch_record(name);
    carom_trajectory *all = make_trajectory(ROWS);
    impact *impacts = calloc(ROWS, sizeof *impacts);
    carom_record run = carom_record_group(record, "/case/run");
    carom_record hits = carom_record_group(&run, "impacts");
    fill(all, 0, ROWS);
    all->outcome = outcome;
    carom_record_trajectory(&run, &mechanism, all);
    carom_record_index_axis(&hits, "component", 3, "component");
    fill_impacts(impacts, 0, ROWS);
    carom_record_rows(&hits, "time", impacts, ROWS, sizeof *impacts, fields, FIELDS);
    free(impacts);
    carom_trajectory_free(all);
    assert_ok(carom_record_commit(record, NULL));
}

/* Two records that are compared, and data sets met. */
typedef struct pair {
    carom_reader *readers[2];
    hid_t files[2];
    int count;
} pair;

static void assert_same_text(const pair *both, const char *path, const char *attribute) {
    char name[SCRATCH_PATH_SIZE];
    char texts[2][SCRATCH_PATH_SIZE];
    snprintf(name, sizeof name, "/%s@%s", path, attribute);
    for (int k = 0; k < 2; ++k) {
        assert_ok(carom_reader_text(both->readers[k], name, sizeof texts[k], texts[k]));
    }
    ck_assert_str_eq(texts[0], texts[1]);
}

/* Every axis of the one has its scale in the other, of the same name. */
static void assert_same_scales(const pair *both, const char *path, int rank) {
    for (unsigned axis = 0; axis < (unsigned)rank; ++axis) {
        char labels[2][64] = {"", ""};
        int scales[2] = {0, 0};
        for (int k = 0; k < 2; ++k) {
            const hid_t dataset = H5Dopen2(both->files[k], path, H5P_DEFAULT);
            scales[k] = H5DSget_num_scales(dataset, axis) + 100 * H5DSis_scale(dataset);
            H5DSget_label(dataset, axis, labels[k], sizeof labels[k]);
            H5Dclose(dataset);
        }
        ck_assert_int_eq(scales[0], scales[1]);
        ck_assert_int_ge(scales[0], 1);
        ck_assert_str_eq(labels[0], labels[1]);
    }
}

static herr_t assert_same_object(hid_t file, const char *path, const H5O_info_t *information,
                                 void *context) {
    pair *both = context;
    (void)file;
    if (information->type != H5O_TYPE_DATASET) {
        return 0;
    }
    char name[SCRATCH_PATH_SIZE];
    carom_dataset values[2];
    snprintf(name, sizeof name, "/%s", path);
    for (int k = 0; k < 2; ++k) {
        assert_ok(carom_reader_dataset(both->readers[k], name, &values[k]));
    }
    ck_assert_int_eq(values[0].rank, values[1].rank);
    ck_assert_int_eq(values[0].rows, values[1].rows);
    ck_assert_int_eq(values[0].columns, values[1].columns);
    const size_t size =
        (size_t)values[0].rows * (size_t)values[0].columns * sizeof *values[0].values;
    ck_assert_msg(memcmp(values[0].values, values[1].values, size) == 0, "%s differs", name);
    assert_same_text(both, path, "units");
    assert_same_text(both, path, "long_name");
    assert_same_scales(both, path, values[0].rank);
    carom_dataset_clear(&values[0]);
    carom_dataset_clear(&values[1]);
    both->count++;
    return 0;
}

/* Both records hold the same data sets, with what is said of them. */
static void assert_same_data(const char *a, const char *b) {
    const char *const names[2] = {a, b};
    pair both = {.count = 0};
    for (int k = 0; k < 2; ++k) {
        char path[SCRATCH_PATH_SIZE];
        both.readers[k] = scratch_open(names[k]);
        both.files[k] = H5Fopen(scratch_path(names[k], path), H5F_ACC_RDONLY, H5P_DEFAULT);
        ck_assert_int_ge(both.files[k], 0);
    }
    for (int k = 0; k < 2; ++k) {
        both.count = 0;
        H5Ovisit(both.files[k], H5_INDEX_NAME, H5_ITER_INC, assert_same_object, &both);
        /* 15 columns of the trajectory but the force, time, 3 integers, 3 axes; 4 of the impacts.
         */
        ck_assert_int_eq(both.count, 14 + 3 + 3 + 1 + 4);
    }
    for (int k = 0; k < 2; ++k) {
        carom_reader_close(both.readers[k]);
        H5Fclose(both.files[k]);
    }
}

static const int SIZES[] = {61, 417, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, ROWS};
enum { SIZE_COUNT = sizeof SIZES / sizeof SIZES[0] };

/* Blocks of one size, or, from SIZE_COUNT on, of random ones. */
static cuts make_cuts(int i) {
    const bool is_random = i >= SIZE_COUNT;
    return (cuts){.most = is_random ? ROWS : SIZES[i],
                  .generator = is_random ? seeded_generator(20485 + (unsigned long)i) : NULL};
}

static void free_cuts(const cuts *blocks) {
    if (blocks->generator != NULL) {
        gsl_rng_free(blocks->generator);
    }
}

LOOP_TEST(property, announced_rows_are_the_same_bytes_in_any_blocks, SIZE_COUNT + 4) {
    const cuts blocks = make_cuts(_i);
    write_whole("whole.h5", CAROM_OK);
    write_blocks("blocks.h5", ROWS, &blocks, CAROM_OK);
    assert_same_bytes("whole.h5", "blocks.h5");
    free_cuts(&blocks);
}

LOOP_TEST(property, growing_rows_are_the_same_data_in_any_blocks, SIZE_COUNT + 4) {
    const cuts blocks = make_cuts(_i);
    const carom_status outcome = _i % 2 == 0 ? CAROM_OK : CAROM_STATUS_NOT_CONVERGED;
    write_whole("whole.h5", outcome);
    write_blocks("blocks.h5", UNKNOWN, &blocks, outcome);
    assert_same_data("whole.h5", "blocks.h5");
    free_cuts(&blocks);
}

LOOP_TEST(property, growing_rows_are_the_same_bytes_in_any_blocks, SIZE_COUNT + 4) {
    const cuts blocks = make_cuts(_i);
    const cuts one = {.most = ROWS};
    write_blocks("one.h5", UNKNOWN, &one, CAROM_OK);
    write_blocks("blocks.h5", UNKNOWN, &blocks, CAROM_OK);
    assert_same_bytes("one.h5", "blocks.h5");
    free_cuts(&blocks);
}

TEST(unit, the_description_says_that_a_run_failed_in_a_later_block) {
    const cuts blocks = {.most = CHUNK};
    write_blocks("blocks.h5", UNKNOWN, &blocks, CAROM_STATUS_NOT_CONVERGED);
    carom_reader *reader = scratch_open("blocks.h5");
    char text[128];
    assert_ok(carom_reader_text(reader, "/case/run/gap@long_name", sizeof text, text));
    ck_assert_str_eq(text, "gap g, negative in penetration; NaN after the step that failed");
    carom_reader_close(reader);
}

/* A body whose three velocities are those of a unit quaternion. */
TEST(unit, positions_beside_velocities_have_an_axis_and_names_of_their_own) {
    static const int rotations[] = {0};
    const carom_mechanism body = {.name = "body",
                                  .coordinate_count = 3,
                                  .rotation_count = 1,
                                  .rotations = rotations,
                                  .differences = CAROM_MECHANISM_STIFFNESS,
                                  .position_units = "1",
                                  .position_names = "p_w, p_x, p_y, p_z",
                                  .velocity_units = "rad s-1"};
    carom_trajectory *run = NULL;
    assert_ok(carom_trajectory_alloc(&body, CAROM_TRAJECTORY_NONSMOOTH, 5, &run));
    fill(run, 0, 5);
    carom_record *record = scratch_record("body.h5");
    carom_record_trajectory(record, &body, run);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("body.h5");
    char text[128];
    assert_ok(carom_reader_text(reader, "/position@names", sizeof text, text));
    ck_assert_str_eq(text, "p_w, p_x, p_y, p_z");
    assert_ok(carom_reader_text(reader, "/@differences", sizeof text, text));
    ck_assert_str_eq(text, "stiffness");
    carom_reader_close(reader);
    carom_trajectory_free(run);
}

TEST(unit, without_rows_nothing_is_written) {
    scratch_make_record("plain.h5", 1.0);
    carom_record *record = scratch_record("rows.h5");
    scratch_fill(record, 1.0);
    carom_recorder rows = carom_recorder_begin(record, "time", UNKNOWN);
    carom_recorder_append_rows(&rows, NULL, 0, sizeof(impact), fields, FIELDS);
    carom_recorder_end(&rows);
    assert_ok(carom_record_commit(record, NULL));
    assert_same_bytes("plain.h5", "rows.h5");
}

TEST(property, a_million_rows_need_the_memory_of_a_chunk) {
    enum { BLOCK = 777, BLOCKS = 1288 };
    static impact impacts[BLOCK];
    carom_record *record = scratch_record("rows.h5");
    carom_trajectory *block = make_trajectory(BLOCK);
    carom_record_index_axis(record, "component", 3, "component");
    carom_record run = carom_record_group(record, "/run");
    carom_recorder hits = carom_recorder_begin(record, "time", UNKNOWN);
    carom_recorder rows = carom_recorder_begin(&run, "time", UNKNOWN);
    largest_allocation = 0;
    for (int i = 0; i < BLOCKS; ++i) {
        fill_impacts(impacts, i * BLOCK, BLOCK);
        carom_recorder_append_rows(&hits, impacts, BLOCK, sizeof impacts[0], fields, FIELDS);
    }
    ck_assert_uint_gt(largest_allocation, 0);
    ck_assert_uint_le(largest_allocation, CHUNK * 3 * sizeof(double));
    fill(block, 0, BLOCK);
    carom_recorder_append_trajectory(&rows, &mechanism, block);
    allocations = 0;
    fill(block, BLOCK, BLOCK);
    carom_recorder_append_trajectory(&rows, &mechanism, block);
    ck_assert_int_eq(allocations, 0);
    carom_recorder_end(&rows);
    carom_recorder_end(&hits);
    carom_trajectory_free(block);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("rows.h5");
    scratch_assert_number(reader, "rows(/time)", BLOCKS * BLOCK);
    scratch_assert_number(reader, "max(abs(diff(/contact) - 1)) <= 7", 1.0);
    scratch_assert_number(reader, "/time[-1]", 0.291 * (BLOCKS * BLOCK - 1));
    carom_reader_close(reader);
}

/* Three blocks of impacts, the last one bad in one number. */
static carom_record *write_bad(int total, int most, double bad) {
    static impact impacts[CHUNK];
    carom_record *record = scratch_record("rows.h5");
    carom_record run = carom_record_group(record, "/run");
    carom_record_index_axis(&run, "component", 3, "component");
    carom_recorder rows = carom_recorder_begin(&run, "time", total);
    for (int first = 0; first < 3 * most; first += most) {
        fill_impacts(impacts, first, most);
        if (first == 2 * most) {
            impacts[1].speed[1] = bad;
        }
        carom_recorder_append_rows(&rows, impacts, most, sizeof impacts[0], fields, FIELDS);
    }
    carom_recorder_end(&rows);
    return record;
}

LOOP_TEST(errors, a_bad_number_in_the_middle_is_told_at_the_end_and_leaves_no_file, 2) {
    carom_record *record = write_bad(_i == 0 ? UNKNOWN : 300, 100, HUGE_VAL);
    ck_assert_str_eq(carom_record_failure(record), "/run/speed: value 605 of 900 is infinite");
    assert_status(carom_record_commit(record, NULL), NOT_FINITE);
    ck_assert_int_eq(scratch_files(false), 0);
}

TEST(errors, rows_that_were_not_announced_or_do_not_come_are_refused) {
    carom_record *record = write_bad(299, 100, 1.0);
    ck_assert_str_eq(carom_record_failure(record),
                     "/run/time: 200 rows are there, 100 more come, and 299 were announced");
    assert_status(carom_record_commit(record, NULL), OUT_OF_RANGE);
    record = write_bad(301, 100, 1.0);
    ck_assert_str_eq(carom_record_failure(record),
                     "/run/time: 300 rows have come, and 301 were announced");
    assert_status(carom_record_commit(record, NULL), OUT_OF_RANGE);
    ck_assert_int_eq(scratch_files(false), 0);
}

TEST(errors, a_group_takes_one_recorder) {
    static impact impacts[2];
    carom_record *record = scratch_record("rows.h5");
    fill_impacts(impacts, 0, 2);
    for (int k = 0; k < 2; ++k) {
        carom_recorder rows = carom_recorder_begin(record, "time", UNKNOWN);
        carom_recorder_append_rows(&rows, impacts, 2, sizeof impacts[0], fields, 2);
        carom_recorder_end(&rows);
    }
    assert_status(carom_record_status(record), IO);
    ck_assert_int_eq(strncmp(carom_record_failure(record), "/time: ", 7), 0);
    carom_record_discard(record);
}

ABORT_TEST(errors, a_record_is_not_committed_before_its_rows_are_ended, 1) {
    carom_record *record = scratch_record("rows.h5");
    (void)carom_recorder_begin(record, "time", UNKNOWN);
    (void)!carom_record_commit(record, NULL);
}

/* The k-th allocation fails, until there are fewer. */
TEST(errors, without_memory_in_a_block_the_record_fails) {
    int failures = 0;
    for (;; ++failures) {
        carom_record *record = scratch_record("rows.h5");
        carom_record_index_axis(record, "component", 3, "component");
        static impact impacts[CHUNK];
        fill_impacts(impacts, 0, CHUNK);
        carom_recorder rows = carom_recorder_begin(record, "time", UNKNOWN);
        successes_left = failures;
        for (int k = 0; k < 3; ++k) {
            carom_recorder_append_rows(&rows, impacts, CHUNK - 7, sizeof impacts[0], fields,
                                       FIELDS);
        }
        carom_recorder_end(&rows);
        const bool was_failed = successes_left < 0;
        successes_left = -1;
        if (!was_failed) {
            assert_ok(carom_record_commit(record, NULL));
            break;
        }
        assert_status(carom_record_commit(record, NULL), OUT_OF_MEMORY);
    }
    /* A data set needs one for each piece: blocks two and three end in another chunk. */
    ck_assert_int_eq(failures, FIELDS * (1 + 2 + 2));
}
