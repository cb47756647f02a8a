/*
 * carom/modes/few_impacts.h: the points (7.22), the branch of figures 9-11 in the reference values
 * of the specification ([C], computed by an independent prototype), and structures whose curves
 * have closed forms.
 */
#include <carom/mechanism/linear_system.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/few_impacts_internal.h>
#include <carom/modes/impact_equations.h>

#include "../failing_malloc.h"
#include "../support.h"

#include <float.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <stdbool.h>
#include <string.h>

/* GSL's own allocation ends here, too. */
gsl_root_fsolver *__real_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type);
gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type);

gsl_root_fsolver *__wrap_gsl_root_fsolver_alloc(const gsl_root_fsolver_type *type) {
    return may_allocate() ? __real_gsl_root_fsolver_alloc(type) : NULL;
}

static const unsigned long SEED = 20170316;

/* The range of figure 9, and a grid that resolves it. */
static const double FIGURE_PERIOD = 4.6;
enum { CELLS = 400 };

static carom_modal_basis *basis_of(carom_linear_system *system) {
    carom_modal_basis *basis = NULL;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

/** The paper's chain with five masses. */
static carom_modal_basis *paper_chain(double gap_at_rest) {
    carom_linear_system *system = NULL;
    assert_ok(carom_serial_chain_uniform_alloc(5, gap_at_rest, &system, NULL));
    return basis_of(system);
}

/** A chain with random masses and springs. */
static carom_modal_basis *random_chain(gsl_rng *generator, int n) {
    double masses[8];
    double stiffnesses[8];
    for (int i = 0; i < n; i++) {
        masses[i] = uniform(generator, 0.3, 1.7);
        stiffnesses[i] = uniform(generator, 0.4, 2.5);
    }
    carom_linear_system *system = NULL;
    assert_ok(carom_serial_chain_alloc(n, masses, stiffnesses, 0.83, &system, NULL));
    return basis_of(system);
}

/** Two unit masses with frequencies w_1 and w_2 in directions turned by an angle from the contact.
 */
static carom_modal_basis *turned_pair(double w_1, double w_2, double angle) {
    carom_linear_system *system = NULL;
    assert_ok(carom_linear_system_alloc(2, &system));
    const double c = cos(angle);
    const double s = sin(angle);
    const double a = w_1 * w_1;
    const double b = w_2 * w_2;
    const double stiffness[4] = {a * c * c + b * s * s, (a - b) * c * s, (a - b) * c * s,
                                 a * s * s + b * c * c};
    memcpy(system->stiffness, stiffness, sizeof stiffness);
    system->mass[0] = 1.0;
    system->mass[3] = 1.0;
    system->contact_normal[0] = -1.0;
    system->gap_at_rest = 0.83;
    return basis_of(system);
}

static double period_of_mode(const carom_modal_basis *basis, int mode) {
    return 2.0 * M_PI / basis->frequency[mode];
}

static carom_flight_time_curves *curves_of(const carom_modal_basis *basis, double max_period,
                                           int cells) {
    carom_flight_time_curves *curves = NULL;
    assert_ok(carom_two_impacts_curves(basis, max_period, cells, &curves, NULL));
    return curves;
}

static carom_orbit *two_impact_orbit(const carom_modal_basis *basis) {
    carom_orbit *orbit = NULL;
    assert_ok(carom_orbit_alloc(basis, 2, &orbit));
    return orbit;
}

/** a itself from the kernels, in the unit of its largest possible value at this period. */
static double scaled_kernel(const carom_modal_basis *basis, double sigma_1, double sigma_2) {
    double size = 0.0;
    double sign = 1.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double rho = basis->participation[l];
        const double sine = sin(0.5 * basis->frequency[l] * (sigma_1 + sigma_2));
        size += rho * rho / fabs(sine);
        sign *= sine < 0.0 ? -1.0 : 1.0;
    }
    const double a = carom_kernels_evaluate(basis, sigma_1 + sigma_2, sigma_2 - sigma_1).velocity;
    return sign * a / size;
}

/**
 * |a| of a point that lies on a curve as closely as doubles allow: eight roundings, of both times,
 * of their sum and difference and of the phases.
 */
