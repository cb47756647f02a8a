/*
 * Laws that hold for whole families of motions (thorin-2017, sections 5, 6 and appendix A): time
 * symmetry of symmetric sequences, scaling with the gap, change of units and of coordinates, and
 * the relation between energy, period and impulses; on solved orbits, in physical coordinates.
 */
#include <carom/models/serial_chain.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit.h>

#include "independent.h"

#include <stdbool.h>

static const unsigned long SEED = 19180726;

enum { MAX_N = 6, MAX_K = 7 };

/** Index i of a k-periodic list that starts at 1: 1..k. */
static int wrap(int i, int k) {
    const int rest = ((i - 1) % k + k) % k;
    return rest + 1;
}

/** Random flight times with sigma_i = sigma_{a-i} for all i (mod k). */
static void symmetric_flights(gsl_rng *generator, int k, int a, double *sigma) {
    for (int i = 1; i <= k; i++) {
        sigma[i - 1] = uniform(generator, 0.3, 2.5);
    }
    for (int i = 1; i <= k; i++) {
        sigma[wrap(a - i, k) - 1] = sigma[i - 1];
    }
}

/** t_i of a k-periodic sequence for any i >= 0. */
static double impact_time(int k, const double *sigma, int i) {
    double time = 0.0;
    for (int j = 1; j <= i; j++) {
        time += sigma[wrap(j, k) - 1];
    }
    return time;
}

TEST(property, symmetry_is_found_with_its_only_index_and_axes) {
    // Propositions 6.1, 6.2 and the table of the specification 2.14 (corollary 6.2, corrected).
    gsl_rng *generator = seeded_generator(SEED);
    for (int k = 3; k <= MAX_K; k++) {
        for (int a = 1; a <= k; a++) {
            double sigma[MAX_K];
            symmetric_flights(generator, k, a, sigma);
            ck_assert_int_eq(carom_sequence_symmetry(k, sigma, NULL, 1e-12), a);
            const double period = impact_time(k, sigma, k);
            const int r = (k + 1) / 2; // k = 2r - 1 or k = 2r
            const int b = a / 2;
            double first;
            double second;
            if (k % 2 == 1 && a % 2 == 0) {
                first = 0.5 * (impact_time(k, sigma, b - 1) + impact_time(k, sigma, b));
                second = impact_time(k, sigma, b + r - 1);
            } else if (k % 2 == 1) {
                first = 0.5 * (impact_time(k, sigma, b + r - 1) + impact_time(k, sigma, b + r));
                second = impact_time(k, sigma, b);
            } else if (a % 2 == 0) {
                first = 0.5 * (impact_time(k, sigma, b - 1) + impact_time(k, sigma, b));
                second = 0.5 * (impact_time(k, sigma, b + r - 1) + impact_time(k, sigma, b + r));
            } else {
                first = impact_time(k, sigma, b);
                second = impact_time(k, sigma, b + r);
            }
            double axes[2] = {(double)NAN, (double)NAN};
            carom_sequence_axes(k, sigma, a, axes);
            ck_assert_msg(axes[0] < axes[1], "axes ascend");
            const double expected[2] = {first, second};
            for (int e = 0; e < 2; e++) {
                // Modulo the period, so compared on the circle.
                const double angle = 2.0 * M_PI / period;
                const double to_first = fabs(sin(0.5 * angle * (expected[e] - axes[0])));
                const double to_second = fabs(sin(0.5 * angle * (expected[e] - axes[1])));
                assert_close(fmin(to_first, to_second), 0.0, 0.0, 1e-14);
            }
        }
    }
    gsl_rng_free(generator);
}

