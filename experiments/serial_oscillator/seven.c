/** The continuum of motions with seven impacts and its symmetric member (figures 4 and 15). */
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Motions 1 to 4 of figure 15. */
enum { FIRST_END, BETWEEN, SYMMETRIC, LAST_END, MOTION_COUNT };
/** Impacts that vanish at the ends, from 1. */
enum { FIFTH = 5, SEVENTH = 7 };
/** Points beyond each end that are looked at, and points of the continuation: at least thrice those
 * of the admissible branch. */
enum { BEYOND = 5, POTENTIAL_POINTS = 400 };

/** Symmetric in the sense of section 6: flight times solved to 1e-12 of a period. */
static const double SYMMETRY = 1e-9;
/** Two evaluations of one motion with seven impacts agree: its equations are some thousand times
 * worse conditioned than one flight. */
static const double SAME = 1e-9;
/** Ends of branches are located to this. */
static const double SAME_END = 1e-8;

/** The continuum as far as it exists. */
typedef struct continuum {
    carom_orbit_branch *branch;
    carom_orbit *motions[MOTION_COUNT];
    int a; /**< sigma_n = sigma_{a-n} of the symmetric motion */
} continuum;

/* --- finding the motions ---------------------------------------------------------------------- */

/** Largest difference of sigma_n and sigma_{a-n}. */
static double asymmetry_of(const double *sigma, int a) {
    double difference = 0.0;
    for (int n = 1; n <= SEVEN; n++) {
        const int image = (a - n + 2 * SEVEN - 1) % SEVEN;
        difference = fmax(difference, fabs(sigma[n - 1] - sigma[image]));
    }
    return difference;
}

/** The symmetric motion of the branch: its most symmetric point, made symmetric and solved again.
 */
static carom_status find_symmetric(const oscillator *o, continuum *c) {
    int best_point = 0;
    int best_a = 1;
    double least = INFINITY;
    for (int i = 0; i < c->branch->point_count; i++) {
        for (int a = 1; a <= SEVEN; a++) {
            const double asymmetry = asymmetry_of(c->branch->flight_times + SEVEN * i, a);
            if (asymmetry < least) {
                least = asymmetry;
                best_point = i;
                best_a = a;
            }
        }
    }
    const double *sigma = c->branch->flight_times + SEVEN * best_point;
    double guess[SEVEN];
    for (int n = 1; n <= SEVEN; n++) {
        guess[n - 1] = 0.5 * (sigma[n - 1] + sigma[(best_a - n + 2 * SEVEN - 1) % SEVEN]);
    }
    CAROM_TRY(serial_oscillator_solve(o, SEVEN, guess, NAN, &c->motions[SYMMETRIC]));
    const carom_orbit *orbit = c->motions[SYMMETRIC];
    c->a = orbit == NULL
               ? 0
               : carom_sequence_symmetry(SEVEN, orbit->flight_times, orbit->lambda, SYMMETRY);
    return CAROM_OK;
}

/** Follow the branch through the given motion. */
static carom_status follow(const oscillator *o, continuum *c) {
    carom_orbit *orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, SEVEN, o->values->seven_times.values, NAN, &orbit));
    carom_status status = CAROM_OK;
    bool found = false;
    if (orbit != NULL && serial_oscillator_is_admissible(o, orbit)) {
        status = serial_oscillator_may_miss(
            carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, &c->branch, NULL), &found);
    }
    carom_orbit_free(orbit);
    return status;
}

/** The four motions of figure 15; the first is the end without fifth impact. */
static carom_status find_motions(const oscillator *o, continuum *c) {
    const carom_orbit_branch *branch = c->branch;
    const int last = branch->point_count - 1;
    const bool is_turned = branch->end_impact[0] == SEVENTH;
    const int first_end = is_turned ? last : 0;
    CAROM_TRY(serial_oscillator_point(o, branch, first_end, &c->motions[FIRST_END]));
    CAROM_TRY(
        serial_oscillator_point(o, branch, (first_end + branch->start) / 2, &c->motions[BETWEEN]));
    CAROM_TRY(serial_oscillator_point(o, branch, last - first_end, &c->motions[LAST_END]));
    return find_symmetric(o, c);
}

/* --- writing ---------------------------------------------------------------------------------- */

/** Write /seven/case_NUMBER. */
static carom_status write_motion(const oscillator *o, int number, const carom_orbit *orbit) {
    char group[PATH_SIZE];
    (void)snprintf(group, sizeof group, "/seven/case_%d", number);
    const carom_measure scalars[] = {
        {"period", orbit->period, "s", "period T"},
        {"energy", orbit->energy, "J", "energy E"},
    };
    serial_oscillator_write_scalars(o, group, scalars, COUNT(scalars));
    const carom_column columns[] = {
        {"flight_times", orbit->flight_times, "s", "duration of the flight before the impact"},
        {"lambda", orbit->lambda, "J0.5", "lambda of the impact"},
    };
    serial_oscillator_write_columns(o, group, "/seven/impact", NULL, columns, COUNT(columns));
    return serial_oscillator_write_history(o, group, orbit);
}

