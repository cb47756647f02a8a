#include <carom/record/internal.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An array of structs on its way into a record. */
typedef struct table {
    carom_record *record;
    const char *axis;
    const char *rows;
    carom_record_block block; /* where they stand in the data sets */
    size_t size;              /* of a row, bytes */
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
    const size_t entries = (size_t)self->block.count * (size_t)columns;
    void *values = calloc(entries, is_real ? sizeof(double) : sizeof(int));
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
        carom_record_block_axis(record, axis, &self->block, values, field->units, field->long_name);
    } else {
        const carom_record_axes axes = {axis, column_axis};
        carom_record_block_series(record, field->name, self->axis != NULL ? &self->block : NULL,
                                  values, !is_real, &axes, field->units, field->long_name);
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
    const int length = carom_record_block_extent(&self->block);
    if (columns == 0 ||
        (is_axis_needed && check_axis(self, field, self->axis, length, length) == 0)) {
        return;
    }
    CAROM_AUTO_MEMORY void *values = gather(self, field, columns, is_real);
    if (values == NULL) {
        carom_record_remember(self->record, field->name, CAROM_STATUS_OUT_OF_MEMORY);
        return;
    }
    write_numbers(self, field, values, is_real);
}

static void write_fields(const table *self, const carom_field *fields, int field_count) {
    for (int i = 0; i < field_count && !carom_record_is_idle(self->record->file); i++) {
        write_field(self, &fields[i]);
    }
}

void carom_recorder_append_rows(carom_recorder *recorder, const void *rows, int count, size_t size,
                                const carom_field *fields, int field_count) {
    CAROM_ASSERT(recorder != NULL && (rows != NULL || count == 0) && count >= 0);
    CAROM_ASSERT(fields != NULL || field_count == 0);
    table self = {.record = &recorder->group, .axis = recorder->axis, .rows = rows, .size = size};
    for (int left = count; left > 0; left -= self.block.count) {
        self.block = carom_recorder_next(recorder, left);
        if (self.block.count == 0) {
            return;
        }
        write_fields(&self, fields, field_count);
        self.rows += (size_t)self.block.count * size;
    }
}

void carom_record_rows(carom_record *record, const char *axis, const void *rows, int count,
                       size_t size, const carom_field *fields, int field_count) {
    CAROM_ASSERT(record != NULL && (axis != NULL || (count == 1 && rows != NULL)));
    if (axis == NULL) {
        const table one = {.record = record, .rows = rows, .block = {0, 1, 1}, .size = size};
        write_fields(&one, fields, field_count);
        return;
    }
    carom_recorder recorder = carom_recorder_begin(record, axis, count);
    carom_recorder_append_rows(&recorder, rows, count, size, fields, field_count);
    carom_recorder_end(&recorder);
}
