#include "../support.h"

#include <carom/record/published.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define HEADER CAROM_PUBLISHED_HEADER "\n"

static carom_published parse(const char *text) {
    carom_published published;
    carom_report report = carom_report_empty();
    const carom_status status = carom_published_parse(text, strlen(text), &published, &report);
    ck_assert_msg(status == CAROM_OK, "line %d: %s", report.index, report.quantity);
    return published;
}

static void assert_malformed(const char *text, const char *what, int line) {
    carom_published published;
    carom_report report = carom_report_empty();
    assert_status(carom_published_parse(text, strlen(text), &published, &report), BAD_FORMAT);
    ck_assert_msg(strstr(report.quantity, what) != NULL, "\"%s\" said: %s", text, report.quantity);
    ck_assert_int_eq(report.index, line);
    ck_assert_ptr_null(published.rows);
    carom_published_clear(&published);
}

static carom_published_row make_row(double published, double tolerance, carom_verdict announced) {
    const carom_published_row row = {.expression = "/x",
                                     .note = announced == CAROM_VERDICT_AGREES ? "" : "a reason",
                                     .announced = announced,
                                     .published = published,
                                     .tolerance = tolerance,
                                     .own = NAN,
                                     .own_tolerance = NAN};
    return row;
}

/* A number that agrees with its row unless something is wrong. */
static carom_published_row make_number(double published, double tolerance) {
    return make_row(published, tolerance, CAROM_VERDICT_AGREES);
}

/* A row that announces something else and says what ours is. */
static carom_published_row make_other(double published, double tolerance, carom_verdict announced,
                                      double own, double own_tolerance) {
    carom_published_row row = make_row(published, tolerance, announced);
    row.own = own;
    row.own_tolerance = own_tolerance;
    return row;
}

static carom_published_row make_criterion(carom_verdict announced, double own,
                                          double own_tolerance) {
    carom_published_row row = make_other((double)NAN, (double)NAN, announced, own, own_tolerance);
    row.is_criterion = true;
    return row;
}

static void assert_judged(carom_published_row row, carom_expression_result ours,
                          carom_verdict expected) {
    const char *reason = NULL;
    const carom_verdict verdict = carom_published_judge(&row, &ours, &reason);
    ck_assert_msg(verdict == expected, "%.17g against %.17g +- %.17g: %s, %s", ours.number,
                  row.published, row.tolerance, carom_verdict_name(verdict), reason);
    ck_assert_int_eq(reason[0] == '\0', verdict == CAROM_VERDICT_AGREES);
    ck_assert_int_eq(strcmp(reason, "a reason") == 0,
                     verdict != CAROM_VERDICT_AGREES && verdict != CAROM_VERDICT_FAILS);
}

static void assert_verdict(carom_published_row row, double ours, carom_verdict expected) {
    assert_judged(row, (carom_expression_result){.number = ours}, expected);
}

/* A criterion that hangs on one comparison. */
static void assert_comparison(carom_published_row row, double truth, double measured,
                              carom_verdict expected) {
    assert_judged(row,
                  (carom_expression_result){
                      .number = truth, .term_count = 1, .terms = {{measured, "<", 3.0}}},
                  expected);
}

