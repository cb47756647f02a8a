/* carom/mechanism/bodies/bodies.h: a motion does not know the units in which it is told. */
#include <carom/mechanism/bodies/bodies.h>

#include "../../support.h"
#include "../../units.h"

#include <carom/timestepping/galpha/galpha.h>

enum { BODIES = 4, SHAPES = 5, STEPS = 250 };

/** Multiply points by a length. */
static const double *scaled(int count, const double *points, double length, double *out) {
    for (int i = 0; i < 2 * count; i++) {
        out[i] = length * points[i];
    }
    return out;
}

/** A box, two discs and a capsule fall on a rough floor and each other, one of them on a spring. */
static void move(test_units u, double end[3 * BODIES], int *contacts) {
    static const double box[] = {-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4};
    static const double capsule[] = {-0.3, 0.0, 0.4, 0.1};
    static const double center[] = {0.0, 0.0};
    // The normal of a half plane has any length, in any unit.
    static const double ground[] = {0.0, 0.0, 0.1, 1.0};
    const double inertia = u.mass * u.length * u.length;
    double points[2][8];
    const carom_planar_shape bodies[BODIES] = {
        {2.385 * u.mass, 0.33 * inertia, {0.0, 0.0}},
        {0.71 * u.mass, 0.031 * inertia, {0.0, 0.0}},
        {1.13 * u.mass, 0.09 * inertia, {0.03 * u.length, 0.01 * u.length}},
        {0.37 * u.mass, 0.041 * inertia, {0.0, 0.02 * u.length}}};
    carom_bodies_shape shapes[SHAPES] = {
        {.body = 0, .point_count = 4, .points = scaled(4, box, u.length, points[0])},
        {.body = 1, .point_count = 1, .points = center, .radius = 0.3 * u.length},
        {.body = 2, .point_count = 1, .points = center, .radius = 0.4 * u.length},
        {.body = 3,
         .point_count = 2,
         .points = scaled(2, capsule, u.length, points[1]),
         .radius = 0.15 * u.length},
        {.body = CAROM_BODIES_GROUND, .is_half_plane = true, .point_count = 2, .points = ground}};
    for (int k = 0; k < SHAPES; k++) {
        shapes[k].friction = 0.3;
        shapes[k].restitution = 0.25;
    }
    const carom_bodies_spring spring = {CAROM_BODIES_GROUND,
                                        3,
                                        {0.2 * u.length, 2.9 * u.length},
                                        {0.1 * u.length, 0.0},
                                        23.0 * u.mass / (u.time * u.time),
                                        0.4 * u.mass / u.time,
                                        0.9 * u.length,
                                        false};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = BODIES;
    spec.bodies = bodies;
    spec.shape_count = SHAPES;
    spec.shapes = shapes;
    spec.spring_count = 1;
    spec.springs = &spring;
    spec.gravity[1] *= u.length / (u.time * u.time);
    carom_bodies *built = NULL;
    assert_ok(carom_bodies_alloc(&spec, &built, NULL));
    const double q[3 * BODIES] = {0.0, 0.6, 0.07, 0.2, 1.5, 0.0, -1.1, 0.7, 0.0, 0.1, 2.2, 0.3};
    const double v[3 * BODIES] = {0.3, -0.5, 0.2, 0.1, -1.0, 0.7, 1.4, -0.3, 0.0, 0.0, 0.0, -0.9};
    double position[3 * BODIES];
    double velocity[3 * BODIES];
    for (int i = 0; i < 3 * BODIES; i++) {
        const double length = i % 3 == 2 ? 1.0 : u.length;
        position[i] = length * q[i];
        velocity[i] = length / u.time * v[i];
    }
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = 2e-3 * u.time;
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(carom_bodies_mechanism(built), &params, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, position, velocity, NULL));
    *contacts = 0;
    for (int k = 0; k < STEPS; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
        const int count = carom_bodies_contact_count(built);
        *contacts = count > *contacts ? count : *contacts;
    }
    for (int i = 0; i < 3 * BODIES; i++) {
        end[i] = carom_stepper_result(stepper)->position[i] / (i % 3 == 2 ? 1.0 : u.length);
    }
    carom_stepper_free(stepper);
    carom_bodies_free(built);
}

/** Steps are solved to 1e-10; impacts of few bodies make little more of it. */
TEST(property, a_motion_is_the_same_in_grams_and_in_tonnes) {
    const test_units plain = {1.0, 1.0, 1.0};
    double one[3 * BODIES];
    int most = 0;
    move(plain, one, &most);
    ck_assert_int_ge(most, 5);
    for (int c = 0; c < CHANGE_OF_UNITS_COUNT; c++) {
        double other[3 * BODIES];
        int contacts = 0;
        move(CHANGES_OF_UNITS[c], other, &contacts);
        ck_assert_int_eq(contacts, most);
        for (int i = 0; i < 3 * BODIES; i++) {
            assert_close(other[i], one[i], 0.0, 1e-7);
        }
    }
}
