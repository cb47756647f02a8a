/** Bodies for tests of plastic events: a ball, a hopper, a bead on a round hill, a double pendulum
 * beside a wall. */
#ifndef CAROM_TESTS_PLASTIC_BODIES_H
#define CAROM_TESTS_PLASTIC_BODIES_H

#include "../../support.h"

#include <carom/timestepping/plastic/plastic.h>

static const double PLASTIC_RESTITUTION[1] = {0.0};

/** What all have in common: full matrices, one contact, no friction. */
static inline carom_mechanism plastic_body(int n, void *context) {
    return (carom_mechanism){
        .name = "plastic_body",
        .coordinate_count = n,
        .contact_count = 1,
        .layout = carom_layout_full(n),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = PLASTIC_RESTITUTION,
        .context = context,
    };
}

/* ----------------------------------------------------------------------------------------- ball */

/** q = height; force m (-gravity + growth t + shaking sin(rate t)). */
typedef struct ball {
    double mass;    /**< kg */
    double gravity; /**< m/s2 */
    double growth;  /**< m/s3 */
    double shaking; /**< m/s2 */
    double rate;    /**< rad/s */
} ball;

static inline void ball_mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = ((const ball *)context)->mass;
}

static inline void ball_force(double t, const double *q, const double *v, double *f,
                              void *context) {
    const ball *b = context;
    (void)q;
    (void)v;
    f[0] = b->mass * (-b->gravity + b->growth * t + b->shaking * sin(b->rate * t));
}

static inline double ball_energy(const double *q, void *context) {
    const ball *b = context;
    return b->mass * b->gravity * q[0];
}

/** Height, or length: the gap is the coordinate itself. */
static inline void first_coordinate(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0];
}

static inline void ball_normal(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
}

static inline carom_mechanism ball_mechanism(ball *b) {
    carom_mechanism mechanism = plastic_body(1, b);
    mechanism.is_linear = true;
    mechanism.mass = ball_mass;
    mechanism.force = ball_force;
    mechanism.potential_energy = ball_energy;
    mechanism.constraints = first_coordinate;
    mechanism.constraint_jacobian = ball_normal;
    return mechanism;
}

/* --------------------------------------------------------------------------------------- hopper */

/** q = (upper, lower) height, the upper from where the spring is at rest on the floor. */
typedef struct hopper {
    double upper;   /**< m_u, kg */
    double lower;   /**< m_l, kg */
    double spring;  /**< kappa, N/m */
    double gravity; /**< m/s2 */
} hopper;

static inline void hopper_mass(const double *q, double *M, void *context) {
    const hopper *h = context;
    (void)q;
    M[0] = h->upper;
    M[1] = 0.0;
    M[2] = 0.0;
    M[3] = h->lower;
}

static inline void hopper_force(double t, const double *q, const double *v, double *f,
                                void *context) {
    const hopper *h = context;
    (void)t;
    (void)v;
    const double pull = h->spring * (q[0] - q[1]);
    f[0] = -h->upper * h->gravity - pull;
    f[1] = -h->lower * h->gravity + pull;
}

static inline double hopper_energy(const double *q, void *context) {
    const hopper *h = context;
    const double extension = q[0] - q[1];
    return h->gravity * (h->upper * q[0] + h->lower * q[1]) +
           0.5 * h->spring * extension * extension;
}

static inline void hopper_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[1];
}

static inline void hopper_normal(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 0.0;
    G[1] = 1.0;
}

static inline carom_mechanism hopper_mechanism(hopper *h) {
    carom_mechanism mechanism = plastic_body(2, h);
    mechanism.is_linear = true;
    mechanism.mass = hopper_mass;
    mechanism.force = hopper_force;
    mechanism.potential_energy = hopper_energy;
    mechanism.constraints = hopper_gap;
    mechanism.constraint_jacobian = hopper_normal;
    return mechanism;
}

/* ----------------------------------------------------------------------------- bead on a hill */

/** A bead outside a circle about the origin, in the plane: q = (x, y), or (r, angle from the top).
 */
typedef struct bead {
    double mass;    /**< kg */
    double radius;  /**< m */
    double gravity; /**< m/s2 */
} bead;

static inline void bead_mass(const double *q, double *M, void *context) {
    const bead *b = context;
    (void)q;
    M[0] = b->mass;
    M[1] = 0.0;
    M[2] = 0.0;
    M[3] = b->mass;
}

static inline void bead_force(double t, const double *q, const double *v, double *f,
                              void *context) {
    const bead *b = context;
    (void)t;
    (void)q;
    (void)v;
    f[0] = 0.0;
    f[1] = -b->mass * b->gravity;
}

static inline double bead_energy(const double *q, void *context) {
    const bead *b = context;
    return b->mass * b->gravity * q[1];
}

static inline void bead_gap(const double *q, double *g, void *context) {
    g[0] = hypot(q[0], q[1]) - ((const bead *)context)->radius;
}

