/*
 * carom/timestepping/variational/variational_step.h: closed forms of the midpoint rule, momenta and
 * order of the biped TREX, bodies on a floor, and the printed equations evaluated anew.
 */
#include <carom/timestepping/variational/variational_step.h>

#include "../../failing_malloc.h"
#include "../galpha/random_mechanism.h"
#include "../plastic/plastic_bodies.h"

#include <carom/models/trex/trex.h>

#include <float.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_math.h>

enum { N = CAROM_TREX_COORDINATES };

static carom_variational_step *step_of(const carom_mechanism *mechanism) {
    const carom_variational_step_params params = carom_variational_step_params_default();
    carom_variational_step *step;
    assert_ok(carom_variational_step_alloc(mechanism, &params, &step, NULL));
    return step;
}

/** One step, state and held contacts in place. */
static void advance(carom_variational_step *step, double *t, double *q, double *p, double h,
                    bool *held) {
    const int n = step->mechanism->coordinate_count;
    assert_ok(carom_variational_step_solve(step, *t, q, p, h, held, NULL));
    memcpy(q, step->position, (size_t)n * sizeof(double));
    memcpy(p, step->momentum, (size_t)n * sizeof(double));
    for (int i = 0; held != NULL && i < step->mechanism->contact_count; i++) {
        held[i] = step->is_held[i];
    }
    *t = step->time;
}

/* ------------------------------------------------------------------------------------ slider */

/** A point on a plane floor: q = (x, y) or (x, z, y), height last; the floor's gap is scaled. */
typedef struct slider {
    int tangents;       /**< t: 1 or 2 */
    int copies;         /**< how often the contact is given, at most 2 */
    double mass;        /**< kg */
    double force[3];    /**< N, in the order of the coordinates */
    double growth;      /**< of the last force, N/s */
    double scale;       /**< of the gap */
    double friction[2]; /**< mu */
    double restitution[2];
} slider;

static void slider_mass(const double *q, double *M, void *context) {
    const slider *s = context;
    const int n = s->tangents + 1;
    (void)q;
    for (int i = 0; i < n * n; i++) {
        M[i] = i % (n + 1) == 0 ? s->mass : 0.0;
    }
}

static void slider_force(double t, const double *q, const double *v, double *f, void *context) {
    const slider *s = context;
    (void)q;
    (void)v;
    for (int i = 0; i <= s->tangents; i++) {
        f[i] = s->force[i] + (i == s->tangents ? s->growth * t : 0.0);
    }
}

static double slider_energy(const double *q, void *context) {
    const slider *s = context;
    double energy = 0.0;
    for (int i = 0; i <= s->tangents; i++) {
        energy -= s->force[i] * q[i];
    }
    return energy;
}

static void slider_gap(const double *q, double *g, void *context) {
    const slider *s = context;
    for (int i = 0; i < s->copies; i++) {
        g[i] = s->scale * q[s->tangents];
    }
}

static void slider_normal(const double *q, double *G, void *context) {
    const slider *s = context;
    const int n = s->tangents + 1;
    (void)q;
    for (int i = 0; i < s->copies * n; i++) {
        G[i] = i % n == s->tangents ? s->scale : 0.0;
    }
}

static void slider_tangent(const double *q, double *H, void *context) {
    const slider *s = context;
    const int n = s->tangents + 1;
    (void)q;
    for (int row = 0; row < s->copies * s->tangents; row++) {
        for (int j = 0; j < n; j++) {
            H[row * n + j] = j == row % s->tangents ? 1.0 : 0.0;
        }
    }
}

static carom_mechanism slider_mechanism(slider *s) {
    return (carom_mechanism){
        .name = "slider",
        .coordinate_count = s->tangents + 1,
        .contact_count = s->copies,
        .layout = carom_layout_full(s->tangents + 1),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .restitution = s->restitution,
        .friction = s->friction,
        .tangent_count = s->tangents,
        .mass = slider_mass,
        .force = slider_force,
        .potential_energy = slider_energy,
        .constraints = slider_gap,
        .constraint_jacobian = slider_normal,
        .tangential_jacobian = slider_tangent,
        .context = s,
    };
}

static const double GRAVITY = 9.81;

/** On a floor with one tangent, mu = 0.37, a weight and a pull. */
static slider slider_of(double pull) {
    return (slider){.tangents = 1,
                    .copies = 1,
                    .mass = 2.385,
                    .force = {pull, -2.385 * GRAVITY},
                    .scale = 1.0,
                    .friction = {0.37, 0.37}};
}

/* ------------------------------------------------------------------------------- oscillator */

typedef struct oscillator {
    double mass;
    double stiffness;
    double damping;
} oscillator;

static void oscillator_mass(const double *q, double *M, void *context) {
    (void)q;
    M[0] = ((const oscillator *)context)->mass;
}

static void oscillator_force(double t, const double *q, const double *v, double *f, void *context) {
    const oscillator *o = context;
    (void)t;
    f[0] = -o->stiffness * q[0] - o->damping * v[0];
}

static void oscillator_stiffness(double t, const double *q, const double *v, double *K,
                                 void *context) {
    (void)t;
    (void)q;
    (void)v;
    K[0] = ((const oscillator *)context)->stiffness;
}

static void oscillator_damping(double t, const double *q, const double *v, double *C,
                               void *context) {
    (void)t;
    (void)q;
    (void)v;
    C[0] = ((const oscillator *)context)->damping;
}

static double oscillator_energy(const double *q, void *context) {
    return 0.5 * ((const oscillator *)context)->stiffness * q[0] * q[0];
}

static carom_mechanism oscillator_mechanism(oscillator *o) {
    return (carom_mechanism){
        .name = "oscillator",
        .coordinate_count = 1,
        .layout = carom_layout_banded(1, 0),
        .is_linear = true,
        .position_units = "m",
        .velocity_units = "m s-1",
        .mass = oscillator_mass,
        .force = oscillator_force,
        .stiffness = oscillator_stiffness,
        .damping = oscillator_damping,
        .potential_energy = oscillator_energy,
        .context = o,
    };
}

TEST(unit, an_oscillator_turns_by_twice_the_arc_tangent_of_half_a_step) {
    // The midpoint rule is the Cayley map: q_k = A cos(k beta), tan(beta/2) = omega h/2.
    oscillator o = {.mass = 1.7, .stiffness = 23.0};
    const carom_mechanism mechanism = oscillator_mechanism(&o);
    carom_variational_step *step = step_of(&mechanism);
    const double omega = sqrt(o.stiffness / o.mass);
    const double h = 0.31;
    const double beta = 2.0 * atan(0.5 * omega * h);
    double t = 0.0;
    double q = 0.83;
    double p = 0.0;
    for (int k = 1; k <= 200; k++) {
        advance(step, &t, &q, &p, h, NULL);
        ck_assert_int_le(step->iterations, 2);
        // Errors of 1e-15 a step add up.
        assert_close(q, 0.83 * cos(k * beta), 0.0, 2e-13);
        assert_close(p, -0.83 * o.mass * omega * sin(k * beta), 0.0, 1e-12);
        assert_close(step->velocity[0], p / o.mass, 1e-15, 0.0);
    }
    carom_variational_step_free(step);
}

TEST(unit, a_damped_oscillator_solves_the_midpoint_equation) {
    // (m + h c/2 + h^2 k/4) v = p - (h/2) k q, by hand.
    oscillator o = {.mass = 1.7, .stiffness = 23.0, .damping = 2.9};
    const carom_mechanism mechanism = oscillator_mechanism(&o);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 0.2;
    double t = 0.0;
    double q = 0.83;
    double p = -1.2;
    const double v = (p - 0.5 * h * o.stiffness * q) /
                     (o.mass + 0.5 * h * o.damping + 0.25 * h * h * o.stiffness);
    const double F = -o.stiffness * (q + 0.5 * h * v) - o.damping * v;
    const double p_end = p + h * F;
    const double q_end = q + h * v;
    advance(step, &t, &q, &p, h, NULL);
    assert_close(q, q_end, 1e-14, 0.0);
    assert_close(p, p_end, 1e-14, 0.0);
    assert_close(t, 0.2, DBL_EPSILON, 0.0);
    carom_variational_step_free(step);
}

/** M = 1 + sin(q)/2 in free motion: M q''/1 = -M' v^2/2. */
static void waving_mass(const double *q, double *M, void *context) {
    (void)context;
    M[0] = 1.0 + 0.5 * sin(q[0]);
}

