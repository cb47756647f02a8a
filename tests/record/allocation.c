#include "../failing_malloc.h"
#include "scratch.h"

#include <carom/record/internal.h>
#include <carom/record/published.h>
#include <carom/record/reader.h>

FIXTURE(scratch_setup, scratch_teardown);

/* One thing that allocates. */
typedef carom_status (*action)(void);

/* Fail the first, second, ... allocation until there is none left to fail. */
static void assert_survives(action act, int least_failures) {
    int failures = 0;
    for (;; ++failures) {
        successes_left = failures;
        const carom_status status = act();
        const bool was_failed = successes_left < 0;
        successes_left = -1;
        if (!was_failed) {
            assert_ok(status);
            break;
        }
        ck_assert_str_eq(carom_status_name(status), "OUT_OF_MEMORY");
    }
    ck_assert_int_ge(failures, least_failures);
}

static carom_status make_record(void) {
    char path[SCRATCH_PATH_SIZE];
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    CAROM_TRY(carom_record_create(scratch_path("ball.h5", path), &header, &record));
    carom_record_index_axis(record, "/ball/contact", 3, "contact");
    return carom_record_commit(record, NULL);
}

TEST(errors, a_record_without_memory_leaves_no_file) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("ball.h5", path);
    successes_left = 0;
    assert_status(make_record(), OUT_OF_MEMORY);
    successes_left = -1;
    ck_assert_int_eq(scratch_files(false), 0);
    assert_survives(make_record, 6);
    ck_assert_int_eq(scratch_files(false), 1);
}

static carom_status read_record(void) {
    char path[SCRATCH_PATH_SIZE];
    carom_reader *reader = NULL;
    CAROM_TRY(carom_reader_open(scratch_path("ball.h5", path), &reader));
    carom_dataset dataset;
    char text[32];
    carom_status status = carom_reader_dataset(reader, "/ball/gap", &dataset);
    if (status == CAROM_OK) {
        carom_dataset_clear(&dataset);
        status = carom_reader_text(reader, "/parameters/scheme", (int)sizeof text, text);
    }
    carom_reader_close(reader);
    return status;
}

TEST(errors, a_reader_without_memory_says_so) {
    scratch_make_record("ball.h5", 2.385);
    /* Units that cannot be read for want of memory are left empty; all else is a failure. */
    successes_left = 0;
    assert_status(read_record(), OUT_OF_MEMORY);
    successes_left = 1;
    assert_status(read_record(), OUT_OF_MEMORY);
    successes_left = -1;
    assert_ok(read_record());
}

/* Numbers alone, written and read. */
static carom_status make_and_read_numbers(void) {
    char path[SCRATCH_PATH_SIZE];
    carom_record *record = NULL;
    carom_reader *reader = NULL;
    carom_dataset dataset;
    scratch_path("numbers.h5", path);
    CAROM_TRY(carom_record_create_wanted(path, "contact", &record));
    carom_record_index_axis(record, "/ball/contact", 3, "contact");
    CAROM_TRY(carom_record_commit(record, NULL));
    CAROM_TRY(carom_reader_open(path, &reader));
    const carom_status status = carom_reader_dataset(reader, "/ball/contact", &dataset);
    carom_dataset_clear(&dataset);
    carom_reader_close(reader);
    return status;
}

TEST(errors, numbers_without_memory_say_so) {
    assert_survives(make_and_read_numbers, 9);
    ck_assert_int_eq(scratch_files(false), 1);
}

static carom_status verify(void) {
    static const char rows[] = "a,p,l,q,printed,2.385,digits,kg,/parameters/mass,,\n";
    carom_text_buffer text = {0};
    carom_record_set *records = NULL;
    carom_verification file = {0};
    carom_text_buffer_print(&text, "%s\n", CAROM_PUBLISHED_HEADER);
    carom_text_buffer_add(&text, rows, strlen(rows));
    carom_status status = text.failure;
    if (status == CAROM_OK) {
        status = carom_record_set_alloc(scratch_folder, &records);
    }
    if (status == CAROM_OK) {
        status = carom_verification_run("ball", text.text, text.length, records, &file, NULL);
    }
    /* A record that cannot be opened makes its row fail, and the row says why. */
    if (status == CAROM_OK && file.items[0].verdict != CAROM_VERDICT_AGREES) {
        const bool is_said = strstr(file.items[0].reason, "out of memory") != NULL;
        status = is_said ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_STATUS_IO;
    }
    carom_verification_clear(&file);
    carom_record_set_free(records);
    carom_text_buffer_clear(&text);
    return status;
}

TEST(errors, a_verification_without_memory_says_so) {
    scratch_make_record("ball.h5", 2.385);
    assert_survives(verify, 9);
}

static carom_status load_and_save(void) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer text = {0};
    carom_status status =
        carom_text_buffer_load(&text, scratch_path("ball.h5", path), CAROM_TEXT_FILE_MOST_BYTES);
    carom_text_buffer_print(&text, "%s", "more");
    if (status == CAROM_OK) {
        status = carom_text_buffer_save(&text, scratch_path("copy", path), NULL);
    }
    carom_text_buffer_clear(&text);
    return status;
}

TEST(errors, a_text_without_memory_is_not_saved) {
    scratch_make_record("ball.h5", 2.385);
    successes_left = 1;
    assert_status(load_and_save(), OUT_OF_MEMORY);
    successes_left = -1;
    ck_assert_int_eq(scratch_files(false), 1);
    assert_survives(load_and_save, 4);
}
