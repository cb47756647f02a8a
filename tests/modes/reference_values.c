/*
 * Values for the chain of thorin-2017 (n = 5, masses 1/5, springs 5, gap 1) that an independent
 * prototype computed (specification section 5, [C]; the paper prints none of them), each through
 * the library and, where it is a motion, propagated in physical coordinates (independent.h).
 * Tolerances are half to one unit of the last printed digit unless said otherwise.
 */
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/few_impacts_internal.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit.h>

#include "independent.h"

#include <stdbool.h>

enum { N = 5, MAX_K = 7 };

/* Closure asked of every motion (specification 4.2). */
static const double CLOSURE = 1e-10;

/** The chain, seen by both routes. */
typedef struct chain {
    carom_linear_system *system;
    physical *structure;
    carom_modal_basis *basis;
} chain;

static chain chain_make(void) {
    chain c;
    assert_ok(carom_serial_chain_uniform_alloc(N, 1.0, &c.system, NULL));
    assert_ok(carom_modal_basis_compute(c.system, &c.basis, NULL));
    c.structure = physical_alloc(c.system);
    return c;
}

static void chain_clear(chain *c) {
    physical_free(c->structure);
    carom_modal_basis_free(c->basis);
    carom_linear_system_free(c->system);
}

/** A solution from a guess; to be freed by carom_orbit_free. */
static carom_orbit *solve(const chain *c, int k, const double *sigma, double period, int grazing) {
    carom_orbit_solver *solver;
    carom_orbit *orbit;
    carom_orbit_target target = carom_orbit_target_default(c->basis);
    target.period = period;
    target.grazing_impact = grazing;
    assert_ok(carom_orbit_solver_alloc(c->basis, k, &solver));
    assert_ok(carom_orbit_alloc(c->basis, k, &orbit));
    assert_ok(carom_orbit_solve(solver, sigma, NULL, &target, NULL, orbit, NULL));
    carom_orbit_solver_free(solver);
    assert_physical_orbit(c->structure, c->basis, orbit, 1.0, CLOSURE);
    return orbit;
}

static carom_admissibility certify(const chain *c, const carom_orbit *orbit) {
    carom_contact_motion *motion;
    double state[2 * N];
    for (int i = 0; i < 2 * N; i++) {
        state[i] = (double)NAN;
    }
    assert_ok(carom_contact_motion_alloc(c->basis, &motion));
    const carom_admissibility verdict =
        carom_orbit_certify(c->basis, motion, orbit, state, CAROM_ADMISSIBILITY_TOLERANCE);
    carom_contact_motion_free(motion);
    return verdict;
}

/** Multipliers [2n-2][2] and spectral radius. */
static double multipliers_of(const chain *c, const carom_orbit *orbit, double *multipliers) {
    carom_stability *stability;
    double radius = (double)NAN;
    assert_ok(carom_stability_alloc(c->basis, &stability));
    assert_ok(carom_stability_multipliers(stability, orbit, multipliers, &radius));
    carom_stability_free(stability);
    return radius;
}

TEST(unit, the_chain_has_the_modes_of_section_5_1) {
    const double omega[N] = {1.42314838, 4.15415013, 6.54860734, 8.41253533, 9.59492974};
    const double periods[N] = {4.414989598705, 1.512508000560, 0.959468934612, 0.746883675607,
                               0.654844327156};
    const double squares[N] = {0.35627145, 0.30088377, 0.20769361, 0.10628818, 0.02886299};
    const double third[N] = {1.3097214679, 0.3727855978, -1.2036156238, -0.7153703235, 1.0};
    chain c = chain_make();
    assert_close(c.basis->root_inverse_mass, sqrt(5.0), 1e-15, 0.0);
    for (int l = 0; l < N; l++) {
        const double rho = c.basis->participation[l];
        assert_close(c.basis->frequency[l], omega[l], 0.0, 5.1e-9);
        assert_close(2.0 * M_PI / c.basis->frequency[l], periods[l], 0.0, 6e-13);
        assert_close(rho * rho, squares[l], 0.0, 5.1e-9);
        const double tip = c.basis->shape[(N - 1) * N + 2];
        assert_close(c.basis->shape[l * N + 2] / tip, third[l], 0.0, 6e-11);
    }
    const double limit = c.basis->frequency[2] / c.basis->participation[2];
    assert_close(limit * limit / 10.0, 20.6478469483, 0.0, 6e-11);
    chain_clear(&c);
}

