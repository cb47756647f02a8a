/** Planar systems that the variational integrator and the independent one both move, with random
 * data: a swing of two links, a bead with a pendulum, and a linear system, each between straight
 * walls. To be included by suites. */
#ifndef CAROM_TESTS_TIMESTEPPING_INDEPENDENT_SYSTEMS_H
#define CAROM_TESTS_TIMESTEPPING_INDEPENDENT_SYSTEMS_H

#include "../galpha/random_mechanism.h"
#include "independent_variational.h"

#include <carom/base/random.h>
#include <carom/timestepping/variational/variational.h>

enum { N = 4, CONTACTS = 3, KINDS = 3 };

/** The integrator solves to 1e-14 of the momenta, the reference to less; steps add up, and the
 * systems enlarge an error some ten times. */
static const double SOLVED = 2e-12;
/** Impacts are found where the gap is below 1e-12: in time that, over the speed of some 1 m/s. */
static const double LOCATED = 1e-11;

static inline double random_in(unsigned long seed, unsigned long dimension, double low,
                               double high) {
    return low + (high - low) * carom_counter_uniform(2014, seed, dimension);
}

/* ----------------------------------------------------------------------------- planar systems */

/** A contact point with a straight wall: gap n.P - offset. */
typedef struct wall {
    double normal[2];
    double offset;
    double reach[2]; /**< of the point along the links */
} wall;

/** A cart that floats on a spring with two links, q = (x, y, alpha_1, alpha_2), absolute angles;
 * gravity, a spring between the links, dampers, and a drive that depends on time. */
typedef struct swing {
    double mass[3];    /**< cart and links */
    double length[2];  /**< of the links */
    double spin[2];    /**< moments of inertia of the links */
    double gravity;    /**< m/s2 */
    double spring;     /**< of the cart, N/m */
    double torsion;    /**< between the links, N m */
    double rest_angle; /**< of that spring */
    double damping;    /**< of the cart */
    double hinge;      /**< damping between the links */
    double drive[2];   /**< force on the cart and torque on the first link */
    double omega;      /**< of the drives, rad/s */
    wall walls[CONTACTS];
} swing;

/** A bead on the curve y = a sin(b s) that carries a pendulum, q = (s, theta). */
typedef struct bead {
    double mass[2];
    double length;
    double height; /**< a */
    double wave;   /**< b */
    double gravity;
    double spring; /**< of s */
    double damping[2];
    double drive;
    double omega;
    wall walls[CONTACTS];
} bead;

/** A system twice: as a mechanism of the library and as a system of the reference. */
typedef struct twin {
    carom_mechanism mechanism;
    discrete_system reference;
    int kind; /**< 0 swing, 1 bead, 2 linear */
    swing swing;
    bead bead;
    random_mechanism linear;
    double factor[N * N]; /**< M = R'R of the linear one */
    double friction[CONTACTS];
    double restitution[CONTACTS];
    double q[N];
    double v[N];
} twin;

/** Masses times levers of the swing, and their products. */
static inline void swing_sums(const swing *s, double *total, double *moment, double *coupling) {
    *total = s->mass[0] + s->mass[1] + s->mass[2];
    moment[0] = (0.5 * s->mass[1] + s->mass[2]) * s->length[0];
    moment[1] = 0.5 * s->mass[2] * s->length[1];
    coupling[0] = (0.25 * s->mass[1] + s->mass[2]) * s->length[0] * s->length[0];
    coupling[1] = 0.5 * s->mass[2] * s->length[0] * s->length[1];
    coupling[2] = 0.25 * s->mass[2] * s->length[1] * s->length[1];
}

static inline void swing_mass(const double *q, double *M, void *context) {
    const swing *s = context;
    double total;
    double moment[2] = {0.0};
    double coupling[3] = {0.0};
    swing_sums(s, &total, moment, coupling);
    const double cross = coupling[1] * cos(q[2] - q[3]);
    const double rows[N * N] = {total,
                                0.0,
                                -moment[0] * sin(q[2]),
                                -moment[1] * sin(q[3]),
                                0.0,
                                total,
                                moment[0] * cos(q[2]),
                                moment[1] * cos(q[3]),
                                -moment[0] * sin(q[2]),
                                moment[0] * cos(q[2]),
                                coupling[0] + s->spin[0],
                                cross,
                                -moment[1] * sin(q[3]),
                                moment[1] * cos(q[3]),
                                cross,
                                coupling[2] + s->spin[1]};
    memcpy(M, rows, sizeof rows);
}

