#include <carom/base/base.h>
#include <carom/base/roots.h>
#include <carom/collisionless/curves/determinant.h>

#include <float.h>
#include <stdlib.h>

/* ------------------------------------------------------------------------------------- contours */

/** What a grid edge or a side of a point carries if nothing. */
enum { ZERO_CONTOUR_NO_POINT = -1 };

/** Points on the edges of a grid whose ends differ in sign, and who is joined to whom. */
typedef struct zero_contour {
    const carom_determinant_grid *grid; /**< computed, borrowed */
    carom_reduced_matrix *reduced;      /**< of the grid, borrowed; its scratch memory is used */
    carom_determinant_family family;
    int *along;  /**< [rows + 1][columns] points on the edges along o_N */
    int *across; /**< [rows][columns + 1] points on the edges along o'_{N-1} */
    int point_count;
    double *points;  /**< [point_count][2] o_N, o'_{N-1}, rad */
    int *neighbours; /**< [point_count][2] points joined to each by a cell */
} zero_contour;

/** Brent's method to the last digit; 8 steps are usual, 60 are bisections all along. */
enum { ROOT_ITERATIONS = 200 };

/** An edge of the grid, for the function along it. */
typedef struct grid_edge {
    const zero_contour *contour;
    bool is_along; /**< along o_N */
    double fixed;  /**< the other phase, rad */
} grid_edge;

/** The determinant at a point of the plane of phases. */
static double value(const zero_contour *contour, double phase, double constrained_phase) {
    double determinants[CAROM_DETERMINANT_FAMILY_COUNT];
    carom_reduced_matrix_determinants(
        contour->reduced, carom_reduced_matrix_time(contour->reduced, phase),
        carom_reduced_matrix_constrained_time(contour->reduced, constrained_phase), determinants);
    return determinants[contour->family];
}

static double value_on_edge(double x, void *context) {
    const grid_edge *e = context;
    return e->is_along ? value(e->contour, x, e->fixed) : value(e->contour, e->fixed, x);
}

static bool is_negative(const zero_contour *contour, int row, int column) {
    return carom_determinant_grid_value(contour->grid, contour->family, row, column) < 0.0;
}

/** The entry of the edge from node (row, column) along o_N, and along o'_{N-1}. */
static int *along(const zero_contour *contour, int row, int column) {
    return &contour->along[(size_t)row * (size_t)contour->grid->window.columns + (size_t)column];
}

static int *across(const zero_contour *contour, int row, int column) {
    return &contour->across[(size_t)row * ((size_t)contour->grid->window.columns + 1) +
                            (size_t)column];
}

/** A number for every edge whose ends differ in sign. */
static void mark_edges(zero_contour *contour) {
    const carom_impact_phase_window *window = &contour->grid->window;
    for (int j = 0; j <= window->rows; j++) {
        for (int i = 0; i <= window->columns; i++) {
            const bool here = is_negative(contour, j, i);
            if (i < window->columns) {
                const bool differs = is_negative(contour, j, i + 1) != here;
                *along(contour, j, i) = differs ? contour->point_count++ : ZERO_CONTOUR_NO_POINT;
            }
            if (j < window->rows) {
                const bool differs = is_negative(contour, j + 1, i) != here;
                *across(contour, j, i) = differs ? contour->point_count++ : ZERO_CONTOUR_NO_POINT;
            }
        }
    }
}

/** Place the point of an edge from low to high. */
static void place_point(zero_contour *contour, carom_bracket *bracket, bool is_along, double fixed,
                        double low, double high, int point) {
    grid_edge e = {.contour = contour, .is_along = is_along, .fixed = fixed};
    gsl_function f = {.function = value_on_edge, .params = &e};
    carom_status status = carom_bracket_start(bracket, &f, low, high);
    for (int i = 0; status == CAROM_OK && i < ROOT_ITERATIONS &&
                    bracket->high - bracket->low > DBL_EPSILON * bracket->high;
         i++) {
        status = carom_bracket_narrow(bracket);
    }
    const double x = bracket->root;
    contour->points[2 * point] = is_along ? x : fixed;
    contour->points[2 * point + 1] = is_along ? fixed : x;
}

