/*
 * carom/impact/routh.h: the sphere of textbooks, a curve in closed form, the planar closed
 * form, and an independent integration of (36): friction made smooth, by an implicit method of GSL
 * in Cartesian speeds.
 */
#include <carom/impact/routh.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <gsl/gsl_odeiv2.h>

#include <float.h>
#include <string.h>

static const unsigned long SEED = 20210316;

/** Speeds at the end of a path, [3]. */
static const double *final_speed(const carom_routh_spatial_path *path) {
    return path->speed[path->point_count - 1];
}

/** Impulse at the end of a path, [3]. */
static const double *final_impulse(const carom_routh_spatial_path *path) {
    return path->impulse[path->point_count - 1];
}

/** C = G G' of a random G [3][3], friction up to `most`. */
static carom_routh_spatial_contact random_contact(gsl_rng *generator, double most) {
    double G[3][3];
    double C[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            G[i][k] = uniform(generator, -1.0, 1.0);
        }
        for (int j = 0; j <= i; j++) {
            C[i][j] = 0.0;
            for (int k = 0; k < 3; k++) {
                C[i][j] += G[i][k] * G[j][k];
            }
        }
    }
    return (carom_routh_spatial_contact){.c_nn = C[0][0],
                                         .c_nt = {C[1][0], C[2][0]},
                                         .c_tt = {C[1][1], C[2][1], C[2][2]},
                                         .mu = uniform(generator, 0.0, most)};
}

/**
 * Speeds before an impact: every third nearly at rest tangentially, every fourth without collision
 * where that presses the contact in.
 */
static void random_speeds(gsl_rng *generator, int round, const carom_routh_spatial_contact *k,
                          double *c) {
    c[0] = uniform(generator, -1.0, 0.0);
    const double most = round % 3 == 0 ? 0.1 : 1.0;
    c[1] = uniform(generator, -most, most);
    c[2] = uniform(generator, -most, most);
    if (round % 4 == 0 && carom_routh_is_spatial_impact_without_collision(k, c + 1)) {
        c[0] = 0.0;
    }
}

TEST(unit, a_sphere_slides_straight_until_it_separates) {
    // Mass 2.5, radius 0.4, solid: c_nn = 1/m, c_tt = 7/(2 m); v_t = (3, -4) 0.7.
    const double m = 2.5;
    const carom_routh_spatial_contact k = {
        .c_nn = 1.0 / m, .c_nt = {0.0, 0.0}, .c_tt = {3.5 / m, 0.0, 3.5 / m}, .mu = 0.3};
    const double c[3] = {-1.6, 2.1, -2.8};
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert_int_eq(path.point_count, 2);
    ck_assert(!path.is_sticking && !path.is_sliding_on);
    const double *v = final_speed(&path);
    // s = 1.6 m; |v_t| falls from 3.5 by 0.3 3.5/m s.
    const double left = (3.5 - 0.3 * 3.5 * 1.6) / 3.5;
    assert_close(v[0], 0.0, 0.0, 0.0);
    assert_close(v[1], 2.1 * left, 8.0 * DBL_EPSILON, 0.0);
    assert_close(v[2], -2.8 * left, 8.0 * DBL_EPSILON, 0.0);
    const double *L = final_impulse(&path);
    assert_close(L[0], 1.6 * m, 8.0 * DBL_EPSILON, 0.0);
    assert_close(L[1], -0.3 * 0.6 * 1.6 * m, 8.0 * DBL_EPSILON, 0.0);
    assert_close(L[2], 0.3 * 0.8 * 1.6 * m, 8.0 * DBL_EPSILON, 0.0);
}

