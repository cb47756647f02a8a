#include "capture.h"

#include <carom/program/program.h>
#include <carom/record/reader.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

const carom_build carom_build_of_program = {
    .source_digest = "0123abcd",
    .compiler = "some compiler 7.25",
    .cflags = "-O2 -g",
};

/** What the body does before it returns. */
typedef enum deed {
    DEED_WRITE,        /**< one number, then success */
    DEED_FAIL,         /**< return the status and report prepared */
    DEED_DIE,          /**< be sent a signal in the middle */
    DEED_BLOCK_OUTPUT, /**< make a folder where the record is to appear */
    DEED_OVERFLOW,     /**< record a number that is infinite */
} deed;

/** Parameters and orders of the experiment under test. */
typedef struct orders {
    double step;
    double theta;
    int balls;
    int law;
    const char *label;
    deed what;
    int signal; /**< with which the run is interrupted */
    carom_status check_status;
    carom_status body_status;
    carom_report report; /**< handed out with a failing status */
    int body_calls;
} orders;

static const carom_option options[] = {
    CAROM_REAL("step", orders, step, "s", "step size", "positive"),
    CAROM_REAL("theta", orders, theta, "1", "theta", "[1/2, 1]"),
    CAROM_INTEGER("ball-count", orders, balls, NULL, "balls", "positive"),
    CAROM_CHOICE("impact-law", orders, law, "law", "newton|poisson-impulse"),
    CAROM_TEXT("label", orders, label, "label"),
};

static const carom_program program = {.name = "two_ball_chain",
                                      .title = "Two balls in a chain",
                                      .source = "key-2014",
                                      .schema = "two_ball_chain 1",
                                      .options = CAROM_OPTIONS(options)};

static carom_status check(void *context, carom_report *report) {
    const orders *given = context;
    if (given->check_status != CAROM_OK) {
        *report = given->report;
    }
    return given->check_status;
}

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    orders *given = context;
    given->body_calls++;
    carom_record_scalar(record, "/case/energy", 2.385 * given->step, "J", "energy");
    switch (given->what) {
    case DEED_WRITE:
        return CAROM_OK;
    case DEED_FAIL:
        *report = given->report;
        return given->body_status;
    case DEED_DIE:
        raise(given->signal);
        return CAROM_OK;
    case DEED_BLOCK_OUTPUT:
        return mkdir(common->output, 0700) == 0 ? CAROM_OK : CAROM_STATUS_IO;
    case DEED_OVERFLOW:
        carom_record_scalar(record, "/case/speed", INFINITY, "m s-1", "speed");
        return CAROM_OK;
    }
    return CAROM_OK;
}

/** Orders for a run that succeeds. */
static orders orders_default(void) {
    const orders given = {.step = 0.0625,
                          .theta = NAN,
                          .balls = 7,
                          .law = 1,
                          .label = "plain",
                          .signal = SIGKILL,
                          .report = carom_report_empty()};
    return given;
}

/** Run the experiment; returns its exit status. */
static int run_experiment(orders *given, capture *printed, int count, char **arguments) {
    capture_begin(printed);
    const int exit_status = carom_experiment_main(&program, count, arguments, check, body, given);
    capture_end(printed);
    return exit_status;
}

#define RUN(given, printed, ...)                                                              \
    run_experiment(given, printed,                                                            \
                   (int)(sizeof((char *[]){"two_ball_chain", __VA_ARGS__}) / sizeof(char *)), \
                   (char *[]){"two_ball_chain", __VA_ARGS__})

/** A folder and the record in it. */
typedef struct place {
    scratch folder;
    char path[256];
} place;

static place place_make(void) {
    place made = {.folder = scratch_make()};
    scratch_path(&made.folder, "r.h5", made.path);
    return made;
}

