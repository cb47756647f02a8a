#include <carom/program/internal.h>

#include <carom/record/text.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/** Assign a whole number. */
static bool assign_integer(const carom_option_parser *parser, carom_option_place place,
                           const carom_option *option, const char *text, int *target) {
    int number = 0;
    const carom_number_verdict found = carom_option_read_integer(text, &number);
    if (found == CAROM_NUMBER_MALFORMED) {
        return carom_option_refuse(parser, place, option->name, "be a whole number", text, true);
    }
    if (found == CAROM_NUMBER_TOO_LARGE) {
        return carom_option_refuse(parser, place, option->name, "fit in 32 bits", text, false);
    }
    char room[CAROM_OPTION_DEMAND_SIZE];
    const char *demand = carom_option_demand(option, number, room);
    if (demand != NULL) {
        return carom_option_refuse(parser, place, option->name, demand, text, false);
    }
    *target = number;
    return true;
}

/** Assign the index of a choice. */
static bool assign_choice(const carom_option_parser *parser, carom_option_place place,
                          const carom_option *option, const char *text, int *target) {
    char name[CAROM_OPTION_CHOICE_SIZE];
    for (int i = 0; carom_option_choice_name(option->range, i, sizeof name, name); i++) {
        if (strcmp(name, text) == 0) {
            *target = i;
            return true;
        }
    }
    carom_option_begin_refusal(parser, place, option->name);
    fprintf(stderr, "must be one of %s, got ", option->range);
    carom_options_print_text(stderr, text, true);
    fputc('\n', stderr);
    return false;
}

/** Assign a text, for which there is room on one line of a record. */
static bool assign_text(const carom_option_parser *parser, carom_option_place place,
                        const carom_option *option, const char *text, const char **target) {
    bool has_control = false;
    for (const char *letter = text; *letter != '\0'; letter++) {
        has_control = has_control || ((unsigned char)*letter < ' ' || *letter == 127);
    }
    if (has_control || !carom_text_is_utf8(text)) {
        return carom_option_refuse(parser, place, option->name, "be printable UTF-8", text, true);
    }
    *target = text;
    return true;
}

/** Assign a flag in a set file, where it needs a word; the command line has none. */
static bool assign_flag(const carom_option_parser *parser, carom_option_place place,
                        const carom_option *option, const char *text, bool *target) {
    const bool is_yes = strcmp(text, "yes") == 0;
    if (!is_yes && strcmp(text, "no") != 0) {
        return carom_option_refuse(parser, place, option->name, "be yes or no", text, true);
    }
    *target = is_yes;
    return true;
}

/** Assign the seed: any number that fits, no sign. */
static bool assign_seed(const carom_option_parser *parser, carom_option_place place,
                        const char *text) {
    if (text[strspn(text, "0123456789")] != '\0') {
        return carom_option_refuse(parser, place, "seed", "be a whole number without sign", text,
                                   true);
    }
    errno = 0;
    const unsigned long number = strtoul(text, NULL, 10);
    if (errno == ERANGE) {
        return carom_option_refuse(parser, place, "seed", "fit in an unsigned long", text, false);
    }
    parser->common->seed = number;
    return true;
}

/** Assign the number of threads. */
static bool assign_threads(const carom_option_parser *parser, carom_option_place place,
                           const char *text) {
    int number = 0;
    const carom_number_verdict found = carom_option_read_integer(text, &number);
    if (found == CAROM_NUMBER_MALFORMED) {
        return carom_option_refuse(parser, place, "threads", "be a whole number", text, true);
    }
    if (found == CAROM_NUMBER_TOO_LARGE || number < 0 || number > CAROM_OPTIONS_THREADS_MAX) {
        char demand[CAROM_OPTION_DEMAND_SIZE];
        snprintf(demand, sizeof demand, "lie in [0, %d]", CAROM_OPTIONS_THREADS_MAX);
        return carom_option_refuse(parser, place, "threads", demand, text, false);
    }
    parser->common->workers.threads = number;
    return true;
}

/** Refuse a name that is in no table. */
static bool refuse_unknown(const carom_option_parser *parser, carom_option_place place,
                           const char *name) {
    fprintf(stderr, "%s: ", parser->program->name);
    if (place.file == NULL) {
        fputs("unknown option --", stderr);
        carom_options_print_text(stderr, name, false);
    } else {
        fprintf(stderr, "%s:%d: unknown name ", place.file, place.line);
        carom_options_print_text(stderr, name, true);
    }
    fputs(" (see --help)\n", stderr);
    return false;
}

bool carom_option_assign(const carom_option_parser *parser, carom_option_place place,
                         const char *name, const char *text) {
    void *target = NULL;
    const carom_option *option = carom_option_find(parser, name, &target);
    const bool is_output = strcmp(name, "output") == 0;
    const bool is_seed = strcmp(name, "seed") == 0;
    const bool is_threads = strcmp(name, "threads") == 0;
    const bool is_folder = parser->program->has_contact_steps && strcmp(name, "dump-problems") == 0;
    const bool is_checkpoint = strcmp(name, "checkpoint") == 0;
    const bool is_path = is_output || is_folder || is_checkpoint;
    if (option == NULL && !is_path && !is_seed && !is_threads) {
        return refuse_unknown(parser, place, name);
    }
    if (text == NULL || text[0] == '\0') {
        carom_option_begin_refusal(parser, place, name);
        fputs("needs a value\n", stderr);
        return false;
    }
    if (option == NULL) {
        if (is_path) {
            carom_common_options *common = parser->common;
            *(is_output ? &common->output
                        : (is_folder ? &common->problem_folder : &common->checkpoint)) = text;
            return true;
        }
        return is_seed ? assign_seed(parser, place, text) : assign_threads(parser, place, text);
    }
    switch (option->kind) {
    case CAROM_OPTION_REAL:
        return carom_option_check_real(parser, place, name, option, text, target);
    case CAROM_OPTION_INTEGER:
        return assign_integer(parser, place, option, text, target);
    case CAROM_OPTION_CHOICE:
        return assign_choice(parser, place, option, text, target);
    case CAROM_OPTION_TEXT:
        return assign_text(parser, place, option, text, target);
    case CAROM_OPTION_FLAG:
        return assign_flag(parser, place, option, text, target);
    case CAROM_OPTION_REAL_LIST:
        return carom_option_assign_list(parser, place, option, text, target);
    case CAROM_OPTION_MATRIX:
        return carom_option_assign_matrix(parser, place, option, text, target);
    case CAROM_OPTION_TEXT_LIST: {
        const char *checked = NULL;
        return assign_text(parser, place, option, text, &checked) &&
               carom_option_add_text(parser, checked, target);
    }
    }
    return false;
}