/** Place all points. */
static void place_points(zero_contour *contour, carom_bracket *bracket) {
    const carom_determinant_grid *grid = contour->grid;
    for (int j = 0; j <= grid->window.rows; j++) {
        const double y = carom_determinant_grid_constrained_phase(grid, j);
        for (int i = 0; i <= grid->window.columns; i++) {
            const double x = carom_determinant_grid_phase(grid, i);
            if (i < grid->window.columns && *along(contour, j, i) >= 0) {
                place_point(contour, bracket, true, y, x, carom_determinant_grid_phase(grid, i + 1),
                            *along(contour, j, i));
            }
            if (j < grid->window.rows && *across(contour, j, i) >= 0) {
                place_point(contour, bracket, false, x, y,
                            carom_determinant_grid_constrained_phase(grid, j + 1),
                            *across(contour, j, i));
            }
        }
    }
}

static void join(zero_contour *contour, int a, int b) {
    int *neighbours = contour->neighbours;
    neighbours[2 * a + (neighbours[2 * a] >= 0)] = b;
    neighbours[2 * b + (neighbours[2 * b] >= 0)] = a;
}

/** Join the points on the edges of a cell. */
static void join_cell(zero_contour *contour, int row, int column) {
    // around the cell, from the edge that leaves its least node along o_N
    const int points[4] = {*along(contour, row, column), *across(contour, row, column + 1),
                           *along(contour, row + 1, column), *across(contour, row, column)};
    int crossed[4];
    int count = 0;
    for (int e = 0; e < 4; e++) {
        if (points[e] >= 0) {
            crossed[count++] = points[e];
        }
    }
    if (count == 2) {
        join(contour, crossed[0], crossed[1]);
    } else if (count == 4) {
        // a saddle: the curves cut off the two corners whose sign is not that of the centre
        const carom_determinant_grid *grid = contour->grid;
        const double x = 0.5 * (carom_determinant_grid_phase(grid, column) +
                                carom_determinant_grid_phase(grid, column + 1));
        const double y = 0.5 * (carom_determinant_grid_constrained_phase(grid, row) +
                                carom_determinant_grid_constrained_phase(grid, row + 1));
        const bool is_like_least =
            (value(contour, x, y) < 0.0) == is_negative(contour, row, column);
        const int next = is_like_least ? 1 : 3;
        join(contour, points[0], points[next]);
        join(contour, points[2], points[4 - next]);
    }
}

/**
 * Find the points of a contour to the last digits and join them cell by cell. A node where the
 * determinant is zero counts as positive.
 *
 * @param[in]  grid     computed; borrowed until the contour is cleared
 * @param[in]  reduced  of the grid; its scratch memory is used
 * @param[in]  family   which determinant
 * @param[out] contour  to be cleared also on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
static carom_status zero_contour_compute(const carom_determinant_grid *grid,
                                         carom_reduced_matrix *reduced,
                                         carom_determinant_family family, zero_contour *contour) {
    CAROM_ASSERT(grid != NULL && reduced != NULL && contour != NULL);
    const size_t columns = (size_t)grid->window.columns;
    const size_t rows = (size_t)grid->window.rows;
    *contour = (zero_contour){.grid = grid, .reduced = reduced, .family = family};
    contour->along = calloc((rows + 1) * columns, sizeof(int));
    contour->across = calloc(rows * (columns + 1), sizeof(int));
    if (contour->along == NULL || contour->across == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    mark_edges(contour);
    const size_t size = 2 * (size_t)contour->point_count + 1;
    contour->points = calloc(size, sizeof(double));
    contour->neighbours = calloc(size, sizeof(int));
    if (contour->points == NULL || contour->neighbours == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_AUTO_VALUE(carom_bracket) bracket = {.solver = NULL};
    CAROM_TRY(carom_bracket_init(&bracket));
    place_points(contour, &bracket);
    for (int i = 0; i < 2 * contour->point_count; i++) {
        contour->neighbours[i] = ZERO_CONTOUR_NO_POINT;
    }
    for (int j = 0; j < grid->window.rows; j++) {
        for (int i = 0; i < grid->window.columns; i++) {
            join_cell(contour, j, i);
        }
    }
    return CAROM_OK;
}

/** Free what a contour holds. */
static void zero_contour_clear(zero_contour *contour) {
    CAROM_ASSERT(contour != NULL);
    free(contour->along);
    free(contour->across);
    free(contour->points);
    free(contour->neighbours);
    *contour = (zero_contour){.grid = NULL};
}

