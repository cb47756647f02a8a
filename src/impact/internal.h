/** Parts of single laws of impact. */
#ifndef CAROM_IMPACT_INTERNAL_H
#define CAROM_IMPACT_INTERNAL_H

#include <carom/base/base.h>
#include <carom/base/parallel.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_law.h>
#include <carom/impact/impact_problem.h>
#include <carom/impact/propagative_impact.h>
#include <carom/impact/routh.h>

/* --------------------------------------------------------------------------- contact resolution */
/* The algebraic impact (31) restricted to one contact. */

/**
 * v_n+ = 0 and L_t in -mu L_n Unit(v_t+) for contact i alone, which is unique for v_n < 0; in space
 * with the round cone. No impulse for v_n >= 0, also where (31) has others (Painleve).
 *
 * @param[in]  problem  the impact
 * @param[in]  i        contact
 * @param[in]  c        [r] speeds before, m/s
 * @param[out] L        [1 + t] its normal and tangential impulse, N s
 * @param[out] residual largest violation, as of carom_impact_outcomes, 1
 * @return CAROM_OK; NOT_CONVERGED: by rounding only
 * Source: halm-2023 (31), solved by carom_contact_solve_local.
 */
CAROM_MUST_CHECK carom_status carom_contact_resolve(const carom_impact_problem *problem, int i,
                                                    const double *c, double *L, double *residual);

/* -------------------------------------------------------------------------------- frozen impact */
/* An impact at a fixed place: gaps are linear, and nothing but contacts exerts a force.
 * */

/** The impact in orthonormal coordinates y of the motions that contact impulses cause: M = 1. */
typedef struct carom_frozen_impact {
    int size;     /**< k: rank of the contact rows */
    int contacts; /**< m */
    int rows;     /**< r = 2 m */
    double *A;    /**< [r][k] contact rows; owns all numbers, to be freed */
    double *y;    /**< [2][k] displacement, velocity over `speed` */
    double speed; /**< fastest speed of a contact before, m/s; 1 m/s if all rest */
} carom_frozen_impact;

/** Make it of a planar problem; A is NULL on failure. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_frozen_impact_init(const carom_impact_problem *p,
                                                       carom_frozen_impact *out);

/** Row i times y [k]: a gap or a speed. */
double carom_frozen_impact_along(const carom_frozen_impact *self, int i, const double *y);

/** The impact as a mechanism, which borrows `self`, the friction of the problem and e [m]. */
carom_mechanism carom_frozen_impact_mechanism(carom_frozen_impact *self,
                                              const carom_impact_problem *p,
                                              const double *restitution);

/* ---------------------------------------------------------------------------------- routh slide */
/* The sliding phase of Routh's impact in space, inside its integration. */

/** Sliding v_t = rho u, and the impulse that led there. */
typedef struct carom_routh_slide {
    double u[2];       /**< direction, |u| = 1 */
    double rho;        /**< |v_t|, m/s */
    double impulse[3]; /**< (s, L_1, L_2), N s */
} carom_routh_slide;

/** What ends a phase of sliding. */
typedef enum carom_routh_slide_end {
    CAROM_ROUTH_SLIDE_AT_REST,   /**< v_t = 0 */
    CAROM_ROUTH_SLIDE_SEPARATED, /**< v_n = 0 */
    CAROM_ROUTH_SLIDE_ENDLESS    /**< neither */
} carom_routh_slide_end;

/** A sliding speed or a rate that is rounding of its terms, relative to them. */
#define CAROM_ROUTH_SLIDE_ROUNDING 8.9e-16

/** dv_n/ds while the contact slides along u [2], 1/kg. */
double carom_routh_slide_normal_rate(const carom_routh_spatial_contact *contact, const double *u);

/** speed = before + C impulse; all [3]. */
void carom_routh_slide_speeds(const carom_routh_spatial_contact *contact, const double *before,
                              const double *impulse, double *speed);

/**
 * Slide until v_n = 0 or v_t = 0.
 *
 * @param[in]     contact the contact
 * @param[in]     c       [3] speeds at the start of the impact, v_n <= 0, v_t not 0
 * @param[in,out] at      starts with v_t and no impulse
 * @param[out]    steps   taken; -1: too many
 * @return what has ended it
 */
