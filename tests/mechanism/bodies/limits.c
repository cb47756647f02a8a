/* carom/mechanism/bodies/bodies.h: joints with stops and dry friction, springs between angles,
 * against closed forms. */
#include <carom/mechanism/bodies/bodies.h>

#include "../../derivatives.h"

#include <carom/timestepping/galpha/galpha.h>

static const carom_planar_shape ROTOR = {2.385, 0.31, {0.0, 0.0}};

static carom_bodies *build(int body_count, const carom_planar_shape *bodies, int joint_count,
                           const carom_bodies_joint *joints) {
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = body_count;
    spec.bodies = bodies;
    spec.joint_count = joint_count;
    spec.joints = joints;
    carom_bodies *out = NULL;
    assert_ok(carom_bodies_alloc(&spec, &out, NULL));
    return out;
}

static carom_stepper *start(const carom_bodies *bodies, double h, const double *q,
                            const double *v) {
    carom_stepper_params params = carom_stepper_params_default(CAROM_SCHEME_MOREAU_JEAN);
    params.step = h;
    params.theta = 0.5;
    carom_stepper *stepper = NULL;
    assert_ok(carom_stepper_alloc(carom_bodies_mechanism(bodies), &params, &stepper, NULL));
    carom_report report = carom_report_empty();
    const carom_status status = carom_stepper_start(stepper, 0.0, q, v, &report);
    if (status != CAROM_OK) {
        carom_report_print(stderr, status, &report);
    }
    ck_assert_int_eq(status, CAROM_OK);
    return stepper;
}

static const carom_step *advance(carom_stepper *stepper, int steps) {
    for (int k = 0; k < steps; k++) {
        assert_ok(carom_stepper_advance(stepper, NULL));
    }
    return carom_stepper_result(stepper);
}

/** Stops and friction of both kinds of joint between bodies and with the ground, a torsion spring:
 * nothing is linear but the angles. */
TEST(property, derivatives_are_those_of_differences) {
    const carom_planar_shape bodies[] = {
        {2.385, 0.31, {0.05, -0.03}}, {1.17, 0.11, {0.0, 0.02}}, {0.73, 0.21, {-0.04, 0.0}}};
    const carom_bodies_joint joints[] = {{.kind = CAROM_BODIES_REVOLUTE,
                                          .first = 0,
                                          .second = 1,
                                          .first_point = {0.3, 0.2},
                                          .second_point = {-0.1, 0.4},
                                          .angle = 0.3,
                                          .has_stops = true,
                                          .stops = {-0.7, 1.1},
                                          .friction = 1.7},
                                         {.kind = CAROM_BODIES_PRISMATIC,
                                          .first = 2,
                                          .second = 1,
                                          .first_point = {0.1, 0.2},
                                          .second_point = {0.3, -0.1},
                                          .axis_angle = 0.7,
                                          .has_stops = true,
                                          .stops = {-0.2, 0.5},
                                          .friction = 2.3},
                                         {.kind = CAROM_BODIES_PRISMATIC,
                                          .first = CAROM_BODIES_GROUND,
                                          .second = 2,
                                          .second_point = {0.2, 0.1},
                                          .axis_angle = -0.4,
                                          .friction = 0.9}};
    const carom_bodies_spring springs[] = {{.first = 0,
                                            .second = 2,
                                            .stiffness = 17.3,
                                            .damping = 2.1,
                                            .length = -0.6,
                                            .is_torsion = true}};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = 3;
    spec.bodies = bodies;
    spec.joint_count = 3;
    spec.joints = joints;
    spec.spring_count = 1;
    spec.springs = springs;
    CAROM_AUTO(carom_bodies) s = NULL;
    assert_ok(carom_bodies_alloc(&spec, &s, NULL));
    const carom_mechanism *m = carom_bodies_mechanism(s);
    ck_assert_int_eq(m->coordinate_count, 12);
    ck_assert_int_eq(carom_bodies_limit_count(s), 7);
    ck_assert_int_eq(m->contact_count, 7);
    gsl_rng *generator = seeded_generator(12);
    for (int draw = 0; draw < 20; draw++) {
        double q[12];
        double v[12];
        for (int i = 0; i < 12; i++) {
            q[i] = uniform(generator, -1.5, 1.5);
            v[i] = uniform(generator, -2.0, 2.0);
        }
        assert_derivatives(m, 0.3, q, v, 1e-6, 5, (unsigned)draw);
        assert_ok(carom_mechanism_check_directions(m, 0.3, q, v, 5, NULL));
    }
    gsl_rng_free(generator);
}

/** A rotor under dry friction M loses M t / I of its rate and then stands: the theta-method has
 * constant moments exactly, of the step in which it stops the mean. */
