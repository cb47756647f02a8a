#include <carom/models/trex/internal.h>

#include <gsl/gsl_math.h>
#include <math.h>
#include <string.h>

enum { LINKS = CAROM_TREX_LINKS, N = CAROM_TREX_COORDINATES, CONTACTS = CAROM_TREX_CONTACTS };
/** Equations of x, y and the links' angles, before the angles are replaced by the joints'. */
enum { EQUATIONS = 2 + LINKS };

/** Directions of the links at a configuration. */
typedef struct pose {
    double angle[LINKS]; /**< alpha_a, rad */
    double cosine[LINKS];
    double sine[LINKS];
} pose;

static pose pose_at(const double *q) {
    pose p = {.angle = {0.0}};
    carom_trex_link_angles(q, p.angle);
    for (int a = 0; a < LINKS; a++) {
        p.cosine[a] = cos(p.angle[a]);
        p.sine[a] = sin(p.angle[a]);
    }
    return p;
}

/** cos(alpha_a - alpha_b). */
static double cosine_between(const pose *p, int a, int b) {
    return p->cosine[a] * p->cosine[b] + p->sine[a] * p->sine[b];
}

/** sin(alpha_a - alpha_b). */
static double sine_between(const pose *p, int a, int b) {
    return p->sine[a] * p->cosine[b] - p->cosine[a] * p->sine[b];
}

/** W' h, alpha = W q: a joint's force is the sum over the links that it turns. The entries of x and
 * y are left alone; strides lead to the next entry of either vector. */
static void pull_back(const double *h, size_t stride, double *f, size_t f_stride) {
    const double left = h[CAROM_TREX_LEFT_UPPER * stride] + h[CAROM_TREX_LEFT_LOWER * stride];
    const double right = h[CAROM_TREX_RIGHT_UPPER * stride] + h[CAROM_TREX_RIGHT_LOWER * stride];
    const double posterior = h[CAROM_TREX_POSTERIOR * stride];
    const double anterior = h[CAROM_TREX_ANTERIOR * stride];
    f[CAROM_TREX_LEFT_KNEE * f_stride] = h[CAROM_TREX_LEFT_LOWER * stride];
    f[CAROM_TREX_RIGHT_KNEE * f_stride] = h[CAROM_TREX_RIGHT_LOWER * stride];
    f[CAROM_TREX_LEFT_HIP * f_stride] = left;
    f[CAROM_TREX_RIGHT_HIP * f_stride] = right;
    f[CAROM_TREX_BODY_JOINT * f_stride] = posterior;
    f[CAROM_TREX_PITCH * f_stride] = anterior + left + right + posterior;
}

/** A = W' B W for B [EQUATIONS][LINKS], the equations of x, y and the links by the links' angles:
 * the same by q, whose first two columns vanish. */
static void pull_back_matrix(double (*B)[LINKS], double *A) {
    double by_coordinate[EQUATIONS][N] = {{0.0}};
    for (int i = 0; i < EQUATIONS; i++) {
        pull_back(B[i], 1, by_coordinate[i], 1);
    }
    memcpy(A, by_coordinate, 2 * N * sizeof(double));
    for (int j = 0; j < N; j++) {
        pull_back(&by_coordinate[2][j], N, A + j, N);
    }
}

/** M = W' D W, m_t and the couplings -mu_a sin(alpha_a), mu_a cos(alpha_a) of x and y. */
static void mass(const double *q, double *M, void *context) {
    const carom_trex_data *self = context;
    const carom_trex_inertia *inertia = &self->inertia;
    const pose p = pose_at(q);
    double B[EQUATIONS][LINKS];
    for (int a = 0; a < LINKS; a++) {
        B[0][a] = -inertia->moment[a] * p.sine[a];
        B[1][a] = inertia->moment[a] * p.cosine[a];
        for (int b = 0; b < LINKS; b++) {
            B[2 + a][b] = inertia->coupling[a][b] * cosine_between(&p, a, b);
        }
        B[2 + a][a] += inertia->spin[a];
    }
    pull_back_matrix(B, M);

    /* Exactly symmetric, whatever the order of the sums. */
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++) {
            M[j * N + k] = M[k * N + j];
        }
    }
    M[0] = inertia->mass;
    M[N + 1] = inertia->mass;
}

/** d(M a)/dq: link a turns its own terms, and the cosines between it and the others. */
static void mass_derivative(const double *q, const double *direction, double *D, void *context) {
    const carom_trex_data *self = context;
    const carom_trex_inertia *inertia = &self->inertia;
    const pose p = pose_at(q);
    double turn[LINKS];
    carom_trex_link_angles(direction, turn);
    double B[EQUATIONS][LINKS];
    for (int a = 0; a < LINKS; a++) {
        B[0][a] = -inertia->moment[a] * p.cosine[a] * turn[a];
        B[1][a] = -inertia->moment[a] * p.sine[a] * turn[a];
        double own = -inertia->moment[a] *
                     (p.cosine[a] * direction[CAROM_TREX_X] + p.sine[a] * direction[CAROM_TREX_Y]);
        for (int b = 0; b < LINKS; b++) {
            B[2 + a][b] = inertia->coupling[a][b] * sine_between(&p, a, b) * turn[b];
            own -= B[2 + a][b];
        }
        B[2 + a][a] = own;
    }
    pull_back_matrix(B, D);
}

