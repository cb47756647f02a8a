/** Where motions with one and two impacts are: phi_c,T(T) and the admissible periods (section 7.2,
 * figure 6), the set S of flight times (section 7.3, figure 9), and all families of constant
 * period. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/* --- phi_c,T(T), whose sign decides (figure 6) ------------------------------------------------ */

/** Range and samples of the curve, chosen: the harmonics of figure 6 up to the first period. */
static const double CURVE_END = 4.6;
enum { CURVE_SAMPLES = 4601 };

/** A point of the curve. */
typedef struct phi_row {
    double period;
    double value;
} phi_row;

static const carom_field PHI_FIELDS[] = {
    CAROM_FIELD("period", phi_row, period, "s", "period T"),
    CAROM_FIELD("value", phi_row, value, "m J-0.5", "phi_c,T(T); NaN next to a harmonic"),
};

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

/** phi_c,T(T) over the curve, cut at its poles, and these. */
static carom_status write_curve(const oscillator *o, carom_record *phi) {
    const double step = CURVE_END / CURVE_SAMPLES;
    phi_row rows[CURVE_SAMPLES];
    for (int i = 0; i < CURVE_SAMPLES; i++) {
        const double T = step * (i + 1);
        const double distance = fabs(T - carom_harmonic_nearest(o->basis, T).period);
        rows[i] = (phi_row){
            T, distance <= 0.5 * step ? (double)NAN : -carom_kernels_evaluate(o->basis, T, T).gap};
    }
    carom_record_rows(phi, "period", rows, CURVE_SAMPLES, sizeof *rows, PHI_FIELDS,
                      COUNT(PHI_FIELDS));
    int count = 0;
    for (double T = 0.0; (T = carom_harmonic_above(o->basis, T).period) <= CURVE_END;) {
        count++;
    }
    CAROM_AUTO_MEMORY pole *poles = malloc((size_t)(count + 1) * sizeof *poles);
    if (poles == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int i = 0; i < count; i++) {
        const carom_harmonic harmonic =
            carom_harmonic_above(o->basis, i == 0 ? 0.0 : poles[i - 1].period);
        poles[i] = (pole){harmonic.period, harmonic.mode + 1, harmonic.multiple};
    }
    if (count > 0) {
        carom_record group = carom_record_group(phi, "harmonics");
        carom_record_index_axis(&group, "harmonic", count, "harmonic p T_l");
        carom_record_rows(&group, "harmonic", poles, count, sizeof *poles, POLE_FIELDS,
                          COUNT(POLE_FIELDS));
    }
    return CAROM_OK;
}

