/*
 * Remark 3.1 of thorin-2017: for an odd number of impacts the kernel of Pi is the vector of its
 * sub-Pfaffians; for an even number solutions need pf(Pi) = 0. Pfaffians by recursive expansion.
 */
#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit.h>

#include "independent.h"

#include <stdbool.h>

static const unsigned long SEED = 18271210;

enum { MAX_N = 6, MAX_K = 7, ROUNDS = 300 };

/** Expansion along the first row: sum over j > 0 of (-1)^(j-1) a_0j pf(A without 0 and j). */
static double pfaffian(int k, const double *A) {
    if (k == 0) {
        return 1.0;
    }
    double sum = 0.0;
    double minor[MAX_K * MAX_K] = {0.0};
    for (int j = 1; j < k; j++) {
        int entry = 0;
        for (int row = 1; row < k; row++) {
            for (int column = 1; row != j && column < k; column++) {
                if (column != j) {
                    minor[entry++] = A[row * k + column];
                }
            }
        }
        sum += (j % 2 == 1 ? 1.0 : -1.0) * A[j] * pfaffian(k - 2, minor);
    }
    return sum;
}

/** (-1)^i pf(A without row and column i), the kernel of a skew matrix of odd order. */
static void sub_pfaffians(int k, const double *A, double *kernel) {
    double minor[MAX_K * MAX_K] = {0.0};
    for (int i = 0; i < k; i++) {
        int entry = 0;
        for (int row = 0; row < k; row++) {
            for (int column = 0; row != i && column < k; column++) {
                if (column != i) {
                    minor[entry++] = A[row * k + column];
                }
            }
        }
        kernel[i] = (i % 2 == 0 ? 1.0 : -1.0) * pfaffian(k - 1, minor);
    }
}

/** A random structure with its equations. */
typedef struct draw {
    int k;
    carom_linear_system *system;
    carom_modal_basis *basis;
    carom_impact_equations *equations;
    double sigma[MAX_K];
    double Pi[MAX_K * MAX_K];
    double Sigma[MAX_K * MAX_K];
} draw;

static void draw_make(gsl_rng *generator, int round, int k, draw *d) {
    d->k = k;
    d->system =
        random_structure(generator, 2 + round % (MAX_N - 1), (random_contact)(round / 5 % 3), 0.7);
    assert_ok(carom_modal_basis_compute(d->system, &d->basis, NULL));
    assert_ok(carom_impact_equations_alloc(d->basis, k, &d->equations));
    for (int j = 0; j < k; j++) {
        d->sigma[j] = uniform(generator, 0.3, 3.0);
    }
}

static void draw_clear(draw *d) {
    carom_impact_equations_free(d->equations);
    carom_modal_basis_free(d->basis);
    carom_linear_system_free(d->system);
}

/** Pi and Sigma at the flight times; whether the period is away from all harmonics. */
static bool draw_matrices(draw *d) {
    double period = 0.0;
    for (int j = 0; j < d->k; j++) {
        period += d->sigma[j];
    }
    for (int l = 0; l < d->basis->coordinate_count; l++) {
        if (fabs(sin(0.5 * d->basis->frequency[l] * period)) < 0.05) {
            return false;
        }
    }
    assert_ok(carom_impact_equations_matrices(d->equations, d->sigma, d->Pi, d->Sigma));
    return true;
}

/** Singular values of Pi [k][k], descending. */
static void values_of_pi(const draw *d, double *values) {
    const size_t k = (size_t)d->k;
    gsl_matrix_const_view Pi = gsl_matrix_const_view_array(d->Pi, k, k);
    gsl_matrix *V = gsl_matrix_alloc(k, k);
    singular_values(&Pi.matrix, values, V);
    gsl_matrix_free(V);
}

