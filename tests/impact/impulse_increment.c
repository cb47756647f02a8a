/* One increment by Lemke's method: its solution against linear programs and the conditions, with
 * the identities of Theorem 7, Lemmas 8 and 13. */
#include "published_systems.h"
#include "random_impacts.h"

#include "../failing_malloc.h"

#include <carom/impact/impact_inclusion.h>
#include <carom/impact/impulse_increment.h>

enum { PROBLEMS = 4000 };

/* Work memory does not know a solution before the first call; results are NaN before each. */
typedef struct solver {
    carom_impact_problem *problem;
    carom_impulse_increment *increment;
    carom_increment_work *work;
} solver;

static solver solver_of(const plain_impact *plain) {
    solver s = {problem_of_plain(plain), NULL, NULL};
    assert_ok(carom_impulse_increment_alloc(s.problem, 0, &s.increment, NULL));
    assert_ok(carom_increment_work_alloc(s.increment, &s.work));
    return s;
}

static void solver_free(solver *s) {
    carom_increment_work_free(s->work);
    carom_impulse_increment_free(s->increment);
    carom_impact_problem_free(s->problem);
}

/* Residuals: 1e-9 of the sizes, as section 4.2 of the specification asks for. */
LOOP_TEST(property, solution_is_among_those_of_linear_programs, RANDOM_KINDS) {
    const unsigned long seed = 511 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < PROBLEMS / RANDOM_KINDS; k++) {
        plain_impact plain;
        double caps[4] = {0};
        double L[MOST_ROWS];
        double c[MOST_ROWS];
        carom_increment_report report;
        const int m = k % 16 == 15 ? 3 : 1 + k % 2;
        random_plain(generator, (random_kind)_i, m, &plain);
        random_caps(generator, m, caps);
        solver s = solver_of(&plain);
        memset(L, 0xff, sizeof(L));
        assert_ok(
            carom_impulse_increment_solve(s.increment, plain.c, caps, NULL, L, s.work, &report));
        after_impulse(&plain, plain.c, L, c);
        const double size =
            fmax(largest_of(2 * m, plain.c), fmax(largest_of(m, caps), largest_of(2 * m, L)));
        ck_assert(report.residual <= 1e-9 * size);
        ck_assert_msg(violation_of(&plain, caps, L, c) <= 1e-9 * size,
                      "seed %lu problem %d: violation %g", seed, k,
                      violation_of(&plain, caps, L, c));
        plain_outcomes all;
        all_solutions(&plain, plain.c, caps, &all);
        ck_assert_msg(!all.is_complete ||
                          find_plain(&all, 2 * m, c, SAME_VELOCITY * largest_of(2 * m, plain.c)) >=
                              0,
                      "seed %lu problem %d: none of the %d solutions", seed, k, all.count);
        solver_free(&s);
    }
    gsl_rng_free(generator);
}

/* (145): 0 = v+' M v+ - v' M v+ + L_n' mu gamma + beta' caps; Theorem 7: no energy is won; Lemma
 * 13: a contact is full, or none collides any more. */
LOOP_TEST(property, solution_has_the_identities_of_the_theorems, RANDOM_KINDS) {
    const unsigned long seed = 521 + (unsigned long)_i;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < 1000; k++) {
        plain_impact plain;
        double caps[4];
        double L[MOST_ROWS];
        double c[MOST_ROWS];
        double v[MOST_COORDINATES];
        const int m = 1 + k % 4;
        random_plain(generator, (random_kind)_i, m, &plain);
        random_caps(generator, m, caps);
        solver s = solver_of(&plain);
        assert_ok(carom_impulse_increment_solve(s.increment, plain.c, caps, NULL, L, s.work, NULL));
        const double *z = carom_increment_work_solution(s.work);
        after_impulse(&plain, plain.c, L, c);
        carom_impact_velocity(s.problem, L, v);
        const double before = s.problem->kinetic_energy;
        const double after = carom_impact_kinetic_energy(s.problem, v);
        /* Impulses of rigid redundant contacts may be large; their work is what counts. */
        const double size = fmax(1.0, fmax(before, largest_of(2 * m, L)));
        double identity = 0.0;
        bool is_full = false;
        double slowest = 0.0;
        for (int i = 0; i < plain.n; i++) {
            for (int j = 0; j < plain.n; j++) {
                identity += v[i] * plain.M[i * plain.n + j] * (v[j] - plain.v[j]);
            }
        }
        for (int i = 0; i < m; i++) {
            identity += L[i] * plain.mu[i] * z[4 * m + i] + z[i] * caps[i];
            is_full = is_full || L[i] >= caps[i] * (1.0 - 1e-9);
            slowest = fmin(slowest, c[i]);
            assert_close(L[i], z[m + i], 0.0, 0.0);
            assert_close(L[m + i], z[2 * m + 2 * i] - z[2 * m + 2 * i + 1], 0.0, 1e-12 * size);
        }
        ck_assert_msg(fabs(identity) <= 1e-8 * size, "seed %lu problem %d: (145) is %g", seed, k,
                      identity);
        ck_assert_msg(after <= before + 1e-9 * size, "seed %lu problem %d: %g from %g J", seed, k,
                      after, before);
        ck_assert_msg(is_full || slowest >= -1e-8 * size, "seed %lu problem %d: Lemma 13", seed, k);
        solver_free(&s);
    }
    gsl_rng_free(generator);
}

