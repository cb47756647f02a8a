/** The zero contour of one determinant on a grid, as joined points; not for users of the library.
 */
#ifndef CAROM_COLLISIONLESS_CURVES_ZERO_CONTOUR_H
#define CAROM_COLLISIONLESS_CURVES_ZERO_CONTOUR_H

#include <carom/collisionless/curves/determinant_grid.h>

/** What a grid edge or a side of a point carries if nothing. */
enum { CAROM_ZERO_CONTOUR_NO_POINT = -1 };

/** Points on the edges of a grid whose ends differ in sign, and who is joined to whom. */
typedef struct carom_zero_contour {
    const carom_determinant_grid *grid; /**< computed, borrowed */
    carom_reduced_matrix *reduced;      /**< of the grid, borrowed; its scratch memory is used */
    carom_determinant_family family;
    int *along;  /**< [rows + 1][columns] points on the edges along o_N */
    int *across; /**< [rows][columns + 1] points on the edges along o'_{N-1} */
    int point_count;
    double *points;  /**< [point_count][2] o_N, o'_{N-1}, rad */
    int *neighbours; /**< [point_count][2] points joined to each by a cell */
} carom_zero_contour;

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
CAROM_MUST_CHECK carom_status carom_zero_contour_compute(const carom_determinant_grid *grid,
                                                         carom_reduced_matrix *reduced,
                                                         carom_determinant_family family,
                                                         carom_zero_contour *contour);

/** Free what a contour holds. */
void carom_zero_contour_clear(carom_zero_contour *contour);

#endif