TEST(property, a_rotor_with_dry_friction_slows_evenly_and_stands) {
    const double moment = 0.73;
    const double rate = 2.385;
    const double h = 1e-3;
    const carom_bodies_joint pin = {.kind = CAROM_BODIES_REVOLUTE,
                                    .first = CAROM_BODIES_GROUND,
                                    .second = 0,
                                    .friction = moment};
    CAROM_AUTO(carom_bodies) s = build(1, &ROTOR, 1, &pin);
    const double q[4] = {0.0};
    const double v[4] = {0.0, 0.0, rate, 0.0};
    CAROM_AUTO(carom_stepper) stepper = start(s, h, q, v);
    const carom_step *step = advance(stepper, 500);
    const double t = 0.5;
    assert_close(step->velocity[2], rate - moment * t / ROTOR.inertia, 1e-11, 0.0);
    assert_close(step->position[2], rate * t - 0.5 * moment * t * t / ROTOR.inertia, 1e-11, 0.0);
    const double end = rate * ROTOR.inertia / moment;
    step = advance(stepper, (int)(end / h) - 500 + 100);
    /* of the last sliding step, a part p: h/2 times what is left of the rate, not its square */
    assert_close(step->position[2], 0.5 * rate * end, 0.0, 0.25 * h * h * moment / ROTOR.inertia);
    assert_close(step->velocity[2], 0.0, 0.0, 1e-12 * rate);
    assert_close(step->friction_impulse[0], 0.0, 0.0, 1e-10 * h * moment);
}

/** A pendulum stays where the moment of its weight is below that of friction, and goes where it is
 * not. */
TEST(property, friction_holds_a_pendulum_up_to_its_moment) {
    const double length = 0.4;
    const double weight = 9.81 * ROTOR.mass * length;
    const double holds = 0.3; /* sine of the angle at which it just does */
    for (int side = 0; side < 2; side++) {
        const double angle = asin(holds * (side == 0 ? 0.99 : 1.01));
        const carom_bodies_joint pin = {.kind = CAROM_BODIES_REVOLUTE,
                                        .first = CAROM_BODIES_GROUND,
                                        .second = 0,
                                        .second_point = {0.0, length},
                                        .friction = holds * weight};
        CAROM_AUTO(carom_bodies) s = build(1, &ROTOR, 1, &pin);
        const double q[4] = {length * sin(angle), -length * cos(angle), angle, 0.0};
        const double v[4] = {0.0};
        CAROM_AUTO(carom_stepper) stepper = start(s, 1e-3, q, v);
        const carom_step *step = advance(stepper, 2000);
        if (side == 0) {
            assert_close(step->position[2], angle, 0.0, 1e-12);
            assert_close(step->friction_impulse[0], 1e-3 * sin(angle) * weight, 1e-9, 0.0);
        } else {
            /* as far beyond where both moments are equal as it began before it, but for the second
             * order of that distance d: (theta - theta*)^2 tan(theta*) / 3 */
            const double d = angle - asin(holds);
            assert_close(step->position[2], asin(holds) - d, 0.0, d * d);
            assert_close(step->velocity[2], 0.0, 0.0, 1e-12);
        }
    }
}

/** A slider on an inclined line: g sin - F/m down, and what is up goes slower by as much. */
TEST(property, a_slider_with_dry_friction_slides_as_on_a_slope) {
    const double slope = -0.6;
    const double force = 3.1;
    const carom_bodies_joint line = {.kind = CAROM_BODIES_PRISMATIC,
                                     .first = CAROM_BODIES_GROUND,
                                     .second = 0,
                                     .axis_angle = slope,
                                     .friction = force};
    for (int way = -1; way <= 1; way += 2) {
        CAROM_AUTO(carom_bodies) s = build(1, &ROTOR, 1, &line);
        const double speed = 4.0 * way;
        const double q[4] = {0.0};
        const double v[4] = {speed * cos(slope), speed * sin(slope), 0.0, 0.0};
        CAROM_AUTO(carom_stepper) stepper = start(s, 1e-3, q, v);
        const carom_step *step = advance(stepper, 300);
        const double acceleration = 9.81 * sin(-slope) - way * force / ROTOR.mass;
        const double along = speed * 0.3 + 0.5 * acceleration * 0.09;
        assert_close(step->position[0], along * cos(slope), 1e-11, 0.0);
        assert_close(step->position[1], along * sin(slope), 1e-11, 0.0);
        assert_close(step->friction_impulse[0], -1e-3 * way * force, 1e-11, 0.0);
    }
}

