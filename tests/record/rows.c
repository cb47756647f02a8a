/* Groups of a record, and arrays of structs written through a table of their members. */
#include <carom/record/record.h>

#include "../failing_malloc.h"
#include "scratch.h"

FIXTURE(scratch_setup, scratch_teardown);

typedef enum place { PLACE_FLOOR, PLACE_WALL = 7 } place;

/* One impact; members of every kind, not in the order of the table. */
typedef struct impact {
    bool is_plastic;
    double time;
    struct {
        double speed[3];
        int count;
    } ball;
    place where;
    int order[2];
    bool held[2];
} impact;

enum { IMPACTS = 3 };

static const impact impacts[IMPACTS] = {
    {true, 0.125, {{1.0, -2.385, 3.5}, 417}, PLACE_WALL, {4, -5}, {false, true}},
    {false, 0.5, {{-0.0, 1e300, 0.1}, -2147483647}, PLACE_FLOOR, {6, 7}, {true, true}},
    {true, 2.75, {{8.25, 9.5, -1e-300}, 2147483647}, PLACE_WALL, {-8, 9}, {false, false}},
};

#define ARRAY CAROM_FIELD_ARRAY

static const carom_field fields[] = {
    CAROM_FIELD("time", impact, time, "s", "time of the impact"),
    ARRAY("speed", impact, ball.speed, "/ball/component", "m s-1", "speed"),
    CAROM_FIELD("count", impact, ball.count, "1", "balls"),
    CAROM_FIELD("inside/where", impact, where, "1", "what was hit"),
    CAROM_FIELD("plastic", impact, is_plastic, "1", "1: plastic"),
    ARRAY("order", impact, order, "contact", "1", "order of the contacts"),
    ARRAY("held", impact, held, "contact", "1", "1: held"),
    CAROM_FIELD("second", impact, ball.speed[1], "m s-1", "second speed"),
};
enum { FIELDS = sizeof fields / sizeof fields[0] };

/* The rows in /case_3/impacts, with a component fewer than there is room for if asked. */
static void write_impacts(carom_record *record, int components) {
    carom_record_index_axis(record, "/ball/component", components, "component");
    carom_record outer = carom_record_group(record, "/case_%d", 3);
    carom_record group = carom_record_group(&outer, "impacts");
    carom_record_index_axis(&group, "contact", 2, "contact");
    carom_record_rows(&group, "time", impacts, IMPACTS, sizeof impacts[0], fields, FIELDS);
}

/* The dataset has these columns (0: none) and numbers. */
static void assert_numbers(carom_reader *reader, const char *name, int columns,
                           const double *expected) {
    char path[64];
    snprintf(path, sizeof path, "/case_3/impacts/%s", name);
    carom_dataset dataset;
    assert_ok(carom_reader_dataset(reader, path, &dataset));
    ck_assert_int_eq(dataset.rank, columns == 0 ? 1 : 2);
    ck_assert_int_eq(dataset.rows, IMPACTS);
    ck_assert_int_eq(dataset.columns, columns == 0 ? 1 : columns);
    for (int i = 0; i < dataset.rows * dataset.columns; ++i) {
        assert_close(dataset.values[i], expected[i], 0.0, 0.0);
    }
    carom_dataset_clear(&dataset);
}

TEST(unit, members_of_every_kind_are_data_sets_over_the_axis) {
    carom_record *record = scratch_record("rows.h5");
    write_impacts(record, 3);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("rows.h5");
    assert_numbers(reader, "time", 0, (const double[]){0.125, 0.5, 2.75});
    assert_numbers(reader, "speed", 3,
                   (const double[]){1.0, -2.385, 3.5, -0.0, 1e300, 0.1, 8.25, 9.5, -1e-300});
    assert_numbers(reader, "count", 0, (const double[]){417.0, -2147483647.0, 2147483647.0});
    assert_numbers(reader, "inside/where", 0, (const double[]){7.0, 0.0, 7.0});
    assert_numbers(reader, "plastic", 0, (const double[]){1.0, 0.0, 1.0});
    assert_numbers(reader, "order", 2, (const double[]){4.0, -5.0, 6.0, 7.0, -8.0, 9.0});
    assert_numbers(reader, "held", 2, (const double[]){0.0, 1.0, 1.0, 1.0, 0.0, 0.0});
    assert_numbers(reader, "second", 0, (const double[]){-2.385, 1e300, 9.5});
    char text[32];
    assert_ok(carom_reader_text(reader, "/case_3/impacts/speed@units", sizeof text, text));
    ck_assert_str_eq(text, "m s-1");
    assert_ok(carom_reader_text(reader, "/case_3/impacts/plastic@long_name", sizeof text, text));
    ck_assert_str_eq(text, "1: plastic");
    carom_reader_close(reader);
}

