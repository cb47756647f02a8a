/* Newton and Moreau's law: closed forms, Anitescu and Potra's law at e = 0, an active-set method
 * without friction, the conditions of the law itself, and the energy that friction may add. */
#include "add_law.h"
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/anitescu_potra.h>
#include <carom/lcp/active_set.h>

/** All solutions, or that of Lemke's method. */
static carom_status apply(bool has_all, const carom_impact_problem *problem, const double *e,
                          carom_impact_outcomes *outcomes) {
    const carom_impact_problem own = with_restitution(problem, e);
    carom_impact_law_params params = carom_impact_law_params_default();
    params.takes_one = !has_all;
    return add_law(&carom_impact_law_newton_moreau, &own, &params, outcomes, NULL);
}

/* One of three equal touching balls comes with v: L = (1 + e) m v (2, 1)/3, so that e = 1 gives
 * (-1, 2, 2) v/3 and not (0, 0, 1) v. */
TEST(unit, the_cradle_throws_both_balls_and_the_first_one_back) {
    const plain_impact cradle = {.n = 3,
                                 .m = 2,
                                 .M = {1.7, 0, 0, 0, 1.7, 0, 0, 0, 1.7},
                                 .J = {-1, 1, 0, 0, -1, 1},
                                 .v = {2.385, 0, 0}};
    const double coefficients[3] = {1.0, 0.6, 0.0};
    carom_impact_problem *problem = problem_of_plain(&cradle);
    for (int k = 0; k < 6; k++) {
        const double e[2] = {coefficients[k / 2], coefficients[k / 2]};
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply(k % 2 == 0, problem, e, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        // A dozen operations on numbers of order 1.
        const double push = 2.385 * (1.0 + e[0]) / 3.0;
        assert_close(outcomes->velocity[0], 2.385 - 2.0 * push, 0.0, 1e-14);
        assert_close(outcomes->velocity[1], push, 0.0, 1e-14);
        assert_close(outcomes->velocity[2], push, 0.0, 1e-14);
        assert_close(outcomes->impulse[0], 1.7 * 2.0 * push, 0.0, 1e-14);
        // Poisson's and Newton's coefficient agree: the part 1 - e^2 of what e = 0 loses, 2/3.
        assert_close(outcomes->kinetic_energy[0] / problem->kinetic_energy,
                     1.0 - (1.0 - e[0] * e[0]) * 2.0 / 3.0, 1e-14, 0.0);
        carom_impact_outcomes_free(outcomes);
    }
    carom_impact_problem_free(problem);
}

/* A point mass in a corner: nothing couples, each contact has its own e, and friction takes mu (1 +
 * e) |c-_n| off the slip. */
TEST(unit, a_point_mass_rebounds_by_the_coefficient_of_each_wall) {
    const plain_impact corner = {.n = 4,
                                 .m = 2,
                                 .M = {2.3, 0, 0, 0, 0, 2.3, 0, 0, 0, 0, 2.3, 0, 0, 0, 0, 2.3},
                                 .J = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
                                 .mu = {0.31, 0.9},
                                 .v = {-0.7, -1.9, 1.3, -0.4}};
    const double e[2] = {0.45, 0.85};
    carom_impact_problem *problem = problem_of_plain(&corner);
    for (int all = 0; all < 2; all++) {
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply(all == 1, problem, e, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        const double *v = outcomes->velocity;
        assert_close(v[0], 0.45 * 0.7, 1e-14, 0.0);
        assert_close(v[1], 0.85 * 1.9, 1e-14, 0.0);
        assert_close(v[2], 1.3 - 0.31 * 1.45 * 0.7, 1e-14, 0.0);
        assert_close(v[3], 0.0, 0.0, 1e-15);
        ck_assert(outcomes->residual[0] <= 1e-14);
        carom_impact_outcomes_free(outcomes);
    }
    carom_impact_problem_free(problem);
}

/* C = [1 1/2; 1/2 1], c- = -(1, 1/2): L = (7, -2)/3 sticks for mu > 2/7 and gives c+ = (1, 0). The
 * energy c' C^-1 c/2 rises from 1/2 to 2/3. */
TEST(unit, friction_and_restitution_may_add_energy) {
    const double third = 1.0 / 3.0;
    const plain_impact sticking = {.n = 2,
                                   .m = 1,
                                   .M = {4.0 * third, -2.0 * third, -2.0 * third, 4.0 * third},
                                   .J = {1, 0, 0, 1},
                                   .mu = {0.3},
                                   .v = {-1.0, -0.5}};
    const double e[1] = {1.0};
    carom_impact_problem *problem = problem_of_plain(&sticking);
    assert_close(problem->kinetic_energy, 0.5, 1e-15, 0.0);
    for (int all = 0; all < 2; all++) {
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply(all == 1, problem, e, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        assert_close(outcomes->impulse[0], 7.0 * third, 1e-14, 0.0);
        assert_close(outcomes->impulse[1], -2.0 * third, 1e-14, 0.0);
        assert_close(outcomes->kinetic_energy[0], 2.0 * third, 1e-14, 0.0);
        carom_impact_outcomes_free(outcomes);
    }
    carom_impact_problem_free(problem);
}

/* In space a point mass slips against its sliding, in any direction: the cone is round. */
LOOP_TEST(unit, a_spatial_contact_rebounds_and_slides_along_its_velocity, 5) {
    const double M[9] = {2.3, 0, 0, 0, 2.3, 0, 0, 0, 2.3};
    const double J_n[3] = {0, 0, 1};
    const double J_t[6] = {1, 0, 0, 0, 1, 0};
    const double mu[1] = {0.2};
    const double v[3] = {1.7 * cos(0.31 * _i), 1.7 * sin(0.31 * _i), -0.9};
    const double e[1] = {0.65};
    const double left = 1.0 - 0.2 * 1.65 * 0.9 / 1.7;
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(3, 1, 2, M, J_n, J_t, mu, v, &problem, NULL));
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_ok(carom_impact_problem_set_restitution(problem, e, NULL));
    assert_ok(add_law(&carom_impact_law_newton_moreau, problem, NULL, outcomes, NULL));
    assert_close(outcomes->velocity[0], left * v[0], 1e-14, 0.0);
    assert_close(outcomes->velocity[1], left * v[1], 1e-14, 1e-15);
    assert_close(outcomes->velocity[2], 0.65 * 0.9, 1e-14, 0.0);
    ck_assert_double_le(outcomes->residual[0], 1e-12);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

/* Two points that have nothing to do with each other do what each does alone. */
TEST(unit, points_in_space_rebound_each_by_itself) {
    const double mass[2] = {2.3, 0.7};
    const double mu[2] = {0.2, 0.45};
    const double e[2] = {0.65, 0.3};
    const double v[6] = {1.7, -0.6, -0.9, -0.8, 2.1, -1.3};
    double M[36] = {0.0};
    double J_n[12] = {0.0};
    double J_t[24] = {0.0};
    for (int i = 0; i < 6; i++) {
        M[7 * i] = mass[i / 3];
    }
    for (int k = 0; k < 2; k++) {
        J_n[6 * k + 3 * k + 2] = 1.0;
        J_t[6 * (2 * k) + 3 * k] = 1.0;
        J_t[6 * (2 * k + 1) + 3 * k + 1] = 1.0;
    }
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(6, 2, 2, M, J_n, J_t, mu, v, &problem, NULL));
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_ok(carom_impact_problem_set_restitution(problem, e, NULL));
    assert_ok(add_law(&carom_impact_law_newton_moreau, problem, NULL, outcomes, NULL));
    for (int k = 0; k < 2; k++) {
        const double *before = v + 3 * k;
        const double left = 1.0 + mu[k] * (1.0 + e[k]) * before[2] / hypot(before[0], before[1]);
        for (int a = 0; a < 2; a++) {
            assert_close(outcomes->velocity[3 * k + a], left * before[a], 1e-13, 0.0);
        }
        assert_close(outcomes->velocity[3 * k + 2], -e[k] * before[2], 1e-13, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

/* Two contacts that separate or rest are left alone, though one would come back by its e. */
TEST(unit, in_space_too_a_separating_velocity_stays) {
    const double M[9] = {2.3, 0, 0, 0, 2.3, 0, 0, 0, 2.3};
    const double J_n[6] = {0, 0, 1, 0.6, 0, 0.8};
    const double J_t[12] = {1, 0, 0, 0, 1, 0, 0.8, 0, -0.6, 0, 1, 0};
    const double mu[2] = {0.2, 0.3};
    const double v[3] = {1.7, 0.4, 0.9};
    const double e[2] = {0.65, 0.5};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(3, 2, 2, M, J_n, J_t, mu, v, &problem, NULL));
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    assert_ok(carom_impact_problem_set_restitution(problem, e, NULL));
    assert_ok(add_law(&carom_impact_law_newton_moreau, problem, NULL, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    for (int i = 0; i < 3; i++) {
        assert_close(outcomes->velocity[i], v[i], 0.0, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

/* A wedged point: with the same e it turns back from one wall as far as the other one lets it. */
TEST(unit, a_separating_velocity_stays_and_a_wedged_one_turns_back) {
    const double e[2] = {0.8, 0.8};
    for (int k = 0; k < 4; k++) {
        plain_impact wedge = {.n = 1, .m = 2, .M = {2.3}, .J = {1, -1, 0, 0}, .v = {-0.5}};
        if (k >= 2) {
            wedge.J[1] = 1.0;
            wedge.v[0] = 0.5;
        }
        carom_impact_problem *problem = problem_of_plain(&wedge);
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply(k % 2 == 0, problem, e, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        assert_close(outcomes->velocity[0], k < 2 ? 0.4 : 0.5, 1e-15, 0.0);
        carom_impact_outcomes_free(outcomes);
        carom_impact_problem_free(problem);
    }
}

LOOP_TEST(property, without_restitution_the_law_is_that_of_anitescu_and_potra, RANDOM_KINDS) {
    gsl_rng *generator = seeded_generator(811 + (unsigned long)_i);
    const double zeros[MOST_CONTACTS] = {0};
    for (int k = 0; k < 200; k++) {
        plain_impact plain;
        random_plain(generator, (random_kind)_i, 1 + k % 3, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        carom_impact_outcomes *ours = outcomes_for(problem);
        carom_impact_outcomes *expected = outcomes_for(problem);
        assert_ok(apply(k % 2 == 0, problem, zeros, ours));
        assert_ok(k % 2 == 0 ? carom_anitescu_potra_all(problem, expected, NULL)
                             : carom_anitescu_potra_lemke(problem, 0, NULL, expected, NULL));
        // The same problem, to the last digit.
        ck_assert_int_eq(ours->count, expected->count);
        for (int l = 0; l < ours->count; l++) {
            ck_assert_int_eq(ours->multiplicity[l], expected->multiplicity[l]);
            for (int i = 0; i < plain.n; i++) {
                assert_close(ours->velocity[l * plain.n + i], expected->velocity[l * plain.n + i],
                             0.0, 0.0);
            }
        }
        carom_impact_outcomes_free(expected);
        carom_impact_outcomes_free(ours);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* Frictionless, the speeds of the problem are unique, also where contacts are redundant. */
LOOP_TEST(property, without_friction_an_active_set_finds_the_same_velocity, RANDOM_KINDS) {
    gsl_rng *generator = seeded_generator(821 + (unsigned long)_i);
    for (int k = 0; k < 200; k++) {
        plain_impact plain;
        const int m = 1 + k % 4;
        random_plain(generator, (random_kind)_i, m, &plain);
        memset(plain.mu, 0, sizeof plain.mu);
        carom_impact_problem *problem = problem_of_plain(&plain);
        const double e = uniform(generator, 0.0, 1.0);
        double coefficients[MOST_CONTACTS];
        double C_n[MOST_CONTACTS * MOST_CONTACTS];
        double q[MOST_CONTACTS];
        double L[MOST_CONTACTS];
        for (int i = 0; i < m; i++) {
            coefficients[i] = k % 8 == 0 ? 1.0 : e;
            q[i] = (1.0 + coefficients[i]) * plain.c[i];
            for (int j = 0; j < m; j++) {
                C_n[i * m + j] = plain.C[i * 2 * m + j];
            }
        }
        for (int i = 0; i < m * m; i++) { // symmetric to the last digit
            C_n[i] = C_n[i / m > i % m ? (i % m) * m + i / m : i];
        }
        carom_lcp_active_set *solver = NULL;
        assert_ok(carom_lcp_active_set_alloc(m, C_n, &solver));
        assert_ok(carom_lcp_active_set_solve(solver, q, NULL, L, NULL));
        carom_impact_outcomes *outcomes = outcomes_for(problem);
        assert_ok(apply(k % 2 == 0, problem, coefficients, outcomes));
        ck_assert_int_eq(outcomes->count, 1);
        const double size = fmax(largest_of(2 * m, plain.c), largest_of(m, L));
        for (int i = 0; i < m; i++) {
            double c_post = plain.c[i];
            for (int j = 0; j < m; j++) {
                c_post += C_n[i * m + j] * L[j];
            }
            assert_close(outcomes->contact_velocity[i], c_post, 0.0, 1e-9 * size);
            assert_close(outcomes->impulse[m + i], 0.0, 0.0, 1e-9 * size);
        }
        // The same e: L' c- <= 0, and the energy changes by (1 - e)/2 of it.
        const double gain = outcomes->kinetic_energy[0] - problem->kinetic_energy;
        ck_assert(gain <= 1e-9 * size);
        if (k % 8 == 0) {
            assert_close(gain, 0.0, 0.0, 1e-9 * fmax(1.0, size * size));
        }
        carom_impact_outcomes_free(outcomes);
        carom_lcp_active_set_free(solver);
        carom_impact_problem_free(problem);
    }
    gsl_rng_free(generator);
}

/* The conditions of the law with c+_n + e c-_n in place of c+_n, each contact with its e; Lemke's
 * outcome is one of all. That some gain energy shows that the paradox is met. */
LOOP_TEST(property, outcomes_satisfy_the_conditions_of_the_law, RANDOM_KINDS) {
    gsl_rng *generator = seeded_generator(831 + (unsigned long)_i);
    int gains = 0;
    int jams = 0;
    for (int k = 0; k < 200; k++) {
        plain_impact plain;
        const int m = 1 + k % 3;
        random_plain(generator, (random_kind)_i, m, &plain);
        carom_impact_problem *problem = problem_of_plain(&plain);
        double e[MOST_CONTACTS] = {0};
        const double common = uniform(generator, 0.0, 1.0);
        for (int i = 0; i < MOST_CONTACTS; i++) { // those beyond m must not matter
            // Independent normals admit any coefficients.
            e[i] = _i == GENERIC ? uniform(generator, 0.0, 1.0) : common;
        }
        carom_impact_outcomes *all = outcomes_for(problem);
        carom_impact_outcomes *one = outcomes_for(problem);
        const carom_status status = apply(true, problem, e, all);
        if (status != CAROM_OK) {
            // Redundant contacts whose friction can jam: then by neither method.
            ck_assert(_i == REDUNDANT || _i == WHOLE);
            ck_assert_int_eq(status, CAROM_STATUS_NOT_CONVERGED);
            const carom_status other = apply(false, problem, e, one);
            ck_assert(other == CAROM_STATUS_RAY || other == CAROM_STATUS_NOT_CONVERGED);
            jams++;
            carom_impact_outcomes_free(one);
            carom_impact_outcomes_free(all);
            carom_impact_problem_free(problem);
            continue;
        }
        assert_ok(apply(false, problem, e, one));
        ck_assert_int_ge(all->count, 1);
        ck_assert_int_eq(one->count, 1);
        for (int l = 0; l <= all->count; l++) {
            const carom_impact_outcomes *list = l < all->count ? all : one;
            const int place = l < all->count ? l : 0;
            const double *L = &list->impulse[2 * m * place];
            double c[MOST_ROWS];
            after_impulse(&plain, plain.c, L, c);
            const double size = fmax(largest_of(2 * m, plain.c), largest_of(2 * m, L));
            for (int a = 0; a < 2 * m; a++) {
                assert_close(list->contact_velocity[2 * m * place + a], c[a], 0.0, 1e-9 * size);
            }
            for (int i = 0; i < m; i++) {
                c[i] += e[i] * plain.c[i];
            }
            ck_assert_msg(violation_of(&plain, NULL, L, c) <= 1e-9 * size, "problem %d: %g", k,
                          violation_of(&plain, NULL, L, c));
            ck_assert(list->residual[place] <= 1e-9 * size);
            gains += list->kinetic_energy[place] > 1.001 * problem->kinetic_energy ? 1 : 0;
        }
        carom_impact_outcomes_free(one);
        carom_impact_outcomes_free(all);
        carom_impact_problem_free(problem);
    }
    ck_assert(_i != GENERIC || gains > 0);
    ck_assert_int_lt(jams, 20);
    gsl_rng_free(generator);
}

TEST(errors, what_is_no_coefficient_or_no_problem_of_the_law_is_refused) {
    const double M[1] = {1.0};
    const double ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const double v[1] = {-1.0};
    carom_impact_problem *problem = NULL;
    assert_ok(carom_impact_problem_alloc(1, 2, 2, M, ones, ones, ones, v, &problem, NULL));
    carom_impact_outcomes *outcomes = outcomes_for(problem);
    const double bad[3] = {-0.1, 1.0000001, (double)NAN};
    for (int k = 0; k < 3; k++) {
        const double e[2] = {0.5, bad[k]};
        carom_report report = carom_report_empty();
        assert_status(carom_impact_problem_set_restitution(problem, e, &report), OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "restitution");
        ck_assert_int_eq(report.index, 1);
        assert_close(problem->restitution[0], 0.0, 0.0, 0.0);
    }
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    // Eight contacts are too many for the modes: one solution is found.
    assert_ok(carom_impact_problem_alloc(1, 8, 1, M, ones, ones, ones, v, &problem, NULL));
    outcomes = outcomes_for(problem);
    assert_ok(add_law(&carom_impact_law_newton_moreau, problem, NULL, outcomes, NULL));
    ck_assert_int_eq(outcomes->count, 1);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
    // Walls that face each other: c+ >= 1/2 by one, c+ <= 0 by the other.
    const plain_impact wedge = {.n = 1, .m = 2, .M = {1.0}, .J = {1, -1, 0, 0}, .v = {-0.5}};
    const double contradictory[2] = {1.0, 0.0};
    problem = problem_of_plain(&wedge);
    outcomes = outcomes_for(problem);
    assert_status(apply(true, problem, contradictory, outcomes), NOT_CONVERGED);
    assert_status(apply(false, problem, contradictory, outcomes), RAY);
    ck_assert_int_eq(outcomes->count, 0);
    carom_impact_outcomes_free(outcomes);
    carom_impact_problem_free(problem);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    const plain_impact ball = {
        .n = 2, .m = 1, .M = {1.3, 0, 0, 1.3}, .J = {1, 0, 0, 1}, .mu = {0.4}, .v = {-1.0, 0.2}};
    const double e[1] = {0.5};
    carom_impact_problem *problem = problem_of_plain(&ball);
    for (int all = 0; all < 2; all++) {
        for (int k = 0;; k++) {
            carom_impact_outcomes *outcomes = outcomes_for(problem);
            successes_left = k;
            const carom_status status = apply(all == 1, problem, e, outcomes);
            successes_left = -1;
            carom_impact_outcomes_free(outcomes);
            if (status == CAROM_OK) {
                ck_assert_int_gt(k, 4);
                break;
            }
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        }
    }
    carom_impact_problem_free(problem);
}