carom_routh_slide_end carom_routh_slide_follow(const carom_routh_spatial_contact *contact,
                                               const double *c, carom_routh_slide *at, int *steps);

/* ---------------------------------------------------------------------------------- sample list */
/* Growing lists of sampled outcomes, and their union. */

/** One outcome to be appended. */
typedef struct carom_sample_entry {
    int sample;
    const double *velocity;         /**< [n] */
    const double *contact_velocity; /**< [r] */
    double kinetic_energy;
    double impulse;
    int increments;
    bool is_finished;
} carom_sample_entry;

/** The outcomes of a block of samples, with the sums of carom_impact_samples. */
typedef struct carom_sample_list {
    int coordinate_count;
    int row_count;
    int count;
    int capacity;
    double *reals; /**< [capacity][n + r + 2] velocity, speeds, energy, impulse */
    int *integers; /**< [capacity][3] sample, increments, whether finished */
    long increment_count;
    long multivalued_count;
    long energy_rise_count;
    long unsolved_count;
    long rescue_count;
    long pivot_count;
    long truncated_count;
    double largest_residual;
} carom_sample_list;

/** An empty list for a problem, without memory. */
void carom_sample_list_init(const carom_impact_problem *problem, carom_sample_list *list);

/** Free the memory of a list. */
void carom_sample_list_clear(carom_sample_list *list);

/** @return CAROM_OK; OUT_OF_MEMORY, the list as it was */
CAROM_MUST_CHECK carom_status carom_sample_list_append(carom_sample_list *list,
                                                       const carom_sample_entry *entry);

/** Append what a list holds to some bytes. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_list_pack(const carom_sample_list *list,
                                                     carom_parallel_bytes *bytes);

/** Take over what was packed of a list of the same problem. @return CAROM_OK; BAD_FORMAT;
 * OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_sample_list_unpack(const unsigned char *data, size_t size,
                                                       carom_sample_list *list);

/**
 * All lists in their order as one, by so many threads, 0: all cores; the lists are cleared on the
 * way.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sample_lists_join(int list_count, carom_sample_list *lists,
                                                      int threads, carom_impact_samples **out);

/* ------------------------------------------------------------------------------- momentum graph */
/* All momenta that reflections lead to, each once: the graph below propagative outcomes. */

/** The graph, in unit normals. */
typedef struct carom_momentum_graph {
    const carom_propagative_contacts *contacts;
    double slowest;      /**< speeds below approach, kg^1/2 m/s */
    double norm;         /**< |p| before */
    double slice;        /**< width of a slice, |p| being 1 */
    int count;           /**< momenta */
    int capacity;        /**< momenta there is room for */
    double *moved;       /**< [momentum][n] p - p0 = sum of lambda_i w_i */
    double *speed;       /**< [momentum][m] <w_i,p> */
    double *lambda;      /**< [momentum][m] */
    int *next;           /**< [momentum][m] reflected across i, -1 if i does not approach */
    int *outcome;        /**< [momentum] its number if it is feasible, else -1 */
    int *parent;         /**< [momentum] that it was first reached from, itself at the start */
    int *parent_contact; /**< [momentum] contact reflected then */
    int *chained;        /**< [momentum] the one before it with the same key, -1 if none */
    int *first;          /**< [2 capacity] the last momentum of a key, -1 if none */
    double *direction;   /**< [n] across the slices */
    double *ways;        /**< [momentum] sequences that lead there */
    int *longest;        /**< [momentum] reflections of the longest of them */
} carom_momentum_graph;

/** The graph of one momentum, the one before the impact. */
CAROM_MUST_CHECK carom_status carom_momentum_graph_init(const carom_propagative_contacts *contacts,
                                                        const carom_propagative_tree_params *params,
                                                        const double *c, double energy,
                                                        carom_momentum_graph *graph);

/** Free what it holds; to be called also after a failure. */
void carom_momentum_graph_clear(carom_momentum_graph *graph);

