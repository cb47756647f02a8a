/*
 * carom/modes/orbit.h: what it returns is propagated in physical coordinates
 * (independent.h) and must close, from perturbed guesses, at given periods, at grazes, on families
 * of constant period, without a gap, prestressed, at a harmonic, and for larger structures.
 */
#include <carom/models/clamped_bar.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/orbit.h>

#include "independent.h"

#include <stdbool.h>

static const unsigned long SEED = 20160601;

/* Asked of every solution (specification 4.2): the solver stops at a scaled residual of 1e-12, and
 * the propagation itself errs by 1e-13. */
static const double CLOSURE = 1e-10;

enum { MAX_K = 7 };

/** A structure seen by both routes, with a solver for k impacts. */
typedef struct problem {
    carom_linear_system *system;
    physical *structure;
    carom_modal_basis *basis;
    carom_orbit_solver *solver;
    carom_orbit *orbit;
} problem;

/** Takes the system over. */
static problem problem_make(carom_linear_system *system, int k) {
    problem p = {.system = system, .structure = physical_alloc(system)};
    assert_ok(carom_modal_basis_compute(system, &p.basis, NULL));
    assert_ok(carom_orbit_solver_alloc(p.basis, k, &p.solver));
    assert_ok(carom_orbit_alloc(p.basis, k, &p.orbit));
    return p;
}

static void problem_clear(problem *p) {
    carom_orbit_free(p->orbit);
    carom_orbit_solver_free(p->solver);
    carom_modal_basis_free(p->basis);
    physical_free(p->structure);
    carom_linear_system_free(p->system);
}

/** The chain of the paper with k impacts. */
static problem chain_problem(int masses, double gap_at_rest, int k) {
    carom_linear_system *system;
    assert_ok(carom_serial_chain_uniform_alloc(masses, gap_at_rest, &system, NULL));
    return problem_make(system, k);
}

static void assert_closes(const problem *p, double length) {
    assert_physical_orbit(p->structure, p->basis, p->orbit, length, CLOSURE);
}

/** Orbits of the specification (section 5), to start from. */
typedef struct known_orbit {
    int k;
    double sigma[MAX_K];
} known_orbit;

static const known_orbit KNOWN[5] = {
    {1, {3.80}},
    {2, {1.887495453412, 0.972504546588}},
    {2, {0.330508890769, 3.594491109231}},
    {3, {0.210218004117, 0.210218004117, 3.480563991765}},
    {7,
     {1.8456565734, 1.1808735229, 1.6337220945, 1.1808735229, 1.8456565734, 1.3884604230,
      1.3884604230}},
};

/** The flight times of a known orbit, each changed by up to a fraction. */
static void perturb(gsl_rng *generator, const known_orbit *known, double fraction, double *sigma) {
    for (int j = 0; j < known->k; j++) {
        sigma[j] = known->sigma[j] * (1.0 + uniform(generator, -fraction, fraction));
    }
}

TEST(property, perturbed_guesses_lead_to_periodic_motions) {
    // A thousandth: from there a plain Levenberg-Marquardt iteration always gets back as well.
    gsl_rng *generator = seeded_generator(SEED);
    for (int i = 0; i < 5; i++) {
        problem p = chain_problem(5, 1.0, KNOWN[i].k);
        for (int round = 0; round < 20; round++) {
            double sigma[MAX_K];
            perturb(generator, &KNOWN[i], 1e-3, sigma);
            assert_ok(carom_orbit_solve(p.solver, sigma, NULL, NULL, NULL, p.orbit, NULL));
            assert_closes(&p, 1.0);
        }
        problem_clear(&p);
    }
    gsl_rng_free(generator);
}

