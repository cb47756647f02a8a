/** Random numbers by index: the number of a sample does not depend on who computes it, or when. */
#ifndef CAROM_BASE_COUNTER_RANDOM_H
#define CAROM_BASE_COUNTER_RANDOM_H

#include <carom/base/base.h>

/**
 * A uniform number in [0, 1) that is a function of its three indices alone, with 53 random bits. No
 * state, no order of calls.
 *
 * @param[in] seed      stream
 * @param[in] sample    index of the sample
 * @param[in] dimension index of the coordinate within the sample
 * Source: the finalizer of SplitMix64 (Steele, Lea, Flood 2014), once for each index.
 */
double carom_counter_uniform(unsigned long seed, unsigned long sample, unsigned long dimension);

#endif
