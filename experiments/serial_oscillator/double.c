/** The continuum of motions with two impacts next to 3 T_3 (figures 9 to 11). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** The harmonic of figures 10 and 11, 3 T_3, approached at (2 T_3, T_3). */
enum { MODE = 2, MULTIPLE = 3, FIRST_FLIGHT = 2 };

/** Where the branch is started: so near the harmonic that the point is a good guess. */
static const double START = 1e-2;
/** A period is that of the harmonic: its error is that of the eigenvalue. */
static const double SAME_PERIOD = 1e-12;

/** What a motion of a given period is found from. */
typedef struct followed {
    const carom_orbit_branch *branch;
    double harmonic;
} followed;

/** The motion of a period on the branch: from its nearest point, to that period. */
static carom_status make_motion(const oscillator *o, double period, const void *context,
                                carom_orbit **out) {
    const followed *b = context;
    const double mode_period = b->harmonic / MULTIPLE;
    const double dot[2] = {FIRST_FLIGHT * mode_period, b->harmonic - FIRST_FLIGHT * mode_period};
    if (fabs(period - b->harmonic) < SAME_PERIOD * b->harmonic) {
        return serial_oscillator_solve(o, 2, dot, b->harmonic, out);
    }
    int nearest = 0;
    for (int i = 1; i < b->branch->point_count; i++) {
        if (fabs(b->branch->period[i] - period) < fabs(b->branch->period[nearest] - period)) {
            nearest = i;
        }
    }
    return serial_oscillator_solve(o, 2, b->branch->flight_times + 2 * (size_t)nearest, period,
                                   out);
}

/** Follow the branch from beside the harmonic: on its left for a positive gap, on its right else.
 */
static carom_status follow(const oscillator *o, double_mode *d) {
    const double side = o->values->gap > 0.0 ? -1.0 : 1.0;
    const double T = d->harmonic * (1.0 + side * START);
    const double guess[2] = {FIRST_FLIGHT * T / MULTIPLE, T - FIRST_FLIGHT * T / MULTIPLE};
    carom_orbit *orbit = NULL;
    CAROM_TRY(serial_oscillator_solve(o, 2, guess, T, &orbit));
    if (orbit == NULL) {
        return CAROM_OK;
    }
    bool found = false;
    carom_status status = CAROM_OK;
    if (serial_oscillator_is_admissible(o, orbit)) {
        status = serial_oscillator_may_miss(
            carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, &d->branch, NULL), &found);
    }
    carom_orbit_free(orbit);
    return status;
}

/** Write the branch; work [3][point_count]. */
static void write_points(const oscillator *o, const carom_orbit_branch *branch, double *work) {
    const int count = branch->point_count;
    double *sigma_1 = work;
    double *sigma_2 = work + count;
    double *lambda = work + 2 * count;
    for (int i = 0; i < count; i++) {
        sigma_1[i] = branch->flight_times[2 * i];
        sigma_2[i] = branch->flight_times[2 * i + 1];
        lambda[i] = branch->lambda[2 * i];
    }
    const carom_column columns[] = {
        {"period", branch->period, "s", "period T"},
        {"sigma_1", sigma_1, "s", "first flight"},
        {"sigma_2", sigma_2, "s", "second flight"},
        {"lambda", lambda, "J0.5", "lambda of both impacts; NaN at infinite speed"},
        {"energy", branch->energy, "J", "energy E; NaN at infinite speed"},
        {"spectral_radius", branch->spectral_radius, "1",
         "largest modulus of the multipliers; NaN: undefined"},
    };
    const char *axis = "/double/branch/point";
    carom_record_index_axis(o->record, axis, count, "point of the branch");
    serial_oscillator_write_columns(o, "/double/branch", axis, NULL, columns, COUNT(columns));
}

/** Write the branch and its ends. */
static carom_status write_branch(const oscillator *o, const carom_orbit_branch *branch) {
    double *work = malloc(3 * (size_t)branch->point_count * sizeof *work);
    if (work == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    write_points(o, branch, work);
    free(work);
    carom_record_string(o->record, "/double/branch/first_end",
                        carom_branch_end_name(branch->ends[0]),
                        carom_branch_end_sentence(branch->ends[0]));
    carom_record_string(o->record, "/double/branch/last_end",
                        carom_branch_end_name(branch->ends[1]),
                        carom_branch_end_sentence(branch->ends[1]));
    return CAROM_OK;
}

/** The six motions: five given periods, the linear mode. */
static carom_status make_cases(const oscillator *o, double_mode *d) {
    const followed b = {d->branch, d->harmonic};
    const carom_orbit_branch *branch = d->branch;
    const double one = branch->period[0];
    const double other = branch->period[branch->point_count - 1];
    const carom_real_list *periods = &o->values->double_periods;
    for (int i = 0; i < periods->count; i++) {
        const double T = periods->values[i];
        if (T > fmin(one, other) && T < fmax(one, other)) {
            CAROM_TRY(make_motion(o, T, &b, &d->cases[i]));
        }
    }
    CAROM_TRY(make_motion(o, d->harmonic, &b, &d->cases[CASE_COUNT - 1]));
    for (int i = 0; i < CASE_COUNT; i++) {
        if (d->cases[i] != NULL) {
            CAROM_TRY(serial_oscillator_write_case(o, "/double", i + 1, d->cases[i]));
        }
    }
    return CAROM_OK;
}

/** Everything of the continuum that exists. */
static carom_status write_mode(const oscillator *o, double_mode *d) {
    CAROM_TRY(follow(o, d));
    if (d->branch == NULL) {
        return CAROM_OK;
    }
    CAROM_TRY(write_branch(o, d->branch));
    CAROM_TRY(make_cases(o, d));
    if (d->cases[0] != NULL) {
        const followed b = {d->branch, d->harmonic};
        CAROM_TRY(serial_oscillator_write_surface(o, "/double", d->cases[0]->period, d->harmonic,
                                                  make_motion, &b));
    }
    serial_oscillator_claim_double(o, d);
    return CAROM_OK;
}

carom_status serial_oscillator_write_double(const oscillator *o) {
    carom_record_index_axis(o->record, "/double/impact", 2, "impact of the period");
    CAROM_TRY(serial_oscillator_write_flight_times(o));
    if (o->basis->visible_count <= MODE) {
        return CAROM_OK;
    }
    double_mode d = {.harmonic = MULTIPLE * 2.0 * acos(-1.0) / o->basis->frequency[MODE]};
    const carom_status status = write_mode(o, &d);
    carom_orbit_branch_free(d.branch);
    for (int i = 0; i < CASE_COUNT; i++) {
        carom_orbit_free(d.cases[i]);
    }
    return status;
}
