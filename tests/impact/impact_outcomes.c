/* The list of outcomes: what is derived from an impulse, what is merged, memory. */
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/impact_problem.h>

static plain_impact example(void) {
    const unsigned long seed = 61;
    gsl_rng *generator = seeded_generator(seed);
    plain_impact plain;
    random_plain(generator, GENERIC, 2, &plain);
    gsl_rng_free(generator);
    return plain;
}

/* v+ = v- + M^-1 J' L by elimination. */
TEST(unit, outcome_of_an_impulse_has_its_velocity_and_energy) {
    const plain_impact plain = example();
    const int n = plain.n;
    carom_impact_problem *problem = problem_of_plain(&plain);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    ck_assert_int_eq(outcomes->count, 0);
    ck_assert(outcomes->coordinate_count == n && outcomes->row_count == 4);
    const double L[4] = {0.31, 0.127, -0.083, 0.219};
    assert_ok(carom_impact_outcomes_add(outcomes, problem, L, 3e-13, 1e-7));
    double A[MOST_COORDINATES * MOST_COORDINATES];
    double v[MOST_COORDINATES];
    memcpy(A, plain.M, sizeof(A));
    for (int i = 0; i < n; i++) {
        v[i] = 0.0;
        for (int a = 0; a < 4; a++) {
            v[i] += plain.J[a * n + i] * L[a];
        }
    }
    eliminate(n, 1, A, v);
    double energy = 0.0;
    for (int i = 0; i < n; i++) {
        v[i] += plain.v[i];
        assert_close(outcomes->velocity[i], v[i], 0.0, 1e-13);
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            energy += 0.5 * v[i] * plain.M[i * n + j] * v[j];
        }
    }
    double c[4];
    after_impulse(&plain, plain.c, L, c);
    for (int a = 0; a < 4; a++) {
        assert_close(outcomes->contact_velocity[a], c[a], 0.0, 1e-13);
        assert_close(outcomes->impulse[a], L[a], 0.0, 0.0);
    }
    assert_close(outcomes->kinetic_energy[0], energy, 1e-13, 0.0);
    assert_close(outcomes->residual[0], 3e-13, 0.0, 0.0);
    ck_assert_int_eq(outcomes->multiplicity[0], 1);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

/* C is regular: impulses dC^-1 away change one speed by d. */
TEST(unit, outcomes_within_the_tolerance_in_every_row_are_one) {
    const plain_impact plain = example();
    carom_impact_problem *problem = problem_of_plain(&plain);
    const double base[4] = {0.31, 0.127, -0.083, 0.219};
    for (int row = 0; row < 4; row++) {
        carom_impact_outcomes *outcomes = NULL;
        assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
        assert_ok(carom_impact_outcomes_add(outcomes, problem, base, 5e-12, 1e-3));
        const double scale = problem->speed_scale[row];
        const double distances[4] = {0.9e-3 * scale, -0.9e-3 * scale, 1.1e-3 * scale,
                                     -1.1e-3 * scale};
        const int counts[4] = {1, 1, 2, 3};
        const double residuals[4] = {2e-12, 7e-12, 4e-12, 4e-12};
        for (int k = 0; k < 4; k++) {
            double A[16];
            double L[4] = {0.0, 0.0, 0.0, 0.0};
            memcpy(A, plain.C, sizeof(A));
            L[row] = distances[k];
            eliminate(4, 1, A, L);
            for (int a = 0; a < 4; a++) {
                L[a] += base[a];
            }
            assert_ok(carom_impact_outcomes_add(outcomes, problem, L, residuals[k], 1e-3));
            ck_assert_int_eq(outcomes->count, counts[k]);
        }
        ck_assert_int_eq(outcomes->multiplicity[0], 3);
        ck_assert_int_eq(outcomes->multiplicity[1], 1);
        ck_assert_int_eq(outcomes->multiplicity[2], 1);
        assert_close(outcomes->residual[0], 2e-12, 0.0, 0.0);
        carom_impact_outcomes_clear(outcomes);
        ck_assert_int_eq(outcomes->count, 0);
        carom_impact_outcomes_free(outcomes);
    }
    carom_impact_problem_free(problem);
}

/* Hundreds of outcomes keep their place and values while the list grows. */
TEST(property, list_grows_and_keeps_what_it_has) {
    const plain_impact plain = example();
    carom_impact_problem *problem = problem_of_plain(&plain);
    carom_impact_outcomes *outcomes = NULL;
    assert_ok(carom_impact_outcomes_alloc(problem, &outcomes));
    for (int k = 0; k < 300; k++) {
        const double L[4] = {0.01 * k, 0.3, 0.1, -0.2};
        assert_ok(carom_impact_outcomes_add(outcomes, problem, L, 1e-14 * k, 1e-7));
    }
    ck_assert_int_eq(outcomes->count, 300);
    ck_assert_int_ge(outcomes->capacity, 300);
    for (int k = 0; k < 300; k++) {
        const double L[4] = {0.01 * k, 0.3, 0.1, -0.2};
        double c[4];
        after_impulse(&plain, plain.c, L, c);
        for (int a = 0; a < 4; a++) {
            assert_close(outcomes->contact_velocity[4 * k + a], c[a], 0.0, 1e-11);
            assert_close(outcomes->impulse[4 * k + a], L[a], 0.0, 0.0);
        }
        assert_close(outcomes->residual[k], 1e-14 * k, 0.0, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, failing_allocations_leave_the_list_as_it_was) {
    const plain_impact plain = example();
    carom_impact_problem *problem = problem_of_plain(&plain);
    carom_impact_outcomes *outcomes = NULL;
    int k = 0;
    for (successes_left = 0;; successes_left = ++k) {
        const carom_status status = carom_impact_outcomes_alloc(problem, &outcomes);
        successes_left = -1;
        if (status == CAROM_OK) {
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
    }
    int refused = 0;
    for (int number = 0; number < 100; number++) {
        const double L[4] = {0.01 * number, 0.3, 0.1, -0.2};
        successes_left = refused % 9;
        const carom_status status = carom_impact_outcomes_add(outcomes, problem, L, 0.0, 1e-7);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_int_eq(outcomes->count, number);
            refused++;
            number--;
            ck_assert_int_lt(refused, 1000);
        }
    }
    ck_assert_int_eq(outcomes->count, 100);
    ck_assert_int_gt(refused, 1);
    for (int number = 0; number < 100; number++) {
        assert_close(outcomes->impulse[4 * number], 0.01 * number, 0.0, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_outcomes_free(NULL);
    carom_impact_problem_free(problem);
}