TEST(unit, rows_are_read_with_all_their_fields) {
    carom_published published = parse(
        HEADER "period,bruls-2014,\"Fig. 3, left\",period of the motion,printed,3.6022,digits,s,"
               "\"/a/b[0,1]\",,\"read \"\"by eye\"\"\"\r\n"
               "modes,thorin-2017,sec. 2,number,derived,4,exact,1,other:/n,differs 5 +- 0,"
               "a misprint\n"
               "size,thorin-2017,sec. 3,size,printed,12,0.25 read from the figure,m,,"
               "not reproducible,no data\n"
               "rises,halm-2023,sec. 4,it rises,stated,,,1,max(/x) < 3,differs 4.5 +- 1e-3,no\n");
    ck_assert_int_eq(published.row_count, 4);
    const carom_published_row *row = &published.rows[0];
    ck_assert_str_eq(row->id, "period");
    ck_assert_str_eq(row->paper, "bruls-2014");
    ck_assert_str_eq(row->location, "Fig. 3, left");
    ck_assert_str_eq(row->quantity, "period of the motion");
    ck_assert_int_eq(row->kind, CAROM_PUBLISHED_PRINTED);
    ck_assert_str_eq(row->published_text, "3.6022");
    assert_close(row->published, 3.6022, 0.0, 0.0);
    assert_close(row->tolerance, 5e-5, 1e-15, 0.0);
    ck_assert_str_eq(row->tolerance_from, "digits");
    ck_assert_str_eq(row->unit, "s");
    ck_assert_str_eq(row->expression, "/a/b[0,1]");
    ck_assert_str_eq(row->note, "read \"by eye\"");
    ck_assert_int_eq(row->announced, CAROM_VERDICT_AGREES);
    ck_assert(isnan(row->own) && !row->is_criterion);
    ck_assert_int_eq(row->line, 2);
    row = &published.rows[1];
    ck_assert_int_eq(row->kind, CAROM_PUBLISHED_DERIVED);
    ck_assert_int_eq(row->announced, CAROM_VERDICT_DIFFERS);
    assert_close(row->tolerance, 0.0, 0.0, 0.0);
    assert_close(row->own, 5.0, 0.0, 0.0);
    assert_close(row->own_tolerance, 0.0, 0.0, 0.0);
    ck_assert_int_eq(row->line, 3);
    row = &published.rows[2];
    ck_assert_int_eq(row->announced, CAROM_VERDICT_NOT_REPRODUCIBLE);
    assert_close(row->tolerance, 0.25, 0.0, 0.0);
    ck_assert_str_eq(row->tolerance_from, "read from the figure");
    row = &published.rows[3];
    ck_assert_int_eq(row->kind, CAROM_PUBLISHED_STATED);
    ck_assert(row->is_criterion && isnan(row->published));
    assert_close(row->own, 4.5, 0.0, 0.0);
    assert_close(row->own_tolerance, 1e-3, 0.0, 0.0);
    carom_published_clear(&published);
}

