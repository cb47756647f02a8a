/** The roots by row and column: how soon they form a square grid of step pi. */
#include "results.h"

#include <carom/collisionless/roots/internal.h>

#include <gsl/gsl_math.h>

#include <math.h>
#include <stdlib.h>

/** The roots in a rectangle of cells; NaN where the window cuts one off. */
typedef struct grid {
    int first_column; /**< n of the first one */
    int columns;
    int first_row; /**< r of the first one */
    int rows;
    double *phase;                       /**< o_N [rows][columns] */
    double *constrained_phase;           /**< o'_(N-1) [rows][columns] */
    double *column_number;               /**< n [columns] */
    double *row_number;                  /**< r [rows] */
    double *saturated_phase;             /**< o_N [columns] with all hyperbolic modes saturated */
    double *saturated_constrained_phase; /**< o'_(N-1) [rows] likewise */
    double *row_height;                  /**< o'_(N-1) [rows] far to the right */
} grid;

/** The rectangle, from the list; columns = 0 if cells do not apply. */
static grid span(const carom_root_list *roots) {
    int bounds[4] = {roots->roots[0].column, 0, roots->roots[0].row, 0};
    for (int k = 0; k < roots->count; k++) {
        const int column = roots->roots[k].column;
        const int row = roots->roots[k].row;
        bounds[0] = column < bounds[0] ? column : bounds[0];
        bounds[1] = column > bounds[1] ? column : bounds[1];
        bounds[2] = row < bounds[2] ? row : bounds[2];
        bounds[3] = row > bounds[3] ? row : bounds[3];
    }
    return (grid){.first_column = bounds[0],
                  .columns = bounds[1] - bounds[0] + 1,
                  .first_row = bounds[2],
                  .rows = bounds[3] - bounds[2] + 1};
}

/** Room for a grid, in one piece that begins with phase. */
static bool grid_alloc(grid *g) {
    const size_t columns = (size_t)g->columns;
    const size_t rows = (size_t)g->rows;
    g->phase = malloc((2 * rows * columns + 2 * columns + 3 * rows) * sizeof *g->phase);
    if (g->phase == NULL) {
        return false;
    }
    g->constrained_phase = g->phase + rows * columns;
    g->column_number = g->constrained_phase + rows * columns;
    g->saturated_phase = g->column_number + columns;
    g->row_number = g->saturated_phase + columns;
    g->saturated_constrained_phase = g->row_number + rows;
    g->row_height = g->saturated_constrained_phase + rows;
    return true;
}

/** Sort the roots into the grid. */
static void fill_roots(const results *r, grid *g) {
    const carom_phase_spectra *s = r->modes->spectra;
    const double omega = sqrt(s->unconstrained[s->mode_count - 1]);
    const double constrained_omega = sqrt(s->constrained[s->mode_count - 2]);
    for (int k = 0; k < g->rows * g->columns; k++) {
        g->phase[k] = (double)NAN;
        g->constrained_phase[k] = (double)NAN;
    }
    for (int k = 0; k < r->roots->count; k++) {
        const carom_impact_root *root = &r->roots->roots[k];
        const int cell = (root->row - g->first_row) * g->columns + root->column - g->first_column;
        g->phase[cell] = omega * root->time;
        g->constrained_phase[cell] = constrained_omega * root->constrained_time;
    }
}

/** Where rows and columns tend to. */
static carom_status fill_limits(const results *r, grid *g) {
    const carom_phase_spectra *s = r->modes->spectra;
    double unused = 0.0;
    for (int i = 0; i < g->columns; i++) {
        g->column_number[i] = g->first_column + i;
        CAROM_TRY(carom_asymptotic_roots_phases(s, g->first_column + i, 0, &g->saturated_phase[i],
                                                &unused));
    }
    for (int i = 0; i < g->rows; i++) {
        g->row_number[i] = g->first_row + i;
        CAROM_TRY(carom_asymptotic_roots_phases(s, g->first_column, g->first_row + i, &unused,
                                                &g->saturated_constrained_phase[i]));
        CAROM_TRY(carom_asymptotic_roots_row_height(s, g->first_row + i, &g->row_height[i]));
    }
    return CAROM_OK;
}

static void write_arrays(const results *r, const grid *g) {
    static const char ROW[] = "/grid/row";
    static const char COLUMN[] = "/grid/column";
    carom_record *record = r->record;
    carom_record_axis(record, COLUMN, g->columns, g->column_number, "1",
                      "n, half oscillations on one foot");
    carom_record_axis(record, ROW, g->rows, g->row_number, "1", "r, half oscillations on two feet");
    carom_record_series(record, "/grid/phase", g->phase, ROW, COLUMN, "rad",
                        "o_N of the root; NaN outside the window");
    carom_record_series(record, "/grid/constrained_phase", g->constrained_phase, ROW, COLUMN, "rad",
                        "o'_(N-1) of the root; NaN outside the window");
    carom_record_series(record, "/grid/saturated_phase", g->saturated_phase, COLUMN, NULL, "rad",
                        "o_N of the closed form for saturated modes");
    carom_record_series(record, "/grid/saturated_constrained_phase", g->saturated_constrained_phase,
                        ROW, NULL, "rad", "o'_(N-1) of the closed form for saturated modes");
    carom_record_series(record, "/grid/row_height", g->row_height, ROW, NULL, "rad",
                        "o'_(N-1) of the row for tau without limit");
}

/** How far the step from one root to a neighbour is from pi along one axis and 0 along the other.
 */
static double step_error(const grid *g, int from, int to) {
    const double along = fabs(g->phase[to] - g->phase[from]);
    const double across = fabs(g->constrained_phase[to] - g->constrained_phase[from]);
    return fmax(fabs(fmax(along, across) - M_PI), fmin(along, across));
}

/** The paper: the roots form a square grid for large times; its step is pi. */
static void write_steps(const results *r, const grid *g) {
    const int corner = g->rows * g->columns - 1;
    const carom_measure measures[] = {
        {"column_step_error", step_error(g, corner - 1, corner), "rad",
         "distance of the last step along the top row from (pi, 0)"},
        {"row_step_error", step_error(g, corner - g->columns, corner), "rad",
         "distance of the last step up the last column from (0, pi)"},
    };
    carom_record_measures(r->record, measures, 2);
}

carom_status biped_rocking_write_grid(const results *r) {
    if (r->roots->count == 0) {
        return CAROM_OK;
    }
    grid g = span(r->roots);
    if (!grid_alloc(&g)) {
        return CAROM_STATUS_OUT_OF_MEMORY;
    }
    fill_roots(r, &g);
    carom_status status = fill_limits(r, &g);
    if (status == CAROM_OK) {
        write_arrays(r, &g);
    }
    if (status == CAROM_OK && g.rows > 2 && g.columns > 2) {
        write_steps(r, &g);
    }
    free(g.phase);
    return status;
}
