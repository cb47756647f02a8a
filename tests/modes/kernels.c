/* carom/modes: the scalar and vector kernels, and the harmonics where they have poles. */
#include <carom/models/serial_chain.h>
#include <carom/modes/internal.h>
#include <carom/modes/modal_basis.h>

#include "../support.h"
#include "independent.h"

#include <math.h>

#define SEED 20170916UL
#define MAX_N 6

/** Rounding of a sum over few modes divided by sines that the tests keep above 1e-2. */
static const double ROUNDING = 1e-12;

/** Modes of the uniform chain of the paper, n masses 1/n kg and springs n N/m. */
static carom_modal_basis *chain_basis(int n, double gap_at_rest) {
    carom_linear_system *system;
    carom_modal_basis *basis;
    assert_ok(carom_serial_chain_uniform_alloc(n, gap_at_rest, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

/** A basis that has only what the scalar kernels read. */
static carom_modal_basis scalar_basis(int count, double *frequency, double *participation) {
    const carom_modal_basis basis = {
        .coordinate_count = count,
        .visible_count = count,
        .gap_at_rest = 0.7,
        .root_inverse_mass = 1.3,
        .frequency = frequency,
        .participation = participation,
    };
    return basis;
}

/** A period at which no mode is near a harmonic: all |sin(w T/2)| > least. */
static double regular_period(gsl_rng *generator, const carom_modal_basis *basis, double least) {
    for (;;) {
        const double period = uniform(generator, 0.4, 15.0);
        double smallest = 1.0;
        for (int l = 0; l < basis->visible_count; l++) {
            smallest = fmin(smallest, fabs(sin(0.5 * basis->frequency[l] * period)));
        }
        if (smallest > least) {
            return period;
        }
    }
}

TEST(unit, one_mass_has_its_closed_form) {
    double w = 2.385;
    double rho = 1.0;
    const carom_modal_basis basis = scalar_basis(1, &w, &rho);
    const double T = 1.71;
    const double s = 0.83;
    const double S = sin(0.5 * w * T);
    const double C = cos(0.5 * w * T);
    const carom_kernels k = carom_kernels_evaluate(&basis, T, s);
    assert_close(k.velocity, sin(0.5 * w * s) / S, ROUNDING, 0.0);
    assert_close(k.velocity_by_argument, 0.5 * w * cos(0.5 * w * s) / S, ROUNDING, 0.0);
    assert_close(k.velocity_by_period, -0.5 * w * sin(0.5 * w * s) * C / (S * S), ROUNDING, 0.0);
    assert_close(k.gap, 1.3 * cos(0.5 * w * s) / (w * S), ROUNDING, 0.0);
    assert_close(k.gap_by_argument, -0.65 * sin(0.5 * w * s) / S, ROUNDING, 0.0);
    assert_close(k.gap_by_period, -0.65 * cos(0.5 * w * s) * C / (S * S), ROUNDING, 0.0);
}

TEST(unit, a_uniform_chain_has_the_sums_of_its_closed_form_modes) {
    // w_l = 2 n sin((2l-1) pi/(2(2n+1))), Q_pl = 2/sqrt(2n+1) sin(p (2l-1) pi/(2n+1)), m = 1/n
    enum { N = 5 };
    carom_modal_basis *basis = chain_basis(N, 1.0);
    const double T = 3.37;
    const double s = -1.19;
    const carom_kernels kernels = carom_kernels_evaluate(basis, T, s);
    double phi[N];
    double psi[N];
    carom_kernels_shape(basis, T, s, phi, psi);
    const double pi = acos(-1.0);
    double velocity = 0.0;
    double phi_expected[N] = {0};
    double psi_expected[N] = {0};
    for (int l = 1; l <= N; l++) {
        const double w = 2.0 * N * sin((2 * l - 1) * pi / (2 * (2 * N + 1)));
        double Q[N];
        for (int p = 1; p <= N; p++) {
            Q[p - 1] = 2.0 / sqrt(2.0 * N + 1.0) * sin(p * (2 * l - 1) * pi / (2 * N + 1));
        }
        const double S = sin(0.5 * w * T);
        velocity += Q[N - 1] * Q[N - 1] * sin(0.5 * w * s) / S;
        for (int p = 0; p < N; p++) {
            phi_expected[p] -= sqrt(N) * Q[p] * Q[N - 1] * cos(0.5 * w * s) / (w * S);
            psi_expected[p] += sqrt(N) * Q[p] * Q[N - 1] * sin(0.5 * w * s) / S;
        }
    }
    assert_close(kernels.velocity, velocity, 0.0, ROUNDING);
    assert_close(kernels.gap, -phi_expected[N - 1], 0.0, ROUNDING);
    for (int p = 0; p < N; p++) {
        assert_close(phi[p], phi_expected[p], 0.0, ROUNDING);
        assert_close(psi[p], psi_expected[p], 0.0, ROUNDING);
    }
    carom_modal_basis_free(basis);
}

TEST(unit, harmonics_of_the_paper_s_chain_are_found) {
    carom_modal_basis *basis = chain_basis(5, 1.0);
    // specification 5.1, 5.2 [C], printed to 12 decimals
    const carom_harmonic fourth = carom_harmonic_above(basis, 3.75);
    assert_close(fourth.period, 3.837875738449, 0.0, 1e-12);
    ck_assert_int_eq(fourth.mode, 2);
    ck_assert_int_eq(fourth.multiple, 4);
    const carom_harmonic first = carom_harmonic_nearest(basis, 4.35);
    assert_close(first.period, 4.414989598705, 0.0, 1e-12);
    ck_assert_int_eq(first.mode, 0);
    ck_assert_int_eq(first.multiple, 1);
    // below the shortest period, the nearest is that
    const carom_harmonic lowest = carom_harmonic_nearest(basis, 0.01);
    assert_close(lowest.period, 0.654844327156, 0.0, 1e-12);
    ck_assert_int_eq(lowest.multiple, 1);
    // and 36 of them lie below 8 [C]
    int count = 0;
    double period = 0.0;
    for (;;) {
        const carom_harmonic next = carom_harmonic_above(basis, period);
        ck_assert(next.period > period);
        if (next.period > 8.0) {
            break;
        }
        period = next.period;
        count++;
    }
    ck_assert_int_eq(count, 36);
    carom_modal_basis_free(basis);
}

TEST(unit, a_harmonic_of_two_modes_is_met_once_as_that_of_the_lower) {
    // Periods 2 pi/(0.7 q), q = 1, 2, 3: every multiple of a period coincides with others, but
    // not to the last digit.
    double w[] = {0.7, 1.4, 2.1};
    double rho[] = {0.6, 0.64, sqrt(1.0 - 0.36 - 0.64 * 0.64)};
    const carom_modal_basis basis = scalar_basis(3, w, rho);
    const double unit = 2.0 * acos(-1.0) / (0.7 * 6.0);
    // in units of 2 pi/(0.7 6): 6 p, 3 p, 2 p
    const int expected[] = {2, 3, 4, 6, 8, 9, 10, 12};
    const int modes[] = {2, 1, 2, 0, 2, 1, 2, 0};
    double period = 0.0;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 8; i++) {
            const carom_harmonic next = carom_harmonic_above(&basis, period);
            assert_close(next.period, unit * (12 * round + expected[i]), 1e-14, 0.0);
            ck_assert_int_eq(next.mode, modes[i]);
            const carom_harmonic nearest = carom_harmonic_nearest(&basis, next.period);
            ck_assert_int_eq(nearest.mode, modes[i]);
            ck_assert_int_eq(nearest.multiple, next.multiple);
            period = next.period;
        }
    }
}

TEST(errors, kernels_are_infinite_or_nan_at_every_harmonic) {
    carom_modal_basis *basis = chain_basis(5, 1.0);
    double period = 0.0;
    for (int i = 0; i < 300; i++) {
        period = carom_harmonic_above(basis, period).period;
        const carom_kernels k = carom_kernels_evaluate(basis, period, 0.37);
        ck_assert(!isfinite(k.velocity) && !isfinite(k.gap) && !isfinite(k.gap_by_period));
        double phi[5];
        double psi[5];
        carom_kernels_shape(basis, period, 0.37, phi, psi);
        ck_assert(!isfinite(phi[4]) && !isfinite(psi[4]));
    }
    carom_modal_basis_free(basis);
}

TEST(unit, the_pole_keeps_its_digits_next_to_a_harmonic) {
    // One mode, T = p T_1 (1 + 1e-9): sin(w T/2) = (-1)^p sin(w T/2 - p pi), the difference of two
    // products in two parts each, to 1e-32/1e-9; a rounded phase would give 1e-16/1e-9 = 1e-7.
    double w = 2.385;
    double rho = 1.0;
    const double pi = acos(-1.0);
    const double rest_of_pi = 1.2246467991473532e-16;
    const carom_modal_basis basis = scalar_basis(1, &w, &rho);
    for (int p = 1; p < 40; p++) {
        const double T = p * (2.0 * pi / w) * (1.0 + 1e-9);
        const double phase = 0.5 * w * T;
        const double whole = p * pi;
        const double rests = fma(0.5 * w, T, -phase) - fma(p, pi, -whole) - p * rest_of_pi;
        const double sine = (p % 2 == 0 ? 1.0 : -1.0) * sin((phase - whole) + rests);
        const double expected = 1.3 * cos(0.5 * w * 0.31) / (w * sine);
        assert_close(carom_kernels_evaluate(&basis, T, 0.31).gap, expected, 1e-9, 0.0);
    }
}

/** Basis and independent description of a random structure. */
typedef struct draw {
    carom_linear_system *system;
    carom_modal_basis *basis;
    int n;
} draw;

static draw draw_structure(gsl_rng *generator, int round) {
    draw d = {.n = 1 + round % MAX_N};
    d.system = random_structure(generator, d.n, (random_contact)(round % 3), 1.3);
    assert_ok(carom_modal_basis_compute(d.system, &d.basis, NULL));
    return d;
}

static void free_draw(draw *d) {
    carom_modal_basis_free(d->basis);
    carom_linear_system_free(d->system);
}

TEST(property, derivatives_agree_with_central_differences) {
    // With step 1e-5 and |sin| > 0.1, frequencies below 2.5: truncation h^2 f'''/6 of order 1e-10
    // 1e3, rounding 1e-15/1e-5.
    const double h = 1e-5;
    const double bound = 2e-7;
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 200; round++) {
        draw d = draw_structure(generator, round);
        const double T = regular_period(generator, d.basis, 0.1);
        const double s = uniform(generator, -T, T);
        const carom_kernels k = carom_kernels_evaluate(d.basis, T, s);
        const carom_kernels s_low = carom_kernels_evaluate(d.basis, T, s - h);
        const carom_kernels s_high = carom_kernels_evaluate(d.basis, T, s + h);
        const carom_kernels T_low = carom_kernels_evaluate(d.basis, T - h, s);
        const carom_kernels T_high = carom_kernels_evaluate(d.basis, T + h, s);
        assert_close(k.velocity_by_argument, (s_high.velocity - s_low.velocity) / (2.0 * h), bound,
                     bound);
        assert_close(k.velocity_by_period, (T_high.velocity - T_low.velocity) / (2.0 * h), bound,
                     bound);
        assert_close(k.gap_by_argument, (s_high.gap - s_low.gap) / (2.0 * h), bound, bound);
        assert_close(k.gap_by_period, (T_high.gap - T_low.gap) / (2.0 * h), bound, bound);
        double phi[MAX_N];
        double psi[MAX_N];
        double phi_low[MAX_N];
        double phi_high[MAX_N];
        double unused[MAX_N];
        carom_kernels_shape(d.basis, T, s, phi, psi);
        carom_kernels_shape(d.basis, T, s - h, phi_low, unused);
        carom_kernels_shape(d.basis, T, s + h, phi_high, unused);
        for (int p = 0; p < d.n; p++) {
            // psi = 2 d phi/d s
            assert_close(psi[p], (phi_high[p] - phi_low[p]) / h, bound, bound);
        }
        free_draw(&d);
    }
    gsl_rng_free(generator);
}