static double allowed_by_rounding(const carom_modal_basis *basis, double x, double y) {
    const double step = 1e-9;
    double slope = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        const double a = carom_two_impacts_regular(basis, x, y);
        slope = fmax(slope, fabs(carom_two_impacts_regular(basis, x + side * step, y) - a) / step);
        slope = fmax(slope, fabs(carom_two_impacts_regular(basis, x, y + side * step) - a) / step);
    }
    return 1e-14 + 8.0 * DBL_EPSILON * (x + y) * slope;
}

/** The product form (7.20), a prod sin(w T/2), of a value of the regular form. */
static double product_form(const carom_modal_basis *basis, double T, double regular) {
    double size = 0.0;
    double product = 1.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double sine = sin(0.5 * basis->frequency[l] * T);
        size += pow(basis->participation[l], 2) / fabs(sine);
        product *= fabs(sine);
    }
    return regular * size * product;
}

TEST(unit, the_points_of_equation_7_22_are_zeros) {
    carom_modal_basis *basis = paper_chain(1.0);
    for (int i = 0; i < 5; i++) {
        const double T = period_of_mode(basis, i);
        for (int q = 1; q <= 12; q++) {
            for (int p = 1; p < 2 * q; p++) {
                const double x = 0.5 * p * T;
                const double y = (q - 0.5 * p) * T;
                const double a = carom_two_impacts_regular(basis, x, y);
                // rounding of phases of up to 24 pi
                assert_close(product_form(basis, x + y, a), 0.0, 0.0, 1e-12);
                // the regular form is as steep as harmonics of two modes are near each other
                assert_close(a, 0.0, 0.0, allowed_by_rounding(basis, x, y));
            }
        }
    }
    carom_modal_basis_free(basis);
}

TEST(unit, the_regular_form_does_not_vanish_between_these_points) {
    carom_modal_basis *basis = paper_chain(1.0);
    // on a harmonic of one mode all others are out: |a| = |sin(w_i (sigma_2 - sigma_1)/2)|
    const double T = period_of_mode(basis, 2);
    const double sigma_1 = 1.3 * T;
    const double expected = fabs(sin(M_PI * (3.0 - 2.6)));
    // T is a harmonic to a rounding, 1e-15, over the share of the others
    assert_close(fabs(carom_two_impacts_regular(basis, sigma_1, 3.0 * T - sigma_1)), expected,
                 1e-12, 0.0);
    carom_modal_basis_free(basis);
}

TEST(unit, a_harmonic_line_has_no_other_zeros_than_these_points) {
    // figure 9: 2q - 1 of them on sigma_1 + sigma_2 = q T_i, T_i/2 apart; eight samples between two
    carom_modal_basis *basis = paper_chain(1.0);
    for (int i = 0; i < 5; i++) {
        for (int q = 1; q <= 6; q++) {
            const double T = q * period_of_mode(basis, i);
            int zeros = 0;
            double before = NAN;
            for (int k = 0; k < 16 * q; k++) {
                const double sigma_1 = T * (k + 0.5) / (16 * q);
                const double a = carom_two_impacts_regular(basis, sigma_1, T - sigma_1);
                zeros += before * a < 0.0;
                before = a;
            }
            ck_assert_int_eq(zeros, 2 * q - 1);
        }
    }
    carom_modal_basis_free(basis);
}

TEST(unit, the_pole_of_alpha_and_beta_cancels_at_odd_multiples_of_half_a_period) {
    // At T = q T_i + delta, (7.26) as corrected is 2 sqrt(G) rho^2 (1 + cos w_i t_1)/(w_i^2 delta)
    // and the other modes; as printed it would have a pole wherever t_1 is no multiple of T_i.
    carom_modal_basis *basis = paper_chain(1.0);
    for (int i = 0; i < 5; i++) {
        const double T_i = period_of_mode(basis, i);
        const double rho = basis->participation[i];
        const double unit = basis->root_inverse_mass * pow(rho / basis->frequency[i], 2.0);
        for (int p = 1; p < 6; p++) {
            for (int side = -1; side <= 1; side += 2) {
                const double delta = side * 1e-7 * T_i;
                const double T = 3.0 * T_i + delta;
                const double sum = carom_kernels_evaluate(basis, T, T).gap +
                                   carom_kernels_evaluate(basis, T, T - p * T_i).gap;
                // the other modes contribute some 1e3 delta, near their own harmonics
                assert_close(delta * sum / unit, p % 2 == 0 ? 4.0 : 0.0, 0.0, 1e-3);
            }
        }
    }
    carom_modal_basis_free(basis);
}

