/** Internal: steps of a motion within one phase, and the states inside the last of them. */
#ifndef CAROM_TIMESTEPPING_PLASTIC_PLASTIC_INTEGRATOR_H
#define CAROM_TIMESTEPPING_PLASTIC_PLASTIC_INTEGRATOR_H

#include <carom/timestepping/plastic/plastic_dynamics.h>

#include <gsl/gsl_odeiv2.h>

/** Where a motion is. States are y = (q, v), [2 n]. */
typedef struct carom_plastic_integrator {
    carom_plastic_dynamics *dynamics; /**< borrowed */
    bool is_closed;                   /**< the phase integrated */
    double origin;                    /**< time of the last restart, s */
    double elapsed;                   /**< since then, s, so that what follows an event is resolved
                                         relative to it */
    double time;                      /**< reached, s */
    double step_size;                 /**< of the next step, s */
    double *state;                    /**< [2n] */

    double step_origin;  /**< elapsed at the beginning of the last step, s */
    double step_length;  /**< of the last step, s */
    double *step_state;  /**< [2n] at its beginning */
    double *probe_state; /**< [2n] within it */
    double *error;       /**< [2n] of a step, estimated */
    double *weight;      /**< [2n] of it, tolerated */
    double energy;       /**< the largest kinetic one tried since the measure, J */
    double relative_tolerance;
    double absolute_tolerance;

    carom_report refusal;         /**< why the equations could not be evaluated */
    carom_status equation_status; /**< likewise, or OK */
    gsl_odeiv2_system system;
    gsl_odeiv2_step *step;
    double *memory; /**< owns the numbers */
} carom_plastic_integrator;

/** Allocate around equations; must not be moved. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_plastic_integrator_init(carom_plastic_integrator *integrator,
                                                            carom_plastic_dynamics *dynamics,
                                                            double relative_tolerance,
                                                            double absolute_tolerance);

/** Free; a zeroed struct is accepted. */
void carom_plastic_integrator_clear(carom_plastic_integrator *integrator);

/** Tolerances count in the scales that the equations have measured; the next step is chosen anew.
 */
void carom_plastic_integrator_measure(carom_plastic_integrator *integrator);

/** Forget the past: the present state is that of a time, in a phase. */
void carom_plastic_integrator_restart(carom_plastic_integrator *integrator, double time,
                                      bool is_closed);

/**
 * One step, of the size that the tolerances allow, towards a time.
 *
 * @param[in,out] integrator after a restart
 * @param[in]     until   later than the time reached, s; may be reached, to the bit
 * @param[in]     largest step, s
 * @param[out]    report  may be NULL
 * @return CAROM_OK; a status of the equations; NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_plastic_integrator_step(carom_plastic_integrator *integrator,
                                                            double until, double largest,
                                                            carom_report *report);

/**
 * Fill probe_state: that of `duration` after the beginning of the last step, in one step of the
 * pair, and observe the equations there.
 *
 * @param[in,out] integrator after a step
 * @param[in]     duration from zero to step_length, s
 * @param[out]    report   may be NULL
 * @return CAROM_OK; a status of the equations
 */
CAROM_MUST_CHECK carom_status carom_plastic_integrator_probe(carom_plastic_integrator *integrator,
                                                             double duration, carom_report *report);

/** Make the last probe, of a duration, the present state. */
void carom_plastic_integrator_go_back(carom_plastic_integrator *integrator, double duration);

#endif
