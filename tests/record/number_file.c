/* carom/record/number_file.h: numbers alone are read as the same numbers in HDF5 are. */
#include "scratch.h"

#include <carom/record/internal.h>
#include <carom/record/record.h>

FIXTURE(scratch_setup, scratch_teardown);

/** Every name that write_all gives. */
static const char everything[] =
    "time contact gap active cube rows entries names scalar count mass row gap_of_row few";

enum { ROWS = 5 };

/** One of each kind of data set, one of them in blocks. */
static void write_all(carom_record *record) {
    static const double cube[8] = {1.0, -2.0, 3.5, 4.0, 5.0, 6.0, 7.0, 8.0};
    static const char *const axes[] = {"/pair", "/pair", "/pair"};
    static const char *const names[] = {"one", "two"};
    carom_record_axis(record, "/ball/time", SAMPLE_ROWS, sample_time, "s", "time");
    carom_record_index_axis(record, "/ball/contact", SAMPLE_COLUMNS, "contact number");
    carom_record_series(record, "/ball/gap", sample_gap, "/ball/time", "/ball/contact", "m", "gap");
    carom_record_integer_series(record, "/ball/active", sample_active, "/ball/time",
                                "/ball/contact", "1", "in contact");
    carom_record_index_axis(record, "/pair", 2, "pairs");
    carom_record_array(record, "/cube", cube, 3, axes, "J", "energy");
    carom_record_texts(record, "/names", names, "/pair", "names");
    carom_record_string(record, "/scalar", "a text", "text");
    carom_record_integer(record, "/count", 7, "1", "count");
    carom_record group = carom_record_group(record, "parameters");
    carom_record_scalar(&group, "mass", 2.385, "kg", "mass");
    carom_record_attribute(&group, ".", "long_name", "what was given");
    // Rows that come in blocks, whose number is known or not.
    for (int total = 0; total <= ROWS; total += ROWS) {
        carom_record blocks = carom_record_group(record, total == 0 ? "/growing" : "/known");
        const double values[ROWS] = {0.5, 1.25, 2.0, 3.5, 8.0};
        const carom_record_axes over = {"row", NULL};
        for (int first = 0; first < ROWS; first += 2) {
            const carom_record_block block = {first, first + 2 < ROWS ? 2 : ROWS - first, total};
            carom_record_block_index_axis(&blocks, "row", &block, "row");
            carom_record_block_series(&blocks, "gap_of_row", &block, values + first, false, &over,
                                      "m", "gap");
        }
    }
    assert_ok(carom_record_status(record));
}

/** The record of numbers alone, of what is wanted. */
static carom_record *begin_numbers(const char *wanted) {
    char path[SCRATCH_PATH_SIZE];
    carom_record *record = NULL;
    assert_ok(carom_record_create_wanted(scratch_path("numbers.h5", path), wanted, &record));
    return record;
}

/** Both records say the same of a path. */
static void assert_alike(carom_reader *whole, carom_reader *numbers, const char *path) {
    carom_dataset expected;
    carom_dataset found;
    const carom_status status = carom_reader_dataset(whole, path, &expected);
    ck_assert_msg(carom_reader_dataset(numbers, path, &found) == status, "%s", path);
    if (status != CAROM_OK) {
        ck_assert_ptr_null(found.values);
        return;
    }
    ck_assert_int_eq(found.rank, expected.rank);
    ck_assert_int_eq(found.rows, expected.rows);
    ck_assert_int_eq(found.columns, expected.columns);
    ck_assert_str_eq(found.units, expected.units);
    const size_t count = (size_t)expected.rows * (size_t)expected.columns;
    ck_assert_mem_eq(found.values, expected.values, count * sizeof(double));
    carom_dataset_clear(&expected);
    carom_dataset_clear(&found);
}

TEST(property, numbers_alone_are_read_as_those_of_a_whole_record) {
    static const char *const paths[] = {
        "/ball/time",
        "/ball/contact",
        "/ball/gap",
        "/ball/active",
        "/pair",
        "/cube",
        "/names",
        "/scalar",
        "/count",
        "/parameters/mass",
        "/growing/row",
        "/growing/gap_of_row",
        "/known/row",
        "/known/gap_of_row",
        "/ball",
        "/",
        "/none",
        "/ball/none",
        "/bal",
        "//ball///gap",
        "/./parameters/./mass",
        "/parameters/",
        "count",
        "/count/mass",
    };
    carom_record *record = scratch_record("whole.h5");
    write_all(record);
    assert_ok(carom_record_commit(record, NULL));
    record = begin_numbers(everything);
    write_all(record);
    assert_ok(carom_record_commit(record, NULL));
    ck_assert_int_eq(scratch_files(false), 2);
    carom_reader *whole = scratch_open("whole.h5");
    carom_reader *numbers = scratch_open("numbers.h5");
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_alike(whole, numbers, paths[i]);
    }
    // It has nothing else.
    char text[8];
    assert_status(carom_reader_text(numbers, "/@schema", (int)sizeof text, text), NOT_FOUND);
    assert_status(carom_reader_child(numbers, "/", 0, (int)sizeof text, text), NOT_FOUND);
    carom_reader_close(whole);
    carom_reader_close(numbers);
}

