/* carom/timestepping/variational/variational.h: contacts whose normal turns: a bead in a bowl
 * and on a hill, and Painleve's rod. */
#include <carom/timestepping/variational/step_internal.h>

#include "../galpha/random_mechanism.h"
#include "variational_bodies.h"
#include "variational_ways.h"

#include <gsl/gsl_math.h>

/* ------------------------------------------------------------------------------------- bowl */

/** A bead inside a circle about the origin: that of the hill with its gap reversed. */
static void bowl_gap(const double *q, double *g, void *context) {
    bead_gap(q, g, context);
    g[0] = -g[0];
}

static void bowl_normal(const double *q, double *G, void *context) {
    bead_normal(q, G, context);
    G[0] = -G[0];
    G[1] = -G[1];
}

static carom_mechanism bowl_mechanism(bead *b) {
    carom_mechanism mechanism = bead_mechanism(b);
    mechanism.constraints = bowl_gap;
    mechanism.constraint_jacobian = bowl_normal;
    mechanism.constraint_rate_derivative = NULL;
    return mechanism;
}

TEST(unit, a_held_pendulum_stays_on_its_circle_and_keeps_its_energy) {
    bead b = {.mass = 0.7, .radius = 1.3, .gravity = 9.81};
    const carom_mechanism mechanism = bowl_mechanism(&b);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 5e-3;
    double t = 0.0;
    double q[2] = {1.3 * sin(1.2), -1.3 * cos(1.2)};
    double p[2] = {0.0, 0.0};
    bool held[1] = {true};
    const double energy = bead_energy(q, &b);
    for (int k = 0; k < 1000; k++) {
        const double height = -q[1] / b.radius;
        const double speed = hypot(p[0], p[1]) / b.mass;
        advance(step, &t, q, p, h, held);
        ck_assert(held[0]);
        ck_assert_double_lt(fabs(step->gap[0]), 1e-12);
        // The tension m (g cos + v^2/R), changing by h v/R (3 g/R) at most within the step.
        const double tension = b.mass * (b.gravity * height + speed * speed / b.radius);
        assert_close(step->normal_impulse[0], h * tension, 0.0, h * 0.2);
        // Tangent to the circle.
        assert_close(q[0] * p[0] + q[1] * p[1], 0.0, 0.0, 1e-14);
        // (omega h)^2/8 of the energy scale m g R.
        const double now = 0.5 * (p[0] * p[0] + p[1] * p[1]) / b.mass + bead_energy(q, &b);
        assert_close(now, energy, 0.0, 5e-4);
    }
    carom_variational_step_free(step);
}

/** A bead on a wavy floor, y = 0.3 sin(2 x). */
static void wave_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[1] - 0.3 * sin(2.0 * q[0]);
}

static void wave_normal(const double *q, double *G, void *context) {
    (void)context;
    G[0] = -0.6 * cos(2.0 * q[0]);
    G[1] = 1.0;
}

TEST(unit, a_gap_that_does_not_change_at_first_is_closed_after_a_long_step) {
    // From rest G v is as exact as the gap; over the arc of the step it is not.
    bead b = {.mass = 0.7, .gravity = 9.81};
    carom_mechanism mechanism = bead_mechanism(&b);
    mechanism.constraints = wave_gap;
    mechanism.constraint_jacobian = wave_normal;
    mechanism.constraint_rate_derivative = NULL;
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {1.8, 0.3 * sin(3.6)};
    const double p[2] = {0.0, 0.0};
    const bool held[1] = {true};
    for (int halvings = 0; halvings < 9; halvings++) {
        const double h = ldexp(0.3, -halvings);
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
        ck_assert(step->is_held[0]);
        assert_close(step->position[1], 0.3 * sin(2.0 * step->position[0]), 0.0, 1e-12);
        // It falls, by less than in the air.
        ck_assert_double_lt(step->position[1], q[1]);
        ck_assert_double_gt(step->position[1], q[1] - 0.5 * 9.81 * h * h);
    }
    carom_variational_step_free(step);
}

