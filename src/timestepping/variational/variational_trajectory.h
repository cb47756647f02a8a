/** A whole run of the variational integrator in memory. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_TRAJECTORY_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_TRAJECTORY_H

#include <carom/timestepping/trajectory.h>
#include <carom/timestepping/variational/variational_stepper.h>

CAROM_BEGIN_DECLARATIONS

/** Row 0 is the start, row k what happened in the step that ends at t_k. Read, never written, by
 * users. */
typedef struct carom_variational_trajectory {
    carom_trajectory *rows;
    int impact_count;
    carom_variational_impact *impacts; /**< [impact_count] of the whole run */
    int *closed;     /**< contacts of the impacts, one after the other; first_closed counts here */
    int *reflection; /**< sequences, likewise */
} carom_variational_trajectory;

/**
 * Run from (q0, v0) at t0 over round(duration/h) steps, at least one.
 *
 * @param[in]  mechanism as carom_variational_stepper_alloc
 * @param[in]  params    likewise
 * @param[in]  t0        s
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  duration  s, >= h/2
 * @param[in]  progress  told after every row; may be NULL
 * @param[in]  context   handed to progress
 * @param[out] out       belongs to the caller; NULL on failure
 * @param[out] report    may be NULL
 * @return as carom_variational_stepper_alloc, _start and _advance; OUT_OF_RANGE: duration
 */
CAROM_MUST_CHECK carom_status carom_variational_trajectory_run(
    const carom_mechanism *mechanism, const carom_variational_params *params, double t0,
    const double *q0, const double *v0, double duration, carom_trajectory_progress progress,
    void *context, carom_variational_trajectory **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_variational_trajectory_free(carom_variational_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_variational_trajectory)

CAROM_END_DECLARATIONS

#endif
