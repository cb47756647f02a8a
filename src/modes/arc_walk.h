/** Walking along an arc of motions in one direction until it ends, and saying why. */
#ifndef CAROM_MODES_ARC_WALK_H
#define CAROM_MODES_ARC_WALK_H

#include <carom/base/attributes.h>
#include <carom/modes/orbit_arc.h>

/** One point of a walk, in the structure's own scale (the limit motion at infinite speed). */
typedef struct carom_arc_row {
    double period;          /**< s */
    double energy;          /**< J; infinite at infinite speed */
    double action;          /**< J s; infinite at infinite speed */
    double gap_violation;   /**< m */
    double spectral_radius; /**< 1 */
    double identity_error;  /**< 1 */
    int is_admissible;
    int gap_sign;
    int is_branch_point;
} carom_arc_row;

/** The points of a walk, the starting point first. */
typedef struct carom_arc_walk {
    int impact_count;     /**< k */
    int count;            /**< points */
    int capacity;         /**< of the arrays */
    carom_arc_row *rows;  /**< [count] */
    double *flight_times; /**< [count][k] s */
    double *lambda;       /**< [count][k] J^1/2 */
    carom_mode_end end;
    int end_impact;  /**< impact that vanishes or flight in which the gap closes; 0 */
    double end_time; /**< instant of a new contact, s; NaN */
} carom_arc_walk;

/** Free what a walk holds; a zeroed one is accepted. */
void carom_arc_walk_clear(carom_arc_walk *walk);

typedef struct carom_arc_walker carom_arc_walker;

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
CAROM_MUST_CHECK carom_status carom_arc_walker_alloc(const carom_modal_basis *basis,
                                                     const carom_orbit *orbit,
                                                     const carom_orbit_arc_params *params,
                                                     carom_arc_walker **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_arc_walker_free(carom_arc_walker *walker);
CAROM_AUTO_TYPE(carom_arc_walker)

/**
 * Walk from the orbit towards larger (direction 1) or smaller (-1) periods at the start.
 *
 * @param[out] walk empty (zeroed); to be cleared by carom_arc_walk_clear whatever is returned
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_arc_walker_walk(carom_arc_walker *walker, int direction,
                                                    carom_orbit_arc_progress progress,
                                                    void *context, carom_arc_walk *walk);

#endif