/** A slider runs between two stops, each of which returns e of its speed. */
TEST(property, stops_return_what_they_restitute) {
    const double e = 0.7;
    const double speed = 2.0;
    const carom_bodies_joint line = {.kind = CAROM_BODIES_PRISMATIC,
                                     .first = CAROM_BODIES_GROUND,
                                     .second = 0,
                                     .has_stops = true,
                                     .stops = {-0.25, 0.4},
                                     .restitution = e};
    CAROM_AUTO(carom_bodies) s = build(1, &ROTOR, 1, &line);
    const double q[3] = {0.0};
    const double v[3] = {speed, 0.0, 0.0};
    CAROM_AUTO(carom_stepper) stepper = start(s, 1e-3, q, v);
    double last = speed;
    double farthest[2] = {0.0, 0.0};
    int hits = 0;
    for (int k = 0; k < 1500; k++) {
        const carom_step *step = advance(stepper, 1);
        farthest[0] = fmin(farthest[0], step->position[0]);
        farthest[1] = fmax(farthest[1], step->position[0]);
        if (fabs(step->velocity[0] - last) > 0.0 && step->velocity[0] * last < 0.0) {
            assert_close(step->velocity[0], -e * last, 1e-12, 0.0);
            hits++;
            ck_assert_int_eq(step->velocity_active[2 + (last > 0.0 ? 1 : 0)], 1);
        }
        last = step->velocity[0];
    }
    /* 0.2 s to the upper one, 0.65 m at 1.4 m/s to the lower one, at 0.98 m/s back: 0.2, 0.664,
     * 1.328 s */
    ck_assert_int_eq(hits, 3);
    /* what a step moves beyond, by half of it at most */
    assert_close(farthest[0], -0.25, 0.0, 0.5e-3 * speed);
    assert_close(farthest[1], 0.4, 0.0, 0.5e-3 * speed);
}

/** A bar rests on the stop of its hinge: the stop carries the moment of its weight. */
TEST(property, a_stop_carries_what_leans_on_it) {
    const double length = 0.4;
    const carom_bodies_joint hinge = {.kind = CAROM_BODIES_REVOLUTE,
                                      .first = CAROM_BODIES_GROUND,
                                      .second = 0,
                                      .second_point = {-length, 0.0},
                                      .has_stops = true,
                                      .stops = {0.0, (double)INFINITY}};
    CAROM_AUTO(carom_bodies) s = build(1, &ROTOR, 1, &hinge);
    ck_assert_int_eq(carom_bodies_limit_count(s), 1);
    const double q[3] = {length, 0.0, 0.0};
    const double v[3] = {0.0};
    CAROM_AUTO(carom_stepper) stepper = start(s, 1e-3, q, v);
    const carom_step *step = advance(stepper, 1000);
    assert_close(step->position[2], 0.0, 0.0, 1e-12);
    assert_close(step->impulse[2], 1e-3 * 9.81 * ROTOR.mass * length, 1e-11, 0.0);
}

/** The theta-method with 1/2 keeps the energy of an oscillator and turns its phase by 2 atan(omega
 * h / 2) in a step. */
TEST(property, a_torsion_spring_turns_in_its_period) {
    const double stiffness = 17.3;
    const double rest = -0.2;
    const carom_bodies_spring spring = {.first = CAROM_BODIES_GROUND,
                                        .second = 0,
                                        .stiffness = stiffness,
                                        .length = rest,
                                        .is_torsion = true};
    carom_bodies_spec spec = carom_bodies_spec_default();
    spec.body_count = 1;
    spec.bodies = &ROTOR;
    spec.spring_count = 1;
    spec.springs = &spring;
    spec.gravity[1] = 0.0;
    CAROM_AUTO(carom_bodies) s = NULL;
    assert_ok(carom_bodies_alloc(&spec, &s, NULL));
    const double q[3] = {0.0, 0.0, 0.5};
    const double v[3] = {0.0};
    const double h = 0.01;
    CAROM_AUTO(carom_stepper) stepper = start(s, h, q, v);
    const carom_step *step = advance(stepper, 137);
    const double phase = 137 * 2.0 * atan(0.5 * h * sqrt(stiffness / ROTOR.inertia));
    assert_close(step->position[2], rest + (0.5 - rest) * cos(phase), 0.0, 1e-11);
}

TEST(errors, what_no_joint_can_have_is_refused) {
    const carom_bodies_joint good = {.kind = CAROM_BODIES_REVOLUTE,
                                     .first = CAROM_BODIES_GROUND,
                                     .has_stops = true,
                                     .stops = {-1.0, 1.0},
                                     .friction = 1.0};
    struct {
        carom_bodies_joint joint;
        const char *quantity;
    } cases[] = {{good, "joint with stops or friction"}, {good, "joint with stops or friction"},
                 {good, "upper stop of a joint"},        {good, "upper stop of a joint"},
                 {good, "restitution of a joint"},       {good, "friction of a joint"},
                 {good, "friction of a joint"}};
    cases[0].joint.kind = CAROM_BODIES_FIXED;
    cases[1].joint.kind = CAROM_BODIES_DRIVEN;
    cases[1].joint.has_stops = false;
    cases[2].joint.stops[1] = -1.0;
    cases[3].joint.stops[0] = (double)NAN;
    cases[4].joint.restitution = 1.1;
    cases[5].joint.friction = -0.1;
    cases[6].joint.friction = (double)INFINITY;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        carom_bodies_spec spec = carom_bodies_spec_default();
        spec.body_count = 1;
        spec.bodies = &ROTOR;
        spec.joint_count = 1;
        spec.joints = &cases[k].joint;
        carom_bodies *out = NULL;
        carom_report report = carom_report_empty();
        assert_status(carom_bodies_alloc(&spec, &out, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, cases[k].quantity);
    }
}
