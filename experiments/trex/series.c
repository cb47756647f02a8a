/** Series of a run, and the robot at some of its instants: GROUP, /strip. */
#include "results.h"

#include <stdio.h>
#include <stdlib.h>

/** Instants of /strip. */
enum { POSES = 7 };

/** A dataset over time, or over time and a second axis. */
typedef struct series {
    const char *name;
    const double *values;
    const char *column_axis; /**< NULL: over time alone */
    const char *units;
    const char *long_name;
} series;

static carom_status write_axes(const results *r, const char *group,
                               const carom_variational_trajectory *run) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/time", group);
    CAROM_TRY(carom_record_axis(r->record, path, run->row_count, run->time, "s", "time"));
    snprintf(path, sizeof path, "%s/coordinate", group);
    CAROM_TRY(
        carom_record_index_axis(r->record, path, COORDINATES,
                                "coordinate: x, y, theta, phi_L, gamma_L, phi_R, gamma_R, phi_T"));
    snprintf(path, sizeof path, "%s/contact", group);
    return carom_record_index_axis(r->record, path, CONTACTS,
                                   "contact: left foot, right foot, tail tip");
}

static carom_status write_series(const results *r, const char *group,
                                 const carom_variational_trajectory *run, const double *energy) {
    const series list[] = {
        {"position", run->position, "coordinate", "cm, rad", "coordinates"},
        {"momentum", run->momentum, "coordinate", "kg cm s-1, kg cm2 s-1", "momenta"},
        {"gap", run->gap, "contact", "cm", "heights of the tips"},
        {"contact_force", run->contact_force, "contact", "kg cm s-2",
         "normal impulse of the step over its length, impacts included"},
        {"holding_force", run->holding_force, "contact", "kg cm s-2",
         "normal force of held contacts"},
        {"friction_force", run->friction_force, "contact", "kg cm s-2",
         "force of friction along +x"},
        {"energy", energy, NULL, "kg cm2 s-2", "kinetic and potential energy"},
        {"kinetic_energy", run->kinetic_energy, NULL, "kg cm2 s-2", "kinetic energy"},
        {"potential_energy", run->potential_energy, NULL, "kg cm2 s-2",
         "potential energy, of springs too"},
        {"friction_work", run->friction_work, NULL, "kg cm2 s-2", "lost to friction so far"},
        {"impact_loss", run->impact_loss, NULL, "kg cm2 s-2", "lost in plastic impacts so far"},
    };
    char time[PATH_SIZE];
    char column[PATH_SIZE];
    char path[PATH_SIZE];
    snprintf(time, sizeof time, "%s/time", group);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const series *item = &list[i];
        snprintf(path, sizeof path, "%s/%s", group, item->name);
        snprintf(column, sizeof column, "%s/%s", group,
                 item->column_axis == NULL ? "" : item->column_axis);
        CAROM_TRY(carom_record_series(r->record, path, item->values, time,
                                      item->column_axis == NULL ? NULL : column, item->units,
                                      item->long_name));
    }
    snprintf(path, sizeof path, "%s/held", group);
    snprintf(column, sizeof column, "%s/contact", group);
    return carom_record_integer_series(r->record, path, run->held, time, column, "1",
                                       "contacts held at the end of the step, 0 or 1");
}

/** GROUP/impacts/{time, closed, reflections, plastic, first}; nothing without an impact. */
static carom_status write_impacts(const results *r, const char *group,
                                  const carom_variational_trajectory *run) {
    const int count = run->impact_count;
    if (count == 0) {
        return CAROM_OK;
    }
    static const char *const NAMES[] = {"closed", "reflections", "plastic", "first"};
    static const char *const LONG_NAMES[] = {"contacts that took part", "reflections",
                                             "1: projected, as a contact chatters",
                                             "contact of the first reflection, -1: none"};
    double *time = malloc((size_t)count * sizeof *time);
    int *numbers = malloc(4 * (size_t)count * sizeof *numbers);
    carom_status status = time == NULL || numbers == NULL ? CAROM_STATUS_OUT_OF_MEMORY : CAROM_OK;
    char axis[PATH_SIZE];
    snprintf(axis, sizeof axis, "%s/impacts/time", group);
    if (status == CAROM_OK) {
        for (int i = 0; i < count; i++) {
            time[i] = run->impacts[i].time;
            numbers[i] = run->impacts[i].closed_count;
            numbers[count + i] = run->impacts[i].reflection_count;
            numbers[2 * count + i] = run->impacts[i].is_plastic ? 1 : 0;
            numbers[3 * count + i] = run->impacts[i].reflection_count > 0
                                         ? run->reflection[run->impacts[i].first_reflection]
                                         : -1;
        }
        status = carom_record_axis(r->record, axis, count, time, "s", "time of the impact");
    }
    for (int i = 0; i < 4 && status == CAROM_OK; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/impacts/%s", group, NAMES[i]);
        status = carom_record_integer_series(r->record, path, numbers + i * count, axis, NULL, "1",
                                             LONG_NAMES[i]);
    }
    free(numbers);
    free(time);
    return status;
}

carom_status trex_write_run(const results *r, const char *group,
                            const carom_variational_trajectory *run) {
    CAROM_AUTO_MEMORY double *energy = malloc((size_t)run->row_count * sizeof *energy);
    if (energy == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int k = 0; k < run->row_count; k++) {
        energy[k] = run->kinetic_energy[k] + run->potential_energy[k];
    }
    CAROM_TRY(write_axes(r, group, run));
    CAROM_TRY(write_series(r, group, run, energy));
    return write_impacts(r, group, run);
}

carom_status trex_write_strip(const results *r, const carom_trex_params *robot,
                              const carom_variational_trajectory *run) {
    const double end = run->time[run->row_count - 1];
    double time[POSES];
    for (int i = 0; i < POSES; i++) {
        // The start, and from the impact to the end in equal parts of time.
        const double share = (i - 1.0) / (POSES - 2.0);
        const double wanted =
            i == 0 ? 0.0 : robot->hip_start_time + share * (end - robot->hip_start_time);
        const int row = (int)lround(wanted / end * (run->row_count - 1));
        char group[GROUP_SIZE];
        snprintf(group, sizeof group, "/strip/pose_%d", i);
        CAROM_TRY(trex_draw_pose(r, group, robot, run->position + (size_t)row * COORDINATES));
        time[i] = run->time[row];
    }
    CAROM_TRY(carom_record_index_axis(r->record, "/strip/pose", POSES, "pose"));
    return carom_record_series(r->record, "/strip/time", time, "/strip/pose", NULL, "s",
                               "time of the pose");
}
