/* carom/mechanism/bodies/bodies.h: derivatives, contacts that come and go, and motions that are
 * known: by the models of the papers and in closed form. */
#include <carom/mechanism/bodies/bodies.h>

#include "../../derivatives.h"
#include "../../failing_malloc.h"
#include "steps.h"

#include <carom/models/box_tower.h>
#include <carom/models/sliding_box.h>
#include <carom/timestepping/galpha/galpha.h>

#include <string.h>

static const double UP[] = {0.0, 0.0, 0.0, 1.0};
static const double BOX[] = {-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4};
static const double CENTER[] = {0.0, 0.0};

static carom_bodies_shape ground(double friction) {
    return (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                .is_half_plane = true,
                                .point_count = 2,
                                .points = UP,
                                .friction = friction};
}

static carom_bodies_shape disc(int body, double radius, double friction) {
    return (carom_bodies_shape){
        .body = body, .point_count = 1, .points = CENTER, .radius = radius, .friction = friction};
}

static carom_bodies_shape box(int body, double friction) {
    return (carom_bodies_shape){
        .body = body, .point_count = 4, .points = BOX, .friction = friction};
}

static carom_bodies_spec spec_of(int body_count, const carom_planar_shape *bodies, int shape_count,
                                 const carom_bodies_shape *shapes) {
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = body_count;
    spec.bodies = bodies;
    spec.shape_count = shape_count;
    spec.shapes = shapes;
    return spec;
}

static carom_bodies *build(const carom_bodies_spec *spec) {
    carom_bodies *bodies = NULL;
    carom_report report = carom_report_empty();
    const carom_status status = carom_bodies_alloc(spec, &bodies, &report);
    ck_assert_msg(status == CAROM_OK, "%s %g", report.quantity, report.value);
    return bodies;
}

/* --- derivatives -------------------------------------------------------------------------------
 */

/** Everything there is: a corner on an edge of either order, edges on edges, points with radii on
 * edges and on points, the ground; every joint, driven ones; springs between bodies and to the
 * ground. */
static carom_bodies *everything(void) {
    static const double capsule[] = {-0.4, 0.1, 0.5, -0.1};
    static const double stone[] = {-0.5, -0.3, 0.4, -0.4, 0.6, 0.2, -0.1, 0.5};
    static const carom_planar_shape bodies[] = {{2.385, 0.31, {0.05, -0.03}},
                                                {1.17, 0.11, {0.0, 0.02}},
                                                {0.73, 0.21, {-0.04, 0.0}},
                                                {1.91, 0.47, {0.0, 0.0}},
                                                {0.57, 0.13, {0.01, 0.02}}};
    carom_bodies_shape shapes[] = {box(0, 0.3),  disc(1, 0.35, 0.2),         box(2, 0.0),
                                   box(3, 0.5),  disc(4, 0.4, 0.3),          ground(0.4),
                                   box(-1, 0.1), {.body = 1, .radius = 0.2}, {.body = 4}};
    shapes[7].point_count = 2;
    shapes[7].points = capsule;
    shapes[8].point_count = 4;
    shapes[8].points = stone;
    shapes[5].surface_speed = 0.7;
    const carom_bodies_joint joints[] = {{.kind = CAROM_BODIES_REVOLUTE,
                                          .first = 0,
                                          .second = 1,
                                          .first_point = {0.3, 0.2},
                                          .second_point = {-0.1, 0.4},
                                          .collides = true},
                                         {.kind = CAROM_BODIES_PRISMATIC,
                                          .first = 3,
                                          .second = 2,
                                          .first_point = {0.1, 0.2},
                                          .second_point = {0.3, -0.1},
                                          .axis_angle = 0.7,
                                          .angle = 0.2,
                                          .collides = true},
                                         {.kind = CAROM_BODIES_FIXED,
                                          .first = CAROM_BODIES_GROUND,
                                          .second = 4,
                                          .second_point = {0.2, 0.1},
                                          .collides = true},
                                         {.kind = CAROM_BODIES_DRIVEN,
                                          .first = 1,
                                          .second = 3,
                                          .first_point = {0.1, 0.3},
                                          .second_point = {0.2, 0.1},
                                          .coordinate = 1,
                                          .motion = {0.1, 0.7, 0.3, 2.1, 0.4}},
                                         {.kind = CAROM_BODIES_DRIVEN,
                                          .first = 0,
                                          .second = 2,
                                          .coordinate = 2,
                                          .motion = {0.1, -0.7, 0.3, 1.1, 0.4}}};
    const carom_bodies_spring springs[] = {
        {1, 2, {0.1, 0.2}, {-0.3, 0.1}, 17.3, 2.1, 0.6, false},
        {CAROM_BODIES_GROUND, 3, {0.4, 3.2}, {0.2, 0.3}, 9.7, 0.4, 1.3, false}};
    carom_bodies_spec spec = spec_of(5, bodies, 9, shapes);
    spec.joint_count = 5;
    spec.joints = joints;
    spec.spring_count = 2;
    spec.springs = springs;
    spec.most_contacts = 40;
    return build(&spec);
}

