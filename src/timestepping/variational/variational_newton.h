/** Internal: Newton's method on the equations of a variational step, modes given. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_NEWTON_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_NEWTON_H

#include <carom/base/minimum_norm.h>
#include <carom/timestepping/variational/variational_equations.h>

/**
 * The matrix J of the momentum by v, factored once for all combinations, and the small matrix S of
 * the contact rows: m normal ones, then m t tangential ones. n coordinates, N = m + m t.
 */
typedef struct carom_variational_newton {
    carom_variational_equations *equations; /**< borrowed */
    carom_variational_step_params params;
    int row_count;   /**< N */
    bool is_fresh;   /**< the iterate is v_k without impulses, evaluated */
    bool is_spoiled; /**< the matrices are those of an iteration that failed */

    double *jacobian;      /**< [n][n] J */
    double *rows;          /**< [N][n] derivative by v of gap rates and sliding */
    double *responses;     /**< [N][n] J^-1 of normals G(q_k) and tangents H(q_m) */
    double *compliance;    /**< [N][N] rows times responses, 1/kg */
    double *length;        /**< [N] sqrt of the diagonal of S, at v_k; 1 where it is zero */
    double *position_size; /**< [n] (h/2) |K| |q|: what rounding of q makes of the load */
    double *sliding_size;  /**< [m t] |d(H v)/dq| |q|: what rounding of q makes of the sliding */
    double momentum_norm;  /**< |p_k| + |(h/2) F| in the kinetic metric, kg^1/2 m/s */

    int iterations;           /**< of all combinations since the beginning of the step */
    double residual;          /**< of the last combination, of the sum of the sizes of its terms */
    carom_factor *factor;     /**< of J */
    carom_minimum_norm *dual; /**< of the rows of a combination, N x N */
    double *reduced;          /**< [N][N] S of the combination, identity rows where inactive */
    double *right;            /**< [N] */
    double *increment;        /**< [n] */
    double *probe;            /**< [n] */
    double *memory;           /**< owns the numbers */
} carom_variational_newton;

/** Allocate; the equations are borrowed. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_variational_newton_init(
    carom_variational_newton *newton, carom_variational_equations *equations,
    const carom_variational_step_params *params);

/** Free; a zeroed struct is accepted. */
void carom_variational_newton_clear(carom_variational_newton *newton);

/**
 * After carom_variational_equations_begin: matrices at v_k, scales, and the gaps aimed at.
 *
 * J = M(q_k) + (h/2) C + (h^2/4) K: of the derivative of (h/2) F - M(q_m) v the terms with D cancel
 * and M(q_m) - (h/2) dM/dt is M(q_k), all up to h^2 times second derivatives of M.
 *
 * @return CAROM_OK; SINGULAR: J; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_newton_begin(carom_variational_newton *newton,
                                                             carom_report *report);

/**
 * Solve for the modes in the equations, from v_k without impulses. The matrices are kept as long as
 * an iteration gains a digit; then J is taken by differences at the iterate. Rows that depend on
 * each other share impulses of minimum norm. If at the end the change of a gap is not what G v made
 * of it, the gap itself is used and all begins anew. Iterates ten times faster than the momentum of
 * the step are given up: equations of long steps have roots that are no motion.
 *
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_newton_solve(carom_variational_newton *newton);

/** What Newton's method may leave of a gap at its rounding floor, in the units of the gap. */
double carom_variational_newton_gap_floor(const carom_variational_newton *newton, int contact);

#endif
