/** Internal: cells of the plane of impact phases, one root in each, and the equation along a side.
 */
#ifndef CAROM_COLLISIONLESS_MOTION_PHASE_CELL_H
#define CAROM_COLLISIONLESS_MOTION_PHASE_CELL_H

#include <carom/base/bracket.h>
#include <carom/collisionless/motion/spectral_motion.h>

/**
 * Bounds of the cell of a column and a row: where w_N < 0 and w'_{N-1} > 0.
 *
 * @param[in]  spectra parities of the two oscillating modes, N and N-1
 * @param[in]  column  n >= 1; >= 2 if mode N is even, whose first cell has no root for uniform
 * parities
 * @param[in]  row     r >= 0
 * @param[out] bounds  [4] lower and upper o_N, lower and upper o'_{N-1}, rad; NaN on failure
 * @return CAROM_OK; OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_phase_cell_bounds(const carom_phase_spectra *spectra,
                                                      int column, int row, double bounds[4]);

/** A continuous map of the closed side [0, pi/2] of a cell into itself; NaN where it fails. */
typedef double (*carom_phase_cell_map)(double offset, void *context);

/**
 * The offset from the lower bound of a cell that a map leaves where it is, to rounding.
 *
 * @param[in,out] bracket initialised
 * @param[in]     map     the phase that the equation demands, for the times that belong to an
 * offset
 * @param[in]     context handed to map
 * @param[out]    offset  rad; NaN on failure
 * @return CAROM_OK; SINGULAR if the map failed; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_phase_cell_fixed_point(carom_bracket *bracket,
                                                           carom_phase_cell_map map, void *context,
                                                           double *offset);

#endif
