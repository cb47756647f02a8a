/* All solutions of planar contact problems, against a linear program for each combination of modes,
 * against all complementary bases, and against the conditions themselves. */
#include "published_systems.h"
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/contact_modes.h>
#include <carom/lcp/active_set.h>

/* Problems of one case each, of one or two contacts; those with more are fewer. */
enum { SIMULTANEOUS_PROBLEMS = 10000, INCREMENT_PROBLEMS = 4000, LARGER_PROBLEMS = 60 };

/* Conditions hold to this part of the sizes of speeds and impulses, as the library promises: cones
 * of 1e5 and ill-conditioned modes cost up to five digits. */
static const double CONDITIONS = 1e-9;

static void solve_modes(const plain_impact *plain, const double *c, const double *caps,
                        plain_outcomes *found) {
    carom_impact_problem *problem = problem_of_plain(plain);
    carom_contact_modes *modes = NULL;
    carom_contact_mode_solutions *solutions = NULL;
    assert_ok(carom_contact_modes_alloc(
        problem, caps == NULL ? CAROM_CONTACT_MODES_UNCAPPED : CAROM_CONTACT_MODES_CAPPED, &modes,
        NULL));
    assert_ok(carom_contact_mode_solutions_alloc(modes, &solutions));
    const int r = 2 * plain->m;
    carom_impact_problem_free(problem); /* read, not kept */
    assert_ok(carom_contact_modes_solve(modes, c, caps, solutions));
    ck_assert_int_eq(solutions->row_count, r);
    ck_assert_int_le(solutions->count, solutions->capacity);
    ck_assert_int_le(solutions->count, MOST_OUTCOMES);
    found->count = solutions->count;
    for (int k = 0; k < found->count; k++) {
        memcpy(found->c[k], &solutions->velocity[k * r], sizeof(double) * (size_t)r);
        memcpy(found->L[k], &solutions->impulse[k * r], sizeof(double) * (size_t)r);
        ck_assert_int_ge(solutions->multiplicity[k], 1);
        const double violation =
            carom_planar_contact_violation(plain->m, plain->mu, found->c[k], caps, found->L[k]);
        const double size = fmax(largest_of(r, c), largest_of(r, found->L[k]));
        ck_assert(violation <= CONDITIONS * size && solutions->residual[k] <= CONDITIONS * size);
    }
    carom_contact_mode_solutions_free(solutions);
    carom_contact_modes_free(modes);
}

/* What is found satisfies the conditions; what programs find is found, and no more. Modes that
 * leave a velocity open (dependent normals, different friction) have a continuum: any of it will
 * do. */
static void compare(const plain_impact *plain, const double *caps, unsigned long seed, int number) {
    plain_outcomes found;
    plain_outcomes expected;
    const int r = 2 * plain->m;
    const double *c = plain->c;
    const double scale = largest_of(r, c);
    solve_modes(plain, c, caps, &found);
    all_solutions(plain, c, caps, &expected);
    ck_assert_msg(found.count >= 1, "seed %lu problem %d: no solution", seed, number);
    for (int k = 0; k < found.count; k++) {
        double after[MOST_ROWS];
        after_impulse(plain, c, found.L[k], after);
        for (int a = 0; a < r; a++) {
            assert_close(found.c[k][a], after[a], 0.0, CONDITIONS * fmax(1.0, scale));
        }
        const double violation = violation_of(plain, caps, found.L[k], found.c[k]);
        ck_assert_msg(violation <= CONDITIONS * fmax(scale, largest_of(r, found.L[k])),
                      "seed %lu problem %d: violation %g", seed, number, violation);
        ck_assert_msg(!expected.is_complete ||
                          find_plain(&expected, r, found.c[k], SAME_VELOCITY * scale) >= 0,
                      "seed %lu problem %d: %d of %d is not among the %d of the programs", seed,
                      number, k, found.count, expected.count);
    }
    for (int k = 0; k < expected.count; k++) {
        ck_assert_msg(!expected.is_settled[k] ||
                          find_plain(&found, r, expected.c[k], SAME_VELOCITY * scale) >= 0,
                      "seed %lu problem %d: %d of %d of the programs is missing (m %d, mu %g %g)",
                      seed, number, k, expected.count, plain->m, plain->mu[0], plain->mu[1]);
    }
    ck_assert(!expected.is_complete || found.count == expected.count);
}

LOOP_TEST(property, simultaneous_solutions_are_those_of_linear_programs, RANDOM_KINDS) {
    const unsigned long seed = 411 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < SIMULTANEOUS_PROBLEMS / RANDOM_KINDS; k++) {
        plain_impact plain;
        random_plain(generator, (random_kind)_i, 1 + k % 2, &plain);
        compare(&plain, NULL, seed, k);
    }
    gsl_rng_free(generator);
}

