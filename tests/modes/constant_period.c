/*
 * carom/modes/few_impacts.h: the tables of section 5.4 of the specification ([C], computed by
 * an independent prototype), a search for all families along alpha = beta instead of a = 0, and
 * admissible ranges from a dense sampling of non-penetration, linear in lambda_1.
 */
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
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

static const unsigned long SEED = 20170319;

/* The range of the tables, and a grid that resolves it. */
static const double TABLE_PERIOD = 8.0;
enum { CELLS = 400, LARGEST_COUNT = 200 };

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

static carom_orbit *two_impact_orbit(const carom_modal_basis *basis) {
    carom_orbit *orbit = NULL;
    assert_ok(carom_orbit_alloc(basis, 2, &orbit));
    return orbit;
}

/** All families of the chain with a period below a bound. */
static carom_constant_period_families *families_below(const carom_modal_basis *basis, double period,
                                                      int cells) {
    carom_flight_time_curves *curves = NULL;
    carom_constant_period_families *families = NULL;
    assert_ok(carom_two_impacts_curves(basis, period, cells, &curves, NULL));
    assert_ok(carom_constant_period_on_curves(basis, curves, &families, NULL));
    carom_flight_time_curves_free(curves);
    return families;
}

static carom_constant_period_families *bridges_below(const carom_modal_basis *basis,
                                                     double period) {
    carom_constant_period_families *families = NULL;
    assert_ok(carom_constant_period_bridges(basis, period, &families, NULL));
    return families;
}

static double period_of(const carom_constant_period_family *family) {
    return family->sigma_1 + family->sigma_2;
}

/**
 * The full families of section 5.4 of the specification: t_1, T, lambda sum, E(0), E(half). Its
 * digits were confirmed and lengthened in quadruple precision, by Newton's method with difference
 * quotients and closed forms of the energies; three last digits changed: E(half) = 36.40664625 and
 * 1.28710702 where 36.4066462 and 1.2871071 are printed, and the sum 1.369392476235 for ...236.
 */
static const double FULL[][5] = {
    {0.164798936335243, 1.497449919824830, 0.327705516309637, 40.3482019255857, 28.7692096139702},
    {0.264835631625029, 2.623535070283908, 21.7790720912939, 17544.4222971021, 1731.35781969264},
    {0.203315823998931, 2.994371513977086, 0.576822306179125, 34.0982485743808, 19.7370937921652},
    {0.641226805548831, 3.254691243145118, 4.23452855721396, 51.5362826366279, 36.4066462526809},
    {0.403136912797197, 3.285100519929347, 8.78082699128590, 492.231729520786, 96.2244624344480},
    {0.292658294206190, 3.748044460919019, 1.21088440290086, 27.0668995245869, 4.58445749335536},
    {0.420096754346263, 3.891545039137877, 0.933081936263554, 4.78210129013931, 1.31513704376644},
    {0.308220904132615, 3.937830767578577, 0.802492991927232, 7.10877705765441, 1.28710701778287},
    {3.268610185894592, 7.198637051672814, 1.36939247623547, 55.6886727112079, 55.0156109843728},
    {2.960000757847310, 7.378880570168654, 1.17451035494437, 2.61356383104854, 2.28246768763644},
    {3.228970873938111, 7.485408857268632, 0.917925371313803, 14.7060133664394, 6.85926442530744},
};
enum { FULL_COUNT = sizeof FULL / sizeof FULL[0], FIGURE_12 = 5 };

static const double PARTIAL[][2] = {
    {0.384967047863, 2.907238750173},
    {1.246438794263, 2.992649843146},
    {1.075426300121, 3.742799755749},
};

/** Printed digits of times with twelve decimals. */
static const double PRINTED_TIME = 1e-12;

/** Rounding of flight times, over their distance to the nearest harmonic, 5e-4 at least. */
static const double ROUNDING = 1e-11;

