/* carom/collisionless: closed forms of the impact phases for saturated hyperbolic modes. */
#include <carom/collisionless/roots/impact_roots.h>
#include <carom/collisionless/roots/internal.h>

#include "../../failing_malloc.h"
#include "../motion/single_oscillations.h"

#include <gsl/gsl_poly.h>

static const unsigned long SEED = 20240216;

/** Digits printed in the reference tables: half a unit of the tenth and of the ninth decimal,
 * and a rounding of ours. */
static const double TEN_DECIMALS = 5.1e-11;
static const double NINE_DECIMALS = 5.1e-10;

/** The armed biped of unit masses and lengths: roots of L3 + 5 L2 - 6 L - 6 and -+sqrt 2. */
static carom_phase_spectra *unit_biped(void) {
    double lambda[3];
    ck_assert_int_eq(gsl_poly_solve_cubic(5.0, -6.0, -6.0, &lambda[0], &lambda[1], &lambda[2]), 3);
    const double constrained[] = {-M_SQRT2, M_SQRT2};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(3, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    return spectra;
}

static carom_phase_spectra *two_modes(double lambda_1, double lambda_2, double constrained,
                                      carom_parity parity, carom_parity constrained_parity) {
    const double lambda[] = {lambda_1, lambda_2};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(2, lambda, &constrained, parity, constrained_parity,
                                       &spectra, NULL));
    return spectra;
}

TEST(unit, the_grid_of_the_unit_biped_is_that_of_the_reference) {
    // Reference table A.3, 10 decimals
    carom_phase_spectra *biped = unit_biped();
    for (int row = 0; row < 3; row++) {
        for (int column = 2; column < 7; column++) {
            double phase;
            double constrained_phase;
            assert_ok(
                carom_asymptotic_roots_phases(biped, column, row, &phase, &constrained_phase));
            assert_close(phase, 0.6519871405 + (column - 1) * M_PI, 0.0, TEN_DECIMALS);
            assert_close(constrained_phase, 0.9323838461 + row * M_PI, 0.0, TEN_DECIMALS);
        }
    }
    // its seed of the first root, 12 decimals (A.1)
    double time;
    double constrained_time;
    assert_ok(carom_asymptotic_roots_times(biped, 2, 0, &time, &constrained_time));
    assert_close(time, 3.073486969884, 0.0, 6e-13);
    assert_close(constrained_time, 0.784038233833, 0.0, 6e-13);
    carom_phase_spectra_free(biped);
}

TEST(unit, the_rows_of_the_unit_biped_have_the_heights_of_the_reference) {
    // Reference table A.3
    const double expected[] = {0.9225037382, 4.0739584089, 7.2155691195};
    carom_phase_spectra *biped = unit_biped();
    for (int row = 0; row < 3; row++) {
        double height;
        assert_ok(carom_asymptotic_roots_row_height(biped, row, &height));
        assert_close(height, expected[row], 0.0, TEN_DECIMALS);
    }
    carom_phase_spectra_free(biped);
}

TEST(unit, the_columns_of_the_spectrum_near_critical_are_those_of_the_reference) {
    // Reference table A.4: o_4 of columns 2 to 5, and o'_3
    const double lambda[] = {-3.1, -1.7, -0.8, 1.3};
    const double constrained[] = {-2.4, -1.2, 0.01};
    const double expected[] = {3.900523364, 7.042116017, 10.183708671, 13.325301325};
    carom_phase_spectra *spectra;
    assert_ok(carom_phase_spectra_make(4, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &spectra, NULL));
    for (int column = 2; column < 6; column++) {
        double phase;
        double constrained_phase;
        assert_ok(carom_asymptotic_roots_phases(spectra, column, 0, &phase, &constrained_phase));
        assert_close(phase, expected[column - 2], 0.0, NINE_DECIMALS);
        assert_close(constrained_phase, 1.481668512, 0.0, NINE_DECIMALS);
    }
    assert_close(1.0 / carom_asymptotic_roots_inverse_slope(spectra), 1.117827192880, 0.0, 6e-13);
    carom_phase_spectra_free(spectra);
}

