/** All periodic motions: a random search for some, continuation from each, and where a continuation
 * ends. */
#ifndef CAROM_MODES_ORBIT_SEARCH_H
#define CAROM_MODES_ORBIT_SEARCH_H

#include <carom/base/base.h>
#include <carom/base/workers.h>
#include <carom/modes/orbit.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/* --------------------------------------------------------------------------------------- search */
/* Random search for periodic motions with k impacts: seeded, parallel, deterministic. */

/** What is searched for, from which guesses. */
typedef struct carom_orbit_search_params {
    int impact_count; /**< k >= 1 */
    int start_count;  /**< number of random guesses */
    double
        max_period; /**< guesses have periods in (0, max_period], s; found ones may not exceed it */
    unsigned long seed;    /**< of the guesses: guess i depends on seed and i alone */
    carom_workers workers; /**< who computes them */
    bool keep_potential;   /**< also what penetrates or pulls; default false */
    bool keep_unclosed;    /**< also certified motions so unstable that a period of events does not
                              close them to 1e-9; default false */
    bool keep_repeats;     /**< also motions with fewer impacts, found as their repetitions; default
                              false */
    double smallest_flight; /**< shortest flight time kept, fraction of the period, 1e-4 */
    double tolerance;       /**< of sameness of two solutions, 1e-7 */
} carom_orbit_search_params;

/** k impacts, a thousand guesses, seed 1, all cores. */
carom_orbit_search_params carom_orbit_search_params_default(int impact_count, double max_period);

/** One found motion, in canonical form. */
typedef struct carom_found_orbit {
    carom_orbit *orbit; /**< owned by the list; impact_count is that of the primitive period */
    int start;          /**< guess that found it first */
    int hits;           /**< number of guesses that led to it */
    bool is_admissible; /**< by certificate */
    double largest_gap_violation; /**< m */
    double closure_error;         /**< after one period of event-driven motion, relative; NaN if not
                                     admissible, or if its impacts are others */
} carom_found_orbit;

/** What a search found. */
typedef struct carom_orbit_list {
    int count;                /**< of motions */
    carom_found_orbit *found; /**< [count] by rising period, then energy */
    int converged;            /**< guesses that converged */
    int repeats;              /**< of these, repetitions of motions with fewer impacts */
    int outside;              /**< of these, those with too short a flight or too long a period */
    int unclosed;             /**< certified ones that a period of events does not close to 1e-9 */
    int potential;            /**< of these, those that pull or penetrate */
} carom_orbit_list;

/** Told after each finished batch how many guesses were done; from one thread at a time. */
typedef void (*carom_orbit_search_progress)(int done, void *context);

/**
 * Search from random guesses: period uniform in (0, max_period], divided by random weights, all
 * impacts with the speed that crosses the gap within a mean flight. Accepted in this order:
 * converged, no lambda below zero, primitive (repetitions of fewer impacts are counted, and kept
 * on request, reduced to these), no flight below the smallest, certified, re-propagated over a
 * period by events and closed to 1e-9 (motions so unstable that rounding opens them further are
 * counted, not kept), not found before. The result does not depend on the number of threads.
 *
 * @param[in]  basis    the structure
 * @param[in]  params   what to search
 * @param[in]  progress may be NULL
 * @param[in]  context  handed to progress
 * @param[out] out      belongs to the caller, to be freed by carom_orbit_list_free
 * @param[out] report   quantity and value if refused; may be NULL
 * @return CAROM_OK, also if nothing was found; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_orbit_search(const carom_modal_basis *basis,
                                                 const carom_orbit_search_params *params,
                                                 carom_orbit_search_progress progress,
                                                 void *context, carom_orbit_list **out,
                                                 carom_report *report);

/** Free a list and its orbits; NULL is accepted. */
void carom_orbit_list_free(carom_orbit_list *list);
CAROM_AUTO_TYPE(carom_orbit_list)

/* ----------------------------------------------------------------------------------------- ends */
/* Where a continuum of admissible motions ends. */

/** Kinds of ends, each with the name that records use. */
#define CAROM_BRANCH_END_LIST(X)                                                                \
    X(HARMONIC, "harmonic", "T tends to p T_l and all impacts to zero: a grazing linear mode")  \
    X(INFINITE_SPEED, "infinite_speed", "impact speeds grow without bound at a finite period")  \
    X(NEW_CONTACT, "new_contact", "the gap closes inside a flight: a grazing contact is added") \
    X(VANISHING_IMPACT, "vanishing_impact", "an impact becomes a graze: its speed vanishes")    \
    X(VANISHING_FLIGHT, "vanishing_flight", "a flight time tends to zero: two impacts merge")   \
    X(SHORT_PERIOD, "short_period", "the period tends to zero (prestressed contact)")           \
    X(CLOSED, "closed", "no end: the continuum returns to where it began")                      \
    X(LIMIT, "limit", "a bound of the computation was reached: period, length or steps")        \
    X(FAILED, "failed", "the next point could not be computed")

/** The ends of the list, as numbers. */
typedef enum carom_branch_end {
#define CAROM_BRANCH_END_ENUMERATE(code, name, sentence) CAROM_BRANCH_END_##code,
    CAROM_BRANCH_END_LIST(CAROM_BRANCH_END_ENUMERATE)
#undef CAROM_BRANCH_END_ENUMERATE
} carom_branch_end;

/** The name of an end ("new_contact"), a static string. */
const char *carom_branch_end_name(carom_branch_end end);

/** What it means, in one line, a static string. */
const char *carom_branch_end_sentence(carom_branch_end end);

/* --------------------------------------------------------------------------------- continuation */
/* Continuation: the whole branch of motions through a given one, and what ends it. */

/** How a branch is followed, and to where. */
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

/** The numbers that stand at the fields. */
carom_orbit_branch_params carom_orbit_branch_params_default(void);

/**
 * A branch as points in order; the ends themselves are its first and last point where they exist.
 * At an infinite-speed end (gap_sign 0) lambda, energy and action have no number, NaN; what is left
 * of the motion there are its flight times and the direction of lambda.
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
 * admissible branch ends where a gap closes or an impact vanishes; these points are located to
 * 1e-10 in the period and classified. A step ends at every harmonic that it meets, since a curve
 * may wind within a window next to it; windows of modes with participation squared below about 1e-7
 * are too narrow for that and may be passed over. A closed curve ends with its first point again.
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

/**
 * The motion at a point of a branch.
 *
 * @param[in]     basis  the structure
 * @param[in]     branch of it
 * @param[in]     point  0..N - 1
 * @param[in,out] orbit  allocated with k impacts; all fields written but the residual
 * @return CAROM_OK; OUT_OF_RANGE: no such point; SINGULAR at infinite speed, where there is none,
 * and at a harmonic, where the state does not follow from the impacts
 */
CAROM_MUST_CHECK carom_status carom_orbit_branch_motion(const carom_modal_basis *basis,
                                                        const carom_orbit_branch *branch, int point,
                                                        carom_orbit *orbit);

/** Free; NULL is accepted. */
void carom_orbit_branch_free(carom_orbit_branch *branch);
CAROM_AUTO_TYPE(carom_orbit_branch)

CAROM_END_DECLARATIONS

#endif
