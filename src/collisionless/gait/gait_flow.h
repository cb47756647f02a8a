/** Internal: the motion of the biped over a time, and how its end changes with its beginning. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_FLOW_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_FLOW_H

#include <carom/base/base.h>
#include <carom/collisionless/gait/gait_dynamics.h>

/** An integrator for one biped, with and without its variational equations. */
typedef struct carom_gait_flow carom_gait_flow;

/**
 * @param[in]  dynamics borrowed
 * @param[in]  error    of a step, absolute (rad, rad/s) and relative
 * @param[out] out      belongs to the caller, to be freed by carom_gait_flow_free; NULL on failure
 * @return CAROM_OK; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_gait_flow_alloc(carom_gait_dynamics *dynamics, double error,
                                                    carom_gait_flow **out);

/** Free; NULL is accepted. */
void carom_gait_flow_free(carom_gait_flow *flow);
CAROM_AUTO_TYPE(carom_gait_flow)

/**
 * Move a state on by some time, by Dormand and Prince's method of order 8; GSL's, as it is.
 *
 * @param[in]     theta         half step angle, rad
 * @param[in]     is_held       double support: the leg keeps its angle
 * @param[in]     duration      >= 0, s
 * @param[in,out] state         [2N] q, v; the last one reached on failure
 * @param[out]    sensitivities [2N + 1][2N]: row i the derivative of the end by entry i of the
 * beginning, the last one by theta with the beginning held; NULL: not computed
 * @return CAROM_OK; SINGULAR, NOT_FINITE (mass matrix); NOT_CONVERGED if the step becomes too small
 * Cost: about 13 evaluations of the equations per step; the error of the state alone decides its
 * length.
 */
CAROM_MUST_CHECK carom_status carom_gait_flow_advance(carom_gait_flow *flow, double theta,
                                                      bool is_held, double duration, double *state,
                                                      double *sensitivities);

#endif
