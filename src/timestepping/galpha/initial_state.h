/** Internal: an admissible initial state and its consistent acceleration. */
#ifndef CAROM_TIMESTEPPING_GALPHA_INITIAL_STATE_H
#define CAROM_TIMESTEPPING_GALPHA_INITIAL_STATE_H

#include <carom/timestepping/galpha/step_context.h>

/**
 * Check that the state of `step->next` closes the joints and opens no contact below zero, and fill
 * its rates, v~' = v~'_0, a = v~'_0 and the joint forces:  [M -G'; G 0] (v~', lambda~) = (f, -d(G
 * v)/dq v), contacts ignored (bruls-2014 section 6.3). With `has_joint_forces` false the joints are
 * ignored too.
 *
 * @param[in,out] step             state in step->next, time in step->time
 * @param[in]     has_joint_forces whether the scheme has smooth joint forces
 * @param[out]    report           what was refused
 * @return CAROM_OK; PENETRATION; INCONSISTENT; SINGULAR; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_initial_state_solve(carom_step_context *step,
                                                        bool has_joint_forces,
                                                        carom_report *report);

#endif
