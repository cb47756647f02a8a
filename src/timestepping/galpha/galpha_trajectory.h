/** Whole runs of the schemes of fixed steps. */
#ifndef CAROM_TIMESTEPPING_GALPHA_GALPHA_TRAJECTORY_H
#define CAROM_TIMESTEPPING_GALPHA_GALPHA_TRAJECTORY_H

#include <carom/timestepping/galpha/stepper.h>
#include <carom/timestepping/trajectory.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Run a scheme from (q0, v0) at t = 0 over `duration` and keep every step: ceil(duration/h) steps,
 * t_k = k h.
 *
 * @param[in]  mechanism the system
 * @param[in]  params    the scheme
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  duration  s, >= h
 * @param[in]  progress  may be NULL
 * @param[in]  context   handed to progress
 * @param[out] out       belongs to the caller, to be freed by carom_trajectory_free; NULL on
 * failure
 * @param[out] report    may be NULL
 * @return as carom_stepper_alloc, _start and _advance; OUT_OF_RANGE if duration < h
 */
CAROM_MUST_CHECK carom_status carom_trajectory_run(
    const carom_mechanism *mechanism, const carom_stepper_params *params, const double *q0,
    const double *v0, double duration, carom_trajectory_progress progress, void *context,
    carom_trajectory **out, carom_report *report);

/**
 * As carom_trajectory_run, but a numerical failure after the start is an answer, not an error: the
 * rows from the failure on are NaN (sets and iterations zero), `outcome` and `failure_time` of the
 * trajectory and the report tell why, and CAROM_OK is returned.
 */
CAROM_MUST_CHECK carom_status carom_trajectory_run_to_failure(
    const carom_mechanism *mechanism, const carom_stepper_params *params, const double *q0,
    const double *v0, double duration, carom_trajectory_progress progress, void *context,
    carom_trajectory **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
