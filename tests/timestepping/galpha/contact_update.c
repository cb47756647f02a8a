/* src/timestepping/galpha/contact_update.c: contacts that come and go keep what they carry. */
#include "../../support.h"

#include <carom/mechanism/bodies/bodies.h>
#include <carom/timestepping/galpha/stepper_internal.h>

#include <string.h>

/** Boxes of 1, 2 and 3 kg side by side, which rest on the ground, six contacts in order. */
static carom_bodies *make_boxes(double q[9]) {
    static const double corners[] = {-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4};
    static const double up[] = {0.0, 0.0, 0.0, 1.0};
    carom_planar_shape bodies[3];
    carom_bodies_shape shapes[4];
    for (int k = 0; k < 3; k++) {
        bodies[k] = carom_planar_box(1.0 + k, 1.0, 0.8);
        shapes[k] = (carom_bodies_shape){
            .body = k, .point_count = 4, .points = corners, .friction = 0.5, .restitution = 0.3};
        q[3 * k] = 2.0 * k;
        q[3 * k + 1] = 0.4;
        q[3 * k + 2] = 0.0;
    }
    shapes[3] = (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                     .is_half_plane = true,
                                     .point_count = 2,
                                     .points = up,
                                     .friction = 0.5,
                                     .restitution = 0.3};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.gravity[0] = 1.3; /* so that friction acts */
    spec.body_count = 3;
    spec.bodies = bodies;
    spec.shape_count = 4;
    spec.shapes = shapes;
    carom_bodies *out = NULL;
    assert_ok(carom_bodies_alloc(&spec, &out, NULL));
    return out;
}

/** A step that begins where the last one has not ended. */
static void begin_at(carom_stepper *s, const double q[9], const double v[9]) {
    const carom_step_state *last = &s->states[s->current];
    memcpy(last->position, q, 9 * sizeof *q);
    memcpy(last->velocity, v, 9 * sizeof *v);
    assert_ok(carom_stepper_begin_contacts(s, NULL));
}

TEST(unit, impulses_go_on_with_their_contacts_and_new_ones_begin_with_none) {
    double q[9];
    CAROM_AUTO(carom_bodies) bodies = make_boxes(q);
    const double v[9] = {0.0};
    const carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    CAROM_AUTO(carom_stepper) s = NULL;
    const carom_mechanism *m = carom_bodies_mechanism(bodies);
    assert_ok(carom_stepper_alloc(m, &params, &s, NULL));
    assert_ok(carom_stepper_start(s, 0.0, q, v, NULL));
    for (int k = 0; k < 3; k++) {
        assert_ok(carom_stepper_advance(s, NULL));
    }
    double normal[6];
    double tangential[6];
    const double *impulse = s->states[s->current].impulse;
    memcpy(normal, impulse, sizeof normal);
    memcpy(tangential, impulse + m->contact_count, sizeof tangential);
    for (int j = 0; j < 6; j++) {
        ck_assert_double_gt(normal[j], 0.0);
        ck_assert_double_gt(fabs(tangential[j]), 0.0);
    }

    /* the first box is gone: the others move up two rows */
    q[1] = 3.0;
    const double moving[9] = {0.0, 0.0, 0.0, 0.7, -0.3, 0.0, 0.0, 0.0, 0.0};
    begin_at(s, q, moving);
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 4);
    for (int j = 0; j < 4; j++) {
        assert_close(impulse[j], normal[j + 2], 0.0, 0.0);
        assert_close(impulse[m->contact_count + j], tangential[j + 2], 0.0, 0.0);
    }
    /* the speeds before the step, which restitution asks for, are those of the contacts now */
    const double *rate = s->states[s->current].rate;
    assert_close(rate[0], -0.3, 1e-15, 0.0);
    assert_close(fabs(rate[m->contact_count]), 0.7, 1e-15, 0.0);
    assert_close(rate[2], 0.0, 0.0, 0.0);

    q[1] = 0.4;
    begin_at(s, q, v);
    ck_assert_int_eq(carom_bodies_contact_count(bodies), 6);
    for (int j = 0; j < 6; j++) {
        assert_close(impulse[j], j < 2 ? 0.0 : normal[j], 0.0, 0.0);
        assert_close(impulse[m->contact_count + j], j < 2 ? 0.0 : tangential[j], 0.0, 0.0);
    }
}