LOOP_TEST(property, increments_are_those_of_linear_programs, RANDOM_KINDS) {
    const unsigned long seed = 421 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < INCREMENT_PROBLEMS / RANDOM_KINDS; k++) {
        plain_impact plain;
        double caps[2];
        random_plain(generator, (random_kind)_i, 1 + k % 2, &plain);
        random_caps(generator, plain.m, caps);
        compare(&plain, caps, seed, k);
    }
    gsl_rng_free(generator);
}

LOOP_TEST(property, three_and_four_contacts_are_those_of_linear_programs, RANDOM_KINDS) {
    const unsigned long seed = 431 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < LARGER_PROBLEMS / RANDOM_KINDS; k++) {
        plain_impact plain;
        double caps[3];
        random_plain(generator, (random_kind)_i, 3 + k % 2, &plain);
        compare(&plain, NULL, seed, k);
        random_plain(generator, (random_kind)_i, 3, &plain);
        random_caps(generator, 3, caps);
        compare(&plain, caps, seed, k);
    }
    gsl_rng_free(generator);
}

/* ------------------------------------------------------------------------- complementary bases */

typedef struct basis_context {
    const plain_impact *plain;
    const double *c;
    const double *caps;
    plain_outcomes outcomes;
} basis_context;

static bool collect_basis(const carom_lcp_basis *basis, void *context) {
    basis_context *all = context;
    const int m = all->plain->m;
    const int first = all->caps == NULL ? 0 : m;
    double L[MOST_ROWS] = {0};
    double after[MOST_ROWS];
    for (int i = 0; i < m; i++) {
        L[i] = basis->z[first + i];
        L[m + i] = basis->z[first + m + 2 * i] - basis->z[first + m + 2 * i + 1];
    }
    after_impulse(all->plain, all->c, L, after);
    if (find_plain(&all->outcomes, 2 * m, after, SAME_VELOCITY * largest_of(2 * m, all->c)) < 0 &&
        all->outcomes.count < MOST_OUTCOMES) {
        memcpy(all->outcomes.c[all->outcomes.count++], after, sizeof(after));
    }
    return true;
}

/* 2^(4m) and 2^(5m) bases; friction up to 5, steeper cones are beyond the digits of the bases. */
TEST(property, solutions_are_those_of_all_complementary_bases) {
    const unsigned long seed = 441;
    gsl_rng *generator = seeded_generator(seed);
    carom_lcp_bases_workspace *work = NULL;
    assert_ok(carom_lcp_bases_workspace_alloc(10, &work));
    for (int k = 0; k < 120; k++) {
        plain_impact plain;
        double caps[2];
        const bool is_capped = k % 2 == 1;
        random_plain(generator, GENERIC, k % 8 == 7 || !is_capped ? 2 : 1, &plain);
        random_caps(generator, plain.m, caps);
        for (int i = 0; i < plain.m; i++) {
            plain.mu[i] = fmin(plain.mu[i], 5.0);
        }
        const double d[2] = {1.0, -1.0};
        double W[100];
        double w[10] = {0.0};
        const int size = cone_matrix(plain.m, 1, 2, d, plain.mu, plain.C, is_capped, W);
        const int first = is_capped ? plain.m : 0;
        for (int i = 0; i < plain.m; i++) {
            w[i] = is_capped ? caps[i] : 0.0;
        }
        for (int i = 0; i < plain.m; i++) {
            w[first + i] = plain.c[i];
            w[first + plain.m + 2 * i] = plain.c[plain.m + i];
            w[first + plain.m + 2 * i + 1] = -plain.c[plain.m + i];
        }
        basis_context all = {.plain = &plain, .c = plain.c, .caps = is_capped ? caps : NULL};
        assert_ok(carom_lcp_enumerate_bases(size, W, w, 1e-10, collect_basis, &all, work, NULL));
        plain_outcomes found;
        solve_modes(&plain, plain.c, all.caps, &found);
        ck_assert_msg(found.count == all.outcomes.count, "problem %d: %d modes, %d bases", k,
                      found.count, all.outcomes.count);
        for (int l = 0; l < found.count; l++) {
            ck_assert(find_plain(&all.outcomes, 2 * plain.m, found.c[l],
                                 SAME_VELOCITY * largest_of(2 * plain.m, plain.c)) >= 0);
        }
    }
    carom_lcp_bases_workspace_free(work);
    gsl_rng_free(generator);
}

/* Sections 4.3 and 2.1: a separating contact in Painleve's regime has two more solutions exactly
 * when s v_t (mu |C_nt| - C_nn) > (mu C_tt - |C_nt|) v_n, s = sign C_nt; a colliding one has one.
 */