/** More than is held back before it is written. */
TEST(unit, long_series_are_read_whole) {
    enum { LONG = 100003 };
    CAROM_AUTO_MEMORY double *values = malloc(LONG * sizeof *values);
    ck_assert_ptr_nonnull(values);
    for (int i = 0; i < LONG; i++) {
        values[i] = 0.25 * i;
    }
    carom_record *record = begin_numbers("gap few");
    carom_record_axis(record, "/time", LONG, values, "s", "time");
    carom_record_series(record, "/gap", values, "/time", NULL, "m", "gap");
    carom_record_scalar(record, "/few", -1.5, "1", "last");
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("numbers.h5");
    carom_dataset gap;
    assert_ok(carom_reader_dataset(reader, "/gap", &gap));
    ck_assert_int_eq(gap.rows, LONG);
    ck_assert_mem_eq(gap.values, values, LONG * sizeof *values);
    carom_dataset_clear(&gap);
    scratch_assert_number(reader, "/few", -1.5);
    carom_reader_close(reader);
}

/** What a record refuses, numbers alone refuse, with the same sentence. */
static void assert_same_refusal(void (*write)(carom_record *record)) {
    carom_record *whole = scratch_record("whole.h5");
    carom_record *numbers = begin_numbers("gap time");
    write(whole);
    write(numbers);
    ck_assert_int_ne(carom_record_status(whole), CAROM_OK);
    ck_assert(carom_record_status(numbers) == carom_record_status(whole));
    ck_assert_str_eq(carom_record_failure(numbers), carom_record_failure(whole));
    carom_record_discard(whole);
    carom_record_discard(numbers);
    ck_assert_int_eq(scratch_files(false), 0);
}

static void write_over_no_axis(carom_record *record) {
    carom_record_series(record, "/gap", sample_time, "/time", NULL, "m", "gap");
}

static void write_over_a_scalar(carom_record *record) {
    carom_record_scalar(record, "/time", 1.0, "s", "time");
    carom_record_series(record, "/gap", sample_time, "/time", NULL, "m", "gap");
}

static void write_infinite(carom_record *record) {
    carom_record_scalar(record, "/gap", HUGE_VAL, "m", "gap");
}

static void write_bad_text(carom_record *record) {
    carom_record_attribute(record, "/ball", "long_name", "\xff");
}

static void write_twice(carom_record *record) {
    carom_record_scalar(record, "/gap", 1.0, "m", "gap");
    carom_record_scalar(record, "/gap", 2.0, "m", "gap");
}

TEST(errors, numbers_alone_refuse_what_a_record_refuses) {
    assert_same_refusal(write_over_no_axis);
    assert_same_refusal(write_over_a_scalar);
    assert_same_refusal(write_infinite);
    assert_same_refusal(write_bad_text);
    assert_same_refusal(write_twice);
}

TEST(errors, a_file_that_breaks_off_has_what_is_whole_and_no_more) {
    carom_record *record = begin_numbers(everything);
    write_all(record);
    assert_ok(carom_record_commit(record, NULL));
    char path[SCRATCH_PATH_SIZE];
    FILE *stream = fopen(scratch_path("numbers.h5", path), "rb");
    ck_assert_ptr_nonnull(stream);
    char bytes[1 << 14];
    const size_t size = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    ck_assert_uint_lt(size, sizeof bytes);
    size_t whole = 0;
    for (size_t length = 0; length <= size; length++) {
        scratch_write("cut.h5", bytes, length);
        carom_reader *reader = NULL;
        const carom_status status = carom_reader_open(scratch_path("cut.h5", path), &reader);
        if (status != CAROM_OK) {
            assert_status(status, BAD_FORMAT);
            ck_assert_uint_le(length, strlen("carom numbers 1\n"));
            continue;
        }
        carom_dataset last;
        const carom_status found = carom_reader_dataset(reader, "/known/gap_of_row", &last);
        ck_assert(found == CAROM_STATUS_NOT_FOUND || found == CAROM_STATUS_BAD_FORMAT ||
                  length == size);
        whole += found == CAROM_OK ? 1 : 0;
        carom_dataset_clear(&last);
        carom_reader_close(reader);
    }
    ck_assert_uint_eq(whole, 1);
}