static carom_status write_phi(const oscillator *o) {
    carom_record phi = carom_record_group(o->record, "/phi");
    CAROM_TRY(write_curve(o, &phi));
    double slope = INFINITY;
    int roots = 0;
    int intervals = 0;
    for (double lower = 0.0; lower < o->values->max_period; intervals++) {
        const double upper = carom_harmonic_above(o->basis, lower).period;
        roots += carom_single_impact_scan(o->basis, lower, upper, &slope);
        lower = upper;
    }
    carom_record_integer(&phi, "roots", roots, "1", "roots up to max-period");
    carom_record_integer(&phi, "intervals", intervals, "1",
                         "intervals between harmonics up to max-period");
    carom_record_scalar(&phi, "smallest_slope", slope, "m J-0.5 s-1",
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

/** Admissible length in windows of the lowest mode's period (remark 7.1). */
static carom_status write_density(const oscillator *o) {
    const double window = 2.0 * acos(-1.0) / o->basis->frequency[0];
    CAROM_AUTO(carom_period_intervals) all = NULL;
    CAROM_TRY(carom_single_impact_intervals(o->basis, WINDOW_COUNT * window, DENSITY_SAMPLES, NULL,
                                            NULL, &all, o->report));
    double part[WINDOW_COUNT];
    for (int k = 0; k < WINDOW_COUNT; k++) {
        part[k] = carom_period_intervals_part(all, k * window, (k + 1) * window);
    }
    carom_record_index_axis(o->record, "/density/window", WINDOW_COUNT,
                            "window of periods of length T_1");
    carom_record_series(o->record, "/density/part", part, "/density/window", NULL, "1",
                        "admissible part of the periods of the window");
    return CAROM_OK;
}

carom_status serial_oscillator_write_periods(oscillator *o, carom_period_intervals **found) {
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
    CAROM_TRY(write_density(o));
    return write_phi(o);
}

/* --- two impacts: the set S and the points (7.22) (figure 9) ---------------------------------- */

/** Side of the square of figure 9, chosen, and the grid on its triangle. */
static const double SIDE = 4.5;
enum { CURVE_CELLS = 300 };

/** A vertex of a curve. */
typedef struct vertex {
    double sigma_1;
    double sigma_2;
} vertex;

static const carom_field VERTEX_FIELDS[] = {
    CAROM_FIELD("sigma_1", vertex, sigma_1, "s",
                "first flight, the longer one; NaN between curves"),
    CAROM_FIELD("sigma_2", vertex, sigma_2, "s", "second flight; NaN between curves"),
};

static const carom_field POINT_FIELDS[] = {
    CAROM_FIELD("sigma_1", carom_two_impacts_point, sigma_1, "s", "first flight p/2 T_i"),
    CAROM_FIELD("sigma_2", carom_two_impacts_point, sigma_2, "s", "second flight (q - p/2) T_i"),
    CAROM_FIELD("mode", carom_two_impacts_point, mode, "1", "mode i, from 1"),
    CAROM_FIELD("half_periods", carom_two_impacts_point, half_periods, "1",
                "p of the first flight"),
    CAROM_FIELD("lambda_below", carom_two_impacts_point, lambda_below, "J0.5",
                "lambda of a period that is a millionth smaller; NaN: infinite"),
    CAROM_FIELD("lambda_above", carom_two_impacts_point, lambda_above, "J0.5",
                "lambda of a period that is a millionth larger; NaN: infinite"),
};

/** Copy the curves into the square, cut by NaN rows; returns the number of rows. */
static int clip(const carom_flight_time_curves *curves, vertex *rows) {
    int row = 0;
    bool is_cut = true;
    for (int c = 0; c < curves->count; c++) {
        const carom_flight_time_curve *curve = &curves->curves[c];
        const int count = curve->count + (curve->is_closed != 0 ? 1 : 0);
        for (int i = 0; i <= count; i++) {
            const int at = i == curve->count ? 0 : i;
            const bool is_inside = i < count && curve->sigma_1[at] <= SIDE;
            if (is_inside) {
                rows[row++] = (vertex){curve->sigma_1[at], curve->sigma_2[at]};
            } else if (!is_cut) {
                rows[row++] = (vertex){NAN, NAN};
            }
            is_cut = !is_inside;
        }
    }
    return row;
}

/** Write the curves a = 0. */
static carom_status write_curves(const oscillator *o) {
    CAROM_AUTO(carom_flight_time_curves) curves = NULL;
    CAROM_TRY(carom_two_impacts_curves(o->basis, 2.0 * SIDE, CURVE_CELLS, &curves, o->report));
    int total = 0;
    for (int c = 0; c < curves->count; c++) {
        total += curves->curves[c].count + 2;
    }
    CAROM_AUTO_MEMORY vertex *rows = malloc((size_t)(total + 1) * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    const int count = clip(curves, rows);
    if (count > 0) {
        carom_record group = carom_record_group(o->record, "/double/curves");
        carom_record_index_axis(&group, "vertex", count, "vertex of the curves");
        carom_record_rows(&group, "vertex", rows, count, sizeof *rows, VERTEX_FIELDS,
                          COUNT(VERTEX_FIELDS));
    }
    return CAROM_OK;
}

/** Write the points where curves meet harmonics. */
static carom_status write_points(const oscillator *o) {
    const int count = carom_two_impacts_points(o->basis, SIDE, NULL);
    CAROM_AUTO_MEMORY carom_two_impacts_point *points =
        malloc((size_t)(count + 1) * sizeof *points);
    if (points == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    if (carom_two_impacts_points(o->basis, SIDE, points) > 0) {
        carom_record group = carom_record_group(o->record, "/double/dots");
        carom_record_index_axis(&group, "dot", count, "point (7.22)");
        carom_record_rows(&group, "dot", points, count, sizeof *points, POINT_FIELDS,
                          COUNT(POINT_FIELDS));
    }
    return CAROM_OK;
}

carom_status serial_oscillator_write_flights(oscillator *o) {
    carom_record_index_axis(o->record, "/double/impact", 2, "impact of the period");
    CAROM_TRY(write_curves(o));
    return write_points(o);
}

/* --- two impacts at constant period ----------------------------------------------------------- */

/** Cells along a side of the grid on which the curves are found that hold the families. */
enum { FAMILY_CELLS = 200 };

/** A family as it is recorded. */
typedef struct family_row {
    double sigma_1;
    double period;
    double lambda_sum;
    double energy_end;
    double energy_middle;
    double largest_middle;
    int is_bridge;
    int is_full;
} family_row;

static const carom_field FAMILY_FIELDS[] = {
    CAROM_FIELD("sigma_1", family_row, sigma_1, "s", "first flight"),
    CAROM_FIELD("period", family_row, period, "s", "period T"),
    CAROM_FIELD("lambda_sum", family_row, lambda_sum, "J0.5", "lambda_1 + lambda_2 of all members"),
    CAROM_FIELD("energy_end", family_row, energy_end, "J", "energy of the member lambda_1 = 0"),
    CAROM_FIELD("energy_middle", family_row, energy_middle, "J",
                "energy of the member lambda_1 = lambda_2"),
    CAROM_FIELD("largest_middle", family_row, largest_middle, "m",
                "largest position of the last mass in this member, sampled"),
    CAROM_FIELD("is_bridge", family_row, is_bridge, "1", "1 if both flights are equal"),
    CAROM_FIELD("is_full", family_row, is_full, "1",
                "1 if all members with lambda >= 0 are admissible"),
};

/** Largest position of the last mass at samples over a period. */
static double largest_position(oscillator *o, const carom_orbit *orbit) {
    const int count = o->values->points;
    double largest = -INFINITY;
    for (int i = 0; i < count; i++) {
        carom_orbit_periodic_motion(o->basis, orbit, orbit->period * i / count, o->position, NULL,
                                    o->state);
        largest = fmax(largest, o->position[o->basis->coordinate_count - 1]);
    }
    return largest;
}

/** Write /families: those of both lists that have admissible members. */
static carom_status write_table(oscillator *o,
                                const carom_constant_period_families *const lists[2]) {
    CAROM_AUTO(carom_orbit) orbit = NULL;
    CAROM_TRY(carom_orbit_alloc(o->basis, 2, &orbit));
    const size_t capacity = (size_t)lists[0]->count + (size_t)lists[1]->count + 1;
    CAROM_AUTO_MEMORY family_row *rows = malloc(capacity * sizeof *rows);
    if (rows == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    int count = 0;
    for (int i = 0; i < lists[0]->count + lists[1]->count; i++) {
        const int j = i - lists[0]->count;
        const carom_constant_period_family *one =
            j < 0 ? &lists[0]->families[i] : &lists[1]->families[j];
        if (isnan(one->lower_lambda)) {
            continue;
        }
        family_row *row = &rows[count++];
        *row = (family_row){
            .sigma_1 = one->sigma_1,
            .period = one->sigma_1 + one->sigma_2,
            .lambda_sum = one->lambda_sum,
            .is_bridge = one->is_bridge,
            .is_full = one->is_full,
        };
        CAROM_TRY(carom_constant_period_member(o->basis, one, 0.0, orbit));
        row->energy_end = orbit->energy;
        CAROM_TRY(carom_constant_period_member(o->basis, one, 0.5 * one->lambda_sum, orbit));
        row->energy_middle = orbit->energy;
        row->largest_middle = largest_position(o, orbit);
    }
    if (count > 0) {
        carom_record group = carom_record_group(o->record, "/families");
        carom_record_index_axis(&group, "family", count,
                                "families with admissible members, bridges last");
        carom_record_rows(&group, "family", rows, count, sizeof *rows, FAMILY_FIELDS,
                          COUNT(FAMILY_FIELDS));
    }
    return CAROM_OK;
}

carom_status serial_oscillator_write_table(oscillator *o,
                                           carom_constant_period_families **bridges) {
    const double end = o->values->max_period;
    CAROM_AUTO(carom_flight_time_curves) curves = NULL;
    CAROM_AUTO(carom_constant_period_families) pairs = NULL;
    CAROM_TRY(carom_two_impacts_curves(o->basis, end, FAMILY_CELLS, &curves, o->report));
    CAROM_TRY(carom_constant_period_on_curves(o->basis, curves, &pairs, o->report));
    CAROM_TRY(carom_constant_period_bridges(o->basis, end, bridges, o->report));
    return write_table(o, (const carom_constant_period_families *[]){pairs, *bridges});
}
