/** What a sampling experiment does: apply the laws to one impact and write what comes of it. */
#ifndef CAROM_STUDY_IMPACT_STUDY_H
#define CAROM_STUDY_IMPACT_STUDY_H

#include <carom/impact/impact_bounds.h>
#include <carom/impact/impact_law.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_record.h>

/** What a program about one impact ends with: the outcomes of the laws, those of paths, the
 * sampled sets, and the contact modes in which samples end. */
extern const carom_table carom_impact_tables[4];

/** One impact, how it is sampled, and where it is written. */
typedef struct carom_impact_study {
    carom_impact_record target;          /**< record, problem, names of contacts */
    const carom_impact_options *options; /**< of the sampling */
    const carom_common_options *common;  /**< seed, threads, quiet */
    int facets;                          /**< of spatial cones; 0: 8; ignored in the plane */
    int plane_count;                     /**< that are drawn, may be 0 */
    const carom_plane *planes;           /**< [plane_count] */
    int pilot_samples; /**< from which open limits are taken, by the caps of the options; 0: few, by
                            caps that favour their corners */
} carom_impact_study;

/** What came of it. Zeroed: nothing yet. */
typedef struct carom_impact_study_results {
    carom_impact_result *results[CAROM_IMPACT_LAW_COUNT]; /**< NULL: not asked for; of routh that of
                                                               the last contact */
    const carom_impact_outcomes *simultaneous;  /**< of anitescu_potra, borrowed from its result */
    const carom_sequential_impacts *sequential; /**< of sequential, likewise */
    const carom_impact_samples *samples;        /**< of sampling, likewise */
    bool has_bounds; /**< false: not asked for, or a jammed configuration */
    carom_impact_bounds bounds;
    bool has_covering; /**< false: not asked for, or no finished sample */
    carom_covering covering;
} carom_impact_study_results;

/** Free what the results hold and zero them. */
void carom_impact_study_results_clear(carom_impact_study_results *results);

/** The group of a law below the root: its name, "simultaneous" for anitescu_potra, "set" for
 * sampling. */
const char *carom_impact_study_group(carom_impact_law_id id);

/** What the laws leave open, with the facets and the sampling of the study. */
carom_impact_law_params carom_impact_study_params(const carom_impact_study *self);

/**
 * Apply a law other than sampling and write its group in the layout of what it keeps: sequences as
 * /sequential/A_first and so on, in all orders as /sequential/A_B and so on; reflections as
 * carom_propagative_record_outcomes does; the path of an inclusion as /inclusion/equal; Routh's
 * impact of each contact, all others left out, as /routh/A; else a list of outcomes.
 *
 * @param[in]     self     the head of carom_impact_record_before has been written
 * @param[in]     id       law
 * @param[in]     params   NULL: carom_impact_study_params
 * @param[in,out] results  get the result
 * @param[out]    report   context: the group; may be NULL
 * @return CAROM_OK; what carom_impact_law_run returns; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_study_apply(const carom_impact_study *self,
                                                       carom_impact_law_id id,
                                                       const carom_impact_law_params *params,
                                                       carom_impact_study_results *results,
                                                       carom_report *report);

/**
 * The sampled set with its paths in every plane: /set. Planes without limits take those of the
 * first samples, zero included, and a margin. How many samples did not finish is said on stderr;
 * NOT_CONVERGED, and nothing written, if none did.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_sample(const carom_impact_study *self,
                                                        carom_impact_study_results *results,
                                                        carom_report *report);

/** The bounds of the sampling: /bounds; is_available 0, and CAROM_OK, for a jammed configuration.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_bounds(const carom_impact_study *self,
                                                        carom_impact_study_results *results,
                                                        carom_report *report);

/** Probes of the coverage: finished outcomes of another seed. */
enum { CAROM_IMPACT_PROBES = 4096 };

/**
 * How well the samples cover their set: /coverage/{probe_count, radius, mean, root_square}, from
 * the distances in contact space (m/s) of the outcomes of up to CAROM_IMPACT_PROBES samples of
 * another seed to the nearest sample; and the distances of the outcomes of the other laws, as
 * /simultaneous/distance (solution) and /sequential/ORDER/distance. Only finished samples count;
 * without any, or with more than CAROM_COVERING_MOST_DIMENSIONS rows, nothing is written but
 * probe_count 0. After the others.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_coverage(const carom_impact_study *self,
                                                          carom_impact_study_results *results,
                                                          carom_report *report);

/**
 * All of it: before, simultaneous, sequential, set, bounds, coverage.
 *
 * @param[in]  self     as above
 * @param[out] results  to be cleared, whatever is returned
 * @param[out] report   may be NULL
 * @return CAROM_OK; the first failure
 */
CAROM_MUST_CHECK carom_status carom_impact_study_run(const carom_impact_study *self,
                                                     carom_impact_study_results *results,
                                                     carom_report *report);

#endif
