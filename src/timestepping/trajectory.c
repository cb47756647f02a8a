#include <carom/timestepping/internal.h>
#include <carom/timestepping/trajectory.h>

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMOOTH = CAROM_TRAJECTORY_SMOOTH,
    NONSMOOTH = CAROM_TRAJECTORY_NONSMOOTH,
    FIXED_STEPS = SMOOTH | NONSMOOTH,
    INCLUSION = CAROM_TRAJECTORY_INCLUSION,
    VARIATIONAL = CAROM_TRAJECTORY_VARIATIONAL,
    STEPS = FIXED_STEPS | INCLUSION | VARIATIONAL,
    MOTION = CAROM_TRAJECTORY_MOTION,
    ALL = STEPS | MOTION
};

#define ARRAY CAROM_TRAJECTORY_ARRAY

const carom_trajectory_column carom_trajectory_columns[CAROM_TRAJECTORY_COLUMNS] = {
    {ARRAY(time, ROW), false, ALL, "s", "time"},
    {ARRAY(position, POSITION), false, ALL, NULL, "position q at the end of the step"},
    {ARRAY(velocity, COORDINATE), false, ALL, NULL,
     "velocity v at the end of the step, right limit"},
    {ARRAY(energy, ROW), false, FIXED_STEPS | VARIATIONAL, "J", "mechanical energy"},
    {ARRAY(support_work, SUPPORTS), false, FIXED_STEPS, "J",
     "work done by supports that move, so far"},
    {ARRAY(residual, ROW), false, FIXED_STEPS | INCLUSION, "1",
     "largest scaled residual of the step"},
    {ARRAY(newton_iterations, ROW), true, FIXED_STEPS, "1", "Newton iterations of the step"},
    {ARRAY(gap, CONTACT), false, STEPS, "m", "gap g, negative in penetration"},
    {ARRAY(gap_rate, CONTACT), false, FIXED_STEPS, "m s-1", "rate of the gap"},
    {ARRAY(contact_force, CONTACT), false, SMOOTH | VARIATIONAL, "N", "contact force lambda"},
    {ARRAY(contact_impulse, CONTACT), false, NONSMOOTH, "N s",
     "contact impulse Lambda of the step"},
    {ARRAY(friction_impulse, TANGENT), false, NONSMOOTH, "N s",
     "friction impulse Lambda_t of the step"},
    {ARRAY(contact_position_multiplier, CONTACT), false, NONSMOOTH, "N s2",
     "position-level multiplier nu of the contact"},
    {ARRAY(position_active, CONTACT), true, FIXED_STEPS, "1",
     "1 where the contact is closed at position level"},
    {ARRAY(velocity_active, CONTACT), true, FIXED_STEPS, "1",
     "1 where the contact is closed at velocity level"},
    {ARRAY(joint_residual, JOINT), false, FIXED_STEPS, "m", "joint residual g"},
    {ARRAY(joint_rate, JOINT), false, FIXED_STEPS, "m s-1", "rate of the joint residual"},
    {ARRAY(joint_force, JOINT), false, FIXED_STEPS, "N", "smooth joint force lambda"},
    {ARRAY(joint_impulse, JOINT), false, NONSMOOTH, "N s", "joint impulse Lambda of the step"},
    {ARRAY(joint_position_multiplier, JOINT), false, NONSMOOTH, "N s2",
     "position-level multiplier nu of the joint"},
    {ARRAY(s, ROW), false, INCLUSION, "s", "s: time, and normal impulses over kappa"},
    {ARRAY(time_rate, ROW), false, INCLUSION, "1", "dt/ds of the step; NaN at the start"},
    {ARRAY(normal_rate, CONTACT), false, INCLUSION, "1",
     "normal impulse over kappa ds of the step; NaN at the start"},
    {ARRAY(tangential_rate, TANGENT), false, INCLUSION, "1",
     "tangential impulse over kappa ds of the step; NaN at the start"},
    {ARRAY(kinetic_energy, ROW), false, INCLUSION | VARIATIONAL | MOTION, "J", "kinetic energy"},
    {ARRAY(potential_energy, ROW), false, INCLUSION | VARIATIONAL, "J", "potential energy"},
    {ARRAY(problems, ROW), true, INCLUSION, "1", "complementarity problems solved in the step"},
    {ARRAY(shortened, ROW), true, INCLUSION, "1", "1 where the step was shortened"},
    {ARRAY(momentum, COORDINATE), false, VARIATIONAL, "kg m s-1, kg m2 s-1", "momenta"},
    {ARRAY(holding_force, CONTACT), false, VARIATIONAL, "N", "normal force of held contacts"},
    {ARRAY(friction_force, TANGENT), false, VARIATIONAL, "N", "force of friction"},
    {ARRAY(friction_work, LOSSES), false, NONSMOOTH | VARIATIONAL, "J", "lost to friction so far"},
    {ARRAY(impact_loss, LOSSES), false, NONSMOOTH | VARIATIONAL, "J", "lost in impacts so far"},
    {ARRAY(held, CONTACT), true, VARIATIONAL, "1", "contacts held at the end of the step, 0 or 1"},
};

