#include "capture.h"

#include <carom/program/internal.h>
#include <carom/program/program.h>
#include <carom/record/reader.h>

typedef struct values {
    double gap;
    carom_text_list words;
    carom_text_list command;
} values;

static const carom_option options[] = {
    CAROM_REAL("gap", values, gap, "m", "gap at rest", "any"),
    CAROM_TEXT_LIST("word", values, words, "a word each time"),
    CAROM_TEXT_LIST("command", values, command, "what runs"),
};

static const carom_program program = {.name = "runner",
                                      .title = "A runner",
                                      .source = "own",
                                      .schema = "runner 1",
                                      .options = CAROM_OPTIONS(options),
                                      .command = "command"};

/** One parse: its settings, what it printed, what it decided. */
typedef struct fixture {
    values targets;
    carom_common_options common;
    carom_parse_result result;
    capture printed;
} fixture;

static void parse(fixture *self, int count, char **arguments) {
    self->targets = (values){.gap = 0.375};
    capture_begin(&self->printed);
    self->result = carom_options_parse(&program, count, arguments, &self->targets, &self->common);
    capture_end(&self->printed);
}

#define PARSE(self, ...)                                                          \
    do {                                                                          \
        char *arguments_[] = {"runner", __VA_ARGS__};                             \
        parse(self, (int)(sizeof arguments_ / sizeof arguments_[0]), arguments_); \
    } while (0)

static void assert_texts(carom_text_list list, int count, const char *const *expected) {
    ck_assert_int_eq(list.count, count);
    for (int i = 0; i < count; i++) {
        ck_assert_str_eq(list.values[i], expected[i]);
    }
}

TEST(unit, a_text_is_added_each_time_in_order) {
    fixture f;
    PARSE(&f, "--word", "a = b", "--gap", "2.5", "--word=--c,d", "--word", "a = b");
    ck_assert_str_eq(CAPTURED_ERR(&f.printed), "");
    ck_assert_int_eq(f.result, CAROM_PARSE_RUN);
    const char *const words[] = {"a = b", "--c,d", "a = b"};
    assert_texts(f.targets.words, 3, words);
    ck_assert_int_eq(f.targets.command.count, 0);
    carom_options_clear(&f.common);
}

TEST(unit, what_stands_behind_two_dashes_is_the_command) {
    fixture f;
    PARSE(&f, "--gap=2.5", "--", "ls", "--help", "--gap", "7", "--set", "none", "--", "-x");
    ck_assert_str_eq(CAPTURED_ERR(&f.printed), "");
    ck_assert_int_eq(f.result, CAROM_PARSE_RUN);
    const char *const command[] = {"ls", "--help", "--gap", "7", "--set", "none", "--", "-x"};
    assert_texts(f.targets.command, 8, command);
    assert_close(f.targets.gap, 2.5, 0.0, 0.0);
    carom_options_clear(&f.common);
}

TEST(unit, a_set_file_adds_a_text_with_each_line) {
    fixture f;
    static const char text[] = "word = a\n# no\ncommand = ls\nword = b=c\n";
    char path[256];
    scratch folder = scratch_make();
    scratch_path(&folder, "set", path);
    write_bytes(path, text, strlen(text));
    PARSE(&f, "--word", "last", "--set", path, "--", "-l");
    scratch_remove(&folder, "set");
    ck_assert_str_eq(CAPTURED_ERR(&f.printed), "");
    const char *const words[] = {"a", "b=c", "last"};
    const char *const command[] = {"ls", "-l"};
    assert_texts(f.targets.words, 3, words);
    assert_texts(f.targets.command, 2, command);
    carom_options_clear(&f.common);
}

TEST(unit, texts_are_recorded_as_lines) {
    fixture f;
    PARSE(&f, "--word", "a", "--word", "b c");
    char path[256];
    char text[64];
    scratch folder = scratch_make();
    scratch_path(&folder, "r.h5", path);
    carom_record *record = NULL;
    carom_reader *reader = NULL;
    const carom_record_header header = {"t", "s", "x 1", "d", "c", "f", 1};
    assert_ok(carom_record_create(path, &header, &record));
    carom_options_record(&program.options, &f.targets, record);
    assert_ok(carom_record_commit(record, NULL));
    assert_ok(carom_reader_open(path, &reader));
    assert_ok(carom_reader_text(reader, "/parameters/word", (int)sizeof text, text));
    ck_assert_str_eq(text, "a\nb c");
    assert_status(carom_reader_text(reader, "/parameters/command", (int)sizeof text, text),
                  NOT_FOUND);
    carom_reader_close(reader);
    scratch_remove(&folder, "r.h5");
    carom_options_clear(&f.common);
}

TEST(unit, help_says_that_it_may_be_repeated_and_where_the_command_stands) {
    fixture f;
    PARSE(&f, "--help", "--", "ls");
    ck_assert_int_eq(f.result, CAROM_PARSE_DONE);
    ck_assert_ptr_nonnull(
        strstr(CAPTURED_OUT(&f.printed), "--word TEXT  (may be repeated; not set)"));
    ck_assert_ptr_nonnull(strstr(CAPTURED_OUT(&f.printed), " -- PROGRAM [ARGUMENT]...\n"));
    carom_options_clear(&f.common);
}

TEST(errors, an_empty_text_is_refused_and_so_are_dashes_where_no_command_is) {
    fixture f;
    PARSE(&f, "--word", "");
    ck_assert_str_eq(CAPTURED_ERR(&f.printed), "runner: --word needs a value\n");
    ck_assert_int_eq(f.result, CAROM_PARSE_REFUSED);
    carom_options_clear(&f.common);
    PARSE(&f, "--word", "a\tb");
    ck_assert_int_eq(f.result, CAROM_PARSE_REFUSED);
    carom_options_clear(&f.common);

    carom_program without = program;
    without.command = NULL;
    char *arguments[] = {"runner", "--", "ls"};
    f.targets = (values){.gap = 0.375};
    capture_begin(&f.printed);
    f.result = carom_options_parse(&without, 3, arguments, &f.targets, &f.common);
    capture_end(&f.printed);
    ck_assert_int_eq(f.result, CAROM_PARSE_REFUSED);
    carom_options_clear(&f.common);
}
