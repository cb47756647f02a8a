/** The Newton-Moreau law: restitution of every contact in one complementarity problem. */
#ifndef CAROM_IMPACT_NEWTON_MOREAU_H
#define CAROM_IMPACT_NEWTON_MOREAU_H

#include <carom/impact/impact_outcomes.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Find v+ and L with M (v+ - v-) = J' L, 0 <= L_n _|_ c+_n + e c-_n >= 0 and L_t opposing the
 * sliding that remains: Anitescu and Potra's problem with the normal speeds (1 + e_i) c-_n. One
 * solution, by Lemke's method; cones as in carom_anitescu_potra_lemke.
 *
 * Without friction and with the same e for all contacts there is a solution, and no energy is
 * gained; none is lost if e = 1. With different e, or with friction and e > 0, kinetic energy may
 * rise: the law's known paradox, which is not hidden; compare kinetic_energy of the outcome with
 * that before. Different e may also contradict each other (walls that face each other). A contact
 * that separates before the impact may approach with up to e c-_n after it: the law is made for
 * closed contacts that rest or close.
 *
 * @param[in]     problem     with its restitution e
 * @param[in]     facets      directions of a spatial cone, even, >= 4; ignored in the plane (2)
 * @param[in,out] outcomes    gets the outcome; v- itself if it is not colliding
 * @param[out]    report      may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: facets; RAY or NOT_CONVERGED: a jammed
 * configuration or contradictory e; OUT_OF_MEMORY
 * Source: Moreau 1988; bruls-2014 (2) for the law of a contact; Anitescu and Potra 1997 for
 * friction.
 */
CAROM_MUST_CHECK carom_status carom_newton_moreau_lemke(const carom_impact_problem *problem,
                                                        int facets, carom_impact_outcomes *outcomes,
                                                        carom_report *report);

/**
 * All solutions of a planar problem, by enumeration of contact modes.
 *
 * @return as carom_newton_moreau_lemke without RAY; OUT_OF_RANGE for a spatial problem or too many
 * contacts
 */
CAROM_MUST_CHECK carom_status carom_newton_moreau_all(const carom_impact_problem *problem,
                                                      carom_impact_outcomes *outcomes,
                                                      carom_report *report);

CAROM_END_DECLARATIONS

#endif
