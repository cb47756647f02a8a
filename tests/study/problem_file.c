#include "../failing_malloc.h"
#include "../program/capture.h"

#include <carom/study/problem_file.h>

/** What one reading gave. */
typedef struct reading {
    carom_problem_file *file;
    char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE];
    carom_status status;
} reading;

static reading parse(const char *text) {
    reading got;
    got.status = carom_problem_file_parse(text, strlen(text), &got.file, got.defect);
    return got;
}

/** A text is refused with this sentence; nothing is handed out. */
static void assert_refused(const char *text, const char *defect) {
    const reading got = parse(text);
    ck_assert_str_eq(got.defect, defect);
    ck_assert_int_eq(got.status, CAROM_STATUS_BAD_FORMAT);
    ck_assert_ptr_null(got.file);
}

/** A text is accepted. */
static carom_problem_file *accept(const char *text) {
    const reading got = parse(text);
    ck_assert_str_eq(got.defect, "");
    ck_assert_int_eq(got.status, CAROM_OK);
    ck_assert_ptr_nonnull(got.file);
    return got.file;
}

/** Two contacts in the plane, three velocities; the numbers are arbitrary. */
#define MASS "mass\n2.385 0.25 0\n0.25 1.75 -0.5\n0 -0.5 3.125\n"
#define NORMAL "normal\n0.25 1 -0.75\n0.125 1 0.625\n"
#define TANGENTIAL "tangential\n1 0.375 0.5\n1.5 0 -0.25\n"
#define FRICTION "friction\n0.3 1.25\n"
#define VELOCITY "velocity\n0.75 -1.5 0.125\n"
#define WHOLE MASS NORMAL TANGENTIAL FRICTION VELOCITY

static const double mass[] = {2.385, 0.25, 0.0, 0.25, 1.75, -0.5, 0.0, -0.5, 3.125};
static const double jacobian[] = {0.25, 1.0,   -0.75, 0.125, 1.0, 0.625,
                                  1.0,  0.375, 0.5,   1.5,   0.0, -0.25};
static const double friction[] = {0.3, 1.25};
static const double velocity[] = {0.75, -1.5, 0.125};

static void assert_numbers(int count, const double *actual, const double *expected) {
    for (int i = 0; i < count; i++) {
        assert_close(actual[i], expected[i], 0.0, 0.0);
    }
}

/** The file holds the numbers above; it is freed. */
static void assert_whole(carom_problem_file *file) {
    const carom_impact_problem *p = file->problem;
    ck_assert_int_eq(p->coordinate_count, 3);
    ck_assert_int_eq(p->contact_count, 2);
    ck_assert_int_eq(p->tangent_count, 1);
    assert_numbers(9, p->mass, mass);
    assert_numbers(12, p->contact_jacobian, jacobian);
    assert_numbers(2, p->friction, friction);
    assert_numbers(3, p->velocity, velocity);
    carom_problem_file_free(file);
}

TEST(unit, sections_may_stand_in_any_order) {
    assert_whole(accept(WHOLE));
    assert_whole(accept(VELOCITY FRICTION TANGENTIAL NORMAL MASS));
    assert_whole(accept(NORMAL VELOCITY MASS FRICTION TANGENTIAL));
}

TEST(unit, commas_comments_blanks_and_other_line_ends_are_allowed) {
    assert_whole(accept("# a problem\r\n\r\n  mass # kg\r\n2.385,.25, 0\r\n\t.25 1.75,-5e-1,\r\n"
                        "0 -0.5\t3.125 # last row\r\nnormal\r\n0.25,1,-0.75\r\n.125 1 .625\r\n"
                        "tangential\n1 .375 .5\n1.5, 0, -.25\n\nfriction\n# floor\n0.3\n# wall\n"
                        "1.25\nvelocity\n0.75\n-1.5\n\n0.125"));
}

