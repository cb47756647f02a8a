/** The continuum of motions with seven impacts and its symmetric member (figures 4 and 15). */
#include "results.h"

#include <math.h>
#include <string.h>

/** Motions 1 to 4 of figure 15. */
enum { FIRST_END, BETWEEN, SYMMETRIC, LAST_END, MOTION_COUNT };
/** The impact that vanishes at the end which is motion 4, from 1. */
enum { SEVENTH = 7 };
/** Points beyond each end that are looked at, and points of the continuation: at least thrice those
 * of the admissible branch. */
enum { BEYOND = 5, POTENTIAL_POINTS = 400 };

/** Symmetric in the sense of section 6: flight times solved to 1e-12 of a period. */
static const double SYMMETRY = 1e-9;

/** Image of flight n under n -> a - n, from 1. */
static int image_of(int n, int a) {
    return (a - n + 2 * SEVEN - 1) % SEVEN + 1;
}

/** Largest difference of sigma_n and sigma_{a-n}. */
static double asymmetry_of(const double *sigma, int a) {
    double difference = 0.0;
    for (int n = 1; n <= SEVEN; n++) {
        difference = fmax(difference, fabs(sigma[n - 1] - sigma[image_of(n, a) - 1]));
    }
    return difference;
}

/** The symmetric motion of the branch: its most symmetric point, made symmetric and solved again.
 */
static carom_status find_symmetric(const oscillator *o, const carom_orbit_branch *branch,
                                   carom_orbit **out) {
    const double *sigma = branch->flight_times;
    int best_a = 1;
    for (int i = 0; i < branch->point_count; i++) {
        for (int a = 1; a <= SEVEN; a++) {
            const double *other = branch->flight_times + SEVEN * (size_t)i;
            if (asymmetry_of(other, a) < asymmetry_of(sigma, best_a)) {
                sigma = other;
                best_a = a;
            }
        }
    }
    double guess[SEVEN];
    for (int n = 1; n <= SEVEN; n++) {
        guess[n - 1] = 0.5 * (sigma[n - 1] + sigma[image_of(n, best_a) - 1]);
    }
    return serial_oscillator_solve(o, SEVEN, guess, NAN, out);
}

/** The motion at a point of the branch; NULL at a harmonic, where the state does not follow from
 * the impacts, and at infinity, where there is none. */
static carom_status make_point(const oscillator *o, const carom_orbit_branch *branch, int point,
                               carom_orbit **out) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, SEVEN, &orbit));
    const size_t first = SEVEN * (size_t)point;
    memcpy(orbit->flight_times, branch->flight_times + first, SEVEN * sizeof(double));
    memcpy(orbit->lambda, branch->lambda + first, SEVEN * sizeof(double));
    if (branch->gap_sign[point] != 0 && carom_orbit_complete(o->basis, orbit) == CAROM_OK) {
        CAROM_HAND_OVER(orbit, out);
    }
    return CAROM_OK;
}

/** Follow the branch through the given motion; NULL if that does not exist. */
static carom_status follow(oscillator *o, carom_orbit_branch **branch) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, SEVEN, o->values->seven_times.values, NAN, &orbit));
    if (orbit == NULL || !serial_oscillator_is_admissible(o, orbit)) {
        return CAROM_OK;
    }
    bool found = false;
    return serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, branch, NULL), &found);
}

/** Write /seven/case_NUMBER. */
static carom_status write_case(oscillator *o, int number, const carom_orbit *orbit) {
    carom_record group = carom_record_group(o->record, "/seven/case_%d", number);
    const carom_column columns[] = {
        {"flight_times", orbit->flight_times, "s", "duration of the flight before the impact"},
        {"lambda", orbit->lambda, "J0.5", "lambda of the impact"},
    };
    carom_record_columns(&group, "/seven/impact", NULL, columns, COUNT(columns));
    return serial_oscillator_write_motion(o, &group, orbit);
}

/** The least lambda of an impact at a point, over that of the first motion. */
static double least_lambda(const carom_orbit_branch *branch, int point, double unit) {
    const double *lambda = branch->lambda + SEVEN * (size_t)point;
    double least = INFINITY;
    for (int j = 0; j < SEVEN; j++) {
        least = fmin(least, lambda[j] / unit);
    }
    return least;
}

