/* The simultaneous model: Lemke's outcome among all outcomes, in space the conditions of polyhedral
 * cones, refusals and jamming. */
#include "published_systems.h"
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/impact/contact_modes.h>

enum { PROBLEMS = 4000 };

/* Whatever the covering vector; jamming is excluded (a RAY would be a defect: section 2.4). */
LOOP_TEST(property, lemke_finds_one_of_all_outcomes, RANDOM_KINDS) {
    const unsigned long seed = 711 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < PROBLEMS / RANDOM_KINDS; k++) {
        plain_impact plain;
        plain_outcomes expected;
        const int m = k % 16 == 15 ? 3 : 1 + k % 2;
        random_plain(generator, (random_kind)_i, m, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        double covering[12];
        for (int i = 0; i < 4 * m; i++) {
            covering[i] = exp(uniform(generator, -2.0, 2.0));
        }
        const carom_status status =
            carom_anitescu_potra_lemke(problem, 0, k % 3 == 0 ? NULL : covering, outcomes, NULL);
        ck_assert_msg(status == CAROM_OK, "seed %lu problem %d: %s", seed, k,
                      carom_status_name(status));
        ck_assert_int_eq(outcomes->count, 1);
        const double *L = outcomes->impulse;
        double c[MOST_ROWS];
        after_impulse(&plain, plain.c, L, c);
        const double size = fmax(largest_of(2 * m, plain.c), largest_of(2 * m, L));
        ck_assert_msg(violation_of(&plain, NULL, L, c) <= 1e-9 * size,
                      "seed %lu problem %d: violation %g", seed, k,
                      violation_of(&plain, NULL, L, c));
        ck_assert(outcomes->kinetic_energy[0] <= problem->kinetic_energy + 1e-9 * size);
        all_solutions(&plain, plain.c, NULL, &expected);
        ck_assert_msg(
            !expected.is_complete ||
                find_plain(&expected, 2 * m, c, SAME_VELOCITY * largest_of(2 * m, plain.c)) >= 0,
            "seed %lu problem %d", seed, k);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* All outcomes by modes satisfy (31); by Theorem 7 without caps none wins energy. */
LOOP_TEST(property, all_outcomes_satisfy_the_conditions, RANDOM_KINDS) {
    const unsigned long seed = 721 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < 400; k++) {
        plain_impact plain;
        const int m = 1 + k % 3;
        random_plain(generator, (random_kind)_i, m, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
        ck_assert_int_ge(outcomes->count, 1);
        for (int l = 0; l < outcomes->count; l++) {
            double c[MOST_ROWS];
            const double *L = &outcomes->impulse[2 * m * l];
            after_impulse(&plain, plain.c, L, c);
            const double size = fmax(largest_of(2 * m, plain.c), largest_of(2 * m, L));
            ck_assert(violation_of(&plain, NULL, L, c) <= 1e-9 * size);
            ck_assert(outcomes->residual[l] <= 1e-9 * size);
            ck_assert(outcomes->kinetic_energy[l] <= problem->kinetic_energy + 1e-9 * size);
        }
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* (31) in space with k facets: L_t = D L_D lies in mu L_n times their polygon, and works against
 * sliding as hard as any point of it: L_t . c_t = -mu L_n max_j d_j . c_t. */
TEST(property, spatial_outcomes_satisfy_maximal_dissipation) {
    const unsigned long seed = 731;
    gsl_rng *generator = seeded_generator(seed);
    const int facet_counts[3] = {4, 8, 16};
    for (int trial = 0; trial < 300; trial++) {
        plain_impact plain = {.n = 6, .m = 1 + trial % 3};
        const int m = plain.m;
        const int r = 3 * m;
        const int k = facet_counts[trial % 3];
        double d[32];
        double J[9 * 6] = {0};
        double v[6];
        assert_ok(carom_friction_facets(k, d));
        random_mass(generator, false, &plain);
        for (int i = 0; i < r * 6; i++) {
            J[i] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < 6; i++) {
            v[i] = uniform(generator, -1.0, 1.0);
            J[(r - 1) * 6 + i] = trial % 5 == 0 ? J[m * 6 + i] : J[(r - 1) * 6 + i];
        }
        for (int i = 0; i < m; i++) {
            plain.mu[i] = uniform(generator, 0.0, 2.0);
        }
        carom_impact_problem *problem = NULL;
        assert_ok(carom_impact_problem_alloc(6, m, 2, plain.M, J, &J[m * 6], plain.mu, v, &problem,
                                             NULL));
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(carom_anitescu_potra_lemke(problem, k, NULL, outcomes, NULL));
        ck_assert_int_eq(outcomes->count, 1);
        const double *L = outcomes->impulse;
        const double *c = outcomes->contact_velocity;
        const double tolerance = 1e-9 * fmax(1.0, largest_of(r, L));
        for (int i = 0; i < m && carom_impact_is_colliding(problem, problem->contact_velocity);
             i++) {
            double steepest = 0.0;
            double support = 0.0;
            for (int j = 0; j < k; j++) {
                const double along = d[2 * j] * c[m + 2 * i] + d[2 * j + 1] * c[m + 2 * i + 1];
                /* The polygon lies within cos(pi/k) of the normals between its corners. */
                const double angle = (2.0 * j + 1.0) * 3.14159265358979323846 / k;
                const double out = (cos(angle) * L[m + 2 * i] + sin(angle) * L[m + 2 * i + 1]) /
                                   cos(3.14159265358979323846 / k);
                steepest = fmax(steepest, along);
                support = fmax(support, out);
            }
            const double work = L[m + 2 * i] * c[m + 2 * i] + L[m + 2 * i + 1] * c[m + 2 * i + 1];
            ck_assert(L[i] >= -tolerance && c[i] >= -tolerance && fabs(L[i] * c[i]) <= tolerance);
            ck_assert(support <= plain.mu[i] * L[i] + tolerance);
            ck_assert(fabs(work + plain.mu[i] * L[i] * steepest) <= 10.0 * tolerance);
        }
        ck_assert(outcomes->kinetic_energy[0] <= problem->kinetic_energy + tolerance);
        ck_assert(outcomes->residual[0] <= tolerance);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* A point pushed between two walls x = 0 and x = 1 with different speeds is one that both can stop:
 * for a single coordinate with opposite normals v- = 1 the wall ahead takes it. */
TEST(unit, opposite_walls_stop_what_runs_into_one) {
    const plain_impact plain = {
        .n = 1, .m = 2, .M = {2.3}, .J = {1, -1, 0, 0}, .mu = {0.5, 0.5}, .v = {0.7}};
    carom_impact_problem *problem = problem_of_plain(&plain);
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_ok(carom_anitescu_potra_lemke(problem, 0, NULL, outcomes, NULL));
    assert_close(outcomes->velocity[0], 0.0, 0.0, 1e-15);
    assert_close(outcomes->impulse[1] - outcomes->impulse[0], 2.3 * 0.7, 1e-14, 0.0);
    carom_impact_outcomes_clear(outcomes);
    assert_ok(carom_anitescu_potra_all(problem, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    assert_close(outcomes->velocity[0], 0.0, 0.0, 1e-15);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(unit, separating_velocity_stays_without_an_impulse) {
    plain_impact plain;
    plain_system(COMPASS, &plain);
    plain.v[1] += 1.0;
    carom_impact_problem *problem = problem_of_plain(&plain);
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_ok(carom_anitescu_potra_lemke(problem, 0, NULL, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    for (int i = 0; i < 4; i++) {
        assert_close(outcomes->impulse[i], 0.0, 0.0, 0.0);
        assert_close(outcomes->velocity[i], plain.v[i], 0.0, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, what_cannot_be_enumerated_or_has_odd_facets_is_refused) {
    const double M[1] = {1.0};
    const double ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double v[1] = {-1.0};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(1, 8, 1, M, ones, ones, ones, v, &problem, NULL));
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_status(carom_anitescu_potra_all(problem, outcomes, NULL), OUT_OF_RANGE);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    assert_ok(carom_impact_problem_alloc(1, 2, 2, M, ones, ones, ones, v, &problem, NULL));
    outcomes = outcomes_for(problem);
    assert_status(carom_anitescu_potra_all(problem, outcomes, NULL), OUT_OF_RANGE);
    const int bad[3] = {2, 7, -4};
    for (int k = 0; k < 3; k++) {
        assert_status(carom_anitescu_potra_lemke(problem, bad[k], NULL, outcomes, NULL),
                      OUT_OF_RANGE);
    }
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    carom_impact_problem *problem = problem_of_system(COMPASS);
    for (int all = 0; all < 2; all++) {
        for (int k = 0;; k++) {
            carom_impact_outcomes *outcomes = outcomes_for(problem);
            successes_left = k;
            const carom_status status =
                all == 1 ? carom_anitescu_potra_all(problem, outcomes, NULL)
                         : carom_anitescu_potra_lemke(problem, 0, NULL, outcomes, NULL);
            successes_left = -1;
            carom_impact_outcomes_free(outcomes);
            if (status == CAROM_OK) {
                ck_assert_int_gt(k, 2);
                break;
            }
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        }
    }
    carom_impact_problem_free(problem);
}
