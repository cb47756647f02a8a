/** Motions with one impact: phi_c,T(T), all admissible periods, and the continuum next to 4 T_3
 * (section 7.2, figures 6 to 8). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/* --- phi_c,T(T), whose sign decides (figure 6) ------------------------------------------------ */

/** Range and samples of the curve, chosen: the harmonics of figure 6 up to the first period. */
static const double CURVE_END = 4.6;
enum { CURVE_SAMPLES = 4601 };

/** Periods between two harmonics where slope and sign are looked at. */
enum { SCAN_SAMPLES = 64 };
/** The outermost of them, from the harmonic, in widths of the interval: roots are farther off than
 * 1e-3 for the paper's chain, and phi is accurate to 1e-6 there. */
static const double SCAN_MARGIN = 1e-9;

/** phi_c,T(T) over the curve, cut at its poles. */
static carom_status write_curve(const oscillator *o) {
    CAROM_AUTO_MEMORY double *period = malloc(2 * CURVE_SAMPLES * sizeof *period);
    if (period == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *value = period + CURVE_SAMPLES;
    const double step = CURVE_END / CURVE_SAMPLES;
    for (int i = 0; i < CURVE_SAMPLES; i++) {
        const double T = step * (i + 1);
        const double distance = fabs(T - carom_harmonic_nearest(o->basis, T).period);
        period[i] = T;
        value[i] =
            distance <= 0.5 * step ? (double)NAN : -carom_kernels_evaluate(o->basis, T, T).gap;
    }
    carom_record_axis(o->record, "/phi/period", CURVE_SAMPLES, period, "s", "period T");
    carom_record_series(o->record, "/phi/value", value, "/phi/period", NULL, "m J-0.5",
                        "phi_c,T(T); NaN next to a harmonic");
    return CAROM_OK;
}

/** A harmonic below the curve. */
typedef struct pole {
    double period;
    int mode;
    int multiple;
} pole;

static const carom_field POLE_FIELDS[] = {
    CAROM_FIELD("period", pole, period, "s", "period p T_l"),
    CAROM_FIELD("mode", pole, mode, "1", "mode l, from 1"),
    CAROM_FIELD("multiple", pole, multiple, "1", "multiple p"),
};

static carom_status write_harmonics(const oscillator *o) {
    int count = 0;
    for (double T = 0.0; (T = carom_harmonic_above(o->basis, T).period) <= CURVE_END;) {
        count++;
    }
    CAROM_AUTO_MEMORY pole *poles = malloc((size_t)(count + 1) * sizeof *poles);
    if (poles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double T = 0.0;
    for (int i = 0; i < count; i++) {
        const carom_harmonic harmonic = carom_harmonic_above(o->basis, T);
        T = harmonic.period;
        poles[i] = (pole){T, harmonic.mode + 1, harmonic.multiple};
    }
    if (count > 0) {
        carom_record group = carom_record_group(o->record, "/phi/harmonics");
        carom_record_index_axis(&group, "harmonic", count, "harmonic p T_l");
        carom_record_rows(&group, "harmonic", poles, count, sizeof *poles, POLE_FIELDS,
                          COUNT(POLE_FIELDS));
    }
    return CAROM_OK;
}

/** Changes of sign of phi between two harmonics; its smallest slope so far, m J^-1/2 / s. */
static int scan_roots(const oscillator *o, double lower, double upper, double *smallest_slope) {
    int roots = 0;
    double before = NAN;
    for (int i = 0; i < SCAN_SAMPLES; i++) {
        // Denser towards both harmonics, where roots may hide.
        const double angle = acos(-1.0) * i / (SCAN_SAMPLES - 1);
        const double part = 0.5 * (1.0 - cos(angle)) * (1.0 - 2.0 * SCAN_MARGIN) + SCAN_MARGIN;
        const double T = lower + (upper - lower) * part;
        const carom_kernels kernels = carom_kernels_evaluate(o->basis, T, T);
        *smallest_slope = fmin(*smallest_slope, -(kernels.gap_by_argument + kernels.gap_by_period));
        roots += before * kernels.gap < 0.0 ? 1 : 0;
        before = kernels.gap;
    }
    return roots;
}

carom_status serial_oscillator_write_phi(oscillator *o) {
    CAROM_TRY(write_curve(o));
    CAROM_TRY(write_harmonics(o));
    double slope = INFINITY;
    int roots = 0;
    int intervals = 0;
    for (double lower = 0.0; lower < o->values->max_period; intervals++) {
        const double upper = carom_harmonic_above(o->basis, lower).period;
        roots += scan_roots(o, lower, upper, &slope);
        lower = upper;
    }
    carom_record_integer(o->record, "/phi/roots", roots, "1", "roots up to max-period");
    carom_record_integer(o->record, "/phi/intervals", intervals, "1",
                         "intervals between harmonics up to max-period");
    carom_record_scalar(o->record, "/phi/smallest_slope", slope, "m J-0.5 s-1",
                        "smallest slope up to max-period");
    return CAROM_OK;
}

/* --- all admissible periods ------------------------------------------------------------------- */

/** Samples of a half interval: only guesses of its end depend on them. */
enum { INTERVAL_SAMPLES = 200, DENSITY_SAMPLES = 40 };
/** Windows of one period of the lowest mode each, in which the density is taken. */
enum { WINDOW_COUNT = 6 };

/** An interval as it is recorded. */
typedef struct interval_row {
    double lower;
    double upper;
    double root;
    double grazing[2];
} interval_row;

static const carom_field INTERVAL_FIELDS[] = {
    CAROM_FIELD("lower", interval_row, lower, "s", "shortest period"),
    CAROM_FIELD("upper", interval_row, upper, "s", "longest period"),
    CAROM_FIELD("root", interval_row, root, "s", "root of phi between the harmonics around it"),
    CAROM_FIELD_ARRAY(
        "grazing_fraction", interval_row, grazing, "end", "1",
        "instant of the new contact over the period, the other is at 1 minus; NaN: none"),
};

/** The root of phi between the harmonics around a period. */
static carom_status root_around(const oscillator *o, double period, double *root) {
    double lower = 0.0;
    double upper = carom_harmonic_above(o->basis, lower).period;
    while (upper < period) {
        lower = upper;
        upper = carom_harmonic_above(o->basis, lower).period;
    }
    return carom_single_impact_root(o->basis, lower, upper, root);
}

/** Write a list of intervals; nothing if it is empty. */
static carom_status write_intervals(const oscillator *o, const char *path,
                                    const carom_period_intervals *intervals) {
    const int count = intervals->count;
    CAROM_AUTO_MEMORY interval_row *rows = malloc((size_t)(count + 1) * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        const carom_period_interval *one = &intervals->intervals[i];
        rows[i] = (interval_row){
            .lower = one->lower,
            .upper = one->upper,
            .grazing = {one->lower_grazing_time / one->lower, one->upper_grazing_time / one->upper},
        };
        CAROM_TRY(root_around(o, 0.5 * (one->lower + one->upper), &rows[i].root));
    }
    if (count > 0) {
        carom_record group = carom_record_group(o->record, "%s", path);
        carom_record_index_axis(&group, "interval", count,
                                "maximal interval of admissible periods");
        carom_record_index_axis(&group, "end", 2, "lower and upper end");
        carom_record_rows(&group, "interval", rows, count, sizeof *rows, INTERVAL_FIELDS,
                          COUNT(INTERVAL_FIELDS));
    }
    return CAROM_OK;
}

/** Total length of intervals inside a window. */
static double length_within(const carom_period_intervals *intervals, double low, double high) {
    double sum = 0.0;
    for (int i = 0; i < intervals->count; i++) {
        const carom_period_interval *one = &intervals->intervals[i];
        sum += fmax(0.0, fmin(one->upper, high) - fmax(one->lower, low));
    }
    return sum;
}

/** Admissible length in windows of the lowest mode's period (remark 7.1). */
static carom_status write_density(const oscillator *o) {
    const double window = 2.0 * acos(-1.0) / o->basis->frequency[0];
    CAROM_AUTO(carom_period_intervals) all = NULL;
    CAROM_TRY(carom_single_impact_intervals(o->basis, WINDOW_COUNT * window, DENSITY_SAMPLES, NULL,
                                            NULL, &all, o->report));
    double part[WINDOW_COUNT];
    for (int i = 0; i < WINDOW_COUNT; i++) {
        part[i] = length_within(all, i * window, (i + 1) * window) / window;
    }
    carom_record_index_axis(o->record, "/density/window", WINDOW_COUNT,
                            "window of periods of length T_1");
    carom_record_series(o->record, "/density/part", part, "/density/window", NULL, "1",
                        "admissible part of the periods of the window");
    return CAROM_OK;
}

carom_status serial_oscillator_write_intervals(oscillator *o, carom_period_intervals **found) {
    carom_modal_basis opposite = *o->basis;
    opposite.gap_at_rest = -opposite.gap_at_rest;
    const double end = o->values->max_period;
    CAROM_AUTO(carom_period_intervals) prestressed = NULL;
    CAROM_TRY(carom_single_impact_intervals(o->basis, end, INTERVAL_SAMPLES, NULL, NULL, found,
                                            o->report));
    CAROM_TRY(carom_single_impact_intervals(&opposite, end, INTERVAL_SAMPLES, NULL, NULL,
                                            &prestressed, o->report));
    CAROM_TRY(write_intervals(o, "/intervals", *found));
    CAROM_TRY(write_intervals(o, "/intervals_prestressed", prestressed));
    return write_density(o);
}

/* --- the continuum next to 4 T_3 (figures 7 and 8) -------------------------------------------- */

/** Its harmonic: 4 T_3. */
enum { MODE = 2, MULTIPLE = 4 };

/** A period is that harmonic: its error is that of the eigenvalue. */
static const double SAME_PERIOD = 1e-12;

/** Sections of the search for the least energy: its error is the root of rounding. */
enum { GOLDEN_SECTIONS = 60 };

/** The interval that ends at the harmonic; NULL if there is none. */
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
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
    bool found = false;
    CAROM_TRY(
        serial_oscillator_may_miss(carom_single_impact_orbit(o->basis, period, orbit), &found));
    if (found) {
        CAROM_HAND_OVER(orbit, out);
    }
    return CAROM_OK;
}

/** Write one of the six motions if it exists; the largest error of a period by events so far. */
static carom_status write_case(oscillator *o, int number, double period, double harmonic,
                               double *closure) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(make_motion(o, period, &harmonic, &orbit));
    if (orbit == NULL) {
        return CAROM_OK;
    }
    // The first and the last graze: whether that is an impact is for rounding to say.
    if (number > 1 && number < CASE_COUNT) {
        *closure = fmax(*closure, serial_oscillator_closure(o, orbit));
    }
    return serial_oscillator_write_case(o, "/single", number, orbit);
}

