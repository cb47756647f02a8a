/** Routh's impact of one contact in closed form, in the plane and in space. */
#ifndef CAROM_IMPACT_ROUTH_H
#define CAROM_IMPACT_ROUTH_H

#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/* --------------------------------------------------------------------------------- in the plane */
/* Routh's impact of one planar contact in closed form: the path of its speeds is piecewise linear
 * in the normal impulse. */

/** One planar contact: what an impulse (L_n, L_t) does to its own speeds (v_n, v_t). */
typedef struct carom_routh_contact {
    double c_nn; /**< > 0, 1/kg */
    double c_nt; /**< c_nt^2 <= c_nn c_tt, 1/kg */
    double c_tt; /**< > 0, 1/kg; without friction 0 too: no tangent */
    double mu;   /**< friction, >= 0 */
} carom_routh_contact;

/** Start, end of sliding, end: most corners of a path. */
enum { CAROM_ROUTH_MOST_POINTS = 3 };

/** The path in (v_n, v_t) over the normal impulse s, linear between its points. */
typedef struct carom_routh_path {
    int point_count; /**< 1 .. CAROM_ROUTH_MOST_POINTS; 1: no impulse */
    double normal_impulse[CAROM_ROUTH_MOST_POINTS];     /**< s, N s */
    double tangential_impulse[CAROM_ROUTH_MOST_POINTS]; /**< L_t, N s */
    double normal_speed[CAROM_ROUTH_MOST_POINTS];       /**< v_n, m/s; 0 at the end of an impact */
    double tangential_speed[CAROM_ROUTH_MOST_POINTS];   /**< v_t, m/s; 0 exactly where it sticks */
    bool is_sticking;                                   /**< along the last segment */
    bool is_reversing;         /**< the last segment slides on after v_t = 0 */
    bool is_without_collision; /**< it began with v_n = 0 */
} carom_routh_path;

/** Contact i of a planar problem, 0 <= i < m. */
carom_routh_contact carom_routh_contact_of_problem(const carom_impact_problem *problem, int i);

/**
 * Whether a contact that slides with v_n = 0 gets a finite impulse although nothing collides:
 * c_nn - mu c_nt sign v_t < 0 (v_t in m/s), so that friction presses the contact further in
 * (Painleve).
 */
bool carom_routh_is_impact_without_collision(const carom_routh_contact *contact, double v_t);

/**
 * Follow dv_n/ds = c_nn + c_nt l, dv_t/ds = c_nt + c_tt l, l in -mu Unit(v_t), until v_n = 0: slide
 * to v_t = 0, then stick if |c_nt| <= mu c_tt, or else slide in the direction of c_nt. A contact
 * with v_n > 0, or with v_n = 0 and no impact without collision, gets no impulse.
 *
 * @param[in]  contact the contact
 * @param[in]  v_n     normal speed before, m/s, negative: colliding
 * @param[in]  v_t     tangential speed before, m/s
 * @param[out] path    its last point is the end of the impact; NaN, one point, on failure
 * @param[out] report  quantity that is refused; may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: c_nn not positive, nor c_tt with mu > 0, mu negative,
 * c_nt^2 above c_nn c_tt beyond rounding; SINGULAR: a phase without end, only where c_nt^2 = c_nn
 * c_tt and the speeds are not those of one motion
 * Source: halm-2023 (36); the closed form is ours.
 */
CAROM_MUST_CHECK carom_status carom_routh_resolve_planar(const carom_routh_contact *contact,
                                                         double v_n, double v_t,
                                                         carom_routh_path *path,
                                                         carom_report *report);

/**
 * An upper bound of the final s: kappa sqrt(c' C^-1 c), kappa = 1/(epsilon min(mu, 1)), epsilon the
 * least |v_n| + |v_t| of speeds with c' C^-1 c = 1. If C is singular up to rounding, both are those
 * of the one motion that it allows.
 *
 * @return N s; infinity if mu = 0
 * Source: halm-2023 Lemma 2, (94)-(103), with |R'v| in place of |v|.
 */
double carom_routh_impulse_bound(const carom_routh_contact *contact, double v_n, double v_t);

/**
 * What the one increment in which sliding ends may change in the final tangential speed, where an
 * impact is made in increments of the normal impulse: up to 2 mu of its cap in friction, and what
 * that does to the rest of the impact. Increments in which a contact slides or sticks are exact.
 *
 * @return m/s for each N s of the cap; 0 without an impact
 */
double carom_routh_increment_error(const carom_routh_contact *contact,
                                   const carom_routh_path *path);

/**
 * Routh's impact of contact i of a planar problem, all others without impulse. It is also an impact
 * without collision if |v_n| is at most carom_impact_colliding_speed.
 *
 * @param[in]     problem  tangent_count 1
 * @param[in]     contact  i
 * @param[in,out] outcomes gets the outcome; v- itself, with no impulse, if there is no impact. Its
 * residual is the larger of |v_n| and of the excess over the friction cone, beside their scales
 * @param[out]    report   may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a spatial problem, no such contact, a Jacobian without rows;
 * SINGULAR; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_routh_impact_planar(const carom_impact_problem *problem,
                                                        int contact,
                                                        carom_impact_outcomes *outcomes,
                                                        carom_report *report);

/* ------------------------------------------------------------------------------------- in space */
/* Routh's impact of one contact in space: sliding along a curve, sticking, sliding on. */

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
