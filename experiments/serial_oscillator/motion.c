/** Motions: solving, judging, comparing and writing them. */
#include "results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/** Instants at which two motions are compared: prime, so that none of them is special, and more
 * than ten in the period of the highest mode. */
enum { COMPARED_INSTANTS = 401 };

/** A lambda of this part of the root of twice the energy is a graze, as is a gap of this part of
 * that at rest: solved motions carry 1e-12, located ends 1e-10. */
static const double GRAZE = 1e-9;

carom_status serial_oscillator_may_miss(carom_status status, bool *found) {
    *found = status == CAROM_OK;
    const bool is_fatal = status == CAROM_STATUS_OUT_OF_MEMORY || status == CAROM_STATUS_IO;
    return is_fatal ? status : CAROM_OK;
}

carom_status serial_oscillator_solve(const oscillator *o, int k, const double *flight_times,
                                     double period, carom_orbit **out) {
    *out = NULL;
    CAROM_AUTO(carom_orbit_solver) solver = NULL;
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_solver_alloc(o->basis, k, &solver));
    CAROM_TRY(carom_orbit_alloc(o->basis, k, &orbit));
    carom_orbit_target target = carom_orbit_target_default(o->basis);
    target.period = period;
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_orbit_solve(solver, flight_times, NULL, &target, NULL, orbit, NULL), &found));
    if (found) {
        CAROM_HAND_OVER(orbit, out);
    }
    return CAROM_OK;
}

bool serial_oscillator_is_admissible(oscillator *o, const carom_orbit *orbit) {
    return carom_orbit_certify(o->basis, o->motion, orbit, o->state, CAROM_ADMISSIBILITY_TOLERANCE)
        .is_admissible;
}

double serial_oscillator_radius(oscillator *o, const carom_orbit *orbit) {
    const double largest = sqrt(2.0 * orbit->energy);
    for (int j = 0; j < orbit->impact_count; j++) {
        if (!(orbit->lambda[j] > GRAZE * largest)) {
            return NAN;
        }
    }
    const carom_admissibility verdict =
        carom_orbit_certify(o->basis, o->motion, orbit, o->state, CAROM_ADMISSIBILITY_TOLERANCE);
    if (fabs(verdict.largest_gap_violation) < GRAZE * fabs(o->basis->gap_at_rest)) {
        return NAN;
    }
    double radius = NAN;
    const carom_status status =
        carom_stability_multipliers(o->stability, orbit, o->multipliers, &radius);
    return status == CAROM_OK ? radius : (double)NAN;
}

void serial_oscillator_motion(oscillator *o, const carom_orbit *orbit, double time,
                              double *position, double *velocity) {
    const double T = orbit->period;
    const double wrapped = time - T * floor(time / T);
    const bool is_at_end = time > 0.5 * T && fabs(time - T) <= 0.0;
    if (!is_at_end) {
        carom_orbit_motion(o->basis, orbit, fmin(wrapped, T), position, velocity, o->state);
        return;
    }
    // Just before the last impact.
    const int k = orbit->impact_count;
    carom_orbit_state_after(o->basis, orbit, k - 1, o->state);
    carom_modal_basis_rotate(o->basis, orbit->flight_times[k - 1], o->state);
    carom_modal_basis_expand(o->basis, o->state, position, velocity);
}

double serial_oscillator_difference(oscillator *o, const carom_orbit *first,
                                    const carom_orbit *second, double sign, double shift) {
    double difference = 0.0;
    double largest = 0.0;
    for (int i = 0; i < COMPARED_INSTANTS; i++) {
        const double time = first->period * (i + 0.5) / COMPARED_INSTANTS;
        serial_oscillator_motion(o, first, time, o->position, NULL);
        serial_oscillator_motion(o, second, sign * time + shift, o->velocity, NULL);
        for (int p = 0; p < o->basis->coordinate_count; p++) {
            difference = fmax(difference, fabs(o->position[p] - o->velocity[p]));
            largest = fmax(largest, fabs(o->position[p]));
        }
    }
    return difference / largest;
}

double serial_oscillator_asymmetry(oscillator *o, const carom_orbit *orbit, double axis) {
    return serial_oscillator_difference(o, orbit, orbit, -1.0, 2.0 * axis);
}

double serial_oscillator_deviation(const oscillator *o, const double *a, const double *b) {
    double difference = 0.0;
    double size = 0.0;
    for (int i = 0; i < 2 * o->basis->visible_count; i++) {
        difference += (a[i] - b[i]) * (a[i] - b[i]);
        size += b[i] * b[i];
    }
    return sqrt(difference / size);
}

double serial_oscillator_closure(oscillator *o, const carom_orbit *orbit) {
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    carom_event_end end = {.time = NAN};
    const carom_status status =
        carom_event_propagate(o->basis, o->motion, o->state, orbit->impact_count,
                              2.0 * orbit->period, NULL, NULL, &end, NULL);
    const double late = fabs(end.time - orbit->period) / orbit->period;
    return status == CAROM_OK ? late + serial_oscillator_deviation(o, o->state, orbit->state)
                              : (double)NAN;
}

/* --- time histories --------------------------------------------------------------------------- */

