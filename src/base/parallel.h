/** One parallel map: independent items over the threads of one machine, the result independent of
 * their number. */
#ifndef CAROM_BASE_PARALLEL_H
#define CAROM_BASE_PARALLEL_H

#include <carom/base/base.h>

/** Compute item i; writes only what belongs to item i. */
typedef carom_status (*carom_parallel_body)(int item, void *context, carom_report *report);

/**
 * Run body(0) .. body(count-1), each once, on up to `threads` threads (0: all cores). Returns the
 * status and report of the lowest-numbered item that failed, whatever order they ran in; all items
 * are run.
 *
 * @param[in]  count   number of items, >= 0
 * @param[in]  threads 0 or more
 * @param[in]  body    reentrant
 * @param[in]  context handed to body
 * @param[out] report  of the failing item; may be NULL
 */
CAROM_MUST_CHECK carom_status carom_parallel_map(int count, int threads, carom_parallel_body body,
                                                 void *context, carom_report *report);

#endif
