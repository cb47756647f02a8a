/** Internal: semi-smooth Newton iteration with active sets, and an exact LCP where the sets cycle.
 */
#ifndef CAROM_TIMESTEPPING_GALPHA_NEWTON_H
#define CAROM_TIMESTEPPING_GALPHA_NEWTON_H

#include <carom/base/base.h>
#include <carom/base/saddle.h>
#include <carom/timestepping/galpha/step_context.h>

enum { CAROM_NEWTON_MAX_LEVELS = 2 };

/**
 * One step of an implicit scheme: a residual r(x) whose rows depend on active sets, one set per
 * level at which contacts are imposed (position, velocity). Increments are those of the scaled
 * unknowns: kinematic blocks, then -d lambda of every multiplier. `self` is the scheme.
 */
typedef struct carom_newton_problem {
    void *self;
    int level_count;                               /**< 1 or 2 */
    int first_multiplier[CAROM_NEWTON_MAX_LEVELS]; /**< of contact 0 in the vector of multipliers */
    bool *active[CAROM_NEWTON_MAX_LEVELS];         /**< [n_u] sets, contacts only */
    bool is_coupled; /**< level 0 complements (multiplier of level 0 - multiplier of level 1) */

    /** Start values of the step; binds `active`. */
    void (*predict)(void *self);
    /** Choose the active sets by the activation tests at the current iterate. */
    void (*activate)(void *self);
    /** r [N] at the current iterate and sets. */
    void (*residual)(void *self, double *r);
    /** What the rows [N] of the last residual are measured in, in their own units. */
    void (*scale)(void *self, double *scale);
    /** Newton matrix at the iterate of the last residual. */
    void (*assemble)(void *self, carom_saddle *saddle);
    /** Add an increment dx [N] to the iterate. */
    void (*update)(void *self, const double *dx);
    /** Scaled multiplier of contact j at a level (nu/h, Lambda). */
    double (*multiplier)(const void *self, int level, int j);
    /** Contacts [n_u] on which a level is imposed after the increment dx, for what switches it on.
     */
    void (*eligible)(void *self, int level, const double *dx, bool *contacts);
} carom_newton_problem;

typedef struct carom_newton_solver carom_newton_solver;

/**
 * @param[in]  layout           of the kinematic blocks
 * @param[in]  block_count      of kinematic unknowns
 * @param[in]  multiplier_count of all multipliers
 * @param[in]  level_count      levels of contact conditions
 * @param[in]  contact_count    n_u
 * @param[in]  max_iterations   limit, also of the history of sets
 * @param[out] out              belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_newton_solver_alloc(carom_layout layout, int block_count,
                                                        int multiplier_count, int level_count,
                                                        int contact_count, int max_iterations,
                                                        carom_newton_solver **out);

/** Free; NULL is accepted. */
void carom_newton_solver_free(carom_newton_solver *solver);
CAROM_AUTO_TYPE(carom_newton_solver)

/** What an iteration ended with. */
typedef struct carom_newton_result {
    double residual;     /**< largest of the rows, each in its own scale, 1 */
    int iterations;      /**< corrections made */
    bool used_exact_lcp; /**< the active sets cycled and Lemke's method took over */
} carom_newton_result;

/**
 * Predict, then iterate until every row of r, in its own scale, is below the tolerance, with the
 * sets re-evaluated at every iterate (bruls-2014 eqs 38-44). When a pair of sets comes back, the
 * linearized step is condensed to its contact multipliers and solved as a linear complementarity
 * problem, level by level, in every following iteration. Where that ends too, every choice of the
 * sets is tried for up to eight contact conditions.
 *
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE; RAY
 */
CAROM_MUST_CHECK carom_status carom_newton_solve(carom_newton_solver *solver,
                                                 const carom_newton_problem *problem,
                                                 double tolerance, carom_newton_result *result);

/**
 * Condition number (2-norm) of the Newton matrix at the problem's current iterate and sets, in
 * units of its own: unknowns as roots of energies, rows beside their size.
 * @return CAROM_OK; OUT_OF_MEMORY; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_newton_condition_number(carom_newton_solver *solver,
                                                            const carom_newton_problem *problem,
                                                            double *condition);

#endif
