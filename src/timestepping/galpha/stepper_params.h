/** Internal: what a stepper accepts as parameters. */
#ifndef CAROM_TIMESTEPPING_GALPHA_STEPPER_PARAMS_H
#define CAROM_TIMESTEPPING_GALPHA_STEPPER_PARAMS_H

#include <carom/timestepping/galpha/galpha.h>

/**
 * Refuse a number that is not finite or outside [low, high].
 * @return CAROM_OK; NOT_FINITE or OUT_OF_RANGE with name, value and what is accepted in the report
 */
CAROM_MUST_CHECK carom_status carom_stepper_check_real(const char *name, double value, double low,
                                                       double high, const char *accepted,
                                                       carom_report *report);

/** Refuse parameters outside their ranges. @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_stepper_params_check(const carom_stepper_params *params,
                                                         carom_report *report);

#endif
