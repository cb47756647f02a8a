#include "capture.h"

#include <carom/base/base.h>
#include <carom/program/internal.h>
#include <carom/program/program.h>

#include <float.h>
#include <limits.h>

/** Targets of every kind and range, with defaults of high entropy. */
typedef struct values {
    double mass;
    double height;
    double restitution;
    double theta;
    double offset;
    int count;
    int predictor;
    const char *label;
    const char *note;
    double lean;
} values;

/** One parse: its settings, what it printed, what it decided. */
typedef struct fixture {
    values targets;
    carom_common_options common;
    carom_parse_result result;
    capture printed;
} fixture;

static const carom_option options[] = {
    CAROM_REAL("mass", values, mass, "kg", "mass of a ball", "positive"),
    CAROM_REAL("initial-height", values, height, "m", "height of the centre", "not negative"),
    CAROM_REAL("restitution", values, restitution, "1", "Newton coefficient", "[0, 1]"),
    CAROM_REAL("theta", values, theta, "1", "parameter of the theta scheme", "[1/2, 1]"),
    CAROM_REAL("offset", values, offset, "mm", "shift of the wall", "any"),
    CAROM_INTEGER("count", values, count, "1", "number of balls", "positive"),
    CAROM_CHOICE("predictor", values, predictor, "what decides", "half-step|full-step|current"),
    CAROM_TEXT("label", values, label, "name of the case"),
    CAROM_TEXT("note", values, note, "a remark"),
    CAROM_REAL("lean", values, lean, "deg", "angle of the wall", "(-0.5, 90]"),
};

static const carom_program program = {.name = "two_ball_chain",
                                      .title = "Two balls in a chain",
                                      .source = "key-2014",
                                      .schema = "two_ball_chain 1",
                                      .options = CAROM_OPTIONS(options)};

