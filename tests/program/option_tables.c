#include "capture.h"

#include <carom/program/internal.h>
#include <carom/program/program.h>
#include <carom/record/reader.h>

/* A table in a table in a table, each with a row before and after the one that it embeds. */

typedef struct spring {
    double stiffness;
    carom_real_list lengths;
} spring;

static const carom_option spring_rows[] = {
    CAROM_REAL("stiffness", spring, stiffness, "N m-1", "stiffness k", "positive"),
    CAROM_REAL_LIST("lengths", spring, lengths, "m", "lengths", "[1/3, 2/3)"),
};
static const carom_option_table spring_table = CAROM_OPTIONS(spring_rows);

typedef struct body {
    int count;
    spring held_by;
    const char *label;
} body;

static const carom_option body_rows[] = {
    CAROM_INTEGER("count", body, count, "1", "bodies", "[2, 7]"),
    CAROM_OPTIONS_OF(body, held_by, spring_table),
    CAROM_TEXT("label", body, label, "name"),
};
static const carom_option_table body_table = CAROM_OPTIONS(body_rows);

typedef struct settings {
    double mass[3];
    body moved;
    bool is_fixed;
} settings;

static const carom_option rows[] = {
    CAROM_REAL("last-mass", settings, mass[2], "kg", "mass of the last body", "(0, inf)"),
    CAROM_OPTIONS_OF(settings, moved, body_table),
    CAROM_FLAG("fixed", settings, is_fixed, "hold it"),
};

static const carom_program program = {.name = "chain",
                                      .title = "A chain",
                                      .source = "key-2017",
                                      .schema = "chain 1",
                                      .options = CAROM_OPTIONS(rows)};

static const settings defaults = {.mass = {2.385, 0.0625, 1.75},
                                  .moved = {3, {41.5, {0, NULL}}, "plain"}};

/** Parse a command line and keep what it printed. */
static carom_parse_result parse(settings *values, int count, char **arguments,
                                carom_common_options *common, capture *printed) {
    *values = defaults;
    capture_begin(printed);
    const carom_parse_result result =
        carom_options_parse(&program, count, arguments, values, common);
    capture_end(printed);
    return result;
}

TEST(unit, every_option_reaches_its_own_member) {
    char *arguments[] = {
        "chain",       "--last-mass=3.5", "--count=5", "--stiffness=0.125", "--lengths=0.375,0.5",
        "--label=odd", "--fixed"};
    settings values;
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 7, arguments, &common, &printed), CAROM_PARSE_RUN);
    assert_close(values.mass[0], 2.385, 0.0, 0.0);
    assert_close(values.mass[1], 0.0625, 0.0, 0.0);
    assert_close(values.mass[2], 3.5, 0.0, 0.0);
    ck_assert_int_eq(values.moved.count, 5);
    assert_close(values.moved.held_by.stiffness, 0.125, 0.0, 0.0);
    ck_assert_int_eq(values.moved.held_by.lengths.count, 2);
    assert_close(values.moved.held_by.lengths.values[1], 0.5, 0.0, 0.0);
    ck_assert_str_eq(values.moved.label, "odd");
    ck_assert(values.is_fixed);
    carom_options_clear(&common);
}

TEST(unit, a_set_file_names_embedded_options) {
    const scratch folder = scratch_make();
    char path[256];
    const char text[] = "stiffness = 0.75\nlabel = odd\nfixed = yes\n";
    write_bytes(scratch_path(&folder, "parameters", path), text, sizeof text - 1);
    char *arguments[] = {"chain", "--set", path};
    settings values;
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 3, arguments, &common, &printed), CAROM_PARSE_RUN);
    assert_close(values.moved.held_by.stiffness, 0.75, 0.0, 0.0);
    ck_assert_str_eq(values.moved.label, "odd");
    ck_assert(values.is_fixed);
    carom_options_clear(&common);
    scratch_remove(&folder, "parameters");
}

