#include "../failing_malloc.h"
#include "capture.h"

#include <carom/program/internal.h>
#include <carom/program/program.h>

typedef struct ball {
    double mass;
} ball;

static const carom_option ball_options[] = {
    CAROM_REAL("mass", ball, mass, "kg", "mass", "positive"),
};

typedef struct chain {
    carom_real_list masses;
    carom_real_matrix mass;
} chain;

static const carom_option chain_options[] = {
    CAROM_REAL_LIST("masses", chain, masses, "kg", "", "positive"),
    CAROM_MATRIX("mass-file", chain, mass, "kg", ""),
};

TEST(errors, a_parse_without_memory_is_refused_in_one_sentence) {
    const scratch folder = scratch_make();
    char path[256];
    write_bytes(scratch_path(&folder, "parameters", path), "mass = 4.5\n", 11);
    const carom_program program = {.name = "ball",
                                   .title = "A ball",
                                   .source = "key",
                                   .schema = "ball 1",
                                   .options = CAROM_OPTIONS(ball_options)};
    ball values = {2.5};
    char *arguments[] = {"ball", "--set", path};
    carom_parse_result result = CAROM_PARSE_REFUSED;
    int failures = 0;
    for (; result != CAROM_PARSE_RUN; failures++) {
        carom_common_options common;
        capture printed;
        capture_begin(&printed);
        successes_left = failures;
        result = carom_options_parse(&program, 3, arguments, &values, &common);
        successes_left = -1;
        capture_end(&printed);
        carom_options_clear(&common);
        if (result != CAROM_PARSE_RUN) {
            ck_assert_int_eq(result, CAROM_PARSE_REFUSED);
            assert_contains(CAPTURED_ERR(&printed), "out of memory\n");
            assert_close(values.mass, 2.5, 0.0, 0.0);
        }
    }
    // The default output and the set file each keep one text; the file is loaded first. What was
    // given is compared with the defaults.
    ck_assert_int_eq(failures, 6);
    assert_close(values.mass, 4.5, 0.0, 0.0);
    scratch_remove(&folder, "parameters");
}

TEST(errors, lists_and_matrices_without_memory_are_refused_in_one_sentence) {
    const scratch folder = scratch_make();
    char path[256];
    write_bytes(scratch_path(&folder, "M", path), "4.5\n", 4);
    const carom_program program = {.name = "chain",
                                   .title = "A chain",
                                   .source = "key",
                                   .schema = "chain 1",
                                   .options = CAROM_OPTIONS(chain_options)};
    const double stays = 2.5;
    carom_parse_result result = CAROM_PARSE_REFUSED;
    int failures = 0;
    for (; result != CAROM_PARSE_RUN; failures++) {
        chain values = {.masses = {1, &stays}};
        char *arguments[] = {"chain", "--mass-file", path, "--masses", "1,2"};
        carom_common_options common;
        capture printed;
        capture_begin(&printed);
        successes_left = failures;
        result = carom_options_parse(&program, 5, arguments, &values, &common);
        successes_left = -1;
        capture_end(&printed);
        if (result == CAROM_PARSE_RUN) {
            ck_assert_int_eq(values.masses.count, 2);
            assert_close(values.mass.values[0], 4.5, 0.0, 0.0);
        } else {
            assert_contains(CAPTURED_ERR(&printed), "memory");
            ck_assert_int_eq(values.masses.count, 1);
        }
        carom_options_clear(&common);
    }
    // The output; the defaults and what departs from them; text, numbers and matrix kept; text and
    // numbers of the list.
    ck_assert_int_eq(failures, 9);
    scratch_remove(&folder, "M");
}
