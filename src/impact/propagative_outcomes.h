/** All outcomes of the propagative model, whatever the order of the single impacts. */
#ifndef CAROM_IMPACT_PROPAGATIVE_OUTCOMES_H
#define CAROM_IMPACT_PROPAGATIVE_OUTCOMES_H

#include <carom/base/attributes.h>
#include <carom/impact/propagative_contacts.h>

CAROM_BEGIN_DECLARATIONS

typedef struct carom_propagative_tree_params {
    double tolerance;       /**< a contact approaches if (w_i,p) < -tolerance |p|; 1, in (0, 1) */
    double merging;         /**< momenta closer than this, |p| being 1, are one; in [0, 1) */
    int most_momenta;       /**< distinct momenta on the way, >= 1: memory grows with those met */
    int most_sequences;     /**< sequences that are listed, >= 1; all are counted */
    int longest_minimality; /**< sequences up to this length are tested for minimality, 0 .. 20 */
} carom_propagative_tree_params;

/** 1e-12 for both, 2^18 momenta, 4096 sequences, minimality up to 12 reflections. */
carom_propagative_tree_params carom_propagative_tree_params_default(void);

/** Whether a proper part of a sequence, in its order, leads to a feasible momentum (Definition 1).
 */
typedef enum carom_propagative_minimality {
    CAROM_PROPAGATIVE_NOT_MINIMAL,
    CAROM_PROPAGATIVE_MINIMAL,
    CAROM_PROPAGATIVE_MINIMALITY_UNKNOWN /**< longer than what is tested */
} carom_propagative_minimality;

/**
 * The graph of momenta, an edge for each reflection across an approaching contact; those without an
 * edge are the outcomes. Read, never written, by users.
 */
typedef struct carom_propagative_outcomes {
    int contact_count;       /**< m */
    int momentum_count;      /**< distinct momenta, the first one and the outcomes included */
    int count;               /**< outcomes, >= 1 */
    double *impulse;         /**< [count][m] impulses of one sequence that leads there, N s */
    double *normal_velocity; /**< [count][m] after it, m/s */
    double indeterminacy;  /**< xi: largest |p_a - p_b| of two outcomes / |p| before; 0 for rest */
    double sequence_total; /**< all sequences, also where they are too many to be listed; a whole
                              number, exact up to 2^53 */
    double *sequences;     /**< [count] of them, those that lead there */
    int *longest;          /**< [count] reflections of the longest of these */
    int *shortest_begin;   /**< [count + 1] where the shortest, of several the first, begins */
    int *shortest;         /**< contacts reflected */

    int sequence_count; /**< sequences that are listed, the first by lexical order of contacts */
    int *begin;         /**< [sequence + 1] where each begins in `contact` */
    int *contact;       /**< [begin[sequence_count]] contacts reflected */
    int *outcome;       /**< [sequence] where it ends */
    carom_propagative_minimality *minimality; /**< [sequence] */
} carom_propagative_outcomes;

/**
 * Follow all sequences of reflections across approaching contacts, momenta that are reached in
 * several ways once. They end, as the contacts can be separated.
 *
 * @param[in]  contacts the normals
 * @param[in]  params   as above
 * @param[in]  c        [m] normal velocities before, m/s
 * @param[in]  energy   kinetic energy |p|^2/2 before, J
 * @param[out] out      belongs to the caller
 * @param[out] report   may be NULL
 * @return CAROM_OK; NOT_FINITE; OUT_OF_RANGE: parameters, energy < 0; NOT_CONVERGED: more momenta
 * than allowed, which the report tells; OUT_OF_MEMORY
 * Source: seghete-2014 (14), Definition 1, section VII-A; the merged graph is ours.
 * Cost: O(m (n + m)) per momentum and memory of as many numbers, O(l) per listed sequence of l,
 * O(n k^2) for the distances of k outcomes, O(2^l l m) for the
 * minimality of a sequence of l (two contacts: O(1)).
 */
CAROM_MUST_CHECK carom_status carom_propagative_outcomes_find(
    const carom_propagative_contacts *contacts, const carom_propagative_tree_params *params,
    const double *c, double energy, carom_propagative_outcomes **out, carom_report *report);

/** Free; NULL is accepted. */
void carom_propagative_outcomes_free(carom_propagative_outcomes *outcomes);
CAROM_AUTO_TYPE(carom_propagative_outcomes)

CAROM_END_DECLARATIONS

#endif