/** The columns are those of all schemes of fixed steps, so that their runs can be compared. */
static bool has_column(const carom_trajectory *t, const carom_trajectory_column *column) {
    const int kinds = (t->kind & FIXED_STEPS) != 0 ? FIXED_STEPS : (int)t->kind;
    return (column->kinds & kinds) != 0;
}

int carom_trajectory_length(const carom_trajectory *trajectory, carom_trajectory_axis axis) {
    switch (axis) {
    case CAROM_TRAJECTORY_COORDINATE:
        return trajectory->coordinate_count;
    case CAROM_TRAJECTORY_POSITION:
        return trajectory->position_count;
    case CAROM_TRAJECTORY_CONTACT:
        return trajectory->contact_count;
    case CAROM_TRAJECTORY_TANGENT:
        return trajectory->contact_count * trajectory->tangent_count;
    case CAROM_TRAJECTORY_JOINT:
        return trajectory->joint_count;
    case CAROM_TRAJECTORY_SUPPORTS:
        return trajectory->has_moving_supports ? 1 : 0;
    case CAROM_TRAJECTORY_LOSSES:
        return trajectory->kind == CAROM_TRAJECTORY_VARIATIONAL || trajectory->tangent_count > 0;
    case CAROM_TRAJECTORY_ROW:
        break;
    }
    return 1;
}

/** Numbers in some rows of a column, 0 if there is none. */
static size_t count_entries(const carom_trajectory *t, const carom_trajectory_column *column,
                            int rows) {
    return has_column(t, column) ? (size_t)rows * (size_t)carom_trajectory_length(t, column->axis)
                                 : 0;
}

static size_t entry_size(const carom_trajectory_column *column) {
    return column->is_integer ? sizeof(int) : sizeof(double);
}

static size_t size_of_rows(const carom_trajectory *t, int rows) {
    size_t size = 0;
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        size += count_entries(t, column, rows) * entry_size(column);
    }
    return size;
}

/** Without memory. */
static carom_trajectory shape(const carom_mechanism *mechanism, carom_trajectory_kind kind) {
    return (carom_trajectory){
        .kind = kind,
        .coordinate_count = mechanism->coordinate_count,
        .position_count = carom_mechanism_position_count(mechanism),
        .joint_count = mechanism->joint_count,
        .contact_count = mechanism->contact_count,
        .tangent_count = mechanism->friction != NULL ? mechanism->tangent_count : 0,
        .has_moving_supports = carom_mechanism_has_moving_supports(mechanism),
        .failure_time = (double)NAN,
    };
}

size_t carom_trajectory_row_size(const carom_mechanism *mechanism, carom_trajectory_kind kind) {
    const carom_trajectory t = shape(mechanism, kind);
    return size_of_rows(&t, 1);
}

const void *carom_trajectory_values(const carom_trajectory *trajectory,
                                    const carom_trajectory_column *column) {
    void *values;
    memcpy(&values, (const char *)trajectory + column->offset, sizeof values);
    return values;
}