/** Write how hard an impact pulls on potential motions beyond both ends. */
static carom_status write_beyond(const oscillator *o, const carom_orbit *start) {
    carom_orbit_branch_params params = carom_orbit_branch_params_default();
    params.follow_potential = true;
    params.with_stability = false;
    params.max_points = POTENTIAL_POINTS;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    bool found = false;
    CAROM_TRY(serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, start, &params, NULL, NULL, &branch, NULL), &found));
    double most[2] = {-INFINITY, -INFINITY};
    for (int side = 0; side < 2 && found; side++) {
        const int step = 2 * side - 1;
        int i = branch->start;
        while (i >= 0 && i < branch->point_count && branch->admissible[i] != 0) {
            i += step;
        }
        for (int beyond = 0; beyond < BEYOND; beyond++, i += step) {
            const bool exists = i >= 0 && i < branch->point_count;
            most[side] = fmax(most[side], exists ? least_lambda(branch, i, start->lambda[0])
                                                 : (double)INFINITY);
        }
    }
    if (isfinite(most[0]) && isfinite(most[1])) {
        carom_record_index_axis(o->record, "/seven/end", 2, "end of the branch");
        carom_record_series(o->record, "/seven/beyond", most, "/seven/end", NULL, "1",
                            "least lambda of an impact over that of motion 3, at the best of five "
                            "points beyond the end");
    }
    return CAROM_OK;
}

/** Write what figure 4 and section 7.4 say of the symmetric motion. */
static void write_symmetry(oscillator *o, const carom_orbit *orbit, int a) {
    double axes[2];
    carom_sequence_axes(SEVEN, orbit->flight_times, a, axes);
    const double asymmetry = fmax(serial_oscillator_asymmetry(o, orbit, axes[0]),
                                  serial_oscillator_asymmetry(o, orbit, axes[1]));
    const carom_measure scalars[] = {
        {"/seven/axis_1", axes[0], "s", "first axis of symmetry of motion 3"},
        {"/seven/axis_2", axes[1], "s", "second axis of symmetry of motion 3"},
        {"/seven/asymmetry", asymmetry, "1", "largest asymmetry of motion 3 about both"},
        {"/seven/closure", serial_oscillator_closure(o, orbit), "1",
         "error of one period of motion 3 by events; NaN: its impacts are others"},
    };
    carom_record_scalars(o->record, scalars, COUNT(scalars));
    carom_record_integer(o->record, "/seven/symmetry_number", a, "1",
                         "a with sigma_n = sigma_{a-n} of motion 3");
}

/** Write everything if all motions exist. */
static carom_status write(oscillator *o, const carom_orbit_branch *branch,
                          carom_orbit *motions[MOTION_COUNT]) {
    const carom_orbit *symmetric = motions[SYMMETRIC];
    for (int i = 0; i < MOTION_COUNT; i++) {
        if (motions[i] == NULL) {
            return CAROM_OK;
        }
    }
    const int a =
        carom_sequence_symmetry(SEVEN, symmetric->flight_times, symmetric->lambda, SYMMETRY);
    if (a <= 0) {
        return CAROM_OK;
    }
    carom_record_index_axis(o->record, "/seven/impact", SEVEN, "impact of the period");
    carom_record_index_axis(o->record, "/seven/branch/point", branch->point_count,
                            "point of the branch");
    carom_record_series(o->record, "/seven/branch/period", branch->period, "/seven/branch/point",
                        NULL, "s", "period T");
    for (int i = 0; i < MOTION_COUNT; i++) {
        CAROM_TRY(write_case(o, i + 1, motions[i]));
    }
    write_symmetry(o, symmetric, a);
    return write_beyond(o, symmetric);
}

carom_status serial_oscillator_write_seven(oscillator *o) {
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(follow(o, &branch));
    if (branch == NULL) {
        return CAROM_OK;
    }
    // Motion 1 is the end without fifth impact.
    const int last = branch->point_count - 1;
    const int first_end = branch->end_impact[0] == SEVENTH ? last : 0;
    CAROM_AUTO(carom_orbit) first = NULL;
    CAROM_AUTO(carom_orbit) between = NULL;
    CAROM_AUTO(carom_orbit) symmetric = NULL;
    CAROM_AUTO(carom_orbit) other = NULL;
    CAROM_TRY(make_point(o, branch, first_end, &first));
    CAROM_TRY(make_point(o, branch, (first_end + branch->start) / 2, &between));
    CAROM_TRY(find_symmetric(o, branch, &symmetric));
    CAROM_TRY(make_point(o, branch, last - first_end, &other));
    return write(o, branch, (carom_orbit *[]){first, between, symmetric, other});
}
