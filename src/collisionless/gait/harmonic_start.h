/** The harmonic gait that a family of nonlinear gaits begins with. */
#ifndef CAROM_COLLISIONLESS_GAIT_HARMONIC_START_H
#define CAROM_COLLISIONLESS_GAIT_HARMONIC_START_H

#include <carom/collisionless/gait/nonlinear_gait.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Modes, impact times and configuration at P of a biped as theta -> 0.
 *
 * @param[in]  biped    with an arm; its half step angle is not used
 * @param[in]  column   n >= 2: half oscillations of single support, the paper's solution has 2
 * @param[in]  row      r >= 0: 0 is the realizable one
 * @param[out] position [N] x at P over theta; NaN on failure
 * @param[out] start    of the family; borrows `position`; times NaN on failure
 * @param[out] report   may be NULL
 * @return CAROM_OK; as carom_armed_biped_linear, carom_phase_modes_compute,
 * carom_impact_roots_cell and carom_collisionless_motion_compute; OUT_OF_RANGE ("arm"); CONFLICT
 * ("decoupled modes") if some of the body cannot move with the leg
 * Source: pankov-2024 section 6 and appendix E. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_harmonic_start_compute(const carom_armed_biped_params *biped,
                                                           int column, int row, double *position,
                                                           carom_gait_start *start,
                                                           carom_report *report);

CAROM_END_DECLARATIONS

#endif