/** Torques at the joints: springs and dashpots at knees and body, PD control at the hips. */
static void add_joint_torques(const carom_trex_data *self, double t, const double *q,
                              const double *v, double *f) {
    static const int hips[2] = {CAROM_TREX_LEFT_HIP, CAROM_TREX_RIGHT_HIP};
    static const int knees[2] = {CAROM_TREX_LEFT_KNEE, CAROM_TREX_RIGHT_KNEE};
    const carom_trex_params *params = &self->params;
    const double running = t - params->hip_start_time;
    for (int leg = 0; leg < 2; leg++) {
        const int hip = hips[leg];
        const int knee = knees[leg];
        const double rate = running > 0.0 ? params->hip_rates[leg] : 0.0;
        const double reference = params->stance[hip] + rate * running;
        f[hip] -=
            params->hip_stiffness * (q[hip] - reference) + params->hip_damping * (v[hip] - rate);
        f[knee] -= params->knee_stiffness * (q[knee] - params->stance[knee]) +
                   params->knee_damping * v[knee];
    }
    const int joint = CAROM_TREX_BODY_JOINT;
    f[joint] -= params->body_stiffness * (q[joint] - params->stance[joint]) +
                params->body_damping * v[joint];
}

/** Centrifugal forces, weights and the torques at the joints. */
static void force(double t, const double *q, const double *v, double *f, void *context) {
    const carom_trex_data *self = context;
    const carom_trex_inertia *inertia = &self->inertia;
    const pose p = pose_at(q);
    double turn[LINKS];
    carom_trex_link_angles(v, turn);
    double h[LINKS];
    f[CAROM_TREX_X] = 0.0;
    f[CAROM_TREX_Y] = -self->params.gravity * inertia->mass;
    for (int a = 0; a < LINKS; a++) {
        const double pull = inertia->moment[a] * gsl_pow_2(turn[a]);
        f[CAROM_TREX_X] += pull * p.cosine[a];
        f[CAROM_TREX_Y] += pull * p.sine[a];
        h[a] = -self->params.gravity * inertia->moment[a] * p.cosine[a];
        for (int b = 0; b < LINKS; b++) {
            h[a] -= inertia->coupling[a][b] * sine_between(&p, a, b) * gsl_pow_2(turn[b]);
        }
    }
    pull_back(h, 1, f, 1);
    add_joint_torques(self, t, q, v, f);
}

/** Add what springs (or dashpots) and hips have on the diagonal of K (or C). */
static void add_joint_diagonal(double knee, double body_joint, double hip, double *A) {
    A[CAROM_TREX_LEFT_HIP * (N + 1)] += hip;
    A[CAROM_TREX_RIGHT_HIP * (N + 1)] += hip;
    A[CAROM_TREX_LEFT_KNEE * (N + 1)] += knee;
    A[CAROM_TREX_RIGHT_KNEE * (N + 1)] += knee;
    A[CAROM_TREX_BODY_JOINT * (N + 1)] += body_joint;
}

/** K = -df/dq. */
static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    const carom_trex_data *self = context;
    const carom_trex_inertia *inertia = &self->inertia;
    const pose p = pose_at(q);
    double turn[LINKS];
    carom_trex_link_angles(v, turn);
    double B[EQUATIONS][LINKS];
    for (int a = 0; a < LINKS; a++) {
        const double pull = inertia->moment[a] * gsl_pow_2(turn[a]);
        B[0][a] = pull * p.sine[a];
        B[1][a] = -pull * p.cosine[a];
        double own = -self->params.gravity * inertia->moment[a] * p.sine[a];
        for (int b = 0; b < LINKS; b++) {
            const double slope =
                inertia->coupling[a][b] * cosine_between(&p, a, b) * gsl_pow_2(turn[b]);
            B[2 + a][b] = -slope;
            own += b == a ? 0.0 : slope;
        }
        B[2 + a][a] = own;
    }
    pull_back_matrix(B, K);
    add_joint_diagonal(self->params.knee_stiffness, self->params.body_stiffness,
                       self->params.hip_stiffness, K);
}

/** C = -df/dv. */
static void damping(double t, const double *q, const double *v, double *C, void *context) {
    (void)t;
    const carom_trex_data *self = context;
    const carom_trex_inertia *inertia = &self->inertia;
    const pose p = pose_at(q);
    double turn[LINKS];
    carom_trex_link_angles(v, turn);
    double B[EQUATIONS][LINKS];
    for (int a = 0; a < LINKS; a++) {
        B[0][a] = -2.0 * inertia->moment[a] * p.cosine[a] * turn[a];
        B[1][a] = -2.0 * inertia->moment[a] * p.sine[a] * turn[a];
        for (int b = 0; b < LINKS; b++) {
            B[2 + a][b] = 2.0 * inertia->coupling[a][b] * sine_between(&p, a, b) * turn[b];
        }
    }
    pull_back_matrix(B, C);
    add_joint_diagonal(self->params.knee_damping, self->params.body_damping,
                       self->params.hip_damping, C);
}

