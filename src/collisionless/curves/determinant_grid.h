/** Both determinants of the impact equations on a grid of impact phases. */
#ifndef CAROM_COLLISIONLESS_CURVES_DETERMINANT_GRID_H
#define CAROM_COLLISIONLESS_CURVES_DETERMINANT_GRID_H

#include <carom/collisionless/curves/reduced_matrix.h>

#include <stdbool.h>

/** A part of the plane of impact phases o_N = |omega_N| tau, o'_{N-1} = |omega'_{N-1}| tau', and
 * how finely it is looked at. */
typedef struct carom_phase_window {
    double min_phase;             /**< least o_N, rad, > 0: at zero everything vanishes */
    double max_phase;             /**< largest o_N, rad */
    double min_constrained_phase; /**< least o'_{N-1}, rad, > 0 */
    double max_constrained_phase; /**< largest o'_{N-1}, rad */
    int columns;                  /**< cells along o_N, 2 to 8192 */
    int rows;                     /**< cells along o'_{N-1}, 2 to 8192 */
} carom_phase_window;

/** 0.02 to 16 by 0.02 to 10 in 400 by 250 cells. */
carom_phase_window carom_phase_window_default(void);

/**
 * Refuse a window that is none.
 *
 * @param[in]  window the window
 * @param[out] report quantity ("max phase", "min constrained phase", "columns", ...) and value; may
 * be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE for a phase that is not positive or above 1e8 rad, or
 * a number of cells out of range; CONFLICT if a largest phase is not above the least
 */
CAROM_MUST_CHECK carom_status carom_phase_window_check(const carom_phase_window *window,
                                                       carom_report *report);

/** Values at the nodes; node (row, column), both from 0, the last included. */
typedef struct carom_determinant_grid {
    carom_phase_window window;
    double *values;           /**< [rows + 1][columns + 1][CAROM_DETERMINANT_FAMILY_COUNT], 1 */
    double *row_functions;    /**< [columns + 1] of carom_reduced_matrix_rows */
    double *column_functions; /**< of one carom_reduced_matrix_columns */
} carom_determinant_grid;

/**
 * Memory for a grid.
 *
 * @param[in]  reduced  the problem
 * @param[in]  columns  cells along o_N
 * @param[in]  rows     cells along o'_{N-1}
 * @param[out] grid     to be cleared by carom_determinant_grid_clear; all zero on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_determinant_grid_init(const carom_reduced_matrix *reduced,
                                                          int columns, int rows,
                                                          carom_determinant_grid *grid);

/** Free what a grid holds. */
void carom_determinant_grid_clear(carom_determinant_grid *grid);

/**
 * Evaluate both determinants at all nodes.
 *
 * @param[in,out] grid     from carom_determinant_grid_init with the window's number of cells
 * @param[in,out] reduced  the problem the grid was made for; its scratch memory is used
 * @param[in]     window   the part of the plane
 * Cost: time functions once for every row and every column, an elimination for every node.
 */
void carom_determinant_grid_compute(carom_determinant_grid *grid, carom_reduced_matrix *reduced,
                                    const carom_phase_window *window);

/** o_N of a column of nodes, rad. */
double carom_determinant_grid_phase(const carom_determinant_grid *grid, int column);

/** o'_{N-1} of a row of nodes, rad. */
double carom_determinant_grid_constrained_phase(const carom_determinant_grid *grid, int row);

/** A determinant at a node. */
double carom_determinant_grid_value(const carom_determinant_grid *grid,
                                    carom_determinant_family family, int row, int column);

/**
 * Whether a curve of a family may pass through the cell whose least node is (row, column): it does
 * if the determinant has both signs at its corners. It may if the smallest value at a corner is
 * within reach of the second differences along the grid around the cell, the measure of how far the
 * function can bend within it; that factor is generous (four times the bound for a parabola), but a
 * fold much narrower than a cell escapes.
 */
bool carom_determinant_grid_may_vanish(const carom_determinant_grid *grid,
                                       carom_determinant_family family, int row, int column);

#endif
