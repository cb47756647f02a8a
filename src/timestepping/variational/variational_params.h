/** Internal: what parameters of the variational integrator are refused. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_PARAMS_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_PARAMS_H

#include <carom/timestepping/variational/variational.h>

/**
 * @param[in]  params    the parameters; `solution` is left to carom_variational_step_alloc
 * @param[in]  mechanism whose contacts `first` of the impacts counts
 * @param[out] report    quantity and value refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_variational_params_check(const carom_variational_params *params,
                                                             const carom_mechanism *mechanism,
                                                             carom_report *report);

#endif
