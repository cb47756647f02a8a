/** Internal: steps of chosen length through the equations of a compliant system, up to events. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_INTEGRATOR_H
#define CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_INTEGRATOR_H

#include <carom/base/base.h>
#include <carom/timestepping/compliant/compliant_system.h>

/** State, step and event functions. */
typedef struct carom_compliant_integrator carom_compliant_integrator;

/** How a step ended. */
typedef enum carom_compliant_progress {
    CAROM_COMPLIANT_STEPPED,  /**< within the present laws */
    CAROM_COMPLIANT_EVENT,    /**< at the zero of an event function */
    CAROM_COMPLIANT_FINISHED, /**< the time span is over */
    CAROM_COMPLIANT_FAILED    /**< see carom_compliant_integrator_failure */
} carom_compliant_progress;

/** Counts of a run. */
typedef struct carom_compliant_counts {
    long steps;
    long force_evaluations;
    long jacobian_evaluations;
    long error_test_failures;
    long convergence_failures;
} carom_compliant_counts;

/**
 * At time zero, in the state of rest displacement and velocity v, with the tolerances and the time
 * span of the system's parameters.
 *
 * @param[in]  system borrowed; its modes are the ones integrated
 * @param[in]  v      [n]
 * @param[out] out    belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_compliant_integrator_alloc(carom_compliant_system *system,
                                                               const double *v,
                                                               carom_compliant_integrator **out);

/** Free; NULL is accepted. */
void carom_compliant_integrator_free(carom_compliant_integrator *integrator);
CAROM_AUTO_TYPE(carom_compliant_integrator)

/** Time reached, s. */
double carom_compliant_integrator_time(const carom_compliant_integrator *integrator);

/** State reached, [size of the system], borrowed. */
const double *carom_compliant_integrator_state(const carom_compliant_integrator *integrator);

/** Which event functions call for a change, [event count], borrowed; after CAROM_COMPLIANT_EVENT.
 */
const bool *carom_compliant_integrator_events(const carom_compliant_integrator *integrator);

/** One step, ending early at an event or at the end of the time span. Events are looked for at the
 * nodes of the step, and bisected to the rounding of its part; the state is that on their far
 * side. */
carom_compliant_progress carom_compliant_integrator_step(carom_compliant_integrator *integrator);

/** Time counts anew: to be called whenever a mode has changed. @return whether time is left */
bool carom_compliant_integrator_restart(carom_compliant_integrator *integrator);

/** Why the last step failed: a status of the equations, or NOT_CONVERGED. */
carom_status carom_compliant_integrator_failure(const carom_compliant_integrator *integrator);

/** Length of the next step to be tried, s. */
double carom_compliant_integrator_step_size(const carom_compliant_integrator *integrator);

/** Counts so far. */
carom_compliant_counts
carom_compliant_integrator_counts(const carom_compliant_integrator *integrator);

#endif
