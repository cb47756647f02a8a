/** Roots: of one function in a bracket, of fewer equations than unknowns. */
#ifndef CAROM_BASE_ROOTS_H
#define CAROM_BASE_ROOTS_H

#include <carom/base/base.h>

#include <gsl/gsl_roots.h>
#include <stdbool.h>

/* --------------------------------------------------------------------------------- in a bracket */
/* Internal: Brent's method for one root between two ends, quiet where it cannot go on. */

/** A root between two ends; to be initialised once and started for each root. */
typedef struct carom_bracket {
    double low;               /**< the root is not below */
    double high;              /**< nor above */
    double root;              /**< best so far */
    gsl_root_fsolver *solver; /**< owned; it sees the function only through a watch on its values */
    gsl_function given;       /**< whose root is sought */
    gsl_function watched;     /**< the same, zero from its first failure on */
    double first;             /**< value at the first end, to compare with that at the other */
    int values;               /**< how many the solver has had */
    bool has_failed;          /**< a value was no number, or the ends have the same sign */
} carom_bracket;

/**
 * @param[out] bracket to be cleared by carom_bracket_clear
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_bracket_init(carom_bracket *bracket);

/** Release what a bracket holds; zeros are accepted. */
void carom_bracket_clear(carom_bracket *bracket);

/**
 * Begin with two ends; both are evaluated.
 *
 * @param[in,out] bracket  stays where it is in memory until the last carom_bracket_narrow; low,
 * high and the middle as root, also on failure
 * @param[in]     function as long as bracket is used
 * @param[in]     low      one end
 * @param[in]     high     the other, not below
 * @return CAROM_OK; NOT_CONVERGED if a value is no number or both have the same sign
 */
CAROM_MUST_CHECK carom_status carom_bracket_start(carom_bracket *bracket,
                                                  const gsl_function *function, double low,
                                                  double high);

/**
 * One more iteration.
 *
 * @param[in,out] bracket started; left as it was on failure
 * @return CAROM_OK; NOT_CONVERGED if the function's value is no number
 */
CAROM_MUST_CHECK carom_status carom_bracket_narrow(carom_bracket *bracket);

/* ------------------------------------------------------------------------------ underdetermined */
/* Roots of a smooth function with at least as many unknowns as equations, near a start. */

/**
 * F: R^n -> R^m and its Jacobian.
 *
 * @param[in]  z        [n]
 * @param[out] F        [m]
 * @param[out] jacobian [m][n] row-major
 * @param[in]  context  of the system
 * @param[out] report   of a failure; never NULL
 * @return CAROM_OK; OUT_OF_RANGE: z is outside the domain, a shorter step is tried; any other
 * failure ends the search
 */
typedef carom_status (*carom_underdetermined_function)(const double *z, double *F, double *jacobian,
                                                       void *context, carom_report *report);

/** The equations F(z) = 0. */
typedef struct carom_underdetermined_system {
    int equation_count; /**< m >= 1 */
    int unknown_count;  /**< n >= m */
    carom_underdetermined_function function;
    void *context;       /**< handed to the function */
    const bool *is_free; /**< [n] which unknowns may move, at least m; NULL: all */
} carom_underdetermined_system;

/** Which of the roots near the start. */
typedef enum carom_underdetermined_goal {
    CAROM_UNDERDETERMINED_GAUSS_NEWTON, /**< z <- z - J^+ F: quadratic, a root near the start */
    CAROM_UNDERDETERMINED_NEAREST       /**< z <- z_0 + J^+ (J (z - z_0) - F): the end satisfies F =
                                         0 and z - z_0 = J' lambda, the conditions of least distance;
                                         linear, by the curvature of F times that distance */
} carom_underdetermined_goal;

typedef struct carom_underdetermined_params {
    carom_underdetermined_goal goal;
    double tolerance;      /**< max-norm of F at a root, > 0 */
    double step_tolerance; /**< max-norm of the last step, > 0; the nearest root only */
    int most_iterations;   /**< steps, >= 1 */
    int most_halvings;     /**< of a step that leaves the domain, >= 0 */
} carom_underdetermined_params;

/** Gauss-Newton, 1e-13, 1e-12, 50, 10. */
carom_underdetermined_params carom_underdetermined_params_default(void);

/** How a search went. */
typedef struct carom_underdetermined_result {
    int iterations;   /**< steps */
    double residual;  /**< max-norm of F at the end */
    double distance;  /**< |z - z_0| */
    double condition; /**< ratio of the extreme singular values of J at the end, columns of the free
                         unknowns; infinite without full rank */
} carom_underdetermined_result;

/** Work memory of a search. */
typedef struct carom_underdetermined_workspace carom_underdetermined_workspace;

/**
 * Work memory for systems of one size.
 *
 * @param[in]  equation_count m >= 1
 * @param[in]  unknown_count  n >= m
 * @param[out] out            belongs to the caller; NULL on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_underdetermined_workspace_alloc(
    int equation_count, int unknown_count, carom_underdetermined_workspace **out);

/** Free; NULL is accepted. */
void carom_underdetermined_workspace_free(carom_underdetermined_workspace *work);
CAROM_AUTO_TYPE(carom_underdetermined_workspace)

/**
 * Find a root near z. J^+ is the pseudo-inverse of the free columns, by singular values; unknowns
 * that are not free keep their bits. A step that leaves the domain is halved.
 *
 * @param[in]     system the equations
 * @param[in]     params as above
 * @param[in,out] z      [n] the start, then the root; unchanged on failure
 * @param[out]    F      [m] at the root; NaN on failure; may be NULL
 * @param[in,out] work   of the system's size
 * @param[out]    result may be NULL; untouched on failure
 * @param[out]    report residual and iterations too; may be NULL
 * @return CAROM_OK; NOT_CONVERGED after most_iterations; SINGULAR: J has not full rank where a
 * step is needed (smallest singular value below 1e-13 of the largest); NOT_FINITE: F or J (index
 * among their entries); OUT_OF_RANGE: the start is outside the domain, or the step however halved;
 * what else the function returns
 * Source: Ben-Israel 1966 for Gauss-Newton steps of minimum norm.
 * Cost: one singular value decomposition of n x m, one call of the function for each step and
 * halving.
 */
CAROM_MUST_CHECK carom_status carom_underdetermined_root_find(
    const carom_underdetermined_system *system, const carom_underdetermined_params *params,
    double *z, double *F, carom_underdetermined_workspace *work,
    carom_underdetermined_result *result, carom_report *report);

#endif
