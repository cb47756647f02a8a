/** The parts of exact gaits: equations of motion with derivatives, their flow, shooting, Newton,
 * continuation, sampling. */
#ifndef CAROM_COLLISIONLESS_GAIT_INTERNAL_H
#define CAROM_COLLISIONLESS_GAIT_INTERNAL_H

#include <carom/base/base.h>
#include <carom/base/linear_algebra.h>
#include <carom/collisionless/gait/rocking_motion.h>
#include <carom/models/armed_biped.h>

/* ------------------------------------------------------------------------------------ equations */
/* Internal: the exact biped for any half step angle, and how its motion changes with the state and
 * that angle. */

/**
 * The mechanism of a biped with massless feet, which does not depend on theta, and its own terms
 * for the lifted foot, which alone do: M_NN += m_0 d^2, V += m_0 g d sin(f + theta) with
 * d = 2 l sin(theta). In double support ("held") the leg keeps its angle: the last row and column
 * of M are those of the identity, its force is zero.
 */
typedef struct carom_gait_dynamics {
    int count;                      /**< N */
    carom_armed_biped_params biped; /**< arrays borrowed */
    carom_model *model;             /**< massless feet, owned */
    carom_factor *factor;           /**< of M, owned */
    double total_mass;              /**< m_t, kg */
    double time_unit;               /**< sqrt(l/g), l the length of a leg, s */
    double *M;                      /**< [N][N] owned, as are the following */
    double *K;                      /**< [N][N] */
    double *C;                      /**< [N][N] */
    double *D;                      /**< [N][N] */
    double *a;                      /**< [N] */
    double *f;                      /**< [N] */
    double *work; /**< [(2N + 1) 4N] of the functions about the landing, and of callers */
} carom_gait_dynamics;

/** Directions in which the variations are taken: q, v, theta. */
static inline int carom_gait_direction_count(int N) {
    return 2 * N + 1;
}

/** @return CAROM_OK; as carom_armed_biped_check (the half step angle included); OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_dynamics_alloc(const carom_armed_biped_params *biped,
                                                        carom_gait_dynamics **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_gait_dynamics_free(carom_gait_dynamics *dynamics);
CAROM_AUTO_TYPE(carom_gait_dynamics)

/**
 * a = M^-1 f; in double support a_N = 0 and the other rows alone hold.
 *
 * @param[in]  theta   half step angle, rad
 * @param[in]  is_held double support
 * @param[in]  state   [2N] q, v in rad, rad/s
 * @param[out] a       [N] rad/s2
 * @return CAROM_OK; SINGULAR, NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_gait_dynamics_acceleration(carom_gait_dynamics *dynamics,
                                                               double theta, bool is_held,
                                                               const double *state, double *a);

/**
 * The variational equations at the state of the last call of carom_gait_dynamics_acceleration with
 * the same arguments: M da = -(d(M a)/dq + K) dq - C dv + d(f - M a)/dtheta dtheta.
 *
 * @param[in]  a          [N] from that call
 * @param[in]  count      directions
 * @param[in]  directions [count][2N] dq, dv
 * @param[in]  with_angle the last direction is that of theta: dtheta = 1 there; 0 in all others
 * @param[out] rates      [count][2N] dv, da; not `directions`
 */
void carom_gait_dynamics_variation(carom_gait_dynamics *dynamics, double theta, bool is_held,
                                   const double *state, const double *a, int count,
                                   const double *directions, bool with_angle, double *rates);

