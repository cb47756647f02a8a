#include <carom/record/record_internal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array of structs on its way into a record. */
typedef struct table {
    carom_record *record;
    const char *axis;
    const char *rows;
    int count;
    size_t size; /* of a row, bytes */
} table;

/* A number of a member. */
static double number_of(const carom_field *field, const char *row, int column) {
    const void *member = row + field->offset;
    switch (field->kind) {
    case CAROM_FIELD_REAL:
        return ((const double *)member)[column];
    case CAROM_FIELD_INTEGER:
        return ((const int *)member)[column];
    case CAROM_FIELD_FLAG:
        break;
    }
    return ((const bool *)member)[column] ? 1.0 : 0.0;
}

/* The numbers of a member as [count][columns], of double or else of int; to be freed. */
static void *gather(const table *self, const carom_field *field, int columns, bool is_real) {
    const size_t entries = (size_t)self->count * (size_t)columns;
    void *values = malloc(entries * (is_real ? sizeof(double) : sizeof(int)));
    for (size_t i = 0; i < entries && values != NULL; i++) {
        const char *row = self->rows + i / (size_t)columns * self->size;
        const double number = number_of(field, row, (int)(i % (size_t)columns));
        if (is_real) {
            ((double *)values)[i] = number;
        } else {
            ((int *)values)[i] = (int)number;
        }
    }
    return values;
}

/* Entries of an axis, which must be `least` to `most`; 0 if the record has failed. */
static int check_axis(const table *self, const carom_field *field, const char *axis, int least,
                      int most) {
    const int length = carom_record_axis_length(self->record, field->name, axis);
    if (length >= least && length <= most) {
        return length;
    }
    carom_record_file *file = self->record->file;
    snprintf(file->cause, sizeof file->cause, "axis %s has %d entries", axis, length);
    carom_record_remember(self->record, field->name, CAROM_STATUS_OUT_OF_RANGE);
    return 0;
}

/* The axis that a member of the only row stands over itself, or the axes of all rows. */
static void write_numbers(const table *self, const carom_field *field, const void *values,
                          bool is_real) {
    const char *axis = self->axis != NULL ? self->axis : field->column_axis;
    const char *column_axis = self->axis != NULL ? field->column_axis : NULL;
    carom_record *record = self->record;
    if (axis == NULL && is_real) {
        carom_record_scalar(record, field->name, *(const double *)values, field->units,
                            field->long_name);
    } else if (axis == NULL) {
        carom_record_integer(record, field->name, *(const int *)values, field->units,
                             field->long_name);
    } else if (strcmp(field->name, axis) == 0) {
        carom_record_axis(record, axis, self->count, values, field->units, field->long_name);
    } else if (is_real) {
        carom_record_series(record, field->name, values, axis, column_axis, field->units,
                            field->long_name);
    } else {
        carom_record_integer_series(record, field->name, values, axis, column_axis, field->units,
                                    field->long_name);
    }
}

/* One member of all rows. */
static void write_field(const table *self, const carom_field *field) {
    const bool is_axis = self->axis != NULL && strcmp(field->name, self->axis) == 0;
    const bool is_real = is_axis || field->kind == CAROM_FIELD_REAL;
    const bool is_array = field->column_axis != NULL;
    CAROM_ASSERT(!is_axis || !is_array);
    const int columns =
        is_array ? check_axis(self, field, field->column_axis, 1, field->length) : 1;
    const bool is_axis_needed = self->axis != NULL && !is_axis;
    if (columns == 0 ||
        (is_axis_needed && check_axis(self, field, self->axis, self->count, self->count) == 0)) {
        return;
    }
    CAROM_AUTO_MEMORY void *values = gather(self, field, columns, is_real);
    if (values == NULL) {
        carom_record_remember(self->record, field->name, CAROM_STATUS_OUT_OF_MEMORY);
        return;
    }
    write_numbers(self, field, values, is_real);
}

void carom_record_rows(carom_record *record, const char *axis, const void *rows, int count,
                       size_t size, const carom_field *fields, int field_count) {
    CAROM_ASSERT(record != NULL && (axis != NULL || count == 1) && (rows != NULL || count == 0) &&
                 count >= 0);
    CAROM_ASSERT(fields != NULL || field_count == 0);
    const table self = {.record = record, .axis = axis, .rows = rows, .count = count, .size = size};
    for (int i = 0; i < field_count && count > 0 && carom_record_status(record) == CAROM_OK; i++) {
        write_field(&self, &fields[i]);
    }
}