TEST(unit, a_byte_order_mark_is_skipped) {
    const scratch folder = scratch_make();
    char path[256];
    const char text[] = "\xEF\xBB\xBF" WHOLE;
    write_bytes(scratch_path(&folder, "marked.txt", path), text, sizeof text - 1);
    carom_problem_file *file = NULL;
    assert_ok(carom_problem_file_read(path, &file, NULL));
    assert_whole(file);
    scratch_remove(&folder, "marked.txt");
}

TEST(unit, one_coefficient_of_friction_serves_all_contacts) {
    carom_problem_file *file = accept(MASS NORMAL TANGENTIAL VELOCITY "friction\n0.7\n");
    assert_close(file->problem->friction[0], 0.7, 0.0, 0.0);
    assert_close(file->problem->friction[1], 0.7, 0.0, 0.0);
    carom_problem_file_free(file);
}

TEST(unit, twice_as_many_tangential_rows_mean_space) {
    carom_problem_file *file =
        accept(MASS NORMAL FRICTION VELOCITY "tangential\n1 0 0\n0 0 1\n0.5 0.25 0\n0 0.125 2\n");
    ck_assert_int_eq(file->problem->tangent_count, 2);
    ck_assert_int_eq(file->problem->contact_count, 2);
    // Contact by contact: the last row is the second tangent of the second contact.
    const double last[] = {0.0, 0.125, 2.0};
    assert_numbers(3, file->problem->contact_jacobian + 5 * 3, last);
    carom_problem_file_free(file);
}

TEST(unit, contacts_without_friction_need_no_tangents) {
    static const char *const texts[] = {MASS NORMAL VELOCITY, MASS NORMAL VELOCITY "friction\n0\n",
                                        MASS NORMAL VELOCITY "friction\n0\n0\n"};
    for (int k = 0; k < 3; k++) {
        carom_problem_file *file = accept(texts[k]);
        const carom_impact_problem *p = file->problem;
        ck_assert_int_eq(p->tangent_count, 1);
        ck_assert_int_eq(p->row_count, 4);
        assert_numbers(6, p->contact_jacobian, jacobian);
        for (int i = 0; i < 6; i++) {
            assert_close(p->contact_jacobian[6 + i], 0.0, 0.0, 0.0);
        }
        assert_close(p->friction[0], 0.0, 0.0, 0.0);
        assert_close(p->friction[1], 0.0, 0.0, 0.0);
        carom_problem_file_free(file);
    }
}

TEST(unit, the_smallest_problem_has_one_of_everything) {
    carom_problem_file *file =
        accept("mass\n2\nnormal\n1\ntangential\n0.5\nfriction\n0\nvelocity\n-1");
    ck_assert_int_eq(file->problem->coordinate_count, 1);
    ck_assert_int_eq(file->problem->contact_count, 1);
    ck_assert_ptr_null(file->names);
    // C = J M^-1 J', K = m v^2 / 2.
    assert_close(file->problem->delassus_matrix[0], 0.5, 1e-15, 0.0);
    assert_close(file->problem->kinetic_energy, 1.0, 1e-15, 0.0);
    carom_problem_file_free(file);
}

TEST(unit, contacts_may_have_names) {
    carom_problem_file *file = accept(WHOLE "names\nfloor, wall_2\n");
    ck_assert_str_eq(file->names[0], "floor");
    ck_assert_str_eq(file->names[1], "wall_2");
    assert_whole(file);
    file = accept("names\nA\nB\n" WHOLE);
    ck_assert_str_eq(file->names[1], "B");
    assert_whole(file);
}

TEST(unit, a_file_is_read_as_its_text) {
    scratch folder = scratch_make();
    char path[256];
    carom_problem_file *file = NULL;
    char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE] = "old";
    write_bytes(scratch_path(&folder, "p.txt", path), WHOLE, strlen(WHOLE));
    assert_ok(carom_problem_file_read(path, &file, defect));
    ck_assert_str_eq(defect, "");
    assert_whole(file);
    assert_ok(carom_problem_file_read(path, &file, NULL));
    assert_whole(file);
    scratch_remove(&folder, "p.txt");
}

