/** Certified non-penetration of a periodic motion. */
#ifndef CAROM_MODES_ADMISSIBILITY_H
#define CAROM_MODES_ADMISSIBILITY_H

#include <carom/modes/contact_motion.h>
#include <carom/modes/orbit.h>

CAROM_BEGIN_DECLARATIONS

/** The verdict on an orbit. */
typedef struct carom_admissibility {
    bool is_admissible;           /**< proven: no penetration, and every impact pushes */
    double largest_gap_violation; /**< largest local maximum of x_c - g_0 inside all flights, m;
                                     negative: the gap stays open by so much; NaN: no maximum */
    double violation_bound;       /**< proven upper bound of the same; -infinity if no maximum */
    int flight;                   /**< flight of the largest maximum, 1..k; 0 if none */
    double time;                  /**< its instant from t = 0, s; NaN if none */
    double smallest_lambda;       /**< J^1/2 */
} carom_admissibility;

/** Tolerance of a certificate in units of |g_0|, never below what rounding makes of x_c: 1e-10. */
#define CAROM_ADMISSIBILITY_TOLERANCE 1e-10

/**
 * Certify an orbit: all lambda >= -tolerance (in units of the largest), and no local maximum of the
 * contact displacement inside a flight exceeds the gap at rest by more than the tolerance. Since
 * x_c = g_0 at both ends of a flight, that is all that non-penetration asks. An orbit that is not
 * complete is not admissible.
 *
 * @param[in]     basis  the structure
 * @param[in,out] motion workspace
 * @param[in]     orbit  complete
 * @param[out]    state  [m][2] work memory
 * @param[in]     tolerance 1, usually CAROM_ADMISSIBILITY_TOLERANCE
 * Source: thorin-2017 (2.12c), remark 3.3.
 */
carom_admissibility carom_orbit_certify(const carom_modal_basis *basis,
                                        carom_contact_motion *motion, const carom_orbit *orbit,
                                        double *state, double tolerance);

CAROM_END_DECLARATIONS

#endif
