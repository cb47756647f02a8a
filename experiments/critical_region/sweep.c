/** One root of the bottom row as lambda'_{N-1} falls and everything else stays. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** What is followed. */
typedef struct sweep {
    int count;
    double *eigenvalue;
    double *time;
    double *constrained_time;
    double *constrained_phase;
    double *first_order; /**< o'_{N-1} of (63) with the c_0 of this time */
    double *ratio;       /**< w'_{N-1} */
    double *phase_gap;   /**< of o'_{N-1} from its limit */
    double *ratio_gap;   /**< of w'_{N-1} from c_0 */
} sweep;

enum { COLUMNS = 8 };

/** w' = sigma' tan^sigma'(o') omega' of an oscillating mode (30). */
static double impact_ratio(carom_parity parity, double omega, double phase) {
    return parity == CAROM_PARITY_ODD ? omega * tan(phase) : -omega / tan(phase);
}

/** The root at one lambda'_{N-1}. */
static carom_status fill_point(const critical *c, const carom_phase_spectra *spectra,
                               const carom_critical_root *limit, int k, sweep *s) {
    const int last = spectra->mode_count - 2;
    const carom_parity parity = spectra->constrained_parity[last];
    const double omega = critical_region_constrained_frequency(spectra);
    double cell[4];
    carom_impact_root root;
    CAROM_TRY(carom_asymptotic_roots_cell(spectra, c->first_column, 0, cell));
    CAROM_TRY(carom_impact_roots_cell(spectra, c->first_column, 0, &root, c->report));
    s->eigenvalue[k] = spectra->constrained[last];
    s->time[k] = root.time;
    s->constrained_time[k] = root.constrained_time;
    s->constrained_phase[k] = omega * root.constrained_time;
    s->first_order[k] = cell[3] - omega / limit->slope;
    s->ratio[k] = impact_ratio(parity, omega, s->constrained_phase[k]);
    s->phase_gap[k] = cell[3] - s->constrained_phase[k];
    s->ratio_gap[k] = fabs(s->ratio[k] - limit->slope);
    return CAROM_OK;
}

/** All points, evenly spaced in the logarithm. */
static carom_status fill(const critical *c, const carom_critical_root *limit, sweep *s) {
    const settings *v = c->values;
    const int N = c->spectra->mode_count;
    carom_phase_spectra *spectra = NULL;
    CAROM_TRY(carom_phase_spectra_make(N, c->spectra->unconstrained, c->spectra->constrained,
                                       (carom_parity)v->parity, (carom_parity)v->constrained_parity,
                                       &spectra, c->report));
    carom_progress *progress =
        carom_progress_start("sweep", s->count, "points", c->common->is_quiet);
    carom_status status = CAROM_OK;
    for (int k = 0; k < s->count && status == CAROM_OK; k++) {
        const double share = (double)k / (double)(s->count - 1);
        spectra->constrained[N - 2] = v->sweep_from * pow(v->sweep_to / v->sweep_from, share);
        status = fill_point(c, spectra, limit, k, s);
        carom_progress_add(progress, 1);
    }
    carom_progress_finish(progress);
    carom_phase_spectra_free(spectra);
    return status;
}

static void write_sweep(const critical *c, const sweep *s) {
    const carom_column columns[] = {
        {"/sweep/time", s->time, "s", "tau"},
        {"/sweep/constrained_time", s->constrained_time, "s", "tau'"},
        {"/sweep/constrained_phase", s->constrained_phase, "rad", "o'_{N-1}"},
        {"/sweep/first_order_phase", s->first_order, "rad", "o'_{N-1} of (63)"},
        {"/sweep/constrained_w", s->ratio, "s-1", "w'_{N-1}"},
        {"/sweep/phase_gap", s->phase_gap, "rad", "distance of o'_{N-1} from its limit"},
        {"/sweep/w_gap", s->ratio_gap, "s-1", "distance of w'_{N-1} from c_0"},
    };
    carom_record_axis(c->record, "/sweep/eigenvalue", s->count, s->eigenvalue, "s-2",
                      "lambda'_{N-1}");
    carom_record_columns(c->record, "/sweep/eigenvalue", NULL, columns, COUNT(columns));
}

static double exponent(const sweep *s, const double *values) {
    const int k = s->count - 1;
    return log(values[k] / values[k - 1]) / log(s->eigenvalue[k] / s->eigenvalue[k - 1]);
}

static carom_status write_conclusions(const critical *c, const sweep *s,
                                      const carom_critical_root *limit) {
    const int last = s->count - 1;
    const double time_exponent = exponent(s, s->constrained_time);
    carom_critical_matrices matrices;
    CAROM_TRY(carom_critical_region_matrices(c->region, limit->time, &matrices));
    const double printed = carom_critical_matrices_demanded_w(&matrices, true);
    const carom_measure measures[] = {
        {"sweep_limit_time", limit->time, "s", "critical tau of the first column, (40) corrected"},
        {"sweep_slope", limit->slope, "s-1", "c_0 at this tau"},
        {"sweep_w", limit->w_N, "s-1", "w_N at this tau"},
        {"sweep_printed_w", printed, "s-1", "w_N that (40) demands there as printed"},
        {"sweep_time_difference", fabs(s->time[last] - limit->time), "s",
         "of tau at the end of the sweep from the critical one"},
        {"sweep_time_change", fabs(s->time[0] - s->time[last]), "s",
         "change of tau along the sweep"},
        {"sweep_time_exponent", time_exponent, "1",
         "d log tau' / d log lambda'_{N-1} at the end of the sweep"},
        {"sweep_w_difference", s->ratio_gap[last], "s-1",
         "of w'_{N-1} from c_0 at the end of the sweep"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    return CAROM_OK;
}

carom_status critical_region_write_sweep(const critical *c) {
    carom_critical_root limit;
    CAROM_TRY(carom_critical_region_root(c->region, c->first_column, 0, &limit));
    sweep s = {.count = c->values->sweep_points};
    CAROM_AUTO_MEMORY double *memory = malloc(COLUMNS * (size_t)s.count * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double **const columns[COLUMNS] = {&s.eigenvalue,        &s.time,        &s.constrained_time,
                                       &s.constrained_phase, &s.first_order, &s.ratio,
                                       &s.phase_gap,         &s.ratio_gap};
    for (int k = 0; k < COLUMNS; k++) {
        *columns[k] = memory + k * s.count;
    }
    CAROM_TRY(fill(c, &limit, &s));
    write_sweep(c, &s);
    return write_conclusions(c, &s, &limit);
}