TEST(unit, a_bead_leaves_a_round_hill_where_its_weight_no_longer_holds_it) {
    // m g cos = m v^2/R with v^2 = v0^2 + 2 g R (1 - cos).
    bead b = {.mass = 0.7, .radius = 1.3, .gravity = 9.81};
    const carom_mechanism mechanism = bead_mechanism(&b);
    const double v0 = 0.4;
    const double expected = (2.0 + v0 * v0 / (b.gravity * b.radius)) / 3.0;
    carom_variational_step *step = step_of(&mechanism);
    const double h = 1e-3;
    double t = 0.0;
    double q[2] = {0.0, b.radius};
    double p[2] = {b.mass * v0, 0.0};
    bool held[1] = {true};
    while (held[0]) {
        advance(step, &t, q, p, h, held);
        ck_assert_double_lt(t, 2.0);
    }
    // h times the rate of cos, sin v/R < 2.1/s.
    assert_close(q[1] / b.radius, expected, 0.0, 2.1 * h);
    carom_variational_step_free(step);
}

static void hill_tangent(const double *q, double *H, void *context) {
    const double radius = hypot(q[0], q[1]);
    (void)context;
    H[0] = q[1] / radius;
    H[1] = -q[0] / radius;
}

TEST(unit, friction_of_a_bead_that_is_about_to_leave_never_exceeds_its_cone) {
    // In the last step on the hill kappa may pull, with g = 0 then.
    bead b = {.mass = 0.7, .radius = 1.3, .gravity = 9.81};
    const double mu[1] = {0.4};
    carom_mechanism mechanism = bead_mechanism(&b);
    mechanism.friction = mu;
    mechanism.tangent_count = 1;
    mechanism.tangential_jacobian = hill_tangent;
    int pulling = 0;
    for (int k = 0; k < 40; k++) {
        carom_variational_step *step = step_of(&mechanism);
        double t = 0.0;
        double q[2] = {0.0, b.radius};
        double p[2] = {b.mass * 2.6, 0.0};
        bool held[1] = {true};
        const double h = 0.01 * (1.0 + 0.02 * k);
        for (;;) {
            advance(step, &t, q, p, h, held);
            ck_assert_double_lt(t, 2.0);
            if (!held[0]) {
                break;
            }
            const double lambda = step->first_impulse[0];
            const double kappa = step->last_impulse[0];
            ck_assert_int_eq(way_of(step, 0), WAY_FORWARD);
            assert_close(step->first_friction[0], -mu[0] * lambda, 1e-14, 0.0);
            assert_close(step->last_friction[0], -mu[0] * fmax(0.0, kappa), 1e-14, 0.0);
            assert_close(step->dissipation, -step->friction_impulse[0] * step->sliding[0], 1e-14,
                         0.0);
            // Tangent, whether it pulls or not.
            assert_close(q[0] * p[0] + q[1] * p[1], 0.0, 0.0, 1e-14);
            pulling += kappa < 0.0 ? 1 : 0;
        }
        carom_variational_step_free(step);
    }
    ck_assert_int_ge(pulling, 5);
}

TEST(unit, steps_however_short_have_the_normal_force) {
    bead b = {.mass = 0.7, .radius = 1.3, .gravity = 9.81};
    const carom_mechanism mechanism = bowl_mechanism(&b);
    carom_variational_step *step = step_of(&mechanism);
    const double speed = 1.9;
    const double q[2] = {1.3 * sin(0.4), -1.3 * cos(0.4)};
    const double p[2] = {0.7 * speed * cos(0.4), 0.7 * speed * sin(0.4)};
    const bool held[1] = {true};
    const double force = 0.7 * (9.81 * cos(0.4) + speed * speed / 1.3);
    for (int decade = -12; decade <= -3; decade++) {
        const double h = pow(10.0, decade);
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
        ck_assert(step->is_held[0]);
        // Rounding of p and v, 1e-16, against h times the force; h times the rate of the force.
        assert_close(step->first_impulse[0], 0.5 * h * force, 0.0, 3e-16 + 20.0 * h * h);
        assert_close(step->last_impulse[0], 0.5 * h * force, 0.0, 6e-16 + 20.0 * h * h);
        ck_assert_double_lt(fabs(step->gap[0]), 1e-15);
        // and the way of the motion along the circle
        assert_close(hypot(step->position[0] - q[0], step->position[1] - q[1]), h * speed, h * 10.0,
                     2e-16);
    }
    carom_variational_step_free(step);
}

