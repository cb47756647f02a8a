/** Internal: what ends a phase, and when it first does within a step. */
#ifndef CAROM_TIMESTEPPING_PLASTIC_PLASTIC_WATCH_H
#define CAROM_TIMESTEPPING_PLASTIC_PLASTIC_WATCH_H

#include <carom/timestepping/plastic/plastic.h>
#include <carom/timestepping/plastic/plastic_integrator.h>

/** The quantities that decide about events, at one state. */
typedef struct carom_plastic_reading {
    double duration; /**< from the beginning of the step, s */
    double gap;      /**< m */
    double gap_rate; /**< m/s */
    double rounding; /**< of the gap rate, m/s */
    double force;    /**< of the contact, N */
    double pull;     /**< force of this size is rounding, N */
    double user;     /**< user's quantity; 1 without one */
} carom_plastic_reading;

/** What is watched for, in the present phase. */
typedef struct carom_plastic_watch {
    const carom_plastic_params *params;   /**< borrowed */
    carom_plastic_integrator *integrator; /**< borrowed */
    bool is_release_armed;       /**< the contact has pushed by more than rounding in this phase */
    bool is_user_armed;          /**< the user's quantity has exceeded its level */
    carom_plastic_reading first; /**< at the present state */
} carom_plastic_watch;

/** Read at the present state, into `first`. @return CAROM_OK; NOT_FINITE; SINGULAR */
CAROM_MUST_CHECK carom_status carom_plastic_watch_read_state(carom_plastic_watch *watch,
                                                             carom_report *report);

/** Whether what is read at the start of a phase ends it already: a gap closed and closing faster
 * than the tolerance, or a contact that would pull. */
bool carom_plastic_watch_ends_at_once(const carom_plastic_watch *watch);

/** Whether the user's quantity, once armed, has fallen to zero in a reading. */
bool carom_plastic_watch_calls_user(const carom_plastic_watch *watch,
                                    const carom_plastic_reading *reading);

/** Take note of what a reading makes possible: release, user event. */
void carom_plastic_watch_arm(carom_plastic_watch *watch, const carom_plastic_reading *reading);

/**
 * Look for the first event in the integrator's last step.
 *
 * @param[in,out] watch    `first` is that at the beginning of the step; afterwards, without an
 *                         event, that at its end
 * @param[out]    kind     CAROM_PLASTIC_END if there is none; of two at once that of the contact
 * @param[out]    report   may be NULL
 * @return CAROM_OK, the integrator having gone back to the event; NOT_FINITE; SINGULAR
 */
CAROM_MUST_CHECK carom_status carom_plastic_watch_search(carom_plastic_watch *watch,
                                                         carom_plastic_event_kind *kind,
                                                         carom_report *report);

#endif
