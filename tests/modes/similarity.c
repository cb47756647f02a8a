/* The same structures in other units of mass, length and time: every computation of modes/ gives
 * the same motions in these units, in the same bits where the units change by powers of two. */
#include "../units.h"
#include "structures.h"

#include <carom/modes/few_impacts.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

enum { STRUCTURES = 4 };

static outcome reference;
static outcome scaled;

/** The structure number `which`, in some units. */
static carom_modal_basis *basis_in(test_units u, int which) {
    gsl_rng *generator = seeded_generator(9100 + (unsigned long)which);
    carom_linear_system *system = random_system(generator, 2 + which);
    gsl_rng_free(generator);
    const int n = system->coordinate_count;
    for (int i = 0; i < n * n; i++) {
        system->mass[i] *= u.mass;
        system->stiffness[i] *= u.mass / u.time / u.time;
    }
    system->gap_at_rest = (which % 2 == 0 ? 0.7 : -0.7) * u.length;
    carom_modal_basis *basis = NULL;
    assert_ok(carom_modal_basis_compute(system, &basis, NULL));
    carom_linear_system_free(system);
    return basis;
}

static void put_basis(outcome *o, const carom_modal_basis *basis) {
    put(o, '1', basis->visible_count);
    put(o, 'r', basis->root_inverse_mass);
    put_all(o, 'f', basis->coordinate_count, basis->frequency);
    put_all(o, '1', basis->coordinate_count, basis->participation);
}

static void put_orbit(outcome *o, const carom_orbit *orbit) {
    put(o, '1', orbit->impact_count);
    put(o, 's', orbit->period);
    put(o, 'J', orbit->energy);
    put_all(o, 's', orbit->impact_count, orbit->flight_times);
    put_all(o, 'h', orbit->impact_count, orbit->lambda);
    put_all(o, 'h', 2 * orbit->mode_count, orbit->state);
}

/** Certificate and stability of a motion. */
static void put_verdict(outcome *o, const carom_modal_basis *basis, const carom_orbit *orbit,
                        bool is_binary) {
    carom_contact_motion *motion = NULL;
    carom_stability *stability = NULL;
    double state[2 * LARGEST];
    double radius = (double)NAN;
    assert_ok(carom_contact_motion_alloc(basis, &motion));
    assert_ok(carom_stability_alloc(basis, &stability));
    const carom_admissibility verdict =
        carom_orbit_certify(basis, motion, orbit, state, CAROM_ADMISSIBILITY_TOLERANCE);
    put(o, '1', verdict.is_admissible);
    put(o, 'm', verdict.largest_gap_violation);
    // Of two equal maxima rounding decides which is the largest.
    put(o, 's', is_binary ? verdict.time : (double)NAN);
    put(o, '1', is_binary ? verdict.flight : 0);
    put(o, '1', carom_stability_multipliers(stability, orbit, NULL, &radius));
    put(o, 'd', radius);
    carom_stability_free(stability);
    carom_contact_motion_free(motion);
}

static void put_intervals(outcome *o, const carom_modal_basis *basis, double max_period) {
    carom_period_intervals *found = NULL;
    assert_ok(carom_single_impact_intervals(basis, max_period, 200, NULL, NULL, &found, NULL));
    put(o, '1', found->count);
    for (int i = 0; i < found->count; i++) {
        const carom_period_interval *interval = &found->intervals[i];
        put(o, 's', interval->lower);
        put(o, 's', interval->upper);
        put(o, '1', interval->lower_end);
        put(o, '1', interval->upper_end);
        // Where a new contact begins is known to half the digits of the period.
        put(o, 's', isnan(interval->lower_grazing_time) ? (double)NAN : interval->lower);
    }
    carom_period_intervals_free(found);
}

/** Families of constant period: bridges, and those on the curves of two impacts. Families of one
 * period stand in the order of its rounding: where that is another, sums over all of them. */
static void put_families(outcome *o, const carom_modal_basis *basis, double max_period,
                         bool is_binary) {
    carom_constant_period_families *families[2] = {NULL, NULL};
    carom_flight_time_curves *curves = NULL;
    assert_ok(carom_constant_period_bridges(basis, max_period, &families[0], NULL));
    assert_ok(carom_two_impacts_curves(basis, max_period, 80, &curves, NULL));
    assert_ok(carom_constant_period_on_curves(basis, curves, &families[1], NULL));
    for (int k = 0; k < 2; k++) {
        double sigma_1 = 0.0;
        double sigma_2 = 0.0;
        double lambda_sum = 0.0;
        int full = 0;
        for (int i = 0; i < families[k]->count; i++) {
            const carom_constant_period_family *family = &families[k]->families[i];
            sigma_1 += family->sigma_1;
            sigma_2 += family->sigma_2;
            lambda_sum += family->lambda_sum;
            full += family->is_full;
            put(o, 's', is_binary ? family->sigma_1 : (double)NAN);
            put(o, 's', is_binary ? family->sigma_2 : (double)NAN);
        }
        put(o, '1', families[k]->count);
        put(o, '1', full);
        put(o, 's', sigma_1);
        put(o, 's', sigma_2);
        put(o, 'h', lambda_sum);
        carom_constant_period_families_free(families[k]);
    }
    carom_flight_time_curves_free(curves);
}