TEST(unit, a_gap_that_an_impact_left_is_closed_without_an_impulse) {
    const double gaps[2] = {1e-9, -1e-9};
    for (int k = 0; k < 2; k++) {
        for (int decade = -9; decade <= -3; decade += 2) {
            const double h = pow(10.0, decade);
            slider s = slider_of(0.0);
            const carom_mechanism mechanism = slider_mechanism(&s);
            carom_variational_step *step = step_of(&mechanism);
            const double q[2] = {0.0, gaps[k]};
            const double p[2] = {0.1, 0.0};
            const bool held[1] = {true};
            assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
            ck_assert(step->is_held[0]);
            const double half = 0.5 * h * s.mass * GRAVITY;
            assert_close(step->first_impulse[0], half, 1.01e-3, 1e-15);
            // In steps of normal length nothing is left of it, and never is it more.
            ck_assert_double_le(fabs(step->gap[0]), h > 1e-4 ? 1e-16 : 1e-9);
            carom_variational_step_free(step);
        }
    }
}

/* --------------------------------------------------------------------------------------- rod */

/** A thin rod on its lower tip, q = (x, y, angle from the floor): Painleve's. */
typedef struct rod {
    double mass;   /**< kg */
    double half;   /**< l, m */
    double weight; /**< downward force, N */
    double pull;   /**< force along the floor, N */
    double friction[1];
} rod;

static void rod_mass(const double *q, double *M, void *context) {
    const rod *r = context;
    (void)q;
    memset(M, 0, 9 * sizeof(double));
    M[0] = r->mass;
    M[4] = r->mass;
    M[8] = r->mass * r->half * r->half / 3.0;
}

static void rod_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)q;
    (void)v;
    f[0] = ((const rod *)context)->pull;
    f[1] = -((const rod *)context)->weight;
    f[2] = 0.0;
}

static double rod_energy(const double *q, void *context) {
    return ((const rod *)context)->weight * q[1];
}

static void rod_gap(const double *q, double *g, void *context) {
    g[0] = q[1] - ((const rod *)context)->half * sin(q[2]);
}

static void rod_normal(const double *q, double *G, void *context) {
    G[0] = 0.0;
    G[1] = 1.0;
    G[2] = -((const rod *)context)->half * cos(q[2]);
}

static void rod_tangent(const double *q, double *H, void *context) {
    H[0] = 1.0;
    H[1] = 0.0;
    H[2] = ((const rod *)context)->half * sin(q[2]);
}

static carom_mechanism rod_mechanism(rod *r) {
    return (carom_mechanism){
        .name = "rod",
        .coordinate_count = 3,
        .contact_count = 1,
        .layout = carom_layout_full(3),
        .position_units = "m, m, rad",
        .velocity_units = "m s-1, m s-1, rad s-1",
        .restitution = PLASTIC_RESTITUTION,
        .friction = r->friction,
        .tangent_count = 1,
        .mass = rod_mass,
        .force = rod_force,
        .potential_energy = rod_energy,
        .constraints = rod_gap,
        .constraint_jacobian = rod_normal,
        .tangential_jacobian = rod_tangent,
        .context = r,
    };
}

/** A step of a rod sliding with a speed of its tip at an angle of one radian. */
static carom_variational_step *slide_rod(const carom_mechanism *mechanism, double speed, double h,
                                         bool was_sliding) {
    const rod *r = mechanism->context;
    carom_variational_step *step = step_of(mechanism);
    const double q[3] = {0.0, r->half * sin(1.0), 1.0};
    const bool held[1] = {true};
    if (was_sliding) {
        // A step without weight in which it slides backwards, for the mode to begin with.
        const double weight = r->weight;
        ((rod *)mechanism->context)->weight = 0.0;
        const double slow[3] = {r->mass * speed, 0.0, 0.0};
        assert_ok(carom_variational_step_solve(step, 0.0, q, slow, h, held, NULL));
        ((rod *)mechanism->context)->weight = weight;
    }
    const double p[3] = {r->mass * speed, 0.0, 0.0};
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
    return step;
}

