/** Finite-difference check of every derivative that a mechanism supplies. */
#ifndef CAROM_MECHANISM_CHECK_H
#define CAROM_MECHANISM_CHECK_H

#include <carom/mechanism/mechanism.h>

/** The worst entry found, and the entry to mend when the check fails. */
typedef struct carom_mechanism_mismatch {
    const char *derivative;   /**< name of the struct member, e.g. "constraint_jacobian" */
    int row;                  /**< row of the entry */
    int column;               /**< column of the entry */
    double supplied;          /**< what the mechanism says */
    double finite_difference; /**< what differencing says */
    double relative_error;    /**< |difference| / max(1, largest entry of that derivative) */
} carom_mechanism_mismatch;

/**
 * Compare mass_derivative, stiffness, damping, constraint_jacobian, constraint_force_derivative,
 * constraint_rate_derivative and (if `is_linear`) constancy with central differences at one state;
 * a NULL derivative is compared with zero. The directions a, lambda are drawn from `seed`.
 *
 * @param[in]  mechanism the system
 * @param[in]  t         time in s
 * @param[in]  q         [n]
 * @param[in]  v         [n]
 * @param[in]  tolerance relative error that is still accepted, e.g. 1e-6
 * @param[in]  seed      of the random directions
 * @param[out] worst     the worst entry over all derivatives; may be NULL
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_mechanism_check(const carom_mechanism *mechanism, double t,
                                                    const double *q, const double *v,
                                                    double tolerance, unsigned long seed,
                                                    carom_mechanism_mismatch *worst);

#endif
