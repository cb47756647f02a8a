/* carom itself: Moreau and Jean's scheme, Lemke's method. */
#include "peers.h"

#include <carom/lcp/lcp.h>
#include <carom/timestepping/galpha/galpha.h>

#include <stdlib.h>
#include <string.h>

/* The system as a mechanism that borrows its arrays. */
typedef struct own_run {
    peer_system system;
    carom_mechanism mechanism;
    carom_stepper *stepper;
    double *restitution; /* [m] */
} own_run;

static void copy_matrix(const peer_system *s, const double *dense, double *A) {
    const carom_layout layout = carom_layout_banded(s->n, s->n > 1 ? 1 : 0);
    for (int i = 0; i < s->n; i++) {
        for (int j = carom_layout_first_column(layout, i); j < carom_layout_end_column(layout, i);
             j++) {
            A[carom_layout_index(layout, i, j)] = dense[i * s->n + j];
        }
    }
}

static void mass(const double *q, double *M, void *context) {
    (void)q;
    const peer_system *s = context;
    copy_matrix(s, s->M, M);
}

static void stiffness(double t, const double *q, const double *v, double *K, void *context) {
    (void)t;
    (void)q;
    (void)v;
    const peer_system *s = context;
    copy_matrix(s, s->K, K);
}

static void force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)v;
    const peer_system *s = context;
    for (int i = 0; i < s->n; i++) {
        f[i] = s->f[i];
        for (int j = i > 0 ? i - 1 : 0; j < s->n && j <= i + 1; j++) {
            f[i] -= s->K[i * s->n + j] * q[j];
        }
    }
}

static double potential_energy(const double *q, void *context) {
    const peer_system *s = context;
    double sum = 0.0;
    for (int i = 0; i < s->n; i++) {
        sum -= s->f[i] * q[i];
        for (int j = i > 0 ? i - 1 : 0; j < s->n && j <= i + 1; j++) {
            sum += 0.5 * q[i] * s->K[i * s->n + j] * q[j];
        }
    }
    return sum;
}

static void constraints(const double *q, double *g, void *context) {
    const peer_system *s = context;
    for (int a = 0; a < s->m; a++) {
        g[a] = s->g0[a];
        for (int i = 0; i < s->n; i++) {
            g[a] += s->G[a * s->n + i] * q[i];
        }
    }
}

static void jacobian(const double *q, double *G, void *context) {
    (void)q;
    const peer_system *s = context;
    memcpy(G, s->G, (size_t)(s->m * s->n) * sizeof *G);
}

static void own_close(void *simulation) {
    own_run *run = simulation;
    if (run != NULL) {
        carom_stepper_free(run->stepper);
        free(run->restitution);
        free(run);
    }
}

static void *own_open(const peer_system *system) {
    own_run *run = calloc(1, sizeof *run);
    if (run == NULL) {
        return NULL;
    }
    run->system = *system;
    run->restitution = calloc((size_t)system->m, sizeof(double));
    for (int a = 0; run->restitution != NULL && a < system->m; a++) {
        run->restitution[a] = system->restitution;
    }
    run->mechanism = (carom_mechanism){
        .name = "peer",
        .coordinate_count = system->n,
        .contact_count = system->m,
        .layout = carom_layout_banded(system->n, system->n > 1 ? 1 : 0),
        .is_linear = true,
        .context = &run->system,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = run->restitution,
        .mass = mass,
        .force = force,
        .stiffness = stiffness,
        .potential_energy = potential_energy,
        .constraints = constraints,
        .constraint_jacobian = jacobian,
    };
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = system->step;
    if (run->restitution == NULL ||
        carom_stepper_alloc(&run->mechanism, &params, &run->stepper, NULL) != CAROM_OK ||
        carom_stepper_start(run->stepper, 0.0, system->q, system->v, NULL) != CAROM_OK) {
        own_close(run);
        return NULL;
    }
    return run;
}

static bool own_advance(void *simulation) {
    own_run *run = simulation;
    return carom_stepper_advance(run->stepper, NULL) == CAROM_OK;
}

static void own_read(const void *simulation, int n, double *q) {
    const own_run *run = simulation;
    memcpy(q, carom_stepper_result(run->stepper)->position, (size_t)n * sizeof *q);
}

static bool own_solve(int n, const double *M, const double *q, double *z) {
    carom_lcp_workspace *work = NULL;
    const bool is_solved = carom_lcp_workspace_alloc(n, &work) == CAROM_OK &&
                           carom_lcp_solve_lemke(n, M, q, z, work, NULL) == CAROM_OK;
    carom_lcp_workspace_free(work);
    return is_solved;
}

const peer carom_peer = {
    .name = "carom",
    .open = own_open,
    .advance = own_advance,
    .read = own_read,
    .close = own_close,
    .solve = own_solve,
};
