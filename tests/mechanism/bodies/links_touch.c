/* carom/mechanism/bodies/bodies.h with a tree: which links touch what, where its coordinates stand,
 * and what is refused. */
#include <carom/mechanism/bodies/bodies.h>

#include "../../failing_malloc.h"
#include "../../support.h"

static const double UP[] = {0.0, 0.0, 0.0, 1.0};
static const double BOX[] = {-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4};
static const double CENTER[] = {0.0, 0.0};

static carom_bodies *build(const carom_bodies_spec *spec) {
    carom_bodies *bodies = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_bodies_alloc(spec, &bodies, &report);
    ck_assert_msg(status == CAROM_OK, "%s %g", report.quantity, report.value);
    return bodies;
}

/** An arm with an upper arm, a forearm and a hand fixed to it, from a post fixed to the ground. */
static carom_planar_tree *arm_of(double gravity) {
    const carom_planar_shape rod = carom_planar_rod(1.3, 0.6);
    const carom_planar_body links[] = {carom_planar_fixed(-1, 0.0, 1.5, carom_planar_massless()),
                                       carom_planar_revolute(0, 0.0, 0.0, rod),
                                       carom_planar_revolute(1, 0.0, -0.6, rod),
                                       carom_planar_fixed(2, 0.0, -0.6, carom_planar_massless())};
    const carom_planar_tree_spec spec = {
        .body_count = 4, .bodies = links, .gravity = {0.0, gravity}};
    carom_planar_tree *tree = NULL;
    assert_ok(carom_planar_tree_alloc(&spec, &tree, NULL));
    return tree;
}

enum { SHAPES = 7 };

/** A disc on each link, the ground below, a free box, and a foot of the post in the ground. */
static void fill_arm(carom_bodies_shape shapes[SHAPES]) {
    static const double middle[] = {0.0, -0.3};
    static const double foot[] = {-3.0, -1.4};
    for (int k = 0; k < 4; k++) {
        shapes[k] = (carom_bodies_shape){.body = 1 + k,
                                         .point_count = 1,
                                         .points = k == 1 || k == 2 ? middle : CENTER,
                                         .radius = 0.32};
    }
    shapes[4] = (carom_bodies_shape){
        .body = CAROM_BODIES_GROUND, .is_half_plane = true, .point_count = 2, .points = UP};
    shapes[5] = (carom_bodies_shape){.body = 0, .point_count = 4, .points = BOX};
    shapes[6] = (carom_bodies_shape){.body = 1, .point_count = 1, .points = foot, .radius = 0.2};
}

static carom_bodies_spec arm_spec(const carom_planar_tree *tree,
                                  const carom_bodies_shape shapes[SHAPES]) {
    carom_bodies_spec spec = carom_bodies_spec_default();
    static const carom_planar_shape box = {2.385, 0.31, {0.0, 0.0}};
    spec.body_count = 1;
    spec.bodies = &box;
    spec.shape_count = SHAPES;
    spec.shapes = shapes;
    spec.tree = tree;
    return spec;
}

/** Links that a joint holds, or that are fixed to each other or to the ground, overlap as they
 * like; the hand is one body with the forearm. Others, free bodies and the ground are touched: the
 * deepest is named. */
TEST(unit, links_do_not_touch_what_holds_them) {
    carom_bodies_shape shapes[SHAPES];
    fill_arm(shapes);
    CAROM_AUTO(carom_planar_tree) tree = arm_of(-9.81);
    const carom_bodies_spec spec = arm_spec(tree, shapes);
    CAROM_AUTO(carom_bodies) s = build(&spec);
    carom_bodies_contact deepest;
    /* stretched out: the hand 0.3 m above the ground with a radius of 0.32 */
    const double hanging[] = {5.0, 0.4, 0.0, 0.0, 0.0};
    assert_ok(carom_bodies_find_overlap(s, hanging, &deepest));
    ck_assert_int_eq(deepest.first, 3);
    ck_assert_int_eq(deepest.second, 4);
    assert_close(deepest.gap, -0.02, 0.0, 1e-15);
    assert_close(deepest.normal[1], -1.0, 0.0, 1e-15);
    /* raised: nothing but neighbours overlaps */
    const double raised[] = {5.0, 0.4, 0.0, 1.7, 0.0};
    assert_ok(carom_bodies_find_overlap(s, raised, &deepest));
    ck_assert_double_ge(deepest.gap, 0.0);
    /* the hand in the box */
    const double struck[] = {1.6, 1.5, 0.0, acos(0.0), 0.0};
    assert_ok(carom_bodies_find_overlap(s, struck, &deepest));
    ck_assert_int_eq(deepest.first, 3);
    ck_assert_int_eq(deepest.second, 5);
    assert_close(deepest.gap, 1.6 - 0.5 - (1.2 + 0.32), 1e-12, 0.0);
    /* folded, the forearm meets the post */
    const double folded[] = {5.0, 0.4, 0.0, 1.7, 2.0 * acos(0.0)};
    assert_ok(carom_bodies_find_overlap(s, folded, &deepest));
    ck_assert_int_eq(deepest.first, 0);
    ck_assert_int_eq(deepest.second, 3);
}

/* --- what is refused ---------------------------------------------------------------------------
 */

