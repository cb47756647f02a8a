#include <carom/modes/orbit.h>

#include <carom/modes/internal.h>

#include <math.h>
#include <string.h>

/* A maximum and its bound are each known to rounding. */
static const double ALLOWED_ROUNDINGS = 2.0;

/** Reflect with the orbit's own lambda, so that all flights belong to one orbit. */
static void strike(const carom_modal_basis *basis, double lambda, double *state) {
    for (int l = 0; l < basis->visible_count; l++) {
        state[2 * l + 1] -= 2.0 * lambda * basis->participation[l];
    }
}

/** Whether an orbit has been solved: finite, and all its flights last. */
static bool is_complete(const carom_orbit *orbit) {
    bool is_finite = true;
    for (int j = 0; j < orbit->impact_count; j++) {
        is_finite = is_finite && isfinite(orbit->lambda[j]) && isfinite(orbit->flight_times[j]) &&
                    orbit->flight_times[j] > 0.0;
    }
    for (int l = 0; l < 2 * orbit->mode_count; l++) {
        is_finite = is_finite && isfinite(orbit->state[l]);
    }
    return is_finite;
}

/** Take the largest maximum of a flight that starts at a time into account. */
static void record(carom_admissibility *admissibility, const carom_contact_maximum *maximum,
                   double gap_at_rest, int flight, double start) {
    if (!maximum->exists) {
        return;
    }
    const double violation = maximum->displacement - gap_at_rest;
    admissibility->violation_bound =
        fmax(admissibility->violation_bound, maximum->upper_bound - gap_at_rest);
    if (admissibility->flight == 0 || violation > admissibility->largest_gap_violation) {
        admissibility->largest_gap_violation = violation;
        admissibility->flight = flight;
        admissibility->time = start + maximum->time;
    }
}

/*[orbitCertify]*/
carom_admissibility carom_orbit_certify(const carom_modal_basis *basis,
                                        carom_contact_motion *motion, const carom_orbit *orbit,
                                        double *state, double tolerance) {
    CAROM_ASSERT(basis != NULL && motion != NULL && orbit != NULL && state != NULL);
    const int k = orbit->impact_count;
    const double root_G = basis->root_inverse_mass;
    carom_admissibility admissibility = {false, (double)NAN, (double)NAN,
                                         0,     (double)NAN, (double)NAN};
    if (!is_complete(orbit)) {
        return admissibility;
    }
    memcpy(state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    admissibility.violation_bound = -(double)INFINITY;
    admissibility.smallest_lambda = orbit->lambda[0];
    double largest_lambda = 0.0;
    double allowed = tolerance * fabs(basis->gap_at_rest);
    double start = 0.0;
    for (int i = 0; i < k; i++) {
        // Flight i + 1 leaves impact i (impact k at t = 0) and ends with impact i + 1.
        const double before = orbit->lambda[i > 0 ? i - 1 : k - 1];
        const double after = orbit->lambda[i];
        carom_contact_motion_start(motion, state);
        const carom_contact_maximum maximum = carom_contact_motion_largest_maximum(
            motion, orbit->flight_times[i], -root_G * before, root_G * after);
        record(&admissibility, &maximum, basis->gap_at_rest, i + 1, start);
        if (maximum.exists) {
            allowed = fmax(allowed, ALLOWED_ROUNDINGS * motion->rounding[0]);
        }
        admissibility.smallest_lambda = fmin(admissibility.smallest_lambda, after);
        largest_lambda = fmax(largest_lambda, fabs(after));
        start += orbit->flight_times[i];
        carom_modal_basis_rotate(basis, orbit->flight_times[i], state);
        strike(basis, after, state);
    }
    admissibility.is_admissible = admissibility.violation_bound <= allowed &&
                                  admissibility.smallest_lambda >= -tolerance * largest_lambda;
    return admissibility;
}
/*[end orbitCertify]*/
