/** What the parts of the experiment share: options, work memory, and the steps that make the
 * record.
 */
#ifndef CAROM_EXPERIMENTS_SERIAL_OSCILLATOR_RESULTS_H
#define CAROM_EXPERIMENTS_SERIAL_OSCILLATOR_RESULTS_H

#include <carom/carom.h>
#include <carom/models/serial_chain.h>
#include <carom/modes/few_impacts.h>
#include <carom/modes/impact_equations.h>
#include <carom/modes/internal.h>
#include <carom/modes/orbit.h>
#include <carom/modes/orbit_search.h>

/** Longest path inside the record that is made here. */
enum { PATH_SIZE = 96 };

/** Number of entries of an array. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

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

/** What every part needs. */
typedef struct oscillator {
    const settings *values;
    carom_modal_basis *basis;
    const carom_common_options *common;
    carom_record *record;
    carom_report *report;
    carom_period_intervals *intervals;   /**< of one impact, for the gap */
    carom_period_intervals *prestressed; /**< for the opposite gap */
    carom_contact_motion *motion;        /**< work memory */
    carom_stability *stability;
    double *state;       /**< [m][2] */
    double *position;    /**< [n] */
    double *velocity;    /**< [n] */
    double *multipliers; /**< [2n-2][2] */
    double *work;        /**< [2n] */
} oscillator;

/* --- oscillator.c ----------------------------------------------------------------------------- */

/** The paper's numbers, and those chosen where it is silent. */
settings serial_oscillator_defaults(void);

/** Refuse options that do not fit together. */
CAROM_MUST_CHECK carom_status serial_oscillator_check(const settings *v, carom_report *report);

/** Make the structure and the work memory; closed by serial_oscillator_close, whatever is returned.
 */
CAROM_MUST_CHECK carom_status serial_oscillator_open(oscillator *o);
void serial_oscillator_close(oscillator *o);

/* --- writing.c -------------------------------------------------------------------------------- */

/** Write columns of a group over an axis, and a second one if column_axis is not NULL. */
void serial_oscillator_write_columns(const oscillator *o, const char *group, const char *axis,
                                     const char *column_axis, const carom_column *columns,
                                     int count);

/** Write numbers of a group without an axis. */
void serial_oscillator_write_scalars(const oscillator *o, const char *group,
                                     const carom_measure *scalars, int count);

/** Path of a dataset in a group. */
const char *serial_oscillator_path(const char *group, const char *name, char path[PATH_SIZE]);

/**
 * What may be missing for other parameters than the paper's: any failure but that of memory and of
 * the record says that there is no such motion, and the run goes on without it.
 */
CAROM_MUST_CHECK carom_status serial_oscillator_may_miss(carom_status status, bool *found);

/* --- motion.c --------------------------------------------------------------------------------- */

/**
 * The motion with k impacts nearest to a guess, of a given period unless that is NaN.
 * @param[out] out   belongs to the caller; NULL if there is none
 */
CAROM_MUST_CHECK carom_status serial_oscillator_solve(const oscillator *o, int k,
                                                      const double *flight_times, double period,
                                                      carom_orbit **out);

/** The motion at a point of a branch; it belongs to the caller; NULL if it is at infinity. */
CAROM_MUST_CHECK carom_status serial_oscillator_point(const oscillator *o,
                                                      const carom_orbit_branch *branch, int point,
                                                      carom_orbit **out);

bool serial_oscillator_is_admissible(const oscillator *o, const carom_orbit *orbit);

/** Spectral radius from the multipliers, which stay in the work memory; NaN at a graze. */
double serial_oscillator_radius(const oscillator *o, const carom_orbit *orbit);

/** Position and velocity at any time, periodic; at T itself just before the impact. */
void serial_oscillator_motion(const oscillator *o, const carom_orbit *orbit, double time,
                              double *position, double *velocity);

/** Largest coordinate difference of two motions, the second shifted in time, over the period of the
 * first, divided by the largest coordinate of the first. */
double serial_oscillator_difference(const oscillator *o, const carom_orbit *first,
                                    const carom_orbit *second, double shift);

/** The same between a motion and another, mirrored about an instant. */
double serial_oscillator_mirror_difference(const oscillator *o, const carom_orbit *first,
                                           const carom_orbit *second, double axis);

