/* carom/collisionless: the limit of a vanishing lambda'_{N-1}, with the corrected and the printed
 * sign. */
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/collisionless/roots/internal.h>

#include "../../failing_malloc.h"
#include "../motion/single_oscillations.h"

static const unsigned long SEED = 20240217;

/** Digits printed in the reference tables: half a unit of the twelfth and of the ninth
 * decimal, and a rounding of ours. */
static const double TWELVE_DECIMALS = 6e-13;
static const double NINE_DECIMALS = 5.1e-10;

/** What determinants of up to 7 rows with eigenvalues 0.02 apart leave of 16 digits. */
static const double DETERMINANT_ROUNDING = 1e-10;

/** The spectrum of the stand-in for figure 2, with lambda'_3 as given. */
static carom_phase_spectra *near_critical(double constrained_last) {
    const double lambda[] = {-3.1, -1.7, -0.8, 1.3};
    const double constrained[] = {-2.4, -1.2, constrained_last};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    return spectra;
}

static carom_critical_region *region_of(const carom_phase_spectra *spectra) {
    carom_critical_region *region;
    assert_ok(carom_critical_region_alloc(spectra, &region, NULL));
    return region;
}

TEST(unit, large_times_give_the_values_of_the_reference) {
    // Reference table A.4, 4.1
    carom_phase_spectra *spectra = near_critical(0.01);
    carom_critical_region *region = region_of(spectra);
    carom_critical_matrices limit;
    assert_ok(carom_critical_region_matrices(region, HUGE_VAL, &limit));
    assert_close(carom_critical_matrices_slope(&limit), 1.117827192880, 0.0, TWELVE_DECIMALS);
    assert_close(carom_critical_matrices_demanded_w(&limit, false), -1.202186253987, 0.0,
                 TWELVE_DECIMALS);
    assert_close(carom_critical_matrices_demanded_w(&limit, true), -1.03913, 0.0, 5.1e-6);
    // r = det(Ubar)/lambda_N2 over the determinant
    assert_close(limit.constant, 1.0 / (1.3 * 1.3), 1e-15, 0.0);
    ck_assert(isnan(limit.w_N) && isinf(limit.time));
    ck_assert(isnan(limit.K[0][0]) && isnan(carom_critical_matrices_determinant(&limit, false)));

    const double phase[] = {3.900523364, 7.042116017, 10.183708671, 13.325301325};
    const double printed[] = {3.973324105, 7.114916759, 10.256509412, 13.398102066};
    for (int column = 2; column < 6; column++) {
        carom_critical_root root;
        assert_ok(carom_critical_region_asymptote(region, column, 0, false, &root));
        assert_close(root.phase, phase[column - 2], 0.0, NINE_DECIMALS);
        assert_close(root.time, root.phase / sqrt(1.3), 1e-15, 0.0);
        assert_close(root.constrained_phase, 1.481337061, 0.0, NINE_DECIMALS);
        assert_close(root.constrained_time, 10.0 * root.constrained_phase, 1e-15, 0.0);
        ck_assert(root.residual < 1e-15);
        assert_ok(carom_critical_region_asymptote(region, column, 1, true, &root));
        assert_close(root.phase, printed[column - 2], 0.0, NINE_DECIMALS);
        assert_close(root.constrained_phase, 1.481337061 + M_PI, 0.0, NINE_DECIMALS);
        ck_assert(root.residual < 1e-15);
    }
    carom_critical_region_free(region);
    carom_phase_spectra_free(spectra);
}

