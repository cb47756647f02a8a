/** Bodies whose contacts with friction have constant rows: a point on a spring, a disc, a sphere, a
 * box in space that turns little. Closed forms are then those of the laws alone. And a box with an
 * arm, whose rows and mass matrix turn. */
#ifndef CAROM_TESTS_TIMESTEPPING_FRICTION_BODIES_H
#define CAROM_TESTS_TIMESTEPPING_FRICTION_BODIES_H

#include <carom/mechanism/mechanism.h>
#include <carom/mechanism/planar_tree.h>
#include <carom/timestepping/galpha/galpha.h>

#include "runs.h"

#include <string.h>

enum { BODY_COORDINATES = 6, BODY_ROWS = 6, BODY_TANGENTS = 2 };

/** M = diag(mass), f = force - stiffness q_0 e_0, g_j = G_j q of joints and contacts, sliding H v.
 * The struct is its mechanism's context and must not move. */
typedef struct body {
    carom_mechanism mechanism;
    double mass[BODY_COORDINATES];
    double force[BODY_COORDINATES];
    double stiffness; /**< of the first coordinate */
    double G[BODY_ROWS * BODY_COORDINATES];
    double H[BODY_ROWS * BODY_TANGENTS * BODY_COORDINATES];
    double restitution[BODY_ROWS];
    double friction[BODY_ROWS];
    double q[BODY_COORDINATES]; /**< where it starts */
    double v[BODY_COORDINATES];
} body;

static inline void body_mass(const double *q, double *M, void *context) {
    (void)q;
    const body *b = context;
    const int n = b->mechanism.coordinate_count;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int i = 0; i < n; i++) {
        M[i * n + i] = b->mass[i];
    }
}

static inline void body_force(double t, const double *q, const double *v, double *f,
                              void *context) {
    (void)t;
    (void)v;
    const body *b = context;
    memcpy(f, b->force, (size_t)b->mechanism.coordinate_count * sizeof *f);
    f[0] -= b->stiffness * q[0];
}

static inline void body_stiffness(double t, const double *q, const double *v, double *K,
                                  void *context) {
    (void)t;
    (void)q;
    (void)v;
    const body *b = context;
    const int n = b->mechanism.coordinate_count;
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    K[0] = b->stiffness;
}

static inline double body_energy(const double *q, void *context) {
    const body *b = context;
    double energy = 0.5 * b->stiffness * q[0] * q[0];
    for (int i = 0; i < b->mechanism.coordinate_count; i++) {
        energy -= b->force[i] * q[i];
    }
    return energy;
}

static inline void body_gaps(const double *q, double *g, void *context) {
    const body *b = context;
    const int n = b->mechanism.coordinate_count;
    for (int j = 0; j < carom_mechanism_constraint_count(&b->mechanism); j++) {
        g[j] = 0.0;
        for (int i = 0; i < n; i++) {
            g[j] += b->G[j * n + i] * q[i];
        }
    }
}

static inline void body_jacobian(const double *q, double *G, void *context) {
    (void)q;
    const body *b = context;
    const int n = b->mechanism.coordinate_count;
    const int rows = carom_mechanism_constraint_count(&b->mechanism);
    memcpy(G, b->G, (size_t)(rows * n) * sizeof *G);
}

static inline void body_tangents(const double *q, double *H, void *context) {
    (void)q;
    const body *b = context;
    const int rows = b->mechanism.contact_count * b->mechanism.tangent_count;
    memcpy(H, b->H, (size_t)(rows * b->mechanism.coordinate_count) * sizeof *H);
}

static inline void body_init(body *b, int n, int contacts, int tangents) {
    memset(b, 0, sizeof *b);
    b->mechanism = (carom_mechanism){.name = "body",
                                     .coordinate_count = n,
                                     .contact_count = contacts,
                                     .tangent_count = tangents,
                                     .layout = carom_layout_full(n),
                                     .is_linear = true,
                                     .position_units = "m",
                                     .velocity_units = "m s-1",
                                     .restitution = b->restitution,
                                     .friction = b->friction,
                                     .mass = body_mass,
                                     .force = body_force,
                                     .stiffness = body_stiffness,
                                     .potential_energy = body_energy,
                                     .constraints = body_gaps,
                                     .constraint_jacobian = body_jacobian,
                                     .tangential_jacobian = body_tangents,
                                     .context = b};
}

/** A point of a mass on a plane, q = (x, y). */
static inline void point_init(body *b, double mass, double friction) {
    body_init(b, 2, 1, 1);
    b->mass[0] = b->mass[1] = mass;
    b->G[1] = 1.0;
    b->H[0] = 1.0;
    b->friction[0] = friction;
}

/** A disc above a plane, q = (x, y of its lowest point, turn): the sliding speed is x' + R turn'.
 */
static inline void disc_init(body *b, double mass, double radius, double friction) {
    body_init(b, 3, 1, 1);
    b->mass[0] = b->mass[1] = mass;
    b->mass[2] = 0.5 * mass * radius * radius;
    b->G[1] = 1.0;
    b->H[0] = 1.0;
    b->H[2] = radius;
    b->friction[0] = friction;
}

/** A sphere above a plane, q = (x, y, z of its lowest point, integrals of the spin): the sliding
 * velocity is (x' - R w_y, y' + R w_x). */
