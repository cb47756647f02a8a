#include <carom/collisionless/motion/internal.h>

#include <math.h>

static carom_status check_time(double time, const char *name, carom_report *report) {
    if (!isfinite(time)) {
        return carom_report_fail(report, CAROM_STATUS_NOT_FINITE, name, time, -1);
    }
    if (!(time > 0.0)) {
        return carom_report_refuse(report, name, time, -1, "> 0");
    }
    return CAROM_OK;
}

carom_status carom_phase_times_check(double time, double constrained_time, carom_report *report) {
    CAROM_TRY(check_time(time, "time", report));
    return check_time(constrained_time, "constrained time", report);
}
