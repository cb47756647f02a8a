/** The secular equation sum_i w_i/(lambda_i - s) = 0, whose roots are the constrained spectrum. */
#ifndef CAROM_COLLISIONLESS_MOTION_SECULAR_EQUATION_H
#define CAROM_COLLISIONLESS_MOTION_SECULAR_EQUATION_H

#include <carom/base/base.h>

/** A root s = lambda_pole + offset, kept as the offset: it may be tiny against lambda. */
typedef struct carom_secular_root {
    int pole;      /**< index of the nearer pole, from 0; -1 after a failure */
    double offset; /**< not zero, 1/s2; NaN after a failure */
} carom_secular_root;

/**
 * The roots of sum_i w_i/(lambda_i - s) = 0, one between each two poles, where the sum rises from
 * -infinity to infinity. The response of a coordinate to a force on itself vanishes there: it can
 * be held by no force.
 *
 * @param[in]  N      poles, >= 2
 * @param[in]  lambda [N] strictly ascending, 1/s2
 * @param[in]  weight w [N] > 0, their sum about 1; unit arbitrary
 * @param[out] roots  [N-1] ascending; each offset to a few roundings of itself, unless the other
 * poles balance at its own
 * @return CAROM_OK; NOT_CONVERGED (a weight or pole that is none); OUT_OF_MEMORY
 * Source: pankov-2024 (9), eta'M = 0; Brent's method for the sum times the offset, which is smooth
 * up to the farther pole. Cost: O(N) an iteration, about ten for each root.
 */
CAROM_MUST_CHECK carom_status carom_secular_equation_solve(int N, const double *lambda,
                                                           const double *weight,
                                                           carom_secular_root *roots);

#endif
