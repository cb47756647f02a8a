#include <carom/program/ranks.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/** Blocks of a map for each rank: few against the items of long maps, many enough that the last
 * ones end together. */
enum { BLOCKS_OF_A_RANK = 64 };

/** Bytes of entries after which they are kept at once. */
static const size_t MOST_PENDING = (size_t)1 << 22;

/** Items of a block, the same on all ranks. */
static int block_size(const carom_ranks *ranks, int count) {
    const int size = count / (ranks->rank_count * BLOCKS_OF_A_RANK);
    return size > 1 ? size : 1;
}

/* -------------------------------------------------------------------------------- the exchange */

static carom_status begin(void *self, int count, carom_work_delivery deliver, void *context) {
    carom_ranks *ranks = self;
    ranks->next = 0;
    if (ranks->rank_count > 1) {
        ranks->transport->reset(ranks->connection);
    }
    const int map = ranks->map++;
    return ranks->checkpoint == NULL
               ? CAROM_OK
               : carom_checkpoint_deliver(ranks->checkpoint, map, count, deliver, context);
}

static void next(void *self, int count, int *first, int *end) {
    carom_ranks *ranks = self;
    const int block =
        ranks->rank_count > 1 ? ranks->transport->count(ranks->connection) : ranks->next;
    const long size = block_size(ranks, count);
    const long begins = block * size;
    const long ends = begins + size;
    *first = begins < count ? (int)begins : count;
    *end = ends < count ? (int)ends : count;
    ranks->next = *first < count ? block + 1 : block;
}

static bool is_due(void *self, size_t size) {
    const carom_ranks *ranks = self;
    return size >= MOST_PENDING || carom_checkpoint_is_due(ranks->checkpoint);
}

static void keep(void *self, int count, const unsigned char *entries, size_t size) {
    const carom_ranks *ranks = self;
    const int before = carom_checkpoint_failure(ranks->checkpoint);
    carom_checkpoint_append(ranks->checkpoint, ranks->map - 1, count, entries, size);
    const int failure = carom_checkpoint_failure(ranks->checkpoint);
    if (before == 0 && failure != 0) {
        fprintf(
            ranks->voice,
            "%s: the checkpoint cannot be written: %s; it stays as it is, and the run goes on\n",
            ranks->program, strerror(failure));
    }
}

int carom_ranks_smallest(const carom_ranks *ranks, int number) {
    return ranks->rank_count > 1 ? ranks->transport->smallest(ranks->connection, number) : number;
}

static int smallest(void *self, int number) {
    return carom_ranks_smallest(self, number);
}