TEST(unit, roots_tend_to_the_critical_one_as_in_the_reference) {
    // Reference table A.4: lambda'_3 from 1e-1 to 1e-6 in column 2
    const double constrained_phase[] = {1.298333087, 1.481890685, 1.542588414,
                                        1.561873222, 1.567974499, 1.569903984};
    const double ratio[] = {1.131762138, 1.121822933, 1.120763122,
                            1.120656439, 1.120645763, 1.120644696};
    carom_critical_root critical;
    for (int k = 0; k < 6; k++) {
        const double constrained = pow(10.0, -1.0 - k);
        const double omega = sqrt(constrained);
        carom_phase_spectra *spectra = near_critical(constrained);
        carom_critical_region *region = region_of(spectra);
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(spectra, 2, 0, &root, NULL));
        assert_ok(carom_critical_region_root(region, 2, 0, &critical));
        assert_close(root.constrained_time * omega, constrained_phase[k], 0.0, NINE_DECIMALS);
        // near pi/2 the tangent multiplies the rounding of o' by 1/omega'
        assert_close(ratio_of_mode(constrained, CAROM_PARITY_ODD, root.constrained_time), ratio[k],
                     0.0, NINE_DECIMALS);
        assert_close(critical.time, 3.420116515, 0.0, NINE_DECIMALS);
        assert_close(root.time, critical.time, 0.0, k == 0 ? 1.4e-6 : NINE_DECIMALS);
        // w' = c_0 + 0.1186 lambda' + .., o' = pi/2 - omega'/c_0 + (omega'/c_0)3/3 + ..
        assert_close(ratio[k] - 0.1186 * constrained, critical.slope, 0.0,
                     0.1 * constrained * constrained + 1e-9);
        assert_close(critical.constrained_phase, constrained_phase[k], 0.0, 1.1 * pow(omega, 3.0));
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
}

TEST(unit, the_limit_itself_has_an_infinite_contact) {
    carom_phase_spectra *spectra = near_critical(0.0);
    carom_critical_region *region = region_of(spectra);
    carom_critical_root root;
    assert_ok(carom_critical_region_root(region, 3, 2, &root));
    // A.4 at lambda'_3 = 0.01: what is left depends on it by exp(-2 nu tau) = 1e-5 of 1e-2
    assert_close(root.phase, 7.042109107, 0.0, NINE_DECIMALS);
    assert_close(root.constrained_phase, 2.5 * M_PI, 1e-15, 0.0);
    ck_assert(isinf(root.constrained_time) && root.constrained_time > 0.0);
    spectra->constrained_parity[2] = CAROM_PARITY_EVEN;
    assert_ok(carom_critical_region_asymptote(region, 3, 2, false, &root));
    assert_close(root.constrained_phase, 3.0 * M_PI, 1e-15, 0.0);
    ck_assert(isinf(root.constrained_time));
    carom_critical_region_free(region);
    carom_phase_spectra_free(spectra);
}

TEST(property, for_two_modes_the_printed_sign_does_not_show) {
    // (41): w_1 = w_2 and c_0 = -w_1
    for (unsigned long sample = 0; sample < 100; sample++) {
        carom_phase_spectra *spectra = random_spectra(SEED, sample, 2, true);
        carom_critical_region *region = region_of(spectra);
        carom_critical_root root;
        carom_critical_matrices matrices;
        assert_ok(carom_critical_region_root(region, 2 + (int)(sample % 3), 0, &root));
        const double w_1 =
            ratio_of_mode(spectra->unconstrained[0], spectra->unconstrained_parity[0], root.time);
        assert_close(root.w_N, w_1, 1e-12, 0.0);
        assert_close(root.slope, -w_1, 1e-14, 0.0);
        assert_ok(carom_critical_region_matrices(region, root.time, &matrices));
        assert_close(carom_critical_matrices_demanded_w(&matrices, true), w_1, 1e-14, 0.0);
        assert_close(carom_critical_matrices_demanded_w(&matrices, false), w_1, 1e-14, 0.0);
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
}

/** U of (13) at a tau, with lambda'_{N-1} = epsilon, w'_{N-1} = c_0 and w'_j = -nu'_j. */
static void fill_U(const carom_phase_spectra *spectra, double time, double epsilon, double c_0,
                   double *U) {
    const int N = spectra->mode_count;
    for (int i = 0; i < N; i++) {
        const double lambda = spectra->unconstrained[i];
        const double w = ratio_of_mode(lambda, spectra->unconstrained_parity[i], time);
        for (int j = 0; j < N - 1; j++) {
            const double constrained = j < N - 2 ? spectra->constrained[j] : epsilon;
            const double w_constrained = j < N - 2 ? -sqrt(-constrained) : c_0;
            const double G = -(w / lambda) / (w_constrained / constrained);
            U[i * (N - 1) + j] = (1.0 - G) / (lambda - constrained);
        }
    }
}

/** eta^T 1 = 1/W_N for lambda'_{N-1} = 0. */
static double participation_sum(const carom_phase_spectra *spectra) {
    const int N = spectra->mode_count;
    const double last = spectra->unconstrained[N - 1];
    double inverse = 1.0;
    for (int k = 0; k < N - 1; k++) {
        inverse *= (spectra->unconstrained[k] - last) /
                   ((k < N - 2 ? spectra->constrained[k] : 0.0) - last);
    }
    return inverse;
}

/** B (13) without its row N, or without its row N+1. */
static double minor_of_B(const carom_phase_spectra *spectra, const double *U, bool is_last_row) {
    const int N = spectra->mode_count;
    double A[MAX_N * MAX_N] = {0.0};
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N - 1; j++) {
            A[i * N + j] = U[i * (N - 1) + j];
        }
        A[i * N + N - 1] = 1.0 / spectra->unconstrained[i];
    }
    for (int j = 0; is_last_row && j < N; j++) {
        A[(N - 1) * N + j] = participation_sum(spectra);
    }
    return determinant(N, A);
}

