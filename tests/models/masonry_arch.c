/* carom/models/masonry_arch.h: the least thickness of arches against what is printed, against
 * itself in other ways, and by motion. */
#include <carom/models/masonry_arch.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <carom/timestepping/galpha/galpha.h>

/** Milankovitch 0.1075 at 54.5 degrees, Couplet and Heyman 0.1059 at 58.8 degrees, as printed; the
 * last digit of Heyman's was cut. */
TEST(unit, least_thicknesses_are_those_printed) {
    const carom_masonry_arch_limit true_centres =
        carom_masonry_arch_limit_of(CAROM_MASONRY_ARCH_TRUE_CENTRES);
    const carom_masonry_arch_limit heyman = carom_masonry_arch_limit_of(CAROM_MASONRY_ARCH_HEYMAN);
    assert_close(true_centres.thickness, 0.1075, 0.0, 0.5e-4);
    assert_close(true_centres.haunch_angle * 180.0 / acos(-1.0), 54.5, 0.0, 0.05);
    assert_close(heyman.thickness, 0.1059, 0.0, 1e-4);
    assert_close(heyman.haunch_angle * 180.0 / acos(-1.0), 58.8, 0.0, 0.05);
}

/** Of more and more voussoirs it goes to that with a joint everywhere, from below: a chord's arch
 * is off by the square of its angle, and a hinge by as much as the joints are apart. */
TEST(property, many_voussoirs_are_a_ring_with_a_joint_everywhere) {
    const carom_masonry_arch_limit ring =
        carom_masonry_arch_limit_of(CAROM_MASONRY_ARCH_TRUE_CENTRES);
    for (int n = 64; n <= 1024; n *= 2) {
        const carom_masonry_arch_limit limit = carom_masonry_arch_limit_of_voussoirs(n);
        const double angle = acos(-1.0) / n;
        ck_assert_double_lt(limit.thickness, ring.thickness);
        assert_close(limit.thickness, ring.thickness, 0.0, angle * angle);
        assert_close(limit.haunch_angle, ring.haunch_angle, 0.0, angle);
        assert_close(limit.thrust, ring.thrust, 0.0, angle * angle);
    }
}

/** At the limit the thrust reaches the extrados at crown and springing and the intrados at the
 * haunch; each part of the arch is in balance. */
TEST(property, the_thrust_balances_every_part) {
    enum { N = 14, JOINTS = N / 2 + 1 };
    double radii[JOINTS];
    double H = 0.0;
    const double t = 0.13;
    ck_assert_double_lt(carom_masonry_arch_thrust(N, t, radii, &H), 0.0);
    carom_masonry_arch_params arch = carom_masonry_arch_params_default();
    arch.voussoir_count = N;
    arch.thickness = t;
    double corners[8];
    carom_masonry_arch_corners(&arch, corners);
    const carom_bodies_shape shape = {.body = 0, .point_count = 4, .points = corners};
    const double centre = carom_bodies_uniform(1, &shape, 1.0).center[1];
    double weight = 0.0;
    double moment = H * radii[0]; /* of the forces on the part, about the middle */
    for (int k = 1; k < JOINTS; k++) {
        const double angle = (k - 0.5) * acos(-1.0) / N;
        weight += 2.0 / N;
        moment += 2.0 / N * centre * sin(angle);
        const double joint = k * acos(-1.0) / N;
        assert_close(radii[k] * (H * cos(joint) + weight * sin(joint)), moment, 1e-12, 0.0);
        ck_assert_double_ge(radii[k], 1.0 - 0.5 * t);
        ck_assert_double_le(radii[k], 1.0 + 0.5 * t);
    }
}

/** The crown's height after some time. */
static double sink(const carom_masonry_arch_params *params, double duration) {
    double q[3 * 16];
    const double v[3 * 16] = {0.0};
    CAROM_AUTO(carom_bodies) bodies = NULL;
    CAROM_AUTO(carom_stepper) stepper = NULL;
    carom_stepper_params steps = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    steps.step = 2e-3 * sqrt(params->radius);
    steps.theta = 0.5;
    assert_ok(carom_masonry_arch_alloc(params, &bodies, q, NULL));
    assert_ok(carom_stepper_alloc(carom_bodies_mechanism(bodies), &steps, &stepper, NULL));
    assert_ok(carom_stepper_start(stepper, 0.0, q, v, NULL));
    for (int k = 0; k * steps.step < duration; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
    }
    const int crown = 3 * (params->voussoir_count / 2) + 1;
    return q[crown] - carom_stepper_result(stepper)->position[crown];
}

/** An arch a thousandth thicker than its limit stands, one as much thinner falls; of three metres
 * as of one. */
TEST(property, an_arch_stands_above_its_limit_and_falls_below) {
    for (int k = 0; k < 2; k++) {
        carom_masonry_arch_params arch = carom_masonry_arch_params_default();
        arch.voussoir_count = 12;
        arch.radius = k == 0 ? 1.0 : 3.0;
        const double limit = carom_masonry_arch_limit_of_voussoirs(12).thickness;
        arch.thickness = 1.001 * limit;
        assert_close(sink(&arch, 0.5), 0.0, 0.0, 1e-10 * arch.radius);
        arch.thickness = 0.999 * limit;
        ck_assert_double_gt(sink(&arch, 0.5), 1e-5 * arch.radius);
    }
}

TEST(errors, what_is_no_arch_is_refused) {
    const carom_masonry_arch_params good = carom_masonry_arch_params_default();
    carom_masonry_arch_params cases[] = {good, good, good, good};
    cases[0].voussoir_count = 0;
    cases[1].radius = 0.0;
    cases[2].density = -1.0;
    cases[3].thickness = 2.0;
    static const char *const quantities[] = {"voussoirs", "radius", "density", "thickness"};
    double q[3 * 16];
    for (int k = 0; k < 4; k++) {
        carom_bodies *bodies = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_masonry_arch_alloc(&cases[k], &bodies, q, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, quantities[k]);
    }
    cases[0] = good;
    cases[0].gravity = (double)NAN;
    carom_bodies *bodies = NULL;
    assert_status(carom_masonry_arch_alloc(&cases[0], &bodies, q, NULL), NOT_FINITE);
}
