/**
 * critical_region: where collisionless motion ceases to exist (pankov-2024 section 5, figure 2,
 * appendix D).
 *
 *     rank B(tau, tau') < N,   lambda_1 < lambda'_1 < ... < lambda'_{N-1} < lambda_N   (13), (6)
 *
 * as lambda'_{N-1} -> 0+. Printed in the paper: N = 4, lambda'_{N-1} = 0.01 s-2, |lambda_i| of
 * order one. Not printed: the spectrum of figure 2, the parities, the ranges of its axes, and how
 * spectra were sampled. Chosen: the spectrum below, even modes and odd constrained ones as in
 * section 6, and, with --random-spectrum and for all statements about random spectra, 2N-3 numbers
 * uniform in
 * (-4,-0.3) s-2, sorted and assigned to the two phases in turn, and lambda_N uniform in (0.5,3)
 * s-2.
 *
 * In critical_region/: limit.c the equation of the critical time, the way to it and the formulas of
 * appendix D; random.c random spectra. What the paper says is asked of the record, in
 * data/published/critical_region.csv.
 */
#include "critical_region/results.h"

#include <carom/study/collisionless_record.h>

#include <gsl/gsl_math.h>
#include <math.h>

/** Least phases of the window: at zero every determinant vanishes. */
static const double LEAST_PHASE = 0.02;

/** Cells of the grid that a quarter turn needs at least, so that no branch slips through. */
enum { CELLS_PER_QUARTER = 4 };

/* --- the spectra of figure 2 ------------------------------------------------------------------ */

carom_impact_phase_window critical_region_window(const settings *v) {
    return (carom_impact_phase_window){
        .min_phase = LEAST_PHASE,
        .max_phase = v->max_phase,
        .min_constrained_phase = LEAST_PHASE,
        .max_constrained_phase = v->max_constrained_phase,
        .columns = v->grid_columns,
        .rows = v->grid_rows,
    };
}

/** The grid resolves every quarter turn of a phase. */
static carom_status check_cells(const char *quantity, int cells, double max_phase,
                                const char *accepted, carom_report *report) {
    const double least = CELLS_PER_QUARTER * max_phase / M_PI_2;
    return cells < least ? carom_report_bound(report, quantity, cells, accepted, ceil(least))
                         : CAROM_OK;
}

/** The spectra of the options; their lengths fit. */
static carom_status make_spectra(const settings *v, carom_phase_spectra **out,
                                 carom_report *report) {
    return carom_phase_spectra_make(v->spectrum.count, v->spectrum.values,
                                    v->constrained_spectrum.values, (carom_parity)v->parity,
                                    (carom_parity)v->constrained_parity, out, report);
}

/** Spectra that have a critical limit, approached from one oscillating mode in each phase. */
static carom_status check_spectra(const settings *v, carom_report *report) {
    CAROM_AUTO(carom_phase_spectra) spectra = NULL;
    CAROM_AUTO(carom_critical_region) region = NULL;
    CAROM_AUTO(carom_reduced_matrix) reduced = NULL;
    if (v->constrained_spectrum.count != v->spectrum.count - 1) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --constrained-spectrum is %d, one less than that of "
                                "--spectrum, %d, expected",
                                v->constrained_spectrum.count, v->spectrum.count - 1);
    }
    CAROM_TRY(make_spectra(v, &spectra, report));
    CAROM_TRY(carom_critical_region_alloc(spectra, &region, report));
    const int N = spectra->mode_count;
    if (!(spectra->constrained[N - 2] > 0.0)) {
        return carom_report_refuse(report, "last of --constrained-spectrum",
                                   spectra->constrained[N - 2], -1, "> 0");
    }
    if (!(v->sweep_from < spectra->unconstrained[N - 1])) {
        return carom_report_bound(report, "sweep from", v->sweep_from,
                                  "below the last of --spectrum,", spectra->unconstrained[N - 1]);
    }
    // The paper's matrix has no place for eigenvalues that are zero to rounding.
    return carom_reduced_matrix_alloc(spectra, &reduced, report);
}

