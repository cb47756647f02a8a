#include "scratch.h"

#include <carom/base/base.h>
#include <carom/record/internal.h>
#include <carom/record/reader.h>
#include <carom/record/text.h>
#include <errno.h>
#include <gsl/gsl_version.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

FIXTURE(scratch_setup, scratch_teardown);

static void assert_text(carom_reader *reader, const char *path, const char *expected) {
    char text[256];
    assert_ok(carom_reader_text(reader, path, (int)sizeof text, text));
    ck_assert_str_eq(text, expected);
}

/* Bit for bit, so that the sign of zero and the payload of large numbers count. */
static void assert_same_numbers(const double *actual, const double *expected, int count) {
    ck_assert_int_eq(memcmp(actual, expected, (size_t)count * sizeof *actual), 0);
}

TEST(unit, what_is_written_is_read_back_bit_for_bit) {
    scratch_make_record("ball.h5", 2.385);
    carom_reader *reader = scratch_open("ball.h5");
    carom_dataset gap;
    assert_ok(carom_reader_dataset(reader, "/ball/gap", &gap));
    ck_assert_int_eq(gap.rank, 2);
    ck_assert_int_eq(gap.rows, SAMPLE_ROWS);
    ck_assert_int_eq(gap.columns, SAMPLE_COLUMNS);
    ck_assert_str_eq(gap.units, "m");
    assert_same_numbers(gap.values, sample_gap, SAMPLE_ROWS * SAMPLE_COLUMNS);
    carom_dataset_clear(&gap);

    carom_dataset energy;
    assert_ok(carom_reader_dataset(reader, "/ball/energy", &energy));
    ck_assert_int_eq(energy.rank, 1);
    ck_assert_int_eq(energy.columns, 1);
    assert_same_numbers(energy.values, sample_gap, SAMPLE_ROWS);
    carom_dataset_clear(&energy);

    carom_dataset active;
    assert_ok(carom_reader_dataset(reader, "/ball/active", &active));
    for (int i = 0; i < SAMPLE_ROWS * SAMPLE_COLUMNS; ++i) {
        assert_close(active.values[i], (double)sample_active[i], 0.0, 0.0);
    }
    carom_dataset_clear(&active);

    double number = 0.0;
    assert_ok(carom_reader_number(reader, "/parameters/mass", &number));
    assert_close(number, 2.385, 0.0, 0.0);
    assert_ok(carom_reader_number(reader, "/parameters/count", &number));
    assert_close(number, -417.0, 0.0, 0.0);
    assert_ok(carom_reader_number(reader, "/ball/contact[-1]", &number));
    assert_close(number, 1.0, 0.0, 0.0);
    assert_text(reader, "/parameters/scheme", "moreau_jean");
    carom_reader_close(reader);
}

TEST(unit, every_dataset_has_its_units_and_long_name) {
    scratch_make_record("ball.h5", 2.385);
    carom_reader *reader = scratch_open("ball.h5");
    assert_text(reader, "/ball/time@units", "s");
    assert_text(reader, "/ball/time@long_name", "time");
    assert_text(reader, "/ball/contact@units", "1");
    assert_text(reader, "/ball/contact@long_name", "contact number");
    assert_text(reader, "/ball/gap@units", "m");
    assert_text(reader, "/ball/gap@long_name", "gap of a contact");
    assert_text(reader, "/ball/active@units", "1");
    assert_text(reader, "/parameters/mass@units", "kg");
    assert_text(reader, "/parameters/mass@long_name", "mass of the ball");
    assert_text(reader, "/parameters/count@units", "1");
    assert_text(reader, "/parameters/scheme@long_name", "time stepping");
    carom_reader_close(reader);
}

