#include "../failing_malloc.h"
#include "../support.h"

#include <carom/models/serial_chain.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>
#include <gsl/gsl_math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/** The chain of the paper with a gap, a solver and an orbit for k impacts. */
typedef struct bench {
    carom_modal_basis *basis;
    carom_orbit_solver *solver;
    carom_orbit *orbit;
} bench;

static bench set_up(double gap, int k) {
    carom_linear_system *system = NULL;
    bench b = {.basis = NULL};
    assert_ok(carom_serial_chain_uniform_alloc(5, gap, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &b.basis, NULL));
    carom_linear_system_free(system);
    assert_ok(carom_orbit_solver_alloc(b.basis, k, &b.solver));
    assert_ok(carom_orbit_alloc(b.basis, k, &b.orbit));
    return b;
}

static void tear_down(bench *b) {
    carom_orbit_free(b->orbit);
    carom_orbit_solver_free(b->solver);
    carom_modal_basis_free(b->basis);
}

TEST(unit, one_impact_at_a_period_is_the_closed_form) {
    bench b = set_up(1.0, 1);
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    for (int i = 0; i < 400; i++) {
        target.period = 0.3 + 0.0171 * i;
        const carom_kernels kernels = carom_kernels_evaluate(b.basis, target.period, target.period);
        assert_ok(carom_orbit_solve(b.solver, (double[]){1.0}, NULL, &target, NULL, b.orbit, NULL));
        // lambda = -g_0/Gamma; near its poles and roots the closed form itself loses digits.
        const double conditioning =
            1e-15 * (1.0 + fabs(kernels.gap_by_period * target.period / kernels.gap));
        assert_close(b.orbit->lambda[0], -1.0 / kernels.gap, 1e-12 + 10.0 * conditioning, 0.0);
        ck_assert_double_lt(b.orbit->residual, 1e-12);
    }
    tear_down(&b);
}

TEST(unit, periods_that_are_harmonics_have_solutions) {
    bench b = set_up(1.0, 1);
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    for (int mode = 0; mode < 5; mode++) {
        for (int multiple = 1; multiple <= 4; multiple++) {
            const double omega = b.basis->frequency[mode];
            const double rho = b.basis->participation[mode];
            target.period = multiple * 2.0 * M_PI / omega;
            assert_ok(
                carom_orbit_solve(b.solver, &target.period, NULL, &target, NULL, b.orbit, NULL));
            // The grazing linear mode: x_c = d at rest, energy w^2 d^2/(2 G rho^2) (spec 2.17 H).
            assert_close(b.orbit->lambda[0], 0.0, 0.0, 1e-12);
            const double energy = omega * omega / (2.0 * 5.0 * rho * rho);
            assert_close(b.orbit->energy, energy, 1e-11, 0.0);
            assert_close(carom_modal_basis_contact_displacement(b.basis, b.orbit->state), 1.0,
                         1e-12, 0.0);
        }
    }
    tear_down(&b);
}

TEST(unit, a_solution_is_its_own_guess) {
    bench b = set_up(1.0, 2);
    const double guess[2] = {1.78, 1.01};
    assert_ok(carom_orbit_solve(b.solver, guess, NULL, NULL, NULL, b.orbit, NULL));
    const double sigma = b.orbit->flight_times[0];
    const double lambda = b.orbit->lambda[1];
    // Guess and result share their memory.
    assert_ok(carom_orbit_solve(b.solver, b.orbit->flight_times, b.orbit->lambda, NULL, NULL,
                                b.orbit, NULL));
    assert_close(b.orbit->flight_times[0], sigma, 1e-14, 0.0);
    assert_close(b.orbit->lambda[1], lambda, 1e-13, 0.0);
    tear_down(&b);
}

