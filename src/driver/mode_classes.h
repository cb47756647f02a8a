/** How often sampled impacts end in which modes of their contacts. */
#ifndef CAROM_DRIVER_MODE_CLASSES_H
#define CAROM_DRIVER_MODE_CLASSES_H

#include <carom/impact/impact_sampling.h>

/** Speeds up to this, m/s, count as zero in a mode (the published classification). */
#define CAROM_MODE_RESTING_SPEED 1e-7

/** Up to so many contacts all 3^m classes are listed, of more only those that occur. */
enum { CAROM_MODE_CLASSES_COMPLETE = 3 };

/** The classes of a set of samples: those of most finished samples first, then of most samples,
 * then in the order of their letters. */
typedef struct carom_mode_classes {
    int contact_count; /**< m */
    int count;         /**< classes */
    char *letters;     /**< [count][m + 1] one letter for each contact, zero-terminated */
    int *samples;      /**< [count] samples that end in it */
    int *finished;     /**< [count] of which finished */
} carom_mode_classes;

/**
 * The letters of the modes of contacts: L lifting (normal speed above CAROM_MODE_RESTING_SPEED),
 * else S sticking (tangential speed up to it) or s sliding.
 *
 * @param[in]  problem the problem
 * @param[in]  c       [r] speeds, m/s
 * @param[out] letters [m + 1] zero-terminated
 */
void carom_mode_letters(const carom_impact_problem *problem, const double *c, char *letters);

/**
 * Sort samples into classes by their final speeds.
 *
 * @param[in]  problem of the samples
 * @param[in]  samples at least one
 * @param[out] out     belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_mode_classes_count(const carom_impact_problem *problem,
                                                       const carom_impact_samples *samples,
                                                       carom_mode_classes **out);

/** Free; NULL is accepted. */
void carom_mode_classes_free(carom_mode_classes *classes);

/** The letters of a class, borrowed. */
const char *carom_mode_classes_letters(const carom_mode_classes *classes, int i);

#endif