TEST(unit, the_square_of_the_pfaffian_is_the_determinant) {
    const double A[16] = {0.0, 2.0,  -3.0, 0.7, -2.0, 0.0,  1.3,  5.0,
                          3.0, -1.3, 0.0,  1.1, -0.7, -5.0, -1.1, 0.0};
    // pf = a b' - ..: 2*1.1 - (-3)*5 + 0.7*1.3.
    assert_close(pfaffian(4, A), 2.0 * 1.1 + 3.0 * 5.0 + 0.7 * 1.3, 1e-15, 0.0);
    assert_close(pfaffian(0, A), 1.0, 0.0, 0.0);
}

TEST(property, the_kernel_of_an_odd_pi_is_the_vector_of_its_sub_pfaffians) {
    gsl_rng *generator = seeded_generator(SEED);
    int tested = 0;
    for (int round = 0; round < ROUNDS; round++) {
        draw d;
        draw_make(generator, round, 1 + 2 * (round % 4), &d);
        if (draw_matrices(&d)) {
            double kernel[MAX_K];
            double values[MAX_K];
            sub_pfaffians(d.k, d.Pi, kernel);
            values_of_pi(&d, values);
            // The terms of each row and the rounding of the expansion, which has at most 15 terms
            // of three factors <= 20 each.
            double scale = 0.0;
            for (int i = 0; i < d.k; i++) {
                scale = fmax(scale, fabs(kernel[i]));
            }
            scale = fmax(scale, pow(values[0], 0.5 * (d.k - 1)));
            for (int i = 0; i < d.k; i++) {
                double sum = 0.0;
                for (int j = 0; j < d.k; j++) {
                    sum += d.Pi[i * d.k + j] * kernel[j];
                }
                assert_close(sum, 0.0, 0.0, 1e-13 * scale * fmax(1.0, values[0]));
            }
            // Rank k - 1: the smallest singular value only is rounding, unless the draw is nearly
            // degenerate itself (second smallest below a thousandth).
            assert_close(values[d.k - 1], 0.0, 0.0, 1e-13 * fmax(1.0, values[0]));
            if (d.k > 1 && values[d.k - 2] > 1e-3) {
                tested++;
            }
        }
        draw_clear(&d);
    }
    ck_assert_int_gt(tested, ROUNDS / 2);
    gsl_rng_free(generator);
}

/** pf(Pi) at sigma_1 = s; NaN near a harmonic. */
static double pfaffian_at(draw *d, double s) {
    d->sigma[0] = s;
    return draw_matrices(d) ? pfaffian(d->k, d->Pi) : (double)NAN;
}

/** A zero of pf(Pi) in sigma_1 inside (0.2, 4), by scanning and bisection; false if none. */
static bool find_zero_of_pfaffian(draw *d) {
    enum { STEPS = 40, BISECTIONS = 60 };
    for (int i = 0; i < STEPS; i++) {
        double low = 0.2 + 3.8 * i / STEPS;
        double high = 0.2 + 3.8 * (i + 1) / STEPS;
        const double at_low = pfaffian_at(d, low);
        // NaN fails the comparison: pieces near harmonics are passed over.
        if (!(at_low * pfaffian_at(d, high) < 0.0)) {
            continue;
        }
        bool is_defined = true;
        for (int step = 0; is_defined && step < BISECTIONS; step++) {
            const double middle = 0.5 * (low + high);
            const double value = pfaffian_at(d, middle);
            is_defined = isfinite(value);
            *(value * at_low > 0.0 ? &low : &high) = middle;
        }
        if (is_defined && fabs(pfaffian_at(d, low)) < 1e-9) {
            return true;
        }
    }
    return false;
}

