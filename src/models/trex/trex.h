/** The planar tailed biped TREX that is dropped and runs off (seghete-2014 section VII-B, figures 1
 * and 6, table I). */
#ifndef CAROM_MODELS_TREX_TREX_H
#define CAROM_MODELS_TREX_TREX_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The coordinates q. Angles are positive counterclockwise; those of joints are relative. */
enum {
    CAROM_TREX_X,          /**< x of the anterior body's centre, cm */
    CAROM_TREX_Y,          /**< y of it, the floor being y = 0, cm */
    CAROM_TREX_PITCH,      /**< theta, from +x to the posterior body's centre, rad */
    CAROM_TREX_LEFT_HIP,   /**< phi_L, rad */
    CAROM_TREX_LEFT_KNEE,  /**< gamma_L, rad */
    CAROM_TREX_RIGHT_HIP,  /**< phi_R, rad */
    CAROM_TREX_RIGHT_KNEE, /**< gamma_R, rad */
    CAROM_TREX_BODY_JOINT, /**< phi_T, rad */
    CAROM_TREX_COORDINATES /**< how many */
};

/** The contacts with the floor. */
enum {
    CAROM_TREX_LEFT_FOOT,
    CAROM_TREX_RIGHT_FOOT,
    CAROM_TREX_TAIL_TIP,
    CAROM_TREX_CONTACTS /**< how many */
};

/** The links, each turning as one: e(alpha_a) = (cos alpha_a, sin alpha_a) points along link a. */
enum {
    CAROM_TREX_ANTERIOR,    /**< alpha_0 = theta; from the hips to the body joint */
    CAROM_TREX_LEFT_UPPER,  /**< alpha_1 = theta + phi_L */
    CAROM_TREX_LEFT_LOWER,  /**< alpha_2 = alpha_1 + gamma_L */
    CAROM_TREX_RIGHT_UPPER, /**< alpha_3 = theta + phi_R */
    CAROM_TREX_RIGHT_LOWER, /**< alpha_4 = alpha_3 + gamma_R */
    CAROM_TREX_POSTERIOR,   /**< alpha_5 = theta + phi_T; the tail is rigidly joined */
    CAROM_TREX_LINKS        /**< how many */
};

/** How the length of the tail follows from the radii. */
typedef enum carom_trex_tail {
    CAROM_TREX_TAIL_CONE,   /**< up to the apex of the common tangents of the two bodies, which
                               table I asks for */
    CAROM_TREX_TAIL_PRINTED /**< by the formula that section VII-B prints */
} carom_trex_tail;

/** The robot and its drop, in kg, cm and s as in the paper. */
typedef struct carom_trex_params {
    double anterior_radius;  /**< r_1 > r_2, cm */
    double posterior_radius; /**< r_2, cm */
    double upper_length;     /**< l_u, hip to knee, cm */
    double lower_length;     /**< l_l, knee to foot, cm */
    carom_trex_tail tail;    /**< formula of the tail's length */
    double body_density;     /**< of the two solid spheres, kg/cm3 */
    double limb_density;     /**< of legs and tail, kg/cm3 */
    double limb_section;     /**< cross-section of legs and tail, cm2 */

    double stance[CAROM_TREX_COORDINATES]; /**< q at which springs are at rest and hips are held,
                                              cm and rad */
    double knee_stiffness;                 /**< of the knees' springs, kg cm2/s2 */
    double knee_damping;                   /**< of the knees' dashpots, kg cm2/s */
    double body_stiffness;                 /**< of the body joint's spring, kg cm2/s2 */
    double body_damping;                   /**< of the body joint's dashpot, kg cm2/s */

    double hip_stiffness;  /**< K_p, kg cm2/s2 */
    double hip_damping;    /**< K_v, kg cm2/s */
    double hip_rates[2];   /**< Omega of the references, left and right, rad/s */
    double hip_start_time; /**< t_0: a reference is stance + Omega max(t - t_0, 0), s */

    double drop_height; /**< of the start above the stance, cm */
    double gravity;     /**< g, cm/s2 */
    double friction;    /**< Coulomb's mu of the three contacts, 1 */
    double restitution; /**< Newton's e of the three contacts, 1 */
} carom_trex_params;

