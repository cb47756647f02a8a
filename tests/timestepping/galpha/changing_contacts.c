/* Contacts that come and go under every scheme: closed forms, and what must not depend on them. */
#include "../../support.h"

#include <carom/mechanism/bodies/bodies.h>
#include <carom/timestepping/galpha/galpha.h>

#include <math.h>
#include <string.h>

static const double UP[] = {0.0, 0.0, 0.0, 1.0};
static const double CENTRE[] = {0.0, 0.0};
static const double CORNERS[] = {-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4};

/** A disc of 1.3 kg and 0.35 m, a box of 2 kg, 1 m and 0.8 m, and the ground. */
static carom_bodies *make(int body_count, const carom_bodies_shape *shapes) {
    carom_planar_shape bodies[2];
    for (int k = 0; k < body_count; k++) {
        bodies[k] = shapes[k].point_count == 1 ? carom_planar_disc(1.3, shapes[k].radius)
                                               : carom_planar_box(2.0, 1.0, 0.8);
    }
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = body_count;
    spec.bodies = bodies;
    spec.shape_count = body_count + 1;
    spec.shapes = shapes;
    carom_bodies *out = NULL;
    assert_ok(carom_bodies_alloc(&spec, &out, NULL));
    return out;
}

static carom_bodies_shape disc(int body, double mu, double e) {
    return (carom_bodies_shape){.body = body,
                                .point_count = 1,
                                .points = CENTRE,
                                .radius = 0.35,
                                .friction = mu,
                                .restitution = e};
}

static carom_bodies_shape box(int body, double mu, double e) {
    return (carom_bodies_shape){
        .body = body, .point_count = 4, .points = CORNERS, .friction = mu, .restitution = e};
}

static carom_bodies_shape ground(double mu, double e) {
    return (carom_bodies_shape){.body = CAROM_BODIES_GROUND,
                                .is_half_plane = true,
                                .point_count = 2,
                                .points = UP,
                                .friction = mu,
                                .restitution = e};
}

static carom_stepper *start(const carom_mechanism *m, carom_scheme scheme, double h,
                            const double *q, const double *v) {
    carom_stepper_params params = carom_stepper_params_default(scheme);
    params.step = h;
    params.theta = 0.5;
    params.spectral_radius = 1.0; /* both keep the energy of free flight */
    carom_stepper *s = NULL;
    assert_ok(carom_stepper_alloc(m, &params, &s, NULL));
    assert_ok(carom_stepper_start(s, 0.0, q, v, NULL));
    return s;
}

/** Schemes with the laws of impact and friction asked for. */
static bool computes(int scheme, bool friction, bool restitution) {
    const carom_mechanism_support support = carom_scheme_support((carom_scheme)scheme);
    return (support.friction || !friction) && (support.restitution || !restitution);
}

TEST(property, contacts_that_stay_give_the_same_bits_whether_they_may_go_or_not) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        const double mu = computes(scheme, true, false) ? 0.3 : 0.0;
        const carom_bodies_shape shapes[] = {box(0, mu, 0.0), ground(mu, 0.0)};
        CAROM_AUTO(carom_bodies) bodies = make(1, shapes);
        const double q[] = {0.0, 0.4, 0.0};
        const double v[] = {1.7, 0.0, 0.0};
        const carom_mechanism *m = carom_bodies_mechanism(bodies);
        assert_ok(m->update_contacts(0.0, 1e-3, q, v, NULL, NULL, m->context));
        carom_mechanism fixed = *m;
        fixed.update_contacts = NULL;
        CAROM_AUTO(carom_stepper) one = start(m, (carom_scheme)scheme, 1e-3, q, v);
        CAROM_AUTO(carom_stepper) other = start(&fixed, (carom_scheme)scheme, 1e-3, q, v);
        for (int k = 0; k < 50; k++) {
            assert_ok(carom_stepper_advance(one, NULL));
            assert_ok(carom_stepper_advance(other, NULL));
        }
        for (int i = 0; i < 3; i++) {
            assert_close(carom_stepper_result(one)->position[i],
                         carom_stepper_result(other)->position[i], 0.0, 0.0);
            assert_close(carom_stepper_result(one)->velocity[i],
                         carom_stepper_result(other)->velocity[i], 0.0, 0.0);
        }
    }
}

/** Its impacts are at sqrt(2 H/g) (1, 1 + 2 e): a scheme is off by a step in each of them, by (1 +
 * e) v h in the place; the speed between them is off by g h each. */
TEST(property, a_disc_bounces_at_the_times_of_the_closed_form) {
    const double g = 9.81;
    const double H = 0.7;
    const double e = 0.6;
    const double fall = sqrt(2.0 * H / g);
    const double end = fall * (1.0 + 2.0 * e + e * e); /* top of the second flight */
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (!computes(scheme, false, true)) {
            continue;
        }
        const double h = 1e-3;
        const carom_bodies_shape shapes[] = {disc(0, 0.0, e), ground(0.0, e)};
        CAROM_AUTO(carom_bodies) bodies = make(1, shapes);
        const double q[] = {0.0, 0.35 + H, 0.0};
        const double v[3] = {0.0};
        CAROM_AUTO(carom_stepper)
        s = start(carom_bodies_mechanism(bodies), (carom_scheme)scheme, h, q, v);
        int impacts = 0;
        double least = 0.0;
        double when[2] = {0.0, 0.0};
        for (int k = 0; k * h < end; k++) {
            const double before = carom_stepper_result(s)->velocity[1];
            assert_ok(carom_stepper_advance(s, NULL));
            const carom_step *step = carom_stepper_result(s);
            if (step->velocity[1] > before) {
                ck_assert_int_lt(impacts, 2);
                when[impacts++] = step->time;
            }
            least = fmin(least, step->position[1] - 0.35);
        }
        ck_assert_int_eq(impacts, 2);
        const double speed = g * fall;
        assert_close(when[0], fall, 0.0, 2.0 * h);
        assert_close(when[1], fall * (1.0 + 2.0 * e), 0.0, 2.0 * h * (1.0 + e) + 2.0 * h);
        const double top = e * e * e * e * H;
        assert_close(carom_stepper_result(s)->position[1], 0.35 + top, 0.0,
                     2.0 * (1.0 + e) * speed * h);
        /* nothing penetrates where the position is imposed */
        const bool holds_gaps =
            scheme == CAROM_SCHEME_NONSMOOTH_GALPHA || scheme == CAROM_SCHEME_MODIFIED_LCP;
        ck_assert_double_ge(least, holds_gaps ? -1e-9 * H : -speed * h);
    }
}

