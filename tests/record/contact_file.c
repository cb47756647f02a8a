/* carom/record/contact_file.h: the three storages of a matrix say the same, what is written is read
 * again, and whatever is damaged is named. The files are made with HDF5 alone, as the library of
 * the layout makes them. */
#include "scratch.h"

#include <carom/contact/contact.h>
#include <carom/record/contact_file.h>
#include <carom/record/reader.h>
#include <hdf5.h>
#include <hdf5_hl.h>

FIXTURE(scratch_setup, scratch_teardown);

/* Two contacts of the plane and one joint: R, V [4][1], W [4][4] with two entries of zero. */
enum { JOINTS = 1, CONTACTS = 2, ROWS = 4, ALL = 5 };
static const double R[1] = {1.7};
static const double V[ROWS] = {0.3, 0.0, -0.6, 0.2};
static const double W[ROWS * ROWS] = {2.0, 0.4,  0.0, 0.1,  0.4, 3.1, -0.2, 0.0,
                                      0.0, -0.2, 1.9, 0.35, 0.1, 0.0, 0.35, 2.6};
static const double q[ROWS] = {-1.3, 0.7, -0.4, 0.9};
static const double s[JOINTS] = {0.21};
static const double mu[CONTACTS] = {0.35, 0.62};

typedef enum storage { TRIPLETS, COLUMNS, ROWWISE } storage;

static void write_integers(hid_t file, const char *group, const char *name, int count,
                           const int *values) {
    char path[64];
    const hsize_t extent = (hsize_t)count;
    snprintf(path, sizeof path, "%s/%s", group, name);
    ck_assert_int_ge(H5LTmake_dataset_int(file, path, 1, &extent, values), 0);
}

static void write_numbers(hid_t file, const char *path, int count, const double *values) {
    const hsize_t extent = (hsize_t)count;
    ck_assert_int_ge(H5LTmake_dataset_double(file, path, 1, &extent, values), 0);
}