static void waving_derivative(const double *q, const double *a, double *D, void *context) {
    (void)context;
    D[0] = 0.5 * cos(q[0]) * a[0];
}

static void waving_force(double t, const double *q, const double *v, double *f, void *context) {
    (void)t;
    (void)context;
    f[0] = -0.25 * cos(q[0]) * v[0] * v[0];
}

TEST(unit, a_mass_that_varies_far_from_the_origin_moves) {
    // Rounding of q at 1e6 leaves 1e-10 of M v, ten thousand times the tolerance.
    const carom_mechanism mechanism = {
        .name = "waving",
        .coordinate_count = 1,
        .layout = carom_layout_full(1),
        .position_units = "m",
        .velocity_units = "m s-1",
        .mass = waving_mass,
        .mass_derivative = waving_derivative,
        .force = waving_force,
    };
    carom_variational_step *step = step_of(&mechanism);
    double t = 0.0;
    double q = 1e6;
    double v = 1.3;
    double p = 0.0;
    carom_variational_momentum(step, &q, &v, &p);
    const double energy = 0.5 * p * v;
    for (int k = 0; k < 300; k++) {
        advance(step, &t, &q, &p, 0.01, NULL);
        ck_assert_int_lt(step->iterations, 8);
        // (v h)^2/8 of it at most
        assert_close(0.5 * p * step->velocity[0], energy, 3e-5, 0.0);
    }
    carom_variational_step_free(step);
}

TEST(unit, a_fall_is_exact_and_open_contacts_are_passed) {
    ball b = {.mass = 1.3, .gravity = 9.7};
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_variational_step *step = step_of(&mechanism);
    double t = 0.0;
    double q = 0.2;
    double p = 0.0;
    bool held[1] = {false};
    for (int k = 1; k <= 10; k++) {
        advance(step, &t, &q, &p, 0.07, held);
        const double time = 0.07 * k;
        assert_close(q, 0.2 - 0.5 * 9.7 * time * time, 0.0, 1e-14);
        assert_close(p, -1.3 * 9.7 * time, 1e-14, 0.0);
        assert_close(step->gap[0], q, 0.0, 0.0);
        assert_close(step->normal_impulse[0], 0.0, 0.0, 0.0);
        ck_assert(!step->is_held[0]);
    }
    ck_assert_double_lt(q, 0.0);
    carom_variational_step_free(step);
}

TEST(unit, a_block_at_rest_is_carried_by_equal_halves) {
    // lambda = kappa = h m g/2, whatever the unit of the gap.
    for (int k = 0; k < 2; k++) {
        slider s = slider_of(0.0);
        s.scale = k == 0 ? 1.0 : 1e3;
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double h = 0.013;
        double t = 0.0;
        double q[2] = {0.4, 0.0};
        double p[2] = {0.0, 0.0};
        bool held[1] = {true};
        for (int j = 0; j < 20; j++) {
            advance(step, &t, q, p, h, held);
            const double half = 0.5 * h * s.mass * GRAVITY / s.scale;
            assert_close(step->first_impulse[0], half, 1e-14, 0.0);
            assert_close(step->last_impulse[0], half, 1e-14, 0.0);
            assert_close(step->normal_impulse[0], 2.0 * half, 1e-14, 0.0);
            ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_STICK);
            ck_assert_int_eq(step->combinations, 1);
            assert_close(p[1], 0.0, 0.0, 1e-16);
            assert_close(q[0], 0.4, 0.0, 0.0);
            assert_close(step->dissipation, 0.0, 0.0, 0.0);
        }
        carom_variational_step_free(step);
    }
}

TEST(unit, a_sliding_block_is_slowed_by_mu_g_and_stops) {
    for (int direction = -1; direction <= 1; direction += 2) {
        slider s = slider_of(0.0);
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double h = 1e-3;
        const double slowing = s.friction[0] * GRAVITY;
        const double v0 = 0.0777 * direction;
        double t = 0.0;
        double q[2] = {0.4, 0.0};
        double p[2] = {s.mass * v0, 0.0};
        bool held[1] = {true};
        double lost = 0.0;
        int steps = 0;
        for (; steps < 40; steps++) {
            const double before = p[0] / s.mass;
            advance(step, &t, q, p, h, held);
            ck_assert(held[0]);
            lost += step->dissipation;
            // What friction takes is what is missing, step by step, also where it stops.
            const double change = 0.5 * (p[0] * p[0] / s.mass - s.mass * before * before);
            assert_close(step->dissipation, -change, 1e-12, 1e-18);
            ck_assert_double_le(fabs(step->friction_impulse[0]),
                                0.37 * step->normal_impulse[0] * (1.0 + 1e-14));
            if (step->mode[0] == CAROM_VARIATIONAL_STICK) {
                break;
            }
            ck_assert_int_eq(step->mode[0], direction > 0 ? CAROM_VARIATIONAL_FORWARD
                                                          : CAROM_VARIATIONAL_BACKWARD);
            // mu g, neither half nor twice of it.
            assert_close((p[0] / s.mass - before) / h, -slowing * direction, 1e-12, 0.0);
            assert_close(step->friction_impulse[0], -0.37 * h * s.mass * GRAVITY * direction, 1e-14,
                         0.0);
            assert_close(step->sliding[0], 0.5 * (before + p[0] / s.mass), 1e-14, 0.0);
            assert_close(step->dissipation, -step->friction_impulse[0] * step->sliding[0], 1e-15,
                         0.0);
        }
        // It stops in the step in which v - mu g h/2 changes its sign.
        ck_assert_int_eq(steps, (int)ceil(fabs(v0) / (slowing * h) - 0.5));
        // Where it sticks it stays, without momentum from the end of this step on.
        const double place = q[0];
        ck_assert_double_ne(step->first_friction[0], 0.0);
        for (int k = 0; k < 20; k++) {
            assert_close(p[0], 0.0, 0.0, 1e-16 * s.mass * fabs(v0));
            advance(step, &t, q, p, h, held);
            ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_STICK);
            ck_assert_int_eq(step->combinations, 1); // that of the last step
            assert_close(q[0], place, 1e-15, 0.0);
            assert_close(step->friction_impulse[0], 0.0, 0.0, 1e-16 * s.mass * fabs(v0));
            assert_close(step->dissipation, 0.0, 0.0, 1e-30);
        }
        // All went into friction.
        assert_close(lost, 0.5 * s.mass * v0 * v0, 1e-12, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_pulled_block_sticks_inside_the_cone_and_slides_outside) {
    const double cone = 0.37 * 2.385 * GRAVITY;
    const double pulls[4] = {0.999 * cone, -0.999 * cone, 1.1 * cone, -1.1 * cone};
    for (int k = 0; k < 4; k++) {
        slider s = slider_of(pulls[k]);
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double h = 2e-3;
        double t = 0.0;
        double q[2] = {0.0, 0.0};
        double p[2] = {0.0, 0.0};
        bool held[1] = {true};
        for (int j = 0; j < 10; j++) {
            advance(step, &t, q, p, h, held);
            if (k < 2) {
                assert_close(step->friction_impulse[0], -h * pulls[k], 1e-13, 0.0);
                assert_close(p[0], 0.0, 0.0, 1e-15);
                assert_close(step->sliding[0], 0.0, 0.0, 0.0);
            } else {
                // From sticking to sliding at once in the right direction.
                ck_assert_int_eq(step->combinations, j == 0 ? 2 : 1);
                assert_close(p[0], (pulls[k] / 11.0) * t, 1e-12, 0.0);
            }
        }
        carom_variational_step_free(step);
    }
}

TEST(unit, a_block_that_sticks_at_the_midpoint_may_slide_at_the_end) {
    // It comes against a pull of 1.005 of the cone: f stops it within its bound, g cannot hold it.
    const double cone = 0.37 * 2.385 * GRAVITY;
    const double h = 2e-3;
    for (int sign = -1; sign <= 1; sign += 2) {
        slider s = slider_of(1.005 * cone * sign);
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double q[2] = {0.0, 0.0};
        const double p[2] = {-0.25 * h * s.force[0], 0.0};
        const bool held[1] = {true};
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, h, held, NULL));
        ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_STICK);
        assert_close(step->first_friction[0], -0.25 * h * s.force[0], 1e-13, 0.0);
        assert_close(step->last_friction[0], -0.5 * h * cone * sign, 1e-13, 0.0);
        assert_close(step->momentum[0], 0.5 * h * 0.005 * cone * sign, 1e-10, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, impulses_keep_their_bounds_also_where_the_modes_are_within_rounding) {
    const double cone = 0.37 * 2.385 * GRAVITY;
    for (int k = 0; k < 10; k++) {
        slider s = slider_of(cone * (1.0 + 1e-13 * (1 << k)));
        const carom_mechanism mechanism = slider_mechanism(&s);
        carom_variational_step *step = step_of(&mechanism);
        const double q[2] = {0.0, 0.0};
        const double rest[2] = {0.0, 0.0};
        const double p[2] = {0.7, 0.0};
        const bool held[1] = {true};
        assert_ok(carom_variational_step_solve(step, 0.0, q, rest, 0.01, held, NULL));
        ck_assert_double_le(fabs(step->first_friction[0]), 0.37 * step->first_impulse[0]);
        ck_assert_double_le(fabs(step->last_friction[0]),
                            0.37 * step->last_impulse[0] * (1.0 + 1e-15));
        // Lifted by what is rounding beside the momentum: held still, and without an impulse.
        s.force[0] = 0.0;
        s.force[1] = 1e-13 * (1 << k);
        assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.01, held, NULL));
        ck_assert(step->is_held[0]);
        assert_close(step->first_impulse[0], 0.0, 0.0, 0.0);
        assert_close(step->friction_impulse[0], 0.0, 0.0, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_block_that_stops_on_a_slope_is_held_there_by_half_its_pull_twice) {
    // Coordinates along and across a slope of 0.3 < atan 0.37 rad; it is pushed upwards.
    const double slope = 0.3;
    const double weight = 2.385 * GRAVITY;
    slider s = slider_of(-weight * sin(slope));
    s.force[1] = -weight * cos(slope);
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 1e-3;
    double t = 0.0;
    double q[2] = {0.0, 0.0};
    double p[2] = {s.mass * 0.0513, 0.0};
    bool held[1] = {true};
    double energy = 0.5 * p[0] * p[0] / s.mass;
    int resting = 0;
    for (int k = 0; k < 40; k++) {
        advance(step, &t, q, p, h, held);
        const double now = 0.5 * (p[0] * p[0] + p[1] * p[1]) / s.mass + slider_energy(q, &s);
        assert_close(energy - now, step->dissipation, 1e-12, 1e-17);
        ck_assert_double_le(now, energy + 1e-17);
        energy = now;
        ck_assert_double_le(fabs(step->friction_impulse[0]),
                            0.37 * step->normal_impulse[0] * (1.0 + 1e-14));
        if (step->mode[0] == CAROM_VARIATIONAL_STICK) {
            assert_close(p[0], 0.0, 0.0, 1e-16);
            assert_close(step->last_friction[0], 0.5 * h * weight * sin(slope), 1e-13, 0.0);
            if (resting > 0) {
                assert_close(step->friction_impulse[0], h * weight * sin(slope), 1e-13, 0.0);
                assert_close(step->dissipation, 0.0, 0.0, 1e-18);
            }
            resting++;
        }
    }
    // It slows by g (sin + mu cos) = 6.37 m/s2 and needs 8 ms to stop.
    ck_assert_int_ge(resting, 31);
    ck_assert_int_le(resting, 33);
    carom_variational_step_free(step);
}

