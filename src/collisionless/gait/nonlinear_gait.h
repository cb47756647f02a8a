/** A collisionless gait of the armed biped with its exact geometry, continued from small angles. */
#ifndef CAROM_COLLISIONLESS_GAIT_NONLINEAR_GAIT_H
#define CAROM_COLLISIONLESS_GAIT_NONLINEAR_GAIT_H

#include <carom/base/attributes.h>
#include <carom/models/armed_biped.h>

CAROM_BEGIN_DECLARATIONS

/** Where the family begins: a harmonic gait, theta -> 0, even in single and odd in double support.
 */
typedef struct carom_gait_start {
    const double *position;  /**< [N] borrowed: x at P over theta, deviations from the equilibrium
                                on one foot (carom_armed_biped_linear), rad per rad */
    double time;             /**< tau > 0, s, from P to the landing */
    double constrained_time; /**< tau' > 0, s, from the landing to P' */
} carom_gait_start;

/** How the two-point problem is solved. */
typedef struct carom_gait_params {
    int segments;             /**< of single support, shot separately, >= 1; 12 */
    int constrained_segments; /**< of double support, >= 1; 3 */
    double integration_error; /**< of a step, in rad and rad over sqrt(l/g), and relative; 1e-13 */
    double residual;          /**< largest scaled residual of a solution, > 0; 1e-13 */
    int max_iterations;       /**< of Newton's method, >= 1; 10 */
} carom_gait_params;

/** The values above: errors grow at most about twentyfold in a segment up to the end of the unit
 * biped's family. */
carom_gait_params carom_gait_params_default(void);

/**
 * From symmetry point P, where all velocities vanish, in single support to the landing at tau, then
 * in double support to symmetry point P' at tau + tau'. Coordinates as in carom_armed_biped_params.
 * A quarter of the cycle; the rest follows by symmetry
 * (carom/collisionless/gait/gait_trajectory.h).
 */
typedef struct carom_nonlinear_gait {
    int coordinate_count;          /**< N */
    int segment_count;             /**< m, of equal duration tau/m */
    int constrained_segment_count; /**< m', of equal duration tau'/m' */
    double half_step_angle;        /**< theta, rad */
    double time;                   /**< tau, s */
    double constrained_time;       /**< tau', s */
    double energy;                 /**< kinetic and potential at P', the ground at height 0, J */
    double excess_energy;          /**< of it, above the equilibrium on one foot at this theta, J */
    double residual; /**< largest equation of the shooting: angles in rad, rates over sqrt(g/l),
                        torque of the landing over m_t g l; 1 */
    int iterations;  /**< Newton steps that it took */
    double *states; /**< [m + m' + 1][2N] rad, rad/s: q, v at the ends of the segments, P first, the
                       landing at m, P' last; owned */
} carom_nonlinear_gait;

/**
 * The gait with half step angle `biped->half_step_angle`, the first one of its family where the
 * angle turns round, by continuation from small angles.
 *
 * Unknown are q at P, tau and tau'; the leg lands with f = -theta, f' = 0, f'' = 0, and at P' every
 * other angle equals its mirror image: arm pi, torso 0. Solved by multiple shooting with the
 * variational equations and damped Newton iteration.
 *
 * @param[in]  biped  with an arm: without one there is no gait
 * @param[in]  start  the harmonic gait that the family begins with
 * @param[in]  params NULL: default
 * @param[out] out    belongs to the caller, to be freed by carom_nonlinear_gait_free; NULL on
 * failure
 * @param[out] report may be NULL
 * @return CAROM_OK; as carom_armed_biped_check; OUT_OF_RANGE ("arm", "tau", "constrained tau", a
 * parameter); NOT_FINITE; CONFLICT ("start position"): it is not that of a harmonic gait with these
 * times; NOT_CONVERGED: the family ends before the angle (report: "half step angle",
 * how far it was followed); SINGULAR; OUT_OF_MEMORY
 * Source: pankov-2024 section 6 for the harmonic limit; finite angles are our own.
 * Cost: some ten points of the family, each O((m + m')^3 N^3).
 */
CAROM_MUST_CHECK carom_status carom_nonlinear_gait_solve(const carom_armed_biped_params *biped,
                                                         const carom_gait_start *start,
                                                         const carom_gait_params *params,
                                                         carom_nonlinear_gait **out,
                                                         carom_report *report);

/** Free a gait; NULL is accepted. */
void carom_nonlinear_gait_free(carom_nonlinear_gait *gait);
CAROM_AUTO_TYPE(carom_nonlinear_gait)

CAROM_END_DECLARATIONS

#endif