/**
 * The landing condition F_N/(m_t g l) in double support, and its derivatives. F_N = 0 there is the
 * same as f'' = 0 for the free leg.
 *
 * @param[in]  state    [2N], leg at -theta and at rest
 * @param[out] torque   1
 * @param[out] gradient [2N + 1] by q, v and theta, each with the others held
 * @return CAROM_OK; SINGULAR, NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_gait_dynamics_landing_torque(carom_gait_dynamics *dynamics,
                                                                 double theta, const double *state,
                                                                 double *torque, double *gradient);

/**
 * How the free leg's acceleration changes along the motion, and how a torque on it changes it.
 *
 * @param[out] jerk         f''', rad/s3
 * @param[out] inverse_mass (M^-1)_NN, 1/(kg m2)
 * @return CAROM_OK; SINGULAR, NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_gait_dynamics_leg_jerk(carom_gait_dynamics *dynamics,
                                                           double theta, const double *state,
                                                           double *jerk, double *inverse_mass);

/** Kinetic and potential energy, J. */
double carom_gait_dynamics_energy(carom_gait_dynamics *dynamics, double theta, const double *state);

/** Potential energy of the equilibrium on one foot: arm hanging, torso upright, the leg leaning by
 * xi, tan xi = m_0 sin(2 theta)/(m_t - 2 m_0 + 2 m_0 sin^2 theta); J. */
double carom_gait_dynamics_equilibrium_energy(carom_gait_dynamics *dynamics, double theta);

/* ----------------------------------------------------------------------------------------- flow */
/* Internal: the motion of the biped over a time, and how its end changes with its beginning. */

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

/* ------------------------------------------------------------------------------------- shooting */
/* Internal: the two-point problem of a collisionless gait as equations, and their solution. */

/**
 * Multiple shooting with m segments in single and m' in double support. Unknowns u [U], U =
 * 2N m + (2N - 2) m' - N + 3: q at P, where v = 0; q, v at the beginnings of the following segments
 * of single support; without the leg, which has q_N = -theta, v_N = 0, at the landing and at the
 * beginnings of the other segments of double support; tau, tau', theta. Equations [U - 1]: every
 * segment ends where the next one begins; F_N = 0 at the landing; the angles at P' are their own
 * mirror images.
 */
typedef struct carom_gait_shooting {
    carom_gait_dynamics *dynamics; /**< owned */
    carom_gait_flow *flow;         /**< owned */
    carom_gait_params params;
    int count;            /**< U */
    double *weight;       /**< [U] squares of the metric of arclength, owned with what follows */
    double *residual;     /**< [U] of the last evaluation, scaled; last entry 0 */
    double *matrix;       /**< [U][U] its derivative; the last row is for a condition on the step */
    double *step;         /**< [U] */
    double *trial;        /**< [U] */
    double *sensitivity;  /**< [2N + 1][2N] */
    double *state;        /**< [2N] */
    double *next;         /**< [2N] */
    double *rate;         /**< [2N] */
    carom_factor *factor; /**< of the matrix, owned */
    double norm;          /**< of the last residual, Euclidean */
    double largest;       /**< of the last residual, maximum */
    int iterations;       /**< of the last solution */
} carom_gait_shooting;

/** @return CAROM_OK; as carom_armed_biped_check; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_shooting_alloc(const carom_armed_biped_params *biped,
                                                        const carom_gait_params *params,
                                                        carom_gait_shooting **out,
                                                        carom_report *report);

/** Free; NULL is accepted. */
void carom_gait_shooting_free(carom_gait_shooting *shooting);
CAROM_AUTO_TYPE(carom_gait_shooting)

/**
 * Unknowns of a gait of small half step angle: the linear equations about the upright equilibrium,
 * solved at all segments together, so that growth along the motion does no harm.
 *
 * @param[in]  start  of the family
 * @param[in]  theta  half step angle, rad
 * @param[out] u      [U]
 * @param[out] report of a conflict; may be NULL
 * @return CAROM_OK; CONFLICT ("start position", the relative difference) if the harmonic motion
 * with these times is another one; SINGULAR, NOT_FINITE, NOT_CONVERGED (integration)
 */
CAROM_MUST_CHECK carom_status carom_gait_shooting_guess(carom_gait_shooting *shooting,
                                                        const carom_gait_start *start, double theta,
                                                        double *u, carom_report *report);

/**
 * Residual and its derivative at u.
 * @return CAROM_OK; OUT_OF_RANGE (tau or tau' not positive, theta negative); SINGULAR, NOT_FINITE,
 * NOT_CONVERGED (integration)
 */