/* Along (1, 1) a box would stop it by sqrt(2) mu: Coulomb's cone needs other equations. */
TEST(unit, friction_in_space_is_refused_and_without_it_both_tangents_slide) {
    slider s = {.tangents = 2,
                .copies = 1,
                .mass = 1.3,
                .force = {0.0, 0.0, -1.3 * GRAVITY},
                .scale = 1.0,
                .friction = {0.5}};
    const carom_variational_step_params params = carom_variational_step_params_default();
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step;
    carom_report report = carom_report_empty();
    assert_status(carom_variational_step_alloc(&mechanism, &params, &step, &report), UNSUPPORTED);
    ck_assert_ptr_null(step);
    ck_assert_str_eq(report.sentence,
                     "variational computes motion without friction in space; mechanism 'slider' "
                     "has two tangents of each contact");
    s.friction[0] = 0.0;
    step = step_of(&mechanism);
    double t = 0.0;
    double q[3] = {0.0, 0.0, 0.0};
    double p[3] = {1.3 * 0.3, -1.3 * 0.1, 0.0};
    bool held[1] = {true};
    advance(step, &t, q, p, 1e-3, held);
    assert_close(p[0], 1.3 * 0.3, 1e-15, 0.0);
    assert_close(p[1], -1.3 * 0.1, 1e-15, 0.0);
    ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_FORWARD);
    ck_assert_int_eq(step->mode[1], CAROM_VARIATIONAL_BACKWARD);
    carom_variational_step_free(step);
}

TEST(unit, without_friction_modes_tell_the_direction) {
    for (int k = 0; k < 2; k++) {
        slider s = slider_of(0.0);
        s.friction[0] = 0.0;
        carom_mechanism mechanism = slider_mechanism(&s);
        mechanism.friction = k == 0 ? s.friction : NULL;
        carom_variational_step *step = step_of(&mechanism);
        double t = 0.0;
        double q[2] = {0.0, 0.0};
        double p[2] = {-0.7, 0.0};
        bool held[1] = {true};
        advance(step, &t, q, p, 0.01, held);
        ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_BACKWARD);
        ck_assert_int_eq(step->combinations, 1);
        assert_close(step->sliding[0], -0.7 / s.mass, 1e-15, 0.0);
        assert_close(step->friction_impulse[0], 0.0, 0.0, 0.0);
        assert_close(step->dissipation, 0.0, 0.0, 0.0);
        assert_close(p[0], -0.7, 1e-15, 0.0);
        carom_variational_step_free(step);
    }
}

TEST(unit, a_contact_that_would_pull_is_released_in_that_step) {
    // The force at the midpoint, m (-g + a t_m), turns upwards at t_m = g/a.
    ball b = {.mass = 1.3, .gravity = 9.7, .growth = 100.0};
    const carom_mechanism mechanism = ball_mechanism(&b);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 1e-3;
    double t = 0.0;
    double q = 0.0;
    double p = 0.0;
    bool held[1] = {true};
    for (int k = 0; k < 120; k++) {
        const double F = 1.3 * (-9.7 + 100.0 * (t + 0.5 * h));
        advance(step, &t, &q, &p, h, held);
        ck_assert_int_eq(held[0], F < 0.0);
        ck_assert_int_eq(step->combinations, k == 97 ? 2 : 1);
        assert_close(step->normal_impulse[0], F < 0.0 ? -h * F : 0.0, 1e-12, 0.0);
    }
    ck_assert_double_gt(q, 0.0);
    carom_variational_step_free(step);
}

TEST(unit, a_contact_given_twice_shares_its_impulses) {
    const double pulls[2] = {3.0, 50.0};
    for (int k = 0; k < 2; k++) {
        slider once = slider_of(pulls[k]);
        slider twice = once;
        twice.copies = 2;
        const carom_mechanism single = slider_mechanism(&once);
        const carom_mechanism copied = slider_mechanism(&twice);
        carom_variational_step *one = step_of(&single);
        carom_variational_step *two = step_of(&copied);
        const bool held[2] = {true, true};
        const double q[2] = {0.0, 0.0};
        const double p[2] = {0.2, 0.0};
        assert_ok(carom_variational_step_solve(one, 0.0, q, p, 0.01, held, NULL));
        assert_ok(carom_variational_step_solve(two, 0.0, q, p, 0.01, held, NULL));
        for (int i = 0; i < 2; i++) {
            assert_close(two->position[i], one->position[i], 1e-14, 1e-17);
            assert_close(two->momentum[i], one->momentum[i], 1e-14, 1e-16);
            assert_close(two->first_impulse[i], 0.5 * one->first_impulse[0], 1e-13, 0.0);
            assert_close(two->last_impulse[i], 0.5 * one->last_impulse[0], 1e-13, 0.0);
            assert_close(two->first_impulse[i], two->last_impulse[i], 1e-13, 0.0);
        }
        assert_close(two->dissipation, one->dissipation, 1e-12, 1e-18);
        assert_close(two->friction_impulse[0] + two->friction_impulse[1], one->friction_impulse[0],
                     1e-12, 1e-14);
        carom_variational_step_free(one);
        carom_variational_step_free(two);
    }
}

