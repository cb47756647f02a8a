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

/** An impact of the record. */
typedef struct impact {
    double time;
    int closed;
    int reflections;
    bool is_plastic;
    int first; /**< -1: none */
} impact;

static const carom_field IMPACT_FIELDS[] = {
    CAROM_FIELD("time", impact, time, "s", "time of the impact"),
    CAROM_FIELD("closed", impact, closed, "1", "contacts that took part"),
    CAROM_FIELD("reflections", impact, reflections, "1", "reflections"),
    CAROM_FIELD("plastic", impact, is_plastic, "1", "1: projected, as a contact chatters"),
    CAROM_FIELD("first", impact, first, "1", "contact of the first reflection, -1: none"),
};

/** GROUP/impacts/{time, closed, reflections, plastic, first}; nothing without an impact. */
static carom_status write_impacts(carom_record *run_group,
                                  const carom_variational_trajectory *run) {
    CAROM_AUTO_MEMORY impact *impacts = calloc((size_t)run->impact_count + 1, sizeof *impacts);
    if (impacts == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < run->impact_count; i++) {
        const bool is_reflected = run->impacts[i].reflection_count > 0;
        impacts[i] = (impact){
            .time = run->impacts[i].time,
            .closed = run->impacts[i].closed_count,
            .reflections = run->impacts[i].reflection_count,
            .is_plastic = run->impacts[i].is_plastic,
            .first = is_reflected ? run->reflection[run->impacts[i].first_reflection] : -1,
        };
    }
    carom_record group = carom_record_group(run_group, "impacts");
    carom_record_rows(&group, "time", impacts, run->impact_count, sizeof *impacts, IMPACT_FIELDS,
                      sizeof IMPACT_FIELDS / sizeof IMPACT_FIELDS[0]);
    return CAROM_OK;
}

carom_status trex_write_run(const results *r, const char *group,
                            const carom_variational_trajectory *run) {
    carom_record to = carom_record_group(r->record, "%s", group);
    carom_record_index_axis(&to, "coordinate", COORDINATES,
                            "coordinate: x, y, theta, phi_L, gamma_L, phi_R, gamma_R, phi_T");
    carom_record_index_axis(&to, "contact", CONTACTS, "contact: left foot, right foot, tail tip");
    carom_record_trajectory_columns(&to, run->rows, COLUMNS, sizeof COLUMNS / sizeof COLUMNS[0]);
    return write_impacts(&to, run);
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
