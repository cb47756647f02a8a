/** Another mechanism with its constraints permuted or repeated: the same motion, other rows. */
#ifndef CAROM_TESTS_TIMESTEPPING_REWIRED_MECHANISM_H
#define CAROM_TESTS_TIMESTEPPING_REWIRED_MECHANISM_H

#include <carom/mechanism/mechanism.h>

#include "../../support.h"

#include <string.h>

enum { REWIRED_MAX_ROWS = 16, REWIRED_MAX_COORDINATES = 16 };

/** Row i of the new mechanism is row source[i] of the inner one. Must not move. */
typedef struct rewired_mechanism {
    carom_mechanism mechanism;
    const carom_mechanism *inner;
    int source[REWIRED_MAX_ROWS];
    double restitution[REWIRED_MAX_ROWS];
} rewired_mechanism;

static inline void rewired_mass(const double *q, double *M, void *context) {
    const rewired_mechanism *r = context;
    r->inner->mass(q, M, r->inner->context);
}

static inline void rewired_mass_derivative(const double *q, const double *a, double *D,
                                           void *context) {
    const rewired_mechanism *r = context;
    r->inner->mass_derivative(q, a, D, r->inner->context);
}

static inline void rewired_force(double t, const double *q, const double *v, double *f,
                                 void *context) {
    const rewired_mechanism *r = context;
    r->inner->force(t, q, v, f, r->inner->context);
}

static inline void rewired_stiffness(double t, const double *q, const double *v, double *K,
                                     void *context) {
    const rewired_mechanism *r = context;
    r->inner->stiffness(t, q, v, K, r->inner->context);
}

static inline void rewired_damping(double t, const double *q, const double *v, double *C,
                                   void *context) {
    const rewired_mechanism *r = context;
    r->inner->damping(t, q, v, C, r->inner->context);
}

static inline double rewired_potential_energy(const double *q, void *context) {
    const rewired_mechanism *r = context;
    return r->inner->potential_energy(q, r->inner->context);
}

static inline int rewired_row_count(const rewired_mechanism *r) {
    return r->mechanism.joint_count + r->mechanism.contact_count;
}

static inline void rewired_constraints(const double *q, double *g, void *context) {
    const rewired_mechanism *r = context;
    double inner[REWIRED_MAX_ROWS];
    r->inner->constraints(q, inner, r->inner->context);
    for (int i = 0; i < rewired_row_count(r); i++) {
        g[i] = inner[r->source[i]];
    }
}

/** Spread the inner rows [m][n] over the new ones. */
static inline void rewired_spread(const rewired_mechanism *r, const double *inner, double *rows) {
    const int n = r->inner->coordinate_count;
    for (int i = 0; i < rewired_row_count(r); i++) {
        memcpy(&rows[i * n], &inner[r->source[i] * n], (size_t)n * sizeof *rows);
    }
}

static inline void rewired_constraint_jacobian(const double *q, double *G, void *context) {
    const rewired_mechanism *r = context;
    double inner[REWIRED_MAX_ROWS * REWIRED_MAX_COORDINATES];
    carom_mechanism_constraint_jacobian(r->inner, q, inner);
    rewired_spread(r, inner, G);
}

static inline void rewired_constraint_force_derivative(const double *q, const double *lambda,
                                                       double *D, void *context) {
    const rewired_mechanism *r = context;
    double inner[REWIRED_MAX_ROWS] = {0.0};
    for (int i = 0; i < rewired_row_count(r); i++) {
        inner[r->source[i]] += lambda[i];
    }
    r->inner->constraint_force_derivative(q, inner, D, r->inner->context);
}

static inline void rewired_constraint_rate_derivative(const double *q, const double *v, double *D,
                                                      void *context) {
    const rewired_mechanism *r = context;
    double inner[REWIRED_MAX_ROWS * REWIRED_MAX_COORDINATES];
    carom_mechanism_constraint_rate_derivative(r->inner, q, v, inner);
    rewired_spread(r, inner, D);
}

/** `joints` + `contacts` rows, joints first; source[] names the inner row of each. */
static inline void rewired_mechanism_init(rewired_mechanism *r, const carom_mechanism *inner,
                                          int joints, int contacts, const int *source) {
    ck_assert_int_le(joints + contacts, REWIRED_MAX_ROWS);
    ck_assert_int_le(inner->coordinate_count, REWIRED_MAX_COORDINATES);
    memset(r, 0, sizeof *r);
    r->inner = inner;
    r->mechanism = *inner;
    r->mechanism.constraint_pattern = (carom_mechanism_pattern){0};
    r->mechanism.tangential_pattern = (carom_mechanism_pattern){0};
    r->mechanism.joint_count = joints;
    r->mechanism.contact_count = contacts;
    for (int i = 0; i < joints + contacts; i++) {
        r->source[i] = source[i];
    }
    for (int i = 0; i < contacts; i++) {
        r->restitution[i] = inner->restitution[source[joints + i] - inner->joint_count];
    }
    r->mechanism.restitution = r->restitution;
    r->mechanism.mass = rewired_mass;
    r->mechanism.mass_derivative = inner->mass_derivative != NULL ? rewired_mass_derivative : NULL;
    r->mechanism.force = rewired_force;
    r->mechanism.stiffness = inner->stiffness != NULL ? rewired_stiffness : NULL;
    r->mechanism.damping = inner->damping != NULL ? rewired_damping : NULL;
    r->mechanism.potential_energy = rewired_potential_energy;
    r->mechanism.constraints = rewired_constraints;
    r->mechanism.constraint_jacobian = rewired_constraint_jacobian;
    r->mechanism.constraint_force_derivative =
        inner->constraint_force_derivative != NULL ? rewired_constraint_force_derivative : NULL;
    r->mechanism.constraint_rate_derivative =
        inner->constraint_rate_derivative != NULL ? rewired_constraint_rate_derivative : NULL;
    r->mechanism.context = r;
}

#endif