TEST(unit, two_modes_have_the_limits_of_the_wheel_and_of_rocking) {
    // n pi - arctan rho and (n-1) pi + arctan(1/rho), rho = nu_1/omega_2; o'_1 -> arctan(nu_1 /
    // omega'_1) + r pi for odd constrained modes, all exact but for a few roundings of 20
    const double omega = 1.37;
    const double constrained_omega = 0.83;
    for (int k = 1; k < 20; k++) {
        const double rho = 0.17 * k;
        const double nu = rho * omega;
        for (int odd = 0; odd < 2; odd++) {
            carom_phase_spectra *spectra =
                two_modes(-nu * nu, omega * omega, constrained_omega * constrained_omega,
                          odd ? CAROM_PARITY_ODD : CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
            for (int n = 2; n < 7; n++) {
                double phase;
                double constrained_phase;
                assert_ok(
                    carom_asymptotic_roots_phases(spectra, n, n - 2, &phase, &constrained_phase));
                const double expected =
                    odd ? n * M_PI - atan(rho) : (n - 1) * M_PI + atan(1.0 / rho);
                assert_close(phase, expected, 1e-15, 0.0);
                assert_close(constrained_phase, atan(nu / constrained_omega) + (n - 2) * M_PI,
                             1e-15, 0.0);
                double height;
                assert_ok(carom_asymptotic_roots_row_height(spectra, n - 2, &height));
                assert_close(height, constrained_phase, 1e-15, 0.0);
            }
            carom_phase_spectra_free(spectra);
        }
    }
}

TEST(unit, two_modes_are_exponentially_close_to_the_published_special_roots) {
    // Reference table A.7: beta_n and gamma_n; |y - closed form| <= 2 exp(-2 rho y)
    const double rho[] = {0.3, 1.0, 2.5};
    const double beta[] = {9.1356051407026, 8.6393798286997, 8.2344880110868};
    const double gamma[] = {10.703221500562, 10.210176122813, 9.8052843378817};
    for (int k = 0; k < 3; k++) {
        double phase;
        double constrained_phase;
        carom_phase_spectra *wheel =
            two_modes(-rho[k] * rho[k], 1.0, 0.4, CAROM_PARITY_ODD, CAROM_PARITY_ODD);
        assert_ok(carom_asymptotic_roots_phases(wheel, 3, 0, &phase, &constrained_phase));
        assert_close(phase, beta[k], 0.0, 2.0 * exp(-2.0 * rho[k] * beta[k]) + 1e-12);
        carom_phase_spectra_free(wheel);
        carom_phase_spectra *rocker =
            two_modes(-rho[k] * rho[k], 1.0, 0.4, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
        assert_ok(carom_asymptotic_roots_phases(rocker, 4, 0, &phase, &constrained_phase));
        assert_close(phase, gamma[k], 0.0, 2.0 * exp(-2.0 * rho[k] * gamma[k]) + 1e-12);
        carom_phase_spectra_free(rocker);
    }
}

TEST(unit, a_free_mode_leaves_an_error_that_falls_like_the_time) {
    // Hopping: o_2 = alpha_n = (n - 1/2) pi - 1/(n pi) + .., o'_1 = pi - arctan(alpha_n omega'_1 /
    // omega_2); the closed forms are (n - 1/2) pi and pi/2. alpha_2 to alpha_7 from A.7.
    const double alpha[] = {4.493409457909,  7.725251836938,  10.904121659429,
                            14.066193912831, 17.220755271931, 20.371302959288};
    carom_phase_spectra *hopper = two_modes(0.0, 2.0, 1.0, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN);
    assert_close(carom_asymptotic_roots_angle(hopper, 0.73), M_PI_2, 0.0, 0.0);
    ck_assert(isinf(carom_asymptotic_roots_inverse_slope(hopper)));
    for (int n = 2; n < 8; n++) {
        double phase;
        double constrained_phase;
        assert_ok(carom_asymptotic_roots_phases(hopper, n, 0, &phase, &constrained_phase));
        assert_close(phase, (n - 0.5) * M_PI, 1e-15, 0.0);
        assert_close(constrained_phase, M_PI_2, 1e-15, 0.0);
        // the n^-2 term has a prefactor of about -1/(2 pi)
        assert_close(phase - alpha[n - 2], 1.0 / (n * M_PI), 0.0, 1.0 / (n * n * M_PI));
    }
    double height;
    assert_ok(carom_asymptotic_roots_row_height(hopper, 2, &height));
    assert_close(height, 2.5 * M_PI, 1e-15, 0.0);
    carom_phase_spectra_free(hopper);

    // With more modes the height is inside the cell: roots come down to it like 1/tau.
    const double lambda[] = {-2.3, 0.0, 1.9};
    const double constrained[] = {-0.7, 0.6};
    carom_phase_spectra *three;
    assert_ok(carom_phase_spectra_make(3, lambda, constrained, CAROM_PARITY_EVEN, CAROM_PARITY_ODD,
                                       &three, NULL));
    assert_ok(carom_asymptotic_roots_row_height(three, 1, &height));
    double excess[2];
    for (int k = 0; k < 2; k++) {
        carom_impact_root root;
        assert_ok(carom_impact_roots_cell(three, k == 0 ? 150 : 300, 1, &root, NULL));
        excess[k] = (root.constrained_time * sqrt(0.6) - height) * root.time;
    }
    assert_close(excess[0], excess[1], 0.01, 0.0);
    ck_assert(excess[1] > 1.0);
    ck_assert(fabs(carom_asymptotic_roots_angle(three, 0.73)) < M_PI_2);
    carom_phase_spectra_free(three);
}

TEST(property, the_angle_is_its_defining_sum_and_a_quarter_turn_at_most) {
    for (unsigned long sample = 0; sample < 500; sample++) {
        const int N = 2 + (int)(sample % (MAX_N - 1));
        carom_phase_spectra *spectra = random_spectra(SEED, sample, N, false);
        const double w = pow(10.0, 6.0 * carom_counter_uniform(SEED, sample, 5) - 3.0);
        long double sum = 0.0L;
        long double slope = 0.0L;
        for (int i = 0; i < N - 1; i++) {
            const long double nu = sqrtl(-(long double)spectra->unconstrained[i]);
            sum += atanl((long double)w / nu);
            slope += 1.0L / nu;
        }
        for (int j = 0; j < N - 2; j++) {
            const long double nu = sqrtl(-(long double)spectra->constrained[j]);
            sum -= atanl((long double)w / nu);
            slope -= 1.0L / nu;
        }
        const double angle = carom_asymptotic_roots_angle(spectra, w);
        // up to 14 terms, each to some roundings; the sum loses 1e-19 of its largest term
        assert_close(angle, (double)sum, 4e-15, 1e-18);
        assert_close(carom_asymptotic_roots_inverse_slope(spectra), (double)slope, 4e-15, 0.0);
        const double nu_last = sqrt(-spectra->unconstrained[N - 2]);
        ck_assert(angle > 0.0 && angle <= atan(w / nu_last) * (1.0 + 1e-15));
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, saturated_phases_solve_the_impact_equations) {
    for (unsigned long sample = 0; sample < 400; sample++) {
        const int N = 2 + (int)(sample % (MAX_N - 1));
        carom_phase_spectra *spectra = random_spectra(SEED + 1, sample, N, sample % 3 == 0);
        double w[MAX_N];
        double w_constrained[MAX_N];
        hyperbolic_ratios(spectra, HUGE_VAL, HUGE_VAL, w, w_constrained);
        const int column = 2 + (int)(sample % 5);
        const int row = (int)(sample % 4);
        double time;
        double constrained_time;
        assert_ok(carom_asymptotic_roots_times(spectra, column, row, &time, &constrained_time));
        const double lambda = spectra->unconstrained[N - 1];
        const double constrained = spectra->constrained[N - 2];
        // determinants of up to 7 rows with eigenvalues 0.02 apart, and the tangents' slope
        assert_close(ratio_of_mode(lambda, spectra->unconstrained_parity[N - 1], time),
                     hyperbolic_function(spectra, w, w_constrained, lambda), 1e-10, 0.0);
        assert_close(
            ratio_of_mode(constrained, spectra->constrained_parity[N - 2], constrained_time),
            -hyperbolic_function(spectra, w, w_constrained, constrained), 1e-10, 0.0);
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, phases_and_heights_lie_inside_their_cells) {
    for (unsigned long sample = 0; sample < 200; sample++) {
        const int N = 2 + (int)(sample % (MAX_N - 1));
        carom_phase_spectra *spectra = random_spectra(SEED + 2, sample, N, true);
        const bool is_odd = spectra->unconstrained_parity[N - 1] == CAROM_PARITY_ODD;
        const bool is_constrained_odd = spectra->constrained_parity[N - 2] == CAROM_PARITY_ODD;
        const int column = (is_odd ? 1 : 2) + (int)(sample % 3);
        const int row = (int)(sample % 4);
        double cell[4];
        double phase;
        double constrained_phase;
        double height;
        assert_ok(carom_asymptotic_roots_cell(spectra, column, row, cell));
        assert_close(cell[0], (column - (is_odd ? 0.5 : 1.0)) * M_PI, 1e-15, 0.0);
        assert_close(cell[1], (column - (is_odd ? 0.0 : 0.5)) * M_PI, 1e-15, 0.0);
        assert_close(cell[2], (row + (is_constrained_odd ? 0.0 : 0.5)) * M_PI, 1e-15, 0.0);
        assert_close(cell[3], (row + (is_constrained_odd ? 0.5 : 1.0)) * M_PI, 1e-15, 0.0);
        assert_ok(carom_asymptotic_roots_phases(spectra, column, row, &phase, &constrained_phase));
        assert_ok(carom_asymptotic_roots_row_height(spectra, row, &height));
        ck_assert(cell[0] < phase && phase < cell[1]);
        ck_assert(cell[2] < constrained_phase && constrained_phase < cell[3]);
        ck_assert(cell[2] < height && height < cell[3]);
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, row_heights_solve_the_equation_of_the_limit) {
    for (unsigned long sample = 0; sample < 300; sample++) {
        const int N = 2 + (int)(sample % (MAX_N - 1));
        carom_phase_spectra *spectra = random_spectra(SEED + 3, sample, N, sample % 2 == 0);
        const double constrained = spectra->constrained[N - 2];
        double height;
        assert_ok(carom_asymptotic_roots_row_height(spectra, (int)(sample % 3), &height));
        const double constrained_time = height / sqrt(constrained);
        double w[MAX_N];
        double w_constrained[MAX_N];
        hyperbolic_ratios(spectra, HUGE_VAL, constrained_time, w, w_constrained);
        const double expected = -hyperbolic_function(spectra, w, w_constrained, constrained);
        assert_close(
            ratio_of_mode(constrained, spectra->constrained_parity[N - 2], constrained_time),
            expected, 1e-10, 0.0);
        carom_phase_spectra_free(spectra);
    }
}

TEST(property, roots_of_high_columns_lie_at_the_height_of_their_row) {
    for (unsigned long sample = 0; sample < 40; sample++) {
        const int N = 2 + (int)(sample % 5);
        carom_phase_spectra *spectra = random_spectra(SEED + 4, sample, N, true);
        const double omega = sqrt(spectra->unconstrained[N - 1]);
        const double constrained_omega = sqrt(spectra->constrained[N - 2]);
        // nu tau > 18: what is left of the hyperbolic modes is 2e-16
        const double slowest = sqrt(-spectra->unconstrained[N - 2]);
        const int column = 2 + (int)(18.0 * omega / slowest / M_PI);
        carom_impact_root root;
        double height;
        double phase;
        double constrained_phase;
        assert_ok(carom_impact_roots_cell(spectra, column, 0, &root, NULL));
        assert_ok(carom_asymptotic_roots_row_height(spectra, 0, &height));
        assert_close(constrained_omega * root.constrained_time, height, 0.0, 1e-9);

        // and at the saturated place where tau' is large, too
        const double held = N > 2 ? sqrt(-spectra->constrained[N - 3]) : 1.0;
        const int row = 1 + (int)(18.0 * constrained_omega / held / M_PI);
        assert_ok(carom_impact_roots_cell(spectra, column, row, &root, NULL));
        assert_ok(carom_asymptotic_roots_phases(spectra, column, row, &phase, &constrained_phase));
        assert_close(omega * root.time, phase, 0.0, 1e-9);
        assert_close(constrained_omega * root.constrained_time, constrained_phase, 0.0, 1e-9);
        carom_phase_spectra_free(spectra);
    }
}

/** All functions refuse the spectra with one status, and leave NaN. */
static void assert_refused(const carom_phase_spectra *spectra, int column, int row,
                           carom_status expected) {
    double cell[4] = {0.0, 0.0, 0.0, 0.0};
    double a = 0.0;
    double b = 0.0;
    ck_assert_int_eq(carom_asymptotic_roots_cell(spectra, column, row, cell), expected);
    for (int k = 0; k < 4; k++) {
        ck_assert(isnan(cell[k]));
    }
    ck_assert_int_eq(carom_asymptotic_roots_phases(spectra, column, row, &a, &b), expected);
    ck_assert(isnan(a) && isnan(b));
    a = 0.0;
    b = 0.0;
    ck_assert_int_eq(carom_asymptotic_roots_times(spectra, column, row, &a, &b), expected);
    ck_assert(isnan(a) && isnan(b));
}

TEST(errors, cells_that_do_not_exist_are_refused) {
    carom_phase_spectra *even = two_modes(-1.3, 2.1, 0.7, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    carom_phase_spectra *odd = two_modes(-1.3, 2.1, 0.7, CAROM_PARITY_ODD, CAROM_PARITY_EVEN);
    double phase;
    double constrained_phase;
    assert_refused(even, 1, 0, CAROM_STATUS_OUT_OF_RANGE);
    assert_refused(even, 2, -1, CAROM_STATUS_OUT_OF_RANGE);
    assert_refused(odd, 0, 0, CAROM_STATUS_OUT_OF_RANGE);
    assert_refused(odd, -3, 0, CAROM_STATUS_OUT_OF_RANGE);
    assert_ok(carom_asymptotic_roots_phases(odd, 1, 0, &phase, &constrained_phase));
    assert_status(carom_asymptotic_roots_row_height(even, -1, &phase), OUT_OF_RANGE);
    ck_assert(isnan(phase));
    carom_phase_spectra_free(even);
    carom_phase_spectra_free(odd);
}

TEST(errors, spectra_without_cells_are_refused) {
    // two oscillating modes, none in the constrained phase, a free odd mode
    carom_phase_spectra *refused[] = {
        two_modes(0.4, 2.1, 0.7, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN),
        two_modes(-1.3, 2.1, -0.2, CAROM_PARITY_EVEN, CAROM_PARITY_EVEN),
        two_modes(0.0, 2.1, 0.7, CAROM_PARITY_ODD, CAROM_PARITY_EVEN),
    };
    double height = 0.0;
    for (int k = 0; k < 3; k++) {
        assert_refused(refused[k], 2, 0, CAROM_STATUS_CONFLICT);
        assert_status(carom_asymptotic_roots_row_height(refused[k], 0, &height), CONFLICT);
        ck_assert(isnan(height));
        ck_assert(isnan(carom_asymptotic_roots_angle(refused[k], 1.1)));
        ck_assert(isnan(carom_asymptotic_roots_inverse_slope(refused[k])));
        carom_phase_spectra_free(refused[k]);
    }
    carom_phase_spectra *changed = two_modes(-1.3, 2.1, 0.7, CAROM_PARITY_ODD, CAROM_PARITY_ODD);
    changed->constrained[0] = (double)NAN;
    assert_refused(changed, 2, 0, CAROM_STATUS_NOT_FINITE);
    changed->constrained[0] = 3.1;
    assert_refused(changed, 2, 0, CAROM_STATUS_CONFLICT);
    carom_phase_spectra_free(changed);
}

TEST(errors, eigenvalues_beyond_the_range_of_numbers_leave_no_height) {
    // lambda_1 - lambda'_1 would overflow
    carom_phase_spectra *wide = two_modes(-1.7, 1.75, 1.7, CAROM_PARITY_EVEN, CAROM_PARITY_ODD);
    for (int i = 0; i < 2; i++) {
        wide->unconstrained[i] *= 1e308;
    }
    wide->constrained[0] *= 1e308;
    double height = 0.0;
    assert_status(carom_asymptotic_roots_row_height(wide, 0, &height), OUT_OF_RANGE);
    ck_assert(isnan(height));
    carom_phase_spectra_free(wide);
}

TEST(errors, a_height_without_memory_says_so) {
    carom_phase_spectra *biped = unit_biped();
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    double height = 0.0;
    int failures = 0;
    for (; status != CAROM_OK; failures++) {
        successes_left = failures;
        status = carom_asymptotic_roots_row_height(biped, 0, &height);
        successes_left = -1;
        ck_assert(status == CAROM_OK || status == CAROM_STATUS_OUT_OF_MEMORY);
        ck_assert(isnan(height) == (status != CAROM_OK));
    }
    ck_assert_int_gt(failures, 3);
    carom_phase_spectra_free(biped);
}
