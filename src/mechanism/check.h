/** Finite-difference check of every derivative that a mechanism supplies. */
#ifndef CAROM_MECHANISM_CHECK_H
#define CAROM_MECHANISM_CHECK_H

#include <carom/mechanism/mechanism.h>

CAROM_BEGIN_DECLARATIONS

/**
 * The worst entry found, and the entry to mend when the check fails. For a linear mechanism that is
 * not: `derivative` is "mass", "stiffness", "damping", "constraint_jacobian",
 * "tangential_jacobian" with the entry at the given state (supplied) and at another
 * (finite_difference), or "force", "constraints" with the value midway between two states and the
 * mean of its values there; column -1.
 */
typedef struct carom_mechanism_mismatch {
    const char *derivative;   /**< name of the struct member, e.g. "constraint_jacobian"; NULL if
                                 there was nothing to compare */
    int row;                  /**< row of the entry */
    int column;               /**< column of the entry */
    double supplied;          /**< what the mechanism says; 0 outside the band or if NULL */
    double finite_difference; /**< what differencing says */
    double relative_error;    /**< |difference| / max(largest entry of that derivative, 1e-3 largest
                                 value of the function differenced), entries and values times what
                                 their coordinates reach: the second term lets an entry that cannot
                                 be told from rounding pass */
} carom_mechanism_mismatch;

/**
 * Compare mass_derivative, stiffness, damping, constraint_jacobian, constraint_force_derivative,
 * constraint_rate_derivative, tangential_rate_derivative and (if `is_linear`, before the others)
 * constancy with central differences at one state; a NULL derivative is compared with zero, and so
 * are the entries outside a band. The directions a (of the mass and the rate derivative) and lambda
 * are drawn from `seed`.
 *
 * @param[in]  mechanism the system
 * @param[in]  t         time in s
 * @param[in]  q         [n]
 * @param[in]  v         [n]
 * @param[in]  tolerance relative error that is still accepted, e.g. 1e-6
 * @param[in]  seed      of the random directions
 * @param[out] worst     the worst entry over all derivatives, or the first entry that is not finite
 * (relative error NaN); may be NULL
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE; OUT_OF_RANGE as
 * carom_mechanism_check_functions; OUT_OF_MEMORY
 * Cost: 2 n evaluations of each function, O(n^2 b) for a band (10^4 coordinates take seconds); the
 * memory is that of M, K and G, never n x n for a band. The step is eps^(1/3) of what a coordinate
 * reaches (its size, a gap, the other coordinates in the mass metric), in any units; a column that
 * seems wrong is tried with the steps of other decades and judged by the best of them. Errors of
 * correct derivatives stay below 1e-7.
 */
CAROM_MUST_CHECK carom_status carom_mechanism_check(const carom_mechanism *mechanism, double t,
                                                    const double *q, const double *v,
                                                    double tolerance, unsigned long seed,
                                                    carom_mechanism_mismatch *worst);

/**
 * The same question at the cost of some evaluations, for the start of a motion: every derivative,
 * and what a NULL one says, along a few seeded directions near one state, against differences of
 * the function. Refused is only a deviation of a row (above 1e-5 of it, and above the third
 * differences of the function by itself) that follows the step, or the row, over three decades and
 * that no smaller step contradicts, along two directions: kinks, stairs, stiff functions and any
 * units pass. Beside the lengths inside a function a state may be nothing, and small steps show
 * only what rounding left: where the derivative holds at larger ones, it is refused only if the
 * function rounds less there than was missed. What rounding hides at every step passes in silence.
 *
 * @param[in]  mechanism the system, as carom_mechanism_validate accepts it
 * @param[in]  t         time in s
 * @param[in]  q         [n]
 * @param[in]  v         [n]
 * @param[in]  seed      of the directions
 * @param[out] report    a sentence ("mechanism 'crate': mass_derivative is missing: the mass matrix
 *                       changes with the position (row 2)") and the row as index; may be NULL
 * @return CAROM_OK; DERIVATIVE_MISMATCH; OUT_OF_RANGE as carom_mechanism_check_functions;
 * OUT_OF_MEMORY
 * Cost: some six evaluations of each function, hundreds of one in doubt; memory O(n + the layout +
 * that of the Jacobians). By chance, rounding inside a function looks like a wrong derivative at
 * about one in a thousand of the states that are nothing beside its lengths.
 */
CAROM_MUST_CHECK carom_status carom_mechanism_check_directions(const carom_mechanism *mechanism,
                                                               double t, const double *q,
                                                               const double *v, unsigned long seed,
                                                               carom_report *report);

CAROM_END_DECLARATIONS

#endif