TEST(unit, one_impact_motions_are_those_of_section_5_2) {
    const double rows[4][5] = {
        {3.76, 0.890822488560, 1.991939640306, 5.7931857532, 1.29858591},
        {3.78, 0.722064395265, 1.614585071944, 2.8720556693, 1.39489482},
        {3.80, 0.594777359460, 1.329962607230, 3.0736596698, 3.55182016},
        {3.82, 0.416297918939, 0.930870445638, 5.5527256833, 8.90062689},
    };
    const double at_3_80[N] = {0.7532595668, 0.4096457743, 0.1226250716, 0.5066903476, 1.0};
    const double at_3_76[N] = {1.0078078666, 0.2946803434, 0.3675453221, 1.1469276217, 1.0};
    chain c = chain_make();
    for (int i = 0; i < 4; i++) {
        const double *row = rows[i];
        carom_orbit *orbit = solve(&c, 1, row, row[0], 0);
        carom_orbit *closed_form;
        assert_ok(carom_orbit_alloc(c.basis, 1, &closed_form));
        assert_ok(carom_single_impact_orbit(c.basis, row[0], closed_form));
        assert_physical_orbit(c.structure, c.basis, closed_form, 1.0, CLOSURE);
        assert_close(closed_form->lambda[0], row[1], 0.0, 6e-13);
        assert_close(orbit->lambda[0], closed_form->lambda[0], 1e-11, 0.0);
        assert_close(sqrt(5.0) * orbit->lambda[0], row[2], 0.0, 2e-12);
        assert_close(orbit->energy, row[3], 0.0, 6e-11);
        double x[2 * N];
        carom_modal_basis_expand(c.basis, orbit->state, x, x + N);
        for (int p = 0; p < N; p++) {
            if (i == 0 || i == 2) {
                assert_close(x[p], i == 0 ? at_3_76[p] : at_3_80[p], 0.0, 6e-11);
            }
            assert_close(x[N + p], p == N - 1 ? -row[2] : 0.0, 0.0, 1e-11);
        }
        double multipliers[2 * (2 * N - 2)];
        assert_close(multipliers_of(&c, orbit, multipliers), row[4], 0.0, 6e-9);
        ck_assert(certify(&c, orbit).is_admissible);
        carom_orbit_free(closed_form);
        carom_orbit_free(orbit);
    }
    chain_clear(&c);
}

TEST(unit, two_impact_motions_next_to_three_t_3_are_those_of_section_5_3) {
    const double rows[7][6] = {
        {2.87, 1.904535951832, 0.965464048168, 0.190664173242, 19.9974921794, 1473.08},
        {2.86, 1.887495453412, 0.972504546588, 0.412326260037, 19.7376769406, 342.417},
        {2.84, 1.853691202297, 0.986308797703, 0.859610540408, 20.5417152658, 92.1595},
        {2.82, 1.820214254266, 0.999785745734, 1.343081337790, 22.9874007591, 44.2488},
        {2.80, 1.787101131856, 1.012898868144, 1.902346387234, 27.4273685225, 26.235},
        {2.76, 1.723490178455, 1.036509821545, 3.502774281630, 47.7914295422, 12.0472},
        {2.70, 1.652552509223, 1.047447490777, 11.057087541927, 275.1299833836, 4.78032},
    };
    chain c = chain_make();
    for (int i = 0; i < 7; i++) {
        const double *row = rows[i];
        carom_orbit *orbit = solve(&c, 2, row + 1, row[0], 0);
        for (int j = 0; j < 2; j++) {
            assert_close(orbit->flight_times[j], row[1 + j], 0.0, 2e-12);
            assert_close(orbit->lambda[j], row[3], 2e-12, 2e-12);
        }
        assert_close(orbit->energy, row[4], 1e-12, 6e-11);
        double multipliers[2 * (2 * N - 2)];
        assert_close(multipliers_of(&c, orbit, multipliers), row[5], 1e-5, 0.0);
        ck_assert(certify(&c, orbit).is_admissible);
        // The closed form at the same flight times; a = 0 there without its poles.
        carom_orbit *closed_form;
        assert_ok(carom_orbit_alloc(c.basis, 2, &closed_form));
        const double *sigma = orbit->flight_times;
        assert_ok(carom_two_impacts_orbit(c.basis, sigma[0], sigma[1], closed_form));
        assert_physical_orbit(c.structure, c.basis, closed_form, 1.0, CLOSURE);
        assert_close(closed_form->lambda[0], orbit->lambda[0], 1e-10, 0.0);
        assert_close(carom_two_impacts_regular(c.basis, sigma[0], sigma[1]), 0.0, 0.0, 1e-12);
        carom_orbit_free(closed_form);
        carom_orbit_free(orbit);
    }
    chain_clear(&c);
}

