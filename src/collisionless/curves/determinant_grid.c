#include <carom/collisionless/curves/determinant.h>

#include <carom/base/base.h>
#include <carom/models/model.h>

#include <math.h>
#include <stdlib.h>

/** Cells along a side: two for a second difference, and so that nodes are countable with an int. */
enum { MIN_CELLS = 2, MAX_CELLS = 1 << 13 };

/** Largest phase: there a time has lost half its digits. */
static const double LARGEST_PHASE = 1e8;

/** How far the least corner value may be from zero, in sums of second differences: a parabola of
 * second difference d dips d/8 below its chord, along two directions; four times that. */
static const double BEND_FACTOR = 0.5;

carom_impact_phase_window carom_impact_phase_window_default(void) {
    return (carom_impact_phase_window){
        .min_phase = 0.02,
        .max_phase = 16.0,
        .min_constrained_phase = 0.02,
        .max_constrained_phase = 10.0,
        .columns = 400,
        .rows = 250,
    };
}

carom_root_search_params carom_impact_phase_window_box(const carom_impact_phase_window *window,
                                                       const carom_phase_spectra *spectra) {
    const double omega = carom_phase_spectra_frequency(spectra);
    const double constrained_omega = carom_phase_spectra_constrained_frequency(spectra);
    carom_root_search_params box = carom_root_search_params_default();
    box.min_time = window->min_phase / omega;
    box.max_time = window->max_phase / omega;
    box.min_constrained_time = window->min_constrained_phase / constrained_omega;
    box.max_constrained_time = window->max_constrained_phase / constrained_omega;
    return box;
}

carom_impact_phase_window carom_impact_phase_window_of_box(const carom_root_search_params *box,
                                                           const carom_phase_spectra *spectra) {
    const double omega = carom_phase_spectra_frequency(spectra);
    const double constrained_omega = carom_phase_spectra_constrained_frequency(spectra);
    carom_impact_phase_window window = carom_impact_phase_window_default();
    window.min_phase = omega * box->min_time;
    window.max_phase = omega * box->max_time;
    window.min_constrained_phase = constrained_omega * box->min_constrained_time;
    window.max_constrained_phase = constrained_omega * box->max_constrained_time;
    return window;
}

/** One side of the window; names of both ends. */
static carom_status check_side(const char *const names[2], double least, double largest,
                               carom_report *report) {
    CAROM_TRY(carom_model_require_positive(names[0], least, report));
    CAROM_TRY(carom_model_require_within(names[1], largest, 0.0, LARGEST_PHASE, report));
    if (!(largest > least)) {
        (void)carom_report_bound(report, names[1], largest, "above the least one,", least);
        return CAROM_STATUS_CONFLICT;
    }
    return CAROM_OK;
}

static carom_status check_cells(const char *name, int cells, carom_report *report) {
    if (cells < MIN_CELLS || cells > MAX_CELLS) {
        return carom_report_refuse(report, name, (double)cells, -1, "2 to 8192");
    }
    return CAROM_OK;
}

carom_status carom_impact_phase_window_check(const carom_impact_phase_window *window,
                                             carom_report *report) {
    CAROM_ASSERT(window != NULL);
    const char *const phase[2] = {"min phase", "max phase"};
    const char *const constrained[2] = {"min constrained phase", "max constrained phase"};
    CAROM_TRY(check_side(phase, window->min_phase, window->max_phase, report));
    CAROM_TRY(check_side(constrained, window->min_constrained_phase, window->max_constrained_phase,
                         report));
    CAROM_TRY(check_cells("columns", window->columns, report));
    return check_cells("rows", window->rows, report);
}