static inline void swing_mass_derivative(const double *q, const double *a, double *D,
                                         void *context) {
    const swing *s = context;
    double total;
    double moment[2] = {0.0};
    double coupling[3] = {0.0};
    swing_sums(s, &total, moment, coupling);
    const double slope = -coupling[1] * sin(q[2] - q[3]);
    memset(D, 0, N * N * sizeof *D);
    for (int i = 2; i < N; i++) {
        D[i] = -moment[i - 2] * cos(q[i]) * a[i];
        D[N + i] = -moment[i - 2] * sin(q[i]) * a[i];
        D[i * N + i] = -moment[i - 2] * (a[0] * cos(q[i]) + a[1] * sin(q[i]));
    }
    D[2 * N + 2] += slope * a[3];
    D[2 * N + 3] -= slope * a[3];
    D[3 * N + 2] += slope * a[2];
    D[3 * N + 3] -= slope * a[2];
}

static inline void swing_force(double t, const double *q, const double *v, double *f,
                               void *context) {
    const swing *s = context;
    double total;
    double moment[2] = {0.0};
    double coupling[3] = {0.0};
    swing_sums(s, &total, moment, coupling);
    const double cross = coupling[1] * sin(q[2] - q[3]);
    const double torque = s->torsion * (q[3] - q[2] - s->rest_angle) + s->hinge * (v[3] - v[2]);
    f[0] = -s->spring * q[0] - s->damping * v[0] + s->drive[0] * cos(s->omega * t);
    f[1] = -s->spring * q[1] - s->damping * v[1] - s->gravity * total;
    for (int i = 2; i < N; i++) {
        f[0] += moment[i - 2] * cos(q[i]) * v[i] * v[i];
        f[1] += moment[i - 2] * sin(q[i]) * v[i] * v[i];
        f[i] = -s->gravity * moment[i - 2] * cos(q[i]);
    }
    f[2] += torque - cross * v[3] * v[3] + s->drive[1] * sin(s->omega * t);
    f[3] += -torque + cross * v[2] * v[2];
}

static inline void swing_stiffness(double t, const double *q, const double *v, double *K,
                                   void *context) {
    (void)t;
    const swing *s = context;
    double total;
    double moment[2] = {0.0};
    double coupling[3] = {0.0};
    swing_sums(s, &total, moment, coupling);
    const double cross = coupling[1] * cos(q[2] - q[3]);
    memset(K, 0, N * N * sizeof *K);
    K[0] = s->spring;
    K[N + 1] = s->spring;
    for (int i = 2; i < N; i++) {
        K[i] = moment[i - 2] * sin(q[i]) * v[i] * v[i];
        K[N + i] = -moment[i - 2] * cos(q[i]) * v[i] * v[i];
        K[i * N + i] = -s->gravity * moment[i - 2] * sin(q[i]) + s->torsion;
    }
    K[2 * N + 2] += cross * v[3] * v[3];
    K[2 * N + 3] = -cross * v[3] * v[3] - s->torsion;
    K[3 * N + 2] = -cross * v[2] * v[2] - s->torsion;
    K[3 * N + 3] += cross * v[2] * v[2];
}

static inline void swing_damping(double t, const double *q, const double *v, double *C,
                                 void *context) {
    (void)t;
    const swing *s = context;
    double total;
    double moment[2] = {0.0};
    double coupling[3] = {0.0};
    swing_sums(s, &total, moment, coupling);
    const double cross = 2.0 * coupling[1] * sin(q[2] - q[3]);
    memset(C, 0, N * N * sizeof *C);
    C[0] = s->damping;
    C[N + 1] = s->damping;
    for (int i = 2; i < N; i++) {
        C[i] = -2.0 * moment[i - 2] * cos(q[i]) * v[i];
        C[N + i] = -2.0 * moment[i - 2] * sin(q[i]) * v[i];
        C[i * N + i] = s->hinge;
    }
    C[2 * N + 3] = cross * v[3] - s->hinge;
    C[3 * N + 2] = -cross * v[2] - s->hinge;
}

