#include <carom/program/internal.h>
#include <carom/record/internal.h>

#include <math.h>
#include <string.h>

/** Room for the longest name of an option with a suffix. */
#define NAME_SIZE 160

/** Name of a parameter: dashes become underscores. */
static void name_parameter(const carom_option *option, char name[NAME_SIZE]) {
    const int length = snprintf(name, NAME_SIZE, "%s", option->name);
    CAROM_ASSERT(length < NAME_SIZE);
    for (int i = 0; i < length; i++) {
        if (name[i] == '-') {
            name[i] = '_';
        }
    }
}

/** Write an axis of the entries of a parameter: its name with a suffix. */
static void record_axis(carom_record *parameters, const char *name, const char *suffix, int count,
                        const char *long_name, char axis[NAME_SIZE]) {
    const int length = snprintf(axis, NAME_SIZE, "%s_%s", name, suffix);
    CAROM_ASSERT(length < NAME_SIZE);
    (void)length;
    carom_record_index_axis(parameters, axis, count, long_name);
}

/** Write a list over an axis of its own. */
static void record_list(carom_record *parameters, const char *name, const carom_real_list *list,
                        const char *units, const char *help) {
    if (list->count == 0) {
        return;
    }
    char entry[NAME_SIZE];
    record_axis(parameters, name, "entry", list->count, "entry of the list", entry);
    carom_record_series(parameters, name, list->values, entry, NULL, units, help);
}

/** Write a matrix over two axes of its own. */
static void record_matrix(carom_record *parameters, const char *name,
                          const carom_real_matrix *matrix, const char *units, const char *help) {
    if (matrix->size == 0) {
        return;
    }
    char row[NAME_SIZE];
    char column[NAME_SIZE];
    record_axis(parameters, name, "row", matrix->size, "row of the matrix", row);
    record_axis(parameters, name, "column", matrix->size, "column of the matrix", column);
    carom_record_series(parameters, name, matrix->values, row, column, units, help);
}

/** Write texts as one, a line each. */
static void record_texts(carom_record *parameters, const char *name, const carom_text_list *list,
                         const char *help) {
    carom_text_buffer lines = {0};
    for (int i = 0; i < list->count; i++) {
        carom_text_buffer_print(&lines, "%s%s", i > 0 ? "\n" : "", list->values[i]);
    }
    if (lines.failure != CAROM_OK) {
        carom_record_remember(parameters, name, lines.failure);
    } else if (list->count > 0) {
        carom_record_string(parameters, name, lines.text, help);
    }
    carom_text_buffer_clear(&lines);
}

/** Write one option; what was not given is left out. */
static void record_option(const carom_option *option, const void *target,
                          carom_record *parameters) {
    char name[NAME_SIZE];
    name_parameter(option, name);
    const char *units = option->units != NULL ? option->units : "1";
    const char *help = option->help != NULL ? option->help : option->name;
    switch (option->kind) {
    case CAROM_OPTION_REAL: {
        const double value = *(const double *)target;
        if (!isnan(value)) {
            carom_record_scalar(parameters, name, value, units, help);
        }
        break;
    }
    case CAROM_OPTION_INTEGER:
        carom_record_integer(parameters, name, *(const int *)target, units, help);
        break;
    case CAROM_OPTION_CHOICE: {
        char choice[CAROM_OPTION_CHOICE_SIZE];
        const int index = *(const int *)target;
        if (carom_option_choice_name(option->range, index, (int)sizeof choice, choice)) {
            carom_record_string(parameters, name, choice, help);
        }
        break;
    }
    case CAROM_OPTION_TEXT: {
        const char *text = *(const char *const *)target;
        if (text != NULL) {
            carom_record_string(parameters, name, text, help);
        }
        break;
    }
    case CAROM_OPTION_FLAG:
        carom_record_string(parameters, name, *(const bool *)target ? "yes" : "no", help);
        break;
    case CAROM_OPTION_REAL_LIST:
        record_list(parameters, name, target, units, help);
        break;
    case CAROM_OPTION_MATRIX:
        record_matrix(parameters, name, target, units, help);
        break;
    case CAROM_OPTION_TEXT_LIST:
        record_texts(parameters, name, target, help);
        break;
    }
}

void carom_options_record(const carom_option_table *options, const void *settings,
                          carom_record *record) {
    CAROM_ASSERT(options != NULL && record != NULL);
    const carom_option *option = NULL;
    size_t offset = 0;
    carom_record parameters = carom_record_group(record, "/parameters");
    for (int i = 0; (option = carom_option_at(options, i, &offset)) != NULL; i++) {
        record_option(option, (const char *)settings + offset, &parameters);
    }
}
