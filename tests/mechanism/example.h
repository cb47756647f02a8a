/** Two mechanisms in which nothing is zero or one by accident, and into which errors are planted.
 */
#ifndef CAROM_TESTS_MECHANISM_EXAMPLE_H
#define CAROM_TESTS_MECHANISM_EXAMPLE_H

#include <carom/mechanism/mechanism.h>

#include <math.h>
#include <string.h>

enum { CURVED_SIZE = 3, CURVED_CONSTRAINTS = 2, CHAIN_SIZE = 6 };

/**
 * A mechanism and the error planted into it: `wrong_by` is added to entry (row, column) of the
 * member of that name. The struct is its mechanism's context and must not move.
 */
typedef struct example {
    carom_mechanism mechanism;
    double restitution;
    double friction[2];
    double unit; /**< factor on M, f, K, C: another unit of mass */
    const char *wrong_member;
    int wrong_row;
    int wrong_column;
    double wrong_by;
} example;

static inline bool is_wrong(const example *self, const char *member) {
    return self->wrong_member != NULL && strcmp(self->wrong_member, member) == 0;
}

/** Plant the error into a full matrix of `columns` columns. */
static inline void plant(const example *self, const char *member, int columns, double *A) {
    if (is_wrong(self, member)) {
        A[self->wrong_row * columns + self->wrong_column] += self->wrong_by;
    }
}

static inline void scale_entries(int count, double factor, double *A) {
    for (int i = 0; i < count; i++) {
        A[i] *= factor;
    }
}

/* Three coordinates, full storage, one joint and one contact, everything nonlinear. */

static inline void curved_mass(const double *q, double *M, void *context) {
    const example *self = context;
    const double matrix[9] = {
        2.3 + q[1] * q[1],
        0.3 * q[0] * q[2],
        0.1, /* row 0 */
        0.3 * q[0] * q[2],
        1.7 + 0.2 * cos(q[0]),
        0.0, /* row 1 */
        0.1,
        0.0,
        1.1 + 0.4 * q[2] * q[2],
    };
    memcpy(M, matrix, sizeof(matrix));
    scale_entries(9, self->unit, M);
    plant(self, "mass", 3, M);
}

static inline void curved_mass_derivative(const double *q, const double *a, double *D,
                                          void *context) {
    const example *self = context;
    const double matrix[9] = {
        0.3 * q[2] * a[1],
        2.0 * q[1] * a[0],
        0.3 * q[0] * a[1], /* row 0 */
        0.3 * q[2] * a[0] - 0.2 * sin(q[0]) * a[1],
        0.0,
        0.3 * q[0] * a[0], /* row 1 */
        0.0,
        0.0,
        0.8 * q[2] * a[2],
    };
    memcpy(D, matrix, sizeof(matrix));
    scale_entries(9, self->unit, D);
    plant(self, "mass_derivative", 3, D);
}

static inline void curved_force(double t, const double *q, const double *v, double *f,
                                void *context) {
    const example *self = context;
    f[0] = -5.1 * q[0] - 0.7 * q[0] * q[0] * q[0] - 0.31 * v[0] + 0.13 * sin(t);
    f[1] = -2.3 * sin(q[1] - q[0]) - 0.4 * v[1] * v[1] * v[1];
    f[2] = -1.9 * q[2] * q[1] - 0.21 * v[2] * v[0];
    scale_entries(3, self->unit, f);
    if (is_wrong(self, "force")) {
        f[self->wrong_row] += self->wrong_by;
    }
}

static inline void curved_stiffness(double t, const double *q, const double *v, double *K,
                                    void *context) {
    (void)t;
    (void)v;
    const example *self = context;
    const double slope = 2.3 * cos(q[1] - q[0]);
    const double matrix[9] = {
        5.1 + 2.1 * q[0] * q[0],
        0.0,
        0.0, /* row 0 */
        -slope,
        slope,
        0.0, /* row 1 */
        0.0,
        1.9 * q[2],
        1.9 * q[1],
    };
    memcpy(K, matrix, sizeof(matrix));
    scale_entries(9, self->unit, K);
    plant(self, "stiffness", 3, K);
}

static inline void curved_damping(double t, const double *q, const double *v, double *C,
                                  void *context) {
    (void)t;
    (void)q;
    const example *self = context;
    const double matrix[9] = {
        0.31,        0.0,
        0.0, /* row 0 */
        0.0,         1.2 * v[1] * v[1],
        0.0, /* row 1 */
        0.21 * v[2], 0.0,
        0.21 * v[0],
    };
    memcpy(C, matrix, sizeof(matrix));
    scale_entries(9, self->unit, C);
    plant(self, "damping", 3, C);
}

static inline double curved_potential_energy(const double *q, void *context) {
    const example *self = context;
    const double energy = 2.55 * q[0] * q[0] + 0.175 * q[0] * q[0] * q[0] * q[0];
    return is_wrong(self, "potential_energy") ? self->wrong_by : self->unit * energy;
}