TEST(property, separating_contact_has_three_solutions_by_the_predicate) {
    const unsigned long seed = 451;
    gsl_rng *generator = seeded_generator(seed);
    int several = 0;
    const double close = 1e-3; /* nearer to the threshold two solutions may be one */
    for (int k = 0; k < 2000; k++) {
        plain_impact plain;
        random_plain(generator, GENERIC, 1, &plain);
        plain.mu[0] = uniform(generator, 0.0, 6.0);
        if (k % 4 != 0) {
            plain.v[0] = -plain.v[0];
            for (int i = 1; i < plain.n; i++) {
                plain.v[i] = -plain.v[i];
            }
            complete(&plain);
        }
        const double *C = plain.C;
        const double s = C[1] > 0.0 ? 1.0 : -1.0;
        const double excess = s * plain.c[1] * (plain.mu[0] * fabs(C[1]) - C[0]) -
                              (plain.mu[0] * C[3] - fabs(C[1])) * plain.c[0];
        const bool is_painleve = plain.mu[0] * fabs(C[1]) > C[0];
        if (fabs(excess) < close) {
            continue;
        }
        plain_outcomes found;
        solve_modes(&plain, plain.c, NULL, &found);
        const int expected = plain.c[0] > 0.0 && is_painleve && excess > 0.0 ? 3 : 1;
        ck_assert_msg(found.count == expected, "problem %d: %d solutions, excess %g", k,
                      found.count, excess);
        several += found.count == 3 ? 1 : 0;
    }
    ck_assert_int_gt(several, 20);
    gsl_rng_free(generator);
}

/* First in the order of modes is "all off", so a velocity without collision stays. */
TEST(property, separating_velocity_is_its_own_first_solution) {
    const unsigned long seed = 461;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < 100; k++) {
        plain_impact plain;
        double caps[2];
        double c[4];
        plain_outcomes found;
        random_plain(generator, GENERIC, 2, &plain);
        random_caps(generator, 2, caps);
        for (int a = 0; a < 4; a++) {
            c[a] = a < 2 ? fabs(plain.c[a]) : plain.c[a];
        }
        for (int capped = 0; capped < 2; capped++) {
            solve_modes(&plain, c, capped == 1 ? caps : NULL, &found);
            for (int a = 0; a < 4; a++) {
                assert_close(found.c[0][a], c[a], 0.0, 0.0);
                assert_close(found.L[0][a], 0.0, 0.0, 0.0);
            }
        }
    }
    gsl_rng_free(generator);
}

/* By hand: m = 1, C = [2 0; 0 1], c = (-1, 0.3), mu = 1: L_n = min(cap, 0.5), L_t = -min(0.3, L_n).
 */
TEST(unit, uncoupled_contact_has_the_solution_of_hand) {
    const plain_impact plain = {
        .n = 2, .m = 1, .M = {0.5, 0, 0, 1}, .J = {1, 0, 0, 1}, .mu = {1.0}, .C = {2, 0, 0, 1}};
    const double c[2] = {-1.0, 0.3};
    const double caps[3] = {0.2, 0.4, 0.7};
    const double normal[3] = {0.2, 0.4, 0.5};
    const double tangential[3] = {-0.2, -0.3, -0.3};
    for (int k = 0; k < 3; k++) {
        plain_outcomes found;
        solve_modes(&plain, c, &caps[k], &found);
        ck_assert_int_eq(found.count, 1);
        assert_close(found.L[0][0], normal[k], 1e-14, 0.0);
        assert_close(found.L[0][1], tangential[k], 1e-14, 0.0);
        assert_close(found.c[0][0], -1.0 + 2.0 * normal[k], 0.0, 1e-14);
        assert_close(found.c[0][1], 0.3 + tangential[k], 0.0, 1e-14);
    }
}

/* A contact whose normal speed no impulse changes: with a normal impulse of 0.3/mu friction stops
 * its sliding, and more of it changes nothing. The least one is at the limit of a cone of any
 * steepness.
 */
TEST(unit, contact_sticks_by_an_open_impulse_however_steep_the_cone) {
    for (int steepness = 1; steepness <= 100000; steepness *= 10) {
        const double mu = steepness;
        plain_impact plain = {.n = 2,
                              .m = 2,
                              .M = {1, 0, 0, 1},
                              .J = {0, 1, 0, 0, 0, 0, 1, 0},
                              .mu = {0, mu},
                              .v = {0.3, -1}};
        plain_outcomes found;
        const double sliding[4] = {0.0, 0.0, 0.0, 0.3};
        const double rest[4] = {0.0, 0.0, 0.0, 0.0};
        complete(&plain);
        solve_modes(&plain, plain.c, NULL, &found);
        ck_assert_msg(find_plain(&found, 4, sliding, 1e-9) >= 0, "mu = %g does not slide", mu);
        ck_assert_msg(find_plain(&found, 4, rest, 1e-9) >= 0, "mu = %g does not rest", mu);
        ck_assert_int_eq(found.count, 2);
    }
}

