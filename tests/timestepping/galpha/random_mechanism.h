/** Small mechanisms with random coefficients: every term that a scheme may meet, none of them zero
 * or one. */
#ifndef CAROM_TESTS_TIMESTEPPING_RANDOM_MECHANISM_H
#define CAROM_TESTS_TIMESTEPPING_RANDOM_MECHANISM_H

#include <carom/mechanism/mechanism.h>

#include "../../support.h"

#include <math.h>
#include <string.h>

enum {
    RANDOM_MAX_COORDINATES = 4,
    RANDOM_MAX_CONSTRAINTS = 8,
    RANDOM_MAX_ENTRIES = RANDOM_MAX_COORDINATES * (2 * RANDOM_MAX_COORDINATES - 1)
};

/** What a random mechanism shall look like. */
typedef struct random_shape {
    int coordinates;     /**< n, 1 .. RANDOM_MAX_COORDINATES */
    int joints;          /**< n_b < n */
    int contacts;        /**< n_u */
    bool is_linear;      /**< constant M, K, C, G */
    bool is_banded;      /**< banded storage of half bandwidth n-1 (holds everything) */
    bool has_damping;    /**< C nonzero */
    double closed_share; /**< probability that a contact starts with gap zero */
    double largest_gap;  /**< open contacts start with a gap below this, m */
} random_shape;

/**
 * M(q) = M0 + m_w (1.3 + sin(k q)) w w';
 * f = f0 + f1 cos(omega t) - K0 q - s sin(u q) u - C0 v - (c (p v) + x (u q)) (p v) p;
 * g^j(q) = b_j q + s_j sin(c_j q) + d_j.
 * The struct is its mechanism's context and must not move.
 */
typedef struct random_mechanism {
    carom_mechanism mechanism;
    random_shape shape;
    double M0[RANDOM_MAX_COORDINATES * RANDOM_MAX_COORDINATES];
    double mass_wave;
    double w[RANDOM_MAX_COORDINATES];
    double k[RANDOM_MAX_COORDINATES];
    double f0[RANDOM_MAX_COORDINATES];
    double f1[RANDOM_MAX_COORDINATES];
    double omega;
    double K0[RANDOM_MAX_COORDINATES * RANDOM_MAX_COORDINATES];
    double s;
    double u[RANDOM_MAX_COORDINATES];
    double C0[RANDOM_MAX_COORDINATES * RANDOM_MAX_COORDINATES];
    double c;
    double x;
    double p[RANDOM_MAX_COORDINATES];
    double b[RANDOM_MAX_CONSTRAINTS][RANDOM_MAX_COORDINATES];
    double wave[RANDOM_MAX_CONSTRAINTS];
    double wave_vector[RANDOM_MAX_CONSTRAINTS][RANDOM_MAX_COORDINATES];
    double offset[RANDOM_MAX_CONSTRAINTS];
    double restitution[RANDOM_MAX_CONSTRAINTS];
    double q0[RANDOM_MAX_COORDINATES];
    double v0[RANDOM_MAX_COORDINATES];
} random_mechanism;

static inline double random_dot(int n, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/** Write entry (i,j) of a matrix in the mechanism's storage. */
static inline void random_put(const random_mechanism *r, double *A, int i, int j, double value) {
    A[carom_layout_index(r->mechanism.layout, i, j)] = value;
}

static inline void random_clear(const random_mechanism *r, double *A) {
    memset(A, 0, carom_layout_entry_count(r->mechanism.layout) * sizeof *A);
}

static inline void random_mass(const double *q, double *M, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double scale = r->mass_wave * (1.3 + sin(random_dot(n, r->k, q)));
    random_clear(r, M);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            random_put(r, M, i, j, r->M0[i * n + j] + scale * r->w[i] * r->w[j]);
        }
    }
}

static inline void random_mass_derivative(const double *q, const double *a, double *D,
                                          void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double slope = r->mass_wave * cos(random_dot(n, r->k, q)) * random_dot(n, r->w, a);
    random_clear(r, D);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            random_put(r, D, i, j, slope * r->w[i] * r->k[j]);
        }
    }
}

static inline void random_force(double t, const double *q, const double *v, double *f,
                                void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double uq = random_dot(n, r->u, q);
    const double pv = random_dot(n, r->p, v);
    for (int i = 0; i < n; i++) {
        f[i] = r->f0[i] + r->f1[i] * cos(r->omega * t) - random_dot(n, &r->K0[i * n], q) -
               r->s * sin(uq) * r->u[i] - random_dot(n, &r->C0[i * n], v) -
               (r->c * pv + r->x * uq) * pv * r->p[i];
    }
}

