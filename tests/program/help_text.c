#include "capture.h"

#include <carom/program/internal.h>

/** What is printed of a text. */
static void help_of(capture *printed, const char *text) {
    capture_begin(printed);
    carom_help_print(text);
    capture_end(printed);
    ck_assert_str_eq(CAPTURED_ERR(printed), "");
}

#define ASSERT_HELP(text, expected)                         \
    do {                                                    \
        capture printed;                                    \
        help_of(&printed, text);                            \
        ck_assert_str_eq(CAPTURED_OUT(&printed), expected); \
    } while (0)

/* Words of nine letters and a blank. */
#define FORTY "123456789 123456789 123456789 123456789 "
#define SIXTY FORTY "123456789 123456789 "

TEST(unit, lines_of_eighty_columns_stay_and_longer_ones_are_broken_between_words) {
    ASSERT_HELP(SIXTY "12345678901234567890\n", SIXTY "12345678901234567890\n");
    ASSERT_HELP(SIXTY "123456789 12345678901\n", SIXTY "123456789\n12345678901\n");
    // As a terminal counts: eighty letters of two bytes are not too many, and are not cut.
    ASSERT_HELP(SIXTY "\u03bb234567890123456789\u03bc\n", SIXTY "\u03bb234567890123456789\u03bc\n");
    ASSERT_HELP("", "");
    ASSERT_HELP("\n\n", "\n\n");
}

TEST(unit, what_is_said_of_an_entry_goes_on_below_its_beginning) {
    ASSERT_HELP("  --flag X  " SIXTY "12345678 12\n  --next\n        of it\n",
                "  --flag X  " SIXTY "12345678\n            12\n  --next\n        of it\n");
    // Without such a beginning, as the line is indented.
    ASSERT_HELP("        " SIXTY "12345678901 1\n", "        " SIXTY "12345678901\n        1\n");
}

TEST(unit, lines_of_a_paragraph_are_filled) {
    ASSERT_HELP("  A  one\n     two\n  B  three\n\nfour\nfive\n  six\n",
                "  A  one two\n  B  three\n\nfour five\n  six\n");
}

TEST(unit, what_stands_in_brackets_goes_on_behind_them_and_ends_with_them) {
    ASSERT_HELP("  --length NUMBER  (" FORTY "12345678901234567 2; 4)\n        help\n",
                "  --length NUMBER  (" FORTY
                "12345678901234567 2;\n                    4)\n        help\n");
    // A flag so short that its brackets begin where the text does.
    ASSERT_HELP("  --x  (no)\n        help\n", "  --x  (no)\n        help\n");
}

TEST(unit, a_list_longer_than_a_line_is_broken_behind_its_separators) {
#define LETTERS "abcdefghijklmnopqrstuvwxyzabcdefghijklmn"
    ASSERT_HELP("  --a C  (" LETTERS "|" LETTERS "|b; default b)\n",
                "  --a C  (" LETTERS "|\n          " LETTERS "|b; default b)\n");
    ASSERT_HELP("  --a C  (unit 1; default 0.5," LETTERS "," LETTERS ")\n",
                "  --a C  (unit 1; default 0.5," LETTERS ",\n          " LETTERS ")\n");
    // One that fits into the next line stands there whole.
    ASSERT_HELP(SIXTY "12 " LETTERS "|b\n", SIXTY "12\n" LETTERS "|b\n");
    // What has no separator is not broken.
    ASSERT_HELP("a " LETTERS LETTERS LETTERS "\n", "a\n" LETTERS LETTERS LETTERS "\n");
}

TEST(unit, a_usage_goes_on_behind_the_name_and_the_next_is_none_of_its_words) {
    ASSERT_HELP("Usage: tool [1]\n       tool " SIXTY "12345678 [2]\ntitle\n",
                "Usage: tool [1]\n       tool " SIXTY "12345678\n            [2]\ntitle\n");
}

TEST(unit, words_are_printed_in_lines_however_the_text_is_broken) {
    capture printed;
    capture_begin(&printed);
    carom_words_print(4, "one\ntwo  " SIXTY "12345678 12");
    capture_end(&printed);
    ck_assert_str_eq(CAPTURED_OUT(&printed), "    one two " SIXTY "12345678\n    12\n");
}
