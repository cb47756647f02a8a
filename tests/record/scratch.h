/** A temporary folder for each test of a suite, and small files in it. */
#ifndef CAROM_TESTS_RECORD_SCRATCH_H
#define CAROM_TESTS_RECORD_SCRATCH_H

#include "../support.h"

#include <carom/record/reader.h>
#include <carom/record/record.h>
#include <carom/record/text.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** Room for the folder and a file name. */
#define SCRATCH_PATH_SIZE 512

/** The folder of the running test, made by scratch_setup. */
static char scratch_folder[SCRATCH_PATH_SIZE / 2];

/** Make the folder; a checked fixture. */
static inline void scratch_setup(void) {
    const char *parent = getenv("TMPDIR");
    snprintf(scratch_folder, sizeof scratch_folder, "%s/carom-XXXXXX",
             parent == NULL ? "/tmp" : parent);
    ck_assert_ptr_nonnull(mkdtemp(scratch_folder));
}

/** Number of files in the folder; they are removed if asked for. */
static inline int scratch_files(bool removed) {
    DIR *directory = opendir(scratch_folder);
    ck_assert_ptr_nonnull(directory);
    int count = 0;
    for (const struct dirent *entry = readdir(directory); entry != NULL;
         entry = readdir(directory)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        ++count;
        if (removed) {
            char path[2 * SCRATCH_PATH_SIZE];
            snprintf(path, sizeof path, "%s/%s", scratch_folder, entry->d_name);
            remove(path);
        }
    }
    closedir(directory);
    return count;
}

/** Remove the folder; a checked fixture. */
static inline void scratch_teardown(void) {
    scratch_files(true);
    ck_assert_int_eq(rmdir(scratch_folder), 0);
}

/** Full name of a file in the folder; returns `path`. */
static inline char *scratch_path(const char *name, char path[SCRATCH_PATH_SIZE]) {
    snprintf(path, SCRATCH_PATH_SIZE, "%s/%s", scratch_folder, name);
    return path;
}

/** Write a file. */
static inline void scratch_write(const char *name, const char *bytes, size_t size) {
    char path[SCRATCH_PATH_SIZE];
    FILE *stream = fopen(scratch_path(name, path), "wb");
    ck_assert_ptr_nonnull(stream);
    ck_assert_uint_eq(fwrite(bytes, 1, size, stream), size);
    ck_assert_int_eq(fclose(stream), 0);
}

/** Two files hold the same bytes, and at least one. */
static inline void assert_same_bytes(const char *a, const char *b) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer first = {0};
    carom_text_buffer second = {0};
    assert_ok(carom_text_buffer_load(&first, scratch_path(a, path), CAROM_TEXT_FILE_MOST_BYTES));
    assert_ok(carom_text_buffer_load(&second, scratch_path(b, path), CAROM_TEXT_FILE_MOST_BYTES));
    ck_assert_uint_gt(first.length, 0);
    ck_assert_uint_eq(first.length, second.length);
    ck_assert_int_eq(memcmp(first.text, second.text, first.length), 0);
    carom_text_buffer_clear(&first);
    carom_text_buffer_clear(&second);
}

/** Root attributes of the test records. */
static inline carom_record_header scratch_header(void) {
    const carom_record_header header = {
        .title = "Ball between two walls",
        .source = "bruls-2014",
        .schema = "ball 1",
        .source_digest = "0123456789abcdef",
        .compiler = "cc 12.2.0",
        .cflags = "-O2 -ffp-contract=off",
        .seed = 18446744073709551557UL,
    };
    return header;
}

/** Start a record in the folder. */
static inline carom_record *scratch_record(const char *name) {
    char path[SCRATCH_PATH_SIZE];
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    assert_ok(carom_record_create(scratch_path(name, path), &header, &record));
    return record;
}

#define SAMPLE_ROWS 3
#define SAMPLE_COLUMNS 2

static const double sample_time[SAMPLE_ROWS] = {0.0, 0.137, 0.291};
static const double sample_gap[SAMPLE_ROWS * SAMPLE_COLUMNS] = {2.385,    -1.0e-17, 0.1,
                                                                3.602218, 1e300,    -7.25};
static const int sample_active[SAMPLE_ROWS * SAMPLE_COLUMNS] = {0,          1, -2147483647,
                                                                2147483647, 5, -3};

/** Fill a record with one of everything; `extra` is a scalar that can be varied. */
static inline void scratch_fill(carom_record *record, double extra) {
    carom_record_axis(record, "/ball/time", SAMPLE_ROWS, sample_time, "s", "time");
    carom_record_index_axis(record, "/ball/contact", SAMPLE_COLUMNS, "contact number");
    carom_record_series(record, "/ball/gap", sample_gap, "/ball/time", "/ball/contact", "m",
                        "gap of a contact");
    carom_record_series(record, "/ball/energy", sample_gap, "/ball/time", NULL, "J",
                        "mechanical energy");
    carom_record_integer_series(record, "/ball/active", sample_active, "/ball/time",
                                "/ball/contact", "1", "active contacts");
    carom_record_integer_series(record, "/ball/iterations", sample_active, "/ball/time", NULL, "1",
                                "iterations");
    carom_record_scalar(record, "/parameters/mass", extra, "kg", "mass of the ball");
    carom_record_integer(record, "/parameters/count", -417, "1", "a count");
    carom_record_string(record, "/parameters/scheme", "moreau_jean", "time stepping");
    carom_record_attribute(record, "/ball", "case", "elastic");
}

/** A complete record in the folder. */
static inline void scratch_make_record(const char *name, double extra) {
    carom_record *record = scratch_record(name);
    scratch_fill(record, extra);
    assert_ok(carom_record_commit(record, NULL));
}

/** A record of the folder, open. */
static inline carom_reader *scratch_open(const char *name) {
    char path[SCRATCH_PATH_SIZE];
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(scratch_path(name, path), &reader));
    return reader;
}

/** A number of a record, to the last digit. */
static inline void scratch_assert_number(carom_reader *reader, const char *path, double expected) {
    double value = (double)NAN;
    assert_ok(carom_reader_number(reader, path, &value));
    assert_close(value, expected, 0.0, 0.0);
}

/** A write into `fresh`, a filled record of its own, is refused with a status. */
#define assert_refused(write, code)                       \
    do {                                                  \
        carom_record *fresh = scratch_record("fresh.h5"); \
        scratch_fill(fresh, 1.0);                         \
        assert_ok(carom_record_status(fresh));            \
        write;                                            \
        assert_status(carom_record_status(fresh), code);  \
        carom_record_discard(fresh);                      \
    } while (0)

#endif
