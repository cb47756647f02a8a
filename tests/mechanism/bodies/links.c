/* carom/mechanism/bodies/bodies.h with a tree: its links among free bodies, against the tree by
 * itself, and derivatives. */
#include <carom/mechanism/bodies/bodies.h>

#include "../../derivatives.h"
#include "../planar_random.h"

#include <string.h>

static const double UP[] = {0.0, 0.0, 0.0, 1.0};
static const double BOX[] = {-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4};
static const double CAPSULE[] = {-0.4, 0.1, 0.5, -0.1};
static const double CENTER[] = {0.0, 0.0};

static const carom_planar_shape FREE[] = {{2.385, 0.31, {0.05, -0.03}}, {1.17, 0.11, {0.0, 0.02}}};
enum { BODIES = 2, LINKS = RANDOM_BODIES, MOST = 3 * BODIES + RANDOM_COORDINATES + 4 };

static carom_planar_tree *tree_of(carom_planar_tree_spec spec) {
    carom_planar_tree *tree = NULL;
    spec.contact_count = 0;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

/** A disc, a box or a capsule on every body, and the ground. */
static void fill_shapes(carom_bodies_shape shapes[BODIES + LINKS + 1]) {
    for (int k = 0; k < BODIES + LINKS; k++) {
        const int kind = k % 3;
        shapes[k] = (carom_bodies_shape){.body = k,
                                         .point_count = kind == 0   ? 1
                                                        : kind == 1 ? 4
                                                                    : 2,
                                         .points = kind == 0   ? CENTER
                                                   : kind == 1 ? BOX
                                                               : CAPSULE,
                                         .radius = kind == 1 ? 0.0 : 0.3,
                                         .friction = 0.1 + 0.05 * k,
                                         .restitution = 0.4};
    }
    shapes[BODIES + LINKS] = (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                                  .is_half_plane = true,
                                                  .point_count = 2,
                                                  .points = UP,
                                                  .friction = 0.3,
                                                  .surface_speed = 0.7};
}

/** Between free bodies, links and the ground: each kind, with stops; springs of both kinds. */
static const carom_bodies_joint JOINTS[] = {
    {.kind = CAROM_BODIES_REVOLUTE,
     .first = BODIES + 3,
     .second = 0,
     .first_point = {0.3, 0.2},
     .second_point = {-0.1, 0.4},
     .has_stops = true,
     .stops = {-0.7, 1.1},
     .collides = true},
    {.kind = CAROM_BODIES_PRISMATIC,
     .first = 1,
     .second = BODIES + 5,
     .first_point = {0.1, 0.2},
     .second_point = {0.3, -0.1},
     .axis_angle = 0.7,
     .has_stops = true,
     .stops = {-0.2, 0.5},
     .collides = true},
    {.kind = CAROM_BODIES_DRIVEN,
     .first = BODIES + 2,
     .second = BODIES + 7,
     .coordinate = 2,
     .motion = {0.1, -0.7, 0.3, 1.1, 0.4},
     .collides = true},
    {.kind = CAROM_BODIES_REVOLUTE, .first = 0, .second = 1, .friction = 1.3, .collides = true}};
static const carom_bodies_spring SPRINGS[] = {
    {0, BODIES + 4, {0.1, 0.2}, {-0.3, 0.1}, 17.3, 2.1, 0.6, false},
    {CAROM_BODIES_GROUND, BODIES + 6, {0.4, 3.2}, {0.2, 0.3}, 9.7, 0.4, 1.3, false},
    {BODIES + 8, 1, {0.0, 0.0}, {0.0, 0.0}, 3.1, 0.7, 0.2, true}};

static carom_bodies *build(const carom_bodies_spec *spec) {
    carom_bodies *bodies = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_bodies_alloc(spec, &bodies, &report);
    ck_assert_msg(status == CAROM_OK, "%s %g", report.quantity, report.value);
    return bodies;
}

/** Free bodies and a tree, with all that joins them. */
static carom_bodies_spec spec_with(const carom_planar_tree *tree,
                                   const carom_bodies_shape shapes[BODIES + LINKS + 1]) {
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = BODIES;
    spec.bodies = FREE;
    spec.tree = tree;
    spec.shape_count = shapes != NULL ? BODIES + LINKS + 1 : 0;
    spec.shapes = shapes;
    spec.joint_count = sizeof JOINTS / sizeof *JOINTS;
    spec.joints = JOINTS;
    spec.spring_count = sizeof SPRINGS / sizeof *SPRINGS;
    spec.springs = SPRINGS;
    spec.most_contacts = shapes != NULL ? 150 : 0;
    return spec;
}

static void draw_state(gsl_rng *generator, int n, double *q, double *v) {
    for (int i = 0; i < n; i++) {
        q[i] = uniform(generator, -1.3, 1.3);
        v[i] = uniform(generator, -2.0, 2.0);
    }
}

/** Random trees with every kind of joint, contacts of every kind among them and free bodies; and
 * without shapes, where d(G'lambda)/dq has its place. */
TEST(property, derivatives_are_those_of_differences) {
    gsl_rng *generator = seeded_generator(31);
    carom_bodies_shape shapes[BODIES + LINKS + 1];
    fill_shapes(shapes);
    int contacts = 0;
    for (int draw = 0; draw < 24; draw++) {
        random_parts parts;
        random_parts_make(&parts, generator);
        parts.spec.gravity[0] = 0.0;
        parts.spec.gravity[1] = -9.81;
        CAROM_AUTO(carom_planar_tree) tree = tree_of(parts.spec);
        const carom_bodies_spec spec = spec_with(tree, draw % 3 == 0 ? NULL : shapes);
        CAROM_AUTO(carom_bodies) bodies = build(&spec);
        const carom_mechanism *m = carom_bodies_mechanism(bodies);
        double q[MOST];
        double v[MOST];
        draw_state(generator, m->coordinate_count, q, v);
        if (m->update_contacts != NULL) {
            assert_ok(m->update_contacts(0.3, 0.01, q, v, NULL, NULL, m->context));
            contacts += carom_bodies_contact_count(bodies);
        }
        ck_assert_int_eq(m->constraint_force_derivative != NULL, draw % 3 == 0);
        assert_derivatives(m, 0.3, q, v, 1e-6, 5, (unsigned)draw);
        assert_ok(carom_mechanism_check_directions(m, 0.3, q, v, 5, NULL));
        assert_ok(carom_mechanism_validate(m, 0.3, q, v, NULL));
    }
    gsl_rng_free(generator);
    ck_assert_int_ge(contacts, 100);
}

/** The largest of some numbers. */
static double largest_of(int count, const double *numbers) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(numbers[i]));
    }
    return largest;
}