TEST(unit, an_array_may_have_more_room_than_its_axis) {
    carom_record *record = scratch_record("rows.h5");
    write_impacts(record, 2);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("rows.h5");
    assert_numbers(reader, "speed", 2, (const double[]){1.0, -2.385, -0.0, 1e300, 8.25, 9.5});
    carom_reader_close(reader);
}

/* Everything of a record, as its bytes. */
static void write_by_hand(carom_record *record) {
    const double time[IMPACTS] = {0.125, 0.5, 2.75};
    const int order[2 * IMPACTS] = {4, -5, 6, 7, -8, 9};
    carom_record_index_axis(record, "/run/contact", 2, "contact");
    carom_record_axis(record, "/run/time", IMPACTS, time, "s", "time of the impact");
    carom_record_integer_series(record, "/run/order", order, "/run/time", "/run/contact", "1",
                                "order of the contacts");
}

TEST(property, rows_are_the_same_bytes_as_series_written_by_hand) {
    carom_record *record = scratch_record("hand.h5");
    write_by_hand(record);
    assert_ok(carom_record_commit(record, NULL));
    record = scratch_record("rows.h5");
    carom_record run = carom_record_group(record, "run");
    const carom_field two[] = {fields[0], fields[5]};
    carom_record_index_axis(&run, "contact", 2, "contact");
    carom_record_rows(&run, "time", impacts, IMPACTS, sizeof impacts[0], two, 2);
    assert_ok(carom_record_commit(record, NULL));
    assert_same_bytes("hand.h5", "rows.h5");
}

TEST(unit, without_rows_nothing_is_written) {
    scratch_make_record("plain.h5", 1.0);
    carom_record *record = scratch_record("rows.h5");
    scratch_fill(record, 1.0);
    carom_record_rows(record, "time", NULL, 0, sizeof impacts[0], fields, FIELDS);
    assert_ok(carom_record_commit(record, NULL));
    assert_same_bytes("plain.h5", "rows.h5");
}

TEST(unit, members_of_a_single_struct_are_scalars) {
    carom_record *record = scratch_record("rows.h5");
    carom_record_index_axis(record, "/ball/component", 3, "component");
    carom_record_index_axis(record, "/contact", 2, "contact");
    carom_record_rows(record, NULL, &impacts[1], 1, sizeof impacts[1], fields, FIELDS);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("rows.h5");
    static const struct {
        const char *path;
        int rank;
        double first;
    } expected[] = {{"/time", 0, 0.5},    {"/count", 0, -2147483647.0}, {"/plastic", 0, 0.0},
                    {"/speed", 1, -0.0},  {"/order", 1, 6.0},           {"/held", 1, 1.0},
                    {"/second", 0, 1e300}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
        carom_dataset dataset;
        assert_ok(carom_reader_dataset(reader, expected[i].path, &dataset));
        ck_assert_int_eq(dataset.rank, expected[i].rank);
        assert_close(dataset.values[0], expected[i].first, 0.0, 0.0);
        carom_dataset_clear(&dataset);
    }
    carom_reader_close(reader);
}

/* A failure of writing one field of IMPACTS or fewer rows into the record of scratch_fill, whose
 * /ball/time has three entries and /ball/contact two. */
static void assert_field_refused(carom_field field, int rows, carom_status expected,
                                 const char *failure) {
    carom_record *record = scratch_record("rows.h5");
    scratch_fill(record, 1.0);
    carom_record ball = carom_record_group(record, "ball");
    carom_record_rows(&ball, "time", impacts, rows, sizeof impacts[0], &field, 1);
    ck_assert_str_eq(carom_record_failure(record), failure);
    ck_assert_int_eq(carom_record_commit(record, NULL), expected);
    ck_assert_int_eq(scratch_files(false), 0);
}

TEST(errors, a_table_that_does_not_fit_its_axes_is_refused) {
    const carom_field count = fields[2];
    carom_field wide = fields[5];
    wide.name = "wide";
    assert_field_refused(count, 2, CAROM_STATUS_OUT_OF_RANGE,
                         "/ball/count: axis time has 3 entries");
    wide.column_axis = "time";
    assert_field_refused(wide, 3, CAROM_STATUS_OUT_OF_RANGE, "/ball/wide: axis time has 3 entries");
    wide.column_axis = "/none";
    assert_field_refused(wide, 3, CAROM_STATUS_NOT_FOUND, "/ball/wide: there is no axis /none");
    wide.column_axis = "energy";
    assert_field_refused(wide, 3, CAROM_STATUS_NOT_FOUND,
                         "/ball/wide: there is no axis /ball/energy");
}

