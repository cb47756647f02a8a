#include "../failing_malloc.h"
#include "../support.h"

#include <carom/base/random.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/internal.h>
#include <carom/modes/modal_basis.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>
#include <gsl/gsl_math.h>

/** The chain of the paper, n = 5, with a gap. */
static carom_modal_basis *chain(double gap) {
    carom_linear_system *system = NULL;
    carom_modal_basis *basis = NULL;
    assert_ok(carom_serial_chain_uniform_alloc(5, gap, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

/** Solve from a guess; NaN: any period. */
static carom_orbit *solve(const carom_modal_basis *basis, int k, const double *flight_times,
                          double period, int grazing_impact) {
    carom_orbit_solver *solver = NULL;
    carom_orbit *orbit = NULL;
    assert_ok(carom_orbit_solver_alloc(basis, k, &solver));
    assert_ok(carom_orbit_alloc(basis, k, &orbit));
    carom_orbit_target target = carom_orbit_target_default(basis);
    target.period = period;
    target.grazing_impact = grazing_impact;
    const carom_status status =
        carom_orbit_solve(solver, flight_times, NULL, &target, NULL, orbit, NULL);
    carom_orbit_solver_free(solver);
    if (status != CAROM_OK) {
        carom_orbit_free(orbit);
        return NULL;
    }
    return orbit;
}

static carom_orbit_branch *follow(const carom_modal_basis *basis, const carom_orbit *orbit,
                                  const carom_orbit_branch_params *params) {
    carom_orbit_branch *branch = NULL;
    assert_ok(carom_orbit_branch_follow(basis, orbit, params, NULL, NULL, &branch, NULL));
    return branch;
}

/** Period of an end. */
static double end_period(const carom_orbit_branch *branch, int side) {
    return branch->period[side == 0 ? 0 : branch->point_count - 1];
}

/** What every admissible branch must satisfy: admissible throughout, identity, residuals. */
static void check_branch(const carom_orbit_branch *branch) {
    // The identity holds exactly; tangents are good to rounding over the least singular value.
    ck_assert_double_lt(branch->identity_error, 1e-9);
    for (int i = 0; i < branch->point_count; i++) {
        ck_assert_msg(branch->admissible[i] == 1, "point %d at T = %.15g", i, branch->period[i]);
        double period = 0.0;
        for (int j = 0; j < branch->impact_count; j++) {
            period += branch->flight_times[i * branch->impact_count + j];
        }
        assert_close(branch->period[i], period, 1e-14, 0.0);
    }
}

/** One end of the branch is this one, the other that one, in either order. */
static void check_ends(const carom_orbit_branch *branch, carom_branch_end end_a, double period_a,
                       carom_branch_end end_b, double period_b) {
    const int first =
        branch->ends[0] == end_a && fabs(end_period(branch, 0) - period_a) < 1e-6 ? 0 : 1;
    ck_assert_str_eq(carom_branch_end_name(branch->ends[first]), carom_branch_end_name(end_a));
    ck_assert_str_eq(carom_branch_end_name(branch->ends[1 - first]), carom_branch_end_name(end_b));
    // Twelve decimals are given; branch ends are asked for to 1e-8, infinite speeds to 1e-7.
    assert_close(end_period(branch, first), period_a, 0.0, 2e-11);
    assert_close(end_period(branch, 1 - first), period_b, 0.0, 2e-11);
}

TEST(unit, one_impact_branch_ends_at_a_grazing_and_at_a_linear_mode) {
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){3.8}, (double)NAN, 0);
    carom_orbit_branch *branch = follow(basis, orbit, NULL);
    check_branch(branch);
    // Specification 5.2 [C]: grazing at T = 3.748044460919, grazing linear mode 3 at 4 T_3.
    check_ends(branch, CAROM_BRANCH_END_NEW_CONTACT, 3.748044460919, CAROM_BRANCH_END_HARMONIC,
               4.0 * 2.0 * M_PI / basis->frequency[2]);
    assert_close(branch->energy[0], 27.0668995247, 1e-10, 0.0);
    assert_close(branch->energy[branch->point_count - 1], 20.6478469483, 1e-11, 0.0);
    assert_close(branch->lambda[0], 1.210884402902, 1e-11, 0.0);
    assert_close(fmin(branch->end_time[0], branch->period[0] - branch->end_time[0]) /
                     branch->period[0],
                 0.0780829, 0.0, 5e-8);
    ck_assert(isnan(branch->end_time[1]));
    // The energy is that of the closed form at every point in between.
    carom_orbit *closed_form = NULL;
    assert_ok(carom_orbit_alloc(basis, 1, &closed_form));
    for (int i = 0; i + 1 < branch->point_count; i++) {
        assert_ok(carom_single_impact_orbit(basis, branch->period[i], closed_form));
        // Near the harmonic the closed form loses digits: 1e-16 T over the distance.
        const double loss = 1e-14 / (branch->period[branch->point_count - 1] - branch->period[i]);
        assert_close(branch->energy[i], closed_form->energy, 1e-11 + loss, 0.0);
    }
    carom_orbit_free(closed_form);
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, points_of_a_branch_are_motions_but_for_harmonics_and_infinite_speeds) {
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){3.8}, (double)NAN, 0);
    // 1.9 s lies in an interval that begins at infinite speed.
    carom_orbit *fast = solve(basis, 1, (double[]){1.9}, (double)NAN, 0);
    carom_orbit_branch *branch = follow(basis, orbit, NULL);
    carom_orbit_branch *rising = follow(basis, fast, NULL);
    const int harmonic = branch->point_count - 1;
    for (int i = 0; i < harmonic; i++) {
        assert_ok(carom_orbit_branch_motion(basis, branch, i, orbit));
        assert_close(orbit->period, branch->period[i], 1e-14, 0.0);
        const double loss = 1e-14 / (branch->period[harmonic] - branch->period[i]);
        assert_close(orbit->energy, branch->energy[i], 1e-11 + loss, 0.0);
    }
    assert_status(carom_orbit_branch_motion(basis, branch, harmonic, orbit), SINGULAR);
    assert_status(carom_orbit_branch_motion(basis, branch, -1, orbit), OUT_OF_RANGE);
    assert_status(carom_orbit_branch_motion(basis, branch, harmonic + 1, orbit), OUT_OF_RANGE);
    ck_assert_int_eq(rising->ends[0], CAROM_BRANCH_END_INFINITE_SPEED);
    assert_status(carom_orbit_branch_motion(basis, rising, 0, orbit), SINGULAR);
    assert_ok(carom_orbit_branch_motion(basis, rising, 1, orbit));
    carom_orbit_branch_free(rising);
    carom_orbit_branch_free(branch);
    carom_orbit_free(fast);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, two_impact_branches_from_harmonics_reach_infinite_speed) {
    carom_modal_basis *basis = chain(1.0);
    // Specification 5.3 [C]: mode, T = multiple x T_mode, flight times (T - T_mode, T_mode).
    static const struct {
        int mode;
        int multiple;
        double infinite_speed;
    } branches[] = {{2, 3, 2.659760388835},
                    {3, 3, 2.213143538054},
                    {4, 4, 2.598723472918},
                    {4, 5, 3.094763235114}};
    for (size_t i = 0; i < sizeof branches / sizeof branches[0]; i++) {
        const double own = 2.0 * M_PI / basis->frequency[branches[i].mode];
        const double harmonic = branches[i].multiple * own;
        const double guess[2] = {harmonic - own, own};
        carom_orbit *orbit = solve(basis, 2, guess, harmonic - 2e-3, 0);
        carom_orbit_branch *branch = follow(basis, orbit, NULL);
        check_branch(branch);
        check_ends(branch, CAROM_BRANCH_END_HARMONIC, harmonic, CAROM_BRANCH_END_INFINITE_SPEED,
                   branches[i].infinite_speed);
        const int infinite =
            branch->ends[0] == CAROM_BRANCH_END_INFINITE_SPEED ? 0 : branch->point_count - 1;
        ck_assert_int_eq(branch->gap_sign[infinite], 0);
        ck_assert(isnan(branch->energy[infinite]) && isnan(branch->action[infinite]));
        ck_assert(isnan(branch->lambda[2 * infinite]) && isnan(branch->lambda[2 * infinite + 1]));
        // The limit of the directions before it: two impacts of equal speed.
        assert_close(branch->direction[2 * infinite], M_SQRT1_2, 1e-6, 0.0);
        assert_close(branch->direction[2 * infinite + 1], M_SQRT1_2, 1e-6, 0.0);
        carom_orbit_branch_free(branch);
        carom_orbit_free(orbit);
    }
    carom_modal_basis_free(basis);
}