TEST(property, the_regular_form_is_antisymmetric_bounded_and_of_the_sign_of_the_product) {
    carom_modal_basis *basis = paper_chain(1.0);
    gsl_rng *generator = seeded_generator(SEED);
    for (int i = 0; i < 2000; i++) {
        const double x = uniform(generator, 0.01, 5.0);
        const double y = uniform(generator, 0.01, 5.0);
        const double a = carom_two_impacts_regular(basis, x, y);
        ck_assert_double_le(fabs(a), 1.0 + 1e-12);
        // sums of five terms of order one
        assert_close(carom_two_impacts_regular(basis, y, x), -a, 0.0, 1e-15);
        // sin(w T/2) of the kernel and of the regular form agree to 1e-15/|sin|, at most 1e-10 here
        assert_close(a, scaled_kernel(basis, x, y), 0.0, 1e-10);
    }
    gsl_rng_free(generator);
    carom_modal_basis_free(basis);
}

TEST(property, the_regular_form_is_continuous_across_harmonics) {
    carom_modal_basis *basis = paper_chain(1.0);
    gsl_rng *generator = seeded_generator(SEED);
    for (int i = 0; i < 5; i++) {
        for (int q = 1; q <= 3; q++) {
            const double T = q * period_of_mode(basis, i);
            const double x = uniform(generator, 0.1, 0.9) * T;
            const double step = 1e-8;
            const double left = carom_two_impacts_regular(basis, x, T - x - step);
            const double right = carom_two_impacts_regular(basis, x, T - x + step);
            // slopes are up to 1e3, where another harmonic is near
            assert_close(left, right, 0.0, 2e3 * step);
        }
    }
    gsl_rng_free(generator);
    carom_modal_basis_free(basis);
}

/** Specification 5.3: T, sigma_1, sigma_2, lambda, E. */
static const double BRANCH[][5] = {
    {2.87, 1.904535951832, 0.965464048168, 0.190664173242, 19.9974921794},
    {2.86, 1.887495453412, 0.972504546588, 0.412326260037, 19.7376769406},
    {2.84, 1.853691202297, 0.986308797703, 0.859610540408, 20.5417152658},
    {2.82, 1.820214254266, 0.999785745734, 1.343081337790, 22.9874007591},
    {2.80, 1.787101131856, 1.012898868144, 1.902346387234, 27.4273685225},
    {2.76, 1.723490178455, 1.036509821545, 3.502774281630, 47.7914295422},
    {2.70, 1.652552509223, 1.047447490777, 11.057087541927, 275.1299833836},
};
enum { BRANCH_COUNT = sizeof BRANCH / sizeof BRANCH[0] };