static inline double swing_potential(const double *q, void *context) {
    const swing *s = context;
    double total;
    double moment[2] = {0.0};
    double coupling[3] = {0.0};
    swing_sums(s, &total, moment, coupling);
    const double twist = q[3] - q[2] - s->rest_angle;
    return 0.5 * s->spring * (q[0] * q[0] + q[1] * q[1]) + 0.5 * s->torsion * twist * twist +
           s->gravity * (total * q[1] + moment[0] * sin(q[2]) + moment[1] * sin(q[3]));
}

static inline void swing_gaps(const double *q, double *g, void *context) {
    const swing *s = context;
    for (int c = 0; c < CONTACTS; c++) {
        const wall *w = &s->walls[c];
        const double x = q[0] + w->reach[0] * cos(q[2]) + w->reach[1] * cos(q[3]);
        const double y = q[1] + w->reach[0] * sin(q[2]) + w->reach[1] * sin(q[3]);
        g[c] = w->normal[0] * x + w->normal[1] * y - w->offset;
    }
}

/** Rows e.dP/dq for the walls' normals, or for their tangents (n_y, -n_x); or the derivative of
 * that row times v. */
static inline void swing_rows(const swing *s, const double *q, bool is_tangent, const double *v,
                              double *rows) {
    for (int c = 0; c < CONTACTS; c++) {
        const wall *w = &s->walls[c];
        const double e[2] = {is_tangent ? w->normal[1] : w->normal[0],
                             is_tangent ? -w->normal[0] : w->normal[1]};
        double *row = &rows[c * N];
        row[0] = v == NULL ? e[0] : 0.0;
        row[1] = v == NULL ? e[1] : 0.0;
        for (int a = 0; a < 2; a++) {
            const double angle = q[2 + a];
            row[2 + a] = v == NULL
                             ? w->reach[a] * (-e[0] * sin(angle) + e[1] * cos(angle))
                             : -w->reach[a] * (e[0] * cos(angle) + e[1] * sin(angle)) * v[2 + a];
        }
    }
}

static inline void swing_jacobian(const double *q, double *G, void *context) {
    swing_rows(context, q, false, NULL, G);
}

static inline void swing_rate_derivative(const double *q, const double *v, double *D,
                                         void *context) {
    swing_rows(context, q, false, v, D);
}

static inline void swing_tangents(const double *q, double *H, void *context) {
    swing_rows(context, q, true, NULL, H);
}

static inline void swing_tangent_derivative(const double *q, const double *v, double *D,
                                            void *context) {
    swing_rows(context, q, true, v, D);
}

static inline void swing_force_derivative(const double *q, const double *lambda, double *D,
                                          void *context) {
    const double ones[N] = {1.0, 1.0, 1.0, 1.0};
    double rows[CONTACTS * N] = {0.0};
    swing_rows(context, q, false, ones, rows);
    memset(D, 0, N * N * sizeof *D);
    for (int c = 0; c < CONTACTS; c++) {
        D[2 * N + 2] += lambda[c] * rows[c * N + 2];
        D[3 * N + 3] += lambda[c] * rows[c * N + 3];
    }
}

/** The same swing, told by the places of its bodies. */
static inline void swing_place(const long double *q, long double *z, const void *context) {
    const swing *s = context;
    const long double first[2] = {s->length[0] * cosl(q[2]), s->length[0] * sinl(q[2])};
    const long double second[2] = {s->length[1] * cosl(q[3]), s->length[1] * sinl(q[3])};
    for (int i = 0; i < 2; i++) {
        z[i] = q[i];
        z[2 + i] = q[i] + 0.5L * first[i];
        z[4 + i] = q[i] + first[i] + 0.5L * second[i];
        z[6 + i] = q[2 + i];
    }
}

static inline long double swing_energy(const long double *q, const void *context) {
    const swing *s = context;
    long double z[8] = {0.0L};
    swing_place(q, z, context);
    const long double twist = q[3] - q[2] - s->rest_angle;
    return s->gravity * (s->mass[0] * z[1] + s->mass[1] * z[3] + s->mass[2] * z[5]) +
           0.5L * s->spring * (q[0] * q[0] + q[1] * q[1]) + 0.5L * s->torsion * twist * twist;
}

