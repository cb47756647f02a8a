/** How far the motion with one impact of a given period penetrates, and where it begins to. */
#ifndef CAROM_MODES_SINGLE_IMPACT_PENETRATION_H
#define CAROM_MODES_SINGLE_IMPACT_PENETRATION_H

#include <carom/modes/modal_basis.h>

/** The largest interior maximum of x_c of the motion of a period, against the obstacle. */
typedef struct carom_single_impact_penetration {
    double period; /**< T, s */
    double
        value; /**< (max x_c - x_c(0)) / scale, in [-2, 2]; CAROM_PENETRATION_NO_MAXIMUM if none */
    double time; /**< where, in (0, T/2], s; NaN if there is none */
} carom_single_impact_penetration;

/** Scaled excess where there is no maximum: below all others. */
#define CAROM_PENETRATION_NO_MAXIMUM (-3.0)

/**
 * Scaled excess whose sign is not known: the rounding of sums over the modes, whose cosines have
 * the error of phases of up to some hundred turns.
 */
#define CAROM_PENETRATION_ROUNDING 1e-13

/**
 * The excess of the motion with lambda = 1 J^1/2. Its gap, x_c(0), is zero at the roots of phi_c,
 * and at harmonics the unit keeps the excess finite: the scale is sum sqrt(G) rho^2 / (w |sin(w
 * T/2)|), the largest displacement that the amplitudes of the modes admit. Where lambda > 0, the
 * motion is admissible if and only if the excess is <= 0.
 *
 * @param[in]     basis  the structure
 * @param[in]     period T > 0, s, not a harmonic
 * @param[in,out] motion workspace
 * @param[out]    state  [m][2] work memory
 * Source: thorin-2017 (2.12c), (7.16). Cost: that of carom_contact_motion_largest_maximum.
 */
carom_single_impact_penetration carom_single_impact_penetration_at(const carom_modal_basis *basis,
                                                                   double period,
                                                                   carom_contact_motion *motion,
                                                                   double *state);

/**
 * The period between two at which the largest maximum just touches the obstacle: Gamma_T(s) =
 * Gamma_T(T) and Upsilon_T(s) = 0, s = 2 time - T. Bisection by the sign of the excess, which has
 * no other change, since the distance from the obstacle grows with the period at every s; neither
 * kinks of the largest of several maxima nor a graze at T/2, where two of them merge, matter to it.
 *
 * @param[in]     basis  the structure
 * @param[in]     open   of excess < 0
 * @param[in]     closed of excess > 0, without a harmonic between the two periods
 * @param[in,out] motion workspace
 * @param[out]    state  [m][2] work memory
 * @return period and time of the graze to rounding, and the excess there
 * Source: thorin-2017 section 7.3.3 (alpha = beta and a = 0), (7.30). Cost: 60 excesses.
 */
carom_single_impact_penetration carom_single_impact_graze(const carom_modal_basis *basis,
                                                          carom_single_impact_penetration open,
                                                          carom_single_impact_penetration closed,
                                                          carom_contact_motion *motion,
                                                          double *state);

#endif