/** Without anything that joins it to others, the tree moves as by itself and the free bodies as
 * theirs: forces, energies and the mass matrix, whose blocks are apart. Both sum the same terms in
 * another order: some roundings of the largest. */
TEST(property, a_tree_beside_free_bodies_has_its_own_dynamics) {
    gsl_rng *generator = seeded_generator(32);
    for (int draw = 0; draw < 20; draw++) {
        random_parts parts;
        random_parts_make(&parts, generator);
        CAROM_AUTO(carom_planar_tree) tree = tree_of(parts.spec);
        carom_bodies_spec spec = carom_bodies_spec_default();
        spec.body_count = BODIES;
        spec.bodies = FREE;
        memcpy(spec.gravity, parts.spec.gravity, sizeof spec.gravity);
        CAROM_AUTO(carom_bodies) alone = build(&spec);
        spec.tree = tree;
        CAROM_AUTO(carom_bodies) together = build(&spec);
        const carom_mechanism *a = carom_planar_tree_mechanism(tree);
        const carom_mechanism *b = carom_bodies_mechanism(alone);
        const carom_mechanism *m = carom_bodies_mechanism(together);
        const int first = b->coordinate_count;
        const int n = a->coordinate_count;
        ck_assert_int_eq(m->coordinate_count, first + n);
        double q[MOST];
        double v[MOST];
        draw_state(generator, first + n, q, v);

        double f[MOST];
        double expected[MOST];
        m->force(0.3, q, v, f, m->context);
        b->force(0.3, q, v, expected, b->context);
        a->force(0.3, q + first, v + first, expected + first, a->context);
        const double scale = largest_of(first + n, expected);
        for (int i = 0; i < first + n; i++) {
            assert_close(f[i], expected[i], 0.0, 1e-13 * scale);
        }

        double M[MOST * MOST];
        double of_tree[MOST * MOST];
        m->mass(q, M, m->context);
        a->mass(q + first, of_tree, a->context);
        const double heaviest = largest_of(n * n, of_tree);
        for (int i = 0; i < first + n; i++) {
            for (int j = carom_layout_first_column(m->layout, i);
                 j < carom_layout_end_column(m->layout, i); j++) {
                const double own = i >= first && j >= first ? of_tree[(i - first) * n + j - first]
                                   : i != j                 ? 0.0
                                   : i % 3 == 2             ? FREE[i / 3].inertia
                                                            : FREE[i / 3].mass;
                assert_close(M[carom_layout_index(m->layout, i, j)], own, 0.0, 1e-13 * heaviest);
            }
        }
        const double energy = a->potential_energy(q + first, a->context);
        assert_close(m->potential_energy(q, m->context),
                     b->potential_energy(q, b->context) + energy, 1e-13, 1e-13 * heaviest);

        for (int link = 0; link < LINKS; link++) {
            double pose[3];
            double own[3];
            carom_bodies_pose(together, q, BODIES + link, pose);
            carom_planar_tree_pose(tree, q + first, link, own);
            for (int k = 0; k < 3; k++) {
                assert_close(pose[k], own[k], 1e-13, 1e-13);
            }
        }
    }
    gsl_rng_free(generator);
}

