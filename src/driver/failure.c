#include "failure.h"

#include <math.h>
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

/** Print which entry of the quantity it is. */
static void print_index(FILE *stream, carom_status status, int index) {
    if (index < 0) {
        return;
    }
    switch (status) {
    case CAROM_STATUS_PENETRATION:
        fprintf(stream, " of contact %d", index);
        break;
    case CAROM_STATUS_INCONSISTENT:
        fprintf(stream, " of joint %d", index);
        break;
    default:
        fprintf(stream, "[%d]", index);
        break;
    }
}

/** Whether a quantity is itself a residual, so that its number need not be introduced again. */
static bool is_residual(const char *quantity) {
    return quantity != NULL && strstr(quantity, "residual") != NULL;
}

void carom_failure_print(FILE *stream, const carom_program *program, const carom_option *options,
                         int option_count, carom_status status, const carom_report *report) {
    // Which part of the work, what happened, when.
    fprintf(stream, "%s: ", program->name);
    if (report->context[0] != '\0') {
        fprintf(stream, "%s: ", report->context);
    }
    fputs(report->sentence[0] != '\0' ? report->sentence : carom_status_sentence(status), stream);
    if (!isnan(report->time)) {
        fprintf(stream, " at t = %.6g s", report->time);
    }
    if (!isnan(report->step)) {
        fprintf(stream, " with h = %.6g s", report->step);
    }

    // Which quantity, with its value; NaN is a value worth printing where that is what failed.
    const bool has_residual = !isnan(report->residual);
    const bool is_same = has_residual && is_residual(report->quantity);
    const char *separator = ": ";
    if (report->quantity != NULL) {
        fprintf(stream, "%s%s", separator, report->quantity);
        separator = is_same ? " " : ", residual ";
        print_index(stream, status, report->index);
        if ((!isnan(report->value) && !is_same) || status == CAROM_STATUS_NOT_FINITE) {
            const char *units = units_of(options, option_count, status, report->quantity);
            fprintf(stream, " = %.6g%s%s", report->value, units[0] != '\0' ? " " : "", units);
        }
        if (report->accepted != NULL) {
            fprintf(stream, ", accepted %s", report->accepted);
        }
    } else {
        separator = ": residual ";
    }
    if (has_residual) {
        fprintf(stream, "%s%.6g", separator, report->residual);
    }
    if (report->iterations > 0) {
        fprintf(stream, " after %d iteration%s", report->iterations,
                report->iterations > 1 ? "s" : "");
    }
    fputc('\n', stream);
}