TEST(property, the_scalar_kernels_are_the_contact_combination_of_the_vector_kernels) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < 200; round++) {
        draw d = draw_structure(generator, round);
        const double T = regular_period(generator, d.basis, 1e-2);
        const double s = uniform(generator, -2.0 * T, 2.0 * T);
        const carom_kernels k = carom_kernels_evaluate(d.basis, T, s);
        double phi[MAX_N];
        double psi[MAX_N];
        carom_kernels_shape(d.basis, T, s, phi, psi);
        // phi_c = -w'phi = -Gamma, psi_c = -w'psi = sqrt(G) Upsilon
        double phi_c = 0.0;
        double psi_c = 0.0;
        double size = 1.0;
        for (int p = 0; p < d.n; p++) {
            phi_c -= d.system->contact_normal[p] * phi[p];
            psi_c -= d.system->contact_normal[p] * psi[p];
            size += fabs(phi[p]) + fabs(psi[p]);
        }
        assert_close(k.gap, -phi_c, 0.0, ROUNDING * size);
        assert_close(d.basis->root_inverse_mass * k.velocity, psi_c, 0.0, ROUNDING * size);
        free_draw(&d);
    }
    gsl_rng_free(generator);
}

TEST(property, upsilon_is_odd_and_gamma_is_even) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < 50; round++) {
        draw d = draw_structure(generator, round);
        const double T = regular_period(generator, d.basis, 1e-2);
        const double s = uniform(generator, 0.0, T);
        const carom_kernels right = carom_kernels_evaluate(d.basis, T, s);
        const carom_kernels left = carom_kernels_evaluate(d.basis, T, -s);
        // the same operations but for signs: exact
        assert_close(left.velocity, -right.velocity, 0.0, 0.0);
        assert_close(left.gap, right.gap, 0.0, 0.0);
        assert_close(left.velocity_by_argument, right.velocity_by_argument, 0.0, 0.0);
        assert_close(left.gap_by_period, right.gap_by_period, 0.0, 0.0);
        // Upsilon_T(T) = sum rho^2 = 1
        assert_close(carom_kernels_evaluate(d.basis, T, T).velocity, 1.0, ROUNDING, 0.0);
        free_draw(&d);
    }
    gsl_rng_free(generator);
}

