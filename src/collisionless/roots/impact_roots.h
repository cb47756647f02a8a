/** All collisionless motions of two spectra in a box of impact times. */
#ifndef CAROM_COLLISIONLESS_ROOTS_IMPACT_ROOTS_H
#define CAROM_COLLISIONLESS_ROOTS_IMPACT_ROOTS_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/spectral_motion.h>

CAROM_BEGIN_DECLARATIONS

/** A pair of impact times at which all conditions of a collisionless motion hold. */
typedef struct carom_impact_root {
    double time;                    /**< tau, s, from symmetry point P to the impact */
    double constrained_time;        /**< tau', s, from the impact to symmetry point P' */
    double residual;                /**< |Z u| of the impact matrix, |u| = 1 */
    double smallest_singular_value; /**< of Z (impact_matrix.c) */
    double second_singular_value;   /**< the next one: how well the rank is known */
    int column; /**< n of the cell, counting half oscillations of the unconstrained phase; 0 where
                   cells do not apply */
    int row;    /**< r of the cell, from 0; -1 where cells do not apply */
    bool is_singular; /**< a multiple root, to rounding: all conditions hold along a piece of a
                         curve through it, whose middle it is */
} carom_impact_root;

/** How a list of roots came about. */
typedef enum carom_root_method {
    CAROM_ROOTS_NONE,        /**< none can exist: no oscillating constrained mode (claim 1) */
    CAROM_ROOTS_CELLS,       /**< one root in each cell (claim 4) */
    CAROM_ROOTS_SUBDIVISION, /**< boxes excluded, or held by one certified root */
    CAROM_ROOTS_MIXED        /**< cells, and subdivision of the first column */
} carom_root_method;

/** Told now and then which part of the box is settled, in [0, 1]. */
typedef void (*carom_root_search_progress)(double share, void *context);

/** Where and how to look. */
typedef struct carom_root_search_params {
    double min_time;             /**< least tau, s, > 0 */
    double max_time;             /**< largest tau, s; 1e8 rad of the highest mode at most */
    double min_constrained_time; /**< least tau', s, > 0 */
    double max_constrained_time; /**< largest tau', s, likewise */
    int max_boxes;               /**< of the subdivision; more cells than this are refused */
    bool use_subdivision;        /**< even where cells apply, or no root can be: independently */
    carom_root_search_progress progress; /**< of a subdivision, or of rows of cells; may be NULL */
    void *context;                       /**< handed to it */
} carom_root_search_params;

/** 0.02 s to 16 s, 0.02 s to 10 s, 4 million boxes, cells where they apply. */
carom_root_search_params carom_root_search_params_default(void);

/** A rectangle of impact times of which it is not known whether it holds further roots. */
typedef struct carom_undecided_region {
    double time[2];             /**< least and largest tau, s */
    double constrained_time[2]; /**< least and largest tau', s */
    int parts;                  /**< of the box that lie in it and touch */
    double share;               /**< of the box that these parts make up, 1 */
    bool is_searched; /**< down to parts in which Z stays within 1e-6 of losing rank, or, a cell,
                         without success; false: the search ended before */
} carom_undecided_region;

/** What was found, ordered by row, then column (cells) or by tau, then tau'. */
typedef struct carom_root_list {
    int count;                /**< >= 0 */
    carom_impact_root *roots; /**< [count] */
    carom_root_method method; /**< how they were found */
    bool is_complete; /**< every root of the box is in the list, by construction or certified */
    int boxes;        /**< examined by the subdivision */
    int undecided;    /**< boxes neither excluded nor certified, cells whose root was not found */
    double undecided_share;          /**< of the box that these make up, in [0, 1] */
    int region_count;                /**< >= 0 */
    carom_undecided_region *regions; /**< [region_count] where they lie */
    int singular; /**< singular roots in the list: that each is one root is not certified */
} carom_root_list;

/**
 * Find all roots.
 *
 * With one oscillating mode in each phase every cell of the plane of impact phases holds one root,
 * found by bordered Newton iteration from its closed form for saturated hyperbolic modes; a
 * root that has converged inside its cell is the cell's only one. Otherwise the box is subdivided:
 * a part is excluded if the angles cannot change enough within it for Z to lose rank
 * (root_exclusion.c), and closed if it lies in the ball in which a root found there is the only
 * one. Parts left at the end that lie together around a zero of Z to rounding, and no certified
 * root, are one singular root; the others are counted, and those that touch are one region. What a
 * search that runs out of boxes has not reached are further regions.
 *
 * @param[in]  spectra checked here
 * @param[in]  params  the box
 * @param[out] out     belongs to the caller, to be freed by carom_root_list_free; NULL on failure.
 * An empty list is no failure
 * @param[out] report  quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; OUT_OF_RANGE, NOT_FINITE or CONFLICT
 * for a box that is none, or reaches beyond 1e8 rad of the highest mode, where a time has lost half
 * its digits ("max time"), or that has too many cells ("cells of the box"); OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_roots_find(const carom_phase_spectra *spectra,
                                                      const carom_root_search_params *params,
                                                      carom_root_list **out, carom_report *report);

/** Free a list; NULL is accepted. */
void carom_root_list_free(carom_root_list *list);
CAROM_AUTO_TYPE(carom_root_list)

/**
 * The root of one cell: column n, row r, with one oscillating mode in each phase.
 *
 * @param[in]  spectra checked here
 * @param[in]  column  n >= 1; >= 2 if the oscillating unconstrained mode is even
 * @param[in]  row     r >= 0
 * @param[out] root    polished
 * @param[out] report  quantity and value if refused; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; OUT_OF_RANGE ("column", "row");
 * CONFLICT if the phases have not one oscillating mode each; NOT_CONVERGED; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_roots_cell(const carom_phase_spectra *spectra,
                                                      int column, int row, carom_impact_root *root,
                                                      carom_report *report);

/**
 * Polish a guess by the bordered Newton iteration Z u = 0, a'u = 1 in (tau, tau', u).
 *
 * @param[in]  spectra          checked here
 * @param[in]  time             guess of tau, s, > 0
 * @param[in]  constrained_time guess of tau', s, > 0
 * @param[out] root             NaN on failure
 * @param[out] report           residual and iterations; may be NULL
 * @return CAROM_OK; what carom_phase_spectra_check returns; OUT_OF_RANGE for times that are not
 * positive; NOT_FINITE; NOT_CONVERGED; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_impact_roots_polish(const carom_phase_spectra *spectra,
                                                        double time, double constrained_time,
                                                        carom_impact_root *root,
                                                        carom_report *report);

CAROM_END_DECLARATIONS

#endif
