/** Progress of long work: percentage, rate, remaining time. On a terminal a line that is written
 * anew; elsewhere, and under make, one in ten seconds that names the program of
 * carom_experiment_main, outside of which it is silent. */
#ifndef CAROM_PROGRAM_PROGRESS_H
#define CAROM_PROGRAM_PROGRESS_H

#include <carom/base/attributes.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

typedef struct carom_progress carom_progress;

/** Start; returns NULL (accepted everywhere) if quiet, nothing is shown, or out of memory. */
carom_progress *carom_progress_start(const char *label, long total, const char *unit,
                                     bool is_quiet);

/** Add finished work; callable from several threads. */
void carom_progress_add(carom_progress *progress, long done);

/** Clear the line and free. */
void carom_progress_finish(carom_progress *progress);

CAROM_END_DECLARATIONS

#endif