/* Each term of the violation by hand: conditions met, then one broken by 0.25. */
TEST(unit, violation_is_the_broken_part_of_a_condition) {
    const double mu[1] = {0.5};
    const double cap[1] = {2.0};
    const double good_c[4][2] = {{0.0, 0.0}, {0.7, 0.4}, {-0.6, 0.0}, {0.0, 0.3}};
    const double good_L[4][2] = {{1.0, 0.5}, {0.0, 0.0}, {2.0, -0.9}, {1.0, -0.5}};
    const double bad_c[7][2] = {{-0.25, 0.0}, {0.25, 0.0}, {0.25, 0.0}, {0.0, 0.25},
                                {0.0, -0.25}, {0.0, 0.0},  {0.0, 0.0}};
    const double bad_L[7][2] = {{1.0, 0.0}, {1.0, 0.0},  {2.0, 0.0}, {1.0, 0.5},
                                {1.0, 0.0}, {1.0, 0.75}, {2.25, 0.0}};
    for (int k = 0; k < 4; k++) {
        assert_close(carom_planar_contact_violation(1, mu, good_c[k], cap, good_L[k]), 0.0, 0.0,
                     0.0);
    }
    for (int k = 0; k < 7; k++) {
        assert_close(carom_planar_contact_violation(1, mu, bad_c[k], cap, bad_L[k]), 0.25, 1e-14,
                     0.0);
    }
    assert_close(carom_planar_contact_violation(1, mu, bad_c[6], NULL, bad_L[6]), 0.0, 0.0, 0.0);
    assert_close(carom_planar_contact_violation(1, mu, good_c[2], NULL, good_L[2]), 0.6, 1e-14,
                 0.0);
}

TEST(errors, too_many_contacts_and_spatial_problems_are_refused) {
    const double M[1] = {1.0};
    double J[24];
    double mu[8];
    const double v[1] = {-1.0};
    for (int i = 0; i < 24; i++) {
        J[i] = 1.0;
        mu[i % 8] = 0.5;
    }
    const int most[2] = {CAROM_CONTACT_MODES_MOST_UNCAPPED, CAROM_CONTACT_MODES_MOST_CAPPED};
    for (int set = 0; set < 2; set++) {
        carom_contact_modes *modes = NULL;
        carom_impact_problem *problem = NULL;
        carom_report report = carom_report_empty();
        assert_ok(carom_impact_problem_alloc(1, most[set] + 1, 1, M, J, J, mu, v, &problem, NULL));
        assert_status(
            carom_contact_modes_alloc(problem, (carom_contact_mode_set)set, &modes, &report),
            OUT_OF_RANGE);
        ck_assert_ptr_null(modes);
        ck_assert_ptr_nonnull(strstr(report.quantity, "contacts"));
        assert_close(report.value, most[set] + 1.0, 0.0, 0.0);
        carom_impact_problem_free(problem);
        assert_ok(carom_impact_problem_alloc(1, 1, 2, M, J, J, mu, v, &problem, NULL));
        assert_status(carom_contact_modes_alloc(problem, (carom_contact_mode_set)set, &modes, NULL),
                      OUT_OF_RANGE);
        carom_impact_problem_free(problem);
    }
    carom_contact_modes_free(NULL);
    carom_contact_mode_solutions_free(NULL);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    for (int set = 0; set < 2; set++) {
        carom_impact_problem *problem = problem_of_system(COMPASS);
        const double caps[2] = {0.1, 0.1};
        for (int k = 0;; k++) {
            carom_contact_modes *modes = NULL;
            carom_contact_mode_solutions *solutions = NULL;
            successes_left = k;
            carom_status status =
                carom_contact_modes_alloc(problem, (carom_contact_mode_set)set, &modes, NULL);
            if (status == CAROM_OK) {
                status = carom_contact_mode_solutions_alloc(modes, &solutions);
            }
            if (status == CAROM_OK) {
                status = carom_contact_modes_solve(modes, problem->contact_velocity,
                                                   set == 1 ? caps : NULL, solutions);
            }
            successes_left = -1;
            carom_contact_mode_solutions_free(solutions);
            carom_contact_modes_free(modes);
            if (status == CAROM_OK) {
                ck_assert_int_gt(k, 2);
                break;
            }
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
        }
        carom_impact_problem_free(problem);
    }
}
