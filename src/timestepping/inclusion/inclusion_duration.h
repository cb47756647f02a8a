/** The duration dt of a step of the inclusion, as the one that its own complementarity problem
 * gives. */
#ifndef CAROM_TIMESTEPPING_INCLUSION_INCLUSION_DURATION_H
#define CAROM_TIMESTEPPING_INCLUSION_INCLUSION_DURATION_H

#include <carom/timestepping/inclusion/inclusion.h>
#include <carom/timestepping/inclusion/inclusion_mixture.h>

/** How a step is shared, and what had to be done for it. */
typedef struct carom_inclusion_duration {
    carom_inclusion_mixture share;
    double length;     /**< ds, or the shortened one */
    bool is_shortened; /**< the step ends where a contact closes */
    bool is_early;     /**< a contact presses that would close within a thousandth of ds */
} carom_inclusion_duration;

/**
 * Find tau with dt(tau) = tau, dt(tau) from carom_inclusion_mixture_solve: dt decreases with tau,
 * from the duration of the closed contacts alone to one in which every open contact of reach may
 * press. Where it jumps across tau there is none: the step is shortened to end there, or, if it
 * would become shorter than a thousandth, the contacts in question press that much early.
 *
 * @param[in,out] sharing  work memory
 * @param[in]     system   loaded for a step ds
 * @param[in]     params   approach_weight
 * @param[in]     ds       step
 * @param[in]     expected dt/ds to start from; 0: none
 * @param[out]    L        [r] impulses
 * @param[out]    duration the result
 * @return CAROM_OK; RAY, NOT_CONVERGED, NOT_FINITE of the complementarity problem
 */
CAROM_MUST_CHECK carom_status carom_inclusion_duration_find(carom_inclusion_mixture_work *sharing,
                                                            const carom_inclusion_system *system,
                                                            const carom_inclusion_params *params,
                                                            double ds, double expected, double *L,
                                                            carom_inclusion_duration *duration);

#endif