static inline void curved_constraints(const double *q, double *g, void *context) {
    const example *self = context;
    g[0] = q[0] - 0.7 * cos(q[1]) + 0.2 * q[2] * q[2];
    g[1] = q[2] + sin(q[0] * q[1]) + 3.0;
    if (is_wrong(self, "constraints")) {
        g[self->wrong_row] += self->wrong_by;
    }
}

static inline void curved_jacobian(const double *q, double *G, void *context) {
    const double cosine = cos(q[0] * q[1]);
    const double matrix[6] = {
        1.0,           0.7 * sin(q[1]), 0.4 * q[2], /* joint */
        q[1] * cosine, q[0] * cosine,   1.0,
    };
    memcpy(G, matrix, sizeof(matrix));
    plant(context, "constraint_jacobian", 3, G);
}

static inline void curved_force_derivative(const double *q, const double *lambda, double *D,
                                           void *context) {
    const double p = q[0] * q[1];
    const double mixed = lambda[1] * (cos(p) - p * sin(p));
    const double matrix[9] = {
        -lambda[1] * q[1] * q[1] * sin(p),
        mixed,
        0.0, /* row 0 */
        mixed,
        0.7 * lambda[0] * cos(q[1]) - lambda[1] * q[0] * q[0] * sin(p),
        0.0, /* row 1 */
        0.0,
        0.0,
        0.4 * lambda[0],
    };
    memcpy(D, matrix, sizeof(matrix));
    plant(context, "constraint_force_derivative", 3, D);
}

static inline void curved_rate_derivative(const double *q, const double *v, double *D,
                                          void *context) {
    const double p = q[0] * q[1];
    const double mixed = cos(p) - p * sin(p);
    const double matrix[6] = {
        0.0,
        0.7 * cos(q[1]) * v[1],
        0.4 * v[2], /* joint */
        -q[1] * q[1] * sin(p) * v[0] + mixed * v[1],
        mixed * v[0] - q[0] * q[0] * sin(p) * v[1],
        0.0,
    };
    memcpy(D, matrix, sizeof(matrix));
    plant(context, "constraint_rate_derivative", 3, D);
}

static inline void curved_tangential_jacobian(const double *q, double *H, void *context) {
    const double matrix[6] = {
        0.6 * q[1] * q[2],  0.35,        cos(q[0]), /* first tangent */
        -0.8 * q[0] * q[0], q[0] + q[2], sin(q[1] - 0.4 * q[2]),
    };
    memcpy(H, matrix, sizeof(matrix));
    plant(context, "tangential_jacobian", 3, H);
}

static inline void curved_tangential_rate_derivative(const double *q, const double *v, double *D,
                                                     void *context) {
    const double slope = cos(q[1] - 0.4 * q[2]);
    const double matrix[6] = {
        -sin(q[0]) * v[2],        0.6 * q[2] * v[0], 0.6 * q[1] * v[0], /* first tangent */
        v[1] - 1.6 * q[0] * v[0], slope * v[2],      v[1] - 0.4 * slope * v[2],
    };
    memcpy(D, matrix, sizeof(matrix));
    plant(context, "tangential_rate_derivative", 3, D);
}

/** The support of the joint swings, that of the contact runs away and sideways. */
static inline void curved_offset(double t, double *s, void *context) {
    const example *self = context;
    s[0] = 0.4 * sin(2.3 * t);
    s[1] = -0.7 * t * t;
    if (is_wrong(self, "constraint_offset")) {
        s[self->wrong_row] += self->wrong_by;
    }
}

static inline void curved_constraint_velocity(double t, double *w, void *context) {
    w[0] = 0.92 * cos(2.3 * t);
    w[1] = -1.4 * t;
    w[2] = 0.6;
    w[3] = -0.8 * t;
    plant(context, "constraint_velocity", 1, w);
}

static inline void curved_make(example *self) {
    memset(self, 0, sizeof(*self));
    self->restitution = 0.43;
    self->friction[0] = 0.71;
    self->friction[1] = 1.24;
    self->unit = 1.0;
    self->mechanism = (carom_mechanism){
        .name = "curved",
        .coordinate_count = CURVED_SIZE,
        .joint_count = 1,
        .contact_count = 1,
        .layout = carom_layout_full(CURVED_SIZE),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = &self->restitution,
        .friction = self->friction,
        .tangent_count = 2,
        .mass = curved_mass,
        .mass_derivative = curved_mass_derivative,
        .force = curved_force,
        .stiffness = curved_stiffness,
        .damping = curved_damping,
        .potential_energy = curved_potential_energy,
        .constraints = curved_constraints,
        .constraint_jacobian = curved_jacobian,
        .constraint_force_derivative = curved_force_derivative,
        .constraint_rate_derivative = curved_rate_derivative,
        .tangential_jacobian = curved_tangential_jacobian,
        .tangential_rate_derivative = curved_tangential_rate_derivative,
        .constraint_offset = curved_offset,
        .constraint_velocity = curved_constraint_velocity,
        .context = self,
    };
}