TEST(unit, branches_that_begin_at_harmonics_begin_as_grazing_linear_modes) {
    // Section 5.3: 2-impact branches from q T_i with flights (T_i, (q - 1) T_i); E_i to first
    // order.
    const int mode[8] = {3, 4, 4, 3, 3, 2, 4, 2};
    const int multiple[8] = {3, 4, 5, 4, 5, 4, 6, 3};
    chain c = chain_make();
    for (int i = 0; i < 8; i++) {
        const double omega = c.basis->frequency[mode[i]];
        const double ratio = omega / c.basis->participation[mode[i]];
        const double T_i = 2.0 * M_PI / omega;
        const double period = multiple[i] * T_i - 1e-9;
        const double sigma[2] = {T_i, period - T_i};
        carom_orbit *orbit = solve(&c, 2, sigma, period, 0);
        assert_close(orbit->energy, ratio * ratio / 10.0, 1e-5, 0.0);
        assert_close(orbit->lambda[0], 0.0, 0.0, 1e-6);
        ck_assert_double_gt(orbit->lambda[0], 0.0);
        assert_close(orbit->lambda[1], orbit->lambda[0], 1e-6, 0.0);
        carom_orbit_free(orbit);
    }
    chain_clear(&c);
}

TEST(unit, doublings_on_the_diagonal_are_where_section_5_3_says) {
    // sum rho^2 w / sin(w T') = 0 (specification 2.12), a zero between two digits of T'.
    const double periods[2] = {0.741602118298, 1.498231986911};
    chain c = chain_make();
    for (int i = 0; i < 2; i++) {
        double sum[2] = {0.0, 0.0};
        for (int side = 0; side < 2; side++) {
            for (int l = 0; l < N; l++) {
                const double rho = c.basis->participation[l];
                const double omega = c.basis->frequency[l];
                sum[side] += rho * rho * omega / sin(omega * (periods[i] + (2 * side - 1) * 1e-12));
            }
        }
        ck_assert_msg(sum[0] * sum[1] < 0.0, "%.3g and %.3g", sum[0], sum[1]);
    }
    chain_clear(&c);
}

/** Match one 3-impact end with a graze to the 2-impact motion of the same period. */
static void assert_ends_match(const chain *c, const double *printed, double period) {
    double sigma[3];
    memcpy(sigma, printed, sizeof sigma);
    // The impact whose lambda vanishes, brought to the place before the last.
    carom_orbit *potential = solve(c, 3, sigma, (double)NAN, 0);
    int grazing = 0;
    for (int j = 1; j < 3; j++) {
        grazing = fabs(potential->lambda[j]) < fabs(potential->lambda[grazing]) ? j : grazing;
    }
    double lambda[3];
    memcpy(lambda, potential->lambda, sizeof lambda);
    carom_orbit_free(potential);
    carom_sequence_rotate(3, (grazing + 2) % 3, sigma, lambda);
    carom_orbit *three = solve(c, 3, sigma, (double)NAN, 2);
    assert_close(three->period, period, 0.0, 1e-11);
    for (int j = 0; j < 3; j++) {
        assert_close(three->flight_times[j], sigma[j], 0.0, 1e-10);
    }
    // Without the graze it is a motion with two impacts, whose gap just closes once more.
    const double merged[2] = {three->flight_times[0],
                              three->flight_times[1] + three->flight_times[2]};
    carom_orbit *two = solve(c, 2, merged, period, 0);
    double x[2][2 * N];
    carom_modal_basis_expand(c->basis, three->state, x[0], x[0] + N);
    carom_modal_basis_expand(c->basis, two->state, x[1], x[1] + N);
    assert_close(physical_distance(c->structure, x[0], x[1]), 0.0, 0.0, 1e-9);
    assert_close(two->lambda[0], three->lambda[0], 0.0, 1e-9 * fmax(1.0, two->lambda[0]));
    assert_close(two->lambda[1], three->lambda[2], 0.0, 1e-9 * fmax(1.0, two->lambda[1]));
    assert_close(certify(c, two).largest_gap_violation, 0.0, 0.0, 1e-9);
    carom_orbit_free(two);
    carom_orbit_free(three);
}

TEST(unit, vanishing_impacts_of_three_are_new_contacts_of_two) {
    // Section 5.3, all pairs of P and Z ends.
    const double rows[11][4] = {
        {0.301324855805, 0.169182546005, 3.424095583031, 3.894602984841},
        {0.299647772802, 1.306575580413, 1.306575580413, 2.912798933629},
        {0.629329880879, 0.629329880879, 2.454445943118, 3.713105704876},
        {0.363366904165, 0.363366904165, 3.034205586960, 3.760939395289},
        {0.453824418019, 0.338548375492, 2.483940334181, 3.276313127692},
        {0.142169786348, 0.077788796888, 2.774541916870, 2.994500500106},
        {0.111788627305, 0.212218516003, 3.424613782784, 3.748620926092},
        {0.168316605514, 0.391660527397, 2.730129224848, 3.290106357759},
        {0.118731332379, 0.228557886754, 3.591678911011, 3.938968130144},
        {0.114347467431, 0.063094115907, 1.320049160655, 1.497490743993},
        {0.347656951846, 1.176104865950, 1.466345615408, 2.990107433204},
    };
    chain c = chain_make();
    for (int i = 0; i < 11; i++) {
        assert_ends_match(&c, rows[i], rows[i][3]);
    }
    chain_clear(&c);
}

