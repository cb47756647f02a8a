#include "../support.h"

#include <carom/program/program.h>

TEST(unit, a_program_that_says_nothing_of_itself_is_unknown) {
    ck_assert_str_eq(carom_build_of_program.source_digest, "unknown");
    ck_assert_str_eq(carom_build_of_program.compiler, "unknown");
    ck_assert_str_eq(carom_build_of_program.cflags, "unknown");
}
