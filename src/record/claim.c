#include <carom/record/record.h>

#include <carom/record/record_internal.h>

#include <stdio.h>

enum { PATH_LENGTH = 128 };

/* GROUP/NAME; a name that does not fit is refused. */
static void make_path(carom_record *record, const char *group, const char *name, char *path) {
    const int length = snprintf(path, PATH_LENGTH, "%s/%s", group, name);
    if (length >= PATH_LENGTH) {
        carom_record_remember(record, name, CAROM_STATUS_OUT_OF_RANGE);
    }
}

void carom_record_claim(carom_record *record, const char *name, bool holds, const char *statement) {
    char path[PATH_LENGTH];
    make_path(record, "/claims", name, path);
    carom_record_integer(record, path, holds ? 1 : 0, "1", statement);
}

void carom_record_measure(carom_record *record, const char *name, double value, const char *units,
                          const char *long_name) {
    char path[PATH_LENGTH];
    make_path(record, "/measures", name, path);
    carom_record_scalar(record, path, value, units, long_name);
}
