#include <carom/mechanism/planar_internal.h>

#include <math.h>
#include <string.h>

/* --------------------------------------------------------------------------------------- chains */

int carom_planar_joint_coordinate_count(carom_planar_joint type) {
    switch (type) {
    case CAROM_PLANAR_FLOATING:
        return 3;
    case CAROM_PLANAR_TRANSLATING:
        return 2;
    case CAROM_PLANAR_REVOLUTE:
    case CAROM_PLANAR_PRISMATIC:
        return 1;
    case CAROM_PLANAR_FIXED:
        break;
    }
    return 0;
}

bool carom_planar_joint_is_angle(carom_planar_joint type, int k) {
    return type == CAROM_PLANAR_REVOLUTE || (type == CAROM_PLANAR_FLOATING && k == 2);
}

/** A body frame in the world while a chain is followed from the ground. */
typedef struct frame {
    double origin[2];
    double angle;
    double cosine;
    double sine;
} frame;

/** x += R(frame) (a, b). */
static void add_turned(const frame *at, double a, double b, double *x) {
    x[0] += at->cosine * a - at->sine * b;
    x[1] += at->sine * a + at->cosine * b;
}

/** Append a coordinate: a displacement along (a, b) of the parent frame. */
static void append_displacement(const frame *parent, int coordinate, double a, double b,
                                carom_planar_chain *chain) {
    const int k = chain->count++;
    chain->coordinate[k] = coordinate;
    chain->is_angle[k] = false;
    chain->derivative[k][0] = 0.0;
    chain->derivative[k][1] = 0.0;
    add_turned(parent, a, b, chain->derivative[k]);
}

/** Append an angle; its pivot stands for the derivative until P is known. */
static void append_angle(const frame *at, int coordinate, carom_planar_chain *chain) {
    const int k = chain->count++;
    chain->coordinate[k] = coordinate;
    chain->is_angle[k] = true;
    chain->derivative[k][0] = at->origin[0];
    chain->derivative[k][1] = at->origin[1];
}

/** From the frame of the parent to that of the body. */
static void descend(const carom_planar_body *body, int first, const double *q, frame *at,
                    carom_planar_chain *chain) {
    const frame parent = *at;
    double x = body->joint_point[0];
    double y = body->joint_point[1];
    double turn = body->joint_angle;

    /* displacements */
    if (body->type == CAROM_PLANAR_FLOATING || body->type == CAROM_PLANAR_TRANSLATING) {
        x += q[first];
        y += q[first + 1];
        append_displacement(&parent, first, 1.0, 0.0, chain);
        append_displacement(&parent, first + 1, 0.0, 1.0, chain);
    } else if (body->type == CAROM_PLANAR_PRISMATIC) {
        const double axis[2] = {cos(body->axis_angle), sin(body->axis_angle)};
        x += q[first] * axis[0];
        y += q[first] * axis[1];
        append_displacement(&parent, first, axis[0], axis[1], chain);
    }
    add_turned(&parent, x, y, at->origin);

    /* angles */
    for (int k = 0; k < carom_planar_joint_coordinate_count(body->type); k++) {
        if (carom_planar_joint_is_angle(body->type, k)) {
            turn += q[first + k];
            append_angle(at, first + k, chain);
        }
    }
    at->angle += turn;
    at->cosine = cos(at->angle);
    at->sine = sin(at->angle);
}

void carom_planar_chain_at(const carom_planar_tree *tree, const double *q, int body,
                           const double *local, carom_planar_chain *chain) {
    /* the way from the body to the ground, to be walked backwards */
    int way[CAROM_PLANAR_LARGEST_DEPTH];
    int depth = 0;
    for (int i = body; i >= 0; i = tree->bodies[i].parent) {
        way[depth++] = i;
    }

    frame at = {.cosine = 1.0};
    chain->count = 0;
    while (depth > 0) {
        const int i = way[--depth];
        descend(&tree->bodies[i], tree->first_coordinate[i], q, &at, chain);
    }
    chain->angle = at.angle;
    chain->place[0] = at.origin[0];
    chain->place[1] = at.origin[1];
    add_turned(&at, local[0], local[1], chain->place);

    /* an angle moves P across its distance from the pivot */
    for (int k = 0; k < chain->count; k++) {
        if (chain->is_angle[k]) {
            double *d = chain->derivative[k];
            const double across = chain->place[0] - d[0];
            d[0] = -(chain->place[1] - d[1]);
            d[1] = across;
        }
    }
}

void carom_planar_chain_gather(const carom_planar_chain *chain, const double *v, double *w) {
    for (int k = 0; k < chain->count; k++) {
        w[k] = v[chain->coordinate[k]];
    }
}

void carom_planar_chain_combine(const carom_planar_chain *chain, const double *w, double *sum) {
    sum[0] = 0.0;
    sum[1] = 0.0;
    for (int k = 0; k < chain->count; k++) {
        sum[0] += chain->derivative[k][0] * w[k];
        sum[1] += chain->derivative[k][1] * w[k];
    }
}

void carom_planar_chain_differentiate(const carom_planar_chain *chain, const double *w,
                                      double (*E)[2]) {
    CAROM_ASSERT(chain->count >= 0);
    /* if q_j is an angle it turns every d_k, k >= j */
    double beyond[2] = {0.0, 0.0};
    for (int j = chain->count - 1; j >= 0; j--) {
        const double *d = chain->derivative[j];
        beyond[0] += d[0] * w[j];
        beyond[1] += d[1] * w[j];
        E[j][0] = chain->is_angle[j] ? -beyond[1] : 0.0;
        E[j][1] = chain->is_angle[j] ? beyond[0] : 0.0;
    }

    /* any q_j changes the d_k of the angles k < j */
    double turn = 0.0;
    for (int j = 0; j < chain->count; j++) {
        const double *d = chain->derivative[j];
        E[j][0] -= d[1] * turn;
        E[j][1] += d[0] * turn;
        turn += chain->is_angle[j] ? w[j] : 0.0;
    }
}

void carom_planar_chain_add_second(const carom_planar_chain *chain, const double *F, int n,
                                   double *D) {
    for (int l = 0; l < chain->count; l++) {
        const double *d = chain->derivative[l];
        const double across = F[1] * d[0] - F[0] * d[1];
        const size_t column = (size_t)chain->coordinate[l];
        for (int k = 0; k <= l; k++) {
            const size_t row = (size_t)chain->coordinate[k];
            if (!chain->is_angle[k]) {
                continue;
            }
            D[row * (size_t)n + column] += across;
            if (k < l) {
                D[column * (size_t)n + row] += across;
            }
        }
    }
}

/** D_kl += factor d_k . E_l; E [count][2], D [n][n]. */
static void planar_chain_add_product(const carom_planar_chain *chain, double factor, double (*E)[2],
                                     int n, double *D) {
    for (int k = 0; k < chain->count; k++) {
        double *row = D + (size_t)chain->coordinate[k] * (size_t)n;
        for (int l = 0; l < chain->count; l++) {
            row[chain->coordinate[l]] += factor * carom_planar_dot(chain->derivative[k], E[l]);
        }
    }
}

/* ------------------------------------------------------------------------------------- dynamics */

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
        planar_chain_add_product(&chain, m, E, n, D);
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
        planar_chain_add_product(&chain, m, E, n, K);
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
        planar_chain_add_product(&chain, 2.0 * tree->bodies[i].shape.mass, E, n, C);
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
