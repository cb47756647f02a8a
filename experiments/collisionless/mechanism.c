/** The linear system as a mechanism with one plastic contact, positions measured from those at the
 * impact: m z'' + k z = load, gap s z_N. */
#include "results.h"

/** y = A z. */
static void multiply(int n, const double *A, const double *z, double *y) {
    for (int i = 0; i < n; i++) {
        y[i] = 0.0;
        for (int j = 0; j < n; j++) {
            y[i] += A[i * n + j] * z[j];
        }
    }
}

static void mass(const double *q, double *M, void *context) {
    const stopped_system *s = context;
    (void)q;
    for (int i = 0; i < s->n * s->n; i++) {
        M[i] = s->mass[i];
    }
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    const stopped_system *s = context;
    (void)t;
    (void)v;
    multiply(s->n, s->stiffness, q, f);
    for (int i = 0; i < s->n; i++) {
        f[i] = s->load[i] - f[i];
    }
}

static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    const stopped_system *s = context;
    (void)t;
    (void)q;
    (void)v;
    for (int i = 0; i < s->n * s->n; i++) {
        K[i] = s->stiffness[i];
    }
}

static double potential_energy(const double *q, void *context) {
    const stopped_system *s = context;
    double energy = 0.0;
    for (int i = 0; i < s->n; i++) {
        energy -= s->load[i] * q[i];
        for (int j = 0; j < s->n; j++) {
            energy += 0.5 * q[i] * s->stiffness[i * s->n + j] * q[j];
        }
    }
    return energy;
}

static void constraints(const double *q, double *g, void *context) {
    const stopped_system *s = context;
    g[0] = s->sign * q[s->n - 1];
}

static void constraint_jacobian(const double *q, double *G, void *context) {
    const stopped_system *s = context;
    (void)q;
    for (int i = 0; i < s->n; i++) {
        G[i] = i == s->n - 1 ? s->sign : 0.0;
    }
}

void collisionless_fill_load(const double *acceleration, stopped_system *s) {
    multiply(s->n, s->mass, acceleration, s->load);
}

double collisionless_kinetic_energy(const stopped_system *s, const double *v) {
    double energy = 0.0;
    for (int i = 0; i < s->n; i++) {
        for (int j = 0; j < s->n; j++) {
            energy += 0.5 * v[i] * s->mass[i * s->n + j] * v[j];
        }
    }
    return energy;
}

carom_mechanism collisionless_mechanism(stopped_system *s) {
    static const double PLASTIC[1] = {0.0};
    return (carom_mechanism){
        .name = "collisionless",
        .coordinate_count = s->n,
        .contact_count = 1,
        .layout = carom_layout_full(s->n),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = PLASTIC,
        .mass = mass,
        .force = force,
        .stiffness = stiffness,
        .potential_energy = potential_energy,
        .constraints = constraints,
        .constraint_jacobian = constraint_jacobian,
        .context = s,
    };
}
