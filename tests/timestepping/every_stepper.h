/** Every stepper behind one call: does it start with this mechanism, at this state? */
#ifndef CAROM_TESTS_TIMESTEPPING_EVERY_STEPPER_H
#define CAROM_TESTS_TIMESTEPPING_EVERY_STEPPER_H

#include <carom/timestepping/compliant/compliant.h>
#include <carom/timestepping/engine/error_reduction.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/plastic/plastic.h>
#include <carom/timestepping/variational/variational.h>

#include "../support.h"

/** Where a motion starts. */
typedef struct stepper_start {
    const carom_mechanism *mechanism;
    const double *q;
    const double *v;
    bool check_derivatives;
} stepper_start;

static inline carom_status start_fixed_steps(const stepper_start *s, carom_scheme scheme,
                                             carom_report *report) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.check_derivatives = s->check_derivatives;
    carom_stepper *stepper = NULL;
    carom_status status = carom_stepper_alloc(s->mechanism, &params, &stepper, report);
    if (status == CAROM_OK) {
        status = carom_stepper_start(stepper, 0.0, s->q, s->v, report);
    }
    carom_stepper_free(stepper);
    return status;
}

static inline carom_status start_error_reduction(const stepper_start *s, carom_report *report) {
    carom_error_reduction_params params = carom_error_reduction_params_default();
    params.check_derivatives = s->check_derivatives;
    carom_error_reduction_stepper *stepper = NULL;
    carom_status status =
        carom_error_reduction_stepper_alloc(s->mechanism, &params, &stepper, report);
    if (status == CAROM_OK) {
        status = carom_error_reduction_stepper_start(stepper, 0.0, s->q, s->v, report);
    }
    carom_error_reduction_stepper_free(stepper);
    return status;
}

static inline carom_status start_variational(const stepper_start *s, carom_report *report) {
    carom_variational_params params = carom_variational_params_default();
    params.check_derivatives = s->check_derivatives;
    carom_variational_stepper *stepper = NULL;
    carom_status status = carom_variational_stepper_alloc(s->mechanism, &params, &stepper, report);
    if (status == CAROM_OK) {
        status = carom_variational_stepper_start(stepper, 0.0, s->q, s->v, NULL, report);
    }
    carom_variational_stepper_free(stepper);
    return status;
}

static inline carom_status start_inclusion(const stepper_start *s, carom_report *report) {
    carom_inclusion_params params = carom_inclusion_params_default();
    params.step = 1e-3;
    params.reference_force = 10.0;
    params.check_derivatives = s->check_derivatives;
    carom_trajectory *run = NULL;
    const carom_status status =
        carom_inclusion_run(s->mechanism, &params, s->q, s->v, 1e-3, 1.0, &run, report);
    carom_trajectory_free(run);
    return status;
}

static inline carom_status start_compliant(const stepper_start *s, carom_report *report) {
    const double stiffness[] = {1e4, 1e4};
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = stiffness;
    params.time_span = 1e-3;
    params.check_derivatives = s->check_derivatives;
    carom_compliant_run *run = NULL;
    const carom_status status =
        carom_compliant_simulate(s->mechanism, &params, s->q, s->v, &run, report);
    carom_compliant_run_free(run);
    return status;
}

static inline carom_status start_plastic(const stepper_start *s, carom_report *report) {
    carom_plastic_params params = carom_plastic_params_default();
    params.check_derivatives = s->check_derivatives;
    carom_plastic_motion *motion = NULL;
    carom_status status = carom_plastic_motion_alloc(s->mechanism, &params, &motion, report);
    if (status == CAROM_OK) {
        status = carom_plastic_motion_start(motion, 0.0, s->q, s->v, false, report);
    }
    carom_plastic_motion_free(motion);
    return status;
}

/** The schemes in fixed steps, then the others. */
static const struct {
    const char *name;
    carom_status (*start)(const stepper_start *s, carom_report *report);
} OTHER_STEPPERS[] = {
    {"error_reduction", start_error_reduction},
    {"variational", start_variational},
    {"inclusion", start_inclusion},
    {"compliant_contact", start_compliant},
    {"plastic_events", start_plastic},
};
enum {
    OTHER_STEPPER_COUNT = sizeof OTHER_STEPPERS / sizeof OTHER_STEPPERS[0],
    EVERY_STEPPER_COUNT = CAROM_SCHEME_COUNT + OTHER_STEPPER_COUNT
};

static inline const char *every_stepper_name(int k) {
    return k < CAROM_SCHEME_COUNT ? carom_scheme_name((carom_scheme)k)
                                  : OTHER_STEPPERS[k - CAROM_SCHEME_COUNT].name;
}

static inline carom_status every_stepper_start(int k, const stepper_start *s,
                                               carom_report *report) {
    return k < CAROM_SCHEME_COUNT ? start_fixed_steps(s, (carom_scheme)k, report)
                                  : OTHER_STEPPERS[k - CAROM_SCHEME_COUNT].start(s, report);
}

#endif
