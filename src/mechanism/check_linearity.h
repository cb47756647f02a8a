/** Internal: what a mechanism promises that says that it is linear. */
#ifndef CAROM_MECHANISM_CHECK_LINEARITY_H
#define CAROM_MECHANISM_CHECK_LINEARITY_H

#include <carom/mechanism/check_members.h>
#include <carom/mechanism/check_tally.h>

/**
 * M, K, C, G and H are the same at two states and two times, f and g take midway between two states
 * the mean of their values there.
 *
 * @return CAROM_OK; DERIVATIVE_MISMATCH; NOT_FINITE; the worst entry in `worst`
 */
CAROM_MUST_CHECK carom_status carom_check_linearity(carom_check_state *c, double tolerance,
                                                    carom_mechanism_mismatch *worst);

#endif