TEST(unit, the_full_families_of_the_chain_are_those_of_the_table) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    carom_constant_period_families *found = families_below(basis, TABLE_PERIOD, CELLS);
    int full = 0;
    for (int i = 0; i < found->count; i++) {
        const carom_constant_period_family *family = &found->families[i];
        ck_assert_int_eq(family->is_bridge, 0);
        if (family->is_full == 0) {
            continue;
        }
        ck_assert_int_lt(full, FULL_COUNT);
        const double *row = FULL[full++];
        // by rising period, as in the table
        assert_close(family->sigma_1, row[0], 0.0, PRINTED_TIME);
        assert_close(period_of(family), row[1], 0.0, PRINTED_TIME);
        assert_close(family->lambda_sum, row[2], ROUNDING, 0.0);
        assert_close(family->lower_lambda, 0.0, 0.0, 0.0);
        assert_close(family->upper_lambda, family->lambda_sum, 0.0, 0.0);
        assert_ok(carom_constant_period_member(basis, family, 0.0, orbit));
        assert_close(orbit->energy, row[3], ROUNDING, 0.0);
        assert_ok(carom_constant_period_member(basis, family, 0.5 * family->lambda_sum, orbit));
        assert_close(orbit->energy, row[4], ROUNDING, 0.0);
    }
    ck_assert_int_eq(full, FULL_COUNT);
    carom_constant_period_families_free(found);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, partial_families_have_a_central_range) {
    carom_modal_basis *basis = paper_chain(1.0);
    // the list of the specification goes up to the range of figure 9
    carom_constant_period_families *found = families_below(basis, 4.6, CELLS);
    int partial = 0;
    for (int i = 0; i < found->count; i++) {
        const carom_constant_period_family *family = &found->families[i];
        if (family->is_full == 1 || isnan(family->lower_lambda)) {
            continue;
        }
        ck_assert_int_lt(partial, 3);
        assert_close(family->sigma_1, PARTIAL[partial][0], 0.0, PRINTED_TIME);
        assert_close(period_of(family), PARTIAL[partial][1], 0.0, PRINTED_TIME);
        ck_assert_double_gt(family->lower_lambda, 0.0);
        ck_assert_double_gt(family->upper_lambda, family->lower_lambda);
        assert_close(family->lower_lambda + family->upper_lambda, family->lambda_sum, 1e-15, 0.0);
        partial++;
    }
    ck_assert_int_eq(partial, 3);
    carom_constant_period_families_free(found);
    carom_modal_basis_free(basis);
}

TEST(unit, the_bridges_of_the_chain_are_those_of_the_table) {
    static const double full[] = {2.924405445340, 8.442722827176, 8.527261856746};
    static const double partial[] = {3.739969637700, 4.788299681401, 5.221993266906,
                                     5.890745202653, 6.597501047001, 6.720649324535,
                                     7.173100863631, 7.251285997775, 8.167473779665};
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    carom_constant_period_families *found = bridges_below(basis, 8.6);
    int seen_full = 0;
    int seen_partial = 0;
    for (int i = 0; i < found->count; i++) {
        const carom_constant_period_family *bridge = &found->families[i];
        ck_assert_int_eq(bridge->is_bridge, 1);
        assert_close(bridge->sigma_1, bridge->sigma_2, 0.0, 0.0);
        if (isnan(bridge->lower_lambda)) {
            continue;
        }
        if (bridge->is_full) {
            ck_assert_int_lt(seen_full, 3);
            assert_close(period_of(bridge), full[seen_full], 0.0, PRINTED_TIME);
            seen_full++;
        } else {
            ck_assert_int_lt(seen_partial, 9);
            assert_close(period_of(bridge), partial[seen_partial], 0.0, PRINTED_TIME);
            seen_partial++;
        }
    }
    ck_assert_int_eq(seen_full, 3);
    ck_assert_int_eq(seen_partial, 9);
    const carom_constant_period_family *first = &found->families[0];
    assert_close(first->lambda_sum, 1.402984063282, 1e-11, 0.0);
    assert_ok(carom_constant_period_member(basis, first, 0.0, orbit));
    assert_close(orbit->energy, 17.9678804, 0.0, 5e-8);
    assert_ok(carom_constant_period_member(basis, first, 0.5 * first->lambda_sum, orbit));
    assert_close(orbit->energy, 8.4829681, 0.0, 5e-8);
    carom_constant_period_families_free(found);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, the_middle_of_a_bridge_has_one_impact_in_half_the_period) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    carom_orbit *single = NULL;
    assert_ok(carom_orbit_alloc(basis, 1, &single));
    carom_constant_period_families *found = bridges_below(basis, 8.6);
    for (int i = 0; i < found->count; i++) {
        const carom_constant_period_family *bridge = &found->families[i];
        assert_ok(carom_constant_period_member(basis, bridge, 0.5 * bridge->lambda_sum, orbit));
        assert_ok(carom_single_impact_orbit(basis, 0.5 * period_of(bridge), single));
        // roundings of the period over the distance to the nearest harmonic, 1e-3 at least
        assert_close(orbit->lambda[0], single->lambda[0], 1e-10, 0.0);
        assert_close(orbit->energy, single->energy, 1e-10, 0.0);
        // and at the other end one impact in the whole period
        assert_ok(carom_constant_period_member(basis, bridge, 0.0, orbit));
        assert_ok(carom_single_impact_orbit(basis, period_of(bridge), single));
        assert_close(orbit->lambda[1], single->lambda[0], 1e-10, 0.0);
        assert_close(orbit->energy, single->energy, 1e-10, 0.0);
    }
    assert_ok(carom_single_impact_orbit(basis, 1.462202722670, single));
    assert_close(single->lambda[0], 0.701492031641, 1e-11, 0.0);
    carom_constant_period_families_free(found);
    carom_orbit_free(single);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