TEST(unit, the_end_of_a_partial_family_is_a_vanishing_impact_of_three) {
    const double sigma[3] = {0.281605064841, 1.246438794263, 1.464605984041};
    chain c = chain_make();
    carom_orbit *potential = solve(&c, 3, sigma, (double)NAN, 0);
    int grazing = 1;
    for (int j = 2; j <= 3; j++) {
        grazing =
            fabs(potential->lambda[j - 1]) < fabs(potential->lambda[grazing - 1]) ? j : grazing;
    }
    carom_orbit *end = solve(&c, 3, sigma, (double)NAN, grazing);
    assert_close(end->period, 2.992649843146, 0.0, 1e-11);
    for (int j = 0; j < 3; j++) {
        assert_close(end->flight_times[j], sigma[j], 0.0, 1e-10);
    }
    carom_orbit_free(end);
    carom_orbit_free(potential);
    chain_clear(&c);
}

/** Energy of a member of a family, propagated and closed. */
static double member_energy(const chain *c, const carom_constant_period_family *family,
                            double share) {
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(c->basis, 2, &orbit));
    assert_ok(carom_constant_period_member(c->basis, family, share * family->lambda_sum, orbit));
    // Times are polished to rounding; lambda up to 22 multiplies it.
    assert_physical_orbit(c->structure, c->basis, orbit, fmax(1.0, family->lambda_sum), CLOSURE);
    const double energy = orbit->energy;
    carom_orbit_free(orbit);
    return energy;
}

TEST(unit, families_at_constant_period_are_those_of_section_5_4) {
    const double rows[11][5] = {
        {0.164798936335, 1.497449919825, 0.327705516310, 40.3482019, 28.7692096},
        {0.264835631625, 2.623535070284, 21.779072091, 17544.4223, 1731.35782},
        {0.203315823999, 2.994371513977, 0.576822306179, 34.0982486, 19.7370938},
        {0.641226805549, 3.254691243145, 4.234528557214, 51.5362826, 36.4066462},
        {0.403136912797, 3.285100519929, 8.780826991286, 492.2317295, 96.2244624},
        {0.292658294206, 3.748044460919, 1.210884402901, 27.0668995, 4.5844575},
        {0.420096754346, 3.891545039138, 0.933081936264, 4.7821013, 1.3151370},
        {0.308220904133, 3.937830767579, 0.802492991927, 7.1087771, 1.2871071},
        {3.268610185895, 7.198637051673, 1.369392476236, 55.6886727, 55.0156110},
        {2.960000757847, 7.378880570169, 1.174510354944, 2.6135638, 2.2824676},
        {3.228970873938, 7.485408857269, 0.917925371314, 14.7060134, 6.8592644},
    };
    chain c = chain_make();
    for (int i = 0; i < 11; i++) {
        const double *row = rows[i];
        carom_constant_period_family family;
        assert_ok(carom_constant_period_solve(c.basis, row[0], row[1] - row[0], &family, NULL));
        assert_close(family.sigma_1, row[0], 0.0, 2e-12);
        assert_close(family.sigma_1 + family.sigma_2, row[1], 0.0, 2e-12);
        // The second row is printed with nine decimals.
        assert_close(family.lambda_sum, row[2], 0.0, i == 1 ? 6e-10 : 1e-11);
        ck_assert_msg(family.is_full, "row %d", i);
        // Nine digits printed; the energy of the eighth row at half is 1.28710702, printed ..71.
        assert_close(member_energy(&c, &family, 0.0), row[3], 2e-9, 6e-8);
        assert_close(member_energy(&c, &family, 1.0), row[3], 2e-9, 6e-8);
        assert_close(member_energy(&c, &family, 0.5), row[4], 3e-9, 1e-7);
    }
    chain_clear(&c);
}

TEST(unit, partial_families_have_a_central_range_only) {
    const double rows[3][2] = {{0.384967047863, 2.907238750173},
                               {1.246438794263, 2.992649843146},
                               {1.075426300121, 3.742799755749}};
    chain c = chain_make();
    for (int i = 0; i < 3; i++) {
        carom_constant_period_family family;
        assert_ok(carom_constant_period_solve(c.basis, rows[i][0], rows[i][1] - rows[i][0], &family,
                                              NULL));
        assert_close(family.sigma_1, rows[i][0], 0.0, 2e-12);
        assert_close(family.sigma_1 + family.sigma_2, rows[i][1], 0.0, 2e-12);
        ck_assert(!family.is_full);
        ck_assert_double_gt(family.lower_lambda, 1e-3 * family.lambda_sum);
        ck_assert_double_gt(family.upper_lambda, family.lower_lambda);
        assert_close(family.lower_lambda + family.upper_lambda, family.lambda_sum, 1e-8, 0.0);
        (void)member_energy(&c, &family, 0.4);
    }
    chain_clear(&c);
}

