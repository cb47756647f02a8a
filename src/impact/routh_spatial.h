/** Routh's impact of one contact in space: sliding along a curve, sticking, sliding on. */
#ifndef CAROM_IMPACT_ROUTH_SPATIAL_H
#define CAROM_IMPACT_ROUTH_SPATIAL_H

#include <carom/impact/impact_outcomes.h>

CAROM_BEGIN_DECLARATIONS

/** One contact in space: what an impulse (L_n, L_1, L_2) does to its own speeds (v_n, v_1, v_2). */
typedef struct carom_routh_spatial_contact {
    double c_nn;    /**< > 0, 1/kg */
    double c_nt[2]; /**< 1/kg */
    double c_tt[3]; /**< entries 11, 12, 22, 1/kg; not all zero */
    double mu;      /**< friction, >= 0 */
} carom_routh_spatial_contact;

/** Start, end of sliding, end: most points of a path. */
enum { CAROM_ROUTH_SPATIAL_MOST_POINTS = 3 };

/** Where the phases of an impact begin and end; the first one is curved, the others straight. */
typedef struct carom_routh_spatial_path {
    int point_count; /**< 1 .. CAROM_ROUTH_SPATIAL_MOST_POINTS; 1: no impulse */
    double impulse[CAROM_ROUTH_SPATIAL_MOST_POINTS][3]; /**< (s, L_1, L_2), N s */
    double speed[CAROM_ROUTH_SPATIAL_MOST_POINTS][3]; /**< (v_n, v_1, v_2), m/s; zeros are exact */
    bool is_sticking;                                 /**< along the last segment */
    bool is_sliding_on;                               /**< the last segment leaves v_t = 0 */
    bool is_without_collision;                        /**< it began with v_n = 0 */
    int step_count;                                   /**< of the integration of the curve */
    double residual; /**< largest |speed - speed before - C impulse| at the end, m/s */
} carom_routh_spatial_path;

/** Contact i of a spatial problem, 0 <= i < m. */
carom_routh_spatial_contact
carom_routh_spatial_contact_of_problem(const carom_impact_problem *problem, int i);

/**
 * Whether a contact that slides with v_n = 0 gets a finite impulse although nothing collides:
 * c_nn - mu c_nt.v_t/|v_t| < 0. v_t [2] m/s.
 */
bool carom_routh_is_spatial_impact_without_collision(const carom_routh_spatial_contact *contact,
                                                     const double *v_t);

/**
 * Follow dc/ds = C (1, l), l in -mu Unit(v_t), until v_n = 0. While it slides, polar coordinates
 * v_t = rho u and ds = rho dsigma make all rates polynomials, and v_t = 0 is approached like an
 * exponential: Taylor series of order 20, steps to rounding. At v_t = 0: sticking if |C_tt^-1 c_tn|
 * <= mu, or else a straight line along the unit vector u with c_tn - mu C_tt u = k u, k > 0.
 *
 * @param[in]  contact the contact
 * @param[in]  c       [3] (v_n, v_1, v_2) before, m/s, v_n < 0: colliding
 * @param[out] path    its last point is the end of the impact; NaN, one point, on failure
 * @param[out] report  quantity that is refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: c_nn or C_tt not positive, mu negative, C not
 * positive semidefinite beyond rounding; SINGULAR: a phase without end, only where C is singular
 * and the speeds are not those of one motion; NOT_CONVERGED: too many steps
 * Source: halm-2023 (36); coordinates, series and the ray are ours. Nearby paths do not move apart
 * in the norm of C^-1, so that rounding is not amplified.
 */
CAROM_MUST_CHECK carom_status
carom_routh_resolve_spatial(const carom_routh_spatial_contact *contact, const double *c,
                            carom_routh_spatial_path *path, carom_report *report);

/**
 * Routh's impact of contact i of a spatial problem, all others without impulse. It is also an
 * impact without collision if |v_n| is at most carom_impact_colliding_speed.
 *
 * @param[in]     problem  tangent_count 2
 * @param[in]     contact  i
 * @param[in,out] outcomes gets the outcome; v- itself, with no impulse, if there is no impact. Its
 * residual is the largest of |v_n|, that of the path and the excess over the friction cone, beside
 * their scales
 * @param[out]    report   may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a planar problem, no such contact, a Jacobian without rows;
 * SINGULAR; NOT_CONVERGED; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_routh_impact_spatial(const carom_impact_problem *problem,
                                                         int contact,
                                                         carom_impact_outcomes *outcomes,
                                                         carom_report *report);

CAROM_END_DECLARATIONS

#endif
