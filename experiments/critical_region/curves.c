/** Figure 2: the zero contours of both determinants. */
#include "results.h"

#include <math.h>
#include <stdlib.h>

/** A curve that covers this part of the window runs through it. */
static const double THROUGH = 0.9;

/** One family of curves: its points, with a NaN after every polyline. */
typedef struct family_points {
    int count;
    double *phase;             /**< [count] rad */
    double *constrained_phase; /**< [count] rad */
    int along;                 /**< curves that run from left to right */
    int up;                    /**< curves that run from bottom to top */
} family_points;

/** Number of points with the ends of polylines. */
static int count_points(const carom_determinant_curves *curves, int family) {
    int count = 0;
    for (int k = 0; k < curves->polyline_count; k++) {
        if (curves->family[curves->first[k]] == family) {
            count += curves->first[k + 1] - curves->first[k] + 1;
        }
    }
    return count;
}

static void add_point(family_points *to, double phase, double constrained_phase) {
    to->phase[to->count] = phase;
    to->constrained_phase[to->count] = constrained_phase;
    to->count++;
}

/** Least and largest value of a part of an array. */
static double extent(const double *values, int from, int to) {
    double least = HUGE_VAL;
    double largest = -HUGE_VAL;
    for (int i = from; i < to; i++) {
        least = fmin(least, values[i]);
        largest = fmax(largest, values[i]);
    }
    return largest - least;
}

/** Copy the polylines of a family and see which way they run. */
static void collect(const carom_determinant_curves *curves, int family,
                    const carom_impact_phase_window *window, family_points *to) {
    const double width = window->max_phase - window->min_phase;
    const double height = window->max_constrained_phase - window->min_constrained_phase;
    for (int k = 0; k < curves->polyline_count; k++) {
        const int from = curves->first[k];
        const int end = curves->first[k + 1];
        if (curves->family[from] != family) {
            continue;
        }
        to->along += extent(curves->phase, from, end) > THROUGH * width;
        to->up += extent(curves->constrained_phase, from, end) > THROUGH * height;
        for (int i = from; i < end; i++) {
            add_point(to, curves->phase[i], curves->constrained_phase[i]);
        }
        add_point(to, (double)NAN, (double)NAN);
    }
}

/** Write one family. */
static void write_points(const critical *c, carom_determinant_family family,
                         const family_points *points) {
    static const char *const PATHS[][3] = {
        {"/curves/without_mode/point", "/curves/without_mode/phase",
         "/curves/without_mode/constrained_phase"},
        {"/curves/without_force/point", "/curves/without_force/phase",
         "/curves/without_force/constrained_phase"},
    };
    const char *const *paths = PATHS[family];
    const carom_column columns[] = {
        {paths[1], points->phase, "rad", "o_N; NaN ends a curve"},
        {paths[2], points->constrained_phase, "rad", "o'_{N-1}; NaN ends a curve"},
    };
    carom_record_index_axis(c->record, paths[0], points->count, "point");
    carom_record_columns(c->record, paths[0], NULL, columns, COUNT(columns));
}

/** Collect and write one family; its memory ends here, the counts remain. */
static carom_status write_family(const critical *c, const carom_determinant_curves *curves,
                                 carom_determinant_family family, family_points *points) {
    const carom_impact_phase_window window = critical_region_window(c->values);
    const int count = count_points(curves, (int)family);
    *points = (family_points){.count = 0};
    if (count == 0) {
        return CAROM_OK;
    }
    double *memory = malloc(2 * (size_t)count * sizeof *memory);
    if (memory == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    points->phase = memory;
    points->constrained_phase = memory + count;
    collect(curves, (int)family, &window, points);
    write_points(c, family, points);
    free(memory);
    points->phase = NULL;
    points->constrained_phase = NULL;
    return CAROM_OK;
}

/** Both families, and which way they run. */
static carom_status write_families(const critical *c, const carom_determinant_curves *curves) {
    family_points mode;
    family_points force;
    CAROM_TRY(write_family(c, curves, CAROM_DETERMINANT_WITHOUT_MODE, &mode));
    CAROM_TRY(write_family(c, curves, CAROM_DETERMINANT_WITHOUT_FORCE, &force));
    const carom_measure measures[] = {
        {"without_mode_along", mode.along, "1",
         "curves det B_(N) = 0 that run through the window from left to right"},
        {"without_mode_up", mode.up, "1",
         "curves det B_(N) = 0 that run through the window from bottom to top"},
        {"without_force_along", force.along, "1",
         "curves det B_(N+1) = 0 that run through the window from left to right"},
        {"without_force_up", force.up, "1",
         "curves det B_(N+1) = 0 that run through the window from bottom to top"},
    };
    carom_record_measures(c->record, measures, COUNT(measures));
    return CAROM_OK;
}

carom_status critical_region_write_curves(const critical *c) {
    const carom_impact_phase_window window = critical_region_window(c->values);
    carom_determinant_curves *curves = NULL;
    CAROM_TRY(carom_determinant_curves_trace(c->spectra, &window, &curves, c->report));
    const carom_status status = write_families(c, curves);
    carom_determinant_curves_free(curves);
    return status;
}
