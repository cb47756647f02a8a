/** A whole run of the inclusion in memory. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_TRAJECTORY_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_TRAJECTORY_H

#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/trajectory.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Run from (q0, v0) at t = 0 over an s-length, in steps of params->step; the last one is as long as
 * is left. Row 0 is the start, row k the end of step k. Rates are those of the step that led to a
 * row, per unit of s: dt/ds + sum of the normal rates = 1; NaN in row 0.
 *
 * @param[in]  mechanism the system
 * @param[in]  params    as for carom_inclusion_stepper_alloc
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  length    of s, > 0, s
 * @param[in]  duration  of t, > 0: the run ends after the first step that reaches it; INFINITY:
 * none
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    may be NULL
 * @return as carom_inclusion_stepper_alloc, _start and _advance; OUT_OF_RANGE: length, duration
 */
CAROM_MUST_CHECK carom_status carom_inclusion_run(const carom_mechanism *mechanism,
                                                  const carom_inclusion_params *params,
                                                  const double *q0, const double *v0, double length,
                                                  double duration, carom_trajectory **out,
                                                  carom_report *report);

/** Time at a value of s, clamped to the run: linear between the rows, as the scheme is. */
double carom_inclusion_trajectory_time(const carom_trajectory *trajectory, double s);

CAROM_END_DECLARATIONS

#endif
