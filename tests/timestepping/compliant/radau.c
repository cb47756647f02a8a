/* carom/timestepping/compliant/internal.h, the Radau method and one step: the conditions that
 * define the method, its order and what it does with stiff laws. */
#include "compliant_bodies.h"

#include <carom/timestepping/compliant/internal.h>

enum { S = CAROM_RADAU_STAGES };

/* Rounding of sums of some ten terms of order one. */
static const double ROUNDING = 1e-14;

TEST(unit, nodes_integrate_polynomials_as_radau_does) {
    carom_radau radau;
    carom_radau_init(&radau);
    double weights[S];
    carom_radau_weights(&radau, 1.0, weights);
    assert_close(carom_radau_nodes[S - 1], 1.0, 0.0, 0.0);
    /* exact up to degree 2 s - 2, with one fixed node no further */
    for (int degree = 0; degree < 2 * S; degree++) {
        double integral = 0.0;
        for (int j = 0; j < S; j++) {
            integral += weights[j] * pow(carom_radau_nodes[j], degree);
        }
        const double error = fabs(integral - 1.0 / (degree + 1));
        ck_assert(degree <= 2 * S - 2 ? error < ROUNDING : error > 1e-10);
    }
}

TEST(unit, stages_are_those_of_collocation) {
    carom_radau radau;
    carom_radau_init(&radau);
    for (int degree = 0; degree < S; degree++) {
        double at_start = 0.0;
        for (int i = 0; i < S; i++) {
            const double c = carom_radau_nodes[i];
            double once = 0.0;
            double twice = 0.0;
            for (int j = 0; j < S; j++) {
                once += radau.A[i][j] * pow(carom_radau_nodes[j], degree);
                twice += radau.AA[i][j] * pow(carom_radau_nodes[j], degree);
            }
            assert_close(once, pow(c, degree + 1) / (degree + 1), ROUNDING, ROUNDING);
            if (degree < S - 1) {
                assert_close(twice, pow(c, degree + 2) / ((degree + 1) * (degree + 2)), ROUNDING,
                             ROUNDING);
            }
            at_start += radau.at_start[i] * pow(c, degree);
        }
        /* the l_j(0) are as large as 50 */
        assert_close(at_start, degree == 0 ? 1.0 : 0.0, 0.0, 100.0 * ROUNDING);
        /* within the step */
        double weights[S];
        const double x = 0.2385;
        carom_radau_weights(&radau, x, weights);
        double integral = 0.0;
        for (int j = 0; j < S; j++) {
            integral += weights[j] * pow(carom_radau_nodes[j], degree);
        }
        assert_close(integral, pow(x, degree + 1) / (degree + 1), ROUNDING, ROUNDING);
    }
}

/* A particle on its spring, pressing from the start. */
typedef struct spring {
    particle ball;
    carom_mechanism mechanism;
    double stiffness;
    carom_compliant_params params;
    carom_compliant_system system;
    carom_compliant_step step;
    double origin[2];
    double y[6];
} spring;

static const double SPRING_MASS = 2.385;
static const double SPRING_SPEED = 1.79;

static void spring_init(spring *all, double stiffness, double damping_ratio, double along) {
    *all = (spring){.ball = {.dimension = 2,
                             .mass = {SPRING_MASS, SPRING_MASS, SPRING_MASS},
                             .friction = 0.471},
                    .stiffness = stiffness,
                    .params = carom_compliant_params_default(),
                    .y = {0.0, 0.0, -SPRING_SPEED, along}};
    all->mechanism = particle_mechanism(&all->ball);
    all->params.stiffness = &all->stiffness;
    all->params.damping_ratio = damping_ratio;
    all->params.reference_mass = SPRING_MASS;
    all->params.regularisation_speed = 1e-10;
    assert_ok(carom_compliant_system_init(&all->system, &all->mechanism, &all->params, all->origin,
                                          &all->y[2], NULL));
    carom_compliant_start(&all->system, 0.0, all->y);
    assert_ok(carom_compliant_step_init(&all->step, &all->system));
    assert_ok(carom_compliant_step_begin(&all->step, 0.0, all->y));
}

static void spring_clear(spring *all) {
    carom_compliant_step_clear(&all->step);
    carom_compliant_system_clear(&all->system);
}

