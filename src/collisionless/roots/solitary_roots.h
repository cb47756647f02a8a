/** Internal: known roots, each alone in a ball of the plane of impact times, found by their place.
 */
#ifndef CAROM_COLLISIONLESS_ROOTS_SOLITARY_ROOTS_H
#define CAROM_COLLISIONLESS_ROOTS_SOLITARY_ROOTS_H

#include <carom/collisionless/roots/impact_roots.h>

#include <stdbool.h>

/** A root and the ball in which it is alone. */
typedef struct carom_solitary_root {
    carom_impact_root root;
    double radius; /**< in units of 1/kappa, at most 1 */
    int next;      /**< root of the same list, -1: none */
} carom_solitary_root;

/** Roots in a hash table by the square of width 1/kappa that they lie in; a zeroed one with kappa
 * set is empty. */
typedef struct carom_solitary_roots {
    double kappa; /**< 1/s */
    int count;
    int capacity;
    carom_solitary_root *roots; /**< [capacity] in the order in which they were added */
    int table_size;             /**< power of two, or 0 */
    int *first;                 /**< [table_size] head of each list, -1: empty */
} carom_solitary_roots;

/** Free what a table holds. */
void carom_solitary_roots_clear(carom_solitary_roots *table);

/**
 * Add a root unless one that is known is in reach of it: within that one's ball, or nearer than
 * `same`.
 *
 * @param[in,out] table  the table
 * @param[in]     root   the root
 * @param[in]     radius of its ball, in units of 1/kappa; what exceeds 1 is cut
 * @param[in]     same   < 1, in units of 1/kappa
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_solitary_roots_add(carom_solitary_roots *table,
                                                       const carom_impact_root *root, double radius,
                                                       double same);

/** A known root within reach of an instant, as carom_solitary_roots_add judges; -1: none. */
int carom_solitary_roots_find(const carom_solitary_roots *table, double time,
                              double constrained_time, double same);

/** Whether a rectangle, [2] centre and half its sides in s, lies in the ball of a known root: its
 * farthest corner does. */
bool carom_solitary_roots_hold(const carom_solitary_roots *table, const double *centre,
                               const double *half);

#endif
