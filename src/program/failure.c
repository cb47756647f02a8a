#include <carom/program/internal.h>

#include <math.h>
#include <string.h>

/** Room for the name of an option as it is given. */
#define OPTION_NAME_SIZE 80

/** Whether a quantity ("initial height") names an option ("initial-height"). */
static bool names_option(const char *quantity, const char *name) {
    size_t i = 0;
    for (; quantity[i] != '\0' && name[i] != '\0'; i++) {
        const char letter = quantity[i] == ' ' || quantity[i] == '_' ? '-' : quantity[i];
        if (letter != name[i]) {
            return false;
        }
    }
    return quantity[i] == name[i];
}

/** The option that a quantity names; NULL if it names none. */
static const carom_option *option_of(const carom_program *program, const char *quantity) {
    const carom_option *option = NULL;
    size_t offset = 0;
    for (int i = 0; (option = carom_option_at(&program->options, i, &offset)) != NULL; i++) {
        if (names_option(quantity, option->name)) {
            return option;
        }
    }
    return NULL;
}

void carom_failure_print(FILE *stream, const carom_program *program, carom_status status,
                         const carom_report *report) {
    carom_report named = *report;
    char name[OPTION_NAME_SIZE];
    const carom_option *option =
        report->quantity != NULL ? option_of(program, report->quantity) : NULL;
    if (option != NULL && report->index < 0) {
        snprintf(name, sizeof name, "--%s", option->name);
        named.quantity = name;
    }
    if (status == CAROM_STATUS_PENETRATION && isnan(report->time)) {
        named.accepted = ">= 0";
    }
    if (report->units == NULL && option != NULL && option->units != NULL) {
        named.units = strcmp(option->units, "1") != 0 ? option->units : NULL;
    } else if (report->units == NULL && status == CAROM_STATUS_PENETRATION) {
        named.units = "m";
    }
    fprintf(stream, "%s: ", program->name);
    carom_report_print(stream, status, &named);
}
