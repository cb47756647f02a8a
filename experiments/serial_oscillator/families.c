/** All families of two impacts at constant period up to the longest, and what two of them share. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Cells along a side of the grid on which the curves are found that hold the families. */
enum { FAMILY_CELLS = 200 };

/** Instants at which members are compared. */
enum { COMPARED_INSTANTS = 401 };

/** The table of families. */
enum { REAL_COLUMNS = 8 };
typedef struct table {
    int count;
    double *reals; /**< [REAL_COLUMNS][capacity] */
    int *is_bridge;
    int *is_full;
    int capacity;
} table;

/** Append the admissible ones of a list. */
static carom_status append(const oscillator *o, const carom_constant_period_families *list,
                           carom_orbit *orbit, table *t) {
    for (int i = 0; i < list->count; i++) {
        const carom_constant_period_family *one = &list->families[i];
        if (isnan(one->lower_lambda)) {
            continue;
        }
        CAROM_TRY(carom_constant_period_member(o->basis, one, 0.0, orbit));
        const double end = orbit->energy;
        CAROM_TRY(carom_constant_period_member(o->basis, one, 0.5 * one->lambda_sum, orbit));
        const double values[REAL_COLUMNS] = {
            one->sigma_1,
            one->sigma_2,
            one->sigma_1 + one->sigma_2,
            one->lambda_sum,
            one->lower_lambda,
            one->upper_lambda,
            end,
            orbit->energy,
        };
        for (int c = 0; c < REAL_COLUMNS; c++) {
            t->reals[c * t->capacity + t->count] = values[c];
        }
        t->is_bridge[t->count] = one->is_bridge;
        t->is_full[t->count] = one->is_full;
        t->count++;
    }
    return CAROM_OK;
}

/** Write /families. */
static void write_table(const oscillator *o, const table *t) {
    const char *names[REAL_COLUMNS][3] = {
        {"sigma_1", "s", "first flight"},
        {"sigma_2", "s", "second flight"},
        {"period", "s", "period T"},
        {"lambda_sum", "J0.5", "lambda_1 + lambda_2 of all members"},
        {"lower_lambda", "J0.5", "smallest admissible lambda_1"},
        {"upper_lambda", "J0.5", "largest admissible lambda_1"},
        {"energy_end", "J", "energy of the member lambda_1 = 0"},
        {"energy_middle", "J", "energy of the member lambda_1 = lambda_2"},
    };
    const char *axis = "/families/family";
    carom_record_index_axis(o->record, axis, t->count,
                            "families with admissible members, bridges last");
    for (int c = 0; c < REAL_COLUMNS; c++) {
        const carom_column one = {names[c][0], t->reals + c * t->capacity, names[c][1],
                                  names[c][2]};
        serial_oscillator_write_columns(o, "/families", axis, NULL, &one, 1);
    }
    carom_record_integer_series(o->record, "/families/is_bridge", t->is_bridge, axis, NULL, "1",
                                "1 if both flights are equal");
    carom_record_integer_series(o->record, "/families/is_full", t->is_full, axis, NULL, "1",
                                "1 if all members with lambda >= 0 are admissible");
}