TEST(unit, help_lists_embedded_options_in_their_place) {
    char *arguments[] = {"chain", "--help"};
    settings values;
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 2, arguments, &common, &printed), CAROM_PARSE_DONE);
    const char *rest = strstr(CAPTURED_OUT(&printed), "\nParameters:\n");
    ck_assert_ptr_nonnull(rest);
    const char *parameters = "\nParameters:\n"
                             "  --last-mass NUMBER  (unit kg; in (0, inf); default 1.75)\n"
                             "        mass of the last body\n"
                             "  --count INTEGER  (unit 1; in [2, 7]; default 3)\n"
                             "        bodies\n"
                             "  --stiffness NUMBER  (unit N m-1; positive; default 41.5)\n"
                             "        stiffness k\n"
                             "  --lengths NUMBER,...  (unit m; each in [1/3, 2/3); not set)\n"
                             "        lengths\n"
                             "  --label TEXT  (default \"plain\")\n"
                             "        name\n"
                             "  --fixed  (default no)\n"
                             "        hold it\n"
                             "\nCommon options:\n";
    ck_assert_int_eq(strncmp(rest, parameters, strlen(parameters)), 0);
    carom_options_clear(&common);
}

TEST(unit, embedded_options_are_recorded_as_the_settings_have_them) {
    const carom_record_header header = {"t", "key", "chain 1", "0", "cc", "-O2", 1};
    const scratch folder = scratch_make();
    char path[256];
    carom_record *record = NULL;
    assert_ok(carom_record_create(scratch_path(&folder, "r.h5", path), &header, &record));
    carom_options_record(&program.options, &defaults, record);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(path, &reader));
    const struct {
        const char *path;
        double value;
    } numbers[] = {{"/parameters/last_mass", 1.75},
                   {"/parameters/count", 3.0},
                   {"/parameters/stiffness", 41.5}};
    for (int i = 0; i < 3; i++) {
        carom_dataset dataset;
        assert_ok(carom_reader_dataset(reader, numbers[i].path, &dataset));
        assert_close(dataset.values[0], numbers[i].value, 0.0, 0.0);
        carom_dataset_clear(&dataset);
    }
    char text[8];
    assert_ok(carom_reader_text(reader, "/parameters/label", sizeof text, text));
    ck_assert_str_eq(text, "plain");
    assert_ok(carom_reader_text(reader, "/parameters/fixed", sizeof text, text));
    ck_assert_str_eq(text, "no");
    carom_reader_close(reader);
    scratch_remove(&folder, "r.h5");
}

TEST(unit, a_failure_calls_an_embedded_option_by_its_name_and_units) {
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_report_fail(&report, CAROM_STATUS_OUT_OF_RANGE, "stiffness", 2.5, -1);
    capture printed;
    capture_begin(&printed);
    carom_failure_print(stderr, &program, status, &report, NULL);
    capture_end(&printed);
    assert_contains(CAPTURED_ERR(&printed), "--stiffness = 2.5 N m-1\n");
}

/** The sentence of a failure after a command line of two arguments. */
static void assert_failure(const carom_report *report, carom_status status, char *first,
                           char *second, const char *line) {
    char *arguments[] = {"chain", first, second};
    settings values;
    carom_common_options common;
    capture printed;
    ck_assert_int_eq(parse(&values, 3, arguments, &common, &printed), CAROM_PARSE_RUN);
    capture_begin(&printed);
    carom_failure_print(stderr, &program, status, report, common.departure);
    capture_end(&printed);
    ck_assert_str_eq(CAPTURED_ERR(&printed), line);
    carom_options_clear(&common);
}

TEST(unit, a_failure_names_an_option_after_its_context) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_report_refuse(&report, "mass", 0.25, -1, "above the others");
    carom_report_set_context(&report, "last");
    assert_failure(&report, status, "--last-mass=0.25", "--count=3",
                   "chain: last: a value is outside its admissible range: --last-mass = 0.25 kg, "
                   "accepted above the others\n");
}

