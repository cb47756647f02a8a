/*
 * carom/impact/sequential_impact.h: the specification's values for the
 * block, the box and the compass, closed forms, enumeration of modes and Newton's cradle without
 * bounce as the independent methods.
 */
#include <carom/contact/contact.h>
#include <carom/impact/internal.h>
#include <carom/impact/sequential_impact.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <float.h>

static const unsigned long SEED = 20210317;
enum { MOST_CONTACTS = 4 };

static const double DEGREE = 0.017453292519943295;

/** Specification 3.1: a block of 1 x 2, A its left and B its right lower corner. */
static carom_impact_problem *block_problem(void) {
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0 / 12.0};
    const double J_n[6] = {0.0, 1.0, -0.5, 0.0, 1.0, 0.5};
    const double J_t[6] = {1.0, 0.0, 1.0, 1.0, 0.0, 1.0};
    const double mu[2] = {1.0, 1.0};
    const double v[3] = {0.0, -sqrt(2.0 * 9.81 * 0.01), 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

/** Specification 3.4: a square leaning by 10 degrees, A on the floor, B at the wall. */
static carom_impact_problem *box_problem(void) {
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0 / 6.0};
    const double x = sqrt(0.5) * cos(55.0 * DEGREE);
    const double y = sqrt(0.5) * sin(55.0 * DEGREE);
    // Offsets of A (x, -y) and B (y, x); a speed is v + omega x r.
    const double J_n[6] = {0.0, 1.0, x, -1.0, 0.0, x};
    const double J_t[6] = {1.0, 0.0, y, 0.0, -1.0, -y};
    const double mu[2] = {1.0, 1.0};
    const double v[3] = {1.0, 0.0, 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

/** Specification 3.3: two legs with a mass each, A the leading and B the trailing foot. */
static carom_impact_problem *compass_problem(void) {
    const double angle[2] = {-78.0 * DEGREE, 78.0 * DEGREE};
    // A mass hangs 0.5 below the hip along (sin, -cos), moved by 0.5 (cos, sin).
    double M[16] = {2.0, 0.0, 0.0,  0.0, 0.0, 2.0, 0.0, 0.0,
                    0.0, 0.0, 0.25, 0.0, 0.0, 0.0, 0.0, 0.25};
    double J_n[8] = {0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0};
    double J_t[8] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0};
    for (int leg = 0; leg < 2; leg++) {
        const double x = cos(angle[leg]);
        const double y = sin(angle[leg]);
        M[2 + leg] = M[4 * (2 + leg)] = 0.5 * x;
        M[6 + leg] = M[4 * (2 + leg) + 1] = 0.5 * y;
        J_n[4 * leg + 2 + leg] = y;
        J_t[4 * leg + 2 + leg] = x;
    }
    const double mu[2] = {5.0, 5.0};
    const double v[4] = {-0.25 * cos(angle[1]), -0.25 * sin(angle[1]), 0.25, 0.25};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(4, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

static carom_sequential_impact *run(const carom_impact_problem *problem, const int *order) {
    const carom_sequential_params params = carom_sequential_params_default();
    carom_sequential_impact *s;
    assert_ok(carom_sequential_impact_run(problem, order, &params, &s, NULL));
    return s;
}

TEST(unit, the_block_pivots_about_the_corner_that_hits_last) {
    carom_impact_problem *problem = block_problem();
    const double v0 = sqrt(2.0 * 9.81 * 0.01);
    for (int first = 0; first < 2; first++) {
        const int order[2] = {first, 1 - first};
        carom_sequential_impact *s = run(problem, order);
        ck_assert(s->is_finished);
        ck_assert_int_eq(s->stage_count, 2);
        ck_assert_int_eq(s->contact[0], first);
        ck_assert_int_eq(s->contact[1], 1 - first);
        const double mirror = first == 0 ? 1.0 : -1.0;
        // 1 - e = 0.3; speeds of order 1.
        const double *c = s->contact_velocity;
        assert_close(c[first], 0.0, 0.0, 8.0 * DBL_EPSILON);
        assert_close(c[1 - first], -0.3 * v0, 0.0, 8.0 * DBL_EPSILON);
        assert_close(s->velocity[2], mirror * -0.3 * v0, 0.0, 8.0 * DBL_EPSILON);
        assert_close(c[4 + first], 0.7 * 0.3 * v0, 0.0, 8.0 * DBL_EPSILON);
        assert_close(c[5 - first], 0.0, 0.0, 8.0 * DBL_EPSILON);
        assert_close(c[6], 0.0, 0.0, 8.0 * DBL_EPSILON);
        // Seven printed digits.
        assert_close(s->velocity[3], mirror * 0.0930184, 0.0, 6e-8);
        assert_close(s->velocity[4], 0.0465092, 0.0, 6e-8);
        assert_close(s->velocity[5], mirror * -0.0930184, 0.0, 6e-8);
        assert_close(s->residual, 0.0, 0.0, 8.0 * DBL_EPSILON);
        carom_sequential_impact_free(s);
    }
    carom_impact_problem_free(problem);
}

TEST(unit, the_box_slides_on_the_floor_and_leaves_the_wall) {
    carom_impact_problem *problem = box_problem();
    // Specification 3.4, eight printed digits; (A first) the floor is not hit before the wall is.
    const double after_wall[4] = {-0.10564229, 0.0, 0.59912718, 0.0};
    const double after_floor[4] = {0.0, 0.10564229, 0.30576481, -0.07254217};
    const double velocity[3] = {0.24674245, -0.35238473, 0.60836968};
    for (int first = 0; first < 2; first++) {
        const int order[2] = {first, 1 - first};
        carom_sequential_impact *s = run(problem, order);
        ck_assert(s->is_finished);
        ck_assert_int_eq(s->stage_count, first == 0 ? 3 : 2);
        const int wall = first == 0 ? 1 : 0;
        for (int a = 0; a < 4; a++) {
            assert_close(s->contact_velocity[4 * wall + a], after_wall[a], 0.0, 6e-9);
            assert_close(s->contact_velocity[4 * wall + 4 + a], after_floor[a], 0.0, 6e-9);
        }
        for (int i = 0; i < 3; i++) {
            assert_close(s->velocity[3 * wall + i], velocity[i], 0.0, 6e-9);
        }
        assert_close(s->kinetic_energy[wall + 1], 0.03093145, 0.0, 6e-9);
        if (first == 0) {
            assert_close(s->kinetic_energy[0], problem->kinetic_energy, DBL_EPSILON, 0.0);
            assert_close(s->impulse[0], 0.0, 0.0, 0.0);
        }
        carom_sequential_impact_free(s);
    }
    carom_impact_problem_free(problem);
}

TEST(unit, the_compass_has_a_single_impact) {
    carom_impact_problem *problem = compass_problem();
    carom_sequential_impact *s = run(problem, NULL);
    ck_assert(s->is_finished);
    ck_assert_int_eq(s->stage_count, 1);
    // Specification 3.3, B lifts off: (vnA, vnB, vtA, vtB), impulses to six digits.
    const double expected[4] = {0.0, 0.09955518, 0.0, 0.19801960};
    const double impulse[4] = {0.122824, 0.0, 0.239417, 0.0};
    for (int a = 0; a < 4; a++) {
        assert_close(s->contact_velocity[a], expected[a], 0.0, 6e-9);
        assert_close(s->impulse[a], impulse[a], 0.0, 6e-7);
    }
    assert_close(s->kinetic_energy[0], 0.04538818, 0.0, 6e-9);
    carom_sequential_impact_free(s);
    carom_impact_problem_free(problem);
}

/* One planar contact by itself: L for (v_n, v_t). */
static void resolve(const carom_routh_contact *k, double v_n, double v_t, double *L) {
    const double W[4] = {k->c_nn, k->c_nt, k->c_nt, k->c_tt};
    const double v[2] = {v_n, v_t};
    ck_assert(carom_contact_solve_local(1, W, k->mu, v, L));
}

TEST(unit, the_algebraic_impact_of_the_rod_is_not_that_of_routh) {
    // Specification 4.4: -0.120855 against -0.268879.
    const double x = cos(50.0 * DEGREE);
    const double y = sin(50.0 * DEGREE);
    const carom_routh_contact k = {
        .c_nn = 1.0 + 3.0 * x * x, .c_nt = -3.0 * x * y, .c_tt = 1.0 + 3.0 * y * y, .mu = 0.25};
    double L[2];
    resolve(&k, -1.0, 0.3, L);
    assert_close(-1.0 + k.c_nn * L[0] + k.c_nt * L[1], 0.0, 0.0, 8.0 * DBL_EPSILON);
    assert_close(0.3 + k.c_nt * L[0] + k.c_tt * L[1], -0.120855, 0.0, 5.1e-7);
    assert_close(L[1], 0.25 * L[0], 4.0 * DBL_EPSILON, 0.0);
    carom_routh_path path;
    assert_ok(carom_routh_resolve_planar(&k, -1.0, 0.3, &path, NULL));
    assert_close(path.tangential_speed[2], -0.268879, 0.0, 5.1e-7);
}

TEST(unit, a_separating_contact_that_could_jam_gets_no_impulse) {
    // Specification 4.3: mu |c_nt| > c_nn, and v_n small enough for three solutions.
    const carom_routh_contact k = {.c_nn = 1.2, .c_nt = -1.4, .c_tt = 3.0, .mu = 1.9};
    const double v_n = 0.1;
    const double v_t = -0.9;
    ck_assert(-v_t * (k.mu * 1.4 - k.c_nn) > (k.mu * k.c_tt - 1.4) * v_n);
    double L[2] = {(double)NAN, (double)NAN};
    resolve(&k, v_n, v_t, L);
    assert_close(L[0], 0.0, 0.0, 0.0);
    assert_close(L[1], 0.0, 0.0, 0.0);
    // Nor does one that rounding has left at -1e-17 after its turn.
    const double M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
    const double g = 1.4 / sqrt(1.2);
    const double J_n[3] = {sqrt(1.2), 0.0, 0.0};
    const double J_t[3] = {-g, sqrt(3.0 - g * g), 0.0};
    const double v[3] = {-1e-17, -0.7, 0.0};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(3, 1, 1, M, J_n, J_t, &k.mu, v, &problem, NULL));
    carom_sequential_params params = carom_sequential_params_default();
    params.tolerance = 1e-9;
    carom_sequential_impact *s;
    assert_ok(carom_sequential_impact_run(problem, NULL, &params, &s, NULL));
    ck_assert(s->is_finished);
    ck_assert_int_eq(s->stage_count, 0);
    carom_sequential_impact_free(s);
    carom_impact_problem_free(problem);
}

/** Two contacts without friction that pass their speed on: c' = -0.9 c at each turn. */
static carom_impact_problem *passing_problem(void) {
    const double root = sqrt(1.0 - 0.81);
    const double M[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_n[4] = {1.0, 0.0, -0.9, root};
    const double J_t[4] = {0.0, 0.0, 0.0, 0.0};
    const double mu[2] = {0.0, 0.0};
    // c = (-1, 0).
    const double v[2] = {-1.0, -0.9 / root};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(2, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

TEST(unit, rounds_are_bounded_and_an_end_is_told) {
    carom_impact_problem *problem = passing_problem();
    carom_sequential_params params = carom_sequential_params_default();
    carom_sequential_impact *s;
    assert_ok(carom_sequential_impact_run(problem, NULL, &params, &s, NULL));
    ck_assert(!s->is_finished);
    ck_assert_int_eq(s->stage_count, 20);
    for (int k = 0; k < 20; k++) {
        // Each impulse is the speed, the speed of the other contact 0.9 of it.
        assert_close(s->contact_velocity[4 * k + 1 - k % 2], -pow(0.9, k + 1), 0.0,
                     100.0 * DBL_EPSILON);
        assert_close(s->contact_velocity[4 * k + k % 2], 0.0, 0.0, 100.0 * DBL_EPSILON);
    }
    carom_sequential_impact_free(s);
    // What is not finished is no outcome.
    carom_sequential_impacts *all;
    carom_impact_outcomes *outcomes;
    assert_ok(carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_CYCLIC, &params, &all, NULL));
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_sequential_impacts_add_outcomes(all, problem, outcomes));
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_sequential_impacts_free(all);
    // The speed scale is |v| = sqrt(1 + 0.81/0.19): 0.9^k <= 2.2e-6 of it from k = 116 on.
    params.most_rounds = 100;
    assert_ok(carom_sequential_impact_run(problem, NULL, &params, &s, NULL));
    ck_assert(s->is_finished);
    ck_assert_int_eq(s->stage_count, 116);
    carom_sequential_impact_free(s);
    params.tolerance = 1e-3;
    assert_ok(carom_sequential_impact_run(problem, NULL, &params, &s, NULL));
    ck_assert_int_eq(s->stage_count, 58);
    carom_sequential_impact_free(s);
    carom_impact_problem_free(problem);
}

TEST(unit, a_slow_contact_has_its_turn_though_it_would_not_begin_a_round) {
    // Two masses: 1e-6 m/s is below the tolerance of the end, not below that of a collision.
    const double M[4] = {1.3, 0.0, 0.0, 0.8};
    const double J_n[4] = {1.0, 0.0, 0.0, 1.0};
    const double J_t[4] = {0.0, 0.0, 0.0, 0.0};
    const double mu[2] = {0.0, 0.0};
    const double v[2] = {-1e-6, -0.7};
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(2, 2, 1, M, J_n, J_t, mu, v, &problem, NULL));
    carom_sequential_impact *s = run(problem, NULL);
    ck_assert_int_eq(s->stage_count, 2);
    assert_close(s->impulse[0], 1.3e-6, 4.0 * DBL_EPSILON, 0.0);
    assert_close(s->velocity[1], -0.7, 0.0, 0.0);
    assert_close(s->velocity[2], 0.0, 0.0, 1e-6 * DBL_EPSILON);
    carom_sequential_impact_free(s);
    // A finer tolerance is met.
    const double slower[2] = {-5e-9, -0.7};
    assert_ok(carom_impact_problem_set_velocity(problem, slower));
    carom_sequential_params params = carom_sequential_params_default();
    params.tolerance = 1e-12;
    assert_ok(carom_sequential_impact_run(problem, NULL, &params, &s, NULL));
    ck_assert(s->is_finished);
    assert_close(s->impulse[0], 6.5e-9, 4.0 * DBL_EPSILON, 0.0);
    carom_sequential_impact_free(s);
    carom_impact_problem_free(problem);
}

TEST(unit, a_velocity_that_is_not_colliding_has_no_stage) {
    carom_impact_problem *problem = block_problem();
    const double v[3] = {0.3, 0.2, 0.1};
    assert_ok(carom_impact_problem_set_velocity(problem, v));
    carom_sequential_impact *s = run(problem, NULL);
    ck_assert(s->is_finished);
    ck_assert_int_eq(s->stage_count, 0);
    carom_sequential_impact_free(s);
    const carom_sequential_params params = carom_sequential_params_default();
    carom_sequential_impacts *all;
    carom_impact_outcomes *outcomes;
    assert_ok(carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_CYCLIC, &params, &all, NULL));
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    assert_ok(carom_sequential_impacts_add_outcomes(all, problem, outcomes));
    ck_assert_int_eq(outcomes->count, 1);
    ck_assert_int_eq(outcomes->multiplicity[0], 2);
    for (int i = 0; i < 3; i++) {
        assert_close(outcomes->velocity[i], v[i], 0.0, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_sequential_impacts_free(all);
    carom_impact_problem_free(problem);
}

/** M = 1, random Jacobians, every contact colliding. */
static carom_impact_problem *random_problem(gsl_rng *generator, int m, int t, double most) {
    enum { N = 5 };
    double M[N * N] = {0.0};
    double J_n[MOST_CONTACTS * N];
    double J_t[2 * MOST_CONTACTS * N];
    double mu[MOST_CONTACTS];
    double v[N];
    for (int i = 0; i < N; i++) {
        M[i * N + i] = uniform(generator, 0.5, 2.0);
        v[i] = uniform(generator, -1.0, 1.0);
    }
    for (int i = 0; i < m; i++) {
        mu[i] = uniform(generator, 0.0, most);
        double speed = 0.0;
        for (int j = 0; j < N; j++) {
            J_n[i * N + j] = uniform(generator, -1.0, 1.0);
            speed += J_n[i * N + j] * v[j];
        }
        for (int j = 0; j < N; j++) {
            J_n[i * N + j] *= speed > 0.0 ? -1.0 : 1.0;
        }
    }
    for (int i = 0; i < m * t * N; i++) {
        J_t[i] = uniform(generator, -1.0, 1.0);
    }
    carom_impact_problem *problem;
    assert_ok(carom_impact_problem_alloc(N, m, t, M, J_n, J_t, mu, v, &problem, NULL));
    return problem;
}

static void assert_order(const carom_sequential_impact *s, const int *expected) {
    for (int i = 0; i < s->contact_count; i++) {
        ck_assert_int_eq(s->order[i], expected[i]);
    }
}

TEST(unit, orders_are_cyclic_or_all_permutations) {
    gsl_rng *generator = seeded_generator(SEED);
    carom_impact_problem *problem = random_problem(generator, 3, 1, 0.5);
    const carom_sequential_params params = carom_sequential_params_default();
    carom_sequential_impacts *all;
    assert_ok(carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_CYCLIC, &params, &all, NULL));
    const int cyclic[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
    ck_assert_int_eq(all->count, 3);
    for (int k = 0; k < 3; k++) {
        assert_order(all->sequences[k], cyclic[k]);
        ck_assert_int_eq(all->sequences[k]->contact[0], k);
    }
    carom_sequential_impacts_free(all);
    assert_ok(
        carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_PERMUTATIONS, &params, &all, NULL));
    const int permutations[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    ck_assert_int_eq(all->count, 6);
    for (int k = 0; k < 6; k++) {
        assert_order(all->sequences[k], permutations[k]);
        carom_sequential_impact *s = run(problem, permutations[k]);
        ck_assert_int_eq(s->stage_count, all->sequences[k]->stage_count);
        for (int i = 0; i < s->stage_count * s->coordinate_count; i++) {
            assert_close(all->sequences[k]->velocity[i], s->velocity[i], 0.0, 0.0);
        }
        carom_sequential_impact_free(s);
    }
    carom_sequential_impacts_free(all);
    carom_impact_problem_free(problem);
    problem = random_problem(generator, 1, 1, 0.5);
    for (int kind = 0; kind < 2; kind++) {
        const carom_sequential_orders orders =
            kind == 0 ? CAROM_SEQUENTIAL_CYCLIC : CAROM_SEQUENTIAL_PERMUTATIONS;
        assert_ok(carom_sequential_impacts_run(problem, orders, &params, &all, NULL));
        ck_assert_int_eq(all->count, 1);
        carom_sequential_impacts_free(all);
    }
    carom_impact_problem_free(problem);
    gsl_rng_free(generator);
}

TEST(unit, the_orders_of_the_block_have_two_outcomes_those_of_the_box_one) {
    for (int kind = 0; kind < 2; kind++) {
        carom_impact_problem *problem = kind == 0 ? block_problem() : box_problem();
        const carom_sequential_params params = carom_sequential_params_default();
        carom_sequential_impacts *all;
        carom_impact_outcomes *outcomes;
        assert_ok(carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_PERMUTATIONS, &params,
                                               &all, NULL));
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        assert_ok(carom_sequential_impacts_add_outcomes(all, problem, outcomes));
        ck_assert_int_eq(outcomes->count, 2 - kind);
        ck_assert_int_eq(outcomes->multiplicity[0], 1 + kind);
        carom_impact_outcomes_free(outcomes);
        carom_sequential_impacts_free(all);
        carom_impact_problem_free(problem);
    }
}

/** The solutions of (31) for v_n < 0 by modes: sticking, sliding either way. */
static int enumerate(const carom_routh_contact *k, double v_n, double v_t, double *L) {
    int count = 0;
    const double determinant = k->c_nn * k->c_tt - k->c_nt * k->c_nt;
    const double stick[2] = {(-k->c_tt * v_n + k->c_nt * v_t) / determinant,
                             (k->c_nt * v_n - k->c_nn * v_t) / determinant};
    if (stick[0] > 0.0 && fabs(stick[1]) <= k->mu * stick[0]) {
        L[0] = stick[0];
        L[1] = stick[1];
        count++;
    }
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? 1.0 : -1.0;
        const double s = -v_n / (k->c_nn - sign * k->mu * k->c_nt);
        const double speed = v_t + (k->c_nt - sign * k->mu * k->c_tt) * s;
        if (s > 0.0 && sign * speed > 0.0) {
            L[0] = s;
            L[1] = -sign * k->mu * s;
            count++;
        }
    }
    return count;
}

TEST(property, a_colliding_planar_contact_has_one_solution_and_it_is_found) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 5000; round++) {
        double G[2][3];
        for (int i = 0; i < 6; i++) {
            G[i / 3][i % 3] = uniform(generator, -1.0, 1.0);
        }
        carom_routh_contact k = {.mu = uniform(generator, 0.0, 4.0)};
        for (int i = 0; i < 3; i++) {
            k.c_nn += G[0][i] * G[0][i];
            k.c_nt += G[0][i] * G[1][i];
            k.c_tt += G[1][i] * G[1][i];
        }
        const double v_n = -uniform(generator, 1e-3, 1.0);
        const double v_t = uniform(generator, -1.0, 1.0);
        double expected[2] = {(double)NAN, (double)NAN};
        double L[2];
        ck_assert_msg(enumerate(&k, v_n, v_t, expected) == 1, "round %d", round);
        resolve(&k, v_n, v_t, L);
        // Determinants down to 1e-4 of their terms, squared in the worst case.
        assert_close(L[0], expected[0], 1e-10, 0.0);
        assert_close(L[1], expected[1], 1e-10, 1e-12);
    }
    gsl_rng_free(generator);
}

