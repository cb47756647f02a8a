/*
 * carom/modes/orbit.h, the maps: symplecticity, what they keep, and finite differences of the
 * motion followed from impact to impact.
 */
#include <carom/modes/internal.h>

#include "stability_cases.h"

static const unsigned long SEED = 20170816;

/** J [2m][2m] of the header. */
static void write_symplectic_form(const carom_modal_basis *basis, double *J) {
    const int m = basis->visible_count;
    memset(J, 0, (size_t)(4 * m * m) * sizeof *J);
    for (int l = 0; l < m; l++) {
        J[l * 2 * m + l + m] = 1.0 / basis->frequency[l];
        J[(l + m) * 2 * m + l] = -1.0 / basis->frequency[l];
    }
}

/** C = A' B A for A [rows][columns] and B [rows][rows]. */
static void congruence(int rows, int columns, const double *A, const double *B, double *C) {
    for (int i = 0; i < columns; i++) {
        for (int j = 0; j < columns; j++) {
            double sum = 0.0;
            for (int p = 0; p < rows; p++) {
                for (int q = 0; q < rows; q++) {
                    sum += A[p * columns + i] * B[p * rows + q] * A[q * columns + j];
                }
            }
            C[i * columns + j] = sum;
        }
    }
}

static double norm(int count, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += x[i] * x[i];
    }
    return sqrt(sum);
}

static double distance(int count, const double *x, const double *y) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sqrt(sum);
}

TEST(property, the_monodromy_matrix_is_symplectic_for_any_impacts) {
    gsl_rng *generator = seeded_generator(SEED + 1);
    for (int trial = 0; trial < 60; trial++) {
        const int n = 1 + trial % LARGEST;
        const int k = 1 + trial / LARGEST % LARGEST_K;
        carom_modal_basis *basis = random_structure(generator, n);
        double flight_times[LARGEST_K] = {0.0};
        double lambda[LARGEST_K] = {0.0};
        for (int j = 0; j < k; j++) {
            flight_times[j] = uniform(generator, 0.3, 2.4);
            lambda[j] =
                uniform(generator, 0.4, 1.7) * (gsl_rng_uniform(generator) < 0.5 ? -1.0 : 1.0);
        }
        carom_orbit *orbit = orbit_of(basis, k, flight_times, lambda);
        carom_stability *stability = workspace(basis);
        double Phi[SIZE * SIZE];
        double J[SIZE * SIZE];
        double image[SIZE * SIZE];
        assert_ok(carom_stability_monodromy(stability, orbit, Phi));
        write_symplectic_form(basis, J);
        congruence(2 * n, 2 * n, Phi, J, image);
        /* rounding of k factors on both sides, none of which is much larger than their product */
        const double size = norm(4 * n * n, Phi);
        const double bound = 1e-13 * size * size * norm(4 * n * n, J);
        assert_close(distance(4 * n * n, image, J), 0.0, 0.0, bound);
        carom_stability_free(stability);
        carom_orbit_free(orbit);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}

/** Check one periodic motion: Phi keeps flow and energy, R is symplectic, multipliers pair up. */
static void assert_reduction(const carom_modal_basis *basis, const carom_orbit *orbit) {
    const int m = basis->visible_count;
    const int size = 2 * m;
    const int reduced = size - 2;
    carom_stability *stability = workspace(basis);
    double Phi[SIZE * SIZE];
    double R[REDUCED * REDUCED];
    double B[SIZE * REDUCED];
    assert_ok(carom_stability_monodromy(stability, orbit, Phi));
    assert_ok(carom_stability_return_map(stability, orbit, R, B));
    double z[SIZE] = {0.0};
    double h[SIZE] = {0.0};
    double f[SIZE] = {0.0};
    for (int l = 0; l < m; l++) {
        z[l] = orbit->state[2 * l];
        z[l + m] = orbit->state[2 * l + 1];
        h[l] = basis->participation[l] / basis->frequency[l];
        f[l] = basis->frequency[l] * z[l + m];
        f[l + m] = -basis->frequency[l] * z[l];
    }
    /* the time shift comes back as it was, and so does the gradient of the energy; both to the
     * rounding of the largest terms, and of what the kernel of Pi leaves of them */
    const double rounding = 1e-12 * norm(size * size, Phi);
    for (int i = 0; i < size; i++) {
        double shift = 0.0;
        double gradient = 0.0;
        for (int j = 0; j < size; j++) {
            shift += Phi[i * size + j] * f[j];
            gradient += z[j] * Phi[j * size + i];
        }
        assert_close(shift, f[i], 0.0, rounding * norm(size, f));
        assert_close(gradient, z[i], 0.0, rounding * norm(size, z));
    }
    /* B is orthonormal, in the section and on the energy level */
    double identity[SIZE * SIZE] = {0.0};
    double product[REDUCED * REDUCED];
    for (int i = 0; i < size; i++) {
        identity[i * (size + 1)] = 1.0;
    }
    congruence(size, reduced, B, identity, product);
    for (int i = 0; i < reduced; i++) {
        double to_section = 0.0;
        double to_level = 0.0;
        for (int j = 0; j < size; j++) {
            to_section += B[j * reduced + i] * h[j];
            to_level += B[j * reduced + i] * z[j];
        }
        assert_close(to_section, 0.0, 0.0, 1e-14 * norm(size, h));
        assert_close(to_level, 0.0, 0.0, 1e-14 * norm(size, z));
        for (int j = 0; j < reduced; j++) {
            assert_close(product[i * reduced + j], i == j ? 1.0 : 0.0, 0.0, 1e-14);
        }
    }
    /* R' J_W R = J_W */
    double J[SIZE * SIZE];
    double J_W[REDUCED * REDUCED];
    write_symplectic_form(basis, J);
    congruence(size, reduced, B, J, J_W);
    congruence(reduced, reduced, R, J_W, product);
    const double size_R = norm(reduced * reduced, R);
    assert_close(distance(reduced * reduced, product, J_W), 0.0, 0.0,
                 1e-12 * size_R * size_R * norm(reduced * reduced, J_W));
    /* every multiplier has its reciprocal; a small one is known to rounding of the largest */
    double complex mu[REDUCED];
    const double radius = multipliers_of(basis, orbit, mu);
    ck_assert_double_ge(radius, 1.0);
    for (int i = 0; i < reduced; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < reduced; j++) {
            nearest = fmin(nearest, cabs(1.0 - mu[i] * mu[j]) / (1.0 + cabs(mu[i])));
        }
        ck_assert_double_lt(nearest, 1e-12 * size_R);
    }
    carom_stability_free(stability);
}

