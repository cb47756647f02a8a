/*
 * Ranks as threads of one process, which reach each other by memory: what a map leaves on each of
 * them is compared with the same map without ranks, byte by byte, and with a checkpoint after a run
 * that ended early, whose file is cut at any byte.
 */
#include "../record/scratch.h"
#include "memory_ranks.h"

#include <carom/program/internal.h>
#include <carom/program/ranks.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>

FIXTURE(scratch_setup, scratch_teardown);

enum { ITEMS = 203, CELLS = 31, RAGGED = 3 * ITEMS - 4 };

/* ------------------------------------------------------------------------------------- the work */

/** What items leave, in every way that there is. */
typedef struct left_behind {
    double rows[ITEMS];
    int ragged[RAGGED]; /**< three an item, the last ones fewer, or none */
    atomic_uchar cells[CELLS];
    unsigned char *texts[ITEMS]; /**< packed: item % 7 bytes, and one that is not kept */
} left_behind;

/** The work of one rank. */
typedef struct work {
    left_behind *left;
    atomic_int *calls; /**< [ITEMS] on all ranks */
    int failing_from;  /**< items from here on fail */
} work;

static carom_status compute(int item, void *context, carom_report *report) {
    const work *of = context;
    left_behind *left = of->left;
    atomic_fetch_add(&of->calls[item], 1);
    if (item >= of->failing_from) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "item", 0.25 * item, item);
    }
    left->rows[item] = sin(0.731 * item);
    for (int i = 3 * item; i < 3 * item + 3 && i < RAGGED; i++) {
        left->ragged[i] = 7 * i + 2;
    }
    atomic_store(&left->cells[item * item % CELLS], 1);
    left->texts[item] = calloc(8, 1);
    if (left->texts[item] == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    memset(left->texts[item], 'a' + item % 26, (size_t)(item % 7));
    return CAROM_OK;
}

static carom_status pack(int item, void *context, carom_parallel_bytes *bytes) {
    const work *of = context;
    return carom_parallel_append(bytes, of->left->texts[item], (size_t)(item % 7));
}

static carom_status unpack(int item, const unsigned char *data, size_t size, void *context) {
    const work *of = context;
    ck_assert_uint_eq(size, (size_t)(item % 7));
    ck_assert_ptr_null(of->left->texts[item]);
    of->left->texts[item] = calloc(8, 1);
    ck_assert_ptr_nonnull(of->left->texts[item]);
    memcpy(of->left->texts[item], data, size);
    return CAROM_OK;
}

static carom_status map_beside(carom_workers workers, work *of, const carom_parallel_chore *chore,
                               carom_report *report) {
    left_behind *left = of->left;
    const carom_parallel_array arrays[] = {
        {left->rows, sizeof *left->rows, sizeof left->rows},
        {left->ragged, 3 * sizeof *left->ragged, sizeof left->ragged},
    };
    const carom_parallel_marks marks = {left->cells, CELLS};
    const carom_parallel_results results = {.arrays = arrays,
                                            .array_count = 2,
                                            .marks = &marks,
                                            .mark_count = 1,
                                            .pack = pack,
                                            .unpack = unpack};
    return carom_parallel_map_beside(workers, ITEMS, compute, of, &results, chore, report);
}

static carom_status map(carom_workers workers, work *of, carom_report *report) {
    return map_beside(workers, of, NULL, report);
}

static void free_texts(left_behind *left) {
    for (int i = 0; i < ITEMS; i++) {
        free(left->texts[i]);
        left->texts[i] = NULL;
    }
}

/** The same as without ranks. */
static void assert_complete(const left_behind *left) {
    static left_behind serial;
    atomic_int calls[ITEMS] = {0};
    work alone = {&serial, calls, INT_MAX};
    memset(&serial, 0, sizeof serial);
    assert_ok(map(THREADS(1), &alone, NULL));
    ck_assert_mem_eq(left->rows, serial.rows, sizeof serial.rows);
    ck_assert_mem_eq(left->ragged, serial.ragged, sizeof serial.ragged);
    ck_assert_mem_eq(left->cells, serial.cells, sizeof serial.cells);
    for (int i = 0; i < ITEMS; i++) {
        ck_assert_mem_eq(left->texts[i], serial.texts[i], 8);
    }
    free_texts(&serial);
}

