/** Sequences of impacts: symmetry, reversal, rotation, primitive period, canonical form. */
#ifndef CAROM_MODES_IMPACT_SEQUENCE_H
#define CAROM_MODES_IMPACT_SEQUENCE_H

#include <carom/base/base.h>

#include <stdbool.h>

/**
 * A sequence is a pair of k-periodic lists: flight times sigma_1..sigma_k and lambda_1..lambda_k,
 * lambda_j at the end of flight j. Rotation by r starts it at another impact, sigma'_i =
 * sigma_{i+r}, lambda'_i = lambda_{i+r}; reversal runs it backwards, sigma'_i = sigma_{k+1-i},
 * lambda'_i = lambda_{k-i} (index 0 = k).
 */

/**
 * Find a with sigma_n = sigma_{a-n} and lambda_{a-1-n} = lambda_n for all n (mod k), to a tolerance
 * relative to the period and to the largest lambda (thorin-2017 section 6).
 *
 * @param[in] k            >= 1
 * @param[in] flight_times [k] s
 * @param[in] lambda       [k]; NULL: only the times are compared
 * @param[in] tolerance    1
 * @return the smallest a in 1..k; 0 if the sequence is not symmetric. For a primitive sequence it
 * is the only one (proposition 6.1).
 */
int carom_sequence_symmetry(int k, const double *flight_times, const double *lambda,
                            double tolerance);

/**
 * The two symmetry axes of a symmetric sequence, t = t_{a-1}/2 and that plus T/2 (mod T), in [0,
 * T), ascending (corollary 6.2).
 *
 * @param[in]  k            >= 1
 * @param[in]  flight_times [k] s
 * @param[in]  a            from carom_sequence_symmetry, 1..k
 * @param[out] axes         [2] s
 */
void carom_sequence_axes(int k, const double *flight_times, int a, double *axes);

/** Start at another impact: rotate both lists [k] in place by r in 0..k-1. */
void carom_sequence_rotate(int k, int r, double *flight_times, double *lambda);

/** Run both lists [k] backwards, in place. */
void carom_sequence_reverse(int k, double *flight_times, double *lambda);

/**
 * The number of impacts in the shortest period: the smallest divisor d of k for which both lists
 * repeat after d, to a tolerance relative to the mean flight time and to the largest lambda.
 */
int carom_sequence_primitive(int k, const double *flight_times, const double *lambda,
                             double tolerance);

/**
 * Bring a sequence to its canonical form: of all rotations and reversals the one whose flight
 * times, compared to the tolerance times the period, come first lexicographically, ties broken by
 * lambda. Equal motions get the same form. In place.
 */
void carom_sequence_canonicalize(int k, double *flight_times, double *lambda, double tolerance);

/**
 * Whether two sequences of k impacts are the same motion, started or run differently: some rotation
 * or reversal brings all flight times together to the tolerance times the period and all lambda to
 * the tolerance times the largest.
 */
bool carom_sequence_equal(int k, const double *flight_times, const double *lambda,
                          const double *other_flight_times, const double *other_lambda,
                          double tolerance);

#endif
