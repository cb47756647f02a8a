/** Impact as one complementarity problem for the whole impulse (Anitescu and Potra): one solution
 * or all, and the problem with linearized friction cones itself. */
#ifndef CAROM_IMPACT_ANITESCU_POTRA_H
#define CAROM_IMPACT_ANITESCU_POTRA_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/* ------------------------------------------------------------------ the complementarity problem */
/* The complementarity problems of contacts with linearized friction cones, with and without caps.
 * */

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

/* -------------------------------------------------------------------------------- its solutions */
/* The simultaneous algebraic model of impact: one complementarity problem for the whole impulse. */

/**
 * Find v+ and L with M (v+ - v-) = J' L, 0 <= L_n _|_ c+_n >= 0 and L_t opposing the sliding that
 * remains: one solution, by Lemke's method. Friction cones are exact in the plane; in space they
 * are polyhedra of `facets` directions.
 *
 * @param[in]     problem  the problem
 * @param[in]     facets   directions of a spatial cone, even, >= 4; ignored in the plane (2)
 * @param[in]     covering NULL: ones in the kinetic metric; or [m (2 + facets)] > 0, over (normal
 * impulses, facet impulses contact by contact, sliding speeds): decides which of several solutions
 * is found
 * @param[in,out] outcomes gets the outcome; v- itself, with no impulse, if it is not colliding
 * @param[out]    report   may be NULL
 * @return CAROM_OK; OUT_OF_RANGE (facets); RAY (a jammed configuration); NOT_CONVERGED;
 * OUT_OF_MEMORY
 * Source: halm-2023 (31)-(35), Anitescu and Potra 1997.
 */
CAROM_MUST_CHECK carom_status carom_anitescu_potra_lemke(const carom_impact_problem *problem,
                                                         int facets, const double *covering,
                                                         carom_impact_outcomes *outcomes,
                                                         carom_report *report);

/**
 * All solutions of a planar problem, by enumeration of contact modes.
 *
 * @return CAROM_OK; OUT_OF_RANGE for a spatial problem or too many contacts; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_anitescu_potra_all(const carom_impact_problem *problem,
                                                       carom_impact_outcomes *outcomes,
                                                       carom_report *report);

CAROM_END_DECLARATIONS

#endif
