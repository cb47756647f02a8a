/** Increments of impulse: the complementarity problem of contacts with linearized friction cones,
 * with and without caps, and the caps by random numbers. */
#ifndef CAROM_IMPACT_IMPULSE_INCREMENT_H
#define CAROM_IMPACT_IMPULSE_INCREMENT_H

#include <carom/impact/impact_inclusion.h>

/* -------------------------------------------------------------------- linearized friction cones */

/**
 * 0 <= z _|_ W z + w >= 0 with z = ([beta,] L_n, L_D, gamma): the slack of capped normal impulses
 * [m], normal impulses [m], impulses along the k facet directions of each contact [m k], sliding
 * speeds [m]. Read, never written, by users.
 */
typedef struct carom_cone_complementarity {
    const carom_impact_problem *problem; /**< borrowed */
    bool is_capped;
    int facet_count;    /**< k: 2 in the plane */
    int size;           /**< (k + 2) m, with caps (k + 3) m */
    double *directions; /**< [k][t] facet directions d_j, centrally symmetric */
    double *matrix;     /**< [size][size] W */
} carom_cone_complementarity;

/**
 * @param[in]  problem   borrowed until freed
 * @param[in]  facets    even, >= 4, in space; ignored in the plane, where 2 are exact
 * @param[in]  is_capped the increment problem (75), or Anitescu and Potra's
 * @param[out] out       belongs to the caller
 * @param[out] report    may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (facets); OUT_OF_MEMORY
 * Source: halm-2023 (32)-(35), (73)-(75) with the transposes that (75b) lacks.
 */
CAROM_MUST_CHECK carom_status carom_cone_complementarity_alloc(const carom_impact_problem *problem,
                                                               int facets, bool is_capped,
                                                               carom_cone_complementarity **out,
                                                               carom_report *report);

/** Free; NULL is accepted. */
void carom_cone_complementarity_free(carom_cone_complementarity *cones);
CAROM_AUTO_TYPE(carom_cone_complementarity)

/** w [size] for speeds c [r]; the first m entries, the caps, are left to the caller if capped. */
void carom_cone_complementarity_constant(const carom_cone_complementarity *cones, const double *c,
                                         double *w);

/**
 * A covering vector of Lemke's method.
 *
 * @param[in]  cones the problem
 * @param[in]  mass  kg: 1 on rows of speeds, this on rows of impulses (the authors' programs have
 *                   ones, in kg, m and s); 0: ones in the kinetic metric, which knows no units:
 *                   row_scale on rows of speeds, 1/row_scale on rows of impulses
 * @param[out] d     [size]
 */
void carom_cone_complementarity_covering(const carom_cone_complementarity *cones, double mass,
                                         double *d);

/** The impulse L [r] of a solution z [size]. */
void carom_cone_complementarity_impulse(const carom_cone_complementarity *cones, const double *z,
                                        double *L);

/* -------------------------------------------------------------------------------- one increment */

/**
 * The increment problem of an impact problem, independent of v-: constant, shared by threads. Its
 * unknowns z [size] are (beta, L_n, L_D, gamma) as above.
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

/**
 * Increments with the same caps until no contact is colliding; the last one is partial.
 *
 * @param[in]     increment the problem
 * @param[in]     caps      [m] >= 0, N s
 * @param[in]     limit     most increments, >= 0
 * @param[in,out] c         [r] speeds, m/s; still colliding if the limit came first
 * @param[out]    path      [limit+1][r] speeds from the start on, of which used + 1 are written;
 * may be NULL
 * @param[out]    used      increments
 * @param[in,out] work      of this thread
 * @return CAROM_OK, also at the limit; as carom_impulse_increment_solve
 */
CAROM_MUST_CHECK carom_status carom_impulse_increment_run(const carom_impulse_increment *increment,
                                                          const double *caps, int limit, double *c,
                                                          double *path, int *used,
                                                          carom_increment_work *work);

/** z [size] of the last solution of `work`: (beta, L_n, L_D, gamma); borrowed. */
const double *carom_increment_work_solution(const carom_increment_work *work);

/** The covering vector of CAROM_SELECTION_LEMKE_SCALED: carom_cone_complementarity_covering with
 * that mass, its rows of the cones times mu_i where that is above 1; d [size]. */
void carom_impulse_increment_scaled_cover(const carom_impulse_increment *increment, double mass,
                                          double *d);

/* ----------------------------------------------------------------------------------------- caps */

/** Constant after it is made; shared by threads. */
typedef struct carom_cap_sampler carom_cap_sampler;

/**
 * @param[in]  distribution of the caps
 * @param[in]  increments   N >= 1, of a trajectory
 * @param[in]  contacts     m >= 1
 * @param[in]  seed         stream
 * @param[out] out          belongs to the caller
 * @param[out] report       may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: N m > CAROM_CAPS_MOST_DIMENSIONS with Sobol points (others have
 * no limit); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_cap_sampler_alloc(carom_cap_distribution distribution,
                                                      int increments, int contacts,
                                                      unsigned long seed, carom_cap_sampler **out,
                                                      carom_report *report);

/** Free; NULL is accepted. */
void carom_cap_sampler_free(carom_cap_sampler *sampler);
CAROM_AUTO_TYPE(carom_cap_sampler)

/**
 * The caps of one increment, in (0,1]: a function of its arguments alone.
 *
 * @param[in]  sampler   as made
 * @param[in]  sample    index, >= 0
 * @param[in]  increment 0 .. N-1
 * @param[out] caps      [m] of a unit step
 */
void carom_cap_sampler_draw(const carom_cap_sampler *sampler, int sample, int increment,
                            double *caps);

#endif
