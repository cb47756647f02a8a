/** Internal: collocation at the nodes of Radau, the implicit Runge-Kutta method IIA of 7 stages. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_RADAU_H
#define CAROM_TIMESTEPPING_COMPLIANT_RADAU_H

/** Stages s: order 2 s - 1 at the end of a step, s within it; stiff components are damped out. */
enum { CAROM_RADAU_STAGES = 7 };

/** Nodes c_i in (0, 1], the last one 1: the zeros of P_s - P_(s-1) on [0, 1]. */
extern const double carom_radau_nodes[CAROM_RADAU_STAGES];

/** Coefficients, with l_j the Lagrange polynomials of the nodes. */
typedef struct carom_radau {
    double A[CAROM_RADAU_STAGES][CAROM_RADAU_STAGES];  /**< integral of l_j from 0 to c_i */
    double AA[CAROM_RADAU_STAGES][CAROM_RADAU_STAGES]; /**< A A */
    double at_start[CAROM_RADAU_STAGES];               /**< l_j(0) */

    double legendre[CAROM_RADAU_STAGES][CAROM_RADAU_STAGES]; /**< [k][j]: l_j is the sum over k of
                                                                this times P_k on [0, 1] */
} carom_radau;

/** Fill the coefficients. Source: Hairer and Wanner, Solving ordinary differential equations II,
 * section IV.5. */
void carom_radau_init(carom_radau *radau);

/**
 * Integrals of l_j from 0 to x: after a part x of a step of length h from y, with stage rates f_j,
 * the state is y + h sum_j w_j f_j.
 *
 * @param[in]  x       in [0, 1]
 * @param[out] weights [s] w_j
 */
void carom_radau_weights(const carom_radau *radau, double x, double *weights);

#endif
