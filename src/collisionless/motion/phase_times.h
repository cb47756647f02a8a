/** Internal: a pair of impact times as an argument. */
#ifndef CAROM_COLLISIONLESS_MOTION_PHASE_TIMES_H
#define CAROM_COLLISIONLESS_MOTION_PHASE_TIMES_H

#include <carom/base/base.h>

/**
 * Refuse times that are no durations.
 *
 * @param[in]  time             tau, s
 * @param[in]  constrained_time tau', s
 * @param[out] report           "time" or "constrained time" and its value; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE if not positive
 */
CAROM_MUST_CHECK carom_status carom_phase_times_check(double time, double constrained_time,
                                                      carom_report *report);

#endif
