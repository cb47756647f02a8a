/*
 * The impact equations as a system: its Jacobian against differences, its rank at solutions
 * (theorem 3.3, corollary 3.1 of thorin-2017), and the agreement of its two forms, with and without
 * amplitudes of resonant modes, near and at harmonics.
 */
#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit.h>

#include "independent.h"

#include <stdbool.h>

static const unsigned long SEED = 19121105;

enum { MAX_N = 6, MAX_K = 6, MAX_UNKNOWNS = 2 * MAX_K + 1 + 2 * MAX_N };

/** A random structure with its equations. */
typedef struct draw {
    int n;
    int k;
    carom_linear_system *system;
    physical *structure;
    carom_modal_basis *basis;
    carom_impact_equations *equations;
} draw;

static void draw_make(gsl_rng *generator, int round, double g_0, draw *d) {
    d->n = 2 + round % (MAX_N - 1);
    d->k = 1 + round / 5 % MAX_K;
    d->system = random_structure(generator, d->n, (random_contact)(round % 3), g_0);
    d->structure = physical_alloc(d->system);
    assert_ok(carom_modal_basis_compute(d->system, &d->basis, NULL));
    assert_ok(carom_impact_equations_alloc(d->basis, d->k, &d->equations));
}

static void draw_clear(draw *d) {
    carom_impact_equations_free(d->equations);
    carom_modal_basis_free(d->basis);
    physical_free(d->structure);
    carom_linear_system_free(d->system);
}

/** Unknowns of order one in all places. */
static void random_unknowns(gsl_rng *generator, int k, int count, double *y) {
    for (int i = 0; i < count; i++) {
        y[i] = i < k ? uniform(generator, 0.3, 3.0) : uniform(generator, -1.0, 1.0);
    }
}

static double period_of(int k, const double *y) {
    double period = 0.0;
    for (int j = 0; j < k; j++) {
        period += y[j];
    }
    return period;
}

/** Move the last flight so that the period is a given one; false if no flight is left. */
static bool set_period(int k, double period, double *y) {
    y[k - 1] += period - period_of(k, y);
    return y[k - 1] > 0.1;
}

/** The smallest |sin(w T/2)| of the modes that are not resonant: of all with a larger one. */
static double smallest_sine_above(const carom_modal_basis *basis, double period, double threshold) {
    double smallest = 1.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double sine = fabs(sin(0.5 * basis->frequency[l] * period));
        smallest = sine >= threshold ? fmin(smallest, sine) : smallest;
    }
    return smallest;
}

/** Every column of the Jacobian against differences of fourth order. */
static void assert_jacobian_is_derivative(draw *d, int r, const double *y) {
    const int rows = 2 * d->k + 2 * r;
    const int columns = rows + 1;
    double J[(MAX_UNKNOWNS - 1) * MAX_UNKNOWNS];
    double F[4][MAX_UNKNOWNS];
    double at[MAX_UNKNOWNS];
    for (int i = 0; i < rows * columns; i++) {
        J[i] = (double)NAN;
    }
    carom_impact_equations_evaluate(d->equations, y, F[0], J);
    double largest = 1.0;
    for (int i = 0; i < rows * columns; i++) {
        largest = fmax(largest, fabs(J[i]));
    }
    // Step h: error h^4 times fifth derivatives (1e4 of the largest entry at |sin| = 0.15), and
    // rounding of F over h: 1e-10 each.
    const double h = 3e-4;
    const double shifts[4] = {-2.0, -1.0, 1.0, 2.0};
    for (int c = 0; c < columns; c++) {
        for (int s = 0; s < 4; s++) {
            memcpy(at, y, sizeof at);
            at[c] += shifts[s] * h;
            carom_impact_equations_evaluate(d->equations, at, F[s], NULL);
        }
        for (int i = 0; i < rows; i++) {
            const double slope = (F[0][i] - 8.0 * F[1][i] + 8.0 * F[2][i] - F[3][i]) / (12.0 * h);
            assert_close(J[i * columns + c], slope, 0.0, 1e-9 * largest);
        }
    }
}

