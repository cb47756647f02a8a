/** Internal: the matrices of Newton's method in a variational step. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_MATRICES_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_MATRICES_H

#include <carom/timestepping/variational/variational_newton.h>

/**
 * J, the rows, their responses and S at the evaluated iterate, J from the closed form.
 * @return CAROM_OK; SINGULAR: J; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_matrices_assemble(carom_variational_newton *newton);

/**
 * The same with J by differences along each coordinate, of the size of its speed; nothing where
 * nothing moves. Spoils q_m, q_{k+1}, load and sliding.
 * @return as carom_variational_matrices_assemble
 */
CAROM_MUST_CHECK carom_status
carom_variational_matrices_differentiate(carom_variational_newton *newton);

#endif