/* ------------------------------------------------------------------------------------ some ranks
 */

/** A run on some ranks, and what comes of it. */
typedef struct run {
    int rank_count;
    int threads;          /**< of each */
    int chores_failing;   /**< chores of ranks below this one fail */
    atomic_int chores;    /**< of all ranks, that were done */
    int failing_from;     /**< ITEMS: none fails */
    const char *identity; /**< NULL: no checkpoint */
    const char *path;     /**< of it */
    carom_status status[MOST_RANKS];
    carom_report report[MOST_RANKS];
    left_behind left[MOST_RANKS];
    atomic_int calls[ITEMS];  /**< of all ranks */
    int failures[MOST_RANKS]; /**< errno of the checkpoint */
} run;

/** One of its ranks. */
typedef struct member {
    run *of;
    place at;
} member;

static carom_status do_chore(void *context, carom_report *report) {
    member *self = context;
    atomic_fetch_add(&self->of->chores, 1);
    return self->at.rank < self->of->chores_failing
               ? carom_report_fail(report, CAROM_STATUS_IO, "chore", 0.0, self->at.rank)
               : CAROM_OK;
}

static void *take_part(void *context) {
    member *self = context;
    run *of = self->of;
    const int rank = self->at.rank;
    carom_ranks ranks = {.transport = &by_memory,
                         .connection = &self->at,
                         .rank = rank,
                         .rank_count = of->rank_count,
                         .voice = stderr,
                         .program = "ranks"};
    of->report[rank] = carom_report_empty();
    of->status[rank] = CAROM_OK;
    if (of->identity != NULL) {
        of->status[rank] = carom_ranks_keep(&ranks, of->path, of->identity, &of->report[rank]);
    }
    if (of->status[rank] == CAROM_OK) {
        work own = {&of->left[rank], of->calls, of->failing_from};
        // A map before, so that numbers of maps count.
        atomic_int calls[ITEMS] = {0};
        static left_behind other[MOST_RANKS];
        memset(&other[rank], 0, sizeof other[rank]);
        work before = {&other[rank], calls, INT_MAX};
        const carom_workers workers = carom_ranks_workers(&ranks, of->threads);
        of->status[rank] = map(workers, &before, NULL);
        free_texts(&other[rank]);
        if (of->status[rank] == CAROM_OK) {
            const carom_parallel_chore chore = {do_chore, self};
            of->status[rank] = map_beside(workers, &own, &chore, &of->report[rank]);
        }
    }
    of->failures[rank] = ranks.checkpoint != NULL ? carom_checkpoint_failure(ranks.checkpoint) : 0;
    if (of->status[rank] == CAROM_OK) {
        carom_ranks_forget(&ranks);
    }
    carom_checkpoint_free(ranks.checkpoint);
    return NULL;
}

/** Run on all ranks at once. */
static void run_ranks(run *of) {
    world all = {.rank_count = of->rank_count};
    pthread_t threads[MOST_RANKS];
    member members[MOST_RANKS];
    memset(of->left, 0, sizeof of->left);
    memset(of->calls, 0, sizeof of->calls);
    pthread_barrier_init(&all.barrier, NULL, (unsigned)of->rank_count);
    for (int rank = 0; rank < of->rank_count; rank++) {
        members[rank] = (member){of, {&all, rank}};
        ck_assert_int_eq(pthread_create(&threads[rank], NULL, take_part, &members[rank]), 0);
    }
    for (int rank = 0; rank < of->rank_count; rank++) {
        pthread_join(threads[rank], NULL);
    }
    pthread_barrier_destroy(&all.barrier);
}

static void free_run(run *of) {
    for (int rank = 0; rank < MOST_RANKS; rank++) {
        free_texts(&of->left[rank]);
    }
}

/** All ranks hold everything; returns how many items were computed. */
static int assert_all_complete(run *of) {
    for (int rank = 0; rank < of->rank_count; rank++) {
        ck_assert_int_eq(of->status[rank], CAROM_OK);
        assert_complete(&of->left[rank]);
    }
    free_run(of);
    int computed = 0;
    for (int i = 0; i < ITEMS; i++) {
        ck_assert_int_le(atomic_load(&of->calls[i]), 1);
        computed += atomic_load(&of->calls[i]);
    }
    return computed;
}

static run shared;

