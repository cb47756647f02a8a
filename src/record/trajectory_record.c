#include <carom/record/trajectory_record.h>

#include <stdio.h>
#include <string.h>

/* Longest path of a dataset of a trajectory, with its terminating zero. */
#define PATH_SIZE 256

/* Where the datasets of one trajectory go. */
typedef struct writer {
    carom_record *record;
    const char *group;
    bool has_failed; /* rows after the failure hold NaN */
} writer;

/* One dataset over time, or over time and a second axis. */
typedef struct series {
    const char *name;
    const double *values;
    const char *column_axis; /* NULL: over time alone */
    const char *units;
    const char *long_name;
} series;

/* As series, for whole numbers. */
typedef struct integer_series {
    const char *name;
    const int *values;
    const char *column_axis;
    const char *long_name;
} integer_series;

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

static carom_status write_series(const writer *to, const series *list, size_t count) {
    char long_name[PATH_SIZE];
    char path[PATH_SIZE];
    char row_axis[PATH_SIZE];
    char column_axis[PATH_SIZE];
    CAROM_TRY(join(to, "time", row_axis));
    for (size_t i = 0; i < count; ++i) {
        const series *item = &list[i];
        CAROM_TRY(join(to, item->name, path));
        if (item->column_axis != NULL) {
            CAROM_TRY(join(to, item->column_axis, column_axis));
        }
        snprintf(long_name, sizeof long_name, "%s%s", item->long_name,
                 to->has_failed ? "; NaN after the step that failed" : "");
        CAROM_TRY(carom_record_series(to->record, path, item->values, row_axis,
                                      item->column_axis == NULL ? NULL : column_axis, item->units,
                                      long_name));
    }
    return CAROM_OK;
}

static carom_status write_integer_series(const writer *to, const integer_series *list,
                                         size_t count) {
    char path[PATH_SIZE];
    char row_axis[PATH_SIZE];
    char column_axis[PATH_SIZE];
    CAROM_TRY(join(to, "time", row_axis));
    for (size_t i = 0; i < count; ++i) {
        const integer_series *item = &list[i];
        CAROM_TRY(join(to, item->name, path));
        if (item->column_axis != NULL) {
            CAROM_TRY(join(to, item->column_axis, column_axis));
        }
        CAROM_TRY(carom_record_integer_series(to->record, path, item->values, row_axis,
                                              item->column_axis == NULL ? NULL : column_axis, "1",
                                              item->long_name));
    }
    return CAROM_OK;
}

/* Motion, energy and what the solution of the step cost. */
static carom_status write_motion(const writer *to, const carom_mechanism *mechanism,
                                 const carom_trajectory *trajectory) {
    const series list[] = {
        {"position", trajectory->position, "coordinate", mechanism->position_units,
         "position q at the end of the step"},
        {"velocity", trajectory->velocity, "coordinate", mechanism->velocity_units,
         "velocity v at the end of the step, right limit"},
        {"energy", trajectory->energy, NULL, "J", "mechanical energy"},
        {"residual", trajectory->residual, NULL, "1", "largest scaled residual of the step"},
    };
    CAROM_TRY(write_series(to, list, sizeof list / sizeof list[0]));
    const integer_series iterations = {"newton_iterations", trajectory->newton_iterations, NULL,
                                       "Newton iterations of the step"};
    return write_integer_series(to, &iterations, 1);
}

/* Contacts: forces where the scheme knows no impulses, impulses and multipliers elsewhere. */
static carom_status write_contacts(const writer *to, const carom_trajectory *trajectory) {
    const series common[] = {
        {"gap", trajectory->gap, "contact", "m", "gap g, negative in penetration"},
        {"gap_rate", trajectory->gap_rate, "contact", "m s-1", "rate of the gap"},
    };
    CAROM_TRY(write_series(to, common, sizeof common / sizeof common[0]));

    const series smooth[] = {
        {"contact_force", trajectory->contact_force, "contact", "N", "contact force lambda"},
    };
    const series nonsmooth[] = {
        {"contact_impulse", trajectory->contact_impulse, "contact", "N s",
         "contact impulse Lambda of the step"},
        {"contact_position_multiplier", trajectory->contact_position_multiplier, "contact", "N s2",
         "position-level multiplier nu of the contact"},
    };
    if (trajectory->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        CAROM_TRY(write_series(to, smooth, sizeof smooth / sizeof smooth[0]));
    } else {
        CAROM_TRY(write_series(to, nonsmooth, sizeof nonsmooth / sizeof nonsmooth[0]));
    }

    const integer_series active[] = {
        {"position_active", trajectory->position_active, "contact",
         "1 where the contact is closed at position level"},
        {"velocity_active", trajectory->velocity_active, "contact",
         "1 where the contact is closed at velocity level"},
    };
    return write_integer_series(to, active, sizeof active / sizeof active[0]);
}

/* Joints: the smooth force of every scheme, impulses and multipliers where there are any. */
static carom_status write_joints(const writer *to, const carom_trajectory *trajectory) {
    const series common[] = {
        {"joint_residual", trajectory->joint_residual, "joint", "m", "joint residual g"},
        {"joint_rate", trajectory->joint_rate, "joint", "m s-1", "rate of the joint residual"},
        {"joint_force", trajectory->joint_force, "joint", "N", "smooth joint force lambda"},
    };
    CAROM_TRY(write_series(to, common, sizeof common / sizeof common[0]));
    if (trajectory->scheme == CAROM_SCHEME_SMOOTH_GALPHA) {
        return CAROM_OK;
    }
    const series nonsmooth[] = {
        {"joint_impulse", trajectory->joint_impulse, "joint", "N s",
         "joint impulse Lambda of the step"},
        {"joint_position_multiplier", trajectory->joint_position_multiplier, "joint", "N s2",
         "position-level multiplier nu of the joint"},
    };
    return write_series(to, nonsmooth, sizeof nonsmooth / sizeof nonsmooth[0]);
}

carom_status carom_record_trajectory(carom_record *record, const char *group,
                                     const carom_mechanism *mechanism,
                                     const carom_trajectory *trajectory) {
    CAROM_ASSERT(record != NULL && group != NULL && mechanism != NULL && trajectory != NULL);
    const writer to = {record, group, trajectory->outcome != CAROM_OK};
    CAROM_TRY(write_axes(&to, trajectory));
    CAROM_TRY(write_motion(&to, mechanism, trajectory));
    if (trajectory->contact_count > 0) {
        CAROM_TRY(write_contacts(&to, trajectory));
    }
    if (trajectory->joint_count > 0) {
        CAROM_TRY(write_joints(&to, trajectory));
    }
    return CAROM_OK;
}
