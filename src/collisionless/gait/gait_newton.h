/** Internal: solutions of the equations of a gait, and the direction of their family. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_NEWTON_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_NEWTON_H

#include <carom/collisionless/gait/gait_shooting.h>

/**
 * Correct u until every equation holds, by damped Newton steps with row . step = 0. The residual
 * and matrix are then those of the solution.
 *
 * @param[in]     row [U] normal of the plane that u stays in
 * @param[in,out] u   [U] guess, then solution; the last iterate on failure
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; as carom_gait_shooting_evaluate
 */
CAROM_MUST_CHECK carom_status carom_gait_newton_solve(carom_gait_shooting *shooting,
                                                      const double *row, double *u);

/**
 * Direction of the family at the solution of the last evaluation, of length one in the metric.
 *
 * @param[in]  row     [U] the direction makes row . tangent > 0
 * @param[out] tangent [U]
 * @return CAROM_OK; SINGULAR, NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_gait_newton_tangent(carom_gait_shooting *shooting,
                                                        const double *row, double *tangent);

#endif
