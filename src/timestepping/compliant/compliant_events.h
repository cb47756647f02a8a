/** Internal: when contacts change their law, and when a compliant run stops. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_EVENTS_H
#define CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_EVENTS_H

#include <carom/timestepping/compliant/compliant_system.h>

/** Number of event functions: gap, normal law and friction of every contact, and the stop. */
int carom_compliant_event_count(const carom_compliant_system *system);

/** Set the laws of the contacts from the state y at time t: at the start. */
void carom_compliant_start(carom_compliant_system *system, double t, const double *y);

/** Event functions g [event count] at y: how far the state is beyond what the present laws allow;
 * rising through zero is an event. -1 for what cannot happen in the present modes. */
void carom_compliant_event_values(carom_compliant_system *system, const double *y, double *g);

/**
 * Mark the event functions [event count] that have risen through zero, and those that have been
 * above it from the start, where no crossing is seen, and exceed it by more than rounding now.
 * @return whether there are any
 */
bool carom_compliant_find_events(const carom_compliant_system *system, const double *before,
                                 const double *after, bool *found);

/** Change the laws whose event functions are marked in `found`. */
void carom_compliant_apply_events(carom_compliant_system *system, double t, const double *y,
                                  const bool *found);

/** Whether the run may end at y: every watched contact has its least impulse and is not closing. */
bool carom_compliant_may_stop(carom_compliant_system *system, const double *y);

#endif