TEST(unit, a_sphere_with_enough_friction_rolls) {
    const double m = 2.5;
    const carom_routh_spatial_contact k = {
        .c_nn = 1.0 / m, .c_nt = {0.0, 0.0}, .c_tt = {3.5 / m, 0.0, 3.5 / m}, .mu = 0.7};
    const double c[3] = {-1.6, 2.1, -2.8};
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert_int_eq(path.point_count, 3);
    ck_assert(path.is_sticking);
    assert_close(path.speed[2][1], 0.0, 0.0, 0.0);
    assert_close(path.speed[2][2], 0.0, 0.0, 0.0);
    // |v_t| = 3.5 is used up at s = m/0.7.
    assert_close(path.impulse[1][0], m / 0.7, 16.0 * DBL_EPSILON, 0.0);
    assert_close(path.impulse[2][0], 1.6 * m, 16.0 * DBL_EPSILON, 0.0);
    assert_close(path.impulse[2][1], -2.1 * m / 3.5, 16.0 * DBL_EPSILON, 0.0);
}

TEST(unit, two_tangents_of_unequal_response_give_a_parabola) {
    // c_tn = 0, C_tt = diag(2 b, b): dv_1/dv_2 = 2 v_1/v_2, so v_1 = a v_2^2, and s is an arc
    // length: mu b ds = -sqrt(1 + a^2 v_2^2) dv_2.
    const double b = 0.85;
    const double mu = 0.4;
    const carom_routh_spatial_contact k = {
        .c_nn = 1.3, .c_nt = {0.0, 0.0}, .c_tt = {2.0 * b, 0.0, b}, .mu = mu};
    const double c[3] = {-0.9, 1.2, -1.5};
    const double a = c[1] / (c[2] * c[2]);
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert_int_eq(path.point_count, 2);
    const double *v = final_speed(&path);
    // Tens of operations on numbers of order 1 in each step.
    assert_close(v[1], a * v[2] * v[2], 0.0, 100.0 * DBL_EPSILON);
    const double s = 0.9 / 1.3;
    assert_close(final_impulse(&path)[0], s, 0.0, 100.0 * DBL_EPSILON);
    double arc[2];
    for (int i = 0; i < 2; i++) {
        const double x = i == 0 ? -c[2] : -v[2];
        arc[i] = 0.5 * (x * sqrt(1.0 + a * a * x * x) + asinh(a * x) / a);
    }
    assert_close((arc[0] - arc[1]) / (mu * b), s, 0.0, 100.0 * DBL_EPSILON);
}

TEST(unit, from_rest_a_contact_leaves_along_the_ray_of_the_closed_form) {
    // c_tn = (k + mu C_tt) u for k = 0.37, u at 1.1 rad.
    const double rate = 0.37;
    const double u[2] = {cos(1.1), sin(1.1)};
    carom_routh_spatial_contact k = {.c_nn = 3.1, .c_tt = {2.2, -0.6, 1.4}, .mu = 0.45};
    k.c_nt[0] = rate * u[0] + k.mu * (k.c_tt[0] * u[0] + k.c_tt[1] * u[1]);
    k.c_nt[1] = rate * u[1] + k.mu * (k.c_tt[1] * u[0] + k.c_tt[2] * u[1]);
    const double c[3] = {-0.8, 0.0, 0.0};
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert_int_eq(path.point_count, 2);
    ck_assert(path.is_sliding_on && !path.is_sticking);
    const double s = 0.8 / (3.1 - 0.45 * (k.c_nt[0] * u[0] + k.c_nt[1] * u[1]));
    const double *v = final_speed(&path);
    // The root k is a difference of numbers of order 1.
    assert_close(final_impulse(&path)[0], s, 32.0 * DBL_EPSILON, 0.0);
    assert_close(v[1], rate * s * u[0], 0.0, 32.0 * DBL_EPSILON);
    assert_close(v[2], rate * s * u[1], 0.0, 32.0 * DBL_EPSILON);
    // Just enough friction: |C_tt^-1 c_tn| = mu.
    const double determinant = 2.2 * 1.4 - 0.36;
    const double l[2] = {(1.4 * k.c_nt[0] + 0.6 * k.c_nt[1]) / determinant,
                         (0.6 * k.c_nt[0] + 2.2 * k.c_nt[1]) / determinant};
    k.mu = hypot(l[0], l[1]) * (1.0 + 1e-12);
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert(path.is_sticking);
    k.mu *= 1.0 - 1e-10;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert(path.is_sliding_on);
}