/* --------------------------------------------------------------------------------------- curves */

/** Append a point of a contour to the curves. */
static void append(carom_determinant_curves *curves, const zero_contour *contour, int point) {
    const int end = curves->point_count++;
    curves->phase[end] = contour->points[2 * point];
    curves->constrained_phase[end] = contour->points[2 * point + 1];
    curves->family[end] = (int)contour->family;
    curves->polyline[end] = curves->polyline_count;
}

/** The neighbour of a point that has not been seen. */
static int unseen_neighbour(const zero_contour *contour, const bool *is_seen, int point) {
    for (int side = 0; side <= 1; side++) {
        const int neighbour = contour->neighbours[2 * point + side];
        if (neighbour >= 0 && !is_seen[neighbour]) {
            return neighbour;
        }
    }
    return ZERO_CONTOUR_NO_POINT;
}

/** Walk from a point to the end of its polyline, or around it. */
static void walk(carom_determinant_curves *curves, const zero_contour *contour, bool *is_seen,
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
static void link_points(carom_determinant_curves *curves, const zero_contour *contour,
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
static carom_status collect(const zero_contour *contours, carom_determinant_curves *curves) {
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
    CAROM_AUTO_MEMORY bool *is_seen = calloc(size, sizeof(bool));
    if (curves->phase == NULL || curves->constrained_phase == NULL || curves->family == NULL ||
        curves->polyline == NULL || curves->first == NULL || is_seen == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    size_t start = 0;
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        link_points(curves, &contours[k], &is_seen[start]);
        start += (size_t)contours[k].point_count;
    }
    return CAROM_OK;
}

/** Both contours of a grid. */
static carom_status trace(carom_reduced_matrix *reduced, const carom_impact_phase_window *window,
                          carom_determinant_curves *curves) {
    CAROM_AUTO_VALUE(carom_determinant_grid) grid = {.values = NULL};
    CAROM_TRY(carom_determinant_grid_init(reduced, window->columns, window->rows, &grid));
    carom_determinant_grid_compute(&grid, reduced, window);
    zero_contour contours[CAROM_DETERMINANT_FAMILY_COUNT] = {{.grid = NULL}, {.grid = NULL}};
    carom_status status = CAROM_OK;
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT && status == CAROM_OK; k++) {
        status = zero_contour_compute(&grid, reduced, (carom_determinant_family)k, &contours[k]);
    }
    if (status == CAROM_OK) {
        status = collect(contours, curves);
    }
    for (int k = 0; k < CAROM_DETERMINANT_FAMILY_COUNT; k++) {
        zero_contour_clear(&contours[k]);
    }
    return status;
}

carom_status carom_determinant_curves_trace(const carom_phase_spectra *spectra,
                                            const carom_impact_phase_window *window,
                                            carom_determinant_curves **out, carom_report *report) {
    CAROM_ASSERT(spectra != NULL && window != NULL && out != NULL);
    *out = NULL;
    CAROM_TRY(carom_impact_phase_window_check(window, report));
    CAROM_AUTO(carom_reduced_matrix) reduced = NULL;
    CAROM_TRY(carom_reduced_matrix_alloc(spectra, &reduced, report));
    CAROM_AUTO(carom_determinant_curves) curves = calloc(1, sizeof *curves);
    if (curves == NULL) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    CAROM_TRY(trace(reduced, window, curves));
    CAROM_HAND_OVER(curves, out);
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