TEST(property, derivatives_are_those_of_differences) {
    CAROM_AUTO(carom_bodies) bodies = everything();
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    gsl_rng *generator = seeded_generator(11);
    int contacts = 0;
    for (int draw = 0; draw < 30; draw++) {
        double q[15];
        double v[15];
        for (int i = 0; i < 15; i++) {
            q[i] = i % 3 == 2 ? uniform(generator, -3.0, 3.0) : uniform(generator, -1.2, 1.2);
            v[i] = uniform(generator, -2.0, 2.0);
        }
        assert_ok(m->update_contacts(0.3, 0.01, q, v, NULL, NULL, m->context));
        contacts += carom_bodies_contact_count(bodies);
        assert_derivatives(m, 0.3, q, v, 1e-6, 5, (unsigned)draw);
        assert_ok(carom_mechanism_check_directions(m, 0.3, q, v, 5, NULL));
    }
    gsl_rng_free(generator);
    ck_assert_int_ge(contacts, 200);
}

/** Sliding is that of the points of both bodies where they touch: their velocities, at gap zero. */
TEST(property, sliding_is_that_of_the_points_that_touch) {
    const carom_planar_shape bodies[] = {{2.385, 0.31, {0.0, 0.0}}, {1.17, 0.11, {0.0, 0.0}}};
    const carom_bodies_shape shapes[] = {disc(0, 0.6, 0.3), disc(1, 0.35, 0.3), ground(0.4)};
    carom_bodies_spec spec = spec_of(2, bodies, 3, shapes);
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    const double angle = 0.31;
    const double q[] = {0.2, 0.6, 0.3, 0.2 + 0.95 * cos(angle), 0.6 + 0.95 * sin(angle), 1.1};
    const double v[] = {0.7, -0.2, 1.3, -0.4, 0.9, -2.1};
    assert_ok(m->update_contacts(0.0, 0.0, q, v, NULL, NULL, m->context));
    ck_assert_int_eq(carom_bodies_contact_count(s), 2);
    double H[12];
    carom_mechanism_tangential_jacobian(m, q, H);
    for (int j = 0; j < 2; j++) {
        const carom_bodies_contact c = carom_bodies_contact_at(s, q, j);
        assert_close(c.gap, 0.0, 0.0, 1e-15);
        double u[2] = {0.0, 0.0};
        for (int side = 0; side < 2; side++) {
            const int body = side == 0 ? 0 : j == 0 ? 1 : -1;
            const double sign = side == 0 ? -1.0 : 1.0;
            if (body >= 0) {
                u[0] += sign * (v[3 * body] - v[3 * body + 2] * (c.point[1] - q[3 * body + 1]));
                u[1] += sign * (v[3 * body + 1] + v[3 * body + 2] * (c.point[0] - q[3 * body]));
            }
        }
        double sliding = 0.0;
        for (int i = 0; i < 6; i++) {
            sliding += H[6 * j + i] * v[i];
        }
        assert_close(sliding, c.normal[1] * u[0] - c.normal[0] * u[1], 1e-13, 0.0);
    }
}

