#include <carom/record/text.h>
#include <carom/study/sweep.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Room for the path of a data set that is named after an axis or a quantity. */
enum { PATH_SIZE = CAROM_SWEEP_NAME_SIZE + 32 };

/** The record under way. */
typedef struct writer {
    const carom_sweep *sweep;
    carom_record *record;
    const char *axes[CAROM_SWEEP_MOST_AXES + 1]; /**< [axis_count] of what every point has, and room
                                                    for that of a series */
    int axis_count;
    double *numbers;              /**< room for one quantity at all points */
    int *integers;                /**< room for one number of each point */
    const char **texts;           /**< room for one text of each point */
    struct extreme_row *extremes; /**< [keeps.count] */
} writer;

/** Least and largest of a quantity, and where. */
typedef struct extreme_row {
    double least;
    double most;
    int least_point; /**< -1: nowhere */
    int most_point;
} extreme_row;

/** Room for whatever is written. */
static bool make_room(writer *self) {
    const size_t count = (size_t)self->sweep->points->count;
    const size_t quantities = (size_t)self->sweep->keeps.count;
    size_t longest = 1;
    for (size_t k = 0; k < quantities; k++) {
        const size_t length = (size_t)self->sweep->keeps.items[k].length;
        longest = length > longest ? length : longest;
    }
    self->numbers = calloc(count * longest + quantities, sizeof *self->numbers);
    self->integers = calloc(count, sizeof *self->integers);
    self->texts = calloc(count, sizeof *self->texts);
    self->extremes = calloc(quantities, sizeof *self->extremes);
    return self->numbers != NULL && self->integers != NULL && self->texts != NULL &&
           self->extremes != NULL;
}

/** Free it. */
static void free_room(writer *self) {
    free(self->numbers);
    free(self->integers);
    free(self->texts);
    free(self->extremes);
}

/* ------------------------------------------------------------------------------------ the points
 */

/** The words of an axis over it, or over the points. */
static void write_words(writer *self, const carom_sweep_axis *axis, const char *path,
                        const char *over) {
    for (int i = 0; i < axis->count; i++) {
        self->texts[i] = axis->words[i];
    }
    carom_record_texts(self->record, path, self->texts, over, axis->long_name);
}

/** The axes: a dimension for each parameter, or one of points with the parameters over it. */
static void write_axes(writer *self) {
    static const char *const over_points[] = {"point"};
    const carom_sweep_points *points = self->sweep->points;
    char words[PATH_SIZE];
    if (!points->is_grid) {
        carom_record_index_axis(self->record, "point", points->count, "number of the point");
        self->axes[self->axis_count++] = "point";
    }
    for (int a = 0; a < points->axis_count; a++) {
        const carom_sweep_axis *axis = &points->axes[a];
        const bool is_numeric = axis->values != NULL;
        snprintf(words, sizeof words, "%s_words", axis->name);
        if (!points->is_grid && is_numeric) {
            carom_record_array(self->record, axis->name, axis->values, 1, over_points, axis->units,
                               axis->long_name);
        } else if (!points->is_grid) {
            write_words(self, axis, axis->name, "point");
        } else if (is_numeric) {
            carom_record_axis(self->record, axis->name, axis->count, axis->values, axis->units,
                              axis->long_name);
        } else {
            carom_record_index_axis(self->record, axis->name, axis->count, axis->long_name);
            write_words(self, axis, words, axis->name);
        }
        if (points->is_grid) {
            self->axes[self->axis_count++] = axis->name;
        }
    }
}

/* -------------------------------------------------------------------------------- what was kept */

/** One quantity at all points. */
static void write_keep(writer *self, const carom_sweep_keep *keep) {
    const carom_sweep *sweep = self->sweep;
    char entry[PATH_SIZE];
    for (int p = 0; p < sweep->points->count; p++) {
        memcpy(self->numbers + (size_t)p * (size_t)keep->length,
               sweep->values + (size_t)p * (size_t)sweep->keeps.length + keep->first,
               (size_t)keep->length * sizeof *self->numbers);
    }
    int rank = self->axis_count;
    if (keep->is_series) {
        snprintf(entry, sizeof entry, "%s_entry", keep->name);
        carom_record_index_axis(self->record, entry, keep->length, "number of the entry");
        self->axes[rank++] = entry;
    }
    carom_record_array(self->record, keep->name, self->numbers, rank, self->axes, keep->units,
                       keep->long_name);
}

/** How the points ended, and how many failed. @return that number */
static int write_ends(writer *self) {
    const carom_sweep *sweep = self->sweep;
    const int count = sweep->points->count;
    int failed = 0;
    for (int p = 0; p < count; p++) {
        self->integers[p] = sweep->ends[p].exit_code;
        failed += sweep->is_failed[p] ? 1 : 0;
    }
    carom_record_integer_array(self->record, "exit_code", self->integers, self->axis_count,
                               self->axes, "1",
                               "exit status of the program; 128 + N: ended by signal N");
    carom_record counts = carom_record_group(self->record, "counts");
    carom_record_attribute(&counts, ".", "long_name",
                           "how many points there are, and how many failed");
    carom_record_integer(&counts, "points", count, "1", "points");
    carom_record_integer(&counts, "failed", failed, "1",
                         "points without a record, or of which something is not known");
    return failed;
}