TEST(unit, without_friction_the_impulse_is_normal) {
    const carom_routh_spatial_contact k = {
        .c_nn = 1.7, .c_nt = {0.9, -0.4}, .c_tt = {2.9, 0.3, 2.2}, .mu = 0.0};
    const double s = 0.6 / 1.7;
    // Past v_t = 0, through it, and from it.
    const double before[3][3] = {{-0.6, -0.1, 0.2}, {-0.6, -0.09, 0.04}, {-0.6, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_spatial(&k, before[i], &path, NULL));
        const double *L = final_impulse(&path);
        const double *v = final_speed(&path);
        assert_close(L[0], s, 100.0 * DBL_EPSILON, 0.0);
        assert_close(L[1], 0.0, 0.0, 0.0);
        assert_close(L[2], 0.0, 0.0, 0.0);
        assert_close(v[1], before[i][1] + 0.9 * s, 0.0, 100.0 * DBL_EPSILON);
        assert_close(v[2], before[i][2] - 0.4 * s, 0.0, 100.0 * DBL_EPSILON);
    }
}

TEST(unit, a_body_that_moves_in_a_plane_may_have_a_singular_matrix) {
    // The second tangent does not respond: the planar path, with sticking, by the pseudo-inverse.
    const carom_routh_contact planar = {.c_nn = 1.7, .c_nt = -0.8, .c_tt = 2.9, .mu = 0.6};
    const carom_routh_spatial_contact k = {
        .c_nn = 1.7, .c_nt = {-0.8, 0.0}, .c_tt = {2.9, 0.0, 0.0}, .mu = 0.6};
    carom_routh_path expected;
    assert_ok(carom_routh_resolve_planar(&planar, -1.4, 0.5, &expected, NULL));
    ck_assert(expected.is_sticking);
    const double c[3] = {-1.4, 0.5, 0.0};
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert_int_eq(path.point_count, 3);
    assert_close(path.impulse[2][0], expected.normal_impulse[2], 16.0 * DBL_EPSILON, 0.0);
    assert_close(path.impulse[2][1], expected.tangential_impulse[2], 16.0 * DBL_EPSILON, 0.0);
    assert_close(path.impulse[2][2], 0.0, 0.0, 0.0);
}

TEST(unit, one_motion_that_stops_needs_no_sticking_phase) {
    // c = (0.3, -0.7, 0.2) y, C of rank one.
    const double J[3] = {0.3, -0.7, 0.2};
    const carom_routh_spatial_contact k = {.c_nn = J[0] * J[0],
                                           .c_nt = {J[0] * J[1], J[0] * J[2]},
                                           .c_tt = {J[1] * J[1], J[1] * J[2], J[2] * J[2]},
                                           .mu = 0.8};
    const double c[3] = {-1.9 * J[0], -1.9 * J[1], -1.9 * J[2]};
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    // y rises by 0.3 + 0.8 |(0.7, 0.2)| per s.
    const double s = 1.9 / (0.3 + 0.8 * hypot(0.7, 0.2));
    assert_close(final_impulse(&path)[0], s, 32.0 * DBL_EPSILON, 0.0);
    for (int i = 0; i < 3; i++) {
        assert_close(final_speed(&path)[i], 0.0, 0.0, 32.0 * DBL_EPSILON);
    }
}

TEST(unit, a_separating_contact_gets_no_impulse) {
    const carom_routh_spatial_contact k = {
        .c_nn = 1.7, .c_nt = {2.0, 0.1}, .c_tt = {2.9, 0.3, 2.2}, .mu = 2.0};
    const double v_t[2] = {0.5, 0.1};
    const double away[2] = {-0.5, 0.1};
    ck_assert(carom_routh_is_spatial_impact_without_collision(&k, v_t));
    ck_assert(!carom_routh_is_spatial_impact_without_collision(&k, away));
    const double still[2] = {0.0, 0.0};
    ck_assert(!carom_routh_is_spatial_impact_without_collision(&k, still));
    const double before[3][3] = {{1e-3, 0.5, 0.1}, {0.0, -0.5, 0.1}, {0.0, 0.0, 0.0}};
    for (int i = 0; i < 3; i++) {
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_spatial(&k, before[i], &path, NULL));
        ck_assert_int_eq(path.point_count, 1);
        for (int j = 0; j < 3; j++) {
            assert_close(path.impulse[0][j], 0.0, 0.0, 0.0);
            assert_close(path.speed[0][j], before[i][j], 0.0, 0.0);
        }
    }
}

