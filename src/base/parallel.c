/*
 * What items leave is told to other ranks, and kept for a later run, as entries: a head, then the
 * item's part of each array and what it packed; or, for marks, the cells that were set.
 */
#include <carom/base/parallel.h>

#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/** Before the bytes of an entry. */
typedef struct entry_head {
    int number;  /**< the item; ~k of cells of marks k */
    size_t size; /**< bytes that follow */
} entry_head;

/** One map under way, shared by the threads of this rank. */
typedef struct map {
    int count;
    int threads;
    carom_parallel_body body;
    void *context;
    const carom_parallel_results *results; /**< NULL: the map is not shared with anybody */
    carom_work_exchange *exchange;         /**< NULL then, too */
    int next;                              /**< items taken from here on, up to `end` */
    int end;
    unsigned char *is_known;           /**< [count] 1: its results were delivered; NULL: none was */
    unsigned char **seen;              /**< [mark_count][count] cells that entries have told of */
    carom_parallel_bytes entries;      /**< of this rank */
    size_t kept;                       /**< of their bytes, those kept for a later run */
    int failed;                        /**< the lowest item that failed; count if none */
    carom_status status;               /**< its status */
    carom_report report;               /**< its report */
    const carom_parallel_chore *chore; /**< NULL: none */
    carom_status chore_status;
    carom_report chore_report;
} map;

/* --------------------------------------------------------------------------------------- bytes */