TEST(unit, a_contact_given_twice_sticks_and_stops) {
    // Half of each impulse along both of the dependent rows; stopped within the first step.
    slider s = slider_of(3.0);
    s.copies = 2;
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double h = 0.01;
    double t = 0.0;
    double q[2] = {0.0, 0.0};
    double p[2] = {0.02, 0.0};
    bool held[2] = {true, true};
    for (int k = 0; k < 3; k++) {
        advance(step, &t, q, p, h, held);
        assert_close(p[0], 0.0, 0.0, 1e-16);
        // In the first step one of the rows begins with friction at its bound.
        assert_close(step->first_friction[0] + step->first_friction[1],
                     -0.5 * h * 3.0 - (k == 0 ? 0.02 : 0.0), 1e-12, 0.0);
        for (int i = 0; i < 2; i++) {
            ck_assert_int_eq(step->mode[i], CAROM_VARIATIONAL_STICK);
            ck_assert_double_le(fabs(step->first_friction[i]), 0.37 * step->first_impulse[i]);
            if (k > 0) {
                assert_close(step->first_friction[i], -0.25 * h * 3.0, 1e-12, 0.0);
            }
            assert_close(step->last_friction[i], -0.25 * h * 3.0, 1e-12, 0.0);
        }
        assert_close(step->dissipation, k == 0 ? 0.5 * 0.02 * 0.02 / s.mass : 0.0, 1e-12, 1e-18);
    }
    carom_variational_step_free(step);
}

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
            ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_FORWARD);
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
        ck_assert_int_eq(step->mode[0],
                         k == 0 ? CAROM_VARIATIONAL_FORWARD : CAROM_VARIATIONAL_BACKWARD);
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
    ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_STICK);
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
        ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_BACKWARD);
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
    ck_assert_int_eq(step->mode[0], CAROM_VARIATIONAL_STICK);
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
static rod_errors run_rod(rod *r, double angle, double speed, int count,
                          carom_variational_mode mode) {
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
        ck_assert_int_eq(step->mode[0], mode);
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
        rod_errors errors = run_rod(&r, 1.3, 0.0, count, CAROM_VARIATIONAL_STICK);
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
        const rod_errors errors = run_rod(&r, 1.3, 2.3, count, CAROM_VARIATIONAL_FORWARD);
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

/* -------------------------------------------------------------------------------------- TREX */

static carom_model *trex_of(const carom_trex_params *params) {
    carom_model *model;
    assert_ok(carom_trex_alloc(params, &model, NULL));
    return model;
}

/** A robot without dampers and hips. */
static carom_trex_params conservative_robot(void) {
    carom_trex_params params = carom_trex_params_default();
    params.knee_damping = 0.0;
    params.body_damping = 0.0;
    params.hip_stiffness = 0.0;
    params.hip_damping = 0.0;
    return params;
}

static const double SPIN[N] = {13.0, -57.0, 3.1, 17.0, -26.0, -14.0, 23.0, -8.0};

static double energy_of(const carom_mechanism *mechanism, const double *q, const double *p,
                        const double *v) {
    return 0.5 * random_dot(N, p, v) + mechanism->potential_energy(q, mechanism->context);
}

static double angular_momentum(const double *q, const double *p) {
    return q[0] * p[1] - q[1] * p[0] + p[CAROM_TREX_PITCH];
}

TEST(property, momenta_of_the_robot_in_flight_are_kept_also_with_dampers_and_hips) {
    for (int k = 0; k < 4; k++) {
        carom_trex_params params = k % 2 == 0 ? conservative_robot() : carom_trex_params_default();
        params.hip_start_time = 0.05;
        params.gravity = k < 2 ? 981.0 : 0.0;
        carom_model *model = trex_of(&params);
        carom_variational_step *step = step_of(&model->mechanism);
        double t = 0.0;
        double q[N] = {0.0};
        double p[N] = {0.0};
        memcpy(q, model->initial_position, sizeof q);
        carom_variational_momentum(step, q, SPIN, p);
        const double mass = carom_trex_inertia_of(&params).mass;
        const double p_x = p[0];
        const double p_y = p[1];
        const double turning = angular_momentum(q, p);
        for (int j = 0; j < 300; j++) {
            advance(step, &t, q, p, 1e-3, NULL);
            // 300 steps of 1e-16 of the sums of centrifugal forces.
            assert_close(p[0], p_x, 0.0, 1e-13 * fabs(p_x));
            assert_close(p[1] + mass * params.gravity * t, p_y, 0.0,
                         1e-13 * (fabs(p_y) + mass * params.gravity * t));
            if (k >= 2) {
                assert_close(angular_momentum(q, p), turning, 1e-12, 0.0);
            }
        }
        carom_variational_step_free(step);
        carom_model_free(model);
    }
}

/** Largest error of the energy over a flight of 50 ms. */
static double energy_error(double h) {
    const carom_trex_params params = conservative_robot();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    memcpy(q, model->initial_position, sizeof q);
    carom_variational_momentum(step, q, SPIN, p);
    const double energy = energy_of(&model->mechanism, q, p, SPIN);
    double largest = 0.0;
    while (t < 0.05) {
        advance(step, &t, q, p, h, NULL);
        const double now = energy_of(&model->mechanism, q, p, step->velocity);
        largest = fmax(largest, fabs(now - energy));
    }
    carom_variational_step_free(step);
    carom_model_free(model);
    return largest;
}

TEST(property, the_error_of_the_energy_is_of_second_order) {
    const double ratio = energy_error(5e-4) / energy_error(2.5e-4);
    ck_assert_double_gt(ratio, 3.7);
    ck_assert_double_lt(ratio, 4.3);
}

TEST(property, a_flight_reversed_returns) {
    const carom_trex_params params = conservative_robot();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    double p0[N] = {0.0};
    memcpy(q, model->initial_position, sizeof q);
    carom_variational_momentum(step, q, SPIN, p0);
    memcpy(p, p0, sizeof p);
    for (int k = 0; k < 100; k++) {
        if (k == 50) {
            for (int j = 0; j < N; j++) {
                p[j] = -p[j];
            }
        }
        advance(step, &t, q, p, 1e-3, NULL);
    }
    // Rounding grows with the free motions of 600 rad/s, by about 1e3.
    for (int j = 0; j < N; j++) {
        assert_close(q[j], model->initial_position[j], 0.0, 1e-11);
        assert_close(p[j], -p0[j], 0.0, 1e-9);
    }
    carom_variational_step_free(step);
    carom_model_free(model);
}

TEST(property, the_robot_dropped_keeps_its_stance) {
    // At rest in free fall: impact at sqrt(2 17/981) = 0.18616796642 s.
    carom_trex_params params = carom_trex_params_default();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    memcpy(q, model->initial_position, sizeof q);
    const double h = 0.18616796642 / 186.0;
    for (int k = 0; k < 186; k++) {
        advance(step, &t, q, p, h, NULL);
    }
    assert_close(model->initial_position[1] - q[1], 17.0, 0.0, 1e-8);
    assert_close(step->velocity[1], -182.631, 0.0, 5e-4);
    for (int j = 0; j < N; j++) {
        if (j != CAROM_TREX_Y) {
            assert_close(q[j], params.stance[j], 0.0, 1e-12);
            assert_close(step->velocity[j], 0.0, 0.0, 1e-9);
        }
    }
    carom_variational_step_free(step);
    carom_model_free(model);
}

/** Lower and turn the robot until right foot and tail tip touch the floor. */
static void put_down(const carom_mechanism *mechanism, double *q) {
    for (int k = 0; k < 30; k++) {
        double g[3] = {0.0};
        double G[3 * N] = {0.0};
        mechanism->constraints(q, g, mechanism->context);
        mechanism->constraint_jacobian(q, G, mechanism->context);
        const double *foot = G + N;
        const double *tail = G + 2 * N;
        const double determinant = foot[1] * tail[2] - foot[2] * tail[1];
        q[1] -= (tail[2] * g[1] - foot[2] * g[2]) / determinant;
        q[2] -= (foot[1] * g[2] - tail[1] * g[1]) / determinant;
    }
}

TEST(property, the_robot_stands_on_foot_and_tail) {
    carom_trex_params params = carom_trex_params_default();
    params.hip_rates[0] = 0.0;
    params.hip_rates[1] = 0.0;
    carom_model *model = trex_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    carom_variational_step *step = step_of(mechanism);
    double t = 0.0;
    double q[N] = {0.0};
    double p[N] = {0.0};
    bool held[3] = {false, true, true};
    memcpy(q, params.stance, sizeof q);
    put_down(mechanism, q);
    const double weight = 981.0 * carom_trex_inertia_of(&params).mass;
    double carried = 0.0;
    int resting = 0;
    for (int k = 0; k < 400; k++) {
        const double p_y = p[1];
        const double p_x = p[0];
        advance(step, &t, q, p, 1e-3, held);
        ck_assert(held[1] && held[2]);
        double normal = 0.0;
        double along = 0.0;
        double H[3 * N] = {0.0};
        mechanism->tangential_jacobian(q, H, mechanism->context);
        for (int i = 1; i < 3; i++) {
            ck_assert_double_lt(fabs(step->gap[i]), 1e-12);
            ck_assert_double_le(fabs(step->first_friction[i]), 0.8 * step->first_impulse[i] + 1e-9);
            if (step->mode[i] == CAROM_VARIATIONAL_STICK) {
                ck_assert_double_le(fabs(step->last_friction[i]),
                                    0.8 * step->last_impulse[i] + 1e-9);
            }
            // Inside the cone a foot that sticks has no speed at the end: 1e-15 of the velocities.
            if (step->mode[i] == CAROM_VARIATIONAL_STICK &&
                fabs(step->last_friction[i]) < 0.79 * step->last_impulse[i]) {
                assert_close(random_dot(N, H + i * N, step->velocity), 0.0, 0.0, 1e-12);
                resting++;
            }
            ck_assert_double_le(step->friction_impulse[i] * step->sliding[i], 0.0);
            normal += step->normal_impulse[i];
            along += step->friction_impulse[i];
        }
        // The robot as a whole feels its weight and the floor.
        assert_close(p[1] - p_y, normal - 1e-3 * weight, 0.0, 1e-11);
        assert_close(p[0] - p_x, along, 0.0, 1e-11);
        carried += normal;
    }
    // It sways, but on average the floor carries it: p_y is bounded.
    assert_close(carried, 0.4 * weight, 0.02, 0.0);
    ck_assert_int_gt(resting, 200);
    carom_variational_step_free(step);
    carom_model_free(model);
}

/* ---------------------------------------------------------------------- the printed equations */

static const double RANDOM_FRICTION[2] = {0.8, 0.6};

/** H = a + 0.3 sin(k q) w, a = p and u of the random mechanism. */
static void random_tangent(const double *q, double *H, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double wave = 0.3 * sin(random_dot(n, r->k, q));
    for (int j = 0; j < n; j++) {
        H[j] = r->p[j] + wave * r->w[j];
        if (r->shape.contacts > 1) {
            H[n + j] = r->u[j] - wave * r->w[j];
        }
    }
}

static void random_tangent_rates(const double *q, const double *v, double *D, void *context) {
    const random_mechanism *r = context;
    const int n = r->shape.coordinates;
    const double slope = 0.3 * cos(random_dot(n, r->k, q)) * random_dot(n, r->w, v);
    for (int j = 0; j < n; j++) {
        D[j] = slope * r->k[j];
        if (r->shape.contacts > 1) {
            D[n + j] = -slope * r->k[j];
        }
    }
}

/** A velocity without its parts along the normals. */
static void remove_normals(int n, int m, double *G, double *v) {
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) {
            const double overlap = random_dot(n, G + i * n, G + k * n);
            for (int j = 0; j < n; j++) {
                G[i * n + j] -= overlap * G[k * n + j];
            }
        }
        const double length = sqrt(random_dot(n, G + i * n, G + i * n));
        for (int j = 0; j < n; j++) {
            G[i * n + j] /= length;
        }
        const double rate = random_dot(n, G + i * n, v);
        for (int j = 0; j < n; j++) {
            v[j] -= rate * G[i * n + j];
        }
    }
}