/** Everything that begins with a guess of flight times [k], in seconds of the structure's unit. */
static void put_solution(outcome *o, const carom_modal_basis *basis, int k,
                         const double *flight_times, double unit_of_time, bool is_binary) {
    double guess[LARGEST];
    for (int i = 0; i < k; i++) {
        guess[i] = flight_times[i] * unit_of_time;
    }
    carom_orbit_solver *solver = NULL;
    carom_orbit *orbit = NULL;
    assert_ok(carom_orbit_solver_alloc(basis, k, &solver));
    assert_ok(carom_orbit_alloc(basis, k, &orbit));
    carom_orbit_target target = carom_orbit_target_default(basis);
    target.period = 0.0;
    for (int i = 0; i < k; i++) {
        target.period += guess[i];
    }
    const carom_status status = carom_orbit_solve(solver, guess, NULL, &target, NULL, orbit, NULL);
    put(o, '1', status);
    if (status == CAROM_OK) {
        put_orbit(o, orbit);
        put_verdict(o, basis, orbit, is_binary);
    }
    // Where the period stands still rounding decides which way a branch goes first.
    if (status == CAROM_OK && (is_binary || k == 1)) {
        carom_orbit_branch_params params = carom_orbit_branch_params_default();
        params.max_points = 60;
        params.follow_potential = true;
        params.with_stability = false;
        carom_orbit_branch *branch = NULL;
        assert_ok(carom_orbit_branch_follow(basis, orbit, &params, NULL, NULL, &branch, NULL));
        put(o, '1', branch->point_count);
        put(o, '1', branch->ends[0]);
        put(o, '1', branch->ends[1]);
        put_all(o, 's', branch->point_count, branch->period);
        put_all(o, 'J', branch->point_count, branch->energy);
        put_all(o, 'h', k * branch->point_count, branch->lambda);
        carom_orbit_branch_free(branch);
    }
    carom_orbit_free(orbit);
    carom_orbit_solver_free(solver);
}

/** A search: which guesses lead where. */
static void put_search(outcome *o, const carom_modal_basis *basis, int k, double max_period) {
    carom_orbit_search_params params = carom_orbit_search_params_default(k, max_period);
    params.start_count = 150;
    params.workers.threads = 1;
    params.keep_repeats = true;
    params.keep_potential = true;
    carom_orbit_list *list = NULL;
    assert_ok(carom_orbit_search(basis, &params, NULL, NULL, &list, NULL));
    put(o, '1', list->converged);
    put(o, '1', list->potential);
    put(o, '1', list->unclosed);
    put(o, '1', list->count);
    for (int i = 0; i < list->count; i++) {
        put(o, '1', list->found[i].start);
        put(o, '1', list->found[i].hits);
        put(o, '1', list->found[i].is_admissible);
        put(o, '1', list->found[i].closure_error);
        put_orbit(o, list->found[i].orbit);
    }
    carom_orbit_list_free(list);
}

/** Flight times of guesses, in parts of the lowest mode's period. */
static const double GUESSES[3][3] = {{0.83}, {0.21, 0.64}, {0.17, 0.33, 0.41}};

static void compute(test_units u, int which, bool is_binary, outcome *o) {
    o->count = 0;
    carom_modal_basis *basis = basis_in(u, which);
    // Not from the basis: its rounding would be in the guesses.
    carom_modal_basis *own = basis_in((test_units){1, 1, 1}, which);
    const double lowest = 2.0 * M_PI / own->frequency[0];
    put_basis(o, basis);
    put_intervals(o, basis, 1.7 * lowest * u.time);
    put_families(o, basis, 1.2 * lowest * u.time, is_binary);
    for (int k = 1; k <= 3; k++) {
        double guess[3];
        for (int i = 0; i < k; i++) {
            guess[i] = GUESSES[k - 1][i] * lowest;
        }
        put_solution(o, basis, k, guess, u.time, is_binary);
        if (is_binary) {
            put_search(o, basis, k, 1.3 * lowest * u.time);
        }
    }
    carom_modal_basis_free(own);
    carom_modal_basis_free(basis);
}

LOOP_TEST(property, powers_of_two_change_no_bit, STRUCTURES *BINARY_CHANGE_OF_UNITS_COUNT) {
    const int which = _i % STRUCTURES;
    const test_units u = BINARY_CHANGES_OF_UNITS[_i / STRUCTURES];
    compute((test_units){1, 1, 1}, which, true, &reference);
    compute(u, which, true, &scaled);
    assert_same_outcome(&scaled, &reference, u, which, 0.0);
}

LOOP_TEST(property, other_units_give_the_same_motions, STRUCTURES *CHANGE_OF_UNITS_COUNT) {
    const int which = _i % STRUCTURES;
    const test_units u = CHANGES_OF_UNITS[_i / STRUCTURES];
    compute((test_units){1, 1, 1}, which, false, &reference);
    compute(u, which, false, &scaled);
    assert_same_outcome(&scaled, &reference, u, which, 1e-9);
}
