/** What the parts of the experiment share: options, the structure, work memory, and motions. */
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
    double work[4 * MOST_MASSES];        /**< [2n + 2m] */
} oscillator;

/* --- continua.c ------------------------------------------------------------------------------- */

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

/** The branch through a motion; NULL if that is NULL or not admissible, or the branch is lost. */
CAROM_MUST_CHECK carom_status serial_oscillator_follow(oscillator *o, const carom_orbit *orbit,
                                                       carom_orbit_branch **out);

bool serial_oscillator_is_admissible(oscillator *o, const carom_orbit *orbit);

/** Spectral radius from the multipliers, which stay in the work memory; NaN at a graze. */
double serial_oscillator_radius(oscillator *o, const carom_orbit *orbit);

/** Difference between a motion and its own image, mirrored about an instant, relative. */
double serial_oscillator_asymmetry(oscillator *o, const carom_orbit *orbit, double axis);

/** Write period, energy, spectral radius and the time history over one period into a group. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_motion(oscillator *o, carom_record *group,
                                                             const carom_orbit *orbit);

/** The last two masses of motions over time: positions and the velocity of the last. */
typedef struct sheet {
    int rows; /**< motions */
    int count;
    double *before_last; /**< [rows][count]; the first spring's ground beside a single mass */
    double *last;        /**< [rows][count] */
    double *velocity;    /**< [rows][count] */
} sheet;

CAROM_MUST_CHECK carom_status sheet_init(sheet *s, int rows, int count);

void sheet_clear(sheet *s);

/** A row of a sheet: at scale * instant[i], the last one just before the impact at T. */
void sheet_fill(oscillator *o, sheet *s, int row, const carom_orbit *orbit, double scale,
                const double *instant);

/* --- the parts -------------------------------------------------------------------------------- */

/** Write /phi (figure 6), /intervals and /density; `found` belongs to the caller. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_periods(oscillator *o,
                                                              carom_period_intervals **found);
/** Write /single, the continuum next to 4 T_3 (figures 7 and 8). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_single(oscillator *o);
/** Write /double/curves and /double/dots, the set of flight times (figure 9). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_flights(oscillator *o);
/** Write the rest of /double, the continuum next to 3 T_3 (figures 10 and 11). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_double(oscillator *o);
/** Write /families, all with admissible members; `bridges` belongs to the caller. */
CAROM_MUST_CHECK carom_status
serial_oscillator_write_table(oscillator *o, carom_constant_period_families **bridges);
/** Write these, /family (figure 12) and /bridge (figures 13 and 14). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_families(oscillator *o);
/** Write /seven (figures 4 and 15). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_seven(oscillator *o);

#endif