carom_status carom_determinant_grid_init(const carom_reduced_matrix *reduced, int columns, int rows,
                                         carom_determinant_grid *grid) {
    CAROM_ASSERT(reduced != NULL && grid != NULL && columns >= MIN_CELLS && rows >= MIN_CELLS);
    const size_t nodes = ((size_t)rows + 1) * ((size_t)columns + 1);
    const size_t row_size = (size_t)carom_reduced_matrix_rows_size(reduced);
    *grid = (carom_determinant_grid){.window = {.columns = columns, .rows = rows}};
    grid->values = calloc(nodes * CAROM_DETERMINANT_FAMILY_COUNT, sizeof(double));
    grid->row_functions = calloc(((size_t)columns + 1) * row_size, sizeof(double));
    grid->column_functions =
        calloc((size_t)carom_reduced_matrix_columns_size(reduced), sizeof(double));
    if (grid->values == NULL || grid->row_functions == NULL || grid->column_functions == NULL) {
        carom_determinant_grid_clear(grid);
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    return CAROM_OK;
}

void carom_determinant_grid_clear(carom_determinant_grid *grid) {
    CAROM_ASSERT(grid != NULL);
    free(grid->values);
    free(grid->row_functions);
    free(grid->column_functions);
    *grid = (carom_determinant_grid){.values = NULL};
}

/** A node of an evenly divided side; its ends exactly. */
static double node(double least, double largest, int index, int cells) {
    return index == cells ? largest : least + (largest - least) * index / cells;
}

double carom_determinant_grid_phase(const carom_determinant_grid *grid, int column) {
    const carom_impact_phase_window *window = &grid->window;
    return node(window->min_phase, window->max_phase, column, window->columns);
}

double carom_determinant_grid_constrained_phase(const carom_determinant_grid *grid, int row) {
    const carom_impact_phase_window *window = &grid->window;
    return node(window->min_constrained_phase, window->max_constrained_phase, row, window->rows);
}

/** Both determinants at a node. */
static double *values_at(const carom_determinant_grid *grid, int row, int column) {
    const size_t index = (size_t)row * ((size_t)grid->window.columns + 1) + (size_t)column;
    return &grid->values[CAROM_DETERMINANT_FAMILY_COUNT * index];
}

void carom_determinant_grid_compute(carom_determinant_grid *grid, carom_reduced_matrix *reduced,
                                    const carom_impact_phase_window *window) {
    CAROM_ASSERT(grid != NULL && reduced != NULL && window != NULL);
    CAROM_ASSERT(window->columns == grid->window.columns && window->rows == grid->window.rows);
    grid->window = *window;
    const size_t size = (size_t)carom_reduced_matrix_rows_size(reduced);
    for (int i = 0; i <= window->columns; i++) {
        const double time =
            carom_reduced_matrix_time(reduced, carom_determinant_grid_phase(grid, i));
        carom_reduced_matrix_rows(reduced, time, &grid->row_functions[(size_t)i * size]);
    }
    for (int j = 0; j <= window->rows; j++) {
        const double phase = carom_determinant_grid_constrained_phase(grid, j);
        carom_reduced_matrix_columns(reduced, carom_reduced_matrix_constrained_time(reduced, phase),
                                     grid->column_functions);
        for (int i = 0; i <= window->columns; i++) {
            carom_reduced_matrix_eliminate(reduced, &grid->row_functions[(size_t)i * size],
                                           grid->column_functions, values_at(grid, j, i));
        }
    }
}

double carom_determinant_grid_value(const carom_determinant_grid *grid,
                                    carom_determinant_family family, int row, int column) {
    return values_at(grid, row, column)[family];
}

/** The largest second difference around the edge from `start` to `start` + 1 of a line of nodes. */
static double bend(const double *line, size_t stride, int start, int cells) {
    double largest = 0.0;
    for (int centre = start; centre <= start + 1; centre++) {
        if (centre > 0 && centre < cells) {
            const double *at = line + (size_t)centre * stride;
            largest = fmax(largest, fabs(*(at - stride) - 2.0 * *at + *(at + stride)));
        }
    }
    return largest;
}

bool carom_determinant_grid_may_vanish(const carom_determinant_grid *grid,
                                       carom_determinant_family family, int row, int column) {
    const int columns = grid->window.columns;
    const size_t along = CAROM_DETERMINANT_FAMILY_COUNT;
    const size_t across = along * ((size_t)columns + 1);
    const double corners[4] = {carom_determinant_grid_value(grid, family, row, column),
                               carom_determinant_grid_value(grid, family, row, column + 1),
                               carom_determinant_grid_value(grid, family, row + 1, column),
                               carom_determinant_grid_value(grid, family, row + 1, column + 1)};
    double least = corners[0];
    double largest = corners[0];
    for (int k = 1; k < 4; k++) {
        least = fmin(least, corners[k]);
        largest = fmax(largest, corners[k]);
    }
    if (least <= 0.0 && largest >= 0.0) {
        return true;
    }
    double bends = 0.0;
    for (int k = 0; k <= 1; k++) {
        bends = fmax(bends, bend(values_at(grid, row + k, 0) + family, along, column, columns) +
                                bend(values_at(grid, 0, column + k) + family, across, row,
                                     grid->window.rows));
    }
    return fmin(fabs(least), fabs(largest)) <= BEND_FACTOR * bends;
}