/** (28) with forces and contacts at a result, both equations. */
static void assert_equations(const carom_variational_step *step, const double *q, const double *p,
                             double t, double h) {
    const carom_mechanism *mechanism = step->mechanism;
    void *context = mechanism->context;
    const int n = mechanism->coordinate_count;
    double q_mid[4] = {0.0};
    double v[4] = {0.0};
    double F[4] = {0.0};
    double Mv[4] = {0.0};
    double A[RANDOM_MAX_ENTRIES] = {0.0};
    double G_begin[8] = {0.0};
    double G_end[8] = {0.0};
    double H[8] = {0.0};
    for (int j = 0; j < n; j++) {
        q_mid[j] = 0.5 * (q[j] + step->position[j]);
        v[j] = (step->position[j] - q[j]) / h;
    }
    mechanism->mass(q_mid, A, context);
    carom_layout_multiply_add(mechanism->layout, 1.0, A, v, Mv);
    mechanism->force(t + 0.5 * h, q_mid, v, F, context);
    mechanism->mass_derivative(q_mid, v, A, context);
    carom_layout_multiply_add(mechanism->layout, 1.0, A, v, F);
    mechanism->constraint_jacobian(q, G_begin, context);
    mechanism->constraint_jacobian(step->position, G_end, context);
    mechanism->tangential_jacobian(q_mid, H, context);
    for (int j = 0; j < n; j++) {
        double first = p[j] + 0.5 * h * F[j] - Mv[j];
        double last = -step->momentum[j] + 0.5 * h * F[j] + Mv[j];
        for (int i = 0; i < 2; i++) {
            first += step->first_friction[i] * H[i * n + j] +
                     step->first_impulse[i] * G_begin[i * n + j];
            last +=
                step->last_friction[i] * H[i * n + j] + step->last_impulse[i] * G_end[i * n + j];
        }
        // Rounding of q over h, 1e-16/1e-2, times masses of order 3.
        assert_close(first, 0.0, 0.0, 1e-12);
        assert_close(last, 0.0, 0.0, 1e-12);
    }
    for (int i = 0; i < 2; i++) {
        if (step->is_held[i]) {
            assert_close(random_dot(n, G_end + i * n, step->velocity), 0.0, 0.0, 1e-13);
            const double slides = random_dot(n, H + i * n, v);
            assert_close(step->sliding[i], slides, 0.0, 1e-12);
        }
    }
}

/** Of rows that stick: the kinetic energy that f in the place of g would leave over, with normal
 * impulses that keep G v = 0. */
static double energy_of_turning(const carom_variational_step *step, const double *q) {
    const carom_mechanism *mechanism = step->mechanism;
    const int n = mechanism->coordinate_count;
    double q_mid[4] = {0.0};
    double G[8] = {0.0};
    double H[8] = {0.0};
    double W[8] = {0.0};
    double change[4] = {0.0};
    double response[4] = {0.0};
    for (int j = 0; j < n; j++) {
        q_mid[j] = 0.5 * (q[j] + step->position[j]);
    }
    mechanism->constraint_jacobian(step->position, G, mechanism->context);
    mechanism->tangential_jacobian(q_mid, H, mechanism->context);
    for (int i = 0; i < 2; i++) {
        const bool sticks = step->mode[i] == CAROM_VARIATIONAL_STICK;
        const double f = sticks ? step->first_friction[i] - step->last_friction[i] : 0.0;
        for (int j = 0; j < n; j++) {
            change[j] += f * H[i * n + j];
        }
    }
    carom_variational_step *other = step_of(mechanism);
    assert_ok(carom_variational_velocity(other, step->position, change, response));
    // Gram-Schmidt in the kinetic metric.
    for (int i = 0; i < 2; i++) {
        double *normal = G + i * n;
        assert_ok(carom_variational_velocity(other, step->position, normal, W + i * n));
        for (int k = 0; k < i && step->is_held[k]; k++) {
            const double part =
                random_dot(n, normal, W + k * n) / random_dot(n, G + k * n, W + k * n);
            for (int j = 0; j < n; j++) {
                normal[j] -= part * G[k * n + j];
                W[i * n + j] -= part * W[k * n + j];
            }
        }
        const double part = random_dot(n, normal, response) / random_dot(n, normal, W + i * n);
        for (int j = 0; j < n && step->is_held[i]; j++) {
            response[j] -= part * W[i * n + j];
        }
    }
    carom_variational_step_free(other);
    return random_dot(n, change, step->velocity) + 0.5 * random_dot(n, change, response);
}

/** What a row that sticks does at the end. */
enum { END_STICKS, END_SLIDES, END_PULLS, ENDS };

