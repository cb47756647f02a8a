/** Positions that a step has brought below a wall, by curvature, are put back onto it. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_PROJECTION_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_PROJECTION_H

#include <carom/base/base.h>
#include <carom/base/factor.h>
#include <carom/mechanism/mechanism.h>

/** Work memory. */
typedef struct carom_inclusion_projection carom_inclusion_projection;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_inclusion_projection_alloc(const carom_mechanism *mechanism,
                                                               carom_inclusion_projection **out);

/** Free; NULL is accepted. */
void carom_inclusion_projection_free(carom_inclusion_projection *projection);
CAROM_AUTO_TYPE(carom_inclusion_projection)

/**
 * q + M^-1 G'nu with the least nu >= 0 that makes no gap negative: the nearest point in the metric
 * of M, by Newton's method on g(q) >= 0 with G at each iterate.
 *
 * @param[in,out] projection  work memory
 * @param[in]     mass_factor of M, at this position or near it
 * @param[in,out] q           [n]
 * @return CAROM_OK also if gaps stay negative, where walls that contradict each other leave no
 * point; NOT_FINITE, q then unchanged
 * Source: bruls-2014 (position level), with the time step as in halm-2023 Lemma 4 kept feasible.
 * Cost: nothing but the gaps if none is negative.
 */
CAROM_MUST_CHECK carom_status carom_inclusion_projection_apply(
    carom_inclusion_projection *projection, const carom_factor *mass_factor, double *q);

#endif