TEST(unit, the_nearest_solution_is_found) {
    bench b = set_up(1.0, 2);
    const double guess[2] = {1.78, 1.01};
    assert_ok(carom_orbit_solve(b.solver, guess, NULL, NULL, NULL, b.orbit, NULL));
    const double sigma[2] = {b.orbit->flight_times[0], b.orbit->flight_times[1]};
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    // Two neighbours on the curve give its direction in (sigma, lambda): an offset across it, of
    // length delta, may move the result along it by delta^2 only.
    target.period = b.orbit->period + 1e-5;
    double lambda[2] = {b.orbit->lambda[0], b.orbit->lambda[1]};
    assert_ok(carom_orbit_solve(b.solver, sigma, lambda, &target, NULL, b.orbit, NULL));
    const double mean = 0.5 * (sigma[0] + sigma[1]);
    const double unit = fmax(lambda[0], 1.0 / (sqrt(5.0) * mean)); // of lambda, as documented
    double along[4];
    double square = 0.0;
    for (int j = 0; j < 2; j++) {
        along[j] = (b.orbit->flight_times[j] - sigma[j]) / mean;
        along[2 + j] = (b.orbit->lambda[j] - lambda[j]) / unit;
        square += along[j] * along[j] + along[2 + j] * along[2 + j];
    }
    const double delta = 1e-4;
    double offset[4] = {delta, -0.3 * delta, 0.7 * delta, 0.2 * delta};
    double projection = 0.0;
    for (int i = 0; i < 4; i++) {
        projection += offset[i] * along[i] / square;
    }
    double start[2];
    double start_lambda[2];
    for (int j = 0; j < 2; j++) {
        start[j] = sigma[j] + mean * (offset[j] - projection * along[j]);
        start_lambda[j] = lambda[j] + unit * (offset[2 + j] - projection * along[2 + j]);
    }
    assert_ok(carom_orbit_solve(b.solver, start, start_lambda, NULL, NULL, b.orbit, NULL));
    double moved = 0.0;
    for (int j = 0; j < 2; j++) {
        moved += along[j] * (b.orbit->flight_times[j] - sigma[j]) / mean / sqrt(square);
        moved += along[2 + j] * (b.orbit->lambda[j] - lambda[j]) / unit / sqrt(square);
    }
    ck_assert_double_lt(fabs(moved), 100.0 * delta * delta);
    tear_down(&b);
}

TEST(unit, grazings_and_periods_are_landed_on) {
    bench b = set_up(1.0, 2);
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    target.grazing_impact = 1;
    // Specification 5.4 [C]: the family at T = 3.748044460919 ends in one impact and one graze.
    const double guess[2] = {0.2926, 3.4555};
    assert_ok(
        carom_orbit_solve(b.solver, guess, (double[]){0.0, 1.2}, &target, NULL, b.orbit, NULL));
    assert_close(b.orbit->lambda[0], 0.0, 0.0, 1e-14);
    assert_close(b.orbit->lambda[1], 1.210884402901, 2e-12, 0.0);
    assert_close(b.orbit->period, 3.748044460919, 0.0, 1e-12);
    assert_close(b.orbit->flight_times[0], 0.292658294206, 0.0, 1e-12);
    target = carom_orbit_target_default(b.basis);
    target.period = 2.76;
    assert_ok(
        carom_orbit_solve(b.solver, (double[]){1.72, 1.04}, NULL, &target, NULL, b.orbit, NULL));
    assert_close(b.orbit->period, 2.76, 1e-15, 0.0);
    assert_close(b.orbit->flight_times[0], 1.723490178455, 0.0, 1e-12);
    tear_down(&b);
}

TEST(unit, without_a_gap_solutions_are_isolated) {
    bench b = set_up(1.0, 1);
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    target.gap_at_rest = 0.0;
    // Specification 5.2 [C]: roots of phi_c.
    static const double roots[] = {0.653492721951, 0.739458874176, 0.928250637931, 1.295675618606,
                                   1.339497835007, 1.495351441282, 1.853114563879};
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        const double guess = roots[i] * (i % 2 == 0 ? 1.0002 : 0.9998);
        assert_ok(carom_orbit_solve(b.solver, &guess, NULL, &target, NULL, b.orbit, NULL));
        assert_close(b.orbit->period, roots[i], 0.0, 1e-12);
        assert_close(fabs(b.orbit->lambda[0]), 1.0, 1e-12, 0.0);
    }
    tear_down(&b);
}

