#include <carom/record/published.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Columns of the file, in order. */
enum {
    COLUMN_ID,
    COLUMN_PAPER,
    COLUMN_LOCATION,
    COLUMN_QUANTITY,
    COLUMN_KIND,
    COLUMN_PUBLISHED,
    COLUMN_UNCERTAINTY,
    COLUMN_UNIT,
    COLUMN_RECORD,
    COLUMN_NOTE,
    COLUMN_COUNT
};

/* Begin of the note of an item that we hold to be wrong. */
static const char difference_mark[] = "differs:";

/* Neither is larger: equality of two finite numbers that are meant to be exact. */
static bool is_same(double a, double b) {
    return !(a < b) && !(a > b);
}

/* The whole field is one finite number. */
static bool parse_number(const char *text, double *value) {
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && strspn(text, "+-.0123456789eE") == strlen(text) &&
           isfinite(*value);
}

const char *carom_published_kind_name(carom_published_kind kind) {
    static const char *const names[] = {
#define CAROM_PUBLISHED_NAME(code, name) name,
        CAROM_PUBLISHED_KIND_LIST(CAROM_PUBLISHED_NAME)
#undef CAROM_PUBLISHED_NAME
    };
    return kind < CAROM_PUBLISHED_KIND_COUNT ? names[kind] : "unknown kind";
}

static bool parse_kind(const char *text, carom_published_kind *kind) {
    for (int i = 0; i < CAROM_PUBLISHED_KIND_COUNT; ++i) {
        *kind = (carom_published_kind)i;
        if (strcmp(text, carom_published_kind_name(*kind)) == 0) {
            return true;
        }
    }
    return false;
}

/* The numbers of a row; what is wrong with them, or NULL. */
static const char *parse_numbers(const carom_csv *csv, int line, carom_published_row *row) {
    const char *uncertainty = carom_csv_field(csv, line, COLUMN_UNCERTAINTY);
    const bool is_exact = row->kind == CAROM_PUBLISHED_COUNT || row->kind == CAROM_PUBLISHED_CLAIM;
    if (!parse_number(row->published_text, &row->published)) {
        return "published is not a finite number";
    }
    if (uncertainty[0] == '\0') {
        if (!is_exact) {
            return "uncertainty is empty";
        }
    } else if (!parse_number(uncertainty, &row->uncertainty) || row->uncertainty < 0.0) {
        return "uncertainty is not a finite number >= 0";
    }
    if (is_exact && row->uncertainty > 0.0) {
        return "a count or claim has no uncertainty";
    }
    if (row->kind == CAROM_PUBLISHED_COUNT && !is_same(row->published, round(row->published))) {
        return "a count is not a whole number";
    }
    if (row->kind == CAROM_PUBLISHED_CLAIM && !is_same(row->published, 1.0)) {
        return "published of a claim is not 1";
    }
    return NULL;
}

/* One line of the table; what is wrong with it, or NULL. */
static const char *parse_row(const carom_csv *csv, int line, carom_published_row *row) {
    if (carom_csv_field_count(csv, line) != COLUMN_COUNT) {
        return "the number of fields is not 10";
    }
    row->id = carom_csv_field(csv, line, COLUMN_ID);
    row->paper = carom_csv_field(csv, line, COLUMN_PAPER);
    row->location = carom_csv_field(csv, line, COLUMN_LOCATION);
    row->quantity = carom_csv_field(csv, line, COLUMN_QUANTITY);
    row->published_text = carom_csv_field(csv, line, COLUMN_PUBLISHED);
    row->unit = carom_csv_field(csv, line, COLUMN_UNIT);
    row->record = carom_csv_field(csv, line, COLUMN_RECORD);
    row->note = carom_csv_field(csv, line, COLUMN_NOTE);
    row->line = csv->line[line];
    if (row->id[0] == '\0' || row->quantity[0] == '\0') {
        return "id or quantity is empty";
    }
    if (!parse_kind(carom_csv_field(csv, line, COLUMN_KIND), &row->kind)) {
        return "kind is not one of value, upper bound, lower bound, count, claim";
    }
    if (strncmp(row->note, difference_mark, strlen(difference_mark)) == 0) {
        const char *reason = row->note + strlen(difference_mark);
        row->difference = reason + strspn(reason, " ");
        if (row->difference[0] == '\0') {
            return "differs without a reason";
        }
    }
    return parse_numbers(csv, line, row);
}

