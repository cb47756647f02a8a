/** Internal: proof that a small rectangle of impact times holds no root. */
#ifndef CAROM_COLLISIONLESS_ROOTS_ROOT_EXCLUSION_H
#define CAROM_COLLISIONLESS_ROOTS_ROOT_EXCLUSION_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/impact_matrix.h>

/** A rectangle of impact times. */
typedef struct carom_time_rectangle {
    double centre[2]; /**< tau, tau', s */
    double half[2];   /**< half widths, s */
} carom_time_rectangle;

/** Bounds of the derivatives of Z that hold in a rectangle (carom_impact_matrix_bounds). */
typedef struct carom_impact_bounds_of_change {
    double rates[2];      /**< by tau and tau', 1/s */
    double curvatures[2]; /**< second ones, 1/s2 */
} carom_impact_bounds_of_change;

/** Work memory of the test for one impact matrix. */
typedef struct carom_root_exclusion carom_root_exclusion;

/**
 * @param[in]  matrix borrowed; its scratch memory is used
 * @param[out] out    belongs to the caller, to be freed by carom_root_exclusion_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_root_exclusion_alloc(carom_impact_matrix *matrix,
                                                         carom_root_exclusion **out);

/** Free work memory; NULL is accepted. */
void carom_root_exclusion_free(carom_root_exclusion *exclusion);
CAROM_AUTO_TYPE(carom_root_exclusion)

/**
 * Whether Z keeps its rank in a rectangle.
 *
 * At the centre Z P = Q R with pivoted columns; v is the vector that R maps to its last diagonal
 * entry r, f = (r, 0). In the basis Q and with the last column replaced by Z v, Z at the offset
 * delta has the blocks [R_11 + E_11, e_1; E_21, f + e_2]; while R_11 + E_11 is regular it loses
 * rank only where f + e_2 - E_21 (R_11 + E_11)^-1 e_1 = 0, two equations. With J the derivative of
 * e_2 by the times, l the largest change of Z and m that of second order, f + J delta must come
 * within |v| (m + l2/(s - l)) of zero, s the least singular value of R_11.
 *
 * @param[in,out] exclusion work memory
 * @param[in]     rectangle of times
 * @param[in]     bounds    that hold in it
 * @param[out]    offset    [2] delta with f + J delta = 0, a guess of the nearest root from the
 * centre, s; infinite where the test does not come to it
 * @return true: there is no root; false: nothing is known. Cost: O(N3).
 */
bool carom_root_exclusion_holds(carom_root_exclusion *exclusion,
                                const carom_time_rectangle *rectangle,
                                const carom_impact_bounds_of_change *bounds, double offset[2]);

#endif