/** Contacts that a tree has of its own, a corner and a disc above a wall and a disc beside a disc
 * of the ground: the same gaps, rows and rates of them are found. */
TEST(property, contacts_of_a_link_are_those_of_the_tree) {
    const carom_planar_wall floor = carom_planar_floor(0.0);
    const carom_planar_shape ball = {0.7, 0.05, {0.02, 0.01}};
    const carom_planar_body bodies[] = {carom_planar_revolute(-1, 0.1, 1.1, FREE[0]),
                                        carom_planar_prismatic(0, 0.3, -0.2, 0.4, FREE[1]),
                                        carom_planar_revolute(1, 0.2, -0.1, ball)};
    const carom_planar_contact contacts[] = {
        carom_planar_disc_on_wall(2, 0.0, 0.0, 0.3, floor, 0.3),
        carom_planar_disc_on_disc(-1, 0.25, 2, 0.3, 0.3)};
    carom_planar_tree_spec own = carom_planar_tree_spec_default();
    own.body_count = 3;
    own.bodies = bodies;
    CAROM_AUTO(carom_planar_tree) tree = tree_of(own);
    own.contact_count = 2;
    own.contacts = contacts;
    CAROM_AUTO(carom_planar_tree) touching = NULL;
    assert_ok(carom_planar_tree_alloc(&own, &touching, NULL));
    const carom_bodies_shape shapes[] = {
        {.body = CAROM_BODIES_GROUND, .is_half_plane = true, .point_count = 2, .points = UP},
        {.body = CAROM_BODIES_GROUND, .point_count = 1, .points = CENTER, .radius = 0.25},
        {.body = 2, .point_count = 1, .points = CENTER, .radius = 0.3}};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.tree = tree;
    spec.shape_count = 3;
    spec.shapes = shapes;
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *a = carom_planar_tree_mechanism(touching);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    gsl_rng *generator = seeded_generator(33);
    for (int draw = 0; draw < 10; draw++) {
        double q[3];
        double v[3];
        double fast[3];
        draw_state(generator, 3, q, v);
        for (int i = 0; i < 3; i++) {
            fast[i] = 1e3 * v[i]; /* so that all that there is comes near in a step */
        }
        assert_ok(m->update_contacts(0.0, 1.0, q, fast, NULL, NULL, m->context));
        ck_assert_int_eq(carom_bodies_contact_count(s), 2);
        double one[MOST];
        double other[MOST];
        m->constraints(q, one, m->context);
        a->constraints(q, other, a->context);
        for (int j = 0; j < 2; j++) {
            assert_close(one[j], other[j], 1e-13, 1e-14);
        }
        carom_mechanism_constraint_jacobian(m, q, one);
        carom_mechanism_constraint_jacobian(a, q, other);
        for (int i = 0; i < 6; i++) {
            assert_close(one[i], other[i], 1e-12, 1e-13);
        }
        carom_mechanism_constraint_rate_derivative(m, q, v, one);
        carom_mechanism_constraint_rate_derivative(a, q, v, other);
        for (int i = 0; i < 6; i++) {
            assert_close(one[i], other[i], 1e-11, 1e-12);
        }
        carom_mechanism_tangential_jacobian(m, q, one);
        carom_mechanism_tangential_jacobian(a, q, other);
        for (int i = 0; i < 3; i++) {
            assert_close(one[i], other[i], 1e-12, 1e-13);
        }
    }
    gsl_rng_free(generator);
}

