/** An impact whose place stays as it is: gaps are linear, and nothing but contacts exerts a force.
 */
#ifndef CAROM_IMPACT_FROZEN_IMPACT_H
#define CAROM_IMPACT_FROZEN_IMPACT_H

#include <carom/impact/impact_problem.h>

/** The impact in orthonormal coordinates y of the motions that contact impulses cause: M = 1. */
typedef struct carom_frozen_impact {
    int size;     /**< k: rank of the contact rows */
    int contacts; /**< m */
    int rows;     /**< r = 2 m */
    double *A;    /**< [r][k] contact rows; owns all numbers, to be freed */
    double *y;    /**< [2][k] displacement, velocity over `speed` */
    double speed; /**< fastest speed of a contact before, m/s; 1 m/s if all rest */
} carom_frozen_impact;

/** Make it of a planar problem; A is NULL on failure. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_frozen_impact_init(const carom_impact_problem *p,
                                                       carom_frozen_impact *out);

/** Row i times y [k]: a gap or a speed. */
double carom_frozen_impact_along(const carom_frozen_impact *self, int i, const double *y);

/** The impact as a mechanism, which borrows `self`, the friction of the problem and e [m]. */
carom_mechanism carom_frozen_impact_mechanism(carom_frozen_impact *self,
                                              const carom_impact_problem *p,
                                              const double *restitution);

#endif
