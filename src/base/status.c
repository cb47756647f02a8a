#include <carom/base/base.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void carom_auto_free_memory(void *pointer) {
    free(*(void **)pointer);
}

void carom_assert_failed(const char *function, const char *condition) {
    fprintf(stderr, "carom: %s: %s does not hold\n", function, condition);
    abort();
}

carom_report carom_report_empty(void) {
    const carom_report report = {
        .quantity = NULL,
        .value = NAN,
        .units = NULL,
        .accepted = NULL,
        .bound = NAN,
        .index = -1,
        .time = NAN,
        .step = NAN,
        .residual = NAN,
        .iterations = 0,
        .context = "",
        .sentence = "",
    };
    return report;
}

carom_status carom_report_fail(carom_report *report, carom_status status, const char *quantity,
                               double value, int index) {
    if (report != NULL) {
        *report = carom_report_empty();
        report->quantity = quantity;
        report->value = value;
        report->index = index;
    }
    return status;
}

carom_status carom_report_refuse(carom_report *report, const char *quantity, double value,
                                 int index, const char *accepted) {
    (void)carom_report_fail(report, CAROM_STATUS_OUT_OF_RANGE, quantity, value, index);
    if (report != NULL) {
        report->accepted = accepted;
    }
    return CAROM_STATUS_OUT_OF_RANGE;
}

carom_status carom_report_require_finite(carom_report *report, const char *quantity, int count,
                                         const double *values) {
    for (int i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, quantity, values[i], i);
        }
    }
    return CAROM_OK;
}

carom_status carom_report_bound(carom_report *report, const char *quantity, double value,
                                const char *accepted, double bound) {
    (void)carom_report_refuse(report, quantity, value, -1, accepted);
    if (report != NULL) {
        report->bound = fmax(-DBL_MAX, fmin(bound, DBL_MAX));
    }
    return CAROM_STATUS_OUT_OF_RANGE;
}

carom_status carom_report_say(carom_report *report, carom_status status, const char *format, ...) {
    if (report != NULL) {
        *report = carom_report_empty();
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(report->sentence, sizeof report->sentence, format, arguments);
        va_end(arguments);
    }
    return status;
}

void carom_report_set_context(carom_report *report, const char *context) {
    if (report == NULL) {
        return;
    }
    size_t length = strlen(context);
    if (length >= CAROM_REPORT_CONTEXT_SIZE) {
        length = CAROM_REPORT_CONTEXT_SIZE - 1;
    }
    memcpy(report->context, context, length);
    report->context[length] = '\0';
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

/** Print a number with its units, if these are known. */
static void print_number(FILE *stream, double value, const char *units) {
    const bool has_units = units != NULL && units[0] != '\0';
    fprintf(stream, " %.6g%s%s", isnan(value) ? fabs(value) : value, has_units ? " " : "",
            has_units ? units : "");
}

/** Whether a quantity is itself a residual, so that its number need not be introduced again. */
static bool is_residual(const char *quantity) {
    return quantity != NULL && strstr(quantity, "residual") != NULL;
}

void carom_report_print(FILE *stream, carom_status status, const carom_report *report) {
    CAROM_ASSERT(stream != NULL);
    const carom_report nothing = carom_report_empty();
    const carom_report *r = report != NULL ? report : &nothing;
    /* Which part of the work, what happened, when. */
    if (r->context[0] != '\0') {
        fprintf(stream, "%s: ", r->context);
    }
    fputs(r->sentence[0] != '\0' ? r->sentence : carom_status_sentence(status), stream);
    if (!isnan(r->time)) {
        fprintf(stream, " at t = %.6g s", r->time);
    }
    if (!isnan(r->step)) {
        fprintf(stream, " with h = %.6g s", r->step);
    }

    /* Which quantity, with its value; NaN is a value worth printing where that is what failed. */
    const bool has_residual = !isnan(r->residual);
    const bool is_same = has_residual && is_residual(r->quantity);
    const char *separator = ": ";
    if (r->quantity != NULL) {
        fprintf(stream, "%s%s", separator, r->quantity);
        separator = is_same ? " " : ", residual ";
        print_index(stream, status, r->index);
        if ((!isnan(r->value) && !is_same) || status == CAROM_STATUS_NOT_FINITE) {
            fputs(" =", stream);
            print_number(stream, r->value, r->units);
        }
        if (r->accepted != NULL) {
            fprintf(stream, ", accepted %s", r->accepted);
            if (!isnan(r->bound)) {
                print_number(stream, r->bound, r->units);
            }
        }
    } else {
        separator = ": residual ";
    }
    if (has_residual) {
        fprintf(stream, "%s%.6g", separator, r->residual);
    }
    if (r->iterations > 0) {
        fprintf(stream, " after %d iteration%s", r->iterations, r->iterations > 1 ? "s" : "");
    }
    fputc('\n', stream);
}

const char *carom_status_sentence(carom_status status) {
    switch (status) {
#define CAROM_STATUS_CASE(code, sentence) \
    case CAROM_STATUS_##code:             \
        return sentence;
        CAROM_STATUS_LIST(CAROM_STATUS_CASE)
#undef CAROM_STATUS_CASE
    }
    return "unknown status";
}

const char *carom_status_name(carom_status status) {
    switch (status) {
#define CAROM_STATUS_CASE(code, sentence) \
    case CAROM_STATUS_##code:             \
        return #code;
        CAROM_STATUS_LIST(CAROM_STATUS_CASE)
#undef CAROM_STATUS_CASE
    }
    return "UNKNOWN";
}