/* --- motions -----------------------------------------------------------------------------------
 */

/** The box of models/sliding_box.h, as a tree in the plane moves it. */
TEST(property, a_box_slides_as_the_model_does) {
    carom_sliding_box_params params = carom_sliding_box_params_default();
    params.slope = 0.1;
    params.friction = 0.37;
    params.speed = 1.3;
    CAROM_AUTO(carom_impact_scene) scene = NULL;
    assert_ok(carom_sliding_box_alloc(&params, &scene, NULL));
    const double w = 0.5 * params.width;
    const double h = 0.5 * params.height;
    const double corners[] = {-w, -h, w, -h, w, h, -w, h};
    const carom_planar_shape body = carom_planar_box(params.mass, params.width, params.height);
    carom_bodies_shape shapes[] = {box(0, params.friction), ground(params.friction)};
    shapes[0].points = corners;
    carom_bodies_spec spec = spec_of(1, &body, 2, shapes);
    spec.gravity[0] = params.gravity * sin(params.slope);
    spec.gravity[1] = -params.gravity * cos(params.slope);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const int steps = 700;
    CAROM_AUTO(carom_stepper)
    one = run(carom_impact_scene_mechanism(scene), 1e-3, steps, scene->position, scene->velocity);
    CAROM_AUTO(carom_stepper)
    other = run(carom_bodies_mechanism(bodies), 1e-3, steps, scene->position, scene->velocity);
    for (int i = 0; i < 3; i++) {
        assert_close(carom_stepper_result(other)->position[i],
                     carom_stepper_result(one)->position[i], 1e-12, 1e-13);
    }
}

enum { BOXES = 12 };

/** The boxes of models/box_tower.h, thrown at each other by a first velocity; each step is solved
 * to 1e-10. */
TEST(property, a_tower_moves_as_the_model_does) {
    carom_box_tower_params params = carom_box_tower_params_default();
    params.boxes = BOXES;
    params.slope = 0.11;
    CAROM_AUTO(carom_model) model = NULL;
    assert_ok(carom_box_tower_alloc(&params, &model, NULL));
    const double w = 0.5 * params.width;
    const double h = 0.5 * params.height;
    const double corners[] = {-w, -h, w, -h, w, h, -w, h};
    carom_planar_shape shape[BOXES];
    carom_bodies_shape shapes[BOXES + 1];
    for (int k = 0; k < BOXES; k++) {
        shape[k] = carom_planar_box(params.mass, params.width, params.height);
        shapes[k] = box(k, params.friction);
        shapes[k].points = corners;
        model->initial_velocity[3 * k] = 0.02 * k;
    }
    shapes[BOXES] = ground(params.friction);
    carom_bodies_spec spec = spec_of(BOXES, shape, BOXES + 1, shapes);
    spec.gravity[0] = params.gravity * sin(params.slope);
    spec.gravity[1] = -params.gravity * cos(params.slope);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    CAROM_AUTO(carom_stepper)
    one = run(&model->mechanism, 1e-3, 50, model->initial_position, model->initial_velocity);
    CAROM_AUTO(carom_stepper)
    other = run(carom_bodies_mechanism(bodies), 1e-3, 50, model->initial_position,
                model->initial_velocity);
    for (int i = 0; i < 3 * BOXES; i++) {
        assert_close(carom_stepper_result(other)->position[i],
                     carom_stepper_result(one)->position[i], 0.0, 50 * 1e-10);
    }
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 2 * BOXES);
}

/** A disc that slides comes to roll with 2/3 of its speed, after v / (3 mu g). */
TEST(property, a_disc_comes_to_roll) {
    const carom_planar_shape body = carom_planar_disc(2.385, 0.4);
    const carom_bodies_shape shapes[] = {disc(0, 0.4, 0.21), ground(0.21)};
    carom_bodies_spec spec = spec_of(1, &body, 2, shapes);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double q[] = {0.0, 0.4, 0.0};
    const double v[] = {1.7, 0.0, 0.0};
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-3, 400, q, v);
    assert_close(carom_stepper_result(s)->velocity[0], 1.7 * 2.0 / 3.0, 1e-9, 0.0);
    assert_close(carom_stepper_result(s)->velocity[2], -1.7 * 2.0 / 3.0 / 0.4, 1e-9, 0.0);
}