/** The points that failed, with what was said. */
static void write_failures(writer *self) {
    const carom_sweep *sweep = self->sweep;
    int found = 0;
    for (int p = 0; p < sweep->points->count; p++) {
        if (sweep->is_failed[p]) {
            self->integers[found] = p;
            self->texts[found++] = sweep->ends[p].sentence;
        }
    }
    carom_record group = carom_record_group(self->record, "failures");
    carom_record_attribute(&group, ".", "long_name", "the points that failed");
    carom_record_index_axis(&group, "failure", found, "number of the failure");
    carom_record_integer_series(&group, "point", self->integers, "failure", NULL, "1",
                                "number of the point, the last axis fastest");
    carom_record_texts(&group, "sentence", self->texts, "failure", "what the program said");
}

/* --------------------------------------------------------------------------------- the extremes */

static const carom_field EXTREME_FIELDS[] = {
    CAROM_FIELD("least", extreme_row, least, "1",
                "least number, in the units of the quantity; NaN: there is none"),
    CAROM_FIELD("most", extreme_row, most, "1",
                "largest number, in the units of the quantity; NaN: there is none"),
    CAROM_FIELD("least_point", extreme_row, least_point, "1",
                "number of the point with the least; -1: none"),
    CAROM_FIELD("most_point", extreme_row, most_point, "1",
                "number of the point with the largest; -1: none"),
};

/** The extremes of one quantity, at the first of the points that have it. */
static extreme_row find_extremes(const carom_sweep *sweep, const carom_sweep_keep *keep) {
    extreme_row row = {(double)NAN, (double)NAN, -1, -1};
    for (int p = 0; p < sweep->points->count; p++) {
        const double *values =
            sweep->values + (size_t)p * (size_t)sweep->keeps.length + keep->first;
        for (int i = 0; i < keep->length; i++) {
            if (values[i] < row.least || (row.least_point < 0 && !isnan(values[i]))) {
                row.least = values[i];
                row.least_point = p;
            }
            if (values[i] > row.most || (row.most_point < 0 && !isnan(values[i]))) {
                row.most = values[i];
                row.most_point = p;
            }
        }
    }
    return row;
}

/** The value of an axis at the extremes; the number of the word where it has no numbers. */
static void write_place(const writer *self, carom_record *group, int a, bool is_least) {
    const extreme_row *rows = self->extremes;
    const carom_sweep_points *points = self->sweep->points;
    const carom_sweep_axis *axis = &points->axes[a];
    char path[PATH_SIZE];
    for (int k = 0; k < self->sweep->keeps.count; k++) {
        const int point = is_least ? rows[k].least_point : rows[k].most_point;
        const int entry = point < 0 ? 0 : carom_sweep_points_entry(points, a, point);
        const double value = axis->values != NULL ? axis->values[entry] : entry;
        self->numbers[k] = point < 0 ? (double)NAN : value;
    }
    snprintf(path, sizeof path, "%s_%s", is_least ? "least" : "most", axis->name);
    carom_record_series(group, path, self->numbers, "quantity", NULL, axis->units,
                        is_least ? "the parameter at the least; NaN: there is none"
                                 : "the parameter at the largest; NaN: there is none");
}

/** The extremes of all quantities, and where they are. */
static void write_extremes(writer *self) {
    const carom_sweep *sweep = self->sweep;
    const int count = sweep->keeps.count;
    carom_text_buffer names = {0};
    for (int k = 0; k < count; k++) {
        self->extremes[k] = find_extremes(sweep, &sweep->keeps.items[k]);
        carom_text_buffer_print(&names, "%s%s", k > 0 ? " " : "", sweep->keeps.items[k].name);
    }
    carom_record group = carom_record_group(self->record, "extremes");
    carom_record_attribute(&group, ".", "long_name", "extremes of what was kept, and where");
    carom_record_index_axis(&group, "quantity", count, "number of what was kept");
    carom_record_string(&group, "names", names.text != NULL ? names.text : "",
                        "names of what was kept, in their order");
    carom_text_buffer_clear(&names);
    carom_record_rows(&group, "quantity", self->extremes, count, sizeof *self->extremes,
                      EXTREME_FIELDS, (int)(sizeof EXTREME_FIELDS / sizeof EXTREME_FIELDS[0]));
    for (int a = 0; a < sweep->points->axis_count; a++) {
        write_place(self, &group, a, true);
        write_place(self, &group, a, false);
    }
}

/* --------------------------------------------------------------------------------------- the whole
 */

/** What ran. */
static void write_program(const writer *self) {
    const carom_sweep *sweep = self->sweep;
    carom_record program = carom_record_group(self->record, "program");
    carom_record_attribute(&program, ".", "long_name", "the program that ran at each point");
    if (sweep->schema[0] != '\0') {
        carom_record_string(&program, "schema", sweep->schema, "layout of its records");
    }
    if (sweep->digest[0] != '\0') {
        carom_record_string(&program, "source_digest", sweep->digest, "sha256 of its sources");
    }
}

carom_status carom_sweep_record(const carom_sweep *sweep, carom_record *record) {
    writer self = {.sweep = sweep, .record = record};
    if (!make_room(&self)) {
        free_room(&self);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_axes(&self);
    for (int k = 0; k < sweep->keeps.count; k++) {
        write_keep(&self, &sweep->keeps.items[k]);
    }
    if (write_ends(&self) > 0) {
        write_failures(&self);
    }
    write_extremes(&self);
    write_program(&self);
    free_room(&self);
    return CAROM_OK;
}
