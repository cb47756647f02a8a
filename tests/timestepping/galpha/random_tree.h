/** Small planar mechanisms with friction and restitution: a box that falls, with arms, onto a floor
 * that is not level, whatever they touch it with. */
#ifndef CAROM_TESTS_TIMESTEPPING_RANDOM_TREE_H
#define CAROM_TESTS_TIMESTEPPING_RANDOM_TREE_H

#include "friction_bodies.h"

enum {
    TREE_MAX_BODIES = 3,
    TREE_MAX_CONTACTS = 6,
    TREE_MAX_COORDINATES = 2 + TREE_MAX_BODIES,
    TREE_MAX_ROWS = 2 * TREE_MAX_CONTACTS
};

/** How it is built: `contacts` may be rearranged before random_tree_build. */
typedef struct random_tree {
    carom_planar_body bodies[TREE_MAX_BODIES];
    carom_planar_contact contacts[TREE_MAX_ROWS];
    carom_planar_tree_spec spec;
    carom_planar_tree *tree;
    const carom_mechanism *mechanism;
    double q[TREE_MAX_COORDINATES];
    double v[TREE_MAX_COORDINATES];
} random_tree;

/** The tree of its contacts; the one before is freed. */
static inline void random_tree_build(random_tree *t) {
    carom_planar_tree_free(t->tree);
    t->spec.bodies = t->bodies;
    t->spec.contacts = t->contacts;
    assert_ok(carom_planar_tree_alloc(&t->spec, &t->tree, NULL));
    t->mechanism = carom_planar_tree_mechanism(t->tree);
}

/** Friction up to mu, restitution up to e, the lowest point closer to the floor than 5 cm. */
static inline void random_tree_init(random_tree *t, gsl_rng *generator, double mu, double e) {
    memset(t, 0, sizeof *t);
    const double slope = uniform(generator, -0.4, 0.4);
    const carom_planar_wall floor = {{0.0, 0.0}, {-sin(slope), cos(slope)}};
    const double x = uniform(generator, 0.1, 0.3);
    const double y = uniform(generator, 0.1, 0.3);
    t->spec = carom_planar_tree_spec_default();
    t->spec.body_count = 1 + (int)uniform(generator, 0.0, TREE_MAX_BODIES);
    t->spec.gravity[1] = -GRAVITY;
    t->bodies[0] =
        carom_planar_floating(carom_planar_box(uniform(generator, 0.5, 3.0), 2.0 * x, 2.0 * y));
    int count = 0;
    for (int corner = 0; corner < 4; corner++) {
        t->contacts[count++] = carom_planar_corner_on_wall(0, corner % 2 == 0 ? -x : x,
                                                           corner / 2 == 0 ? -y : y, floor, 0.0);
    }
    for (int arm = 1; arm < t->spec.body_count; arm++) {
        const double length = uniform(generator, 0.2, 0.5);
        t->bodies[arm] = carom_planar_revolute(
            0, arm == 1 ? x : -x, y, carom_planar_rod(uniform(generator, 0.3, 1.0), length));
        t->contacts[count++] = carom_planar_corner_on_wall(arm, 0.0, -length, floor, 0.0);
    }
    for (int j = 0; j < count; j++) {
        t->contacts[j].friction = uniform(generator, 0.0, mu);
        t->contacts[j].restitution = uniform(generator, 0.0, 1.0) < 0.5 ? 0.0 : e;
    }
    t->spec.contact_count = count;
    random_tree_build(t);
    const int n = t->mechanism->coordinate_count;
    for (int i = 0; i < n; i++) {
        t->q[i] = i < 2 ? 0.0 : uniform(generator, -1.5, 1.5);
        t->v[i] = uniform(generator, -2.0, 2.0);
    }
    double gap[TREE_MAX_ROWS];
    t->mechanism->constraints(t->q, gap, t->mechanism->context);
    double lowest = gap[0];
    for (int j = 1; j < count; j++) {
        lowest = fmin(lowest, gap[j]);
    }
    t->q[1] = (uniform(generator, 0.0, 0.05) - lowest) / cos(slope);
}

#endif