/** The same between a motion and its own mirror image. */
double serial_oscillator_asymmetry(const oscillator *o, const carom_orbit *orbit, double axis);

/** |a - b| / |b| of two modal states [m][2]. */
double serial_oscillator_deviation(const oscillator *o, const double *a, const double *b);

/** Deviation after one period of event-driven motion; NaN if its impacts are others. */
double serial_oscillator_closure(const oscillator *o, const carom_orbit *orbit);

/** Energy of the linear mode (from 0) that grazes the obstacle, J. */
double serial_oscillator_grazing_energy(const oscillator *o, int mode);

/** Largest difference of a motion from the grazing linear mode that begins at the obstacle,
 * relative. */
double serial_oscillator_mode_error(const oscillator *o, const carom_orbit *orbit, int mode);

/* --- history.c -------------------------------------------------------------------------------- */

/** Write the time history of a motion over one period into a group. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_history(const oscillator *o,
                                                              const char *group,
                                                              const carom_orbit *orbit);

/** Write /FIGURE/case_NUMBER: a motion with one or two impacts of equal speed. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_case(const oscillator *o, const char *figure,
                                                           int number, const carom_orbit *orbit);

/** The motion of a given period, belonging to the caller; NULL if there is none. */
typedef carom_status (*serial_oscillator_member)(const oscillator *o, double period,
                                                 const void *context, carom_orbit **out);

/** Write /FIGURE/surface: phase-space projections of motions with periods from first to last. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_surface(const oscillator *o,
                                                              const char *figure, double first,
                                                              double last,
                                                              serial_oscillator_member member,
                                                              const void *context);

/* --- modal.c and phi.c ------------------------------------------------------------------------ */

/** Write /coordinate and /modal. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_modal(const oscillator *o);

/** Write /phi and the statements about phi_c,T(T) (figure 6). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_phi(const oscillator *o);

/** The root of phi between the harmonics around a period. */
CAROM_MUST_CHECK carom_status serial_oscillator_root_around(const oscillator *o, double period,
                                                            double *root);

/** phi_c,T(T), m J^-1/2. */
double serial_oscillator_phi(const carom_modal_basis *basis, double period);

/* --- intervals.c ------------------------------------------------------------------------------ */

/** Find the admissible periods of one impact for both signs of the gap; write them, their density
 * and the statements about them. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_intervals(oscillator *o);

/* --- single.c and single_claims.c ------------------------------------------------------------- */

/** The continuum next to 4 T_3. */
typedef struct single_mode {
    const carom_period_interval *interval; /**< NULL if there is none */
    double harmonic;                       /**< 4 T_3, s */
    carom_orbit *cases[CASE_COUNT];        /**< NULL where there is none */
    carom_orbit_branch *branch;            /**< NULL if there is none */
} single_mode;

CAROM_MUST_CHECK carom_status serial_oscillator_write_single(const oscillator *o);
CAROM_MUST_CHECK carom_status serial_oscillator_claim_single(const oscillator *o,
                                                             const single_mode *s);

/* --- flight_times.c, double.c and double_claims.c --------------------------------------------- */

/** Write /double/curves and /double/dots, and the statements about the set S (figure 9). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_flight_times(const oscillator *o);

/** The continuum next to 3 T_3. */
typedef struct double_mode {
    double harmonic;                /**< 3 T_3, s */
    carom_orbit *cases[CASE_COUNT]; /**< NULL where there is none */
    carom_orbit_branch *branch;     /**< NULL if there is none */
} double_mode;

CAROM_MUST_CHECK carom_status serial_oscillator_write_double(const oscillator *o);
void serial_oscillator_claim_double(const oscillator *o, const double_mode *d);

/* --- families.c, family.c and bridge.c -------------------------------------------------------- */

/** Members of a family that are drawn, the ends included. */
enum { MEMBER_COUNT = 11, MIDDLE_MEMBER = MEMBER_COUNT / 2 };

/** Members at equal steps of lambda_1, from 0 to the sum. */
typedef struct member_list {
    double lambda_1[MEMBER_COUNT]; /**< J^1/2 */
    carom_orbit *orbits[MEMBER_COUNT];
} member_list;

CAROM_MUST_CHECK carom_status serial_oscillator_make_members(
    const oscillator *o, const carom_constant_period_family *family, member_list *members);
void serial_oscillator_free_members(member_list *members);

/** Largest deviation of the positions of all members from linear interpolation between the first
 * and the last, relative. */
