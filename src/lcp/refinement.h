/** Correction of an approximate complementary solution from the data, inside Lemke's method. */
#ifndef CAROM_LCP_REFINEMENT_H
#define CAROM_LCP_REFINEMENT_H

#include <carom/base/base.h>
#include <carom/lcp/lcp.h>

#include <stdbool.h>

/** Work memory. */
typedef struct carom_lcp_refinement carom_lcp_refinement;

/**
 * Work memory for problems of up to n >= 1 unknowns.
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_lcp_refinement_alloc(int n, carom_lcp_refinement **out);

/** Free; NULL is accepted. */
void carom_lcp_refinement_free(carom_lcp_refinement *work);
CAROM_AUTO_TYPE(carom_lcp_refinement)

/**
 * Rounding of the residual: 16 n roundings of the largest row of |q| + |M| z.
 *
 * @param[in] n number of unknowns
 * @param[in] M [n][n] row-major
 * @param[in] q [n]
 * @param[in] z [n], >= 0
 */
double carom_lcp_rounding(int n, const double *M, const double *q, const double *z);

/**
 * Solve M_aa z_a = -q_a on a set a, exchange rows whose sign comes out wrong, and repeat until the
 * residual is rounding, no row is left to exchange or M_aa is singular; z becomes the best point
 * met, itself included. For sets that are right but for ties: rows where z and w are both zero,
 * which rounding has left on the wrong side.
 *
 * @param[in]     n      number of unknowns
 * @param[in]     M      [n][n] row-major, diagonal of order 1
 * @param[in]     q      [n]
 * @param[in,out] is_set [n] the set a; overwritten
 * @param[in,out] z      [n]
 * @param[in,out] work   from carom_lcp_refinement_alloc
 * @return max |min(z, w)| of the final z
 */
double carom_lcp_refine(int n, const double *M, const double *q, bool *is_set, double *z,
                        carom_lcp_refinement *work);

#endif
