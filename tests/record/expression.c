/** Expressions over data sets that stand here, against values worked out by hand. */
#include "../support.h"

#include "../failing_malloc.h"
#include <carom/record/expression.h>
#include <gsl/gsl_math.h>
#include <stdio.h>
#include <string.h>

/* What can be read: x, t series, m a matrix, hole with a NaN, none empty, one a number. */
static const struct {
    const char *record;
    const char *path;
    int rank;
    int rows;
    int columns;
    double values[6];
} data_sets[] = {
    {NULL, "/run/x", 1, 5, 1, {2.385, -1.5, 0.25, 7.0, 3.125}},
    {NULL, "/run/t", 1, 5, 1, {0.0, 0.5, 1.0, 1.5, 2.25}},
    {NULL, "/run/active", 1, 5, 1, {0.0, 1.0, 1.0, 0.0, 1.0}},
    {NULL, "/run/column", 2, 5, 1, {1.0, 2.0, 4.0, 8.0, 16.0}},
    {NULL, "/m", 2, 3, 2, {1.5, -2.0, 3.0, 4.0, -5.0, 6.25}},
    {NULL, "/far", 2, 1, 2, {4.5, 2.0}},
    {NULL, "/hole", 1, 3, 1, {1.0, NAN, 3.0}},
    {NULL, "/none", 1, 0, 1, {0.0}},
    {NULL, "/parameters/step", 0, 1, 1, {0.125}},
    {"other", "/run/x", 0, 1, 1, {11.5}},
};

static carom_status read_dataset(void *context, const char *record, const char *path,
                                 carom_dataset *out) {
    (void)context;
    *out = (carom_dataset){0};
    if (record != NULL && strcmp(record, "other") != 0) {
        return CAROM_STATUS_IO;
    }
    for (size_t i = 0; i < sizeof data_sets / sizeof data_sets[0]; i++) {
        if ((record == NULL) == (data_sets[i].record == NULL) &&
            strcmp(path, data_sets[i].path) == 0) {
            out->values = malloc(sizeof data_sets[i].values);
            if (out->values == NULL) {
                return CAROM_STATUS_OUT_OF_MEMORY;
            }
            memcpy(out->values, data_sets[i].values, sizeof data_sets[i].values);
            out->rank = data_sets[i].rank;
            out->rows = data_sets[i].rows;
            out->columns = data_sets[i].columns;
            return CAROM_OK;
        }
    }
    return CAROM_STATUS_NOT_FOUND;
}

static const carom_expression_name names[] = {
    {"late", "t >= /parameters/step * 8"}, {"loop", "1 + loop"}, {"bad", "t >= "}};

static const carom_expression_scope scope = {
    .read = read_dataset, .names = names, .name_count = sizeof names / sizeof names[0]};