double serial_oscillator_ruled_error(const oscillator *o, const member_list *members);

/** Write lambda_1, time and the positions of a family below a group. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_members(const oscillator *o,
                                                              const char *group,
                                                              const member_list *members);

/** Write /families, /family (figure 12) and /bridge (figures 13, 14) with their statements. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_families(const oscillator *o);
CAROM_MUST_CHECK carom_status serial_oscillator_write_family(const oscillator *o);
CAROM_MUST_CHECK carom_status
serial_oscillator_write_bridge(const oscillator *o, const carom_constant_period_family *bridge);

/* --- seven.c and symmetry.c ------------------------------------------------------------------- */

/** Write /seven and /table_1 with their statements (figures 4 and 15, section 6). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_seven(const oscillator *o);

/** Write /table_1 and the statements of section 6 about a symmetric motion with seven impacts. */
void serial_oscillator_write_table(const oscillator *o, const carom_orbit *orbit, int a);

/** Write the statements of section 6 about all symmetric sequences of up to nine impacts. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_symmetry(const oscillator *o);

/** Largest difference of an entry of Pi or Sigma from its image under tau, relative; and of t_i +
 * t_{a-1-i} from t_{a-1}. */
CAROM_MUST_CHECK carom_status serial_oscillator_symmetry_errors(const oscillator *o, int k,
                                                                const double *flight_times, int a,
                                                                double *matrix_error,
                                                                double *times_error);

/* --- perturbation.c --------------------------------------------------------------------------- */

/** A perturbed motion stays near if it never deviates by more than so many perturbations: at least
 * five times what the neutral multipliers of four pairs make of them. */
#define SERIAL_OSCILLATOR_NEAR 100.0

/** A motion over many periods, looked at after each last impact. */
typedef struct follower {
    const oscillator *o;
    const carom_orbit *orbit;
    double *deviation;  /**< [periods] relative */
    double *time_shift; /**< [periods] s; NULL: not kept */
    int periods;
    double bound; /**< deviation at which to stop */
    int done;     /**< periods so far */
} follower;

/** Follow a motion from o->state for all periods, or until it deviates by the bound; NaN after. */
CAROM_MUST_CHECK carom_status serial_oscillator_follow(const oscillator *o, follower *f);

/** Put a perturbed state after the impact at t = 0 into o->state: a random direction, of which the
 * part that moves the contact is taken away, of a given size relative to the state. */
void serial_oscillator_perturb(const oscillator *o, const carom_orbit *orbit, int direction_number,
                               double size);

/** Share of many random perturbations after which a motion stays near for all periods. */
CAROM_MUST_CHECK carom_status serial_oscillator_near_share(const oscillator *o,
                                                           const carom_orbit *orbit, int number,
                                                           double *share);

/* --- stability.c, windows.c ------------------------------------------------------------------- */

/** Write /stability without the windows (figure 16). */
CAROM_MUST_CHECK carom_status serial_oscillator_write_stability(const oscillator *o);

/** Write /stability/windows: all neutrally stable periods of one impact. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_windows(const oscillator *o);

/* --- algebra.c, structures.c, theorems.c and dimensions.c --------------------------------------
 */

/** Singular values [columns] of A [rows][columns], rows >= columns, overwritten by the left
 * vectors; right [columns][columns], or NULL; work [columns (columns + 1)]. */
CAROM_MUST_CHECK carom_status serial_oscillator_singular_values(int rows, int columns, double *A,
                                                                double *values, double *right,
                                                                double *work);

/** Pfaffian of the rows and columns of A [k][k] that are not `left_out` (-1: of all). */
double serial_oscillator_pfaffian(int k, const double *A, int left_out);

/** Structure 0 is the chain, the others are random; it belongs to the caller. */
CAROM_MUST_CHECK carom_status serial_oscillator_make_structure(const oscillator *o, int number,
                                                               carom_linear_system **out);

/** A random flight time, the j-th of k, around a mean. */
double serial_oscillator_draw_time(const oscillator *o, int number, int k, int j,
                                   double mean_flight);

/** Statements of sections 2 to 4 on the chain and on random structures. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_theorems(const oscillator *o);

/** Statements about the dimension of sets of motions. */
CAROM_MUST_CHECK carom_status serial_oscillator_write_dimensions(const oscillator *o);

#endif