TEST(property, equations_keep_their_redundancy_at_any_unknowns) {
    // l'F = 0 identically in y, also away from solutions and with resonant modes.
    bench b = set_up(1.0, 3);
    carom_impact_equations *equations = NULL;
    assert_ok(carom_impact_equations_alloc(b.basis, 3, &equations));
    gsl_rng *generator = seeded_generator(11);
    for (int trial = 0; trial < 200; trial++) {
        const double harmonic = (1 + trial % 4) * 2.0 * M_PI / b.basis->frequency[trial % 5];
        double y[7 + 2 * CAROM_IMPACT_RESONANT_MAX];
        y[0] = uniform(generator, 0.1, 0.4) * harmonic;
        y[1] = uniform(generator, 0.1, 0.4) * harmonic;
        y[2] = harmonic * (1.0 + uniform(generator, -1e-4, 1e-4)) - y[0] - y[1];
        const int r = carom_impact_equations_choose_resonant(equations, y[0] + y[1] + y[2],
                                                             trial % 3 == 0 ? 0.0 : 0.02);
        for (int i = 3; i < 7 + 2 * r; i++) {
            y[i] = uniform(generator, -1.0, 1.0);
        }
        double F[6 + 2 * CAROM_IMPACT_RESONANT_MAX];
        double l[6 + 2 * CAROM_IMPACT_RESONANT_MAX];
        carom_impact_equations_evaluate(equations, y, F, NULL);
        carom_impact_equations_redundancy(equations, y, l);
        double sum = 0.0;
        double size = 0.0;
        for (int i = 0; i < 6 + 2 * r; i++) {
            sum += l[i] * F[i];
            size += fabs(l[i] * F[i]);
        }
        // Without resonant modes F holds terms 1e4 times larger than what cancels.
        ck_assert_double_lt(fabs(sum), 1e-12 * size + 1e-10);
    }
    gsl_rng_free(generator);
    carom_impact_equations_free(equations);
    tear_down(&b);
}

