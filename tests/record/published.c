#include "../support.h"

#include <carom/record/published.h>
#include <stdbool.h>
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

static carom_published_row make_row(carom_published_kind kind, double published, double uncertainty,
                                    const char *difference) {
    const carom_published_row row = {
        .kind = kind, .published = published, .uncertainty = uncertainty, .difference = difference};
    return row;
}

static void assert_verdict(carom_published_row row, double ours, carom_verdict expected) {
    const char *reason = NULL;
    const carom_verdict verdict = carom_published_judge(&row, ours, &reason);
    ck_assert_msg(verdict == expected, "%.17g against %.17g +- %.17g: %s", ours, row.published,
                  row.uncertainty, carom_verdict_name(verdict));
    ck_assert_int_eq(reason[0] == '\0', verdict == CAROM_VERDICT_AGREES);
}

TEST(unit, rows_are_read_with_all_their_fields) {
    carom_published published =
        parse(HEADER "period,bruls-2014,\"Fig. 3, left\",period of the motion,value,3.6022,5e-5,s,"
                     "\"/a/b[0,1]\",\"read \"\"by eye\"\"\"\r\n"
                     "modes,thorin-2017,sec. 2,number,count,4,,1,other:/n,differs:  misprint\n");
    ck_assert_int_eq(published.row_count, 2);
    const carom_published_row *row = &published.rows[0];
    ck_assert_str_eq(row->id, "period");
    ck_assert_str_eq(row->paper, "bruls-2014");
    ck_assert_str_eq(row->location, "Fig. 3, left");
    ck_assert_str_eq(row->quantity, "period of the motion");
    ck_assert_int_eq(row->kind, CAROM_PUBLISHED_VALUE);
    ck_assert_str_eq(row->published_text, "3.6022");
    assert_close(row->published, 3.6022, 0.0, 0.0);
    assert_close(row->uncertainty, 5e-5, 0.0, 0.0);
    ck_assert_str_eq(row->unit, "s");
    ck_assert_str_eq(row->record, "/a/b[0,1]");
    ck_assert_str_eq(row->note, "read \"by eye\"");
    ck_assert_ptr_null(row->difference);
    ck_assert_int_eq(row->line, 2);
    ck_assert_int_eq(published.rows[1].kind, CAROM_PUBLISHED_COUNT);
    ck_assert_str_eq(published.rows[1].difference, "misprint");
    ck_assert_int_eq(published.rows[1].line, 3);
    carom_published_clear(&published);
}

