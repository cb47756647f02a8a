#include "scratch.h"

#include <carom/record/expression.h>
#include <carom/record/reader.h>
#include <hdf5.h>
#include <hdf5_hl.h>
#include <limits.h>

FIXTURE(scratch_setup, scratch_teardown);

static carom_reader *reader;

static void open_sample(void) {
    char path[SCRATCH_PATH_SIZE];
    scratch_make_record("ball.h5", 2.385);
    assert_ok(carom_reader_open(scratch_path("ball.h5", path), &reader));
}

/* What other programs write and we never do, made with HDF5 directly. */
static void open_foreign(void) {
    char path[SCRATCH_PATH_SIZE];
    const hid_t file =
        H5Fcreate(scratch_path("foreign.h5", path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const hsize_t cube[3] = {2, 2, 2};
    const hsize_t huge[2] = {INT_MAX, INT_MAX};
    const hsize_t beyond[1] = {(hsize_t)INT_MAX + 1};
    const hsize_t none[1] = {0};
    const hsize_t two[1] = {2};
    const hid_t variable = H5Tcopy(H5T_C_S1);
    H5Tset_size(variable, H5T_VARIABLE);
    const hid_t padded = H5Tcopy(H5T_C_S1);
    H5Tset_size(padded, 5);
    H5Tset_strpad(padded, H5T_STR_SPACEPAD);
    const struct {
        const char *name;
        hid_t type;
        hid_t space;
    } datasets[] = {
        {"cube", H5T_IEEE_F64BE, H5Screate_simple(3, cube, NULL)},
        {"huge", H5T_STD_I8LE, H5Screate_simple(2, huge, NULL)},
        {"beyond", H5T_IEEE_F32LE, H5Screate_simple(1, beyond, NULL)},
        {"empty", H5T_IEEE_F32LE, H5Screate_simple(1, none, NULL)},
        {"null", H5T_IEEE_F64LE, H5Screate(H5S_NULL)},
        {"big_endian", H5T_STD_I16BE, H5Screate(H5S_SCALAR)},
        {"variable", variable, H5Screate(H5S_SCALAR)},
        {"unset", variable, H5Screate(H5S_SCALAR)},
        {"padded", padded, H5Screate(H5S_SCALAR)},
        {"texts", variable, H5Screate_simple(1, two, NULL)},
    };
    for (size_t i = 0; i < sizeof datasets / sizeof datasets[0]; ++i) {
        const hid_t dataset = H5Dcreate2(file, datasets[i].name, datasets[i].type,
                                         datasets[i].space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        ck_assert_int_ge(dataset, 0);
        const short number = -1234;
        const char *text = "of any length";
        if (strcmp(datasets[i].name, "big_endian") == 0) {
            H5Dwrite(dataset, H5T_NATIVE_SHORT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &number);
        }
        if (strcmp(datasets[i].name, "variable") == 0) {
            H5Dwrite(dataset, variable, H5S_ALL, H5S_ALL, H5P_DEFAULT, &text);
        }
        if (strcmp(datasets[i].name, "padded") == 0) {
            H5Dwrite(dataset, padded, H5S_ALL, H5S_ALL, H5P_DEFAULT, "ab   ");
        }
        H5Dclose(dataset);
        H5Sclose(datasets[i].space);
    }
    H5Tclose(padded);
    H5Tclose(variable);
    H5Fclose(file);
    assert_ok(carom_reader_open(path, &reader));
}

static void assert_number(const char *path, double expected) {
    double value = 0.0;
    assert_ok(carom_reader_number(reader, path, &value));
    assert_close(value, expected, 0.0, 0.0);
}

TEST(unit, numbers_are_found_by_index_from_both_ends) {
    open_sample();
    assert_number("/parameters/mass", 2.385);
    assert_number("/ball/time[1]", 0.137);
    assert_number("/ball/time[-3]", 0.0);
    assert_number("/ball/gap[1,1]", 3.602218);
    assert_number("/ball/gap[-1,-1]", -7.25);
    assert_number("/ball/gap[0,-1]", -1.0e-17);
    assert_number("/ball/active[1,0]", -2147483647.0);
    carom_reader_close(reader);
}

TEST(unit, foreign_types_are_converted) {
    open_foreign();
    assert_number("/big_endian", -1234.0);
    char text[32];
    assert_ok(carom_reader_text(reader, "/variable", (int)sizeof text, text));
    ck_assert_str_eq(text, "of any length");
    assert_ok(carom_reader_text(reader, "/unset", (int)sizeof text, text));
    ck_assert_str_eq(text, "");
    assert_ok(carom_reader_text(reader, "/padded", (int)sizeof text, text));
    ck_assert_str_eq(text, "ab");
    carom_dataset dataset;
    assert_ok(carom_reader_dataset(reader, "/empty", &dataset));
    ck_assert_int_eq(dataset.rows, 0);
    ck_assert_str_eq(dataset.units, "");
    carom_dataset_clear(&dataset);
    carom_reader_close(reader);
}

TEST(property, every_element_is_the_one_of_the_whole_dataset) {
    open_sample();
    carom_dataset gap;
    assert_ok(carom_reader_dataset(reader, "/ball/gap", &gap));
    for (int i = 0; i < gap.rows; ++i) {
        for (int j = 0; j < gap.columns; ++j) {
            char path[64];
            snprintf(path, sizeof path, "/ball/gap[%d,%d]", i - gap.rows, j);
            assert_number(path, gap.values[i * gap.columns + j]);
        }
    }
    carom_dataset_clear(&gap);
    carom_reader_close(reader);
}

/* A number of a set, where bare paths are in the record `name`. */
static carom_status number_of_set(carom_record_set *set, const char *name, const char *text,
                                  double *value) {
    carom_record_choice choice = {set, name};
    const carom_expression_scope scope = {.read = carom_record_set_read, .context = &choice};
    carom_expression_result result;
    const carom_status status = carom_expression_number(text, &scope, &result, NULL);
    *value = status == CAROM_OK ? result.number : (double)NAN;
    return status;
}

TEST(unit, a_set_opens_the_records_that_are_asked_for) {
    scratch_make_record("one.h5", 1.25);
    scratch_make_record("two.h5", 2.5);
    carom_record_set *set = NULL;
    double value = 0.0;
    assert_ok(carom_record_set_alloc(scratch_folder, &set));
    for (int repetition = 0; repetition < 2; ++repetition) {
        assert_ok(number_of_set(set, "one", "/parameters/mass", &value));
        assert_close(value, 1.25, 0.0, 0.0);
        assert_ok(number_of_set(set, "one", "two:/parameters/mass", &value));
        assert_close(value, 2.5, 0.0, 0.0);
    }
    carom_record_set_free(set);
    carom_record_set_free(NULL);
}

TEST(errors, a_set_says_why_a_number_cannot_be_had) {
    scratch_make_record("one.h5", 1.25);
    scratch_write("text.h5", "not HDF5", 8);
    char long_name[400];
    memset(long_name, 'a', sizeof long_name);
    long_name[300] = ':';
    long_name[399] = '\0';
    const struct {
        const char *reference;
        carom_status status;
    } cases[] = {
        {"/parameters/none", CAROM_STATUS_NOT_FOUND},
        {"/ball/time[3]", CAROM_STATUS_OUT_OF_RANGE},
        {"/ball/time", CAROM_STATUS_CONFLICT},
        {"none:/parameters/mass", CAROM_STATUS_IO},
        {"text:/parameters/mass", CAROM_STATUS_BAD_FORMAT},
        {"../one:/parameters/mass", CAROM_STATUS_BAD_FORMAT},
        {":/parameters/mass", CAROM_STATUS_BAD_FORMAT},
        {"one:parameters/mass", CAROM_STATUS_NOT_FOUND},
        {"", CAROM_STATUS_BAD_FORMAT},
        {long_name, CAROM_STATUS_BAD_FORMAT},
    };
    carom_record_set *set = NULL;
    assert_ok(carom_record_set_alloc(scratch_folder, &set));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        double value = 7.0;
        const carom_status status = number_of_set(set, "one", cases[i].reference, &value);
        ck_assert_msg(status == cases[i].status, "\"%s\" gave %s", cases[i].reference,
                      carom_status_name(status));
        ck_assert(isnan(value));
    }
    double value = 7.0;
    long_name[300] = '\0';
    assert_status(number_of_set(set, long_name, "/a", &value), BAD_FORMAT);
    carom_record_set_free(set);

    /* A folder whose name leaves no room for the file. */
    static char folder[5000];
    memset(folder, 'a', sizeof folder - 1);
    assert_ok(carom_record_set_alloc(folder, &set));
    assert_status(number_of_set(set, "one", "/a", &value), IO);
    carom_record_set_free(set);
}

TEST(errors, files_that_are_no_records_are_refused) {
    char path[SCRATCH_PATH_SIZE];
    carom_reader *none = NULL;
    assert_status(carom_reader_open(scratch_path("none.h5", path), &none), IO);
    assert_status(carom_reader_open(scratch_folder, &none), IO);
    scratch_write("text.h5", "id,paper\n", 9);
    assert_status(carom_reader_open(scratch_path("text.h5", path), &none), BAD_FORMAT);
    scratch_write("empty.h5", "", 0);
    assert_status(carom_reader_open(scratch_path("empty.h5", path), &none), BAD_FORMAT);

    /* The first half of a record. */
    carom_text_buffer bytes = {0};
    scratch_make_record("ball.h5", 2.385);
    assert_ok(
        carom_text_buffer_load(&bytes, scratch_path("ball.h5", path), CAROM_TEXT_FILE_MOST_BYTES));
    scratch_write("half.h5", bytes.text, bytes.length / 2);
    assert_status(carom_reader_open(scratch_path("half.h5", path), &none), BAD_FORMAT);
    carom_text_buffer_clear(&bytes);
    ck_assert_ptr_null(none);
    carom_reader_close(NULL);
}

TEST(errors, datasets_that_cannot_be_read_are_refused) {
    open_sample();
    carom_dataset dataset;
    assert_status(carom_reader_dataset(reader, "/ball/none", &dataset), NOT_FOUND);
    ck_assert_ptr_null(dataset.values);
    assert_status(carom_reader_dataset(reader, "/none/gap", &dataset), NOT_FOUND);
    assert_status(carom_reader_dataset(reader, "/ball", &dataset), BAD_FORMAT);
    assert_status(carom_reader_dataset(reader, "ball/gap", &dataset), BAD_FORMAT);
    assert_status(carom_reader_dataset(reader, "/parameters/scheme", &dataset), BAD_FORMAT);
    carom_reader_close(reader);
    open_foreign();
    assert_status(carom_reader_dataset(reader, "/cube", &dataset), BAD_FORMAT);
    assert_status(carom_reader_dataset(reader, "/null", &dataset), BAD_FORMAT);
    assert_status(carom_reader_dataset(reader, "/beyond", &dataset), BAD_FORMAT);
    assert_status(carom_reader_dataset(reader, "/huge", &dataset), OUT_OF_MEMORY);
    ck_assert_ptr_null(dataset.values);
    carom_reader_close(reader);
}

/* HDF5 itself would read and write beyond such a number. */
LOOP_TEST(errors, numbers_of_no_bits_or_of_more_than_they_have_room_for_are_refused, 2) {
    // The integers of 32 bits of a file: kind, sign, 4 bytes, from bit 0, 32 bits.
    const unsigned char type[] = {0x10, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0};
    const hsize_t one = 1;
    const int number = 7;
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer bytes = {0};
    const hid_t file =
        H5Fcreate(scratch_path("bits.h5", path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(H5LTmake_dataset_int(file, "number", 1, &one, &number), 0);
    H5Fclose(file);
    assert_ok(carom_text_buffer_load(&bytes, path, CAROM_TEXT_FILE_MOST_BYTES));
    size_t at = 0;
    while (at + sizeof type <= bytes.length && memcmp(bytes.text + at, type, sizeof type) != 0) {
        at++;
    }
    ck_assert_uint_le(at + sizeof type, bytes.length);
    bytes.text[at + sizeof type - 2] = _i == 0 ? 0 : 33;
    scratch_write("bits.h5", bytes.text, bytes.length);
    carom_text_buffer_clear(&bytes);
    carom_dataset dataset;
    assert_ok(carom_reader_open(path, &reader));
    assert_status(carom_reader_dataset(reader, "/number", &dataset), BAD_FORMAT);
    carom_reader_close(reader);
}

TEST(errors, paths_that_are_not_one_number_are_refused) {
    open_sample();
    double value = 0.0;
    assert_status(carom_reader_number(reader, "/ball/none", &value), NOT_FOUND);
    assert_status(carom_reader_number(reader, "/ball/none[0]", &value), NOT_FOUND);
    assert_status(carom_reader_number(reader, "/ball/time[3]", &value), OUT_OF_RANGE);
    assert_status(carom_reader_number(reader, "/ball/time[-4]", &value), OUT_OF_RANGE);
    assert_status(carom_reader_number(reader, "/ball/gap[0,2]", &value), OUT_OF_RANGE);
    assert_status(carom_reader_number(reader, "ball/time[0]", &value), NOT_FOUND);
    assert_status(carom_reader_number(reader, "other:/ball/time[0]", &value), IO);
    static const char *const series[] = {"/ball/time", "/ball/gap[:,0]", "/ball/gap[0,:]",
                                         "/ball/time[:]"};
    for (size_t i = 0; i < sizeof series / sizeof series[0]; ++i) {
        assert_status(carom_reader_number(reader, series[i], &value), CONFLICT);
    }
    static const char *const malformed[] = {
        "/ball/time[0,0]",    "/ball/gap[0]", "/ball",          "/parameters/mass[0]",
        "/parameters/scheme", "/ball/time[0", "/ball/time[0]]", "/parameters/scheme[0]"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; ++i) {
        const carom_status status = carom_reader_number(reader, malformed[i], &value);
        ck_assert_msg(status == CAROM_STATUS_BAD_FORMAT, "%s gave %s", malformed[i],
                      carom_status_name(status));
    }
    carom_reader_close(reader);
}

TEST(errors, texts_that_cannot_be_read_are_refused) {
    open_sample();
    char text[12];
    assert_ok(carom_reader_text(reader, "/parameters/scheme", (int)sizeof text, text));
    ck_assert_str_eq(text, "moreau_jean");
    assert_status(carom_reader_text(reader, "/parameters/scheme", 11, text), OUT_OF_RANGE);
    assert_status(carom_reader_text(reader, "/parameters/none", 12, text), NOT_FOUND);
    assert_status(carom_reader_text(reader, "/none@units", 12, text), NOT_FOUND);
    assert_status(carom_reader_text(reader, "/ball/gap@none", 12, text), NOT_FOUND);
    assert_status(carom_reader_text(reader, "/@seed", 12, text), BAD_FORMAT);
    assert_status(carom_reader_text(reader, "/ball/gap", 12, text), BAD_FORMAT);
    assert_status(carom_reader_text(reader, "/ball", 12, text), BAD_FORMAT);
    assert_status(carom_reader_text(reader, "@title", 12, text), BAD_FORMAT);
    char long_path[600];
    memset(long_path, 'a', sizeof long_path);
    long_path[0] = '/';
    long_path[500] = '@';
    long_path[599] = '\0';
    assert_status(carom_reader_text(reader, long_path, 12, text), BAD_FORMAT);
    carom_reader_close(reader);
    open_foreign();
    assert_status(carom_reader_text(reader, "/texts", 12, text), BAD_FORMAT);
    carom_reader_close(reader);
}
