/** Internal: the matrices of Newton's method in a variational step, and those of the projection at
 * its end. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_MATRICES_H
#define CAROM_TIMESTEPPING_VARIATIONAL_MATRICES_H

#include <carom/timestepping/variational_newton.h>

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

/**
 * The second half of the impulses: normal ones kappa of held contacts, and g of rows that stick at
 * the midpoint, in rows of unit length in the metric M(q_{k+1}). N = m + m t as in Newton's method;
 * a row that is not used has the identity in the matrix.
 */
typedef struct carom_variational_projection {
    const carom_variational_newton *newton; /**< borrowed */

    carom_variational_mode *mode; /**< [m t] at the end; RELEASED: g = 0 */
    double tolerance;             /**< of impulses and speeds in unit rows, kg^1/2 m/s */
    double *rows;                 /**< [N][n] G(q_{k+1}), H(q_{k+1}) */
    double *responses;            /**< [N][n] M^-1 of the rows */
    double *length;               /**< [N] sqrt(row M^-1 row'), 1 where it is zero */
    double *compliance;           /**< [N][N] rows times responses, unit rows */
    double *reduced;              /**< [N][N] of the end modes, identity rows where unused */
    double *rate;                 /**< [N] unit rows times velocity, without impulses */
    double *impulse;              /**< [N] along unit rows */
    double *speed;                /**< [N] unit rows times velocity, with them */
    carom_minimum_norm *solver;   /**< of `reduced` */
    double *memory;               /**< owns the numbers */
} carom_variational_projection;

/** Allocate; the solver is borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_projection_init(
    carom_variational_projection *projection, const carom_variational_newton *newton);

/** Free; a zeroed struct is accepted. */
void carom_variational_projection_clear(carom_variational_projection *projection);

/**
 * After the modes of the step are found and M(q_{k+1}) is factored: rows and compliance at q_{k+1}
 * [n], and the rates of v [n] = M^-1 p without the impulses of the projection.
 */
void carom_variational_projection_begin(carom_variational_projection *projection, const double *q,
                                        const double *v);

/**
 * Impulses and speeds such that G(q_{k+1}) v = 0 and H(q_{k+1}) v = 0, |g| <= mu max(kappa, 0). A
 * row that needs more slides at the end, g = -mu kappa sign(v_t); one of a contact that pulls,
 * kappa < 0, has g = 0. At first all rows stick, and each combination proposes the next; if that
 * does not settle, all are tried in order, up to 4096. Where the rows are independent one is
 * consistent, by the fixed-point theorem of Kakutani, for g v_t <= 0 bounds g; were there none, g
 * = 0.
 *
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status
carom_variational_projection_find(carom_variational_projection *projection);

/** Normal impulses alone, g = 0, and their speeds. @return CAROM_OK; NOT_FINITE */
CAROM_MUST_CHECK carom_status
carom_variational_projection_release(carom_variational_projection *projection);

#endif
