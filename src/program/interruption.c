#include <carom/program/internal.h>

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** The signals with which people and systems end a program. */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

/** What a handler cannot be given: the file to remove, "" if none. No system opens a longer path.
 */
static char file_to_remove[PATH_MAX];

/** What the handler says, "" if nothing: it can put no words together. */
static char last_words[PATH_MAX];

/** Whether the handler of signals[i] is ours. */
static bool is_ours[SIGNAL_COUNT];

/** Remove the file and die of the signal, whose default came back as the handler was entered. */
static void remove_and_die(int number) {
    unlink(file_to_remove);
    const ssize_t written = write(STDERR_FILENO, last_words, strlen(last_words));
    (void)written; // there is nobody to tell
    raise(number);
}

/** Let the signals wait, or come. */
static void set_mask(int how) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        if (is_ours[i]) {
            sigaddset(&set, signals[i]);
        }
    }
    sigprocmask(how, &set, NULL);
}

void carom_interruption_begin(void) {
    struct sigaction action = {.sa_handler = remove_and_die, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction before;
        is_ours[i] = sigaction(signals[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL &&
                     sigaction(signals[i], &action, NULL) == 0;
    }
    set_mask(SIG_BLOCK);
}

void carom_interruption_say(const char *program, const char *checkpoint) {
    if (checkpoint != NULL) {
        snprintf(last_words, sizeof last_words, "%s: ended; the same command goes on from %s\n",
                 program, checkpoint);
    }
}

void carom_interruption_name(const char *path) {
    const size_t size = strlen(path) + 1;
    if (size <= sizeof file_to_remove) {
        memcpy(file_to_remove, path, size);
    }
    set_mask(SIG_UNBLOCK);
}

void carom_interruption_end(void) {
    set_mask(SIG_UNBLOCK);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        if (is_ours[i]) {
            signal(signals[i], SIG_DFL);
            is_ours[i] = false;
        }
    }
    file_to_remove[0] = '\0';
    last_words[0] = '\0';
}