static inline void random_stiffness(double t, const double *q, const double *v, double *K,
                                    void *context) {
    (void)t;
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double wave = r->s * cos(random_dot(n, r->u, q));
    const double cross = r->x * random_dot(n, r->p, v);
    random_clear(r, K);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            random_put(r, K, i, j,
                       r->K0[i * n + j] + wave * r->u[i] * r->u[j] + cross * r->p[i] * r->u[j]);
        }
    }
}

static inline void random_damping(double t, const double *q, const double *v, double *C,
                                  void *context) {
    (void)t;
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double slope = 2.0 * r->c * random_dot(n, r->p, v) + r->x * random_dot(n, r->u, q);
    random_clear(r, C);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            random_put(r, C, i, j, r->C0[i * n + j] + slope * r->p[i] * r->p[j]);
        }
    }
}

/** The quadratic part only: enough for the steppers, which never read it, and for linear runs. */
static inline double random_potential_energy(const double *q, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    double energy = -random_dot(n, r->f0, q);
    for (int i = 0; i < n; i++) {
        energy += 0.5 * q[i] * random_dot(n, &r->K0[i * n], q);
    }
    return energy;
}

static inline void random_constraints(const double *q, double *g, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    for (int j = 0; j < r->shape.joints + r->shape.contacts; j++) {
        g[j] = random_dot(n, r->b[j], q) + r->wave[j] * sin(random_dot(n, r->wave_vector[j], q)) +
               r->offset[j];
    }
}

static inline void random_constraint_jacobian(const double *q, double *G, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    for (int j = 0; j < r->shape.joints + r->shape.contacts; j++) {
        const double slope = r->wave[j] * cos(random_dot(n, r->wave_vector[j], q));
        for (int i = 0; i < n; i++) {
            G[j * n + i] = r->b[j][i] + slope * r->wave_vector[j][i];
        }
    }
}

static inline void random_constraint_force_derivative(const double *q, const double *lambda,
                                                      double *D, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    double sum[RANDOM_MAX_COORDINATES * RANDOM_MAX_COORDINATES] = {0.0};
    for (int row = 0; row < r->shape.joints + r->shape.contacts; row++) {
        const double *c = r->wave_vector[row];
        const double curvature = -r->wave[row] * sin(random_dot(n, c, q)) * lambda[row];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                sum[i * n + j] += curvature * c[i] * c[j];
            }
        }
    }
    random_clear(r, D);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            random_put(r, D, i, j, sum[i * n + j]);
        }
    }
}

static inline void random_constraint_rate_derivative(const double *q, const double *v, double *D,
                                                     void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    for (int row = 0; row < r->shape.joints + r->shape.contacts; row++) {
        const double *c = r->wave_vector[row];
        const double curvature = -r->wave[row] * sin(random_dot(n, c, q)) * random_dot(n, c, v);
        for (int i = 0; i < n; i++) {
            D[row * n + i] = curvature * c[i];
        }
    }
}

static inline void random_vector(gsl_rng *generator, int n, double size, double *a) {
    for (int i = 0; i < n; i++) {
        a[i] = uniform(generator, -size, size);
    }
}

/** A = floor I + size B B' / n with B uniform: symmetric positive definite. */
static inline void random_spd(gsl_rng *generator, int n, double floor, double size, double *A) {
    double B[RANDOM_MAX_COORDINATES * RANDOM_MAX_COORDINATES] = {0.0};
    random_vector(generator, n * n, 1.0, B);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * n + j] = size * random_dot(n, &B[i * n], &B[j * n]) / n;
        }
        A[i * n + i] += floor;
    }
}

static inline void random_draw_dynamics(random_mechanism *r, gsl_rng *generator) {
    const int n = r->shape.coordinates;
    const bool is_linear = r->shape.is_linear;
    random_spd(generator, n, uniform(generator, 0.6, 1.7), 1.3, r->M0);
    random_vector(generator, n, 0.9, r->w);
    random_vector(generator, n, 1.4, r->k);
    r->mass_wave = is_linear ? 0.0 : uniform(generator, 0.1, 0.5);
    random_vector(generator, n, 12.0, r->f0);
    random_vector(generator, n, 3.0, r->f1);
    r->omega = uniform(generator, 1.0, 9.0);
    random_spd(generator, n, 2.3, 40.0, r->K0);
    random_vector(generator, n, 1.2, r->u);
    r->s = is_linear ? 0.0 : uniform(generator, -7.0, 7.0);
    random_spd(generator, n, 0.07, 0.9, r->C0);
    random_vector(generator, n, 0.8, r->p);
    r->c = is_linear ? 0.0 : uniform(generator, -0.3, 0.3);
    r->x = is_linear ? 0.0 : uniform(generator, -0.4, 0.4);
    if (!r->shape.has_damping) {
        memset(r->C0, 0, sizeof r->C0);
        r->c = 0.0;
        r->x = 0.0;
    }
}

