#include "../support.h"

#include <carom/program/experiment.h>

START_TEST(a_program_that_says_nothing_of_itself_is_unknown) {
    ck_assert_str_eq(carom_build_of_program.source_digest, "unknown");
    ck_assert_str_eq(carom_build_of_program.compiler, "unknown");
    ck_assert_str_eq(carom_build_of_program.cflags, "unknown");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("driver/build");
    TCase *unit = tcase_create("unit");
    tcase_add_test(unit, a_program_that_says_nothing_of_itself_is_unknown);
    suite_add_tcase(suite, unit);
    return run_suite(suite);
}
