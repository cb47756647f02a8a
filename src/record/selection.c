#include <carom/record/selection.h>

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char letter) {
    return letter >= '0' && letter <= '9';
}

/* One entry of the brackets: ":" or a whole number; NULL if neither. */
static const char *parse_entry(const char *text, bool *is_all, int *index) {
    *is_all = text[0] == ':';
    *index = 0;
    if (*is_all) {
        return text + 1;
    }
    if (!is_digit(text[text[0] == '-' ? 1 : 0])) {
        return NULL;
    }
    char *end = NULL;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (errno != 0 || number < INT_MIN || number > INT_MAX) {
        return NULL;
    }
    *index = (int)number;
    return end;
}

/* "[i]" or "[i,j]" and nothing after it. */
static carom_status parse_brackets(const char *text, carom_selection *selection) {
    const char *position = text;
    do {
        if (selection->axis_count == 2) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        const int axis = selection->axis_count;
        position = parse_entry(position + 1, &selection->is_all[axis], &selection->index[axis]);
        if (position == NULL) {
            return CAROM_STATUS_BAD_FORMAT;
        }
        selection->axis_count += 1;
    } while (*position == ',');
    return strcmp(position, "]") == 0 ? CAROM_OK : CAROM_STATUS_BAD_FORMAT;
}

carom_status carom_selection_parse(const char *text, carom_selection *selection) {
    CAROM_ASSERT(text != NULL && selection != NULL);
    memset(selection, 0, sizeof *selection);
    const size_t length = strcspn(text, "[");
    if (length < 2 || length >= sizeof selection->path || text[0] != '/' ||
        text[length - 1] == '/') {
        return CAROM_STATUS_BAD_FORMAT;
    }
    memcpy(selection->path, text, length);
    selection->path[length] = '\0';
    return text[length] == '\0' ? CAROM_OK : parse_brackets(text + length, selection);
}

carom_status carom_selection_position(int index, int count, int *position) {
    if (index >= count || index < -count) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    *position = index < 0 ? count + index : index;
    return CAROM_OK;
}

/* Of a series: one entry. */
static carom_status apply_to_series(const carom_selection *selection, carom_dataset *dataset) {
    if (selection->is_all[0]) {
        return CAROM_OK;
    }
    int row = 0;
    CAROM_TRY(carom_selection_position(selection->index[0], dataset->rows, &row));
    dataset->values[0] = dataset->values[row];
    dataset->rank = 0;
    dataset->rows = 1;
    return CAROM_OK;
}

/* Of a matrix: one row or all, crossed with one column or all. */
static carom_status apply_to_matrix(const carom_selection *selection, carom_dataset *dataset) {
    const size_t stride = (size_t)dataset->columns;
    int row = 0;
    int column = 0;
    if (!selection->is_all[0]) {
        CAROM_TRY(carom_selection_position(selection->index[0], dataset->rows, &row));
    }
    if (!selection->is_all[1]) {
        CAROM_TRY(carom_selection_position(selection->index[1], dataset->columns, &column));
    }
    if (selection->is_all[0] && selection->is_all[1]) {
        return CAROM_OK;
    }

    /* What is kept is a series, gathered at the front. */
    const bool is_element = !selection->is_all[0] && !selection->is_all[1];
    const bool is_column = selection->is_all[0];
    const int count = is_element ? 1 : is_column ? dataset->rows : dataset->columns;
    const size_t first = (size_t)row * stride + (size_t)column;
    for (int i = 0; i < count; ++i) {
        dataset->values[i] = dataset->values[first + (size_t)i * (is_column ? stride : 1)];
    }
    dataset->rank = is_element ? 0 : 1;
    dataset->rows = count;
    dataset->columns = 1;
    return CAROM_OK;
}

carom_status carom_selection_apply(const carom_selection *selection, carom_dataset *dataset) {
    CAROM_ASSERT(selection != NULL && dataset != NULL);
    if (selection->axis_count == 0) {
        return CAROM_OK;
    }
    if (selection->axis_count != dataset->rank) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    return dataset->rank == 1 ? apply_to_series(selection, dataset)
                              : apply_to_matrix(selection, dataset);
}