TEST(property, the_jacobian_is_the_derivative_of_the_residual) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 300; round++) {
        draw d;
        draw_make(generator, round, 0.6, &d);
        double y[MAX_UNKNOWNS] = {0.0};
        do {
            random_unknowns(generator, d.k, 2 * d.k + 1, y);
        } while (smallest_sine_above(d.basis, period_of(d.k, y), 0.0) < 0.15);
        assert_jacobian_is_derivative(&d, 0, y);
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}

TEST(property, the_jacobian_is_exact_at_a_harmonic_too) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    int tested = 0;
    for (int round = 0; round < 300; round++) {
        draw d;
        draw_make(generator, round, 0.6, &d);
        double y[MAX_UNKNOWNS] = {0.0};
        random_unknowns(generator, d.k, MAX_UNKNOWNS, y);
        const int mode = (int)gsl_rng_uniform_int(generator, (unsigned)d.basis->visible_count);
        const double harmonic = (1 + round % 2) * 2.0 * M_PI / d.basis->frequency[mode];
        if (set_period(d.k, harmonic, y) && smallest_sine_above(d.basis, harmonic, 1e-9) > 0.15) {
            const int r = carom_impact_equations_choose_resonant(d.equations, harmonic, 1e-9);
            ck_assert_int_eq(r, 1);
            assert_jacobian_is_derivative(&d, r, y);
            tested++;
        }
        draw_clear(&d);
    }
    ck_assert_int_gt(tested, 50);
    gsl_rng_free(generator);
}

TEST(property, resonant_amplitudes_change_the_form_of_the_equations_and_not_what_they_say) {
    // With p + i q as the flight times give them, the first 2k residuals are those of the form
    // without amplitudes, and the state is that of the motion under impulses.
    gsl_rng *generator = seeded_generator(SEED + 2);
    int tested = 0;
    for (int round = 0; round < 300; round++) {
        draw d;
        draw_make(generator, round, 0.6, &d);
        double y[MAX_UNKNOWNS] = {0.0};
        random_unknowns(generator, d.k, 2 * d.k + 1, y);
        const int mode = (int)gsl_rng_uniform_int(generator, (unsigned)d.basis->visible_count);
        const double offset = pow(10.0, uniform(generator, -4.0, -1.0));
        const double period = 2.0 * M_PI / d.basis->frequency[mode] * (1.0 + offset);
        if (set_period(d.k, period, y) && smallest_sine_above(d.basis, period, 0.0) > 1e-5) {
            double plain[MAX_UNKNOWNS];
            double F[MAX_UNKNOWNS];
            (void)carom_impact_equations_choose_resonant(d.equations, period, 0.0);
            carom_impact_equations_evaluate(d.equations, y, plain, NULL);
            const int r = carom_impact_equations_choose_resonant(d.equations, period, 0.4);
            ck_assert_int_ge(r, 1);
            carom_impact_equations_guess_resonant(d.equations, y);
            carom_impact_equations_evaluate(d.equations, y, F, NULL);
            // Everything is divided by the smallest sine, and so are its roundings; the phase w T/2
            // itself is uncertain by some roundings, which divides once more.
            const double sine = smallest_sine_above(d.basis, period, 0.0);
            const double size = 1e-14 / (sine * sine);
            for (int i = 0; i < 2 * d.k + 2 * r; i++) {
                assert_close(F[i], i < 2 * d.k ? plain[i] : 0.0, 0.0, size);
            }
            double state[2 * MAX_N];
            double x[2 * MAX_N];
            double forced[2 * MAX_N];
            carom_impact_equations_state(d.equations, y, state);
            carom_modal_basis_expand(d.basis, state, x, x + d.n);
            physical_forced_state(d.structure, d.k, y, y + d.k, forced);
            assert_close(physical_distance(d.structure, forced, x), 0.0, 0.0, 1e-13 / sine);
            tested++;
        }
        draw_clear(&d);
    }
    ck_assert_int_gt(tested, 100);
    gsl_rng_free(generator);
}

