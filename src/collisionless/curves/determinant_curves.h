/** The curves on which one of the two determinants of the impact equations vanishes. */
#ifndef CAROM_COLLISIONLESS_CURVES_DETERMINANT_CURVES_H
#define CAROM_COLLISIONLESS_CURVES_DETERMINANT_CURVES_H

#include <carom/base/base.h>
#include <carom/collisionless/curves/determinant_grid.h>

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
 * @return CAROM_OK; what carom_reduced_matrix_alloc and carom_phase_window_check return;
 * OUT_OF_MEMORY Source: pankov-2024 (42), (43), figures 2 and 4; the caption of figure 2 has the
 * families the other way round. Cost: an elimination for every node, about ten for every vertex.
 */
CAROM_MUST_CHECK carom_status carom_determinant_curves_trace(const carom_phase_spectra *spectra,
                                                             const carom_phase_window *window,
                                                             carom_determinant_curves **out,
                                                             carom_report *report);

/** Free curves; NULL is accepted. */
void carom_determinant_curves_free(carom_determinant_curves *curves);
CAROM_AUTO_TYPE(carom_determinant_curves)

#endif
