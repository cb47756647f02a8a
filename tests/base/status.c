/* carom/base/base.h: every code has its sentence and name, and reports say what failed. */
#include "../support.h"

#include <stdbool.h>
#include <string.h>

static const carom_status ALL[] = {
#define LISTED(code, sentence) CAROM_STATUS_##code,
    CAROM_STATUS_LIST(LISTED)
#undef LISTED
};
enum { COUNT = sizeof ALL / sizeof ALL[0] };

TEST(unit, success_is_zero) {
    ck_assert_int_eq(CAROM_OK, 0);
    ck_assert_int_eq(CAROM_STATUS_OK, 0);
}

TEST(unit, names_and_sentences_are_those_of_the_list) {
    ck_assert_str_eq(carom_status_name(CAROM_STATUS_NOT_FINITE), "NOT_FINITE");
    ck_assert_str_eq(carom_status_sentence(CAROM_STATUS_SINGULAR), "a matrix is singular");
}

TEST(unit, an_empty_report_says_nothing) {
    const carom_report report = carom_report_empty();
    ck_assert_ptr_null(report.quantity);
    ck_assert(isnan(report.value) && isnan(report.time) && isnan(report.step));
    ck_assert(isnan(report.residual));
    ck_assert_int_eq(report.index, -1);
    ck_assert_int_eq(report.iterations, 0);
}

TEST(unit, a_failed_check_fills_the_report_and_hands_the_status_back) {
    carom_report report;
    memset(&report, 0x5a, sizeof report);
    ck_assert_int_eq(carom_report_fail(&report, CAROM_STATUS_OUT_OF_RANGE, "mass", -2.385, 7),
                     CAROM_STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "mass");
    assert_close(report.value, -2.385, 0.0, 0.0);
    ck_assert_int_eq(report.index, 7);
    ck_assert(isnan(report.time) && isnan(report.step) && isnan(report.residual));
    ck_assert_int_eq(report.iterations, 0);
}

TEST(unit, a_failed_check_without_a_report_still_hands_the_status_back) {
    ck_assert_int_eq(carom_report_fail(NULL, CAROM_STATUS_IO, "file", 0.0, -1), CAROM_STATUS_IO);
}

TEST(unit, a_refused_value_says_what_is_accepted) {
    carom_report report;
    memset(&report, 0x5a, sizeof report);
    ck_assert_int_eq(carom_report_refuse(&report, "restitution", 1.19, 2, "in [0,1]"),
                     CAROM_STATUS_OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "restitution");
    ck_assert_str_eq(report.accepted, "in [0,1]");
    ck_assert_int_eq(report.index, 2);
    ck_assert_int_eq(carom_report_refuse(NULL, "step", 0.0, -1, "> 0"), CAROM_STATUS_OUT_OF_RANGE);
}

TEST(unit, a_sentence_of_its_own_is_cut_to_fit) {
    carom_report report;
    memset(&report, 0x5a, sizeof report);
    ck_assert_int_eq(carom_report_say(&report, CAROM_STATUS_UNSUPPORTED, "%s has %g", "a", 0.5),
                     CAROM_STATUS_UNSUPPORTED);
    ck_assert_str_eq(report.sentence, "a has 0.5");
    ck_assert_ptr_null(report.quantity);
    char long_text[2 * CAROM_REPORT_SENTENCE_SIZE];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    (void)carom_report_say(&report, CAROM_STATUS_IO, "%s", long_text);
    ck_assert_uint_eq(strlen(report.sentence), CAROM_REPORT_SENTENCE_SIZE - 1);
    ck_assert_int_eq(carom_report_say(NULL, CAROM_STATUS_IO, "x"), CAROM_STATUS_IO);
}

TEST(unit, a_context_is_copied_and_cut_to_fit) {
    carom_report report = carom_report_empty();
    ck_assert_str_eq(report.context, "");
    char name[] = "moreau_jean";
    carom_report_set_context(&report, name);
    name[0] = 'M';
    ck_assert_str_eq(report.context, "moreau_jean");
    char text[2 * CAROM_REPORT_CONTEXT_SIZE];
    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    carom_report_set_context(&report, text);
    ck_assert_uint_eq(strlen(report.context), CAROM_REPORT_CONTEXT_SIZE - 1);
    carom_report_set_context(NULL, text);
}

