#include <carom/program/internal.h>

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Characters shown of a text that is refused: enough to recognize it on one terminal line. */
#define SHOWN_CHARACTERS 60

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

bool carom_option_refuse(const carom_option_parser *parser, carom_option_place place,
                         const char *name, const char *demand, const char *text, bool is_quoted) {
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

const char *carom_number_defect(const char *text, double *number) {
    switch (carom_option_read_real(text, number)) {
    case CAROM_NUMBER_PROPER:
        return NULL;
    case CAROM_NUMBER_TOO_LARGE:
        return "is not finite";
    case CAROM_NUMBER_MALFORMED:
        break;
    }
    return "is not a number";
}

carom_number_verdict carom_option_read_integer(const char *text, int *number) {
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

const char *carom_option_demand(const carom_option *option, double number, char *demand) {
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
    snprintf(demand, CAROM_OPTION_DEMAND_SIZE, "lie in %s%s%s", option->range, has_units ? " " : "",
             has_units ? option->units : "");
    return interval_holds(option->range, number) ? NULL : demand;
}

/** Whether a number is not written as 0 and yet so small that a double has lost digits of it. */
static bool loses_digits(const char *text, double number) {
    const char first = text[strcspn(text, "123456789eE")];
    return isdigit((unsigned char)first) && fabs(number) < DBL_MIN;
}

/** What is demanded of the size of a number: `demand` [CAROM_OPTION_DEMAND_SIZE]. */
static const char *demand_size(const carom_option *option, char *demand) {
    const bool may_be_zero = carom_option_demand(option, 0.0, demand) == NULL;
    const bool may_be_negative = carom_option_demand(option, -DBL_MIN, demand) == NULL;
    const bool has_units = option->units != NULL && strcmp(option->units, "1") != 0;
    snprintf(demand, CAROM_OPTION_DEMAND_SIZE, "be %sat least %.17g%s%s%s",
             may_be_zero ? "0 or " : "", DBL_MIN, has_units ? " " : "",
             has_units ? option->units : "", may_be_negative ? " in size" : "");
    return demand;
}

bool carom_option_check_real(const carom_option_parser *parser, carom_option_place place,
                             const char *name, const carom_option *option, const char *text,
                             double *number) {
    double value = NAN;
    const carom_number_verdict found = carom_option_read_real(text, &value);
    if (found == CAROM_NUMBER_MALFORMED) {
        return carom_option_refuse(parser, place, name, "be a number", text, true);
    }
    if (found == CAROM_NUMBER_TOO_LARGE) {
        return carom_option_refuse(parser, place, name, "be finite", text, false);
    }
    char room[CAROM_OPTION_DEMAND_SIZE];
    const char *demand = carom_option_demand(option, value, room);
    if (loses_digits(text, value) && (demand == NULL || !(fabs(value) > 0.0))) {
        demand = demand_size(option, room);
    }
    if (demand != NULL) {
        return carom_option_refuse(parser, place, name, demand, text, false);
    }
    *number = value;
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