/** Set the defaults. */
static void fixture_init(fixture *self) {
    self->targets = (values){2.385, 0.0, 0.8125, NAN, -3.75, 17, 1, "plain", NULL, 41.5};
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
        char *parse_arguments_[] = {"two_ball_chain", __VA_ARGS__};                        \
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
    snprintf(line, sizeof line, "two_ball_chain: %s\n", sentence);
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

TEST(unit, without_arguments_the_defaults_stay) {
    fixture f;
    char *arguments[] = {"two_ball_chain", NULL};
    parse_arguments(&f, 1, arguments);
    assert_accepted(&f);
    assert_close(f.targets.mass, 2.385, 0.0, 0.0);
    ck_assert(isnan(f.targets.theta));
    ck_assert_int_eq(f.targets.count, 17);
    ck_assert_str_eq(f.targets.label, "plain");
    ck_assert_str_eq(f.common.output, "two_ball_chain.h5");
    ck_assert_uint_eq(f.common.seed, 1);
    ck_assert_int_eq(f.common.workers.threads, 0);
    ck_assert(!f.common.is_quiet);
    carom_options_clear(&f.common);
}

TEST(unit, every_kind_is_set_in_both_spellings) {
    fixture f;
    PARSE(&f, "--mass", "3.5e-2", "--offset=-7.25", "--count", "+23", "--predictor=current",
          "--label", "a = b # c", "--note=--odd", "--output", "x/y.h5",
          "--seed=18446744073709551615", "--threads", "1024", "--quiet", "--theta", "0.5");
    assert_accepted(&f);
    assert_close(f.targets.mass, 3.5e-2, 0.0, 0.0);
    assert_close(f.targets.offset, -7.25, 0.0, 0.0);
    assert_close(f.targets.theta, 0.5, 0.0, 0.0);
    ck_assert_int_eq(f.targets.count, 23);
    ck_assert_int_eq(f.targets.predictor, 2);
    ck_assert_str_eq(f.targets.label, "a = b # c");
    ck_assert_str_eq(f.targets.note, "--odd");
    ck_assert_str_eq(f.common.output, "x/y.h5");
    ck_assert_uint_eq(f.common.seed, ULONG_MAX);
    ck_assert_int_eq(f.common.workers.threads, 1024);
    ck_assert(f.common.is_quiet);
    carom_options_clear(&f.common);
}

TEST(unit, a_text_may_have_any_letters) {
    fixture f;
    PARSE(&f, "--label", "Br\xc3\xbcls, \xce\xbb = 1 \xe2\x84\xab");
    assert_accepted(&f);
    ck_assert_str_eq(f.targets.label, "Br\xc3\xbcls, \xce\xbb = 1 \xe2\x84\xab");
    carom_options_clear(&f.common);
}

TEST(unit, a_negative_number_is_a_value) {
    fixture f;
    PARSE(&f, "--offset", "-.5", "--mass", "3.");
    assert_accepted(&f);
    assert_close(f.targets.offset, -0.5, 0.0, 0.0);
    carom_options_clear(&f.common);
}

TEST(unit, the_last_of_several_occurrences_wins) {
    fixture f;
    PARSE(&f, "--mass", "1.5", "--mass=2.5", "--quiet", "--mass", "3.5", "--quiet");
    assert_accepted(&f);
    assert_close(f.targets.mass, 3.5, 0.0, 0.0);
    carom_options_clear(&f.common);
}

TEST(unit, an_argument_without_a_name_is_the_operand) {
    carom_program with_operand = program;
    with_operand.operand = "label";
    const struct {
        char *arguments[4];
        int count;
        const char *label;
        const char *sentence;
    } cases[] = {
        {{"two_ball_chain", "ball.txt", "--quiet"}, 3, "ball.txt", ""},
        {{"two_ball_chain", "--quiet", "ball.txt"}, 3, "ball.txt", ""},
        {{"two_ball_chain", "--label", "box.txt", "ball.txt"}, 4, "ball.txt", ""},
        {{"two_ball_chain", "ball.txt", "box.txt"},
         3,
         NULL,
         "two_ball_chain: unexpected argument \"box.txt\" (see --help)\n"},
        {{"two_ball_chain", ""}, 2, NULL, "two_ball_chain: --label needs a value\n"},
        {{"two_ball_chain", "-x"}, 2, NULL, "two_ball_chain: unknown option -x (see --help)\n"}};
    for (int k = 0; k < 6; k++) {
        fixture f;
        fixture_init(&f);
        capture_begin(&f.printed);
        f.result = carom_options_parse(&with_operand, cases[k].count, (char **)cases[k].arguments,
                                       &f.targets, &f.common);
        capture_end(&f.printed);
        if (cases[k].label != NULL) {
            assert_accepted(&f);
            ck_assert_str_eq(f.targets.label, cases[k].label);
        } else {
            ck_assert_str_eq(CAPTURED_ERR(&f.printed), cases[k].sentence);
        }
        carom_options_clear(&f.common);
    }
    fixture f;
    fixture_init(&f);
    char *arguments[] = {"two_ball_chain", "--help"};
    capture_begin(&f.printed);
    f.result = carom_options_parse(&with_operand, 2, arguments, &f.targets, &f.common);
    capture_end(&f.printed);
    ck_assert(strstr(CAPTURED_OUT(&f.printed), "two_ball_chain [FILE] [--PARAMETER") != NULL);
    ck_assert(strstr(CAPTURED_OUT(&f.printed), "  --label FILE  (default \"plain\")") != NULL);
    ck_assert(strstr(CAPTURED_OUT(&f.printed), "  --note TEXT  (not set)") != NULL);
    carom_options_clear(&f.common);
}

TEST(unit, help_names_every_option_unit_range_and_default) {
    fixture f;
    PARSE(&f, "--mass", "abc", "--help");
    ck_assert_int_eq(f.result, CAROM_PARSE_DONE);
    ck_assert_str_eq(CAPTURED_ERR(&f.printed), "");
    const char *help = CAPTURED_OUT(&f.printed);
    const char *parts[] = {
        "Usage: two_ball_chain [--PARAMETER VALUE]... [--output FILE]\n",
        "Two balls in a chain (key-2014)\n",
        "  --mass NUMBER  (unit kg; positive; default 2.385)\n        mass of a ball\n",
        "  --initial-height NUMBER  (unit m; not negative; default 0)\n",
        "  --restitution NUMBER  (unit 1; in [0, 1]; default 0.8125)\n",
        "  --theta NUMBER  (unit 1; in [1/2, 1]; not set)\n",
        "  --offset NUMBER  (unit mm; any; default -3.75)\n",
        "  --count INTEGER  (unit 1; positive; default 17)\n",
        "  --predictor CHOICE  (half-step|full-step|current; default full-step)\n",
        "  --label TEXT  (default \"plain\")\n",
        "  --note TEXT  (not set)\n",
        "  --lean NUMBER  (unit deg; in (-0.5, 90]; default 41.5)\n",
        "  --output FILE  (default two_ball_chain.h5)\n",
        "  --seed INTEGER  (not negative; default 1)\n",
        "  --threads INTEGER  (in [0, 1024]; default 0)\n",
        "  --checkpoint FILE\n",
        "  --set FILE\n",
        "  --quiet\n",
        "  --help, --version\n",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        assert_contains(help, parts[i]);
    }
    carom_options_clear(&f.common);
}

TEST(unit, version_names_program_and_library) {
    fixture f;
    PARSE(&f, "--version");
    ck_assert_int_eq(f.result, CAROM_PARSE_DONE);
    ck_assert_str_eq(CAPTURED_OUT(&f.printed), "two_ball_chain (carom) " CAROM_VERSION "\n");
    carom_options_clear(&f.common);
}

/** Parse with one set file of these bytes; `extra` arguments follow. */
static void parse_with_file(fixture *self, const char *bytes, size_t count, const char *extra,
                            char path[256]) {
    scratch folder = scratch_make();
    scratch_path(&folder, "parameters", path);
    write_bytes(path, bytes, count);
    if (extra == NULL) {
        PARSE(self, "--set", path);
    } else {
        char copy[128];
        snprintf(copy, sizeof copy, "%s", extra);
        PARSE(self, copy, "--set", path);
    }
    scratch_remove(&folder, "parameters");
}

TEST(unit, a_set_file_sets_parameters_and_common_options) {
    const char text[] =
        "\xEF\xBB\xBF# a case\n\n  mass = 4.125   # heavy\r\nlabel=a#1 b\ncount\t=\t5\n"
        "output = out/file.h5\nseed = 77\nthreads = 2\nmass = 4.25\n"
        "predictor = half-step";
    fixture f;
    char path[256];
    parse_with_file(&f, text, sizeof text - 1, NULL, path);
    assert_accepted(&f);
    assert_close(f.targets.mass, 4.25, 0.0, 0.0);
    ck_assert_str_eq(f.targets.label, "a#1 b");
    ck_assert_int_eq(f.targets.count, 5);
    ck_assert_int_eq(f.targets.predictor, 0);
    ck_assert_str_eq(f.common.output, "out/file.h5");
    ck_assert_uint_eq(f.common.seed, 77);
    ck_assert_int_eq(f.common.workers.threads, 2);
    carom_options_clear(&f.common);
}

TEST(unit, the_command_line_wins_over_a_later_set_file) {
    const char text[] = "mass = 4.125\nrestitution = 0.25\n";
    fixture f;
    char path[256];
    parse_with_file(&f, text, sizeof text - 1, "--mass=9.5", path);
    assert_accepted(&f);
    assert_close(f.targets.mass, 9.5, 0.0, 0.0);
    assert_close(f.targets.restitution, 0.25, 0.0, 0.0);
    carom_options_clear(&f.common);
}

TEST(unit, of_two_set_files_the_later_one_wins) {
    scratch folder = scratch_make();
    char first[256];
    char second[256];
    scratch_path(&folder, "first", first);
    scratch_path(&folder, "second", second);
    write_bytes(first, "mass = 1.25\ncount = 3\n", 22);
    write_bytes(second, "mass = 1.75\n", 12);
    fixture f;
    PARSE(&f, "--set", first, "--set", second);
    assert_accepted(&f);
    assert_close(f.targets.mass, 1.75, 0.0, 0.0);
    ck_assert_int_eq(f.targets.count, 3);
    carom_options_clear(&f.common);
    unlink(first);
    scratch_remove(&folder, "second");
}

TEST(unit, an_empty_set_file_sets_nothing) {
    fixture f;
    char path[256];
    parse_with_file(&f, "", 0, NULL, path);
    assert_accepted(&f);
    assert_close(f.targets.mass, 2.385, 0.0, 0.0);
    carom_options_clear(&f.common);
}

TEST(property, the_ends_of_every_closed_range_are_admitted) {
    fixture f;
    PARSE(&f, "--restitution", "0", "--theta", "1", "--initial-height", "0", "--threads", "0");
    assert_accepted(&f);
    carom_options_clear(&f.common);
    PARSE(&f, "--restitution", "1", "--theta", "0.5", "--seed", "0", "--mass",
          "2.2250738585072014e-308", "--offset", "-1.7976931348623157e308", "--count", "2147483647",
          "--lean", "90");
    assert_accepted(&f);
    assert_close(f.targets.restitution, 1.0, 0.0, 0.0);
    assert_close(f.targets.offset, -DBL_MAX, 0.0, 0.0);
    assert_close(f.targets.lean, 90.0, 0.0, 0.0);
    ck_assert_int_eq(f.targets.count, INT_MAX);
    carom_options_clear(&f.common);
}

TEST(property, numbers_just_outside_a_range_are_refused) {
    REFUSE("--restitution must lie in [0, 1], got 1.5", "--restitution", "1.5");
    REFUSE("--restitution must lie in [0, 1], got 1.0000000000000002", "--restitution",
           "1.0000000000000002");
    REFUSE("--restitution must lie in [0, 1], got -1e-300", "--restitution=-1e-300");
    REFUSE("--theta must lie in [1/2, 1], got 0.49999999999999994", "--theta",
           "0.49999999999999994");
    REFUSE("--theta must lie in [1/2, 1], got 1.01", "--theta", "1.01");
    REFUSE("--mass must be positive, got 0", "--mass", "0");
    REFUSE("--mass must be positive, got -2.5", "--mass", "-2.5");
    REFUSE("--initial-height must not be negative, got -0.125", "--initial-height", "-0.125");
    REFUSE("--count must be positive, got 0", "--count", "0");
    REFUSE("--lean must lie in (-0.5, 90] deg, got -0.5", "--lean", "-0.5");
    REFUSE("--lean must lie in (-0.5, 90] deg, got 90.000000000000014", "--lean",
           "90.000000000000014");
    REFUSE("--threads must lie in [0, 1024], got 1025", "--threads", "1025");
    REFUSE("--threads must lie in [0, 1024], got -1", "--threads", "-1");
}

TEST(property, every_finite_double_survives_its_decimal_text) {
    // Seventeen digits identify a double (IEEE 754), so the value must come back exactly.
    const unsigned long seed = 20140610;
    gsl_rng *generator = seeded_generator(seed);
    for (int i = 0; i < 40; i++) {
        const double number =
            ldexp(uniform(generator, -1.0, 1.0), (int)uniform(generator, -1000.0, 1000.0));
        char text[64];
        snprintf(text, sizeof text, "--offset=%.17g", number);
        fixture f;
        PARSE(&f, text);
        ck_assert_msg(f.result == CAROM_PARSE_RUN, "seed %lu: %s refused", seed, text);
        assert_close(f.targets.offset, number, 0.0, 0.0);
        carom_options_clear(&f.common);
    }
    gsl_rng_free(generator);
}

TEST(errors, what_is_no_number_is_refused) {
    const char *texts[] = {"abc", "1.5x", "1,5", " 1.5", "1.5 ", "0x1.8p1", "--1", "1e", "."};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char argument[64];
        char sentence[128];
        snprintf(argument, sizeof argument, "--mass=%s", texts[i]);
        snprintf(sentence, sizeof sentence, "--mass must be a number, got \"%s\"", texts[i]);
        REFUSE(sentence, argument);
    }
    REFUSE("--count must be a whole number, got \"2.5\"", "--count", "2.5");
    REFUSE("--count must be a whole number, got \"-\"", "--count", "-");
    REFUSE("--count must be a whole number, got \"1e3\"", "--count", "1e3");
    REFUSE("--seed must be a whole number without sign, got \"-1\"", "--seed", "-1");
    REFUSE("--threads must be a whole number, got \"many\"", "--threads", "many");
}