TEST(errors, malformed_fields_are_refused) {
    carom_field field = fields[2];
    field.name = "gap";
    assert_field_refused(field, 3, CAROM_STATUS_IO, "/ball/gap: name already exists");
    field.name = "gap/";
    assert_field_refused(field, 3, CAROM_STATUS_BAD_FORMAT, "/ball/gap/: a text is malformed");
    field = fields[2];
    field.units = "\xff";
    assert_field_refused(field, 3, CAROM_STATUS_BAD_FORMAT, "/ball/count: a text is malformed");
    static const impact unknown = {.time = (double)NAN};
    carom_record *record = scratch_record("rows.h5");
    carom_record_rows(record, "time", &unknown, 1, sizeof unknown, fields, FIELDS);
    assert_status(carom_record_status(record), NOT_FINITE);
    ck_assert_str_eq(carom_record_failure(record), "/time: value 1 of 1 is NaN");
    carom_record_discard(record);
}

static carom_status make_rows(void) {
    char path[SCRATCH_PATH_SIZE];
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    CAROM_TRY(carom_record_create(scratch_path("rows.h5", path), &header, &record));
    write_impacts(record, 3);
    return carom_record_commit(record, NULL);
}

TEST(errors, rows_without_memory_leave_no_record) {
    int failures = 0;
    for (bool was_failed = true; was_failed; ++failures) {
        successes_left = failures;
        const carom_status status = make_rows();
        was_failed = successes_left < 0;
        successes_left = -1;
        ck_assert_int_eq(status, was_failed ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK);
        ck_assert_int_eq(scratch_files(false), was_failed ? 0 : 1);
    }
    ck_assert_int_ge(failures, FIELDS + 6);
}

TEST(unit, paths_without_a_slash_are_below_the_group) {
    carom_record *record = scratch_record("groups.h5");
    carom_record ball = carom_record_group(record, "/ball_%02d", 4);
    carom_record inner = carom_record_group(&ball, "left/inner");
    ck_assert_str_eq(inner.group, "/ball_04/left/inner");
    carom_record same = carom_record_group(&ball, "%s", "");
    ck_assert_str_eq(same.group, ball.group);
    carom_record other = carom_record_group(&inner, "/other");
    ck_assert_str_eq(other.group, "/other");
    carom_record_axis(&ball, "time", SAMPLE_ROWS, sample_time, "s", "time");
    carom_record_index_axis(&other, "contact", SAMPLE_COLUMNS, "contact");
    carom_record_series(&ball, "inner/gap", sample_gap, "time", "/other/contact", "m", "gap");
    carom_record_scalar(&inner, "mass", 2.385, "kg", "mass");
    carom_record_string(&inner, "/name", "ball", "name");
    carom_record_integer(record, "count", 417, "1", "count");
    carom_record_attribute(&inner, ".", "case", "inner");
    carom_record_attribute(&inner, "mass", "case", "heavy");
    carom_record_attribute(record, ".", "case", "root");
    assert_ok(carom_record_status(&inner));
    assert_ok(carom_record_commit(record, NULL));

    carom_reader *reader = scratch_open("groups.h5");
    scratch_assert_number(reader, "/ball_04/time[1]", sample_time[1]);
    scratch_assert_number(reader, "/ball_04/inner/gap[2,1]", sample_gap[5]);
    scratch_assert_number(reader, "/ball_04/left/inner/mass", 2.385);
    scratch_assert_number(reader, "/count", 417.0);
    static const char *const texts[][2] = {{"/name", "ball"},
                                           {"/ball_04/left/inner@case", "inner"},
                                           {"/ball_04/left/inner/mass@case", "heavy"},
                                           {"/@case", "root"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
        char text[16];
        assert_ok(carom_reader_text(reader, texts[i][0], sizeof text, text));
        ck_assert_str_eq(text, texts[i][1]);
    }
    carom_reader_close(reader);
}

TEST(errors, a_malformed_group_is_a_failure_of_the_record) {
    static const char *const names[] = {"/", "ball/", "ball//inner", "b@ll", "b\xc3\xa4ll"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        assert_refused((void)carom_record_group(fresh, "%s", names[i]), BAD_FORMAT);
    }
    /* A group as long as it may be, one letter longer, and a path that is too long below it. */
    char name[CAROM_RECORD_GROUP_SIZE];
    memset(name, 'a', sizeof name);
    name[sizeof name - 2] = '\0';
    assert_refused((void)carom_record_group(fresh, "%s", name), BAD_FORMAT);
    name[sizeof name - 3] = '\0';
    carom_record *record = scratch_record("groups.h5");
    carom_record group = carom_record_group(record, "%s", name);
    assert_ok(carom_record_status(record));
    carom_record_scalar(&group, "x", 1.0, "1", "number");
    assert_status(carom_record_status(record), BAD_FORMAT);
    carom_record_discard(record);
    record = scratch_record("groups.h5");
    carom_record_scalar(record, name, 1.0, "1", "number");
    assert_ok(carom_record_commit(record, NULL));
}
