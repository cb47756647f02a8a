/** All solutions of a planar contact problem, by enumeration of the modes of its contacts. */
#ifndef CAROM_IMPACT_CONTACT_MODES_H
#define CAROM_IMPACT_CONTACT_MODES_H

#include <carom/base/base.h>
#include <carom/impact/impact_problem.h>

/** Whether normal impulses have caps (the impulse increment) or not (Anitescu-Potra). */
typedef enum carom_mode_set {
    CAROM_MODES_UNCAPPED, /**< off, or partial x {stick, slide +, slide -}: 4 a contact */
    CAROM_MODES_CAPPED    /**< off, or {partial, full} x {stick, slide +, slide -}: 7 a contact */
} carom_mode_set;

/** Most contacts for which modes are enumerated: 4^m and 7^m. */
enum { CAROM_MODES_MOST_UNCAPPED = 7, CAROM_MODES_MOST_CAPPED = 5 };

/** Combinations of modes without caps that an enumeration tries, 4^m; 0: a problem in space, or too
 * many contacts. */
int carom_contact_modes_combinations(const carom_impact_problem *problem);

/**
 * The linear maps from (c, caps) to the impulse of every combination of modes, computed once for a
 * problem: constant afterwards, to be shared by threads. It does not depend on v-.
 */
typedef struct carom_contact_modes carom_contact_modes;

/** Work memory and result of one solution. */
typedef struct carom_mode_solutions {
    int row_count;     /**< r */
    int count;         /**< solutions, velocities merged */
    int capacity;      /**< solutions that fit */
    double *velocity;  /**< [count][r] c' */
    double *impulse;   /**< [count][r] one L that leads there */
    double *residual;  /**< [count] largest violation of the conditions, speeds divided and impulses
                            multiplied by the row_scale of the problem, beside the largest speed
                            likewise, 1 */
    int *multiplicity; /**< [count] modes that lead to this velocity */
    double *work;      /**< scratch */
    struct carom_lcp_workspace *lemke; /**< for impulses that a mode leaves open */
} carom_mode_solutions;

/**
 * @param[in]  problem planar: tangent_count 1; read now, not kept
 * @param[in]  set     with or without caps
 * @param[out] out     belongs to the caller
 * @param[out] report  "number of contacts" if there are too many; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_contact_modes_alloc(const carom_impact_problem *problem,
                                                        carom_mode_set set,
                                                        carom_contact_modes **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_contact_modes_free(carom_contact_modes *modes);
CAROM_AUTO_TYPE(carom_contact_modes)

/** Room for the solutions of one increment. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_mode_solutions_alloc(const carom_contact_modes *modes,
                                                         carom_mode_solutions **out);

/** Free; NULL is accepted. */
void carom_mode_solutions_free(carom_mode_solutions *solutions);
CAROM_AUTO_TYPE(carom_mode_solutions)

/**
 * All c' = c + C L in which each contact i is off (L_n = 0, c'_n >= 0), partial (0 <= L_n <= cap,
 * c'_n = 0) or full (L_n = cap, c'_n <= 0) and sticks (|L_t| <= mu L_n, c'_t = 0) or slides (L_t =
 * -mu L_n sign c'_t), up to rounding. Where a mode leaves the impulse open (redundant contacts),
 * one that satisfies the conditions is sought; velocities within 1e-7 of the largest speed are one
 * solution, speeds being compared in the kinetic metric (row_scale of the problem). A mode that
 * leaves even a velocity open (equal normals with different friction) has a continuum of solutions,
 * of which one is returned. Order: that of the modes, off first.
 *
 * @param[in]     modes     of the problem
 * @param[in]     c         [r] speeds before, m/s
 * @param[in]     caps      [m] > 0, N s; NULL for uncapped modes
 * @param[in,out] solutions is filled
 * @return CAROM_OK, with count >= 0; OUT_OF_MEMORY. A planar increment always has a solution:
 * count 0 means that rounding has hidden it
 * Source: halm-2023 (31), (72)-(74); the counts of modes are ours. Cost: O(4^m m^2), O(7^m m^2).
 */
CAROM_MUST_CHECK carom_status carom_contact_modes_solve(const carom_contact_modes *modes,
                                                        const double *c, const double *caps,
                                                        carom_mode_solutions *solutions);

/**
 * Largest violation of the conditions above by an impulse L that takes contacts to c', however it
 * was found: of each complementary pair the smaller, as it comes. Speeds compare with impulses if
 * they are divided, impulses and caps multiplied by the row_scale of the problem, and mu_i
 * multiplied by the ratio of that of its tangential and its normal row.
 *
 * @param[in] m    contacts
 * @param[in] mu   [m]
 * @param[in] c    [2m] speeds after
 * @param[in] caps [m]; NULL: none
 * @param[in] L    [2m]
 */
double carom_planar_contact_violation(int m, const double *mu, const double *c, const double *caps,
                                      const double *L);

#endif