/** Three discs in a row far apart: contacts appear one after the other, each pair keeps momentum
 * and e of its speed, and vanish again. */
TEST(property, contacts_appear_where_discs_meet_and_vanish_after) {
    const carom_planar_shape body[] = {carom_planar_disc(2.0, 0.3), carom_planar_disc(1.0, 0.2),
                                       carom_planar_disc(3.0, 0.4)};
    carom_bodies_shape shapes[] = {disc(0, 0.3, 0.0), disc(1, 0.2, 0.0), disc(2, 0.4, 0.0)};
    for (int k = 0; k < 3; k++) {
        shapes[k].restitution = 0.8;
    }
    carom_bodies_spec spec = spec_of(3, body, 3, shapes);
    spec.gravity[1] = 0.0;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double q[] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.5, 0.0, 0.0};
    const double v[] = {3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-3, 5, q, v);
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 0);
    int seen[2] = {0, 0};
    for (int k = 5; k < 900; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
        for (int j = 0; j < carom_bodies_contact_count(bodies); j++) {
            const carom_bodies_contact c =
                carom_bodies_contact_at(bodies, carom_stepper_result(s)->position, j);
            ck_assert_int_eq(c.second, c.first + 1);
            seen[c.first]++;
        }
    }
    ck_assert_int_ge(seen[0], 1);
    ck_assert_int_ge(seen[1], 1);
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 0);
    /* u1 = (m1 - e m2)/(m1 + m2) v, u2 = (1 + e) m1/(m1 + m2) v, then u2 strikes the third */
    const double u1 = 3.0 * (2.0 - 0.8) / 3.0;
    const double u2 = 3.0 * 1.8 * 2.0 / 3.0;
    const double u2_after = u2 * (1.0 - 0.8 * 3.0) / 4.0;
    const double u3 = u2 * 1.8 / 4.0;
    /* the second comes back and meets the first again */
    const double common = (2.0 * u1 + u2_after) / 3.0;
    const double closing = u1 - u2_after;
    const double *end = carom_stepper_result(s)->velocity;
    assert_close(end[0], common - 0.8 * closing / 3.0, 1e-12, 0.0);
    assert_close(end[3], common + 0.8 * closing * 2.0 / 3.0, 1e-12, 0.0);
    assert_close(end[6], u3, 1e-12, 0.0);
}

/** Fifteen discs that fall between walls and bounce lie still in the end: what is left of their
 * speeds is below what gravity gives in a step. */
TEST(property, discs_that_bounce_come_to_rest) {
    enum { DISCS = 15 };
    static const double walls[2][4] = {{-0.8, 0.0, 1.0, 0.0}, {0.8, 0.0, -1.0, 0.0}};
    carom_planar_shape body[DISCS];
    carom_bodies_shape shapes[DISCS + 3];
    double q[3 * DISCS] = {0.0};
    const double v[3 * DISCS] = {0.0};
    for (int k = 0; k < DISCS; k++) {
        const int row = k / 5;
        body[k] = carom_planar_disc(1.0, 0.1);
        shapes[k] = disc(k, 0.1, 0.5);
        q[3 * k] = -0.62 + 0.28755374812200385 * (k % 5) + 0.11 * (row % 2);
        q[3 * k + 1] = 0.15 + 0.23 * row;
    }
    for (int k = 0; k < 3; k++) {
        shapes[DISCS + k] = ground(0.5);
        shapes[DISCS + k].points = k < 2 ? walls[k] : UP;
    }
    for (int k = 0; k < DISCS + 3; k++) {
        shapes[k].restitution = 0.25;
    }
    carom_bodies_spec spec = spec_of(DISCS, body, DISCS + 3, shapes);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double h = 2e-3;
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), h, 750, q, v);
    for (int i = 0; i < 3 * DISCS; i++) {
        const double length = i % 3 == 2 ? 0.1 : 1.0;
        ck_assert_double_le(fabs(carom_stepper_result(s)->velocity[i]) * length, h * 9.81);
    }
}