/** The six motions: the grazing end, four given periods, the linear mode. */
static carom_status write_cases(oscillator *o, const carom_period_interval *interval,
                                double harmonic) {
    double closure = NAN;
    if (interval->lower_end == CAROM_BRANCH_END_NEW_CONTACT) {
        CAROM_TRY(write_case(o, 1, interval->lower, harmonic, &closure));
    }
    const carom_real_list *periods = &o->values->single_periods;
    for (int i = 0; i < periods->count; i++) {
        const double T = periods->values[i];
        if (T > interval->lower && T < interval->upper) {
            CAROM_TRY(write_case(o, 2 + i, T, harmonic, &closure));
        }
    }
    CAROM_TRY(write_case(o, CASE_COUNT, harmonic, harmonic, &closure));
    carom_record_scalar(o->record, "/single/closure", closure, "1",
                        "largest error of a period by events, motions 2 to 5; NaN: none");
    return CAROM_OK;
}

/** Error of E dT = -(g_0/sqrt G) d lambda along the branch from the middle of the interval. */
static carom_status write_identity(const oscillator *o, const carom_period_interval *interval,
                                   double harmonic) {
    const double middle = 0.5 * (interval->lower + interval->upper);
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_AUTO(carom_orbit_branch) branch = NULL;
    CAROM_TRY(make_motion(o, middle, &harmonic, &orbit));
    bool found = orbit != NULL;
    if (found) {
        CAROM_TRY(serial_oscillator_may_miss(
            carom_orbit_branch_follow(o->basis, orbit, NULL, NULL, NULL, &branch, NULL), &found));
    }
    if (found) {
        carom_record_scalar(o->record, "/single/identity_error", branch->identity_error, "1",
                            "largest error of E dT = -(g_0/sqrt G) d lambda");
    }
    return CAROM_OK;
}