TEST(unit, half_a_digit_follows_from_what_is_printed) {
    static const struct {
        const char *printed;
        double tolerance;
    } cases[] = {{"7", 0.5},      {"7.", 0.5},        {"-0.30", 5e-3}, {"1200", 0.5},
                 {"1.2e3", 50.0}, {"2.50e-7", 5e-10}, {"+.5", 0.05},   {"3E2", 50.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[256];
        snprintf(text, sizeof text, HEADER "a,p,l,q,printed,%s,digits,1,/x,,\n", cases[i].printed);
        carom_published published = parse(text);
        assert_close(published.rows[0].tolerance, cases[i].tolerance, 1e-14, 0.0);
        carom_published_clear(&published);
    }
}

TEST(unit, lines_before_the_header_name_expressions) {
    carom_published published = parse("# late: time >= 2, or so\r\n#pressed_2:\tforce > 0\n" HEADER
                                      "a,p,l,q,stated,,,1,all(late),,\n");
    ck_assert_int_eq(published.name_count, 2);
    ck_assert_str_eq(published.names[0].name, "late");
    ck_assert_str_eq(published.names[0].text, "time >= 2, or so");
    ck_assert_str_eq(published.names[1].name, "pressed_2");
    ck_assert_str_eq(published.names[1].text, "force > 0");
    ck_assert_int_eq(published.rows[0].line, 4);
    carom_published_clear(&published);
}

TEST(errors, a_head_that_names_nothing_is_refused) {
    assert_malformed("# late\n" HEADER, "before the header", 1);
    assert_malformed("# a: 1\n# late:\n" HEADER, "before the header", 2);
    assert_malformed("# 2late: 1\n" HEADER, "before the header", 1);
    assert_malformed("# a: 1\nid,paper\n", "the header", 2);
    assert_malformed("# a: 1", "the header", 2);
    assert_malformed("# a: 1\n" HEADER "a,p\n", "fields", 3);
}

TEST(unit, a_file_may_have_no_rows) {
    carom_published published = parse(CAROM_PUBLISHED_HEADER);
    ck_assert_int_eq(published.row_count, 0);
    carom_published_clear(&published);
}

TEST(unit, kinds_and_verdicts_have_names) {
    ck_assert_str_eq(carom_published_kind_name(CAROM_PUBLISHED_STATED), "stated");
    ck_assert_str_eq(carom_published_kind_name(CAROM_PUBLISHED_KIND_COUNT), "unknown kind");
    ck_assert_str_eq(carom_verdict_name(CAROM_VERDICT_AGREES), "agrees");
    ck_assert_str_eq(carom_verdict_name(CAROM_VERDICT_NOT_REPRODUCIBLE), "not reproducible");
    ck_assert_str_eq(carom_verdict_name(CAROM_VERDICT_FAILS), "fails");
    ck_assert_str_eq(carom_verdict_name((carom_verdict)17), "unknown verdict");
}

TEST(unit, a_number_agrees_within_its_tolerance_and_on_its_edge) {
    const carom_published_row row = make_number(3.6022, 5e-5);
    assert_verdict(row, 3.60215, CAROM_VERDICT_AGREES);
    assert_verdict(row, 3.60225, CAROM_VERDICT_AGREES);
    assert_verdict(row, 3.602251, CAROM_VERDICT_FAILS);
    assert_verdict(row, 3.602149, CAROM_VERDICT_FAILS);
    assert_verdict(row, -3.6022, CAROM_VERDICT_FAILS);
    /* 1.1 - 0.05 is not 1.05 in binary; in decimal it is on the edge. */
    assert_verdict(make_number(1.1, 0.05), 1.05, CAROM_VERDICT_AGREES);
    /* Without a tolerance there is no edge. */
    assert_verdict(make_number(0.0, 0.0), 5e-324, CAROM_VERDICT_FAILS);
    assert_verdict(make_number(7.0, 0.0), 7.0, CAROM_VERDICT_AGREES);
    assert_verdict(make_number(7.0, 0.0), 7.0 + 7e-15, CAROM_VERDICT_FAILS);
}

TEST(unit, a_criterion_is_true_or_false_and_nothing_else) {
    const carom_published_row row = make_criterion(CAROM_VERDICT_AGREES, (double)NAN, (double)NAN);
    assert_comparison(row, 1.0, 2.5, CAROM_VERDICT_AGREES);
    assert_comparison(row, 0.0, 3.5, CAROM_VERDICT_FAILS);
    assert_verdict(row, 1.0, CAROM_VERDICT_AGREES);
    assert_verdict(row, 0.5, CAROM_VERDICT_FAILS);
    assert_verdict(row, 2.0, CAROM_VERDICT_FAILS);
}

TEST(unit, a_row_that_differs_has_to_be_what_it_says) {
    const carom_published_row row = make_other(2.5, 0.05, CAROM_VERDICT_DIFFERS, 2.6, 0.01);
    assert_verdict(row, 2.605, CAROM_VERDICT_DIFFERS);
    assert_verdict(row, 2.62, CAROM_VERDICT_FAILS);
    assert_verdict(row, 2.5, CAROM_VERDICT_FAILS);
    /* Both: the mark is stale. */
    const carom_published_row stale = make_other(2.5, 0.05, CAROM_VERDICT_DIFFERS, 2.54, 0.01);
    const carom_expression_result ours = {.number = 2.545};
    const char *reason = NULL;
    ck_assert_int_eq(carom_published_judge(&stale, &ours, &reason), CAROM_VERDICT_FAILS);
    ck_assert_ptr_nonnull(strstr(reason, "stale"));
}

TEST(unit, a_criterion_that_differs_has_to_be_what_it_says) {
    const carom_published_row row = make_criterion(CAROM_VERDICT_DIFFERS, 3.5, 0.125);
    assert_comparison(row, 0.0, 3.6, CAROM_VERDICT_DIFFERS);
    assert_comparison(row, 0.0, 3.7, CAROM_VERDICT_FAILS);
    assert_comparison(row, 1.0, 3.5, CAROM_VERDICT_FAILS);
    /* Without a comparison there is nothing to say it of; with one it has to be said. */
    assert_verdict(row, 0.0, CAROM_VERDICT_FAILS);
    const carom_published_row mute =
        make_criterion(CAROM_VERDICT_DIFFERS, (double)NAN, (double)NAN);
    assert_verdict(mute, 0.0, CAROM_VERDICT_DIFFERS);
    assert_comparison(mute, 0.0, 3.6, CAROM_VERDICT_FAILS);
}

TEST(unit, a_condition_agrees_and_an_open_row_is_what_it_says) {
    const carom_published_row conditioned = make_row(2.5, 0.05, CAROM_VERDICT_CONDITIONED);
    assert_verdict(conditioned, 2.52, CAROM_VERDICT_CONDITIONED);
    assert_verdict(conditioned, 2.6, CAROM_VERDICT_FAILS);
    for (int i = CAROM_VERDICT_INCONCLUSIVE; i <= CAROM_VERDICT_NOT_REPRODUCIBLE; ++i) {
        const carom_published_row row = make_other(2.5, 0.05, (carom_verdict)i, 2.6, 0.2);
        assert_verdict(row, 2.52, (carom_verdict)i);
        assert_verdict(row, 2.7, (carom_verdict)i);
        assert_verdict(row, 2.9, CAROM_VERDICT_FAILS);
    }
    carom_published_row nothing = make_row(2.5, 0.05, CAROM_VERDICT_NOT_REPRODUCIBLE);
    nothing.expression = "";
    const char *reason = NULL;
    ck_assert_int_eq(carom_published_judge(&nothing, NULL, &reason),
                     CAROM_VERDICT_NOT_REPRODUCIBLE);
    ck_assert_str_eq(reason, "a reason");
}

TEST(unit, a_number_that_is_none_fails_whatever_is_announced) {
    for (int i = 0; i < CAROM_VERDICT_FAILS; ++i) {
        assert_verdict(make_other(2.5, 0.05, (carom_verdict)i, 2.6, 0.2), (double)NAN,
                       CAROM_VERDICT_FAILS);
        assert_verdict(make_row(2.5, 0.05, (carom_verdict)i), -(double)INFINITY,
                       CAROM_VERDICT_FAILS);
    }
}

static void assert_format(carom_published_row row, double ours, const char *expected) {
    char text[64];
    carom_published_format(&row, ours, (int)sizeof text, text);
    ck_assert_str_eq(text, expected);
}

TEST(unit, numbers_are_printed_one_digit_beyond_the_tolerance) {
    const carom_published_row row = make_number(3.6022, 5e-5);
    assert_format(row, 3.6022184, "3.60222");
    assert_format(row, -0.0451234, "-0.04512");
    assert_format(row, 1.234e-5, "1.2e-05");
    assert_format(make_number(9.6, 0.5), 9.6123, "9.6");
    assert_format(make_number(1e7, 500.0), 10000123.0, "1.00001e+07");
    assert_format(make_number(40.0, 50.0), 41.27, "41");
    assert_format(row, 0.0, "0");
    assert_format(row, (double)NAN, "nan");
    assert_format(make_number(3.0, 0.0), 123456.0, "123456");
    assert_format(make_number(0.1, 0.0), 0.1234567891, "0.12345679");
}

TEST(property, the_verdict_follows_the_definition_on_random_values) {
    const unsigned long seed = 20140101;
    gsl_rng *generator = seeded_generator(seed);
    for (int run = 0; run < 2000; ++run) {
        const double published = uniform(generator, -5.0, 5.0);
        const double tolerance = uniform(generator, 0.01, 0.5);
        const double factor = uniform(generator, -2.0, 2.0);
        const double ours = published + factor * tolerance;
        const bool is_on_edge = fabs(fabs(factor) - 1.0) < 1e-6;
        if (is_on_edge) {
            continue;
        }
        const bool is_inside = fabs(factor) < 1.0;
        assert_verdict(make_number(published, tolerance), ours,
                       is_inside ? CAROM_VERDICT_AGREES : CAROM_VERDICT_FAILS);
        assert_verdict(make_other(published, tolerance, CAROM_VERDICT_DIFFERS, ours, tolerance),
                       ours, is_inside ? CAROM_VERDICT_FAILS : CAROM_VERDICT_DIFFERS);
    }
    gsl_rng_free(generator);
}

TEST(property, damaged_files_are_parsed_or_refused_without_harm) {
    const unsigned long seed = 991;
    static const char text[] =
        HEADER "period,b,\"Fig. 3, left\",period,printed,3.6022,5e-5 rounding,s,\"/a/b[0,1]\",,"
               "\"\"\"x\"\"\"\n"
               "modes,t,sec. 2,number,derived,4,exact,1,other:/n,differs 5 +- 0,misprint\n";
    gsl_rng *generator = seeded_generator(seed);
    for (int run = 0; run < 5000; ++run) {
        char damaged[sizeof text];
        memcpy(damaged, text, sizeof text);
        for (int hit = 0; hit < 3; ++hit) {
            const size_t place = gsl_rng_uniform_int(generator, sizeof text - 1);
            damaged[place] = (char)gsl_rng_uniform_int(generator, 256);
        }
        const size_t size = gsl_rng_uniform_int(generator, sizeof text);
        carom_published published;
        const carom_status status = carom_published_parse(damaged, size, &published, NULL);
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_BAD_FORMAT);
        carom_published_clear(&published);
    }
    gsl_rng_free(generator);
}

