/** Linear undamped structures with one unilateral contact: M u'' + K u = 0, gap w'u + g_0 >= 0. */
#ifndef CAROM_MECHANISM_LINEAR_SYSTEM_H
#define CAROM_MECHANISM_LINEAR_SYSTEM_H

#include <carom/base/base.h>

CAROM_BEGIN_DECLARATIONS

/** Mass, stiffness and contact of a linear structure; displacements are measured from rest. */
typedef struct carom_linear_system {
    int coordinate_count;   /**< n >= 1 */
    double *mass;           /**< M [n][n] row-major, symmetric positive definite, kg */
    double *stiffness;      /**< K [n][n] row-major, symmetric positive definite, N/m */
    double *contact_normal; /**< w [n] gradient of the gap, 1 */
    double gap_at_rest;     /**< g_0, m; negative if the contact is prestressed, or zero */
} carom_linear_system;

/**
 * A system with zeroed matrices, to be filled by the caller.
 *
 * @param[in]  coordinate_count n >= 1
 * @param[out] out              belongs to the caller, to be freed by carom_linear_system_free
 * @return CAROM_OK; OUT_OF_RANGE if n < 1; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_linear_system_alloc(int coordinate_count,
                                                        carom_linear_system **out);

/** Free a system and its matrices; NULL is accepted. */
void carom_linear_system_free(carom_linear_system *system);
CAROM_AUTO_TYPE(carom_linear_system)

/**
 * Refuse what is not a structure with one contact: entries that are not finite, matrices that are
 * not symmetric (to 1e-12 of their largest entry) or whose mass is not positive definite, a normal
 * of zeros. The stiffness is only checked for symmetry here: modes decide whether it is definite.
 *
 * @param[in]  system complete
 * @param[out] report quantity ("mass", "stiffness", "contact normal", "gap at rest"), offending
 * value, row of the entry; may be NULL
 * @return CAROM_OK; NOT_FINITE; NOT_SYMMETRIC; OUT_OF_RANGE (not positive definite, zero normal);
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_linear_system_check(const carom_linear_system *system,
                                                        carom_report *report);

CAROM_END_DECLARATIONS

#endif
