#include <carom/program/internal.h>
#include <carom/study/sweep.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Parts of a grid: first, last, step. */
enum { MOST_PARTS = 3 };

/** Characters of a text that are shown. */
#define SHOWN "%.40s"

/** What is accepted where numbers are expected. */
static const char grids[] = "accepted is first:last:step, first:last:x10, first:last:x10/3, or "
                            "values between commas";

/** The same for points that are drawn. */
static const char ranges[] = "accepted is first:last, or first:last:x for even logarithms";

/** One axis being read. */
typedef struct axis_reader {
    const char *text;       /**< NAME=VALUES, as given */
    const char *accepted;   /**< for a refusal */
    carom_sweep_axis *axis; /**< receives the values */
    double most;            /**< values accepted */
    carom_report *report;   /**< or NULL */
} axis_reader;

/** Refuse a word of the axis. */
static carom_status refuse(const axis_reader *self, const char *word, const char *defect) {
    return carom_report_say(self->report, CAROM_STATUS_BAD_FORMAT,
                            "--over " SHOWN ": \"" SHOWN "\" %s; %s", self->text, word, defect,
                            self->accepted);
}

/* ------------------------------------------------------------------------------------ the values
 */

carom_status carom_sweep_axis_name(const char *option, size_t length, carom_sweep_axis *axis,
                                   carom_report *report) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    static const char others[] = "abcdefghijklmnopqrstuvwxyz0123456789-_";
    static const char *const own[] = {"output", "threads", "quiet", "set", "help", "version"};
    bool is_proper = length > 0 && length < CAROM_SWEEP_NAME_SIZE &&
                     strchr(letters, option[0]) != NULL && strspn(option, others) >= length;
    for (size_t i = 0; i < sizeof own / sizeof own[0] && is_proper; i++) {
        is_proper = strlen(own[i]) != length || strncmp(own[i], option, length) != 0;
    }
    if (!is_proper) {
        return carom_report_say(report, CAROM_STATUS_BAD_FORMAT,
                                "\"%.*s\" is not the name of a parameter; accepted is an option of "
                                "the program without dashes, as in --over restitution=0:1:0.1",
                                (int)(length < 40 ? length : 40), option);
    }
    snprintf(axis->option, sizeof axis->option, "%.*s", (int)length, option);
    for (size_t i = 0; i <= length; i++) {
        axis->name[i] = axis->option[i] == '-' ? '_' : axis->option[i];
    }
    return CAROM_OK;
}

carom_status carom_sweep_axis_resize(carom_sweep_axis *axis, int count, bool has_numbers) {
    axis->words = calloc((size_t)count, sizeof *axis->words);
    axis->values = has_numbers ? calloc((size_t)count, sizeof *axis->values) : NULL;
    axis->count = count;
    return axis->words == NULL || (has_numbers && axis->values == NULL) ? CAROM_STATUS_OUT_OF_MEMORY
                                                                        : CAROM_OK;
}

void carom_sweep_axis_set(carom_sweep_axis *axis, int i, double value) {
    snprintf(axis->words[i], sizeof axis->words[i], "%.15g", value);
    axis->values[i] = strtod(axis->words[i], NULL);
}

void carom_sweep_axis_settle(carom_sweep_axis *axis) {
    bool is_numeric = true;
    for (int i = 0; i < axis->count && is_numeric; i++) {
        is_numeric = carom_number_defect(axis->words[i], &axis->values[i]) == NULL;
    }
    if (!is_numeric) {
        free(axis->values);
        axis->values = NULL;
    }
}

/* -------------------------------------------------------------------------------------- its forms
 */

/** Make room for so many values, if they are some and not too many. */
static carom_status resize(const axis_reader *self, double count) {
    if (!(count >= 1.0)) {
        return carom_report_say(self->report, CAROM_STATUS_OUT_OF_RANGE,
                                "--over " SHOWN ": no value lies there", self->text);
    }
    if (count > self->most) {
        return carom_report_say(self->report, CAROM_STATUS_OUT_OF_RANGE,
                                "--over " SHOWN ": %.10g values, more than --most-points %.0f",
                                self->text, count, self->most);
    }
    return carom_sweep_axis_resize(self->axis, (int)count, true);
}

/** Values between commas. */
static carom_status read_list(const axis_reader *self, const char *text) {
    double count = 1.0;
    for (const char *letter = text; *letter != '\0'; letter++) {
        count += *letter == ',' ? 1.0 : 0.0;
    }
    CAROM_TRY(resize(self, count));
    for (int i = 0; i < self->axis->count; i++) {
        const size_t length = strcspn(text, ",");
        if (length == 0) {
            return refuse(self, "", "is no value");
        }
        if (length >= CAROM_SWEEP_WORD_SIZE) {
            return refuse(self, text, "is too long");
        }
        memcpy(self->axis->words[i], text, length);
        text += length + 1;
    }
    carom_sweep_axis_settle(self->axis);
    return CAROM_OK;
}

/** Values by steps: the last one too if a step reaches it but for rounding. */
static carom_status fill_steps(const axis_reader *self, double first, double last, double step) {
    const double rounding = 8.0 * DBL_EPSILON;
    const double quotient = (last - first) / step;
    CAROM_TRY(resize(self, floor(quotient * (1.0 + rounding)) + 1.0));
    const int n = self->axis->count - 1;
    const double scale = fmax(fabs(first), fabs(last));
    const bool is_reached = fabs(first + n * step - last) <= rounding * fmax(1, n) * scale;
    for (int i = 0; i <= n; i++) {
        const double value =
            is_reached && n > 0 ? (first * (n - i) + last * i) / n : first + i * step;
        carom_sweep_axis_set(self->axis, i, fabs(value) <= rounding * scale ? 0.0 : value);
    }
    return CAROM_OK;
}

