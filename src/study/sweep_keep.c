#include <carom/record/expression.h>
#include <carom/study/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Letters of names, and of the paths of data sets. */
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define PATH_LETTERS NAME_LETTERS "/.-"

/* ----------------------------------------------------------------------------------- what to keep
 */

/** Length of a name at the beginning of a text, 0 if there is none. */
static size_t name_length(const char *text) {
    return text[0] < '0' || text[0] > '9' ? strspn(text, NAME_LETTERS) : 0;
}

/** "NAME=EXPRESSION" or "NAME[UNIT]=EXPRESSION": true if the text has one of these forms. */
static bool split_named(const char *text, carom_sweep_keep *keep) {
    const size_t length = name_length(text);
    const char *rest = text + length;
    const char *unit = rest;
    size_t unit_length = 0;
    if (*rest == '[') {
        unit = rest + 1;
        unit_length = strcspn(unit, "]");
        rest = unit + unit_length + (unit[unit_length] == ']' ? 1 : 0);
    }
    const bool is_named = length > 0 && length < sizeof keep->name && rest[0] == '=' &&
                          rest[1] != '=' && unit_length < sizeof keep->units &&
                          strlen(rest + 1) < sizeof keep->expression;
    if (is_named) {
        snprintf(keep->name, sizeof keep->name, "%.*s", (int)length, text);
        snprintf(keep->units, sizeof keep->units, "%.*s", (int)unit_length, unit);
        snprintf(keep->expression, sizeof keep->expression, "%s", rest + 1);
    }
    return is_named;
}

/** A path, whose last part is the name. */
static bool split_path(const char *text, carom_sweep_keep *keep) {
    const char *slash = strrchr(text, '/');
    const bool is_path = text[0] == '/' && text[strspn(text, PATH_LETTERS)] == '\0' &&
                         strlen(text) < sizeof keep->expression &&
                         strlen(slash + 1) < sizeof keep->name && slash[1] != '\0';
    if (is_path) {
        snprintf(keep->name, sizeof keep->name, "%s", slash + 1);
        snprintf(keep->expression, sizeof keep->expression, "%s", text);
    }
    return is_path;
}

/** Whether the record has another data set or group of this name. */
static bool is_taken(const char *name, const carom_sweep_points *points,
                     const carom_sweep_keeps *before, int count) {
    static const char *const own[] = {"point",      "exit_code", "counts", "extremes",
                                      "parameters", "failures",  "program"};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (strcmp(own[i], name) == 0) {
            return true;
        }
    }
    for (int a = 0; a < points->axis_count; a++) {
        if (strcmp(points->axes[a].name, name) == 0) {
            return true;
        }
    }
    for (int k = 0; k < count; k++) {
        if (strcmp(before->items[k].name, name) == 0) {
            return true;
        }
    }
    return false;
}

carom_status carom_sweep_keeps_read(const carom_text_list *texts, const carom_sweep_points *points,
                                    carom_sweep_keeps *keeps, carom_report *report) {
    *keeps = (carom_sweep_keeps){.count = 0};
    if (texts->count == 0) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "--keep PATH is needed: a number in the records of the program, as "
                                "in --keep /measures/coverage");
    }
    keeps->items = calloc((size_t)texts->count, sizeof *keeps->items);
    if (keeps->items == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < texts->count; k++) {
        carom_sweep_keep *keep = &keeps->items[k];
        const char *text = texts->values[k];
        if (!split_named(text, keep) && !split_path(text, keep)) {
            return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                    "--keep %.60s: accepted is the /path of a data set, "
                                    "NAME=EXPRESSION or NAME[UNIT]=EXPRESSION",
                                    text);
        }
        if (is_taken(keep->name, points, keeps, k)) {
            return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                    "--keep %.60s: the record has another %s; accepted is another "
                                    "name, as in --keep OTHER=%.60s",
                                    text, keep->name, keep->expression);
        }
        keeps->count = k + 1;
    }
    return CAROM_OK;
}

void carom_sweep_keeps_clear(carom_sweep_keeps *keeps) {
    free(keeps->items);
    *keeps = (carom_sweep_keeps){.count = 0};
}

/* --------------------------------------------------------------------------------- from a record
 */

/** Data sets of the one record. */
static carom_status read_own(void *context, const char *record, const char *path,
                             carom_dataset *out) {
    return record == NULL ? carom_reader_dataset(context, path, out) : CAROM_STATUS_IO;
}

