#include "scratch.h"

#include <carom/record/text.h>
#include <float.h>

FIXTURE(scratch_setup, scratch_teardown);

static void assert_number(const char *format, double value, const char *expected) {
    char text[CAROM_LATEX_NUMBER_SIZE];
    assert_ok(carom_latex_number(format, value, text));
    ck_assert_str_eq(text, expected);
}

static void assert_tidy(const char *printed, const char *expected) {
    char text[64];
    snprintf(text, sizeof text, "%s", printed);
    carom_latex_tidy_number(text);
    ck_assert_str_eq(text, expected);
}

TEST(unit, numbers_follow_their_format_without_empty_signs_and_zeros) {
    assert_number("%.4f", 3.60221, "3.6022");
    assert_number("%.0f", 41.7, "42");
    assert_number("%.2e", -1.2e-5, "-1.20e-5");
    assert_number("%.2e", 1.2e100, "1.20e100");
    assert_number("%.3g", 1234567.0, "1.23e6");
    assert_number("%.12g", 0.5, "0.5");
    assert_number("%.3f", -0.0001, "0.000");
    assert_number("%.1e", -0.0, "0");
    assert_number("%.0f", -0.3, "0");
    assert_number("%.1f", -0.3, "-0.3");
}

TEST(unit, the_longest_number_fits) {
    char text[CAROM_LATEX_NUMBER_SIZE];
    assert_ok(carom_latex_number("%.50f", -DBL_MAX, text));
    ck_assert_uint_eq(strlen(text), 1 + 309 + 1 + 50);
}

TEST(unit, printed_numbers_are_tidied_in_place) {
    assert_tidy("1E+05", "1E5");
    assert_tidy("1e-00", "1e-0");
    assert_tidy("-0", "0");
    assert_tidy("-0.00e-07", "0.00e-7");
    assert_tidy("-0.01", "-0.01");
    assert_tidy("12", "12");
    assert_tidy("1e", "1e");
}

TEST(unit, letters_with_a_meaning_are_escaped) {
    carom_text_buffer text = {0};
    carom_latex_escape(&text, "a_1 & 5% of $x$ #2 {b} \\c ~d ^e <f> |g| \"h\"\ni");
    ck_assert_str_eq(text.text, "a\\_1 \\& 5\\% of \\$x\\$ \\#2 \\{b\\} \\textbackslash{}c "
                                "\\textasciitilde{}d \\textasciicircum{}e "
                                "\\textless{}f\\textgreater{} \\textbar{}g\\textbar{} "
                                "\\textquotedbl{}h\\textquotedbl{} i");
    carom_text_buffer_clear(&text);
}

TEST(unit, a_buffer_grows_and_is_saved_as_it_is) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer text = {0};
    size_t expected = 0;
    for (int i = 0; i < 5000; ++i) {
        carom_text_buffer_print(&text, "%d,", i);
        expected += (size_t)snprintf(NULL, 0, "%d,", i);
    }
    carom_text_buffer_add(&text, "\0x", 2);
    ck_assert_uint_eq(text.length, expected + 2);
    bool changed = false;
    assert_ok(carom_text_buffer_save(&text, scratch_path("a", path), &changed));
    ck_assert(changed);
    assert_ok(carom_text_buffer_save(&text, path, &changed));
    ck_assert(!changed);
    carom_text_buffer copy = {0};
    assert_ok(carom_text_buffer_load(&copy, path, CAROM_TEXT_FILE_MOST_BYTES));
    ck_assert_uint_eq(copy.length, text.length);
    ck_assert_int_eq(memcmp(copy.text, text.text, text.length), 0);
    carom_text_buffer_clear(&copy);
    carom_text_buffer_clear(&text);

    /* Nothing is something to save as well. */
    assert_ok(carom_text_buffer_save(&text, path, &changed));
    ck_assert(changed);
    assert_ok(carom_text_buffer_load(&copy, path, CAROM_TEXT_FILE_MOST_BYTES));
    ck_assert_str_eq(copy.text, "");
    carom_text_buffer_clear(&copy);
}

TEST(errors, formats_other_than_the_three_are_refused) {
    static const char *const formats[] = {"",      "%f",     "%.f",    "%.3",   "%.3d",  "%.3s",
                                          "%5.3f", "%.3f%s", "%.123f", "%.-3f", "%.+3f", "x%.3f",
                                          "%.3lf", "%n",     "%.3ff",  "%. 3f", "%.*f",  "%.3fe"};
    char text[CAROM_LATEX_NUMBER_SIZE];
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; ++i) {
        ck_assert_msg(carom_latex_number(formats[i], 1.5, text) == CAROM_STATUS_BAD_FORMAT,
                      "\"%s\" was accepted", formats[i]);
        ck_assert_str_eq(text, "");
    }
    assert_status(carom_latex_number("%.3f", (double)NAN, text), NOT_FINITE);
    assert_status(carom_latex_number("%.3f", -(double)INFINITY, text), NOT_FINITE);
}

TEST(errors, files_that_cannot_be_read_or_written_are_reported) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer text = {0};
    assert_status(
        carom_text_buffer_load(&text, scratch_path("none", path), CAROM_TEXT_FILE_MOST_BYTES), IO);
    assert_status(carom_text_buffer_load(&text, scratch_folder, CAROM_TEXT_FILE_MOST_BYTES), IO);
    carom_text_buffer_clear(&text);
    assert_status(carom_text_buffer_save(&text, scratch_path("no/a", path), NULL), IO);
}

TEST(unit, a_file_is_read_up_to_its_limit) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer text = {0};
    scratch_write("ten", "0123456789", 10);
    assert_ok(carom_text_buffer_load(&text, scratch_path("ten", path), 10));
    ck_assert_str_eq(text.text, "0123456789");
    assert_status(carom_text_buffer_load(&text, path, 9), OUT_OF_RANGE);
    /* What never ends is given up, with little more in memory than allowed. */
    assert_status(carom_text_buffer_load(&text, "/dev/zero", 100000), OUT_OF_RANGE);
    ck_assert_uint_le(text.length, 200000);
    carom_text_buffer_clear(&text);
}

TEST(unit, a_byte_order_mark_is_cut_off_at_the_beginning_alone) {
    char path[SCRATCH_PATH_SIZE];
    carom_text_buffer text = {0};
    const char *const texts[] = {"\xEF\xBB\xBF"
                                 "a,b",
                                 "\xEF\xBB\xBF", "\xEF\xBB", "a\xEF\xBB\xBF"};
    const char *const expected[] = {"a,b", "", "\xEF\xBB", "a\xEF\xBB\xBF"};
    for (int i = 0; i < 4; ++i) {
        scratch_write("text", texts[i], strlen(texts[i]));
        assert_ok(carom_text_buffer_load(&text, scratch_path("text", path), 100));
        ck_assert_str_eq(text.text, expected[i]);
        ck_assert_uint_eq(text.length, strlen(expected[i]));
    }
    carom_text_buffer_clear(&text);
}

TEST(unit, formulas_go_through_and_the_rest_is_escaped) {
    carom_text_buffer text = {0};
    carom_latex_text(&text, "a_1 is $x_1^2$, 5 % of $y$ & 3");
    ck_assert_str_eq(text.text, "a\\_1 is $x_1^2$, 5 \\% of $y$ \\& 3");
    text.length = 0;
    carom_latex_text(&text, "$x$ costs 2 $");
    ck_assert_str_eq(text.text, "$x$ costs 2 \\$");
    carom_text_buffer_clear(&text);
}
