#include <carom/base/status.h>

#include <math.h>
#include <stddef.h>
#include <string.h>

carom_report carom_report_empty(void) {
    const carom_report report = {
        .quantity = NULL,
        .value = NAN,
        .index = -1,
        .time = NAN,
        .step = NAN,
        .residual = NAN,
        .iterations = 0,
        .context = "",
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
