/** A biped of two rigidly joined legs that rocks from foot to foot under a standing torso of any
 * number of links with a hanging arm (pankov-2024 section 6), harmonic and exact. */
#ifndef CAROM_MODELS_ARMED_BIPED_H
#define CAROM_MODELS_ARMED_BIPED_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/**
 * Massless links with point masses at their ends. Both arrays go upwards: legs, torso links from
 * the hip, arm. The coordinates go the other way: [arm; top torso link; ..; bottom one; stance
 * leg], absolute angles in rad from the upward vertical, positive towards +x, so that a hanging arm
 * is at pi. N = torso_count + 1 + (1 with an arm). The stance foot is the origin, the ground is y =
 * 0, the other leg is turned by 2 theta: both feet stand if the stance leg is at -theta.
 */
typedef struct carom_armed_biped_params {
    int torso_count;       /**< K >= 0 links of the torso */
    bool has_arm;          /**< an arm hangs from the top of the torso; from the hip if K = 0 */
    const double *lengths; /**< [N] borrowed: leg, torso links from the hip up, arm, > 0, m */
    const double *masses;  /**< [N + 1] borrowed: one foot (>= 0), hip, tops of the torso links from
                              the hip up, hand (all > 0), kg */
    double gravity;        /**< g > 0, m/s2 */
    double half_step_angle; /**< theta, half the angle between the legs, in (0, pi/2), rad */
} carom_armed_biped_params;

/** One torso link and an arm, lengths 1 m, masses 1 kg, gravity 1 m/s2 (pankov-2024 section 6),
 * theta = 0.1 (figure 6). The arrays are static. */
carom_armed_biped_params carom_armed_biped_params_default(void);

/**
 * Refuse parameters that do not describe a biped. The feet may be massless; every other mass must
 * be positive, otherwise the mass matrix of the harmonic limit is singular (and that of the links
 * at collinear angles).
 *
 * @param[in]  params the biped
 * @param[out] report "torso count", "length" or "mass" with the index in the array, "gravity",
 * "half step angle", with the value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_armed_biped_check(const carom_armed_biped_params *params,
                                                      carom_report *report);

/** N, the number of coordinates: torso links, stance leg and arm. */
int carom_armed_biped_coordinate_count(const carom_armed_biped_params *params);

/** What the harmonic problem needs beside its matrices. */
typedef struct carom_armed_biped_statics {
    double lean;          /**< xi = theta m_f/(m_t - m_f), equilibrium angle of the leg, rad */
    double contact_level; /**< x_N^0 = -theta m_t/(m_t - m_f), leg with both feet down, rad */
    double contact_force; /**< F_N^0 = theta m_t g l, static torque of the ground on the leg, N m */
} carom_armed_biped_statics;

/**
 * Small motion x about the equilibrium on one foot, theta -> 0: m x'' + k x = e_N F_N with
 * m = sum_i mass_i h_i h_i', h_i = (0, .., 0, L_i, .., L_N) and k = -g diag(L_j sum_(i<=j) mass_i),
 * the arm's length counted negative. m_f and m_t: mass of both feet and of all, l: length of a leg.
 * On one foot x_N > x_N^0 and F_N = 0, on two x_N = x_N^0 and F_N >= 0.
 *
 * @param[in]  params      the biped, N >= 2
 * @param[out] mass        m [N][N] row-major, kg m2
 * @param[out] stiffness   k [N][N] row-major, diagonal, N m; all entries negative but the arm's
 * @param[out] equilibrium [N] absolute angles at x = 0: pi for the arm, 0 for the torso, xi; rad
 * @param[out] statics     of the contact
 * @param[out] report      as carom_armed_biped_check, or "coordinate count"; may be NULL
 * @return CAROM_OK; as carom_armed_biped_check; OUT_OF_RANGE if N < 2: nothing is left to move on
 * two feet. Then the outputs are NaN (if the torso count is negative, only the statics are written)
 * Source: pankov-2024 (44), (45) for one torso link, generalised to any lengths and numbers.
 * Cost: O(N^2).
 */