TEST(unit, the_branch_next_to_3T_3_has_its_reference_values) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    for (int i = 0; i < BRANCH_COUNT; i++) {
        assert_ok(carom_two_impacts_orbit(basis, BRANCH[i][1], BRANCH[i][2], orbit));
        assert_close(orbit->period, BRANCH[i][0], 0.0, 1e-12);
        // twelve printed digits of the flight times, with a conditioning of up to 100
        assert_close(orbit->lambda[0], BRANCH[i][3], 1e-9, 0.0);
        assert_close(orbit->lambda[1], orbit->lambda[0], 0.0, 0.0);
        assert_close(orbit->energy, BRANCH[i][4], 1e-9, 0.0);
        // |a| is what the digits of sigma leave
        ck_assert_double_le(orbit->residual, 1e-9);
    }
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, the_motion_strikes_twice_returns_and_has_two_axes) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    double state[10];
    double before[5];
    double after[5];
    assert_ok(carom_two_impacts_orbit(basis, BRANCH[4][1], BRANCH[4][2], orbit));
    memcpy(state, orbit->state, sizeof state);
    for (int j = 0; j < 2; j++) {
        carom_modal_basis_rotate(basis, orbit->flight_times[j], state);
        // |a| < 1e-11 from the digits of sigma, times lambda and a few units
        assert_close(carom_modal_basis_contact_displacement(basis, state), 1.0, 0.0, 1e-10);
        assert_close(carom_modal_basis_reflect(basis, state), orbit->lambda[j], 1e-10, 0.0);
    }
    for (int l = 0; l < 10; l++) {
        assert_close(state[l], orbit->state[l], 0.0, 1e-10);
    }
    const double axes[2] = {0.5 * orbit->flight_times[0],
                            0.5 * (orbit->flight_times[0] + orbit->period)};
    for (int i = 0; i < 2; i++) {
        for (int step = 1; step < 10; step++) {
            const double distance = 0.05 * step;
            carom_orbit_motion(basis, orbit, axes[i] - distance, before, NULL, state);
            carom_orbit_motion(basis, orbit, axes[i] + distance, after, NULL, state);
            for (int p = 0; p < 5; p++) {
                assert_close(after[p], before[p], 0.0, 1e-10);
            }
        }
    }
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(property, lambda_solves_the_two_equations_of_sigma_generally) {
    // the case table of section 7.3.2 with Sigma from the impact equations; any flight times will
    // do, on a curve or not
    carom_modal_basis *basis = paper_chain(-0.83);
    carom_impact_equations *equations = NULL;
    assert_ok(carom_impact_equations_alloc(basis, 2, &equations));
    carom_orbit *orbit = two_impact_orbit(basis);
    gsl_rng *generator = seeded_generator(SEED);
    for (int i = 0; i < 100; i++) {
        const double sigma[2] = {uniform(generator, 0.1, 3.0), uniform(generator, 0.1, 3.0)};
        double Pi[4];
        double Sigma[4];
        assert_ok(carom_impact_equations_matrices(equations, sigma, Pi, Sigma));
        assert_close(Sigma[0], Sigma[3], 1e-13, 1e-13);
        assert_close(Sigma[1], Sigma[2], 1e-13, 1e-13);
        assert_ok(carom_two_impacts_orbit(basis, sigma[0], sigma[1], orbit));
        // Cramer's rule; errors grow with the cancellation in the determinant and in alpha - beta
        const double determinant = Sigma[0] * Sigma[3] - Sigma[1] * Sigma[2];
        const double size = Sigma[0] * Sigma[0] + Sigma[1] * Sigma[1];
        const double expected = 0.83 * (Sigma[3] - Sigma[1]) / determinant;
        assert_close(orbit->lambda[0], expected, 1e-12 * size / fabs(determinant), 0.0);
        assert_close(orbit->lambda[1], expected, 1e-12 * size / fabs(determinant), 0.0);
        assert_close(orbit->residual, fabs(Pi[1]), 1e-9, 1e-9);
    }
    gsl_rng_free(generator);
    carom_orbit_free(orbit);
    carom_impact_equations_free(equations);
    carom_modal_basis_free(basis);
}

TEST(unit, without_a_gap_only_rest_is_left) {
    carom_modal_basis *basis = paper_chain(0.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    assert_ok(carom_two_impacts_orbit(basis, BRANCH[4][1], BRANCH[4][2], orbit));
    for (int j = 0; j < 2; j++) {
        assert_close(orbit->lambda[j], 0.0, 0.0, 0.0);
        ck_assert(!signbit(orbit->lambda[j]));
    }
    assert_close(orbit->energy, 0.0, 0.0, 0.0);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

/** All points are in the triangle and on the zero set, and neighbours are near. */
static void check_curves(const carom_modal_basis *basis, const carom_flight_time_curves *curves,
                         double max_period, int cells) {
    for (int i = 0; i < curves->count; i++) {
        const carom_flight_time_curve *curve = &curves->curves[i];
        ck_assert_int_ge(curve->count, 2);
        for (int j = 0; j < curve->count; j++) {
            const double x = curve->sigma_1[j];
            const double y = curve->sigma_2[j];
            ck_assert_double_gt(y, 0.0);
            ck_assert_double_ge(x, y);
            ck_assert_double_le(x + y, max_period * (1.0 + 2.0 * DBL_EPSILON));
            const double a = fabs(carom_two_impacts_regular(basis, x, y));
            const double allowed = allowed_by_rounding(basis, x, y);
            ck_assert_msg(a <= allowed, "a(%.17g, %.17g) = %g > %g", x, y, a, allowed);
            // both ends of a cell's diagonal
            const int k = j + 1 < curve->count ? j + 1 : curve->is_closed == 1 ? 0 : j;
            ck_assert_double_le(hypot(curve->sigma_1[k] - x, curve->sigma_2[k] - y),
                                1.5 * max_period / cells);
        }
    }
}

TEST(unit, all_points_of_the_curves_are_zeros_to_rounding) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = curves_of(basis, FIGURE_PERIOD, CELLS);
    check_curves(basis, curves, FIGURE_PERIOD, CELLS);
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}

/** Distance of a point from a segment. */
static double segment_distance(double x, double y, const carom_flight_time_curve *curve, int j) {
    const double u = curve->sigma_1[j + 1] - curve->sigma_1[j];
    const double v = curve->sigma_2[j + 1] - curve->sigma_2[j];
    const double p = x - curve->sigma_1[j];
    const double q = y - curve->sigma_2[j];
    const double square = u * u + v * v;
    const double part = square > 0.0 ? fmin(fmax((p * u + q * v) / square, 0.0), 1.0) : 0.0;
    return hypot(p - part * u, q - part * v);
}

TEST(unit, the_curves_pass_by_all_points_of_equation_7_22) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = curves_of(basis, FIGURE_PERIOD, CELLS);
    int points = 0;
    for (int i = 0; i < 5; i++) {
        const double T = period_of_mode(basis, i);
        for (int q = 1; q * T < FIGURE_PERIOD; q++) {
            for (int p = q + 1; p < 2 * q; p++) {
                const double x = 0.5 * p * T;
                const double y = (q - 0.5 * p) * T;
                double nearest = FIGURE_PERIOD;
                for (int c = 0; c < curves->count; c++) {
                    for (int j = 0; j + 1 < curves->curves[c].count; j++) {
                        nearest = fmin(nearest, segment_distance(x, y, &curves->curves[c], j));
                    }
                }
                // a chord of a cell away from its curve, less than its size
                ck_assert_msg(nearest < FIGURE_PERIOD / CELLS, "i = %d, q = %d, p = %d: %g", i, q,
                              p, nearest);
                points++;
            }
        }
    }
    // sum of (q - 1) over 1 T_1, 3 T_2, 4 T_3, 6 T_4 and 7 T_5
    ck_assert_int_eq(points, 0 + 3 + 6 + 15 + 21);
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}