static void write_matrix(hid_t file, const char *group, int m, int n, const double *A,
                         storage form) {
    int p[ROWS * ROWS + 1] = {0};
    int i[ROWS * ROWS];
    double x[ROWS * ROWS];
    char path[64];
    int count = 0;
    const int lines = form == COLUMNS ? n : m;
    const int across = form == COLUMNS ? m : n;
    for (int a = 0; a < lines; a++) {
        for (int b = 0; b < across; b++) {
            const double value = form == COLUMNS ? A[b * n + a] : A[a * n + b];
            if (fabs(value) > 0.0) {
                // Triplets hold the row in p and the column in i.
                i[count] = b;
                p[form == TRIPLETS ? count : a + 1] = form == TRIPLETS ? a : count + 1;
                x[count++] = value;
            } else if (form != TRIPLETS) {
                p[a + 1] = count;
            }
        }
    }
    const int nz = form == TRIPLETS ? count : form == COLUMNS ? -1 : -2;
    H5Gclose(H5Gcreate2(file, group, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_integers(file, group, "m", 1, &m);
    write_integers(file, group, "n", 1, &n);
    write_integers(file, group, "nz", 1, &nz);
    write_integers(file, group, "nzmax", 1, &count);
    write_integers(file, group, "p", form == TRIPLETS ? count : lines + 1, p);
    write_integers(file, group, "i", count, i);
    snprintf(path, sizeof path, "%s/x", group);
    write_numbers(file, path, count, x);
}

static const char *write_local(storage form, char *path) {
    const int dimension = 2;
    const hid_t file =
        H5Fcreate(scratch_path("local.hdf5", path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "fclib_local/vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_integers(file, "fclib_local", "spacedim", 1, &dimension);
    write_matrix(file, "fclib_local/W", ROWS, ROWS, W, form);
    write_matrix(file, "fclib_local/V", ROWS, JOINTS, V, form);
    write_matrix(file, "fclib_local/R", JOINTS, JOINTS, R, form);
    write_numbers(file, "fclib_local/vectors/q", ROWS, q);
    write_numbers(file, "fclib_local/vectors/s", JOINTS, s);
    write_numbers(file, "fclib_local/vectors/mu", CONTACTS, mu);
    H5Fclose(file);
    return path;
}

/* u = [R V'; V W] r + (s, q), from the tables above. */
static void assert_is_the_problem(const carom_contact_problem *problem) {
    const double r[ALL] = {0.81, 1.3, -0.4, 0.6, 0.17};
    double u[ALL];
    ck_assert_int_eq(problem->joint_count, JOINTS);
    ck_assert_int_eq(problem->contact_count, CONTACTS);
    ck_assert_int_eq(problem->tangent_count, 1);
    carom_contact_problem_velocity(problem, r, u);
    double expected = s[0] + R[0] * r[0];
    for (int j = 0; j < ROWS; j++) {
        expected += V[j] * r[1 + j];
    }
    assert_close(u[0], expected, 1e-15, 0.0);
    for (int i = 0; i < ROWS; i++) {
        expected = q[i] + V[i] * r[0];
        for (int j = 0; j < ROWS; j++) {
            expected += W[i * ROWS + j] * r[1 + j];
        }
        assert_close(u[1 + i], expected, 1e-15, 0.0);
    }
    for (int i = 0; i < CONTACTS; i++) {
        assert_close(problem->friction[i], mu[i], 0.0, 0.0);
    }
}

LOOP_TEST(unit, a_local_problem_is_the_same_in_each_storage, 3) {
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_contact_file_read(write_local((storage)_i, path), &problem, NULL));
    assert_is_the_problem(problem);
}

/* M v = H r + G l + f, with n = 3. */
enum { N = 3 };
static const double M[N * N] = {2.0, 0.3, 0.0, 0.3, 1.5, 0.0, 0.0, 0.0, 0.7};
static const double H[N * 2] = {0.4, 1.0, -0.3, 0.0, 1.2, 0.5};
static const double G[N] = {0.0, 0.9, -0.4};
static const double f[N] = {0.5, -1.0, 0.25};
static const double w[2] = {-0.9, 0.3};
static const double b[1] = {0.15};

static const char *write_global(storage form, char *path) {
    const int dimension = 2;
    const hid_t file =
        H5Fcreate(scratch_path("global.hdf5", path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "fclib_global", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "fclib_global/vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_integers(file, "fclib_global", "spacedim", 1, &dimension);
    write_matrix(file, "fclib_global/M", N, N, M, form);
    write_matrix(file, "fclib_global/H", N, 2, H, form);
    write_matrix(file, "fclib_global/G", N, 1, G, form);
    write_numbers(file, "fclib_global/vectors/f", N, f);
    write_numbers(file, "fclib_global/vectors/w", 2, w);
    write_numbers(file, "fclib_global/vectors/b", 1, b);
    write_numbers(file, "fclib_global/vectors/mu", 1, mu);
    H5Fclose(file);
    return path;
}

LOOP_TEST(unit, a_global_problem_is_condensed, 3) {
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    assert_ok(carom_contact_file_read(write_global((storage)_i, path), &problem, NULL));
    // u for a given r from v = M^-1 (H r + G l + f), by Cramer's rule on the upper block.
    const double r[3] = {0.37, 0.8, -0.25};
    double load[N];
    double v[N];
    double u[3];
    for (int i = 0; i < N; i++) {
        load[i] = f[i] + G[i] * r[0] + H[i * 2] * r[1] + H[i * 2 + 1] * r[2];
    }
    const double det = M[0] * M[4] - M[1] * M[3];
    v[0] = (M[4] * load[0] - M[1] * load[1]) / det;
    v[1] = (M[0] * load[1] - M[3] * load[0]) / det;
    v[2] = load[2] / M[8];
    carom_contact_problem_velocity(problem, r, u);
    assert_close(u[0], b[0] + G[1] * v[1] + G[2] * v[2], 4e-15, 0.0);
    for (int k = 0; k < 2; k++) {
        assert_close(u[1 + k], w[k] + H[k] * v[0] + H[2 + k] * v[1] + H[4 + k] * v[2], 4e-15, 0.0);
    }
}

static carom_status write_record(const char *path, const carom_contact_problem *problem,
                                 const double *r, const double *u) {
    const carom_record_header header = {"contact", "test", "contact 1", "d", "c", "f", 0};
    carom_record *record = NULL;
    assert_ok(carom_record_create(path, &header, &record));
    const carom_status status = carom_contact_file_write(record, problem, NULL);
    if (status != CAROM_OK) {
        carom_record_discard(record);
        return status;
    }
    carom_contact_file_write_solution(record, problem, r, u);
    return carom_record_commit(record, NULL);
}

TEST(property, what_is_written_is_read_again) {
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_problem) again = NULL;
    CAROM_AUTO(carom_contact_solver) solver = NULL;
    double r[ALL] = {0.0};
    double u[ALL];
    double number = NAN;
    assert_ok(carom_contact_file_read(write_local(ROWWISE, path), &problem, NULL));
    assert_ok(carom_contact_solver_alloc(&solver));
    assert_ok(carom_contact_solve(solver, problem, NULL, r, u, NULL, NULL));
    assert_ok(write_record(scratch_path("again.h5", path), problem, r, u));
    assert_ok(carom_contact_file_read(path, &again, NULL));
    assert_is_the_problem(again);
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(path, &reader));
    assert_ok(carom_reader_number(reader, "/solution/r[2]", &number));
    assert_close(number, r[3], 0.0, 0.0);
    assert_ok(carom_reader_number(reader, "/solution/l[0]", &number));
    assert_close(number, r[0], 0.0, 0.0);
    assert_ok(carom_reader_number(reader, "/solution/u[1]", &number));
    assert_close(number, u[2], 0.0, 0.0);
    carom_reader_close(reader);
}

/* Contacts without tangents get some that nothing moves: the normal rows are as they were. */
TEST(property, contacts_without_friction_are_written_in_the_plane) {
    enum { GIVEN = 3, PLANAR = 5 };
    const double full[GIVEN * GIVEN] = {1.0, 0.2, 0.0, 0.2, 2.0, -0.1, 0.0, -0.1, 1.5};
    const double free_velocity[GIVEN] = {0.1, -0.4, -0.6};
    const int place[GIVEN] = {0, 1, 3}; /* of a joint and two normals among the planar rows */
    const carom_contact_rows rows = {.joint_count = 1,
                                     .contact_count = 2,
                                     .tangent_count = 0,
                                     .entries = full,
                                     .free_velocity = free_velocity};
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_problem) again = NULL;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    const carom_record_header header = {"contact", "test", "contact 1", "d", "c", "f", 0};
    carom_record *record = NULL;
    assert_ok(carom_record_create(scratch_path("normal.h5", path), &header, &record));
    assert_ok(carom_contact_file_write(record, problem, NULL));
    assert_ok(carom_record_commit(record, NULL));
    assert_ok(carom_contact_file_read(path, &again, NULL));
    ck_assert_int_eq(again->joint_count, 1);
    ck_assert_int_eq(again->contact_count, 2);
    ck_assert_int_eq(again->tangent_count, 1);
    for (int unit = 0; unit < PLANAR; unit++) {
        double r[PLANAR] = {0.0};
        double u[PLANAR];
        r[unit] = 1.0;
        carom_contact_problem_velocity(again, r, u);
        for (int i = 0; i < GIVEN; i++) {
            double expected = free_velocity[i];
            for (int j = 0; j < GIVEN; j++) {
                expected += place[j] == unit ? full[i * GIVEN + j] : 0.0;
            }
            assert_close(u[place[i]], expected, 1e-15, 0.0);
        }
        assert_close(u[2], unit == 2 ? full[4] : 0.0, 0.0, 0.0);
        assert_close(u[4], unit == 4 ? full[8] : 0.0, 0.0, 0.0);
    }
    assert_close(again->friction[0] + again->friction[1], 0.0, 0.0, 0.0);
}

/* J M^-1 J' of several bodies differs from its transposed by rounding. */
TEST(property, rounding_between_rows_and_columns_of_joints_is_none) {
    const double full[9] = {1.0, 0.2 + 3e-16, 0.3, 0.2, 2.0, 0.1, 0.3 - 1e-16, 0.1, 1.5};
    const double free_velocity[3] = {0.1, -0.4, 0.6};
    const double friction = 0.3;
    const double r[3] = {0.7, 0.9, -0.2};
    double u[3];
    double u_again[3];
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    CAROM_AUTO(carom_contact_problem) again = NULL;
    const carom_contact_rows rows = {.joint_count = 1,
                                     .contact_count = 1,
                                     .tangent_count = 1,
                                     .entries = full,
                                     .free_velocity = free_velocity,
                                     .friction = &friction};
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    assert_ok(write_record(scratch_path("rounded.h5", path), problem, r, r));
    assert_ok(carom_contact_file_read(path, &again, NULL));
    carom_contact_problem_velocity(problem, r, u);
    carom_contact_problem_velocity(again, r, u_again);
    for (int i = 0; i < 3; i++) {
        assert_close(u_again[i], u[i], 2e-15, 0.0);
    }
}

TEST(errors, what_the_layout_cannot_hold_is_refused) {
    const double full[9] = {1.0, 0.2, 0.0, 0.3, 2.0, 0.1, 0.0, 0.1, 1.5};
    const double free_velocity[3] = {0.1, -0.4, 0.6};
    char path[SCRATCH_PATH_SIZE];
    carom_contact_rows rows = {.joint_count = 1,
                               .contact_count = 1,
                               .tangent_count = 1,
                               .entries = full,
                               .free_velocity = free_velocity};
    for (int k = 0; k < 2; k++) {
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
        ck_assert_int_eq(write_record(scratch_path("none.h5", path), problem, full, full),
                         CAROM_STATUS_UNSUPPORTED);
        rows.joint_count = 3;
        rows.contact_count = 0;
    }
}

/* One damage a case: a data set is removed, or replaced by these numbers; of the global form the
 * names begin with "G:". */
static const struct damage {
    const char *name;
    int count; /* < 0: removed */
    double values[6];
    carom_status status;
    const char *said;
} damages[] = {
    {"spacedim", -1, {0}, CAROM_STATUS_NOT_FOUND, "spacedim is missing"},
    {"spacedim", 1, {4}, CAROM_STATUS_OUT_OF_RANGE, "spacedim is 4 in place 0, accepted is 2 to 3"},
    {"vectors/mu", -1, {0}, CAROM_STATUS_NOT_FOUND, "vectors/mu is missing"},
    {"vectors/mu", 1, {0.3}, CAROM_STATUS_OUT_OF_RANGE, "W/m is 4 in place 0, accepted is 2 to 2"},
    {"vectors/mu", 2, {0.3, NAN}, CAROM_STATUS_NOT_FINITE, "vectors/mu is nan in place 1"},
    {"vectors/mu", 2, {0.3, -0.2}, CAROM_STATUS_OUT_OF_RANGE, "vectors/mu is -0.2 in place 1"},
    {"vectors/q", 3, {1, 2, 3}, CAROM_STATUS_BAD_FORMAT, "vectors/q has 3 numbers, accepted are 4"},
    {"vectors/s", -1, {0}, CAROM_STATUS_NOT_FOUND, "vectors/s is missing"},
    {"vectors/s", 1, {NAN}, CAROM_STATUS_NOT_FINITE, "vectors/s is nan in place 0"},
    {"W/n", 1, {3}, CAROM_STATUS_OUT_OF_RANGE, "W/n is 3 in place 0, accepted is 4 to 4"},
    {"W/n", 1, {3.5}, CAROM_STATUS_OUT_OF_RANGE, "W/n is 3.5 in place 0, accepted is 4 to 4"},
    {"W/nz", 1, {-3}, CAROM_STATUS_OUT_OF_RANGE, "W/nz is -3 in place 0"},
    {"W/p", 5, {0, 3, 2, 9, 12}, CAROM_STATUS_BAD_FORMAT, "W/p does not rise from 0"},
    {"W/p", 4, {0, 3, 6, 12}, CAROM_STATUS_BAD_FORMAT, "W/p has 4 numbers, accepted are 5"},
    {"W/i", 3, {0, 1, 2}, CAROM_STATUS_BAD_FORMAT, "W/i has 3 numbers, accepted are 12"},
    {"W/x", -1, {0}, CAROM_STATUS_NOT_FOUND, "W/x is missing"},
    {"V", -1, {0}, CAROM_STATUS_NOT_FOUND, "V/m is missing"},
    {"V", 1, {0.3}, CAROM_STATUS_NOT_FOUND, "V/m is missing"},
    {"V/n", 1, {2e9}, CAROM_STATUS_OUT_OF_RANGE, "V/n is 2e+09 in place 0, accepted is 1 to 1"},
    {"V/i", 3, {0, 1, 0}, CAROM_STATUS_OUT_OF_RANGE, "V/i is 1 in place 1, accepted is 0 to 0"},
    {"V/p", -1, {0}, CAROM_STATUS_NOT_FOUND, "V/p is missing"},
    {"R", -1, {0}, CAROM_STATUS_NOT_FOUND, "R/m is missing"},
    {"R/m", 1, {2}, CAROM_STATUS_OUT_OF_RANGE, "R/m is 2 in place 0, accepted is 1 to 1"},
    {"G:M", -1, {0}, CAROM_STATUS_NOT_FOUND, "fclib_global/M/m is missing"},
    {"G:M/n", 1, {2}, CAROM_STATUS_OUT_OF_RANGE, "M/n is 2 in place 0, accepted is 3 to 3"},
    {"G:M/x", 5, {2, 0.3, 0.3, 0.045, 0.7}, CAROM_STATUS_SINGULAR, "M is singular"},
    {"G:M/x",
     5,
     {2, 0.3, 0.3, -1.5, 0.7},
     CAROM_STATUS_OUT_OF_RANGE,
     "M is not symmetric and positive"},
    {"G:M/x", 5, {2, 0.3, 0.4, 1.5, 0.7}, CAROM_STATUS_NOT_SYMMETRIC, "M is not symmetric and"},
    {"G:M/x", 5, {2, 1.9, 1.9, 1.5, 0.7}, CAROM_STATUS_SINGULAR, "M is not symmetric and positive"},
    {"G:H/m", 1, {2}, CAROM_STATUS_OUT_OF_RANGE, "H/m is 2 in place 0, accepted is 3 to 3"},
    {"G:H/x", 5, {1, 2, 3, NAN, 5}, CAROM_STATUS_NOT_FINITE, "H/x is nan in place 3"},
    {"G:G/p", -1, {0}, CAROM_STATUS_NOT_FOUND, "G/p is missing"},
    {"G:vectors/f", 3, {1, INFINITY, 2}, CAROM_STATUS_NOT_FINITE, "vectors/f is inf in place 1"},
    {"G:vectors/f", 2, {1, 2}, CAROM_STATUS_OUT_OF_RANGE, "M/m is 3 in place 0, accepted is 2"},
    {"G:vectors/w", 1, {1}, CAROM_STATUS_BAD_FORMAT, "vectors/w has 1 numbers, accepted are 2"},
    {"G:vectors/b", -1, {0}, CAROM_STATUS_NOT_FOUND, "vectors/b is missing"},
    {"G:vectors/mu", 1, {-0.1}, CAROM_STATUS_OUT_OF_RANGE, "vectors/mu is -0.1 in place 0"},
    {"R/x", 1, {INFINITY}, CAROM_STATUS_NOT_FINITE, "R/x is inf in place 0"},
};

LOOP_TEST(errors, what_is_damaged_is_named, (int)(sizeof damages / sizeof damages[0])) {
    const struct damage *d = &damages[_i];
    char path[SCRATCH_PATH_SIZE];
    char name[64];
    carom_contact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    const bool is_global = strncmp(d->name, "G:", 2) == 0;
    (void)(is_global ? write_global : write_local)(ROWWISE, path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    snprintf(name, sizeof name, "/fclib_%s", is_global ? "global/" : "local/");
    strncat(name, d->name + (is_global ? 2 : 0), sizeof name - strlen(name) - 1);
    ck_assert_int_ge(H5Ldelete(file, name, H5P_DEFAULT), 0);
    if (d->count >= 0) {
        write_numbers(file, name, d->count, d->values);
    }
    H5Fclose(file);
    ck_assert_int_eq(carom_contact_file_read(path, &problem, &report), d->status);
    ck_assert(problem == NULL);
    ck_assert_msg(strstr(report.sentence, d->said) != NULL, "%s", report.sentence);
}

/* The bytes of a file of carom's, whose data sets have texts as attributes. */
static void load_record(const char *name, carom_text_buffer *bytes) {
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_problem) problem = NULL;
    const double none[ALL] = {0.0};
    assert_ok(carom_contact_file_read(write_local(ROWWISE, path), &problem, NULL));
    assert_ok(write_record(scratch_path(name, path), problem, none, none));
    assert_ok(carom_text_buffer_load(bytes, path, CAROM_TEXT_FILE_MOST_BYTES));
}

/* Any byte may be any other one: a problem is read, or a sentence says of the file what it lacks.
 */
LOOP_TEST(errors, damaged_bytes_are_read_or_refused, 3) {
    enum { FILES = 60 };
    char path[SCRATCH_PATH_SIZE];
    int refused = 0;
    carom_text_buffer bytes = {0};
    (void)H5dont_atexit(); // where HDF5 has not let go of a damaged file it tells us at the end
    gsl_rng *generator = seeded_generator(300 + (unsigned long)_i);
    load_record("bytes.h5", &bytes);
    for (int k = 0; k < FILES; k++) {
        CAROM_AUTO(carom_contact_problem) problem = NULL;
        carom_report report = carom_report_empty();
        char *at = bytes.text + gsl_rng_uniform_int(generator, bytes.length);
        const char whole = *at;
        *at = (char)gsl_rng_uniform_int(generator, 256);
        scratch_write("bytes.h5", bytes.text, bytes.length);
        *at = whole;
        const carom_status status =
            carom_contact_file_read(scratch_path("bytes.h5", path), &problem, &report);
        ck_assert((status == CAROM_OK) == (problem != NULL));
        ck_assert_msg(status == CAROM_OK || strstr(report.sentence, "bytes.h5") != NULL, "%d: %s",
                      k, report.sentence);
        refused += status != CAROM_OK;
    }
    ck_assert_int_gt(refused, 0);
    carom_text_buffer_clear(&bytes);
    gsl_rng_free(generator);
}

/* HDF5 converts integers of any size in memory that it fills: gigabytes of what is damaged. */
TEST(errors, numbers_of_no_machine_are_refused) {
    char path[SCRATCH_PATH_SIZE];
    carom_contact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    write_local(ROWWISE, path);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t type = H5Tcopy(H5T_STD_I64LE);
    const hid_t scalar = H5Screate(H5S_SCALAR);
    ck_assert_int_ge(H5Tset_size(type, 24), 0);
    ck_assert_int_ge(H5Ldelete(file, "/fclib_local/spacedim", H5P_DEFAULT), 0);
    H5Dclose(H5Dcreate2(file, "/fclib_local/spacedim", type, scalar, H5P_DEFAULT, H5P_DEFAULT,
                        H5P_DEFAULT));
    H5Sclose(scalar);
    H5Tclose(type);
    H5Fclose(file);
    assert_status(carom_contact_file_read(path, &problem, &report), BAD_FORMAT);
    ck_assert_msg(strstr(report.sentence, "spacedim cannot be read as numbers") != NULL, "%s",
                  report.sentence);
}

TEST(errors, a_global_problem_has_coordinates) {
    const int dimension = 2;
    char path[SCRATCH_PATH_SIZE];
    carom_contact_problem *problem = NULL;
    carom_report report = carom_report_empty();
    const hid_t file =
        H5Fcreate(scratch_path("global.hdf5", path), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "fclib_global", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "fclib_global/vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_integers(file, "fclib_global", "spacedim", 1, &dimension);
    write_matrix(file, "fclib_global/M", 0, 0, W, COLUMNS);
    write_matrix(file, "fclib_global/H", 0, 2, W, COLUMNS);
    write_numbers(file, "fclib_global/vectors/f", 0, mu);
    write_numbers(file, "fclib_global/vectors/w", 2, q);
    write_numbers(file, "fclib_global/vectors/mu", 1, mu);
    H5Fclose(file);
    assert_status(carom_contact_file_read(path, &problem, &report), BAD_FORMAT);
    ck_assert(problem == NULL);
    ck_assert_msg(strstr(report.sentence, "vectors/f has no numbers") != NULL, "%s",
                  report.sentence);
}

TEST(errors, what_is_no_such_file_is_refused) {
    char path[SCRATCH_PATH_SIZE];
    carom_contact_problem *problem = NULL;
    assert_status(carom_contact_file_read(scratch_path("none.hdf5", path), &problem, NULL), IO);
    scratch_make_record("ball.h5", 2.385);
    assert_status(carom_contact_file_read(scratch_path("ball.h5", path), &problem, NULL),
                  NOT_FOUND);
    ck_assert(problem == NULL);
}