static inline void swing_loads(long double t, const long double *q, const long double *v,
                               long double *f, const void *context) {
    (void)q;
    const swing *s = context;
    f[0] = -s->damping * v[0] + s->drive[0] * cosl(s->omega * t);
    f[1] = -s->damping * v[1];
    f[2] = s->hinge * (v[3] - v[2]) + s->drive[1] * sinl(s->omega * t);
    f[3] = s->hinge * (v[2] - v[3]);
}

static inline void swing_contact(const long double *q, long double *gap, long double *along,
                                 const void *context) {
    const swing *s = context;
    const long double across[2] = {cosl(q[2]), cosl(q[3])};
    const long double up[2] = {sinl(q[2]), sinl(q[3])};
    for (int c = 0; c < CONTACTS; c++) {
        const wall *w = &s->walls[c];
        const long double x = q[0] + w->reach[0] * across[0] + w->reach[1] * across[1];
        const long double y = q[1] + w->reach[0] * up[0] + w->reach[1] * up[1];
        gap[c] = w->normal[0] * x + w->normal[1] * y - w->offset;
        along[c] = w->normal[1] * x - w->normal[0] * y;
    }
}

static inline void bead_mass(const double *q, double *M, void *context) {
    const bead *b = context;
    const double slope = b->height * b->wave * cos(b->wave * q[0]);
    M[0] = (b->mass[0] + b->mass[1]) * (1.0 + slope * slope);
    M[1] = b->mass[1] * b->length * (slope * cos(q[1]) - sin(q[1]));
    M[2] = M[1];
    M[3] = b->mass[1] * b->length * b->length;
}

static inline void bead_mass_derivative(const double *q, const double *a, double *D,
                                        void *context) {
    const bead *b = context;
    const double slope = b->height * b->wave * cos(b->wave * q[0]);
    const double bend = -b->height * b->wave * b->wave * sin(b->wave * q[0]);
    const double lever = b->mass[1] * b->length;
    D[0] = 2.0 * (b->mass[0] + b->mass[1]) * slope * bend * a[0] + lever * bend * cos(q[1]) * a[1];
    D[1] = -lever * (cos(q[1]) + slope * sin(q[1])) * a[1];
    D[2] = lever * bend * cos(q[1]) * a[0];
    D[3] = -lever * (cos(q[1]) + slope * sin(q[1])) * a[0];
}

static inline void bead_force(double t, const double *q, const double *v, double *f,
                              void *context) {
    const bead *b = context;
    const double slope = b->height * b->wave * cos(b->wave * q[0]);
    const double bend = -b->height * b->wave * b->wave * sin(b->wave * q[0]);
    const double total = b->mass[0] + b->mass[1];
    const double lever = b->mass[1] * b->length;
    const double fall = bend * v[0] * v[0] + b->gravity;
    f[0] = -b->spring * q[0] - b->damping[0] * v[0] - total * slope * fall +
           lever * v[1] * v[1] * (cos(q[1]) + slope * sin(q[1]));
    f[1] = b->drive * cos(b->omega * t) - b->damping[1] * v[1] - lever * cos(q[1]) * fall;
}

static inline void bead_stiffness(double t, const double *q, const double *v, double *K,
                                  void *context) {
    (void)t;
    const bead *b = context;
    const double slope = b->height * b->wave * cos(b->wave * q[0]);
    const double bend = -b->height * b->wave * b->wave * sin(b->wave * q[0]);
    const double twist = -b->wave * b->wave * slope;
    const double total = b->mass[0] + b->mass[1];
    const double lever = b->mass[1] * b->length;
    const double fall = bend * v[0] * v[0] + b->gravity;
    K[0] = b->spring + total * (bend * fall + slope * twist * v[0] * v[0]) -
           lever * v[1] * v[1] * bend * sin(q[1]);
    K[1] = lever * v[1] * v[1] * (sin(q[1]) - slope * cos(q[1]));
    K[2] = lever * cos(q[1]) * twist * v[0] * v[0];
    K[3] = -lever * sin(q[1]) * fall;
}

static inline void bead_damping(double t, const double *q, const double *v, double *C,
                                void *context) {
    (void)t;
    const bead *b = context;
    const double slope = b->height * b->wave * cos(b->wave * q[0]);
    const double bend = -b->height * b->wave * b->wave * sin(b->wave * q[0]);
    const double lever = b->mass[1] * b->length;
    C[0] = b->damping[0] + 2.0 * (b->mass[0] + b->mass[1]) * slope * bend * v[0];
    C[1] = -2.0 * lever * v[1] * (cos(q[1]) + slope * sin(q[1]));
    C[2] = 2.0 * lever * cos(q[1]) * bend * v[0];
    C[3] = b->damping[1];
}