CAROM_MUST_CHECK carom_status carom_gait_shooting_evaluate(carom_gait_shooting *shooting,
                                                           const double *u);

/** State [2N] at the beginning of segment k = 0 .. m + m' - 1. */
void carom_gait_shooting_state(const carom_gait_shooting *shooting, const double *u, int k,
                               double *state);

/* --------------------------------------------------------------------------------------- Newton */
/* Internal: solutions of the equations of a gait, and the direction of their family. */

/**
 * Correct u until every equation holds, by damped Newton steps with row . step = 0. The residual
 * and matrix are then those of the solution.
 *
 * @param[in]     row [U] normal of the plane that u stays in
 * @param[in,out] u   [U] guess, then solution; the last iterate on failure
 * @return CAROM_OK; NOT_CONVERGED; SINGULAR; as carom_gait_shooting_evaluate
 */
CAROM_MUST_CHECK carom_status carom_gait_newton_solve(carom_gait_shooting *shooting,
                                                      const double *row, double *u);

/**
 * Direction of the family at the solution of the last evaluation, of length one in the metric.
 *
 * @param[in]  row     [U] the direction makes row . tangent > 0
 * @param[out] tangent [U]
 * @return CAROM_OK; SINGULAR, NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_gait_newton_tangent(carom_gait_shooting *shooting,
                                                        const double *row, double *tangent);

/* --------------------------------------------------------------------------------- continuation */
/* Internal: a walk along the family of gaits. */

/** The last two points of the family and its directions there. */
typedef struct carom_gait_continuation {
    carom_gait_shooting *shooting; /**< owned */
    double *point;                 /**< [U] a solution; owned with what follows */
    double *tangent;               /**< [U] in the direction of travel */
    double *last_point;            /**< [U] */
    double *last_tangent;          /**< [U] */
    double *guess;                 /**< [U] */
    double *guess_tangent;         /**< [U] */
    double *row;                   /**< [U] */
    double length;                 /**< of the last step, 0 before the first */
    double arclength;              /**< from the first point */
    double residual;               /**< of the point, largest */
    int iterations;                /**< Newton steps to the point */
} carom_gait_continuation;

/** Refuse parameters out of range. @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_gait_params_check(const carom_gait_params *params,
                                                      carom_report *report);

/** Refuse what is no start for a biped with an arm. @return CAROM_OK; OUT_OF_RANGE, NOT_FINITE */
CAROM_MUST_CHECK carom_status carom_gait_start_check(const carom_armed_biped_params *biped,
                                                     const carom_gait_start *start,
                                                     carom_report *report);

/** @return CAROM_OK; as carom_armed_biped_check; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_continuation_alloc(const carom_armed_biped_params *biped,
                                                            const carom_gait_params *params,
                                                            carom_gait_continuation **out,
                                                            carom_report *report);

/** Free; NULL is accepted. */
void carom_gait_continuation_free(carom_gait_continuation *path);
CAROM_AUTO_TYPE(carom_gait_continuation)

/** The first point, at a half step angle; the direction is that of growing angle.
 * @return CAROM_OK; CONFLICT (reported); NOT_CONVERGED, SINGULAR, NOT_FINITE, OUT_OF_RANGE */
CAROM_MUST_CHECK carom_status carom_gait_continuation_begin(carom_gait_continuation *path,
                                                            const carom_gait_start *start,
                                                            double theta, carom_report *report);