TEST(unit, a_rod_slides_as_long_as_friction_admits_it) {
    // G_nn - mu s G_nt > 0 with G_nn = (1 + 3 c^2)/m, G_nt = -3 s c/m: mu < 1.376 backwards.
    rod r = {.mass = 1.7, .half = 0.6, .weight = 1.7 * GRAVITY, .friction = {0.5}};
    const carom_mechanism mechanism = rod_mechanism(&r);
    const double normal = (1.0 + 3.0 * cos(1.0) * cos(1.0)) / r.mass;
    const double mixed = -3.0 * sin(1.0) * cos(1.0) / r.mass;
    const double h = 1e-6;
    for (int k = 0; k < 3; k++) {
        const double speed = k == 0 ? 0.9 : -0.9;
        r.friction[0] = k < 2 ? 0.5 : 1.3;
        carom_variational_step *step = slide_rod(&mechanism, speed, h, false);
        ck_assert_int_eq(way_of(step, 0), k == 0 ? WAY_FORWARD : WAY_BACKWARD);
        const double sign = k == 0 ? 1.0 : -1.0;
        const double half = 0.5 * h * GRAVITY / (normal - r.friction[0] * sign * mixed);
        // Up to the change of the angle within the step, and the rounding of v over h g.
        assert_close(step->first_impulse[0], half, 1e-4, 1e-15);
        ck_assert_int_eq(step->combinations, 1);
        carom_variational_step_free(step);
    }
}

