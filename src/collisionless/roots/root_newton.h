/** Internal: bordered Newton iteration for the impact times, and the ball in which its root is
 * alone.
 */
#ifndef CAROM_COLLISIONLESS_ROOTS_ROOT_NEWTON_H
#define CAROM_COLLISIONLESS_ROOTS_ROOT_NEWTON_H

#include <carom/base/base.h>
#include <carom/collisionless/motion/impact_matrix.h>
#include <carom/collisionless/roots/impact_roots.h>

/** Work memory of the iteration for one impact matrix. */
typedef struct carom_root_newton carom_root_newton;

/**
 * @param[in]  matrix borrowed; its scratch memory is used
 * @param[out] out    belongs to the caller, to be freed by carom_root_newton_free
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_root_newton_alloc(carom_impact_matrix *matrix,
                                                      carom_root_newton **out);

/** Free work memory; NULL is accepted. */
void carom_root_newton_free(carom_root_newton *newton);
CAROM_AUTO_TYPE(carom_root_newton)

/**
 * Solve Z u = 0, a'u = 1 for (tau, tau', u), a the null vector at the guess; quadratic convergence.
 *
 * @param[in,out] newton           work memory
 * @param[in]     time             guess of tau, s, > 0
 * @param[in]     constrained_time guess of tau', s, > 0
 * @param[out]    root             without column and row (0, -1); NaN on failure
 * @param[out]    report           residual and iterations of a failure; may be NULL
 * @return CAROM_OK; NOT_CONVERGED, also where a time leaves the positive numbers. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_root_newton_polish(carom_root_newton *newton, double time,
                                                       double constrained_time,
                                                       carom_impact_root *root,
                                                       carom_report *report);

/**
 * Radius of a ball around a root that holds no other, in units of 1/kappa, distances in (tau,
 * tau'); 0 if none can be shown.
 *
 * Let q_0 be the null vector at the root, A the derivative of Z q by (tau, tau', q orthogonal to
 * q_0) with smallest singular value s, s_2 the second smallest one of Z. A root at the distance d
 * has a null vector q_0 + p with |p| <= t = R d / sqrt(s_2^2 - R^2 d^2), R the rates' norm, and s d
 * <= K d^2/2 + R d t, K a bound of the second derivatives. Where that fails for all smaller d,
 * there is none.
 *
 * @param[in,out] newton work memory
 * @param[in]     root   polished
 * @return radius, 1
 */
double carom_root_newton_solitary_radius(carom_root_newton *newton, const carom_impact_root *root);

/**
 * A multiple root: A has lost its rank, so that Z u is zero to rounding along a piece of a curve.
 * Newton's iteration for the same unknowns, but for the direction that A has lost, leads from a
 * guess across to it; the piece must end on both sides.
 *
 * @param[in,out] newton           work memory
 * @param[in]     time             guess of tau, s, > 0
 * @param[in]     constrained_time guess of tau', s, > 0
 * @param[in]     reach            half the length that the piece may have, in units of 1/kappa
 * @param[out]    root             on the piece, as of carom_root_newton_polish
 * @return whether there is one next to the guess; not on a longer curve
 */
bool carom_root_newton_polish_singular(carom_root_newton *newton, double time,
                                       double constrained_time, double reach,
                                       carom_impact_root *root);

#endif