/** Friction's law at the end of a row that sticks at the midpoint. */
static void assert_end(const carom_variational_step *step, int i, int *ends) {
    const carom_mechanism *mechanism = step->mechanism;
    const int n = mechanism->coordinate_count;
    double H[8] = {0.0};
    mechanism->tangential_jacobian(step->position, H, mechanism->context);
    const double speed = random_dot(n, H + i * n, step->velocity);
    const double g = step->last_friction[i];
    const double bound = RANDOM_FRICTION[i] * fmax(0.0, step->last_impulse[i]);
    if (step->last_impulse[i] < -1e-10) {
        assert_close(g, 0.0, 0.0, 0.0);
        ends[END_PULLS]++;
    } else if (fabs(g) < bound - 1e-10) {
        assert_close(speed, 0.0, 0.0, 1e-13);
        ends[END_STICKS]++;
    } else if (bound > 1e-10 && fabs(speed) > 1e-10) {
        ck_assert_double_lt(g * speed, 0.0);
        ends[END_SLIDES]++;
    }
}

/** The laws of contact and friction at a result; counts what occurs. */
static void assert_laws(const carom_variational_step *step, const double *q,
                        const double *gap_begin, int *counts, int *ends) {
    double dissipation = 0.0;
    for (int i = 0; i < 2; i++) {
        counts[step->mode[i]]++;
        const double f = step->first_friction[i];
        const double u = step->sliding[i];
        assert_close(step->friction_impulse[i], f + step->last_friction[i], 0.0, 0.0);
        if (!step->is_held[i]) {
            ck_assert_int_eq(step->mode[i], CAROM_VARIATIONAL_RELEASED);
            ck_assert_double_ge(step->gap[i], gap_begin[i] - 1e-13);
            assert_close(fabs(step->normal_impulse[i]) + fabs(f) + fabs(u), 0.0, 0.0, 0.0);
            assert_close(step->last_friction[i], 0.0, 0.0, 0.0);
            continue;
        }
        const double bound = RANDOM_FRICTION[i] * step->first_impulse[i];
        const double bound_end = RANDOM_FRICTION[i] * fmax(0.0, step->last_impulse[i]);
        // Both halves and the whole inside the cone, rounding of the products apart.
        ck_assert_double_le(fabs(f), bound * (1.0 + 1e-14));
        ck_assert_double_le(fabs(step->last_friction[i]), bound_end * (1.0 + 1e-14));
        ck_assert_double_le(fabs(step->friction_impulse[i]), (bound + bound_end) * (1.0 + 1e-12));
        assert_close(step->gap[i], 0.0, 0.0, 1e-12);
        ck_assert_double_ge(step->first_impulse[i], 0.0);
        assert_close(step->normal_impulse[i], step->first_impulse[i] + step->last_impulse[i], 1e-15,
                     0.0);
        if (step->mode[i] == CAROM_VARIATIONAL_STICK) {
            assert_close(u, 0.0, 0.0, 0.0);
            assert_end(step, i, ends);
        } else {
            const double sign = step->mode[i] == CAROM_VARIATIONAL_FORWARD ? 1.0 : -1.0;
            assert_close(f, -sign * bound, 1e-14, 1e-15);
            assert_close(step->last_friction[i], -sign * bound_end, 1e-14, 1e-15);
            ck_assert_double_ge(sign * u, -1e-10);
        }
        dissipation -= step->friction_impulse[i] * u;
    }
    dissipation += fmax(0.0, energy_of_turning(step, q));
    assert_close(step->dissipation, dissipation, 1e-12, 1e-11);
    ck_assert_double_ge(step->dissipation, 0.0);
}

TEST(property, results_satisfy_the_printed_equations_and_the_laws_of_contact) {
    gsl_rng *generator = seeded_generator(20140814);
    int counts[4] = {0};
    int ends[ENDS] = {0};
    const double speeds[3] = {1e-3, 0.02, 0.4};
    int iterations = 0;
    int combinations = 0;
    for (int sample = 0; sample < 1500; sample++) {
        const random_shape shape = {.coordinates = 3 + sample % 2,
                                    .contacts = 2,
                                    .is_banded = sample % 3 == 0,
                                    .has_damping = sample % 5 != 0,
                                    .closed_share = 1.0,
                                    .largest_gap = 1.0};
        random_mechanism r;
        random_mechanism_init(&r, &shape, generator);
        carom_mechanism mechanism = r.mechanism;
        mechanism.friction = RANDOM_FRICTION;
        mechanism.tangent_count = 1;
        mechanism.tangential_jacobian = random_tangent;
        mechanism.tangential_rate_derivative = random_tangent_rates;
        const int n = shape.coordinates;
        double G[8] = {0.0};
        double gap[2] = {0.0};
        double p[4] = {0.0};
        random_constraint_jacobian(r.q0, G, &r);
        random_constraints(r.q0, gap, &r);
        remove_normals(n, 2, G, r.v0);
        for (int j = 0; j < n; j++) {
            r.v0[j] *= speeds[sample % 3]; // slow ones stick
        }
        carom_variational_step *step = step_of(&mechanism);
        carom_variational_momentum(step, r.q0, r.v0, p);
        const bool held[2] = {true, true};
        carom_report report = carom_report_empty();
        const carom_status status =
            carom_variational_step_solve(step, 0.3, r.q0, p, 0.01, held, &report);
        ck_assert_msg(status == CAROM_OK, "sample %d: %s", sample, carom_status_name(status));
        iterations += step->iterations;
        combinations += step->combinations;
        assert_equations(step, r.q0, p, 0.3, 0.01);
        assert_laws(step, r.q0, gap, counts, ends);
        carom_variational_step_free(step);
    }
    // The matrices carry: three to four iterations each, from rest to rounding.
    ck_assert_int_lt(iterations, 4 * combinations);
    // All modes occur.
    for (int k = 0; k < 4; k++) {
        ck_assert_msg(counts[k] > 40, "mode %d: %d times", k, counts[k]);
    }
    for (int k = 0; k < ENDS; k++) {
        ck_assert_msg(ends[k] > 5, "end %d: %d times", k, ends[k]);
    }
    gsl_rng_free(generator);
}

/** Systems whose contacts all slide on, or all stick, over a time. */
typedef struct held_motion {
    carom_mechanism mechanism;
    random_mechanism *random;
    bool sticks;
    double friction[2];
    double sign[2]; /**< of the sliding */
} held_motion;

enum { MOST_ROWS = 4 + 4 };

/** M a - G' lambda - H' f = force, d(G v)/dt = 0 and d(H v)/dt = 0 or f = -mu s lambda.
 * @return true if contacts push, and friction is well inside its cone where they stick. */
static bool accelerate(const held_motion *motion, double t, const double *q, const double *v,
                       double *a) {
    const carom_mechanism *mechanism = &motion->mechanism;
    void *context = mechanism->context;
    const int n = mechanism->coordinate_count;
    const int m = mechanism->contact_count;
    const int size = n + 2 * m;
    double M[RANDOM_MAX_ENTRIES] = {0.0};
    double G[8] = {0.0};
    double H[8] = {0.0};
    double G_rates[8] = {0.0};
    double H_rates[8] = {0.0};
    double A[MOST_ROWS * MOST_ROWS] = {0.0};
    double b[MOST_ROWS] = {0.0};
    double x[MOST_ROWS] = {0.0};
    size_t order[MOST_ROWS] = {0};
    mechanism->mass(q, M, context);
    mechanism->force(t, q, v, b, context);
    mechanism->constraint_jacobian(q, G, context);
    mechanism->tangential_jacobian(q, H, context);
    mechanism->constraint_rate_derivative(q, v, G_rates, context);
    mechanism->tangential_rate_derivative(q, v, H_rates, context);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            A[i * size + j] = M[carom_layout_index(mechanism->layout, i, j)];
        }
        for (int k = 0; k < m; k++) {
            A[i * size + n + k] = -G[k * n + i];
            A[i * size + n + m + k] = -H[k * n + i];
            A[(n + k) * size + i] = G[k * n + i];
            A[(n + m + k) * size + i] = motion->sticks ? H[k * n + i] : 0.0;
        }
    }
    for (int k = 0; k < m; k++) {
        b[n + k] = -random_dot(n, G_rates + k * n, v);
        b[n + m + k] = motion->sticks ? -random_dot(n, H_rates + k * n, v) : 0.0;
        if (!motion->sticks) {
            A[(n + m + k) * size + n + k] = motion->friction[k] * motion->sign[k];
            A[(n + m + k) * size + n + m + k] = 1.0;
        }
    }
    gsl_matrix_view matrix = gsl_matrix_view_array(A, (size_t)size, (size_t)size);
    gsl_vector_view right = gsl_vector_view_array(b, (size_t)size);
    gsl_vector_view answer = gsl_vector_view_array(x, (size_t)size);
    gsl_permutation permutation = {(size_t)size, order};
    int sign = 0;
    gsl_linalg_LU_decomp(&matrix.matrix, &permutation, &sign);
    gsl_linalg_LU_solve(&matrix.matrix, &permutation, &right.vector, &answer.vector);
    memcpy(a, x, (size_t)n * sizeof(double));
    bool is_admissible = true;
    for (int k = 0; k < m; k++) {
        const double lambda = x[n + k];
        const double speed = random_dot(n, H + k * n, v);
        is_admissible = is_admissible && lambda > 0.3;
        is_admissible = is_admissible &&
                        (motion->sticks ? fabs(x[n + m + k]) < 0.9 * motion->friction[k] * lambda
                                        : speed * motion->sign[k] > 0.05);
    }
    return is_admissible;
}

