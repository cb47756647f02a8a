/** Qualitative statements of a paper, decided by computation and recorded as 0 or 1. */
#ifndef CAROM_RECORD_CLAIM_H
#define CAROM_RECORD_CLAIM_H

#include <carom/record/record.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Write /claims/NAME: 1 if the statement holds in this run, 0 if not.
 *
 * @param[in,out] record    open record
 * @param[in]     name      lower_snake identifier; too long: OUT_OF_RANGE
 * @param[in]     holds     decided by the caller from its results
 * @param[in]     statement the statement, one line, kept as long_name
 */
void carom_record_claim(carom_record *record, const char *name, bool holds, const char *statement);

/**
 * Write /measures/NAME: one number drawn from a run that a published item or a claim is about.
 *
 * @param[in,out] record    open record
 * @param[in]     name      lower_snake identifier; too long: OUT_OF_RANGE
 * @param[in]     value     the number
 * @param[in]     units     "m s-1", "1" if dimensionless
 * @param[in]     long_name one line
 */
void carom_record_measure(carom_record *record, const char *name, double value, const char *units,
                          const char *long_name);

CAROM_END_DECLARATIONS

#endif
