/** Two impacts per period: the curves of solutions in the plane of flight times. */
#ifndef CAROM_MODES_TWO_IMPACTS_H
#define CAROM_MODES_TWO_IMPACTS_H

#include <carom/base/attributes.h>
#include <carom/modes/kernels.h>
#include <carom/modes/orbit.h>

CAROM_BEGIN_DECLARATIONS

/**
 * a(sigma_1, sigma_2) = Upsilon_T(sigma_2 - sigma_1) without its poles: multiplied by the sign of
 * prod sin(w T/2) and divided by sum rho^2/|sin(w T/2)|. In [-1, 1], continuous except at harmonics
 * that several modes share, of the same zeros
 * as the product form (7.20), antisymmetric under exchange of the flight times.
 */
double carom_two_impacts_regular(const carom_modal_basis *basis, double sigma_1, double sigma_2);

/**
 * The motion with two impacts of equal speed at a point of the curves, lambda_1 = lambda_2 = -g_0 /
 * (Gamma_T(T) + Gamma_T(sigma_2 - sigma_1)); the residual says how well the point is on a curve.
 *
 * @param[in]     basis   the structure
 * @param[in]     sigma_1 > 0, s
 * @param[in]     sigma_2 > 0, s
 * @param[in,out] orbit   allocated with two impacts; all fields written
 * @return CAROM_OK; OUT_OF_RANGE; SINGULAR at a harmonic or an infinite speed
 * Source: thorin-2017 section 7.3.2, -d/(alpha + beta).
 */
CAROM_MUST_CHECK carom_status carom_two_impacts_orbit(const carom_modal_basis *basis,
                                                      double sigma_1, double sigma_2,
                                                      carom_orbit *orbit);

/** One curve in the triangle sigma_1 >= sigma_2; its mirror image is a curve as well. */
typedef struct carom_flight_time_curve {
    int count;
    double *sigma_1; /**< [count] s */
    double *sigma_2; /**< [count] s */
    int is_closed;   /**< 1 if the last point joins the first */
} carom_flight_time_curve;

typedef struct carom_flight_time_curves {
    int count;
    carom_flight_time_curve *curves; /**< [count] */
} carom_flight_time_curves;

/**
 * All curves of the zero set of a in 0 < sigma_2 <= sigma_1, sigma_1 + sigma_2 <= max_period,
 * except the trivial line sigma_1 = sigma_2 (divided out). Found by marching squares on a grid in T
 * and (sigma_1 - sigma_2)/T, saddles decided at the centre, with the diagonal, the axis and a line
 * just above every harmonic among its lines; every point is polished onto the curve to rounding.
 * Curves end within a cell of the axis sigma_2 = 0.
 *
 * @param[in]  basis      the structure
 * @param[in]  max_period s
 * @param[in]  cells      of the grid along a side, 8..32768; 400 resolves the paper's chain
 * @param[out] out        belongs to the caller, to be freed by carom_flight_time_curves_free
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 * Source: thorin-2017 (7.20), figure 9. Cost: O(m cells (cells + harmonics)).
 */
CAROM_MUST_CHECK carom_status carom_two_impacts_curves(const carom_modal_basis *basis,
                                                       double max_period, int cells,
                                                       carom_flight_time_curves **out,
                                                       carom_report *report);

/** Free; NULL is accepted. */
void carom_flight_time_curves_free(carom_flight_time_curves *curves);
CAROM_AUTO_TYPE(carom_flight_time_curves)

CAROM_END_DECLARATIONS

#endif
