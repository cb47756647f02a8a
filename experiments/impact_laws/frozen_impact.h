/** An impact whose place stays as it is: gaps are linear, and nothing but contacts exerts a force.
 */
#ifndef CAROM_EXPERIMENTS_IMPACT_LAWS_FROZEN_IMPACT_H
#define CAROM_EXPERIMENTS_IMPACT_LAWS_FROZEN_IMPACT_H

#include "results.h"

/** The impact in orthonormal coordinates y of the motions that contact impulses cause: M = 1. */
typedef struct frozen_impact {
    int size;     /**< k: rank of the contact rows */
    int contacts; /**< m */
    int rows;     /**< r = 2 m */
    double *A;    /**< [r][k] contact rows; owns all numbers, to be freed */
    double *y;    /**< [2][k] displacement, velocity over the fastest speed before */
} frozen_impact;

/** Make it; A is NULL on failure. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status frozen_impact_init(const carom_impact_problem *p, frozen_impact *out);

/** Row i times y [k]: a gap or a speed. */
double frozen_impact_along(const frozen_impact *self, int i, const double *y);

/** The impact as a mechanism, which borrows `self`, the friction of the problem and e [m]. */
carom_mechanism frozen_impact_mechanism(frozen_impact *self, const carom_impact_problem *p,
                                        const double *restitution);

#endif