TEST(property, numbers_survive_their_decimal_text) {
    // Seventeen digits identify a double (IEEE 754): the values come back exactly.
    enum { N = 24, M = 7 };
    static char text[64 * N * (N + 3 * M) + 1024];
    static double rows[(N + 3 * M) * N];
    const unsigned long seed = 2303;
    gsl_rng *generator = seeded_generator(seed);
    for (int i = 0; i < (N + 3 * M) * N; i++) {
        rows[i] = uniform(generator, -1.0, 1.0);
    }
    // Symmetric and, by its diagonal, positive definite.
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            rows[i * N + j] = rows[j * N + i];
        }
        rows[i * N + i] += N;
    }
    size_t length = 0;
    for (int i = 0; i < N + 3 * M; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s",
                                   i == 0       ? "mass\n"
                                   : i == N     ? "normal\n"
                                   : i == N + M ? "tangential\n"
                                                : "");
        for (int j = 0; j < N; j++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "%.17g%c",
                                       rows[i * N + j], j == N - 1 ? '\n' : ' ');
        }
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "friction\n0.5\nvelocity\n");
    for (int j = 0; j < N; j++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%.17g\n", rows[j]);
    }
    gsl_rng_free(generator);
    carom_problem_file *file = accept(text);
    ck_assert_int_eq(file->problem->tangent_count, 2);
    assert_numbers(N * N, file->problem->mass, rows);
    assert_numbers(3 * M * N, file->problem->contact_jacobian, rows + N * N);
    assert_numbers(N, file->problem->velocity, rows);
    carom_problem_file_free(file);
}

TEST(errors, missing_double_and_empty_sections_are_named) {
    assert_refused(NORMAL TANGENTIAL FRICTION VELOCITY, "there is no section mass");
    assert_refused(MASS TANGENTIAL FRICTION VELOCITY, "there is no section normal");
    assert_refused(MASS NORMAL FRICTION VELOCITY, "there is no section tangential");
    assert_refused(MASS NORMAL VELOCITY "friction\n0 0.25\n", "there is no section tangential");
    assert_refused(MASS NORMAL TANGENTIAL VELOCITY, "there is no section friction");
    assert_refused(MASS NORMAL TANGENTIAL FRICTION, "there is no section velocity");
    assert_refused(MASS VELOCITY MASS, "line 7: second section mass, the first is in line 1");
    assert_refused(WHOLE "names\na b\nnames\n", "line 17: second section names, the first is in "
                                                "line 15");
    assert_refused(MASS "normal\n# none\n" TANGENTIAL FRICTION VELOCITY,
                   "line 5: section normal is empty: no contacts");
    assert_refused("velocity\n" MASS NORMAL TANGENTIAL FRICTION, "line 1: section velocity is "
                                                                 "empty");
    assert_refused(WHOLE "names\n", "line 15: section names is empty");
    assert_refused("", "is empty");
    assert_refused("# nothing\n\n", "there is no section mass");
}

TEST(errors, words_that_are_no_sections_are_named) {
    assert_refused("Mass\n1\n",
                   "line 1: \"Mass\" is no section; sections are mass, normal, tangential, "
                   "friction, velocity, names");
    assert_refused(MASS "frcition\n0.3\n",
                   "line 5: \"frcition\" is no section; sections are mass, normal, tangential, "
                   "friction, velocity, names");
    assert_refused("\n1 2 3\n", "line 2: \"1\" stands before any section; sections are mass, "
                                "normal, tangential, friction, velocity, names");
    assert_refused("mass 3\n", "line 1: \"mass\" must stand alone on its line, \"3\" follows");
    assert_refused("mass\n1\nvelocity -1\n",
                   "line 3: \"velocity\" must stand alone on its line, \"-1\" follows");
}

