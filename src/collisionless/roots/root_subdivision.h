/** Internal: all roots of a box of impact times, by excluding all parts of it that hold none. */
#ifndef CAROM_COLLISIONLESS_ROOTS_ROOT_SUBDIVISION_H
#define CAROM_COLLISIONLESS_ROOTS_ROOT_SUBDIVISION_H

#include <carom/collisionless/motion/impact_matrix.h>
#include <carom/collisionless/roots/impact_roots.h>

/** A list of roots that grows. */
typedef struct carom_root_store {
    int count;
    int capacity;
    carom_impact_root *roots; /**< [capacity], owned */
} carom_root_store;

/** Append a root; OUT_OF_MEMORY. */
CAROM_MUST_CHECK carom_status carom_root_store_add(carom_root_store *store,
                                                   const carom_impact_root *root);

/** Whether a root lies in the box or on its edge: beyond it by no more than roundings of both. */
bool carom_root_is_inside(const carom_impact_root *root, const carom_root_search_params *box);

/**
 * Find all roots of a box, those on its edges included.
 *
 * @param[in,out] matrix    its scratch memory is used
 * @param[in]     params    the box and the largest number of parts
 * @param[in,out] store     roots are appended, by tau, then tau'
 * @param[out]    boxes     parts examined, added
 * @param[out]    undecided parts neither excluded nor closed, nor around a singular root, added
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_root_subdivision_find(carom_impact_matrix *matrix,
                                                          const carom_root_search_params *params,
                                                          carom_root_store *store, int *boxes,
                                                          int *undecided);

#endif
