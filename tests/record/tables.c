/* carom/record/record.h: lists are written as their members one by one, and end where one fails. */
#include <carom/record/reader.h>
#include <carom/record/record.h>

#include "scratch.h"

FIXTURE(scratch_setup, scratch_teardown);

TEST(unit, lists_are_found_in_the_record) {
    const double places[3] = {0.5, 1.5, 2.5};
    const double speeds[3] = {1.0, -2.0, 4.0};
    const double gaps[3] = {0.0, 0.25, 8.0};
    const carom_measure measures[] = {{"height", 2.385, "m", "largest height"},
                                      {"never_asked", (double)NAN, "m", "not in this run"},
                                      {"mass", 3.25, "kg", "of the ball"}};
    const carom_column columns[] = {{"/run/speed", speeds, "m s-1", "speed"},
                                    {"/run/gap", gaps, "m", "gap"}};
    carom_record *record = scratch_record("ball.h5");
    carom_record_measures(record, measures, 3);
    carom_record_axis(record, "/run/place", 3, places, "m", "place");
    carom_record_columns(record, "/run/place", NULL, columns, 2);
    carom_record_columns(record, "/run/place", NULL, columns, 0);
    carom_record run = carom_record_group(record, "/run");
    const carom_measure numbers[] = {{"length", 3.5, "m", "length"},
                                     {"rest", (double)NAN, "s", "time of rest; NaN: never"}};
    const double forces[6] = {1.0, 2.0, 3.0, 4.0, 5.0, -6.5};
    const carom_column wide[] = {{"force", forces, "N", "force"}};
    carom_record_scalars(&run, numbers, 2);
    carom_record_index_axis(&run, "contact", 2, "contact");
    carom_record_columns(&run, "place", "contact", wide, 1);
    assert_ok(carom_record_commit(record, NULL));

    carom_reader *reader = scratch_open("ball.h5");
    scratch_assert_number(reader, "/measures/height", 2.385);
    scratch_assert_number(reader, "/measures/mass", 3.25);
    double absent = 0.0;
    ck_assert(carom_reader_number(reader, "/measures/never_asked", &absent) != CAROM_OK);
    scratch_assert_number(reader, "/run/speed[1]", -2.0);
    scratch_assert_number(reader, "/run/gap[2]", 8.0);
    scratch_assert_number(reader, "/run/length", 3.5);
    scratch_assert_number(reader, "/run/force[2,1]", -6.5);
    carom_dataset rest;
    assert_ok(carom_reader_dataset(reader, "/run/rest", &rest));
    ck_assert(isnan(rest.values[0]));
    carom_dataset_clear(&rest);
    char units[16];
    assert_ok(carom_reader_text(reader, "/run/speed@units", (int)sizeof units, units));
    ck_assert_str_eq(units, "m s-1");
    carom_reader_close(reader);
}

TEST(errors, the_first_refusal_ends_a_list) {
    const carom_measure measures[] = {{"", 1.0, "m", "no name"}, {"fine", 1.0, "m", "a measure"}};
    assert_refused(carom_record_measures(fresh, measures, 2), BAD_FORMAT);
    const carom_measure unbounded[] = {{"unbounded", HUGE_VAL, "m", "infinite"}};
    assert_refused(carom_record_measures(fresh, unbounded, 1), NOT_FINITE);
    const double values[1] = {1.0};
    const carom_column columns[] = {{"/run/speed", values, "m s-1", "speed"}};
    assert_refused(carom_record_columns(fresh, "/no/axis", NULL, columns, 1), NOT_FOUND);
    ck_assert_int_eq(scratch_files(false), 0);
}