static carom_status gather(void *self, unsigned char *entries, size_t size,
                           carom_work_delivery deliver, void *context) {
    const carom_ranks *ranks = self;
    const carom_transport *transport = ranks->transport;
    carom_status status = CAROM_OK;
    for (int from = 0; from < ranks->rank_count && ranks->rank_count > 1; from++) {
        const bool is_own = from == ranks->rank;
        size_t length = size;
        transport->broadcast(ranks->connection, &length, sizeof length, from);
        unsigned char *bytes = is_own ? NULL : malloc(length + 1);
        if (!is_own && bytes == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        transport->broadcast(ranks->connection, is_own ? entries : bytes, length, from);
        if (!is_own && status == CAROM_OK) {
            status = deliver(bytes, length, context);
        }
        free(bytes);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------- ranks */

/** What a launcher of MPI programs says in the environment: SIZE, the processes that it has
 * started, or RANK, which of them this is; 0 if there is none. */
static long launched(const char *what) {
    static const char *const launchers[] = {"OMPI_COMM_WORLD_", "PMI_"};
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", launchers[i], what);
        const char *text = getenv(name);
        if (text != NULL) {
            return strtol(text, NULL, 10);
        }
    }
    return 0;
}

/** Say nothing, but for the voice. */
static bool fall_silent(carom_ranks *ranks) {
    fflush(stderr);
    const int own = dup(STDERR_FILENO);
    ranks->voice = own < 0 ? NULL : fdopen(own, "w");
    return ranks->voice != NULL && freopen("/dev/null", "w", stdout) != NULL &&
           freopen("/dev/null", "w", stderr) != NULL;
}

carom_status carom_ranks_open(const char *program, carom_ranks *ranks, carom_report *report) {
    *ranks = (carom_ranks){.transport = &carom_transport_of_program,
                           .rank_count = 1,
                           .voice = stderr,
                           .program = program};
    const long processes = launched("SIZE");
    if (processes > 1 && !ranks->transport->has_ranks) {
        ranks->rank = (int)launched("RANK");
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED,
                                "started as %ld ranks, but built for one: make MPI=1 builds "
                                "build/mpi/bin/%s",
                                processes, program);
    }
    if (!ranks->transport->open(&ranks->connection, &ranks->rank, &ranks->rank_count)) {
        return carom_report_say(report, CAROM_STATUS_UNSUPPORTED, "MPI cannot be started");
    }
    if (ranks->rank > 0 && !fall_silent(ranks)) {
        ranks->transport->abandon(ranks->connection, EXIT_FAILURE);
    }
    return CAROM_OK;
}

bool carom_ranks_agree(const carom_ranks *ranks, bool is_so) {
    return carom_ranks_smallest(ranks, is_so ? 1 : 0) == 1;
}

/** Of all ranks: whether a number is the same on all. */
static bool is_same(const carom_ranks *ranks, int number) {
    const bool is_least = carom_ranks_smallest(ranks, number) == number;
    const bool is_most = carom_ranks_smallest(ranks, -number) == -number;
    return carom_ranks_agree(ranks, is_least && is_most);
}

carom_status carom_ranks_keep(carom_ranks *ranks, const char *path, const char *identity,
                              carom_report *report) {
    // All read before any writes.
    CAROM_AUTO(carom_checkpoint) checkpoint = NULL;
    carom_status status = carom_checkpoint_open(path, identity, &checkpoint, report);
    if (!carom_ranks_agree(ranks, status == CAROM_OK)) {
        return status != CAROM_OK ? status : CAROM_STATUS_IO;
    }
    if (!is_same(ranks, carom_checkpoint_digest(checkpoint))) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the ranks do not see the same %.160s: it must lie where all read",
                                path);
    }
    status = carom_checkpoint_start(checkpoint, ranks->rank, report);
    if (!carom_ranks_agree(ranks, status == CAROM_OK)) {
        return status != CAROM_OK ? status : CAROM_STATUS_IO;
    }
    CAROM_HAND_OVER(checkpoint, &ranks->checkpoint);
    return CAROM_OK;
}

carom_workers carom_ranks_workers(carom_ranks *ranks, int threads) {
    ranks->exchange = (carom_work_exchange){.self = ranks,
                                            .rank_count = ranks->rank_count,
                                            .is_kept = ranks->checkpoint != NULL,
                                            .begin = begin,
                                            .next = next,
                                            .is_due = is_due,
                                            .keep = keep,
                                            .smallest = smallest,
                                            .gather = gather};
    const bool is_shared = ranks->rank_count > 1 || ranks->checkpoint != NULL;
    return (carom_workers){.threads = threads, .exchange = is_shared ? &ranks->exchange : NULL};
}

void carom_ranks_forget(carom_ranks *ranks) {
    if (ranks->checkpoint != NULL && ranks->rank == 0) {
        carom_checkpoint_remove(ranks->checkpoint, ranks->rank_count);
    }
}

void carom_ranks_forget_nothing(const carom_ranks *ranks) {
    if (ranks->checkpoint != NULL) {
        carom_checkpoint_remove_empty(ranks->checkpoint, ranks->rank);
    }
}

int carom_ranks_close(carom_ranks *ranks, int exit_status) {
    carom_checkpoint_free(ranks->checkpoint);
    if (ranks->rank_count > 1) {
        fflush(stderr);
        fflush(ranks->voice);
    }
    if (ranks->is_alone && ranks->rank_count > 1) {
        ranks->transport->abandon(ranks->connection, exit_status);
    }
    if (ranks->transport->close != NULL) {
        ranks->transport->close(ranks->connection);
    }
    return exit_status;
}
