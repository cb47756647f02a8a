#include <carom/collisionless/curves/determinant.h>

#include <carom/base/base.h>
#include <carom/base/roots.h>

#include <float.h>
#include <stdlib.h>

/** Brent's method to the last digit; 8 steps are usual, 60 are bisections all along. */
enum { ROOT_ITERATIONS = 200 };

/** An edge of the grid, for the function along it. */
typedef struct grid_edge {
    const carom_zero_contour *contour;
    bool is_along; /**< along o_N */
    double fixed;  /**< the other phase, rad */
} grid_edge;

/** The determinant at a point of the plane of phases. */
static double value(const carom_zero_contour *contour, double phase, double constrained_phase) {
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

static bool is_negative(const carom_zero_contour *contour, int row, int column) {
    return carom_determinant_grid_value(contour->grid, contour->family, row, column) < 0.0;
}

/** The entry of the edge from node (row, column) along o_N, and along o'_{N-1}. */
static int *along(const carom_zero_contour *contour, int row, int column) {
    return &contour->along[(size_t)row * (size_t)contour->grid->window.columns + (size_t)column];
}

static int *across(const carom_zero_contour *contour, int row, int column) {
    return &contour->across[(size_t)row * ((size_t)contour->grid->window.columns + 1) +
                            (size_t)column];
}

/** A number for every edge whose ends differ in sign. */
static void mark_edges(carom_zero_contour *contour) {
    const carom_impact_phase_window *window = &contour->grid->window;
    for (int j = 0; j <= window->rows; j++) {
        for (int i = 0; i <= window->columns; i++) {
            const bool here = is_negative(contour, j, i);
            if (i < window->columns) {
                const bool differs = is_negative(contour, j, i + 1) != here;
                *along(contour, j, i) =
                    differs ? contour->point_count++ : CAROM_ZERO_CONTOUR_NO_POINT;
            }
            if (j < window->rows) {
                const bool differs = is_negative(contour, j + 1, i) != here;
                *across(contour, j, i) =
                    differs ? contour->point_count++ : CAROM_ZERO_CONTOUR_NO_POINT;
            }
        }
    }
}

/** Place the point of an edge from low to high. */
static void place_point(carom_zero_contour *contour, carom_bracket *bracket, bool is_along,
                        double fixed, double low, double high, int point) {
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
static void place_points(carom_zero_contour *contour, carom_bracket *bracket) {
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

static void join(carom_zero_contour *contour, int a, int b) {
    int *neighbours = contour->neighbours;
    neighbours[2 * a + (neighbours[2 * a] >= 0)] = b;
    neighbours[2 * b + (neighbours[2 * b] >= 0)] = a;
}

/** Join the points on the edges of a cell. */
static void join_cell(carom_zero_contour *contour, int row, int column) {
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

carom_status carom_zero_contour_compute(const carom_determinant_grid *grid,
                                        carom_reduced_matrix *reduced,
                                        carom_determinant_family family,
                                        carom_zero_contour *contour) {
    CAROM_ASSERT(grid != NULL && reduced != NULL && contour != NULL);
    const size_t columns = (size_t)grid->window.columns;
    const size_t rows = (size_t)grid->window.rows;
    *contour = (carom_zero_contour){.grid = grid, .reduced = reduced, .family = family};
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
    carom_bracket bracket;
    CAROM_TRY(carom_bracket_init(&bracket));
    place_points(contour, &bracket);
    carom_bracket_clear(&bracket);
    for (int i = 0; i < 2 * contour->point_count; i++) {
        contour->neighbours[i] = CAROM_ZERO_CONTOUR_NO_POINT;
    }
    for (int j = 0; j < grid->window.rows; j++) {
        for (int i = 0; i < grid->window.columns; i++) {
            join_cell(contour, j, i);
        }
    }
    return CAROM_OK;
}

void carom_zero_contour_clear(carom_zero_contour *contour) {
    CAROM_ASSERT(contour != NULL);
    free(contour->along);
    free(contour->across);
    free(contour->points);
    free(contour->neighbours);
    *contour = (carom_zero_contour){.grid = NULL};
}