/** Values by a factor, `parts` of them to each. */
static carom_status fill_factors(const axis_reader *self, double first, double last, double factor,
                                 double parts) {
    const double rounding = 8.0 * DBL_EPSILON;
    const double quotient = log(last / first) / log(factor) * parts;
    CAROM_TRY(resize(self, floor(quotient + rounding * fmax(1.0, fabs(quotient))) + 1.0));
    for (int i = 0; i < self->axis->count; i++) {
        carom_sweep_axis_set(self->axis, i, first * pow(factor, i / parts));
    }
    return CAROM_OK;
}

/** "x10/3": a factor and its parts. */
static carom_status read_factor(const axis_reader *self, char *text, double *factor,
                                double *parts) {
    char *slash = strchr(text, '/');
    *parts = 1.0;
    if (slash != NULL) {
        *slash = '\0';
        const char *defect = carom_number_defect(slash + 1, parts);
        if (defect != NULL || !(*parts >= 1.0) || fabs(*parts - round(*parts)) > 0.0) {
            return refuse(self, slash + 1, "is not a whole number of parts");
        }
    }
    const char *defect = carom_number_defect(text + 1, factor);
    if (defect != NULL) {
        return refuse(self, text + 1, defect);
    }
    return *factor > 0.0 && fabs(log(*factor)) > 0.0
               ? CAROM_OK
               : refuse(self, text + 1, "is not a factor that leads on");
}

/** A grid from its parts. */
static carom_status fill_grid(const axis_reader *self, char *const *parts, const double *ends) {
    if (parts[2][0] == 'x') {
        double factor = NAN;
        double count = NAN;
        CAROM_TRY(read_factor(self, parts[2], &factor, &count));
        if (!(ends[0] * ends[1] > 0.0)) {
            return refuse(self, parts[0], "and the last value have no common sign other than 0");
        }
        return fill_factors(self, ends[0], ends[1], factor, count);
    }
    double step = NAN;
    const char *defect = carom_number_defect(parts[2], &step);
    if (defect != NULL) {
        return refuse(self, parts[2], defect);
    }
    return fabs(step) > 0.0 ? fill_steps(self, ends[0], ends[1], step)
                            : refuse(self, parts[2], "is no step");
}

/** The ends of a range that points are drawn from. */
static carom_status fill_range(const axis_reader *self, char *const *parts, int part_count,
                               const double *ends, bool *is_log) {
    *is_log = part_count == MOST_PARTS;
    if (*is_log && strcmp(parts[2], "x") != 0) {
        return refuse(self, parts[2], "ends no range");
    }
    if (*is_log && !(ends[0] * ends[1] > 0.0)) {
        return refuse(self, parts[0], "and the last value have no common sign other than 0");
    }
    CAROM_TRY(resize(self, 2.0));
    self->axis->values[0] = ends[0];
    self->axis->values[1] = ends[1];
    return CAROM_OK;
}

/** Cut a text at its colons; the number of parts, of which at most MOST_PARTS are kept. */
static int cut(char *text, char *parts[MOST_PARTS]) {
    int count = 0;
    for (char *next = text; next != NULL; count++) {
        char *part = next;
        next = strchr(part, ':');
        if (next != NULL) {
            *next++ = '\0';
        }
        if (count < MOST_PARTS) {
            parts[count] = part;
        }
    }
    return count;
}

carom_status carom_sweep_axis_read(const char *text, bool is_drawn, double most,
                                   carom_sweep_axis *axis, bool *is_log, carom_report *report) {
    const axis_reader self = {text, is_drawn ? ranges : grids, axis, most, report};
    const char *equals = strchr(text, '=');
    if (equals == NULL) {
        return refuse(&self, text, "has no `=` behind the name");
    }
    CAROM_TRY(carom_sweep_axis_name(text, (size_t)(equals - text), axis, report));
    const char *values = equals + 1;
    if (!is_drawn && strchr(values, ':') == NULL) {
        return read_list(&self, values);
    }

    char copy[MOST_PARTS * CAROM_SWEEP_WORD_SIZE];
    char *parts[MOST_PARTS] = {NULL};
    if (strlen(values) >= sizeof copy) {
        return refuse(&self, values, "is too long");
    }
    memcpy(copy, values, strlen(values) + 1);
    const int count = cut(copy, parts);
    if (count > MOST_PARTS || count < (is_drawn ? 2 : MOST_PARTS)) {
        return refuse(&self, values, "has not the parts of one");
    }
    double ends[2];
    for (int i = 0; i < 2; i++) {
        const char *defect = carom_number_defect(parts[i], &ends[i]);
        if (defect != NULL) {
            return refuse(&self, parts[i], defect);
        }
    }
    bool has_logarithms = false;
    const carom_status status = is_drawn ? fill_range(&self, parts, count, ends, &has_logarithms)
                                         : fill_grid(&self, parts, ends);
    if (is_log != NULL) {
        *is_log = has_logarithms;
    }
    return status;
}
