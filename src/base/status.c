#include <carom/base/status.h>

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void carom_assert_failed(const char *function, const char *condition) {
    fprintf(stderr, "carom: %s: %s does not hold\n", function, condition);
    abort();
}

carom_report carom_report_empty(void) {
    const carom_report report = {
        .quantity = NULL,
        .value = NAN,
        .accepted = NULL,
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