/** Write /seven/branch. */
static void write_branch(const oscillator *o, const carom_orbit_branch *branch) {
    const char *axis = "/seven/branch/point";
    carom_record_index_axis(o->record, axis, branch->point_count, "point of the branch");
    const carom_column columns[] = {
        {"period", branch->period, "s", "period T"},
        {"energy", branch->energy, "J", "energy E"},
        {"spectral_radius", branch->spectral_radius, "1",
         "largest modulus of the multipliers; NaN: undefined"},
    };
    const carom_column wide[] = {
        {"flight_times", branch->flight_times, "s", "duration of the flights"},
        {"lambda", branch->lambda, "J0.5", "lambda of the impacts"},
    };
    serial_oscillator_write_columns(o, "/seven/branch", axis, NULL, columns, COUNT(columns));
    carom_record_string(o->record, "/seven/branch/first_end",
                        carom_branch_end_name(branch->ends[0]),
                        carom_branch_end_sentence(branch->ends[0]));
    carom_record_string(o->record, "/seven/branch/last_end", carom_branch_end_name(branch->ends[1]),
                        carom_branch_end_sentence(branch->ends[1]));
    serial_oscillator_write_columns(o, "/seven/branch", axis, "/seven/impact", wide, COUNT(wide));
}

/** Write /seven. */
static carom_status write(const oscillator *o, const continuum *c) {
    const carom_orbit *symmetric = c->motions[SYMMETRIC];
    carom_record_index_axis(o->record, "/seven/impact", SEVEN, "impact of the period");
    write_branch(o, c->branch);
    for (int i = 0; i < MOTION_COUNT; i++) {
        CAROM_TRY(write_motion(o, i + 1, c->motions[i]));
    }
    double axes[2];
    carom_sequence_axes(SEVEN, symmetric->flight_times, c->a, axes);
    const carom_measure scalars[] = {
        {"axis_1", axes[0], "s", "first axis of symmetry of motion 3"},
        {"axis_2", axes[1], "s", "second axis of symmetry of motion 3"},
    };
    serial_oscillator_write_scalars(o, "/seven", scalars, COUNT(scalars));
    carom_record_integer(o->record, "/seven/symmetry_number", c->a, "1",
                         "a with sigma_n = sigma_{a-n} of motion 3");
    return CAROM_OK;
}

/* --- statements ------------------------------------------------------------------------------- */

/** Pattern, times and axes of the symmetric motion. */
static void claim_symmetric(const oscillator *o, const continuum *c) {
    const carom_orbit *orbit = c->motions[SYMMETRIC];
    const double *sigma = orbit->flight_times;
    const double T = orbit->period;
    const double flight_a = sigma[2];
    const double flight_b = sigma[1];
    const double flight_c = sigma[0];
    const double flight_d = sigma[5];
    const double pattern[SEVEN] = {flight_c, flight_b, flight_a, flight_b,
                                   flight_c, flight_d, flight_d};
    double pattern_error = 0.0;
    for (int n = 0; n < SEVEN; n++) {
        pattern_error = fmax(pattern_error, fabs(sigma[n] - pattern[n]) / T);
    }
    double t[SEVEN];
    carom_orbit_impact_times(orbit, t);
    const double times_error = fmax(fabs(t[1] + t[2] - t[4]), fabs(t[0] + t[3] - t[4])) / T;
    double axes[2];
    carom_sequence_axes(SEVEN, sigma, c->a, axes);
    const double printed[2] = {flight_c + flight_b + 0.5 * flight_a,
                               2.0 * flight_c + 2.0 * flight_b + flight_a + flight_d};
    double axes_error = fmax(fabs(axes[0] - printed[0]), fabs(axes[1] - printed[1])) / T;
    axes_error = fmax(axes_error, serial_oscillator_asymmetry(o, orbit, printed[0]));
    axes_error = fmax(axes_error, serial_oscillator_asymmetry(o, orbit, printed[1]));
    const carom_measure measures[] = {
        {"seven_flight_a", flight_a, "s", "flight a of the symmetric motion"},
        {"seven_flight_b", flight_b, "s", "flight b"},
        {"seven_flight_c", flight_c, "s", "flight c"},
        {"seven_flight_d", flight_d, "s", "flight d"},
        {"seven_period", T, "s", "period of the symmetric motion"},
        {"seven_energy", orbit->energy, "J", "its energy"},
        {"seven_pattern_error", pattern_error, "1", "difference from the pattern over the period"},
        {"seven_times_error", times_error, "1", "error of (6.7) over the period"},
        {"seven_axes_error", axes_error, "1", "axes and asymmetry about them"},
        {"seven_closure", serial_oscillator_closure(o, orbit), "1",
         "error of one period by events"},
    };
    const carom_claim claims[] = {
        {"seven_pattern", pattern_error < SAME,
         "flight times of the symmetric motion are c, b, a, b, c, d, d"},
        {"seven_times", times_error < SAME, "t_2 + t_3 = t_5 and t_1 + t_4 = t_5 (6.7)"},
        {"seven_axes", axes_error < SAME,
         "the motion is symmetric about c + b + a/2 and about t_6"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** Whether both ends of a branch are followed by points that pull or penetrate. */
static carom_status is_inadmissible_beyond(const oscillator *o, const carom_orbit *start,
                                           bool *holds) {
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.follow_potential = true;
    params.with_stability = false;
    params.max_points = POTENTIAL_POINTS;
    carom_orbit_branch *branch = NULL;
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, start, &params, NULL, NULL, &branch, NULL), &found));
    *holds = found;
    for (int side = -1; side <= 1 && found; side += 2) {
        int i = branch->start;
        while (i >= 0 && i < branch->point_count && branch->admissible[i] != 0) {
            i += side;
        }
        for (int beyond = 0; beyond < BEYOND; beyond++, i += side) {
            *holds = *holds && i >= 0 && i < branch->point_count && branch->admissible[i] == 0;
        }
    }
    carom_orbit_branch_free(branch);
    return CAROM_OK;
}

