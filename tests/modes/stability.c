/*
 * carom/modes/orbit.h, the multipliers: the characteristic function of one impact per period,
 * derived on its own, and the reference values of the specification ([C], computed with another
 * program).
 */
#include "../failing_malloc.h"
#include "stability_cases.h"

static const unsigned long SEED = 20170816;

/**
 * Characteristic polynomial of R at mu for one impact per period, without matrices. A perturbation
 * that is multiplied by mu from impact to impact is, just before one, delta^- with
 *
 *     (I - mu S(T)^-1) delta^- = 2 (Omega rho p, rho q),  p = rho' Omega^-1 delta_1^-,
 *     q = rho' delta_2^- + (a/lambda) p,  a/lambda = -sum rho^2 omega cot(omega T/2),
 *
 * which leaves two equations for p and q. With s = mu + 1/mu their determinant is
 *
 *     chi(s) = (s^2 - 4) A^2 + B C,  A = sum rho^2/(s - 2 cos), B = 2 sum rho^2 sin/(omega (s -
 *     2 cos)),  C = 2 sum rho^2 omega sin/(s - 2 cos) + a/lambda,  cos, sin of omega T,
 *
 * with simple poles at s = 2 cos, zeros at s = 2 (time shift) and at mu + 1/mu of the pairs of
 * multipliers, and chi = 1 at infinity: det(mu - R) = mu^{m-1} chi(s) prod(s - 2 cos)/(s - 2).
 */
static double characteristic(const carom_modal_basis *basis, double period, double mu) {
    const int m = basis->visible_count;
    const double s = mu + 1.0 / mu;
    double A = 0.0;
    double B = 0.0;
    double C = 0.0;
    double poles = 1.0 / (mu * (s - 2.0));
    for (int l = 0; l < m; l++) {
        const double rho_2 = basis->participation[l] * basis->participation[l];
        const double omega = basis->frequency[l];
        const double pole = s - 2.0 * cos(omega * period);
        A += rho_2 / pole;
        B += 2.0 * rho_2 * sin(omega * period) / (omega * pole);
        C += 2.0 * rho_2 * omega * sin(omega * period) / pole -
             rho_2 * omega / tan(0.5 * omega * period);
        poles *= mu * pole;
    }
    return ((s * s - 4.0) * A * A + B * C) * poles;
}

/** det(mu - R) from multipliers, and the product of moduli that its rounding scales with. */
static double polynomial(int count, const double complex *multipliers, double mu, double *size) {
    double complex product = 1.0;
    *size = 1.0;
    for (int i = 0; i < count; i++) {
        product *= mu - multipliers[i];
        *size *= fabs(mu) + cabs(multipliers[i]);
    }
    return creal(product);
}

TEST(unit, one_mass_has_no_multipliers) {
    carom_modal_basis *basis = chain(1, 0.92);
    carom_stability *stability = workspace(basis);
    carom_orbit *orbit = single_impact(basis, 3.62);
    double Phi[4];
    double multiplier = 2.385;
    double radius;
    assert_ok(carom_stability_multipliers(stability, orbit, &multiplier, &radius));
    assert_close(radius, 1.0, 0.0, 0.0);
    assert_close(multiplier, 2.385, 0.0, 0.0);
    assert_ok(carom_stability_return_map(stability, orbit, NULL, NULL));
    /* what is left of Phi is a double 1 with the period's dependence on energy */
    assert_ok(carom_stability_monodromy(stability, orbit, Phi));
    assert_close(Phi[0] + Phi[3], 2.0, 1e-14, 0.0);
    assert_close(Phi[0] * Phi[3] - Phi[1] * Phi[2], 1.0, 1e-14, 0.0);
    carom_orbit_free(orbit);
    carom_stability_free(stability);
    carom_modal_basis_free(basis);
}

