/** The determinant of the impact conditions over a plane: grids, curves of zeros and
 * their crossings. */
#ifndef CAROM_COLLISIONLESS_CURVES_DETERMINANT_H
#define CAROM_COLLISIONLESS_CURVES_DETERMINANT_H

#include <carom/base/base.h>
#include <carom/collisionless/curves/critical_region.h>
#include <carom/collisionless/motion/internal.h>
#include <carom/collisionless/roots/impact_roots.h>

#include <stdbool.h>

/* ---------------------------------------------------------------------------------------- grids */
/* Both determinants of the impact equations on a grid of impact phases. */

/** A part of the plane of impact phases o_N = |omega_N| tau, o'_{N-1} = |omega'_{N-1}| tau', and
 * how finely it is looked at. */
typedef struct carom_impact_phase_window {
    double min_phase;             /**< least o_N, rad, > 0: at zero everything vanishes */
    double max_phase;             /**< largest o_N, rad */
    double min_constrained_phase; /**< least o'_{N-1}, rad, > 0 */
    double max_constrained_phase; /**< largest o'_{N-1}, rad */
    int columns;                  /**< cells along o_N, 2 to 8192 */
    int rows;                     /**< cells along o'_{N-1}, 2 to 8192 */
} carom_impact_phase_window;

/** 0.02 to 16 by 0.02 to 10 in 400 by 250 cells. */
carom_impact_phase_window carom_impact_phase_window_default(void);

/**
 * Refuse a window that is none.
 *
 * @param[in]  window the window
 * @param[out] report quantity ("max phase", "min constrained phase", "columns", ...) and value; may
 * be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE for a phase that is not positive or above 1e8 rad, or
 * a number of cells out of range; CONFLICT if a largest phase is not above the least
 */
CAROM_MUST_CHECK carom_status
carom_impact_phase_window_check(const carom_impact_phase_window *window, carom_report *report);

/** The box of impact times that a window is, searched as by default. */
carom_root_search_params carom_impact_phase_window_box(const carom_impact_phase_window *window,
                                                       const carom_phase_spectra *spectra);

/** The window that a box of impact times is, in the default number of cells. */
carom_impact_phase_window carom_impact_phase_window_of_box(const carom_root_search_params *box,
                                                           const carom_phase_spectra *spectra);

/** Values at the nodes; node (row, column), both from 0, the last included. */
typedef struct carom_determinant_grid {
    carom_impact_phase_window window;
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
                                    const carom_impact_phase_window *window);

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

/* --------------------------------------------------------------------------------------- curves */
/* The curves on which one of the two determinants of the impact equations vanishes. */

/**
 * Curves of both families as polylines, point after point, those of one polyline together and in
 * order: as a table with a blank line wherever `polyline` changes they are ready to be drawn. A
 * closed polyline ends with the point it begins with.
 */
typedef struct carom_determinant_curves {
    int point_count;           /**< >= 0 */
    double *phase;             /**< o_N [point_count], rad */
    double *constrained_phase; /**< o'_{N-1} [point_count], rad */
    int *family;               /**< [point_count] carom_determinant_family */
    int *polyline;             /**< [point_count] number of its polyline, from 0 */
    int polyline_count;        /**< of both families, the first family first */
    int *first;                /**< [polyline_count + 1] first point of each polyline; at the end
                                  point_count */
} carom_determinant_curves;

/**
 * Zero contours of both determinants by marching squares. Every vertex is the zero of the
 * determinant on an edge of the grid, found to the last digits; two branches that enter one cell
 * are told apart by the sign at its centre. Branches that run closer
 * together than a cell, as nearly equal eigenvalues make them, can come out as a chain of loops: a
 * finer grid parts them.
 *
 * @param[in]  spectra checked here
 * @param[in]  window  checked here
 * @param[out] out     belongs to the caller, to be freed by carom_determinant_curves_free; NULL on
 * failure. No curve is no failure
 * @param[out] report  quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_reduced_matrix_alloc and carom_impact_phase_window_check return;
 * OUT_OF_MEMORY
 * Source: pankov-2024 (42), (43), figures 2 and 4; the caption of figure 2 has the families the
 * other way round. Cost: an elimination for every node, about ten for every vertex.
 */
CAROM_MUST_CHECK carom_status carom_determinant_curves_trace(
    const carom_phase_spectra *spectra, const carom_impact_phase_window *window,
    carom_determinant_curves **out, carom_report *report);

/** Free curves; NULL is accepted. */
void carom_determinant_curves_free(carom_determinant_curves *curves);
CAROM_AUTO_TYPE(carom_determinant_curves)

/* ------------------------------------------------------------------------------------ crossings */
/* Where the curves of the two determinants cross: the paper's way to all collisionless motions. */

/** A common zero of both determinants. */
typedef struct carom_determinant_crossing {
    double phase;             /**< o_N, rad */
    double constrained_phase; /**< o'_{N-1}, rad */
    double time;              /**< tau, s */
    double constrained_time;  /**< tau', s */
    double residual;          /**< length of the Newton step that is left, rad */
    carom_impact_rank rank;   /**< of the impact matrix */
    bool is_spurious; /**< the impact matrix keeps its rank: only the rows that both determinants
                         share have lost theirs. Or, next to the trivial solution tau tau' = 0, all
                         rows are so nearly dependent that rounding decides */
} carom_determinant_crossing;

/** All crossings found, by o_N, then o'_{N-1}. */
typedef struct carom_determinant_crossings {
    int count;                             /**< >= 0 */
    int true_count;                        /**< those that are not spurious */
    carom_determinant_crossing *crossings; /**< [count] */
} carom_determinant_crossings;

/**
 * Find all crossings in a window: in every cell of the grid that both families may pass through,
 * and there in every one of its 64 parts, Newton's method on the two determinants. Crossings closer
 * than 1e-6 rad are taken for one. Spurious ones
 * need a second oscillating mode in one of the phases. No proof that none is missing
 * (carom_impact_roots_find has one): two crossings within one part of a cell can be.
 *
 * @param[in]  spectra checked here
 * @param[in]  window  checked here
 * @param[out] out     belongs to the caller, to be freed by carom_determinant_crossings_free; NULL
 * on failure. No crossing is no failure
 * @param[out] report  quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_reduced_matrix_alloc and carom_impact_phase_window_check return;
 * NOT_CONVERGED if singular values do not; OUT_OF_MEMORY
 * Source: pankov-2024 (43) and figure 2, which do not mention spurious crossings. Cost: an
 * elimination for every node, some hundred for every cell that both families may enter.
 */
CAROM_MUST_CHECK carom_status carom_determinant_crossings_find(
    const carom_phase_spectra *spectra, const carom_impact_phase_window *window,
    carom_determinant_crossings **out, carom_report *report);

/** Free crossings; NULL is accepted. */
void carom_determinant_crossings_free(carom_determinant_crossings *crossings);
CAROM_AUTO_TYPE(carom_determinant_crossings)

#endif
