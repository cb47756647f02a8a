/** Steps of the variational integrator, and a block that slides on a floor: what its suites share.
 */
#ifndef CAROM_TESTS_TIMESTEPPING_VARIATIONAL_BODIES_H
#define CAROM_TESTS_TIMESTEPPING_VARIATIONAL_BODIES_H

#include "../plastic/plastic_bodies.h"

#include <carom/timestepping/variational/step_internal.h>
#include <carom/timestepping/variational/variational.h>

static inline carom_variational_step *step_of(const carom_mechanism *mechanism) {
    const carom_variational_step_params params = carom_variational_step_params_default();
    carom_variational_step *step;
    assert_ok(carom_variational_step_alloc(mechanism, &params, &step, NULL));
    return step;
}

/** One step, state and held contacts in place. */
static inline void advance(carom_variational_step *step, double *t, double *q, double *p, double h,
                           bool *held) {
    const int n = step->mechanism->coordinate_count;
    assert_ok(carom_variational_step_solve(step, *t, q, p, h, held, NULL));
    memcpy(q, step->position, (size_t)n * sizeof(double));
    memcpy(p, step->momentum, (size_t)n * sizeof(double));
    for (int i = 0; held != NULL && i < step->mechanism->contact_count; i++) {
        held[i] = step->is_held[i];
    }
    *t = step->time;
}

/* ------------------------------------------------------------------------------------ slider */

/** A point on a plane floor: q = (x, y) or (x, z, y), height last; the floor's gap is scaled. */
typedef struct slider {
    int tangents;       /**< t: 1 or 2 */
    int copies;         /**< how often the contact is given, at most 2 */
    double mass;        /**< kg */
    double force[3];    /**< N, in the order of the coordinates */
    double growth;      /**< of the last force, N/s */
    double scale;       /**< of the gap */
    double friction[2]; /**< mu */
    double restitution[2];
} slider;

static inline void slider_mass(const double *q, double *M, void *context) {
    const slider *s = context;
    const int n = s->tangents + 1;
    (void)q;
    for (int i = 0; i < n * n; i++) {
        M[i] = i % (n + 1) == 0 ? s->mass : 0.0;
    }
}

static inline void slider_force(double t, const double *q, const double *v, double *f,
                                void *context) {
    const slider *s = context;
    (void)q;
    (void)v;
    for (int i = 0; i <= s->tangents; i++) {
        f[i] = s->force[i] + (i == s->tangents ? s->growth * t : 0.0);
    }
}

static inline double slider_energy(const double *q, void *context) {
    const slider *s = context;
    double energy = 0.0;
    for (int i = 0; i <= s->tangents; i++) {
        energy -= s->force[i] * q[i];
    }
    return energy;
}

static inline void slider_gap(const double *q, double *g, void *context) {
    const slider *s = context;
    for (int i = 0; i < s->copies; i++) {
        g[i] = s->scale * q[s->tangents];
    }
}

static inline void slider_normal(const double *q, double *G, void *context) {
    const slider *s = context;
    const int n = s->tangents + 1;
    (void)q;
    for (int i = 0; i < s->copies * n; i++) {
        G[i] = i % n == s->tangents ? s->scale : 0.0;
    }
}

static inline void slider_tangent(const double *q, double *H, void *context) {
    const slider *s = context;
    const int n = s->tangents + 1;
    (void)q;
    for (int row = 0; row < s->copies * s->tangents; row++) {
        for (int j = 0; j < n; j++) {
            H[row * n + j] = j == row % s->tangents ? 1.0 : 0.0;
        }
    }
}

static inline carom_mechanism slider_mechanism(slider *s) {
    return (carom_mechanism){
        .name = "slider",
        .coordinate_count = s->tangents + 1,
        .contact_count = s->copies,
        .layout = carom_layout_full(s->tangents + 1),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = s->restitution,
        .friction = s->friction,
        .tangent_count = s->tangents,
        .mass = slider_mass,
        .force = slider_force,
        .potential_energy = slider_energy,
        .constraints = slider_gap,
        .constraint_jacobian = slider_normal,
        .tangential_jacobian = slider_tangent,
        .context = s,
    };
}

static const double GRAVITY = 9.81;

/** On a floor with one tangent, mu = 0.37, a weight and a pull. */
static inline slider slider_of(double pull) {
    return (slider){.tangents = 1,
                    .copies = 1,
                    .mass = 2.385,
                    .force = {pull, -2.385 * GRAVITY},
                    .scale = 1.0,
                    .friction = {0.37, 0.37}};
}

#endif
