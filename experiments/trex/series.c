/** Series of a run, and the robot at some of its instants: GROUP, /strip. */
#include "results.h"

#include <carom/record/record.h>

#include <stdio.h>
#include <stdlib.h>

/** Instants of /strip. */
enum { POSES = 7 };

enum { OWN = CAROM_TRAJECTORY_VARIATIONAL };
#define ARRAY CAROM_TRAJECTORY_ARRAY

/** Of a robot in centimetres, with one tangent a contact. */
static const carom_trajectory_column COLUMNS[] = {
    {ARRAY(position, COORDINATE), false, OWN, "cm, rad", "coordinates"},
    {ARRAY(momentum, COORDINATE), false, OWN, "kg cm s-1, kg cm2 s-1", "momenta"},
    {ARRAY(gap, CONTACT), false, OWN, "cm", "heights of the tips"},
    {ARRAY(contact_force, CONTACT), false, OWN, "kg cm s-2",
     "normal impulse of the step over its length, impacts included"},
    {ARRAY(holding_force, CONTACT), false, OWN, "kg cm s-2", "normal force of held contacts"},
    {ARRAY(friction_force, CONTACT), false, OWN, "kg cm s-2", "force of friction along +x"},
    {ARRAY(energy, ROW), false, OWN, "kg cm2 s-2", "kinetic and potential energy"},
    {ARRAY(kinetic_energy, ROW), false, OWN, "kg cm2 s-2", "kinetic energy"},
    {ARRAY(potential_energy, ROW), false, OWN, "kg cm2 s-2", "potential energy, of springs too"},
    {ARRAY(friction_work, ROW), false, OWN, "kg cm2 s-2", "lost to friction so far"},
    {ARRAY(impact_loss, ROW), false, OWN, "kg cm2 s-2", "lost in plastic impacts so far"},
    {ARRAY(held, CONTACT), true, OWN, "1", "contacts held at the end of the step, 0 or 1"},
};

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
        carom_record_axis(r->record, axis, count, time, "s", "time of the impact");
    }
    for (int i = 0; i < 4 && status == CAROM_OK; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%s/impacts/%s", group, NAMES[i]);
        carom_record_integer_series(r->record, path, numbers + i * count, axis, NULL, "1",
                                    LONG_NAMES[i]);
    }
    free(numbers);
    free(time);
    return status;
}

carom_status trex_write_run(const results *r, const char *group,
                            const carom_variational_trajectory *run) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/coordinate", group);
    carom_record_index_axis(r->record, path, COORDINATES,
                            "coordinate: x, y, theta, phi_L, gamma_L, phi_R, gamma_R, phi_T");
    snprintf(path, sizeof path, "%s/contact", group);
    carom_record_index_axis(r->record, path, CONTACTS, "contact: left foot, right foot, tail tip");
    carom_record_trajectory_columns(r->record, group, run->rows, COLUMNS,
                                    sizeof COLUMNS / sizeof COLUMNS[0]);
    return write_impacts(r, group, run);
}

void trex_write_strip(const results *r, const carom_trex_params *robot,
                      const carom_trajectory *run) {
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
        trex_draw_pose(r, group, robot, run->position + (size_t)row * COORDINATES);
        time[i] = run->time[row];
    }
    carom_record_index_axis(r->record, "/strip/pose", POSES, "pose");
    carom_record_series(r->record, "/strip/time", time, "/strip/pose", NULL, "s",
                        "time of the pose");
}