carom_status serial_oscillator_write_motion(oscillator *o, carom_record *group,
                                            const carom_orbit *orbit) {
    const carom_measure scalars[] = {
        {"period", orbit->period, "s", "period T"},
        {"energy", orbit->energy, "J", "energy E"},
        {"spectral_radius", serial_oscillator_radius(o, orbit), "1",
         "largest modulus of the multipliers; NaN without impact, or at a graze"},
    };
    carom_record_scalars(group, scalars, COUNT(scalars));
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
    carom_record_axis(group, "time", count, time, "s",
                      "time since an impact, up to the same impact a period later");
    const carom_column columns[] = {
        {"position", position, "m", "position"},
        {"velocity", velocity, "m s-1", "velocity; first after, last before an impact"},
    };
    carom_record_columns(group, "time", "/coordinate", columns, COUNT(columns));
    return CAROM_OK;
}

carom_status serial_oscillator_write_case(oscillator *o, const char *figure, int number,
                                          const carom_orbit *orbit) {
    carom_record group = carom_record_group(o->record, "%s/case_%d", figure, number);
    const carom_measure speeds[] = {
        {"lambda", orbit->lambda[0], "J0.5", "lambda of every impact"},
        {"speed", o->basis->root_inverse_mass * orbit->lambda[0], "m s-1",
         "speed before every impact"},
    };
    carom_record_scalars(&group, speeds, COUNT(speeds));
    if (orbit->impact_count == 2) {
        const double *sigma = orbit->flight_times;
        const double T = orbit->period;
        carom_record_series(&group, "sigma", sigma, "/double/impact", NULL, "s",
                            "duration of the flight before the impact");
        const carom_measure scalars[] = {
            {"axis_1", 0.5 * sigma[0], "s", "axis of symmetry t_1/2"},
            {"axis_2", 0.5 * (sigma[0] + T), "s", "axis of symmetry (t_1 + T)/2"},
            {"alpha", carom_kernels_evaluate(o->basis, T, T).gap, "m J-0.5",
             "diagonal of Sigma; infinite at a harmonic, NaN there"},
            {"beta", carom_kernels_evaluate(o->basis, T, sigma[1] - sigma[0]).gap, "m J-0.5",
             "the other entry of Sigma; infinite at a harmonic, NaN there"},
        };
        const bool is_harmonic = !isfinite(scalars[2].value) || !isfinite(scalars[3].value);
        carom_record_scalars(&group, scalars, is_harmonic ? 2 : COUNT(scalars));
    }
    return serial_oscillator_write_motion(o, &group, orbit);
}

/* --- surfaces --------------------------------------------------------------------------------- */

/** Grid of the surfaces: periods and phases. */
enum { SURFACE_PERIODS = 61, SURFACE_PHASES = 201 };

/** A surface in (x_{n-1}, x_n, x_n') over period and phase. */
typedef struct surface {
    double period[SURFACE_PERIODS];
    double phase[SURFACE_PHASES];
    double before_last[SURFACE_PERIODS][SURFACE_PHASES];
    double last[SURFACE_PERIODS][SURFACE_PHASES];
    double last_velocity[SURFACE_PERIODS][SURFACE_PHASES];
} surface;

/** Row of one motion; the first spring's ground stands in for the mass before a single one. */
static void fill_row(oscillator *o, surface *s, int row, const carom_orbit *orbit) {
    const int n = o->basis->coordinate_count;
    for (int i = 0; i < SURFACE_PHASES; i++) {
        const double time = i < SURFACE_PHASES - 1 ? orbit->period * s->phase[i] : orbit->period;
        serial_oscillator_motion(o, orbit, time, o->position, o->velocity);
        s->before_last[row][i] = n > 1 ? o->position[n - 2] : 0.0;
        s->last[row][i] = o->position[n - 1];
        s->last_velocity[row][i] = o->velocity[n - 1];
    }
}

carom_status serial_oscillator_write_surface(oscillator *o, const char *figure, double first,
                                             double last, serial_oscillator_member member,
                                             const void *context) {
    CAROM_AUTO_MEMORY surface *s = malloc(sizeof *s);
    if (s == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < SURFACE_PHASES; i++) {
        s->phase[i] = (double)i / (SURFACE_PHASES - 1);
    }
    for (int row = 0; row < SURFACE_PERIODS; row++) {
        const double part = (double)row / (SURFACE_PERIODS - 1);
        s->period[row] = (1.0 - part) * first + part * last;
        CAROM_AUTO(carom_orbit) orbit = NULL;
        CAROM_TRY(member(o, s->period[row], context, &orbit));
        if (orbit == NULL) {
            return CAROM_OK;
        }
        fill_row(o, s, row, orbit);
    }
    carom_record group = carom_record_group(o->record, "%s/surface", figure);
    carom_record_axis(&group, "period", SURFACE_PERIODS, s->period, "s", "period T");
    carom_record_axis(&group, "phase", SURFACE_PHASES, s->phase, "1", "time over period");
    const carom_column columns[] = {
        {"before_last", &s->before_last[0][0], "m", "position of the mass before the last"},
        {"last", &s->last[0][0], "m", "position of the last mass"},
        {"last_velocity", &s->last_velocity[0][0], "m s-1", "velocity of the last mass"},
    };
    carom_record_columns(&group, "period", "phase", columns, COUNT(columns));
    return CAROM_OK;
}
