/** The contours of figure 4: where one of the paper's determinants vanishes, and where both do. */
#include "results.h"

#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/curves/determinant.h>

#include <math.h>
#include <stdlib.h>

/** Groups of the two families. */
static const char *const GROUPS[] = {
    [CAROM_DETERMINANT_WITHOUT_MODE] = "/curves/without_mode",
    [CAROM_DETERMINANT_WITHOUT_FORCE] = "/curves/without_force",
};

/** Copy a family with a row of NaN after each of its polylines; without rows it is counted only. */
static int copy_family(const carom_determinant_curves *curves, int family, double *phase,
                       double *constrained) {
    int row = 0;
    for (int p = 0; p < curves->polyline_count; p++) {
        if (curves->family[curves->first[p]] != family) {
            continue;
        }
        const int last = curves->first[p + 1];
        for (int k = curves->first[p]; k <= last; k++, row++) {
            if (phase != NULL) {
                phase[row] = k < last ? curves->phase[k] : (double)NAN;
                constrained[row] = k < last ? curves->constrained_phase[k] : (double)NAN;
            }
        }
    }
    return row;
}

static void write_rows(const results *r, const char *path, int rows, const double *phase,
                       const double *constrained) {
    carom_record group = carom_record_group(r->record, "%s", path);
    const carom_column columns[] = {
        {"phase", phase, "rad", "o_N; NaN between curves"},
        {"constrained_phase", constrained, "rad", "o'_(N-1); NaN between curves"},
    };
    carom_record_index_axis(&group, "point", rows, "point along the curves");
    carom_record_columns(&group, "point", NULL, columns, 2);
}

static carom_status write_family(const results *r, const carom_determinant_curves *curves,
                                 int family) {
    const int rows = copy_family(curves, family, NULL, NULL);
    if (rows == 0) {
        return CAROM_OK;
    }
    CAROM_AUTO_MEMORY double *phase = malloc(2 * (size_t)rows * sizeof *phase);
    if (phase == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    (void)copy_family(curves, family, phase, phase + rows);
    write_rows(r, GROUPS[family], rows, phase, phase + rows);
    return CAROM_OK;
}

/** Largest distance of a root from the crossing nearest to it, along one of the axes, rad. */
static double distance_from_roots(const results *r, const carom_determinant_crossings *found) {
    const carom_phase_spectra *s = r->modes->spectra;
    const double omega = sqrt(s->unconstrained[s->mode_count - 1]);
    const double constrained_omega = sqrt(s->constrained[s->mode_count - 2]);
    double largest = 0.0;
    for (int i = 0; i < r->roots->count; i++) {
        double nearest = (double)NAN; // fmin passes over it
        for (int k = 0; k < found->count; k++) {
            const carom_determinant_crossing *c = &found->crossings[k];
            const double dx = omega * r->roots->roots[i].time - c->phase;
            const double dy =
                constrained_omega * r->roots->roots[i].constrained_time - c->constrained_phase;
            nearest = fmin(nearest, fmax(fabs(dx), fabs(dy)));
        }
        largest = isnan(nearest) ? nearest : fmax(largest, nearest);
    }
    return largest;
}

static carom_status write_crossings(const results *r) {
    CAROM_AUTO(carom_determinant_crossings) found = NULL;
    CAROM_TRY(
        carom_determinant_crossings_find(r->modes->spectra, &r->values->window, &found, r->report));
    const carom_measure measures[] = {
        {"crossings", found->count, "1", "intersections of the two families in the window"},
        {"crossing_distance", distance_from_roots(r, found), "rad",
         "largest of a root from the nearest of them"},
    };
    carom_record_measures(r->record, measures, 2);
    return CAROM_OK;
}

carom_status biped_rocking_write_curves(const results *r) {
    carom_determinant_curves *curves = NULL;
    CAROM_TRY(
        carom_determinant_curves_trace(r->modes->spectra, &r->values->window, &curves, r->report));
    carom_status status = CAROM_OK;
    for (int family = 0; family < CAROM_DETERMINANT_FAMILY_COUNT && status == CAROM_OK; family++) {
        status = write_family(r, curves, family);
    }
    carom_determinant_curves_free(curves);
    return status == CAROM_OK ? write_crossings(r) : status;
}
