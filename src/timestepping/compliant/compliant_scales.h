/** Internal: the scales of a compliant run, and what tolerances and parameters are in them. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_SCALES_H
#define CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_SCALES_H

#include <carom/timestepping/compliant/compliant_system.h>

/**
 * Fill the scales of a system from its state at the start, the parameters that are NaN, the
 * dampers and what counts as touch.
 *
 * @param[in,out] system with its initial mass matrix factored
 * @param[in]     v      [n] initial velocity
 * @param[out]    report quantity refused; may be NULL
 * @return CAROM_OK; SINGULAR: the mass matrix is not positive; NOT_FINITE: forces; OUT_OF_RANGE: a
 * regularisation speed below the rounding of sliding speeds, a time span where no contact gives one
 */
CAROM_MUST_CHECK carom_status carom_compliant_take_scales(carom_compliant_system *system,
                                                          const double *v, carom_report *report);

/**
 * Errors of a state y that the tolerances allow: the relative tolerance of each component, and the
 * absolute one of what the energy of the run can make of it within a contact time.
 *
 * @param[in,out] system after carom_compliant_kinematics at y; its energy grows to that of y
 * @param[in]     y      [size]
 * @param[out]    weight [size]
 * @return CAROM_OK; OUT_OF_RANGE: a stiffness whose compressions are lost in the rounding of the
 * gap
 */
CAROM_MUST_CHECK carom_status carom_compliant_weigh(carom_compliant_system *system, const double *y,
                                                    double *weight);

#endif
