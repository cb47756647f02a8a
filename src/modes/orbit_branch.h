/** Continuation: the whole arc of motions through a given one, and what ends it. */
#ifndef CAROM_MODES_ORBIT_BRANCH_H
#define CAROM_MODES_ORBIT_BRANCH_H

#include <carom/base/attributes.h>
#include <carom/modes/branch_end.h>
#include <carom/modes/orbit.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

typedef struct carom_orbit_branch_params {
    double step;           /**< first step in the scaled unknowns, 1; 0.01 */
    double max_step;       /**< largest step, 1; 0.02 */
    int max_points;        /**< in each direction, 5000 */
    double max_period;     /**< s; infinite */
    bool follow_potential; /**< go on beyond ends of admissibility, through infinite speed to the
                              other sign of the gap, until the period or the number of points ends
                              it; default false */
    bool with_stability;   /**< compute spectral radii; default true */
} carom_orbit_branch_params;

carom_orbit_branch_params carom_orbit_branch_params_default(void);

/**
 * An arc as points in order; the ends themselves are its first and last point where they exist. At
 * an infinite-speed end (gap_sign 0) lambda, energy and action have no number, NaN; what is left of
 * the motion there are its flight times and the direction of lambda.
 */
typedef struct carom_orbit_branch {
    int impact_count;        /**< k */
    int point_count;         /**< N */
    int start;               /**< index of the point that was given */
    double *flight_times;    /**< [N][k] s */
    double *lambda;          /**< [N][k] J^1/2 */
    double *direction;       /**< [N][k] lambda over its norm, 1; NaN where all vanish */
    double *period;          /**< [N] s */
    double *energy;          /**< [N] J */
    double *action;          /**< [N] g_0/sqrt(G) sum lambda, J s: its differential is -E dT */
    double *gap_violation;   /**< [N] largest interior maximum of x_c - g_0, m; NaN if none */
    double *spectral_radius; /**< [N] NaN at a graze or if not asked for */
    int *admissible;   /**< [N] 0 or 1, by certificate; ends count as admissible in the limit */
    int *gap_sign;     /**< [N] sign of the gap at rest that the point belongs to: that of g_0, 0
                          at infinite speed, the other beyond it */
    int *branch_point; /**< [N] 1 where another branch crosses in the step from the point before */
    double identity_error; /**< largest relative error of E dT = -(g_0/sqrt(G)) d(sum lambda) over
                              the  tangents of all points */
    carom_branch_end ends[2]; /**< at the first and at the last point */
    int end_impact[2];  /**< impact 1..k that vanishes, or flight in which the gap closes; 0 */
    double end_time[2]; /**< instant of the new contact from t = 0, s; NaN */
} carom_orbit_branch;

/** Told how many points exist; may be NULL. */
typedef void (*carom_orbit_branch_progress)(int points, void *context);

/**
 * Follow the solutions of the impact equations in both directions from a given one, by
 * pseudo-arclength continuation in (sigma, lambda, g) with g and lambda on a sphere, so that folds,
 * infinite speeds and harmonics are ordinary points. At branch points the direction is kept. The
 * admissible arc ends where a gap closes or an impact vanishes; these points are located to 1e-10
 * in the period and classified. A step ends at every harmonic that it meets, since a curve may wind
 * within a window next to it; windows of modes with participation squared below about 1e-7 are too
 * narrow for that and may be passed over. A closed curve ends with its first point again.
 *
 * @param[in]  basis    the structure; gap at rest not zero
 * @param[in]  orbit    a solution (carom_orbit_solve), admissible unless follow_potential
 * @param[in]  params   NULL: default
 * @param[in]  progress may be NULL
 * @param[in]  context  handed to progress
 * @param[out] out      belongs to the caller, to be freed by carom_orbit_branch_free
 * @param[out] report   may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (gap zero, orbit not admissible); NOT_CONVERGED if the orbit is
 * not a solution; OUT_OF_MEMORY
 * Source: thorin-2017 sections 5, 7.4; ends and identity are our own.
 */
CAROM_MUST_CHECK carom_status carom_orbit_branch_follow(const carom_modal_basis *basis,
                                                        const carom_orbit *orbit,
                                                        const carom_orbit_branch_params *params,
                                                        carom_orbit_branch_progress progress,
                                                        void *context, carom_orbit_branch **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_orbit_branch_free(carom_orbit_branch *arc);
CAROM_AUTO_TYPE(carom_orbit_branch)

CAROM_END_DECLARATIONS

#endif
