/* Arrays over any number of axes, and texts over one, read by HDF5 itself. */
#include "scratch.h"

#include <carom/record/internal.h>

#include <hdf5.h>
#include <hdf5_hl.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { A = 2, B = 3, C = 4 };

static const double a_values[A] = {0.25, 2.385};
static const double b_values[B] = {1.0, 7.0, 3.0};
static const double c_values[C] = {0.5, 0.75, 1.5, 2.5};
static const char *const axes[] = {"/a", "/b", "/group/c"};

/** A record with three axes. */
static carom_record *begin(void) {
    carom_record *record = scratch_record("r.h5");
    carom_record_axis(record, "/a", A, a_values, "m", "first");
    carom_record_axis(record, "/b", B, b_values, "s", "second");
    carom_record_axis(record, "/group/c", C, c_values, "1", "third");
    return record;
}

TEST(unit, an_array_has_the_shape_and_the_order_of_its_axes) {
    double numbers[A][B][C];
    int integers[A][B];
    for (int i = 0; i < A * B * C; i++) {
        numbers[i / (B * C)][i / C % B][i % C] = 1.25 * i - 3.0;
    }
    numbers[1][2][3] = NAN;
    for (int i = 0; i < A * B; i++) {
        integers[i / B][i % B] = 17 - 5 * i;
    }
    carom_record *record = begin();
    carom_record_array(record, "/cube", &numbers[0][0][0], 3, axes, "J", "energy; NaN: unknown");
    carom_record_integer_array(record, "/plane", &integers[0][0], 2, axes, "1", "count");
    assert_ok(carom_record_commit(record, NULL));

    char path[SCRATCH_PATH_SIZE];
    double read[A][B][C];
    int counts[A][B];
    hsize_t extent[3];
    const hid_t file = H5Fopen(scratch_path("r.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_ge(H5LTget_dataset_info(file, "/cube", extent, NULL, NULL), 0);
    ck_assert(extent[0] == A && extent[1] == B && extent[2] == C);
    ck_assert_int_ge(H5LTread_dataset_double(file, "/cube", &read[0][0][0]), 0);
    ck_assert_int_ge(H5LTread_dataset_int(file, "/plane", &counts[0][0]), 0);
    ck_assert(isnan(read[1][2][3]));
    for (int i = 0; i < A * B * C - 1; i++) {
        const int a = i / (B * C);
        assert_close(read[a][i / C % B][i % C], numbers[a][i / C % B][i % C], 0.0, 0.0);
    }
    ck_assert_int_eq(memcmp(counts, integers, sizeof integers), 0);
    const hid_t cube = H5Dopen2(file, "/cube", H5P_DEFAULT);
    for (unsigned i = 0; i < 3; i++) {
        const hid_t axis = H5Dopen2(file, axes[i], H5P_DEFAULT);
        ck_assert_int_gt(H5DSis_attached(cube, axis, i), 0);
        H5Dclose(axis);
    }
    H5Dclose(cube);
    H5Fclose(file);
}

TEST(unit, texts_stand_over_their_axis) {
    static const char *const texts[B] = {"moreau-jean", "", "α"};
    carom_record *record = begin();
    carom_record_texts(record, "/group/names", texts, "/b", "names");
    assert_ok(carom_record_commit(record, NULL));

    char path[SCRATCH_PATH_SIZE];
    char *read[B];
    const hid_t file = H5Fopen(scratch_path("r.h5", path), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t dataset = H5Dopen2(file, "/group/names", H5P_DEFAULT);
    const hid_t type = H5Dget_type(dataset);
    ck_assert_int_gt(H5Tis_variable_str(type), 0);
    ck_assert_int_eq((int)H5Tget_cset(type), (int)H5T_CSET_UTF8);
    ck_assert_int_ge(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, read), 0);
    for (int i = 0; i < B; i++) {
        ck_assert_str_eq(read[i], texts[i]);
        H5free_memory(read[i]);
    }
    H5Tclose(type);
    H5Dclose(dataset);
    H5Fclose(file);
}

TEST(unit, a_record_that_no_rank_writes_takes_everything) {
    static const char *const texts[B] = {"a", "b", "c"};
    static const double numbers[A * B] = {0.0};
    const carom_record_header header = scratch_header();
    carom_record *record = NULL;
    assert_ok(carom_record_create(NULL, &header, &record));
    carom_record_axis(record, "/b", B, b_values, "s", "second");
    carom_record_texts(record, "/names", texts, "/b", "names");
    carom_record_array(record, "/plane", numbers, 2, axes, "J", "energy");
    assert_ok(carom_record_status(record));
    assert_ok(carom_record_commit(record, NULL));
}

/** The record fails with this status. */
static void assert_fails(carom_record *record, carom_status status) {
    ck_assert_int_eq(carom_record_commit(record, NULL), status);
    ck_assert_int_eq(scratch_files(false), 0);
}

TEST(errors, what_no_array_can_be_is_refused) {
    static const double numbers[A * B * C] = {0.0};
    double bad[A * B * C] = {0.0};
    static const char *const missing[] = {"/a", "/none", "/b"};
    static const char *const texts[B] = {"a", "\xff", "b"};
    carom_record *record = begin();
    carom_record_array(record, "/cube", numbers, 3, missing, "J", "energy");
    assert_fails(record, CAROM_STATUS_NOT_FOUND);

    // The last number of all: counted over every axis.
    bad[A * B * C - 1] = NAN;
    record = begin();
    carom_record_array(record, "/cube", bad, 3, axes, "J", "energy");
    ck_assert_str_eq(carom_record_failure(record), "/cube: value 24 of 24 is NaN");
    assert_fails(record, CAROM_STATUS_NOT_FINITE);

    record = begin();
    carom_record_texts(record, "/names", texts, "/b", "names");
    assert_fails(record, CAROM_STATUS_BAD_FORMAT);
    record = begin();
    carom_record_texts(record, "/names", texts, "/none", "names");
    assert_fails(record, CAROM_STATUS_NOT_FOUND);
}

/** Write what is wanted and what is not; `number` is in an array that is not. */
static carom_record *write_partly(double number) {
    const double cube[A * B] = {1.0, 2.0, 3.0, 4.0, 5.0, number};
    const int plane[A * B] = {1, 2, 3, 4, 5, 6};
    char path[SCRATCH_PATH_SIZE];
    carom_record *record = NULL;
    assert_ok(carom_record_create_wanted(
        scratch_path("r.h5", path), "max(/plane[:,0]) - $gap_error + 2 * $largest_b", &record));
    carom_record_axis(record, "/a", A, a_values, "m", "first");
    carom_record_axis(record, "/b", B, b_values, "s", "second");
    carom_record_array(record, "/cube", cube, 2, axes, "J", "energy");
    carom_record_integer_array(record, "/plane", plane, 2, axes, "1", "count");
    carom_record_scalar(record, "/gap", 2.385, "m", "gap");
    carom_record_scalar(record, "/x/gap_error", 0.125, "m", "error");
    carom_record_scalar(record, "/largest", 0.5, "m", "largest");
    carom_record_scalar(record, "/error", 0.25, "m", "error");
    return record;
}

TEST(unit, names_that_are_not_wanted_are_left_out_but_axes_stay) {
    static const char *const present[] = {"/a", "/b", "/plane", "/x/gap_error"};
    static const char *const absent[] = {"/cube", "/gap", "/largest", "/error"};
    assert_ok(carom_record_commit(write_partly(6.0), NULL));
    carom_reader *reader = scratch_open("r.h5");
    carom_dataset found;
    for (int i = 0; i < 4; i++) {
        assert_ok(carom_reader_dataset(reader, present[i], &found));
        carom_dataset_clear(&found);
    }
    for (int i = 0; i < 4; i++) {
        assert_status(carom_reader_dataset(reader, absent[i], &found), NOT_FOUND);
    }
    carom_reader_close(reader);
}

TEST(errors, what_is_left_out_is_refused_as_what_is_written) {
    assert_fails(write_partly(NAN), CAROM_STATUS_NOT_FINITE);
}