TEST(unit, painleves_rod_jams_where_no_force_can_hold_it_sliding) {
    // mu > 1.376: sliding backwards under its weight has no solution in forces; the tip stops at
    // once, by impulses of the size of the momentum that its sliding has.
    rod r = {.mass = 1.7, .half = 0.6, .weight = 1.7 * GRAVITY, .friction = {2.0}};
    const carom_mechanism mechanism = rod_mechanism(&r);
    const double normal = (1.0 + 3.0 * cos(1.0) * cos(1.0)) / r.mass;
    const double mixed = -3.0 * sin(1.0) * cos(1.0) / r.mass;
    const double tangential = (1.0 + 3.0 * sin(1.0) * sin(1.0)) / r.mass;
    carom_variational_step *step = slide_rod(&mechanism, -0.9, 1e-6, false);
    ck_assert_int_eq(way_of(step, 0), WAY_STICK);
    ck_assert_int_gt(step->combinations, 1);
    const double f = 0.9 / (tangential - mixed * mixed / normal);
    assert_close(step->first_friction[0], f, 1e-4, 0.0);
    assert_close(step->first_impulse[0], -mixed * f / normal, 1e-4, 0.0);
    ck_assert_double_le(f, 2.0 * step->first_impulse[0]);
    // The tip has stopped at the end, too, and what its sliding had is lost.
    double H[3] = {0.0};
    rod_tangent(step->position, H, &r);
    assert_close(random_dot(3, H, step->velocity), 0.0, 0.0, 1e-15);
    assert_close(step->dissipation, 0.5 * 0.9 * f, 1e-4, 0.0);
    // The second half only holds against half a step of weight.
    ck_assert_double_lt(fabs(step->last_friction[0]), 1e-6 * r.weight);
    ck_assert_double_lt(step->last_impulse[0], 1e-6 * r.weight);
    ck_assert_double_gt(step->last_impulse[0], 0.0);
    carom_variational_step_free(step);

    // Lifted rather than loaded, theory has three answers: it flies, slides, or jams. That which
    // goes on from the last step is taken, and sliding pushes.
    r.weight = -r.weight;
    for (int k = 0; k < 2; k++) {
        step = slide_rod(&mechanism, -0.9, 1e-6, k == 1);
        ck_assert(step->is_held[0]);
        ck_assert_int_eq(way_of(step, 0), WAY_BACKWARD);
        const double half = 0.5e-6 * -GRAVITY / (normal + 2.0 * mixed);
        assert_close(step->first_impulse[0], half, 1e-4, 1e-15);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_jammed_rod_that_is_pulled_too_hard_slides_at_the_end_of_the_step) {
    // Jammed at the midpoint by impulses of the size of its momentum; in the second half there are
    // weight, pull and the turn about the tip alone. The tip slides along the pull, g = -mu kappa.
    const double normal = 1.0 + 3.0 * cos(1.0) * cos(1.0);
    const double mixed = -3.0 * sin(1.0) * cos(1.0);
    const double tangential = 1.0 + 3.0 * sin(1.0) * sin(1.0);
    const double h = 1e-6;
    rod r = {.mass = 1.7,
             .half = 0.6,
             .weight = 1.7 * GRAVITY,
             .pull = 10.0 * 1.7 * GRAVITY,
             .friction = {2.0}};
    const carom_mechanism mechanism = rod_mechanism(&r);
    carom_variational_step *step = slide_rod(&mechanism, -0.9, h, false);
    ck_assert_int_eq(way_of(step, 0), WAY_STICK);
    // About the tip the momentum -m v l sin is kept, with inertia (4/3) m l^2; the turn lifts the
    // tip by l omega^2 sin and moves it by l omega^2 cos.
    const double omega = 0.75 * 0.9 * sin(1.0) / r.half;
    const double turn = r.mass * r.half * omega * omega;
    const double kappa = 0.5 * h * (r.weight - turn * sin(1.0)) / (normal - 2.0 * mixed);
    // The angle turns by 1e-6 of the speed over the length within the step.
    assert_close(step->last_impulse[0], kappa, 1e-5, 0.0);
    assert_close(step->last_friction[0], -2.0 * step->last_impulse[0], 1e-13, 0.0);
    double H[3] = {0.0};
    rod_tangent(step->position, H, &r);
    const double pull = 0.5 * h * (r.pull + turn * cos(1.0));
    const double speed = (pull + kappa * (mixed - 2.0 * tangential)) / r.mass;
    ck_assert_double_gt(speed, 0.0);
    // v_m of 1 m/s leaves rounding of 1e-16.
    assert_close(random_dot(3, H, step->velocity), speed, 1e-5, 1e-15);
    carom_variational_step_free(step);
}

/** Angle and its rate of the rod about a tip that sticks: (4/3) m l^2 theta'' = -w l cos theta, by
 * the classical method of fourth order in steps of 16 us. */
static void turn_about_the_tip(const rod *r, double duration, double *angle, double *rate) {
    const int count = 20000;
    const double h = duration / count;
    const double k = -0.75 * r->weight / (r->mass * r->half);
    for (int i = 0; i < count; i++) {
        const double a1 = k * cos(*angle);
        const double w2 = *rate + 0.5 * h * a1;
        const double a2 = k * cos(*angle + 0.5 * h * *rate);
        const double w3 = *rate + 0.5 * h * a2;
        const double a3 = k * cos(*angle + 0.5 * h * w2);
        const double w4 = *rate + h * a3;
        const double a4 = k * cos(*angle + h * w3);
        *angle += h / 6.0 * (*rate + 2.0 * w2 + 2.0 * w3 + w4);
        *rate += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
}

/** What `count` steps leave of a motion of the rod. */
typedef struct rod_errors {
    double angle;   /**< rad */
    double rate;    /**< rad/s */
    double energy;  /**< J, without what friction took */
    double balance; /**< J, with it */
} rod_errors;

/** The rod from rest, or its tip at a speed, at an angle for 0.32 s; all steps in one mode. */
static rod_errors run_rod(rod *r, double angle, double speed, int count, int way) {
    const carom_mechanism mechanism = rod_mechanism(r);
    carom_variational_step *step = step_of(&mechanism);
    double t = 0.0;
    double q[3] = {r->half * cos(angle), r->half * sin(angle), angle};
    double p[3] = {r->mass * speed, 0.0, 0.0};
    bool held[1] = {true};
    const double energy = 0.5 * r->mass * speed * speed + r->weight * q[1];
    double lost = 0.0;
    for (int k = 0; k < count; k++) {
        advance(step, &t, q, p, 0.32 / count, held);
        ck_assert(held[0]);
        ck_assert_int_eq(way_of(step, 0), way);
        lost += step->dissipation;
    }
    const double now = 0.5 * random_dot(3, p, step->velocity) + r->weight * q[1];
    const rod_errors errors = {q[2], step->velocity[2], now - energy, now + lost - energy};
    carom_variational_step_free(step);
    return errors;
}

TEST(unit, a_rod_turns_about_a_tip_that_sticks_to_second_order) {
    rod r = {.mass = 1.7, .half = 0.6, .weight = 1.7 * GRAVITY, .friction = {3.0}};
    double angle = 1.3;
    double rate = 0.0;
    turn_about_the_tip(&r, 0.32, &angle, &rate);
    rod_errors before = {0};
    for (int count = 32; count <= 256; count *= 2) {
        rod_errors errors = run_rod(&r, 1.3, 0.0, count, WAY_STICK);
        errors.angle -= angle;
        errors.rate -= rate;
        if (count > 32) {
            // A quarter each, up to the next order.
            assert_close(before.angle / errors.angle, 4.0, 0.0, 0.05);
            assert_close(before.rate / errors.rate, 4.0, 0.0, 0.05);
            assert_close(before.energy / errors.energy, 4.0, 0.0, 0.05);
            ck_assert_double_lt(fabs(errors.balance), 0.3 * fabs(before.balance));
        }
        before = errors;
    }
    // Of the energy m g l = 10 J, as much as the midpoint rule of the pendulum makes.
    ck_assert_double_lt(fabs(before.energy), 3e-6);
}

TEST(unit, a_rod_that_slides_balances_its_energy_to_second_order) {
    rod r = {.mass = 1.7, .half = 0.6, .weight = 1.7 * GRAVITY, .friction = {0.3}};
    rod_errors before = {0};
    for (int count = 32; count <= 256; count *= 2) {
        const rod_errors errors = run_rod(&r, 1.3, 2.3, count, WAY_FORWARD);
        ck_assert_double_lt(errors.energy, -0.5);
        if (count > 32) {
            assert_close(before.balance / errors.balance, 4.0, 0.0, 0.1);
        }
        before = errors;
    }
}

static void rod_tangent_rates(const double *q, const double *v, double *D, void *context) {
    D[0] = 0.0;
    D[1] = 0.0;
    D[2] = ((const rod *)context)->half * cos(q[2]) * v[2];
}

TEST(unit, rods_that_have_turned_often_are_solved_up_to_rounding) {
    // The rounding of an angle of 6e5, 1e-10, is ten thousand tolerances of the sliding; what it
    // does to the direction of friction no size knows, and a few in a hundred steps cycle.
    rod r = {.mass = 1.0, .half = 1.0, .weight = GRAVITY, .friction = {3.0}};
    carom_mechanism mechanism = rod_mechanism(&r);
    mechanism.tangential_rate_derivative = rod_tangent_rates;
    carom_variational_step *step = step_of(&mechanism);
    gsl_rng *generator = seeded_generator(20140816);
    const double turns = 2e5 * M_PI;
    const bool held[1] = {true};
    int solved = 0;
    for (int sample = 0; sample < 1000; sample++) {
        const double angle = uniform(generator, 0.3, 1.5);
        const double rate = uniform(generator, -1.0, 1.0);
        const double v[3] = {-sin(angle) * rate, cos(angle) * rate, rate};
        double q[3] = {cos(angle), sin(angle), angle};
        double p[3] = {0.0};
        carom_variational_momentum(step, q, v, p);
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.1, held, NULL));
        const double expected = step->position[2];
        q[2] += turns;
        if (carom_variational_step_solve(step, 0.0, q, p, 0.1, held, NULL) == CAROM_OK) {
            assert_close(step->position[2] - turns, expected, 0.0, 1e-8);
            solved++;
        }
    }
    ck_assert_int_ge(solved, 950);
    gsl_rng_free(generator);
    carom_variational_step_free(step);
}

TEST(errors, the_residual_of_a_failure_is_that_of_the_combination_that_failed) {
    // One iteration is too few, and the linearised equations have no other combination.
    bead b = {.mass = 0.7, .radius = 1.3, .gravity = 9.81};
    const carom_mechanism mechanism = bowl_mechanism(&b);
    carom_variational_step_params params = carom_variational_step_params_default();
    params.most_iterations = 1;
    carom_variational_step *step;
    assert_ok(carom_variational_step_alloc(&mechanism, &params, &step, NULL));
    const double q[2] = {1.3 * sin(0.4), -1.3 * cos(0.4)};
    const double p[2] = {0.7 * 1.9 * cos(0.4), 0.7 * 1.9 * sin(0.4)};
    const bool held[1] = {true};
    carom_report report = carom_report_empty();
    assert_status(carom_variational_step_solve(step, 0.0, q, p, 0.1, held, &report), NOT_CONVERGED);
    ck_assert_int_eq(step->combinations, 1);
    ck_assert_str_eq(report.quantity, "momentum residual");
    ck_assert_double_gt(report.residual, 1e-12);
    assert_close(report.value, report.residual, 0.0, 0.0);
    carom_variational_step_free(step);
}