TEST(unit, resonant_modes_are_the_nearest_to_their_harmonics) {
    carom_linear_system *system = NULL;
    carom_modal_basis *basis = NULL;
    assert_ok(carom_serial_chain_uniform_alloc(60, 1.0, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    carom_impact_equations *equations = NULL;
    assert_ok(carom_impact_equations_alloc(basis, 1, &equations));
    const double period = 37.123;
    const int r = carom_impact_equations_choose_resonant(equations, period, 2.0);
    ck_assert_int_eq(r, CAROM_IMPACT_RESONANT_MAX);
    const int *modes = carom_impact_equations_resonant_modes(equations);
    double farthest = 0.0;
    for (int i = 0; i < r; i++) {
        ck_assert(i == 0 || modes[i] > modes[i - 1]);
        farthest = fmax(farthest, fabs(sin(0.5 * basis->frequency[modes[i]] * period)));
    }
    int nearer = 0;
    for (int l = 0; l < 60; l++) {
        nearer += fabs(sin(0.5 * basis->frequency[l] * period)) <= farthest;
    }
    ck_assert_int_eq(nearer, r);
    carom_impact_equations_free(equations);
    carom_modal_basis_free(basis);
}

TEST(errors, refuses_what_is_no_guess) {
    bench b = set_up(1.0, 2);
    carom_report report = carom_report_empty();
    assert_status(
        carom_orbit_solve(b.solver, (double[]){1.0, -0.5}, NULL, NULL, NULL, b.orbit, &report),
        OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "flight time");
    ck_assert_int_eq(report.index, 1);
    assert_close(report.value, -0.5, 0.0, 0.0);
    ck_assert(isnan(b.orbit->period) && isnan(b.orbit->state[3]));
    assert_status(carom_orbit_solve(b.solver, (double[]){(double)NAN, 1.0}, NULL, NULL, NULL,
                                    b.orbit, &report),
                  NOT_FINITE);
    assert_status(carom_orbit_solve(b.solver, (double[]){1.0, 1.0},
                                    (double[]){(double)INFINITY, 1.0}, NULL, NULL, b.orbit,
                                    &report),
                  NOT_FINITE);
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    target.period = -2.0;
    assert_status(
        carom_orbit_solve(b.solver, (double[]){1.0, 1.0}, NULL, &target, NULL, b.orbit, &report),
        OUT_OF_RANGE);
    // So short that any motion closes to rounding; so long that phases have no digits.
    assert_status(
        carom_orbit_solve(b.solver, (double[]){1e-11, 1e-11}, NULL, NULL, NULL, b.orbit, &report),
        OUT_OF_RANGE);
    assert_status(
        carom_orbit_solve(b.solver, (double[]){1e30, 1.0}, NULL, NULL, NULL, b.orbit, &report),
        OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "period");
    target = carom_orbit_target_default(b.basis);
    target.grazing_impact = 3;
    assert_status(
        carom_orbit_solve(b.solver, (double[]){1.0, 1.0}, NULL, &target, NULL, b.orbit, &report),
        OUT_OF_RANGE);
    target = carom_orbit_target_default(b.basis);
    target.gap_at_rest = (double)NAN;
    assert_status(
        carom_orbit_solve(b.solver, (double[]){1.0, 1.0}, NULL, &target, NULL, b.orbit, &report),
        NOT_FINITE);
    tear_down(&b);
}

TEST(errors, says_how_far_it_came_without_a_solution) {
    bench b = set_up(1.0, 2);
    carom_report report = carom_report_empty();
    carom_orbit_solver_params params = carom_orbit_solver_params_default();
    params.max_iterations = 2;
    assert_status(
        carom_orbit_solve(b.solver, (double[]){0.9, 0.2}, NULL, NULL, &params, b.orbit, &report),
        NOT_CONVERGED);
    ck_assert_str_eq(report.quantity, "residual of the impact equations");
    ck_assert_double_gt(report.residual, 1e-12);
    ck_assert_int_eq(report.iterations, 2);
    ck_assert(isnan(b.orbit->lambda[0]));
    // Between harmonics one impact without a gap exists at one period only: here there is none.
    carom_orbit_solver *solver = NULL;
    carom_orbit *orbit = NULL;
    assert_ok(carom_orbit_solver_alloc(b.basis, 1, &solver));
    assert_ok(carom_orbit_alloc(b.basis, 1, &orbit));
    carom_orbit_target target = carom_orbit_target_default(b.basis);
    target.gap_at_rest = 0.0;
    target.period = 1.1;
    assert_status(carom_orbit_solve(solver, (double[]){1.1}, NULL, &target, NULL, orbit, &report),
                  NOT_CONVERGED);
    carom_orbit_free(orbit);
    carom_orbit_solver_free(solver);
    carom_orbit_solver *none = NULL;
    carom_orbit *no_orbit = NULL;
    carom_impact_equations *no_equations = NULL;
    assert_status(carom_orbit_solver_alloc(b.basis, 0, &none), OUT_OF_RANGE);
    assert_status(carom_orbit_alloc(b.basis, 0, &no_orbit), OUT_OF_RANGE);
    assert_status(carom_impact_equations_alloc(b.basis, 0, &no_equations), OUT_OF_RANGE);
    tear_down(&b);
}

TEST(errors, parameters_that_accept_anything_or_nothing_are_refused) {
    bench b = set_up(1.0, 2);
    const double tolerances[] = {(double)NAN, -1.0, 0.0, 1e300};
    const double flights[] = {(double)NAN, -1.0, 1.0};
    carom_orbit_solver_params params = carom_orbit_solver_params_default();
    carom_report report = carom_report_empty();
    const double *guess = (double[]){1.0, 1.0};
    for (int i = 0; i < 4; i++) {
        params.tolerance = tolerances[i];
        assert_status(carom_orbit_solve(b.solver, guess, NULL, NULL, &params, b.orbit, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "tolerance");
        ck_assert(isnan(b.orbit->period));
    }
    params = carom_orbit_solver_params_default();
    for (int i = 0; i < 3; i++) {
        params.smallest_flight = flights[i];
        assert_status(carom_orbit_solve(b.solver, guess, NULL, NULL, &params, b.orbit, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "smallest flight");
    }
    params = carom_orbit_solver_params_default();
    params.max_iterations = 0;
    assert_status(carom_orbit_solve(b.solver, guess, NULL, NULL, &params, b.orbit, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "iterations");
    tear_down(&b);
}

#ifndef __SANITIZE_ADDRESS__
/** Calls that are the programmer's errors; each ends in an abort that names the function. */
ABORT_TEST(errors, arguments_that_are_not_there_abort, 7) {
    bench b = set_up(1.0, 2);
    carom_modal_basis *basis = NULL;
    carom_orbit *orbit = NULL;
    carom_orbit_solver *solver = NULL;
    double guess[2] = {1.0, 1.0};
    switch (_i) {
    case 0:
        (void)!carom_orbit_solve(NULL, guess, NULL, NULL, NULL, b.orbit, NULL);
        break;
    case 1:
        (void)!carom_orbit_solve(b.solver, NULL, NULL, NULL, NULL, b.orbit, NULL);
        break;
    case 2:
        (void)!carom_orbit_solve(b.solver, guess, NULL, NULL, NULL, NULL, NULL);
        break;
    case 3:
        (void)!carom_modal_basis_compute(NULL, &basis, NULL);
        break;
    case 4:
        carom_modal_basis_rotate(b.basis, 1.0, NULL);
        break;
    case 5:
        (void)!carom_orbit_alloc(NULL, 2, &orbit);
        break;
    default:
        (void)!carom_orbit_solver_alloc(b.basis, 2, NULL);
        break;
    }
    carom_orbit_solver_free(solver);
}
#endif

TEST(errors, matrices_at_a_harmonic_are_refused) {
    bench b = set_up(1.0, 2);
    carom_impact_equations *equations = NULL;
    assert_ok(carom_impact_equations_alloc(b.basis, 2, &equations));
    const double harmonic = 2.0 * M_PI / b.basis->frequency[1];
    const double flight_times[2] = {0.3 * harmonic, 0.7 * harmonic};
    double Pi[4];
    double Sigma[4];
    assert_status(carom_impact_equations_matrices(equations, flight_times, Pi, Sigma), SINGULAR);
    ck_assert(isnan(Pi[1]) && isnan(Sigma[0]));
    memcpy(b.orbit->flight_times, flight_times, sizeof flight_times);
    b.orbit->lambda[0] = 0.3;
    b.orbit->lambda[1] = 0.2;
    assert_status(carom_orbit_complete(b.basis, b.orbit), SINGULAR);
    carom_impact_equations_free(equations);
    tear_down(&b);
}

TEST(errors, failing_allocations_leave_nothing_behind) {
    bench b = set_up(1.0, 2);
    int failures = 0;
    carom_orbit_solver *solver = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (int k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        successes_left = k;
        status = carom_orbit_solver_alloc(b.basis, 2, &solver);
        successes_left = -1;
        failures += status == CAROM_STATUS_OUT_OF_MEMORY;
    }
    assert_ok(status);
    ck_assert_int_eq(failures, 3);
    // Solving asks for no memory.
    successes_left = 0;
    status = carom_orbit_solve(solver, (double[]){1.78, 1.01}, NULL, NULL, NULL, b.orbit, NULL);
    successes_left = -1;
    assert_ok(status);
    carom_orbit_solver_free(solver);
    tear_down(&b);
}
