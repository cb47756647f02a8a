#include <carom/record/record.h>
#include <carom/timestepping/internal.h>

#include <stddef.h>
#include <stdio.h>

/* Longest description of a dataset, with its terminating zero. */
#define LONG_NAME_SIZE 256

/* The index axes of a second dimension. */
static const struct {
    const char *name;
    const char *long_name;
} AXES[] = {
    [CAROM_TRAJECTORY_COORDINATE] = {"coordinate", "number of the generalized coordinate"},
    [CAROM_TRAJECTORY_CONTACT] = {"contact", "number of the contact"},
    [CAROM_TRAJECTORY_TANGENT] = {"tangent", "number of the tangent, contact by contact"},
    [CAROM_TRAJECTORY_JOINT] = {"joint", "number of the joint"},
};
enum { AXIS_COUNT = sizeof AXES / sizeof AXES[0] };

static const char *units_of(const carom_mechanism *mechanism,
                            const carom_trajectory_column *column) {
    if (column->units != NULL) {
        return column->units;
    }
    return column->offset == offsetof(carom_trajectory, position) ? mechanism->position_units
                                                                  : mechanism->velocity_units;
}

static void write_column(carom_record *record, const carom_trajectory *trajectory,
                         const carom_trajectory_column *column) {
    const void *values = carom_trajectory_values(trajectory, column);
    const char *axis = AXES[column->axis].name;
    if (column->is_integer) {
        carom_record_integer_series(record, column->name, values, "time", axis, column->units,
                                    column->long_name);
        return;
    }
    char long_name[LONG_NAME_SIZE];
    snprintf(long_name, sizeof long_name, "%s%s", column->long_name,
             trajectory->outcome != CAROM_OK ? "; NaN after the step that failed" : "");
    carom_record_series(record, column->name, values, "time", axis, column->units, long_name);
}

void carom_record_trajectory_columns(carom_record *record, const carom_trajectory *trajectory,
                                     const carom_trajectory_column *columns, int count) {
    CAROM_ASSERT(record != NULL && trajectory != NULL && columns != NULL);
    carom_record_axis(record, "time", trajectory->row_count, trajectory->time, "s", "time");
    for (int c = 0; c < count; c++) {
        write_column(record, trajectory, &columns[c]);
    }
}

void carom_record_trajectory(carom_record *record, const carom_mechanism *mechanism,
                             const carom_trajectory *trajectory) {
    CAROM_ASSERT(record != NULL && mechanism != NULL && trajectory != NULL);
    carom_trajectory_column columns[CAROM_TRAJECTORY_COLUMNS];
    bool has_axis[AXIS_COUNT] = {[CAROM_TRAJECTORY_ROW] = true};
    int count = 0;
    for (int c = 1; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        carom_trajectory_column column = carom_trajectory_columns[c];
        const int length = carom_trajectory_length(trajectory, column.axis);
        if ((column.kinds & (int)trajectory->kind) == 0 || length == 0) {
            continue;
        }
        if (!has_axis[column.axis]) {
            carom_record_index_axis(record, AXES[column.axis].name, length,
                                    AXES[column.axis].long_name);
            has_axis[column.axis] = true;
        }
        column.units = units_of(mechanism, &column);
        columns[count++] = column;
    }
    carom_record_trajectory_columns(record, trajectory, columns, count);
}
