/** Runs of the differential inclusion on a ball and on bodies above a floor: what its suites share.
 */
#ifndef CAROM_TESTS_TIMESTEPPING_INCLUSION_RUNS_H
#define CAROM_TESTS_TIMESTEPPING_INCLUSION_RUNS_H

#include "../../support.h"

#include <carom/mechanism/planar_tree.h>
#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/inclusion/internal.h>
#include <carom/timestepping/trajectory.h>

#include <string.h>

/** Sums over a run of some thousand steps, of terms of order one, each rounded. */
static const double ROUNDING = 1e-11;

/** Gaps of a run: those that curvature has made negative are closed up to rounding. */
static const double GAP_ROUNDING = 1e-12;

static const double GRAVITY = 9.81;

/** Parameters with a step. */
static inline carom_inclusion_params with_step(double step) {
    carom_inclusion_params params = carom_inclusion_params_default();
    params.step = step;
    params.reference_force = 1.0;
    return params;
}

static inline carom_trajectory *run(const carom_mechanism *mechanism, double step, const double *q0,
                                    const double *v0, double length) {
    const carom_inclusion_params params = with_step(step);
    carom_trajectory *trajectory;
    assert_ok(carom_inclusion_run(mechanism, &params, q0, v0, length, INFINITY, &trajectory, NULL));
    return trajectory;
}

static inline int last_row(const carom_trajectory *trajectory) {
    return trajectory->row_count - 1;
}

/** The first row from which on time stands still no more; -1 if it never stands. */
static inline int end_of_impact(const carom_trajectory *trajectory) {
    int end = -1;
    for (int k = 1; k < trajectory->row_count; k++) {
        if (!(trajectory->time_rate[k] > 0.0)) {
            end = k;
        }
    }
    return end;
}

/* ---- Positions below a wall: q + M^-1 G' nu. ---- */

static inline void ball_mass(const double *q, double *M, void *context) {
    (void)q;
    (void)context;
    M[0] = 1.0;
}

static inline void ball_force(double t, const double *q, const double *v, double *f,
                              void *context) {
    (void)t;
    (void)q;
    (void)v;
    (void)context;
    f[0] = -1.0;
}

static inline double ball_energy(const double *q, void *context) {
    (void)context;
    return q[0];
}

static inline void ball_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[0];
}

static inline void ball_jacobian(const double *q, double *G, void *context) {
    (void)q;
    (void)context;
    G[0] = 1.0;
}

static inline carom_mechanism ball(void) {
    static const double restitution = 0.0;
    return (carom_mechanism){
        .name = "ball",
        .coordinate_count = 1,
        .contact_count = 1,
        .layout = carom_layout_full(1),
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = &restitution,
        .mass = ball_mass,
        .force = ball_force,
        .potential_energy = ball_energy,
        .constraints = ball_gap,
        .constraint_jacobian = ball_jacobian,
    };
}

/** One body on the floor with up to two corners. */
static inline carom_planar_tree *body_on_floor(carom_planar_shape shape, int corner_count,
                                               const double (*corners)[2], double mu,
                                               double gravity) {
    const carom_planar_body body = carom_planar_floating(shape);
    carom_planar_contact contacts[2];
    for (int i = 0; i < corner_count; i++) {
        contacts[i] = carom_planar_corner_on_wall(0, corners[i][0], corners[i][1],
                                                  carom_planar_floor(0.0), mu);
    }
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 1;
    spec.bodies = &body;
    spec.contact_count = corner_count;
    spec.contacts = contacts;
    spec.gravity[1] = -gravity;
    carom_planar_tree *tree;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

/** A uniform rectangle on its lower left (A) and lower right (B) corner. */
static inline carom_planar_tree *block(double width, double height, double mu, double gravity) {
    const double corners[2][2] = {{-0.5 * width, -0.5 * height}, {0.5 * width, -0.5 * height}};
    return body_on_floor(carom_planar_box(1.0, width, height), 2, corners, mu, gravity);
}

/** A uniform rod of mass 1 and half length 1 with one end on the floor. */
static inline carom_planar_tree *rod(double mu) {
    const double corner[1][2] = {{-1.0, 0.0}};
    const carom_planar_shape shape = {.mass = 1.0, .inertia = 1.0 / 3.0, .center = {0.0, 0.0}};
    return body_on_floor(shape, 1, corner, mu, GRAVITY);
}

/** The Zeno block of the specification, 3.2: flat, turning about A with 1 rad/s. */
static inline carom_trajectory *zeno_block(double step, double length) {
    carom_planar_tree *tree = block(1.0, 2.0, 1.0, GRAVITY);
    const double q0[3] = {0.0, 1.0, 0.0};
    const double v0[3] = {-1.0, 0.5, 1.0};
    carom_trajectory *trajectory = run(carom_planar_tree_mechanism(tree), step, q0, v0, length);
    carom_planar_tree_free(tree);
    return trajectory;
}

/** The last row in which the block still turns. */
static inline int row_of_rest(const carom_trajectory *trajectory) {
    int row = last_row(trajectory);
    while (row > 0 && fabs(trajectory->velocity[3 * row + 2]) < 1e-9) {
        row--;
    }
    return row;
}

#endif