/* phi(t) = -v0/omega sin(omega t) without damping: errors of the end of a step and within it
 * fall with h^(2 s) and h^(s + 1), and the estimate, of the order of the latter, is above both. */
TEST(property, errors_have_the_order_of_the_method) {
    spring all;
    spring_init(&all, 7.31e5, 0.0, 0.0);
    const double omega = sqrt(all.stiffness / SPRING_MASS);
    const double length = SPRING_SPEED / omega;
    const double weight[6] = {length, length, SPRING_SPEED, SPRING_SPEED, 1.0, 1.0};
    double at_end[3];
    double within[3];
    for (int i = 0; i < 3; i++) {
        const double h = ldexp(2.8, -i) / omega;
        double estimate = 0.0;
        double y[6];
        assert_ok(carom_compliant_step_try(&all.step, h, weight, &estimate));
        carom_compliant_step_state(&all.step, 1.0, y);
        at_end[i] = hypot(y[0] / length + sin(omega * h), y[2] / SPRING_SPEED + cos(omega * h));
        const double part = 0.2385 * omega * h;
        carom_compliant_step_state(&all.step, 0.2385, y);
        within[i] = hypot(y[0] / length + sin(part), y[2] / SPRING_SPEED + cos(part));
        ck_assert_msg(estimate > within[i] && within[i] > at_end[i], "%g, %g, %g", estimate,
                      within[i], at_end[i]);
    }
    /* 2^14 and 2^8, but for higher powers of h; the end of the last step is rounding */
    ck_assert_msg(log2(at_end[0] / at_end[1]) > 13.5, "%g, %g", at_end[0], at_end[1]);
    ck_assert_msg(log2(within[1] / within[2]) > 7.5, "%g, %g", within[1], within[2]);
    spring_clear(&all);
}

/* e = h c_1 (delta + J e) for all components, delta the defect of the polynomial at the beginning.
 */
TEST(property, estimate_solves_its_equation) {
    spring all;
    spring_init(&all, 7.31e5, 0.385, 0.31);
    const int n = all.system.n;
    const int size = all.system.size;
    const double h = 1e-3;
    const double weight[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0}; /* the first estimate counts */
    double error = 0.0;
    assert_ok(carom_compliant_step_try(&all.step, h, weight, &error));
    ck_assert(error < 1.0);
    double largest = 0.0;
    for (int k = 0; k < size; k++) {
        double sum = all.step.start_rate[k];
        for (int j = 0; j < S; j++) {
            sum -= all.step.radau.at_start[j] * all.step.stage_rate[j * size + k];
        }
        for (int l = 0; l < 2 * n; l++) {
            const double slope = k >= n ? all.step.start_slopes[(k - n) * 2 * n + l] : l == k + n;
            sum += slope * all.step.error[l];
        }
        assert_close(all.step.error[k], h * carom_radau_nodes[0] * sum, 1e-9, 1e-16);
        largest = fmax(largest, fabs(all.step.error[k]));
    }
    assert_close(error, largest, 0.0, 0.0);
    ck_assert(largest > 1e-12);
    spring_clear(&all);
}

/* A sticking contact that moves without a force: one step of 1e9 times the time
 * m epsilon/(mu lambda_n) of its friction brings it to rest. */
TEST(property, stiff_friction_is_damped_out_in_one_step) {
    spring all;
    spring_init(&all, 7.31e5, 0.385, 0.9e-10);
    ck_assert(!all.system.is_sliding[0]);
    const double friction = all.ball.friction * all.system.damping[0] * SPRING_SPEED;
    const double time = SPRING_MASS * all.params.regularisation_speed / friction;
    const double weight[6] = {1e-11, 1e-11, 1e-10, 1e-11, 1e-10, 1e-10};
    double error = 0.0;
    double y[6];
    assert_ok(carom_compliant_step_try(&all.step, 1e9 * time, weight, &error));
    carom_compliant_step_state(&all.step, 1.0, y);
    ck_assert(error < 1.0);
    /* to what the iteration may leave: 1e-3 of the weight */
    assert_close(y[3], 0.0, 0.0, 1e-3 * weight[3]);
    /* what it had is the friction's impulse */
    assert_close(y[5], -SPRING_MASS * 0.9e-10, 1e-3, 0.0);
    spring_clear(&all);
}
