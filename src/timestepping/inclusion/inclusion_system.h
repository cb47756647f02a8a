/** The mechanism at the start of a step of the inclusion: what its complementarity problem is made
 * of. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_SYSTEM_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_SYSTEM_H

#include <carom/base/base.h>
#include <carom/base/factor.h>
#include <carom/mechanism/mechanism.h>

/**
 * Contact rows are ordered as in carom/impact/impact_problem.h: m normal rows, then t tangential
 * ones of contact 0, of contact 1, ...; r = m (1 + t).
 */
typedef struct carom_inclusion_system {
    const carom_mechanism *mechanism; /**< borrowed */
    int coordinate_count;             /**< n */
    int contact_count;                /**< m */
    int tangent_count;                /**< t: 0 without friction */
    int row_count;                    /**< r */
    double *friction;                 /**< [m] mu; 0 without */
    double reference_force;           /**< kappa, N */
    double closed_gap;                /**< of the distance */

    carom_factor *mass_factor; /**< of M(q) */
    double *mass;              /**< [layout] M(q) */
    double *free_acceleration; /**< [n] M^-1 f */
    double *momentum;          /**< [n] scratch */
    double *gap;               /**< [m] g(q), m */
    double *jacobian;          /**< [r][n] J(q) */
    double *response;          /**< [r][n] rows of J M^-1 */
    double *row_norm;          /**< [r] square root of (J M^-1 J')_aa */
    double *speed;             /**< [r] J v, m/s */
    double *acceleration;      /**< [r] J M^-1 f */
    double *reach;             /**< [m] J_n v+ of no step of this length is below minus it, m/s */
    double distance;           /**< largest ds reach since the start, m; 0 before the first load */
    double *closed;            /**< [m] gaps up to this are closed, m */
    int near_count;            /**< contacts that may close in the step */
    int *near_contacts;        /**< [m] which, ascending */
    double *delassus;          /**< [r][r] J M^-1 J' in the rows and columns of those */
} carom_inclusion_system;

/** reference_force and closed_gap as in carom_inclusion_params. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_inclusion_system_alloc(const carom_mechanism *mechanism,
                                                           double reference_force,
                                                           double closed_gap,
                                                           carom_inclusion_system **out);

/** Free; NULL is accepted. */
void carom_inclusion_system_free(carom_inclusion_system *system);
CAROM_AUTO_TYPE(carom_inclusion_system)

/**
 * Evaluate everything at (t, q, v).
 *
 * @param[in,out] system     overwritten
 * @param[in]     t          s
 * @param[in]     q          [n]
 * @param[in]     v          [n]
 * @param[in]     ds         step: dt + sum of normal impulses / kappa, with friction in its cones
 * @param[out]    report     may be NULL
 * @return CAROM_OK; SINGULAR: M(q); NOT_FINITE; a gap below minus a closed one: PENETRATION at
 * the first call since the start, later NOT_CONVERGED
 *
 * Near are the contacts with g <= closed + ds reach: whatever shares of ds time and impulses
 * have, dt <= ds is too short for the others to close. The reach is the smaller of two bounds of
 * -J_n v+: of the impulses, |J_n v| + ds times the largest change in a second of time or of
 * impulse; and of the energy, |J_n| (|v| + ds |M^-1 f|) in the metric of M, since contacts only
 * dissipate.
 */
CAROM_MUST_CHECK carom_status carom_inclusion_system_load(carom_inclusion_system *system, double t,
                                                          const double *q, const double *v,
                                                          double ds, carom_report *report);

/** v+ = v + dt M^-1 f + M^-1 J' L. L [r]; v, v_post [n]. */
void carom_inclusion_system_velocity(const carom_inclusion_system *system, const double *v,
                                     double dt, const double *L, double *v_post);

#endif
