/** What the parts of the experiment share: options, runs, the exact motion, and the steps that make
 * the record. */
#ifndef CAROM_EXPERIMENTS_ROCKING_BLOCK_RESULTS_H
#define CAROM_EXPERIMENTS_ROCKING_BLOCK_RESULTS_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** q = (x, y, theta); corner 1 comes first. */
enum { COORDINATES = 3, CORNERS = 2, HEIGHT = 1, ANGLE = 2 };

/** Everything that options set. */
typedef struct settings {
    carom_rocking_block_params block;
    carom_scheme_options schemes;
} settings;

/** The runs: the five schemes, the reference of the paper, and its scheme by algorithm 1. */
enum {
    NONSMOOTH = CAROM_SCHEME_NONSMOOTH_GALPHA,
    MOREAU = CAROM_SCHEME_MOREAU_JEAN,
    SMOOTH = CAROM_SCHEME_SMOOTH_GALPHA,
    MODIFIED = CAROM_SCHEME_MODIFIED_LCP,
    VELOCITY = CAROM_SCHEME_VELOCITY_GALPHA,
    REFERENCE = CAROM_SCHEME_COUNT,
    SEQUENTIAL,
    RUN_COUNT
};

/** Steps of the reference in one step: 1e-2 s against 2e-4 s in the paper. */
enum { REFERENCE_STEPS = 50 };

/** Longest list of exact impacts: thrice that of the paper's motion. Rounding errors grow from
 * impact to impact, so that a long list of a nearly elastic block would mean nothing. */
enum { EXACT_IMPACTS_MAX = 64 };

/** The event-driven motion as far as it was found. */
typedef struct exact_motion {
    carom_rocking_block_impact impacts[EXACT_IMPACTS_MAX];
    int count;
    double end; /**< s, up to where it is known; NaN if it is not known at all */
} exact_motion;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_model *model;
    carom_scheme_run runs[RUN_COUNT]; /**< [run_count] those that are selected */
    int run_count;
    const carom_trajectory
        *of[RUN_COUNT]; /**< by number of the run; NULL if not selected or failed */
    exact_motion exact;
} results;

/* --- runs.c ----------------------------------------------------------------------------------- */

/** Group of a run in the record, without the slash. */
const char *rocking_block_group(int run);

/**
 * Plan, run and record the selected runs, and record the step of the reference. The trajectories
 * belong to the caller, also after a failure: rocking_block_free_runs.
 */
CAROM_MUST_CHECK carom_status rocking_block_make_runs(results *r,
                                                      const carom_common_options *common,
                                                      carom_record *record, carom_report *report);

/** Free the trajectories of all runs. */
void rocking_block_free_runs(results *r);

/* --- exact.c ---------------------------------------------------------------------------------- */

/** Find the event-driven impacts within the duration. */
void rocking_block_find_exact(results *r);

/** Impacts of one corner that are closer than this count as accumulated, s. */
double rocking_block_exact_resolution(const results *r);

/** Event-driven state at a time up to the end of the exact motion; [COORDINATES] each. */
void rocking_block_exact_state(const results *r, double time, double *position, double *velocity);

/** Energy of a state, in J. */
double rocking_block_energy(const results *r, const double *position, const double *velocity);

/** Write /exact: the moment of inertia, and the exact motion as far as it is known. */
CAROM_MUST_CHECK carom_status rocking_block_write_exact(carom_record *record, const results *r);

/* --- measures.c and claims.c ----------------------------------------------------------------- */

/** Write /measures: the numbers drawn from the runs, left out where they are not defined. */
void rocking_block_write_measures(carom_record *record, const results *r);

/** Write /claims: the statements about these numbers, left out where they cannot be decided. */
void rocking_block_write_claims(carom_record *record, const results *r);

#endif