/** Segments that cross a line of constant period. */
static int crossings(const carom_flight_time_curves *curves, double T) {
    int count = 0;
    for (int i = 0; i < curves->count; i++) {
        const carom_flight_time_curve *curve = &curves->curves[i];
        for (int j = 0; j + (curve->is_closed == 1 ? 0 : 1) < curve->count; j++) {
            const int k = (j + 1) % curve->count;
            const bool is_below = curve->sigma_1[j] + curve->sigma_2[j] < T;
            count += is_below != (curve->sigma_1[k] + curve->sigma_2[k] < T);
        }
    }
    return count;
}

/** Zeros of Upsilon_T(s) in 0 < s < T, by its changes of sign on a fine grid. */
static int zeros_at(const carom_modal_basis *basis, double T) {
    const int samples = 20000;
    int count = 0;
    double last = carom_kernels_evaluate(basis, T, 0.5 * T / samples).velocity;
    for (int i = 1; i < samples; i++) {
        const double next = carom_kernels_evaluate(basis, T, (i + 0.5) * T / samples).velocity;
        count += (last < 0.0) != (next < 0.0);
        last = next;
    }
    return count;
}

TEST(property, a_finer_grid_crosses_a_line_of_constant_period_as_often) {
    carom_modal_basis *basis = paper_chain(1.0);
    const double periods[] = {1.2, 2.8, 3.49, 3.9, 4.3};
    const int cells[] = {150, 400, 631};
    for (int c = 0; c < 3; c++) {
        carom_flight_time_curves *curves = curves_of(basis, FIGURE_PERIOD, cells[c]);
        for (int i = 0; i < 5; i++) {
            ck_assert_int_eq(crossings(curves, periods[i]), zeros_at(basis, periods[i]));
        }
        carom_flight_time_curves_free(curves);
    }
    carom_modal_basis_free(basis);
}

TEST(unit, curves_meet_the_diagonal_at_the_period_doublings) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = curves_of(basis, FIGURE_PERIOD, CELLS);
    const double known[2] = {0.741602118298, 1.498231986911};
    bool is_found[2] = {false, false};
    for (int i = 0; i < curves->count; i++) {
        const carom_flight_time_curve *curve = &curves->curves[i];
        for (int end = 0; end < 2; end++) {
            const int j = end == 0 ? 0 : curve->count - 1;
            if (curve->sigma_1[j] > curve->sigma_2[j]) {
                continue;
            }
            // specification 2.12: sum rho^2 w / sin(w T') = 0, in units of its terms
            double sum = 0.0;
            double size = 0.0;
            for (int l = 0; l < 5; l++) {
                const double w = basis->frequency[l];
                const double term =
                    pow(basis->participation[l], 2) * w / sin(w * curve->sigma_1[j]);
                sum += term;
                // and a rounding of T' in the sine of a mode
                size += fabs(term) * (1.0 + w / fabs(sin(w * curve->sigma_1[j])));
            }
            assert_close(sum, 0.0, 0.0, 1e-14 * size);
            for (int k = 0; k < 2; k++) {
                is_found[k] = is_found[k] || fabs(curve->sigma_1[j] - known[k]) < 1e-12;
            }
        }
    }
    ck_assert(is_found[0] && is_found[1]);
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}

