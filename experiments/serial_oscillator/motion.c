/** Motions: solving, judging and comparing them. */
#include "results.h"

#include <math.h>
#include <string.h>

/** Instants at which two motions are compared: prime, so that none of them is special, and more
 * than ten in the period of the highest mode. */
enum { COMPARED_INSTANTS = 401 };

/** A lambda of this part of the root of twice the energy is a graze, as is a gap of this part of
 * that at rest: solved motions carry 1e-12, located ends 1e-10. */
static const double GRAZE = 1e-9;

carom_status serial_oscillator_solve(const oscillator *o, int k, const double *flight_times,
                                     double period, carom_orbit **out) {
    *out = NULL;
    carom_orbit_solver *solver = NULL;
    CAROM_TRY(carom_orbit_solver_alloc(o->basis, k, &solver));
    carom_orbit_target target = carom_orbit_target_default(o->basis);
    target.period = period;
    carom_orbit *orbit = NULL;
    carom_status status = carom_orbit_alloc(o->basis, k, &orbit);
    if (status == CAROM_OK) {
        status = carom_orbit_solve(solver, flight_times, NULL, &target, NULL, orbit, NULL);
    }
    carom_orbit_solver_free(solver);
    bool found = false;
    status = serial_oscillator_may_miss(status, &found);
    if (found) {
        *out = orbit;
    } else {
        carom_orbit_free(orbit);
    }
    return status;
}

carom_status serial_oscillator_point(const oscillator *o, const carom_orbit_branch *branch,
                                     int point, carom_orbit **out) {
    *out = NULL;
    const size_t k = (size_t)branch->impact_count;
    carom_orbit *orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, branch->impact_count, &orbit));
    memcpy(orbit->flight_times, branch->flight_times + (size_t)point * k, k * sizeof(double));
    memcpy(orbit->lambda, branch->lambda + (size_t)point * k, k * sizeof(double));
    // At a harmonic the state does not follow from the impacts, at infinity there is none.
    const bool is_finite = branch->gap_sign[point] != 0;
    if (is_finite && carom_orbit_complete(o->basis, orbit) == CAROM_OK) {
        *out = orbit;
    } else {
        carom_orbit_free(orbit);
    }
    return CAROM_OK;
}

bool serial_oscillator_is_admissible(const oscillator *o, const carom_orbit *orbit) {
    return carom_orbit_certify(o->basis, o->motion, orbit, o->state, CAROM_ADMISSIBILITY_TOLERANCE)
        .is_admissible;
}

double serial_oscillator_radius(const oscillator *o, const carom_orbit *orbit) {
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

void serial_oscillator_motion(const oscillator *o, const carom_orbit *orbit, double time,
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

/** Difference of a motion from another at t -> sign t + shift. */
static double compare(const oscillator *o, const carom_orbit *first, const carom_orbit *second,
                      double sign, double shift) {
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

double serial_oscillator_difference(const oscillator *o, const carom_orbit *first,
                                    const carom_orbit *second, double shift) {
    return compare(o, first, second, 1.0, shift);
}

double serial_oscillator_mirror_difference(const oscillator *o, const carom_orbit *first,
                                           const carom_orbit *second, double axis) {
    return compare(o, first, second, -1.0, 2.0 * axis);
}

double serial_oscillator_asymmetry(const oscillator *o, const carom_orbit *orbit, double axis) {
    return serial_oscillator_mirror_difference(o, orbit, orbit, axis);
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

double serial_oscillator_closure(const oscillator *o, const carom_orbit *orbit) {
    memcpy(o->state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    carom_event_end end = {.time = NAN};
    const carom_status status =
        carom_event_propagate(o->basis, o->motion, o->state, orbit->impact_count,
                              2.0 * orbit->period, NULL, NULL, &end, NULL);
    const double late = fabs(end.time - orbit->period) / orbit->period;
    return status == CAROM_OK ? late + serial_oscillator_deviation(o, o->state, orbit->state)
                              : (double)NAN;
}

double serial_oscillator_grazing_energy(const oscillator *o, int mode) {
    const carom_modal_basis *basis = o->basis;
    const double amplitude = basis->frequency[mode] * basis->gap_at_rest /
                             (basis->root_inverse_mass * basis->participation[mode]);
    return 0.5 * amplitude * amplitude;
}

double serial_oscillator_mode_error(const oscillator *o, const carom_orbit *orbit, int mode) {
    const carom_modal_basis *basis = o->basis;
    const int n = basis->coordinate_count;
    const double amplitude =
        basis->gap_at_rest / (basis->root_inverse_mass * basis->participation[mode]);
    double error = 0.0;
    double largest = 0.0;
    for (int i = 0; i < COMPARED_INSTANTS; i++) {
        const double time = orbit->period * (i + 0.5) / COMPARED_INSTANTS;
        serial_oscillator_motion(o, orbit, time, o->position, NULL);
        for (int p = 0; p < n; p++) {
            const double exact =
                amplitude * basis->shape[p * n + mode] * cos(basis->frequency[mode] * time);
            error = fmax(error, fabs(o->position[p] - exact));
            largest = fmax(largest, fabs(exact));
        }
    }
    return error / largest;
}
