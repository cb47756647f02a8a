#include "../support.h"

#include <carom/record/text.h>
#include <string.h>

static carom_csv parse(const char *text) {
    carom_csv csv;
    assert_ok(carom_csv_parse(text, strlen(text), &csv, NULL));
    return csv;
}

static void assert_malformed(const char *text, size_t size, const char *what, int line) {
    carom_csv csv;
    carom_report report = carom_report_empty();
    assert_status(carom_csv_parse(text, size, &csv, &report), BAD_FORMAT);
    ck_assert_str_eq(report.quantity, what);
    ck_assert_int_eq(report.index, line);
    ck_assert_int_eq(csv.row_count, 0);
    ck_assert_ptr_null(csv.storage);
    carom_csv_clear(&csv);
}

TEST(unit, bare_fields_end_at_commas_and_lines) {
    carom_csv csv = parse("a,b c,\n,d\n");
    ck_assert_int_eq(csv.row_count, 2);
    ck_assert_int_eq(carom_csv_field_count(&csv, 0), 3);
    ck_assert_int_eq(carom_csv_field_count(&csv, 1), 2);
    ck_assert_str_eq(carom_csv_field(&csv, 0, 0), "a");
    ck_assert_str_eq(carom_csv_field(&csv, 0, 1), "b c");
    ck_assert_str_eq(carom_csv_field(&csv, 0, 2), "");
    ck_assert_str_eq(carom_csv_field(&csv, 1, 0), "");
    ck_assert_str_eq(carom_csv_field(&csv, 1, 1), "d");
    carom_csv_clear(&csv);
}

TEST(unit, quoted_fields_hold_commas_quotes_and_line_ends) {
    carom_csv csv = parse("\"a,b\",\"say \"\"yes\"\"\"\r\n\"two\nlines\",\"\"\nlast,\"x\"");
    ck_assert_int_eq(csv.row_count, 3);
    ck_assert_str_eq(carom_csv_field(&csv, 0, 0), "a,b");
    ck_assert_str_eq(carom_csv_field(&csv, 0, 1), "say \"yes\"");
    ck_assert_str_eq(carom_csv_field(&csv, 1, 0), "two\nlines");
    ck_assert_str_eq(carom_csv_field(&csv, 1, 1), "");
    ck_assert_str_eq(carom_csv_field(&csv, 2, 1), "x");
    ck_assert_int_eq(csv.line[0], 1);
    ck_assert_int_eq(csv.line[1], 2);
    ck_assert_int_eq(csv.line[2], 4);
    carom_csv_clear(&csv);
}

TEST(unit, both_line_ends_and_blank_lines_are_accepted) {
    carom_csv csv = parse("\n\r\na,b\r\n\r\n\nc,d\n\n");
    ck_assert_int_eq(csv.row_count, 2);
    ck_assert_str_eq(carom_csv_field(&csv, 0, 1), "b");
    ck_assert_str_eq(carom_csv_field(&csv, 1, 0), "c");
    ck_assert_int_eq(csv.line[0], 3);
    ck_assert_int_eq(csv.line[1], 6);
    carom_csv_clear(&csv);
    csv = parse("");
    ck_assert_int_eq(csv.row_count, 0);
    carom_csv_clear(&csv);
    assert_ok(carom_csv_parse(NULL, 0, &csv, NULL));
    carom_csv_clear(&csv);
}

/* Append a field as RFC 4180 wants it. */
static size_t quote(const char *field, char *target) {
    size_t length = 0;
    target[length++] = '"';
    for (; *field != '\0'; ++field) {
        if (*field == '"') {
            target[length++] = '"';
        }
        target[length++] = *field;
    }
    target[length++] = '"';
    return length;
}

TEST(property, every_text_survives_quoting) {
    const unsigned long seed = 4180;
    static const char alphabet[] = "ab\",\n\r \xc3";
    gsl_rng *generator = seeded_generator(seed);
    for (int run = 0; run < 500; ++run) {
        enum { most_fields = 12, most_letters = 15 };
        char fields[most_fields][most_letters + 1];
        char text[most_fields * (2 * most_letters + 4)];
        size_t size = 0;
        const int count = 1 + (int)gsl_rng_uniform_int(generator, most_fields);
        const int width = 1 + (int)gsl_rng_uniform_int(generator, (unsigned long)count);
        for (int i = 0; i < count; ++i) {
            const int length = (int)gsl_rng_uniform_int(generator, most_letters + 1);
            for (int k = 0; k < length; ++k) {
                fields[i][k] = alphabet[gsl_rng_uniform_int(generator, sizeof alphabet - 1)];
            }
            fields[i][length] = '\0';
            size += quote(fields[i], text + size);
            text[size++] = (i + 1) % width == 0 ? '\n' : ',';
        }
        /* The last row ends with the text. */
        carom_csv csv;
        assert_ok(carom_csv_parse(text, size - 1, &csv, NULL));
        for (int i = 0; i < count; ++i) {
            const char *field = carom_csv_field(&csv, i / width, i % width);
            ck_assert_msg(strcmp(field, fields[i]) == 0, "run %d of seed %lu", run, seed);
        }
        carom_csv_clear(&csv);
    }
    gsl_rng_free(generator);
}

TEST(property, arbitrary_bytes_are_parsed_or_refused_without_harm) {
    const unsigned long seed = 77;
    static const char alphabet[] = "a,\"\n\r";
    gsl_rng *generator = seeded_generator(seed);
    int accepted = 0;
    for (int run = 0; run < 20000; ++run) {
        char text[24];
        const size_t size = gsl_rng_uniform_int(generator, sizeof text + 1);
        for (size_t i = 0; i < size; ++i) {
            text[i] = alphabet[gsl_rng_uniform_int(generator, sizeof alphabet)];
        }
        carom_csv csv;
        carom_report report = carom_report_empty();
        const carom_status status = carom_csv_parse(text, size, &csv, &report);
        if (status == CAROM_OK) {
            ++accepted;
            size_t length = 0;
            for (int row = 0; row < csv.row_count; ++row) {
                for (int column = 0; column < carom_csv_field_count(&csv, row); ++column) {
                    length += strlen(carom_csv_field(&csv, row, column));
                }
            }
            ck_assert_uint_le(length, size);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_BAD_FORMAT);
            ck_assert_ptr_nonnull(report.quantity);
            ck_assert_int_ge(report.index, 1);
        }
        carom_csv_clear(&csv);
    }
    ck_assert_int_gt(accepted, 500);
    gsl_rng_free(generator);
}

TEST(errors, malformed_texts_are_refused_with_their_line) {
    assert_malformed("a\nb\"c\n", 6, "a quote inside an unquoted field", 2);
    assert_malformed("\"a\"b\n", 5, "text after a closing quote", 1);
    assert_malformed("\"a\" ,b", 6, "text after a closing quote", 1);
    assert_malformed("a\n\n\"b\nc", 7, "an unclosed quote", 3);
    assert_malformed("\"", 1, "an unclosed quote", 1);
    assert_malformed("a\rb", 3, "a bare carriage return", 1);
    assert_malformed("a\nb\r", 4, "a bare carriage return", 2);
    assert_malformed("a\0b", 3, "a zero byte", 1);
    assert_malformed("\"a\0\"", 4, "a zero byte", 1);
}
