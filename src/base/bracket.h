/** Internal: Brent's method for one root between two ends, quiet where it cannot go on. */
#ifndef CAROM_BASE_BRACKET_H
#define CAROM_BASE_BRACKET_H

#include <carom/base/base.h>

#include <gsl/gsl_roots.h>
#include <stdbool.h>

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

#endif
