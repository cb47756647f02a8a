/** What every test suite shares: closeness with full digits, seeded random numbers, one main. */
#ifndef CAROM_TESTS_SUPPORT_H
#define CAROM_TESTS_SUPPORT_H

#include <carom/base/base.h>
#include <carom/base/workers.h>

#include <check.h>
#include <float.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Check's own writes to a file where it is, at every assertion: by far the most of what a suite
 * with a million of them costs. A failure says where it is all the same; a crash, which test it was
 * in. */
#undef ck_assert_msg
#define ck_assert_msg(expression, ...)                                                          \
    ((expression) ? (void)0                                                                     \
                  : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #expression "' failed", \
                                      __VA_ARGS__))

/** So many threads of this process. */
#define THREADS(count) ((carom_workers){.threads = (count)})

/** |actual - expected| <= rel |expected| + abs, or fail with %.17g of both. */
#define assert_close(actual, expected, rel, abs)                                                   \
    do {                                                                                           \
        const double close_actual = (actual);                                                      \
        const double close_expected = (expected);                                                  \
        const double close_error = fabs(close_actual - close_expected);                            \
        const double close_bound = (rel)*fabs(close_expected) + (abs);                             \
        ck_assert_msg(close_error <= close_bound,                                                  \
                      "%s = %.17g, expected %s = %.17g, error %.3g > %.3g", #actual, close_actual, \
                      #expected, close_expected, close_error, close_bound);                        \
    } while (0)

/** The call succeeds, or fail with the name of its status. */
#define assert_ok(call)                                               \
    do {                                                              \
        const carom_status ok_status = (call);                        \
        ck_assert_msg(ok_status == CAROM_OK, "%s returned %s", #call, \
                      carom_status_name(ok_status));                  \
    } while (0)

/** The call fails with the given status code, written without prefix. */
#define assert_status(call, code)                                                              \
    do {                                                                                       \
        const carom_status got_status = (call);                                                \
        ck_assert_msg(got_status == CAROM_STATUS_##code, "%s returned %s, expected %s", #call, \
                      carom_status_name(got_status), #code);                                   \
    } while (0)

/** Whether long double is longer than double where the test runs: valgrind computes it as double,
 * so that formulas in extended precision are no oracle there. */
static inline bool has_extended_precision(void) {
    const volatile long double one = 1.0L;
    return one + LDBL_EPSILON > one;
}

/** A generator with an explicit seed; free with gsl_rng_free. Print the seed in failure messages.
 */
static inline gsl_rng *seeded_generator(unsigned long seed) {
    gsl_rng *generator = gsl_rng_alloc(gsl_rng_mt19937);
    ck_assert_ptr_nonnull(generator);
    gsl_rng_set(generator, seed);
    return generator;
}

/** A uniform number in [low, high). */
static inline double uniform(gsl_rng *generator, double low, double high) {
    return low + (high - low) * gsl_rng_uniform(generator);
}

/* A hanging test is ended, a slow machine is not. */
enum { TEST_SECONDS = 120 };

/** Test cases of a suite, run in this order; CK_RUN_CASE picks one by its name. */
enum { CASE_unit, CASE_property, CASE_errors, CASE_COUNT };

/** A test that its source registered. */
struct registered_test {
    int group;          /**< its case */
    int line;           /**< where it stands in its source */
    const TTest **test; /**< what START_TEST defined */
    int count;          /**< runs, of _i = 0 to count - 1 */
    struct registered_test *next;
};

static struct registered_test *first_test = NULL;

/** Constructors run in any order, tests in that of their lines. */
static inline void register_test(struct registered_test *test) {
    struct registered_test **place = &first_test;
    while (*place != NULL && (*place)->line < test->line) {
        place = &(*place)->next;
    }
    test->next = *place;
    *place = test;
}

/* One that is left out says so in a line that tools/run_checks.sh counts. */
#define REGISTERED_TEST(is_run, need, group, name, count)                                    \
    static const TTest *name;                                                                \
    __attribute__((constructor)) static void register_##name(void) {                         \
        static struct registered_test test = {CASE_##group, __LINE__, &(name), count, NULL}; \
        if (is_run) {                                                                        \
            register_test(&test);                                                            \
        } else {                                                                             \
            fputs("left out, needs " need ": " #name "\n", stderr);                          \
        }                                                                                    \
    }                                                                                        \
    START_TEST(name)

/** A test of the case unit, property or errors: TEST(unit, its_name_is_a_statement) { ... } */
#define TEST(group, name) REGISTERED_TEST(true, "nothing", group, name, 1)

/** A test that is part of the suite where extended precision is. */
#define EXTENDED_TEST(group, name) \
    REGISTERED_TEST(has_extended_precision(), "extended precision", group, name, 1)

/** A test that is run for _i = 0 to count - 1. */
#define LOOP_TEST(group, name, count) REGISTERED_TEST(true, "nothing", group, name, count)

/** The call ends by abort(), in a process of its own. */
static inline void assert_aborts(void (*call)(int i), int i) {
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        // an assertion that fails in here goes back to the runner, which is not to be heard twice
        (void)!freopen("/dev/null", "w", stdout);
        (void)alarm(TEST_SECONDS);
        call(i);
        _exit(EXIT_SUCCESS);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT,
                  "no abort in run %d: status %d", i, status);
}

/** A loop test of which each run ends by abort(). */
#define ABORT_TEST(group, name, count)                   \
    static void name##_body(CK_ATTRIBUTE_UNUSED int _i); \
    LOOP_TEST(group, name, count) {                      \
        assert_aborts(name##_body, _i);                  \
    }                                                    \
    static void name##_body(CK_ATTRIBUTE_UNUSED int _i)

/** What is done before and after each test: FIXTURE(setup, teardown); */
static SFun suite_setup, suite_teardown;
#define FIXTURE(setup, teardown) static SFun suite_setup = (setup), suite_teardown = (teardown)

/** Run the tests that registered themselves, in one process: one for each (CK_FORK=yes) costs more
 * than most tests, but tells of a crash which test it was in. GSL keeps its error handler, as in a
 * program of the user: a call that reaches it ends the test. */
int main(void) {
    static const char *const names[CASE_COUNT] = {"unit", "property", "errors"};
    Suite *suite = suite_create(__BASE_FILE__);
    for (int group = 0; group < CASE_COUNT; group++) {
        TCase *tests = tcase_create(names[group]);
        tcase_set_timeout(tests, TEST_SECONDS);
        tcase_add_checked_fixture(tests, suite_setup, suite_teardown);
        for (const struct registered_test *t = first_test; t != NULL; t = t->next) {
            if (t->group == group) {
                tcase_add_loop_test(tests, *t->test, 0, t->count);
            }
        }
        suite_add_tcase(suite, tests);
    }
    SRunner *runner = srunner_create(suite);
    if (getenv("CK_FORK") == NULL) {
        srunner_set_fork_status(runner, CK_NOFORK);
        (void)alarm(5 * TEST_SECONDS);
    }
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