/** Solve for the family of figure 12 or the bridge of figure 13 from a poor guess. */
static carom_constant_period_family solved(const carom_modal_basis *basis, double t_1, double T) {
    carom_constant_period_family family;
    assert_ok(carom_constant_period_solve(basis, t_1, T - t_1, &family, NULL));
    return family;
}

TEST(unit, a_family_is_found_from_a_guess_in_either_order) {
    carom_modal_basis *basis = paper_chain(1.0);
    const double guesses[2] = {0.28, 3.75 - 0.28};
    for (int i = 0; i < 2; i++) {
        const carom_constant_period_family family = solved(basis, guesses[i], 3.75);
        assert_close(family.sigma_1, FULL[FIGURE_12][0], 0.0, PRINTED_TIME);
        assert_close(period_of(&family), FULL[FIGURE_12][1], 0.0, PRINTED_TIME);
        ck_assert_int_eq(family.is_full, 1);
        ck_assert_int_eq(family.is_bridge, 0);
    }
    const carom_constant_period_family bridge = solved(basis, 1.46, 2.925);
    assert_close(period_of(&bridge), 2.924405445340, 0.0, PRINTED_TIME);
    ck_assert_int_eq(bridge.is_bridge, 1);
    ck_assert_int_eq(bridge.is_full, 1);
    // the same, begun beside the diagonal
    const carom_constant_period_family again = solved(basis, 1.45, 2.925);
    assert_close(period_of(&again), period_of(&bridge), 1e-15, 0.0);
    ck_assert_int_eq(again.is_bridge, 1);
    carom_modal_basis_free(basis);
}

