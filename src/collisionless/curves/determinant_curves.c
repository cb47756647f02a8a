#include <carom/collisionless/curves/determinant.h>

#include <carom/base/base.h>

#include <stdlib.h>

/** Append a point of a contour to the curves. */
static void append(carom_determinant_curves *curves, const carom_zero_contour *contour, int point) {
    const int end = curves->point_count++;
    curves->phase[end] = contour->points[2 * point];
    curves->constrained_phase[end] = contour->points[2 * point + 1];
    curves->family[end] = (int)contour->family;
    curves->polyline[end] = curves->polyline_count;
}

/** The neighbour of a point that has not been seen. */
static int unseen_neighbour(const carom_zero_contour *contour, const bool *is_seen, int point) {
    for (int side = 0; side <= 1; side++) {
        const int neighbour = contour->neighbours[2 * point + side];
        if (neighbour >= 0 && !is_seen[neighbour]) {
            return neighbour;
        }
    }
    return CAROM_ZERO_CONTOUR_NO_POINT;
}

/** Walk from a point to the end of its polyline, or around it. */
static void walk(carom_determinant_curves *curves, const carom_zero_contour *contour, bool *is_seen,
                 int start, bool is_closed) {
    curves->first[curves->polyline_count] = curves->point_count;
    for (int point = start; point >= 0; point = unseen_neighbour(contour, is_seen, point)) {
        is_seen[point] = true;
        append(curves, contour, point);
    }
    if (is_closed) {
        append(curves, contour, start);
    }
    curves->polyline_count++;
    curves->first[curves->polyline_count] = curves->point_count;
}

/** Follow the joints of a contour: first the polylines with ends, then the closed ones. */
static void link_points(carom_determinant_curves *curves, const carom_zero_contour *contour,
                        bool *is_seen) {
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < contour->point_count; p++) {
            const bool is_end = contour->neighbours[2 * p + 1] < 0;
            if (!is_seen[p] && (pass == 1 || is_end)) {
                walk(curves, contour, is_seen, p, pass == 1);
            }
        }
    }
}

/** Memory for all points of both contours: a polyline has two points or more, a closed one four and
 * one of them twice. */
static carom_status collect(const carom_zero_contour *contours, carom_determinant_curves *curves) {
    size_t count = 0;
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        count += (size_t)contours[k].point_count;
    }
    const size_t size = count + count / 4 + 1;
    curves->phase = calloc(size, sizeof(double));
    curves->constrained_phase = calloc(size, sizeof(double));
    curves->family = calloc(size, sizeof(int));
    curves->polyline = calloc(size, sizeof(int));
    curves->first = calloc(size, sizeof(int));
    bool *is_seen = calloc(size, sizeof(bool));
    const bool has_memory = curves->phase != NULL && curves->constrained_phase != NULL &&
                            curves->family != NULL && curves->polyline != NULL &&
                            curves->first != NULL && is_seen != NULL;
    size_t start = 0;
    for (int k = 0; has_memory && k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        link_points(curves, &contours[k], &is_seen[start]);
        start += (size_t)contours[k].point_count;
    }
    free(is_seen);
    return has_memory ? CAROM_OK : CAROM_STATUS_OUT_OF_MEMORY;
}

/** Both contours of a grid. */
static carom_status trace(carom_reduced_matrix *reduced, const carom_impact_phase_window *window,
                          carom_determinant_curves *curves) {
    carom_determinant_grid grid;
    CAROM_TRY(carom_determinant_grid_init(reduced, window->columns, window->rows, &grid));
    carom_determinant_grid_compute(&grid, reduced, window);
    carom_zero_contour contours[CAROM_DETERMINANT_FAMILY_COUNT] = {{.grid = NULL}, {.grid = NULL}};
    carom_status status = CAROM_OK;
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT && status == CAROM_OK; k++) {
        status =
            carom_zero_contour_compute(&grid, reduced, (carom_determinant_family)k, &contours[k]);
    }
    if (status == CAROM_OK) {
        status = collect(contours, curves);
    }
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        carom_zero_contour_clear(&contours[k]);
    }
    carom_determinant_grid_clear(&grid);
    return status;
}

carom_status carom_determinant_curves_trace(const carom_phase_spectra *spectra,
                                            const carom_impact_phase_window *window,
                                            carom_determinant_curves **out, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && window != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_impact_phase_window_check(window, report));
    carom_reduced_matrix *reduced = NULL;
    CAROM_TRY(carom_reduced_matrix_alloc(spectra, &reduced, report));
    carom_determinant_curves *curves = calloc(1, sizeof *curves);
    carom_status status =
        curves != NULL ? trace(reduced, window, curves) : CAROM_STATUS_OUT_OF_MEMORY;
    carom_reduced_matrix_free(reduced);
    if (status != CAROM_OK) {
        carom_determinant_curves_free(curves);
        return status;
    }
    *out = curves;
    return CAROM_OK;
}

void carom_determinant_curves_free(carom_determinant_curves *curves) {
    if (curves == NULL) {
        return;
    }
    free(curves->phase);
    free(curves->constrained_phase);
    free(curves->family);
    free(curves->polyline);
    free(curves->first);
    free(curves);
}
