/** Sequences of single impacts: the contacts are resolved one at a time, again and again. */
#ifndef CAROM_IMPACT_SEQUENTIAL_IMPACT_H
#define CAROM_IMPACT_SEQUENTIAL_IMPACT_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/** Most contacts for which all orders are run: 8! = 40320. */
enum { CAROM_SEQUENTIAL_MOST_CONTACTS = 8 };

/** When a sequence of single impacts ends. */
typedef struct carom_sequential_params {
    int most_rounds;  /**< passes through the order, >= 1 */
    double tolerance; /**< it is finished when no contact closes faster than this part of its speed
                           scale, 1, >= 0 */
} carom_sequential_params;

/** 10 rounds, 2.2e-6 (the authors' programs: 2.2e-6 m/s at speeds of order one). */
carom_sequential_params carom_sequential_params_default(void);

/** One sequence; stage k is the k-th contact that was resolved. Read, never written, by users. */
typedef struct carom_sequential_impact {
    int contact_count;        /**< m */
    int coordinate_count;     /**< n */
    int row_count;            /**< r */
    int *order;               /**< [m] contacts in the order of a round */
    int stage_count;          /**< stages; 0 if v- was not colliding */
    int *contact;             /**< [stage] contact resolved */
    double *contact_velocity; /**< [stage][r] c after it, m/s */
    double *velocity;         /**< [stage][n] v after it, m/s */
    double *impulse;          /**< [stage][r] impulse since v-, N s */
    double *kinetic_energy;   /**< [stage] after it, J */
    double residual;          /**< largest violation of (31) in a stage, as of outcomes, 1 */
    bool is_finished;         /**< no contact closes faster than the tolerance */
} carom_sequential_impact;

/**
 * Resolve the contacts in the given order, round after round, each by (31) restricted to it, until
 * no contact is colliding. A contact that is not colliding takes its turn without an impulse.
 * Each contact is resolved exactly, in space on the round cone.
 *
 * @param[in]  problem the problem
 * @param[in]  order   [m] permutation of 0 .. m-1; NULL: as they are
 * @param[in]  params  as above
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return CAROM_OK, also if it is not finished; OUT_OF_RANGE: order, parameters; RAY or
 * NOT_CONVERGED: a spatial contact, which report->index tells; OUT_OF_MEMORY
 * Source: halm-2023 sections 2.2.2 and 5.4.
 */
CAROM_MUST_CHECK carom_status carom_sequential_impact_run(const carom_impact_problem *problem,
                                                          const int *order,
                                                          const carom_sequential_params *params,
                                                          carom_sequential_impact **out,
                                                          carom_report *report);

/** Free; NULL is accepted. */
void carom_sequential_impact_free(carom_sequential_impact *sequence);
CAROM_AUTO_TYPE(carom_sequential_impact)

/** Which orders of the contacts are run. */
typedef enum carom_sequential_orders {
    CAROM_SEQUENTIAL_CYCLIC,      /**< 0 1 2 .., 1 2 .. 0, ..: m orders */
    CAROM_SEQUENTIAL_PERMUTATIONS /**< all m!, lexicographically */
} carom_sequential_orders;

/** Sequences of several orders. */
typedef struct carom_sequential_impacts {
    int count;                           /**< of sequences */
    carom_sequential_impact **sequences; /**< [count] */
} carom_sequential_impacts;

/**
 * Run all orders of a kind.
 *
 * @param[in]  problem the problem
 * @param[in]  orders  which
 * @param[in]  params  as above
 * @param[out] out     belongs to the caller
 * @param[out] report  may be NULL
 * @return as carom_sequential_impact_run; OUT_OF_RANGE for all permutations of more than
 * CAROM_SEQUENTIAL_MOST_CONTACTS contacts
 */
CAROM_MUST_CHECK carom_status carom_sequential_impacts_run(const carom_impact_problem *problem,
                                                           carom_sequential_orders orders,
                                                           const carom_sequential_params *params,
                                                           carom_sequential_impacts **out,
                                                           carom_report *report);

/** Free; NULL is accepted. */
void carom_sequential_impacts_free(carom_sequential_impacts *impacts);
CAROM_AUTO_TYPE(carom_sequential_impacts)

/**
 * Add the end of every finished sequence to a list of outcomes, merged by CAROM_IMPACT_MERGING.
 *
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sequential_impacts_add_outcomes(
    const carom_sequential_impacts *impacts, const carom_impact_problem *problem,
    carom_impact_outcomes *outcomes);

CAROM_END_DECLARATIONS

#endif
