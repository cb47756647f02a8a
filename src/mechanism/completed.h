/** A mechanism with the derivatives that its user leaves to differences. */
#ifndef CAROM_MECHANISM_COMPLETED_H
#define CAROM_MECHANISM_COMPLETED_H

#include <carom/base/base.h>
#include <carom/mechanism/mechanism.h>

/** A mechanism, and what forms its derivatives; one for each stepper. */
typedef struct carom_completed carom_completed;

/**
 * Complete a mechanism by the derivatives that `differences` asks for and that are NULL, where they
 * are not zero by what else it says.
 *
 * @param[in]  mechanism counts and functions have passed; borrowed
 * @param[out] out       belongs to the caller, to be freed by carom_completed_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_completed_alloc(const carom_mechanism *mechanism,
                                                    carom_completed **out);

/** Free; NULL is accepted. */
void carom_completed_free(carom_completed *completed);
CAROM_AUTO_TYPE(carom_completed)

/** The mechanism, borrowed: as it was given if there is nothing to form. Not reentrant otherwise.
 */
const carom_mechanism *carom_completed_mechanism(const carom_completed *completed);

/**
 * Whatever a stepper asks where a motion starts: carom_mechanism_validate, the steps of
 * differences, and where it is asked for carom_mechanism_check_directions.
 *
 * @return as they do
 */
CAROM_MUST_CHECK carom_status carom_completed_start(carom_completed *completed, double t,
                                                    const double *q, const double *v,
                                                    bool is_checked, carom_report *report);

/**
 * Choose the steps of all differences at a state, before any is formed: of ten decades, from
 * eps^(1/5) of what a coordinate reaches downwards, that from which a column changes least to the
 * next. Cost: 40 n evaluations of each function, of a band of b diagonals 40 b.
 *
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_completed_choose(carom_completed *completed, double t,
                                                     const double *q, const double *v);

#endif
