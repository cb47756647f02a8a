/* carom/record/contact_file.h: the problems of a run in a folder, which harms no file. */
#include "scratch.h"

#include <carom/record/contact_file.h>
#include <sys/stat.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { MOST = 5 };

static const carom_record_header HEADER = {"a run", "test", "contact_file 1", "d", "c", "f", 0};

/* One contact in the plane, told apart by its velocity. */
static carom_contact_problem *problem_at(double speed) {
    const double W[4] = {2.0, 0.3, 0.3, 1.7};
    const double q[2] = {speed, 0.6};
    const double mu = 0.35;
    const carom_contact_rows rows = {
        .contact_count = 1, .tangent_count = 1, .entries = W, .free_velocity = q, .friction = &mu};
    carom_contact_problem *problem = NULL;
    assert_ok(carom_contact_problem_alloc(&rows, &problem, NULL));
    return problem;
}

static carom_status tell(carom_contact_listener listener, double time, double speed,
                         carom_report *report) {
    CAROM_AUTO(carom_contact_problem) problem = problem_at(speed);
    return listener.tell(time, problem, listener.context, report);
}

TEST(unit, problems_are_named_by_run_and_step) {
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_folder) folder = NULL;
    assert_ok(carom_contact_folder_open(scratch_folder, MOST, &HEADER, &folder, NULL));
    carom_contact_folder_run run = {folder, "set/moreau_jean", 1e-3};
    const carom_contact_listener listener = carom_contact_folder_listener(&run);
    // Times that are no whole number of steps in the last digit.
    assert_ok(tell(listener, 17 * 1e-3, -1.25, NULL));
    assert_ok(tell(listener, 12345.678, -2.5, NULL));
    ck_assert_int_eq(scratch_files(false), 2);
    CAROM_AUTO(carom_contact_problem) first = NULL;
    CAROM_AUTO(carom_contact_problem) second = NULL;
    assert_ok(
        carom_contact_file_read(scratch_path("set-moreau_jean-000017.hdf5", path), &first, NULL));
    assert_close(first->free_velocity[0], -1.25, 0.0, 0.0);
    assert_ok(carom_contact_file_read(scratch_path("set-moreau_jean-12345678.hdf5", path), &second,
                                      NULL));
    assert_close(second->free_velocity[0], -2.5, 0.0, 0.0);
    carom_reader *reader = NULL;
    double time = NAN;
    assert_ok(carom_reader_open(path, &reader));
    assert_ok(carom_reader_number(reader, "/time", &time));
    assert_close(time, 12345.678, 0.0, 0.0);
    carom_reader_close(reader);
}

/* A second problem of a step has a name of its own, and no file is written over. */
TEST(errors, a_file_that_is_there_stays) {
    char path[SCRATCH_PATH_SIZE];
    CAROM_AUTO(carom_contact_folder) folder = NULL;
    assert_ok(carom_contact_folder_open(scratch_folder, MOST, &HEADER, &folder, NULL));
    carom_contact_folder_run run = {folder, "run", 1e-3};
    const carom_contact_listener listener = carom_contact_folder_listener(&run);
    scratch_write("run-000004.hdf5", "mine", 4);
    assert_ok(tell(listener, 3.2e-3, -1.5, NULL));
    assert_ok(tell(listener, 3.9e-3, -2.5, NULL));
    carom_text_buffer kept = {0};
    assert_ok(carom_text_buffer_load(&kept, scratch_path("run-000004.hdf5", path), 64));
    ck_assert_str_eq(kept.text, "mine");
    carom_text_buffer_clear(&kept);
    CAROM_AUTO(carom_contact_problem) second = NULL;
    CAROM_AUTO(carom_contact_problem) third = NULL;
    assert_ok(carom_contact_file_read(scratch_path("run-000004-2.hdf5", path), &second, NULL));
    assert_ok(carom_contact_file_read(scratch_path("run-000004-3.hdf5", path), &third, NULL));
    assert_close(second->free_velocity[0], -1.5, 0.0, 0.0);
    assert_close(third->free_velocity[0], -2.5, 0.0, 0.0);
}

TEST(errors, folders_that_cannot_serve_are_refused) {
    char path[SCRATCH_PATH_SIZE];
    carom_contact_folder *folder = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_contact_folder_open(scratch_path("none/below", path), MOST, &HEADER,
                                            &folder, &report),
                  IO);
    ck_assert(strstr(report.sentence, "cannot be made: No such file or directory") != NULL);
    scratch_write("file", "mine", 4);
    assert_status(
        carom_contact_folder_open(scratch_path("file", path), MOST, &HEADER, &folder, &report), IO);
    ck_assert(strstr(report.sentence, "cannot be used: Not a directory") != NULL);
    assert_status(carom_contact_folder_open(scratch_folder, MOST, &HEADER, &folder, &report),
                  CONFLICT);
    ck_assert(strstr(report.sentence, "is not empty") != NULL);
    ck_assert(folder == NULL);
    // One that is not there is made.
    assert_ok(carom_contact_folder_open(scratch_path("new", path), MOST, &HEADER, &folder, NULL));
    struct stat made;
    ck_assert(stat(path, &made) == 0 && S_ISDIR(made.st_mode));
    carom_contact_folder_free(folder);
    ck_assert_int_eq(rmdir(path), 0);
}

TEST(unit, nobody_listens_without_a_folder) {
    carom_contact_folder_run run = {NULL, "run", 1e-3};
    ck_assert(carom_contact_folder_listener(&run).tell == NULL);
}

/* The first are written, the others counted. */
TEST(errors, a_folder_is_not_filled_without_end) {
    long written = 0;
    long left_out = 0;
    CAROM_AUTO(carom_contact_folder) folder = NULL;
    CAROM_AUTO(carom_contact_problem) problem = problem_at(-1.0);
    assert_ok(carom_contact_folder_open(scratch_folder, MOST, &HEADER, &folder, NULL));
    carom_contact_folder_run run = {folder, "run", 1.0};
    const carom_contact_listener listener = carom_contact_folder_listener(&run);
    for (int k = 0; k < MOST + 3; k++) {
        assert_ok(listener.tell(k, problem, listener.context, NULL));
    }
    carom_contact_folder_count(folder, &written, &left_out);
    ck_assert_int_eq(written, MOST);
    ck_assert_int_eq(left_out, 3);
    ck_assert_int_eq(scratch_files(false), MOST);
}
