/** The directions of a polyhedral friction cone in space. */
#ifndef CAROM_IMPACT_FRICTION_FACETS_H
#define CAROM_IMPACT_FRICTION_FACETS_H

#include <carom/base/base.h>

/** Fewest directions of a polyhedral cone in space. */
enum { CAROM_FRICTION_FEWEST_FACETS = 4 };

/**
 * Unit directions d_j = (cos 2 pi j/k, sin 2 pi j/k), j = 0 .. k-1: the corners of a regular
 * polygon, the second half being the first one with opposite signs, digit by digit.
 *
 * @param[in]  facets     k, even, >= CAROM_FRICTION_FEWEST_FACETS
 * @param[out] directions [k][2], 1; untouched on failure
 * @return CAROM_OK; OUT_OF_RANGE
 * Source: halm-2023 (19)-(22); central symmetry is what (32) needs for D to oppose every sliding.
 */
CAROM_MUST_CHECK carom_status carom_friction_facets(int facets, double *directions);

#endif