TEST(unit, all_members_meet_at_two_points) {
    // specification 5.4: x_n(t_1/2) and x_n((t_1 + T)/2), for figures 12 and 13
    static const double expected[2][2] = {{0.88248753, -1.24151953}, {-1.35197546, -1.35197546}};
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    double position[5];
    double state[10];
    for (int f = 0; f < 2; f++) {
        const carom_constant_period_family family =
            f == 0 ? solved(basis, 0.29, 3.748) : solved(basis, 1.4622, 2.9244);
        const double T = period_of(&family);
        for (int i = 0; i <= 10; i++) {
            const double lambda_1 = 0.1 * i * family.lambda_sum;
            assert_ok(carom_constant_period_member(basis, &family, lambda_1, orbit));
            // sums of the speeds before impact: sqrt(G) lambda
            assert_close(orbit->lambda[0] + orbit->lambda[1], family.lambda_sum, 1e-15, 0.0);
            ck_assert_double_le(orbit->residual, 1e-12);
            const double times[2] = {0.5 * family.sigma_1, 0.5 * (family.sigma_1 + T)};
            for (int j = 0; j < 2; j++) {
                carom_orbit_motion(basis, orbit, times[j], position, NULL, state);
                assert_close(position[4], expected[f][j], 0.0, 5e-9);
            }
        }
    }
    const carom_constant_period_family family = solved(basis, 0.29, 3.748);
    assert_close(basis->root_inverse_mass * family.lambda_sum, 2.70761984, 0.0, 5e-9);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(property, members_return_with_closed_gaps_and_their_own_lambda) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    carom_constant_period_families *found = families_below(basis, 4.6, CELLS);
    for (int i = 0; i < found->count; i++) {
        const carom_constant_period_family *family = &found->families[i];
        for (int step = 0; step <= 4; step++) {
            double state[10];
            const double lambda_1 = 0.25 * step * family->lambda_sum;
            assert_ok(carom_constant_period_member(basis, family, lambda_1, orbit));
            memcpy(state, orbit->state, sizeof state);
            // amplitudes are up to 1/|sin(w T/2)| times as large as what they add up to
            const double size = 1.0 + sqrt(2.0 * orbit->energy);
            for (int j = 0; j < 2; j++) {
                carom_modal_basis_rotate(basis, orbit->flight_times[j], state);
                assert_close(carom_modal_basis_contact_displacement(basis, state), 1.0, 0.0,
                             1e-12 * size);
                assert_close(carom_modal_basis_reflect(basis, state), orbit->lambda[j], 0.0,
                             1e-12 * size);
            }
            for (int l = 0; l < 10; l++) {
                assert_close(state[l], orbit->state[l], 0.0, 1e-12 * size);
            }
        }
    }
    carom_constant_period_families_free(found);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, both_ends_are_one_motion_that_grazes_twice) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *first = two_impact_orbit(basis);
    carom_orbit *last = two_impact_orbit(basis);
    carom_orbit *single = NULL;
    assert_ok(carom_orbit_alloc(basis, 1, &single));
    const carom_constant_period_family family = solved(basis, 0.29, 3.748);
    const double T = period_of(&family);
    assert_ok(carom_constant_period_member(basis, &family, 0.0, first));
    assert_ok(carom_constant_period_member(basis, &family, family.lambda_sum, last));
    assert_ok(carom_single_impact_orbit(basis, T, single));
    // lambda_1 = 0 strikes at T, lambda_2 = 0 at t_1: shifted by t_1
    for (int i = 0; i < 20; i++) {
        double a[5];
        double b[5];
        double c[5];
        double state[10];
        const double t = 0.05 * (i + 0.3) * T;
        const double shifted = t < T - family.sigma_1 ? t + family.sigma_1 : t + family.sigma_1 - T;
        carom_orbit_motion(basis, first, t, a, NULL, state);
        carom_orbit_motion(basis, last, shifted, b, NULL, state);
        carom_orbit_motion(basis, single, t, c, NULL, state);
        for (int p = 0; p < 5; p++) {
            // the modes near their harmonic have amplitudes of 7
            assert_close(a[p], b[p], 0.0, 1e-12);
            assert_close(a[p], c[p], 0.0, 1e-12);
        }
    }
    // contact at t_1 and T - t_1, without speed
    const double grazes[2] = {family.sigma_1, T - family.sigma_1};
    for (int i = 0; i < 2; i++) {
        double position[5];
        double velocity[5];
        double state[10];
        carom_orbit_motion(basis, single, grazes[i], position, velocity, state);
        assert_close(position[4], 1.0, 0.0, 1e-12);
        assert_close(velocity[4], 0.0, 0.0, 1e-11);
    }
    carom_orbit_free(single);
    carom_orbit_free(last);
    carom_orbit_free(first);
    carom_modal_basis_free(basis);
}

TEST(property, sigma_is_singular_on_a_family_and_only_the_sum_is_determined) {
    // the case alpha = beta of section 7.3.2, with Pi and Sigma from the impact equations
    carom_modal_basis *basis = paper_chain(1.0);
    carom_impact_equations *equations = NULL;
    assert_ok(carom_impact_equations_alloc(basis, 2, &equations));
    carom_orbit *orbit = two_impact_orbit(basis);
    for (int i = 0; i < FULL_COUNT; i++) {
        const carom_constant_period_family family = solved(basis, FULL[i][0], FULL[i][1]);
        const double sigma[2] = {family.sigma_1, family.sigma_2};
        double Pi[4];
        double Sigma[4];
        assert_ok(carom_impact_equations_matrices(equations, sigma, Pi, Sigma));
        // roundings of T over the distance to the nearest harmonic
        assert_close(Pi[1], 0.0, 0.0, 1e-10);
        assert_close(Sigma[1], Sigma[0], 1e-9, 0.0);
        assert_close(Sigma[3], Sigma[0], 1e-12, 0.0);
        assert_close(family.lambda_sum, -1.0 / Sigma[0], 1e-9, 0.0);
        // the motion with equal speeds is a member
        assert_ok(carom_two_impacts_orbit(basis, sigma[0], sigma[1], orbit));
        assert_close(orbit->lambda[0], 0.5 * family.lambda_sum, 1e-12, 0.0);
    }
    carom_orbit_free(orbit);
    carom_impact_equations_free(equations);
    carom_modal_basis_free(basis);
}

