/** Distinct motions collected one by one, inside the search for orbits. */
#ifndef CAROM_MODES_ORBIT_COLLECTION_H
#define CAROM_MODES_ORBIT_COLLECTION_H

#include <carom/base/base.h>
#include <carom/modes/orbit_search.h>

/**
 * A hash table of motions by two numbers that rotation and reversal leave alone, the period and the
 * largest lambda, in cells so wide that equal motions are in neighbouring ones at most.
 */
typedef struct carom_orbit_collection carom_orbit_collection;

/**
 * @param[in]  expected_count   motions that are expected at most; sets the size of the table
 * @param[in]  largest_sequence most impacts of a motion
 * @param[in]  tolerance        of sameness, see carom_sequence_equal, 1
 * @param[out] out              belongs to the caller
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_orbit_collection_alloc(int expected_count, int largest_sequence,
                                                           double tolerance,
                                                           carom_orbit_collection **out);

/** Free with all motions in it; NULL is accepted. */
void carom_orbit_collection_free(carom_orbit_collection *collection);
CAROM_AUTO_TYPE(carom_orbit_collection)

/**
 * Add a motion, or count a hit of the one that it equals; the first one stays.
 *
 * @param[in,out] collection keeps the orbit
 * @param[in]     candidate  its orbit belongs to the collection from now on, whatever the status
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_orbit_collection_add(carom_orbit_collection *collection,
                                                         const carom_found_orbit *candidate);

/** Move all motions into a list, by rising period, then energy; the collection is empty after. */
void carom_orbit_collection_hand_over(carom_orbit_collection *collection, carom_orbit_list *list);

#endif
