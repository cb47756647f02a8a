/** Internal: the exact biped for any half step angle, and how its motion changes with the state and
 * that angle. */
#ifndef CAROM_COLLISIONLESS_GAIT_GAIT_DYNAMICS_H
#define CAROM_COLLISIONLESS_GAIT_GAIT_DYNAMICS_H

#include <carom/base/base.h>
#include <carom/base/factor.h>
#include <carom/models/armed_biped.h>

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

/** f_N - M_N. a, the torque that the leg lacks, N m: minus that of the landing foot. */
double carom_gait_dynamics_leg_torque(carom_gait_dynamics *dynamics, double theta,
                                      const double *state, const double *a);

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

#endif
