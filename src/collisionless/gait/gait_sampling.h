/** Internal: samples of a gait into memory that is there. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_SAMPLING_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_SAMPLING_H

#include <carom/collisionless/gait/gait.h>
#include <carom/collisionless/gait/gait_flow.h>

/** A trajectory of n samples, all zero. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_trajectory_alloc(int coordinate_count, int count,
                                                          carom_gait_trajectory **out);

/**
 * Sample the first quarter of a gait, anew from the beginning of each segment.
 *
 * @param[in,out] flow       of the biped
 * @param[in]     gait       of the same biped
 * @param[in]     intervals  between P and the landing; the rest of the samples between it and P'
 * @param[in,out] trajectory of more than intervals + 1 samples, overwritten
 * @return CAROM_OK; SINGULAR, NOT_FINITE, NOT_CONVERGED (integration)
 */
CAROM_MUST_CHECK carom_status carom_gait_trajectory_fill(carom_gait_dynamics *dynamics,
                                                         carom_gait_flow *flow,
                                                         const carom_nonlinear_gait *gait,
                                                         int intervals,
                                                         carom_gait_trajectory *trajectory);

#endif