TEST(unit, one_motion_is_stopped_without_a_tangential_impulse) {
    // v = (0.3, -0.7) y: stopping v_n stops v_t. A contact without tangent.
    const carom_routh_contact k = {.c_nn = 0.09, .c_nt = -0.21, .c_tt = 0.49, .mu = 0.8};
    double L[2];
    resolve(&k, -0.57, 1.33, L);
    assert_close(L[0], 0.57 / 0.09, 8.0 * DBL_EPSILON, 0.0);
    assert_close(L[1], 0.0, 0.0, 0.0);
    const carom_routh_contact smooth = {.c_nn = 0.09, .c_nt = 0.0, .c_tt = 0.0, .mu = 0.8};
    resolve(&smooth, -0.57, 0.0, L);
    assert_close(L[0], 0.57 / 0.09, 8.0 * DBL_EPSILON, 0.0);
    assert_close(L[1], 0.0, 0.0, 0.0);
}

/** What (31) of the contact of a stage says about that stage. */
static void check_stage(const carom_impact_problem *problem, const carom_sequential_impact *s,
                        int stage, double energy_before) {
    const int r = s->row_count;
    const int m = s->contact_count;
    const int t = problem->tangent_count;
    const int i = s->contact[stage];
    double L[3] = {0.0, 0.0, 0.0};
    for (int a = 0; a < r; a++) {
        const double added =
            s->impulse[stage * r + a] - (stage == 0 ? 0.0 : s->impulse[(stage - 1) * r + a]);
        if (a == i) {
            L[0] = added;
        } else if (a >= m && (a - m) / t == i) {
            L[1 + (a - m) % t] = added;
        } else {
            assert_close(added, 0.0, 0.0, 0.0);
        }
    }
    // Impulses of order 10 at most, each with the rounding of their sum.
    const double rounding = 1e-12;
    const double speed = s->contact_velocity[stage * r + i];
    ck_assert_msg(L[0] >= -rounding && speed >= -carom_impact_colliding_speed(problem, i),
                  "stage %d", stage);
    ck_assert_msg(fmin(L[0], speed) <= rounding, "stage %d", stage);
    ck_assert_msg(hypot(L[1], L[2]) <= problem->friction[i] * L[0] + rounding, "stage %d", stage);
    ck_assert_msg(s->kinetic_energy[stage] <= energy_before + rounding, "stage %d: %g above", stage,
                  s->kinetic_energy[stage] - energy_before);
    for (int k = 0; k < s->coordinate_count; k++) {
        const int n = s->coordinate_count;
        double gained =
            problem->mass[k * n + k] * (s->velocity[stage * n + k] - problem->velocity[k]);
        for (int a = 0; a < r; a++) {
            gained -= problem->contact_jacobian[a * n + k] * s->impulse[stage * r + a];
        }
        assert_close(gained, 0.0, 0.0, rounding);
    }
}

