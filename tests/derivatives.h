/** Derivatives of a mechanism against differences. */
#ifndef CAROM_TESTS_DERIVATIVES_H
#define CAROM_TESTS_DERIVATIVES_H

#include "support.h"

#include <carom/mechanism/mechanism.h>

/** carom_mechanism_check succeeds; `draw` is said where it does not. */
static inline void assert_derivatives(const carom_mechanism *mechanism, double t, const double *q,
                                      const double *v, double tolerance, unsigned long seed,
                                      unsigned long draw) {
    carom_mechanism_mismatch worst = {0};
    const carom_status status = carom_mechanism_check(mechanism, t, q, v, tolerance, seed, &worst);
    ck_assert_msg(status == CAROM_OK, "draw %lu: %s (%d,%d) %.17g, differences %.17g", draw,
                  worst.derivative == NULL ? carom_status_name(status) : worst.derivative,
                  worst.row, worst.column, worst.supplied, worst.finite_difference);
}

#endif