/* The first line names the columns, exactly. */
static bool has_header(const char *text, size_t size) {
    const size_t length = strlen(CAROM_PUBLISHED_HEADER);
    if (size < length || memcmp(text, CAROM_PUBLISHED_HEADER, length) != 0) {
        return false;
    }
    return size == length || text[length] == '\n' ||
           (size > length + 1 && text[length] == '\r' && text[length + 1] == '\n');
}

/* Bytes and lines of the head: lines that begin with "#". */
static size_t head_of(const char *text, size_t size, int *lines) {
    size_t length = 0;
    *lines = 0;
    while (length < size && text[length] == '#') {
        const char *end = memchr(text + length, '\n', size - length);
        length = end == NULL ? size : (size_t)(end - text) + 1;
        ++*lines;
    }
    return length;
}

/* "# NAME: EXPRESSION", cut in place. */
static bool parse_name(char *line, carom_expression_name *out) {
    char *name = line + 1 + strspn(line + 1, " \t");
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    char *text = name + length;
    if (length == 0 || (name[0] >= '0' && name[0] <= '9') || *text != ':') {
        return false;
    }
    *text++ = '\0';
    text += strspn(text, " \t");
    text[strcspn(text, "\r")] = '\0';
    *out = (carom_expression_name){name, text};
    return text[0] != '\0';
}