CAROM_MUST_CHECK carom_status carom_armed_biped_linear(const carom_armed_biped_params *params,
                                                       double *mass, double *stiffness,
                                                       double *equilibrium,
                                                       carom_armed_biped_statics *statics,
                                                       carom_report *report);

/**
 * The biped with its exact geometry, standing on one foot, and one plastic contact: the height
 * 2 l sin(theta) sin(f + theta) of the other foot, f the angle of the stance leg. The stance foot
 * neither slips nor lifts; carom_armed_biped_foot_forces tells what that takes. Initially it stands
 * on both feet at rest, the torso upright, the arm hanging.
 *
 * @param[in]  params the biped, copied
 * @param[out] out    belongs to the caller, to be freed by carom_model_free; NULL on failure
 * @param[out] report as carom_armed_biped_check; may be NULL
 * @return CAROM_OK; as carom_armed_biped_check; OUT_OF_MEMORY
 * Source: the Lagrangian of pankov-2024's figure 3; with M_jk = mu_jk L_j L_k cos(q_j - q_k), mu_jk
 * the mass that both links j and k carry, and the lifted foot's 4 m_0 l^2 sin^2(theta) on the leg.
 * When it lands, the foot moves vertically: the impact has one dimension exactly.
 * Cost: O(N^2) for each of M, f and their derivatives.
 */
CAROM_MUST_CHECK carom_status carom_armed_biped_alloc(const carom_armed_biped_params *params,
                                                      carom_model **out, carom_report *report);

/** N + 2, the number of places that carom_armed_biped_points gives. */
int carom_armed_biped_point_count(const carom_armed_biped_params *params);

/**
 * Places of the joints, for drawings: a polygon from the stance foot to the hand, then the other
 * foot, to be joined with the hip (point 1).
 *
 * @param[in]  params the biped, as checked
 * @param[in]  q      [N] absolute angles, rad
 * @param[out] points [N + 2][2] m: stance foot (the origin), hip, tops of the torso links upwards,
 * hand if there is an arm, other foot
 */
void carom_armed_biped_points(const carom_armed_biped_params *params, const double *q,
                              double *points);

/**
 * Reflect left and right and stand on the other foot: leg f -> -(f + 2 theta), torso b -> -b, arm
 * a -> 2 pi - a, velocities reversed. While both feet are down (f = -theta, at rest) this is the
 * same body seen from the other foot, with the same energies and forces, so that a gait goes on
 * from its image; the feet change places. With a foot in the air it is a mere change of angles.
 * Twice it is the identity, to rounding.
 *
 * @param[in]     params the biped, as checked
 * @param[in,out] q      [N] absolute angles, rad
 * @param[in,out] v      [N] rad/s
 */
void carom_armed_biped_mirror(const carom_armed_biped_params *params, double *q, double *v);

/** The forces of the ground; forces of the other foot vanish while it is in the air. */
typedef struct carom_armed_biped_forces {
    double contact_torque;  /**< F_N, generalised force of the contact on the leg, N m */
    double horizontal;      /**< of both feet, along +x, N; two feet share it in an unknown way */
    double vertical;        /**< of both feet, N */
    double stance_vertical; /**< of the stance foot, N */
    double other_vertical;  /**< of the other foot, N */
} carom_armed_biped_forces;

/**
 * The forces of the ground that go with a state and its accelerations: F_N = M_N. q'' - f_N, over
 * the lever 2 l sin(theta) cos(f + theta) the force on the other foot, and the momentum of all
 * masses for the totals. The feet stick and stay if both vertical forces are >= 0 and the friction
 * is at least |horizontal|/vertical (in double stance: needed, and enough if the feet share the
 * horizontal force as the vertical one).
 *
 * @param[in] params       the biped, as checked
 * @param[in] q            [N] absolute angles, rad; |f + theta| < pi/2
 * @param[in] v            [N] rad/s
 * @param[in] acceleration [N] rad/s2, of a free flight or with the leg held
 * @return the forces
 * Cost: O(N).
 */
carom_armed_biped_forces carom_armed_biped_foot_forces(const carom_armed_biped_params *params,
                                                       const double *q, const double *v,
                                                       const double *acceleration);

CAROM_END_DECLARATIONS

#endif
