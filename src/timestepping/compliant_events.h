/** Internal: when contacts change their law, and when a compliant run stops. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_EVENTS_H
#define CAROM_TIMESTEPPING_COMPLIANT_EVENTS_H

#include <carom/timestepping/compliant_system.h>

/** Number of event functions: gap, normal law and friction of every contact, and the stop. */
int carom_compliant_event_count(const carom_compliant_system *system);

/** Set the laws of the contacts from the state y at time t: at the start. */
void carom_compliant_start(carom_compliant_system *system, double t, const double *y);

/** Event functions g [event count] at y: their zeros, crossed in the right direction, are events;
 * 1 for those that cannot happen in the present modes. */
void carom_compliant_event_values(carom_compliant_system *system, const double *y, double *g);

/** Direction of each crossing: 1 upwards, -1 downwards. */
void carom_compliant_event_directions(const carom_compliant_system *system, int *directions);

/** Change the laws whose event functions are marked in `found` (not zero). */
void carom_compliant_apply_events(carom_compliant_system *system, double t, const double *y,
                                  const int *found);

/**
 * Change the laws that contradict the state by more than rounding: those whose event function began
 * at zero, where no crossing is seen.
 * @return whether there were any
 */
bool carom_compliant_mend(carom_compliant_system *system, double t, const double *y);

/** Whether the run may end at y: every watched contact has its least impulse and is not closing. */
bool carom_compliant_may_stop(carom_compliant_system *system, const double *y);

#endif
