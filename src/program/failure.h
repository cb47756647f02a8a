/** Private to the driver: the one sentence with which a run fails. */
#ifndef CAROM_PROGRAM_FAILURE_H
#define CAROM_PROGRAM_FAILURE_H

#include <carom/program/program.h>

#include <stdio.h>

/**
 * Print `NAME: CONTEXT: SENTENCE at t = T s with h = H s: QUANTITY = VALUE, residual R after N
 * iterations`, leaving out what the report does not know. A quantity that is also an option is
 * called `--option` and takes its units.
 */
void carom_failure_print(FILE *stream, const carom_program *program, carom_status status,
                         const carom_report *report);

#endif
