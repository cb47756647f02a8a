/*
 * Theorems 3.1-3.4, proposition 2.1 and remark 7.1 of thorin-2017 on random structures: what the
 * impact equations and kernels say against motions computed in physical coordinates
 * (independent.h).
 */
#include <carom/modes/few_impacts.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/internal.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>

#include "independent.h"

#include <stdbool.h>

static const unsigned long SEED = 20171106;

enum { ROUNDS = 1000, MIN_N = 2, MAX_N = 6, MAX_K = 7 };

/* Identities are asked to 1e-12 (specification A1); norms of what they relate are of order one, and
 * periods are kept where the smallest |sin(w T/2)|, by which errors grow, is at least 0.1. */
static const double IDENTITY = 1e-12;
static const double SMALLEST_SINE = 0.1;

/* A singular value below is zero: matrices have entries of order one. Draws with one between this
 * and a thousandth, where a rank would be a matter of opinion, are drawn again. */
static const double ZERO = 1e-11;
static const double NOT_ZERO = 1e-3;

/** A random structure with random flight times, seen by both routes. */
typedef struct draw {
    int n;
    int k;
    double sigma[MAX_K];
    double period;
    double Pi[MAX_K * MAX_K];
    double Sigma[MAX_K * MAX_K];
    carom_linear_system *system;
    physical *structure;
    carom_modal_basis *basis;
    carom_impact_equations *equations;
} draw;

static void draw_clear(draw *d) {
    carom_impact_equations_free(d->equations);
    carom_modal_basis_free(d->basis);
    physical_free(d->structure);
    carom_linear_system_free(d->system);
}

/** The smallest |sin(w T/2)| of all modes. */
static double smallest_sine(const carom_modal_basis *basis, double period) {
    double smallest = 1.0;
    for (int l = 0; l < basis->coordinate_count; l++) {
        smallest = fmin(smallest, fabs(sin(0.5 * basis->frequency[l] * period)));
    }
    return smallest;
}

/** Flight times in (0.3, 3), drawn until the period is away from all harmonics. */
static void draw_flight_times(gsl_rng *generator, draw *d) {
    do {
        d->period = 0.0;
        for (int j = 0; j < d->k; j++) {
            d->sigma[j] = uniform(generator, 0.3, 3.0);
            d->period += d->sigma[j];
        }
    } while (smallest_sine(d->basis, d->period) < SMALLEST_SINE);
}

static void draw_structure(gsl_rng *generator, int n, int k, random_contact contact, double g_0,
                           draw *d) {
    d->n = n;
    d->k = k;
    d->system = random_structure(generator, n, contact, g_0);
    d->structure = physical_alloc(d->system);
    assert_ok(carom_modal_basis_compute(d->system, &d->basis, NULL));
    assert_ok(carom_impact_equations_alloc(d->basis, k, &d->equations));
}

static void draw_matrices(draw *d) {
    for (int i = 0; i < d->k * d->k; i++) {
        d->Pi[i] = (double)NAN;
        d->Sigma[i] = (double)NAN;
    }
    assert_ok(carom_impact_equations_matrices(d->equations, d->sigma, d->Pi, d->Sigma));
}

/** Everything of round i: n, k and the kind of contact run through all combinations. */
static void draw_round(gsl_rng *generator, int round, draw *d) {
    const int n = MIN_N + round % (MAX_N - MIN_N + 1);
    const int k = 1 + round / 5 % MAX_K;
    draw_structure(generator, n, k, (random_contact)(round / 35 % 3), 0.0, d);
    draw_flight_times(generator, d);
    draw_matrices(d);
}

static double largest_of(int count, const double *values) {
    double largest = 0.0;
    for (int i = 0; i < count; i++) {
        largest = fmax(largest, fabs(values[i]));
    }
    return largest;
}

/** y = A x for a row-major [k][k] matrix. */
static void multiply(int k, const double *A, const double *x, double *y) {
    for (int i = 0; i < k; i++) {
        y[i] = 0.0;
        for (int j = 0; j < k; j++) {
            y[i] += A[i * k + j] * x[j];
        }
    }
}

