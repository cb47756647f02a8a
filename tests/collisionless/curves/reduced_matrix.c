/*
 * carom/collisionless/curves/critical_region.h: the pole-free matrix against the printed one and
 * time functions from another file, determinants by GSL, and what is refused.
 */
#include <carom/collisionless/curves/critical_region.h>

#include "../../failing_malloc.h"
#include "determinant_cases.h"

/** LU determinant of a copy without one row. */
static double determinant_without_row(const double *a, int N, int left_out) {
    gsl_matrix *lu = zeros(N, N);
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            set(lu, i, j, a[(i < left_out ? i : i + 1) * N + j]);
        }
    }
    gsl_permutation *permutation = gsl_permutation_alloc((size_t)N);
    int sign = 0;
    gsl_linalg_LU_decomp(lu, permutation, &sign);
    const double determinant = gsl_linalg_LU_det(lu, sign);
    gsl_permutation_free(permutation);
    gsl_matrix_free(lu);
    return determinant;
}

/* ------------------------------------------------------------------------------------- (42), (43)
 */

TEST(property, the_pole_free_matrix_is_B_times_rates_and_positions) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 2 + (int)(seed % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -3.0, 2.0, 2.1, 3.0);
        mix_parities(spectra, seed);
        const double time = random_time(seed, 220);
        const double constrained_time = random_time(seed, 221);
        paper_mode u[8] = {{0.0, 0.0, 0.0}};
        paper_mode c[8] = {{0.0, 0.0, 0.0}};
        paper_modes(spectra, time, constrained_time, u, c);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double B[30] = {0.0};
        double B_check[30] = {0.0};
        carom_reduced_matrix_printed(reduced, time, constrained_time, NULL, B);
        carom_reduced_matrix_pole_free(reduced, time, constrained_time, B_check);
        for (int i = 0; i <= N; i++) {
            const double rate = i < N ? u[i].g_dot / cosh_of(spectra->unconstrained[i], time) : 1.0;
            for (int j = 0; j < N; j++) {
                const double position =
                    j < N - 1 ? c[j].g / cosh_of(spectra->constrained[j], constrained_time) : 1.0;
                // the difference in U may cancel
                const double size =
                    i < N && j < N - 1
                        ? 1.0 / fabs(spectra->unconstrained[i] - spectra->constrained[j])
                        : 0.0;
                assert_close(B_check[i * N + j], B[i * N + j] * rate * position, 1e-11,
                             1e-12 * size);
            }
        }
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

/** Rows and columns of modes of unit kinetic energy: sqrt(W_i), |M^j| and |1/lambda| in that norm;
 * frequencies in units of the largest. */
static void determinant_factors(const carom_phase_spectra *spectra, double *factors) {
    const int N = spectra->mode_count;
    const double kappa =
        sqrt(fmax(fabs(spectra->unconstrained[0]), fabs(spectra->unconstrained[N - 1])));
    double share[9] = {0.0};
    carom_cauchy_shares(N, spectra->unconstrained, spectra->constrained, share);
    double columns = 1.0;
    double last_row = 0.0;
    for (int j = 0; j < N; j++) {
        double square = 0.0;
        for (int i = 0; i < N; i++) {
            const double pole = j < N - 1 ? spectra->constrained[j] : 0.0;
            square += share[i] * pow(kappa * kappa / (spectra->unconstrained[i] - pole), 2);
        }
        columns /= sqrt(square);
        last_row += 1.0 / square;
    }
    double rows = pow(kappa, N - 1);
    for (int i = 0; i < N - 1; i++) {
        rows *= sqrt(share[i]);
    }
    factors[CAROM_DETERMINANT_WITHOUT_MODE] = rows * columns * share[N - 1] / sqrt(last_row);
    factors[CAROM_DETERMINANT_WITHOUT_FORCE] = rows * columns * kappa * sqrt(share[N - 1]);
}

