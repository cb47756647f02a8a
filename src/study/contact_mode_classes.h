/** How often sampled impacts end in which modes of their contacts. */
#ifndef CAROM_STUDY_CONTACT_MODE_CLASSES_H
#define CAROM_STUDY_CONTACT_MODE_CLASSES_H

#include <carom/base/base.h>
#include <carom/impact/impact_inclusion.h>

/** Speeds up to this part of their speed scale count as zero in a mode (the published
 * classification: 1e-7 m/s at speeds of order one). */
#define CAROM_CONTACT_MODE_RESTING_PART 1e-7

/** That speed in a row of contact space, m/s. */
double carom_contact_mode_resting_speed(const carom_impact_problem *problem, int row);

/** Whether the speed of a row of c [r] counts as zero. */
bool carom_contact_mode_is_at_rest(const carom_impact_problem *problem, const double *c, int row);

/** Up to so many contacts all 3^m classes are listed, of more only those that occur. */
enum { CAROM_CONTACT_MODE_CLASSES_COMPLETE = 3 };

/** The classes of a set of samples: those of most finished samples first, then of most samples,
 * then in the order of their letters. */
typedef struct carom_contact_mode_classes {
    int contact_count; /**< m */
    int count;         /**< classes */
    char *letters;     /**< [count][m + 1] one letter for each contact, zero-terminated */
    int *samples;      /**< [count] samples that end in it */
    int *finished;     /**< [count] of which finished */
} carom_contact_mode_classes;

/**
 * The letters of the modes of contacts: L lifting (normal speed above
 * carom_contact_mode_resting_speed), else S sticking (tangential speed up to it) or s sliding.
 *
 * @param[in]  problem the problem
 * @param[in]  c       [r] speeds, m/s
 * @param[out] letters [m + 1] zero-terminated
 */
void carom_contact_mode_letters(const carom_impact_problem *problem, const double *c,
                                char *letters);

/**
 * Sort samples into classes by their final speeds.
 *
 * @param[in]  problem of the samples
 * @param[in]  samples at least one
 * @param[out] out     belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_mode_classes_count(const carom_impact_problem *problem,
                                                               const carom_impact_samples *samples,
                                                               carom_contact_mode_classes **out);

/** Free; NULL is accepted. */
void carom_contact_mode_classes_free(carom_contact_mode_classes *classes);
CAROM_AUTO_TYPE(carom_contact_mode_classes)

/** The letters of a class, borrowed. */
const char *carom_contact_mode_classes_letters(const carom_contact_mode_classes *classes, int i);

#endif
