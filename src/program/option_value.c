#include <carom/program/internal.h>

#include <carom/record/text_buffer.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Characters shown of a text that is refused: enough to recognize it on one terminal line. */
#define SHOWN_CHARACTERS 60

/** Room for what is demanded of a value. */
#define DEMAND_SIZE 64

void carom_options_print_text(FILE *stream, const char *text, bool is_quoted) {
    const char *quote = is_quoted ? "\"" : "";
    fputs(quote, stream);
    int shown = 0;
    for (; shown < SHOWN_CHARACTERS && text[shown] != '\0'; shown++) {
        const unsigned char letter = (unsigned char)text[shown];
        fputc(letter < ' ' || letter == 127 ? '?' : letter, stream);
    }
    fputs(text[shown] != '\0' ? "..." : "", stream);
    fputs(quote, stream);
}

void carom_option_begin_refusal(const carom_option_parser *parser, carom_option_place place,
                                const char *name) {
    fprintf(stderr, "%s: ", parser->program->name);
    if (place.file == NULL) {
        fprintf(stderr, "--%s ", name);
    } else {
        fprintf(stderr, "%s:%d: %s ", place.file, place.line, name);
    }
}

/** Refuse a value: what it must be, and what was got. */
static bool refuse(const carom_option_parser *parser, carom_option_place place, const char *name,
                   const char *demand, const char *text, bool is_quoted) {
    carom_option_begin_refusal(parser, place, name);
    fprintf(stderr, "must %s, got ", demand);
    carom_options_print_text(stderr, text, is_quoted);
    fputc('\n', stderr);
    return false;
}

carom_number_verdict carom_option_read_real(const char *text, double *number) {
    char *end = NULL;
    *number = strtod(text, &end);
    const bool is_whole = end != text && *end == '\0' && strchr(" \t\n\v\f\r", text[0]) == NULL;
    if (!is_whole) {
        return CAROM_NUMBER_MALFORMED;
    }
    if (!isfinite(*number)) {
        return CAROM_NUMBER_TOO_LARGE;
    }
    return text[strspn(text, "+-.0123456789eE")] == '\0' ? CAROM_NUMBER_PROPER
                                                         : CAROM_NUMBER_MALFORMED;
}

/** Read a whole number: an optional sign and decimal digits. */
static carom_number_verdict read_integer(const char *text, int *number) {
    const size_t sign = text[0] == '-' || text[0] == '+' ? 1 : 0;
    const size_t digits = strspn(text + sign, "0123456789");
    if (digits == 0 || text[sign + digits] != '\0') {
        return CAROM_NUMBER_MALFORMED;
    }
    errno = 0;
    const long value = strtol(text, NULL, 10);
    if (errno == ERANGE || value < INT_MIN || value > INT_MAX) {
        return CAROM_NUMBER_TOO_LARGE;
    }
    *number = (int)value;
    return CAROM_NUMBER_PROPER;
}

/** One end of an interval, a number or a fraction of two. */
static double read_end(const char *text, char **rest) {
    const double number = strtod(text, rest);
    return **rest == '/' ? number / strtod(*rest + 1, rest) : number;
}

/** Whether an interval, "[1/2, 100]" or "(0, inf)", holds a number. */
static bool interval_holds(const char *interval, double number) {
    char *rest = NULL;
    const double least = read_end(interval + 1, &rest);
    const double most = read_end(rest + 1, &rest);
    return (interval[0] == '[' ? number >= least : number > least) &&
           (rest[0] == ']' ? number <= most : number < most);
}

bool carom_option_is_range(const char *text) {
    return text != NULL && (strcmp(text, "any") == 0 || strcmp(text, "positive") == 0 ||
                            strcmp(text, "not negative") == 0 || strchr("[(", text[0]) != NULL);
}

/** What the range of an option demands of a number; NULL if the number is admitted. */
static const char *range_demand(const carom_option *option, double number, char *demand) {
    if (strcmp(option->range, "any") == 0) {
        return NULL;
    }
    if (strcmp(option->range, "positive") == 0) {
        return number > 0.0 ? NULL : "be positive";
    }
    if (strcmp(option->range, "not negative") == 0) {
        return number >= 0.0 ? NULL : "not be negative";
    }
    const bool has_units = option->units != NULL && strcmp(option->units, "1") != 0;
    snprintf(demand, DEMAND_SIZE, "lie in %s%s%s", option->range, has_units ? " " : "",
             has_units ? option->units : "");
    return interval_holds(option->range, number) ? NULL : demand;
}

