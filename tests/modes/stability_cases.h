/** Structures and motions, random and of the specification, that the stability suites share. */
#ifndef CAROM_TESTS_MODES_STABILITY_CASES_H
#define CAROM_TESTS_MODES_STABILITY_CASES_H

#include <carom/models/serial_chain.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>

#include "../support.h"

#include <complex.h>
#include <stdbool.h>
#include <string.h>

/** Largest numbers of modes and impacts of the random cases, and the sizes of their maps. */
enum { LARGEST = 6, LARGEST_K = 5, SIZE = 2 * LARGEST, REDUCED = SIZE - 2 };

/** Modes of a structure that is not needed any further. */
static inline carom_modal_basis *reduce(carom_linear_system *system) {
    carom_modal_basis *basis;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

/** The paper's chain. */
static inline carom_modal_basis *chain(int n, double gap) {
    carom_linear_system *system;
    assert_ok(carom_serial_chain_uniform_alloc(n, gap, &system, NULL));
    return reduce(system);
}

/** A structure with full matrices and a contact that moves all coordinates. */
static inline carom_modal_basis *random_structure(gsl_rng *generator, int n) {
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(n, &system));
    double *const matrices[2] = {system->mass, system->stiffness};
    for (int part = 0; part < 2; part++) {
        double G[LARGEST * LARGEST] = {0.0};
        for (int k = 0; k < n * n; k++) {
            G[k] = uniform(generator, -1.0, 1.0);
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = i == j ? 0.7 : 0.0;
                for (int k = 0; k < n; k++) {
                    sum += G[i * n + k] * G[j * n + k];
                }
                matrices[part][i * n + j] = sum;
                matrices[part][j * n + i] = sum;
            }
        }
    }
    for (int i = 0; i < n; i++) {
        system->contact_normal[i] = uniform(generator, -1.0, 1.0);
    }
    system->gap_at_rest = 0.81;
    return reduce(system);
}

static inline carom_stability *workspace(const carom_modal_basis *basis) {
    carom_stability *stability;
    assert_ok(carom_stability_alloc(basis, &stability));
    return stability;
}

/** The orbit of a sequence of impacts, taken as it is. */
static inline carom_orbit *orbit_of(const carom_modal_basis *basis, int k,
                                    const double *flight_times, const double *lambda) {
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(basis, k, &orbit));
    memcpy(orbit->flight_times, flight_times, (size_t)k * sizeof(double));
    memcpy(orbit->lambda, lambda, (size_t)k * sizeof(double));
    assert_ok(carom_orbit_complete(basis, orbit));
    return orbit;
}

/** The motion with one impact: lambda = g_0 / phi_c, (7.15), written out. */
static inline carom_orbit *single_impact(const carom_modal_basis *basis, double period) {
    double phi = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double rho = basis->participation[l];
        const double omega = basis->frequency[l];
        phi -= basis->root_inverse_mass * rho * rho / (omega * tan(0.5 * omega * period));
    }
    const double lambda = basis->gap_at_rest / phi;
    return orbit_of(basis, 1, &period, &lambda);
}

/** The solution of a period next to a sequence of twelve digits. */
static inline carom_orbit *solved(const carom_modal_basis *basis, int k, const double *flight_times,
                                  const double *lambda) {
    carom_orbit *orbit;
    carom_orbit_solver *solver;
    assert_ok(carom_orbit_alloc(basis, k, &orbit));
    assert_ok(carom_orbit_solver_alloc(basis, k, &solver));
    carom_orbit_target target = carom_orbit_target_default(basis);
    target.period = 0.0;
    for (int j = 0; j < k; j++) {
        target.period += flight_times[j];
    }
    assert_ok(carom_orbit_solve(solver, flight_times, lambda, &target, NULL, orbit, NULL));
    carom_orbit_solver_free(solver);
    return orbit;
}

/** Pfaffian of the skew-symmetric 4 x 4 matrix of rows and columns `pick` of Pi [k][k]. */
static inline double pfaffian(int k, const double *Pi, const int *pick) {
    const double *a = Pi + pick[0] * k;
    const double *b = Pi + pick[1] * k;
    const double *c = Pi + pick[2] * k;
    return a[pick[1]] * c[pick[3]] - a[pick[2]] * b[pick[3]] + a[pick[3]] * b[pick[2]];
}

/** pf(Pi) of four flight times; NaN at a harmonic. */
static inline double pfaffian_of_times(carom_impact_equations *equations,
                                       const double *flight_times, double *Pi) {
    static const int ALL[4] = {0, 1, 2, 3};
    double Sigma[16];
    const carom_status status = carom_impact_equations_matrices(equations, flight_times, Pi, Sigma);
    return status == CAROM_OK ? pfaffian(4, Pi, ALL) : (double)NAN;
}