/** A free state of a mode added at its harmonic keeps a forced motion periodic and forced. */
TEST(property, at_a_harmonic_the_resonant_form_describes_forced_motions_with_free_amplitudes) {
    // T = T_l and sum lambda_j e^{i w t_j} = 0 (two impulses half a period apart): any p + i q.
    gsl_rng *generator = seeded_generator(SEED + 3);
    int tested = 0;
    for (int round = 0; round < 100; round++) {
        draw d;
        draw_make(generator, round % 5 + 5, 0.6, &d); // k = 2
        const int mode = (int)gsl_rng_uniform_int(generator, (unsigned)d.basis->visible_count);
        const double period = 2.0 * M_PI / d.basis->frequency[mode];
        if (smallest_sine_above(d.basis, period, 1e-9) > 0.1) {
            const double amplitude[2] = {uniform(generator, -1.0, 1.0),
                                         uniform(generator, -1.0, 1.0)};
            const double y[MAX_UNKNOWNS] = {0.5 * period, 0.5 * period, 0.7,         0.7,
                                            0.6,          amplitude[0], amplitude[1]};
            ck_assert_int_eq(carom_impact_equations_choose_resonant(d.equations, period, 1e-9), 1);
            double F[MAX_UNKNOWNS];
            double state[2 * MAX_N];
            double x[2 * MAX_N];
            double start[2 * MAX_N];
            carom_impact_equations_evaluate(d.equations, y, F, NULL);
            assert_close(F[4], 0.0, 0.0, 1e-14);
            assert_close(F[5], 0.0, 0.0, 1e-14);
            carom_impact_equations_state(d.equations, y, state);
            carom_modal_basis_expand(d.basis, state, x, x + d.n);
            memcpy(start, x, sizeof x);
            for (int j = 0; j < 2; j++) {
                physical_fly(d.structure, y[j], x);
                const double root = sqrt(d.structure->inverse_mass);
                const double approach = -physical_along_normal(d.structure, x + d.n) / root;
                const double position = physical_along_normal(d.structure, x);
                // F = (Pi lambda, Sigma lambda + g) as in the regular form: lambda - approach
                // speed, and the gap.
                assert_close(F[j], y[2 + j] - approach, 0.0, 1e-12);
                assert_close(F[2 + j], position + y[4], 0.0, 1e-12);
                for (int i = 0; i < d.n; i++) {
                    x[d.n + i] += 2.0 * y[2 + j] / root * d.structure->push[i];
                }
            }
            assert_close(physical_distance(d.structure, start, x), 0.0, 0.0, 1e-12);
            tested++;
        }
        draw_clear(&d);
    }
    ck_assert_int_gt(tested, 30);
    gsl_rng_free(generator);
}

/** Singular values of the columns (sigma, lambda) of the Jacobian, and its null vector. */
static void values_at_solution(draw *d, const carom_orbit *orbit, double g, double *values,
                               double *null_vector) {
    const int size = 2 * d->k;
    double y[MAX_UNKNOWNS];
    double F[MAX_UNKNOWNS];
    double J[(MAX_UNKNOWNS - 1) * MAX_UNKNOWNS];
    memcpy(y, orbit->flight_times, (size_t)d->k * sizeof(double));
    memcpy(y + d->k, orbit->lambda, (size_t)d->k * sizeof(double));
    y[size] = g;
    (void)carom_impact_equations_choose_resonant(d->equations, orbit->period, 0.0);
    carom_impact_equations_evaluate(d->equations, y, F, J);
    gsl_matrix_const_view whole = gsl_matrix_const_view_array(J, (size_t)size, (size_t)size + 1);
    gsl_matrix_const_view part =
        gsl_matrix_const_submatrix(&whole.matrix, 0, 0, (size_t)size, (size_t)size);
    gsl_matrix *V = gsl_matrix_alloc((size_t)size, (size_t)size);
    singular_values(&part.matrix, values, V);
    for (int i = 0; i < size; i++) {
        null_vector[i] = gsl_matrix_get(V, (size_t)i, (size_t)size - 1);
    }
    gsl_matrix_free(V);
}