TEST(unit, the_default_family_has_fixed_points) {
    // Figure 12: x_n at the two axes is the same for all members.
    chain c = chain_make();
    carom_constant_period_family family;
    assert_ok(carom_constant_period_solve(c.basis, 0.2927, 3.4554, &family, NULL));
    assert_close(sqrt(5.0) * family.lambda_sum, 2.70761984, 0.0, 6e-9);
    carom_orbit *orbit;
    assert_ok(carom_orbit_alloc(c.basis, 2, &orbit));
    for (int member = 0; member <= 4; member++) {
        assert_ok(carom_constant_period_member(c.basis, &family, 0.25 * member * family.lambda_sum,
                                               orbit));
        double x[2 * N];
        carom_modal_basis_expand(c.basis, orbit->state, x, x + N);
        physical_fly(c.structure, 0.5 * family.sigma_1, x);
        assert_close(x[N - 1], 0.88248753, 0.0, 6e-9);
        physical_fly(c.structure, 0.5 * family.sigma_1, x);
        physical_apply(c.structure->reflection, x);
        physical_fly(c.structure, 0.5 * family.sigma_2, x);
        assert_close(x[N - 1], -1.24151953, 0.0, 6e-9);
    }
    carom_orbit_free(orbit);
    chain_clear(&c);
}

TEST(unit, bridges_are_those_of_section_5_4) {
    const double full[3] = {2.924405445340, 8.442722827176, 8.527261856746};
    const double partial[9] = {3.739969637700, 4.788299681401, 5.221993266906,
                               5.890745202653, 6.597501047001, 6.720649324535,
                               7.173100863631, 7.251285997775, 8.167473779665};
    chain c = chain_make();
    carom_constant_period_families *bridges;
    assert_ok(carom_constant_period_bridges(c.basis, 8.6, &bridges, NULL));
    int full_count = 0;
    int partial_count = 0;
    for (int i = 0; i < bridges->count; i++) {
        const carom_constant_period_family *bridge = &bridges->families[i];
        const double period = bridge->sigma_1 + bridge->sigma_2;
        assert_close(bridge->sigma_1, bridge->sigma_2, 1e-15, 0.0);
        if (bridge->is_full) {
            ck_assert_int_lt(full_count, 3);
            assert_close(period, full[full_count++], 0.0, 2e-12);
        } else if (isfinite(bridge->lower_lambda) && period < 8.4) {
            ck_assert_int_lt(partial_count, 9);
            assert_close(period, partial[partial_count++], 0.0, 2e-12);
        }
        if (fabs(period - full[0]) < 1e-9) {
            assert_close(bridge->lambda_sum, 1.402984063282, 0.0, 6e-12);
            assert_close(member_energy(&c, bridge, 0.0), 17.9678804, 0.0, 6e-8);
            assert_close(member_energy(&c, bridge, 0.5), 8.4829681, 0.0, 6e-8);
        }
    }
    ck_assert_int_eq(full_count, 3);
    ck_assert_int_eq(partial_count, 9);
    carom_constant_period_families_free(bridges);
    chain_clear(&c);
}

