/** A whole run of the variational integrator in memory. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_TRAJECTORY_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_TRAJECTORY_H

#include <carom/base/attributes.h>
#include <carom/timestepping/variational/variational_stepper.h>

CAROM_BEGIN_DECLARATIONS

/** Rows 0 .. row_count-1 are t_0, t_0 + h, ..; arrays [row] or [row][columns], owned. n
 * coordinates, m contacts of t tangents. Row k holds what happened in the step that ends there. */
typedef struct carom_variational_trajectory {
    int row_count;
    int coordinate_count;     /**< n */
    int contact_count;        /**< m */
    int tangent_count;        /**< t */
    double *time;             /**< [row] s */
    double *position;         /**< [row][n] */
    double *momentum;         /**< [row][n] */
    double *velocity;         /**< [row][n] */
    double *gap;              /**< [row][m] */
    double *contact_force;    /**< [row][m] normal impulse of the step / h, N; negative where a
                                 plastic impact pulls, which HELD may do */
    double *holding_force;    /**< [row][m] that of held contacts / h, without impacts, N */
    double *friction_force;   /**< [row][m t] friction impulse of the step / h, N */
    double *kinetic_energy;   /**< [row] J */
    double *potential_energy; /**< [row] J */
    double *friction_work;    /**< [row] lost since the start, J */
    double *impact_loss;      /**< [row] lost since the start, J */
    int *held;                /**< [row][m] 0 or 1 */
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
    const double *q0, const double *v0, double duration,
    void (*progress)(int rows_done, int row_count, void *context), void *context,
    carom_variational_trajectory **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_variational_trajectory_free(carom_variational_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_variational_trajectory)

CAROM_END_DECLARATIONS

#endif
