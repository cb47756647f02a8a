#define _XOPEN_SOURCE 700 /* pseudo-terminals */

#include "../support.h"

#include <carom/base/parallel.h>
#include <carom/program/program.h>

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/** stderr led into a terminal of our own. */
typedef struct terminal {
    int master;
    int slave;
    int saved;
    char text[16384];
} terminal;

/** Open a pseudo-terminal and make it stderr. */
static void terminal_begin(terminal *self) {
    self->master = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert_int_ge(self->master, 0);
    ck_assert_int_eq(grantpt(self->master), 0);
    ck_assert_int_eq(unlockpt(self->master), 0);
    self->slave = open(ptsname(self->master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(self->slave, 0);
    self->saved = dup(STDERR_FILENO);
    ck_assert_int_eq(dup2(self->slave, STDERR_FILENO), STDERR_FILENO);
}

/** Give stderr back and read what the terminal got. */
static void terminal_end(terminal *self) {
    fflush(stderr);
    dup2(self->saved, STDERR_FILENO);
    fcntl(self->master, F_SETFL, O_NONBLOCK);
    size_t length = 0;
    for (;;) {
        const ssize_t got = read(self->master, self->text + length, sizeof self->text - 1 - length);
        if (got <= 0) {
            break;
        }
        length += (size_t)got;
    }
    self->text[length] = '\0';
    close(self->saved);
    close(self->slave);
    close(self->master);
}

static void sleep_milliseconds(long milliseconds) {
    const struct timespec pause = {milliseconds / 1000, (milliseconds % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

/** How often a part occurs in a text. */
static int occurrences(const char *text, const char *part) {
    int count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) {
        count++;
    }
    return count;
}

/** The text after a part it must begin with. */
static const char *expect(const char *text, const char *part) {
    ck_assert_msg(strncmp(text, part, strlen(part)) == 0, "\"%s\" is not \"%s\"", text, part);
    return text + strlen(part);
}

TEST(unit, a_line_shows_percentage_rate_and_remaining_time) {
    terminal screen;
    terminal_begin(&screen);
    carom_progress *progress = carom_progress_start("ball", 400, "rows", false);
    sleep_milliseconds(400);
    carom_progress_add(progress, 100);
    carom_progress_finish(progress);
    terminal_end(&screen);
    ck_assert_ptr_nonnull(progress);
    // Number by number: "\rball  25 %, RATE rows/s, REMAINING s left".
    const char *text = expect(screen.text, "\rball ");
    char *end = NULL;
    const double percent = strtod(text, &end);
    const double rate = strtod(expect(end, " %, "), &end);
    const double remaining = strtod(expect(end, " rows/s, "), &end);
    (void)expect(end, " s left");
    assert_close(percent, 25.0, 0.0, 0.0);
    // At most a hundred rows in the 0.4 s slept, up to the clock's millisecond and three digits.
    ck_assert_double_le(rate, 100.0 / 0.399 * 1.005);
    // The rest at the same rate, printed in whole seconds.
    assert_close(remaining, 300.0 / rate, 0.005, 0.5);
    // The last thing printed clears the line.
    const char *clear = "\r\033[K";
    const size_t length = strlen(screen.text);
    ck_assert_uint_ge(length, strlen(clear));
    ck_assert_str_eq(screen.text + length - strlen(clear), clear);
}

TEST(unit, it_is_silent_when_quiet_or_without_work) {
    terminal screen;
    terminal_begin(&screen);
    carom_progress *quiet = carom_progress_start("ball", 200, "rows", true);
    carom_progress *empty = carom_progress_start("ball", 0, "rows", false);
    terminal_end(&screen);
    ck_assert_ptr_null(quiet);
    ck_assert_ptr_null(empty);
    ck_assert_str_eq(screen.text, "");
}

TEST(unit, it_is_silent_where_stderr_is_no_terminal) {
    const int saved = dup(STDERR_FILENO);
    FILE *file = tmpfile();
    dup2(fileno(file), STDERR_FILENO);
    carom_progress *progress = carom_progress_start("ball", 200, "rows", false);
    carom_progress_add(progress, 3);
    carom_progress_finish(progress);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fseek(file, 0, SEEK_END);
    const long length = ftell(file);
    fclose(file);
    ck_assert_ptr_null(progress);
    ck_assert_int_eq((int)length, 0);
}

TEST(unit, long_labels_are_cut_and_excess_work_stays_at_a_hundred) {
    terminal screen;
    terminal_begin(&screen);
    carom_progress *progress =
        carom_progress_start("abcdefghijklmnopqrstuvwxyz0123456789", 10, "configurations", false);
    sleep_milliseconds(120);
    carom_progress_add(progress, 35);
    carom_progress_add(progress, -4);
    carom_progress_finish(progress);
    terminal_end(&screen);
    ck_assert_msg(strstr(screen.text, "\rabcdefghijklmnopqrstuvwx 100 %, ") != NULL, "%s",
                  screen.text);
    ck_assert_ptr_nonnull(strstr(screen.text, " configuratio/s, 0 s left"));
}

/** Add one piece of work from whatever thread. */
static carom_status add_one(int item, void *context, carom_report *report) {
    (void)item;
    (void)report;
    sleep_milliseconds(1);
    carom_progress_add(context, 1);
    return CAROM_OK;
}

TEST(property, threads_count_together_and_print_at_most_ten_lines_a_second) {
    terminal screen;
    terminal_begin(&screen);
    struct timespec begin;
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    carom_progress *progress = carom_progress_start("threads", 1200, "items", false);
    const carom_status status = carom_parallel_map(THREADS(4), 1199, add_one, progress, NULL, NULL);
    sleep_milliseconds(120);
    carom_progress_add(progress, 1);
    clock_gettime(CLOCK_MONOTONIC, &end);
    carom_progress_finish(progress);
    terminal_end(&screen);
    assert_ok(status);
    // The last line has seen all the work.
    ck_assert_msg(strstr(screen.text, "\rthreads 100 %, ") != NULL, "%s", screen.text);
    const double seconds =
        (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    const int lines = occurrences(screen.text, "\rthreads");
    ck_assert_msg(lines >= 1 && lines <= 10.0 * seconds + 1.0, "%d lines in %g s", lines, seconds);
}

TEST(unit, work_told_as_a_whole_is_counted_once) {
    terminal screen;
    terminal_begin(&screen);
    carom_progress *progress = carom_progress_start("reach", 10, "items", false);
    carom_progress_reach(progress, 3);
    carom_progress_reach(progress, 3);
    carom_progress_reach(progress, 2); // never back
    sleep_milliseconds(120);
    carom_progress_reach(progress, 7);
    carom_progress_finish(progress);
    terminal_end(&screen);
    ck_assert_msg(strstr(screen.text, "\rreach  70 %, ") != NULL, "%s", screen.text);
}

TEST(unit, what_an_earlier_run_had_finished_counts_for_the_share_alone) {
    terminal screen;
    terminal_begin(&screen);
    carom_progress *progress = carom_progress_start("resumed", 400, "rows", false);
    carom_progress_skip(progress, 200);
    sleep_milliseconds(400);
    carom_progress_add(progress, 100);
    carom_progress_finish(progress);
    terminal_end(&screen);
    char *end = NULL;
    const double percent = strtod(expect(screen.text, "\rresumed "), &end);
    const double rate = strtod(expect(end, " %, "), &end);
    const double remaining = strtod(expect(end, " rows/s, "), &end);
    assert_close(percent, 75.0, 0.0, 0.0);
    // At most the hundred rows of this run in the 0.4 s slept, up to the clock's millisecond.
    ck_assert_double_le(rate, 100.0 / 0.399 * 1.005);
    assert_close(remaining, 100.0 / rate, 0.005, 0.5);
}

TEST(errors, no_progress_is_accepted_everywhere) {
    carom_progress_add(NULL, 5);
    carom_progress_skip(NULL, 5);
    carom_progress_reach(NULL, 5);
    carom_progress_finish(NULL);
}
