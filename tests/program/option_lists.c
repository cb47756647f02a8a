#include "capture.h"

#include <carom/program/internal.h>
#include <carom/program/program.h>
#include <carom/record/reader.h>

/** Targets of flags, lists and matrices beside a number, with defaults of high entropy. */
typedef struct values {
    bool follow;
    bool mirror;
    double gap;
    carom_real_list masses;
    carom_real_list normal;
    carom_real_list speeds;
    carom_real_matrix stiffness;
} values;

/** One parse: its settings, what it printed, what it decided. */
typedef struct fixture {
    values targets;
    carom_common_options common;
    carom_parse_result result;
    capture printed;
} fixture;

static const carom_option options[] = {
    CAROM_FLAG("continue", values, follow, "follow the branch"),
    CAROM_FLAG("mirror", values, mirror, "both signs"),
    CAROM_REAL("gap", values, gap, "m", "gap at rest", "any"),
    CAROM_REAL_LIST("masses", values, masses, "kg", "masses", "positive"),
    CAROM_REAL_LIST("contact-normal", values, normal, "1", "normal", "any"),
    CAROM_REAL_LIST("speeds", values, speeds, NULL, "parts", "[0, 1]"),
    CAROM_MATRIX("stiffness-file", values, stiffness, "N m-1", "stiffness"),
};

static const carom_program program = {.name = "chain",
                                      .title = "A chain",
                                      .source = "key-2017",
                                      .schema = "chain 1",
                                      .options = CAROM_OPTIONS(options)};

static const double default_masses[] = {2.385, 0.0625, 1.75};

/** Set the defaults. */
static void fixture_init(fixture *self) {
    self->targets = (values){.mirror = true, .gap = 0.375, .masses = {3, default_masses}};
}

/** Parse a command line and keep what it printed; the fixture must be cleared. */
static void parse_arguments(fixture *self, int count, char **arguments) {
    fixture_init(self);
    capture_begin(&self->printed);
    self->result = carom_options_parse(&program, count, arguments, &self->targets, &self->common);
    capture_end(&self->printed);
}

#define PARSE(self, ...)                                                                   \
    do {                                                                                   \
        char *parse_arguments_[] = {"chain", __VA_ARGS__};                                 \
        parse_arguments(self, (int)(sizeof parse_arguments_ / sizeof parse_arguments_[0]), \
                        parse_arguments_);                                                 \
    } while (0)

/** The command line is accepted in silence. */
static void assert_accepted(const fixture *self) {
    ck_assert_str_eq(CAPTURED_ERR(&self->printed), "");
    ck_assert_str_eq(CAPTURED_OUT(&self->printed), "");
    ck_assert_int_eq(self->result, CAROM_PARSE_RUN);
}

/** The command line is refused with exactly this sentence. */
static void assert_refused(fixture *self, const char *sentence) {
    char line[1024];
    snprintf(line, sizeof line, "chain: %s\n", sentence);
    ck_assert_str_eq(CAPTURED_ERR(&self->printed), line);
    ck_assert_str_eq(CAPTURED_OUT(&self->printed), "");
    ck_assert_int_eq(self->result, CAROM_PARSE_REFUSED);
    carom_options_clear(&self->common);
}

#define REFUSE(sentence, ...)               \
    do {                                    \
        fixture refused;                    \
        PARSE(&refused, __VA_ARGS__);       \
        assert_refused(&refused, sentence); \
    } while (0)

/** A list holds exactly these numbers: decimal text is read to the nearest double. */
static void assert_list(carom_real_list list, int count, const double *expected) {
    ck_assert_int_eq(list.count, count);
    for (int i = 0; i < count; i++) {
        assert_close(list.values[i], expected[i], 0.0, 0.0);
    }
}

/** Parse with one set file of this text. */
static void parse_with_file(fixture *self, const char *text, char path[256]) {
    scratch folder = scratch_make();
    scratch_path(&folder, "parameters", path);
    write_bytes(path, text, strlen(text));
    PARSE(self, "--set", path);
    scratch_remove(&folder, "parameters");
}

