/** What a sampling experiment does: apply the laws to one impact and write what comes of it. */
#ifndef CAROM_STUDY_IMPACT_STUDY_H
#define CAROM_STUDY_IMPACT_STUDY_H

#include <carom/impact/covering_radius.h>
#include <carom/study/impact_options.h>
#include <carom/study/impact_record.h>

CAROM_BEGIN_DECLARATIONS

/** One impact, how it is sampled, and where it is written. */
typedef struct carom_impact_study {
    carom_impact_record target;          /**< record, problem, names of contacts */
    const carom_impact_options *options; /**< of the sampling */
    const carom_common_options *common;  /**< seed, threads, quiet */
    int facets;                          /**< of spatial cones; 0: 8; ignored in the plane */
    int plane_count;                     /**< that are drawn, may be 0 */
    const carom_plane *planes;           /**< [plane_count] */
} carom_impact_study;

/** What came of it. Zeroed: nothing yet. */
typedef struct carom_impact_findings {
    carom_impact_outcomes *simultaneous;  /**< NULL: not asked for */
    carom_sequential_impacts *sequential; /**< NULL: not asked for */
    carom_impact_samples *samples;        /**< NULL: not asked for */
    bool has_bounds;                      /**< false: not asked for, or a jammed configuration */
    carom_impact_bounds bounds;
    bool has_covering; /**< false: not asked for, or no finished sample */
    carom_covering covering;
} carom_impact_findings;

/** Free what the findings hold and zero them. */
void carom_impact_findings_clear(carom_impact_findings *findings);

/**
 * All solutions of Anitescu and Potra's law, by enumeration in the plane with up to
 * CAROM_MODES_MOST_UNCAPPED contacts, or else Lemke's one: /simultaneous.
 *
 * @param[in]     self     the head of carom_impact_record_before has been written
 * @param[in,out] findings get the result
 * @param[out]    report   context "simultaneous"; may be NULL
 * @return CAROM_OK; what the law and the writing return: of all functions here
 */
CAROM_MUST_CHECK carom_status carom_impact_study_simultaneous(const carom_impact_study *self,
                                                              carom_impact_findings *findings,
                                                              carom_report *report);

/** The impacts one after the other, beginning with each contact in turn: /sequential/A_first and so
 * on. */
CAROM_MUST_CHECK carom_status carom_impact_study_sequential(const carom_impact_study *self,
                                                            carom_impact_findings *findings,
                                                            carom_report *report);

/**
 * The sampled set with its paths in every plane: /set. Planes without limits take those of the
 * first samples, zero included, and a margin. How many samples did not finish is said on stderr;
 * NOT_CONVERGED, and nothing written, if none did.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_sample(const carom_impact_study *self,
                                                        carom_impact_findings *findings,
                                                        carom_report *report);

/** The bounds of the sampling: /bounds; is_available 0, and CAROM_OK, for a jammed configuration.
 */
CAROM_MUST_CHECK carom_status carom_impact_study_bounds(const carom_impact_study *self,
                                                        carom_impact_findings *findings,
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
                                                          carom_impact_findings *findings,
                                                          carom_report *report);

/**
 * All of it: before, simultaneous, sequential, set, bounds, coverage.
 *
 * @param[in]  self     as above
 * @param[out] findings to be cleared, whatever is returned
 * @param[out] report   may be NULL
 * @return CAROM_OK; the first failure
 */
CAROM_MUST_CHECK carom_status carom_impact_study_run(const carom_impact_study *self,
                                                     carom_impact_findings *findings,
                                                     carom_report *report);

CAROM_END_DECLARATIONS

#endif