static void assert_refused(const carom_bodies_spec *spec, const char *quantity, double value) {
    carom_bodies *out = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_bodies_alloc(spec, &out, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(out);
    ck_assert_str_eq(report.quantity, quantity);
    assert_close(report.value, value, 0.0, 0.0);
}

TEST(errors, what_is_no_link_is_refused) {
    carom_bodies_shape shapes[SHAPES];
    fill_arm(shapes);
    CAROM_AUTO(carom_planar_tree) tree = arm_of(-9.81);
    carom_bodies_spec spec = arm_spec(tree, shapes);
    shapes[2].body = 5;
    assert_refused(&spec, "body of a shape", 5.0);
    shapes[2].body = 3;
    carom_bodies_joint joint = {.kind = CAROM_BODIES_REVOLUTE, .first = 0, .second = 5};
    spec.joint_count = 1;
    spec.joints = &joint;
    assert_refused(&spec, "body of a joint", 5.0);
    joint.second = 4;
    joint.friction = 0.3; /* a hand without mass has nothing that friction would act on by itself */
    assert_refused(&spec, "friction of a joint", 0.3);
    spec.joint_count = 0;
    const carom_bodies_spring spring = {.first = 0, .second = 7, .stiffness = 1.0};
    spec.spring_count = 1;
    spec.springs = &spring;
    assert_refused(&spec, "body of a spring", 7.0);
    spec.spring_count = 0;
    spec.body_count = -1;
    assert_refused(&spec, "bodies", -1.0);
    spec.body_count = 1;
    spec.gravity[1] = -1.62;
    assert_refused(&spec, "gravity of the tree", -9.81);
}

TEST(errors, a_tree_with_contacts_of_its_own_is_refused) {
    const carom_planar_body link = carom_planar_floating(carom_planar_box(2.1, 0.4, 0.3));
    const carom_planar_contact contact =
        carom_planar_disc_on_wall(0, 0.0, 0.0, 0.3, carom_planar_floor(0.0), 0.3);
    carom_planar_tree_spec of_tree = carom_planar_tree_spec_default();
    of_tree.body_count = 1;
    of_tree.bodies = &link;
    of_tree.contact_count = 1;
    of_tree.contacts = &contact;
    CAROM_AUTO(carom_planar_tree) tree = NULL;
    assert_ok(carom_planar_tree_alloc(&of_tree, &tree, NULL));
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.tree = tree;
    assert_refused(&spec, "contacts of the tree", 1.0);
}

TEST(errors, every_failed_allocation_is_told) {
    carom_bodies_shape shapes[SHAPES];
    fill_arm(shapes);
    CAROM_AUTO(carom_planar_tree) tree = arm_of(-9.81);
    const carom_bodies_spec spec = arm_spec(tree, shapes);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        CAROM_AUTO(carom_bodies) bodies = NULL;
        successes_left = granted;
        status = carom_bodies_alloc(&spec, &bodies, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
    }
    ck_assert_int_ge(granted, 30);
}

/** No function of the mechanism allocates, nor the search after the first one. */
TEST(unit, a_step_allocates_nothing) {
    carom_bodies_shape shapes[SHAPES];
    fill_arm(shapes);
    CAROM_AUTO(carom_planar_tree) tree = arm_of(-9.81);
    const carom_bodies_spec spec = arm_spec(tree, shapes);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    const double q[] = {0.4, 0.4, 0.0, 0.3, 0.2};
    const double v[] = {0.1, 0.2, 0.3, 0.4, 0.5};
    double numbers[64 * 10];
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context));
    allocations = 0;
    const carom_status status = m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context);
    m->mass(q, numbers, m->context);
    m->force(0.0, q, v, numbers, m->context);
    m->stiffness(0.0, q, v, numbers, m->context);
    m->constraint_jacobian(q, numbers, m->context);
    m->constraint_rate_derivative(q, v, numbers, m->context);
    const int more = allocations;
    assert_ok(status);
    ck_assert_int_eq(more, 0);
}

/** Coordinates of pads are the last ones, and units are those of each coordinate. */
TEST(unit, coordinates_of_the_tree_are_between_bodies_and_pads) {
    CAROM_AUTO(carom_planar_tree) tree = arm_of(-9.81);
    carom_bodies_spec spec = arm_spec(tree, NULL);
    const carom_bodies_joint joint = {.kind = CAROM_BODIES_REVOLUTE,
                                      .first = 0,
                                      .second = 3,
                                      .second_point = {0.1, -0.2},
                                      .friction = 0.3};
    spec.shape_count = 0;
    spec.joint_count = 1;
    spec.joints = &joint;
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    ck_assert_int_eq(m->coordinate_count, 3 + 2 + 1);
    ck_assert_int_eq(carom_bodies_limit_at(s, 0).pad, 5);
    ck_assert_str_eq(m->position_units, "m, m, rad, rad, rad, rad");
    const double q[] = {0.4, 0.4, 0.0, 0.3, 0.2, 0.0};
    double place[2];
    double expected[2];
    carom_bodies_joint_place(s, 0, q, place);
    carom_planar_tree_point(tree, q + 3, NULL, 2, joint.second_point, expected, NULL);
    assert_close(place[0], expected[0], 1e-14, 0.0);
    assert_close(place[1], expected[1], 1e-14, 0.0);
}
