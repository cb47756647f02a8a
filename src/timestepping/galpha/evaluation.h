/** Internal: a mechanism evaluated at one iterate, absent parts read as zero. */
#ifndef CAROM_TIMESTEPPING_GALPHA_EVALUATION_H
#define CAROM_TIMESTEPPING_GALPHA_EVALUATION_H

#include <carom/mechanism/mechanism.h>

/** Buffers and last values; [layout] matrices, n coordinates, m constraints. */
typedef struct carom_evaluation {
    const carom_mechanism *mechanism;
    int n;
    int m;
    double *mass;       /**< [layout] M(q) */
    double *stiffness;  /**< [layout] see the functions */
    double *damping;    /**< [layout] C */
    double *derivative; /**< [layout] scratch of directional derivatives */
    double *force;      /**< [n] f */
    double *constraint; /**< [m] g */
    double *jacobian;   /**< [m][n] G */
    double *rates;      /**< [m][n] d(G v)/dq */
    double *multiplier; /**< [m] scratch: masked multipliers */
    double *coordinate; /**< [n] scratch */
    double *memory;     /**< owns all */
} carom_evaluation;

/** Allocate for a mechanism (borrowed). @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_evaluation_init(carom_evaluation *evaluation,
                                                    const carom_mechanism *mechanism);

/** Free; a zeroed evaluation is accepted. */
void carom_evaluation_clear(carom_evaluation *evaluation);

/** Fill constraint [m] = g(q). */
void carom_evaluation_constraints(carom_evaluation *evaluation, const double *q);

/** Fill mass, force, constraint and jacobian at (q, v, t). */
void carom_evaluation_point(carom_evaluation *evaluation, double t, const double *q,
                            const double *v);

/**
 * matrix += sign d(M(q) a - G' lambda)/dq, lambda masked by `active` (NULL: all rows below
 * `count`).
 *
 * @param[in,out] evaluation scratch
 * @param[in]     q          [n]
 * @param[in]     a          [n] acceleration, U or W
 * @param[in]     lambda     [m]
 * @param[in]     active     [m]; rows that are false count as zero
 * @param[in,out] matrix     [layout]
 */
void carom_evaluation_add_inertia_derivative(carom_evaluation *evaluation, const double *q,
                                             const double *a, const double *lambda,
                                             const bool *active, double *matrix);

/** Fill stiffness = -df/dq and damping = -df/dv at (q, v, t); absent ones become zero. */
void carom_evaluation_tangents(carom_evaluation *evaluation, double t, const double *q,
                               const double *v);

/** Fill rates = d(G(q) v)/dq, zero for affine constraints; returns false if zero. */
bool carom_evaluation_rate_derivative(carom_evaluation *evaluation, const double *q,
                                      const double *v);

/** Row j of the last Jacobian, [n]. */
const double *carom_evaluation_row(const carom_evaluation *evaluation, int j);

/** Row j of the last Jacobian times x [n]. */
double carom_evaluation_rate(const carom_evaluation *evaluation, int j, const double *x);

#endif