/** Angle after one period of small swings in so many steps, from 1. */
static double swing_of_rod(int steps) {
    const carom_planar_shape rod = carom_planar_rod(1.7, 0.9);
    const carom_bodies_joint pin = {.kind = CAROM_BODIES_REVOLUTE,
                                    .first = CAROM_BODIES_GROUND,
                                    .second = 0,
                                    .first_point = {0.3, 0.2}};
    carom_bodies_spec spec = spec_of(1, &rod, 0, NULL);
    spec.joint_count = 1;
    spec.joints = &pin;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double swing = 1e-3;
    const double pose[] = {0.3, 0.2, swing};
    double q[3];
    const double v[3] = {0.0, 0.0, 0.0};
    carom_bodies_place(bodies, 0, pose, q);
    const double period = 2.0 * acos(-1.0) * sqrt(2.0 * 0.9 / (3.0 * 9.81));
    CAROM_AUTO(carom_stepper)
    s = run(carom_bodies_mechanism(bodies), period / steps, steps, q, v);
    double end[3];
    carom_bodies_pose(bodies, carom_stepper_result(s)->position, 0, end);
    assert_close(end[0], 0.3, 0.0, 1e-7);
    assert_close(end[1], 0.2, 0.0, 1e-7);
    return end[2] / swing;
}

/** Reactions of joints act at the end of a step: Moreau-Jean is of first order with them. */
TEST(property, a_rod_on_a_revolute_joint_swings_with_its_period) {
    const double error = 1.0 - swing_of_rod(1000);
    const double half = 1.0 - swing_of_rod(2000);
    assert_close(half, 0.5 * error, 0.02, 0.0);
    assert_close(2.0 * half, error, 0.0, 1e-4);
    ck_assert_double_le(error, 2e-2);
}

/** A crank with a connecting rod drives a slider in a guide: x = r cos a + sqrt(l^2 - r^2 sin^2 a).
 */
TEST(property, a_driven_crank_moves_its_slider) {
    const double r = 0.2;
    const double l = 0.7;
    const carom_planar_shape body[] = {
        {1.0, 0.02, {0.0, 0.0}}, {0.8, 0.03, {0.0, 0.0}}, {2.0, 0.05, {0.0, 0.0}}};
    const carom_bodies_joint joints[] = {
        {.kind = CAROM_BODIES_REVOLUTE, .first = CAROM_BODIES_GROUND, .second = 0},
        {.kind = CAROM_BODIES_REVOLUTE, .first = 0, .second = 1, .first_point = {r, 0.0}},
        {.kind = CAROM_BODIES_REVOLUTE, .first = 1, .second = 2, .first_point = {l, 0.0}},
        {.kind = CAROM_BODIES_PRISMATIC, .first = CAROM_BODIES_GROUND, .second = 2},
        {.kind = CAROM_BODIES_DRIVEN,
         .first = CAROM_BODIES_GROUND,
         .second = 0,
         .coordinate = 2,
         .motion = {.speed = 7.0}}};
    carom_bodies_spec spec = spec_of(3, body, 0, NULL);
    spec.joint_count = 5;
    spec.joints = joints;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double q[] = {0.0, 0.0, 0.0, r, 0.0, 0.0, r + l, 0.0, 0.0};
    const double v[] = {0.0, 0.0, 7.0, 0.0, 7.0 * r, -7.0 * r / l, 0.0, 0.0, 0.0};
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-4, 3000, q, v);
    const double a = 7.0 * 0.3;
    assert_close(carom_stepper_result(s)->position[6],
                 r * cos(a) + sqrt(l * l - r * r * sin(a) * sin(a)), 1e-6, 0.0);
}