TEST(property, determinants_are_those_of_the_pole_free_matrix_in_units_of_its_modes) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 2 + (int)(seed % 7);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -4.0, 2.0, 2.1, 3.0);
        mix_parities(spectra, seed);
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double factors[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
        determinant_factors(spectra, factors);
        for (unsigned long k = 0; k < 4; k++) {
            const double time = random_time(seed, 230 + k);
            const double constrained_time = random_time(seed, 240 + k);
            double B_check[90] = {0.0};
            carom_reduced_matrix_pole_free(reduced, time, constrained_time, B_check);
            double determinants[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
            carom_reduced_matrix_determinants(reduced, time, constrained_time, determinants);
            for (int family = 0; family < CAROM_DETERMINANT_FAMILY_COUNT; family++) {
                const int left_out = family == CAROM_DETERMINANT_WITHOUT_MODE ? N - 1 : N;
                // rows and columns are of unit length, so rounding is absolute
                assert_close(determinants[family],
                             factors[family] * determinant_without_row(B_check, N, left_out), 1e-10,
                             1e-14);
                ck_assert_double_lt(fabs(determinants[family]), 100.0);
            }
        }
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

/** det B_check without row N = (-1)^(N-1) eta'1 det(Z_check, i < N) / prod_{i<N} lambda_i, Z_check
 * of velocities and accelerations: both ways to the impact equations have this curve in common. */
TEST(property, the_first_determinant_is_that_of_velocities_and_accelerations) {
    for (unsigned long seed = 0; seed < SEEDS; seed++) {
        const int N = 3 + (int)(seed % 3);
        carom_phase_spectra *spectra = random_spectra(SEED + seed, N, -3.0, 2.0, 2.1, 3.0);
        mix_parities(spectra, seed);
        const double time = random_time(seed, 250);
        const double constrained_time = random_time(seed, 251);
        paper_mode u[8] = {{0.0, 0.0, 0.0}};
        paper_mode c[8] = {{0.0, 0.0, 0.0}};
        paper_modes(spectra, time, constrained_time, u, c);
        double Z[64] = {0.0};
        double scale = N % 2 == 1 ? 1.0 : -1.0;
        for (int i = 0; i < N - 1; i++) {
            for (int j = 0; j < N - 1; j++) {
                Z[i * (N - 1) + j] = (u[i].g_dot * c[j].g_ddot - u[i].g_ddot * c[j].g_dot) /
                                     (spectra->unconstrained[i] - spectra->constrained[j]);
            }
            scale /= spectra->unconstrained[i] * cosh_of(spectra->unconstrained[i], time) *
                     cosh_of(spectra->constrained[i], constrained_time);
        }
        carom_reduced_matrix *reduced = reduced_of(spectra);
        double B_check[64] = {0.0};
        carom_reduced_matrix_pole_free(reduced, time, constrained_time, B_check);
        const double inertia = B_check[N * N + N - 1];
        const double expected = scale * inertia * determinant_without_row(Z, N - 1, N);
        // conditioned by the product of the rows' lengths
        double size = inertia;
        for (int i = 0; i < N - 1; i++) {
            double square = 0.0;
            for (int j = 0; j < N; j++) {
                square += B_check[i * N + j] * B_check[i * N + j];
            }
            size *= sqrt(square);
        }
        assert_close(determinant_without_row(B_check, N, N - 1), expected, 1e-9, 1e-11 * size);
        carom_reduced_matrix_free(reduced);
        carom_phase_spectra_free(spectra);
    }
}

TEST(unit, determinants_do_not_depend_on_the_unit_of_time) {
    carom_phase_spectra *spectra = two_oscillating();
    carom_reduced_matrix *reduced = reduced_of(spectra);
    double expected[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
    carom_reduced_matrix_determinants(reduced, 2.31, 0.77, expected);
    const double unit = 1.7e4;
    double lambda[4] = {0.0};
    double constrained[3] = {0.0};
    for (int i = 0; i < 4; i++) {
        lambda[i] = spectra->unconstrained[i] * unit * unit;
    }
    for (int j = 0; j < 3; j++) {
        constrained[j] = spectra->constrained[j] * unit * unit;
    }
    carom_phase_spectra *faster =
        spectra_of(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_reduced_matrix *other = reduced_of(faster);
    double determinants[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
    carom_reduced_matrix_determinants(other, 2.31 / unit, 0.77 / unit, determinants);
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        assert_close(determinants[k], expected[k], 1e-12, 0.0);
    }
    carom_reduced_matrix_free(other);
    carom_phase_spectra_free(faster);
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
}

/** nu tau and nu' tau' of 800 to 3000, beyond the range of cosh: all hyperbolic modes are saturated
 * as they are at 40, so whole periods of the oscillating ones change nothing. */
TEST(unit, nothing_overflows_where_hyperbolic_modes_do) {
    carom_phase_spectra *spectra = unit_biped();
    carom_reduced_matrix *reduced = reduced_of(spectra);
    const double start = 60.3;
    const int turns = 160;
    const double time = carom_reduced_matrix_time(reduced, start);
    const double constrained_time = carom_reduced_matrix_constrained_time(reduced, start);
    const double later = carom_reduced_matrix_time(reduced, start + 2.0 * M_PI * turns);
    const double constrained_later =
        carom_reduced_matrix_constrained_time(reduced, start + 2.0 * M_PI * turns);
    ck_assert_double_gt(sqrt(M_SQRT2) * constrained_later, 800.0);
    double expected[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
    double determinants[CAROM_DETERMINANT_FAMILY_COUNT] = {0.0};
    carom_reduced_matrix_determinants(reduced, time, constrained_time, expected);
    carom_reduced_matrix_determinants(reduced, later, constrained_later, determinants);
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        // a phase of 1000 rad is known to 1e-13
        assert_close(determinants[k], expected[k], 1e-11, 0.0);
    }
    double G[6] = {0.0};
    double B[12] = {0.0};
    double B_check[12] = {0.0};
    carom_reduced_matrix_printed(reduced, later, constrained_later, G, B);
    carom_reduced_matrix_pole_free(reduced, later, constrained_later, B_check);
    for (int k = 0; k < 12; k++) {
        ck_assert(isfinite(B[k]) && isfinite(B_check[k]));
    }
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
}

TEST(unit, impact_phases_are_those_of_the_last_modes) {
    carom_phase_spectra *spectra = two_oscillating();
    carom_reduced_matrix *reduced = reduced_of(spectra);
    assert_close(carom_reduced_matrix_time(reduced, 2.385 * sqrt(3.1)), 2.385, 1e-15, 0.0);
    assert_close(carom_reduced_matrix_constrained_time(reduced, 0.917 * sqrt(1.7)), 0.917, 1e-15,
                 0.0);
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
    const double lambda[2] = {-3.0, -1.21};
    const double constrained[1] = {-1.44};
    spectra = spectra_of(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    reduced = reduced_of(spectra);
    assert_close(carom_reduced_matrix_time(reduced, 2.2), 2.0, 1e-14, 0.0);
    assert_close(carom_reduced_matrix_constrained_time(reduced, 2.4), 2.0, 1e-14, 0.0);
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
}

/** A column of zeros: the constrained time at which the only, odd, constrained mode is at rest. */
TEST(unit, a_vanishing_pivot_makes_both_determinants_zero) {
    const double lambda[2] = {-M_SQRT2, M_SQRT2};
    const double constrained[1] = {1.0};
    carom_phase_spectra *spectra =
        spectra_of(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_reduced_matrix *reduced = reduced_of(spectra);
    double rows[6] = {0.0};
    double columns[2] = {0.3, 0.4};
    ck_assert_int_eq(carom_reduced_matrix_rows_size(reduced), 6);
    ck_assert_int_eq(carom_reduced_matrix_columns_size(reduced), 2);
    double determinants[CAROM_DETERMINANT_FAMILY_COUNT] = {1.0, 1.0};
    carom_reduced_matrix_eliminate(reduced, rows, columns, determinants);
    assert_close(determinants[CAROM_DETERMINANT_WITHOUT_MODE], 0.0, 0.0, 0.0);
    assert_close(determinants[CAROM_DETERMINANT_WITHOUT_FORCE], 0.0, 0.0, 0.0);
    carom_reduced_matrix_free(reduced);
    carom_phase_spectra_free(spectra);
}

/* ----------------------------------------------------------------------------------------- errors
 */

static void assert_refused(double lambda_1, double constrained, double lambda_2,
                           carom_status expected, const char *quantity, int index) {
    carom_phase_spectra *spectra = NULL;
    assert_ok(carom_phase_spectra_alloc(2, &spectra));
    spectra->unconstrained[0] = lambda_1;
    spectra->unconstrained[1] = lambda_2;
    spectra->constrained[0] = constrained;
    carom_report report = carom_report_empty();
    carom_reduced_matrix *reduced = (carom_reduced_matrix *)&report;
    ck_assert_int_eq(carom_reduced_matrix_alloc(spectra, &reduced, &report), expected);
    ck_assert_ptr_null(reduced);
    ck_assert_str_eq(report.quantity, quantity);
    ck_assert_int_eq(report.index, index);
    carom_phase_spectra_free(spectra);
}

TEST(errors, a_zero_eigenvalue_is_singular_and_named) {
    assert_refused(0.0, 1.0, 2.0, CAROM_STATUS_SINGULAR, "unconstrained spectrum", 0);
    assert_refused(-1.0, -0.5, 0.0, CAROM_STATUS_SINGULAR, "unconstrained spectrum", 1);
    assert_refused(-1.0, 0.0, 2.0, CAROM_STATUS_SINGULAR, "constrained spectrum", 0);
    assert_refused(-1e-17, 1.0, 2.0, CAROM_STATUS_SINGULAR, "unconstrained spectrum", 0);
    // far from zero on the scale of rounding
    const double lambda[2] = {-1e-12, 2.0};
    const double constrained[1] = {1.0};
    carom_phase_spectra *spectra =
        spectra_of(2, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_reduced_matrix_free(reduced_of(spectra));
    carom_phase_spectra_free(spectra);
}

TEST(errors, spectra_that_are_none_are_refused) {
    assert_refused(1.0, 3.0, 2.0, CAROM_STATUS_CONFLICT, "unconstrained spectrum", 1);
    assert_refused(1.0, (double)NAN, 2.0, CAROM_STATUS_NOT_FINITE, "constrained spectrum", 0);
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    carom_phase_spectra *spectra = unit_biped();
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        carom_reduced_matrix *reduced = NULL;
        successes_left = failures;
        status = carom_reduced_matrix_alloc(spectra, &reduced, NULL);
        successes_left = -1;
        if (status != CAROM_OK) {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(reduced);
        }
        carom_reduced_matrix_free(reduced);
    }
    ck_assert_int_eq(failures, 8);
    carom_reduced_matrix_free(NULL);
    carom_phase_spectra_free(spectra);
}