TEST(unit, root_attributes_say_what_determined_the_numbers) {
    scratch_make_record("ball.h5", 2.385);
    carom_reader *reader = scratch_open("ball.h5");
    const carom_record_header header = scratch_header();
    assert_text(reader, "/@title", header.title);
    assert_text(reader, "/@source", header.source);
    assert_text(reader, "/@schema", header.schema);
    assert_text(reader, "/@source_digest", header.source_digest);
    assert_text(reader, "/@compiler", header.compiler);
    assert_text(reader, "/@cflags", header.cflags);
    assert_text(reader, "/@carom_version", CAROM_VERSION);
    char libraries[128];
    assert_ok(carom_reader_text(reader, "/@libraries", (int)sizeof libraries, libraries));
    ck_assert_ptr_nonnull(strstr(libraries, gsl_version));
    ck_assert_ptr_nonnull(strstr(libraries, "HDF5 "));
    assert_text(reader, "/ball@case", "elastic");
    carom_reader_close(reader);

    /* The seed keeps all its 64 bits. */
    char path[SCRATCH_PATH_SIZE];
    const hid_t file = H5Fopen(scratch_path("ball.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(file, "seed", H5P_DEFAULT);
    unsigned long long seed = 0;
    ck_assert_int_ge(H5Aread(attribute, H5T_NATIVE_ULLONG, &seed), 0);
    ck_assert(seed == header.seed);
    H5Aclose(attribute);
    H5Fclose(file);
}

TEST(unit, an_attribute_can_be_replaced_and_makes_its_group) {
    carom_record *record = scratch_record("ball.h5");
    carom_record_attribute(record, "/new/group", "case", "first");
    carom_record_attribute(record, "/new/group", "case", "the second, longer one");
    carom_record_attribute(record, "/", "title", "another title");
    carom_record_attribute(record, "/", "empty", "");
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("ball.h5");
    assert_text(reader, "/new/group@case", "the second, longer one");
    assert_text(reader, "/@title", "another title");
    assert_text(reader, "/@empty", "");
    carom_reader_close(reader);
}

/* What H5DSget_label and the scale iterator see, through the library others read with. */
static herr_t same_scale(hid_t dataset, unsigned axis, hid_t scale, void *context) {
    (void)dataset;
    (void)axis;
    char name[64] = "";
    H5DSget_scale_name(scale, name, sizeof name);
    return strcmp(name, context) == 0 ? 1 : -1;
}

/* What a program may know of its groups. */
static const char *describe(const char *path) {
    return strcmp(path, "/ball") == 0         ? "the ball"
           : strcmp(path, "/ball/inner") == 0 ? "what is inside"
                                              : NULL;
}

TEST(unit, groups_are_described_unless_they_are_already) {
    carom_record *record = scratch_record("ball.h5");
    scratch_fill(record, 1.0);
    carom_record_scalar(record, "/ball/inner/mass", 1.0, "kg", "mass");
    carom_record_scalar(record, "/own/mass", 1.0, "kg", "mass");
    carom_record_attribute(record, "/own", "long_name", "my own words");
    carom_record_describe_groups(record, describe);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = scratch_open("ball.h5");
    assert_text(reader, "/ball@long_name", "the ball");
    assert_text(reader, "/ball/inner@long_name", "what is inside");
    assert_text(reader, "/own@long_name", "my own words");
    assert_text(reader, "/ball/inner/mass@long_name", "mass");
    char text[16];
    assert_status(carom_reader_text(reader, "/parameters@long_name", (int)sizeof text, text),
                  NOT_FOUND);
    carom_reader_close(reader);
}

TEST(unit, axes_are_dimension_scales_with_labels) {
    scratch_make_record("ball.h5", 2.385);
    char path[SCRATCH_PATH_SIZE];
    const hid_t file = H5Fopen(scratch_path("ball.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t time = H5Dopen2(file, "/ball/time", H5P_DEFAULT);
    const hid_t contact = H5Dopen2(file, "/ball/contact", H5P_DEFAULT);
    const hid_t gap = H5Dopen2(file, "/ball/gap", H5P_DEFAULT);
    ck_assert_int_gt(H5DSis_scale(time), 0);
    ck_assert_int_gt(H5DSis_scale(contact), 0);
    ck_assert_int_eq(H5DSis_scale(gap), 0);
    ck_assert_int_gt(H5DSis_attached(gap, time, 0), 0);
    ck_assert_int_gt(H5DSis_attached(gap, contact, 1), 0);
    ck_assert_int_eq(H5DSis_attached(gap, contact, 0), 0);
    const char *names[] = {"time", "contact"};
    for (unsigned axis = 0; axis < 2; ++axis) {
        char label[64] = "";
        char expected[64];
        snprintf(expected, sizeof expected, "%s", names[axis]);
        H5DSget_label(gap, axis, label, sizeof label);
        ck_assert_str_eq(label, expected);
        ck_assert_int_eq(H5DSiterate_scales(gap, axis, NULL, same_scale, expected), 1);
    }
    H5Dclose(gap);
    H5Dclose(contact);
    H5Dclose(time);
    H5Fclose(file);
}

TEST(unit, numbers_are_stored_little_endian_and_without_times) {
    scratch_make_record("ball.h5", 2.385);
    char path[SCRATCH_PATH_SIZE];
    const hid_t file = H5Fopen(scratch_path("ball.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
    const char *paths[] = {"/ball/gap", "/ball/active"};
    const hid_t types[] = {H5T_IEEE_F64LE, H5T_STD_I32LE};
    for (int i = 0; i < 2; ++i) {
        const hid_t dataset = H5Dopen2(file, paths[i], H5P_DEFAULT);
        const hid_t type = H5Dget_type(dataset);
        ck_assert_int_gt(H5Tequal(type, types[i]), 0);
        H5O_info_t information;
        ck_assert_int_ge(H5Oget_info2(dataset, &information, H5O_INFO_TIME), 0);
        ck_assert_int_eq(information.ctime, 0);
        ck_assert_int_eq(information.mtime, 0);
        ck_assert_int_eq(information.btime, 0);
        H5Tclose(type);
        H5Dclose(dataset);
    }
    H5Fclose(file);
}

TEST(property, two_runs_give_the_same_bytes) {
    scratch_make_record("first.h5", 2.385);
    /* Memory that the first record used is filled, so that stale bytes would show. */
    void *dirt = malloc((size_t)1 << 22);
    ck_assert_ptr_nonnull(dirt);
    memset(dirt, 0xa5, (size_t)1 << 22);
    free(dirt);
    scratch_make_record("second.h5", 2.385);
    assert_same_bytes("first.h5", "second.h5");
}

TEST(property, random_arrays_survive_the_round_trip) {
    const unsigned long seed = 5081;
    gsl_rng *generator = seeded_generator(seed);
    carom_record *record = scratch_record("random.h5");
    enum { sample_count = 20, most = 60 };
    static double values[sample_count][most * most];
    int rows[sample_count];
    int columns[sample_count];
    for (int i = 0; i < sample_count; ++i) {
        rows[i] = 1 + (int)gsl_rng_uniform_int(generator, most);
        columns[i] = 1 + (int)gsl_rng_uniform_int(generator, most);
        for (int k = 0; k < rows[i] * columns[i]; ++k) {
            /* All exponents, now and then not a number. */
            const double u = uniform(generator, -1.0, 1.0);
            values[i][k] = ldexp(u, (int)uniform(generator, -1070.0, 1020.0));
            if (gsl_rng_uniform_int(generator, 50) == 0) {
                values[i][k] = (double)NAN;
            }
        }
        char row_axis[64];
        char column_axis[64];
        char path[64];
        snprintf(row_axis, sizeof row_axis, "/case_%d/row", i);
        snprintf(column_axis, sizeof column_axis, "/case_%d/column", i);
        snprintf(path, sizeof path, "/case_%d/values", i);
        carom_record_index_axis(record, row_axis, rows[i], "row");
        carom_record_index_axis(record, column_axis, columns[i], "column");
        carom_record_series(record, path, values[i], row_axis, column_axis, "1",
                            "values; NaN: drawn by lot");
    }
    gsl_rng_free(generator);
    assert_ok(carom_record_commit(record, NULL));

    carom_reader *reader = scratch_open("random.h5");
    for (int i = 0; i < sample_count; ++i) {
        char path[64];
        snprintf(path, sizeof path, "/case_%d/values", i);
        carom_dataset dataset;
        assert_ok(carom_reader_dataset(reader, path, &dataset));
        ck_assert_msg(dataset.rows == rows[i] && dataset.columns == columns[i] &&
                          memcmp(dataset.values, values[i],
                                 (size_t)(rows[i] * columns[i]) * sizeof(double)) == 0,
                      "case %d of seed %lu", i, seed);
        carom_dataset_clear(&dataset);
    }
    carom_reader_close(reader);
}

TEST(unit, discard_leaves_the_old_file_and_no_work_file) {
    scratch_make_record("ball.h5", 2.385);
    scratch_make_record("copy.h5", 2.385);
    carom_record *record = scratch_record("ball.h5");
    scratch_fill(record, 77.125);
    carom_record_discard(record);
    assert_same_bytes("ball.h5", "copy.h5");
    ck_assert_int_eq(scratch_files(false), 2);
    carom_record_discard(NULL);
}

TEST(unit, commit_tells_whether_the_file_changed) {
    bool changed = false;
    for (int run = 0; run < 3; ++run) {
        carom_record *record = scratch_record("ball.h5");
        scratch_fill(record, run < 2 ? 2.385 : 2.386);
        assert_ok(carom_record_commit(record, &changed));
        ck_assert_int_eq(changed, run != 1);
    }
    ck_assert_int_eq(scratch_files(false), 1);
}

TEST(errors, an_unwritable_place_is_found_at_once) {
    char path[SCRATCH_PATH_SIZE];
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    assert_status(carom_record_create(scratch_path("no/folder.h5", path), &header, &record), IO);
    ck_assert_ptr_null(record);
    scratch_write("file", "x", 1);
    assert_status(carom_record_create(scratch_path("file/ball.h5", path), &header, &record), IO);
    assert_status(carom_record_create(scratch_folder, &header, &record), IO);
    assert_status(carom_record_create("/dev/null", &header, &record), IO);
    assert_status(carom_record_create("", &header, &record), IO);
}

TEST(errors, a_missing_axis_is_refused) {
    assert_refused(carom_record_series(fresh, "/ball/x", sample_gap, "/ball/none", NULL, "m", "x"),
                   NOT_FOUND);
    assert_refused(
        carom_record_series(fresh, "/ball/x", sample_gap, "/ball/time", "/none/contact", "m", "x"),
        NOT_FOUND);
    /* A dataset that is no axis. */
    assert_refused(carom_record_integer_series(fresh, "/ball/x", sample_active, "/ball/energy",
                                               NULL, "1", "x"),
                   NOT_FOUND);
}

TEST(errors, a_path_cannot_be_written_twice) {
    assert_refused(carom_record_scalar(fresh, "/parameters/mass", 2.0, "kg", "mass"), IO);
    assert_refused(carom_record_axis(fresh, "/ball/gap", 1, sample_time, "s", "time"), IO);
    /* A dataset cannot be a group as well. */
    assert_refused(carom_record_attribute(fresh, "/ball/gap/inside", "a", "b"), IO);
}

/* A stray byte, one missing, an overlong spelling, a surrogate, a letter beyond the last. */
static const char *const not_utf8[] = {"\xff",     "\xb5m",        "\xce",
                                       "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80"};

TEST(errors, malformed_paths_and_texts_are_refused) {
    static const char *const paths[] = {"",    "/",     "mass/", "/mass/",    "//mass",
                                        "/a@", "/a[0]", "a:/b",  "/m\xc3\xa4"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; ++i) {
        assert_refused(carom_record_scalar(fresh, paths[i], 2.0, "kg", "mass"), BAD_FORMAT);
    }
    for (size_t i = 0; i < sizeof not_utf8 / sizeof not_utf8[0]; ++i) {
        const char *text = not_utf8[i];
        assert_refused(carom_record_scalar(fresh, "/a", 2.0, text, "length"), BAD_FORMAT);
        assert_refused(carom_record_scalar(fresh, "/b", 2.0, "m", text), BAD_FORMAT);
        assert_refused(carom_record_string(fresh, "/c", text, "text"), BAD_FORMAT);
        assert_refused(carom_record_attribute(fresh, "/", "case", text), BAD_FORMAT);
    }
    assert_refused(carom_record_attribute(fresh, "relative//", "case", "x"), BAD_FORMAT);

    carom_record *record = NULL;
    carom_record_header header = scratch_header();
    header.title = "\xce";
    char path[SCRATCH_PATH_SIZE];
    assert_status(carom_record_create(scratch_path("title.h5", path), &header, &record),
                  BAD_FORMAT);
    ck_assert_int_eq(scratch_files(false), 0);
}

TEST(unit, texts_are_utf8_of_variable_length) {
    static char text[70000];
    char path[SCRATCH_PATH_SIZE];
    char copy[32];
    carom_record_header header = scratch_header();
    header.title = "Br\xc3\xbcls, \xce\xbb \xf0\x9d\x9c\x86";
    carom_record *record = NULL;
    assert_ok(carom_record_create(scratch_path("ball.h5", path), &header, &record));
    carom_record_scalar(record, "/length", 2.0, "\xc2\xb5m", "L\xc3\xa4nge");
    carom_record_string(record, "/name", "Kugel \xce\xb1", "name");
    /* Beyond the 64 KiB at which object headers of the default format end. */
    memset(text, 'x', sizeof text - 1);
    carom_record_attribute(record, "/", "long", text);
    carom_record_string(record, "/empty", "", "nothing");
    assert_ok(carom_record_commit(record, NULL));

    carom_reader *reader = scratch_open("ball.h5");
    assert_text(reader, "/@title", header.title);
    assert_text(reader, "/length@units", "\xc2\xb5m");
    assert_text(reader, "/length@long_name", "L\xc3\xa4nge");
    assert_text(reader, "/name", "Kugel \xce\xb1");
    assert_text(reader, "/empty", "");
    assert_status(carom_reader_text(reader, "/@long", (int)sizeof copy, copy), OUT_OF_RANGE);
    carom_reader_close(reader);

    /* As other programs see it. */
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const char *const objects[] = {"/", "/length", "/name"};
    const char *const names[] = {"title", "units", NULL};
    for (int i = 0; i < 3; ++i) {
        const hid_t object = names[i] == NULL ? H5Dopen2(file, objects[i], H5P_DEFAULT)
                                              : H5Aopen_by_name(file, objects[i], names[i],
                                                                H5P_DEFAULT, H5P_DEFAULT);
        const hid_t type = names[i] == NULL ? H5Dget_type(object) : H5Aget_type(object);
        ck_assert_int_gt(H5Tis_variable_str(type), 0);
        ck_assert_int_eq(H5Tget_cset(type), H5T_CSET_UTF8);
        H5Tclose(type);
        ck_assert_int_ge(names[i] == NULL ? H5Dclose(object) : H5Aclose(object), 0);
    }
    H5Fclose(file);
}

TEST(errors, nan_is_written_only_with_its_meaning_and_infinity_never) {
    const double nans[SAMPLE_ROWS] = {1.0, (double)NAN, 2.0};
    const double large[SAMPLE_ROWS] = {1.0, 2.0, -(double)INFINITY};
    const struct {
        const double *values;
        const char *long_name;
        const char *failure; /* NULL: admitted */
    } cases[] = {
        {nans, "speed", "/ball/speed: value 2 of 3 is NaN"},
        {nans, "speed; NaN: at rest", NULL},
        {nans, "speed, infinite: none", "/ball/speed: value 2 of 3 is NaN"},
        {large, "speed", "/ball/speed: value 3 of 3 is infinite"},
        {large, "speed; NaN: at infinite mass", "/ball/speed: value 3 of 3 is infinite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        carom_record *record = scratch_record("ball.h5");
        carom_record_axis(record, "/ball/time", SAMPLE_ROWS, sample_time, "s", "time");
        carom_record_series(record, "/ball/speed", cases[i].values, "/ball/time", NULL, "m s-1",
                            cases[i].long_name);
        const carom_status status = carom_record_status(record);
        const bool is_refused = cases[i].failure != NULL;
        ck_assert_int_eq(status, is_refused ? CAROM_STATUS_NOT_FINITE : CAROM_OK);
        ck_assert_str_eq(carom_record_failure(record), is_refused ? cases[i].failure : "");
        ck_assert_int_eq(carom_record_commit(record, NULL), status);
    }
    carom_reader *reader = scratch_open("ball.h5");
    assert_text(reader, "/ball/speed@long_name", "speed; NaN: at rest");
    carom_reader_close(reader);

    assert_refused(carom_record_scalar(fresh, "/mass", (double)INFINITY, "kg", "mass; NaN: none"),
                   NOT_FINITE);
    assert_refused(carom_record_axis(fresh, "/axis", SAMPLE_ROWS, nans, "s", "time"), NOT_FINITE);
    carom_record *record = scratch_record("ball.h5");
    carom_record_scalar(record, "/fall", (double)NAN, "s", "time of fall; NaN: never");
    assert_ok(carom_record_status(record));
    carom_record_scalar(record, "/rest", (double)NAN, "s", "time of rest");
    assert_status(carom_record_status(record), NOT_FINITE);
    ck_assert_str_eq(carom_record_failure(record), "/rest: value 1 of 1 is NaN");
    carom_record_discard(record);
}

TEST(errors, the_first_failure_is_named_with_its_path_and_cause) {
    carom_record *record = scratch_record("ball.h5");
    scratch_fill(record, 1.0);
    ck_assert_str_eq(carom_record_failure(record), "");
    carom_record_scalar(record, "/parameters/mass", 2.0, "kg", "mass");
    assert_status(carom_record_status(record), IO);
    ck_assert_str_eq(carom_record_failure(record), "/parameters/mass: name already exists");
    carom_record_scalar(record, "relative", 2.0, "kg", "mass");
    assert_status(carom_record_status(record), IO);
    ck_assert_str_eq(carom_record_failure(record), "/parameters/mass: name already exists");
    carom_record_discard(record);
    record = scratch_record("ball.h5");
    carom_record_series(record, "/a/x", sample_time, "/a/t", NULL, "m", "x");
    assert_status(carom_record_status(record), NOT_FOUND);
    ck_assert_str_eq(carom_record_failure(record), "/a/x: there is no axis /a/t");
    carom_record_discard(record);
    record = scratch_record("ball.h5");
    carom_record_scalar(record, "no@path", 2.0, "kg", "mass");
    assert_status(carom_record_status(record), BAD_FORMAT);
    ck_assert_str_eq(carom_record_failure(record), "/no@path: a text is malformed");
    carom_record_discard(record);
}

TEST(errors, a_record_with_a_failed_write_cannot_be_committed) {
    scratch_make_record("ball.h5", 2.385);
    scratch_make_record("copy.h5", 2.385);
    carom_record *record = scratch_record("ball.h5");
    carom_record_series(record, "/x", sample_gap, "/none", NULL, "m", "x");
    assert_status(carom_record_status(record), NOT_FOUND);
    const int written = carom_record_written(record);
    carom_record_scalar(record, "/parameters/mass", 2.0, "kg", "mass");
    ck_assert_int_eq(carom_record_written(record), written);
    bool changed = true;
    assert_status(carom_record_commit(record, &changed), NOT_FOUND);
    ck_assert(!changed);
    assert_same_bytes("ball.h5", "copy.h5");
    ck_assert_int_eq(scratch_files(false), 2);
}

/* Write the record of a run of half a megabyte on a disk with so much room, for which a limit on
 * the size of a file stands in. */
static carom_status write_with_room(rlim_t room, char *sentence, size_t size, int *cause) {
    enum { ROWS = 1 << 16 };
    static double values[ROWS];
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {room, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    carom_record *record = scratch_record("ball.h5");
    scratch_fill(record, 2.385);
    carom_record_axis(record, "/run/time", ROWS, values, "s", "time");
    snprintf(sentence, size, "%s", carom_record_failure(record));
    const carom_status status = carom_record_commit(record, NULL);
    *cause = errno;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    return status;
}

TEST(errors, a_disk_that_is_full_in_the_middle_is_told_and_keeps_the_old_file) {
    struct stat whole;
    char path[SCRATCH_PATH_SIZE];
    char sentence[128];
    int cause = 0;
    assert_ok(write_with_room(RLIM_INFINITY, sentence, sizeof sentence, &cause));
    ck_assert_int_eq(stat(scratch_path("ball.h5", path), &whole), 0);
    scratch_make_record("ball.h5", 77.125);
    scratch_make_record("copy.h5", 77.125);
    const rlim_t size = (rlim_t)whole.st_size;
    const rlim_t rooms[] = {0, 100, 3000, size / 3, size / 2, size - 1};
    for (int i = 0; i < 6; ++i) {
        assert_status(write_with_room(rooms[i], sentence, sizeof sentence, &cause), IO);
        ck_assert_int_eq(cause, EFBIG);
        /* The last bytes are held back until the end: then nothing has been said. */
        ck_assert(i == 5 || strstr(sentence, "/time: File too large") != NULL);
        assert_same_bytes("ball.h5", "copy.h5");
        ck_assert_int_eq(scratch_files(false), 2);
    }
    assert_ok(write_with_room(size, sentence, sizeof sentence, &cause));
}

/* Counts what HDF5 would have printed. */
static herr_t count_print(hid_t stack, void *context) {
    (void)stack;
    *(int *)context += 1;
    return 0;
}

TEST(errors, the_error_printer_of_the_caller_is_silent_inside_and_kept) {
    int prints = 0;
    H5Eset_auto2(H5E_DEFAULT, count_print, &prints);
    assert_refused(carom_record_series(fresh, "/x", sample_gap, "/none", NULL, "m", "x"),
                   NOT_FOUND);
    ck_assert_int_eq(prints, 0);
    H5E_auto2_t printer = NULL;
    void *context = NULL;
    H5Eget_auto2(H5E_DEFAULT, &printer, &context);
    ck_assert(printer == count_print && context == &prints);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}