static inline double bead_potential(const double *q, void *context) {
    const bead *b = context;
    return b->gravity * ((b->mass[0] + b->mass[1]) * b->height * sin(b->wave * q[0]) +
                         b->mass[1] * b->length * sin(q[1])) +
           0.5 * b->spring * q[0] * q[0];
}

static inline void bead_gaps(const double *q, double *g, void *context) {
    const bead *b = context;
    for (int c = 0; c < CONTACTS; c++) {
        const wall *w = &b->walls[c];
        g[c] = w->normal[0] * (q[0] + w->reach[1] * cos(q[1])) +
               w->normal[1] * (b->height * sin(b->wave * q[0]) + w->reach[1] * sin(q[1])) -
               w->offset;
    }
}

static inline void bead_rows(const bead *b, const double *q, bool is_tangent, const double *v,
                             double *rows) {
    const double slope = b->height * b->wave * cos(b->wave * q[0]);
    const double bend = -b->height * b->wave * b->wave * sin(b->wave * q[0]);
    for (int c = 0; c < CONTACTS; c++) {
        const wall *w = &b->walls[c];
        const double e[2] = {is_tangent ? w->normal[1] : w->normal[0],
                             is_tangent ? -w->normal[0] : w->normal[1]};
        const double reach = w->reach[1];
        rows[2 * c] = v == NULL ? e[0] + e[1] * slope : e[1] * bend * v[0];
        rows[2 * c + 1] = v == NULL ? reach * (e[1] * cos(q[1]) - e[0] * sin(q[1]))
                                    : -reach * (e[0] * cos(q[1]) + e[1] * sin(q[1])) * v[1];
    }
}

static inline void bead_jacobian(const double *q, double *G, void *context) {
    bead_rows(context, q, false, NULL, G);
}

static inline void bead_rate_derivative(const double *q, const double *v, double *D,
                                        void *context) {
    bead_rows(context, q, false, v, D);
}

static inline void bead_tangents(const double *q, double *H, void *context) {
    bead_rows(context, q, true, NULL, H);
}

static inline void bead_tangent_derivative(const double *q, const double *v, double *D,
                                           void *context) {
    bead_rows(context, q, true, v, D);
}

static inline void bead_force_derivative(const double *q, const double *lambda, double *D,
                                         void *context) {
    const double ones[2] = {1.0, 1.0};
    double rows[2 * CONTACTS] = {0.0};
    bead_rows(context, q, false, ones, rows);
    memset(D, 0, 4 * sizeof *D);
    for (int c = 0; c < CONTACTS; c++) {
        D[0] += lambda[c] * rows[2 * c];
        D[3] += lambda[c] * rows[2 * c + 1];
    }
}

static inline void bead_place(const long double *q, long double *z, const void *context) {
    const bead *b = context;
    z[0] = q[0];
    z[1] = b->height * sinl(b->wave * q[0]);
    z[2] = z[0] + b->length * cosl(q[1]);
    z[3] = z[1] + b->length * sinl(q[1]);
}

static inline long double bead_energy(const long double *q, const void *context) {
    const bead *b = context;
    long double z[4] = {0.0L};
    bead_place(q, z, context);
    return b->gravity * (b->mass[0] * z[1] + b->mass[1] * z[3]) + 0.5L * b->spring * q[0] * q[0];
}

static inline void bead_loads(long double t, const long double *q, const long double *v,
                              long double *f, const void *context) {
    (void)q;
    const bead *b = context;
    f[0] = -b->damping[0] * v[0];
    f[1] = -b->damping[1] * v[1] + b->drive * cosl(b->omega * t);
}

static inline void bead_contact(const long double *q, long double *gap, long double *along,
                                const void *context) {
    const bead *b = context;
    const long double curve = b->height * sinl(b->wave * q[0]);
    const long double across = cosl(q[1]);
    const long double up = sinl(q[1]);
    for (int c = 0; c < CONTACTS; c++) {
        const wall *w = &b->walls[c];
        const long double x = q[0] + w->reach[1] * across;
        const long double y = curve + w->reach[1] * up;
        gap[c] = w->normal[0] * x + w->normal[1] * y - w->offset;
        along[c] = w->normal[1] * x - w->normal[0] * y;
    }
}

