/** Progress of long work on a terminal: percentage, rate, remaining time; silent when stderr is not
 * a terminal. Under make each line stands for itself and names the program. */
#ifndef CAROM_PROGRAM_PROGRESS_H
#define CAROM_PROGRAM_PROGRESS_H

#include <carom/base/attributes.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

typedef struct carom_progress carom_progress;

/** Start; returns NULL (accepted everywhere) if quiet, not a terminal, or out of memory. */
carom_progress *carom_progress_start(const char *label, long total, const char *unit,
                                     bool is_quiet);

/** Add finished work; callable from several threads. */
void carom_progress_add(carom_progress *progress, long done);

/** Clear the line and free. */
void carom_progress_finish(carom_progress *progress);

CAROM_END_DECLARATIONS

#endif