TEST(unit, seven_impact_continua_have_the_symmetric_members_of_section_5_5) {
    const double rows[4][6] = {
        {0.25734836, 1.50222646, 1.26991272, 0.09241810, 5.98646293, 30.4773},
        {0.9804716045, 1.9059544629, 1.0207346913, 1.8047512456, 10.4433524040, 18.2431005},
        {1.6337220945, 1.1808735229, 1.8456565734, 1.3884604230, 10.4637031331, 16.8578937},
        {3.0948643014, 0.5676012367, 3.0499318960, 0.3913728943, 11.1126763555, 3.77160524},
    };
    chain c = chain_make();
    for (int i = 0; i < 4; i++) {
        const double *row = rows[i];
        // a, b, c, d in the pattern c, b, a, b, c, d, d.
        const double sigma[7] = {row[2], row[1], row[0], row[1], row[2], row[3], row[3]};
        carom_orbit *orbit = solve(&c, 7, sigma, (double)NAN, 0);
        // A is printed with two digits less.
        const double digit = i == 0 ? 1.1e-8 : 1.1e-10;
        assert_close(orbit->period, row[4], 0.0, 2.0 * digit);
        assert_close(orbit->energy, row[5], 0.0, i == 0 ? 1e-4 : 2e-7);
        for (int j = 0; j < 7; j++) {
            // Two branches cross here: an error of the guess is corrected along both, and the
            // singular values that belong to leaving them are small.
            assert_close(orbit->flight_times[j], sigma[j], 0.0, i == 0 ? 2e-6 : 1e-9);
        }
        ck_assert_int_eq(carom_sequence_symmetry(7, orbit->flight_times, orbit->lambda, 1e-8), 6);
        if (i == 2) {
            const double lambda[7] = {0.64583199, 0.38370513, 0.38370513, 0.64583199,
                                      0.0775218,  0.03531479, 0.0775218};
            double axes[2];
            for (int j = 0; j < 7; j++) {
                assert_close(orbit->lambda[j], lambda[j], 0.0, 6e-8);
            }
            carom_sequence_axes(7, orbit->flight_times, 6, axes);
            assert_close(axes[0], 3.8433911435, 0.0, 4e-10);
            assert_close(axes[1], 9.0752427101, 0.0, 4e-10);
        }
        carom_orbit_free(orbit);
    }
    chain_clear(&c);
}

/** One end of a continuum with seven impacts. */
typedef struct seven_impact_end {
    double sigma[7];
    double lambda[7];
    double period;
    double energy;
} seven_impact_end;

TEST(unit, seven_impact_continua_end_where_impacts_five_and_seven_graze) {
    const seven_impact_end ends[2] = {
        {{1.7824741682, 1.1337635289, 1.7502604859, 1.1560088420, 1.7722109038, 1.6940808043,
          1.1744935736},
         {0.5567259033, 0.5200718505, 0.3080968239, 0.4118206629, 0, 0.2467850604, 0.2224750731},
         10.463292306644,
         11.1475184281},
        {{2.9794579285, 0.6242140068, 3.1227086417, 0.4830270525, 3.0544147117, 0.4720819033,
          0.3777283762},
         {1.5249347379, 0.2066775387, 0.3288124727, 1.0776963122, 0, 0.7784043096, 0.5489125724},
         11.113632620673,
         4.8445761324},
    };
    chain c = chain_make();
    for (int i = 0; i < 2; i++) {
        carom_orbit *end = solve(&c, 7, ends[i].sigma, (double)NAN, 5);
        assert_close(end->period, ends[i].period, 0.0, 2e-11);
        assert_close(end->energy, ends[i].energy, 0.0, 1e-9);
        double sigma[7];
        double lambda[7];
        for (int j = 0; j < 7; j++) {
            assert_close(end->flight_times[j], ends[i].sigma[j], 0.0, 1e-10);
            assert_close(end->lambda[j], ends[i].lambda[j], 0.0, 2e-10);
            // The other end: sigma'_n = sigma_{6-n} (index 0 = 7, -1 = 6).
            sigma[j] = end->flight_times[(11 - j) % 7];
        }
        carom_orbit *other = solve(&c, 7, sigma, (double)NAN, 7);
        assert_close(other->period, end->period, 1e-11, 0.0);
        assert_close(other->energy, end->energy, 1e-8, 0.0);
        memcpy(sigma, other->flight_times, sizeof sigma);
        memcpy(lambda, other->lambda, sizeof lambda);
        ck_assert(carom_sequence_equal(7, sigma, lambda, end->flight_times, end->lambda, 1e-8));
        carom_orbit_free(other);
        carom_orbit_free(end);
    }
    chain_clear(&c);
}

/** Angles in (0, pi) of multipliers on the unit circle, ascending; their number. */
static int angles_of(const double *multipliers, double *angles) {
    int count = 0;
    for (int i = 0; i < 2 * N - 2; i++) {
        const double angle = atan2(multipliers[2 * i + 1], multipliers[2 * i]);
        if (angle > 0.0 && count < N) {
            int place = count++;
            for (; place > 0 && angles[place - 1] > angle; place--) {
                angles[place] = angles[place - 1];
            }
            angles[place] = angle;
        }
    }
    return count;
}

/** An orbit of figure 16 with its multipliers. */
typedef struct neutral_orbit {
    int k;
    double period;
    double sigma[3];
    double lambda[3];
    double energy;
    double angles[4];
} neutral_orbit;

