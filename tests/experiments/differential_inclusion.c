/**
 * What the experiment on differential inclusions rests on (halm-2023 sections 2.1, 2.2.2, 3.3):
 * closed forms of polyhedral cones, the example (42), the specification's rod, and scaling.
 */
#include "../support.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>
#include <carom/impact/routh.h>

#include <float.h>
#include <string.h>

/** Radians of a turn. */
static const double TURN = 6.283185307179586;

/** Rounding of some dozen increments of speeds of order one. */
static const double ROUNDING = 1e-13;

/** A particle of mass 1 that strikes the floor with 1 m/s and slides: M = C = 1. */
static carom_impact_problem *particle(double friction, double speed, double direction) {
    const double M[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double J_n[] = {0.0, 0.0, 1.0};
    const double J_t[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const double v[] = {speed * cos(direction), speed * sin(direction), -1.0};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(3, 1, 2, M, J_n, J_t, &friction, v, &problem, NULL));
    return problem;
}

/** Its tangential velocity after increments with the given cap. */
static void strike(const carom_impact_problem *problem, int facets, double cap, double *v_t) {
    carom_impulse_increment *increment = NULL;
    carom_increment_work *work = NULL;
    assert_ok(carom_impulse_increment_alloc(problem, facets, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    double c[3];
    double L[3];
    memcpy(c, problem->contact_velocity, sizeof c);
    for (int i = 0; carom_impact_is_colliding(problem, c); i++) {
        ck_assert_int_lt(i, 1000);
        assert_ok(carom_impulse_increment_solve(increment, c, &cap, NULL, L, work, NULL));
        carom_impact_add_impulse(problem, L, c, c);
    }
    memcpy(v_t, c + 1, 2 * sizeof *v_t);
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
}

TEST(property, along_a_facet_friction_is_that_of_the_round_cone) {
    // It slides straight on and loses mu times the normal impulse, 0.37 m/s.
    for (int facets = 4; facets <= 32; facets *= 2) {
        for (int j = 0; j < facets; j += 3) {
            const double direction = TURN * j / facets;
            double v_t[2];
            carom_impact_problem *problem = particle(0.37, 1.5, direction);
            strike(problem, facets, 0.23, v_t);
            assert_close(v_t[0], 1.13 * cos(direction), 0.0, ROUNDING);
            assert_close(v_t[1], 1.13 * sin(direction), 0.0, ROUNDING);
            carom_impact_problem_free(problem);
        }
    }
}

TEST(property, between_two_facets_friction_is_that_of_the_edge) {
    // Both facets act alike, else the velocity would turn away from the one that acts more: the
    // friction is that of the middle of the polygon's edge, mu cos(pi/k), against the motion.
    for (int facets = 4; facets <= 32; facets *= 2) {
        for (int j = 0; j < facets; j += 3) {
            const double direction = TURN * (j + 0.5) / facets;
            const double left = 1.5 - 0.37 * cos(0.5 * TURN / facets);
            double v_t[2];
            carom_impact_problem *problem = particle(0.37, 1.5, direction);
            strike(problem, facets, 0.23, v_t);
            assert_close(v_t[0], left * cos(direction), 0.0, ROUNDING);
            assert_close(v_t[1], left * sin(direction), 0.0, ROUNDING);
            carom_impact_problem_free(problem);
        }
    }
}

TEST(unit, the_direction_of_sliding_comes_to_rest_after_its_length) {
    // (5): v(t) = max(|v0| - t, 0) v0/|v0|, with the round cone and C = 1, mu = 1.
    const carom_routh_spatial_contact contact = {1.0, {0.0, 0.0}, {1.0, 0.0, 1.0}, 1.0};
    const double v0[] = {-0.4, 0.7};
    const double speed = hypot(v0[0], v0[1]);
    for (int i = 1; i <= 12; i++) {
        const double t = 0.1 * i;
        const double c[] = {-t, v0[0], v0[1]};
        const double part = fmax(speed - t, 0.0) / speed;
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_spatial(&contact, c, &path, NULL));
        assert_close(path.speed[path.point_count - 1][1], part * v0[0], 0.0, ROUNDING);
        assert_close(path.speed[path.point_count - 1][2], part * v0[1], 0.0, ROUNDING);
    }
}

TEST(unit, the_example_of_slow_dissipation_loses_epsilon) {
    // (42): v' J' lambda = -(1 + eps)/2 (1, eps) . (eps, 1)/(1 + eps) = -eps.
    const double identity[] = {1.0, 0.0, 0.0, 1.0};
    const double across[] = {0.0, 1.0, 1.0, 0.0};
    const double friction[] = {0.0, 0.0};
    const double values[] = {0.731, 3.1e-3, 4.7e-7};
    for (int k = 0; k < 3; k++) {
        const double e = values[k];
        const double v[] = {-0.5 * (1.0 + e), -0.5 * (1.0 + e) * e};
        const double shares[] = {e, 1.0};
        carom_inclusion_mixtures fixed = {2, shares};
        carom_planar_inclusion_params params = carom_planar_inclusion_params_default();
        carom_impact_problem *problem = NULL;
        carom_planar_inclusion_path *path = NULL;
        params.policy = carom_inclusion_policy_fixed;
        params.context = &fixed;
        assert_ok(carom_impact_problem_alloc(2, 2, 1, identity, identity, across, friction, v,
                                             &problem, NULL));
        assert_ok(carom_planar_inclusion_run(problem, &params, &path, NULL));
        const double rate = path->rate[0] * path->speed[0] + path->rate[1] * path->speed[1];
        assert_close(rate, -e, 8.0 * DBL_EPSILON, 0.0);
        // Frictionless, along the axes: the impulses are the speeds.
        assert_close(path->s[path->segment_count], 0.5 * (1.0 + e) * (1.0 + e), 16.0 * DBL_EPSILON,
                     0.0);
        carom_planar_inclusion_path_free(path);
        carom_impact_problem_free(problem);
    }
}

TEST(unit, one_large_increment_of_the_rod_is_not_its_impact) {
    // Specification 4.4, six printed digits: -0.120855 against Routh's -0.268879.
    const double angle = 50.0 * TURN / 360.0;
    const double M[] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 3.0};
    const double J_n[] = {0.0, 1.0, -cos(angle)};
    const double J_t[] = {1.0, 0.0, sin(angle)};
    const double v[] = {0.3, -1.0, 0.0};
    const double friction = 0.25;
    carom_impact_problem *problem = NULL;
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_problem_alloc(3, 1, 1, M, J_n, J_t, &friction, v, &problem, NULL));
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    assert_close(outcomes->contact_velocity[1], -0.120855, 0.0, 5.1e-7);
    carom_impact_outcomes_clear(outcomes);
    assert_ok(carom_routh_impact_planar(problem, 0, outcomes, NULL));
    assert_close(outcomes->contact_velocity[1], -0.268879, 0.0, 5.1e-7);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}
