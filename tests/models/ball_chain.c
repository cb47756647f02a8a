/* carom/models/ball_chain.h against Newton's cradle of seghete-2014 (example 1, section V) and the
 * mechanics of balls on a line. */
#include <carom/mechanism/mechanism.h>
#include <carom/models/ball_chain.h>

#include "../failing_malloc.h"
#include "reflection.h"

#include <string.h>

enum { LARGEST = REFLECTION_LARGEST, CASES = 300 };

/* Rounding of a handful of operations on numbers of order one to ten. */
static const double ROUNDING = 1e-13;

/* Contacts are closed if their gap is rounding. */
static const double CLOSED = 1e-12;

static carom_model *model_of(const carom_ball_chain_params *params) {
    carom_model *model = NULL;
    assert_ok(carom_ball_chain_alloc(params, &model, NULL));
    return model;
}

/* The impact of all balls of a chain, which touch. */
static carom_impact_problem *problem_of_chain(const carom_ball_chain_params *params) {
    carom_model *model = model_of(params);
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_of_mechanism(&model->mechanism, model->initial_position,
                                                model->initial_velocity, CLOSED, NULL, &problem,
                                                NULL));
    carom_model_free(model);
    ck_assert_int_eq(problem->contact_count, params->balls - 1);
    ck_assert_int_eq(problem->tangent_count, 1);
    return problem;
}

/* Three touching balls of 0.31 m with these masses and velocities. */
static carom_impact_problem *cradle(const double *masses, const double *velocities) {
    const double radii[3] = {0.31, 0.31, 0.31};
    const carom_ball_chain_params params = {
        .balls = 3, .masses = masses, .radii = radii, .velocities = velocities};
    return problem_of_chain(&params);
}

TEST(unit, the_default_chain_is_the_cradle_of_the_example) {
    const carom_ball_chain_params params = carom_ball_chain_params_default();
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    ck_assert_int_eq(mechanism->coordinate_count, 3);
    ck_assert_int_eq(mechanism->joint_count, 0);
    ck_assert_int_eq(mechanism->contact_count, 2);
    ck_assert(mechanism->friction == NULL);
    double M[3];
    double g[2] = {(double)NAN, (double)NAN};
    double G[6];
    mechanism->mass(model->initial_position, M, mechanism->context);
    mechanism->constraints(model->initial_position, g, mechanism->context);
    mechanism->constraint_jacobian(model->initial_position, G, mechanism->context);
    const double position[3] = {0.0, 2.0, 4.0};
    const double velocity[3] = {1.0, 0.0, 0.0};
    const double normals[6] = {-1.0, 1.0, 0.0, 0.0, -1.0, 1.0};
    for (int i = 0; i < 3; i++) {
        assert_close(model->initial_position[i], position[i], 0.0, 0.0);
        assert_close(model->initial_velocity[i], velocity[i], 0.0, 0.0);
        assert_close(M[i], 1.0, 0.0, 0.0);
    }
    for (int i = 0; i < 6; i++) {
        assert_close(G[i], normals[i], 0.0, 0.0);
    }
    for (int i = 0; i < 2; i++) {
        assert_close(g[i], 0.0, 0.0, 0.0);
        assert_close(mechanism->restitution[i], 1.0, 0.0, 0.0);
    }
    carom_model_free(model);
}

