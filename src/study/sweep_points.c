#include <carom/base/random.h>
#include <carom/program/memory.h>
#include <carom/record/text.h>
#include <carom/study/sweep.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void carom_sweep_points_free(carom_sweep_points *points) {
    for (int a = 0; points != NULL && a < CAROM_SWEEP_MOST_AXES; a++) {
        free(points->axes[a].words);
        free(points->axes[a].values);
    }
    free(points);
}

int carom_sweep_points_entry(const carom_sweep_points *points, int axis, int point) {
    if (!points->is_grid) {
        return point;
    }
    for (int a = points->axis_count - 1; a > axis; a--) {
        point /= points->axes[a].count;
    }
    return point % points->axes[axis].count;
}

void carom_sweep_points_name(const carom_sweep_points *points, int point, size_t size, char *text) {
    size_t length = 0;
    text[0] = '\0';
    for (int a = 0; a < points->axis_count && length < size; a++) {
        const carom_sweep_axis *axis = &points->axes[a];
        const int written =
            snprintf(text + length, size - length, "%s%s=%s", a > 0 ? ", " : "", axis->option,
                     axis->words[carom_sweep_points_entry(points, a, point)]);
        length += written > 0 ? (size_t)written : 0;
    }
}

/** Room for one more axis; NULL, and OUT_OF_RANGE to be returned, if there is none. */
static carom_sweep_axis *add_axis(carom_sweep_points *points, carom_report *report) {
    if (points->axis_count == CAROM_SWEEP_MOST_AXES) {
        (void)carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                               "more than %d parameters are swept", CAROM_SWEEP_MOST_AXES);
        return NULL;
    }
    return &points->axes[points->axis_count++];
}

/** Names are different, as options and as data sets. */
static carom_status check_names(const carom_sweep_points *points, carom_report *report) {
    for (int a = 0; a < points->axis_count; a++) {
        const char *name = points->axes[a].name;
        for (int b = 0; b < a; b++) {
            if (strcmp(points->axes[b].name, name) == 0) {
                return carom_report_say(report, CAROM_STATUS_CONFLICT, "%s is swept twice",
                                        points->axes[a].option);
            }
        }
        if (strcmp(name, "point") == 0 || strcmp(name, "exit_code") == 0) {
            return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                    "the record of a sweep has a %s of its own", name);
        }
    }
    return CAROM_OK;
}

/** How many points there are, if they are not too many. */
static carom_status check_count(double count, const char *factors, int most, carom_report *report) {
    if (count > most) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "%s%.10g points, more than --most-points %d; raise it if they are "
                                "meant",
                                factors, count, most);
    }
    return carom_memory_check(count, sizeof(carom_sweep_end) + sizeof(double), "points", report);
}

/* ------------------------------------------------------------------------------------ the kinds */

/** Every value with every other. */
static carom_status make_grid(const carom_sweep_request *request, carom_sweep_points *points,
                              carom_report *report) {
    char factors[CAROM_SWEEP_SENTENCE_SIZE] = "";
    size_t length = 0;
    double count = 1.0;
    for (int i = 0; i < request->over->count; i++) {
        carom_sweep_axis *axis = add_axis(points, report);
        if (axis == NULL) {
            return CAROM_STATUS_OUT_OF_RANGE;
        }
        CAROM_TRY(carom_sweep_axis_read(request->over->values[i], false, request->most, axis, NULL,
                                        report));
        count *= axis->count;
        const int written = snprintf(factors + length, sizeof factors - length, "%s%d",
                                     i > 0 ? " x " : "", axis->count);
        length = length + (size_t)written < sizeof factors ? length + (size_t)written : length;
    }
    snprintf(factors + length, sizeof factors - length, " = ");
    CAROM_TRY(check_count(count, points->axis_count > 1 ? factors : "", request->most, report));
    points->is_grid = true;
    points->count = (int)count;
    return CAROM_OK;
}

/** Between the ends of a range. */
static double place_within(const double *ends, bool is_log, double part) {
    return is_log ? ends[0] * pow(ends[1] / ends[0], part) : ends[0] + (ends[1] - ends[0]) * part;
}

/** Points drawn from ranges. */
static carom_status draw(const carom_sweep_request *request, carom_sweep_points *points,
                         carom_report *report) {
    const int count = request->random > 0 ? request->random : request->sobol;
    CAROM_TRY(check_count(count, "", request->most, report));
    CAROM_AUTO(carom_sobol) sobol = NULL;
    if (request->sobol > 0) {
        CAROM_TRY(carom_sobol_alloc(request->over->count, &sobol, report));
    }
    for (int i = 0; i < request->over->count; i++) {
        carom_sweep_axis *axis = add_axis(points, report);
        bool is_log = false;
        if (axis == NULL) {
            return CAROM_STATUS_OUT_OF_RANGE;
        }
        CAROM_TRY(carom_sweep_axis_read(request->over->values[i], true, request->most + 1.0, axis,
                                        &is_log, report));
        const double ends[] = {axis->values[0], axis->values[1]};
        free(axis->words);
        free(axis->values);
        CAROM_TRY(carom_sweep_axis_resize(axis, count, true));
        for (int p = 0; p < count; p++) {
            const double part =
                sobol != NULL
                    ? carom_sobol_coordinate(sobol, p, i)
                    : carom_counter_uniform(request->seed, (unsigned long)p, (unsigned long)i);
            carom_sweep_axis_set(axis, p, place_within(ends, is_log, part));
        }
    }
    points->count = count;
    return CAROM_OK;
}

