/* carom/program/points.h: whom a program serves, and how it waits for one of its points. */
#include "../support.h"

#include <carom/program/points.h>

#include <stdlib.h>
#include <unistd.h>

/** Whether a program of a name serves a sweep that is this process and called one. */
static bool serves(long sweep, const char *called, const char *name) {
    char asked[64];
    snprintf(asked, sizeof asked, "%ld%s", sweep, called);
    ck_assert_int_eq(setenv(CAROM_POINTS_VARIABLE, asked, 1), 0);
    return carom_points_are_asked(name);
}

TEST(unit, a_program_serves_the_sweep_that_called_it_by_its_name) {
    const long parent = (long)getppid();
    ck_assert(serves(parent, " build/bin/ball", "build/bin/ball"));
    // A script that stands for it, another sweep, what is no such text.
    ck_assert(!serves(parent, " ./script", "build/bin/ball"));
    ck_assert(!serves(parent + 1, " build/bin/ball", "build/bin/ball"));
    ck_assert(!serves(parent, "", ""));
    ck_assert(!serves(parent, "build/bin/ball", "build/bin/ball"));
    ck_assert(!serves(parent, " build/bin/ball", NULL));
    ck_assert_int_eq(unsetenv(CAROM_POINTS_VARIABLE), 0);
    ck_assert(!carom_points_are_asked("build/bin/ball"));
}

/** A child that ends with a status, after so many seconds. */
static pid_t child_of(int status, unsigned seconds) {
    const pid_t process = fork();
    if (process == 0) {
        sleep(seconds);
        _exit(status);
    }
    ck_assert_int_gt(process, 0);
    return process;
}

TEST(unit, the_end_of_a_point_is_its_status_its_signal_or_its_limit) {
    const carom_point_end ended = carom_point_await(child_of(3, 0), 0.0);
    ck_assert_int_eq(ended.exit_code, 3);
    ck_assert(!ended.is_late);
    const carom_point_end in_time = carom_point_await(child_of(0, 0), 60.0);
    ck_assert_int_eq(in_time.exit_code, 0);
    ck_assert(!in_time.is_late);
    const carom_point_end late = carom_point_await(child_of(0, 60), 0.05);
    ck_assert(late.is_late);
    ck_assert_int_gt(late.exit_code, CAROM_POINT_ENDED_BY_SIGNAL);
}