static void random_lambda(gsl_rng *generator, int k, double *lambda) {
    for (int j = 0; j < k; j++) {
        lambda[j] = uniform(generator, -1.0, 1.0);
    }
}

/**
 * The dimension of the null space of a square matrix and an orthonormal basis of it in the last
 * columns of V; -1 if a singular value is neither zero nor clearly not.
 */
static int null_space(const gsl_matrix *A, gsl_matrix *V) {
    double values[2 * MAX_N];
    singular_values(A, values, V);
    int dimension = 0;
    for (size_t i = 0; i < A->size2; i++) {
        if (values[i] >= ZERO && values[i] < NOT_ZERO) {
            return -1;
        }
        dimension += values[i] < ZERO ? 1 : 0;
    }
    return dimension;
}

TEST(property, pi_is_skew_and_sigma_symmetric) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < ROUNDS; round++) {
        draw d;
        draw_round(generator, round, &d);
        // Rounding of one evaluation, whose terms are sums of at most 10 n (S3: 1e-14).
        const double scale_pi = fmax(1.0, largest_of(d.k * d.k, d.Pi));
        const double scale_sigma = largest_of(d.k * d.k, d.Sigma);
        for (int i = 0; i < d.k; i++) {
            for (int j = 0; j <= i; j++) {
                assert_close(d.Pi[i * d.k + j], -d.Pi[j * d.k + i], 0.0, 1e-14 * scale_pi);
                assert_close(d.Sigma[i * d.k + j], d.Sigma[j * d.k + i], 0.0, 1e-14 * scale_sigma);
            }
        }
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}

/** Flights and prescribed impulses: w'u and -w'v/sqrt(G) just before every impulse, and the end. */
static void follow_impulses(const draw *d, const double *lambda, double *x, double *along_normal,
                            double *approach) {
    const double root = sqrt(d->structure->inverse_mass);
    for (int j = 0; j < d->k; j++) {
        physical_fly(d->structure, d->sigma[j], x);
        along_normal[j] = physical_along_normal(d->structure, x);
        approach[j] = -physical_along_normal(d->structure, x + d->n) / root;
        for (int i = 0; i < d->n; i++) {
            x[d->n + i] += 2.0 * lambda[j] / root * d->structure->push[i];
        }
    }
}

TEST(property, pi_and_sigma_are_speeds_and_positions_of_the_motion_under_impulses) {
    // For any lambda the forced periodic motion has w'u(t_i) = (Sigma lambda)_i and the approach
    // speed sqrt(G) (lambda - Pi lambda)_i before impulse i, by (3.1c), (3.1e) and theorem 3.4.
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int round = 0; round < ROUNDS; round++) {
        draw d;
        draw_round(generator, round, &d);
        double lambda[MAX_K];
        double expected_speed[MAX_K];
        double expected_position[MAX_K];
        double position[MAX_K];
        double speed[MAX_K];
        double x[2 * MAX_N];
        double start[2 * MAX_N];
        random_lambda(generator, d.k, lambda);
        multiply(d.k, d.Pi, lambda, expected_speed);
        multiply(d.k, d.Sigma, lambda, expected_position);
        physical_forced_state(d.structure, d.k, d.sigma, lambda, start);
        memcpy(x, start, sizeof x);
        follow_impulses(&d, lambda, x, position, speed);
        assert_close(physical_distance(d.structure, start, x), 0.0, 0.0, IDENTITY);
        // Both sides are sums of up to 7 terms of order 1/SMALLEST_SINE.
        const double size = IDENTITY;
        for (int i = 0; i < d.k; i++) {
            assert_close(speed[i], lambda[i] - expected_speed[i], 0.0, size);
            assert_close(position[i], expected_position[i], 0.0, size);
        }
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}

