/** Random search for periodic motions with k impacts: seeded, parallel, deterministic. */
#ifndef CAROM_MODES_ORBIT_SEARCH_H
#define CAROM_MODES_ORBIT_SEARCH_H

#include <carom/base/attributes.h>
#include <carom/modes/orbit.h>

#include <stdbool.h>

CAROM_BEGIN_DECLARATIONS

typedef struct carom_orbit_search_params {
    int impact_count; /**< k >= 1 */
    int start_count;  /**< number of random guesses */
    double
        max_period; /**< guesses have periods in (0, max_period], s; found ones may not exceed it */
    unsigned long seed;  /**< of the guesses: guess i depends on seed and i alone */
    int threads;         /**< 0: all cores */
    bool keep_potential; /**< also what penetrates or pulls; default false */
    bool keep_unclosed;  /**< also certified motions so unstable that a period of events does not
                            close them to 1e-9; default false */
    bool keep_repeats;   /**< also motions with fewer impacts, found as their repetitions; default
                            false */
    double smallest_flight; /**< shortest flight time kept, fraction of the period, 1e-4 */
    double tolerance;       /**< of sameness of two solutions, 1e-7 */
} carom_orbit_search_params;

/** k impacts, a thousand guesses, seed 1, all cores. */
carom_orbit_search_params carom_orbit_search_params_default(int impact_count, double max_period);

/** One found motion, in canonical form. */
typedef struct carom_found_orbit {
    carom_orbit *orbit; /**< owned by the list; impact_count is that of the primitive period */
    int start;          /**< guess that found it first */
    int hits;           /**< number of guesses that led to it */
    bool is_admissible; /**< by certificate */
    double largest_gap_violation; /**< m */
    double closure_error; /**< after one period of event-driven motion, relative to the state; NaN
                             if not admissible */
} carom_found_orbit;

/** What a search found. */
typedef struct carom_orbit_list {
    int count;
    carom_found_orbit *found; /**< [count] by rising period, then energy */
    int converged;            /**< guesses that converged */
    int repeats;              /**< of these, repetitions of motions with fewer impacts */
    int outside;              /**< of these, those with too short a flight or too long a period */
    int unclosed;             /**< certified ones that a period of events does not close to 1e-9 */
    int potential;            /**< of these, those that pull or penetrate */
} carom_orbit_list;

/** Told after each finished batch how many guesses were done; from one thread at a time. */
typedef void (*carom_orbit_search_progress)(int done, void *context);

/**
 * Search from random guesses: period uniform in (0, max_period], divided by random weights, all
 * impacts with the speed that crosses the gap within a mean flight. Accepted in this order:
 * converged, no lambda below zero, primitive (repetitions of fewer impacts are counted, and kept
 * on request, reduced to these), no flight below the smallest, certified, re-propagated over a
 * period by events and closed to 1e-9 (motions so unstable that rounding opens them further are
 * counted, not kept), not found before. The result does not depend on the number of threads.
 *
 * @param[in]  basis    the structure
 * @param[in]  params   what to search
 * @param[in]  progress may be NULL
 * @param[in]  context  handed to progress
 * @param[out] out      belongs to the caller, to be freed by carom_orbit_list_free
 * @param[out] report   quantity and value if refused; may be NULL
 * @return CAROM_OK, also if nothing was found; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_orbit_search(const carom_modal_basis *basis,
                                                 const carom_orbit_search_params *params,
                                                 carom_orbit_search_progress progress,
                                                 void *context, carom_orbit_list **out,
                                                 carom_report *report);

/** Free a list and its orbits; NULL is accepted. */
void carom_orbit_list_free(carom_orbit_list *list);
CAROM_AUTO_TYPE(carom_orbit_list)

CAROM_END_DECLARATIONS

#endif
