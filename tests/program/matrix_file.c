#include "../failing_malloc.h"
#include "capture.h"

#include <carom/program/internal.h>

/** What one reading gave. */
typedef struct reading {
    char path[256];
    int size;
    double *values;
    char defect[CAROM_MATRIX_FILE_DEFECT_SIZE];
    carom_status status;
} reading;

typedef carom_status (*reader)(const char *path, int *size, double **values, char *defect);

/** Read a file of these bytes, with a given or an inferred (0) size. */
static reading read_bytes(reader read, int size, const char *bytes, size_t count) {
    reading got = {.size = size};
    scratch folder = scratch_make();
    write_bytes(scratch_path(&folder, "M.txt", got.path), bytes, count);
    got.status = read(got.path, &got.size, &got.values, got.defect);
    scratch_remove(&folder, "M.txt");
    return got;
}

static reading read_text(reader read, int size, const char *text) {
    return read_bytes(read, size, text, strlen(text));
}

/** A text is accepted and holds exactly these numbers. */
static void assert_read(reader read, int given, const char *text, int size, int count,
                        const double *expected) {
    reading got = read_text(read, given, text);
    ck_assert_str_eq(got.defect, "");
    ck_assert_int_eq(got.status, CAROM_OK);
    ck_assert_int_eq(got.size, size);
    for (int i = 0; i < count; i++) {
        assert_close(got.values[i], expected[i], 0.0, 0.0);
    }
    free(got.values);
}

/** A text is refused with this sentence; nothing is handed out. */
static void assert_refused(reader read, int given, const char *text, const char *defect) {
    const reading got = read_text(read, given, text);
    ck_assert_str_eq(got.defect, defect);
    ck_assert_int_eq(got.status, CAROM_STATUS_BAD_FORMAT);
    ck_assert_ptr_null(got.values);
    ck_assert_int_eq(got.size, given);
}

static const double numbers[] = {2.385, -1.5, 0.25, 7.125, 3e-4, -6.0, 1e5, 0.0, 0.5};

TEST(unit, a_matrix_is_read_row_by_row) {
    assert_read(carom_matrix_file_square, 0, "2.385 -1.5 .25\n7.125 3e-4 -6\n1e5 0 +0.5\n", 3, 9,
                numbers);
    assert_read(carom_matrix_file_square, 3, "2.385 -1.5 .25\n7.125 3e-4 -6\n1e5 0 +0.5", 3, 9,
                numbers);
    assert_read(carom_matrix_file_square, 0, "2.385", 1, 1, numbers);
}

TEST(unit, commas_comments_and_empty_lines_are_allowed) {
    assert_read(carom_matrix_file_square, 0,
                "# mass, kg\n\n  2.385,-1.5 ,\t0.25,\r\n7.125 3e-4, -6 # second\n   \n"
                "1e5,0,.5,#third\n\n",
                3, 9, numbers);
}

TEST(unit, a_vector_may_be_broken_anywhere) {
    assert_read(carom_matrix_file_vector, 0, "2.385, -1.5,\n.25\n\n7.125 3e-4 -6 1e5 0 0.5\n", 9, 9,
                numbers);
    assert_read(carom_matrix_file_vector, 4, "2.385\n-1.5\n.25\n7.125", 4, 4, numbers);
}

TEST(unit, the_sentence_is_optional) {
    scratch folder = scratch_make();
    char path[256];
    write_bytes(scratch_path(&folder, "M.txt", path), "1 2", 3);
    int size = 0;
    double *values = NULL;
    assert_status(carom_matrix_file_square(path, &size, &values, NULL), BAD_FORMAT);
    assert_ok(carom_matrix_file_vector(path, &size, &values, NULL));
    free(values);
    scratch_remove(&folder, "M.txt");
}

TEST(property, a_large_matrix_survives_its_decimal_text) {
    // Seventeen digits identify a double (IEEE 754): the values come back exactly.
    enum { SIZE = 40 };
    static char text[SIZE * SIZE * 32];
    double expected[SIZE * SIZE];
    const unsigned long seed = 1710;
    gsl_rng *generator = seeded_generator(seed);
    size_t length = 0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        expected[i] = ldexp(uniform(generator, -1.0, 1.0), (int)uniform(generator, -900.0, 900.0));
        length += (size_t)snprintf(text + length, sizeof text - length, "%.17g%s", expected[i],
                                   i % SIZE == SIZE - 1 ? "\n" : " ");
    }
    gsl_rng_free(generator);
    assert_read(carom_matrix_file_square, 0, text, SIZE, SIZE * SIZE, expected);
}