TEST(property, every_rank_holds_all_results_and_each_item_is_computed_once) {
    for (int rank_count = 1; rank_count <= MOST_RANKS; rank_count++) {
        for (int threads = 1; threads <= 2; threads++) {
            shared = (run){.rank_count = rank_count, .threads = threads, .failing_from = ITEMS};
            run_ranks(&shared);
            ck_assert_int_eq(assert_all_complete(&shared), ITEMS);
            ck_assert_int_eq(atomic_load(&shared.chores), rank_count);
        }
    }
}

TEST(errors, a_rank_whose_chore_fails_has_shared_its_items) {
    for (int failing = 1; failing <= MOST_RANKS; failing++) {
        shared = (run){.rank_count = MOST_RANKS,
                       .threads = 1,
                       .failing_from = ITEMS,
                       .chores_failing = failing};
        run_ranks(&shared);
        for (int rank = 0; rank < MOST_RANKS; rank++) {
            ck_assert_int_eq(shared.status[rank], rank < failing ? CAROM_STATUS_IO : CAROM_OK);
            ck_assert_int_eq(shared.report[rank].index, rank < failing ? rank : -1);
            assert_complete(&shared.left[rank]);
        }
        free_run(&shared);
    }
}

TEST(errors, every_rank_tells_the_lowest_failure) {
    for (int rank_count = 1; rank_count <= MOST_RANKS; rank_count++) {
        shared = (run){.rank_count = rank_count, .threads = 1, .failing_from = 97};
        run_ranks(&shared);
        for (int rank = 0; rank < rank_count; rank++) {
            assert_status(shared.status[rank], NOT_CONVERGED);
            ck_assert_int_eq(shared.report[rank].index, 97);
            assert_close(shared.report[rank].value, 24.25, 0.0, 0.0);
        }
        free_run(&shared);
    }
}

/* ------------------------------------------------------------------------------- the checkpoint */

/** A run with a checkpoint. */
static run kept(int rank_count, int failing_from, const char *identity, const char *path) {
    return (run){.rank_count = rank_count,
                 .threads = 2,
                 .failing_from = failing_from,
                 .identity = identity,
                 .path = path};
}

TEST(property, what_is_finished_is_not_computed_again_on_any_number_of_ranks) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    for (int first = 1; first <= MOST_RANKS; first++) {
        for (int second = 1; second <= MOST_RANKS; second++) {
            shared = kept(first, 120, "program a\n", path);
            run_ranks(&shared);
            assert_status(shared.status[0], NOT_CONVERGED);
            ck_assert_int_eq(scratch_files(false), first);
            free_run(&shared);
            shared = kept(second, ITEMS, "program a\n", path);
            run_ranks(&shared);
            ck_assert_int_eq(assert_all_complete(&shared), ITEMS - 120);
            ck_assert_int_eq(scratch_files(false), 0);
        }
    }
}

TEST(unit, a_record_may_not_be_a_file_of_the_checkpoint) {
    char path[SCRATCH_PATH_SIZE];
    char other[SCRATCH_PATH_SIZE + 8];
    scratch_path("kept", path);
    const char *const endings[] = {"", ".0", ".12"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(other, sizeof other, "%s%s", path, endings[i]);
        ck_assert(carom_checkpoint_claims(path, other));
    }
    const char *const others[] = {".h5", ".", ".1a", "1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        snprintf(other, sizeof other, "%s%s", path, others[i]);
        ck_assert(!carom_checkpoint_claims(path, other));
    }
    // One folder by two names, another folder, and none.
    ck_assert(carom_checkpoint_claims("kept", "./kept.3"));
    ck_assert(!carom_checkpoint_claims("kept", "/kept"));
    ck_assert(!carom_checkpoint_claims("no/such/kept", "no/such/kept"));
}

TEST(property, a_file_that_is_cut_anywhere_gives_the_same_results) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    for (long length = 34; length < 16000; length += 997) {
        shared = kept(1, 150, "program a\n", path);
        run_ranks(&shared);
        free_run(&shared);
        struct stat information;
        ck_assert_int_eq(stat(path, &information), 0);
        if (length >= information.st_size) {
            break;
        }
        ck_assert_int_eq(truncate(path, length), 0);
        shared = kept(2, ITEMS, "program a\n", path);
        run_ranks(&shared);
        ck_assert_int_ge(assert_all_complete(&shared), ITEMS - 150);
    }
}

