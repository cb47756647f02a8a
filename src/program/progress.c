#include <carom/program/program.h>

#include <carom/program/internal.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Longest label and unit shown, so that the line fits on 80 columns. */
#define LABEL_SIZE 25
#define UNIT_SIZE 13

/** Room for a line. */
#define LINE_SIZE 128

struct carom_progress {
    char label[LABEL_SIZE];
    char unit[UNIT_SIZE];
    long total;              /**< work to do, > 0 */
    long long start;         /**< ms of the monotonic clock */
    atomic_long done;        /**< work finished */
    atomic_long skipped;     /**< work that an earlier run had finished */
    atomic_llong last_line;  /**< ms at which the last line was printed */
    atomic_flag is_printing; /**< held by the thread that prints */
};

/** Copy a text, cut to fit. */
static void copy_cut(char *target, size_t size, const char *text) {
    size_t length = strlen(text);
    if (length >= size) {
        length = size - 1;
    }
    memcpy(target, text, length);
    target[length] = '\0';
}

carom_progress *carom_progress_start(const char *label, long total, const char *unit,
                                     bool is_quiet) {
    if (is_quiet || total <= 0 || !carom_terminal_is_showing()) {
        return NULL;
    }
    carom_progress *progress = malloc(sizeof *progress);
    if (progress == NULL) {
        return NULL;
    }
    copy_cut(progress->label, sizeof progress->label, label);
    copy_cut(progress->unit, sizeof progress->unit, unit);
    carom_terminal_name_work(progress->label);
    progress->total = total;
    progress->start = carom_terminal_clock();
    atomic_init(&progress->done, 0);
    atomic_init(&progress->skipped, 0);
    atomic_init(&progress->last_line, progress->start);
    atomic_flag_clear(&progress->is_printing);
    return progress;
}

/** Show percentage, rate and remaining time. */
static void print_line(const carom_progress *progress, long done, long long now) {
    const double seconds = (double)(now - progress->start) / 1000.0;
    const double rate = (double)done / seconds;
    const long all = done + atomic_load(&progress->skipped);
    const long counted = all < progress->total ? all : progress->total;
    const double percent = 100.0 * (double)counted / (double)progress->total;
    const double remaining = (double)(progress->total - counted) / rate;
    char text[LINE_SIZE];
    snprintf(text, sizeof text, "%s %3.0f %%, %.3g %s/s, %.0f s left", progress->label, percent,
             rate, progress->unit, remaining);
    carom_terminal_show(text);
}

void carom_progress_add(carom_progress *progress, long done) {
    if (progress == NULL || done <= 0) {
        return;
    }
    // Other ranks are as far as this one.
    const long total_done =
        (atomic_fetch_add(&progress->done, done) + done) * carom_terminal_ranks();
    const long long now = carom_terminal_clock();
    if (now - atomic_load(&progress->last_line) < carom_terminal_interval()) {
        return;
    }
    // One thread prints; the others go on with their work.
    if (!atomic_flag_test_and_set(&progress->is_printing)) {
        if (now - atomic_load(&progress->last_line) >= carom_terminal_interval()) {
            atomic_store(&progress->last_line, now);
            print_line(progress, total_done, now);
        }
        atomic_flag_clear(&progress->is_printing);
    }
}

void carom_progress_skip(carom_progress *progress, long skipped) {
    if (progress != NULL) {
        atomic_fetch_add(&progress->skipped, skipped);
    }
}

void carom_progress_reach(carom_progress *progress, long done) {
    if (progress != NULL) {
        carom_progress_add(progress, done - atomic_load(&progress->done));
    }
}

void carom_progress_finish(carom_progress *progress) {
    if (progress == NULL) {
        return;
    }
    carom_terminal_name_work("");
    carom_terminal_clear();
    free(progress);
}