/**
 * The optimized row of table I with densities 1 and 2 g/cm3, cross-section 1.25 cm2, K_p = 1e5,
 * K_v = 1e4 and a drop of 17 cm. The rest is not in the paper and chosen by us: all gains in kg,
 * cm, s (pure cgs units would make the hips a thousand times too weak to carry the robot), springs
 * 1e5 kg cm2/s2, dashpots 5e2 kg cm2/s, 981 cm/s2, mu = 0.8; both references turn counterclockwise
 * with 6 rad/s from sqrt(2 drop/g) on, the impact of a stance that touches the floor. e = 1. The
 * leg of table I's columns phi_L and gamma_R, whose foot is near the floor, is the right one as in
 * the text.
 */
carom_trex_params carom_trex_params_default(void);

/** The hand-picked (initial) row of table I, otherwise carom_trex_params_default. */
carom_trex_params carom_trex_params_hand_picked(void);

/**
 * Refuse parameters that do not describe the robot.
 *
 * @param[in]  params the robot
 * @param[out] report the parameter and its value, of the stance also the coordinate and of the hip
 * rates the leg (index); may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: a radius, length, density or section not positive, "posterior
 * radius" not below the anterior one (the cone opens the other way), an unknown tail, a spring,
 * dashpot, gain, drop height, gravity or friction negative, e outside [0,1]; NOT_FINITE
 */
CAROM_MUST_CHECK carom_status carom_trex_check(const carom_trex_params *params,
                                               carom_report *report);

/** What the kinetic and potential energies need of the bodies: the centre of mass of a body i of
 * mass m_i is at (x, y) + sum_a l_ia e(alpha_a). */
typedef struct carom_trex_inertia {
    double mass;                                         /**< m_t of the robot, kg */
    double moment[CAROM_TREX_LINKS];                     /**< mu_a = sum_i m_i l_ia, kg cm */
    double coupling[CAROM_TREX_LINKS][CAROM_TREX_LINKS]; /**< sum_i m_i l_ia l_ib, kg cm2 */
    double spin[CAROM_TREX_LINKS]; /**< J_a, of the bodies that turn with link a about their own
                                      centres, kg cm2 */
} carom_trex_inertia;

/**
 * Solid spheres about the hips and the body joint, uniform rods for the legs and for the tail,
 * which begins at the centre of the posterior sphere and turns with it. The paper tells densities
 * but not the shapes: this is our choice, and its inner products of table I cannot be reached by
 * any natural one.
 *
 * @param[in] params the robot, as checked
 * @return the sums over the bodies
 */
carom_trex_inertia carom_trex_inertia_of(const carom_trex_params *params);

/**
 * The robot as a mechanism, at rest above its stance. T = m_t |(x,y)'|^2/2 + sum_a mu_a w_a (-x'
 * sin(alpha_a) + y' cos(alpha_a)) + w' D w/2, D_ab = coupling_ab cos(alpha_a - alpha_b) + delta_ab
 * spin_a, w = alpha'; V = g (m_t y + sum_a mu_a sin(alpha_a)) + springs. Dashpots and hips are
 * forces without potential, the hips' torque is -K_p (phi - phi_ref) - K_v (phi' - phi_ref').
 * Contacts: both feet and the tail tip with the floor; tangent +x.
 *
 * Units are those of the paper: q in cm and rad, M in kg, kg cm and kg cm2, energies in kg cm2/s2
 * (1e-4 J), gaps in cm.
 *
 * @param[in]  params the robot, copied
 * @param[out] out    belongs to the caller, to be freed by carom_model_free; NULL on failure
 * @param[out] report as carom_trex_check; may be NULL
 * @return CAROM_OK; as carom_trex_check; OUT_OF_MEMORY
 * Source: seghete-2014 section VII-B for the joints, figure 6 for their arrangement, as far as
 * table I's contacts confirm it; the energies in closed form are ours.
 * Cost: some hundred operations for each function.
 */
CAROM_MUST_CHECK carom_status carom_trex_alloc(const carom_trex_params *params, carom_model **out,
                                               carom_report *report);

CAROM_END_DECLARATIONS

#endif