/** A box falls flat on a belt and is carried along: it stops sliding after b / (mu g). */
TEST(property, a_belt_carries_a_box) {
    const carom_planar_shape body = carom_planar_box(3.1, 1.0, 0.8);
    carom_bodies_shape shapes[] = {box(0, 0.3), ground(0.3)};
    shapes[1].surface_speed = 0.9;
    carom_bodies_spec spec = spec_of(1, &body, 2, shapes);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double q[] = {0.0, 0.4, 0.0};
    const double v[] = {0.0, 0.0, 0.0};
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-3, 200, q, v);
    assert_close(carom_stepper_result(s)->velocity[0], 0.3 * 9.81 * 0.2, 1e-9, 0.0);
    for (int k = 0; k < 300; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
    }
    assert_close(carom_stepper_result(s)->velocity[0], 0.9, 1e-9, 0.0);
}

/** A mass on a spring with a damper: its decay and frequency, along a line that is not an axis. */
TEST(property, a_spring_with_a_damper_decays_as_it_must) {
    const carom_planar_shape body = {1.3, 0.2, {0.0, 0.0}};
    const carom_bodies_spring spring = {
        CAROM_BODIES_GROUND, 0, {0.0, 0.0}, {0.0, 0.0}, 50.0, 1.1, 0.75, false};
    carom_bodies_spec spec = spec_of(1, &body, 0, NULL);
    spec.spring_count = 1;
    spec.springs = &spring;
    spec.gravity[1] = 0.0;
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double q[] = {0.6, 0.8, 0.0};
    const double v[] = {0.0, 0.0, 0.0};
    const double d = 1.1 / (2.0 * 1.3);
    const double w = sqrt(50.0 / 1.3 - d * d);
    const double t = 0.8;
    CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 1e-4, 8000, q, v);
    const double length = 0.75 + 0.25 * exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
    const double *end = carom_stepper_result(s)->position;
    assert_close(hypot(end[0], end[1]), length, 1e-6, 0.0);
    assert_close(end[1], end[0] * 0.8 / 0.6, 1e-12, 0.0);
}

/** Discs in a heap stay at rest, whatever the order in which they were named. */
TEST(property, the_order_of_bodies_changes_nothing_but_roundings) {
    enum { DISCS = 6 };
    static const double places[DISCS][2] = {{0.0, 0.5},        {1.0, 0.5},  {2.0, 0.5},
                                            {0.5, 1.36602541}, {1.5, 1.37}, {1.0, 2.24}};
    double end[2][DISCS][3];
    for (int order = 0; order < 2; order++) {
        carom_planar_shape body[DISCS];
        carom_bodies_shape shapes[DISCS + 1];
        double q[3 * DISCS];
        double v[3 * DISCS] = {0.0};
        for (int k = 0; k < DISCS; k++) {
            const int at = order == 0 ? k : DISCS - 1 - k;
            body[k] = carom_planar_disc(1.7, 0.5);
            shapes[k] = disc(k, 0.5, 0.6);
            q[3 * k] = places[at][0];
            q[3 * k + 1] = places[at][1];
            q[3 * k + 2] = 0.0;
        }
        shapes[DISCS] = ground(0.6);
        carom_bodies_spec spec = spec_of(DISCS, body, DISCS + 1, shapes);
        CAROM_AUTO(carom_bodies) bodies = build(&spec);
        CAROM_AUTO(carom_stepper) s = run(carom_bodies_mechanism(bodies), 2e-3, 150, q, v);
        for (int k = 0; k < DISCS; k++) {
            const int at = order == 0 ? k : DISCS - 1 - k;
            memcpy(end[order][at], carom_stepper_result(s)->position + 3 * k, 3 * sizeof(double));
        }
    }
    for (int k = 0; k < 3 * DISCS; k++) {
        assert_close(end[1][k / 3][k % 3], end[0][k / 3][k % 3], 1e-7, 1e-7);
    }
}

/* --- contacts ----------------------------------------------------------------------------------
 */