TEST(unit, one_mass_has_straight_curves) {
    // a = sin(w (sigma_2 - sigma_1)/2)/sin(w T/2): sigma_1 - sigma_2 is a multiple of T_1
    const double mass = 0.77;
    const double stiffness = 1.9;
    carom_linear_system *system = NULL;
    assert_ok(carom_serial_chain_alloc(1, &mass, &stiffness, 1.0, &system, NULL));
    carom_modal_basis *basis = basis_of(system);
    const double T = 2.0 * M_PI * sqrt(mass / stiffness);
    const double max_period = 3.7 * T;
    carom_flight_time_curves *curves = curves_of(basis, max_period, 60);
    check_curves(basis, curves, max_period, 60);
    ck_assert_int_eq(curves->count, 3);
    bool is_found[4] = {false, false, false, false};
    for (int i = 0; i < 3; i++) {
        const carom_flight_time_curve *curve = &curves->curves[i];
        const double first = (curve->sigma_1[0] - curve->sigma_2[0]) / T;
        const int multiple = (int)round(first);
        ck_assert_int_ge(multiple, 1);
        ck_assert_int_le(multiple, 3);
        ck_assert(!is_found[multiple]);
        is_found[multiple] = true;
        for (int j = 0; j < curve->count; j++) {
            assert_close((curve->sigma_1[j] - curve->sigma_2[j]) / T, (double)multiple, 0.0, 1e-14);
        }
    }
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}

TEST(unit, coincident_harmonics_are_no_curve) {
    // w_2 = 2 w_1: with d = sigma_1 - sigma_2, a is sin(w d/2)/sin(w T/2) times
    // rho_1^2 + rho_2^2 cos(w d/2)/cos(w T/2), w = w_1: all harmonics of T_1 are double ones
    const double angle = 0.9;
    carom_modal_basis *basis = turned_pair(1.0, 2.0, angle);
    const double weights[2] = {cos(angle) * cos(angle), sin(angle) * sin(angle)};
    // grid lines on the harmonics, and not
    const int cells[2] = {200, 173};
    for (int c = 0; c < 2; c++) {
        const double max_period = 8.0 * M_PI;
        carom_flight_time_curves *curves = curves_of(basis, max_period, cells[c]);
        ck_assert_int_ge(curves->count, 4);
        for (int i = 0; i < curves->count; i++) {
            for (int j = 0; j < curves->curves[i].count; j++) {
                const double x = curves->curves[i].sigma_1[j];
                const double y = curves->curves[i].sigma_2[j];
                const double second =
                    weights[0] * cos(0.5 * (x + y)) + weights[1] * cos(0.5 * (x - y));
                // phases of 13, each rounded twice
                assert_close(sin(0.5 * (x - y)) * second, 0.0, 0.0, 2e-14);
            }
        }
        carom_flight_time_curves_free(curves);
    }
    carom_modal_basis_free(basis);
}

TEST(unit, avoided_crossings_are_not_joined) {
    // beside w_2 = 2 w_1, where the curves of the two factors cross, they pass each other within a
    // cell: the coarse grids find the same curves as the fine one
    const double seconds[] = {1.94, 1.96, 1.98, 2.04};
    for (int i = 0; i < 4; i++) {
        carom_modal_basis *basis = turned_pair(1.0, seconds[i], 0.9);
        carom_flight_time_curves *fine = curves_of(basis, 25.0, 600);
        const int cells[] = {24, 54, 81};
        for (int c = 0; c < 3; c++) {
            carom_flight_time_curves *coarse = curves_of(basis, 25.0, cells[c]);
            ck_assert_int_eq(coarse->count, fine->count);
            carom_flight_time_curves_free(coarse);
        }
        carom_flight_time_curves_free(fine);
        carom_modal_basis_free(basis);
    }
}