TEST(property, return_maps_of_periodic_motions_are_symplectic) {
    gsl_rng *generator = seeded_generator(SEED + 2);
    for (int trial = 0; trial < 100; trial++) {
        const int n = 2 + trial % (LARGEST - 1);
        const int k = 1 + trial / (LARGEST - 1) % LARGEST_K;
        carom_modal_basis *basis = random_structure(generator, n);
        carom_orbit *orbit = random_periodic(generator, basis, k);
        assert_reduction(basis, orbit);
        carom_orbit_free(orbit);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}

/** P(z) just after the k-th impact from z. */
static void return_of(const carom_modal_basis *basis, carom_contact_motion *motion, int k,
                      double *z) {
    carom_event_end end;
    assert_ok(carom_event_propagate(basis, motion, z, k, INFINITY, NULL, NULL, &end, NULL));
    ck_assert_int_eq(end.impacts, k);
}

/** images [2m] += weight P(z_0 + step b) for column c of the basis B of the section. */
static void add_image(const carom_modal_basis *basis, carom_contact_motion *motion,
                      const carom_orbit *orbit, const double *B, int c, double step, double weight,
                      double *images) {
    const int m = basis->visible_count;
    double z[SIZE];
    for (int i = 0; i < 2 * m; i++) {
        const int row = i / 2 + i % 2 * m;
        z[i] = orbit->state[i] + step * B[row * (2 * m - 2) + c];
    }
    return_of(basis, motion, orbit->impact_count, z);
    for (int i = 0; i < 2 * m; i++) {
        images[i / 2 + i % 2 * m] += weight * z[i];
    }
}

/**
 * R against B' dP, by central differences of fourth order. The perturbations are tangent to the
 * energy level; that they leave it by half their square is even in the step and drops out.
 */
static void assert_differences(const carom_modal_basis *basis, carom_orbit *orbit) {
    const int size = 2 * basis->visible_count;
    const int reduced = size - 2;
    carom_stability *stability = workspace(basis);
    carom_contact_motion *motion;
    assert_ok(carom_contact_motion_alloc(basis, &motion));
    double R[REDUCED * REDUCED];
    double B[SIZE * REDUCED];
    assert_ok(carom_stability_return_map(stability, orbit, R, B));
    /* Curvature acts over perturbations as large as the slowest impact: truncation (3e-4)^4 times
     * some hundred. Rounding is 1e-15 of the state over a step of down to 2e-5 of it, times the
     * amplification on the way, again some hundred. */
    double slowest = INFINITY;
    for (int j = 0; j < orbit->impact_count; j++) {
        slowest = fmin(slowest, orbit->lambda[j]);
    }
    const double step = 3e-4 * slowest;
    double difference[REDUCED * REDUCED] = {0.0};
    for (int c = 0; c < reduced; c++) {
        double images[SIZE] = {0.0};
        add_image(basis, motion, orbit, B, c, 2.0 * step, -1.0, images);
        add_image(basis, motion, orbit, B, c, step, 8.0, images);
        add_image(basis, motion, orbit, B, c, -step, -8.0, images);
        add_image(basis, motion, orbit, B, c, -2.0 * step, 1.0, images);
        for (int r = 0; r < reduced; r++) {
            double sum = 0.0;
            for (int i = 0; i < size; i++) {
                sum += B[i * reduced + r] * images[i];
            }
            difference[r * reduced + c] = sum / (12.0 * step);
        }
    }
    const double error = distance(reduced * reduced, difference, R) / norm(reduced * reduced, R);
    ck_assert_msg(error < 1e-8, "relative error %g", error);
    carom_contact_motion_free(motion);
    carom_stability_free(stability);
    carom_orbit_free(orbit);
}

TEST(property, return_maps_are_the_derivatives_of_the_motion_from_impact_to_impact) {
    carom_modal_basis *basis = chain(5, 1.0);
    assert_differences(basis, single_impact(basis, 4.30));
    assert_differences(basis, single_impact(basis, 4.0));
    assert_differences(basis, single_impact(basis, 1.4));
    static const double TIMES_2[2] = {0.330508890769, 3.594491109231};
    static const double LAMBDA_2[2] = {0.419644607301, 0.419644607301};
    assert_differences(basis, solved(basis, 2, TIMES_2, LAMBDA_2));
    static const double UNSTABLE_2[2] = {1.723490178455, 1.036509821545};
    static const double FAST_2[2] = {3.502774281630, 3.502774281630};
    assert_differences(basis, solved(basis, 2, UNSTABLE_2, FAST_2));
    static const double TIMES_3[3] = {0.210218004117, 0.210218004117, 3.480563991765};
    static const double LAMBDA_3[3] = {0.383998269039, 0.287507622260, 0.287507622260};
    assert_differences(basis, solved(basis, 3, TIMES_3, LAMBDA_3));
    /* on the branch that begins at T = 2.912798933629 in 5.3 with a grazing first impact */
    static const double UNSTABLE_3[3] = {0.4016, 1.2416, 1.2416};
    static const double FAST_3[3] = {2.98, 1.09, 2.98};
    assert_differences(basis, solved(basis, 3, UNSTABLE_3, FAST_3));
    carom_modal_basis_free(basis);
}

TEST(property, two_rounds_square_the_return_map) {
    gsl_rng *generator = seeded_generator(SEED + 4);
    for (int trial = 0; trial < 10; trial++) {
        const int n = 2 + trial % (LARGEST - 1);
        const int reduced = 2 * n - 2;
        carom_modal_basis *basis = random_structure(generator, n);
        carom_orbit *once = random_periodic(generator, basis, 1);
        const double flight_times[2] = {once->period, once->period};
        const double lambda[2] = {once->lambda[0], once->lambda[0]};
        carom_orbit *twice = orbit_of(basis, 2, flight_times, lambda);
        carom_stability *stability = workspace(basis);
        double R[REDUCED * REDUCED];
        double R_2[REDUCED * REDUCED];
        assert_ok(carom_stability_return_map(stability, once, R, NULL));
        assert_ok(carom_stability_return_map(stability, twice, R_2, NULL));
        const double size = norm(reduced * reduced, R);
        for (int i = 0; i < reduced; i++) {
            for (int j = 0; j < reduced; j++) {
                double sum = 0.0;
                for (int c = 0; c < reduced; c++) {
                    sum += R[i * reduced + c] * R[c * reduced + j];
                }
                assert_close(R_2[i * reduced + j], sum, 0.0, 1e-12 * size * size);
            }
        }
        carom_stability_free(stability);
        carom_orbit_free(twice);
        carom_orbit_free(once);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}