TEST(unit, two_masses_have_the_closed_form) {
    /* det(mu - R) = mu^2 - s mu + 1: s follows from the characteristic function at mu = -1 */
    carom_modal_basis *basis = chain(2, 0.92);
    static const double PERIODS[] = {1.37, 2.21, 3.17, 3.93, 5.41};
    for (int i = 0; i < 5; i++) {
        carom_orbit *orbit = single_impact(basis, PERIODS[i]);
        double complex mu[2];
        multipliers_of(basis, orbit, mu);
        const double s = characteristic(basis, PERIODS[i], -1.0) - 2.0;
        /* rounding of the largest term, some tens of it */
        assert_close(creal(mu[0] + mu[1]), s, 1e-13, 1e-13);
        assert_close(creal(mu[0] * mu[1]), 1.0, 0.0, 1e-14 * s * s + 1e-13);
        carom_orbit_free(orbit);
    }
    carom_modal_basis_free(basis);
}

/** A neutrally stable orbit has the multipliers e^{-+i angle}, in the order of their angles. */
static void assert_neutral(const carom_modal_basis *basis, carom_orbit *orbit,
                           const double *angles) {
    double complex mu[8];
    const double radius = multipliers_of(basis, orbit, mu);
    ck_assert(carom_stability_is_neutral(radius));
    /* eigenvalues that stand apart: rounding times their condition, some hundred */
    assert_close(radius, 1.0, 0.0, 1e-12);
    for (int i = 0; i < 4; i++) {
        /* eight printed digits behind the point, to a unit */
        assert_close(carg(mu[4 + i]), angles[i], 0.0, 1e-8);
        assert_close(carg(mu[3 - i]), -angles[i], 0.0, 1e-8);
    }
    carom_orbit_free(orbit);
}

TEST(unit, neutral_orbits_have_the_angles_of_the_specification) {
    carom_modal_basis *basis = chain(5, 1.0);
    static const double ONE[4] = {0.52284685, 1.43781066, 2.62527651, 2.95465301};
    assert_neutral(basis, single_impact(basis, 4.30), ONE);
    static const double TIMES_2[2] = {0.330508890769, 3.594491109231};
    static const double LAMBDA_2[2] = {0.419644607301, 0.419644607301};
    static const double TWO[4] = {0.20451512, 0.97605864, 1.36110217, 2.14855125};
    assert_neutral(basis, solved(basis, 2, TIMES_2, LAMBDA_2), TWO);
    static const double TIMES_3[3] = {0.210218004117, 0.210218004117, 3.480563991765};
    static const double LAMBDA_3[3] = {0.383998269039, 0.287507622260, 0.287507622260};
    static const double THREE[4] = {0.56936432, 0.90576698, 1.3517868, 2.41913769};
    assert_neutral(basis, solved(basis, 3, TIMES_3, LAMBDA_3), THREE);
    carom_modal_basis_free(basis);
}

TEST(unit, spectral_radii_of_one_impact_are_those_of_the_specification) {
    carom_modal_basis *basis = chain(5, 1.0);
    static const double POINTS[][2] = {{3.76, 1.29858591}, {3.78, 1.39489482}, {3.80, 3.55182016},
                                       {3.82, 8.90062689}, {4.0, 1.44206166},  {1.4, 3.06997885}};
    for (int i = 0; i < 6; i++) {
        /* a unit of the eighth printed digit behind the point */
        assert_close(radius_of(basis, single_impact(basis, POINTS[i][0])), POINTS[i][1], 0.0, 1e-8);
        ck_assert(!carom_stability_is_neutral(POINTS[i][1]));
    }
    carom_modal_basis_free(basis);
}