TEST(errors, entries_that_are_no_numbers_are_named_with_their_place) {
    assert_refused("mass\n2 x1\n", "line 2: row 1 of mass, entry 2, \"x1\" is not a number");
    assert_refused("mass\n2 0\n0 1e999\n", "line 3: row 2 of mass, entry 2, \"1e999\" is not "
                                           "finite");
    assert_refused("mass\nnan\n", "line 2: row 1 of mass, entry 1, \"nan\" is not finite");
    assert_refused("normal\n0 -inf\n", "line 2: row 1 of normal, entry 2, \"-inf\" is not finite");
    assert_refused("mass\n0x10 1\n", "line 2: row 1 of mass, entry 1, \"0x10\" is not a number");
    assert_refused("mass\n1,,2\n", "line 2: row 1 of mass, entry 2 is empty");
    assert_refused("friction\n0.5\n1 0.3.1\n", "line 3: friction, entry 3, \"0.3.1\" is not a "
                                               "number");
    assert_refused("velocity\n1 2 \x01\xFF\n", "line 2: velocity, entry 3, \"??\" is not a number");
    assert_refused("velocity\n1;2\n", "line 2: velocity, entry 1, \"1;2\" is not a number");
    assert_refused(
        "velocity\n1 1234567890123456789012345678901234567890abc\n",
        "line 2: velocity, entry 2, \"1234567890123456789012345678901234567890...\" is not a "
        "number");
}

TEST(errors, rows_and_sizes_that_disagree_are_named) {
    assert_refused("mass\n1 0\n0 1 2\n", "line 3: row 2 of mass has 3 numbers, 2 expected");
    assert_refused("normal\n1 0 0\n1\n", "line 3: row 2 of normal has 1 number, 3 expected");
    assert_refused("mass\n1 0 0\n0 1 0\n" NORMAL TANGENTIAL FRICTION VELOCITY,
                   "line 1: mass has 2 rows of 3 numbers, 3 rows expected");
    assert_refused(MASS "normal\n1 0\n0 1\n" TANGENTIAL FRICTION VELOCITY,
                   "line 6: rows of normal have 2 numbers, 3 expected as in mass");
    assert_refused(MASS NORMAL "tangential\n1\n2\n" FRICTION VELOCITY,
                   "line 9: rows of tangential have 1 number, 3 expected as in mass");
    assert_refused(MASS NORMAL "tangential\n1 0 0\n0 1 0\n0 0 1\n" FRICTION VELOCITY,
                   "line 8: tangential has 3 rows, 2 (plane) or 4 (space) expected");
    assert_refused(MASS NORMAL TANGENTIAL "friction\n0.3 0.4 0.5\n" VELOCITY,
                   "line 11: friction has 3 numbers, 2 expected, one for each contact");
    assert_refused(MASS NORMAL TANGENTIAL FRICTION "velocity\n1 2\n",
                   "line 13: velocity has 2 numbers, 3 expected as in mass");
    assert_refused(WHOLE "names\nfloor\n", "line 15: names has 1 name, 2 expected, one for each "
                                           "contact");
}

TEST(errors, numbers_that_are_no_problem_are_named) {
    assert_refused("mass\n2 0.3\n0.25 1\nnormal\n0 1\ntangential\n1 0\nfriction\n1\nvelocity\n0 -1",
                   "line 3: mass is not symmetric: row 2, entry 1 is 0.25, row 1, entry 2 is 0.3");
    // Second pivot: 1 - 2^2/2 = -1.
    assert_refused("mass\n2 2\n2 1\nnormal\n0 1\ntangential\n1 0\nfriction\n1\nvelocity\n0 -1",
                   "line 3: mass is not positive definite: pivot -1 in row 2");
    assert_refused("mass\n0\nnormal\n1\ntangential\n0\nfriction\n1\nvelocity\n-1",
                   "line 2: mass is not positive definite: pivot 0 in row 1");
    assert_refused(MASS NORMAL TANGENTIAL VELOCITY "friction\n0.5\n-0.25\n",
                   "line 15: friction, entry 2, -0.25 is negative");
    // The coefficient is named, within its own section, even where one serves all contacts.
    assert_refused(MASS NORMAL TANGENTIAL VELOCITY "friction\n0.5\n1e8\n",
                   "line 15: friction, entry 2, 1e+08 is not in [0, 1e+07]");
    assert_refused(MASS NORMAL TANGENTIAL VELOCITY "friction\n1e8\n",
                   "line 14: friction, entry 1, 1e+08 is not in [0, 1e+07]");
    assert_refused("mass\n1e-300\nnormal\n1e200\ntangential\n0\nfriction\n1\nvelocity\n-1",
                   "the numbers are too large or too small: J M^-1 J', J v or v'M v is not "
                   "finite");
}

