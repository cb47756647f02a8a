/** Time histories, the groups of single motions, and surfaces in phase space. */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Grid of the surfaces: periods and phases. */
enum { SURFACE_PERIODS = 61, SURFACE_PHASES = 201 };

carom_status serial_oscillator_write_history(const oscillator *o, const char *group,
                                             const carom_orbit *orbit) {
    const int count = o->values->points;
    const size_t n = (size_t)o->basis->coordinate_count;
    CAROM_AUTO_MEMORY double *time = malloc((size_t)count * (1 + 2 * n) * sizeof *time);
    if (time == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *position = time + count;
    double *velocity = position + (size_t)count * n;
    for (int i = 0; i < count; i++) {
        time[i] = i < count - 1 ? orbit->period * i / (count - 1) : orbit->period;
        serial_oscillator_motion(o, orbit, time[i], position + (size_t)i * n,
                                 velocity + (size_t)i * n);
    }
    char axis[PATH_SIZE];
    carom_record_axis(o->record, serial_oscillator_path(group, "time", axis), count, time, "s",
                      "time since an impact, up to the same impact a period later");
    const carom_column columns[] = {
        {"position", position, "m", "position"},
        {"velocity", velocity, "m s-1", "velocity; first after, last before an impact"},
    };
    serial_oscillator_write_columns(o, group, axis, "/coordinate", columns, COUNT(columns));
    return CAROM_OK;
}

/** Flight times and axes of symmetry of a motion with two impacts. */
static void write_flights(const oscillator *o, const char *group, const carom_orbit *orbit) {
    char path[PATH_SIZE];
    carom_record_series(o->record, serial_oscillator_path(group, "sigma", path),
                        orbit->flight_times, "/double/impact", NULL, "s",
                        "duration of the flight before the impact");
    const carom_measure axes[] = {
        {"axis_1", 0.5 * orbit->flight_times[0], "s", "axis of symmetry t_1/2"},
        {"axis_2", 0.5 * (orbit->flight_times[0] + orbit->period), "s",
         "axis of symmetry (t_1 + T)/2"},
    };
    serial_oscillator_write_scalars(o, group, axes, COUNT(axes));
}

carom_status serial_oscillator_write_case(const oscillator *o, const char *figure, int number,
                                          const carom_orbit *orbit) {
    char group[PATH_SIZE];
    (void)snprintf(group, sizeof group, "%s/case_%d", figure, number);
    const carom_measure scalars[] = {
        {"period", orbit->period, "s", "period T"},
        {"lambda", orbit->lambda[0], "J0.5", "lambda of every impact"},
        {"speed", o->basis->root_inverse_mass * orbit->lambda[0], "m s-1",
         "speed before every impact"},
        {"energy", orbit->energy, "J", "energy E"},
        {"spectral_radius", serial_oscillator_radius(o, orbit), "1",
         "largest modulus of the multipliers; NaN without impact"},
    };
    serial_oscillator_write_scalars(o, group, scalars, COUNT(scalars));
    if (orbit->impact_count == 2) {
        write_flights(o, group, orbit);
    }
    return serial_oscillator_write_history(o, group, orbit);
}

/* --- surfaces --------------------------------------------------------------------------------- */

/** A surface in (x_{n-1}, x_n, x_n') over period and phase. */
typedef struct surface {
    double period[SURFACE_PERIODS];
    double phase[SURFACE_PHASES];
    double before_last[SURFACE_PERIODS][SURFACE_PHASES];
    double last[SURFACE_PERIODS][SURFACE_PHASES];
    double last_velocity[SURFACE_PERIODS][SURFACE_PHASES];
} surface;

/** Row of one motion; the first spring's ground stands in for the mass before a single one. */
static void fill_row(const oscillator *o, surface *s, int row, const carom_orbit *orbit) {
    const int n = o->basis->coordinate_count;
    for (int i = 0; i < SURFACE_PHASES; i++) {
        const double time = i < SURFACE_PHASES - 1 ? orbit->period * s->phase[i] : orbit->period;
        serial_oscillator_motion(o, orbit, time, o->position, o->velocity);
        s->before_last[row][i] = n > 1 ? o->position[n - 2] : 0.0;
        s->last[row][i] = o->position[n - 1];
        s->last_velocity[row][i] = o->velocity[n - 1];
    }
}

/** Compute all rows; is_complete is false if a motion is missing. */
static carom_status fill(const oscillator *o, surface *s, double first, double last,
                         serial_oscillator_member member, const void *context, bool *is_complete) {
    for (int i = 0; i < SURFACE_PHASES; i++) {
        s->phase[i] = (double)i / (SURFACE_PHASES - 1);
    }
    *is_complete = true;
    for (int row = 0; row < SURFACE_PERIODS && *is_complete; row++) {
        const double part = (double)row / (SURFACE_PERIODS - 1);
        s->period[row] = (1.0 - part) * first + part * last;
        carom_orbit *orbit = NULL;
        CAROM_TRY(member(o, s->period[row], context, &orbit));
        *is_complete = orbit != NULL;
        if (orbit != NULL) {
            fill_row(o, s, row, orbit);
        }
        carom_orbit_free(orbit);
    }
    return CAROM_OK;
}

/** Write a complete surface. */
static void write(const oscillator *o, const char *figure, const surface *s) {
    char group[PATH_SIZE];
    char period[PATH_SIZE];
    char phase[PATH_SIZE];
    (void)serial_oscillator_path(figure, "surface", group);
    carom_record_axis(o->record, serial_oscillator_path(group, "period", period), SURFACE_PERIODS,
                      s->period, "s", "period T");
    carom_record_axis(o->record, serial_oscillator_path(group, "phase", phase), SURFACE_PHASES,
                      s->phase, "1", "time over period");
    const carom_column columns[] = {
        {"before_last", &s->before_last[0][0], "m", "position of the mass before the last"},
        {"last", &s->last[0][0], "m", "position of the last mass"},
        {"last_velocity", &s->last_velocity[0][0], "m s-1", "velocity of the last mass"},
    };
    serial_oscillator_write_columns(o, group, period, phase, columns, COUNT(columns));
}

carom_status serial_oscillator_write_surface(const oscillator *o, const char *figure, double first,
                                             double last, serial_oscillator_member member,
                                             const void *context) {
    surface *s = malloc(sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    bool is_complete = false;
    carom_status status = fill(o, s, first, last, member, context, &is_complete);
    if (status == CAROM_OK && is_complete) {
        write(o, figure, s);
    }
    free(s);
    return status;
}
