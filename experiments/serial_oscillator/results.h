/** What the parts of the experiment share: options, the structure, work memory, and what they ask
 * of motions. */
#ifndef CAROM_EXPERIMENTS_SERIAL_OSCILLATOR_RESULTS_H
#define CAROM_EXPERIMENTS_SERIAL_OSCILLATOR_RESULTS_H

#include <carom/carom.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

enum { MOST_MASSES = 100 };

/** Impacts per period of figures 4 and 15, and of the three motions of figure 16. */
enum { SEVEN = 7, NEUTRAL_COUNT = 3 };

/** Motions 1 to 6 of figures 7 and 10; the last is the grazing linear mode. */
enum { CASE_COUNT = 6 };

/** Everything that options set. */
typedef struct settings {
    int mass_count;                 /**< n */
    double gap;                     /**< g_0, m */
    double max_period;              /**< of intervals and families, s */
    int points;                     /**< of a curve */
    double perturbation;            /**< of figure 16, relative */
    int periods;                    /**< of figure 16 */
    carom_real_list single_periods; /**< [4] motions 2 to 5 of figure 7, s */
    carom_real_list double_periods; /**< [5] motions 1 to 5 of figure 10, s */
    carom_real_list family_times;   /**< [2] flight times of figure 12, s */
    carom_real_list seven_times;    /**< [SEVEN] near the symmetric motion of figure 15, s */
    carom_real_list neutral_times[NEUTRAL_COUNT]; /**< [1], [2], [3] figure 16, s */
} settings;

/** What every part needs; a copy has work memory of its own but for `motion`. */
typedef struct oscillator {
    const settings *values;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    const carom_modal_basis *basis;
    const carom_period_intervals *intervals; /**< of one impact */
    carom_contact_motion *motion;            /**< work memory, as all below */
    carom_stability *stability;
    double state[2 * MOST_MASSES];       /**< [m][2] */
    double position[MOST_MASSES];        /**< [n] */
    double velocity[MOST_MASSES];        /**< [n] */
    double multipliers[4 * MOST_MASSES]; /**< [2n-2][2] */
    double work[2 * MOST_MASSES];        /**< [2n] */
} oscillator;

/* --- motion.c --------------------------------------------------------------------------------- */

/**
 * What may be missing for other parameters than the paper's: any failure but that of memory and of
 * the record says that there is no such motion, and the run goes on without it.
 */
CAROM_MUST_CHECK carom_status serial_oscillator_may_miss(carom_status status, bool *found);

/**
 * The motion with k impacts nearest to a guess, of a given period unless that is NaN.
 * @param[out] out belongs to the caller; NULL if there is none
 */
CAROM_MUST_CHECK carom_status serial_oscillator_solve(const oscillator *o, int k,
                                                      const double *flight_times, double period,
                                                      carom_orbit **out);

bool serial_oscillator_is_admissible(oscillator *o, const carom_orbit *orbit);

/** Spectral radius from the multipliers, which stay in the work memory; NaN at a graze. */
double serial_oscillator_radius(oscillator *o, const carom_orbit *orbit);

/** Position and velocity at any time, periodic; at T itself just before the impact. */
void serial_oscillator_motion(oscillator *o, const carom_orbit *orbit, double time,
                              double *position, double *velocity);

/** Largest coordinate difference of two motions over the period of the first, the second taken at
 * sign t + shift, divided by the largest coordinate of the first. */
double serial_oscillator_difference(oscillator *o, const carom_orbit *first,
                                    const carom_orbit *second, double sign, double shift);

/** The same between a motion and its own image, mirrored about an instant. */
double serial_oscillator_asymmetry(oscillator *o, const carom_orbit *orbit, double axis);

/** |a - b| / |b| of two modal states [m][2]. */
double serial_oscillator_deviation(const oscillator *o, const double *a, const double *b);

/** Deviation after one period of event-driven motion; NaN if its impacts are others. */
double serial_oscillator_closure(oscillator *o, const carom_orbit *orbit);

/** Write period, energy, spectral radius and the time history over one period into a group. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_motion(oscillator *o, carom_record *group,
                                                             const carom_orbit *orbit);

/** Write what a motion with one or two impacts of equal speed has besides: /FIGURE/case_NUMBER. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_case(oscillator *o, const char *figure,
                                                           int number, const carom_orbit *orbit);

/** The motion of a given period, belonging to the caller; NULL if there is none. */
typedef carom_status (*serial_oscillator_member)(const oscillator *o, double period,
                                                 const void *context, carom_orbit **out);

/** Write /FIGURE/surface: phase-space projections of motions with periods from first to last. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_surface(oscillator *o, const char *figure,
                                                              double first, double last,
                                                              serial_oscillator_member member,
                                                              const void *context);

/* --- the parts -------------------------------------------------------------------------------- */

/** Write /intervals and /density; `found` belongs to the caller. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_intervals(oscillator *o,
                                                                carom_period_intervals **found);
/** Write /phi (figure 6). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_phi(oscillator *o);
/** Write /single, the continuum next to 4 T_3 (figures 7 and 8). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_single(oscillator *o);
/** Write /double, the continuum next to 3 T_3 (figures 9 to 11). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_double(oscillator *o);
/** Write /families, /family (figure 12) and /bridge (figures 13 and 14). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_families(oscillator *o);
/** Write /seven (figures 4 and 15). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_seven(oscillator *o);
/** Write /stability: three neutrally stable motions and an unstable one (figure 16), and all
 * neutrally stable periods of one impact. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_stability(oscillator *o);

#endif
