/** The curves of the two determinants, the paper's way to the roots, over the impact times. */
#include "results.h"

#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/curves/determinant.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/** Groups of the two families. */
static const char *const FAMILIES[CAROM_DETERMINANT_FAMILY_COUNT] = {"without_mode",
                                                                     "without_force"};
static const char *const MEANINGS[CAROM_DETERMINANT_FAMILY_COUNT] = {
    "points of the curves det B_(N) = 0, without row N",
    "points of the curves det B_(N+1) = 0, without row N+1"};

/** Longest path that is made here. */
enum { PATH_SIZE = 64 };

/** The impact times of one impact phase of each, |omega| in rad/s. */
typedef struct phase_rates {
    double unconstrained;
    double constrained;
} phase_rates;

static phase_rates rates_of(const carom_phase_spectra *s) {
    return (phase_rates){sqrt(fabs(s->unconstrained[s->mode_count - 1])),
                         sqrt(fabs(s->constrained[s->mode_count - 2]))};
}

/** Points of the curves of one family, with a row for the end of each. */
static int count_rows(const carom_determinant_curves *curves, int family) {
    int rows = 0;
    for (int p = 0; p < curves->polyline_count; p++) {
        const int first = curves->first[p];
        rows += curves->family[first] == family ? curves->first[p + 1] - first + 1 : 0;
    }
    return rows;
}

/** Impact times along the curves of one family, NaN after each. */
static void fill_rows(const carom_determinant_curves *curves, int family, phase_rates rates,
                      double *time, double *constrained_time) {
    int row = 0;
    for (int p = 0; p < curves->polyline_count; p++) {
        if (curves->family[curves->first[p]] != family) {
            continue;
        }
        for (int i = curves->first[p]; i < curves->first[p + 1]; i++, row++) {
            time[row] = curves->phase[i] / rates.unconstrained;
            constrained_time[row] = curves->constrained_phase[i] / rates.constrained;
        }
        time[row] = (double)NAN;
        constrained_time[row] = (double)NAN;
        row++;
    }
}

/** The curves of one family below /curves. */
static carom_status write_family(const analysis *a, const carom_determinant_curves *curves,
                                 int family) {
    const int rows = count_rows(curves, family);
    if (rows == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *time = malloc(2 * (size_t)rows * sizeof *time);
    if (time == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    double *constrained_time = time + rows;
    fill_rows(curves, family, rates_of(a->values->modes->spectra), time, constrained_time);
    char axis[PATH_SIZE];
    char path[PATH_SIZE];
    char constrained_path[PATH_SIZE];
    snprintf(axis, sizeof axis, "/curves/%s/point", FAMILIES[family]);
    snprintf(path, sizeof path, "/curves/%s/time", FAMILIES[family]);
    snprintf(constrained_path, sizeof constrained_path, "/curves/%s/constrained_time",
             FAMILIES[family]);
    carom_record_index_axis(a->record, axis, rows, MEANINGS[family]);
    carom_record_series(a->record, path, time, axis, NULL, "s", "tau, NaN after each curve");
    carom_record_series(a->record, constrained_path, constrained_time, axis, NULL, "s",
                        "tau', NaN after each curve");
    return CAROM_OK;
}

/** The box of impact times as a window of impact phases. */
static carom_impact_phase_window window_of(const settings *v) {
    const phase_rates rates = rates_of(v->modes->spectra);
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = rates.unconstrained * v->min_time;
    window.max_phase = rates.unconstrained * v->max_time;
    window.min_constrained_phase = rates.constrained * v->min_constrained_time;
    window.max_constrained_phase = rates.constrained * v->max_constrained_time;
    return window;
}

carom_status collisionless_write_curves(const analysis *a) {
    const carom_impact_phase_window window = window_of(a->values);
    carom_determinant_curves *curves = NULL;
    carom_status status =
        carom_determinant_curves_trace(a->values->modes->spectra, &window, &curves, a->report);
    if (status == CAROM_STATUS_SINGULAR) {
        carom_record_string(a->record, "/curves/reason",
                            "an eigenvalue is zero: the matrix of the paper is not defined",
                            "why there are no curves");
        return CAROM_OK;
    }
    for (int f = 0; f < CAROM_DETERMINANT_FAMILY_COUNT && status == CAROM_OK; f++) {
        status = write_family(a, curves, f);
    }
    carom_determinant_curves_free(curves);
    return status;
}