TEST(unit, a_run_writes_its_record_and_says_so) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 0);
    char line[512];
    snprintf(line, sizeof line, "two_ball_chain: wrote %s\n", at.path);
    ck_assert_str_eq(CAPTURED_OUT(&printed), line);
    ck_assert_str_eq(CAPTURED_ERR(&printed), "");
    ck_assert(file_exists(at.path));
    // The same again changes nothing.
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 0);
    snprintf(line, sizeof line, "two_ball_chain: %s unchanged\n", at.path);
    ck_assert_str_eq(CAPTURED_OUT(&printed), line);
    scratch_remove(&at.folder, "r.h5");
}

TEST(unit, a_quiet_run_says_nothing) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--quiet", "--output", at.path), 0);
    ck_assert_str_eq(CAPTURED_OUT(&printed), "");
    ck_assert_str_eq(CAPTURED_ERR(&printed), "");
    ck_assert(file_exists(at.path));
    scratch_remove(&at.folder, "r.h5");
}

/** A text of the record. */
static void assert_text(carom_reader *reader, const char *path, const char *expected) {
    char text[256];
    assert_ok(carom_reader_text(reader, path, sizeof text, text));
    ck_assert_str_eq(text, expected);
}

TEST(unit, the_record_holds_parameters_as_used_and_how_it_was_made) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path, "--step=0.375", "--ball-count=9",
                         "--seed", "77", "--threads", "2"),
                     0);
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(at.path, &reader));
    carom_dataset step;
    assert_ok(carom_reader_dataset(reader, "/parameters/step", &step));
    ck_assert_int_eq(step.rank, 0);
    ck_assert_str_eq(step.units, "s");
    assert_close(step.values[0], 0.375, 0.0, 0.0);
    carom_dataset_clear(&step);
    double number = NAN;
    assert_ok(carom_reader_number(reader, "/parameters/ball_count", &number));
    assert_close(number, 9.0, 0.0, 0.0);
    assert_ok(carom_reader_number(reader, "/case/energy", &number));
    assert_close(number, 2.385 * 0.375, 0.0, 0.0);
    assert_text(reader, "/parameters/impact_law", "poisson-impulse");
    assert_text(reader, "/parameters/label", "plain");
    assert_text(reader, "/@title", "Two balls in a chain");
    assert_text(reader, "/@source", "key-2014");
    assert_text(reader, "/@schema", "two_ball_chain 1");
    assert_text(reader, "/@source_digest", "0123abcd");
    assert_text(reader, "/@compiler", "some compiler 7.25");
    assert_text(reader, "/@cflags", "-O2 -g");
    // NaN means not given, so theta is not there.
    assert_status(carom_reader_number(reader, "/parameters/theta", &number), NOT_FOUND);
    carom_reader_close(reader);
    scratch_remove(&at.folder, "r.h5");
}

TEST(unit, a_text_that_is_not_given_is_not_recorded) {
    place at = place_make();
    orders given = orders_default();
    given.label = NULL;
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 0);
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(at.path, &reader));
    char text[16];
    assert_status(carom_reader_text(reader, "/parameters/label", sizeof text, text), NOT_FOUND);
    carom_reader_close(reader);
    scratch_remove(&at.folder, "r.h5");
}

TEST(unit, help_and_version_compute_nothing) {
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--help"), 0);
    assert_contains(CAPTURED_OUT(&printed), "--ball-count INTEGER");
    ck_assert_int_eq(RUN(&given, &printed, "--version"), 0);
    ck_assert_int_eq(given.body_calls, 0);
}

TEST(unit, a_check_is_optional) {
    place at = place_make();
    orders given = orders_default();
    char *arguments[] = {"two_ball_chain", "--output", at.path};
    capture printed;
    capture_begin(&printed);
    const int exit_status = carom_experiment_main(&program, 3, arguments, NULL, body, &given);
    capture_end(&printed);
    ck_assert_int_eq(exit_status, 0);
    scratch_remove(&at.folder, "r.h5");
}