TEST(unit, lines_before_the_header_name_expressions) {
    carom_published published = parse("# late: time >= 2, or so\r\n#pressed_2:\tforce > 0\n" HEADER
                                      "a,p,l,q,claim,1,,1,all(late),\n");
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

TEST(unit, every_kind_has_its_name) {
    carom_published published =
        parse(HEADER "a,p,l,q,value,1.5,0.5,1,/x,\nb,p,l,q,upper bound,1.5,0,1,/x,\n"
                     "c,p,l,q,lower bound,1.5,0,1,/x,\nd,p,l,q,count,-3,0,1,/x,\n"
                     "e,p,l,q,claim,1,,1,/x,\n");
    for (int i = 0; i < CAROM_PUBLISHED_KIND_COUNT; ++i) {
        ck_assert_int_eq(published.rows[i].kind, i);
    }
    carom_published_clear(&published);
    ck_assert_str_eq(carom_published_kind_name(CAROM_PUBLISHED_KIND_COUNT), "unknown kind");
    ck_assert_str_eq(carom_verdict_name(CAROM_VERDICT_AGREES), "agrees");
    ck_assert_str_eq(carom_verdict_name(CAROM_VERDICT_DIFFERS), "differs");
    ck_assert_str_eq(carom_verdict_name(CAROM_VERDICT_FAILS), "fails");
    ck_assert_str_eq(carom_verdict_name((carom_verdict)17), "unknown verdict");
}

TEST(unit, a_value_agrees_within_its_uncertainty_and_on_its_edge) {
    const carom_published_row row = make_row(CAROM_PUBLISHED_VALUE, 3.6022, 5e-5, NULL);
    assert_verdict(row, 3.60215, CAROM_VERDICT_AGREES);
    assert_verdict(row, 3.60225, CAROM_VERDICT_AGREES);
    assert_verdict(row, 3.602251, CAROM_VERDICT_FAILS);
    assert_verdict(row, 3.602149, CAROM_VERDICT_FAILS);
    assert_verdict(row, -3.6022, CAROM_VERDICT_FAILS);
    /* 1.1 - 0.05 is not 1.05 in binary; in decimal it is on the edge. */
    assert_verdict(make_row(CAROM_PUBLISHED_VALUE, 1.1, 0.05, NULL), 1.05, CAROM_VERDICT_AGREES);
    assert_verdict(make_row(CAROM_PUBLISHED_VALUE, 0.0, 0.0, NULL), 5e-324, CAROM_VERDICT_FAILS);
}

TEST(unit, bounds_are_one_sided) {
    const carom_published_row upper = make_row(CAROM_PUBLISHED_UPPER_BOUND, 2.5, 0.125, NULL);
    assert_verdict(upper, -1e9, CAROM_VERDICT_AGREES);
    assert_verdict(upper, 2.625, CAROM_VERDICT_AGREES);
    assert_verdict(upper, 2.6251, CAROM_VERDICT_FAILS);
    const carom_published_row lower = make_row(CAROM_PUBLISHED_LOWER_BOUND, 2.5, 0.125, NULL);
    assert_verdict(lower, 1e9, CAROM_VERDICT_AGREES);
    assert_verdict(lower, 2.375, CAROM_VERDICT_AGREES);
    assert_verdict(lower, 2.3749, CAROM_VERDICT_FAILS);
}

TEST(unit, counts_and_claims_are_exact) {
    const carom_published_row count = make_row(CAROM_PUBLISHED_COUNT, 7.0, 0.0, NULL);
    assert_verdict(count, 7.0, CAROM_VERDICT_AGREES);
    assert_verdict(count, 8.0, CAROM_VERDICT_FAILS);
    assert_verdict(count, 7.0 + 1e-15 * 7.0, CAROM_VERDICT_FAILS);
    const carom_published_row claim = make_row(CAROM_PUBLISHED_CLAIM, 1.0, 0.0, NULL);
    assert_verdict(claim, 1.0, CAROM_VERDICT_AGREES);
    assert_verdict(claim, 0.0, CAROM_VERDICT_FAILS);
    assert_verdict(claim, 0.5, CAROM_VERDICT_FAILS);
}

TEST(unit, a_marked_row_differs_and_fails_when_it_agrees) {
    const carom_published_row row = make_row(CAROM_PUBLISHED_VALUE, 2.5, 0.05, "misprint");
    const char *reason = NULL;
    ck_assert_int_eq(carom_published_judge(&row, 2.6, &reason), CAROM_VERDICT_DIFFERS);
    ck_assert_str_eq(reason, "misprint");
    ck_assert_int_eq(carom_published_judge(&row, 2.52, &reason), CAROM_VERDICT_FAILS);
    ck_assert_ptr_nonnull(strstr(reason, "stale"));
    assert_verdict(make_row(CAROM_PUBLISHED_CLAIM, 1.0, 0.0, "refuted"), 0.0,
                   CAROM_VERDICT_DIFFERS);
    assert_verdict(make_row(CAROM_PUBLISHED_COUNT, 3.0, 0.0, "recounted"), 4.0,
                   CAROM_VERDICT_DIFFERS);
}

TEST(unit, a_number_that_is_none_fails_even_when_marked) {
    assert_verdict(make_row(CAROM_PUBLISHED_VALUE, 2.5, 0.05, "misprint"), (double)NAN,
                   CAROM_VERDICT_FAILS);
    assert_verdict(make_row(CAROM_PUBLISHED_UPPER_BOUND, 2.5, 0.05, NULL), -(double)INFINITY,
                   CAROM_VERDICT_FAILS);
    assert_verdict(make_row(CAROM_PUBLISHED_CLAIM, 1.0, 0.0, "refuted"), 2.0, CAROM_VERDICT_FAILS);
    assert_verdict(make_row(CAROM_PUBLISHED_COUNT, 3.0, 0.0, "recounted"), 3.5,
                   CAROM_VERDICT_FAILS);
}

static void assert_format(carom_published_row row, double ours, const char *expected) {
    char text[64];
    carom_published_format(&row, ours, (int)sizeof text, text);
    ck_assert_str_eq(text, expected);
}

TEST(unit, numbers_are_printed_one_digit_beyond_the_uncertainty) {
    const carom_published_row row = make_row(CAROM_PUBLISHED_VALUE, 3.6022, 5e-5, NULL);
    assert_format(row, 3.6022184, "3.60222");
    assert_format(row, -0.0451234, "-0.04512");
    assert_format(row, 1.234e-5, "1.2e-05");
    assert_format(make_row(CAROM_PUBLISHED_VALUE, 9.6, 0.5, NULL), 9.6123, "9.6");
    assert_format(make_row(CAROM_PUBLISHED_VALUE, 1e7, 500.0, NULL), 10000123.0, "1.00001e+07");
    assert_format(make_row(CAROM_PUBLISHED_VALUE, 40.0, 50.0, NULL), 41.27, "41");
    assert_format(row, 0.0, "0");
    assert_format(row, (double)NAN, "nan");
    assert_format(make_row(CAROM_PUBLISHED_COUNT, 3.0, 0.0, NULL), 123456.0, "123456");
    assert_format(make_row(CAROM_PUBLISHED_UPPER_BOUND, 0.1, 0.0, NULL), 0.0123456, "0.01235");
    assert_format(make_row(CAROM_PUBLISHED_UPPER_BOUND, 0.1, 0.05, NULL), 1.23456e-9, "1.235e-09");
    assert_format(make_row(CAROM_PUBLISHED_VALUE, 0.1, 0.0, NULL), 0.1234567891, "0.12345679");
}

TEST(property, the_verdict_follows_the_definition_on_random_values) {
    const unsigned long seed = 20140101;
    gsl_rng *generator = seeded_generator(seed);
    for (int run = 0; run < 2000; ++run) {
        const double published = uniform(generator, -5.0, 5.0);
        const double uncertainty = uniform(generator, 0.0, 0.5);
        const double factor = uniform(generator, -2.0, 2.0);
        const double ours = published + factor * uncertainty;
        const bool is_on_edge = fabs(fabs(factor) - 1.0) < 1e-6;
        if (is_on_edge) {
            continue;
        }
        const bool expected[] = {fabs(factor) < 1.0, factor < 1.0, -1.0 < factor};
        for (int kind = 0; kind < 3; ++kind) {
            for (int marked = 0; marked < 2; ++marked) {
                const carom_published_row row = make_row((carom_published_kind)kind, published,
                                                         uncertainty, marked ? "reason" : NULL);
                assert_verdict(row, ours,
                               expected[kind] == (marked == 0)
                                   ? (marked ? CAROM_VERDICT_DIFFERS : CAROM_VERDICT_AGREES)
                                   : CAROM_VERDICT_FAILS);
            }
        }
    }
    gsl_rng_free(generator);
}

TEST(property, damaged_files_are_parsed_or_refused_without_harm) {
    const unsigned long seed = 991;
    static const char text[] =
        HEADER "period,b,\"Fig. 3, left\",period,value,3.6022,5e-5,s,\"/a/b[0,1]\",\"\"\"x\"\"\"\n"
               "modes,t,sec. 2,number,count,4,,1,other:/n,differs: misprint\n";
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
    assert_malformed(HEADER "a,p,l,q,value,1,0,1,/x,,\n", "number of fields", 2);
    assert_malformed(HEADER "\n\n,p,l,q,value,1,0,1,/x,\n", "id", 4);
    assert_malformed(HEADER "a,p,l,,value,1,0,1,/x,\n", "quantity", 2);
    assert_malformed(HEADER "a,p,l,q,Value,1,0,1,/x,\n", "kind", 2);
    assert_malformed(HEADER "a,p,l,q,value,,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value,1 m,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value,nan,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value,inf,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value,0x1p3,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value, 1,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value,1e999,0,1,/x,\n", "published", 2);
    assert_malformed(HEADER "a,p,l,q,value,1,,1,/x,\n", "uncertainty is empty", 2);
    assert_malformed(HEADER "a,p,l,q,upper bound,1,,1,/x,\n", "uncertainty is empty", 2);
    assert_malformed(HEADER "a,p,l,q,value,1,-0.1,1,/x,\n", "uncertainty is not", 2);
    assert_malformed(HEADER "a,p,l,q,value,1,some,1,/x,\n", "uncertainty is not", 2);
    assert_malformed(HEADER "a,p,l,q,count,1,0.5,1,/x,\n", "no uncertainty", 2);
    assert_malformed(HEADER "a,p,l,q,count,1.5,,1,/x,\n", "whole number", 2);
    assert_malformed(HEADER "a,p,l,q,claim,0,,1,/x,\n", "claim is not 1", 2);
    assert_malformed(HEADER "a,p,l,q,value,1,0,1,/x,differs: \n", "without a reason", 2);
    assert_malformed(HEADER "a,p,l,\"q\n", "unclosed quote", 2);
}
