#include "../failing_malloc.h"
#include "capture.h"

#include <carom/program/options.h>

TEST(errors, a_parse_without_memory_is_refused_in_one_sentence) {
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
    // The default output and the set file each keep one text; the file is loaded first.
    ck_assert_int_eq(failures, 4);
    assert_close(mass, 4.5, 0.0, 0.0);
    scratch_remove(&folder, "parameters");
}

TEST(errors, lists_and_matrices_without_memory_are_refused_in_one_sentence) {
    const scratch folder = scratch_make();
    char path[256];
    write_bytes(scratch_path(&folder, "M", path), "4.5\n", 4);
    const carom_program program = {"chain", "A chain", "key", "chain 1"};
    const double stays = 2.5;
    carom_parse_result result = CAROM_PARSE_REFUSED;
    int failures = 0;
    for (; result != CAROM_PARSE_RUN; failures++) {
        carom_real_list list = {1, &stays};
        carom_real_matrix matrix = {0, NULL};
        const carom_option options[] = {
            {"masses", CAROM_OPTION_REAL_LIST, &list, "kg", "", CAROM_RANGE_POSITIVE, NULL},
            {"mass-file", CAROM_OPTION_MATRIX, &matrix, "kg", "", CAROM_RANGE_ANY, NULL}};
        char *arguments[] = {"chain", "--mass-file", path, "--masses", "1,2"};
        carom_common_options common;
        capture printed;
        capture_begin(&printed);
        successes_left = failures;
        result = carom_options_parse(&program, 5, arguments, options, 2, &common);
        successes_left = -1;
        capture_end(&printed);
        if (result == CAROM_PARSE_RUN) {
            ck_assert_int_eq(list.count, 2);
            assert_close(matrix.values[0], 4.5, 0.0, 0.0);
        } else {
            assert_contains(CAPTURED_ERR(&printed), "memory");
            ck_assert_int_eq(list.count, 1);
        }
        carom_options_clear(&common);
    }
    // The output; text, numbers and matrix kept; text and numbers of the list.
    ck_assert_int_eq(failures, 7);
    scratch_remove(&folder, "M");
}
