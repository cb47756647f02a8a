/** Claims of the paper about every structure, checked on this one; and counts for the text. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** A motion that is carried over its period by rotations and reflections returns: the equations are
 * solved to 1e-12, and orthogonal maps magnify nothing; relative to the root of twice its energy,
 * and to the gap at rest. */
static const double CLOSED = 1e-10;
/** Two numbers of a solved motion are the same: the equations are solved to 1e-12, and the worst
 * conditioned of its numbers magnify that by some thousands. */
static const double SAME = 1e-8;
/** Periods in each interval between harmonics where the slope is looked at. */
enum { SLOPE_SAMPLES = 16 };

/* --- one impact (section 7.2) ----------------------------------------------------------------- */

/** Whether phi_c(T) = -Gamma_T(T) rises everywhere between harmonics. */
static bool phi_rises(const analysis *a) {
    double lower = 0.0;
    while (lower < a->max_period) {
        const double upper = carom_harmonic_above(a->basis, lower).period;
        for (int i = 0; i < SLOPE_SAMPLES; i++) {
            const double T = lower + (upper - lower) * (i + 0.5) / SLOPE_SAMPLES;
            const carom_kernels kernels = carom_kernels_evaluate(a->basis, T, T);
            if (!(kernels.gap_by_argument + kernels.gap_by_period < 0.0)) {
                return false;
            }
        }
        lower = upper;
    }
    return true;
}

/** Whether an interval lies below the root between its harmonics, as the paper's case list has it
 * for a positive gap, or above it for a negative one. */
static carom_status is_as_printed(const analysis *a, const carom_period_interval *interval,
                                  bool *holds) {
    const double middle = 0.5 * (interval->lower + interval->upper);
    double lower = 0.0;
    double upper = carom_harmonic_above(a->basis, lower).period;
    while (upper < middle) {
        lower = upper;
        upper = carom_harmonic_above(a->basis, lower).period;
    }
    double root = NAN;
    CAROM_TRY(carom_single_impact_root(a->basis, lower, upper, &root));
    *holds = a->basis->gap_at_rest > 0.0 ? middle < root : middle > root;
    return CAROM_OK;
}

/** The two statements about the place of the intervals. */
static carom_status write_interval_claims(const analysis *a, const picture *seen) {
    // The same structure with the gap of the other sign has motions at other periods only.
    carom_modal_basis other = *a->basis;
    other.gap_at_rest = -other.gap_at_rest;
    carom_period_intervals *others = NULL;
    CAROM_TRY(nonsmooth_modes_find_intervals(a, &other, a->max_period, &others));
    // Both ascend, the intervals of one sign apart from each other.
    bool is_disjoint = true;
    for (int i = 0, j = 0; i < seen->intervals->count && j < others->count;) {
        const carom_period_interval *one = &seen->intervals->intervals[i];
        const carom_period_interval *two = &others->intervals[j];
        is_disjoint = is_disjoint && (one->upper <= two->lower || two->upper <= one->lower);
        i += one->upper <= two->upper ? 1 : 0;
        j += one->upper <= two->upper ? 0 : 1;
    }
    const int other_count = others->count;
    carom_period_intervals_free(others);
    bool is_printed = true;
    for (int i = 0; i < seen->intervals->count; i++) {
        bool holds = false;
        CAROM_TRY(is_as_printed(a, &seen->intervals->intervals[i], &holds));
        is_printed = is_printed && holds;
    }
    carom_record_measure(a->record, "intervals_of_other_sign", other_count, "1",
                         "admissible intervals for the opposite gap at rest");
    carom_record_claim(a->record, "signs_of_gap_exclude", is_disjoint,
                       "no period belongs to both signs of the gap at rest");
    carom_record_claim(a->record, "periods_as_printed", is_printed,
                       "admissible periods lie where the case list of 7.2.3 says");
    return CAROM_OK;
}

/** Whether all coordinates are at rest in the middle of every motion with one impact. */
static carom_status rests_in_the_middle(const analysis *a, const picture *seen, bool *holds) {
    carom_orbit *orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(a->basis, 1, &orbit));
    carom_status status = CAROM_OK;
    *holds = true;
    for (int i = 0; i < seen->intervals->count && status == CAROM_OK; i++) {
        const carom_period_interval *interval = &seen->intervals->intervals[i];
        status =
            carom_single_impact_orbit(a->basis, 0.5 * (interval->lower + interval->upper), orbit);
        if (status != CAROM_OK) {
            break;
        }
        carom_orbit_motion(a->basis, orbit, 0.5 * orbit->period, NULL, a->velocity, a->state);
        double speed = 0.0;
        for (int p = 0; p < a->basis->coordinate_count; p++) {
            speed = fmax(speed, fabs(a->velocity[p]));
        }
        *holds = *holds && speed <= SAME * a->basis->root_inverse_mass * orbit->lambda[0];
    }
    carom_orbit_free(orbit);
    return status;
}