TEST(unit, an_uneven_chain_starts_with_the_gaps_asked_for) {
    const double masses[4] = {2.385, 0.71, 1.93, 0.44};
    const double radii[4] = {0.31, 0.17, 0.52, 0.23};
    const double velocities[4] = {1.7, -0.6, 0.3, -2.2};
    const double gaps[3] = {0.041, 0.0, 0.73};
    const carom_ball_chain_params params = {4, masses, radii, velocities, gaps, 0.63};
    carom_model *model = model_of(&params);
    const carom_mechanism *mechanism = &model->mechanism;
    ck_assert(mechanism->is_linear && mechanism->layout.is_banded);
    ck_assert_int_eq(mechanism->layout.half_bandwidth, 0);
    ck_assert_int_eq(mechanism->tangent_count, 1);
    /* 0; 0.31 + 0.17 + 0.041; + 0.17 + 0.52; + 0.52 + 0.23 + 0.73. */
    const double position[4] = {0.0, 0.521, 1.211, 2.691};
    double M[4];
    double f[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    double g[3];
    double H[12];
    for (int i = 0; i < 12; i++) {
        H[i] = (double)NAN;
    }
    mechanism->mass(model->initial_position, M, mechanism->context);
    mechanism->force(0.3, model->initial_position, model->initial_velocity, f, mechanism->context);
    mechanism->constraints(model->initial_position, g, mechanism->context);
    mechanism->tangential_jacobian(model->initial_position, H, mechanism->context);
    for (int i = 0; i < 4; i++) {
        assert_close(model->initial_position[i], position[i], 0.0, ROUNDING);
        assert_close(model->initial_velocity[i], velocities[i], 0.0, 0.0);
        assert_close(M[i], masses[i], 0.0, 0.0);
        assert_close(f[i], 0.0, 0.0, 0.0);
    }
    for (int i = 0; i < 3; i++) {
        assert_close(g[i], gaps[i], 0.0, ROUNDING);
        assert_close(mechanism->restitution[i], 0.63, 0.0, 0.0);
    }
    for (int i = 0; i < 12; i++) {
        assert_close(H[i], 0.0, 0.0, 0.0);
    }
    assert_close(mechanism->potential_energy(position, mechanism->context), 0.0, 0.0, 0.0);
    carom_model_free(model);
}

/* A ball that has gone through its neighbour is no free ball. */
TEST(unit, a_passed_neighbour_is_a_deep_penetration) {
    const carom_ball_chain_params params = carom_ball_chain_params_default();
    carom_model *model = model_of(&params);
    const double passed[3] = {7.0, 2.0, 4.0};
    double g[2];
    model->mechanism.constraints(passed, g, model->mechanism.context);
    assert_close(g[0], -7.0, 0.0, 0.0);
    assert_close(g[1], 0.0, 0.0, 0.0);
    carom_model_free(model);
}

/* (15): (3, 1, -2) comes out reversed, with the reset maps swapping neighbours. */
TEST(unit, three_reflections_of_the_cradle_in_either_order_reverse_the_velocities) {
    const double masses[3] = {2.385, 2.385, 2.385};
    const double velocities[3] = {3.0, 1.0, -2.0};
    carom_impact_problem *problem = cradle(masses, velocities);
    double swapped[3] = {3.0, 1.0, -2.0};
    reflect(problem, 0, swapped);
    assert_close(swapped[0], 1.0, ROUNDING, 0.0);
    assert_close(swapped[1], 3.0, ROUNDING, 0.0);
    assert_close(swapped[2], -2.0, 0.0, 0.0);
    const double expected[3] = {-2.0, 1.0, 3.0};
    for (int first = 0; first < 2; first++) {
        double v[3];
        memcpy(v, problem->velocity, sizeof v);
        ck_assert_int_eq(reflect_in_turn(problem, first, v), 3);
        for (int i = 0; i < 3; i++) {
            assert_close(v[i], expected[i], ROUNDING, 0.0);
        }
    }
    carom_impact_problem_free(problem);
}

TEST(unit, a_ball_that_hits_a_resting_pair_sends_off_the_last_one) {
    const carom_ball_chain_params params = carom_ball_chain_params_default();
    carom_impact_problem *problem = problem_of_chain(&params);
    double v[3];
    memcpy(v, problem->velocity, sizeof v);
    ck_assert_int_eq(reflect_in_turn(problem, 0, v), 2);
    assert_close(v[0], 0.0, 0.0, ROUNDING);
    assert_close(v[1], 0.0, 0.0, ROUNDING);
    assert_close(v[2], 1.0, 0.0, ROUNDING);
    carom_impact_problem_free(problem);
}

TEST(unit, equal_balls_have_the_cosine_of_theorem_three) {
    assert_close(carom_ball_chain_cosine(1.0, 1.0, 1.0), -0.5, 1e-15, 0.0);
    assert_close(carom_ball_chain_cosine(2.385, 2.385, 2.385), -0.5, 1e-15, 0.0);
    /* 4 m_A m_C = (m_A + m_B)(m_B + m_C) by other masses: 4 2 0.6 = 3 1.6. */
    assert_close(carom_ball_chain_cosine(2.0, 1.0, 0.6), -0.5, 1e-15, 0.0);
}

TEST(property, the_ratio_of_a_unique_outcome_gives_its_cosine_or_there_is_none) {
    assert_close(carom_ball_chain_unique_ratio(1.0, 3), 1.0, 1e-15, 0.0);
    assert_close(carom_ball_chain_unique_ratio(2.0, 3), 0.6, 1e-15, 0.0);
    gsl_rng *generator = seeded_generator(20261128UL);
    for (int round = 0; round < 300; round++) {
        const int k = 3 + round % 9;
        const double a = pow(10.0, uniform(generator, -2.0, 2.0));
        const double z = carom_ball_chain_unique_ratio(a, k);
        const double wanted = -cos(acos(-1.0) / k);
        // The right ball, however heavy, makes no more of it than a wall.
        ck_assert_int_eq(isnan(z), !(-sqrt(a / (1.0 + a)) < wanted));
        if (!isnan(z)) {
            // Near the limit the ratio is large and badly conditioned, the cosine is not.
            assert_close(carom_ball_chain_cosine(a, 1.0, z), wanted, 1e-13, 0.0);
        }
    }
    gsl_rng_free(generator);
}

/* A light ball between two walls, and an immovable ball between two. */
TEST(unit, the_cosine_of_extreme_masses_is_that_of_walls) {
    assert_close(carom_ball_chain_cosine(1e20, 1.0, 1e20), -1.0, 1e-15, 0.0);
    assert_close(carom_ball_chain_cosine(1.0, 1e20, 1.0), 0.0, 0.0, 1.1e-20);
    assert_close(carom_ball_chain_cosine(1e200, 1e200, 1e200), -0.5, 1e-15, 0.0);
}

/* Theorem 3 holds for every chain with c = -1/2, and not for others: the difference of the two
 * orders is 2 (1 - 4 c^2)(<p,u> u - <p,v> v). */
TEST(unit, unequal_balls_with_the_cosine_of_theorem_three_have_one_outcome) {
    const double masses[2][3] = {{2.0, 1.0, 0.6}, {2.0, 1.0, 0.8}};
    const double velocities[3] = {1.3, 0.4, -0.9};
    double distance[2];
    for (int k = 0; k < 2; k++) {
        carom_impact_problem *problem = cradle(masses[k], velocities);
        double v[2][3];
        for (int first = 0; first < 2; first++) {
            memcpy(v[first], velocities, sizeof velocities);
            reflect(problem, first, v[first]);
            reflect(problem, 1 - first, v[first]);
            reflect(problem, first, v[first]);
        }
        distance[k] = 0.0;
        for (int i = 0; i < 3; i++) {
            distance[k] = fmax(distance[k], fabs(v[0][i] - v[1][i]));
        }
        carom_impact_problem_free(problem);
    }
    ck_assert(distance[0] < ROUNDING);
    ck_assert(distance[1] > 0.01);
}

/* A chain of random length, masses, radii and velocities, all balls touching. */
typedef struct random_chain {
    carom_ball_chain_params params;
    double masses[LARGEST];
    double radii[LARGEST];
    double velocities[LARGEST];
} random_chain;

static void draw(gsl_rng *generator, random_chain *chain) {
    chain->params = (carom_ball_chain_params){
        .balls = 2 + (int)(uniform(generator, 0.0, LARGEST - 1.0)),
        .masses = chain->masses,
        .radii = chain->radii,
        .velocities = chain->velocities,
        .restitution = uniform(generator, 0.0, 1.0),
    };
    for (int i = 0; i < LARGEST; i++) {
        chain->masses[i] = exp(uniform(generator, -3.0, 3.0));
        chain->radii[i] = uniform(generator, 0.05, 0.5);
        chain->velocities[i] = uniform(generator, -2.0, 2.0);
    }
}

TEST(property, the_cosine_is_that_of_the_normals_in_the_kinetic_metric) {
    gsl_rng *generator = seeded_generator(41);
    for (int k = 0; k < CASES; k++) {
        random_chain chain;
        draw(generator, &chain);
        carom_impact_problem *problem = problem_of_chain(&chain.params);
        for (int i = 0; i < problem->contact_count; i++) {
            for (int j = i + 1; j < problem->contact_count; j++) {
                const double *m = &chain.masses[i];
                const double expected =
                    j == i + 1 ? carom_ball_chain_cosine(m[0], m[1], m[2]) : 0.0;
                ck_assert(expected > -1.0 && expected <= 0.0);
                assert_close(cosine_of_contacts(problem, i, j), expected, ROUNDING, 0.0);
            }
        }
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* Two balls exchange what two-body mechanics says, the others nothing. */
TEST(property, one_reflection_is_an_elastic_impact_of_two_balls) {
    gsl_rng *generator = seeded_generator(42);
    for (int k = 0; k < CASES; k++) {
        random_chain chain;
        draw(generator, &chain);
        carom_impact_problem *problem = problem_of_chain(&chain.params);
        const double *before = chain.velocities;
        for (int i = 0; i < problem->contact_count; i++) {
            double v[LARGEST];
            memcpy(v, before, sizeof v);
            assert_close(problem->contact_velocity[i], before[i + 1] - before[i], 0.0, ROUNDING);
            reflect(problem, i, v);
            const double m_l = chain.masses[i];
            const double m_r = chain.masses[i + 1];
            const double common = (m_l * before[i] + m_r * before[i + 1]) / (m_l + m_r);
            double momentum = 0.0;
            for (int j = 0; j < chain.params.balls; j++) {
                const double expected = j == i || j == i + 1 ? 2.0 * common - before[j] : before[j];
                assert_close(v[j], expected, 0.0, ROUNDING);
                momentum += chain.masses[j] * (v[j] - before[j]);
            }
            assert_close(momentum, 0.0, 0.0, 10.0 * ROUNDING);
            assert_close(energy_of(problem, v), problem->kinetic_energy, ROUNDING, 0.0);
            assert_close(gap_rate(problem, i, v), -gap_rate(problem, i, before), 0.0, ROUNDING);
        }
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

TEST(property, chains_of_any_length_pass_the_check) {
    gsl_rng *generator = seeded_generator(43);
    for (int k = 0; k < 40; k++) {
        random_chain chain;
        draw(generator, &chain);
        carom_model *model = model_of(&chain.params);
        const carom_mechanism *mechanism = &model->mechanism;
        assert_ok(carom_mechanism_validate(mechanism, 0.0, model->initial_position,
                                           model->initial_velocity, NULL));
        double q[LARGEST];
        for (int i = 0; i < chain.params.balls; i++) {
            q[i] = model->initial_position[i] + uniform(generator, -1.0, 1.0);
        }
        assert_ok(carom_mechanism_check(mechanism, 0.3, q, model->initial_velocity, 1e-8, 5, NULL));
        double gaps[LARGEST];
        mechanism->constraints(model->initial_position, gaps, mechanism->context);
        for (int i = 0; i < mechanism->contact_count; i++) {
            assert_close(gaps[i], 0.0, 0.0, ROUNDING);
        }
        carom_model_free(model);
    }
    gsl_rng_free(generator);
}

/* Refused with this code, quantity and entry. */
static void assert_refused(const carom_ball_chain_params *params, carom_status code,
                           const char *quantity, int index) {
    carom_report report = carom_report_empty();
    carom_model *model = (carom_model *)&report;
    ck_assert_int_eq(carom_ball_chain_alloc(params, &model, &report), code);
    ck_assert_ptr_null(model);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(report.index, index);
    model = (carom_model *)&report;
    ck_assert_int_eq(carom_ball_chain_alloc(params, &model, NULL), code);
    ck_assert_ptr_null(model);
}

TEST(errors, what_is_no_chain_is_refused) {
    const carom_ball_chain_params good = carom_ball_chain_params_default();
    carom_ball_chain_params bad = good;
    bad.balls = 1;
    assert_refused(&bad, CAROM_STATUS_OUT_OF_RANGE, "balls", -1);
    bad.balls = -3;
    assert_refused(&bad, CAROM_STATUS_OUT_OF_RANGE, "balls", -1);
    bad = good;
    bad.restitution = 1.5;
    assert_refused(&bad, CAROM_STATUS_OUT_OF_RANGE, "restitution", -1);
    bad.restitution = -0.1;
    assert_refused(&bad, CAROM_STATUS_OUT_OF_RANGE, "restitution", -1);
    bad.restitution = (double)NAN;
    assert_refused(&bad, CAROM_STATUS_NOT_FINITE, "restitution", -1);
}

/* One entry of each array spoiled, the last as well as the first. */
TEST(errors, a_bad_ball_is_refused_by_its_number) {
    const double bad_values[3] = {0.0, -2.0, (double)NAN};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            double values[3] = {1.1, 1.2, 1.3};
            values[i] = bad_values[k];
            const carom_status code = k < 2 ? CAROM_STATUS_OUT_OF_RANGE : CAROM_STATUS_NOT_FINITE;
            carom_ball_chain_params bad = carom_ball_chain_params_default();
            bad.masses = values;
            assert_refused(&bad, code, "mass", i);
            bad = carom_ball_chain_params_default();
            bad.radii = values;
            assert_refused(&bad, code, "radius", i);
        }
        double values[3] = {1.1, 1.2, 1.3};
        values[i] = (double)INFINITY;
        carom_ball_chain_params bad = carom_ball_chain_params_default();
        bad.velocities = values;
        assert_refused(&bad, CAROM_STATUS_NOT_FINITE, "velocity", i);
    }
}

TEST(errors, overlapping_balls_are_refused) {
    carom_ball_chain_params bad = carom_ball_chain_params_default();
    const double overlap[2] = {0.0, -1e-9};
    bad.gaps = overlap;
    assert_refused(&bad, CAROM_STATUS_PENETRATION, "gap", 1);
    const double unknown[2] = {(double)NAN, 0.0};
    bad.gaps = unknown;
    assert_refused(&bad, CAROM_STATUS_NOT_FINITE, "gap", 0);
}

TEST(errors, a_chain_too_long_for_its_numbers_is_refused) {
    const double radii[3] = {1e307, 0.7e308, 0.7e308};
    carom_ball_chain_params bad = carom_ball_chain_params_default();
    bad.radii = radii;
    assert_refused(&bad, CAROM_STATUS_NOT_FINITE, "position", 2);
}

TEST(errors, whichever_allocation_fails_no_chain_is_made) {
    const carom_ball_chain_params params = carom_ball_chain_params_default();
    int granted = 0;
    for (carom_status status = CAROM_STATUS_OUT_OF_MEMORY; status != CAROM_OK; granted++) {
        carom_model *model = NULL;
        successes_left = granted;
        status = carom_ball_chain_alloc(&params, &model, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert_int_eq(model != NULL, status == CAROM_OK);
        carom_model_free(model);
    }
    /* The model, its two states and its parameters, then success. */
    ck_assert_int_eq(granted, 5);
}
