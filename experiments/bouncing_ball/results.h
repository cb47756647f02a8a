/** What the parts of the experiment share: options, runs, the exact motion, and the steps that make
 * the record. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_BALL_RESULTS_H
#define CAROM_EXPERIMENTS_BOUNCING_BALL_RESULTS_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** Everything that options set. */
typedef struct settings {
    carom_bouncing_ball_params ball;
    carom_scheme_options schemes;
} settings;

/** Number of runs: every scheme, and the variants of two of them. */
enum { RUNS_MAX = CAROM_SCHEME_COUNT + 5 };

/** Rounding of a height or an energy, relative, after 1e4 steps. */
static const double ROUNDING = 1e-13;

/** Length of the windows in each of which a motion after the accumulation must show, in steps. */
static const double WINDOW_STEPS = 50.0;

/** Exact motion on the time grid of the runs; one block, owned. */
typedef struct exact_motion {
    double *position;    /**< [row] m */
    double *velocity;    /**< [row] m/s */
    double *gap;         /**< [row] m */
    double *energy;      /**< [row] J */
    double accumulation; /**< s; infinite for e = 1 */
    double settled;      /**< s: rest is required from here on; infinite if beyond the duration */
} exact_motion;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    const carom_model *model;
    carom_record *record;
    carom_scheme_run runs[RUNS_MAX]; /**< [run_count] the first one is a selected scheme */
    int run_count;
    exact_motion exact;
    double window;           /**< WINDOW_STEPS, s */
    double length_tolerance; /**< rounding of a gap, and what a tie that counts as closed is, m */
    double energy_tolerance; /**< the same of an energy, J */
} results;

/* --- runs.c ----------------------------------------------------------------------------------- */

/**
 * Plan, run and record the selected schemes and their variants, and set the tolerances. The
 * trajectories belong to the caller, also after a failure: bouncing_ball_free_runs.
 */
CAROM_MUST_CHECK carom_status bouncing_ball_make_runs(results *r, carom_report *report);

/** Free the trajectories of all runs. */
void bouncing_ball_free_runs(results *r);

/** The run of a group ("/moreau_jean"); NULL if it is not part of this record or failed. */
const carom_trajectory *bouncing_ball_run(const results *r, const char *group);

/* --- exact.c ---------------------------------------------------------------------------------- */

/** Compute the exact motion on the time grid of the first run; free with bouncing_ball_free_exact.
 */
CAROM_MUST_CHECK carom_status bouncing_ball_find_exact(results *r);

/** Free the exact motion. */
void bouncing_ball_free_exact(exact_motion *exact);

/** Largest gap of the exact ball after its k-th impact, m. */
double bouncing_ball_exact_rebound(const results *r, int k);

/** Write the exact motion, its impacts, and how the first of them falls on the time grid. */
void bouncing_ball_write_exact(const results *r);

/* --- schemes.c, nonsmooth_galpha.c, comparators.c ----------------------------------------------
 */

/** Ask every selected scheme the same questions; write measures and claims. */
void bouncing_ball_judge_schemes(const results *r);

/** Ask the nonsmooth generalized-alpha scheme what the paper proves or says about it alone. */
CAROM_MUST_CHECK carom_status bouncing_ball_judge_nonsmooth_galpha(const results *r,
                                                                   carom_report *report);

/** Ask the schemes that the paper compares with what it says about each of them. */
void bouncing_ball_judge_comparators(const results *r);

/* --- convergence.c ---------------------------------------------------------------------------- */

/** Run, fit and record the errors over step sizes of the selected schemes. */
CAROM_MUST_CHECK carom_status bouncing_ball_study_convergence(const results *r,
                                                              carom_report *report);

#endif