TEST(unit, one_curve_leaves_the_axis_at_every_harmonic) {
    // near (q T_i, 0) a = -1 + 2 rho_i^2 sigma_2/(T - q T_i) + ..., zero on one line
    carom_modal_basis *basis = paper_chain(1.0);
    const double max_period = 6.0;
    int harmonics = 0;
    for (int i = 0; i < 5; i++) {
        harmonics += (int)floor(max_period / period_of_mode(basis, i));
    }
    // spacings above the distances between harmonics, and below
    const int cells[] = {50, 400};
    for (int c = 0; c < 2; c++) {
        carom_flight_time_curves *curves = curves_of(basis, max_period, cells[c]);
        int ends = 0;
        for (int i = 0; i < curves->count; i++) {
            const carom_flight_time_curve *curve = &curves->curves[i];
            for (int end = 0; end < 2 && curve->is_closed == 0; end++) {
                const int j = end == 0 ? 0 : curve->count - 1;
                const double T = curve->sigma_1[j] + curve->sigma_2[j];
                const bool is_diagonal = !(curve->sigma_1[j] > curve->sigma_2[j]);
                const bool is_border = T > max_period * (1.0 - 1e-12);
                ends += !is_diagonal && !is_border;
            }
        }
        ck_assert_int_eq(ends, harmonics);
        carom_flight_time_curves_free(curves);
    }
    carom_modal_basis_free(basis);
}

TEST(unit, the_first_curve_is_found_within_the_first_cell) {
    // T_5 = 0.6548 is less than a cell of 0.75
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = curves_of(basis, 6.0, 8);
    bool is_found = false;
    for (int i = 0; i < curves->count; i++) {
        const double T = curves->curves[i].sigma_1[0] + curves->curves[i].sigma_2[0];
        is_found = is_found || (T > period_of_mode(basis, 4) && T < period_of_mode(basis, 3));
    }
    ck_assert(is_found);
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}

TEST(unit, below_the_first_harmonic_there_is_no_curve) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = curves_of(basis, 0.99 * period_of_mode(basis, 4), 50);
    ck_assert_int_eq(curves->count, 0);
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}

TEST(property, random_structures_have_all_their_curves) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 6; round++) {
        carom_modal_basis *basis = random_chain(generator, 2 + round % 3);
        const double max_period = 3.3 * period_of_mode(basis, basis->visible_count - 1);
        carom_flight_time_curves *curves = curves_of(basis, max_period, 300);
        check_curves(basis, curves, max_period, 300);
        for (int i = 0; i < 4; i++) {
            const double T = uniform(generator, 0.3, 0.98) * max_period;
            const int found = crossings(curves, T);
            const int expected = zeros_at(basis, T);
            ck_assert_msg(found == expected, "seed %lu, round %d: %d of %d at T = %.17g", SEED,
                          round, found, expected, T);
        }
        carom_flight_time_curves_free(curves);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}

