#include "../failing_malloc.h"
#include "capture.h"

#include <carom/driver/options.h>

START_TEST(a_parse_without_memory_is_refused_in_one_sentence) {
    const scratch folder = scratch_make();
    char path[256];
    write_bytes(scratch_path(&folder, "parameters", path), "mass = 4.5\n", 11);
    const carom_program program = {"ball", "A ball", "key", "ball 1"};
    double mass = 2.5;
    const carom_option option = {"mass", CAROM_OPTION_REAL,    &mass, "kg",
                                 "mass", CAROM_RANGE_POSITIVE, NULL};
    char *arguments[] = {"ball", "--set", path};
    carom_parse_result result = CAROM_PARSE_REFUSED;
    int failures = 0;
    for (; result != CAROM_PARSE_RUN; failures++) {
        carom_common_options common;
        capture printed;
        capture_begin(&printed);
        successes_left = failures;
        result = carom_options_parse(&program, 3, arguments, &option, 1, &common);
        successes_left = -1;
        capture_end(&printed);
        carom_options_clear(&common);
        if (result != CAROM_PARSE_RUN) {
            ck_assert_int_eq(result, CAROM_PARSE_REFUSED);
            assert_contains(CAPTURED_ERR(&printed), "out of memory\n");
            assert_close(mass, 2.5, 0.0, 0.0);
        }
    }
    // The default output and the set file each keep one text.
    ck_assert_int_eq(failures, 3);
    assert_close(mass, 4.5, 0.0, 0.0);
    scratch_remove(&folder, "parameters");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("driver/allocation");
    TCase *errors = tcase_create("errors");
    tcase_add_test(errors, a_parse_without_memory_is_refused_in_one_sentence);
    suite_add_tcase(suite, errors);
    return run_suite(suite);
}
