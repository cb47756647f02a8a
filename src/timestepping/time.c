#include <carom/timestepping/internal.h>

#include <math.h>

carom_status carom_time_after(double start, double step, long count, double *time,
                              carom_report *report) {
    CAROM_ASSERT(count >= 1 && time != NULL);
    const double last = start + (double)(count - 1) * step;
    *time = start + (double)count * step;
    if (*time > last) {
        return CAROM_OK;
    }
    (void)carom_report_bound(report, "step", step, "more than half of what the time is rounded to,",
                             0.5 * (nextafter(fabs(last), (double)INFINITY) - fabs(last)));
    if (report != NULL) {
        report->time = last;
    }
    return CAROM_STATUS_OUT_OF_RANGE;
}