TEST(errors, a_comma_that_may_be_a_decimal_one_is_refused) {
    assert_refused(MASS NORMAL TANGENTIAL "friction # of both\n 1,5 # left\n" VELOCITY,
                   "line 12: friction: is the comma a decimal one? Write a point, or a blank after "
                   "it");
    const char *const clear[] = {"friction\n1, 5\n", "friction\n1 ,5\n", "friction\n1.0,5\n",
                                 "friction\n1 5\n", "friction\n1,\n5\n"};
    for (int i = 0; i < 5; i++) {
        char text[512];
        snprintf(text, sizeof text, MASS NORMAL TANGENTIAL VELOCITY "%s", clear[i]);
        carom_problem_file *file = accept(text);
        assert_close(file->problem->friction[0], 1.0, 0.0, 0.0);
        assert_close(file->problem->friction[1], 5.0, 0.0, 0.0);
        carom_problem_file_free(file);
    }
}

TEST(errors, names_that_are_none_are_refused) {
    assert_refused(WHOLE "names\nfloor 2nd\n",
                   "line 16: names, entry 2, \"2nd\" is no name of letters, digits and _");
    assert_refused(WHOLE "names\nfloor wall/left\n",
                   "line 16: names, entry 2, \"wall/left\" is no name of letters, digits and _");
    assert_refused(WHOLE "names\nfloor floor\n",
                   "line 16: names, entry 2, \"floor\" is the name of another contact");
    assert_refused(WHOLE "names\nabcdefghijklmnop b\n",
                   "line 16: names, entry 1, \"abcdefghijklmnop\" is too long for a name");
    assert_refused(WHOLE "names\na,,b\n", "line 16: names, entry 2 is empty");
}

TEST(errors, problems_beyond_the_limits_are_refused) {
    enum { MANY = CAROM_PROBLEM_FILE_MOST_CONTACTS + 1, WIDE = 513 };
    static char text[WIDE * WIDE * 2 + 4096];
    size_t length = (size_t)snprintf(text, sizeof text, "mass\n1\nvelocity\n1\nfriction\n1\n");
    const char *const keywords[] = {"normal\n", "tangential\n"};
    for (int k = 0; k < 2; k++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", keywords[k]);
        for (int i = 0; i < MANY; i++) {
            length += (size_t)snprintf(text + length, sizeof text - length, "1\n");
        }
    }
    assert_refused(text, "line 7: normal has 65 contacts, at most 64 are possible");
    length = (size_t)snprintf(text, sizeof text,
                              "normal\n1\ntangential\n1\nfriction\n1\n"
                              "velocity\n1\nmass\n");
    for (int i = 0; i < WIDE * WIDE; i++) {
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%c%c",
                             i % (WIDE + 1) == 0 ? '1' : '0', i % WIDE == WIDE - 1 ? '\n' : ' ');
    }
    assert_refused(text, "line 9: mass has 513 rows, at most 512 are possible");
    length = (size_t)snprintf(text, sizeof text, "names\n");
    for (int i = 0; i < MANY; i++) {
        length += (size_t)snprintf(text + length, sizeof text - length, "c%d ", i);
    }
    assert_refused(text, "line 2: names, entry 65, \"c64\" is one name too many");
}

