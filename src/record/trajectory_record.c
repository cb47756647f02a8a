#include <carom/record/internal.h>
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
    [CAROM_TRAJECTORY_POSITION] = {"position_entry", "number of the entry of q"},
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

/* The description of a column of real numbers, of a run that may have ended early. */
static const char *describe(const carom_trajectory *trajectory,
                            const carom_trajectory_column *column, char text[LONG_NAME_SIZE]) {
    snprintf(text, LONG_NAME_SIZE, "%s%s", column->long_name,
             trajectory->outcome != CAROM_OK ? "; NaN after the step that failed" : "");
    return text;
}

/* Some rows of a column, from row `from` of the trajectory on. */
static void write_column(carom_recorder *recorder, const carom_record_block *block,
                         const carom_trajectory *trajectory, int from,
                         const carom_trajectory_column *column) {
    const size_t size = column->is_integer ? sizeof(int) : sizeof(double);
    const int length = carom_trajectory_length(trajectory, column->axis);
    const char *values = carom_trajectory_values(trajectory, column);
    values += (size_t)from * (size_t)length * size;
    const carom_record_axes axes = {recorder->axis, AXES[column->axis].name};
    char text[LONG_NAME_SIZE];
    const char *long_name =
        column->is_integer ? column->long_name : describe(trajectory, column, text);
    carom_record_block_series(&recorder->group, column->name, block, values, column->is_integer,
                              &axes, column->units, long_name);
    if (block->first > 0 && trajectory->outcome != CAROM_OK) {
        carom_record_attribute(&recorder->group, column->name, "long_name", long_name);
    }
}

static void append_columns(carom_recorder *recorder, const carom_trajectory *trajectory,
                           const carom_trajectory_column *columns, int count) {
    CAROM_ASSERT(recorder != NULL && trajectory != NULL && columns != NULL);
    for (int from = 0; from < trajectory->row_count;) {
        const carom_record_block block =
            carom_recorder_next(recorder, trajectory->row_count - from);
        if (block.count == 0) {
            return;
        }
        carom_record_block_axis(&recorder->group, recorder->axis, &block, trajectory->time + from,
                                "s", "time");
        for (int c = 0; c < count; c++) {
            write_column(recorder, &block, trajectory, from, &columns[c]);
        }
        from += block.count;
    }
}

void carom_recorder_append_trajectory(carom_recorder *recorder, const carom_mechanism *mechanism,
                                      const carom_trajectory *trajectory) {
    CAROM_ASSERT(recorder != NULL && mechanism != NULL && trajectory != NULL);
    carom_trajectory_column columns[CAROM_TRAJECTORY_COLUMNS];
    bool has_axis[AXIS_COUNT] = {[CAROM_TRAJECTORY_ROW] = true,
                                 [CAROM_TRAJECTORY_SUPPORTS] = true,
                                 [CAROM_TRAJECTORY_LOSSES] = true};
    int count = 0;
    for (int c = 1; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        carom_trajectory_column column = carom_trajectory_columns[c];
        if (column.axis == CAROM_TRAJECTORY_POSITION &&
            trajectory->position_count == trajectory->coordinate_count) {
            column.axis = CAROM_TRAJECTORY_COORDINATE;
        }
        const int length = carom_trajectory_length(trajectory, column.axis);
        if ((column.kinds & (int)trajectory->kind) == 0 || length == 0) {
            continue;
        }
        if (recorder->row_count == 0 && !has_axis[column.axis]) {
            carom_record_index_axis(&recorder->group, AXES[column.axis].name, length,
                                    AXES[column.axis].long_name);
            has_axis[column.axis] = true;
        }
        column.units = units_of(mechanism, &column);
        columns[count++] = column;
    }
    const bool is_first = recorder->row_count == 0;
    append_columns(recorder, trajectory, columns, count);
    char formed[LONG_NAME_SIZE];
    carom_mechanism_list_differences(mechanism, sizeof formed, formed);
    if (is_first && formed[0] != '\0') {
        carom_record_attribute(&recorder->group, ".", "differences", formed);
    }
    if (is_first && trajectory->row_count > 0 && mechanism->position_names != NULL) {
        carom_record_attribute(&recorder->group, "position", "names", mechanism->position_names);
    }
}

void carom_record_trajectory_columns(carom_record *record, const carom_trajectory *trajectory,
                                     const carom_trajectory_column *columns, int count) {
    CAROM_ASSERT(record != NULL && trajectory != NULL);
    carom_recorder recorder = carom_recorder_begin(record, "time", trajectory->row_count);
    append_columns(&recorder, trajectory, columns, count);
    carom_recorder_end(&recorder);
}

void carom_record_trajectory(carom_record *record, const carom_mechanism *mechanism,
                             const carom_trajectory *trajectory) {
    CAROM_ASSERT(record != NULL && trajectory != NULL);
    carom_recorder recorder = carom_recorder_begin(record, "time", trajectory->row_count);
    carom_recorder_append_trajectory(&recorder, mechanism, trajectory);
    carom_recorder_end(&recorder);
}
