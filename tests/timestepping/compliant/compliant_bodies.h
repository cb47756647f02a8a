/** Bodies for tests of compliant contact: a particle above a plane, blocks on their corners. */
#ifndef CAROM_TESTS_COMPLIANT_BODIES_H
#define CAROM_TESTS_COMPLIANT_BODIES_H

#include "../../support.h"

#include <carom/mechanism/planar_tree.h>
#include <carom/models/rigid_block.h>
#include <carom/timestepping/compliant/compliant.h>

#include <string.h>

/** omega of a shaken particle, rad/s. */
static const double PARTICLE_SHAKING_RATE = 37.3;

/** A particle: q = (height, along, across), the first `dimension` of them. It accelerates by
 * `lift` upwards and resists by `drag`, in N s/m. */
typedef struct particle {
    int dimension;
    double mass[3];     /**< of each direction, kg: a bead on a sledge may be heavier sideways */
    double lift;        /**< m/s2, -g under gravity */
    double drag;        /**< N s/m, upwards only */
    double shaking;     /**< a: along, it accelerates by a sin(omega t), m/s2 */
    double restitution; /**< zero: compliant contact refuses another */
    double friction;
} particle;

static inline void particle_mass(const double *q, double *M, void *context) {
    const particle *p = context;
    (void)q;
    memset(M, 0, (size_t)(p->dimension * p->dimension) * sizeof *M);
    for (int j = 0; j < p->dimension; j++) {
        M[j * p->dimension + j] = p->mass[j];
    }
}

static inline void particle_force(double t, const double *q, const double *v, double *f,
                                  void *context) {
    const particle *p = context;
    (void)q;
    memset(f, 0, (size_t)p->dimension * sizeof *f);
    f[0] = p->mass[0] * p->lift - p->drag * v[0];
    if (p->dimension > 1) {
        f[1] = p->mass[1] * p->shaking * sin(PARTICLE_SHAKING_RATE * t);
    }
}

static inline void particle_damping(double t, const double *q, const double *v, double *C,
                                    void *context) {
    const particle *p = context;
    (void)t;
    (void)q;
    (void)v;
    memset(C, 0, (size_t)(p->dimension * p->dimension) * sizeof *C);
    C[0] = p->drag;
}

static inline double particle_energy(const double *q, void *context) {
    const particle *p = context;
    return -p->mass[0] * p->lift * q[0];
}

static inline void particle_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0];
}

static inline void particle_normal(const double *q, double *G, void *context) {
    const particle *p = context;
    (void)q;
    memset(G, 0, (size_t)p->dimension * sizeof *G);
    G[0] = 1.0;
}

static inline void particle_tangents(const double *q, double *H, void *context) {
    const particle *p = context;
    const int n = p->dimension;
    (void)q;
    memset(H, 0, (size_t)((n - 1) * n) * sizeof *H);
    for (int k = 0; k < n - 1; k++) {
        H[k * n + k + 1] = 1.0;
    }
}

/** The mechanism of a particle, which must outlive it. */
static inline carom_mechanism particle_mechanism(particle *p) {
    const bool is_flat = p->dimension == 1;
    return (carom_mechanism){
        .name = "particle",
        .coordinate_count = p->dimension,
        .contact_count = 1,
        .layout = carom_layout_full(p->dimension),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = &p->restitution,
        .friction = is_flat ? NULL : &p->friction,
        .tangent_count = p->dimension - 1,
        .mass = particle_mass,
        .force = particle_force,
        .damping = particle_damping,
        .potential_energy = particle_energy,
        .constraints = particle_gap,
        .constraint_jacobian = particle_normal,
        .tangential_jacobian = is_flat ? NULL : particle_tangents,
        .context = p,
    };
}

/** A tree of the given bodies with corners (-w/2, low) and, if two are asked for, (w/2, low) of the
 * last of them on the floor. */
static inline carom_planar_tree *tree_on_corners(int body_count, const carom_planar_body *bodies,
                                                 double width, double low, int corners,
                                                 double friction) {
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_contact contacts[2] = {
        carom_planar_corner_on_wall(body_count - 1, -0.5 * width, low, floor, friction),
        carom_planar_corner_on_wall(body_count - 1, 0.5 * width, low, floor, friction),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = body_count;
    spec.bodies = bodies;
    spec.contact_count = corners;
    spec.contacts = contacts;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

/** Run, or fail with what the report says. */
static inline carom_compliant_run *run_compliant(const carom_mechanism *mechanism,
                                                 const carom_compliant_params *params,
                                                 const double *q, const double *v) {
    carom_compliant_run *run = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_compliant_simulate(mechanism, params, q, v, &run, &report);
    ck_assert_msg(status == CAROM_OK, "%s: %s at %.17g s", carom_status_name(status),
                  report.quantity == NULL ? "?" : report.quantity, report.time);
    return run;
}

/** Angle of degrees. */
static inline double radians(double degrees) {
    return degrees * 3.14159265358979323846 / 180.0;
}

/** A run of halm-2023 section 5.4.1: the block of table 4, tilted, on corners of given stiffness.
 */
static inline carom_compliant_run *run_block(double degrees, const double *stiffness) {
    carom_rigid_block_params block = carom_rigid_block_params_default();
    block.tilt = radians(degrees);
    carom_impact_scene *scene = NULL;
    assert_ok(carom_rigid_block_alloc(&block, &scene, NULL));
    carom_compliant_params params = carom_compliant_params_default();
    params.stiffness = stiffness;
    params.reference_mass = block.mass;
    params.regularisation_speed = 1e-10;
    params.stop_speed = 1e-9;
    params.least_impulse = 1e-2 * block.mass * block.initial_speed;
    carom_compliant_run *run = run_compliant(carom_impact_scene_mechanism(scene), &params,
                                             scene->position, scene->velocity);
    carom_impact_scene_free(scene);
    return run;
}

/** Kinetic, potential and elastic energy of a run, none of which should be gained. */
typedef struct energy_watch {
    const carom_mechanism *mechanism;
    const double *stiffness;
    double last;
    double largest_rise;
    double last_time;
    double work[16];
} energy_watch;

/** Observer with an energy_watch. */
static inline void watch_energy(const carom_compliant_instant *instant, void *context) {
    energy_watch *watch = context;
    const carom_mechanism *at = watch->mechanism;
    double energy =
        carom_mechanism_kinetic_energy(at, instant->position, instant->velocity, watch->work) +
        at->potential_energy(instant->position, at->context);
    for (int i = 0; i < at->contact_count; i++) {
        const double compression = fmax(0.0, -instant->gap[i]);
        energy += 0.5 * watch->stiffness[i] * compression * compression;
    }
    if (!isnan(watch->last)) {
        watch->largest_rise = fmax(watch->largest_rise, energy - watch->last);
    }
    ck_assert(instant->time >= watch->last_time);
    watch->last = energy;
    watch->last_time = instant->time;
}

#endif