/** Full and partial families of the table. */
static void write_counts(const oscillator *o, const table *t) {
    int counts[2][2] = {{0, 0}, {0, 0}};
    for (int i = 0; i < t->count; i++) {
        counts[t->is_bridge[i] != 0][t->is_full[i] != 0]++;
    }
    const carom_measure measures[] = {
        {"family_full", counts[0][1], "1", "families with all members admissible"},
        {"family_partial", counts[0][0], "1", "families with some members admissible"},
        {"bridge_full", counts[1][1], "1", "bridges with all members admissible"},
        {"bridge_partial", counts[1][0], "1", "bridges with some members admissible"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
}

/** Fill and write the table. */
static carom_status write_lists(const oscillator *o, const carom_constant_period_families *pairs,
                                const carom_constant_period_families *bridges) {
    table t = {.capacity = pairs->count + bridges->count + 1};
    t.reals = malloc(REAL_COLUMNS * (size_t)t.capacity * sizeof *t.reals);
    t.is_bridge = malloc(2 * (size_t)t.capacity * sizeof *t.is_bridge);
    t.is_full = t.is_bridge == NULL ? NULL : t.is_bridge + t.capacity;
    carom_orbit *orbit = NULL;
    carom_status status = carom_orbit_alloc(o->basis, 2, &orbit);
    if (t.reals == NULL || t.is_bridge == NULL) {
        status = CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (status == CAROM_OK) {
        status = append(o, pairs, orbit, &t);
    }
    if (status == CAROM_OK) {
        status = append(o, bridges, orbit, &t);
    }
    if (status == CAROM_OK && t.count > 0) {
        write_table(o, &t);
    }
    if (status == CAROM_OK) {
        write_counts(o, &t);
    }
    carom_orbit_free(orbit);
    free(t.is_bridge);
    free(t.reals);
    return status;
}

/** The first bridge whose members are all admissible; NULL if there is none. */
static const carom_constant_period_family *
first_full(const carom_constant_period_families *bridges) {
    for (int i = 0; i < bridges->count; i++) {
        if (bridges->families[i].is_full != 0) {
            return &bridges->families[i];
        }
    }
    return NULL;
}

carom_status serial_oscillator_write_families(const oscillator *o) {
    carom_flight_time_curves *curves = NULL;
    carom_constant_period_families *pairs = NULL;
    carom_constant_period_families *bridges = NULL;
    const double end = o->values->max_period;
    carom_status status = carom_two_impacts_curves(o->basis, end, FAMILY_CELLS, &curves, o->report);
    if (status == CAROM_OK) {
        status = carom_constant_period_on_curves(o->basis, curves, &pairs, o->report);
    }
    if (status == CAROM_OK) {
        status = carom_constant_period_bridges(o->basis, end, &bridges, o->report);
    }
    if (status == CAROM_OK) {
        status = write_lists(o, pairs, bridges);
    }
    if (status == CAROM_OK) {
        status = serial_oscillator_write_family(o);
    }
    if (status == CAROM_OK && first_full(bridges) != NULL) {
        status = serial_oscillator_write_bridge(o, first_full(bridges));
    }
    carom_constant_period_families_free(bridges);
    carom_constant_period_families_free(pairs);
    carom_flight_time_curves_free(curves);
    return status;
}

/* --- members ---------------------------------------------------------------------------------- */

carom_status serial_oscillator_make_members(const oscillator *o,
                                            const carom_constant_period_family *family,
                                            member_list *members) {
    *members = (member_list){.orbits = {NULL}};
    for (int i = 0; i < MEMBER_COUNT; i++) {
        members->lambda_1[i] = family->lambda_sum * i / (MEMBER_COUNT - 1);
        CAROM_TRY(carom_orbit_alloc(o->basis, 2, &members->orbits[i]));
        CAROM_TRY(carom_constant_period_member(o->basis, family, members->lambda_1[i],
                                               members->orbits[i]));
    }
    return CAROM_OK;
}

void serial_oscillator_free_members(member_list *members) {
    for (int i = 0; i < MEMBER_COUNT; i++) {
        carom_orbit_free(members->orbits[i]);
    }
}

double serial_oscillator_ruled_error(const oscillator *o, const member_list *members) {
    const int n = o->basis->coordinate_count;
    const carom_orbit *first = members->orbits[0];
    const carom_orbit *last = members->orbits[MEMBER_COUNT - 1];
    double error = 0.0;
    double size = 0.0;
    for (int i = 0; i < COMPARED_INSTANTS; i++) {
        const double time = first->period * (i + 0.5) / COMPARED_INSTANTS;
        serial_oscillator_motion(o, first, time, o->work, NULL);
        serial_oscillator_motion(o, last, time, o->work + n, NULL);
        for (int j = 1; j < MEMBER_COUNT - 1; j++) {
            const double part = (double)j / (MEMBER_COUNT - 1);
            serial_oscillator_motion(o, members->orbits[j], time, o->position, NULL);
            for (int p = 0; p < n; p++) {
                const double between = (1.0 - part) * o->work[p] + part * o->work[n + p];
                error = fmax(error, fabs(o->position[p] - between));
                size = fmax(size, fabs(o->position[p]));
            }
        }
    }
    return error / size;
}

/** Positions and velocities of the last two masses, over members and time. */
static void sample(const oscillator *o, const member_list *members, double *time, double *last,
                   double *before, double *velocity) {
    const int n = o->basis->coordinate_count;
    const int count = o->values->points;
    const double T = members->orbits[0]->period;
    for (int i = 0; i < count; i++) {
        time[i] = i < count - 1 ? T * i / (count - 1) : T;
    }
    for (int j = 0; j < MEMBER_COUNT; j++) {
        for (int i = 0; i < count; i++) {
            serial_oscillator_motion(o, members->orbits[j],
                                     i < count - 1 ? time[i] : members->orbits[j]->period,
                                     o->position, o->velocity);
            last[j * count + i] = o->position[n - 1];
            before[j * count + i] = n > 1 ? o->position[n - 2] : 0.0;
            velocity[j * count + i] = o->velocity[n - 1];
        }
    }
}

carom_status serial_oscillator_write_members(const oscillator *o, const char *group,
                                             const member_list *members) {
    const int count = o->values->points;
    const size_t block = MEMBER_COUNT * (size_t)count;
    CAROM_AUTO_MEMORY double *memory = malloc((3 * block + (size_t)count) * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *time = memory + 3 * block;
    sample(o, members, time, memory, memory + block, memory + 2 * block);
    char lambda_axis[PATH_SIZE];
    char time_axis[PATH_SIZE];
    carom_record_axis(o->record, serial_oscillator_path(group, "lambda_1", lambda_axis),
                      MEMBER_COUNT, members->lambda_1, "J0.5",
                      "lambda_1, that of the other impact is the rest of the sum");
    carom_record_axis(o->record, serial_oscillator_path(group, "time", time_axis), count, time, "s",
                      "time over one period");
    const carom_column columns[] = {
        {"position", memory, "m", "position of the last mass"},
        {"position_before", memory + block, "m", "position of the mass before the last"},
        {"velocity", memory + 2 * block, "m s-1", "velocity of the last mass"},
    };
    serial_oscillator_write_columns(o, group, lambda_axis, time_axis, columns, COUNT(columns));
    return CAROM_OK;
}