TEST(unit, neutral_orbits_have_the_multipliers_of_section_5_6) {
    const neutral_orbit orbits[3] = {
        {1,
         4.30,
         {4.30},
         {0.139779918531},
         0.538629852715,
         {0.52284685, 1.43781066, 2.62527651, 2.95465301}},
        {2,
         3.925,
         {0.330508890769, 3.594491109231},
         {0.419644607301, 0.419644607301},
         1.297798381204,
         {0.20451512, 0.97605864, 1.36110217, 2.14855125}},
        {3,
         3.901,
         {0.210218004117, 0.210218004117, 3.480563991765},
         {0.383998269039, 0.287507622260, 0.287507622260},
         1.932645770496,
         {0.56936432, 0.90576698, 1.3517868, 2.41913769}},
    };
    chain c = chain_make();
    for (int i = 0; i < 3; i++) {
        const neutral_orbit *expected = &orbits[i];
        carom_orbit *orbit = solve(&c, expected->k, expected->sigma, expected->period, 0);
        for (int j = 0; j < expected->k; j++) {
            assert_close(orbit->flight_times[j], expected->sigma[j], 0.0, 2e-12);
            assert_close(orbit->lambda[j], expected->lambda[j], 0.0, 1e-11);
        }
        assert_close(orbit->energy, expected->energy, 0.0, 3e-11);
        double multipliers[2 * (2 * N - 2)];
        double angles[N];
        assert_close(multipliers_of(&c, orbit, multipliers), 1.0, 0.0, 1e-9);
        ck_assert_int_eq(angles_of(multipliers, angles), 4);
        for (int j = 0; j < 4; j++) {
            assert_close(angles[j], expected->angles[j], 0.0, 1e-8);
        }
        carom_orbit_free(orbit);
    }
    chain_clear(&c);
}

TEST(unit, unstable_orbits_have_the_radii_of_sections_5_4_and_5_6) {
    const double rows[2][2] = {{4.0, 1.44206166}, {1.4, 3.06997885}};
    chain c = chain_make();
    carom_orbit *orbit;
    double multipliers[2 * (2 * N - 2)];
    assert_ok(carom_orbit_alloc(c.basis, 1, &orbit));
    for (int i = 0; i < 2; i++) {
        assert_ok(carom_single_impact_orbit(c.basis, rows[i][0], orbit));
        assert_close(multipliers_of(&c, orbit, multipliers), rows[i][1], 0.0, 6e-9);
    }
    // At the bridge: -8.11948877, -1, -1, -0.12316046 and four on the circle.
    assert_ok(carom_single_impact_orbit(c.basis, 1.462202722670, orbit));
    assert_close(orbit->lambda[0], 0.701492031641, 0.0, 1e-11);
    assert_close(multipliers_of(&c, orbit, multipliers), 8.11948877, 0.0, 6e-9);
    assert_close(multipliers[0], -8.11948877, 0.0, 6e-9);
    assert_close(multipliers[2 * (2 * N - 3)], -0.12316046, 0.0, 6e-9);
    int near_minus_one = 0;
    for (int i = 0; i < 2 * N - 2; i++) {
        // A double multiplier: the root of rounding and of the last digit of the period.
        const double distance = hypot(multipliers[2 * i] + 1.0, multipliers[2 * i + 1]);
        near_minus_one += distance < 1e-4 ? 1 : 0;
    }
    ck_assert_int_eq(near_minus_one, 2);
    carom_orbit_free(orbit);
    chain_clear(&c);
}

TEST(unit, windows_of_neutral_stability_are_those_of_section_5_6) {
    // Printed with seven digits: neutral 2e-6 inside, unstable 2e-6 outside where the motion exists
    // there (the first window begins at a root of phi_c, so its lower side is not looked at).
    const double windows[21][2] = {
        {2.1795192, 2.2272337}, {2.3419251, 2.3583624}, {2.3941498, 2.4175727},
        {2.4314072, 2.4797071}, {2.5270268, 2.5668164}, {2.7274835, 2.7282543},
        {2.9987998, 2.9993315}, {3.448852, 3.4547128},  {3.4565556, 3.4697614},
        {3.4769086, 3.4949146}, {3.497283, 3.576859},   {3.5865504, 3.603778},
        {3.6112762, 3.625643},  {3.7710391, 3.7718965}, {3.8991431, 3.9085538},
        {4.0837369, 4.1285798}, {4.1524449, 4.1764025}, {4.178795, 4.2213614},
        {4.2385473, 4.244812},  {4.259451, 4.2636309},  {4.2835043, 4.3283005},
    };
    chain c = chain_make();
    carom_orbit *orbit;
    double multipliers[2 * (2 * N - 2)];
    assert_ok(carom_orbit_alloc(c.basis, 1, &orbit));
    for (int i = 0; i < 21; i++) {
        for (int side = 0; side < 2; side++) {
            const double outwards = side == 0 ? -2e-6 : 2e-6;
            assert_ok(carom_single_impact_orbit(c.basis, windows[i][side] - outwards, orbit));
            double radius = multipliers_of(&c, orbit, multipliers);
            ck_assert_msg(carom_stability_is_neutral(radius), "inside %.9g: %.9g", windows[i][side],
                          radius);
            if (i > 0 || side > 0) {
                assert_ok(carom_single_impact_orbit(c.basis, windows[i][side] + outwards, orbit));
                radius = multipliers_of(&c, orbit, multipliers);
                ck_assert_msg(!carom_stability_is_neutral(radius), "outside %.9g: %.9g",
                              windows[i][side], radius);
            }
        }
    }
    carom_orbit_free(orbit);
    chain_clear(&c);
}