TEST(errors, flight_times_must_be_positive_and_finite) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    const double refused[] = {0.0, -0.7, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_status(carom_two_impacts_orbit(basis, refused[i], 1.1, orbit), OUT_OF_RANGE);
        assert_status(carom_two_impacts_orbit(basis, 1.1, refused[i], orbit), OUT_OF_RANGE);
        ck_assert(isnan(orbit->lambda[1]) && isnan(orbit->state[9]) && isnan(orbit->energy));
        ck_assert(isnan(orbit->period) && isnan(orbit->flight_times[0]));
    }
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(errors, harmonics_and_infinite_speeds_are_singular) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    const double T_3 = period_of_mode(basis, 2);
    assert_status(carom_two_impacts_orbit(basis, 2.0 * T_3, T_3, orbit), SINGULAR);
    ck_assert(isnan(orbit->lambda[0]) && isnan(orbit->residual));
    // alpha + beta falls with T between two harmonics; its zero by bisection, to the last digit
    double low = 2.65;
    double high = 2.67;
    while (true) {
        const double T = 0.5 * (low + high);
        if (!(T > low && T < high)) {
            break;
        }
        const double s = -0.61;
        const double sum =
            carom_kernels_evaluate(basis, T, T).gap + carom_kernels_evaluate(basis, T, s).gap;
        *(sum > 0.0 ? &low : &high) = T;
    }
    assert_status(carom_two_impacts_orbit(basis, 0.5 * (low + 0.61), 0.5 * (low - 0.61), orbit),
                  SINGULAR);
    assert_ok(carom_two_impacts_orbit(basis, 0.5 * (low + 0.61) + 1e-9, 0.5 * (low - 0.61), orbit));
    ck_assert_double_gt(fabs(orbit->lambda[0]), 1e6);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(errors, grids_must_have_cells_and_a_period) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = NULL;
    carom_report report = carom_report_empty();
    assert_status(carom_two_impacts_curves(basis, 2.0, 7, &curves, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "cells");
    assert_close(report.value, 7.0, 0.0, 0.0);
    assert_status(carom_two_impacts_curves(basis, 2.0, 1 << 20, &curves, &report), OUT_OF_RANGE);
    const double refused[] = {0.0, -2.0, (double)NAN, (double)INFINITY, 1e300};
    for (int i = 0; i < 5; i++) {
        assert_status(carom_two_impacts_curves(basis, refused[i], 8, &curves, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "largest period");
        ck_assert_ptr_null(curves);
    }
    carom_modal_basis_free(basis);
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = NULL;
    allocations = 0;
    const carom_status first = carom_two_impacts_curves(basis, 1.6, 20, &curves, NULL);
    const int needed = allocations;
    assert_ok(first);
    ck_assert_int_gt(needed, 10);
    carom_flight_time_curves_free(curves);
    for (int k = 0; k < needed; k++) {
        successes_left = k;
        const carom_status status = carom_two_impacts_curves(basis, 1.6, 20, &curves, NULL);
        successes_left = -1;
        assert_status(status, OUT_OF_MEMORY);
        ck_assert_ptr_null(curves);
    }
    carom_flight_time_curves_free(NULL);
    carom_modal_basis_free(basis);
}

TEST(unit, points_of_one_mass_are_those_of_its_half_periods) {
    // Both flights are multiples of T/2 and their sum is one of T. Where p is even, the poles of
    // alpha and beta add up, so that lambda changes its sign there.
    const double w = 2.385;
    const double mass = 1.0;
    const double stiffness = w * w;
    const double T = 2.0 * M_PI / w;
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(1, &mass, &stiffness, 0.731, &system, NULL));
    carom_modal_basis *basis = basis_of(system);
    carom_two_impacts_point points[64];
    // Multiples 1..7 of T/2 each: of 49 pairs 16 are odd and odd, 9 even and even.
    const int count = carom_two_impacts_points(basis, 3.6 * T, NULL);
    ck_assert_int_eq(count, 25);
    ck_assert_int_eq(carom_two_impacts_points(basis, 3.6 * T, points), count);
    for (int i = 0; i < count; i++) {
        const carom_two_impacts_point *one = &points[i];
        ck_assert_int_eq(one->mode, 1);
        assert_close(one->sigma_1, 0.5 * one->half_periods * T, 1e-14, 0.0);
        const double harmonics = (one->sigma_1 + one->sigma_2) / T;
        assert_close(harmonics, round(harmonics), 1e-14, 0.0);
        ck_assert_double_le(fmax(one->sigma_1, one->sigma_2), 3.6 * T);
        if (one->half_periods % 2 == 0) {
            // Left of the harmonic they push, right of it they would pull.
            ck_assert(one->lambda_below > 0.0 && one->lambda_above < 0.0);
        }
    }
    carom_modal_basis_free(basis);
}

TEST(property, points_lie_on_harmonics_of_their_modes_and_their_sign_changes_at_even_ones_alone) {
    // The 213 points of figure 9: 93 with p odd (thorin-2017 remark 7.3, corrected).
    carom_linear_system *system;
    assert_ok(carom_serial_chain_uniform_alloc(5, 1.0, &system, NULL));
    carom_modal_basis *basis = basis_of(system);
    carom_two_impacts_point points[256];
    const int count = carom_two_impacts_points(basis, 4.5, NULL);
    ck_assert_int_eq(count, 213);
    ck_assert_int_eq(carom_two_impacts_points(basis, 4.5, points), count);
    for (int i = 0; i < count; i++) {
        const double T = 2.0 * M_PI / basis->frequency[points[i].mode - 1];
        const double sum = (points[i].sigma_1 + points[i].sigma_2) / T;
        assert_close(sum, round(sum), 1e-13, 0.0);
        const bool changes = points[i].lambda_below > 0.0 && points[i].lambda_above < 0.0;
        ck_assert_int_eq(changes, points[i].half_periods % 2 == 0);
    }
    carom_modal_basis_free(basis);
}