/** Every lambda_N that is drawn lies above what is given. */
static carom_status check_drawn(const settings *v, carom_report *report) {
    const bool is_low = v->critical_eigenvalue < CAROM_RANDOM_SPECTRA_LEAST_OSCILLATING;
    const double value = is_low ? v->sweep_from : v->critical_eigenvalue;
    return value < CAROM_RANDOM_SPECTRA_LEAST_OSCILLATING
               ? CAROM_OK
               : carom_report_bound(report, is_low ? "sweep from" : "critical eigenvalue", value,
                                    "below that of every drawn mode,",
                                    CAROM_RANDOM_SPECTRA_LEAST_OSCILLATING);
}

/** Refuse options that do not fit together. */
static carom_status check(void *context, carom_report *report) {
    const settings *v = context;
    const carom_impact_phase_window window = critical_region_window(v);
    CAROM_TRY(carom_impact_phase_window_check(&window, report));
    CAROM_TRY(check_cells("grid columns", v->grid_columns, v->max_phase,
                          "four for each quarter turn of --max-phase,", report));
    CAROM_TRY(check_cells("grid rows", v->grid_rows, v->max_constrained_phase,
                          "four for each quarter turn of --max-constrained-phase,", report));
    if (!(v->sweep_to < v->sweep_from)) {
        return carom_report_bound(report, "sweep to", v->sweep_to,
                                  "below --sweep-from =", v->sweep_from);
    }
    return v->is_random ? check_drawn(v, report) : check_spectra(v, report);
}

static void critical_clear(critical *c) {
    carom_critical_region_free(c->region);
    carom_phase_spectra_free(c->spectra);
}

static carom_status draw_spectra(critical *c) {
    const carom_random_spectra from = {
        .seed = c->common->seed,
        .kind = CAROM_SPECTRA_CRITICAL,
        .critical_eigenvalue = c->values->critical_eigenvalue,
    };
    CAROM_TRY(carom_random_spectra_draw(&from, 0, c->values->mode_count, &c->spectra, c->report));
    for (int i = 0; i < c->spectra->mode_count; i++) {
        c->spectra->unconstrained_parity[i] = (carom_parity)c->values->parity;
    }
    for (int j = 0; j < c->spectra->mode_count - 1; j++) {
        c->spectra->constrained_parity[j] = (carom_parity)c->values->constrained_parity;
    }
    return CAROM_OK;
}

/** The spectra, their limit, and the columns whose cells lie within the window. */
static carom_status find_spectra(critical *c) {
    CAROM_TRY(c->values->is_random ? draw_spectra(c)
                                   : make_spectra(c->values, &c->spectra, c->report));
    CAROM_TRY(carom_critical_region_alloc(c->spectra, &c->region, c->report));
    c->first_column = c->values->parity == CAROM_PARITY_EVEN ? 2 : 1;
    double cell[4];
    CAROM_TRY(carom_asymptotic_roots_cell(c->spectra, c->first_column, 0, cell));
    const double columns = floor((c->values->max_phase - cell[1]) / M_PI) + 1.0;
    c->column_count = columns > 0.0 ? (int)columns : 0;
    return CAROM_OK;
}

static carom_status write_spectra(const critical *c) {
    const carom_phase_spectra *s = c->spectra;
    const carom_column unconstrained = {"unconstrained", s->unconstrained, "s-2", "lambda"};
    const carom_column constrained = {"constrained", s->constrained, "s-2", "lambda'"};
    carom_record group = carom_record_group(c->record, "/spectra");
    carom_record_index_axis(&group, "mode", s->mode_count, "unconstrained mode");
    carom_record_index_axis(&group, "constrained_mode", s->mode_count - 1, "constrained mode");
    carom_record_columns(&group, "mode", NULL, &unconstrained, 1);
    carom_record_columns(&group, "constrained_mode", NULL, &constrained, 1);
    carom_record_integer(&group, "mode_count", s->mode_count, "1", "N");
    carom_record_scalar(&group, "inverse_slope", carom_asymptotic_roots_inverse_slope(s), "s",
                        "1/c_0 for large times, in closed form");
    return CAROM_OK;
}

