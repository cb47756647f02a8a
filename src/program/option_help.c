#include <carom/program/internal.h>
#include <carom/record/text.h>

#include <math.h>
#include <string.h>

/** What stands for a value of each kind. */
static const char *value_word(carom_option_kind kind) {
    switch (kind) {
    case CAROM_OPTION_REAL:
        return "NUMBER";
    case CAROM_OPTION_INTEGER:
        return "INTEGER";
    case CAROM_OPTION_CHOICE:
        return "CHOICE";
    case CAROM_OPTION_TEXT:
        return "TEXT";
    case CAROM_OPTION_FLAG:
        return "";
    case CAROM_OPTION_REAL_LIST:
        return "NUMBER,...";
    case CAROM_OPTION_MATRIX:
        return "FILE";
    case CAROM_OPTION_TEXT_LIST:
        return "TEXT";
    }
    return "";
}

/** Print the numbers of a list as they are written on the command line. */
static void print_list(carom_text_buffer *help, const carom_real_list *list) {
    carom_text_buffer_print(help, "default ");
    for (int i = 0; i < list->count; i++) {
        carom_text_buffer_print(help, "%s%.15g", i > 0 ? "," : "", list->values[i]);
    }
}

/** Print what the settings hold, which is the default. */
static void print_default(carom_text_buffer *help, const carom_option *option, const void *target) {
    switch (option->kind) {
    case CAROM_OPTION_REAL: {
        const double value = *(const double *)target;
        if (isnan(value)) {
            carom_text_buffer_print(help, "not set");
        } else {
            carom_text_buffer_print(help, "default %.15g", value);
        }
        break;
    }
    case CAROM_OPTION_INTEGER:
        carom_text_buffer_print(help, "default %d", *(const int *)target);
        break;
    case CAROM_OPTION_CHOICE: {
        char name[CAROM_OPTION_CHOICE_SIZE];
        const int index = *(const int *)target;
        const bool has_name =
            carom_option_choice_name(option->range, index, (int)sizeof name, name);
        carom_text_buffer_print(help, "default %s", has_name ? name : "not set");
        break;
    }
    case CAROM_OPTION_TEXT: {
        const char *text = *(const char *const *)target;
        if (text == NULL) {
            carom_text_buffer_print(help, "not set");
        } else {
            carom_text_buffer_print(help, "default \"%s\"", text);
        }
        break;
    }
    case CAROM_OPTION_FLAG:
        carom_text_buffer_print(help, "default %s", *(const bool *)target ? "yes" : "no");
        break;
    case CAROM_OPTION_REAL_LIST: {
        const carom_real_list *list = target;
        if (list->count == 0) {
            carom_text_buffer_print(help, "not set");
        } else {
            print_list(help, list);
        }
        break;
    }
    case CAROM_OPTION_MATRIX:
    case CAROM_OPTION_TEXT_LIST:
        carom_text_buffer_print(help, "not set");
        break;
    }
}

/** Print what a value must be: choices, or unit and range. */
static void print_demand(carom_text_buffer *help, const carom_option *option) {
    const char *units = option->units != NULL ? option->units : "1";
    switch (option->kind) {
    case CAROM_OPTION_REAL:
    case CAROM_OPTION_INTEGER:
    case CAROM_OPTION_REAL_LIST:
        carom_text_buffer_print(help, "unit %s; %s%s%s; ", units,
                                option->kind == CAROM_OPTION_REAL_LIST ? "each " : "",
                                strchr("[(", option->range[0]) != NULL ? "in " : "", option->range);
        break;
    case CAROM_OPTION_MATRIX:
        carom_text_buffer_print(help, "unit %s; ", units);
        break;
    case CAROM_OPTION_CHOICE:
        carom_text_buffer_print(help, "%s; ", option->range);
        break;
    case CAROM_OPTION_TEXT_LIST:
        carom_text_buffer_print(help, "may be repeated; ");
        break;
    case CAROM_OPTION_TEXT:
    case CAROM_OPTION_FLAG:
        break;
    }
}

/** Print one option: name, unit, range, default; then its help line. */
static void print_option(carom_text_buffer *help, const carom_option *option, const void *target,
                         bool is_operand) {
    const char *word = is_operand ? "FILE" : value_word(option->kind);
    carom_text_buffer_print(help, "  --%s%s%s  (", option->name, word[0] != '\0' ? " " : "", word);
    print_demand(help, option);
    print_default(help, option, target);
    carom_text_buffer_print(help, ")\n        %s\n", option->help != NULL ? option->help : "");
}

/** Print the options that every experiment has. */
static void print_common(carom_text_buffer *help, const carom_option_parser *parser) {
    const carom_common_options *common = parser->common;
    carom_text_buffer_print(
        help,
        "\nCommon options:\n"
        "  --output FILE  (default %s)\n"
        "        record to write; replaced only if its bytes differ\n"
        "  --seed INTEGER  (not negative; default %lu)\n"
        "        seed of the random numbers\n"
        "  --threads INTEGER  (in [0, %d]; default %d)\n"
        "        threads to use, 0 for all cores; the record does not depend on it\n",
        common->output, common->seed, CAROM_OPTIONS_THREADS_MAX, common->workers.threads);
    carom_text_buffer_print(
        help,
        "  --checkpoint FILE\n"
        "        keep what is finished of samples, searches and runs in steps: the same command\n"
        "        goes on from it after it was killed, with any number of threads and ranks;\n"
        "        removed at the end\n");
    if (parser->program->has_contact_steps) {
        carom_text_buffer_print(
            help,
            "  --dump-problems DIR\n"
            "        write the contact problem of each step into a file of this folder, which is "
            "made\n        or empty; %d at most, on one thread\n",
            CAROM_CONTACT_PROBLEMS_MOST);
    }
    for (int k = 0; k < CAROM_RECORD_OPTION_TABLES; k++) {
        const carom_option_table options = carom_options_of_record(parser->program, k);
        for (int i = 0; i < options.count; i++) {
            print_option(help, &options.rows[i], (const char *)common + options.rows[i].offset,
                         false);
        }
    }
    carom_text_buffer_print(
        help, "  --set FILE\n"
              "        read `name = value` lines, # for comments; the command line wins over them\n"
              "  --quiet\n"
              "        no word of progress, which is said after five seconds, and no closing line\n"
              "  --help, --version\n"
              "        print this, or name and version, and stop\n");
}

bool carom_option_print_help(const carom_option_parser *parser) {
    carom_text_buffer help = {0};
    const carom_program *program = parser->program;
    carom_text_buffer_print(&help,
                            "Usage: %s %s[--PARAMETER VALUE]... [--output FILE]%s\n%s (%s)\n",
                            program->name, program->operand != NULL ? "[FILE] " : "",
                            program->command != NULL ? " -- PROGRAM [ARGUMENT]..." : "",
                            program->title, program->source);
    if (program->options.count > 0) {
        carom_text_buffer_print(&help, "\nParameters:\n");
    }
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(&program->options, i, &offset)) != NULL; i++) {
        const bool is_operand =
            program->operand != NULL && strcmp(option->name, program->operand) == 0;
        print_option(&help, option, (const char *)parser->settings + offset, is_operand);
    }
    print_common(&help, parser);
    const bool is_whole = help.failure == CAROM_OK;
    if (is_whole) {
        carom_help_print(help.text);
    }
    carom_text_buffer_clear(&help);
    return is_whole;
}
