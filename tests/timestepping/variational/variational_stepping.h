/** Steps of the variational integrator on small systems: what its suites share. */
#ifndef CAROM_TESTS_VARIATIONAL_STEPPING_H
#define CAROM_TESTS_VARIATIONAL_STEPPING_H

#include "variational_systems.h"

#include <carom/base/random.h>

/** Rounding of some hundred operations on numbers of order one. */
static const double ROUNDING = 1e-13;

/** An impact is as exact as the gap of its contact, 1e-12, divided by a speed of order one. */
static const double EVENT = 1e-12;

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

static inline carom_variational_params params_of_step(double step) {
    carom_variational_params params = carom_variational_params_default();
    params.step = step;
    params.impacts_without_friction = true; /* as the paper reflects */
    return params;
}

/** Masses that are coupled, walls whose normals all rise with the first coordinate (so that they
 * can be separated), a load onto them. */
static inline void random_pile(pile *p, unsigned long seed, int n, int m) {
    pile_init(p, n, m);
    double A[PILE_COORDINATES * PILE_COORDINATES] = {0.0};
    for (int i = 0; i < n * n; i++) {
        A[i] = 2.0 * carom_counter_uniform(seed, (unsigned long)i, 0) - 1.0;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->M[i * n + j] = i == j ? 0.3 : 0.0;
            for (int k = 0; k < n; k++) {
                p->M[i * n + j] += A[i * n + k] * A[j * n + k];
            }
        }
        p->load[i] = i == 0 ? -3.0 : 0.0;
        p->K[i * n + i] = i == 0 ? 0.0 : 5.0;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            p->N[i * n + j] = j == 0 ? 1.0
                                     : 2.0 * carom_counter_uniform(seed, (unsigned long)i,
                                                                   10 + (unsigned long)j) -
                                           1.0;
        }
        p->clearance[i] = 0.2 * carom_counter_uniform(seed, (unsigned long)i, 2);
    }
}

#endif