TEST(property, at_a_zero_of_the_pfaffian_an_even_pi_and_the_return_map_lose_rank_two) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    int tested = 0;
    for (int round = 0; round < ROUNDS / 3; round++) {
        draw d;
        draw_make(generator, round, 2 + 2 * (round % 3), &d);
        if (find_zero_of_pfaffian(&d)) {
            double values[2 * MAX_N];
            values_of_pi(&d, values);
            // Singular values of a skew matrix come in pairs; bisection leaves the last at
            // rounding.
            assert_close(values[d.k - 2], values[d.k - 1], 1e-6, 1e-13);
            assert_close(values[d.k - 1], 0.0, 0.0, 1e-10);
            const bool is_simple = d.k == 2 || values[d.k - 3] > 1e-2;
            physical *structure = physical_alloc(d.system);
            const size_t size = 2 * (size_t)structure->n;
            gsl_matrix *B = gsl_matrix_alloc(size, size);
            gsl_matrix *V = gsl_matrix_alloc(size, size);
            physical_return_matrix(structure, d.k, d.sigma, B);
            singular_values(B, values, V);
            // Theorem 3.1 on the other side: two singular values as small as pf(Pi) allows.
            assert_close(values[size - 2], 0.0, 0.0, 1e-9);
            if (is_simple && size > 2) {
                ck_assert_double_gt(values[size - 3], 1e-6);
            }
            tested++;
            gsl_matrix_free(B);
            gsl_matrix_free(V);
            physical_free(structure);
        }
        draw_clear(&d);
    }
    ck_assert_int_gt(tested, ROUNDS / 6);
    gsl_rng_free(generator);
}

TEST(property, solutions_meet_the_pfaffian_conditions) {
    // k even: pf(Pi) = 0; k odd: lambda is parallel to the sub-Pfaffians and all entries of Sigma
    // times these are equal.
    gsl_rng *generator = seeded_generator(SEED + 2);
    int tested = 0;
    for (int round = 0; round < ROUNDS / 3; round++) {
        draw d;
        draw_make(generator, round, 2 + round % 5, &d);
        carom_orbit_solver *solver;
        carom_orbit *orbit;
        assert_ok(carom_orbit_solver_alloc(d.basis, d.k, &solver));
        assert_ok(carom_orbit_alloc(d.basis, d.k, &orbit));
        const carom_status status =
            carom_orbit_solve(solver, d.sigma, NULL, NULL, NULL, orbit, NULL);
        memcpy(d.sigma, orbit->flight_times, (size_t)d.k * sizeof(double));
        if (status == CAROM_OK && draw_matrices(&d)) {
            double values[MAX_K];
            double kernel[MAX_K] = {0.0};
            values_of_pi(&d, values);
            if (d.k % 2 == 0) {
                const double scale = pow(fmax(1.0, values[0]), 0.5 * d.k);
                // Flight times are solved to 1e-12 and pf(Pi) has slopes up to the scale.
                assert_close(pfaffian(d.k, d.Pi), 0.0, 0.0, 1e-10 * scale);
                tested++;
            } else if (values[d.k - 2] > 1e-3) {
                sub_pfaffians(d.k, d.Pi, kernel);
                int largest = 0;
                for (int i = 1; i < d.k; i++) {
                    largest = fabs(kernel[i]) > fabs(kernel[largest]) ? i : largest;
                }
                const double factor = orbit->lambda[largest] / kernel[largest];
                for (int i = 0; i < d.k; i++) {
                    double gap = 0.0;
                    for (int j = 0; j < d.k; j++) {
                        gap += d.Sigma[i * d.k + j] * factor * kernel[j];
                    }
                    // Kernel vectors err by rounding over the second smallest singular value.
                    const double size = fabs(orbit->lambda[largest]);
                    assert_close(factor * kernel[i], orbit->lambda[i], 0.0, 1e-9 * size);
                    assert_close(gap, -0.7, 0.0, 1e-8 * fmax(1.0, size));
                }
                tested++;
            }
        }
        carom_orbit_free(orbit);
        carom_orbit_solver_free(solver);
        draw_clear(&d);
    }
    ck_assert_int_gt(tested, ROUNDS / 10);
    gsl_rng_free(generator);
}
