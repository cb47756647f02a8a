/** What the parts of the experiment share: options, the impact, and the steps that make the record.
 */
#ifndef CAROM_EXPERIMENTS_DISK_STACK_RESULTS_H
#define CAROM_EXPERIMENTS_DISK_STACK_RESULTS_H

#include <carom/carom.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_record.h>
#include <carom/study/impact_study.h>
#include <carom/study/plane_raster.h>

#include <math.h>

/** The pyramid of the paper and its contacts: floor left and right, below the top disc left and
 * right, between the lower discs. */
enum { PUBLISHED_LEVELS = 2, A = 0, B, C, D, E, PUBLISHED_CONTACTS };

/** Planes that are drawn, of any pyramid: normal speeds of the outermost contacts with the floor
 * and of those of the top disc; normal and tangential speeds of each of these, and of the contact
 * between the two discs below the top one. */
enum { PLANES = 7 };

/** Everything that options set. */
typedef struct settings {
    carom_disk_stack_params stack;
    int variant; /**< carom_disk_stack_variant */
    carom_impact_options sampling;
} settings;

/** What the record is made of. */
typedef struct results {
    const settings *values;
    const carom_disk_stack_params *stack; /**< of the variant of the options */
    const carom_impact_scene *scene;
    const carom_impact_study *study;
    carom_report *report;
    carom_impact_study_results study_results;
} results;

/* --- problem.c -------------------------------------------------------------------------------- */

/**
 * A pyramid and its impact.
 *
 * @param[in]  stack      the pyramid; masses are those of its variant
 * @param[in]  is_skewed  with the tangents of the authors' programs
 * @param[out] scene      belongs to the caller, as problem; both NULL on failure
 */
CAROM_MUST_CHECK carom_status disk_stack_build(const carom_disk_stack_params *stack, bool is_skewed,
                                               carom_impact_scene **scene,
                                               carom_impact_problem **problem,
                                               carom_report *report);

/* --- planes.c --------------------------------------------------------------------------------- */

/** The planes of a pyramid with so many rows; limits from the paths of some samples, taken as the
 * study says. */
CAROM_MUST_CHECK carom_status disk_stack_find_planes(const carom_impact_study *study, int levels,
                                                     const carom_impact_problem *problem,
                                                     carom_plane planes[PLANES],
                                                     carom_report *report);

/* --- drawing.c -------------------------------------------------------------------------------- */

/** Write /drawing: discs, floor, and velocities of points before the impact. */
CAROM_MUST_CHECK carom_status disk_stack_draw(const results *r);

/* --- counts.c ----------------------------------------------------------------------------- */

/** How many finished samples of the published pyramid are as section 5.4.5 says. */
typedef struct sample_counts {
    int finished;             /**< samples */
    int apart;                /**< some contact opens */
    int top_free;             /**< both contacts of the top disc open */
    double top_free_speed;    /**< largest speed of the slower one of these, m/s */
    int ground_free;          /**< both lower discs leave the floor */
    double ground_free_speed; /**< largest speed of the slower one of these, m/s */
    int one_sided;            /**< the top disc keeps contact with one of the lower discs alone */
    int rolling_away;     /**< of these, the other one moves away from it, rolling on the floor */
    int lifting;          /**< of these, the other one leaves the floor */
    double lifting_speed; /**< largest speed at which it does, m/s */
    int same_lifting;     /**< of these, the one in contact leaves the floor */
    int sliding;          /**< of these, some closed contact slides */
    int near_sliding;     /**< of these, one below the top disc or below its carrier slides */
    int lifts[PUBLISHED_CONTACTS];  /**< each contact opens */
    int slides[PUBLISHED_CONTACTS]; /**< slides */
    int sticks[PUBLISHED_CONTACTS]; /**< sticks: rolling discs */
} sample_counts;

/** Go through the samples. */
sample_counts disk_stack_count_samples(const carom_impact_problem *problem,
                                       const carom_impact_samples *samples);

/** Write GROUP/measures/NAME, the counts, and GROUP/claims/NAME, the statements decided by them;
 * group "" for the top level. */
void disk_stack_write_counts(const carom_impact_record *target, const char *group,
                             const carom_impact_outcomes *simultaneous,
                             const carom_impact_samples *samples);

/* --- measures.c ------------------------------------------------------------------------------- */

/** Write /measures: numbers drawn from the impact and the set that the paper is about. */
void disk_stack_write_measures(const results *r);

/* --- variants.c ------------------------------------------------------------------------------- */

/** Write /selections/NAME and /distributions/NAME: other selections among the solutions of an
 * increment, and other distributions of its caps; /combinations/NAME: the mass and the tangents of
 * the two variants combined; /pyramids: more rows. */
CAROM_MUST_CHECK carom_status disk_stack_write_variants(const results *r);

/* --- other.c ---------------------------------------------------------------------------------- */

/** Write /other_variant: the simultaneous law, the sampled set and the statements for the variant
 * that the options have not chosen. */
CAROM_MUST_CHECK carom_status disk_stack_write_other(const results *r);

/* --- claims.c --------------------------------------------------------------------------------- */

/** Write /claims: the statements of the paper about this impact. */
void disk_stack_write_claims(const results *r);

#endif