/** Flow velocity (v, -M^-1 K u) of a state. */
static void flow(const physical *p, const double *x, double *f) {
    for (int i = 0; i < p->n; i++) {
        f[i] = x[p->n + i];
        f[p->n + i] = 0.0;
        for (int j = 0; j < p->n; j++) {
            const size_t row = (size_t)p->n + (size_t)i;
            f[p->n + i] += p->rate * gsl_matrix_get(p->generator, row, (size_t)j) * x[j];
        }
    }
}

/** Phi <- Y S~(sigma) Phi and x over the impact: Y = N~ + (f^+ - N~ f^-) h'/(h'f^-), h = (w, 0). */
static void linearize_flight(const physical *p, double sigma, double *x, gsl_matrix *Phi) {
    const size_t size = 2 * (size_t)p->n;
    gsl_matrix *S = gsl_matrix_alloc(size, size);
    gsl_matrix *Y = gsl_matrix_alloc(size, size);
    gsl_matrix *product = gsl_matrix_alloc(size, size);
    double before[2 * N] = {0.0};
    double after[2 * N] = {0.0};
    physical_flight(p, sigma, S);
    physical_apply(S, x);
    flow(p, x, before);
    const double speed = physical_along_normal(p, before);
    physical_apply(p->reflection, x);
    physical_apply(p->reflection, before);
    flow(p, x, after);
    gsl_matrix_memcpy(Y, p->reflection);
    for (size_t i = 0; i < size; i++) {
        for (size_t j = 0; j < size / 2; j++) {
            *gsl_matrix_ptr(Y, i, j) += (after[i] - before[i]) * p->normal[j] / speed;
        }
    }
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, S, Phi, 0.0, product);
    gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, Y, product, 0.0, Phi);
    gsl_matrix_free(S);
    gsl_matrix_free(Y);
    gsl_matrix_free(product);
}

TEST(property, multipliers_are_those_of_the_monodromy_matrix_in_physical_coordinates) {
    // Traces of its powers: sum mu^p over the multipliers, and two ones more.
    const double guesses[4][3] = {{4.30, 0.0, 0.0},
                                  {1.85, 0.985, 0.0},
                                  {0.330508890769, 3.594491109231, 0.0},
                                  {0.210218004117, 0.210218004117, 3.480563991765}};
    const int impacts[4] = {1, 2, 2, 3};
    chain c = chain_make();
    for (int i = 0; i < 4; i++) {
        carom_orbit *orbit = solve(&c, impacts[i], guesses[i], (double)NAN, 0);
        gsl_matrix *Phi = gsl_matrix_alloc(2 * N, 2 * N);
        gsl_matrix *power = gsl_matrix_alloc(2 * N, 2 * N);
        gsl_matrix *next = gsl_matrix_alloc(2 * N, 2 * N);
        double x[2 * N];
        double multipliers[2 * (2 * N - 2)];
        gsl_matrix_set_identity(Phi);
        gsl_matrix_set_identity(power);
        carom_modal_basis_expand(c.basis, orbit->state, x, x + N);
        for (int j = 0; j < impacts[i]; j++) {
            linearize_flight(c.structure, orbit->flight_times[j], x, Phi);
        }
        const double radius = multipliers_of(&c, orbit, multipliers);
        for (int exponent = 1; exponent <= 4; exponent++) {
            gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1.0, Phi, power, 0.0, next);
            gsl_matrix_memcpy(power, next);
            double trace = -2.0;
            double sum = 0.0;
            for (int j = 0; j < 2 * N; j++) {
                trace += gsl_matrix_get(power, (size_t)j, (size_t)j);
            }
            for (int j = 0; j < 2 * N - 2; j++) {
                const double angle = atan2(multipliers[2 * j + 1], multipliers[2 * j]);
                const double modulus = hypot(multipliers[2 * j], multipliers[2 * j + 1]);
                sum += pow(modulus, exponent) * cos(exponent * angle);
            }
            // Entries of Phi reach 100 times its radius.
            assert_close(sum, trace, 1e-9, 1e-8 * pow(radius, exponent));
        }
        gsl_matrix_free(Phi);
        gsl_matrix_free(power);
        gsl_matrix_free(next);
        carom_orbit_free(orbit);
    }
    chain_clear(&c);
}
