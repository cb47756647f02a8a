#include <carom/timestepping/internal.h>

#include <stdlib.h>
#include <string.h>

/** What stands before the columns. */
typedef struct rows_head {
    int kind;
    int row_count;
    int first_row;
    int total_rows;
    int outcome;
    double step;
    double failure_time;
} rows_head;

/** Bytes of the rows of a column; 0: the trajectory has it not. */
static size_t column_size(const carom_trajectory *t, const carom_trajectory_column *column) {
    const size_t entry = column->is_integer ? sizeof(int) : sizeof(double);
    return carom_trajectory_values(t, column) == NULL
               ? 0
               : (size_t)t->row_count * (size_t)carom_trajectory_length(t, column->axis) * entry;
}

carom_status carom_trajectory_pack(const carom_trajectory *rows, carom_parallel_bytes *bytes) {
    CAROM_ASSERT(rows != NULL && bytes != NULL);
    rows_head head;
    memset(&head, 0, sizeof head); // the padding too: the same run leaves the same bytes
    head.kind = (int)rows->kind;
    head.row_count = rows->row_count;
    head.first_row = rows->first_row;
    head.total_rows = rows->total_rows;
    head.outcome = (int)rows->outcome;
    head.step = rows->step;
    head.failure_time = rows->failure_time;
    CAROM_TRY(carom_parallel_append(bytes, &head, sizeof head));
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        CAROM_TRY(carom_parallel_append(bytes, carom_trajectory_values(rows, column),
                                        column_size(rows, column)));
    }
    return CAROM_OK;
}

carom_status carom_trajectory_unpack(const carom_mechanism *mechanism, const unsigned char **data,
                                     size_t *left, carom_trajectory **out) {
    CAROM_ASSERT(mechanism != NULL && data != NULL && left != NULL && out != NULL);
    *out = NULL;
    rows_head head;
    CAROM_TRY(carom_parallel_take(data, left, &head, sizeof head));
    if (head.row_count < 0 || (size_t)head.row_count > *left) {
        return CAROM_STATUS_BAD_FORMAT;
    }
    CAROM_AUTO(carom_trajectory) t = NULL;
    CAROM_TRY(carom_trajectory_alloc(mechanism, (carom_trajectory_kind)head.kind,
                                     head.row_count > 0 ? head.row_count : 1, &t));
    t->row_count = head.row_count;
    t->first_row = head.first_row;
    t->total_rows = head.total_rows;
    t->outcome = (carom_status)head.outcome;
    t->step = head.step;
    t->failure_time = head.failure_time;
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        CAROM_TRY(carom_parallel_take(data, left, (void *)carom_trajectory_values(t, column),
                                      column_size(t, column)));
    }
    CAROM_HAND_OVER(t, out);
    return CAROM_OK;
}
