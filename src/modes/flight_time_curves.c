#include <carom/base/base.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/few_impacts_internal.h>
#include <carom/modes/internal.h>

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* -------------------------------------------------------------------------------------- motions */

/** Roundings of each term of a sum over the modes, and of each flight time. */
static const double TERM_ROUNDINGS = 4.0;

/** A flight time that can be computed with. */
static bool is_duration(double sigma) {
    return sigma > 0.0 && sigma <= DBL_MAX;
}

/**
 * (alpha + beta)/2 = sqrt(G) sum (rho^2/w) cos(w sigma_1/2) cos(w sigma_2/2) / sin(w T/2); NaN
 * where that is zero to rounding, of its terms or of the flight times.
 */
static double half_sum(const carom_modal_basis *basis, double sigma_1, double sigma_2) {
    double sum = 0.0;
    double size = 0.0;
    for (int l = 0; l < basis->visible_count; l++) {
        const double w = basis->frequency[l];
        const double rho = basis->participation[l];
        const double sine = sin(0.5 * w * (sigma_1 + sigma_2));
        const double first = cos(0.5 * w * sigma_1);
        const double second = cos(0.5 * w * sigma_2);
        const double term = rho * rho * first * second / (w * sine);
        sum += term;
        // the derivative by sigma_1 is -rho^2 cos^2(w sigma_2/2) / (2 sin^2(w T/2))
        size += fabs(term) + 0.5 * rho * rho *
                                 (sigma_1 * second * second + sigma_2 * first * first) /
                                 (sine * sine);
    }
    const bool is_zero = !(fabs(sum) > TERM_ROUNDINGS * DBL_EPSILON * size);
    return is_zero ? (double)NAN : basis->root_inverse_mass * sum;
}

/**
 * How far both equations are from being met: |a|, which is |Pi lambda| / |lambda|, and
 * |(alpha + beta) lambda + g_0| / |g_0| with the entries of Sigma from their kernels.
 */
static double equations_residual(const carom_modal_basis *basis, const carom_orbit *orbit) {
    const double *sigma = orbit->flight_times;
    const double T = orbit->period;
    const carom_kernels difference = carom_kernels_evaluate(basis, T, sigma[1] - sigma[0]);
    const double g = basis->gap_at_rest;
    const double alpha = carom_kernels_evaluate(basis, T, T).gap;
    const double gap = (alpha + difference.gap) * orbit->lambda[0] + g;
    const bool has_gap = fabs(g) > 0.0;
    return fmax(fabs(difference.velocity), has_gap ? fabs(gap / g) : fabs(gap));
}

/*[twoImpactsOrbit]*/
carom_status carom_two_impacts_orbit(const carom_modal_basis *basis, double sigma_1, double sigma_2,
                                     carom_orbit *orbit) {
    CAROM_ASSERT(basis != NULL && orbit != NULL);
    CAROM_ASSERT(orbit->impact_count == 2 && orbit->mode_count == basis->visible_count);
    carom_orbit_clear(orbit);
    if (!is_duration(sigma_1) || !is_duration(sigma_2)) {
        return CAROM_STATUS_OUT_OF_RANGE;
    }
    const double half = half_sum(basis, sigma_1, sigma_2);
    if (!isfinite(half)) {
        return CAROM_STATUS_SINGULAR;
    }
    // lambda_1 = lambda_2 = -g_0/(alpha + beta); a gap of zero must not give minus zero
    const double g = basis->gap_at_rest;
    const double lambda = fabs(g) > 0.0 ? -0.5 * g / half : 0.0;
    for (int j = 0; j < 2; j++) {
        orbit->flight_times[j] = j == 0 ? sigma_1 : sigma_2;
        orbit->lambda[j] = lambda;
    }
    const carom_status status = carom_orbit_complete(basis, orbit);
    if (status != CAROM_OK) {
        carom_orbit_clear(orbit);
        return status;
    }
    orbit->residual = equations_residual(basis, orbit);
    return CAROM_OK;
}
/*[end twoImpactsOrbit]*/

/* --------------------------------------------------------------------------------------- curves */

/** Cells of the grid along a side: fewest, and most whose nodes are countable with an int. */
enum { MIN_CELLS = 8, MAX_CELLS = 1 << 15 };

/** Join two points of a cell; a point on the axis is none of the curve. */
static void join(carom_flight_time_grid *work, int a, int b) {
    if (a < 0 || b < 0) {
        return;
    }
    work->neighbours[2 * a + (work->neighbours[2 * a] >= 0)] = b;
    work->neighbours[2 * b + (work->neighbours[2 * b] >= 0)] = a;
}