/** The linear one of random_mechanism.h: z = R q. */
static inline void linear_place(const long double *q, long double *z, const void *context) {
    const twin *both = context;
    const int n = both->linear.shape.coordinates;
    for (int i = 0; i < n; i++) {
        z[i] = 0.0L;
        for (int j = 0; j < n; j++) {
            z[i] += both->factor[i * n + j] * q[j];
        }
    }
}

static inline long double linear_energy(const long double *q, const void *context) {
    const twin *both = context;
    const int n = both->linear.shape.coordinates;
    long double energy = 0.0L;
    for (int i = 0; i < n; i++) {
        energy -= both->linear.f0[i] * q[i];
        for (int j = 0; j < n; j++) {
            energy += 0.5L * both->linear.K0[i * n + j] * q[i] * q[j];
        }
    }
    return energy;
}

static inline void linear_loads(long double t, const long double *q, const long double *v,
                                long double *f, const void *context) {
    (void)q;
    const twin *both = context;
    const int n = both->linear.shape.coordinates;
    for (int i = 0; i < n; i++) {
        f[i] = both->linear.f1[i] * cosl(both->linear.omega * t);
        for (int j = 0; j < n; j++) {
            f[i] -= both->linear.C0[i * n + j] * v[j];
        }
    }
}

static inline void linear_contact(const long double *q, long double *gap, long double *along,
                                  const void *context) {
    const twin *both = context;
    const int n = both->linear.shape.coordinates;
    for (int c = 0; c < CONTACTS; c++) {
        gap[c] = both->linear.offset[c];
        along[c] = 0.0L;
        for (int j = 0; j < n; j++) {
            gap[c] += both->linear.b[c][j] * q[j];
        }
    }
}

static inline void draw_walls(wall *walls, unsigned long seed, double first, double second) {
    const double reach[CONTACTS][2] = {{first, second}, {first, 0.0}, {0.0, 0.4 * second}};
    for (unsigned long c = 0; c < CONTACTS; c++) {
        const double angle = random_in(seed, 80 + c, 0.3, 2.8);
        walls[c] = (wall){{cos(angle), sin(angle)}, 0.0, {reach[c][0], reach[c][1]}};
    }
}

static inline void become_swing(twin *both, unsigned long seed) {
    both->swing = (swing){
        .mass = {random_in(seed, 1, 0.9, 2.1), random_in(seed, 2, 0.4, 1.3),
                 random_in(seed, 3, 0.3, 1.2)},
        .length = {random_in(seed, 4, 0.6, 1.2), random_in(seed, 5, 0.5, 1.1)},
        .spin = {random_in(seed, 6, 0.02, 0.1), random_in(seed, 7, 0.02, 0.1)},
        .gravity = random_in(seed, 8, 7.0, 12.0),
        .spring = random_in(seed, 9, 5.0, 40.0),
        .torsion = random_in(seed, 10, 2.0, 9.0),
        .rest_angle = random_in(seed, 11, -0.7, 0.7),
        .damping = random_in(seed, 12, 0.1, 0.8),
        .hinge = random_in(seed, 13, 0.05, 0.4),
        .drive = {random_in(seed, 14, 2.0, 9.0), random_in(seed, 15, 1.0, 4.0)},
        .omega = random_in(seed, 16, 3.0, 11.0),
    };
    const swing *s = &both->swing;
    draw_walls(both->swing.walls, seed, s->length[0], s->length[1]);
    both->mechanism.mass = swing_mass;
    both->mechanism.mass_derivative = swing_mass_derivative;
    both->mechanism.force = swing_force;
    both->mechanism.stiffness = swing_stiffness;
    both->mechanism.damping = swing_damping;
    both->mechanism.potential_energy = swing_potential;
    both->mechanism.constraints = swing_gaps;
    both->mechanism.constraint_jacobian = swing_jacobian;
    both->mechanism.constraint_force_derivative = swing_force_derivative;
    both->mechanism.constraint_rate_derivative = swing_rate_derivative;
    both->mechanism.tangential_jacobian = swing_tangents;
    both->mechanism.tangential_rate_derivative = swing_tangent_derivative;
    both->mechanism.context = &both->swing;
    both->reference = (discrete_system){
        .coordinates = 4,
        .inertias = 8,
        .inertia = {s->mass[0], s->mass[0], s->mass[1], s->mass[1], s->mass[2], s->mass[2],
                    s->spin[0], s->spin[1]},
        .place = swing_place,
        .potential = swing_energy,
        .force = swing_loads,
        .contact = swing_contact,
        .context = &both->swing,
    };
}

