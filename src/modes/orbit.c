#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>

#include <carom/modes/few_impacts_internal.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

carom_status carom_orbit_alloc(const carom_modal_basis *basis, int impact_count,
                               carom_orbit **out) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    if (impact_count < 1) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    // One block: the struct, then flight times, lambda and state.
    const size_t k = (size_t)impact_count;
    const size_t m = (size_t)basis->visible_count;
    carom_orbit *orbit = malloc(sizeof *orbit + (2 * k + 2 * m) * sizeof(double));
    if (orbit == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *memory = (double *)(orbit + 1);
    *orbit = (carom_orbit){
        .impact_count = impact_count,
        .mode_count = basis->visible_count,
        .flight_times = memory,
        .lambda = memory + k,
        .state = memory + 2 * k,
    };
    carom_orbit_clear(orbit);
    *out = orbit;
    return CAROM_OK;
}

void carom_orbit_clear(carom_orbit *orbit) {
    for (int j = 0; j < orbit->impact_count; j++) {
        orbit->flight_times[j] = (double)NAN;
        orbit->lambda[j] = (double)NAN;
    }
    for (int i = 0; i < 2 * orbit->mode_count; i++) {
        orbit->state[i] = (double)NAN;
    }
    orbit->period = (double)NAN;
    orbit->energy = (double)NAN;
    orbit->residual = (double)NAN;
}

void carom_orbit_free(carom_orbit *orbit) {
    free(orbit);
}

void carom_orbit_copy(const carom_orbit *from, carom_orbit *to) {
    CAROM_ASSERT(from != NULL && to != NULL);
    CAROM_ASSERT(from->impact_count == to->impact_count && from->mode_count == to->mode_count);
    const size_t k = (size_t)from->impact_count;
    const size_t m = (size_t)from->mode_count;
    memcpy(to->flight_times, from->flight_times, k * sizeof(double));
    memcpy(to->lambda, from->lambda, k * sizeof(double));
    memcpy(to->state, from->state, 2 * m * sizeof(double));
    to->period = from->period;
    to->energy = from->energy;
    to->residual = from->residual;
}

carom_status carom_orbit_complete(const carom_modal_basis *basis, carom_orbit *orbit) {
    CAROM_ASSERT(basis != NULL && orbit != NULL);
    const int k = orbit->impact_count;
    double period = 0.0;
    for (int j = 0; j < k; j++) {
        period += orbit->flight_times[j];
    }
    orbit->period = period;
    orbit->energy = (double)NAN;
    for (int l = 0; l < orbit->mode_count; l++) {
        // p + i q = rho sum lambda_j e^{i w t_j} / sin(w T/2), z_1 + i z_2 = -e^{-i w T/2} (p +
        // iq).
        const double omega = basis->frequency[l];
        const carom_half_angle half = carom_half_angle_of_period(omega, period);
        if (!(fabs(half.sine) > 0.0)) {
            return CAROM_STATUS_SINGULAR;
        }
        double p = 0.0;
        double q = 0.0;
        double time = 0.0;
        for (int j = 0; j < k; j++) {
            time += orbit->flight_times[j];
            p += orbit->lambda[j] * cos(omega * time);
            q += orbit->lambda[j] * sin(omega * time);
        }
        const double factor = basis->participation[l] / half.sine;
        orbit->state[2 * l] = -factor * (p * half.cosine + q * half.sine);
        orbit->state[2 * l + 1] = -factor * (q * half.cosine - p * half.sine);
    }
    orbit->energy = carom_orbit_energy_of(basis, orbit->state);
    return CAROM_OK;
}

void carom_orbit_impact_times(const carom_orbit *orbit, double *times) {
    CAROM_ASSERT(orbit != NULL && times != NULL);
    double time = 0.0;
    for (int j = 0; j < orbit->impact_count; j++) {
        time += orbit->flight_times[j];
        times[j] = time;
    }
}

/** Reflect with a given lambda, z_2 <- z_2 - 2 lambda rho, whatever rho'z_2 is to rounding. */
static void strike(const carom_modal_basis *basis, double lambda, double *state) {
    for (int l = 0; l < basis->visible_count; l++) {
        state[2 * l + 1] -= 2.0 * lambda * basis->participation[l];
    }
}

void carom_orbit_state_after(const carom_modal_basis *basis, const carom_orbit *orbit, int impact,
                             double *state) {
    CAROM_ASSERT(basis != NULL && orbit != NULL && state != NULL);
    CAROM_ASSERT(impact >= 0 && impact <= orbit->impact_count);
    memcpy(state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    for (int j = 0; j < impact; j++) {
        carom_modal_basis_rotate(basis, orbit->flight_times[j], state);
        strike(basis, orbit->lambda[j], state);
    }
}

void carom_orbit_motion(const carom_modal_basis *basis, const carom_orbit *orbit, double time,
                        double *position, double *velocity, double *state) {
    CAROM_ASSERT(basis != NULL && orbit != NULL && state != NULL);
    memcpy(state, orbit->state, 2 * (size_t)orbit->mode_count * sizeof(double));
    double rest = time;
    for (int j = 0; j < orbit->impact_count && rest >= orbit->flight_times[j]; j++) {
        carom_modal_basis_rotate(basis, orbit->flight_times[j], state);
        strike(basis, orbit->lambda[j], state);
        rest -= orbit->flight_times[j];
    }
    carom_modal_basis_rotate(basis, rest, state);
    carom_modal_basis_expand(basis, state, position, velocity);
}

double carom_orbit_energy_of(const carom_modal_basis *basis, const double *state) {
    CAROM_ASSERT(basis != NULL && state != NULL);
    double sum = 0.0;
    for (int i = 0; i < 2 * basis->visible_count; i++) {
        sum += state[i] * state[i];
    }
    return 0.5 * sum;
}