/* The names of the head, a line each. */
static carom_status parse_names(const char *text, size_t size, int lines, carom_published *out,
                                carom_report *report) {
    out->head = malloc(size + 1);
    out->names = calloc((size_t)lines + 1, sizeof *out->names);
    if (out->head == NULL || out->names == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memcpy(out->head, text, size);
    out->head[size] = '\0';
    char *line = out->head;
    while (out->name_count < lines) {
        char *end = line + strcspn(line, "\n");
        char *next = *end == '\0' ? end : end + 1;
        *end = '\0';
        if (!parse_name(line, &out->names[out->name_count])) {
            return carom_report_fail(report, CAROM_STATUS_BAD_FORMAT,
                                     "a line before the header is not \"# name: expression\"", NAN,
                                     out->name_count + 1);
        }
        out->name_count += 1;
        line = next;
    }
    return CAROM_OK;
}

/* The table behind the head. */
static carom_status parse_table(const char *text, size_t size, carom_published *out,
                                carom_report *report) {
    if (!has_header(text, size)) {
        return carom_report_fail(report, CAROM_STATUS_BAD_FORMAT,
                                 "the header is not \"" CAROM_PUBLISHED_HEADER "\"", NAN, 1);
    }
    CAROM_TRY(carom_csv_parse(text, size, &out->csv, report));
    out->row_count = out->csv.row_count - 1;
    out->rows = calloc((size_t)out->csv.row_count, sizeof *out->rows);
    if (out->rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < out->row_count; ++i) {
        const char *defect = parse_row(&out->csv, i + 1, &out->rows[i]);
        if (defect != NULL) {
            return carom_report_fail(report, CAROM_STATUS_BAD_FORMAT, defect, NAN,
                                     out->csv.line[i + 1]);
        }
    }
    return CAROM_OK;
}

carom_status carom_published_parse(const char *text, size_t size, carom_published *out,
                                   carom_report *report) {
    CAROM_ASSERT((text != NULL || size == 0) && out != NULL);
    memset(out, 0, sizeof *out);
    int lines = 0;
    const size_t head = head_of(text, size, &lines);
    carom_report said = carom_report_empty();
    carom_status status = parse_names(text, head, lines, out, &said);
    if (status == CAROM_OK) {
        status = parse_table(text + head, size - head, out, &said);
        said.index += lines;
    }
    if (status != CAROM_OK) {
        carom_published_clear(out);
        if (report != NULL) {
            *report = said;
        }
        return status;
    }
    for (int i = 0; i < out->row_count; ++i) {
        out->rows[i].line += lines;
    }
    return CAROM_OK;
}

void carom_published_clear(carom_published *published) {
    free(published->rows);
    free(published->names);
    free(published->head);
    carom_csv_clear(&published->csv);
    memset(published, 0, sizeof *published);
}

const char *carom_verdict_name(carom_verdict verdict) {
    switch (verdict) {
    case CAROM_VERDICT_AGREES:
        return "agrees";
    case CAROM_VERDICT_DIFFERS:
        return "differs";
    case CAROM_VERDICT_FAILS:
        return "fails";
    }
    return "unknown verdict";
}

/* Whether ours lies where the item allows it. */
static bool is_within(const carom_published_row *row, double ours) {
    /* Decimal numbers are rounded when read: a value printed exactly on the edge is inside. */
    const double rounding = 4.0 * DBL_EPSILON * fmax(fabs(ours), fabs(row->published));
    const double excess = ours - row->published;
    switch (row->kind) {
    case CAROM_PUBLISHED_VALUE:
        return fabs(excess) <= row->uncertainty + rounding;
    case CAROM_PUBLISHED_UPPER_BOUND:
        return excess <= row->uncertainty + rounding;
    case CAROM_PUBLISHED_LOWER_BOUND:
        return excess >= -row->uncertainty - rounding;
    default:
        return is_same(ours, row->published);
    }
}

carom_verdict carom_published_judge(const carom_published_row *row, double ours,
                                    const char **reason) {
    CAROM_ASSERT(row != NULL && reason != NULL);
    if (!isfinite(ours)) {
        *reason = "our number is not finite";
        return CAROM_VERDICT_FAILS;
    }
    if (row->kind == CAROM_PUBLISHED_COUNT && !is_same(ours, round(ours))) {
        *reason = "our count is not a whole number";
        return CAROM_VERDICT_FAILS;
    }
    if (row->kind == CAROM_PUBLISHED_CLAIM && !is_same(ours, 0.0) && !is_same(ours, 1.0)) {
        *reason = "our claim is neither 0 nor 1";
        return CAROM_VERDICT_FAILS;
    }
    const bool agrees = is_within(row, ours);
    if (row->difference != NULL) {
        *reason = agrees ? "marked as differing but agrees: the mark is stale" : row->difference;
        return agrees ? CAROM_VERDICT_FAILS : CAROM_VERDICT_DIFFERS;
    }
    *reason = agrees ? "" : "outside the published uncertainty";
    return agrees ? CAROM_VERDICT_AGREES : CAROM_VERDICT_FAILS;
}

/* Decimal exponent of a nonzero number. */
static int decade(double value) {
    return (int)floor(log10(fabs(value)));
}

void carom_published_format(const carom_published_row *row, double ours, int size, char *text) {
    enum { least_digits = 2, bound_digits = 4, most_digits = 12, exact_digits = 8 };
    const bool is_zero = !(fabs(ours) > 0.0);
    if (!isfinite(ours) || is_zero || is_same(row->uncertainty, 0.0)) {
        const int digits = row->kind == CAROM_PUBLISHED_VALUE ? exact_digits : bound_digits;
        const bool is_whole = is_same(ours, round(ours)) && fabs(ours) < 1e9;
        snprintf(text, (size_t)size, "%.*g", is_whole ? most_digits : digits, ours);
        return;
    }

    /* Significant digits up to the decade of the uncertainty. */
    int digits = decade(ours) - decade(row->uncertainty) + 1;
    const int least = row->kind == CAROM_PUBLISHED_VALUE ? least_digits : bound_digits;
    digits = digits < least ? least : digits > most_digits ? most_digits : digits;
    const int decimals = digits - 1 - decade(ours);
    const bool is_plain = fabs(ours) >= 1e-4 && fabs(ours) < 1e6;
    if (is_plain) {
        snprintf(text, (size_t)size, "%.*f", decimals > 0 ? decimals : 0, ours);
    } else {
        snprintf(text, (size_t)size, "%.*e", digits - 1, ours);
    }
}