TEST(unit, spectral_radii_of_two_impacts_are_those_of_the_specification) {
    carom_modal_basis *basis = chain(5, 1.0);
    static const double POINTS[][5] = {
        /* sigma_1, sigma_2, lambda, radius, unit of its last printed digit */
        {1.904535951832, 0.965464048168, 0.190664173242, 1473.08, 1e-2},
        {1.887495453412, 0.972504546588, 0.412326260037, 342.417, 1e-3},
        {1.853691202297, 0.986308797703, 0.859610540408, 92.1595, 1e-4},
        {1.820214254266, 0.999785745734, 1.343081337790, 44.2488, 1e-4},
        {1.787101131856, 1.012898868144, 1.902346387234, 26.235, 1e-4},
        {1.723490178455, 1.036509821545, 3.502774281630, 12.0472, 1e-4},
        {1.652552509223, 1.047447490777, 11.057087541927, 4.78032, 1e-5}};
    for (int i = 0; i < 7; i++) {
        const double lambda[2] = {POINTS[i][2], POINTS[i][2]};
        carom_orbit *orbit = solved(basis, 2, POINTS[i], lambda);
        assert_close(radius_of(basis, orbit), POINTS[i][3], 0.0, POINTS[i][4]);
    }
    carom_modal_basis_free(basis);
}

TEST(unit, a_bridge_has_a_double_multiplier_minus_one) {
    /* period of the member with one impact: sum (rho^2/omega) tan(omega T/2) = 0, by Newton */
    carom_modal_basis *basis = chain(5, 1.0);
    double period = 1.46220272267;
    for (int step = 0; step < 4; step++) {
        double value = 0.0;
        double slope = 0.0;
        for (int l = 0; l < 5; l++) {
            const double rho_2 = basis->participation[l] * basis->participation[l];
            const double tangent = tan(0.5 * basis->frequency[l] * period);
            value += rho_2 / basis->frequency[l] * tangent;
            slope += 0.5 * rho_2 * (1.0 + tangent * tangent);
        }
        period -= value / slope;
    }
    carom_orbit *orbit = single_impact(basis, period);
    double complex mu[8];
    const double radius = multipliers_of(basis, orbit, mu);
    assert_close(radius, 8.11948877, 0.0, 1e-8);
    assert_close(creal(mu[0]), -8.11948877, 0.0, 1e-8);
    assert_close(creal(mu[7]), -0.12316046, 0.0, 1e-8);
    int found = 0;
    for (int i = 1; i < 7; i++) {
        /* a double eigenvalue moves by the root of rounding, times its condition */
        found += cabs(mu[i] + 1.0) < 1e-6;
    }
    ck_assert_int_eq(found, 2);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, neutral_periods_are_the_windows_of_the_specification) {
    carom_modal_basis *basis = chain(5, 1.0);
    static const double WINDOWS[][2] = {
        {2.1795192, 2.2272337}, {2.3419251, 2.3583624}, {2.3941498, 2.4175727},
        {2.4314072, 2.4797071}, {2.5270268, 2.5668164}, {2.7274835, 2.7282543},
        {2.9987998, 2.9993315}, {3.448852, 3.4547128},  {3.4565556, 3.4697614},
        {3.4769086, 3.4949146}, {3.497283, 3.576859},   {3.5865504, 3.603778},
        {3.6112762, 3.625643},  {3.7710391, 3.7718965}, {3.8991431, 3.9085538},
        {4.0837369, 4.1285798}, {4.1524449, 4.1764025}, {4.178795, 4.2213614},
        {4.2385473, 4.244812},  {4.259451, 4.2636309},  {4.2835043, 4.3283005}};
    enum { COUNT = sizeof WINDOWS / sizeof WINDOWS[0] };
    /* the ends are known to a unit of the seventh digit behind the point */
    static const double UNIT = 1.5e-7;
    for (int i = 0; i < COUNT; i++) {
        const double middle = 0.5 * (WINDOWS[i][0] + WINDOWS[i][1]);
        ck_assert(carom_stability_is_neutral(radius_of(basis, single_impact(basis, middle))));
        for (int end = 0; end < 2; end++) {
            const double outwards = end == 0 ? -UNIT : UNIT;
            const double inside = WINDOWS[i][end] - outwards;
            const double outside = WINDOWS[i][end] + outwards;
            const double in = radius_of(basis, single_impact(basis, inside));
            const double out = radius_of(basis, single_impact(basis, outside));
            ck_assert_msg(carom_stability_is_neutral(in), "T = %.9g: %.17g", inside, in);
            /* the first begins where the impact speed is infinite: there is nothing below */
            ck_assert_msg(!carom_stability_is_neutral(out) || (i == 0 && end == 0),
                          "T = %.9g: %.17g", outside, out);
        }
    }
    /* half way between two windows of one interval of admissible periods */
    for (int i = 1; i < COUNT; i++) {
        const double between = 0.5 * (WINDOWS[i - 1][1] + WINDOWS[i][0]);
        if (WINDOWS[i][0] - WINDOWS[i - 1][1] < 0.06) {
            ck_assert(!carom_stability_is_neutral(radius_of(basis, single_impact(basis, between))));
        }
    }
    carom_modal_basis_free(basis);
}

