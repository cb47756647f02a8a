/** What the parts of the elastic_bar experiment share: options, results, and one function or two of
 * each part, in the order in which the driver calls them. */
#ifndef ELASTIC_BAR_RESULTS_H
#define ELASTIC_BAR_RESULTS_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** Parameters of the command line. */
typedef struct settings {
    carom_elastic_bar_params bar;
    int mass_matrix; /**< the option behind bar.mass_matrix: index into "consistent|lumped" */
    carom_scheme_options schemes;
} settings;

/** Every run that a record can have; the plain ones bear the numbers of their schemes. */
enum {
    NONSMOOTH = CAROM_SCHEME_NONSMOOTH_GALPHA,
    MOREAU = CAROM_SCHEME_MOREAU_JEAN,
    SMOOTH = CAROM_SCHEME_SMOOTH_GALPHA,
    MODIFIED = CAROM_SCHEME_MODIFIED_LCP,
    VELOCITY = CAROM_SCHEME_VELOCITY_GALPHA,
    NEWTON,          /**< NONSMOOTH with the full Newton matrix instead of the exact linear step */
    SEQUENTIAL,      /**< NONSMOOTH by algorithm 1 */
    MODIFIED_HALF,   /**< MODIFIED at half the step size */
    OTHER_NONSMOOTH, /**< from here on: with the mass matrix that was not asked for */
    OTHER_MOREAU,
    OTHER_SMOOTH,
    RUN_COUNT
};

/** The measures of every run; measures.c has the units and says what each means. */
typedef enum measure {
    SMALLEST_GAP,
    BEGIN_DELAY,
    END_DELAY,
    CLOSED_DURATION,
    SPELLS,
    CLOSED_RATE,
    ENERGY_GAIN,
    LARGEST_ENERGY,
    ENERGY_LOST,
    PEAK_FORCE,
    PLATEAU_FORCE,
    EARLY_ZEROS,
    GAP_ERROR,
    FINAL_GAP_ERROR,
    ITERATIONS,
    DISTANCE,
    FAILURE_DELAY,
    MEASURE_COUNT
} measure;

/** Everything that was computed. */
typedef struct results {
    const settings *values;

    // elastic_bar_run_all: the selected runs one after the other, and each under its number
    carom_scheme_run runs[RUN_COUNT];          /**< [count] those with the other mass matrix last */
    int number[RUN_COUNT];                     /**< [count] which run it is, NONSMOOTH, ... */
    int count;                                 /**< number of selected runs */
    const carom_trajectory *motion[RUN_COUNT]; /**< NULL if not selected; owned by `runs` */

    // elastic_bar_write_measures
    double value[RUN_COUNT][MEASURE_COUNT]; /**< NaN where not defined */
} results;

/* --- runs.c ---------------------------------------------------------------------------------- */

/** Compute and record the selected runs; the trajectories are to be freed by the caller. */
CAROM_MUST_CHECK carom_status elastic_bar_run_all(results *all, const carom_common_options *common,
                                                  carom_record *record, carom_report *report);

/* --- exact.c --------------------------------------------------------------------------------- */

/** Exact gap at a time, m. */
double elastic_bar_exact_gap(const carom_elastic_bar_params *bar, double t);

/** Exact instant of take-off, s; infinite if there is no impact. */
double elastic_bar_exact_take_off(const carom_elastic_bar_params *bar);

/** Write the instants and sizes of the exact contact, and the Courant number of the step. */
void elastic_bar_write_exact(const results *all, carom_record *record);

/** Write the exact motion at the nodes and times of the first run as /reference. */
CAROM_MUST_CHECK carom_status elastic_bar_write_reference(const results *all, carom_record *record);

/* --- measures.c ----------------------------------------------------------------------------- */

/**
 * The measures of one run: all but DISTANCE and FAILURE_DELAY, which compare two.
 *
 * @param[in]  bar    the system of the run
 * @param[in]  t      the run; may be NULL
 * @param[out] value [MEASURE_COUNT] NaN where one is not defined, as after a failure, without a
 * contact, or for a run that ends before the rebound
 */
void elastic_bar_measure(const carom_elastic_bar_params *bar, const carom_trajectory *t,
                         double *value);

/** Compute all measures of every run, and write those that are defined. */
void elastic_bar_write_measures(results *all, carom_record *record);

/* --- claims.c -------------------------------------------------------------------------------- */

/** Decide and write the claims, as far as these runs decide them. */
void elastic_bar_write_claims(const results *all, carom_record *record);

/* --- refinement.c ---------------------------------------------------------------------------- */

/** Run and write the selected schemes with impulses on coarser meshes, at one Courant number. */
CAROM_MUST_CHECK carom_status elastic_bar_write_refinement(const results *all, carom_record *record,
                                                           carom_report *report);

#endif
