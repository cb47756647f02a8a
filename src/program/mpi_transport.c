/*
 * Ranks that reach each other by MPI. Linked into the programs of build/mpi/bin (make MPI=1) alone:
 * the library knows no MPI.
 */
#include <carom/program/ranks.h>

#include <mpi.h>
#include <stdlib.h>

/** Bytes of one message: MPI counts them with an int. */
static const size_t MOST_BYTES = (size_t)1 << 30;

/** What one rank holds of MPI. */
typedef struct connection {
    MPI_Win window; /**< of the counters, ints of the rank 0 */
    int rank;
    int counter; /**< which of them this map has */
} connection;

/** One map asks the first, the next one the second, and so on. */
enum { COUNTERS = 2 };

/** Programs that this one starts are no ranks. */
static void hide_launcher(void) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE",
                                        "PMI_RANK"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        unsetenv(names[i]);
    }
}

/** Put a number into a counter, or add it. */
static int change_counter(const connection *c, int counter, int number, MPI_Op how) {
    int before = 0;
    MPI_Fetch_and_op(&number, &before, MPI_INT, 0, counter, how, c->window);
    MPI_Win_flush(0, c->window);
    return before;
}

static bool open_ranks(void **self, int *rank, int *rank_count) {
    int provided = MPI_THREAD_SINGLE;
    connection *c = calloc(1, sizeof *c);
    // Of a map's threads one at a time takes a block.
    if (c == NULL || MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS ||
        provided < MPI_THREAD_SERIALIZED) {
        free(c);
        return false;
    }
    hide_launcher();
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, rank_count);
    c->rank = *rank;
    int *counters = NULL;
    const MPI_Aint size = *rank == 0 ? (MPI_Aint)(COUNTERS * sizeof *counters) : 0;
    MPI_Win_allocate(size, (int)sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD, &counters,
                     &c->window);
    MPI_Win_lock_all(0, c->window);
    for (int i = 0; i < COUNTERS && *rank == 0; i++) {
        change_counter(c, i, 0, MPI_REPLACE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    *self = c;
    return true;
}

static void close_ranks(void *self) {
    connection *c = self;
    MPI_Win_unlock_all(c->window);
    MPI_Win_free(&c->window);
    MPI_Finalize();
    free(c);
}

static void abandon(void *self, int exit_status) {
    (void)self;
    MPI_Abort(MPI_COMM_WORLD, exit_status);
}

/** Without waiting. All ranks agree at the end of each map: as rank 0 begins one, nobody asks the
 * counter of the map before any more, and nobody that of the next one before rank 0 has come to the
 * end of this. */
static void reset(void *self) {
    connection *c = self;
    const int next = c->counter;
    c->counter = (c->counter + 1) % COUNTERS;
    if (c->rank == 0) {
        change_counter(c, next, 0, MPI_REPLACE);
    }
}

static int count(void *self) {
    const connection *c = self;
    return change_counter(c, c->counter, 1, MPI_SUM);
}

static void broadcast(void *self, void *bytes, size_t size, int from) {
    (void)self;
    for (size_t at = 0; at < size; at += MOST_BYTES) {
        const size_t rest = size - at;
        MPI_Bcast((char *)bytes + at, (int)(rest < MOST_BYTES ? rest : MOST_BYTES), MPI_BYTE, from,
                  MPI_COMM_WORLD);
    }
}

static int smallest(void *self, int number) {
    (void)self;
    int least = number;
    MPI_Allreduce(&number, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return least;
}

const carom_transport carom_transport_of_program = {
    .has_ranks = true,
    .open = open_ranks,
    .close = close_ranks,
    .abandon = abandon,
    .reset = reset,
    .count = count,
    .broadcast = broadcast,
    .smallest = smallest,
};
