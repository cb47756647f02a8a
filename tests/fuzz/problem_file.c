/**
 * Fuzz target (libFuzzer) for the reader of impact problems: any bytes are read or refused with a
 * sentence, without harm.
 *
 *     make fuzz                                    (clang; a minute from the example)
 *     clang -std=c11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Iinclude
 *         tests/fuzz/problem_file.c LIBRARY SOURCES AND PACKAGES -o problem_file
 *     ./problem_file -max_total_time=300 -max_len=4096 CORPUS data/examples
 *
 * CORPUS is a folder of its own, into which interesting inputs are written.
 */
#include <carom/study/problem_file.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Stop the program, which the fuzzer reports with the input. */
static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

/** What every accepted problem keeps. */
static void check_problem(const carom_problem_file *file) {
    const carom_impact_problem *p = file->problem;
    require(p->coordinate_count >= 1 && p->coordinate_count <= CAROM_PROBLEM_FILE_MOST_COORDINATES);
    require(p->contact_count >= 1 && p->contact_count <= CAROM_PROBLEM_FILE_MOST_CONTACTS);
    require(p->tangent_count == 1 || p->tangent_count == 2);
    require(isfinite(p->kinetic_energy) && p->kinetic_energy >= 0.0);
    for (int i = 0; i < p->contact_count; i++) {
        require(p->friction[i] >= 0.0 && isfinite(p->friction[i]));
        require(file->names == NULL || file->names[i][0] != '\0');
    }
    for (int i = 0; i < p->row_count * p->row_count; i++) {
        require(isfinite(p->delassus_matrix[i]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char defect[CAROM_PROBLEM_FILE_DEFECT_SIZE];
    carom_problem_file *file = NULL;
    const carom_status status = carom_problem_file_parse((const char *)data, size, &file, defect);
    require(memchr(defect, '\0', sizeof defect) != NULL);
    if (status == CAROM_OK) {
        require(defect[0] == '\0' && file != NULL);
        check_problem(file);
    } else {
        require(status == CAROM_STATUS_BAD_FORMAT && file == NULL && defect[0] != '\0');
        for (const char *letter = defect; *letter != '\0'; letter++) {
            require(*letter >= ' ' && *letter <= '~');
        }
    }
    carom_problem_file_free(file);
    return 0;
}