TEST(property, the_series_of_the_vector_kernels_is_the_motion_under_impulses) {
    // Theorem 3.4 at three times of every flight.
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int round = 0; round < ROUNDS; round++) {
        draw d;
        draw_round(generator, round, &d);
        double lambda[MAX_K];
        double x[2 * MAX_N];
        double kernel[2 * MAX_N];
        random_lambda(generator, d.k, lambda);
        physical_forced_state(d.structure, d.k, d.sigma, lambda, x);
        const int flight = (int)gsl_rng_uniform_int(generator, (unsigned)d.k);
        double position[MAX_K];
        double speed[MAX_K];
        draw part = d;
        part.k = flight;
        follow_impulses(&part, lambda, x, position, speed);
        double t_i = 0.0;
        for (int j = 0; j < flight; j++) {
            t_i += d.sigma[j];
        }
        const double tau = d.sigma[flight] * uniform(generator, 0.0, 1.0);
        physical_fly(d.structure, tau, x);
        double series[2 * MAX_N] = {0.0};
        double t_j = 0.0;
        for (int j = 0; j < d.k; j++) {
            t_j += d.sigma[j];
            const double shift = j < flight ? -d.period : d.period;
            carom_kernels_shape(d.basis, d.period, 2.0 * (t_i + tau - t_j) + shift, kernel,
                                kernel + d.n);
            for (int i = 0; i < 2 * d.n; i++) {
                series[i] += lambda[j] * kernel[i];
            }
        }
        assert_close(physical_distance(d.structure, x, series), 0.0, 0.0, IDENTITY);
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}

/** For lambda in ker Pi: phi(lambda) is periodic under impacts, which have just these lambda. */
static void assert_maps_to_periodic_state(const draw *d, const double *lambda) {
    double x[2 * MAX_N];
    double found[MAX_K];
    double gaps[MAX_K];
    physical_forced_state(d->structure, d->k, d->sigma, lambda, x);
    const physical_period period = physical_propagate(d->structure, d->k, d->sigma, x, found);
    assert_close(period.closure, 0.0, 0.0, IDENTITY);
    assert_close(period.energy_error, 0.0, 0.0, IDENTITY);
    multiply(d->k, d->Sigma, lambda, gaps);
    for (int i = 0; i < d->k; i++) {
        assert_close(found[i], lambda[i], 0.0, IDENTITY);
        physical_fly(d->structure, d->sigma[i], x);
        const double position = physical_along_normal(d->structure, x);
        assert_close(position, gaps[i], 0.0, IDENTITY);
        physical_apply(d->structure->reflection, x);
    }
}

/** For x in ker(N S .. N S - I): its lambda are in ker Pi, and phi brings them back to x. */
static void assert_comes_from_kernel(const draw *d, const double *x) {
    double lambda[MAX_K];
    double zero[MAX_K];
    double back[2 * MAX_N];
    (void)physical_propagate(d->structure, d->k, d->sigma, x, lambda);
    multiply(d->k, d->Pi, lambda, zero);
    assert_close(largest_of(d->k, zero), 0.0, 0.0, IDENTITY);
    physical_forced_state(d->structure, d->k, d->sigma, lambda, back);
    assert_close(physical_distance(d->structure, x, back), 0.0, 0.0, IDENTITY);
}

/** Theorem 3.1 for one draw; the common dimension, or -1 if a rank is not clear. */
static int assert_equal_null_spaces(const draw *d) {
    const size_t k = (size_t)d->k;
    const size_t size = 2 * (size_t)d->n;
    gsl_matrix *B = gsl_matrix_alloc(size, size);
    gsl_matrix *V = gsl_matrix_alloc(size, size);
    gsl_matrix *U = gsl_matrix_alloc(k, k);
    physical_return_matrix(d->structure, d->k, d->sigma, B);
    gsl_matrix_const_view Pi = gsl_matrix_const_view_array(d->Pi, k, k);
    const int state_dimension = null_space(B, V);
    const int lambda_dimension = null_space(&Pi.matrix, U);
    const bool is_clear = state_dimension >= 0 && lambda_dimension >= 0;
    if (is_clear) {
        ck_assert_int_eq(state_dimension, lambda_dimension);
    }
    for (int c = 0; is_clear && c < state_dimension; c++) {
        double x[2 * MAX_N];
        double lambda[MAX_K];
        for (size_t i = 0; i < size; i++) {
            x[i] = gsl_matrix_get(V, i, size - 1 - (size_t)c);
        }
        for (size_t i = 0; i < k; i++) {
            lambda[i] = gsl_matrix_get(U, i, k - 1 - (size_t)c);
        }
        assert_comes_from_kernel(d, x);
        assert_maps_to_periodic_state(d, lambda);
    }
    gsl_matrix_free(B);
    gsl_matrix_free(V);
    gsl_matrix_free(U);
    return is_clear ? state_dimension : -1;
}