/** Solve from random flight times; whether it converged away from harmonics, to moderate lambda. */
static bool solve_from(gsl_rng *generator, draw *d, const carom_orbit_target *target,
                       carom_orbit *orbit) {
    carom_orbit_solver *solver;
    double sigma[MAX_K];
    random_unknowns(generator, d->k, d->k, sigma);
    assert_ok(carom_orbit_solver_alloc(d->basis, d->k, &solver));
    const carom_status status = carom_orbit_solve(solver, sigma, NULL, target, NULL, orbit, NULL);
    carom_orbit_solver_free(solver);
    bool is_moderate = status == CAROM_OK;
    for (int j = 0; is_moderate && j < d->k; j++) {
        is_moderate = fabs(orbit->lambda[j]) > 1e-2 && fabs(orbit->lambda[j]) < 10.0 &&
                      orbit->flight_times[j] > 0.05;
    }
    return is_moderate && smallest_sine_above(d->basis, orbit->period, 0.0) > 0.1;
}

TEST(property, solutions_form_curves_when_the_gap_is_not_zero) {
    // Rank 2k - 1 of 2k columns. Degenerate solutions have probability zero; a few nearly
    // degenerate ones are allowed.
    gsl_rng *generator = seeded_generator(SEED + 4);
    int solved = 0;
    int generic = 0;
    for (int round = 0; round < 400; round++) {
        draw d;
        carom_orbit *orbit;
        draw_make(generator, round, 0.6, &d);
        assert_ok(carom_orbit_alloc(d.basis, d.k, &orbit));
        if (solve_from(generator, &d, NULL, orbit)) {
            double values[2 * MAX_K];
            double tangent[2 * MAX_K];
            values_at_solution(&d, orbit, 0.6, values, tangent);
            solved++;
            generic += values[2 * d.k - 2] > 1e-4 * values[0] ? 1 : 0;
            // The solver's tolerance 1e-12, times curvature of the equations.
            assert_close(values[2 * d.k - 1], 0.0, 0.0, 1e-9 * values[0]);
        }
        carom_orbit_free(orbit);
        draw_clear(&d);
    }
    ck_assert_int_gt(solved, 100);
    ck_assert_int_ge(generic, solved * 95 / 100);
    gsl_rng_free(generator);
}

TEST(property, solutions_without_a_gap_are_isolated_but_for_their_amplitude) {
    // Corollary 3.1: the null vector of the Jacobian is (0, lambda), all of it in the amplitude.
    gsl_rng *generator = seeded_generator(SEED + 5);
    int solved = 0;
    int generic = 0;
    for (int round = 0; round < 400; round++) {
        draw d;
        carom_orbit *orbit;
        draw_make(generator, round, 0.6, &d);
        assert_ok(carom_orbit_alloc(d.basis, d.k, &orbit));
        const carom_orbit_target target = {(double)NAN, 0, 0.0};
        if (solve_from(generator, &d, &target, orbit)) {
            double values[2 * MAX_K];
            double null_vector[2 * MAX_K];
            values_at_solution(&d, orbit, 0.0, values, null_vector);
            double norm = 0.0;
            double along = 0.0;
            for (int j = 0; j < d.k; j++) {
                norm += orbit->lambda[j] * orbit->lambda[j];
                along += orbit->lambda[j] * null_vector[d.k + j];
            }
            assert_close(sqrt(norm), 1.0, 1e-12, 0.0);
            assert_close(values[2 * d.k - 1], 0.0, 0.0, 1e-9 * values[0]);
            solved++;
            if (values[2 * d.k - 2] > 1e-4 * values[0]) {
                assert_close(fabs(along), 1.0, 1e-9, 0.0);
                generic++;
            }
        }
        carom_orbit_free(orbit);
        draw_clear(&d);
    }
    ck_assert_int_gt(solved, 60);
    ck_assert_int_ge(generic, solved * 95 / 100);
    gsl_rng_free(generator);
}