/* --- figure 2 --------------------------------------------------------------------------------- */

/** Least and largest value of a part of an array, apart. */
static double extent(const double *values, int from, int to) {
    double least = HUGE_VAL;
    double largest = -HUGE_VAL;
    for (int i = from; i < to; i++) {
        least = fmin(least, values[i]);
        largest = fmax(largest, values[i]);
    }
    return largest - least;
}

/** The curves of a family that run through the window along one of its sides, of a length. */
static int count_through(const carom_determinant_curves *curves, carom_determinant_family family,
                         const double *phase, double side) {
    const double part = 0.9; // of the side that a curve covers
    int count = 0;
    for (int k = 0; k < curves->polyline_count; k++) {
        const int from = curves->first[k];
        count += curves->family[from] == (int)family &&
                 extent(phase, from, curves->first[k + 1]) > part * side;
    }
    return count;
}

/** The zero contours of both determinants, and which way they run. */
static carom_status write_curves(const critical *c) {
    const carom_impact_phase_window window = critical_region_window(c->values);
    const double width = window.max_phase - window.min_phase;
    const double height = window.max_constrained_phase - window.min_constrained_phase;
    CAROM_AUTO(carom_determinant_curves) curves = NULL;
    CAROM_TRY(carom_determinant_curves_trace(c->spectra, &window, &curves, c->report));
    const carom_measure measures[] = {
        {"without_mode_up",
         count_through(curves, CAROM_DETERMINANT_WITHOUT_MODE, curves->constrained_phase, height),
         "1", "curves det B_(N) = 0 that run through the window from bottom to top"},
        {"without_force_along",
         count_through(curves, CAROM_DETERMINANT_WITHOUT_FORCE, curves->phase, width), "1",
         "curves det B_(N+1) = 0 that run through the window from left to right"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    return carom_collisionless_record_curves(c->record, c->spectra, curves, false);
}

/** All roots of the window, which of them are motions, and the crossings of the curves, the paper's
 * way to them. */
static carom_status write_roots(const critical *c) {
    const carom_impact_phase_window window = critical_region_window(c->values);
    const carom_root_search_params box = carom_impact_phase_window_box(&window, c->spectra);
    CAROM_AUTO(carom_root_list) roots = NULL;
    CAROM_AUTO(carom_phase_modes) modes = NULL;
    CAROM_TRY(carom_impact_roots_find(c->spectra, &box, &roots, c->report));
    CAROM_TRY(carom_phase_modes_realize(c->spectra, 1.0, NULL, NULL, &modes, c->report));
    const carom_collisionless_record writer = {
        .record = c->record,
        .modes = modes,
        .scale = CAROM_MOTION_SCALE_AMPLITUDE,
        .size = 1.0,
        .units = carom_collisionless_units_default(),
    };
    CAROM_TRY(carom_collisionless_record_roots(&writer, roots, NULL, c->report));
    CAROM_TRY(carom_collisionless_record_phases(c->record, c->spectra, roots));
    return carom_collisionless_record_crossings(c->record, c->spectra, &window, roots, c->report);
}

/* --- the program ------------------------------------------------------------------------------ */

static carom_status body(carom_record *record, const carom_common_options *common, void *context,
                         carom_report *report) {
    CAROM_AUTO_VALUE(critical)
    c = {.values = context, .common = common, .record = record, .report = report};
    CAROM_TRY(find_spectra(&c));
    CAROM_TRY(write_spectra(&c));
    CAROM_TRY(write_curves(&c));
    CAROM_TRY(write_roots(&c));
    CAROM_TRY(critical_region_write_limit(&c));
    CAROM_TRY(critical_region_write_equations(&c));
    CAROM_TRY(critical_region_write_several(&c));
    return critical_region_write_random(&c);
}

/** The parameters, as the command line sets them. */
static const carom_option options[] = {
    CAROM_REAL_LIST("spectrum", settings, spectrum, "s-2",
                    "unconstrained eigenvalues, ascending, the last one alone positive", "any"),
    CAROM_REAL_LIST(
        "constrained-spectrum", settings, constrained_spectrum, "s-2",
        "constrained eigenvalues, one between each two of the former, the last one positive",
        "any"),
    CAROM_FLAG("random-spectrum", settings, is_random,
               "draw both spectra instead, with --seed; the two lists are not used"),
    CAROM_INTEGER("modes", settings, mode_count, "1",
                  "unconstrained modes N of the spectrum that is drawn, 2 to 16", "[2, 16]"),
    CAROM_REAL("critical-eigenvalue", settings, critical_eigenvalue, "s-2",
               "largest constrained eigenvalue of the spectrum that is drawn, below 0.5",
               "positive"),
    CAROM_CHOICE("parity", settings, parity, "of the unconstrained modes in time", "even|odd"),
    CAROM_CHOICE("constrained-parity", settings, constrained_parity,
                 "of the constrained modes in time", "even|odd"),
    CAROM_REAL("max-phase", settings, max_phase, "rad", "largest impact phase o_N of figure 2",
               "(0.02, 1e8]"),
    CAROM_REAL("max-constrained-phase", settings, max_constrained_phase, "rad",
               "largest impact phase o'_{N-1} of figure 2", "(0.02, 1e8]"),
    CAROM_INTEGER("grid-columns", settings, grid_columns, "1",
                  "cells of the contour along o_N, up to 8192", "[2, 8192]"),
    CAROM_INTEGER("grid-rows", settings, grid_rows, "1",
                  "cells of the contour along o'_{N-1}, up to 8192", "[2, 8192]"),
    CAROM_REAL("sweep-from", settings, sweep_from, "s-2",
               "largest constrained eigenvalue at the beginning of the sweep", "positive"),
    CAROM_REAL("sweep-to", settings, sweep_to, "s-2",
               "and at its end, below the former, 1e-12 or more", "[1e-12, inf)"),
    CAROM_INTEGER("sweep-points", settings, sweep_points, "1", "points of the sweep, 3 to 100000",
                  "[3, 100000]"),
    CAROM_INTEGER("draws", settings, draws, "1",
                  "random spectra for the sign of c_0, up to 10000000", "[1, 10000000]"),
    CAROM_INTEGER("searches", settings, searches, "1",
                  "random spectra whose roots are searched without a guess, up to 1000000",
                  "[1, 1000000]"),
    CAROM_INTEGER("motions", settings, motions, "1",
                  "random spectra whose motions are judged, up to 1000000", "[1, 1000000]"),
};

int main(int argc, char **argv) {
    static const double spectrum[] = {-3.1, -1.7, -0.8, 1.3};
    static const double constrained_spectrum[] = {-2.4, -1.2, 0.01};
    settings v = {
        .spectrum = {COUNT(spectrum), spectrum},
        .constrained_spectrum = {COUNT(constrained_spectrum), constrained_spectrum},
        .mode_count = COUNT(spectrum),
        .critical_eigenvalue = 0.01,
        .parity = CAROM_PARITY_EVEN,
        .constrained_parity = CAROM_PARITY_ODD,
        .max_phase = 16.0,
        .max_constrained_phase = 10.0,
        .grid_columns = 400,
        .grid_rows = 250,
        .sweep_from = 1e-1,
        .sweep_to = 1e-6,
        .sweep_points = 51,
        .draws = 10000,
        .searches = 300,
        .motions = 300,
    };
    const carom_program program = {
        .name = "critical_region",
        .title = "Collisionless motion at the edge of its existence",
        .source = "pankov-2024",
        .schema = "critical_region 2",
        .options = CAROM_OPTIONS(options),
        CAROM_TABLES(carom_collisionless_tables),
    };
    return carom_experiment_main(&program, argc, argv, check, body, &v);
}
