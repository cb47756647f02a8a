/** Predictor and corrector along the solutions of the impact equations. */
#ifndef CAROM_MODES_ORBIT_CONTINUATION_H
#define CAROM_MODES_ORBIT_CONTINUATION_H

#include <carom/base/base.h>
#include <carom/modes/orbit.h>

/**
 * A point of the curve is X = (sigma [k], lambda [k], g) in units of time, lambda and gap scale,
 * with |lambda|^2 + g^2 = 1: the gap at rest is an unknown like the others, and infinite impact
 * speed at a given gap is the ordinary point g = 0. Amplitudes of resonant modes follow from X.
 */
typedef struct carom_arc_point {
    double *X;             /**< [2k + 1] */
    double *tangent;       /**< [2k + 1] unit length, in the direction of travel */
    int orientation;       /**< changes sign where another branch crosses */
    double residual;       /**< largest scaled equation */
    double period;         /**< s */
    double gap;            /**< g in m, signed */
    double energy;         /**< of the scaled motion, J */
    double identity_error; /**< relative error of E dT = -(g_0/sqrt(G)) d(sum lambda) */
} carom_arc_point;

/** Workspace for one structure and one number of impacts; the equations are its own. */
typedef struct carom_orbit_continuation carom_orbit_continuation;

/** Workspace; borrows the basis. @return CAROM_OK; OUT_OF_RANGE if k < 1; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_orbit_continuation_alloc(const carom_modal_basis *basis,
                                                             int impact_count,
                                                             carom_orbit_continuation **out);

/** Free; NULL is accepted. */
void carom_orbit_continuation_free(carom_orbit_continuation *tracer);
CAROM_AUTO_TYPE(carom_orbit_continuation)

/** A point filled with NaN. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_arc_point_alloc(int impact_count, carom_arc_point *point);

/** Free what a point holds; a zeroed one is accepted. */
void carom_arc_point_clear(carom_arc_point *point);

/** Copy a point into one of the same size. */
void carom_arc_point_copy(int impact_count, const carom_arc_point *from, carom_arc_point *to);

/**
 * Begin at an orbit of a structure whose gap is not zero: fixes the scales and corrects. The
 * tangent points to larger periods; where two branches cross, along the one on which the period
 * does not change.
 * @return CAROM_OK; NOT_CONVERGED if the orbit is not a solution
 */
CAROM_MUST_CHECK carom_status carom_orbit_continuation_start(carom_orbit_continuation *tracer,
                                                             const carom_orbit *orbit,
                                                             carom_arc_point *point);

/**
 * The point at arclength s from another, along its tangent (s may be negative): predict, correct by
 * steps of minimum norm, and turn the new tangent the way of the old one.
 *
 * @param[in,out] tracer     started
 * @param[in]     from       a point of the curve
 * @param[in]     arclength  s
 * @param[out]    to         the new point; not `from`
 * @param[out]    iterations corrector steps; may be NULL
 * @return CAROM_OK; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_orbit_continuation_step(carom_orbit_continuation *tracer,
                                                            const carom_arc_point *from,
                                                            double arclength, carom_arc_point *to,
                                                            int *iterations);

/**
 * The motion of a point, in its own scale: its gap at rest is point->gap, not the structure's.
 * @param[out] orbit complete
 */
void carom_orbit_continuation_orbit(carom_orbit_continuation *tracer, const carom_arc_point *point,
                                    carom_orbit *orbit);

#endif