TEST(property, a_byte_that_changed_counts_as_not_written) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    for (long at = 34; at < 9000; at += 1013) {
        shared = kept(1, 150, "program a\n", path);
        run_ranks(&shared);
        free_run(&shared);
        FILE *file = fopen(path, "r+b");
        ck_assert_ptr_nonnull(file);
        ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
        const int byte = getc(file);
        ck_assert_int_eq(fseek(file, at, SEEK_SET), 0);
        putc(byte ^ 0x10, file);
        fclose(file);
        shared = kept(1, ITEMS, "program a\n", path);
        run_ranks(&shared);
        ck_assert_int_ge(assert_all_complete(&shared), ITEMS - 150 + 1);
    }
}

TEST(errors, a_checkpoint_of_another_command_is_refused_with_the_difference) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    shared = kept(2, 120, "program a\n--samples 64\n--mass 2.5\n", path);
    run_ranks(&shared);
    free_run(&shared);
    shared = kept(2, ITEMS, "program a\n--samples 65\n--mass 2.5\n", path);
    run_ranks(&shared);
    for (int rank = 0; rank < 2; rank++) {
        assert_status(shared.status[rank], CONFLICT);
        const char *sentence = shared.report[rank].sentence;
        ck_assert_msg(strstr(sentence, "has \"--samples 64\", this one \"--samples 65\"") != NULL,
                      "%s", sentence);
    }
    // It is as it was.
    shared = kept(2, ITEMS, "program a\n--samples 64\n--mass 2.5\n", path);
    run_ranks(&shared);
    ck_assert_int_eq(assert_all_complete(&shared), ITEMS - 120);
}

TEST(errors, another_file_is_refused_and_left_alone) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    const char *const names[] = {"kept", "kept.3"};
    for (int i = 0; i < 2; i++) {
        scratch_write(names[i], "precious results of another kind", 32);
        shared = kept(1, ITEMS, "program a\n", path);
        run_ranks(&shared);
        assert_status(shared.status[0], CONFLICT);
        ck_assert_ptr_nonnull(strstr(shared.report[0].sentence, "is no checkpoint"));
        struct stat information;
        char other[SCRATCH_PATH_SIZE];
        ck_assert_int_eq(stat(scratch_path(names[i], other), &information), 0);
        ck_assert_int_eq(information.st_size, 32);
        scratch_files(true);
    }
}

TEST(errors, two_runs_do_not_write_one_checkpoint) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    CAROM_AUTO(carom_checkpoint) first = NULL;
    CAROM_AUTO(carom_checkpoint) second = NULL;
    carom_report report = carom_report_empty();
    assert_ok(carom_checkpoint_open(path, "program a\n", &first, NULL));
    assert_ok(carom_checkpoint_start(first, 0, NULL));
    assert_ok(carom_checkpoint_open(path, "program a\n", &second, NULL));
    assert_status(carom_checkpoint_start(second, 0, &report), IO);
    ck_assert_ptr_nonnull(strstr(report.sentence, "another run is writing it"));
}

TEST(errors, a_full_disk_leaves_a_checkpoint_that_serves) {
    char path[SCRATCH_PATH_SIZE];
    scratch_path("kept", path);
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit before;
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    const struct rlimit limit = {4096, before.rlim_max};
    const char identity[] = "program a\n";
    CAROM_AUTO(carom_checkpoint) writer = NULL;
    assert_ok(carom_checkpoint_open(path, identity, &writer, NULL));
    assert_ok(carom_checkpoint_start(writer, 0, NULL));
    const unsigned char entries[1000] = {1};
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    for (int i = 0; i < 9; i++) {
        carom_checkpoint_append(writer, 0, 5, entries, sizeof entries);
    }
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(carom_checkpoint_failure(writer), EFBIG);
    CAROM_AUTO(carom_checkpoint) reader = NULL;
    assert_ok(carom_checkpoint_open(path, identity, &reader, NULL));
    // Three batches of a thousand bytes and their heads are whole.
    struct stat information;
    ck_assert_int_eq(stat(path, &information), 0);
    ck_assert_int_eq((information.st_size - (long)sizeof identity + 1) / 1000, 3);
    ck_assert_int_ne(carom_checkpoint_digest(reader), 0);
}