bool carom_option_check_real(const carom_option_parser *parser, carom_option_place place,
                             const char *name, const carom_option *option, const char *text,
                             double *number) {
    double value = NAN;
    const carom_number_verdict found = carom_option_read_real(text, &value);
    if (found == CAROM_NUMBER_MALFORMED) {
        return refuse(parser, place, name, "be a number", text, true);
    }
    if (found == CAROM_NUMBER_TOO_LARGE) {
        return refuse(parser, place, name, "be finite", text, false);
    }
    char room[DEMAND_SIZE];
    const char *demand = range_demand(option, value, room);
    if (demand != NULL) {
        return refuse(parser, place, name, demand, text, false);
    }
    *number = value;
    return true;
}

/** Assign a whole number. */
static bool assign_integer(const carom_option_parser *parser, carom_option_place place,
                           const carom_option *option, const char *text, int *target) {
    int number = 0;
    const carom_number_verdict found = read_integer(text, &number);
    if (found == CAROM_NUMBER_MALFORMED) {
        return refuse(parser, place, option->name, "be a whole number", text, true);
    }
    if (found == CAROM_NUMBER_TOO_LARGE) {
        return refuse(parser, place, option->name, "fit in 32 bits", text, false);
    }
    char room[DEMAND_SIZE];
    const char *demand = range_demand(option, number, room);
    if (demand != NULL) {
        return refuse(parser, place, option->name, demand, text, false);
    }
    *target = number;
    return true;
}

bool carom_option_choice_name(const char *choices, int index, int size, char *name) {
    const char *start = choices;
    for (int skipped = 0; skipped < index; skipped++) {
        start = strchr(start, '|');
        if (start == NULL) {
            return false;
        }
        start++;
    }
    const size_t length = strcspn(start, "|");
    if (index < 0 || length == 0 || length >= (size_t)size) {
        return false;
    }
    memcpy(name, start, length);
    name[length] = '\0';
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
        return refuse(parser, place, option->name, "be printable UTF-8", text, true);
    }
    *target = text;
    return true;
}

/** Assign a flag in a set file, where it needs a word; the command line has none. */
static bool assign_flag(const carom_option_parser *parser, carom_option_place place,
                        const carom_option *option, const char *text, bool *target) {
    const bool is_yes = strcmp(text, "yes") == 0;
    if (!is_yes && strcmp(text, "no") != 0) {
        return refuse(parser, place, option->name, "be yes or no", text, true);
    }
    *target = is_yes;
    return true;
}

/** Assign the seed: any number that fits, no sign. */
static bool assign_seed(const carom_option_parser *parser, carom_option_place place,
                        const char *text) {
    if (text[strspn(text, "0123456789")] != '\0') {
        return refuse(parser, place, "seed", "be a whole number without sign", text, true);
    }
    errno = 0;
    const unsigned long number = strtoul(text, NULL, 10);
    if (errno == ERANGE) {
        return refuse(parser, place, "seed", "fit in an unsigned long", text, false);
    }
    parser->common->seed = number;
    return true;
}

/** Assign the number of threads. */
static bool assign_threads(const carom_option_parser *parser, carom_option_place place,
                           const char *text) {
    int number = 0;
    const carom_number_verdict found = read_integer(text, &number);
    if (found == CAROM_NUMBER_MALFORMED) {
        return refuse(parser, place, "threads", "be a whole number", text, true);
    }
    if (found == CAROM_NUMBER_TOO_LARGE || number < 0 || number > CAROM_OPTIONS_THREADS_MAX) {
        char demand[DEMAND_SIZE];
        snprintf(demand, sizeof demand, "lie in [0, %d]", CAROM_OPTIONS_THREADS_MAX);
        return refuse(parser, place, "threads", demand, text, false);
    }
    parser->common->threads = number;
    return true;
}

const carom_option *carom_option_find(const carom_option_parser *parser, const char *name,
                                      void **target) {
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(&parser->program->options, i, &offset)) != NULL;
         i++) {
        if (strcmp(option->name, name) == 0) {
            *target = (char *)parser->settings + offset;
            return option;
        }
    }
    return NULL;
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
    if (option == NULL && !is_output && !is_seed && !is_threads) {
        return refuse_unknown(parser, place, name);
    }
    if (text == NULL || text[0] == '\0') {
        carom_option_begin_refusal(parser, place, name);
        fputs("needs a value\n", stderr);
        return false;
    }
    if (option == NULL) {
        if (is_output) {
            parser->common->output = text;
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
    }
    return false;
}
