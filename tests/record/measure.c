/* carom/record/record.h: what is measured is found in the record under its name. */
#include <carom/record/reader.h>
#include <carom/record/record.h>

#include "scratch.h"

FIXTURE(scratch_setup, scratch_teardown);

/* Names up to this length fit; the group is "/measures/" of a path of 254. */
enum { LONGEST_MEASURE = 254 - 10 };

static void assert_text(carom_reader *reader, const char *path, const char *expected) {
    char text[128];
    assert_ok(carom_reader_text(reader, path, (int)sizeof text, text));
    ck_assert_str_eq(text, expected);
}

/* A name of a length, zero-terminated. */
static void make_name(int length, char *name) {
    memset(name, 'n', (size_t)length);
    name[length] = '\0';
}

TEST(unit, measures_keep_every_digit_their_units_and_their_name) {
    carom_record *record = scratch_record("ball.h5");
    carom_record_measure(record, "settled_at", 3.602218, "s", "time of rest");
    carom_record_measure(record, "smallest_gap", -1.0e-17, "m", "smallest gap");
    carom_record_measure(record, "never_reached", (double)NAN, "s",
                         "time of rest; NaN: not reached");
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("ball.h5");
    scratch_assert_number(reader, "/measures/settled_at", 3.602218);
    assert_text(reader, "/measures/settled_at@units", "s");
    assert_text(reader, "/measures/settled_at@long_name", "time of rest");
    scratch_assert_number(reader, "/measures/smallest_gap", -1.0e-17);
    double value = 0.0;
    assert_status(carom_reader_number(reader, "/measures/never_reached", &value), NOT_FINITE);
    ck_assert(isnan(value));
    carom_reader_close(reader);
}

TEST(unit, the_longest_name_that_fits_is_kept_whole) {
    char name[256];
    char path[288];
    carom_record *record = scratch_record("ball.h5");
    make_name(LONGEST_MEASURE, name);
    carom_record_measure(record, name, 2.385, "J", "a measure");
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("ball.h5");
    make_name(LONGEST_MEASURE, name);
    snprintf(path, sizeof path, "/measures/%s", name);
    scratch_assert_number(reader, path, 2.385);
    carom_reader_close(reader);
}

TEST(errors, a_name_too_long_is_refused) {
    char name[512];
    for (int length = LONGEST_MEASURE + 1; length < 510; length += 67) {
        make_name(length, name);
        assert_refused(carom_record_measure(fresh, name, 2.385, "J", "a measure"), BAD_FORMAT);
    }
    ck_assert_int_eq(scratch_files(false), 0);
}

/* A write was refused, and the record is lost then. */
static void assert_lost(carom_record *record, carom_status expected) {
    ck_assert_str_eq(carom_status_name(carom_record_status(record)), carom_status_name(expected));
    ck_assert_str_eq(carom_status_name(carom_record_commit(record, NULL)),
                     carom_status_name(expected));
    ck_assert_int_eq(scratch_files(false), 0);
}

TEST(errors, what_a_record_refuses_is_refused) {
    carom_record *record = scratch_record("ball.h5");
    carom_record_measure(record, "", 2.385, "s", "no name");
    assert_lost(record, CAROM_STATUS_BAD_FORMAT);
    record = scratch_record("ball.h5");
    carom_record_measure(record, "rest", 2.385, "s", "v\xE9locit\xE9");
    assert_lost(record, CAROM_STATUS_BAD_FORMAT);
    record = scratch_record("ball.h5");
    carom_record_measure(record, "rest", 2.385, "\xB5m", "a measure");
    assert_lost(record, CAROM_STATUS_BAD_FORMAT);
    record = scratch_record("ball.h5");
    carom_record_measure(record, "rest", 2.385, "s", "time of rest");
    carom_record_measure(record, "rest", 2.385, "s", "time of rest");
    assert_lost(record, CAROM_STATUS_IO);
}
