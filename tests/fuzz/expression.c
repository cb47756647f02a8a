/**
 * Fuzz target (libFuzzer) for expressions over records: any text is evaluated or refused with a
 * sentence, without harm (tests/fuzz/problem_file.c says how it is built).
 */
#include <carom/record/expression.h>

#include <math.h>
#include <stdbool.h>
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

/** Every path is there: a number, a series or a matrix by its last letter. */
static carom_status read(void *context, const char *record, const char *path, carom_dataset *out) {
    static const double values[] = {0.0, 1.0, -2.5, NAN, 1e300, 3.0};
    (void)context;
    *out = (carom_dataset){.rank = path[strlen(path) - 1] % 3};
    require(path[0] == '/' && (record == NULL || record[0] != '\0'));
    out->rows = out->rank == 0 ? 1 : 3;
    out->columns = out->rank == 2 ? 2 : 1;
    out->values = malloc(sizeof values);
    require(out->values != NULL);
    memcpy(out->values, values, sizeof values);
    return CAROM_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const carom_expression_name names[] = {{"mask", "/a > 1"}, {"self", "self + 1"}};
    const carom_expression_scope scope = {.read = read, .names = names, .name_count = 2};
    char *text = malloc(size + 1);
    require(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    carom_report report = carom_report_empty();
    carom_expression_result result;
    if (carom_expression_evaluate(text, &scope, &result, &report) == CAROM_OK) {
        require(result.value.values != NULL && result.term_count <= CAROM_EXPRESSION_MOST_TERMS);
        require(result.value.rank > 0 || result.value.rows == 1);
    } else {
        require(report.sentence[0] != '\0' && result.value.values == NULL);
    }
    carom_dataset_clear(&result.value);
    free(text);
    return 0;
}