/** Evaluate a quantity; the value is to be cleared. */
static carom_status evaluate(const carom_sweep_keep *keep, carom_reader *reader,
                             carom_dataset *value, carom_report *report) {
    const carom_expression_scope scope = {.read = read_own, .context = reader};
    carom_expression_result result;
    const carom_status status =
        carom_expression_evaluate(keep->expression, &scope, &result, report);
    *value = result.value;
    return status;
}

/** What the quantity is: the description of its data set, or how it is computed. */
static void describe(carom_sweep_keep *keep, carom_reader *reader, const carom_dataset *value) {
    static const char missing[] = "; NaN: the record of this point has it not";
    char attribute[CAROM_SWEEP_TEXT_SIZE + sizeof "@long_name"];
    char text[CAROM_SWEEP_TEXT_SIZE - sizeof missing] = "";
    snprintf(attribute, sizeof attribute, "%s@long_name", keep->expression);
    if (keep->expression[strspn(keep->expression, PATH_LETTERS)] != '\0' ||
        carom_reader_text(reader, attribute, (int)sizeof text, text) != CAROM_OK) {
        snprintf(text, sizeof text, "%.400s", keep->expression);
    }
    snprintf(keep->long_name, sizeof keep->long_name, "%s%s", text, missing);
    if (keep->units[0] == '\0') {
        snprintf(keep->units, sizeof keep->units, "%.63s",
                 value->units[0] != '\0' ? value->units : "1");
    }
}

carom_status carom_sweep_keeps_learn(carom_sweep_keeps *keeps, carom_reader *reader,
                                     carom_report *report) {
    keeps->length = 0;
    for (int k = 0; k < keeps->count; k++) {
        carom_sweep_keep *keep = &keeps->items[k];
        carom_dataset value;
        carom_report found = carom_report_empty();
        const carom_status status = evaluate(keep, reader, &value, &found);
        if (status != CAROM_OK) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED, "--keep %.80s: %.150s",
                                    keep->expression, found.sentence);
        }
        keep->is_series = value.rank == 1;
        keep->length = value.rows;
        keep->first = keeps->length;
        keeps->length += value.rows;
        describe(keep, reader, &value);
        const int rank = value.rank;
        const int rows = value.rows;
        const int columns = value.columns;
        carom_dataset_clear(&value);
        if (rank > 1 || rows < 1) {
            return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                    "--keep %.80s: a table of %d x %d; accepted is a number, or a "
                                    "series as %.60s[:,0]",
                                    keep->expression, rows, columns, keep->expression);
        }
    }
    return CAROM_OK;
}

/** Take one quantity. @return false with a sentence if the record has it not, or otherwise. */
static bool take(const carom_sweep_keep *keep, carom_reader *reader, double *values,
                 char *sentence) {
    carom_dataset value;
    carom_report found = carom_report_empty();
    const size_t size = CAROM_SWEEP_SENTENCE_SIZE;
    if (evaluate(keep, reader, &value, &found) != CAROM_OK) {
        snprintf(sentence, size, "%s: %.120s", keep->name, found.sentence);
        return false;
    }
    bool is_taken_over = value.columns == 1 && value.rows == keep->length;
    if (!is_taken_over) {
        snprintf(sentence, size, "%s: %d x %d numbers, %d at the first point", keep->name,
                 value.rows, value.columns, keep->length);
    }
    for (int i = 0; i < keep->length && is_taken_over; i++) {
        if (isinf(value.values[i])) {
            snprintf(sentence, size, "%s is infinite", keep->name);
            is_taken_over = false;
        }
    }
    if (is_taken_over) {
        memcpy(values + keep->first, value.values, (size_t)keep->length * sizeof *values);
    }
    carom_dataset_clear(&value);
    return is_taken_over;
}

void carom_sweep_keeps_take(const carom_sweep_keeps *keeps, carom_reader *reader, double *values,
                            char *sentence) {
    sentence[0] = '\0';
    for (int k = 0; k < keeps->count; k++) {
        char why[CAROM_SWEEP_SENTENCE_SIZE] = "";
        if (!take(&keeps->items[k], reader, values, why) && sentence[0] == '\0') {
            memcpy(sentence, why, sizeof why);
        }
    }
}