TEST(errors, what_is_not_finite_is_refused) {
    const char *texts[] = {"nan", "NAN", "-nan", "inf", "-inf", "infinity", "1e999", "-1e999"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char sentence[128];
        char argument[64];
        snprintf(argument, sizeof argument, "--offset=%s", texts[i]);
        snprintf(sentence, sizeof sentence, "--offset must be finite, got %s", texts[i]);
        REFUSE(sentence, argument);
    }
    REFUSE("--count must fit in 32 bits, got 2147483648", "--count", "2147483648");
    REFUSE("--count must fit in 32 bits, got 99999999999999999999", "--count",
           "99999999999999999999");
    REFUSE("--seed must fit in an unsigned long, got 18446744073709551616", "--seed",
           "18446744073709551616");
    REFUSE("--threads must lie in [0, 1024], got 99999999999999999999", "--threads",
           "99999999999999999999");
}

TEST(errors, what_loses_digits_is_refused) {
    const char *positive = "--mass must be at least 2.2250738585072014e-308 kg, got ";
    const char *any = "--offset must be 0 or at least 2.2250738585072014e-308 mm in size, got ";
    const struct {
        const char *sentence;
        const char *option;
        const char *text;
    } cases[] = {
        {positive, "mass", "5e-324"},     {positive, "mass", "0.00001e-400"},
        {positive, "mass", "2.225e-308"}, {any, "offset", "-9e-309"},
        {any, "offset", "+1e-999"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char argument[64];
        char sentence[128];
        snprintf(argument, sizeof argument, "--%s=%s", cases[i].option, cases[i].text);
        snprintf(sentence, sizeof sentence, "%s%s", cases[i].sentence, cases[i].text);
        REFUSE(sentence, argument);
    }
    fixture f;
    PARSE(&f, "--initial-height=0.000e-999", "--offset=-2.2250738585072014e-308");
    assert_accepted(&f);
    carom_options_clear(&f.common);
}

TEST(errors, missing_values_are_refused) {
    REFUSE("--mass needs a value", "--mass");
    REFUSE("--mass needs a value", "--mass=");
    REFUSE("--mass needs a value", "--mass", "");
    REFUSE("--mass needs a value", "--mass", "--count", "3");
    REFUSE("--output needs a value", "--output");
    REFUSE("--set needs a value", "--set");
    REFUSE("--set needs a value", "--set=");
    REFUSE("--quiet takes no value", "--quiet=yes");
    REFUSE("--help takes no value", "--help=mass");
}

TEST(errors, unknown_names_are_refused) {
    REFUSE("unknown option --foo (see --help)", "--foo", "3");
    REFUSE("unknown option --foo (see --help)", "--foo=3");
    REFUSE("unknown option --mas (see --help)", "--mas", "3");
    REFUSE("unknown option --MASS (see --help)", "--MASS", "3");
    REFUSE("unknown option -h (see --help)", "-h");
    REFUSE("unknown option -- (see --help)", "--");
    REFUSE("unexpected argument \"mass=3\" (see --help)", "mass=3");
    REFUSE("unexpected argument \"yes\" (see --help)", "--quiet", "yes");
    // A long name is shown as far as it fits on a line.
    char letters[299];
    memset(letters, 'x', sizeof letters - 1);
    letters[sizeof letters - 1] = '\0';
    char name[301];
    char sentence[128];
    snprintf(name, sizeof name, "--%s", letters);
    snprintf(sentence, sizeof sentence, "unknown option --%.60s... (see --help)", letters);
    REFUSE(sentence, name);
}

TEST(errors, unknown_choices_and_strange_letters_are_refused) {
    REFUSE("--predictor must be one of half-step|full-step|current, got \"full\"", "--predictor",
           "full");
    REFUSE("--predictor must be one of half-step|full-step|current, got \"full-step|current\"",
           "--predictor", "full-step|current");
    REFUSE("--label must be printable UTF-8, got \"a?b\"", "--label", "a\nb");
    REFUSE("--label must be printable UTF-8, got \"\xe9\"", "--label", "\xe9");
}

/** A set file of this text is refused at this line with this sentence. */
static void assert_file_refused(const char *text, int line, const char *sentence) {
    fixture f;
    char path[256];
    char expected[512];
    parse_with_file(&f, text, strlen(text), NULL, path);
    snprintf(expected, sizeof expected, "%s:%d: %s", path, line, sentence);
    assert_refused(&f, expected);
}

TEST(errors, malformed_set_files_are_refused_with_file_and_line) {
    assert_file_refused("mass = 2\n\n# x\nmas = 3\n", 4, "unknown name \"mas\" (see --help)");
    assert_file_refused("--mass = 2", 1, "unknown name \"--mass\" (see --help)");
    assert_file_refused("quiet = 1", 1, "unknown name \"quiet\" (see --help)");
    assert_file_refused("set = other", 1, "unknown name \"set\" (see --help)");
    assert_file_refused("\nmass 2\n", 2, "expected \"name = value\", got \"mass 2\"");
    assert_file_refused("= 2", 1, "expected \"name = value\", got \"= 2\"");
    assert_file_refused("count = 2\nmass =  # none\n", 2, "mass needs a value");
    assert_file_refused("mass = two", 1, "mass must be a number, got \"two\"");
    assert_file_refused("mass = 1 = 2", 1, "mass must be a number, got \"1 = 2\"");
    assert_file_refused("restitution = 1.5", 1, "restitution must lie in [0, 1], got 1.5");
    assert_file_refused("mass = nan", 1, "mass must be finite, got nan");
    assert_file_refused("predictor = full", 1,
                        "predictor must be one of half-step|full-step|current, got \"full\"");
}

/** A set file as a whole is refused for this reason. */
static void assert_whole_file_refused(const char *bytes, size_t count, const char *reason) {
    fixture f;
    char path[256];
    parse_with_file(&f, bytes, count, NULL, path);
    char expected[512];
    snprintf(expected, sizeof expected, "--set %s: %s", path, reason);
    assert_refused(&f, expected);
}

TEST(errors, set_files_that_are_not_text_are_refused) {
    assert_whole_file_refused("mass = 2\0\n", 10, "is not a text file");
    static char large[70000];
    memset(large, '#', sizeof large);
    assert_whole_file_refused(large, sizeof large, "is too large for a set file");
    REFUSE("--set /nowhere/at/all: cannot be read: No such file or directory", "--set",
           "/nowhere/at/all");
    REFUSE("--set /: cannot be read: Is a directory", "--set=/");
}

TEST(unit, a_set_file_of_the_largest_size_is_read) {
    static char text[65536];
    const char first_line[] = "mass = 8.5\n";
    memset(text, '#', sizeof text);
    memcpy(text, first_line, sizeof first_line - 1);
    fixture f;
    char path[256];
    parse_with_file(&f, text, sizeof text, NULL, path);
    assert_accepted(&f);
    assert_close(f.targets.mass, 8.5, 0.0, 0.0);
    carom_options_clear(&f.common);
}