/** Specification 5.3 [C]: three flight times of which one ends in a graze, and the branch with two
 * impacts that grazing belongs to. */
static const struct {
    double flight_times[3];
    double period;          /**< of the new contact */
    carom_branch_end other; /**< the other end */
    double other_period;    /**< its period; NaN: a harmonic, see below */
    int mode;
    int multiple;
    double extreme;          /**< largest (or smallest) period on the branch; NaN */
    double extreme_accuracy; /**< of the printed digits */
} GRAZINGS[] = {
    {{0.301324855805, 0.169182546005, 3.424095583031},
     3.894602984841,
     CAROM_BRANCH_END_NEW_CONTACT,
     3.938968130144,
     0,
     0,
     3.947703,
     5e-7},
    {{0.299647772802, 1.306575580413, 1.306575580413},
     2.912798933629,
     CAROM_BRANCH_END_INFINITE_SPEED,
     2.726111969027,
     0,
     0,
     (double)NAN,
     0.0},
    {{0.629329880879, 0.629329880879, 2.454445943118},
     3.713105704876,
     CAROM_BRANCH_END_HARMONIC,
     (double)NAN,
     2,
     4,
     (double)NAN,
     0.0},
    {{0.363366904165, 0.363366904165, 3.034205586960},
     3.760939395289,
     CAROM_BRANCH_END_HARMONIC,
     (double)NAN,
     4,
     6,
     (double)NAN,
     0.0},
    {{0.453824418019, 0.338548375492, 2.483940334181},
     3.276313127692,
     CAROM_BRANCH_END_HARMONIC,
     (double)NAN,
     3,
     5,
     (double)NAN,
     0.0},
    {{0.142169786348, 0.077788796888, 2.774541916870},
     2.994500500106,
     CAROM_BRANCH_END_HARMONIC,
     (double)NAN,
     3,
     4,
     2.995137,
     5e-7},
    {{0.111788627305, 0.212218516003, 3.424613782784},
     3.748620926092,
     CAROM_BRANCH_END_NEW_CONTACT,
     3.290106357759,
     0,
     0,
     3.751443,
     5e-7},
    {{0.168316605514, 0.391660527397, 2.730129224848},
     3.290106357759,
     CAROM_BRANCH_END_NEW_CONTACT,
     3.748620926092,
     0,
     0,
     3.751443,
     5e-7},
    {{0.118731332379, 0.228557886754, 3.591678911011},
     3.938968130144,
     CAROM_BRANCH_END_NEW_CONTACT,
     3.894602984841,
     0,
     0,
     3.947703,
     5e-7},
    {{0.114347467431, 0.063094115907, 1.320049160655},
     1.497490743993,
     CAROM_BRANCH_END_NEW_CONTACT,
     1.497490743993,
     0,
     0,
     1.483204236596,
     5e-6},
    {{0.347656951846, 1.176104865950, 1.466345615408},
     2.990107433204,
     CAROM_BRANCH_END_NEW_CONTACT,
     2.990107433204,
     0,
     0,
     2.996463973823,
     5e-6},
};

