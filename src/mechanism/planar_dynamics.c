#include <carom/mechanism/planar_internal.h>

#include <string.h>

/* One body at a time adds its part; P is its centre of mass, d_k = dP/dq_k. */

static void clear_matrix(const carom_planar_tree *tree, double *A) {
    const size_t n = (size_t)tree->mechanism.coordinate_count;
    memset(A, 0, n * n * sizeof(double));
}

/** The chain of the centre of mass of a body. */
static void center_chain(const carom_planar_tree *tree, const double *q, int body,
                         carom_planar_chain *chain) {
    carom_planar_chain_at(tree, q, body, tree->bodies[body].shape.center, chain);
}

/** M_kl = sum m d_k . d_l, and the inertia where both are angles. */
static void mass(const double *q, double *M, void *context) {
    const carom_planar_tree *tree = context;
    const size_t n = (size_t)tree->mechanism.coordinate_count;
    carom_planar_chain chain;
    clear_matrix(tree, M);
    for (int i = 0; i < tree->body_count; i++) {
        const carom_planar_shape *shape = &tree->bodies[i].shape;
        center_chain(tree, q, i, &chain);
        for (int k = 0; k < chain.count; k++) {
            const size_t row = (size_t)chain.coordinate[k];
            for (int l = 0; l < chain.count; l++) {
                const double turning = chain.is_angle[k] && chain.is_angle[l] ? 1.0 : 0.0;
                M[row * n + (size_t)chain.coordinate[l]] +=
                    shape->mass * carom_planar_dot(chain.derivative[k], chain.derivative[l]) +
                    turning * shape->inertia;
            }
        }
    }
}

/** d(M a)_k/dq_l = sum m (U . d2P/dq_k dq_l + d_k . dU/dq_l), U = sum d_k a_k. */
static void mass_derivative(const double *q, const double *a, double *D, void *context) {
    const carom_planar_tree *tree = context;
    const int n = tree->mechanism.coordinate_count;
    carom_planar_chain chain;
    double w[CAROM_PLANAR_CHAIN_SIZE];
    double E[CAROM_PLANAR_CHAIN_SIZE][2];
    clear_matrix(tree, D);
    for (int i = 0; i < tree->body_count; i++) {
        const double m = tree->bodies[i].shape.mass;
        center_chain(tree, q, i, &chain);
        carom_planar_chain_gather(&chain, a, w);
        double momentum[2];
        carom_planar_chain_combine(&chain, w, momentum);
        momentum[0] *= m;
        momentum[1] *= m;
        carom_planar_chain_add_second(&chain, momentum, n, D);
        carom_planar_chain_differentiate(&chain, w, E);
        carom_planar_chain_add_product(&chain, m, E, n, D);
    }
}

/**
 * The acceleration of P at constant v is A = S sum d_k w_k, w_k = v_k (2 W + v_k if q_k is an
 * angle), W the rate of the angles before q_k.
 */
static void constant_rate_acceleration(const carom_planar_chain *chain, const double *v, double *w,
                                       double *A) {
    double turn = 0.0;
    for (int k = 0; k < chain->count; k++) {
        const double rate = v[chain->coordinate[k]];
        const double own = chain->is_angle[k] ? rate : 0.0;
        w[k] = rate * (2.0 * turn + own);
        turn += own;
    }
    double sum[2];
    carom_planar_chain_combine(chain, w, sum);
    A[0] = -sum[1];
    A[1] = sum[0];
}

/** f_k = sum m d_k . (gravity - A). */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    const carom_planar_tree *tree = context;
    carom_planar_chain chain;
    double w[CAROM_PLANAR_CHAIN_SIZE];
    memset(f, 0, (size_t)tree->mechanism.coordinate_count * sizeof(double));
    for (int i = 0; i < tree->body_count; i++) {
        const double m = tree->bodies[i].shape.mass;
        double A[2];
        center_chain(tree, q, i, &chain);
        constant_rate_acceleration(&chain, v, w, A);
        const double F[2] = {m * (tree->gravity[0] - A[0]), m * (tree->gravity[1] - A[1])};
        for (int k = 0; k < chain.count; k++) {
            f[chain.coordinate[k]] += carom_planar_dot(chain.derivative[k], F);
        }
    }
}

/** K_kl = sum m (d_k . dA/dq_l - (gravity - A) . d2P/dq_k dq_l). */
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    const carom_planar_tree *tree = context;
    const int n = tree->mechanism.coordinate_count;
    carom_planar_chain chain;
    double w[CAROM_PLANAR_CHAIN_SIZE];
    double E[CAROM_PLANAR_CHAIN_SIZE][2];
    clear_matrix(tree, K);
    for (int i = 0; i < tree->body_count; i++) {
        const double m = tree->bodies[i].shape.mass;
        double A[2];
        center_chain(tree, q, i, &chain);
        constant_rate_acceleration(&chain, v, w, A);
        const double F[2] = {m * (A[0] - tree->gravity[0]), m * (A[1] - tree->gravity[1])};
        carom_planar_chain_add_second(&chain, F, n, K);

        /* dA/dq_l = S d(sum d_k w_k)/dq_l */
        carom_planar_chain_differentiate(&chain, w, E);
        for (int l = 0; l < chain.count; l++) {
            const double across = E[l][0];
            E[l][0] = -E[l][1];
            E[l][1] = across;
        }
        carom_planar_chain_add_product(&chain, m, E, n, K);
    }
}

/** C_kl = sum m d_k . dA/dv_l; A is quadratic in v: dA/dv_l = 2 d(sum d_k v_k)/dq_l. */
static void damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    const carom_planar_tree *tree = context;
    const int n = tree->mechanism.coordinate_count;
    carom_planar_chain chain;
    double w[CAROM_PLANAR_CHAIN_SIZE];
    double E[CAROM_PLANAR_CHAIN_SIZE][2];
    clear_matrix(tree, C);
    for (int i = 0; i < tree->body_count; i++) {
        center_chain(tree, q, i, &chain);
        carom_planar_chain_gather(&chain, v, w);
        carom_planar_chain_differentiate(&chain, w, E);
        carom_planar_chain_add_product(&chain, 2.0 * tree->bodies[i].shape.mass, E, n, C);
    }
}

/** V = - sum m gravity . P. */
static double potential_energy(const double *q, void *context) {
    const carom_planar_tree *tree = context;
    carom_planar_chain chain;
    double energy = 0.0;
    for (int i = 0; i < tree->body_count; i++) {
        center_chain(tree, q, i, &chain);
        energy -= tree->bodies[i].shape.mass * carom_planar_dot(tree->gravity, chain.place);
    }
    return energy;
}

void carom_planar_dynamics_install(carom_mechanism *mechanism) {
    mechanism->mass = mass;
    mechanism->mass_derivative = mass_derivative;
    mechanism->force = force;
    mechanism->stiffness = stiffness;
    mechanism->damping = damping;
    mechanism->potential_energy = potential_energy;
}