TEST(unit, contacts_keep_their_rows_in_the_order_of_shapes) {
    const carom_planar_shape body[] = {carom_planar_box(1.0, 1.0, 0.8),
                                       carom_planar_box(1.0, 1.0, 0.8),
                                       carom_planar_disc(1.0, 0.2)};
    const carom_bodies_shape shapes[] = {box(0, 0.3), box(1, 0.3), ground(0.3), disc(2, 0.2, 0.3)};
    carom_bodies_spec spec = spec_of(3, body, 4, shapes);
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const carom_mechanism *m = carom_bodies_mechanism(s);
    int previous[64];
    ck_assert_int_le(m->contact_count, 64);
    double q[] = {0.0, 0.4, 0.0, 0.1, 1.2, 0.0, 5.0, 0.2, 0.0};
    const double v[9] = {0.0};
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, previous, NULL, m->context));
    ck_assert_int_eq(carom_bodies_contact_count(s), 5);
    for (int j = 0; j < m->contact_count; j++) {
        ck_assert_int_eq(previous[j], -1);
    }
    q[4] = 2.0; /* the upper box is lifted: its two rows, between the others, are gone */
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, previous, NULL, m->context));
    ck_assert_int_eq(carom_bodies_contact_count(s), 3);
    const int expected[] = {2, 3, 4, -1};
    for (int j = 0; j < 4; j++) {
        ck_assert_int_eq(previous[j], expected[j]);
    }
    q[4] = 1.2;
    assert_ok(m->update_contacts(0.0, 1e-3, q, v, previous, NULL, m->context));
    const int back[] = {-1, -1, 0, 1, 2};
    for (int j = 0; j < 5; j++) {
        ck_assert_int_eq(previous[j], back[j]);
    }
    carom_bodies_contact deepest;
    q[4] = 1.1;
    assert_ok(carom_bodies_find_overlap(s, q, &deepest));
    ck_assert_int_eq(deepest.first, 0);
    ck_assert_int_eq(deepest.second, 1);
    assert_close(deepest.gap, -0.1, 1e-13, 0.0);
    assert_close(deepest.normal[1], 1.0, 1e-13, 0.0);
}

TEST(unit, joined_bodies_do_not_touch_unless_they_are_to) {
    const carom_planar_shape body[] = {carom_planar_box(1.0, 1.0, 0.8),
                                       carom_planar_box(1.0, 1.0, 0.8)};
    const carom_bodies_shape shapes[] = {box(0, 0.3), box(1, 0.3)};
    carom_bodies_joint pin = {.kind = CAROM_BODIES_REVOLUTE, .first = 1, .second = 0};
    carom_bodies_spec spec = spec_of(2, body, 2, shapes);
    spec.joint_count = 1;
    spec.joints = &pin;
    const double q[] = {0.0, 0.0, 0.0, 0.9, 0.3, 0.2};
    for (int collides = 0; collides < 2; collides++) {
        pin.collides = collides == 1;
        CAROM_AUTO(carom_bodies) s = build(&spec);
        carom_bodies_contact deepest;
        assert_ok(carom_bodies_find_overlap(s, q, &deepest));
        ck_assert_int_eq(deepest.gap < 0.0, collides);
    }
}

/* --- what is refused ---------------------------------------------------------------------------
 */

