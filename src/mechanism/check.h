/** Finite-difference check of every derivative that a mechanism supplies. */
#ifndef CAROM_MECHANISM_CHECK_H
#define CAROM_MECHANISM_CHECK_H

#include <carom/mechanism/mechanism.h>

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
                                 value of the function differenced): the second term lets an entry
                                 that cannot be told from rounding pass */
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
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE; OUT_OF_MEMORY
 * Cost: 2 n evaluations of each function, O(n^2 b) for a band (10^4 coordinates take seconds); the
 * memory is that of M, K and G, never n x n for a band. The step is eps^(1/3) max(1, |q_j|): errors
 * of correct derivatives stay below 1e-7 where the functions vary over lengths of order one.
 */
CAROM_MUST_CHECK carom_status carom_mechanism_check(const carom_mechanism *mechanism, double t,
                                                    const double *q, const double *v,
                                                    double tolerance, unsigned long seed,
                                                    carom_mechanism_mismatch *worst);

#endif