/** Move the last of four flight times to the next zero of pf(Pi); false: none near, or a pole. */
static inline bool solve_pfaffian(carom_impact_equations *equations, double *flight_times,
                                  double *Pi) {
    double low = flight_times[3];
    double value = pfaffian_of_times(equations, flight_times, Pi);
    for (int step = 0; step < 40; step++) {
        flight_times[3] = low + 0.02;
        const double next = pfaffian_of_times(equations, flight_times, Pi);
        if (value * next < 0.0) {
            double high = flight_times[3];
            for (int halving = 0; halving < 60; halving++) {
                flight_times[3] = 0.5 * (low + high);
                const bool is_below = value * pfaffian_of_times(equations, flight_times, Pi) > 0.0;
                low = is_below ? flight_times[3] : low;
                high = is_below ? high : flight_times[3];
            }
            return fabs(pfaffian_of_times(equations, flight_times, Pi)) < 1e-13;
        }
        low = flight_times[3];
        value = next;
    }
    return false;
}

/** Kernel of Pi for random flight times: sub-Pfaffians for odd k, pf(Pi) = 0 for even k. */
static inline bool kernel_of_times(gsl_rng *generator, carom_impact_equations *equations, int k,
                                   double *flight_times, double *lambda) {
    double Pi[LARGEST_K * LARGEST_K];
    double Sigma[LARGEST_K * LARGEST_K];
    for (int j = 0; j < k; j++) {
        flight_times[j] = uniform(generator, 0.4, 2.1);
    }
    if (k == 2) {
        flight_times[1] = flight_times[0]; /* Pi = 0: any lambda */
        lambda[0] = 1.0;
        lambda[1] = uniform(generator, -1.0, 1.0);
        return true;
    }
    if (k == 4) {
        if (!solve_pfaffian(equations, flight_times, Pi)) {
            return false;
        }
        const double weight = uniform(generator, -1.0, 1.0);
        lambda[0] = Pi[1 * 4 + 2] + weight * Pi[1 * 4 + 3];
        lambda[1] = -Pi[0 * 4 + 2] - weight * Pi[0 * 4 + 3];
        lambda[2] = Pi[0 * 4 + 1];
        lambda[3] = weight * Pi[0 * 4 + 1];
        return true;
    }
    assert_ok(carom_impact_equations_matrices(equations, flight_times, Pi, Sigma));
    for (int i = 0; i < k; i++) {
        int pick[4] = {0, 0, 0, 0};
        for (int j = 0, count = 0; j < k; j++) {
            if (j != i) {
                pick[count++] = j;
            }
        }
        const double minor = k == 1   ? 1.0
                             : k == 3 ? Pi[pick[0] * k + pick[1]]
                                      : pfaffian(k, Pi, pick);
        lambda[i] = i % 2 == 0 ? minor : -minor;
    }
    return true;
}

/**
 * A periodic motion with k impacts of any sign, each at a place of its own: Pi lambda = 0 only. It
 * has a linearized return map all the same. Impacts that nearly graze are passed over.
 */
static inline carom_orbit *random_periodic(gsl_rng *generator, const carom_modal_basis *basis,
                                           int k) {
    carom_impact_equations *equations;
    assert_ok(carom_impact_equations_alloc(basis, k, &equations));
    double flight_times[LARGEST_K];
    double lambda[LARGEST_K];
    for (;;) {
        if (!kernel_of_times(generator, equations, k, flight_times, lambda)) {
            continue;
        }
        double largest = 0.0;
        double smallest = INFINITY;
        double period = 0.0;
        for (int j = 0; j < k; j++) {
            largest = fmax(largest, fabs(lambda[j]));
            smallest = fmin(smallest, fabs(lambda[j]));
            period += flight_times[j];
        }
        double sine = 1.0;
        for (int l = 0; l < basis->visible_count; l++) {
            sine = fmin(sine, fabs(sin(0.5 * basis->frequency[l] * period)));
        }
        if (smallest > 0.1 * largest && sine > 0.1) {
            break;
        }
    }
    carom_impact_equations_free(equations);
    return orbit_of(basis, k, flight_times, lambda);
}

/** Multipliers as complex numbers, and the spectral radius. */
static inline double multipliers_of(const carom_modal_basis *basis, const carom_orbit *orbit,
                                    double complex *mu) {
    const int count = 2 * basis->coordinate_count - 2;
    carom_stability *stability = workspace(basis);
    double pairs[2 * REDUCED * 2];
    double radius;
    assert_ok(carom_stability_multipliers(stability, orbit, pairs, &radius));
    for (int i = 0; i < count; i++) {
        mu[i] = pairs[2 * i] + pairs[2 * i + 1] * (double complex)I;
    }
    carom_stability_free(stability);
    return radius;
}

static inline double radius_of(const carom_modal_basis *basis, carom_orbit *orbit) {
    carom_stability *stability = workspace(basis);
    double radius;
    assert_ok(carom_stability_multipliers(stability, orbit, NULL, &radius));
    carom_stability_free(stability);
    carom_orbit_free(orbit);
    return radius;
}

#endif