TEST(property, the_matrices_of_a_symmetric_sequence_are_symmetric_under_its_reversal) {
    // Proposition 6.3: with tau(i) = a - 1 - i, Pi_ij = Pi_{tau(j) tau(i)} and Sigma likewise.
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 200; round++) {
        const int k = 1 + round % MAX_K;
        const int a = 1 + (int)gsl_rng_uniform_int(generator, (unsigned)k);
        carom_linear_system *system =
            random_structure(generator, 2 + round % 5, (random_contact)(round % 3), 1.0);
        carom_modal_basis *basis;
        carom_impact_equations *equations;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        assert_ok(carom_impact_equations_alloc(basis, k, &equations));
        double sigma[MAX_K];
        double Pi[MAX_K * MAX_K];
        double Sigma[MAX_K * MAX_K];
        symmetric_flights(generator, k, a, sigma);
        assert_ok(carom_impact_equations_matrices(equations, sigma, Pi, Sigma));
        double largest = 1.0;
        for (int i = 0; i < k * k; i++) {
            largest = fmax(largest, fmax(fabs(Pi[i]), fabs(Sigma[i])));
        }
        for (int i = 1; i <= k; i++) {
            for (int j = 1; j <= k; j++) {
                const int entry = (i - 1) * k + j - 1;
                const int image = (wrap(a - 1 - j, k) - 1) * k + wrap(a - 1 - i, k) - 1;
                // Phases w t differ by rounding, which 1/sin(w T/2) enlarges: 1e-13 of the largest.
                assert_close(Pi[entry], Pi[image], 0.0, 1e-13 * largest * largest);
                assert_close(Sigma[entry], Sigma[image], 0.0, 1e-13 * largest * largest);
            }
        }
        carom_impact_equations_free(equations);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    gsl_rng_free(generator);
}

/** u(t) at t from x(0^+), by flights and reflections. */
static void position_at(const physical *p, const carom_orbit *orbit, const double *start, double t,
                        double *u) {
    double x[2 * MAX_N];
    memcpy(x, start, 2 * (size_t)p->n * sizeof(double));
    int j = 0;
    for (; j < orbit->impact_count && t > orbit->flight_times[j]; j++) {
        physical_fly(p, orbit->flight_times[j], x);
        physical_apply(p->reflection, x);
        t -= orbit->flight_times[j];
    }
    physical_fly(p, t, x);
    memcpy(u, x, (size_t)p->n * sizeof(double));
}

/** Theorem 6.4 for one orbit: lambda_{a-1-i} = lambda_i and u(t_{a-1} - t) = u(t). */
static void assert_reversible(const physical *p, const carom_modal_basis *basis,
                              const carom_orbit *orbit, int a, double tolerance) {
    const int k = orbit->impact_count;
    double start[2 * MAX_N];
    double u[MAX_N];
    double mirrored[MAX_N];
    carom_modal_basis_expand(basis, orbit->state, start, start + p->n);
    double largest = 0.0;
    for (int i = 1; i <= k; i++) {
        largest = fmax(largest, fabs(orbit->lambda[i - 1]));
    }
    for (int i = 1; i <= k; i++) {
        assert_close(orbit->lambda[wrap(a - 1 - i, k) - 1], orbit->lambda[i - 1], 0.0,
                     tolerance * largest);
    }
    const double center = impact_time(k, orbit->flight_times, a - 1);
    for (int sample = 0; sample < 5; sample++) {
        const double t = orbit->period * (0.031 + 0.19 * sample);
        const double image = fmod(center - t + orbit->period, orbit->period);
        position_at(p, orbit, start, t, u);
        position_at(p, orbit, start, image, mirrored);
        double size = 0.0;
        for (int i = 0; i < p->n; i++) {
            size = fmax(size, fabs(u[i]));
        }
        for (int i = 0; i < p->n; i++) {
            assert_close(mirrored[i], u[i], 0.0, tolerance * fmax(size, largest));
        }
    }
}

TEST(property, motions_with_symmetric_impact_times_are_symmetric_in_time) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    int tested = 0;
    for (int round = 0; round < 300; round++) {
        const int k = 2 + round % 5;
        const int a = 1 + (int)gsl_rng_uniform_int(generator, (unsigned)k);
        carom_linear_system *system =
            random_structure(generator, 2 + round / 5 % 5, (random_contact)(round % 3), 0.8);
        carom_modal_basis *basis;
        carom_orbit_solver *solver;
        carom_orbit *orbit;
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        assert_ok(carom_orbit_solver_alloc(basis, k, &solver));
        assert_ok(carom_orbit_alloc(basis, k, &orbit));
        double sigma[MAX_K];
        symmetric_flights(generator, k, a, sigma);
        const carom_status status = carom_orbit_solve(solver, sigma, NULL, NULL, NULL, orbit, NULL);
        // The steps keep the symmetry of the guess, until rounding breaks it at a branch point.
        if (status == CAROM_OK && orbit->energy < 1e4 &&
            carom_sequence_symmetry(k, orbit->flight_times, NULL, 1e-11) == a) {
            physical *structure = physical_alloc(system);
            assert_reversible(structure, basis, orbit, a, 1e-8);
            physical_free(structure);
            tested++;
        }
        carom_orbit_free(orbit);
        carom_orbit_solver_free(solver);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
    ck_assert_int_gt(tested, 100);
    gsl_rng_free(generator);
}

