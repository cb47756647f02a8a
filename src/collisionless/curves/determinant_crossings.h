/** Where the curves of the two determinants cross: the paper's way to all collisionless motions. */
#ifndef CAROM_COLLISIONLESS_CURVES_DETERMINANT_CROSSINGS_H
#define CAROM_COLLISIONLESS_CURVES_DETERMINANT_CROSSINGS_H

#include <carom/base/base.h>
#include <carom/collisionless/curves/determinant_grid.h>
#include <carom/collisionless/motion/impact_matrix.h>

/** A common zero of both determinants. */
typedef struct carom_determinant_crossing {
    double phase;             /**< o_N, rad */
    double constrained_phase; /**< o'_{N-1}, rad */
    double time;              /**< tau, s */
    double constrained_time;  /**< tau', s */
    double residual;          /**< length of the Newton step that is left, rad */
    carom_impact_rank rank;   /**< of the impact matrix */
    bool is_spurious; /**< the impact matrix keeps its rank: only the rows that both determinants
                         share have lost theirs. Or, next to the trivial solution tau tau' = 0, all
                         rows are so nearly dependent that rounding decides */
} carom_determinant_crossing;

/** All crossings found, by o_N, then o'_{N-1}. */
typedef struct carom_determinant_crossings {
    int count;                             /**< >= 0 */
    int true_count;                        /**< those that are not spurious */
    carom_determinant_crossing *crossings; /**< [count] */
} carom_determinant_crossings;

/**
 * Find all crossings in a window: in every cell of the grid that both families may pass through,
 * and there in every one of its 64 parts, Newton's method on the two determinants. Crossings closer
 * than 1e-6 rad are taken for one. Spurious ones
 * need a second oscillating mode in one of the phases. No proof that none is missing
 * (carom_impact_roots_find has one): two crossings within one part of a cell can be.
 *
 * @param[in]  spectra checked here
 * @param[in]  window  checked here
 * @param[out] out     belongs to the caller, to be freed by carom_determinant_crossings_free; NULL
 * on failure. No crossing is no failure
 * @param[out] report  quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_reduced_matrix_alloc and carom_phase_window_check return;
 * NOT_CONVERGED if singular values do not; OUT_OF_MEMORY Source: pankov-2024 (43) and figure 2,
 * which do not mention spurious crossings. Cost: an elimination for every node, some hundred for
 * every cell that both families may enter.
 */
CAROM_MUST_CHECK carom_status carom_determinant_crossings_find(const carom_phase_spectra *spectra,
                                                               const carom_phase_window *window,
                                                               carom_determinant_crossings **out,
                                                               carom_report *report);

/** Free crossings; NULL is accepted. */
void carom_determinant_crossings_free(carom_determinant_crossings *crossings);
CAROM_AUTO_TYPE(carom_determinant_crossings)

#endif
