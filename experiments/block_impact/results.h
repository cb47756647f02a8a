/** What the parts of the experiment share: options, the impact, the exact set, and the parts that
 * stand in files of their own. */
#ifndef CAROM_EXPERIMENTS_BLOCK_IMPACT_RESULTS_H
#define CAROM_EXPERIMENTS_BLOCK_IMPACT_RESULTS_H

#include <carom/carom.h>
#include <carom/models/internal.h>
#include <carom/study/scenes.h>

#include <math.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/** Contacts A and B. */
enum { CORNERS = 2 };

/** Everything that options set. */
typedef struct settings {
    carom_scene_settings common;
    carom_rigid_block_params block;
} settings;

/** What the record is made of. */
typedef struct results {
    const carom_scene_run *run;
    bool has_exact; /**< no corner slides: the closed forms hold */
    carom_rigid_block_exact exact;
} results;

/** The settings of a run. */
static inline const settings *block_impact_settings(const results *r) {
    return (const settings *)r->run->settings;
}

/* --- sample_measures.c ------------------------------------------------------------------------ */

/** What a set of samples is like beside the exact set. NaN: the exact set is not known, or no
 * sample is finished. */
typedef struct sample_measures {
    int finished;           /**< samples that ended */
    double set_distance;    /**< largest distance of an outcome from the exact set, m/s */
    double length_error;    /**< largest deviation from the exact length in s, N s */
    double slip;            /**< largest tangential speed of an outcome, m/s */
    double coverage;        /**< largest distance of the exact set from an outcome, m/s */
    double largest_rebound; /**< largest normal speed of an outcome, m/s */
    double mean_rebound;    /**< mean of the larger normal speed of an outcome, m/s */
} sample_measures;

/** Compare samples with the exact set. */
CAROM_MUST_CHECK carom_status block_impact_measure_samples(const results *r,
                                                           const carom_impact_samples *samples,
                                                           sample_measures *out);

/* --- convergence.c ---------------------------------------------------------------------------- */

/** Write /convergence: smaller and smaller steps h. */
CAROM_MUST_CHECK carom_status block_impact_write_convergence(const results *r);

/* --- nets.c ----------------------------------------------------------------------------------- */

/** Write /nets: how often random samples of one increment fail to be nets, and Lemma 1's bound. */
CAROM_MUST_CHECK carom_status block_impact_write_nets(const results *r);

#endif