/** Pair the points on the edges of cell (i, j). */
/*[marchingSquares]*/
static void join_cell(carom_flight_time_grid *work, int i, int j) {
    // around the cell, from the edge that leaves the node (i, j) along theta
    const int points[4] = {
        carom_flight_time_grid_on_line(work, i, j), carom_flight_time_grid_across(work, i, j + 1),
        carom_flight_time_grid_on_line(work, i + 1, j), carom_flight_time_grid_across(work, i, j)};
    int crossed[4];
    int count = 0;
    for (int e = 0; e < 4; e++) {
        if (points[e] != CAROM_FLIGHT_TIME_NO_POINT) {
            crossed[count++] = points[e];
        }
    }
    if (count == 2) {
        join(work, crossed[0], crossed[1]);
    } else if (count == 4) {
        // a saddle: the curves cut off the two corners whose sign is not that of the centre
        const double centre =
            carom_flight_time_grid_value(work, 0.5 * (work->lines[i] + work->lines[i + 1]),
                                         0.5 * (carom_flight_time_grid_theta(work, j) +
                                                carom_flight_time_grid_theta(work, j + 1)));
        const int keeps =
            (centre < 0.0 ? -1 : 1) == carom_flight_time_grid_sign(work, i, j) ? 1 : 3;
        join(work, points[0], points[keeps]);
        join(work, points[2], points[4 - keeps]);
    }
}
/*[end marchingSquares]*/

/** Walk from a point to the end of its curve; mark and count its points, list them if asked. */
static int follow(const carom_flight_time_grid *work, int start, bool *is_seen, int *order) {
    int count = 0;
    int next = start;
    while (next >= 0) {
        const int point = next;
        is_seen[point] = true;
        order[count++] = point;
        next = CAROM_FLIGHT_TIME_NO_POINT;
        for (int side = 1; side >= 0; side--) {
            const int neighbour = work->neighbours[2 * point + side];
            if (neighbour >= 0 && !is_seen[neighbour]) {
                next = neighbour;
            }
        }
    }
    return count;
}

/** Store a list of points as a curve. */
static carom_status store(const carom_flight_time_grid *work, const int *order, int count,
                          bool is_closed, carom_flight_time_curves *out) {
    carom_flight_time_curve *curve = &out->curves[out->count];
    curve->sigma_1 = calloc((size_t)count, sizeof(double));
    curve->sigma_2 = calloc((size_t)count, sizeof(double));
    // counted at once, so that freeing the set frees what there is of it
    out->count++;
    if (curve->sigma_1 == NULL || curve->sigma_2 == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    curve->count = count;
    curve->is_closed = is_closed ? 1 : 0;
    for (int i = 0; i < count; i++) {
        curve->sigma_1[i] = work->sigma[2 * order[i]];
        curve->sigma_2[i] = work->sigma[2 * order[i] + 1];
    }
    return CAROM_OK;
}

/** Follow the joints: first the curves with ends, from the lower, then the closed ones. */
static carom_status link_points(carom_flight_time_grid *work, carom_flight_time_curves *out) {
    for (int i = 0; i < 2 * work->point_count; i++) {
        work->neighbours[i] = CAROM_FLIGHT_TIME_NO_POINT;
    }
    for (int i = 0; i + 1 < work->line_count; i++) {
        for (int j = 0; j < work->cells; j++) {
            join_cell(work, i, j);
        }
    }
    const size_t size = (size_t)work->point_count + 1;
    CAROM_AUTO_MEMORY bool *is_seen = calloc(size, sizeof(bool));
    CAROM_AUTO_MEMORY int *order = calloc(size, sizeof(int));
    out->curves = calloc(size, sizeof(carom_flight_time_curve));
    if (is_seen == NULL || order == NULL || out->curves == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int p = 0; p < work->point_count; p++) {
            const bool is_start = pass == 1 || work->neighbours[2 * p + 1] < 0;
            if (is_seen[p] || !is_start) {
                continue;
            }
            const int count = follow(work, p, is_seen, order);
            // a single point between the axis and a border is no curve
            if (count > 1) {
                CAROM_TRY(store(work, order, count, pass == 1, out));
            }
        }
    }
    return CAROM_OK;
}

carom_status carom_two_impacts_curves(const carom_modal_basis *basis, double max_period, int cells,
                                      carom_flight_time_curves **out, carom_report *report) {
    CAROM_ASSERT(basis != NULL && out != NULL);
    *out = NULL;
    if (!(max_period > 0.0 && max_period <= DBL_MAX)) {
        return carom_report_refuse(report, "largest period", max_period, -1, "> 0, finite");
    }
    if (cells < MIN_CELLS || cells > MAX_CELLS) {
        return carom_report_refuse(report, "cells", (double)cells, -1, "8 to 32768");
    }
    CAROM_AUTO(carom_flight_time_curves) curves = calloc(1, sizeof *curves);
    if (curves == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_AUTO_VALUE(carom_flight_time_grid) work = {.basis = basis, .cells = cells};
    carom_status status = carom_flight_time_grid_compute(&work, max_period);
    if (status == CAROM_OK) {
        status = link_points(&work, curves);
    }
    if (status != CAROM_OK) {
        return carom_report_fail(report, status, "largest period", max_period, -1);
    }
    CAROM_HAND_OVER(curves, out);
    return CAROM_OK;
}

void carom_flight_time_curves_free(carom_flight_time_curves *curves) {
    if (curves == NULL) {
        return;
    }
    for (int i = 0; i < curves->count; i++) {
        free(curves->curves[i].sigma_1);
        free(curves->curves[i].sigma_2);
    }
    free(curves->curves);
    free(curves);
}
