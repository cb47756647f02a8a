/** A variational stepper that starts and steps, which must not fail. */
#ifndef CAROM_TESTS_VARIATIONAL_START_H
#define CAROM_TESTS_VARIATIONAL_START_H

#include "../../support.h"

#include <carom/timestepping/variational/variational.h>

static inline carom_variational_stepper *make_stepper(const carom_mechanism *mechanism,
                                                      const carom_variational_params *params) {
    carom_variational_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    const carom_status status =
        carom_variational_stepper_alloc(mechanism, params, &stepper, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", carom_status_name(status),
                  report.quantity == NULL ? "?" : report.quantity);
    return stepper;
}

static inline carom_variational_stepper *start(const carom_mechanism *mechanism,
                                               const carom_variational_params *params, double t,
                                               const double *q, const double *v, const bool *held) {
    carom_variational_stepper *stepper = make_stepper(mechanism, params);
    carom_report report = carom_report_empty();
    const carom_status status = carom_variational_stepper_start(stepper, t, q, v, held, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s", carom_status_name(status),
                  report.quantity == NULL ? "?" : report.quantity);
    return stepper;
}

/** One step, which must not fail. */
static inline const carom_variational_result *advance(carom_variational_stepper *stepper) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_variational_stepper_advance(stepper, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s %g of %d at %.17g s for %g s",
                  carom_status_name(status), report.quantity == NULL ? "?" : report.quantity,
                  report.value, report.index, report.time, report.step);
    return carom_variational_stepper_result(stepper);
}

#endif
