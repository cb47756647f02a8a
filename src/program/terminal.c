#include <carom/program/internal.h>
#include <carom/record/internal.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/** So long may a program work without a word, ms. */
#define SILENCE 5000

/** Between two lines of one kind of work, ms: faster than the eye, or few among those of others. */
#define INTERVAL_ALONE 100
#define INTERVAL_SHARED 10000

/** Columns of a line, one less than those of a terminal. */
#define COLUMNS 79

/** Room for the name of the work at hand. */
#define WORK_SIZE 25

/** What this process shows. */
static struct {
    const char *program; /**< NULL: nothing is shown by itself */
    int ranks;           /**< processes that share the work; 0: this one alone */
    bool is_shared;      /**< lines follow each other: no terminal, or make's */
    long long start;     /**< ms */
    atomic_llong last;   /**< ms at which the last line was shown */
    pthread_t watcher;
    pthread_mutex_t lock;
    pthread_cond_t ended;
    bool is_ended;              /**< guarded by the lock, as what follows */
    const carom_record *record; /**< whose data sets are counted, NULL if none */
    char work[WORK_SIZE];       /**< at hand, "" if unnamed */
} terminal = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

long long carom_terminal_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

long long carom_terminal_interval(void) {
    return terminal.is_shared ? INTERVAL_SHARED : INTERVAL_ALONE;
}

int carom_terminal_ranks(void) {
    return terminal.ranks > 1 ? terminal.ranks : 1;
}

bool carom_terminal_is_showing(void) {
    return terminal.program != NULL || isatty(STDERR_FILENO) != 0;
}

void carom_terminal_name_work(const char *label) {
    pthread_mutex_lock(&terminal.lock);
    (void)snprintf(terminal.work, sizeof terminal.work, "%.*s", WORK_SIZE - 1, label);
    pthread_mutex_unlock(&terminal.lock);
}

void carom_terminal_show(const char *text) {
    if (terminal.is_shared) {
        char line[COLUMNS + 1];
        snprintf(line, sizeof line, "%s: %s", terminal.program, text);
        fprintf(stderr, "%s\n", line);
    } else {
        fprintf(stderr, "\r%.*s\033[K", COLUMNS, text);
    }
    fflush(stderr);
    atomic_store(&terminal.last, carom_terminal_clock());
}

void carom_terminal_clear(void) {
    if (!terminal.is_shared) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}

/** Wait for the end, at most until the next time that something must be said; whether it has come.
 */
static bool wait_for_end(long long until) {
    const long long wait = until - carom_terminal_clock();
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += (time_t)(wait / 1000);
    deadline.tv_nsec += (long)(wait % 1000) * 1000000;
    if (deadline.tv_nsec >= 1000000000) {
        deadline.tv_sec++;
        deadline.tv_nsec -= 1000000000;
    }
    int code = 0;
    pthread_mutex_lock(&terminal.lock);
    while (!terminal.is_ended && code == 0 && wait > 0) {
        code = pthread_cond_timedwait(&terminal.ended, &terminal.lock, &deadline);
    }
    const bool is_ended = terminal.is_ended;
    pthread_mutex_unlock(&terminal.lock);
    return is_ended;
}

/** Say that work goes on, on what, and how far the record is. */
static void show_work(void) {
    char work[WORK_SIZE];
    pthread_mutex_lock(&terminal.lock);
    memcpy(work, terminal.work, sizeof work);
    const int written = terminal.record == NULL ? 0 : carom_record_written(terminal.record);
    pthread_mutex_unlock(&terminal.lock);
    char text[COLUMNS + 1];
    (void)snprintf(text, sizeof text, "at work for %lld s%s%s, %d data sets written",
                   (carom_terminal_clock() - terminal.start) / 1000, work[0] == '\0' ? "" : ": ",
                   work, written);
    carom_terminal_show(text);
}

/** Say so whenever nothing else was said for a while. */
static void *watch(void *nothing) {
    const long long own_interval = terminal.is_shared ? INTERVAL_SHARED : 1000;
    const long long silence = terminal.is_shared ? SILENCE + INTERVAL_SHARED : SILENCE;
    long long last = terminal.start;
    long long wait = SILENCE;
    while (!wait_for_end(last + wait)) {
        long long seen = atomic_load(&terminal.last);
        wait = silence;
        if (seen == last) {
            show_work();
            seen = atomic_load(&terminal.last);
            wait = own_interval;
        }
        last = seen;
    }
    return nothing;
}

/** Start the watcher, which leaves all signals to the threads that work. */
static bool start_watcher(void) {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    const bool is_started = pthread_create(&terminal.watcher, NULL, watch, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return is_started;
}

void carom_terminal_begin(const char *program, int ranks, bool is_quiet) {
    terminal.ranks = ranks;
    if (is_quiet) {
        return;
    }
    terminal.program = program;
    terminal.record = NULL;
    terminal.is_shared = isatty(STDERR_FILENO) == 0 || getenv("MAKELEVEL") != NULL;
    terminal.work[0] = '\0';
    terminal.start = carom_terminal_clock();
    terminal.is_ended = false;
    atomic_store(&terminal.last, terminal.start);
    if (!start_watcher()) {
        terminal.program = NULL;
        terminal.is_shared = false;
    }
}

void carom_terminal_count(const carom_record *record) {
    pthread_mutex_lock(&terminal.lock);
    terminal.record = record;
    pthread_mutex_unlock(&terminal.lock);
}

void carom_terminal_end(void) {
    if (terminal.program == NULL) {
        return;
    }
    pthread_mutex_lock(&terminal.lock);
    terminal.is_ended = true;
    pthread_cond_signal(&terminal.ended);
    pthread_mutex_unlock(&terminal.lock);
    pthread_join(terminal.watcher, NULL);
    if (atomic_load(&terminal.last) > terminal.start) {
        carom_terminal_clear();
    }
    terminal.program = NULL;
    terminal.is_shared = false;
}
