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
    COLUMN_TOLERANCE,
    COLUMN_UNIT,
    COLUMN_EXPRESSION,
    COLUMN_VERDICT,
    COLUMN_NOTE,
    COLUMN_COUNT
};

/* Neither is larger: equality of two finite numbers that are meant to be exact. */
static bool is_same(double a, double b) {
    return !(a < b) && !(a > b);
}

/* Read a finite number; where it ends, or NULL. */
static const char *read_number(const char *text, double *value) {
    char *end = NULL;
    *value = strtod(text, &end);
    const size_t length = (size_t)(end - text);
    return length > 0 && strspn(text, "+-.0123456789eE") >= length && isfinite(*value) ? end : NULL;
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

/* Half a unit of the last digit of a printed number. */
static double half_a_digit(const char *text) {
    const size_t mantissa = strcspn(text, "eE");
    const char *point = memchr(text, '.', mantissa);
    const int decimals = point == NULL ? 0 : (int)(text + mantissa - point) - 1;
    const long exponent = text[mantissa] == '\0' ? 0 : strtol(text + mantissa + 1, NULL, 10);
    return 0.5 * pow(10.0, (double)(exponent - decimals));
}

/* The printed number and what is accepted around it; what is wrong with them, or NULL. */
static const char *parse_published(const char *tolerance, carom_published_row *row) {
    const char *end = read_number(row->published_text, &row->published);
    if (end == NULL || *end != '\0') {
        return "published is neither a finite number nor empty";
    }
    row->tolerance_from = tolerance;
    if (strcmp(tolerance, "digits") == 0) {
        row->tolerance = half_a_digit(row->published_text);
        return NULL;
    }
    if (strcmp(tolerance, "exact") == 0) {
        row->tolerance = 0.0;
        return is_same(row->published, round(row->published))
                   ? NULL
                   : "a tolerance that is exact needs a whole number";
    }
    end = read_number(tolerance, &row->tolerance);
    if (end == NULL || row->tolerance < 0.0 || *end != ' ' || end[strspn(end, " ")] == '\0') {
        return "tolerance is not \"digits\", \"exact\", or a number >= 0 and where it is from";
    }
    row->tolerance_from = end + strspn(end, " ");
    return NULL;
}

/* "0.9515 +- 5e-5" after the name of a verdict; what is wrong with it, or NULL. */
static const char *parse_own(const char *text, carom_published_row *row) {
    static const char sign[] = " +- ";
    if (*text == '\0') {
        return NULL;
    }
    const char *end = *text == ' ' ? read_number(text + 1, &row->own) : NULL;
    if (end != NULL && strncmp(end, sign, strlen(sign)) == 0) {
        end = read_number(end + strlen(sign), &row->own_tolerance);
        if (end != NULL && *end == '\0' && row->own_tolerance >= 0.0) {
            return NULL;
        }
    }
    return "after the verdict what ours is has to follow, as \"0.9515 +- 5e-5\"";
}

/* What the row announces; what is wrong with it, or NULL. */
static const char *parse_verdict(const char *text, carom_published_row *row) {
    if (text[0] == '\0') {
        return NULL;
    }
    for (int i = 0; i < CAROM_VERDICT_FAILS; ++i) {
        const char *name = carom_verdict_name((carom_verdict)i);
        const size_t length = strlen(name);
        if (strncmp(text, name, length) == 0 && (text[length] == ' ' || text[length] == '\0')) {
            row->announced = (carom_verdict)i;
            return parse_own(text + length, row);
        }
    }
    return "verdict is not one of agrees, differs, conditioned, inconclusive, not reproducible";
}

/* What cannot be meant; NULL if all is well. */
static const char *find_conflict(const carom_published_row *row) {
    enum { most_letters = 120 };
    const bool is_computed = row->expression[0] != '\0';
    const bool says_own = !isnan(row->own);
    switch (row->announced) {
    case CAROM_VERDICT_AGREES:
    case CAROM_VERDICT_CONDITIONED:
        if (says_own) {
            return "what ours is stands in a row that agrees";
        }
        break;
    case CAROM_VERDICT_DIFFERS:
        if (!row->is_criterion && !says_own) {
            return "differs without what ours is";
        }
        break;
    default:
        if (is_computed && !says_own) {
            return "nothing in this row can fail: it lacks what ours is";
        }
    }
    if (row->announced != CAROM_VERDICT_AGREES && row->note[0] == '\0') {
        return "a verdict other than agrees needs a note that says why";
    }
    if (!is_computed && row->announced != CAROM_VERDICT_NOT_REPRODUCIBLE) {
        return "expression is empty";
    }
    if (strlen(row->expression) > most_letters) {
        return "an expression has more than 120 letters: name a mask, or record a number";
    }
    return NULL;
}

/* One line of the table; what is wrong with it, or NULL. */
static const char *parse_row(const carom_csv *csv, int line, carom_published_row *row) {
    if (carom_csv_field_count(csv, line) != COLUMN_COUNT) {
        return "the number of fields is not 11";
    }
    *row = (carom_published_row){.id = carom_csv_field(csv, line, COLUMN_ID),
                                 .paper = carom_csv_field(csv, line, COLUMN_PAPER),
                                 .location = carom_csv_field(csv, line, COLUMN_LOCATION),
                                 .quantity = carom_csv_field(csv, line, COLUMN_QUANTITY),
                                 .published_text = carom_csv_field(csv, line, COLUMN_PUBLISHED),
                                 .unit = carom_csv_field(csv, line, COLUMN_UNIT),
                                 .expression = carom_csv_field(csv, line, COLUMN_EXPRESSION),
                                 .note = carom_csv_field(csv, line, COLUMN_NOTE),
                                 .tolerance_from = "",
                                 .published = NAN,
                                 .tolerance = NAN,
                                 .own = NAN,
                                 .own_tolerance = NAN,
                                 .line = csv->line[line]};
    if (row->id[0] == '\0' || row->quantity[0] == '\0') {
        return "id or quantity is empty";
    }
    if (!parse_kind(carom_csv_field(csv, line, COLUMN_KIND), &row->kind)) {
        return "kind is not one of printed, stated, derived";
    }
    const char *tolerance = carom_csv_field(csv, line, COLUMN_TOLERANCE);
    row->is_criterion = row->published_text[0] == '\0';
    if (row->is_criterion && (tolerance[0] != '\0' || row->kind == CAROM_PUBLISHED_PRINTED)) {
        return row->kind == CAROM_PUBLISHED_PRINTED ? "a printed result without its number"
                                                    : "a criterion has no tolerance";
    }
    const char *defect = row->is_criterion ? NULL : parse_published(tolerance, row);
    if (defect == NULL) {
        defect = parse_verdict(carom_csv_field(csv, line, COLUMN_VERDICT), row);
    }
    return defect != NULL ? defect : find_conflict(row);
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
    static const char *const names[] = {
#define CAROM_VERDICT_NAME(code, name) name,
        CAROM_VERDICT_LIST(CAROM_VERDICT_NAME)
#undef CAROM_VERDICT_NAME
    };
    return verdict < CAROM_VERDICT_COUNT ? names[verdict] : "unknown verdict";
}

/* Decimal numbers are rounded when read: a value printed exactly on the edge is inside. */
static bool is_within(double ours, double expected, double tolerance) {
    const double rounding =
        tolerance > 0.0 ? 4.0 * DBL_EPSILON * fmax(fabs(ours), fabs(expected)) : 0.0;
    return fabs(ours - expected) <= tolerance + rounding;
}

/* What no verdict can be said of; NULL if there is one. */
static const char *find_failure(const carom_published_row *row,
                                const carom_expression_result *ours) {
    if (!isfinite(ours->number)) {
        return "our number is not finite";
    }
    if (row->is_criterion && !is_same(ours->number, 0.0) && !is_same(ours->number, 1.0)) {
        return "our criterion is neither 0 nor 1";
    }
    if (isnan(row->own)) {
        return row->announced == CAROM_VERDICT_DIFFERS && ours->term_count > 0
                   ? "differs without what ours is"
                   : NULL;
    }
    if (row->is_criterion && ours->term_count == 0) {
        return "the criterion compares no two numbers, so ours cannot be told";
    }
    const double measured = row->is_criterion ? ours->terms[0].measured : ours->number;
    return is_within(measured, row->own, row->own_tolerance) ? NULL
                                                             : "ours is not what the row says";
}

carom_verdict carom_published_judge(const carom_published_row *row,
                                    const carom_expression_result *ours, const char **reason) {
    CAROM_ASSERT(row != NULL && reason != NULL);
    *reason = row->announced == CAROM_VERDICT_AGREES ? "" : row->note;
    if (row->expression[0] == '\0') {
        return row->announced;
    }
    CAROM_ASSERT(ours != NULL);
    const char *failure = find_failure(row, ours);
    if (failure != NULL) {
        *reason = failure;
        return CAROM_VERDICT_FAILS;
    }
    const bool agrees = row->is_criterion ? ours->number > 0.5
                                          : is_within(ours->number, row->published, row->tolerance);
    switch (row->announced) {
    case CAROM_VERDICT_AGREES:
    case CAROM_VERDICT_CONDITIONED:
        if (!agrees) {
            *reason = row->is_criterion ? "the criterion does not hold" : "outside the tolerance";
            return CAROM_VERDICT_FAILS;
        }
        break;
    case CAROM_VERDICT_DIFFERS:
        if (agrees) {
            *reason = "marked as differing but agrees: the mark is stale";
            return CAROM_VERDICT_FAILS;
        }
        break;
    default:
        break;
    }
    return row->announced;
}

/* Decimal exponent of a nonzero number. */
static int decade(double value) {
    return (int)floor(log10(fabs(value)));
}

void carom_published_format(const carom_published_row *row, double ours, int size, char *text) {
    enum { least_digits = 2, most_digits = 12, exact_digits = 8 };
    const bool is_zero = !(fabs(ours) > 0.0);
    if (!isfinite(ours) || is_zero || !(row->tolerance > 0.0)) {
        const bool is_whole = is_same(ours, round(ours)) && fabs(ours) < 1e9;
        snprintf(text, (size_t)size, "%.*g", is_whole ? most_digits : exact_digits, ours);
        return;
    }

    /* Significant digits up to the decade of the tolerance. */
    int digits = decade(ours) - decade(row->tolerance) + 1;
    digits = digits < least_digits ? least_digits : digits > most_digits ? most_digits : digits;
    const int decimals = digits - 1 - decade(ours);
    const bool is_plain = fabs(ours) >= 1e-4 && fabs(ours) < 1e6;
    if (is_plain) {
        snprintf(text, (size_t)size, "%.*f", decimals > 0 ? decimals : 0, ours);
    } else {
        snprintf(text, (size_t)size, "%.*e", digits - 1, ours);
    }
}