TEST(errors, what_is_no_mechanism_of_bodies_is_refused) {
    carom_planar_shape body = {1.0, 0.2, {0.0, 0.0}};
    carom_bodies_shape shape = disc(0, 0.2, 0.3);
    carom_bodies_joint joint = {.kind = CAROM_BODIES_REVOLUTE, .first = -1, .second = 0};
    carom_bodies_spring spring = {-1, 0, {0.0, 1.0}, {0.0, 0.0}, 1.0, 1.0, 1.0, false};
    carom_bodies_spec spec = spec_of(1, &body, 1, &shape);
    spec.joint_count = 1;
    spec.joints = &joint;
    spec.spring_count = 1;
    spec.springs = &spring;
    const struct {
        double *number;
        double wrong;
        const char *quantity;
    } cases[] = {{&body.mass, 0.0, "mass"},
                 {&body.mass, -1.3, "mass"},
                 {&body.inertia, 0.0, "inertia"},
                 {&body.center[0], NAN, "number of a body"},
                 {&shape.friction, -0.1, "friction"},
                 {&joint.axis_angle, INFINITY, "number of a joint"},
                 {&spring.stiffness, -1.0, "stiffness"},
                 {&spring.damping, -1.0, "damping"},
                 {&spring.length, NAN, "number of a spring"},
                 {&spec.gravity[0], NAN, "gravity"}};
    carom_bodies *out = NULL;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double right = *cases[k].number;
        carom_report report = carom_report_empty();
        *cases[k].number = cases[k].wrong;
        const carom_status status = carom_bodies_alloc(&spec, &out, &report);
        ck_assert_int_eq(status, isfinite(cases[k].wrong) ? CAROM_STATUS_OUT_OF_RANGE
                                                          : CAROM_STATUS_NOT_FINITE);
        ck_assert_str_eq(report.quantity, cases[k].quantity);
        ck_assert_ptr_null(out);
        *cases[k].number = right;
    }
    joint.second = -1;
    assert_status(carom_bodies_alloc(&spec, &out, NULL), OUT_OF_RANGE);
    joint.second = 1;
    assert_status(carom_bodies_alloc(&spec, &out, NULL), OUT_OF_RANGE);
    joint.second = 0;
    spec.body_count = 0;
    assert_status(carom_bodies_alloc(&spec, &out, NULL), OUT_OF_RANGE);
}

TEST(errors, more_contacts_than_rows_end_the_motion_with_the_time) {
    const carom_planar_shape body[] = {carom_planar_disc(1.0, 0.5), carom_planar_disc(1.0, 0.5)};
    const carom_bodies_shape shapes[] = {disc(0, 0.5, 0.3), disc(1, 0.5, 0.3), ground(0.3)};
    carom_bodies_spec spec = spec_of(2, body, 3, shapes);
    spec.most_contacts = 2;
    CAROM_AUTO(carom_bodies) s = build(&spec);
    const double q[] = {0.0, 0.5, 0.0, 1.0, 0.5, 0.0};
    carom_report report = carom_report_empty();
    const carom_mechanism *m = carom_bodies_mechanism(s);
    assert_status(m->update_contacts(0.25, 1e-3, q, NULL, NULL, &report, m->context), OUT_OF_RANGE);
    ck_assert_str_eq(report.sentence, "mechanism 'bodies': more than 2 contacts at t = 0.25 s");
    ck_assert_int_eq(carom_bodies_contact_count(s), 0);
}

TEST(errors, every_failed_allocation_is_told) {
    const carom_planar_shape body[] = {carom_planar_disc(1.0, 0.5), carom_planar_disc(1.0, 0.5)};
    const carom_bodies_shape shapes[] = {disc(0, 0.5, 0.3), disc(1, 0.5, 0.3), ground(0.3)};
    carom_bodies_spec spec = spec_of(2, body, 3, shapes);
    const double q[] = {0.0, 0.5, 0.0, 1.0, 0.5, 0.0};
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        CAROM_AUTO(carom_bodies) bodies = NULL;
        successes_left = granted;
        status = carom_bodies_alloc(&spec, &bodies, NULL);
        carom_bodies_contact deepest;
        status = status == CAROM_OK ? carom_bodies_find_overlap(bodies, q, &deepest) : status;
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
    }
    ck_assert_int_ge(granted, 20);
}

/** The search has its room after the first one. */
TEST(unit, the_search_allocates_nothing_more_at_rest) {
    const carom_planar_shape body[] = {carom_planar_disc(1.0, 0.5), carom_planar_disc(1.0, 0.5)};
    const carom_bodies_shape shapes[] = {disc(0, 0.5, 0.3), disc(1, 0.5, 0.3), ground(0.3)};
    carom_bodies_spec spec = spec_of(2, body, 3, shapes);
    CAROM_AUTO(carom_bodies) bodies = build(&spec);
    const double q[] = {0.0, 0.5, 0.0, 1.0, 0.5, 0.0};
    const double v[6] = {0.0};
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    carom_status status = m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context);
    allocations = 0;
    for (int k = 0; k < 3 && status == CAROM_OK; k++) {
        status = m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context);
    }
    const int more = allocations;
    assert_ok(status);
    ck_assert_int_eq(more, 0);
}