TEST(unit, invisible_modes_turn_freely) {
    /* two masses of the chain, and between their equations two that touch nothing */
    static const double FREE[2] = {3.17, 0.83};
    carom_linear_system *system;
    assert_ok(carom_linear_system_alloc(4, &system));
    static const double MASSES[4] = {0.5, 1.0, 0.5, 1.0};
    for (int i = 0; i < 4; i++) {
        system->mass[i * 5] = MASSES[i];
    }
    system->stiffness[0] = 4.0;
    system->stiffness[2] = -2.0;
    system->stiffness[8] = -2.0;
    system->stiffness[10] = 2.0;
    system->stiffness[5] = FREE[0] * FREE[0];
    system->stiffness[15] = FREE[1] * FREE[1];
    system->contact_normal[2] = -1.0;
    system->gap_at_rest = 0.92;
    carom_modal_basis *whole = reduce(system);
    carom_modal_basis *visible = chain(2, 0.92);
    ck_assert_int_eq(whole->visible_count, 2);
    carom_orbit *orbit = single_impact(visible, 3.17);
    carom_orbit *same = single_impact(whole, 3.17);
    double complex expected[2];
    double complex mu[6];
    const double radius = multipliers_of(visible, orbit, expected);
    assert_close(multipliers_of(whole, same, mu), radius, 1e-12, 0.0);
    for (int i = 0; i < 2; i++) {
        /* other rounding of the same modes */
        assert_close(cabs(mu[i] - expected[i]), 0.0, 0.0, 1e-12 * radius);
        for (int sign = 0; sign < 2; sign++) {
            const double angle = (sign == 0 ? 1.0 : -1.0) * FREE[1 - i] * 3.17;
            const double complex turn = cos(angle) + sin(angle) * (double complex)I;
            assert_close(cabs(mu[2 + 2 * i + sign] - turn), 0.0, 0.0, 1e-13);
        }
    }
    carom_orbit_free(same);
    carom_orbit_free(orbit);
    carom_modal_basis_free(visible);
    carom_modal_basis_free(whole);
}

TEST(unit, multipliers_are_sorted_by_modulus_then_angle) {
    carom_modal_basis *basis = chain(6, 1.0);
    static const double PERIODS[] = {4.31, 3.54, 1.47, 2.93, 3.87, 4.17, 2.44};
    for (int i = 0; i < 7; i++) {
        carom_orbit *orbit = single_impact(basis, PERIODS[i]);
        double complex mu[10];
        multipliers_of(basis, orbit, mu);
        for (int j = 1; j < 10; j++) {
            const double before = cabs(mu[j - 1]);
            const double after = cabs(mu[j]);
            /* conjugate pairs and neutral multipliers have one modulus */
            if (fabs(before - after) < CAROM_STABILITY_TOLERANCE) {
                ck_assert_double_lt(carg(mu[j - 1]), carg(mu[j]));
            } else {
                ck_assert_double_gt(before, after);
            }
        }
        carom_orbit_free(orbit);
    }
    carom_modal_basis_free(basis);
}

