/** The equation of the critical time: what (40) demands of w_N, and what mode N gives. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** Points of the curves for each column of the contour's grid. */
enum { POINTS_PER_CELL = 2 };

/** Curves over o_N. */
typedef struct demand {
    int count;
    double *phase;
    double *time;
    double *given;
    double *corrected;
    double *printed;
    double *slope;
} demand;

enum { CURVES = 6 };

/** Evaluate the critical equations along the window. */
static carom_status fill(const critical *c, demand *d) {
    const carom_impact_phase_window window = critical_region_window(c->values);
    const double omega = critical_region_frequency(c->spectra);
    for (int k = 0; k < d->count; k++) {
        const double share = (double)k / (double)(d->count - 1);
        d->phase[k] = window.min_phase + share * (window.max_phase - window.min_phase);
        d->time[k] = d->phase[k] / omega;
        carom_critical_matrices matrices;
        CAROM_TRY(carom_critical_region_matrices(c->region, d->time[k], &matrices));
        d->given[k] = matrices.w_N;
        d->corrected[k] = carom_critical_matrices_demanded_w(&matrices, false);
        d->printed[k] = carom_critical_matrices_demanded_w(&matrices, true);
        d->slope[k] = carom_critical_matrices_slope(&matrices);
    }
    return CAROM_OK;
}

static void write_demand(const critical *c, const demand *d) {
    const carom_column columns[] = {
        {"/limit/time", d->time, "s", "tau"},
        {"/limit/given_w", d->given, "s-1", "w_N of mode N at the impact"},
        {"/limit/demanded_w", d->corrected, "s-1", "w_N that (40) demands, corrected"},
        {"/limit/printed_w", d->printed, "s-1", "w_N that (40) demands as printed"},
        {"/limit/slope", d->slope, "s-1", "c_0"},
    };
    carom_record_axis(c->record, "/limit/phase", d->count, d->phase, "rad", "o_N, impact phase");
    carom_record_columns(c->record, "/limit/phase", NULL, columns, COUNT(columns));
}

/** The same for large tau. */
static carom_status write_saturated(const critical *c) {
    carom_critical_matrices matrices;
    CAROM_TRY(carom_critical_region_matrices(c->region, HUGE_VAL, &matrices));
    const double slope = carom_critical_matrices_slope(&matrices);
    const double closed = 1.0 / carom_asymptotic_roots_inverse_slope(c->spectra);
    const carom_measure measures[] = {
        {"limit_w", carom_critical_matrices_demanded_w(&matrices, false), "s-1",
         "w_N for large times, (61) corrected"},
        {"limit_printed_w", carom_critical_matrices_demanded_w(&matrices, true), "s-1",
         "w_N for large times, (61) as printed"},
        {"limit_slope", slope, "s-1", "c_0 for large times, (62)"},
        {"limit_slope_difference", fabs(slope / closed - 1.0), "1",
         "relative difference of (62) from our closed form of c_0"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    return CAROM_OK;
}

carom_status critical_region_write_limit(const critical *c) {
    demand d = {.count = POINTS_PER_CELL * c->values->grid_columns + 1};
    double *memory = malloc(CURVES * (size_t)d.count * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double **const curves[CURVES] = {&d.phase,     &d.time,    &d.given,
                                     &d.corrected, &d.printed, &d.slope};
    for (int k = 0; k < CURVES; k++) {
        *curves[k] = memory + k * d.count;
    }
    carom_status status = fill(c, &d);
    if (status == CAROM_OK) {
        write_demand(c, &d);
    }
    free(memory);
    CAROM_TRY(status);
    return write_saturated(c);
}
