#include <carom/record/record.h>

#include <math.h>
#include <stddef.h>

void carom_record_claim(carom_record *record, const char *name, bool holds, const char *statement) {
    carom_record claims = carom_record_group(record, "/claims");
    carom_record_integer(&claims, name, holds ? 1 : 0, "1", statement);
}

void carom_record_measure(carom_record *record, const char *name, double value, const char *units,
                          const char *long_name) {
    carom_record measures = carom_record_group(record, "/measures");
    carom_record_scalar(&measures, name, value, units, long_name);
}

void carom_record_scalars(carom_record *record, const carom_measure *numbers, int count) {
    CAROM_ASSERT(record != NULL && numbers != NULL);
    for (int i = 0; i < count; i++) {
        carom_record_scalar(record, numbers[i].name, numbers[i].value, numbers[i].units,
                            numbers[i].long_name);
    }
}

void carom_record_measures(carom_record *record, const carom_measure *measures, int count) {
    CAROM_ASSERT(record != NULL && measures != NULL);
    for (int i = 0; i < count; i++) {
        if (!isnan(measures[i].value)) {
            carom_record_measure(record, measures[i].name, measures[i].value, measures[i].units,
                                 measures[i].long_name);
        }
    }
}

void carom_record_claims(carom_record *record, const carom_claim *claims, int count) {
    CAROM_ASSERT(record != NULL && claims != NULL);
    for (int i = 0; i < count; i++) {
        carom_record_claim(record, claims[i].name, claims[i].holds, claims[i].statement);
    }
}

void carom_record_columns(carom_record *record, const char *row_axis, const char *column_axis,
                          const carom_column *columns, int count) {
    CAROM_ASSERT(record != NULL && row_axis != NULL && columns != NULL);
    for (int i = 0; i < count; i++) {
        carom_record_series(record, columns[i].path, columns[i].values, row_axis, column_axis,
                            columns[i].units, columns[i].long_name);
    }
}