static inline void become_bead(twin *both, unsigned long seed) {
    both->bead = (bead){
        .mass = {random_in(seed, 1, 0.7, 2.1), random_in(seed, 2, 0.4, 1.3)},
        .length = random_in(seed, 3, 0.5, 1.1),
        .height = random_in(seed, 4, 0.2, 0.6),
        .wave = random_in(seed, 5, 0.7, 1.6),
        .gravity = random_in(seed, 6, 7.0, 12.0),
        .spring = random_in(seed, 7, 5.0, 30.0),
        .damping = {random_in(seed, 8, 0.1, 0.8), random_in(seed, 9, 0.05, 0.4)},
        .drive = random_in(seed, 10, 1.0, 4.0),
        .omega = random_in(seed, 11, 3.0, 11.0),
    };
    const bead *b = &both->bead;
    draw_walls(both->bead.walls, seed, 0.0, b->length);
    both->mechanism.mass = bead_mass;
    both->mechanism.mass_derivative = bead_mass_derivative;
    both->mechanism.force = bead_force;
    both->mechanism.stiffness = bead_stiffness;
    both->mechanism.damping = bead_damping;
    both->mechanism.potential_energy = bead_potential;
    both->mechanism.constraints = bead_gaps;
    both->mechanism.constraint_jacobian = bead_jacobian;
    both->mechanism.constraint_force_derivative = bead_force_derivative;
    both->mechanism.constraint_rate_derivative = bead_rate_derivative;
    both->mechanism.tangential_jacobian = bead_tangents;
    both->mechanism.tangential_rate_derivative = bead_tangent_derivative;
    both->mechanism.context = &both->bead;
    both->reference = (discrete_system){
        .coordinates = 2,
        .inertias = 4,
        .inertia = {b->mass[0], b->mass[0], b->mass[1], b->mass[1]},
        .place = bead_place,
        .potential = bead_energy,
        .force = bead_loads,
        .contact = bead_contact,
        .context = &both->bead,
    };
}

static inline void become_linear(twin *both, unsigned long seed) {
    const random_shape shape = {.coordinates = 3 + (int)(seed % 2),
                                .contacts = CONTACTS,
                                .is_linear = true,
                                .is_banded = seed % 3 == 0,
                                .has_damping = true,
                                .largest_gap = 1.0};
    gsl_rng *generator = seeded_generator(seed);
    random_mechanism_init(&both->linear, &shape, generator);
    gsl_rng_free(generator);
    both->mechanism = both->linear.mechanism;
    const int n = shape.coordinates;
    // M = R'R, R above its diagonal
    memset(both->factor, 0, sizeof both->factor);
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            double sum = both->linear.M0[i * n + j];
            for (int k = 0; k < i; k++) {
                sum -= both->factor[k * n + i] * both->factor[k * n + j];
            }
            both->factor[i * n + j] = j == i ? sqrt(sum) : sum / both->factor[i * n + i];
        }
    }
    both->reference = (discrete_system){
        .coordinates = n,
        .inertias = n,
        .inertia = {1.0L, 1.0L, 1.0L, 1.0L},
        .place = linear_place,
        .potential = linear_energy,
        .force = linear_loads,
        .contact = linear_contact,
        .context = both,
    };
}

