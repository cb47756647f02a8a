/** What the parts of the experiment share. The ball has one coordinate and one contact, so that
 * every series of a run has one column. */
#ifndef CAROM_EXPERIMENTS_BOUNCING_BALL_RESULTS_H
#define CAROM_EXPERIMENTS_BOUNCING_BALL_RESULTS_H

#include <carom/carom.h>
#include <carom/study/scheme_options.h>

/** Number of rows of a table. */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Everything that options set. */
typedef struct settings {
    carom_bouncing_ball_params ball;
    carom_scheme_options schemes;
} settings;

/** Number of runs: every scheme, and the variants of two of them. */
enum { RUNS_MAX = CAROM_SCHEME_COUNT + 5 };

/** Rounding of a height or an energy, relative, after 1e4 steps. */
static const double ROUNDING = 1e-13;

/** The exact motion at a time of the runs. */
typedef struct exact_row {
    double time;        /**< s */
    double position[1]; /**< m */
    double velocity[1]; /**< m/s */
    double gap[1];      /**< m */
    double energy;      /**< J */
} exact_row;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_common_options *common;
    const carom_model *model;
    carom_record *record;
    carom_scheme_run runs[RUNS_MAX]; /**< [run_count] the first one is a selected scheme */
    int run_count;
    exact_row *exact;        /**< on the time grid of the first run */
    double accumulation;     /**< of the impacts, s; infinite for e = 1 */
    double settled;          /**< s: rest is required from here on; infinite if beyond the run */
    double window;           /**< length of the windows in which what lasts must show, s */
    double length_tolerance; /**< rounding of a gap, and what a tie that counts as closed is, m */
    double energy_tolerance; /**< the same of an energy, J */
} results;

/** Largest gap of the exact ball after its k-th impact, m. */
double bouncing_ball_exact_rebound(const results *r, int k);

/** Write a statement if it is asked in this run. */
void bouncing_ball_claim(const results *r, const char *name, bool is_asked, bool holds,
                         const char *statement);

/** Ask the nonsmooth generalized-alpha scheme what the paper proves or says about it alone. */
CAROM_MUST_CHECK carom_status bouncing_ball_judge_nonsmooth_galpha(const results *r,
                                                                   const carom_trajectory *t,
                                                                   carom_report *report);

/** Ask every scheme the same questions, and each what the paper says of it; write measures and
 * claims. */
CAROM_MUST_CHECK carom_status bouncing_ball_judge(const results *r, carom_report *report);

#endif
