/** Random caps of normal impulses: point `sample` of a sequence in [0,1]^d, by index. */
#ifndef CAROM_IMPACT_CAP_SAMPLER_H
#define CAROM_IMPACT_CAP_SAMPLER_H

#include <carom/base/status.h>

CAROM_BEGIN_DECLARATIONS

typedef enum carom_cap_distribution {
    CAROM_CAPS_UNIFORM, /**< independent and uniform */
    CAROM_CAPS_SOBOL,   /**< Sobol points over all increments of a trajectory, digitally shifted by
                           the seed */
    CAROM_CAPS_SIMPLEX, /**< each increment's caps uniform on the simplex of sum 1 */
    CAROM_CAPS_CORNERS  /**< each cap 0+, uniform or 1 with equal probability: reaches the extremes
                           of a  set */
} carom_cap_distribution;

/** Most dimensions of a point: increments of a trajectory times contacts. */
enum { CAROM_CAPS_MOST_DIMENSIONS = 128 };

/** Constant after it is made; shared by threads. */
typedef struct carom_cap_sampler carom_cap_sampler;

/**
 * @param[in]  distribution of the caps
 * @param[in]  increments   N >= 1, of a trajectory
 * @param[in]  contacts     m >= 1
 * @param[in]  seed         stream
 * @param[out] out          belongs to the caller
 * @param[out] report       may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: N m > CAROM_CAPS_MOST_DIMENSIONS with Sobol points (others have
 * no limit); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_cap_sampler_alloc(carom_cap_distribution distribution,
                                                      int increments, int contacts,
                                                      unsigned long seed, carom_cap_sampler **out,
                                                      carom_report *report);

/** Free; NULL is accepted. */
void carom_cap_sampler_free(carom_cap_sampler *sampler);
CAROM_AUTO_TYPE(carom_cap_sampler)

/**
 * The caps of one increment, in (0,1]: a function of its arguments alone.
 *
 * @param[in]  sampler   as made
 * @param[in]  sample    index, >= 0
 * @param[in]  increment 0 .. N-1
 * @param[out] caps      [m] of a unit step
 */
void carom_cap_sampler_draw(const carom_cap_sampler *sampler, int sample, int increment,
                            double *caps);

CAROM_END_DECLARATIONS

#endif