/* The search along c = 0, c = (beta - alpha)/(2 sqrt(G)) = sum (rho^2/w) sin(w sigma_1/2)
 * sin(w sigma_2/2) / sin(w T/2). Its derivatives by both flight times are positive, and at fixed
 * s = sigma_2 - sigma_1 it rises from -infinity to infinity between two harmonics: one T for each s
 * below the lower of them; above it c has the sign of sigma_2 > 0. Families are the zeros of a
 * along these lines. */

static double c_at(const carom_modal_basis *basis, double s, double T) {
    double sum = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        sum += pow(basis->participation[l], 2) / w * sin(0.25 * w * (T - s)) *
               sin(0.25 * w * (T + s)) / sin(0.5 * w * T);
    }
    return sum;
}

static double a_at(const carom_modal_basis *basis, double s, double T) {
    double sum = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        sum += pow(basis->participation[l], 2) * sin(0.5 * w * s) / sin(0.5 * w * T);
    }
    return sum;
}

/** The period between two harmonics at which c = 0, by bisection. */
static double level_period(const carom_modal_basis *basis, double s, double lower, double upper) {
    for (int i = 0; i < 52; i++) {
        const double middle = 0.5 * (lower + upper);
        *(c_at(basis, s, middle) < 0.0 ? &lower : &upper) = middle;
    }
    return 0.5 * (lower + upper);
}

static double a_on_level(const carom_modal_basis *basis, double s, double lower, double upper) {
    return a_at(basis, s, level_period(basis, s, lower, upper));
}

/** A point of the plane, t_1 < T/2. */
typedef struct place {
    double t_1;
    double T;
} place;

/** Follow a change of sign of a on a level line; whether it is a zero and not a pole. */
static bool zero_on_level(const carom_modal_basis *basis, double low, double high, double lower,
                          double upper, place *found) {
    const bool is_low_negative = a_on_level(basis, low, lower, upper) < 0.0;
    for (int i = 0; i < 45; i++) {
        const double s = 0.5 * (low + high);
        const bool is_negative = a_on_level(basis, s, lower, upper) < 0.0;
        *(is_negative == is_low_negative ? &low : &high) = s;
    }
    const double s = 0.5 * (low + high);
    found->T = level_period(basis, s, lower, upper);
    found->t_1 = 0.5 * (found->T - s);
    // where the level line touches the harmonic a has a pole
    const double distance = fmin(found->T - lower, upper - found->T);
    return distance > 1e-9 && fabs(a_at(basis, s, found->T)) < 1e-3;
}

/** Compare with the families found, each once. */
static int count_matches(const carom_modal_basis *basis, double max_period, int samples,
                         const carom_constant_period_families *found) {
    int matches = 0;
    double upper = 0.0;
    while (upper < max_period) {
        const double lower = upper;
        upper = carom_harmonic_above(basis, lower).period;
        double last = 0.0;
        double last_s = 0.0;
        for (int i = 1; i <= samples; i++) {
            const double s = lower * i / (samples + 0.5);
            const double a = a_on_level(basis, s, lower, upper);
            place zero;
            if (i > 1 && (a < 0.0) != (last < 0.0) &&
                zero_on_level(basis, last_s, s, lower, upper, &zero) && zero.T < max_period &&
                carom_kernels_evaluate(basis, zero.T, zero.T).gap * basis->gap_at_rest < 0.0) {
                int here = 0;
                for (int f = 0; f < found->count; f++) {
                    // bisections to 1e-14, conditioned by up to 1e5 near harmonics
                    here += fabs(found->families[f].sigma_1 - zero.t_1) < 1e-8 &&
                            fabs(period_of(&found->families[f]) - zero.T) < 1e-8;
                }
                ck_assert_msg(here == 1, "t_1 = %.12g, T = %.12g found %d times", zero.t_1, zero.T,
                              here);
                matches++;
            }
            last = a;
            last_s = s;
        }
    }
    return matches;
}

