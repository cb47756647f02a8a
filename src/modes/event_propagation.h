/** Motion from any state by exact free flight and impacts where they happen, without periodicity.
 */
#ifndef CAROM_MODES_EVENT_PROPAGATION_H
#define CAROM_MODES_EVENT_PROPAGATION_H

#include <carom/modes/modal_basis.h>

/** Called after each impact with its number from 1, its time and lambda, and the state after it. */
typedef carom_status (*carom_event_observer)(int impact, double time, double lambda,
                                             const double *state, void *context);

/** Where a propagation ended. */
typedef struct carom_event_end {
    double time; /**< s */
    int impacts; /**< number of impacts so far */
} carom_event_end;

/**
 * Follow the motion until a number of impacts or a time is reached, whichever comes first. The
 * state is rotated exactly between impacts; an impact is found as the first contact of the flight
 * and reflects the velocities. A touch without normal velocity (lambda below 1e-13 of the root of
 * twice the energy) from which the contact falls back reflects nothing and is not counted; one that
 * is pressed on is reflected whatever its lambda. An impact within rounding of max_time has
 * happened.
 *
 * @param[in]     basis       the structure
 * @param[in,out] motion      workspace
 * @param[in,out] state       [m][2] J^1/2; at the start (after an impact that happens there) and at
 * the end (after the last impact, if it ends there)
 * @param[in]     max_impacts stop after so many; a negative number: no limit
 * @param[in]     max_time    stop at this time, s; infinite: no limit
 * @param[in]     observer    may be NULL; a status other than CAROM_OK ends the motion and is
 * returned
 * @param[in]     context     handed to the observer
 * @param[out]    end         where it ended; may be NULL
 * @param[out]    report      time and quantity on failure; may be NULL
 * @return CAROM_OK; NOT_FINITE for a state or time limit that is not a number; OUT_OF_RANGE for a
 * negative time limit; PENETRATION if the state begins beyond the obstacle (by 1e-10 of the
 * larger of |g_0| and the reach of x_c) or moves into it;
 * NOT_CONVERGED if impacts accumulate (1000 within 1e-9 of the period of the lowest mode);
 * NOT_FOUND if there is no time limit and no impact within a thousand periods of the lowest mode;
 * the observer's
 */
CAROM_MUST_CHECK carom_status carom_event_propagate(const carom_modal_basis *basis,
                                                    carom_contact_motion *motion, double *state,
                                                    int max_impacts, double max_time,
                                                    carom_event_observer observer, void *context,
                                                    carom_event_end *end, carom_report *report);

#endif