TEST(property, the_determinants_have_the_derivatives_of_the_corrected_sign) {
    // (37), (38): d det B_(N) = det(Ubar) K_2 [1; 1/c_0], d det B_(N+1) = det(Ubar) (K - K~)_1 [1;
    // 1/c_0]. Central differences of step 1e-4: truncated 1e-8, rounded 1e-12.
    const double h = 1e-4;
    int printed_differs = 0;
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int N = 2 + (int)(sample % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + 1, sample, N, true);
        carom_critical_region *region = region_of(spectra);
        const double time = 0.5 + 4.0 * carom_counter_uniform(SEED + 1, sample, 6);
        const double c_0 = 0.4 + 2.0 * carom_counter_uniform(SEED + 1, sample, 7);
        carom_critical_matrices m;
        assert_ok(carom_critical_region_matrices(region, time, &m));
        assert_close(m.w_N,
                     ratio_of_mode(spectra->unconstrained[N - 1],
                                   spectra->unconstrained_parity[N - 1], time),
                     1e-12, 0.0);

        double before[MAX_N * MAX_N];
        double after[MAX_N * MAX_N];
        fill_U(spectra, time, -h, c_0, before);
        fill_U(spectra, time, h, c_0, after);
        double derivative[MAX_N];
        carom_critical_region_column_derivative(region, time, c_0, derivative);
        for (int i = 0; i < N; i++) {
            const int last = i * (N - 1) + N - 2;
            // (57); lambda as small as 0.1
            const double lambda = spectra->unconstrained[i];
            assert_close((after[last] - before[last]) / (2.0 * h), derivative[i], 1e-5,
                         1e-5 / (lambda * lambda));
        }

        /* Ubar itself, for its determinant. */
        double Ubar[MAX_N * MAX_N];
        fill_U(spectra, time, 1e-200, c_0, Ubar);
        const double scale = determinant(N - 1, Ubar);
        const double row_2 = m.K[1][0] + m.K[1][1] / c_0;
        const double row_1 = m.K[0][0] - m.K_tilde[0] + (m.K[0][1] - m.K_tilde[1]) / c_0;
        const double printed = m.K[0][0] + m.K_tilde[0] + (m.K[0][1] + m.K_tilde[1]) / c_0;
        const double size =
            fabs(m.K[0][0]) + fabs(m.K_tilde[0]) + (fabs(m.K[0][1]) + fabs(m.K_tilde[1])) / c_0;
        const double slope_2 =
            (minor_of_B(spectra, after, true) - minor_of_B(spectra, before, true)) /
            (2.0 * h * scale);
        const double slope_1 =
            (minor_of_B(spectra, after, false) - minor_of_B(spectra, before, false)) /
            (2.0 * h * scale);
        assert_close(slope_2, row_2, 0.0, 1e-4 * (fabs(m.K[1][0]) + fabs(m.K[1][1]) / c_0));
        assert_close(slope_1, row_1, 0.0, 1e-4 * size);
        printed_differs += fabs(slope_1 - printed) > 1e-3 * size ? 1 : 0;
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_gt(printed_differs, 150);
}