/** Rough enough, it leaves its first impact rolling, with 2/3 of its speed along the ground. */
TEST(property, a_rough_disc_leaves_its_impact_rolling) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (!computes(scheme, true, true)) {
            continue;
        }
        const carom_bodies_shape shapes[] = {disc(0, 2.0, 0.5), ground(2.0, 0.5)};
        CAROM_AUTO(carom_bodies) bodies = make(1, shapes);
        const double q[] = {0.0, 0.55, 0.0};
        const double v[] = {1.1, -1.3, 0.0};
        CAROM_AUTO(carom_stepper)
        s = start(carom_bodies_mechanism(bodies), (carom_scheme)scheme, 1e-3, q, v);
        for (int k = 0; k < 200; k++) {
            assert_ok(carom_stepper_advance(s, NULL));
        }
        const double *u = carom_stepper_result(s)->velocity;
        assert_close(u[0], 2.0 / 3.0 * 1.1, 1e-8, 0.0);
        assert_close(u[2], -2.0 / 3.0 * 1.1 / 0.35, 1e-8, 0.0);
    }
}

/** v^2/(2 mu g) far, and there it stays. */
TEST(property, a_crate_slides_as_far_as_its_friction_lets_it) {
    const double mu = 0.3;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (!computes(scheme, true, false)) {
            continue;
        }
        const double h = 1e-3;
        const carom_bodies_shape shapes[] = {box(0, mu, 0.0), ground(mu, 0.0)};
        CAROM_AUTO(carom_bodies) bodies = make(1, shapes);
        const double q[] = {0.0, 0.4, 0.0};
        const double v[] = {1.1, 0.0, 0.0};
        CAROM_AUTO(carom_stepper)
        s = start(carom_bodies_mechanism(bodies), (carom_scheme)scheme, h, q, v);
        for (int k = 0; k < 600; k++) {
            assert_ok(carom_stepper_advance(s, NULL));
        }
        const carom_step *step = carom_stepper_result(s);
        assert_close(step->position[0], 1.1 * 1.1 / (2.0 * mu * 9.81), 0.0, mu * 9.81 * h * h);
        assert_close(step->position[1], 0.4, 0.0, 1e-9);
        assert_close(step->velocity[0], 0.0, 0.0, 1e-9);
    }
}

/** The rows of a box at rest move behind those of a disc that comes and goes. */
TEST(property, what_rests_knows_nothing_of_contacts_elsewhere) {
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (!computes(scheme, true, true)) {
            continue;
        }
        const double h = 1e-3;
        const carom_bodies_shape shapes[] = {disc(0, 0.4, 0.7), box(1, 0.4, 0.0), ground(0.4, 0.7)};
        CAROM_AUTO(carom_bodies) bodies = make(2, shapes);
        const double q[] = {0.0, 0.40, 0.0, 3.0, 0.4, 0.0};
        const double v[6] = {0.0};
        CAROM_AUTO(carom_stepper)
        s = start(carom_bodies_mechanism(bodies), (carom_scheme)scheme, h, q, v);
        bool has_met = false;
        bool has_left = false;
        for (int k = 0; k < 300; k++) {
            assert_ok(carom_stepper_advance(s, NULL));
            const carom_step *step = carom_stepper_result(s);
            const int count = carom_bodies_contact_count(bodies);
            has_met = has_met || count == 3;
            has_left = has_left || (has_met && count == 2);
            for (int i = 0; i < 3; i++) {
                assert_close(step->position[3 + i], q[3 + i], 0.0, 1e-9);
            }
        }
        ck_assert(has_met && has_left);
    }
}

/** Two discs, of which one meets the other: momentum, and e of their speed. */
TEST(property, discs_that_meet_keep_their_momentum) {
    const double e = 0.8;
    for (int scheme = 0; scheme < CAROM_SCHEME_COUNT; scheme++) {
        if (!computes(scheme, false, true)) {
            continue;
        }
        const carom_bodies_shape shapes[] = {disc(0, 0.0, e), disc(1, 0.0, e), ground(0.0, e)};
        CAROM_AUTO(carom_bodies) bodies = make(2, shapes);
        const double q[] = {0.0, 3.0, 0.0, 1.0, 3.0, 0.0};
        const double v[] = {1.9, 0.0, 0.0, 0.2, 0.0, 0.0};
        CAROM_AUTO(carom_stepper)
        s = start(carom_bodies_mechanism(bodies), (carom_scheme)scheme, 1e-3, q, v);
        for (int k = 0; k < 300; k++) {
            assert_ok(carom_stepper_advance(s, NULL));
        }
        const double *u = carom_stepper_result(s)->velocity;
        assert_close(u[3] - u[0], e * 1.7, 1e-9, 0.0);
        assert_close(u[3] + u[0], 2.1, 1e-12, 0.0);
    }
}
