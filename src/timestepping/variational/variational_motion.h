/** Internal: flights and impacts within a step of the variational integrator. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_MOTION_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_MOTION_H

#include <carom/timestepping/variational/variational_contacts.h>
#include <carom/timestepping/variational/variational_event.h>
#include <carom/timestepping/variational/variational_impact.h>
#include <carom/timestepping/variational/variational_state.h>

/** m contacts. */
struct carom_variational_stepper {
    const carom_mechanism *mechanism;
    carom_variational_params params;
    bool is_started;
    double start_time;         /**< s */
    unsigned long step_count;  /**< since the start */
    unsigned long impact_turn; /**< impacts since the start */

    carom_variational_state *present; /**< the last step */
    carom_variational_state *next;    /**< the one on its way */
    carom_variational_result result;  /**< shows `present` */

    carom_variational_step *step;
    carom_variational_event_search search;
    carom_variational_contacts contacts; /**< of the place reached within the step */
    carom_variational_collision collision;
    carom_variational_state memory[2];

    double elapsed;        /**< of the step on its way, s */
    int events;            /**< of that step: impacts and flights that end without one */
    bool *is_asked;        /**< [m] contacts to be held in the next flight */
    bool *is_struck;       /**< [m] contacts that the last flight has closed */
    bool *is_settled;      /**< [m] contacts that open too little to be seen */
    double *gap_rate;      /**< [m] m/s */
    double *rounding;      /**< [m] what rounding can make of the gaps of the step on its way */
    double *gap_tolerance; /**< [m] that of the parameters, or the rounding if that is more */
    int *hits;             /**< [m] of the step on its way */
    double distance;       /**< D that gaps change in the step on its way, m */
    double *acceleration;  /**< [n] M^-1 f at its beginning, scratch */
};

/** V of the place reached within the step, J. */
double carom_variational_potential_energy(const carom_variational_stepper *stepper);

/** Distance, rounding and tolerance of the gaps within a step that begins at t, q [n] with v [n].
 * @return CAROM_OK; SINGULAR: M; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_variational_set_tolerances(carom_variational_stepper *stepper,
                                                               double t, const double *q,
                                                               const double *v,
                                                               carom_report *report);

/**
 * Flights and impacts in turn, from `next`, the state at the beginning of the step, to its end.
 *
 * @param[in,out] stepper elapsed, events, hits, is_struck and is_settled are zero before,
 * tolerances set
 * @param[out]    report  quantity, value and index; may be NULL
 * @return as carom_variational_stepper_advance
 * Source: seghete-2014 (30), section VII-B.
 */
CAROM_MUST_CHECK carom_status carom_variational_take_step(carom_variational_stepper *stepper,
                                                          carom_report *report);

#endif
