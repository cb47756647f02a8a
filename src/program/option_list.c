#include <carom/program/internal.h>

#include <stdlib.h>
#include <string.h>

/** Blanks allowed around the entries of a list. */
#define BLANKS " \t"

/** Room for the name of an option and the number of an entry. */
#define ENTRY_NAME_SIZE 160

/** Refuse for want of memory. */
static bool refuse_memory(const carom_option_parser *parser) {
    fprintf(stderr, "%s: out of memory\n", parser->program->name);
    return false;
}

/** Number of entries: one more than commas. */
static int count_entries(const char *text) {
    int count = 1;
    for (; *text != '\0'; text++) {
        count += *text == ',' ? 1 : 0;
    }
    return count;
}

/** Read the entry that begins at a text and ends with a comma or the text, cut off in place. */
static bool read_entry(const carom_option_parser *parser, carom_option_place place,
                       const carom_option *option, int number, char *text, double *value) {
    char name[ENTRY_NAME_SIZE];
    snprintf(name, sizeof name, "%s entry %d", option->name, number);
    text[strcspn(text, ",")] = '\0';
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length > 0 && strchr(BLANKS, text[length - 1]) != NULL) {
        length--;
    }
    text[length] = '\0';
    if (length == 0) {
        carom_option_begin_refusal(parser, place, name);
        fputs("is empty\n", stderr);
        return false;
    }
    return carom_option_check_real(parser, place, name, option, text, value);
}

bool carom_option_assign_list(const carom_option_parser *parser, carom_option_place place,
                              const carom_option *option, const char *text,
                              carom_real_list *target) {
    // A copy to cut into entries, and the numbers.
    const int count = count_entries(text);
    char *copy = carom_options_keep(parser->common, strlen(text) + 1);
    double *values = carom_options_keep(parser->common, (size_t)count * sizeof *values);
    if (copy == NULL || values == NULL) {
        return refuse_memory(parser);
    }
    memcpy(copy, text, strlen(text) + 1);
    for (int i = 0; i < count; i++) {
        char *next = copy + strcspn(copy, ",") + 1;
        if (!read_entry(parser, place, option, i + 1, copy, &values[i])) {
            return false;
        }
        copy = next;
    }
    *target = (carom_real_list){count, values};
    return true;
}

bool carom_option_assign_matrix(const carom_option_parser *parser, carom_option_place place,
                                const carom_option *option, const char *path,
                                carom_real_matrix *target) {
    char defect[CAROM_MATRIX_FILE_DEFECT_SIZE];
    int size = 0;
    double *read = NULL;
    const carom_status status = carom_matrix_file_square(path, &size, &read, defect);
    if (status != CAROM_OK) {
        carom_option_begin_refusal(parser, place, option->name);
        fprintf(stderr, "%s: %s\n", path, defect);
        return false;
    }
    const size_t bytes = (size_t)size * (size_t)size * sizeof *read;
    double *values = carom_options_keep(parser->common, bytes);
    if (values != NULL) {
        memcpy(values, read, bytes);
        *target = (carom_real_matrix){size, values};
    }
    free(read);
    return values != NULL || refuse_memory(parser);
}

bool carom_option_add_text(const carom_option_parser *parser, const char *text,
                           carom_text_list *target) {
    const size_t count = (size_t)target->count;
    const char **values = carom_options_keep(parser->common, (count + 1) * sizeof *values);
    if (values == NULL) {
        return refuse_memory(parser);
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = target->values[i];
    }
    values[count] = text;
    *target = (carom_text_list){target->count + 1, values};
    return true;
}