/* Six coordinates in a row, tridiagonal, one contact, linear; the corners of the bands hold NaN. */

static inline void chain_fill(double diagonal, double coupling, double *A) {
    for (int i = 0; i < CHAIN_SIZE; i++) {
        double *row = A + (size_t)3 * (size_t)i;
        row[0] = i > 0 ? coupling : (double)NAN;
        row[1] = diagonal;
        row[2] = i < CHAIN_SIZE - 1 ? coupling : (double)NAN;
    }
}

/** A planted error is an entry that follows the state: `wrong_by` times `amount`. */
static inline void chain_plant(const example *self, const char *member, double amount, double *A) {
    if (is_wrong(self, member)) {
        const int offset = self->wrong_column - self->wrong_row + 1;
        A[3 * self->wrong_row + offset] += self->wrong_by * amount;
    }
}

static inline void chain_mass(const double *q, double *M, void *context) {
    chain_fill(2.7, 0.35, M);
    chain_plant(context, "mass", q[1], M);
}

static inline void chain_force(double t, const double *q, const double *v, double *f,
                               void *context) {
    const example *self = context;
    for (int i = 0; i < CHAIN_SIZE; i++) {
        f[i] = 0.9 * cos(t) - 7.4 * q[i] - 0.62 * v[i];
        f[i] += i > 0 ? 3.1 * q[i - 1] + 0.17 * v[i - 1] : 0.0;
        f[i] += i < CHAIN_SIZE - 1 ? 3.1 * q[i + 1] + 0.17 * v[i + 1] : 0.0;
    }
    if (is_wrong(self, "force")) {
        f[self->wrong_row] += self->wrong_by * q[self->wrong_column] * q[self->wrong_column];
    } else if (is_wrong(self, "band")) {
        f[self->wrong_row] += self->wrong_by * q[self->wrong_column];
    }
}

static inline void chain_stiffness(double t, const double *q, const double *v, double *K,
                                   void *context) {
    (void)t;
    (void)v;
    chain_fill(7.4, -3.1, K);
    chain_plant(context, "stiffness", q[0], K);
}

static inline void chain_damping(double t, const double *q, const double *v, double *C,
                                 void *context) {
    (void)q;
    (void)v;
    chain_fill(0.62, -0.17, C);
    chain_plant(context, "damping", sin(t), C);
}

static inline double chain_potential_energy(const double *q, void *context) {
    (void)context;
    double energy = 0.0;
    for (int i = 0; i < CHAIN_SIZE; i++) {
        energy += 3.7 * q[i] * q[i] - (i > 0 ? 3.1 * q[i] * q[i - 1] : 0.0);
    }
    return energy;
}

static inline void chain_constraints(const double *q, double *g, void *context) {
    const example *self = context;
    g[0] = 1.3 * q[0] - 0.8 * q[4] + 0.4;
    if (is_wrong(self, "constraints")) {
        g[0] += self->wrong_by * q[1] * q[1];
    }
}

static inline void chain_jacobian(const double *q, double *G, void *context) {
    const example *self = context;
    const double row[CHAIN_SIZE] = {1.3, 0.0, 0.0, 0.0, -0.8, 0.0};
    memcpy(G, row, sizeof(row));
    if (is_wrong(self, "constraint_jacobian")) {
        G[self->wrong_column] += self->wrong_by * q[3];
    }
}

static inline void chain_tangential_jacobian(const double *q, double *H, void *context) {
    const example *self = context;
    const double row[CHAIN_SIZE] = {0.0, 0.7, 0.0, -1.6, 0.0, 0.25};
    memcpy(H, row, sizeof(row));
    if (is_wrong(self, "tangential_jacobian")) {
        H[self->wrong_column] += self->wrong_by * q[2];
    }
}

static inline void chain_make(example *self) {
    memset(self, 0, sizeof(*self));
    self->restitution = 0.43;
    self->unit = 1.0;
    self->mechanism = (carom_mechanism){
        .name = "chain",
        .coordinate_count = CHAIN_SIZE,
        .contact_count = 1,
        .layout = carom_layout_banded(CHAIN_SIZE, 1),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = &self->restitution,
        .tangent_count = 1,
        .mass = chain_mass,
        .force = chain_force,
        .stiffness = chain_stiffness,
        .damping = chain_damping,
        .potential_energy = chain_potential_energy,
        .constraints = chain_constraints,
        .constraint_jacobian = chain_jacobian,
        .tangential_jacobian = chain_tangential_jacobian,
        .context = self,
    };
}

#endif