/** Share of admissible periods in three windows, each as long as the longest period looked at. */
static carom_status write_density(const analysis *a) {
    enum { WINDOWS = NONSMOOTH_MODES_WINDOWS };
    static const char *const names[WINDOWS] = {"density_first", "density_second", "density_third"};
    carom_period_intervals *all = NULL;
    const double window = a->max_period;
    CAROM_TRY(nonsmooth_modes_find_intervals(a, a->basis, WINDOWS * window, &all));
    double density[WINDOWS] = {0.0};
    for (int i = 0; i < all->count; i++) {
        for (int w = 0; w < WINDOWS; w++) {
            const double lower = fmax(all->intervals[i].lower, w * window);
            const double upper = fmin(all->intervals[i].upper, (w + 1) * window);
            density[w] += fmax(upper - lower, 0.0) / window;
        }
    }
    carom_period_intervals_free(all);
    for (int w = 0; w < WINDOWS; w++) {
        carom_record_measure(a->record, names[w], density[w], "1",
                             "share of admissible periods of one impact in a window");
    }
    carom_record_claim(a->record, "density_decreases",
                       density[0] > density[1] && density[0] > density[2],
                       "admissible periods are rarer in the second and third window");
    return CAROM_OK;
}

/* --- found motions ---------------------------------------------------------------------------- */

/** What is counted over all found motions. */
typedef struct tally {
    int of_impacts[4]; /**< motions with 1, 2, 3 impacts */
    int on_curves;
    int total;
    int equal_pairs;  /**< of two impacts with equal speeds */
    int family_pairs; /**< of two impacts in a family of constant period */
    int neutral;
    int unstable;
    int unclosed;   /**< certified, but too unstable to be followed by events to 1e-9 */
    double closure; /**< largest error of a period of rotations and reflections */
    double contact; /**< largest gap at an impact on that way, relative to the gap at rest */
    double smallest_radius;
} tally;

/** Count a motion with two impacts: equal speeds, or alpha = beta. */
/*[nonsmoothModesPairs]*/
static void count_pair(const analysis *a, const carom_orbit *orbit, tally *t) {
    const double largest = fmax(orbit->lambda[0], orbit->lambda[1]);
    const double T = orbit->period;
    const double alpha = carom_kernels_evaluate(a->basis, T, T).gap;
    const double beta =
        carom_kernels_evaluate(a->basis, T, orbit->flight_times[1] - orbit->flight_times[0]).gap;
    if (fabs(orbit->lambda[0] - orbit->lambda[1]) <= SAME * largest) {
        t->equal_pairs++;
    } else if (fabs(alpha - beta) <= SAME * fabs(alpha)) {
        t->family_pairs++;
    }
}
/*[end nonsmoothModesPairs]*/

/** Carry a motion over its period from impact to impact, with the reflections that its own
 * velocities demand: theorems 3.1 and 3.2 say that it returns and finds the contact closed at each
 * impact. */
static void carry_over(const analysis *a, const carom_orbit *orbit, tally *t) {
    const int modes = a->basis->visible_count;
    for (int i = 0; i < 2 * modes; i++) {
        a->state[i] = orbit->state[i];
    }
    for (int j = 0; j < orbit->impact_count; j++) {
        carom_modal_basis_rotate(a->basis, orbit->flight_times[j], a->state);
        const double x_c = carom_modal_basis_contact_displacement(a->basis, a->state);
        (void)carom_modal_basis_reflect(a->basis, a->state);
        t->contact = fmax(t->contact, fabs(x_c / a->basis->gap_at_rest - 1.0));
    }
    double error = 0.0;
    for (int i = 0; i < 2 * modes; i++) {
        error = fmax(error, fabs(a->state[i] - orbit->state[i]));
    }
    t->closure = fmax(t->closure, error / sqrt(2.0 * orbit->energy));
}

/** Count one found motion. */
static carom_status count_motion(const analysis *a, const carom_found_orbit *found, tally *t) {
    const carom_orbit *orbit = found->orbit;
    bool is_curve = false;
    CAROM_TRY(nonsmooth_modes_is_on_curve(a, orbit, &is_curve));
    t->total++;
    t->on_curves += is_curve ? 1 : 0;
    t->of_impacts[orbit->impact_count < 4 ? orbit->impact_count : 0]++;
    carry_over(a, orbit, t);
    if (orbit->impact_count == 2) {
        count_pair(a, orbit, t);
    }
    const double radius = nonsmooth_modes_examine(a, orbit).spectral_radius;
    t->smallest_radius = fmin(t->smallest_radius, radius);
    if (carom_stability_is_neutral(radius)) {
        t->neutral++;
    } else if (radius > 1.0) {
        t->unstable++;
    }
    return CAROM_OK;
}

