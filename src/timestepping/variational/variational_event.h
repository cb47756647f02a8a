/** Internal: the instant of the first impact within a step of the variational integrator. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_EVENT_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_EVENT_H

#include <carom/base/bracket.h>
#include <carom/timestepping/variational/variational.h>

/** The beginning of a flight and how far it may go; borrowed. n coordinates, m contacts. */
typedef struct carom_variational_flight {
    double time;             /**< s */
    const double *position;  /**< [n] */
    const double *momentum;  /**< [n] */
    const double *gap;       /**< [m], >= -tolerance */
    const double *gap_rate;  /**< [m] of open contacts with a gap up to the tolerance: > 0, m/s */
    const double *tolerance; /**< [m] a gap below minus this is a penetration, >= rounding */
    const double *rounding;  /**< [m] what rounding can make of a gap */
    const bool *is_asked;    /**< [m] contacts to be held */
    double length;           /**< to the end that is wanted, s */
} carom_variational_flight;

/** Memory of the search. Read, never written, by users. */
typedef struct carom_variational_event_search {
    carom_variational_step *step; /**< borrowed; holds the solution of `length` afterwards */
    int most_rounds;              /**< contacts that are tried one after the other */
    carom_bracket bracket;        /**< of the instant */
    double *normals;              /**< [m][n] at the end of a trial, owned */

    double length;  /**< of the flight to the impact, or to its end, s; 0: the
                        contact opens, but rounding hides how far */
    int contact;    /**< that closes there; -1: none */
    int iterations; /**< of Newton's method, all trials together */

    const carom_variational_flight *flight; /**< that is searched */
    double solved;                          /**< length that `step` has the solution of, s */
    int watched;                            /**< contact whose gap is brought to zero */
    double low;                             /**< its gap is positive there, s */
    double low_gap;                         /**< that gap */
    double high;                            /**< it penetrates there, s */
    double high_gap;                        /**< that gap */
    carom_status status;                    /**< of the last solution */
    carom_report report;                    /**< likewise */
} carom_variational_event_search;

/** Allocate around a step. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_event_search_init(
    carom_variational_event_search *search, carom_variational_step *step);

/** Free; a zeroed struct is accepted. */
void carom_variational_event_search_clear(carom_variational_event_search *search);

/**
 * Go through a flight up to where the first open contact closes.
 *
 * The flight is solved to its end. If an open contact penetrates there, the length of the flight is
 * brought, with one solution for each trial, to where that contact's gap is zero, up to a quarter
 * of its rounding: two trials along the rate G v at the end of the one before, then Brent's method.
 * Should another contact penetrate there, it closes earlier and takes its place. A contact that
 * begins on the surface leaves it first: its trivial root at zero is excluded by a trial in between
 * where its gap is positive. If rounding hides that rise, the flight has no length and the contact
 * is told.
 *
 * Held contacts may be released in one trial and not in the next, so that gaps jump with the
 * length: the flight then ends just before the jump, and no contact closes.
 *
 * A gap that is negative only in between is not seen.
 *
 * @param[in,out] search length, contact, and step with the solution of that length unless it is 0
 * @param[in]     flight borrowed during the call
 * @param[out]    report may be NULL
 * @return CAROM_OK; NOT_CONVERGED: also if no part of the flight is free of penetration; as
 * carom_variational_step_solve
 * Source: seghete-2014 (30); the exclusion of the trivial root is ours.
 */
CAROM_MUST_CHECK carom_status
carom_variational_event_search_run(carom_variational_event_search *search,
                                   const carom_variational_flight *flight, carom_report *report);

#endif
