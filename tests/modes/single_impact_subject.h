/** A structure with all that its motions with one impact per period need, for their suites. */
#ifndef CAROM_TESTS_MODES_SINGLE_IMPACT_SUBJECT_H
#define CAROM_TESTS_MODES_SINGLE_IMPACT_SUBJECT_H

#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>

#include "../support.h"
#include "independent.h"

/** Most coordinates of a random structure. */
#define MAX_N 6

/** A structure, its modes and what certifies its motions. */
typedef struct subject {
    carom_linear_system *system;
    carom_modal_basis *basis;
    carom_contact_motion *motion;
    carom_orbit *orbit;
    double *state; /* [m][2] */
} subject;

static inline subject complete_subject(carom_linear_system *system) {
    subject s = {.system = system};
    assert_ok(carom_modal_basis_compute(system, &s.basis, NULL));
    assert_ok(carom_contact_motion_alloc(s.basis, &s.motion));
    assert_ok(carom_orbit_alloc(s.basis, 1, &s.orbit));
    s.state = calloc(2 * (size_t)s.basis->visible_count, sizeof *s.state);
    return s;
}

/** The chain of the paper's illustrations. */
static inline subject chain(double gap_at_rest) {
    carom_linear_system *system;
    assert_ok(carom_serial_chain_uniform_alloc(5, gap_at_rest, &system, NULL));
    return complete_subject(system);
}

/** One mass 1 kg on a spring of k = w^2, closed forms below. */
static inline subject one_mass(double w, double gap_at_rest) {
    const double mass = 1.0;
    const double stiffness = w * w;
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(1, &mass, &stiffness, gap_at_rest, &system, NULL));
    return complete_subject(system);
}

static inline void free_subject(subject *s) {
    free(s->state);
    carom_orbit_free(s->orbit);
    carom_contact_motion_free(s->motion);
    carom_modal_basis_free(s->basis);
    carom_linear_system_free(s->system);
}

/** A random structure, of any contact. */
static inline subject random_subject(gsl_rng *generator, int round, double gap_at_rest) {
    const int n = 1 + round % MAX_N;
    return complete_subject(
        random_structure(generator, n, (random_contact)(round % 3), gap_at_rest));
}

#endif