TEST(property, a_search_along_equal_alpha_and_beta_finds_the_same_families) {
    carom_modal_basis *basis = paper_chain(1.0);
    // both signs of the gap: together all zeros; with 151 cells a segment crosses a pole of beta -
    // alpha beside one of them
    const double gaps[] = {-1.0, 1.0, 1.0};
    const int cells[] = {CELLS, CELLS, 151};
    for (int i = 0; i < 3; i++) {
        basis->gap_at_rest = gaps[i];
        carom_constant_period_families *found = families_below(basis, TABLE_PERIOD, cells[i]);
        ck_assert_int_eq(count_matches(basis, TABLE_PERIOD, 160, found), found->count);
        carom_constant_period_families_free(found);
    }
    carom_modal_basis_free(basis);
}

/** Samples of non-penetration in each flight. */
enum { SAMPLES = 3000 };

/** x_c(t) of a unit lambda_1 and of a unit lambda_2, theorem 3.4. */
static void unit_motions(const carom_modal_basis *basis, const carom_constant_period_family *family,
                         double t, double *x_c) {
    const double T = period_of(family);
    const double arguments[2] = {t < family->sigma_1 ? 2.0 * (t - family->sigma_1) + T
                                                     : 2.0 * (t - family->sigma_1) - T,
                                 2.0 * t - T};
    for (int j = 0; j < 2; j++) {
        x_c[j] = -carom_kernels_evaluate(basis, T, arguments[j]).gap;
    }
}

/**
 * The range of lambda_1 allowed by non-penetration at sampled instants, each a linear inequality;
 * wider than the true one by what the contact could do between two samples.
 */
static void sampled_range(const carom_modal_basis *basis,
                          const carom_constant_period_family *family, double *low, double *high) {
    const double sum = family->lambda_sum;
    *low = 0.0;
    *high = sum;
    for (int i = 0; i < 2 * SAMPLES; i++) {
        const bool is_first = i < SAMPLES;
        const double sigma = is_first ? family->sigma_1 : family->sigma_2;
        const double start = is_first ? 0.0 : family->sigma_1;
        // not right at the impacts, where all members are in contact
        const double part = 1e-3 + (1.0 - 2e-3) * (i % SAMPLES) / (SAMPLES - 1.0);
        double x_c[2];
        unit_motions(basis, family, start + part * sigma, x_c);
        const double slope = x_c[0] - x_c[1];
        const double room = basis->gap_at_rest - sum * x_c[1];
        if (slope > 0.0) {
            *high = fmin(*high, room / slope);
        } else if (slope < 0.0) {
            *low = fmax(*low, room / slope);
        }
    }
}

TEST(property, admissible_ranges_agree_with_sampled_inequalities) {
    carom_modal_basis *basis = paper_chain(1.0);
    int counts[3] = {0, 0, 0};
    for (int kind = 0; kind < 2; kind++) {
        carom_constant_period_families *found = kind == 0
                                                    ? families_below(basis, TABLE_PERIOD, CELLS)
                                                    : bridges_below(basis, TABLE_PERIOD);
        for (int i = 0; i < found->count; i++) {
            const carom_constant_period_family *family = &found->families[i];
            double low;
            double high;
            sampled_range(basis, family, &low, &high);
            // x_c'' (s/3000)^2/8, at most 1e-5, over slopes of 0.1 or more
            const double tolerance = 1e-4 * fmax(1.0, family->lambda_sum);
            if (isnan(family->lower_lambda)) {
                ck_assert_msg(low > high, "T = %.17g: [%g, %g] of %g", period_of(family), low, high,
                              family->lambda_sum);
                counts[0]++;
            } else {
                assert_close(family->lower_lambda, low, 0.0, tolerance);
                assert_close(family->upper_lambda, high, 0.0, tolerance);
                ck_assert_int_eq(family->is_full, low < tolerance ? 1 : 0);
                counts[1 + family->is_full]++;
            }
        }
        carom_constant_period_families_free(found);
    }
    // none, partial (6 families and 8 bridges), full (11 families and 1 bridge)
    ck_assert_int_gt(counts[0], 10);
    ck_assert_int_eq(counts[1], 6 + 8);
    ck_assert_int_eq(counts[2], 11 + 1);
    carom_modal_basis_free(basis);
}

/** Whether T is a pole of the bridge equation: an odd multiple of a mode's period. */
static int poles_between(const carom_modal_basis *basis, double low, double high) {
    int count = 0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double period = 2.0 * M_PI / basis->frequency[l];
        for (int odd = 1; odd * period < high; odd += 2) {
            count += odd * period > low;
        }
    }
    return count;
}

