/** Options with their defaults, and the two spectra of figure 2. */
#include "results.h"

#include <gsl/gsl_math.h>

#include <math.h>

/** Least phases of the window: at zero every determinant vanishes. */
static const double LEAST_PHASE = 0.02;

/** Cells of the grid that a quarter turn needs at least, so that no branch slips through. */
enum { CELLS_PER_QUARTER = 4 };

settings critical_region_defaults(void) {
    static const double spectrum[] = {-3.1, -1.7, -0.8, 1.3};
    static const double constrained_spectrum[] = {-2.4, -1.2, 0.01};
    return (settings){
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
}

/* --- what is refused -------------------------------------------------------------------------- */

/** The grid resolves every quarter turn. */
static carom_status check_grid(const settings *v, carom_report *report) {
    const carom_impact_phase_window window = critical_region_window(v);
    CAROM_TRY(carom_impact_phase_window_check(&window, report));
    if (v->grid_columns < CELLS_PER_QUARTER * v->max_phase / M_PI_2) {
        return carom_report_bound(report, "grid columns", v->grid_columns,
                                  "four for each quarter turn of --max-phase,",
                                  ceil(CELLS_PER_QUARTER * v->max_phase / M_PI_2));
    }
    if (v->grid_rows < CELLS_PER_QUARTER * v->max_constrained_phase / M_PI_2) {
        return carom_report_bound(report, "grid rows", v->grid_rows,
                                  "four for each quarter turn of --max-constrained-phase,",
                                  ceil(CELLS_PER_QUARTER * v->max_constrained_phase / M_PI_2));
    }
    return CAROM_OK;
}

/** Spectra that have a critical limit, approached from one oscillating mode in each phase. */
static carom_status check_spectra(const settings *v, const carom_phase_spectra *spectra,
                                  carom_report *report) {
    const int N = spectra->mode_count;
    carom_critical_region *region = NULL;
    CAROM_TRY(carom_critical_region_alloc(spectra, &region, report));
    carom_critical_region_free(region);
    if (!(spectra->constrained[N - 2] > 0.0)) {
        return carom_report_refuse(report, "last of --constrained-spectrum",
                                   spectra->constrained[N - 2], -1, "> 0");
    }
    if (!(v->sweep_from < spectra->unconstrained[N - 1])) {
        return carom_report_bound(report, "sweep from", v->sweep_from,
                                  "below the last of --spectrum,", spectra->unconstrained[N - 1]);
    }
    // The paper's matrix has no place for eigenvalues that are zero to rounding.
    carom_reduced_matrix *reduced = NULL;
    CAROM_TRY(carom_reduced_matrix_alloc(spectra, &reduced, report));
    carom_reduced_matrix_free(reduced);
    return CAROM_OK;
}

/** The spectra of the options; their lengths fit. */
static carom_status make_spectra(const settings *v, carom_phase_spectra **out,
                                 carom_report *report) {
    return carom_phase_spectra_make(v->spectrum.count, v->spectrum.values,
                                    v->constrained_spectrum.values, (carom_parity)v->parity,
                                    (carom_parity)v->constrained_parity, out, report);
}

carom_status critical_region_check(const settings *v, carom_report *report) {
    CAROM_TRY(check_grid(v, report));
    if (!(v->sweep_to < v->sweep_from)) {
        return carom_report_bound(report, "sweep to", v->sweep_to,
                                  "below --sweep-from =", v->sweep_from);
    }
    if (v->is_random) {
        // Every lambda_N that is drawn lies above both.
        const bool is_low = v->critical_eigenvalue < CRITICAL_REGION_LEAST_OSCILLATING;
        const double value = is_low ? v->sweep_from : v->critical_eigenvalue;
        return value < CRITICAL_REGION_LEAST_OSCILLATING
                   ? CAROM_OK
                   : carom_report_bound(report, is_low ? "sweep from" : "critical eigenvalue",
                                        value, "below that of every drawn mode,",
                                        CRITICAL_REGION_LEAST_OSCILLATING);
    }
    if (v->constrained_spectrum.count != v->spectrum.count - 1) {
        return carom_report_say(report, CAROM_STATUS_CONFLICT,
                                "the number of --constrained-spectrum is %d, one less than that of "
                                "--spectrum, %d, expected",
                                v->constrained_spectrum.count, v->spectrum.count - 1);
    }
    carom_phase_spectra *spectra = NULL;
    CAROM_TRY(make_spectra(v, &spectra, report));
    const carom_status status = check_spectra(v, spectra, report);
    carom_phase_spectra_free(spectra);
    return status;
}

/* --- the spectra of figure 2 ------------------------------------------------------------------ */

double critical_region_frequency(const carom_phase_spectra *spectra) {
    return sqrt(spectra->unconstrained[spectra->mode_count - 1]);
}

double critical_region_constrained_frequency(const carom_phase_spectra *spectra) {
    return sqrt(spectra->constrained[spectra->mode_count - 2]);
}

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

static carom_status draw_spectra(critical *c) {
    const recipe from = {
        .seed = c->common->seed,
        .kind = DRAWN_CRITICAL,
        .critical_eigenvalue = c->values->critical_eigenvalue,
    };
    CAROM_TRY(critical_region_draw(&from, 0, c->values->mode_count, &c->spectra, c->report));
    for (int i = 0; i < c->spectra->mode_count; i++) {
        c->spectra->unconstrained_parity[i] = (carom_parity)c->values->parity;
    }
    for (int j = 0; j < c->spectra->mode_count - 1; j++) {
        c->spectra->constrained_parity[j] = (carom_parity)c->values->constrained_parity;
    }
    return CAROM_OK;
}

/** Cells that lie within the window. */
static carom_status count_cells(critical *c) {
    c->first_column = c->values->parity == CAROM_PARITY_EVEN ? 2 : 1;
    double cell[4];
    CAROM_TRY(carom_asymptotic_roots_cell(c->spectra, c->first_column, 0, cell));
    const double columns = floor((c->values->max_phase - cell[1]) / M_PI) + 1.0;
    const double rows = floor((c->values->max_constrained_phase - cell[3]) / M_PI) + 1.0;
    c->column_count = columns > 0.0 ? (int)columns : 0;
    c->row_count = rows > 0.0 ? (int)rows : 0;
    return CAROM_OK;
}

carom_status critical_region_open(critical *c) {
    CAROM_TRY(c->values->is_random ? draw_spectra(c)
                                   : make_spectra(c->values, &c->spectra, c->report));
    CAROM_TRY(carom_critical_region_alloc(c->spectra, &c->region, c->report));
    return count_cells(c);
}

void critical_region_close(critical *c) {
    carom_critical_region_free(c->region);
    carom_phase_spectra_free(c->spectra);
}

void critical_region_write_spectra(const critical *c) {
    const carom_phase_spectra *s = c->spectra;
    carom_record_index_axis(c->record, "/spectra/mode", s->mode_count, "unconstrained mode");
    carom_record_index_axis(c->record, "/spectra/constrained_mode", s->mode_count - 1,
                            "constrained mode");
    const carom_column unconstrained = {"/spectra/unconstrained", s->unconstrained, "s-2",
                                        "lambda"};
    const carom_column constrained = {"/spectra/constrained", s->constrained, "s-2", "lambda'"};
    carom_record_columns(c->record, "/spectra/mode", NULL, &unconstrained, 1);
    carom_record_columns(c->record, "/spectra/constrained_mode", NULL, &constrained, 1);
    carom_record_integer(c->record, "/spectra/mode_count", s->mode_count, "1", "N");
    carom_record_scalar(c->record, "/spectra/inverse_slope",
                        carom_asymptotic_roots_inverse_slope(s), "s",
                        "1/c_0 for large times, in closed form");
}
