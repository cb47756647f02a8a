/** The continuum of motions with one impact next to 4 T_3 (figures 7 and 8). */
#include "results.h"

#include <math.h>

/** The harmonic of figures 7 and 8: 4 T_3. */
enum { MODE = 2, MULTIPLE = 4 };

/** A period is that harmonic: its error is that of the eigenvalue. */
static const double SAME_PERIOD = 1e-12;

/** The interval that ends at the harmonic. */
static const carom_period_interval *find_interval(const oscillator *o, double harmonic) {
    for (int i = 0; i < o->intervals->count; i++) {
        const carom_period_interval *one = &o->intervals->intervals[i];
        if (one->upper_end == CAROM_BRANCH_END_HARMONIC &&
            fabs(one->upper - harmonic) < SAME_PERIOD * harmonic) {
            return one;
        }
    }
    return NULL;
}

/** The motion of a period inside the interval, or at its ends; the context is the harmonic. */
static carom_status make_motion(const oscillator *o, double period, const void *context,
                                carom_orbit **out) {
    const double harmonic = *(const double *)context;
    if (fabs(period - harmonic) < SAME_PERIOD * harmonic) {
        return serial_oscillator_solve(o, 1, &harmonic, harmonic, out);
    }
    *out = NULL;
    carom_orbit *orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
    bool found = false;
    const carom_status status =
        serial_oscillator_may_miss(carom_single_impact_orbit(o->basis, period, orbit), &found);
    if (found) {
        *out = orbit;
    } else {
        carom_orbit_free(orbit);
    }
    return status;
}

/** The six motions: the grazing end, four given periods, the linear mode. */
static carom_status make_cases(const oscillator *o, single_mode *s) {
    if (s->interval->lower_end == CAROM_BRANCH_END_NEW_CONTACT) {
        CAROM_TRY(make_motion(o, s->interval->lower, &s->harmonic, &s->cases[0]));
    }
    const carom_real_list *periods = &o->values->single_periods;
    for (int i = 0; i < periods->count; i++) {
        const double T = periods->values[i];
        if (T > s->interval->lower && T < s->interval->upper) {
            CAROM_TRY(make_motion(o, T, &s->harmonic, &s->cases[1 + i]));
        }
    }
    return make_motion(o, s->harmonic, &s->harmonic, &s->cases[CASE_COUNT - 1]);
}

/** Write the motions that exist. */
static carom_status write_cases(const oscillator *o, const single_mode *s) {
    for (int i = 0; i < CASE_COUNT; i++) {
        if (s->cases[i] != NULL) {
            CAROM_TRY(serial_oscillator_write_case(o, "/single", i + 1, s->cases[i]));
        }
    }
    return CAROM_OK;
}

/** Follow the whole branch from the middle of the interval and write it. */
static carom_status write_branch(const oscillator *o, single_mode *s) {
    const double middle = 0.5 * (s->interval->lower + s->interval->upper);
    carom_orbit *orbit = NULL;
    CAROM_TRY(make_motion(o, middle, &s->harmonic, &orbit));
    if (orbit == NULL) {
        return CAROM_OK;
    }
    bool found = false;
    const carom_status status = serial_oscillator_may_miss(
        carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, &s->branch, NULL), &found);
    carom_orbit_free(orbit);
    CAROM_TRY(status);
    if (!found) {
        return CAROM_OK;
    }
    carom_record_index_axis(o->record, "/single/branch/point", s->branch->point_count,
                            "point of the continuum");
    const carom_column columns[] = {
        {"period", s->branch->period, "s", "period T"},
        {"lambda", s->branch->lambda, "J0.5", "lambda of the impact; NaN at infinite speed"},
        {"energy", s->branch->energy, "J", "energy E; NaN at infinite speed"},
        {"spectral_radius", s->branch->spectral_radius, "1",
         "largest modulus of the multipliers; NaN: undefined"},
    };
    serial_oscillator_write_columns(o, "/single/branch", "/single/branch/point", NULL, columns,
                                    COUNT(columns));
    return CAROM_OK;
}

/** Everything of the continuum that exists. */
static carom_status write_mode(const oscillator *o, single_mode *s) {
    const carom_measure interval[] = {
        {"lower", s->interval->lower, "s", "shortest period"},
        {"upper", s->interval->upper, "s", "longest period: the harmonic 4 T_3"},
        {"grazing_fraction", s->interval->lower_grazing_time / s->interval->lower, "1",
         "instant of the new contact at the shortest period, over the period"},
    };
    serial_oscillator_write_scalars(o, "/single", interval, COUNT(interval));
    CAROM_TRY(make_cases(o, s));
    CAROM_TRY(write_cases(o, s));
    CAROM_TRY(write_branch(o, s));
    if (s->cases[0] != NULL) {
        CAROM_TRY(serial_oscillator_write_surface(o, "/single", s->interval->lower,
                                                  s->interval->upper, make_motion, &s->harmonic));
    }
    return serial_oscillator_claim_single(o, s);
}

carom_status serial_oscillator_write_single(const oscillator *o) {
    if (o->basis->visible_count <= MODE) {
        return CAROM_OK;
    }
    single_mode s = {.harmonic = MULTIPLE * 2.0 * acos(-1.0) / o->basis->frequency[MODE]};
    s.interval = find_interval(o, s.harmonic);
    if (s.interval == NULL) {
        return CAROM_OK;
    }
    const carom_status status = write_mode(o, &s);
    carom_orbit_branch_free(s.branch);
    for (int i = 0; i < CASE_COUNT; i++) {
        carom_orbit_free(s.cases[i]);
    }
    return status;
}
