/** What the parts of the experiment share: options, runs, the exact motion, and the steps that make
 * the record. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_PENDULUM_RESULTS_H
#define CAROM_EXPERIMENTS_BOUNCING_PENDULUM_RESULTS_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** q = (x, y, theta); the joints in x and y; one contact. */
enum { COORDINATES = 3, ANGLE = 2, JOINTS = 2 };

/** Everything that options set. */
typedef struct settings {
    carom_bouncing_pendulum_params pendulum;
    carom_scheme_options schemes;
} settings;

/** The runs: the five schemes, then the scheme of the paper with one thing changed. */
enum {
    NONSMOOTH = CAROM_SCHEME_NONSMOOTH_GALPHA,
    MOREAU = CAROM_SCHEME_MOREAU_JEAN,
    MODIFIED = CAROM_SCHEME_MODIFIED_LCP,
    VELOCITY = CAROM_SCHEME_VELOCITY_GALPHA,
    REFERENCE = CAROM_SCHEME_COUNT, /**< a tenth of the step */
    SEQUENTIAL,                     /**< algorithm 1 in place of the full Newton matrix */
    RADIUS_04,                      /**< spectral radius 0.4 */
    RADIUS_00,                      /**< spectral radius 0 */
    HALF_STEP,                      /**< half the step */
    RUN_COUNT
};

/** Steps after an impact in which the joint force is watched: 0.8^100 is 1e-10. */
enum { OSCILLATION_STEPS = 100 };

/** Exact impacts that are kept: for e = 0.8 the last has 1e-3 of the speed of the first. */
enum { EXACT_IMPACTS = 32 };

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_model *model;
    carom_scheme_run runs[RUN_COUNT]; /**< by number of the run; trajectory NULL: not run */
    carom_bouncing_pendulum_impact impacts[EXACT_IMPACTS];
    int impact_count;    /**< of the exact motion, within the duration; 0 if unknown */
    double accumulation; /**< s, of the exact impacts; NaN if unknown or never */
} results;

/* --- runs.c ----------------------------------------------------------------------------------- */

/** Group of a run in the record, without the slash. */
const char *bouncing_pendulum_group(int run);

/** A completed run; NULL if it was not run or ended in a failure. */
const carom_trajectory *bouncing_pendulum_run(const results *all, int run);

/**
 * Plan, run and record the selected runs. The trajectories belong to the caller, also after a
 * failure: bouncing_pendulum_free_runs.
 */
CAROM_MUST_CHECK carom_status bouncing_pendulum_make_runs(results *all,
                                                          const carom_common_options *common,
                                                          carom_record *record,
                                                          carom_report *report);

/** Free the trajectories of all runs. */
void bouncing_pendulum_free_runs(results *all);

/* --- exact.c ---------------------------------------------------------------------------------- */

/**
 * What a measure that is not defined means for the program: some parameters have no exact solution,
 * no rest against the wall, and the record then goes without. Only a lack of memory is an error.
 */
CAROM_MUST_CHECK carom_status bouncing_pendulum_unless_unknown(carom_status status);

/** Find the exact impacts within the duration, and when they accumulate. */
CAROM_MUST_CHECK carom_status bouncing_pendulum_find_exact(results *all);

/** Write /exact: impacts, accumulation and motion, as far as they are known. */
CAROM_MUST_CHECK carom_status bouncing_pendulum_write_exact(const results *all,
                                                            carom_record *record);

/* --- measures.c and claims.c ------------------------------------------------------------------ */

/** Write /measures: the numbers drawn from the runs, left out where they are not defined. */
void bouncing_pendulum_write_measures(const results *all, carom_record *record);

/** Write /claims: the statements about these numbers, left out where they cannot be decided. */
void bouncing_pendulum_write_claims(const results *all, carom_record *record);

/* --- convergence.c and conditioning.c: studies with runs of their own ------------------------- */

/** Write /convergence: errors against the exact motion for ever smaller steps, and their orders. */
CAROM_MUST_CHECK carom_status bouncing_pendulum_study_orders(const settings *values,
                                                             const carom_common_options *common,
                                                             carom_record *record,
                                                             carom_report *report);

/** Write the condition number of the Newton matrix for two steps, and whether it depends on them.
 */
CAROM_MUST_CHECK carom_status bouncing_pendulum_study_conditioning(const settings *values,
                                                                   carom_record *record);

#endif