/** What two things do to each other has neither force nor moment: of a tree that floats and free
 * bodies no row of a contact sees a motion of the whole. */
TEST(property, contacts_among_links_and_bodies_have_no_sum) {
    const carom_planar_body links[] = {carom_planar_floating(FREE[0]),
                                       carom_planar_revolute(0, 0.4, 0.3, FREE[1]),
                                       carom_planar_prismatic(1, 0.2, 0.1, 0.6, FREE[0]),
                                       carom_planar_revolute(0, -0.5, 0.2, FREE[1])};
    const carom_planar_tree_spec of_tree = {
        .body_count = 4, .bodies = links, .gravity = {0.0, -9.81}};
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    assert_ok(carom_planar_tree_alloc(&of_tree, &tree, NULL));
    carom_bodies_shape shapes[BODIES + LINKS + 1];
    fill_shapes(shapes);
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = BODIES;
    spec.bodies = FREE;
    spec.shape_count = BODIES + 4;
    spec.shapes = shapes;
    spec.tree = tree;
    spec.most_contacts = 60;
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    enum { N = 3 * BODIES + 6 };
    gsl_rng *generator = seeded_generator(34);
    int contacts = 0;
    for (int draw = 0; draw < 20; draw++) {
        double q[N];
        double v[N];
        double rows[2][60 * N];
        draw_state(generator, N, q, v);
        assert_ok(m->update_contacts(0.0, 0.1, q, v, NULL, NULL, m->context));
        contacts += carom_bodies_contact_count(s);
        double gaps[60];
        m->constraints(q, gaps, m->context);
        carom_mechanism_constraint_jacobian(m, q, rows[0]);
        carom_mechanism_tangential_jacobian(m, q, rows[1]);
        for (int way = 0; way < 3; way++) {
            double whole[N] = {0.0}; /* along x, along y, about the origin */
            for (int k = 0; k <= BODIES; k++) {
                whole[3 * k] = way == 0 ? 1.0 : way == 2 ? -q[3 * k + 1] : 0.0;
                whole[3 * k + 1] = way == 1 ? 1.0 : way == 2 ? q[3 * k] : 0.0;
                whole[3 * k + 2] = way == 2 ? 1.0 : 0.0;
            }
            for (int row = 0; row < 120; row++) {
                double sum = 0.0;
                for (int i = 0; i < N; i++) {
                    sum += rows[row / 60][row % 60 * N + i] * whole[i];
                }
                /* surfaces that are apart by a gap slide on each other in a turn of the whole */
                const double apart = row >= 60 && way == 2 ? fabs(gaps[row - 60]) : 0.0;
                assert_close(sum, 0.0, 0.0, apart + 1e-13);
            }
        }
    }
    gsl_rng_free(generator);
    ck_assert_int_ge(contacts, 60);
}