/** The field of a table without blanks at its ends. */
static const char *trimmed(const char *field, size_t *length) {
    field += strspn(field, " \t");
    *length = strlen(field);
    while (*length > 0 && strchr(" \t", field[*length - 1]) != NULL) {
        --*length;
    }
    return field;
}

/** One column of a table. */
static carom_status fill_column(const carom_csv *csv, const char *file, int column,
                                carom_sweep_axis *axis, carom_report *report) {
    CAROM_TRY(carom_sweep_axis_resize(axis, csv->row_count - 1, true));
    for (int row = 1; row < csv->row_count; row++) {
        size_t length = 0;
        const char *field = trimmed(carom_csv_field(csv, row, column), &length);
        if (length == 0 || length >= CAROM_SWEEP_WORD_SIZE) {
            return carom_report_say(report, CAROM_STATUS_BAD_FORMAT, "%s:%d: %s %s", file,
                                    csv->line[row], axis->option,
                                    length == 0 ? "is empty" : "is too long");
        }
        memcpy(axis->words[row - 1], field, length);
    }
    carom_sweep_axis_settle(axis);
    return CAROM_OK;
}

/** The columns of a table, the first line of which has names. */
static carom_status fill_columns(const carom_csv *csv, const carom_sweep_request *request,
                                 carom_sweep_points *points, carom_report *report) {
    const char *file = request->file;
    if (csv->row_count < 2) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "--points %s: a line of names and one for each point are expected",
                                file);
    }
    const int columns = carom_csv_field_count(csv, 0);
    for (int row = 1; row < csv->row_count; row++) {
        if (carom_csv_field_count(csv, row) != columns) {
            return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                    "%s:%d: %d values, %d names in the first line", file,
                                    csv->line[row], carom_csv_field_count(csv, row), columns);
        }
    }
    CAROM_TRY(check_count(csv->row_count - 1, "", request->most, report));
    for (int column = 0; column < columns; column++) {
        carom_sweep_axis *axis = add_axis(points, report);
        size_t length = 0;
        const char *name = trimmed(carom_csv_field(csv, 0, column), &length);
        if (axis == NULL) {
            return CAROM_STATUS_OUT_OF_RANGE;
        }
        CAROM_TRY(carom_sweep_axis_name(name, length, axis, report));
        CAROM_TRY(fill_column(csv, file, column, axis, report));
    }
    points->count = csv->row_count - 1;
    return CAROM_OK;
}

/** Points from a file. */
static carom_status read_file(const carom_sweep_request *request, carom_sweep_points *points,
                              carom_report *report) {
    carom_text_buffer text = {0};
    carom_csv csv = {0};
    carom_status status = carom_text_buffer_load(&text, request->file, CAROM_TEXT_FILE_MOST_BYTES);
    if (status == CAROM_STATUS_IO) {
        (void)carom_report_say(report, status, "--points %s cannot be read: %s", request->file,
                               strerror(errno));
    }
    if (status == CAROM_OK) {
        carom_report found = carom_report_empty();
        status = carom_csv_parse(text.text != NULL ? text.text : "", text.length, &csv, &found);
        if (status == CAROM_STATUS_BAD_FORMAT) {
            (void)carom_report_say(report, status, "--points %s: line %d is not CSV", request->file,
                                   found.index);
        }
    }
    if (status == CAROM_OK) {
        status = fill_columns(&csv, request, points, report);
    }
    carom_csv_clear(&csv);
    carom_text_buffer_clear(&text);
    return status;
}

carom_status carom_sweep_points_alloc(const carom_sweep_request *request, carom_sweep_points **out,
                                      carom_report *report) {
    *out = NULL;
    const int kinds = (request->random > 0 ? 1 : 0) + (request->sobol > 0 ? 1 : 0) +
                      (request->file != NULL ? 1 : 0);
    if (kinds > 1 || (request->file != NULL && request->over->count > 0)) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "--points has all parameters, --random and --sobol draw those of "
                                "--over: one of the three");
    }
    if (request->file == NULL && request->over->count == 0) {
        return carom_report_say(report, CAROM_STATUS_OUT_OF_RANGE,
                                "--over NAME=VALUES or --points FILE is needed, as in "
                                "--over restitution=0:1:0.1");
    }
    CAROM_AUTO(carom_sweep_points) points = calloc(1, sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (request->file != NULL) {
        CAROM_TRY(read_file(request, points, report));
    } else if (kinds == 1) {
        CAROM_TRY(draw(request, points, report));
    } else {
        CAROM_TRY(make_grid(request, points, report));
    }
    CAROM_TRY(check_names(points, report));
    CAROM_HAND_OVER(points, out);
    return CAROM_OK;
}
