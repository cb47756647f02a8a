/** Random numbers by index: counter-based, and Sobol points. */
#ifndef CAROM_BASE_RANDOM_H
#define CAROM_BASE_RANDOM_H

#include <carom/base/base.h>

#include <stdint.h>

/* -------------------------------------------------------------------------------- counter-based */
/* Random numbers by index: the number of a sample does not depend on who computes it, or when. */

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

/* --------------------------------------------------------------------------------- Sobol points */
/* Sobol points: a sequence in the unit cube whose first 2^k points fill it evenly, by index. */

/** Most dimensions of a point. */
enum { CAROM_SOBOL_MOST_DIMENSIONS = 128 };

/** Binary digits of a coordinate: indices below 2^31 need 31 of them, one is spare. */
enum { CAROM_SOBOL_DIGITS = 32 };

/** Constant while points are asked for; shared by threads. */
typedef struct carom_sobol carom_sobol;

/**
 * The sequence of `dimensions` dimensions, without shift. The first dimension is van der Corput's;
 * dimension j > 0 follows the recurrence of the j-th primitive polynomial over GF(2), by degree and
 * then by value.
 *
 * @param[in]  dimensions 1 .. CAROM_SOBOL_MOST_DIMENSIONS
 * @param[out] out        belongs to the caller
 * @param[out] report     may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 * Source: Sobol 1967; recurrence as in Bratley and Fox 1988, section 2. Initial direction numbers
 * are our own (sobol.c): they make the nets of pairs of dimensions good.
 */
CAROM_MUST_CHECK carom_status carom_sobol_alloc(int dimensions, carom_sobol **out,
                                                carom_report *report);

/** Free; NULL is accepted. */
void carom_sobol_free(carom_sobol *sobol);
CAROM_AUTO_TYPE(carom_sobol)

/**
 * Add to every coordinate, digit by digit and without carry, a random number of 53 digits of its
 * own: each point becomes uniform in the cube, and what the points are to each other stays.
 *
 * @param[in,out] sobol the sequence
 * @param[in]     seed  stream of carom_counter_uniform, sample 0, dimensions as of the point
 */
void carom_sobol_shift(carom_sobol *sobol, unsigned long seed);

/**
 * One coordinate of one point, in [0, 1).
 *
 * @param[in] sobol     as made
 * @param[in] index     of the point, 0 .. 2^31 - 1
 * @param[in] dimension 0 .. dimensions - 1
 * Cost: one exclusive or for each digit of the index that is one.
 */
double carom_sobol_coordinate(const carom_sobol *sobol, int index, int dimension);

/**
 * The direction numbers of a dimension, for tests of the net: digit k of the index adds column k.
 *
 * @param[in] sobol     as made
 * @param[in] dimension 0 .. dimensions - 1
 * @return [CAROM_SOBOL_DIGITS], first digit after the point in the highest bit; borrowed
 */
const uint32_t *carom_sobol_directions(const carom_sobol *sobol, int dimension);

#endif
