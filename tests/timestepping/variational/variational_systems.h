/** Systems for tests of the variational integrator: point masses with linear forces beside plane
 * walls, and the robot TREX with both tips down. */
#ifndef CAROM_TESTS_VARIATIONAL_SYSTEMS_H
#define CAROM_TESTS_VARIATIONAL_SYSTEMS_H

#include "../../support.h"

#include <carom/models/trex/trex.h>
#include <carom/timestepping/variational/variational.h>

#include <string.h>

enum { PILE_COORDINATES = 6, PILE_CONTACTS = 6 };

/** M q'' = load - K q - C q', gaps N q + clearance, sliding H q'; must not move. */
typedef struct pile {
    carom_mechanism mechanism;
    int n;
    int m;
    double M[PILE_COORDINATES * PILE_COORDINATES]; /* [n][n] */
    double K[PILE_COORDINATES * PILE_COORDINATES]; /* [n][n] */
    double C[PILE_COORDINATES * PILE_COORDINATES]; /* [n][n] */
    double load[PILE_COORDINATES];                 /* [n] */
    double N[PILE_CONTACTS * PILE_COORDINATES];    /* [m][n] */
    double clearance[PILE_CONTACTS];               /* [m] */
    double H[PILE_CONTACTS * PILE_COORDINATES];    /* [m][n] */
    double friction[PILE_CONTACTS];                /* [m] */
    double restitution[PILE_CONTACTS];             /* [m] */
} pile;

static inline void pile_mass(const double *q, double *M, void *context) {
    const pile *p = context;
    (void)q;
    memcpy(M, p->M, (size_t)(p->n * p->n) * sizeof(double));
}

static inline void pile_stiffness(double t, const double *q, const double *v, double *K,
                                  void *context) {
    const pile *p = context;
    (void)t;
    (void)q;
    (void)v;
    memcpy(K, p->K, (size_t)(p->n * p->n) * sizeof(double));
}

static inline void pile_damping(double t, const double *q, const double *v, double *C,
                                void *context) {
    const pile *p = context;
    (void)t;
    (void)q;
    (void)v;
    memcpy(C, p->C, (size_t)(p->n * p->n) * sizeof(double));
}

static inline void pile_force(double t, const double *q, const double *v, double *f,
                              void *context) {
    const pile *p = context;
    (void)t;
    for (int i = 0; i < p->n; i++) {
        f[i] = p->load[i];
        for (int j = 0; j < p->n; j++) {
            f[i] -= p->K[i * p->n + j] * q[j] + p->C[i * p->n + j] * v[j];
        }
    }
}

static inline double pile_potential(const double *q, void *context) {
    const pile *p = context;
    double V = 0.0;
    for (int i = 0; i < p->n; i++) {
        V -= p->load[i] * q[i];
        for (int j = 0; j < p->n; j++) {
            V += 0.5 * q[i] * p->K[i * p->n + j] * q[j];
        }
    }
    return V;
}

static inline void pile_gaps(const double *q, double *g, void *context) {
    const pile *p = context;
    for (int i = 0; i < p->m; i++) {
        g[i] = p->clearance[i];
        for (int j = 0; j < p->n; j++) {
            g[i] += p->N[i * p->n + j] * q[j];
        }
    }
}

static inline void pile_normals(const double *q, double *G, void *context) {
    const pile *p = context;
    (void)q;
    memcpy(G, p->N, (size_t)(p->m * p->n) * sizeof(double));
}

static inline void pile_tangents(const double *q, double *H, void *context) {
    const pile *p = context;
    (void)q;
    memcpy(H, p->H, (size_t)(p->m * p->n) * sizeof(double));
}

/** All contacts have this restitution. */
static inline void pile_restitute(pile *p, double e) {
    for (int i = 0; i < PILE_CONTACTS; i++) {
        p->restitution[i] = e;
    }
}

/** Unit masses without forces, no contacts yet set, elastic. */
static inline void pile_init(pile *p, int n, int m) {
    *p = (pile){.n = n, .m = m};
    for (int i = 0; i < n; i++) {
        p->M[i * n + i] = 1.0;
    }
    pile_restitute(p, 1.0);
    p->mechanism = (carom_mechanism){
        .name = "pile",
        .coordinate_count = n,
        .contact_count = m,
        .layout = carom_layout_full(n),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = p->restitution,
        .mass = pile_mass,
        .force = pile_force,
        .stiffness = pile_stiffness,
        .damping = pile_damping,
        .potential_energy = pile_potential,
        .constraints = m > 0 ? pile_gaps : NULL,
        .constraint_jacobian = m > 0 ? pile_normals : NULL,
        .context = p,
    };
}

/** A ball above a floor at zero. */
static inline void pile_ball(pile *p, double mass, double gravity) {
    pile_init(p, 1, 1);
    p->M[0] = mass;
    p->load[0] = -mass * gravity;
    p->N[0] = 1.0;
}

/** Blocks on a line before a wall at zero on their left: phi_0 = x_0, phi_i = x_i - x_{i-1}. */
static inline void pile_blocks(pile *p, int n, const double *masses) {
    pile_init(p, n, n);
    for (int i = 0; i < n; i++) {
        p->M[i * n + i] = masses[i];
        p->N[i * n + i] = 1.0;
        if (i > 0) {
            p->N[i * n + i - 1] = -1.0;
        }
    }
}

/** The robot of the root of the design equations near the hand-picked row, ten decimals, of which
 * height and pitch are mended so that foot and tail touch to rounding; dropped by 17 cm. */
static inline carom_trex_params robot_with_both_tips_down(void) {
    const double stance[CAROM_TREX_COORDINATES] = {0.0,          12.3792712192, 5.7604710940,
                                                   1.9919160627, 5.2406961059,  5.0062751636,
                                                   5.4185293811, 0.0736648933};
    carom_trex_params params = carom_trex_params_hand_picked();
    memcpy(params.stance, stance, sizeof(stance));
    params.anterior_radius = 6.9555857243;
    params.posterior_radius = 4.0940741014;
    params.upper_length = 7.9982332467;
    params.lower_length = 9.9904062117;
    carom_model *model = NULL;
    assert_ok(carom_trex_alloc(&params, &model, NULL));
    const carom_mechanism *mechanism = &model->mechanism;
    for (int k = 0; k < 4; k++) {
        double g[CAROM_TREX_CONTACTS] = {(double)NAN};
        double G[CAROM_TREX_CONTACTS * CAROM_TREX_COORDINATES] = {(double)NAN};
        mechanism->constraints(params.stance, g, mechanism->context);
        mechanism->constraint_jacobian(params.stance, G, mechanism->context);
        const double *foot = G + CAROM_TREX_RIGHT_FOOT * CAROM_TREX_COORDINATES;
        const double *tail = G + CAROM_TREX_TAIL_TIP * CAROM_TREX_COORDINATES;
        /* both gaps rise alike with y, so their difference gives the pitch */
        const double turn = (g[CAROM_TREX_TAIL_TIP] - g[CAROM_TREX_RIGHT_FOOT]) /
                            (foot[CAROM_TREX_PITCH] - tail[CAROM_TREX_PITCH]);
        params.stance[CAROM_TREX_PITCH] += turn;
        params.stance[CAROM_TREX_Y] -= g[CAROM_TREX_RIGHT_FOOT] + foot[CAROM_TREX_PITCH] * turn;
    }
    carom_model_free(model);
    return params;
}

#endif
