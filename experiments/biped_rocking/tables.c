/** Columns of numbers written to a group of the record. */
#include "tables.h"

#include <stdio.h>

const char *biped_rocking_path(const char *group, const char *name,
                               char path[BIPED_ROCKING_PATH_SIZE]) {
    snprintf(path, BIPED_ROCKING_PATH_SIZE, "%s/%s", group, name);
    return path;
}

void biped_rocking_write_numbers(carom_record *record, const char *group, int count,
                                 const named_number *numbers) {
    char path[BIPED_ROCKING_PATH_SIZE];
    for (int i = 0; i < count; i++) {
        const named_number *number = &numbers[i];
        carom_record_scalar(record, biped_rocking_path(group, number->name, path), number->value,
                            number->units, number->long_name);
    }
}

/** Series with `across` NULL, else matrices. */
static void write_columns(carom_record *record, const char *group, const char *axis,
                          const char *across, int count, const named_column *columns) {
    char path[BIPED_ROCKING_PATH_SIZE];
    char axis_path[BIPED_ROCKING_PATH_SIZE];
    biped_rocking_path(group, axis, axis_path);
    for (int i = 0; i < count; i++) {
        const named_column *column = &columns[i];
        carom_record_series(record, biped_rocking_path(group, column->name, path), column->values,
                            axis_path, across, column->units, column->long_name);
    }
}

void biped_rocking_write_columns(carom_record *record, const char *group, const char *axis,
                                 int count, const named_column *columns) {
    write_columns(record, group, axis, NULL, count, columns);
}

void biped_rocking_write_matrices(carom_record *record, const char *group, const char *axis,
                                  const char *across, int count, const named_column *matrices) {
    write_columns(record, group, axis, across, count, matrices);
}