/** The impact of a three-impact solution that grazes: the one for which the equations with lambda_j
 * = 0 have a solution at the given flight times. The solution without it is returned. */
static carom_orbit *drop_graze(const carom_modal_basis *basis, const double *flight_times,
                               double period) {
    for (int j = 1; j <= 3; j++) {
        carom_orbit *graze = solve(basis, 3, flight_times, (double)NAN, j);
        if (graze != NULL && fabs(graze->period - period) < 1e-9) {
            // Start after impact j + 1, so that the graze stands first.
            const double merged[2] = {graze->flight_times[j - 1] + graze->flight_times[j % 3],
                                      graze->flight_times[(j + 1) % 3]};
            carom_orbit_free(graze);
            return solve(basis, 2, merged, (double)NAN, 0);
        }
        carom_orbit_free(graze);
    }
    return NULL;
}

LOOP_TEST(unit, two_impact_branches_end_where_three_impact_branches_lose_an_impact,
          (int)(sizeof GRAZINGS / sizeof GRAZINGS[0])) {
    carom_modal_basis *basis = chain(1.0);
    const double own_harmonic = 2.0 * M_PI / basis->frequency[GRAZINGS[_i].mode];
    const double other_period = isnan(GRAZINGS[_i].other_period)
                                    ? GRAZINGS[_i].multiple * own_harmonic
                                    : GRAZINGS[_i].other_period;
    carom_orbit *orbit = drop_graze(basis, GRAZINGS[_i].flight_times, GRAZINGS[_i].period);
    ck_assert_ptr_nonnull(orbit);
    assert_close(orbit->period, GRAZINGS[_i].period, 0.0, 2e-11);
    carom_orbit_branch *branch = follow(basis, orbit, NULL);
    check_branch(branch);
    check_ends(branch, CAROM_BRANCH_END_NEW_CONTACT, GRAZINGS[_i].period, GRAZINGS[_i].other,
               other_period);
    if (!isnan(GRAZINGS[_i].extreme)) {
        double largest = 0.0;
        double smallest = HUGE_VAL;
        for (int i = 0; i < branch->point_count; i++) {
            largest = fmax(largest, branch->period[i]);
            smallest = fmin(smallest, branch->period[i]);
        }
        // Extremes lie between points: the period is flat there, steps are 0.05 at most.
        const double found = GRAZINGS[_i].extreme > GRAZINGS[_i].period ? largest : smallest;
        assert_close(found, GRAZINGS[_i].extreme, 0.0, 2e-4);
    }
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, families_at_constant_period_end_where_either_impact_vanishes) {
    carom_modal_basis *basis = chain(1.0);
    // Specification 5.4 [C], the family at the end of the branch next to 4 T_3.
    const double flight_times[2] = {0.292658294206, 3.748044460919 - 0.292658294206};
    carom_orbit *orbit = solve(basis, 2, flight_times, (double)NAN, 0);
    carom_orbit_branch *branch = follow(basis, orbit, NULL);
    check_branch(branch);
    check_ends(branch, CAROM_BRANCH_END_VANISHING_IMPACT, 3.748044460919,
               CAROM_BRANCH_END_VANISHING_IMPACT, 3.748044460919);
    ck_assert_int_eq(branch->end_impact[0] + branch->end_impact[1], 3);
    for (int i = 0; i < branch->point_count; i++) {
        assert_close(branch->lambda[2 * i] + branch->lambda[2 * i + 1], 1.210884402901, 2e-12, 0.0);
        assert_close(branch->period[i], 3.748044460919, 0.0, 1e-12);
    }
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, seven_impact_branch_joins_a_motion_to_its_reversal) {
    carom_modal_basis *basis = chain(1.0);
    // Specification 5.5 [C], continuum C: from its symmetric point, where another branch crosses.
    const double a = 1.6337220945;
    const double b = 1.1808735229;
    const double c = 1.8456565734;
    const double d = 1.3884604230;
    carom_orbit *orbit = solve(basis, 7, (double[]){c, b, a, b, c, d, d}, (double)NAN, 0);
    carom_orbit_branch *branch = follow(basis, orbit, NULL);
    check_branch(branch);
    check_ends(branch, CAROM_BRANCH_END_VANISHING_IMPACT, 10.463292306644,
               CAROM_BRANCH_END_VANISHING_IMPACT, 10.463292306644);
    const int last = branch->point_count - 1;
    const int fifth = branch->end_impact[0] == 5 ? 0 : last;
    const int seventh = last - fifth;
    ck_assert_int_eq(branch->end_impact[fifth == 0 ? 0 : 1], 5);
    ck_assert_int_eq(branch->end_impact[fifth == 0 ? 1 : 0], 7);
    static const double sigma[7] = {1.7824741682, 1.1337635289, 1.7502604859, 1.1560088420,
                                    1.7722109038, 1.6940808043, 1.1744935736};
    static const double lambda[7] = {0.5567259033, 0.5200718505, 0.3080968239, 0.4118206629,
                                     0.0,          0.2467850604, 0.2224750731};
    for (int j = 0; j < 7; j++) {
        assert_close(branch->flight_times[7 * fifth + j], sigma[j], 0.0, 2e-10);
        assert_close(branch->lambda[7 * fifth + j], lambda[j], 0.0, 2e-10);
        // sigma'_n = sigma_{6-n}
        assert_close(branch->flight_times[7 * seventh + j],
                     branch->flight_times[7 * fifth + (11 - j) % 7], 0.0, 1e-9);
    }
    assert_close(branch->energy[fifth], 11.1475184281, 1e-10, 0.0);
    int crossings = 0;
    for (int i = 0; i <= last; i++) {
        crossings += branch->branch_point[i];
    }
    ck_assert_int_ge(crossings, 1);
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, potential_branches_pass_infinite_speed_to_the_other_sign_of_the_gap) {
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){1.4}, (double)NAN, 0);
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.follow_potential = true;
    params.with_stability = false;
    params.max_points = 800;
    params.max_period = 4.0;
    carom_orbit_branch *branch = follow(basis, orbit, &params);
    int changes = 0;
    for (int i = 1; i < branch->point_count; i++) {
        changes += branch->gap_sign[i] != branch->gap_sign[i - 1];
        // Between two harmonics there is one root: lambda and the gap have opposite signs below it.
        const carom_kernels kernels =
            carom_kernels_evaluate(basis, branch->period[i], branch->period[i]);
        const double gap = branch->gap_sign[i];
        if (fabs(branch->lambda[i]) > 1e-6 && branch->gap_sign[i] != 0) {
            assert_close(branch->lambda[i] * kernels.gap, -gap, 1e-6, 0.0);
        }
    }
    ck_assert_int_ge(changes, 5);
    ck_assert_double_lt(branch->identity_error, 1e-9);
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

