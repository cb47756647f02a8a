#include "../support.h"

#include <carom/base/parallel.h>

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#define ITEM_COUNT 257

/** What the items write and which of them fail. */
typedef struct shared {
    double results[ITEM_COUNT];
    atomic_int calls[ITEM_COUNT];
    int failing_from; /**< items from here on fail, the lower ones after more work */
} shared;

/** A sum whose rounding depends on the order within the item, and whose length differs. */
static double work_of(int item) {
    double sum = 0.0;
    for (int k = 1; k < 50 * (ITEM_COUNT - item); k++) {
        sum += sin(0.731 * item + k) / k;
    }
    return sum;
}

static carom_status compute(int item, void *context, carom_report *report) {
    shared *all = context;
    atomic_fetch_add(&all->calls[item], 1);
    all->results[item] = work_of(item);
    if (item >= all->failing_from) {
        return carom_report_fail(report, CAROM_STATUS_NOT_CONVERGED, "item", 0.5 * item, item);
    }
    return CAROM_OK;
}

/** Run all items with a number of threads. */
static carom_status run(shared *all, int failing_from, int threads, carom_report *report) {
    memset(all, 0, sizeof *all);
    all->failing_from = failing_from;
    return carom_parallel_map(THREADS(threads), ITEM_COUNT, compute, all, NULL, report);
}

TEST(unit, no_items_is_nothing_to_do) {
    carom_report report = carom_report_empty();
    shared all;
    memset(&all, 0, sizeof all);
    assert_ok(carom_parallel_map(THREADS(3), 0, compute, &all, NULL, &report));
    ck_assert_int_eq(atomic_load(&all.calls[0]), 0);
}

TEST(unit, every_item_runs_exactly_once) {
    const int threads[] = {0, 1, 2, 4, 9};
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
        shared all;
        assert_ok(run(&all, INT_MAX, threads[k], NULL));
        for (int i = 0; i < ITEM_COUNT; i++) {
            ck_assert_int_eq(atomic_load(&all.calls[i]), 1);
        }
    }
}

TEST(unit, success_leaves_the_report_untouched) {
    carom_report report = carom_report_empty();
    report.index = 31;
    shared all;
    assert_ok(run(&all, INT_MAX, 2, &report));
    ck_assert_int_eq(report.index, 31);
}

TEST(property, results_are_the_same_bytes_for_one_two_and_four_threads) {
    static shared serial;
    assert_ok(run(&serial, INT_MAX, 1, NULL));
    const int threads[] = {2, 4};
    for (size_t k = 0; k < 2; k++) {
        static shared all;
        assert_ok(run(&all, INT_MAX, threads[k], NULL));
        ck_assert_mem_eq(all.results, serial.results, sizeof serial.results);
    }
}

TEST(errors, the_lowest_failure_wins_whatever_the_threads) {
    // Lower items take longer, so that with several threads a higher one fails first.
    const int threads[] = {0, 1, 2, 4};
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
        static shared all;
        carom_report report = carom_report_empty();
        assert_status(run(&all, 13, threads[k], &report), NOT_CONVERGED);
        ck_assert_int_eq(report.index, 13);
        assert_close(report.value, 6.5, 0.0, 0.0);
        // The items after a failure are run all the same.
        ck_assert_int_eq(atomic_load(&all.calls[ITEM_COUNT - 1]), 1);
    }
}

TEST(errors, a_failure_needs_no_report) {
    static shared all;
    assert_status(run(&all, 0, 2, NULL), NOT_CONVERGED);
}

/* --------------------------------------------------------------------------------- the chore */

/** A chore beside the items of a map. */
typedef struct errand {
    shared *all;
    pthread_t caller;
    int awaited;      /**< the chore ends when so many items have run, or after some seconds */
    int failing_from; /**< items from here on fail */
    int count;        /**< how often it was done */
    bool is_met;      /**< whether they had */
    carom_status status;
} errand;

static carom_status run_errand(void *context, carom_report *report) {
    errand *self = context;
    self->count++;
    ck_assert_int_ne(pthread_equal(pthread_self(), self->caller), 0);
    for (int patience = 0; patience < 20000 && !self->is_met; patience++) {
        int called = 0;
        for (int i = 0; i < ITEM_COUNT; i++) {
            called += atomic_load(&self->all->calls[i]);
        }
        self->is_met = called >= self->awaited;
        const struct timespec pause = {.tv_nsec = self->is_met ? 0 : 500000};
        nanosleep(&pause, NULL);
    }
    return self->status == CAROM_OK ? CAROM_OK
                                    : carom_report_fail(report, self->status, "chore", 2.385, 1000);
}

/** Run items beside a chore. */
static carom_status run_beside(errand *self, shared *all, int count, int threads,
                               carom_report *report) {
    memset(all, 0, sizeof *all);
    all->failing_from = self->failing_from;
    self->all = all;
    self->caller = pthread_self();
    const carom_parallel_chore chore = {run_errand, self};
    return carom_parallel_map_beside(THREADS(threads), count, compute, all, NULL, &chore, report);
}

TEST(unit, a_chore_is_done_once_by_who_calls_and_all_items_besides) {
    const int threads[] = {0, 1, 2, 4};
    for (size_t k = 0; k < sizeof threads / sizeof threads[0]; k++) {
        static shared all;
        for (int count = 0; count <= ITEM_COUNT; count += ITEM_COUNT) {
            errand own = {.failing_from = INT_MAX, .status = CAROM_OK};
            assert_ok(run_beside(&own, &all, count, threads[k], NULL));
            ck_assert_int_eq(own.count, 1);
            for (int i = 0; i < ITEM_COUNT; i++) {
                ck_assert_int_eq(atomic_load(&all.calls[i]), i < count);
            }
        }
    }
}

TEST(property, others_take_all_items_while_a_chore_lasts) {
    // One item is enough for a second thread.
    for (int count = 1; count <= ITEM_COUNT; count += ITEM_COUNT - 1) {
        static shared all;
        errand own = {.awaited = count, .failing_from = INT_MAX, .status = CAROM_OK};
        assert_ok(run_beside(&own, &all, count, 2, NULL));
        ck_assert(own.is_met);
    }
}

TEST(errors, a_chore_that_fails_is_told_unless_an_item_fails) {
    for (int threads = 1; threads <= 2; threads++) {
        static shared all;
        carom_report report = carom_report_empty();
        errand own = {.failing_from = INT_MAX, .status = CAROM_STATUS_IO};
        assert_status(run_beside(&own, &all, ITEM_COUNT, threads, &report), IO);
        ck_assert_int_eq(report.index, 1000);
        ck_assert_int_eq(atomic_load(&all.calls[ITEM_COUNT - 1]), 1);
        own = (errand){.failing_from = 13, .status = CAROM_STATUS_IO};
        assert_status(run_beside(&own, &all, ITEM_COUNT, threads, &report), NOT_CONVERGED);
        ck_assert_int_eq(report.index, 13);
        assert_status(run_beside(&own, &all, ITEM_COUNT, threads, NULL), NOT_CONVERGED);
    }
}
