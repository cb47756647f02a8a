/** Where the parts of TREX are (seghete-2014 figures 1, 6 and 7), and its stances. */
#ifndef CAROM_MODELS_TREX_TREX_GEOMETRY_H
#define CAROM_MODELS_TREX_TREX_GEOMETRY_H

#include <carom/models/trex/trex.h>

/**
 * Length of the tail from the centre of the posterior body to the tip. Cone: r_2 (r_1 + r_2)/(r_1 -
 * r_2), the apex of the common tangents of two circles that touch. Printed: [r_1^3 + r_1^2 r_2 +
 * sqrt(2) sqrt(r_1^4 r_2^2 + r_1^3 r_2^3)]/(r_1^2 - r_2^2) - (r_1 + r_2), the apex of the wedge
 * through the ends of the anterior circle's diameter and tangent to the posterior one, which
 * leaves the tips of table I some 0.6 cm below the floor.
 *
 * @param[in] tail             which formula
 * @param[in] anterior_radius  r_1 > r_2, cm
 * @param[in] posterior_radius r_2 > 0, cm
 * @return cm, > 0
 * Source: seghete-2014 section VII-B (printed); the cone is ours, identified from table I.
 */
double carom_trex_tail_length(carom_trex_tail tail, double anterior_radius,
                              double posterior_radius);

/** Absolute angles alpha of the links for the joint angles of q; rates alike, from v.
 *
 * @param[in]  q      [CAROM_TREX_COORDINATES] rad (or rad/s)
 * @param[out] angles [CAROM_TREX_LINKS] rad (or rad/s)
 */
void carom_trex_link_angles(const double *q, double *angles);

/** The lever of a contact's tip: it is at (x, y) + sum_a reach_a e(alpha_a).
 *
 * @param[in]  params the robot, as checked
 * @param[out] reach  [CAROM_TREX_CONTACTS][CAROM_TREX_LINKS] row-major, cm
 */
void carom_trex_reaches(const carom_trex_params *params, double *reach);

/** The places that carom_trex_points gives. */
enum {
    CAROM_TREX_POINT_ANTERIOR,  /**< centre of the anterior body: both hips */
    CAROM_TREX_POINT_POSTERIOR, /**< centre of the posterior body: the body joint */
    CAROM_TREX_POINT_TAIL_TIP,
    CAROM_TREX_POINT_LEFT_KNEE,
    CAROM_TREX_POINT_LEFT_FOOT,
    CAROM_TREX_POINT_RIGHT_KNEE,
    CAROM_TREX_POINT_RIGHT_FOOT,
    CAROM_TREX_POINTS /**< how many */
};

/**
 * Places of the joints and tips, for drawings.
 *
 * @param[in]  params the robot, as checked
 * @param[in]  q      [CAROM_TREX_COORDINATES] cm, rad
 * @param[out] points [CAROM_TREX_POINTS][2] x and y, cm
 */
void carom_trex_points(const carom_trex_params *params, const double *q, double *points);

/**
 * Centre of mass.
 *
 * @param[in]  params the robot, as checked
 * @param[in]  q      [CAROM_TREX_COORDINATES] cm, rad
 * @param[out] centre [2] x and y, cm
 */
void carom_trex_centre_of_mass(const carom_trex_params *params, const double *q, double *centre);

/**
 * The stance of the paper's initial gait: knees straight, 180 degrees between the legs (phi_L =
 * phi_R - pi), right foot and tail tip on the floor, the right hip in [0, 2 pi).
 *
 * @param[in]  params   the robot, as checked; x, theta and phi_T are those of its stance
 * @param[in]  is_ahead the foot is on the +x side of the hips, towards the tail; false: on the -x
 * side. The paper does not say which
 * @param[out] stance   [CAROM_TREX_COORDINATES] cm, rad; NaN on failure
 * @param[out] report   "hip height" in cm; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: with the tail tip on the floor the hips are below it or higher
 * than the leg is long
 * Source: seghete-2014 section VII-B; closed form ours.
 */
CAROM_MUST_CHECK carom_status carom_trex_straight_stance(const carom_trex_params *params,
                                                         bool is_ahead, double *stance,
                                                         carom_report *report);

#endif
