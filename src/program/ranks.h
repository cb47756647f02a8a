/** Ranks of one run: the same program on the same bytes in several processes, which share the items
 * of its parallel maps. */
#ifndef CAROM_PROGRAM_RANKS_H
#define CAROM_PROGRAM_RANKS_H

#include <carom/base/parallel.h>
#include <carom/program/checkpoint.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* ------------------------------------------------------------------------------------ transport */
/* How the ranks reach each other. Functions of all ranks are called by each at the same place. */

/** Functions of a message-passing library; `self` is what `open` gave. */
typedef struct carom_transport {
    bool has_ranks; /**< whether it can be of several processes */
    /** Of all ranks: find the others; false: it cannot be started. */
    bool (*open)(void **self, int *rank, int *rank_count);
    /** Of all ranks: free what `open` made. */
    void (*close)(void *self);
    /** End all ranks with this exit status. */
    void (*abandon)(void *self, int exit_status);
    /** Of all ranks, each of which has called `smallest` since the last time: the counter is 0 for
     * all that ask from here on. */
    void (*reset)(void *self);
    /** The counter before it is raised by one, whoever asks; one thread of a rank at a time. */
    int (*count)(void *self);
    /** Of all ranks: the bytes of one rank to all. */
    void (*broadcast)(void *self, void *bytes, size_t size, int from);
    /** Of all ranks: the smallest of their numbers. */
    int (*smallest)(void *self, int number);
} carom_transport;

/** That of the program: one process alone, unless it is linked with another (mpi_transport.c). */
extern const carom_transport carom_transport_of_program;

/* ---------------------------------------------------------------------------------------- ranks */

/** What the main of a program knows of its ranks and of its finished work. */
typedef struct carom_ranks {
    const carom_transport *transport;
    void *connection;             /**< its `self` */
    int rank;                     /**< of this process */
    int rank_count;               /**< 1 or more */
    FILE *voice;                  /**< stderr; where it is silent, that of the process */
    const char *program;          /**< for sentences */
    carom_checkpoint *checkpoint; /**< NULL: none; owned */
    int map;                      /**< number of the map under way, from 0 */
    int next;                     /**< block to be taken, where there is one rank */
    bool is_alone;                /**< failed where the others may not have */
    carom_work_exchange exchange; /**< for maps */
} carom_ranks;

/**
 * Of all ranks: find the others. All but rank 0 are silent from then on, but for their voice.
 *
 * @param[in]  program its name
 * @param[out] ranks   stays where it is until it is closed
 * @param[out] report  says why not; may be NULL
 * @return CAROM_OK; UNSUPPORTED: several processes were started, and the program knows none of the
 * others
 */
CAROM_MUST_CHECK carom_status carom_ranks_open(const char *program, carom_ranks *ranks,
                                               carom_report *report);

/** Of all ranks: the smallest of their numbers. */
int carom_ranks_smallest(const carom_ranks *ranks, int number);

/** Of all ranks: whether it is so on all. */
bool carom_ranks_agree(const carom_ranks *ranks, bool is_so);

/**
 * Of all ranks: go on from a checkpoint, and keep what maps finish.
 *
 * @param[in,out] ranks    open
 * @param[in]     path     FILE
 * @param[in]     identity see carom_checkpoint_open
 * @param[out]    report   the sentence; may be NULL
 * @return CAROM_OK; CONFLICT, IO, OUT_OF_MEMORY of this rank or, without a sentence, of another
 */
CAROM_MUST_CHECK carom_status carom_ranks_keep(carom_ranks *ranks, const char *path,
                                               const char *identity, carom_report *report);

/** Who computes: so many threads of each rank. */
carom_workers carom_ranks_workers(carom_ranks *ranks, int threads);

/** The work is done: what was kept is removed, by rank 0. */
void carom_ranks_forget(carom_ranks *ranks);

/** The input is refused: a checkpoint that keeps nothing is removed. */
void carom_ranks_forget_nothing(const carom_ranks *ranks);

/** Of all ranks, or of one that failed alone and takes the others with it: leave. @return the exit
 * status of this process */
int carom_ranks_close(carom_ranks *ranks, int exit_status);

#endif