/** The motion by the classical method of fourth order, in place. @return true if admissible */
static bool integrate(const held_motion *motion, double duration, int count, double *q, double *v) {
    const int n = motion->mechanism.coordinate_count;
    const double h = duration / count;
    const double nodes[4] = {0.0, 0.5, 0.5, 1.0};
    const double weights[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
    for (int step = 0; step < count; step++) {
        double dq[4] = {0.0};
        double dv[4] = {0.0};
        double slope_q[4] = {0.0};
        double slope_v[4] = {0.0};
        for (int stage = 0; stage < 4; stage++) {
            double stage_q[4] = {0.0};
            double stage_v[4] = {0.0};
            for (int j = 0; j < n; j++) {
                stage_q[j] = q[j] + h * nodes[stage] * slope_q[j];
                stage_v[j] = v[j] + h * nodes[stage] * slope_v[j];
            }
            if (!accelerate(motion, (step + nodes[stage]) * h, stage_q, stage_v, slope_v)) {
                return false;
            }
            memcpy(slope_q, stage_v, sizeof slope_q);
            for (int j = 0; j < n; j++) {
                dq[j] += h * weights[stage] * slope_q[j];
                dv[j] += h * weights[stage] * slope_v[j];
            }
        }
        for (int j = 0; j < n; j++) {
            q[j] += dq[j];
            v[j] += dv[j];
        }
    }
    return true;
}

/** Largest differences of q and v from a reference after steps of a duration. */
static void compare_with(const held_motion *motion, const double *q_end, const double *v_end,
                         double duration, int count, double *error_q, double *error_v) {
    const int n = motion->mechanism.coordinate_count;
    carom_variational_step *step = step_of(&motion->mechanism);
    double t = 0.0;
    double q[4] = {0.0};
    double p[4] = {0.0};
    bool held[2] = {true, true};
    memcpy(q, motion->random->q0, (size_t)n * sizeof(double));
    carom_variational_momentum(step, q, motion->random->v0, p);
    for (int k = 0; k < count; k++) {
        advance(step, &t, q, p, duration / count, held);
    }
    *error_q = 0.0;
    *error_v = 0.0;
    for (int j = 0; j < n; j++) {
        *error_q = fmax(*error_q, fabs(q[j] - q_end[j]));
        *error_v = fmax(*error_v, fabs(step->velocity[j] - v_end[j]));
    }
    carom_variational_step_free(step);
}

/** A random system, its velocity tangent to what is held. */
static held_motion draw_motion(random_mechanism *r, bool sticks, int sample, gsl_rng *generator) {
    const random_shape shape = {.coordinates = sticks ? 4 : 3 + sample % 2,
                                .contacts = sticks ? 1 : 1 + sample % 2,
                                .has_damping = sample % 3 == 0,
                                .closed_share = 1.0,
                                .largest_gap = 1.0};
    random_mechanism_init(r, &shape, generator);
    held_motion motion = {.mechanism = r->mechanism, .random = r, .sticks = sticks};
    motion.mechanism.tangent_count = 1;
    motion.mechanism.tangential_jacobian = random_tangent;
    motion.mechanism.tangential_rate_derivative = random_tangent_rates;
    const int n = shape.coordinates;
    double rows[16] = {0.0};
    double H[8] = {0.0};
    random_constraint_jacobian(r->q0, rows, r);
    random_tangent(r->q0, H, r);
    memcpy(rows + shape.contacts * n, H, sizeof H);
    remove_normals(n, sticks ? 2 * shape.contacts : shape.contacts, rows, r->v0);
    for (int k = 0; k < shape.contacts; k++) {
        motion.friction[k] = sticks ? 3.0 : 0.3;
        motion.sign[k] = random_dot(n, H + k * n, r->v0) > 0.0 ? 1.0 : -1.0;
    }
    return motion;
}

TEST(property, held_motions_are_of_second_order_where_they_slide_and_where_they_stick) {
    gsl_rng *generator = seeded_generator(20140815);
    const double duration = 0.08;
    int counts[2] = {0};
    for (int sample = 0; sample < 400; sample++) {
        const bool sticks = sample % 4 < 2;
        random_mechanism r;
        held_motion motion = draw_motion(&r, sticks, sample, generator);
        motion.mechanism.friction = motion.friction;
        double q[4] = {0.0};
        double v[4] = {0.0};
        memcpy(q, r.q0, sizeof r.q0);
        memcpy(v, r.v0, sizeof r.v0);
        // Errors of (1e-3)^4 beside those of the steps.
        if (counts[sticks] == 20 || !integrate(&motion, duration, 80, q, v)) {
            continue;
        }
        counts[sticks]++;
        double error_q[2] = {0.0};
        double error_v[2] = {0.0};
        for (int k = 0; k < 2; k++) {
            compare_with(&motion, q, v, duration, 32 << k, &error_q[k], &error_v[k]);
        }
        // A quarter, or less than 1e-8 where terms of second order happen to cancel.
        ck_assert_msg(error_q[1] < 0.28 * error_q[0] || error_q[1] < 1e-8, "sample %d: %g, %g",
                      sample, error_q[0], error_q[1]);
        ck_assert_msg(error_v[1] < 0.28 * error_v[0] || error_v[1] < 1e-7, "sample %d: %g, %g",
                      sample, error_v[0], error_v[1]);
    }
    ck_assert_int_ge(counts[0], 15);
    ck_assert_int_ge(counts[1], 15);
    gsl_rng_free(generator);
}

TEST(property, large_turns_within_a_step_still_converge) {
    // Turning fast enough that the matrix of the beginning does not carry the iteration.
    const carom_trex_params params = conservative_robot();
    carom_model *model = trex_of(&params);
    carom_variational_step *step = step_of(&model->mechanism);
    double v[N] = {0.0};
    double p[N] = {0.0};
    for (int j = 0; j < N; j++) {
        v[j] = 25.0 * SPIN[j];
    }
    const double *q = model->initial_position;
    carom_variational_momentum(step, q, v, p);
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, 1e-3, NULL, NULL));
    ck_assert_int_lt(step->iterations, 15);
    // Backwards from there it returns.
    double back[N] = {0.0};
    double there[N] = {0.0};
    for (int j = 0; j < N; j++) {
        back[j] = -step->momentum[j];
        there[j] = step->position[j];
    }
    assert_ok(carom_variational_step_solve(step, 0.0, there, back, 1e-3, NULL, NULL));
    for (int j = 0; j < N; j++) {
        assert_close(step->position[j], q[j], 0.0, 1e-12);
    }
    carom_variational_step_free(step);
    carom_model_free(model);
}

/* ------------------------------------------------------------------------------------ errors */

static void assert_refused(const carom_mechanism *mechanism,
                           const carom_variational_step_params *params, carom_status expected,
                           const char *quantity) {
    carom_variational_step *step;
    carom_report report = carom_report_empty();
    ck_assert_int_eq(carom_variational_step_alloc(mechanism, params, &step, &report), expected);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_ptr_null(step);
}

