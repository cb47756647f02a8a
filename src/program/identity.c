#include <carom/program/internal.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/** Write a text and, where it names a file, what the file holds now: it may change. */
static void write_text(FILE *stream, const char *text) {
    fputs(text, stream);
    struct stat information;
    FILE *file =
        stat(text, &information) == 0 && S_ISREG(information.st_mode) ? fopen(text, "rb") : NULL;
    if (file == NULL) {
        return;
    }
    uint64_t sum = UINT64_C(14695981039346656037); // FNV-1a
    for (int byte = getc(file); byte != EOF; byte = getc(file)) {
        sum = (sum ^ (uint64_t)byte) * UINT64_C(1099511628211);
    }
    fclose(file);
    fprintf(stream, " with the bytes %016llx", (unsigned long long)sum);
}

/** Write numbers with all their digits. */
static void write_numbers(FILE *stream, int count, const double *values) {
    for (int i = 0; i < count; i++) {
        fprintf(stream, "%s%.17g", i > 0 ? "," : "", values[i]);
    }
}

/** Write the value of an option. */
static void write_value(FILE *stream, const carom_option *option, const void *target) {
    switch (option->kind) {
    case CAROM_OPTION_REAL:
        write_numbers(stream, 1, target);
        break;
    case CAROM_OPTION_INTEGER:
        fprintf(stream, "%d", *(const int *)target);
        break;
    case CAROM_OPTION_CHOICE: {
        char choice[CAROM_OPTION_CHOICE_SIZE];
        const int index = *(const int *)target;
        if (carom_option_choice_name(option->range, index, (int)sizeof choice, choice)) {
            fputs(choice, stream);
        }
        break;
    }
    case CAROM_OPTION_TEXT: {
        const char *text = *(const char *const *)target;
        write_text(stream, text != NULL ? text : "");
        break;
    }
    case CAROM_OPTION_FLAG:
        fputs(*(const bool *)target ? "yes" : "no", stream);
        break;
    case CAROM_OPTION_TEXT_LIST: {
        const carom_text_list *list = target;
        for (int i = 0; i < list->count; i++) {
            fprintf(stream, "%s", i > 0 ? " " : "");
            write_text(stream, list->values[i]);
        }
        break;
    }
    case CAROM_OPTION_REAL_LIST: {
        const carom_real_list *list = target;
        write_numbers(stream, list->count, list->values);
        break;
    }
    case CAROM_OPTION_MATRIX: {
        const carom_real_matrix *matrix = target;
        write_numbers(stream, matrix->size * matrix->size, matrix->values);
        break;
    }
    }
}

/** Write every option of a table, a line each. */
static void write_options(FILE *stream, const carom_option_table *options, const void *settings) {
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(options, i, &offset)) != NULL; i++) {
        fprintf(stream, "--%s ", option->name);
        write_value(stream, option, (const char *)settings + offset);
        putc('\n', stream);
    }
}

char *carom_identity_text(const carom_program *program, const carom_common_options *common,
                          const void *settings) {
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (stream == NULL) {
        return NULL;
    }
    fprintf(stream, "program %s\nversion %s\nsources %s\n--seed %lu\n", program->name,
            CAROM_VERSION, carom_build_of_program.source_digest, common->seed);
    for (int i = 0; i < CAROM_RECORD_OPTION_TABLES; i++) {
        const carom_option_table options = carom_options_of_record(program, i);
        write_options(stream, &options, common);
    }
    write_options(stream, &program->options, settings);
    const bool is_whole = ferror(stream) == 0;
    if (fclose(stream) != 0 || !is_whole) {
        free(text);
        return NULL;
    }
    return text;
}