TEST(property, random_structures_have_one_bridge_between_two_poles) {
    gsl_rng *generator = seeded_generator(SEED);
    for (int round = 0; round < 10; round++) {
        const int n = 2 + round % 4;
        double masses[5];
        double stiffnesses[5];
        for (int i = 0; i < n; i++) {
            masses[i] = uniform(generator, 0.3, 1.7);
            stiffnesses[i] = uniform(generator, 0.4, 2.5);
        }
        carom_linear_system *system = NULL;
        assert_ok(carom_serial_chain_alloc(n, masses, stiffnesses, 0.83, &system, NULL));
        carom_modal_basis *basis = basis_of(system);
        const double max_period = 30.0;
        // both signs of the gap give all roots
        double roots[LARGEST_COUNT];
        int count = 0;
        for (int sign = -1; sign <= 1; sign += 2) {
            basis->gap_at_rest = 0.83 * sign;
            carom_constant_period_families *found = bridges_below(basis, max_period);
            for (int i = 0; i < found->count; i++) {
                ck_assert_int_lt(count, LARGEST_COUNT);
                ck_assert_double_ge(found->families[i].lambda_sum, 0.0);
                roots[count++] = period_of(&found->families[i]);
                // c/c' is the distance from the root: roundings of it, with poles close by
                const double c = c_at(basis, 0.0, roots[count - 1]);
                double slope = 0.0;
                for (int l = 0; l < basis->visible_count; l++) {
                    const double cosine = cos(0.25 * basis->frequency[l] * roots[count - 1]);
                    slope += pow(basis->participation[l] / cosine, 2) / 8.0;
                }
                assert_close(c / slope, 0.0, 0.0, 1e-13 * roots[count - 1]);
            }
            carom_constant_period_families_free(found);
        }
        // sort by insertion
        for (int i = 1; i < count; i++) {
            const double root = roots[i];
            int j = i;
            for (; j > 0 && roots[j - 1] > root; j--) {
                roots[j] = roots[j - 1];
            }
            roots[j] = root;
        }
        ck_assert_int_ge(count, 1);
        ck_assert_int_eq(poles_between(basis, 0.0, roots[0]), 1);
        for (int i = 1; i < count; i++) {
            ck_assert_int_eq(poles_between(basis, roots[i - 1], roots[i]), 1);
        }
        const int behind = poles_between(basis, roots[count - 1], max_period);
        ck_assert(behind == 0 || behind == 1);
        carom_modal_basis_free(basis);
    }
    gsl_rng_free(generator);
}

TEST(property, results_are_the_same_bytes_each_time) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_constant_period_families *first = families_below(basis, 3.1, 100);
    carom_constant_period_families *second = families_below(basis, 3.1, 100);
    ck_assert_int_eq(first->count, second->count);
    for (int i = 0; i < first->count; i++) {
        const carom_constant_period_family *a = &first->families[i];
        const carom_constant_period_family *b = &second->families[i];
        ck_assert_mem_eq(&a->sigma_1, &b->sigma_1, sizeof(double));
        ck_assert_mem_eq(&a->sigma_2, &b->sigma_2, sizeof(double));
        ck_assert_mem_eq(&a->lambda_sum, &b->lambda_sum, sizeof(double));
        ck_assert_mem_eq(&a->lower_lambda, &b->lower_lambda, sizeof(double));
    }
    carom_constant_period_families_free(first);
    carom_constant_period_families_free(second);
    carom_modal_basis_free(basis);
}

