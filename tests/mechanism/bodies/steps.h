/** Motions of bodies for tests. */
#ifndef CAROM_TESTS_MECHANISM_BODIES_STEPS_H
#define CAROM_TESTS_MECHANISM_BODIES_STEPS_H

#include "../../support.h"

#include <carom/timestepping/galpha/galpha.h>

/** Steps of Moreau-Jean with theta = 1/2 from a state; the last one, in a stepper to be freed. */
static inline carom_stepper *run(const carom_mechanism *mechanism, double h, int steps,
                                 const double *q, const double *v) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = h;
    params.theta = 0.5;
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    carom_status status = carom_stepper_alloc(mechanism, &params, &stepper, &report);
    status = status == CAROM_OK ? carom_stepper_start(stepper, 0.0, q, v, &report) : status;
    for (int k = 0; k < steps && status == CAROM_OK; k++) {
        status = carom_stepper_advance(stepper, &report);
    }
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &report);
    }
    ck_assert_int_eq(status, CAROM_OK);
    return stepper;
}

#endif