TEST(unit, a_contact_that_is_pressed_in_again_separates_before_if_it_can) {
    // Sliding across pushes off, dv_n/ds = 1 - 1.44 u_1; sliding along, as later, presses in, until
    // it sticks. The fastest approach that ends while it still slides ends where dv_n/ds = 0.
    const carom_routh_spatial_contact k = {
        .c_nn = 1.0, .c_nt = {0.9, 0.0}, .c_tt = {1.2, 0.0, 2.0}, .mu = 1.6};
    double slow = 0.01;
    double fast = 10.0;
    carom_routh_spatial_path last = {0};
    for (int i = 0; i < 60; i++) {
        const double c[3] = {-0.5 * (slow + fast), 0.5, 2.0};
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
        if (path.is_sticking) {
            fast = -c[0];
        } else {
            slow = -c[0];
            last = path;
        }
    }
    const double *v = final_speed(&last);
    // Near its largest value v_n is a parabola: the root of a rounding.
    assert_close(1.44 * v[1] / hypot(v[1], v[2]), 1.0, 0.0, 1e-6);
    // A little faster, it is pressed in and sticks: a jump.
    const double c[3] = {-fast, 0.5, 2.0};
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
    ck_assert(path.is_sticking);
    ck_assert(final_impulse(&path)[0] > final_impulse(&last)[0] + 0.1);
}

/** A box touching with a corner r from its centre, in (x, y, z, three angles). */
static carom_impact_problem *corner_problem(double mu, const double *v) {
    const double r[3] = {0.31, -0.22, -0.47};
    const double J_n[6] = {0.0, 0.0, 1.0, r[1], -r[0], 0.0};
    const double J_t[12] = {1.0, 0.0, 0.0, 0.0, r[2], -r[1], 0.0, 1.0, 0.0, -r[2], 0.0, r[0]};
    double M[36] = {0.0};
    const double diagonal[6] = {1.4, 1.4, 1.4, 0.11, 0.14, 0.07};
    for (int i = 0; i < 6; i++) {
        M[7 * i] = diagonal[i];
    }
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(6, 1, 2, M, J_n, J_t, &mu, v, &problem, NULL));
    return problem;
}