TEST(property, periodic_states_are_the_image_of_the_kernel_of_pi) {
    // Theorem 3.1; k odd: dimension one, k even: none (remark 3.1), where ranks are clear.
    gsl_rng *generator = seeded_generator(SEED + 3);
    int clear = 0;
    for (int round = 0; round < ROUNDS; round++) {
        draw d;
        draw_round(generator, round, &d);
        const int dimension = assert_equal_null_spaces(&d);
        if (dimension >= 0) {
            clear++;
            ck_assert_msg(dimension == d.k % 2, "round %d, n = %d, k = %d: dimension %d", round,
                          d.n, d.k, dimension);
        }
        draw_clear(&d);
    }
    ck_assert_int_gt(clear, ROUNDS * 8 / 10);
    gsl_rng_free(generator);
}

TEST(property, equal_flights_of_an_even_number_have_a_kernel_of_dimension_two) {
    // k = 2m equal flights: Pi is skew and circulant; alternating and constant vectors span its
    // kernel (a repeated motion with one impact, and its antiperiodic twin).
    gsl_rng *generator = seeded_generator(SEED + 4);
    int clear = 0;
    for (int round = 0; round < 90; round++) {
        draw d;
        draw_structure(generator, MIN_N + round % 5, 2 * (1 + round / 5 % 3),
                       (random_contact)(round / 15 % 3), 0.0, &d);
        do {
            draw_flight_times(generator, &d);
            for (int j = 1; j < d.k; j++) {
                d.sigma[j] = d.sigma[0];
            }
            d.period = d.k * d.sigma[0];
        } while (smallest_sine(d.basis, d.period) < SMALLEST_SINE);
        draw_matrices(&d);
        const int dimension = assert_equal_null_spaces(&d);
        ck_assert_msg(dimension == -1 || dimension == 2, "dimension %d", dimension);
        clear += dimension == 2 ? 1 : 0;
        draw_clear(&d);
    }
    ck_assert_int_gt(clear, 60);
    gsl_rng_free(generator);
}

