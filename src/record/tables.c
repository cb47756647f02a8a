#include <carom/record/record.h>

#include <math.h>

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

void carom_record_columns(carom_record *record, const char *row_axis, const char *column_axis,
                          const carom_column *columns, int count) {
    CAROM_ASSERT(record != NULL && row_axis != NULL && columns != NULL);
    for (int i = 0; i < count; i++) {
        carom_record_series(record, columns[i].path, columns[i].values, row_axis, column_axis,
                            columns[i].units, columns[i].long_name);
    }
}
