/* carom/base/roots.h: roots to rounding, and failures that GSL's error handler does not see. */
#include <carom/base/roots.h>

#include "../support.h"

#include <float.h>

/** x^3 - context, which is not a number beyond 1.6. */
static double cube_defect(double x, void *context) {
    const double *wanted = context;
    return x > 1.6 ? (double)NAN : x * x * x - *wanted;
}

static double overflow(double x, void *context) {
    (void)context;
    return x > 0.5 ? (double)INFINITY : -1.0;
}

/** -1 at 0, 1 at 1, no number between. */
static double hole(double x, void *context) {
    (void)context;
    return x > 0.0 && x < 1.0 ? (double)NAN : 2.0 * x - 1.0;
}

TEST(unit, a_root_is_found_to_rounding) {
    double wanted = 2.385;
    const gsl_function defect = {.function = cube_defect, .params = &wanted};
    carom_bracket bracket;
    assert_ok(carom_bracket_init(&bracket));
    assert_ok(carom_bracket_start(&bracket, &defect, 0.3, 1.6));
    for (int i = 0; i < 100 && bracket.high - bracket.low > 4.0 * DBL_EPSILON; i++) {
        assert_ok(carom_bracket_narrow(&bracket));
        ck_assert(bracket.low <= bracket.root && bracket.root <= bracket.high);
    }
    assert_close(bracket.root, cbrt(2.385), 4.0 * DBL_EPSILON, 0.0);
    carom_bracket_clear(&bracket);
}

TEST(unit, a_root_at_an_end_is_one) {
    double wanted = 1.331;
    const gsl_function defect = {.function = cube_defect, .params = &wanted};
    carom_bracket bracket;
    assert_ok(carom_bracket_init(&bracket));
    wanted = 1.1 * 1.1 * 1.1;
    assert_ok(carom_bracket_start(&bracket, &defect, 1.1, 1.5));
    assert_ok(carom_bracket_narrow(&bracket));
    assert_close(bracket.root, 1.1, 4.0 * DBL_EPSILON, 0.0);
    carom_bracket_clear(&bracket);
}

TEST(errors, ends_without_a_change_of_sign_are_told) {
    double wanted = 2.385;
    const gsl_function defect = {.function = cube_defect, .params = &wanted};
    carom_bracket bracket;
    assert_ok(carom_bracket_init(&bracket));
    assert_status(carom_bracket_start(&bracket, &defect, 0.3, 1.2), NOT_CONVERGED);
    assert_status(carom_bracket_start(&bracket, &defect, 1.4, 1.5), NOT_CONVERGED);
    assert_status(carom_bracket_start(&bracket, &defect, 1.5, 0.3), NOT_CONVERGED);
    // The same bracket serves again.
    assert_ok(carom_bracket_start(&bracket, &defect, 0.3, 1.5));
    carom_bracket_clear(&bracket);
}

TEST(errors, values_that_are_no_numbers_are_told) {
    double wanted = 2.385;
    const gsl_function cube = {.function = cube_defect, .params = &wanted};
    const gsl_function infinite = {.function = overflow};
    const gsl_function holed = {.function = hole};
    carom_bracket bracket;
    assert_ok(carom_bracket_init(&bracket));
    assert_status(carom_bracket_start(&bracket, &cube, 0.3, 1.7), NOT_CONVERGED);
    assert_status(carom_bracket_start(&bracket, &cube, 1.7, 1.8), NOT_CONVERGED);
    assert_status(carom_bracket_start(&bracket, &infinite, 0.0, 1.0), NOT_CONVERGED);
    assert_ok(carom_bracket_start(&bracket, &holed, 0.0, 1.0));
    assert_status(carom_bracket_narrow(&bracket), NOT_CONVERGED);
    // What was known before stays.
    ck_assert(bracket.low <= 0.0 && bracket.high >= 1.0);
    carom_bracket_clear(&bracket);
}
