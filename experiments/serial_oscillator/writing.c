/** Short ways to write into the record, and what may be missing from it. */
#include "results.h"

#include <math.h>
#include <stdio.h>

void serial_oscillator_write_columns(const oscillator *o, const char *group, const char *axis,
                                     const char *column_axis, const carom_column *columns,
                                     int count) {
    carom_record to = carom_record_group(o->record, "%s", group);
    carom_record_columns(&to, axis, column_axis, columns, count);
}

void serial_oscillator_write_scalars(const oscillator *o, const char *group,
                                     const carom_measure *scalars, int count) {
    carom_record to = carom_record_group(o->record, "%s", group);
    carom_record_scalars(&to, scalars, count);
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
