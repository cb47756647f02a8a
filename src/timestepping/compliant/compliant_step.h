/** Internal: one step of a compliant system within its present laws, and the states inside it. */
#ifndef CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_STEP_H
#define CAROM_TIMESTEPPING_COMPLIANT_COMPLIANT_STEP_H

#include <carom/timestepping/compliant/compliant_system.h>
#include <carom/timestepping/compliant/radau.h>

/** A step and its work memory; s stages, p = n + m (1 + t) rows of derivatives. */
typedef struct carom_compliant_step {
    carom_compliant_system *system; /**< borrowed */
    carom_radau radau;
    double time;   /**< at the beginning, s */
    double length; /**< h, s */

    double *start;        /**< [size] y at the beginning */
    double *start_rate;   /**< [size] y' there */
    double *start_slopes; /**< [p][2 n] derivatives there */
    double *stage;        /**< [s][size] y at the nodes; the last one ends the step */
    double *stage_rate;   /**< [s][size] y' of the collocation polynomial there */

    double *law_rate;      /**< [s][size] y' by the laws at the stages */
    double *stage_slopes;  /**< [s][p][2 n] */
    double *newton_matrix; /**< [s n][s n] 1 - h A x dv'/dv - h^2 A A x dv'/dq */
    double *change;        /**< [s n] of the stage accelerations */
    double *stage_change;  /**< [s][2 n] what this makes of position and velocity */
    carom_factor *newton;

    double *damping_matrix; /**< [n][n] 1 - h c_1 dv'/dv - (h c_1)^2 dv'/dq at the beginning */
    double *error;          /**< [size] estimated */
    double *moved;          /**< [size] scratch */
    carom_factor *damping;

    long force_evaluations;
    long jacobian_evaluations;
    double *memory; /**< owns the numbers */
} carom_compliant_step;

/** Allocate for a system (borrowed). @return CAROM_OK; OUT_OF_MEMORY, to be cleared nevertheless */
CAROM_MUST_CHECK carom_status carom_compliant_step_init(carom_compliant_step *step,
                                                        carom_compliant_system *system);

/** Free; a zeroed struct is accepted. */
void carom_compliant_step_clear(carom_compliant_step *step);

/** Steps are to begin at time t with the state y [size]. @return CAROM_OK; SINGULAR; NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_compliant_step_begin(carom_compliant_step *step, double t,
                                                         const double *y);

/**
 * Try a step: y' of a polynomial of degree s - 1 agrees with the laws at the nodes. Newton's
 * iteration for the stage accelerations, with the derivatives of each stage; the positions follow
 * from the velocities, the impulses from both.
 *
 * @param[in,out] step   after a beginning; any number of steps may be tried from it
 * @param[in]     h      > 0, s
 * @param[in]     weight [size] > 0 tolerated errors of y
 * @param[out]    error  largest estimated error over its weight: the defect of the polynomial at
 *                       the beginning, over the time to the first node, damped where it is stiff
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; NOT_FINITE
 * Source: Hairer and Wanner, Solving ordinary differential equations II, section IV.8.
 */
CAROM_MUST_CHECK carom_status carom_compliant_step_try(carom_compliant_step *step, double h,
                                                       const double *weight, double *error);

/** State y [size] after a part x in [0, 1] of the last step tried. */
void carom_compliant_step_state(const carom_compliant_step *step, double x, double *y);

#endif
