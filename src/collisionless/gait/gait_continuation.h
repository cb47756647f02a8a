/** Internal: a walk along the family of gaits. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_CONTINUATION_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_CONTINUATION_H

#include <carom/base/base.h>
#include <carom/collisionless/gait/gait_newton.h>

/** The last two points of the family and its directions there. */
typedef struct carom_gait_continuation {
    carom_gait_shooting *shooting; /**< owned */
    double *point;                 /**< [U] a solution; owned with what follows */
    double *tangent;               /**< [U] in the direction of travel */
    double *last_point;            /**< [U] */
    double *last_tangent;          /**< [U] */
    double *guess;                 /**< [U] */
    double *guess_tangent;         /**< [U] */
    double *row;                   /**< [U] */
    double length;                 /**< of the last step, 0 before the first */
    double arclength;              /**< from the first point */
    double residual;               /**< of the point, largest */
    int iterations;                /**< Newton steps to the point */
} carom_gait_continuation;

/** Refuse parameters out of range. @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_gait_params_check(const carom_gait_params *params,
                                                      carom_report *report);

/** Refuse what is no start for a biped with an arm. @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_gait_start_check(const carom_armed_biped_params *biped,
                                                     const carom_gait_start *start,
                                                     carom_report *report);

/** @return CAROM_OK; as carom_armed_biped_check; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_continuation_alloc(const carom_armed_biped_params *biped,
                                                            const carom_gait_params *params,
                                                            carom_gait_continuation **out,
                                                            carom_report *report);

/** Free; NULL is accepted. */
void carom_gait_continuation_free(carom_gait_continuation *path);
CAROM_AUTO_TYPE(carom_gait_continuation)

/** The first point, at a half step angle; the direction is that of growing angle.
 * @return CAROM_OK; CONFLICT (reported); NOT_CONVERGED, SINGULAR, NOT_FINITE, OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_gait_continuation_begin(carom_gait_continuation *path,
                                                            const carom_gait_start *start,
                                                            double theta, carom_report *report);

/**
 * The next point, `length` along a parabola through the last two directions; the point stays on a
 * failure. A point is refused where the direction has turned by more than about 37 degrees.
 * @return CAROM_OK; NOT_CONVERGED, SINGULAR, NOT_FINITE, OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_step(carom_gait_continuation *path,
                                                           double length);

/**
 * The next point by a step of at most `max_step`, halved until it leads to a solution.
 *
 * @param[in]     min_step least step that is tried
 * @param[in]     max_step largest
 * @param[in,out] step     to be tried; on return the next one to try
 * @return CAROM_OK; NOT_CONVERGED: none does
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_advance(carom_gait_continuation *path,
                                                              double min_step, double max_step,
                                                              double *step);

/**
 * Replace the point, beyond theta, by the one at theta, between the last two.
 * @return CAROM_OK; NOT_CONVERGED, SINGULAR, NOT_FINITE, OUT_OF_RANGE; the point stays
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_return_to_angle(carom_gait_continuation *path,
                                                                      double theta);

/** Half step angle of the point, rad. */
double carom_gait_continuation_angle(const carom_gait_continuation *path);

/** 1 if theta grows along the family at the point, -1 if it falls. */
int carom_gait_continuation_direction(const carom_gait_continuation *path);

/** Numbers in the states of a gait, (m + m' + 1) 2N. */
size_t carom_gait_continuation_state_size(const carom_gait_continuation *path);

/** tau of the point, s. */
double carom_gait_continuation_time(const carom_gait_continuation *path);

/** Angle between the arm at P and the upper vertical, rad: pi where it hangs. */
double carom_gait_continuation_arm_reach(const carom_gait_continuation *path);

/**
 * Fill a gait, whose states are there, from the point.
 * @return CAROM_OK; SINGULAR, NOT_CONVERGED (integration to P')
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_store(carom_gait_continuation *path,
                                                            carom_nonlinear_gait *gait);

#endif