TEST(property, the_critical_matrix_of_the_impact_equations_loses_rank) {
    // With lambda'_{N-1} = 0 and G^{N-1} = 0 columns N-1 and N of B are equal, whatever tau.
    for (unsigned long sample = 0; sample < 50; sample++) {
        const int N = 3 + (int)(sample % 4);
        carom_phase_spectra *spectra = random_spectra(SEED + 2, sample, N, true);
        double U[MAX_N * MAX_N] = {0.0};
        fill_U(spectra, 0.5 + 0.1 * (double)sample, 1e-300, 1.0, U);
        gsl_matrix *B = gsl_matrix_calloc((size_t)N + 1, (size_t)N);
        gsl_matrix *V = gsl_matrix_alloc((size_t)N, (size_t)N);
        gsl_vector *values = gsl_vector_alloc((size_t)N);
        gsl_vector *work = gsl_vector_alloc((size_t)N);
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N - 1; j++) {
                gsl_matrix_set(B, (size_t)i, (size_t)j, U[i * (N - 1) + j]);
            }
            gsl_matrix_set(B, (size_t)i, (size_t)N - 1, 1.0 / spectra->unconstrained[i]);
        }
        for (int j = 0; j < N; j++) {
            gsl_matrix_set(B, (size_t)N, (size_t)j, participation_sum(spectra));
        }
        ck_assert_int_eq(gsl_linalg_SV_decomp(B, V, values, work), GSL_SUCCESS);
        const double largest = gsl_vector_get(values, 0);
        ck_assert(gsl_vector_get(values, (size_t)N - 1) < 1e-14 * largest);
        ck_assert(gsl_vector_get(values, (size_t)N - 2) > 1e-10 * largest);
        gsl_matrix_free(B);
        gsl_matrix_free(V);
        gsl_vector_free(values);
        gsl_vector_free(work);
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, the_slope_is_positive_for_ten_thousand_random_spectra) {
    // C10: N = 3 to 8, at a random finite tau and for large tau, where it is the closed form
    for (unsigned long sample = 0; sample < 10000; sample++) {
        const int N = 3 + (int)(sample % 6);
        carom_phase_spectra *spectra = random_spectra(SEED + 3, sample, N, true);
        carom_critical_region *region = region_of(spectra);
        carom_critical_matrices matrices;
        const double time = 0.05 + 6.0 * carom_counter_uniform(SEED + 3, sample, 6);
        assert_ok(carom_critical_region_matrices(region, time, &matrices));
        const double slope = carom_critical_matrices_slope(&matrices);
        ck_assert_msg(slope > 0.0 && isfinite(slope), "sample %lu: c_0 = %g", sample, slope);
        ck_assert(carom_critical_matrices_demanded_w(&matrices, false) < 0.0);
        assert_ok(carom_critical_region_matrices(region, HUGE_VAL, &matrices));
        // a system of 7 rows: up to 1e-13 seen in 30
        assert_close(carom_critical_matrices_slope(&matrices),
                     1.0 / carom_asymptotic_roots_inverse_slope(spectra), 1e-12, 0.0);
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, the_corrected_asymptote_is_the_closed_form) {
    int printed_differs = 0;
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int N = 3 + (int)(sample % 6);
        carom_phase_spectra *spectra = random_spectra(SEED + 4, sample, N, true);
        carom_critical_region *region = region_of(spectra);
        carom_critical_root root;
        double phase;
        double constrained_phase;
        const int column = 2 + (int)(sample % 3);
        assert_ok(carom_critical_region_asymptote(region, column, 1, false, &root));
        assert_ok(carom_asymptotic_roots_phases(spectra, column, 1, &phase, &constrained_phase));
        assert_close(root.phase, phase, 1e-12, 0.0);
        const double omega = sqrt(spectra->unconstrained[N - 1]);
        assert_close(root.w_N, -omega / tan(carom_asymptotic_roots_angle(spectra, omega)), 1e-11,
                     1e-12);
        // one order of omega' in (63), where the closed form has all: |Phi - omega'/c_0| <= (sum
        // 1/nu3) omega'3/3
        double cubes = 0.0;
        for (int i = 0; i < N - 1; i++) {
            cubes += pow(-spectra->unconstrained[i], -1.5);
        }
        const double constrained_omega = sqrt(spectra->constrained[N - 2]);
        assert_close(root.constrained_phase, constrained_phase, 0.0,
                     cubes * pow(constrained_omega, 3.0) / 3.0);
        assert_ok(carom_critical_region_asymptote(region, column, 1, true, &root));
        printed_differs += fabs(root.phase - phase) > 1e-6 ? 1 : 0;
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
    ck_assert_int_gt(printed_differs, 290);
}

TEST(property, critical_roots_solve_the_limit_of_the_impact_equations) {
    // w_N = f(lambda_N) and c_0 = -f(0) by determinants of the matrix of velocities and
    // accelerations
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int N = 2 + (int)(sample % 7);
        carom_phase_spectra *spectra = random_spectra(SEED + 5, sample, N, sample % 2 == 0);
        carom_critical_region *region = region_of(spectra);
        const bool is_odd = spectra->unconstrained_parity[N - 1] == CAROM_PARITY_ODD;
        const int column = (is_odd ? 1 : 2) + (int)(sample % 3);
        carom_critical_root root;
        assert_ok(carom_critical_region_root(region, column, 0, &root));
        double w[MAX_N];
        double w_constrained[MAX_N];
        hyperbolic_ratios(spectra, root.time, HUGE_VAL, w, w_constrained);
        const double last = spectra->unconstrained[N - 1];
        assert_close(root.w_N, hyperbolic_function(spectra, w, w_constrained, last),
                     DETERMINANT_ROUNDING, 0.0);
        assert_close(root.slope, -hyperbolic_function(spectra, w, w_constrained, 0.0),
                     DETERMINANT_ROUNDING, 0.0);
        assert_close(root.phase, root.time * sqrt(last), 1e-15, 0.0);
        ck_assert(root.residual < 1e-12);
        // (40) changes sign there
        carom_critical_matrices before;
        carom_critical_matrices after;
        assert_ok(carom_critical_region_matrices(region, root.time * (1.0 - 1e-9), &before));
        assert_ok(carom_critical_region_matrices(region, root.time * (1.0 + 1e-9), &after));
        ck_assert(carom_critical_matrices_determinant(&before, false) *
                      carom_critical_matrices_determinant(&after, false) <
                  0.0);
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, roots_of_small_eigenvalues_are_the_critical_ones) {
    // C9: at omega' = 0.01, tau to order omega'2 and o' to order (omega'/c_0)3, 1/c_0 up to 3
    for (unsigned long sample = 0; sample < 30; sample++) {
        const int N = 2 + (int)(sample % 5);
        carom_phase_spectra *spectra = random_spectra(SEED + 6, sample, N, true);
        spectra->constrained[N - 2] = 1e-4;
        carom_critical_region *region = region_of(spectra);
        carom_critical_root critical;
        carom_impact_root root;
        const int row = (int)(sample % 2);
        assert_ok(carom_critical_region_root(region, 3, row, &critical));
        assert_ok(carom_impact_roots_cell(spectra, 3, row, &root, NULL));
        assert_close(root.time, critical.time, 1e-4, 0.0);
        assert_close(0.01 * root.constrained_time, critical.constrained_phase, 0.0, 3e-5);
        carom_critical_region_free(region);
        carom_phase_spectra_free(spectra);
    }
}

TEST(errors, spectra_without_a_critical_limit_are_refused) {
    carom_phase_spectra *spectra = near_critical(0.01);
    carom_critical_region *region = NULL;
    carom_report report = carom_report_empty();
    spectra->constrained[2] = -0.3;
    assert_status(carom_critical_region_alloc(spectra, &region, &report), CONFLICT);
    ck_assert_ptr_null(region);
    ck_assert_str_eq(report.quantity, "spectra without a critical limit");
    assert_close(report.value, -0.3, 0.0, 0.0);
    ck_assert_int_eq(report.index, 2);
    spectra->constrained[2] = 0.01;
    spectra->unconstrained[2] = 0.0;
    assert_status(carom_critical_region_alloc(spectra, &region, &report), CONFLICT);
    assert_close(report.value, 0.0, 0.0, 0.0);
    assert_status(carom_critical_region_alloc(spectra, &region, NULL), CONFLICT);
    spectra->unconstrained[2] = -2.0;
    assert_status(carom_critical_region_alloc(spectra, &region, &report), CONFLICT);
    ck_assert_str_ne(report.quantity, "spectra without a critical limit");
    spectra->unconstrained[2] = (double)NAN;
    assert_status(carom_critical_region_alloc(spectra, &region, &report), NOT_FINITE);
    carom_critical_region_free(NULL);
    carom_phase_spectra_free(spectra);
}

TEST(errors, times_and_cells_that_do_not_exist_are_refused) {
    carom_phase_spectra *spectra = near_critical(0.01);
    carom_critical_region *region = region_of(spectra);
    const double refused[] = {0.0, -1.3, (double)NAN};
    carom_critical_matrices matrices;
    for (int k = 0; k < 3; k++) {
        assert_status(carom_critical_region_matrices(region, refused[k], &matrices), OUT_OF_RANGE);
        ck_assert(isnan(matrices.K[1][1]) && isnan(matrices.projection[0][1]));
        ck_assert(isnan(matrices.K_tilde[0]) && isnan(matrices.time));
    }
    const int cells[][2] = {{1, 0}, {0, 0}, {2, -1}};
    for (int k = 0; k < 3; k++) {
        carom_critical_root root = {.time = 1.0, .slope = 1.0, .residual = 1.0};
        assert_status(carom_critical_region_root(region, cells[k][0], cells[k][1], &root),
                      OUT_OF_RANGE);
        ck_assert(isnan(root.time) && isnan(root.slope) && isnan(root.residual));
        root.phase = 1.0;
        assert_status(
            carom_critical_region_asymptote(region, cells[k][0], cells[k][1], true, &root),
            OUT_OF_RANGE);
        ck_assert(isnan(root.phase) && isnan(root.constrained_phase));
    }
    carom_critical_region_free(region);
    carom_phase_spectra_free(spectra);
}

TEST(errors, spectra_beyond_the_range_of_numbers_are_singular) {
    // 1/lambda_3 squared overflows; lambda_3 - 0 and its products do not
    carom_phase_spectra *spectra = near_critical(0.01);
    spectra->unconstrained[2] = -1e-200;
    carom_critical_region *region = region_of(spectra);
    carom_critical_matrices matrices;
    carom_critical_root root;
    assert_status(carom_critical_region_matrices(region, HUGE_VAL, &matrices), SINGULAR);
    ck_assert(isnan(matrices.projection[2][0]) && isnan(matrices.constant));
    assert_status(carom_critical_region_root(region, 2, 0, &root), SINGULAR);
    ck_assert(isnan(root.time) && isnan(root.w_N));
    assert_status(carom_critical_region_asymptote(region, 2, 0, false, &root), SINGULAR);
    ck_assert(isnan(root.time) && isnan(root.w_N));
    carom_critical_region_free(region);

    // lambda_1 - lambda'_1 would overflow: no spectra to begin with
    spectra->unconstrained[0] = -1.75e308;
    spectra->constrained[0] = -1.7e308;
    spectra->unconstrained[2] = -0.8;
    spectra->unconstrained[3] = 1.7e308;
    assert_status(carom_critical_region_alloc(spectra, &region, NULL), OUT_OF_RANGE);
    carom_phase_spectra_free(spectra);
}

TEST(errors, a_region_without_memory_says_so) {
    carom_phase_spectra *spectra = near_critical(0.01);
    carom_critical_region *region = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_critical_region_alloc(spectra, &region, NULL);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert((region == NULL) == (status != CAROM_OK));
    }
    ck_assert_int_gt(failures, 5);
    carom_critical_region_free(region);
    carom_phase_spectra_free(spectra);
}
