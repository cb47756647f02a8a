/** What impact laws return: a list of outcomes. */
#ifndef CAROM_IMPACT_IMPACT_OUTCOMES_H
#define CAROM_IMPACT_IMPACT_OUTCOMES_H

#include <carom/base/attributes.h>
#include <carom/impact/impact_problem.h>

CAROM_BEGIN_DECLARATIONS

/** Outcomes of a law are one if no speed differs by more than this part of its scale. */
#define CAROM_IMPACT_MERGING 1e-7

/**
 * Velocities after an impact, merged: no two are closer than a tolerance in contact space. Read,
 * never written, by users.
 */
typedef struct carom_impact_outcomes {
    int coordinate_count;     /**< n */
    int row_count;            /**< r */
    int count;                /**< outcomes */
    int capacity;             /**< outcomes that fit before memory is asked for */
    double *velocity;         /**< [count][n] v+, m/s */
    double *contact_velocity; /**< [count][r] c+ = J v+, m/s */
    double *impulse;        /**< [count][r] one impulse that leads there, N s: need not be unique */
    double *kinetic_energy; /**< [count] J */
    double *residual;       /**< [count] largest violation of the law's conditions, speeds beside
                                 their scales and impulses likewise (carom_impact_violation), 1 */
    int *multiplicity;      /**< [count] solutions merged into this outcome, >= 1 */
} carom_impact_outcomes;

/** An empty list. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_impact_outcomes_alloc(const carom_impact_problem *problem,
                                                          carom_impact_outcomes **out);

/** Free; NULL is accepted. */
void carom_impact_outcomes_free(carom_impact_outcomes *outcomes);
CAROM_AUTO_TYPE(carom_impact_outcomes)

/** Forget all outcomes; memory is kept. */
void carom_impact_outcomes_clear(carom_impact_outcomes *outcomes);

/**
 * Add the outcome of an impulse, or raise the multiplicity of the one whose contact velocity is
 * within `merging` of its speed scale in every row (the smaller residual then stays).
 *
 * @param[in,out] outcomes of a list made for this problem
 * @param[in]     problem  the problem
 * @param[in]     L        [r] total impulse from v-, N s
 * @param[in]     residual of the law's conditions, 1
 * @param[in]     merging  part of the speed scales of the problem, 1; 0: only the same is one
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_outcomes_add(carom_impact_outcomes *outcomes,
                                                        const carom_impact_problem *problem,
                                                        const double *L, double residual,
                                                        double merging);

/** The same for an impulse that stands for so many solutions, >= 1; multiplicities end at INT_MAX.
 */
CAROM_MUST_CHECK carom_status carom_impact_outcomes_add_solutions(
    carom_impact_outcomes *outcomes, const carom_impact_problem *problem, const double *L,
    double residual, double merging, double solutions);

CAROM_END_DECLARATIONS

#endif
