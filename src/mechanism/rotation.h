/** Rotations of bodies in space as unit quaternions p = (w, x, y, z), from axes that turn with the
 * body to space. */
#ifndef CAROM_MECHANISM_ROTATION_H
#define CAROM_MECHANISM_ROTATION_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/**
 * p exp(a): a turn a about axes of the body, a/|a| by the angle |a|; the solution at time 1 of
 * p' = p (0, a)/2. Of unit length to rounding, whatever p's was.
 *
 * @param[in]  p    [4] not zero
 * @param[in]  a    [3] rad
 * @param[out] next [4] may be p
 */
void carom_rotation_advance(const double *p, const double *a, double *next);

/**
 * R [3][3], x in space = R x in the body's axes; of p exp(a) it is R + R [a] + O(a^2).
 *
 * @param[in]  p [4] of unit length
 * @param[out] R [3][3] row-major
 */
void carom_rotation_matrix(const double *p, double *R);

CAROM_END_DECLARATIONS

#endif
