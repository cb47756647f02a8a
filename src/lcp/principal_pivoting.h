/** Principal pivots for symmetric positive definite problems, tried before Lemke's path. */
#ifndef CAROM_LCP_PRINCIPAL_PIVOTING_H
#define CAROM_LCP_PRINCIPAL_PIVOTING_H

#include <carom/lcp/lemke_workspace.h>

/**
 * Solve the loaded problem by exchanging z_r with w_r one row at a time, always the row whose
 * negative value is the largest in the units of the scaling, until none is negative beyond
 * rounding. Each pivot is a diagonal entry of the present dictionary: those of a positive definite
 * M are positive, those of a semidefinite one positive or zero. For a definite M the solution is
 * unique, so that no other method can find another; for a semidefinite one M z is, and z is one of
 * the basic solutions.
 *
 * The dictionary of a symmetric M is symmetric up to signs, so that the multipliers of a column are
 * entries of earlier pivot columns, and rows exchanged before drop out: n k products for a column
 * after k pivots.
 *
 * It gives up at once if M is not exactly symmetric, if a pivot is not well above rounding, and
 * after n + 4 exchanges (the rule may cycle). Nothing is promised about z: it has to be measured.
 *
 * @param[in,out] work   with scales; columns of the dictionary, `trial`, `solution` and `last` are
 *                       work memory
 * @param[out]    z      [n] in the caller's units, >= 0; untouched after false
 * @param[out]    pivots rows exchanged; untouched after false
 * @return whether no row is negative any more
 * Source: principal pivoting, Cottle, Pang, Stone 2009, section 4.2.
 * Cost: n k^2 / 2 products for k pivots, of which a definite M takes about as many as z has
 * positive entries.
 */
bool carom_lcp_principal_pivoting(carom_lcp_workspace *work, double *z, int *pivots);

#endif