/** Parse with --stiffness-file of a file of this text; its path is handed out for the sentence. */
static void parse_with_matrix(fixture *self, const char *text, char path[256]) {
    scratch folder = scratch_make();
    scratch_path(&folder, "K.txt", path);
    write_bytes(path, text, strlen(text));
    PARSE(self, "--stiffness-file", path);
    scratch_remove(&folder, "K.txt");
}

TEST(unit, without_arguments_the_defaults_stay) {
    fixture f;
    char *arguments[] = {"chain", NULL};
    parse_arguments(&f, 1, arguments);
    assert_accepted(&f);
    ck_assert(!f.targets.follow);
    ck_assert(f.targets.mirror);
    assert_list(f.targets.masses, 3, default_masses);
    ck_assert_int_eq(f.targets.normal.count, 0);
    ck_assert_int_eq(f.targets.stiffness.size, 0);
    carom_options_clear(&f.common);
}

TEST(unit, a_flag_is_set_wherever_it_stands_and_takes_nothing_with_it) {
    fixture f;
    PARSE(&f, "--continue", "--gap", "-1.5");
    assert_accepted(&f);
    ck_assert(f.targets.follow);
    assert_close(f.targets.gap, -1.5, 0.0, 0.0);
    carom_options_clear(&f.common);
    PARSE(&f, "--gap=2.5", "--continue", "--continue");
    assert_accepted(&f);
    ck_assert(f.targets.follow);
    carom_options_clear(&f.common);
}

TEST(unit, a_set_file_says_yes_or_no_and_the_command_line_wins) {
    fixture f;
    char path[256];
    parse_with_file(&f, "continue = yes\nmirror = no\nmasses = 4.5 , 0.5\n", path);
    assert_accepted(&f);
    ck_assert(f.targets.follow);
    ck_assert(!f.targets.mirror);
    assert_list(f.targets.masses, 2, (double[]){4.5, 0.5});
    carom_options_clear(&f.common);

    scratch folder = scratch_make();
    scratch_path(&folder, "parameters", path);
    write_bytes(path, "continue = no\nmasses = 7\n", 25);
    PARSE(&f, "--continue", "--masses", "3.5,2.5", "--set", path);
    assert_accepted(&f);
    ck_assert(f.targets.follow);
    assert_list(f.targets.masses, 2, (double[]){3.5, 2.5});
    carom_options_clear(&f.common);
    scratch_remove(&folder, "parameters");
}

TEST(unit, lists_are_read_in_both_spellings_with_or_without_blanks) {
    fixture f;
    PARSE(&f, "--masses", "1,2.5,3e-1", "--contact-normal=-.5, 0 ,\t+1.25e2", "--speeds", "0.125");
    assert_accepted(&f);
    assert_list(f.targets.masses, 3, (double[]){1.0, 2.5, 3e-1});
    assert_list(f.targets.normal, 3, (double[]){-0.5, 0.0, 125.0});
    assert_list(f.targets.speeds, 1, (double[]){0.125});
    carom_options_clear(&f.common);
}

TEST(unit, the_last_of_several_lists_wins) {
    fixture f;
    PARSE(&f, "--masses", "1,2", "--masses=3,4,5");
    assert_accepted(&f);
    assert_list(f.targets.masses, 3, (double[]){3.0, 4.0, 5.0});
    carom_options_clear(&f.common);
}

TEST(unit, a_matrix_is_read_from_the_file_that_is_named) {
    fixture f;
    char path[256];
    parse_with_matrix(&f, "# K\n 2.5 -1.25\n-1.25, 3.75 # symmetric\n", path);
    assert_accepted(&f);
    const double expected[] = {2.5, -1.25, -1.25, 3.75};
    ck_assert_int_eq(f.targets.stiffness.size, 2);
    for (int i = 0; i < 4; i++) {
        assert_close(f.targets.stiffness.values[i], expected[i], 0.0, 0.0);
    }
    carom_options_clear(&f.common);
}