TEST(property, names_and_sentences_are_all_different) {
    for (int i = 0; i < COUNT; i++) {
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(carom_status_name(ALL[i]), carom_status_name(ALL[j]));
            ck_assert_str_ne(carom_status_sentence(ALL[i]), carom_status_sentence(ALL[j]));
        }
        ck_assert_str_ne(carom_status_name(ALL[i]), "UNKNOWN");
        ck_assert_str_ne(carom_status_sentence(ALL[i]), "unknown status");
    }
}

/** A function that passes a status up; `reached` tells whether it went on. */
static carom_status pass_up(carom_status status, bool *reached) {
    *reached = false;
    CAROM_TRY(status);
    *reached = true;
    return CAROM_OK;
}

TEST(property, try_passes_every_failure_up_and_goes_on_after_success) {
    for (int i = 0; i < COUNT; i++) {
        bool reached;
        ck_assert_int_eq(pass_up(ALL[i], &reached), ALL[i]);
        ck_assert_int_eq(reached, ALL[i] == CAROM_OK);
    }
}

TEST(errors, a_value_outside_the_list_is_called_unknown) {
    ck_assert_str_eq(carom_status_sentence((carom_status)COUNT), "unknown status");
    ck_assert_str_eq(carom_status_name((carom_status)COUNT), "UNKNOWN");
}

/** The report's line is this. */
static void assert_prints(carom_status status, const carom_report *report, const char *expected) {
    char line[1024] = "";
    FILE *stream = fmemopen(line, sizeof line, "w");
    ck_assert_ptr_nonnull(stream);
    carom_report_print(stream, status, report);
    (void)fclose(stream);
    ck_assert_str_eq(line, expected);
}

TEST(unit, a_report_prints_what_it_knows) {
    carom_report report = carom_report_empty();
    assert_prints(CAROM_STATUS_SINGULAR, NULL, "a matrix is singular\n");
    assert_prints(CAROM_STATUS_SINGULAR, &report, "a matrix is singular\n");
    (void)carom_report_refuse(&report, "restitution", 1.19, 2, "in [0,1]");
    assert_prints(CAROM_STATUS_OUT_OF_RANGE, &report,
                  "a value is outside its admissible range: restitution[2] = 1.19, accepted in "
                  "[0,1]\n");
    (void)carom_report_bound(&report, "step", 2.0, "at most", 0.125);
    report.units = "s";
    assert_prints(
        CAROM_STATUS_OUT_OF_RANGE, &report,
        "a value is outside its admissible range: step = 2 s, accepted at most 0.125 s\n");
    (void)carom_report_refuse(&report, "restitution", 1.19, 2, NULL);
    report.units = "kg";
    report.context[0] = 'a';
    assert_prints(CAROM_STATUS_OUT_OF_RANGE, &report,
                  "a: a value is outside its admissible range: restitution[2] = 1.19 kg\n");
    (void)carom_report_fail(&report, CAROM_STATUS_NOT_FINITE, "force", (double)NAN, -1);
    assert_prints(CAROM_STATUS_NOT_FINITE, &report, "a value is NaN or infinite: force = nan\n");
    (void)carom_report_fail(&report, CAROM_STATUS_PENETRATION, "gap", -0.25, 1);
    assert_prints(CAROM_STATUS_PENETRATION, &report,
                  "the initial position penetrates a contact: gap of contact 1 = -0.25\n");
    (void)carom_report_fail(&report, CAROM_STATUS_NOT_CONVERGED, NULL, (double)NAN, -1);
    report.time = 0.25;
    report.step = 0.5;
    report.residual = 3e-5;
    report.iterations = 1;
    assert_prints(CAROM_STATUS_NOT_CONVERGED, &report,
                  "the iteration did not converge at t = 0.25 s with h = 0.5 s: residual 3e-05 "
                  "after 1 iteration\n");
    (void)carom_report_say(&report, CAROM_STATUS_UNSUPPORTED, "moreau_jean does not");
    assert_prints(CAROM_STATUS_UNSUPPORTED, &report, "moreau_jean does not\n");
}
