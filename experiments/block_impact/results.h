/** What the parts of the experiment share: options, the impact, and the steps that make the record.
 */
#ifndef CAROM_EXPERIMENTS_BLOCK_IMPACT_RESULTS_H
#define CAROM_EXPERIMENTS_BLOCK_IMPACT_RESULTS_H

#include <carom/carom.h>
#include <carom/models/rigid_block_exact.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_study.h>

#include <math.h>

/** Contacts A and B, and q = (x, y, theta). */
enum { CORNERS = 2, COORDINATES = 3 };

/** Everything that options set. */
typedef struct settings {
    carom_rigid_block_params block;
    carom_impact_options sampling;
} settings;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_impact_scene *scene;
    const carom_impact_study *study;
    carom_report *report;
    carom_impact_study_results study_results;
    bool has_exact; /**< no corner slides: the closed forms hold */
    carom_rigid_block_exact exact;
} results;

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: outline, floor, and velocities of points before the impact and after each law.
 */
CAROM_MUST_CHECK carom_status block_impact_draw(const results *r);

/* --- exact.c ---------------------------------------------------------------------------------- */

/** Find the closed forms and write /exact, /exact/is_available alone if they do not hold. */
void block_impact_write_exact(results *r);

/* --- sample_measures.c ------------------------------------------------------------------------ */

/** What a set of samples is like beside the exact set. NaN: the exact set is not known, or no
 * sample is finished. */
typedef struct sample_measures {
    int finished;           /**< samples that ended */
    int most_increments;    /**< of any sample */
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

/* --- measures.c ------------------------------------------------------------------------------- */

/** How often one increment ends the impact. */
typedef struct block_impact_single {
    double expected; /**< for independent uniform caps and corners that stick */
    double observed;
    double standard_error; /**< of the observed share */
} block_impact_single;

/** Compare the share of samples of one increment; has_exact only. */
block_impact_single block_impact_single_increment(const results *r);

/** Write /measures: numbers drawn from the set that the paper or the exact set is about. */
CAROM_MUST_CHECK carom_status block_impact_write_measures(const results *r);

/* --- variants.c ------------------------------------------------------------------------------- */

/** Write /variants/NAME: the same sampling with other distributions of the caps and with the final
 * step of Algorithm 2. */
CAROM_MUST_CHECK carom_status block_impact_write_variants(const results *r);

/* --- convergence.c ---------------------------------------------------------------------------- */

/** Write /convergence: smaller and smaller steps h. */
CAROM_MUST_CHECK carom_status block_impact_write_convergence(const results *r);

/* --- nets.c ----------------------------------------------------------------------------------- */

/** Write /nets: how often random samples of one increment fail to be nets, and Lemma 1's bound. */
CAROM_MUST_CHECK carom_status block_impact_write_nets(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about this impact. */
CAROM_MUST_CHECK carom_status block_impact_write_claims(const results *r);

#endif