TEST(unit, the_impact_of_a_problem_is_one_outcome) {
    const double v[6] = {0.4, 0.7, -1.1, 0.3, -0.2, 0.5};
    carom_impact_problem *problem = corner_problem(0.2, v);
    carom_impact_outcomes *outcomes;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_routh_impact_spatial(problem, 0, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    const carom_routh_spatial_contact k = carom_routh_spatial_contact_of_problem(problem, 0);
    carom_routh_spatial_path path;
    assert_ok(carom_routh_resolve_spatial(&k, problem->contact_velocity, &path, NULL));
    for (int j = 0; j < 3; j++) {
        // Speeds of order 1, responses of order 5.
        assert_close(outcomes->contact_velocity[j], final_speed(&path)[j], 0.0,
                     200.0 * DBL_EPSILON);
    }
    assert_close(outcomes->residual[0], 0.0, 0.0, 200.0 * DBL_EPSILON);
    ck_assert(outcomes->kinetic_energy[0] < problem->kinetic_energy);
    // The angular momentum about the contact is kept: M (v+ - v-) = J' L.
    for (int i = 0; i < 6; i++) {
        double gained = problem->mass[7 * i] * (outcomes->velocity[i] - v[i]);
        for (int a = 0; a < 3; a++) {
            gained -= problem->contact_jacobian[a * 6 + i] * outcomes->impulse[a];
        }
        assert_close(gained, 0.0, 0.0, 32.0 * DBL_EPSILON);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(property, contacts_without_a_second_tangent_follow_the_planar_closed_form) {
    gsl_rng *generator = seeded_generator(SEED);
    int kinds[3] = {0, 0, 0};
    for (int round = 0; round < 1000; round++) {
        carom_routh_spatial_contact k = random_contact(generator, 3.0);
        const carom_routh_contact planar = {
            .c_nn = k.c_nn, .c_nt = k.c_nt[0], .c_tt = k.c_tt[0], .mu = k.mu};
        k.c_nt[1] = 0.0;
        k.c_tt[1] = 0.0;
        double c[3];
        random_speeds(generator, round, &k, c);
        c[2] = 0.0;
        c[0] = round % 4 == 0 && carom_routh_is_spatial_impact_without_collision(&k, c + 1)
                   ? 0.0
                   : c[0] - 1e-3;
        carom_routh_path expected;
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_planar(&planar, c[0], c[1], &expected, NULL));
        assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
        ck_assert_int_eq(path.point_count, expected.point_count);
        ck_assert_int_eq(path.is_sticking, expected.is_sticking);
        ck_assert_int_eq(path.is_sliding_on, expected.is_reversing);
        for (int i = 0; i < path.point_count; i++) {
            // The last rate may be a small difference: 1e-12 where it is 1e-3 of its terms.
            assert_close(path.impulse[i][0], expected.normal_impulse[i], 1e-12, 1e-14);
            assert_close(path.impulse[i][1], expected.tangential_impulse[i], 1e-12, 1e-14);
            assert_close(path.speed[i][1], expected.tangential_speed[i], 1e-12, 1e-14);
            assert_close(path.impulse[i][2], 0.0, 0.0, 1e-14);
            assert_close(path.speed[i][2], 0.0, 0.0, 1e-14);
        }
        kinds[path.is_sticking ? 0 : (path.is_sliding_on ? 1 : 2)]++;
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_int_gt(kinds[i], 30);
    }
    gsl_rng_free(generator);
}

TEST(property, turning_the_tangents_turns_the_path) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 500; round++) {
        const carom_routh_spatial_contact k = random_contact(generator, 2.0);
        const double angle = uniform(generator, -3.2, 3.2);
        const double x = cos(angle);
        const double y = sin(angle);
        const double *T = k.c_tt;
        const carom_routh_spatial_contact turned = {
            .c_nn = k.c_nn,
            .c_nt = {x * k.c_nt[0] - y * k.c_nt[1], y * k.c_nt[0] + x * k.c_nt[1]},
            .c_tt = {x * x * T[0] - 2.0 * x * y * T[1] + y * y * T[2],
                     x * y * (T[0] - T[2]) + (x * x - y * y) * T[1],
                     y * y * T[0] + 2.0 * x * y * T[1] + x * x * T[2]},
            .mu = k.mu};
        double c[3];
        random_speeds(generator, 1, &k, c);
        const double c_turned[3] = {c[0], x * c[1] - y * c[2], y * c[1] + x * c[2]};
        carom_routh_spatial_path path;
        carom_routh_spatial_path other;
        assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
        assert_ok(carom_routh_resolve_spatial(&turned, c_turned, &other, NULL));
        const double *v = final_speed(&path);
        const double *w = final_speed(&other);
        // Rounding, not amplified in the norm of C^-1: times the condition of C, below 1e4 here.
        assert_close(w[1], x * v[1] - y * v[2], 0.0, 1e-12);
        assert_close(w[2], y * v[1] + x * v[2], 0.0, 1e-12);
        assert_close(final_impulse(&other)[0], final_impulse(&path)[0], 1e-11, 1e-12);
    }
    gsl_rng_free(generator);
}