/** A structure, an orbit of it, and a transformed structure with its orbit. */
typedef struct pair_of_orbits {
    carom_linear_system *systems[2];
    carom_modal_basis *bases[2];
    carom_orbit *orbits[2];
} pair_of_orbits;

/**
 * Solve the first from a random guess and the second from that solution in its own units, times and
 * lambda by the given factors: there it has only to stay.
 */
static bool solve_both(gsl_rng *generator, int k, double time, double factor,
                       pair_of_orbits *pair) {
    double sigma[MAX_K];
    double lambda[MAX_K];
    for (int j = 0; j < k; j++) {
        sigma[j] = uniform(generator, 0.3, 2.5);
    }
    bool is_solved = true;
    for (int i = 0; i < 2; i++) {
        carom_orbit_solver *solver;
        assert_ok(carom_modal_basis_compute(pair->systems[i], &pair->bases[i], NULL));
        assert_ok(carom_orbit_solver_alloc(pair->bases[i], k, &solver));
        assert_ok(carom_orbit_alloc(pair->bases[i], k, &pair->orbits[i]));
        is_solved = is_solved && carom_orbit_solve(solver, sigma, i == 0 ? NULL : lambda, NULL,
                                                   NULL, pair->orbits[i], NULL) == CAROM_OK;
        for (int j = 0; i == 0 && is_solved && j < k; j++) {
            sigma[j] = time * pair->orbits[0]->flight_times[j];
            lambda[j] = factor * pair->orbits[0]->lambda[j];
        }
        carom_orbit_solver_free(solver);
    }
    return is_solved;
}

static void pair_clear(pair_of_orbits *pair) {
    for (int i = 0; i < 2; i++) {
        carom_orbit_free(pair->orbits[i]);
        carom_modal_basis_free(pair->bases[i]);
        carom_linear_system_free(pair->systems[i]);
    }
}

/** M, K, w of one system, scaled, into a new one. */
static carom_linear_system *scaled_copy(const carom_linear_system *system, double mass,
                                        double stiffness, double gap) {
    const int n = system->coordinate_count;
    carom_linear_system *copy;
    assert_ok(carom_linear_system_alloc(n, &copy));
    for (int i = 0; i < n * n; i++) {
        copy->mass[i] = mass * system->mass[i];
        copy->stiffness[i] = stiffness * system->stiffness[i];
    }
    memcpy(copy->contact_normal, system->contact_normal, (size_t)n * sizeof(double));
    copy->gap_at_rest = gap * system->gap_at_rest;
    return copy;
}

/** Times, lambda and energy of the second are those of the first times given factors. */
static void assert_proportional(const pair_of_orbits *pair, double time, double lambda,
                                double tolerance) {
    const carom_orbit *first = pair->orbits[0];
    const carom_orbit *second = pair->orbits[1];
    double largest = 0.0;
    for (int j = 0; j < first->impact_count; j++) {
        largest = fmax(largest, fabs(first->lambda[j]));
    }
    for (int j = 0; j < first->impact_count; j++) {
        assert_close(second->flight_times[j], time * first->flight_times[j], 0.0,
                     tolerance * time * first->period);
        assert_close(second->lambda[j], lambda * first->lambda[j], 0.0,
                     tolerance * fabs(lambda) * largest);
    }
    assert_close(second->energy, lambda * lambda * first->energy, tolerance, 0.0);
}

TEST(property, impact_times_depend_on_the_gap_by_its_sign_and_lambda_is_proportional_to_it) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    int tested = 0;
    for (int round = 0; round < 100; round++) {
        const double factor = round % 2 == 0 ? 2.385 : -0.617;
        pair_of_orbits pair = {.systems[0] = random_structure(generator, 2 + round % 5,
                                                              (random_contact)(round % 3), 0.8)};
        pair.systems[1] = scaled_copy(pair.systems[0], 1.0, 1.0, factor);
        if (solve_both(generator, 1 + round / 5 % 5, 1.0, factor, &pair) &&
            pair.orbits[0]->energy < 1e4) {
            // Solutions lie on curves: both stop within 1e-12 (scaled) of the same point of one.
            assert_proportional(&pair, 1.0, factor, 1e-9);
            tested++;
        }
        pair_clear(&pair);
    }
    ck_assert_int_gt(tested, 40);
    gsl_rng_free(generator);
}