TEST(unit, a_failure_without_an_option_names_what_is_farthest_from_its_default) {
    carom_report report = carom_report_empty();
    carom_status status = carom_report_refuse(&report, "modes", 1.0, -1, "at least 2");
    assert_failure(&report, status, "--stiffness=8.3", "--last-mass=1.7",
                   "chain: with --stiffness = 8.3 N m-1, by default 41.5 N m-1: a value is outside "
                   "its admissible range: modes = 1, accepted at least 2\n");
    assert_failure(&report, status, "--count=3", "--lengths=0.5,0.34,0.6",
                   "chain: with --lengths entry 2 = 0.34 m: a value is outside its admissible "
                   "range: modes = 1, accepted at least 2\n");
    assert_failure(&report, status, "--lengths=0.5,0.34", "--stiffness=0.001",
                   "chain: with --stiffness = 0.001 N m-1, by default 41.5 N m-1: a value is "
                   "outside its admissible range: modes = 1, accepted at least 2\n");
    char list[320] = "--lengths=0.5";
    for (int k = 1; k < 100; k++) {
        memcpy(list + 10 + 3 * k, ",.5", sizeof ",.5");
    }
    assert_failure(&report, status, list, "--stiffness=8.3",
                   "chain: with 100 numbers in --lengths: a value is outside its admissible range: "
                   "modes = 1, accepted at least 2\n");
    assert_failure(&report, status, "--label=x", "--count=3",
                   "chain: a value is outside its admissible range: modes = 1, accepted at least "
                   "2\n");
    // An entry is no option; an option that is near its default may not be to blame.
    report.quantity = "stiffness";
    report.index = 1;
    assert_failure(&report, status, "--stiffness=1e-9", "--count=3",
                   "chain: with --stiffness = 1e-09 N m-1, by default 41.5 N m-1: a value is "
                   "outside its admissible range: stiffness[1] = 1 N m-1, accepted at least 2\n");
    report.index = -1;
    assert_failure(&report, status, "--last-mass=1e9", "--count=3",
                   "chain: with --last-mass = 1e+09 kg, by default 1.75 kg: a value is outside its "
                   "admissible range: --stiffness = 1 N m-1, accepted at least 2\n");
    // A computation may fail without a fault of the options.
    status = carom_report_fail(&report, CAROM_STATUS_NOT_CONVERGED, "gap", 0.5, -1);
    assert_failure(&report, status, "--stiffness=8.3", "--count=3",
                   "chain: the iteration did not converge: gap = 0.5\n");
    assert_failure(&report, status, "--stiffness=1e-6", "--count=3",
                   "chain: with --stiffness = 1e-06 N m-1, by default 41.5 N m-1: the iteration "
                   "did not converge: gap = 0.5\n");
}

TEST(errors, ranges_hold_for_embedded_options) {
    const char *const cases[][2] = {
        {"--last-mass=0", "--last-mass must lie in (0, inf) kg, got 0"},
        {"--count=8", "--count must lie in [2, 7], got 8"},
        {"--stiffness=-1", "--stiffness must be positive, got -1"},
        {"--lengths=0.5,0.3333", "--lengths entry 2 must lie in [1/3, 2/3) m, got 0.3333"},
        {"--lengths=0.6667", "--lengths entry 1 must lie in [1/3, 2/3) m, got 0.6667"},
        {"--held-by=1", "unknown option --held-by (see --help)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char argument[64];
        char line[256];
        snprintf(argument, sizeof argument, "%s", cases[i][0]);
        snprintf(line, sizeof line, "chain: %s\n", cases[i][1]);
        char *arguments[] = {"chain", argument};
        settings values;
        carom_common_options common;
        capture printed;
        ck_assert_int_eq(parse(&values, 2, arguments, &common, &printed), CAROM_PARSE_REFUSED);
        ck_assert_str_eq(CAPTURED_ERR(&printed), line);
        carom_options_clear(&common);
    }
}

#ifndef __SANITIZE_ADDRESS__
static const carom_option misspelt[] = {
    CAROM_REAL("last-mass", settings, mass[2], "kg", "mass", "postive"),
    CAROM_REAL("last-mass", settings, mass[2], "kg", "mass", NULL),
};

ABORT_TEST(errors, a_range_that_cannot_be_read_aborts, 2) {
    const carom_program wrong = {.name = "chain",
                                 .title = "A chain",
                                 .source = "key-2017",
                                 .schema = "chain 1",
                                 .options = {&misspelt[_i], 1}};
    settings values = defaults;
    char *arguments[] = {"chain"};
    carom_common_options common;
    (void)carom_options_parse(&wrong, 1, arguments, &values, &common);
}
#endif
