/** The function phi_c,T(T) whose sign decides about motions with one impact (figure 6). */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Range and samples of the curve, chosen: the harmonics of figure 6 up to the first period. */
static const double CURVE_END = 4.6;
enum { CURVE_SAMPLES = 4601 };

/** Periods between two harmonics where slope and sign are looked at. */
enum { SCAN_SAMPLES = 64 };
/** The outermost of them, from the harmonic, in widths of the interval: roots are farther off than
 * 1e-3 for the paper's chain, and phi is accurate to 1e-6 there. */
static const double SCAN_MARGIN = 1e-9;

double serial_oscillator_phi(const carom_modal_basis *basis, double period) {
    return -carom_kernels_evaluate(basis, period, period).gap;
}

carom_status serial_oscillator_root_around(const oscillator *o, double period, double *root) {
    double lower = 0.0;
    double upper = carom_harmonic_above(o->basis, lower).period;
    while (upper < period) {
        lower = upper;
        upper = carom_harmonic_above(o->basis, lower).period;
    }
    return carom_single_impact_root(o->basis, lower, upper, root);
}

/** What is known of phi between consecutive harmonics up to a period. */
typedef struct scan {
    double smallest_slope; /**< m J^-1/2 / s */
    int root_count;
    int interval_count;
    int most_roots; /**< in one interval */
    int least_roots;
} scan;

/** Changes of sign of phi between two harmonics, and its slope. */
static void scan_interval(const oscillator *o, double lower, double upper, scan *s) {
    int roots = 0;
    double before = NAN;
    for (int i = 0; i < SCAN_SAMPLES; i++) {
        // Denser towards both harmonics, where roots may hide.
        const double angle = acos(-1.0) * i / (SCAN_SAMPLES - 1);
        const double part = 0.5 * (1.0 - cos(angle)) * (1.0 - 2.0 * SCAN_MARGIN) + SCAN_MARGIN;
        const double T = lower + (upper - lower) * part;
        const carom_kernels kernels = carom_kernels_evaluate(o->basis, T, T);
        const double slope = -(kernels.gap_by_argument + kernels.gap_by_period);
        s->smallest_slope = fmin(s->smallest_slope, slope);
        roots += before * kernels.gap < 0.0 ? 1 : 0;
        before = kernels.gap;
    }
    s->root_count += roots;
    s->interval_count++;
    s->most_roots = roots > s->most_roots ? roots : s->most_roots;
    s->least_roots = roots < s->least_roots ? roots : s->least_roots;
}

/** The whole range that the intervals of one impact are looked for in. */
static void write_scan(const oscillator *o) {
    scan s = {.smallest_slope = INFINITY, .least_roots = SCAN_SAMPLES};
    double lower = 0.0;
    while (lower < o->values->max_period) {
        const double upper = carom_harmonic_above(o->basis, lower).period;
        scan_interval(o, lower, upper, &s);
        lower = upper;
    }
    const carom_measure measures[] = {
        {"phi_roots", s.root_count, "1", "roots of phi in the intervals up to max-period"},
        {"phi_intervals", s.interval_count, "1", "intervals between harmonics looked at"},
        {"phi_smallest_slope", s.smallest_slope, "m J-0.5 s-1", "smallest slope of phi"},
    };
    const carom_claim claims[] = {
        {"phi_rises", s.smallest_slope > 0.0, "phi_c,T(T) rises between consecutive harmonics"},
        {"phi_one_root", s.most_roots == 1 && s.least_roots == 1,
         "phi_c,T(T) has one root between consecutive harmonics"},
    };
    carom_record_measures(o->record, measures, COUNT(measures));
    carom_record_claims(o->record, claims, COUNT(claims));
}

/** The curve, cut at its poles. */
static carom_status write_curve(const oscillator *o) {
    CAROM_AUTO_MEMORY double *period = malloc(2 * CURVE_SAMPLES * sizeof *period);
    if (period == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *value = period + CURVE_SAMPLES;
    const double step = CURVE_END / CURVE_SAMPLES;
    for (int i = 0; i < CURVE_SAMPLES; i++) {
        period[i] = step * (i + 1);
        const double distance =
            fabs(period[i] - carom_harmonic_nearest(o->basis, period[i]).period);
        value[i] =
            distance <= 0.5 * step ? (double)NAN : serial_oscillator_phi(o->basis, period[i]);
    }
    carom_record_axis(o->record, "/phi/period", CURVE_SAMPLES, period, "s", "period T");
    carom_record_series(o->record, "/phi/value", value, "/phi/period", NULL, "m J-0.5",
                        "phi_c,T(T); NaN next to a harmonic");
    return CAROM_OK;
}

/** Tables below the curve. */
typedef struct poles {
    int count;
    double *period;
    int *mode;
    int *multiple;
    double *root; /**< [count] of the interval below each harmonic */
} poles;

/** Write the tables. */
static void write_tables(const oscillator *o, const poles *p) {
    carom_record_index_axis(o->record, "/phi/harmonics/harmonic", p->count, "harmonic p T_l");
    carom_record_series(o->record, "/phi/harmonics/period", p->period, "/phi/harmonics/harmonic",
                        NULL, "s", "period p T_l");
    carom_record_integer_series(o->record, "/phi/harmonics/mode", p->mode,
                                "/phi/harmonics/harmonic", NULL, "1", "mode l, from 1");
    carom_record_integer_series(o->record, "/phi/harmonics/multiple", p->multiple,
                                "/phi/harmonics/harmonic", NULL, "1", "multiple p");
    carom_record_index_axis(o->record, "/phi/roots/root", p->count, "root below each harmonic");
    carom_record_series(o->record, "/phi/roots/period", p->root, "/phi/roots/root", NULL, "s",
                        "period at which phi vanishes");
}

/** Harmonics in the range of the curve, and the roots between them. */
static carom_status fill_tables(const oscillator *o, poles *p) {
    double lower = 0.0;
    for (int i = 0; i < p->count; i++) {
        const carom_harmonic harmonic = carom_harmonic_above(o->basis, lower);
        p->period[i] = harmonic.period;
        p->mode[i] = harmonic.mode + 1;
        p->multiple[i] = harmonic.multiple;
        CAROM_TRY(carom_single_impact_root(o->basis, lower, harmonic.period, &p->root[i]));
        lower = harmonic.period;
    }
    write_tables(o, p);
    return CAROM_OK;
}

carom_status serial_oscillator_write_phi(const oscillator *o) {
    CAROM_TRY(write_curve(o));
    poles p = {.count = 0};
    double T = carom_harmonic_above(o->basis, 0.0).period;
    while (T <= CURVE_END) {
        p.count++;
        T = carom_harmonic_above(o->basis, T).period;
    }
    if (p.count > 0) {
        p.period = malloc(2 * (size_t)p.count * sizeof *p.period);
        p.mode = malloc(2 * (size_t)p.count * sizeof *p.mode);
        p.root = p.period == NULL ? NULL : p.period + p.count;
        p.multiple = p.mode == NULL ? NULL : p.mode + p.count;
        const bool has_memory = p.period != NULL && p.mode != NULL;
        const carom_status status = has_memory ? fill_tables(o, &p) : CAROM_STATUS_OUT_OF_MEMORY;
        free(p.mode);
        free(p.period);
        CAROM_TRY(status);
    }
    write_scan(o);
    return CAROM_OK;
}