TEST(errors, malformed_files_are_refused_with_their_line) {
    assert_malformed("", "the header", 1);
    assert_malformed("id,paper\n", "the header", 1);
    assert_malformed(CAROM_PUBLISHED_HEADER ",more\n", "the header", 1);
    assert_malformed(CAROM_PUBLISHED_HEADER "\r", "the header", 1);
    assert_malformed("\xef\xbb\xbf" HEADER, "the header", 1);
    assert_malformed(HEADER "a,b\n", "number of fields", 2);
    assert_malformed(HEADER "a,p,l,q,printed,1,exact,1,/x,,,\n", "number of fields", 2);
    assert_malformed(HEADER "\n\n,p,l,q,printed,1,exact,1,/x,,\n", "id", 4);
    assert_malformed(HEADER "a,p,l,\"q\n", "unclosed quote", 2);

    static const struct {
        const char *row;
        const char *what;
    } rows[] = {
        {"a,p,l,,printed,1,exact,1,/x,,", "quantity"},
        {"a,p,l,q,Printed,1,exact,1,/x,,", "kind"},
        {"a,p,l,q,printed,,,1,/x,,", "without its number"},
        {"a,p,l,q,printed,1 m,exact,1,/x,,", "published is neither"},
        {"a,p,l,q,printed,nan,exact,1,/x,,", "published is neither"},
        {"a,p,l,q,printed,inf,exact,1,/x,,", "published is neither"},
        {"a,p,l,q,printed,0x1p3,exact,1,/x,,", "published is neither"},
        {"a,p,l,q,printed, 1,exact,1,/x,,", "published is neither"},
        {"a,p,l,q,printed,1e999,exact,1,/x,,", "published is neither"},
        {"a,p,l,q,printed,1,,1,/x,,", "tolerance is not"},
        {"a,p,l,q,printed,1,0.5,1,/x,,", "tolerance is not"},
        {"a,p,l,q,printed,1,0.5 ,1,/x,,", "tolerance is not"},
        {"a,p,l,q,printed,1,-0.5 rounding,1,/x,,", "tolerance is not"},
        {"a,p,l,q,printed,1,some,1,/x,,", "tolerance is not"},
        {"a,p,l,q,printed,1.5,exact,1,/x,,", "whole number"},
        {"a,p,l,q,stated,,exact,1,/x,,", "criterion has no tolerance"},
        {"a,p,l,q,stated,,,1,,,", "expression is empty"},
        {"a,p,l,q,stated,,,1,1234567890123456789012345678901234567890123456789012345678901234567890"
         "12345678901234567890123456789012345678901234567890 < 1,,",
         "more than 120"},
        {"a,p,l,q,stated,,,1,/x,wrong,x", "verdict is not"},
        {"a,p,l,q,stated,,,1,/x,fails,x", "verdict is not"},
        {"a,p,l,q,stated,,,1,/x,differsly,x", "verdict is not"},
        {"a,p,l,q,printed,1,exact,1,/x,differs 2,x", "what ours is has to follow"},
        {"a,p,l,q,printed,1,exact,1,/x,differs 2 +- -1,x", "what ours is has to follow"},
        {"a,p,l,q,printed,1,exact,1,/x,differs 2 +- 1 m,x", "what ours is has to follow"},
        {"a,p,l,q,printed,1,exact,1,/x,differs,x", "differs without"},
        {"a,p,l,q,printed,1,exact,1,/x,differs 2 +- 0,", "needs a note"},
        {"a,p,l,q,printed,1,exact,1,/x,conditioned,", "needs a note"},
        {"a,p,l,q,printed,1,exact,1,/x,agrees 1 +- 0,", "row that agrees"},
        {"a,p,l,q,printed,1,exact,1,/x,inconclusive,x", "can fail"},
        {"a,p,l,q,printed,1,exact,1,/x,not reproducible,x", "can fail"},
        {"a,p,l,q,printed,1,exact,1,,inconclusive,x", "expression is empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        char text[512];
        snprintf(text, sizeof text, HEADER "%s\n", rows[i].row);
        assert_malformed(text, rows[i].what, 2);
    }
}
