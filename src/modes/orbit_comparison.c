#include <carom/modes/internal.h>

#include <math.h>
#include <string.h>

/** Instants at which two motions are compared: prime, so that none of them is special, and more
 * than ten in the period of the highest mode of a chain of five. */
enum { COMPARED_INSTANTS = 401 };

void carom_orbit_periodic_motion(const carom_modal_basis *basis, const carom_orbit *orbit,
                                 double time, double *position, double *velocity, double *state) {
    CAROM_ASSERT(basis != NULL && orbit != NULL && state != NULL);
    const double T = orbit->period;
    const bool is_at_end = time > 0.5 * T && fabs(time - T) <= 0.0;
    if (!is_at_end) {
        const double wrapped = time - T * floor(time / T);
        carom_orbit_motion(basis, orbit, fmin(wrapped, T), position, velocity, state);
        return;
    }
    const int k = orbit->impact_count;
    carom_orbit_state_after(basis, orbit, k - 1, state);
    carom_modal_basis_rotate(basis, orbit->flight_times[k - 1], state);
    carom_modal_basis_expand(basis, state, position, velocity);
}

double carom_orbit_difference(const carom_modal_basis *basis, const carom_orbit *first,
                              const carom_orbit *second, double sign, double shift, double *work) {
    CAROM_ASSERT(basis != NULL && first != NULL && second != NULL && work != NULL);
    const int n = basis->coordinate_count;
    double *one = work;
    double *other = work + n;
    double *state = work + 2 * n;
    double difference = 0.0;
    double largest = 0.0;
    for (int i = 0; i < COMPARED_INSTANTS; i++) {
        const double time = first->period * (i + 0.5) / COMPARED_INSTANTS;
        carom_orbit_periodic_motion(basis, first, time, one, NULL, state);
        carom_orbit_periodic_motion(basis, second, sign * time + shift, other, NULL, state);
        for (int p = 0; p < n; p++) {
            difference = fmax(difference, fabs(one[p] - other[p]));
            largest = fmax(largest, fabs(one[p]));
        }
    }
    return difference / largest;
}

void carom_orbit_perturb(const carom_modal_basis *basis, const carom_orbit *orbit, double size,
                         const double *direction, double *state) {
    CAROM_ASSERT(basis != NULL && orbit != NULL && direction != NULL && state != NULL);
    const int length = 2 * basis->visible_count;
    double along = 0.0;
    double normal = 0.0;
    double norm = 0.0;
    // x_c = h'z with h_l = sqrt(G) rho_l/omega_l on the positions.
    for (int l = 0; l < basis->visible_count; l++) {
        const double h = basis->participation[l] / basis->frequency[l];
        along += h * direction[2 * l];
        normal += h * h;
    }
    memcpy(state, direction, (size_t)length * sizeof *state);
    for (int l = 0; l < basis->visible_count; l++) {
        state[2 * l] -= along / normal * basis->participation[l] / basis->frequency[l];
    }
    for (int i = 0; i < length; i++) {
        norm += state[i] * state[i];
    }
    const double scale = size * sqrt(2.0 * orbit->energy / norm);
    for (int i = 0; i < length; i++) {
        state[i] = orbit->state[i] + scale * state[i];
    }
}

double carom_orbit_closure_error(const carom_modal_basis *basis, carom_contact_motion *motion,
                                 const carom_orbit *orbit, double *state) {
    CAROM_ASSERT(basis != NULL && motion != NULL && orbit != NULL && state != NULL);
    const size_t size = 2 * (size_t)orbit->mode_count;
    memcpy(state, orbit->state, size * sizeof(double));
    // An impact that is missed shows in the time, at the latest after a second period.
    carom_event_end end;
    const carom_status status = carom_event_propagate(basis, motion, state, orbit->impact_count,
                                                      2.0 * orbit->period, NULL, NULL, &end, NULL);
    if (status != CAROM_OK || end.impacts != orbit->impact_count) {
        return NAN;
    }
    double difference = 0.0;
    for (size_t i = 0; i < size; i++) {
        difference = hypot(difference, state[i] - orbit->state[i]);
    }
    return fmax(difference / sqrt(2.0 * orbit->energy),
                fabs(end.time - orbit->period) / orbit->period);
}

double carom_orbit_deviation(const carom_modal_basis *basis, const carom_orbit *orbit,
                             const double *state) {
    CAROM_ASSERT(basis != NULL && orbit != NULL && state != NULL);
    double difference = 0.0;
    double size = 0.0;
    for (int i = 0; i < 2 * basis->visible_count; i++) {
        const double change = state[i] - orbit->state[i];
        difference += change * change;
        size += orbit->state[i] * orbit->state[i];
    }
    return sqrt(difference / size);
}

/** A motion under way, looked at after each last impact of a period. */
typedef struct follower {
    const carom_modal_basis *basis;
    const carom_orbit *orbit;
    int periods;
    double bound;
    double *deviation;
    double *time_shift;
    int done; /**< periods so far */
} follower;

static carom_status observe(int impact, double time, double lambda, const double *state,
                            void *context) {
    (void)lambda;
    follower *f = context;
    if (impact % f->orbit->impact_count != 0 || f->done == f->periods) {
        return CAROM_OK;
    }
    const double deviation = carom_orbit_deviation(f->basis, f->orbit, state);
    f->deviation[f->done] = deviation;
    if (f->time_shift != NULL) {
        f->time_shift[f->done] = time - (f->done + 1) * f->orbit->period;
    }
    f->done++;
    return deviation < f->bound ? CAROM_OK : CAROM_STATUS_NOT_FOUND;
}

carom_status carom_orbit_follow_periods(const carom_modal_basis *basis,
                                        carom_contact_motion *motion, const carom_orbit *orbit,
                                        int periods, double bound, double *state, double *deviation,
                                        double *time_shift) {
    CAROM_ASSERT(basis != NULL && motion != NULL && orbit != NULL && state != NULL);
    CAROM_ASSERT(periods >= 1 && deviation != NULL);
    for (int i = 0; i < periods; i++) {
        deviation[i] = NAN;
        if (time_shift != NULL) {
            time_shift[i] = NAN;
        }
    }
    follower f = {basis, orbit, periods, bound, deviation, time_shift, 0};
    return carom_event_propagate(basis, motion, state, periods * orbit->impact_count, INFINITY,
                                 observe, &f, NULL, NULL);
}
