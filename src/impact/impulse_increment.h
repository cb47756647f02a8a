/** One increment of impulse with capped normal parts: the complementarity problem of which
 * set-valued impacts are composed. */
#ifndef CAROM_IMPACT_IMPULSE_INCREMENT_H
#define CAROM_IMPACT_IMPULSE_INCREMENT_H

#include <carom/base/attributes.h>
#include <carom/impact/cone_complementarity.h>

CAROM_BEGIN_DECLARATIONS

/** Which solution of an increment is taken where there are several. */
typedef enum carom_increment_selection {
    CAROM_SELECTION_LEMKE,              /**< Lemke's, carom_cone_complementarity_covering */
    CAROM_SELECTION_LEMKE_SCALED,       /**< Lemke's, cone rows divided by their friction */
    CAROM_SELECTION_LEMKE_RANDOM_COVER, /**< Lemke's, random covering vector */
    CAROM_SELECTION_RANDOM,             /**< random among all (planar) */
    CAROM_SELECTION_FIRST,              /**< first of all in the order of modes (planar) */
    CAROM_SELECTION_ALL                 /**< every one: branches (planar) */
} carom_increment_selection;

/**
 * The increment problem of an impact problem, independent of v-: constant, shared by threads. Its
 * unknowns z [size] are (beta, L_n, L_D, gamma) as in carom/impact/cone_complementarity.h.
 */
typedef carom_cone_complementarity carom_impulse_increment;

/** Work memory of one thread, with the last solution. */
typedef struct carom_increment_work carom_increment_work;

/** What an increment cost and how well it satisfies its conditions. */
typedef struct carom_increment_report {
    int pivots;      /**< of Lemke's method */
    int rescues;     /**< further attempts before the answer, 0 as a rule */
    double residual; /**< max |min(z, Wz + w)| beside the largest closing speed, rows in the
                          scaling of carom_lcp_solve_lemke, 1 */
} carom_increment_report;

/**
 * @param[in]  problem borrowed until the increment is freed
 * @param[in]  facets  directions of a spatial cone, even, >= 4; ignored in the plane
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (facets); OUT_OF_MEMORY
 * Source: halm-2023 (72)-(75), with the transposes that (75b) lacks.
 */
CAROM_MUST_CHECK carom_status carom_impulse_increment_alloc(const carom_impact_problem *problem,
                                                            int facets,
                                                            carom_impulse_increment **out,
                                                            carom_report *report);

/** Free; NULL is accepted. */
void carom_impulse_increment_free(carom_impulse_increment *increment);
CAROM_AUTO_TYPE(carom_impulse_increment)

/** @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_increment_work_alloc(const carom_impulse_increment *increment,
                                                         carom_increment_work **out);

/** Free; NULL is accepted. */
void carom_increment_work_free(carom_increment_work *work);
CAROM_AUTO_TYPE(carom_increment_work)

/**
 * Solve 0 <= z _|_ W z + w >= 0 for speeds c and caps by Lemke's method with its rescues.
 *
 * @param[in]     increment the problem
 * @param[in]     c         [r] speeds before, m/s
 * @param[in]     caps      [m] >= 0, N s
 * @param[in]     covering  [size] > 0; NULL: the solver's own
 * @param[out]    L         [r] impulse, N s; NaN on failure
 * @param[in,out] work      of this thread
 * @param[out]    report    may be NULL
 * @return CAROM_OK; RAY, NOT_CONVERGED: numerical failures, the problem always has a solution
 * (Theorem 6); NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_impulse_increment_solve(
    const carom_impulse_increment *increment, const double *c, const double *caps,
    const double *covering, double *L, carom_increment_work *work, carom_increment_report *report);

/** z [size] of the last solution of `work`: (beta, L_n, L_D, gamma); borrowed. */
const double *carom_increment_work_solution(const carom_increment_work *work);

/** The covering vector of CAROM_SELECTION_LEMKE_SCALED: carom_cone_complementarity_covering with
 * that mass, its rows of the cones times mu_i where that is above 1; d [size]. */
void carom_impulse_increment_scaled_cover(const carom_impulse_increment *increment, double mass,
                                          double *d);

CAROM_END_DECLARATIONS

#endif