/**
 * Reflect until every momentum is feasible or reflected across all contacts that approach.
 *
 * @param[in]     params        merging and the most momenta
 * @param[in,out] graph         fills outcome and next
 * @param[out]    outcome_count feasible momenta
 * @param[out]    report        may be NULL
 * @return CAROM_OK; NOT_CONVERGED (too many momenta); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status
carom_momentum_graph_expand(const carom_propagative_tree_params *params,
                            carom_momentum_graph *graph, int *outcome_count, carom_report *report);

/** Count the ways to each momentum, and the reflections of the longest, without going any.
 * @return CAROM_OK; NOT_CONVERGED if reflections come round; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_momentum_graph_count_ways(carom_momentum_graph *graph,
                                                              carom_report *report);

/** |p_a - p_b| of two momenta of the graph. */
double carom_momentum_graph_distance(const carom_momentum_graph *graph, int a, int b);

/** Speeds s [m] after a reflection across contact i; @return lambda. */
double carom_momentum_graph_reflect(const carom_propagative_contacts *contacts, int i, double *s);

/* ----------------------------------------------------------------------------- what laws refuse */

/** Refuse contacts with restitution: "routh computes impacts without restitution; contact 0 has
 * 0.5". @return CAROM_OK; UNSUPPORTED */
CAROM_MUST_CHECK carom_status carom_impact_require_inelastic(const carom_impact_problem *problem,
                                                             const char *law, carom_report *report);

/** Refuse contacts with friction in the same words. @return CAROM_OK; UNSUPPORTED */
CAROM_MUST_CHECK carom_status carom_impact_require_smooth(const carom_impact_problem *problem,
                                                          const char *law, carom_report *report);

/** Refuse contacts of different restitution likewise; e is that of all. @return CAROM_OK;
 * UNSUPPORTED */
CAROM_MUST_CHECK carom_status carom_impact_require_one_restitution(
    const carom_impact_problem *problem, const char *law, double *e, carom_report *report);

/* ------------------------------------------------------------------------------------- outcomes */

/** carom_impact_outcomes_add for an impulse that stands for so many solutions, >= 1; multiplicities
 * end at INT_MAX. */
CAROM_MUST_CHECK carom_status carom_impact_outcomes_add_solutions(
    carom_impact_outcomes *outcomes, const carom_impact_problem *problem, const double *L,
    double residual, double merging, double solutions);

/* ------------------------------------------------------------------------ distinct outcomes */
/* The outcomes of a law as a set, to be compared with those of another on the same problem. */

/** Zeroed: nothing yet. To be cleared also after a failure. */
typedef struct carom_outcome_set {
    int count;                /**< distinct outcomes */
    double *velocity;         /**< [count][n] v+ */
    double *contact_velocity; /**< [count][r] c+ */
    double *impulse;          /**< [count][r]; NaN where only velocities are known */
    double *energy_ratio;     /**< [count] kinetic energy over that before */
    double *weighted;         /**< [count][n] L' v+, M = L L': its norms are those of energy */
    double least_energy;      /**< of energy_ratio; NaN without outcomes */
    double most_energy;       /**< likewise */
    int mode_count;           /**< distinct modes of the contacts: lifting, sliding, at rest */
} carom_outcome_set;

/** Append a set, as what an item of a map leaves. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_outcome_set_pack(const carom_impact_problem *problem,
                                                     const carom_outcome_set *set,
                                                     carom_parallel_bytes *bytes);

/** The set again; `data` and `left` go on to what follows it. To be cleared by
 * carom_outcome_set_clear, whatever is returned. @return CAROM_OK; BAD_FORMAT; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_outcome_set_unpack(const carom_impact_problem *problem,
                                                       const unsigned char **data, size_t *left,
                                                       carom_outcome_set *set);

/** Take the finished outcomes of a result, those whose contact speeds differ by less than 1e-5 of
 * the fastest one before once. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_outcome_set_fill(const carom_impact_problem *problem,
                                                     const carom_impact_result *result,
                                                     carom_outcome_set *set);

/** Free what a set holds and zero it. */
void carom_outcome_set_clear(carom_outcome_set *set);

/** Largest distance of an outcome of `from` from the nearest one of `to`, in the kinetic metric and
 * in parts of the velocity before; NaN if one of them has none. */
double carom_outcome_set_distance(const carom_impact_problem *problem,
                                  const carom_outcome_set *from, const carom_outcome_set *to);

#endif