TEST(property, every_impact_dissipates_within_the_friction_cone) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    int longest = 0;
    for (int round = 0; round < 3000; round++) {
        const carom_routh_spatial_contact k = random_contact(generator, 4.0);
        double c[3];
        random_speeds(generator, round, &k, c);
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
        const int end = path.point_count - 1;
        assert_close(path.speed[end][0], 0.0, 0.0, 0.0);
        for (int i = 1; i <= end; i++) {
            double L[3];
            double energy = 0.0;
            for (int j = 0; j < 3; j++) {
                L[j] = path.impulse[i][j] - path.impulse[i - 1][j];
                energy += 0.5 * L[j] * (path.speed[i][j] + path.speed[i - 1][j]);
            }
            const double s = path.impulse[end][0];
            ck_assert_msg(L[0] >= 0.0, "round %d", round);
            // Rounding of some thirty steps.
            ck_assert_msg(hypot(L[1], L[2]) <= k.mu * L[0] + 100.0 * DBL_EPSILON * s * (1.0 + k.mu),
                          "round %d", round);
            ck_assert_msg(energy <= 100.0 * DBL_EPSILON * s, "round %d: %g", round, energy);
        }
        // Speeds of terms C s (1 + mu).
        const double size = (k.c_nn + k.c_tt[0] + k.c_tt[2]) * (1.0 + k.mu) * path.impulse[end][0];
        assert_close(path.residual, 0.0, 0.0, 100.0 * DBL_EPSILON * (1.0 + size));
        longest = path.step_count > longest ? path.step_count : longest;
    }
    // ln(1/rounding) over the decay of a step of about e^-1, and what turns before.
    ck_assert_int_lt(longest, 100);
    gsl_rng_free(generator);
}

TEST(property, a_power_of_two_as_unit_of_speed_scales_the_path) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 200; round++) {
        const carom_routh_spatial_contact k = random_contact(generator, 2.0);
        double c[3];
        random_speeds(generator, round, &k, c);
        const double scaled[3] = {16.0 * c[0], 16.0 * c[1], 16.0 * c[2]};
        carom_routh_spatial_path path;
        carom_routh_spatial_path other;
        assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
        assert_ok(carom_routh_resolve_spatial(&k, scaled, &other, NULL));
        for (int j = 0; j < 3; j++) {
            assert_close(final_speed(&other)[j], 16.0 * final_speed(&path)[j], 0.0, 0.0);
            assert_close(final_impulse(&other)[j], 16.0 * final_impulse(&path)[j], 0.0, 0.0);
        }
    }
    gsl_rng_free(generator);
}

/** (36) with Unit(v) = v/sqrt(|v|^2 + smoothing^2). */
typedef struct smooth_friction {
    const carom_routh_spatial_contact *contact;
    double smoothing;
} smooth_friction;

static void multiply(const carom_routh_spatial_contact *k, const double *f, double *rate) {
    rate[0] = k->c_nn * f[0] + k->c_nt[0] * f[1] + k->c_nt[1] * f[2];
    rate[1] = k->c_nt[0] * f[0] + k->c_tt[0] * f[1] + k->c_tt[1] * f[2];
    rate[2] = k->c_nt[1] * f[0] + k->c_tt[1] * f[1] + k->c_tt[2] * f[2];
}

static int smooth_rate(double s, const double *c, double *rate, void *context) {
    (void)s;
    const smooth_friction *friction = context;
    const double size = hypot(hypot(c[1], c[2]), friction->smoothing);
    const double mu = friction->contact->mu;
    const double f[3] = {1.0, -mu * c[1] / size, -mu * c[2] / size};
    multiply(friction->contact, f, rate);
    return GSL_SUCCESS;
}

static int smooth_jacobian(double s, const double *c, double *dfdc, double *dfds, void *context) {
    (void)s;
    const smooth_friction *friction = context;
    const double size = hypot(hypot(c[1], c[2]), friction->smoothing);
    memset(dfds, 0, 3 * sizeof(double));
    memset(dfdc, 0, 9 * sizeof(double));
    for (int j = 1; j < 3; j++) {
        double f[3] = {0.0, 0.0, 0.0};
        for (int i = 1; i < 3; i++) {
            const double unit = i == j ? 1.0 : 0.0;
            f[i] = -friction->contact->mu / size * (unit - c[i] * c[j] / (size * size));
        }
        double column[3];
        multiply(friction->contact, f, column);
        for (int i = 0; i < 3; i++) {
            dfdc[3 * i + j] = column[i];
        }
    }
    return GSL_SUCCESS;
}

