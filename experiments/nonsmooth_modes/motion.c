/** One periodic motion: certificate, multipliers, and its group in the record. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *nonsmooth_modes_path(const char *group, const char *name, char path[PATH_SIZE]) {
    (void)snprintf(path, PATH_SIZE, "%s/%s", group, name);
    return path;
}

examination nonsmooth_modes_examine(const analysis *a, const carom_orbit *orbit) {
    examination found = {
        .admissibility = carom_orbit_certify(a->basis, a->motion, orbit, a->state,
                                             CAROM_ADMISSIBILITY_TOLERANCE),
    };
    // A graze has no linearization: what was not computed is NaN in the record.
    if (carom_stability_multipliers(a->stability, orbit, a->multipliers, &found.spectral_radius) !=
        CAROM_OK) {
        found.spectral_radius = NAN;
    }
    return found;
}

/** The numbers of a motion that have no axis. */
static void write_scalars(const analysis *a, const char *group, const carom_orbit *orbit,
                          const examination *found) {
    const struct {
        const char *name;
        double value;
        const char *units;
        const char *long_name;
    } scalars[] = {
        {"period", orbit->period, "s", "period T"},
        {"energy", orbit->energy, "J", "energy E"},
        {"residual", orbit->residual, "1", "scaled residual of the impact equations"},
        {"largest_interior_gap_violation", found->admissibility.largest_gap_violation, "m",
         "largest maximum of -gap inside the flights; negative: open; NaN: no maximum inside"},
        {"spectral_radius", found->spectral_radius, "1",
         "largest modulus of the multipliers; 1: neutrally stable; NaN at a graze"},
    };
    char path[PATH_SIZE];
    for (size_t i = 0; i < sizeof scalars / sizeof scalars[0]; i++) {
        carom_record_scalar(a->record, nonsmooth_modes_path(group, scalars[i].name, path),
                            scalars[i].value, scalars[i].units, scalars[i].long_name);
    }
    carom_record_integer(a->record, nonsmooth_modes_path(group, "admissible", path),
                         found->admissibility.is_admissible, "1",
                         "1 if certified not to penetrate and not to pull");
}

/** What belongs to each impact; work [k]. */
static void write_impacts(const analysis *a, const char *group, const carom_orbit *orbit,
                          double *work) {
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    const int k = orbit->impact_count;
    carom_record_index_axis(a->record, nonsmooth_modes_path(group, "impact", axis), k,
                            "impact of the period; the last is that at t = 0");
    carom_record_series(a->record, nonsmooth_modes_path(group, "flight_times", path),
                        orbit->flight_times, axis, NULL, "s",
                        "duration sigma of the flight before the impact");
    carom_orbit_impact_times(orbit, work);
    carom_record_series(a->record, nonsmooth_modes_path(group, "impact_times", path), work, axis,
                        NULL, "s", "instant of the impact");
    carom_record_series(a->record, nonsmooth_modes_path(group, "impact_lambda", path),
                        orbit->lambda, axis, NULL, "J0.5",
                        "lambda: speed before the impact over the root of G");
    for (int j = 0; j < k; j++) {
        work[j] = a->basis->root_inverse_mass * orbit->lambda[j];
    }
    carom_record_series(a->record, nonsmooth_modes_path(group, "pre_impact_speed", path), work,
                        axis, NULL, "m s-1",
                        "speed of the contact towards the obstacle before the impact");
}

/** State after the impact at t = 0, and the multipliers. */
static void write_state(const analysis *a, const char *group, const carom_orbit *orbit) {
    char path[PATH_SIZE];
    carom_modal_basis_expand(a->basis, orbit->state, a->position, a->velocity);
    carom_record_series(a->record, nonsmooth_modes_path(group, "initial_position", path),
                        a->position, "/coordinate", NULL, "m", "position at t = 0");
    carom_record_series(a->record, nonsmooth_modes_path(group, "initial_velocity", path),
                        a->velocity, "/coordinate", NULL, "m s-1",
                        "velocity just after the impact at t = 0");
    if (a->basis->coordinate_count == 1) {
        return;
    }
    carom_record_series(a->record, nonsmooth_modes_path(group, "multipliers", path), a->multipliers,
                        "/multiplier", "/part", "1",
                        "multipliers of the reduced return map; NaN at a graze");
}

void nonsmooth_modes_history(const analysis *a, const carom_orbit *orbit, double *time,
                             double *position, double *velocity) {
    const int instants = a->values->trajectory;
    const size_t n = (size_t)a->basis->coordinate_count;
    for (int i = 0; i < instants; i++) {
        time[i] = orbit->period * i / (instants - 1);
        carom_orbit_motion(a->basis, orbit, time[i], position + (size_t)i * n,
                           velocity + (size_t)i * n, a->state);
    }
}

/** Time histories over one period; work [instants][1 + 2n]. */
static void write_history(const analysis *a, const char *group, const carom_orbit *orbit,
                          double *work) {
    const int instants = a->values->trajectory;
    double *time = work;
    double *position = time + instants;
    double *velocity = position + (size_t)instants * (size_t)a->basis->coordinate_count;
    nonsmooth_modes_history(a, orbit, time, position, velocity);
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    carom_record_axis(a->record, nonsmooth_modes_path(group, "time", axis), instants, time, "s",
                      "time");
    carom_record_series(a->record, nonsmooth_modes_path(group, "position", path), position, axis,
                        "/coordinate", "m", "position");
    carom_record_series(a->record, nonsmooth_modes_path(group, "velocity", path), velocity, axis,
                        "/coordinate", "m s-1", "velocity; at an impact just after it");
}

carom_status nonsmooth_modes_write_motion(const analysis *a, const char *group,
                                          const carom_orbit *orbit, const examination *found) {
    const size_t instants = (size_t)a->values->trajectory;
    const size_t history = instants * (1 + 2 * (size_t)a->basis->coordinate_count);
    const size_t impacts = (size_t)orbit->impact_count;
    double *work = malloc((history > impacts ? history : impacts) * sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_scalars(a, group, orbit, found);
    write_impacts(a, group, orbit, work);
    write_state(a, group, orbit);
    if (instants > 0) {
        write_history(a, group, orbit, work);
    }
    free(work);
    return CAROM_OK;
}