/** Statements about the found motions; none where nothing was found. */
static void write_found_claims(const analysis *a, const tally *t) {
    const struct {
        const char *name;
        double value;
        const char *long_name;
    } measures[] = {
        {"found", t->total, "motions found"},
        {"found_one", t->of_impacts[1], "motions found with one impact"},
        {"found_two", t->of_impacts[2], "motions found with two impacts"},
        {"found_three", t->of_impacts[3], "motions found with three impacts"},
        {"neutral", t->neutral, "neutrally stable motions found"},
        {"unstable", t->unstable, "unstable motions found"},
        {"pairs_of_equal_speeds", t->equal_pairs, "motions found with two equal impact speeds"},
        {"pairs_in_families", t->family_pairs, "others with two impacts, of families"},
        {"unclosed", t->unclosed, "motions certified, but too unstable to follow by events"},
        {"largest_closure_error", t->closure, "largest error of a period of flights and impacts"},
        {"largest_contact_error", t->contact, "largest gap at an impact over the gap at rest"},
    };
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        carom_record_measure(a->record, measures[i].name, measures[i].value, "1",
                             measures[i].long_name);
    }
    if (t->total == 0) {
        return;
    }
    carom_record_claim(a->record, "motions_are_periodic",
                       t->closure < CLOSED && t->contact < CLOSED,
                       "every motion found returns and closes the contact at each impact");
    carom_record_claim(a->record, "motions_form_curves", t->on_curves == t->total,
                       "the solutions near every motion found form a curve");
    if (t->of_impacts[2] > 0) {
        const bool is_as_stated = t->equal_pairs + t->family_pairs == t->of_impacts[2];
        carom_record_claim(a->record, "two_impacts_have_equal_speeds", is_as_stated,
                           "two impacts have equal speeds unless alpha = beta");
    }
    carom_record_claim(a->record, "radius_is_at_least_one", t->smallest_radius >= 1.0,
                       "no spectral radius is below one");
}

/** What is counted along all branches. */
typedef struct branch_tally {
    int points;
    int admissible;
    int neutral;
    int unstable;
    double identity; /**< largest error of our energy identity */
} branch_tally;

/** Count along all branches. */
static branch_tally count_branches(const picture *seen) {
    branch_tally t = {.points = 0};
    for (int i = 0; i < seen->intervals->count; i++) {
        const carom_orbit_branch *branch = seen->branches[i];
        t.identity = fmax(t.identity, branch->identity_error);
        t.points += branch->point_count;
        for (int p = 0; p < branch->point_count; p++) {
            const double radius = branch->spectral_radius[p];
            const bool is_neutral = carom_stability_is_neutral(radius);
            t.admissible += branch->admissible[p];
            t.neutral += is_neutral ? 1 : 0;
            t.unstable += !is_neutral && radius > 1.0 ? 1 : 0;
        }
    }
    return t;
}

/** Numbers of the branches, and the statement that needs branches and found motions. */
static void write_branch_claims(const analysis *a, const picture *seen, const tally *found) {
    const branch_tally t = count_branches(seen);
    const struct {
        const char *name;
        double value;
        const char *long_name;
    } measures[] = {
        {"points_of_branches", t.points, "points of all branches"},
        {"points_of_branches_admissible", t.admissible, "admissible points of all branches"},
        {"points_of_branches_neutral", t.neutral, "neutrally stable points of all branches"},
        {"identity_error", t.identity,
         "largest relative error of the energy identity on all branches"},
    };
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++) {
        carom_record_measure(a->record, measures[i].name, measures[i].value, "1",
                             measures[i].long_name);
    }
    carom_record_claim(a->record, "stable_and_unstable_motions",
                       t.neutral + found->neutral > 0 && t.unstable + found->unstable > 0,
                       "some motions are neutrally stable, some unstable");
}

carom_status nonsmooth_modes_write_claims(const analysis *a, const picture *seen) {
    CAROM_TRY(nonsmooth_modes_write_kernel_claims(a));
    carom_record_claim(a->record, "phi_rises_between_harmonics", phi_rises(a),
                       "phi_c(T) rises between consecutive harmonics");
    if (seen->intervals->count > 0) {
        CAROM_TRY(write_interval_claims(a, seen));
        CAROM_TRY(write_density(a));
        bool rests = false;
        CAROM_TRY(rests_in_the_middle(a, seen, &rests));
        carom_record_claim(a->record, "one_impact_rests_in_the_middle", rests,
                           "all velocities vanish half a period after a single impact");
    }
    tally t = {.smallest_radius = INFINITY};
    for (int l = 0; l < seen->list_count; l++) {
        t.unclosed += seen->lists[l]->unclosed;
        for (int i = 0; i < seen->lists[l]->count; i++) {
            CAROM_TRY(count_motion(a, &seen->lists[l]->found[i], &t));
        }
    }
    write_found_claims(a, &t);
    write_branch_claims(a, seen, &t);
    return CAROM_OK;
}
