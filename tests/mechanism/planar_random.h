/** Random planar trees with every kind of joint and contact. */
#ifndef CAROM_TESTS_MECHANISM_PLANAR_RANDOM_H
#define CAROM_TESTS_MECHANISM_PLANAR_RANDOM_H

#include <carom/mechanism/planar_tree.h>

#include "../support.h"

enum {
    RANDOM_BODIES = 9,
    RANDOM_CONTACTS = 6,
    RANDOM_DEPTH = 6,
    RANDOM_COORDINATES = 3 * RANDOM_BODIES
};

/** What a random tree is made of; the first body is the world, fixed and turned by `world_angle`.
 */
typedef struct random_parts {
    carom_planar_body bodies[RANDOM_BODIES];
    carom_planar_contact contacts[RANDOM_CONTACTS];
    carom_planar_tree_spec spec;
} random_parts;

static inline carom_planar_body random_body(gsl_rng *generator, int parent) {
    carom_planar_body body = {
        .parent = parent,
        .type = (carom_planar_joint)gsl_rng_uniform_int(generator, 5),
        .joint_point = {uniform(generator, -1.0, 1.0), uniform(generator, -1.0, 1.0)},
        .joint_angle = uniform(generator, -3.0, 3.0),
        .axis_angle = uniform(generator, -3.0, 3.0),
    };
    switch (gsl_rng_uniform_int(generator, 5)) {
    case 0:
        body.shape = carom_planar_massless();
        break;
    case 1:
        body.shape = carom_planar_rod(uniform(generator, 0.5, 2.0), uniform(generator, 0.3, 2.0));
        break;
    case 2:
        body.shape = carom_planar_box(uniform(generator, 0.5, 2.0), uniform(generator, 0.3, 2.0),
                                      uniform(generator, 0.3, 2.0));
        break;
    case 3:
        body.shape = carom_planar_disc(uniform(generator, 0.5, 2.0), uniform(generator, 0.3, 1.0));
        break;
    default:
        body.shape =
            carom_planar_point_mass(uniform(generator, 0.5, 2.0), uniform(generator, -1.0, 1.0),
                                    uniform(generator, -1.0, 1.0));
        break;
    }
    return body;
}

/** A contact of a random kind of which at least one body is not the world. */
static inline carom_planar_contact random_contact(gsl_rng *generator) {
    const int body = 1 + (int)gsl_rng_uniform_int(generator, RANDOM_BODIES - 1);
    int other = (int)gsl_rng_uniform_int(generator, RANDOM_BODIES);
    other = other == body ? 0 : other;
    return (carom_planar_contact){
        .kind = (carom_planar_contact_kind)gsl_rng_uniform_int(generator, 3),
        .body = body,
        .point = {uniform(generator, -2.0, 2.0), uniform(generator, -2.0, 2.0)},
        .radius = uniform(generator, 0.1, 1.5),
        .wall = {{uniform(generator, -2.0, 2.0), uniform(generator, -2.0, 2.0)},
                 {uniform(generator, -2.0, 2.0), uniform(generator, 0.1, 2.0)}},
        .other_body = other,
        .other_point = {uniform(generator, -2.0, 2.0), uniform(generator, -2.0, 2.0)},
        .other_radius = uniform(generator, 0.1, 1.5),
        .friction = uniform(generator, 0.1, 2.0),
        .restitution = uniform(generator, 0.0, 1.0),
        .is_tangent_reversed = gsl_rng_uniform(generator) < 0.5,
    };
}

/** Bodies hang on any earlier one, at most RANDOM_DEPTH deep below the world; the next to last one
 * floats, so that there are coordinates. */
static inline void random_parts_make(random_parts *self, gsl_rng *generator) {
    int depth[RANDOM_BODIES] = {0};
    self->bodies[0] = carom_planar_fixed(-1, 0.0, 0.0, carom_planar_massless());
    for (int i = 1; i < RANDOM_BODIES; i++) {
        /* long branches more often than a uniform choice gives */
        int parent = gsl_rng_uniform(generator) < 0.5
                         ? i - 1
                         : (int)gsl_rng_uniform_int(generator, (unsigned long)i);
        while (depth[parent] >= RANDOM_DEPTH) {
            parent = self->bodies[parent].parent;
        }
        depth[i] = depth[parent] + 1;
        self->bodies[i] = random_body(generator, parent);
    }
    self->bodies[RANDOM_BODIES - 2].type = CAROM_PLANAR_FLOATING;
    for (int i = 0; i < RANDOM_CONTACTS; i++) {
        self->contacts[i] = random_contact(generator);
    }
    self->spec = (carom_planar_tree_spec){
        .name = "random",
        .body_count = RANDOM_BODIES,
        .bodies = self->bodies,
        .contact_count = RANDOM_CONTACTS,
        .contacts = self->contacts,
        .gravity = {uniform(generator, -3.0, 3.0), uniform(generator, -9.0, -5.0)},
    };
}

/** A state in which no two discs in contact are nearly concentric: their normals would turn over
 * lengths much shorter than one. */
static inline void random_state(const carom_planar_tree *tree, gsl_rng *generator, double *q,
                                double *v) {
    const carom_mechanism *mechanism = carom_planar_tree_mechanism(tree);
    const double least_distance = 0.7;
    bool is_apart = false;
    for (int attempt = 0; attempt < 100 && !is_apart; attempt++) {
        for (int i = 0; i < mechanism->coordinate_count; i++) {
            q[i] = uniform(generator, -2.0, 2.0);
            v[i] = uniform(generator, -2.0, 2.0);
        }
        is_apart = true;
        for (int i = 0; i < mechanism->contact_count; i++) {
            const carom_planar_contact *contact = carom_planar_tree_contact(tree, i);
            const double distance = carom_planar_tree_contact_place(tree, q, i).gap +
                                    contact->radius + contact->other_radius;
            is_apart =
                is_apart && (contact->kind != CAROM_PLANAR_DISC_DISC || distance > least_distance);
        }
    }
}

#endif