static void assert_number(const char *text, double expected) {
    carom_expression_result result;
    carom_report report = carom_report_empty();
    const carom_status status = carom_expression_number(text, &scope, &result, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", text, report.sentence);
    ck_assert_msg(fabs(result.number - expected) <= 1e-14 * fabs(expected), "%s = %.17g, not %.17g",
                  text, result.number, expected);
}

static void assert_series(const char *text, int count, const double *expected) {
    carom_expression_result result;
    carom_report report = carom_report_empty();
    const carom_status status = carom_expression_evaluate(text, &scope, &result, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", text, report.sentence);
    ck_assert_int_eq(result.value.rows * result.value.columns, count);
    ck_assert(isnan(result.number));
    for (int i = 0; i < count; i++) {
        assert_close(result.value.values[i], expected[i], 1e-14, 0.0);
    }
    carom_dataset_clear(&result.value);
}

#define assert_entries(text, ...)                                                \
    do {                                                                         \
        const double entries[] = {__VA_ARGS__};                                  \
        assert_series(text, (int)(sizeof entries / sizeof entries[0]), entries); \
    } while (0)

TEST(unit, operators_bind_as_in_mathematics) {
    assert_number("1 + 2 * 3", 7.0);
    assert_number("(1 + 2) * 3", 9.0);
    assert_number("7 - 2 - 1", 4.0);
    assert_number("12 / 2 / 3", 2.0);
    assert_number("-2^2", -4.0);
    assert_number("2^3^2", 512.0);
    assert_number("2^-1", 0.5);
    assert_number("1.5e2 - .5", 149.5);
    assert_number("1 < 2 & 2 < 1 | 3 > 2", 1.0);
    assert_number("1 < 2 & (2 < 1 | 3 > 4)", 0.0);
    assert_number("!(1 < 2) | 2 == 2", 1.0);
    assert_number("2 != 2", 0.0);
    assert_number("3 <= 3 & 3 >= 3", 1.0);
    assert_number("1 + 1 == 2", 1.0);
}

TEST(unit, names_are_data_sets_parameters_masks_and_other_records) {
    assert_number("$step", 0.125);
    assert_number("$step / 2", 0.0625);
    assert_number("/run/x[3]", 7.0);
    assert_number("x[3] in /run", 7.0);
    assert_number("other:/run/x + 1", 12.5);
    assert_number("count(late) in /run", 3.0);
    assert_number("sum(where(x, late)) in /run", 10.375);
}

TEST(unit, parts_are_counted_from_both_ends) {
    assert_number("/run/x[-5]", 2.385);
    assert_number("/m[2,-1]", 6.25);
    assert_entries("/run/x[1:3]", -1.5, 0.25);
    assert_entries("/run/x[-2:]", 7.0, 3.125);
    assert_entries("/run/x[:-3]", 2.385, -1.5);
    assert_entries("/m[:,1]", -2.0, 4.0, 6.25);
    assert_entries("/m[1,:]", 3.0, 4.0);
    assert_entries("/m[1:,0]", 3.0, -5.0);
    assert_entries("/m[0:2,:]", 1.5, -2.0, 3.0, 4.0);
    assert_entries("/run/x[starts(/run/active)]", -1.5, 3.125);
    assert_number("/run/x[starts(/run/active)][-1]", 3.125);
}

TEST(unit, functions_are_what_they_say) {
    assert_number("min(/m)", -5.0);
    assert_number("max(/m)", 6.25);
    assert_number("sum(/m[:,0])", -0.5);
    assert_number("mean(/run/x)", (2.385 - 1.5 + 0.25 + 7.0 + 3.125) / 5.0);
    assert_number("count(/run/x > 1)", 3.0);
    assert_number("any(/run/x > 6.9) & !any(/run/x > 7)", 1.0);
    assert_number("all(/run/x >= -1.5) & !all(/run/x > -1.5)", 1.0);
    assert_number("first(/run/x) + last(/run/x)", 5.51);
    assert_number("rows(/m) + rows(/none)", 3.0);
    assert_number("2 * pi", 2.0 * M_PI);
    assert_number("sqrt(2.25) + exp(0) + log(1) + sin(0) + cos(0) + round(1.6)", 5.5);
    assert_entries("next(/run/x)", -1.5, 0.25, 7.0, 3.125);
    assert_entries("prev(/run/x)", 2.385, -1.5, 0.25, 7.0);
    assert_entries("diff(/run/t)", 0.5, 0.5, 0.5, 0.75);
    assert_entries("abs(where(/m, /m[:,0] < 2 & /m[:,1] < 7))", 1.5, 2.0, 5.0, 6.25);
    assert_entries("starts(/run/active > 0)", 1.0, 4.0);
    assert_entries("where(/hole, known(/hole))", 1.0, 3.0);
    // Runs of activity begin at 1 and 4.
    assert_entries("segments(/run/column, starts(/run/active))", 8.0);
    assert_entries("distance(/m, /far)", 5.0, 2.5, hypot(9.5, 4.25));
    assert_entries("/run/column + /run/t", 1.0, 2.5, 5.0, 9.5, 18.25);
}

TEST(unit, windows_hold_what_lies_in_them) {
    // [0, 1): 2.385, -1.5; [1, 2): 0.25, 7; the third is not full. [1.25, 2.25) is: 2.25 ends it.
    assert_entries("windows(/run/x, /run/t, 0, 1)", 2.385, 7.0);
    assert_entries("windows(/run/x, /run/t, 0.25, 1)", 0.25, 7.0);
}

TEST(unit, the_slope_is_the_order) {
    // column = 2^i, t is no power of it; 3 column^1.75 has the slope 1.75.
    assert_number("round(1e9 * slope(/run/column, 3 * /run/column^1.75))", 1.75e9);
}

static carom_status counted_read(void *context, const char *record, const char *path,
                                 carom_dataset *out) {
    *(int *)context += 1;
    return read_dataset(NULL, record, path, out);
}

TEST(unit, a_data_set_is_read_once_of_each_record) {
    int count = 0;
    const carom_expression_scope counting = {
        .read = counted_read, .context = &count, .names = names, .name_count = 1};
    carom_expression_result result;
    assert_ok(
        carom_expression_number("sum(t) + sum(x) + count(late) - count(!late) + t[4] + other:/run/x"
                                " in /run",
                                &counting, &result, NULL));
    assert_close(result.number, 5.25 + 11.26 + 3.0 - 2.0 + 2.25 + 11.5, 1e-14, 0.0);
    ck_assert_int_eq(count, 4);
}

TEST(unit, comparisons_are_kept_with_both_sides) {
    carom_expression_result result;
    assert_ok(carom_expression_number("max(/run/x) < 2 * 4 & count(/run/x > 1) == 3", &scope,
                                      &result, NULL));
    ck_assert_int_eq(result.term_count, 2);
    assert_close(result.terms[0].measured, 7.0, 0.0, 0.0);
    ck_assert_str_eq(result.terms[0].relation, "<");
    assert_close(result.terms[0].threshold, 8.0, 0.0, 0.0);
    ck_assert_str_eq(result.terms[1].relation, "==");
    static const char *const without[] = {"1 < 2 | 3 < 4", "!(1 < 2)", "1 + 1", "any(/run/x < 1)",
                                          "round(1 < 2)"};
    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        assert_ok(carom_expression_number(without[i], &scope, &result, NULL));
        ck_assert_msg(result.term_count == 0, "%s", without[i]);
    }
}

TEST(errors, nothing_is_decided_by_accident) {
    static const struct {
        const char *text;
        carom_status status;
        const char *sentence; /* part of it */
    } cases[] = {
        {"", CAROM_STATUS_BAD_FORMAT, "character 1: it ends too early"},
        {"1 +", CAROM_STATUS_BAD_FORMAT, "character 4"},
        {"1 2", CAROM_STATUS_BAD_FORMAT, "character 3: an operator"},
        {"(1", CAROM_STATUS_BAD_FORMAT, "closing parenthesis"},
        {"1)", CAROM_STATUS_BAD_FORMAT, "an operator"},
        {"min 1", CAROM_STATUS_BAD_FORMAT, "in parentheses"},
        {"where(/run/x)", CAROM_STATUS_BAD_FORMAT, "with commas"},
        {"min(1, 2)", CAROM_STATUS_BAD_FORMAT, "closing parenthesis"},
        {"1 < 2 < 3", CAROM_STATUS_BAD_FORMAT, "do not chain"},
        {"0x10", CAROM_STATUS_BAD_FORMAT, "number is malformed"},
        {"1e999", CAROM_STATUS_BAD_FORMAT, "number is malformed"},
        {"nan", CAROM_STATUS_NOT_FOUND, "nan is no function"},
        {"/", CAROM_STATUS_BAD_FORMAT, "a path"},
        {"/run/", CAROM_STATUS_BAD_FORMAT, "a path"},
        {"x in /run y", CAROM_STATUS_BAD_FORMAT, "behind the group"},
        {"$", CAROM_STATUS_BAD_FORMAT, "a name"},
        {"\"a\"", CAROM_STATUS_BAD_FORMAT, "a value"},
        {"/run/x[0", CAROM_STATUS_BAD_FORMAT, "closing bracket"},
        {"/run/x[0,0]", CAROM_STATUS_BAD_FORMAT, "as many indices"},
        {"/m[0]", CAROM_STATUS_BAD_FORMAT, "two indices"},
        {"$step[0]", CAROM_STATUS_BAD_FORMAT, "as many indices"},
        {"bad in /run", CAROM_STATUS_BAD_FORMAT, "of t >= : it ends"},
        {"loop", CAROM_STATUS_BAD_FORMAT, "too deep"},
        {"/run/none", CAROM_STATUS_NOT_FOUND, "/run/none: the record has no such path"},
        {"none:/run/x", CAROM_STATUS_IO, "none:/run/x: the record is missing"},
        {"x in /none", CAROM_STATUS_NOT_FOUND, "/none/x"},
        {"/run/x", CAROM_STATUS_CONFLICT, "5 x 1 entries"},
        {"sum(/run/x + /m)", CAROM_STATUS_CONFLICT, "5 x 1 entries on the left of +, 3 x 2"},
        {"sum(where(/m, /run/active))", CAROM_STATUS_CONFLICT, "3 rows, and 5"},
        {"sum(where(1, 1 < 2))", CAROM_STATUS_CONFLICT, "takes a series"},
        {"sum(diff(/m))", CAROM_STATUS_CONFLICT, "takes a series"},
        {"distance(/m, /run/x)[0]", CAROM_STATUS_CONFLICT, "same length"},
        {"slope(/run/x[0:1], /run/x[0:1])", CAROM_STATUS_CONFLICT, "same length, >= 2"},
        {"/run/x[5]", CAROM_STATUS_OUT_OF_RANGE, "the index 5 is outside 5 entries"},
        {"/run/x[-6]", CAROM_STATUS_OUT_OF_RANGE, "the index -6"},
        {"/run/x[0.5]", CAROM_STATUS_OUT_OF_RANGE, "whole number"},
        {"/run/x[1 / 0]", CAROM_STATUS_OUT_OF_RANGE, "whole number"},
        {"sum(/run/x[0:6])", CAROM_STATUS_OUT_OF_RANGE, "the index 6"},
        {"/m[0,2]", CAROM_STATUS_OUT_OF_RANGE, "the index 2 is outside 2"},
        {"max(where(/run/x, /run/x > 9))", CAROM_STATUS_OUT_OF_RANGE, "empty"},
        {"all(/none > 1)", CAROM_STATUS_OUT_OF_RANGE, "empty"},
        {"count(/none > 1) == 0", CAROM_STATUS_OUT_OF_RANGE, "empty"},
        {"first(/none)", CAROM_STATUS_OUT_OF_RANGE, "empty"},
        {"max(/run/x[3:1])", CAROM_STATUS_OUT_OF_RANGE, "empty"},
        {"count(/run/x)", CAROM_STATUS_OUT_OF_RANGE, "truth"},
        {"1 & 2", CAROM_STATUS_OUT_OF_RANGE, "truth"},
        {"!3", CAROM_STATUS_OUT_OF_RANGE, "truth"},
        {"windows(/run/x, /run/t, 2, 1)[0]", CAROM_STATUS_OUT_OF_RANGE, "none fits"},
        {"windows(/run/x, /run/t, 0, 0.25)[0]", CAROM_STATUS_OUT_OF_RANGE, "more than"},
        {"segments(/run/x, /run/x)[0]", CAROM_STATUS_OUT_OF_RANGE, "indices grow"},
        {"max(/hole)", CAROM_STATUS_NOT_FINITE, "NaN"},
        {"count(/hole > 2)", CAROM_STATUS_NOT_FINITE, "NaN is compared"},
        {"sum(/run/active[0:3] & /hole)", CAROM_STATUS_OUT_OF_RANGE, "truth"},
        {"1 / 0", CAROM_STATUS_NOT_FINITE, "it is inf"},
        {"sqrt(-1)", CAROM_STATUS_NOT_FINITE, "nan"},
        {"slope(/run/column, /run/t)", CAROM_STATUS_NOT_FINITE, "positive"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_report report = carom_report_empty();
        carom_expression_result result;
        const carom_status status =
            carom_expression_number(cases[i].text, &scope, &result, &report);
        ck_assert_msg(status == cases[i].status, "%s gave %s, \"%s\"", cases[i].text,
                      carom_status_name(status), report.sentence);
        ck_assert_msg(strstr(report.sentence, cases[i].sentence) != NULL, "%s: \"%s\"",
                      cases[i].text, report.sentence);
    }
}

TEST(errors, deep_nesting_is_refused) {
    char text[4000];
    memset(text, '(', sizeof text);
    text[sizeof text - 1] = '\0';
    carom_expression_result result;
    assert_status(carom_expression_number(text, &scope, &result, NULL), BAD_FORMAT);
    memset(text, '-', sizeof text - 1);
    assert_status(carom_expression_number(text, &scope, &result, NULL), BAD_FORMAT);
    memset(text, 'a', sizeof text - 1);
    assert_status(carom_expression_number(text, &scope, &result, NULL), BAD_FORMAT);
}

TEST(errors, a_failed_allocation_leaves_nothing) {
    carom_expression_result result;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    while (status == CAROM_STATUS_OUT_OF_MEMORY) {
        successes_left = failures;
        status = carom_expression_number(
            "max(windows(x, t, 0, 1)) < 8 & -x[starts(active)[0]]^2 < 1 in /run", &scope, &result,
            NULL);
        successes_left = -1;
        failures += status == CAROM_OK ? 0 : 1;
    }
    ck_assert_int_eq(status, CAROM_OK);
    ck_assert_int_ge(failures, 20);
}
