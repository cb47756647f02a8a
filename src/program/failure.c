#include <carom/program/failure.h>

#include <string.h>

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

/** Units of a quantity: those of the option of its name; metres for a gap; "" if unknown. */
static const char *units_of(const carom_option *options, int option_count, carom_status status,
                            const char *quantity) {
    for (int i = 0; i < option_count; i++) {
        const char *units = options[i].units;
        if (names_option(quantity, options[i].name) && units != NULL && strcmp(units, "1") != 0) {
            return units;
        }
    }
    return status == CAROM_STATUS_PENETRATION ? "m" : "";
}

void carom_failure_print(FILE *stream, const carom_program *program, const carom_option *options,
                         int option_count, carom_status status, const carom_report *report) {
    carom_report with_units = *report;
    if (report->units == NULL && report->quantity != NULL) {
        with_units.units = units_of(options, option_count, status, report->quantity);
    }
    fprintf(stream, "%s: ", program->name);
    carom_report_print(stream, status, &with_units);
}