TEST(errors, malformed_parameters_are_refused) {
    slider s = slider_of(0.0);
    carom_mechanism mechanism = slider_mechanism(&s);
    const carom_variational_step_params good = carom_variational_step_params_default();
    carom_variational_step_params params = good;
    params.tolerance = 0.0;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    params.tolerance = 1.0;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    params.tolerance = (double)NAN;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "tolerance");
    params = good;
    params.most_iterations = 0;
    assert_refused(&mechanism, &params, CAROM_STATUS_OUT_OF_RANGE, "most iterations");
    mechanism.joint_count = 1;
    carom_variational_step *step;
    carom_report report = carom_report_empty();
    assert_status(carom_variational_step_alloc(&mechanism, &good, &step, &report), UNSUPPORTED);
    ck_assert_str_eq(report.sentence, "variational computes motion without joints; mechanism "
                                      "'slider' has joints (1)");
}

/** Fails with a report; the result says nothing. */
static void assert_fails(carom_variational_step *step, const double *q, const double *p, double h,
                         const bool *held, carom_status expected, const char *quantity) {
    carom_report report = carom_report_empty();
    const carom_status status = carom_variational_step_solve(step, 0.7, q, p, h, held, &report);
    ck_assert_str_eq(carom_status_name(status), carom_status_name(expected));
    ck_assert_str_eq(report.quantity, quantity);
    assert_close(report.time, 0.7, 0.0, 0.0);
    ck_assert(report.step <= h && report.step >= h);
    ck_assert_double_nan(step->time);
    ck_assert_double_nan(step->dissipation);
    for (int j = 0; j < step->mechanism->coordinate_count; j++) {
        ck_assert(isnan(step->position[j]) && isnan(step->momentum[j]) && isnan(step->velocity[j]));
    }
    for (int i = 0; i < step->mechanism->contact_count; i++) {
        ck_assert(isnan(step->gap[i]) && isnan(step->first_impulse[i]));
        ck_assert(isnan(step->last_impulse[i]) && isnan(step->normal_impulse[i]));
        ck_assert(!step->is_held[i]);
    }
    for (int row = 0; row < step->mechanism->contact_count * step->mechanism->tangent_count;
         row++) {
        ck_assert(isnan(step->friction_impulse[row]) && isnan(step->sliding[row]));
        ck_assert(isnan(step->first_friction[row]) && isnan(step->last_friction[row]));
        ck_assert_int_eq(step->mode[row], CAROM_VARIATIONAL_RELEASED);
    }
}

TEST(errors, states_and_forces_that_are_not_finite_are_refused) {
    slider s = slider_of(0.0);
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {0.0, 0.0};
    const double p[2] = {0.1, 0.0};
    const double bad[2] = {0.0, (double)NAN};
    const bool held[1] = {true};
    assert_fails(step, bad, p, 0.1, held, CAROM_STATUS_NOT_FINITE, "position");
    assert_fails(step, q, bad, 0.1, held, CAROM_STATUS_NOT_FINITE, "momentum");
    assert_fails(step, q, p, HUGE_VAL, held, CAROM_STATUS_NOT_FINITE, "step");
    s.force[0] = (double)NAN;
    assert_fails(step, q, p, 0.1, held, CAROM_STATUS_NOT_FINITE, "force");
    s.force[0] = 0.0;
    s.scale = (double)NAN;
    assert_fails(step, q, p, 0.1, held, CAROM_STATUS_NOT_FINITE, "gap");
    s.scale = 1.0;
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.1, held, NULL));
    carom_variational_step_free(step);
}

TEST(errors, a_body_without_mass_is_singular) {
    slider s = slider_of(0.0);
    s.mass = 0.0;
    const carom_mechanism mechanism = slider_mechanism(&s);
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {0.0, 0.0};
    const double p[2] = {0.1, 0.0};
    assert_fails(step, q, p, 0.1, NULL, CAROM_STATUS_SINGULAR, "mass");
    double v[2] = {0.0};
    assert_status(carom_variational_velocity(step, q, p, v), SINGULAR);
    ck_assert(isnan(v[0]) && isnan(v[1]));
    s.mass = 1.0;
    const double bad[2] = {0.0, HUGE_VAL};
    assert_status(carom_variational_velocity(step, q, bad, v), NOT_FINITE);
    ck_assert(isnan(v[0]) && isnan(v[1]));
    assert_ok(carom_variational_velocity(step, q, p, v));
    assert_close(v[0], 0.1, 1e-15, 0.0);
    // A negative stiffness may cancel the mass: m + h^2 k/4 = 0.
    oscillator o = {.mass = 1.0, .stiffness = -4.0};
    const carom_mechanism unstable = oscillator_mechanism(&o);
    carom_variational_step *other = step_of(&unstable);
    const double one[1] = {1.0};
    assert_fails(other, one, one, 1.0, NULL, CAROM_STATUS_SINGULAR, "newton matrix");
    carom_variational_step_free(other);
    // Also where only differences see it.
    carom_mechanism blind = unstable;
    blind.stiffness = NULL;
    other = step_of(&blind);
    assert_fails(other, one, one, 1.0, NULL, CAROM_STATUS_SINGULAR, "newton matrix");
    carom_variational_step_free(other);
    carom_variational_step_free(step);
}

TEST(errors, too_few_iterations_do_not_converge) {
    const carom_trex_params robot = conservative_robot();
    carom_model *model = trex_of(&robot);
    carom_variational_step_params params = carom_variational_step_params_default();
    params.most_iterations = 1;
    carom_variational_step *step;
    assert_ok(carom_variational_step_alloc(&model->mechanism, &params, &step, NULL));
    double p[N] = {0.0};
    carom_variational_momentum(step, model->initial_position, SPIN, p);
    assert_fails(step, model->initial_position, p, 1e-3, NULL, CAROM_STATUS_NOT_CONVERGED,
                 "momentum residual");
    ck_assert_int_eq(step->iterations, 1);
    ck_assert_int_eq(step->combinations, 1);
    carom_variational_step_free(step);
    carom_model_free(model);
}

/** A gap whose normal turns over: y cos(x), with a pull upwards. */
static void turning_gap(const double *q, double *g, void *context) {
    (void)context;
    g[0] = q[1] * cos(q[0]);
}

static void turning_normal(const double *q, double *G, void *context) {
    (void)context;
    G[0] = -q[1] * sin(q[0]);
    G[1] = cos(q[0]);
}

TEST(errors, a_step_that_has_no_consistent_combination_is_a_conflict) {
    // Within the step the body moves to where up is inside: released it penetrates, held it pulls.
    slider s = slider_of(0.0);
    s.force[1] = 5.0;
    s.friction[0] = 0.0;
    carom_mechanism mechanism = slider_mechanism(&s);
    mechanism.is_linear = false;
    mechanism.constraints = turning_gap;
    mechanism.constraint_jacobian = turning_normal;
    carom_variational_step *step = step_of(&mechanism);
    const double q[2] = {0.0, 0.0};
    const double p[2] = {2.385 * 2.5, 0.0};
    const bool held[1] = {true};
    assert_fails(step, q, p, 1.0, held, CAROM_STATUS_CONFLICT, "contact modes");
    ck_assert_int_eq(step->combinations, 2);
    // Half the step is none.
    assert_ok(carom_variational_step_solve(step, 0.0, q, p, 0.5, held, NULL));
    ck_assert(!step->is_held[0]);
    carom_variational_step_free(step);
}

TEST(errors, the_residual_of_a_failure_is_that_of_the_combination_that_failed) {
    // Held, one iteration is too few; released it is enough, but the bead falls through its bowl.
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
    ck_assert_int_eq(step->combinations, 2);
    ck_assert_str_eq(report.quantity, "momentum residual");
    ck_assert_double_gt(report.residual, 1e-12);
    assert_close(report.value, report.residual, 0.0, 0.0);
    carom_variational_step_free(step);
}

TEST(errors, without_memory_nothing_is_returned_and_nothing_is_lost) {
    slider s = slider_of(0.0);
    s.copies = 2;
    const carom_mechanism mechanism = slider_mechanism(&s);
    const carom_variational_step_params params = carom_variational_step_params_default();
    carom_variational_step *step = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_variational_step_alloc(&mechanism, &params, &step, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || (status == CAROM_STATUS_OUT_OF_MEMORY && !step));
    }
    ck_assert_int_gt(failures, 20);
    // A step allocates nothing, dependent contacts and all.
    const double q[2] = {0.0, 0.0};
    const double p[2] = {0.1, 0.0};
    const bool held[2] = {true, true};
    allocations = 0;
    status = carom_variational_step_solve(step, 0.0, q, p, 0.1, held, NULL);
    const int asked = allocations;
    assert_ok(status);
    ck_assert_int_eq(asked, 0);
    carom_variational_step_free(step);
    carom_variational_step_free(NULL);
}