TEST(property, threads_output_and_quiet_leave_no_trace_in_the_bytes) {
    place at = place_make();
    char other[256];
    scratch_path(&at.folder, "other.h5", other);
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path, "--threads=1"), 0);
    ck_assert_int_eq(RUN(&given, &printed, "--output", other, "--threads=4", "--quiet"), 0);
    static char bytes[2][65536];
    size_t sizes[2];
    const char *paths[2] = {at.path, other};
    for (int i = 0; i < 2; i++) {
        FILE *file = fopen(paths[i], "rb");
        ck_assert_ptr_nonnull(file);
        sizes[i] = fread(bytes[i], 1, sizeof bytes[i], file);
        fclose(file);
        unlink(paths[i]);
    }
    ck_assert(sizes[0] > 0 && sizes[0] == sizes[1]);
    ck_assert_mem_eq(bytes[0], bytes[1], sizes[0]);
    scratch_remove(&at.folder, "r.h5");
}

TEST(property, a_killed_run_does_not_harm_the_next) {
    place at = place_make();
    orders given = orders_default();
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        capture printed;
        given.what = DEED_DIE;
        _exit(RUN(&given, &printed, "--output", at.path));
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFSIGNALED(status));
    ck_assert(!file_exists(at.path));
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 0);
    ck_assert(file_exists(at.path));
    scratch_remove(&at.folder, "r.h5");
}

TEST(property, an_interrupted_run_leaves_nothing_and_dies_of_its_signal) {
    place at = place_make();
    const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (int i = 0; i < 4; i++) {
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child == 0) {
            const struct rlimit no_core = {0, 0};
            setrlimit(RLIMIT_CORE, &no_core);
            // A program ends by the defaults, whatever this suite was started with.
            for (int j = 0; j < 4; j++) {
                signal(numbers[j], SIG_DFL);
            }
            orders given = orders_default();
            given.what = DEED_DIE;
            given.signal = numbers[i];
            capture printed;
            _exit(RUN(&given, &printed, "--output", at.path));
        }
        int status = 0;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]);
    }
    // Nothing is in the folder: neither the record nor a work file.
    scratch_remove(&at.folder, "r.h5");
}

TEST(property, ignored_signals_stay_ignored_and_handlers_are_given_back) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    void (*const hang_up)(int) = signal(SIGHUP, SIG_IGN);
    void (*const interrupt)(int) = signal(SIGINT, SIG_DFL);
    given.what = DEED_DIE;
    given.signal = SIGHUP;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 0);
    ck_assert(signal(SIGHUP, hang_up) == SIG_IGN);
    ck_assert(signal(SIGINT, interrupt) == SIG_DFL);
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, a_record_too_large_for_its_place_is_said_with_its_cause) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    capture_begin(&printed);
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        // A limit on the size of files stands in for a full disk.
        const struct rlimit small = {400, 400};
        signal(SIGXFSZ, SIG_DFL);
        char *arguments[] = {"two_ball_chain", "--output", at.path};
        setrlimit(RLIMIT_FSIZE, &small);
        _exit(carom_experiment_main(&program, 3, arguments, NULL, body, &given));
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    capture_end(&printed);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    char line[512];
    // Which data set was the first without room depends on what HDF5 has written by then.
    snprintf(line, sizeof line, "two_ball_chain: %s: /", at.path);
    const char *said = CAPTURED_ERR(&printed);
    ck_assert_msg(strncmp(said, line, strlen(line)) == 0, "%s", said);
    const char *cause = strstr(said, ": File too large\n");
    ck_assert_msg(cause != NULL && strlen(cause) == strlen(": File too large\n"), "%s", said);
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, a_refused_option_runs_nothing) {
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--step", "-1"), 2);
    ck_assert_str_eq(CAPTURED_ERR(&printed), "two_ball_chain: --step must be positive, got -1\n");
    ck_assert_int_eq(given.body_calls, 0);
}

