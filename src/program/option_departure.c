#include <carom/program/internal.h>

#include <math.h>
#include <string.h>

/** What an option held before anything was given. */
typedef union initial_value {
    double number;
    carom_real_list list; /**< of a matrix, row by row */
} initial_value;

/** What a member of the settings holds. */
static initial_value value_of(const carom_option *option, const void *member) {
    initial_value held = {.number = (double)NAN};
    if (option->kind == CAROM_OPTION_REAL) {
        held.number = *(const double *)member;
    } else if (option->kind == CAROM_OPTION_INTEGER) {
        held.number = *(const int *)member;
    } else if (option->kind == CAROM_OPTION_REAL_LIST) {
        held.list = *(const carom_real_list *)member;
    } else if (option->kind == CAROM_OPTION_MATRIX) {
        const carom_real_matrix *matrix = member;
        held.list = (carom_real_list){matrix->size * matrix->size, matrix->values};
    }
    return held;
}

bool carom_option_departures_begin(const carom_option_parser *parser, void **defaults) {
    const carom_option_table *options = &parser->program->options;
    const carom_option *option = NULL;
    size_t offset = 0;
    int count = 0;
    while (carom_option_at(options, count, &offset) != NULL) {
        count++;
    }
    initial_value *held = carom_options_keep(parser->common, (size_t)count * sizeof *held);
    *defaults = held;
    for (int i = 0; held != NULL && (option = carom_option_at(options, i, &offset)) != NULL; i++) {
        held[i] = value_of(option, (const char *)parser->settings + offset);
    }
    return held != NULL;
}

/** Numbers from which on a list is noted for how many they are. */
#define LONG_LIST 100

/** Powers of ten that 0 counts as far from a default other than 0. */
#define DECADES_OF_ZERO 10.0

/** Keep a number if it is not its default and farther from it than what was kept; powers of ten are
 * counted from 1 where there is no default, or 0. */
static void keep_farthest(carom_option_departure *farthest, const carom_option *option, int entry,
                          double value, double initial) {
    const bool is_changed = !isnan(value) && !(fabs(value - initial) <= 0.0);
    const bool has_initial = fabs(initial) > 0.0;
    const double decades =
        fabs(value) > 0.0 ? fabs(log10(fabs(value)) - (has_initial ? log10(fabs(initial)) : 0.0))
        : has_initial     ? DECADES_OF_ZERO
                          : 0.0;
    if (is_changed && (farthest->option == NULL || decades > farthest->decades)) {
        *farthest = (carom_option_departure){option, entry, value, initial, decades};
    }
}

/** The same of the numbers of a list or matrix, and of how long a list is. */
static void keep_farthest_entry(carom_option_departure *farthest, const carom_option *option,
                                const carom_real_list *now, const carom_real_list *before) {
    const double initial_count = before->count > 0 ? before->count : (double)NAN;
    if (option->kind == CAROM_OPTION_REAL_LIST && now->count >= LONG_LIST) {
        keep_farthest(farthest, option, CAROM_OPTION_COUNT, now->count, initial_count);
    }
    for (int k = 0; k < now->count; k++) {
        const double initial = k < before->count ? before->values[k] : (double)NAN;
        keep_farthest(farthest, option, k + 1, now->values[k], initial);
    }
}

carom_option_departure carom_option_departures_end(const carom_option_parser *parser,
                                                   const void *defaults) {
    const initial_value *before = defaults;
    carom_option_departure farthest = {.option = NULL};
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(&parser->program->options, i, &offset)) != NULL;
         i++) {
        const initial_value now = value_of(option, (const char *)parser->settings + offset);
        if (option->kind == CAROM_OPTION_REAL_LIST || option->kind == CAROM_OPTION_MATRIX) {
            keep_farthest_entry(&farthest, option, &now.list, &before[i].list);
        } else if (option->kind == CAROM_OPTION_REAL || now.number > before[i].number) {
            // A count below its default asks for less.
            keep_farthest(&farthest, option, 0, now.number, before[i].number);
        }
    }
    return farthest;
}

void carom_option_departure_print(FILE *stream, const carom_option_departure *departure) {
    const carom_option *option = departure->option;
    if (departure->entry == CAROM_OPTION_COUNT) {
        fprintf(stream, "with %.0f numbers in --%s: ", departure->value, option->name);
        return;
    }
    const bool has_units = option->units != NULL && strcmp(option->units, "1") != 0;
    const char *blank = has_units ? " " : "";
    const char *units = has_units ? option->units : "";
    fprintf(stream, "with --%s", option->name);
    if (departure->entry > 0) {
        fprintf(stream, " entry %d", departure->entry);
    }
    fprintf(stream, " = %.6g%s%s", departure->value, blank, units);
    if (!isnan(departure->initial)) {
        fprintf(stream, ", by default %.6g%s%s", departure->initial, blank, units);
    }
    fputs(": ", stream);
}
