#include <carom/record/record.h>

#include <carom/record/record_internal.h>

#include <stddef.h>
#include <stdio.h>

/* Longest path of a dataset of a trajectory, with its terminating zero. */
#define PATH_SIZE 256

/* Where the datasets of one trajectory go. */
typedef struct writer {
    carom_record *record;
    const char *group;
} writer;

/* "GROUP/NAME"; one that is too long is refused. */
static void join(const writer *to, const char *name, char path[PATH_SIZE]) {
    const int length = snprintf(path, PATH_SIZE, "%s/%s", to->group, name);
    if (length >= PATH_SIZE) {
        carom_record_remember(to->record, name, CAROM_STATUS_BAD_FORMAT);
    }
}

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

static void write_column(const writer *to, const carom_trajectory *trajectory,
                         const carom_trajectory_column *column) {
    const void *values = carom_trajectory_values(trajectory, column);
    const char *axis = AXES[column->axis].name;
    char path[PATH_SIZE];
    char row_axis[PATH_SIZE];
    char column_axis[PATH_SIZE];
    char long_name[PATH_SIZE];
    join(to, column->name, path);
    join(to, "time", row_axis);
    join(to, axis == NULL ? "" : axis, column_axis);
    axis = axis == NULL ? NULL : column_axis;
    if (column->is_integer) {
        carom_record_integer_series(to->record, path, values, row_axis, axis, column->units,
                                    column->long_name);
        return;
    }
    snprintf(long_name, sizeof long_name, "%s%s", column->long_name,
             trajectory->outcome != CAROM_OK ? "; NaN after the step that failed" : "");
    carom_record_series(to->record, path, values, row_axis, axis, column->units, long_name);
}

void carom_record_trajectory_columns(carom_record *record, const char *group,
                                     const carom_trajectory *trajectory,
                                     const carom_trajectory_column *columns, int count) {
    CAROM_ASSERT(record != NULL && group != NULL && trajectory != NULL && columns != NULL);
    const writer to = {record, group};
    char path[PATH_SIZE];
    join(&to, "time", path);
    carom_record_axis(record, path, trajectory->row_count, trajectory->time, "s", "time");
    for (int c = 0; c < count; c++) {
        write_column(&to, trajectory, &columns[c]);
    }
}

void carom_record_trajectory(carom_record *record, const char *group,
                             const carom_mechanism *mechanism, const carom_trajectory *trajectory) {
    CAROM_ASSERT(record != NULL && group != NULL && mechanism != NULL && trajectory != NULL);
    const writer to = {record, group};
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
            char path[PATH_SIZE];
            join(&to, AXES[column.axis].name, path);
            carom_record_index_axis(record, path, length, AXES[column.axis].long_name);
            has_axis[column.axis] = true;
        }
        column.units = units_of(mechanism, &column);
        columns[count++] = column;
    }
    carom_record_trajectory_columns(record, group, trajectory, columns, count);
}