/** Count the calls and keep the last number of points. */
static void count_points(int points, void *context) {
    int *seen = context;
    seen[0]++;
    seen[1] = points;
}

TEST(unit, curves_that_return_are_closed_and_curves_that_wind_are_not) {
    // A chain whose motions with two impacts form a closed curve of potential solutions, seen by
    // following many; the motion with one impact winds around the circle of (lambda, g) once in
    // every interval between harmonics and passes close to itself, but its period only grows.
    double masses[3];
    double stiffnesses[3];
    for (int i = 0; i < 3; i++) {
        masses[i] = 0.2 + carom_counter_uniform(1, 1, (unsigned long)i);
        stiffnesses[i] = 1.0 + 5.0 * carom_counter_uniform(2, 1, (unsigned long)i);
    }
    carom_linear_system *system = NULL;
    carom_modal_basis *basis = NULL;
    assert_ok(carom_serial_chain_alloc(3, masses, stiffnesses, 1.3, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    carom_orbit_search_params search =
        carom_orbit_search_params_default(2, 3.0 * M_PI / basis->frequency[0]);
    search.start_count = 60;
    search.seed = 7;
    search.keep_repeats = true;
    carom_orbit_list *list = NULL;
    assert_ok(carom_orbit_search(basis, &search, NULL, NULL, &list, NULL));
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.follow_potential = true;
    params.with_stability = false;
    params.max_points = 2000;
    int closed = 0;
    for (int i = 0; i < list->count && i < 6; i++) {
        carom_orbit_branch *branch = follow(basis, list->found[i].orbit, &params);
        const int k = branch->impact_count;
        const int last = branch->point_count - 1;
        for (int side = 0; side < 2 && k == 1; side++) {
            ck_assert_str_ne(carom_branch_end_name(branch->ends[side]), "closed");
        }
        if (branch->ends[1] == CAROM_BRANCH_END_CLOSED) {
            closed++;
            ck_assert_int_eq(branch->ends[0], CAROM_BRANCH_END_CLOSED);
            ck_assert_int_eq(branch->start, 0);
            // The last step, of 0.05 mean flights at most, leads through the first point.
            for (int j = 0; j < k; j++) {
                assert_close(branch->flight_times[last * k + j], branch->flight_times[j], 0.0,
                             0.1 * branch->period[0]);
            }
        }
        carom_orbit_branch_free(branch);
    }
    ck_assert_int_ge(closed, 1);
    carom_orbit_list_free(list);
    carom_modal_basis_free(basis);
}

TEST(unit, points_are_no_farther_apart_than_the_largest_step) {
    // Steps grow to the largest one and no further: half of it takes nearly twice as many points.
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){3.8}, (double)NAN, 0);
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    int points[2];
    for (int i = 0; i < 2; i++) {
        params.max_step = i == 0 ? 0.01 : 0.005;
        params.step = params.max_step;
        carom_orbit_branch *branch = follow(basis, orbit, &params);
        points[i] = branch->point_count;
        carom_orbit_branch_free(branch);
    }
    ck_assert_int_gt(points[1], (int)(1.6 * points[0]));
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, bounds_of_the_computation_end_a_branch) {
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){3.8}, (double)NAN, 0);
    carom_orbit *copy = NULL;
    assert_ok(carom_orbit_alloc(basis, 1, &copy));
    carom_orbit_copy(orbit, copy);
    assert_close(copy->energy, orbit->energy, 0.0, 0.0);
    assert_close(copy->state[9], orbit->state[9], 0.0, 0.0);
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.max_period = 3.81;
    int seen[2] = {0, 0};
    carom_orbit_branch *branch = NULL;
    assert_ok(carom_orbit_branch_follow(basis, copy, &params, count_points, seen, &branch, NULL));
    ck_assert_str_eq(carom_branch_end_name(branch->ends[1]), "limit");
    assert_close(end_period(branch, 1), 3.81, 0.0, 1e-12);
    ck_assert_str_eq(carom_branch_end_name(branch->ends[0]), "new_contact");
    ck_assert_int_ge(seen[0], 4);
    ck_assert_int_ge(seen[1], 2);
    carom_orbit_branch_free(branch);
    params = carom_orbit_branch_params_default();
    params.max_points = 3;
    branch = follow(basis, copy, &params);
    ck_assert_int_eq(branch->point_count, 5);
    ck_assert_str_eq(carom_branch_end_name(branch->ends[0]), "limit");
    ck_assert_str_eq(carom_branch_end_name(branch->ends[1]), "limit");
    carom_orbit_branch_free(branch);
    carom_orbit_free(copy);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(unit, no_step_passes_over_the_turn_of_a_curve_next_to_a_harmonic) {
    // Narrow windows between harmonics, which longer steps pass over on the way up and down; the
    // ends expected are those of the admissible intervals, found by roots and bisection.
    static const struct {
        int n;
        double masses[10];
        double stiffnesses[10];
        double gap;
        double start;
        bool is_upper; /**< which end lies next to the window */
    } cases[] = {
        {2, {2.17, 0.84}, {8.0, 1.1}, 1.0, 4.61486, true},
        {10, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, -1.0, 0.59, true},
        {10, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {7, 7, 7, 7, 7, 7, 7, 7, 7, 7}, -1.0, 1.23, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        carom_linear_system *system = NULL;
        carom_modal_basis *basis = NULL;
        assert_ok(carom_serial_chain_alloc(cases[i].n, cases[i].masses, cases[i].stiffnesses,
                                           cases[i].gap, &system, NULL));
        assert_ok(carom_modal_basis_compute(system, &basis, NULL));
        carom_linear_system_free(system);
        carom_period_intervals *list = NULL;
        assert_ok(carom_single_impact_intervals(basis, 7.0, 32, NULL, NULL, &list, NULL));
        const carom_period_interval *own = NULL;
        for (int j = 0; j < list->count; j++) {
            if (list->intervals[j].lower < cases[i].start &&
                list->intervals[j].upper > cases[i].start) {
                own = &list->intervals[j];
            }
        }
        ck_assert_ptr_nonnull(own);
        const double guess = cases[i].start;
        carom_orbit *orbit = solve(basis, 1, &guess, guess, 0);
        carom_orbit_branch *branch = follow(basis, orbit, NULL);
        const double first = end_period(branch, 0);
        const double last = end_period(branch, 1);
        const double found = cases[i].is_upper ? fmax(first, last) : fmin(first, last);
        assert_close(found, cases[i].is_upper ? own->upper : own->lower, 1e-9, 0.0);
        carom_orbit_branch_free(branch);
        carom_orbit_free(orbit);
        carom_period_intervals_free(list);
        carom_modal_basis_free(basis);
    }
}

TEST(unit, prestressed_branch_begins_at_period_zero) {
    carom_modal_basis *basis = chain(-1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){0.4}, (double)NAN, 0);
    carom_orbit_branch *branch = follow(basis, orbit, NULL);
    check_branch(branch);
    const int short_end = branch->ends[0] == CAROM_BRANCH_END_SHORT_PERIOD ? 0 : 1;
    ck_assert_str_eq(carom_branch_end_name(branch->ends[short_end]), "short_period");
    ck_assert_str_eq(carom_branch_end_name(branch->ends[1 - short_end]), "infinite_speed");
    assert_close(end_period(branch, 1 - short_end), 0.653492721951, 0.0, 2e-12);
    // At rest against the obstacle: the static energy g_0^2/(2 w'K^-1 w) = d^2/(2 sum 1/k_i) = 1/2.
    assert_close(branch->energy[short_end == 0 ? 0 : branch->point_count - 1], 0.5, 1e-5, 0.0);
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(property, branches_scale_with_the_gap) {
    carom_modal_basis *unit = chain(1.0);
    // A power of two: the scaled equations are the same to the last bit, and so are the steps.
    carom_modal_basis *scaled = chain(0.03125);
    const double guess[2] = {1.78, 1.01};
    carom_orbit *first = solve(unit, 2, guess, 2.8, 0);
    carom_orbit *second = solve(scaled, 2, guess, 2.8, 0);
    carom_orbit_branch *a = follow(unit, first, NULL);
    carom_orbit_branch *b = follow(scaled, second, NULL);
    ck_assert_int_eq(a->point_count, b->point_count);
    for (int i = 0; i < a->point_count; i++) {
        assert_close(b->period[i], a->period[i], 1e-10, 0.0);
        if (a->gap_sign[i] != 0 && fabs(a->lambda[2 * i]) > 1e-3) {
            assert_close(b->energy[i] / (0.03125 * 0.03125), a->energy[i], 1e-7, 0.0);
        }
    }
    carom_orbit_branch_free(a);
    carom_orbit_branch_free(b);
    carom_orbit_free(first);
    carom_orbit_free(second);
    carom_modal_basis_free(unit);
    carom_modal_basis_free(scaled);
}

/** A chain of random masses and springs. */
static carom_modal_basis *random_chain(gsl_rng *generator, int n, double gap) {
    double masses[8];
    double stiffnesses[8];
    for (int i = 0; i < n; i++) {
        masses[i] = uniform(generator, 0.2, 1.2);
        stiffnesses[i] = uniform(generator, 1.0, 6.0);
    }
    carom_linear_system *system = NULL;
    carom_modal_basis *basis = NULL;
    assert_ok(carom_serial_chain_alloc(n, masses, stiffnesses, gap, &system, NULL));
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

TEST(property, branches_of_random_chains_end_as_they_may) {
    gsl_rng *generator = seeded_generator(41);
    int branches = 0;
    for (int trial = 0; trial < 16; trial++) {
        const double gap = trial % 3 == 2 ? -0.7 : 1.3;
        carom_modal_basis *basis = random_chain(generator, 2 + trial % 5, gap);
        const int k = 1 + trial % 4;
        carom_orbit_search_params search =
            carom_orbit_search_params_default(k, 3.0 * M_PI / basis->frequency[0]);
        search.start_count = 60;
        search.workers.threads = 1;
        search.keep_repeats = true;
        carom_orbit_list *list = NULL;
        assert_ok(carom_orbit_search(basis, &search, NULL, NULL, &list, NULL));
        carom_orbit_branch_params params = carom_orbit_branch_params_default();
        params.with_stability = false;
        for (int i = 0; i < list->count && i < 3; i++) {
            carom_orbit_branch *branch = follow(basis, list->found[i].orbit, &params);
            check_branch(branch);
            for (int side = 0; side < 2; side++) {
                // All but the bounds of the computation, which are far, and failure.
                ck_assert_msg(branch->ends[side] < CAROM_BRANCH_END_LIMIT, "seed 41, trial %d: %s",
                              trial, carom_branch_end_name(branch->ends[side]));
                ck_assert(branch->ends[side] != CAROM_BRANCH_END_SHORT_PERIOD || gap < 0.0);
            }
            branches++;
            carom_orbit_branch_free(branch);
        }
        carom_orbit_list_free(list);
        carom_modal_basis_free(basis);
    }
    ck_assert_int_ge(branches, 30);
    gsl_rng_free(generator);
}

TEST(property, one_impact_branches_are_the_admissible_intervals) {
    // Two independent ways to the same ends: continuation against roots and certified bisection.
    gsl_rng *generator = seeded_generator(43);
    int branches = 0;
    for (int trial = 0; trial < 12; trial++) {
        const double gap = trial % 2 == 0 ? 1.0 : -1.0;
        carom_modal_basis *basis = random_chain(generator, 2 + trial % 3, gap);
        carom_period_intervals *list = NULL;
        const double longest = 2.0 * M_PI / basis->frequency[0];
        assert_ok(
            carom_single_impact_intervals(basis, 1.01 * longest, 32, NULL, NULL, &list, NULL));
        carom_orbit *orbit = NULL;
        assert_ok(carom_orbit_alloc(basis, 1, &orbit));
        carom_orbit_branch_params params = carom_orbit_branch_params_default();
        params.with_stability = false;
        for (int i = 0; i < list->count; i++) {
            const carom_period_interval *interval = &list->intervals[i];
            // Turns of hardly driven modes are narrower than what a period in doubles resolves.
            if (interval->upper_end == CAROM_BRANCH_END_LIMIT ||
                interval->upper - interval->lower < 1e-6 * interval->upper) {
                continue;
            }
            assert_ok(
                carom_single_impact_orbit(basis, 0.5 * (interval->lower + interval->upper), orbit));
            carom_orbit_branch *branch = follow(basis, orbit, &params);
            const int last = branch->point_count - 1;
            const bool is_rising = branch->period[last] > branch->period[0];
            const int low = is_rising ? 0 : 1;
            ck_assert_msg(branch->ends[low] == interval->lower_end &&
                              branch->ends[1 - low] == interval->upper_end,
                          "seed 43, trial %d, interval %d: %s, %s", trial, i,
                          carom_branch_end_name(branch->ends[low]),
                          carom_branch_end_name(branch->ends[1 - low]));
            assert_close(end_period(branch, 1 - low), interval->upper, 1e-9, 0.0);
            // A period of zero is reached to a thousandth of the shortest mode.
            if (interval->lower > 0.0) {
                assert_close(end_period(branch, low), interval->lower, 1e-9, 0.0);
            }
            branches++;
            carom_orbit_branch_free(branch);
        }
        carom_orbit_free(orbit);
        carom_period_intervals_free(list);
        carom_modal_basis_free(basis);
    }
    ck_assert_int_ge(branches, 40);
    gsl_rng_free(generator);
}

TEST(errors, refuses_what_is_no_branch) {
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){3.8}, (double)NAN, 0);
    carom_orbit_branch *branch = NULL;
    carom_report report = carom_report_empty();
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.step = 0.0;
    assert_status(carom_orbit_branch_follow(basis, orbit, &params, NULL, NULL, &branch, &report),
                  OUT_OF_RANGE);
    params = carom_orbit_branch_params_default();
    params.max_step = 1e-3;
    assert_status(carom_orbit_branch_follow(basis, orbit, &params, NULL, NULL, &branch, &report),
                  OUT_OF_RANGE);
    params = carom_orbit_branch_params_default();
    params.max_points = 1;
    assert_status(carom_orbit_branch_follow(basis, orbit, &params, NULL, NULL, &branch, &report),
                  OUT_OF_RANGE);
    orbit->lambda[0] *= 1.1;
    assert_status(carom_orbit_branch_follow(basis, orbit, NULL, NULL, NULL, &branch, &report),
                  NOT_CONVERGED);
    carom_orbit_free(orbit);
    // T = 3.745 lies between the root and the grazing: it penetrates.
    orbit = solve(basis, 1, (double[]){3.745}, (double)NAN, 0);
    assert_status(carom_orbit_branch_follow(basis, orbit, NULL, NULL, NULL, &branch, &report),
                  OUT_OF_RANGE);
    ck_assert_str_eq(report.quantity, "gap violation");
    ck_assert_double_gt(report.value, 0.0);
    ck_assert_ptr_null(branch);
    carom_modal_basis without_gap = *basis;
    without_gap.gap_at_rest = 0.0;
    assert_status(
        carom_orbit_branch_follow(&without_gap, orbit, NULL, NULL, NULL, &branch, &report),
        OUT_OF_RANGE);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}

TEST(errors, failing_allocations_leave_nothing_behind) {
    carom_modal_basis *basis = chain(1.0);
    carom_orbit *orbit = solve(basis, 1, (double[]){3.8}, (double)NAN, 0);
    carom_orbit_branch *branch = NULL;
    carom_status status = CAROM_STATUS_OUT_OF_MEMORY;
    int failures = 0;
    for (long k = 0; status == CAROM_STATUS_OUT_OF_MEMORY; k++) {
        successes_left = (int)k;
        status = carom_orbit_branch_follow(basis, orbit, NULL, NULL, NULL, &branch, NULL);
        successes_left = -1;
        failures += status == CAROM_STATUS_OUT_OF_MEMORY;
    }
    assert_ok(status);
    ck_assert_int_ge(failures, 10);
    carom_orbit_branch_free(branch);
    carom_orbit_free(orbit);
    carom_modal_basis_free(basis);
}