TEST(property, matrices_are_the_same_in_any_units) {
    // Mass 3.7 kg, length 0.013 m, time 41 s: Pi has no unit, Sigma has m J^-1/2 = kg^-1/2 s.
    const double mass = 3.7;
    const double time = 41.0;
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int round = 0; round < 200; round++) {
        const int k = 1 + round % MAX_K;
        double sigma[2][MAX_K];
        double Pi[2][MAX_K * MAX_K];
        double Sigma[2][MAX_K * MAX_K];
        carom_linear_system *systems[2];
        systems[0] = random_structure(generator, 2 + round % 5, (random_contact)(round % 3), 1.0);
        systems[1] = scaled_copy(systems[0], mass, mass / (time * time), 0.013);
        for (int j = 0; j < k; j++) {
            sigma[0][j] = uniform(generator, 0.3, 2.5);
            sigma[1][j] = time * sigma[0][j];
        }
        double smallest = 1.0;
        for (int i = 0; i < 2; i++) {
            carom_modal_basis *basis;
            carom_impact_equations *equations;
            assert_ok(carom_modal_basis_compute(systems[i], &basis, NULL));
            assert_ok(carom_impact_equations_alloc(basis, k, &equations));
            assert_ok(carom_impact_equations_matrices(equations, sigma[i], Pi[i], Sigma[i]));
            for (int l = 0; l < basis->visible_count; l++) {
                const double half = 0.5 * impact_time(k, sigma[i], k);
                smallest = fmin(smallest, fabs(sin(basis->frequency[l] * half)));
            }
            carom_impact_equations_free(equations);
            carom_modal_basis_free(basis);
            carom_linear_system_free(systems[i]);
        }
        const double unit = time / sqrt(mass);
        // 1e-12, enlarged by the nearness of a harmonic, where there is one.
        const double size = 1e-12 * fmax(1.0, 1e-2 / (smallest * smallest));
        for (int i = 0; i < k * k; i++) {
            assert_close(Pi[1][i], Pi[0][i], 0.0, size);
            assert_close(Sigma[1][i] / unit, Sigma[0][i], 0.0, size);
        }
    }
    gsl_rng_free(generator);
}

TEST(property, orbits_are_the_same_in_any_units) {
    const double mass = 3.7e-3;
    const double length = 120.0;
    const double time = 0.0117;
    const double unit = sqrt(mass) * length / time; // of lambda
    gsl_rng *generator = seeded_generator(SEED + 5);
    int tested = 0;
    for (int round = 0; round < 100; round++) {
        pair_of_orbits pair = {.systems[0] = random_structure(generator, 2 + round % 5,
                                                              (random_contact)(round % 3), 0.8)};
        pair.systems[1] = scaled_copy(pair.systems[0], mass, mass / (time * time), length);
        if (solve_both(generator, 1 + round / 5 % 5, time, unit, &pair) &&
            pair.orbits[0]->energy < 1e4) {
            assert_proportional(&pair, time, unit, 1e-9);
            tested++;
        }
        pair_clear(&pair);
    }
    ck_assert_int_gt(tested, 40);
    gsl_rng_free(generator);
}

/** C' A C and C' w for u = C u~. */
static carom_linear_system *in_other_coordinates(const carom_linear_system *system,
                                                 const double *C) {
    const int n = system->coordinate_count;
    carom_linear_system *copy;
    assert_ok(carom_linear_system_alloc(n, &copy));
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            for (int a = 0; a < n; a++) {
                for (int b = 0; b < n; b++) {
                    const double factor = C[a * n + i] * C[b * n + j];
                    copy->mass[i * n + j] += factor * system->mass[a * n + b];
                    copy->stiffness[i * n + j] += factor * system->stiffness[a * n + b];
                }
            }
            copy->contact_normal[i] += C[j * n + i] * system->contact_normal[j];
        }
    }
    copy->gap_at_rest = system->gap_at_rest;
    return copy;
}