TEST(errors, a_gap_and_positive_times_are_asked_for) {
    carom_modal_basis *basis = paper_chain(0.0);
    carom_constant_period_family family;
    carom_constant_period_families *found = NULL;
    const carom_flight_time_curves none = {.count = 0, .curves = NULL};
    carom_report report = carom_report_empty();
    assert_status(carom_constant_period_solve(basis, 0.3, 3.4, &family, &report), OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "gap at rest");
    ck_assert(isnan(family.sigma_1) && isnan(family.lambda_sum) && isnan(family.upper_lambda));
    assert_status(carom_constant_period_bridges(basis, 5.0, &found, &report), OUT_OF_RANGE);
    assert_status(carom_constant_period_on_curves(basis, &none, &found, &report), OUT_OF_RANGE);
    ck_assert_ptr_null(found);
    carom_modal_basis_free(basis);
    basis = paper_chain(1.0);
    const double refused[] = {0.0, -0.3, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 4; i++) {
        assert_status(carom_constant_period_solve(basis, refused[i], 3.4, &family, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "flight time");
        ck_assert_int_eq(report.index, 0);
        assert_status(carom_constant_period_solve(basis, 3.4, refused[i], &family, &report),
                      OUT_OF_RANGE);
        ck_assert_int_eq(report.index, 1);
        assert_status(carom_constant_period_bridges(basis, refused[i], &found, &report),
                      OUT_OF_RANGE);
        ck_assert_str_eq(report.quantity, "largest period");
    }
    // too many poles to count
    assert_status(carom_constant_period_bridges(basis, 1e300, &found, &report), OUT_OF_RANGE);
    // nothing to search, nothing below the first pole
    assert_ok(carom_constant_period_on_curves(basis, &none, &found, NULL));
    ck_assert_int_eq(found->count, 0);
    carom_constant_period_families_free(found);
    assert_ok(carom_constant_period_bridges(basis, 0.1, &found, NULL));
    ck_assert_int_eq(found->count, 0);
    carom_constant_period_families_free(found);
    carom_modal_basis_free(basis);
}

TEST(errors, one_mass_has_no_family_to_converge_to) {
    // a = 0 asks for sigma_2 - sigma_1 = p T_1 and c = 0 for a multiple of T_1 as flight time: then
    // T is a harmonic
    const double mass = 0.77;
    const double stiffness = 1.9;
    carom_linear_system *system = NULL;
    assert_ok(carom_serial_chain_alloc(1, &mass, &stiffness, 1.0, &system, NULL));
    carom_modal_basis *basis = basis_of(system);
    carom_constant_period_family family;
    carom_report report = carom_report_empty();
    assert_status(carom_constant_period_solve(basis, 1.3, 3.1, &family, &report), NOT_CONVERGED);
    ck_assert(isnan(family.sigma_1));
    carom_constant_period_families *found = families_below(basis, 20.0, 50);
    ck_assert_int_eq(found->count, 0);
    carom_constant_period_families_free(found);
    // tan(w T/4) = 0 at harmonics only
    found = bridges_below(basis, 20.0);
    ck_assert_int_eq(found->count, 0);
    carom_constant_period_families_free(found);
    carom_modal_basis_free(basis);
}

TEST(errors, a_member_at_a_harmonic_is_singular) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_orbit *orbit = two_impact_orbit(basis);
    const double T_3 = 2.0 * M_PI / basis->frequency[2];
    const carom_constant_period_family family = {
        .sigma_1 = T_3, .sigma_2 = 2.0 * T_3, .lambda_sum = 1.0};
    assert_status(carom_constant_period_member(basis, &family, 0.3, orbit), SINGULAR);
    ck_assert(isnan(orbit->lambda[0]) && isnan(orbit->state[0]) && isnan(orbit->residual));
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

/** One of the three searches; found is freed. */
static carom_status search(int kind, const carom_modal_basis *basis,
                           const carom_flight_time_curves *curves) {
    carom_constant_period_families *found = NULL;
    carom_constant_period_family family;
    if (kind == 0) {
        return carom_constant_period_solve(basis, 0.29, 3.456, &family, NULL);
    }
    const carom_status status = kind == 1
                                    ? carom_constant_period_bridges(basis, 6.0, &found, NULL)
                                    : carom_constant_period_on_curves(basis, curves, &found, NULL);
    carom_constant_period_families_free(found);
    return status;
}

TEST(errors, running_out_of_memory_leaves_nothing_behind) {
    carom_modal_basis *basis = paper_chain(1.0);
    carom_flight_time_curves *curves = NULL;
    assert_ok(carom_two_impacts_curves(basis, 1.8, 40, &curves, NULL));
    for (int kind = 0; kind < 3; kind++) {
        allocations = 0;
        const carom_status first = search(kind, basis, curves);
        const int needed = allocations;
        assert_ok(first);
        ck_assert_int_gt(needed, 2);
        for (int k = 0; k < needed; k++) {
            successes_left = k;
            const carom_status status = search(kind, basis, curves);
            successes_left = -1;
            assert_status(status, OUT_OF_MEMORY);
        }
    }
    carom_constant_period_families_free(NULL);
    carom_flight_time_curves_free(curves);
    carom_modal_basis_free(basis);
}
