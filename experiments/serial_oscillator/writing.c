/** Short ways to write into the record, and what may be missing from it. */
#include "results.h"

#include <math.h>
#include <stdio.h>

void serial_oscillator_write_columns(const oscillator *o, const char *group, const char *axis,
                                     const char *column_axis, const column *columns, int count) {
    char path[PATH_SIZE];
    for (int i = 0; i < count; i++) {
        carom_record_series(o->record, serial_oscillator_path(group, columns[i].name, path),
                            columns[i].values, axis, column_axis, columns[i].units,
                            columns[i].long_name);
    }
}

void serial_oscillator_write_scalars(const oscillator *o, const char *group,
                                     const carom_measure *scalars, int count) {
    char path[PATH_SIZE];
    for (int i = 0; i < count; i++) {
        carom_record_scalar(o->record, serial_oscillator_path(group, scalars[i].name, path),
                            scalars[i].value, scalars[i].units, scalars[i].long_name);
    }
}

const char *serial_oscillator_path(const char *group, const char *name, char path[PATH_SIZE]) {
    (void)snprintf(path, PATH_SIZE, "%s/%s", group, name);
    return path;
}

carom_status serial_oscillator_may_miss(carom_status status, bool *found) {
    *found = status == CAROM_OK;
    const bool is_fatal = status == CAROM_STATUS_OUT_OF_MEMORY || status == CAROM_STATUS_IO;
    return is_fatal ? status : CAROM_OK;
}
