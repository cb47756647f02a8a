/** The paper's chain and periodic motions of it whose impacts are known: closed forms, [C] values.
 */
#ifndef CAROM_TESTS_MODES_REFERENCE_ORBITS_H
#define CAROM_TESTS_MODES_REFERENCE_ORBITS_H

#include <carom/models/serial_chain.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>

#include "../support.h"

/** A uniform chain (the paper's has five masses and g_0 = 1) with its modes and a workspace. */
typedef struct chain {
    carom_linear_system *system;
    carom_modal_basis *basis;
    carom_contact_motion *motion;
} chain;

static inline chain chain_alloc(int n, double gap_at_rest) {
    chain c;
    assert_ok(carom_serial_chain_uniform_alloc(n, gap_at_rest, &c.system, NULL));
    assert_ok(carom_modal_basis_compute(c.system, &c.basis, NULL));
    assert_ok(carom_contact_motion_alloc(c.basis, &c.motion));
    return c;
}

static inline void chain_free(chain *c) {
    carom_contact_motion_free(c->motion);
    carom_modal_basis_free(c->basis);
    carom_linear_system_free(c->system);
}

/** An orbit with given flight times and lambda. */
static inline carom_orbit *orbit_of(const chain *c, int k, const double *sigma,
                                    const double *lambda) {
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(c->basis, k, &orbit));
    for (int j = 0; j < k; j++) {
        orbit->flight_times[j] = sigma[j];
        orbit->lambda[j] = lambda[j];
    }
    assert_ok(carom_orbit_complete(c->basis, orbit));
    return orbit;
}

/** The orbit with one impact, lambda = g_0/phi_c(T), phi_c = -sqrt(G) sum rho^2 cot(w T/2)/w
 * (7.15).
 */
static inline carom_orbit *single_impact_of(const chain *c, double T) {
    double phi = 0.0;
    for (int l = 0; l < c->basis->visible_count; l++) {
        const double w = c->basis->frequency[l];
        const double rho = c->basis->participation[l];
        phi -= c->basis->root_inverse_mass * rho * rho / (w * tan(0.5 * w * T));
    }
    const double lambda = c->basis->gap_at_rest / phi;
    return orbit_of(c, 1, &T, &lambda);
}

/* Specification 5.6, k = 3: flight times and lambda to twelve digits. */
static const double THREE_SIGMA[3] = {0.210218004117, 0.210218004117, 3.480563991765};
static const double THREE_LAMBDA[3] = {0.383998269039, 0.287507622260, 0.287507622260};

/* Specification 5.6, k = 2. */
static const double TWO_SIGMA[2] = {0.330508890769, 3.594491109231};
static const double TWO_LAMBDA[2] = {0.419644607301, 0.419644607301};

#endif