/** Move the columns to memory for a number of rows: the doubles, then the integers. */
static carom_status reserve(carom_trajectory *t, int capacity) {
    char *memory = calloc(size_of_rows(t, capacity), 1);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    char *values = memory;
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
            const carom_trajectory_column *column = &carom_trajectory_columns[c];
            if (!has_column(t, column) || column->is_integer != (pass == 1)) {
                continue;
            }
            const size_t size = entry_size(column);
            if (t->row_count > 0) {
                memcpy(values, carom_trajectory_values(t, column),
                       count_entries(t, column, t->row_count) * size);
            }
            memcpy((char *)t + column->offset, &(void *){values}, sizeof(void *));
            values += count_entries(t, column, capacity) * size;
        }
    }
    free(t->memory);
    t->memory = memory;
    t->capacity = capacity;
    return CAROM_OK;
}

carom_status carom_trajectory_alloc(const carom_mechanism *mechanism, carom_trajectory_kind kind,
                                    int capacity, carom_trajectory **out) {
    CAROM_ASSERT(mechanism != NULL && capacity >= 1 && out != NULL);
    *out = NULL;
    CAROM_AUTO(carom_trajectory) t = malloc(sizeof *t);
    if (t == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    *t = shape(mechanism, kind);
    CAROM_TRY(reserve(t, capacity));
    CAROM_HAND_OVER(t, out);
    return CAROM_OK;
}

carom_status carom_trajectory_append(carom_trajectory *trajectory) {
    CAROM_ASSERT(trajectory != NULL);
    if (trajectory->row_count == trajectory->capacity) {
        if (trajectory->capacity > INT_MAX / 2) {
            return CAROM_STATUS_OUT_OF_MEMORY;
        }
        CAROM_TRY(reserve(trajectory, 2 * trajectory->capacity));
    }
    trajectory->row_count++;
    return CAROM_OK;
}

carom_status carom_trajectory_append_rows(carom_trajectory *to, const carom_trajectory *from,
                                          int first, int count) {
    CAROM_ASSERT(to != NULL && from != NULL && to->kind == from->kind);
    CAROM_ASSERT(first >= 0 && count >= 0 && first + count <= from->row_count);
    if (count > INT_MAX / 2 - to->row_count) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (to->row_count + count > to->capacity) {
        const int least = to->row_count + count;
        CAROM_TRY(reserve(to, least > 2 * to->row_count ? least : 2 * to->row_count));
    }
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        if (has_column(from, column)) {
            const size_t size = count_entries(from, column, 1) * entry_size(column);
            const char *values = carom_trajectory_values(from, column);
            char *target = (char *)carom_trajectory_values(to, column);
            memcpy(target + (size_t)to->row_count * size, values + (size_t)first * size,
                   (size_t)count * size);
        }
    }
    to->row_count += count;
    return CAROM_OK;
}

void carom_trajectory_continue(carom_trajectory *trajectory) {
    CAROM_ASSERT(trajectory != NULL);
    trajectory->first_row += trajectory->row_count;
    trajectory->row_count = 0;
}

void carom_trajectory_leave_unknown(carom_trajectory *trajectory, double time) {
    carom_trajectory *t = trajectory;
    for (int c = 0; c < CAROM_TRAJECTORY_COLUMNS; c++) {
        const carom_trajectory_column *column = &carom_trajectory_columns[c];
        void *values = (void *)carom_trajectory_values(t, column);
        const size_t first = count_entries(t, column, t->row_count - 1);
        const size_t end = count_entries(t, column, t->row_count);
        for (size_t k = first; k < end; k++) {
            if (column->is_integer) {
                ((int *)values)[k] = 0;
            } else {
                ((double *)values)[k] = (double)NAN;
            }
        }
    }
    t->time[t->row_count - 1] = time;
}

void carom_trajectory_free(carom_trajectory *trajectory) {
    if (trajectory != NULL) {
        free(trajectory->memory);
        free(trajectory);
    }
}