/** Smooth friction from c over s; the largest v_n up to 0.999 s. */
static double follow_smoothly(const carom_routh_spatial_contact *k, double s, double *c) {
    smooth_friction friction = {k, 1e-9};
    gsl_odeiv2_system system = {smooth_rate, smooth_jacobian, 3, &friction};
    gsl_odeiv2_driver *driver =
        gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_msbdf, 1e-6 * s, 1e-12, 1e-12);
    ck_assert_ptr_nonnull(driver);
    double largest = -(double)INFINITY;
    double at = 0.0;
    for (int part = 1; part <= 1000; part++) {
        ck_assert_int_eq(gsl_odeiv2_driver_apply(driver, &at, s * part / 1000.0, c), GSL_SUCCESS);
        largest = part < 1000 ? fmax(largest, c[0]) : largest;
    }
    gsl_odeiv2_driver_free(driver);
    return largest;
}

TEST(property, paths_agree_with_smooth_friction) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    int kinds[4] = {0, 0, 0, 0};
    for (int round = 0; round < 100; round++) {
        const carom_routh_spatial_contact k = random_contact(generator, round % 2 == 0 ? 2.0 : 0.4);
        double c[3];
        random_speeds(generator, round, &k, c);
        carom_routh_spatial_path path;
        assert_ok(carom_routh_resolve_spatial(&k, c, &path, NULL));
        const double largest = follow_smoothly(&k, final_impulse(&path)[0], c);
        for (int j = 0; j < 3; j++) {
            // Smoothing 1e-9 and integration 1e-12 per step.
            assert_close(c[j], final_speed(&path)[j], 0.0, 1e-7);
        }
        ck_assert_msg(largest < 0.0, "round %d: v_n = %g", round, largest);
        kinds[path.is_without_collision ? 3
                                        : (path.is_sticking ? 0 : (path.is_sliding_on ? 1 : 2))]++;
    }
    // Sticking, sliding on, sliding to the end, without collision.
    for (int i = 0; i < 4; i++) {
        ck_assert_int_gt(kinds[i], 1);
    }
    gsl_rng_free(generator);
}

TEST(property, contacts_of_any_condition_come_to_an_end) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int round = 0; round < 3000; round++) {
        // Three motions of very different inertia, or two: a matrix that is singular but for
        // rounding. Speeds of one motion.
        const int motions = round % 3 == 0 ? 2 : 3;
        double y[3];
        double inverse_mass[3];
        for (int k = 0; k < 3; k++) {
            y[k] = uniform(generator, -1.0, 1.0);
            inverse_mass[k] = k < motions ? pow(10.0, uniform(generator, -6.0, 2.0)) : 0.0;
        }
        double G[3][3];
        double C[3][3];
        double c[3] = {0.0, 0.0, 0.0};
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++) {
                G[i][k] = uniform(generator, -1.0, 1.0) * sqrt(inverse_mass[k]);
                c[i] += G[i][k] * y[k];
            }
            for (int j = 0; j <= i; j++) {
                C[i][j] = G[i][0] * G[j][0] + G[i][1] * G[j][1] + G[i][2] * G[j][2];
            }
        }
        const double towards = c[0] > 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 3; i++) {
            c[i] *= towards;
        }
        const carom_routh_spatial_contact contact = {.c_nn = C[0][0],
                                                     .c_nt = {C[1][0], C[2][0]},
                                                     .c_tt = {C[1][1], C[2][1], C[2][2]},
                                                     .mu =
                                                         pow(10.0, uniform(generator, -3.0, 2.0))};
        carom_routh_spatial_path path;
        const carom_status status = carom_routh_resolve_spatial(&contact, c, &path, NULL);
        ck_assert_msg(status == CAROM_OK, "round %d: %s", round, carom_status_name(status));
        const double *L = final_impulse(&path);
        const double size = fabs(c[0]) + fabs(c[1]) + fabs(c[2]) +
                            (C[0][0] + C[1][1] + C[2][2]) * (L[0] + hypot(L[1], L[2]));
        // What a singular C may leave of v_n.
        assert_close(path.residual, 0.0, 0.0, 1e-9 * size);
        ck_assert_int_lt(path.step_count, 150);
    }
    gsl_rng_free(generator);
}