/** Energy of the motion of a period; infinite without one. */
static double energy_at(const oscillator *o, carom_orbit *orbit, double period) {
    const carom_status status = carom_single_impact_orbit(o->basis, period, orbit);
    return status == CAROM_OK ? orbit->energy : (double)INFINITY;
}

/** The least energy of the continuum, by golden sections. */
static carom_status write_least_energy(const oscillator *o, const carom_period_interval *interval) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 1, &orbit));
    const double golden = 0.5 * (sqrt(5.0) - 1.0);
    double low = interval->lower;
    double high = interval->upper;
    for (int i = 0; i < GOLDEN_SECTIONS; i++) {
        const double left = high - golden * (high - low);
        const double right = low + golden * (high - low);
        if (energy_at(o, orbit, left) < energy_at(o, orbit, right)) {
            high = right;
        } else {
            low = left;
        }
    }
    const double T = 0.5 * (low + high);
    const double least = energy_at(o, orbit, T);
    const carom_measure numbers[] = {
        {"/single/least_energy", isfinite(least) ? least : (double)NAN, "J",
         "least energy of the continuum; NaN: none"},
        {"/single/least_energy_period", T, "s", "period of the least energy"},
    };
    carom_record_scalars(o->record, numbers, COUNT(numbers));
    return CAROM_OK;
}

carom_status serial_oscillator_write_single(oscillator *o) {
    if (o->basis->visible_count <= MODE) {
        return CAROM_OK;
    }
    const double harmonic = MULTIPLE * 2.0 * acos(-1.0) / o->basis->frequency[MODE];
    const carom_period_interval *interval = find_interval(o, harmonic);
    if (interval == NULL) {
        return CAROM_OK;
    }
    const carom_measure ends[] = {
        {"/single/lower", interval->lower, "s", "shortest period"},
        {"/single/upper", interval->upper, "s", "longest period: the harmonic 4 T_3"},
        {"/single/grazing_fraction", interval->lower_grazing_time / interval->lower, "1",
         "instant of the new contact at the shortest period, over the period; NaN: none"},
    };
    carom_record_scalars(o->record, ends, COUNT(ends));
    CAROM_TRY(write_cases(o, interval, harmonic));
    CAROM_TRY(write_identity(o, interval, harmonic));
    CAROM_TRY(write_least_energy(o, interval));
    return interval->lower_end == CAROM_BRANCH_END_NEW_CONTACT
               ? serial_oscillator_write_surface(o, "/single", interval->lower, interval->upper,
                                                 make_motion, &harmonic)
               : CAROM_OK;
}
