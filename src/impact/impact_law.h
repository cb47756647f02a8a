/** Every impact law by its name: what it needs of a problem, and one way to run it. */
#ifndef CAROM_IMPACT_IMPACT_LAW_H
#define CAROM_IMPACT_IMPACT_LAW_H

#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impact_problem.h>
#include <carom/impact/propagative_impact.h>
#include <carom/impact/sequential_impact.h>

CAROM_BEGIN_DECLARATIONS

/**
 * The laws, first those that need nothing but the problem. A further one is a line here and a file
 * that defines carom_impact_law_NAME, whose run fills a carom_impact_result.
 */
#define CAROM_IMPACT_LAW_LIST(X)      \
    X(NEWTON_MOREAU, newton_moreau)   \
    X(ANITESCU_POTRA, anitescu_potra) \
    X(SEQUENTIAL, sequential)         \
    X(PROPAGATIVE, propagative)       \
    X(SAMPLING, sampling)             \
    X(COMPLIANT, compliant)           \
    X(ROUTH, routh)                   \
    X(INCLUSION, inclusion)

/** The laws of the list, as numbers. */
typedef enum carom_impact_law_id {
#define CAROM_IMPACT_LAW_ENUMERATE(id, name) CAROM_IMPACT_LAW_##id,
    CAROM_IMPACT_LAW_LIST(CAROM_IMPACT_LAW_ENUMERATE)
#undef CAROM_IMPACT_LAW_ENUMERATE
        CAROM_IMPACT_LAW_COUNT
} carom_impact_law_id;

/** Parameters of all laws; each reads its own. */
typedef struct carom_impact_law_params {
    int facets;     /**< of spatial cones, of all laws but newton_moreau, which has the round one;
                         ignored in the plane */
    bool takes_one; /**< newton_moreau, anitescu_potra: Lemke's solution, even where all can be
                         enumerated */
    carom_sequential_orders orders;        /**< sequential */
    carom_sequential_params sequential;    /**< its rounds and tolerance */
    carom_propagative_tree_params tree;    /**< propagative: all sequences */
    bool has_rule;                         /**< that of a rule instead */
    carom_propagative_params rule;         /**< propagative, where has_rule */
    carom_impact_sampling_params sampling; /**< sampling */
    double
        stiffness_ratio;  /**< compliant: of each contact in turn to the others, after equal ones */
    double damping_ratio; /**< zeta of its contacts with e = 0 */
    int contact;          /**< routh: which one, all others without impulse; -1: the only one */
    carom_planar_inclusion_params inclusion; /**< how the contacts share the impulse */
} carom_impact_law_params;

/** The defaults of all parts; 8 facets, all solutions, cyclic orders, no rule, stiffness 1000 times
 * that of the others, damping ratio 200, equal shares, no contact chosen. */
carom_impact_law_params carom_impact_law_params_default(void);

/** The outcomes of a law. Arrays are borrowed from what it keeps. */
typedef struct carom_impact_result {
    int count;                      /**< outcomes; 0: no way came to an end */
    const double *velocity;         /**< [count][n] v+, m/s */
    const double *contact_velocity; /**< [count][r] c+, m/s */
    const double *impulse;          /**< [count][r] that lead there, N s; NULL: not told */
    const double *kinetic_energy;   /**< [count] J */
    const int *is_finished;         /**< [count] 0: given up on the way; NULL: none was */
    double unfinished;              /**< part of the ways that was given up, 1 */
    double residual;                /**< largest violation of the law's conditions, 1 */
    int cost;                       /**< elementary steps: what carom_impact_law counts */

    /* How they came about: NULL but for the law's own. */
    carom_impact_outcomes *outcomes;       /**< distinct ones, of all laws but sampling */
    carom_sequential_impacts *sequences;   /**< sequential: one for each order */
    carom_propagative_contacts *contacts;  /**< propagative */
    carom_propagative_outcomes *tree;      /**< all sequences */
    carom_propagative_impact *reflections; /**< or that of the rule */
    carom_impact_samples *samples;         /**< sampling: its outcomes are those of the result */
    carom_planar_inclusion_path *path;     /**< inclusion */
} carom_impact_result;

/** Free; NULL is accepted. */
void carom_impact_result_free(carom_impact_result *result);
CAROM_AUTO_TYPE(carom_impact_result)

/** One law. */
typedef struct carom_impact_law {
    const char *name;     /**< "newton_moreau" */
    const char *title;    /**< one line */
    const char *cost;     /**< what the cost of its results counts */
    const char *choice;   /**< what it needs beside the problem ("a contact"); NULL: nothing */
    bool has_restitution; /**< else contacts must not have any */
    bool has_friction;    /**< likewise */
    bool is_planar;       /**< contacts in the plane alone */
    /** Fill cost and what the result keeps, its outcomes or its samples. For
     * carom_impact_law_run alone. */
    carom_status (*run)(const carom_impact_problem *problem, const carom_impact_law_params *params,
                        carom_impact_result *result, carom_report *report);
} carom_impact_law;

/** Declares the table entry of a law of the list. */
#define CAROM_IMPACT_LAW_DECLARE(id, name) extern const carom_impact_law carom_impact_law_##name;
CAROM_IMPACT_LAW_LIST(CAROM_IMPACT_LAW_DECLARE)
#undef CAROM_IMPACT_LAW_DECLARE

/** A law of the list, static. */
const carom_impact_law *carom_impact_law_of(carom_impact_law_id id);

/** The law of a name, static; NULL: there is none. */
const carom_impact_law *carom_impact_law_find(const char *name);

/** What a problem has that a law does not know ("friction"), static; NULL: it knows all. */
const char *carom_impact_law_lacks(const carom_impact_law *law,
                                   const carom_impact_problem *problem);

/**
 * Apply a law to a problem.
 *
 * @param[in]  law     from the list, or one of the user's own
 * @param[in]  problem with its friction and restitution
 * @param[in]  params  NULL: carom_impact_law_params_default
 * @param[out] out     belongs to the caller; NULL on failure
 * @param[out] report  why there is no result; may be NULL
 * @return CAROM_OK, also if no way came to an end; UNSUPPORTED: what the problem has and the law
 * does not know; OUT_OF_MEMORY; what the law's own functions return
 */
CAROM_MUST_CHECK carom_status carom_impact_law_run(const carom_impact_law *law,
                                                   const carom_impact_problem *problem,
                                                   const carom_impact_law_params *params,
                                                   carom_impact_result **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