carom_status carom_parallel_append(carom_parallel_bytes *bytes, const void *data, size_t size) {
    CAROM_ASSERT(bytes != NULL && (data != NULL || size == 0));
    if (size > bytes->capacity - bytes->size) {
        const size_t capacity = 2 * bytes->size + size;
        unsigned char *grown = realloc(bytes->data, capacity);
        if (grown == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        bytes->data = grown;
        bytes->capacity = capacity;
    }
    if (size > 0) {
        memcpy(bytes->data + bytes->size, data, size);
    }
    bytes->size += size;
    return CAROM_OK;
}

carom_status carom_parallel_take(const unsigned char **data, size_t *left, void *to, size_t size) {
    CAROM_ASSERT(data != NULL && left != NULL && (to != NULL || size == 0));
    if (size > *left) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    if (size > 0) {
        memcpy(to, *data, size);
        *data += size;
        *left -= size;
    }
    return CAROM_OK;
}

void carom_parallel_bytes_clear(carom_parallel_bytes *bytes) {
    free(bytes->data);
    *bytes = (carom_parallel_bytes){NULL, 0, 0};
}

/** The part of an item in an array; returns its bytes. */
static size_t find_part(const carom_parallel_array *array, int item, unsigned char **part) {
    const size_t begin = (size_t)item * array->item_size;
    if (begin >= array->size) {
        *part = NULL;
        return 0;
    }
    *part = (unsigned char *)array->base + begin;
    const size_t rest = array->size - begin;
    return rest < array->item_size ? rest : array->item_size;
}

/* ------------------------------------------------------------------------------------- entries */

/** Append the entry of a finished item. */
static carom_status append_item(map *m, int item) {
    const size_t start = m->entries.size;
    entry_head head;
    memset(&head, 0, sizeof head); // what lies between the members is written too
    CAROM_TRY(carom_parallel_append(&m->entries, &head, sizeof head));
    for (int i = 0; i < m->results->array_count; i++) {
        unsigned char *part = NULL;
        const size_t size = find_part(&m->results->arrays[i], item, &part);
        CAROM_TRY(carom_parallel_append(&m->entries, part, size));
    }
    if (m->results->pack != NULL) {
        CAROM_TRY(m->results->pack(item, m->context, &m->entries));
    }
    head.number = item;
    head.size = m->entries.size - start - sizeof head;
    memcpy(m->entries.data + start, &head, sizeof head);
    return CAROM_OK;
}

/** Append the cells of marks k that no entry has told of. */
static carom_status append_cells(map *m, int k) {
    const carom_parallel_marks *marks = &m->results->marks[k];
    const size_t start = m->entries.size;
    entry_head head;
    memset(&head, 0, sizeof head);
    head.number = ~k;
    CAROM_TRY(carom_parallel_append(&m->entries, &head, sizeof head));
    for (int cell = 0; cell < marks->count; cell++) {
        if (m->seen[k][cell] == 0 &&
            atomic_load_explicit(&marks->cells[cell], memory_order_relaxed) != 0) {
            m->seen[k][cell] = 1;
            CAROM_TRY(carom_parallel_append(&m->entries, &cell, sizeof cell));
        }
    }
    head.size = m->entries.size - start - sizeof head;
    memcpy(m->entries.data + start, &head, sizeof head);
    return CAROM_OK;
}

/** Append the cells of all marks; those of items under way may be among them, which will set the
 * same ones again. */
static carom_status append_marks(map *m) {
    for (int k = 0; k < m->results->mark_count; k++) {
        CAROM_TRY(append_cells(m, k));
    }
    return CAROM_OK;
}

/** Set the cells of an entry. */
static carom_status take_cells(map *m, int k, const unsigned char *data, size_t size) {
    if (k >= m->results->mark_count || size % sizeof(int) != 0) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    const carom_parallel_marks *marks = &m->results->marks[k];
    for (size_t at = 0; at < size; at += sizeof(int)) {
        int cell = 0;
        memcpy(&cell, data + at, sizeof cell);
        if (cell < 0 || cell >= marks->count) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        atomic_store_explicit(&marks->cells[cell], 1, memory_order_relaxed);
        m->seen[k][cell] = 1;
    }
    return CAROM_OK;
}

/** Put the bytes of an entry where the item would have left them. */
static carom_status take_item(map *m, int item, const unsigned char *data, size_t size) {
    if (item >= m->count) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    size_t at = 0;
    for (int i = 0; i < m->results->array_count; i++) {
        unsigned char *part = NULL;
        const size_t length = find_part(&m->results->arrays[i], item, &part);
        if (length > size - at) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        if (length > 0) {
            memcpy(part, data + at, length);
        }
        at += length;
    }
    if (m->results->unpack == NULL && at != size) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    m->is_known[item] = 1;
    return m->results->unpack == NULL ? CAROM_OK
                                      : m->results->unpack(item, data + at, size - at, m->context);
}

/** Take over entries of another rank or of an earlier run; an item that is known is skipped. */
static carom_status deliver(const unsigned char *entries, size_t size, void *context) {
    map *m = context;
    size_t at = 0;
    while (at < size) {
        entry_head head;
        if (size - at < sizeof head) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        memcpy(&head, entries + at, sizeof head);
        at += sizeof head;
        if (head.size > size - at) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        if (head.number < 0) {
            CAROM_TRY(take_cells(m, ~head.number, entries + at, head.size));
        } else if (head.number >= m->count || m->is_known[head.number] == 0) {
            CAROM_TRY(take_item(m, head.number, entries + at, head.size));
        }
        at += head.size;
    }
    return CAROM_OK;
}

/** Keep the entries that are not kept yet. */
static carom_status keep(map *m) {
    CAROM_TRY(append_marks(m));
    m->exchange->keep(m->exchange->self, m->count, m->entries.data + m->kept,
                      m->entries.size - m->kept);
    m->kept = m->entries.size;
    if (m->exchange->rank_count == 1) {
        m->entries.size = 0;
        m->kept = 0;
    }
    return CAROM_OK;
}

/* --------------------------------------------------------------------------------------- items */

/** Take the next item; count if there is none. */
static int take(map *m) {
    int item;
#ifdef _OPENMP
#pragma omp critical(carom_parallel_map)
#endif
    {
        do {
            if (m->next == m->end && m->exchange != NULL) {
                m->exchange->next(m->exchange->self, m->count, &m->next, &m->end);
            }
            item = m->next < m->end ? m->next++ : m->count;
        } while (item < m->count && m->is_known != NULL && m->is_known[item] != 0);
    }
    return item;
}

/** Keep the failure if no lower item has failed. */
static void note_failure(map *m, int item, carom_status status, const carom_report *report) {
    if (item < m->failed) {
        m->failed = item;
        m->status = status;
        m->report = *report;
    }
}

/** Run one item with a report of its own, and note what it left. */
static void run_item(map *m, int item) {
    carom_report report = carom_report_empty();
    carom_status status = m->body(item, m->context, &report);
    if (status == CAROM_OK && m->exchange == NULL) {
        return;
    }
#ifdef _OPENMP
#pragma omp critical(carom_parallel_map)
#endif
    {
        if (status == CAROM_OK) {
            m->is_known[item] = 1;
            status = append_item(m, item);
        }
        if (status == CAROM_OK && m->exchange->is_kept &&
            m->exchange->is_due(m->exchange->self, m->entries.size - m->kept)) {
            status = keep(m);
        }
        if (status != CAROM_OK) {
            note_failure(m, item, status, &report);
        }
    }
}

/** Whether this thread has called the map. */
static bool is_caller(void) {
#ifdef _OPENMP
    return omp_get_thread_num() == 0;
#else
    return true;
#endif
}

/** All items that this rank gets, and its chore. */
static void run_items(map *m) {
#ifdef _OPENMP
#pragma omp parallel num_threads(m->threads)
#endif
    {
        if (m->chore != NULL && is_caller()) {
            m->chore_status = m->chore->run(m->chore->context, &m->chore_report);
        }
        for (int item = take(m); item < m->count; item = take(m)) {
            run_item(m, item);
        }
    }
}

/* -------------------------------------------------------------------------------------- the map */

/** No more threads than items. */
static int team(int threads, int count) {
#ifdef _OPENMP
    const int wanted = threads == 0 ? omp_get_num_procs() : threads;
    return wanted < count ? wanted : (count > 0 ? count : 1);
#else
    (void)threads, (void)count;
    return 1;
#endif
}

/** Prepare to share results, and take over those of an earlier run. */
static carom_status begin(map *m) {
    m->is_known = calloc((size_t)m->count + 1, 1);
    m->seen = calloc((size_t)m->results->mark_count + 1, sizeof *m->seen);
    if (m->is_known == NULL || m->seen == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < m->results->mark_count; k++) {
        m->seen[k] = calloc((size_t)m->results->marks[k].count + 1, 1);
        if (m->seen[k] == NULL) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
    }
    m->next = 0;
    m->end = 0;
    return m->exchange->begin(m->exchange->self, m->count, deliver, m);
}

/** Agree with the other ranks on what failed, or else share what was computed. */
static carom_status finish(map *m) {
    const int failed = m->exchange->smallest(m->exchange->self, m->failed);
    if (m->exchange->is_kept && m->entries.size > m->kept) {
        CAROM_TRY(keep(m));
    }
    if (failed == m->count) {
        CAROM_TRY(append_marks(m));
        return m->exchange->gather(m->exchange->self, m->entries.data, m->entries.size, deliver, m);
    }
    if (failed != m->failed) {
        // The item of another rank: what it says comes out again.
        m->report = carom_report_empty();
        m->status = m->body(failed, m->context, &m->report);
    }
    // What does not fail again had no memory there.
    return m->status != CAROM_OK ? m->status : CAROM_STATUS_OUT_OF_MEMORY;
}

static void map_clear(map *m) {
    for (int k = 0; m->seen != NULL && k < m->results->mark_count; k++) {
        free(m->seen[k]);
    }
    free(m->seen);
    free(m->is_known);
    carom_parallel_bytes_clear(&m->entries);
}

/** Fail with a report. */
static carom_status tell(carom_status status, const carom_report *from, carom_report *report) {
    if (status != CAROM_OK && report != NULL) {
        *report = *from;
    }
    return status;
}

carom_status carom_parallel_map(carom_workers workers, int count, carom_parallel_body body,
                                void *context, const carom_parallel_results *results,
                                carom_report *report) {
    return carom_parallel_map_beside(workers, count, body, context, results, NULL, report);
}

carom_status carom_parallel_map_beside(carom_workers workers, int count, carom_parallel_body body,
                                       void *context, const carom_parallel_results *results,
                                       const carom_parallel_chore *chore, carom_report *report) {
    CAROM_ASSERT(count >= 0 && workers.threads >= 0 && body != NULL);
    CAROM_AUTO_VALUE(map)
    m = {.count = count,
         .threads = team(workers.threads, count + (chore != NULL)),
         .body = body,
         .context = context,
         .results = results,
         .exchange = results == NULL ? NULL : workers.exchange,
         .end = count,
         .failed = count,
         .status = CAROM_OK,
         .report = carom_report_empty(),
         .chore = chore,
         .chore_status = CAROM_OK,
         .chore_report = carom_report_empty()};
    if (m.exchange != NULL) {
        CAROM_TRY(begin(&m));
    }
    run_items(&m);
    const carom_status status = m.exchange != NULL ? finish(&m) : m.status;
    if (status != CAROM_OK) {
        return m.status != CAROM_OK ? tell(status, &m.report, report) : status;
    }
    return tell(m.chore_status, &m.chore_report, report);
}
