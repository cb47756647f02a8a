/** Internal: the second half of the impulses of a variational step, which makes its end tangent to
 * the held contacts. */
#ifndef CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_PROJECTION_H
#define CAROM_TIMESTEPPING_VARIATIONAL_VARIATIONAL_PROJECTION_H

#include <carom/timestepping/variational/variational_newton.h>

/**
 * Normal impulses kappa of held contacts along G(q_{k+1}), and g of their rows with friction along
 * H(q_m), in rows of unit length in the metric M(q_{k+1}). N = m + m t as in Newton's method; a row
 * that is not used has the identity in the matrix.
 */
typedef struct carom_variational_projection {
    const carom_variational_newton *newton; /**< borrowed */

    carom_variational_mode *mode; /**< [m t] at the end; RELEASED: g = 0 */
    bool is_near_first;           /**< dependent rows share their load as near as possible to the
                                     first half; else by least norm */
    double tolerance;             /**< of impulses and speeds in unit rows, kg^1/2 m/s */
    double *rows;                 /**< [N][n] G(q_{k+1}); H(q_{k+1}) of rows that stick at the
                                     midpoint, H(q_m) of those that slide */
    double *responses;            /**< [N][n] M^-1 of G(q_{k+1}) and H(q_m) */
    double *length;               /**< [N] sqrt(row response'), 1 where it is zero */
    double *compliance;           /**< [N][N] rows times responses, unit rows */
    double *reduced;              /**< [N][N] of the end modes, identity rows where unused */
    double *rate;                 /**< [N] unit rows times velocity, without impulses */
    double *impulse;              /**< [N] along unit rows */
    double *speed;                /**< [N] unit rows times velocity, with them */
    double *change;               /**< [n] scratch, of the velocity */
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
 * Impulses and speeds such that G(q_{k+1}) v = 0, rows that slide at the midpoint have g = -mu
 * max(kappa, 0) sign(v_t), and those that stick there H(q_{k+1}) v = 0, |g| <= mu max(kappa, 0);
 * one that needs more slides at the end, g = -mu kappa sign(H v). At first all rows go on as at the
 * midpoint, and each combination proposes the next; if that does not settle, all are tried in
 * order, up to 4096. Dependent rows share their load by least norm; where a contact would then
 * pull, as near as possible to the first half, if that spares it. Where rows that stick are
 * independent and h is short one is consistent, by the fixed-point theorem of Kakutani, for g H v
 * <= 0 bounds g, unless sliding rows jam as Painleve's do; were there none, g = 0.
 *
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status
carom_variational_projection_find(carom_variational_projection *projection);

/**
 * The kinetic energy that f in the place of g of the rows that stick would leave over, normal
 * speeds kept at zero: the sum of (f - g) H(q_m) times the mean of the two velocities. Spoils
 * impulses and speeds.
 *
 * @param[in]  v      [n] at the end, with the impulses of the projection
 * @param[in]  g      [m t] N s
 * @param[out] energy J
 * @return CAROM_OK; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_variational_projection_compare(
    carom_variational_projection *projection, const double *v, const double *g, double *energy);

#endif
