#include <carom/record/trajectory_record.h>

#include <stddef.h>
#include <stdio.h>

/* Longest path of a dataset of a trajectory, with its terminating zero. */
#define PATH_SIZE 256

/* Where the datasets of one trajectory go. */
typedef struct writer {
    carom_record *record;
    const char *group;
} writer;

/* "GROUP/NAME". */
static carom_status join(const writer *to, const char *name, char path[PATH_SIZE]) {
    const int length = snprintf(path, PATH_SIZE, "%s/%s", to->group, name);
    return length > 0 && length < PATH_SIZE ? CAROM_OK : CAROM_STATUS_BAD_FORMAT;
}

/* The index axis of a second dimension; an empty one is left out with all that lies over it. */
static carom_status write_index_axis(const writer *to, const char *name, int count,
                                     const char *long_name) {
    if (count == 0) {
        return CAROM_OK;
    }
    char path[PATH_SIZE];
    CAROM_TRY(join(to, name, path));
    return carom_record_index_axis(to->record, path, count, long_name);
}

/* The axes of all series. */
static carom_status write_axes(const writer *to, const carom_trajectory *trajectory) {
    char path[PATH_SIZE];
    CAROM_TRY(join(to, "time", path));
    CAROM_TRY(
        carom_record_axis(to->record, path, trajectory->row_count, trajectory->time, "s", "time"));
    CAROM_TRY(write_index_axis(to, "coordinate", trajectory->coordinate_count,
                               "number of the generalized coordinate"));
    CAROM_TRY(write_index_axis(to, "contact", trajectory->contact_count, "number of the contact"));
    return write_index_axis(to, "joint", trajectory->joint_count, "number of the joint");
}

static const char *units_of(const carom_mechanism *mechanism,
                            const carom_trajectory_column *column) {
    if (column->units != NULL) {
        return column->units;
    }
    return column->offset == offsetof(carom_trajectory, position) ? mechanism->position_units
                                                                  : mechanism->velocity_units;
}

static carom_status write_column(const writer *to, const carom_trajectory *trajectory,
                                 const carom_trajectory_column *column, const char *units) {
    static const char *const AXES[] = {NULL, "coordinate", "contact", "joint"};
    const void *values = carom_trajectory_values(trajectory, column);
    const char *axis = AXES[column->axis];
    char path[PATH_SIZE];
    char row_axis[PATH_SIZE];
    char column_axis[PATH_SIZE];
    char long_name[PATH_SIZE];
    CAROM_TRY(join(to, column->name, path));
    CAROM_TRY(join(to, "time", row_axis));
    CAROM_TRY(join(to, axis == NULL ? "" : axis, column_axis));
    axis = axis == NULL ? NULL : column_axis;
    if (column->is_integer) {
        return carom_record_integer_series(to->record, path, values, row_axis, axis, units,
                                           column->long_name);
    }
    snprintf(long_name, sizeof long_name, "%s%s", column->long_name,
             trajectory->outcome != CAROM_OK ? "; NaN after the step that failed" : "");
    return carom_record_series(to->record, path, values, row_axis, axis, units, long_name);
}

carom_status carom_record_trajectory(carom_record *record, const char *group,
                                     const carom_mechanism *mechanism,
                                     const carom_trajectory *trajectory) {
    CAROM_ASSERT(record != NULL && group != NULL && mechanism != NULL && trajectory != NULL);
    const writer to = {record, group};
    CAROM_TRY(write_axes(&to, trajectory));
    for (int c = 1; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        if ((column->kinds & (int)trajectory->kind) != 0 &&
            carom_trajectory_length(trajectory, column->axis) > 0) {
            CAROM_TRY(write_column(&to, trajectory, column, units_of(mechanism, column)));
        }
    }
    return CAROM_OK;
}
