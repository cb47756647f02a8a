/** A whole run of a scheme in memory: what records, figures and claims are made of. */
#ifndef CAROM_TIMESTEPPING_TRAJECTORY_H
#define CAROM_TIMESTEPPING_TRAJECTORY_H

#include <carom/base/attributes.h>
#include <carom/timestepping/galpha/stepper.h>

CAROM_BEGIN_DECLARATIONS

/** Rows 0 .. row_count-1 are t_0, t_1, ...; arrays are [row_count] or [row_count][columns], owned.
 */
typedef struct carom_trajectory {
    int row_count;        /**< number of steps + 1 */
    int coordinate_count; /**< n */
    int joint_count;      /**< n_b */
    int contact_count;    /**< n_u */
    carom_scheme scheme;
    double step;          /**< h, s */
    carom_status outcome; /**< CAROM_OK, or why the run ended before its last row */
    double failure_time;  /**< time that could not be reached, s; NaN if none */

    double *time;                        /**< [row] s */
    double *position;                    /**< [row][n] */
    double *velocity;                    /**< [row][n] */
    double *gap;                         /**< [row][n_u] m */
    double *gap_rate;                    /**< [row][n_u] m/s */
    double *contact_force;               /**< [row][n_u] N, smooth_galpha only, else zero */
    double *contact_impulse;             /**< [row][n_u] Lambda, N s */
    double *contact_position_multiplier; /**< [row][n_u] nu, N s2 */
    double *joint_residual;              /**< [row][n_b] m */
    double *joint_rate;                  /**< [row][n_b] m/s */
    double *joint_force;                 /**< [row][n_b] lambda~, N */
    double *joint_impulse;               /**< [row][n_b] Lambda, N s */
    double *joint_position_multiplier;   /**< [row][n_b] nu, N s2 */
    double *energy;                      /**< [row] J */
    double *residual;                    /**< [row] largest scaled residual of the step */
    int *newton_iterations;              /**< [row] */
    int *position_active;                /**< [row][n_u] 0 or 1 */
    int *velocity_active;                /**< [row][n_u] 0 or 1 */
} carom_trajectory;

/** Bytes of a row of a mechanism's trajectory. */
size_t carom_trajectory_row_size(const carom_mechanism *mechanism);

/** Told after every row; a nonzero return does nothing but may be used to print. */
typedef void (*carom_trajectory_progress)(int rows_done, int row_count, void *context);

/**
 * Run a scheme from (q0, v0) at t = 0 over `duration` and keep every step: ceil(duration/h) steps,
 * t_k = k h.
 *
 * @param[in]  mechanism the system
 * @param[in]  params    the scheme
 * @param[in]  q0        [n]
 * @param[in]  v0        [n]
 * @param[in]  duration  s, >= h
 * @param[in]  progress  may be NULL
 * @param[in]  context   handed to progress
 * @param[out] out       belongs to the caller, to be freed by carom_trajectory_free; NULL on
 * failure
 * @param[out] report    may be NULL
 * @return as carom_stepper_alloc, _start and _advance; OUT_OF_RANGE if duration < h
 */
CAROM_MUST_CHECK carom_status carom_trajectory_run(
    const carom_mechanism *mechanism, const carom_stepper_params *params, const double *q0,
    const double *v0, double duration, carom_trajectory_progress progress, void *context,
    carom_trajectory **out, carom_report *report);

/**
 * As carom_trajectory_run, but a numerical failure after the start is an answer, not an error: the
 * rows from the failure on are NaN (sets and iterations zero), `outcome` and `failure_time` of the
 * trajectory and the report tell why, and CAROM_OK is returned.
 */
CAROM_MUST_CHECK carom_status carom_trajectory_run_to_failure(
    const carom_mechanism *mechanism, const carom_stepper_params *params, const double *q0,
    const double *v0, double duration, carom_trajectory_progress progress, void *context,
    carom_trajectory **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_trajectory_free(carom_trajectory *trajectory);
CAROM_AUTO_TYPE(carom_trajectory)

CAROM_END_DECLARATIONS

#endif