TEST(unit, help_shows_flags_without_value_and_lists_with_their_default) {
    fixture f;
    PARSE(&f, "--help");
    ck_assert_int_eq(f.result, CAROM_PARSE_DONE);
    const char *parts[] = {
        "  --continue  (default no)\n        follow the branch\n",
        "  --mirror  (default yes)\n",
        "  --masses NUMBER,...  (unit kg; each positive; default 2.385,0.0625,1.75)\n",
        "  --contact-normal NUMBER,...  (unit 1; each any; not set)\n",
        "  --speeds NUMBER,...  (unit 1; each in [0, 1]; not set)\n",
        "  --stiffness-file FILE  (unit N m-1; not set)\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_contains(CAPTURED_OUT(&f.printed), parts[i]);
    }
    carom_options_clear(&f.common);
}

/** Write the options of a fixture into a record and open it. */
static carom_reader *record_options(const fixture *f, scratch *folder, char path[256]) {
    const carom_record_header header = {"t", "key", "chain 1", "0", "cc", "-O2", 1};
    carom_record *record = NULL;
    scratch_path(folder, "r.h5", path);
    assert_ok(carom_record_create(path, &header, &record));
    carom_options_record(&program.options, &f->targets, record);
    assert_ok(carom_record_commit(record, NULL));
    carom_reader *reader = NULL;
    assert_ok(carom_reader_open(path, &reader));
    return reader;
}

TEST(unit, flags_lists_and_matrices_are_recorded_and_what_was_not_given_is_not) {
    fixture f;
    char path[256];
    parse_with_matrix(&f, "5.5 0.25\n0.25 6.5\n", path);
    assert_accepted(&f);
    scratch folder = scratch_make();
    carom_reader *reader = record_options(&f, &folder, path);

    carom_dataset dataset;
    assert_ok(carom_reader_dataset(reader, "/parameters/masses", &dataset));
    ck_assert_int_eq(dataset.rank, 1);
    ck_assert_int_eq(dataset.rows, 3);
    assert_close(dataset.values[1], 0.0625, 0.0, 0.0);
    carom_dataset_clear(&dataset);
    assert_ok(carom_reader_dataset(reader, "/parameters/masses_entry", &dataset));
    ck_assert_int_eq(dataset.rows, 3);
    assert_close(dataset.values[2], 2.0, 0.0, 0.0);
    carom_dataset_clear(&dataset);
    assert_ok(carom_reader_dataset(reader, "/parameters/stiffness_file", &dataset));
    ck_assert_int_eq(dataset.rank, 2);
    ck_assert_int_eq(dataset.columns, 2);
    assert_close(dataset.values[2], 0.25, 0.0, 0.0);
    carom_dataset_clear(&dataset);
    const char *texts[][2] = {{"/parameters/continue", "no"}, {"/parameters/mirror", "yes"}};
    for (int i = 0; i < 2; i++) {
        char text[8];
        assert_ok(carom_reader_text(reader, texts[i][0], sizeof text, text));
        ck_assert_str_eq(text, texts[i][1]);
    }
    assert_status(carom_reader_dataset(reader, "/parameters/contact_normal", &dataset), NOT_FOUND);

    carom_reader_close(reader);
    scratch_remove(&folder, "r.h5");
    carom_options_clear(&f.common);
}

TEST(property, every_finite_list_survives_its_decimal_text) {
    // Seventeen digits identify a double (IEEE 754), so the values must come back exactly.
    const unsigned long seed = 20170311;
    gsl_rng *generator = seeded_generator(seed);
    for (int trial = 0; trial < 20; trial++) {
        double numbers[12];
        char text[512] = "--contact-normal=";
        const int count = 1 + (int)uniform(generator, 0.0, 11.99);
        for (int i = 0; i < count; i++) {
            numbers[i] =
                ldexp(uniform(generator, -1.0, 1.0), (int)uniform(generator, -1000.0, 1000.0));
            const size_t length = strlen(text);
            snprintf(text + length, sizeof text - length, "%s%.17g", i > 0 ? "," : "", numbers[i]);
        }
        fixture f;
        PARSE(&f, text);
        ck_assert_msg(f.result == CAROM_PARSE_RUN, "seed %lu: %s refused", seed, text);
        assert_list(f.targets.normal, count, numbers);
        carom_options_clear(&f.common);
    }
    gsl_rng_free(generator);
}