TEST(errors, files_that_are_no_text_are_refused) {
    carom_problem_file *file = NULL;
    char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE];
    assert_status(carom_problem_file_parse("mass\n1\0 2\n", 10, &file, defect), BAD_FORMAT);
    ck_assert_str_eq(defect, "is not a text file");
    ck_assert_ptr_null(file);
    assert_status(carom_problem_file_parse(NULL, 0, &file, defect), BAD_FORMAT);
    ck_assert_str_eq(defect, "is empty");
    assert_status(carom_problem_file_parse("mass", 4, &file, NULL), BAD_FORMAT);
    assert_status(carom_problem_file_read("no/such/file", &file, defect), IO);
    ck_assert_str_eq(defect, "cannot be read: No such file or directory");
    assert_status(carom_problem_file_read("no/such/file", &file, NULL), IO);
    // What never ends is given up at the limit.
    assert_status(carom_problem_file_read("/dev/zero", &file, defect), BAD_FORMAT);
    ck_assert_str_eq(defect, "is too large: more than 33554432 bytes");
    // A folder opens and cannot be read.
    assert_status(carom_problem_file_read("/", &file, defect), IO);
    ck_assert_str_eq(defect, "cannot be read: Is a directory");
}

TEST(errors, a_file_that_is_too_large_is_not_read_to_its_end) {
    scratch folder = scratch_make();
    char path[256];
    carom_problem_file *file = NULL;
    char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE];
    FILE *stream = fopen(scratch_path(&folder, "p.txt", path), "wb");
    ck_assert_ptr_nonnull(stream);
    // A hole: bytes that take no room.
    ck_assert_int_eq(fseek(stream, 40L * 1024 * 1024, SEEK_SET), 0);
    ck_assert_int_eq(fputc('\n', stream), '\n');
    ck_assert_int_eq(fclose(stream), 0);
    assert_status(carom_problem_file_read(path, &file, defect), BAD_FORMAT);
    ck_assert_str_eq(defect, "is too large: more than 33554432 bytes");
    scratch_remove(&folder, "p.txt");
}

TEST(errors, every_failing_allocation_is_said) {
    scratch folder = scratch_make();
    char path[256];
    const char *text = WHOLE "names\na b\n";
    write_bytes(scratch_path(&folder, "p.txt", path), text, strlen(text));
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    carom_problem_file *file = NULL;
    int k = 0;
    for (; status != CAROM_OK && k < 100; k++) {
        char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE];
        successes_left = k;
        status = carom_problem_file_read(path, &file, defect);
        successes_left = -1;
        if (status == CAROM_STATUS_IO) {
            // fopen needs memory too, and says no more than that it has failed.
            status = CAROM_STATUS_OUT_OF_MEMORY;
            continue;
        }
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_str_eq(defect, "there is no memory for it");
            ck_assert_ptr_null(file);
        }
    }
    // Text, its copy, sections, numbers, lines, file, problem with eight arrays, names.
    ck_assert_int_ge(k, 14);
    assert_whole(file);
    scratch_remove(&folder, "p.txt");
}

TEST(property, any_cut_of_a_text_is_refused_or_read_without_harm) {
    const char *text = WHOLE "names\nfloor wall\n";
    const size_t whole = strlen(WHOLE);
    for (size_t length = 0; length < strlen(text); length++) {
        // In memory of exactly this size, so that a read beyond it is found.
        char *copy = malloc(length + (length == 0 ? 1 : 0));
        ck_assert_ptr_nonnull(copy);
        memcpy(copy, text, length);
        carom_problem_file *file = NULL;
        char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE];
        const carom_status status = carom_problem_file_parse(copy, length, &file, defect);
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_BAD_FORMAT && defect[0] != '\0'));
        if (length == whole || length + 1 == whole) {
            ck_assert_int_eq(status, CAROM_OK);
        }
        carom_problem_file_free(file);
        free(copy);
    }
}
