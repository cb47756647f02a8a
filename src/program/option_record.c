#include <carom/program/internal.h>

#include <math.h>
#include <string.h>

/** Room for /parameters/ and the longest name of an option. */
#define PATH_SIZE 160

/** Path of a parameter: dashes become underscores. */
static void parameter_path(const char *name, char path[PATH_SIZE]) {
    const int length = snprintf(path, PATH_SIZE, "/parameters/%s", name);
    CAROM_ASSERT(length < PATH_SIZE);
    for (int i = 0; i < length; i++) {
        if (path[i] == '-') {
            path[i] = '_';
        }
    }
}

/** Write an axis of the entries of a parameter: its path with a suffix. */
static void record_axis(carom_record *record, const char *path, const char *suffix, int count,
                        const char *long_name, char axis[PATH_SIZE]) {
    const int length = snprintf(axis, PATH_SIZE, "%s_%s", path, suffix);
    CAROM_ASSERT(length < PATH_SIZE);
    (void)length;
    carom_record_index_axis(record, axis, count, long_name);
}

/** Write a list over an axis of its own. */
static void record_list(carom_record *record, const char *path, const carom_real_list *list,
                        const char *units, const char *help) {
    if (list->count == 0) {
        return;
    }
    char entry[PATH_SIZE];
    record_axis(record, path, "entry", list->count, "entry of the list", entry);
    carom_record_series(record, path, list->values, entry, NULL, units, help);
}

/** Write a matrix over two axes of its own. */
static void record_matrix(carom_record *record, const char *path, const carom_real_matrix *matrix,
                          const char *units, const char *help) {
    if (matrix->size == 0) {
        return;
    }
    char row[PATH_SIZE];
    char column[PATH_SIZE];
    record_axis(record, path, "row", matrix->size, "row of the matrix", row);
    record_axis(record, path, "column", matrix->size, "column of the matrix", column);
    carom_record_series(record, path, matrix->values, row, column, units, help);
}

/** Write one option; what was not given is left out. */
static void record_option(const carom_option *option, const void *target, carom_record *record) {
    char path[PATH_SIZE];
    parameter_path(option->name, path);
    const char *units = option->units != NULL ? option->units : "1";
    const char *help = option->help != NULL ? option->help : option->name;
    switch (option->kind) {
    case CAROM_OPTION_REAL: {
        const double value = *(const double *)target;
        if (!isnan(value)) {
            carom_record_scalar(record, path, value, units, help);
        }
        break;
    }
    case CAROM_OPTION_INTEGER:
        carom_record_integer(record, path, *(const int *)target, units, help);
        break;
    case CAROM_OPTION_CHOICE: {
        char name[CAROM_OPTION_CHOICE_SIZE];
        const int index = *(const int *)target;
        const bool has_name =
            carom_option_choice_name(option->range, index, (int)sizeof name, name);
        CAROM_ASSERT(has_name);
        carom_record_string(record, path, name, help);
        break;
    }
    case CAROM_OPTION_TEXT: {
        const char *text = *(const char *const *)target;
        if (text != NULL) {
            carom_record_string(record, path, text, help);
        }
        break;
    }
    case CAROM_OPTION_FLAG:
        carom_record_string(record, path, *(const bool *)target ? "yes" : "no", help);
        break;
    case CAROM_OPTION_REAL_LIST:
        record_list(record, path, target, units, help);
        break;
    case CAROM_OPTION_MATRIX:
        record_matrix(record, path, target, units, help);
        break;
    }
}

void carom_options_record(const carom_option_table *options, const void *settings,
                          carom_record *record) {
    CAROM_ASSERT(options != NULL && record != NULL);
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(options, i, &offset)) != NULL; i++) {
        record_option(option, (const char *)settings + offset, record);
    }
}