TEST(property, the_state_and_energy_of_an_orbit_are_those_of_the_motion_under_impulses) {
    gsl_rng *generator = seeded_generator(SEED + 5);
    for (int round = 0; round < ROUNDS; round++) {
        draw d;
        draw_round(generator, round, &d);
        carom_orbit *orbit;
        assert_ok(carom_orbit_alloc(d.basis, d.k, &orbit));
        memcpy(orbit->flight_times, d.sigma, (size_t)d.k * sizeof(double));
        random_lambda(generator, d.k, orbit->lambda);
        assert_ok(carom_orbit_complete(d.basis, orbit));
        double expected[2 * MAX_N];
        double x[2 * MAX_N];
        physical_forced_state(d.structure, d.k, d.sigma, orbit->lambda, expected);
        carom_modal_basis_expand(d.basis, orbit->state, x, x + d.n);
        assert_close(physical_distance(d.structure, expected, x), 0.0, 0.0, IDENTITY);
        assert_close(orbit->energy, physical_energy(d.structure, expected), IDENTITY, 0.0);
        carom_orbit_free(orbit);
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}

TEST(property, with_one_impact_all_rests_at_half_period) {
    // Remark 7.1: v(T/2) = 0, u(t) = u(T - t), and M v jumps along w only.
    gsl_rng *generator = seeded_generator(SEED + 6);
    for (int round = 0; round < 200; round++) {
        draw d;
        draw_structure(generator, MIN_N + round % 5, 1, (random_contact)(round % 3), 1.3, &d);
        draw_flight_times(generator, &d);
        carom_orbit *orbit;
        assert_ok(carom_orbit_alloc(d.basis, 1, &orbit));
        assert_ok(carom_single_impact_orbit(d.basis, d.period, orbit));
        double x[2 * MAX_N];
        double still[2 * MAX_N];
        carom_modal_basis_expand(d.basis, orbit->state, x, x + d.n);
        const physical_period period = physical_propagate(d.structure, 1, d.sigma, x, NULL);
        assert_close(period.closure, 0.0, 0.0, IDENTITY);
        // u ~ lambda: gaps are compared in its unit when the speed is large.
        const double size = fmax(1.3, fabs(orbit->lambda[0]));
        assert_close(period.gap, 0.0, 0.0, IDENTITY * size);
        physical_fly(d.structure, 0.5 * d.period, x);
        memcpy(still, x, sizeof still);
        for (int i = 0; i < d.n; i++) {
            still[d.n + i] = 0.0;
        }
        assert_close(physical_distance(d.structure, x, still), 0.0, 0.0, IDENTITY);
        carom_orbit_free(orbit);
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}

/** Differences of fourth order of the scalar kernels in the argument or in the period. */
static carom_kernels kernel_slopes(const carom_modal_basis *basis, double period, double argument,
                                   bool by_period) {
    const double h = 3e-4;
    const double weights[4] = {1.0, -8.0, 8.0, -1.0};
    const double shifts[4] = {-2.0, -1.0, 1.0, 2.0};
    carom_kernels slopes = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    for (int s = 0; s < 4; s++) {
        const double shift = shifts[s] * h;
        const carom_kernels at = carom_kernels_evaluate(basis, by_period ? period + shift : period,
                                                        by_period ? argument : argument + shift);
        slopes.velocity += weights[s] * at.velocity / (12.0 * h);
        slopes.gap += weights[s] * at.gap / (12.0 * h);
    }
    return slopes;
}

TEST(property,
     scalar_kernels_are_the_entries_for_two_impacts_and_the_vector_kernels_at_the_contact) {
    gsl_rng *generator = seeded_generator(SEED + 7);
    for (int round = 0; round < 200; round++) {
        draw d;
        draw_structure(generator, MIN_N + round % 5, 2, (random_contact)(round % 3), 0.0, &d);
        draw_flight_times(generator, &d);
        draw_matrices(&d);
        const double argument = d.sigma[1] - d.sigma[0];
        const carom_kernels at = carom_kernels_evaluate(d.basis, d.period, argument);
        const carom_kernels ends = carom_kernels_evaluate(d.basis, d.period, d.period);
        assert_close(d.Pi[1], at.velocity, 0.0, IDENTITY);
        assert_close(d.Sigma[1], at.gap, 0.0, IDENTITY);
        assert_close(d.Sigma[0], ends.gap, 0.0, IDENTITY);
        assert_close(ends.velocity, 1.0, 0.0, IDENTITY);
        double shape[2 * MAX_N];
        carom_kernels_shape(d.basis, d.period, argument, shape, shape + d.n);
        const double root = sqrt(d.structure->inverse_mass);
        assert_close(physical_along_normal(d.structure, shape), at.gap, 0.0, IDENTITY);
        assert_close(physical_along_normal(d.structure, shape + d.n), -root * at.velocity, 0.0,
                     IDENTITY);
        // Differences: h^4 times fifth derivatives up to 1e4, and rounding over h.
        const carom_kernels by_argument = kernel_slopes(d.basis, d.period, argument, false);
        const carom_kernels by_period = kernel_slopes(d.basis, d.period, argument, true);
        assert_close(at.velocity_by_argument, by_argument.velocity, 1e-9, 1e-9);
        assert_close(at.gap_by_argument, by_argument.gap, 1e-9, 1e-9);
        assert_close(at.velocity_by_period, by_period.velocity, 1e-8, 1e-8);
        assert_close(at.gap_by_period, by_period.gap, 1e-8, 1e-8);
        draw_clear(&d);
    }
    gsl_rng_free(generator);
}
