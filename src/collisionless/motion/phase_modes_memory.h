/** Internal: room for the modes of both phases, for those who fill them. */
#ifndef CAROM_COLLISIONLESS_MOTION_PHASE_MODES_MEMORY_H
#define CAROM_COLLISIONLESS_MOTION_PHASE_MODES_MEMORY_H

#include <carom/collisionless/motion/collisionless_motion.h>

/**
 * Modes with their counts set, spectra of zeros, and arrays to be filled.
 *
 * @param[in]  n   coordinates
 * @param[in]  N   coupled modes, 2 <= N <= n
 * @param[out] out to be freed by carom_phase_modes_free; NULL on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_phase_modes_alloc(int n, int N, carom_phase_modes **out);

#endif
