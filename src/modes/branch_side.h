/** Walking along an arc of motions in one direction until it ends, and saying why. */
#ifndef CAROM_MODES_BRANCH_SIDE_H
#define CAROM_MODES_BRANCH_SIDE_H

#include <carom/base/base.h>
#include <carom/modes/orbit_search.h>

/** One point of a walk, in the structure's own scale (the limit motion at infinite speed). */
typedef struct carom_branch_row {
    double period;          /**< s */
    double energy;          /**< J; infinite at infinite speed */
    double action;          /**< J s; infinite at infinite speed */
    double gap_violation;   /**< m */
    double spectral_radius; /**< 1 */
    double identity_error;  /**< 1 */
    int is_admissible;
    int gap_sign;
    int is_branch_point;
} carom_branch_row;

/** The points of a walk, the starting point first. */
typedef struct carom_branch_side {
    int impact_count;       /**< k */
    int count;              /**< points */
    int capacity;           /**< of the arrays */
    carom_branch_row *rows; /**< [count] */
    double *flight_times;   /**< [count][k] s */
    double *lambda;         /**< [count][k] J^1/2 */
    carom_branch_end end;
    int end_impact;  /**< impact that vanishes or flight in which the gap closes; 0 */
    double end_time; /**< instant of a new contact, s; NaN */
} carom_branch_side;

/** Free what a walk holds; a zeroed one is accepted. */
void carom_branch_side_clear(carom_branch_side *walk);

typedef struct carom_branch_side_work carom_branch_side_work;

/**
 * Prepare walks from an orbit.
 *
 * @param[in]  basis  the structure, borrowed; gap not zero
 * @param[in]  orbit  a solution
 * @param[in]  params checked, borrowed
 * @param[out] out    belongs to the caller
 * @param[out] report may be NULL
 * @return CAROM_OK; NOT_CONVERGED; OUT_OF_RANGE if it is not admissible and has to be;
 * OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_branch_side_work_alloc(const carom_modal_basis *basis,
                                                           const carom_orbit *orbit,
                                                           const carom_orbit_branch_params *params,
                                                           carom_branch_side_work **out,
                                                           carom_report *report);

/** Free; NULL is accepted. */
void carom_branch_side_work_free(carom_branch_side_work *walker);
CAROM_AUTO_TYPE(carom_branch_side_work)

/**
 * Walk from the orbit towards larger (direction 1) or smaller (-1) periods at the start.
 *
 * @param[out] walk empty (zeroed); to be cleared by carom_branch_side_clear whatever is returned
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_branch_side_compute(carom_branch_side_work *walker,
                                                        int direction,
                                                        carom_orbit_branch_progress progress,
                                                        void *context, carom_branch_side *walk);

#endif