TEST(errors, a_flag_with_a_value_is_refused) {
    REFUSE("--continue takes no value", "--continue=yes");
    REFUSE("--continue takes no value", "--continue=");
    REFUSE("unexpected argument \"yes\" (see --help)", "--continue", "yes");
    fixture f;
    char path[256];
    char sentence[512];
    const char *lines[][2] = {{"continue = 1", "continue must be yes or no, got \"1\""},
                              {"continue = YES", "continue must be yes or no, got \"YES\""},
                              {"continue =", "continue needs a value"}};
    for (int i = 0; i < 3; i++) {
        parse_with_file(&f, lines[i][0], path);
        snprintf(sentence, sizeof sentence, "%s:1: %s", path, lines[i][1]);
        assert_refused(&f, sentence);
    }
}

TEST(errors, an_entry_that_is_no_number_is_named) {
    REFUSE("--masses entry 2 must be a number, got \"abc\"", "--masses", "1,abc,3");
    REFUSE("--masses entry 1 must be a number, got \"1 2\"", "--masses", "1 2,3");
    REFUSE("--masses entry 3 must be a number, got \"0x2\"", "--masses", "1,2,0x2");
    REFUSE("--contact-normal entry 1 must be finite, got nan", "--contact-normal", "nan");
    REFUSE("--contact-normal entry 2 must be finite, got -inf", "--contact-normal", "0,-inf");
    REFUSE("--contact-normal entry 2 must be finite, got 1e999", "--contact-normal", "0,1e999,2");
}

TEST(errors, empty_entries_are_named) {
    REFUSE("--masses entry 2 is empty", "--masses", "1,,3");
    REFUSE("--masses entry 1 is empty", "--masses", ",1");
    REFUSE("--masses entry 3 is empty", "--masses", "1,2,");
    REFUSE("--masses entry 1 is empty", "--masses", " ");
    REFUSE("--masses needs a value", "--masses");
    REFUSE("--masses needs a value", "--masses=");
}

TEST(errors, the_range_holds_for_every_entry) {
    REFUSE("--masses entry 3 must be positive, got 0", "--masses", "1,2,0");
    REFUSE("--masses entry 1 must be positive, got -1.5", "--masses=-1.5,2");
    REFUSE("--speeds entry 2 must lie in [0, 1], got 1.25", "--speeds", "1,1.25");
    fixture f;
    char path[256];
    char sentence[512];
    parse_with_file(&f, "\nmasses = 1, -2\n", path);
    snprintf(sentence, sizeof sentence, "%s:2: masses entry 2 must be positive, got -2", path);
    assert_refused(&f, sentence);
}

TEST(errors, a_refused_list_leaves_its_target_alone) {
    fixture f;
    PARSE(&f, "--masses", "1,2,-3");
    ck_assert_int_eq(f.result, CAROM_PARSE_REFUSED);
    assert_list(f.targets.masses, 3, default_masses);
    carom_options_clear(&f.common);
}

TEST(errors, a_defective_matrix_is_refused_with_file_row_and_value) {
    fixture f;
    char path[256];
    char sentence[512];
    parse_with_matrix(&f, "1 2\n3 4 5\n", path);
    snprintf(sentence, sizeof sentence,
             "--stiffness-file %s: line 2: row 2 has 3 numbers, 2 expected", path);
    assert_refused(&f, sentence);
    parse_with_matrix(&f, "1 2\n3 x\n", path);
    snprintf(sentence, sizeof sentence,
             "--stiffness-file %s: line 2: row 2, entry 2, \"x\" is not a number", path);
    assert_refused(&f, sentence);
    REFUSE("--stiffness-file /nowhere/at/all: cannot be read: No such file or directory",
           "--stiffness-file", "/nowhere/at/all");
    ck_assert_int_eq(f.targets.stiffness.size, 0);
}