TEST(property, the_characteristic_function_vanishes_at_the_multipliers) {
    gsl_rng *generator = seeded_generator(SEED);
    static const double MU[3] = {1.9, -1.6, 3.3};
    for (int trial = 0; trial < 60; trial++) {
        const int n = 2 + trial % (LARGEST - 1);
        carom_modal_basis *basis = random_structure(generator, n);
        carom_orbit *orbit = random_periodic(generator, basis, 1);
        double complex mu[REDUCED];
        multipliers_of(basis, orbit, mu);
        for (int i = 0; i < 3; i++) {
            double size;
            const double actual = polynomial(2 * n - 2, mu, MU[i], &size);
            /* eigenvalues of a matrix perturbed by its rounding, times their condition */
            assert_close(actual, characteristic(basis, orbit->period, MU[i]), 0.0, 1e-12 * size);
        }
        carom_orbit_free(orbit);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}

TEST(property, multipliers_do_not_depend_on_the_impact_one_starts_from) {
    gsl_rng *generator = seeded_generator(SEED + 3);
    for (int trial = 0; trial < 12; trial++) {
        const int n = 2 + trial % (LARGEST - 1);
        carom_modal_basis *basis = random_structure(generator, n);
        carom_orbit *orbit = random_periodic(generator, basis, 3);
        double complex mu[REDUCED];
        const double radius = multipliers_of(basis, orbit, mu);
        for (int r = 1; r < 3; r++) {
            double flight_times[3];
            double lambda[3];
            for (int j = 0; j < 3; j++) {
                flight_times[j] = orbit->flight_times[(j + r) % 3];
                lambda[j] = orbit->lambda[(j + r) % 3];
            }
            carom_orbit *turned = orbit_of(basis, 3, flight_times, lambda);
            double complex other[REDUCED];
            multipliers_of(basis, turned, other);
            double size;
            const double expected = polynomial(2 * n - 2, mu, 1.9, &size);
            /* the characteristic polynomial, in which no pair of eigenvalues is ill-conditioned */
            assert_close(polynomial(2 * n - 2, other, 1.9, &size), expected, 0.0, 1e-11 * size);
            assert_close(radius_of(basis, turned), radius, 1e-9, 0.0);
        }
        carom_orbit_free(orbit);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}

TEST(property, multipliers_do_not_depend_on_units) {
    static const double MASS = 2.385;
    static const double TIME = 0.1741;
    static const double LENGTH = 37.3;
    const double masses[3] = {0.41, 0.83, 0.27};
    const double stiffnesses[3] = {3.1, 4.7, 2.2};
    double other_masses[3];
    double other_stiffnesses[3];
    for (int i = 0; i < 3; i++) {
        other_masses[i] = MASS * masses[i];
        other_stiffnesses[i] = MASS / (TIME * TIME) * stiffnesses[i];
    }
    carom_linear_system *system;
    assert_ok(carom_serial_chain_alloc(3, masses, stiffnesses, 0.77, &system, NULL));
    carom_modal_basis *basis = reduce(system);
    assert_ok(
        carom_serial_chain_alloc(3, other_masses, other_stiffnesses, LENGTH * 0.77, &system, NULL));
    carom_modal_basis *other_basis = reduce(system);
    static const double PERIODS[3] = {1.31, 2.47, 3.83};
    for (int i = 0; i < 3; i++) {
        carom_orbit *orbit = single_impact(basis, PERIODS[i]);
        carom_orbit *other = single_impact(other_basis, TIME * PERIODS[i]);
        double complex mu[4];
        double complex other_mu[4];
        const double radius = multipliers_of(basis, orbit, mu);
        multipliers_of(other_basis, other, other_mu);
        for (int j = 0; j < 4; j++) {
            /* rounding of the largest, times the condition of an eigenvalue */
            assert_close(cabs(mu[j] - other_mu[j]), 0.0, 0.0, 1e-11 * radius);
        }
        carom_orbit_free(other);
        carom_orbit_free(orbit);
    }
    carom_modal_basis_free(other_basis);
    carom_modal_basis_free(basis);
}

TEST(property, what_was_computed_before_leaves_no_trace) {
    carom_modal_basis *basis = chain(5, 1.0);
    carom_orbit *orbit = single_impact(basis, 4.30);
    carom_orbit *other = single_impact(basis, 1.4);
    carom_stability *stability = workspace(basis);
    double first[16];
    double second[16];
    double radius;
    assert_ok(carom_stability_multipliers(stability, orbit, first, &radius));
    assert_ok(carom_stability_multipliers(stability, other, second, &radius));
    other->lambda[0] = 0.0;
    assert_status(carom_stability_multipliers(stability, other, second, &radius), SINGULAR);
    assert_ok(carom_stability_multipliers(stability, orbit, second, &radius));
    ck_assert_mem_eq(first, second, sizeof first);
    carom_stability_free(stability);
    carom_orbit_free(other);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(errors, a_graze_is_refused_and_the_results_are_nan) {
    carom_modal_basis *basis = chain(3, 1.0);
    carom_stability *stability = workspace(basis);
    static const double TIMES[2] = {1.31, 1.31};
    static const double GRAZES[4] = {0.0, 1e-12, -1e-12, NAN};
    for (int i = 0; i < 4; i++) {
        const double regular[2] = {0.7, 0.4};
        carom_orbit *orbit = orbit_of(basis, 2, TIMES, regular);
        orbit->lambda[1] = GRAZES[i];
        double Phi[36] = {0.0};
        double R[16] = {0.0};
        double B[24] = {0.0};
        double multipliers[8] = {0.0};
        double radius = 0.0;
        assert_status(carom_stability_monodromy(stability, orbit, Phi), SINGULAR);
        assert_status(carom_stability_return_map(stability, orbit, R, B), SINGULAR);
        assert_status(carom_stability_return_map(stability, orbit, R, NULL), SINGULAR);
        assert_status(carom_stability_multipliers(stability, orbit, multipliers, &radius),
                      SINGULAR);
        assert_status(carom_stability_multipliers(stability, orbit, NULL, &radius), SINGULAR);
        for (int j = 0; j < 36; j++) {
            ck_assert_double_nan(Phi[j]);
            ck_assert_double_nan(R[j % 16]);
            ck_assert_double_nan(B[j % 24]);
            ck_assert_double_nan(multipliers[j % 8]);
        }
        ck_assert_double_nan(radius);
        carom_orbit_free(orbit);
    }
    carom_stability_free(stability);
    carom_modal_basis_free(basis);
}

TEST(errors, a_motion_that_is_not_a_number_has_no_multipliers) {
    carom_modal_basis *basis = chain(3, 1.0);
    carom_stability *stability = workspace(basis);
    carom_orbit *orbit = single_impact(basis, 1.4);
    orbit->flight_times[0] = NAN;
    double multipliers[8] = {0.0};
    double radius = 0.0;
    assert_status(carom_stability_multipliers(stability, orbit, multipliers, &radius),
                  NOT_CONVERGED);
    ck_assert_double_nan(radius);
    for (int j = 0; j < 8; j++) {
        ck_assert_double_nan(multipliers[j]);
    }
    ck_assert(!carom_stability_is_neutral(NAN));
    carom_orbit_free(orbit);
    carom_stability_free(stability);
    carom_modal_basis_free(basis);
}

TEST(errors, every_failed_allocation_is_reported) {
    carom_modal_basis *basis = chain(3, 1.0);
    int granted = 0;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    for (; status != CAROM_OK; granted++) {
        carom_stability *stability;
        successes_left = granted;
        status = carom_stability_alloc(basis, &stability);
        successes_left = -1;
        if (status == CAROM_OK) {
            carom_stability_free(stability);
        } else {
            ck_assert_int_eq(status, CAROM_STATUS_OUT_OF_MEMORY);
            ck_assert_ptr_null(stability);
        }
    }
    ck_assert_int_ge(granted, 3);
    carom_stability_free(NULL);
    carom_modal_basis_free(basis);
}

TEST(errors, multipliers_allocate_nothing) {
    carom_modal_basis *basis = chain(5, 1.0);
    carom_orbit *orbit = single_impact(basis, 4.30);
    carom_stability *stability = workspace(basis);
    double radius;
    successes_left = 0;
    const carom_status status = carom_stability_multipliers(stability, orbit, NULL, &radius);
    successes_left = -1;
    assert_ok(status);
    carom_stability_free(stability);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}
