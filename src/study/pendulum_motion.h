/** Runs of the pendulum against the wall beside its exact motion (bruls-2014, section 10.2). */
#ifndef CAROM_STUDY_PENDULUM_MOTION_H
#define CAROM_STUDY_PENDULUM_MOTION_H

#include <carom/models/bouncing_pendulum.h>
#include <carom/timestepping/galpha/galpha.h>
#include <carom/timestepping/trajectory.h>

#include <stdbool.h>

/** q = (x, y, theta); the joints in x and y; one contact. */
enum { CAROM_PENDULUM_COORDINATES = 3, CAROM_PENDULUM_ANGLE = 2, CAROM_PENDULUM_JOINTS = 2 };

/**
 * The exact impacts until a time, up to their accumulation.
 *
 * @param[in]  params  the pendulum
 * @param[in]  until   s
 * @param[in]  most    >= 0
 * @param[out] impacts [most]
 * @param[out] count   <= most; 0 on failure
 * @return as carom_bouncing_pendulum_exact_impacts
 */
CAROM_MUST_CHECK carom_status
carom_pendulum_impacts_until(const carom_bouncing_pendulum_params *params, double until, int most,
                             carom_bouncing_pendulum_impact *impacts, int *count);

/**
 * Exact smooth joint forces at increasing times.
 *
 * @param[in]  params the pendulum
 * @param[in]  count  number of times, >= 1
 * @param[in]  times  [count] s
 * @param[out] forces [count][2] N; not written on failure
 * @return as carom_bouncing_pendulum_exact_states
 */
CAROM_MUST_CHECK carom_status carom_pendulum_exact_forces(
    const carom_bouncing_pendulum_params *params, int count, const double *times, double *forces);

/**
 * Largest error of a run's mean energy between its first four impacts, in all the energy that it
 * loses: later impacts are displaced by the errors of the earlier.
 *
 * @param[in] run     with energies
 * @param[in] impacts [count] exact ones
 * @param[in] count   of them
 * @return NaN if there are not two impacts of both, or nothing is lost
 */
double carom_pendulum_plateau_error(const carom_trajectory *run,
                                    const carom_bouncing_pendulum_impact *impacts, int count);

/** The horizontal force of the first joint after a step. */
typedef struct carom_pendulum_force {
    double time;      /**< s */
    double deviation; /**< smooth force less the exact one of the same state, N */
    double reaction;  /**< smooth force and impulse together, section 7.1 of the paper, N */
    double exact;     /**< of the same state, N */
} carom_pendulum_force;

/** That of a row of a run with joint forces and impulses. */
carom_pendulum_force carom_pendulum_force_of(const carom_bouncing_pendulum_params *params,
                                             const carom_trajectory *run, int row);

/** Mean errors of a run. */
typedef struct carom_pendulum_errors {
    bool is_known;   /**< false: no exact motion, or the run failed; then there are no errors */
    double angle;    /**< rad */
    double rate;     /**< rad/s */
    double reaction; /**< of joint 1, N */
} carom_pendulum_errors;

/**
 * Compare a run with the exact motion; its first row, the initial state, does not count.
 *
 * @param[in]  params the pendulum
 * @param[in]  run    with joint forces and impulses
 * @param[out] errors see there
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_pendulum_compare(const carom_bouncing_pendulum_params *params,
                                                     const carom_trajectory *run,
                                                     carom_pendulum_errors *errors);

/**
 * Condition number of the full Newton matrix after one step from rest against the wall, where both
 * joints and the contact are in the matrix. Residual and unknowns are scaled by powers of h such
 * that the matrix tends to a regular constant one as h -> 0 (bruls-2014, 46): the number does not
 * depend on the step. Without the scaling it would grow as 1/h^2.
 *
 * @param[in]  params    the pendulum
 * @param[in]  stepper   with the step h; Newton's method is monolithic, whatever it says
 * @param[out] condition NaN if the pendulum cannot rest there
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_pendulum_condition(const carom_bouncing_pendulum_params *params,
                                                       const carom_stepper_params *stepper,
                                                       double *condition);

#endif