TEST(property, the_vector_kernels_are_the_periodic_response_to_an_impulse) {
    // Theorem 3.4 with k = 1 against a linear solve in physical coordinates: u(t) = phi(2 t - T).
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int round = 0; round < 60; round++) {
        draw d = draw_structure(generator, round);
        physical *structure = physical_alloc(d.system);
        const double T = regular_period(generator, d.basis, 0.05);
        const double t = uniform(generator, 0.0, T);
        const double one = 1.0;
        double x[2 * MAX_N];
        physical_forced_state(structure, 1, &T, &one, x);
        physical_fly(structure, t, x);
        double phi[MAX_N];
        double psi[MAX_N];
        carom_kernels_shape(d.basis, T, 2.0 * t - T, phi, psi);
        double size = 1.0;
        for (int p = 0; p < d.n; p++) {
            size += fabs(phi[p]) + fabs(psi[p]);
        }
        for (int p = 0; p < d.n; p++) {
            // condition of I - S(T) below 1/0.05, rounding of the matrix exponential 1e-13
            assert_close(x[p], phi[p], 0.0, 1e-11 * size);
            assert_close(x[d.n + p], psi[p], 0.0, 1e-11 * size);
        }
        physical_free(structure);
        free_draw(&d);
    }
    gsl_rng_free(generator);
}
