/** Growing lists of sampled outcomes, and their union. */
#ifndef CAROM_IMPACT_SAMPLE_LIST_H
#define CAROM_IMPACT_SAMPLE_LIST_H

#include <carom/impact/impact_inclusion.h>

/** One outcome to be appended. */
typedef struct carom_sample_entry {
    int sample;
    const double *velocity;         /**< [n] */
    const double *contact_velocity; /**< [r] */
    double kinetic_energy;
    double impulse;
    int increments;
    bool is_finished;
} carom_sample_entry;

/** The outcomes of a block of samples, with the sums of carom_impact_samples. */
typedef struct carom_sample_list {
    int coordinate_count;
    int row_count;
    int count;
    int capacity;
    double *reals; /**< [capacity][n + r + 2] velocity, speeds, energy, impulse */
    int *integers; /**< [capacity][3] sample, increments, whether finished */
    long increment_count;
    long multivalued_count;
    long energy_rise_count;
    long unsolved_count;
    long rescue_count;
    long pivot_count;
    long truncated_count;
    double largest_residual;
} carom_sample_list;

/** An empty list for a problem, without memory. */
void carom_sample_list_init(const carom_impact_problem *problem, carom_sample_list *list);

/** Free the memory of a list. */
void carom_sample_list_clear(carom_sample_list *list);

/** @return CAROM_OK; OUT_OF_MEMORY, the list as it was */
CAROM_MUST_CHECK carom_status carom_sample_list_append(carom_sample_list *list,
                                                       const carom_sample_entry *entry);

/**
 * All lists in their order as one; the lists are cleared on the way.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_sample_lists_join(int list_count, carom_sample_list *lists,
                                                      carom_impact_samples **out);

#endif
