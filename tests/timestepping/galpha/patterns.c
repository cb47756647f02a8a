/* Mechanisms whose Jacobians are stored by their entries move as those with full ones, in every
 * scheme of fixed steps. */
#include "friction_bodies.h"
#include "random_mechanism.h"
#include "sparse_mechanism.h"

#include <carom/mechanism/planar_tree.h>

/* What the tolerances of two steps leave between two runs, beside what the state is. */
static const double AGREEMENT = 1e-8;

static double size_of(int n, const double *x) {
    double size = 0.0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(x[i]));
    }
    return size;
}

/* Step by step, full and sparse, the impulses too. @return contacts that pressed */
static int compare_runs(const carom_mechanism *full, const carom_mechanism *sparse,
                        const carom_stepper_params *params, const double *q, const double *v,
                        int steps) {
    const int n = full->coordinate_count;
    const int m = carom_mechanism_constraint_count(full);
    int pressed = 0;
    carom_stepper *steppers[2] = {started(full, params, q, v), started(sparse, params, q, v)};
    for (int k = 0; k < steps; k++) {
        const carom_step *step[2];
        for (int i = 0; i < 2; i++) {
            assert_ok(carom_stepper_advance(steppers[i], NULL));
            step[i] = carom_stepper_result(steppers[i]);
            ck_assert_double_le(step[i]->smooth_residual, params->tolerance);
            ck_assert_double_le(step[i]->velocity_residual, params->tolerance);
            ck_assert_double_le(step[i]->position_residual, params->tolerance);
        }
        const double speed = 1.0 + size_of(n, step[0]->velocity);
        for (int i = 0; i < n; i++) {
            assert_close(step[1]->velocity[i], step[0]->velocity[i], 0.0, AGREEMENT * speed);
            assert_close(step[1]->position[i], step[0]->position[i], 0.0,
                         AGREEMENT * params->step * speed * (k + 1));
        }
        for (int j = 0; j < m; j++) {
            pressed += step[0]->impulse[j] > 0.0 || step[0]->force[j] > 0.0 ? 1 : 0;
        }
    }
    carom_stepper_free(steppers[0]);
    carom_stepper_free(steppers[1]);
    return pressed;
}

static int compare_schemes(const carom_mechanism *inner, const double *q, const double *v, double h,
                           int steps) {
    sparse_mechanism sparse;
    int pressed = 0;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        for (int linear = 0; linear < 2; linear++) {
            carom_stepper_params params = scheme_with_step((carom_scheme)scheme, h);
            params.use_linear_step = linear == 1;
            if (carom_mechanism_has_friction(inner) &&
                (scheme == CAROM_SCHEME_SMOOTH_GALPHA || scheme == CAROM_SCHEME_MODIFIED_LCP)) {
                continue;
            }
            const carom_mechanism full = taken_by((carom_scheme)scheme, inner);
            ck_assert_int_ge(sparse_init(&sparse, &full, q), 0);
            pressed += compare_runs(&full, &sparse.mechanism, &params, q, v, steps);
        }
    }
    return pressed;
}

TEST(property, stored_by_entries_a_mechanism_moves_as_with_full_jacobians) {
    int pressed = 0;
    for (unsigned long seed = 0; seed < 40; seed++) {
        gsl_rng *generator = seeded_generator(seed);
        const random_shape shape = {.coordinates = 2 + (int)(seed % 3),
                                    .joints = seed % 4 == 1 ? 1 : 0,
                                    .contacts = (int)(seed % 3),
                                    .is_linear = seed % 2 == 0,
                                    .is_banded = seed % 5 == 0,
                                    .has_damping = seed % 3 == 0,
                                    .closed_share = 0.5,
                                    .largest_gap = 0.01};
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        pressed += compare_schemes(&r.mechanism, r.q0, r.v0, 1e-3, 15);
        gsl_rng_free(generator);
    }
    ck_assert_int_gt(pressed, 100);
}

/* A disc that falls onto two, whose rows turn. */
static carom_planar_tree *three_discs(void) {
    const carom_planar_body disc = carom_planar_floating(carom_planar_disc(MASS, 1.0));
    const carom_planar_body bodies[3] = {disc, disc, disc};
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_contact contacts[5] = {
        carom_planar_disc_on_wall(1, 0.0, 0.0, 1.0, floor, 0.3),
        carom_planar_disc_on_wall(2, 0.0, 0.0, 1.0, floor, 0.5),
        carom_planar_disc_on_disc(0, 1.0, 1, 1.0, 0.4),
        carom_planar_disc_on_disc(0, 1.0, 2, 1.0, 0.2),
        carom_planar_disc_on_disc(1, 1.0, 2, 1.0, 0.1),
    };
    carom_planar_tree_spec spec = carom_planar_tree_spec_default();
    spec.body_count = 3;
    spec.bodies = bodies;
    spec.contact_count = 5;
    spec.contacts = contacts;
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

TEST(property, so_do_bodies_with_friction) {
    body b;
    cube_init(&b, MASS, 0.7, 0.437);
    tilt(&b, 0.3, 0.7);
    b.v[0] = 0.4;
    b.v[2] = -0.3;
    ck_assert_int_gt(compare_schemes(&b.mechanism, b.q, b.v, 1e-3, 40), 0);
    carom_planar_tree *discs = three_discs();
    const double q[9] = {1.0, 1.0 + sqrt(3.0), 0.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0};
    const double v[9] = {0.0, -1.0};
    ck_assert_int_gt(compare_schemes(carom_planar_tree_mechanism(discs), q, v, 1e-3, 40), 0);
    carom_planar_tree_free(discs);
}
