#include <carom/base/parallel.h>

#include <stddef.h>

#ifdef _OPENMP
#include <omp.h>
#endif

/** The failure of the lowest-numbered item so far. */
typedef struct first_failure {
    int item; /**< count if none */
    carom_status status;
    carom_report report;
} first_failure;

/** Run one item with a report of its own; keep its failure if no lower item has failed. */
static void run_item(int item, carom_parallel_body body, void *context, first_failure *first) {
    carom_report report = carom_report_empty();
    const carom_status status = body(item, context, &report);
    if (status == CAROM_OK) {
        return;
    }
#ifdef _OPENMP
#pragma omp critical(carom_parallel_first_failure)
#endif
    if (item < first->item) {
        first->item = item;
        first->status = status;
        first->report = report;
    }
}

carom_status carom_parallel_map(int count, int threads, carom_parallel_body body, void *context,
                                carom_report *report) {
    CAROM_ASSERT(count >= 0 && threads >= 0 && body != NULL);
    first_failure first = {.item = count, .status = CAROM_OK};

#ifdef _OPENMP
    // No more threads than items; items differ in length, so each thread fetches the next one.
    const int wanted = threads == 0 ? omp_get_num_procs() : threads;
    const int team = wanted < count ? wanted : (count > 0 ? count : 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team)
#endif
    for (int item = 0; item < count; item++) {
        run_item(item, body, context, &first);
    }
#ifndef _OPENMP
    (void)threads;
#endif

    if (first.status != CAROM_OK && report != NULL) {
        *report = first.report;
    }
    return first.status;
}