TEST(errors, what_the_check_refuses_runs_nothing) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    given.check_status =
        carom_report_fail(&given.report, CAROM_STATUS_PENETRATION, "initial gap", -0.2, 0);
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 2);
    ck_assert_str_eq(CAPTURED_ERR(&printed),
                     "two_ball_chain: the initial position penetrates a "
                     "contact: initial gap of contact 0 = -0.2 m, accepted >= 0\n");
    // Whatever the status, a check refuses.
    given.check_status =
        carom_report_fail(&given.report, CAROM_STATUS_SINGULAR, "mass matrix", NAN, -1);
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 2);
    ck_assert_str_eq(CAPTURED_ERR(&printed), "two_ball_chain: a matrix is singular: mass matrix\n");
    ck_assert_int_eq(given.body_calls, 0);
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, an_unwritable_output_is_refused_before_any_computation) {
    place at = place_make();
    orders given = orders_default();
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output=/nowhere/at/all/r.h5"), 2);
    ck_assert_str_eq(CAPTURED_ERR(&printed),
                     "two_ball_chain: /nowhere/at/all/r.h5 cannot be written: No such file or "
                     "directory\n");
    // A folder is no place for a record either.
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.folder.folder), 2);
    assert_contains(CAPTURED_ERR(&printed), " cannot be written: Is a directory\n");
    ck_assert_int_eq(given.body_calls, 0);
    scratch_remove(&at.folder, "r.h5");
}

/** Let the body fail and compare exit status and sentence; no file may be there afterwards. */
static void assert_failure(carom_status status, const carom_report *report, int exit_status,
                           const char *sentence) {
    place at = place_make();
    orders given = orders_default();
    given.what = DEED_FAIL;
    given.body_status = status;
    given.report = *report;
    capture printed;
    const int got = RUN(&given, &printed, "--output", at.path);
    char line[512];
    snprintf(line, sizeof line, "two_ball_chain: %s\n", sentence);
    ck_assert_str_eq(CAPTURED_ERR(&printed), line);
    ck_assert_str_eq(CAPTURED_OUT(&printed), "");
    ck_assert_int_eq(got, exit_status);
    ck_assert_int_eq(given.body_calls, 1);
    ck_assert(!file_exists(at.path));
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, a_numerical_failure_names_what_when_and_how_far) {
    carom_report report = carom_report_empty();
    report.quantity = "position residual";
    report.value = 3.2e-4;
    report.time = 0.487;
    report.step = 1e-3;
    report.residual = 3.2e-4;
    report.iterations = 50;
    assert_failure(CAROM_STATUS_NOT_CONVERGED, &report, 1,
                   "the iteration did not converge at t = 0.487 s with h = 0.001 s: "
                   "position residual 0.00032 after 50 iterations");
    carom_report_set_context(&report, "moreau_jean");
    report.quantity = "gap";
    report.value = -0.125;
    report.index = 3;
    report.iterations = 1;
    assert_failure(CAROM_STATUS_NOT_CONVERGED, &report, 1,
                   "moreau_jean: the iteration did not converge at t = 0.487 s with h = 0.001 s: "
                   "gap[3] = -0.125, residual 0.00032 after 1 iteration");
    report = carom_report_empty();
    report.residual = 0.5;
    report.iterations = 7;
    assert_failure(CAROM_STATUS_RAY, &report, 1,
                   "the complementarity problem ended on a ray: residual 0.5 after 7 iterations");
}

TEST(errors, a_long_context_is_cut_and_needs_no_report) {
    const char context[] = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz";
    carom_report report = carom_report_empty();
    carom_report_set_context(&report, context);
    ck_assert_uint_eq(strlen(report.context), CAROM_REPORT_CONTEXT_SIZE - 1);
    ck_assert_mem_eq(report.context, context, CAROM_REPORT_CONTEXT_SIZE - 1);
    carom_report_set_context(NULL, context);
}

TEST(errors, what_the_report_does_not_know_is_left_out) {
    const carom_report report = carom_report_empty();
    assert_failure(CAROM_STATUS_OUT_OF_MEMORY, &report, 1, "out of memory");
    assert_failure(CAROM_STATUS_IO, &report, 1, "a file cannot be read or written");
}