/** A random system with a random state; all contacts far open. It must not move. */
static inline void twin_init(twin *both, int kind, unsigned long seed) {
    memset(both, 0, sizeof *both);
    both->kind = kind;
    both->mechanism = (carom_mechanism){.name = "twin",
                                        .coordinate_count = kind == 0 ? 4 : 2,
                                        .layout = carom_layout_full(kind == 0 ? 4 : 2),
                                        .position_units = "m",
                                        .velocity_units = "m s-1",
                                        .contact_count = CONTACTS,
                                        .restitution = both->restitution,
                                        .friction = both->friction,
                                        .tangent_count = 1};
    if (kind == 0) {
        become_swing(both, seed);
    } else if (kind == 1) {
        become_bead(both, seed);
    } else {
        become_linear(both, seed);
    }
    both->reference.contacts = CONTACTS;
    for (unsigned long i = 0; i < (unsigned long)both->reference.coordinates; i++) {
        const bool is_angle = (kind == 0 && i >= 2) || (kind == 1 && i == 1);
        both->q[i] = random_in(seed, 60 + i, -0.5, 0.5) - (is_angle ? 1.2 : 0.0);
        both->v[i] = random_in(seed, 70 + i, -2.0, 2.0);
    }
    for (int c = 0; c < CONTACTS; c++) {
        wall *w = kind == 0 ? &both->swing.walls[c] : &both->bead.walls[c];
        w->offset = -100.0;
        both->linear.offset[c] = 100.0;
    }
}

static inline void set_friction(twin *both, int contact, double mu) {
    both->friction[contact] = mu;
    both->reference.friction[contact] = mu;
}

/** Let contact c have this gap at q. */
static inline void set_gap(twin *both, int c, const long double *q, double gap) {
    long double now[CONTACTS] = {0.0L};
    long double along[CONTACTS] = {0.0L};
    both->reference.contact(q, now, along, both->reference.context);
    if (both->kind == 2) {
        both->linear.offset[c] += gap - (double)now[c];
    } else {
        wall *w = both->kind == 0 ? &both->swing.walls[c] : &both->bead.walls[c];
        w->offset += (double)now[c] - gap;
    }
}

/** The other side of the wall. */
static inline void turn_wall(twin *both, int c) {
    wall *w = both->kind == 0 ? &both->swing.walls[c] : &both->bead.walls[c];
    w->normal[0] = -w->normal[0];
    w->normal[1] = -w->normal[1];
    for (int j = 0; both->kind == 2 && j < both->reference.coordinates; j++) {
        both->linear.b[c][j] = -both->linear.b[c][j];
    }
}

/** State of the reference: p = M v. */
static inline discrete_state state_of(const discrete_system *system, double t, const double *q,
                                      const double *v) {
    const int n = system->coordinates;
    discrete_state state = {.time = t};
    long double M[DISCRETE_COORDINATES * DISCRETE_COORDINATES] = {0.0L};
    for (int i = 0; i < n; i++) {
        state.q[i] = q[i];
    }
    discrete_mass(system, state.q, M);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            state.p[i] += M[i * n + j] * v[j];
        }
    }
    return state;
}

static inline double speed_of(const twin *both, const discrete_state *state, int c) {
    const int n = both->reference.coordinates;
    long double v[DISCRETE_COORDINATES] = {0.0L};
    long double normal[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    long double tangent[DISCRETE_CONTACTS * DISCRETE_COORDINATES] = {0.0L};
    discrete_velocity(&both->reference, state->q, state->p, v);
    discrete_normals(&both->reference, state->q, normal, tangent);
    return (double)discrete_dot(n, &normal[c * n], v);
}

static inline void assert_state(const discrete_state *expected, int n, const double *q,
                                const double *p, double tolerance) {
    const double size = (double)discrete_largest(n, expected->p);
    for (int i = 0; i < n; i++) {
        assert_close(q[i], (double)expected->q[i], tolerance, tolerance);
        assert_close(p[i], (double)expected->p[i], tolerance, tolerance * size);
    }
}

static inline void set_restitution(twin *both, double R) {
    for (int i = 0; i < CONTACTS; i++) {
        both->restitution[i] = R;
    }
    both->mechanism.restitution = both->restitution;
}

static inline carom_variational_stepper *stepper_of(twin *both, double t, double h, int order,
                                                    double R) {
    carom_variational_params params = carom_variational_params_default();
    set_restitution(both, R);
    params.step = h;
    params.impacts_without_friction = true;
    params.rule =
        order < 0 ? CAROM_PROPAGATIVE_MOST_APPROACHING : CAROM_PROPAGATIVE_LEAST_APPROACHING;
    carom_variational_stepper *stepper;
    assert_ok(carom_variational_stepper_alloc(&both->mechanism, &params, &stepper, NULL));
    assert_ok(carom_variational_stepper_start(stepper, t, both->q, both->v, NULL, NULL));
    return stepper;
}

#endif
