/** What the parts of the tool share: options, work memory, and the steps that make the record. */
#ifndef CAROM_EXPERIMENTS_NONSMOOTH_MODES_RESULTS_H
#define CAROM_EXPERIMENTS_NONSMOOTH_MODES_RESULTS_H

#include <carom/carom.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

/** Guesses of the picture for each number of impacts: enough to fill it in seconds. */
enum { NONSMOOTH_MODES_PICTURE_GUESSES = 1000 };

/** Windows of the longest period in which the picture counts how frequent intervals are. */
enum { NONSMOOTH_MODES_WINDOWS = 3 };

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set, and the structure that follows from it. */
typedef struct settings {
    carom_real_list masses;      /**< a chain */
    carom_real_list stiffnesses; /**< its springs, from the ground */
    carom_real_matrix mass;      /**< any structure */
    carom_real_matrix stiffness;
    carom_real_list contact_normal;
    int elements; /**< of the bar, if neither is given */
    double gap;   /**< m */

    int impacts;                   /**< k */
    carom_real_list flight_times;  /**< a guess, s */
    carom_real_list impact_speeds; /**< of the guess, m/s */
    double period;                 /**< s to land on; NaN: free */
    int grazing_impact;            /**< j with lambda_j = 0; 0: none */
    bool has_branch;               /**< follow the whole branch through the solution */

    int search;         /**< number of random guesses; 0: no search */
    bool keep_unclosed; /**< also motions too unstable to follow by events */
    bool keep_repeats;  /**< also motions with fewer impacts in a shorter period */
    bool has_intervals; /**< all admissible periods of one impact */
    double max_period;  /**< s; NaN: the period of the lowest visible mode, for a branch none */
    double branch_step; /**< longest step of a branch, 1 */
    int samples;        /**< of each half interval */
    int trajectory;     /**< instants of the time histories; 0: none */

    carom_modal_basis *basis; /**< made by the check, freed by main */
} settings;

/** Neither solution nor search nor intervals are selected: the record of the document. */
bool nonsmooth_modes_is_picture(const settings *values);

/** What one analysis needs. */
typedef struct analysis {
    const settings *values;
    const carom_modal_basis *basis;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    double max_period;            /**< s, as given or the period of the lowest visible mode */
    carom_contact_motion *motion; /**< work memory of certificates */
    carom_stability *stability;
    double *state;       /**< [m][2] */
    double *multipliers; /**< [2n-2][2] of the motion examined last */
} analysis;

/* --- motions.c -------------------------------------------------------------------------------- */

/** Solve from the guess, write /solution, and /branch if it was asked for. */
CAROM_MUST_CHECK carom_status nonsmooth_modes_solve(const analysis *a);

/** Search motions with k impacts from so many random guesses. */
CAROM_MUST_CHECK carom_status nonsmooth_modes_search(const analysis *a, int impacts, int guesses,
                                                     carom_orbit_list **out);

/** Write /solutions: what became of the guesses, and all motions of some lists, numbered through.
 */
CAROM_MUST_CHECK carom_status nonsmooth_modes_write_found(const analysis *a,
                                                          carom_orbit_list *const *lists,
                                                          int list_count);

/* --- branches.c ------------------------------------------------------------------------------- */

/** Write /ends: the code and the meaning of every kind of end. */
void nonsmooth_modes_write_ends(const analysis *a);

/** Write the group of a branch. */
void nonsmooth_modes_write_branch(carom_record *group, const carom_orbit_branch *branch);

/** All admissible intervals of the structure, with progress. */
CAROM_MUST_CHECK carom_status nonsmooth_modes_find_intervals(const analysis *a, double max_period,
                                                             carom_period_intervals **out);

/** Write /intervals. */
CAROM_MUST_CHECK carom_status
nonsmooth_modes_write_intervals(const analysis *a, const carom_period_intervals *intervals);

/** Write /density: the share of admissible periods in windows of the longest period. */
CAROM_MUST_CHECK carom_status nonsmooth_modes_write_density(const analysis *a);

/** One branch through the middle of each interval, as /branches/NNNN, and all their points as
 * /picture. */
CAROM_MUST_CHECK carom_status
nonsmooth_modes_follow_intervals(const analysis *a, const carom_period_intervals *intervals);

#endif
