/** Who computes independent items of work: threads of this process and, where a program has them,
 * ranks beyond it. No result depends on them. */
#ifndef CAROM_BASE_WORKERS_H
#define CAROM_BASE_WORKERS_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/** Ranks and finished work of a run, made by a program's main. */
typedef struct carom_work_exchange carom_work_exchange;

/** Handed by value to whoever has independent items to compute. `{0}`: all cores; of a library's
 * user `{.threads = 2}`. */
typedef struct carom_workers {
    int threads; /**< of this process; 0: all cores */
    carom_work_exchange
        *exchange; /**< borrowed; NULL: this process computes all, and remembers nothing */
} carom_workers;

CAROM_END_DECLARATIONS

#endif
