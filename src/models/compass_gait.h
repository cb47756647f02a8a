/** A walker of two straight legs that puts its leading foot down (halm-2023 section 5.4.2). */
#ifndef CAROM_MODELS_COMPASS_GAIT_H
#define CAROM_MODELS_COMPASS_GAIT_H

#include <carom/models/model.h>

CAROM_BEGIN_DECLARATIONS

/** The walker and its state before the impact. */
typedef struct carom_compass_gait_params {
    double leg_length;     /**< l, m */
    double mass_offset;    /**< s_par from the hip to the point mass of a leg, m */
    double leg_mass;       /**< m, of each leg, kg; the hip has none */
    double trailing_pitch; /**< phi_tr, of the leg from the downward vertical, rad */
    double leading_pitch;  /**< phi_le = -phi_tr, rad */
    double trailing_rate;  /**< d(phi_tr)/dt, rad/s */
    double leading_rate;   /**< d(phi_le)/dt, rad/s */
    double friction;       /**< mu at both feet, 1 */
    double gravity;        /**< g, m/s2: no part in an impact */
} carom_compass_gait_params;

/** 1 m, 0.5 m, 1 kg, 78 deg, -78 deg, 0.25 rad/s each, 5, 9.81 m/s2 (table 5). */
carom_compass_gait_params carom_compass_gait_params_default(void);

/**
 * Both feet on the floor y = 0: q = (x, y, phi_le, phi_tr), the hip and the absolute angles of the
 * legs; a foot is at hip + l (sin phi, -cos phi). Contact A is the leading foot, B the trailing
 * one; tangent +x. The hip is at x = 0 and moves so that the trailing foot is at rest.
 *
 * @param[in]  params the walker
 * @param[out] out    belongs to the caller, to be freed by carom_impact_scene_free
 * @param[out] report the parameter and its value; may be NULL
 * @return CAROM_OK; OUT_OF_RANGE: lengths or mass not positive, mass offset beyond the leg, |pitch|
 * outside (0, 90 deg), friction negative; CONFLICT: "gap between the leading foot and the floor" in
 * m, beyond rounding of the leg's length (the pitches are not opposite: legs that coincide have a
 * singular mass matrix); NOT_FINITE; OUT_OF_MEMORY
 */
CAROM_MUST_CHECK carom_status carom_compass_gait_alloc(const carom_compass_gait_params *params,
                                                       carom_impact_scene **out,
                                                       carom_report *report);

CAROM_END_DECLARATIONS

#endif
