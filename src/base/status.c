#include <carom/base/status.h>

#include <math.h>
#include <stddef.h>

carom_report carom_report_empty(void) {
    const carom_report report = {
        .quantity = NULL,
        .value = NAN,
        .index = -1,
        .time = NAN,
        .step = NAN,
        .residual = NAN,
        .iterations = 0,
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