/** Ends of the continuum. */
static carom_status claim_ends(const oscillator *o, const continuum *c) {
    const carom_orbit_branch *branch = c->branch;
    const carom_orbit *first = c->motions[FIRST_END];
    const carom_orbit *last = c->motions[LAST_END];
    const bool is_turned = branch->end_impact[0] == SEVENTH;
    const int at_first = is_turned ? 1 : 0;
    double sigma[SEVEN];
    double lambda[SEVEN];
    memcpy(sigma, last->flight_times, sizeof sigma);
    memcpy(lambda, last->lambda, sizeof lambda);
    carom_sequence_reverse(SEVEN, sigma, lambda);
    // Reversed, and begun where the first one begins: sigma'_n = sigma_{a-n}.
    carom_sequence_rotate(SEVEN, (SEVEN + 1 - c->a) % SEVEN, sigma, lambda);
    double reversal = 0.0;
    for (int n = 0; n < SEVEN; n++) {
        reversal = fmax(reversal, fabs(sigma[n] - first->flight_times[n]) / first->period);
        reversal = fmax(reversal, fabs(lambda[n] - first->lambda[n]) / first->lambda[0]);
    }
    bool is_outside = false;
    CAROM_TRY(is_inadmissible_beyond(o, c->motions[SYMMETRIC], &is_outside));
    const carom_measure measures[] = {
        {"seven_reversal_error", reversal, "1", "one end against the other one reversed"},
        {"seven_end_period", first->period, "s", "period at both ends"},
        {"seven_end_energy", first->energy, "J", "energy at both ends"},
        {"seven_points", branch->point_count, "1", "points of the branch"},
        {"seven_identity_error", branch->identity_error, "1",
         "largest error of E dT = -(g_0/sqrt G) d(sum lambda)"},
    };
    const bool vanish = branch->ends[0] == CAROM_BRANCH_END_VANISHING_IMPACT &&
                        branch->ends[1] == CAROM_BRANCH_END_VANISHING_IMPACT;
    const carom_claim claims[] = {
        {"seven_fifth_grazes", vanish && branch->end_impact[at_first] == FIFTH,
         "at one end the fifth impact becomes a graze"},
        {"seven_seventh_grazes", vanish && branch->end_impact[1 - at_first] == SEVENTH,
         "at the other end the seventh impact becomes a graze"},
        {"seven_ends_reversed", reversal < SAME_END,
         "both ends are the same motion, run through in opposite directions"},
        {"seven_inadmissible_beyond", is_outside, "beyond both ends solutions pull or penetrate"},
        {"seven_admissible",
         serial_oscillator_is_admissible(o, c->motions[BETWEEN]) &&
             serial_oscillator_is_admissible(o, c->motions[SYMMETRIC]),
         "motions 2 and 3 do not penetrate"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
    return CAROM_OK;
}

/** Everything, if all motions exist. */
static carom_status examine(const oscillator *o, continuum *c) {
    CAROM_TRY(follow(o, c));
    if (c->branch == NULL) {
        return CAROM_OK;
    }
    CAROM_TRY(find_motions(o, c));
    bool is_complete = c->a > 0;
    for (int i = 0; i < MOTION_COUNT; i++) {
        is_complete = is_complete && c->motions[i] != NULL;
    }
    if (!is_complete) {
        return CAROM_OK;
    }
    CAROM_TRY(write(o, c));
    claim_symmetric(o, c);
    CAROM_TRY(claim_ends(o, c));
    serial_oscillator_write_table(o, c->motions[SYMMETRIC], c->a);
    return CAROM_OK;
}

carom_status serial_oscillator_write_seven(const oscillator *o) {
    continuum c = {.a = 0};
    const carom_status status = examine(o, &c);
    carom_orbit_branch_free(c.branch);
    for (int i = 0; i < MOTION_COUNT; i++) {
        carom_orbit_free(c.motions[i]);
    }
    return status;
}
