/** The planar running robot RAMone at a footfall (halm-2023 section 5.4.4). */
#ifndef CAROM_MODELS_RAMONE_H
#define CAROM_MODELS_RAMONE_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The runner and its state before the impact. */
typedef struct carom_ramone_params {
    double trunk_mass;         /**< kg */
    double trunk_inertia;      /**< about its centre of mass, kg m2 */
    double thigh_mass;         /**< kg */
    double thigh_inertia;      /**< kg m2 */
    double shank_mass;         /**< kg */
    double shank_inertia;      /**< kg m2 */
    double trunk_to_hip;       /**< s_1, from the trunk's centre of mass, m */
    double hip_to_thigh;       /**< s_2, to the thigh's centre of mass, m */
    double knee_to_shank;      /**< to the shank's centre of mass, m */
    double thigh_length;       /**< l_2, hip to knee, m */
    double shank_length;       /**< l_3, knee to centre of the foot, m */
    double foot_radius;        /**< r_F, m */
    double trunk_angle;        /**< Phi, rad */
    double leading_hip;        /**< alpha_le, relative to the trunk, rad */
    double leading_knee;       /**< beta_le, relative to the thigh, rad */
    double trailing_hip;       /**< alpha_tr, rad; beta_tr follows from the contact of both feet */
    double trunk_rate;         /**< dPhi/dt, rad/s; the trunk's velocity follows */
    double leading_hip_rate;   /**< rad/s */
    double leading_knee_rate;  /**< rad/s */
    double trailing_hip_rate;  /**< rad/s */
    double trailing_knee_rate; /**< rad/s */
    double friction;           /**< mu at both feet, 1 */
    double gravity;            /**< g, m/s2: no part in an impact */
} carom_ramone_params;

/**
 * 7.9026 kg, 0.08 kg m2; 0.7887 kg, 0.00221 kg m2; 0.510 kg, 0.00652 kg m2; 0.137675 m, 0.019399 m,
 * 0.165235 m, 0.2 m, 0.2385 m, 0.02815 m; 16, -70, -2, 70 deg; 1 rad/s, other rates 0; 1e5; 9.81
 * m/s2. Angles, rate and friction from table 7; the rest from the authors' programs, whose 0.073265
 * m of the shank is read as the distance from the foot's centre: only so are there three outcomes.
 */
carom_ramone_params carom_ramone_params_default(void);

/**
 * Both feet on the floor y = 0: q = (x, y, Phi, alpha_le, beta_le, alpha_tr, beta_tr), the trunk's
 * centre of mass and angle, then hips and knees relative to the link above; a link at the absolute
 * angle psi hangs along (sin psi, -cos psi). Feet are discs fixed to the shanks. Contact A is the
 * leading foot, B the trailing one; tangent +x.
 *
 * The trailing knee bends backwards until its foot is level with the leading one, so that with
 * L = l_3 cos(Phi + alpha_le + beta_le) + l_2 cos(Phi + alpha_le)
 *     beta_tr = asin((L - l_2 cos(Phi + alpha_tr))/l_3) - pi/2 - Phi - alpha_tr,
 * and the trunk, at x = 0, moves so that the trailing foot's point of contact is at rest.
 *
 * @param[in]  params the robot
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: masses, inertias, l_2, l_3, r_F not positive, other distances or
 * friction negative, "trailing hip" if its foot cannot reach the leading one's height or the trunk
 * would hang below the floor; NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_ramone_alloc(const carom_ramone_params *params,
                                                 carom_impact_scene **out, carom_report *report);

CAROM_END_DECLARATIONS

#endif
