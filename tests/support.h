/** What every test suite shares: closeness with full digits, seeded random numbers, one main. */
#ifndef CAROM_TESTS_SUPPORT_H
#define CAROM_TESTS_SUPPORT_H

#include <carom/base/status.h>

#include <check.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

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

/** Run a suite as main does; returns the exit status. */
static inline int run_suite(Suite *suite) {
    gsl_set_error_handler_off();
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