TEST(property, most_guesses_off_by_a_hundredth_converge) {
    // Not all do; a plain Levenberg-Marquardt iteration without amplitudes of resonant modes, from
    // the same lambda, manages at least 80 of 100 for each of these orbits.
    gsl_rng *generator = seeded_generator(SEED + 6);
    for (int i = 0; i < 5; i++) {
        problem p = chain_problem(5, 1.0, KNOWN[i].k);
        int converged = 0;
        for (int round = 0; round < 50; round++) {
            double sigma[MAX_K];
            perturb(generator, &KNOWN[i], 1e-2, sigma);
            if (carom_orbit_solve(p.solver, sigma, NULL, NULL, NULL, p.orbit, NULL) == CAROM_OK) {
                assert_closes(&p, fmax(1.0, sqrt(p.orbit->energy)));
                converged++;
            }
        }
        ck_assert_msg(converged >= 40, "orbit %d: %d of 50", i, converged);
        problem_clear(&p);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_solution_is_left_where_it_is) {
    // The values of the specification have 9 to 12 digits.
    for (int i = 0; i < 5; i++) {
        problem p = chain_problem(5, 1.0, KNOWN[i].k);
        assert_ok(carom_orbit_solve(p.solver, KNOWN[i].sigma, NULL, NULL, NULL, p.orbit, NULL));
        for (int j = 0; j < KNOWN[i].k; j++) {
            assert_close(p.orbit->flight_times[j], KNOWN[i].sigma[j], 0.0, 2e-9);
        }
        assert_closes(&p, 1.0);
        problem_clear(&p);
    }
}

TEST(unit, a_given_period_is_met) {
    // Periods a little off those of the known orbits, where their branches pass.
    const double periods[5] = {3.7913, 2.8437, 3.9211, 3.9023, 10.4636};
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int i = 0; i < 5; i++) {
        problem p = chain_problem(5, 1.0, KNOWN[i].k);
        carom_orbit_target target = carom_orbit_target_default(p.basis);
        target.period = periods[i];
        double sigma[MAX_K];
        perturb(generator, &KNOWN[i], 0.005, sigma);
        assert_ok(carom_orbit_solve(p.solver, sigma, NULL, &target, NULL, p.orbit, NULL));
        assert_close(p.orbit->period, periods[i], 1e-13, 0.0);
        assert_closes(&p, 1.0);
        problem_clear(&p);
    }
    gsl_rng_free(generator);
}

TEST(unit, a_graze_is_met) {
    // Continuum C of the specification 5.5: impact 5 vanishes, or in the reversed motion impact 7;
    // guesses off by up to a thousandth.
    const int grazing[2] = {5, 7};
    const double ends[2][7] = {{1.7824741682, 1.1337635289, 1.7502604859, 1.1560088420,
                                1.7722109038, 1.6940808043, 1.1744935736},
                               {1.7722109038, 1.1560088420, 1.7502604859, 1.1337635289,
                                1.7824741682, 1.1744935736, 1.6940808043}};
    for (int i = 0; i < 2; i++) {
        double sigma[7];
        for (int j = 0; j < 7; j++) {
            sigma[j] = ends[i][j] * (1.0 + 1e-3 * sin(3.0 * j + i));
        }
        problem p = chain_problem(5, 1.0, 7);
        carom_orbit_target target = carom_orbit_target_default(p.basis);
        target.grazing_impact = grazing[i];
        assert_ok(carom_orbit_solve(p.solver, sigma, NULL, &target, NULL, p.orbit, NULL));
        assert_close(p.orbit->lambda[grazing[i] - 1], 0.0, 0.0, 1e-12);
        for (int j = 0; j < 7; j++) {
            assert_close(p.orbit->flight_times[j], ends[i][j], 0.0, 2e-9);
        }
        assert_closes(&p, 1.0);
        problem_clear(&p);
    }
}

TEST(unit, members_of_a_family_at_constant_period_are_found) {
    // The default family of figure 12 (specification 5.4): any pair with the given sum.
    gsl_rng *generator = seeded_generator(SEED + 2);
    problem p = chain_problem(5, 1.0, 2);
    for (int round = 0; round < 20; round++) {
        const double share = uniform(generator, 0.1, 0.35);
        const double sigma[2] = {0.292658294206 * (1.0 + uniform(generator, -1e-3, 1e-3)),
                                 3.455386166713 * (1.0 + uniform(generator, -1e-3, 1e-3))};
        const double lambda[2] = {share * 1.21, (1.0 - share) * 1.21};
        assert_ok(carom_orbit_solve(p.solver, sigma, lambda, NULL, NULL, p.orbit, NULL));
        assert_closes(&p, 1.0);
        assert_close(p.orbit->period, 3.748044460919, 0.0, 1e-11);
        assert_close(p.orbit->lambda[0] + p.orbit->lambda[1], 1.210884402901, 0.0, 1e-10);
    }
    problem_clear(&p);
    gsl_rng_free(generator);
}

