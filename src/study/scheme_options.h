/** What the time-stepping experiments share: their options, and running several schemes into one
 * record. */
#ifndef CAROM_STUDY_SCHEME_OPTIONS_H
#define CAROM_STUDY_SCHEME_OPTIONS_H

#include <carom/models/model.h>
#include <carom/program/program.h>
#include <carom/timestepping/galpha/galpha.h>

/** Values behind --scheme --step --duration --spectral-radius --theta --predictor --tolerance
 * --newton. */
typedef struct carom_scheme_options {
    int scheme; /**< index into CAROM_SCHEME_LIST; CAROM_SCHEME_COUNT: all */
    double step;
    double duration;
    double spectral_radius;
    double theta; /**< NaN: 1/(1+rho) */
    int predictor;
    double tolerance;
    int newton;
} carom_scheme_options;

/** rho 0.8, theta NaN, half step, 1e-10, monolithic, all schemes; step and duration from the
 * experiment. */
carom_scheme_options carom_scheme_options_default(double step, double duration);

/** Options whose settings are a carom_scheme_options. */
extern const carom_option_table carom_scheme_options_table;

/** What an experiment with schemes ends with: a row for each run of its record. */
extern const carom_table carom_scheme_tables[1];

/** Stepper parameters for one scheme out of the options. */
carom_stepper_params carom_scheme_options_params(const carom_scheme_options *values,
                                                 carom_scheme scheme);

/** Whether a scheme is selected. */
bool carom_scheme_options_selects(const carom_scheme_options *values, carom_scheme scheme);

/** Refuse step > duration. @return CAROM_OK; OUT_OF_RANGE with quantity "step" */
CAROM_MUST_CHECK carom_status carom_scheme_options_check(const carom_scheme_options *values,
                                                         carom_report *report);

/* ----------------------------------------------------------------------------------------- runs */

/** One run of a record: which group, which parameters. */
typedef struct carom_scheme_run {
    char group[48];              /**< "moreau_jean" */
    carom_stepper_params params; /**< what to run */
    bool may_fail;               /**< a numerical failure is recorded, not an error */
    carom_trajectory
        *trajectory; /**< filled by carom_scheme_runs if it is kept, owned by the array's owner */

    bool is_kept;                     /**< the whole run is to stay in memory, as its trajectory */
    carom_trajectory_listener watch;  /**< told all rows as they are computed, on any thread; tell
                                           NULL: nobody */
    carom_trajectory_listener beside; /**< told the rows that are recorded, after these and those of
                                           all other runs stand in the record; tell NULL: nobody */
    carom_status outcome;             /**< CAROM_OK, or why the run ended early */
    double failure_time;              /**< time that could not be reached, s; NaN if none */
    void *watched;       /**< what `watch` adds up, plain bytes without pointers, which other ranks
                              and a later run go on from; needed where somebody watches */
    size_t watched_size; /**< bytes of it */
} carom_scheme_run;

/**
 * Run every entry over the duration, in parallel, and write each as a group of the record: block by
 * block, in memory for the blocks. smooth_galpha, which has no impact law, runs without the
 * coefficients of restitution. A run that may fail and does is NaN from its failure on, which is
 * said on stderr; its group then has the scalar failure_time and the attribute failure. Where not
 * all steps are recorded, the attribute recorded_rows says which. Blocks are shared among ranks,
 * and a checkpoint keeps them, with what the next ones depend on.
 *
 * @param[in]     model    the system and its initial state
 * @param[in]     duration s
 * @param[in,out] runs     [count] outcomes are filled, and trajectories of those that are kept;
 * free each with carom_trajectory_free
 * @param[in]     count    number of runs
 * @param[in]     common   workers, quiet, recorded steps
 * @param[in,out] record   open record
 * @param[out]    report   of the lowest-numbered run that failed
 */
CAROM_MUST_CHECK carom_status carom_scheme_runs(const carom_model *model, double duration,
                                                carom_scheme_run *runs, int count,
                                                const carom_common_options *common,
                                                carom_record *record, carom_report *report);

/* ----------------------------------------------------------------------------------------- plan */

/** Most runs of a plan. */
enum { CAROM_SCHEME_PLAN_MOST = 16 };

/** The runs of a record: the selected schemes in groups of their names, and what stands beside
 * them. */
typedef struct carom_scheme_plan {
    const carom_scheme_options *options; /**< borrowed */
    carom_scheme_run runs[CAROM_SCHEME_PLAN_MOST];
    int count;
} carom_scheme_plan;

/** The selected schemes; where all are, those that compute the friction of the mechanism.
 * @param[out] out to be freed by carom_scheme_plan_free
 * @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_scheme_plan_alloc(const carom_scheme_options *options,
                                                      const carom_mechanism *mechanism,
                                                      carom_scheme_plan **out);

/** One run more, with the parameters of the options, which may fail: to be changed by the caller.
 * @return borrowed */
carom_scheme_run *carom_scheme_plan_add(carom_scheme_plan *plan, carom_scheme scheme,
                                        const char *group);

/** The run of a group ("moreau_jean"); NULL if there is none, or it failed or is not kept. */
const carom_trajectory *carom_scheme_plan_find(const carom_scheme_plan *plan, const char *group);

/** The run of a group; NULL if there is none. */
carom_scheme_run *carom_scheme_plan_run(carom_scheme_plan *plan, const char *group);

/** Free, with the trajectories; NULL is accepted. */
void carom_scheme_plan_free(carom_scheme_plan *plan);
CAROM_AUTO_TYPE(carom_scheme_plan)

#endif