/**
 * The next point, `length` along a parabola through the last two directions; the point stays on a
 * failure. A point is refused where the direction has turned by more than about 37 degrees.
 * @return CAROM_OK; NOT_CONVERGED, SINGULAR, NOT_FINITE, OUT_OF_RANGE
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_step(carom_gait_continuation *path,
                                                           double length);

/**
 * The next point by a step of at most `max_step`, halved until it leads to a solution.
 *
 * @param[in]     min_step least step that is tried
 * @param[in]     max_step largest
 * @param[in,out] step     to be tried; on return the next one to try
 * @return CAROM_OK; NOT_CONVERGED: none does
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_advance(carom_gait_continuation *path,
                                                              double min_step, double max_step,
                                                              double *step);

/**
 * Replace the point, beyond theta, by the one at theta, between the last two.
 * @return CAROM_OK; NOT_CONVERGED, SINGULAR, NOT_FINITE, OUT_OF_RANGE; the point stays
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_return_to_angle(carom_gait_continuation *path,
                                                                      double theta);

/** Half step angle of the point, rad. */
double carom_gait_continuation_angle(const carom_gait_continuation *path);

/** 1 if theta grows along the family at the point, -1 if it falls. */
int carom_gait_continuation_direction(const carom_gait_continuation *path);

/** Numbers in the states of a gait, (m + m' + 1) 2N. */
size_t carom_gait_continuation_state_size(const carom_gait_continuation *path);

/** tau of the point, s. */
double carom_gait_continuation_time(const carom_gait_continuation *path);

/** Angle between the arm at P and the upper vertical, rad: pi where it hangs. */
double carom_gait_continuation_arm_reach(const carom_gait_continuation *path);

/**
 * Fill a gait, whose states are there, from the point.
 * @return CAROM_OK; SINGULAR, NOT_CONVERGED (integration to P')
 */
CAROM_MUST_CHECK carom_status carom_gait_continuation_store(carom_gait_continuation *path,
                                                            carom_nonlinear_gait *gait);

/* ------------------------------------------------------------------------------------- sampling */
/* Internal: samples of a gait into memory that is there. */

/** A trajectory of n samples, all zero. @return CAROM_OK; OUT_OF_MEMORY */
CAROM_MUST_CHECK carom_status carom_gait_trajectory_alloc(int coordinate_count, int count,
                                                          carom_gait_trajectory **out);

/**
 * Sample the first quarter of a gait, anew from the beginning of each segment.
 *
 * @param[in,out] flow       of the biped
 * @param[in]     gait       of the same biped
 * @param[in]     intervals  between P and the landing; the rest of the samples between it and P'
 * @param[in,out] trajectory of more than intervals + 1 samples, overwritten
 * @return CAROM_OK; SINGULAR, NOT_FINITE, NOT_CONVERGED (integration)
 */
CAROM_MUST_CHECK carom_status carom_gait_trajectory_fill(carom_gait_dynamics *dynamics,
                                                         carom_gait_flow *flow,
                                                         const carom_nonlinear_gait *gait,
                                                         int intervals,
                                                         carom_gait_trajectory *trajectory);

/* ------------------------------------------------------------------------------------ the start */

/**
 * Modes, impact times and configuration at P of a biped as theta -> 0.
 *
 * @param[in]  biped    with an arm; its half step angle is not used
 * @param[in]  column   n >= 2: half oscillations of single support, the paper's solution has 2
 * @param[in]  row      r >= 0: 0 is the realizable one
 * @param[out] position [N] x at P over theta; NaN on failure
 * @param[out] start    of the family; borrows `position`; times NaN on failure
 * @param[out] report   may be NULL
 * @return CAROM_OK; as carom_armed_biped_linear, carom_phase_modes_compute,
 * carom_impact_roots_cell and carom_collisionless_motion_compute; OUT_OF_RANGE ("arm"); CONFLICT
 * ("decoupled modes") if some of the body cannot move with the leg
 * Source: pankov-2024 section 6 and appendix E. Cost: O(N3).
 */
CAROM_MUST_CHECK carom_status carom_harmonic_start_compute(const carom_armed_biped_params *biped,
                                                           int column, int row, double *position,
                                                           carom_gait_start *start,
                                                           carom_report *report);

/* ----------------------------------------------------------------------------------- simulation */

/** A state with both feet down, seen from the other foot: q, v [N]. */
void carom_rocking_motion_mirror(const carom_rocking_motion *motion, double *q, double *v);

#endif
