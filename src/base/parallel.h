/** One parallel map: independent items over the threads of one machine and the ranks of several,
 * the result independent of their number. */
#ifndef CAROM_BASE_PARALLEL_H
#define CAROM_BASE_PARALLEL_H

#include <carom/base/base.h>
#include <carom/base/workers.h>

#include <stdatomic.h>
#include <stddef.h>

/* -------------------------------------------------------------------------------------- the map */

/** Compute item i; writes only what belongs to item i, and marks. */
typedef carom_status (*carom_parallel_body)(int item, void *context, carom_report *report);

/** An array of results, plain bytes without pointers: each item writes its own part. */
typedef struct carom_parallel_array {
    void *base;       /**< [size] bytes */
    size_t item_size; /**< bytes of an item: those of item i begin at i item_size */
    size_t size;      /**< bytes of all; those of the last items may be fewer, or none */
} carom_parallel_array;

/** Bytes that are 0 until any item sets them to 1. */
typedef struct carom_parallel_marks {
    atomic_uchar *cells; /**< [count] */
    int count;           /**< cells */
} carom_parallel_marks;

/** Bytes that grow; {NULL, 0, 0} at first. */
typedef struct carom_parallel_bytes {
    unsigned char *data; /**< [size], owned */
    size_t size;         /**< bytes */
    size_t capacity;     /**< bytes */
} carom_parallel_bytes;

/** Append bytes. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_parallel_append(carom_parallel_bytes *bytes, const void *data,
                                                    size_t size);

/** Take so many bytes from the front of those that an item left, of which so many are there.
 * @return CAROM_OK; BAD_FORMAT: there are fewer */
CAROM_MUST_CHECK carom_status carom_parallel_take(const unsigned char **data, size_t *left,
                                                  void *to, size_t size);

/** Free, and be empty. */
void carom_parallel_bytes_clear(carom_parallel_bytes *bytes);

/** Where items leave their results, so that those of other ranks, and of an earlier run, come to
 * the same place. All kinds may be given. */
typedef struct carom_parallel_results {
    const carom_parallel_array *arrays; /**< [array_count] */
    int array_count;                    /**< 0 or more */
    const carom_parallel_marks *marks;  /**< [mark_count] */
    int mark_count;                     /**< 0 or more */
    /** Append what item i has beyond these; NULL: nothing. */
    carom_status (*pack)(int item, void *context, carom_parallel_bytes *bytes);
    /** Take over what pack appended for item i, which was not computed here. */
    carom_status (*unpack)(int item, const unsigned char *data, size_t size, void *context);
} carom_parallel_results;

/** The results that an array of carom_parallel_array names. */
#define CAROM_PARALLEL_ARRAYS(rows)              \
    (&(carom_parallel_results){.arrays = (rows), \
                               .array_count = (int)(sizeof(rows) / sizeof(rows)[0])})

/** The results of items that fill one element each of an array of so many. */
#define CAROM_PARALLEL_ROWS(rows, count)                                                       \
    (&(carom_parallel_results){                                                                \
        .arrays =                                                                              \
            &(carom_parallel_array){(rows), sizeof *(rows), (size_t)(count) * sizeof *(rows)}, \
        .array_count = 1})

/**
 * Run body(0) .. body(count-1), each once, on the threads and ranks of `workers`. Returns the
 * status and report of the lowest-numbered item that failed, whatever order they ran in; all items
 * are run. On return every rank holds the results of all items. A body that has a map of its own
 * gives that one workers of one thread and no exchange.
 *
 * @param[in]  workers threads 0 or more
 * @param[in]  count   number of items, >= 0
 * @param[in]  body    reentrant
 * @param[in]  context handed to body, pack and unpack
 * @param[in]  results where items leave theirs; NULL: where nobody could be told, and each rank
 *                     computes all items for itself
 * @param[out] report  of the failing item; may be NULL
 */
CAROM_MUST_CHECK carom_status carom_parallel_map(carom_workers workers, int count,
                                                 carom_parallel_body body, void *context,
                                                 const carom_parallel_results *results,
                                                 carom_report *report);

/** What each rank does for itself beside a map. */
typedef struct carom_parallel_chore {
    carom_status (*run)(void *context, carom_report *report);
    void *context; /**< handed to it */
} carom_parallel_chore;

/**
 * The same with a chore: the calling thread does it before it takes items, while all others begin
 * with these, so that blocks of items make up for it. It writes nothing that items look at.
 *
 * @param[in]  chore done once whatever items fail; NULL: none. Its failure is returned where no
 *                   item failed
 */
CAROM_MUST_CHECK carom_status carom_parallel_map_beside(carom_workers workers, int count,
                                                        carom_parallel_body body, void *context,
                                                        const carom_parallel_results *results,
                                                        const carom_parallel_chore *chore,
                                                        carom_report *report);

/* --------------------------------------------------------------------------------- the exchange */
/* What a program's main provides beyond the threads of its process. Every rank runs the same
 * program on the same bytes, and so the same maps one after another. */

/** Take over entries: results of items that were computed elsewhere. */
typedef carom_status (*carom_work_delivery)(const unsigned char *entries, size_t size,
                                            void *context);

/** Functions of all ranks are called by each at the same place of the program; the others by one
 * thread of a rank at a time. */
struct carom_work_exchange {
    void *self;     /**< handed to all */
    int rank_count; /**< 1 or more */
    bool is_kept;   /**< whether a later run is to know what is finished */
    /** Of all ranks: a map begins, and what is known of it from an earlier run is delivered. */
    carom_status (*begin)(void *self, int count, carom_work_delivery deliver, void *context);
    /** The next block of items that no thread of any rank has taken, [*first, *end); empty at the
     * end. */
    void (*next)(void *self, int count, int *first, int *end);
    /** Whether so many bytes of entries should be kept now. */
    bool (*is_due)(void *self, size_t size);
    /** Keep entries for a later run: all of them or none. */
    void (*keep)(void *self, int count, const unsigned char *entries, size_t size);
    /** Of all ranks: the smallest of their numbers. */
    int (*smallest)(void *self, int number);
    /** Of all ranks: the entries of each are delivered to the others. */
    carom_status (*gather)(void *self, unsigned char *entries, size_t size,
                           carom_work_delivery deliver, void *context);
};

#endif