TEST(property, orbits_are_the_same_in_any_coordinates) {
    gsl_rng *generator = seeded_generator(SEED + 6);
    int tested = 0;
    for (int round = 0; round < 100; round++) {
        const int n = 2 + round % 5;
        double C[MAX_N * MAX_N];
        for (int i = 0; i < n * n; i++) {
            C[i] = uniform(generator, -0.3, 0.3) + (i % (n + 1) == 0 ? 1.0 : 0.0);
        }
        pair_of_orbits pair = {
            .systems[0] = random_structure(generator, n, (random_contact)(round % 3), 0.8)};
        pair.systems[1] = in_other_coordinates(pair.systems[0], C);
        if (solve_both(generator, 1 + round / 5 % 5, 1.0, 1.0, &pair) &&
            pair.orbits[0]->energy < 1e4) {
            assert_proportional(&pair, 1.0, 1.0, 1e-9);
            tested++;
        }
        pair_clear(&pair);
    }
    ck_assert_int_gt(tested, 40);
    gsl_rng_free(generator);
}

/** Energy by physical propagation and the sum of lambda, on the branch through an orbit, at T. */
static carom_status solve_at(carom_orbit_solver *solver, const carom_modal_basis *basis,
                             const physical *p, double period, const carom_orbit *near,
                             carom_orbit *orbit, double *energy, double *sum) {
    carom_orbit_target target = carom_orbit_target_default(basis);
    target.period = period;
    CAROM_TRY(
        carom_orbit_solve(solver, near->flight_times, near->lambda, &target, NULL, orbit, NULL));
    double x[2 * MAX_N];
    carom_modal_basis_expand(basis, orbit->state, x, x + p->n);
    *energy = physical_energy(p, x);
    *sum = 0.0;
    for (int j = 0; j < orbit->impact_count; j++) {
        *sum += orbit->lambda[j];
    }
    return CAROM_OK;
}

/** E dT = -(g_0/sqrt(G)) d(sum lambda), the derivative by differences of fourth order. */
static void assert_energy_is_slope_of_impulses(const carom_linear_system *system,
                                               const carom_modal_basis *basis, int k,
                                               const double *guess, double h, double tolerance) {
    physical *p = physical_alloc(system);
    carom_orbit_solver *solver;
    carom_orbit *middle;
    carom_orbit *orbit;
    assert_ok(carom_orbit_solver_alloc(basis, k, &solver));
    assert_ok(carom_orbit_alloc(basis, k, &middle));
    assert_ok(carom_orbit_alloc(basis, k, &orbit));
    assert_ok(carom_orbit_solve(solver, guess, NULL, NULL, NULL, middle, NULL));
    const double shifts[4] = {-2.0, -1.0, 1.0, 2.0};
    double sums[4];
    double energy;
    for (int s = 0; s < 4; s++) {
        assert_ok(solve_at(solver, basis, p, middle->period + shifts[s] * h, middle, orbit, &energy,
                           &sums[s]));
    }
    const double slope = (sums[0] - 8.0 * sums[1] + 8.0 * sums[2] - sums[3]) / (12.0 * h);
    const double expected = -p->gap_at_rest / sqrt(p->inverse_mass) * slope;
    assert_close(expected, middle->energy, tolerance, 0.0);
    carom_orbit_free(orbit);
    carom_orbit_free(middle);
    carom_orbit_solver_free(solver);
    physical_free(p);
}

TEST(unit, energy_times_the_change_of_period_is_the_change_of_impulses) {
    // Specification 2.8, on branches of 1, 2, 3 and 7 impacts and both signs of the gap (the same
    // branches, with lambda reversed). Differences of lambda solved to 1e-13 over h.
    const double single[1] = {3.80};
    const double pair[2] = {1.787101131856, 1.012898868144};
    const double other[2] = {0.330508890769, 3.594491109231};
    const double triple[3] = {0.210218004117, 0.210218004117, 3.480563991765};
    const double seven[7] = {1.7824741682, 1.1337635289, 1.7502604859, 1.1560088420,
                             1.7722109038, 1.6940808043, 1.1744935736};
    for (int sign = -1; sign <= 1; sign += 2) {
        carom_linear_system *system;
        carom_modal_basis *basis;
        assert_ok(carom_serial_chain_uniform_alloc(5, sign, &system, NULL));
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        assert_energy_is_slope_of_impulses(system, basis, 1, single, 1e-4, 1e-8);
        assert_energy_is_slope_of_impulses(system, basis, 2, pair, 1e-4, 1e-8);
        assert_energy_is_slope_of_impulses(system, basis, 2, other, 1e-4, 1e-8);
        assert_energy_is_slope_of_impulses(system, basis, 3, triple, 1e-5, 1e-7);
        assert_energy_is_slope_of_impulses(system, basis, 7, seven, 2e-5, 1e-6);
        carom_modal_basis_free(basis);
        carom_linear_system_free(system);
    }
}