TEST(property, every_stage_satisfies_its_contact_and_dissipates) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    int stages = 0;
    for (int round = 0; round < 400; round++) {
        const int t = 1 + round % 2;
        const int m = t == 1 ? 1 + round / 2 % MOST_CONTACTS : 1 + round / 2 % 2;
        carom_impact_problem *problem = random_problem(generator, m, t, 1.5);
        carom_sequential_impact *s = run(problem, NULL);
        for (int k = 0; k < s->stage_count; k++) {
            ck_assert_int_eq(s->contact[k], k % m);
            check_stage(problem, s, k, k == 0 ? problem->kinetic_energy : s->kinetic_energy[k - 1]);
        }
        assert_close(s->residual, 0.0, 0.0, CAROM_IMPACT_COLLIDING_PART);
        stages += s->stage_count;
        carom_sequential_impact_free(s);
        carom_impact_problem_free(problem);
    }
    ck_assert_int_gt(stages, 800);
    gsl_rng_free(generator);
}

TEST(property, speeds_scale_a_sequence) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 60; round++) {
        carom_impact_problem *problem = random_problem(generator, 2, 1, 1.0);
        carom_sequential_params params = carom_sequential_params_default();
        carom_sequential_impact *s;
        carom_sequential_impact *scaled;
        assert_ok(carom_sequential_impact_run(problem, NULL, &params, &s, NULL));
        double v[5];
        for (int i = 0; i < 5; i++) {
            v[i] = 4.0 * problem->velocity[i];
        }
        assert_ok(carom_impact_problem_set_velocity(problem, v));
        assert_ok(carom_sequential_impact_run(problem, NULL, &params, &scaled, NULL));
        ck_assert_int_eq(scaled->stage_count, s->stage_count);
        for (int a = 0; a < s->stage_count * s->row_count; a++) {
            // A power of two changes no digit.
            assert_close(scaled->contact_velocity[a], 4.0 * s->contact_velocity[a], 0.0, 0.0);
        }
        carom_sequential_impact_free(s);
        carom_sequential_impact_free(scaled);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(unit, planar_contacts_in_space_are_resolved_alike) {
    // The block, with a third translation across.
    carom_impact_problem *block = block_problem();
    const double M[16] = {1.0, 0.0, 0.0,        0.0, 0.0, 1.0, 0.0, 0.0,
                          0.0, 0.0, 5.0 / 12.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double J_n[8] = {0.0, 1.0, -0.5, 0.0, 0.0, 1.0, 0.5, 0.0};
    const double J_t[16] = {1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
                            1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0};
    const double friction[] = {1.0, 0.35, 0.2};
    for (int k = 0; k < 3; k++) {
        const double mu[2] = {friction[k], friction[k]};
        const double v[4] = {0.13, block->velocity[1], 0.0, 0.0};
        const double planar_M[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 5.0 / 12.0};
        carom_impact_problem *space;
        carom_impact_problem *plane;
        assert_ok(carom_impact_problem_alloc(4, 2, 2, M, J_n, J_t, mu, v, &space, NULL));
        assert_ok(carom_impact_problem_alloc(3, 2, 1, planar_M, block->contact_jacobian,
                                             block->contact_jacobian + 6, mu, v, &plane, NULL));
        carom_sequential_params params = carom_sequential_params_default();
        carom_sequential_impact *s;
        assert_ok(carom_sequential_impact_run(space, NULL, &params, &s, NULL));
        carom_sequential_impact *expected = run(plane, NULL);
        ck_assert_int_eq(s->stage_count, expected->stage_count);
        for (int stage = 0; stage < s->stage_count; stage++) {
            for (int i = 0; i < 3; i++) {
                // Speeds of order 1, ten pivots.
                assert_close(s->velocity[4 * stage + i], expected->velocity[3 * stage + i], 0.0,
                             200.0 * DBL_EPSILON);
            }
            assert_close(s->velocity[4 * stage + 3], 0.0, 0.0, 200.0 * DBL_EPSILON);
        }
        carom_sequential_impact_free(s);
        carom_sequential_impact_free(expected);
        carom_impact_problem_free(space);
        carom_impact_problem_free(plane);
    }
    carom_impact_problem_free(block);
}

TEST(unit, a_ball_in_space_slides_or_stops) {
    // A point mass: L_t = -mu L_n v_t/|v_t|.
    const double M[9] = {1.6, 0.0, 0.0, 0.0, 1.6, 0.0, 0.0, 0.0, 1.6};
    const double J_n[3] = {0.0, 0.0, 1.0};
    const double J_t[6] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    const double direction = 37.0 * DEGREE;
    const double v[3] = {2.3 * cos(direction), 2.3 * sin(direction), -1.7};
    for (int k = 0; k < 2; k++) {
        const double mu = k == 0 ? 0.6 : 2.0;
        carom_impact_problem *problem;
        assert_ok(carom_impact_problem_alloc(3, 1, 2, M, J_n, J_t, &mu, v, &problem, NULL));
        carom_sequential_impact *s = run(problem, NULL);
        const double left = k == 0 ? 2.3 - 0.6 * 1.7 : 0.0;
        // A few pivots on numbers of order 1.
        assert_close(s->velocity[0], left * cos(direction), 0.0, 100.0 * DBL_EPSILON);
        assert_close(s->velocity[1], left * sin(direction), 0.0, 100.0 * DBL_EPSILON);
        assert_close(s->velocity[2], 0.0, 0.0, 100.0 * DBL_EPSILON);
        carom_sequential_impact_free(s);
        carom_impact_problem_free(problem);
    }
}

TEST(errors, orders_and_parameters_out_of_range_are_refused) {
    carom_impact_problem *problem = block_problem();
    const carom_sequential_params good = carom_sequential_params_default();
    carom_sequential_impact *s;
    const int orders[3][2] = {{0, 0}, {1, 2}, {-1, 0}};
    for (int k = 0; k < 3; k++) {
        carom_report report = carom_report_empty();
        assert_status(carom_sequential_impact_run(problem, orders[k], &good, &s, &report),
                      OUT_OF_RANGE);
        ck_assert_ptr_null(s);
        ck_assert_str_eq(report.quantity, "order of the contacts");
    }
    carom_sequential_params bad[4] = {good, good, good, good};
    bad[0].most_rounds = 0;
    bad[1].tolerance = -1e-9;
    bad[2].tolerance = (double)NAN;
    bad[3].most_rounds = 2000000000;
    for (int k = 0; k < 4; k++) {
        carom_report report = carom_report_empty();
        assert_status(carom_sequential_impact_run(problem, NULL, &bad[k], &s, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, k == 1 || k == 2 ? "tolerance" : "rounds");
        carom_sequential_impacts *all;
        assert_status(
            carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_CYCLIC, &bad[k], &all, NULL),
            OUT_OF_RANGE);
        ck_assert_ptr_null(all);
    }
    carom_impact_problem_free(problem);
    carom_sequential_impact_free(NULL);
    carom_sequential_impacts_free(NULL);
}

TEST(errors, too_many_permutations_are_refused) {
    const carom_sequential_params params = carom_sequential_params_default();
    carom_impact_problem *problem;
    enum { MANY = CAROM_SEQUENTIAL_MOST_CONTACTS + 1 };
    const double M[1] = {1.0};
    double J_n[MANY];
    double J_t[MANY];
    double mu[MANY];
    for (int i = 0; i < MANY; i++) {
        J_n[i] = 1.0;
        J_t[i] = 0.0;
        mu[i] = 0.0;
    }
    const double v[1] = {-1.0};
    assert_ok(carom_impact_problem_alloc(1, MANY, 1, M, J_n, J_t, mu, v, &problem, NULL));
    carom_sequential_impacts *all;
    assert_status(
        carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_PERMUTATIONS, &params, &all, NULL),
        OUT_OF_RANGE);
    ck_assert_ptr_null(all);
    assert_ok(carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_CYCLIC, &params, &all, NULL));
    ck_assert_int_eq(all->count, MANY);
    carom_sequential_impacts_free(all);
    carom_impact_problem_free(problem);
}

TEST(errors, without_memory_nothing_is_returned_and_nothing_is_lost) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int t = 1; t <= 2; t++) {
        carom_impact_problem *problem = random_problem(generator, 2, t, 0.5);
        const carom_sequential_params params = carom_sequential_params_default();
        carom_sequential_impacts *all = NULL;
        carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
        int failures = 0;
        for (; status != CAROM_OK; failures++) {
            successes_left = failures;
            status =
                carom_sequential_impacts_run(problem, CAROM_SEQUENTIAL_CYCLIC, &params, &all, NULL);
            successes_left = -1;
            if (status != CAROM_OK) {
                ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
                ck_assert_ptr_null(all);
            }
        }
        ck_assert_int_gt(failures, 20);
        carom_impact_outcomes *outcomes;
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        successes_left = 0;
        status = carom_sequential_impacts_add_outcomes(all, problem, outcomes);
        successes_left = -1;
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        carom_impact_outcomes_free(outcomes);
        carom_sequential_impacts_free(all);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}