/* Lemma 8: without caps to fill nothing happens; separating contacts may be left alone, and are by
 * Lemke's method, for which z = 0 is the first point. */
TEST(property, zero_impulse_solves_zero_caps_and_separation) {
    const unsigned long seed = 531;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < 400; k++) {
        plain_impact plain;
        double caps[4] = {0.0, 0.0, 0.0, 0.0};
        double L[MOST_ROWS];
        const int m = 1 + k % 4;
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), m, &plain);
        solver s = solver_of(&plain);
        assert_ok(carom_impulse_increment_solve(s.increment, plain.c, caps, NULL, L, s.work, NULL));
        for (int i = 0; i < m; i++) {
            ck_assert(fabs(L[i]) <= 1e-12 && fabs(L[m + i]) <= 1e-7); /* 1e5 times rounding */
        }
        random_caps(generator, m, caps);
        for (int i = 0; i < m; i++) {
            plain.c[i] = fabs(plain.c[i]);
            plain.mu[i] = 0.0;
        }
        solver_free(&s);
        s = solver_of(&plain);
        assert_ok(carom_impulse_increment_solve(s.increment, plain.c, caps, NULL, L, s.work, NULL));
        for (int a = 0; a < 2 * m; a++) {
            ck_assert(fabs(L[a]) <= 1e-12);
        }
        solver_free(&s);
    }
    gsl_rng_free(generator);
}

/* A cap far beyond the impulse that stops everything is as good as none: the increment is then a
 * simultaneous outcome, with the digits of one. */
TEST(property, caps_of_any_size_keep_the_digits_of_the_solution) {
    const unsigned long seed = 541;
    gsl_rng *generator = seeded_generator(seed);
    for (int k = 0; k < 600; k++) {
        plain_impact plain;
        plain_outcomes all;
        double L[MOST_ROWS];
        double c[MOST_ROWS];
        const int m = 1 + k % 2;
        random_plain(generator, k % 3 == 0 ? RESTING : GENERIC, m, &plain);
        const double cap = pow(10.0, 4.0 + 2.0 * (k % 140));
        const double caps[MOST_CONTACTS] = {cap, k % 4 == 0 ? 0.01 : cap};
        solver s = solver_of(&plain);
        assert_ok(carom_impulse_increment_solve(s.increment, plain.c, caps, NULL, L, s.work, NULL));
        after_impulse(&plain, plain.c, L, c);
        const double size = fmax(largest_of(2 * m, plain.c), largest_of(2 * m, L));
        ck_assert_msg(violation_of(&plain, caps, L, c) <= 1e-9 * size, "problem %d: cap %g", k,
                      cap);
        if (m == 1 || k % 4 != 0) {
            all_solutions(&plain, plain.c, NULL, &all);
            ck_assert_msg(find_plain(&all, 2 * m, c, SAME_VELOCITY * largest_of(2 * m, plain.c)) >=
                              0,
                          "problem %d: cap %g", k, cap);
        }
        solver_free(&s);
    }
    gsl_rng_free(generator);
}

/* Ones, and mu on the cone rows of steep cones: z = (beta, L_n, L_D, gamma), the last m rows. */
TEST(unit, scaled_cover_is_friction_on_the_cone_rows) {
    plain_impact plain;
    plain_system(COMPASS, &plain);
    plain.mu[0] = 0.4;
    plain.mu[1] = 7.5;
    solver s = solver_of(&plain);
    double d[10];
    memset(d, 0xff, sizeof(d));
    carom_impulse_increment_scaled_cover(s.increment, 1.0, d);
    ck_assert_int_eq(s.increment->size, 10);
    for (int i = 0; i < 10; i++) {
        assert_close(d[i], i == 9 ? 7.5 : 1.0, 0.0, 0.0);
    }
    /* In the kinetic metric ones are roots of the diagonal of C, or their reciprocals. */
    carom_impulse_increment_scaled_cover(s.increment, 0.0, d);
    for (int i = 0; i < 2; i++) {
        const double normal = sqrt(plain.C[5 * i]);
        const double slip = sqrt(plain.C[5 * (2 + i)]);
        assert_close(d[i], 1.0 / normal, 1e-11, 0.0);
        assert_close(d[2 + i], normal, 1e-11, 0.0);
        assert_close(d[4 + 2 * i], slip, 1e-11, 0.0);
        assert_close(d[5 + 2 * i], slip, 1e-11, 0.0);
        assert_close(d[8 + i], fmax(1.0, plain.mu[i] * slip / normal) / slip, 1e-11, 0.0);
    }
    solver_free(&s);
}