TEST(unit, without_a_gap_impact_times_are_those_of_infinite_speed) {
    // Ends of the branches of the specification 5.2 and 5.3 (12 and 8 digits of the times).
    const double single = 3.739673281480;
    const double pair[2] = {1.63600828, 1.02375211};
    problem p = chain_problem(5, 1.0, 1);
    carom_orbit_target target = carom_orbit_target_default(p.basis);
    target.gap_at_rest = 0.0;
    const double near_single = 3.745;
    assert_ok(carom_orbit_solve(p.solver, &near_single, NULL, &target, NULL, p.orbit, NULL));
    assert_close(p.orbit->period, single, 0.0, 1e-11);
    assert_close(p.orbit->lambda[0], 1.0, 1e-14, 0.0);
    problem_clear(&p);

    p = chain_problem(5, 0.0, 2);
    const double near_pair[2] = {1.63, 1.02};
    assert_ok(carom_orbit_solve(p.solver, near_pair, NULL, &target, NULL, p.orbit, NULL));
    assert_close(p.orbit->flight_times[0], pair[0], 0.0, 1e-8);
    assert_close(p.orbit->flight_times[1], pair[1], 0.0, 1e-8);
    assert_close(p.orbit->period, 2.659760388835, 0.0, 1e-11);
    assert_close(p.orbit->lambda[0], sqrt(0.5), 1e-11, 0.0);
    assert_close(p.orbit->lambda[1], sqrt(0.5), 1e-11, 0.0);
    // The structure itself has no gap: closed at the impacts, to the size of its motion.
    assert_closes(&p, 1.0);
    problem_clear(&p);
}

TEST(unit, a_branch_crosses_a_harmonic_at_a_finite_speed) {
    // Specification 5.3: through T = 3 T_3 at sigma_1 = T_3/2 with lambda = 2.73536.
    problem p = chain_problem(5, 1.0, 2);
    const double T_3 = 2.0 * M_PI / (2.0 * 5.0 * sin(5.0 * M_PI / 22.0));
    const double offsets[5] = {0.0, 1e-11, -1e-8, 1e-6, -1e-4};
    for (int i = 0; i < 5; i++) {
        carom_orbit_target target = carom_orbit_target_default(p.basis);
        target.period = 3.0 * T_3 * (1.0 + offsets[i]);
        const double sigma[2] = {0.499 * T_3, 2.501 * T_3};
        const double lambda[2] = {2.7, 2.7};
        assert_ok(carom_orbit_solve(p.solver, sigma, lambda, &target, NULL, p.orbit, NULL));
        assert_closes(&p, 1.0);
        assert_close(p.orbit->period, target.period, 1e-13, 0.0);
        // E dT = -(g_0/sqrt(G)) d(2 lambda) along the branch, to second order; six printed digits.
        const double slope = -0.5 * sqrt(5.0) * p.orbit->energy;
        const double offset = 3.0 * T_3 * offsets[i];
        assert_close(p.orbit->lambda[0], 2.73536 + slope * offset, 0.0,
                     5e-6 + 1e3 * offset * offset);
        assert_close(p.orbit->lambda[1], p.orbit->lambda[0], 1e-9, 0.0);
        assert_close(p.orbit->flight_times[0], 0.5 * T_3, 0.0, 1e-9 + 30.0 * fabs(offset));
    }
    problem_clear(&p);
}