/** V of the weights and the springs. */
static double potential_energy(const double *q, void *context) {
    const carom_trex_data *self = context;
    const carom_trex_params *params = &self->params;
    const pose p = pose_at(q);
    double moment = self->inertia.mass * q[CAROM_TREX_Y];
    for (int a = 0; a < LINKS; a++) {
        moment += self->inertia.moment[a] * p.sine[a];
    }
    const double left = q[CAROM_TREX_LEFT_KNEE] - params->stance[CAROM_TREX_LEFT_KNEE];
    const double right = q[CAROM_TREX_RIGHT_KNEE] - params->stance[CAROM_TREX_RIGHT_KNEE];
    const double joint = q[CAROM_TREX_BODY_JOINT] - params->stance[CAROM_TREX_BODY_JOINT];
    return params->gravity * moment +
           0.5 * params->knee_stiffness * (gsl_pow_2(left) + gsl_pow_2(right)) +
           0.5 * params->body_stiffness * gsl_pow_2(joint);
}

/** Gaps: heights of the tips, y + sum_a reach_a sin(alpha_a). */
static void constraints(const double *q, double *g, void *context) {
    const carom_trex_data *self = context;
    const pose p = pose_at(q);
    for (int i = 0; i < CONTACTS; i++) {
        g[i] = q[CAROM_TREX_Y];
        for (int a = 0; a < LINKS; a++) {
            g[i] += self->reach[i][a] * p.sine[a];
        }
    }
}

/** A contact's row: W' of factor reach_a direction_a rate_a, zeros at x and y; NULL rates are ones.
 */
static void tip_row(const double *reach, double factor, const double *direction, const double *rate,
                    double *row) {
    double h[LINKS];
    for (int a = 0; a < LINKS; a++) {
        h[a] = factor * reach[a] * direction[a] * (rate == NULL ? 1.0 : rate[a]);
    }
    row[CAROM_TREX_X] = 0.0;
    row[CAROM_TREX_Y] = 0.0;
    pull_back(h, 1, row, 1);
}

/** D phi_i. */
static void constraint_jacobian(const double *q, double *G, void *context) {
    const carom_trex_data *self = context;
    const pose p = pose_at(q);
    for (int i = 0; i < CONTACTS; i++) {
        tip_row(self->reach[i], 1.0, p.cosine, NULL, G + i * N);
        G[i * N + CAROM_TREX_Y] = 1.0;
    }
}

/** d(G' lambda)/dq = -W' diag(sum_i lambda_i reach_ia sin(alpha_a)) W. */
static void constraint_force_derivative(const double *q, const double *lambda, double *D,
                                        void *context) {
    const carom_trex_data *self = context;
    const pose p = pose_at(q);
    double B[EQUATIONS][LINKS] = {{0.0}};
    for (int i = 0; i < CONTACTS; i++) {
        for (int a = 0; a < LINKS; a++) {
            B[2 + a][a] -= lambda[i] * self->reach[i][a] * p.sine[a];
        }
    }
    pull_back_matrix(B, D);
}

/** d(G v)/dq. */
static void constraint_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_trex_data *self = context;
    const pose p = pose_at(q);
    double turn[LINKS];
    carom_trex_link_angles(v, turn);
    for (int i = 0; i < CONTACTS; i++) {
        tip_row(self->reach[i], -1.0, p.sine, turn, D + i * N);
    }
}

/** Velocities of the tips along +x. */
static void tangential_jacobian(const double *q, double *H, void *context) {
    const carom_trex_data *self = context;
    const pose p = pose_at(q);
    for (int i = 0; i < CONTACTS; i++) {
        tip_row(self->reach[i], -1.0, p.sine, NULL, H + i * N);
        H[i * N + CAROM_TREX_X] = 1.0;
    }
}

/** d(H v)/dq. */
static void tangential_rate_derivative(const double *q, const double *v, double *D, void *context) {
    const carom_trex_data *self = context;
    const pose p = pose_at(q);
    double turn[LINKS];
    carom_trex_link_angles(v, turn);
    for (int i = 0; i < CONTACTS; i++) {
        tip_row(self->reach[i], -1.0, p.cosine, turn, D + i * N);
    }
}

void carom_trex_set_functions(carom_mechanism *mechanism) {
    CAROM_ASSERT(mechanism != NULL && mechanism->coordinate_count == N);
    mechanism->contact_count = CONTACTS;
    mechanism->tangent_count = 1;
    mechanism->mass = mass;
    mechanism->mass_derivative = mass_derivative;
    mechanism->force = force;
    mechanism->stiffness = stiffness;
    mechanism->damping = damping;
    mechanism->potential_energy = potential_energy;
    mechanism->constraints = constraints;
    mechanism->constraint_jacobian = constraint_jacobian;
    mechanism->constraint_force_derivative = constraint_force_derivative;
    mechanism->constraint_rate_derivative = constraint_rate_derivative;
    mechanism->tangential_jacobian = tangential_jacobian;
    mechanism->tangential_rate_derivative = tangential_rate_derivative;
}
