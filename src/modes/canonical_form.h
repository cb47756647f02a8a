/** Where to start a sequence of impacts, and in which direction to run it, inside modes/. */
#ifndef CAROM_MODES_CANONICAL_FORM_H
#define CAROM_MODES_CANONICAL_FORM_H

#include <stdbool.h>

/** One of the 2k forms of a sequence: reversed or not, and then rotated. */
typedef struct carom_sequence_form {
    bool is_reversed; /**< run backwards before it is rotated */
    int rotation;     /**< r in 0..k-1 */
} carom_sequence_form;

/** Entry i in 0..k-1 of the flight times [k] at a place. */
double carom_sequence_form_flight(int k, const double *flight_times, carom_sequence_form place,
                                  int i);

/** Entry i in 0..k-1 of the lambda [k] at a place. */
double carom_sequence_form_lambda(int k, const double *lambda, carom_sequence_form place, int i);

/**
 * The place of the canonical form of carom_sequence_canonicalize. Values that differ by less than
 * the tolerance count as the same, through chains of such values: each is taken for the lowest of
 * its group, so that no fixed grid separates two that are nearly equal. What is then still tied is
 * decided by the values themselves, so that all 2k forms have the same canonical form, bit by bit.
 *
 * @param[in] k            >= 1
 * @param[in] flight_times [k] s
 * @param[in] lambda       [k]
 * @param[in] tolerance    of the period and of the largest lambda, 1
 * Cost: O(k^2) if the flight times differ, O(k^3) if they are all the same.
 */
carom_sequence_form carom_sequence_canonical_form(int k, const double *flight_times,
                                                  const double *lambda, double tolerance);

#endif