/** Solve random structures from random guesses; the number of solutions, all of which close. */
static int solve_random(unsigned long seed, double gap_at_rest, int rounds) {
    gsl_rng *generator = seeded_generator(seed);
    int solved = 0;
    for (int round = 0; round < rounds; round++) {
        const int k = 1 + round / 5 % 6;
        problem p = problem_make(
            random_structure(generator, 2 + round % 5, (random_contact)(round % 3), gap_at_rest),
            k);
        double sigma[MAX_K];
        for (int j = 0; j < k; j++) {
            sigma[j] = uniform(generator, 0.3, 3.0);
        }
        if (carom_orbit_solve(p.solver, sigma, NULL, NULL, NULL, p.orbit, NULL) == CAROM_OK) {
            // Far from the guess speeds may be large: lengths in units of the motion then.
            double largest = 0.0;
            for (int j = 0; j < k; j++) {
                largest = fmax(largest, fabs(p.orbit->lambda[j]));
            }
            const double speed = largest * sqrt(p.structure->inverse_mass);
            assert_closes(&p, fmax(fabs(gap_at_rest), speed));
            solved++;
        }
        problem_clear(&p);
    }
    gsl_rng_free(generator);
    return solved;
}

TEST(property, whatever_is_found_on_random_structures_closes) {
    ck_assert_int_gt(solve_random(SEED + 3, 0.8, 300), 150);
}

TEST(property, whatever_is_found_on_prestressed_structures_closes) {
    ck_assert_int_gt(solve_random(SEED + 4, -0.8, 300), 150);
}

TEST(unit, prestressed_chains_have_their_own_periods) {
    // d = -1, T in (0.65992505, 0.73945887): lambda >= 0 (specification 5.2), and with d = 1 the
    // same period has the opposite sign.
    problem p = chain_problem(5, -1.0, 1);
    carom_orbit_target target = carom_orbit_target_default(p.basis);
    target.period = 0.7;
    assert_ok(carom_orbit_solve(p.solver, &target.period, NULL, &target, NULL, p.orbit, NULL));
    assert_closes(&p, 1.0);
    ck_assert_double_gt(p.orbit->lambda[0], 0.0);
    problem opposite = chain_problem(5, 1.0, 1);
    target.gap_at_rest = 1.0;
    assert_ok(carom_orbit_solve(opposite.solver, &target.period, NULL, &target, NULL,
                                opposite.orbit, NULL));
    assert_close(opposite.orbit->lambda[0], -p.orbit->lambda[0], 1e-10, 0.0);
    problem_clear(&opposite);
    problem_clear(&p);
}

/** Solve a large structure from up to 40 random guesses with periods near its longest. */
static void assert_solves_large(gsl_rng *generator, carom_linear_system *system, int k) {
    problem p = problem_make(system, k);
    const double longest = 2.0 * M_PI / p.basis->frequency[0];
    carom_status status = CAROM_STATUS_NOT_CONVERGED;
    for (int guess = 0; status != CAROM_OK && guess < 40; guess++) {
        double sigma[MAX_K];
        for (int j = 0; j < k; j++) {
            sigma[j] = uniform(generator, 0.1, 1.5) * longest / k;
        }
        status = carom_orbit_solve(p.solver, sigma, NULL, NULL, NULL, p.orbit, NULL);
    }
    assert_ok(status);
    assert_closes(&p, fmax(1.0, sqrt(p.orbit->energy)));
    problem_clear(&p);
}

TEST(unit, larger_chains_and_bars_are_solved_as_well) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    const int sizes[2] = {10, 50};
    for (int i = 0; i < 2; i++) {
        carom_linear_system *chain;
        carom_linear_system *bar;
        carom_clamped_bar_params params = carom_clamped_bar_params_default();
        params.elements = sizes[i];
        assert_ok(carom_serial_chain_uniform_alloc(sizes[i], 1.0, &chain, NULL));
        assert_ok(carom_clamped_bar_alloc(&params, &bar, NULL));
        assert_solves_large(generator, chain, i == 0 ? 3 : 2);
        assert_solves_large(generator, bar, i == 0 ? 2 : 1);
    }
    gsl_rng_free(generator);
}