TEST(errors, refused_input_found_by_the_body_exits_with_two) {
    carom_report report = carom_report_empty();
    carom_status status =
        carom_report_fail(&report, CAROM_STATUS_INCONSISTENT, "constraint", 0.0625, 2);
    assert_failure(status, &report, 2,
                   "the initial state violates a joint: constraint of joint 2 = 0.0625");
    // A quantity that is an option is named so, with its units, however it is spelled.
    status = carom_report_fail(&report, CAROM_STATUS_OUT_OF_RANGE, "step", 2.5, -1);
    assert_failure(status, &report, 2, "a value is outside its admissible range: --step = 2.5 s");
    status = carom_report_fail(&report, CAROM_STATUS_OUT_OF_RANGE, "ball count", 2.5, -1);
    assert_failure(status, &report, 2,
                   "a value is outside its admissible range: --ball-count = 2.5");
    status = carom_report_fail(&report, CAROM_STATUS_OUT_OF_RANGE, "steps", 2.5, -1);
    assert_failure(status, &report, 2, "a value is outside its admissible range: steps = 2.5");
    status = carom_report_fail(&report, CAROM_STATUS_NOT_FINITE, "mass", NAN, 1);
    assert_failure(status, &report, 2,
                   "a value is NaN or infinite: mass[1] = nan, accepted finite");
}

TEST(errors, the_same_status_with_a_time_is_a_numerical_failure) {
    const carom_status statuses[] = {CAROM_STATUS_OUT_OF_RANGE, CAROM_STATUS_PENETRATION,
                                     CAROM_STATUS_INCONSISTENT, CAROM_STATUS_CONFLICT,
                                     CAROM_STATUS_NOT_FINITE};
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
        carom_report report = carom_report_empty();
        report.time = 1.25;
        char sentence[128];
        snprintf(sentence, sizeof sentence, "%s at t = 1.25 s", carom_status_sentence(statuses[i]));
        assert_failure(statuses[i], &report, 1, sentence);
    }
}

TEST(errors, a_failure_leaves_an_older_record_alone) {
    place at = place_make();
    write_bytes(at.path, "older", 5);
    orders given = orders_default();
    given.what = DEED_FAIL;
    given.body_status = CAROM_STATUS_SINGULAR;
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 1);
    struct stat found;
    ck_assert_int_eq(stat(at.path, &found), 0);
    ck_assert_int_eq((int)found.st_size, 5);
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, a_record_that_cannot_be_finished_is_a_failure) {
    place at = place_make();
    orders given = orders_default();
    given.what = DEED_BLOCK_OUTPUT;
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path), 1);
    char line[512];
    snprintf(line, sizeof line, "two_ball_chain: %s cannot be written: Is a directory\n", at.path);
    ck_assert_str_eq(CAPTURED_ERR(&printed), line);
    ck_assert_int_eq(rmdir(at.path), 0);
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, a_result_that_overflows_is_laid_to_what_is_far_from_its_default) {
    place at = place_make();
    orders given = orders_default();
    given.what = DEED_OVERFLOW;
    capture printed;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path, "--step=1e-300"), 2);
    ck_assert_str_eq(CAPTURED_ERR(&printed),
                     "two_ball_chain: with --step = 1e-300 s, by default 0.0625 s: a result leaves "
                     "the range of numbers: /case/speed: value 1 of 1 is infinite\n");
    ck_assert(!file_exists(at.path));
    given.step = 0.0625;
    ck_assert_int_eq(RUN(&given, &printed, "--output", at.path, "--step=0.03"), 1);
    ck_assert(!file_exists(at.path));
    scratch_remove(&at.folder, "r.h5");
}

TEST(errors, help_that_nobody_gets_is_a_failure) {
    orders given = orders_default();
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        const int full = open("/dev/full", O_WRONLY);
        dup2(full, STDOUT_FILENO);
        char *arguments[] = {"two_ball_chain", "--help"};
        _exit(carom_experiment_main(&program, 2, arguments, NULL, body, &given));
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 1);
}
