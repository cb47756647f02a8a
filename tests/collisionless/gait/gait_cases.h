/** The bipeds whose gaits the suites compute. */
#ifndef CAROM_TESTS_COLLISIONLESS_GAIT_CASES_H
#define CAROM_TESTS_COLLISIONLESS_GAIT_CASES_H

#include "../../support.h"

#include <carom/collisionless/gait/gait.h>

enum { MOST_COORDINATES = 6 };

/** Lengths and masses of bipeds with unit ones. */
static const double ONES[MOST_COORDINATES + 1] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};

/** The biped of the paper with unit lengths, masses and gravity. */
static inline carom_armed_biped_params unit_biped(double half_step_angle) {
    carom_armed_biped_params biped = carom_armed_biped_params_default();
    biped.half_step_angle = half_step_angle;
    return biped;
}

/** Its harmonic gait: reference table A.2 (row P), section 5 (N4, N5). */
static const double UNIT_POSITION[3] = {11.015420561, 2.538611152, 1.078289034};
static const carom_gait_start UNIT_START = {UNIT_POSITION, 3.079477155345059583920,
                                            0.777845030699011117356};

/** A gait that must exist. */
static inline carom_nonlinear_gait *gait_of(const carom_armed_biped_params *biped,
                                            const carom_gait_start *start) {
    carom_nonlinear_gait *gait = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_nonlinear_gait_solve(biped, start, NULL, &gait, &report);
    ck_assert_msg(status == CAROM_OK, "theta = %g: %s, %s %g", biped->half_step_angle,
                  carom_status_name(status), report.quantity, report.value);
    return gait;
}

/** The gait of the unit biped. */
static inline carom_nonlinear_gait *unit_gait(double half_step_angle) {
    const carom_armed_biped_params biped = unit_biped(half_step_angle);
    return gait_of(&biped, &UNIT_START);
}

#endif