/* Section 2.8.3: RAMone lifts with ones, rests with ones over scaled rows. */
TEST(unit, covering_vector_decides_between_solutions) {
    carom_impact_problem *problem = problem_of_system(RAMONE);
    carom_impulse_increment *increment = NULL;
    carom_increment_work *work = NULL;
    assert_ok(carom_impulse_increment_alloc(problem, 0, &increment, NULL));
    assert_ok(carom_increment_work_alloc(increment, &work));
    const double caps[2] = {0.5, 0.5};
    const double lifted = 0.00014262; /* section 5.3 */
    for (int scaled = 0; scaled < 2; scaled++) {
        double d[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        double L[4];
        double c[4];
        if (scaled == 1) {
            carom_impulse_increment_scaled_cover(increment, 1.0, d);
        }
        assert_ok(carom_impulse_increment_solve(increment, problem->contact_velocity, caps, d, L,
                                                work, NULL));
        carom_impact_add_impulse(problem, L, problem->contact_velocity, c);
        assert_close(c[1], scaled == 1 ? 0.0 : lifted, 0.0, 6e-9);
        assert_close(c[3], scaled == 1 ? 0.0 : -0.01179091, 0.0, 6e-9);
    }
    carom_increment_work_free(work);
    carom_impulse_increment_free(increment);
    carom_impact_problem_free(problem);
}

TEST(property, a_run_is_its_increments_one_by_one) {
    gsl_rng *generator = seeded_generator(541);
    for (int k = 0; k < 200; k++) {
        enum { LIMIT = 6 };
        plain_impact plain;
        double caps[4];
        const int m = 1 + k % 4;
        random_plain(generator, (random_kind)(k % RANDOM_KINDS), m, &plain);
        random_caps(generator, m, caps);
        solver s = solver_of(&plain);
        double c[MOST_ROWS];
        double path[(LIMIT + 1) * MOST_ROWS];
        int used = -1;
        memcpy(c, plain.c, sizeof c);
        assert_ok(carom_impulse_increment_run(s.increment, caps, LIMIT, c, path, &used, s.work));
        ck_assert(used == LIMIT || !carom_impact_is_colliding(s.problem, c));
        for (int i = 0; i < used; i++) {
            double L[MOST_ROWS];
            double next[MOST_ROWS];
            const double *at = path + (size_t)i * (size_t)(2 * m);
            ck_assert(carom_impact_is_colliding(s.problem, at));
            assert_ok(carom_impulse_increment_solve(s.increment, at, caps, NULL, L, s.work, NULL));
            carom_impact_add_impulse(s.problem, L, at, next);
            ck_assert_mem_eq(at + 2 * m, next, 2 * (size_t)m * sizeof *next);
        }
        ck_assert_mem_eq(path, plain.c, 2 * (size_t)m * sizeof *path);
        ck_assert_mem_eq(path + (size_t)used * (size_t)(2 * m), c, 2 * (size_t)m * sizeof *path);
        // Without a path, the same.
        double again[MOST_ROWS];
        memcpy(again, plain.c, sizeof again);
        assert_ok(
            carom_impulse_increment_run(s.increment, caps, LIMIT, again, NULL, &used, s.work));
        ck_assert_mem_eq(again, c, 2 * (size_t)m * sizeof *c);
        solver_free(&s);
    }
    gsl_rng_free(generator);
}

TEST(errors, speeds_that_are_not_finite_are_refused) {
    plain_impact plain;
    plain_system(BLOCK, &plain);
    solver s = solver_of(&plain);
    const double caps[2] = {0.1, 0.2};
    const double c[4] = {-1.0, (double)NAN, 0.0, 0.0};
    double L[4] = {0.0, 0.0, 0.0, 0.0};
    assert_status(carom_impulse_increment_solve(s.increment, c, caps, NULL, L, s.work, NULL),
                  NOT_FINITE);
    for (int a = 0; a < 4; a++) {
        ck_assert(isnan(L[a]));
    }
    solver_free(&s);
    carom_impulse_increment_free(NULL);
    carom_increment_work_free(NULL);
}

TEST(errors, failing_allocations_are_reported_without_a_leak) {
    carom_impact_problem *problem = problem_of_system(BLOCK);
    for (int k = 0;; k++) {
        carom_impulse_increment *increment = NULL;
        carom_increment_work *work = NULL;
        successes_left = k;
        carom_status status = carom_impulse_increment_alloc(problem, 0, &increment, NULL);
        if (status == CAROM_OK) {
            status = carom_increment_work_alloc(increment, &work);
        }
        if (status == CAROM_OK) { /* the solution itself asks for nothing */
            const double caps[2] = {0.1, 0.2};
            double L[4];
            successes_left = 0;
            status = carom_impulse_increment_solve(increment, problem->contact_velocity, caps, NULL,
                                                   L, work, NULL);
        }
        successes_left = -1;
        carom_increment_work_free(work);
        carom_impulse_increment_free(increment);
        if (status == CAROM_OK) {
            ck_assert_int_gt(k, 2);
            break;
        }
        ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
    }
    carom_impact_problem_free(problem);
}
