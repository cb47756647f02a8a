/** Sets of outcomes by random sequences of impulse increments (halm-2023 Algorithms 1 and 2). */
#ifndef CAROM_IMPACT_IMPACT_SAMPLING_H
#define CAROM_IMPACT_IMPACT_SAMPLING_H

#include <carom/base/attributes.h>
#include <carom/impact/cap_sampler.h>
#include <carom/impact/impulse_increment.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Called once for each outcome, from any thread, in the order of its increments.
 *
 * @param sample      index of the sample
 * @param point_count increments + 1
 * @param path        [point_count][r] speeds c- first, m/s
 */
typedef void (*carom_impact_observer)(int sample, int point_count, const double *path,
                                      void *context);

/** Impulse steps that are not given are this part of carom_impact_stopping_impulse. */
#define CAROM_IMPACT_STEP_PART 2.0

typedef struct carom_impact_sampling_params {
    int samples;                         /**< M >= 1 */
    int trajectory_length;               /**< N >= 1: most increments of a sample */
    double impulse_step;                 /**< h, N s: caps lie in [0, h]; 0: from the problem */
    carom_cap_distribution distribution; /**< of the caps */
    carom_increment_selection selection; /**< among several solutions */
    unsigned long seed;
    int threads;          /**< 0: all cores */
    int facets;           /**< of spatial cones; ignored in the plane */
    int most_branches;    /**< of one sample with CAROM_SELECTION_ALL, >= 1 */
    double final_step;    /**< N s: cap of Algorithm 2's last increment; 0: none */
    double covering_mass; /**< kg, of Lemke's method (carom_cone_complementarity_covering); 0: the
                               solution it finds does not depend on the units */
    carom_impact_observer observer; /**< may be NULL */
    void *observer_context;
} carom_impact_sampling_params;

/** M = 2^14, N = 10, h from the problem, uniform caps, Lemke, seed 0, all cores, 8 facets, 64
 * branches, no final step, covering mass 0. */
carom_impact_sampling_params carom_impact_sampling_params_default(void);

/**
 * Outcomes in the order of samples and, within one, of branches; one for each sample but with
 * CAROM_SELECTION_ALL. Read, never written, by users.
 */
typedef struct carom_impact_samples {
    int coordinate_count;     /**< n */
    int row_count;            /**< r */
    int count;                /**< outcomes */
    int *sample;              /**< [count] sample of an outcome */
    double *velocity;         /**< [count][n] v+, m/s */
    double *contact_velocity; /**< [count][r] c+, m/s */
    double *kinetic_energy;   /**< [count] J */
    double *impulse;          /**< [count] sum of normal impulses: the s of the inclusion, N s */
    int *increments;          /**< [count] problems solved */
    int *is_finished;         /**< [count] 1: no contact is colliding any more */

    long increment_count;   /**< solved in all */
    long multivalued_count; /**< with more than one velocity; enumerating selections, else 0 */
    long energy_rise_count; /**< that raised kinetic energy by more than 1e-12 of the largest one */
    long unsolved_count;    /**< without a solution: their samples end there, unfinished */
    long rescue_count;      /**< that needed more than one attempt */
    long pivot_count;       /**< of Lemke's method */
    long truncated_count;   /**< samples with more branches than most_branches, or with an
                                increment of more than 32 velocities */
    double largest_residual; /**< of the complementarity problems, 1 */
    double mean_increments;  /**< over outcomes */
    double fraction_finished;
    double mean_kinetic_energy; /**< of finished outcomes, J */
} carom_impact_samples;

/**
 * Draw caps in the box [0,h]^m and apply increments until no contact is colliding, at most N times;
 * M times over. A v- that is not colliding is returned unchanged, with no increment. The same bytes
 * for any number of threads.
 *
 * @param[in]  problem the problem
 * @param[in]  params  as above
 * @param[out] out     belongs to the caller
 * @param[out] report  quantity refused; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: parameters, dimension N m beyond the sampler's, an enumerating
 * selection with a spatial problem or too many contacts; OUT_OF_MEMORY
 * Source: halm-2023 Algorithm 1 with i < N, Algorithm 2 with final_step > 0; section 5.
 */
CAROM_MUST_CHECK carom_status carom_impact_sample(const carom_impact_problem *problem,
                                                  const carom_impact_sampling_params *params,
                                                  carom_impact_samples **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_impact_samples_free(carom_impact_samples *samples);
CAROM_AUTO_TYPE(carom_impact_samples)

CAROM_END_DECLARATIONS

#endif
