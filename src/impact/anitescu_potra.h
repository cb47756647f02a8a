/** Impact as one complementarity problem for the whole impulse (Anitescu and Potra): one solution
 * by Lemke's method, or all solutions of a planar problem. */
#ifndef CAROM_IMPACT_ANITESCU_POTRA_H
#define CAROM_IMPACT_ANITESCU_POTRA_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Find v+ and L with M (v+ - v-) = J' L, 0 <= L_n _|_ c+_n >= 0 and L_t opposing the sliding that
 * remains: one solution, by Lemke's method. Friction cones are exact in the plane; in space they
 * are polyhedra of `facets` directions.
 *
 * @param[in]     problem  the problem
 * @param[in]     facets   directions of a spatial cone, even, >= 4; ignored in the plane (2)
 * @param[in]     covering NULL: ones in the kinetic metric; or [m (2 + facets)] > 0, over (normal
 * impulses, facet impulses contact by contact, sliding speeds): decides which of several solutions
 * is found
 * @param[in,out] outcomes gets the outcome; v- itself, with no impulse, if it is not colliding
 * @param[out]    report   may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (facets); RAY (a jammed configuration); NOT_CONVERGED;
 * OUT_OF_MEMORY
 * Source: halm-2023 (31)-(35), Anitescu and Potra 1997.
 */
CAROM_MUST_CHECK carom_status carom_anitescu_potra_lemke(const carom_impact_problem *problem,
                                                         int facets, const double *covering,
                                                         carom_impact_outcomes *outcomes,
                                                         carom_report *report);

/**
 * All solutions of a planar problem, by enumeration of contact modes.
 *
 * @return CAROM_OK; OUT_OF_RANGE for a spatial problem or too many contacts; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_anitescu_potra_all(const carom_impact_problem *problem,
                                                       carom_impact_outcomes *outcomes,
                                                       carom_report *report);

CAROM_END_DECLARATIONS

#endif
