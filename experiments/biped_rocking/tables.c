/** Columns of numbers written to a group of the record. */
#include "tables.h"

#include <stdio.h>

const char *biped_rocking_path(const char *group, const char *name,
                               char path[BIPED_ROCKING_PATH_SIZE]) {
    snprintf(path, BIPED_ROCKING_PATH_SIZE, "%s/%s", group, name);
    return path;
}

void biped_rocking_write_numbers(carom_record *record, const char *group, int count,
                                 const carom_measure *numbers) {
    carom_record to = carom_record_group(record, "%s", group);
    carom_record_scalars(&to, numbers, count);
}

void biped_rocking_write_columns(carom_record *record, const char *group, const char *axis,
                                 int count, const carom_column *columns) {
    biped_rocking_write_matrices(record, group, axis, NULL, count, columns);
}

void biped_rocking_write_matrices(carom_record *record, const char *group, const char *axis,
                                  const char *across, int count, const carom_column *matrices) {
    carom_record to = carom_record_group(record, "%s", group);
    carom_record_columns(&to, axis, across, matrices, count);
}
