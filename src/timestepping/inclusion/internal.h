/** The parts of the inclusion: its problem, mixtures, projection and duration. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INTERNAL_H
#define CAROM_TIMESTEPPING_INCLUSION_INTERNAL_H

#include <carom/base/base.h>
#include <carom/base/linear_algebra.h>
#include <carom/mechanism/mechanism.h>
#include <carom/timestepping/inclusion/inclusion.h>

#include <stdbool.h>

/* -------------------------------------------------------------------------------------- problem */
/* The mechanism at the start of a step of the inclusion: what its complementarity problem is made
 * of. */

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

/** Coulomb's mu of contact i; 0 without. */
double carom_inclusion_system_friction(const carom_inclusion_system *system, int i);

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

/* ------------------------------------------------------------------------------------- mixtures */
/* The complementarity problem of a step of the inclusion for an assumed duration. */

/** How time and impulses share a step. */
typedef struct carom_inclusion_mixture {
    double dt;       /**< in [0, ds], s */
    double approach; /**< beta, m/s */
    bool is_early;   /**< a contact presses that is not closed */
    int problems;    /**< complementarity problems solved so far */
    int pivots;      /**< in them */
    double residual; /**< of the last one */
} carom_inclusion_mixture;

/** Work memory. */
typedef struct carom_inclusion_mixture_work carom_inclusion_mixture_work;

/**
 * @param[in]  system     its counts are taken
 * @param[in]  facets     k in space; 2 in the plane
 * @param[in]  directions [k][t], copied
 * @param[out] out        belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_inclusion_mixture_work_alloc(const carom_inclusion_system *system, int facets,
                                   const double *directions, carom_inclusion_mixture_work **out);

/** Free; NULL is accepted. */
void carom_inclusion_mixture_work_free(carom_inclusion_mixture_work *mixture_work);
CAROM_AUTO_TYPE(carom_inclusion_mixture_work)

/**
 * Solve 0 <= z _|_ W z + w >= 0, z = (beta, x, x_D, gamma), impulses Lambda = kappa ds x, in the
 * rows
 *
 *     1 - sum x,    J_n v+ + [g - closed/2]/tau + a beta,    J_D v+ + gamma,    (mu x - sum
 * x_D)/max(1, mu), v+ = v + M^-1 (ds (1 - sum x) f + J' Lambda).
 *
 * @param[in,out] mixture_work work memory
 * @param[in]     system     loaded
 * @param[in]     ds         step
 * @param[in]     tau        assumed duration in (0, ds], s
 * @param[in]     weight     [m] a > 0; NULL: ones
 * @param[out]    L          [r] impulses; zero on failure
 * @param[in,out] mixture    counts are added to
 * @return CAROM_OK; RAY, NOT_CONVERGED, NOT_FINITE
 * Source: halm-2023 (32)-(35), (53), (73)-(74). Contacts with [ ]/tau > reach are left out: their
 * row is positive whatever z is. [ ] is 0 where g <= closed.
 */
CAROM_MUST_CHECK carom_status carom_inclusion_mixture_solve(
    carom_inclusion_mixture_work *mixture_work, const carom_inclusion_system *system, double ds,
    double tau, const double *weight, double *L, carom_inclusion_mixture *mixture);

/* ----------------------------------------------------------------------------------- projection */
/* Positions that a step has brought below a wall, by curvature, are put back onto it. */

/** Work memory. */
typedef struct carom_inclusion_projection carom_inclusion_projection;

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_inclusion_projection_alloc(const carom_mechanism *mechanism,
                                                               carom_inclusion_projection **out);

/** Free; NULL is accepted. */
void carom_inclusion_projection_free(carom_inclusion_projection *projection);
CAROM_AUTO_TYPE(carom_inclusion_projection)

/**
 * q + M^-1 G'nu with the least nu >= 0 that makes no gap negative: the nearest point in the metric
 * of M, by Newton's method on g(q) >= 0 with G at each iterate.
 *
 * @param[in,out] projection  work memory
 * @param[in]     mass_factor of M, at this position or near it
 * @param[in,out] q           [n]
 * @return CAROM_OK also if gaps stay negative, where walls that contradict each other leave no
 * point; NOT_FINITE, q then unchanged
 * Source: bruls-2014 (position level), with the time step as in halm-2023 Lemma 4 kept feasible.
 * Cost: nothing but the gaps if none is negative.
 */
CAROM_MUST_CHECK carom_status carom_inclusion_projection_apply(
    carom_inclusion_projection *projection, const carom_factor *mass_factor, double *q);

/* ------------------------------------------------------------------------------------- duration */
/* The duration dt of a step of the inclusion, as the one that its own complementarity problem
 * gives. */

/** How a step is shared, and what had to be done for it. */
typedef struct carom_inclusion_duration {
    carom_inclusion_mixture mixture;
    double length;     /**< ds, or the shortened one */
    bool is_shortened; /**< the step ends where a contact closes */
    bool is_early;     /**< a contact presses that would close within a thousandth of ds */
} carom_inclusion_duration;

/**
 * Find tau with dt(tau) = tau, dt(tau) from carom_inclusion_mixture_solve: dt decreases with tau,
 * from the duration of the closed contacts alone to one in which every open contact of reach may
 * press. Where it jumps across tau there is none: the step is shortened to end there, or, if it
 * would become shorter than a thousandth, the contacts in question press that much early.
 *
 * @param[in,out] mixture_work work memory
 * @param[in]     system       loaded for a step ds
 * @param[in]     params       approach_weight
 * @param[in]     ds           step
 * @param[in]     expected     dt/ds to start from; 0: none
 * @param[out]    L            [r] impulses
 * @param[out]    duration     the result
 * @return CAROM_OK; RAY, NOT_CONVERGED, NOT_FINITE of the complementarity problem
 */
CAROM_MUST_CHECK carom_status carom_inclusion_duration_find(
    carom_inclusion_mixture_work *mixture_work, const carom_inclusion_system *system,
    const carom_inclusion_params *params, double ds, double expected, double *L,
    carom_inclusion_duration *duration);

#endif