/** Constraints through q0: joints closed, contacts closed or slightly open; v0 respects the joints.
 */
static inline void random_draw_constraints(random_mechanism *r, gsl_rng *generator) {
    const int n = r->shape.coordinates;
    const int m = r->shape.joints + r->shape.contacts;
    random_vector(generator, n, 0.6, r->q0);
    random_vector(generator, n, 2.5, r->v0);
    for (int j = 0; j < m; j++) {
        random_vector(generator, n, 0.7, r->b[j]);
        r->b[j][j % n] += uniform(generator, 0.0, 1.0) < 0.5 ? 1.1 : -1.1;
        random_vector(generator, n, 1.5, r->wave_vector[j]);
        r->wave[j] = r->shape.is_linear ? 0.0 : uniform(generator, -0.25, 0.25);
        r->restitution[j] = uniform(generator, 0.0, 1.0);
    }
    double g[RANDOM_MAX_CONSTRAINTS] = {0.0};
    random_constraints(r->q0, g, r);
    for (int j = 0; j < m; j++) {
        const bool is_closed =
            j < r->shape.joints || uniform(generator, 0.0, 1.0) < r->shape.closed_share;
        r->offset[j] = (is_closed ? 0.0 : uniform(generator, 0.0, r->shape.largest_gap)) - g[j];
    }
    // remove from v0 what the joints forbid, by orthonormalising their gradients
    double G[RANDOM_MAX_CONSTRAINTS * RANDOM_MAX_COORDINATES] = {0.0};
    random_constraint_jacobian(r->q0, G, r);
    for (int j = 0; j < r->shape.joints; j++) {
        for (int i = 0; i < j; i++) {
            const double overlap = random_dot(n, &G[j * n], &G[i * n]);
            for (int k = 0; k < n; k++) {
                G[j * n + k] -= overlap * G[i * n + k];
            }
        }
        const double length = sqrt(random_dot(n, &G[j * n], &G[j * n]));
        for (int k = 0; k < n; k++) {
            G[j * n + k] /= length;
        }
        const double rate = random_dot(n, &G[j * n], r->v0);
        for (int k = 0; k < n; k++) {
            r->v0[k] -= rate * G[j * n + k];
        }
    }
}

/** Draw a mechanism of a shape. */
static inline void random_mechanism_init(random_mechanism *r, const random_shape *shape,
                                         gsl_rng *generator) {
    memset(r, 0, sizeof *r);
    r->shape = *shape;
    const int n = shape->coordinates;
    carom_mechanism *mechanism = &r->mechanism;
    mechanism->name = "random";
    mechanism->coordinate_count = n;
    mechanism->joint_count = shape->joints;
    mechanism->contact_count = shape->contacts;
    mechanism->layout = shape->is_banded ? carom_layout_banded(n, n - 1) : carom_layout_full(n);
    mechanism->is_linear = shape->is_linear;
    mechanism->position_units = "m";
    mechanism->velocity_units = "m s-1";
    mechanism->restitution = &r->restitution[shape->joints];
    mechanism->mass = random_mass;
    mechanism->mass_derivative = shape->is_linear ? NULL : random_mass_derivative;
    mechanism->force = random_force;
    mechanism->stiffness = random_stiffness;
    mechanism->damping = shape->has_damping ? random_damping : NULL;
    mechanism->potential_energy = random_potential_energy;
    if (shape->joints + shape->contacts > 0) {
        mechanism->constraints = random_constraints;
        mechanism->constraint_jacobian = random_constraint_jacobian;
        mechanism->constraint_force_derivative =
            shape->is_linear ? NULL : random_constraint_force_derivative;
        mechanism->constraint_rate_derivative =
            shape->is_linear ? NULL : random_constraint_rate_derivative;
    }
    mechanism->context = r;
    random_draw_dynamics(r, generator);
    random_draw_constraints(r, generator);
}

#endif