TEST(errors, missing_and_extra_numbers_are_named_with_their_row) {
    assert_refused(carom_matrix_file_square, 0, "1 2\n3 4 5\n",
                   "line 2: row 2 has 3 numbers, 2 expected");
    assert_refused(carom_matrix_file_square, 0, "# M\n\n1 2 3\n4 5 6\n\n7\n",
                   "line 6: row 3 has 1 number, 3 expected");
    assert_refused(carom_matrix_file_square, 5, "1 2 3 4\n",
                   "line 1: row 1 has 4 numbers, 5 expected");
    assert_refused(carom_matrix_file_square, 0, "1 2 3\n4 5 6\n", "2 rows, 3 expected");
    assert_refused(carom_matrix_file_square, 2, "1 2\n4 5\n6 7\n", "3 rows, 2 expected");
    assert_refused(carom_matrix_file_square, 0, "1 2 3\n", "1 row, 3 expected");
    assert_refused(carom_matrix_file_vector, 3, "1 2\n", "2 numbers, 3 expected");
    assert_refused(carom_matrix_file_vector, 3, "1", "1 number, 3 expected");
    assert_refused(carom_matrix_file_vector, 3, "1 2 3 4", "4 numbers, 3 expected");
}

TEST(errors, what_is_no_finite_number_is_named_with_its_place) {
    assert_refused(carom_matrix_file_square, 0, "1 2\n\n3 4x\n",
                   "line 3: row 2, entry 2, \"4x\" is not a number");
    assert_refused(carom_matrix_file_square, 0, "0x1p3",
                   "line 1: row 1, entry 1, \"0x1p3\" is not a number");
    assert_refused(carom_matrix_file_square, 0, "1 nan\n",
                   "line 1: row 1, entry 2, \"nan\" is not finite");
    assert_refused(carom_matrix_file_square, 0, "1\n-1e999",
                   "line 2: row 2, entry 1, \"-1e999\" is not finite");
    assert_refused(carom_matrix_file_vector, 0, "1;2",
                   "line 1: row 1, entry 1, \"1;2\" is not a number");
    assert_refused(carom_matrix_file_vector, 0, "1,,2", "line 1: row 1, entry 2 is empty");
    assert_refused(carom_matrix_file_vector, 0, "3\n ,2", "line 2: row 2, entry 1 is empty");
    // A long or strange text is shown as far as it fits and can be printed.
    assert_refused(carom_matrix_file_vector, 0,
                   "\x01\xc3zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz",
                   "line 1: row 1, entry 1, \"??zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz...\""
                   " is not a number");
}

TEST(errors, files_without_numbers_are_refused) {
    assert_refused(carom_matrix_file_square, 0, "", "there are no numbers in it");
    assert_refused(carom_matrix_file_square, 0, "# nothing\n\n", "there are no numbers in it");
    assert_refused(carom_matrix_file_vector, 0, "\n", "there are no numbers in it");
    const reading binary = read_bytes(carom_matrix_file_square, 0, "1 \0 2", 5);
    ck_assert_str_eq(binary.defect, "is not a text file");
    ck_assert_int_eq(binary.status, CAROM_STATUS_BAD_FORMAT);
}

TEST(errors, a_file_that_cannot_be_read_says_so) {
    const char *paths[] = {"/nowhere/at/all", "/"};
    for (int i = 0; i < 2; i++) {
        reading got = {.size = 0};
        assert_status(carom_matrix_file_square(paths[i], &got.size, &got.values, got.defect), IO);
        ck_assert_str_eq(got.defect, i == 0 ? "cannot be read: No such file or directory"
                                            : "cannot be read: Is a directory");
        ck_assert_ptr_null(got.values);
    }
}

TEST(errors, a_file_that_never_ends_is_given_up) {
    reading got = {.size = 0};
    assert_status(carom_matrix_file_square("/dev/zero", &got.size, &got.values, got.defect),
                  BAD_FORMAT);
    ck_assert_str_eq(got.defect, "is too large for a matrix: more than 268435456 bytes");
    // Nor does it eat memory that is not there: a failed allocation ends it.
    successes_left = 2;
    const carom_status status =
        carom_matrix_file_square("/dev/zero", &got.size, &got.values, got.defect);
    successes_left = -1;
    ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
}

TEST(errors, every_allocation_may_fail) {
    scratch folder = scratch_make();
    char path[256];
    write_bytes(scratch_path(&folder, "M.txt", path), "1 2\n3 4\n", 8);
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    reading got = {.size = 0};
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_matrix_file_square(path, &got.size, &got.values, got.defect);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(got.values);
            ck_assert_str_eq(got.defect, "there is no memory for it");
        }
    }
    free(got.values);
    // The text and the numbers.
    ck_assert_int_eq(failures, 3);
    scratch_remove(&folder, "M.txt");
}