static inline void bead_normal(const double *q, double *G, void *context) {
    (void)context;
    const double r = hypot(q[0], q[1]);
    G[0] = q[0] / r;
    G[1] = q[1] / r;
}

/** d(q'v/r)/dq = v/r - (q'v) q/r^3 */
static inline void bead_rates(const double *q, const double *v, double *D, void *context) {
    (void)context;
    const double r = hypot(q[0], q[1]);
    const double along = (q[0] * v[0] + q[1] * v[1]) / (r * r);
    for (int i = 0; i < 2; i++) {
        D[i] = (v[i] - along * q[i]) / r;
    }
}

static inline carom_mechanism bead_mechanism(bead *b) {
    carom_mechanism mechanism = plastic_body(2, b);
    mechanism.mass = bead_mass;
    mechanism.force = bead_force;
    mechanism.potential_energy = bead_energy;
    mechanism.constraints = bead_gap;
    mechanism.constraint_jacobian = bead_normal;
    mechanism.constraint_rate_derivative = bead_rates;
    return mechanism;
}

static inline void polar_mass(const double *q, double *M, void *context) {
    const bead *b = context;
    M[0] = b->mass;
    M[1] = 0.0;
    M[2] = 0.0;
    M[3] = b->mass * q[0] * q[0];
}

static inline void polar_force(double t, const double *q, const double *v, double *f,
                               void *context) {
    const bead *b = context;
    (void)t;
    f[0] = b->mass * (q[0] * v[1] * v[1] - b->gravity * cos(q[1]));
    f[1] = b->mass * q[0] * (b->gravity * sin(q[1]) - 2.0 * v[0] * v[1]);
}

static inline double polar_energy(const double *q, void *context) {
    const bead *b = context;
    return b->mass * b->gravity * q[0] * cos(q[1]);
}

static inline void polar_gap(const double *q, double *g, void *context) {
    g[0] = q[0] - ((const bead *)context)->radius;
}

static inline void polar_normal(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
    G[1] = 0.0;
}

static inline carom_mechanism polar_bead_mechanism(bead *b) {
    carom_mechanism mechanism = plastic_body(2, b);
    mechanism.mass = polar_mass;
    mechanism.force = polar_force;
    mechanism.potential_energy = polar_energy;
    mechanism.constraints = polar_gap;
    mechanism.constraint_jacobian = polar_normal;
    return mechanism;
}

/* ----------------------------------------------------------------------------- double pendulum */

/** q = angles of both links from hanging; the tip is right of a wall at x = -distance. */
typedef struct double_pendulum {
    double mass[2];   /**< kg */
    double length[2]; /**< m */
    double gravity;   /**< m/s2 */
    double distance;  /**< m */
} double_pendulum;

static inline void pendulum_mass(const double *q, double *M, void *context) {
    const double_pendulum *p = context;
    const double *l = p->length;
    M[0] = (p->mass[0] + p->mass[1]) * l[0] * l[0];
    M[1] = p->mass[1] * l[0] * l[1] * cos(q[0] - q[1]);
    M[2] = M[1];
    M[3] = p->mass[1] * l[1] * l[1];
}

static inline void pendulum_force(double t, const double *q, const double *v, double *f,
                                  void *context) {
    const double_pendulum *p = context;
    const double *l = p->length;
    (void)t;
    const double coupling = p->mass[1] * l[0] * l[1] * sin(q[0] - q[1]);
    f[0] = -coupling * v[1] * v[1] - (p->mass[0] + p->mass[1]) * p->gravity * l[0] * sin(q[0]);
    f[1] = coupling * v[0] * v[0] - p->mass[1] * p->gravity * l[1] * sin(q[1]);
}

static inline double pendulum_energy(const double *q, void *context) {
    const double_pendulum *p = context;
    return -p->gravity * ((p->mass[0] + p->mass[1]) * p->length[0] * cos(q[0]) +
                          p->mass[1] * p->length[1] * cos(q[1]));
}

static inline void pendulum_gap(const double *q, double *g, void *context) {
    const double_pendulum *p = context;
    g[0] = p->length[0] * sin(q[0]) + p->length[1] * sin(q[1]) + p->distance;
}

static inline void pendulum_normal(const double *q, double *G, void *context) {
    const double_pendulum *p = context;
    G[0] = p->length[0] * cos(q[0]);
    G[1] = p->length[1] * cos(q[1]);
}

static inline void pendulum_rates(const double *q, const double *v, double *D, void *context) {
    const double_pendulum *p = context;
    D[0] = -p->length[0] * sin(q[0]) * v[0];
    D[1] = -p->length[1] * sin(q[1]) * v[1];
}

static inline carom_mechanism pendulum_mechanism(double_pendulum *p) {
    carom_mechanism mechanism = plastic_body(2, p);
    mechanism.mass = pendulum_mass;
    mechanism.force = pendulum_force;
    mechanism.potential_energy = pendulum_energy;
    mechanism.constraints = pendulum_gap;
    mechanism.constraint_jacobian = pendulum_normal;
    mechanism.constraint_rate_derivative = pendulum_rates;
    return mechanism;
}

#endif