TEST(errors, contacts_that_are_none_are_refused) {
    const carom_routh_spatial_contact good = {
        .c_nn = 1.7, .c_nt = {0.4, -0.2}, .c_tt = {2.9, 0.3, 2.2}, .mu = 0.15};
    enum { COUNT = 9 };
    carom_routh_spatial_contact bad[COUNT];
    for (int i = 0; i < COUNT; i++) {
        bad[i] = good;
    }
    bad[0].c_nn = 0.0;
    bad[1].c_tt[0] = -3.0;
    bad[2].mu = -0.1;
    bad[3].c_nt[1] = 2.1;
    bad[4].c_tt[1] = -2.8;
    bad[5].c_tt[2] = -0.1;
    bad[6].c_tt[1] = (double)NAN;
    bad[7].mu = (double)INFINITY;
    bad[8].c_nn = -1.7;
    const double c[3] = {-1.0, 0.3, 0.2};
    for (int i = 0; i < COUNT; i++) {
        carom_routh_spatial_path path;
        carom_report report = carom_report_empty();
        const carom_status expected =
            i == 6 || i == 7 ? CAROM_STATUS_NOT_FINITE : CAROM_STATUS_OUT_OF_RANGE;
        const carom_status status = carom_routh_resolve_spatial(&bad[i], c, &path, &report);
        ck_assert_msg(status == expected, "contact %d: %s", i, carom_status_name(status));
        ck_assert_ptr_nonnull(report.quantity);
        ck_assert_int_eq(path.point_count, 1);
        ck_assert(isnan(path.impulse[0][0]) && isnan(path.speed[0][2]) && isnan(path.residual));
    }
    const double none[3] = {-1.0, (double)NAN, 0.2};
    carom_routh_spatial_path path;
    assert_status(carom_routh_resolve_spatial(&good, none, &path, NULL), NOT_FINITE);
}

TEST(errors, a_wedge_has_no_end) {
    // Rank one, but speeds that are not those of one motion: once it sticks, nothing pushes off.
    const carom_routh_spatial_contact k = {
        .c_nn = 1.0, .c_nt = {0.6, 0.8}, .c_tt = {0.36, 0.48, 0.64}, .mu = 2.0};
    const double c[3] = {-1.0, -0.18, -0.24};
    carom_routh_spatial_path path;
    assert_status(carom_routh_resolve_spatial(&k, c, &path, NULL), SINGULAR);
    ck_assert(isnan(path.impulse[0][0]));
    // Sliding that the contact does not slow down presses it further in.
    const double away[3] = {-1.0, 0.8, -0.6};
    const carom_routh_spatial_contact pressed = {
        .c_nn = 1.0, .c_nt = {0.8, -0.6}, .c_tt = {0.64, -0.48, 0.36}, .mu = 1.0};
    assert_status(carom_routh_resolve_spatial(&pressed, away, &path, NULL), SINGULAR);
}

TEST(errors, problems_without_such_a_contact_are_refused) {
    const double v[6] = {0.4, 0.7, -1.1, 0.3, -0.2, 0.5};
    carom_impact_problem *problem = corner_problem(0.2, v);
    carom_impact_outcomes *outcomes;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    carom_report report = carom_report_empty();
    assert_status(carom_routh_impact_spatial(problem, 1, outcomes, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "contact");
    assert_status(carom_routh_impact_spatial(problem, -1, outcomes, NULL), OUT_OF_RANGE);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_n[2] = {0.0, 1.0};
    const double J_t[2] = {1.0, 0.0};
    const double mu = 0.4;
    assert_ok(carom_impact_problem_alloc(2, 1, 1, M, J_n, J_t, &mu, v, &problem, NULL));
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_status(carom_routh_impact_spatial(problem, 0, outcomes, NULL), OUT_OF_RANGE);
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, an_impact_without_memory_adds_no_outcome) {
    const double v[6] = {0.4, 0.7, -1.1, 0.3, -0.2, 0.5};
    carom_impact_problem *problem = corner_problem(0.2, v);
    carom_impact_outcomes *outcomes;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    successes_left = 0;
    const carom_status status = carom_routh_impact_spatial(problem, 0, outcomes, NULL);
    successes_left = -1;
    ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}
