/** Ranks as threads of one process, which reach each other by memory. */
#ifndef CAROM_TESTS_PROGRAM_MEMORY_RANKS_H
#define CAROM_TESTS_PROGRAM_MEMORY_RANKS_H

#include <carom/program/ranks.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MOST_RANKS = 4 };

/** What all ranks share. */
typedef struct world {
    int rank_count;
    pthread_barrier_t barrier;
    atomic_int counter;
    int numbers[MOST_RANKS];
    void *bytes;
} world;

/** One rank of it. */
typedef struct place {
    world *all;
    int rank;
} place;

static inline void reset(void *self) {
    const place *of = self;
    pthread_barrier_wait(&of->all->barrier);
    atomic_store(&of->all->counter, 0);
    pthread_barrier_wait(&of->all->barrier);
}

static inline int count(void *self) {
    const place *of = self;
    return atomic_fetch_add(&of->all->counter, 1);
}

static inline void broadcast(void *self, void *bytes, size_t size, int from) {
    const place *of = self;
    if (of->rank == from) {
        of->all->bytes = bytes;
    }
    pthread_barrier_wait(&of->all->barrier);
    if (of->rank != from && size > 0) {
        memcpy(bytes, of->all->bytes, size);
    }
    pthread_barrier_wait(&of->all->barrier);
}

static inline int smallest(void *self, int number) {
    const place *of = self;
    of->all->numbers[of->rank] = number;
    pthread_barrier_wait(&of->all->barrier);
    int least = number;
    for (int i = 0; i < of->all->rank_count; i++) {
        least = of->all->numbers[i] < least ? of->all->numbers[i] : least;
    }
    pthread_barrier_wait(&of->all->barrier);
    return least;
}

static const carom_transport by_memory = {.has_ranks = true,
                                          .reset = reset,
                                          .count = count,
                                          .broadcast = broadcast,
                                          .smallest = smallest};

#endif