static inline void sphere_init(body *b, double mass, double radius, double friction) {
    body_init(b, 6, 1, 2);
    for (int i = 0; i < 3; i++) {
        b->mass[i] = mass;
        b->mass[3 + i] = 0.4 * mass * radius * radius;
    }
    b->G[2] = 1.0;
    b->H[0] = 1.0;
    b->H[4] = -radius;
    b->H[6 + 1] = 1.0;
    b->H[6 + 3] = radius;
    b->friction[0] = friction;
}

/** A cube of an edge on a plane, q = (x, y, z, small turns), by its four lower corners. */
static inline void cube_init(body *b, double mass, double edge, double friction) {
    body_init(b, 6, 4, 2);
    for (int i = 0; i < 3; i++) {
        b->mass[i] = mass;
        b->mass[3 + i] = mass * edge * edge / 6.0;
    }
    for (int j = 0; j < 4; j++) {
        /* v + w x r at r = (x, y, -edge/2) */
        const double x = 0.5 * edge * (j % 2 == 0 ? -1.0 : 1.0);
        const double y = 0.5 * edge * (j / 2 == 0 ? -1.0 : 1.0);
        const double z = -0.5 * edge;
        const double rows[3][6] = {
            {1.0, 0.0, 0.0, 0.0, z, -y}, {0.0, 1.0, 0.0, -z, 0.0, x}, {0.0, 0.0, 1.0, y, -x, 0.0}};
        memcpy(&b->H[12 * j], rows[0], 2 * sizeof rows[0]);
        memcpy(&b->G[6 * j], rows[2], sizeof rows[2]);
        b->friction[j] = friction;
    }
}

enum { ARM_COORDINATES = 4, ARM_CONTACTS = 3 };

/* A box with an arm, whose mass matrix turns: two corners and the tip of the arm above a floor. */
static inline carom_planar_tree *box_with_arm(double mu, double restitution) {
    const carom_planar_body bodies[2] = {
        carom_planar_floating(carom_planar_box(1.3, 0.4, 0.3)),
        carom_planar_revolute(0, 0.15, 0.1, carom_planar_rod(0.7, 0.5))};
    carom_planar_contact contacts[ARM_CONTACTS] = {
        carom_planar_corner_on_wall(0, -0.2, -0.15, carom_planar_floor(0.0), mu),
        carom_planar_corner_on_wall(0, 0.2, -0.15, carom_planar_floor(0.0), 0.5 * mu),
        carom_planar_corner_on_wall(1, 0.0, -0.5, carom_planar_floor(0.0), mu)};
    contacts[0].restitution = restitution;
    contacts[2].restitution = 0.5 * restitution;
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 2;
    spec.bodies = bodies;
    spec.contact_count = ARM_CONTACTS;
    spec.contacts = contacts;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

static const double ARM_POSITION[ARM_COORDINATES] = {0.0, 0.55, 0.3, 1.1};
static const double ARM_VELOCITY[ARM_COORDINATES] = {1.9, -0.4, -2.3, 3.1};

static const double GRAVITY = 9.81;
static const double MASS = 2.385;

static const carom_scheme SCHEMES[] = {CAROM_SCHEME_MOREAU_JEAN, CAROM_SCHEME_VELOCITY_GALPHA,
                                       CAROM_SCHEME_NONSMOOTH_GALPHA};
enum { SCHEME_COUNT = sizeof SCHEMES / sizeof SCHEMES[0] };

/* A stepper at its start. */
static inline carom_stepper *started(const carom_mechanism *mechanism,
                                     const carom_stepper_params *params, const double *q,
                                     const double *v) {
    carom_stepper *stepper = NULL;
    carom_report report = carom_report_empty();
    carom_status status = carom_stepper_alloc(mechanism, params, &stepper, &report);
    if (status == CAROM_OK) {
        status = carom_stepper_start(stepper, 0.0, q, v, &report);
    }
    ck_assert_msg(status == CAROM_OK, "%s: %s %s", mechanism->name, carom_status_name(status),
                  report.sentence);
    return stepper;
}

/* The same after some steps. */
static inline carom_stepper *stepped(const carom_mechanism *mechanism,
                                     const carom_stepper_params *params, const double *q,
                                     const double *v, int steps) {
    carom_stepper *stepper = started(mechanism, params, q, v);
    for (int k = 0; k < steps; k++) {
        carom_report report = carom_report_empty();
        const carom_status status = carom_stepper_advance(stepper, &report);
        ck_assert_msg(status == CAROM_OK, "%s, %s: %s in step %d, residual %.3g", mechanism->name,
                      carom_scheme_name(params->scheme), carom_status_name(status), k,
                      report.residual);
    }
    return stepper;
}

/* Gravity of a plane that falls in direction `way` (angle from x) by an angle. */
static inline void tilt(body *b, double slope, double way) {
    const int n = b->mechanism.coordinate_count;
    const int z = b->mechanism.tangent_count;
    const double weight = b->mass[0] * GRAVITY;
    b->force[0] = weight * sin(slope) * cos(way);
    if (n == 6) {
        b->force[1] = weight * sin(slope) * sin(way);
    }
    b->force[z] = -weight * cos(slope);
}

#endif
