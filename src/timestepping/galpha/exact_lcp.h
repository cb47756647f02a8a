/** Internal: one iteration of a step with its contacts decided by complementary pivoting. */
#ifndef CAROM_TIMESTEPPING_GALPHA_EXACT_LCP_H
#define CAROM_TIMESTEPPING_GALPHA_EXACT_LCP_H

#include <carom/base/base.h>
#include <carom/timestepping/galpha/newton.h>

/** Work memory of the condensed problems of one Newton system. */
typedef struct carom_exact_lcp carom_exact_lcp;

/**
 * @param[in]  kinematic     entries before the multipliers
 * @param[in]  size          N, all entries
 * @param[in]  level_count   levels of contact conditions
 * @param[in]  contact_count n_u
 * @param[out] out           belongs to the caller, to be freed by carom_exact_lcp_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_exact_lcp_alloc(int kinematic, int size, int level_count,
                                                    int contact_count, carom_exact_lcp **out);

/** Free; NULL is accepted. */
void carom_exact_lcp_free(carom_exact_lcp *exact);
CAROM_AUTO_TYPE(carom_exact_lcp)

/**
 * Linearize the step with every contact imposed, condense it to the multipliers of the contacts,
 * and solve the linear complementarity problem of each level by Lemke's method, the levels in turn.
 *
 * @param[in,out] exact     work memory
 * @param[in,out] problem   its active sets become those of the solution
 * @param[in,out] saddle    overwritten
 * @param[out]    increment [N] of the scaled unknowns, to be given to problem->update
 * @return CAROM_OK; RAY, SINGULAR, NOT_FINITE or NOT_CONVERGED
 */
CAROM_MUST_CHECK carom_status carom_exact_lcp_increment(carom_exact_lcp *exact,
                                                        const carom_newton_problem *problem,
                                                        carom_saddle *saddle, double *increment);

#endif
